/* SPDX-License-Identifier: MIT */
/* file.c - reads and writes tablebase files; see file.h. */
#include "tablebase/file.h"
#include "core/bytes.h"
#include "core/file.h"
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#ifndef __clang_analyzer__ /* which would examine all of xxHash */
#define XXH_INLINE_ALL
#endif
#include <xxhash.h>
#include <zstd.h>

static const char magic[8] = {'P', 'L', 'Y', 'T', 'A', 'B', '\r', '\n'};

/* Offsets of the header's fields. */
enum {
    AT_MAGIC = 0,
    AT_VERSION = 8,
    AT_HEADER_BYTES = 12,
    AT_KIND = 16,
    AT_VALUE_BYTES = 20,
    AT_SLOTS = 24,
    AT_BLOCK_VALUES = 32,
    AT_BLOCK_COUNT = 40,
    AT_INDEX = 48,
    AT_FILE_BYTES = 56,
    AT_INDEX_CHECKSUM = 64,
    AT_WINS = 72,
    AT_LOSSES = 80,
    AT_DRAWS = 88,
    AT_LONGEST = 96,
    AT_LONGEST_SLOT = 104,
    AT_PHASE = 112,
    AT_PROGRESS = 120,
    AT_GAME = 128,
    AT_CLASS = AT_GAME + TABLEBASE_GAME_TEXT,
    AT_RULES = AT_CLASS + TABLEBASE_CLASS_TEXT,
    AT_CHECKSUM = AT_RULES + TABLEBASE_RULES_TEXT,
};
_Static_assert(AT_CHECKSUM == TABLEBASE_HEADER_BYTES - 8, "the header ends with its checksum");

/* No class has more slots (PLY_SLOT_BITS). Larger numbers are corrupt and might overflow. */
#define SLOTS_LIMIT ((uint64_t)1 << 40)

/* --- reading -------------------------------------------------------------------------------- */
static ply_status fail(ply_error *error, const char *path, const char *reason)
{
    return ply_error_set(error, PLY_IO, "%s: %s", path, reason);
}

/* Copies a text field. False unless the text ends within the field and zeros follow. */
static bool get_text(char *to, const unsigned char *from, size_t room)
{
    size_t length = strnlen((const char *)from, room);
    if (length == room)
        return false;
    for (size_t i = length; i < room; i++)
        if (from[i])
            return false;
    memcpy(to, from, room);
    return true;
}

static ply_status read_header(tablebase_file *file, const char *path, ply_error *error)
{
    const unsigned char *b = file->bytes;
    tablebase_header *h = &file->header;
    if (file->size < sizeof magic || memcmp(b, magic, sizeof magic) != 0)
        return fail(error, path, "not a Plyverse tablebase file");
    if (file->size < TABLEBASE_HEADER_BYTES)
        return fail(error, path, "truncated within the header");
    if (ply_get32(b + AT_VERSION) != TABLEBASE_VERSION)
        return ply_error_set(error, PLY_IO, "%s: format version %u; this program reads version %d",
                             path, ply_get32(b + AT_VERSION), TABLEBASE_VERSION);
    if (XXH64(b, AT_CHECKSUM, 0) != ply_get64(b + AT_CHECKSUM))
        return fail(error, path, "the header's checksum is wrong");
    *h = (tablebase_header){.kind = ply_get32(b + AT_KIND),
                            .value_bytes = ply_get32(b + AT_VALUE_BYTES),
                            .slots = ply_get64(b + AT_SLOTS),
                            .wins = ply_get64(b + AT_WINS),
                            .losses = ply_get64(b + AT_LOSSES),
                            .draws = ply_get64(b + AT_DRAWS),
                            .longest = ply_get64(b + AT_LONGEST),
                            .longest_slot = ply_get64(b + AT_LONGEST_SLOT),
                            .phase = ply_get64(b + AT_PHASE),
                            .progress = ply_get64(b + AT_PROGRESS)};
    if (h->kind == TABLEBASE_CHECKPOINT) {
        h->part = h->wins;
        h->parts = h->losses;
        h->wins = h->losses = 0;
    }
    file->block_count = ply_get64(b + AT_BLOCK_COUNT);
    if (ply_get32(b + AT_HEADER_BYTES) != TABLEBASE_HEADER_BYTES ||
        (h->kind != TABLEBASE_FINISHED && h->kind != TABLEBASE_CHECKPOINT) ||
        (h->value_bytes != 1 && h->value_bytes != 2) || h->slots == 0 || h->slots > SLOTS_LIMIT ||
        ply_get64(b + AT_BLOCK_VALUES) != TABLEBASE_BLOCK_VALUES ||
        file->block_count != (h->slots + TABLEBASE_BLOCK_VALUES - 1) / TABLEBASE_BLOCK_VALUES ||
        h->longest_slot >= h->slots || !get_text(h->game, b + AT_GAME, sizeof h->game) ||
        !get_text(h->class_name, b + AT_CLASS, sizeof h->class_name) ||
        !get_text(h->rules, b + AT_RULES, sizeof h->rules))
        return fail(error, path, "the header is inconsistent");
    return PLY_OK;
}

static ply_status read_index(tablebase_file *file, const char *path, ply_error *error)
{
    const unsigned char *b = file->bytes;
    uint64_t at = ply_get64(b + AT_INDEX), size = ply_get64(b + AT_FILE_BYTES);
    if (size != file->size)
        return ply_error_set(error, PLY_IO, "%s: the file has %zu bytes; its header says %llu",
                             path, file->size, (unsigned long long)size);
    if (at < TABLEBASE_HEADER_BYTES || at > size ||
        (size - at) / TABLEBASE_ENTRY_BYTES != file->block_count ||
        (size - at) % TABLEBASE_ENTRY_BYTES != 0)
        return fail(error, path, "the index is misplaced");
    file->index = b + at;
    if (XXH64(file->index, (size_t)(size - at), 0) != ply_get64(b + AT_INDEX_CHECKSUM))
        return fail(error, path, "the index's checksum is wrong");
    uint64_t expected = TABLEBASE_HEADER_BYTES;
    for (uint64_t i = 0; i < file->block_count; i++) {
        const unsigned char *entry = file->index + i * TABLEBASE_ENTRY_BYTES;
        uint32_t bytes = ply_get32(entry + 8);
        if (ply_get64(entry) != expected || bytes == 0 || bytes > at - expected ||
            ply_get32(entry + 12) != 0)
            return fail(error, path, "the index is inconsistent");
        expected += bytes;
    }
    return expected == at ? PLY_OK : fail(error, path, "the index is inconsistent");
}

ply_status ply_tablebase_file_read(tablebase_file *file, const unsigned char *bytes, size_t size,
                                   const char *path, ply_error *error)
{
    *file = (tablebase_file){.bytes = bytes, .size = size};
    ply_status status = read_header(file, path, error);
    return status == PLY_OK ? read_index(file, path, error) : status;
}

ply_status ply_tablebase_file_open(tablebase_file *file, const char *path, ply_error *error)
{
    *file = (tablebase_file){0};
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    struct stat info;
    if (descriptor < 0 || fstat(descriptor, &info) != 0) {
        ply_error_set(error, PLY_IO, "%s: %s", path, strerror(errno));
        if (descriptor >= 0)
            close(descriptor);
        return PLY_IO;
    }
    if (!S_ISREG(info.st_mode) || info.st_size == 0) {
        close(descriptor);
        return fail(error, path, "not a Plyverse tablebase file");
    }
    size_t size = (size_t)info.st_size;
    void *bytes = mmap(NULL, size, PROT_READ, MAP_SHARED, descriptor, 0);
    int reason = errno;
    close(descriptor);
    if (bytes == MAP_FAILED)
        return ply_error_set(error, PLY_IO, "%s: %s", path, strerror(reason));
    ply_status status = ply_tablebase_file_read(file, bytes, size, path, error);
    file->mapped = true;
    if (status != PLY_OK)
        ply_tablebase_file_close(file);
    return status;
}

void ply_tablebase_file_close(tablebase_file *file)
{
    if (file->mapped)
        munmap((void *)(uintptr_t)file->bytes, file->size);
    *file = (tablebase_file){0};
}

struct tablebase_unpacker {
    ZSTD_DCtx *zstd;
    unsigned char planes[2 * TABLEBASE_BLOCK_VALUES]; /* low bytes, then high bytes */
    uint16_t block[TABLEBASE_BLOCK_VALUES];           /* of which a part is wanted */
};

tablebase_unpacker *ply_tablebase_unpacker_new(void)
{
    tablebase_unpacker *unpacker = malloc(sizeof *unpacker);
    if (unpacker && !(unpacker->zstd = ZSTD_createDCtx())) {
        free(unpacker);
        return NULL;
    }
    return unpacker;
}

void ply_tablebase_unpacker_free(tablebase_unpacker *unpacker)
{
    if (unpacker)
        ZSTD_freeDCtx(unpacker->zstd);
    free(unpacker);
}

ply_status ply_tablebase_file_block(const tablebase_file *file, tablebase_unpacker *unpacker,
                                    uint64_t block, void *values, const char *path,
                                    ply_error *error)
{
    const unsigned char *entry = file->index + block * TABLEBASE_ENTRY_BYTES;
    const unsigned char *packed = file->bytes + ply_get64(entry);
    size_t packed_bytes = ply_get32(entry + 8), count = tablebase_block_count(file, block);
    size_t width = file->header.value_bytes, expected = count * width;
    if (XXH64(packed, packed_bytes, 0) != ply_get64(entry + 16))
        return ply_error_set(error, PLY_IO, "%s: the checksum of block %llu is wrong", path,
                             (unsigned long long)block);
    void *to = width == 1 ? values : unpacker->planes;
    size_t got = ZSTD_decompressDCtx(unpacker->zstd, to, expected, packed, packed_bytes);
    if (ZSTD_isError(got) || got != expected)
        return ply_error_set(error, PLY_IO, "%s: block %llu cannot be decompressed", path,
                             (unsigned long long)block);
    if (width == 2)
        for (size_t i = 0; i < count; i++)
            ((uint16_t *)values)[i] =
                (uint16_t)(unpacker->planes[i] | unpacker->planes[count + i] << 8);
    return PLY_OK;
}

ply_status ply_tablebase_file_range(const tablebase_file *file, tablebase_unpacker *unpacker,
                                    uint64_t first, size_t count, void *values, const char *path,
                                    ply_error *error)
{
    size_t width = file->header.value_bytes;
    unsigned char *to = values;
    while (count > 0) {
        uint64_t block = first / TABLEBASE_BLOCK_VALUES;
        size_t skipped = (size_t)(first % TABLEBASE_BLOCK_VALUES);
        size_t wanted = tablebase_block_count(file, block) - skipped;
        wanted = wanted < count ? wanted : count;
        bool whole = wanted == tablebase_block_count(file, block);
        ply_status status = ply_tablebase_file_block(
            file, unpacker, block, whole ? (void *)to : unpacker->block, path, error);
        if (status != PLY_OK)
            return status;
        if (!whole)
            memcpy(to, (unsigned char *)unpacker->block + skipped * width, wanted * width);
        to += wanted * width;
        first += wanted;
        count -= wanted;
    }
    return PLY_OK;
}

/* --- writing -------------------------------------------------------------------------------- */
size_t ply_tablebase_pack_block(const tablebase_header *header, tablebase_source *source,
                                void *context, uint64_t block, void *zstd, int level,
                                unsigned char *packed)
{
    uint64_t first = block * TABLEBASE_BLOCK_VALUES, left = header->slots - first;
    size_t count = left < TABLEBASE_BLOCK_VALUES ? (size_t)left : TABLEBASE_BLOCK_VALUES;
    uint16_t values[TABLEBASE_BLOCK_VALUES];
    unsigned char planes[2 * TABLEBASE_BLOCK_VALUES];
    source(context, first, count, values);
    for (size_t i = 0; i < count; i++) {
        planes[i] = (unsigned char)values[i];
        planes[count + i] = (unsigned char)(values[i] >> 8);
    }
    size_t bytes = ZSTD_compressCCtx(zstd, packed, TABLEBASE_PACKED_ROOM, planes,
                                     count * header->value_bytes, level);
    return ZSTD_isError(bytes) ? 0 : bytes;
}

static void make_header(unsigned char *b, const tablebase_header *h, uint64_t blocks,
                        uint64_t index_at, uint64_t index_checksum)
{
    memset(b, 0, TABLEBASE_HEADER_BYTES);
    memcpy(b + AT_MAGIC, magic, sizeof magic);
    ply_put32(b + AT_VERSION, TABLEBASE_VERSION);
    ply_put32(b + AT_HEADER_BYTES, TABLEBASE_HEADER_BYTES);
    ply_put32(b + AT_KIND, h->kind);
    ply_put32(b + AT_VALUE_BYTES, h->value_bytes);
    ply_put64(b + AT_SLOTS, h->slots);
    ply_put64(b + AT_BLOCK_VALUES, TABLEBASE_BLOCK_VALUES);
    ply_put64(b + AT_BLOCK_COUNT, blocks);
    ply_put64(b + AT_INDEX, index_at);
    ply_put64(b + AT_FILE_BYTES, index_at + blocks * TABLEBASE_ENTRY_BYTES);
    ply_put64(b + AT_INDEX_CHECKSUM, index_checksum);
    ply_put64(b + AT_WINS, h->kind == TABLEBASE_CHECKPOINT ? h->part : h->wins);
    ply_put64(b + AT_LOSSES, h->kind == TABLEBASE_CHECKPOINT ? h->parts : h->losses);
    ply_put64(b + AT_DRAWS, h->draws);
    ply_put64(b + AT_LONGEST, h->longest);
    ply_put64(b + AT_LONGEST_SLOT, h->longest_slot);
    ply_put64(b + AT_PHASE, h->phase);
    ply_put64(b + AT_PROGRESS, h->progress);
    memcpy(b + AT_GAME, h->game, strnlen(h->game, TABLEBASE_GAME_TEXT - 1));
    memcpy(b + AT_CLASS, h->class_name, strnlen(h->class_name, TABLEBASE_CLASS_TEXT - 1));
    memcpy(b + AT_RULES, h->rules, strnlen(h->rules, TABLEBASE_RULES_TEXT - 1));
    ply_put64(b + AT_CHECKSUM, XXH64(b, AT_CHECKSUM, 0));
}

/* Reports what errno says of a file; opening one may also run out of memory. */
static ply_status fail_file(const char *path, ply_error *error)
{
    ply_status status = errno == ENOMEM ? PLY_NO_MEMORY : PLY_IO;
    return ply_error_set(error, status, "%s: %s", path, strerror(errno));
}

ply_status ply_tablebase_writer_open(tablebase_writer *writer, const char *path,
                                     const tablebase_header *header, ply_error *error)
{
    /* The header is written last; until then the file starts with zeros and cannot be opened. */
    unsigned char zeros[TABLEBASE_HEADER_BYTES] = {0};
    uint64_t blocks = (header->slots + TABLEBASE_BLOCK_VALUES - 1) / TABLEBASE_BLOCK_VALUES;
    *writer = (tablebase_writer){.header = header, .path = path, .at = sizeof zeros};
    writer->index = malloc((size_t)blocks * TABLEBASE_ENTRY_BYTES);
    if (!writer->index)
        return ply_error_set(error, PLY_NO_MEMORY, "%s: out of memory", path);
    if (!ply_file_replace_begin(&writer->file, path)) {
        free(writer->index);
        return fail_file(path, error);
    }
    if (ply_file_write_all(fileno(writer->file.stream), zeros, sizeof zeros))
        return PLY_OK;
    ply_status status = fail_file(path, error);
    ply_tablebase_writer_abort(writer);
    return status;
}

ply_status ply_tablebase_writer_add(tablebase_writer *writer, const unsigned char *packed,
                                    size_t bytes, ply_error *error)
{
    unsigned char *entry = writer->index + writer->blocks++ * TABLEBASE_ENTRY_BYTES;
    ply_put64(entry, writer->at);
    ply_put32(entry + 8, (uint32_t)bytes);
    ply_put32(entry + 12, 0);
    ply_put64(entry + 16, XXH64(packed, bytes, 0));
    writer->at += bytes;
    if (ply_file_write_all(fileno(writer->file.stream), packed, bytes))
        return PLY_OK;
    return fail_file(writer->path, error);
}

ply_status ply_tablebase_writer_commit(tablebase_writer *writer, ply_error *error)
{
    int file = fileno(writer->file.stream);
    unsigned char header[TABLEBASE_HEADER_BYTES];
    size_t index_bytes = (size_t)writer->blocks * TABLEBASE_ENTRY_BYTES;
    make_header(header, writer->header, writer->blocks, writer->at,
                XXH64(writer->index, index_bytes, 0));
    ply_status status = PLY_OK;
    if (!ply_file_write_all(file, writer->index, index_bytes) || lseek(file, 0, SEEK_SET) != 0 ||
        !ply_file_write_all(file, header, sizeof header)) {
        status = fail_file(writer->path, error);
        ply_file_replace_abort(&writer->file);
    } else if (!ply_file_replace_commit(&writer->file, true)) {
        status = fail_file(writer->path, error);
    }
    free(writer->index);
    return status;
}

void ply_tablebase_writer_abort(tablebase_writer *writer)
{
    ply_file_replace_abort(&writer->file);
    free(writer->index);
}

enum { BATCH = 256 }; /* blocks compressed together */

typedef struct packing {
    const tablebase_header *header;
    tablebase_source *source;
    void *context;
    ZSTD_CCtx **zstd; /* one per worker */
    int level;
    uint64_t first; /* block of the batch being compressed */
    unsigned char (*packed)[TABLEBASE_PACKED_ROOM];
    size_t bytes[BATCH]; /* 0: failed */
} packing;

static void pack_block(void *context, size_t piece, unsigned worker)
{
    packing *p = context;
    p->bytes[piece] = ply_tablebase_pack_block(p->header, p->source, p->context, p->first + piece,
                                               p->zstd[worker], p->level, p->packed[piece]);
}

static ply_status add_blocks(tablebase_writer *writer, packing *p, ply_workers *team,
                             const uint64_t *stop, ply_error *error)
{
    uint64_t blocks = (p->header->slots + TABLEBASE_BLOCK_VALUES - 1) / TABLEBASE_BLOCK_VALUES;
    ply_status status = PLY_OK;
    for (p->first = 0; p->first < blocks && status == PLY_OK; p->first += BATCH) {
        if (stop && atomic_load_explicit((const _Atomic uint64_t *)stop, memory_order_relaxed))
            return ply_error_set(error, PLY_STOPPED, "%s: %s", writer->path,
                                 ply_status_text(PLY_STOPPED));
        size_t count = blocks - p->first < BATCH ? (size_t)(blocks - p->first) : BATCH;
        ply_workers_run(team, count, pack_block, p);
        for (size_t i = 0; i < count && status == PLY_OK; i++)
            status = p->bytes[i]
                         ? ply_tablebase_writer_add(writer, p->packed[i], p->bytes[i], error)
                         : ply_error_set(error, PLY_NO_MEMORY, "%s: %s", writer->path,
                                         ply_status_text(PLY_NO_MEMORY));
    }
    return status;
}

ply_status ply_tablebase_file_write(const char *path, const tablebase_header *header,
                                    tablebase_source *source, void *context, ply_workers *team,
                                    int level, const uint64_t *stop, ply_error *error)
{
    unsigned workers = ply_workers_size(team);
    packing p = {.header = header, .source = source, .context = context, .level = level};
    p.packed = malloc(BATCH * sizeof *p.packed);
    p.zstd = calloc(workers, sizeof *p.zstd);
    bool good = p.packed && p.zstd;
    for (unsigned i = 0; good && i < workers; i++)
        good = (p.zstd[i] = ZSTD_createCCtx()) != NULL;
    tablebase_writer writer;
    ply_status status = good ? ply_tablebase_writer_open(&writer, path, header, error)
                             : ply_error_set(error, PLY_NO_MEMORY, "%s: out of memory", path);
    if (status == PLY_OK) {
        status = add_blocks(&writer, &p, team, stop, error);
        if (status == PLY_OK)
            status = ply_tablebase_writer_commit(&writer, error);
        else
            ply_tablebase_writer_abort(&writer);
    }
    for (unsigned i = 0; p.zstd && i < workers; i++)
        ZSTD_freeCCtx(p.zstd[i]);
    free(p.zstd);
    free(p.packed);
    return status;
}
