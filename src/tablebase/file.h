/* SPDX-License-Identifier: MIT */
/*
 * file.h - one class in one file: header, blocks, index.
 *
 * All numbers are little-endian. Values are stored in order, in blocks of 16384, each block a zstd
 * frame:
 *
 *     0          512                             index offset                  file size
 *     +----------+---------+---------+- ... -----+-----------------------------+
 *     | header   | block 0 | block 1 |           | index: 24 bytes per block   |
 *     +----------+---------+---------+- ... -----+-----------------------------+
 *
 * A value is 0 for a draw and 1 + plies to the end otherwise. Players alternate, so an even number
 * of plies is a loss and an odd one a win. A block of two-byte values stores all low bytes first,
 * then all high bytes, which compresses better. docs/tablebases.md lists every field.
 *
 * Nothing in a file is trusted before its checksum (XXH64, seed 0) has been verified: header and
 * index when the file is opened, a block each time it is decompressed.
 */
#ifndef PLY_TABLEBASE_FILE_H
#define PLY_TABLEBASE_FILE_H

#include "core/file.h"
#include "core/workers.h"
#include <plyverse/text.h>

enum {
    TABLEBASE_VERSION = 1,
    TABLEBASE_HEADER_BYTES = 512,
    TABLEBASE_ENTRY_BYTES = 24,     /* of the index */
    TABLEBASE_BLOCK_VALUES = 16384, /* the last block may have fewer */
    TABLEBASE_GAME_TEXT = 24,
    TABLEBASE_CLASS_TEXT = 40,
    TABLEBASE_RULES_TEXT = 312,
};

typedef enum tablebase_kind {
    TABLEBASE_FINISHED = 1,
    TABLEBASE_CHECKPOINT = 2,
} tablebase_kind;

typedef struct tablebase_header {
    uint32_t kind;
    uint32_t value_bytes; /* 1 or 2 */
    uint64_t slots;
    uint64_t wins, losses, draws; /* of a finished file */
    uint64_t longest, longest_slot;
    uint64_t phase, progress, part, parts; /* of a checkpoint */
    char game[TABLEBASE_GAME_TEXT];
    char class_name[TABLEBASE_CLASS_TEXT];
    char rules[TABLEBASE_RULES_TEXT];
} tablebase_header;

typedef struct tablebase_file {
    tablebase_header header;
    uint64_t block_count;
    const unsigned char *bytes; /* the whole file */
    const unsigned char *index;
    size_t size;
    bool mapped; /* bytes is a memory map to release on close */
} tablebase_file;

/* Decompresses blocks; each thread needs its own. NULL when out of memory. */
typedef struct tablebase_unpacker tablebase_unpacker;
tablebase_unpacker *ply_tablebase_unpacker_new(void);
void ply_tablebase_unpacker_free(tablebase_unpacker *unpacker);

/*
 * Maps a file and checks its header and index. Fails with PLY_IO and the reason in error; path is
 * also used in the messages. After a failure the file needs no close.
 */
ply_status ply_tablebase_file_open(tablebase_file *file, const char *path, ply_error *error);
/* The same for a file in memory. The bytes must outlive the file; close does nothing. */
ply_status ply_tablebase_file_read(tablebase_file *file, const unsigned char *bytes, size_t size,
                                   const char *path, ply_error *error);
void ply_tablebase_file_close(tablebase_file *file);

/* The number of values in a block. */
static inline size_t tablebase_block_count(const tablebase_file *file, uint64_t block)
{
    uint64_t left = file->header.slots - block * TABLEBASE_BLOCK_VALUES;
    return left < TABLEBASE_BLOCK_VALUES ? (size_t)left : TABLEBASE_BLOCK_VALUES;
}

/*
 * Checks a block and decompresses it into header.value_bytes bytes per value. Several threads may
 * read one file, each with its own unpacker. Fails with PLY_IO.
 */
ply_status ply_tablebase_file_block(const tablebase_file *file, tablebase_unpacker *unpacker,
                                    uint64_t block, void *values, const char *path,
                                    ply_error *error);

/* The same for any `count` values from `first`. */
ply_status ply_tablebase_file_range(const tablebase_file *file, tablebase_unpacker *unpacker,
                                    uint64_t first, size_t count, void *values, const char *path,
                                    ply_error *error);

/* Supplies values `first` to `first + count - 1` of the file to write; called from any worker. */
typedef void tablebase_source(void *context, uint64_t first, size_t count, uint16_t *out);

/*
 * A file being written, block by block, under a temporary name. Commit renames it once it is safely
 * on disk, or fails and leaves no trace; abort discards it. path and header must stay valid.
 */
typedef struct tablebase_writer {
    const tablebase_header *header;
    const char *path;
    ply_file_replacement file;
    unsigned char *index;
    uint64_t blocks, at; /* written so far; offset of the next one */
} tablebase_writer;
/* After a failure, nothing needs to be aborted. */
ply_status ply_tablebase_writer_open(tablebase_writer *writer, const char *path,
                                     const tablebase_header *header, ply_error *error);
ply_status ply_tablebase_writer_add(tablebase_writer *writer, const unsigned char *packed,
                                    size_t bytes, ply_error *error);
ply_status ply_tablebase_writer_commit(tablebase_writer *writer, ply_error *error);
void ply_tablebase_writer_abort(tablebase_writer *writer);

/* Room for a packed block, compressible or not. */
enum { TABLEBASE_PACKED_ROOM = 2 * TABLEBASE_BLOCK_VALUES + 1024 };
/*
 * Compresses one block. zstd is a ZSTD_CCtx of the calling thread. Returns the number of bytes
 * written to `packed`, or 0 when out of memory.
 */
size_t ply_tablebase_pack_block(const tablebase_header *header, tablebase_source *source,
                                void *context, uint64_t block, void *zstd, int level,
                                unsigned char *packed);

/*
 * Writes a file under a temporary name and renames it once it is safely on disk. Equal values give
 * equal bytes for the same compression level and version of zstd. stop (may be NULL): the write is
 * abandoned with PLY_STOPPED once it is nonzero.
 */
ply_status ply_tablebase_file_write(const char *path, const tablebase_header *header,
                                    tablebase_source *source, void *context, ply_workers *team,
                                    int level, const uint64_t *stop, ply_error *error);

#endif
