/* SPDX-License-Identifier: MIT */
/* bounded.c - see bounded.h: what the host does with positions within bounds. */
#include "games/fived/learn/bounded.h"
#include <string.h>

static bool fits(const ply_rules *rules, const void *position, size_t boards)
{
    fived_turn_query *q = NULL;
    if (!fived_multiverse_fits(position, boards) ||
        fived_turn_query_open(&q, rules, position) != PLY_OK)
        return false;
    bool result = q->candidates.physical_count <= FIVED_BOUND_PHYSICAL &&
                  q->candidates.jump_count <= FIVED_BOUND_JUMPS &&
                  fived_bounded_mark(q, FIVED_BOUND_EFFORT);
    q->effort.method = FIVED_METHOD_MIXED;
    if (result)
        fived_turn_query_allow_reuse(q);
    fived_turn_query_close(q);
    return result;
}

static void flatten(const ply_rules *rules, const void *position, void *out)
{
    (void)rules;
    const fived_position *p = position;
    fived_flat_position *flat = out;
    uint32_t used = 0;
    memset(flat, 0, sizeof *flat);
    flat->head = *p;
    flat->head.multiverse = NULL;
    for (unsigned u = 0; u < FIVED_BOUND_ROWS; u++) {
        int l = fived_u_to_l(u);
        flat->end[u] = -1;
        if (l < p->lo || l > p->hi)
            continue;
        const fived_timeline *timeline = fived_position_timeline(p, l);
        flat->start[u] = timeline->start;
        flat->end[u] = timeline->end;
        for (int i = 0; i <= timeline->end - timeline->start; i++)
            memcpy(&flat->boards[used++], timeline->boards[i], sizeof flat->boards[0]);
    }
}

const ply_bounded_hooks fived_bounded_hooks = {
    .max_boards = FIVED_BOUND_BOARDS,
    .fits = fits,
    .flat_bytes = sizeof(fived_flat_position),
    .device_bytes = sizeof(fived_bounded_game),
    .flatten = flatten,
};
