/* SPDX-License-Identifier: MIT */
/*
 * test_promising_turns.c - the turns that the engine gets to see, and how it plays with them.
 *
 * Every selected turn must be legal by the plain rules of naive.h, none may be selected twice, and
 * a selection that claims to be complete must be as long as the list of all turns.
 */
#include "support/support.h"
/* after cmocka */
#include "naive.inc"

#include "games/fived/turns/turn_query.h"
#include <time.h>

typedef struct picked {
    ply_state *state;
    uint64_t hashes[512];
    size_t count, polls, stop_after;
    bool noisy;
} picked;

static bool polled(void *context)
{
    picked *p = context;
    p->polls++;
    return p->stop_after && p->polls > p->stop_after;
}

/* Checks the turn by the plain rules, playing it and taking it back. */
static bool visit(void *context, const ply_move *moves, size_t count, int32_t score)
{
    picked *p = context;
    const ply_rules *rules = p->state->rules;
    fived_position *position = p->state->position;
    ply_move *legal = malloc(NAIVE_MOVES * sizeof *legal);
    uint64_t hash = 0;
    bool noise = false;
    (void)score;
    assert_true(count >= 1 && moves[count - 1] == FIVED_SUBMIT);
    for (size_t i = 0; i < count; i++) {
        hash = ply_mix64(hash + moves[i]);
        noise |= fived_is_noisy(rules, position, moves[i]);
        if (moves[i] == FIVED_SUBMIT) {
            assert_int_equal(i, count - 1);
            assert_int_equal(fived_position_present(position) & 1, !position->side);
            assert_false(naive_can_capture_royal(rules, position, !position->side));
        } else {
            size_t known = naive_moves(rules, position, position->side, legal), k = 0;
            while (k < known && legal[k] != moves[i])
                k++;
            assert_true(k < known);
        }
        assert_int_equal(ply_state_play(p->state, moves[i]), PLY_OK);
    }
    for (size_t i = 0; i < count; i++)
        ply_state_undo(p->state);
    if (p->noisy)
        assert_true(noise);
    for (size_t i = 0; i < p->count; i++)
        assert_true(p->hashes[i] != hash);
    p->hashes[p->count++] = hash;
    free(legal);
    return true;
}

static void check_selection(ply_state *state, size_t *turns)
{
    const ply_rules *rules = state->rules;
    fived_turn_query q;
    bool over = rules->game->outcome(rules, state->position, NULL, 0).result != PLY_ONGOING;
    enum { ALL, NOISY, ANY, KINDS };
    for (int kind = 0; kind < KINDS; kind++) {
        picked p = {.state = state, .noisy = kind == NOISY};
        ply_turn_request request = {.most = kind == ANY     ? 1
                                            : kind == NOISY ? 8
                                                            : 60,
                                    .noisy = kind == NOISY,
                                    .stopped = polled,
                                    .visit = visit,
                                    .context = &p};
        bool complete;
        assert_int_equal(fived_promising_turns(rules, state->position, &request, &complete),
                         PLY_OK);
        assert_true(p.count <= request.most);
        if (kind == ALL || kind == ANY)
            assert_int_equal(p.count == 0, over);
        if (complete)
            assert_int_equal(p.count, fived_perft(rules, state->position, 1, 0));
        *turns += p.count;
        /* Interrupted at once, it emits what it has and leaves everything as it was. */
        picked interrupted = {.state = state, .noisy = kind == NOISY, .stop_after = 1};
        request.context = &interrupted;
        assert_int_equal(fived_promising_turns(rules, state->position, &request, &complete),
                         PLY_OK);
        assert_true(interrupted.count <= p.count + 1);
    }
    fived_turn_query_init(&q);
    assert_int_equal(fived_turn_query_prepare(&q, rules, state->position), PLY_OK);
    assert_int_equal(fived_in_check(rules, state->position), fived_turn_query_in_check(&q));
    fived_turn_query_free(&q);
}

static void test_turns_are_legal(void **unused)
{
    (void)unused;
    size_t turns = 0;
    for (size_t v = 0; v < FIVED_VARIANTS; v += test_is_long() ? 1 : 3) {
        ply_rules rules;
        ply_state state;
        test_make_rules(&rules, "5dchess", fived_variants[v].id);
        test_make_state(&state, &rules, NULL);
        for (uint64_t g = 0; g < (test_is_long() ? 5 : 1); g++) {
            ply_rng rng = ply_rng_make(7, g);
            assert_int_equal(ply_state_restart(&state), PLY_OK);
            for (int ply = 0; ply < 60; ply++) {
                size_t count = rules.game->count(&rules, state.position);
                if (ply % 4 == 0 || count == 0)
                    check_selection(&state, &turns);
                if (count == 0)
                    break;
                ply_move move =
                    rules.game->nth(&rules, state.position, ply_rng_below(&rng, (uint32_t)count));
                assert_int_equal(ply_state_play(&state, move), PLY_OK);
            }
        }
        ply_state_free(&state);
    }
    assert_true(turns > 2000);
}

/* --- the search over turns ------------------------------------------------------------------ */
static ply_search_report search_with(ply_searcher *searcher, const ply_state *state,
                                     ply_search_limits limits)
{
    ply_search_report report;
    assert_int_equal(ply_searcher_run(searcher, state, &limits, NULL, NULL, &report), PLY_OK);
    assert_true(report.pv_count >= 1 && report.pv[0].length >= 1);
    return report;
}

/* A forced mate is found, reported as such, and played to the end move by move. */
static void test_mate_is_played(void **unused)
{
    (void)unused;
    /* Two rooks against a king in the corner. */
    static const char boards[] = "[k4/4R/5/3R1/4K:0:2:w]";
    ply_rules rules;
    ply_state state;
    test_make_rules(&rules, "5dchess", "small");
    test_make_state(&state, &rules, boards);
    ply_search_options options = {.kind = PLY_SEARCH_ALPHABETA};
    ply_searcher *searcher = ply_searcher_new(&rules, &options);
    assert_non_null(searcher);
    int turns = 0;
    while (ply_state_outcome(&state).result == PLY_ONGOING && turns < 12) {
        int side = rules.game->side(&rules, state.position);
        ply_search_report report = search_with(searcher, &state, (ply_search_limits){.depth = 3});
        if (side == 0)
            assert_true(report.pv[0].score > PLY_SCORE_FORCED);
        assert_int_equal(ply_state_play(&state, report.pv[0].moves[0]), PLY_OK);
        turns += rules.game->side(&rules, state.position) != side;
    }
    assert_int_equal(ply_state_outcome(&state).result, PLY_FIRST_WINS);
    ply_searcher_free(searcher);
    ply_state_free(&state);
}

/* Deep in random games, with many timelines: it stops in time and plays legal moves. */
static void test_stops_in_time(void **unused)
{
    (void)unused;
    static const char *const variants[] = {"standard", "misc-king-of-kings", "simple-no-rooks"};
    double worst = 0;
    for (size_t v = 0; v < 3; v++) {
        ply_rules rules;
        ply_state state;
        test_make_rules(&rules, "5dchess", variants[v]);
        test_make_state(&state, &rules, NULL);
        ply_rng rng = ply_rng_make(3, v);
        ply_search_options options = {.kind = PLY_SEARCH_ALPHABETA};
        ply_searcher *searcher = ply_searcher_new(&rules, &options);
        for (int round = 0; round < 4; round++) {
            ply_outcome outcome;
            rules.counting->playout(&rules, state.position, &rng, 45, &outcome);
            if (outcome.result != PLY_ONGOING ||
                rules.game->outcome(&rules, state.position, NULL, 0).result != PLY_ONGOING)
                break;
            /* The best of a few tries: a machine may pause once, a search that is late is always. */
            double overrun = 1e9;
            ply_search_report report;
            for (int try = 0; try < 20 && overrun > 0.03; try++) {
                double start = test_cpu_seconds();
                report = search_with(searcher, &state, (ply_search_limits){.millis = 30});
                double late = test_cpu_seconds() - start - 0.03;
                overrun = late < overrun ? late : overrun;
            }
            worst = overrun > worst ? overrun : worst;
            ply_move *moves = malloc(rules.max_moves * sizeof *moves);
            size_t count = rules.game->moves(&rules, state.position, moves), k = 0;
            while (k < count && moves[k] != report.pv[0].moves[0])
                k++;
            assert_true(k < count);
            free(moves);
        }
        ply_searcher_free(searcher);
        ply_state_free(&state);
    }
    print_message("at most %.1f ms late\n", worst * 1e3);
    assert_true(worst < 0.03);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_turns_are_legal),
        cmocka_unit_test(test_mate_is_played),
        cmocka_unit_test(test_stops_in_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
