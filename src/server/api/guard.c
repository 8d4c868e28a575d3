/* SPDX-License-Identifier: MIT */
/* guard.c - see guard.h. */
#include "server/api/guard.h"
#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Splits a Host header into a name, without brackets, and a port, 80 if none is given. */
static bool split_host(const char *host, char *name, size_t room, unsigned *port, bool *is_v6)
{
    size_t length;
    const char *rest;
    *port = 80;
    *is_v6 = host[0] == '[';
    if (*is_v6) {
        const char *end = strchr(host, ']');
        if (!end)
            return false;
        host++;
        length = (size_t)(end - host);
        rest = end + 1;
    } else {
        length = strcspn(host, ":");
        rest = host + length;
    }
    if (length == 0 || length >= room)
        return false;
    memcpy(name, host, length);
    name[length] = '\0';
    if (rest[0] == '\0')
        return true;
    uint64_t number;
    if (rest[0] != ':' || !request_parse_decimal(rest + 1, 65535, &number))
        return false;
    *port = (unsigned)number;
    return true;
}

static bool is_address(const char *name, bool is_v6)
{
    struct in6_addr address;
    return inet_pton(is_v6 ? AF_INET6 : AF_INET, name, &address) == 1;
}

static bool host_is_ours(const guard *g, const char *host)
{
    char name[256];
    unsigned port;
    bool is_v6;
    if (!host || !split_host(host, name, sizeof name, &port, &is_v6) || port != g->port)
        return false;
    if (strcasecmp(name, "localhost") == 0 || (!is_v6 && strcmp(name, "127.0.0.1") == 0) ||
        (is_v6 && strcmp(name, "::1") == 0))
        return true;
    /* With --host there is a token as well. An address in the Host header is safe: DNS rebinding
     * needs a name. */
    return g->host[0] && (is_address(name, is_v6) || strcasecmp(name, g->host) == 0 ||
                          (g->machine[0] && strcasecmp(name, g->machine) == 0));
}

static bool origin_is_ours(const char *origin, const char *host)
{
    return strncmp(origin, "http://", 7) == 0 && strcasecmp(origin + 7, host) == 0;
}

/* Compares in constant time, so that the time taken tells nothing about the token. */
static bool same_token(const char *token, const char *given, size_t length)
{
    size_t wanted = strlen(token);
    unsigned char differs = wanted != length;
    for (size_t i = 0; i < wanted; i++)
        differs |= (unsigned char)(token[i] ^ (i < length ? given[i] : 0));
    return !differs;
}

static bool cookie_has_token(const char *cookie, const char *token)
{
    static const char name[] = "plyverse=";
    while (*cookie) {
        cookie += strspn(cookie, " ;");
        size_t length = strcspn(cookie, ";");
        if (strncmp(cookie, name, sizeof name - 1) == 0 &&
            same_token(token, cookie + sizeof name - 1, length - (sizeof name - 1)))
            return true;
        cookie += length;
    }
    return false;
}

static bool has_token(const guard *g, const request *r)
{
    const char *given = request_parameter_value(r, "token");
    static const char scheme[] = "Bearer ";
    if (given && same_token(g->token, given, strlen(given)))
        return true;
    if (r->authorization && strncmp(r->authorization, scheme, sizeof scheme - 1) == 0 &&
        same_token(g->token, r->authorization + sizeof scheme - 1,
                   strlen(r->authorization) - (sizeof scheme - 1)))
        return true;
    return r->cookie && cookie_has_token(r->cookie, g->token);
}

bool guard_admits(const guard *g, const request *r, response *answer)
{
    bool is_api = r->segment_count > 0 && strcmp(r->segments[0], "api") == 0;
    if (!host_is_ours(g, r->host))
        return response_fail(answer, 403, "bad-host", NULL,
                             "unknown host name; use the address that the server printed");
    if (r->origin && !origin_is_ours(r->origin, r->host))
        return response_fail(answer, 403, "bad-origin", NULL,
                             "requests from other sites are refused");
    /* Another site may link to the web app, but to nothing else. */
    bool foreign = r->fetch_site && strcmp(r->fetch_site, "same-origin") != 0 &&
                   strcmp(r->fetch_site, "none") != 0;
    if (foreign && (is_api || strcmp(r->method, "GET") != 0))
        return response_fail(answer, 403, "bad-origin", NULL,
                             "requests from other sites are refused");
    if (g->token && !has_token(g, r))
        return response_fail(answer, 401, "no-token", NULL,
                             "a token is required: use the address that the server printed");
    return true;
}
