/* SPDX-License-Identifier: MIT */
/*
 * http.c - the carrier: libmicrohttpd's connections on one side, app.h on the other.
 *
 * A few threads of libmicrohttpd answer requests at once. A request that needs a job suspends its
 * connection until it has news. An answer to something written waits in the same way until
 * the syncer has it on the disk, together with all others that wait by then. While it is suspended
 * nobody reads the socket; the ticker (connection_watch.c) sees to that.
 */
#include "core/clock.h"
#include "server/net/connection.h"
#include "server/net/listen.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    CONNECTION_LIMIT = 1000,
    IDLE_SECONDS = 90, /* a connection that says nothing */
    ANSWERERS = 4,     /* threads that answer */
    STREAM_BLOCK = 8192,
    DEFAULT_ANALYSES = 16,
    DEFAULT_MEMORY_MB = 16,
};

static const char policy[] =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'";

/* --- answers -------------------------------------------------------------------------------------
 */
static void add_headers(const server *s, struct MHD_Response *r, const response *answer)
{
    MHD_add_response_header(r, "Content-Security-Policy", policy);
    MHD_add_response_header(r, "X-Content-Type-Options", "nosniff");
    MHD_add_response_header(r, "X-Frame-Options", "DENY");
    MHD_add_response_header(r, "Referrer-Policy", "no-referrer");
    MHD_add_response_header(r, "Cross-Origin-Opener-Policy", "same-origin");
    MHD_add_response_header(r, "Cross-Origin-Resource-Policy", "same-origin");
    MHD_add_response_header(r, "Cache-Control", answer->may_cache ? "no-cache" : "no-store");
    if (answer->content_type)
        MHD_add_response_header(r, "Content-Type", answer->content_type);
    if (answer->etag[0])
        MHD_add_response_header(r, "ETag", answer->etag);
    if (answer->disposition[0])
        MHD_add_response_header(r, "Content-Disposition", answer->disposition);
    if (answer->location[0])
        MHD_add_response_header(r, "Location", answer->location);
    if (answer->set_token)
        MHD_add_response_header(r, "Set-Cookie", s->cookie);
    if (answer->status == 401)
        MHD_add_response_header(r, "WWW-Authenticate", "Bearer");
    if (answer->status == 429)
        MHD_add_response_header(r, "Retry-After", "1");
}

static enum MHD_Result queue(const server *s, struct MHD_Connection *connection,
                             const response *answer, struct MHD_Response *r)
{
    if (!r)
        return MHD_NO;
    add_headers(s, r, answer);
    enum MHD_Result result = MHD_queue_response(connection, (unsigned)answer->status, r);
    MHD_destroy_response(r);
    return result;
}

/* Sends an answer that is there as a whole, and frees it. */
static enum MHD_Result send_whole(const server *s, struct MHD_Connection *connection,
                                  response *answer)
{
    struct MHD_Response *r;
    if (answer->fixed) {
        r = MHD_create_response_from_buffer(answer->fixed_length, (void *)(uintptr_t)answer->fixed,
                                            MHD_RESPMEM_PERSISTENT);
    } else {
        /* The body's memory goes over to libmicrohttpd. */
        size_t length = answer->body.data ? answer->body.length : 0;
        r = MHD_create_response_from_buffer(length, answer->body.data, MHD_RESPMEM_MUST_FREE);
        if (r)
            answer->body = (ply_text){.grows = true};
    }
    enum MHD_Result result = queue(s, connection, answer, r);
    response_free(answer);
    return result;
}

/* --- streams ---------------------------------------------------------------------------------- */
static void sleep_exchange(void *context)
{
    MHD_suspend_connection(((exchange *)context)->connection);
}

static void wake_exchange(void *context)
{
    MHD_resume_connection(((exchange *)context)->connection);
}

static ssize_t read_stream(void *context, uint64_t position, char *buffer, size_t room)
{
    (void)position;
    ssize_t got = job_read(((exchange *)context)->job, buffer, room);
    return got < 0 ? MHD_CONTENT_READER_END_OF_STREAM : got;
}

static void list_exchange(exchange *x)
{
    server *s = x->server;
    pthread_mutex_lock(&s->lock);
    x->next = s->exchanges;
    x->before = NULL;
    if (x->next)
        x->next->before = x;
    s->exchanges = x;
    x->listed = true;
    pthread_mutex_unlock(&s->lock);
}

static void end_exchange(exchange *x)
{
    server *s = x->server;
    if (x->listed) {
        pthread_mutex_lock(&s->lock);
        *(x->before ? &x->before->next : &s->exchanges) = x->next;
        if (x->next)
            x->next->before = x->before;
        pthread_mutex_unlock(&s->lock);
    }
    if (x->job) {
        job_abandon(x->job);
        job_drop(x->job);
    }
    response_free(&x->held);
    free(x->target);
    ply_text_free(&x->body);
    free(x);
}

/* Hands a request to a job: a stream is answered at once and filled as it goes on, the rest waits
 * until the job has the answer. */
static enum MHD_Result begin_job(exchange *x, response *answer)
{
    job_carrier carrier = {sleep_exchange, wake_exchange, x};
    bool streams = job_streams(answer->job);
    x->job = answer->job;
    answer->job = NULL;
    list_exchange(x);
    if (!streams) {
        x->answered_by_job = true;
        MHD_suspend_connection(x->connection);
    }
    bool started = job_start(x->job, &carrier);
    if (!started && streams) {
        response_free(answer);
        job_answer(x->job, answer);
        return send_whole(x->server, x->connection, answer);
    }
    if (!started)
        MHD_resume_connection(x->connection); /* and then the job's answer is sent */
    if (!streams) {
        response_free(answer);
        return MHD_YES;
    }
    struct MHD_Response *r =
        MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, STREAM_BLOCK, read_stream, x, NULL);
    enum MHD_Result result = queue(x->server, x->connection, answer, r);
    response_free(answer);
    return result;
}

/* --- requests --------------------------------------------------------------------------------- */
static const char *header(struct MHD_Connection *connection, const char *name)
{
    return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

static void set_line(exchange *x, uint64_t quiet_since, uint64_t receiving_since)
{
    pthread_mutex_lock(&x->server->lock);
    if (x->line) {
        x->line->quiet_since = quiet_since;
        x->line->receiving_since = receiving_since;
    }
    pthread_mutex_unlock(&x->server->lock);
}

/* The first thing of a request: its target, as it was sent. */
static void *on_target(void *context, const char *target, struct MHD_Connection *connection)
{
    exchange *x = calloc(1, sizeof *x);
    char *copy = strdup(target);
    if (!x || !copy) {
        free(x);
        free(copy);
        return NULL;
    }
    x->server = context;
    x->connection = connection;
    x->target = copy;
    x->body = ply_text_growing();
    return x;
}

static void keep_body(exchange *x, const char *data, size_t length)
{
    if (x->body.length + length <= REQUEST_BODY_LIMIT && !x->request.body_too_large)
        ply_text_bytes(&x->body, data, length);
    else
        x->request.body_too_large = true; /* the rest is read, and thrown away */
}

/* Puts an answer back until what it tells of is on the disk. */
static enum MHD_Result hold_answer(exchange *x, response *answer)
{
    server *s = x->server;
    pthread_mutex_lock(&s->lock);
    bool waits = !__atomic_load_n(&s->stopping, __ATOMIC_ACQUIRE);
    if (waits) {
        x->held = *answer;
        x->holds = true;
        MHD_suspend_connection(x->connection);
        x->next_held = s->held;
        s->held = x;
        pthread_cond_signal(&s->anything_held);
    }
    pthread_mutex_unlock(&s->lock);
    return waits ? MHD_YES : send_whole(s, x->connection, answer);
}

static enum MHD_Result answer_request(exchange *x, const char *method)
{
    struct MHD_Connection *c = x->connection;
    request *r = &x->request;
    response answer = {0};
    r->method = method;
    r->target = x->target;
    r->host = header(c, "Host");
    r->origin = header(c, "Origin");
    r->fetch_site = header(c, "Sec-Fetch-Site");
    r->authorization = header(c, "Authorization");
    r->cookie = header(c, "Cookie");
    r->content_type = header(c, "Content-Type");
    r->if_none_match = header(c, "If-None-Match");
    r->body = x->body.data;
    r->body_length = x->body.length;
    if (x->body.failed)
        response_no_memory(&answer);
    else
        app_answer(&x->server->app, r, &answer);
    if (answer.job)
        return begin_job(x, &answer);
    bool writes = strcmp(method, "GET") != 0 && r->segment_count > 1 &&
                  (strcmp(r->segments[1], "games") == 0 || strcmp(r->segments[1], "import") == 0);
    if (writes && !store_is_synced(library_store(x->server->app.library)))
        return hold_answer(x, &answer);
    return send_whole(x->server, c, &answer);
}

static enum MHD_Result on_request(void *context, struct MHD_Connection *connection, const char *url,
                                  const char *method, const char *version, const char *data,
                                  size_t *length, void **slot)
{
    exchange *x = *slot;
    (void)context;
    (void)url;
    (void)version;
    if (!x)
        return MHD_NO; /* no memory */
    if (!x->began) {
        const union MHD_ConnectionInfo *info =
            MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
        x->began = true;
        x->line = info ? info->socket_context : NULL;
        set_line(x, 0, ply_clock_nanos());
        return MHD_YES;
    }
    if (*length > 0) {
        keep_body(x, data, *length);
        *length = 0;
        return MHD_YES;
    }
    if (x->answered_by_job) {
        response answer = {0};
        job_answer(x->job, &answer);
        return send_whole(x->server, connection, &answer);
    }
    if (x->holds)
        return send_whole(x->server, connection, &x->held);
    set_line(x, 0, 0);
    return answer_request(x, method);
}

static void on_completed(void *context, struct MHD_Connection *connection, void **slot,
                         enum MHD_RequestTerminationCode code)
{
    exchange *x = *slot;
    (void)context;
    (void)connection;
    (void)code;
    if (!x)
        return;
    set_line(x, ply_clock_nanos(), 0);
    end_exchange(x);
    *slot = NULL;
}

static void on_connection(void *context, struct MHD_Connection *connection, void **slot,
                          enum MHD_ConnectionNotificationCode code)
{
    server *s = context;
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        const union MHD_ConnectionInfo *info =
            MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
        line *new = calloc(1, sizeof *new);
        if (!new || !info) {
            free(new);
            return;
        }
        new->socket = info->connect_fd;
        new->quiet_since = ply_clock_nanos();
        pthread_mutex_lock(&s->lock);
        new->next = s->lines;
        if (new->next)
            new->next->before = new;
        s->lines = new;
        pthread_mutex_unlock(&s->lock);
        __atomic_fetch_add(&s->app.connections, 1, __ATOMIC_RELAXED);
        *slot = new;
        return;
    }
    line *old = *slot;
    if (!old)
        return;
    pthread_mutex_lock(&s->lock);
    *(old->before ? &old->before->next : &s->lines) = old->next;
    if (old->next)
        old->next->before = old->before;
    pthread_mutex_unlock(&s->lock);
    __atomic_fetch_sub(&s->app.connections, 1, __ATOMIC_RELAXED);
    free(old);
}

/* --- starting and stopping -------------------------------------------------------------------- */
static void set_guard(server *s, const server_options *options)
{
    guard *g = &s->app.guard;
    g->token = s->token;
    g->port = s->port;
    if (s->token)
        snprintf(g->host, sizeof g->host, "%s", options->host);
    if (s->token && gethostname(g->machine, sizeof g->machine - 1) != 0)
        g->machine[0] = '\0';
    if (s->token)
        snprintf(s->cookie, sizeof s->cookie, "plyverse=%.100s; HttpOnly; SameSite=Strict; Path=/",
                 s->token);
}

static bool start_daemon(server *s, const server_options *options, ply_error *error)
{
    int fd = place_listen(options->host, options->port, error);
    if (fd < 0 && errno == EADDRINUSE && options->port_may_differ)
        fd = place_listen(options->host, 0, error);
    if (fd < 0)
        return false;
    s->port = place_port(fd);
    set_guard(s, options);
    s->daemon = MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ITC, 0, NULL, NULL,
        on_request, s, MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_THREAD_POOL_SIZE,
        (unsigned)ANSWERERS, MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTION_LIMIT,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_SECONDS, MHD_OPTION_URI_LOG_CALLBACK,
        on_target, s, MHD_OPTION_NOTIFY_COMPLETED, on_completed, s, MHD_OPTION_NOTIFY_CONNECTION,
        on_connection, s, MHD_OPTION_END);
    if (!s->daemon) {
        close(fd);
        ply_error_set(error, PLY_IO, "the server cannot be started: %s", strerror(errno));
        return false;
    }
    return true;
}

static void stop_threads(server *s)
{
    pthread_mutex_lock(&s->lock);
    __atomic_store_n(&s->stopping, true, __ATOMIC_RELEASE);
    pthread_cond_signal(&s->anything_held);
    pthread_mutex_unlock(&s->lock);
    if (s->ticking)
        pthread_join(s->ticker, NULL);
    if (s->syncing)
        pthread_join(s->syncer, NULL);
    s->ticking = s->syncing = false;
}

server *server_start(const server_options *options, ply_error *error)
{
    server *s = calloc(1, sizeof *s);
    char path[4200], tables[4200];
    if (!s) {
        ply_error_set(error, PLY_NO_MEMORY, "out of memory");
        return NULL;
    }
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->anything_held, NULL);
    s->lock_file = -1;
    s->token = options->token ? strdup(options->token) : NULL;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    app_options inside = {.path = path,
                          .tables = tables,
                          .cores = options->threads ? options->threads
                                   : cores > 0      ? (unsigned)cores
                                                    : 1,
                          .analyses = options->analyses ? options->analyses : DEFAULT_ANALYSES,
                          .memory_mb = options->memory_mb ? options->memory_mb : DEFAULT_MEMORY_MB};
    bool good = place_make_folders(options->data_folder, error) &&
                (s->lock_file = place_lock(options->data_folder, error)) >= 0;
    bool opened = false;
    if (good) {
        snprintf(path, sizeof path, "%s/games.sqlite", options->data_folder);
        snprintf(tables, sizeof tables, "%s/tables", options->data_folder);
        good = opened = app_open(&s->app, &inside, error);
    }
    good = good && start_daemon(s, options, error);
    if (good) {
        place_tell(s->lock_file, options->host, s->port);
        s->ticking = pthread_create(&s->ticker, NULL, watch_connections, s) == 0;
        s->syncing = pthread_create(&s->syncer, NULL, watch_disk, s) == 0;
        if (s->ticking && s->syncing)
            return s;
        ply_error_set(error, PLY_NO_MEMORY, "no thread to be had");
    }
    stop_threads(s);
    if (s->daemon)
        MHD_stop_daemon(s->daemon);
    if (opened)
        app_close(&s->app);
    if (s->lock_file >= 0)
        close(s->lock_file);
    pthread_mutex_destroy(&s->lock);
    free(s->token);
    free(s);
    return NULL;
}

uint16_t server_port(const server *s)
{
    return s->port;
}

void server_stop(server *s)
{
    /* Nobody may be asleep when the daemon stops: jobs end and wake their connections, and so does
     * the syncer; what is written after that is synced when the library is closed. */
    thinkers_stop(&s->app.thinkers);
    stop_threads(s);
    watch_nudge(s);
    MHD_stop_daemon(s->daemon);
    app_close(&s->app);
    close(s->lock_file);
    pthread_cond_destroy(&s->anything_held);
    pthread_mutex_destroy(&s->lock);
    free(s->token);
    free(s);
}
