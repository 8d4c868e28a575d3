/* SPDX-License-Identifier: MIT */
/*
 * layout.h - what a position looks like in memory: its words and bytes, with a legend.
 *
 * A layout is a list of fields. A field is one or more words of equal size, copied from the
 * position or from memory that the position owns, with its name and its meaning. The game's display
 * hook `layout` adds the fields; a game without that hook gets a hex dump of the position.
 *
 *     section   "pieces"
 *     field     current   offset 0   1 word of 8 bytes   0x000000000000003f   grid 6x6
 *
 * A grid draws the bits of a single word, or the words of an array, in the shape of the board. Bit
 * or word number `first` is at the top left; `row` and `column` are what one step down and one step
 * to the right add to the number.
 *
 * Comparing the layouts before and after a move shows which words the move changed. Layouts are for
 * people and tools: making one allocates. A layout may be used by one thread at a time.
 */
#ifndef PLYVERSE_LAYOUT_H
#define PLYVERSE_LAYOUT_H

#include <plyverse/state.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ply_layout_grid {
    int width, height; /* width 0: no grid */
    int first;         /* the number of the bit or word at the top left */
    int row, column;   /* what the row below and the column to the right add to it */
} ply_layout_grid;

/* The offset of a field that is not part of the position's own bytes. */
#define PLY_LAYOUT_OUTSIDE SIZE_MAX

typedef struct ply_layout_field {
    const char *section; /* the part of the layout it belongs to; "" for none */
    const char *name;    /* as in the source; unique within the section */
    const char *meaning; /* a phrase for people, in ASCII */
    const void *words;   /* word_count words of word_bytes bytes each, as in memory */
    size_t word_bytes;   /* 1, 2, 4, 8 or 16 */
    size_t word_count;   /* at least 1 */
    size_t offset;       /* within the position, or PLY_LAYOUT_OUTSIDE */
    ply_layout_grid grid;
    bool is_address;   /* a pointer: its value says nothing and is not shown */
    bool is_last_move; /* describes the last move, not the position */
} ply_layout_field;

/*
 * The layout of a position; last is the move just played or PLY_MOVE_NONE. NULL when memory runs
 * out. Release it with ply_layout_free.
 */
PLY_API ply_layout *ply_layout_make(const ply_rules *rules, const void *position, ply_move last);
/* layout may be NULL. */
PLY_API void ply_layout_free(ply_layout *layout);
PLY_API size_t ply_layout_count(const ply_layout *layout);
/* Field number i, or NULL if there is none; valid until the layout is freed. */
PLY_API const ply_layout_field *ply_layout_at(const ply_layout *layout, size_t i);

/*
 * For the hook of a game. Begin a section; its title stays the same as long as its fields are the
 * same part of the position. Add a field, which is copied; its `section` is ignored. Both trust
 * their arguments.
 */
PLY_API void ply_layout_section(ply_layout *layout, const char *title);
PLY_API void ply_layout_add(ply_layout *layout, const ply_layout_field *field);

/*
 * Writes a layout for people, as lines of ASCII. before (may be NULL) is the layout of the position
 * before the last move, made with the same `last`: words that differ from it are marked.
 */
PLY_API void ply_layout_text(const ply_layout *layout, const ply_layout *before, ply_text *out);
/* Writes the same as a JSON object; docs/command.md describes it. */
PLY_API void ply_layout_json(const ply_layout *layout, const ply_layout *before, ply_text *out);

/*
 * The layout of a state and, if a move led to it, the layout before that move, otherwise NULL. Both
 * are NULL when memory runs out; release both with ply_layout_free.
 */
PLY_API ply_status ply_layout_of_state(const ply_state *state, ply_layout **layout,
                                       ply_layout **before);

#ifdef __cplusplus
}
#endif
#endif
