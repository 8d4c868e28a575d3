/* SPDX-License-Identifier: MIT */
/* mate_tt.c - the transposition table of the mate search, and a hash map; see mate_tt.h. */
#include "games/fived/solve/mate_tt.h"
#include "core/hash.h"
#include <stdlib.h>
#include <string.h>

enum { BUCKET = 4, FIRST_ROOM = 64 };

bool fived_mate_tt_init(mate_tt *tt, size_t bytes)
{
    *tt = (mate_tt){.buckets = bytes / (BUCKET * sizeof(mate_entry)), .run = 1};
    tt->buckets += tt->buckets == 0;
    tt->entries = calloc(tt->buckets, BUCKET * sizeof *tt->entries);
    return tt->entries != NULL;
}

void fived_mate_tt_free(mate_tt *tt)
{
    free(tt->entries);
    *tt = (mate_tt){0};
}

void fived_mate_tt_clear(mate_tt *tt)
{
    if (++tt->run == 0) {
        memset(tt->entries, 0, tt->buckets * BUCKET * sizeof *tt->entries);
        tt->run = 1;
        tt->used = 0;
    }
}

static mate_entry *bucket_of(const mate_tt *tt, uint64_t key)
{
    size_t at = (size_t)((unsigned __int128)ply_mix64(key) * tt->buckets >> 64);
    return &tt->entries[at * BUCKET];
}

const mate_entry *fived_mate_tt_probe(const mate_tt *tt, uint64_t key)
{
    const mate_entry *bucket = bucket_of(tt, key);
    for (int i = 0; i < BUCKET; i++)
        if (bucket[i].run == tt->run && bucket[i].key == key)
            return &bucket[i];
    return NULL;
}

void fived_mate_tt_store(mate_tt *tt, const mate_entry *fresh)
{
    mate_entry *bucket = bucket_of(tt, fresh->key), *replace = bucket;
    for (int i = 0; i < BUCKET; i++) {
        mate_entry *e = &bucket[i];
        bool used = e->run == tt->run;
        if (used && e->key == fresh->key) {
            mate_entry old = *e;
            *e = *fresh;
            e->run = tt->run;
            e->win = old.win < e->win ? old.win : e->win;
            e->fail = old.fail > e->fail ? old.fail : e->fail;
            e->work = old.work > UINT32_MAX - e->work ? UINT32_MAX : old.work + e->work;
            return;
        }
        if (replace->run == tt->run && (!used || e->work < replace->work))
            replace = e;
    }
    tt->used += replace->run == 0;
    *replace = *fresh;
    replace->run = tt->run;
}

size_t fived_mate_tt_bytes(const mate_tt *tt)
{
    return tt->used * sizeof *tt->entries;
}

/* --- maps ------------------------------------------------------------------------------------ */
void fived_mate_map_free(mate_map *map)
{
    free(map->keys);
    free(map->values);
    *map = (mate_map){.has_values = map->has_values};
}

void fived_mate_map_clear(mate_map *map)
{
    if (map->count > 0)
        memset(map->keys, 0, map->room * sizeof *map->keys);
    map->count = 0;
}

/* The index at which the key is or would be. */
static size_t slot_of(const uint64_t *keys, size_t room, uint64_t key)
{
    size_t at = (size_t)ply_mix64(key) & (room - 1);
    while (keys[at] && keys[at] != key)
        at = (at + 1) & (room - 1);
    return at;
}

bool fived_mate_map_get(const mate_map *map, uint64_t key, uint64_t *value)
{
    key += key == 0;
    if (map->room == 0)
        return false;
    size_t at = slot_of(map->keys, map->room, key);
    if (map->keys[at] && map->has_values)
        *value = map->values[at];
    return map->keys[at] != 0;
}

static bool enlarge(mate_map *map)
{
    size_t room = map->room ? 2 * map->room : FIRST_ROOM;
    uint64_t *keys = calloc(room, sizeof *keys);
    uint64_t *values = map->has_values ? malloc(room * sizeof *values) : NULL;
    if (!keys || (map->has_values && !values)) {
        free(keys);
        free(values);
        return false;
    }
    for (size_t i = 0; i < map->room; i++)
        if (map->keys[i]) {
            size_t at = slot_of(keys, room, map->keys[i]);
            keys[at] = map->keys[i];
            if (values)
                values[at] = map->values[i];
        }
    free(map->keys);
    free(map->values);
    map->keys = keys;
    map->values = values;
    map->room = room;
    return true;
}

int fived_mate_map_add(mate_map *map, uint64_t key, uint64_t value)
{
    key += key == 0;
    if (map->count * 4 >= map->room * 3 && !enlarge(map))
        return -1;
    size_t at = slot_of(map->keys, map->room, key);
    if (map->keys[at])
        return 0;
    map->keys[at] = key;
    if (map->has_values)
        map->values[at] = value;
    map->count++;
    return 1;
}

size_t fived_mate_map_bytes(const mate_map *map)
{
    return map->room * sizeof(uint64_t) * (map->has_values ? 2 : 1);
}
