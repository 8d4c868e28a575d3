/* SPDX-License-Identifier: MIT */
/*
 * test_bounded.c - batches with a bound on boards: a game is cut off exactly where the public
 * functions say that its multiverse is too large, and is otherwise the game without the bound. A
 * bound on effort: legal moves are marked as without it, or the query gives up.
 */
#include "games/fived/learn/bounded.h"
#include "support/support.h"
#include <plyverse/batch.h>
#include <plyverse/fived.h>
#include <stdlib.h>

enum { GAMES = 12, SHOWN = 7 }; /* timelines -7 to 7 are shown */

static bool is_within(const ply_state *state, size_t bound)
{
    fived_overview o = fived_position_overview(state->rules, state->position);
    size_t boards = 0;
    for (int l = o.lo; l <= o.hi; l++) {
        int first, last;
        assert_true(fived_timeline_boards(state->rules, state->position, l, &first, &last));
        boards += (size_t)(last - first + 1);
    }
    return boards <= bound && o.lo >= -SHOWN && o.hi <= SHOWN;
}

static void check_bound(const char *variant, size_t bound)
{
    ply_rules rules;
    ply_error error;
    ply_batch *bounded, *free_batch;
    test_make_rules(&rules, "5dchess", variant);
    ply_batch_options o = {
        .games = GAMES, .seed = 9, .reset = PLY_BATCH_RESET_NEVER, .max_plies = 150};
    assert_int_equal(ply_batch_new(&free_batch, &rules, &o, &error), PLY_OK);
    o.max_boards = bound;
    assert_int_equal(ply_batch_new(&bounded, &rules, &o, &error), PLY_OK);
    const ply_batch_arrays *a = ply_batch_data(bounded), *b = ply_batch_data(free_batch);
    int32_t actions[GAMES];
    unsigned cut = 0;
    for (int step = 0; step < 60; step++) {
        ply_batch_sample(free_batch, actions);
        assert_int_equal(ply_batch_step(free_batch, actions), PLY_OK);
        assert_int_equal(ply_batch_step(bounded, actions), PLY_OK);
        for (size_t g = 0; g < GAMES; g++) {
            ply_state state;
            assert_int_equal(ply_batch_get(bounded, g, &state), PLY_OK);
            bool within = is_within(&state, bound);
            ply_state_free(&state);
            assert_int_equal(a->truncated[g],
                             !within || (a->plies[g] == b->plies[g] && b->truncated[g]));
            if (within && a->plies[g] == b->plies[g])
                assert_int_equal(a->legal_counts[g], b->legal_counts[g]);
            else
                assert_int_equal(a->legal_counts[g], 0);
            cut += !within;
        }
    }
    assert_true(cut > 0);
    ply_batch_free(bounded);
    ply_batch_free(free_batch);
}

static void test_bounds(void **state)
{
    (void)state;
    check_bound("very-small", 20);
    check_bound("small", 30);
    check_bound("standard", 40);
}

/* Marks the legal moves by BOUNDED and by MIXED; returns whether the former gave up. */
static bool marks_give_up(const ply_rules *rules, const fived_position *p, uint64_t effort)
{
    fived_turn_query bounded, mixed;
    fived_turn_query_init(&bounded);
    fived_turn_query_init(&mixed);
    assert_int_equal(fived_turn_query_prepare(&bounded, rules, p), PLY_OK);
    assert_int_equal(fived_turn_query_prepare(&mixed, rules, p), PLY_OK);
    bool done = fived_bounded_mark(&bounded, effort);
    bool found = fived_turn_query_mark_viable(&mixed);
    if (done) {
        assert_int_equal(bounded.reuse.marked, found);
        if (found)
            assert_memory_equal(bounded.marks.viable, mixed.marks.viable,
                                mixed.candidates.physical_count + mixed.candidates.jump_count);
    } else {
        assert_true(bounded.effort.total > effort);
    }
    fived_turn_query_free(&bounded);
    fived_turn_query_free(&mixed);
    return !done;
}

/* Random games, each position with a bound that many exceed and with one that few do. */
static void test_effort(void **state)
{
    (void)state;
    static const char *const variants[] = {"very-small", "small", "standard",
                                           "misc-timeline-strategos"};
    unsigned small = 0, large = 0, positions = 0;
    for (size_t v = 0; v < sizeof variants / sizeof variants[0]; v++)
        for (uint64_t game = 0; game < 4; game++) {
            ply_rules rules;
            ply_state s;
            ply_outcome outcome;
            test_make_rules(&rules, "5dchess", variants[v]);
            test_make_state(&s, &rules, NULL);
            ply_rng rng = ply_rng_make(5, game);
            for (int ply = 0; ply < 40; ply++) {
                small += marks_give_up(&rules, s.position, 8);
                large += marks_give_up(&rules, s.position, 5000);
                positions++;
                if (rules.counting->playout(&rules, s.position, &rng, 1, &outcome) == 0)
                    break;
            }
            ply_state_free(&s);
        }
    print_message("%u positions: %u and %u exceed the bounds\n", positions, small, large);
    assert_true(small > 20 && small < positions && large < small);
}

static void test_other_games_have_none(void **state)
{
    (void)state;
    ply_rules rules;
    ply_error error;
    ply_batch *batch;
    const ply_batch_options o = {.max_boards = 10};
    test_make_rules(&rules, "shogi", "");
    assert_int_equal(ply_batch_new(&batch, &rules, &o, &error), PLY_UNSUPPORTED);
    assert_string_equal(error.message, "shogi has no number of boards to bound");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_effort),
        cmocka_unit_test(test_other_games_have_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
