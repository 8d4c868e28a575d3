/* SPDX-License-Identifier: MIT */
/*
 * build.c - builds tablebases by retrograde analysis, slice by slice.
 *
 * The updates of a pass to a cell commute, and a pass never decides cells at its own distance.
 * Therefore the cells at the end of any group of chunks do not depend on threads or timing.
 * Checkpoints are taken there, and a build that continues from one ends with the same bytes.
 */
#include "core/clock.h"
#include "core/options.h"
#include "tablebase/slice.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

enum {
    GROUP_CHUNKS = 64, /* chunks between two looks at the clock */
    ZSTD_LEVEL_FINISHED = 6,
    ZSTD_LEVEL_CHECKPOINT = 1,
    CHECKPOINT_SECONDS = 60,
    PROGRESS_CHUNK_BITS = 40, /* of a checkpoint's progress field; the distance is above */
};

/* --- checkpoints ---------------------------------------------------------------------------- */
static void cells_source(void *context, uint64_t first, size_t count, uint16_t *out)
{
    memcpy(out, slice_plain_cells(context) + first, count * sizeof *out);
}

static void name_header(const tablebase_folder *folder, size_t class_index,
                        tablebase_header *header)
{
    ply_text game = ply_text_fixed(header->game, sizeof header->game);
    ply_text_string(&game, folder->rules->game->id);
    ply_text name = ply_text_fixed(header->class_name, sizeof header->class_name);
    folder->rules->indexing->class_name(folder->rules, class_index, &name);
    ply_text rules = ply_text_fixed(header->rules, sizeof header->rules);
    ply_text_string(&rules, ply_text_cstr(&folder->rules_name));
}

/* How far the slice is, in one number. */
static uint64_t progress_pack(const slice *s)
{
    return s->distance << PROGRESS_CHUNK_BITS | s->chunk;
}

static ply_status save_checkpoint(slice *s, ply_error *error)
{
    tablebase_header header = {.kind = TABLEBASE_CHECKPOINT,
                               .value_bytes = 2,
                               .slots = s->start[2],
                               .phase = s->phase,
                               .progress = progress_pack(s)};
    name_header(s->folder, s->class_index[0], &header);
    ply_text path;
    ply_status status =
        ply_tablebase_file_path(s->folder, s->class_index[0], ".part", &path, error);
    if (status == PLY_OK)
        status = ply_tablebase_file_write(ply_text_cstr(&path), &header, cells_source, s,
                                          s->folder->workers, ZSTD_LEVEL_CHECKPOINT, NULL, error);
    ply_text_free(&path);
    return status;
}

/* The number of cells that have been initialised. */
static uint64_t cells_initialised(const slice *s)
{
    uint64_t cells = s->phase == PHASE_INIT ? s->chunk * CHUNK_CELLS : s->start[2];
    return cells < s->start[2] ? cells : s->start[2];
}

/* Recomputes decided_at and longest from the cells. False when a cell is impossible. */
static bool restore_distances(slice *s)
{
    uint64_t end = cells_initialised(s);
    for (uint64_t cell = 0; cell < end; cell++) {
        unsigned content = cell_get(s, cell), distance = content & ~(unsigned)CELL_DECIDED;
        if (!(content & CELL_DECIDED))
            continue;
        if (distance > MAX_DISTANCE)
            return false;
        cell_decide(s, cell, distance);
    }
    return true;
}

static ply_status load_checkpoint(slice *s, const char *path, ply_error *error)
{
    tablebase_file file;
    ply_status status = ply_tablebase_file_open(&file, path, error);
    if (status != PLY_OK)
        return status;
    status = ply_tablebase_file_check_header(s->folder->rules, s->folder->retrograde,
                                             s->folder->workspace, s->class_index[0],
                                             TABLEBASE_CHECKPOINT, &file.header, path, error);
    if (status == PLY_OK && (file.header.slots != s->start[2] || file.header.value_bytes != 2))
        status = ply_error_set(error, PLY_IO, "%s: this checkpoint is for a slice of another size",
                               path);
    if (status == PLY_OK)
        status = ply_tablebase_folder_unpack(s->folder, &file, s->cells, path, error);
    if (status == PLY_OK) {
        s->phase = file.header.phase;
        s->distance = file.header.progress >> PROGRESS_CHUNK_BITS;
        s->chunk = file.header.progress & (((uint64_t)1 << PROGRESS_CHUNK_BITS) - 1);
        if (s->phase > PHASE_PASSES || s->chunk > s->chunk_count ||
            s->distance > MAX_DISTANCE + 1 || !restore_distances(s))
            status = ply_error_set(error, PLY_IO, "%s: the checkpoint is inconsistent", path);
    }
    ply_tablebase_file_close(&file);
    return status;
}

/* Continues from the checkpoint, if there is one. */
static ply_status resume(slice *s, ply_error *error)
{
    ply_text path;
    ply_status status =
        ply_tablebase_file_path(s->folder, s->class_index[0], ".part", &path, error);
    if (status == PLY_OK && access(ply_text_cstr(&path), F_OK) == 0) {
        status = load_checkpoint(s, ply_text_cstr(&path), error);
        if (status == PLY_OK && s->folder->progress)
            ply_progress_add(&s->folder->progress->parts_done, cells_initialised(s));
    }
    ply_text_free(&path);
    return status;
}

/* --- writing a solved slice ----------------------------------------------------------------- */
/* Counts over one class of a slice. */
typedef struct totals {
    const slice *s;
    size_t which; /* 0: the class, 1: its partner */
    _Atomic uint64_t wins, losses, draws, longest;
} totals;

static void values_source(void *context, uint64_t first, size_t count, uint16_t *out)
{
    const totals *t = context;
    const uint16_t *cells = slice_plain_cells(t->s) + t->s->start[t->which] + first;
    for (size_t i = 0; i < count; i++)
        out[i] = cells[i] & CELL_DECIDED ? (uint16_t)((cells[i] & ~CELL_DECIDED) + 1) : 0;
}

static void count_chunk(void *context, size_t piece, unsigned worker)
{
    (void)worker;
    totals *t = context;
    const slice *s = t->s;
    const tablebase_folder *folder = s->folder;
    const uint16_t *cells = slice_plain_cells(s);
    uint64_t cell = s->start[t->which] + (uint64_t)piece * CHUNK_CELLS, end = cell + CHUNK_CELLS;
    end = end < s->start[t->which + 1] ? end : s->start[t->which + 1];
    uint64_t wins = 0, losses = 0, draws = 0, longest = 0;
    for (; cell < end; cell++) {
        unsigned positions =
            folder->retrograde->orbit_size(folder->workspace, slot_of_cell(s, cell));
        uint64_t distance = cells[cell] & ~(unsigned)CELL_DECIDED;
        if (!(cells[cell] & CELL_DECIDED)) {
            draws += positions;
            continue;
        }
        *(distance & 1 ? &wins : &losses) += positions;
        longest = distance > longest ? distance : longest;
    }
    atomic_fetch_add_explicit(&t->wins, wins, memory_order_relaxed);
    atomic_fetch_add_explicit(&t->losses, losses, memory_order_relaxed);
    atomic_fetch_add_explicit(&t->draws, draws, memory_order_relaxed);
    raise_maximum(&t->longest, longest);
}

/* The first slot with the longest distance; found afterwards, so it does not depend on threads. */
static uint64_t first_longest(const totals *t)
{
    const slice *s = t->s;
    const uint16_t *cells = slice_plain_cells(s);
    uint16_t wanted = (uint16_t)(CELL_DECIDED | t->longest);
    for (uint64_t cell = s->start[t->which]; cell < s->start[t->which + 1]; cell++)
        if (cells[cell] == wanted)
            return cell - s->start[t->which];
    return 0;
}

static ply_status write_class(slice *s, size_t which, ply_error *error)
{
    totals t = {.s = s, .which = which};
    uint64_t slots = s->start[which + 1] - s->start[which];
    ply_workers_run(s->folder->workers, (size_t)((slots + CHUNK_CELLS - 1) / CHUNK_CELLS),
                    count_chunk, &t);
    tablebase_header header = {.kind = TABLEBASE_FINISHED,
                               .value_bytes = t.longest + 1 > UINT8_MAX ? 2 : 1,
                               .slots = slots,
                               .wins = t.wins,
                               .losses = t.losses,
                               .draws = t.draws,
                               .longest = t.longest,
                               .longest_slot = first_longest(&t)};
    name_header(s->folder, s->class_index[which], &header);
    const ply_progress *progress = s->folder->progress;
    const uint64_t *stop = progress ? &progress->stop : NULL;
    ply_text path;
    ply_status status =
        ply_tablebase_file_path(s->folder, s->class_index[which], ".plt", &path, error);
    if (status == PLY_OK)
        status = ply_tablebase_file_write(ply_text_cstr(&path), &header, values_source, &t,
                                          s->folder->workers, ZSTD_LEVEL_FINISHED, stop, error);
    ply_text_free(&path);
    return status;
}

/* Also needed for finished slices: a build killed at the very end leaves one behind. */
static void remove_checkpoint(const tablebase_folder *folder, size_t class_index)
{
    static const char *const extensions[] = {".part", ".part.tmp"};
    for (size_t i = 0; i < sizeof extensions / sizeof extensions[0]; i++) {
        ply_text path;
        if (ply_tablebase_file_path(folder, class_index, extensions[i], &path, NULL) == PLY_OK)
            unlink(ply_text_cstr(&path));
        ply_text_free(&path);
    }
}

/* --- one slice ------------------------------------------------------------------------------ */
typedef struct checkpoint_timer {
    uint64_t last;    /* when the last checkpoint was taken, in nanoseconds */
    unsigned seconds; /* between checkpoints */
    bool always;      /* after every group of chunks */
} checkpoint_timer;

static ply_status slice_failure(const slice *s, ply_error *error)
{
    if (s->error == SLICE_NO_MEMORY)
        return ply_error_set(error, PLY_NO_MEMORY, "out of memory");
    return ply_error_set(error, PLY_LIMIT,
                         "a position is more than %d plies from the end or has too many moves",
                         MAX_DISTANCE);
}

/* Runs the remaining chunks of a phase in groups, taking checkpoints in between. */
static ply_status run_chunks(slice *s, ply_work *work, checkpoint_timer *timer, ply_error *error)
{
    while (s->chunk < s->chunk_count) {
        size_t left = s->chunk_count - (size_t)s->chunk,
               count = left < GROUP_CHUNKS ? left : GROUP_CHUNKS;
        s->first_chunk = s->chunk;
        ply_workers_run(s->folder->workers, count, work, s);
        s->chunk += count;
        if (s->error != SLICE_OK)
            return slice_failure(s, error);
        bool stopped = folder_stopped(s->folder);
        if (stopped || timer->always || ply_clock_seconds_since(timer->last) >= timer->seconds) {
            ply_status status = save_checkpoint(s, error);
            timer->last = ply_clock_nanos();
            if (status != PLY_OK)
                return status;
        }
        if (stopped)
            return ply_error_set(error, PLY_STOPPED, "stopped");
    }
    return PLY_OK;
}

static ply_status run_slice(slice *s, checkpoint_timer *timer, ply_error *error)
{
    ply_status status = resume(s, error);
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
        if ((status = write_class(s, which, error)) == PLY_STOPPED)
            save_checkpoint(s, NULL);
    if (status == PLY_OK)
        remove_checkpoint(s->folder, s->class_index[0]);
    return status;
}

static ply_status build_slice(tablebase_folder *folder, size_t class_index, checkpoint_timer *timer,
                              ply_error *error)
{
    size_t partner = folder->retrograde->class_partner(class_index);
    slice s = {.folder = folder, .class_index = {class_index, partner}};
    s.class_total = partner == class_index ? 1 : 2;
    s.start[1] = folder->retrograde->slot_count(folder->workspace, class_index);
    s.start[2] = ply_tablebase_folder_slice_slots(folder, class_index);
    s.chunk_count = (size_t)((s.start[2] + CHUNK_CELLS - 1) / CHUNK_CELLS);
    size_t bytes = (size_t)s.start[2] * sizeof *s.cells;
    ply_status status = ply_tablebase_folder_load_exits(folder, class_index, bytes, error);
    if (status == PLY_OK)
        status = ply_tablebase_memory_reserve(&folder->budget, bytes, &s.array, error);
    if (status != PLY_OK)
        return status;
    s.cells = s.array.data;
    s.decided_at = calloc(s.chunk_count, sizeof *s.decided_at);
    status = s.decided_at ? run_slice(&s, timer, error)
                          : ply_error_set(error, PLY_NO_MEMORY, "out of memory");
    free(s.decided_at);
    ply_tablebase_memory_release(&folder->budget, &s.array);
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

static ply_status build_all(tablebase_folder *folder, const ply_tablebase_job *job,
                            ply_error *error)
{
    bool *done = calloc(folder->slice_count + 1, sizeof *done);
    ply_status status = done ? PLY_OK : ply_error_set(error, PLY_NO_MEMORY, "out of memory");
    uint64_t total = 0, finished = 0;
    for (size_t i = 0; i < folder->slice_count && status == PLY_OK; i++) {
        status = slice_is_done(folder, folder->slices[i], &done[i], error);
        total += done[i] ? 0 : 2 * ply_tablebase_folder_slice_slots(folder, folder->slices[i]);
    }
    if (folder->progress)
        ply_progress_set(&folder->progress->parts_total, total);
    checkpoint_timer timer = {.last = ply_clock_nanos(),
                              .seconds = job->checkpoint ? job->checkpoint : CHECKPOINT_SECONDS,
                              .always = job->checkpoint == UINT_MAX};
    for (size_t i = 0; i < folder->slice_count && status == PLY_OK; i++) {
        if (done[i]) {
            remove_checkpoint(folder, folder->slices[i]);
            continue;
        }
        uint64_t start = ply_clock_nanos();
        status = build_slice(folder, folder->slices[i], &timer, error);
        finished += 2 * ply_tablebase_folder_slice_slots(folder, folder->slices[i]);
        if (status == PLY_OK && folder->progress) /* passes do not count draws */
            ply_progress_set(&folder->progress->parts_done, finished);
        if (status == PLY_OK && job->listener) {
            char name[TABLEBASE_CLASS_TEXT];
            ply_text text = ply_text_fixed(name, sizeof name);
            folder->rules->indexing->class_name(folder->rules, folder->slices[i], &text);
            job->listener(job->context, name,
                          ply_tablebase_folder_slice_slots(folder, folder->slices[i]),
                          ply_clock_seconds_since(start));
        }
    }
    free(done);
    return status;
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
    const char *path = ply_text_cstr(&folder.path);
    int lock = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder.retrograde->max_predecessors > SLICE_PREDECESSORS)
        status = ply_error_set(error, PLY_LIMIT, "too many predecessors per position");
    else if (lock < 0)
        status = ply_error_set(error, PLY_IO, "%s: %s", path, strerror(errno));
    else if (flock(lock, LOCK_EX | LOCK_NB) != 0)
        status =
            ply_error_set(error, PLY_IO, "%s: %s", path,
                          errno == EWOULDBLOCK ? "another build is running here" : strerror(errno));
    else
        status = build_all(&folder, job, error);
    if (lock >= 0)
        close(lock);
    ply_tablebase_folder_close(&folder);
    return status;
}
