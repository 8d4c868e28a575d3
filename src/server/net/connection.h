/* SPDX-License-Identifier: MIT */
/*
 * connection.h - what the files of net/ share.
 *
 *     connection         one TCP connection: its socket, and since when it has been idle
 *     http_transaction   one request on a connection: what came in, its job, what goes out
 *
 *     server.c             starts and stops everything
 *     http.c               the callbacks of libmicrohttpd (MHD)
 *     connection_watch.c   two threads: one watches connections, the other syncs the store
 *
 * Workload: up to a thousand connections, most of them idle.
 */
#ifndef PLY_SERVER_NET_CONNECTION_H
#define PLY_SERVER_NET_CONNECTION_H

#include "server/api/app.h"
#include "server/net/server.h"
#include <microhttpd.h>

/* An IPv4 or IPv6 address without the port, to tell clients apart. */
typedef struct client_address {
    uint8_t family;
    uint8_t bytes[16];
} client_address;

typedef struct connection {
    struct connection *next, *previous;
    int socket;
    client_address address;
    bool has_asked;      /* a whole request has arrived */
    bool is_closing;     /* was shut down; libmicrohttpd is about to notice */
    uint64_t idle_since; /* when the wait for a request began; 0: one is being handled */
    uint64_t body_since; /* when the wait for the body began; 0: not waiting */
} connection;

typedef struct http_transaction {
    struct http_transaction *next, *previous; /* in the list of those that have a job */
    server *server;
    struct MHD_Connection *mhd;
    connection *connection; /* NULL when memory ran out */
    char *target;
    request request;
    ply_text body;
    bool has_begun;
    bool is_listed;
    job *job;
    bool awaits_reply;                      /* the job will provide the response */
    response held;                          /* to be sent when MHD resumes the connection */
    bool is_held;                           /* held is set */
    struct http_transaction *next_unsynced; /* among those that wait for the store */
} http_transaction;

struct server {
    app app;
    struct MHD_Daemon *daemon;
    uint16_t port;
    char *token;
    char cookie[160];
    int lock_file;
    pthread_t watch_thread, sync_thread;
    bool is_watching, is_syncing; /* these threads are running */
    atomic_bool stopping;

    pthread_mutex_t lock; /* guards what follows; taken before a job's lock */
    connection *connections;
    http_transaction *transactions; /* those that have a job */
    http_transaction *unsynced;     /* those whose response must wait for store_sync */
    pthread_cond_t has_unsynced;
};

/* Shuts a connection down; libmicrohttpd then frees it. The server is locked. */
void connection_close(connection *c);

/* Starts libmicrohttpd on a listening socket, which it takes over. False, with the reason in
 * *error, on failure. */
bool http_start(server *s, int socket, ply_error *error);

/* Threads that run until server->stopping; the argument is the server. The first wakes connections
 * whose job has output, and drops dead and slow ones. The second syncs the store. */
void *connection_watch_thread(void *context);
void *connection_sync_thread(void *context);
/* Wakes every connection whose job has output. */
void connection_wake_all(server *s);

#endif
