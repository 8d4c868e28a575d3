/* SPDX-License-Identifier: MIT */
/* shogi.cu - the kernels of batches and perft of shogi. */
#include "cuda/batch.h"
#include "games/shogi/learn/pgx_planes.h"
#include "games/shogi/rules/count_moves.h"
#include "games/shogi/rules/endings.h"

typedef shogi_position game_position;
typedef shogi_undo_info game_undo;
#define GAME_LOOKS_BACK true
#define GAME_MASK_WORDS SHOGI_MASK_WORDS
#define GAME_POSITION_WORDS (sizeof(shogi_position) / 8)
#define GAME_STEP_BLOCKS 4
#define GAME_RANDOM_BLOCKS 4
#define GAME_KERNEL(name) shogi_batch_##name
#define GAME_PERFT_KERNEL(name) shogi_perft_##name

PLY_HD size_t game_mask(const cuda_batch_args *a, const shogi_position *p, uint64_t *bits)
{
    (void)a;
    return shogi_mask(p, bits);
}

PLY_HD ply_move game_step(const cuda_batch_args *a, shogi_position *p, uint32_t action,
                          shogi_undo_info *undo)
{
    (void)a;
    ply_move move = shogi_action_move(p, action);
    shogi_undo_info entry;
    shogi_apply(p, (unsigned)move, &entry);
    *undo = entry;
    return move;
}

PLY_HD int game_outcome(const cuda_batch_args *a, const shogi_position *p,
                        const shogi_undo_info *undo_stack, size_t plies, size_t legal, bool fresh)
{
    if (legal > 0)
        return (int)outcome_with_moves(&a->rules, p, undo_stack, plies, fresh).result;
    ply_outcome outcome = impasse_outcome(&a->rules, p);
    if (outcome.result != PLY_ONGOING)
        return (int)outcome.result;
    return p->side ? PLY_FIRST_WINS : PLY_SECOND_WINS;
}

PLY_HD int game_side(const cuda_batch_args *a, const shogi_position *p)
{
    (void)a;
    return p->side;
}

PLY_HD uint64_t game_hash(const shogi_position *p)
{
    return p->board_key + p->hand_key;
}

typedef struct game_view {
    const shogi_position *p;
    int viewer;
} game_view;

PLY_HD void game_look(const cuda_batch_args *a, const shogi_position *p, int viewer,
                      game_view *view)
{
    (void)a;
    view->p = p;
    view->viewer = viewer;
}

PLY_HD uint8_t game_byte(const cuda_batch_args *a, const game_view *v, uint32_t i)
{
    (void)a;
    uint32_t plane = i / SHOGI_AREA, at = i % SHOGI_AREA;
    if (plane == SHOGI_PLANE_SIDE)
        return (uint8_t)v->viewer;
    if (plane >= SHOGI_PLANES_HAND) {
        uint32_t which = plane - SHOGI_PLANES_HAND, other = which >= SHOGI_KING;
        return (uint8_t)shogi_hand_count(v->p->hand[(uint32_t)v->viewer ^ other],
                                         (int)(which - other * SHOGI_KING));
    }
    uint32_t other = plane >= SHOGI_PLANES_OPPONENT, kind = plane - other * SHOGI_PLANES_OPPONENT;
    int square = shogi_orient(v->viewer, shogi_square((int)(at % 9), (int)(at / 9)));
    int code = v->p->board[square];
    if (code == SHOGI_CODE_EMPTY || shogi_code_owner(code) != (v->viewer ^ (int)other))
        return 0;
    int promoted = code & SHOGI_CODE_PROMOTED ? SHOGI_KINDS : 0;
    return (uint32_t)((code & SHOGI_CODE_KIND) + promoted) == kind;
}

#define GAME_BITS
PLY_HD void game_bits(const cuda_batch_args *a, const shogi_position *p, int viewer, uint64_t *bits)
{
    (void)a;
    shogi_pgx_bits(p, viewer, bits);
}

PLY_HD uint64_t game_count(const cuda_batch_args *a, const shogi_position *p)
{
    (void)a;
    return count_legal_of(p, p->side);
}

#include "cuda/batch_body.h"
#include "cuda/perft_body.h"
