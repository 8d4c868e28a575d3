/* SPDX-License-Identifier: MIT */
/*
 * build.c - builds tablebases by retrograde analysis, slice by slice.
 *
 * The updates of a pass to a cell commute, and a pass never decides cells at its own distance.
 * Therefore the cells at the end of any group of chunks do not depend on threads or timing.
 * Checkpoints are taken there, and a build that continues from one ends with the same bytes.
 */
#include "tablebase/build.h"
#include "core/clock.h"
#include "core/options.h"
#include "tablebase/checkpoint.h"
#include "tablebase/device.h"
#include "tablebase/solved.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

enum {
    GROUP_CHUNKS = 64, /* chunks between two looks at the clock */
    CHECKPOINT_SECONDS = 60,
};

/* --- the clock of the checkpoints ------------------------------------------------------------ */
bool ply_tablebase_timer_due(const build_timer *timer)
{
    return timer->always || ply_clock_seconds_since(timer->last) >= timer->seconds;
}

void ply_tablebase_timer_reset(build_timer *timer)
{
    timer->last = ply_clock_nanos();
}

/* --- one slice ------------------------------------------------------------------------------ */
ply_status ply_tablebase_slice_write(slice *s, size_t which, ply_error *error)
{
    solved_class c = {s, which};
    class_totals totals = {0};
    tablebase_header header;
    ply_tablebase_count_class(&c, &totals);
    ply_tablebase_class_header(&c, &totals, ply_tablebase_first_at(&c, totals.longest), &header);
    const ply_progress *progress = s->folder->progress;
    const uint64_t *stop = progress ? &progress->stop : NULL;
    ply_text path;
    ply_status status =
        ply_tablebase_file_path(s->folder, s->class_index[which], ".plt", &path, error);
    if (status == PLY_OK)
        status =
            ply_tablebase_file_write(ply_text_cstr(&path), &header, ply_tablebase_class_values, &c,
                                     s->folder->workers, TABLEBASE_ZSTD_LEVEL, stop, error);
    ply_text_free(&path);
    return status;
}

/* Runs the remaining chunks of a phase in groups, taking checkpoints in between. */
static ply_status run_chunks(slice *s, ply_work *work, build_timer *timer, ply_error *error)
{
    while (s->chunk < s->chunk_count) {
        size_t left = s->chunk_count - (size_t)s->chunk,
               count = left < GROUP_CHUNKS ? left : GROUP_CHUNKS;
        s->first_chunk = s->chunk;
        ply_workers_run(s->folder->workers, count, work, s);
        s->chunk += count;
        ply_status status = ply_tablebase_slice_status(s, error);
        if (status != PLY_OK)
            return status;
        bool stopped = folder_stopped(s->folder);
        if (stopped || ply_tablebase_timer_due(timer)) {
            status = ply_tablebase_slice_save(s, 0, error);
            ply_tablebase_timer_reset(timer);
            if (status != PLY_OK)
                return status;
        }
        if (stopped)
            return ply_error_set(error, PLY_STOPPED, "stopped");
    }
    return PLY_OK;
}

static ply_status run_slice(slice *s, build_timer *timer, ply_error *error)
{
    unsigned generation;
    ply_status status = ply_tablebase_slice_load(s, &generation, error);
    if (status == PLY_OK && s->folder->progress)
        ply_progress_add(&s->folder->progress->parts_done, ply_tablebase_slice_initialised(s));
    if (status == PLY_OK && s->phase == PHASE_INIT) {
        status = run_chunks(s, ply_tablebase_slice_init_chunk, timer, error);
        if (status == PLY_OK) {
            s->phase = PHASE_PASSES;
            s->chunk = s->distance = 0;
        }
    }
    while (status == PLY_OK && s->distance <= s->longest) {
        status = run_chunks(s, ply_tablebase_slice_pass_chunk, timer, error);
        if (status == PLY_OK && s->longest > MAX_DISTANCE)
            status = ply_error_set(error, PLY_LIMIT,
                                   "a position is more than %d plies from the end", MAX_DISTANCE);
        if (status == PLY_OK) {
            s->chunk = 0;
            s->distance++;
        }
    }
    for (size_t which = 0; status == PLY_OK && which < s->class_total; which++)
        if ((status = ply_tablebase_slice_write(s, which, error)) == PLY_STOPPED)
            ply_tablebase_slice_save(s, 0, NULL);
    if (status == PLY_OK)
        ply_tablebase_checkpoint_remove(s->folder, s->class_index[0], 0);
    return status;
}

ply_status ply_tablebase_build_slice(void *context, tablebase_folder *folder, size_t class_index,
                                     build_timer *timer, ply_error *error)
{
    (void)context;
    slice s;
    ply_status status = ply_tablebase_slice_open(&s, folder, class_index, error);
    if (status == PLY_OK)
        status = run_slice(&s, timer, error);
    ply_tablebase_slice_release(&s);
    return status;
}

/* --- all slices ----------------------------------------------------------------------------- */
/* Whether both files of a slice exist. Fails when one has a bad header or index. */
static ply_status slice_is_done(tablebase_folder *folder, size_t class_index, bool *done,
                                ply_error *error)
{
    size_t classes[2] = {class_index, folder->retrograde->class_partner(class_index)};
    *done = true;
    for (int i = 0; i < 2; i++) {
        ply_text path;
        ply_status status = ply_tablebase_file_path(folder, classes[i], ".plt", &path, error);
        const char *name = ply_text_cstr(&path);
        tablebase_file file;
        if (status != PLY_OK || access(name, F_OK) != 0) {
            *done = false;
        } else if ((status = ply_tablebase_file_open(&file, name, error)) == PLY_OK) {
            status = ply_tablebase_file_check_header(folder->rules, folder->retrograde,
                                                     folder->workspace, classes[i],
                                                     TABLEBASE_FINISHED, &file.header, name, error);
            ply_tablebase_file_close(&file);
        }
        ply_text_free(&path);
        if (status != PLY_OK)
            return status;
    }
    return PLY_OK;
}

ply_status ply_tablebase_plan_open(build_plan *plan, tablebase_folder *folder, ply_error *error)
{
    *plan = (build_plan){.folder = folder};
    plan->done = calloc(folder->slice_count + 1, sizeof *plan->done);
    ply_status status = plan->done ? PLY_OK : ply_error_set(error, PLY_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < folder->slice_count && status == PLY_OK; i++)
        status = slice_is_done(folder, folder->slices[i], &plan->done[i], error);
    return status;
}

void ply_tablebase_plan_close(build_plan *plan)
{
    free(plan->done);
}

static void report_slice(const tablebase_folder *folder, const ply_tablebase_job *job,
                         size_t class_index, uint64_t start)
{
    char name[TABLEBASE_CLASS_TEXT];
    ply_text text = ply_text_fixed(name, sizeof name);
    folder->rules->indexing->class_name(folder->rules, class_index, &text);
    job->listener(job->context, name, ply_tablebase_folder_slice_slots(folder, class_index),
                  ply_clock_seconds_since(start));
}

ply_status ply_tablebase_plan_run(build_plan *plan, const ply_tablebase_job *job,
                                  slice_builder *build, void *context, ply_error *error)
{
    tablebase_folder *folder = plan->folder;
    ply_status status = PLY_OK;
    uint64_t total = 0, finished = 0;
    for (size_t i = 0; i < folder->slice_count; i++)
        total +=
            plan->done[i] ? 0 : 2 * ply_tablebase_folder_slice_slots(folder, folder->slices[i]);
    if (folder->progress)
        ply_progress_set(&folder->progress->parts_total, total);
    build_timer timer = {.seconds = job->checkpoint ? job->checkpoint : CHECKPOINT_SECONDS,
                         .always = job->checkpoint == UINT_MAX};
    ply_tablebase_timer_reset(&timer);
    for (size_t i = 0; i < folder->slice_count && status == PLY_OK; i++) {
        if (plan->done[i]) {
            /* A build killed at the very end leaves one behind. */
            ply_tablebase_checkpoint_remove(folder, folder->slices[i], 0);
            continue;
        }
        uint64_t start = ply_clock_nanos();
        status = build(context, folder, folder->slices[i], &timer, error);
        finished += 2 * ply_tablebase_folder_slice_slots(folder, folder->slices[i]);
        if (status == PLY_OK && folder->progress) /* passes do not count draws */
            ply_progress_set(&folder->progress->parts_done, finished);
        if (status == PLY_OK && job->listener)
            report_slice(folder, job, folder->slices[i], start);
    }
    return status;
}

static ply_status build_all(tablebase_folder *folder, const ply_tablebase_job *job,
                            ply_error *error)
{
    build_plan plan;
    void *device = NULL;
    bool on_device = job->device == PLY_DEVICE_CUDA;
    ply_status status = ply_tablebase_plan_open(&plan, folder, error);
    if (status == PLY_OK && on_device)
        status = ply_tablebase_device_open(&device, folder, job->device_index, error);
    slice_builder *build = on_device                  ? ply_tablebase_device_build
                           : folder->retrograde->rows ? ply_tablebase_build_rows
                                                      : ply_tablebase_build_slice;
    if (status == PLY_OK)
        status = ply_tablebase_plan_run(&plan, job, build, device, error);
    ply_tablebase_device_close(device);
    ply_tablebase_plan_close(&plan);
    return status;
}

ply_status ply_tablebase_folder_lock(const tablebase_folder *folder, int *lock, ply_error *error)
{
    const char *path = ply_text_cstr(&folder->path);
    *lock = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (*lock < 0)
        return ply_error_set(error, PLY_IO, "%s: %s", path, strerror(errno));
    if (flock(*lock, LOCK_EX | LOCK_NB) != 0)
        return ply_error_set(error, PLY_IO, "%s: %s", path,
                             errno == EWOULDBLOCK ? "another build is running here"
                                                  : strerror(errno));
    return PLY_OK;
}

ply_status ply_tablebase_build(const ply_rules *rules, const ply_tablebase_job *given,
                               ply_error *error)
{
    tablebase_folder folder;
    ply_tablebase_job own, *job = &own;
    ply_options_copy(&own, sizeof own, given);
    ply_status status = ply_tablebase_folder_open(&folder, rules, job, true, error);
    if (status != PLY_OK)
        return status;
    int lock;
    status = ply_tablebase_folder_lock(&folder, &lock, error);
    if (status == PLY_OK)
        status = build_all(&folder, job, error);
    if (lock >= 0)
        close(lock);
    ply_tablebase_folder_close(&folder);
    return status;
}
