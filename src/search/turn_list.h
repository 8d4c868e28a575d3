/* SPDX-License-Identifier: MIT */
/*
 * turn_list.h - lists of whole turns, for games with multi_move_turns.
 *
 * The moves of all turns stand one after another in one array. A search appends the turns of a node
 * to the end of its list and truncates it again when it leaves the node. A list belongs to one
 * thread; zeroed memory is an empty list.
 */
#ifndef PLY_SEARCH_TURN_LIST_H
#define PLY_SEARCH_TURN_LIST_H

#include <plyverse/game.h>

typedef struct listed_turn {
    size_t first, count; /* its moves are list->moves[first .. first + count) */
    int32_t score;       /* the game's first estimate */
} listed_turn;

typedef struct turn_list {
    listed_turn *turns;
    ply_move *moves;
    size_t turn_count, turn_capacity;
    size_t move_count, move_capacity;
} turn_list;

/* Appends a turn; false when memory runs out, and the list is unchanged. */
bool ply_turn_list_add(turn_list *list, const ply_move *moves, size_t count, int32_t score);
/* Sorts turns[first ..) by score, best first; equal scores keep the order in which they came. */
void ply_turn_list_sort(turn_list *list, size_t first);
void ply_turn_list_free(turn_list *list);

#endif
