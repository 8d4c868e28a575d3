/* SPDX-License-Identifier: MIT */
/*
 * http.c - the callbacks of libmicrohttpd; see connection.h.
 *
 * A few threads of libmicrohttpd handle requests. A request that needs a job suspends its
 * connection until the job has output. A response that acknowledges a change suspends it until the
 * sync thread has brought the change to disk. on_request is called again when it is resumed.
 */
#include "core/clock.h"
#include "server/net/connection.h"
#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    CONNECTION_LIMIT = 1000, /* in all; beyond that, the longest idle one is closed */
    ADDRESS_LIMIT = 600,     /* the same for each client address */
    CLOSING_ROOM = 200,      /* connections that are being closed */
    IDLE_SECONDS = 90,       /* before a silent connection is closed */
    HANDLER_THREADS = 4,
    STREAM_BLOCK = 8192,
};

static const char content_security_policy[] =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'";

/* --- responses -------------------------------------------------------------------------------- */
/* Returns false if memory ran out. A response without its headers must not be sent: some of them
 * protect the page. */
static bool add_headers(const server *s, struct MHD_Response *r, const response *answer)
{
    const struct {
        const char *name, *value; /* no header if it is NULL or empty */
    } headers[] = {
        {"Content-Security-Policy", content_security_policy},
        {"X-Content-Type-Options", "nosniff"},
        {"X-Frame-Options", "DENY"},
        {"Referrer-Policy", "no-referrer"},
        {"Cross-Origin-Opener-Policy", "same-origin"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
        {"Cache-Control", answer->may_cache ? "no-cache" : "no-store"},
        {"Content-Type", answer->content_type},
        {"ETag", answer->etag},
        {"Content-Disposition", answer->disposition},
        {"Location", answer->location},
        {"Set-Cookie", answer->set_token ? s->cookie : NULL},
        {"WWW-Authenticate", answer->status == 401 ? "Bearer" : NULL},
        {"Retry-After", answer->status == 429 ? "1" : NULL},
    };
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++)
        if (headers[i].value && headers[i].value[0] &&
            MHD_add_response_header(r, headers[i].name, headers[i].value) == MHD_NO)
            return false;
    return true;
}

/* Hands a response over to libmicrohttpd. r may be NULL: memory ran out. */
static enum MHD_Result queue_response(const http_transaction *t, const response *answer,
                                      struct MHD_Response *r)
{
    if (!r)
        return MHD_NO;
    enum MHD_Result result = add_headers(t->server, r, answer)
                                 ? MHD_queue_response(t->mhd, (unsigned)answer->status, r)
                                 : MHD_NO;
    MHD_destroy_response(r);
    return result;
}

/* Sends a complete response, and frees it. */
static enum MHD_Result send_response(const http_transaction *t, response *answer)
{
    struct MHD_Response *r;
    if (answer->fixed) {
        r = MHD_create_response_from_buffer(answer->fixed_length, (void *)(uintptr_t)answer->fixed,
                                            MHD_RESPMEM_PERSISTENT);
    } else {
        size_t length = answer->body.data ? answer->body.length : 0;
        r = MHD_create_response_from_buffer(length, answer->body.data, MHD_RESPMEM_MUST_FREE);
        if (r) /* libmicrohttpd owns the body now */
            answer->body = (ply_text){.grows = true};
    }
    enum MHD_Result result = queue_response(t, answer, r);
    response_free(answer);
    return result;
}

/* Suspends the connection until the sync thread has brought all changes to disk. */
static enum MHD_Result send_after_sync(http_transaction *t, response *answer)
{
    server *s = t->server;
    pthread_mutex_lock(&s->lock);
    /* When the server stops there is no sync thread; closing the library syncs. */
    bool waits = !atomic_load_explicit(&s->stopping, memory_order_acquire);
    if (waits) {
        t->held = *answer;
        t->is_held = true;
        MHD_suspend_connection(t->mhd);
        t->next_unsynced = s->unsynced;
        s->unsynced = t;
        pthread_cond_signal(&s->has_unsynced);
    }
    pthread_mutex_unlock(&s->lock);
    return waits ? MHD_YES : send_response(t, answer);
}

/* --- jobs ------------------------------------------------------------------------------------- */
static void suspend_transaction(void *context)
{
    MHD_suspend_connection(((http_transaction *)context)->mhd);
}

static void resume_transaction(void *context)
{
    MHD_resume_connection(((http_transaction *)context)->mhd);
}

static ssize_t read_stream(void *context, uint64_t position, char *buffer, size_t room)
{
    (void)position;
    ssize_t got = job_read_stream(((http_transaction *)context)->job, buffer, room);
    return got < 0 ? MHD_CONTENT_READER_END_OF_STREAM : got;
}

static void list_transaction(http_transaction *t)
{
    server *s = t->server;
    pthread_mutex_lock(&s->lock);
    t->next = s->transactions;
    t->previous = NULL;
    if (t->next)
        t->next->previous = t;
    s->transactions = t;
    t->is_listed = true;
    pthread_mutex_unlock(&s->lock);
}

static void free_transaction(http_transaction *t)
{
    server *s = t->server;
    if (t->is_listed) {
        pthread_mutex_lock(&s->lock);
        *(t->previous ? &t->previous->next : &s->transactions) = t->next;
        if (t->next)
            t->next->previous = t->previous;
        pthread_mutex_unlock(&s->lock);
    }
    if (t->job) {
        job_detach(t->job);
        job_release(t->job);
    }
    response_free(&t->held);
    free(t->target);
    ply_text_free(&t->body);
    free(t);
}

static enum MHD_Result start_stream(http_transaction *t, const job_connection *waiting,
                                    response *answer)
{
    if (!job_start(t->job, waiting)) {
        response_fail(answer, 429, "busy", NULL, "cannot start a thread; try again later");
        return send_response(t, answer);
    }
    struct MHD_Response *r =
        MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, STREAM_BLOCK, read_stream, t, NULL);
    enum MHD_Result result = queue_response(t, answer, r);
    response_free(answer);
    return result;
}

/* Hands the request over to a job. A stream is sent as the job produces it; otherwise the
 * connection is suspended until the job has ended. */
static enum MHD_Result start_job(http_transaction *t, response *answer)
{
    job_connection waiting = {suspend_transaction, resume_transaction, t};
    t->job = answer->job;
    answer->job = NULL;
    list_transaction(t);
    if (job_is_stream(t->job))
        return start_stream(t, &waiting, answer);
    response_free(answer);
    t->awaits_reply = true;
    MHD_suspend_connection(t->mhd); /* first: the job may end before job_start returns */
    if (!job_start(t->job, &waiting)) {
        response_fail(&t->held, 429, "busy", NULL, "cannot start a thread; try again later");
        t->is_held = true;
        t->awaits_reply = false;
        MHD_resume_connection(t->mhd);
    }
    return MHD_YES;
}

/* --- requests --------------------------------------------------------------------------------- */
static const char *header_value(const http_transaction *t, const char *name)
{
    return MHD_lookup_connection_value(t->mhd, MHD_HEADER_KIND, name);
}

static void set_idle_times(http_transaction *t, uint64_t idle_since, uint64_t body_since)
{
    pthread_mutex_lock(&t->server->lock);
    if (t->connection) {
        t->connection->idle_since = idle_since;
        t->connection->body_since = body_since;
        t->connection->has_asked |= idle_since == 0 && body_since == 0;
    }
    pthread_mutex_unlock(&t->server->lock);
}

/* Called first for every request, with the target as it was sent. */
static void *on_target(void *context, const char *target, struct MHD_Connection *mhd)
{
    http_transaction *t = calloc(1, sizeof *t);
    char *copy = strdup(target);
    if (!t || !copy) {
        free(t);
        free(copy);
        return NULL;
    }
    t->server = context;
    t->mhd = mhd;
    t->target = copy;
    t->body = ply_text_growing();
    return t;
}

static void append_body(http_transaction *t, const char *data, size_t length)
{
    if (t->body.length + length <= REQUEST_BODY_LIMIT && !t->request.body_too_large)
        ply_text_bytes(&t->body, data, length);
    else
        t->request.body_too_large = true; /* the rest is read and discarded */
}

static enum MHD_Result handle_request(http_transaction *t, const char *method)
{
    app *a = &t->server->app;
    request *r = &t->request;
    response answer = {0};
    r->method = method;
    r->target = t->target;
    r->host = header_value(t, "Host");
    r->origin = header_value(t, "Origin");
    r->fetch_site = header_value(t, "Sec-Fetch-Site");
    r->authorization = header_value(t, "Authorization");
    r->cookie = header_value(t, "Cookie");
    r->content_type = header_value(t, "Content-Type");
    r->if_none_match = header_value(t, "If-None-Match");
    r->body = t->body.data;
    r->body_length = t->body.length;
    if (t->body.failed)
        response_no_memory(&answer);
    else
        app_handle(a, r, &answer);
    if (answer.job)
        return start_job(t, &answer);
    if (answer.needs_sync && !store_is_synced(library_store(a->library)))
        return send_after_sync(t, &answer);
    return send_response(t, &answer);
}

/* Called when the headers have arrived, for each part of the body, at the end of it, and whenever
 * the connection is resumed without a response. */
static enum MHD_Result on_request(void *context, struct MHD_Connection *mhd, const char *url,
                                  const char *method, const char *version, const char *data,
                                  size_t *length, void **slot)
{
    http_transaction *t = *slot;
    (void)context;
    (void)url;
    (void)version;
    if (!t)
        return MHD_NO; /* memory ran out in on_target */
    if (!t->has_begun) {
        const union MHD_ConnectionInfo *info =
            MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
        t->has_begun = true;
        t->connection = info ? info->socket_context : NULL;
        set_idle_times(t, 0, ply_clock_nanos());
        return MHD_YES;
    }
    if (*length > 0) {
        append_body(t, data, *length);
        *length = 0;
        return MHD_YES;
    }
    if (t->is_held)
        return send_response(t, &t->held);
    if (t->awaits_reply) {
        response answer = {0};
        app_take_reply(t->job, &answer);
        return send_response(t, &answer);
    }
    set_idle_times(t, 0, 0);
    return handle_request(t, method);
}

static void on_completed(void *context, struct MHD_Connection *mhd, void **slot,
                         enum MHD_RequestTerminationCode code)
{
    http_transaction *t = *slot;
    (void)context;
    (void)mhd;
    (void)code;
    if (!t)
        return;
    set_idle_times(t, ply_clock_nanos(), 0);
    free_transaction(t);
    *slot = NULL;
}

/* --- connections ------------------------------------------------------------------------------ */
static client_address address_of(const struct sockaddr *socket_address)
{
    client_address a = {0};
    if (socket_address && socket_address->sa_family == AF_INET) {
        a.family = 4;
        memcpy(a.bytes, &((const struct sockaddr_in *)socket_address)->sin_addr, 4);
    } else if (socket_address && socket_address->sa_family == AF_INET6) {
        a.family = 6;
        memcpy(a.bytes, &((const struct sockaddr_in6 *)socket_address)->sin6_addr, 16);
    }
    return a;
}

/*
 * Makes room for one more connection, from the given address or, if that is NULL, from anywhere, by
 * closing the one that has been idle for longest. False if there is no room. The server is locked.
 */
static bool make_room(const server *s, const client_address *from, size_t limit)
{
    connection *oldest = NULL;
    size_t count = 0;
    for (connection *c = s->connections; c; c = c->next) {
        if (c->is_closing || (from && memcmp(&c->address, from, sizeof *from) != 0))
            continue;
        count++;
        if (c->idle_since != 0 && (!oldest || c->idle_since < oldest->idle_since))
            oldest = c;
    }
    if (count >= limit && oldest)
        connection_close(oldest);
    return count < limit || oldest;
}

static connection *add_connection(server *s, int socket, const struct sockaddr *address)
{
    connection *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->socket = socket;
    c->address = address_of(address);
    c->idle_since = ply_clock_nanos();
    pthread_mutex_lock(&s->lock);
    if (!make_room(s, &c->address, ADDRESS_LIMIT) || !make_room(s, NULL, CONNECTION_LIMIT))
        connection_close(c);
    c->next = s->connections;
    if (c->next)
        c->next->previous = c;
    s->connections = c;
    pthread_mutex_unlock(&s->lock);
    atomic_fetch_add_explicit(&s->app.connections, 1, memory_order_relaxed);
    return c;
}

static void remove_connection(server *s, connection *c)
{
    pthread_mutex_lock(&s->lock);
    *(c->previous ? &c->previous->next : &s->connections) = c->next;
    if (c->next)
        c->next->previous = c->previous;
    pthread_mutex_unlock(&s->lock);
    atomic_fetch_sub_explicit(&s->app.connections, 1, memory_order_relaxed);
    free(c);
}

static void on_connection(void *context, struct MHD_Connection *mhd, void **slot,
                          enum MHD_ConnectionNotificationCode code)
{
    server *s = context;
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        const union MHD_ConnectionInfo *info =
            MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_CONNECTION_FD);
        const union MHD_ConnectionInfo *client =
            MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
        *slot =
            info ? add_connection(s, info->connect_fd, client ? client->client_addr : NULL) : NULL;
    } else if (*slot) {
        remove_connection(s, *slot);
        *slot = NULL;
    }
}

bool http_start(server *s, int socket, ply_error *error)
{
    s->daemon = MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ITC, 0, NULL, NULL,
        on_request, s, MHD_OPTION_LISTEN_SOCKET, socket, MHD_OPTION_THREAD_POOL_SIZE,
        (unsigned)HANDLER_THREADS, MHD_OPTION_CONNECTION_LIMIT,
        (unsigned)(CONNECTION_LIMIT + CLOSING_ROOM), MHD_OPTION_CONNECTION_TIMEOUT,
        (unsigned)IDLE_SECONDS, MHD_OPTION_URI_LOG_CALLBACK, on_target, s,
        MHD_OPTION_NOTIFY_COMPLETED, on_completed, s, MHD_OPTION_NOTIFY_CONNECTION, on_connection,
        s, MHD_OPTION_END);
    if (s->daemon)
        return true;
    ply_error_set(error, PLY_IO, "cannot start the server: %s", strerror(errno));
    close(socket);
    return false;
}
