/* SPDX-License-Identifier: MIT */
/*
 * proof_writer.c - writes a proof file, front to back.
 *
 *     "PLYPROOF" 1                     magic and version
 *     game variant goal                a text each: its length as a varint, then its bytes
 *     attacker verdict                 a byte each: attacker 0 or 1; verdict 1 win, 2 no
 *     position                         a text in the game's notation
 *     node                             the root; see below
 *     label table                      per label: offset and plies, a word each
 *     labels plies table_offset        a word each
 *     checksum                         a word: 64-bit FNV-1a of all bytes before it
 *
 *     node = 0                         leaf
 *          | 1 move node               choose: the chooser's move
 *          | 2 {1 move node} [2 node] 0
 *                                      all moves, where [2 node] stands for all moves not listed
 *          | 3 number                  ref
 *          | 4 text node               label; the text is the position's identity
 *          | 5 bytes                   winning sets; the caller provides the bytes
 *
 * A word is 8 bytes, little-endian. A move is the varint of its 64 bits (core/text/varint.h). The
 * reader, src/check, shares no code with this file, only the description in docs/solve.md.
 */
#include "core/text/varint.h"
#include <plyverse/solve.h>
#include <stdlib.h>

enum { BUFFER_BYTES = 1 << 14, FIRST_LABELS = 256 };
#define FNV_OFFSET 0xCBF29CE484222325u
#define FNV_PRIME 0x100000001B3u
enum { NODE_LEAF, NODE_CHOOSE, NODE_ALL, NODE_REF, NODE_LABEL, NODE_WINNING_SETS };
enum { ALL_END, ALL_MOVE, ALL_ELSE };

typedef struct label_entry {
    uint64_t offset;
    uint64_t plies;
} label_entry;

struct ply_proof_writer {
    ply_rules rules;
    const ply_goal *goal;
    ply_proof_sink *sink;
    void *context;
    uint64_t offset, checksum; /* of everything written, including buffered bytes */
    ply_status status;
    label_entry *labels;
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
    w->checksum = (w->checksum ^ byte) * FNV_PRIME;
    w->offset++;
}

static void put_bytes(ply_proof_writer *w, const void *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        put_byte(w, ((const unsigned char *)bytes)[i]);
}

static void put_varint(ply_proof_writer *w, uint64_t value)
{
    uint8_t bytes[PLY_VARINT_BYTES];
    put_bytes(w, bytes, ply_varint_encode(value, bytes));
}

static void put_word(ply_proof_writer *w, uint64_t value)
{
    for (int i = 0; i < 8; i++)
        put_byte(w, (unsigned)(value >> (8 * i)) & 255);
}

/* Writes and clears w->text. */
static void put_text(ply_proof_writer *w)
{
    if (w->text.failed)
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
    w->checksum = FNV_OFFSET;
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
        size_t capacity = w->label_capacity ? 2 * w->label_capacity : FIRST_LABELS;
        label_entry *grown = realloc(w->labels, capacity * sizeof *grown);
        if (!grown) {
            w->status = PLY_NO_MEMORY;
            return 0;
        }
        w->labels = grown;
        w->label_capacity = capacity;
    }
    w->labels[w->label_count] = (label_entry){w->offset, 0};
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
    put_byte(w, NODE_WINNING_SETS);
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
    put_word(w, w->checksum);
    flush(w);
    ply_status status = w->status;
    ply_text_free(&w->text);
    free(w->labels);
    free(w);
    return status;
}
