/* SPDX-License-Identifier: MIT */
/*
 * draw_search.h - draw search on small boards (at most 64 cells): the defender stops every row.
 *
 * Two games are searched. In the Maker-Breaker game (gomoku_draw_search_sets) only the attacker's
 * winning sets count (winning_sets.h). A defender who stops all of them there also stops them in
 * the real game, under every rule, as long as no cell is forbidden to the defender. If the defender
 * loses there, their own rows may still save them: gomoku_draw_search_game searches the game
 * itself, for rules under which any full row wins.
 *
 * A draw search is not safe to use from two threads at once.
 */
#ifndef PLY_GAMES_GOMOKU_SOLVE_DRAW_SEARCH_H
#define PLY_GAMES_GOMOKU_SOLVE_DRAW_SEARCH_H

#include "games/gomoku/solve/vcf.h"
#include "games/gomoku/solve/winning_sets.h"

enum {
    GOMOKU_IMAGES = 8,
    GOMOKU_ANY_CELL = GOMOKU_SET_CELLS, /* an answer: every cell will do */
};

/* An entry of the transposition table. */
typedef struct gomoku_draw_entry {
    uint64_t key;
    uint64_t zone; /* the zone of the attacker's win; 0: the defender draws */
} gomoku_draw_entry;

/* Sets that are images of each other have the same key. */
typedef struct gomoku_draw_key {
    uint64_t key;
    int image; /* the number of the image that has it */
} gomoku_draw_key;

typedef struct gomoku_draw_search {
    int width, height, cells, images;
    gomoku_winning_sets attacker, defender; /* at the root */
    gomoku_draw_entry *table;
    uint64_t mask; /* the number of entries, less 1 */
    uint64_t nodes;
    bool (*keep_going)(void *context, uint64_t nodes); /* polled now and then; may be NULL */
    void *context;
    bool halted; /* keep_going returned false */
    uint64_t keys[GOMOKU_SET_CELLS][GOMOKU_IMAGES];
    uint8_t image[GOMOKU_IMAGES][GOMOKU_SET_CELLS];
} gomoku_draw_search;

/* The transposition table takes at most `bytes`, but at least 64 KiB. PLY_NO_MEMORY. */
ply_status gomoku_draw_search_init(gomoku_draw_search *s, size_t bytes);
void gomoku_draw_search_free(gomoku_draw_search *s);
/*
 * Sets the root: the stones of both players, neither of whom has won. Returns false when the board
 * is too large. Keeps the transposition table as long as the board has the same size.
 */
bool gomoku_draw_search_set(gomoku_draw_search *s, int width, int height, int row,
                            uint64_t attacker, uint64_t defender);
/* Whether the attacker, to move at the root, wins the Maker-Breaker game; in at most `nodes`. */
gomoku_verdict gomoku_draw_search_sets(gomoku_draw_search *s, uint64_t nodes);
/* The same for the game itself, in which whoever fills a row first wins. */
gomoku_verdict gomoku_draw_search_game(gomoku_draw_search *s, uint64_t nodes);
/*
 * The cell with which the defender, to move, stops all these sets; GOMOKU_ANY_CELL when every cell
 * will do; -1 when there is none or keep_going returned false. Simplifies the sets, and adds the
 * pairs of cells that this splits off to `pairs` (may be NULL).
 */
int gomoku_draw_search_answer(gomoku_draw_search *s, gomoku_winning_sets *sets,
                              gomoku_pairs *pairs);
/*
 * The cell after which the attacker does not win the game itself, at a root with the defender to
 * move; GOMOKU_ANY_CELL when the attacker has no set left; -1 when there is none.
 */
int gomoku_draw_search_game_answer(gomoku_draw_search *s);
gomoku_draw_key gomoku_draw_key_of(const gomoku_draw_search *s, const gomoku_winning_sets *sets);

#endif
