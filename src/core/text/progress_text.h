/* SPDX-License-Identifier: MIT */
/*
 * progress_text.h - the progress of a long job as text: rate, share done, time left.
 *
 * The library never prints; the command shows the line (see cli/progress_line.c). All functions are
 * safe from any thread.
 */
#ifndef PLY_CORE_TEXT_PROGRESS_TEXT_H
#define PLY_CORE_TEXT_PROGRESS_TEXT_H

#include <plyverse/text.h>

typedef struct ply_progress_report {
    const char *unit;      /* "nodes", "plies", "positions" */
    uint64_t units;        /* done so far */
    uint64_t parts_done;   /* finished parts of the job, for the share and the time left */
    uint64_t parts_total;  /* 0: unknown; no share is shown */
    uint64_t memory_bytes; /* 0: not shown */
    double seconds;        /* since the start */
} ply_progress_report;

/* Appends one line without its end, such as "1.2 G nodes  410 M/s  37%  about 0:42 left". */
void ply_progress_format(const ply_progress_report *progress, ply_text *out);

/* Appends a number with three digits and an SI prefix: 1234567 as "1.23 M". */
void ply_progress_number(double number, ply_text *out);

#endif
