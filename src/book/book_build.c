/* SPDX-License-Identifier: MIT */
/*
 * book_build.c - building books by drop-out expansion.
 *
 * Work is done in rounds. A round first values all positions: expanded ones by negamax, from the
 * largest ply down. Then it gives each position a cost: the least, over all ways from the start, of
 * ply_cost for every ply plus what each move on the way gives away. It expands the cheapest
 * positions, a sixteenth as many as have been expanded: a search names the best moves there, and the
 * positions after them join the book with the scores of the search. At the end of the round the
 * book is saved.
 *
 * Everything follows from the set of positions at the start of the round, so a book that is loaded
 * and continued is the same as one that was never interrupted. For the same reason a position is
 * searched without the moves that led to it, of which there may be several.
 *
 * A move to a position with the same or a smaller ply is not followed, so that there are no cycles.
 */
#include "book/book_internal.h"
#include "core/array.h"
#include "core/hash.h"
#include "core/options.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    DEFAULT_POSITIONS = 1000,
    DEFAULT_WIDTH = 4,
    MAX_WIDTH = 64,
    DEFAULT_PLY_COST = 20,
    ROUND_SHARE = 16,
    NO_NODE = -1,
};

typedef struct book_node {
    book_entry entry;
    int64_t cost;
    size_t first_child, child_count; /* in children: all legal moves, once expanded */
    int32_t parent;                  /* on one way from the start; NO_NODE for the start */
    ply_move move;
} book_node;

typedef struct book_child {
    uint64_t key;
    bool same_side; /* the same player moves on */
} book_child;

typedef struct book_builder {
    const ply_rules *rules;
    ply_book_options options;
    const char *path;
    ply_error *error;
    book_node *nodes;
    size_t count, capacity, expanded;
    book_child *children;
    size_t child_count, child_capacity;
    int32_t *slots; /* a hash table of node numbers by key */
    size_t slot_count;
    int32_t *order; /* the nodes by ply */
    size_t order_capacity;
    ply_move *moves;
    ply_variation *variations;
    ply_state state; /* used by one function at a time */
} book_builder;

static ply_status out_of_memory(const book_builder *b)
{
    return ply_error_set(b->error, PLY_NO_MEMORY, "%s: out of memory", b->path);
}

/* --- the set of positions -------------------------------------------------------------------- */
/* The slot of a key: its own, or the empty one where it belongs. */
static int32_t *find_slot(const book_builder *b, uint64_t key)
{
    size_t at = ply_mix64(key) & (b->slot_count - 1);
    while (b->slots[at] != NO_NODE && b->nodes[b->slots[at]].entry.key != key)
        at = (at + 1) & (b->slot_count - 1);
    return &b->slots[at];
}

static bool grow_slots(book_builder *b)
{
    size_t count = b->slot_count ? 2 * b->slot_count : 1024;
    int32_t *slots = malloc(count * sizeof *slots);
    if (!slots)
        return false;
    free(b->slots);
    b->slots = slots;
    b->slot_count = count;
    memset(slots, 0xFF, count * sizeof *slots);
    for (size_t i = 0; i < b->count; i++)
        *find_slot(b, b->nodes[i].entry.key) = (int32_t)i;
    return true;
}

static bool add_node(book_builder *b, const book_entry *entry, int32_t parent, ply_move move)
{
    if (2 * (b->count + 1) > b->slot_count && !grow_slots(b))
        return false;
    if (b->count == INT32_MAX ||
        !ply_array_grow(&b->nodes, &b->capacity, b->count + 1, sizeof *b->nodes))
        return false;
    b->nodes[b->count] = (book_node){.entry = *entry, .parent = parent, .move = move};
    *find_slot(b, entry->key) = (int32_t)b->count++;
    return true;
}

/* Sets b->state to a node's position, with the moves on the way to it. */
static bool go_to(book_builder *b, int32_t node)
{
    ply_move way[BOOK_MAX_PLY + 1];
    size_t length = 0;
    for (; b->nodes[node].parent != NO_NODE && length <= BOOK_MAX_PLY; node = b->nodes[node].parent)
        way[length++] = b->nodes[node].move;
    bool good = ply_state_restart(&b->state) == PLY_OK;
    while (good && length-- > 0)
        good = ply_state_play(&b->state, way[length]) == PLY_OK;
    return good;
}

/* Adds what a book has after a move of a node, in b->state, unless it is there already. */
static bool load_child(book_builder *b, const ply_book *book, int32_t node, ply_move move)
{
    uint64_t key = ply_state_key(&b->state);
    const book_entry *entry = ply_book_find(book, key);
    if (!entry || entry->ply <= b->nodes[node].entry.ply || *find_slot(b, key) != NO_NODE)
        return true;
    return add_node(b, entry, node, move);
}

/*
 * Lists the moves of the position in b->state as the children of a node, and adds the positions
 * after them that are in `book`, which may be NULL. False when memory runs out.
 */
static bool list_children(book_builder *b, int32_t node, const ply_book *book)
{
    size_t count = ply_state_moves(&b->state, b->moves, b->rules->max_moves);
    int side = ply_state_side(&b->state);
    if (!ply_array_grow(&b->children, &b->child_capacity, b->child_count + count,
                        sizeof *b->children))
        return false;
    b->nodes[node].first_child = b->child_count;
    b->nodes[node].child_count = count;
    for (size_t i = 0; i < count; i++) {
        if (ply_state_play(&b->state, b->moves[i]) != PLY_OK)
            return false;
        b->children[b->child_count++] = (book_child){
            .key = ply_state_key(&b->state), .same_side = ply_state_side(&b->state) == side};
        bool good = !book || load_child(b, book, node, b->moves[i]);
        ply_state_undo(&b->state);
        if (!good)
            return false;
    }
    return true;
}

/* --- values and costs ------------------------------------------------------------------------ */
static int32_t value_after(const book_node *child, bool same_side)
{
    return same_side ? child->entry.value : -child->entry.value;
}

/* The node a child leads to, or NULL if it is not in the book or not deeper than its parent. */
static book_node *follow(const book_builder *b, const book_node *from, const book_child *child)
{
    int32_t to = *find_slot(b, child->key);
    return to != NO_NODE && b->nodes[to].entry.ply > from->entry.ply ? &b->nodes[to] : NULL;
}

/* Numbers the nodes by ply. False when memory runs out. */
static bool sort_by_ply(book_builder *b)
{
    size_t starts[BOOK_MAX_PLY + 2] = {0};
    if (!ply_array_grow(&b->order, &b->order_capacity, b->count, sizeof *b->order))
        return false;
    for (size_t i = 0; i < b->count; i++)
        starts[b->nodes[i].entry.ply + 1]++;
    for (size_t ply = 1; ply < BOOK_MAX_PLY + 2; ply++)
        starts[ply] += starts[ply - 1];
    for (size_t i = 0; i < b->count; i++)
        b->order[starts[b->nodes[i].entry.ply]++] = (int32_t)i;
    return true;
}

/* Values every expanded node that has a child to follow; others keep the value of their search. */
static void back_up(book_builder *b)
{
    for (size_t i = b->count; i-- > 0;) {
        book_node *node = &b->nodes[b->order[i]];
        int32_t best = INT32_MIN;
        for (size_t k = 0; k < node->child_count; k++) {
            const book_child *child = &b->children[node->first_child + k];
            const book_node *to = follow(b, node, child);
            if (to && value_after(to, child->same_side) > best)
                best = value_after(to, child->same_side);
        }
        if (best != INT32_MIN)
            node->entry.value = best;
    }
}

static void spread_costs(book_builder *b)
{
    for (size_t i = 0; i < b->count; i++)
        b->nodes[i].cost = b->nodes[i].parent == NO_NODE ? 0 : INT64_MAX;
    for (size_t i = 0; i < b->count; i++) {
        const book_node *node = &b->nodes[b->order[i]];
        for (size_t k = 0; k < node->child_count; k++) {
            const book_child *child = &b->children[node->first_child + k];
            book_node *to = follow(b, node, child);
            int64_t cost = node->cost + b->options.ply_cost;
            if (!to)
                continue;
            cost += node->entry.value - value_after(to, child->same_side);
            if (cost < to->cost)
                to->cost = cost;
        }
    }
}

/* --- rounds ---------------------------------------------------------------------------------- */
typedef struct book_candidate {
    int64_t cost;
    uint64_t key;
    int32_t node;
} book_candidate;

static int compare_candidates(const void *one, const void *other)
{
    const book_candidate *a = one, *b = other;
    if (a->cost != b->cost)
        return a->cost < b->cost ? -1 : 1;
    return a->key < b->key ? -1 : a->key > b->key;
}

static bool is_open(const book_node *node)
{
    int32_t value = node->entry.value;
    return !node->entry.expanded && value < PLY_SCORE_FORCED && value > -PLY_SCORE_FORCED &&
           node->entry.ply < BOOK_MAX_PLY;
}

/* The positions to expand, cheapest first, which the caller frees; *count of them. */
static book_candidate *choose_candidates(const book_builder *b, size_t *count)
{
    book_candidate *found = malloc(b->count * sizeof *found);
    size_t wanted = 1 + b->expanded / ROUND_SHARE;
    *count = 0;
    for (size_t i = 0; found && i < b->count; i++)
        if (is_open(&b->nodes[i]))
            found[(*count)++] = (book_candidate){
                .cost = b->nodes[i].cost, .key = b->nodes[i].entry.key, .node = (int32_t)i};
    if (found)
        qsort(found, *count, sizeof *found, compare_candidates);
    if (*count > wanted)
        *count = wanted;
    return found;
}

/* Forgets the moves that led to the position in b->state. */
static bool forget_moves(book_builder *b)
{
    ply_text text = ply_text_growing();
    ply_state_format(&b->state, &text);
    bool good = !text.failed &&
                ply_state_parse(&b->state, ply_text_cstr(&text), text.length, NULL) == PLY_OK;
    ply_text_free(&text);
    return good;
}

/* Adds the position after a variation's first move, unless it is in the book already. */
static bool add_variation(book_builder *b, int32_t node, const ply_variation *variation)
{
    int side = ply_state_side(&b->state);
    if (ply_state_play(&b->state, variation->moves[0]) != PLY_OK)
        return false;
    uint64_t key = ply_state_key(&b->state);
    bool same_side = ply_state_side(&b->state) == side;
    ply_state_undo(&b->state);
    book_entry entry = {.key = key,
                        .value = same_side ? variation->score : -variation->score,
                        .ply = (uint16_t)(b->nodes[node].entry.ply + 1)};
    return *find_slot(b, key) != NO_NODE || add_node(b, &entry, node, variation->moves[0]);
}

/* Expands a position. A game that is over has nothing to expand. */
static ply_status expand(book_builder *b, int32_t node)
{
    if (!go_to(b, node) || !forget_moves(b))
        return out_of_memory(b);
    b->nodes[node].entry.expanded = true;
    b->expanded++;
    if (ply_state_outcome(&b->state).result != PLY_ONGOING)
        return PLY_OK;
    size_t found =
        b->options.search(b->options.context, &b->state, b->variations, b->options.width);
    if (found == 0 || (b->options.stopped && b->options.stopped(b->options.context)))
        return ply_error_set(b->error, PLY_STOPPED, "stopped");
    for (size_t i = 0; i < found; i++)
        if (!add_variation(b, node, &b->variations[i]))
            return out_of_memory(b);
    return list_children(b, node, NULL) ? PLY_OK : out_of_memory(b);
}

static int compare_entries(const void *one, const void *other)
{
    const book_entry *a = one, *b = other;
    return a->key < b->key ? -1 : a->key > b->key;
}

static ply_status save(book_builder *b)
{
    ply_book book = {.rules = b->rules,
                     .nodes = b->options.nodes,
                     .width = b->options.width,
                     .ply_cost = b->options.ply_cost,
                     .count = b->count,
                     .expanded = b->expanded,
                     .entries = malloc(b->count * sizeof *book.entries)};
    if (!book.entries)
        return out_of_memory(b);
    for (size_t i = 0; i < b->count; i++)
        book.entries[i] = b->nodes[i].entry;
    qsort(book.entries, book.count, sizeof *book.entries, compare_entries);
    ply_status status = ply_book_write(&book, b->path, b->error);
    free(book.entries);
    if (status == PLY_OK && b->options.saved)
        b->options.saved(b->options.context, b->count, b->expanded);
    return status;
}

/* Runs one round; *done: nothing is left to expand. */
static ply_status run_round(book_builder *b, bool *done)
{
    size_t count;
    spread_costs(b);
    book_candidate *candidates = choose_candidates(b, &count);
    if (!candidates)
        return out_of_memory(b);
    ply_status status = PLY_OK;
    for (size_t i = 0; i < count && status == PLY_OK; i++)
        status = expand(b, candidates[i].node);
    free(candidates);
    *done = count == 0;
    if (*done || status != PLY_OK)
        return status;
    if (!sort_by_ply(b))
        return out_of_memory(b);
    back_up(b);
    return save(b);
}

/* --- starting and continuing ----------------------------------------------------------------- */
/* Adds all positions of a book, from the start position on. */
static ply_status load(book_builder *b, const ply_book *book)
{
    if (book->nodes != b->options.nodes || book->width != b->options.width ||
        book->ply_cost != b->options.ply_cost)
        return ply_error_set(b->error, PLY_UNSUPPORTED,
                             "%s: was built with %llu nodes, width %u and ply cost %d", b->path,
                             (unsigned long long)book->nodes, book->width, (int)book->ply_cost);
    b->nodes[0].entry = *ply_book_find(book, b->nodes[0].entry.key);
    for (size_t i = 0; i < b->count; i++) {
        if (!b->nodes[i].entry.expanded)
            continue;
        b->expanded++;
        if (!go_to(b, (int32_t)i) || !forget_moves(b))
            return out_of_memory(b);
        if (ply_state_outcome(&b->state).result == PLY_ONGOING &&
            !list_children(b, (int32_t)i, book))
            return out_of_memory(b);
    }
    if (b->count != book->count)
        return ply_error_set(b->error, PLY_IO, "%s: %zu positions cannot be reached", b->path,
                             book->count - b->count);
    return PLY_OK;
}

static ply_status start(book_builder *b)
{
    ply_book *book = NULL;
    b->moves = malloc(b->rules->max_moves * sizeof *b->moves);
    b->variations = malloc(MAX_WIDTH * sizeof *b->variations);
    if (ply_state_init(&b->state, b->rules) != PLY_OK || !b->moves || !b->variations)
        return out_of_memory(b);
    book_entry first = {.key = ply_state_key(&b->state)};
    if (!add_node(b, &first, NO_NODE, PLY_MOVE_NONE))
        return out_of_memory(b);
    ply_status status = PLY_OK;
    if (access(b->path, F_OK) == 0) {
        status = ply_book_open(b->rules, b->path, &book, b->error);
        if (status == PLY_OK)
            status = load(b, book);
        ply_book_close(book);
    }
    if (status == PLY_OK && !sort_by_ply(b))
        status = out_of_memory(b);
    return status;
}

ply_status ply_book_build(const ply_rules *rules, const char *path, const ply_book_options *options,
                          ply_error *error)
{
    book_builder b = {.rules = rules, .path = path, .error = error};
    ply_options_copy(&b.options, sizeof b.options, options);
    ply_book_options *o = &b.options;
    if (!rules || !rules->game || !path || !o->search || o->width > MAX_WIDTH || o->ply_cost < 0)
        return ply_error_set(error, PLY_BAD_ARGUMENT, "no rules, path or search, or bad options");
    o->positions = o->positions ? o->positions : DEFAULT_POSITIONS;
    o->width = o->width ? o->width : DEFAULT_WIDTH;
    o->ply_cost = o->ply_cost ? o->ply_cost : DEFAULT_PLY_COST;
    ply_status status = start(&b);
    bool done = false;
    while (status == PLY_OK && !done && b.count < o->positions)
        status = run_round(&b, &done);
    ply_state_free(&b.state);
    free(b.nodes);
    free(b.children);
    free(b.slots);
    free(b.order);
    free(b.moves);
    free(b.variations);
    return status;
}
