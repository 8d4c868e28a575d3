/* SPDX-License-Identifier: MIT */
/*
 * process.h - a program that reads and writes lines over two pipes.
 *
 * The program runs under the shell in a process group of its own, so that ctrl-C in our terminal
 * does not reach it and the whole group can be killed at once. The group does not outlive us, even
 * if we are killed. Nothing here waits without a
 * deadline. Callers must block SIGPIPE in their thread: writing to a dead program is an error
 * value, not a signal. A process belongs to one thread.
 */
#ifndef PLY_MATCH_PROCESS_H
#define PLY_MATCH_PROCESS_H

#include <plyverse/text.h>
#include <stdatomic.h>

/* Logs one line sent to or received from a program; may be called from several threads at once. */
typedef void match_traffic(void *context, const char *who, bool sent, const char *line);

typedef struct match_process match_process;

typedef enum match_read {
    MATCH_READ_LINE,
    MATCH_READ_TIMEOUT,
    MATCH_READ_END,     /* the program closed its output or ended */
    MATCH_READ_STOPPED, /* the stop flag was set */
} match_read;

/* Starts a shell command. name is for the log; stop and traffic may be NULL. NULL, with *error
 * filled, on failure. */
match_process *ply_match_process_start(const char *command, const char *name,
                                       const atomic_bool *stop, match_traffic *traffic,
                                       void *context, ply_error *error);
/* Sends one line and its line end. False when the program does not read it within seconds. */
bool ply_match_process_send(match_process *process, const char *line);
/* Reads the next line, without its end, valid until the next read. The deadline is on the clock of
 * core/clock.h. */
match_read ply_match_process_read(match_process *process, uint64_t deadline, const char **line);
/* Appends how the program ended, such as "signal 11"; waits a moment for it to end. */
void ply_match_process_exit_text(match_process *process, ply_text *out);
/*
 * The CPU time the program has used, in nanoseconds: of the process the shell became or, if it did
 * not, of the shell. 0 where the system cannot tell.
 */
uint64_t ply_match_process_cpu_nanos(const match_process *process);
/* Closes the program's input, waits a moment, kills what is left of its group, and frees the
 * object. NULL is a no-op. */
void ply_match_process_end(match_process *process);

#endif
