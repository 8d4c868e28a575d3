/*
 * test_goals.c - mates that the solver finds against all turns tried one after the other.
 */
#include "games/fived/turns.h"
#include "support/support.h"
#include <plyverse/solve.h>
#include <stdlib.h>

/* A list of turns of one position; more than LIMIT are not tried. */
enum { LIMIT = 400, MOVES = 4000 };

typedef struct turn_list {
    ply_move moves[MOVES];
    size_t first[LIMIT + 1], turns, used;
    bool full;
} turn_list;

static bool keep(void *context, const ply_move *moves, size_t count)
{
    turn_list *list = context;
    if (list->turns >= LIMIT || list->used + count > MOVES) {
        list->full = true;
        return false;
    }
    for (size_t i = 0; i < count; i++)
        list->moves[list->used++] = moves[i];
    list->first[++list->turns] = list->used;
    return true;
}

enum answer { NO, YES, UNKNOWN };

/* Whether the player to move mates within so many turns, each giving check. */
static enum answer can_mate(ply_state *state, int turns);

/* Whether every turn of the defender's is answered by a mate; his position is a check. */
static enum answer is_mated(ply_state *state, int turns)
{
    const ply_rules *rules = state->rules;
    turn_list *list = calloc(1, sizeof *list);
    rules->game->turns(rules, state->position, 0, keep, list);
    enum answer answer = list->full ? UNKNOWN : YES;
    if (list->turns > 0 && turns == 0)
        answer = NO;
    for (size_t i = 0; i < list->turns && turns > 0 && answer != NO; i++) {
        for (size_t k = list->first[i]; k < list->first[i + 1]; k++)
            ply_state_play(state, list->moves[k]);
        enum answer below = can_mate(state, turns);
        answer = below == YES ? answer : below;
        for (size_t k = list->first[i]; k < list->first[i + 1]; k++)
            ply_state_undo(state);
    }
    free(list);
    return answer;
}

static enum answer can_mate(ply_state *state, int turns)
{
    const ply_rules *rules = state->rules;
    turn_list *list = calloc(1, sizeof *list);
    rules->game->turns(rules, state->position, 0, keep, list);
    enum answer answer = list->full ? UNKNOWN : NO;
    for (size_t i = 0; i < list->turns && answer != YES; i++) {
        for (size_t k = list->first[i]; k < list->first[i + 1]; k++)
            ply_state_play(state, list->moves[k]);
        if (fived_threatened(rules, state->position)) {
            enum answer below = is_mated(state, turns - 1);
            answer = below == NO ? answer : below;
        }
        for (size_t k = list->first[i]; k < list->first[i + 1]; k++)
            ply_state_undo(state);
    }
    free(list);
    return answer;
}

static void test_mates(void **unused)
{
    (void)unused;
    static const char *const variants[] = {"very-small-open", "focused-just-queens",
                                           "focused-just-rooks", "very-small"};
    size_t wins = 0, noes = 0, agreed = 0;
    for (size_t v = 0; v < (test_is_long() ? 4 : 2); v++) {
        ply_rules rules;
        ply_state state;
        test_make_rules(&rules, "5dchess", variants[v]);
        test_make_state(&state, &rules, NULL);
        ply_solve_options options = {.memory_mb = 32};
        ply_solver *solver = ply_solver_new(&rules, ply_goal_find(rules.game, "mate"), &options);
        assert_non_null(solver);
        for (uint64_t g = 0; g < (test_is_long() ? 40 : 2); g++) {
            ply_rng rng = ply_rng_make(17, g);
            assert_int_equal(ply_state_restart(&state), PLY_OK);
            for (int ply = 0; ply < 16; ply++) {
                size_t count = rules.game->count(&rules, state.position);
                if (count == 0)
                    break;
                ply_solve_report report;
                ply_solve_limits limits = {.nodes = 150};
                assert_int_equal(
                    ply_solver_run(solver, state.position, &limits, NULL, NULL, &report), PLY_OK);
                wins += report.verdict == PLY_VERDICT_WIN;
                noes += report.verdict == PLY_VERDICT_NO;
                enum answer one = can_mate(&state, 1);
                if (one == YES)
                    assert_true(report.verdict != PLY_VERDICT_NO);
                if (report.verdict == PLY_VERDICT_WIN && report.plies == 2)
                    assert_true(one != NO);
                if (report.verdict == PLY_VERDICT_WIN && report.plies == report.length) {
                    /* Its line is legal and ends with mate. */
                    size_t played = 0;
                    for (; played < report.length; played++)
                        assert_int_equal(ply_state_play(&state, report.line[played]), PLY_OK);
                    ply_outcome outcome = ply_state_outcome(&state);
                    assert_string_equal(outcome.reason, "checkmate");
                    while (played-- > 0)
                        ply_state_undo(&state);
                }
                agreed += one != UNKNOWN;
                ply_move move =
                    rules.game->nth(&rules, state.position, ply_rng_below(&rng, (uint32_t)count));
                assert_int_equal(ply_state_play(&state, move), PLY_OK);
            }
        }
        ply_solver_free(solver);
        ply_state_free(&state);
    }
    print_message("%zu wins, %zu noes, %zu compared\n", wins, noes, agreed);
    assert_true(wins > 3 && noes > 5 && agreed > 20);
}

/* Mates of one and of two turns, a move and a submit each; what is none. */
static void test_known_mates(void **unused)
{
    (void)unused;
    static const struct {
        const char *boards;
        ply_verdict verdict;
        uint32_t plies;
    } cases[] = {
        {"[6k1/5ppp/8/8/8/8/8/R5K1:0:1:w]", PLY_VERDICT_WIN, 2},
        {"[7k/5Q2/8/6K1/8/8/8/8:0:1:w]", PLY_VERDICT_WIN, 6},
        {"[7k/8/6K1/8/8/8/8/8:0:1:w]", PLY_VERDICT_NO, 0},
        {"[7k/8/6K1/6P1/8/8/8/8:0:1:w]", PLY_VERDICT_NO, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ply_rules rules;
        ply_state state;
        ply_solve_report report;
        test_make_rules(&rules, "5dchess", "");
        test_make_state(&state, &rules, cases[i].boards);
        ply_solve_options options = {.memory_mb = 32};
        ply_solve_limits limits = {.shortest = true, .nodes = 4000};
        ply_solver *solver = ply_solver_new(&rules, ply_goal_find(rules.game, "mate"), &options);
        assert_int_equal(ply_solver_run(solver, state.position, &limits, NULL, NULL, &report),
                         PLY_OK);
        print_message("case %zu: verdict %d in %u, %lu nodes\n", i, report.verdict, report.plies,
                      (unsigned long)report.nodes);
        assert_int_equal(report.verdict, cases[i].verdict);
        if (cases[i].plies) {
            assert_int_equal(report.plies, cases[i].plies);
            assert_int_equal(can_mate(&state, ((int)report.plies + 2) / 4), YES);
            assert_true(report.plies == 2 || can_mate(&state, ((int)report.plies - 2) / 4) == NO);
        }
        ply_solver_free(solver);
        ply_state_free(&state);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mates),
        cmocka_unit_test(test_known_mates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
