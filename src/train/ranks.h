/* SPDX-License-Identifier: MIT */
/* ranks.h - self-play on the ranks of a cluster; see src/cluster/cluster.h. */
#ifndef PLY_TRAIN_RANKS_H
#define PLY_TRAIN_RANKS_H

#include "train/play.h"

/* train_play on all ranks of the open cluster together; rank 0 writes the file. Collective. */
ply_status train_play_on_ranks(const ply_game *game, const train_play_options *options,
                               const char *path, ply_error *error);

#endif
