/*
 * progress_line.c - the progress line of a long walk, on stderr.
 *
 * On a terminal one line that overwrites itself; elsewhere a plain line now and then; nothing at
 * all for work that is done within a second, or when told to be quiet. While it runs, ctrl-C asks
 * the walk to stop instead of killing the program.
 */
#include "cli/cli.h"
#include "core/clock.h"
#include "core/progress_text.h"
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct cli_meter {
    ply_walk_meter *walk;
    const char *unit;
    bool quiet, terminal, shown;
    uint64_t start;
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t wake;
    bool ending;
    struct sigaction old_action;
};

/* The walk that ctrl-C stops; set while a meter runs. A signal handler has no other way in. */
static ply_walk_meter *volatile interrupted_walk;

static void on_interrupt(int signal_number)
{
    (void)signal_number;
    if (interrupted_walk)
        ply_walk_meter_stop(interrupted_walk);
}

static void show(cli_meter *meter)
{
    char line[200];
    ply_text text = ply_text_fixed(line, sizeof line);
    ply_walk_meter now = ply_walk_meter_read(meter->walk);
    ply_progress progress = {.unit = meter->unit,
                             .units = now.units,
                             .parts_done = now.parts_done,
                             .parts_total = now.parts_total,
                             .seconds = ply_clock_seconds_since(meter->start)};
    ply_progress_format(&progress, &text);
    if (meter->terminal)
        fprintf(stderr, "\r%s\033[K", line);
    else
        fprintf(stderr, "%s\n", line);
    fflush(stderr);
    meter->shown = true;
}

static void *meter_main(void *argument)
{
    cli_meter *meter = argument;
    /* First after a second; then often where it overwrites itself, rarely where it adds up. */
    uint64_t wait_nanos = 1000000000u, step = meter->terminal ? 200000000u : 10000000000u;
    pthread_mutex_lock(&meter->mutex);
    while (!meter->ending) {
        struct timespec until;
        clock_gettime(CLOCK_MONOTONIC, &until);
        uint64_t nanos = (uint64_t)until.tv_nsec + wait_nanos;
        until.tv_sec += (time_t)(nanos / 1000000000u);
        until.tv_nsec = (long)(nanos % 1000000000u);
        if (pthread_cond_timedwait(&meter->wake, &meter->mutex, &until) != 0 && !meter->ending) {
            show(meter);
            wait_nanos = step;
        }
    }
    pthread_mutex_unlock(&meter->mutex);
    return NULL;
}

cli_meter *cli_meter_start(ply_walk_meter *walk, const char *unit, bool quiet)
{
    cli_meter *meter = calloc(1, sizeof *meter);
    if (!meter)
        return NULL;
    meter->walk = walk;
    meter->unit = unit;
    meter->quiet = quiet;
    meter->terminal = isatty(STDERR_FILENO) != 0;
    meter->start = ply_clock_nanos();
    interrupted_walk = walk;
    struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND};
    sigaction(SIGINT, &action, &meter->old_action);
    if (!quiet) {
        pthread_condattr_t attributes;
        pthread_condattr_init(&attributes);
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
        pthread_mutex_init(&meter->mutex, NULL);
        pthread_cond_init(&meter->wake, &attributes);
        pthread_condattr_destroy(&attributes);
        if (pthread_create(&meter->thread, NULL, meter_main, meter) != 0)
            meter->quiet = true;
    }
    return meter;
}

void cli_meter_stop(cli_meter *meter)
{
    if (!meter)
        return;
    if (!meter->quiet) {
        pthread_mutex_lock(&meter->mutex);
        meter->ending = true;
        pthread_cond_signal(&meter->wake);
        pthread_mutex_unlock(&meter->mutex);
        pthread_join(meter->thread, NULL);
        if (meter->terminal && meter->shown)
            fputs("\r\033[K", stderr);
    }
    sigaction(SIGINT, &meter->old_action, NULL);
    interrupted_walk = NULL;
    free(meter);
}
