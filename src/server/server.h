/* SPDX-License-Identifier: MIT */
/*
 * server.h - the web board: an HTTP server with the page, a JSON API and the library of games.
 *
 *     http.c      sockets and threads (libmicrohttpd); everything below knows nothing of them
 *     connection_watch.c     readers that are gone or slow, and answers that wait for the disk
 *     guard.c     who may ask: Host, Origin, token
 *     app.c       which handler answers
 *     api_*.c     the handlers, one file for a group of endpoints
 *     view.c      a position as JSON
 *     library.c     games held in memory;   store.c  games on disk (SQLite)
 *     job.c     threads that think, bounded and at low priority
 *
 * docs/openapi.json describes the API, docs/server.md the rest. All traffic is HTTP/1.1 in clear:
 * the server is for the machine it runs on, or for a network its owner trusts.
 */
#ifndef PLY_SERVER_SERVER_H
#define PLY_SERVER_SERVER_H

#include <plyverse/plyverse.h>

typedef struct server_options {
    const char *data_folder; /* made if it is not there */
    const char *host;        /* numeric address to listen on */
    uint16_t port;           /* 0: any free one */
    bool port_may_differ;    /* any free one if that port is taken */
    const char *token;       /* every request must carry it; NULL: none */
    unsigned analyses;       /* most that run at once; 0: 16 */
    unsigned threads;        /* cores to share out; 0: as many as there are */
    size_t memory_mb;        /* of one analysis; 0: 16 */
} server_options;

typedef struct server server;

/* NULL, with the reason in *error, when it cannot listen or the games cannot be opened. */
server *server_start(const server_options *options, ply_error *error);
uint16_t server_port(const server *s);
/* Answers what is under way, stops all thinking, closes the library. */
void server_stop(server *s);

#endif
