/* SPDX-License-Identifier: MIT */
/* neighbours.cu - the kernels of batches and perft of Neighbours. */
#include "cuda/batch.h"
#include "games/neighbours/learn/directions.h"
#include "games/neighbours/rules/play.h"

typedef neighbours_position game_position;
typedef neighbours_undo_info game_undo;
#define GAME_LOOKS_BACK true
#define GAME_MASK_WORDS NEIGHBOURS_MASK_WORDS
#define GAME_SMALL_MASK
#define GAME_POSITION_WORDS 4
#define GAME_STEP_BLOCKS 8
#define GAME_QUICK_BLOCKS 8
#define GAME_RANDOM_BLOCKS 8
#define GAME_KERNEL(name) neighbours_batch_##name
#define GAME_PERFT_KERNEL(name) neighbours_perft_##name

PLY_HD size_t game_mask(const cuda_batch_args *a, const neighbours_position *p, uint64_t *bits)
{
    neighbours_choice c;
    uint64_t words[NEIGHBOURS_MASK_WORDS] = {0, 0, 0, 0, 0};
    neighbours_choose(p, a->rules.option[NEIGHBOURS_OPTION_PATH], &c);
    for (uint64_t own = c.own; own; own &= own - 1) {
        int from = ply_lowest(own);
        uint64_t here = (uint64_t)neighbours_directions_of(&c, own & -own) << 8 * (from & 7);
        PLY_UNROLL
        for (int w = 0; w < NEIGHBOURS_MASK_WORDS; w++)
            words[w] |= from >> 3 == w ? here : 0;
    }
    PLY_UNROLL
    for (int w = 0; w < NEIGHBOURS_MASK_WORDS; w++)
        bits[w] = words[w];
    return neighbours_choice_count(&c);
}

PLY_HD ply_move game_step(const cuda_batch_args *a, neighbours_position *p, uint32_t action,
                          neighbours_undo_info *undo)
{
    (void)a;
    ply_move move = neighbours_action_move(p, action);
    cuda_copy_pairs(undo, p, sizeof *p / 16);
    neighbours_apply(p, move);
    return move;
}

PLY_HD int game_outcome(const cuda_batch_args *a, const neighbours_position *p,
                        const neighbours_undo_info *undo_stack, size_t plies, size_t legal,
                        bool fresh)
{
    (void)a;
    if (legal == 0)
        return p->side ? PLY_FIRST_WINS : PLY_SECOND_WINS;
    return !fresh && neighbours_is_third_occurrence(p, undo_stack, plies) ? PLY_DRAW : PLY_ONGOING;
}

PLY_HD int game_side(const cuda_batch_args *a, const neighbours_position *p)
{
    (void)a;
    return p->side;
}

PLY_HD uint64_t game_hash(const neighbours_position *p)
{
    return p->hash;
}

typedef struct game_view {
    uint64_t own, pieces;
    slices_one counts;
} game_view;

PLY_HD void game_look(const cuda_batch_args *a, const neighbours_position *p, int viewer,
                      game_view *view)
{
    (void)a;
    view->own = viewer == p->side ? p->current : p->next;
    view->pieces = p->current | p->next;
    if (viewer) {
        view->own = neighbours_flip_rows(view->own);
        view->pieces = neighbours_flip_rows(view->pieces);
    }
    view->counts = add_neighbours_one(view->pieces);
}

PLY_HD uint8_t game_byte(const cuda_batch_args *a, const game_view *v, uint32_t i)
{
    (void)a;
    uint32_t plane = i / NEIGHBOURS_SQUARES, square = i % NEIGHBOURS_SQUARES;
    if (plane < 2)
        return (plane ? v->pieces ^ v->own : v->own) >> square & 1;
    if (!(v->pieces >> square & 1))
        return 0;
    return (uint8_t)((v->counts.ones >> square & 1) | (v->counts.twos >> square & 1) << 1 |
                     (v->counts.fours >> square & 1) << 2 | (v->counts.eights >> square & 1) << 3);
}

PLY_HD uint64_t game_count(const cuda_batch_args *a, const game_position *p)
{
    uint64_t mask[GAME_MASK_WORDS];
    return game_mask(a, p, mask);
}

#define GAME_QUICK
typedef struct game_quick {
    neighbours_position position;
    neighbours_choice choice;
} game_quick;
typedef char game_quick_list;

PLY_HD bool game_is_quick(const cuda_batch_args *a)
{
    (void)a;
    return true;
}

PLY_HD void game_quick_open(const cuda_batch_args *a, const neighbours_position *p, game_quick *q)
{
    (void)a;
    q->position = *p;
}

PLY_HD size_t game_quick_look(const cuda_batch_args *a, game_quick *q, game_quick_list *list)
{
    (void)list;
    neighbours_choose(&q->position, a->rules.option[NEIGHBOURS_OPTION_PATH], &q->choice);
    return neighbours_choice_count(&q->choice);
}

PLY_HD ply_move game_quick_play(const cuda_batch_args *a, game_quick *q,
                                const game_quick_list *list, uint32_t k, neighbours_undo_info *undo)
{
    (void)list;
    return game_step(a, &q->position, neighbours_nth_action(&q->choice, k), undo);
}

PLY_HD uint64_t game_quick_hash(const game_quick *q)
{
    return q->position.hash;
}

PLY_HD int game_quick_outcome(const cuda_batch_args *a, const game_quick *q,
                              const neighbours_undo_info *undo_stack, size_t plies, size_t legal,
                              bool fresh)
{
    return game_outcome(a, &q->position, undo_stack, plies, legal, fresh);
}

PLY_HD void game_quick_close(const cuda_batch_args *a, const game_quick *q, neighbours_position *p)
{
    (void)a;
    *p = q->position;
}

#include "cuda/batch_body.h"
#include "cuda/perft_body.h"
