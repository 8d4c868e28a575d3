/* SPDX-License-Identifier: MIT */
/*
 * tablebase.c - builds tablebases on all ranks of a cluster.
 *
 * The cells of a slice and the values of the classes its moves lead to are dealt out to the ranks,
 * chunk by chunk (src/tablebase/slice.h). All ranks go through the slice in rounds; a round covers
 * a range of chunks of the whole slice, of which each rank has its share. Updates of other ranks'
 * cells travel in messages while the next round is computed. They commute, so the cells between two
 * rounds, once all messages have been applied, are those that one process would have there. That is
 * where checkpoints are taken.
 *
 * Slices too small to be worth messages are built by rank 0 alone.
 */
#include "cluster/class_file.h"
#include "cluster/cluster.h"
#include "cluster/lookups.h"
#include "cluster/rounds.h"
#include "cluster/rows.h"
#include "cluster/updates.h"
#include "core/clock.h"
#include "tablebase/build.h"
#include "tablebase/checkpoint.h"
#include "tablebase/solved.h"
#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include <zstd.h>

enum {
    ROUND_CHUNKS = 16,   /* of one rank */
    MIN_CHUNKS = 2,      /* per rank: smaller slices are built by rank 0 */
    WHOLE_VALUES = 8,    /* times the memory of the cells: see may_hold_all_values */
    APPLY_SECTIONS = 16, /* pieces of a message that workers apply */
    TAG_UPDATES = 1,     /* message tags */
    TAG_LOOKUPS = 2,     /* and 3 */
    TAG_BLOCKS = 4,
};

typedef struct distributed_build {
    slice s;
    exchange updates;
    lookups *lookups;
    bool has_all_values;      /* no lookups are needed */
    updates_scratch *scratch; /* one per worker */
    rounds rounds;
    cluster_build_report *report;
} distributed_build;

/* --- rounds ---------------------------------------------------------------------------------- */
/* The own chunks of the next round, of at most `chunks` for each rank. False if none is left. */
static bool next_chunks(slice *s, uint64_t chunks, size_t *first, size_t *count)
{
    if (s->chunk >= s->chunk_total)
        return false;
    uint64_t end = s->chunk + chunks * s->ranks;
    end = end < s->chunk_total ? end : s->chunk_total;
    *first = own_chunks(s, s->chunk);
    *count = own_chunks(s, end) - *first;
    s->chunk = end;
    return true;
}

static ply_status build_status(void *context, ply_error *error)
{
    const distributed_build *d = context;
    ply_status status = ply_tablebase_slice_status(&d->s, error);
    return status == PLY_OK && d->updates.failed
               ? ply_error_set(error, PLY_NO_MEMORY, "out of memory for messages")
               : status;
}

static ply_status save_slice(void *context, unsigned generation, ply_error *error)
{
    distributed_build *d = context;
    return ply_tablebase_slice_save(&d->s, generation, error);
}

/* --- initialisation -------------------------------------------------------------------------- */
static bool ask_round(void *context)
{
    distributed_build *d = context;
    size_t first, count;
    if (!next_chunks(&d->s, LOOKUP_CHUNKS, &first, &count))
        return false;
    cluster_lookups_ask(d->lookups, first, count);
    return true;
}

static void finish_lookups(void *context)
{
    distributed_build *d = context;
    cluster_lookups_finish(d->lookups);
}

static bool init_round(void *context)
{
    distributed_build *d = context;
    size_t first, count;
    if (!next_chunks(&d->s, ROUND_CHUNKS, &first, &count))
        return false;
    d->s.first_chunk = first;
    ply_workers_run(d->s.folder->workers, count, ply_tablebase_slice_init_chunk, &d->s);
    return true;
}

static const round_steps lookup_steps = {ask_round, finish_lookups, build_status, save_slice},
                         init_steps = {init_round, NULL, build_status, save_slice};

static ply_status run_init(distributed_build *d, ply_error *error)
{
    const round_steps *steps = d->has_all_values ? &init_steps : &lookup_steps;
    ply_status status = cluster_rounds_run(&d->rounds, steps, d, error);
    return status == PLY_OK ? cluster_agree(ply_tablebase_slice_status(&d->s, error), error)
                            : status;
}

/* --- passes ---------------------------------------------------------------------------------- */
static void pass_chunk(void *context, size_t piece, unsigned worker)
{
    distributed_build *d = context;
    ply_tablebase_slice_pass_chunk(&d->s, piece, worker);
    if (worker == 0)
        exchange_poll(&d->updates);
}

typedef struct packing {
    distributed_build *d;
    _Atomic uint64_t updates;
} packing;

static void pack_updates(void *context, size_t to, unsigned worker)
{
    packing *p = context;
    if (to != p->d->s.rank)
        p->updates +=
            cluster_updates_pack(&p->d->s, (unsigned)to, &p->d->updates, &p->d->scratch[worker]);
}

static void apply_section(void *context, size_t piece, unsigned worker)
{
    (void)worker;
    distributed_build *d = context;
    size_t from = piece / APPLY_SECTIONS;
    if (from != d->s.rank)
        cluster_updates_apply(&d->s, &d->updates.in[from], piece % APPLY_SECTIONS, APPLY_SECTIONS);
}

static void collect_updates(void *context)
{
    distributed_build *d = context;
    exchange_collect(&d->updates);
    ply_workers_run(d->s.folder->workers, (size_t)d->s.ranks * APPLY_SECTIONS, apply_section, d);
}

static bool pass_round(void *context)
{
    distributed_build *d = context;
    slice *s = &d->s;
    size_t first, count;
    if (!next_chunks(s, ROUND_CHUNKS, &first, &count))
        return false;
    s->first_chunk = first;
    ply_workers_run(s->folder->workers, count, pass_chunk, d);
    packing p = {.d = d};
    ply_workers_run(s->folder->workers, s->ranks, pack_updates, &p);
    d->report->updates += p.updates;
    exchange_post(&d->updates);
    return true;
}

static const round_steps pass_steps = {pass_round, collect_updates, build_status, save_slice};

static ply_status run_passes(distributed_build *d, ply_error *error)
{
    slice *s = &d->s;
    ply_status status = PLY_OK;
    for (;;) {
        uint64_t longest = s->longest;
        cluster_maximum(&longest, 1);
        if (longest > MAX_DISTANCE)
            return ply_error_set(error, PLY_LIMIT, "a position is more than %d plies from the end",
                                 MAX_DISTANCE);
        if (s->distance > longest)
            break;
        status = cluster_rounds_run(&d->rounds, &pass_steps, d, error);
        if (status != PLY_OK)
            return status;
        s->chunk = 0;
        s->distance++;
        d->report->passes++;
    }
    return cluster_agree(ply_tablebase_slice_status(s, error), error);
}

/* --- writing --------------------------------------------------------------------------------- */
/* The blocks of a class, compressed by their owners and written by rank 0. */
typedef struct block_gathering {
    solved_class c;
    tablebase_header header;
    exchange blocks;
    ZSTD_CCtx **zstd; /* one per worker */
    size_t first;     /* own chunk of the round */
    unsigned char (*packed)[TABLEBASE_PACKED_ROOM];
    size_t bytes[ROUND_CHUNKS * CHUNK_CELLS / TABLEBASE_BLOCK_VALUES];
} block_gathering;

enum { CHUNK_BLOCKS = CHUNK_CELLS / TABLEBASE_BLOCK_VALUES };

/* The number of the block of the class that is block `piece` of the own chunks in the round. */
static uint64_t block_of_piece(const block_gathering *g, size_t piece)
{
    uint64_t cell = (uint64_t)g->first * CHUNK_CELLS + piece * TABLEBASE_BLOCK_VALUES;
    return (place_of_cell(g->c.s, cell) - g->c.s->start[g->c.which]) / TABLEBASE_BLOCK_VALUES;
}

static void pack_piece(void *context, size_t piece, unsigned worker)
{
    block_gathering *g = context;
    uint64_t block = block_of_piece(g, piece);
    g->bytes[piece] = 0;
    if (block * TABLEBASE_BLOCK_VALUES < g->header.slots)
        g->bytes[piece] =
            ply_tablebase_pack_block(&g->header, ply_tablebase_class_values, &g->c, block,
                                     g->zstd[worker], TABLEBASE_ZSTD_LEVEL, g->packed[piece]);
}

/* A message: for each block its size and its bytes. */
static void send_blocks(block_gathering *g, size_t pieces)
{
    size_t total = 0;
    for (size_t i = 0; i < pieces; i++)
        total += sizeof(uint32_t) + g->bytes[i];
    unsigned char *message = total ? exchange_fill(&g->blocks, 0, total) : NULL;
    for (size_t i = 0; message && i < pieces; i++) {
        uint32_t bytes = (uint32_t)g->bytes[i];
        memcpy(message, &bytes, sizeof bytes);
        memcpy(message + sizeof bytes, g->packed[i], bytes);
        message += sizeof bytes + bytes;
    }
}

/* Writes the blocks of a round, chunk by chunk in the order of their places. */
static ply_status write_round(block_gathering *g, tablebase_writer *writer, uint64_t chunk,
                              uint64_t end, unsigned char **next, ply_error *error)
{
    const slice *s = g->c.s;
    ply_status status = PLY_OK;
    size_t own = 0;
    assert(s->ranks > 0);
    for (unsigned rank = 0; rank < s->ranks; rank++)
        next[rank] = g->blocks.in[rank].bytes;
    for (; chunk < end && status == PLY_OK; chunk++) {
        unsigned rank = (unsigned)(chunk % s->ranks);
        for (size_t i = 0; i < CHUNK_BLOCKS && status == PLY_OK; i++) {
            uint32_t bytes;
            const unsigned char *packed;
            if (rank == s->rank) {
                bytes = (uint32_t)g->bytes[own];
                packed = g->packed[own++];
            } else {
                memcpy(&bytes, next[rank], sizeof bytes);
                packed = next[rank] + sizeof bytes;
                next[rank] += sizeof bytes + bytes;
            }
            uint64_t block = (chunk - s->start[g->c.which] / CHUNK_CELLS) * CHUNK_BLOCKS + i;
            if (block * TABLEBASE_BLOCK_VALUES >= g->header.slots)
                continue;
            status = bytes ? ply_tablebase_writer_add(writer, packed, bytes, error)
                           : ply_error_set(error, PLY_NO_MEMORY, "out of memory");
        }
    }
    return status;
}

/* Gathers and writes all blocks. writer: of rank 0. */
static ply_status gather_blocks(void *context, tablebase_writer *writer, ply_error *error)
{
    block_gathering *g = context;
    const slice *s = g->c.s;
    uint64_t chunk = s->start[g->c.which] / CHUNK_CELLS, last = chunk;
    last += (g->header.slots + CHUNK_CELLS - 1) / CHUNK_CELLS;
    unsigned char **next = malloc(s->ranks * sizeof *next);
    ply_status status = next ? PLY_OK : ply_error_set(error, PLY_NO_MEMORY, "out of memory");
    status = cluster_agree(status, error);
    /* Even a failed rank goes through all rounds: the others wait for it. */
    for (bool failed = status != PLY_OK || !next; !failed && chunk < last;) {
        uint64_t end = chunk + (uint64_t)ROUND_CHUNKS * s->ranks;
        end = end < last ? end : last;
        g->first = own_chunks(s, chunk);
        size_t pieces = (own_chunks(s, end) - g->first) * CHUNK_BLOCKS;
        ply_workers_run(s->folder->workers, pieces, pack_piece, g);
        if (s->rank != 0)
            send_blocks(g, pieces);
        exchange_post(&g->blocks);
        exchange_collect(&g->blocks);
        if (s->rank == 0 && status == PLY_OK)
            status = write_round(g, writer, chunk, end, next, error);
        chunk = end;
    }
    free(next);
    if (status == PLY_OK && g->blocks.failed)
        status = ply_error_set(error, PLY_NO_MEMORY, "out of memory for messages");
    return cluster_agree(status, error);
}

/* Counts the class over all ranks. */
static void fill_header(block_gathering *g)
{
    class_totals totals = {0};
    ply_tablebase_count_class(&g->c, &totals);
    uint64_t counts[3] = {totals.wins, totals.losses, totals.draws}, longest = totals.longest;
    cluster_sum(counts, 3);
    cluster_maximum(&longest, 1);
    /* The first of all: the smallest, hence the largest complement. */
    uint64_t first = ~ply_tablebase_first_at(&g->c, longest);
    cluster_maximum(&first, 1);
    totals.wins = counts[0];
    totals.losses = counts[1];
    totals.draws = counts[2];
    totals.longest = longest;
    ply_tablebase_class_header(&g->c, &totals, ~first, &g->header);
}

static ply_status write_class(slice *s, size_t which, ply_error *error)
{
    block_gathering g = {.c = {s, which}};
    unsigned workers = ply_workers_size(s->folder->workers);
    fill_header(&g);
    g.packed = malloc(sizeof g.bytes / sizeof g.bytes[0] * sizeof *g.packed);
    g.zstd = calloc(workers, sizeof *g.zstd);
    bool good = exchange_open(&g.blocks, TAG_BLOCKS) && g.packed && g.zstd;
    for (unsigned i = 0; good && i < workers; i++)
        good = (g.zstd[i] = ZSTD_createCCtx()) != NULL;
    ply_status status =
        cluster_agree(good ? PLY_OK : ply_error_set(error, PLY_NO_MEMORY, "out of memory"), error);
    if (status == PLY_OK)
        status = cluster_write_class(s->folder, s->class_index[which], &g.header, gather_blocks, &g,
                                     error);
    for (unsigned i = 0; g.zstd && i < workers; i++)
        ZSTD_freeCCtx(g.zstd[i]);
    free(g.zstd);
    free(g.packed);
    exchange_close(&g.blocks);
    return status;
}

/* --- one slice ------------------------------------------------------------------------------- */
static ply_status run_slice(distributed_build *d, ply_error *error)
{
    slice *s = &d->s;
    ply_status status =
        cluster_agree(ply_tablebase_slice_load(s, &d->rounds.generation, error), error);
    if (status == PLY_OK && s->phase == PHASE_INIT) {
        status = run_init(d, error);
        if (status == PLY_OK) {
            s->phase = PHASE_PASSES;
            s->chunk = s->distance = 0;
        }
    }
    if (status == PLY_OK)
        status = run_passes(d, error);
    for (size_t which = 0; status == PLY_OK && which < s->class_total; which++)
        status = write_class(s, which, error);
    if (status == PLY_OK && s->rank == 0)
        ply_tablebase_checkpoint_remove(s->folder, s->class_index[0], 0);
    return status;
}

/*
 * Whether each rank holds all values that moves out of the slice lead to, and not just its part: if
 * they take no more than a few times the memory of its cells, and the limit allows it. Then the
 * initialisation needs no messages. The same on all ranks: that of rank 0 has the most cells.
 */
static bool may_hold_all_values(const slice *s, const size_t *exits, size_t count)
{
    const tablebase_folder *folder = s->folder;
    uint64_t cells = part_values(s->start[2], 0, s->ranks) * sizeof(uint16_t), values = 0;
    for (size_t i = 0; i < count; i++) /* 2 bytes each: some distances need them */
        values += 2 * folder->retrograde->slot_count(folder->workspace, exits[i]);
    return values <= WHOLE_VALUES * cells &&
           (folder->budget.limit == 0 || values + cells <= folder->budget.limit);
}

static ply_status load_values(distributed_build *d, ply_error *error)
{
    slice *s = &d->s;
    size_t exits[2 * PLY_CLASS_EXITS];
    size_t count = ply_tablebase_folder_exits(s->folder, s->class_index[0], exits);
    ply_status status = PLY_OK;
    d->has_all_values = may_hold_all_values(s, exits, count);
    for (size_t i = 0; i < count && status == PLY_OK; i++)
        status = d->has_all_values ? ply_tablebase_folder_load(s->folder, exits[i], error)
                                   : ply_tablebase_folder_load_part(s->folder, exits[i], s->rank,
                                                                    s->ranks, error);
    return status;
}

static bool open_buffers(distributed_build *d)
{
    unsigned workers = ply_workers_size(d->s.folder->workers);
    d->s.outboxes = calloc((size_t)workers * d->s.ranks, sizeof *d->s.outboxes);
    d->scratch = calloc(workers, sizeof *d->scratch);
    d->lookups = cluster_lookups_open(&d->s, TAG_LOOKUPS);
    bool good = d->s.outboxes && d->scratch && d->lookups;
    for (unsigned i = 0; good && i < workers; i++)
        good = (d->scratch[i].counts = calloc(CHUNK_CELLS, sizeof(uint32_t))) != NULL;
    return exchange_open(&d->updates, TAG_UPDATES) && good;
}

static void close_buffers(distributed_build *d)
{
    unsigned workers = ply_workers_size(d->s.folder->workers);
    for (size_t i = 0; d->s.outboxes && i < (size_t)workers * d->s.ranks; i++)
        free(d->s.outboxes[i].cells);
    for (unsigned i = 0; d->scratch && i < workers; i++)
        free(d->scratch[i].counts);
    free(d->s.outboxes);
    free(d->scratch);
    exchange_close(&d->updates);
    if (d->lookups) {
        d->report->lookups += cluster_lookups_count(d->lookups);
        d->report->lookup_bytes += cluster_lookups_bytes(d->lookups);
    }
    cluster_lookups_close(d->lookups);
}

static ply_status build_together(distributed_build *d, build_timer *timer, ply_error *error)
{
    tablebase_folder *folder = d->s.folder;
    cluster_rounds_open(&d->rounds, folder, d->s.class_index[0], timer);
    ply_status status = load_values(d, error);
    if (status == PLY_OK)
        status = ply_tablebase_slice_reserve(&d->s, error);
    bool opened = open_buffers(d);
    if (status == PLY_OK && !opened)
        status = ply_error_set(error, PLY_NO_MEMORY, "out of memory");
    status = cluster_agree(status, error);
    if (status == PLY_OK)
        status = run_slice(d, error);
    d->report->slices++;
    d->report->update_bytes += d->updates.bytes_sent;
    close_buffers(d);
    ply_tablebase_slice_release(&d->s);
    ply_tablebase_folder_drop(folder);
    cluster_rounds_close(&d->rounds);
    return status;
}

/* The slice_builder of a cluster; context is the report. */
static ply_status build_slice(void *context, tablebase_folder *folder, size_t class_index,
                              build_timer *timer, ply_error *error)
{
    distributed_build d = {.report = context};
    ply_status status = ply_tablebase_slice_setup(&d.s, folder, class_index, cluster_rank(),
                                                  cluster_ranks(), error);
    if (status != PLY_OK) /* the same on all ranks */
        return status;
    if (d.s.chunk_total >= (uint64_t)MIN_CHUNKS * d.s.ranks)
        return build_together(&d, timer, error);
    if (d.s.rank == 0)
        status = ply_tablebase_build_slice(NULL, folder, class_index, timer, error);
    ply_tablebase_folder_drop(folder);
    return cluster_agree(status, error);
}

/* --- all slices ------------------------------------------------------------------------------ */
static void finish_report(cluster_build_report *report)
{
    struct rusage usage;
    uint64_t memory = getrusage(RUSAGE_SELF, &usage) == 0 ? (uint64_t)usage.ru_maxrss : 0;
    uint64_t sums[] = {report->updates, report->update_bytes, report->lookups,
                       report->lookup_bytes};
    cluster_sum(sums, sizeof sums / sizeof sums[0]);
    cluster_maximum(&memory, 1);
    report->updates = sums[0];
    report->update_bytes = sums[1];
    report->lookups = sums[2];
    report->lookup_bytes = sums[3];
    report->memory_kb = memory;
}

static ply_status build_all(tablebase_folder *folder, const ply_tablebase_job *job,
                            cluster_build_report *report, ply_error *error)
{
    build_plan plan = {0};
    ply_status status = cluster_agree(ply_tablebase_plan_open(&plan, folder, error), error);
    if (status == PLY_OK) {
        /* The folder may look different from another machine for a while. */
        cluster_broadcast(plan.done, folder->slice_count * sizeof *plan.done);
        status = ply_tablebase_plan_run(
            &plan, job, folder->retrograde->rows ? cluster_build_rows : build_slice, report, error);
    }
    ply_tablebase_plan_close(&plan);
    return status;
}

ply_status cluster_tablebase_build(const ply_rules *rules, const ply_tablebase_job *job,
                                   cluster_build_report *report, ply_error *error)
{
    tablebase_folder folder;
    int lock = -1;
    *report = (cluster_build_report){0};
    if (cluster_ranks() > MAX_RANKS)
        return ply_error_set(error, PLY_LIMIT, "more than %d ranks", MAX_RANKS);
    ply_status status = ply_tablebase_folder_open(&folder, rules, job, true, error);
    bool opened = status == PLY_OK;
    if (status == PLY_OK && cluster_rank() == 0)
        status = ply_tablebase_folder_lock(&folder, &lock, error);
    status = cluster_agree(status, error);
    if (status == PLY_OK)
        status = build_all(&folder, job, report, error);
    if (lock >= 0)
        close(lock);
    if (opened)
        ply_tablebase_folder_close(&folder);
    finish_report(report);
    return status;
}
