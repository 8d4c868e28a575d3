/* proof_table.c - see the header. */
#include "solve/proof_table.h"
#include "core/hash.h"
#include "solve/amounts.h"
#include <stdlib.h>
#include <string.h>

enum {
    FIRST_SIZE = 1 << 9,
    GROWTH = 8,
    LAST_STEP_BYTES = 1 << 25, /* from here on, straight to the full size */
    SPILL = 256,               /* places behind the last; no search is longer */
    WORK_CODES = 64 * 8,
    FIRST_TIES = 1 << 10,
};

static size_t home(const proof_table *table, uint64_t key)
{
    return (size_t)(((unsigned __int128)ply_mix64(key) * table->size) >> 64);
}

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

static bool is_full(const proof_table *table)
{
    return table->count * 10 >= table->size * 7;
}

bool proof_table_init(proof_table *table, size_t bytes)
{
    *table = (proof_table){0};
    /* A sixteenth for the ties, and what is held while growing. */
    size_t ties = bytes / 16 / sizeof(proof_tie), held = 0;
    for (table->tie_mask = FIRST_TIES; table->tie_mask * 2 <= ties; table->tie_mask *= 2)
        ;
    table->tie_mask--;
    if (bytes > 4 * LAST_STEP_BYTES)
        held = LAST_STEP_BYTES;
    size_t left = bytes > (table->tie_mask + 1) * sizeof(proof_tie) + held
                      ? bytes - (table->tie_mask + 1) * sizeof(proof_tie) - held
                      : 0;
    table->most = left / sizeof(proof_entry);
    table->most = table->most > FIRST_SIZE + SPILL ? table->most - SPILL : FIRST_SIZE;
    return true;
}

void proof_table_free(proof_table *table)
{
    free(table->entries);
    free(table->ties);
    table->entries = NULL;
    table->ties = NULL;
}

bool proof_table_reset(proof_table *table)
{
    if (table->entries && table->size == FIRST_SIZE) {
        memset(table->entries, 0, (FIRST_SIZE + SPILL) * sizeof *table->entries);
    } else {
        free(table->entries);
        table->entries = calloc(FIRST_SIZE + SPILL, sizeof *table->entries);
    }
    table->size = FIRST_SIZE;
    table->count = 0;
    table->collections = 0;
    /* Ties of earlier runs have other generations. */
    if (++table->generation == 0) {
        free(table->ties);
        table->ties = NULL;
        table->generation = 1;
    }
    return table->entries != NULL;
}

size_t proof_table_bytes(const proof_table *table)
{
    return (table->size + SPILL) * sizeof *table->entries +
           (table->ties ? (table->tie_mask + 1) * sizeof *table->ties : 0);
}

/* --- making room ---------------------------------------------------------------------------- */
/* Puts an entry behind all others of its key, before the first free place; it may not fit. */
static bool insert(proof_table *table, const proof_entry *entry)
{
    size_t at = home(table, entry->key), end = at + SPILL;
    while (at < end && table->entries[at].key)
        at++;
    if (at == end)
        return false;
    table->entries[at] = *entry;
    table->count++;
    return true;
}

static bool grow(proof_table *table)
{
    size_t size = table->size * GROWTH;
    if (size * sizeof(proof_entry) > LAST_STEP_BYTES || size > table->most)
        size = table->most;
    if (size <= table->size)
        return false;
    proof_entry *old = table->entries, *grown = calloc(size + SPILL, sizeof *grown);
    if (!grown)
        return false;
    size_t old_size = table->size;
    table->entries = grown;
    table->size = size;
    table->count = 0;
    for (size_t i = 0; i < old_size + SPILL; i++)
        if (old[i].key)
            insert(table, &old[i]);
    free(old);
    return true;
}

/* Throws out the half with the least work; the rest closes up. */
static void collect(proof_table *table)
{
    size_t histogram[WORK_CODES] = {0}, below = 0, places = table->size + SPILL;
    for (size_t i = 0; i < places; i++)
        if (table->entries[i].key)
            histogram[table->entries[i].work % WORK_CODES]++;
    size_t code = 0, aim = table->count / 2;
    while (code < WORK_CODES && below + histogram[code] <= aim)
        below += histogram[code++];
    /* Of the entries with just that much work, as many as are still to go, evenly. */
    size_t here = code < WORK_CODES ? histogram[code] : 0, drop = aim - below, credit = 0;
    table->count = 0;
    for (size_t i = 0; i < places; i++) {
        proof_entry entry = table->entries[i];
        if (!entry.key)
            continue;
        table->entries[i].key = 0;
        if (entry.work < code)
            continue;
        if (entry.work == code && here) {
            credit += drop;
            if (credit >= here) {
                credit -= here;
                continue;
            }
        }
        /* Work fades, so that what was dear long ago goes one day. */
        entry.work = (uint16_t)(entry.work > 4 ? entry.work - 4 : entry.work / 2);
        insert(table, &entry);
    }
    table->collections++;
}

/* --- looking -------------------------------------------------------------------------------- */
void proof_table_look(const proof_table *table, uint64_t key, uint64_t amounts, uint16_t plies,
                      proof_found *found)
{
    *found = (proof_found){.depth = UINT16_MAX};
    uint32_t proof = 0, disproof = 0, exact_proof = 0, exact_disproof = 0;
    const proof_entry *e = &table->entries[home(table, key)], *end = e + SPILL;
    for (; e < end && e->key; e++) {
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
                return;
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
    if (found->disproof == NUMBER_INF)
        return;
    found->proof = proof > exact_proof ? proof : exact_proof;
    found->disproof = disproof > exact_disproof ? disproof : exact_disproof;
}

/* The entry of exactly this position, made if need be; NULL when there is no place. */
static proof_entry *claim(proof_table *table, uint64_t key, uint64_t amounts, uint16_t depth)
{
    if (is_full(table) && !grow(table))
        collect(table);
    proof_entry *e = &table->entries[home(table, key)], *end = e + SPILL, *least = e;
    for (; e < end && e->key; e++) {
        if (e->key == key && e->amounts == amounts) {
            if (depth < (e->depth & (DEPTH_TIED - 1)))
                e->depth = (uint16_t)(depth | (e->depth & DEPTH_TIED));
            return e;
        }
        if (e->work < least->work)
            least = e;
    }
    if (e == end)
        e = least;
    else
        table->count++;
    *e = (proof_entry){
        .key = key, .amounts = amounts, .won_in = PLIES_NONE, .depth = depth, .work = 0};
    return e;
}

static void add_work(proof_entry *e, uint64_t work)
{
    e->work = work_code(work_of(e->work) + work);
}

void proof_table_store(proof_table *table, uint64_t key, uint64_t amounts, uint32_t proof,
                       uint32_t disproof, uint16_t depth, uint64_t work, bool tied)
{
    proof_entry *e = claim(table, key, amounts, depth);
    e->proof = proof;
    e->disproof = disproof;
    if (tied)
        e->depth |= DEPTH_TIED;
    add_work(e, work);
}

void proof_table_store_win(proof_table *table, uint64_t key, uint64_t amounts, uint16_t plies,
                           uint16_t depth, uint64_t work)
{
    proof_entry *e = claim(table, key, amounts, depth);
    if (plies < e->won_in)
        e->won_in = plies;
    add_work(e, work);
}

void proof_table_store_none(proof_table *table, uint64_t key, uint64_t amounts, uint16_t plies,
                            uint16_t depth, uint64_t work)
{
    proof_entry *e = claim(table, key, amounts, depth);
    if (plies >= e->none)
        e->none = (uint16_t)(plies + 1);
    add_work(e, work);
}

/* --- ties ----------------------------------------------------------------------------------- */
void proof_table_store_tie(proof_table *table, uint64_t way, uint32_t leans, uint16_t plies)
{
    if (!table->ties)
        table->ties = calloc(table->tie_mask + 1, sizeof *table->ties);
    if (!table->ties)
        return;
    proof_tie *tie = &table->ties[ply_mix64(way) & table->tie_mask];
    *tie = (proof_tie){
        .key = way | 1, .leans = leans, .plies = plies, .generation = table->generation};
}

uint32_t proof_table_look_tie(const proof_table *table, uint64_t way, uint16_t plies)
{
    if (!table->ties)
        return 0;
    const proof_tie *tie = &table->ties[ply_mix64(way) & table->tie_mask];
    bool found = tie->key == (way | 1) && tie->generation == table->generation;
    return found && tie->plies >= plies ? tie->leans : 0;
}
