/* SPDX-License-Identifier: MIT */
/*
 * addresses.c - the addresses at which other devices reach the web app, with the token. A client
 * that may ask has the token already. A server for this machine alone has no such address.
 */
#include "core/text/json_write.h"
#include "server/api/app.h"
#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <string.h>

static void write_address(const guard *g, const char *name, ply_text *out)
{
    char address[512];
    ply_text text = ply_text_fixed(address, sizeof address);
    ply_text_format(&text,
                    strchr(name, ':') ? "http://[%s]:%u/?token=%s" : "http://%s:%u/?token=%s", name,
                    g->port, g->token);
    ply_json_string(out, address);
}

/* The addresses of the machine's interfaces: those of IPv4, which every network has. */
static void write_interfaces(const guard *g, ply_text *out)
{
    struct ifaddrs *list = NULL;
    if (getifaddrs(&list) != 0)
        return;
    for (struct ifaddrs *i = list; i; i = i->ifa_next) {
        char name[INET_ADDRSTRLEN];
        if (!i->ifa_addr || i->ifa_addr->sa_family != AF_INET || !(i->ifa_flags & IFF_UP) ||
            (i->ifa_flags & IFF_LOOPBACK))
            continue;
        struct sockaddr_in address;
        memcpy(&address, i->ifa_addr, sizeof address);
        if (inet_ntop(AF_INET, &address.sin_addr, name, sizeof name))
            write_address(g, name, out);
    }
    freeifaddrs(list);
}

void api_addresses(app *a, const request *r, const int64_t *ids, response *answer)
{
    (void)ids;
    const guard *g = &a->guard;
    if (!request_check_parameters(r, NULL, answer))
        return;
    ply_text *out = response_json(answer, 200);
    ply_json_open(out, '{');
    ply_json_name(out, "addresses");
    ply_json_open(out, '[');
    if (g->token) {
        if (strcmp(g->host, "0.0.0.0") == 0 || strcmp(g->host, "::") == 0)
            write_interfaces(g, out);
        else
            write_address(g, g->host, out);
    }
    ply_json_close(out, ']');
    ply_json_close(out, '}');
}
