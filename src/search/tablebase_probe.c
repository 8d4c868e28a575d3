/* SPDX-License-Identifier: MIT */
/*
 * tablebase_probe.c - positions that endgame tablebases have solved.
 *
 * Within the tree, a solved position needs no search: its score is exact, with the distance to the
 * end. If the root is solved, the tablebases give every variation and nothing is searched.
 * Tablebases know no history, so a root move that ends the game by a rule that does (a repetition)
 * is scored by that rule instead.
 */
#include "search/evaluator.h"
#include <stdlib.h>
#include <string.h>

static int32_t tablebase_score(ply_tablebase_value value, int ply)
{
    if (value.result == PLY_TABLEBASE_DRAW)
        return 0;
    int32_t score = PLY_SCORE_WIN - ply - value.plies;
    return value.result == PLY_TABLEBASE_WIN ? score : -score;
}

bool ply_search_tablebase_probe(const ply_searcher *searcher, const void *position, int ply,
                                int32_t *score)
{
    ply_tablebase_value value;
    if (!searcher->tablebase || !ply_tablebase_probe(searcher->tablebase, position, &value))
        return false;
    *score = tablebase_score(value, ply);
    return true;
}

typedef struct root_move {
    ply_move move;
    int32_t score;
    int32_t eval; /* the evaluation after the move, to choose among draws */
} root_move;

static int compare_moves(const void *a, const void *b)
{
    const root_move *x = a, *y = b;
    if (x->score != y->score)
        return (x->score < y->score) - (x->score > y->score);
    return (x->eval < y->eval) - (x->eval > y->eval);
}

/* Scores a move for the player who makes it; false if the tablebases do not have it. */
static bool score_move(const ply_searcher *s, ply_state *state, root_move *move)
{
    const ply_rules *rules = s->rules;
    int side = rules->game->side(rules, state->position);
    if (ply_state_play(state, move->move) != PLY_OK)
        return false;
    ply_outcome outcome = ply_state_outcome(state);
    bool same_side = rules->game->side(rules, state->position) == side, known = true;
    if (outcome.result != PLY_ONGOING) {
        move->score = search_outcome_score(outcome, side, 1);
    } else if ((known = ply_search_tablebase_probe(s, state->position, 1, &move->score))) {
        move->score = same_side ? move->score : -move->score;
        move->eval = search_evaluate(s, state->position);
        move->eval = same_side ? move->eval : -move->eval;
    }
    ply_state_undo(state);
    return known;
}

/*
 * Scores the moves that `limits` allow (NULL: all) and sorts them, best first. Returns their
 * number, or 0 if the tablebases do not have all of them.
 */
static size_t score_moves(const ply_searcher *s, ply_state *state, const ply_search_limits *limits,
                          root_move *out)
{
    const ply_rules *rules = s->rules;
    size_t all = ply_game_count_moves(rules, state->position), count = 0;
    for (size_t i = 0; i < all; i++) {
        out[count] = (root_move){.move = ply_game_nth_move(rules, state->position, i)};
        if (limits && !ply_search_move_allowed(limits, out[count].move))
            continue;
        if (!score_move(s, state, &out[count++]))
            return 0;
    }
    qsort(out, count, sizeof *out, compare_moves);
    return count;
}

/* Best play of both sides after a root move. A drawn variation is just that move. */
static void extend_variation(const ply_searcher *s, const ply_state *root, const root_move *first,
                             root_move *scratch, ply_variation *variation)
{
    ply_state state;
    *variation = (ply_variation){.score = first->score, .length = 1, .moves = {first->move}};
    if (first->score == 0 || ply_state_copy(&state, root) != PLY_OK)
        return;
    while (variation->length < PLY_PV_LIMIT &&
           ply_state_play(&state, variation->moves[variation->length - 1]) == PLY_OK &&
           ply_state_outcome(&state).result == PLY_ONGOING &&
           score_moves(s, &state, NULL, scratch) > 0)
        variation->moves[variation->length++] = scratch[0].move;
    ply_state_free(&state);
}

bool ply_search_tablebase_root(ply_searcher *s, const ply_state *state)
{
    int32_t score;
    if (!ply_search_tablebase_probe(s, state->position, 0, &score))
        return false;
    size_t capacity = s->rules->max_moves + 1;
    root_move *moves = malloc(2 * capacity * sizeof *moves);
    ply_state copy;
    if (!moves || ply_state_copy(&copy, state) != PLY_OK) {
        free(moves);
        return false;
    }
    const ply_search_limits *limits = s->time.limits;
    size_t count = score_moves(s, &copy, limits, moves), wanted = search_multipv(limits);
    for (size_t i = 0; i < count && i < wanted; i++)
        extend_variation(s, state, &moves[i], moves + capacity, &s->variations[i]);
    ply_state_free(&copy);
    if (count > 0) {
        s->report.pv_count = count < wanted ? count : wanted;
        s->report.depth = s->report.selective_depth = 1;
        ply_time_control_poll(&s->time, count);
        ply_search_report_progress(s);
        ply_time_control_wait(&s->time);
    }
    free(moves);
    return count > 0;
}
