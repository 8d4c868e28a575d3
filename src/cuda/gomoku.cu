/* SPDX-License-Identifier: MIT */
/* gomoku.cu - the kernels of batches and perft of gomoku and renju. The pattern totals are not kept up to date:
 * no rule depends on them. */
#include "cuda/batch.h"
#include "games/gomoku/learn/empty_cells.h"
#include "games/gomoku/rules/bit_rows.h"
#include "games/gomoku/rules/renju.h"
#include "games/gomoku/rules/stones.h"

/* A gomoku_position with room for the lines of the largest board. */
typedef struct game_position {
    uint64_t words[sizeof(gomoku_undo_info) / 8 + GOMOKU_MAX_LINES];
} game_position;
typedef gomoku_undo_info game_undo;
#define GAME_LOOKS_BACK false
#define GAME_MASK_WORDS GOMOKU_MASK_WORDS
#define GAME_STEP_BLOCKS 6
#define GAME_QUICK_BLOCKS 8
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

#define GAME_BITS
/* Bits are gathered in local memory: neighbouring threads write rows that are far apart. */
PLY_HD void game_bits(const cuda_batch_args *a, const game_position *position, int viewer,
                      uint64_t *bits)
{
    uint64_t sets[(5 * GOMOKU_MAX_CELLS + 63) / 64];
    game_view view;
    game_look(a, position, viewer, &view);
    size_t width = (size_t)gomoku_width(&a->rules), height = (size_t)gomoku_height(&a->rules);
    size_t cells = width * height;
    uint64_t all = ((uint64_t)1 << width) - 1;
    for (uint32_t w = 0; w < a->part_words; w++)
        sets[w] = 0;
    for (size_t y = 0; y < height; y++) {
        uint64_t line = view.p->lines[y];
        uint64_t rows[5] = {gomoku_pack_row(line >> viewer), gomoku_pack_row(line >> !viewer),
                            view.some_forbidden ? view.forbidden[y] : 0,
                            viewer == GOMOKU_BLACK ? all : 0, view.p->passes > 0 ? all : 0};
        PLY_UNROLL
        for (size_t plane = 0; plane < 5; plane++)
            ply_planes_put(sets, plane * cells + y * width, rows[plane], (unsigned)width);
    }
    for (uint32_t w = 0; w < a->part_words; w++)
        bits[w] = sets[w];
}

PLY_HD uint64_t game_count(const cuda_batch_args *a, const game_position *p)
{
    uint64_t mask[GAME_MASK_WORDS];
    return game_mask(a, p, mask);
}

#define GAME_QUICK
typedef struct game_quick {
    bit_rows own, other; /* stones of the player to move, and of the opponent */
    uint16_t stones;
    uint8_t side, ended;
} game_quick;
typedef char game_quick_list;

/* Where every empty cell is legal and five or more win, on a board that fits into bit rows. */
PLY_HD bool game_is_quick(const cuda_batch_args *a)
{
    return a->rule == GOMOKU_FREESTYLE && !a->rules.option[GOMOKU_OPTION_PASS] &&
           gomoku_row(&a->rules) == 5 && gomoku_width(&a->rules) <= BIT_ROWS_SIDE &&
           gomoku_height(&a->rules) <= BIT_ROWS_SIDE;
}

PLY_HD void game_quick_open(const cuda_batch_args *a, const game_position *position, game_quick *q)
{
    const gomoku_position *p = const_board_of(position);
    int height = gomoku_height(&a->rules);
    FOR_BIT_ROWS(i)
    {
        uint64_t even = 2 * i < height ? p->lines[2 * i] : 0;
        uint64_t odd = 2 * i + 1 < height ? p->lines[2 * i + 1] : 0;
        q->own.word[i] =
            (uint32_t)(gomoku_pack_row(even >> p->side) | gomoku_pack_row(odd >> p->side) << 16);
        q->other.word[i] =
            (uint32_t)(gomoku_pack_row(even >> !p->side) | gomoku_pack_row(odd >> !p->side) << 16);
    }
    q->stones = p->stones;
    q->side = p->side;
    q->ended = p->ended;
}

PLY_HD size_t game_quick_look(const cuda_batch_args *a, const game_quick *q, game_quick_list *list)
{
    (void)list;
    return q->ended ? 0 : (size_t)(gomoku_cell_count(&a->rules) - q->stones);
}

PLY_HD ply_move game_quick_play(const cuda_batch_args *a, game_quick *q,
                                const game_quick_list *list, uint32_t k, gomoku_undo_info *undo)
{
    (void)list;
    (void)undo;
    bit_rows own = q->own;
    int cell =
        bit_rows_put_nth(&own, &q->other, gomoku_width(&a->rules), gomoku_height(&a->rules), k);
    q->ended = bit_rows_five(&own) ? (uint8_t)(GOMOKU_ROW_BLACK + q->side) : GOMOKU_NOT_ENDED;
    q->own = q->other;
    q->other = own;
    q->stones++;
    q->side = (uint8_t)!q->side;
    return gomoku_move(cell);
}

PLY_HD uint64_t game_quick_hash(const game_quick *q)
{
    (void)q;
    return 0;
}

PLY_HD int game_quick_outcome(const cuda_batch_args *a, const game_quick *q,
                              const gomoku_undo_info *undo_stack, size_t plies, size_t legal,
                              bool fresh)
{
    (void)a;
    (void)undo_stack;
    (void)plies;
    (void)fresh;
    if (q->ended)
        return q->ended == GOMOKU_ROW_BLACK ? PLY_FIRST_WINS : PLY_SECOND_WINS;
    return legal == 0 ? PLY_DRAW : PLY_ONGOING;
}

PLY_HD void put_all(gomoku_position *p, int width, int height, const bit_rows *stones, int colour)
{
    FOR_BIT_ROWS(i)
    for (uint32_t left = stones->word[i]; left; left &= left - 1) {
        int at = ply_lowest(left);
        gomoku_set_cell(p->lines, width, height, gomoku_cell(at & 15, 2 * i + (at >> 4)), colour);
    }
}

PLY_HD void game_quick_close(const cuda_batch_args *a, const game_quick *q, game_position *position)
{
    gomoku_position *p = board_of(position);
    int width = gomoku_width(&a->rules), height = gomoku_height(&a->rules);
    for (int i = 0; i < gomoku_line_count(width, height); i++)
        p->lines[i] = 0;
    put_all(p, width, height, &q->own, q->side);
    put_all(p, width, height, &q->other, !q->side);
    p->stones = q->stones;
    p->side = q->side;
    p->ended = q->ended;
    p->hash = gomoku_key_of(p, height);
}

#include "cuda/batch_body.h"
#include "cuda/perft_body.h"
