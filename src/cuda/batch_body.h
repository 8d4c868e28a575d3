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
 *     GAME_QUICK                 if defined, random games need no masks, where game_is_quick(args):
 *     game_scratch, game_quick_look(args, p, scratch) -> number of legal actions,
 *     game_quick_play(args, p, scratch, k, undo) plays legal action number k; -> ply_move
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
#if defined(GAME_SMALL_MASK) && defined(__CUDACC__)
#define CUDA_UNROLL_MASK _Pragma("unroll")
#else
#define CUDA_UNROLL_MASK
#endif

/* One game in registers and local memory. */
typedef struct cuda_game {
    game_position position;
    uint64_t mask[GAME_MASK_WORDS];
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
#if defined(GAME_POSITION_WORDS) && defined(__CUDACC__)
#define FOR_POSITION_WORDS(a, w) \
    _Pragma("unroll") for (uint32_t w = 0; w < GAME_POSITION_WORDS; w++)
#elif defined(GAME_POSITION_WORDS)
#define FOR_POSITION_WORDS(a, w) for (uint32_t w = 0; w < GAME_POSITION_WORDS; w++)
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
    CUDA_UNROLL_MASK
    for (uint32_t w = 0; w < CUDA_MASK_WORDS(a); w++)
        game->mask[w] = a->masks[g * a->arrays.mask_words + w];
}

PLY_HD void store_game(const cuda_batch_args *a, uint64_t g, const cuda_game *game)
{
    store_position(a, g, &game->position);
    a->draws[g] = game->draws;
    a->plies[g] = game->plies;
    a->legal[g] = game->legal;
    a->end[g] = game->end;
    a->result[g] = game->result;
    CUDA_UNROLL_MASK
    for (uint32_t w = 0; w < CUDA_MASK_WORDS(a); w++)
        a->masks[g * a->arrays.mask_words + w] = game->mask[w];
}

/* --- the game --------------------------------------------------------------------------------- */
PLY_HD void end_game(const cuda_batch_args *a, cuda_game *game, int end, int result)
{
    (void)a;
    CUDA_UNROLL_MASK
    for (uint32_t w = 0; w < CUDA_MASK_WORDS(a); w++)
        game->mask[w] = 0;
    game->legal = 0;
    game->end = (uint8_t)end;
    game->result = (uint8_t)result;
}

/* Adds the position to the game's filter; returns whether it is new for certain. */
PLY_HD bool is_fresh(const cuda_batch_args *a, uint64_t g, const cuda_game *game)
{
    if (!GAME_LOOKS_BACK)
        return true;
    uint64_t key = game_hash(&game->position);
    uint64_t *word = a->filters + g * CUDA_FILTER_WORDS + (key >> 59);
    uint64_t bit = (uint64_t)1 << (key >> 53 & 63), before = *word;
    *word = before | bit;
    return !(before & bit);
}

/* Decides whether the game goes on; its legal actions have been counted. */
PLY_HD void look_at_end(const cuda_batch_args *a, uint64_t g, cuda_game *game)
{
    game->end = CUDA_PLAYING;
    game->result = PLY_ONGOING;
    bool fresh = is_fresh(a, g, game);
    int result = game_outcome(a, &game->position, undo_of(a, g), game->plies, game->legal, fresh);
    if (result != PLY_ONGOING)
        end_game(a, game, CUDA_ENDED, result);
    else if (game->legal == 0 || game->plies >= a->max_plies)
        end_game(a, game, CUDA_TRUNCATED, PLY_ONGOING);
}

/* Finds the legal actions and whether the game goes on. */
PLY_HD void look(const cuda_batch_args *a, uint64_t g, cuda_game *game)
{
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
    a->moves[g * a->max_plies + game->plies] =
        game_step(a, &game->position, (uint32_t)action, undo);
    game->plies++;
    look(a, g, game);
}

/* Makes game g the one that games start with. Random numbers go on. */
PLY_HD void restart(const cuda_batch_args *a, uint64_t g, cuda_game *game)
{
    load_position(a, a->games, &game->position);
    game->plies = a->plies[a->games];
    game->legal = a->legal[a->games];
    game->end = a->end[a->games];
    game->result = a->result[a->games];
    CUDA_UNROLL_MASK
    for (uint32_t w = 0; w < CUDA_MASK_WORDS(a); w++)
        game->mask[w] = a->masks[a->games * a->arrays.mask_words + w];
    for (uint32_t i = 0; i < game->plies; i++) {
        a->moves[g * a->max_plies + i] = a->moves[a->games * a->max_plies + i];
        if (GAME_LOOKS_BACK)
            undo_of(a, g)[i] = undo_of(a, a->games)[i];
    }
    for (uint32_t w = 0; GAME_LOOKS_BACK && w < CUDA_FILTER_WORDS; w++)
        a->filters[g * CUDA_FILTER_WORDS + w] = a->filters[a->games * CUDA_FILTER_WORDS + w];
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
    if (out->mask_bits)
        CUDA_UNROLL_MASK
    for (uint32_t w = 0; w < CUDA_MASK_WORDS(a); w++)
        out->mask_bits[g * out->mask_words + w] = game->mask[w];
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

PLY_HD void observe_chunk(const cuda_batch_args *a, const game_position *p, uint32_t chunk,
                          uint8_t *out)
{
    game_view view;
    game_look(a, p, game_side(a, p), &view);
    for (uint32_t i = chunk; i < a->observation_bytes; i += CUDA_OBSERVE_THREADS)
        out[i] = game_byte(a, &view, i);
}

PLY_HD void observe_final(const cuda_batch_args *a, uint64_t g, const cuda_game *game)
{
    if (!a->arrays.final_observations)
        return;
    for (uint32_t chunk = 0; chunk < CUDA_OBSERVE_THREADS; chunk++)
        observe_chunk(a, &game->position, chunk,
                      a->arrays.final_observations + g * a->observation_bytes);
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
    observe_final(a, g, game);
    restart(a, g, game);
}

PLY_KERNEL_BOUNDS(GAME_KERNEL(step), cuda_batch_args, CUDA_BLOCK, GAME_STEP_BLOCKS)
{
    uint64_t g = PLY_THREAD;
    if (g >= args.games)
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

/* Starts games; thread number `games` looks at the position where they start. */
PLY_KERNEL(GAME_KERNEL(begin), cuda_batch_args)
{
    uint64_t g = args.first + PLY_THREAD;
    if (g > args.games || (g == args.games && PLY_THREAD > 0))
        return;
    cuda_game game;
    load_game(&args, g, &game);
    look(&args, g, &game);
    store_game(&args, g, &game);
    if (g < args.games) {
        clear_step(&args, g);
        publish_end(&args, g, &game);
        publish(&args, g, &game);
    }
}

PLY_KERNEL(GAME_KERNEL(reset), cuda_batch_args)
{
    uint64_t g = PLY_THREAD;
    if (g >= args.games || (args.which && !args.which[g]))
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
    uint64_t g = PLY_THREAD;
    if (g >= args.games)
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

#ifdef GAME_QUICK
PLY_HD void prepare_random(const cuda_batch_args *a, const cuda_game *game, game_scratch *scratch)
{
    if (game_is_quick(a))
        game_quick_look(a, &game->position, scratch);
}

PLY_HD void play_random(const cuda_batch_args *a, uint64_t g, cuda_game *game,
                        game_scratch *scratch)
{
    if (!game_is_quick(a)) {
        play_action(a, g, game, draw_action(a, game));
        return;
    }
    game_undo *undo = undo_of(a, g) + (GAME_LOOKS_BACK ? game->plies : 0);
    uint32_t k = (uint32_t)ply_multiply_high(draw(game), game->legal);
    a->moves[g * a->max_plies + game->plies] =
        game_quick_play(a, &game->position, scratch, k, undo);
    game->plies++;
    game->legal = (uint32_t)game_quick_look(a, &game->position, scratch);
    look_at_end(a, g, game);
}

PLY_HD void finish_random(const cuda_batch_args *a, cuda_game *game)
{
    if (!game_is_quick(a))
        return;
    CUDA_UNROLL_MASK
    for (uint32_t w = 0; w < CUDA_MASK_WORDS(a); w++)
        game->mask[w] = 0;
    if (game->end == CUDA_PLAYING)
        game_mask(a, &game->position, game->mask);
}
#else
typedef struct game_scratch {
    char unused;
} game_scratch;

PLY_HD void prepare_random(const cuda_batch_args *a, const cuda_game *game, game_scratch *scratch)
{
    (void)a;
    (void)game;
    scratch->unused = 0;
}

PLY_HD void play_random(const cuda_batch_args *a, uint64_t g, cuda_game *game,
                        game_scratch *scratch)
{
    (void)scratch;
    play_action(a, g, game, draw_action(a, game));
}

PLY_HD void finish_random(const cuda_batch_args *a, cuda_game *game)
{
    (void)a;
    (void)game;
}
#endif

/* `steps` times: sample and step. The game stays in registers and local memory. */
PLY_KERNEL_BOUNDS(GAME_KERNEL(random), cuda_batch_args, CUDA_BLOCK, GAME_RANDOM_BLOCKS)
{
    uint64_t g = PLY_THREAD;
    if (g >= args.games)
        return;
    cuda_game game;
    game_scratch scratch;
    uint64_t plies = 0;
    load_game(&args, g, &game);
    prepare_random(&args, &game, &scratch);
    clear_step(&args, g);
    for (uint64_t i = 0; i < args.steps; i++) {
        if (game.end != CUDA_PLAYING) {
            if (args.reset == PLY_BATCH_RESET_NEVER)
                break;
            restart(&args, g, &game);
            prepare_random(&args, &game, &scratch);
            continue;
        }
        play_random(&args, g, &game, &scratch);
        plies++;
        if (game.end == CUDA_PLAYING)
            continue;
        PLY_ATOMIC_ADD(&args.totals[1 + game.result], 1);
        if (i + 1 == args.steps) { /* the arrays are about the last step */
            reward(&args, g, &game);
            publish_end(&args, g, &game);
        }
        if (args.reset == PLY_BATCH_RESET_SAME_STEP) {
            observe_final(&args, g, &game);
            restart(&args, g, &game);
            prepare_random(&args, &game, &scratch);
            if (i + 1 == args.steps)
                goto done;
        }
    }
    publish_end(&args, g, &game);
done:
    finish_random(&args, &game);
    publish(&args, g, &game);
    store_game(&args, g, &game);
    PLY_ATOMIC_ADD(&args.totals[0], plies);
}

PLY_KERNEL(GAME_KERNEL(observe), cuda_batch_args)
{
    uint64_t g = PLY_THREAD / CUDA_OBSERVE_THREADS;
    if (g >= args.games)
        return;
    game_position p;
    load_position(&args, g, &p);
    observe_chunk(&args, &p, (uint32_t)(PLY_THREAD % CUDA_OBSERVE_THREADS),
                  args.arrays.observations + g * args.observation_bytes);
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

#endif
