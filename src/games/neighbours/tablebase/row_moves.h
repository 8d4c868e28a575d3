/* SPDX-License-Identifier: MIT */
/*
 * row_moves.h - Neighbours by rows (ply_retrograde_rows in model/retrograde.h): the cells of a row
 * have one enemy set, which represents its orbit; a column is the rank of the own set among the
 * squares which that leaves free.
 *
 * Workload: several lists of moves for each of 1e10 cells. A rank is not worked out from scratch for
 * each move: moving one piece changes the shares of few.
 */
#ifndef PLY_GAMES_NEIGHBOURS_ROW_MOVES_H
#define PLY_GAMES_NEIGHBOURS_ROW_MOVES_H

#include "games/neighbours/tablebase/slots.h"
#include <string.h>

typedef struct row_state {
    const workspace *w;
    int own, enemy;                      /* pieces, as seen by the player to move in the cells */
    uint64_t base, set, free;            /* entry of `representative`; its set; the other squares */
    uint64_t images[NEIGHBOURS_IMAGES];  /* of the set */
    uint8_t place[NEIGHBOURS_SQUARES];   /* of a square among the free ones */
    uint8_t capture[NEIGHBOURS_SQUARES]; /* of a square of the set: its number there */
    /* After that capture: the row, and the places of squares among the free ones there. */
    uint32_t exit_row[NEIGHBOURS_PIECES];
    uint64_t exit_base[NEIGHBOURS_PIECES]; /* its entry of `representative` */
    uint8_t exit_image[NEIGHBOURS_PIECES]; /* maps this row's squares to its squares */
    uint8_t exit_place[NEIGHBOURS_PIECES][NEIGHBOURS_SQUARES];
} row_state;

static uint32_t row_columns(const void *handle, size_t class_index)
{
    return numbering_enemy_sets(handle, class_enemy(class_index), class_own(class_index));
}

static uint8_t place_among(uint64_t taken, int square)
{
    return (uint8_t)(square - ply_popcount(taken & (ply_bit(square) - 1)));
}

static void open_captures(row_state *r)
{
    const workspace *w = r->w;
    int k = 0;
    for (uint64_t left = r->set; left; left &= left - 1, k++) {
        uint64_t rest = r->set & ~(left & -left);
        uint32_t fold = w->fold[r->enemy - 1][numbering_rank(w, rest)];
        uint64_t base = w->representative[r->enemy - 1][fold >> FOLD_ORBIT_SHIFT];
        r->capture[ply_lowest(left)] = (uint8_t)k;
        r->exit_row[k] = fold >> FOLD_ORBIT_SHIFT;
        r->exit_base[k] = base;
        r->exit_image[k] = fold & FOLD_IMAGE;
        for (int square = 0; square < NEIGHBOURS_SQUARES; square++)
            r->exit_place[k][square] =
                place_among(base & NEIGHBOURS_BOARD, w->image[fold & FOLD_IMAGE][square]);
    }
}

static void row_open(const void *handle, size_t class_index, uint64_t row_number, void *row)
{
    const workspace *w = handle;
    row_state *r = row;
    r->w = w;
    r->own = class_own(class_index);
    r->enemy = class_enemy(class_index);
    r->base = w->representative[r->enemy][row_number];
    r->set = r->base & NEIGHBOURS_BOARD;
    r->free = NEIGHBOURS_BOARD & ~r->set;
    for (unsigned i = 0; i < NEIGHBOURS_IMAGES; i++)
        r->images[i] = numbering_image(w, i, r->set);
    for (int square = 0; square < NEIGHBOURS_SQUARES; square++)
        r->place[square] = place_among(r->set, square);
    if (r->enemy > 1)
        open_captures(r);
}

static unsigned row_weight(const void *row)
{
    const row_state *r = row;
    return NEIGHBOURS_IMAGES / (unsigned)ply_popcount(r->base >> FIXING_SHIFT);
}

static size_t row_exit_rows(const void *row, uint64_t *out)
{
    const row_state *r = row;
    if (r->enemy == 1)
        return 0;
    for (int k = 0; k < r->enemy; k++)
        out[k] = r->exit_row[k];
    return (size_t)r->enemy;
}

/* --- moves forwards --------------------------------------------------------------------------- */
/* Where the capture on square `to` leads, with the own pieces there afterwards. */
static uint64_t exit_place(const row_state *r, uint64_t own, int to)
{
    if (r->enemy == 1)
        return PLY_SLOT_NO_PIECES;
    unsigned k = r->capture[to];
    uint64_t places = 0;
    if (numbering_is_symmetric(r->exit_base[k])) { /* the file has holes there */
        unsigned times;
        uint64_t image = numbering_image(r->w, r->exit_image[k], own);
        return (uint64_t)k << 32 |
               numbering_lowest_enemy_rank(r->w, r->exit_base[k], image, &times);
    }
    for (; own; own &= own - 1)
        places |= ply_bit(r->exit_place[k][ply_lowest(own)]);
    return (uint64_t)k << 32 | numbering_rank(r->w, places);
}

/* Eight positions side by side. */
enum { ROW_LANES = 8 };
typedef uint64_t row_lanes __attribute__((vector_size(ROW_LANES * sizeof(uint64_t))));
#define T row_lanes
#define SLICES_SUFFIX _lanes
#include "games/neighbours/rules/neighbour_counts.h"

/* The number of quiet moves of each position, and the enemy pieces that might be captured. Where
 * pieces slide; neighbour_counts.h says why this counts them all. */
static inline void count_slides(const row_state *r, const uint64_t *sets, uint8_t *quiet,
                                uint64_t *captured)
{
    row_lanes own, movers[NEIGHBOURS_REACH + 1], hits = {0};
    memcpy(&own, sets, sizeof own);
    row_lanes pieces = own | r->set;
    unsigned sums[ROW_LANES] = {0};
    split_movers_lanes(own, pieces, movers);
#pragma GCC unroll 8
    for (int d = 0; d < NEIGHBOURS_DIRECTIONS; d++) {
        row_lanes empty = ~pieces & step_mask_lanes(d), moving = movers[NEIGHBOURS_REACH];
#pragma GCC unroll 4
        for (int n = NEIGHBOURS_REACH - 1; n >= 1; n--)
            moving = (step_lanes(moving, d) & empty) | movers[n];
        row_lanes landed = step_lanes(moving, d) & step_mask_lanes(d), free = landed & ~pieces;
        hits |= landed & r->set;
        for (int i = 0; i < ROW_LANES; i++)
            sums[i] += (unsigned)ply_popcount(free[i]);
    }
    memcpy(captured, &hits, sizeof hits);
    for (int i = 0; i < ROW_LANES; i++)
        quiet[i] = (uint8_t)sums[i];
}

/* The same where pieces jump; captured is not exact. */
static inline void count_jumps(const row_state *r, const uint64_t *sets, uint8_t *quiet,
                               uint64_t *captured)
{
    for (int i = 0; i < ROW_LANES; i++) {
        uint64_t pieces = sets[i] | r->set;
        unsigned sum = 0;
        for (uint64_t left = sets[i]; left; left &= left - 1) {
            int from = ply_lowest(left), distance = neighbours_distance(pieces, from);
            if (distance <= NEIGHBOURS_REACH)
                sum += (unsigned)ply_popcount(r->w->ring[from][distance] & ~pieces);
        }
        quiet[i] = (uint8_t)sum;
        captured[i] = r->set;
    }
}

/* Lists the captures of a position; returns the end of the list. captured: which pieces, at most. */
static inline uint64_t *list_captures(const row_state *r, uint64_t own, uint64_t captured,
                                      uint64_t *out)
{
    const workspace *w = r->w;
    uint64_t pieces = own | r->set;
    uint64_t blocking = w->path_rule == NEIGHBOURS_JUMP ? 0 : pieces;
    for (uint64_t left = captured ? own : 0; left; left &= left - 1) {
        int from = ply_lowest(left), distance = neighbours_distance(pieces, from);
        if (distance > NEIGHBOURS_REACH)
            continue;
        for (uint64_t to = w->ring[from][distance] & captured; to; to &= to - 1)
            if (!(w->between[from][ply_lowest(to)] & blocking))
                *out++ = exit_place(r, (own & ~ply_bit(from)) | (to & -to), ply_lowest(to));
    }
    return out;
}

static void row_exits(const void *row, uint32_t first, size_t count, uint8_t *inner_moves,
                      uint8_t *exit_counts, uint64_t *out)
{
    const row_state *r = row;
    const uint64_t *sets = r->w->sets[r->own] + first;
    const bool jumps = r->w->path_rule == NEIGHBOURS_JUMP;
    for (size_t done = 0; done < count; done += ROW_LANES) {
        uint64_t own[ROW_LANES], captured[ROW_LANES];
        uint8_t quiet[ROW_LANES];
        size_t left = count - done, lanes = left < ROW_LANES ? left : ROW_LANES;
        for (size_t i = 0; i < ROW_LANES; i++) /* lanes without a position repeat the first */
            own[i] = ply_pdep(sets[i < lanes ? done + i : done], r->free);
        if (jumps)
            count_jumps(r, own, quiet, captured);
        else
            count_slides(r, own, quiet, captured);
        for (size_t i = 0; i < lanes; i++) {
            uint64_t *end = list_captures(r, own[i], captured[i], out);
            inner_moves[done + i] = quiet[i];
            exit_counts[done + i] = (uint8_t)(end - out);
            out = end;
        }
    }
}

/* --- moves backwards -------------------------------------------------------------------------- */
/* The rank of a set with one piece taken away and another put in: with_rank is that of the others
 * if k of them are below the new one, which adds choose[k + 1][its place]. */
typedef struct moved_ranks {
    uint32_t with_rank[NEIGHBOURS_PIECES];
} moved_ranks;

/* ranks[t]: with piece t taken away from the set of places. */
static inline void rank_moved(const workspace *w, uint64_t places, int count,
                              moved_ranks ranks[NEIGHBOURS_PIECES])
{
    /* The share of each piece in its order, one lower and one higher. */
    uint32_t same[NEIGHBOURS_COUNTS], lower[NEIGHBOURS_COUNTS], higher[NEIGHBOURS_COUNTS];
    uint32_t below = 0, above = 0; /* sums of `higher` below t, and of `same` above it */
    for (int j = 0; j < count; j++, places &= places - 1) {
        int place = ply_lowest(places);
        lower[j] = w->choose[j][place];
        same[j] = w->choose[j + 1][place];
        higher[j] = j + 2 < NEIGHBOURS_COUNTS ? w->choose[j + 2][place] : 0;
        above += same[j];
    }
    for (int t = 0; t < count; t++) {
        above -= same[t];
        uint32_t rank = below + above;
        below += higher[t];
        for (int k = 0; k < count; k++) {
            ranks[t].with_rank[k] = rank;
            if (k < t)
                rank += same[k] - higher[k];
            else if (k + 1 < count)
                rank += lower[k + 1] - same[k + 1];
        }
    }
}

/*
 * A piece that stands on `to` came from an empty square at a distance equal to the number of its
 * neighbours there, and `to` was empty then. `to` itself is one of the neighbours now if it is next
 * to that square, and else makes no difference.
 */
static inline uint64_t sources(const workspace *w, const uint64_t by_count[NEIGHBOURS_REACH + 1],
                               int to)
{
    uint64_t found = by_count[2] & (w->ring[to][1] | w->ring[to][2]);
    for (int distance = 3; distance <= NEIGHBOURS_REACH; distance++)
        found |= by_count[distance] & w->ring[to][distance];
    return found;
}

static size_t row_predecessors(const void *row, const uint32_t *columns, size_t count,
                               uint32_t *out)
{
    const row_state *r = row;
    const workspace *w = r->w;
    const bool jumps = w->path_rule == NEIGHBOURS_JUMP;
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t places = w->sets[r->own][columns[i]], own = ply_pdep(places, r->free);
        uint64_t pieces = own | r->set, blocking = jumps ? 0 : pieces;
        uint64_t by_count[NEIGHBOURS_REACH + 1];
        moved_ranks ranks[NEIGHBOURS_PIECES];
        split_movers_one(~pieces, pieces, by_count);
        rank_moved(w, places, r->own, ranks);
        const moved_ranks *moved = ranks;
        for (uint64_t left = own, at = places; left; left &= left - 1, at &= at - 1, moved++) {
            int to = ply_lowest(left);
            uint64_t others = places & ~(at & -at);
            for (uint64_t from = sources(w, by_count, to); from; from &= from - 1) {
                int square = ply_lowest(from), place = r->place[square];
                unsigned k = (unsigned)ply_popcount(others & (ply_bit(place) - 1));
                /* Always written, but counted only if the way is free: this avoids a branch. */
                out[found] = moved->with_rank[k] + w->choose[k + 1][place];
                found += !(w->between[to][square] & blocking);
            }
        }
    }
    return found;
}

/* --- from cells to slots ---------------------------------------------------------------------- */
static inline size_t slots_of_cell(const row_state *r, uint32_t column, bool all, uint64_t *out)
{
    const workspace *w = r->w;
    uint64_t own = ply_pdep(w->sets[r->own][column], r->free);
    uint32_t fold = w->fold[r->own][numbering_rank(w, own)], row = fold >> FOLD_ORBIT_SHIFT;
    uint64_t base = w->representative[r->own][row], enemy = r->images[fold & FOLD_IMAGE];
    size_t count = 1;
    out[0] = (uint64_t)row << 32 | numbering_enemy_rank(w, base & NEIGHBOURS_BOARD, enemy);
    if (!all || !(fold & FOLD_SYMMETRIC))
        return 1;
    for (uint64_t fixing = base >> FIXING_SHIFT & ~(uint64_t)1; fixing; fixing &= fixing - 1) {
        uint64_t image = numbering_image(w, (unsigned)ply_lowest(fixing), enemy);
        out[count++] =
            (uint64_t)row << 32 | numbering_enemy_rank(w, base & NEIGHBOURS_BOARD, image);
    }
    return count;
}

static void row_slots(const void *row, const uint32_t *columns, size_t count, uint64_t *out)
{
    for (size_t i = 0; i < count; i++)
        slots_of_cell(row, columns[i], false, &out[i]);
}

static size_t row_all_slots(const void *row, const uint32_t *columns, size_t count, uint64_t *out)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++)
        found += slots_of_cell(row, columns[i], true, &out[found]);
    return found;
}

/* --- for the verifier ------------------------------------------------------------------------- */
/* The slot after a quiet move: the row's set is to move, and represents its orbit. */
static inline ply_slot quiet_slot(const row_state *r, uint64_t row_start, uint64_t own)
{
    unsigned times;
    uint32_t column = numbering_is_symmetric(r->base)
                          ? numbering_lowest_enemy_rank(r->w, r->base, own, &times)
                          : numbering_enemy_rank(r->w, r->set, own);
    return row_start + column;
}

/* The slot after the capture of the enemy pieces `taken`. */
static inline ply_slot capture_slot(const row_state *r, uint64_t own, uint64_t taken)
{
    bool symmetric;
    if (r->enemy == 1)
        return PLY_SLOT_NO_PIECES;
    return ply_slot_make(class_make(r->enemy - 1, r->own),
                         number_of(r->w, r->set & ~taken, own, r->enemy - 1, r->own, &symmetric));
}

static void row_successors(const void *row, uint32_t first, size_t count, ply_slot *cells,
                           uint8_t *counts, ply_slot *out)
{
    const row_state *r = row;
    const workspace *w = r->w;
    uint32_t fold = w->fold[r->enemy][numbering_rank(w, r->set)];
    ply_slot row_start =
        ply_slot_make(class_make(r->enemy, r->own), (uint64_t)(fold >> FOLD_ORBIT_SHIFT) *
                                                        numbering_enemy_sets(w, r->enemy, r->own));
    for (size_t i = 0; i < count; i++) {
        uint64_t own = numbering_enemy_set(w, r->set, r->own, first + (uint32_t)i);
        uint64_t pieces = own | r->set;
        uint64_t blocking = w->path_rule == NEIGHBOURS_JUMP ? 0 : pieces;
        bool symmetric;
        const ply_slot *start = out;
        cells[i] = ply_slot_make(class_make(r->own, r->enemy),
                                 number_of(w, own, r->set, r->own, r->enemy, &symmetric));
        for (uint64_t left = own; left; left &= left - 1) {
            int from = ply_lowest(left), distance = neighbours_distance(pieces, from);
            if (distance > NEIGHBOURS_REACH)
                continue;
            const neighbours_targets *targets = &neighbours_targets_at[from][distance];
            for (unsigned k = 0; k < targets->count; k++) {
                uint64_t to = ply_bit(targets->to[k]), after = own ^ ply_bit(from) ^ to;
                if (targets->path[k] & blocking || own & to)
                    continue;
                *out++ = r->set & to ? capture_slot(r, after, to) : quiet_slot(r, row_start, after);
            }
        }
        counts[i] = (uint8_t)(out - start);
    }
}

static const ply_retrograde_rows rows_of_neighbours = {
    .row_bytes = sizeof(row_state),
    .max_exits = NEIGHBOURS_MAX_MOVES,
    .max_predecessors = NEIGHBOURS_PIECES * NEIGHBOURS_DIRECTIONS * NEIGHBOURS_REACH,
    .max_exit_rows = NEIGHBOURS_PIECES,
    .max_images = NEIGHBOURS_IMAGES,
    .columns = row_columns,
    .open = row_open,
    .weight = row_weight,
    .exit_rows = row_exit_rows,
    .exits = row_exits,
    .predecessors = row_predecessors,
    .slots = row_slots,
    .all_slots = row_all_slots,
    .successors = row_successors,
};

#endif
