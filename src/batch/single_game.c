/* SPDX-License-Identifier: MIT */
/* single_game.c - taking single games out of a batch and putting them in. */
#include "batch/batch_internal.h"
#include "batch/device.h"

/* Makes `position` the position of game g, which takes it over. */
static void take_over(ply_batch *b, size_t g, const void *position)
{
    if (b->games[g].has_position)
        ply_game_clear(b->rules, batch_position(b, g));
    memcpy(batch_position(b, g), position, b->rules->position_bytes);
    b->games[g].has_position = true;
}

ply_status ply_batch_copy_game(ply_batch *to, size_t g, const ply_batch *from, size_t h,
                               unsigned worker)
{
    const ply_rules *rules = to->rules;
    const batch_game *source = &from->games[h];
    batch_game *game = &to->games[g];
    void *fresh = to->fresh + worker * to->position_stride;
    ply_status status = ply_game_copy(rules, fresh, batch_position(from, h));
    if (status != PLY_OK)
        return status;
    take_over(to, g, fresh);
    size_t plies = source->plies;
    game->plies = source->plies;
    game->legal = source->legal;
    game->end = source->end;
    game->result = source->result;
    memcpy(batch_mask(to, g), batch_mask(from, h), to->arrays.mask_words * sizeof(uint64_t));
    memcpy(batch_undo_stack(to, g), batch_undo_stack(from, h), plies * rules->undo_bytes);
    memcpy(batch_moves(to, g), batch_moves(from, h), plies * sizeof(ply_move));
    if (to->filters)
        memcpy(to->filters + g * FILTER_WORDS, from->filters + h * FILTER_WORDS,
               FILTER_WORDS * sizeof(uint64_t));
    if (to->past_keys)
        memcpy(batch_past_keys(to, g), batch_past_keys(from, h), plies * sizeof(uint64_t));
    for (unsigned i = 1; i <= to->options.history && i <= plies; i++)
        memcpy(batch_past_position(to, g, plies - i), batch_past_position(from, h, plies - i),
               rules->position_bytes);
    return PLY_OK;
}

/* Fills in what the batch remembers of earlier positions by taking moves back. */
static void retrace(ply_batch *b, size_t g, ply_state *state)
{
    const ply_rules *rules = b->rules;
    size_t plies = state->plies;
    while (ply_state_undo(state)) {
        uint64_t key = rules->game->hash(rules, state->position);
        if (b->filters)
            batch_filter_add(b, g, key);
        if (b->past_keys)
            batch_past_keys(b, g)[state->plies] = key;
        if (plies - state->plies <= b->options.history)
            memcpy(batch_past_position(b, g, state->plies), state->position, rules->position_bytes);
    }
}

ply_status ply_batch_place(ply_batch *b, size_t g, const ply_state *state)
{
    ply_state copy;
    ply_status status = ply_state_copy(&copy, state);
    if (status == PLY_OK)
        status = ply_game_copy(b->rules, b->fresh, state->position);
    else
        return status;
    if (status == PLY_OK) {
        take_over(b, g, b->fresh);
        b->games[g].plies = (uint32_t)state->plies;
        if (state->plies > 0) {
            memcpy(batch_undo_stack(b, g), state->undo_stack, state->plies * b->rules->undo_bytes);
            memcpy(batch_moves(b, g), state->moves, state->plies * sizeof(ply_move));
        }
        if (b->filters)
            memset(b->filters + g * FILTER_WORDS, 0, FILTER_WORDS * sizeof(uint64_t));
        retrace(b, g, &copy);
    }
    ply_state_free(&copy);
    return status;
}

/* --- the interface -------------------------------------------------------------------------- */
/* Fills in all arrays of game g, in which nothing was played. */
static void show(ply_batch *b, size_t g)
{
    ply_batch_clear_step(b, g);
    ply_batch_publish_end(b, g);
    ply_batch_publish(b, g);
}

ply_status ply_batch_get(const ply_batch *batch, size_t g, ply_state *state)
{
    if (!batch || !state)
        return PLY_BAD_ARGUMENT;
    if (g >= batch->options.games)
        return PLY_LIMIT;
    if (batch->device)
        return ply_batch_device_get(batch->device, g, state);
    const ply_state shown = {.rules = batch->rules,
                             .position = batch_position(batch, g),
                             .moves = batch_moves(batch, g),
                             .undo_stack = batch_undo_stack(batch, g),
                             .plies = batch->games[g].plies,
                             .capacity = batch->options.max_plies};
    return ply_state_copy(state, &shown);
}

ply_status ply_batch_set(ply_batch *batch, size_t g, const ply_state *state)
{
    if (!batch || !state || !state->rules || !state->position)
        return PLY_BAD_ARGUMENT;
    if (!batch_same_rules(batch->rules, state->rules))
        return PLY_UNSUPPORTED;
    if (g >= batch->options.games || state->plies > batch->options.max_plies)
        return PLY_LIMIT;
    if (batch->device)
        return ply_batch_device_set(batch->device, g, state, NULL);
    ply_status status = ply_batch_place(batch, g, state);
    if (status != PLY_OK)
        return status;
    ply_batch_look(batch, g, 0);
    show(batch, g);
    return PLY_OK;
}

static ply_status standing_of(const ply_batch *b, size_t g, batch_standing *standing)
{
    if (b->device)
        return ply_batch_device_standing(b->device, g, standing);
    const batch_game *game = &b->games[g];
    *standing = (batch_standing){.draws = game->draws, .end = game->end, .result = game->result};
    return PLY_OK;
}

/* Whether what a batch remembers of game h has the form that the other batch needs. */
static bool can_copy_memory(const ply_batch *to, const ply_batch *from, size_t h)
{
    return !to->device && !from->device && to->options.history == from->options.history &&
           !to->past_keys == !from->past_keys &&
           to->options.max_boards == from->options.max_boards &&
           from->games[h].end == BATCH_PLAYING && from->games[h].plies < to->options.max_plies;
}

ply_status ply_batch_copy(ply_batch *to, size_t g, const ply_batch *from, size_t h)
{
    if (!to || !from)
        return PLY_BAD_ARGUMENT;
    if (!batch_same_rules(to->rules, from->rules))
        return PLY_UNSUPPORTED;
    if (g >= to->options.games || h >= from->options.games)
        return PLY_LIMIT;
    if (to == from && g == h)
        return PLY_OK;
    ply_status status;
    if (can_copy_memory(to, from, h)) {
        status = ply_batch_copy_game(to, g, from, h, 0);
        if (status == PLY_OK)
            show(to, g);
        return status;
    }
    ply_state state;
    batch_standing standing;
    status = standing_of(from, h, &standing);
    if (status == PLY_OK)
        status = ply_batch_get(from, h, &state);
    if (status != PLY_OK)
        return status;
    if (to->device && state.plies > to->options.max_plies)
        status = PLY_LIMIT;
    else
        status = to->device ? ply_batch_device_set(to->device, g, &state, &standing)
                            : ply_batch_set(to, g, &state);
    ply_state_free(&state);
    if (status == PLY_OK && !to->device && standing.end != BATCH_PLAYING &&
        to->games[g].end == BATCH_PLAYING) {
        /* It ended by an illegal action or was cut off. */
        to->games[g].end = standing.end;
        to->games[g].result = standing.result;
        to->games[g].legal = 0;
        memset(batch_mask(to, g), 0, to->arrays.mask_words * sizeof(uint64_t));
        show(to, g);
    }
    return status;
}

ply_status ply_batch_copy_games(ply_batch *to, const uint32_t *games, const ply_batch *from,
                                const uint32_t *numbers, size_t count)
{
    if (count > 0 && (!games || !numbers))
        return PLY_BAD_ARGUMENT;
    ply_status status = PLY_OK;
    for (size_t i = 0; i < count && status == PLY_OK; i++)
        status = ply_batch_copy(to, games[i], from, numbers[i]);
    return status;
}

ply_status ply_batch_save(const ply_batch *batch, size_t g, ply_text *out)
{
    ply_state state;
    batch_standing standing = {0};
    ply_status status = out ? ply_batch_get(batch, g, &state) : PLY_BAD_ARGUMENT;
    if (status != PLY_OK)
        return status;
    status = standing_of(batch, g, &standing);
    ply_text_format(out, "%llu ", (unsigned long long)standing.draws);
    if (status == PLY_OK)
        status = ply_state_save(&state, out);
    ply_state_free(&state);
    return status;
}

ply_status ply_batch_load(ply_batch *batch, size_t g, const char *text, size_t length,
                          ply_error *error)
{
    uint64_t draws;
    if (!batch || !text)
        return ply_error_set(error, PLY_BAD_ARGUMENT, "no batch or no text");
    if (g >= batch->options.games)
        return ply_error_set(error, PLY_LIMIT, "there is no game %zu", g);
    ply_cursor cursor = ply_cursor_make(text, length, error);
    if (!ply_cursor_number(&cursor, UINT64_MAX, &draws) || !ply_cursor_accept(&cursor, ' '))
        return ply_cursor_fail(&cursor, PLY_BAD_TEXT,
                               "expected how many random numbers the game has drawn");
    ply_state state;
    ply_status status = ply_state_init(&state, batch->rules);
    if (status != PLY_OK)
        return ply_error_set(error, status, "%s", ply_status_text(status));
    status = ply_state_load(&state, text + cursor.at, length - cursor.at, error);
    if (status == PLY_OK) {
        status = ply_batch_set(batch, g, &state);
        if (status != PLY_OK)
            ply_error_set(error, status, "%s", ply_status_text(status));
    } else if (error && error->line == 1) { /* say where in the whole text */
        error->column += (uint32_t)cursor.at;
        error->offset += cursor.at;
    }
    if (status == PLY_OK && batch->device)
        status = ply_batch_device_set_draws(batch->device, g, draws);
    else if (status == PLY_OK)
        batch->games[g].draws = draws;
    ply_state_free(&state);
    return status;
}

ply_move ply_batch_move(const ply_batch *batch, size_t g, int32_t action)
{
    if (!batch || g >= batch->options.games || (uint32_t)action >= batch->arrays.actions)
        return PLY_MOVE_NONE;
    ply_state state;
    if (batch->device && ply_batch_get(batch, g, &state) == PLY_OK) {
        ply_move move =
            batch->rules->learning->action_move(batch->rules, state.position, (uint32_t)action);
        bool over = ply_state_outcome(&state).result != PLY_ONGOING;
        ply_state_free(&state);
        return over ? PLY_MOVE_NONE : move;
    }
    if (batch->device || !(batch_mask(batch, g)[action / 64] >> action % 64 & 1))
        return PLY_MOVE_NONE;
    return batch->rules->learning->action_move(batch->rules, batch_position(batch, g),
                                               (uint32_t)action);
}

int32_t ply_batch_action(const ply_batch *batch, size_t g, ply_move move)
{
    if (!batch || g >= batch->options.games || move == PLY_MOVE_NONE)
        return PLY_BATCH_NO_ACTION;
    ply_state state;
    if (batch->device) {
        if (ply_batch_get(batch, g, &state) != PLY_OK)
            return PLY_BATCH_NO_ACTION;
        uint32_t found = batch->rules->learning->action(batch->rules, state.position, move);
        ply_state_free(&state);
        return found < batch->arrays.actions ? (int32_t)found : PLY_BATCH_NO_ACTION;
    }
    uint32_t action = batch->rules->learning->action(batch->rules, batch_position(batch, g), move);
    return action < batch->arrays.actions ? (int32_t)action : PLY_BATCH_NO_ACTION;
}
