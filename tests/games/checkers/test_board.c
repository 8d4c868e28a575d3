/* SPDX-License-Identifier: MIT */
/* test_board.c - the masks and sets of the design note, the rules of each variant, outcomes. */
#include "games/checkers/checkers.h"
#include "support/support.h"
#include <string.h>

/* The values are those printed in the design note. */
static void test_masks(void **state)
{
    (void)state;
    assert_true(CHECKERS_EDGES == UINT64_C(18411139144890810879));
    assert_true(CHECKERS_NOT_EDGES == UINT64_C(35604928818740736));
    assert_true(CHECKERS_NOT_EDGES == ~CHECKERS_EDGES);
    assert_true(CHECKERS_RIGHT_EDGE == UINT64_C(9259542123273814144));
    assert_true(CHECKERS_LEFT_EDGE == UINT64_C(72340172838076673));
    assert_true(CHECKERS_WHITE_END_MASK == UINT64_C(18374686479671623680));
    assert_true(CHECKERS_BLACK_END_MASK == 255);
    assert_true(CHECKERS_DARK_SQUARES == UINT64_C(6172840429334713770));
    assert_true(CHECKERS_PLAYABLE_SQUARES == CHECKERS_DARK_SQUARES);
    /* And they are what their names say. */
    for (int bit = 0; bit < 64; bit++) {
        int row = bit / 8, column = bit % 8;
        bool edge = row == 0 || row == 7 || column == 0 || column == 7;
        assert_int_equal(CHECKERS_EDGES >> bit & 1, edge);
        assert_int_equal(CHECKERS_LEFT_EDGE >> bit & 1, column == 0);
        assert_int_equal(CHECKERS_RIGHT_EDGE >> bit & 1, column == 7);
        assert_int_equal(CHECKERS_WHITE_END_MASK >> bit & 1, row == 7);
        assert_int_equal(CHECKERS_BLACK_END_MASK >> bit & 1, row == 0);
        assert_int_equal(CHECKERS_DARK_SQUARES >> bit & 1, (row + column) % 2);
    }
}

static void test_squares(void **state)
{
    (void)state;
    uint64_t all = 0;
    for (int index = 0; index < CHECKERS_SQUARES; index++) {
        assert_int_equal(checkers_index_of(checkers_bit_of(index)), index);
        assert_true(CHECKERS_DARK_SQUARES & checkers_square(index));
        assert_true(checkers_pack(checkers_square(index)) == UINT32_C(1) << index);
        all |= checkers_square(index);
    }
    assert_true(all == CHECKERS_DARK_SQUARES);
    ply_rng rng = ply_rng_make(3, 3);
    for (int i = 0; i < 1000; i++) {
        uint32_t set = (uint32_t)ply_rng_next(&rng);
        assert_true(checkers_pack(checkers_unpack(set)) == set);
        assert_true((checkers_unpack(set) & ~CHECKERS_DARK_SQUARES) == 0);
    }
}

static void test_start(void **state)
{
    (void)state;
    ply_rules rules;
    checkers_position p;
    test_make_rules(&rules, "checkers", NULL);
    checkers_start(&rules, &p);
    checkers_board board = checkers_board_start(&rules);
    assert_int_equal(ply_popcount(checkers_black_pieces(&board)), 12);
    assert_int_equal(ply_popcount(checkers_white_pieces(&board)), 12);
    assert_int_equal(checkers_piece_at(&board, 1), CHECKERS_BLACK_MAN);
    assert_int_equal(checkers_piece_at(&board, 0), CHECKERS_EMPTY);
    assert_int_equal(checkers_piece_at(&board, 62), CHECKERS_WHITE_MAN);
    assert_int_equal(checkers_piece_at(&board, 24), CHECKERS_EMPTY);
    assert_int_equal(p.turn, CHECKERS_BLACK);
    assert_string_equal(ply_game_player_name(&rules, 0), "Black");
    test_make_rules(&rules, "checkers", "russian");
    checkers_start(&rules, &p);
    assert_int_equal(p.turn, CHECKERS_WHITE);
    assert_int_equal(checkers_side(&rules, &p), 0);
    assert_string_equal(ply_game_player_name(&rules, 0), "White");
    test_make_rules(&rules, "checkers", "thai");
    checkers_start(&rules, &p);
    assert_int_equal(ply_popcount(checkers_occupied(&p)), 16);
}

/* Compares the legal moves of a position, sorted as text. */
static void check_moves(const char *variant, const char *position, const char *expected)
{
    ply_rules rules;
    ply_state s;
    test_make_rules(&rules, "checkers", variant);
    test_make_state(&s, &rules, position);
    ply_move moves[CHECKERS_MAX_MOVES];
    char names[64][PLY_MOVE_TEXT], all[2048];
    size_t count = checkers_moves(&rules, s.position, moves);
    assert_true(count < 64);
    for (size_t i = 0; i < count; i++) {
        char name[PLY_MOVE_TEXT];
        ply_text text = ply_text_fixed(name, sizeof name);
        checkers_format_move(&rules, s.position, moves[i], &text);
        size_t k = i;
        for (; k > 0 && strcmp(names[k - 1], name) > 0; k--)
            strcpy(names[k], names[k - 1]);
        strcpy(names[k], name);
    }
    ply_text list = ply_text_fixed(all, sizeof all);
    for (size_t i = 0; i < count; i++)
        ply_text_format(&list, "%s%s", i ? " " : "", names[i]);
    if (strcmp(ply_text_cstr(&list), expected) != 0)
        fail_msg("%s %s:\n%s, not\n%s", variant, position, all, expected);
    ply_state_free(&s);
}

/* Compares the position after a move. */
static void check_after(const char *variant, const char *position, const char *move,
                        const char *expected)
{
    ply_rules rules;
    ply_state s;
    ply_error error = {0};
    test_make_rules(&rules, "checkers", variant);
    test_make_state(&s, &rules, position);
    if (ply_state_play_text(&s, move, strlen(move), &error) != PLY_OK)
        fail_msg("%s: %s", move, error.message);
    char name[256];
    ply_text text = ply_text_fixed(name, sizeof name);
    checkers_format(&rules, s.position, &text);
    assert_string_equal(name, expected);
    ply_state_free(&s);
}

static void test_rules_of_capture(void **state)
{
    (void)state;
    /* English: crowning ends the move, even if the new king could jump again. */
    check_moves("english", "B:W26,27:B22", "22x31");
    /* Jumps must be completed; the player chooses among them. */
    check_moves("english", "B:W6,15,14:B1,11", "11x18 1x17 1x19");
    /* Russian: the new king continues to jump, at any distance. Brazilian: only a man that stops on
     * the last row is crowned. */
    check_moves("russian", "W:Wb6:Bc7,f6", "b6:g5 b6:h4");
    check_moves("brazilian", "W:Wb6:Bc7,f6", "b6xd8");
    check_after("russian", "W:Wd6:Be7,g7", "d6:h6", "B:WKh6:B");
    check_after("brazilian", "W:Wd6:Be7,g7", "d6xh6", "B:Wh6:B");
    check_after("brazilian", "W:Wb6:Bc7,f6", "b6xd8", "B:WKd8:Bf6");
    /* Brazilian: the capture with the most pieces is compulsory. */
    check_moves("brazilian", "W:Wc3,h2:Bd4,f6,g3", "c3xg7");
    /* Pool: the same with free choice. */
    check_moves("pool", "B:W14,23:B10,27", "10x17 27x9");
    /* A flying king must choose a landing square from which it can continue. */
    check_moves("russian", "W:WKa1:Bb2,f4", "a1:g3 a1:h2");
    /* Captured pieces stay on the board until the move ends and cannot be jumped twice. */
    check_moves("russian", "W:WKg1:Bb2,f2,h4,f6", "g1:a1 g1:g7 g1:h8");
    check_after("russian", "W:WKg1:Bb2,f2,h4,f6", "g1:h8", "B:WKh8:Bb2,h4");
    check_after("russian:lifting=once", "W:WKg1:Bb2,f2,h4,f6", "g1:h8", "B:WKh8:Bh4");
    /* Czech: a capture by a king has precedence over one by a man. */
    check_moves("czech", "W:Wh2,Ka1:Bg3,b2", "a1xc3 a1xd4 a1xe5 a1xf6 a1xg7 a1xh8");
    /* Thai: the king stops right behind the captured piece. */
    check_moves("thai", "B:W18:BK32", "32-14");
    /* Italian: a man does not capture a king; a king does. */
    check_moves("italian", "W:W22:BK18", "22-19");
    check_moves("italian", "W:WK22:BK18", "22x13");
}

/* Italian precedence: the most pieces, by a king, the most kings, a king captured first. */
static void test_italian_order(void **state)
{
    (void)state;
    /* A man and a king can capture one piece each: the king must. */
    check_moves("italian", "W:W22,K27:B19,23", "27x20");
    /* Two pieces take precedence over one, whichever piece captures them. */
    check_moves("italian", "W:W22,K27:B18,10,23", "22x6");
    /* Of two captures of one piece, the king must be captured. */
    check_moves("italian", "W:WK22:BK18,19", "22x13");
}

static void test_spanish_quality(void **state)
{
    (void)state;
    /* Both captures have equally many pieces; the one that includes a king is compulsory. */
    check_moves("spanish", "W:WK14:B18,K19", "14x23 14x28 14x32");
    check_moves("spanish", "W:WK14:B18,19", "14x21 14x23 14x25 14x28 14x32");
}

/*
 * The classical ambiguous capture. CheckerBoard, where it comes from, lists three captures from 2
 * to 4; there is a fourth that visits 11 twice. Each is written so that it reads back as itself.
 */
static void test_ambiguous(void **state)
{
    (void)state;
    ply_rules rules;
    ply_state s;
    test_make_rules(&rules, "checkers", "english");
    test_make_state(&s, &rules, "B:W6,7,8,14,15,16,22,23,24:BK2");
    ply_move moves[CHECKERS_MAX_MOVES];
    size_t count = checkers_moves(&rules, s.position, moves);
    int captures = 0;
    char texts[8][PLY_MOVE_TEXT];
    for (size_t i = 0; i < count; i++) {
        ply_error error = {0};
        ply_move back;
        if (checkers_move_to(moves[i]) != 3)
            continue;
        ply_text text = ply_text_fixed(texts[captures], PLY_MOVE_TEXT);
        checkers_format_move(&rules, s.position, moves[i], &text);
        ply_cursor cursor = ply_cursor_make(texts[captures], text.length, &error);
        assert_int_equal(checkers_parse_move(&rules, s.position, &cursor, &back), PLY_OK);
        assert_true(back == moves[i]);
        for (int k = 0; k < captures; k++)
            assert_string_not_equal(texts[k], texts[captures]);
        captures++;
    }
    assert_int_equal(captures, 4);
    static const char *const known[] = {"2x11x4", "2x9x18x11x4", "2x9x18x27x20x11x4",
                                        "2x11x18x27x20x11x4"};
    for (int k = 0; k < 4; k++) {
        int found = 0;
        for (int i = 0; i < captures; i++)
            found += strcmp(known[k], texts[i]) == 0;
        assert_int_equal(found, 1);
    }
    test_bad_move(&s, "2x4", 1, "ambiguous capture");
    ply_state_free(&s);
}

/* --- the end of the game -------------------------------------------------------------------- */
static void check_end(const char *variant, const char *position, const char *moves,
                      ply_result result, const char *reason)
{
    ply_rules rules;
    ply_state s;
    ply_error error = {0};
    test_make_rules(&rules, "checkers", variant);
    test_make_state(&s, &rules, position);
    if (ply_state_play_text(&s, moves, strlen(moves), &error) != PLY_OK)
        fail_msg("%s: %s", moves, error.message);
    ply_outcome outcome = ply_state_outcome(&s);
    assert_int_equal(outcome.result, result);
    if (reason)
        assert_string_equal(outcome.reason, reason);
    ply_state_free(&s);
}

/* Two paths over the same pieces to the same square are one move. */
static void test_paths_of_one_move(void **state)
{
    (void)state;
    static const struct {
        const char *variant, *position;
        size_t moves;
    } cases[] = {
        {"thai", "B:W1,4,9,10,27,K18:BK23", 4}, /* 23-32-14-5 and 23-14-32-5 */
        {"thai", "B:W8,15,K22:B16,21,K18", 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ply_rules rules;
        ply_state s;
        ply_move moves[CHECKERS_MAX_MOVES];
        test_make_rules(&rules, "checkers", cases[i].variant);
        test_make_state(&s, &rules, cases[i].position);
        size_t count = checkers_moves(&rules, s.position, moves);
        assert_int_equal(count, cases[i].moves);
        for (size_t a = 0; a < count; a++)
            for (size_t b = 0; b < a; b++)
                assert_true(moves[a] != moves[b]);
        ply_state_free(&s);
    }
}

/* A capture may end next to where it began; its action is not a quiet step. */
static void test_captures_in_a_circle(void **state)
{
    (void)state;
    static const struct {
        const char *variant, *position, *move;
    } cases[] = {
        {"russian", "W:WKc3:Bd4,g5,g3,d2", "c3:b4"},
        {"brazilian", "W:WKc3:Bd4,g5,g3,d2", "c3xb4"},
        {"russian", "W:Wf6:Be7,c7,b4,d4", "f6:e5"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ply_rules rules;
        ply_state s;
        test_make_rules(&rules, "checkers", cases[i].variant);
        test_make_state(&s, &rules, cases[i].position);
        ply_move move, stepped;
        checkers_undo_info undo;
        assert_int_equal(
            ply_state_parse_move(&s, cases[i].move, strlen(cases[i].move), &move, NULL), PLY_OK);
        uint32_t action = rules.learning->action(&rules, s.position, move);
        checkers_position p = *(const checkers_position *)s.position;
        assert_int_equal(rules.learning->step(&rules, &p, action, &stepped, (void *)&undo), PLY_OK);
        assert_true(stepped == move);
        assert_int_equal(checkers_pieces_of(&p, CHECKERS_BLACK), 0);
        ply_state_free(&s);
    }
}

static void test_ends(void **state)
{
    (void)state;
    check_end("english", "B:W14:B9", "9x18", PLY_FIRST_WINS, "no-pieces");
    check_end("english", "W:W13:B1", "13-9", PLY_ONGOING, NULL);
    check_end("english", "B:W21,17,14:B5,1,13", "", PLY_ONGOING, NULL);
    check_end("english", "B:W17,22:B13", "", PLY_SECOND_WINS, "no-move");
    /* In Russian checkers White is the first player. */
    check_end("russian", "B:Wc3:B", "", PLY_FIRST_WINS, "no-pieces");
    /* The third occurrence of a position with the same player to move. */
    const char *back_and_forth = "1-5 32-28 5-1 28-32";
    char twice[64];
    snprintf(twice, sizeof twice, "%s %s", back_and_forth, back_and_forth);
    check_end("english", "B:WK32:BK1", back_and_forth, PLY_ONGOING, NULL);
    check_end("english", "B:WK32:BK1", twice, PLY_DRAW, "repetition");
    check_end("english:repeat=0", "B:WK32:BK1", twice, PLY_ONGOING, NULL);
    check_end("english:repeat=2", "B:WK32:BK1", back_and_forth, PLY_DRAW, "repetition");
    check_end("english:repeat=2", "B:WK32:BK1", "1-5 32-28 5-1", PLY_ONGOING, NULL);
    check_end("italian", "B:WK32:BK1", twice, PLY_ONGOING, NULL);
}

/* Forty moves by each side without a capture or a man's move, and no fewer. */
static void test_forty_moves(void **state)
{
    (void)state;
    ply_rules rules;
    test_make_rules(&rules, "checkers", "english:repeat=0");
    for (int man = 0; man < 2; man++) {
        ply_state s;
        ply_error error = {0};
        test_make_state(&s, &rules, "B:WK32:BK1,12");
        for (int i = 0; i < 20; i++) {
            assert_int_equal(ply_state_outcome(&s).result, PLY_ONGOING);
            const char *round = man && i == 10 ? "12-16 32-28 1-5 28-32 5-1 32-28 16-20 28-32"
                                               : "1-5 32-28 5-1 28-32";
            if (ply_state_play_text(&s, round, strlen(round), &error) != PLY_OK)
                fail_msg("%s: %s", round, error.message);
        }
        ply_outcome end = ply_state_outcome(&s);
        assert_int_equal(end.result, man ? PLY_ONGOING : PLY_DRAW);
        if (!man) {
            assert_string_equal(end.reason, "no-progress");
            ply_state_undo(&s);
            assert_int_equal(ply_state_outcome(&s).result, PLY_ONGOING);
        }
        ply_state_free(&s);
    }
}

/* Repeats the moves of `round` until the game ends; checks the reason and the number of plies. */
static void check_ending(const char *variant, const char *position, const char *round, size_t plies,
                         const char *reason)
{
    ply_rules rules;
    ply_state s;
    test_make_rules(&rules, "checkers", variant);
    test_make_state(&s, &rules, position);
    ply_cursor cursor = ply_cursor_make(round, strlen(round), NULL);
    ply_outcome end;
    while ((end = ply_state_outcome(&s)).result == PLY_ONGOING && s.plies < 200) {
        ply_move move;
        ply_cursor_skip_space(&cursor);
        if (ply_cursor_done(&cursor)) {
            cursor = ply_cursor_make(round, strlen(round), NULL);
            continue;
        }
        assert_int_equal(checkers_parse_move(&rules, s.position, &cursor, &move), PLY_OK);
        assert_int_equal(ply_state_play(&s, move), PLY_OK);
    }
    assert_string_equal(end.reason, reason);
    assert_int_equal(s.plies, plies);
    ply_state_free(&s);
}

static void test_endings(void **state)
{
    (void)state;
    /* Two pieces, both kings: five moves each. */
    check_ending("russian:repeat=0", "W:WKa1:BKh2", "a1-b2 h2-g1 b2-a1 g1-h2", 10, "ending");
    /* Four kings: thirty moves, but the limit of fifteen king moves applies first. */
    check_ending("russian:repeat=0", "W:WKa1,Kc1:BKh2,Kh8", "c1-b2 h2-g1 b2-c1 g1-h2", 30,
                 "no-progress");
    check_ending("russian:repeat=0,quiet=1000", "W:WKa1,Kc1:BKh2,Kb8", "c1-b2 h2-g1 b2-c1 g1-h2",
                 60, "ending");
    /* A king on the long diagonal against three: five moves; off it, fifteen. */
    check_ending("russian:repeat=0", "W:WKg1,Kc1,Ke1:BKh8", "c1-d2 h8-a1 d2-c1 a1-h8", 10,
                 "ending");
    check_ending("russian:repeat=0", "W:WKg1,Kc1,Ke1:BKb8", "c1-b2 b8-a7 b2-c1 a7-b8", 30,
                 "no-progress");
    check_ending("brazilian:repeat=0", "W:WKa1,Kc1:BKh2,Kb8", "c1-b2 h2-g1 b2-c1 g1-h2", 10,
                 "ending");
    check_ending("pool:repeat=0", "W:WK32,K31,K30:BK1", "32-28 1-5 28-32 5-1", 26, "ending");
    check_ending("spanish:repeat=0", "W:WK2,K3,K4:BK32", "4-8 32-28 8-4 28-32", 24, "ending");
}

/* On every instruction set, a playout matches the plain loop over moves and outcome. */
static void test_playouts(void **state)
{
    (void)state;
    static const char *const names[] = {"english", "english:quiet=20,repeat=2", "russian", "thai"};
    for (size_t v = 0; v < sizeof names / sizeof names[0]; v++) {
        ply_rules rules;
        test_make_rules(&rules, "checkers", names[v]);
        for (uint64_t g = 0; g < (test_is_long() ? 3000 : 300); g++) {
            ply_state s;
            test_make_state(&s, &rules, NULL);
            ply_rng rng = ply_rng_make(21, g);
            ply_outcome end;
            while ((end = ply_state_outcome(&s)).result == PLY_ONGOING && s.plies < 500) {
                size_t count = checkers_count(&rules, s.position);
                size_t k = ply_rng_below(&rng, (uint32_t)count);
                ply_state_play(&s, checkers_nth(&rules, s.position, k));
            }
            for (int level = 1; level <= ply_isa_best(); level++) {
                checkers_position p;
                ply_outcome outcome;
                ply_rng again = ply_rng_make(21, g);
                checkers_start(&rules, &p);
                size_t plies = v < 2 ? PLY_ISA_AT(checkers_english_of, level)
                                           ->playout(&rules, &p, &again, 500, &outcome)
                                     : checkers_playout(&rules, &p, &again, 500, &outcome);
                assert_int_equal(plies, s.plies);
                assert_int_equal(outcome.result, end.result);
                if (end.reason)
                    assert_string_equal(outcome.reason, end.reason);
                assert_memory_equal(&p, s.position, sizeof p);
            }
            ply_state_free(&s);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_masks),
        cmocka_unit_test(test_squares),
        cmocka_unit_test(test_start),
        cmocka_unit_test(test_rules_of_capture),
        cmocka_unit_test(test_italian_order),
        cmocka_unit_test(test_spanish_quality),
        cmocka_unit_test(test_ambiguous),
        cmocka_unit_test(test_ends),
        cmocka_unit_test(test_forty_moves),
        cmocka_unit_test(test_endings),
        cmocka_unit_test(test_playouts),
        cmocka_unit_test(test_captures_in_a_circle),
        cmocka_unit_test(test_paths_of_one_move),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
