/* SPDX-License-Identifier: MIT */
/* cmd_samples.c - plyverse_train samples, positions, eval and policy: positions for the trainer,
 * positions to be labelled, and what a network says. */
#include "nn/network.h"
#include "train/command.h"
#include "train/labelled.h"
#include "train/samples.h"
#include <inttypes.h>
#include <stdlib.h>

static train_walk walk_of(const ply_game *game, const train_args *args)
{
    return (train_walk){.game = game,
                        .paths = args->paths + 1, /* after the folder or the network */
                        .path_count = args->path_count - 1,
                        .variants = args->play.variants,
                        .variant_count = args->play.variant_count,
                        .per_game = args->per_game,
                        .labelled = args->labelled,
                        .lambda = (double)args->lambda / 100,
                        .scale = (double)args->scale};
}

/* Whether there is something before the files of games, and such files or labelled positions. */
static bool has_paths(const train_args *args)
{
    return args->labelled ? args->path_count == 1 : args->path_count >= 2;
}

static void print_counts(const train_walk *walk)
{
    printf("games %" PRIu64 "  plies %" PRIu64 "  positions %" PRIu64 "\n", walk->games,
           walk->plies, walk->positions);
}

int train_samples_command(const ply_game *game, const train_args *args)
{
    ply_error error = {0};
    if (!has_paths(args))
        return train_complain("samples needs a folder and files of games", "");
    train_samples_options options = {.phases = (unsigned)args->phases,
                                     .symmetries = args->symmetries};
    train_walk walk = walk_of(game, args);
    ply_status status = train_samples_write(&walk, &options, args->paths[0], &error);
    if (status != PLY_OK)
        return train_complain_status(status, &error, NULL);
    print_counts(&walk);
    return 0;
}

int train_positions_command(const ply_game *game, const train_args *args)
{
    ply_error error = {0};
    if (args->path_count < 2)
        return train_complain("positions needs a file to write and files of games", "");
    train_walk walk = walk_of(game, args);
    walk.all = true;
    ply_status status =
        train_positions_write(&walk, (unsigned)args->strays, args->paths[0], &error);
    if (status != PLY_OK)
        return train_complain_status(status, &error, NULL);
    print_counts(&walk);
    return 0;
}

/* --- eval ------------------------------------------------------------------------------------ */
typedef struct evaluation {
    const char *path; /* of the network */
    ply_network *network;
    uint64_t left;
    bool policy; /* print logits, not values */
} evaluation;

/* Prints CELL:LOGIT for each legal move that fills a cell. */
static ply_status print_logits(const ply_network *network, const train_position *p,
                               ply_error *error)
{
    const ply_rules *rules = p->rules;
    if (!ply_network_has_policy(network))
        return ply_error_set(error, PLY_UNSUPPORTED, "the network has no policy head");
    ply_move *moves = malloc(rules->max_moves * sizeof *moves);
    int32_t *logits = malloc(rules->max_moves * sizeof *logits);
    size_t count = moves && logits ? rules->game->moves(rules, p->position, moves) : 0;
    const char *before = "";
    if (count > 0)
        ply_network_policy(network, p->position, moves, count, logits);
    for (size_t i = 0; i < count; i++) {
        uint32_t cell = rules->network->move_cell(rules, moves[i]);
        if (cell == PLY_NO_CELL)
            continue;
        printf("%s%u:%d", before, cell, (int)logits[i]);
        before = " ";
    }
    putchar('\n');
    ply_status status = moves && logits ? PLY_OK : PLY_NO_MEMORY;
    free(moves);
    free(logits);
    return status;
}

/* PLY_STOPPED ends the walk when enough positions are printed. */
static ply_status print_value(void *context, const train_position *p, ply_error *error)
{
    evaluation *e = context;
    if (!e->network) {
        ply_status status = ply_network_load(p->rules, e->path, &e->network, error);
        if (status != PLY_OK)
            return status;
        if (!e->network)
            return ply_error_set(error, PLY_UNSUPPORTED, "no network to evaluate with");
    }
    if (e->left-- == 0)
        return PLY_STOPPED;
    if (e->policy)
        return print_logits(e->network, p, error);
    printf("%d\n", (int)ply_network_evaluate(e->network, p->position));
    return PLY_OK;
}

static int print_evaluations(const ply_game *game, const train_args *args, bool policy)
{
    ply_error error = {0};
    if (!has_paths(args))
        return train_complain("eval needs a network and files of games", "");
    evaluation e = {.path = args->paths[0], .left = args->limit, .policy = policy};
    train_walk walk = walk_of(game, args);
    walk.visit = print_value;
    walk.context = &e;
    ply_status status = train_walk_run(&walk, &error);
    ply_network_free(e.network);
    return status == PLY_OK || status == PLY_STOPPED ? 0
                                                     : train_complain_status(status, &error, NULL);
}

int train_eval_command(const ply_game *game, const train_args *args)
{
    return print_evaluations(game, args, false);
}

int train_policy_command(const ply_game *game, const train_args *args)
{
    return print_evaluations(game, args, true);
}
