/* SPDX-License-Identifier: MIT */
/* command.h - the subcommands of plyverse_train and what they share. */
#ifndef PLY_TRAIN_COMMAND_H
#define PLY_TRAIN_COMMAND_H

#include "train/play.h"

enum { TRAIN_MAX_PATHS = 64, TRAIN_EXIT_BAD = 2 };

/* The command line. Strings are not owned. */
typedef struct train_args {
    train_play_options play; /* its variants serve all subcommands */
    uint64_t blend;          /* percent */
    uint64_t phases, per_game, limit, strays, lambda, scale;
    bool symmetries;
    const char *anchor, *out, *labelled;
    const char *paths[TRAIN_MAX_PATHS]; /* what follows the game's name */
    size_t path_count;
} train_args;

/* Prints a message and a detail; returns the exit status. */
int train_complain(const char *message, const char *detail);
/* Prints what went wrong, after the path if there is one; returns the exit status. */
int train_complain_status(ply_status status, const ply_error *error, const char *path);

/* Each returns an exit status. */
int train_fit_command(const ply_game *game, const train_args *args);
int train_samples_command(const ply_game *game, const train_args *args);
int train_positions_command(const ply_game *game, const train_args *args);
int train_eval_command(const ply_game *game, const train_args *args);
int train_policy_command(const ply_game *game, const train_args *args);

#endif
