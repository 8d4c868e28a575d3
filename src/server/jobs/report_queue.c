/* SPDX-License-Identifier: MIT */
/* report_queue.c - the queue and its thread; see report_queue.h. The analysis is in game_scores.c. */
#include "server/jobs/report_queue.h"
#include "core/clock.h"
#include "server/jobs/game_scores.h"
#include "server/jobs/thread.h"
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { REPORT_NICE = 15, CANCEL_AGAIN_NANOS = 20000000 };

void report_queue_open(report_queue *q, const job_pool *pool, tablebases *tables)
{
    *q = (report_queue){.library = pool->library,
                        .tablebases = tables,
                        .tablebase_dir = pool->tablebases,
                        .memory_mb = pool->memory_mb};
    pthread_mutex_init(&q->lock, NULL);
    ply_cond_init(&q->ended);
}

/* Stops what the current game is busy with. The queue is locked. */
static void stop_current(report_queue *q)
{
    q->cancelled = true;
    if (q->searcher)
        ply_searcher_stop(q->searcher);
    if (q->solver)
        ply_solver_stop(q->solver);
}

void report_queue_close(report_queue *q)
{
    pthread_mutex_lock(&q->lock);
    q->closing = true;
    q->count = 0;
    while (q->has_thread) {
        /* Between two searches the thread misses the call, so it is repeated. */
        stop_current(q);
        struct timespec until = ply_clock_deadline(CANCEL_AGAIN_NANOS);
        pthread_cond_timedwait(&q->ended, &q->lock, &until);
    }
    pthread_mutex_unlock(&q->lock);
    free(q->waiting);
    pthread_mutex_destroy(&q->lock);
    pthread_cond_destroy(&q->ended);
}

static void *report_thread(void *context)
{
    report_queue *q = context;
    setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), REPORT_NICE);
    pthread_mutex_lock(&q->lock);
    while (q->count > 0 && !q->closing) {
        q->current = q->waiting[0];
        memmove(q->waiting, q->waiting + 1, --q->count * sizeof *q->waiting);
        q->done = q->total = 0;
        q->cancelled = false;
        report_request wanted = q->current;
        pthread_mutex_unlock(&q->lock);
        game_scores_run(q, &wanted);
        pthread_mutex_lock(&q->lock);
        q->current = (report_request){0};
        q->finished += !q->cancelled;
    }
    q->has_thread = false;
    pthread_cond_broadcast(&q->ended);
    pthread_mutex_unlock(&q->lock);
    return NULL;
}

/* The place of a game among those that wait; count if it is not there. The queue is locked. */
static size_t place_of(const report_queue *q, int64_t game)
{
    size_t i = 0;
    while (i < q->count && q->waiting[i].game != game)
        i++;
    return i;
}

ply_status report_queue_add(report_queue *q, const report_request *wanted)
{
    ply_status status = PLY_OK;
    pthread_mutex_lock(&q->lock);
    if (!q->waiting)
        q->waiting = malloc(REPORT_QUEUE_LIMIT * sizeof *q->waiting);
    bool known =
        (q->current.game == wanted->game && !q->cancelled) || place_of(q, wanted->game) < q->count;
    if (!q->waiting) {
        status = PLY_NO_MEMORY;
    } else if (q->count == REPORT_QUEUE_LIMIT || q->closing) {
        status = PLY_LIMIT;
    } else if (!known) {
        q->waiting[q->count++] = *wanted;
        if (!q->has_thread && !(q->has_thread = job_thread_start(report_thread, q))) {
            q->count--;
            status = PLY_NO_MEMORY;
        }
    }
    pthread_mutex_unlock(&q->lock);
    return status;
}

void report_queue_cancel(report_queue *q, int64_t game)
{
    pthread_mutex_lock(&q->lock);
    size_t at = place_of(q, game);
    if (game == 0) {
        q->count = 0;
    } else if (at < q->count) {
        q->count--;
        memmove(q->waiting + at, q->waiting + at + 1, (q->count - at) * sizeof *q->waiting);
    }
    if (q->current.game != 0 && (game == 0 || q->current.game == game))
        stop_current(q);
    pthread_mutex_unlock(&q->lock);
}

report_progress report_queue_progress(report_queue *q, int64_t game)
{
    report_progress progress = {0};
    pthread_mutex_lock(&q->lock);
    size_t at = place_of(q, game);
    if (q->current.game == game && !q->cancelled) {
        progress = (report_progress){.running = true, .done = q->done, .total = q->total};
    } else if (at < q->count) {
        progress.waiting = true;
        progress.ahead = at + (q->current.game != 0);
    }
    pthread_mutex_unlock(&q->lock);
    return progress;
}

size_t report_queue_list(report_queue *q, int64_t *ids, size_t room, uint64_t *finished)
{
    size_t count = 0;
    pthread_mutex_lock(&q->lock);
    if (q->current.game && !q->cancelled && count++ < room)
        ids[0] = q->current.game;
    for (size_t i = 0; i < q->count; i++)
        if (count++ < room)
            ids[count - 1] = q->waiting[i].game;
    *finished = q->finished;
    pthread_mutex_unlock(&q->lock);
    return count;
}
