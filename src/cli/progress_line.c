/* SPDX-License-Identifier: MIT */
/*
 * progress_line.c - the progress line of a long job, on stderr.
 *
 * On a terminal it is one line that overwrites itself. Elsewhere there is none, unless --progress
 * asks for it: then it is a new line every ten seconds. Jobs that take less than a second show
 * nothing. Meanwhile ctrl-C, or SIGTERM, asks the job to stop instead of killing the program.
 */
#include "cli/cli.h"
#include "cluster/cluster.h"
#include "core/clock.h"
#include "core/text/progress_text.h"
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define NANOS_PER_SECOND UINT64_C(1000000000)
#define TERMINAL_STEP (NANOS_PER_SECOND / 5)
#define PLAIN_STEP (10 * NANOS_PER_SECOND)

struct cli_progress {
    ply_progress *job;
    const char *unit;
    bool quiet, terminal, shown;
    uint64_t start;
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t wake;
    bool ending;
    struct sigaction old_actions[2]; /* of SIGINT and SIGTERM */
};

/* The job that ctrl-C stops; set while a line is shown. Global because a signal handler has no
 * argument. */
static ply_progress *volatile interrupted;

static void on_interrupt(int signal_number)
{
    (void)signal_number;
    if (interrupted)
        ply_progress_stop(interrupted);
}

static void show(cli_progress *line)
{
    char buffer[200];
    ply_text text = ply_text_fixed(buffer, sizeof buffer);
    ply_progress now = ply_progress_read(line->job);
    ply_progress_report report = {.unit = line->unit,
                                  .units = now.units,
                                  .parts_done = now.parts_done,
                                  .parts_total = now.parts_total,
                                  .seconds = ply_clock_seconds_since(line->start)};
    ply_progress_format(&report, &text);
    if (line->terminal)
        fprintf(stderr, "\r%s\033[K", buffer);
    else
        fprintf(stderr, "%s\n", buffer);
    fflush(stderr);
    line->shown = true;
}

static void *display_main(void *argument)
{
    cli_progress *line = argument;
    uint64_t wait_nanos = NANOS_PER_SECOND, step = line->terminal ? TERMINAL_STEP : PLAIN_STEP;
    pthread_mutex_lock(&line->mutex);
    while (!line->ending) {
        struct timespec until = ply_clock_deadline(wait_nanos);
        if (pthread_cond_timedwait(&line->wake, &line->mutex, &until) != 0 && !line->ending) {
            show(line);
            wait_nanos = step;
        }
    }
    pthread_mutex_unlock(&line->mutex);
    return NULL;
}

bool cli_shows_progress(const cli_args *args)
{
    return cluster_rank() == 0 && !cli_has(args, "--quiet") &&
           (isatty(STDERR_FILENO) || cli_has(args, "--progress"));
}

cli_progress *cli_progress_start(const cli_args *args, ply_progress *job, const char *unit)
{
    cli_progress *line = calloc(1, sizeof *line);
    if (!line)
        return NULL;
    line->job = job;
    line->unit = unit;
    line->quiet = !cli_shows_progress(args);
    line->terminal = isatty(STDERR_FILENO) != 0;
    line->start = ply_clock_nanos();
    interrupted = job;
    struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND};
    sigaction(SIGINT, &action, &line->old_actions[0]);
    sigaction(SIGTERM, &action, &line->old_actions[1]);
    if (!line->quiet) {
        pthread_mutex_init(&line->mutex, NULL);
        ply_cond_init(&line->wake);
        if (pthread_create(&line->thread, NULL, display_main, line) != 0)
            line->quiet = true;
    }
    return line;
}

void cli_progress_stop(cli_progress *line)
{
    if (!line)
        return;
    if (!line->quiet) {
        pthread_mutex_lock(&line->mutex);
        line->ending = true;
        pthread_cond_signal(&line->wake);
        pthread_mutex_unlock(&line->mutex);
        pthread_join(line->thread, NULL);
        if (line->terminal && line->shown)
            fputs("\r\033[K", stderr);
    }
    sigaction(SIGINT, &line->old_actions[0], NULL);
    sigaction(SIGTERM, &line->old_actions[1], NULL);
    interrupted = NULL;
    free(line);
}
