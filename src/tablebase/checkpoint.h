/* SPDX-License-Identifier: MIT */
/*
 * checkpoint.h - saves a slice while it is being solved, and continues from there.
 *
 * A build in one process keeps one file, CLASS.part. The ranks of a cluster keep two generations, a
 * and b, of one file each: CLASS.a-R-N.part is the part of rank R of N. They write them in turn, so
 * one generation is complete at any time. The cells do not depend on the number of ranks, so any
 * number of ranks can continue from any complete generation.
 */
#ifndef PLY_TABLEBASE_CHECKPOINT_H
#define PLY_TABLEBASE_CHECKPOINT_H

#include "tablebase/folder.h"

/* A run of own cells: where it is, and where it is when there are another number of parts. */
typedef struct checkpoint_run {
    uint64_t cell, count; /* among the own cells */
    unsigned part;
    uint64_t part_cell; /* among the cells of that part */
} checkpoint_run;

/* What is saved: the cells of one rank, and how far the work has come. */
typedef struct checkpoint {
    tablebase_folder *folder;
    size_t class_index; /* the first class of the slice */
    unsigned rank, ranks;
    uint16_t *cells;
    uint64_t cell_count;
    uint64_t first_phase; /* of the two that this kind of slice has */
    uint64_t phase, distance, chunk, chunk_total;
    /* How the slice is dealt out: the number of cells of a part, and the runs of the own part. */
    const void *context;
    uint64_t (*part_cells)(const void *context, unsigned part, unsigned parts);
    size_t run_count;
    void (*run)(const void *context, size_t number, unsigned parts, checkpoint_run *run);
} checkpoint;

/* Saves the own part in generation 0 or 1, which matters only with several ranks. */
ply_status ply_tablebase_checkpoint_save(const checkpoint *c, unsigned generation,
                                         ply_error *error);
/*
 * Continues from the complete generation that is furthest: restores the cells, phase, distance and
 * chunk. *generation is the one to write next. False in *found, and nothing is changed, if there is
 * no checkpoint. Fails with PLY_IO if there is one, but none that is complete and undamaged.
 */
ply_status ply_tablebase_checkpoint_load(checkpoint *c, unsigned *generation, bool *found,
                                         ply_error *error);
/* Fails: the cells of a checkpoint are impossible. */
ply_status ply_tablebase_checkpoint_reject(const checkpoint *c, ply_error *error);
/* Removes all checkpoints of a slice, except those by keep_ranks ranks if that is not 0. */
void ply_tablebase_checkpoint_remove(const tablebase_folder *folder, size_t class_index,
                                     unsigned keep_ranks);
/* Fills in game, class and rules. */
void ply_tablebase_name_header(const tablebase_folder *folder, size_t class_index,
                               tablebase_header *header);

#endif
