/* SPDX-License-Identifier: MIT */
/* build.h - the parts of a build that one process and a cluster have in common. */
#ifndef PLY_TABLEBASE_BUILD_H
#define PLY_TABLEBASE_BUILD_H

#include "tablebase/slice.h"

/* When the next checkpoint is due. */
typedef struct build_timer {
    uint64_t last;    /* when the last one was taken, in nanoseconds */
    unsigned seconds; /* between checkpoints */
    bool always;      /* as often as possible */
} build_timer;
bool ply_tablebase_timer_due(const build_timer *timer);
void ply_tablebase_timer_reset(build_timer *timer);

/* Which slices of a folder are finished. */
typedef struct build_plan {
    tablebase_folder *folder;
    bool *done; /* by slice */
} build_plan;
/* Fails when a finished file is damaged. Close it all the same. */
ply_status ply_tablebase_plan_open(build_plan *plan, tablebase_folder *folder, ply_error *error);
void ply_tablebase_plan_close(build_plan *plan);

/* Builds one slice, whose first class is given; class by class it writes the files. */
typedef ply_status slice_builder(void *context, tablebase_folder *folder, size_t class_index,
                                 build_timer *timer, ply_error *error);
/* The builder for one process; context is not used. */
slice_builder ply_tablebase_build_slice;
/* The same for a game with rows, row by row (rows.h). */
slice_builder ply_tablebase_build_rows;

/* Writes the file of one class of a solved slice. */
ply_status ply_tablebase_slice_write(slice *s, size_t which, ply_error *error);

/* Builds the slices that are not done, in order. */
ply_status ply_tablebase_plan_run(build_plan *plan, const ply_tablebase_job *job,
                                  slice_builder *build, void *context, ply_error *error);
/* Locks the folder against other builds until *lock is closed, also after a failure if not -1. */
ply_status ply_tablebase_folder_lock(const tablebase_folder *folder, int *lock, ply_error *error);

#endif
