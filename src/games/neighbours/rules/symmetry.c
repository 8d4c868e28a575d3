/* SPDX-License-Identifier: MIT */
/*
 * symmetry.c - the four symmetric images of a position.
 *
 * Mirroring left and right preserves the value of a position. So does mirroring top and bottom
 * while swapping the colours; since the boards are relative to the side to move, swapping the
 * colours only changes the side.
 */
#include "games/neighbours/neighbours.h"

/* Rows 1 and 4; rows 2 and 5; the left half of each row; the left and the middle square of each
 * half row. */
#define ROWS_OUTER 0x000FC003Fu
#define ROWS_MIDDLE 0x03F000FC0u
#define HALF_LEFT 0x1C71C71C7u
#define HALF_OUTER 0x249249249u
#define HALF_MIDDLE 0x492492492u

/* Swaps the halves of the board, then the outer rows of each half. */
uint64_t neighbours_flip_rows(uint64_t b)
{
    b = (b >> 18) | ((b << 18) & NEIGHBOURS_BOARD);
    return (b & ROWS_MIDDLE) | ((b >> 12) & ROWS_OUTER) | ((b & ROWS_OUTER) << 12);
}

/* The same within each row. */
uint64_t neighbours_mirror_files(uint64_t b)
{
    b = ((b >> 3) & HALF_LEFT) | ((b & HALF_LEFT) << 3);
    return (b & HALF_MIDDLE) | ((b >> 2) & HALF_OUTER) | ((b & HALF_OUTER) << 2);
}

void neighbours_image(const ply_rules *rules, const void *position, uint32_t i, void *out)
{
    (void)rules;
    neighbours_position p = *(const neighbours_position *)position;
    if (i & 1) {
        p.current = neighbours_mirror_files(p.current);
        p.next = neighbours_mirror_files(p.next);
    }
    if (i & 2) {
        p.current = neighbours_flip_rows(p.current);
        p.next = neighbours_flip_rows(p.next);
        p.side = !p.side;
    }
    neighbours_finish(&p);
    *(neighbours_position *)out = p;
}

void neighbours_base_state(const ply_rules *rules, const void *position, void *out)
{
    (void)rules;
    const neighbours_position *p = position;
    neighbours_position base = {.current = p->current, .next = p->next};
    if (p->side) {
        base.current = neighbours_flip_rows(base.current);
        base.next = neighbours_flip_rows(base.next);
    }
    uint64_t current = neighbours_mirror_files(base.current);
    uint64_t next = neighbours_mirror_files(base.next);
    if (current < base.current || (current == base.current && next < base.next)) {
        base.current = current;
        base.next = next;
    }
    neighbours_finish(&base);
    *(neighbours_position *)out = base;
}
