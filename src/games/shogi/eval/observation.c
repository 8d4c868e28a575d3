/* SPDX-License-Identifier: MIT */
/*
 * observation.c - positions as planes of bytes and moves as numbers, for machine learning.
 *
 * Both are seen from a player, for moves the one who moves: for White the board is rotated by 180 degrees, so that the
 * player always moves up. Planes:
 *
 *      0-13  own pieces: P L N S B R G K, then promoted P L N S B R
 *     14-27  the opponent's pieces, in the same order
 *     28-34  own hand, P L N S B R G: the count on every square
 *     35-41  the opponent's hand
 *     42     1 everywhere if the viewer is White
 *
 * An action is label * 81 + target square, where square = rank * 9 + column from the left. Labels:
 *
 *      0-9   the direction of the move: up-left, up, up-right, left, right, down-left, down,
 *            down-right, knight's jump to the left, knight's jump to the right
 *     10-19  the same with promotion
 *     20-26  a drop of P L N S B R G
 */
#include "games/shogi/rules/attacks.h"
#include "games/shogi/shogi.h"
#include <string.h>

enum { AREA = 81, LABEL_DIRECTIONS = 10, LABEL_PROMOTION = 10, LABEL_DROP = 20 };
enum { KNIGHT_LEFT = 8, KNIGHT_RIGHT = 9 };
enum { PLANES_OPPONENT = 14, PLANES_HAND = 28, PLANE_SIDE = 42 };

static const int8_t direction_steps[LABEL_DIRECTIONS] = {-12, -11, -10, -1,  1,
                                                         10,  11,  12,  -23, -21};

/* A square as seen from `side`; its own inverse. */
static int orient(int side, int square)
{
    return side == SHOGI_BLACK ? square : 96 - square;
}

static int cell(int square)
{
    return shogi_rank(square) * SHOGI_SIDE + shogi_column(square);
}

/* The plane of a piece, relative to the planes of its owner. */
static int plane_of(int code)
{
    int kind = code & SHOGI_CODE_KIND;
    return code & SHOGI_CODE_PROMOTED ? SHOGI_KINDS + kind : kind;
}

void shogi_observe(const ply_rules *rules, const void *position, int viewer, uint8_t *out)
{
    (void)rules;
    const shogi_position *p = position;
    memset(out, 0, (size_t)SHOGI_PLANES * AREA);
    for (int s = 0; s < SHOGI_SQUARES; s++) {
        int code = p->board[s];
        if (code == SHOGI_CODE_EMPTY)
            continue;
        int plane = plane_of(code) + (shogi_code_owner(code) == viewer ? 0 : PLANES_OPPONENT);
        out[plane * AREA + cell(orient(viewer, s))] = 1;
    }
    for (int who = 0; who < 2; who++)
        for (int kind = 0; kind < SHOGI_KING; kind++)
            memset(out + (PLANES_HAND + SHOGI_KING * who + kind) * AREA,
                   (int)shogi_hand_count(p->hand[viewer ^ who], kind), AREA);
    memset(out + PLANE_SIDE * AREA, viewer, AREA);
}

uint32_t shogi_action(const ply_rules *rules, const void *position, ply_move move)
{
    (void)rules;
    const shogi_position *p = position;
    int to = orient(p->side, shogi_move_to(move)), label;
    if (shogi_move_is_drop(move)) {
        label = LABEL_DROP + shogi_move_from(move);
    } else {
        int from = orient(p->side, shogi_move_from(move));
        int direction = shogi_direction[from][to];
        if (direction == SHOGI_DIRECTIONS)
            direction = to - from == direction_steps[KNIGHT_LEFT] ? KNIGHT_LEFT : KNIGHT_RIGHT;
        label = direction + (shogi_move_promotes(move) ? LABEL_PROMOTION : 0);
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
    if (label >= LABEL_DROP) {
        move = shogi_drop_make(label - LABEL_DROP, orient(p->side, to));
    } else {
        /* The first piece found going back from the target. A knight jumps exactly once. */
        int direction = label % LABEL_DIRECTIONS, from = to - direction_steps[direction];
        while (direction < SHOGI_DIRECTIONS && from >= 0 && shogi_is_square((unsigned)from) &&
               p->board[orient(p->side, from)] == SHOGI_CODE_EMPTY)
            from -= direction_steps[direction];
        if (from < 0 || !shogi_is_square((unsigned)from))
            return PLY_MOVE_NONE;
        move =
            shogi_move_make(orient(p->side, from), orient(p->side, to), label >= LABEL_PROMOTION);
    }
    return shogi_is_legal(p, move) ? move : PLY_MOVE_NONE;
}
