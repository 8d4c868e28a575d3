/* SPDX-License-Identifier: MIT */
/*
 * rows.h - Neighbours solved at two bits per position, row by row; for the host and for CUDA.
 *
 * A position is a pair of sets, (own, enemy), the own pieces to move. After a quiet move it is
 * (enemy, own'): so the positions after quiet moves of *all* positions with the same enemy set have
 * the same own set, and lie in one row of the table of values.
 *
 *     values of class a v b:  one row for each orbit of own sets (numbering.h), C(36 - a, b) columns
 *
 *      row r     +---------------- stride words ---------------+---------------- stride words -----+
 *                | bit c % 32 of word c / 32: column c is a win | the same: column c is a loss      |
 *                +----------------------------------------------+-----------------------------------+
 *
 *     notes of class a v b:   one row for each orbit of enemy sets, C(36 - b, a) columns
 *
 *      row r     +---------------- stride words ----------------+---------------- stride words ----+
 *                | column c is open: not decided so far         | saved: a capture draws           |
 *                +----------------------------------------------+----------------------------------+
 *
 * A column is the rank of a set among the squares that the row's set leaves free. Bits without a
 * column are 0; stride is a multiple of four words. A position that is neither won nor lost is a
 * draw at the end. Where symmetries fix the row's set, several columns stand for one position: all
 * of them hold its value, there are no holes. So a column of a row whose set has n images stands for
 * n positions.
 *
 * Row r of the notes of a v b and row r of the values of b v a belong to the same set R: the notes
 * say which positions (A, R) are open, and the values say what each move from them leads to. One
 * team of threads (a CUDA block; on the host a single thread) takes a row:
 *
 *     first pass    captures are looked up in class b - 1 v a; a position without quiet moves is
 *                   decided
 *     odd passes    an open position with a quiet move to a loss is a win
 *     even passes   an open position, not saved, all of whose quiet moves lead to wins is a loss
 *
 * An odd pass reads losses and writes wins, an even pass reads wins and writes losses: whatever the
 * order of rows, the number of the pass in which a position is decided is the same. It is the
 * number of plies that quiet moves take: to the capture that decides, or to the end.
 *
 * Workload: 1.4e11 positions a class. A row of 6 v 6 is 74 kB of wins and as much of losses; it
 * stays in the multiprocessor's shared memory while its 593,775 positions are looked at.
 */
#ifndef PLY_GAMES_NEIGHBOURS_ROWS_H
#define PLY_GAMES_NEIGHBOURS_ROWS_H

#include "games/neighbours/tablebase/numbering.h"

/* --- a table of two planes ------------------------------------------------------------------ */
typedef struct neighbours_planes {
    uint32_t *words; /* NULL: there is no such class */
    uint32_t rows, columns, stride;
} neighbours_planes;

enum { PLANE_WINS, PLANE_LOSSES };
enum { PLANE_OPEN, PLANE_SAVED };

PLY_HD uint32_t *planes_row(const neighbours_planes *p, uint32_t row, int plane)
{
    return p->words + ((size_t)row * 2 + (size_t)plane) * p->stride;
}

PLY_HD bool planes_bit(const uint32_t *plane, uint32_t column)
{
    return plane[column >> 5] >> (column & 31) & 1;
}

/* --- ranks by table ------------------------------------------------------------------------- */
/*
 * A set of 36 squares is cut into four parts of nine. The share of a part in the rank depends on its
 * squares and on the number of squares below it:
 *
 *     share[part 0][squares], share[part 1][0 to 6 below][squares], the same for parts 2 and 3
 */
enum {
    SHARE_BITS = 9,
    SHARE_SETS = 1 << SHARE_BITS,
    SHARE_TABLES = 1 + 3 * NEIGHBOURS_COUNTS,
};

PLY_HD uint32_t shares_rank(const uint32_t *share, uint64_t set)
{
    const uint32_t mask = SHARE_SETS - 1;
    uint32_t part0 = (uint32_t)set & mask, part1 = (uint32_t)(set >> SHARE_BITS) & mask;
    uint32_t part2 = (uint32_t)(set >> 2 * SHARE_BITS) & mask;
    uint32_t part3 = (uint32_t)(set >> 3 * SHARE_BITS) & mask;
    uint32_t below1 = 1 + (uint32_t)ply_popcount(part0);
    uint32_t below2 = below1 + NEIGHBOURS_COUNTS + (uint32_t)ply_popcount(part1);
    uint32_t below3 = below2 + NEIGHBOURS_COUNTS + (uint32_t)ply_popcount(part2);
    return share[part0] + share[below1 * SHARE_SETS + part1] + share[below2 * SHARE_SETS + part2] +
           share[below3 * SHARE_SETS + part3];
}

/* --- what a team needs at hand -------------------------------------------------------------- */
/* The set of a row, and where squares are in the rows that its positions lead to. */
typedef struct neighbours_row {
    uint64_t set;
    uint64_t images[NEIGHBOURS_IMAGES];
    uint8_t square[NEIGHBOURS_SQUARES]; /* by place among the free squares */
    uint8_t place[NEIGHBOURS_SQUARES];  /* by square */
    /* After the capture of piece i of the set: the row, and the places of squares there. */
    uint32_t exit_row[NEIGHBOURS_PIECES];
    uint8_t exit_place[NEIGHBOURS_PIECES][NEIGHBOURS_SQUARES];
} neighbours_row;

typedef struct neighbours_team {
    neighbours_targets targets[NEIGHBOURS_SQUARES][NEIGHBOURS_REACH + 1];
    uint64_t adjacent[NEIGHBOURS_SQUARES];
    uint32_t share[SHARE_TABLES * SHARE_SETS];
    neighbours_row row;
    uint32_t next_row;
} neighbours_team;

typedef struct neighbours_rows_args {
    const neighbours_numbering *numbering;
    const uint32_t *share;
    int own, enemy;               /* the class: how many pieces */
    int jumps;                    /* pieces jump over others */
    uint32_t pass;                /* 0 is the first */
    neighbours_planes values;     /* of the class; written */
    neighbours_planes notes;      /* of the class; written */
    neighbours_planes successors; /* values of the class after quiet moves; in a pass, what is read
                                     is not written */
    neighbours_planes exits;      /* values of the class after captures */
    uint32_t *changed[2];         /* by plane and row of values: the last pass that changed it */
    const uint32_t *changed_successors[2];
    uint64_t *decided;  /* positions decided by this pass, as wins and as losses */
    uint32_t *next_row; /* the next row that a team takes */
    uint32_t
        shared_words; /* the row to read is copied to the team's memory if it has no more words */
    uint32_t threads; /* of a team */
} neighbours_rows_args;

/* *address |= bits, and *address += 1 with the number before as the result. */
#ifdef __CUDA_ARCH__
#define ROWS_OR(address, bits) atomicOr(address, bits)
#define ROWS_TAKE(address) atomicAdd(address, 1u)
#else
#define ROWS_OR(address, bits) __atomic_fetch_or(address, bits, __ATOMIC_RELAXED)
#define ROWS_TAKE(address) __atomic_fetch_add(address, 1u, __ATOMIC_RELAXED)
#endif

/* Copies the tables that do not depend on the row: the share of one of `threads` threads. */
PLY_HD void team_open(neighbours_team *team, const uint32_t *share, uint32_t thread,
                      uint32_t threads)
{
    for (uint32_t i = thread; i < SHARE_TABLES * SHARE_SETS; i += threads)
        team->share[i] = share[i];
    for (uint32_t i = thread; i < NEIGHBOURS_SQUARES; i += threads) {
        team->adjacent[i] = neighbours_adjacent[i];
        for (int distance = 0; distance <= NEIGHBOURS_REACH; distance++)
            team->targets[i][distance] = neighbours_targets_at[i][distance];
    }
}

/* The place of a square among those that the set leaves free; meaningless for the set's own. */
PLY_HD uint8_t free_place(uint64_t set, int square)
{
    return (uint8_t)(square - ply_popcount(set & (ply_bit(square) - 1)));
}

/* Sets up a row; exits only for the first pass. */
PLY_HD void team_take_row(neighbours_team *team, const neighbours_rows_args *args, uint32_t row,
                          uint32_t thread, uint32_t threads)
{
    const neighbours_numbering *n = args->numbering;
    neighbours_row *r = &team->row;
    uint64_t set = n->representative[args->enemy][row] & NEIGHBOURS_BOARD;
    bool captures = args->pass == 0 && args->enemy > 1;
    for (uint32_t i = thread; i < NEIGHBOURS_SQUARES; i += threads) {
        uint8_t place = free_place(set, (int)i);
        r->place[i] = place;
        if (!neighbours_get(set, (int)i))
            r->square[place] = (uint8_t)i;
        if (i < NEIGHBOURS_IMAGES)
            r->images[i] = numbering_image(n, i, set);
        if (i == 0)
            r->set = set;
        uint64_t left = set;
        for (int k = 0; captures && k < args->enemy; k++, left &= left - 1) {
            uint64_t rest = set & ~(left & -left);
            uint32_t fold = n->fold[args->enemy - 1][numbering_rank(n, rest)];
            uint32_t orbit = fold >> FOLD_ORBIT_SHIFT;
            uint64_t base = n->representative[args->enemy - 1][orbit] & NEIGHBOURS_BOARD;
            r->exit_row[k] = orbit;
            r->exit_place[k][i] = free_place(base, n->image[fold & FOLD_IMAGE][i]);
        }
    }
}

/* --- one position --------------------------------------------------------------------------- */
/* Whether the piece may go to its target number i, one of the squares in `allowed`. */
PLY_HD bool target_is_open(const neighbours_targets *targets, unsigned i, uint64_t blocking,
                           uint64_t allowed)
{
    return !(targets->path[i] & blocking) && neighbours_get(allowed, targets->to[i]);
}

PLY_HD uint64_t row_squares(const neighbours_row *row, uint64_t places)
{
    uint64_t set = 0;
    for (; places; places &= places - 1)
        set |= ply_bit(row->square[ply_lowest(places)]);
    return set;
}

/* Whether some quiet move leads to a position whose bit in the plane is `wanted`. */
PLY_HD bool row_has_move_to(const neighbours_team *team, const uint32_t *plane, uint64_t places,
                            int jumps, bool wanted)
{
    const neighbours_row *row = &team->row;
    uint64_t pieces = row_squares(row, places) | row->set, blocking = jumps ? 0 : pieces;
    for (uint64_t left = places; left; left &= left - 1) {
        uint64_t lowest = left & -left;
        int from = row->square[ply_lowest(left)];
        int distance = ply_popcount(pieces & team->adjacent[from]);
        if (distance > NEIGHBOURS_REACH)
            continue;
        const neighbours_targets *targets = &team->targets[from][distance];
        for (unsigned i = 0; i < targets->count; i++) {
            if (!target_is_open(targets, i, blocking, ~pieces))
                continue;
            uint64_t after = (places ^ lowest) | ply_bit(row->place[targets->to[i]]);
            if (planes_bit(plane, shares_rank(team->share, after)) == wanted)
                return true;
        }
    }
    return false;
}

/* What the first pass finds out about a position. */
enum { FIRST_OPEN, FIRST_SAVED, FIRST_WIN, FIRST_LOSS };

/* own: the pieces after the capture of piece `captured` of the row's set. */
PLY_HD int exit_value(const neighbours_rows_args *args, const neighbours_team *team, int captured,
                      uint64_t own)
{
    uint64_t places = 0;
    for (; own; own &= own - 1)
        places |= ply_bit(team->row.exit_place[captured][ply_lowest(own)]);
    uint32_t column = shares_rank(team->share, places), row = team->row.exit_row[captured];
    if (planes_bit(planes_row(&args->exits, row, PLANE_LOSSES), column))
        return FIRST_WIN;
    return planes_bit(planes_row(&args->exits, row, PLANE_WINS), column) ? FIRST_LOSS : FIRST_SAVED;
}

PLY_HD int first_value(const neighbours_rows_args *args, const neighbours_team *team,
                       uint64_t places)
{
    const neighbours_row *row = &team->row;
    uint64_t own = row_squares(row, places), pieces = own | row->set;
    uint64_t blocking = args->jumps ? 0 : pieces;
    int value = FIRST_LOSS;
    for (uint64_t left = own; left; left &= left - 1) {
        int from = ply_lowest(left), distance = ply_popcount(pieces & team->adjacent[from]);
        if (distance > NEIGHBOURS_REACH)
            continue;
        const neighbours_targets *targets = &team->targets[from][distance];
        for (unsigned i = 0; i < targets->count; i++) {
            if (!target_is_open(targets, i, blocking, ~own))
                continue;
            int to = targets->to[i];
            if (!neighbours_get(row->set, to)) {
                value = value == FIRST_LOSS ? FIRST_OPEN : value;
                continue;
            }
            int captured = ply_popcount(row->set & (ply_bit(to) - 1));
            int after = args->enemy == 1
                            ? FIRST_WIN
                            : exit_value(args, team, captured, neighbours_move(own, from, to));
            if (after == FIRST_WIN)
                return FIRST_WIN;
            if (after == FIRST_SAVED)
                value = FIRST_SAVED;
        }
    }
    return value;
}

/* Sets the bit of a position of this row in the table of values: in the row of its own set. */
PLY_HD void row_decide(const neighbours_rows_args *args, const neighbours_team *team,
                       uint64_t places, int plane)
{
    const neighbours_numbering *n = args->numbering;
    uint64_t own = row_squares(&team->row, places);
    uint32_t fold = n->fold[args->own][shares_rank(team->share, own)];
    uint32_t row = fold >> FOLD_ORBIT_SHIFT;
    uint64_t base = n->representative[args->own][row];
    uint64_t enemy = team->row.images[fold & FOLD_IMAGE];
    uint32_t *words = planes_row(&args->values, row, plane);
    uint32_t column = numbering_enemy_rank(n, base & NEIGHBOURS_BOARD, enemy);
    ROWS_OR(&words[column >> 5], 1u << (column & 31));
    args->changed[plane][row] = args->pass;
    if (!(fold & FOLD_SYMMETRIC))
        return;
    for (uint64_t fixing = base >> FIXING_SHIFT & ~(uint64_t)1; fixing; fixing &= fixing - 1) {
        uint64_t image = numbering_image(n, (unsigned)ply_lowest(fixing), enemy);
        column = numbering_enemy_rank(n, base & NEIGHBOURS_BOARD, image);
        ROWS_OR(&words[column >> 5], 1u << (column & 31));
    }
}

/* --- the columns of one word ---------------------------------------------------------------- */
PLY_HD void row_first_word(const neighbours_rows_args *args, const neighbours_team *team,
                           uint32_t row, uint32_t word, uint32_t decided[2])
{
    uint32_t open = 0, saved = 0;
    uint32_t columns = args->notes.columns - word * 32;
    for (uint32_t i = 0; i < 32 && i < columns; i++) {
        uint64_t places = args->numbering->sets[args->own][word * 32 + i];
        int value = first_value(args, team, places);
        if (value == FIRST_WIN || value == FIRST_LOSS) {
            int plane = value == FIRST_WIN ? PLANE_WINS : PLANE_LOSSES;
            row_decide(args, team, places, plane);
            decided[plane]++;
            continue;
        }
        open |= 1u << i;
        saved |= (uint32_t)(value == FIRST_SAVED) << i;
    }
    planes_row(&args->notes, row, PLANE_OPEN)[word] = open;
    planes_row(&args->notes, row, PLANE_SAVED)[word] = saved;
}

/* plane: the row's losses in an odd pass, its wins in an even one. Returns how many were decided. */
PLY_HD uint32_t row_pass_word(const neighbours_rows_args *args, const neighbours_team *team,
                              const uint32_t *plane, uint32_t row, uint32_t word)
{
    bool finds_wins = args->pass & 1;
    uint32_t *open = &planes_row(&args->notes, row, PLANE_OPEN)[word], decided = 0;
    uint32_t left = *open;
    if (!finds_wins && left)
        left &= ~planes_row(&args->notes, row, PLANE_SAVED)[word];
    for (; left; left &= left - 1) {
        uint64_t places = args->numbering->sets[args->own][word * 32 + (uint32_t)ply_lowest(left)];
        if (row_has_move_to(team, plane, places, args->jumps, finds_wins) == finds_wins) {
            decided |= left & -left;
            row_decide(args, team, places, finds_wins ? PLANE_WINS : PLANE_LOSSES);
        }
    }
    if (decided)
        *open &= ~decided;
    return (uint32_t)ply_popcount(decided);
}

/* Whether nothing that the pass reads in this row has changed since the row was last looked at. */
PLY_HD bool row_is_settled(const neighbours_rows_args *args, uint32_t row)
{
    if (args->pass <= 2) /* the first odd and the first even pass */
        return false;
    return args->changed_successors[args->pass & 1 ? PLANE_LOSSES : PLANE_WINS][row] + 1 <
           args->pass;
}

/* How many positions a column of the row stands for: the images of the row's set. */
PLY_HD uint32_t row_weight(const neighbours_numbering *n, int count, uint32_t row)
{
    return NEIGHBOURS_IMAGES /
           (uint32_t)ply_popcount(n->representative[count][row] >> FIXING_SHIFT);
}

#endif
