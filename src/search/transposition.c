/* SPDX-License-Identifier: MIT */
/* transposition.c - see transposition.h. */
#include "search/transposition.h"
#include <plyverse/search.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    CLUSTER_SLOTS = 4,
    CACHE_LINE = 64,
    LARGE_PAGE = 2 << 20,
    SCORE_OFFSET = 1 << 23, /* makes stored scores positive */
    MAX_AGE = 63,
    MAX_DEPTH = 255,
    CURRENT_AGE_BONUS = 256,  /* an entry of this search outranks any older one */
    REPLACE_DEPTH_MARGIN = 3, /* a bound this much shallower does not replace its own entry */
    HASHFULL_SAMPLE = 1000,   /* slots */
    SCORE_SHIFT = 40,
    MOVE_SHIFT = 24,
    DEPTH_SHIFT = 16,
    BOUND_SHIFT = 14,
    AGE_SHIFT = 8,
    PV_SHIFT = 7,
    KEY_SHIFT = 16, /* of the check word */
    EVAL_MASK = 0xFFFF,
    EVAL_OFFSET = 1 << 15,
};

bool ply_tt_init(transposition_table *table, size_t megabytes)
{
    table->clusters = ((uint64_t)megabytes << 20) / (CLUSTER_SLOTS * sizeof(tt_slot));
    table->age = 0;
    size_t bytes = table->clusters * CLUSTER_SLOTS * sizeof(tt_slot);
    /* Probes are scattered over the whole table: large pages save TLB misses. */
    size_t page = bytes >= LARGE_PAGE ? LARGE_PAGE : CACHE_LINE;
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

void ply_tt_free(transposition_table *table)
{
    free(table->slots);
    table->slots = NULL;
}

void ply_tt_clear(transposition_table *table)
{
    memset(table->slots, 0, table->clusters * CLUSTER_SLOTS * sizeof(tt_slot));
    table->age = 0;
}

void ply_tt_new_search(transposition_table *table)
{
    table->age = (uint8_t)((table->age + 1) & MAX_AGE);
}

static tt_slot *cluster_of(const transposition_table *table, uint64_t key)
{
    uint64_t number = (uint64_t)(((unsigned __int128)key * table->clusters) >> 64);
    return &table->slots[number * CLUSTER_SLOTS];
}

void ply_tt_prefetch(const transposition_table *table, uint64_t key)
{
    if (table->slots) /* a quiescence search on its own has no table */
        __builtin_prefetch(cluster_of(table, key));
}

/* Forced scores count plies from the root in the search and from the position in the table. */
static int32_t score_to_table(int32_t score, int ply)
{
    return score > PLY_SCORE_FORCED ? score + ply : score < -PLY_SCORE_FORCED ? score - ply : score;
}

static int32_t score_from_table(int32_t score, int ply)
{
    return score > PLY_SCORE_FORCED ? score - ply : score < -PLY_SCORE_FORCED ? score + ply : score;
}

static uint32_t move_of(uint64_t data)
{
    return (uint32_t)(data >> MOVE_SHIFT & 0xFFFF);
}

static int depth_of(uint64_t data)
{
    return (int)(data >> DEPTH_SHIFT & 0xFF);
}

static uint8_t age_of(uint64_t data)
{
    return (uint8_t)(data >> AGE_SHIFT & MAX_AGE);
}

/* The check word without the evaluation. */
static uint64_t check_of(uint64_t key, uint64_t data)
{
    return (key << KEY_SHIFT) ^ (data & ~(uint64_t)EVAL_MASK);
}

/* Reads a slot; true if it is whole and holds this key. */
static bool load(tt_slot *slot, uint64_t key, uint64_t *data, uint64_t *check)
{
    *data = atomic_load_explicit(&slot->data, memory_order_relaxed);
    *check = atomic_load_explicit(&slot->check, memory_order_relaxed);
    return ((*check ^ check_of(key, *data)) & ~(uint64_t)EVAL_MASK) == 0 && *data != 0;
}

/* 0 stands for no evaluation. */
static uint64_t eval_to_table(int32_t eval)
{
    return eval < -TT_EVAL_LIMIT || eval > TT_EVAL_LIMIT ? 0 : (uint64_t)(eval + EVAL_OFFSET);
}

static int32_t eval_from_table(uint64_t check)
{
    int32_t stored = (int32_t)(check & EVAL_MASK);
    return stored ? stored - EVAL_OFFSET : TT_NO_EVAL;
}

bool ply_tt_probe(const transposition_table *table, uint64_t key, int ply, tt_entry *entry)
{
    tt_slot *cluster = cluster_of(table, key);
    for (int i = 0; i < CLUSTER_SLOTS; i++) {
        uint64_t data, check;
        if (!load(&cluster[i], key, &data, &check))
            continue;
        entry->score = score_from_table((int32_t)(data >> SCORE_SHIFT) - SCORE_OFFSET, ply);
        entry->move_number = move_of(data);
        entry->depth = depth_of(data);
        entry->bound = (int)(data >> BOUND_SHIFT & 3);
        entry->eval = eval_from_table(check);
        entry->pv = data >> PV_SHIFT & 1;
        return true;
    }
    return false;
}

/* The slot that already holds the key, else the least valuable one: old first, then shallow. */
static tt_slot *slot_to_replace(const transposition_table *table, tt_slot *cluster, uint64_t key,
                                uint64_t *old)
{
    tt_slot *chosen = NULL;
    int least = INT32_MAX;
    for (int i = 0; i < CLUSTER_SLOTS; i++) {
        uint64_t data, check;
        if (load(&cluster[i], key, &data, &check)) {
            *old = data;
            return &cluster[i];
        }
        int value =
            data == 0 ? -1 : depth_of(data) + (age_of(data) == table->age ? CURRENT_AGE_BONUS : 0);
        if (value < least) {
            least = value;
            chosen = &cluster[i];
        }
    }
    *old = 0;
    return chosen;
}

void ply_tt_store(transposition_table *table, uint64_t key, int ply, const tt_entry *entry)
{
    uint64_t old;
    tt_slot *slot = slot_to_replace(table, cluster_of(table, key), key, &old);
    /* A much shallower bound does not replace what this search knows about the same position. */
    if (old && age_of(old) == table->age && entry->bound != TT_EXACT &&
        entry->depth + REPLACE_DEPTH_MARGIN < depth_of(old))
        return;
    uint32_t move = entry->move_number;
    /* Depth 0 numbers moves differently. */
    if (move == TT_NO_MOVE && old && (entry->depth > 0) == (depth_of(old) > 0))
        move = move_of(old);
    int depth = entry->depth < 0 ? 0 : entry->depth > MAX_DEPTH ? MAX_DEPTH : entry->depth;
    uint64_t data = (uint64_t)(score_to_table(entry->score, ply) + SCORE_OFFSET) << SCORE_SHIFT |
                    (uint64_t)(move & 0xFFFF) << MOVE_SHIFT | (uint64_t)depth << DEPTH_SHIFT |
                    (uint64_t)entry->bound << BOUND_SHIFT | (uint64_t)table->age << AGE_SHIFT |
                    (uint64_t)entry->pv << PV_SHIFT;
    uint64_t check = check_of(key, data) | eval_to_table(entry->eval);
    atomic_store_explicit(&slot->data, data, memory_order_relaxed);
    atomic_store_explicit(&slot->check, check, memory_order_relaxed);
}

unsigned ply_tt_hashfull(const transposition_table *table)
{
    uint64_t slots = table->clusters * CLUSTER_SLOTS;
    uint64_t sample = slots < HASHFULL_SAMPLE ? slots : HASHFULL_SAMPLE;
    unsigned used = 0;
    if (sample == 0)
        return 0;
    for (uint64_t i = 0; i < sample; i++) {
        uint64_t data = atomic_load_explicit(&table->slots[i].data, memory_order_relaxed);
        used += data != 0 && age_of(data) == table->age;
    }
    return (unsigned)(used * 1000 / sample);
}
