/* SPDX-License-Identifier: MIT */
/*
 * retrograde_isa.c - Neighbours for the tablebase builder; compiled for several instruction sets.
 * numbering.h draws the numbers of its slots; slots.h and row_moves.h have the moves.
 */
#include "games/neighbours/tablebase/row_moves.h"

/* --- classes -------------------------------------------------------------------------------- */
static void rules_name(const ply_rules *rules, ply_text *out)
{
    ply_text_string(out,
                    rules->option[NEIGHBOURS_OPTION_PATH] == NEIGHBOURS_JUMP ? "jump" : "slide");
}

static void class_pieces(size_t class_index, unsigned *own, unsigned *enemy)
{
    *own = (unsigned)class_own(class_index);
    *enemy = (unsigned)class_enemy(class_index);
}

static uint32_t class_order(size_t class_index)
{
    return (uint32_t)(class_own(class_index) + class_enemy(class_index));
}

/* After a capture; a player who loses the last piece is in no class. */
static size_t class_exits(size_t class_index, size_t *out)
{
    if (class_enemy(class_index) < 2)
        return 0;
    out[0] = class_make(class_enemy(class_index) - 1, class_own(class_index));
    return 1;
}

/* --- workspace ------------------------------------------------------------------------------ */
static void *workspace_open(const ply_rules *rules)
{
    return neighbours_numbering_open(rules->option[NEIGHBOURS_OPTION_PATH]);
}

static void workspace_close(void *handle)
{
    neighbours_numbering_close(handle);
}

static ply_status prepare_class(void *handle, size_t class_index)
{
    ply_status status = neighbours_numbering_prepare(handle, class_own(class_index));
    return status == PLY_OK ? neighbours_numbering_prepare(handle, class_enemy(class_index))
                            : status;
}

static uint64_t slot_count(const void *handle, size_t class_index)
{
    const workspace *w = handle;
    int own = class_own(class_index);
    return (uint64_t)w->orbits[own] * numbering_enemy_sets(w, own, class_enemy(class_index));
}

/* --- slots ---------------------------------------------------------------------------------- */
static size_t class_of(const void *position)
{
    const neighbours_position *p = position;
    return class_make(ply_popcount(p->current), ply_popcount(p->next));
}

static ply_slot slot_of(const void *handle, const void *position)
{
    const neighbours_position *p = position;
    int own = ply_popcount(p->current), enemy = ply_popcount(p->next);
    if (own == 0)
        return PLY_SLOT_NO_PIECES;
    bool symmetric;
    return ply_slot_make(class_make(own, enemy),
                         number_of(handle, p->current, p->next, own, enemy, &symmetric));
}

static void position_of(const void *handle, ply_slot slot, void *position)
{
    uint64_t base;
    boards b = boards_of(handle, slot, &base);
    neighbours_position p = {.current = b.own, .next = b.enemy};
    neighbours_finish(&p);
    *(neighbours_position *)position = p;
}

extern const ply_retrograde PLY_ISA(neighbours_retrograde_of);
const ply_retrograde PLY_ISA(neighbours_retrograde_of) = {
    .default_up_to = "3v3",
    .max_successors = NEIGHBOURS_MAX_MOVES,
    .max_predecessors = 2 * NEIGHBOURS_PIECES * NEIGHBOURS_DIRECTIONS * NEIGHBOURS_REACH,
    .rules_name = rules_name,
    .class_pieces = class_pieces,
    .class_order = class_order,
    .class_partner = class_partner,
    .class_exits = class_exits,
    .open = workspace_open,
    .close = workspace_close,
    .prepare_class = prepare_class,
    .slot_count = slot_count,
    .class_of = class_of,
    .slot_of = slot_of,
    .position_of = position_of,
    .orbit_size = orbit_size,
    .successors = successors,
    .exits = exits,
    .predecessors = predecessors,
    .rows = &rows_of_neighbours,
};
