/* SPDX-License-Identifier: MIT */
/* listen.h - the listen address of a server. */
#ifndef PLY_SERVER_NET_LISTEN_H
#define PLY_SERVER_NET_LISTEN_H

#include <plyverse/plyverse.h>

/* Listens on a numeric IPv4 or IPv6 address; port 0 picks a free port. Returns the socket, or -1
 * with the reason in *error and in errno. */
int listen_open(const char *host, uint16_t port, ply_error *error);
/* The port of a listening socket. */
uint16_t listen_port(int socket);

#endif
