/* SPDX-License-Identifier: MIT */
/*
 * job.h - jobs: searches and analyses that run in the background.
 *
 * There are three kinds: an engine's move, a hint and an analysis. The first two end in one reply;
 * an analysis produces a stream of server-sent events. Moves and analyses are our own or those of a
 * program of the user's (programs.h). Each job has a thread of its
 * own. Their number is bounded, and they run at a lower priority than the threads that handle
 * requests; an engine's move has priority over an analysis.
 *
 * Jobs search, and they save moves and scores in the library. They know nothing of JSON: the
 * creator of a job provides a job_output, which writes the results.
 *
 * A job is shared by its thread and by the connection that waits for it, and freed when both have
 * released it. When the client disconnects, the connection detaches: the job is cancelled and ends
 * within milliseconds.
 *
 *     job_new --job_start--> thread: searches --output_ready--> job_wake --resume()--.
 *                               ^                                                    |
 *                               |                                                    v
 *                               `------------- job_cancel ------- job_read_stream / job_take_reply
 */
#ifndef PLY_SERVER_JOBS_JOB_H
#define PLY_SERVER_JOBS_JOB_H

#include "server/jobs/programs.h"
#include "server/library/library.h"
#include <pthread.h>
#include <semaphore.h>

typedef enum job_kind {
    JOB_ENGINE,
    JOB_HINT,
    JOB_ANALYSIS,
} job_kind;

/* Kinds that share a limit. */
typedef enum job_group {
    JOB_GROUP_MOVES,    /* engine moves and hints */
    JOB_GROUP_ANALYSES, /* those that stream */
    JOB_GROUPS,
} job_group;

typedef struct job job;

/* All jobs of a server, and what they share. */
typedef struct job_pool {
    library *library;
    unsigned cores;
    size_t memory_mb;       /* per job */
    const char *tablebases; /* folder; may be NULL */
    program_pool programs;
    /* Raised whenever a job has output. The thread that waits for it calls job_wake for each. */
    sem_t output_ready;

    pthread_mutex_t lock; /* guards what follows */
    pthread_cond_t ended;
    unsigned running[JOB_GROUPS], limit[JOB_GROUPS];
    uint64_t started[JOB_GROUPS];
    bool closing;
    unsigned threads; /* not yet ended */
    job *first;       /* list of the jobs that have a thread */
} job_pool;

void job_pool_init(job_pool *pool, library *l, unsigned cores, unsigned analyses, size_t memory_mb);
/* Cancels all jobs and waits for their threads. No job can start afterwards. */
void job_pool_stop(job_pool *pool);
/* Stops the pool and frees what it holds. */
void job_pool_close(job_pool *pool);
/* Stops the searches of cancelled jobs again, since a job that was between two searches missed the
 * first call. To be called several times a second. */
void job_pool_tick(job_pool *pool);

/* --- results, and who writes them ------------------------------------------------------------- */
typedef enum job_failure {
    JOB_OK,
    JOB_CANCELLED,
    JOB_OUT_OF_TIME, /* the clock ran out while the engine was thinking */
    JOB_NO_MOVE,     /* the engine found none; see status */
    JOB_BUSY,        /* too many programs are running; see error */
    JOB_PROGRAM,     /* the program failed; see error */
    JOB_GAME_GONE,   /* the game to add the moves to cannot be read */
    JOB_NOT_SAVED,   /* the moves could not be added; see error */
} job_failure;

/* The result of an engine or hint job. Valid during job_output.reply only. */
typedef struct job_result {
    job_failure failure; /* if not JOB_OK, only the member it names is set */
    ply_status status;
    const ply_error *error;

    ply_state *before; /* before the first move; as it was when the call returns */
    const ply_player_answer *answer;
    const ply_move *moves; /* the turn, move_count moves */
    size_t move_count;
    bool resigned; /* the engine has: there are no moves */
    /* Engine only: */
    const library_game *game; /* acquired */
    uint32_t node;            /* after the last move */
    size_t first_new;         /* nodes numbered first_new and up are new */
    ply_state *after;         /* the state at node */
} job_result;

/* Writes results as text. Every function is called on the job's thread. */
typedef struct job_output {
    /* The reply of an engine or hint job, whether it failed or not. Returns the HTTP status. */
    int (*reply)(const job_result *result, ply_text *out);
    /* The data of an event of a stream: `info` and `done`. scored: the variations have scores.
     * message may be NULL. */
    void (*info)(ply_state *state, const ply_search_report *report, bool scored, ply_text *out);
    void (*done)(const char *reason, const char *message, ply_text *out);
} job_output;

/* --- jobs ------------------------------------------------------------------------------------- */
/* What to do. job_new copies the state. */
typedef struct job_spec {
    job_kind kind;
    const ply_state *state;
    const job_output *output;
    int64_t game; /* 0: the position is not of a saved game */
    uint32_t node;
    ply_player_spec player;      /* engine and hint */
    ply_search_limits limits;    /* `only` is not used */
    ply_search_kind search;      /* analysis */
    const program_spec *program; /* engine and analysis: NULL for our own; copied by job_new */
} job_spec;

/* The connection that waits for a job. Both functions are called with the job locked, alternately;
 * resume may be called from any thread. */
typedef struct job_connection {
    void (*suspend)(void *context);
    void (*resume)(void *context);
    void *context;
} job_connection;

/* Returns a job that counts against the limit of its group from now on; NULL, with PLY_LIMIT or
 * PLY_NO_MEMORY in *status, when there cannot be one. */
job *job_new(job_pool *pool, const job_spec *spec, ply_status *status);
job_group job_group_of(job_kind kind);
bool job_is_stream(const job *j);
/* Starts the thread. A connection that waits for a reply, not for a stream, must be suspended
 * already. False when no thread could be started; the job is over then. */
bool job_start(job *j, const job_connection *connection);
/* Runs the job on the calling thread instead. For tests. */
void job_run(job *j);
/* Stops searching. An engine's move that has not been chosen by then is not played. */
void job_cancel(job *j);
/* The client is gone: cancels the job, which will not resume the connection any more. */
void job_detach(job *j);
/* Copies what there is of a stream. Returns the number of bytes; 0 when there is nothing yet, in
 * which case the connection was suspended; -1 at the end. */
ssize_t job_read_stream(job *j, char *buffer, size_t room);
/* Resumes the connection if it is suspended and there is output for it. */
void job_wake(job *j);
/* Moves the reply of a job that has ended into *body, which the caller frees. Returns the HTTP
 * status. */
int job_take_reply(job *j, ply_text *body);
/* Sends a comment line if the stream is idle, to show that the connection is alive. */
void job_heartbeat(job *j);
/* Gives up one reference. NULL is a no-op. */
void job_release(job *j);

#endif
