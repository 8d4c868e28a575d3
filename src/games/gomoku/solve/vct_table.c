/* SPDX-License-Identifier: MIT */
/* vct_table.c - see vct_table.h. */
#include "games/gomoku/solve/vct_table.h"
#include <stdlib.h>
#include <string.h>

enum { CLUSTER = 4, FIRST_SLOTS = 1 << 10 };

_Static_assert(sizeof(gomoku_vct_entry) == 16, "two words of a slot");
_Static_assert(sizeof(gomoku_vct_slot) == 24, "three words");

ply_status gomoku_vct_table_init(gomoku_vct_table *t, size_t bytes)
{
    uint64_t count = FIRST_SLOTS;
    while (2 * count * sizeof *t->slots <= bytes)
        count *= 2;
    *t = (gomoku_vct_table){.mask = FIRST_SLOTS - 1, .last = count - 1};
    t->slots = calloc(count, sizeof *t->slots);
    return t->slots ? PLY_OK : PLY_NO_MEMORY;
}

void gomoku_vct_table_free(gomoku_vct_table *t)
{
    free(t->slots);
    t->slots = NULL;
}

void gomoku_vct_table_clear(gomoku_vct_table *t)
{
    memset(t->slots, 0, (t->mask + 1) * sizeof *t->slots);
    t->mask = FIRST_SLOTS - 1;
    t->used = 0;
}

static uint64_t get(const gomoku_vct_slot *s, int i)
{
    return atomic_load_explicit(&s->word[i], memory_order_relaxed);
}

static void put(gomoku_vct_slot *s, uint64_t key, const uint64_t words[2])
{
    atomic_store_explicit(&s->word[0], key ^ words[0] ^ words[1], memory_order_relaxed);
    atomic_store_explicit(&s->word[1], words[0], memory_order_relaxed);
    atomic_store_explicit(&s->word[2], words[1], memory_order_relaxed);
}

/* Reads the key and the entry of a slot; false when it is empty. */
static bool read_slot(const gomoku_vct_slot *s, uint64_t *key, gomoku_vct_entry *out)
{
    uint64_t words[2] = {get(s, 1), get(s, 2)};
    *key = get(s, 0) ^ words[0] ^ words[1];
    memcpy(out, words, sizeof *out);
    return out->work != 0;
}

static gomoku_vct_slot *cluster_of(const gomoku_vct_table *t, uint64_t key)
{
    return &t->slots[key & t->mask & ~(uint64_t)(CLUSTER - 1)];
}

/*
 * Uses more of the memory. The new number of clusters is a multiple of the old one, so every entry
 * stays or moves to a slot that no other entry can move to.
 */
static void grow(gomoku_vct_table *t, uint64_t mask)
{
    static const uint64_t empty[2] = {0, 0};
    uint64_t old = t->mask + 1, key;
    gomoku_vct_entry entry;
    for (uint64_t i = 0; i < old; i++)
        if (read_slot(&t->slots[i], &key, &entry) && (key & mask) >= old) {
            uint64_t words[2];
            memcpy(words, &entry, sizeof words);
            put(&t->slots[(key & mask & ~t->mask) + i], key, words);
            put(&t->slots[i], 0, empty);
        }
    t->mask = mask;
}

void gomoku_vct_table_share(gomoku_vct_table *t)
{
    grow(t, t->last);
}

bool gomoku_vct_table_probe(const gomoku_vct_table *t, uint64_t key, gomoku_vct_entry *out)
{
    const gomoku_vct_slot *s = cluster_of(t, key);
    uint64_t found;
    for (int i = 0; i < CLUSTER; i++)
        if ((get(&s[i], 0) ^ get(&s[i], 1) ^ get(&s[i], 2)) == key)
            return read_slot(&s[i], &found, out) && found == key;
    return false;
}

void gomoku_vct_table_store(gomoku_vct_table *t, uint64_t key, gomoku_vct_entry entry)
{
    gomoku_vct_slot *s = cluster_of(t, key), *target = s;
    uint32_t least = UINT32_MAX;
    for (int i = 0; i < CLUSTER; i++) {
        gomoku_vct_entry there;
        uint64_t found;
        bool full = read_slot(&s[i], &found, &there);
        if (full && found == key) {
            uint32_t work = entry.work + there.work;
            entry.work = work < there.work ? UINT32_MAX : work;
            target = &s[i];
            least = 1; /* not a new entry */
            break;
        }
        uint32_t work = full ? there.work : 0;
        if (work < least) {
            least = work;
            target = &s[i];
        }
    }
    uint64_t words[2];
    memcpy(words, &entry, sizeof words);
    put(target, key, words);
    if (least == 0 && t->mask < t->last && ++t->used > t->mask / 2)
        grow(t, 2 * t->mask + 1);
}
