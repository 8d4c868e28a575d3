/* SPDX-License-Identifier: MIT */
/*
 * game_scores.c - the analysis of a whole game; see report_queue.h.
 *
 * Positions are scored from the last to the first, so that the transposition table already knows
 * what follows. Each position is asked about in this order; the first answer counts:
 *
 *     the rules       the game is over
 *     tablebases      exact
 *     solvers         a forced win of the player to move: exact
 *     a search        two variations; the gap between them tells whether there was a choice
 */
#include "server/jobs/game_scores.h"
#include "core/clock.h"
#include "server/jobs/report.h"
#include <stdlib.h>
#include <string.h>

enum {
    GOAL_LIMIT = 4,
    BEST_MOVES = 12, /* of a best variation are kept */
    SOLVE_NODES = 20000,
    SOLVE_MILLIS = 400,
    SOLVE_MEMORY_MB = 16,
    REPLY_NODES = 10000, /* for each answer to a move that may keep a proven result */
    PROVE_MILLIS = 3000,
    GOOD_GLYPH = 1,
};

typedef struct scored_point {
    uint32_t node;
    bool known;     /* had a score and a best variation before */
    bool only_move; /* the best move is much better than all others */
    ply_move best;  /* the first move of the best variation; PLY_MOVE_NONE: unknown */
} scored_point;

typedef struct scoring {
    report_queue *queue;
    const report_request *wanted;
    ply_rules rules; /* a copy: the states must not depend on a game that may leave memory */
    ply_searcher *searcher;
    ply_solver *solvers[GOAL_LIMIT];
    size_t solver_count;
    scored_point *points;
    size_t count;
} scoring;

static int side_to_move(const ply_state *state)
{
    return state->rules->game->side(state->rules, state->position);
}

/* Says what is busy, so that it can be stopped. Returns whether to go on. */
static bool set_busy(report_queue *q, ply_searcher *searcher, ply_solver *solver)
{
    pthread_mutex_lock(&q->lock);
    q->searcher = searcher;
    q->solver = solver;
    bool go_on = !q->cancelled;
    pthread_mutex_unlock(&q->lock);
    return go_on;
}

static bool is_cancelled(report_queue *q)
{
    pthread_mutex_lock(&q->lock);
    bool cancelled = q->cancelled;
    pthread_mutex_unlock(&q->lock);
    return cancelled;
}

/* --- one position ----------------------------------------------------------------------------- */
/* What is known about a position: the score for player 0 and the best variation. */
typedef struct position_value {
    int32_t score, depth;
    ply_move moves[BEST_MOVES];
    size_t move_count;
    bool only_move;
} position_value;

static void set_variation(position_value *value, const ply_move *moves, size_t count)
{
    value->move_count = count < BEST_MOVES ? count : BEST_MOVES;
    memcpy(value->moves, moves, value->move_count * sizeof *moves);
}

/* A score for the player to move, as one for player 0. */
static int32_t for_first(const ply_state *state, int32_t score)
{
    return side_to_move(state) == 0 ? score : -score;
}

static bool from_rules(const ply_state *state, position_value *value)
{
    ply_outcome outcome = ply_state_outcome(state);
    if (outcome.result == PLY_ONGOING)
        return false;
    value->score = outcome.result == PLY_DRAW         ? 0
                   : outcome.result == PLY_FIRST_WINS ? PLY_SCORE_WIN
                                                      : -PLY_SCORE_WIN;
    value->depth = LIBRARY_EXACT_DEPTH;
    return true;
}

static int32_t tablebase_score(ply_tablebase_value value)
{
    int32_t win = PLY_SCORE_WIN - (int32_t)value.plies;
    return value.result == PLY_TABLEBASE_DRAW ? 0 : value.result == PLY_TABLEBASE_WIN ? win : -win;
}

static bool from_tablebases(report_queue *q, const ply_state *state, position_value *value)
{
    const ply_rules *rules = state->rules;
    ply_tablebase_move *moves = malloc(rules->max_moves * sizeof *moves);
    ply_tablebase_value exact;
    size_t count = 0;
    bool known =
        moves && tablebases_probe(q->tablebases, rules, state->position, &exact, moves, &count);
    if (known) {
        value->score = for_first(state, tablebase_score(exact));
        value->depth = LIBRARY_EXACT_DEPTH;
        int32_t best = INT32_MIN;
        /* The value of a move is for the player who makes it. */
        for (size_t i = 0; i < count; i++)
            if (moves[i].known && tablebase_score(moves[i].value) > best) {
                best = tablebase_score(moves[i].value);
                set_variation(value, &moves[i].move, 1);
            }
    }
    free(moves);
    return known;
}

/* Whether some solver proves a win of the player to move. */
static bool solve(scoring *s, const ply_state *state, uint64_t nodes, position_value *value)
{
    ply_solve_limits limits = {.nodes = nodes, .millis = SOLVE_MILLIS};
    bool won = false;
    for (size_t i = 0; i < s->solver_count && !won; i++) {
        ply_solve_report report = {0};
        if (!set_busy(s->queue, NULL, s->solvers[i]))
            break;
        won = ply_solver_run(s->solvers[i], state->position, &limits, NULL, NULL, &report) ==
                  PLY_OK &&
              report.verdict == PLY_VERDICT_WIN;
        if (won && value) {
            int32_t plies = (int32_t)report.plies;
            value->score = for_first(state, plies > 0 ? PLY_SCORE_WIN - plies : PLY_SCORE_FORCED);
            value->depth = LIBRARY_EXACT_DEPTH;
            set_variation(value, report.pv, report.pv_length);
        }
    }
    set_busy(s->queue, NULL, NULL);
    return won;
}

/* Whether one move is much better than all others, and the position worth the trouble. */
static bool is_only_move(const ply_search_report *report)
{
    if (report->pv_count < 2)
        return false;
    double best = report_chance(report->pv[0].score), second = report_chance(report->pv[1].score);
    return best >= 0.4 && best - second >= 0.3;
}

static bool search(scoring *s, const ply_state *state, position_value *value)
{
    ply_search_limits limits = {.nodes = s->wanted->nodes, .multipv = 2};
    ply_search_report report = {0};
    ply_searcher_arm(s->searcher, false);
    bool go_on = set_busy(s->queue, s->searcher, NULL);
    ply_status status =
        go_on ? ply_searcher_run(s->searcher, state, &limits, NULL, NULL, &report) : PLY_STOPPED;
    go_on = set_busy(s->queue, NULL, NULL);
    if (status != PLY_OK || !go_on || report.pv_count == 0)
        return false;
    value->score = for_first(state, report.pv[0].score);
    value->depth = report.depth < LIBRARY_EXACT_DEPTH ? report.depth : LIBRARY_EXACT_DEPTH - 1;
    set_variation(value, report.pv[0].moves, report.pv[0].length);
    value->only_move = is_only_move(&report);
    return true;
}

/* A state at a node that outlives the release of the game. */
static bool state_at(scoring *s, uint32_t node, ply_state *state)
{
    library *l = s->queue->library;
    library_game *game = library_acquire(l, s->wanted->game, NULL);
    bool good = game && node < game->record.node_count &&
                library_state_at(game, node, state, NULL) == PLY_OK;
    if (good)
        state->rules = &s->rules;
    if (game)
        library_release(l, game);
    return good;
}

/* The moves of a variation as text; false when memory runs out. The state is unchanged. */
static bool variation_text(ply_state *state, const position_value *value, ply_text *out)
{
    size_t played = 0;
    for (; played < value->move_count && ply_state_is_legal(state, value->moves[played]);
         played++) {
        if (played > 0)
            ply_text_char(out, ' ');
        ply_state_move_text(state, value->moves[played], out);
        if (ply_state_play(state, value->moves[played]) != PLY_OK)
            break;
    }
    while (played-- > 0)
        ply_state_undo(state);
    return !out->failed;
}

static void save_value(scoring *s, ply_state *state, uint32_t node, const position_value *value)
{
    library *l = s->queue->library;
    ply_text best = ply_text_growing();
    bool good = variation_text(state, value, &best);
    library_game *game = good ? library_acquire(l, s->wanted->game, NULL) : NULL;
    if (game && node < game->record.node_count) {
        library_node *extra = &game->extra[node];
        extra->score = value->score;
        extra->depth = value->depth;
        if (best.length > 0)
            library_set_text(&extra->best, ply_text_cstr(&best));
        library_save_node(l, game, node, NULL);
    }
    if (game)
        library_release(l, game);
    ply_text_free(&best);
}

static void score_point(scoring *s, scored_point *point)
{
    ply_state state;
    position_value value = {0};
    if (!state_at(s, point->node, &state))
        return;
    if (from_rules(&state, &value) || from_tablebases(s->queue, &state, &value) ||
        solve(s, &state, SOLVE_NODES, &value) || search(s, &state, &value)) {
        save_value(s, &state, point->node, &value);
        point->best = value.move_count ? value.moves[0] : PLY_MOVE_NONE;
        point->only_move = value.only_move;
    }
    ply_state_free(&state);
}

/* --- turns that keep a proven result ---------------------------------------------------------- */
/* Whether the player to move loses whatever they play: the solver wins after every move. */
static bool loses(scoring *s, ply_state *state)
{
    uint64_t deadline = ply_clock_nanos() + PROVE_MILLIS * UINT64_C(1000000);
    size_t count = 0;
    bool lost = true;
    ply_move *moves = malloc(s->rules.max_moves * sizeof *moves);
    if (!moves || s->rules.game->multi_move_turns)
        lost = false;
    else
        count = ply_state_moves(state, moves, s->rules.max_moves);
    for (size_t i = 0; i < count && lost; i++) {
        lost = ply_clock_nanos() < deadline && ply_state_play(state, moves[i]) == PLY_OK;
        if (!lost)
            break;
        ply_outcome outcome = ply_state_outcome(state);
        int winner = outcome.result == PLY_FIRST_WINS    ? 0
                     : outcome.result == PLY_SECOND_WINS ? 1
                                                         : -1;
        lost = outcome.result == PLY_ONGOING ? solve(s, state, REPLY_NODES, NULL)
                                             : winner == side_to_move(state);
        ply_state_undo(state);
    }
    free(moves);
    return lost && count > 0;
}

/* Saves a forced loss of the player to move at a node, if it can be proved. */
static void prove_loss(scoring *s, uint32_t node)
{
    ply_state state;
    if (!state_at(s, node, &state))
        return;
    if (loses(s, &state)) {
        position_value value = {.score = for_first(&state, -PLY_SCORE_FORCED),
                                .depth = LIBRARY_EXACT_DEPTH};
        save_value(s, &state, node, &value);
    }
    ply_state_free(&state);
}

/* Looks again at turns that seem to be mistakes where one side of the turn is proven. */
static void clear_proven(scoring *s)
{
    library *l = s->queue->library;
    game_report r = {0};
    library_game *game = library_acquire(l, s->wanted->game, NULL);
    bool good = game && report_make(game, &r);
    if (game)
        library_release(l, game);
    for (size_t i = 0; good && i < r.count && !is_cancelled(s->queue); i++) {
        const report_turn *turn = &r.turns[i];
        if (turn->scored && turn->loss > 0 && turn->chance_before >= 1)
            prove_loss(s, turn->after); /* the opponent is to move: do they still lose? */
        else if (turn->severity > REPORT_FINE && turn->chance_after <= 0)
            prove_loss(s, turn->before); /* was it lost already? */
    }
    if (good)
        report_free(&r);
}

/* --- glyphs ----------------------------------------------------------------------------------- */
/* Gives a node a glyph in place of one that an earlier report may have given. A glyph that cannot
 * come from a report is the user's and stays. */
static bool set_glyph(ply_record_node *node, uint8_t glyph)
{
    bool ours = node->nag_count == 0 ||
                (node->nag_count == 1 && (node->nags[0] == 1 || node->nags[0] == 2 ||
                                          node->nags[0] == 4 || node->nags[0] == 6));
    uint8_t before = node->nag_count ? node->nags[0] : 0;
    if (!ours || before == glyph)
        return false;
    node->nags[0] = glyph;
    node->nag_count = glyph != 0;
    return true;
}

static void set_glyphs(scoring *s)
{
    library *l = s->queue->library;
    game_report r = {0};
    library_game *game = library_acquire(l, s->wanted->game, NULL);
    if (game && report_make(game, &r)) {
        for (size_t i = 0; i < r.count && i + 1 < s->count; i++) {
            const report_turn *turn = &r.turns[i];
            const scored_point *before = &s->points[i];
            ply_record_node *node = &game->record.nodes[turn->after];
            if (turn->before != before->node || !turn->scored)
                break; /* the game has changed meanwhile */
            if (before->known)
                continue;
            uint8_t glyph = report_glyph(turn->severity);
            if (!glyph && before->only_move && node->move == before->best)
                glyph = GOOD_GLYPH;
            if (set_glyph(node, glyph))
                library_save_node(l, game, turn->after, NULL);
        }
        report_free(&r);
    }
    if (game)
        library_release(l, game);
    store_sync(library_store(l), NULL);
}

/* --- the game --------------------------------------------------------------------------------- */
/* Lists the positions to score; false when the game is gone or memory runs out. */
static bool collect(scoring *s)
{
    library *l = s->queue->library;
    library_game *game = library_acquire(l, s->wanted->game, NULL);
    uint32_t *nodes = game ? report_nodes(game, &s->count) : NULL;
    s->points = nodes ? calloc(s->count, sizeof *s->points) : NULL;
    if (s->points) {
        s->rules = game->record.rules;
        for (size_t i = 0; i < s->count; i++) {
            const library_node *extra = &game->extra[nodes[i]];
            s->points[i].node = nodes[i];
            s->points[i].known = !s->wanted->again && extra->score != STORE_NO_SCORE &&
                                 (extra->best || extra->depth >= LIBRARY_EXACT_DEPTH);
        }
    }
    free(nodes);
    if (game)
        library_release(l, game);
    return s->points != NULL;
}

/* Opens solvers for the game's own goals, or for "win" where it has no other. */
static void open_solvers(scoring *s)
{
    ply_solve_options options = {.memory_mb = SOLVE_MEMORY_MB};
    const ply_goal *goal;
    for (size_t i = 0; s->solver_count < GOAL_LIMIT && (goal = ply_goal_at(s->rules.game, i));
         i++) {
        if (i > 0 && strcmp(goal->id, "win") == 0)
            continue;
        ply_solver *solver = ply_solver_new(&s->rules, goal, &options);
        if (solver)
            s->solvers[s->solver_count++] = solver;
    }
}

void game_scores_run(report_queue *q, const report_request *wanted)
{
    scoring s = {.queue = q, .wanted = wanted};
    if (!collect(&s))
        return;
    pthread_mutex_lock(&q->lock);
    q->total = s.count;
    pthread_mutex_unlock(&q->lock);
    ply_search_options options = {
        .memory_mb = q->memory_mb, .threads = 1, .seed = 1, .tablebase_dir = q->tablebase_dir};
    s.searcher = ply_searcher_new(&s.rules, &options);
    open_solvers(&s);
    for (size_t i = s.count; s.searcher && i-- > 0 && !is_cancelled(q);) {
        if (!s.points[i].known)
            score_point(&s, &s.points[i]);
        pthread_mutex_lock(&q->lock);
        q->done++;
        pthread_mutex_unlock(&q->lock);
    }
    if (!is_cancelled(q))
        clear_proven(&s);
    if (!is_cancelled(q))
        set_glyphs(&s);
    for (size_t i = 0; i < s.solver_count; i++)
        ply_solver_free(s.solvers[i]);
    ply_searcher_free(s.searcher);
    free(s.points);
}
