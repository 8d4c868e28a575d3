/* SPDX-License-Identifier: MIT */
/* test_text.c - squares, positions, moves and ballots as text, and error messages. */
#include "games/checkers/rules/ballots.h"
#include "support/support.h"
#include <stdlib.h>
#include <string.h>

static void check_square(const char *variant, int bit, const char *name)
{
    ply_rules rules;
    test_make_rules(&rules, "checkers", variant);
    char text[8];
    ply_text out = ply_text_fixed(text, sizeof text);
    checkers_format_square(&rules, checkers_index_of(bit), &out);
    assert_string_equal(text, name);
    ply_cursor cursor = ply_cursor_make(name, strlen(name), NULL);
    int index = -1;
    assert_int_equal(checkers_parse_square(&rules, &cursor, &index), PLY_OK);
    assert_int_equal(index, checkers_index_of(bit));
}

/* Corners and squares next to them, as each GameType of PDN names them. */
static void test_squares(void **state)
{
    (void)state;
    /* English, pool: 1 is Black's lower right corner, on our board the first of the top row. */
    check_square("english", 1, "1");
    check_square("english", 7, "4");
    check_square("english", 8, "5");
    check_square("english", 62, "32");
    check_square("pool", 1, "1");
    /* Russian, Brazilian, Czech: a1 is White's lower left corner. */
    check_square("russian", 56, "a1");
    check_square("russian", 7, "h8");
    check_square("brazilian", 58, "c1");
    check_square("czech", 49, "b2");
    /* Italian: 1 is the upper left corner of a mirrored board, so our upper right one. */
    check_square("italian", 7, "1");
    check_square("italian", 5, "2");
    check_square("italian", 56, "32");
    /* Spanish: 1 is White's lower right corner of a mirrored board, so our lower left one. */
    check_square("spanish", 56, "1");
    check_square("spanish", 58, "2");
    check_square("spanish", 7, "32");
    /* Thai: 1 is the upper left corner as Black sees it. */
    check_square("thai", 62, "1");
    check_square("thai", 56, "4");
    check_square("thai", 1, "32");
}

static void check_position(const char *variant, const char *text, const char *expected)
{
    ply_rules rules;
    ply_state s;
    test_make_rules(&rules, "checkers", variant);
    test_make_state(&s, &rules, text);
    char name[256];
    ply_text out = ply_text_fixed(name, sizeof name);
    checkers_format(&rules, s.position, &out);
    assert_string_equal(name, expected);
    ply_state_free(&s);
}

static void test_positions(void **state)
{
    (void)state;
    check_position("english", "B:W21-32:B1-12",
                   "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12");
    check_position("english", "W:BK1-3,5:W.", "W:W:B5,K1,K2,K3");
    check_position("english", "W:B:W", "W:W:B");
    check_position("english", "W::.", "W:W:B");
    check_position("english", "B:W18, 24,K10: B12,K22", "B:W18,24,K10:B12,K22");
    check_position("english", "B:W018:B01", "B:W18:B1");
    check_position("english", "B:Wc3:Bf6", "B:W22:B11");
    check_position("russian", "W:Wa1,Kd4:Bb8", "W:Wa1,Kd4:Bb8");
    check_position("russian", "W:W29,K18:B1", "W:Wa1,Kd4:Bb8");
    check_position("italian", "W:W23:B1", "W:W23:B1");
    check_position("english", "B:WK1:BK32:H12:F40", "B:WK1:BK32");
    ply_rules rules;
    test_make_rules(&rules, "checkers", "english");
    test_bad_position(&rules, "", 1, "side to move");
    test_bad_position(&rules, "X:W1:B2", 1, "side to move");
    test_bad_position(&rules, "?:W1:B2", 1, "unknown");
    test_bad_position(&rules, "B", 2, "':'");
    test_bad_position(&rules, "B:X1", 3, "W or B");
    test_bad_position(&rules, "B:W33:B1", 4, "1 to 32");
    test_bad_position(&rules, "B:W0:B1", 4, "1 to 32");
    test_bad_position(&rules, "B:W9,,10:B1", 6, "expected a square");
    test_bad_position(&rules, "B:W9,10,:B1", 9, "expected a square");
    test_bad_position(&rules, "B:W9:B9", 7, "two pieces on 9");
    test_bad_position(&rules, "B:W12-9:B1", 4, "descending range");
    test_bad_position(&rules, "B:W1:B2", 4, "would be a king");
    test_bad_position(&rules, "B:W9:B32", 7, "would be a king");
    test_bad_position(&rules, "B:Wb1:B", 4, "b1 is a light square");
    test_bad_position(&rules, "B:Wc9:B", 5, "row from 1 to 8");
    test_bad_position(&rules, "B:W9-21:B1", 1, "13 pieces");
    test_bad_position(&rules, "B:W9:B1 x", 9, "more text");
}

static void test_moves(void **state)
{
    (void)state;
    ply_rules rules;
    ply_state s;
    ply_error error = {0};
    test_make_rules(&rules, "checkers", "english");
    test_make_state(&s, &rules, NULL);
    test_bad_move(&s, "9", 2, "'-' or 'x'");
    test_bad_move(&s, "9-", 2, "'-' or 'x'");
    test_bad_move(&s, "9-33", 3, "1 to 32");
    test_bad_move(&s, "z9-14", 1, "expected a square");
    test_bad_move(&s, "13-17", 1, "Black has no piece on 13");
    test_bad_move(&s, "9-18", 1, "cannot move to 18");
    test_bad_move(&s, "1-5", 1, "the piece on 1 cannot move");
    test_bad_move(&s, "9x18", 1, "nothing to capture");
    test_bad_move(&s, "11-15 23-19 9-14 19x9", 18, "nothing to capture");
    const char *forms[] = {"11-15", "11x15", "f6-e5", "f6e5", "011-015"};
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        if (ply_state_play_text(&s, forms[i], strlen(forms[i]), &error) != PLY_OK)
            fail_msg("%s: %s", forms[i], error.message);
        assert_int_equal(checkers_move_to(s.moves[0]), 14);
        ply_state_undo(&s);
    }
    const char *variation = "11-15 23-18 8-11 27-23 4-8 23-19 10-14 19x10 14x23 26x19 7x14 24-20";
    assert_int_equal(ply_state_play_text(&s, variation, strlen(variation), &error), PLY_OK);
    ply_state_free(&s);
    /* A forced capture, and a jump that must be completed. */
    test_make_state(&s, &rules, "B:W14,23:B9,1");
    test_bad_move(&s, "1-5", 1, "must capture");
    test_bad_move(&s, "9x19", 1, "cannot capture to 19");
    test_bad_move(&s, "9x18", 1, "must be complete");
    assert_int_equal(ply_state_play_text(&s, "9x18x27", 7, &error), PLY_OK);
    ply_state_undo(&s);
    assert_int_equal(ply_state_play_text(&s, "9x27", 4, &error), PLY_OK);
    ply_state_free(&s);
    /* Squares on the path may be named where they determine one capture. */
    test_make_state(&s, &rules, "B:W6,7,8,14,15,16,22,23,24:BK2");
    test_bad_move(&s, "2x18x9x4", 1, "cannot capture");
    assert_int_equal(ply_state_play_text(&s, "2x9x11x4", 8, &error), PLY_ILLEGAL_MOVE);
    assert_int_equal(ply_state_play_text(&s, "2x9x18x11x4", 11, &error), PLY_OK);
    ply_state_free(&s);
}

/* Every alternative path of every ambiguous capture reads back, in all rule sets. */
static void test_ambiguous_captures(void **state)
{
    (void)state;
    static const char *const names[] = {"english", "russian", "brazilian", "pool",
                                        "italian", "spanish", "czech",     "thai"};
    int ambiguous = 0;
    for (size_t v = 0; v < sizeof names / sizeof names[0]; v++) {
        ply_rules rules;
        test_make_rules(&rules, "checkers", names[v]);
        for (uint64_t i = 0; i < (test_is_long() ? 40000 : 4000); i++) {
            ply_rng rng = ply_rng_make(31, i);
            checkers_position p = {.turn = (uint8_t)(i & 1)};
            for (int n = 0; n < 14; n++) {
                uint64_t square = checkers_square((int)ply_rng_below(&rng, 32));
                if (checkers_occupied(&p) & square)
                    continue;
                if (n < 3)
                    p.board[p.turn][CHECKERS_KING] |= square;
                else if (ply_popcount(checkers_pieces_of(&p, !p.turn)) < 12)
                    p.board[!p.turn][square & checkers_crown_row(!p.turn) ? 1 : n % 3 == 0] |=
                        square;
            }
            checkers_finish(&p);
            ply_move moves[CHECKERS_MAX_MOVES];
            size_t count = checkers_moves(&rules, &p, moves);
            for (size_t k = 0; k < count; k++) {
                char text[PLY_MOVE_TEXT];
                ply_text out = ply_text_fixed(text, sizeof text);
                ply_error error = {0};
                ply_move back = PLY_MOVE_NONE;
                checkers_format_move(&rules, &p, moves[k], &out);
                ply_cursor cursor = ply_cursor_make(text, out.length, &error);
                if (checkers_parse_move(&rules, &p, &cursor, &back) != PLY_OK)
                    fail_msg("%s %s: %s", names[v], text, error.message);
                assert_true(back == moves[k]);
                int signs = 0;
                for (const char *c = text; *c; c++)
                    signs += *c == 'x' || *c == ':' || *c == '-';
                ambiguous += signs > 1;
            }
        }
    }
    assert_true(ambiguous > 100);
}

static void test_ballots(void **state)
{
    (void)state;
    ply_rules rules;
    test_make_rules(&rules, "checkers", "english");
    int by_class[3] = {0};
    uint64_t keys[CHECKERS_BALLOTS];
    for (int i = 0; i < CHECKERS_BALLOTS; i++) {
        ply_state s;
        ply_error error = {0};
        const checkers_ballot *b = &checkers_ballots[i];
        test_make_state(&s, &rules, NULL);
        if (ply_state_play_text(&s, b->moves, strlen(b->moves), &error) != PLY_OK)
            fail_msg("%s: %s", b->moves, error.message);
        assert_int_equal(s.plies, 3);
        keys[i] = checkers_hash(&rules, s.position);
        for (int k = 0; k < i; k++)
            assert_true(keys[k] != keys[i]);
        assert_int_equal(checkers_ballot_at(&rules, s.position), i + 1);
        by_class[b->class_id]++;
        ply_state_free(&s);
    }
    assert_int_equal(by_class[CHECKERS_BALLOT_CROSS_BOARD], 144);
    assert_int_equal(by_class[CHECKERS_BALLOT_MAIL], 12);
    assert_int_equal(by_class[CHECKERS_BALLOT_BARRED], 18);
    assert_string_equal(checkers_ballots[7].name, "Edinburgh Single");
    /* Against the published list, if it is available. */
    FILE *truth = test_open_truth("checkers_three_move_ballots.tsv");
    char line[256];
    int compared = 0;
    while (truth && fgets(line, sizeof line, truth)) {
        int number;
        char moves[64];
        if (sscanf(line, "%d\t%63[^\t]", &number, moves) != 2)
            continue;
        assert_string_equal(checkers_ballots[number - 1].moves, moves);
        compared++;
    }
    if (truth) {
        fclose(truth);
        assert_int_equal(compared, CHECKERS_BALLOTS);
    }
}

/* 2500 different positions, eleven men on each side, Black to move; 100 of them are barred. */
static void test_eleven_man(void **state)
{
    (void)state;
    ply_rules rules;
    test_make_rules(&rules, "checkers", "english");
    static checkers_eleven deck[CHECKERS_ELEVENS];
    assert_int_equal(checkers_eleven_man(&rules, deck), CHECKERS_ELEVENS);
    int barred = 0;
    for (int i = 0; i < CHECKERS_ELEVENS; i++) {
        const checkers_position *p = &deck[i].position;
        assert_int_equal(ply_popcount(p->black_men), 11);
        assert_int_equal(ply_popcount(p->white_men), 11);
        assert_int_equal(p->turn, CHECKERS_BLACK);
        barred += deck[i].is_barred;
    }
    assert_int_equal(barred, 100);
}

/* The decks as openings: first the three-move ballots, then the eleven-man positions. */
static void test_decks(void **state)
{
    (void)state;
    ply_rules rules;
    ply_state s;
    test_make_rules(&rules, "checkers", "english");
    static checkers_eleven deck[CHECKERS_ELEVENS];
    checkers_eleven_man(&rules, deck);
    size_t count = rules.openings->count(&rules);
    assert_int_equal(count, CHECKERS_BALLOTS + CHECKERS_ELEVENS);
    ply_text name = ply_text_growing(), start = ply_text_growing(), moves = ply_text_growing();
    for (size_t i = 0; i < count; i += i < CHECKERS_BALLOTS ? 1 : 61) {
        char expected[80];
        ply_text_clear(&name);
        ply_text_clear(&start);
        ply_text_clear(&moves);
        assert_int_equal(rules.openings->get(&rules, i, &name, &start, &moves), PLY_OK);
        if (i < CHECKERS_BALLOTS) {
            assert_string_equal(ply_text_cstr(&start), "");
            assert_string_equal(ply_text_cstr(&moves), checkers_ballots[i].moves);
            snprintf(expected, sizeof expected, "three-move %zu", i + 1);
            assert_int_equal(strncmp(ply_text_cstr(&name), expected, strlen(expected)), 0);
            assert_int_equal(strstr(ply_text_cstr(&name), "(barred)") != NULL,
                             checkers_ballots[i].class_id == CHECKERS_BALLOT_BARRED);
        } else {
            size_t number = i - CHECKERS_BALLOTS;
            test_make_state(&s, &rules, ply_text_cstr(&start));
            assert_memory_equal(s.position, &deck[number].position, rules.position_bytes);
            ply_state_free(&s);
            assert_string_equal(ply_text_cstr(&moves), "");
            snprintf(expected, sizeof expected, "eleven-man %zu%s", number + 1,
                     deck[number].is_barred ? " (barred)" : "");
            assert_string_equal(ply_text_cstr(&name), expected);
        }
    }
    assert_int_equal(rules.openings->get(&rules, count, &name, &start, &moves), PLY_LIMIT);
    ply_text_free(&name);
    ply_text_free(&start);
    ply_text_free(&moves);
    test_make_rules(&rules, "checkers", "russian"); /* which has no decks */
    assert_int_equal(rules.openings->count(&rules), 0);
    assert_int_equal(rules.openings->get(&rules, 0, NULL, NULL, NULL), PLY_LIMIT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_decks),
        cmocka_unit_test(test_squares),
        cmocka_unit_test(test_positions),
        cmocka_unit_test(test_moves),
        cmocka_unit_test(test_ambiguous_captures),
        cmocka_unit_test(test_ballots),
        cmocka_unit_test(test_eleven_man),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
