/* SPDX-License-Identifier: MIT */
/*
 * neighbours_report.h - solves Neighbours in the memory of a CUDA device, and reports.
 *
 * The values are too many to keep. What remains is a text: one line for each class, then passes,
 * times, the values around a position, checksums and samples. docs/cuda.md describes its lines.
 */
#ifndef PLY_CUDA_NEIGHBOURS_REPORT_H
#define PLY_CUDA_NEIGHBOURS_REPORT_H

#include <plyverse/state.h>

typedef struct neighbours_solve_options {
    int up_to[2]; /* pieces of one side and of the other, 1 to 6 */
    int device_index;
    bool verifies; /* derives every value again */
    /* A file of positions, or NULL; read when all is solved and reported. Its format: below. */
    const char *label_path;
    /* The report so far: every 20 seconds, after each slice, and at the end. False stops the job. */
    bool (*on_report)(void *context, const ply_text *report);
    /* A line after each pass, and with `finished` the lines of a slice. False stops the job. */
    bool (*on_line)(void *context, const char *line, bool finished);
    void *context;
} neighbours_solve_options;

/*
 * Solves the classes. state: the position whose moves are reported if its class is among them; it is
 * played on. PLY_BAD_POSITION: the verification failed. PLY_STOPPED, PLY_UNSUPPORTED, PLY_NO_MEMORY.
 */
ply_status neighbours_solve(const ply_rules *rules, const neighbours_solve_options *options,
                            ply_state *state, ply_error *error);

/*
 * The format of label_path: records of 16 bytes, two little-endian words of 64 bits, the own pieces
 * (of the player to move) and the enemy's, square n as bit n (neighbours.h). Written is
 * label_path.labels, one byte for each record: 0 lost, 1 drawn, 2 won, 255 in no solved class.
 */

#endif
