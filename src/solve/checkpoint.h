/* SPDX-License-Identifier: MIT */
/*
 * checkpoint.h - what is known of positions, in a file, so that a search can go on another day.
 *
 *     "PLYKEEP" 1                      8 bytes
 *     text_bytes entries key amounts   8 bytes each: of what follows; of the position to be solved
 *     text                             the problem: game, variant, goal, way of counting and
 *                                      position, a line each; zeros up to a multiple of 8 bytes
 *     sum
 *     block block ...                  KEEP_BLOCK entries each, fewer in the last, then a sum
 *
 * Numbers are written low byte first. An entry is 32 bytes, as dfpn_table.h draws it. A sum is of
 * all words of 8 bytes before it but other sums: from 0, each word is exclusive-ored in, the result
 * mixed (ply_mix64) and PLY_GOLDEN added. Nothing is believed before its sum is right.
 * Ties hold on one way from the root only and are not kept.
 */
#ifndef PLY_SOLVE_CHECKPOINT_H
#define PLY_SOLVE_CHECKPOINT_H

#include "solve/dfpn_table.h"
#include <plyverse/solve.h>

/* What the file has to be about. */
typedef struct checkpoint_problem {
    const char *text;
    size_t text_bytes;
    uint64_t key, amounts;
} checkpoint_problem;

/* PLY_IO: the sink failed. */
ply_status ply_checkpoint_write(const dfpn_table *table, const checkpoint_problem *problem,
                                ply_proof_sink *sink, void *context);
/*
 * Fills the table, which is empty. After an error, which says what and where, it holds anything.
 * plain: the problem with every ply counted. A file about that serves too, as a win does not become
 * longer where less is counted; what it says about lengths without a win is left out.
 */
ply_status ply_checkpoint_read(dfpn_table *table, const checkpoint_problem *problem,
                               const checkpoint_problem *plain, const ply_proof_source *source,
                               ply_error *error);

#endif
