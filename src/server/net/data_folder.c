/* SPDX-License-Identifier: MIT */
/* data_folder.c - see data_folder.h. */
#include "server/net/data_folder.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ADDRESS_BYTES = 100 };

bool data_folder_create(const char *path, ply_error *error)
{
    char part[4096];
    size_t length = strlen(path);
    if (length == 0 || length >= sizeof part) {
        ply_error_set(error, PLY_IO, "%s: not a valid folder name", path);
        return false;
    }
    for (size_t i = 1; i <= length; i++) {
        if (path[i] != '/' && path[i] != '\0')
            continue;
        memcpy(part, path, i);
        part[i] = '\0';
        if (mkdir(part, 0700) != 0 && errno != EEXIST) {
            ply_error_set(error, PLY_IO, "%s: %s", part, strerror(errno));
            return false;
        }
    }
    return true;
}

int data_folder_lock(const char *path, ply_error *error)
{
    char name[4200], address[ADDRESS_BYTES] = "";
    snprintf(name, sizeof name, "%s/serve.lock", path);
    int lock = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (lock < 0) {
        ply_error_set(error, PLY_IO, "%s: %s", name, strerror(errno));
        return -1;
    }
    if (flock(lock, LOCK_EX | LOCK_NB) == 0)
        return lock;
    ssize_t got = read(lock, address, sizeof address - 1);
    address[got > 0 ? strcspn(address, "\n") : 0] = '\0';
    ply_error_set(error, PLY_IO, "another server is using %s%s%s", path, address[0] ? ": " : "",
                  address);
    close(lock);
    return -1;
}

void data_folder_write_address(int lock_file, const char *host, uint16_t port)
{
    char text[ADDRESS_BYTES];
    int length = snprintf(text, sizeof text,
                          strchr(host, ':') ? "http://[%s]:%u/\n" : "http://%s:%u/\n", host, port);
    if (ftruncate(lock_file, 0) != 0 || pwrite(lock_file, text, (size_t)length, 0) < 0)
        return; /* nothing depends on it */
}
