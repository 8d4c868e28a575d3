/* SPDX-License-Identifier: MIT */
/*
 * proof_bytes.h - proof files put together byte by byte, as docs/solve.md describes them.
 *
 * The proof writer of the library cannot write what the tests of the checker need: labels in the
 * wrong place, lengths that are not true, moves that are not legal.
 */
#ifndef TESTS_SOLVE_PROOF_BYTES_H
#define TESTS_SOLVE_PROOF_BYTES_H

#include "core/bytes.h"
#include "core/text/varint.h"
#include "solve_support.h"

enum { NODE_LEAF, NODE_CHOOSE, NODE_ALL, NODE_REF, NODE_LABEL, NODE_WINNING_SETS };
enum { ITEM_END, ITEM_MOVE, ITEM_ELSE };
enum { MAGIC_BYTES = 9, LABEL_BYTES = 16, TAIL_BYTES = 32 };

/* What the header and the end of a file state. */
typedef struct proof_header {
    const char *game, *variant, *goal, *position;
    unsigned attacker, verdict;
    uint64_t plies;
} proof_header;

typedef struct proof_label {
    uint64_t offset, plies;
} proof_label;

static inline void put_byte(memory_file *file, unsigned byte)
{
    unsigned char one = (unsigned char)byte;
    memory_sink(file, &one, 1);
}

static inline void put_varint(memory_file *file, uint64_t value)
{
    uint8_t bytes[PLY_VARINT_BYTES];
    memory_sink(file, bytes, ply_varint_encode(value, bytes));
}

static inline void put_word(memory_file *file, uint64_t value)
{
    unsigned char bytes[8];
    ply_put64(bytes, value);
    memory_sink(file, bytes, sizeof bytes);
}

static inline void put_text(memory_file *file, const char *text)
{
    put_varint(file, strlen(text));
    memory_sink(file, text, strlen(text));
}

/* Corrects the checksum at the end of a file. */
static inline void put_checksum(memory_file *file)
{
    uint64_t sum = 0xCBF29CE484222325u;
    for (size_t i = 0; i < file->count - 8; i++)
        sum = (sum ^ file->bytes[i]) * 0x100000001B3u;
    file->count -= 8;
    put_word(file, sum);
}

static inline void put_header(memory_file *file, const proof_header *header)
{
    memory_sink(file, "PLYPROOF\1", MAGIC_BYTES);
    put_text(file, header->game);
    put_text(file, header->variant);
    put_text(file, header->goal);
    put_byte(file, header->attacker);
    put_byte(file, header->verdict);
    put_text(file, header->position);
}

/* Writes the label table and the end of the file. */
static inline void put_end(memory_file *file, const proof_header *header, const proof_label *labels,
                           size_t count)
{
    uint64_t table = file->count;
    for (size_t i = 0; i < count; i++) {
        put_word(file, labels[i].offset);
        put_word(file, labels[i].plies);
    }
    put_word(file, count);
    put_word(file, header->plies);
    put_word(file, table);
    put_word(file, 0);
    put_checksum(file);
}

#endif
