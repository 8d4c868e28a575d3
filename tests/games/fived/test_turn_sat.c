/* SPDX-License-Identifier: MIT */
/*
 * test_tangle.c - positions in which almost nothing is legal: clauses against trial of everything,
 * turns found by clauses against turns found without, and how much work it takes.
 */
#include "support/support.h"
/* after cmocka */
#include "naive.inc"

#include "games/fived/turns/sat_solver.h"
#include "games/fived/turns/turn_sat.h"

/* --- clauses --------------------------------------------------------------------------------- */
enum { VARIABLES = 9, CLAUSES = 60 };

typedef struct problem {
    fived_literal clause[CLAUSES][3];
    int count;
    uint32_t group[3];
} problem;

/* Whether some assignment that agrees with `assumed` satisfies all; by trying each. */
static bool by_trial(const problem *p, const fived_literal *assumed, size_t count)
{
    for (unsigned bits = 0; bits < 1u << VARIABLES; bits++) {
        bool good = true;
        for (size_t i = 0; i < count && good; i++)
            good = (bits >> (assumed[i] >> 1) & 1) != (assumed[i] & 1);
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

/* Clauses are added one by one; after each, questions with and without assumptions. */
static void test_clauses(void **unused)
{
    (void)unused;
    fived_clauses c;
    size_t yes = 0, no = 0;
    fived_clauses_init(&c);
    for (uint64_t round = 0; round < 200; round++) {
        ply_rng rng = ply_rng_make(11, round);
        problem p = {.count = 0, .group = {1, 4, 7}};
        fived_clauses_reset(&c);
        for (int v = 0; v < VARIABLES; v++)
            fived_clauses_variable(&c, true, ply_rng_below(&rng, 2), 0);
        fived_clauses_group(&c, p.group, 3);
        while (p.count < CLAUSES) {
            fived_literal *clause = p.clause[p.count++];
            for (int k = 0; k < 3; k++)
                clause[k] = ply_rng_below(&rng, 2 * VARIABLES);
            fived_clauses_add(&c, clause, 3);
            fived_literal assumed[2] = {ply_rng_below(&rng, 2 * VARIABLES),
                                        ply_rng_below(&rng, 2 * VARIABLES)};
            size_t count = ply_rng_below(&rng, 3);
            bool found = fived_clauses_solve(&c, assumed, count);
            assert_int_equal(found, by_trial(&p, assumed, count));
            yes += found;
            no += !found;
            for (int i = 0; i < p.count && found; i++) {
                bool good = false;
                for (int k = 0; k < 3; k++)
                    good |= c.value[p.clause[i][k]] > 0;
                assert_true(good);
            }
        }
    }
    fived_clauses_free(&c);
    assert_true(yes > 1000 && no > 1000);
}

/* Seven pigeons in six holes: no small proof is had by trial. */
static void test_pigeons(void **unused)
{
    (void)unused;
    enum { HOLES = 6 };
    fived_clauses c;
    fived_clauses_init(&c);
    fived_clauses_reset(&c);
    for (uint32_t i = 0; i < (HOLES + 1) * HOLES; i++)
        fived_clauses_variable(&c, true, true, 0);
    for (uint32_t hole = 0; hole < HOLES; hole++) {
        uint32_t in[HOLES + 1];
        for (uint32_t pigeon = 0; pigeon <= HOLES; pigeon++)
            in[pigeon] = pigeon * HOLES + hole;
        fived_clauses_group(&c, in, HOLES + 1);
    }
    for (uint32_t pigeon = 0; pigeon <= HOLES; pigeon++) {
        fived_literal somewhere[HOLES];
        for (uint32_t hole = 0; hole < HOLES; hole++)
            somewhere[hole] = fived_is(pigeon * HOLES + hole);
        fived_clauses_add(&c, somewhere, HOLES);
        assert_int_equal(fived_clauses_solve(&c, NULL, 0), pigeon < HOLES);
    }
    fived_clauses_free(&c);
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

/* Existence, single moves and counts: the same by the search alone and by clauses at every step. */
static void compare_methods(const ply_rules *rules, fived_position *p, ply_rng *rng, size_t *turns)
{
    fived_search plain, tangled;
    fived_search_init(&plain);
    fived_search_init(&tangled);
    plain.method = FIVED_PLAIN;
    tangled.method = FIVED_TANGLED;
    assert_int_equal(fived_search_prepare(&plain, rules, p), PLY_OK);
    assert_int_equal(fived_search_prepare(&tangled, rules, p), PLY_OK);
    for (int no_shift = 0; no_shift < 2; no_shift++)
        if (fived_search_exists(&plain, no_shift) != fived_search_exists(&tangled, no_shift))
            fail_at(rules, p, "existence");
    uint32_t count = plain.dead ? 0 : plain.inner_count + plain.jump_count;
    for (int i = 0; i < 12 && count > 0; i++) {
        uint32_t k = ply_rng_below(rng, count);
        bool jump = k >= plain.inner_count;
        uint32_t id = jump ? k - plain.inner_count : k;
        if (fived_search_viable(&plain, jump, id) != fived_search_viable(&tangled, jump, id))
            fail_at(rules, p, jump ? "jump" : "move within a board");
    }
    size_t legal = 0, again = 0;
    fived_search_each(&plain, false, count_some, &legal);
    if (legal < ENOUGH_TURNS) {
        fived_search_each(&tangled, false, count_some, &again);
        if (again != legal)
            fail_at(rules, p, "number of turns");
        *turns += legal;
    }
    fived_search_free(&plain);
    fived_search_free(&tangled);
}

/* A random game of a variant, with a look at every position. */
typedef void look(const ply_rules *rules, fived_position *p, ply_rng *rng, size_t *tally);

static void each_position(const char *variant, uint64_t game, int plies, look *look_at,
                          size_t *tally)
{
    ply_rules rules;
    ply_state state;
    test_make_rules(&rules, "5dchess", variant);
    test_make_state(&state, &rules, NULL);
    ply_rng rng = ply_rng_make(31, game);
    for (int ply = 0; ply < plies; ply++) {
        ply_outcome outcome;
        look_at(&rules, state.position, &rng, tally);
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
    fived_search s;
    fived_search_init(&s);
    s.method = FIVED_TANGLED;
    assert_int_equal(fived_search_prepare(&s, rules, p), PLY_OK);
    if (fived_search_count(&s, false) != turns || fived_search_count(&s, true) != distinct)
        fail_at(rules, p, "number of turns by the plain rules");
    fived_search_free(&s);
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

/* --- work ------------------------------------------------------------------------------------ */
/* All legal moves; fails when it takes more than about a tenth of a second's work. */
static void bounded_moves(const ply_rules *rules, fived_position *p, ply_rng *rng, size_t *worst)
{
    enum { ENOUGH = 400000 };
    fived_search s;
    (void)rng;
    fived_search_init(&s);
    assert_int_equal(fived_search_prepare(&s, rules, p), PLY_OK);
    fived_search_mark(&s);
    *worst = s.effort > *worst ? (size_t)s.effort : *worst;
    if (s.effort > ENOUGH)
        fail_at(rules, p, "too much work");
    fived_search_free(&s);
}

static void test_work_is_bounded(void **unused)
{
    (void)unused;
    size_t worst = 0;
    for (size_t v = 0; v < FIVED_VARIANTS; v += test_is_long() ? 1 : 4)
        for (uint64_t g = 0; g < (test_is_long() ? 10 : 1); g++)
            each_position(fived_variants[v].id, 1000 + g, 200, bounded_moves, &worst);
    print_message("at most %zu slots looked at for one list of moves\n", worst);
}

/* 47 plies into a random game: the search alone does not end in a minute. */
static void test_tangled_kings(void **unused)
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
    assert_true(worst > 3000); /* or it is no such position any more */
    ply_state_free(&state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clauses),       cmocka_unit_test(test_pigeons),
        cmocka_unit_test(test_methods_agree), cmocka_unit_test(test_naive_agrees),
        cmocka_unit_test(test_tangled_kings), cmocka_unit_test(test_work_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
