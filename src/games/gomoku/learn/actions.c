/* SPDX-License-Identifier: MIT */
/*
 * actions.c - moves as numbers, for machine learning.
 *
 * Actions are the cells row by row from a1, then the pass, if the rules have one. Planes: own
 * stones, enemy stones, points forbidden to the viewer; then all ones if the viewer is Black, and all
 * ones if the last move was a pass.
 */
#include "games/gomoku/learn/learning.h"
#include <string.h>

/* The forbidden points of Black in a renju game that goes on; otherwise NULL. */
static const uint32_t *forbidden_points(const ply_rules *rules, const gomoku_position *p,
                                        uint32_t *rows)
{
    if (gomoku_rule_of(rules) != GOMOKU_RENJU || gomoku_is_over(rules, p))
        return NULL;
    return gomoku_forbidden_points(rules, p, rows, NULL) > 0 ? rows : NULL;
}

static void observe(const ply_rules *rules, const void *position, int viewer, uint8_t *out)
{
    uint32_t rows[GOMOKU_MAX_SIDE];
    const uint32_t *forbidden =
        viewer == GOMOKU_BLACK ? forbidden_points(rules, position, rows) : NULL;
    PLY_ISA_PICK(gomoku_learning_of)
        ->observe(gomoku_width(rules), gomoku_height(rules), position, viewer, forbidden, out);
}

static size_t mask(const ply_rules *rules, const void *position, uint64_t *bits)
{
    const gomoku_position *p = position;
    uint32_t rows[GOMOKU_MAX_SIDE];
    int cells = gomoku_cell_count(rules);
    memset(bits, 0, (rules->actions + 63) / 64 * sizeof bits[0]);
    if (gomoku_is_over(rules, p))
        return 0;
    bool illegal = p->side == GOMOKU_BLACK &&
                   rules->option[GOMOKU_OPTION_FORBIDDEN] == GOMOKU_FORBIDDEN_ILLEGAL;
    const uint32_t *forbidden = illegal ? forbidden_points(rules, p, rows) : NULL;
    size_t count = PLY_ISA_PICK(gomoku_learning_of)
                       ->mask(gomoku_width(rules), gomoku_height(rules), p, forbidden, bits);
    if (rules->option[GOMOKU_OPTION_PASS]) {
        bits[cells / 64] |= (uint64_t)1 << cells % 64;
        count++;
    }
    return count;
}

static uint32_t action_of(const ply_rules *rules, const void *position, ply_move move)
{
    (void)position;
    if (move == GOMOKU_PASS)
        return (uint32_t)gomoku_cell_count(rules);
    int cell = gomoku_move_cell(move);
    return (uint32_t)(gomoku_y(cell) * gomoku_width(rules) + gomoku_x(cell));
}

/* The move of an action, legal or not. */
static ply_move move_of(const ply_rules *rules, uint32_t action)
{
    uint32_t width = (uint32_t)gomoku_width(rules);
    return action == (uint32_t)gomoku_cell_count(rules)
               ? GOMOKU_PASS
               : gomoku_move(gomoku_cell((int)(action % width), (int)(action / width)));
}

static ply_move action_move(const ply_rules *rules, const void *position, uint32_t action)
{
    if (action >= rules->actions)
        return PLY_MOVE_NONE;
    ply_move move = move_of(rules, action);
    ply_cursor nowhere = ply_cursor_make("", 0, NULL);
    return gomoku_check_move(rules, position, move, &nowhere) == PLY_OK ? move : PLY_MOVE_NONE;
}

static ply_status step(const ply_rules *rules, void *position, uint32_t action, ply_move *move,
                       ply_undo *undo)
{
    *move = move_of(rules, action);
    return gomoku_play(rules, position, *move, undo);
}

static uint32_t symmetries(const ply_rules *rules)
{
    return rules->symmetries;
}

static void symmetry(const ply_rules *rules, uint32_t i, uint32_t *cells, uint32_t *actions)
{
    int width = gomoku_width(rules), height = gomoku_height(rules), count = width * height;
    for (int c = 0; c < count; c++) {
        int image = gomoku_image_cell(width, height, i, gomoku_cell(c % width, c / width));
        uint32_t at = (uint32_t)(gomoku_y(image) * width + gomoku_x(image));
        if (cells)
            cells[c] = at;
        if (actions)
            actions[c] = at;
    }
    for (uint32_t a = (uint32_t)count; actions && a < rules->actions; a++)
        actions[a] = a;
}

const ply_learning_hooks gomoku_learning_hooks = {
    .observe = observe,
    .action = action_of,
    .action_move = action_move,
    .mask = mask,
    .step = step,
    .symmetries = symmetries,
    .symmetry = symmetry,
};
