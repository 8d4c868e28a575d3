/* SPDX-License-Identifier: MIT */
/*
 * report_queue.h - analyses whole games in the background, one after the other.
 *
 * One thread at low priority gives every position of a game a score and a best variation, which are
 * saved with the nodes as they are found, so that a report (report.h) is never lost: not when the
 * page is closed, and at most one position when the server is. Tablebases and solvers are asked
 * first, and searches only where these know nothing. At the end the moves get their glyphs.
 *
 * A turn that a search thinks is a mistake is none if it keeps a proven result. Where the position
 * before or after such a turn is proven, the solver tries to prove the other one, too.
 *
 * Threads: every function but report_queue_open and report_queue_close may be called from any
 * thread.
 */
#ifndef PLY_SERVER_JOBS_REPORT_QUEUE_H
#define PLY_SERVER_JOBS_REPORT_QUEUE_H

#include "server/jobs/job.h"
#include "server/library/tablebases.h"

enum { REPORT_QUEUE_LIMIT = 10000, REPORT_NODES = 50000 };

typedef struct report_request {
    int64_t game;
    uint64_t nodes; /* to search per position */
    bool again;     /* search positions that have a score, too */
} report_request;

typedef struct report_progress {
    bool waiting, running;
    size_t ahead;       /* how many games come first */
    size_t done, total; /* positions, while running */
} report_progress;

typedef struct report_queue {
    library *library;
    tablebases *tablebases;
    const char *tablebase_dir;
    size_t memory_mb;

    pthread_mutex_t lock; /* guards what follows */
    pthread_cond_t ended;
    report_request *waiting; /* in order; capacity is REPORT_QUEUE_LIMIT, allocated at first use */
    size_t count;
    report_request current; /* game is 0 when none is running */
    size_t done, total;     /* of the current game */
    uint64_t finished;      /* games since the server started */
    bool has_thread, closing;
    bool cancelled;         /* the current game */
    ply_searcher *searcher; /* what is busy, to be stopped by report_queue_cancel; may be NULL */
    ply_solver *solver;     /* likewise */
} report_queue;

void report_queue_open(report_queue *q, const job_pool *pool, tablebases *tables);
/* Stops the thread and frees the queue's memory. */
void report_queue_close(report_queue *q);
/* Appends a game, unless it is in the queue. PLY_LIMIT when the queue is full, PLY_NO_MEMORY. */
ply_status report_queue_add(report_queue *q, const report_request *wanted);
/* Removes a game, or all games if it is 0. What has been analysed is kept. */
void report_queue_cancel(report_queue *q, int64_t game);
report_progress report_queue_progress(report_queue *q, int64_t game);
/* Copies the games in the queue, the running one first, to ids, which has room for `room`. Returns
 * how many there are. *finished gets the number of games since the server started. */
size_t report_queue_list(report_queue *q, int64_t *ids, size_t room, uint64_t *finished);

#endif
