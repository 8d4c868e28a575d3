/* SPDX-License-Identifier: MIT */
/*
 * test_futile.c - wins measured without futile defences, against brute force by the plain rules.
 */
#include "games/shogi/rules/attacks.h"
#include "games/shogi/shogi.h"
#include "solve_support.h"

typedef struct prober {
    const ply_rules *rules;
    const ply_goal *goal;
    unsigned futile, mates, open; /* positions on which only_futile_defences was compared */
} prober;

/*
 * Whether every move of the player in check is a drop that the checking piece can capture with
 * check such that the same holds again. A literal implementation, drop by drop.
 */
static bool brute_only_futile(const prober *b, const shogi_position *p)
{
    const ply_game *game = b->rules->game;
    shogi_set checkers =
        shogi_attackers(p, !p->side, shogi_king(p, p->side), p->colour[0] | p->colour[1]);
    ply_move moves[SHOGI_MAX_MOVES], answers[SHOGI_MAX_MOVES];
    size_t count = game->moves(b->rules, p, moves);
    for (size_t i = 0; i < count; i++) {
        if (!shogi_move_is_drop(moves[i]))
            return false;
        shogi_position dropped = *p;
        shogi_undo_info undo;
        assert_int_equal(game->play(b->rules, &dropped, moves[i], &undo), PLY_OK);
        size_t answer_count = game->moves(b->rules, &dropped, answers);
        bool futile = false;
        for (size_t k = 0; k < answer_count && !futile; k++) {
            if (shogi_move_is_drop(answers[k]) ||
                shogi_move_to(answers[k]) != shogi_move_to(moves[i]) ||
                checkers != set_of(shogi_move_from(answers[k])) ||
                !b->goal->allows(b->rules, &dropped, answers[k], NULL))
                continue;
            shogi_position taken = dropped;
            assert_int_equal(game->play(b->rules, &taken, answers[k], &undo), PLY_OK);
            futile = brute_only_futile(b, &taken);
        }
        if (!futile)
            return false;
    }
    return true;
}

/* The length of the shortest win without futile defences, at most `plies`; -1 if there is none. */
static int brute_length(prober *b, const shogi_position *p, int attacker, int plies)
{
    const ply_game *game = b->rules->game;
    ply_move moves[SHOGI_MAX_MOVES];
    size_t count = game->moves(b->rules, p, moves);
    bool attacks = p->side == attacker;
    if (!attacks) {
        bool futile = brute_only_futile(b, p);
        if (futile != b->goal->only_futile_defences(b->rules, p)) {
            char text[200];
            ply_text name = ply_text_fixed(text, sizeof text);
            game->format(b->rules, p, &name);
            fail_msg("%s: only futile defences by brute force: %d", text, futile);
        }
        b->open += !futile;
        b->futile += futile && count > 0;
        b->mates += futile && count == 0;
        if (futile)
            return 0;
    }
    if (plies == 0)
        return -1;
    int best = -1;
    for (size_t i = 0; i < count; i++) {
        shogi_position next = *p;
        shogi_undo_info undo;
        if (attacks && !b->goal->allows(b->rules, &next, moves[i], NULL))
            continue;
        assert_int_equal(game->play(b->rules, &next, moves[i], &undo), PLY_OK);
        int length = brute_length(b, &next, attacker, plies - 1);
        if (!attacks && length < 0)
            return -1;
        if (length >= 0 && (best < 0 || (attacks ? length + 1 < best : length + 1 > best)))
            best = length + 1;
        if (attacks && best == 1)
            break;
    }
    return best;
}

/* Checks the proof, whose length includes futile defences. */
static void check_win(ply_solver *solver, const ply_rules *rules, const ply_solve_report *report,
                      const char *text)
{
    memory_file file = {0};
    ply_proof_summary summary;
    ply_error error = {0};
    assert_int_equal(ply_solver_prove(solver, memory_sink, &file), PLY_OK);
    if (memory_check(rules->game, &file, 0, &summary, NULL, &error) != PLY_OK)
        fail_msg("%s: proof rejected: %s", text, error.message);
    assert_int_equal(summary.verdict, PLY_VERDICT_WIN);
    if (summary.plies > report->plies || report->plies < report->length)
        fail_msg("%s: length %u, plies %u, proved %u", text, report->length, report->plies,
                 summary.plies);
    free(file.bytes);
}

static void random_problems(void **unused)
{
    (void)unused;
    ply_rules rules;
    ply_state state;
    const ply_goal *goal = make_mate_goal(&rules, &state);
    ply_solver *solver = ply_solver_new(&rules, goal, NULL);
    assert_true(goal && solver);
    ply_rng rng = ply_rng_make(11, 0);
    prober b = {.rules = &rules, .goal = goal};
    unsigned shorter = 0, wins = 0, count = test_is_long() ? 1200 : 300;
    for (unsigned i = 0; i < count; i++) {
        random_mate_problem(&state, &rng, false);
        char text[200];
        ply_text name = ply_text_fixed(text, sizeof text);
        rules.game->format(&rules, state.position, &name);
        const shogi_position *p = state.position;
        ply_solve_limits limits = {.nodes = 20000, .shortest = true, .ignore_futile = true};
        ply_solve_report report, plain;
        assert_int_equal(ply_solver_run(solver, p, &limits, NULL, NULL, &report), PLY_OK);
        int length = brute_length(&b, p, p->side, 3);
        if (report.verdict == PLY_VERDICT_UNKNOWN)
            continue;
        bool win = report.verdict == PLY_VERDICT_WIN;
        if (length >= 0 ? !win || (report.shortest && (int)report.length != length) ||
                              (int)report.length < length
                        : win && report.length <= 3)
            fail_msg("%s: brute force %d, the solver %d, %u", text, length, (int)report.verdict,
                     report.length);
        if (win) {
            assert_true(report.shortest ? report.pv_length == report.length
                                        : report.pv_length <= report.length);
            check_win(solver, &rules, &report, text);
        }
        /* The verdict is the same, and ignoring futile defences never makes a win longer. */
        limits.ignore_futile = false;
        assert_int_equal(ply_solver_run(solver, p, &limits, NULL, NULL, &plain), PLY_OK);
        if (plain.verdict == PLY_VERDICT_UNKNOWN)
            continue;
        assert_int_equal(plain.verdict, report.verdict);
        assert_int_equal(plain.length, plain.plies);
        if (win && report.shortest && plain.shortest)
            assert_true(report.length <= plain.plies && plain.plies <= report.plies);
        wins += win;
        shorter += win && report.length < plain.plies;
    }
    assert_true(wins > count / 20 && shorter > 0);
    assert_true(b.futile > 20 && b.mates > 20 && b.open > 1000);
    ply_solver_free(solver);
    ply_state_free(&state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_problems),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
