/* SPDX-License-Identifier: MIT */
/* state.c - a game in progress; see state.h. */
#include <plyverse/state.h>
#include <stdlib.h>
#include <string.h>

enum { MIN_CAPACITY = 32 }; /* plies */

/* Whether ply_state_init has succeeded. */
static bool is_ready(const ply_state *state)
{
    return state && state->position;
}

static void *undo_at(const ply_state *state, size_t ply)
{
    return state->undo_stack + ply * state->rules->undo_bytes;
}

ply_status ply_state_init(ply_state *state, const ply_rules *rules)
{
    if (!state)
        return PLY_BAD_ARGUMENT;
    *state = (ply_state){.rules = rules};
    if (!rules || !rules->game)
        return PLY_UNKNOWN_GAME;
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
    if (!state)
        return;
    if (state->position)
        ply_game_clear(state->rules, state->position);
    free(state->position);
    free(state->moves);
    free(state->undo_stack);
    *state = (ply_state){.rules = state->rules};
}

ply_status ply_state_copy(ply_state *to, const ply_state *from)
{
    if (!to || !is_ready(from))
        return PLY_BAD_ARGUMENT;
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
        if (to->undo_stack && from->undo_stack)
            memcpy(to->undo_stack, from->undo_stack, from->plies * rules->undo_bytes);
    }
    return PLY_OK;
}

ply_status ply_state_restart(ply_state *state)
{
    if (!is_ready(state))
        return PLY_BAD_ARGUMENT;
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
    if (!is_ready(state) || !text)
        return ply_error_set(error, PLY_BAD_ARGUMENT, "no state or no text");
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
    if (!state || !state->rules || plies > SIZE_MAX / 4 - state->plies)
        return PLY_BAD_ARGUMENT;
    if (state->capacity - state->plies >= plies)
        return PLY_OK;
    size_t capacity = state->capacity * 2;
    if (capacity < state->plies + plies)
        capacity = state->plies + plies;
    if (capacity < MIN_CAPACITY)
        capacity = MIN_CAPACITY;
    size_t entry = state->rules->undo_bytes;
    if (capacity > SIZE_MAX / 2 / (entry > sizeof(ply_move) ? entry : sizeof(ply_move)))
        return PLY_NO_MEMORY;
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
    ply_status status = is_ready(state) ? ply_state_reserve(state, 1) : PLY_BAD_ARGUMENT;
    if (status == PLY_OK)
        status = state->rules->game->play(state->rules, state->position, move,
                                          undo_at(state, state->plies));
    if (status == PLY_OK)
        state->moves[state->plies++] = move;
    return status;
}

bool ply_state_undo(ply_state *state)
{
    if (!is_ready(state) || state->plies == 0)
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
    if (!is_ready(state) || !text)
        return ply_error_set(error, PLY_BAD_ARGUMENT, "no state or no text");
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
    if (!is_ready(state))
        return (ply_outcome){PLY_ONGOING, NULL};
    return state->rules->game->outcome(state->rules, state->position, state->undo_stack,
                                       state->plies);
}

/* --- looking -------------------------------------------------------------------------------- */
size_t ply_state_moves(const ply_state *state, ply_move *out, size_t room)
{
    if (!is_ready(state))
        return 0;
    const ply_rules *rules = state->rules;
    if (!out || room == 0)
        return ply_game_count_moves(rules, state->position);
    if (room >= rules->max_moves)
        return rules->game->moves(rules, state->position, out);
    ply_move few[PLY_STACK_MOVES];
    bool fits = rules->max_moves <= PLY_STACK_MOVES;
    ply_move *moves = fits ? few : malloc(rules->max_moves * sizeof *moves);
    if (!moves)
        return 0;
    size_t count = rules->game->moves(rules, state->position, moves);
    memcpy(out, moves, (count < room ? count : room) * sizeof *out);
    if (!fits)
        free(moves);
    return count;
}

bool ply_state_is_legal(const ply_state *state, ply_move move)
{
    if (!is_ready(state) || move == PLY_MOVE_NONE)
        return false;
    const ply_rules *rules = state->rules;
    ply_move few[PLY_STACK_MOVES];
    bool fits = rules->max_moves <= PLY_STACK_MOVES, found = false;
    ply_move *moves = fits ? few : malloc(rules->max_moves * sizeof *moves);
    size_t count = moves ? rules->game->moves(rules, state->position, moves) : 0;
    for (size_t i = 0; i < count && !found; i++)
        found = moves[i] == move;
    if (!fits)
        free(moves);
    return found;
}

int ply_state_side(const ply_state *state)
{
    return is_ready(state) ? state->rules->game->side(state->rules, state->position) : 0;
}

uint64_t ply_state_key(const ply_state *state)
{
    return is_ready(state) ? state->rules->game->hash(state->rules, state->position) : 0;
}

void ply_state_format(const ply_state *state, ply_text *out)
{
    if (is_ready(state) && out)
        state->rules->game->format(state->rules, state->position, out);
}

void ply_state_draw(const ply_state *state, unsigned flags, ply_text *out)
{
    if (is_ready(state) && out)
        ply_game_draw(state->rules, state->position,
                      state->plies ? state->moves[state->plies - 1] : PLY_MOVE_NONE, flags, out);
}

void ply_state_svg(const ply_state *state, unsigned flags, ply_text *out)
{
    if (is_ready(state) && out)
        ply_game_svg(state->rules, state->position,
                     state->plies ? state->moves[state->plies - 1] : PLY_MOVE_NONE, flags, out);
}

void ply_state_move_text(const ply_state *state, ply_move move, ply_text *out)
{
    if (is_ready(state) && move != PLY_MOVE_NONE && out)
        state->rules->game->format_move(state->rules, state->position, move, out);
}

ply_status ply_state_parse_move(const ply_state *state, const char *text, size_t length,
                                ply_move *move, ply_error *error)
{
    if (!is_ready(state) || !text || !move)
        return ply_error_set(error, PLY_BAD_ARGUMENT,
                             "no state, no text or nowhere to put the move");
    ply_cursor cursor = ply_cursor_make(text, length, error);
    ply_move parsed;
    ply_cursor_skip_space(&cursor);
    ply_status status =
        state->rules->game->parse_move(state->rules, state->position, &cursor, &parsed);
    if (status != PLY_OK)
        return status;
    ply_cursor_skip_space(&cursor);
    if (!ply_cursor_done(&cursor))
        return ply_cursor_fail(&cursor, PLY_BAD_TEXT, "more text after the move");
    *move = parsed;
    return PLY_OK;
}

/* --- saving --------------------------------------------------------------------------------- */
/* Appends the moves and, if it is not the usual one, the position they start from. Takes the moves
 * of `state` back on the way. */
static ply_status save_from_start(ply_state *state, const ply_state *whole, ply_text *out)
{
    const ply_rules *rules = state->rules;
    ply_state usual;
    ply_status status = ply_state_init(&usual, rules);
    if (status != PLY_OK)
        return status;
    while (ply_state_undo(state))
        continue;
    ply_text text = ply_text_growing(), usual_text = ply_text_growing();
    ply_state_format(state, &text);
    ply_state_format(&usual, &usual_text);
    bool complete = ply_text_complete(&text) && ply_text_complete(&usual_text);
    ply_text_format(out, "%zu", whole->plies);
    for (size_t i = 0; i < whole->plies && status == PLY_OK; i++) {
        ply_text_char(out, ' ');
        ply_state_move_text(state, whole->moves[i], out);
        status = ply_state_play(state, whole->moves[i]);
    }
    if (strcmp(ply_text_cstr(&text), ply_text_cstr(&usual_text)) != 0)
        ply_text_format(out, " %s", ply_text_cstr(&text));
    ply_text_free(&text);
    ply_text_free(&usual_text);
    ply_state_free(&usual);
    return status == PLY_OK && !complete ? PLY_NO_MEMORY : status;
}

ply_status ply_state_save(const ply_state *state, ply_text *out)
{
    ply_state copy;
    if (!is_ready(state) || !out)
        return PLY_BAD_ARGUMENT;
    ply_status status = ply_state_copy(&copy, state);
    if (status != PLY_OK)
        return status;
    status = save_from_start(&copy, state, out);
    ply_state_free(&copy);
    return status == PLY_OK && out->failed ? PLY_NO_MEMORY : status;
}

/* Plays `count` moves, each followed by white space or the end of the text. */
static ply_status play_moves(ply_state *state, ply_cursor *cursor, uint64_t count)
{
    const ply_rules *rules = state->rules;
    ply_status status = PLY_OK;
    for (uint64_t i = 0; i < count && status == PLY_OK; i++) {
        ply_move move;
        ply_cursor_skip_space(cursor);
        ply_cursor at_move = *cursor;
        status = rules->game->parse_move(rules, state->position, cursor, &move);
        if (status == PLY_OK) {
            status = ply_state_play(state, move);
            if (status != PLY_OK)
                ply_cursor_fail(&at_move, status, "%s", ply_status_text(status));
        }
    }
    return status;
}

ply_status ply_state_load(ply_state *state, const char *text, size_t length, ply_error *error)
{
    if (!is_ready(state) || !text)
        return ply_error_set(error, PLY_BAD_ARGUMENT, "no state or no text");
    const ply_rules *rules = state->rules;
    ply_cursor cursor = ply_cursor_make(text, length, error);
    uint64_t count;
    ply_cursor_skip_space(&cursor);
    if (!ply_cursor_number(&cursor, UINT32_MAX, &count))
        return ply_cursor_fail(&cursor, PLY_BAD_TEXT, "expected the number of moves");
    /* The position comes last: pass over the moves to find it. */
    ply_cursor at_position = cursor;
    const char *word;
    for (uint64_t i = 0; i < count; i++) {
        ply_cursor_skip_space(&at_position);
        if (ply_cursor_word(&at_position, &word) == 0)
            return ply_cursor_fail(&at_position, PLY_BAD_TEXT, "expected %zu moves", (size_t)count);
    }
    size_t end_of_moves = at_position.at;
    ply_cursor_skip_space(&at_position);
    ply_state fresh;
    ply_status status = ply_state_init(&fresh, rules);
    if (status != PLY_OK)
        return ply_error_set(error, status, "%s", ply_status_text(status));
    if (!ply_cursor_done(&at_position)) {
        ply_game_clear(rules, fresh.position);
        status = rules->game->parse(rules, fresh.position, &at_position);
        if (status != PLY_OK) { /* there is nothing to clear */
            free(fresh.position);
            fresh.position = NULL;
        }
        ply_cursor_skip_space(&at_position);
        if (status == PLY_OK && !ply_cursor_done(&at_position))
            status = ply_cursor_fail(&at_position, PLY_BAD_TEXT, "more text after the position");
    }
    cursor.length = end_of_moves;
    if (status == PLY_OK)
        status = play_moves(&fresh, &cursor, count);
    if (status == PLY_OK) {
        ply_state_free(state);
        *state = fresh;
    } else {
        ply_state_free(&fresh);
    }
    return status;
}
