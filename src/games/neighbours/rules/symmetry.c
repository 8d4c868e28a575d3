/* SPDX-License-Identifier: MIT */
/*
 * symmetry.c - the four variations of a position, and its base state.
 *
 * Mirroring left and right preserves the value of a position. So does mirroring top and bottom
 * while swapping the colours; since the boards are relative to the side to move, swapping the
 * colours only changes the side.
 */
#include "games/neighbours/neighbours.h"

static void write_boards(neighbours_boards boards, void *out)
{
    neighbours_position p = {
        .current = boards.current, .next = boards.next, .side = (uint8_t)boards.side};
    neighbours_finish(&p);
    *(neighbours_position *)out = p;
}

void neighbours_image(const ply_rules *rules, const void *position, uint32_t i, void *out)
{
    write_boards(neighbours_variation(neighbours_position_boards(rules, position), i), out);
}

void neighbours_canonical(const ply_rules *rules, const void *position, void *out)
{
    write_boards(neighbours_base_state(neighbours_position_boards(rules, position)), out);
}
