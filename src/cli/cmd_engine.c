/* SPDX-License-Identifier: MIT */
/*
 * cmd_engine.c - plyverse engine: a session of a protocol on stdin and stdout, or on a TCP socket.
 *
 * The library knows the protocols; here is only the carrying of lines. A line longer than a
 * mebibyte is no line of any protocol: its rest is thrown away.
 */
#include "cli/cli.h"
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { LINE_LIMIT = 1 << 20, DXP_PORT = 27531 };

typedef struct carrier {
    int in, out;
    char end; /* of a line: '\n', or NUL for messages */
    bool broken;
} carrier;

/* What the session says. */
static void carry_out(void *context, const char *line, size_t length)
{
    carrier *c = context;
    char *whole = malloc(length + 1);
    if (!whole || c->broken) {
        free(whole);
        return;
    }
    memcpy(whole, line, length);
    whole[length] = c->end;
    for (size_t done = 0; done <= length && !c->broken;) {
        ssize_t put = write(c->out, whole + done, length + 1 - done);
        if (put > 0)
            done += (size_t)put;
        else if (put < 0 && errno != EINTR)
            c->broken = true; /* nobody listens any more; the end of the input will follow */
    }
    free(whole);
}

/* Hands the session one line after the other, until it or the other side has had enough. */
static void carry_in(carrier *c, ply_session *session)
{
    char buffer[1 << 14];
    ply_text line = ply_text_growing();
    bool resume = true;
    while (resume) {
        ssize_t got = read(c->in, buffer, sizeof buffer);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        for (size_t at = 0; at < (size_t)got && resume;) {
            const char *start = buffer + at;
            const char *end = memchr(start, c->end, (size_t)got - at);
            size_t length = end ? (size_t)(end - start) : (size_t)got - at;
            if (line.length < LINE_LIMIT)
                ply_text_bytes(&line, start, length);
            at += length + 1;
            if (end) {
                resume = ply_session_line(session, ply_text_cstr(&line), line.length);
                ply_text_clear(&line);
            }
        }
    }
    if (resume && line.length > 0) /* the last line may lack its end */
        ply_session_line(session, ply_text_cstr(&line), line.length);
    ply_text_free(&line);
}

static int serve(const cli_args *args, const ply_session_options *options, carrier *c)
{
    ply_session_options own = *options;
    ply_error error = {0};
    own.writer = carry_out;
    own.context = c;
    ply_session *session = ply_session_new(&own, &error);
    if (!session)
        return cli_fail_error(args, args->operands[0], &error);
    carry_in(c, session);
    ply_session_finish(session);
    ply_session_free(session);
    return CLI_OK;
}

/* --- TCP ------------------------------------------------------------------------------------- */
static int serve_socket(const cli_args *args, const ply_session_options *options, int fd)
{
    int yes = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    carrier c = {.in = fd, .out = fd, .end = '\0'};
    int result = serve(args, options, &c);
    close(fd);
    return result;
}

static int run_socket(const cli_args *args, ply_session_options *options)
{
    uint64_t port;
    const char *host = cli_value(args, "--host") ? cli_value(args, "--host") : "127.0.0.1";
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t length = sizeof address;
    if (!cli_number(args, "--port", 0, 65535, DXP_PORT, &port))
        return CLI_BAD;
    if (inet_pton(AF_INET, host, &address.sin_addr) != 1)
        return cli_fail(args, "--host: '%s' is not an address such as 127.0.0.1", host);
    address.sin_port = htons((uint16_t)port);
    int fd = socket(AF_INET, SOCK_STREAM, 0), yes = 1;
    if (fd < 0)
        return cli_fail(args, "socket: %s", strerror(errno));
    int result = CLI_OK;
    if (cli_has(args, "--connect")) {
        options->opens = true;
        if (connect(fd, (struct sockaddr *)&address, sizeof address) == 0)
            return serve_socket(args, options, fd);
        result = cli_fail(args, "%s port %u: %s", host, (unsigned)port, strerror(errno));
        close(fd);
        return result;
    }
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(fd, (struct sockaddr *)&address, sizeof address) != 0 || listen(fd, 1) != 0 ||
        getsockname(fd, (struct sockaddr *)&address, &length) != 0) {
        result = cli_fail(args, "%s port %u: %s", host, (unsigned)port, strerror(errno));
        close(fd);
        return result;
    }
    if (!cli_has(args, "--quiet"))
        fprintf(stderr, "waiting on %s port %u\n", host, (unsigned)ntohs(address.sin_port));
    do {
        int player = accept(fd, NULL, NULL);
        if (player >= 0)
            result = serve_socket(args, options, player);
        else if (errno != EINTR && errno != ECONNABORTED)
            result = cli_fail(args, "accept: %s", strerror(errno));
    } while (result == CLI_OK && !cli_has(args, "--once"));
    close(fd);
    return result;
}

int cli_engine(const cli_args *args)
{
    const ply_protocol *protocol = ply_protocol_find(args->operands[0]);
    ply_session_options options = {.protocol = args->operands[0],
                                   .game = cli_value(args, "--game"),
                                   .variant = cli_value(args, "--variant")};
    uint64_t hash, seed;
    const char *kind = cli_value(args, "--engine");
    if (!protocol) {
        ply_text known = ply_text_growing();
        for (size_t i = 0; (protocol = ply_protocol_at(i)) != NULL; i++)
            ply_text_format(&known, "%s%s", i ? ", " : "", protocol->id);
        int result = cli_fail(args, "no protocol '%s'; there are %s", args->operands[0],
                              ply_text_cstr(&known));
        ply_text_free(&known);
        return result;
    }
    if (!cli_threads(args, &options.search.threads) ||
        !cli_number(args, "--hash", 1, 1 << 20, 64, &hash) ||
        !cli_number(args, "--seed", 0, UINT64_MAX, 1, &seed))
        return CLI_BAD;
    options.search.memory_mb = (size_t)hash;
    options.search.seed = seed;
    if (kind && !ply_search_kind_find(kind, &options.search.kind))
        return cli_fail(args, "--engine: alphabeta, mcts or playouts, not '%s'", kind);
    if (!protocol->is_stream &&
        (cli_has(args, "--port") || cli_has(args, "--connect") || cli_has(args, "--once")))
        return cli_fail(args, "--port, --connect and --once are for dxp");
    /* A client that goes away must not take us with it before we have tidied up. */
    signal(SIGPIPE, SIG_IGN);
    ply_text tables = ply_text_growing();
    if (!cli_tables_find(args, NULL, &tables)) {
        ply_text_free(&tables);
        return CLI_BAD;
    }
    options.search.tablebase_dir = tables.length ? ply_text_cstr(&tables) : NULL;
    carrier c = {.in = STDIN_FILENO, .out = STDOUT_FILENO, .end = '\n'};
    int result = protocol->is_stream ? run_socket(args, &options) : serve(args, &options, &c);
    ply_text_free(&tables);
    return result;
}
