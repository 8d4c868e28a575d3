/* SPDX-License-Identifier: MIT */
/* dfpn_table.c - the transposition table of the general solver; see dfpn_table.h. */
#include "solve/dfpn_table.h"
#include "core/hash.h"
#include "solve/resources.h"
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    MIN_SIZE = 1 << 9,
    MIN_SHARED_SIZE = 1 << 14, /* larger, since making room stops all threads */
    GROWTH = 4,
    GROW_IN_PLACE_FROM = 1 << 15, /* from this size on, memory for the largest size is reserved */
    MAX_PROBE = 256,              /* slots that a probe visits at most */
    /*
     * While growing in place, an entry at this slot or beyond never moves backwards: it is less
     * than MAX_PROBE after its home slot, and the home slot at least doubles.
     */
    FIRST_MOVED = 2 * MAX_PROBE,
    GROWTH_BYTES = 1 << 20, /* set aside for growing */
    WIN_PRIORITY = 4 * 8,   /* added for a win: as if it had taken 16 times the work */
    AGING = 4,              /* subtracted from the work of an entry that survives an eviction */
    MIN_PATH_FAILURES = 1 << 10,
    LOCKS = 1 << 12,
    LOCK_SLOTS = 64, /* slots per lock */
};

static size_t home_slot(const dfpn_table *table, uint64_t key)
{
    return (size_t)(((unsigned __int128)ply_mix64(key) * table->size) >> 64);
}

/* --- locks ---------------------------------------------------------------------------------- */
static void lock(const dfpn_table *table, size_t number)
{
    atomic_uchar *l = &table->locks[number % LOCKS];
    while (atomic_exchange_explicit(l, 1, memory_order_acquire))
        while (atomic_load_explicit(l, memory_order_relaxed))
            sched_yield();
}

static void unlock(const dfpn_table *table, size_t number)
{
    atomic_store_explicit(&table->locks[number % LOCKS], 0, memory_order_release);
}

/*
 * A probe visits the slots of a key and holds the lock of the current one. It releases a lock
 * before it takes the next, which is safe because the slots behind it are occupied and remain so.
 */
typedef struct slot_probe {
    size_t at, end;
} slot_probe;

static slot_probe probe_begin(const dfpn_table *table, size_t home)
{
    if (table->locks)
        lock(table, home / LOCK_SLOTS);
    return (slot_probe){home, home + MAX_PROBE};
}

static void probe_end(const dfpn_table *table, const slot_probe *probe)
{
    if (table->locks)
        unlock(table, probe->at / LOCK_SLOTS);
}

static void probe_next(const dfpn_table *table, slot_probe *probe)
{
    size_t before = probe->at++ / LOCK_SLOTS, after = probe->at / LOCK_SLOTS;
    if (table->locks && before != after) {
        unlock(table, before);
        lock(table, after);
    }
}

/* --- work ----------------------------------------------------------------------------------- */
/* A logarithmic scale with eight steps per doubling. */
static uint16_t work_encode(uint64_t work)
{
    if (work < 8)
        return (uint16_t)work;
    int top = 63 - __builtin_clzll(work);
    return (uint16_t)(top * 8 - 16 + (int)((work >> (top - 3)) & 7));
}

static uint64_t work_decode(uint16_t code)
{
    if (code < 8)
        return code;
    int top = (code + 16) / 8;
    return (uint64_t)(8 + (code & 7)) << (top - 3);
}

/* --- size ----------------------------------------------------------------------------------- */
/* The number of entries at which the table counts as full. */
static size_t max_entries(const dfpn_table *table)
{
    return table->size / 10 * 7;
}

bool ply_dfpn_table_is_full(const dfpn_table *table)
{
    return atomic_load_explicit(&table->count, memory_order_relaxed) >= max_entries(table);
}

bool ply_dfpn_table_init(dfpn_table *table, size_t bytes, bool shared)
{
    memset(table, 0, sizeof *table);
    if (shared && !(table->locks = calloc(LOCKS, sizeof *table->locks)))
        return false;
    /* A sixteenth is for path-dependent failures, and some is set aside for growing. */
    size_t wanted = bytes / 16 / sizeof(dfpn_path_failure), failures = MIN_PATH_FAILURES;
    while (failures * 2 <= wanted)
        failures *= 2;
    table->path_failure_mask = failures - 1;
    size_t other = failures * sizeof(dfpn_path_failure);
    if (bytes > 4 * GROWTH_BYTES)
        other += GROWTH_BYTES;
    size_t slots = bytes > other ? (bytes - other) / sizeof(dfpn_entry) : 0;
    table->max_size = slots > MIN_SIZE + MAX_PROBE ? slots - MAX_PROBE : MIN_SIZE;
    return true;
}

void ply_dfpn_table_free(dfpn_table *table)
{
    free(table->entries);
    free(table->path_failures);
    free(table->locks);
    table->entries = NULL;
    table->path_failures = NULL;
    table->locks = NULL;
}

bool ply_dfpn_table_reset(dfpn_table *table)
{
    size_t first = table->locks && table->max_size > MIN_SHARED_SIZE ? MIN_SHARED_SIZE : MIN_SIZE;
    if (table->entries && table->size == first) {
        memset(table->entries, 0, (first + MAX_PROBE) * sizeof *table->entries);
    } else {
        free(table->entries);
        table->entries = calloc(first + MAX_PROBE, sizeof *table->entries);
    }
    table->size = first;
    atomic_store_explicit(&table->count, 0, memory_order_relaxed);
    /* A new generation invalidates the path-dependent failures of earlier runs. */
    if (++table->generation == 0) {
        free(table->path_failures);
        table->path_failures = NULL;
        table->generation = 1;
    }
    if (table->locks && !table->path_failures)
        table->path_failures = calloc(table->path_failure_mask + 1, sizeof *table->path_failures);
    return table->entries != NULL;
}

size_t ply_dfpn_table_bytes(const dfpn_table *table)
{
    return (table->size + MAX_PROBE) * sizeof *table->entries +
           (table->path_failures ? (table->path_failure_mask + 1) * sizeof *table->path_failures
                                 : 0);
}

/* Empty slots, on huge pages where possible: random access then causes fewer TLB misses. */
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
/* Inserts an entry into the first free slot of its key. Returns false when there is none. */
static bool insert(dfpn_table *table, const dfpn_entry *entry)
{
    size_t at = home_slot(table, entry->key), end = at + MAX_PROBE;
    while (at < end && table->entries[at].key)
        at++;
    if (at == end)
        return false;
    table->entries[at] = *entry;
    atomic_fetch_add_explicit(&table->count, 1, memory_order_relaxed);
    return true;
}

/*
 * Moves the entries to their slots in a larger table in the same memory, last to first, so that
 * none overwrites one that has not moved yet. The first few could move backwards; they wait in a
 * copy.
 */
static bool grow_in_place(dfpn_table *table, size_t size)
{
    dfpn_entry *first = malloc(FIRST_MOVED * sizeof *first), *entries = table->entries;
    if (!first)
        return false;
    size_t old_slots = table->size + MAX_PROBE;
    memcpy(first, entries, FIRST_MOVED * sizeof *first);
    memset(entries, 0, FIRST_MOVED * sizeof *first);
    table->size = size;
    atomic_store_explicit(&table->count, 0, memory_order_relaxed);
    for (size_t i = old_slots; i-- > FIRST_MOVED;)
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
    /* At least twice the size, see FIRST_MOVED. Reserved memory is not touched until needed. */
    size_t size = table->size * GROWTH;
    if (size > table->max_size / 2)
        size = table->max_size;
    if (size <= table->size)
        return false;
    if (table->size >= GROW_IN_PLACE_FROM)
        return grow_in_place(table, size);
    size_t slots = (size >= GROW_IN_PLACE_FROM ? table->max_size : size) + MAX_PROBE;
    dfpn_entry *old = table->entries, *grown = entries_new(slots);
    if (!grown)
        return false;
    size_t old_size = table->size;
    table->entries = grown;
    table->size = size;
    atomic_store_explicit(&table->count, 0, memory_order_relaxed);
    for (size_t i = 0; i < old_size + MAX_PROBE; i++)
        if (old[i].key)
            insert(table, &old[i]);
    free(old);
    return true;
}

unsigned ply_dfpn_entry_priority(const dfpn_entry *entry)
{
    bool searched_win = entry->won_in != PLIES_NONE && entry->work > 0;
    unsigned priority = entry->work + (searched_win ? WIN_PRIORITY : 0u);
    return priority < WORK_CODES ? priority : WORK_CODES - 1;
}

/* Evicts the half of the entries with the lowest priority and closes the gaps. */
static void evict(dfpn_table *table)
{
    size_t histogram[WORK_CODES] = {0}, below = 0, slots = table->size + MAX_PROBE;
    for (size_t i = 0; i < slots; i++)
        if (table->entries[i].key)
            histogram[ply_dfpn_entry_priority(&table->entries[i])]++;
    size_t cutoff = 0, aim = atomic_load_explicit(&table->count, memory_order_relaxed) / 2;
    while (cutoff < WORK_CODES && below + histogram[cutoff] <= aim)
        below += histogram[cutoff++];
    /* Of the entries right at the cutoff, evict as many as are still needed, evenly spread. */
    size_t at_cutoff = cutoff < WORK_CODES ? histogram[cutoff] : 0, drop = aim - below, credit = 0;
    atomic_store_explicit(&table->count, 0, memory_order_relaxed);
    for (size_t i = 0; i < slots; i++) {
        dfpn_entry entry = table->entries[i];
        if (!entry.key)
            continue;
        table->entries[i].key = 0;
        size_t priority = ply_dfpn_entry_priority(&entry);
        if (priority < cutoff)
            continue;
        if (priority == cutoff && at_cutoff) {
            credit += drop;
            if (credit >= at_cutoff) {
                credit -= at_cutoff;
                continue;
            }
        }
        /* Work counts decay, so that old entries are evicted in time. Wins are few and may stay. */
        if (entry.won_in == PLIES_NONE)
            entry.work = (uint16_t)(entry.work > AGING ? entry.work - AGING : entry.work / 2);
        insert(table, &entry);
    }
}

void ply_dfpn_table_make_room(dfpn_table *table)
{
    if (!grow(table))
        evict(table);
}

/* --- probing -------------------------------------------------------------------------------- */
void ply_dfpn_table_prefetch(const dfpn_table *table, uint64_t key)
{
    const dfpn_entry *e = &table->entries[home_slot(table, key)];
    __builtin_prefetch(e);
    /* The next two entries are in the next cache line. */
    __builtin_prefetch(e + 2);
}

bool ply_dfpn_table_is_large(const dfpn_table *table)
{
    return table->size >= GROW_IN_PLACE_FROM;
}

void ply_dfpn_table_probe(const dfpn_table *table, uint64_t key, uint64_t resources, uint16_t plies,
                          dfpn_found *found)
{
    *found = (dfpn_found){.depth = UINT16_MAX};
    uint32_t proof = 0, disproof = 0, exact_proof = 0, exact_disproof = 0;
    slot_probe probe = probe_begin(table, home_slot(table, key));
    for (; probe.at < probe.end && table->entries[probe.at].key; probe_next(table, &probe)) {
        const dfpn_entry *e = &table->entries[probe.at];
        if (e->key != key)
            continue;
        if (resources_cover(resources, e->resources)) {
            if (e->won_in <= plies) {
                if (found->proof == 0 && found->disproof == NUMBER_INF && found->plies <= e->won_in)
                    continue;
                found->proof = 0;
                found->disproof = NUMBER_INF;
                found->bound = e->resources;
                found->plies = e->won_in;
                found->exact = true;
                continue;
            }
            if (e->disproof < NUMBER_INF && e->disproof > disproof)
                disproof = e->disproof;
        }
        if (resources_cover(e->resources, resources)) {
            if (e->not_won_in > plies) {
                found->proof = NUMBER_INF;
                found->disproof = 0;
                found->bound = e->resources;
                found->plies = (uint16_t)(e->not_won_in - 1);
                found->exact = true;
                break;
            }
            if (e->proof < NUMBER_INF && e->proof > proof)
                proof = e->proof;
        }
        if (e->resources == resources && e->proof) {
            exact_proof = e->proof;
            exact_disproof = e->disproof;
            found->exact = true;
            found->path_dependent = (e->depth & DEPTH_PATH_DEPENDENT) != 0;
            found->depth = e->depth & (DEPTH_PATH_DEPENDENT - 1);
        }
    }
    probe_end(table, &probe);
    if (found->disproof == NUMBER_INF || found->proof == NUMBER_INF)
        return;
    found->proof = proof > exact_proof ? proof : exact_proof;
    found->disproof = disproof > exact_disproof ? disproof : exact_disproof;
}

/*
 * The entry for exactly this position, created if necessary; NULL when there is no free slot. The
 * caller must end the probe in either case.
 */
static dfpn_entry *find_or_insert(dfpn_table *table, uint64_t key, uint64_t resources,
                                  uint16_t depth, slot_probe *probe)
{
    if (!table->locks && ply_dfpn_table_is_full(table))
        ply_dfpn_table_make_room(table);
    size_t first = home_slot(table, key), victim = first;
    *probe = probe_begin(table, first);
    for (; probe->at < probe->end && table->entries[probe->at].key; probe_next(table, probe)) {
        dfpn_entry *e = &table->entries[probe->at];
        if (e->key == key && e->resources == resources) {
            if (depth < (e->depth & (DEPTH_PATH_DEPENDENT - 1)))
                e->depth = (uint16_t)(depth | (e->depth & DEPTH_PATH_DEPENDENT));
            return e;
        }
        /* Only a table that is not shared replaces an entry here: the lock of that slot has been
         * released. */
        if (!table->locks && e->work < table->entries[victim].work)
            victim = probe->at;
    }
    if (probe->at == probe->end) {
        if (table->locks)
            return NULL;
        probe->at = victim;
    } else {
        atomic_fetch_add_explicit(&table->count, 1, memory_order_relaxed);
    }
    dfpn_entry *e = &table->entries[probe->at];
    *e = (dfpn_entry){
        .key = key, .resources = resources, .won_in = PLIES_NONE, .depth = depth, .work = 0};
    return e;
}

static void add_work(dfpn_entry *e, uint64_t work)
{
    e->work = work_encode(work_decode(e->work) + work);
}

void ply_dfpn_table_store(dfpn_table *table, uint64_t key, uint64_t resources, uint32_t proof,
                          uint32_t disproof, uint16_t depth, uint64_t work, bool path_dependent)
{
    slot_probe probe;
    dfpn_entry *e = find_or_insert(table, key, resources, depth, &probe);
    if (e) {
        e->proof = proof;
        e->disproof = disproof;
        if (path_dependent)
            e->depth |= DEPTH_PATH_DEPENDENT;
        add_work(e, work);
    }
    probe_end(table, &probe);
}

/* Clears the numbers of positions that are won with these resources; see the header. */
static void reset_numbers(dfpn_table *table, uint64_t key, uint64_t resources)
{
    slot_probe probe = probe_begin(table, home_slot(table, key));
    for (; probe.at < probe.end && table->entries[probe.at].key; probe_next(table, &probe)) {
        dfpn_entry *e = &table->entries[probe.at];
        if (e->key == key && resources_cover(e->resources, resources))
            e->proof = e->disproof = 0;
    }
    probe_end(table, &probe);
}

void ply_dfpn_table_store_win(dfpn_table *table, uint64_t key, uint64_t resources, uint16_t plies,
                              uint16_t depth, uint64_t work)
{
    slot_probe probe;
    dfpn_entry *e = find_or_insert(table, key, resources, depth, &probe);
    bool shorter = e && plies < e->won_in;
    if (e) {
        if (shorter)
            e->won_in = plies;
        add_work(e, work);
    }
    probe_end(table, &probe);
    if (shorter && work > 0)
        reset_numbers(table, key, resources);
}

void ply_dfpn_table_store_no_win(dfpn_table *table, uint64_t key, uint64_t resources,
                                 uint16_t plies, uint16_t depth, uint64_t work)
{
    slot_probe probe;
    dfpn_entry *e = find_or_insert(table, key, resources, depth, &probe);
    if (e) {
        if (plies >= e->not_won_in)
            e->not_won_in = (uint16_t)(plies + 1);
        add_work(e, work);
    }
    probe_end(table, &probe);
}

/* --- checkpoints ---------------------------------------------------------------------------- */
const dfpn_entry *ply_dfpn_table_next(const dfpn_table *table, size_t *slot)
{
    while (*slot < table->size + MAX_PROBE) {
        const dfpn_entry *e = &table->entries[(*slot)++];
        if (e->key)
            return e;
    }
    return NULL;
}

size_t ply_dfpn_table_reserve(dfpn_table *table, uint64_t count)
{
    while (max_entries(table) < count && grow(table))
        ;
    return max_entries(table);
}

void ply_dfpn_table_insert(dfpn_table *table, const dfpn_entry *entry)
{
    insert(table, entry);
}

/* --- path-dependent failures ---------------------------------------------------------------- */
void ply_dfpn_table_store_path_failure(dfpn_table *table, uint64_t path_hash, uint32_t dependency,
                                       uint16_t plies)
{
    /* A shared table has allocated them in reset. */
    if (!table->path_failures && !table->locks)
        table->path_failures = calloc(table->path_failure_mask + 1, sizeof *table->path_failures);
    if (!table->path_failures)
        return;
    size_t at = ply_mix64(path_hash) & table->path_failure_mask;
    if (table->locks)
        lock(table, at / LOCK_SLOTS);
    table->path_failures[at] = (dfpn_path_failure){.key = path_hash | 1,
                                                   .dependency = dependency,
                                                   .plies = plies,
                                                   .generation = table->generation};
    if (table->locks)
        unlock(table, at / LOCK_SLOTS);
}

uint32_t ply_dfpn_table_probe_path_failure(const dfpn_table *table, uint64_t path_hash,
                                           uint16_t plies)
{
    if (!table->path_failures)
        return 0;
    size_t at = ply_mix64(path_hash) & table->path_failure_mask;
    if (table->locks)
        lock(table, at / LOCK_SLOTS);
    dfpn_path_failure failure = table->path_failures[at];
    if (table->locks)
        unlock(table, at / LOCK_SLOTS);
    bool found = failure.key == (path_hash | 1) && failure.generation == table->generation;
    return found && failure.plies >= plies ? failure.dependency : 0;
}
