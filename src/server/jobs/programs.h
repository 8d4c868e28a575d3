/* SPDX-License-Identifier: MIT */
/*
 * programs.h - programs of the user's that play and analyse for jobs (match/engine.h).
 *
 * A program is started when a job first needs it, and kept for the next job of the same kind, game
 * and side: it takes time to start, and it remembers what it has searched. It ends when its game
 * ends, when no job has used it for a while, when it fails, and when the pool is closed.
 *
 * Threads: all functions may be called from any thread; between program_take and program_give_back a
 * program belongs to the thread that took it, except for program_interrupt.
 */
#ifndef PLY_SERVER_JOBS_PROGRAMS_H
#define PLY_SERVER_JOBS_PROGRAMS_H

#include "match/engine.h"
#include <pthread.h>

enum {
    PROGRAM_SPEC_BYTES = 600,
    PROGRAM_OPTIONS_BYTES = 400,
    PROGRAM_NAME_BYTES = 100,
};

/* Which program to run; name is for messages. */
typedef struct program_spec {
    char name[PROGRAM_NAME_BYTES], spec[PROGRAM_SPEC_BYTES], options[PROGRAM_OPTIONS_BYTES];
} program_spec;

/* What a program is used for. Programs of different purposes are different processes. */
typedef struct program_purpose {
    int64_t game; /* 0: none of the library */
    int side;     /* the side it plays; -1: it analyses */
} program_purpose;

typedef struct running_program running_program;
typedef struct program_pool {
    pthread_mutex_t lock; /* guards what follows */
    pthread_cond_t changed;
    running_program *first;
    unsigned count;
    bool has_keeper, closing;
    pthread_t keeper; /* the thread that ends programs that are no longer used */
} program_pool;

void program_pool_open(program_pool *pool);
/* Ends all programs. None may be taken. */
void program_pool_close(program_pool *pool);
/* The game is over: ends the programs that play it. */
void program_pool_end_game(program_pool *pool, int64_t game);
/* The number of programs that run now. */
unsigned program_pool_count(program_pool *pool);

/*
 * Takes a program that waits, or makes one, which is started by the first question. NULL, with
 * *error filled: PLY_LIMIT when too many run already, PLY_UNSUPPORTED when it cannot play by these
 * rules, PLY_NO_MEMORY.
 */
running_program *program_take(program_pool *pool, const program_spec *spec, const ply_rules *rules,
                              program_purpose purpose, ply_error *error);
/* Asks for a move within the limits, which must have one of time, or a clock. */
void program_ask(running_program *p, const ply_state *state, const ply_search_limits *limits,
                 match_answer *answer);
/* Analyses for limits->millis, with limits->multipv variations. */
void program_analyse(running_program *p, const ply_state *state, const ply_search_limits *limits,
                     match_info_listener *listener, void *context, match_answer *answer);
/* From any thread: what the program is doing ends soon. It has to be given back after that. */
void program_interrupt(running_program *p);
/* Says in one sentence why an answer is not a move: "NAME did not answer in time". */
void program_explain(const running_program *p, const match_answer *answer, ply_error *error);
/* Gives a program back. It ends now unless it did well and is to be kept. */
void program_give_back(running_program *p, bool keep);

#endif
