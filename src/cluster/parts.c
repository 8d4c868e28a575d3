/* SPDX-License-Identifier: MIT */
/*
 * parts.c - jobs of numbered parts on all ranks, with a journal; see cluster.h.
 *
 *     plyverse-job 1
 *     perft shogi 7 ...          the header: lines that identify the job
 *     begin
 *     12 20 19861490431 1f...    a part, its values in decimal, a checksum of the text before it
 *
 * Each line is written by a single call, so a kill can cut only the last one short; it is dropped
 * when the job continues.
 */
#include "cluster/cluster.h"
#include "core/file.h"
#include "core/hash.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_VALUES = 16, LINE_BYTES = 32 * (MAX_VALUES + 2), MAX_PARTS = 1 << 30 };

static const char magic[] = "plyverse-job 1\n";
static const char begin[] = "begin\n";

struct cluster_parts {
    ply_parts dealer;
    cluster_farm *farm;
    size_t value_count;
    cluster_add *add;
    void *context;
    int journal;       /* -1: none; on rank 0 only */
    int write_error;   /* errno */
    uint8_t *finished; /* bit by part: in the journal already */
    size_t finished_bytes;
};

/* --- the journal ----------------------------------------------------------------------------- */
static void write_part(cluster_parts *parts, uint64_t part, const uint64_t *values)
{
    char line[LINE_BYTES];
    ply_text text = ply_text_fixed(line, sizeof line);
    ply_text_format(&text, "%" PRIu64 " ", part);
    for (size_t i = 0; i < parts->value_count; i++)
        ply_text_format(&text, "%" PRIu64 " ", values[i]);
    ply_text_format(&text, "%016" PRIx64 "\n", ply_text_checksum(line, text.length));
    if (!ply_file_write_all(parts->journal, line, text.length) && parts->write_error == 0)
        parts->write_error = errno;
}

static bool mark_finished(cluster_parts *parts, uint64_t part)
{
    size_t byte = (size_t)(part / 8);
    if (byte >= parts->finished_bytes) {
        size_t bytes = 2 * byte + 64;
        uint8_t *grown = realloc(parts->finished, bytes);
        if (!grown)
            return false;
        memset(grown + parts->finished_bytes, 0, bytes - parts->finished_bytes);
        parts->finished = grown;
        parts->finished_bytes = bytes;
    }
    parts->finished[byte] |= (uint8_t)(1 << part % 8);
    return true;
}

static bool is_finished(const cluster_parts *parts, uint64_t part)
{
    size_t byte = (size_t)(part / 8);
    return byte < parts->finished_bytes && parts->finished[byte] >> part % 8 & 1;
}

/* Reads one line without its end. */
static bool read_part(cluster_parts *parts, const char *line, size_t length)
{
    uint64_t part, values[MAX_VALUES], sum;
    ply_cursor cursor = ply_cursor_make(line, length, NULL);
    bool good = ply_cursor_number(&cursor, MAX_PARTS, &part) && ply_cursor_accept(&cursor, ' ');
    for (size_t i = 0; good && i < parts->value_count; i++)
        good =
            ply_cursor_number(&cursor, UINT64_MAX, &values[i]) && ply_cursor_accept(&cursor, ' ');
    if (!good || length < 16)
        return false;
    char *end;
    sum = strtoull(line + length - 16, &end, 16);
    if (end != line + length || sum != ply_text_checksum(line, length - 16) ||
        is_finished(parts, part) || !mark_finished(parts, part))
        return false;
    parts->add(parts->context, values);
    return true;
}

/* Reads what an earlier run has left. *kept: the length of the part that is intact. */
static ply_status read_journal(cluster_parts *parts, const ply_text *text, const char *start,
                               size_t *kept, ply_error *error)
{
    size_t at = strlen(start);
    *kept = 0;
    if (text->length < at && memcmp(text->data, start, text->length) == 0)
        return PLY_OK; /* killed before the header was complete */
    if (text->length < at || memcmp(text->data, start, at) != 0)
        return ply_error_set(error, PLY_BAD_TEXT, "the journal belongs to another job");
    *kept = at;
    for (unsigned line = 1; at < text->length; line++) {
        const char *end = memchr(text->data + at, '\n', text->length - at);
        if (!end)
            break;
        size_t length = (size_t)(end - (text->data + at));
        if (!read_part(parts, text->data + at, length))
            return ply_error_set(error, PLY_BAD_TEXT, "line %u of the journal's parts is damaged",
                                 line);
        *kept = at += length + 1;
    }
    return PLY_OK;
}

static ply_status load_journal(cluster_parts *parts, const char *start, ply_error *error)
{
    ply_text text = ply_text_growing();
    char buffer[1 << 14];
    ssize_t got;
    while ((got = read(parts->journal, buffer, sizeof buffer)) > 0)
        ply_text_bytes(&text, buffer, (size_t)got);
    size_t kept = 0;
    ply_status status = got < 0        ? ply_error_set(error, PLY_IO, "%s", strerror(errno))
                        : text.failed  ? ply_error_set(error, PLY_NO_MEMORY, "out of memory")
                        : !text.length ? PLY_OK
                                       : read_journal(parts, &text, start, &kept, error);
    ply_text_free(&text);
    if (status != PLY_OK)
        return status;
    bool good = ftruncate(parts->journal, (off_t)kept) == 0 &&
                lseek(parts->journal, 0, SEEK_END) >= 0 &&
                (kept > 0 || ply_file_write_all(parts->journal, start, strlen(start)));
    return good ? PLY_OK : ply_error_set(error, PLY_IO, "%s", strerror(errno));
}

static ply_status open_journal(cluster_parts *parts, const char *path, const char *header,
                               ply_error *error)
{
    ply_error reason = {0};
    ply_text start = ply_text_growing();
    ply_text_format(&start, "%s%s%s", magic, header, begin);
    parts->journal = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    ply_status status = start.failed ? ply_error_set(&reason, PLY_NO_MEMORY, "out of memory")
                        : parts->journal < 0 ? ply_error_set(&reason, PLY_IO, "%s", strerror(errno))
                                             : load_journal(parts, ply_text_cstr(&start), &reason);
    ply_text_free(&start);
    if (status != PLY_OK)
        ply_error_set(error, status, "%s: %s", path, reason.message);
    return status;
}

/* --- dealing --------------------------------------------------------------------------------- */
static uint64_t next_part(void *context, uint64_t total)
{
    cluster_parts *parts = context;
    uint64_t part;
    do
        part = cluster_farm_take(parts->farm);
    while (part < total && is_finished(parts, part));
    return part;
}

/* A result: the part and its values. */
static void part_done(void *context, uint64_t part, const uint64_t *values, size_t count)
{
    cluster_parts *parts = context;
    uint64_t result[1 + MAX_VALUES] = {part};
    memcpy(result + 1, values, count * sizeof *values);
    cluster_farm_post(parts->farm, result, (1 + count) * sizeof *result);
}

static void receive_part(void *context, const void *bytes, size_t count)
{
    cluster_parts *parts = context;
    uint64_t result[1 + MAX_VALUES];
    if (count != (1 + parts->value_count) * sizeof *result)
        return;
    memcpy(result, bytes, count);
    parts->add(parts->context, result + 1);
    if (parts->journal >= 0)
        write_part(parts, result[0], result + 1);
}

/* --- the object ------------------------------------------------------------------------------ */
/* Tells the other ranks what rank 0 has read from the journal. */
static ply_status share_finished(cluster_parts *parts, ply_error *error)
{
    uint64_t bytes = parts->finished_bytes;
    cluster_broadcast(&bytes, sizeof bytes);
    if (cluster_rank() != 0) {
        parts->finished = calloc((size_t)bytes + 1, 1);
        parts->finished_bytes = (size_t)bytes;
    }
    bool good = cluster_rank() == 0 || parts->finished;
    ply_status status =
        cluster_agree(good ? PLY_OK : ply_error_set(error, PLY_NO_MEMORY, "out of memory"), error);
    if (status == PLY_OK && bytes > 0)
        cluster_broadcast(parts->finished, (size_t)bytes);
    return status;
}

static void free_parts(cluster_parts *parts)
{
    if (parts && parts->journal >= 0)
        close(parts->journal);
    if (parts)
        free(parts->finished);
    free(parts);
}

ply_status cluster_parts_open(cluster_parts **out, const char *journal, const char *header,
                              size_t value_count, cluster_add *add, void *context, ply_error *error)
{
    cluster_parts *parts = calloc(1, sizeof *parts);
    *out = NULL;
    ply_status status = parts ? PLY_OK : ply_error_set(error, PLY_NO_MEMORY, "out of memory");
    if (parts)
        *parts = (cluster_parts){.dealer = {next_part, part_done, parts},
                                 .value_count = value_count,
                                 .add = add,
                                 .context = context,
                                 .journal = -1};
    if (status == PLY_OK && journal && cluster_rank() == 0)
        status = open_journal(parts, journal, header, error);
    status = cluster_agree(status, error);
    if (status == PLY_OK && parts)
        status = share_finished(parts, error);
    if (status == PLY_OK && parts && !(parts->farm = cluster_farm_open(receive_part, parts)))
        status = ply_error_set(error, PLY_NO_MEMORY, "out of memory"); /* the same on all ranks */
    if (status != PLY_OK) {
        free_parts(parts);
        return status;
    }
    *out = parts;
    return PLY_OK;
}

const ply_parts *cluster_parts_dealer(cluster_parts *parts)
{
    return &parts->dealer;
}

ply_status cluster_parts_close(cluster_parts *parts, ply_status status, ply_error *error)
{
    cluster_farm_close(parts->farm);
    if (status == PLY_OK && parts->write_error)
        status = ply_error_set(error, PLY_IO, "the journal: %s", strerror(parts->write_error));
    free_parts(parts);
    return cluster_agree(status, error);
}
