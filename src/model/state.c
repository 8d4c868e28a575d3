/* SPDX-License-Identifier: MIT */
/* state.c - a game in progress; see state.h. */
#include <plyverse/state.h>
#include <stdlib.h>
#include <string.h>

enum { MIN_CAPACITY = 32 }; /* plies */

static void *undo_at(const ply_state *state, size_t ply)
{
    return state->undo_stack + ply * state->rules->undo_bytes;
}

ply_status ply_state_init(ply_state *state, const ply_rules *rules)
{
    *state = (ply_state){.rules = rules};
    state->position = calloc(1, rules->position_bytes);
    if (!state->position)
        return PLY_NO_MEMORY;
    ply_status status = rules->game->start(rules, state->position);
    if (status != PLY_OK) {
        free(state->position);
        state->position = NULL;
    }
    return status;
}

void ply_state_free(ply_state *state)
{
    if (state->position)
        ply_game_clear(state->rules, state->position);
    free(state->position);
    free(state->moves);
    free(state->undo_stack);
    *state = (ply_state){.rules = state->rules};
}

ply_status ply_state_copy(ply_state *to, const ply_state *from)
{
    const ply_rules *rules = from->rules;
    *to = (ply_state){.rules = rules};
    ply_status status = ply_state_reserve(to, from->plies);
    void *position = status == PLY_OK ? calloc(1, rules->position_bytes) : NULL;
    if (!position) {
        ply_state_free(to);
        return PLY_NO_MEMORY;
    }
    status = ply_game_copy(rules, position, from->position);
    if (status != PLY_OK) {
        free(position);
        ply_state_free(to);
        return status;
    }
    to->position = position;
    to->plies = from->plies;
    if (from->plies > 0) {
        memcpy(to->moves, from->moves, from->plies * sizeof(ply_move));
        if (rules->undo_bytes > 0)
            memcpy(to->undo_stack, from->undo_stack, from->plies * rules->undo_bytes);
    }
    return PLY_OK;
}

ply_status ply_state_restart(ply_state *state)
{
    const ply_rules *rules = state->rules;
    void *fresh = calloc(1, rules->position_bytes);
    ply_status status = fresh ? rules->game->start(rules, fresh) : PLY_NO_MEMORY;
    if (status == PLY_OK) {
        state->plies = 0;
        ply_game_clear(rules, state->position);
        memcpy(state->position, fresh, rules->position_bytes);
    }
    free(fresh);
    return status;
}

ply_status ply_state_parse(ply_state *state, const char *text, size_t length, ply_error *error)
{
    const ply_rules *rules = state->rules;
    void *fresh = calloc(1, rules->position_bytes);
    if (!fresh)
        return ply_error_set(error, PLY_NO_MEMORY, "out of memory");
    ply_cursor cursor = ply_cursor_make(text, length, error);
    ply_cursor_skip_space(&cursor);
    ply_status status = rules->game->parse(rules, fresh, &cursor);
    if (status == PLY_OK) {
        ply_cursor_skip_space(&cursor);
        if (!ply_cursor_done(&cursor)) {
            status = ply_cursor_fail(&cursor, PLY_BAD_TEXT, "more text after the position");
            ply_game_clear(rules, fresh);
        }
    }
    if (status == PLY_OK) {
        state->plies = 0;
        ply_game_clear(rules, state->position);
        memcpy(state->position, fresh, rules->position_bytes);
    }
    free(fresh);
    return status;
}

ply_status ply_state_reserve(ply_state *state, size_t plies)
{
    if (state->capacity - state->plies >= plies)
        return PLY_OK;
    size_t capacity = state->capacity * 2;
    if (capacity < state->plies + plies)
        capacity = state->plies + plies;
    if (capacity < MIN_CAPACITY)
        capacity = MIN_CAPACITY;
    ply_move *moves = realloc(state->moves, capacity * sizeof(ply_move));
    if (!moves)
        return PLY_NO_MEMORY;
    state->moves = moves;
    if (state->rules->undo_bytes > 0) {
        unsigned char *undo_stack = realloc(state->undo_stack, capacity * state->rules->undo_bytes);
        if (!undo_stack)
            return PLY_NO_MEMORY;
        state->undo_stack = undo_stack;
    }
    state->capacity = capacity;
    return PLY_OK;
}

ply_status ply_state_play(ply_state *state, ply_move move)
{
    ply_status status = ply_state_reserve(state, 1);
    if (status == PLY_OK)
        status = state->rules->game->play(state->rules, state->position, move,
                                          undo_at(state, state->plies));
    if (status == PLY_OK)
        state->moves[state->plies++] = move;
    return status;
}

bool ply_state_undo(ply_state *state)
{
    if (state->plies == 0)
        return false;
    state->plies--;
    state->rules->game->undo(state->rules, state->position, state->moves[state->plies],
                             undo_at(state, state->plies));
    return true;
}

static void skip_separators(ply_cursor *cursor)
{
    while (ply_cursor_skip_space(cursor) > 0 || ply_cursor_accept(cursor, ','))
        continue;
}

ply_status ply_state_play_text(ply_state *state, const char *text, size_t length, ply_error *error)
{
    const ply_rules *rules = state->rules;
    size_t plies = state->plies;
    ply_cursor cursor = ply_cursor_make(text, length, error);
    ply_status status = PLY_OK;
    for (skip_separators(&cursor); status == PLY_OK && !ply_cursor_done(&cursor);
         skip_separators(&cursor)) {
        ply_cursor at_move = cursor;
        ply_move move;
        status = rules->game->parse_move(rules, state->position, &cursor, &move);
        if (status == PLY_OK) {
            status = ply_state_play(state, move);
            if (status != PLY_OK)
                ply_cursor_fail(&at_move, status, "%s", ply_status_text(status));
        }
    }
    while (status != PLY_OK && state->plies > plies)
        ply_state_undo(state);
    return status;
}

ply_outcome ply_state_outcome(const ply_state *state)
{
    return state->rules->game->outcome(state->rules, state->position, state->undo_stack,
                                       state->plies);
}
