/* SPDX-License-Identifier: MIT */
/* lookups.c - see lookups.h. */
#include "cluster/lookups.h"
#include <stdlib.h>
#include <string.h>

/* Questions for one rank; in the end, the answers to them. */
typedef struct question_list {
    ply_slot *slots; /* numbered as in the part of that rank */
    size_t count, room;
} question_list;

/* One chunk of a batch. */
typedef struct chunk_exits {
    size_t chunk;
    uint16_t *exit_counts; /* by cell; UINT16_MAX: a hole */
    uint8_t *inner_moves;  /* by cell */
    ply_slot *exits;       /* of all cells */
    size_t exit_room;
    question_list *questions; /* by rank */
} chunk_exits;

typedef struct batch {
    chunk_exits chunks[LOOKUP_CHUNKS];
    size_t count;
} batch;

struct lookups {
    slice *s;
    exchange questions, answers;
    batch batches[EXCHANGE_SETS]; /* by number of the round */
    batch *current;
    uint64_t asked;
};

/* The rank that holds a value, and its number there. */
static unsigned owner_of_value(const slice *s, ply_slot slot, ply_slot *there)
{
    uint64_t number;
    unsigned owner = owner_of_place(s, ply_slot_number(slot), &number);
    *there = ply_slot_make(ply_slot_class(slot), number);
    return owner;
}

/* --- asking ---------------------------------------------------------------------------------- */
static bool push_question(question_list *list, ply_slot slot)
{
    if (list->count == list->room) {
        size_t room = list->room ? 2 * list->room : CHUNK_CELLS;
        ply_slot *slots = realloc(list->slots, room * sizeof *slots);
        if (!slots)
            return false;
        list->slots = slots;
        list->room = room;
    }
    list->slots[list->count++] = slot;
    return true;
}

/* Makes room for the exits of one more cell. */
static bool reserve_exits(chunk_exits *c, size_t used, size_t more)
{
    if (used + more <= c->exit_room)
        return true;
    size_t room = c->exit_room + c->exit_room / 2 + CHUNK_CELLS + more;
    ply_slot *exits = realloc(c->exits, room * sizeof *exits);
    if (!exits)
        return false;
    c->exits = exits;
    c->exit_room = room;
    return true;
}

static bool ask_cell(const slice *s, chunk_exits *c, uint64_t cell, size_t *used)
{
    if (!reserve_exits(c, *used, s->folder->retrograde->max_successors))
        return false;
    cell_exits list = {.cell = cell, .exits = c->exits + *used};
    ply_tablebase_slice_list_exits(s, &list);
    size_t at = cell % CHUNK_CELLS;
    if (list.exit_count == PLY_SLOT_HOLE) {
        c->exit_counts[at] = UINT16_MAX;
        return true;
    }
    c->exit_counts[at] = (uint16_t)list.exit_count;
    c->inner_moves[at] = (uint8_t)(list.inner_moves < UINT8_MAX ? list.inner_moves : UINT8_MAX);
    for (size_t i = 0; i < list.exit_count; i++) {
        ply_slot there;
        if (list.exits[i] == PLY_SLOT_NO_PIECES)
            continue;
        unsigned owner = owner_of_value(s, list.exits[i], &there);
        if (owner != s->rank && !push_question(&c->questions[owner], there))
            return false;
    }
    *used += list.exit_count;
    return true;
}

static void ask_chunk(void *context, size_t piece, unsigned worker)
{
    lookups *l = context;
    slice *s = l->s;
    chunk_exits *c = &l->current->chunks[piece];
    uint64_t first = (uint64_t)c->chunk * CHUNK_CELLS, end = chunk_end(s, c->chunk);
    size_t used = 0;
    for (unsigned rank = 0; rank < s->ranks; rank++)
        c->questions[rank].count = 0;
    for (uint64_t cell = first; cell < end; cell++)
        if (!ask_cell(s, c, cell, &used)) {
            atomic_store_explicit(&s->error, SLICE_NO_MEMORY, memory_order_relaxed);
            break;
        }
    if (worker == 0) {
        exchange_poll(&l->questions);
        exchange_poll(&l->answers);
    }
}

void cluster_lookups_ask(lookups *l, size_t first, size_t count)
{
    batch *b = &l->batches[l->questions.posted % EXCHANGE_SETS];
    b->count = count;
    for (size_t i = 0; i < count; i++)
        b->chunks[i].chunk = first + i;
    l->current = b;
    ply_workers_run(l->s->folder->workers, count, ask_chunk, l);
    for (unsigned to = 0; to < l->s->ranks; to++) {
        size_t total = 0;
        for (size_t i = 0; i < count; i++)
            total += b->chunks[i].questions[to].count;
        unsigned char *message =
            total ? exchange_fill(&l->questions, to, total * sizeof(ply_slot)) : NULL;
        for (size_t i = 0; message && i < count; i++) {
            const question_list *list = &b->chunks[i].questions[to];
            if (list->count)
                memcpy(message, list->slots, list->count * sizeof(ply_slot));
            message += list->count * sizeof(ply_slot);
        }
        l->asked += total;
    }
    exchange_post(&l->questions);
}

/* --- answering ------------------------------------------------------------------------------- */
static void answer_rank(void *context, size_t from, unsigned worker)
{
    (void)worker;
    lookups *l = context;
    const exchange_buffer *asked = &l->questions.in[from];
    size_t count = from == l->s->rank ? 0 : asked->count / sizeof(ply_slot);
    unsigned char *message =
        count ? exchange_fill(&l->answers, (unsigned)from, count * sizeof(uint16_t)) : NULL;
    if (!message)
        return;
    enum { AHEAD = 16 };
    const ply_slot *slots = (const ply_slot *)(const void *)asked->bytes;
    uint16_t *values = (uint16_t *)(void *)message;
    for (size_t i = 0; i < count; i++) {
        if (i + AHEAD < count)
            folder_prefetch(l->s->folder, slots[i + AHEAD]);
        values[i] = (uint16_t)folder_value(l->s->folder, slots[i]);
    }
}

/* Initialises the cells of a chunk; the answers of a rank to its questions begin at first[rank]. */
static bool init_chunk(lookups *l, const chunk_exits *c, const size_t *first)
{
    slice *s = l->s;
    const tablebase_folder *folder = s->folder;
    uint16_t *values = malloc(folder->retrograde->max_successors * sizeof *values);
    size_t *next = malloc(s->ranks * sizeof *next);
    uint64_t cell = (uint64_t)c->chunk * CHUNK_CELLS, end = chunk_end(s, c->chunk);
    ply_slot *exits = c->exits;
    bool good = values && next;
    if (good)
        memcpy(next, first, s->ranks * sizeof *next);
    for (size_t at = 0; good && cell < end; cell++, at++) {
        bool hole = c->exit_counts[at] == UINT16_MAX;
        cell_exits list = {.cell = cell,
                           .exits = exits,
                           .exit_count = hole ? PLY_SLOT_HOLE : c->exit_counts[at],
                           .inner_moves = c->inner_moves[at]};
        for (size_t i = 0; !hole && i < list.exit_count; i++) {
            ply_slot there = exits[i];
            unsigned owner =
                there == PLY_SLOT_NO_PIECES ? s->rank : owner_of_value(s, exits[i], &there);
            const void *answers = l->answers.in[owner].bytes;
            values[i] = owner == s->rank ? (uint16_t)folder_value(folder, there)
                                         : ((const uint16_t *)answers)[next[owner]++];
        }
        ply_tablebase_slice_init_cell(s, &list, values);
        exits += hole ? 0 : list.exit_count;
    }
    free(values);
    free(next);
    return good;
}

static void finish_chunk(void *context, size_t piece, unsigned worker)
{
    (void)worker;
    lookups *l = context;
    slice *s = l->s;
    const chunk_exits *c = &l->current->chunks[piece];
    size_t *first = calloc(s->ranks, sizeof *first);
    for (unsigned rank = 0; first && rank < s->ranks; rank++)
        for (size_t i = 0; i < piece; i++)
            first[rank] += l->current->chunks[i].questions[rank].count;
    if (!first || !init_chunk(l, c, first))
        atomic_store_explicit(&s->error, SLICE_NO_MEMORY, memory_order_relaxed);
    free(first);
    folder_add_progress(s->folder, chunk_end(s, c->chunk) - (uint64_t)c->chunk * CHUNK_CELLS);
}

void cluster_lookups_finish(lookups *l)
{
    slice *s = l->s;
    batch *b = &l->batches[l->questions.collected % EXCHANGE_SETS];
    exchange_collect(&l->questions);
    ply_workers_run(s->folder->workers, s->ranks, answer_rank, l);
    exchange_post(&l->answers);
    exchange_collect(&l->answers);
    l->current = b;
    if (l->questions.failed || l->answers.failed)
        atomic_store_explicit(&s->error, SLICE_NO_MEMORY, memory_order_relaxed);
    if (s->error == SLICE_OK) /* else questions or answers may be missing */
        ply_workers_run(s->folder->workers, b->count, finish_chunk, l);
}

uint64_t cluster_lookups_count(const lookups *l)
{
    return l->asked;
}

uint64_t cluster_lookups_bytes(const lookups *l)
{
    return l->questions.bytes_sent + l->answers.bytes_sent;
}

/* --- memory ---------------------------------------------------------------------------------- */
lookups *cluster_lookups_open(slice *s, int tag)
{
    lookups *l = calloc(1, sizeof *l);
    if (!l)
        return NULL;
    l->s = s;
    bool good = exchange_open(&l->questions, tag);
    good &= exchange_open(&l->answers, tag + 1);
    for (size_t i = 0; good && i < (size_t)EXCHANGE_SETS * LOOKUP_CHUNKS; i++) {
        chunk_exits *c = &l->batches[i / LOOKUP_CHUNKS].chunks[i % LOOKUP_CHUNKS];
        c->exit_counts = malloc(CHUNK_CELLS * sizeof *c->exit_counts);
        c->inner_moves = malloc(CHUNK_CELLS * sizeof *c->inner_moves);
        c->questions = calloc(s->ranks, sizeof *c->questions);
        good = c->exit_counts && c->inner_moves && c->questions;
    }
    if (!good) {
        cluster_lookups_close(l);
        return NULL;
    }
    return l;
}

void cluster_lookups_close(lookups *l)
{
    if (!l)
        return;
    for (size_t i = 0; i < (size_t)EXCHANGE_SETS * LOOKUP_CHUNKS; i++) {
        chunk_exits *c = &l->batches[i / LOOKUP_CHUNKS].chunks[i % LOOKUP_CHUNKS];
        for (unsigned rank = 0; c->questions && rank < l->s->ranks; rank++)
            free(c->questions[rank].slots);
        free(c->exit_counts);
        free(c->inner_moves);
        free(c->exits);
        free(c->questions);
    }
    exchange_close(&l->questions);
    exchange_close(&l->answers);
    free(l);
}
