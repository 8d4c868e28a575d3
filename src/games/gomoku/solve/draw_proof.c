/* SPDX-License-Identifier: MIT */
/*
 * draw_proof.c - see draw_proof.h.
 *
 * The search (draw_search.c) makes rows smaller step by step; each step leaves a pair of cells or falls
 * into parts. The proof says the same: a cover is some pairs and some parts, and each part is a
 * lemma, the same lemma for all its images:
 *
 *     cover     pairs [a b] [c d] ...   parts [lemma 17, laid on these cells] ...
 *     lemma     rows, and for each cell that the attacker may take an answer and a cover
 *
 * A lemma is written behind those it rests on. A cell that stands in fewer rows than another one
 * beside it needs no answer of its own: that of the other will do, with the two cells exchanged.
 */
#include "games/gomoku/solve/draw_proof.h"
#include "core/bits.h"
#include "core/varint.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_PARTS = 16, FIRST_ROOM = 1 << 12, REASON_FEW = 0, REASON_ANSWERS = 1 };

typedef struct cover_part {
    uint32_t lemma;
    uint64_t cells; /* of the lemma */
    uint8_t to[GOMOKU_HOLD_CELLS];
} cover_part;

typedef struct cover {
    gomoku_pairs pairs;
    int parts;
    cover_part part[MOST_PARTS];
} cover;

typedef struct answer {
    uint8_t cell;
    cover cover;
} answer;

/* Bytes that grow. */
typedef struct byte_list {
    uint8_t *bytes;
    size_t count, room;
} byte_list;

typedef struct lemma_entry {
    uint64_t key, cells;
    uint32_t number;
    uint8_t image;
    bool used;
} lemma_entry;

typedef struct hold_proof {
    gomoku_hold *h;
    size_t most;
    byte_list lemmas, table;
    uint32_t count;
    lemma_entry *entries; /* a power of two of them */
    size_t room;
    ply_status status;
} hold_proof;

/* --- bytes ----------------------------------------------------------------------------------- */
static void put_byte(hold_proof *p, byte_list *list, unsigned byte)
{
    if (list->count == list->room) {
        size_t room = list->room ? 2 * list->room : FIRST_ROOM;
        uint8_t *grown = room <= p->most ? realloc(list->bytes, room) : NULL;
        if (!grown) {
            p->status = room <= p->most ? PLY_NO_MEMORY : PLY_LIMIT;
            return;
        }
        list->bytes = grown;
        list->room = room;
    }
    list->bytes[list->count++] = (uint8_t)byte;
}

static void put_varint(hold_proof *p, byte_list *list, uint64_t value)
{
    uint8_t bytes[PLY_VARINT_BYTES];
    size_t count = ply_varint_encode(value, bytes);
    for (size_t i = 0; i < count; i++)
        put_byte(p, list, bytes[i]);
}

static void put_word(hold_proof *p, byte_list *list, uint64_t value)
{
    for (int i = 0; i < 8; i++)
        put_byte(p, list, (unsigned)(value >> (8 * i)) & 255);
}

static void put_cover(hold_proof *p, byte_list *list, const cover *c)
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

/* --- lemmas by their rows -------------------------------------------------------------------- */
static lemma_entry *find_entry(const hold_proof *p, uint64_t key)
{
    size_t i = key & (p->room - 1);
    while (p->entries[i].used && p->entries[i].key != key)
        i = (i + 1) & (p->room - 1);
    return &p->entries[i];
}

static bool make_room(hold_proof *p)
{
    if (2 * (size_t)p->count < p->room)
        return true;
    size_t old_room = p->room, room = old_room ? 2 * old_room : FIRST_ROOM;
    lemma_entry *old = p->entries;
    lemma_entry *grown = room * sizeof *grown <= p->most ? calloc(room, sizeof *grown) : NULL;
    if (!grown) {
        p->status = room * sizeof *grown <= p->most ? PLY_NO_MEMORY : PLY_LIMIT;
        return false;
    }
    p->entries = grown;
    p->room = room;
    for (size_t i = 0; i < old_room; i++)
        if (old[i].used)
            *find_entry(p, old[i].key) = old[i];
    free(old);
    return true;
}

/* Lays a lemma, of which one image has the key, on rows of which another has it. */
static void lay(const hold_proof *p, const lemma_entry *lemma, int image, cover_part *out)
{
    uint8_t back[GOMOKU_HOLD_CELLS] = {0};
    for (int cell = 0; cell < p->h->cells; cell++)
        back[p->h->image[image][cell]] = (uint8_t)cell;
    out->lemma = lemma->number;
    out->cells = lemma->cells;
    for (uint64_t m = lemma->cells; m; m &= m - 1)
        out->to[ply_lowest(m)] = back[p->h->image[lemma->image][ply_lowest(m)]];
}

/* --- covers and lemmas ----------------------------------------------------------------------- */
static bool find_lemma(hold_proof *p, const gomoku_rows *r, cover_part *out);

/* Adds to a cover what stops these rows, the attacker to move. */
static bool cover_rows(hold_proof *p, gomoku_rows *r, cover *c)
{
    uint64_t cell, lone;
    gomoku_rows_minimal(r);
    gomoku_rows_drop_pairs(r, &c->pairs);
    while (gomoku_rows_forced(r, &cell, &lone)) {
        /* He may as well have taken the cell already, and been answered. */
        gomoku_rows next;
        gomoku_pairs_add(&c->pairs, ply_lowest(cell), ply_lowest(lone));
        gomoku_rows_block(r, lone, &next);
        gomoku_rows_take(&next, cell, r);
        gomoku_rows_minimal(r);
        gomoku_rows_drop_pairs(r, &c->pairs);
    }
    for (uint64_t cells = gomoku_rows_cells(r); cells && p->status == PLY_OK;) {
        gomoku_rows part;
        uint64_t its_cells = gomoku_rows_part(r, cells & -cells);
        cells &= ~its_cells;
        gomoku_rows_block(r, ~its_cells, &part);
        if (gomoku_rows_pairing(&part, its_cells, &c->pairs))
            continue;
        if (c->parts == MOST_PARTS)
            p->status = PLY_LIMIT;
        else if (find_lemma(p, &part, &c->part[c->parts]))
            c->parts++;
    }
    return p->status == PLY_OK;
}

/* The attacker takes a cell of the rows; what the defender does about it. */
static bool find_answer(hold_proof *p, const gomoku_rows *rows, int cell, answer *out)
{
    gomoku_rows r, left;
    memset(&out->cover.pairs, 0, sizeof out->cover.pairs);
    out->cover.parts = 0;
    gomoku_rows_take(rows, (uint64_t)1 << cell, &r);
    int choice = gomoku_hold_answer(p->h, &r, &out->cover.pairs);
    if (choice == GOMOKU_HOLD_ANY)
        choice = cell == 0; /* another one */
    if (choice < 0) {
        p->status = PLY_LIMIT;
        return false;
    }
    out->cell = (uint8_t)choice;
    gomoku_rows_block(&r, (uint64_t)1 << choice, &left);
    return cover_rows(p, &left, &out->cover);
}

static uint8_t exchanged(uint8_t cell, int a, int b)
{
    return (uint8_t)(cell == a ? b : cell == b ? a : cell);
}

/* The answer to a, given that to b, which stands in all rows of a and more. */
static void exchange(const answer *given, int a, int b, answer *out)
{
    *out = *given;
    out->cell = exchanged(given->cell, a, b);
    for (int i = 0; i < out->cover.pairs.count; i++)
        for (int k = 0; k < 2; k++)
            out->cover.pairs.cell[i][k] = exchanged(out->cover.pairs.cell[i][k], a, b);
    for (int i = 0; i < out->cover.parts; i++)
        for (uint64_t m = out->cover.part[i].cells; m; m &= m - 1) {
            uint8_t *to = &out->cover.part[i].to[ply_lowest(m)];
            *to = exchanged(*to, a, b);
        }
}

static void put_answers(hold_proof *p, const gomoku_rows *r, byte_list *out)
{
    uint64_t common[GOMOKU_HOLD_CELLS], cells = gomoku_rows_cells(r);
    answer *answers = calloc(GOMOKU_HOLD_CELLS, sizeof *answers);
    if (!answers) {
        p->status = PLY_NO_MEMORY;
        return;
    }
    gomoku_rows_common(r, common);
    uint64_t first = gomoku_rows_foremost(r, common);
    for (uint64_t m = first; m && p->status == PLY_OK; m &= m - 1)
        find_answer(p, r, ply_lowest(m), &answers[ply_lowest(m)]);
    for (uint64_t m = cells & ~first; m && p->status == PLY_OK; m &= m - 1) {
        int a = ply_lowest(m), b = ply_lowest(common[a] & first);
        exchange(&answers[b], a, b, &answers[a]);
    }
    for (uint64_t m = cells; m && p->status == PLY_OK; m &= m - 1) {
        put_byte(p, out, answers[ply_lowest(m)].cell);
        put_cover(p, out, &answers[ply_lowest(m)].cover);
    }
    free(answers);
}

/* The rows, which hang together and are stopped: the lemma about them, made if there is none. */
static bool find_lemma(hold_proof *p, const gomoku_rows *r, cover_part *out)
{
    gomoku_hold_key key = gomoku_hold_key_of(p->h, r);
    if (!make_room(p))
        return false;
    lemma_entry *entry = find_entry(p, key.key);
    if (!entry->used) {
        byte_list mine = {0};
        bool few = gomoku_rows_weigh(r) < GOMOKU_FULL_ROW / 2;
        put_byte(p, &mine, (unsigned)r->count);
        for (int i = 0; i < r->count; i++)
            put_word(p, &mine, r->row[i]);
        put_byte(p, &mine, few ? REASON_FEW : REASON_ANSWERS);
        if (!few)
            put_answers(p, r, &mine);
        put_word(p, &p->table, p->lemmas.count);
        for (size_t i = 0; i < mine.count && p->status == PLY_OK; i++)
            put_byte(p, &p->lemmas, mine.bytes[i]);
        free(mine.bytes);
        if (p->status != PLY_OK || !make_room(p))
            return false;
        entry = find_entry(p, key.key);
        *entry = (lemma_entry){key.key, gomoku_rows_cells(r), p->count++, (uint8_t)key.image, true};
    }
    lay(p, entry, key.image, out);
    return true;
}

ply_status gomoku_hold_prove(gomoku_hold *h, ply_proof_writer *writer, size_t bytes)
{
    hold_proof p = {.h = h, .most = bytes / 4, .status = PLY_OK};
    gomoku_rows rows = h->attacker;
    cover all = {0};
    byte_list head = {0}, tail = {0};
    if (cover_rows(&p, &rows, &all)) {
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
