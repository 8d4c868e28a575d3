/* SPDX-License-Identifier: MIT */
/*
 * proof_writer.c - the bytes of a proof file, written front to back.
 *
 *     "PLYPROOF" 1                     magic and version
 *     texts: game, variant, goal       a text is its length (varint) and its bytes
 *     attacker verdict                 a byte each: 0 or 1; 1 win, 2 no
 *     text: position                   the game's notation
 *     node                             see below
 *     label table                      for each label: offset, plies (8 bytes each, low first)
 *     labels plies table_offset        8 bytes each, low first
 *     sum                              8 bytes: FNV-1a of all bytes before it
 *
 *     node = 0                         leaf
 *          | 1 move node               the chooser's move
 *          | 2 {1 move node} [2 node] 0    all moves; 2: else
 *          | 3 number                  ref
 *          | 4 text node               label; the text is the position's identity
 *          | 5 bytes                   rows; the bytes are the caller's
 *
 * A move is the varint of its 64 bits; a varint has seven bits a byte, the lowest first. The reader
 * is src/check, which shares nothing with this file but docs/solve.md.
 */
#include <plyverse/solve.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFER_BYTES = 1 << 14 };
enum { NODE_LEAF, NODE_CHOOSE, NODE_ALL, NODE_REF, NODE_LABEL, NODE_ROWS };
enum { ALL_END, ALL_MOVE, ALL_ELSE };

typedef struct label_row {
    uint64_t offset;
    uint64_t plies;
} label_row;

struct ply_proof_writer {
    ply_rules rules;
    const ply_goal *goal;
    ply_proof_sink *sink;
    void *context;
    uint64_t offset, sum; /* bytes written, buffered ones included, and their sum */
    ply_status status;
    label_row *labels;
    size_t label_count, label_capacity;
    ply_text text;
    size_t buffered;
    unsigned char buffer[BUFFER_BYTES];
};

static void flush(ply_proof_writer *w)
{
    if (w->status == PLY_OK && w->buffered && !w->sink(w->context, w->buffer, w->buffered))
        w->status = PLY_IO;
    w->buffered = 0;
}

static void put_byte(ply_proof_writer *w, unsigned byte)
{
    if (w->buffered == BUFFER_BYTES)
        flush(w);
    w->buffer[w->buffered++] = (unsigned char)byte;
    w->sum = (w->sum ^ byte) * 0x100000001B3u;
    w->offset++;
}

static void put_bytes(ply_proof_writer *w, const void *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        put_byte(w, ((const unsigned char *)bytes)[i]);
}

static void put_varint(ply_proof_writer *w, uint64_t value)
{
    for (; value >= 128; value >>= 7)
        put_byte(w, (unsigned)(value & 127) | 128);
    put_byte(w, (unsigned)value);
}

static void put_word(ply_proof_writer *w, uint64_t value)
{
    for (int i = 0; i < 8; i++)
        put_byte(w, (unsigned)(value >> (8 * i)) & 255);
}

static void put_text(ply_proof_writer *w)
{
    if (!ply_text_complete(&w->text))
        w->status = PLY_NO_MEMORY;
    put_varint(w, w->text.length);
    put_bytes(w, ply_text_cstr(&w->text), w->text.length);
    ply_text_clear(&w->text);
}

static void put_string(ply_proof_writer *w, const char *string)
{
    ply_text_string(&w->text, string);
    put_text(w);
}

ply_proof_writer *ply_proof_writer_new(const ply_proof_claim *claim, ply_proof_sink *sink,
                                       void *context)
{
    ply_proof_writer *w = calloc(1, sizeof *w);
    if (!w)
        return NULL;
    w->rules = *claim->rules;
    w->goal = claim->goal;
    w->sink = sink;
    w->context = context;
    w->sum = 0xCBF29CE484222325u;
    w->text = ply_text_growing();
    put_bytes(w, "PLYPROOF\x01", 9);
    put_string(w, w->rules.game->id);
    ply_rules_format(&w->rules, &w->text);
    put_text(w);
    put_string(w, claim->goal->id);
    put_byte(w, (unsigned)claim->attacker);
    put_byte(w, claim->verdict == PLY_VERDICT_WIN ? 1 : 2);
    w->rules.game->format(&w->rules, claim->position, &w->text);
    put_text(w);
    return w;
}

void ply_proof_leaf(ply_proof_writer *w)
{
    put_byte(w, NODE_LEAF);
}

void ply_proof_choose(ply_proof_writer *w, ply_move move)
{
    put_byte(w, NODE_CHOOSE);
    put_varint(w, move);
}

void ply_proof_all(ply_proof_writer *w)
{
    put_byte(w, NODE_ALL);
}

void ply_proof_move(ply_proof_writer *w, ply_move move)
{
    put_byte(w, ALL_MOVE);
    put_varint(w, move);
}

void ply_proof_else(ply_proof_writer *w)
{
    put_byte(w, ALL_ELSE);
}

void ply_proof_end(ply_proof_writer *w)
{
    put_byte(w, ALL_END);
}

uint64_t ply_proof_label(ply_proof_writer *w, const void *position)
{
    if (w->label_count == w->label_capacity) {
        size_t capacity = w->label_capacity ? 2 * w->label_capacity : 256;
        label_row *grown = realloc(w->labels, capacity * sizeof *grown);
        if (!grown) {
            w->status = PLY_NO_MEMORY;
            return 0;
        }
        w->labels = grown;
        w->label_capacity = capacity;
    }
    w->labels[w->label_count] = (label_row){w->offset, 0};
    put_byte(w, NODE_LABEL);
    if (w->goal->identity)
        w->goal->identity(&w->rules, position, &w->text);
    else
        w->rules.game->format(&w->rules, position, &w->text);
    put_text(w);
    return w->label_count++;
}

void ply_proof_label_done(ply_proof_writer *w, uint64_t number, uint32_t plies)
{
    if (number < w->label_count)
        w->labels[number].plies = plies;
}

void ply_proof_ref(ply_proof_writer *w, uint64_t number)
{
    put_byte(w, NODE_REF);
    put_varint(w, number);
}

void ply_proof_winning_sets(ply_proof_writer *w)
{
    put_byte(w, NODE_ROWS);
}

void ply_proof_bytes(ply_proof_writer *w, const void *bytes, size_t count)
{
    put_bytes(w, bytes, count);
}

ply_status ply_proof_finish(ply_proof_writer *w, uint32_t plies)
{
    uint64_t table = w->offset;
    for (size_t i = 0; i < w->label_count; i++) {
        put_word(w, w->labels[i].offset);
        put_word(w, w->labels[i].plies);
    }
    put_word(w, w->label_count);
    put_word(w, plies);
    put_word(w, table);
    put_word(w, w->sum);
    flush(w);
    ply_status status = w->status;
    ply_text_free(&w->text);
    free(w->labels);
    free(w);
    return status;
}
