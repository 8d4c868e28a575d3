/* SPDX-License-Identifier: MIT */
/* layout_member.h - members of a structure as fields of a layout. */
#ifndef PLY_MODEL_LAYOUT_MEMBER_H
#define PLY_MODEL_LAYOUT_MEMBER_H

#include <plyverse/layout.h>

/* The member of *object, which is a `structure`, as words of `bytes` bytes each. */
#define PLY_LAYOUT_MEMBER(structure, object, member, bytes, text)         \
    ((ply_layout_field){.name = #member,                                  \
                        .meaning = (text),                                \
                        .words = &(object)->member,                       \
                        .word_bytes = (bytes),                            \
                        .word_count = sizeof((object)->member) / (bytes), \
                        .offset = __builtin_offsetof(structure, member)})

/* The last move as it is stored, 64 bits; no field for PLY_MOVE_NONE. */
static inline void ply_layout_add_move(ply_layout *layout, ply_move move, const char *meaning)
{
    if (move == PLY_MOVE_NONE)
        return;
    ply_layout_section(layout, "last move");
    ply_layout_add(layout, &(ply_layout_field){.name = "move",
                                               .meaning = meaning,
                                               .words = &move,
                                               .word_bytes = sizeof move,
                                               .word_count = 1,
                                               .offset = PLY_LAYOUT_OUTSIDE,
                                               .is_last_move = true});
}

#endif
