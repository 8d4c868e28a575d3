/* SPDX-License-Identifier: MIT */
/* process.c - see process.h. */
#include "match/process.h"
#include "core/clock.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    POLL_MILLIS = 50,   /* how often a wait checks the stop flag */
    SEND_MILLIS = 5000, /* how long a program may take to read a line */
    END_MILLIS = 1000,  /* how long it may take to end by itself */
    REAP_MILLIS = 2,    /* between two checks whether it has ended */
    INITIAL_BUFFER = 4096,
    LINE_LIMIT = 1 << 20,
    NANOS_PER_MILLI = 1000000,
};

struct match_process {
    pid_t pid;
    bool reaped;
    int status;  /* of waitpid, once reaped */
    int in, out; /* the program's stdin and stdout: we write to in and read from out */
    int alive;   /* closes when we die, which ends the group; see spawn */
    char *buffer;
    size_t start, used, capacity; /* unread bytes are buffer[start..used) */
    bool ended;                   /* there is no more output */
    const atomic_bool *stop;
    match_traffic *traffic;
    void *context;
    char name[64];
};

/*
 * Starts the command in a process group of its own. A second shell of that group waits for the end
 * of our pipe, which comes when we are gone, however that happened, and then kills the group.
 */
static int spawn(match_process *p, const char *command, int child_in, int child_out,
                 int child_alive)
{
    static const char script[] = "{ read -r end <&3 || kill -KILL 0; } >/dev/null 2>&1 & "
                                 "exec 3<&-; exec /bin/sh -c \"$1\"";
    enum { ALIVE_FILE = 3 }; /* named in the script */
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, child_in, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, child_out, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, child_alive, ALIVE_FILE);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
                                              POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    char shell[] = "/bin/sh", flag[] = "-c";
    /* posix_spawn does not modify its arguments, although its type is not const. */
    char *arguments[] = {shell, flag, (char *)(uintptr_t)script, shell, (char *)(uintptr_t)command,
                         NULL};
    int failure = posix_spawn(&p->pid, shell, &actions, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return failure;
}

static void close_file(int file)
{
    if (file >= 0)
        close(file);
}

match_process *ply_match_process_start(const char *command, const char *name,
                                       const atomic_bool *stop, match_traffic *traffic,
                                       void *context, ply_error *error)
{
    match_process *p = calloc(1, sizeof *p);
    if (!p) {
        ply_error_set(error, PLY_NO_MEMORY, "out of memory");
        return NULL;
    }
    p->stop = stop;
    p->traffic = traffic;
    p->context = context;
    snprintf(p->name, sizeof p->name, "%s", name);
    int to[2] = {-1, -1}, from[2] = {-1, -1}, alive[2] = {-1, -1};
    bool piped =
        pipe2(to, O_CLOEXEC) == 0 && pipe2(from, O_CLOEXEC) == 0 && pipe2(alive, O_CLOEXEC) == 0;
    int failure = piped ? spawn(p, command, to[0], from[1], alive[0]) : errno;
    close_file(to[0]);
    close_file(from[1]);
    close_file(alive[0]);
    if (failure) {
        close_file(to[1]);
        close_file(from[0]);
        close_file(alive[1]);
        free(p);
        ply_error_set(error, PLY_IO, "cannot start '%.120s': %s", command, strerror(failure));
        return NULL;
    }
    p->in = to[1];
    p->out = from[0];
    p->alive = alive[1];
    fcntl(p->in, F_SETFL, O_NONBLOCK);
    fcntl(p->out, F_SETFL, O_NONBLOCK);
    return p;
}

static bool is_stopped(const match_process *p)
{
    return p->stop && atomic_load_explicit(p->stop, memory_order_relaxed);
}

/* Waits until the file is ready for the events or the deadline has passed. */
static match_read wait_for(const match_process *p, int file, short events, uint64_t deadline)
{
    for (;;) {
        if (is_stopped(p))
            return MATCH_READ_STOPPED;
        uint64_t now = ply_clock_nanos();
        if (now >= deadline)
            return MATCH_READ_TIMEOUT;
        uint64_t left = (deadline - now) / NANOS_PER_MILLI + 1;
        struct pollfd ready = {.fd = file, .events = events};
        int count = poll(&ready, 1, left < POLL_MILLIS ? (int)left : POLL_MILLIS);
        if (count > 0)
            return MATCH_READ_LINE;
        if (count < 0 && errno != EINTR)
            return MATCH_READ_END;
    }
}

static bool send_bytes(match_process *p, const char *bytes, size_t length)
{
    uint64_t deadline = ply_clock_nanos() + (uint64_t)SEND_MILLIS * NANOS_PER_MILLI;
    while (length > 0) {
        ssize_t sent = write(p->in, bytes, length);
        if (sent > 0) {
            bytes += sent;
            length -= (size_t)sent;
        } else if (errno == EAGAIN) {
            if (wait_for(p, p->in, POLLOUT, deadline) != MATCH_READ_LINE)
                return false;
        } else if (errno != EINTR) {
            return false;
        }
    }
    return true;
}

bool ply_match_process_send(match_process *p, const char *line)
{
    if (p->traffic)
        p->traffic(p->context, p->name, true, line);
    size_t length = strlen(line);
    char *copy = malloc(length + 1);
    if (!copy)
        return false;
    memcpy(copy, line, length);
    copy[length] = '\n';
    bool sent = send_bytes(p, copy, length + 1);
    free(copy);
    return sent;
}

uint64_t ply_match_process_cpu_nanos(const match_process *p)
{
    clockid_t clock;
    return !p->reaped && clock_getcpuclockid(p->pid, &clock) == 0 ? ply_clock_read(clock) : 0;
}

/* Takes a complete line from the buffer, if there is one. */
static bool take_line(match_process *p, const char **line)
{
    char *end = p->used > p->start ? memchr(p->buffer + p->start, '\n', p->used - p->start) : NULL;
    if (!end)
        return false;
    *line = p->buffer + p->start;
    p->start = (size_t)(end - p->buffer) + 1;
    *end = '\0';
    if (end > *line && end[-1] == '\r')
        end[-1] = '\0';
    if (p->traffic)
        p->traffic(p->context, p->name, false, *line);
    return true;
}

/* Makes room for more bytes after the unread ones; false when a line is too long. */
static bool make_room(match_process *p)
{
    if (p->start > 0) {
        memmove(p->buffer, p->buffer + p->start, p->used - p->start);
        p->used -= p->start;
        p->start = 0;
    }
    if (p->used < p->capacity)
        return true;
    size_t capacity = p->capacity ? p->capacity * 2 : INITIAL_BUFFER;
    char *grown = capacity <= LINE_LIMIT ? realloc(p->buffer, capacity) : NULL;
    if (!grown)
        return false;
    p->buffer = grown;
    p->capacity = capacity;
    return true;
}

match_read ply_match_process_read(match_process *p, uint64_t deadline, const char **line)
{
    for (;;) {
        if (take_line(p, line))
            return MATCH_READ_LINE;
        if (p->ended)
            return MATCH_READ_END;
        match_read ready = wait_for(p, p->out, POLLIN, deadline);
        if (ready != MATCH_READ_LINE)
            return ready;
        if (!make_room(p)) {
            p->ended = true; /* this program does not speak in lines */
            continue;
        }
        ssize_t got = read(p->out, p->buffer + p->used, p->capacity - p->used);
        if (got > 0)
            p->used += (size_t)got;
        else if (got == 0 || (errno != EAGAIN && errno != EINTR))
            p->ended = true;
    }
}

/* Waits at most that long for the program to end; returns whether it did. */
static bool reap(match_process *p, uint64_t millis)
{
    uint64_t deadline = ply_clock_nanos() + millis * NANOS_PER_MILLI;
    while (!p->reaped) {
        pid_t got = waitpid(p->pid, &p->status, WNOHANG);
        if (got == p->pid || (got < 0 && errno != EINTR))
            p->reaped = true;
        else if (ply_clock_nanos() >= deadline)
            return false;
        else
            nanosleep(&(struct timespec){.tv_nsec = REAP_MILLIS * NANOS_PER_MILLI}, NULL);
    }
    return true;
}

void ply_match_process_exit_text(match_process *p, ply_text *out)
{
    if (!reap(p, END_MILLIS))
        ply_text_string(out, "closed its output");
    else if (WIFSIGNALED(p->status))
        ply_text_format(out, "signal %d", WTERMSIG(p->status));
    else
        ply_text_format(out, "exit %d", WEXITSTATUS(p->status));
}

void ply_match_process_end(match_process *p)
{
    if (!p)
        return;
    close(p->in);
    reap(p, END_MILLIS);
    /* The group may outlive its first member. */
    kill(-p->pid, SIGKILL);
    reap(p, END_MILLIS);
    close(p->out);
    close(p->alive);
    free(p->buffer);
    free(p);
}
