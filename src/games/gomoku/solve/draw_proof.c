/* SPDX-License-Identifier: MIT */
/*
 * draw_proof.c - see draw_proof.h.
 *
 * The search (draw_search.c) simplifies winning sets step by step; each step leaves a pair of cells
 * or splits the sets into components. The proof lists the same steps. A cover stops some sets: it
 * consists of pairs and of components, each an instance of a lemma. A lemma is written once and
 * serves all images of its sets.
 *
 *     cover     pairs [a b] [c d] ...   parts [lemma 17 mapped to these cells] ...
 *     lemma     sets; for each cell that the attacker may take, an answer and a cover
 *
 * A lemma is written after those it depends on. A cell that another cell dominates needs no answer
 * of its own: it takes the answer of the dominating cell, with the two cells swapped.
 */
#include "games/gomoku/solve/draw_proof.h"
#include "core/bits.h"
#include "core/text/varint.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_PARTS = 16, FIRST_CAPACITY = 1 << 12, REASON_WEIGHT = 0, REASON_ANSWERS = 1 };

typedef struct cover_part {
    uint32_t lemma;
    uint64_t cells;               /* of the lemma */
    uint8_t to[GOMOKU_SET_CELLS]; /* where each of them is mapped */
} cover_part;

typedef struct cover {
    gomoku_pairs pairs;
    int parts;
    cover_part part[MAX_PARTS];
} cover;

typedef struct answer {
    uint8_t cell;
    cover cover;
} answer;

/* A byte array that grows. */
typedef struct byte_list {
    uint8_t *bytes;
    size_t count, capacity;
} byte_list;

typedef struct lemma_entry {
    uint64_t key, cells;
    uint32_t number;
    uint8_t image;
    bool used;
} lemma_entry;

typedef struct draw_proof {
    gomoku_draw_search *search;
    size_t max_bytes; /* of each array */
    byte_list lemmas, table;
    uint32_t count;
    lemma_entry *entries; /* a power of two of them */
    size_t capacity;
    ply_status status;
} draw_proof;

/* --- bytes ----------------------------------------------------------------------------------- */
static void put_byte(draw_proof *p, byte_list *list, unsigned byte)
{
    if (list->count == list->capacity) {
        size_t capacity = list->capacity ? 2 * list->capacity : FIRST_CAPACITY;
        uint8_t *grown = capacity <= p->max_bytes ? realloc(list->bytes, capacity) : NULL;
        if (!grown) {
            p->status = capacity <= p->max_bytes ? PLY_NO_MEMORY : PLY_LIMIT;
            return;
        }
        list->bytes = grown;
        list->capacity = capacity;
    }
    list->bytes[list->count++] = (uint8_t)byte;
}

static void put_varint(draw_proof *p, byte_list *list, uint64_t value)
{
    uint8_t bytes[PLY_VARINT_BYTES];
    size_t count = ply_varint_encode(value, bytes);
    for (size_t i = 0; i < count; i++)
        put_byte(p, list, bytes[i]);
}

static void put_word(draw_proof *p, byte_list *list, uint64_t value)
{
    for (int i = 0; i < 8; i++)
        put_byte(p, list, (unsigned)(value >> (8 * i)) & 255);
}

static void put_cover(draw_proof *p, byte_list *list, const cover *c)
{
    put_byte(p, list, (unsigned)c->pairs.count);
    for (int i = 0; i < c->pairs.count; i++)
        for (int k = 0; k < 2; k++)
            put_byte(p, list, c->pairs.cell[i][k]);
    put_byte(p, list, (unsigned)c->parts);
    for (int i = 0; i < c->parts; i++) {
        const cover_part *part = &c->part[i];
        bool same = true;
        for (uint64_t m = part->cells; m; m &= m - 1)
            same &= part->to[ply_lowest(m)] == ply_lowest(m);
        put_varint(p, list, part->lemma);
        put_byte(p, list, !same);
        for (uint64_t m = same ? 0 : part->cells; m; m &= m - 1)
            put_byte(p, list, part->to[ply_lowest(m)]);
    }
}

/* --- lemmas, found by their sets ------------------------------------------------------------- */
static lemma_entry *find_entry(const draw_proof *p, uint64_t key)
{
    size_t i = key & (p->capacity - 1);
    while (p->entries[i].used && p->entries[i].key != key)
        i = (i + 1) & (p->capacity - 1);
    return &p->entries[i];
}

static bool reserve_entry(draw_proof *p)
{
    if (2 * (size_t)p->count < p->capacity)
        return true;
    size_t old_capacity = p->capacity, capacity = old_capacity ? 2 * old_capacity : FIRST_CAPACITY;
    lemma_entry *old = p->entries;
    lemma_entry *grown =
        capacity * sizeof *grown <= p->max_bytes ? calloc(capacity, sizeof *grown) : NULL;
    if (!grown) {
        p->status = capacity * sizeof *grown <= p->max_bytes ? PLY_NO_MEMORY : PLY_LIMIT;
        return false;
    }
    p->entries = grown;
    p->capacity = capacity;
    for (size_t i = 0; i < old_capacity; i++)
        if (old[i].used)
            *find_entry(p, old[i].key) = old[i];
    free(old);
    return true;
}

/* Maps a lemma to the sets of which image number `image` has the same key. */
static void map_lemma(const draw_proof *p, const lemma_entry *lemma, int image, cover_part *out)
{
    uint8_t back[GOMOKU_SET_CELLS] = {0};
    for (int cell = 0; cell < p->search->cells; cell++)
        back[p->search->image[image][cell]] = (uint8_t)cell;
    out->lemma = lemma->number;
    out->cells = lemma->cells;
    for (uint64_t m = lemma->cells; m; m &= m - 1)
        out->to[ply_lowest(m)] = back[p->search->image[lemma->image][ply_lowest(m)]];
}

/* --- covers and lemmas ----------------------------------------------------------------------- */
static bool find_lemma(draw_proof *p, const gomoku_winning_sets *sets, cover_part *out);

/* Adds to a cover what stops these sets, the attacker to move. */
static bool cover_sets(draw_proof *p, gomoku_winning_sets *sets, cover *c)
{
    uint64_t cell, lone;
    gomoku_sets_minimize(sets);
    gomoku_sets_drop_pairs(sets, &c->pairs);
    while (gomoku_sets_forced(sets, &cell, &lone)) {
        /* Assume that the attacker has taken the cell and the defender has answered. */
        gomoku_winning_sets next;
        gomoku_pairs_add(&c->pairs, ply_lowest(cell), ply_lowest(lone));
        gomoku_sets_block(sets, lone, &next);
        gomoku_sets_claim(&next, cell, sets);
        gomoku_sets_minimize(sets);
        gomoku_sets_drop_pairs(sets, &c->pairs);
    }
    for (uint64_t cells = gomoku_sets_cells(sets); cells && p->status == PLY_OK;) {
        gomoku_winning_sets part;
        uint64_t part_cells = gomoku_sets_component(sets, cells & -cells);
        cells &= ~part_cells;
        gomoku_sets_block(sets, ~part_cells, &part);
        if (gomoku_sets_pairing(&part, part_cells, &c->pairs))
            continue;
        if (c->parts == MAX_PARTS)
            p->status = PLY_LIMIT;
        else if (find_lemma(p, &part, &c->part[c->parts]))
            c->parts++;
    }
    return p->status == PLY_OK;
}

/* The attacker takes a cell of the sets: finds the answer and the cover of what is left. */
static bool find_answer(draw_proof *p, const gomoku_winning_sets *before, int cell, answer *out)
{
    gomoku_winning_sets sets, left;
    memset(&out->cover.pairs, 0, sizeof out->cover.pairs);
    out->cover.parts = 0;
    gomoku_sets_claim(before, (uint64_t)1 << cell, &sets);
    int choice = gomoku_draw_search_answer(p->search, &sets, &out->cover.pairs);
    if (choice == GOMOKU_ANY_CELL)
        choice = cell == 0; /* any cell but this one */
    if (choice < 0) {
        p->status = PLY_LIMIT;
        return false;
    }
    out->cell = (uint8_t)choice;
    gomoku_sets_block(&sets, (uint64_t)1 << choice, &left);
    return cover_sets(p, &left, &out->cover);
}

static uint8_t swapped(uint8_t cell, int a, int b)
{
    return (uint8_t)(cell == a ? b : cell == b ? a : cell);
}

/* The answer to a, given the answer to b, which dominates it. */
static void swap_cells(const answer *given, int a, int b, answer *out)
{
    *out = *given;
    out->cell = swapped(given->cell, a, b);
    for (int i = 0; i < out->cover.pairs.count; i++)
        for (int k = 0; k < 2; k++)
            out->cover.pairs.cell[i][k] = swapped(out->cover.pairs.cell[i][k], a, b);
    for (int i = 0; i < out->cover.parts; i++)
        for (uint64_t m = out->cover.part[i].cells; m; m &= m - 1) {
            uint8_t *to = &out->cover.part[i].to[ply_lowest(m)];
            *to = swapped(*to, a, b);
        }
}

static void put_answers(draw_proof *p, const gomoku_winning_sets *sets, byte_list *out)
{
    uint64_t common[GOMOKU_SET_CELLS], cells = gomoku_sets_cells(sets);
    answer *answers = calloc(GOMOKU_SET_CELLS, sizeof *answers);
    if (!answers) {
        p->status = PLY_NO_MEMORY;
        return;
    }
    gomoku_sets_common(sets, common);
    uint64_t first = gomoku_sets_undominated(sets, common);
    for (uint64_t m = first; m && p->status == PLY_OK; m &= m - 1)
        find_answer(p, sets, ply_lowest(m), &answers[ply_lowest(m)]);
    for (uint64_t m = cells & ~first; m && p->status == PLY_OK; m &= m - 1) {
        int a = ply_lowest(m), b = ply_lowest(common[a] & first);
        swap_cells(&answers[b], a, b, &answers[a]);
    }
    for (uint64_t m = cells; m && p->status == PLY_OK; m &= m - 1) {
        put_byte(p, out, answers[ply_lowest(m)].cell);
        put_cover(p, out, &answers[ply_lowest(m)].cover);
    }
    free(answers);
}

/* Finds the lemma about these sets, which are connected and stopped, or writes it. */
static bool find_lemma(draw_proof *p, const gomoku_winning_sets *sets, cover_part *out)
{
    gomoku_draw_key key = gomoku_draw_key_of(p->search, sets);
    if (!reserve_entry(p))
        return false;
    lemma_entry *entry = find_entry(p, key.key);
    if (!entry->used) {
        byte_list body = {0};
        bool light = gomoku_sets_weight(sets) < GOMOKU_FULL_WEIGHT / 2;
        put_byte(p, &body, (unsigned)sets->count);
        for (int i = 0; i < sets->count; i++)
            put_word(p, &body, sets->set[i]);
        put_byte(p, &body, light ? REASON_WEIGHT : REASON_ANSWERS);
        if (!light)
            put_answers(p, sets, &body);
        put_word(p, &p->table, p->lemmas.count);
        for (size_t i = 0; i < body.count && p->status == PLY_OK; i++)
            put_byte(p, &p->lemmas, body.bytes[i]);
        free(body.bytes);
        if (p->status != PLY_OK || !reserve_entry(p))
            return false;
        entry = find_entry(p, key.key);
        *entry =
            (lemma_entry){key.key, gomoku_sets_cells(sets), p->count++, (uint8_t)key.image, true};
    }
    map_lemma(p, entry, key.image, out);
    return true;
}

ply_status gomoku_draw_proof_write(gomoku_draw_search *search, ply_proof_writer *writer,
                                   size_t bytes)
{
    draw_proof p = {.search = search, .max_bytes = bytes / 4, .status = PLY_OK};
    gomoku_winning_sets sets = search->attacker;
    cover all = {0};
    byte_list head = {0}, tail = {0};
    if (cover_sets(&p, &sets, &all)) {
        put_varint(&p, &head, p.count);
        put_varint(&p, &head, p.lemmas.count);
        put_cover(&p, &tail, &all);
    }
    if (p.status == PLY_OK) {
        const byte_list *parts[] = {&head, &p.table, &p.lemmas, &tail};
        ply_proof_winning_sets(writer);
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
            ply_proof_bytes(writer, parts[i]->bytes, parts[i]->count);
    }
    free(head.bytes);
    free(tail.bytes);
    free(p.table.bytes);
    free(p.lemmas.bytes);
    free(p.entries);
    return p.status;
}
