/* SPDX-License-Identifier: MIT */
/*
 * search_board.h - the board that a search keeps beside the position.
 *
 * It is a threat board (threat_board.h) that also knows, for every empty cell, each colour and each
 * of the four directions, what a stone there would make. That is a level:
 *
 *     0 nothing    1 two in a window    2 open two    3 three in a window (a four next)
 *     4 open or broken three    5 four    6 straight four    7 five
 *
 * The levels of a line are three words, one for each bit of the level, so a stone's new levels are
 * computed for whole lines and only the cells that changed are visited. The four levels of a cell
 * and colour are its packed code, three bits for each direction:
 *
 *     11  9 8   6 5   3 2   0
 *    | d 3 | d 2 | d 1 | d 0 |
 *
 * Up to the order of the directions there are 330 codes, the combinations. A combination says
 * whether a stone would make a fork, so it is worth more than its parts: the evaluation is a sum of
 * one weight for each cell and colour, which the board keeps up to date.
 *
 * Workload: one play and undo for each node of a search, a few million per second.
 */
#ifndef PLY_GAMES_GOMOKU_EVAL_SEARCH_BOARD_H
#define PLY_GAMES_GOMOKU_EVAL_SEARCH_BOARD_H

#include "games/gomoku/solve/vcf.h"

enum {
    GOMOKU_LEVEL_BITS = 3,
    GOMOKU_PACKED_CODES = 1 << (GOMOKU_LEVEL_BITS * GOMOKU_DIRECTIONS),
    GOMOKU_VCF_PLIES = 64, /* stones that a search for fours may add */
};
enum gomoku_level {
    GOMOKU_LEVEL_NONE,
    GOMOKU_LEVEL_PAIR,
    GOMOKU_LEVEL_TWO,
    GOMOKU_LEVEL_BUILD,
    GOMOKU_LEVEL_THREE,
    GOMOKU_LEVEL_FOUR,
    GOMOKU_LEVEL_STRAIGHT,
    GOMOKU_LEVEL_FIVE,
};

/* The combination of a packed code, below GOMOKU_COMBINATIONS. */
extern const uint16_t gomoku_combination_of[GOMOKU_PACKED_CODES];

/* The three words of a line's levels: bit 2i is about X on cell i, bit 2i + 1 about O. */
typedef struct gomoku_levels {
    uint64_t bit[GOMOKU_LEVEL_BITS];
} gomoku_levels;

/* A packed code that a stone has changed: its place, colour * GOMOKU_MAX_CELLS + cell, and what it
 * was before. */
typedef struct gomoku_code_change {
    uint16_t at, code;
} gomoku_code_change;

typedef struct gomoku_search_undo {
    gomoku_levels levels[GOMOKU_DIRECTIONS];
    int32_t sums[2][2];
    uint32_t changes; /* before the move */
    int32_t cell;     /* -1: a pass */
} gomoku_search_undo;

typedef struct gomoku_search_board gomoku_search_board;

typedef struct gomoku_level_kernels {
    /* Computes the levels of four lines from their stones and threats. */
    void (*compute)(const gomoku_threat_board *b, const int lines[4], gomoku_levels out[4]);
} gomoku_level_kernels;

PLY_ISA_DECLARE(const gomoku_level_kernels, gomoku_level_kernels_of);

struct gomoku_search_board {
    gomoku_threat_board threats;
    void (*compute)(const gomoku_threat_board *b, const int lines[4], gomoku_levels out[4]);
    /* By colour: the weights of its codes as the player to move, then as the opponent. */
    const int16_t *weights[2];
    int32_t sums[2][2];      /* by colour: of the codes' weights in either role */
    gomoku_vcf fours;        /* on these threats */
    uint32_t plies, changes; /* entries of undo and change in use */
    gomoku_search_undo *undo;
    gomoku_code_change *change;
    gomoku_levels levels[GOMOKU_MAX_LINES];
    uint16_t codes[2 * GOMOKU_MAX_CELLS]; /* by colour and cell; 0 on stones */
    uint16_t cells[2 * GOMOKU_MAX_CELLS]; /* for the search of fours */
};

/* The bytes of a board that can play max_plies stones; 0 plies: only looked at, by find_win too. */
size_t gomoku_search_board_bytes(const ply_rules *rules, size_t max_plies);
/* Sets up a position on a board of gomoku_search_board_bytes(rules, max_plies) bytes, which are zero
 * before the first time, unless max_plies is 0. */
void gomoku_search_board_init(const ply_rules *rules, const void *position, size_t max_plies,
                              void *board);
/* Follows a move, a pass or a null move (PLY_MOVE_NONE) from the position, which is not changed. */
void gomoku_search_board_play(const ply_rules *rules, const void *position, ply_move move,
                              void *board);
void gomoku_search_board_undo(const ply_rules *rules, void *board);

/* --- the search hooks on such a board (evaluate.c, search_hooks.c) --------------------------- */
/* A board that is only looked at, on the stack. */
typedef struct gomoku_fixed_board {
    gomoku_search_board board;
    gomoku_threat_undo undo[GOMOKU_VCF_PLIES];
} gomoku_fixed_board;

int32_t gomoku_board_evaluate(const ply_rules *rules, const void *position, void *board);
size_t gomoku_board_candidates(const ply_rules *rules, const void *position, void *board,
                               ply_move *out, int32_t *scores);
ply_move gomoku_board_find_win(const ply_rules *rules, const void *position, void *board,
                               int effort, int *plies, uint64_t *nodes);
bool gomoku_board_in_check(const ply_rules *rules, const void *position, void *board);

#endif
