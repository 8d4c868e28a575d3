/* SPDX-License-Identifier: MIT */
/*
 * cmd_engine.c - plyverse engine: a session on stdin and stdout, or on a TCP socket.
 *
 * The library implements the protocols; this file only moves lines. No protocol has lines of more
 * than a mebibyte: the rest of such a line is dropped.
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

enum { LINE_LIMIT = 1 << 20, DXP_PORT = 27531, DEFAULT_MEMORY_MB = 64 };

typedef struct connection {
    int in, out;
    char line_end; /* '\n', or NUL for DXP messages */
    bool broken;   /* the client no longer reads */
} connection;

/* The writer of the session. */
static void send_line(void *context, const char *line, size_t length)
{
    connection *c = context;
    char *whole = malloc(length + 1);
    if (!whole || c->broken) {
        free(whole);
        return;
    }
    memcpy(whole, line, length);
    whole[length] = c->line_end;
    for (size_t done = 0; done <= length && !c->broken;) {
        ssize_t put = write(c->out, whole + done, length + 1 - done);
        if (put > 0)
            done += (size_t)put;
        else if (put < 0 && errno != EINTR)
            c->broken = true; /* the end of the input will follow */
    }
    free(whole);
}

/* Passes lines to the session until it ends or the input does. */
static void read_lines(const connection *c, ply_session *session)
{
    char buffer[1 << 14];
    ply_text line = ply_text_growing();
    bool open = true;
    while (open) {
        ssize_t got = read(c->in, buffer, sizeof buffer);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        for (size_t at = 0; at < (size_t)got && open;) {
            const char *start = buffer + at;
            const char *end = memchr(start, c->line_end, (size_t)got - at);
            size_t length = end ? (size_t)(end - start) : (size_t)got - at;
            if (line.length < LINE_LIMIT)
                ply_text_bytes(&line, start, length);
            at += length + 1;
            if (end) {
                open = ply_session_line(session, ply_text_cstr(&line), line.length);
                ply_text_clear(&line);
            }
        }
    }
    if (open && line.length > 0) /* the last line may lack its end */
        ply_session_line(session, ply_text_cstr(&line), line.length);
    ply_text_free(&line);
}

static int run_session(const cli_args *args, const ply_session_options *options, connection *c)
{
    ply_session_options with_writer = *options;
    ply_error error = {0};
    with_writer.writer = send_line;
    with_writer.context = c;
    ply_session *session = ply_session_new(&with_writer, &error);
    if (!session)
        return cli_fail_error(args, args->operands[0], &error);
    read_lines(c, session);
    ply_session_finish(session);
    ply_session_free(session);
    return CLI_OK;
}

/* --- TCP ------------------------------------------------------------------------------------- */
static int run_on_socket(const cli_args *args, const ply_session_options *options, int fd)
{
    int yes = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    connection c = {.in = fd, .out = fd, .line_end = '\0'};
    int result = run_session(args, options, &c);
    close(fd);
    return result;
}

/* Accepts one opponent after another. */
static int accept_clients(const cli_args *args, const ply_session_options *options, int fd)
{
    int result = CLI_OK;
    do {
        int client = accept(fd, NULL, NULL);
        if (client >= 0)
            result = run_on_socket(args, options, client);
        else if (errno != EINTR && errno != ECONNABORTED)
            result = cli_fail(args, "accept: %s", strerror(errno));
    } while (result == CLI_OK && !cli_has(args, "--once"));
    return result;
}

static int run_tcp(const cli_args *args, ply_session_options *options)
{
    uint64_t port;
    const char *host = cli_value(args, "--host") ? cli_value(args, "--host") : "127.0.0.1";
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t length = sizeof address;
    if (!cli_number(args, "--port", 0, 65535, DXP_PORT, &port))
        return CLI_BAD;
    if (inet_pton(AF_INET, host, &address.sin_addr) != 1)
        return cli_fail(args, "--host: '%s' is not an IPv4 address such as 127.0.0.1", host);
    address.sin_port = htons((uint16_t)port);
    int fd = socket(AF_INET, SOCK_STREAM, 0), yes = 1;
    if (fd < 0)
        return cli_fail(args, "socket: %s", strerror(errno));
    int result = CLI_OK;
    if (cli_has(args, "--connect")) {
        options->connects = true;
        if (connect(fd, (struct sockaddr *)&address, sizeof address) == 0)
            return run_on_socket(args, options, fd);
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
    result = accept_clients(args, options, fd);
    close(fd);
    return result;
}

int cli_engine(const cli_args *args)
{
    const ply_protocol *protocol = ply_protocol_find(args->operands[0]);
    ply_search_options search = {0};
    ply_session_options options = {.protocol = args->operands[0],
                                   .game = cli_value(args, "--game"),
                                   .variant = cli_value(args, "--variant"),
                                   .search = &search};
    uint64_t hash, seed;
    const char *kind = cli_value(args, "--engine");
    if (!protocol) {
        ply_text known = ply_text_growing();
        for (size_t i = 0; (protocol = ply_protocol_at(i)) != NULL; i++)
            ply_text_format(&known, "%s%s", i ? ", " : "", protocol->id);
        int result = cli_fail(args, "no protocol '%s'; choose from %s", args->operands[0],
                              ply_text_cstr(&known));
        ply_text_free(&known);
        return result;
    }
    if (!cli_threads(args, &search.threads) ||
        !cli_number(args, "--hash", 1, 1 << 20, DEFAULT_MEMORY_MB, &hash) ||
        !cli_number(args, "--seed", 0, UINT64_MAX, 1, &seed))
        return CLI_BAD;
    search.memory_mb = (size_t)hash;
    search.seed = seed;
    if (kind && !ply_search_kind_find(kind, &search.kind))
        return cli_fail(args, "--engine: '%s' is none of alphabeta, mcts, playouts", kind);
    ply_error error;
    search.parameters = cli_value(args, "--parameters");
    if (ply_search_parameters_check(search.parameters, &error) != PLY_OK)
        return cli_fail_error(args, "--parameters", &error);
    if (!protocol->is_stream &&
        (cli_has(args, "--port") || cli_has(args, "--connect") || cli_has(args, "--once")))
        return cli_fail(args, "--port, --connect and --once are for dxp only");
    /* A client that disconnects must not kill us before we have cleaned up. */
    signal(SIGPIPE, SIG_IGN);
    ply_text tables = ply_text_growing();
    if (!cli_tables_find(args, NULL, &tables)) {
        ply_text_free(&tables);
        return CLI_BAD;
    }
    search.network = cli_value(args, "--net");
    cli_book_find(args, NULL, &search.book);
    search.tablebase_dir = tables.length ? ply_text_cstr(&tables) : NULL;
    connection c = {.in = STDIN_FILENO, .out = STDOUT_FILENO, .line_end = '\n'};
    int result = protocol->is_stream ? run_tcp(args, &options) : run_session(args, &options, &c);
    ply_text_free(&tables);
    return result;
}
