/* SPDX-License-Identifier: MIT */
/*
 * build.c - tables by retrograde analysis, slice by slice.
 *
 * All that a wave does to a cell adds up in any order, and a wave never makes slots of its own
 * distance; so the cells at the end of any piece of a wave do not depend on threads or timing.
 * Checkpoints are taken there, and a build that goes on from one ends with the same bytes.
 */
#include "core/clock.h"
#include "tablebase/slice.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

enum {
    GROUP = 64,      /* chunks between two looks at the clock */
    LEVEL_TABLE = 6, /* of zstd */
    LEVEL_CHECKPOINT = 1,
    CHECKPOINT_SECONDS = 60,
};

/* --- checkpoints ---------------------------------------------------------------------------- */
static void cells_source(void *context, uint64_t first, size_t count, uint16_t *out)
{
    memcpy(out, ((const slice *)context)->cells + first, count * sizeof *out);
}

static void name_header(const tablebase_folder *store, size_t class_index, tablebase_header *header)
{
    ply_text game = ply_text_fixed(header->game, sizeof header->game);
    ply_text_string(&game, store->rules->game->id);
    ply_text name = ply_text_fixed(header->class_name, sizeof header->class_name);
    store->rules->indexing->class_name(store->rules, class_index, &name);
    ply_text rules = ply_text_fixed(header->rules, sizeof header->rules);
    ply_text_string(&rules, ply_text_cstr(&store->rules_name));
}

/* Where the work stands, in one number. */
static uint64_t progress_pack(const slice *s)
{
    return s->distance << 40 | s->chunk;
}

static ply_status save_checkpoint(slice *s, ply_error *error)
{
    tablebase_header header = {.kind = TABLE_CHECKPOINT,
                               .value_bytes = 2,
                               .slots = s->start[2],
                               .phase = s->phase,
                               .progress = progress_pack(s)};
    name_header(s->store, s->class_index[0], &header);
    ply_text path = ply_text_growing();
    ply_tablebase_file_path(s->store, s->class_index[0], ".part", &path);
    ply_status status = ply_tablebase_file_write(ply_text_cstr(&path), &header, cells_source, s,
                                                 s->store->team, LEVEL_CHECKPOINT, NULL, error);
    ply_text_free(&path);
    return status;
}

/* What the cells imply: distances due, the largest of them. False for cells that cannot be. */
static bool restore_due(slice *s)
{
    uint64_t done = s->phase == PHASE_SETUP ? s->chunk * CHUNK : s->start[2];
    for (uint64_t i = 0; i < done && i < s->start[2]; i++)
        if (s->cells[i] & DECIDED) {
            unsigned distance = s->cells[i] & ~(unsigned)DECIDED;
            if (distance > DISTANCE_LIMIT)
                return false;
            decide(s, i, distance);
        }
    return true;
}

static ply_status load_checkpoint(slice *s, const char *path, ply_error *error)
{
    tablebase_file file;
    ply_status status = ply_tablebase_file_open(&file, path, error);
    if (status != PLY_OK)
        return status;
    status = ply_tablebase_file_check_header(s->store->rules, s->store->retro, s->store->work,
                                             s->class_index[0], TABLE_CHECKPOINT, &file.header,
                                             path, error);
    if (status == PLY_OK && (file.header.slots != s->start[2] || file.header.value_bytes != 2))
        status = ply_error_set(error, PLY_IO, "%s: a checkpoint of another size", path);
    if (status == PLY_OK)
        status = ply_tablebase_unpack_all(s->store, &file, s->cells, path, error);
    if (status == PLY_OK) {
        s->phase = file.header.phase;
        s->distance = file.header.progress >> 40;
        s->chunk = file.header.progress & (((uint64_t)1 << 40) - 1);
        if (s->phase > PHASE_WAVES || s->chunk > s->chunks || s->distance > DISTANCE_LIMIT + 1 ||
            !restore_due(s))
            status = ply_error_set(error, PLY_IO, "%s: the checkpoint contradicts itself", path);
    }
    ply_tablebase_file_close(&file);
    return status;
}

static ply_status resume(slice *s, ply_error *error)
{
    ply_text path = ply_text_growing();
    ply_tablebase_file_path(s->store, s->class_index[0], ".part", &path);
    ply_status status = PLY_OK;
    if (access(ply_text_cstr(&path), F_OK) == 0) {
        status = load_checkpoint(s, ply_text_cstr(&path), error);
        uint64_t done = s->phase == PHASE_SETUP ? s->chunk * CHUNK : s->start[2];
        if (status == PLY_OK)
            table_count(s->store, 0, done < s->start[2] ? done : s->start[2]);
    }
    ply_text_free(&path);
    return status;
}

/* --- the end of a slice --------------------------------------------------------------------- */
typedef struct totals {
    const slice *s;
    size_t which;
    uint64_t wins, losses, draws, longest, longest_slot;
} totals;

static void values_source(void *context, uint64_t first, size_t count, uint16_t *out)
{
    const totals *t = context;
    const uint16_t *cells = t->s->cells + t->s->start[t->which] + first;
    for (size_t i = 0; i < count; i++)
        out[i] = cells[i] & DECIDED ? (uint16_t)((cells[i] & ~DECIDED) + 1) : 0;
}

static void total_chunk(void *context, size_t piece, unsigned worker)
{
    (void)worker;
    totals *t = context, sum = {0};
    const slice *s = t->s;
    const tablebase_folder *store = s->store;
    uint64_t slot = s->start[t->which] + (uint64_t)piece * CHUNK, end = slot + CHUNK;
    end = end < s->start[t->which + 1] ? end : s->start[t->which + 1];
    for (; slot < end; slot++) {
        unsigned weight = store->retro->weight(store->work, place_of_slot(s, slot));
        uint64_t distance = s->cells[slot] & ~(unsigned)DECIDED;
        if (!(s->cells[slot] & DECIDED)) {
            sum.draws += weight;
            continue;
        }
        *(distance & 1 ? &sum.wins : &sum.losses) += weight;
        if (distance > sum.longest) {
            sum.longest = distance;
            sum.longest_slot = slot - s->start[t->which];
        }
    }
    __atomic_fetch_add(&t->wins, sum.wins, __ATOMIC_RELAXED);
    __atomic_fetch_add(&t->losses, sum.losses, __ATOMIC_RELAXED);
    __atomic_fetch_add(&t->draws, sum.draws, __ATOMIC_RELAXED);
    uint64_t known = __atomic_load_n(&t->longest, __ATOMIC_RELAXED);
    while (sum.longest > known &&
           !__atomic_compare_exchange_n(&t->longest, &known, sum.longest, true, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED))
        ;
}

/* The first slot with the longest distance, whoever found it. */
static uint64_t first_longest(const totals *t)
{
    const slice *s = t->s;
    uint16_t wanted = (uint16_t)(DECIDED | t->longest);
    for (uint64_t slot = s->start[t->which]; slot < s->start[t->which + 1]; slot++)
        if (s->cells[slot] == wanted)
            return slot - s->start[t->which];
    return 0;
}

static ply_status write_class(slice *s, size_t which, ply_error *error)
{
    totals t = {.s = s, .which = which};
    uint64_t slots = s->start[which + 1] - s->start[which];
    ply_workers_run(s->store->team, (size_t)((slots + CHUNK - 1) / CHUNK), total_chunk, &t);
    tablebase_header header = {.kind = TABLE_VALUES,
                               .value_bytes = t.longest + 1 > UINT8_MAX ? 2 : 1,
                               .slots = slots,
                               .wins = t.wins,
                               .losses = t.losses,
                               .draws = t.draws,
                               .longest = t.longest,
                               .longest_slot = first_longest(&t)};
    name_header(s->store, s->class_index[which], &header);
    ply_text path = ply_text_growing();
    ply_tablebase_file_path(s->store, s->class_index[which], ".plt", &path);
    ply_status status =
        ply_tablebase_file_write(ply_text_cstr(&path), &header, values_source, &t, s->store->team,
                                 LEVEL_TABLE, table_stop(s->store), error);
    ply_text_free(&path);
    return status;
}

/* A build killed at its very end leaves the checkpoint of a slice that is done. */
static void remove_checkpoint(const tablebase_folder *store, size_t class_index)
{
    static const char *const endings[] = {".part", ".part.tmp"};
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        ply_text path = ply_text_growing();
        ply_tablebase_file_path(store, class_index, endings[i], &path);
        unlink(ply_text_cstr(&path));
        ply_text_free(&path);
    }
}

/* --- one slice ------------------------------------------------------------------------------ */
typedef struct pace {
    uint64_t last;    /* when the last checkpoint was taken */
    unsigned seconds; /* between two */
    bool always;
} pace;

/* Runs the rest of a phase in groups of chunks, with checkpoints between. */
static ply_status run_chunks(slice *s, ply_work *work, pace *p, ply_error *error)
{
    while (s->chunk < s->chunks) {
        size_t left = s->chunks - (size_t)s->chunk, count = left < GROUP ? left : GROUP;
        s->first_chunk = s->chunk;
        ply_workers_run(s->store->team, count, work, s);
        s->chunk += count;
        if (s->too_long)
            return s->too_long == 2
                       ? ply_error_set(error, PLY_NO_MEMORY, "out of memory")
                       : ply_error_set(error, PLY_LIMIT,
                                       "a position has more than %d plies to the end, or too many "
                                       "moves",
                                       DISTANCE_LIMIT);
        bool stopped = table_stopped(s->store);
        if (stopped || p->always || ply_clock_seconds_since(p->last) >= p->seconds) {
            ply_status status = save_checkpoint(s, error);
            p->last = ply_clock_nanos();
            if (status != PLY_OK)
                return status;
        }
        if (stopped)
            return ply_error_set(error, PLY_STOPPED, "stopped");
    }
    return PLY_OK;
}

static ply_status run_slice(slice *s, pace *p, ply_error *error)
{
    ply_status status = resume(s, error);
    if (status == PLY_OK && s->phase == PHASE_SETUP) {
        status = run_chunks(s, ply_tablebase_slice_set_up_chunk, p, error);
        if (status == PLY_OK) {
            s->phase = PHASE_WAVES;
            s->chunk = s->distance = 0;
        }
    }
    while (status == PLY_OK && s->distance <= s->longest) {
        status = run_chunks(s, ply_tablebase_slice_wave_chunk, p, error);
        if (status == PLY_OK && s->longest > DISTANCE_LIMIT)
            status = ply_error_set(error, PLY_LIMIT, "a position has more than %d plies to the end",
                                   DISTANCE_LIMIT);
        if (status == PLY_OK) {
            s->chunk = 0;
            s->distance++;
        }
    }
    for (size_t which = 0; status == PLY_OK && which < s->class_total; which++)
        if ((status = write_class(s, which, error)) == PLY_STOPPED)
            save_checkpoint(s, NULL);
    if (status == PLY_OK)
        remove_checkpoint(s->store, s->class_index[0]);
    return status;
}

static ply_status build_slice(tablebase_folder *store, size_t class_index, pace *p,
                              ply_error *error)
{
    size_t partner = store->retro->class_partner(class_index);
    slice s = {.store = store, .class_index = {class_index, partner}};
    s.class_total = partner == class_index ? 1 : 2;
    s.start[1] = store->retro->slots(store->work, class_index);
    s.start[2] = s.start[1] * s.class_total;
    if (s.class_total == 2)
        s.start[2] = s.start[1] + store->retro->slots(store->work, partner);
    s.chunks = (size_t)((s.start[2] + CHUNK - 1) / CHUNK);
    size_t bytes = (size_t)s.start[2] * sizeof *s.cells;
    ply_status status = ply_tablebase_folder_load_next(store, class_index, bytes, error);
    if (status == PLY_OK)
        status = ply_tablebase_memory_reserve(&store->room, bytes, &s.array, error);
    if (status != PLY_OK)
        return status;
    s.cells = s.array.data;
    s.due = calloc(s.chunks, sizeof *s.due);
    status = s.due ? run_slice(&s, p, error) : ply_error_set(error, PLY_NO_MEMORY, "out of memory");
    free(s.due);
    ply_tablebase_memory_release(&store->room, &s.array);
    return status;
}

/* --- all of them ---------------------------------------------------------------------------- */
/* Whether both files of a slice are there and sound at their heads. */
static ply_status slice_is_done(tablebase_folder *store, size_t class_index, bool *done,
                                ply_error *error)
{
    size_t classes[2] = {class_index, store->retro->class_partner(class_index)};
    *done = true;
    for (int i = 0; i < 2; i++) {
        ply_text path = ply_text_growing();
        ply_tablebase_file_path(store, classes[i], ".plt", &path);
        const char *name = ply_text_cstr(&path);
        tablebase_file file;
        ply_status status = PLY_OK;
        if (access(name, F_OK) != 0) {
            *done = false;
        } else if ((status = ply_tablebase_file_open(&file, name, error)) == PLY_OK) {
            status =
                ply_tablebase_file_check_header(store->rules, store->retro, store->work, classes[i],
                                                TABLE_VALUES, &file.header, name, error);
            ply_tablebase_file_close(&file);
        }
        ply_text_free(&path);
        if (status != PLY_OK)
            return status;
    }
    return PLY_OK;
}

static uint64_t slice_slots(const tablebase_folder *store, size_t class_index)
{
    size_t partner = store->retro->class_partner(class_index);
    uint64_t slots = store->retro->slots(store->work, class_index);
    return partner == class_index ? slots : slots + store->retro->slots(store->work, partner);
}

static ply_status build_all(tablebase_folder *store, const ply_tablebase_job *job, ply_error *error)
{
    bool *done = calloc(store->slice_count + 1, sizeof *done);
    ply_status status = done ? PLY_OK : ply_error_set(error, PLY_NO_MEMORY, "out of memory");
    uint64_t total = 0, behind = 0;
    for (size_t i = 0; i < store->slice_count && status == PLY_OK; i++) {
        status = slice_is_done(store, store->slices[i], &done[i], error);
        total += done[i] ? 0 : 2 * slice_slots(store, store->slices[i]);
    }
    if (store->progress)
        __atomic_store_n(&store->progress->parts_total, total, __ATOMIC_RELAXED);
    pace p = {.last = ply_clock_nanos(),
              .seconds = job->checkpoint ? job->checkpoint : CHECKPOINT_SECONDS,
              .always = job->checkpoint == UINT_MAX};
    for (size_t i = 0; i < store->slice_count && status == PLY_OK; i++) {
        if (done[i]) {
            remove_checkpoint(store, store->slices[i]);
            continue;
        }
        uint64_t start = ply_clock_nanos();
        status = build_slice(store, store->slices[i], &p, error);
        behind += 2 * slice_slots(store, store->slices[i]);
        if (status == PLY_OK && store->progress) /* draws are never part of a wave */
            __atomic_store_n(&store->progress->parts_done, behind, __ATOMIC_RELAXED);
        if (status == PLY_OK && job->listener) {
            char name[TABLE_CLASS_TEXT];
            ply_text text = ply_text_fixed(name, sizeof name);
            store->rules->indexing->class_name(store->rules, store->slices[i], &text);
            job->listener(job->context, name, slice_slots(store, store->slices[i]),
                          ply_clock_seconds_since(start));
        }
    }
    free(done);
    return status;
}

ply_status ply_tablebase_build(const ply_rules *rules, const ply_tablebase_job *job,
                               ply_error *error)
{
    tablebase_folder store;
    ply_status status = ply_tablebase_folder_open(&store, rules, job, true, error);
    if (status != PLY_OK)
        return status;
    const char *folder = ply_text_cstr(&store.folder);
    int lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (store.retro->max_predecessors > PREDECESSORS)
        status = ply_error_set(error, PLY_LIMIT, "too many predecessors");
    else if (lock < 0)
        status = ply_error_set(error, PLY_IO, "%s: %s", folder, strerror(errno));
    else if (flock(lock, LOCK_EX | LOCK_NB) != 0)
        status =
            ply_error_set(error, PLY_IO, "%s: %s", folder,
                          errno == EWOULDBLOCK ? "another build is at work here" : strerror(errno));
    else
        status = build_all(&store, job, error);
    if (lock >= 0)
        close(lock);
    ply_tablebase_folder_close(&store);
    return status;
}
