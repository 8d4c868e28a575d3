/* SPDX-License-Identifier: MIT */
/*
 * test_goals.c - the mate solver against brute force over all turns, and its proofs against the
 * checker, which knows only single moves.
 */
#include "games/fived/solve/mate_search.h"
#include "solve/solve_support.h"

/* The turns of one position, at most LIMIT of them. */
enum { LIMIT = 400, MOVES = 4000 };

typedef struct turn_list {
    ply_move moves[MOVES];
    size_t first[LIMIT + 1], turns, used;
    bool full;
} turn_list;

static bool add_turn(void *context, const ply_move *moves, size_t count)
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

/* Whether the player to move can mate within `turns` turns; checks: each must give check. */
static enum answer can_mate(ply_state *state, int turns, bool checks);

/* Whether every turn of the defender is answered by mate. */
static enum answer is_mated(ply_state *state, int turns, bool checks)
{
    const ply_rules *rules = state->rules;
    turn_list *list = calloc(1, sizeof *list);
    rules->counting->turns(rules, state->position, 0, add_turn, list);
    enum answer answer = list->full ? UNKNOWN : YES;
    if (list->turns > 0 ? turns == 0 : !fived_in_check(rules, state->position))
        answer = NO;
    for (size_t i = 0; i < list->turns && turns > 0 && answer != NO; i++) {
        for (size_t k = list->first[i]; k < list->first[i + 1]; k++)
            ply_state_play(state, list->moves[k]);
        enum answer below = can_mate(state, turns, checks);
        answer = below == YES ? answer : below;
        for (size_t k = list->first[i]; k < list->first[i + 1]; k++)
            ply_state_undo(state);
    }
    free(list);
    return answer;
}

static enum answer can_mate(ply_state *state, int turns, bool checks)
{
    const ply_rules *rules = state->rules;
    turn_list *list = calloc(1, sizeof *list);
    rules->counting->turns(rules, state->position, 0, add_turn, list);
    enum answer answer = list->full ? UNKNOWN : NO;
    for (size_t i = 0; i < list->turns && answer != YES; i++) {
        for (size_t k = list->first[i]; k < list->first[i + 1]; k++)
            ply_state_play(state, list->moves[k]);
        if (!checks || fived_in_check(rules, state->position)) {
            enum answer below = is_mated(state, turns - 1, checks);
            answer = below == NO ? answer : below;
        }
        for (size_t k = list->first[i]; k < list->first[i + 1]; k++)
            ply_state_undo(state);
    }
    free(list);
    return answer;
}

/* The verdict has a proof, and the checker accepts it. */
static void check_proof(const ply_rules *rules, ply_solver *solver, const ply_solve_report *report)
{
    memory_file file = {0};
    ply_proof_summary summary;
    ply_text text = ply_text_growing();
    ply_error error = {0};
    assert_int_equal(ply_solver_prove(solver, memory_sink, &file), PLY_OK);
    assert_int_equal(memory_check(rules->game, &file, 1000000, &summary, &text, &error), PLY_OK);
    assert_int_equal(summary.verdict, report->verdict);
    ply_text_free(&text);
    free(file.bytes);
}

/* The principal variation is legal, ends with mate, and has as many turns as the win. */
static void check_pv(ply_state *state, const ply_solve_report *report)
{
    uint32_t turns = 0;
    for (size_t i = 0; i < report->pv_length; i++) {
        assert_int_equal(ply_state_play(state, report->pv[i]), PLY_OK);
        turns += report->pv[i] == FIVED_SUBMIT;
    }
    assert_string_equal(ply_state_outcome(state).reason, "checkmate");
    assert_int_equal(turns, 2 * report->length - 1);
    for (size_t i = 0; i < report->pv_length; i++)
        ply_state_undo(state);
}

typedef struct tally {
    size_t wins[4], noes, compared, proofs;
} tally;

static void print_tally(const char *goal, const tally *t)
{
    print_message("%s: %zu in 1, %zu in 2, %zu longer, %zu noes, %zu compared, %zu proofs\n", goal,
                  t->wins[1], t->wins[2], t->wins[3], t->noes, t->compared, t->proofs);
}

/* Compares one position, using brute force for up to `most` turns. */
static void compare(ply_state *state, ply_solver *solver, bool checks, uint64_t nodes, int most,
                    tally *t)
{
    ply_solve_report report;
    ply_solve_limits limits = {.nodes = nodes, .shortest = true};
    assert_int_equal(ply_solver_run(solver, state->position, &limits, NULL, NULL, &report), PLY_OK);
    int found = report.verdict == PLY_VERDICT_WIN ? (int)report.length : 0;
    t->wins[found < 3 ? found : 3] += found > 0;
    t->noes += report.verdict == PLY_VERDICT_NO;
    for (int turns = 1; turns <= most; turns++) {
        enum answer truth = can_mate(state, turns, checks);
        t->compared += truth != UNKNOWN;
        if (truth == YES && report.verdict != PLY_VERDICT_UNKNOWN)
            assert_true(found > 0 && (!report.shortest || found <= turns));
        if (truth == NO)
            assert_true(found == 0 || found > turns);
        if (truth == YES)
            break;
    }
    if (report.verdict == PLY_VERDICT_UNKNOWN)
        assert_string_equal(report.stop_reason, "nodes");
    if (found > 0)
        check_pv(state, &report);
    if (report.verdict != PLY_VERDICT_UNKNOWN && found <= 2) {
        check_proof(state->rules, solver, &report);
        t->proofs++;
    }
}

/* Random games on small boards; each position is solved for both goals. */
static void test_random(void **unused)
{
    (void)unused;
    static const char *const variants[] = {
        "very-small-open", "focused-just-queens", "focused-just-rooks", "very-small",
        "small",           "focused-just-knights"};
    tally checks = {0}, all = {0};
    for (size_t v = 0; v < (test_is_long() ? 6 : 4); v++) {
        ply_rules rules;
        ply_state state;
        test_make_rules(&rules, "5dchess", variants[v]);
        test_make_state(&state, &rules, NULL);
        ply_solve_options options = {.memory_mb = 32};
        ply_solver *mate = ply_solver_new(&rules, ply_goal_find(rules.game, "mate"), &options);
        ply_solver *win = ply_solver_new(&rules, ply_goal_find(rules.game, "win"), &options);
        assert_true(mate && win);
        for (uint64_t g = 0; g < (test_is_long() ? 12 : 3); g++) {
            ply_rng rng = ply_rng_make(17, g);
            assert_int_equal(ply_state_restart(&state), PLY_OK);
            for (int ply = 0; ply < 20; ply++) {
                size_t count = rules.game->count(&rules, state.position);
                if (count == 0)
                    break;
                compare(&state, mate, true, 3000, test_is_long() && ply < 8 ? 2 : 1, &checks);
                compare(&state, win, false, 1000, 1, &all);
                ply_move move =
                    rules.game->nth(&rules, state.position, ply_rng_below(&rng, (uint32_t)count));
                assert_int_equal(ply_state_play(&state, move), PLY_OK);
            }
        }
        ply_solver_free(mate);
        ply_solver_free(win);
        ply_state_free(&state);
    }
    print_tally("mate", &checks);
    print_tally("win", &all);
    assert_true(checks.wins[1] > 3 && checks.wins[2] > 0 && checks.noes > 5);
    assert_true(checks.compared > 50 && all.wins[1] > 3 && all.compared > 50);
}

/* A few random pieces on one or two small boards. */
static void test_small_boards(void **unused)
{
    (void)unused;
    static const char kinds[] = "QRBNUDSPQR";
    tally checks = {0}, all = {0};
    ply_rules rules;
    ply_state state;
    test_make_rules(&rules, "5dchess", "");
    test_make_state(&state, &rules, NULL);
    ply_solve_options options = {.memory_mb = 32};
    ply_solver *mate = ply_solver_new(&rules, ply_goal_find(rules.game, "mate"), &options);
    ply_solver *win = ply_solver_new(&rules, ply_goal_find(rules.game, "win"), &options);
    ply_rng rng = ply_rng_make(23, 1);
    for (int round = 0; round < (test_is_long() ? 300 : 60); round++) {
        char board[4][4], text[128] = {0};
        unsigned boards = 1 + ply_rng_below(&rng, 2);
        size_t at = 0;
        for (unsigned b = 0; b < boards; b++) {
            memset(board, 0, sizeof board);
            unsigned pieces = 2 + ply_rng_below(&rng, 3);
            for (unsigned i = 0; i < pieces; i++) {
                unsigned square = ply_rng_below(&rng, 16);
                char piece = i == 0   ? 'k'
                             : i == 1 ? 'K'
                                      : kinds[ply_rng_below(&rng, sizeof kinds - 1)];
                if (i > 1 && ply_rng_below(&rng, 4) == 0)
                    piece = (char)(piece + 'a' - 'A');
                board[square / 4][square % 4] = piece;
            }
            at += (size_t)snprintf(text + at, sizeof text - at, "%s[", b ? " " : "");
            for (int y = 0; y < 4; y++) {
                int gap = 0;
                if (y > 0)
                    text[at++] = '/';
                for (int x = 0; x < 4; x++) {
                    gap += !board[y][x];
                    if (gap && (board[y][x] || x == 3)) {
                        text[at++] = (char)('0' + gap);
                        gap = 0;
                    }
                    if (board[y][x])
                        text[at++] = board[y][x];
                }
            }
            at += (size_t)snprintf(text + at, sizeof text - at, ":%u:1:w]", b);
        }
        if (ply_state_parse(&state, text, strlen(text), NULL) != PLY_OK)
            continue;
        compare(&state, mate, true, 4000, 2, &checks);
        if (boards == 1)
            compare(&state, win, false, 4000, test_is_long() ? 2 : 1, &all);
    }
    ply_solver_free(mate);
    ply_solver_free(win);
    ply_state_free(&state);
    print_tally("mate", &checks);
    print_tally("win", &all);
    assert_true(checks.wins[1] > 3 && checks.wins[2] > 0 && checks.noes > 5);
}

/* Known mates in one, two and three turns, and positions without mate. */
static void test_known_mates(void **unused)
{
    (void)unused;
    static const struct {
        const char *boards;
        ply_verdict verdict;
        uint32_t turns;
    } cases[] = {
        {"[6k1/5ppp/8/8/8/8/8/R5K1:0:1:w]", PLY_VERDICT_WIN, 1},
        {"[7k/5Q2/8/6K1/8/8/8/8:0:1:w]", PLY_VERDICT_WIN, 2},
        {"[8/4Q3/8/2S5/8/4KS2/1k6/8:0:1:w]", PLY_VERDICT_WIN, 2},
        {"[4k/K4/D4/Sr3/5:0:1:w]", PLY_VERDICT_WIN, 3},
        {"[3B4/8/8/3p4/6n1/6N1/2U1k1K1/8:0:1:w]", PLY_VERDICT_WIN, 3},
        /* Two boards; the first and the third win need time travel. */
        {"[8/8/4kq2/2K5/8/Q7/8/8:-0:1:w] [5k2/5Q2/8/5q2/8/8/8/1K6:+0:1:w]", PLY_VERDICT_WIN, 2},
        {"[5k2/8/2q5/n4U2/8/3S3K/8/8:-0:1:w] [8/2Sn4/8/8/2K1Uq2/8/8/6k1:+0:1:w]", PLY_VERDICT_WIN,
         2},
        {"[6/6/k5/4D1/K3B1/b1B3:-0:1:w] [6/2B3/b2Dk1/6/6/2BK2:+0:1:w]", PLY_VERDICT_WIN, 3},
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
        ply_solve_limits limits = {.shortest = true, .nodes = 40000};
        ply_solver *solver = ply_solver_new(&rules, ply_goal_find(rules.game, "mate"), &options);
        assert_int_equal(ply_solver_run(solver, state.position, &limits, NULL, NULL, &report),
                         PLY_OK);
        print_message("case %zu: verdict %d in %u, %lu nodes\n", i, report.verdict, report.length,
                      (unsigned long)report.nodes);
        assert_int_equal(report.verdict, cases[i].verdict);
        assert_int_equal(report.length, cases[i].turns);
        if (cases[i].turns) {
            int turns = (int)cases[i].turns;
            bool small =
                !strchr(cases[i].boards, ' '); /* with two boards brute force sees too few turns */
            assert_true(report.shortest);
            if (small && turns < 3)
                assert_int_equal(can_mate(&state, turns, true), YES);
            if (turns > 1)
                assert_true(can_mate(&state, turns - 1, true) == NO || !small);
            check_pv(&state, &report);
        }
        check_proof(&rules, solver, &report);
        ply_solver_free(solver);
        ply_state_free(&state);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_small_boards),
        cmocka_unit_test(test_known_mates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
