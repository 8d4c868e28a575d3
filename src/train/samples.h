/* SPDX-License-Identifier: MIT */
/*
 * samples.h - positions as arrays of numbers, which the trainer maps into memory.
 *
 * A folder holds one array per file, in NumPy's .npy format, all with one row per position:
 *
 *     own.npy, enemy.npy   uint16[max_active]   active features for the player to move and for the
 *                                               opponent, then 65535 up to the end of the row
 *     phase.npy            uint8                output bucket of the network
 *     score.npy            int16                of the search, for the player to move
 *     eval.npy             int16                the game's own static evaluation, likewise
 *     result.npy           uint8                of the game: 0 loss, 1 draw, 2 win
 *     outlook.npy          uint16               what the rest of the game says (train_walk.lambda),
 *                                               from 0 to 65535; none if lambda is 0
 *     ply.npy              uint16
 *     game.npy             uint32               to divide the samples by games
 *
 * Networks that pool cells (ply_network_hooks.per_cell) have no enemy.npy: exchanged.npy, uint16, has
 * the number of each feature for the other player, and own.npy the features of all cells. move.npy,
 * int16, has the cell that was played, the target of a policy head; -1 where it is not known.
 *
 * meta.txt has lines "key value": game, family, feature-set, features, phases, samples, games,
 * images (samples written for each position), base (ply_network_base of src/nn/network.h), per-cell
 * (if cells are pooled), lambda (in percent, if there is an outlook).
 */
#ifndef PLY_TRAIN_SAMPLES_H
#define PLY_TRAIN_SAMPLES_H

#include "train/positions.h"

typedef struct train_samples_options {
    unsigned phases; /* number of output buckets */
    bool symmetries; /* also write the images of each position */
} train_samples_options;

/*
 * Writes the positions of a walk, whose visit and context are not used, into a folder, which is
 * made if necessary. All games must belong to one family of networks. On failure error says why.
 */
ply_status train_samples_write(train_walk *walk, const train_samples_options *options,
                               const char *folder, ply_error *error);

#endif
