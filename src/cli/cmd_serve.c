/* SPDX-License-Identifier: MIT */
/* cmd_serve.c - plyverse serve: the web app. */
#include "cli/cli.h"
#include "core/text/json_write.h"
#include "server/net/server.h"
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>

enum {
    DEFAULT_PORT = 7590,
    DEFAULT_ANALYSES = 16,
    DEFAULT_MEMORY_MB = 16,
    OPEN_FILES = 4096, /* enough for a thousand connections */
    MEMORY_ARENAS = 256,
    MAPPED_BYTES = 1 << 20,
};

/* Finds the folder of the user's data, by the XDG rules. */
static bool find_folder(const cli_args *args, char *folder, size_t room)
{
    const char *given = cli_value(args, "--data"), *data = getenv("XDG_DATA_HOME"),
               *home = getenv("HOME");
    int length;
    if (given)
        length = snprintf(folder, room, "%s", given);
    else if (data && data[0] == '/')
        length = snprintf(folder, room, "%s/plyverse", data);
    else if (home && home[0] == '/')
        length = snprintf(folder, room, "%s/.local/share/plyverse", home);
    else {
        cli_fail(args, "neither XDG_DATA_HOME nor HOME is set; use --data FOLDER");
        return false;
    }
    if (length > 0 && (size_t)length < room)
        return true;
    cli_fail(args, "--data: the name is empty or too long");
    return false;
}

/* Makes a token of 128 random bits in hexadecimal. */
static bool make_token(char *token)
{
    unsigned char bytes[16];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return false;
    for (size_t i = 0; i < sizeof bytes; i++)
        sprintf(token + 2 * i, "%02x", bytes[i]);
    return true;
}

static void print_address(const cli_args *args, const char *host, uint16_t port, const char *token)
{
    char address[200];
    bool is_any = strcmp(host, "0.0.0.0") == 0 || strcmp(host, "::") == 0;
    const char *shown = is_any ? "127.0.0.1" : host;
    snprintf(address, sizeof address,
             strchr(shown, ':') ? "http://[%s]:%u/%s%s" : "http://%s:%u/%s%s", shown, port,
             token ? "?token=" : "", token ? token : "");
    if (cli_has(args, "--json")) {
        ply_text out = ply_text_growing();
        ply_json_open(&out, '{');
        ply_json_member_string(&out, "address", address);
        ply_json_member_unsigned(&out, "port", port);
        ply_json_close(&out, '}');
        ply_text_char(&out, '\n');
        cli_print_text(&out);
    } else {
        printf("Plyverse is at %s\n", address);
        if (is_any)
            printf("From other machines, use this machine's name or address instead.\n");
    }
    fflush(stdout);
}

/* Most systems allow fewer open files by default than a thousand connections need. */
static void allow_many_files(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < OPEN_FILES) {
        limit.rlim_cur = limit.rlim_max < OPEN_FILES ? limit.rlim_max : OPEN_FILES;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

int cli_serve(const cli_args *args)
{
    char folder[4000], token[40];
    uint64_t port, analyses, threads, memory;
    const char *host = cli_value(args, "--host");
    if (!cli_number(args, "--port", 0, 65535, DEFAULT_PORT, &port) ||
        !cli_number(args, "--analyses", 1, 64, DEFAULT_ANALYSES, &analyses) ||
        !cli_number(args, "--threads", 1, CLI_THREAD_LIMIT, 0, &threads) ||
        !cli_number(args, "--hash", 1, 1 << 16, DEFAULT_MEMORY_MB, &memory) ||
        !find_folder(args, folder, sizeof folder))
        return CLI_BAD;
    if (host && !make_token(token))
        return cli_fail(args, "cannot make a token: the system has no random numbers");
    server_options options = {.data_folder = folder,
                              .host = host ? host : "127.0.0.1",
                              .port = (uint16_t)port,
                              .port_may_differ = !cli_has(args, "--port"),
                              .token = host ? token : NULL,
                              .analyses = (unsigned)analyses,
                              .threads = (unsigned)threads,
                              .memory_mb = (size_t)memory};
    /* Blocked before any thread starts, so that only sigwait below receives these signals. */
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
    signal(SIGPIPE, SIG_IGN);
    allow_many_files();
#ifdef M_ARENA_MAX
    /* One malloc arena per thread. Otherwise a thread that answers a request may wait for a search
     * thread that was preempted while it held the lock of a shared arena. */
    mallopt(M_ARENA_MAX, MEMORY_ARENAS);
    /* The memory of a search goes back to the system when it ends. With a threshold that adapts
     * itself, every arena would keep some for the next search. */
    mallopt(M_MMAP_THRESHOLD, MAPPED_BYTES);
#endif
    ply_error error = {0};
    server *running = server_start(&options, &error);
    if (!running)
        return cli_fail(args, "%s", error.message);
    print_address(args, options.host, server_port(running), options.token);
    int number = 0;
    while (sigwait(&signals, &number) != 0)
        continue;
    server_stop(running);
    return CLI_OK;
}
