/* SPDX-License-Identifier: MIT */
/*
 * process.h - a program on the other end of two pipes, spoken to by lines.
 *
 * The program runs under the shell in a process group of its own, so that ctrl-C in our terminal
 * does not reach it and all of it can be ended at once. Nothing here waits without a deadline.
 * Callers block SIGPIPE in their thread: writing to a dead program is an answer, not a signal.
 */
#ifndef PLY_MATCH_PROCESS_H
#define PLY_MATCH_PROCESS_H

#include <plyverse/text.h>
#include <stdatomic.h>

/* A log of the traffic that several programs share; either may be NULL. */
typedef void match_traffic(void *context, const char *who, bool sent, const char *line);

typedef struct match_process match_process;

typedef enum match_read {
    MATCH_READ_LINE,
    MATCH_READ_TIMEOUT,
    MATCH_READ_END,     /* the program has closed its output, or is gone */
    MATCH_READ_STOPPED, /* somebody set the stop flag */
} match_read;

/* Starts a command line. stop may be NULL. NULL, with *error filled, on failure. */
match_process *ply_match_process_start(const char *command, const char *name,
                                       const atomic_bool *stop, match_traffic *traffic,
                                       void *context, ply_error *error);
/* Sends one line; its end is added. False when the program does not take it in a few seconds. */
bool ply_match_process_send(match_process *process, const char *line);
bool ply_match_process_sendf(match_process *process, const char *format, ...) PLY_PRINTF(2, 3);
/* The next line without its end, valid until the next read; waits until the deadline (the clock of
 * core/clock.h). */
match_read ply_match_process_read(match_process *process, uint64_t deadline, const char **line);
/* How the program ended, in words such as "signal 11"; waits a moment for it to do so. */
void ply_match_process_fate(match_process *process, ply_text *out);
/* Closes its input, gives it a moment, then kills what is left of its group. */
void ply_match_process_end(match_process *process);

#endif
