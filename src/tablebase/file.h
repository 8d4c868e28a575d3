/* SPDX-License-Identifier: MIT */
/*
 * file.h - one table in one file: header, blocks, index.
 *
 * All numbers are little-endian. Values are stored in order, in blocks of 16384, each a zstd frame:
 *
 *     0                 512                          index_offset            file_bytes
 *     | header          | block 0 | block 1 | ...    | index: 24 bytes a block |
 *
 * A value is 0 for a draw and 1 + plies to the end otherwise; an even number of plies is a loss, an
 * odd one a win, since players take turns. Values of two bytes are stored as all the low bytes of a
 * block, then all the high ones. docs/tables.md lists every field.
 *
 * Nothing of a file is believed before its sum is right: the header's when a file is opened, then
 * the index's, and a block's each time it is unpacked. The sum is XXH64 with seed 0.
 */
#ifndef PLY_TABLEBASE_FILE_H
#define PLY_TABLEBASE_FILE_H

#include "core/workers.h"
#include <plyverse/text.h>

enum {
    TABLE_VERSION = 1,
    TABLE_HEADER_BYTES = 512,
    TABLE_ENTRY_BYTES = 24,
    TABLE_BLOCK = 16384, /* values */
    TABLE_GAME_TEXT = 24,
    TABLE_CLASS_TEXT = 40,
    TABLE_RULES_TEXT = 312,
};

typedef enum tablebase_kind { TABLE_VALUES = 1, TABLE_CHECKPOINT = 2 } tablebase_kind;

typedef struct tablebase_header {
    uint32_t kind;
    uint32_t value_bytes; /* 1 or 2 */
    uint64_t slots;
    uint64_t wins, losses, draws;
    uint64_t longest, longest_slot;
    uint64_t phase, progress; /* of a checkpoint */
    char game[TABLE_GAME_TEXT];
    char class_name[TABLE_CLASS_TEXT];
    char rules[TABLE_RULES_TEXT];
} tablebase_header;

typedef struct tablebase_file {
    tablebase_header header;
    uint64_t block_count;
    const unsigned char *bytes; /* the whole file */
    const unsigned char *index;
    size_t size;
    bool mapped;
} tablebase_file;

/* A reader of packed blocks; one for each thread. NULL when memory runs out. */
typedef struct tablebase_unpacker tablebase_unpacker;
tablebase_unpacker *ply_tablebase_unpacker_new(void);
void ply_tablebase_unpacker_free(tablebase_unpacker *unpacker);

/* Reads header and index. PLY_IO with the reason in error; path is for the messages. */
ply_status ply_tablebase_file_open(tablebase_file *file, const char *path, ply_error *error);
/* The same for bytes in memory, which must stay; nothing to close. */
ply_status ply_tablebase_file_read(tablebase_file *file, const unsigned char *bytes, size_t size,
                                   const char *path, ply_error *error);
void ply_tablebase_file_close(tablebase_file *file);

static inline size_t table_block_values(const tablebase_file *file, uint64_t block)
{
    uint64_t left = file->header.slots - block * TABLE_BLOCK;
    return left < TABLE_BLOCK ? (size_t)left : TABLE_BLOCK;
}

/* Unpacks a block into value_bytes a value, after checking its sum. */
ply_status ply_tablebase_file_block(const tablebase_file *file, tablebase_unpacker *unpacker,
                                    uint64_t block, void *values, const char *path,
                                    ply_error *error);

/* Gives values `first` to `first + count` of what is to be written. */
typedef void tablebase_source(void *context, uint64_t first, size_t count, uint16_t *out);

/*
 * Writes a file under a temporary name and renames it when it is safe on the disk. The same values
 * give the same bytes. stop (may be NULL): give up with PLY_STOPPED when it is not 0.
 */
ply_status ply_tablebase_file_write(const char *path, const tablebase_header *header,
                                    tablebase_source *source, void *context, ply_workers *team,
                                    int level, const uint64_t *stop, ply_error *error);

#endif
