/* SPDX-License-Identifier: MIT */
/*
 * test_futile.c - lengths without futile interpositions, against brute force by the plain rules.
 */
#include "games/shogi/rules/attacks.h"
#include "games/shogi/shogi.h"
#include "solve_support.h"

typedef struct prober {
    const ply_rules *rules;
    const ply_goal *goal;
    unsigned over, mates, open; /* what is_over was compared on */
} prober;

/*
 * Whether all answers of the player to move, who is in check, are drops that the piece which checks
 * can take with check so that the same holds again. As the words say it, drop by drop.
 */
static bool brute_over(const prober *b, const shogi_position *p)
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
                !b->goal->allows(b->rules, &dropped, answers[k]))
                continue;
            shogi_position taken = dropped;
            assert_int_equal(game->play(b->rules, &taken, answers[k], &undo), PLY_OK);
            futile = brute_over(b, &taken);
        }
        if (!futile)
            return false;
    }
    return true;
}

/* The least counted length of a win, at most `plies`; -1 if there is none. */
static int brute_counted(prober *b, const shogi_position *p, int attacker, int plies)
{
    const ply_game *game = b->rules->game;
    ply_move moves[SHOGI_MAX_MOVES];
    size_t count = game->moves(b->rules, p, moves);
    bool attacks = p->side == attacker;
    if (!attacks) {
        bool over = brute_over(b, p);
        if (over != b->goal->is_over(b->rules, p)) {
            char text[200];
            ply_text name = ply_text_fixed(text, sizeof text);
            game->format(b->rules, p, &name);
            fail_msg("%s: over by the words %d", text, over);
        }
        b->open += !over;
        b->over += over && count > 0;
        b->mates += over && count == 0;
        if (over)
            return 0;
    }
    if (plies == 0)
        return -1;
    int best = -1;
    for (size_t i = 0; i < count; i++) {
        shogi_position next = *p;
        shogi_undo_info undo;
        if (attacks && !b->goal->allows(b->rules, &next, moves[i]))
            continue;
        assert_int_equal(game->play(b->rules, &next, moves[i], &undo), PLY_OK);
        int length = brute_counted(b, &next, attacker, plies - 1);
        if (!attacks && length < 0)
            return -1;
        if (length >= 0 && (best < 0 || (attacks ? length + 1 < best : length + 1 > best)))
            best = length + 1;
        if (attacks && best == 1)
            break;
    }
    return best;
}

/* The proof is checked, and says the length with every ply. */
static void check_win(ply_solver *solver, const ply_rules *rules, const ply_solve_report *report,
                      const char *text)
{
    memory_file file = {0};
    ply_proof_summary summary;
    ply_error error = {0};
    assert_int_equal(ply_solver_prove(solver, memory_sink, &file), PLY_OK);
    if (memory_check(rules->game, &file, 0, &summary, NULL, &error) != PLY_OK)
        fail_msg("%s: the proof is refused: %s", text, error.message);
    assert_int_equal(summary.verdict, PLY_VERDICT_WIN);
    if (summary.plies > report->plies || report->plies < report->counted)
        fail_msg("%s: counted %u, plies %u, proved %u", text, report->counted, report->plies,
                 summary.plies);
    free(file.bytes);
}

static void random_problems(void **unused)
{
    (void)unused;
    ply_rules rules;
    ply_state state;
    const ply_goal *goal = make_mates(&rules, &state);
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
        ply_solve_limits limits = {.nodes = 20000, .shortest = true, .counted = true};
        ply_solve_report report, plain;
        assert_int_equal(ply_solver_run(solver, p, &limits, NULL, NULL, &report), PLY_OK);
        int length = brute_counted(&b, p, p->side, 3);
        if (report.verdict == PLY_VERDICT_UNKNOWN)
            continue;
        bool win = report.verdict == PLY_VERDICT_WIN;
        if (length >= 0 ? !win || (report.shortest && (int)report.counted != length) ||
                              (int)report.counted < length
                        : win && report.counted <= 3)
            fail_msg("%s: brute force %d, the solver %d, %u", text, length, (int)report.verdict,
                     report.counted);
        if (win) {
            assert_true(report.shortest ? report.pv_length == report.counted
                                        : report.pv_length <= report.counted);
            check_win(solver, &rules, &report, text);
        }
        /* The same verdict either way, and never a longer one without futile answers. */
        limits.counted = false;
        assert_int_equal(ply_solver_run(solver, p, &limits, NULL, NULL, &plain), PLY_OK);
        if (plain.verdict == PLY_VERDICT_UNKNOWN)
            continue;
        assert_int_equal(plain.verdict, report.verdict);
        assert_int_equal(plain.counted, plain.plies);
        if (win && report.shortest && plain.shortest)
            assert_true(report.counted <= plain.plies && plain.plies <= report.plies);
        wins += win;
        shorter += win && report.counted < plain.plies;
    }
    assert_true(wins > count / 20 && shorter > 0);
    assert_true(b.over > 20 && b.mates > 20 && b.open > 1000);
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
