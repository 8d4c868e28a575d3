/* SPDX-License-Identifier: MIT */
/*
 * random_body.h - random games, many plies in one launch; included by batch_body.h.
 *
 * Two kernels, `random` and `quick`, are launched one after the other, and one of them does the work.
 * Games that define GAME_QUICK need no masks where game_is_quick(args), unless earlier positions are
 * to be observed: `quick` keeps the position in registers, in a form in which legal action number k is
 * found without a list. They define
 *
 *     game_quick                       such a position
 *     game_quick_list                  what does not fit into registers; in local memory
 *     game_quick_open(args, p, q)      from a position
 *     game_quick_look(args, q, list)   -> number of legal actions
 *     game_quick_renew(args, q, list)  with GAME_QUICK_RENEWS: fills the list of a copied position
 *     game_quick_play(args, q, list, k, undo)  plays legal action number k; -> ply_move
 *     game_quick_hash(q), game_quick_outcome(args, q, undo_stack, plies, legal, fresh)
 *     game_quick_close(args, q, p)     to a position
 */
#ifndef PLY_CUDA_RANDOM_BODY_H
#define PLY_CUDA_RANDOM_BODY_H

/* Writes what the arrays say about a game that has just ended, if this is the last step. */
PLY_HD void random_end(const cuda_batch_args *a, uint64_t g, const cuda_game *game, bool last)
{
    PLY_ATOMIC_ADD(&a->totals[1 + game->result], 1);
    if (!last)
        return;
    reward(a, g, game);
    publish_end(a, g, game);
}

/* Writes the game after the last step. The arrays say how it ended, unless random_end has. */
PLY_HD void random_store(const cuda_batch_args *a, uint64_t g, const cuda_game *game,
                         bool end_published)
{
    if (!end_published)
        publish_end(a, g, game);
    publish(a, g, game);
    PLY_ATOMIC_ADD(&a->totals[0], game->draws - a->draws[g]); /* one for each ply */
    store_game(a, g, game);
}

/* Whether `quick` plays the games. */
PLY_HD bool is_quick(const cuda_batch_args *a)
{
#ifdef GAME_QUICK
    return !a->history && !a->past_keys && game_is_quick(a);
#else
    (void)a;
    return false;
#endif
}

#ifdef GAME_QUICK
/* A game in registers, but for its list. */
typedef struct random_game {
    game_quick quick;
    uint64_t stream, draws;
    uint32_t plies, legal;
    uint8_t end, result;
} random_game;

PLY_HD void open_random(const cuda_batch_args *a, const cuda_game *game, random_game *r,
                        game_quick_list *list)
{
    r->stream = game->stream;
    r->draws = game->draws;
    r->plies = game->plies;
    r->legal = game->legal;
    r->end = game->end;
    r->result = game->result;
    game_quick_open(a, &game->position, &r->quick);
    if (r->end == CUDA_PLAYING)
        game_quick_look(a, &r->quick, list);
}

/* The game as the other kernels know it, but for the mask. */
PLY_HD void close_random(const cuda_batch_args *a, const random_game *r, cuda_game *game)
{
    game_quick_close(a, &r->quick, &game->position);
    game->draws = r->draws;
    game->plies = r->plies;
    game->legal = r->legal;
    game->end = r->end;
    game->result = r->result;
}

PLY_HD void restart_random(const cuda_batch_args *a, uint64_t g, const random_game *start,
                           random_game *r, game_quick_list *list)
{
    r->quick = start->quick;
    r->plies = start->plies;
    r->legal = start->legal;
    r->end = start->end;
    r->result = start->result;
#ifdef GAME_QUICK_RENEWS
    game_quick_renew(a, &r->quick, list);
#else
    (void)list;
#endif
    restart_records(a, g, r->plies);
}

PLY_HD void play_random(const cuda_batch_args *a, uint64_t g, random_game *r, game_quick_list *list)
{
    uint64_t random = ply_batch_mix(r->stream + ++r->draws * CUDA_GOLDEN);
    uint32_t k = (uint32_t)ply_multiply_high(random, r->legal);
    game_undo *undo = undo_of(a, g);
    a->moves[g * a->max_plies + r->plies] =
        game_quick_play(a, &r->quick, list, k, undo + (GAME_LOOKS_BACK ? r->plies : 0));
    r->plies++;
    r->legal = (uint32_t)game_quick_look(a, &r->quick, list);
    bool fresh = is_fresh(a, g, game_quick_hash(&r->quick));
    int result = game_quick_outcome(a, &r->quick, undo, r->plies, r->legal, fresh);
    if (result == PLY_ONGOING && r->legal > 0 && r->plies < a->max_plies)
        return;
    r->legal = 0;
    r->end = result == PLY_ONGOING ? CUDA_TRUNCATED : CUDA_ENDED;
    r->result = (uint8_t)result;
}

PLY_KERNEL_BOUNDS(GAME_KERNEL(quick), cuda_batch_args, CUDA_BLOCK, GAME_QUICK_BLOCKS)
{
    PLY_BLOCK_VARIABLE(random_game, start);
    const cuda_batch_args *a = &args;
    uint64_t g = PLY_THREAD;
    game_quick_list list;
    cuda_game game;
    if (!is_quick(a))
        return;
    if (PLY_BLOCK_LEADER) {
        load_game(a, a->games, &game);
        open_random(a, &game, &start, &list);
    }
    PLY_BLOCK_BARRIER();
    if (g >= a->games)
        return;
    random_game run;
    bool end_published = false;
    load_game(a, g, &game);
    open_random(a, &game, &run, &list);
    clear_step(a, g);
    for (uint64_t i = 0; i < a->steps; i++) {
        if (run.end != CUDA_PLAYING) {
            if (a->reset == PLY_BATCH_RESET_NEVER)
                break;
            restart_random(a, g, &start, &run, &list);
            continue;
        }
        play_random(a, g, &run, &list);
        if (run.end == CUDA_PLAYING)
            continue;
        game.end = run.end;
        game.result = run.result;
        random_end(a, g, &game, i + 1 == a->steps);
        if (a->reset == PLY_BATCH_RESET_SAME_STEP) {
            end_published = i + 1 == a->steps;
            if (a->arrays.final_observations) {
                close_random(a, &run, &game);
                observe_final(a, g, game.plies, &game.position);
            }
            restart_random(a, g, &start, &run, &list);
        }
    }
    close_random(a, &run, &game);
    CUDA_UNROLL_MASK
    for (uint32_t w = 0; w < CUDA_MASK_WORDS(a); w++)
        game.mask[w] = 0;
    if (game.end == CUDA_PLAYING)
        game_mask(a, &game.position, game.mask);
    random_store(a, g, &game, end_published);
}
#else
PLY_KERNEL(GAME_KERNEL(quick), cuda_batch_args)
{
    (void)args;
    (void)PLY_THREAD;
}
#endif

/* `steps` times: sample and step. */
PLY_KERNEL_BOUNDS(GAME_KERNEL(random), cuda_batch_args, CUDA_BLOCK, GAME_RANDOM_BLOCKS)
{
    const cuda_batch_args *a = &args;
    uint64_t g = PLY_THREAD / GAME_THREADS;
    if (g >= a->games || PLY_THREAD % GAME_THREADS || is_quick(a))
        return;
    cuda_game game;
    bool end_published = false;
    load_game(a, g, &game);
    clear_step(a, g);
    for (uint64_t i = 0; i < a->steps; i++) {
        if (game.end != CUDA_PLAYING) {
            if (a->reset == PLY_BATCH_RESET_NEVER)
                break;
            restart(a, g, &game);
            continue;
        }
        play_action(a, g, &game, draw_action(a, &game));
        if (game.end == CUDA_PLAYING)
            continue;
        random_end(a, g, &game, i + 1 == a->steps);
        if (a->reset == PLY_BATCH_RESET_SAME_STEP) {
            end_published = i + 1 == a->steps;
            observe_final(a, g, game.plies, &game.position);
            restart(a, g, &game);
        }
    }
    random_store(a, g, &game, end_published);
}

#endif
