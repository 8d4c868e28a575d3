/* SPDX-License-Identifier: MIT */
/*
 * actions.c - moves as numbers, for machine learning; what observations consist of.
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
#include "games/shogi/learn/learning.h"
#include "games/shogi/rules/attacks.h"

enum { KNIGHT_LEFT = 8, KNIGHT_RIGHT = 9 };

static int cell(int square)
{
    return shogi_rank(square) * SHOGI_SIDE + shogi_column(square);
}

static void observe(const ply_rules *rules, const void *position, int viewer, uint8_t *out)
{
    (void)rules;
    PLY_ISA_PICK(shogi_learning_of)->observe(position, viewer, out);
}

static size_t mask(const ply_rules *rules, const void *position, uint64_t *bits)
{
    (void)rules;
    return PLY_ISA_PICK(shogi_learning_of)->mask(position, bits);
}

static uint32_t action_of(const ply_rules *rules, const void *position, ply_move move)
{
    (void)rules;
    const shogi_position *p = position;
    int to = shogi_orient(p->side, shogi_move_to(move)), label;
    if (shogi_move_is_drop(move)) {
        label = SHOGI_LABEL_DROP + shogi_move_from(move);
    } else {
        int from = shogi_orient(p->side, shogi_move_from(move));
        int direction = shogi_direction[from][to];
        if (direction == SHOGI_DIRECTIONS)
            direction = to - from == shogi_label_step(KNIGHT_LEFT) ? KNIGHT_LEFT : KNIGHT_RIGHT;
        label = direction + (shogi_move_promotes(move) ? SHOGI_LABEL_PROMOTION : 0);
    }
    return (uint32_t)(label * SHOGI_AREA + cell(to));
}

static ply_move action_move(const ply_rules *rules, const void *position, uint32_t action)
{
    (void)rules;
    ply_move move = action < SHOGI_ACTIONS ? shogi_action_move(position, action) : PLY_MOVE_NONE;
    return shogi_is_legal(position, move) ? move : PLY_MOVE_NONE;
}

static ply_status step(const ply_rules *rules, void *position, uint32_t action, ply_move *move,
                       ply_undo *undo)
{
    *move = shogi_action_move(position, action);
    return shogi_play(rules, position, *move, undo);
}

static uint32_t symmetries(const ply_rules *rules)
{
    (void)rules;
    return 2;
}

/* The mirror image: left and right are swapped. */
static void symmetry(const ply_rules *rules, uint32_t i, uint32_t *cells, uint32_t *actions)
{
    static const uint8_t mirrored[SHOGI_LABEL_DIRECTIONS] = {2, 1, 0, 4, 3, 7, 6, 5, 9, 8};
    (void)rules;
    (void)i;
    for (uint32_t at = 0; at < SHOGI_AREA; at++) {
        uint32_t column = at % SHOGI_SIDE, image = at - column + SHOGI_SIDE - 1 - column;
        if (cells)
            cells[at] = image;
        for (uint32_t label = 0; actions && label < SHOGI_LABELS; label++) {
            uint32_t promotes = label < SHOGI_LABEL_DROP ? label / SHOGI_LABEL_PROMOTION : 0;
            uint32_t other =
                label >= SHOGI_LABEL_DROP
                    ? label
                    : promotes * SHOGI_LABEL_PROMOTION + mirrored[label % SHOGI_LABEL_DIRECTIONS];
            actions[label * SHOGI_AREA + at] = other * SHOGI_AREA + image;
        }
    }
}

static void observe_pgx(const ply_rules *rules, const void *position, int viewer, uint8_t *out)
{
    (void)rules;
    PLY_ISA_PICK(shogi_learning_of)->observe_pgx(position, viewer, out);
}

static const ply_observation observations[] = {
    {.name = "pgx", .planes = SHOGI_PGX_PLANES, .observe = observe_pgx},
};

const ply_learning_hooks shogi_learning_hooks = {
    .observe = observe,
    .action = action_of,
    .action_move = action_move,
    .mask = mask,
    .step = step,
    .symmetries = symmetries,
    .symmetry = symmetry,
    .observations = observations,
    .observation_count = sizeof observations / sizeof observations[0],
};
