/* SPDX-License-Identifier: MIT */
/* gomoku.cu - the kernels of batches and perft of gomoku and renju. The pattern totals are not kept up to date:
 * no rule depends on them. */
#include "cuda/batch.h"
#include "games/gomoku/learn/empty_cells.h"
#include "games/gomoku/rules/renju.h"
#include "games/gomoku/rules/stones.h"

/* A gomoku_position with room for the lines of the largest board. */
typedef struct game_position {
    uint64_t words[sizeof(gomoku_undo_info) / 8 + GOMOKU_MAX_LINES];
} game_position;
typedef gomoku_undo_info game_undo;
#define GAME_LOOKS_BACK false
#define GAME_MASK_WORDS GOMOKU_MASK_WORDS
#define GAME_STEP_BLOCKS 4
#define GAME_RANDOM_BLOCKS 8
#define GAME_KERNEL(name) gomoku_batch_##name
#define GAME_PERFT_KERNEL(name) gomoku_perft_##name

PLY_HD gomoku_position *board_of(game_position *p)
{
    return (gomoku_position *)(void *)p->words;
}

PLY_HD const gomoku_position *const_board_of(const game_position *p)
{
    return (const gomoku_position *)(const void *)p->words;
}

PLY_HD bool is_over(const ply_rules *rules, const gomoku_position *p)
{
    return p->ended || p->passes == 2 || p->stones == gomoku_cell_count(rules);
}

/* The forbidden points of Black in a renju game that goes on; returns whether there are any. */
PLY_CALLED bool forbidden_points(const cuda_batch_args *a, const gomoku_position *p, uint32_t *rows)
{
    const ply_rules *rules = &a->rules;
    if (a->rule != GOMOKU_RENJU || is_over(rules, p))
        return false;
    uint64_t lines[GOMOKU_MAX_LINES];
    for (int i = 0; i < gomoku_line_count(gomoku_width(rules), gomoku_height(rules)); i++)
        lines[i] = p->lines[i];
    return find_forbidden(gomoku_width(rules), gomoku_height(rules), lines, rows, NULL) > 0;
}

PLY_HD size_t game_mask(const cuda_batch_args *a, const game_position *position, uint64_t *bits)
{
    const gomoku_position *p = const_board_of(position);
    const ply_rules *rules = &a->rules;
    uint32_t rows[GOMOKU_MAX_SIDE];
    int cells = gomoku_cell_count(rules);
    for (uint32_t w = 0; w < a->arrays.mask_words; w++)
        bits[w] = 0;
    if (is_over(rules, p))
        return 0;
    bool illegal = p->side == GOMOKU_BLACK &&
                   rules->option[GOMOKU_OPTION_FORBIDDEN] == GOMOKU_FORBIDDEN_ILLEGAL &&
                   forbidden_points(a, p, rows);
    size_t count = gomoku_empty_cells(gomoku_width(rules), gomoku_height(rules), p,
                                      illegal ? rows : NULL, bits);
    if (rules->option[GOMOKU_OPTION_PASS]) {
        bits[cells / 64] |= (uint64_t)1 << cells % 64;
        count++;
    }
    return count;
}

PLY_HD ply_move game_step(const cuda_batch_args *a, game_position *position, uint32_t action,
                          gomoku_undo_info *undo)
{
    (void)undo;
    gomoku_position *p = board_of(position);
    const ply_rules *rules = &a->rules;
    int width = gomoku_width(rules), height = gomoku_height(rules);
    if (action == (uint32_t)gomoku_cell_count(rules)) {
        gomoku_count_pass(p);
        return GOMOKU_PASS;
    }
    int cell = gomoku_cell((int)action % width, (int)action / width), kind = GOMOKU_ALLOWED;
    if (rules->option[GOMOKU_OPTION_FORBIDDEN] == GOMOKU_FORBIDDEN_LOSES &&
        p->side == GOMOKU_BLACK) {
        renju board = {
            .width = width, .height = height, .lines = p->lines, .trace = NULL, .depth = 0};
        kind = classify(&board, cell);
    }
    int colour = p->side;
    gomoku_set_cell(p->lines, width, height, cell, colour);
    gomoku_count_stone(p, cell,
                       gomoku_wins_at(p->lines, width, height, cell, colour,
                                      (enum gomoku_rule)a->rule, gomoku_row(rules)));
    if (kind > GOMOKU_ALLOWED)
        gomoku_lose_by_forbidden(p, (enum gomoku_forbidden)kind);
    return gomoku_move(cell);
}

PLY_HD int game_outcome(const cuda_batch_args *a, const game_position *position,
                        const gomoku_undo_info *undo_stack, size_t plies, size_t legal, bool fresh)
{
    (void)undo_stack;
    (void)plies;
    (void)fresh;
    const gomoku_position *p = const_board_of(position);
    if (p->ended >= GOMOKU_LOST_BY_FORBIDDEN)
        return PLY_SECOND_WINS;
    if (p->ended)
        return p->ended == GOMOKU_ROW_BLACK ? PLY_FIRST_WINS : PLY_SECOND_WINS;
    if (p->stones == gomoku_cell_count(&a->rules) || p->passes == 2)
        return PLY_DRAW;
    return legal == 0 ? PLY_SECOND_WINS : PLY_ONGOING; /* every empty cell is forbidden */
}

PLY_HD int game_side(const cuda_batch_args *a, const game_position *p)
{
    (void)a;
    return const_board_of(p)->side;
}

PLY_HD uint64_t game_hash(const game_position *p)
{
    return const_board_of(p)->hash;
}

typedef struct game_view {
    const gomoku_position *p;
    int viewer;
    bool some_forbidden;
    uint32_t forbidden[GOMOKU_MAX_SIDE];
} game_view;

PLY_HD void game_look(const cuda_batch_args *a, const game_position *position, int viewer,
                      game_view *view)
{
    view->p = const_board_of(position);
    view->viewer = viewer;
    view->some_forbidden = viewer == GOMOKU_BLACK && forbidden_points(a, view->p, view->forbidden);
}

PLY_HD uint8_t game_byte(const cuda_batch_args *a, const game_view *v, uint32_t i)
{
    uint32_t width = (uint32_t)gomoku_width(&a->rules);
    uint32_t cells = width * (uint32_t)gomoku_height(&a->rules);
    uint32_t plane = i / cells, x = i % cells % width, y = i % cells / width;
    switch (plane) {
    case 0:
        return v->p->lines[y] >> (2 * x + (uint32_t)v->viewer) & 1;
    case 1:
        return v->p->lines[y] >> (2 * x + (uint32_t)!v->viewer) & 1;
    case 2:
        return v->some_forbidden && (v->forbidden[y] >> x & 1);
    case 3:
        return v->viewer == GOMOKU_BLACK;
    default:
        return v->p->passes > 0;
    }
}

PLY_HD uint64_t game_count(const cuda_batch_args *a, const game_position *p)
{
    uint64_t mask[GAME_MASK_WORDS];
    return game_mask(a, p, mask);
}

#include "cuda/batch_body.h"
#include "cuda/perft_body.h"
