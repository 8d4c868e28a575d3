/* SPDX-License-Identifier: MIT */
/* layout.c - building a layout: the list of a position's fields; see layout.h. */
#include "core/arena.h"
#include "core/array.h"
#include <plyverse/layout.h>
#include <stdlib.h>
#include <string.h>

struct ply_layout {
    ply_layout_field *fields;
    size_t count, capacity;
    ply_arena memory; /* of the texts and words */
    const char *section;
    bool failed; /* memory ran out */
};

/* A copy of `size` bytes; NULL, and the layout has failed, when memory runs out. */
static void *keep(ply_layout *layout, const void *bytes, size_t size)
{
    void *copy = layout->failed ? NULL : ply_arena_take(&layout->memory, size);
    if (copy)
        memcpy(copy, bytes, size);
    else
        layout->failed = true;
    return copy;
}

void ply_layout_section(ply_layout *layout, const char *title)
{
    layout->section = keep(layout, title, strlen(title) + 1);
}

void ply_layout_add(ply_layout *layout, const ply_layout_field *field)
{
    ply_layout_field copy = *field;
    copy.section = layout->section;
    copy.name = keep(layout, field->name, strlen(field->name) + 1);
    copy.meaning = keep(layout, field->meaning, strlen(field->meaning) + 1);
    copy.words = keep(layout, field->words, field->word_bytes * field->word_count);
    if (layout->failed || !ply_array_grow(&layout->fields, &layout->capacity, layout->count + 1,
                                          sizeof layout->fields[0])) {
        layout->failed = true;
        return;
    }
    layout->fields[layout->count++] = copy;
}

ply_layout *ply_layout_make(const ply_rules *rules, const void *position, ply_move last)
{
    if (!rules || !rules->game || !position)
        return NULL;
    ply_layout *layout = calloc(1, sizeof *layout);
    if (!layout)
        return NULL;
    layout->section = "";
    ply_arena_init(&layout->memory, 0);
    if (rules->display->layout) {
        rules->display->layout(rules, position, last, layout);
    } else {
        enum { ROW = 16 };
        ply_layout_field field = {.name = "position",
                                  .meaning = "all bytes; the game does not describe them",
                                  .words = position,
                                  .word_bytes = 1,
                                  .word_count = rules->position_bytes};
        field.grid =
            (ply_layout_grid){ROW, (int)((rules->position_bytes + ROW - 1) / ROW), 0, ROW, 1};
        ply_layout_add(layout, &field);
    }
    if (layout->failed) {
        ply_layout_free(layout);
        return NULL;
    }
    return layout;
}

void ply_layout_free(ply_layout *layout)
{
    if (!layout)
        return;
    ply_arena_free(&layout->memory);
    free(layout->fields);
    free(layout);
}

size_t ply_layout_count(const ply_layout *layout)
{
    return layout ? layout->count : 0;
}

const ply_layout_field *ply_layout_at(const ply_layout *layout, size_t i)
{
    return layout && i < layout->count ? &layout->fields[i] : NULL;
}

ply_status ply_layout_of_state(const ply_state *state, ply_layout **layout, ply_layout **before)
{
    if (!state || !state->position || !layout || !before)
        return PLY_BAD_ARGUMENT;
    const ply_rules *rules = state->rules;
    ply_move last = state->plies ? state->moves[state->plies - 1] : PLY_MOVE_NONE;
    ply_state earlier;
    bool good = true;
    *before = NULL;
    *layout = ply_layout_make(rules, state->position, last);
    if (state->plies > 0 && *layout) {
        good = ply_state_copy(&earlier, state) == PLY_OK;
        if (good) {
            ply_state_undo(&earlier);
            *before = ply_layout_make(rules, earlier.position, last);
            good = *before != NULL;
            ply_state_free(&earlier);
        }
    }
    if (*layout && good)
        return PLY_OK;
    ply_layout_free(*layout);
    *layout = NULL;
    return PLY_NO_MEMORY;
}
