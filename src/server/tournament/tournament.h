/* SPDX-License-Identifier: MIT */
/*
 * tournament.h - round-robin tournaments between engines, in the background.
 *
 * A server has one tournament at a time. Every engine meets every other one in pairs of games: the
 * same opening with both colours. Rounds are interleaved, so that the cross table fills evenly. The
 * games are played on one thread of low priority by src/match, which checks every move.
 *
 * Threads: all functions may be called from any thread.
 */
#ifndef PLY_SERVER_TOURNAMENT_TOURNAMENT_H
#define PLY_SERVER_TOURNAMENT_TOURNAMENT_H

#include "match/match.h"
#include <pthread.h>

enum {
    TOURNAMENT_ENGINES = 12,
    TOURNAMENT_ROUNDS = 500, /* pairs of games of two engines */
    TOURNAMENT_SPEC_BYTES = 600,
    TOURNAMENT_OPTIONS_BYTES = 400,
    TOURNAMENT_NAME_BYTES = 80,
};

typedef enum tournament_stage {
    TOURNAMENT_NONE,
    TOURNAMENT_RUNNING,
    TOURNAMENT_FINISHED,
    TOURNAMENT_STOPPED,
    TOURNAMENT_FAILED, /* the error says why */
} tournament_stage;

typedef struct tournament_engine {
    char name[TOURNAMENT_NAME_BYTES];
    char spec[TOURNAMENT_SPEC_BYTES]; /* as in match/engine.h, as are the options of a program */
    char options[TOURNAMENT_OPTIONS_BYTES];
} tournament_engine;

/* What is to be played. Copied by tournament_start. */
typedef struct tournament_plan {
    char game[40], variant[400];
    tournament_engine engines[TOURNAMENT_ENGINES];
    size_t count;
    unsigned rounds;
    uint64_t millis; /* per move, for engines whose spec gives no limit */
    uint64_t seed;
} tournament_plan;

/* A picture of the tournament. pairs[a][b] for a < b is from engine a's point of view. */
typedef struct tournament_status {
    tournament_stage stage;
    ply_error error;
    tournament_plan plan;
    uint64_t played, total; /* games */
    match_summary pairs[TOURNAMENT_ENGINES][TOURNAMENT_ENGINES];
    int live[2];    /* the engines that play now, by player; -1: none */
    char *position; /* of the game that is being played, or was played last; NULL: none */
    size_t plies;
} tournament_status;

typedef struct tournament tournament;

/* NULL when memory runs out. */
tournament *tournament_new(void);
/* Stops the tournament and frees it. NULL is a no-op. */
void tournament_free(tournament *t);
/* Checks the plan and starts it. PLY_LIMIT: one is running already. */
ply_status tournament_start(tournament *t, const tournament_plan *plan, ply_error *error);
/* Stops the tournament if one is running, and waits for its thread. */
void tournament_stop(tournament *t);
/* Fills *status, which the caller clears. False when memory runs out. */
bool tournament_read(tournament *t, tournament_status *status);
void tournament_status_clear(tournament_status *status);

#endif
