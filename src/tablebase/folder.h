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

typedef struct table_room {
    const char *folder;
    size_t limit, used; /* bytes; limit 0: none */
} table_room;

typedef struct table_array {
    void *data;
    size_t bytes;
    bool on_disk;
} table_array;

/* Zeroed memory, or PLY_NO_MEMORY or PLY_IO with the reason. */
ply_status table_room_take(table_room *room, size_t bytes, table_array *array, ply_error *error);
void table_room_give(table_room *room, table_array *array);

typedef struct table_values {
    table_array array;
    uint32_t value_bytes;
    uint64_t slots;
    table_header header;
} table_values;

typedef struct table_store {
    const ply_rules *rules;
    const ply_retrograde *retro;
    void *work;
    ply_text rules_name, folder;
    size_t class_count;
    size_t *slices; /* the first class of each, in the order of building */
    size_t slice_count;
    table_values *values; /* by class; no data where it is not loaded */
    table_room room;
    ply_workers *team;
    uint64_t no_stop;
    ply_progress *progress;
} table_store;

/* Slices within job->up_to. Makes the folder where `creates`. */
ply_status table_store_open(table_store *store, const ply_rules *rules,
                            const ply_tablebase_job *job, bool creates, ply_error *error);
void table_store_close(table_store *store);

/* DIR/GAME/RULES, and DIR/GAME/RULES/CLASS.ending. */
void table_folder(const ply_rules *rules, const char *dir, ply_text *out);
void table_path(const table_store *store, size_t class_index, const char *ending, ply_text *out);
/* Whether a header is that of this class of these rules; else the reason. */
ply_status table_check_header(const ply_rules *rules, const ply_retrograde *retro, const void *work,
                              size_t class_index, table_kind kind, const table_header *header,
                              const char *path, ply_error *error);

/* Unpacks a class into memory, all blocks checked; nothing to do when it is there. */
ply_status table_store_load(table_store *store, size_t class_index, ply_error *error);
/* Loads all that a slice's moves lead to outside it, and drops the rest if room is short. */
ply_status table_store_load_next(table_store *store, size_t class_index, size_t more_bytes,
                                 ply_error *error);
/* Unpacks all blocks of a file into array. */
ply_status table_unpack_all(table_store *store, const table_file *file, void *to, const char *path,
                            ply_error *error);

static inline const uint64_t *table_stop(const table_store *store)
{
    return store->progress ? &store->progress->stop : &store->no_stop;
}

static inline bool table_stopped(const table_store *store)
{
    return __atomic_load_n(table_stop(store), __ATOMIC_RELAXED) != 0;
}

static inline void table_count(const table_store *store, uint64_t units, uint64_t parts)
{
    if (!store->progress)
        return;
    __atomic_fetch_add(&store->progress->units, units, __ATOMIC_RELAXED);
    __atomic_fetch_add(&store->progress->parts_done, parts, __ATOMIC_RELAXED);
}

/* 1 + plies, 0 for a draw. The class is loaded. */
static inline unsigned table_value_at(const table_store *store, ply_slot place)
{
    if (place == PLY_SLOT_OVER)
        return 1;
    const table_values *v = &store->values[ply_slot_class(place)];
    uint64_t number = ply_slot_number(place);
    return v->value_bytes == 1 ? ((const uint8_t *)v->array.data)[number]
                               : ((const uint16_t *)v->array.data)[number];
}

static inline void table_value_fetch(const table_store *store, ply_slot place)
{
    if (place == PLY_SLOT_OVER)
        return;
    const table_values *v = &store->values[ply_slot_class(place)];
    __builtin_prefetch((const char *)v->array.data + ply_slot_number(place) * v->value_bytes);
}

#endif
