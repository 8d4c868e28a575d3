/* SPDX-License-Identifier: MIT */
/*
 * planned_turn.c - the rest of a turn that has already been chosen.
 *
 * The public interface plays single moves, but the searches of games with multi_move_turns choose
 * whole turns. The chosen turn is kept; when the next search starts in the middle of it, the
 * remaining moves are the answer at once.
 */
#include "search/searcher.h"
#include <stdlib.h>

struct planned_turn {
    size_t count;
    int32_t score;
    int depth;
    ply_move *moves;
    uint64_t *keys; /* keys[i]: the position before moves[i] */
};

void ply_planned_turn_clear(ply_searcher *searcher)
{
    if (searcher->planned) {
        free(searcher->planned->moves);
        free(searcher->planned->keys);
        free(searcher->planned);
    }
    searcher->planned = NULL;
}

static planned_turn *new_plan(size_t capacity)
{
    planned_turn *plan = calloc(1, sizeof *plan);
    if (!plan)
        return NULL;
    plan->moves = malloc(capacity * sizeof *plan->moves);
    plan->keys = malloc(capacity * sizeof *plan->keys);
    return plan;
}

void ply_planned_turn_set(ply_searcher *s, ply_state *state)
{
    const ply_variation *best = &s->variations[0];
    const ply_game *game = s->rules->game;
    ply_planned_turn_clear(s);
    if (best->length == 0)
        return;
    planned_turn *plan = s->planned = new_plan(best->length);
    if (!plan || !plan->moves || !plan->keys) {
        ply_planned_turn_clear(s);
        return;
    }
    plan->score = best->score;
    plan->depth = s->report.depth;
    int side = game->side(s->rules, state->position);
    size_t played = 0;
    for (; played < best->length && game->side(s->rules, state->position) == side; played++) {
        plan->moves[played] = best->moves[played];
        plan->keys[played] = game->hash(s->rules, state->position);
        if (ply_state_play(state, best->moves[played]) != PLY_OK)
            break;
    }
    plan->count = played;
    while (played-- > 0)
        ply_state_undo(state);
}

bool ply_planned_turn_continue(ply_searcher *s, const ply_state *state)
{
    const planned_turn *plan = s->planned;
    const ply_search_limits *limits = s->time.limits;
    if (!plan || limits->multipv > 1 || limits->only || limits->ponder)
        return false;
    uint64_t key = s->rules->game->hash(s->rules, state->position);
    size_t next = 1;
    while (next < plan->count && plan->keys[next] != key)
        next++;
    if (next >= plan->count)
        return false;
    ply_variation *rest = &s->variations[0];
    rest->score = plan->score;
    rest->length = 0;
    while (next < plan->count && rest->length < PLY_PV_LIMIT)
        rest->moves[rest->length++] = plan->moves[next++];
    s->report.pv_count = 1;
    s->report.depth = plan->depth;
    ply_search_report_progress(s);
    ply_time_control_wait(&s->time);
    return true;
}
