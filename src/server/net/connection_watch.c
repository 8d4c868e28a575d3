/* SPDX-License-Identifier: MIT */
/*
 * connection_watch.c - the threads that look after connections; see connection.h.
 *
 * While a connection is suspended, libmicrohttpd does not read its socket. The watch thread
 * therefore checks ten times a second which clients have disconnected and cancels their jobs. It
 * also cuts off clients that never finish sending a request.
 *
 * The sync thread syncs the store when responses that acknowledge changes are waiting, and resumes
 * their connections. One sync covers all responses that wait when it begins.
 */
#include "core/clock.h"
#include "server/net/connection.h"
#include <poll.h>
#include <sys/socket.h>

enum {
    FIRST_SECONDS = 30,    /* to send the first request; a starved browser may take that long */
    REQUEST_SECONDS = 120, /* to send another */
    BODY_SECONDS = 30,     /* to send a body */
    TICK_MILLIS = 100,
    HEARTBEAT_TICKS = 100, /* between heartbeats on an idle stream */
    FLUSH_TICKS = 20,
    NANOS_PER_MILLI = 1000000,
    NANOS_PER_SECOND = 1000000000,
};

void connection_close(connection *c)
{
    c->is_closing = true;
    shutdown(c->socket, SHUT_RDWR);
}

/* --- the watch thread ------------------------------------------------------------------------- */
static bool has_expired(uint64_t since, uint64_t now, int seconds)
{
    return since != 0 && now > since && now - since > (uint64_t)seconds * NANOS_PER_SECOND;
}

static bool has_disconnected(const http_transaction *t)
{
    struct pollfd client = {.fd = t->connection ? t->connection->socket : -1, .events = POLLRDHUP};
    return poll(&client, 1, 0) > 0 && (client.revents & (POLLRDHUP | POLLHUP | POLLERR));
}

/* Whether the client has sent something that is not read yet: then we are slow, not the client. */
static bool has_unread(const connection *c)
{
    struct pollfd client = {.fd = c->socket, .events = POLLIN | POLLRDHUP};
    return poll(&client, 1, 0) > 0 && client.revents == POLLIN;
}

/* Clients have longer by the time in which this thread did not run: on a starved machine, or in a
 * server that was stopped for a while, the other threads did not run either. */
static void extend(connection *c, uint64_t nanos)
{
    if (c->idle_since != 0)
        c->idle_since += nanos;
    if (c->body_since != 0)
        c->body_since += nanos;
}

static void tick(server *s, unsigned n, uint64_t now, uint64_t missed)
{
    pthread_mutex_lock(&s->lock);
    for (connection *c = s->connections; c; c = c->next) {
        extend(c, missed);
        if ((has_expired(c->idle_since, now, c->has_asked ? REQUEST_SECONDS : FIRST_SECONDS) ||
             has_expired(c->body_since, now, BODY_SECONDS)) &&
            !has_unread(c))
            connection_close(c);
    }
    for (http_transaction *t = s->transactions; t; t = t->next) {
        if (has_disconnected(t))
            job_cancel(t->job);
        else if (n % HEARTBEAT_TICKS == 0 && job_is_stream(t->job))
            job_heartbeat(t->job);
    }
    pthread_mutex_unlock(&s->lock);
    job_pool_tick(&s->app.jobs);
    if (n % FLUSH_TICKS == 0)
        library_flush(s->app.library);
}

void connection_wake_all(server *s)
{
    pthread_mutex_lock(&s->lock);
    for (http_transaction *t = s->transactions; t; t = t->next)
        job_wake(t->job);
    pthread_mutex_unlock(&s->lock);
}

void *connection_watch_thread(void *context)
{
    server *s = context;
    sem_t *output_ready = &s->app.jobs.output_ready;
    uint64_t now = ply_clock_nanos(), next_tick = now;
    unsigned n = 0;
    while (!atomic_load_explicit(&s->stopping, memory_order_acquire)) {
        struct timespec until = ply_clock_deadline(next_tick > now ? next_tick - now : 0);
        if (sem_clockwait(output_ready, CLOCK_MONOTONIC, &until) == 0) {
            while (sem_trywait(output_ready) == 0)
                continue;
            connection_wake_all(s);
        }
        now = ply_clock_nanos();
        if (now >= next_tick) {
            tick(s, ++n, now, now - next_tick);
            next_tick = now + (uint64_t)TICK_MILLIS * NANOS_PER_MILLI;
        }
    }
    return NULL;
}

/* --- the sync thread -------------------------------------------------------------------------- */
void *connection_sync_thread(void *context)
{
    server *s = context;
    for (;;) {
        pthread_mutex_lock(&s->lock);
        while (!s->unsynced && !atomic_load_explicit(&s->stopping, memory_order_acquire))
            pthread_cond_wait(&s->has_unsynced, &s->lock);
        http_transaction *t = s->unsynced;
        s->unsynced = NULL;
        pthread_mutex_unlock(&s->lock);
        if (!t)
            return NULL;
        ply_error error = {0};
        ply_status status = store_sync(library_store(s->app.library), &error);
        while (t) {
            http_transaction *next = t->next_unsynced; /* t may be freed once it is resumed */
            if (status != PLY_OK)
                response_fail_error(&t->held, 507, NULL, &error);
            MHD_resume_connection(t->mhd);
            t = next;
        }
    }
}
