/* SPDX-License-Identifier: MIT */
/*
 * position.c - the multiverse: lines of shared boards; playing and taking back.
 *
 * Rows grow and never shrink, and boards that were taken back wait in a list of the position's
 * own, so that after a while playing and taking back allocate nothing.
 */
#include "games/fived/fived.h"
#include <stdlib.h>
#include <string.h>

/* --- the store ------------------------------------------------------------------------------ */
fived_board *fived_store_take(fived_store *store)
{
    fived_board *board = store->free;
    if (board) {
        memcpy(&store->free, board->square, sizeof(void *));
        store->free_count--;
        return board;
    }
    return aligned_alloc(alignof(fived_board), sizeof(fived_board));
}

void fived_store_give(fived_store *store, fived_board *board)
{
    memcpy(board->square, &store->free, sizeof(void *));
    store->free = board;
    store->free_count++;
}

static void drop_reference(fived_store *store, fived_board *board)
{
    /* Copies of a position may be on other threads: the last one to let go keeps the board. */
    if (__atomic_sub_fetch(&board->references, 1, __ATOMIC_ACQ_REL) == 0)
        fived_store_give(store, board);
}

static ply_status reserve_lines(fived_store *store, uint32_t count)
{
    if (count <= store->line_room)
        return PLY_OK;
    uint32_t room = store->line_room ? store->line_room : 8;
    while (room < count)
        room *= 2;
    fived_line *lines = realloc(store->lines, room * sizeof *lines);
    if (!lines)
        return PLY_NO_MEMORY;
    for (uint32_t u = store->line_room; u < room; u++)
        lines[u] = (fived_line){.start = 0, .end = -1};
    store->lines = lines;
    store->line_room = room;
    return PLY_OK;
}

static ply_status reserve_row(fived_line *line, uint32_t count)
{
    if (count <= line->room)
        return PLY_OK;
    uint32_t room = line->room ? line->room * 2 : 16;
    while (room < count)
        room *= 2;
    fived_board **row = realloc(line->row, room * sizeof *row);
    if (!row)
        return PLY_NO_MEMORY;
    line->row = row;
    line->room = room;
    return PLY_OK;
}

/* --- positions ------------------------------------------------------------------------------ */
ply_status fived_position_init(fived_position *p, int width, int height)
{
    memset(p, 0, sizeof *p);
    p->store = calloc(1, sizeof *p->store);
    if (!p->store)
        return PLY_NO_MEMORY;
    p->width = (uint8_t)width;
    p->height = (uint8_t)height;
    uint64_t row = ((uint64_t)1 << width) - 1;
    for (int y = 0; y < height; y++)
        p->valid |= row << (8 * y);
    p->lo = 1; /* no lines yet */
    return PLY_OK;
}

/* Makes room for one more board at the end of line l. */
static ply_status prepare(fived_position *p, int l, bool fresh)
{
    unsigned u = fived_l_to_u(l);
    ply_status status = reserve_lines(p->store, u + 1);
    if (status != PLY_OK)
        return status;
    fived_line *line = &p->store->lines[u];
    return reserve_row(line, fresh ? 1 : (uint32_t)(line->end - line->start + 2));
}

/* prepare has made room. */
static void append(fived_position *p, int l, int v, fived_board *board, bool fresh)
{
    fived_line *line = &p->store->lines[fived_l_to_u(l)];
    if (fresh) {
        line->start = v;
        line->end = v - 1;
    }
    board->references = 1;
    line->end++;
    line->row[line->end - line->start] = board;
    p->boards++;
    p->hash += fived_board_key(board->hash, l, v);
}

static void retract(fived_position *p, int l)
{
    fived_line *line = &p->store->lines[fived_l_to_u(l)];
    drop_reference(p->store, line->row[line->end - line->start]);
    line->end--;
    p->boards--;
}

ply_status fived_position_append(fived_position *p, int l, int v, fived_board *board)
{
    bool fresh = p->lo > p->hi || l < p->lo || l > p->hi;
    ply_status status = prepare(p, l, fresh);
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
    fived_store *store = p->store;
    for (int l = p->lo; l <= p->hi; l++) {
        fived_line *line = &store->lines[fived_l_to_u(l)];
        for (int v = line->start; v <= line->end; v++)
            drop_reference(store, line->row[v - line->start]);
    }
    while (store->free)
        free(fived_store_take(store));
    for (uint32_t u = 0; u < store->line_room; u++)
        free(store->lines[u].row);
    free(store->lines);
    free(store);
    p->store = NULL;
}

ply_status fived_copy(const ply_rules *rules, void *to, const void *from)
{
    const fived_position *p = from;
    fived_position *q = to;
    ply_status status = fived_position_init(q, p->width, p->height);
    if (status != PLY_OK)
        return status;
    for (int l = p->lo; l <= p->hi && status == PLY_OK; l++) {
        const fived_line *line = fived_position_line(p, l);
        uint32_t count = (uint32_t)(line->end - line->start + 1);
        status = reserve_lines(q->store, fived_l_to_u(l) + 1);
        if (status != PLY_OK)
            break;
        fived_line *mine = &q->store->lines[fived_l_to_u(l)];
        status = reserve_row(mine, count);
        if (status != PLY_OK)
            break;
        memcpy(mine->row, line->row, count * sizeof *line->row);
        mine->start = line->start;
        mine->end = line->end;
        for (uint32_t i = 0; i < count; i++)
            __atomic_add_fetch(&mine->row[i]->references, 1, __ATOMIC_RELAXED);
        q->lo = p->lo;
        q->hi = (int16_t)l; /* what clear gives back if we fail on the way */
    }
    if (status != PLY_OK) {
        fived_clear(rules, q);
        return status;
    }
    fived_store *store = q->store;
    *q = *p;
    q->store = store;
    return PLY_OK;
}

size_t fived_position_bytes(const fived_position *p)
{
    size_t bytes = sizeof *p->store + p->store->line_room * sizeof(fived_line);
    for (uint32_t u = 0; u < p->store->line_room; u++)
        bytes += p->store->lines[u].room * sizeof(fived_board *);
    return bytes + (p->boards + p->store->free_count) * sizeof(fived_board);
}

int fived_position_present(const fived_position *p)
{
    int lo, hi, present = INT32_MAX;
    fived_active_range(p, p->hi - p->hi0, p->lo0 - p->lo, &lo, &hi);
    for (int l = lo; l <= hi; l++) {
        int end = fived_position_line(p, l)->end;
        present = end < present ? end : present;
    }
    return present;
}

uint16_t fived_becoming(int32_t option, uint16_t kinds)
{
    static const uint8_t listed[8] = {FIVED_QUEEN,  FIVED_ROOK,       FIVED_BISHOP,
                                      FIVED_KNIGHT, FIVED_PRINCESS,   FIVED_UNICORN,
                                      FIVED_DRAGON, FIVED_COMMON_KING};
    uint16_t result = 0;
    for (int i = 0; i < 8; i++)
        if (option >> i & 1)
            result = (uint16_t)(result | (1u << listed[i]));
    if (option == 0) /* whatever stands on the boards, but pawns and royal pieces */
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
    for (int l = p->lo; l <= p->hi; l++) {
        const fived_line *line = fived_position_line(p, l);
        for (int v = line->start; v <= line->end; v++) {
            uint64_t board = 0;
            for (int s = 0; s < 64; s++)
                board ^= fived_keys[line->row[v - line->start]->square[s]][s];
            hash += fived_board_key(board, l, v);
        }
    }
    return hash + ply_mix64((uint64_t)(uint32_t)(p->lo0 * 65536 + p->hi0) ^ fived_side_key);
}

/* --- moves ---------------------------------------------------------------------------------- */
enum fived_move_type fived_move_type_of(const fived_position *p, ply_move move)
{
    if (move == FIVED_SUBMIT)
        return FIVED_SUBMITTED;
    fived_spot from = fived_move_from(move), to = fived_move_to(move);
    if (from.l == to.l && from.t == to.t)
        return FIVED_PHYSICAL;
    int v = fived_tc_to_v(to.t, p->side);
    return fived_position_line(p, to.l)->end == v ? FIVED_HOP : FIVED_BRANCH;
}

ply_status fived_play(const ply_rules *rules, void *position, ply_move move, void *undo)
{
    fived_position *p = position;
    fived_undo_info *r = undo;
    memset(r, 0, sizeof *r);
    r->hash = p->hash;
    r->kind = fived_move_type_of(p, move);
    if (move == FIVED_SUBMIT) {
        p->side ^= 1;
        if (!fived_position_fits(rules, p)) {
            p->side ^= 1;
            return PLY_LIMIT;
        }
        p->hash += p->side ? fived_side_key : -fived_side_key;
        return PLY_OK;
    }
    fived_spot from = fived_move_from(move), to = fived_move_to(move);
    int from_v = fived_tc_to_v(from.t, p->side), to_v = fived_tc_to_v(to.t, p->side);
    int from_square = from.x + 8 * from.y, to_square = to.x + 8 * to.y;
    bool jumps = r->kind != FIVED_PHYSICAL, fresh = r->kind == FIVED_BRANCH;
    int line = fresh ? (p->side ? p->lo - 1 : p->hi + 1) : to.l;
    if (from.t >= FIVED_TIME_LIMIT || line > FIVED_LINE_LIMIT || line < -FIVED_LINE_LIMIT)
        return PLY_LIMIT;
    r->from_line = (int16_t)from.l;
    r->to_line = (int16_t)line;
    ply_status status = prepare(p, from.l, false);
    if (status == PLY_OK && jumps)
        status = prepare(p, line, fresh);
    fived_board *first = status == PLY_OK ? fived_store_take(p->store) : NULL;
    fived_board *second = first && jumps ? fived_store_take(p->store) : NULL;
    if (!first || (jumps && !second)) {
        if (first)
            fived_store_give(p->store, first);
        return PLY_NO_MEMORY;
    }
    const fived_board *source = fived_position_board(p, from.l, from_v);
    if (jumps) {
        fived_board_leave(first, source, from_square);
        fived_board_arrive(second, fived_position_board(p, to.l, to_v), to_square,
                           source->square[from_square], fived_move_becomes(move));
    } else {
        fived_board_after(first, source, from_square, to_square, fived_move_becomes(move));
    }
    append(p, from.l, from_v + 1, first, false);
    if (jumps)
        append(p, line, to_v + 1, second, fresh);
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
    p->hash = r->hash;
    if (r->kind == FIVED_SUBMITTED) {
        p->side ^= 1;
        return;
    }
    if (r->kind != FIVED_PHYSICAL)
        retract(p, r->to_line);
    retract(p, r->from_line);
    if (r->kind == FIVED_BRANCH && p->side)
        p->lo++;
    else if (r->kind == FIVED_BRANCH)
        p->hi--;
}
