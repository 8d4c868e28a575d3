/* SPDX-License-Identifier: MIT */
/*
 * observation.c - positions as planes of bytes, and moves as numbers, both seen by the player to move.
 *
 * The board is turned half round for White, so that the player always moves up. Planes:
 *
 *      0-13  own pieces: P L N S B R G K, then promoted P L N S B R
 *     14-27  the other player's, in the same order
 *     28-34  own hand, P L N S B R G: the count on every square
 *     35-41  the other hand
 *     42     1 everywhere when White moves
 *
 * A move is label * 81 + the square it goes to (rank * 9 + column from the left):
 *
 *      0-9   from below, below left/right ... : the way the piece moves, in the order up-left, up,
 *            up-right, left, right, down-left, down, down-right, knight left, knight right
 *     10-19  the same with promotion
 *     20-26  a drop of P L N S B R G
 */
#include "games/shogi/rules/attacks.h"
#include "games/shogi/shogi.h"
#include <string.h>

enum { AREA = 81, WAYS = 10, PROMOTING = 10, DROPPING = 20 };

static const int8_t way_steps[WAYS] = {-12, -11, -10, -1, 1, 10, 11, 12, -23, -21};

/* A square as the player sees it, and back. */
static int turn(int side, int square)
{
    return side == SHOGI_BLACK ? square : 96 - square;
}

static int cell(int square)
{
    return shogi_rank(square) * SHOGI_SIDE + shogi_column(square);
}

static int plane_of(int code)
{
    int kind = code & SHOGI_CODE_KIND;
    return code & SHOGI_CODE_PROMOTED ? SHOGI_KINDS + kind : kind;
}

void shogi_observe(const ply_rules *rules, const void *position, uint8_t *out)
{
    (void)rules;
    const shogi_position *p = position;
    memset(out, 0, (size_t)SHOGI_PLANES * AREA);
    for (int s = 0; s < SHOGI_SQUARES; s++) {
        int code = p->board[s];
        if (code == SHOGI_CODE_EMPTY)
            continue;
        int plane = plane_of(code) + (shogi_code_owner(code) == p->side ? 0 : 14);
        out[plane * AREA + cell(turn(p->side, s))] = 1;
    }
    for (int who = 0; who < 2; who++)
        for (int kind = 0; kind < SHOGI_KING; kind++)
            memset(out + (28 + 7 * who + kind) * AREA,
                   (int)shogi_hand_count(p->hand[p->side ^ who], kind), AREA);
    memset(out + 42 * AREA, p->side, AREA);
}

uint32_t shogi_action(const ply_rules *rules, const void *position, ply_move move)
{
    (void)rules;
    const shogi_position *p = position;
    int to = turn(p->side, shogi_move_to(move)), label;
    if (shogi_move_is_drop(move)) {
        label = DROPPING + shogi_move_from(move);
    } else {
        int from = turn(p->side, shogi_move_from(move));
        int way = shogi_direction[from][to];
        if (way == SHOGI_DIRECTIONS)
            way = to - from == way_steps[8] ? 8 : 9;
        label = way + (shogi_move_promotes(move) ? PROMOTING : 0);
    }
    return (uint32_t)(label * AREA + cell(to));
}

ply_move shogi_action_move(const ply_rules *rules, const void *position, uint32_t action)
{
    (void)rules;
    const shogi_position *p = position;
    int label = (int)(action / AREA), at = (int)(action % AREA);
    int to = shogi_square(at % SHOGI_SIDE, at / SHOGI_SIDE);
    ply_move move;
    if (action >= SHOGI_ACTIONS)
        return PLY_MOVE_NONE;
    if (label >= DROPPING) {
        move = shogi_drop_make(label - DROPPING, turn(p->side, to));
    } else {
        /* The first piece met going back along the way; a knight's way is one step long. */
        int way = label % WAYS, from = to - way_steps[way];
        while (way < 8 && from >= 0 && shogi_is_square((unsigned)from) &&
               p->board[turn(p->side, from)] == SHOGI_CODE_EMPTY)
            from -= way_steps[way];
        if (from < 0 || !shogi_is_square((unsigned)from))
            return PLY_MOVE_NONE;
        move = shogi_move_make(turn(p->side, from), turn(p->side, to), label >= PROMOTING);
    }
    return shogi_is_legal(p, move) ? move : PLY_MOVE_NONE;
}
