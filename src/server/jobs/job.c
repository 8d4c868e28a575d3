/* SPDX-License-Identifier: MIT */
/* job.c - the life of a job; see job.h. What it thinks is in job_kinds.c. */
#include "server/jobs/job.h"
#include "server/jobs/job_internal.h"
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { ENGINE_NICE = 5, ANALYSIS_NICE = 15, ENGINE_LIMIT = 32, STACK_BYTES = 4 << 20 };

static int pool_of(job_kind kind)
{
    return kind == JOB_ANALYSIS || kind == JOB_GRAPH;
}

void thinkers_init(thinkers *t, library *l, unsigned cores, unsigned analyses, size_t memory_mb)
{
    *t = (thinkers){.library = l,
                    .cores = cores ? cores : 1,
                    .memory_mb = memory_mb,
                    .limit = {ENGINE_LIMIT, analyses}};
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->ended, NULL);
    sem_init(&t->news, 0, 0);
}

void thinkers_stop(thinkers *t)
{
    pthread_mutex_lock(&t->lock);
    t->closing = true;
    while (t->threads > 0) {
        for (job *j = t->first; j; j = j->next)
            job_cancel(j);
        /* A job that is between two searches misses the word; so it is said again. */
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += 20000000;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&t->ended, &t->lock, &until);
    }
    pthread_mutex_unlock(&t->lock);
}

void thinkers_close(thinkers *t)
{
    thinkers_stop(t);
    pthread_mutex_destroy(&t->lock);
    pthread_cond_destroy(&t->ended);
    sem_destroy(&t->news);
}

void thinkers_tick(thinkers *t)
{
    pthread_mutex_lock(&t->lock);
    for (job *j = t->first; j; j = j->next)
        if (job_cancelled(j))
            job_cancel(j);
    pthread_mutex_unlock(&t->lock);
}

job *job_new(thinkers *t, const job_order *order, response *answer)
{
    int pool = pool_of(order->kind);
    pthread_mutex_lock(&t->lock);
    bool full = t->running[pool] >= t->limit[pool] || t->closing;
    if (!full)
        t->running[pool]++;
    pthread_mutex_unlock(&t->lock);
    if (full) {
        response_fail(answer, 429, "busy", NULL, "%u %s run already; try again later",
                      t->limit[pool], pool ? "analyses" : "engines");
        return NULL;
    }
    job *j = calloc(1, sizeof *j);
    ply_status status = j ? ply_state_copy(&j->state, order->state) : PLY_NO_MEMORY;
    if (status != PLY_OK) {
        free(j);
        pthread_mutex_lock(&t->lock);
        t->running[pool]--;
        pthread_mutex_unlock(&t->lock);
        response_no_memory(answer);
        return NULL;
    }
    pthread_mutex_init(&j->lock, NULL);
    j->rules = *order->state->rules;
    j->state.rules = &j->rules;
    j->order = *order;
    j->order.state = &j->state;
    j->thinkers = t;
    j->out = ply_text_growing();
    j->holders = 1;
    j->admitted = true;
    return j;
}

bool job_streams(const job *j)
{
    return pool_of(j->order.kind);
}

/* Gives its place to the next one. */
static void job_leave(job *j)
{
    thinkers *t = j->thinkers;
    pthread_mutex_lock(&t->lock);
    if (j->admitted) {
        t->running[pool_of(j->order.kind)]--;
        j->admitted = false;
    }
    pthread_mutex_unlock(&t->lock);
}

void job_drop(job *j)
{
    if (!j)
        return;
    pthread_mutex_lock(&j->lock);
    bool last = --j->holders == 0;
    pthread_mutex_unlock(&j->lock);
    if (!last)
        return;
    job_leave(j);
    ply_state_free(&j->state);
    ply_text_free(&j->out);
    response_free(&j->answer);
    pthread_mutex_destroy(&j->lock);
    free(j);
}

/* --- between the thread and the carrier --------------------------------------------------------
 */
/* Says that there is something to read. Not while anything is locked. */
static void tell_news(job *j)
{
    sem_post(&j->thinkers->news);
}

void job_nudge(job *j)
{
    pthread_mutex_lock(&j->lock);
    if (j->sleeping && j->carrier.wake && (j->finished || j->out.length > j->sent)) {
        j->sleeping = false;
        j->carrier.wake(j->carrier.context);
    }
    pthread_mutex_unlock(&j->lock);
}

bool job_cancelled(const job *j)
{
    return __atomic_load_n(&j->cancelled, __ATOMIC_ACQUIRE);
}

void job_cancel(job *j)
{
    __atomic_store_n(&j->cancelled, true, __ATOMIC_RELEASE);
    pthread_mutex_lock(&j->lock);
    if (j->searcher)
        ply_searcher_stop(j->searcher);
    if (j->player)
        ply_player_stop(j->player);
    pthread_mutex_unlock(&j->lock);
}

void job_abandon(job *j)
{
    pthread_mutex_lock(&j->lock);
    j->carrier = (job_carrier){0};
    pthread_mutex_unlock(&j->lock);
    job_cancel(j);
}

void job_set_mind(job *j, ply_searcher *searcher, ply_player *player)
{
    pthread_mutex_lock(&j->lock);
    j->searcher = searcher;
    j->player = player;
    pthread_mutex_unlock(&j->lock);
}

void job_event(job *j, const char *name, const ply_text *data, bool replaces)
{
    pthread_mutex_lock(&j->lock);
    /* A slow reader gets the newest only: what it has not begun to read is written over. */
    if ((replaces && j->replaceable && j->sent == 0) || j->sent == j->out.length) {
        ply_text_clear(&j->out);
        j->sent = 0;
    }
    j->replaceable = replaces && j->out.length == 0;
    ply_text_format(&j->out, "event: %s\ndata: ", name);
    ply_text_bytes(&j->out, ply_text_cstr(data), data->length);
    ply_text_string(&j->out, "\n\n");
    pthread_mutex_unlock(&j->lock);
    tell_news(j);
}

void job_beat(job *j)
{
    pthread_mutex_lock(&j->lock);
    if (j->sent == j->out.length && !j->finished) {
        ply_text_clear(&j->out);
        j->sent = 0;
        j->replaceable = false;
        ply_text_string(&j->out, ":\n\n");
    }
    pthread_mutex_unlock(&j->lock);
    tell_news(j);
}

ssize_t job_read(job *j, char *buffer, size_t room)
{
    pthread_mutex_lock(&j->lock);
    size_t left = j->out.length - j->sent;
    ssize_t got = 0;
    if (left > 0 && !j->out.failed) {
        size_t part = left < room ? left : room;
        memcpy(buffer, j->out.data + j->sent, part);
        j->sent += part;
        got = (ssize_t)part;
    } else if (j->finished || j->out.failed) {
        got = -1;
    } else if (j->carrier.sleep) {
        j->carrier.sleep(j->carrier.context);
        j->sleeping = true;
    }
    pthread_mutex_unlock(&j->lock);
    return got;
}

void job_answer(job *j, response *answer)
{
    pthread_mutex_lock(&j->lock);
    *answer = j->answer;
    j->answer = (response){0};
    pthread_mutex_unlock(&j->lock);
}

/* --- threads -----------------------------------------------------------------------------------
 */
static void job_think(job *j)
{
    switch (j->order.kind) {
    case JOB_ENGINE:
    case JOB_HINT:
        job_choose(j);
        break;
    case JOB_ANALYSIS:
        job_analyse(j);
        break;
    default:
        job_graph(j);
        break;
    }
}

static void job_finish(job *j)
{
    job_leave(j);
    pthread_mutex_lock(&j->lock);
    j->finished = true;
    pthread_mutex_unlock(&j->lock);
    tell_news(j);
}

void job_run(job *j)
{
    job_think(j);
    job_finish(j);
}

static void *job_thread(void *context)
{
    job *j = context;
    thinkers *t = j->thinkers;
    /* On Linux a thread has a nice value of its own. */
    setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid),
                pool_of(j->order.kind) ? ANALYSIS_NICE : ENGINE_NICE);
    job_run(j);
    pthread_mutex_lock(&t->lock);
    for (job **link = &t->first; *link; link = &(*link)->next)
        if (*link == j) {
            *link = j->next;
            break;
        }
    pthread_mutex_unlock(&t->lock);
    job_drop(j);
    pthread_mutex_lock(&t->lock);
    t->threads--;
    pthread_cond_broadcast(&t->ended);
    pthread_mutex_unlock(&t->lock);
    return NULL;
}

bool job_start(job *j, const job_carrier *carrier)
{
    thinkers *t = j->thinkers;
    pthread_t thread;
    pthread_attr_t attributes;
    pthread_mutex_lock(&j->lock); /* the watch may look at it already */
    j->carrier = *carrier;
    j->sleeping = !job_streams(j);
    j->holders = 2;
    pthread_mutex_unlock(&j->lock);
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    pthread_mutex_lock(&t->lock);
    bool good = !t->closing && pthread_create(&thread, &attributes, job_thread, j) == 0;
    if (good) {
        t->started[pool_of(j->order.kind)]++;
        t->threads++;
        j->next = t->first;
        t->first = j;
    }
    pthread_mutex_unlock(&t->lock);
    pthread_attr_destroy(&attributes);
    if (!good) {
        pthread_mutex_lock(&j->lock);
        j->holders = 1;
        j->finished = true;
        response_fail(&j->answer, 429, "busy", NULL, "no thread to think on; try again later");
        pthread_mutex_unlock(&j->lock);
        job_leave(j);
    }
    return good;
}
