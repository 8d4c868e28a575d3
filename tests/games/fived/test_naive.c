/* SPDX-License-Identifier: MIT */
/* test_naive.c - the fast rules against the plain ones of naive.h, over random games. */
#include "support/support.h"
/* after cmocka */
#include "naive.inc"

#include "games/fived/turns/turn_query.h"

/* The candidates of the position, whether or not they begin a legal turn. */
static size_t candidate_list(const ply_rules *rules, const fived_position *p, ply_move *out)
{
    fived_turn_query q;
    size_t count = 0;
    fived_turn_query_init(&q);
    assert_int_equal(fived_turn_query_prepare(&q, rules, p), PLY_OK);
    for (uint32_t i = 0; !q.royal_lost && i < q.candidates.physical_count; i++)
        out[count++] = fived_physical_move(&q, i);
    for (uint32_t i = 0; !q.royal_lost && i < q.candidates.jump_count; i++)
        out[count++] = fived_jump_move(&q, i);
    fived_turn_query_free(&q);
    return count;
}

/*
 * The list of legal moves must be what the plain rules say: a move is legal if a legal turn begins
 * with it, that is if there is a legal turn after it.
 */
static void compare_moves_here(const ply_rules *rules, fived_position *p, size_t limit)
{
    ply_move *all = malloc(NAIVE_MOVES * sizeof *all), *ours = malloc(NAIVE_MOVES * sizeof *ours);
    size_t count = naive_moves(rules, p, p->side, all), legal = 0;
    bool complete = true;
    for (size_t i = 0; i < count && complete; i++) {
        fived_undo_info undo;
        uint64_t turns, distinct;
        assert_int_equal(fived_play(rules, p, all[i], &undo), PLY_OK);
        complete = naive_turns(rules, p, limit, &turns, &distinct);
        fived_undo(rules, p, all[i], &undo);
        legal += turns > 0;
    }
    legal +=
        (fived_position_present(p) & 1) != p->side && !naive_can_capture_royal(rules, p, !p->side);
    if (complete)
        assert_int_equal(fived_moves(rules, p, ours), legal);
    free(all);
    free(ours);
}

typedef struct tally {
    size_t positions, turns;
} tally;

static void compare_position(const ply_rules *rules, fived_position *p, size_t limit, tally *t)
{
    uint64_t turns, distinct;
    if (!naive_turns(rules, p, limit, &turns, &distinct))
        return;
    uint64_t ours = fived_perft(rules, p, 1, 0), results = fived_perft(rules, p, 1, 1);
    if (ours != turns || results != distinct) {
        ply_text text = ply_text_growing();
        fived_format(rules, p, &text);
        fail_msg("%s: plain %u turns, %u distinct; fast %u and %u", text.data, (unsigned)turns,
                 (unsigned)distinct, (unsigned)ours, (unsigned)results);
    }
    ply_outcome outcome = fived_outcome(rules, p, NULL, 0);
    assert_int_equal(outcome.result == PLY_ONGOING, turns > 0);
    t->positions++;
    t->turns += turns;
    if (turns < 60)
        compare_moves_here(rules, p, limit / 8);
}

enum { FIRST_PLIES = 6 }; /* of each variant, however slow the machine */

/* Compares positions of random games for some seconds of CPU time. */
static void compare_variant(const char *variant, double seconds, tally *t)
{
    ply_rules rules;
    ply_state state;
    test_make_rules(&rules, "5dchess", variant);
    test_make_state(&state, &rules, NULL);
    ply_move *moves = malloc(rules.max_moves * sizeof *moves);
    double end = test_cpu_seconds() + seconds;
    for (uint64_t g = 0; g == 0 || test_cpu_seconds() < end; g++) {
        ply_rng rng = ply_rng_make(77, g);
        assert_int_equal(ply_state_restart(&state), PLY_OK);
        for (int ply = 0; ply < 40; ply++) {
            if ((g > 0 || ply >= FIRST_PLIES) && test_cpu_seconds() >= end)
                break;
            compare_position(&rules, state.position, 3000, t);
            size_t count = rules.game->moves(&rules, state.position, moves);
            if (count == 0)
                break;
            assert_int_equal(ply_state_play(&state, moves[ply_rng_below(&rng, (uint32_t)count)]),
                             PLY_OK);
        }
    }
    free(moves);
    ply_state_free(&state);
}

static void test_turns_agree(void **unused)
{
    (void)unused;
    static const char *const variants[] = {
        "focused-just-kings",
        "very-small-open",
        "very-small",
        "focused-just-brawns",
        "focused-just-pawns",
        "focused-just-queens",
        "focused-just-dragons",
        "focused-just-unicorns",
        "focused-just-knights",
        "misc-timeline-fragments",
        "misc-timeline-tactitian",
        "misc-timeline-marauders",
        "misc-royal-queen-showdown",
        "small-centered",
        "small-centered:near-castle=on,new-line-ep=on,promotion=15",
        "focused-just-rooks:near-castle=a-side",
        "checkmate-practice-queen",
        "focused-just-brawns:promotion=9",
        "standard-reversed-royalty",
        "standard-princess"};
    tally t = {0, 0};
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++)
        compare_variant(variants[i], test_is_long() ? 10.0 : 0.5, &t);
    print_message("%zu positions, %zu turns\n", t.positions, t.turns);
    assert_true(t.positions > 100);
}

/* Every candidate is a move by the plain rules, and none is listed twice. */
static void test_candidates_are_moves(void **unused)
{
    (void)unused;
    ply_rules rules;
    ply_state state;
    ply_move *plain = malloc(NAIVE_MOVES * sizeof *plain),
             *ours = malloc(NAIVE_MOVES * sizeof *ours);
    static const char *const variants[] = {"standard", "misc-excessive", "misc-timeline-strategos"};
    for (size_t v = 0; v < 3; v++) {
        test_make_rules(&rules, "5dchess", variants[v]);
        test_make_state(&state, &rules, NULL);
        ply_rng rng = ply_rng_make(5, v);
        for (int ply = 0; ply < 40; ply++) {
            const fived_position *p = state.position;
            size_t count = naive_moves(&rules, p, p->side, plain);
            size_t listed = candidate_list(&rules, p, ours);
            qsort(plain, count, sizeof *plain, compare_words);
            qsort(ours, listed, sizeof *ours, compare_words);
            for (size_t i = 1; i < listed; i++)
                assert_true(ours[i] != ours[i - 1]);
            for (size_t i = 0; i < listed; i++)
                assert_non_null(bsearch(&ours[i], plain, count, sizeof *plain, compare_words));
            size_t legal = rules.game->count(&rules, p);
            if (legal == 0)
                break;
            ply_move move = rules.game->nth(&rules, p, ply_rng_below(&rng, (uint32_t)legal));
            assert_int_equal(ply_state_play(&state, move), PLY_OK);
        }
        ply_state_free(&state);
    }
    free(plain);
    free(ours);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_turns_agree),
        cmocka_unit_test(test_candidates_are_moves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
