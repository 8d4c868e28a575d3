/* SPDX-License-Identifier: MIT */
/*
 * rows.c - solves a slice row by row; see rows.h.
 *
 * Workload: a row of Neighbours 5v5 has 170,000 cells, 340 kB, which stay in the second-level cache
 * while 12 updates for each of them are applied. Then each decided cell costs one access to a random
 * place of the next frontier. No other thread touches the row.
 */
#include "tablebase/rows.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum {
    GROUP_CELLS = 1 << 21, /* of a rank in a group, at least */
    GROUP_ROWS = 32,       /* likewise */
};

/* --- memory --------------------------------------------------------------------------------- */
static void setup_side(row_slice *s, size_t which, size_t class_index)
{
    const tablebase_folder *folder = s->folder;
    row_side *side = &s->side[which];
    size_t partner = folder->retrograde->class_partner(class_index);
    side->class_index = class_index;
    side->columns = s->ops->columns(folder->workspace, class_index);
    side->rows = folder->retrograde->slot_count(folder->workspace, partner) / side->columns;
    side->own_rows = own_rows_below(s, side->rows);
    side->first_cell = s->cell_count;
    side->first_row = s->row_total;
    side->stride = ((uint64_t)side->columns + 63) / 64 * 64;
    s->cell_count += side->own_rows * side->columns;
    s->row_total += side->rows;
}

ply_status ply_tablebase_rows_setup(row_slice *s, tablebase_folder *folder, size_t class_index,
                                    unsigned rank, unsigned ranks, ply_error *error)
{
    size_t partner = folder->retrograde->class_partner(class_index);
    *s = (row_slice){.folder = folder,
                     .ops = folder->retrograde->rows,
                     .side_count = partner == class_index ? 1 : 2,
                     .rank = rank,
                     .ranks = ranks,
                     .phase = PHASE_ROWS_INIT};
    assert(s->ops->row_bytes <= ROW_STATE_WORDS * sizeof(uint64_t));
    for (size_t i = 0; i < s->side_count; i++) {
        setup_side(s, i, i ? partner : class_index);
        /* Other ranks' bits are numbered with 32 bits. */
        if (ranks > 1 && (s->side[i].rows / ranks + 1) * s->side[i].stride > UINT32_MAX)
            return ply_error_set(error, PLY_LIMIT, "too many positions for %u ranks", ranks);
    }
    return PLY_OK;
}

static uint64_t frontier_bytes(const row_side *side)
{
    uint64_t bytes = side->own_rows * side->stride / 8;
    return bytes + (bytes >> (SEGMENT_BITS - 3)) + 64;
}

uint64_t ply_tablebase_rows_bytes(const row_slice *s)
{
    uint64_t bytes = s->cell_count * sizeof *s->cells;
    for (size_t i = 0; i < s->side_count; i++)
        bytes += 2 * frontier_bytes(&s->side[i]) + s->side[i].own_rows * sizeof *s->decided_at;
    return bytes;
}

static uint32_t most_columns(const row_slice *s)
{
    uint32_t first = s->side[0].columns;
    return s->side_count == 2 && s->side[1].columns > first ? s->side[1].columns : first;
}

static bool open_worker(const row_slice *s, row_worker *w)
{
    const ply_retrograde_rows *ops = s->ops;
    w->decided = malloc((most_columns(s) + ROW_BATCH) * sizeof *w->decided);
    /* One more than are listed: see the games' functions. */
    w->predecessors = malloc((ROW_BATCH * ops->max_predecessors + 1) * sizeof *w->predecessors);
    w->places = malloc(ROW_BATCH * ops->max_images * sizeof *w->places);
    w->exits = malloc((ROW_BATCH * ops->max_exits + 1) * sizeof *w->exits);
    w->unpacker = ply_tablebase_unpacker_new();
    w->outboxes = calloc(s->ranks, sizeof *w->outboxes);
    return w->decided && w->predecessors && w->places && w->exits && w->unpacker && w->outboxes;
}

static void close_worker(const row_slice *s, row_worker *w)
{
    for (unsigned i = 0; w->outboxes && i < s->ranks; i++)
        free(w->outboxes[i].bits);
    free(w->decided);
    free(w->predecessors);
    free(w->places);
    free(w->exits);
    free(w->outboxes);
    ply_tablebase_unpacker_free(w->unpacker);
}

ply_status ply_tablebase_rows_reserve(row_slice *s, ply_error *error)
{
    ply_status status = ply_tablebase_memory_reserve(
        &s->folder->budget, (size_t)s->cell_count * sizeof *s->cells, &s->array, error);
    if (status != PLY_OK)
        return status;
    s->cells = s->array.data;
    unsigned workers = ply_workers_size(s->folder->workers);
    uint64_t rows = s->side[0].own_rows + s->side[1].own_rows;
    s->decided_at = calloc((size_t)rows + 1, sizeof *s->decided_at);
    s->workers = calloc(workers, sizeof *s->workers);
    bool good = s->decided_at && s->workers;
    for (unsigned i = 0; good && i < workers; i++)
        good = open_worker(s, &s->workers[i]);
    return good ? PLY_OK : ply_error_set(error, PLY_NO_MEMORY, "out of memory");
}

ply_status ply_tablebase_rows_reserve_frontiers(row_slice *s, ply_error *error)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < s->side_count; i++)
        bytes += 2 * ((frontier_bytes(&s->side[i]) + 63) / 64 * 64);
    ply_status status =
        ply_tablebase_memory_reserve(&s->folder->budget, (size_t)bytes, &s->bits, error);
    unsigned char *at = s->bits.data;
    for (size_t i = 0; status == PLY_OK && i < 2 * s->side_count; i++) {
        row_side *side = &s->side[i / 2];
        side->frontier[i % 2] = (_Atomic uint64_t *)(void *)at;
        side->touched[i % 2] = (_Atomic uint8_t *)(at + side->own_rows * side->stride / 8);
        at += (frontier_bytes(side) + 63) / 64 * 64;
    }
    return status;
}

void ply_tablebase_rows_release(row_slice *s)
{
    ply_tablebase_rows_close_exits(s);
    for (unsigned i = 0; s->workers && i < ply_workers_size(s->folder->workers); i++)
        close_worker(s, &s->workers[i]);
    free(s->workers);
    free(s->decided_at);
    ply_tablebase_memory_release(&s->folder->budget, &s->array);
    ply_tablebase_memory_release(&s->folder->budget, &s->bits);
}

ply_status ply_tablebase_rows_status(const row_slice *s, ply_error *error)
{
    ply_status status = (ply_status)s->failed;
    if (status != PLY_OK && error)
        *error = s->error;
    return status;
}

void ply_tablebase_rows_fail(row_slice *s, const ply_error *reason)
{
    int none = PLY_OK;
    if (atomic_compare_exchange_strong(&s->failed, &none, (int)reason->status))
        s->error = *reason;
}

static void fail_memory(row_slice *s)
{
    ply_error reason = {0};
    ply_error_set(&reason, PLY_NO_MEMORY, "out of memory");
    ply_tablebase_rows_fail(s, &reason);
}

/* --- the next frontier ------------------------------------------------------------------------ */
static void outbox_push(row_slice *s, row_outbox *outbox, uint64_t bit)
{
    if (outbox->count == outbox->room) {
        size_t room = outbox->room ? 2 * outbox->room : 1 << 14;
        uint32_t *bits = realloc(outbox->bits, room * sizeof *bits);
        if (!bits) {
            fail_memory(s);
            return;
        }
        outbox->bits = bits;
        outbox->room = room;
    }
    outbox->bits[outbox->count++] = (uint32_t)bit;
}

/* Enters places, which are slots of the row's class, in the frontier of the other side. */
static void enter_places(const row_work *r, uint64_t parity, const uint64_t *places, size_t count)
{
    row_slice *s = r->s;
    row_side *other = row_other(s, r->which);
    uint64_t bits[ROW_BATCH];
    for (size_t first = 0; first < count; first += ROW_BATCH) {
        size_t left = count - first, mine = 0, end = left < ROW_BATCH ? left : ROW_BATCH;
        for (size_t i = 0; i < end; i++) {
            uint32_t row = (uint32_t)(places[first + i] >> 32), own_row = row, owner = s->rank;
            if (s->ranks > 1) {
                own_row = row / s->ranks;
                owner = row - own_row * s->ranks;
            }
            uint64_t bit = own_row * other->stride + (uint32_t)places[first + i];
            if (owner != s->rank) {
                outbox_push(s, &r->w->outboxes[owner], bit);
                continue;
            }
            __builtin_prefetch((const void *)&other->frontier[parity][bit >> 6], 1);
            bits[mine++] = bit;
        }
        for (size_t i = 0; i < mine; i++)
            frontier_set(other, parity, bits[i]);
    }
}

static void enter_columns(const row_work *r, uint64_t distance, const uint32_t *columns,
                          size_t count)
{
    for (size_t first = 0; first < count; first += ROW_BATCH) {
        size_t left = count - first;
        size_t found = r->s->ops->all_slots(r->w->state, columns + first,
                                            left < ROW_BATCH ? left : ROW_BATCH, r->w->places);
        enter_places(r, distance & 1, r->w->places, found);
    }
}

/* Which of 16 cells have a content, as bits. */
static inline unsigned match_cells(const uint16_t *cells, uint16_t wanted)
{
#if defined(__SSE2__)
    __m128i all = _mm_set1_epi16((short)wanted), halves[2];
    memcpy(halves, cells, sizeof halves);
    return (unsigned)_mm_movemask_epi8(
        _mm_packs_epi16(_mm_cmpeq_epi16(halves[0], all), _mm_cmpeq_epi16(halves[1], all)));
#else
    unsigned found = 0;
    for (unsigned i = 0; i < 16; i++)
        found |= (unsigned)(cells[i] == wanted) << i;
    return found;
#endif
}

/* Lists the columns whose cells are decided at a distance. */
static void find_decided(const row_work *r, uint64_t distance)
{
    const uint16_t *cells = r->cells, wanted = (uint16_t)(CELL_DECIDED | distance);
    uint32_t *out = r->w->decided, column = 0, columns = r->side->columns;
    for (; column + 16 <= columns; column += 16)
        for (unsigned found = match_cells(cells + column, wanted); found; found &= found - 1)
            *out++ = column + (uint32_t)__builtin_ctz(found);
    for (; column < columns; column++)
        if (cells[column] == wanted)
            *out++ = column;
    r->w->decided_count = (size_t)(out - r->w->decided);
}

/* --- passes --------------------------------------------------------------------------------- */
/* These cells have a move to a lost position: wins, unless shorter ones are known. */
static void update_wins(const row_work *r, const uint32_t *columns, size_t count, unsigned distance)
{
    uint16_t *cells = r->cells;
    uint32_t *decided = r->w->decided;
    size_t found = r->w->decided_count;
    for (size_t i = 0; i < count; i++) {
        uint16_t content = cells[columns[i]];
        /* Undecided cells become large numbers. */
        bool better = distance < (uint16_t)(content ^ CELL_DECIDED);
        cells[columns[i]] = better ? (uint16_t)(CELL_DECIDED | distance) : content;
        decided[found] = columns[i];
        found += better;
    }
    r->w->decided_count = found;
}

/* One more move of these cells is known to lose. */
static void update_losses(const row_work *r, const uint32_t *columns, size_t count,
                          unsigned distance)
{
    uint16_t *cells = r->cells;
    for (size_t i = 0; i < count; i++) {
        unsigned content = cells[columns[i]];
        bool open = !(content & CELL_DECIDED);
        cells[columns[i]] = (uint16_t)(content - open);
        if (!open || (content & MOVES_LEFT_MASK) != 1)
            continue;
        unsigned loss = cell_loss(content, distance);
        cells[columns[i]] = (uint16_t)(CELL_DECIDED | loss);
        if (loss == distance)
            r->w->decided[r->w->decided_count++] = columns[i];
        else
            row_note_distance(r, loss);
    }
}

static void propagate(const row_work *r, const uint32_t *columns, size_t count)
{
    unsigned distance = (unsigned)r->s->distance + 1;
    size_t found = r->s->ops->predecessors(r->w->state, columns, count, r->w->predecessors);
    if (distance & 1)
        update_wins(r, r->w->predecessors, found, distance);
    else
        update_losses(r, r->w->predecessors, found, distance);
    folder_add_progress(r->s->folder, count);
}

/* Whether the row may have bits in the frontier at s->distance. */
static bool row_is_touched(const row_work *r, uint64_t parity)
{
    uint64_t first = r->own_row * r->side->stride, end = first + r->side->stride;
    bool touched = false;
    for (uint64_t i = first >> SEGMENT_BITS; i <= (end - 1) >> SEGMENT_BITS; i++)
        touched |= atomic_load_explicit(&r->side->touched[parity][i], memory_order_relaxed);
    return touched;
}

/* Propagates the row's frontier, and empties it. */
static void pass_row(const row_work *r)
{
    uint64_t parity = r->s->distance & 1;
    _Atomic uint64_t *words = r->side->frontier[parity] + r->own_row * r->side->stride / 64;
    uint32_t columns[ROW_BATCH + 64];
    size_t count = 0;
    for (uint32_t i = 0; i < r->side->stride / 64; i++) {
        uint64_t word = atomic_load_explicit(&words[i], memory_order_relaxed);
        if (!word)
            continue;
        atomic_store_explicit(&words[i], 0, memory_order_relaxed);
        for (; word; word &= word - 1)
            columns[count++] = i * 64 + (uint32_t)__builtin_ctzll(word);
        if (count > ROW_BATCH - 64) {
            propagate(r, columns, count);
            count = 0;
        }
    }
    if (count)
        propagate(r, columns, count);
}

static void work_on_row(void *context, size_t piece, unsigned worker)
{
    row_slice *s = context;
    row_side *side = &s->side[s->current];
    uint64_t own_row = s->first + piece;
    uint64_t before = s->current ? s->side[0].own_rows : 0;
    row_work r = {.s = s,
                  .w = &s->workers[worker],
                  .which = s->current,
                  .side = side,
                  .own_row = own_row,
                  .cells = row_cells(s, side, own_row),
                  .decided_at = s->decided_at[before + own_row]};
    if (s->phase == PHASE_ROWS_INIT) {
        ply_tablebase_rows_init_row(&r);
        return;
    }
    uint64_t next = s->seeding ? s->seed_distance : s->distance + 1;
    bool touched = !s->seeding && row_is_touched(&r, s->distance & 1);
    if (!touched && !r.decided_at[next])
        return;
    row_open(&r);
    r.w->decided_count = 0;
    if (touched)
        pass_row(&r);
    if (r.w->decided_count)
        raise_maximum(&s->longest, next);
    if (r.decided_at[next])
        find_decided(&r, next);
    enter_columns(&r, next, r.w->decided, r.w->decided_count);
}

uint64_t ply_tablebase_rows_group_end(const row_slice *s, uint64_t end)
{
    size_t which = s->side_count == 2 && s->row >= s->side[1].first_row;
    const row_side *side = &s->side[which];
    uint64_t rows = GROUP_CELLS / side->columns, last = side->first_row + side->rows;
    rows = s->row + (rows < GROUP_ROWS ? GROUP_ROWS : rows) * s->ranks;
    last = last < end ? last : end;
    return rows < last ? rows : last;
}

void ply_tablebase_rows_run(row_slice *s, uint64_t end)
{
    s->current = s->side_count == 2 && s->row >= s->side[1].first_row;
    const row_side *side = &s->side[s->current];
    s->first = own_rows_below(s, s->row - side->first_row);
    uint64_t last = own_rows_below(s, end - side->first_row);
    ply_workers_run(s->folder->workers, (size_t)(last - s->first), work_on_row, s);
    s->row = end;
}

row_outbox *ply_tablebase_rows_outbox(row_slice *s, unsigned worker, unsigned to)
{
    return &s->workers[worker].outboxes[to];
}

void ply_tablebase_rows_forget(row_slice *s, uint64_t end)
{
    for (size_t i = 0; i < s->side_count; i++) {
        row_side *side = &s->side[i];
        uint64_t rows = end < side->first_row ? 0 : end - side->first_row;
        rows = own_rows_below(s, rows < side->rows ? rows : side->rows);
        for (uint64_t k = 0; k < rows * side->stride / 64; k++)
            atomic_store_explicit(&side->frontier[s->distance & 1][k], 0, memory_order_relaxed);
    }
}

void ply_tablebase_rows_end_pass(row_slice *s)
{
    for (size_t i = 0; i < s->side_count; i++) {
        row_side *side = &s->side[i];
        uint64_t segments = (side->own_rows * side->stride >> SEGMENT_BITS) + 1;
        for (uint64_t k = 0; k < segments; k++)
            atomic_store_explicit(&side->touched[s->distance & 1][k], 0, memory_order_relaxed);
    }
}
