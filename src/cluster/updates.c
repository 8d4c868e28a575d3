/* SPDX-License-Identifier: MIT */
/* updates.c - see updates.h. */
#include "cluster/updates.h"
#include <string.h>

typedef struct group {
    uint32_t chunk, count;
} group;

/* Counts the updates by chunk. */
static size_t count_groups(const slice *s, unsigned to, uint32_t *counts, uint64_t *total)
{
    size_t groups = 0;
    for (unsigned w = 0; w < ply_workers_size(s->folder->workers); w++) {
        const slice_outbox *outbox = &s->outboxes[w * s->ranks + to];
        for (size_t i = 0; i < outbox->count; i++)
            groups += counts[outbox->cells[i] / CHUNK_CELLS]++ == 0;
        *total += outbox->count;
    }
    return groups;
}

/* Writes the directory and turns each count into the place of the group's first offset. */
static void write_groups(uint32_t *counts, size_t groups, group *directory)
{
    uint32_t first = 0;
    for (uint32_t chunk = 0; groups > 0; chunk++) {
        if (counts[chunk] == 0)
            continue;
        *directory++ = (group){chunk, counts[chunk]};
        uint32_t count = counts[chunk];
        counts[chunk] = first;
        first += count;
        groups--;
    }
}

static void write_grouped(slice *s, unsigned to, uint32_t *counts, size_t groups,
                          unsigned char *message)
{
    uint32_t word = (uint32_t)groups;
    memcpy(message, &word, sizeof word);
    group *directory = (group *)(void *)(message + sizeof word);
    uint16_t *offsets = (uint16_t *)(void *)(directory + groups);
    write_groups(counts, groups, directory);
    for (unsigned w = 0; w < ply_workers_size(s->folder->workers); w++) {
        const slice_outbox *outbox = &s->outboxes[w * s->ranks + to];
        for (size_t i = 0; i < outbox->count; i++) {
            uint32_t cell = outbox->cells[i];
            offsets[counts[cell / CHUNK_CELLS]++] = (uint16_t)(cell % CHUNK_CELLS);
        }
    }
}

static void write_plain(const slice *s, unsigned to, unsigned char *message)
{
    memset(message, 0, sizeof(uint32_t));
    message += sizeof(uint32_t);
    for (unsigned w = 0; w < ply_workers_size(s->folder->workers); w++) {
        const slice_outbox *outbox = &s->outboxes[w * s->ranks + to];
        if (outbox->count == 0)
            continue;
        memcpy(message, outbox->cells, outbox->count * sizeof *outbox->cells);
        message += outbox->count * sizeof *outbox->cells;
    }
}

/* Zeroes the counters of all chunks that occur. */
static void clear_counts(const slice *s, unsigned to, uint32_t *counts)
{
    for (unsigned w = 0; w < ply_workers_size(s->folder->workers); w++) {
        const slice_outbox *outbox = &s->outboxes[w * s->ranks + to];
        for (size_t i = 0; i < outbox->count; i++)
            counts[outbox->cells[i] / CHUNK_CELLS] = 0;
    }
}

uint64_t cluster_updates_pack(slice *s, unsigned to, exchange *e, updates_scratch *scratch)
{
    uint64_t total = 0;
    size_t groups = count_groups(s, to, scratch->counts, &total);
    size_t grouped = sizeof(uint32_t) + groups * sizeof(group) + total * sizeof(uint16_t);
    size_t plain = sizeof(uint32_t) + total * sizeof(uint32_t);
    unsigned char *message = total ? exchange_fill(e, to, grouped < plain ? grouped : plain) : NULL;
    if (message && grouped < plain)
        write_grouped(s, to, scratch->counts, groups, message);
    else if (message)
        write_plain(s, to, message);
    clear_counts(s, to, scratch->counts);
    for (unsigned w = 0; w < ply_workers_size(s->folder->workers); w++)
        s->outboxes[w * s->ranks + to].count = 0;
    return total;
}

/* Groups `first` to `end` - 1, whose offsets begin at `offsets`. */
static void apply_groups(slice *s, const group *directory, size_t first, size_t end,
                         const uint16_t *offsets)
{
    for (size_t i = 0; i < first; i++)
        offsets += directory[i].count;
    for (size_t i = first; i < end; i++) {
        ply_tablebase_slice_apply_chunk(s, directory[i].chunk, offsets, directory[i].count);
        offsets += directory[i].count;
    }
}

void cluster_updates_apply(slice *s, const exchange_buffer *message, size_t part, size_t parts)
{
    if (message->count == 0)
        return;
    uint32_t groups;
    memcpy(&groups, message->bytes, sizeof groups);
    const void *body = message->bytes + sizeof groups;
    if (groups > 0) {
        const group *directory = body;
        apply_groups(s, directory, groups * part / parts, groups * (part + 1) / parts,
                     (const uint16_t *)(const void *)(directory + groups));
        return;
    }
    size_t count = (message->count - sizeof groups) / sizeof(uint32_t);
    size_t first = count * part / parts, end = count * (part + 1) / parts;
    ply_tablebase_slice_apply(s, (const uint32_t *)body + first, end - first);
}
