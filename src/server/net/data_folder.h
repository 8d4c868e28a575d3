/* SPDX-License-Identifier: MIT */
/*
 * data_folder.h - the folder that holds the games, and the lock on it.
 *
 * Only one server may use a folder. It holds a lock on the file serve.lock, which also contains its
 * address, so that a second server can say where the first one is.
 */
#ifndef PLY_SERVER_NET_DATA_FOLDER_H
#define PLY_SERVER_NET_DATA_FOLDER_H

#include <plyverse/plyverse.h>

/* Creates the folder and its parents, as mkdir -p does, accessible to the user only. */
bool data_folder_create(const char *path, ply_error *error);
/* Locks the folder. Returns the descriptor of the lock file, which holds the lock until it is
 * closed; -1, with the reason and the other server's address in *error, on failure. */
int data_folder_lock(const char *path, ply_error *error);
/* Writes the server's address into the lock file. */
void data_folder_write_address(int lock_file, const char *host, uint16_t port);

#endif
