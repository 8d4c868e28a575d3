/* SPDX-License-Identifier: MIT */
/* test_opening.c - the opening rules: every path of words, every refusal, and random walks. */
#include "games/gomoku/openings/opening_rules.h"
#include "support/support.h"
#include <stdlib.h>
#include <string.h>

static void begin(gomoku_opening *o, ply_rules *rules, const char *variant, const char *name)
{
    ply_error error = {0};
    test_make_rules(rules, "gomoku", variant);
    if (gomoku_opening_start(o, rules, name, &error) != PLY_OK)
        fail_msg("%s: %s", name, error.message);
    char text[32];
    ply_text again = ply_text_fixed(text, sizeof text);
    gomoku_opening_name(o, &again);
    assert_string_equal(text, name);
}

/* Does the acts of a text, "player:act" parted by blanks; each player must be the one to act. */
static void act(gomoku_opening *o, const char *text)
{
    ply_error error = {0};
    ply_cursor cursor = ply_cursor_make(text, strlen(text), &error);
    while (!ply_cursor_done(&cursor)) {
        int player = ply_cursor_take(&cursor) - '0';
        gomoku_opening_action action;
        assert_true(ply_cursor_accept(&cursor, ':'));
        if (gomoku_opening_player(o) != player)
            fail_msg("'%s' at %zu: player %d acts", text, cursor.at, gomoku_opening_player(o));
        if (gomoku_opening_parse(o, &cursor, &action) != PLY_OK)
            fail_msg("'%s' at %u: %s", text, error.column, error.message);
        assert_true(gomoku_opening_may(o, action));
        assert_int_equal(gomoku_opening_do(o, action, &error), PLY_OK);
        ply_cursor_skip_space(&cursor);
    }
}

static void refuse(gomoku_opening *o, const char *text, const char *words)
{
    ply_error error = {0};
    ply_cursor cursor = ply_cursor_make(text, strlen(text), &error);
    gomoku_opening_action action;
    gomoku_opening before;
    memcpy(&before, o, sizeof before);
    ply_status status = gomoku_opening_parse(o, &cursor, &action);
    if (status == PLY_OK)
        fail_msg("'%s' was taken", text);
    if (!strstr(error.message, words))
        fail_msg("'%s': %s", text, error.message);
    assert_memory_equal(&before, o, sizeof before);
}

static void check_end(const gomoku_opening *o, int black, const char *moves)
{
    assert_true(gomoku_opening_done(o));
    assert_int_equal(gomoku_opening_player(o), -1);
    assert_int_equal(gomoku_opening_acts(o), 0);
    assert_int_equal(gomoku_opening_black(o), black);
    ply_move list[GOMOKU_OPENING_STONES];
    size_t count = gomoku_opening_moves(o, list);
    char text[64];
    ply_text out = ply_text_fixed(text, sizeof text);
    for (size_t i = 0; i < count; i++)
        gomoku_format_move(o->rules, NULL, list[i], &out);
    assert_string_equal(text, moves);
    assert_int_equal(gomoku_opening_colour(o), count % 2);
    /* They are legal moves of the game. */
    ply_state s;
    test_make_state(&s, o->rules, text);
    assert_int_equal(ply_state_outcome(&s).result, PLY_ONGOING);
    ply_state_free(&s);
}

static void test_swap(void **state)
{
    (void)state;
    ply_rules rules;
    gomoku_opening o;
    begin(&o, &rules, "freestyle", "swap");
    act(&o, "0:h8 0:a1");
    refuse(&o, "h8", "not empty");
    refuse(&o, "swap", "cannot be done now");
    act(&o, "0:o15");
    refuse(&o, "more", "cannot be done now");
    refuse(&o, "b2", "cannot be done now");
    gomoku_opening copy = o;
    act(&o, "1:swap");
    check_end(&o, 1, "h8a1o15");
    refuse(&o, "c3", "the opening is over");
    act(&copy, "1:stay");
    check_end(&copy, 0, "h8a1o15");
}

static void test_swap2(void **state)
{
    (void)state;
    ply_rules rules;
    gomoku_opening o;
    begin(&o, &rules, "standard:width=20,height=20", "swap2");
    act(&o, "0:h8 0:a1 0:t20");
    gomoku_opening swap = o, stay = o;
    act(&swap, "1:swap");
    check_end(&swap, 1, "h8a1t20");
    act(&stay, "1:stay");
    check_end(&stay, 0, "h8a1t20");
    act(&o, "1:more 1:b2");
    refuse(&o, "stay", "cannot be done now");
    act(&o, "1:c3");
    gomoku_opening keep = o;
    act(&o, "0:swap");
    check_end(&o, 1, "h8a1t20b2c3");
    act(&keep, "0:stay");
    check_end(&keep, 0, "h8a1t20b2c3");
}

static void test_rif(void **state)
{
    (void)state;
    ply_rules rules;
    gomoku_opening o;
    begin(&o, &rules, "renju", "rif");
    refuse(&o, "h9", "too far");
    act(&o, "0:h8");
    refuse(&o, "h10", "too far");
    act(&o, "0:h9");
    refuse(&o, "k8", "too far");
    act(&o, "0:h10 1:swap"); /* player 1 has Black now; White, player 0, goes on */
    act(&o, "0:h11 1:g7");
    refuse(&o, "g7", "offered already");
    refuse(&o, "i7", "mirror image"); /* the stones stand on the axis of the board */
    refuse(&o, "h9", "not empty");
    act(&o, "1:a1");
    refuse(&o, "b1", "was not offered");
    gomoku_opening other = o;
    act(&o, "0:a1");
    check_end(&o, 1, "h8h9h10h11a1");
    act(&other, "0:g7");
    check_end(&other, 1, "h8h9h10h11g7");
    /* Without symmetry the mirror image is another stone. */
    begin(&o, &rules, "renju", "rif");
    act(&o, "0:h8 0:i9 0:j8 1:stay 1:c4 0:g7 0:i7 1:i7");
    check_end(&o, 0, "h8i9j8c4i7");
}

static void test_soosorv(void **state)
{
    (void)state;
    ply_rules rules;
    gomoku_opening o;
    begin(&o, &rules, "renju", "soosorv-8");
    act(&o, "0:h8 0:i9 0:j10 1:stay 1:a2");
    refuse(&o, "9", "cannot be declared");
    refuse(&o, "0", "cannot be declared");
    refuse(&o, "a3", "cannot be done now");
    gomoku_opening one = o;
    act(&o, "1:3");
    gomoku_opening swapped = o;
    act(&o, "0:stay 0:a4 0:a5 0:a6 1:a5");
    check_end(&o, 0, "h8i9j10a2a5");
    act(&swapped, "0:swap 1:a4 1:a5 1:a6 0:a6");
    check_end(&swapped, 1, "h8i9j10a2a6");
    /* One fifth leaves nothing to choose. */
    act(&one, "1:1 0:stay 0:c3");
    check_end(&one, 0, "h8i9j10a2c3");
}

static void test_taraguchi(void **state)
{
    (void)state;
    ply_rules rules;
    gomoku_opening o;
    begin(&o, &rules, "renju", "taraguchi-10");
    act(&o, "0:h8 1:swap"); /* player 1 is Black, so player 0 puts the second stone */
    refuse(&o, "h10", "too far");
    act(&o, "0:h9 1:stay");
    refuse(&o, "k8", "too far");
    act(&o, "1:j8 0:swap"); /* player 0 is Black, so player 1 puts the fourth */
    refuse(&o, "l8", "too far");
    act(&o, "1:k11");
    gomoku_opening ten = o, swap = o;
    act(&o, "0:stay");
    refuse(&o, "m8", "too far");
    act(&o, "0:l12 1:swap");
    check_end(&o, 1, "h8h9j8k11l12");
    act(&swap, "0:swap 1:l4 0:stay");
    check_end(&swap, 1, "h8h9j8k11l4");
    act(&ten, "0:more 0:a1 0:a2 0:a3 0:a4 0:a5 0:a6 0:a7 0:a8 0:a9");
    refuse(&ten, "a9", "offered already");
    act(&ten, "0:o15 1:o15");
    check_end(&ten, 0, "h8h9j8k11o15");
}

static void test_bad_rules(void **state)
{
    (void)state;
    static const char *const bad[][3] = {
        {"renju", "swap3", "no opening rule"},
        {"renju", "soosorv", "no opening rule"},
        {"renju", "soosorv-0", "no opening rule"},
        {"renju", "soosorv-13", "no opening rule"},
        {"renju", "soosorv-8x", "no opening rule"},
        {"renju:width=14", "rif", "odd number"},
        {"renju:width=7,height=7", "taraguchi-10", "nine at least"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ply_rules rules;
        gomoku_opening o;
        ply_error error = {0};
        test_make_rules(&rules, "gomoku", bad[i][0]);
        assert_true(gomoku_opening_start(&o, &rules, bad[i][1], &error) != PLY_OK);
        if (!strstr(error.message, bad[i][2]))
            fail_msg("%s: %s", bad[i][1], error.message);
    }
}

/* What the first three stones can be, up to symmetry: the 26 openings. */
static void test_twenty_six(void **state)
{
    (void)state;
    ply_rules rules;
    gomoku_opening start, two, three;
    gomoku_opening_action place = {GOMOKU_ACT_PLACE, 0};
    uint64_t keys[512];
    int count = 0;
    begin(&start, &rules, "renju", "rif");
    act(&start, "0:h8");
    ply_state s;
    test_make_state(&s, &rules, NULL);
    void *base = malloc(rules.position_bytes);
    for (int a = 0; a < GOMOKU_MAX_CELLS; a++) {
        two = start;
        place.value = a;
        if (gomoku_opening_do(&two, place, NULL) != PLY_OK)
            continue;
        for (int b = 0; b < GOMOKU_MAX_CELLS; b++) {
            three = two;
            place.value = b;
            if (gomoku_opening_do(&three, place, NULL) != PLY_OK)
                continue;
            ply_move moves[GOMOKU_OPENING_STONES];
            assert_int_equal(gomoku_opening_moves(&three, moves), 3);
            assert_int_equal(ply_state_restart(&s), PLY_OK);
            for (int i = 0; i < 3; i++)
                assert_int_equal(ply_state_play(&s, moves[i]), PLY_OK);
            gomoku_canonical(&rules, s.position, base);
            uint64_t key = gomoku_hash(&rules, base);
            int k = 0;
            while (k < count && keys[k] != key)
                k++;
            assert_true(k < 512);
            keys[k] = key;
            count += k == count;
        }
    }
    assert_int_equal(count, 26);
    free(base);
    ply_state_free(&s);
}

/* Mostly an act there is now, and a cell that is often near the centre. */
static gomoku_opening_action random_action(const gomoku_opening *o, ply_rng *rng)
{
    gomoku_opening_action action = {(enum gomoku_opening_act)ply_rng_below(rng, GOMOKU_ACTS), 0};
    while (ply_rng_below(rng, 8) && !(gomoku_opening_acts(o) >> action.act & 1))
        action.act = (enum gomoku_opening_act)ply_rng_below(rng, GOMOKU_ACTS);
    int reach = (int)ply_rng_below(rng, 9), span = 2 * reach + 1;
    if (action.act == GOMOKU_ACT_DECLARE)
        action.value = (int)ply_rng_below(rng, 14);
    else if (ply_rng_below(rng, 20) == 0)
        action.value = (int)ply_rng_below(rng, GOMOKU_MAX_CELLS + 5) - 2;
    else
        action.value = 7 - reach + (int)ply_rng_below(rng, (uint32_t)span) +
                       32 * (7 - reach + (int)ply_rng_below(rng, (uint32_t)span));
    return action;
}

/* Any acts that may be done lead to an end, and say in words what they are. */
static void test_random_walks(void **state)
{
    (void)state;
    static const char *const names[] = {"swap",      "swap2",      "rif",         "soosorv-1",
                                        "soosorv-8", "soosorv-12", "taraguchi-10"};
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++)
        for (uint64_t seed = 0; seed < 200; seed++) {
            ply_rules rules;
            gomoku_opening o;
            ply_rng rng = ply_rng_make(seed, n);
            begin(&o, &rules, "renju", names[n]);
            int acts = 0;
            while (!gomoku_opening_done(&o)) {
                gomoku_opening_action action = random_action(&o, &rng);
                gomoku_opening before = o;
                bool may = gomoku_opening_may(&o, action);
                assert_int_equal(gomoku_opening_do(&o, action, NULL) == PLY_OK, may);
                if (!may)
                    assert_memory_equal(&before, &o, sizeof o);
                acts += may;
                ply_text text = ply_text_growing();
                gomoku_opening_describe(&o, &text);
                assert_true(text.length > 20 && text.data[text.length - 1] == '\n');
                ply_text_free(&text);
            }
            assert_in_range(acts, 4, 24);
            ply_state s;
            ply_move moves[GOMOKU_OPENING_STONES];
            size_t count = gomoku_opening_moves(&o, moves);
            assert_in_range(count, 3, 5);
            test_make_state(&s, &rules, NULL);
            for (size_t i = 0; i < count; i++) {
                ply_cursor nowhere = ply_cursor_make("", 0, NULL);
                assert_int_equal(gomoku_check_move(&rules, s.position, moves[i], &nowhere), PLY_OK);
                assert_int_equal(ply_state_play(&s, moves[i]), PLY_OK);
            }
            ply_state_free(&s);
        }
}

/* No start is the image of another, none is decided by fours, and they move with the board. */
static void test_starts(void **state)
{
    (void)state;
    static const char *const names[] = {"freestyle",
                                        "standard",
                                        "renju",
                                        "caro",
                                        "caro-overline",
                                        "freestyle:width=20,height=20",
                                        "renju:width=11,height=12"};
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++) {
        ply_state game;
        ply_rules rules;
        test_make_rules(&rules, "gomoku", names[n]);
        assert_int_equal(ply_state_init(&game, &rules), PLY_OK);
        uint64_t seen[64];
        size_t count = rules.openings->count(&rules);
        assert_in_range(count, 20, 64);
        gomoku_position *image = calloc(1, rules.position_bytes);
        for (size_t i = 0; i < count; i++) {
            ply_text name = ply_text_growing(), start = ply_text_growing();
            ply_text moves = ply_text_growing();
            int plies;
            uint64_t looked = 0;
            assert_int_equal(rules.openings->get(&rules, i, &name, &start, &moves), PLY_OK);
            assert_int_equal(ply_state_restart(&game), PLY_OK);
            assert_int_equal(ply_state_play_text(&game, moves.data, moves.length, NULL), PLY_OK);
            gomoku_canonical(&rules, game.position, image);
            seen[i] = gomoku_compute_hash(&rules, image);
            for (size_t k = 0; k < i; k++)
                assert_int_not_equal(seen[k], seen[i]);
            assert_int_equal(gomoku_find_win(&rules, game.position, 5, &plies, &looked),
                             PLY_MOVE_NONE);
            assert_false(gomoku_in_check(&rules, game.position));
            ply_text_free(&name);
            ply_text_free(&start);
            ply_text_free(&moves);
        }
        free(image);
        ply_state_free(&game);
    }
    ply_rules small;
    test_make_rules(&small, "gomoku", "freestyle:width=9,height=9");
    assert_int_equal(small.openings->count(&small), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_swap),         cmocka_unit_test(test_swap2),
        cmocka_unit_test(test_rif),          cmocka_unit_test(test_soosorv),
        cmocka_unit_test(test_taraguchi),    cmocka_unit_test(test_bad_rules),
        cmocka_unit_test(test_starts),       cmocka_unit_test(test_twenty_six),
        cmocka_unit_test(test_random_walks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
