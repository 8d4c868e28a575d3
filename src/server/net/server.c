/* SPDX-License-Identifier: MIT */
/* server.c - starting and stopping; see server.h. */
#include "server/net/server.h"
#include "server/net/connection.h"
#include "server/net/data_folder.h"
#include "server/net/listen.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DEFAULT_ANALYSES = 16, DEFAULT_MEMORY_MB = 16, PATH_BYTES = 4200 };

static void set_guard(server *s, const server_options *options)
{
    guard *g = &s->app.guard;
    g->token = s->token;
    g->port = s->port;
    if (!s->token)
        return;
    snprintf(g->host, sizeof g->host, "%s", options->host);
    if (gethostname(g->machine, sizeof g->machine - 1) != 0)
        g->machine[0] = '\0';
    snprintf(s->cookie, sizeof s->cookie, "plyverse=%.100s; HttpOnly; SameSite=Strict; Path=/",
             s->token);
}

static bool open_app(server *s, const server_options *options, ply_error *error)
{
    char path[PATH_BYTES], tables[PATH_BYTES];
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    if (options->threads)
        cores = (long)options->threads;
    app_options inside = {.path = path,
                          .tablebases = tables,
                          .cores = cores > 0 ? (unsigned)cores : 1,
                          .analyses = options->analyses ? options->analyses : DEFAULT_ANALYSES,
                          .memory_mb = options->memory_mb ? options->memory_mb : DEFAULT_MEMORY_MB};
    snprintf(path, sizeof path, "%s/games.sqlite", options->data_folder);
    snprintf(tables, sizeof tables, "%s/tables", options->data_folder);
    return app_open(&s->app, &inside, error);
}

static bool start_http(server *s, const server_options *options, ply_error *error)
{
    int socket = listen_open(options->host, options->port, error);
    if (socket < 0 && errno == EADDRINUSE && options->port_may_differ)
        socket = listen_open(options->host, 0, error);
    if (socket < 0)
        return false;
    s->port = listen_port(socket);
    set_guard(s, options);
    return http_start(s, socket, error);
}

static bool start_threads(server *s, ply_error *error)
{
    s->is_watching = pthread_create(&s->watch_thread, NULL, connection_watch_thread, s) == 0;
    s->is_syncing = pthread_create(&s->sync_thread, NULL, connection_sync_thread, s) == 0;
    if (!s->is_watching || !s->is_syncing)
        ply_error_set(error, PLY_NO_MEMORY, "cannot start a thread");
    return s->is_watching && s->is_syncing;
}

static void stop_threads(server *s)
{
    pthread_mutex_lock(&s->lock);
    atomic_store_explicit(&s->stopping, true, memory_order_release);
    pthread_cond_signal(&s->has_unsynced);
    pthread_mutex_unlock(&s->lock);
    if (s->is_watching)
        sem_post(&s->app.jobs.output_ready); /* so that it need not wait for its next tick */
    if (s->is_watching)
        pthread_join(s->watch_thread, NULL);
    if (s->is_syncing)
        pthread_join(s->sync_thread, NULL);
    s->is_watching = s->is_syncing = false;
}

static void free_server(server *s)
{
    if (s->lock_file >= 0)
        close(s->lock_file);
    pthread_cond_destroy(&s->has_unsynced);
    pthread_mutex_destroy(&s->lock);
    free(s->token);
    free(s);
}

server *server_start(const server_options *options, ply_error *error)
{
    server *s = calloc(1, sizeof *s);
    char *token = options->token ? strdup(options->token) : NULL;
    if (!s || (options->token && !token)) {
        free(s);
        free(token);
        ply_error_set(error, PLY_NO_MEMORY, "out of memory");
        return NULL;
    }
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->has_unsynced, NULL);
    s->token = token;
    s->lock_file = -1;
    bool good = data_folder_create(options->data_folder, error) &&
                (s->lock_file = data_folder_lock(options->data_folder, error)) >= 0;
    bool opened = good && open_app(s, options, error);
    if (opened && start_http(s, options, error)) {
        data_folder_write_address(s->lock_file, options->host, s->port);
        if (start_threads(s, error))
            return s;
    }
    stop_threads(s);
    if (s->daemon)
        MHD_stop_daemon(s->daemon);
    if (opened)
        app_close(&s->app);
    free_server(s);
    return NULL;
}

uint16_t server_port(const server *s)
{
    return s->port;
}

void server_stop(server *s)
{
    /* No connection may be suspended when the daemon stops. Stopping the jobs and the sync thread
     * resumes those that wait for them; the rest are woken here. Closing the library syncs what is
     * written after that. */
    job_pool_stop(&s->app.jobs);
    stop_threads(s);
    connection_wake_all(s);
    MHD_stop_daemon(s->daemon);
    app_close(&s->app);
    free_server(s);
}
