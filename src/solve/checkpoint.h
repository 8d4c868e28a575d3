/* SPDX-License-Identifier: MIT */
/*
 * checkpoint.h - the transposition table in a file, from which a later run continues.
 *
 *     "PLYKEEP" 1                        8 bytes: magic and version
 *     text_bytes entries key resources   a word each; the last two belong to the root position
 *     text                               the problem: game, variant, goal, measure, position, one
 *                                        per line; zero bytes up to a multiple of 8
 *     checksum                           a word
 *     block block ...                    BLOCK_ENTRIES entries each, fewer in the last; then a
 *                                        checksum after each block
 *
 * A word is 8 bytes, little-endian. An entry is 32 bytes, laid out as in dfpn_table.h. A checksum
 * covers all words before it except other checksums: starting from 0, each word is XORed in, the
 * result is mixed by ply_mix64, and PLY_GOLDEN is added. Nothing is used before its checksum has
 * been verified. Path-dependent failures are not saved.
 */
#ifndef PLY_SOLVE_CHECKPOINT_H
#define PLY_SOLVE_CHECKPOINT_H

#include "solve/dfpn_table.h"
#include <plyverse/solve.h>

/* The problem that a checkpoint is about. */
typedef struct checkpoint_problem {
    const char *text;
    size_t text_bytes;
    uint64_t key, resources;
} checkpoint_problem;

/* PLY_IO: the sink failed. PLY_LIMIT: the problem's text is too long. */
ply_status ply_checkpoint_write(const dfpn_table *table, const checkpoint_problem *problem,
                                ply_proof_sink *sink, void *context);
/*
 * Fills an empty table from a checkpoint of the problem. On failure error says what is wrong and at
 * which byte, and the contents of the table are undefined.
 *
 * plain is the same problem with every ply counted. Its checkpoint is accepted too, because a win
 * does not get longer when fewer plies count; what it says about the absence of wins of a given
 * length is dropped.
 */
ply_status ply_checkpoint_read(dfpn_table *table, const checkpoint_problem *problem,
                               const checkpoint_problem *plain, const ply_proof_source *source,
                               ply_error *error);

#endif
