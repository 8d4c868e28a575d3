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
    return (int)draw_outcome(&a->rules, p, undo_stack, plies, fresh).result;
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
    return (uint8_t)(i < 4 * 64 ? v->planes[i / 64] >> i % 64 & 1 : v->quiet);
}

PLY_HD uint64_t game_count(const cuda_batch_args *a, const game_position *p)
{
    uint64_t mask[GAME_MASK_WORDS];
    return game_mask(a, p, mask);
}

#define GAME_QUICK
typedef struct game_scratch {
    uint64_t can[4]; /* quiet moves, as the player sees the board: the pieces that have the step */
    uint32_t captures;
    ply_move list[CHECKERS_MAX_MOVES]; /* captures */
} game_scratch;

PLY_HD bool game_is_quick(const cuda_batch_args *a)
{
    return checkers_is_english(&a->rules);
}

PLY_HD size_t game_quick_look(const cuda_batch_args *a, const checkers_position *p, game_scratch *s)
{
    (void)a;
    english_view v = view_of(p);
    uint64_t jumpers = jumpers_of(&v);
    s->captures = 0;
    if (jumpers) {
        s->captures = (uint32_t)captures(&v, jumpers, s->list);
        return s->captures;
    }
    bool turn = p->turn == CHECKERS_BLACK;
    uint64_t own = turn ? checkers_rotate(v.own) : v.own;
    uint64_t kings = turn ? checkers_rotate(v.kings) : v.kings;
    uint64_t empty = turn ? checkers_rotate(v.empty) : v.empty;
    /* In the order of the target squares: men move towards smaller ones. */
    s->can[0] = checkers_step(empty, 3 - CHECKERS_UP_LEFT) & own;
    s->can[1] = checkers_step(empty, 3 - CHECKERS_UP_RIGHT) & own;
    s->can[2] = checkers_step(empty, 3 - CHECKERS_DOWN_LEFT) & kings;
    s->can[3] = checkers_step(empty, 3 - CHECKERS_DOWN_RIGHT) & kings;
    return (size_t)(ply_popcount(s->can[0]) + ply_popcount(s->can[1]) + ply_popcount(s->can[2]) +
                    ply_popcount(s->can[3]));
}

/* Capture number k in the order of the actions. */
PLY_HD ply_move nth_capture(const checkers_position *p, const game_scratch *s, uint32_t k)
{
    ply_move found = s->list[0];
    bool shared = false; /* both squares, by two captures: such actions are numbered apart */
    for (uint32_t i = 0; i < s->captures; i++) {
        uint64_t order = order_of(p->turn, s->list[i]);
        uint32_t rank = 0;
        for (uint32_t j = 0; j < s->captures; j++) {
            uint64_t other = order_of(p->turn, s->list[j]);
            rank += other < order;
            shared |= j != i && other >> 32 == order >> 32;
        }
        found = rank == k ? s->list[i] : found;
    }
    if (!shared)
        return found;
    uint64_t mask[GAME_MASK_WORDS];
    checkers_mask(p, s->list, s->captures, mask);
    for (uint32_t w = 0; w < GAME_MASK_WORDS; w++) {
        uint32_t count = (uint32_t)ply_popcount(mask[w]);
        if (k < count)
            return move_in(s->list, s->captures, p->turn,
                           w * 64 + (uint32_t)ply_nth_bit(mask[w], (int)k));
        k -= count;
    }
    return found;
}

/* The bit of the piece that has quiet move number k; *k becomes the number among its moves. */
PLY_HD int piece_of_move(const game_scratch *s, uint32_t *k)
{
    int at = 0;
    for (int width = 32; width > 0; width >>= 1) {
        uint64_t below = ((uint64_t)1 << (at + width)) - 1;
        uint32_t count =
            (uint32_t)(ply_popcount(s->can[0] & below) + ply_popcount(s->can[1] & below) +
                       ply_popcount(s->can[2] & below) + ply_popcount(s->can[3] & below));
        at += *k >= count ? width : 0;
    }
    uint64_t below = ((uint64_t)1 << at) - 1;
    *k -= (uint32_t)(ply_popcount(s->can[0] & below) + ply_popcount(s->can[1] & below) +
                     ply_popcount(s->can[2] & below) + ply_popcount(s->can[3] & below));
    return at;
}

PLY_HD ply_move game_quick_play(const cuda_batch_args *a, checkers_position *p,
                                const game_scratch *s, uint32_t k, checkers_undo_info *undo)
{
    (void)a;
    ply_move move;
    if (s->captures) {
        move = nth_capture(p, s, k);
    } else {
        int from = piece_of_move(s, &k), to = from;
        const int steps[4] = {-9, -7, 7, 9};
        for (int d = 0; d < 4; d++) {
            bool can = s->can[d] >> from & 1;
            to = can && k == 0 ? from + steps[d] : to;
            k -= can;
        }
        uint32_t action =
            (uint32_t)(checkers_index_of(from) * CHECKERS_SQUARES + checkers_index_of(to));
        quiet_step(p, action, &move);
    }
    *undo = *p;
    apply_move(p, move);
    return move;
}

#include "cuda/batch_body.h"
#include "cuda/perft_body.h"
