/* SPDX-License-Identifier: MIT */
/* test_board.c - the 6x6 board: bit operations, counts, kernels, outcomes, text. */
#include "games/neighbours/neighbours.h"
#include "support/support.h"
#include <string.h>

static uint64_t random_board(ply_rng *rng)
{
    uint64_t board = ply_rng_next(rng);
    if (ply_rng_below(rng, 2))
        board &= ply_rng_next(rng);
    return board & NEIGHBOURS_BOARD;
}

static void test_square_operations(void **state)
{
    (void)state;
    /* The examples of the design note. */
    assert_int_equal(neighbours_get(9, 3), 1);
    assert_int_equal(neighbours_get(9, 1), 0);
    assert_int_equal(neighbours_toggle(9, 0), 8);
    assert_int_equal(neighbours_move(9, 0, 2), 12);
    assert_true(neighbours_toggle(0, 35) == 0x800000000u);
}

/* Counting all squares at once, one square at a time and by coordinates gives the same. */
static void test_counts(void **state)
{
    (void)state;
    ply_rng rng = ply_rng_make(1, 0);
    for (int i = 0; i < 20000; i++) {
        uint64_t pieces = i == 0 ? NEIGHBOURS_BOARD : random_board(&rng);
        neighbours_slices n = neighbours_count_all(pieces);
        for (int square = 0; square < NEIGHBOURS_SQUARES; square++) {
            int expected = 0;
            for (int other = 0; other < NEIGHBOURS_SQUARES; other++) {
                int dx = other % 6 - square % 6, dy = other / 6 - square / 6;
                if (other != square && dx * dx <= 1 && dy * dy <= 1)
                    expected += neighbours_get(pieces, other);
            }
            int sliced = neighbours_get(n.ones, square) + 2 * neighbours_get(n.twos, square) +
                         4 * neighbours_get(n.fours, square) + 8 * neighbours_get(n.eights, square);
            assert_int_equal(sliced, expected);
            assert_int_equal(neighbours_count_at(pieces, square), expected);
        }
        assert_true(((n.ones | n.twos | n.fours | n.eights) & ~(uint64_t)NEIGHBOURS_BOARD) == 0);
    }
}

/* On every instruction set, the count equals the length of the move list. */
static void test_kernels_agree(void **state)
{
    (void)state;
    for (int rule = NEIGHBOURS_SLIDE; rule <= NEIGHBOURS_JUMP; rule++) {
        ply_rules rules;
        test_make_rules(&rules, "neighbours", rule == NEIGHBOURS_JUMP ? "jump" : "slide");
        ply_rng rng = ply_rng_make(2, (uint64_t)rule);
        enum { N = 1003 }; /* not a multiple of the number of lanes */
        static uint64_t current[N], next[N], expected[N + 1]; /* moves of the first n positions */
        for (size_t i = 0; i < N; i++) {
            neighbours_position p;
            size_t class_index = ply_rng_below(&rng, 49);
            uint64_t size = neighbours_class_size(&rules, class_index);
            assert_int_equal(neighbours_unrank(&rules, class_index, ply_rng_next(&rng) % size, &p),
                             PLY_OK);
            current[i] = p.current;
            next[i] = p.next;
            ply_move moves[NEIGHBOURS_MAX_MOVES];
            expected[i + 1] = expected[i] + neighbours_moves(&rules, &p, moves);
        }
        for (int level = 1; level <= ply_isa_best(); level++) {
            const neighbours_kernels *k = PLY_ISA_AT(neighbours_kernels_of, level);
            for (size_t n = 1; n <= N; n++)
                assert_true(k->count_many(current, next, n, rule) == expected[n]);
            for (size_t i = 0; i < N; i += 50)
                for (int depth = 1; depth <= 4; depth++)
                    assert_true(
                        k->perft(current[i], next[i], depth, rule) ==
                        neighbours_kernels_of_plain.perft(current[i], next[i], depth, rule));
        }
    }
}

static void test_outcomes(void **state)
{
    (void)state;
    ply_rules rules;
    ply_state s;
    test_make_rules(&rules, "neighbours", NULL);
    /* A piece without a neighbour cannot move. */
    test_make_state(&s, &rules, "6/6/6/6/6/w4b b");
    ply_outcome outcome = ply_state_outcome(&s);
    assert_int_equal(outcome.result, PLY_FIRST_WINS);
    assert_string_equal(outcome.reason, "no-move");
    ply_state_free(&s);
    test_make_state(&s, &rules, "6/6/6/6/6/ww4 b");
    outcome = ply_state_outcome(&s);
    assert_int_equal(outcome.result, PLY_FIRST_WINS);
    assert_string_equal(outcome.reason, "no-pieces");
    ply_state_free(&s);
    /* A capture takes the last enemy piece. */
    test_make_state(&s, &rules, "6/6/6/6/6/wb4 w");
    assert_int_equal(ply_state_play_text(&s, "a1b1", 4, NULL), PLY_OK);
    assert_int_equal(ply_state_outcome(&s).result, PLY_FIRST_WINS);
    ply_state_free(&s);
}

static void test_repetition(void **state)
{
    (void)state;
    ply_rules rules;
    ply_state s;
    test_make_rules(&rules, "neighbours", NULL);
    test_make_state(&s, &rules, NULL);
    /* a1a2, a6a5 and back: the start position recurs after 4 and 8 plies. */
    static const char *const shuffle[] = {"a1a2", "a6a5", "a2a1", "a5a6"};
    for (int ply = 0; ply < 8; ply++) {
        assert_int_equal(ply_state_outcome(&s).result, PLY_ONGOING);
        assert_int_equal(ply_state_play_text(&s, shuffle[ply % 4], 4, NULL), PLY_OK);
    }
    ply_outcome outcome = ply_state_outcome(&s);
    assert_int_equal(outcome.result, PLY_DRAW);
    assert_string_equal(outcome.reason, "repetition");
    ply_state_undo(&s);
    assert_int_equal(ply_state_outcome(&s).result, PLY_ONGOING);
    ply_state_free(&s);
}

static void test_text(void **state)
{
    (void)state;
    ply_rules rules;
    ply_state s;
    test_make_rules(&rules, "neighbours", NULL);
    test_bad_position(&rules, "", 1, "row 6 has 0 squares");
    test_bad_position(&rules, "bbbbbb/6/6/6/6/wwwwww", 22, "side to move");
    test_bad_position(&rules, "bbbbbb/6/6/6/6/wwwwww x", 23, "side to move");
    test_bad_position(&rules, "bbbbbb/6/6/6/6/wwwwww w w", 25, "more text");
    test_bad_position(&rules, "bbbbbbb/6/6/6/6/wwwwww w", 7, "expected '/'");
    test_bad_position(&rules, "bbbbb/6/6/6/6/wwwwww w", 6, "row 6 has 5 squares");
    test_bad_position(&rules, "bbbbbb/7/6/6/6/wwwwww w", 8, "number from 1 to 6 in row 5");
    test_bad_position(&rules, "bbbbbb/1w5/6/6/6/6 w", 10, "more than 6");
    test_bad_position(&rules, "bbbbbb/bbb3/6/6/6/wwwwww w", 1, "Black has 9 pieces");
    test_make_state(&s, &rules, "BBBBBB/6/6/6/6/WWWWWW W");
    ply_text out = ply_text_growing();
    neighbours_format(&rules, s.position, &out);
    assert_string_equal(out.data, "bbbbbb/6/6/6/6/wwwwww w");
    ply_text_free(&out);
    test_bad_move(&s, "a1", 3, "expected a square");
    test_bad_move(&s, "g1a1", 1, "expected a square");
    test_bad_move(&s, "a0a1", 2, "row from 1 to 6");
    test_bad_move(&s, "a1a2x", 5, "expected a square");
    test_bad_move(&s, "a3a4", 1, "White has no piece on a3");
    test_bad_move(&s, "a1a3", 1, "moves exactly 1");
    test_bad_move(&s, "b1d1", 1, "the path from b1 to d1 is blocked");
    test_bad_move(&s, "a1b1", 1, "White already has a piece on b1");
    test_bad_move(&s, "a1a2 zz", 6, "expected a square");
    assert_int_equal(ply_state_play_text(&s, "A1-a2, b6b4", 11, NULL), PLY_OK);
    assert_int_equal(s.plies, 2);
    ply_state_free(&s);
    test_make_state(&s, &rules, "b5/6/6/6/6/5w w");
    test_bad_move(&s, "f1f2", 1, "no neighbour");
    ply_state_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_square_operations), cmocka_unit_test(test_counts),
        cmocka_unit_test(test_kernels_agree),     cmocka_unit_test(test_outcomes),
        cmocka_unit_test(test_repetition),        cmocka_unit_test(test_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
