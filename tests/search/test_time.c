/* SPDX-License-Identifier: MIT */
/*
 * test_time.c - time management on a simulated clock, and CPU time.
 *
 * The plan of a move is a function of the time elapsed, so whole games can be simulated: an
 * iteration takes so many times as long as the one before, and the best move and the score change
 * as scripted. Nothing here depends on the speed of the machine.
 */
#include "core/clock.h"
#include "search/time_control.h"
#include "support/support.h"
#include <string.h>

enum { NANOS_PER_MILLI = 1000000, GAME_MOVES = 60 };

/* How the iterations of one move go. */
typedef struct script {
    double first, growth; /* milliseconds of the first iteration; factor of the next */
    int change_until;     /* the best move changes with every iteration below this */
    int drop_at;          /* at this iteration the score drops by drop; 0: never */
    int32_t drop;
} script;

/* The milliseconds the move takes. */
static double simulate_move(const ply_search_limits *limits, const script *s)
{
    time_plan plan;
    double elapsed = 0, cost = s->first;
    ply_time_plan_make(&plan, limits, 0);
    double hard = (double)plan.hard_ns / NANOS_PER_MILLI;
    for (int i = 1; ply_time_plan_may_iterate(&plan, (uint64_t)(elapsed * NANOS_PER_MILLI)); i++) {
        if (elapsed + cost >= hard)
            return hard;
        elapsed += cost;
        cost *= s->growth;
        ply_time_plan_report(&plan, i < s->change_until ? (ply_move)(100 + i) : 1,
                             s->drop_at && i >= s->drop_at ? -s->drop : 0);
    }
    return elapsed;
}

static ply_search_limits clock_limits(uint64_t left, uint64_t increment, uint64_t byoyomi)
{
    return (ply_search_limits){
        .has_clock = true, .clock = {left, 0}, .increment = {increment, 0}, .byoyomi = byoyomi};
}

static const script calm = {.first = 0.01, .growth = 2.1};

/* Byoyomi is used up to the latency of delivering the move, whatever the iterations say. */
static void test_byoyomi_is_used(void **state)
{
    (void)state;
    for (uint64_t byoyomi = 100; byoyomi <= 60000; byoyomi = byoyomi * 3 / 2) {
        ply_search_limits limits = clock_limits(0, 0, byoyomi);
        double used = simulate_move(&limits, &calm);
        assert_true(used >= 0.92 * (double)byoyomi);
        assert_true(used >= 0.97 * (double)byoyomi || byoyomi < 1000);
        assert_true(used <= (double)byoyomi - 7);
        /* What is left of the main time is no reason to save it. */
        limits.clock[0] = byoyomi / 2;
        assert_true(simulate_move(&limits, &calm) > 1.4 * (double)byoyomi);
    }
    /* The shortest periods still leave a margin. */
    for (uint64_t byoyomi = 1; byoyomi < 100; byoyomi++) {
        ply_search_limits limits = clock_limits(0, 0, byoyomi);
        time_plan plan;
        ply_time_plan_make(&plan, &limits, 0);
        assert_true(plan.hard_ns > 0 && plan.hard_ns <= byoyomi * NANOS_PER_MILLI);
        assert_true(plan.hard_ns < byoyomi * NANOS_PER_MILLI || byoyomi < 3);
    }
}

/* Plays a game on the clock; returns the share of the time available that was used. */
static double simulate_game(double left, uint64_t increment, uint64_t byoyomi, const script *s)
{
    double start = left, used = 0;
    for (int move = 0; move < GAME_MOVES; move++) {
        ply_search_limits limits = clock_limits((uint64_t)left, increment, byoyomi);
        double millis = simulate_move(&limits, s);
        assert_true(millis < left + (double)byoyomi); /* never out of time */
        used += millis;
        left = (millis < left ? left - millis : 0) + (double)increment;
    }
    double available = start + GAME_MOVES * (double)(increment + byoyomi);
    return used / available;
}

static void test_games_on_the_clock(void **state)
{
    (void)state;
    static const struct {
        double left;
        uint64_t increment, byoyomi;
        double least; /* share of the time that is used at least */
    } controls[] = {
        {60000, 0, 0, 0.5},     {600000, 0, 0, 0.5},      {10000, 100, 0, 0.5},
        {180000, 2000, 0, 0.5}, {600000, 0, 30000, 0.55}, {900000, 0, 60000, 0.6},
        {0, 0, 1000, 0.97},     {5000, 0, 1000, 0.8},     {3000, 0, 100, 0.45},
        {300, 0, 0, 0.4},
    };
    static const script scripts[] = {
        {.first = 0.01, .growth = 2.1},
        {.first = 0.01, .growth = 1.4},
        {.first = 0.02, .growth = 3.3},
        {.first = 0.01, .growth = 1.9, .change_until = 100},
        {.first = 0.01, .growth = 1.9, .change_until = 100, .drop_at = 5, .drop = 900},
    };
    for (size_t c = 0; c < sizeof controls / sizeof controls[0]; c++)
        for (size_t i = 0; i < sizeof scripts / sizeof scripts[0]; i++) {
            double share = simulate_game(controls[c].left, controls[c].increment,
                                         controls[c].byoyomi, &scripts[i]);
            print_message("%.0f+%u byoyomi %u, script %zu: %.0f%% used\n", controls[c].left,
                          (unsigned)controls[c].increment, (unsigned)controls[c].byoyomi, i,
                          100 * share);
            assert_true(share <= 1);
            assert_true(share >= controls[c].least);
        }
}

/* An undecided or worsening move gets more time than a settled one. */
static void test_urgency(void **state)
{
    (void)state;
    ply_search_limits limits = clock_limits(600000, 0, 0);
    script settled = {.first = 0.01, .growth = 1.2}, restless = settled, sinking = settled;
    restless.change_until = 1000;
    sinking.drop_at = 20;
    sinking.drop = 60;
    double usual = simulate_move(&limits, &settled), longer = simulate_move(&limits, &restless);
    double longest = simulate_move(&limits, &sinking);
    assert_true(longer > 2 * usual);
    assert_true(usual < 600000.0 / 35 / 2);
    assert_true(longer < 600000.0 / 35 * 1.2);
    /* The drop comes at the 20th iteration: it extends a move only while it is fresh. */
    assert_true(longest >= usual);
    time_plan plan;
    ply_time_plan_make(&plan, &limits, 0);
    for (int i = 0; i < 10; i++)
        ply_time_plan_report(&plan, 1, 50);
    unsigned calm_urgency = plan.urgency;
    ply_time_plan_report(&plan, 1, 0);
    assert_true(plan.urgency > calm_urgency);
    ply_time_plan_report(&plan, 1, -2000000);
    assert_int_equal(plan.urgency, 2 * calm_urgency);
    /* Scores that alternate between odd and even depths are no drop. */
    for (int i = 0; i < 10; i++)
        ply_time_plan_report(&plan, 1, i & 1 ? 300 : -300);
    assert_int_equal(plan.urgency, calm_urgency);
}

static void test_moves_to_go(void **state)
{
    (void)state;
    for (unsigned moves = 1; moves <= 60; moves++) {
        double left = 60000;
        for (unsigned to_go = moves; to_go > 0; to_go--) {
            ply_search_limits limits = clock_limits((uint64_t)left, 0, 0);
            limits.moves_to_go = to_go;
            double used = simulate_move(&limits, &calm);
            assert_true(used < left);
            left -= used;
        }
    }
    ply_search_limits fixed = {.millis = 500};
    double used = simulate_move(&fixed, &calm);
    assert_true(used >= 495 && used <= 500);
}

/* --- the real search ------------------------------------------------------------------------- */
static void sleep_once(void *context, const ply_search_report *report)
{
    bool *slept = context;
    (void)report;
    if (!*slept)
        nanosleep(&(struct timespec){.tv_nsec = 60 * NANOS_PER_MILLI}, NULL);
    *slept = true;
}

/* Time in which the thread does not run costs nothing. */
static void test_cpu_time(void **state)
{
    (void)state;
    ply_rules rules;
    ply_state s;
    test_make_rules(&rules, "checkers", NULL);
    test_make_state(&s, &rules, NULL);
    for (int kind = PLY_SEARCH_ALPHABETA; kind <= PLY_SEARCH_MCTS; kind++) {
        ply_search_options options = {.kind = (ply_search_kind)kind, .memory_mb = 4};
        ply_search_report report;
        bool slept = false;
        ply_searcher *searcher = ply_searcher_new(&rules, &options);
        /* On a slow machine, the first limits pass before there is anything to report. */
        for (uint64_t millis = 30; !slept; millis *= 2) {
            ply_search_limits limits = {.millis = millis, .cpu_time = true};
            uint64_t before = ply_clock_read(CLOCK_THREAD_CPUTIME_ID);
            assert_int_equal(ply_searcher_run(searcher, &s, &limits, sleep_once, &slept, &report),
                             PLY_OK);
            double used = (double)(ply_clock_read(CLOCK_THREAD_CPUTIME_ID) - before) * 1e-9;
            assert_true(used >= (double)millis * 0.9e-3);
            assert_true(report.seconds <= used);
        }
        ply_searcher_free(searcher);
    }
    ply_state_free(&s);
}

/* A forced move takes no time: with ten minutes of byoyomi this test would not end otherwise. */
static void test_single_move_is_played_at_once(void **state)
{
    (void)state;
    ply_rules rules;
    ply_state s;
    test_make_rules(&rules, "checkers", NULL);
    test_make_state(&s, &rules, NULL);
    ply_rng rng = ply_rng_make(5, 0);
    ply_move moves[256];
    int tried = 0;
    for (int i = 0; tried < 5 && i < 2000; i++) {
        size_t count = ply_state_outcome(&s).result == PLY_ONGOING
                           ? rules.game->moves(&rules, s.position, moves)
                           : 0;
        if (count == 0) {
            assert_int_equal(ply_state_restart(&s), PLY_OK);
            continue;
        }
        if (count == 1) {
            ply_search_options options = {.memory_mb = 4};
            ply_search_limits limits = clock_limits(0, 0, 600000);
            ply_search_report report;
            ply_searcher *searcher = ply_searcher_new(&rules, &options);
            assert_int_equal(ply_searcher_run(searcher, &s, &limits, NULL, NULL, &report), PLY_OK);
            assert_true(report.pv[0].moves[0] == moves[0]);
            assert_true(report.depth <= 4);
            ply_searcher_free(searcher);
            tried++;
        }
        assert_int_equal(ply_state_play(&s, moves[ply_rng_below(&rng, (uint32_t)count)]), PLY_OK);
    }
    assert_int_equal(tried, 5);
    ply_state_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_byoyomi_is_used),
        cmocka_unit_test(test_games_on_the_clock),
        cmocka_unit_test(test_urgency),
        cmocka_unit_test(test_moves_to_go),
        cmocka_unit_test(test_cpu_time),
        cmocka_unit_test(test_single_move_is_played_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
