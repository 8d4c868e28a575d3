/* SPDX-License-Identifier: MIT */
/*
 * server.h - an HTTP server with the web app, a JSON API and the user's library of games.
 *
 *     net/        sockets and threads (libmicrohttpd); nothing else knows of them
 *       |
 *     api/        app.c     routing: which handler answers a request
 *       |         guard.c   which requests are allowed: Host, Origin, token
 *       |         *.c       handlers, one file per group of endpoints
 *       |         *view.c   positions, games and results of jobs as JSON
 *     jobs/       searches and analyses in the background
 *       |
 *     library/    library.c     saved games in memory
 *                 store.c       saved games on disk (SQLite)
 *                 tablebases.c  endgame tablebases
 *
 * A folder includes only headers of its own and of those below it. docs/openapi.json describes the
 * API, docs/server.md everything else. Traffic is plain HTTP/1.1: the server is meant for the
 * machine it runs on, or for a network that its owner trusts.
 */
#ifndef PLY_SERVER_SERVER_H
#define PLY_SERVER_SERVER_H

#include <plyverse/plyverse.h>

typedef struct server_options {
    const char *data_folder; /* created if it does not exist */
    const char *host;        /* the numeric address to listen on */
    uint16_t port;           /* 0: any free port */
    bool port_may_differ;    /* if the port is taken, use any free one */
    const char *token;       /* every request must carry it; NULL: none */
    unsigned analyses;       /* how many may run at once; 0: 16 */
    unsigned threads;        /* cores to share among the jobs; 0: all */
    size_t memory_mb;        /* per job; 0: 16 */
} server_options;

typedef struct server server;

/* Starts a server and returns at once. NULL, with the reason in *error, when it cannot listen or
 * open the games. */
server *server_start(const server_options *options, ply_error *error);
uint16_t server_port(const server *s);
/* Cancels all jobs, finishes the requests being handled, syncs the library and frees the server. */
void server_stop(server *s);

#endif
