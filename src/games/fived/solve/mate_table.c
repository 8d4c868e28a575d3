/* SPDX-License-Identifier: MIT */
/* mate_table.c - what the search for mates knows of positions, and sets of keys. */
#include "games/fived/solve/mate_table.h"
#include "core/hash.h"
#include <stdlib.h>
#include <string.h>

enum { BUCKET = 4, FEW_KEYS = 64 };

bool fived_mate_table_init(mate_table *table, size_t bytes)
{
    *table = (mate_table){.buckets = bytes / (BUCKET * sizeof(mate_entry)), .run = 1};
    table->buckets += table->buckets == 0;
    table->entries = calloc(table->buckets, BUCKET * sizeof *table->entries);
    return table->entries != NULL;
}

void fived_mate_table_free(mate_table *table)
{
    free(table->entries);
    *table = (mate_table){0};
}

void fived_mate_table_clear(mate_table *table)
{
    if (++table->run == 0) {
        memset(table->entries, 0, table->buckets * BUCKET * sizeof *table->entries);
        table->run = 1;
        table->used = 0;
    }
}

static mate_entry *bucket_of(const mate_table *table, uint64_t key)
{
    size_t at = (size_t)((unsigned __int128)ply_mix64(key) * table->buckets >> 64);
    return &table->entries[at * BUCKET];
}

const mate_entry *fived_mate_table_find(const mate_table *table, uint64_t key)
{
    const mate_entry *bucket = bucket_of(table, key);
    for (int i = 0; i < BUCKET; i++)
        if (bucket[i].run == table->run && bucket[i].key == key)
            return &bucket[i];
    return NULL;
}

void fived_mate_table_store(mate_table *table, const mate_entry *fresh)
{
    mate_entry *bucket = bucket_of(table, fresh->key), *place = bucket;
    for (int i = 0; i < BUCKET; i++) {
        mate_entry *e = &bucket[i];
        bool used = e->run == table->run;
        if (used && e->key == fresh->key) {
            mate_entry old = *e;
            *e = *fresh;
            e->run = table->run;
            e->win = old.win < e->win ? old.win : e->win;
            e->fail = old.fail > e->fail ? old.fail : e->fail;
            e->work = old.work > UINT32_MAX - e->work ? UINT32_MAX : old.work + e->work;
            return;
        }
        if (place->run == table->run && (!used || e->work < place->work))
            place = e;
    }
    table->used += place->run == 0;
    *place = *fresh;
    place->run = table->run;
}

size_t fived_mate_table_bytes(const mate_table *table)
{
    return table->used * sizeof *table->entries;
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

/* Where the key is or would be. */
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
    size_t room = map->room ? 2 * map->room : FEW_KEYS;
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
