/* SPDX-License-Identifier: MIT */
/*
 * verify.c - the check of tables from first principles.
 *
 * Every value is derived again from the values after each move, by the rules alone. This proves
 * them: by induction over the plies every win has a move to a loss one ply shorter and every loss
 * has only moves to wins at most as long; and a player in a draw has a move to a draw and none to a
 * lost position of the other's. Nothing of the builder is used but the loading of files.
 */
#include "tablebase/folder.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1 << 16, LOOKAHEAD = 16 };

typedef struct check {
    tablebase_folder *store;
    size_t class_index;
    uint64_t slots;
    uint64_t wins, losses, draws, longest;
    uint64_t bad; /* the first wrong slot, or UINT64_MAX */
    bool failed;  /* no memory */
} check;

static unsigned derive(const tablebase_folder *store, const ply_slot *places, size_t count)
{
    unsigned win = UINT_MAX, loss = 0;
    bool draw = false;
    for (size_t i = 0; i < count; i++) {
        unsigned value = table_value_at(store, places[i]);
        if (value == 0)
            draw = true;
        else if (value & 1) /* the other player has lost in value - 1 */
            win = value < win ? value : win;
        else
            loss = value > loss ? value : loss;
    }
    return win != UINT_MAX ? win + 1 : draw ? 0 : loss + 1;
}

static void note_bad(check *c, uint64_t slot)
{
    uint64_t known = __atomic_load_n(&c->bad, __ATOMIC_RELAXED);
    while (slot < known && !__atomic_compare_exchange_n(&c->bad, &known, slot, true,
                                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

static void check_slot(check *c, check *sum, uint64_t slot, const ply_slot *places, size_t count)
{
    const tablebase_folder *store = c->store;
    ply_slot place = ply_slot_make(c->class_index, slot);
    unsigned weight = store->retro->weight(store->work, place);
    unsigned value = table_value_at(store, place);
    if (value != (weight ? derive(store, places, count) : 0))
        note_bad(c, slot);
    *(value == 0 ? &sum->draws : value & 1 ? &sum->losses : &sum->wins) += weight;
    if (value > sum->longest + 1)
        sum->longest = value - 1;
}

static void check_chunk(void *context, size_t piece, unsigned worker)
{
    (void)worker;
    check *c = context, sum = {0};
    const tablebase_folder *store = c->store;
    if (table_stopped(store))
        return;
    size_t room = store->retro->max_successors;
    ply_slot *places = malloc(LOOKAHEAD * room * sizeof *places);
    if (!places) {
        __atomic_store_n(&c->failed, true, __ATOMIC_RELAXED);
        return;
    }
    uint64_t slot = (uint64_t)piece * CHUNK, first = slot, end = slot + CHUNK;
    end = end < c->slots ? end : c->slots;
    while (slot < end) {
        size_t counts[LOOKAHEAD], n = end - slot < LOOKAHEAD ? (size_t)(end - slot) : LOOKAHEAD;
        for (size_t i = 0; i < n; i++) {
            ply_slot *out = places + i * room;
            counts[i] =
                store->retro->successors(store->work, ply_slot_make(c->class_index, slot + i), out);
            for (size_t k = 0; k < counts[i]; k++)
                table_value_fetch(store, out[k]);
        }
        for (size_t i = 0; i < n; i++)
            check_slot(c, &sum, slot + i, places + i * room, counts[i]);
        slot += n;
    }
    free(places);
    __atomic_fetch_add(&c->wins, sum.wins, __ATOMIC_RELAXED);
    __atomic_fetch_add(&c->losses, sum.losses, __ATOMIC_RELAXED);
    __atomic_fetch_add(&c->draws, sum.draws, __ATOMIC_RELAXED);
    uint64_t known = __atomic_load_n(&c->longest, __ATOMIC_RELAXED);
    while (sum.longest > known &&
           !__atomic_compare_exchange_n(&c->longest, &known, sum.longest, true, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED))
        ;
    table_count(store, end - first, end - first);
}

/* Says which position is wrong. */
static ply_status report_bad(const check *c, const char *path, ply_error *error)
{
    const tablebase_folder *store = c->store;
    ply_slot place = ply_slot_make(c->class_index, c->bad);
    ply_text text = ply_text_growing();
    void *position = malloc(store->rules->position_bytes);
    if (position) {
        store->retro->position(store->work, place, position);
        store->rules->game->format(store->rules, position, &text);
    }
    ply_error_set(error, PLY_BAD_POSITION,
                  "%s: value %u at slot %llu (%s) does not follow from "
                  "its moves",
                  path, table_value_at(store, place), (unsigned long long)c->bad,
                  ply_text_cstr(&text));
    free(position);
    ply_text_free(&text);
    return PLY_BAD_POSITION;
}

static ply_status check_class(tablebase_folder *store, size_t class_index, const char *path,
                              ply_error *error)
{
    const tablebase_header *h = &store->values[class_index].header;
    check c = {.store = store, .class_index = class_index, .slots = h->slots, .bad = UINT64_MAX};
    ply_workers_run(store->team, (size_t)((c.slots + CHUNK - 1) / CHUNK), check_chunk, &c);
    if (table_stopped(store))
        return ply_error_set(error, PLY_STOPPED, "stopped");
    if (c.failed)
        return ply_error_set(error, PLY_NO_MEMORY, "out of memory");
    if (c.bad != UINT64_MAX)
        return report_bad(&c, path, error);
    ply_slot longest = ply_slot_make(class_index, h->longest_slot);
    if (c.wins != h->wins || c.losses != h->losses || c.draws != h->draws ||
        c.longest != h->longest || (h->longest && table_value_at(store, longest) != h->longest + 1))
        return ply_error_set(error, PLY_BAD_POSITION,
                             "%s: the counts in the header are not those of the values", path);
    return PLY_OK;
}

static ply_status check_slice(tablebase_folder *store, size_t class_index, ply_error *error)
{
    size_t classes[2] = {class_index, store->retro->class_partner(class_index)};
    size_t bytes = 0;
    for (int i = 0; i < 2; i++)
        bytes += (size_t)store->retro->slots(store->work, classes[i]);
    ply_status status = ply_tablebase_folder_load_next(store, class_index, bytes, error);
    for (int i = 0; i < 2 && status == PLY_OK; i++)
        status = ply_tablebase_folder_load(store, classes[i], error);
    for (int i = 0; i < 1 + (classes[0] != classes[1]) && status == PLY_OK; i++) {
        ply_text path = ply_text_growing();
        ply_tablebase_file_path(store, classes[i], ".plt", &path);
        status = check_class(store, classes[i], ply_text_cstr(&path), error);
        ply_text_free(&path);
    }
    return status;
}

ply_status ply_tablebase_verify(const ply_rules *rules, const ply_tablebase_job *job,
                                ply_error *error)
{
    tablebase_folder store;
    ply_status status = ply_tablebase_folder_open(&store, rules, job, false, error);
    if (status != PLY_OK)
        return status;
    uint64_t total = 0;
    for (size_t i = 0; i < store.slice_count; i++) {
        size_t partner = store.retro->class_partner(store.slices[i]);
        total += store.retro->slots(store.work, store.slices[i]) +
                 (partner == store.slices[i] ? 0 : store.retro->slots(store.work, partner));
    }
    if (store.progress)
        __atomic_store_n(&store.progress->parts_total, total, __ATOMIC_RELAXED);
    for (size_t i = 0; i < store.slice_count && status == PLY_OK; i++)
        status = check_slice(&store, store.slices[i], error);
    ply_tablebase_folder_close(&store);
    return status;
}
