/* SPDX-License-Identifier: MIT */
/*
 * turn_memory.c - the memory of a turn query: one table of its arrays, used to reserve, free and
 * measure them; the query that each position keeps.
 *
 * Arrays of the same group have the same capacity and grow together, all or none: a failed
 * allocation leaves every array as it was. Their contents do not survive growth. The other arrays
 * grow one by one as their contents are appended (ply_array_grow).
 */
#include "games/fived/turns/turn_sat.h"
#include "games/fived/turns/turns_internal.h"
#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/*
 * The arrays of a query: X(q, member, number of elements for a capacity of n).
 *
 * PER_AXIS has room for n end boards of the player. A turn creates at most one new timeline per end
 * board, so it has at most 2n boards and 2n moves, plus the submit.
 */
/* clang-format off */
#define PER_AXIS(X, q, n)                  \
    X(q, candidates.axes, n)               \
    X(q, domains.preferred, n)             \
    X(q, present.required, n)              \
    X(q, partial.boards, 2 * (n))          \
    X(q, partial.state, n)                 \
    X(q, partial.must, n)                  \
    X(q, partial.left_from, n)             \
    X(q, partial.new_timeline, n)          \
    X(q, partial.limit, n)                 \
    X(q, partial.filled, n)                \
    X(q, partial.choices, 2 * (n) + 1)     \
    X(q, partial.moves, 2 * (n) + 1)       \
    X(q, witness.choices, 2 * (n) + 1)     \
    X(q, witness.domains, n)               \
    X(q, witness.replaceable, n)           \
    X(q, sat.choices, 2 * (n) + 1)
#define PER_TIMELINE(X, q, n)              \
    X(q, view.timelines, n)                \
    X(q, candidates.axis_of, n)            \
    X(q, candidates.safe_base, n)
#define PER_BOARD(X, q, n)                 \
    X(q, candidates.safe, n)

/* Arrays that grow one by one: X(q, member, its capacity). */
#define GROWING(X, q)                                             \
    X(q, candidates.physical, (q)->candidates.physical_room)      \
    X(q, candidates.jumps, (q)->candidates.jump_room)             \
    X(q, candidates.hop_index, (q)->candidates.hop_room)          \
    X(q, domains.ids, (q)->domains.id_room)                       \
    X(q, domains.levels, (q)->domains.level_room)                 \
    X(q, run.seen.keys, (q)->run.seen.room)                       \
    X(q, marks.viable, (q)->marks.room)
/* clang-format on */

#define ARRAY_NEED(q, member, count) \
    {offsetof(fived_turn_query, member), (count) * sizeof *(q)->member},
#define ARRAY_FREE(q, member, count) free((q)->member);

/* --- groups of arrays ----------------------------------------------------------------------- */
/* An array of a query: where its pointer is, and the bytes it needs. */
typedef struct array_need {
    size_t pointer; /* offset in fived_turn_query */
    size_t bytes;
} array_need;

enum { GROUP_LIMIT = 32, FIRST_ROOM = 4 };
#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

/* Replaces the arrays of a group by larger ones. False: no memory, and nothing has changed. */
static bool replace_arrays(fived_turn_query *q, const array_need *needs, size_t count)
{
    void *fresh[GROUP_LIMIT];
    assert(count <= GROUP_LIMIT);
    for (size_t i = 0; i < count; i++) {
        /* Boards must be aligned to cache lines; aligning all arrays costs little. */
        size_t align = alignof(fived_board), bytes = (needs[i].bytes + align - 1) & ~(align - 1);
        fresh[i] = aligned_alloc(align, bytes);
        if (!fresh[i]) {
            while (i > 0)
                free(fresh[--i]);
            return false;
        }
    }
    for (size_t i = 0; i < count; i++) {
        void **array = (void **)(void *)((char *)q + needs[i].pointer);
        free(*array);
        *array = fresh[i];
    }
    return true;
}

/* The capacity for `count` elements: doubled as often as necessary, never 0. */
static size_t capacity_for(size_t room, size_t count)
{
    room = room ? room : FIRST_ROOM;
    while (room < count)
        room *= 2;
    return room;
}

static bool reserve_timelines(fived_turn_query *q, size_t count)
{
    size_t n = capacity_for(q->timeline_room, count);
    if (n == q->timeline_room)
        return true;
    const array_need needs[] = {PER_TIMELINE(ARRAY_NEED, q, n)};
    if (!replace_arrays(q, needs, LENGTH(needs)))
        return false;
    q->timeline_room = n;
    return true;
}

static bool reserve_boards(fived_turn_query *q, size_t count)
{
    size_t n = capacity_for(q->board_room, count);
    if (n == q->board_room)
        return true;
    const array_need needs[] = {PER_BOARD(ARRAY_NEED, q, n)};
    if (!replace_arrays(q, needs, LENGTH(needs)))
        return false;
    q->board_room = n;
    return true;
}

static bool reserve_axes(fived_turn_query *q, size_t count)
{
    size_t n = capacity_for(q->axis_room, count);
    if (n == q->axis_room)
        return true;
    const array_need needs[] = {PER_AXIS(ARRAY_NEED, q, n)};
    if (!replace_arrays(q, needs, LENGTH(needs)))
        return false;
    q->axis_room = n;
    for (size_t i = 0; i < q->domains.level_room; i++) { /* they hold a domain for each axis */
        free(q->domains.levels[i]);
        q->domains.levels[i] = NULL;
    }
    return true;
}

bool fived_turn_reserve(fived_turn_query *q, size_t timelines, size_t boards, size_t axes)
{
    if (q->is_fixed)
        return fived_turn_has_room(q, timelines, boards, axes);
    return reserve_timelines(q, timelines) && reserve_boards(q, boards) && reserve_axes(q, axes);
}

fived_domain *fived_turn_level(fived_turn_query *q, uint32_t level)
{
    fived_domains *d = &q->domains;
    size_t room = d->level_room;
    if (level >= room) {
        if (q->is_fixed ||
            !ply_array_grow(&d->levels, &d->level_room, (size_t)level + 1, sizeof *d->levels))
            return NULL;
        memset(d->levels + room, 0, (d->level_room - room) * sizeof *d->levels);
    }
    if (!d->levels[level])
        d->levels[level] = malloc(q->axis_room * sizeof **d->levels);
    return d->levels[level];
}

/* --- the life of a query -------------------------------------------------------------------- */
void fived_turn_query_init(fived_turn_query *q)
{
    memset(q, 0, sizeof *q);
}

void fived_turn_query_free(fived_turn_query *q)
{
    for (size_t i = 0; i < q->domains.level_room; i++)
        free(q->domains.levels[i]);
    PER_AXIS(ARRAY_FREE, q, 0)
    PER_TIMELINE(ARRAY_FREE, q, 0)
    PER_BOARD(ARRAY_FREE, q, 0)
    GROWING(ARRAY_FREE, q)
    fived_turn_sat_free(q->sat.encoding);
    memset(q, 0, sizeof *q);
}

size_t fived_turn_query_bytes(const fived_turn_query *q)
{
    const array_need arrays[] = {
        PER_AXIS(ARRAY_NEED, q, q->axis_room) PER_TIMELINE(ARRAY_NEED, q, q->timeline_room)
            PER_BOARD(ARRAY_NEED, q, q->board_room) GROWING(ARRAY_NEED, q)};
    size_t bytes = sizeof *q + fived_turn_sat_bytes(q->sat.encoding);
    for (size_t i = 0; i < LENGTH(arrays); i++)
        bytes += arrays[i].bytes;
    for (size_t i = 0; i < q->domains.level_room; i++)
        bytes += q->domains.levels[i] ? q->axis_room * sizeof **q->domains.levels : 0;
    return bytes;
}

/* Adds the key of a result; false if it was there already. */
bool fived_turn_add_result(fived_turn_query *q, uint64_t key)
{
    if ((q->run.seen.count + 1) * 2 > q->run.seen.room) {
        size_t room = q->run.seen.room ? q->run.seen.room * 2 : 1024;
        uint64_t *old = q->run.seen.keys, *fresh = calloc(room, sizeof *fresh);
        if (!fresh) {
            fived_turn_out_of_memory(q);
            return false;
        }
        for (size_t i = 0; i < q->run.seen.room; i++)
            if (old[i]) {
                size_t at = (size_t)ply_mix64(old[i]) & (room - 1);
                while (fresh[at])
                    at = (at + 1) & (room - 1);
                fresh[at] = old[i];
            }
        free(old);
        q->run.seen.keys = fresh;
        q->run.seen.room = room;
    }
    key = key ? key : 1;
    size_t at = (size_t)ply_mix64(key) & (q->run.seen.room - 1);
    for (; q->run.seen.keys[at]; at = (at + 1) & (q->run.seen.room - 1))
        if (q->run.seen.keys[at] == key)
            return false;
    q->run.seen.keys[at] = key;
    q->run.seen.count++;
    return true;
}

void fived_turn_query_rebind(fived_turn_query *q)
{
    const fived_position *p = q->position;
    for (int l = p->lo; l <= p->hi; l++)
        q->view.timelines[l - q->view.base].boards = fived_position_timeline(p, l)->boards;
}

/* --- the query that a position keeps -------------------------------------------------------- */
enum { KEEP_BYTES = 8 << 20 }; /* a larger query is freed, not kept */

void fived_turn_query_delete(fived_turn_query *q)
{
    if (!q)
        return;
    fived_turn_query_free(q);
    free(q);
}

/* Prepares q, which may be NULL: then a new query. */
static ply_status open_query(fived_turn_query *q, fived_turn_query **out, const ply_rules *rules,
                             const fived_position *p)
{
    if (!q)
        q = calloc(1, sizeof *q);
    if (q && fived_turn_query_prepare(q, rules, p) != PLY_OK) {
        fived_turn_query_delete(q);
        q = NULL;
    }
    *out = q;
    return q ? PLY_OK : PLY_NO_MEMORY;
}

ply_status fived_turn_query_open(fived_turn_query **out, const ply_rules *rules,
                                 const fived_position *p)
{
    return open_query(atomic_exchange(&p->multiverse->query, NULL), out, rules, p);
}

void fived_turn_query_allow_reuse(fived_turn_query *q)
{
    q->reuse.allowed = true;
    q->reuse.version = q->position->multiverse->version;
    memcpy(q->reuse.options, q->rules->option, sizeof q->rules->option);
}

ply_status fived_turn_query_reopen(fived_turn_query **out, const ply_rules *rules,
                                   const fived_position *p)
{
    fived_turn_query *q = atomic_exchange(&p->multiverse->query, NULL);
    if (q && q->reuse.allowed && q->reuse.version == p->multiverse->version &&
        memcmp(q->reuse.options, rules->option, sizeof rules->option) == 0) {
        q->rules = rules;
        q->position = p;
        *out = q;
        return PLY_OK;
    }
    ply_status status = open_query(q, out, rules, p);
    if (status == PLY_OK)
        fived_turn_query_allow_reuse(*out);
    return status;
}

void fived_turn_query_close(fived_turn_query *q)
{
    if (!q)
        return;
    fived_turn_query *none = NULL;
    if (q->status != PLY_OK || fived_turn_query_bytes(q) > KEEP_BYTES ||
        !atomic_compare_exchange_strong(&q->position->multiverse->query, &none, q))
        fived_turn_query_delete(q);
}
