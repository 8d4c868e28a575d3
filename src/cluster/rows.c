/* SPDX-License-Identifier: MIT */
/*
 * rows.c - the passes of a build by rows on all ranks; see rows.h.
 *
 * All ranks go through the slice in rounds; a round covers a group of rows of the whole slice, of
 * which each rank has its share. Its messages travel while the next round is computed. A bit of the
 * next frontier may be set at any time during the pass, so the cells between two rounds are those that
 * one process would have there. That is where checkpoints are taken.
 */
#include "cluster/rows.h"
#include "cluster/exchange.h"
#include "cluster/rounds.h"
#include <string.h>

enum {
    MIN_CELLS = 1 << 17, /* per rank: smaller slices are built by rank 0 */
    APPLY_SECTIONS = 16, /* pieces of a message that workers apply */
    AHEAD = 16,          /* bits whose memory is being fetched */
    TAG_BITS = 5,        /* message tag */
};

typedef struct rows_build {
    row_slice s;
    exchange bits;
    row_side *written[EXCHANGE_SETS]; /* by round: the side whose frontier its bits belong to */
    uint64_t parity;                  /* of that frontier */
    uint64_t last;                    /* row at which the rounds end */
    rounds rounds;
    cluster_build_report *report;
} rows_build;

/* --- messages -------------------------------------------------------------------------------- */
/* A message: the numbers of the bits. */
static void post_bits(rows_build *b)
{
    row_slice *s = &b->s;
    unsigned workers = ply_workers_size(s->folder->workers);
    for (unsigned to = 0; to < s->ranks; to++) {
        size_t total = 0;
        for (unsigned w = 0; w < workers; w++)
            total += ply_tablebase_rows_outbox(s, w, to)->count;
        unsigned char *message =
            total ? exchange_fill(&b->bits, to, total * sizeof(uint32_t)) : NULL;
        for (unsigned w = 0; w < workers; w++) {
            row_outbox *outbox = ply_tablebase_rows_outbox(s, w, to);
            size_t bytes = outbox->count * sizeof *outbox->bits;
            if (message && bytes) {
                memcpy(message, outbox->bits, bytes);
                message += bytes;
            }
            outbox->count = 0;
        }
        b->report->updates += total;
    }
    b->written[b->bits.posted % EXCHANGE_SETS] = row_other(s, s->current);
    exchange_post(&b->bits);
}

typedef struct applying {
    rows_build *b;
    row_side *side;
} applying;

static void apply_section(void *context, size_t piece, unsigned worker)
{
    (void)worker;
    const applying *a = context;
    size_t from = piece / APPLY_SECTIONS, part = piece % APPLY_SECTIONS;
    const exchange_buffer *message = &a->b->bits.in[from];
    if (from == a->b->s.rank || message->count == 0)
        return;
    const uint32_t *bits = (const uint32_t *)(const void *)message->bytes;
    size_t count = message->count / sizeof *bits;
    size_t first = count * part / APPLY_SECTIONS, end = count * (part + 1) / APPLY_SECTIONS;
    const _Atomic uint64_t *words = a->side->frontier[a->b->parity];
    for (size_t i = first; i < end; i++) {
        if (i + AHEAD < end)
            __builtin_prefetch((const void *)&words[bits[i + AHEAD] >> 6], 1);
        frontier_set(a->side, a->b->parity, bits[i]);
    }
}

static void collect_bits(void *context)
{
    rows_build *b = context;
    applying a = {b, b->written[b->bits.collected % EXCHANGE_SETS]};
    exchange_collect(&b->bits);
    ply_workers_run(b->s.folder->workers, (size_t)b->s.ranks * APPLY_SECTIONS, apply_section, &a);
}

/* --- rounds ---------------------------------------------------------------------------------- */
static bool init_rows(void *context)
{
    row_slice *s = &((rows_build *)context)->s;
    if (s->row >= s->row_total)
        return false;
    ply_tablebase_rows_run(s, ply_tablebase_rows_group_end(s, s->row_total));
    return true;
}

/* Up to b->last. */
static bool propagate_rows(void *context)
{
    rows_build *b = context;
    if (b->s.row >= b->last)
        return false;
    ply_tablebase_rows_run(&b->s, ply_tablebase_rows_group_end(&b->s, b->last));
    post_bits(b);
    return true;
}

static ply_status rows_status(void *context, ply_error *error)
{
    const rows_build *b = context;
    ply_status status = ply_tablebase_rows_status(&b->s, error);
    return status == PLY_OK && b->bits.failed
               ? ply_error_set(error, PLY_NO_MEMORY, "out of memory for messages")
               : status;
}

static ply_status save_rows(void *context, unsigned generation, ply_error *error)
{
    const rows_build *b = context;
    return ply_tablebase_rows_save(&b->s, generation, error);
}

static const round_steps init_steps = {init_rows, NULL, rows_status, save_rows},
                         pass_steps = {propagate_rows, collect_bits, rows_status, save_rows},
                         /* The checkpoint that frontiers are restored from is still there. */
    seed_steps = {propagate_rows, collect_bits, rows_status, NULL};

/* --- one slice ------------------------------------------------------------------------------- */
/* Enters the cells decided at a distance, on the rows before `last`, in the frontier. */
static ply_status seed(rows_build *b, uint64_t distance, uint64_t last, ply_error *error)
{
    b->s.seeding = true;
    b->s.seed_distance = distance;
    b->s.row = 0;
    b->last = last;
    b->parity = distance & 1;
    ply_status status = cluster_rounds_run(&b->rounds, &seed_steps, b, error);
    b->s.seeding = false;
    return status;
}

static ply_status run_init(rows_build *b, ply_error *error)
{
    row_slice *s = &b->s;
    ply_status status = cluster_agree(ply_tablebase_rows_open_exits(s, error), error);
    if (status == PLY_OK)
        status = cluster_rounds_run(&b->rounds, &init_steps, b, error);
    ply_tablebase_rows_close_exits(s);
    if (status == PLY_OK) {
        s->phase = PHASE_ROWS_PASSES;
        s->row = s->distance = 0;
    }
    return status;
}

static ply_status run_passes(rows_build *b, ply_error *error)
{
    row_slice *s = &b->s;
    uint64_t done = s->row; /* of the current pass */
    ply_status status = cluster_agree(ply_tablebase_rows_reserve_frontiers(s, error), error);
    if (status == PLY_OK)
        status = seed(b, s->distance, s->row_total, error);
    if (status == PLY_OK) {
        ply_tablebase_rows_forget(s, done);
        status = seed(b, s->distance + 1, done, error);
    }
    s->row = done;
    while (status == PLY_OK) {
        uint64_t longest = s->longest;
        cluster_maximum(&longest, 1);
        if (longest > MAX_DISTANCE)
            return ply_error_set(error, PLY_LIMIT, "a position is more than %d plies from the end",
                                 MAX_DISTANCE);
        if (s->distance > longest)
            break;
        b->last = s->row_total;
        b->parity = (s->distance + 1) & 1;
        status = cluster_rounds_run(&b->rounds, &pass_steps, b, error);
        if (status == PLY_OK) {
            ply_tablebase_rows_end_pass(s);
            s->row = 0;
            s->distance++;
            b->report->passes++;
        }
    }
    return status == PLY_OK ? cluster_agree(ply_tablebase_rows_status(s, error), error) : status;
}

static ply_status run_slice(rows_build *b, ply_error *error)
{
    row_slice *s = &b->s;
    ply_status status =
        cluster_agree(ply_tablebase_rows_load(s, &b->rounds.generation, error), error);
    if (status == PLY_OK && s->phase == PHASE_ROWS_INIT)
        status = run_init(b, error);
    if (status == PLY_OK)
        status = run_passes(b, error);
    for (size_t which = 0; status == PLY_OK && which < s->side_count; which++)
        status = cluster_rows_write(s, which, b->report, error);
    if (status == PLY_OK && s->rank == 0)
        ply_tablebase_checkpoint_remove(s->folder, s->side[0].class_index, 0);
    return status;
}

static ply_status build_together(rows_build *b, build_timer *timer, ply_error *error)
{
    cluster_rounds_open(&b->rounds, b->s.folder, b->s.side[0].class_index, timer);
    ply_status status = ply_tablebase_rows_reserve(&b->s, error);
    bool opened = exchange_open(&b->bits, TAG_BITS);
    if (status == PLY_OK && !opened)
        status = ply_error_set(error, PLY_NO_MEMORY, "out of memory");
    status = cluster_agree(status, error);
    if (status == PLY_OK)
        status = run_slice(b, error);
    b->report->slices++;
    b->report->update_bytes += b->bits.bytes_sent;
    exchange_close(&b->bits);
    ply_tablebase_rows_release(&b->s);
    cluster_rounds_close(&b->rounds);
    return status;
}

ply_status cluster_build_rows(void *context, tablebase_folder *folder, size_t class_index,
                              build_timer *timer, ply_error *error)
{
    rows_build b = {.report = context};
    ply_status status =
        ply_tablebase_rows_setup(&b.s, folder, class_index, cluster_rank(), cluster_ranks(), error);
    if (status != PLY_OK) /* the same on all ranks */
        return status;
    if (ply_tablebase_folder_slice_slots(folder, class_index) >= (uint64_t)MIN_CELLS * b.s.ranks)
        return build_together(&b, timer, error);
    if (b.s.rank == 0)
        status = ply_tablebase_build_rows(NULL, folder, class_index, timer, error);
    return cluster_agree(status, error);
}
