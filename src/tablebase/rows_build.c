/* SPDX-License-Identifier: MIT */
/*
 * rows_build.c - builds a slice row by row in one process.
 *
 * The cells of a row depend on the frontier alone, and that on the pass before. Therefore the cells at
 * the end of any group of rows do not depend on threads or timing. Checkpoints are taken there.
 */
#include "tablebase/build.h"
#include "tablebase/rows.h"

/* Goes through the rows from s->row to `last` in groups, taking checkpoints in between. */
static ply_status run_groups(row_slice *s, uint64_t last, build_timer *timer, ply_error *error)
{
    while (s->row < last) {
        ply_tablebase_rows_run(s, ply_tablebase_rows_group_end(s, last));
        ply_status status = ply_tablebase_rows_status(s, error);
        if (status != PLY_OK)
            return status;
        bool stopped = folder_stopped(s->folder);
        if (stopped || (!s->seeding && ply_tablebase_timer_due(timer))) {
            /* While the frontiers are restored, the checkpoint they come from is still there. */
            status = s->seeding ? PLY_OK : ply_tablebase_rows_save(s, 0, error);
            ply_tablebase_timer_reset(timer);
            if (status != PLY_OK)
                return status;
        }
        if (stopped)
            return ply_error_set(error, PLY_STOPPED, "stopped");
    }
    return PLY_OK;
}

/* Enters the cells decided at a distance, on the rows before `last`, in the frontier. */
static ply_status seed(row_slice *s, uint64_t distance, uint64_t last, build_timer *timer,
                       ply_error *error)
{
    s->seeding = true;
    s->seed_distance = distance;
    s->row = 0;
    ply_status status = run_groups(s, last, timer, error);
    s->seeding = false;
    return status;
}

static ply_status run_init(row_slice *s, build_timer *timer, ply_error *error)
{
    ply_status status = ply_tablebase_rows_open_exits(s, error);
    if (status == PLY_OK)
        status = run_groups(s, s->row_total, timer, error);
    ply_tablebase_rows_close_exits(s);
    if (status == PLY_OK) {
        s->phase = PHASE_ROWS_PASSES;
        s->row = s->distance = 0;
    }
    return status;
}

static ply_status run_passes(row_slice *s, build_timer *timer, ply_error *error)
{
    uint64_t done = s->row; /* of the current pass */
    ply_status status = ply_tablebase_rows_reserve_frontiers(s, error);
    if (status == PLY_OK) {
        status = seed(s, s->distance, s->row_total, timer, error);
        ply_tablebase_rows_forget(s, done);
    }
    if (status == PLY_OK)
        status = seed(s, s->distance + 1, done, timer, error);
    s->row = done;
    while (status == PLY_OK && s->distance <= s->longest) {
        status = run_groups(s, s->row_total, timer, error);
        if (status == PLY_OK && s->longest > MAX_DISTANCE)
            status = ply_error_set(error, PLY_LIMIT,
                                   "a position is more than %d plies from the end", MAX_DISTANCE);
        if (status == PLY_OK) {
            ply_tablebase_rows_end_pass(s);
            s->row = 0;
            s->distance++;
        }
    }
    return status;
}

static ply_status run_slice(row_slice *s, build_timer *timer, ply_error *error)
{
    unsigned generation;
    ply_status status = ply_tablebase_rows_load(s, &generation, error);
    if (status == PLY_OK && s->folder->progress)
        ply_progress_add(&s->folder->progress->parts_done, ply_tablebase_rows_initialised(s));
    if (status == PLY_OK && s->phase == PHASE_ROWS_INIT)
        status = run_init(s, timer, error);
    if (status == PLY_OK)
        status = run_passes(s, timer, error);
    for (size_t which = 0; status == PLY_OK && which < s->side_count; which++)
        if ((status = ply_tablebase_rows_write(s, which, error)) == PLY_STOPPED)
            ply_tablebase_rows_save(s, 0, NULL);
    if (status == PLY_OK)
        ply_tablebase_checkpoint_remove(s->folder, s->side[0].class_index, 0);
    return status;
}

ply_status ply_tablebase_build_rows(void *context, tablebase_folder *folder, size_t class_index,
                                    build_timer *timer, ply_error *error)
{
    (void)context;
    row_slice s;
    ply_status status = ply_tablebase_rows_setup(&s, folder, class_index, 0, 1, error);
    if (status == PLY_OK)
        status = ply_tablebase_rows_reserve(&s, error);
    if (status == PLY_OK)
        status = run_slice(&s, timer, error);
    ply_tablebase_rows_release(&s);
    return status;
}
