/* SPDX-License-Identifier: MIT */
/*
 * folder.h - the folder of one set of rules, and the tables of it that are in memory.
 *
 * Builder and verifier look up values of many classes at random places, so they hold the classes
 * they need unpacked, one or two bytes a value. A room bounds the memory: what does not fit is
 * mapped from a file in the folder that has no name any more, so nothing is left behind when the
 * program is killed. The disk space is taken beforehand: a full disk is an error and no crash.
 */
#ifndef PLY_TABLEBASE_FOLDER_H
#define PLY_TABLEBASE_FOLDER_H

#include "model/retrograde.h"
#include "tablebase/file.h"
#include <plyverse/tablebase.h>

typedef struct memory_budget {
    const char *folder;
    size_t limit, used; /* bytes; limit 0: none */
} memory_budget;

typedef struct tablebase_array {
    void *data;
    size_t bytes;
    bool on_disk;
} tablebase_array;

/* Zeroed memory, or PLY_NO_MEMORY or PLY_IO with the reason. */
ply_status ply_tablebase_memory_reserve(memory_budget *room, size_t bytes, tablebase_array *array,
                                        ply_error *error);
void ply_tablebase_memory_release(memory_budget *room, tablebase_array *array);

typedef struct tablebase_values {
    tablebase_array array;
    uint32_t value_bytes;
    uint64_t slots;
    tablebase_header header;
} tablebase_values;

typedef struct tablebase_folder {
    const ply_rules *rules;
    const ply_retrograde *retro;
    void *work;
    ply_text rules_name, folder;
    size_t class_count;
    size_t *slices; /* the first class of each, in the order of building */
    size_t slice_count;
    tablebase_values *values; /* by class; no data where it is not loaded */
    memory_budget room;
    ply_workers *team;
    uint64_t no_stop;
    ply_progress *progress;
} tablebase_folder;

/* Slices within job->up_to. Makes the folder where `creates`. */
ply_status ply_tablebase_folder_open(tablebase_folder *store, const ply_rules *rules,
                                     const ply_tablebase_job *job, bool creates, ply_error *error);
void ply_tablebase_folder_close(tablebase_folder *store);

/* DIR/GAME/RULES, and DIR/GAME/RULES/CLASS.ending. */
void ply_tablebase_folder_path(const ply_rules *rules, const char *dir, ply_text *out);
void ply_tablebase_file_path(const tablebase_folder *store, size_t class_index, const char *ending,
                             ply_text *out);
/* Whether a header is that of this class of these rules; else the reason. */
ply_status ply_tablebase_file_check_header(const ply_rules *rules, const ply_retrograde *retro,
                                           const void *work, size_t class_index,
                                           tablebase_kind kind, const tablebase_header *header,
                                           const char *path, ply_error *error);

/* Unpacks a class into memory, all blocks checked; nothing to do when it is there. */
ply_status ply_tablebase_folder_load(tablebase_folder *store, size_t class_index, ply_error *error);
/* Loads all that a slice's moves lead to outside it, and drops the rest if room is short. */
ply_status ply_tablebase_folder_load_next(tablebase_folder *store, size_t class_index,
                                          size_t more_bytes, ply_error *error);
/* Unpacks all blocks of a file into array. */
ply_status ply_tablebase_unpack_all(tablebase_folder *store, const tablebase_file *file, void *to,
                                    const char *path, ply_error *error);

static inline const uint64_t *table_stop(const tablebase_folder *store)
{
    return store->progress ? &store->progress->stop : &store->no_stop;
}

static inline bool table_stopped(const tablebase_folder *store)
{
    return __atomic_load_n(table_stop(store), __ATOMIC_RELAXED) != 0;
}

static inline void table_count(const tablebase_folder *store, uint64_t units, uint64_t parts)
{
    if (!store->progress)
        return;
    __atomic_fetch_add(&store->progress->units, units, __ATOMIC_RELAXED);
    __atomic_fetch_add(&store->progress->parts_done, parts, __ATOMIC_RELAXED);
}

/* 1 + plies, 0 for a draw. The class is loaded. */
static inline unsigned table_value_at(const tablebase_folder *store, ply_slot place)
{
    if (place == PLY_SLOT_OVER)
        return 1;
    const tablebase_values *v = &store->values[ply_slot_class(place)];
    uint64_t number = ply_slot_number(place);
    return v->value_bytes == 1 ? ((const uint8_t *)v->array.data)[number]
                               : ((const uint16_t *)v->array.data)[number];
}

static inline void table_value_fetch(const tablebase_folder *store, ply_slot place)
{
    if (place == PLY_SLOT_OVER)
        return;
    const tablebase_values *v = &store->values[ply_slot_class(place)];
    __builtin_prefetch((const char *)v->array.data + ply_slot_number(place) * v->value_bytes);
}

#endif
