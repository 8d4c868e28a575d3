/* SPDX-License-Identifier: MIT */
/*
 * book_internal.h - the file of a book, shared by reader and builder.
 *
 * Integers are little-endian.
 *
 *       0  magic "PLYBOOK1"                   40  u64 nodes of a search
 *       8  u64 checksum of what follows       48  u32 width
 *      16  u64 positions                      52  i32 ply cost
 *      24  u64 positions expanded             56  rules, 72 bytes, padded with zeros
 *      32  u64 key of the start position     128  positions, 16 bytes each, by ascending key:
 *                                                     u64 key, i32 value, u16 ply, u16 expanded (0, 1)
 */
#ifndef PLY_BOOK_INTERNAL_H
#define PLY_BOOK_INTERNAL_H

#include <plyverse/book.h>

enum {
    BOOK_AT_CHECKSUM = 8,
    BOOK_AT_BODY = 16, /* what the checksum covers begins here */
    BOOK_AT_COUNT = 16,
    BOOK_AT_EXPANDED = 24,
    BOOK_AT_START = 32,
    BOOK_AT_NODES = 40,
    BOOK_AT_WIDTH = 48,
    BOOK_AT_PLY_COST = 52,
    BOOK_AT_RULES = 56,
    BOOK_RULES_BYTES = 72,
    BOOK_HEADER_BYTES = 128,
    BOOK_ENTRY_BYTES = 16,
    BOOK_MAX_PLY = 1000,
};

typedef struct book_entry {
    uint64_t key;
    int32_t value; /* for the player to move */
    uint16_t ply;  /* moves of an expanded position lead to positions with a larger ply only */
    bool expanded;
} book_entry;

struct ply_book {
    const ply_rules *rules;
    uint64_t nodes;
    uint32_t width;
    int32_t ply_cost;
    size_t count, expanded;
    book_entry *entries; /* by ascending key */
};

/* Reads a book from memory; name is for messages. As ply_book_open. */
ply_status ply_book_read(const ply_rules *rules, const unsigned char *bytes, size_t size,
                         const char *name, ply_book **book, ply_error *error);
/* Writes a book to a file, replacing it as a whole. */
ply_status ply_book_write(const ply_book *book, const char *path, ply_error *error);
/* The entry of a position, or NULL. */
const book_entry *ply_book_find(const ply_book *book, uint64_t key);

#endif
