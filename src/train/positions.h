/* SPDX-License-Identifier: MIT */
/*
 * positions.h - the positions of self-play games from which evaluations learn.
 *
 * Only quiet positions after the opening count, those in which the quiescence search would stand
 * pat: the player to move is not in check, and the move played was not noisy and no capture wins
 * material, or, in games that find forced wins themselves, there is none. There, a static evaluation
 * can be expected to predict the result. A position that occurred before is left out.
 */
#ifndef PLY_TRAIN_POSITIONS_H
#define PLY_TRAIN_POSITIONS_H

#include "train/game_file.h"

typedef struct train_position {
    const ply_rules *rules;
    const void *position;
    uint64_t game; /* counted over all files, from 0 */
    size_t ply;
    int half_points; /* result for the player to move: 0, 1 or 2 */
    int32_t score;   /* of the search, for the player to move */
    double outlook;  /* see train_walk.lambda; for the player to move */
    ply_move move;   /* what was played; PLY_MOVE_NONE where that is not known */
} train_position;

/* Called for every position, those of a game from the last to the first; not PLY_OK ends the walk. */
typedef ply_status train_visit(void *context, const train_position *position, ply_error *error);

typedef struct train_walk {
    const ply_game *game;
    const char *const *paths;
    size_t path_count;
    const char *const *variants; /* games of other variants are skipped; none: all are read */
    size_t variant_count;
    size_t per_game; /* at most this many positions of a game, drawn at random; 0: all */
    bool all;        /* noisy positions and those of the opening too */
    /*
     * The outlook of a position is what the rest of the game says about it, from 0 (lost) to 1: the
     * mean of 1 / (1 + exp(-score / scale)), seen by one player, over this ply and the following
     * ones, each of which counts lambda times as much as the one before; the result stands for all
     * plies after the last. 0 < lambda < 1, scale > 0; lambda 0: the outlook is the result.
     */
    double lambda, scale;
    const char *labelled; /* visit the positions of this file, not of games (labelled.h); or NULL */
    train_visit *visit;
    void *context;
    /* Counted by train_walk_run: */
    uint64_t games, plies, positions; /* read; after the opening; visited */
} train_walk;

/*
 * Visits the positions of the files in order. On failure error says which file is wrong and why.
 * The memory in use grows with the number of distinct positions: 16 to 32 bytes for each.
 */
ply_status train_walk_run(train_walk *walk, ply_error *error);

#endif
