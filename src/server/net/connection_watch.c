/* SPDX-License-Identifier: MIT */
/*
 * connection_watch.c - looks after connections while nobody else does.
 *
 * The ticker looks ten times a second which readers have gone away, cancels their jobs, and also
 * cuts off those that take for ever to send their request. The syncer brings to the disk what
 * answers wait for, and sends them on: one sync serves all that wait by then.
 */
#include "core/clock.h"
#include "server/net/connection.h"
#include <poll.h>
#include <sys/socket.h>
#include <time.h>

enum {
    SLOW_SECONDS = 120, /* one that says something, but never a whole request */
    BODY_SECONDS = 30,  /* the same for a body */
    TICK_MILLIS = 100,
    BEAT_TICKS = 100, /* a sign of life on a quiet stream */
    FLUSH_TICKS = 20,
};

/* --- the ticker ------------------------------------------------------------------------------- */
static bool is_longer_ago(uint64_t since, uint64_t now, int seconds)
{
    return since != 0 && now > since && now - since > (uint64_t)seconds * 1000000000u;
}

/* Sees to readers that are gone and to those that are slow; n counts the ticks. */
static void look_round(server *s, unsigned n)
{
    uint64_t now = ply_clock_nanos();
    pthread_mutex_lock(&s->lock);
    for (line *l = s->lines; l; l = l->next)
        if (is_longer_ago(l->quiet_since, now, SLOW_SECONDS) ||
            is_longer_ago(l->receiving_since, now, BODY_SECONDS))
            shutdown(l->socket, SHUT_RDWR);
    for (exchange *x = s->exchanges; x; x = x->next) {
        struct pollfd reader = {.fd = x->line ? x->line->socket : -1, .events = POLLRDHUP};
        if (poll(&reader, 1, 0) > 0 && (reader.revents & (POLLRDHUP | POLLHUP | POLLERR)))
            job_cancel(x->job);
        else if (n % BEAT_TICKS == 0 && job_streams(x->job))
            job_beat(x->job);
    }
    pthread_mutex_unlock(&s->lock);
    thinkers_tick(&s->app.thinkers);
    if (n % FLUSH_TICKS == 0)
        library_flush(s->app.library);
}

void watch_nudge(server *s)
{
    pthread_mutex_lock(&s->lock);
    for (exchange *x = s->exchanges; x; x = x->next)
        job_nudge(x->job);
    pthread_mutex_unlock(&s->lock);
}

/* Wakes connections as soon as jobs have news for them, and looks round at every tick. */
void *watch_connections(void *context)
{
    server *s = context;
    sem_t *news = &s->app.thinkers.news;
    uint64_t next = ply_clock_nanos();
    unsigned n = 0;
    while (!__atomic_load_n(&s->stopping, __ATOMIC_ACQUIRE)) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += TICK_MILLIS * 1000000;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        if (sem_timedwait(news, &until) == 0) {
            while (sem_trywait(news) == 0)
                continue;
            watch_nudge(s);
        }
        uint64_t now = ply_clock_nanos();
        if (now >= next) {
            next = now + (uint64_t)TICK_MILLIS * 1000000;
            look_round(s, ++n);
        }
    }
    return NULL;
}

/* --- the syncer ------------------------------------------------------------------------------- */
void *watch_disk(void *context)
{
    server *s = context;
    for (;;) {
        pthread_mutex_lock(&s->lock);
        while (!s->held && !__atomic_load_n(&s->stopping, __ATOMIC_ACQUIRE))
            pthread_cond_wait(&s->anything_held, &s->lock);
        exchange *held = s->held;
        s->held = NULL;
        pthread_mutex_unlock(&s->lock);
        if (!held)
            return NULL;
        ply_error error = {0};
        ply_status status = store_sync(library_store(s->app.library), &error);
        while (held) {
            exchange *next = held->next_held; /* it may be gone once it is awake */
            if (status != PLY_OK)
                response_fail_error(&held->held, 507, NULL, &error);
            MHD_resume_connection(held->connection);
            held = next;
        }
    }
}
