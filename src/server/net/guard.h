/* SPDX-License-Identifier: MIT */
/*
 * guard.h - who may ask.
 *
 * A web page of somebody else can make the browser send requests here. Three checks keep it out:
 * the Host must be a name of ours (a name that an attacker's DNS points here is not), the Origin of
 * a request must be the very host it goes to, and with a token the request must carry it, in a
 * header, in a cookie or as a parameter.
 */
#ifndef PLY_SERVER_NET_GUARD_H
#define PLY_SERVER_NET_GUARD_H

#include "server/api/request.h"

typedef struct guard {
    const char *token; /* NULL: none is needed */
    char host[256];    /* name or address given with --host; "" for loopback only */
    char machine[256]; /* the machine's own name; "" when not known */
    uint16_t port;
} guard;

/* False, with the refusal in *answer, when the request may not be answered. After request_read. */
bool guard_admits(const guard *g, const request *r, response *answer);

#endif
