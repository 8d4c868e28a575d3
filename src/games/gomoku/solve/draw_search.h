/* SPDX-License-Identifier: MIT */
/*
 * draw_search.h - why an attacker cannot win on a small board (at most 64 cells): the defender holds.
 *
 * The attacker's rows still alive, each the set of its cells that are still empty, are all there is
 * to know: filling one wins, a defender's stone in it removes it. Where the defender stops every
 * row although his own rows count for nothing (gomoku_hold_rows), he stops them in the game too,
 * whatever the rule set, so long as no cell is closed to him. Where he cannot, his own rows may
 * help: gomoku_hold_game plays the game itself, for rules in which any full row wins.
 */
#ifndef PLY_GAMES_GOMOKU_SOLVE_DRAW_SEARCH_H
#define PLY_GAMES_GOMOKU_SOLVE_DRAW_SEARCH_H

#include "games/gomoku/solve/vcf.h"
#include "games/gomoku/solve/winning_sets.h"

enum { GOMOKU_IMAGES = 8, GOMOKU_HOLD_ANY = GOMOKU_HOLD_CELLS };

/* A position in the table. */
typedef struct gomoku_hold_entry {
    uint64_t key;
    uint64_t zone; /* of the attacker's win; 0: the defender holds */
} gomoku_hold_entry;

/* Rows that differ by an image of the board have one key. */
typedef struct gomoku_hold_key {
    uint64_t key;
    int image; /* number of the image that has it */
} gomoku_hold_key;

typedef struct gomoku_hold {
    int width, height, cells, images;
    gomoku_rows attacker, defender; /* at the root */
    gomoku_hold_entry *table;
    uint64_t mask;
    uint64_t nodes;
    bool (*go_on)(void *context, uint64_t nodes); /* may be NULL; asked now and then */
    void *context;
    bool halted; /* go_on said no */
    uint64_t keys[GOMOKU_HOLD_CELLS][GOMOKU_IMAGES];
    uint8_t image[GOMOKU_IMAGES][GOMOKU_HOLD_CELLS];
} gomoku_hold;

/* The table takes at most so many bytes, at least 64 KiB. */
ply_status gomoku_hold_init(gomoku_hold *h, size_t bytes);
void gomoku_hold_free(gomoku_hold *h);
/* The position: the stones of both, nobody having a row. False when the board is too large. Keeps
 * the table while the board stays the same. */
bool gomoku_hold_set(gomoku_hold *h, int width, int height, int row, uint64_t attacker,
                     uint64_t defender);
/*
 * Whether the attacker, who is to move, can fill one of his rows, the defender's rows counting for
 * nothing; in at most so many nodes.
 */
gomoku_verdict gomoku_hold_rows(gomoku_hold *h, uint64_t nodes);
/*
 * The answer with which the defender, to move, stops all these rows, GOMOKU_HOLD_ANY where each
 * will do; -1: there is none, or go_on said no. Makes the rows smaller, and adds the cells that
 * this pairs off to pairs, if not NULL.
 */
int gomoku_hold_answer(gomoku_hold *h, gomoku_rows *r, gomoku_pairs *pairs);
/*
 * The same in the game (see gomoku_hold_game), for the position set last, the defender to move: the
 * cell after which the attacker does not win, GOMOKU_HOLD_ANY where he has no row; -1: there is
 * none.
 */
int gomoku_hold_game_answer(gomoku_hold *h);
gomoku_hold_key gomoku_hold_key_of(const gomoku_hold *h, const gomoku_rows *r);
/* Like gomoku_hold_rows, but in the game, where who first fills a row wins. */
gomoku_verdict gomoku_hold_game(gomoku_hold *h, uint64_t nodes);

#endif
