/* SPDX-License-Identifier: MIT */
/*
 * job.h - jobs: answers that take a while because somebody thinks.
 *
 * Kinds: the engine's move, a hint, an analysis that streams, a score graph that streams. A job has
 * a thread of its own; how many run at once is bounded, and all of them leave the processor to the
 * threads that answer requests. An engine's move goes before an analysis.
 *
 * A job is shared by its thread and by the carrier of the connection; each drops it once. When the
 * reader goes away, the carrier cancels the job, which ends within milliseconds.
 *
 *     job_new ──job_start──▶ thread: thinks ──news──▶ job_nudge ──wake()──▶ job_read / job_answer
 *                               ▲                                                │
 *                               └─────────────────── job_cancel ─────────────────┘
 */
#ifndef PLY_SERVER_JOBS_JOB_H
#define PLY_SERVER_JOBS_JOB_H

#include "server/api/request.h"
#include "server/library/library.h"
#include <pthread.h>
#include <semaphore.h>

typedef enum job_kind {
    JOB_ENGINE,
    JOB_HINT,
    JOB_ANALYSIS,
    JOB_GRAPH,
} job_kind;

/* How many think, and how many may. */
typedef struct thinkers {
    pthread_mutex_t lock;
    pthread_cond_t ended;
    unsigned running[2], limit[2]; /* [0]: engine and hints; [1]: analyses and graphs */
    uint64_t started[2];
    unsigned cores;
    size_t memory_mb;   /* of one job */
    const char *tables; /* folder of solved tables; may be NULL */
    library *library;
    bool closing;
    unsigned threads;  /* that have not ended */
    struct job *first; /* all jobs whose thread thinks */
    sem_t news;        /* raised when a job has something to read; see job_nudge */
} thinkers;

typedef struct job job;

/* What a job is to do. The state is copied. */
typedef struct job_order {
    job_kind kind;
    const ply_state *state;
    int64_t game; /* 0: not saved */
    uint32_t node;
    ply_player_spec player;   /* engine and hint */
    ply_search_limits limits; /* `only` is not used */
    ply_search_kind search;   /* analysis */
    uint64_t graph_nodes;     /* positions to search at each node of a graph */
    bool graph_again;
} job_order;

void thinkers_init(thinkers *t, library *l, unsigned cores, unsigned analyses, size_t memory_mb);
/* Stops all jobs and waits for their threads; none can begin any more. */
void thinkers_stop(thinkers *t);
void thinkers_close(thinkers *t);

/* Stops again what was cancelled between two searches; called every tenth of a second or so. */
void thinkers_tick(thinkers *t);

/* NULL, with 429 in *answer, when too many run already. */
job *job_new(thinkers *t, const job_order *order, response *answer);
bool job_streams(const job *j);
/* The carrier's side: sleep puts its connection to sleep, wake wakes it. Both are called with the
 * job locked, in turn; wake from the job's thread. */
typedef struct job_carrier {
    void (*sleep)(void *context);
    void (*wake)(void *context);
    void *context;
} job_carrier;

/* Begins. A carrier of a job that does not stream sleeps already. False when there is no thread to
 * be had; the job has ended then, and its answer says so. */
bool job_start(job *j, const job_carrier *carrier);
/* For tests: thinks on the caller's thread, and ends. */
void job_run(job *j);
/* Stops thinking. An engine's move that was not chosen by then is not made. */
void job_cancel(job *j);
/* The reader is gone: cancels, and wakes nobody any more. */
void job_abandon(job *j);
/* Bytes of a stream; 0: none yet, and the carrier was put to sleep; -1: that was all. */
ssize_t job_read(job *j, char *buffer, size_t room);
/* Wakes the carrier if it sleeps and there is something for it. Whoever waits for thinkers.news
 * calls this for every job. */
void job_nudge(job *j);
/* The answer of a job that does not stream, once wake was called; taken over by the caller. */
void job_answer(job *j, response *answer);
/* Something to read that is no event, so that the connection is seen to live. */
void job_beat(job *j);
/* NULL is nothing. */
void job_drop(job *j);

#endif
