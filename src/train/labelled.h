/* SPDX-License-Identifier: MIT */
/*
 * labelled.h - positions whose exact values are looked up elsewhere (Neighbours).
 *
 * A file of positions has a record of 16 bytes for each: the pieces of the player to move, then those
 * of the opponent, as little-endian 64-bit boards (<plyverse/neighbours.h>). The player to move is
 * White: positions with Black to move are mirrored. FILE.labels has a byte for each record: 0 lost,
 * 1 drawn, 2 won for the player to move, 255 unknown. `plyverse tables solve --label` writes it.
 */
#ifndef PLY_TRAIN_LABELLED_H
#define PLY_TRAIN_LABELLED_H

#include "train/positions.h"

/*
 * Writes the positions of a walk, whose visit and context are not used, to a file. Each is followed
 * by `strays`, positions reached from it by one or two random moves, so that bad moves are covered.
 */
ply_status train_positions_write(train_walk *walk, unsigned strays, const char *path,
                                 ply_error *error);

/*
 * Visits the positions of walk->labelled whose value is known, instead of those of games. The score
 * is the game's own evaluation. Neighbouring positions count as one game, so that a position and its
 * strays stay together. walk->variants names the rules, at most one.
 */
ply_status train_labelled_run(train_walk *walk, ply_error *error);

#endif
