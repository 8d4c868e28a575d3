/* SPDX-License-Identifier: MIT */
/*
 * neighbours.h - the 6x6 board of Neighbours in two words.
 *
 *     row 6  30 31 32 33 34 35   Black's first row        up = +6, right = +1
 *     row 5  24 25 26 27 28 29
 *     row 4  18 19 20 21 22 23
 *     row 3  12 13 14 15 16 17
 *     row 2   6  7  8  9 10 11
 *     row 1   0  1  2  3  4  5   White's first row
 *             a  b  c  d  e  f
 *
 * The boards are side-relative: `current` holds the pieces of the player to move and `next` those
 * of the other; playing a move exchanges them. The colour of the player to move is kept aside, for
 * people and for the Zobrist key only.
 *
 *     63        36 35                     0
 *    | always 0   | a piece on square i: bit i |
 *
 * Rules: a piece with N occupied squares around it moves exactly N squares in a straight line over
 * empty squares (variant jump: over anything) onto an empty square or an enemy, which it captures.
 *
 * A move is from | to << 6. Workload: perft and table building, a few nanoseconds a position, so
 * neighbour counts are added up for all squares at once, as bit slices (see neighbours_slices).
 */
#ifndef PLY_GAMES_NEIGHBOURS_NEIGHBOURS_H
#define PLY_GAMES_NEIGHBOURS_NEIGHBOURS_H

#include "core/bits.h"
#include "core/isa.h"
#include <plyverse/game.h>

enum {
    NEIGHBOURS_SIDE = 6, /* squares a side */
    NEIGHBOURS_SQUARES = 36,
    NEIGHBOURS_PIECES = 6, /* a player's pieces at the start, and the most there can be */
    NEIGHBOURS_REACH = 5,  /* the longest move that fits the board */
    NEIGHBOURS_DIRECTIONS = 8,
    NEIGHBOURS_MAX_MOVES = NEIGHBOURS_PIECES * NEIGHBOURS_DIRECTIONS,
};

#define NEIGHBOURS_BOARD 0xFFFFFFFFFu
#define NEIGHBOURS_FILE_A 0x041041041u
#define NEIGHBOURS_FILE_F 0x820820820u
#define NEIGHBOURS_ROW_1 0x00000003Fu
#define NEIGHBOURS_ROW_6 0xFC0000000u

typedef struct neighbours_position {
    uint64_t current; /* pieces of the player to move */
    uint64_t next;    /* pieces of the other player */
    uint64_t hash;    /* Zobrist key of colours, squares and side */
    uint32_t quiet;   /* plies since the last capture: how far back a repetition can lie */
    uint8_t side;     /* 0 White, 1 Black to move */
    uint8_t zero[3];
} neighbours_position;

_Static_assert(sizeof(neighbours_position) == 32, "a position is 32 bytes");

/* The undo of a move is the position before it: undo is a copy, repetition an exact compare. */
typedef neighbours_position neighbours_undo_info;

/* Counts of all squares at once: the count of square i is bit i of ones + 2 twos + 4 fours + ... */
typedef struct neighbours_slices {
    uint64_t ones, twos, fours, eights;
} neighbours_slices;

/* The rule option. */
enum { NEIGHBOURS_OPTION_PATH };
enum { NEIGHBOURS_SLIDE, NEIGHBOURS_JUMP };

/* --- single squares ------------------------------------------------------------------------- */
static inline int neighbours_get(uint64_t board, int square)
{
    return (int)((board >> square) & 1);
}

static inline uint64_t neighbours_toggle(uint64_t board, int square)
{
    return board ^ ply_bit(square);
}

static inline uint64_t neighbours_move(uint64_t board, int from, int to)
{
    return board ^ ply_bit(from) ^ ply_bit(to);
}

static inline int neighbours_move_from(ply_move move)
{
    return (int)(move & 63);
}

static inline int neighbours_move_to(ply_move move)
{
    return (int)((move >> 6) & 63);
}

static inline ply_move neighbours_move_make(int from, int to)
{
    return (ply_move)from | (ply_move)to << 6;
}

/* --- tables, made by gen_square_tables.c ----------------------------------------------------------- */
/* The ways in which a piece can go a given distance from a square without leaving the board. */
typedef struct neighbours_ways {
    uint64_t path[NEIGHBOURS_DIRECTIONS]; /* squares strictly between */
    uint8_t to[NEIGHBOURS_DIRECTIONS];
    uint8_t direction[NEIGHBOURS_DIRECTIONS];
    uint8_t count;
} neighbours_ways;

extern const neighbours_ways neighbours_ways_table[NEIGHBOURS_SQUARES][NEIGHBOURS_REACH + 1];
extern const uint64_t neighbours_around[NEIGHBOURS_SQUARES]; /* the up to eight squares around */
extern const uint64_t neighbours_keys[2][NEIGHBOURS_SQUARES];
extern const uint64_t neighbours_side_key; /* in the key when Black moves */

/* --- counts --------------------------------------------------------------------------------- */
/* How many occupied squares there are around one square. */
static inline int neighbours_count_at(uint64_t pieces, int square)
{
    return ply_popcount(pieces & neighbours_around[square]);
}

/* The same for all squares at once. */
neighbours_slices neighbours_count_all(uint64_t pieces);

/* --- hot loops, compiled for several machines (kernel_isa.c) -------------------------------- */
typedef struct neighbours_kernels {
    /* The sum of the numbers of legal moves of n positions. */
    uint64_t (*count_many)(const uint64_t *current, const uint64_t *next, size_t n, int path_rule);
    /* Leaves at depth >= 1. */
    uint64_t (*perft)(uint64_t current, uint64_t next, int depth, int path_rule);
} neighbours_kernels;

PLY_ISA_DECLARE(const neighbours_kernels, neighbours_kernels_of);

/* --- the parts of the adapter --------------------------------------------------------------- */
/* board.c */
ply_status neighbours_start(const ply_rules *rules, void *position);
size_t neighbours_moves(const ply_rules *rules, const void *position, ply_move *out);
size_t neighbours_count(const ply_rules *rules, const void *position);
ply_status neighbours_play(const ply_rules *rules, void *position, ply_move move, void *undo);
void neighbours_undo(const ply_rules *rules, void *position, ply_move move, const void *undo);
int neighbours_side(const ply_rules *rules, const void *position);
ply_outcome neighbours_outcome(const ply_rules *rules, const void *position, const void *undo_stack,
                               size_t plies);
ply_outcome neighbours_node_outcome(const ply_rules *rules, const void *position,
                                    const void *undo_stack, size_t plies);
uint64_t neighbours_hash(const ply_rules *rules, const void *position);
uint64_t neighbours_compute_hash(const ply_rules *rules, const void *position);
uint64_t neighbours_perft(const ply_rules *rules, void *position, int depth, int mode);
/* Fills everything but the boards and the side. */
void neighbours_finish(neighbours_position *position);

/* evaluate.c */
enum { NEIGHBOURS_WEIGHTS = 40, NEIGHBOURS_MAX_TERMS = 40 };
extern const int16_t neighbours_weights[NEIGHBOURS_WEIGHTS];
extern const char *const neighbours_weight_names[NEIGHBOURS_WEIGHTS];
size_t neighbours_terms(const ply_rules *rules, const void *position, ply_term *out);
int32_t neighbours_evaluate(const ply_rules *rules, const void *position);
void neighbours_score_moves(const ply_rules *rules, const void *position, const ply_move *moves,
                            size_t count, int32_t *scores);
bool neighbours_is_noisy(const ply_rules *rules, const void *position, ply_move move);

/* position_text.c */
ply_status neighbours_parse(const ply_rules *rules, void *position, ply_cursor *cursor);
void neighbours_format(const ply_rules *rules, const void *position, ply_text *out);
void neighbours_format_move(const ply_rules *rules, const void *position, ply_move move,
                            ply_text *out);
ply_status neighbours_parse_move(const ply_rules *rules, const void *position, ply_cursor *cursor,
                                 ply_move *move);
void neighbours_draw(const ply_rules *rules, const void *position, ply_move last, unsigned flags,
                     ply_text *out);
void neighbours_json(const ply_rules *rules, const void *position, ply_text *out);

/* symmetry.c */
uint64_t neighbours_flip_rows(uint64_t board);    /* top to bottom */
uint64_t neighbours_mirror_files(uint64_t board); /* left to right */
void neighbours_image(const ply_rules *rules, const void *position, uint32_t i, void *out);
/* The base state: White to play, and the smaller of the left-right pair. */
void neighbours_base_state(const ply_rules *rules, const void *position, void *out);

/* index.c */
size_t neighbours_class_count(const ply_rules *rules);
uint64_t neighbours_class_size(const ply_rules *rules, size_t class_index);
void neighbours_class_name(const ply_rules *rules, size_t class_index, ply_text *out);
ply_status neighbours_rank(const ply_rules *rules, const void *position, size_t *class_index,
                           uint64_t *number);
ply_status neighbours_unrank(const ply_rules *rules, size_t class_index, uint64_t number,
                             void *position);
size_t neighbours_predecessors(const ply_rules *rules, const void *position, void *out);
void neighbours_observe(const ply_rules *rules, const void *position, uint8_t *out);
uint32_t neighbours_action(const ply_rules *rules, const void *position, ply_move move);
ply_move neighbours_action_move(const ply_rules *rules, const void *position, uint32_t action);

/* The game, as the registry lists it. */
extern const ply_game neighbours_game;

#endif
