/* SPDX-License-Identifier: MIT */
/*
 * bounded.h - games of 5D chess in a fixed amount of memory, for batches on devices.
 *
 * A multiverse grows without bound and takes its boards from the heap, which a device does not have.
 * There a game has one block of memory from the start:
 *
 *     multiverse, timelines, boards      of a position within the bounds below, and of one move more
 *     query and its arrays               a turn query that never grows (fived_turn_query.is_fixed)
 *
 * A position fits if it has at most so many boards, its timelines are those that observations and
 * actions show, the player to move has at most so many candidate moves, and a search finds out with
 * limited effort which of them are legal (FIVED_METHOD_BOUNDED): a device has no SAT solver, and one
 * hard position would keep all games waiting. Batches truncate games whose positions do not fit, on
 * the host by the same test, so the games are the same. The depth of the search and its stack of ids
 * are then bounded, too: a level for each board of a turn, and each level keeps at most all physical
 * moves.
 *
 * A flat position is what the host sends: no pointers, boards by timeline.
 */
#ifndef PLY_GAMES_FIVED_LEARN_BOUNDED_H
#define PLY_GAMES_FIVED_LEARN_BOUNDED_H

#include "games/fived/learn/learning.h"
#include "games/fived/turns/turn_query.h"

enum {
    FIVED_BOUND_BOARDS = 128,
    FIVED_BOUND_TIMELINES = FIVED_SLOTS,
    FIVED_BOUND_PHYSICAL = 1024,
    FIVED_BOUND_JUMPS = 4096,
    FIVED_BOUND_EFFORT =
        20000, /* exceeded by one in 25,000 of random positions with up to 128 boards */
    FIVED_BOUND_LEVELS = 2 * FIVED_BOUND_TIMELINES + 2,
    FIVED_BOUND_IDS = FIVED_BOUND_PHYSICAL * (FIVED_BOUND_LEVELS + 1) + 1,
    FIVED_BOUND_ROWS = FIVED_BOUND_TIMELINES + 2, /* by u, after one move more */
    FIVED_BOUND_POOL = FIVED_BOUND_BOARDS + 2,    /* the same for boards */
};

typedef struct fived_flat_position {
    fived_position head;                                    /* without a multiverse */
    int32_t start[FIVED_BOUND_ROWS], end[FIVED_BOUND_ROWS]; /* by u */
    fived_board boards[FIVED_BOUND_POOL];
} fived_flat_position;

typedef struct fived_bounded_game {
    fived_multiverse multiverse; /* first: a position leads here */
    fived_timeline timelines[FIVED_BOUND_ROWS];
    fived_board *rows[FIVED_BOUND_ROWS][FIVED_BOUND_POOL];
    fived_board boards[FIVED_BOUND_POOL];
    fived_turn_query query;
    fived_board turn_boards[2 * FIVED_BOUND_TIMELINES];
    fived_axis axes[FIVED_BOUND_TIMELINES];
    fived_view_timeline view_timelines[2 * FIVED_BOUND_TIMELINES];
    fived_domain *levels[FIVED_BOUND_LEVELS];
    fived_domain domains[FIVED_BOUND_LEVELS][FIVED_BOUND_TIMELINES];
    fived_jump jumps[FIVED_BOUND_JUMPS];
    fived_physical physical[FIVED_BOUND_PHYSICAL];
    fived_choice choices[2 * FIVED_BOUND_TIMELINES + 1];
    uint32_t hop_index[FIVED_BOUND_JUMPS], ids[FIVED_BOUND_IDS];
    uint32_t preferred[FIVED_BOUND_TIMELINES], safe_base[2 * FIVED_BOUND_TIMELINES];
    int32_t new_timeline[FIVED_BOUND_TIMELINES], limit[FIVED_BOUND_TIMELINES];
    int axis_of[2 * FIVED_BOUND_TIMELINES];
    uint8_t required[FIVED_BOUND_TIMELINES], state[FIVED_BOUND_TIMELINES];
    uint8_t must[FIVED_BOUND_TIMELINES], left_from[FIVED_BOUND_TIMELINES];
    uint8_t filled[FIVED_BOUND_TIMELINES], safe[FIVED_BOUND_POOL];
    uint8_t viable[FIVED_BOUND_PHYSICAL + FIVED_BOUND_JUMPS + 1];
    /* Which words of the game's mask, of half a million bits, are not 0; one may be listed twice. */
    uint32_t mask_words[FIVED_BOUND_PHYSICAL + FIVED_BOUND_JUMPS + 1], mask_count;
} fived_bounded_game;

/* Whether boards and timelines fit; candidate moves come on top of that. */
PLY_HD bool fived_multiverse_fits(const fived_position *p, size_t boards)
{
    if (p->board_count > boards || p->lo < -FIVED_MIDDLE || p->hi > FIVED_MIDDLE)
        return false;
    for (int l = p->lo; l <= p->hi; l++)
        if (fived_position_timeline(p, l)->end / 2 + 1 >= FIVED_TIME_LIMIT)
            return false;
    return true;
}

/* Marks the legal moves of a query that has just been prepared; false if that takes too much effort.
 */
PLY_HD bool fived_bounded_mark(fived_turn_query *q, uint64_t effort)
{
    q->effort.method = FIVED_METHOD_BOUNDED;
    q->effort.bound = effort;
    q->reuse.marked = fived_turn_query_mark_viable(q);
    return !q->effort.gave_up;
}

/* --- on a device ------------------------------------------------------------------------------ */
/* Points the query of a game to its arrays. */
PLY_HD void fived_bounded_init(fived_bounded_game *m)
{
    fived_turn_query *q = &m->query;
    memset(q, 0, sizeof *q);
    q->is_fixed = true;
    q->axis_room = FIVED_BOUND_TIMELINES;
    q->timeline_room = 2 * FIVED_BOUND_TIMELINES;
    q->board_room = FIVED_BOUND_POOL;
    q->view.timelines = m->view_timelines;
    q->candidates.axes = m->axes;
    q->candidates.axis_of = m->axis_of;
    q->candidates.physical = m->physical;
    q->candidates.jumps = m->jumps;
    q->candidates.hop_index = m->hop_index;
    q->candidates.safe = m->safe;
    q->candidates.safe_base = m->safe_base;
    q->candidates.physical_room = FIVED_BOUND_PHYSICAL;
    q->candidates.jump_room = q->candidates.hop_room = FIVED_BOUND_JUMPS;
    q->domains.levels = m->levels;
    q->domains.ids = m->ids;
    q->domains.preferred = m->preferred;
    q->domains.level_room = FIVED_BOUND_LEVELS;
    q->domains.id_room = FIVED_BOUND_IDS;
    q->present.required = m->required;
    q->partial.boards = m->turn_boards;
    q->partial.state = m->state;
    q->partial.must = m->must;
    q->partial.left_from = m->left_from;
    q->partial.new_timeline = m->new_timeline;
    q->partial.limit = m->limit;
    q->partial.filled = m->filled;
    q->partial.choices = m->choices;
    q->marks.viable = m->viable;
    q->marks.room = sizeof m->viable;
    for (int i = 0; i < FIVED_BOUND_LEVELS; i++)
        m->levels[i] = m->domains[i];
}

/* Makes *p the flat position, in the memory of a game. */
PLY_HD void fived_bounded_place(fived_bounded_game *m, const fived_flat_position *flat,
                                fived_position *p)
{
    uint32_t used = 0;
    fived_bounded_init(m);
    *p = flat->head;
    p->multiverse = &m->multiverse;
    memset(&m->multiverse, 0, sizeof m->multiverse);
    m->multiverse.timelines = m->timelines;
    m->multiverse.timeline_room = FIVED_BOUND_ROWS;
    for (int u = 0; u < FIVED_BOUND_ROWS; u++) {
        fived_timeline *timeline = &m->timelines[u];
        timeline->boards = m->rows[u];
        timeline->start = flat->start[u];
        timeline->end = flat->end[u];
        timeline->room = FIVED_BOUND_POOL;
        for (int i = 0; i <= timeline->end - timeline->start; i++) {
            m->boards[used] = flat->boards[used];
            m->rows[u][i] = &m->boards[used++];
        }
    }
    for (uint32_t i = FIVED_BOUND_POOL; i > used; i--)
        fived_board_recycle(&m->multiverse, &m->boards[i - 1]);
}

/* The memory of the game that a position is in. */
PLY_HD fived_bounded_game *fived_bounded_of(const fived_position *p)
{
    return (fived_bounded_game *)(void *)p->multiverse;
}

/* Whether the position fits; prepares the game's query for it and marks its legal moves. */
PLY_HD bool fived_bounded_prepare(const ply_rules *rules, const fived_position *p, size_t boards)
{
    fived_turn_query *q = &fived_bounded_of(p)->query;
    return fived_multiverse_fits(p, boards) && fived_turn_query_prepare(q, rules, p) == PLY_OK &&
           fived_bounded_mark(q, FIVED_BOUND_EFFORT);
}

/* --- on the host (bounded.c) ------------------------------------------------------------------ */
extern const ply_bounded_hooks fived_bounded_hooks;

#endif
