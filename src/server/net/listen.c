/* SPDX-License-Identifier: MIT */
/* listen.c - see listen.h. */
#include "server/net/listen.h"
#include <arpa/inet.h>
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BACKLOG = 512 }; /* connections that wait to be accepted */

int listen_open(const char *host, uint16_t port, ply_error *error)
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
        ply_error_set(error, PLY_BAD_TEXT, "'%s' is not a numeric address", host);
        return -1;
    }
    int one = 1;
    int fd = socket(address.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd >= 0) {
        setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
        if (bind(fd, &address.any, length) == 0 && listen(fd, BACKLOG) == 0)
            return fd;
    }
    int reason = errno;
    if (fd >= 0)
        close(fd);
    ply_error_set(error, PLY_IO, "cannot listen on port %u of %s: %s", port, host,
                  strerror(reason));
    errno = reason;
    return -1;
}

uint16_t listen_port(int fd)
{
    struct sockaddr_in6 address = {0};
    socklen_t length = sizeof address;
    getsockname(fd, (struct sockaddr *)&address, &length);
    return ntohs(address.sin6_port); /* at the same offset in IPv4 and IPv6 */
}
