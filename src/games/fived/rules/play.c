/* SPDX-License-Identifier: MIT */
/*
 * play.c - playing moves: new boards at the ends of timelines. Compiled for devices, too.
 *
 * Arrays of boards grow and never shrink, and boards that are taken back go to a free list of the
 * position. After a while playing and undoing allocate nothing. On a device they never do: positions
 * have all the memory they will need from the start (learn/bounded.h).
 */
#include "games/fived/rules/play.h"
#include <stdlib.h>
#include <string.h>

/* --- memory --------------------------------------------------------------------------------- */
PLY_SHARED fived_board *fived_new_board(void)
{
#ifdef __CUDACC__
    return NULL;
#else
    return aligned_alloc(alignof(fived_board), sizeof(fived_board));
#endif
}

PLY_SHARED void *fived_enlarge(void *memory, size_t bytes)
{
#ifdef __CUDACC__
    return NULL;
#else
    return realloc(memory, bytes);
#endif
}

PLY_HD_EXTERN fived_board *fived_board_alloc(fived_multiverse *multiverse)
{
    fived_board *board = multiverse->free;
    if (board) {
        memcpy(&multiverse->free, board->square, sizeof(void *));
        multiverse->free_count--;
        return board;
    }
    return fived_new_board();
}

PLY_HD_EXTERN void fived_board_recycle(fived_multiverse *multiverse, fived_board *board)
{
    memcpy(board->square, &multiverse->free, sizeof(void *));
    multiverse->free = board;
    multiverse->free_count++;
}

PLY_HD_EXTERN ply_status fived_reserve_timelines(fived_multiverse *multiverse, uint32_t count)
{
    if (count <= multiverse->timeline_room)
        return PLY_OK;
    uint32_t room = multiverse->timeline_room ? multiverse->timeline_room : 8;
    while (room < count)
        room *= 2;
    fived_timeline *timelines =
        (fived_timeline *)fived_enlarge(multiverse->timelines, room * sizeof *timelines);
    if (!timelines)
        return PLY_NO_MEMORY;
    for (uint32_t u = multiverse->timeline_room; u < room; u++)
        timelines[u] = (fived_timeline){.start = 0, .end = -1};
    multiverse->timelines = timelines;
    multiverse->timeline_room = room;
    return PLY_OK;
}

PLY_HD_EXTERN ply_status fived_reserve_boards(fived_timeline *timeline, uint32_t count)
{
    if (count <= timeline->room)
        return PLY_OK;
    uint32_t room = timeline->room ? timeline->room * 2 : 16;
    while (room < count)
        room *= 2;
    fived_board **row = (fived_board **)fived_enlarge(timeline->boards, room * sizeof *row);
    if (!row)
        return PLY_NO_MEMORY;
    timeline->boards = row;
    timeline->room = room;
    return PLY_OK;
}

PLY_HD_EXTERN ply_status fived_reserve_next(fived_position *p, int l, bool fresh)
{
    unsigned u = fived_l_to_u(l);
    ply_status status = fived_reserve_timelines(p->multiverse, u + 1);
    if (status != PLY_OK)
        return status;
    fived_timeline *timeline = &p->multiverse->timelines[u];
    return fived_reserve_boards(timeline,
                                fresh ? 1 : (uint32_t)(timeline->end - timeline->start + 2));
}

PLY_HD_EXTERN void fived_append(fived_position *p, int l, int v, fived_board *board, bool fresh)
{
    fived_timeline *timeline = &p->multiverse->timelines[fived_l_to_u(l)];
    if (fresh) {
        timeline->start = v;
        timeline->end = v - 1;
    }
    fived_set_references(board, 1);
    timeline->end++;
    timeline->boards[timeline->end - timeline->start] = board;
    p->board_count++;
    p->hash += fived_board_key(board->hash, l, v);
}

/* --- the present ---------------------------------------------------------------------------- */
PLY_HD_EXTERN int fived_position_present(const fived_position *p)
{
    int lo, hi, present = INT32_MAX;
    fived_active_range(p, p->hi - p->start_hi, p->start_lo - p->lo, &lo, &hi);
    for (int l = lo; l <= hi; l++) {
        int end = fived_position_timeline(p, l)->end;
        present = end < present ? end : present;
    }
    return present;
}

/* --- moves ---------------------------------------------------------------------------------- */
PLY_HD_EXTERN enum fived_move_type fived_move_type_of(const fived_position *p, ply_move move)
{
    if (move == FIVED_SUBMIT)
        return FIVED_SUBMITTED;
    fived_location from = fived_move_from(move), to = fived_move_to(move);
    if (from.l == to.l && from.t == to.t)
        return FIVED_PHYSICAL;
    int v = fived_tc_to_v(to.t, p->side);
    return fived_position_timeline(p, to.l)->end == v ? FIVED_HOP : FIVED_BRANCH;
}

PLY_HD_EXTERN ply_status fived_play(const ply_rules *rules, void *position, ply_move move,
                                    void *undo)
{
    fived_position *p = (fived_position *)position;
    fived_undo_info *r = (fived_undo_info *)undo;
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
    ply_status status = fived_reserve_next(p, from.l, false);
    if (status == PLY_OK && jumps)
        status = fived_reserve_next(p, timeline, fresh);
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
    fived_append(p, from.l, from_v + 1, first, false);
    if (jumps)
        fived_append(p, timeline, to_v + 1, second, fresh);
    if (fresh && p->side)
        p->lo--;
    else if (fresh)
        p->hi++;
    return PLY_OK;
}
