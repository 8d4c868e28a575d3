/* SPDX-License-Identifier: MIT */
/* variation.c - see variation.h. */
#include "model/variation.h"

void ply_move_format(const ply_state *state, ply_move move, ply_text *out)
{
    state->rules->game->format_move(state->rules, state->position, move, out);
}

/* Plays the moves on `state`, which is the caller's copy. */
static ply_status format_and_play(ply_state *state, const ply_move *moves, size_t count,
                                  ply_move_formatter *format, ply_text *out)
{
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            ply_text_char(out, ' ');
        (format ? format : ply_move_format)(state, moves[i], out);
        ply_status status = ply_state_play(state, moves[i]);
        if (status != PLY_OK)
            return status;
    }
    return out->failed ? PLY_NO_MEMORY : PLY_OK;
}

ply_status ply_variation_format(const ply_state *from, const ply_move *moves, size_t count,
                                ply_move_formatter *format, ply_text *out)
{
    ply_state state;
    ply_status status = ply_state_copy(&state, from);
    if (status != PLY_OK)
        return status;
    status = format_and_play(&state, moves, count, format, out);
    ply_state_free(&state);
    return status;
}

ply_status ply_state_format_moves(const ply_state *from, ply_move_formatter *format, ply_text *out)
{
    ply_state state;
    ply_status status = ply_state_copy(&state, from);
    if (status != PLY_OK)
        return status;
    while (ply_state_undo(&state))
        continue;
    status = format_and_play(&state, from->moves, from->plies, format, out);
    ply_state_free(&state);
    return status;
}
