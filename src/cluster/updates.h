/* SPDX-License-Identifier: MIT */
/*
 * updates.h - the message that carries updates of cells from one rank to another.
 *
 * An update is the number of a cell. If enough of them fall into the same chunks, they are grouped
 * by chunk, and each takes two bytes instead of four; then the receiver also works through its
 * memory chunk by chunk. The first word tells the two forms apart. Numbers are in the byte order of
 * the machine: all ranks run the same program.
 *
 *     plain:    0 | cell, cell, ...                                            4 bytes each
 *     grouped:  groups | (chunk, count) per group | offset, offset, ...        8 and 2 bytes each
 */
#ifndef PLY_CLUSTER_UPDATES_H
#define PLY_CLUSTER_UPDATES_H

#include "cluster/exchange.h"
#include "tablebase/slice.h"

/* Counters by chunk; one per worker. All zero between calls. */
typedef struct updates_scratch {
    uint32_t *counts; /* CHUNK_CELLS of them: a rank has fewer chunks than that */
} updates_scratch;

/*
 * Writes the updates that all workers have found for a rank as a message of the round being filled,
 * and empties those outboxes. Returns the number of updates.
 */
uint64_t cluster_updates_pack(slice *s, unsigned to, exchange *e, updates_scratch *scratch);
/* Applies section `part` of `parts` of a message to the own cells. */
void cluster_updates_apply(slice *s, const exchange_buffer *message, size_t part, size_t parts);

#endif
