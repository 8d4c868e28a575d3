/* SPDX-License-Identifier: MIT */
/*
 * lookups.h - initialises the own cells from values that are spread over all ranks.
 *
 * A rank works through its chunks in batches. For a batch it lists all moves that leave the slice,
 * and asks each rank for the values which that one holds, 8 bytes a value. The answers come back in
 * the order of the questions, 2 bytes each. While questions and answers of one batch travel, the
 * next batch is listed.
 */
#ifndef PLY_CLUSTER_LOOKUPS_H
#define PLY_CLUSTER_LOOKUPS_H

#include "cluster/exchange.h"
#include "tablebase/slice.h"

enum { LOOKUP_CHUNKS = 4 }; /* of a batch */

typedef struct lookups lookups;

/* NULL when out of memory. */
lookups *cluster_lookups_open(slice *s, int tag);
void cluster_lookups_close(lookups *l);
/* Lists the own chunks first to first + count - 1 as the next batch and asks for their values. */
void cluster_lookups_ask(lookups *l, size_t first, size_t count);
/* Answers the others' questions about the oldest batch and initialises its cells. */
void cluster_lookups_finish(lookups *l);
/* Questions asked, and bytes sent for questions and answers. */
uint64_t cluster_lookups_count(const lookups *l);
uint64_t cluster_lookups_bytes(const lookups *l);

#endif
