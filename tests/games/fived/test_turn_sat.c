/* SPDX-License-Identifier: MIT */
/*
 * test_turn_sat.c - the SAT solver against brute force; legal turns by SAT against the backtracking
 * search and the plain rules; and a bound on the work that hard positions take.
 */
#include "support/support.h"
/* after cmocka */
#include "naive.inc"

#include "games/fived/turns/sat_solver.h"
#include "games/fived/turns/turn_sat.h"

/* --- the SAT solver ------------------------------------------------------------------------- */
enum { VARIABLES = 9, CLAUSES = 60 };

typedef struct problem {
    fived_literal clause[CLAUSES][3];
    int count;
    uint32_t group[3];
} problem;

/* Whether some assignment that agrees with the assumptions satisfies all clauses; tries each. */
static bool by_brute_force(const problem *p, const fived_literal *assumptions, size_t count)
{
    for (unsigned bits = 0; bits < 1u << VARIABLES; bits++) {
        bool good = true;
        for (size_t i = 0; i < count && good; i++)
            good = (bits >> (assumptions[i] >> 1) & 1) != (assumptions[i] & 1);
        for (int i = 0; i < p->count && good; i++) {
            good = false;
            for (int k = 0; k < 3; k++)
                good |= (bits >> (p->clause[i][k] >> 1) & 1) != (p->clause[i][k] & 1);
        }
        unsigned in_group = 0;
        for (int k = 0; k < 3; k++)
            in_group += bits >> p->group[k] & 1;
        if (good && in_group <= 1)
            return true;
    }
    return false;
}

/* Clauses are added one by one; after each, solves with and without assumptions. */
static void test_clauses(void **unused)
{
    (void)unused;
    fived_sat sat;
    size_t satisfiable = 0, unsatisfiable = 0;
    fived_sat_init(&sat);
    for (uint64_t round = 0; round < 200; round++) {
        ply_rng rng = ply_rng_make(11, round);
        problem p = {.count = 0, .group = {1, 4, 7}};
        fived_sat_reset(&sat);
        for (int v = 0; v < VARIABLES; v++)
            fived_sat_new_variable(&sat, true, ply_rng_below(&rng, 2), 0);
        fived_sat_at_most_one(&sat, p.group, 3);
        while (p.count < CLAUSES) {
            fived_literal *clause = p.clause[p.count++];
            for (int k = 0; k < 3; k++)
                clause[k] = ply_rng_below(&rng, 2 * VARIABLES);
            fived_sat_add_clause(&sat, clause, 3);
            fived_literal assumptions[2] = {ply_rng_below(&rng, 2 * VARIABLES),
                                            ply_rng_below(&rng, 2 * VARIABLES)};
            size_t count = ply_rng_below(&rng, 3);
            bool found = fived_sat_solve(&sat, assumptions, count);
            assert_int_equal(found, by_brute_force(&p, assumptions, count));
            satisfiable += found;
            unsatisfiable += !found;
            for (int i = 0; i < p.count && found; i++) {
                bool good = false;
                for (int k = 0; k < 3; k++)
                    good |= sat.value[p.clause[i][k]] > 0;
                assert_true(good);
            }
        }
    }
    fived_sat_free(&sat);
    assert_true(satisfiable > 1000 && unsatisfiable > 1000);
}

/* Seven pigeons in six holes. */
static void test_pigeons(void **unused)
{
    (void)unused;
    enum { HOLES = 6 };
    fived_sat sat;
    fived_sat_init(&sat);
    fived_sat_reset(&sat);
    for (uint32_t i = 0; i < (HOLES + 1) * HOLES; i++)
        fived_sat_new_variable(&sat, true, true, 0);
    for (uint32_t hole = 0; hole < HOLES; hole++) {
        uint32_t in[HOLES + 1];
        for (uint32_t pigeon = 0; pigeon <= HOLES; pigeon++)
            in[pigeon] = pigeon * HOLES + hole;
        fived_sat_at_most_one(&sat, in, HOLES + 1);
    }
    for (uint32_t pigeon = 0; pigeon <= HOLES; pigeon++) {
        fived_literal somewhere[HOLES];
        for (uint32_t hole = 0; hole < HOLES; hole++)
            somewhere[hole] = fived_positive(pigeon * HOLES + hole);
        fived_sat_add_clause(&sat, somewhere, HOLES);
        assert_int_equal(fived_sat_solve(&sat, NULL, 0), pigeon < HOLES);
    }
    fived_sat_free(&sat);
}

/* --- turns ----------------------------------------------------------------------------------- */
static void fail_at(const ply_rules *rules, const fived_position *p, const char *what)
{
    ply_text text = ply_text_growing();
    fived_format(rules, p, &text);
    fail_msg("%s: %s: %s", rules->variant->id, what, text.data);
}

enum { ENOUGH_TURNS = 200 };

static bool count_some(void *context, const ply_move *moves, size_t count)
{
    (void)moves;
    (void)count;
    return ++*(size_t *)context < ENOUGH_TURNS;
}

/* Existence, single moves and counts must be the same by search alone and by SAT at every step. */
static void compare_methods(const ply_rules *rules, fived_position *p, ply_rng *rng, size_t *turns)
{
    fived_turn_query search, sat;
    fived_turn_query_init(&search);
    fived_turn_query_init(&sat);
    search.effort.method = FIVED_METHOD_SEARCH;
    sat.effort.method = FIVED_METHOD_SAT;
    assert_int_equal(fived_turn_query_prepare(&search, rules, p), PLY_OK);
    assert_int_equal(fived_turn_query_prepare(&sat, rules, p), PLY_OK);
    for (int no_rewind = 0; no_rewind < 2; no_rewind++)
        if (fived_turn_query_exists(&search, no_rewind) != fived_turn_query_exists(&sat, no_rewind))
            fail_at(rules, p, "existence");
    uint32_t count =
        search.royal_lost ? 0 : search.candidates.physical_count + search.candidates.jump_count;
    for (int i = 0; i < 12 && count > 0; i++) {
        uint32_t k = ply_rng_below(rng, count);
        bool jump = k >= search.candidates.physical_count;
        uint32_t id = jump ? k - search.candidates.physical_count : k;
        if (fived_turn_query_is_viable(&search, jump, id) !=
            fived_turn_query_is_viable(&sat, jump, id))
            fail_at(rules, p, jump ? "jump" : "physical move");
    }
    size_t legal = 0, again = 0;
    fived_turn_query_each(&search, false, count_some, &legal);
    if (legal < ENOUGH_TURNS) {
        fived_turn_query_each(&sat, false, count_some, &again);
        if (again != legal)
            fail_at(rules, p, "number of turns");
        *turns += legal;
    }
    fived_turn_query_free(&search);
    fived_turn_query_free(&sat);
}

/* Plays a random game of a variant and calls `check` with every position. */
typedef void position_check(const ply_rules *rules, fived_position *p, ply_rng *rng, size_t *tally);

static void each_position(const char *variant, uint64_t game, int plies, position_check *check,
                          size_t *tally)
{
    ply_rules rules;
    ply_state state;
    test_make_rules(&rules, "5dchess", variant);
    test_make_state(&state, &rules, NULL);
    ply_rng rng = ply_rng_make(31, game);
    for (int ply = 0; ply < plies; ply++) {
        ply_outcome outcome;
        check(&rules, state.position, &rng, tally);
        if (rules.counting->playout(&rules, state.position, &rng, 1, &outcome) == 0)
            break;
    }
    ply_state_free(&state);
}

static void test_methods_agree(void **unused)
{
    (void)unused;
    size_t turns = 0;
    for (size_t v = 0; v < FIVED_VARIANTS; v++)
        for (uint64_t g = 0; g < (test_is_long() ? 20 : 2); g++)
            each_position(fived_variants[v].id, g, 24, compare_methods, &turns);
    assert_true(turns > 1000);
}

static void compare_with_naive(const ply_rules *rules, fived_position *p, ply_rng *rng,
                               size_t *tally)
{
    uint64_t turns, distinct;
    (void)rng;
    if (!naive_turns(rules, p, 500, &turns, &distinct))
        return;
    fived_turn_query q;
    fived_turn_query_init(&q);
    q.effort.method = FIVED_METHOD_SAT;
    assert_int_equal(fived_turn_query_prepare(&q, rules, p), PLY_OK);
    if (fived_turn_query_count(&q, false) != turns || fived_turn_query_count(&q, true) != distinct)
        fail_at(rules, p, "number of turns by the plain rules");
    fived_turn_query_free(&q);
    *tally += 1;
}

static void test_naive_agrees(void **unused)
{
    (void)unused;
    static const char *const variants[] = {"focused-just-kings",      "very-small-open",
                                           "focused-just-brawns",     "focused-just-dragons",
                                           "focused-just-queens",     "misc-timeline-fragments",
                                           "misc-timeline-marauders", "focused-just-knights"};
    size_t positions = 0;
    for (size_t v = 0; v < sizeof variants / sizeof variants[0]; v++)
        for (uint64_t g = 0; g < (test_is_long() ? 40 : 1); g++)
            each_position(variants[v], g, 30, compare_with_naive, &positions);
    assert_true(positions > 50);
}

/* --- work ----------------------------------------------------------------------------------- */
/* Lists all legal moves; fails if that takes more than about a tenth of a second's work. */
static void bounded_moves(const ply_rules *rules, fived_position *p, ply_rng *rng, size_t *worst)
{
    enum { ENOUGH = 400000 };
    fived_turn_query q;
    (void)rng;
    fived_turn_query_init(&q);
    assert_int_equal(fived_turn_query_prepare(&q, rules, p), PLY_OK);
    fived_turn_query_mark_viable(&q);
    *worst = q.effort.total > *worst ? (size_t)q.effort.total : *worst;
    if (q.effort.total > ENOUGH)
        fail_at(rules, p, "too much work");
    fived_turn_query_free(&q);
}

static void test_work_is_bounded(void **unused)
{
    (void)unused;
    size_t worst = 0;
    for (size_t v = 0; v < FIVED_VARIANTS; v += test_is_long() ? 1 : 4)
        for (uint64_t g = 0; g < (test_is_long() ? 10 : 1); g++)
            each_position(fived_variants[v].id, 1000 + g, 200, bounded_moves, &worst);
    print_message("at most %zu slots examined for one list of moves\n", worst);
}

/* 47 plies into a random game: the search alone does not finish in a minute. */
static void test_hard_position(void **unused)
{
    (void)unused;
    static const char boards[] =
        "[2k/K2/K*1k:-9:4:w] [K1k/K2/K*1k:-9:4:b] [K1k*/K1k/K*1k:-8:3:w] "
        "[2k*/K1k/K*1k:-8:3:b] [K1k*/K1k/K*1k:-7:3:w] [K1k*/2k/K*1k:-7:3:b] [K2/2k/3:-6:3:w] "
        "[K2/2k/K2:-6:3:b] [K1k/3/3:-5:5:w] [2k*/2k/K*1k:-4:3:w] [2k*/2k/2k:-4:3:b] "
        "[K1k*/K1k/2k:-3:3:w] [2k*/K1k/2k:-3:3:b] [3/K1k/2k:-3:4:w] [3/2k/2k:-3:4:b] "
        "[K1k*/3/K*1k:-2:2:w] [2k*/3/K*1k:-2:2:b] [2k*/3/K*2:-2:3:w] [2k*/3/3:-2:3:b] "
        "[3/3/3:-2:4:w] [K2/3/3:-2:4:b] [K2/2k/3:-2:5:w] [3/2k/3:-2:5:b] [2k*/K1k/3:-1:2:w] "
        "[K1k*/K1k/3:-1:2:b] [K1k*/K1k/2k:-1:3:w] [K1k*/2k/2k:-1:3:b] [K1k*/3/2k:-1:4:w] "
        "[2k*/3/2k:-1:4:b] [2k*/3/3:-1:5:w] [2k*/K2/3:-1:5:b] [2k*/3/K*2:0:1:w] "
        "[2k*/K2/3:0:1:b] [3/K1k/3:0:2:w] [3/2k/3:0:2:b] [3/3/3:0:3:w] [K2/3/3:0:3:b] "
        "[K2/2k/3:0:4:w] [3/2k/3:0:4:b] [K1k*/3/K*2:1:1:b] [K2/3/K*2:1:2:w] [K2/3/3:1:2:b] "
        "[K2/2k/3:1:3:w] [K2/2k/K2:1:3:b] [K2/3/K1k:1:4:w] [K2/3/2k:1:4:b] [K2/3/3:1:5:w] "
        "[K2/K2/3:1:5:b] [2k*/K2/K*2:2:1:b] [3/K2/K*2:2:2:w] [3/3/K*2:2:2:b] "
        "[3/3/K*1k:2:3:w] [3/K2/K*1k:2:3:b] [3/K2/K*2:2:4:w] [3/3/K*2:2:4:b] "
        "[2k*/K1k/K2:3:2:b] [2k*/K2/K2:3:3:w] [K1k*/K2/K2:3:3:b] [K2/K2/K2:3:4:w] "
        "[3/KK1/K2:3:4:b] [K1k*/K2/K*1k:4:2:b] [K2/K1k/K*1k:4:3:w] [3/K1k/K*1k:4:3:b] "
        "[3/K2/K*1k:4:4:w] [K1k*/K1k/K1k:5:3:b] [K1k*/K1k/K2:5:4:w] [K2/KK1/K2:6:4:b] "
        "[1K1/3/3:7:4:b] lines=0..0";
    ply_rules rules;
    ply_state state;
    size_t worst = 0;
    test_make_rules(&rules, "5dchess", "focused-just-kings");
    test_make_state(&state, &rules, boards);
    assert_int_equal(rules.game->count(&rules, state.position), 86);
    bounded_moves(&rules, state.position, NULL, &worst);
    assert_true(worst > 3000); /* otherwise it is no longer such a position */
    ply_state_free(&state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clauses),       cmocka_unit_test(test_pigeons),
        cmocka_unit_test(test_methods_agree), cmocka_unit_test(test_naive_agrees),
        cmocka_unit_test(test_hard_position), cmocka_unit_test(test_work_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
