/* SPDX-License-Identifier: MIT */
/* write.c - how hard a puzzle is, and its text; see puzzle.h. */
#include "core/text/json_write.h"
#include "model/variation.h"
#include "puzzle/puzzle.h"
#include <string.h>

int ply_puzzle_difficulty(const ply_rules *rules, const ply_puzzle *p)
{
    if (rules->game->multi_move_turns)
        return p->length == 1 ? 1 + (p->choices > 60) + (p->choices > 200)
                              : 3 + (p->choices > 30) + (p->length > 2);
    return 1 + (p->length > 3) + (p->length > 5) + (p->length > 7 || p->nodes > 5000) +
           (p->length > 11 || p->nodes > 50000);
}

void ply_puzzle_write(const ply_rules *rules, const ply_goal *goal, const ply_puzzle *puzzle,
                      ply_text *out)
{
    ply_text variant = ply_text_growing(), moves = ply_text_growing();
    ply_state state;
    ply_rules_format(rules, &variant);
    if (ply_state_init(&state, rules) == PLY_OK) {
        if (ply_state_parse(&state, puzzle->position, strlen(puzzle->position), NULL) == PLY_OK)
            ply_variation_format(&state, puzzle->solution, puzzle->moves, NULL, &moves);
        ply_state_free(&state);
    }
    ply_json_open(out, '{');
    ply_json_member_string(out, "game", rules->game->id);
    ply_json_member_string(out, "variant", ply_text_cstr(&variant));
    ply_json_member_string(out, "goal", goal->id);
    ply_json_member_string(out, "position", puzzle->position);
    ply_json_member_unsigned(out, rules->game->multi_move_turns ? "turns" : "plies",
                             puzzle->length);
    ply_json_member_signed(out, "difficulty", ply_puzzle_difficulty(rules, puzzle));
    ply_json_member_string(out, "solution", ply_text_cstr(&moves));
    ply_json_close(out, '}');
    ply_text_free(&variant);
    ply_text_free(&moves);
}
