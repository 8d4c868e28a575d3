/* SPDX-License-Identifier: MIT */
/*
 * position.c - the multiverse: timelines of shared boards; copying it, and taking moves back.
 */
#include "games/fived/rules/play.h"
#include "games/fived/turns/turn_query.h"
#include <stdlib.h>
#include <string.h>

/* --- the multiverse ------------------------------------------------------------------------- */
static void drop_reference(fived_multiverse *multiverse, fived_board *board)
{
    /*
     * Copies of the position may be on other threads. Who drops the last reference gets the board.
     */
    if (atomic_fetch_sub_explicit(&board->references, 1, memory_order_acq_rel) == 1)
        fived_board_recycle(multiverse, board);
}

/* --- positions ------------------------------------------------------------------------------ */
ply_status fived_position_init(fived_position *p, int width, int height)
{
    memset(p, 0, sizeof *p);
    p->multiverse = calloc(1, sizeof *p->multiverse);
    if (!p->multiverse)
        return PLY_NO_MEMORY;
    p->width = (uint8_t)width;
    p->height = (uint8_t)height;
    uint64_t row = ((uint64_t)1 << width) - 1;
    for (int y = 0; y < height; y++)
        p->valid |= row << (8 * y);
    p->lo = 1; /* no timelines yet */
    return PLY_OK;
}

/* Removes the last board of a timeline. */
static void retract(fived_position *p, int l)
{
    fived_timeline *timeline = &p->multiverse->timelines[fived_l_to_u(l)];
    drop_reference(p->multiverse, timeline->boards[timeline->end - timeline->start]);
    timeline->end--;
    p->board_count--;
}

ply_status fived_position_append(fived_position *p, int l, int v, fived_board *board)
{
    bool fresh = p->lo > p->hi || l < p->lo || l > p->hi;
    p->multiverse->version++;
    ply_status status = fived_reserve_next(p, l, fresh);
    if (status != PLY_OK)
        return status;
    fived_append(p, l, v, board, fresh);
    if (p->lo > p->hi) {
        p->lo = p->hi = (int16_t)l;
    } else {
        p->lo = l < p->lo ? (int16_t)l : p->lo;
        p->hi = l > p->hi ? (int16_t)l : p->hi;
    }
    return PLY_OK;
}

void fived_clear(const ply_rules *rules, void *position)
{
    (void)rules;
    fived_position *p = position;
    fived_multiverse *multiverse = p->multiverse;
    for (int l = p->lo; l <= p->hi; l++) {
        fived_timeline *timeline = &multiverse->timelines[fived_l_to_u(l)];
        for (int v = timeline->start; v <= timeline->end; v++)
            drop_reference(multiverse, timeline->boards[v - timeline->start]);
    }
    while (multiverse->free)
        free(fived_board_alloc(multiverse));
    for (uint32_t u = 0; u < multiverse->timeline_room; u++)
        free(multiverse->timelines[u].boards);
    free(multiverse->timelines);
    fived_turn_query_delete(atomic_load(&multiverse->query));
    free(multiverse);
    p->multiverse = NULL;
}

ply_status fived_copy(const ply_rules *rules, void *to, const void *from)
{
    const fived_position *p = from;
    fived_position *q = to;
    ply_status status = fived_position_init(q, p->width, p->height);
    if (status != PLY_OK)
        return status;
    for (int l = p->lo; l <= p->hi && status == PLY_OK; l++) {
        const fived_timeline *timeline = fived_position_timeline(p, l);
        uint32_t count = (uint32_t)(timeline->end - timeline->start + 1);
        status = fived_reserve_timelines(q->multiverse, fived_l_to_u(l) + 1);
        if (status != PLY_OK)
            break;
        fived_timeline *mine = &q->multiverse->timelines[fived_l_to_u(l)];
        status = fived_reserve_boards(mine, count);
        if (status != PLY_OK)
            break;
        memcpy(mine->boards, timeline->boards, count * sizeof *timeline->boards);
        mine->start = timeline->start;
        mine->end = timeline->end;
        for (uint32_t i = 0; i < count; i++)
            atomic_fetch_add_explicit(&mine->boards[i]->references, 1, memory_order_relaxed);
        q->lo = p->lo;
        q->hi = (int16_t)l; /* what clear releases if a later step fails */
    }
    if (status != PLY_OK) {
        fived_clear(rules, q);
        return status;
    }
    fived_multiverse *multiverse = q->multiverse;
    *q = *p;
    q->multiverse = multiverse;
    return PLY_OK;
}

size_t fived_position_bytes(const fived_position *p)
{
    size_t bytes = sizeof *p->multiverse + p->multiverse->timeline_room * sizeof(fived_timeline);
    for (uint32_t u = 0; u < p->multiverse->timeline_room; u++)
        bytes += p->multiverse->timelines[u].room * sizeof(fived_board *);
    return bytes + (p->board_count + p->multiverse->free_count) * sizeof(fived_board);
}

uint16_t fived_promotion_kinds(int32_t option, uint16_t kinds)
{
    static const uint8_t listed[8] = {FIVED_QUEEN,  FIVED_ROOK,       FIVED_BISHOP,
                                      FIVED_KNIGHT, FIVED_PRINCESS,   FIVED_UNICORN,
                                      FIVED_DRAGON, FIVED_COMMON_KING};
    uint16_t result = 0;
    for (int i = 0; i < 8; i++)
        if (option >> i & 1)
            result = (uint16_t)(result | (1u << listed[i]));
    if (option == 0) /* every kind on the boards except pawns and royal pieces */
        for (int i = 0; i < 8; i++)
            result = (uint16_t)(result | (kinds & (1u << listed[i])));
    return result ? result : 1u << FIVED_QUEEN;
}

int fived_side(const ply_rules *rules, const void *position)
{
    (void)rules;
    return ((const fived_position *)position)->side;
}

uint64_t fived_hash(const ply_rules *rules, const void *position)
{
    (void)rules;
    return ((const fived_position *)position)->hash;
}

uint64_t fived_compute_hash(const ply_rules *rules, const void *position)
{
    (void)rules;
    const fived_position *p = position;
    uint64_t hash = p->side ? fived_side_key : 0;
    for (unsigned u = 0; u < p->multiverse->timeline_room; u++) {
        const fived_timeline *timeline = &p->multiverse->timelines[u];
        for (int v = timeline->start; v <= timeline->end; v++) {
            uint64_t board = 0;
            for (int s = 0; s < 64; s++)
                board ^= fived_keys[timeline->boards[v - timeline->start]->square[s]][s];
            hash += fived_board_key(board, fived_u_to_l(u), v);
        }
    }
    return hash +
           ply_mix64((uint64_t)(uint32_t)(p->start_lo * 65536 + p->start_hi) ^ fived_side_key);
}

void fived_undo(const ply_rules *rules, void *position, ply_move move, const void *undo)
{
    (void)rules;
    (void)move;
    fived_position *p = position;
    const fived_undo_info *r = undo;
    p->multiverse->version++;
    p->hash = r->hash;
    if (r->type == FIVED_SUBMITTED) {
        p->side ^= 1;
        return;
    }
    if (r->type != FIVED_PHYSICAL)
        retract(p, r->to_timeline);
    retract(p, r->from_timeline);
    if (r->type == FIVED_BRANCH && p->side)
        p->lo++;
    else if (r->type == FIVED_BRANCH)
        p->hi--;
}
