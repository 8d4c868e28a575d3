/* SPDX-License-Identifier: MIT */
/*
 * position.c - the multiverse: timelines of shared boards; playing moves and taking them back.
 *
 * Arrays of boards grow and never shrink, and boards that are taken back go to a free list of the
 * position. After a while playing and undoing allocate nothing.
 */
#include "games/fived/turns/turn_query.h"
#include <stdlib.h>
#include <string.h>

/* --- the multiverse ------------------------------------------------------------------------- */
fived_board *fived_board_alloc(fived_multiverse *multiverse)
{
    fived_board *board = multiverse->free;
    if (board) {
        memcpy(&multiverse->free, board->square, sizeof(void *));
        multiverse->free_count--;
        return board;
    }
    return aligned_alloc(alignof(fived_board), sizeof(fived_board));
}

void fived_board_recycle(fived_multiverse *multiverse, fived_board *board)
{
    memcpy(board->square, &multiverse->free, sizeof(void *));
    multiverse->free = board;
    multiverse->free_count++;
}

static void drop_reference(fived_multiverse *multiverse, fived_board *board)
{
    /*
     * Copies of the position may be on other threads. Who drops the last reference gets the board.
     */
    if (atomic_fetch_sub_explicit(&board->references, 1, memory_order_acq_rel) == 1)
        fived_board_recycle(multiverse, board);
}

static ply_status reserve_timelines(fived_multiverse *multiverse, uint32_t count)
{
    if (count <= multiverse->timeline_room)
        return PLY_OK;
    uint32_t room = multiverse->timeline_room ? multiverse->timeline_room : 8;
    while (room < count)
        room *= 2;
    fived_timeline *timelines = realloc(multiverse->timelines, room * sizeof *timelines);
    if (!timelines)
        return PLY_NO_MEMORY;
    for (uint32_t u = multiverse->timeline_room; u < room; u++)
        timelines[u] = (fived_timeline){.start = 0, .end = -1};
    multiverse->timelines = timelines;
    multiverse->timeline_room = room;
    return PLY_OK;
}

static ply_status reserve_boards(fived_timeline *timeline, uint32_t count)
{
    if (count <= timeline->room)
        return PLY_OK;
    uint32_t room = timeline->room ? timeline->room * 2 : 16;
    while (room < count)
        room *= 2;
    fived_board **row = realloc(timeline->boards, room * sizeof *row);
    if (!row)
        return PLY_NO_MEMORY;
    timeline->boards = row;
    timeline->room = room;
    return PLY_OK;
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

/* Makes room for one more board at the end of timeline l; fresh: it is a new timeline. */
static ply_status reserve_next(fived_position *p, int l, bool fresh)
{
    unsigned u = fived_l_to_u(l);
    ply_status status = reserve_timelines(p->multiverse, u + 1);
    if (status != PLY_OK)
        return status;
    fived_timeline *timeline = &p->multiverse->timelines[u];
    return reserve_boards(timeline, fresh ? 1 : (uint32_t)(timeline->end - timeline->start + 2));
}

/* Appends a board; reserve_next has made room. */
static void append(fived_position *p, int l, int v, fived_board *board, bool fresh)
{
    fived_timeline *timeline = &p->multiverse->timelines[fived_l_to_u(l)];
    if (fresh) {
        timeline->start = v;
        timeline->end = v - 1;
    }
    atomic_store_explicit(&board->references, 1, memory_order_relaxed);
    timeline->end++;
    timeline->boards[timeline->end - timeline->start] = board;
    p->board_count++;
    p->hash += fived_board_key(board->hash, l, v);
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
    ply_status status = reserve_next(p, l, fresh);
    if (status != PLY_OK)
        return status;
    append(p, l, v, board, fresh);
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
        status = reserve_timelines(q->multiverse, fived_l_to_u(l) + 1);
        if (status != PLY_OK)
            break;
        fived_timeline *mine = &q->multiverse->timelines[fived_l_to_u(l)];
        status = reserve_boards(mine, count);
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

int fived_position_present(const fived_position *p)
{
    int lo, hi, present = INT32_MAX;
    fived_active_range(p, p->hi - p->start_hi, p->start_lo - p->lo, &lo, &hi);
    for (int l = lo; l <= hi; l++) {
        int end = fived_position_timeline(p, l)->end;
        present = end < present ? end : present;
    }
    return present;
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

/* --- moves ---------------------------------------------------------------------------------- */
enum fived_move_type fived_move_type_of(const fived_position *p, ply_move move)
{
    if (move == FIVED_SUBMIT)
        return FIVED_SUBMITTED;
    fived_location from = fived_move_from(move), to = fived_move_to(move);
    if (from.l == to.l && from.t == to.t)
        return FIVED_PHYSICAL;
    int v = fived_tc_to_v(to.t, p->side);
    return fived_position_timeline(p, to.l)->end == v ? FIVED_HOP : FIVED_BRANCH;
}

ply_status fived_play(const ply_rules *rules, void *position, ply_move move, void *undo)
{
    fived_position *p = position;
    fived_undo_info *r = undo;
    p->multiverse->version++;
    memset(r, 0, sizeof *r);
    r->hash = p->hash;
    r->type = fived_move_type_of(p, move);
    if (move == FIVED_SUBMIT) {
        p->side ^= 1;
        ply_status status = fived_position_check_size(rules, p);
        if (status != PLY_OK) {
            p->side ^= 1;
            p->multiverse->version++;
            return status;
        }
        p->hash += p->side ? fived_side_key : -fived_side_key;
        return PLY_OK;
    }
    fived_location from = fived_move_from(move), to = fived_move_to(move);
    int from_v = fived_tc_to_v(from.t, p->side), to_v = fived_tc_to_v(to.t, p->side);
    int from_square = from.x + 8 * from.y, to_square = to.x + 8 * to.y;
    bool jumps = r->type != FIVED_PHYSICAL, fresh = r->type == FIVED_BRANCH;
    int timeline = fresh ? (p->side ? p->lo - 1 : p->hi + 1) : to.l;
    if (from.t >= FIVED_TIME_LIMIT || timeline > FIVED_TIMELINE_LIMIT ||
        timeline < -FIVED_TIMELINE_LIMIT)
        return PLY_LIMIT;
    r->from_timeline = (int16_t)from.l;
    r->to_timeline = (int16_t)timeline;
    ply_status status = reserve_next(p, from.l, false);
    if (status == PLY_OK && jumps)
        status = reserve_next(p, timeline, fresh);
    fived_board *first = status == PLY_OK ? fived_board_alloc(p->multiverse) : NULL;
    fived_board *second = first && jumps ? fived_board_alloc(p->multiverse) : NULL;
    if (!first || (jumps && !second)) {
        if (first)
            fived_board_recycle(p->multiverse, first);
        return PLY_NO_MEMORY;
    }
    const fived_board *source = fived_position_board(p, from.l, from_v);
    if (jumps) {
        fived_board_leave(first, source, from_square);
        fived_board_arrive(second, fived_position_board(p, to.l, to_v), to_square,
                           source->square[from_square], fived_move_promotion(move));
    } else {
        fived_board_after(first, source, from_square, to_square, fived_move_promotion(move));
    }
    append(p, from.l, from_v + 1, first, false);
    if (jumps)
        append(p, timeline, to_v + 1, second, fresh);
    if (fresh && p->side)
        p->lo--;
    else if (fresh)
        p->hi++;
    return PLY_OK;
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
