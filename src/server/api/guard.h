/* SPDX-License-Identifier: MIT */
/*
 * guard.h - decides which requests are allowed.
 *
 * Any web site can make the user's browser send requests to this server. Three checks keep them
 * out. The Host must be one of our own names, so a foreign domain whose DNS points here (DNS
 * rebinding) is refused. The Origin must be the host that the request is sent to. If there is a
 * token, the request must carry it in a header, in a cookie or as a parameter.
 */
#ifndef PLY_SERVER_API_GUARD_H
#define PLY_SERVER_API_GUARD_H

#include "server/api/request.h"

typedef struct guard {
    const char *token; /* NULL: none is required */
    char host[256];    /* the address given with --host; "" for loopback only */
    char machine[256]; /* the name of the machine; "" when unknown */
    uint16_t port;
} guard;

/* False, with a 401 or 403 in *answer, when the request is refused. Call request_parse first. */
bool guard_admits(const guard *g, const request *r, response *answer);

#endif
