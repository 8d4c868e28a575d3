/* SPDX-License-Identifier: MIT */
/* checkers.cu - the kernels of batches and perft of checkers. */
#include "cuda/batch.h"
#include "games/checkers/learn/numbering.h"
#include "games/checkers/rules/draw_rules.h"
#include "games/checkers/rules/english.h"
#include "games/checkers/rules/general.h"

typedef checkers_position game_position;
typedef checkers_undo_info game_undo;
#define GAME_LOOKS_BACK true
#define GAME_MASK_WORDS (CHECKERS_ACTIONS / 64)
#define GAME_POSITION_WORDS 6
#define GAME_STEP_BLOCKS 6
#define GAME_RANDOM_BLOCKS 6
#define GAME_KERNEL(name) checkers_batch_##name
#define GAME_PERFT_KERNEL(name) checkers_perft_##name

PLY_HD size_t list_moves(const ply_rules *rules, const checkers_position *p, ply_move *moves)
{
    return checkers_is_english(rules) ? english_moves(p, moves)
                                      : general_moves(rules, p, moves, NULL);
}

PLY_HD size_t game_mask(const cuda_batch_args *a, const checkers_position *p, uint64_t *bits)
{
    ply_move moves[CHECKERS_MAX_MOVES];
    return checkers_mask(p, moves, list_moves(&a->rules, p, moves), bits);
}

PLY_HD ply_move game_step(const cuda_batch_args *a, checkers_position *p, uint32_t action,
                          checkers_undo_info *undo)
{
    ply_move move;
    if (!quiet_step(p, action, &move)) {
        ply_move moves[CHECKERS_MAX_MOVES];
        move = move_in(moves, list_moves(&a->rules, p, moves), p->turn, action);
    }
    *undo = *p;
    apply_move(p, move);
    return move;
}

PLY_HD int game_side(const cuda_batch_args *a, const checkers_position *p)
{
    return p->turn ^ a->rules.option[CHECKERS_OPTION_STARTS];
}

PLY_HD int game_outcome(const cuda_batch_args *a, const checkers_position *p,
                        const checkers_undo_info *undo_stack, size_t plies, size_t legal,
                        bool fresh)
{
    if (legal == 0)
        return game_side(a, p) ? PLY_FIRST_WINS : PLY_SECOND_WINS;
    return draw_outcome(&a->rules, p, undo_stack, plies, fresh).result;
}

PLY_HD uint64_t game_hash(const checkers_position *p)
{
    return p->hash;
}

typedef struct game_view {
    uint64_t planes[4];
    uint8_t quiet;
} game_view;

PLY_HD void game_look(const cuda_batch_args *a, const checkers_position *p, int viewer,
                      game_view *view)
{
    int colour = viewer ^ a->rules.option[CHECKERS_OPTION_STARTS];
    for (int plane = 0; plane < 4; plane++) {
        uint64_t board = p->board[plane < 2 ? colour : !colour][plane & 1];
        view->planes[plane] = colour == CHECKERS_BLACK ? checkers_rotate(board) : board;
    }
    view->quiet = (uint8_t)(p->quiet < 255 ? p->quiet : 255);
}

PLY_HD uint8_t game_byte(const cuda_batch_args *a, const game_view *v, uint32_t i)
{
    (void)a;
    return i < 4 * 64 ? v->planes[i / 64] >> i % 64 & 1 : v->quiet;
}

PLY_HD uint64_t game_count(const cuda_batch_args *a, const game_position *p)
{
    uint64_t mask[GAME_MASK_WORDS];
    return game_mask(a, p, mask);
}

#include "cuda/batch_body.h"
#include "cuda/perft_body.h"
