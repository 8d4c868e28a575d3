/* SPDX-License-Identifier: MIT */
/* listen.c - see listen.h. */
#include "server/net/listen.h"
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

int place_listen(const char *host, uint16_t port, ply_error *error)
{
    union {
        struct sockaddr any;
        struct sockaddr_in v4;
        struct sockaddr_in6 v6;
    } address = {0};
    socklen_t length;
    if (inet_pton(AF_INET, host, &address.v4.sin_addr) == 1) {
        address.v4.sin_family = AF_INET;
        address.v4.sin_port = htons(port);
        length = sizeof address.v4;
    } else if (inet_pton(AF_INET6, host, &address.v6.sin6_addr) == 1) {
        address.v6.sin6_family = AF_INET6;
        address.v6.sin6_port = htons(port);
        length = sizeof address.v6;
    } else {
        ply_error_set(error, PLY_BAD_TEXT, "'%s' is no numeric address", host);
        return -1;
    }
    int one = 1;
    int fd = socket(address.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd >= 0) {
        setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
        if (bind(fd, &address.any, length) == 0 && listen(fd, 512) == 0)
            return fd;
    }
    int reason = errno;
    if (fd >= 0)
        close(fd);
    ply_error_set(error, PLY_IO, "port %u of %s: %s", port, host, strerror(reason));
    errno = reason;
    return -1;
}

uint16_t place_port(int fd)
{
    struct sockaddr_in6 address = {0};
    socklen_t length = sizeof address;
    getsockname(fd, (struct sockaddr *)&address, &length);
    return ntohs(address.sin6_port); /* the same place in both kinds */
}

bool place_make_folders(const char *path, ply_error *error)
{
    char part[4096];
    size_t length = strlen(path);
    if (length == 0 || length >= sizeof part) {
        ply_error_set(error, PLY_IO, "%s: not a name of a folder", path);
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

int place_lock(const char *folder, ply_error *error)
{
    char path[4200], address[100] = "";
    snprintf(path, sizeof path, "%s/serve.lock", folder);
    int lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (lock < 0) {
        ply_error_set(error, PLY_IO, "%s: %s", path, strerror(errno));
        return -1;
    }
    if (flock(lock, LOCK_EX | LOCK_NB) == 0)
        return lock;
    ssize_t got = read(lock, address, sizeof address - 1);
    address[got > 0 ? strcspn(address, "\n") : 0] = '\0';
    ply_error_set(error, PLY_IO, "another server has the games of %s%s%s", folder,
                  address[0] ? ": " : "", address);
    close(lock);
    return -1;
}

void place_tell(int lock, const char *host, uint16_t port)
{
    char text[100];
    int length = snprintf(text, sizeof text,
                          strchr(host, ':') ? "http://[%s]:%u/\n" : "http://%s:%u/\n", host, port);
    if (ftruncate(lock, 0) != 0 || pwrite(lock, text, (size_t)length, 0) < 0)
        return; /* only a help for people */
}
