/* SPDX-License-Identifier: MIT */
/* ranks.c - self-play on the ranks of a cluster; see ranks.h. */
#include "train/ranks.h"
#include "cluster/cluster.h"

typedef struct ranks {
    train_share share;
    cluster_farm *farm;
} ranks;

static void receive(void *context, const void *bytes, size_t count)
{
    ranks *all = context;
    train_receive(&all->share, bytes, count);
}

static ply_status agree(void *context, ply_status status, uint64_t *first, ply_error *error)
{
    ranks *all = context;
    status = cluster_agree(status, error);
    if (status != PLY_OK)
        return status;
    cluster_broadcast(first, sizeof *first);
    all->farm = cluster_farm_open(receive, all);
    return all->farm ? PLY_OK : PLY_NO_MEMORY;
}

static uint64_t next(void *context)
{
    ranks *all = context;
    return cluster_farm_take(all->farm);
}

static void end(void *context)
{
    ranks *all = context;
    cluster_farm_end(all->farm);
}

static void post(void *context, const void *bytes, size_t count)
{
    ranks *all = context;
    cluster_farm_post(all->farm, bytes, count);
}

static void finish(void *context)
{
    ranks *all = context;
    cluster_farm_close(all->farm);
}

ply_status train_play_on_ranks(const ply_game *game, const train_play_options *options,
                               const char *path, ply_error *error)
{
    ranks all = {.share = {.keeper = cluster_rank() == 0,
                           .agree = agree,
                           .next = next,
                           .end = end,
                           .post = post,
                           .finish = finish}};
    all.share.context = &all;
    train_play_options shared = *options;
    shared.share = &all.share;
    shared.verbose = options->verbose && all.share.keeper;
    return cluster_agree(train_play(game, &shared, path, error), error);
}
