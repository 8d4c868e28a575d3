/* SPDX-License-Identifier: MIT */
/* play.h - playing a move and the third occurrence of a position, for the host and for devices. */
#ifndef PLY_GAMES_NEIGHBOURS_RULES_PLAY_H
#define PLY_GAMES_NEIGHBOURS_RULES_PLAY_H

#include "games/neighbours/neighbours.h"

PLY_HD void neighbours_apply(neighbours_position *p, ply_move move)
{
    int from = neighbours_move_from(move), to = neighbours_move_to(move), side = p->side;
    uint64_t mover = neighbours_move(p->current, from, to), other = p->next;
    uint64_t key =
        p->hash ^ neighbours_side_key ^ neighbours_keys[side][from] ^ neighbours_keys[side][to];
    p->quiet++;
    if (neighbours_get(other, to)) {
        other = neighbours_toggle(other, to);
        key ^= neighbours_keys[!side][to];
        p->quiet = 0;
    }
    p->current = other;
    p->next = mover;
    p->hash = key;
    p->side = (uint8_t)!side;
}

/* Whether the position occurs for the third time with the same player to move. */
PLY_HD bool neighbours_is_third_occurrence(const neighbours_position *p,
                                           const neighbours_undo_info *undo_stack, size_t plies)
{
    int earlier = 0;
    size_t back = p->quiet < plies ? p->quiet : plies;
    for (size_t i = 2; i <= back; i += 2) {
        const neighbours_undo_info *past = &undo_stack[plies - i];
        if (past->current == p->current && past->next == p->next && ++earlier == 2)
            return true;
    }
    return false;
}

#endif
