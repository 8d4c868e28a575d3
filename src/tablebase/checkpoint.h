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

#include "tablebase/slice.h"

/* Saves the own part in generation 0 or 1, which matters only with several ranks. */
ply_status ply_tablebase_checkpoint_save(slice *s, unsigned generation, ply_error *error);
/*
 * Continues from the complete generation that is furthest. *generation is the one to write next.
 * Without any checkpoint the slice stays at its beginning. Fails with PLY_IO if there is one, but
 * none that is complete and undamaged.
 */
ply_status ply_tablebase_checkpoint_load(slice *s, unsigned *generation, ply_error *error);
/* Removes all checkpoints of a slice; keep (may be NULL): except its generations. */
void ply_tablebase_checkpoint_remove(const tablebase_folder *folder, size_t class_index,
                                     const slice *keep);
/* The number of cells of the own part that have been initialised. */
uint64_t ply_tablebase_checkpoint_initialised(const slice *s);
/* Fills in game, class and rules. */
void ply_tablebase_name_header(const tablebase_folder *folder, size_t class_index,
                               tablebase_header *header);

#endif
