/* SPDX-License-Identifier: MIT */
/*
 * folder.h - the folder of one set of rules and the classes loaded from it.
 *
 * The builder and the verifier look up values of many classes in random order, so they keep the
 * classes they need decompressed in memory, one or two bytes per value. A memory budget bounds
 * this: what does not fit is mapped from an unlinked file in the folder, which the system deletes
 * even when the program is killed. Disk space is reserved in advance, so a full disk is an error
 * and not a crash.
 */
#ifndef PLY_TABLEBASE_FOLDER_H
#define PLY_TABLEBASE_FOLDER_H

#include "core/progress.h"
#include "model/retrograde.h"
#include "tablebase/file.h"
#include <plyverse/tablebase.h>
#include <stdatomic.h>

/* A unit of work for one worker, and of the distribution of values over the ranks of a cluster. */
enum { CHUNK_CELLS = 1 << 16 };

/* The number of values in one rank's part when chunks are dealt out to the ranks in turn. */
static inline uint64_t part_values(uint64_t values, unsigned rank, unsigned ranks)
{
    uint64_t chunks = (values + CHUNK_CELLS - 1) / CHUNK_CELLS;
    if (chunks <= rank)
        return 0;
    uint64_t own = (chunks + ranks - 1 - rank) / ranks * CHUNK_CELLS;
    bool has_last = (chunks - 1) % ranks == rank; /* which may be incomplete */
    return has_last ? own - (chunks * CHUNK_CELLS - values) : own;
}

typedef struct memory_budget {
    const char *scratch_dir;
    size_t limit, used; /* bytes; limit 0: none */
} memory_budget;

/* Memory from the budget: anonymous, or mapped from a scratch file. */
typedef struct budget_array {
    void *data;
    size_t bytes;
    bool on_disk;
} budget_array;

/* Allocates zeroed memory. Fails with PLY_NO_MEMORY or PLY_IO and the reason in error. */
ply_status ply_tablebase_memory_reserve(memory_budget *budget, size_t bytes, budget_array *array,
                                        ply_error *error);
/* An array without data is a no-op. */
void ply_tablebase_memory_release(memory_budget *budget, budget_array *array);

/* The values of one class; array.data is NULL while the class is not loaded. */
typedef struct tablebase_values {
    budget_array array;
    uint32_t value_bytes;
    tablebase_header header;
} tablebase_values;

typedef struct tablebase_folder {
    const ply_rules *rules;
    const ply_retrograde *retrograde;
    void *workspace; /* of retrograde */
    ply_text rules_name, path;
    size_t class_count;
    size_t *slices; /* the first class of each slice, in build order */
    size_t slice_count;
    tablebase_values *values; /* by class */
    memory_budget budget;
    ply_workers *workers;
    ply_progress *progress; /* may be NULL */
} tablebase_folder;

/* Opens the folder for the slices within job->up_to; `create` makes missing directories. */
ply_status ply_tablebase_folder_open(tablebase_folder *folder, const ply_rules *rules,
                                     const ply_tablebase_job *job, bool create, ply_error *error);
void ply_tablebase_folder_close(tablebase_folder *folder);

/* Appends DIR/GAME/RULES. */
void ply_tablebase_folder_path(const ply_rules *rules, const char *dir, ply_text *out);
/* Makes *path a new text, DIR/GAME/RULES/CLASS and the extension. The caller frees it, even after a
 * failure (PLY_NO_MEMORY). */
ply_status ply_tablebase_file_path(const tablebase_folder *folder, size_t class_index,
                                   const char *extension, ply_text *path, ply_error *error);
/* Checks that a header belongs to this class of these rules. Fails with PLY_IO and the reason. */
ply_status ply_tablebase_file_check_header(const ply_rules *rules, const ply_retrograde *retrograde,
                                           const void *workspace, size_t class_index,
                                           tablebase_kind kind, const tablebase_header *header,
                                           const char *path, ply_error *error);

/* The number of slots of a slice: those of a class and of its partner. */
uint64_t ply_tablebase_folder_slice_slots(const tablebase_folder *folder, size_t class_index);

/* Loads a class and checks all of its blocks. A class that is already loaded is a no-op. */
ply_status ply_tablebase_folder_load(tablebase_folder *folder, size_t class_index,
                                     ply_error *error);
/* The same for the part that one rank of a cluster holds. */
ply_status ply_tablebase_folder_load_part(tablebase_folder *folder, size_t class_index,
                                          unsigned rank, unsigned ranks, ply_error *error);
/* The classes that moves out of a slice lead to, at most 2 x PLY_CLASS_EXITS; a class may be listed
 * twice. Returns the number. */
size_t ply_tablebase_folder_exits(const tablebase_folder *folder, size_t class_index,
                                  size_t *exits);
/* Drops all loaded classes. */
void ply_tablebase_folder_drop(tablebase_folder *folder);
/*
 * Loads every class that moves out of a slice lead to. If these and another extra_bytes exceed the
 * budget, all other classes are dropped first.
 */
ply_status ply_tablebase_folder_load_exits(tablebase_folder *folder, size_t class_index,
                                           size_t extra_bytes, ply_error *error);
/*
 * Decompresses the part of a file that one rank of a cluster holds (chunks as in slice.h; rank 0 of
 * 1: all of it) into consecutive values at `to`.
 */
ply_status ply_tablebase_folder_unpack(tablebase_folder *folder, const tablebase_file *file,
                                       unsigned rank, unsigned ranks, void *to, const char *path,
                                       ply_error *error);

/* What workers need to decompress blocks: an unpacker and an error each. */
typedef struct unpack_team {
    unsigned workers;
    tablebase_unpacker **unpackers;
    ply_error *errors;
} unpack_team;
/* False when out of memory; close it all the same. */
bool ply_tablebase_unpack_team_open(unpack_team *team, ply_workers *workers);
/* Returns the first error of a worker, or PLY_NO_MEMORY for a team that did not open. */
ply_status ply_tablebase_unpack_team_close(unpack_team *team, ply_error *error);

static inline bool folder_stopped(const tablebase_folder *folder)
{
    return folder->progress && ply_progress_stopped(folder->progress);
}

/* Reports finished work: positions looked at, which are also the parts of the job. */
static inline void folder_add_progress(const tablebase_folder *folder, uint64_t positions)
{
    if (!folder->progress)
        return;
    ply_progress_add(&folder->progress->units, positions);
    ply_progress_add(&folder->progress->parts_done, positions);
}

/* The stored value of a slot: 1 + plies, or 0 for a draw. Its class must be loaded. */
static inline unsigned folder_value(const tablebase_folder *folder, ply_slot slot)
{
    if (slot == PLY_SLOT_NO_PIECES)
        return 1;
    const tablebase_values *v = &folder->values[ply_slot_class(slot)];
    uint64_t number = ply_slot_number(slot);
    return v->value_bytes == 1 ? ((const uint8_t *)v->array.data)[number]
                               : ((const uint16_t *)v->array.data)[number];
}

static inline void folder_prefetch(const tablebase_folder *folder, ply_slot slot)
{
    if (slot == PLY_SLOT_NO_PIECES)
        return;
    const tablebase_values *v = &folder->values[ply_slot_class(slot)];
    __builtin_prefetch((const char *)v->array.data + ply_slot_number(slot) * v->value_bytes);
}

/* Raises *maximum to a value, from any thread. */
static inline void raise_maximum(_Atomic uint64_t *maximum, uint64_t value)
{
    uint64_t known = atomic_load_explicit(maximum, memory_order_relaxed);
    while (value > known && !atomic_compare_exchange_weak_explicit(
                                maximum, &known, value, memory_order_relaxed, memory_order_relaxed))
        ;
}

#endif
