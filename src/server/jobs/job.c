/* SPDX-License-Identifier: MIT */
/* job.c - the life of a job and of its pool; see job.h. What jobs do is in job_kinds.c. */
#include "server/jobs/job.h"
#include "core/clock.h"
#include "server/jobs/job_internal.h"
#include "server/jobs/thread.h"
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    MOVE_NICE = 5,
    ANALYSIS_NICE = 15,
    MOVE_LIMIT = 32, /* engine moves and hints at once */
    CANCEL_AGAIN_NANOS = 20000000,
};

job_group job_group_of(job_kind kind)
{
    return kind == JOB_ANALYSIS ? JOB_GROUP_ANALYSES : JOB_GROUP_MOVES;
}

void job_pool_init(job_pool *pool, library *l, unsigned cores, unsigned analyses, size_t memory_mb)
{
    *pool = (job_pool){.library = l,
                       .cores = cores ? cores : 1,
                       .memory_mb = memory_mb,
                       .limit = {[JOB_GROUP_MOVES] = MOVE_LIMIT, [JOB_GROUP_ANALYSES] = analyses}};
    pthread_mutex_init(&pool->lock, NULL);
    ply_cond_init(&pool->ended);
    sem_init(&pool->output_ready, 0, 0);
    program_pool_open(&pool->programs);
}

void job_pool_stop(job_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    pool->closing = true;
    while (pool->threads > 0) {
        for (job *j = pool->first; j; j = j->next)
            job_cancel(j);
        /* A job that is between two searches misses the call, so it is repeated. */
        struct timespec until = ply_clock_deadline(CANCEL_AGAIN_NANOS);
        pthread_cond_timedwait(&pool->ended, &pool->lock, &until);
    }
    pthread_mutex_unlock(&pool->lock);
}

void job_pool_close(job_pool *pool)
{
    job_pool_stop(pool);
    program_pool_close(&pool->programs);
    pthread_mutex_destroy(&pool->lock);
    pthread_cond_destroy(&pool->ended);
    sem_destroy(&pool->output_ready);
}

void job_pool_tick(job_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    for (job *j = pool->first; j; j = j->next)
        if (job_is_cancelled(j))
            job_cancel(j);
    pthread_mutex_unlock(&pool->lock);
}

job *job_new(job_pool *pool, const job_spec *spec, ply_status *status)
{
    job_group group = job_group_of(spec->kind);
    pthread_mutex_lock(&pool->lock);
    bool full = pool->running[group] >= pool->limit[group] || pool->closing;
    if (!full)
        pool->running[group]++;
    pthread_mutex_unlock(&pool->lock);
    if (full) {
        *status = PLY_LIMIT;
        return NULL;
    }
    job *j = calloc(1, sizeof *j);
    *status = j ? ply_state_copy(&j->state, spec->state) : PLY_NO_MEMORY;
    if (*status != PLY_OK) {
        *status = PLY_NO_MEMORY;
        free(j);
        pthread_mutex_lock(&pool->lock);
        pool->running[group]--;
        pthread_mutex_unlock(&pool->lock);
        return NULL;
    }
    pthread_mutex_init(&j->lock, NULL);
    j->rules = *spec->state->rules;
    j->state.rules = &j->rules;
    j->spec = *spec;
    j->spec.state = &j->state;
    if (spec->program) {
        j->program_spec = *spec->program;
        j->spec.program = &j->program_spec;
    }
    j->pool = pool;
    j->stream = ply_text_growing();
    j->reply = ply_text_growing();
    j->references = 1;
    j->counted = true;
    return j;
}

bool job_is_stream(const job *j)
{
    return job_group_of(j->spec.kind) == JOB_GROUP_ANALYSES;
}

/* The job no longer counts against the limit of its group. */
static void leave_group(job *j)
{
    job_pool *pool = j->pool;
    pthread_mutex_lock(&pool->lock);
    if (j->counted) {
        pool->running[job_group_of(j->spec.kind)]--;
        j->counted = false;
    }
    pthread_mutex_unlock(&pool->lock);
}

void job_release(job *j)
{
    if (!j)
        return;
    pthread_mutex_lock(&j->lock);
    bool last = --j->references == 0;
    pthread_mutex_unlock(&j->lock);
    if (!last)
        return;
    leave_group(j);
    ply_state_free(&j->state);
    ply_text_free(&j->stream);
    ply_text_free(&j->reply);
    pthread_mutex_destroy(&j->lock);
    free(j);
}

/* --- between the job's thread and its connection ---------------------------------------------- */
/* Says that there is output. Call it with no lock held. */
static void signal_output(job *j)
{
    sem_post(&j->pool->output_ready);
}

void job_wake(job *j)
{
    pthread_mutex_lock(&j->lock);
    if (j->suspended && j->connection.resume && (j->finished || j->stream.length > j->sent)) {
        j->suspended = false;
        j->connection.resume(j->connection.context);
    }
    pthread_mutex_unlock(&j->lock);
}

bool job_is_cancelled(const job *j)
{
    return atomic_load_explicit(&j->cancelled, memory_order_acquire);
}

void job_cancel(job *j)
{
    atomic_store_explicit(&j->cancelled, true, memory_order_release);
    pthread_mutex_lock(&j->lock);
    if (j->searcher)
        ply_searcher_stop(j->searcher);
    if (j->player)
        ply_player_stop(j->player);
    if (j->program)
        program_interrupt(j->program);
    pthread_mutex_unlock(&j->lock);
}

void job_detach(job *j)
{
    pthread_mutex_lock(&j->lock);
    j->connection = (job_connection){0};
    pthread_mutex_unlock(&j->lock);
    job_cancel(j);
}

void job_set_search(job *j, ply_searcher *searcher, ply_player *player)
{
    pthread_mutex_lock(&j->lock);
    j->searcher = searcher;
    j->player = player;
    pthread_mutex_unlock(&j->lock);
}

void job_set_program(job *j, running_program *p)
{
    pthread_mutex_lock(&j->lock);
    j->program = p;
    pthread_mutex_unlock(&j->lock);
}

void job_send_event(job *j, const char *name, const ply_text *data, bool replaces)
{
    pthread_mutex_lock(&j->lock);
    /* A slow client gets the newest event only: one that it has not begun to read is dropped. */
    if ((replaces && j->replaceable && j->sent == 0) || j->sent == j->stream.length) {
        ply_text_clear(&j->stream);
        j->sent = 0;
    }
    j->replaceable = replaces && j->stream.length == 0;
    ply_text_format(&j->stream, "event: %s\ndata: ", name);
    ply_text_bytes(&j->stream, ply_text_cstr(data), data->length);
    ply_text_string(&j->stream, "\n\n");
    pthread_mutex_unlock(&j->lock);
    signal_output(j);
}

void job_heartbeat(job *j)
{
    pthread_mutex_lock(&j->lock);
    if (j->sent == j->stream.length && !j->finished) {
        ply_text_clear(&j->stream);
        j->sent = 0;
        j->replaceable = false;
        ply_text_string(&j->stream, ":\n\n");
    }
    pthread_mutex_unlock(&j->lock);
    signal_output(j);
}

ssize_t job_read_stream(job *j, char *buffer, size_t room)
{
    pthread_mutex_lock(&j->lock);
    size_t left = j->stream.length - j->sent;
    ssize_t got = 0;
    if (left > 0 && !j->stream.failed) {
        size_t part = left < room ? left : room;
        memcpy(buffer, j->stream.data + j->sent, part);
        j->sent += part;
        got = (ssize_t)part;
    } else if (j->finished || j->stream.failed) {
        got = -1;
    } else if (j->connection.suspend) {
        j->connection.suspend(j->connection.context);
        j->suspended = true;
    }
    pthread_mutex_unlock(&j->lock);
    return got;
}

int job_take_reply(job *j, ply_text *body)
{
    pthread_mutex_lock(&j->lock);
    *body = j->reply;
    j->reply = ply_text_growing();
    int status = j->reply_status;
    pthread_mutex_unlock(&j->lock);
    return status;
}

/* --- threads ---------------------------------------------------------------------------------- */
static void job_work(job *j)
{
    switch (j->spec.kind) {
    case JOB_ENGINE:
    case JOB_HINT:
        job_run_choose(j);
        break;
    case JOB_ANALYSIS:
        job_run_analysis(j);
        break;
    }
}

static void job_finish(job *j)
{
    leave_group(j);
    pthread_mutex_lock(&j->lock);
    j->finished = true;
    pthread_mutex_unlock(&j->lock);
    signal_output(j);
}

void job_run(job *j)
{
    job_work(j);
    job_finish(j);
}

static void *job_thread(void *context)
{
    job *j = context;
    job_pool *pool = j->pool;
    /* On Linux every thread has its own nice value. */
    setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid),
                job_is_stream(j) ? ANALYSIS_NICE : MOVE_NICE);
    job_run(j);
    pthread_mutex_lock(&pool->lock);
    for (job **link = &pool->first; *link; link = &(*link)->next)
        if (*link == j) {
            *link = j->next;
            break;
        }
    pthread_mutex_unlock(&pool->lock);
    job_release(j);
    pthread_mutex_lock(&pool->lock);
    pool->threads--;
    pthread_cond_broadcast(&pool->ended);
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

bool job_start(job *j, const job_connection *connection)
{
    job_pool *pool = j->pool;
    pthread_mutex_lock(&j->lock); /* the connection watch may see the job already */
    j->connection = *connection;
    j->suspended = !job_is_stream(j);
    j->references = 2;
    pthread_mutex_unlock(&j->lock);
    pthread_mutex_lock(&pool->lock);
    bool good = !pool->closing && job_thread_start(job_thread, j);
    if (good) {
        pool->started[job_group_of(j->spec.kind)]++;
        pool->threads++;
        j->next = pool->first;
        pool->first = j;
    }
    pthread_mutex_unlock(&pool->lock);
    if (!good) {
        pthread_mutex_lock(&j->lock);
        j->references = 1;
        j->finished = true;
        pthread_mutex_unlock(&j->lock);
        leave_group(j);
    }
    return good;
}
