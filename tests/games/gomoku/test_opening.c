/* SPDX-License-Identifier: MIT */
/*
 * test_opening.c - opening procedures through the hooks of the game interface: every path, every
 * refusal, and random ones; and the deck of balanced openings.
 */
#include "games/gomoku/gomoku.h"
#include "search/opening_player.h"
#include "support/support.h"
#include <stdlib.h>
#include <string.h>

enum { BOARD = 15, PROCEDURE_ROOM = 256 };

/* A procedure with the rules it runs under. Copying the struct copies the procedure. */
typedef struct opening {
    const ply_rules *rules;
    const ply_opening_hooks *hooks;
    uint64_t state[PROCEDURE_ROOM / 8];
} opening;

static void begin(opening *o, ply_rules *rules, const char *variant, const char *name)
{
    ply_error error = {0};
    memset(o, 0, sizeof *o);
    test_make_rules(rules, "gomoku", variant);
    o->rules = rules;
    o->hooks = rules->openings;
    assert_in_range(o->hooks->procedure_bytes, 1, sizeof o->state);
    if (o->hooks->begin(rules, name, o->state, &error) != PLY_OK)
        fail_msg("%s: %s", name, error.message);
}

static int to_act(const opening *o)
{
    return o->hooks->to_act(o->rules, o->state);
}

/* Performs the actions of a text, "player:action" separated by spaces; checks who is to act. */
static void act(opening *o, const char *text)
{
    ply_error error = {0};
    ply_cursor cursor = ply_cursor_make(text, strlen(text), &error);
    while (!ply_cursor_done(&cursor)) {
        int player = ply_cursor_take(&cursor) - '0';
        assert_true(ply_cursor_accept(&cursor, ':'));
        if (to_act(o) != player)
            fail_msg("'%s' at %zu: player %d is to act", text, cursor.at, to_act(o));
        if (o->hooks->perform(o->rules, o->state, &cursor) != PLY_OK)
            fail_msg("'%s' at %u: %s", text, error.column, error.message);
        ply_cursor_skip_space(&cursor);
    }
}

static ply_status perform(opening *o, const char *text, ply_error *error)
{
    ply_cursor cursor = ply_cursor_make(text, strlen(text), error);
    return o->hooks->perform(o->rules, o->state, &cursor);
}

static void refuse(opening *o, const char *text, const char *reason)
{
    ply_error error = {0};
    opening before = *o;
    if (perform(o, text, &error) == PLY_OK)
        fail_msg("'%s' was accepted", text);
    if (!strstr(error.message, reason))
        fail_msg("'%s': %s", text, error.message);
    assert_memory_equal(&before, o, sizeof before);
}

/* --- lists of actions ------------------------------------------------------------------------ */
typedef struct action_list {
    ply_opening_action actions[BOARD * BOARD + 16];
    size_t count, limit;
} action_list;

static bool add_action(void *context, const ply_opening_action *action)
{
    action_list *list = context;
    list->actions[list->count++] = *action;
    return list->count < list->limit;
}

static void list_actions(const opening *o, action_list *list)
{
    list->count = 0;
    list->limit = sizeof list->actions / sizeof list->actions[0];
    o->hooks->actions(o->rules, o->state, add_action, list);
}

static const ply_opening_action *find_action(const action_list *list, const char *text)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->actions[i].text, text) == 0)
            return &list->actions[i];
    return NULL;
}

static void check_label(const opening *o, const char *text, ply_opening_act act, const char *label)
{
    action_list list;
    list_actions(o, &list);
    const ply_opening_action *action = find_action(&list, text);
    assert_non_null(action);
    assert_int_equal(action->act, act);
    assert_string_equal(action->label, label);
}

static void check_end(const opening *o, int black, const char *moves)
{
    action_list actions;
    assert_int_equal(to_act(o), -1);
    list_actions(o, &actions);
    assert_int_equal(actions.count, 0);
    assert_int_equal(o->hooks->first_side(o->rules, o->state), black);
    ply_move list[PLY_OPENING_MOVES];
    size_t count = o->hooks->moves(o->rules, o->state, list);
    char text[64];
    ply_text out = ply_text_fixed(text, sizeof text);
    for (size_t i = 0; i < count; i++)
        gomoku_format_move(o->rules, NULL, list[i], &out);
    assert_string_equal(text, moves);
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
    opening o;
    begin(&o, &rules, "freestyle", "swap");
    act(&o, "0:h8 0:a1");
    refuse(&o, "h8", "not empty");
    refuse(&o, "swap", "not possible now");
    act(&o, "0:o15");
    refuse(&o, "more", "not possible now");
    refuse(&o, "b2", "not possible now");
    check_label(&o, "swap", PLY_OPENING_SWAP, "Take Black");
    check_label(&o, "stay", PLY_OPENING_STAY, "Keep White");
    opening copy = o;
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
    opening o;
    begin(&o, &rules, "standard:width=20,height=20", "swap2");
    act(&o, "0:h8 0:a1 0:t20");
    check_label(&o, "more", PLY_OPENING_EXTEND, "Place two more stones");
    opening swap = o, stay = o;
    act(&swap, "1:swap");
    check_end(&swap, 1, "h8a1t20");
    act(&stay, "1:stay");
    check_end(&stay, 0, "h8a1t20");
    act(&o, "1:more 1:b2");
    refuse(&o, "stay", "not possible now");
    act(&o, "1:c3");
    opening unswapped = o;
    act(&o, "0:swap");
    check_end(&o, 1, "h8a1t20b2c3");
    act(&unswapped, "0:stay");
    check_end(&unswapped, 0, "h8a1t20b2c3");
}

static void test_rif(void **state)
{
    (void)state;
    ply_rules rules;
    opening o;
    begin(&o, &rules, "renju", "rif");
    refuse(&o, "h9", "too far");
    act(&o, "0:h8");
    refuse(&o, "h10", "too far");
    act(&o, "0:h9");
    refuse(&o, "k8", "too far");
    act(&o, "0:h10 1:swap"); /* player 1 has Black now; player 0, White, continues */
    act(&o, "0:h11 1:g7");
    refuse(&o, "g7", "already been offered");
    refuse(&o, "i7", "mirror image"); /* the stones lie on the axis of the board */
    refuse(&o, "h9", "not empty");
    act(&o, "1:a1");
    refuse(&o, "b1", "was not offered");
    opening other = o;
    act(&o, "0:a1");
    check_end(&o, 1, "h8h9h10h11a1");
    act(&other, "0:g7");
    check_end(&other, 1, "h8h9h10h11g7");
    /* Without symmetry the mirror image is a different move. */
    begin(&o, &rules, "renju", "rif");
    act(&o, "0:h8 0:i9 0:j8 1:stay 1:c4 0:g7 0:i7 1:i7");
    check_end(&o, 0, "h8i9j8c4i7");
}

static void test_soosorv(void **state)
{
    (void)state;
    ply_rules rules;
    opening o;
    begin(&o, &rules, "renju", "soosorv-8");
    act(&o, "0:h8 0:i9 0:j10 1:stay 1:a2");
    check_label(&o, "1", PLY_OPENING_DECLARE, "1 fifth move");
    check_label(&o, "8", PLY_OPENING_DECLARE, "8 fifth moves");
    refuse(&o, "9", "not allowed");
    refuse(&o, "0", "not allowed");
    refuse(&o, "a3", "not possible now");
    opening one = o;
    act(&o, "1:3");
    opening swapped = o;
    act(&o, "0:stay 0:a4 0:a5 0:a6 1:a5");
    check_end(&o, 0, "h8i9j10a2a5");
    act(&swapped, "0:swap 1:a4 1:a5 1:a6 0:a6");
    check_end(&swapped, 1, "h8i9j10a2a6");
    /* A single fifth move leaves nothing to choose. */
    act(&one, "1:1 0:stay 0:c3");
    check_end(&one, 0, "h8i9j10a2c3");
}

static void test_taraguchi(void **state)
{
    (void)state;
    ply_rules rules;
    opening o;
    begin(&o, &rules, "renju", "taraguchi-10");
    act(&o, "0:h8 1:swap"); /* player 1 is Black, so player 0 places the second stone */
    refuse(&o, "h10", "too far");
    act(&o, "0:h9 1:stay");
    refuse(&o, "k8", "too far");
    act(&o, "1:j8 0:swap"); /* player 0 is Black, so player 1 places the fourth */
    refuse(&o, "l8", "too far");
    act(&o, "1:k11");
    check_label(&o, "more", PLY_OPENING_EXTEND, "Offer ten fifth moves");
    opening ten = o, swap = o;
    act(&o, "0:stay");
    refuse(&o, "m8", "too far");
    act(&o, "0:l12 1:swap");
    check_end(&o, 1, "h8h9j8k11l12");
    act(&swap, "0:swap 1:l4 0:stay");
    check_end(&swap, 1, "h8h9j8k11l4");
    act(&ten, "0:more 0:a1 0:a2 0:a3 0:a4 0:a5 0:a6 0:a7 0:a8 0:a9");
    refuse(&ten, "a9", "already been offered");
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
        {"renju:width=7,height=7", "taraguchi-10", "at least nine"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ply_rules rules;
        opening o;
        ply_error error = {0};
        test_make_rules(&rules, "gomoku", bad[i][0]);
        assert_int_not_equal(rules.openings->begin(&rules, bad[i][1], o.state, &error), PLY_OK);
        if (!strstr(error.message, bad[i][2]))
            fail_msg("%s: %s", bad[i][1], error.message);
    }
}

static void test_default_variants(void **state)
{
    (void)state;
    const ply_opening_hooks *hooks = ply_game_find("gomoku")->openings;
    assert_null(hooks->default_variant("swap"));
    assert_null(hooks->default_variant("swap2"));
    assert_string_equal(hooks->default_variant("rif"), "renju");
    assert_string_equal(hooks->default_variant("soosorv-3"), "renju");
    assert_string_equal(hooks->default_variant("taraguchi-10"), "renju");
    /* Every listed rule begins under its default variant. */
    for (const ply_opening_rule *rule = hooks->rules; rule->id; rule++) {
        ply_rules rules;
        opening o;
        begin(&o, &rules, hooks->default_variant(rule->id), rule->id);
        assert_int_equal(to_act(&o), 0);
    }
}

/* The first three stones of rif are the 26 openings, up to symmetry. */
static void test_twenty_six(void **state)
{
    (void)state;
    ply_rules rules;
    opening start;
    uint64_t keys[512];
    int count = 0;
    begin(&start, &rules, "renju", "rif");
    act(&start, "0:h8");
    ply_state s;
    test_make_state(&s, &rules, NULL);
    void *image = malloc(rules.position_bytes);
    action_list second, third;
    list_actions(&start, &second);
    for (size_t a = 0; a < second.count; a++) {
        opening two = start;
        assert_int_equal(perform(&two, second.actions[a].text, NULL), PLY_OK);
        list_actions(&two, &third);
        for (size_t b = 0; b < third.count; b++) {
            opening three = two;
            assert_int_equal(perform(&three, third.actions[b].text, NULL), PLY_OK);
            ply_move moves[PLY_OPENING_MOVES];
            assert_int_equal(three.hooks->moves(&rules, three.state, moves), 3);
            assert_int_equal(ply_state_restart(&s), PLY_OK);
            for (int i = 0; i < 3; i++)
                assert_int_equal(ply_state_play(&s, moves[i]), PLY_OK);
            gomoku_canonical(&rules, s.position, image);
            uint64_t key = gomoku_hash(&rules, image);
            int k = 0;
            while (k < count && keys[k] != key)
                k++;
            assert_true(k < 512);
            keys[k] = key;
            count += k == count;
        }
    }
    assert_int_equal(count, 26);
    free(image);
    ply_state_free(&s);
}

/* --- conformance of the hooks ---------------------------------------------------------------- */
/* A word, a number or a cell, which is often near the centre; it may be impossible or nonsense. */
static void random_text(ply_rng *rng, char text[PLY_OPENING_TEXT])
{
    static const char *const words[] = {"swap", "stay", "more", "pass", "", "a0", "zz9", "swa"};
    ply_text out = ply_text_fixed(text, PLY_OPENING_TEXT);
    int reach = (int)ply_rng_below(rng, 8), span = 2 * reach + 1;
    switch (ply_rng_below(rng, 4)) {
    case 0:
        ply_text_string(&out, words[ply_rng_below(rng, sizeof words / sizeof words[0])]);
        break;
    case 1:
        ply_text_format(&out, "%u", ply_rng_below(rng, 14));
        break;
    default:
        gomoku_format_cell(gomoku_cell(7 - reach + (int)ply_rng_below(rng, (uint32_t)span),
                                       7 - reach + (int)ply_rng_below(rng, (uint32_t)span)),
                           &out);
    }
}

/* What is true of every state: the actions can be performed, all else is refused. */
static void check_state(const opening *o, ply_rng *rng)
{
    action_list list;
    char text[PLY_OPENING_TEXT];
    list_actions(o, &list);
    assert_int_equal(list.count == 0, to_act(o) < 0);
    for (size_t i = 0; i < list.count; i++) {
        const ply_opening_action *action = &list.actions[i];
        bool is_move = action->act == PLY_OPENING_PLACE || action->act == PLY_OPENING_OFFER ||
                       action->act == PLY_OPENING_CHOOSE;
        opening copy = *o;
        assert_ptr_equal(find_action(&list, action->text), action); /* listed once */
        assert_int_equal(action->move != PLY_MOVE_NONE, is_move);
        assert_int_equal(action->number > 0, action->act == PLY_OPENING_DECLARE);
        assert_true(action->label[0] != '\0');
        assert_int_equal(perform(&copy, action->text, NULL), PLY_OK);
        assert_memory_not_equal(&copy, o, sizeof copy);
    }
    for (int i = 0; i < 20; i++) {
        opening copy = *o;
        ply_error error = {0};
        random_text(rng, text);
        bool possible = find_action(&list, text) != NULL;
        assert_int_equal(perform(&copy, text, &error) == PLY_OK, possible);
        if (!possible) {
            assert_true(error.message[0] != '\0');
            assert_memory_equal(&copy, o, sizeof copy);
        }
    }
    ply_text description = ply_text_growing();
    o->hooks->describe(o->rules, o->state, &description);
    assert_true(description.length > 20 && description.data[description.length - 1] == '\n');
    ply_text_free(&description);
    if (list.count > 1) { /* a visit that returns false ends the list */
        list.count = 0;
        list.limit = 1;
        o->hooks->actions(o->rules, o->state, add_action, &list);
        assert_int_equal(list.count, 1);
    }
}

/* Random actions lead to an end, and to moves that are legal in the game. */
static void test_random_procedures(void **state)
{
    (void)state;
    static const char *const names[] = {"swap",      "swap2",      "rif",         "soosorv-1",
                                        "soosorv-8", "soosorv-12", "taraguchi-10"};
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++)
        for (uint64_t seed = 0; seed < 200; seed++) {
            ply_rules rules;
            opening o;
            action_list list;
            ply_rng rng = ply_rng_make(seed, n);
            int acts = 0;
            begin(&o, &rules, "renju", names[n]);
            for (; to_act(&o) >= 0; acts++) {
                if (seed < 20)
                    check_state(&o, &rng);
                list_actions(&o, &list);
                uint32_t k = ply_rng_below(&rng, (uint32_t)list.count);
                assert_int_equal(perform(&o, list.actions[k].text, NULL), PLY_OK);
            }
            check_state(&o, &rng);
            assert_in_range(acts, 4, 24);
            ply_state s;
            ply_move moves[PLY_OPENING_MOVES];
            size_t count = o.hooks->moves(&rules, o.state, moves);
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

/* The engine finishes every procedure with possible actions, and the same ones for the same seed. */
static void test_engine(void **state)
{
    (void)state;
    static const char *const names[] = {"swap", "swap2", "rif", "soosorv-8", "taraguchi-10"};
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++) {
        ply_rules rules;
        opening o;
        action_list list;
        char text[PLY_OPENING_TEXT], again[PLY_OPENING_TEXT];
        int acts = 0;
        begin(&o, &rules, "renju", names[n]);
        for (; to_act(&o) >= 0; acts++) {
            ply_rng rng = ply_rng_make(3, (uint64_t)acts), same = rng;
            assert_int_equal(ply_opening_choose(&rules, o.state, &rng, text), PLY_OK);
            assert_int_equal(ply_opening_choose(&rules, o.state, &same, again), PLY_OK);
            assert_string_equal(text, again);
            list_actions(&o, &list);
            assert_non_null(find_action(&list, text));
            assert_int_equal(perform(&o, text, NULL), PLY_OK);
        }
        assert_in_range(acts, 4, 24);
        ply_rng rng = ply_rng_make(3, 0);
        assert_int_equal(ply_opening_choose(&rules, o.state, &rng, text), PLY_UNSUPPORTED);
    }
}

/* With an open three of Black on the board, the engine takes Black. */
static void test_engine_takes_the_better_side(void **state)
{
    (void)state;
    ply_rules rules;
    opening o;
    ply_rng rng = ply_rng_make(1, 1);
    char text[PLY_OPENING_TEXT];
    begin(&o, &rules, "freestyle", "swap2");
    act(&o, "0:h8 0:a1 0:h9 1:more 1:o15 1:h10");
    assert_int_equal(to_act(&o), 0);
    assert_int_equal(o.hooks->first_side(&rules, o.state), 0);
    assert_int_equal(ply_opening_choose(&rules, o.state, &rng, text), PLY_OK);
    assert_string_equal(text, "stay");
    begin(&o, &rules, "freestyle", "swap");
    act(&o, "0:h8 0:a1 0:h9");
    assert_int_equal(ply_opening_choose(&rules, o.state, &rng, text), PLY_OK);
    assert_string_equal(text, "swap");
}

/* No opening is the image of another, none is decided by fours, and they fit other boards. */
static void test_balanced_openings(void **state)
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
        cmocka_unit_test(test_swap),
        cmocka_unit_test(test_swap2),
        cmocka_unit_test(test_rif),
        cmocka_unit_test(test_soosorv),
        cmocka_unit_test(test_taraguchi),
        cmocka_unit_test(test_bad_rules),
        cmocka_unit_test(test_default_variants),
        cmocka_unit_test(test_balanced_openings),
        cmocka_unit_test(test_twenty_six),
        cmocka_unit_test(test_random_procedures),
        cmocka_unit_test(test_engine),
        cmocka_unit_test(test_engine_takes_the_better_side),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
