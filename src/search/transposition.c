/* SPDX-License-Identifier: MIT */
/* transposition.c - see transposition.h. */
#include "search/transposition.h"
#include <plyverse/search.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { CLUSTER = 4, SCORE_OFFSET = 1 << 23, LARGE_PAGE = 2 << 20 };

bool ply_tt_init(tt_table *table, size_t megabytes)
{
    table->clusters = ((uint64_t)megabytes << 20) / (CLUSTER * sizeof(tt_slot));
    table->age = 0;
    size_t bytes = table->clusters * CLUSTER * sizeof(tt_slot);
    /* In large pages where they can be had: probes are all over the table. */
    size_t page = bytes >= LARGE_PAGE ? LARGE_PAGE : 64;
    table->slots = aligned_alloc(page, (bytes + page - 1) / page * page);
    if (!table->slots)
        return false;
#ifdef MADV_HUGEPAGE
    if (page == LARGE_PAGE)
        (void)madvise(table->slots, bytes, MADV_HUGEPAGE);
#endif
    ply_tt_clear(table);
    return true;
}

void ply_tt_free(tt_table *table)
{
    free(table->slots);
    table->slots = NULL;
}

void ply_tt_clear(tt_table *table)
{
    memset(table->slots, 0, table->clusters * CLUSTER * sizeof(tt_slot));
    table->age = 0;
}

void ply_tt_new_search(tt_table *table)
{
    table->age = (uint8_t)((table->age + 1) & 63);
}

static tt_slot *cluster_of(const tt_table *table, uint64_t key)
{
    return &table->slots[(uint64_t)(((unsigned __int128)key * table->clusters) >> 64) * CLUSTER];
}

void ply_tt_prefetch(const tt_table *table, uint64_t key)
{
    __builtin_prefetch(cluster_of(table, key));
}

static int32_t to_table(int32_t score, int ply)
{
    return score > PLY_SCORE_FORCED ? score + ply : score < -PLY_SCORE_FORCED ? score - ply : score;
}

static int32_t from_table(int32_t score, int ply)
{
    return score > PLY_SCORE_FORCED ? score - ply : score < -PLY_SCORE_FORCED ? score + ply : score;
}

static int depth_of(uint64_t data)
{
    return (int)(data >> 16 & 0xFF);
}

static uint8_t age_of(uint64_t data)
{
    return (uint8_t)(data >> 8 & 63);
}

static bool load(tt_slot *slot, uint64_t key, uint64_t *data)
{
    *data = __atomic_load_n(&slot->data, __ATOMIC_RELAXED);
    return (__atomic_load_n(&slot->check, __ATOMIC_RELAXED) ^ *data) == key && *data != 0;
}

bool ply_tt_probe(const tt_table *table, uint64_t key, int ply, tt_entry *entry)
{
    tt_slot *cluster = cluster_of(table, key);
    for (int i = 0; i < CLUSTER; i++) {
        uint64_t data;
        if (!load(&cluster[i], key, &data))
            continue;
        entry->score = from_table((int32_t)(data >> 40) - SCORE_OFFSET, ply);
        entry->move_number = (uint32_t)(data >> 24 & 0xFFFF);
        entry->depth = depth_of(data);
        entry->bound = (int)(data >> 14 & 3);
        return true;
    }
    return false;
}

/* The slot of this very position, else the one worth least: old, then shallow. */
static tt_slot *slot_to_replace(const tt_table *table, tt_slot *cluster, uint64_t key,
                                uint64_t *old)
{
    tt_slot *chosen = NULL;
    int worst = INT32_MAX;
    for (int i = 0; i < CLUSTER; i++) {
        uint64_t data;
        if (load(&cluster[i], key, &data)) {
            *old = data;
            return &cluster[i];
        }
        int worth = data == 0 ? -1 : depth_of(data) + (age_of(data) == table->age ? 256 : 0);
        if (worth < worst) {
            worst = worth;
            chosen = &cluster[i];
        }
    }
    *old = 0;
    return chosen;
}

void ply_tt_store(tt_table *table, uint64_t key, int ply, const tt_entry *entry)
{
    uint64_t old;
    tt_slot *slot = slot_to_replace(table, cluster_of(table, key), key, &old);
    /* A shallower bound does not drive out deeper knowledge of the same position and search. */
    if (old && age_of(old) == table->age && entry->bound != TABLE_EXACT &&
        entry->depth + 3 < depth_of(old))
        return;
    uint32_t move = entry->move_number;
    if (move == TABLE_NO_MOVE && old)
        move = (uint32_t)(old >> 24 & 0xFFFF);
    int depth = entry->depth < 0 ? 0 : entry->depth > 255 ? 255 : entry->depth;
    uint64_t data = (uint64_t)(to_table(entry->score, ply) + SCORE_OFFSET) << 40 |
                    (uint64_t)(move & 0xFFFF) << 24 | (uint64_t)depth << 16 |
                    (uint64_t)entry->bound << 14 | (uint64_t)table->age << 8;
    __atomic_store_n(&slot->data, data, __ATOMIC_RELAXED);
    __atomic_store_n(&slot->check, key ^ data, __ATOMIC_RELAXED);
}

unsigned ply_tt_fullness(const tt_table *table)
{
    uint64_t sample = table->clusters * CLUSTER < 1000 ? table->clusters * CLUSTER : 1000;
    unsigned used = 0;
    if (sample == 0)
        return 0;
    for (uint64_t i = 0; i < sample; i++) {
        uint64_t data = __atomic_load_n(&table->slots[i].data, __ATOMIC_RELAXED);
        used += data != 0 && age_of(data) == table->age;
    }
    return (unsigned)(used * 1000 / sample);
}
