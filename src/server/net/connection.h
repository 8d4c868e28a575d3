/* SPDX-License-Identifier: MIT */
/*
 * connection.h - what http.c, which answers, and connection_watch.c, which looks after connections, share.
 *
 *     exchange   one request on a connection: what came in, what goes out, its job
 *     line       one connection: its socket, and since when it has been quiet
 */
#ifndef PLY_SERVER_NET_CONNECTION_H
#define PLY_SERVER_NET_CONNECTION_H

#include "server/api/app.h"
#include "server/server.h"
#include <microhttpd.h>

typedef struct line {
    struct line *next, *before;
    int socket;
    uint64_t quiet_since;     /* waits for a request since then; 0: one is under way */
    uint64_t receiving_since; /* waits for the rest of a body; 0: not */
} line;

typedef struct exchange {
    struct exchange *next, *before; /* among those that have a job */
    server *server;
    struct MHD_Connection *connection;
    line *line;
    char *target;
    request request;
    ply_text body;
    bool began, listed, answered_by_job;
    job *job;
    response held; /* waits for the disk */
    bool holds;
    struct exchange *next_held;
} exchange;

struct server {
    app app;
    struct MHD_Daemon *daemon;
    uint16_t port;
    char *token;
    char cookie[160];
    int lock_file;
    pthread_mutex_t lock; /* guards the lists */
    line *lines;
    exchange *exchanges;
    exchange *held; /* those whose answers wait for the disk */
    pthread_cond_t anything_held;
    pthread_t ticker, syncer;
    bool ticking, syncing;
    bool stopping; /* atomic */
};

/* Threads of their own until server->stopping (connection_watch.c); the argument is the server. */
void *watch_connections(void *context);
void *watch_disk(void *context);
/* Wakes every connection whose job has news. */
void watch_nudge(server *s);

#endif
