/* SPDX-License-Identifier: MIT */
/*
 * rows_write.c - writes the file of a class that was built by rows on all ranks.
 *
 * The blocks of the file are dealt out in rounds, several consecutive ones to each rank. A rank works
 * out where the cells of its values are, asks the ranks that hold them (4 bytes a cell, 2 bytes an
 * answer), compresses its blocks and sends them to rank 0, which writes them in order.
 */
#include "cluster/class_file.h"
#include "cluster/exchange.h"
#include "cluster/rows.h"
#include "tablebase/solved.h"
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum {
    ROUND_BLOCKS = 32, /* of one rank */
    TAG_ASK = 6,       /* message tags */
    TAG_ANSWER = 7,
    TAG_PACKED = 8,
    AHEAD = 16, /* cells whose memory is being fetched */
};

/* A block of this rank in the current round. The own rank is asked like the others, but without
 * messages. */
typedef struct block_work {
    uint16_t owners[TABLEBASE_BLOCK_VALUES]; /* by value: the rank that has its cell */
    uint32_t cells[TABLEBASE_BLOCK_VALUES];  /* and the number of the cell there */
    bool holes[TABLEBASE_BLOCK_VALUES];
    uint32_t own_cells[TABLEBASE_BLOCK_VALUES]; /* questions to the own rank */
    uint16_t own_values[TABLEBASE_BLOCK_VALUES];
    unsigned char packed[TABLEBASE_PACKED_ROOM];
    size_t bytes;            /* of packed */
    size_t *asked;           /* by rank: the number of questions */
    size_t *before;          /* by rank: those of the blocks before this one */
    uint32_t **questions;    /* by rank: where the next question goes */
    const uint16_t **values; /* by rank: the next answer */
} block_work;

typedef struct rows_writing {
    row_slice *s;
    size_t which;
    tablebase_header header;
    exchange ask, answer, packed;
    ZSTD_CCtx **zstd; /* one per worker */
    block_work *blocks;
    uint32_t **questions; /* the blocks' arrays by rank */
    const uint16_t **values;
    size_t *totals; /* by rank: questions in this round; then those of the blocks */
    uint64_t first; /* block of this rank in the round */
    size_t count;   /* of blocks */
} rows_writing;

static size_t block_values(const rows_writing *w, size_t piece)
{
    uint64_t left = w->header.slots - (w->first + piece) * TABLEBASE_BLOCK_VALUES;
    return left < TABLEBASE_BLOCK_VALUES ? (size_t)left : TABLEBASE_BLOCK_VALUES;
}

/* --- questions and answers ------------------------------------------------------------------- */
static void find_places(void *context, size_t piece, unsigned worker)
{
    (void)worker;
    rows_writing *w = context;
    const row_slice *s = w->s;
    block_work *b = &w->blocks[piece];
    size_t count = block_values(w, piece);
    uint64_t first = (w->first + piece) * TABLEBASE_BLOCK_VALUES, places[ROW_BATCH];
    uint32_t ranks = s->ranks, columns = s->side[w->which].columns;
    memset(b->asked, 0, ranks * sizeof *b->asked);
    for (size_t begin = 0; begin < count; begin += ROW_BATCH) {
        size_t step = count - begin < ROW_BATCH ? count - begin : ROW_BATCH;
        ply_tablebase_rows_places(s, w->which, first + begin, step, places, b->holes + begin);
        for (size_t i = 0; i < step; i++) {
            uint32_t row = (uint32_t)(places[i] >> 32), own_row = row / ranks;
            b->owners[begin + i] = (uint16_t)(row - own_row * ranks);
            b->cells[begin + i] = own_row * columns + (uint32_t)places[i];
            b->asked[b->owners[begin + i]]++;
        }
    }
}

static void write_questions(void *context, size_t piece, unsigned worker)
{
    (void)worker;
    rows_writing *w = context;
    const row_slice *s = w->s;
    block_work *b = &w->blocks[piece];
    size_t count = block_values(w, piece);
    const exchange_buffer *out = &w->ask.out[w->ask.posted % EXCHANGE_SETS * s->ranks];
    for (unsigned to = 0; to < s->ranks; to++)
        if (b->asked[to] && to != s->rank)
            b->questions[to] = (uint32_t *)(void *)out[to].bytes + b->before[to];
    b->questions[s->rank] = b->own_cells;
    for (size_t i = 0; i < count; i++)
        *b->questions[b->owners[i]]++ = b->cells[i];
}

static void ask(rows_writing *w)
{
    const row_slice *s = w->s;
    bool good = true;
    ply_workers_run(s->folder->workers, w->count, find_places, w);
    memset(w->totals, 0, s->ranks * sizeof *w->totals);
    for (size_t i = 0; i < w->count; i++)
        for (unsigned to = 0; to < s->ranks; to++) {
            w->blocks[i].before[to] = w->totals[to];
            w->totals[to] += w->blocks[i].asked[to];
        }
    for (unsigned to = 0; to < s->ranks; to++)
        if (to != s->rank && w->totals[to])
            good &= exchange_fill(&w->ask, to, w->totals[to] * sizeof(uint32_t)) != NULL;
    if (good)
        ply_workers_run(s->folder->workers, w->count, write_questions, w);
    exchange_post(&w->ask);
    exchange_collect(&w->ask);
}

static uint16_t value_of(uint16_t content)
{
    return content & CELL_DECIDED ? (uint16_t)((content & ~(unsigned)CELL_DECIDED) + 1) : 0;
}

static void look_up(const rows_writing *w, const uint32_t *numbers, size_t count, uint16_t *values)
{
    const row_slice *s = w->s;
    const uint16_t *cells = row_cells(s, &s->side[w->which], 0);
    for (size_t i = 0; i < count; i++) {
        if (i + AHEAD < count)
            __builtin_prefetch(&cells[numbers[i + AHEAD]]);
        values[i] = value_of(cells[numbers[i]]);
    }
}

static void answer_rank(void *context, size_t from, unsigned worker)
{
    (void)worker;
    rows_writing *w = context;
    const exchange_buffer *asked = &w->ask.in[from];
    size_t count = from == w->s->rank ? 0 : asked->count / sizeof(uint32_t);
    unsigned char *message =
        count ? exchange_fill(&w->answer, (unsigned)from, count * sizeof(uint16_t)) : NULL;
    if (message)
        look_up(w, (const uint32_t *)(const void *)asked->bytes, count,
                (uint16_t *)(void *)message);
}

/* --- blocks ---------------------------------------------------------------------------------- */
static void block_source(void *context, uint64_t first, size_t count, uint16_t *out)
{
    const rows_writing *w = context;
    block_work *b = &w->blocks[first / TABLEBASE_BLOCK_VALUES - w->first];
    for (size_t i = 0; i < count; i++) {
        uint16_t value = *b->values[b->owners[i]]++;
        out[i] = b->holes[i] ? 0 : value;
    }
}

static void pack_block(void *context, size_t piece, unsigned worker)
{
    rows_writing *w = context;
    const row_slice *s = w->s;
    block_work *b = &w->blocks[piece];
    for (unsigned from = 0; from < s->ranks; from++)
        if (b->asked[from] && from != s->rank)
            b->values[from] =
                (const uint16_t *)(const void *)w->answer.in[from].bytes + b->before[from];
    look_up(w, b->own_cells, b->asked[s->rank], b->own_values);
    b->values[s->rank] = b->own_values;
    b->bytes = ply_tablebase_pack_block(&w->header, block_source, w, w->first + piece,
                                        w->zstd[worker], TABLEBASE_ZSTD_LEVEL, b->packed);
}

/* A message: for each block its size and its bytes. */
static void send_blocks(rows_writing *w)
{
    size_t total = 0;
    for (size_t i = 0; i < w->count; i++)
        total += sizeof(uint32_t) + w->blocks[i].bytes;
    unsigned char *message = total ? exchange_fill(&w->packed, 0, total) : NULL;
    for (size_t i = 0; message && i < w->count; i++) {
        uint32_t bytes = (uint32_t)w->blocks[i].bytes;
        memcpy(message, &bytes, sizeof bytes);
        memcpy(message + sizeof bytes, w->blocks[i].packed, bytes);
        message += sizeof bytes + bytes;
    }
}

static ply_status add_block(tablebase_writer *writer, const unsigned char *packed, size_t bytes,
                            ply_error *error)
{
    return bytes ? ply_tablebase_writer_add(writer, packed, bytes, error)
                 : ply_error_set(error, PLY_NO_MEMORY, "out of memory");
}

/* Writes the blocks of a round, rank by rank. */
static ply_status write_round(rows_writing *w, tablebase_writer *writer, ply_error *error)
{
    ply_status status = PLY_OK;
    for (size_t i = 0; i < w->count && status == PLY_OK; i++)
        status = add_block(writer, w->blocks[i].packed, w->blocks[i].bytes, error);
    for (unsigned from = 1; from < w->s->ranks; from++) {
        const exchange_buffer *message = &w->packed.in[from];
        for (size_t at = 0; at < message->count && status == PLY_OK;) {
            uint32_t bytes;
            memcpy(&bytes, message->bytes + at, sizeof bytes);
            status = add_block(writer, message->bytes + at + sizeof bytes, bytes, error);
            at += sizeof bytes + bytes;
        }
    }
    return status;
}

/* Goes through all blocks. writer: of rank 0. */
static ply_status write_blocks(void *context, tablebase_writer *writer, ply_error *error)
{
    rows_writing *w = context;
    const row_slice *s = w->s;
    ply_workers *workers = s->folder->workers;
    uint64_t total = (w->header.slots + TABLEBASE_BLOCK_VALUES - 1) / TABLEBASE_BLOCK_VALUES;
    ply_status status = PLY_OK;
    bool complete = true;
    /* Even a failed rank goes through all rounds: the others wait for it. */
    for (uint64_t block = 0; block < total; block += (uint64_t)ROUND_BLOCKS * s->ranks) {
        w->first = block + (uint64_t)s->rank * ROUND_BLOCKS;
        uint64_t left = w->first < total ? total - w->first : 0;
        w->count = left < ROUND_BLOCKS ? (size_t)left : ROUND_BLOCKS;
        ask(w);
        ply_workers_run(workers, s->ranks, answer_rank, w);
        exchange_post(&w->answer);
        exchange_collect(&w->answer);
        complete = complete && !w->ask.failed && !w->answer.failed;
        for (unsigned from = 0; from < s->ranks; from++) /* a rank without memory answers nothing */
            complete &=
                from == s->rank || w->answer.in[from].count == w->totals[from] * sizeof(uint16_t);
        if (complete)
            ply_workers_run(workers, w->count, pack_block, w);
        if (complete && s->rank != 0)
            send_blocks(w);
        exchange_post(&w->packed);
        exchange_collect(&w->packed);
        if (s->rank == 0 && status == PLY_OK && complete)
            status = write_round(w, writer, error);
    }
    if (status == PLY_OK && (!complete || w->packed.failed))
        status = ply_error_set(error, PLY_NO_MEMORY, "out of memory for messages");
    return cluster_agree(status, error);
}

/* Counts the class over all ranks. */
static void fill_header(rows_writing *w)
{
    row_totals totals = {0};
    ply_tablebase_rows_count(w->s, w->which, &totals);
    uint64_t counts[3] = {totals.wins, totals.losses, totals.draws}, longest = totals.longest;
    cluster_sum(counts, 3);
    cluster_maximum(&longest, 1);
    totals.longest = longest;
    ply_tablebase_rows_find_longest(w->s, w->which, &totals);
    /* The first of all: the smallest, hence the largest complement. */
    uint64_t first = ~totals.first;
    cluster_maximum(&first, 1);
    totals.wins = counts[0];
    totals.losses = counts[1];
    totals.draws = counts[2];
    totals.first = ~first;
    ply_tablebase_rows_header(w->s, w->which, &totals, &w->header);
}

/* The arrays by rank. */
static bool open_blocks(rows_writing *w)
{
    size_t ranks = w->s->ranks;
    w->blocks = calloc(ROUND_BLOCKS, sizeof *w->blocks);
    w->totals = calloc((2 * ROUND_BLOCKS + 1) * ranks, sizeof *w->totals);
    w->questions = calloc(ROUND_BLOCKS * ranks, sizeof *w->questions);
    w->values = calloc(ROUND_BLOCKS * ranks, sizeof *w->values);
    if (!w->blocks || !w->totals || !w->questions || !w->values)
        return false;
    for (size_t i = 0; i < ROUND_BLOCKS; i++) {
        w->blocks[i].asked = w->totals + (2 * i + 1) * ranks;
        w->blocks[i].before = w->totals + (2 * i + 2) * ranks;
        w->blocks[i].questions = w->questions + i * ranks;
        w->blocks[i].values = w->values + i * ranks;
    }
    return true;
}

static bool open_buffers(rows_writing *w)
{
    unsigned workers = ply_workers_size(w->s->folder->workers);
    bool good = exchange_open(&w->ask, TAG_ASK);
    good &= exchange_open(&w->answer, TAG_ANSWER);
    good &= exchange_open(&w->packed, TAG_PACKED);
    good &= open_blocks(w);
    w->zstd = calloc(workers, sizeof *w->zstd);
    good = good && w->zstd;
    for (unsigned i = 0; good && i < workers; i++)
        good = (w->zstd[i] = ZSTD_createCCtx()) != NULL;
    return good;
}

static void close_buffers(rows_writing *w)
{
    for (unsigned i = 0; w->zstd && i < ply_workers_size(w->s->folder->workers); i++)
        ZSTD_freeCCtx(w->zstd[i]);
    free(w->zstd);
    free(w->blocks);
    free(w->totals);
    free(w->questions);
    free((void *)w->values);
    exchange_close(&w->ask);
    exchange_close(&w->answer);
    exchange_close(&w->packed);
}

ply_status cluster_rows_write(row_slice *s, size_t which, cluster_build_report *report,
                              ply_error *error)
{
    rows_writing w = {.s = s, .which = which};
    fill_header(&w);
    bool good = open_buffers(&w);
    ply_status status =
        cluster_agree(good ? PLY_OK : ply_error_set(error, PLY_NO_MEMORY, "out of memory"), error);
    if (status == PLY_OK)
        status = cluster_write_class(s->folder, s->side[which].class_index, &w.header, write_blocks,
                                     &w, error);
    report->lookups += w.ask.bytes_sent / sizeof(uint32_t);
    report->lookup_bytes += w.ask.bytes_sent + w.answer.bytes_sent;
    close_buffers(&w);
    return status;
}
