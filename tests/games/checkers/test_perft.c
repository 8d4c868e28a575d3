/* SPDX-License-Identifier: MIT */
/*
 * test_perft.c - published perft numbers, and the fast English code against the general generator.
 *
 * Sources: OEIS A133046 for English with every path counted; the rest from the test suites of
 * draughts programs and from forums, each reproduced by more than one program.
 */
#include "games/checkers/checkers.h"
#include "support/support.h"
#include <stdlib.h>
#include <string.h>

typedef struct perft_numbers {
    const char *variant;
    int mode;
    int first;          /* depth of the first number */
    int short_tier;     /* the largest depth of the short test tier */
    uint64_t nodes[14]; /* ends with 0 */
} perft_numbers;

static const perft_numbers published[] = {
    {"english",
     CHECKERS_COUNT_PATHS,
     1,
     11,
     {7, 49, 302, 1469, 7361, 36768, 179740, 845931, 3963680, 18391564, 85242128, 388623673,
      1766623630}},
    {"english",
     CHECKERS_COUNT_DISTINCT,
     1,
     11,
     {7, 49, 302, 1469, 7361, 36768, 179740, 845931, 3963680, 18391564, 85242128, 388617999,
      1766564893}},
    {"russian",
     CHECKERS_COUNT_PATHS,
     1,
     9,
     {7, 49, 302, 1469, 7482, 37986, 190146, 929905, 4570667, 22450628, 110961169}},
    {"russian", CHECKERS_COUNT_DISTINCT, 7, 9, {190146, 929899, 4570586, 22444032, 110917189}},
    {"brazilian",
     CHECKERS_COUNT_PATHS,
     1,
     9,
     {7, 49, 302, 1469, 7473, 37628, 187302, 907836, 4431847, 21566606, 105534946}},
    {"brazilian", CHECKERS_COUNT_DISTINCT, 7, 9, {187302, 907830, 4431766, 21560022, 105491257}},
    {"pool",
     CHECKERS_COUNT_PATHS,
     1,
     9,
     {7, 49, 302, 1469, 7482, 37986, 190146, 929902, 4570615, 22442551, 110877932}},
    {"pool", CHECKERS_COUNT_DISTINCT, 7, 9, {190146, 929896, 4570534, 22435955, 110833952}},
    {"italian",
     CHECKERS_COUNT_PATHS,
     1,
     9,
     {7, 49, 302, 1469, 7361, 36473, 177532, 828783, 3860875, 17761384, 81647058, 367917147}},
    {"italian", CHECKERS_COUNT_DISTINCT, 11, 10, {81647058, 367911475}},
    {"spanish",
     CHECKERS_COUNT_PATHS,
     1,
     9,
     {7, 49, 302, 1469, 7361, 36473, 177532, 828783, 3860866, 17743464, 81383200, 365734003}},
    {"spanish", CHECKERS_COUNT_DISTINCT, 11, 10, {81383200, 365728331}},
    {"czech",
     CHECKERS_COUNT_PATHS,
     1,
     9,
     {7, 49, 302, 1469, 7361, 36768, 179740, 845931, 3963671, 18368918, 84967210}},
    /* The published Thai numbers start from three rows of men; the game itself has two. */
    {"thai:rows=3",
     CHECKERS_COUNT_PATHS,
     1,
     9,
     {7, 49, 302, 1469, 7361, 36768, 179740, 845931, 3963648, 18363523, 84892793}},
};

static void test_published(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof published / sizeof published[0]; i++)
        for (int k = 0; published[i].nodes[k]; k++) {
            int depth = published[i].first + k;
            if (depth > published[i].short_tier && !test_is_long())
                break;
            uint64_t nodes =
                test_perft("checkers", published[i].variant, NULL, depth, published[i].mode);
            if (nodes != published[i].nodes[k])
                fail_msg("%s depth %d: %lu, not %lu", published[i].variant, depth,
                         (unsigned long)nodes, (unsigned long)published[i].nodes[k]);
        }
}

static int compare_moves(const void *a, const void *b)
{
    ply_move x = *(const ply_move *)a, y = *(const ply_move *)b;
    return (x > y) - (x < y);
}

/* A position with pieces on random squares. */
static void random_position(checkers_position *p, ply_rng *rng)
{
    int wanted[4];
    for (int i = 0; i < 4; i++)
        wanted[i] = (int)ply_rng_below(rng, 7);
    *p = (checkers_position){.turn = (uint8_t)ply_rng_below(rng, 2)};
    for (int i = 0; i < 4; i++)
        while (wanted[i]-- > 0) {
            uint64_t square = checkers_square((int)ply_rng_below(rng, 32));
            if (!(checkers_occupied(p) & square) &&
                (i % 2 == CHECKERS_KING || !(square & checkers_crown_row(i / 2))))
                p->board[i / 2][i % 2] |= square;
        }
    checkers_finish(p);
}

static uint64_t slow_perft(const ply_rules *rules, const checkers_position *p, int depth, int mode)
{
    ply_move moves[CHECKERS_MAX_MOVES];
    uint32_t times[CHECKERS_MAX_MOVES];
    size_t count = checkers_general_moves(rules, p, moves, times);
    uint64_t total = 0;
    for (size_t i = 0; i < count; i++) {
        checkers_position child = *p;
        checkers_apply(&child, moves[i]);
        uint64_t below = depth == 1 ? 1 : slow_perft(rules, &child, depth - 1, mode);
        total += mode == CHECKERS_COUNT_PATHS ? times[i] * below : below;
    }
    return total;
}

/* On every instruction set, the English code and the general generator find the same moves. */
static void test_english_is_general(void **state)
{
    (void)state;
    ply_rules rules;
    test_make_rules(&rules, "checkers", "english");
    int positions = test_is_long() ? 300000 : 30000;
    for (int i = 0; i < positions; i++) {
        ply_rng rng = ply_rng_make(11, (uint64_t)i);
        checkers_position p;
        random_position(&p, &rng);
        ply_move expected[CHECKERS_MAX_MOVES], found[CHECKERS_MAX_MOVES];
        size_t count = checkers_general_moves(&rules, &p, expected, NULL);
        qsort(expected, count, sizeof expected[0], compare_moves);
        for (int level = 1; level <= ply_isa_best(); level++) {
            const checkers_english *english = PLY_ISA_AT(checkers_english_of, level);
            const checkers_english_perft *fast = PLY_ISA_AT(checkers_english_perft_of, level);
            assert_int_equal(english->moves(&p, found), count);
            assert_int_equal(english->count(&p), count);
            for (size_t k = 0; k < count; k++)
                assert_true(english->nth(&p, k) == found[k]);
            qsort(found, count, sizeof found[0], compare_moves);
            assert_memory_equal(found, expected, count * sizeof found[0]);
            int depth = 1 + i % 3;
            if (count > 0 && i % 4 == 0)
                for (int mode = 0; mode < 2; mode++)
                    assert_true(fast->perft(&p, depth, mode) ==
                                slow_perft(&rules, &p, depth, mode));
        }
    }
}

/* Deeper, from the start and from endings with kings, so that batches fill up and are flushed. */
static void test_levels_agree(void **state)
{
    (void)state;
    static const char *const positions[] = {"B:W21-32:B1-12", "B:W6,7,8,14,15,16,22,23,24:BK2",
                                            "W:WK18,K19,K22,25,26:BK1,K2,K3,12,13",
                                            "B:WK29-32,K21-24:BK1-8"};
    ply_rules rules;
    ply_state s;
    test_make_rules(&rules, "checkers", "english");
    for (size_t i = 0; i < sizeof positions / sizeof positions[0]; i++) {
        test_make_state(&s, &rules, positions[i]);
        for (int mode = 0; mode < 2; mode++) {
            uint64_t expected = slow_perft(&rules, s.position, 5, mode);
            for (int level = 1; level <= ply_isa_best(); level++)
                assert_true(
                    PLY_ISA_AT(checkers_english_perft_of, level)->perft(s.position, 5, mode) ==
                    expected);
        }
        ply_state_free(&s);
    }
}

/* The general generator on every instruction set and in every rule set. */
static void test_general_levels_agree(void **state)
{
    (void)state;
    const ply_game *game = ply_game_find("checkers");
    for (size_t v = 0; v < game->variant_count; v++) {
        ply_rules rules;
        test_make_rules(&rules, "checkers", game->variants[v].id);
        for (uint64_t i = 0; i < 150; i++) {
            ply_rng rng = ply_rng_make(12, i);
            checkers_position p;
            random_position(&p, &rng);
            for (int mode = 0; mode < 2; mode++) {
                uint64_t expected = slow_perft(&rules, &p, 2, mode);
                for (int level = 1; level <= ply_isa_best(); level++) {
                    const checkers_general *general = PLY_ISA_AT(checkers_general_of, level);
                    assert_true(general->perft(&rules, &p, 2, mode) == expected);
                }
            }
        }
    }
}

/* A king can jump round four men in two directions: one move with two paths. */
static void test_multiplicity(void **state)
{
    (void)state;
    ply_rules rules;
    ply_state s;
    test_make_rules(&rules, "checkers", "english");
    test_make_state(&s, &rules, "B:W6,7,14,15:BK2");
    ply_move moves[CHECKERS_MAX_MOVES];
    assert_int_equal(checkers_moves(&rules, s.position, moves), 1);
    assert_int_equal(checkers_multiplicity(&rules, s.position, moves[0], CHECKERS_COUNT_PATHS), 2);
    assert_int_equal(checkers_multiplicity(&rules, s.position, moves[0], CHECKERS_COUNT_DISTINCT),
                     1);
    ply_state_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published),    cmocka_unit_test(test_english_is_general),
        cmocka_unit_test(test_levels_agree), cmocka_unit_test(test_general_levels_agree),
        cmocka_unit_test(test_multiplicity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
