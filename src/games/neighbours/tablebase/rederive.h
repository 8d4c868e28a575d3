/* SPDX-License-Identifier: MIT */
/*
 * rederive.h - derives a value of rows.h again from the values after each move; for the host and
 * for CUDA.
 *
 * This is the verifier's code, and shares none with the passes of rows.h: it goes through the table
 * of values by own set, finds moves by stepping whole boards (neighbour_counts.h), and looks the
 * position after each move up by its number (numbering.h).
 */
#ifndef PLY_GAMES_NEIGHBOURS_REDERIVE_H
#define PLY_GAMES_NEIGHBOURS_REDERIVE_H

#include "games/neighbours/tablebase/rows.h"

#define T uint64_t
#define SLICES_SUFFIX _one
#include "games/neighbours/rules/neighbour_counts.h"

enum { VALUE_DRAW, VALUE_WIN, VALUE_LOSS };

typedef struct neighbours_verify_args {
    const neighbours_numbering *numbering;
    int own, enemy, jumps;
    neighbours_planes values, successors, exits; /* as in neighbours_rows_args */
    uint64_t *counts; /* positions: draws, wins, losses; wrong words; 1 + a wrong word, or 0 */
} neighbours_verify_args;
enum { VERIFY_WRONG = 3, VERIFY_WHERE = 4, VERIFY_COUNTS = 5 };

PLY_HD int planes_value(const neighbours_planes *p, uint32_t row, uint32_t column)
{
    return planes_bit(planes_row(p, row, PLANE_WINS), column)     ? VALUE_WIN
           : planes_bit(planes_row(p, row, PLANE_LOSSES), column) ? VALUE_LOSS
                                                                  : VALUE_DRAW;
}

/* The value for the player who moved to `boards`, whose own pieces are now to move. */
PLY_HD int value_after(const neighbours_verify_args *args, neighbours_pair boards)
{
    int count = ply_popcount(boards.own);
    if (count == 0)
        return VALUE_WIN;
    uint32_t fold, column = numbering_find(args->numbering, boards, count, &fold);
    const neighbours_planes *p = count == args->enemy ? &args->successors : &args->exits;
    int value = planes_value(p, fold >> FOLD_ORBIT_SHIFT, column);
    return value == VALUE_WIN ? VALUE_LOSS : value == VALUE_LOSS ? VALUE_WIN : VALUE_DRAW;
}

PLY_HD int rederive_value(const neighbours_verify_args *args, neighbours_pair b)
{
    const int shift[4] = {6, 7, 1, -5};
    uint64_t pieces = b.own | b.enemy, movers[NEIGHBOURS_REACH + 1];
    split_movers_one(b.own, pieces, movers);
    int value = VALUE_LOSS;
    for (int direction = 0; direction < NEIGHBOURS_DIRECTIONS; direction++) {
        int delta = direction < 4 ? shift[direction] : -shift[direction - 4];
        uint64_t mask = step_mask_one(direction), passable = args->jumps ? mask : mask & ~pieces;
        for (int distance = 1; distance <= NEIGHBOURS_REACH; distance++) {
            uint64_t moved = movers[distance];
            for (int i = 1; i < distance && moved; i++)
                moved = step_one(moved, direction) & passable;
            if (!moved)
                continue;
            for (moved = step_one(moved, direction) & mask & ~b.own; moved; moved &= moved - 1) {
                int to = ply_lowest(moved);
                neighbours_pair after;
                after.own = b.enemy & ~ply_bit(to);
                after.enemy = neighbours_move(b.own, to - distance * delta, to);
                int found = value_after(args, after);
                if (found == VALUE_WIN)
                    return VALUE_WIN;
                if (found == VALUE_DRAW)
                    value = VALUE_DRAW;
            }
        }
    }
    return value;
}

/* Checks the columns of one word; counts: positions by value. Returns the columns that are wrong. */
PLY_HD uint32_t verify_word(const neighbours_verify_args *args, uint32_t row, uint32_t word,
                            uint32_t counts[3])
{
    const neighbours_numbering *n = args->numbering;
    uint64_t base = n->representative[args->own][row];
    uint32_t weight = row_weight(n, args->own, row), wrong = 0;
    uint32_t columns = args->values.columns - word * 32;
    for (uint32_t i = 0; i < 32 && i < columns; i++) {
        neighbours_pair b;
        b.own = base & NEIGHBOURS_BOARD;
        b.enemy = numbering_enemy_set(n, b.own, args->enemy, word * 32 + i);
        int value = planes_value(&args->values, row, word * 32 + i);
        counts[value] += weight;
        wrong |= (uint32_t)(value != rederive_value(args, b)) << i;
    }
    if (columns < 32 && ((planes_row(&args->values, row, PLANE_WINS)[word] |
                          planes_row(&args->values, row, PLANE_LOSSES)[word]) >>
                         columns))
        wrong |= 1u << columns;
    return wrong;
}

/* --- values of listed positions ------------------------------------------------------------- */
/* Bytes of a list of labels; worth is for the player to move. */
enum { LABEL_LOSS = 0, LABEL_DRAW = 1, LABEL_WIN = 2, LABEL_UNKNOWN = 255 };

typedef struct neighbours_label_args {
    const neighbours_numbering *numbering;
    neighbours_planes values[NEIGHBOURS_COUNTS][NEIGHBOURS_COUNTS]; /* words NULL: not solved */
    const neighbours_pair *positions;
    uint8_t *labels;
    uint64_t count;
} neighbours_label_args;

/* The label of a position, or LABEL_UNKNOWN where no solved class has it. */
PLY_HD uint8_t label_of(const neighbours_label_args *args, neighbours_pair b)
{
    int own = ply_popcount(b.own), enemy = ply_popcount(b.enemy);
    if ((b.own | b.enemy) & ~NEIGHBOURS_BOARD || b.own & b.enemy || own >= NEIGHBOURS_COUNTS ||
        enemy >= NEIGHBOURS_COUNTS || !args->values[own][enemy].words)
        return LABEL_UNKNOWN;
    uint32_t fold, column = numbering_find(args->numbering, b, own, &fold);
    int value = planes_value(&args->values[own][enemy], fold >> FOLD_ORBIT_SHIFT, column);
    return value == VALUE_WIN ? LABEL_WIN : value == VALUE_LOSS ? LABEL_LOSS : LABEL_DRAW;
}

/* --- checksums ------------------------------------------------------------------------------ */
/* The checksum of a block of words is the sum of their hashes, each with its number. */
enum { CHECKSUM_BLOCK_SHIFT = 24 };

typedef struct neighbours_checksum_args {
    const uint32_t *words;
    uint64_t count;
    uint64_t *sums; /* by block of 2^CHECKSUM_BLOCK_SHIFT words */
} neighbours_checksum_args;

PLY_HD uint64_t checksum_word(uint64_t number, uint32_t word)
{
    uint64_t x = number * 0x9E3779B97F4A7C15u + word;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

#endif
