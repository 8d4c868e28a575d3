/* SPDX-License-Identifier: MIT */
/* solved.h - from the cells of a solved slice to the files of its two classes. */
#ifndef PLY_TABLEBASE_SOLVED_H
#define PLY_TABLEBASE_SOLVED_H

#include "tablebase/slice.h"

enum { TABLEBASE_ZSTD_LEVEL = 6 }; /* of a finished file */

/* One class of a slice: 0 is the class itself, 1 its partner. */
typedef struct solved_class {
    const slice *s;
    size_t which;
} solved_class;

/* Positions won, lost and drawn and the longest distance, as far as the own part goes. */
typedef struct class_totals {
    _Atomic uint64_t wins, losses, draws, longest;
} class_totals;

void ply_tablebase_count_class(const solved_class *c, class_totals *totals);
/* The first slot with a distance in the own part, or UINT64_MAX. */
uint64_t ply_tablebase_first_at(const solved_class *c, uint64_t distance);
/* Fills in the header of the class's file. */
void ply_tablebase_class_header(const solved_class *c, const class_totals *totals,
                                uint64_t longest_slot, tablebase_header *header);
/* A tablebase_source; context is a solved_class. The values must be in the own part. */
void ply_tablebase_class_values(void *context, uint64_t first, size_t count, uint16_t *out);

#endif
