/* SPDX-License-Identifier: MIT */
/*
 * batch_body.h - the kernels of a batch, the same for every game; included by GAME.cu, which defines
 *
 *     game_position, game_undo   the types; GAME_LOOKS_BACK: whether undo entries are kept
 *     GAME_MASK_WORDS            the most words of a mask
 *     game_mask(rules, p, bits)  as ply_learning_hooks.mask, and so on:
 *     game_step(args, p, action, undo) -> ply_move
 *     game_outcome(args, p, undo_stack, plies, legal, fresh) -> ply_result
 *     game_side(args, p), game_hash(p)
 *     game_view, game_look(args, p, viewer, view), game_byte(args, view, i): byte i of an observation
 *     GAME_OWNS_MEMORY           if defined, positions lead to memory of their game, and:
 *     game_begin(args, g, p)     makes *p what the host sent; game_restart: where games start
 *     game_fits(args, p)         whether the game can go on; the first thing asked of a position
 *     game_clear_mask(p, bits), game_restart_mask(args, p, bits)
 *     GAME_THREADS               threads for each game, of which the first plays it; 1
 *     GAME_BITS                  if defined, observations may be bits, where args->bits is not NULL:
 *     game_bits(args, p, viewer, words)
 *     GAME_QUICK                 if defined, random games have a form of their own (random_body.h)
 *     GAME_KERNEL(name)          the name with the game's prefix
 *
 * A step of one game is that of src/batch/step.c, in the same order.
 */
#ifndef PLY_CUDA_BATCH_BODY_H
#define PLY_CUDA_BATCH_BODY_H

#include "core/bits.h"
#include "cuda/batch.h"

#define CUDA_GOLDEN 0x9E3779B97F4A7C15u

/* Loops over the words of a mask. Where GAME_SMALL_MASK is defined their number is a constant and the
 * loops are unrolled, so that the mask stays in registers. */
#ifdef GAME_SMALL_MASK
#define CUDA_MASK_WORDS(a) ((uint32_t)GAME_MASK_WORDS)
#else
#define CUDA_MASK_WORDS(a) ((a)->arrays.mask_words)
#endif
#ifdef GAME_SMALL_MASK
#define CUDA_UNROLL_MASK PLY_UNROLL
#else
#define CUDA_UNROLL_MASK
#endif

#ifndef GAME_THREADS
#define GAME_THREADS 1
#endif

/* One game in registers and local memory. */
typedef struct cuda_game {
    game_position position;
#ifdef GAME_OWNS_MEMORY
    uint64_t *mask; /* in device memory */
#else
    uint64_t mask[GAME_MASK_WORDS];
#endif
    uint64_t stream, draws;
    uint32_t plies, legal;
    uint8_t end, result;
} cuda_game;

PLY_HD game_undo *undo_of(const cuda_batch_args *a, uint64_t g)
{
    return (game_undo *)(void *)a->undo + (GAME_LOOKS_BACK ? g * a->max_plies : 0);
}

/* --- memory ----------------------------------------------------------------------------------- */
/* Over the words of a position, unrolled on the device where the game knows how many there are. */
#ifdef GAME_POSITION_WORDS
#define FOR_POSITION_WORDS(a, w) PLY_UNROLL for (uint32_t w = 0; w < GAME_POSITION_WORDS; w++)
#else
#define FOR_POSITION_WORDS(a, w) for (uint32_t w = 0; w < (a)->position_words; w++)
#endif

PLY_HD void load_position(const cuda_batch_args *a, uint64_t g, game_position *p)
{
    unsigned char *bytes = (unsigned char *)p;
    FOR_POSITION_WORDS(a, w)
    memcpy(bytes + 8 * w, &a->positions[w * (a->games + 1) + g], 8);
}

PLY_HD void store_position(const cuda_batch_args *a, uint64_t g, const game_position *p)
{
    const unsigned char *bytes = (const unsigned char *)p;
    FOR_POSITION_WORDS(a, w)
    memcpy(&a->positions[w * (a->games + 1) + g], bytes + 8 * w, 8);
}

PLY_HD void load_game(const cuda_batch_args *a, uint64_t g, cuda_game *game)
{
    load_position(a, g, &game->position);
    game->draws = a->draws[g];
    game->plies = a->plies[g];
    game->legal = a->legal[g];
    game->end = a->end[g];
    game->result = a->result[g];
    game->stream = ply_batch_mix(ply_batch_mix(a->seed + CUDA_GOLDEN) + g * CUDA_GOLDEN);
#ifdef GAME_OWNS_MEMORY
    game->mask = a->masks + g * a->arrays.mask_words;
#else
    CUDA_UNROLL_MASK
    for (uint32_t w = 0; w < CUDA_MASK_WORDS(a); w++)
        game->mask[w] = a->masks[g * a->arrays.mask_words + w];
#endif
}

PLY_HD void store_game(const cuda_batch_args *a, uint64_t g, const cuda_game *game)
{
    store_position(a, g, &game->position);
    a->draws[g] = game->draws;
    a->plies[g] = game->plies;
    a->legal[g] = game->legal;
    a->end[g] = game->end;
    a->result[g] = game->result;
#ifndef GAME_OWNS_MEMORY
    CUDA_UNROLL_MASK
    for (uint32_t w = 0; w < CUDA_MASK_WORDS(a); w++)
        a->masks[g * a->arrays.mask_words + w] = game->mask[w];
#endif
}

#include "cuda/observe_body.h"

/* --- the game --------------------------------------------------------------------------------- */
PLY_HD void end_game(const cuda_batch_args *a, cuda_game *game, int end, int result)
{
    (void)a;
#ifdef GAME_OWNS_MEMORY
    game_clear_mask(&game->position, game->mask);
#else
    CUDA_UNROLL_MASK
    for (uint32_t w = 0; w < CUDA_MASK_WORDS(a); w++)
        game->mask[w] = 0;
#endif
    game->legal = 0;
    game->end = (uint8_t)end;
    game->result = (uint8_t)result;
}

/* Adds a position to the game's filter; returns whether it is new for certain. Three bits of one word
 * stand for a key: one look at memory, and few keys that seem to have occurred have not. */
PLY_HD bool is_fresh(const cuda_batch_args *a, uint64_t g, uint64_t key)
{
    if (!GAME_LOOKS_BACK)
        return true;
    uint64_t *word = a->filters + g * CUDA_FILTER_WORDS + (key >> 59);
    uint64_t bits = (uint64_t)1 << (key >> 53 & 63) | (uint64_t)1 << (key >> 47 & 63) |
                    (uint64_t)1 << (key >> 41 & 63);
    uint64_t before = *word;
    *word = before | bits;
    return (before & bits) != bits;
}

/* Decides whether the game goes on; its legal actions have been counted. */
PLY_HD void look_at_end(const cuda_batch_args *a, uint64_t g, cuda_game *game)
{
    game->end = CUDA_PLAYING;
    game->result = PLY_ONGOING;
    bool fresh = is_fresh(a, g, game_hash(&game->position));
    int result = game_outcome(a, &game->position, undo_of(a, g), game->plies, game->legal, fresh);
    if (result != PLY_ONGOING)
        end_game(a, game, CUDA_ENDED, result);
    else if (game->legal == 0 || game->plies >= a->max_plies)
        end_game(a, game, CUDA_TRUNCATED, PLY_ONGOING);
}

/* Finds the legal actions and whether the game goes on. */
PLY_HD void look(const cuda_batch_args *a, uint64_t g, cuda_game *game)
{
#ifdef GAME_OWNS_MEMORY
    if (!game_fits(a, &game->position)) {
        end_game(a, game, CUDA_TRUNCATED, PLY_ONGOING);
        return;
    }
#endif
    game->legal = (uint32_t)game_mask(a, &game->position, game->mask);
    look_at_end(a, g, game);
}

PLY_HD uint64_t draw(cuda_game *game)
{
    return ply_batch_mix(game->stream + ++game->draws * CUDA_GOLDEN);
}

/* Set bit number k of the mask. */
PLY_HD int32_t nth_action(const cuda_batch_args *a, const cuda_game *game, uint32_t k)
{
#ifdef GAME_SMALL_MASK
    uint64_t word = 0;
    int32_t at = 0;
    uint32_t before = 0, below = 0;
    (void)a;
    CUDA_UNROLL_MASK
    for (int32_t w = 0; w < GAME_MASK_WORDS; w++) {
        uint32_t count = (uint32_t)ply_popcount(game->mask[w]);
        bool here = k >= before && k < before + count;
        word = here ? game->mask[w] : word;
        at = here ? w * 64 : at;
        below = here ? before : below;
        before += count;
    }
    return at + ply_nth_bit(word, (int)(k - below));
#else
    for (int32_t w = 0; (uint32_t)w < CUDA_MASK_WORDS(a); w++) {
        uint32_t count = (uint32_t)ply_popcount(game->mask[w]);
        if (k < count)
            return w * 64 + ply_nth_bit(game->mask[w], (int)k);
        k -= count;
    }
    return PLY_BATCH_NO_ACTION;
#endif
}

/* Whether an action is legal. */
PLY_HD bool mask_has(const cuda_batch_args *a, const cuda_game *game, int32_t action)
{
    if ((uint32_t)action >= a->arrays.actions)
        return false;
#ifdef GAME_SMALL_MASK
    uint64_t word = 0;
    CUDA_UNROLL_MASK
    for (int32_t w = 0; w < GAME_MASK_WORDS; w++)
        word = action / 64 == w ? game->mask[w] : word;
    return word >> action % 64 & 1;
#else
    return game->mask[action / 64] >> action % 64 & 1;
#endif
}

PLY_HD int32_t draw_action(const cuda_batch_args *a, cuda_game *game)
{
    return nth_action(a, game, (uint32_t)ply_multiply_high(draw(game), game->legal));
}

PLY_HD void play_action(const cuda_batch_args *a, uint64_t g, cuda_game *game, int32_t action)
{
    game_undo *undo = undo_of(a, g) + (GAME_LOOKS_BACK ? game->plies : 0);
    remember(a, g, game->plies, &game->position);
    a->moves[g * a->max_plies + game->plies] =
        game_step(a, &game->position, (uint32_t)action, undo);
    game->plies++;
    look(a, g, game);
}

/* The moves, undo entries and filter of the game that games start with, for game g. */
PLY_HD void restart_records(const cuda_batch_args *a, uint64_t g, uint32_t plies)
{
    for (uint32_t i = 0; i < plies; i++) {
        a->moves[g * a->max_plies + i] = a->moves[a->games * a->max_plies + i];
        if (GAME_LOOKS_BACK)
            undo_of(a, g)[i] = undo_of(a, a->games)[i];
    }
    if (GAME_LOOKS_BACK)
        cuda_copy_pairs(a->filters + g * CUDA_FILTER_WORDS,
                        a->filters + a->games * CUDA_FILTER_WORDS, CUDA_FILTER_WORDS / 2);
    remember_start(a, g, plies);
    a->placed[g] = 0;
}

/* Makes game g the one that games start with. Random numbers go on. */
PLY_HD void restart(const cuda_batch_args *a, uint64_t g, cuda_game *game)
{
#ifdef GAME_OWNS_MEMORY
    game_restart(a, g, &game->position);
    game_restart_mask(a, &game->position, game->mask);
#else
    load_position(a, a->games, &game->position);
    CUDA_UNROLL_MASK
    for (uint32_t w = 0; w < CUDA_MASK_WORDS(a); w++)
        game->mask[w] = a->masks[a->games * a->arrays.mask_words + w];
#endif
    game->plies = a->plies[a->games];
    game->legal = a->legal[a->games];
    game->end = a->end[a->games];
    game->result = a->result[a->games];
    restart_records(a, g, game->plies);
}

/* --- arrays ----------------------------------------------------------------------------------- */
PLY_HD void publish(const cuda_batch_args *a, uint64_t g, const cuda_game *game)
{
    const ply_batch_arrays *out = &a->arrays;
    out->players[g] = (uint8_t)game_side(a, &game->position);
    out->plies[g] = game->plies;
    out->legal_counts[g] = game->legal;
    if (out->keys)
        out->keys[g] = game_hash(&game->position);
#ifndef GAME_OWNS_MEMORY /* kernel `expand` copies large masks */
    if (out->mask_bits)
        CUDA_UNROLL_MASK
    for (uint32_t w = 0; w < CUDA_MASK_WORDS(a); w++)
        out->mask_bits[g * out->mask_words + w] = game->mask[w];
#endif
}

PLY_HD void publish_end(const cuda_batch_args *a, uint64_t g, const cuda_game *game)
{
    a->arrays.terminated[g] = game->end == CUDA_ENDED;
    a->arrays.truncated[g] = game->end == CUDA_TRUNCATED;
    a->arrays.results[g] = game->result;
}

PLY_HD void clear_step(const cuda_batch_args *a, uint64_t g)
{
    a->arrays.rewards[2 * g] = a->arrays.rewards[2 * g + 1] = 0;
    a->arrays.illegal[g] = 0;
}

PLY_HD void reward(const cuda_batch_args *a, uint64_t g, const cuda_game *game)
{
    float first = game->result == PLY_FIRST_WINS    ? 1.0f
                  : game->result == PLY_SECOND_WINS ? -1.0f
                                                    : 0.0f;
    a->arrays.rewards[2 * g] = first;
    a->arrays.rewards[2 * g + 1] = -first;
}

/* --- kernels ---------------------------------------------------------------------------------- */
/* What a step does in a game that goes on. */
PLY_HD void step_game(const cuda_batch_args *a, uint64_t g, cuda_game *game, int32_t action)
{
    const ply_batch_arrays *out = &a->arrays;
    if (!mask_has(a, game, action)) {
        out->illegal[g] = 1;
        if (a->illegal == PLY_BATCH_ILLEGAL_PASSES)
            return;
        if (a->illegal == PLY_BATCH_ILLEGAL_RANDOM)
            action = draw_action(a, game);
        else
            end_game(a, game, CUDA_ENDED,
                     game_side(a, &game->position) ? PLY_FIRST_WINS : PLY_SECOND_WINS);
    }
    if (game->end == CUDA_PLAYING)
        play_action(a, g, game, action);
    publish_end(a, g, game);
    if (game->end == CUDA_PLAYING)
        return;
    reward(a, g, game);
    if (a->reset != PLY_BATCH_RESET_SAME_STEP)
        return;
    observe_final(a, g, game->plies, &game->position);
    restart(a, g, game);
}

PLY_KERNEL_BOUNDS(GAME_KERNEL(step), cuda_batch_args, CUDA_BLOCK, GAME_STEP_BLOCKS)
{
    uint64_t g = PLY_THREAD / GAME_THREADS;
    if (g >= args.games || PLY_THREAD % GAME_THREADS)
        return;
    cuda_game game;
    load_game(&args, g, &game);
    clear_step(&args, g);
    if (game.end == CUDA_PLAYING) {
        step_game(&args, g, &game, args.actions[g]);
    } else if (args.reset != PLY_BATCH_RESET_NEVER) {
        restart(&args, g, &game);
        publish_end(&args, g, &game);
    } else {
        return;
    }
    publish(&args, g, &game);
    store_game(&args, g, &game);
}

/* Looks at the position that was put into one game, or where games start (number `games`). */
PLY_KERNEL(GAME_KERNEL(begin), cuda_batch_args)
{
    uint64_t g = args.first;
    if (PLY_THREAD > 0)
        return;
    cuda_game game;
    load_game(&args, g, &game);
#ifdef GAME_OWNS_MEMORY
    game_begin(&args, g, &game.position);
#endif
    look(&args, g, &game);
    if (game.end == CUDA_PLAYING && args.forced_end != CUDA_PLAYING)
        end_game(&args, &game, args.forced_end, args.forced_result);
    store_game(&args, g, &game);
    if (g < args.games) {
        clear_step(&args, g);
        publish_end(&args, g, &game);
        publish(&args, g, &game);
    }
}

PLY_KERNEL(GAME_KERNEL(reset), cuda_batch_args)
{
    uint64_t g = PLY_THREAD / GAME_THREADS;
    if (g >= args.games || PLY_THREAD % GAME_THREADS || (args.which && !args.which[g]))
        return;
    cuda_game game;
    load_game(&args, g, &game);
    clear_step(&args, g);
    restart(&args, g, &game);
    publish_end(&args, g, &game);
    publish(&args, g, &game);
    store_game(&args, g, &game);
}

PLY_KERNEL(GAME_KERNEL(sample), cuda_batch_args)
{
    uint64_t g = PLY_THREAD / GAME_THREADS;
    if (g >= args.games || PLY_THREAD % GAME_THREADS)
        return;
    int32_t action = PLY_BATCH_NO_ACTION;
    if (args.legal[g]) {
        uint64_t random = ply_batch_random(args.seed, g, args.draws[g]++);
        uint32_t k = (uint32_t)ply_multiply_high(random, args.legal[g]);
        const uint64_t *mask = args.masks + g * args.arrays.mask_words;
        for (int32_t w = 0; action == PLY_BATCH_NO_ACTION; w++) {
            uint32_t count = (uint32_t)ply_popcount(mask[w]);
            if (k < count)
                action = w * 64 + ply_nth_bit(mask[w], (int)k);
            k -= count;
        }
    }
    args.sampled[g] = action;
}

/* The masks as bytes and as lists. */
PLY_KERNEL(GAME_KERNEL(expand), cuda_batch_args)
{
    uint64_t g = PLY_THREAD / CUDA_OBSERVE_THREADS;
    uint32_t lane = (uint32_t)(PLY_THREAD % CUDA_OBSERVE_THREADS);
    const ply_batch_arrays *out = &args.arrays;
    if (g >= args.games)
        return;
    const uint64_t *mask = args.masks + g * out->mask_words;
#ifdef GAME_OWNS_MEMORY
    for (uint32_t w = lane; out->mask_bits && w < out->mask_words; w += CUDA_OBSERVE_THREADS)
        out->mask_bits[g * out->mask_words + w] = mask[w];
#endif
    if (out->mask_bytes)
        for (uint32_t i = lane; i < out->actions; i += CUDA_OBSERVE_THREADS)
            out->mask_bytes[g * out->actions + i] = mask[i / 64] >> i % 64 & 1;
    if (out->legal_actions && lane == 0) {
        uint32_t count = 0;
        int32_t *list = out->legal_actions + g * out->list_room;
        for (uint32_t w = 0; w < out->mask_words; w++)
            for (uint64_t left = mask[w]; left && count < out->list_room; left &= left - 1)
                list[count++] = (int32_t)(w * 64) + ply_lowest(left);
        while (count < out->list_room)
            list[count++] = PLY_BATCH_NO_ACTION;
    }
}

#include "cuda/random_body.h"

#endif
