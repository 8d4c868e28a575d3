/* SPDX-License-Identifier: MIT */
/* perft_body.h - the kernels of perft, the same for every game; included by GAME.cu after
 * batch_body.h. game_count(args, p): the number of legal moves. */
#ifndef PLY_CUDA_PERFT_BODY_H
#define PLY_CUDA_PERFT_BODY_H

#include "cuda/perft.h"

#ifdef GAME_POSITION_WORDS
#define PERFT_WORDS(args) ((uint32_t)(GAME_POSITION_WORDS))
#else
#define PERFT_WORDS(args) ((args)->game.position_words)
#endif

PLY_HD void load_level(const cuda_perft_args *a, uint64_t i, game_position *p)
{
    for (uint32_t w = 0; w < PERFT_WORDS(a); w++)
        memcpy((unsigned char *)p + 8 * w, &a->from.positions[w * a->from.room + i], 8);
}

PLY_HD void store_level(const cuda_perft_args *a, uint64_t i, const game_position *p)
{
    for (uint32_t w = 0; w < PERFT_WORDS(a); w++)
        memcpy(&a->to.positions[w * a->to.room + i], (const unsigned char *)p + 8 * w, 8);
}

/* Adds up the moves of positions: their children are to fit into the next level. */
PLY_KERNEL(GAME_PERFT_KERNEL(plan), cuda_perft_args)
{
    if (PLY_THREAD >= args.count)
        return;
    game_position p;
    load_level(&args, args.first + PLY_THREAD, &p);
    uint64_t count = game_count(&args.game, &p);
    PLY_ATOMIC_ADD(args.total, count);
}

/* The same by root move: the last ply. */
PLY_KERNEL(GAME_PERFT_KERNEL(leaves), cuda_perft_args)
{
    if (PLY_THREAD >= args.count)
        return;
    game_position p;
    uint64_t i = args.first + PLY_THREAD;
    load_level(&args, i, &p);
    uint64_t count = game_count(&args.game, &p);
    PLY_ATOMIC_ADD(&args.by_root[args.from.tags[i]], count);
}

/* Writes the children to the next level, in any order. */
PLY_KERNEL(GAME_PERFT_KERNEL(expand), cuda_perft_args)
{
    if (PLY_THREAD >= args.count)
        return;
    game_position p;
    uint64_t i = args.first + PLY_THREAD, mask[GAME_MASK_WORDS];
    load_level(&args, i, &p);
    uint64_t count = game_mask(&args.game, &p, mask);
    if (count == 0)
        return;
    uint64_t at = PLY_ATOMIC_ADD(args.total, count);
    for (uint32_t w = 0; w < args.game.arrays.mask_words; w++)
        for (uint64_t left = mask[w]; left; left &= left - 1, at++) {
            game_position child = p;
            game_undo undo;
            game_step(&args.game, &child, w * 64 + (uint32_t)ply_lowest(left), &undo);
            store_level(&args, at, &child);
            args.to.tags[at] = args.from.tags[i];
        }
}

#endif
