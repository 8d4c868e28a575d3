/* SPDX-License-Identifier: MIT */
/*
 * rows_init.c - the first values of a row's cells, from the moves that leave the slice.
 *
 * All captures of a row lead to as many rows as its enemy set has pieces. They are decompressed from
 * the file of that class when they are needed, which takes a twentieth of the time, so that class
 * needs no memory. Each worker keeps the last few rows: the next cells often need the same.
 */
#include "tablebase/rows.h"
#include <assert.h>
#include <stdlib.h>

enum { MAX_EXIT_ROWS = 16 };

static ply_status open_exit(row_slice *s, size_t which, ply_error *error)
{
    const tablebase_folder *folder = s->folder;
    exit_values *e = &s->exits[which];
    size_t exits[PLY_CLASS_EXITS];
    if (folder->retrograde->class_exits(s->side[which].class_index, exits) == 0)
        return PLY_OK;
    ply_status status = ply_tablebase_file_path(folder, exits[0], ".plt", &e->path, error);
    const char *path = ply_text_cstr(&e->path);
    if (status == PLY_OK)
        status = ply_tablebase_file_open(&e->file, path, error);
    e->opened = status == PLY_OK;
    if (status == PLY_OK)
        status = ply_tablebase_file_check_header(folder->rules, folder->retrograde,
                                                 folder->workspace, exits[0], TABLEBASE_FINISHED,
                                                 &e->file.header, path, error);
    e->columns = s->ops->columns(folder->workspace, folder->retrograde->class_partner(exits[0]));
    return status;
}

ply_status ply_tablebase_rows_open_exits(row_slice *s, ply_error *error)
{
    ply_status status = PLY_OK;
    assert(s->ops->max_exit_rows <= MAX_EXIT_ROWS);
    for (size_t i = 0; i < s->side_count && status == PLY_OK; i++)
        status = open_exit(s, i, error);
    size_t bytes = 0;
    for (size_t i = 0; i < s->side_count && status == PLY_OK; i++) {
        size_t needed = (size_t)s->exits[i].columns * s->exits[i].file.header.value_bytes;
        bytes = needed > bytes ? needed : bytes;
    }
    for (unsigned i = 0; status == PLY_OK && i < ply_workers_size(s->folder->workers); i++) {
        s->workers[i].cached = malloc(CACHED_ROWS * bytes + 1);
        if (!s->workers[i].cached)
            status = ply_error_set(error, PLY_NO_MEMORY, "out of memory");
    }
    return status;
}

void ply_tablebase_rows_close_exits(row_slice *s)
{
    for (size_t i = 0; i < s->side_count; i++) {
        if (s->exits[i].opened)
            ply_tablebase_file_close(&s->exits[i].file);
        ply_text_free(&s->exits[i].path);
        s->exits[i] = (exit_values){0};
    }
    for (unsigned i = 0; s->workers && i < ply_workers_size(s->folder->workers); i++) {
        free(s->workers[i].cached);
        s->workers[i].cached = NULL;
    }
}

/* A row of the values after captures; NULL after a failure. */
static const unsigned char *value_row(const row_work *r, uint64_t row)
{
    row_worker *w = r->w;
    const exit_values *e = &r->s->exits[r->which];
    size_t bytes = (size_t)e->columns * e->file.header.value_bytes;
    uint64_t key = row << 1 | r->which;
    cached_row *oldest = &w->cache[0];
    for (size_t i = 0; i < CACHED_ROWS; i++) {
        cached_row *c = &w->cache[i];
        if (c->used && c->key == key) {
            c->used = ++w->clock;
            return w->cached + i * bytes;
        }
        if (c->used < oldest->used)
            oldest = c;
    }
    unsigned char *values = w->cached + (size_t)(oldest - w->cache) * bytes;
    *oldest = (cached_row){key, ++w->clock};
    ply_error error = {0};
    if (ply_tablebase_file_range(&e->file, w->unpacker, row * e->columns, (size_t)e->columns,
                                 values, ply_text_cstr(&e->path), &error) == PLY_OK)
        return values;
    oldest->used = 0;
    ply_tablebase_rows_fail(r->s, &error);
    return NULL;
}

static void init_cells(const row_work *r, const void *row, const unsigned char **values,
                       uint32_t value_bytes)
{
    const ply_retrograde_rows *ops = r->s->ops;
    uint8_t inner[ROW_BATCH], exit_counts[ROW_BATCH];
    for (uint32_t first = 0; first < r->side->columns; first += ROW_BATCH) {
        uint32_t left = r->side->columns - first;
        size_t count = left < ROW_BATCH ? left : ROW_BATCH;
        ops->exits(row, first, count, inner, exit_counts, r->w->exits);
        const uint64_t *exit = r->w->exits;
        for (size_t i = 0; i < count; i++) {
            uint16_t found[UINT8_MAX];
            for (size_t k = 0; k < exit_counts[i]; k++, exit++) {
                uint32_t column = (uint32_t)*exit;
                const unsigned char *from =
                    *exit == PLY_SLOT_NO_PIECES ? NULL : values[*exit >> 32];
                found[k] = !from              ? 1
                           : value_bytes == 1 ? from[column]
                                              : ((const uint16_t *)(const void *)from)[column];
            }
            unsigned content = cell_first(found, exit_counts[i], inner[i]);
            if (content == CELL_TOO_LONG) {
                ply_error reason = {0};
                ply_error_set(&reason, PLY_LIMIT,
                              "a position is more than %d plies from the end or has too many moves",
                              MAX_DISTANCE);
                ply_tablebase_rows_fail(r->s, &reason);
                return;
            }
            if (content & CELL_DECIDED)
                row_note_distance(r, content & ~(unsigned)CELL_DECIDED);
            r->cells[first + i] = (uint16_t)content;
        }
    }
}

void ply_tablebase_rows_init_row(const row_work *r)
{
    const void *row = row_open(r);
    uint64_t numbers[MAX_EXIT_ROWS];
    const unsigned char *values[MAX_EXIT_ROWS];
    size_t count = r->s->ops->exit_rows(row, numbers);
    for (size_t i = 0; i < count; i++)
        if (!(values[i] = value_row(r, numbers[i])))
            return;
    init_cells(r, row, values, r->s->exits[r->which].file.header.value_bytes);
    folder_add_progress(r->s->folder, r->side->columns);
}
