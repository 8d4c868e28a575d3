/* SPDX-License-Identifier: MIT */
/*
 * verify.c - verifies tablebases from first principles.
 *
 * Every value is derived again from the values of its successors, using the rules alone. If all
 * values agree, they are proved correct by induction on the number of plies: a win has a move to a
 * loss that is one ply shorter, a loss has only moves to wins that are at most that long, and a
 * draw has a move to a draw and none to a lost position. The verifier shares only the loading of
 * files with the builder. On a CUDA device, one thread derives one value (cuda/slices.h).
 */
#include "core/options.h"
#include "model/derive.h"
#include "tablebase/device.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK_SLOTS = 1 << 16, LOOKAHEAD = 16 };

typedef struct class_check {
    tablebase_folder *folder;
    size_t class_index;
    uint64_t slots;
    _Atomic uint64_t wins, losses, draws, longest;
    _Atomic uint64_t first_wrong; /* the lowest number of a wrong slot, or UINT64_MAX */
    _Atomic bool out_of_memory;
} class_check;

/* The counts of one chunk. */
typedef struct tally {
    uint64_t wins, losses, draws, longest;
} tally;

static unsigned derive(const tablebase_folder *folder, const ply_slot *successors, size_t count)
{
    derivation d = derivation_start();
    for (size_t i = 0; i < count; i++)
        derivation_add(&d, folder_value(folder, successors[i]));
    return derivation_value(&d);
}

static void report_wrong(class_check *c, uint64_t number)
{
    uint64_t known = atomic_load_explicit(&c->first_wrong, memory_order_relaxed);
    while (number < known &&
           !atomic_compare_exchange_weak_explicit(&c->first_wrong, &known, number,
                                                  memory_order_relaxed, memory_order_relaxed))
        ;
}

static void tally_value(tally *t, unsigned value, unsigned positions)
{
    *(value == 0 ? &t->draws : value & 1 ? &t->losses : &t->wins) += positions;
    if (value > t->longest + 1)
        t->longest = value - 1;
}

static void add_tally(class_check *c, const tally *t)
{
    atomic_fetch_add_explicit(&c->wins, t->wins, memory_order_relaxed);
    atomic_fetch_add_explicit(&c->losses, t->losses, memory_order_relaxed);
    atomic_fetch_add_explicit(&c->draws, t->draws, memory_order_relaxed);
    raise_maximum(&c->longest, t->longest);
}

static void check_slot(class_check *c, tally *t, uint64_t number, const ply_slot *successors,
                       size_t count)
{
    const tablebase_folder *folder = c->folder;
    ply_slot slot = ply_slot_make(c->class_index, number);
    unsigned positions = folder->retrograde->orbit_size(folder->workspace, slot);
    unsigned value = folder_value(folder, slot);
    if (value != (positions ? derive(folder, successors, count) : 0))
        report_wrong(c, number);
    tally_value(t, value, positions);
}

static void check_chunk(void *context, size_t piece, unsigned worker)
{
    (void)worker;
    class_check *c = context;
    tally t = {0};
    const tablebase_folder *folder = c->folder;
    if (folder_stopped(folder))
        return;
    size_t room = folder->retrograde->max_successors;
    ply_slot *successors = malloc(LOOKAHEAD * room * sizeof *successors);
    if (!successors) {
        atomic_store_explicit(&c->out_of_memory, true, memory_order_relaxed);
        return;
    }
    uint64_t number = (uint64_t)piece * CHUNK_SLOTS, first = number, end = number + CHUNK_SLOTS;
    end = end < c->slots ? end : c->slots;
    while (number < end) {
        size_t counts[LOOKAHEAD], n = end - number < LOOKAHEAD ? (size_t)(end - number) : LOOKAHEAD;
        for (size_t i = 0; i < n; i++) {
            ply_slot *out = successors + i * room;
            counts[i] = folder->retrograde->successors(
                folder->workspace, ply_slot_make(c->class_index, number + i), out);
            for (size_t k = 0; k < counts[i]; k++)
                folder_prefetch(folder, out[k]);
        }
        for (size_t i = 0; i < n; i++)
            check_slot(c, &t, number + i, successors + i * room, counts[i]);
        number += n;
    }
    free(successors);
    add_tally(c, &t);
    folder_add_progress(folder, end - first);
}

/* --- by rows -------------------------------------------------------------------------------- */
enum { BATCH = 128, STATE_WORDS = 160 };

/* Holes have no cell; their value must be 0. */
static void check_holes(class_check *c, uint64_t row, uint64_t columns)
{
    const tablebase_folder *folder = c->folder;
    for (uint64_t i = row * columns; i < (row + 1) * columns && i < c->slots; i++) {
        ply_slot slot = ply_slot_make(c->class_index, i);
        if (folder_value(folder, slot) != 0 &&
            folder->retrograde->orbit_size(folder->workspace, slot) == 0)
            report_wrong(c, i);
    }
}

/* The cells of a row: their slots are anywhere, their successors within a few rows. */
static void check_row(void *context, size_t row, unsigned worker)
{
    (void)worker;
    class_check *c = context;
    const tablebase_folder *folder = c->folder;
    const ply_retrograde_rows *rows = folder->retrograde->rows;
    uint64_t state[STATE_WORDS];
    size_t columns = rows->columns(folder->workspace, c->class_index);
    ply_slot cells[BATCH], *successors = malloc(BATCH * UINT8_MAX * sizeof *successors);
    uint8_t counts[BATCH];
    tally t = {0};
    if (!successors)
        c->out_of_memory = true;
    if (!successors || folder_stopped(folder)) {
        free(successors);
        return;
    }
    rows->open(folder->workspace, c->class_index, row, state);
    unsigned weight = rows->weight(state);
    for (size_t first = 0; first < columns; first += BATCH) {
        size_t count = columns - first < BATCH ? columns - first : BATCH;
        rows->successors(state, (uint32_t)first, count, cells, counts, successors);
        for (size_t i = 0; i < count; i++)
            folder_prefetch(folder, cells[i]);
        const ply_slot *at = successors;
        for (size_t i = 0; i < count; at += counts[i++]) {
            unsigned value = folder_value(folder, cells[i]);
            if (value != derive(folder, at, counts[i]))
                report_wrong(c, ply_slot_number(cells[i]));
            tally_value(&t, value, weight);
        }
    }
    free(successors);
    add_tally(c, &t);
    folder_add_progress(folder, columns);
}

static void check_row_holes(void *context, size_t row, unsigned worker)
{
    (void)worker;
    class_check *c = context;
    const tablebase_folder *folder = c->folder;
    const ply_retrograde *retrograde = folder->retrograde;
    uint64_t state[STATE_WORDS];
    size_t partner = retrograde->class_partner(c->class_index);
    retrograde->rows->open(folder->workspace, partner, row, state);
    if (retrograde->rows->weight(state) != retrograde->rows->max_images)
        check_holes(c, row, retrograde->rows->columns(folder->workspace, partner));
}

/* Row r of the cells and row r of the partner's slots belong to the same set. */
static void check_rows(class_check *c)
{
    const tablebase_folder *folder = c->folder;
    const ply_retrograde *retrograde = folder->retrograde;
    size_t partner = retrograde->class_partner(c->class_index);
    uint64_t cells = retrograde->slot_count(folder->workspace, partner);
    assert(retrograde->rows->row_bytes <= STATE_WORDS * sizeof(uint64_t));
    ply_workers_run(folder->workers,
                    (size_t)(cells / retrograde->rows->columns(folder->workspace, c->class_index)),
                    check_row, c);
    ply_workers_run(folder->workers,
                    (size_t)(c->slots / retrograde->rows->columns(folder->workspace, partner)),
                    check_row_holes, c);
}

/* Fails with the first position whose value is wrong. */
static ply_status fail_wrong(const class_check *c, const char *path, ply_error *error)
{
    const tablebase_folder *folder = c->folder;
    ply_slot slot = ply_slot_make(c->class_index, c->first_wrong);
    ply_text text = ply_text_growing();
    void *position = malloc(folder->rules->position_bytes);
    if (position) {
        folder->retrograde->position_of(folder->workspace, slot, position);
        folder->rules->game->format(folder->rules, position, &text);
    }
    ply_error_set(
        error, PLY_BAD_POSITION, "%s: value %u at slot %llu (%s) does not follow from its moves",
        path, folder_value(folder, slot), (unsigned long long)c->first_wrong, ply_text_cstr(&text));
    free(position);
    ply_text_free(&text);
    return PLY_BAD_POSITION;
}

/* The same on a device. */
static ply_status check_on_device(class_check *c, void *device, ply_error *error)
{
    device_check found;
    ply_status status =
        ply_tablebase_device_check(device, c->folder, c->class_index, &found, error);
    c->wins = found.wins;
    c->losses = found.losses;
    c->draws = found.draws;
    c->longest = found.longest;
    c->first_wrong = found.first_wrong;
    return status;
}

static ply_status check_class(tablebase_folder *folder, size_t class_index, void *device,
                              const char *path, ply_error *error)
{
    const tablebase_header *h = &folder->values[class_index].header;
    class_check c = {
        .folder = folder, .class_index = class_index, .slots = h->slots, .first_wrong = UINT64_MAX};
    ply_status status = PLY_OK;
    if (device)
        status = check_on_device(&c, device, error);
    else if (folder->retrograde->rows)
        check_rows(&c);
    else
        ply_workers_run(folder->workers, (size_t)((c.slots + CHUNK_SLOTS - 1) / CHUNK_SLOTS),
                        check_chunk, &c);
    if (status != PLY_OK)
        return status;
    if (folder_stopped(folder))
        return ply_error_set(error, PLY_STOPPED, "stopped");
    if (c.out_of_memory)
        return ply_error_set(error, PLY_NO_MEMORY, "out of memory");
    if (c.first_wrong != UINT64_MAX)
        return fail_wrong(&c, path, error);
    ply_slot longest = ply_slot_make(class_index, h->longest_slot);
    if (c.wins != h->wins || c.losses != h->losses || c.draws != h->draws ||
        c.longest != h->longest || (h->longest && folder_value(folder, longest) != h->longest + 1))
        return ply_error_set(error, PLY_BAD_POSITION,
                             "%s: the counts in the header do not match the values", path);
    return PLY_OK;
}

static ply_status check_slice(tablebase_folder *folder, size_t class_index, void *device,
                              ply_error *error)
{
    size_t classes[2] = {class_index, folder->retrograde->class_partner(class_index)};
    size_t bytes = 0;
    for (int i = 0; i < 2; i++)
        bytes += (size_t)folder->retrograde->slot_count(folder->workspace, classes[i]);
    ply_status status = ply_tablebase_folder_load_exits(folder, class_index, bytes, error);
    for (int i = 0; i < 2 && status == PLY_OK; i++)
        status = ply_tablebase_folder_load(folder, classes[i], error);
    for (int i = 0; i < 1 + (classes[0] != classes[1]) && status == PLY_OK; i++) {
        ply_text path;
        status = ply_tablebase_file_path(folder, classes[i], ".plt", &path, error);
        if (status == PLY_OK)
            status = check_class(folder, classes[i], device, ply_text_cstr(&path), error);
        ply_text_free(&path);
    }
    return status;
}

ply_status ply_tablebase_verify(const ply_rules *rules, const ply_tablebase_job *given,
                                ply_error *error)
{
    tablebase_folder folder;
    ply_tablebase_job own, *job = &own;
    ply_options_copy(&own, sizeof own, given);
    ply_status status = ply_tablebase_folder_open(&folder, rules, job, false, error);
    if (status != PLY_OK)
        return status;
    void *device = NULL;
    if (job->device == PLY_DEVICE_CUDA)
        status = ply_tablebase_device_open(&device, &folder, job->device_index, error);
    uint64_t total = 0;
    for (size_t i = 0; i < folder.slice_count; i++)
        total += ply_tablebase_folder_slice_slots(&folder, folder.slices[i]);
    if (folder.progress)
        ply_progress_set(&folder.progress->parts_total, total);
    for (size_t i = 0; i < folder.slice_count && status == PLY_OK; i++)
        status = check_slice(&folder, folder.slices[i], device, error);
    ply_tablebase_device_close(device);
    ply_tablebase_folder_close(&folder);
    return status;
}
