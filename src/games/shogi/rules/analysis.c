/* SPDX-License-Identifier: MIT */
/*
 * analysis.c - the design note's attack analysis on numbered pieces: which squares the opponent
 * attacks, what checks the king, what is pinned to it, and where a check can be answered.
 *
 * One pass over the opponent's pieces finds everything. A flow (a slide) is followed to the first
 * piece it meets; if that piece belongs to the player to move, it is followed on to see whether the
 * king is next, which makes the piece a blocker. The engine answers the same questions for all
 * pieces at once, on square sets (attacks.h), and much faster; the tests compare the two.
 */
#include "games/shogi/rules/movement.h"
#include <string.h>

const shogi_movement *shogi_movement_of(int code)
{
    return &movements[shogi_code_owner(code)][shogi_code_type(code)];
}

static int direction_of(int step)
{
    int d = 0;
    while (shogi_direction_step(d) != step)
        d++;
    return d;
}

static void add_checker(shogi_analysis *a, int number)
{
    if (a->checker_count < SHOGI_MAX_CHECKERS)
        a->checkers[a->checker_count++] = (uint8_t)number;
}

static void add_steps(const shogi_piece_list *list, int number, shogi_analysis *a)
{
    const shogi_movement *m = shogi_movement_of(list->goma_cde[number]);
    for (const int8_t *step = m->steps; *step; step++) {
        uint8_t to = shogi_step(list->goma_pos[number], *step);
        if (!shogi_is_square(to))
            continue;
        a->direct[to] = (uint8_t)number;
        if (to == a->king)
            add_checker(a, number);
    }
}

/* Follows a flow that has met a piece of the player to move. If their king is the next piece, the
 * first one is pinned. */
static void find_pin(const shogi_piece_list *list, int number, int blocker, int step,
                     shogi_analysis *a)
{
    uint8_t to = shogi_step(list->goma_pos[blocker], step);
    while (shogi_is_square(to) && list->board[to] == 0)
        to = shogi_step(to, step);
    if (to != a->king)
        return;
    int from_king = 7 - direction_of(step);
    a->pins[from_king].blocker = (uint8_t)blocker;
    a->pins[from_king].attacker = (uint8_t)number;
    a->pinned[blocker] = (uint8_t)(1 + from_king);
}

static void add_flow(const shogi_piece_list *list, int side, int number, int step,
                     shogi_analysis *a)
{
    uint8_t to = shogi_step(list->goma_pos[number], step), bit = (uint8_t)(1 << direction_of(step));
    for (; shogi_is_square(to); to = shogi_step(to, step)) {
        int met = list->board[to];
        a->flow[to] |= bit;
        if (to == a->king)
            add_checker(a, number);
        else if (met && shogi_code_owner(list->goma_cde[met]) == side)
            find_pin(list, number, met, step, a);
        if (met)
            return;
    }
}

/* Marks where a single check can be answered: the checker's square and those its flow passes. */
static void mark_defence(const shogi_piece_list *list, shogi_analysis *a)
{
    int number = a->checkers[0], from = list->goma_pos[number];
    a->defence[from] = 1;
    a->no_drops = a->direct[a->king] != 0;
    for (int d = 0; d < SHOGI_DIRECTIONS; d++)
        if (a->flow[a->king] >> d & 1)
            for (int at = from; at != a->king; at += shogi_direction_step(d))
                a->defence[at] = 1;
}

void shogi_analyse(const shogi_piece_list *list, int side, shogi_analysis *a)
{
    memset(a, 0, sizeof *a);
    int king = list->goma_pos[1 + side];
    a->king = (uint8_t)(king < SHOGI_SQUARES ? king : SHOGI_NO_SQUARE);
    for (int number = 1; number <= SHOGI_PIECES; number++) {
        int code = list->goma_cde[number];
        if (list->goma_pos[number] >= SHOGI_SQUARES || shogi_code_owner(code) == side)
            continue;
        add_steps(list, number, a);
        for (const int8_t *step = shogi_movement_of(code)->flows; *step; step++)
            add_flow(list, side, number, *step, a);
    }
    a->in_check = a->checker_count > 0;
    a->double_check = a->checker_count > 1;
    if (a->checker_count == 1)
        mark_defence(list, a);
}
