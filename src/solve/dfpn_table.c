/* SPDX-License-Identifier: MIT */
/* dfpn_table.c - see the header. */
#include "solve/dfpn_table.h"
#include "core/hash.h"
#include "solve/packed_counts.h"
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    FIRST_SIZE = 1 << 9,
    GROWTH = 4,
    RESERVE_FROM = 1 << 15, /* from this size on the table lies in the memory of the largest */
    SPILL = 256,            /* places behind the last; no search is longer */
    /*
     * An entry stands less than SPILL behind its home, and homes move to at least twice their
     * place: who stands at 2 * SPILL or beyond moves on.
     */
    FIRST_MOVED = 2 * SPILL,
    HELD_BYTES = 1 << 20, /* while growing */
    WIN_WORTH = 4 * 8,    /* that a win is worth more: 16 times the work */
    FIRST_TIES = 1 << 10,
    FIRST_SHARED = 1 << 14, /* making room stops all threads */
    LOCKS = 1 << 12,
    LOCK_PLACES = 64, /* under one lock */
};

static size_t home(const dfpn_table *table, uint64_t key)
{
    return (size_t)(((unsigned __int128)ply_mix64(key) * table->size) >> 64);
}

/* --- locks ---------------------------------------------------------------------------------- */
static void lock(const dfpn_table *table, size_t number)
{
    atomic_uchar *l = &table->shared[number % LOCKS];
    while (atomic_exchange_explicit(l, 1, memory_order_acquire))
        while (atomic_load_explicit(l, memory_order_relaxed))
            sched_yield();
}

static void unlock(const dfpn_table *table, size_t number)
{
    atomic_store_explicit(&table->shared[number % LOCKS], 0, memory_order_release);
}

/*
 * A walk along the places of a key, with the lock of the place it is at. A lock is given back
 * before the next is taken: the places left behind are in use, and stay so.
 */
typedef struct place_walk {
    size_t at, end;
} place_walk;

static place_walk walk_start(const dfpn_table *table, size_t home)
{
    if (table->shared)
        lock(table, home / LOCK_PLACES);
    return (place_walk){home, home + SPILL};
}

static void walk_end(const dfpn_table *table, const place_walk *walk)
{
    if (table->shared)
        unlock(table, walk->at / LOCK_PLACES);
}

static void walk_on(const dfpn_table *table, place_walk *walk)
{
    size_t before = walk->at++ / LOCK_PLACES, after = walk->at / LOCK_PLACES;
    if (table->shared && before != after) {
        unlock(table, before);
        lock(table, after);
    }
}

/* --- work ----------------------------------------------------------------------------------- */
/* Eighths of doublings. */
static uint16_t work_code(uint64_t work)
{
    if (work < 8)
        return (uint16_t)work;
    int top = 63 - __builtin_clzll(work);
    return (uint16_t)(top * 8 - 16 + (int)((work >> (top - 3)) & 7));
}

static uint64_t work_of(uint16_t code)
{
    if (code < 8)
        return code;
    int top = (code + 16) / 8;
    return (uint64_t)(8 + (code & 7)) << (top - 3);
}

/* Entries that the table takes before it makes room. */
static size_t fits(const dfpn_table *table)
{
    return table->size / 10 * 7;
}

bool ply_dfpn_table_is_full(const dfpn_table *table)
{
    return atomic_load_explicit(&table->count, memory_order_relaxed) >= fits(table);
}

bool ply_dfpn_table_init(dfpn_table *table, size_t bytes, bool shared)
{
    memset(table, 0, sizeof *table);
    if (shared && !(table->shared = calloc(LOCKS, sizeof *table->shared)))
        return false;
    /* A sixteenth for the ties, and what is held while growing. */
    size_t ties = bytes / 16 / sizeof(dfpn_tie), held = 0;
    for (table->tie_mask = FIRST_TIES; table->tie_mask * 2 <= ties; table->tie_mask *= 2)
        ;
    table->tie_mask--;
    if (bytes > 4 * HELD_BYTES)
        held = HELD_BYTES;
    size_t left = bytes > (table->tie_mask + 1) * sizeof(dfpn_tie) + held
                      ? bytes - (table->tie_mask + 1) * sizeof(dfpn_tie) - held
                      : 0;
    table->most = left / sizeof(dfpn_entry);
    table->most = table->most > FIRST_SIZE + SPILL ? table->most - SPILL : FIRST_SIZE;
    return true;
}

void ply_dfpn_table_free(dfpn_table *table)
{
    free(table->entries);
    free(table->ties);
    free(table->shared);
    table->entries = NULL;
    table->ties = NULL;
    table->shared = NULL;
}

bool ply_dfpn_table_reset(dfpn_table *table)
{
    size_t first = table->shared && table->most > FIRST_SHARED ? FIRST_SHARED : FIRST_SIZE;
    if (table->entries && table->size == first) {
        memset(table->entries, 0, (first + SPILL) * sizeof *table->entries);
    } else {
        free(table->entries);
        table->entries = calloc(first + SPILL, sizeof *table->entries);
    }
    table->size = first;
    atomic_store_explicit(&table->count, 0, memory_order_relaxed);
    table->collections = 0;
    /* Ties of earlier runs have other generations. */
    if (++table->generation == 0) {
        free(table->ties);
        table->ties = NULL;
        table->generation = 1;
    }
    if (table->shared && !table->ties)
        table->ties = calloc(table->tie_mask + 1, sizeof *table->ties);
    return table->entries != NULL;
}

size_t ply_dfpn_table_bytes(const dfpn_table *table)
{
    return (table->size + SPILL) * sizeof *table->entries +
           (table->ties ? (table->tie_mask + 1) * sizeof *table->ties : 0);
}

/* Cleared entries; random access to large pages misses fewer page tables. */
static dfpn_entry *entries_new(size_t count)
{
    size_t bytes = count * sizeof(dfpn_entry), page = (size_t)1 << 21;
    dfpn_entry *entries = calloc(count, sizeof *entries);
#ifdef MADV_HUGEPAGE
    uintptr_t first = ((uintptr_t)entries + page - 1) / page * page;
    uintptr_t last = ((uintptr_t)entries + bytes) / page * page;
    if (entries && last > first)
        (void)madvise((void *)first, last - first, MADV_HUGEPAGE);
#else
    (void)bytes, (void)page;
#endif
    return entries;
}

/* --- making room ---------------------------------------------------------------------------- */
/* Puts an entry behind all others of its key, before the first free place; it may not fit. */
static bool insert(dfpn_table *table, const dfpn_entry *entry)
{
    size_t at = home(table, entry->key), end = at + SPILL;
    while (at < end && table->entries[at].key)
        at++;
    if (at == end)
        return false;
    table->entries[at] = *entry;
    atomic_fetch_add_explicit(&table->count, 1, memory_order_relaxed);
    return true;
}

/*
 * Moves the entries to the places of a larger table in the same memory, from the last to the first:
 * a place is then never before the one it had, but for the first few, which wait outside.
 */
static bool grow_in_place(dfpn_table *table, size_t size)
{
    dfpn_entry *first = malloc(FIRST_MOVED * sizeof *first), *entries = table->entries;
    if (!first)
        return false;
    size_t old_places = table->size + SPILL;
    memcpy(first, entries, FIRST_MOVED * sizeof *first);
    memset(entries, 0, FIRST_MOVED * sizeof *first);
    table->size = size;
    atomic_store_explicit(&table->count, 0, memory_order_relaxed);
    for (size_t i = old_places; i-- > FIRST_MOVED;)
        if (entries[i].key) {
            dfpn_entry entry = entries[i];
            entries[i].key = 0;
            insert(table, &entry);
        }
    for (size_t i = 0; i < FIRST_MOVED; i++)
        if (first[i].key)
            insert(table, &first[i]);
    free(first);
    return true;
}

static bool grow(dfpn_table *table)
{
    /* At least twice the size, see FIRST_MOVED; little of the memory is touched before its time. */
    size_t size = table->size * GROWTH;
    if (size > table->most / 2)
        size = table->most;
    if (size <= table->size)
        return false;
    if (table->size >= RESERVE_FROM)
        return grow_in_place(table, size);
    size_t places = (size >= RESERVE_FROM ? table->most : size) + SPILL;
    dfpn_entry *old = table->entries, *grown = entries_new(places);
    if (!grown)
        return false;
    size_t old_size = table->size;
    table->entries = grown;
    table->size = size;
    atomic_store_explicit(&table->count, 0, memory_order_relaxed);
    for (size_t i = 0; i < old_size + SPILL; i++)
        if (old[i].key)
            insert(table, &old[i]);
    free(old);
    return true;
}

unsigned ply_dfpn_entry_worth(const dfpn_entry *entry)
{
    bool serves = entry->won_in != PLIES_NONE && entry->work > 0;
    unsigned worth = entry->work + (serves ? WIN_WORTH : 0u);
    return worth < WORK_CODES ? worth : WORK_CODES - 1;
}

/* Throws out the half that is worth the least; the rest closes up. */
static void collect(dfpn_table *table)
{
    size_t histogram[WORK_CODES] = {0}, below = 0, places = table->size + SPILL;
    for (size_t i = 0; i < places; i++)
        if (table->entries[i].key)
            histogram[ply_dfpn_entry_worth(&table->entries[i])]++;
    size_t code = 0, aim = atomic_load_explicit(&table->count, memory_order_relaxed) / 2;
    while (code < WORK_CODES && below + histogram[code] <= aim)
        below += histogram[code++];
    /* Of the entries worth just that much, as many as are still to go, evenly. */
    size_t here = code < WORK_CODES ? histogram[code] : 0, drop = aim - below, credit = 0;
    atomic_store_explicit(&table->count, 0, memory_order_relaxed);
    for (size_t i = 0; i < places; i++) {
        dfpn_entry entry = table->entries[i];
        if (!entry.key)
            continue;
        table->entries[i].key = 0;
        size_t worth = ply_dfpn_entry_worth(&entry);
        if (worth < code)
            continue;
        if (worth == code && here) {
            credit += drop;
            if (credit >= here) {
                credit -= here;
                continue;
            }
        }
        /* Work fades, so that what was dear long ago goes one day; wins are too few for that. */
        if (entry.won_in == PLIES_NONE)
            entry.work = (uint16_t)(entry.work > 4 ? entry.work - 4 : entry.work / 2);
        insert(table, &entry);
    }
    table->collections++;
}

void ply_dfpn_table_make_room(dfpn_table *table)
{
    if (!grow(table))
        collect(table);
}

/* --- looking -------------------------------------------------------------------------------- */
void ply_dfpn_table_expect(const dfpn_table *table, uint64_t key)
{
    const dfpn_entry *e = &table->entries[home(table, key)];
    __builtin_prefetch(e);
    /* The next two or three lie in the line behind it. */
    __builtin_prefetch(e + 2);
}

bool ply_dfpn_table_is_large(const dfpn_table *table)
{
    return table->size >= RESERVE_FROM;
}

void ply_dfpn_table_look(const dfpn_table *table, uint64_t key, uint64_t amounts, uint16_t plies,
                         dfpn_found *found)
{
    *found = (dfpn_found){.depth = UINT16_MAX};
    uint32_t proof = 0, disproof = 0, exact_proof = 0, exact_disproof = 0;
    place_walk walk = walk_start(table, home(table, key));
    for (; walk.at < walk.end && table->entries[walk.at].key; walk_on(table, &walk)) {
        const dfpn_entry *e = &table->entries[walk.at];
        if (e->key != key)
            continue;
        if (amounts_cover(amounts, e->amounts)) {
            if (e->won_in <= plies) {
                if (found->proof == 0 && found->disproof == NUMBER_INF && found->plies <= e->won_in)
                    continue;
                found->proof = 0;
                found->disproof = NUMBER_INF;
                found->amounts = e->amounts;
                found->plies = e->won_in;
                found->exact = true;
                continue;
            }
            if (e->disproof < NUMBER_INF && e->disproof > disproof)
                disproof = e->disproof;
        }
        if (amounts_cover(e->amounts, amounts)) {
            if (e->none > plies) {
                found->proof = NUMBER_INF;
                found->disproof = 0;
                found->amounts = e->amounts;
                found->plies = (uint16_t)(e->none - 1);
                found->exact = true;
                break;
            }
            if (e->proof < NUMBER_INF && e->proof > proof)
                proof = e->proof;
        }
        if (e->amounts == amounts && e->proof) {
            exact_proof = e->proof;
            exact_disproof = e->disproof;
            found->exact = true;
            found->tied = (e->depth & DEPTH_TIED) != 0;
            found->depth = e->depth & (DEPTH_TIED - 1);
        }
    }
    walk_end(table, &walk);
    if (found->disproof == NUMBER_INF || found->proof == NUMBER_INF)
        return;
    found->proof = proof > exact_proof ? proof : exact_proof;
    found->disproof = disproof > exact_disproof ? disproof : exact_disproof;
}

/*
 * The entry of exactly this position, made if need be; NULL when there is no place. Either way the
 * walk has to be ended.
 */
static dfpn_entry *claim(dfpn_table *table, uint64_t key, uint64_t amounts, uint16_t depth,
                         place_walk *walk)
{
    if (!table->shared && ply_dfpn_table_is_full(table))
        ply_dfpn_table_make_room(table);
    size_t first = home(table, key), least = first;
    *walk = walk_start(table, first);
    for (; walk->at < walk->end && table->entries[walk->at].key; walk_on(table, walk)) {
        dfpn_entry *e = &table->entries[walk->at];
        if (e->key == key && e->amounts == amounts) {
            if (depth < (e->depth & (DEPTH_TIED - 1)))
                e->depth = (uint16_t)(depth | (e->depth & DEPTH_TIED));
            return e;
        }
        /* Another thread's lock by then, perhaps: only one thread throws something out for this. */
        if (!table->shared && e->work < table->entries[least].work)
            least = walk->at;
    }
    if (walk->at == walk->end) {
        if (table->shared)
            return NULL;
        walk->at = least;
    } else {
        atomic_fetch_add_explicit(&table->count, 1, memory_order_relaxed);
    }
    dfpn_entry *e = &table->entries[walk->at];
    *e = (dfpn_entry){
        .key = key, .amounts = amounts, .won_in = PLIES_NONE, .depth = depth, .work = 0};
    return e;
}

static void add_work(dfpn_entry *e, uint64_t work)
{
    e->work = work_code(work_of(e->work) + work);
}

void ply_dfpn_table_store(dfpn_table *table, uint64_t key, uint64_t amounts, uint32_t proof,
                          uint32_t disproof, uint16_t depth, uint64_t work, bool tied)
{
    place_walk walk;
    dfpn_entry *e = claim(table, key, amounts, depth, &walk);
    if (e) {
        e->proof = proof;
        e->disproof = disproof;
        if (tied)
            e->depth |= DEPTH_TIED;
        add_work(e, work);
    }
    walk_end(table, &walk);
}

/* Forgets the numbers of a position that is won with these amounts: see the header. */
static void renew(dfpn_table *table, uint64_t key, uint64_t amounts)
{
    place_walk walk = walk_start(table, home(table, key));
    for (; walk.at < walk.end && table->entries[walk.at].key; walk_on(table, &walk)) {
        dfpn_entry *e = &table->entries[walk.at];
        if (e->key == key && amounts_cover(e->amounts, amounts))
            e->proof = e->disproof = 0;
    }
    walk_end(table, &walk);
}

void ply_dfpn_table_store_win(dfpn_table *table, uint64_t key, uint64_t amounts, uint16_t plies,
                              uint16_t depth, uint64_t work)
{
    place_walk walk;
    dfpn_entry *e = claim(table, key, amounts, depth, &walk);
    bool shorter = e && plies < e->won_in;
    if (e) {
        if (shorter)
            e->won_in = plies;
        add_work(e, work);
    }
    walk_end(table, &walk);
    if (shorter && work > 0)
        renew(table, key, amounts);
}

void ply_dfpn_table_store_none(dfpn_table *table, uint64_t key, uint64_t amounts, uint16_t plies,
                               uint16_t depth, uint64_t work)
{
    place_walk walk;
    dfpn_entry *e = claim(table, key, amounts, depth, &walk);
    if (e) {
        if (plies >= e->none)
            e->none = (uint16_t)(plies + 1);
        add_work(e, work);
    }
    walk_end(table, &walk);
}

/* --- keeping --------------------------------------------------------------------------------- */
const dfpn_entry *ply_dfpn_table_next(const dfpn_table *table, size_t *place)
{
    while (*place < table->size + SPILL) {
        const dfpn_entry *e = &table->entries[(*place)++];
        if (e->key)
            return e;
    }
    return NULL;
}

size_t ply_dfpn_table_reserve(dfpn_table *table, uint64_t count)
{
    while (fits(table) < count && grow(table))
        ;
    return fits(table);
}

void ply_dfpn_table_put(dfpn_table *table, const dfpn_entry *entry)
{
    insert(table, entry);
}

/* --- ties ----------------------------------------------------------------------------------- */
void ply_dfpn_table_store_tie(dfpn_table *table, uint64_t way, uint32_t leans, uint16_t plies)
{
    /* A shared table has had its ties made. */
    if (!table->ties && !table->shared)
        table->ties = calloc(table->tie_mask + 1, sizeof *table->ties);
    if (!table->ties)
        return;
    size_t at = ply_mix64(way) & table->tie_mask;
    if (table->shared)
        lock(table, at / LOCK_PLACES);
    table->ties[at] =
        (dfpn_tie){.key = way | 1, .leans = leans, .plies = plies, .generation = table->generation};
    if (table->shared)
        unlock(table, at / LOCK_PLACES);
}

uint32_t ply_dfpn_table_look_tie(const dfpn_table *table, uint64_t way, uint16_t plies)
{
    if (!table->ties)
        return 0;
    size_t at = ply_mix64(way) & table->tie_mask;
    if (table->shared)
        lock(table, at / LOCK_PLACES);
    dfpn_tie tie = table->ties[at];
    if (table->shared)
        unlock(table, at / LOCK_PLACES);
    bool found = tie.key == (way | 1) && tie.generation == table->generation;
    return found && tie.plies >= plies ? tie.leans : 0;
}
