/* SPDX-License-Identifier: MIT */
/* listen.h - where a server is: its socket, its folder, and the lock that keeps others out of it. */
#ifndef PLY_SERVER_NET_LISTEN_H
#define PLY_SERVER_NET_LISTEN_H

#include <plyverse/plyverse.h>

/* A socket that listens on a numeric address, or -1 with the reason, also in errno. port 0: any. */
int place_listen(const char *host, uint16_t port, ply_error *error);
uint16_t place_port(int socket);
/* Makes the folders of a path, as mkdir -p does, for the user alone. */
bool place_make_folders(const char *path, ply_error *error);
/* Only one server has the games of a folder: the open file that it holds locked, or -1 with the
 * reason, which names the address of the one that has them. */
int place_lock(const char *folder, ply_error *error);
/* Writes the address into the lock, for whoever comes second. */
void place_tell(int lock, const char *host, uint16_t port);

#endif
