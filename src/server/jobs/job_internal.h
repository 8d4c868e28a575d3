/* SPDX-License-Identifier: MIT */
/* job_internal.h - the inside of a job, for job.c, job_kinds.c and tests. */
#ifndef PLY_SERVER_JOBS_JOB_INTERNAL_H
#define PLY_SERVER_JOBS_JOB_INTERNAL_H

#include "server/jobs/job.h"
#include <stdatomic.h>

struct job {
    job_pool *pool;
    ply_rules rules; /* a copy: the state must not depend on a game that may leave memory */
    ply_state state;
    job_spec spec;
    program_spec program_spec; /* what spec.program points to */
    struct job *next;          /* in the pool's list */
    bool counted;              /* in pool->running; guarded by the pool's lock */
    atomic_bool cancelled;

    pthread_mutex_t lock; /* guards what follows; taken after the pool's lock */
    unsigned references;
    ply_searcher *searcher;   /* what is searching now, to be stopped by job_cancel; may be NULL */
    ply_player *player;       /* likewise */
    running_program *program; /* likewise */
    ply_text stream;          /* output, of which the first `sent` bytes have been read */
    size_t sent;
    bool replaceable; /* stream is one event, and a newer one may replace it */
    bool finished;
    bool suspended; /* the connection is */
    job_connection connection;
    int reply_status; /* of a job that does not stream */
    ply_text reply;
};

bool job_is_cancelled(const job *j);
/* Says what is searching, so that job_cancel can stop it; both NULL when the search is over. */
void job_set_search(job *j, ply_searcher *searcher, ply_player *player);
void job_set_program(job *j, running_program *p);
/* Appends an event to the stream. With `replaces`, a client that reads slowly gets only the newest
 * such event. */
void job_send_event(job *j, const char *name, const ply_text *data, bool replaces);

/* The moves of a turn. */
enum { JOB_TURN_LIMIT = 256 };
typedef struct job_turn {
    ply_move moves[JOB_TURN_LIMIT];
    size_t count;
    ply_player_answer first; /* the engine's answer to the first question */
} job_turn;

/* What a search does to the clock, for the next search of the same turn. */
void job_take_time(ply_search_limits *limits, int side, double seconds);
/* Sends the `done` of a stream; message may be NULL. */
void job_send_done(job *j, const char *reason, const char *message);
/* Saves a score for player 0 with its node, unless that has one from a deeper search. */
void job_save_score(job *j, uint32_t node, int32_t score, int depth);

/* The same by a program (job_program.c). */
void job_choose_by_program(job *j, job_turn *turn, job_result *result, ply_error *error);
void job_analyse_by_program(job *j);

/* What the kinds of jobs do (job_kinds.c). */
void job_run_choose(job *j);
void job_run_analysis(job *j);

#endif
