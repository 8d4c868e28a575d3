/* SPDX-License-Identifier: MIT */
/*
 * slots.h - the slots of checkers (model/retrograde.h) and the moves between them, for every 8x8 rule
 * set; for the host and for CUDA.
 *
 * Classes are those of material.h, and a slot's number is that of index.c, with the player to move
 * on top and moving down:
 *
 *     own men on row 0 | own men on rows 1-6 | enemy men on rows 1-7 | own kings | enemy kings
 *
 * Each part is the rank of a set among the free squares, and the last changes fastest. Positions
 * with fewer own men on row 0 come first. To unrank quickly, all sets of k among 32 squares are
 * listed in order of rank; the sets among n squares are the first C(n, k) of them.
 *
 * Moves within a slice are quiet moves without crowning. Captures are compulsory in every rule set,
 * so such a move can be taken back if the player who made it had no capture before it. Whether
 * there was one is found for all pieces at once, by shifts. The captures themselves come from the
 * game's move generator.
 */
#ifndef PLY_GAMES_CHECKERS_SLOTS_H
#define PLY_GAMES_CHECKERS_SLOTS_H

#include "games/checkers/tablebase/material.h"
#include "model/retrograde.h"
#include <string.h>
#ifdef __CUDACC__
#include "games/checkers/rules/english.h"
#include "games/checkers/rules/general.h"
#endif

enum {
    FIRST_ROW_COUNTS = FIRST_ROW_SQUARES + 1,
    MAX_SET = 8, /* the largest set listed; classes with more pieces of a kind are not supported */
};

/* How the slots of a class are numbered; arrays are indexed by the own men on row 0. */
typedef struct class_layout {
    material material;
    uint64_t start[FIRST_ROW_COUNTS + 1]; /* the first number */
    uint32_t middle_sets[FIRST_ROW_COUNTS], enemy_men_sets[FIRST_ROW_COUNTS];
    uint32_t own_king_sets, enemy_king_sets;
} class_layout;

typedef struct workspace {
    const ply_rules *rules;
    bool flying_kings, men_capture_back, men_spare_kings;
    uint32_t choose[MAX_SET + 1][CHECKERS_SQUARES + 1]; /* [k][n] */
    uint32_t *sets[MAX_SET + 1];                        /* by size and rank */
    class_layout *layouts[MATERIAL_CLASSES];            /* NULL: not prepared */
} workspace;

/* The player to move moves down, as Black does. Squares by index, or by bit of the 64-bit board. */
typedef struct boards {
    uint64_t own_men, own_kings, enemy_men, enemy_kings;
} boards;

PLY_HD uint32_t pack(uint64_t board)
{
#if defined(__BMI2__)
    return (uint32_t)ply_pext(board, CHECKERS_DARK_SQUARES);
#else
    return checkers_pack(board);
#endif
}

PLY_HD uint64_t unpack(uint32_t squares)
{
#if defined(__BMI2__)
    return ply_pdep(squares, CHECKERS_DARK_SQUARES);
#else
    return checkers_unpack(squares);
#endif
}

PLY_HD size_t class_partner(size_t class_index)
{
    return class_index % MATERIAL_PAIRS * MATERIAL_PAIRS + class_index / MATERIAL_PAIRS;
}

PLY_HD uint32_t rank_set(const workspace *w, uint32_t set, uint32_t free)
{
    uint32_t rank = 0, k = 1;
    for (uint64_t packed = ply_pext(set, free); packed; packed &= packed - 1, k++)
        rank += w->choose[k][ply_lowest(packed)];
    return rank;
}

/* The number of boards by index, in a prepared class. */
PLY_HD uint64_t number_of(const workspace *w, const class_layout *layout, const boards *b)
{
    uint32_t own_men = (uint32_t)b->own_men, enemy_men = (uint32_t)b->enemy_men;
    uint32_t own_kings = (uint32_t)b->own_kings, enemy_kings = (uint32_t)b->enemy_kings;
    uint64_t n = 0;
    if (own_men | enemy_men) {
        int first = ply_popcount(own_men & FIRST_ROW);
        n = rank_set(w, own_men & FIRST_ROW, FIRST_ROW);
        n = n * layout->middle_sets[first] + rank_set(w, own_men & MIDDLE_ROWS, MIDDLE_ROWS);
        n = n * layout->enemy_men_sets[first] +
            rank_set(w, enemy_men, ENEMY_MEN_SQUARES & ~own_men);
        n = n * layout->own_king_sets * layout->enemy_king_sets + layout->start[first];
    }
    uint32_t free = ~(own_men | enemy_men);
    return n + (uint64_t)rank_set(w, own_kings, free) * layout->enemy_king_sets +
           rank_set(w, enemy_kings, free & ~own_kings);
}

PLY_HD uint32_t unrank_set(const workspace *w, uint64_t rank, int count, uint32_t free)
{
    return (uint32_t)ply_pdep(w->sets[count][rank], free);
}

/* The boards of a slot, by bit. */
PLY_HD boards boards_of(const workspace *w, ply_slot slot)
{
    const class_layout *layout = w->layouts[ply_slot_class(slot)];
    uint64_t n = ply_slot_number(slot);
    int first = 0;
    while (n >= layout->start[first + 1])
        first++;
    n -= layout->start[first];
    int middle = layout->material.own_men - first;
    uint64_t enemy_kings_rank = n % layout->enemy_king_sets;
    n /= layout->enemy_king_sets;
    uint64_t own_kings_rank = n % layout->own_king_sets;
    n /= layout->own_king_sets;
    uint32_t own_men = 0, enemy_men = 0;
    if (layout->material.own_men + layout->material.enemy_men > 0) {
        uint64_t enemy_men_rank = n % layout->enemy_men_sets[first];
        n /= layout->enemy_men_sets[first];
        own_men = unrank_set(w, n / layout->middle_sets[first], first, FIRST_ROW) |
                  unrank_set(w, n % layout->middle_sets[first], middle, MIDDLE_ROWS);
        enemy_men =
            unrank_set(w, enemy_men_rank, layout->material.enemy_men, ENEMY_MEN_SQUARES & ~own_men);
    }
    uint32_t free = ~(own_men | enemy_men);
    uint32_t own_kings = unrank_set(w, own_kings_rank, layout->material.own_kings, free);
    uint32_t enemy_kings =
        unrank_set(w, enemy_kings_rank, layout->material.enemy_kings, free & ~own_kings);
    boards b = {unpack(own_men), unpack(own_kings), unpack(enemy_men), unpack(enemy_kings)};
    return b;
}

/* The slot of boards by bit on which the player to move moves up, as after a move. */
PLY_HD ply_slot slot_of_rotated(const workspace *w, size_t class_index, const boards *b)
{
    /* Men and kings share a word, so rotating it also swaps them. */
    uint64_t own = checkers_rotate(pack(b->own_men) | (uint64_t)pack(b->own_kings) << 32);
    uint64_t enemy = checkers_rotate(pack(b->enemy_men) | (uint64_t)pack(b->enemy_kings) << 32);
    boards rotated = {.own_men = own >> 32,
                      .own_kings = (uint32_t)own,
                      .enemy_men = enemy >> 32,
                      .enemy_kings = (uint32_t)enemy};
    return ply_slot_make(class_index, number_of(w, w->layouts[class_index], &rotated));
}

/* A position without its key: enough for the move generator. */
PLY_HD checkers_position bare_position(const boards *b)
{
    checkers_position p;
    memset(&p, 0, sizeof p);
    p.black_men = b->own_men;
    p.black_kings = b->own_kings;
    p.white_men = b->enemy_men;
    p.white_kings = b->enemy_kings;
    p.turn = CHECKERS_BLACK;
    return p;
}

/* --- moves ---------------------------------------------------------------------------------- */
/* Whether any piece can capture. Men move in the directions `forward` and `forward` + 1. */
PLY_HD bool can_capture(const workspace *w, uint64_t men, uint64_t kings, uint64_t enemy_men,
                        uint64_t enemy_kings, int forward)
{
    uint64_t enemy = enemy_men | enemy_kings;
    uint64_t empty = CHECKERS_DARK_SQUARES & ~(men | kings | enemy);
    uint64_t men_targets = w->men_spare_kings ? enemy_men : enemy;
#pragma GCC unroll 4
    for (int d = 0; d < 4; d++) {
        uint64_t landing = checkers_step(empty, 3 - d);
        if (((d & 2) == forward || w->men_capture_back) &&
            (checkers_step(men_targets & landing, 3 - d) & men))
            return true;
        uint64_t before = checkers_step(enemy & landing, 3 - d);
        if (before & kings)
            return true;
        if (w->flying_kings)
            for (before &= empty; before; before &= empty) {
                before = checkers_step(before, 3 - d);
                if (before & kings)
                    return true;
            }
    }
    return false;
}

/* Collects the successors of a slot. */
typedef struct successor_list {
    const workspace *w;
    ply_slot *out;
    size_t count;
    unsigned inner_moves;            /* moves within the slice */
    bool lists_inner;                /* they are listed, not only counted */
    size_t inner_class, crown_class; /* after a quiet move, without and with a crowning */
    boards after;                    /* from the point of view of the player who moves next */
} successor_list;

PLY_HD void add_quiet(successor_list *list, const boards *b, uint64_t from, uint64_t to, bool king)
{
    bool crown = !king && (to & CHECKERS_WHITE_END_MASK);
    if (!crown) {
        list->inner_moves++;
        if (!list->lists_inner)
            return;
    }
    list->after.enemy_men = king ? b->own_men : crown ? b->own_men ^ from : b->own_men ^ from ^ to;
    list->after.enemy_kings = king    ? b->own_kings ^ from ^ to
                              : crown ? b->own_kings | to
                                      : b->own_kings;
    list->out[list->count++] =
        slot_of_rotated(list->w, crown ? list->crown_class : list->inner_class, &list->after);
}

PLY_HD void add_quiet_moves(successor_list *list, const boards *b)
{
    uint64_t empty =
        CHECKERS_DARK_SQUARES & ~(b->own_men | b->own_kings | b->enemy_men | b->enemy_kings);
#pragma GCC unroll 4
    for (int d = 0; d < 4; d++) {
        if (d < 2)
            for (uint64_t to = checkers_step(b->own_men, d) & empty; to; to &= to - 1)
                add_quiet(list, b, checkers_step(to & -to, 3 - d), to & -to, false);
        for (uint64_t kings = b->own_kings; kings; kings &= kings - 1) {
            uint64_t from = kings & -kings;
            for (uint64_t to = checkers_step(from, d) & empty; to;
                 to = list->w->flying_kings ? checkers_step(to, d) & empty : 0)
                add_quiet(list, b, from, to, true);
        }
    }
}

/* The game's move generator. */
PLY_HD size_t list_moves(const ply_rules *rules, const checkers_position *p, ply_move *moves)
{
#ifdef __CUDACC__
    return checkers_is_english(rules) ? english_moves(p, moves)
                                      : general_moves(rules, p, moves, NULL);
#else
    return checkers_moves(rules, p, moves);
#endif
}

/* Captures, or all moves if there is none, as the game's move generator lists them. */
PLY_HD void add_listed_moves(successor_list *list, const boards *b)
{
    ply_move moves[CHECKERS_MAX_MOVES];
    checkers_position p = bare_position(b);
    size_t count = list_moves(list->w->rules, &p, moves);
    for (size_t i = 0; i < count; i++) {
        uint64_t from = unpack(1u << checkers_move_from(moves[i]));
        uint64_t to = unpack(1u << checkers_move_to(moves[i]));
        uint64_t captured = unpack(checkers_move_captured(moves[i]));
        bool king = (from & b->own_kings) != 0, king_after = king || moves[i] & CHECKERS_MOVE_CROWN;
        list->after.own_men = b->enemy_men & ~captured;
        list->after.own_kings = b->enemy_kings & ~captured;
        list->after.enemy_men = b->own_men & ~from;
        list->after.enemy_kings = b->own_kings & ~from;
        if (king_after)
            list->after.enemy_kings |= to;
        else
            list->after.enemy_men |= to;
        int men = ply_popcount(list->after.own_men), kings = ply_popcount(list->after.own_kings);
        list->out[list->count++] =
            men + kings == 0
                ? PLY_SLOT_NO_PIECES
                : slot_of_rotated(list->w,
                                  material_class(men, kings, ply_popcount(list->after.enemy_men),
                                                 ply_popcount(list->after.enemy_kings)),
                                  &list->after);
    }
}

PLY_HD size_t list_successors(const workspace *w, ply_slot slot, ply_slot *out, bool lists_inner,
                              unsigned *inner_moves)
{
    size_t class_index = ply_slot_class(slot);
    const material *m = &w->layouts[class_index]->material;
    boards b = boards_of(w, slot);
    successor_list list;
    memset(&list, 0, sizeof list);
    list.w = w;
    list.out = out;
    list.lists_inner = lists_inner;
    list.inner_class = class_partner(class_index);
    list.after.own_men = b.enemy_men;
    list.after.own_kings = b.enemy_kings;
    if (can_capture(w, b.own_men, b.own_kings, b.enemy_men, b.enemy_kings, 0)) {
        add_listed_moves(&list, &b);
    } else {
        if (m->own_men > 0)
            list.crown_class =
                material_class(m->enemy_men, m->enemy_kings, m->own_men - 1, m->own_kings + 1);
        add_quiet_moves(&list, &b);
    }
    *inner_moves = list.inner_moves;
    return list.count;
}

PLY_HD size_t successors(const void *handle, ply_slot slot, ply_slot *out)
{
    unsigned inner_moves;
    return list_successors((const workspace *)handle, slot, out, true, &inner_moves);
}

PLY_HD size_t exits(const void *handle, ply_slot slot, ply_slot *out, unsigned *inner_moves)
{
    return list_successors((const workspace *)handle, slot, out, false, inner_moves);
}

/* The same for the verifier on a device: every move comes from the game's move generator. */
PLY_HD size_t rule_successors(const void *handle, ply_slot slot, ply_slot *out)
{
    const workspace *w = (const workspace *)handle;
    boards b = boards_of(w, slot);
    successor_list list;
    memset(&list, 0, sizeof list);
    list.w = w;
    list.out = out;
    add_listed_moves(&list, &b);
    return list.count;
}

/* No two positions share a slot, and there are no holes. */
PLY_HD unsigned orbit_size(const void *handle, ply_slot slot)
{
    (void)handle;
    (void)slot;
    return 1;
}

/* --- predecessors --------------------------------------------------------------------------- */
/* The opponent has just moved up the board; on these boards they still move up. */
PLY_HD size_t predecessors(const void *handle, ply_slot slot, ply_slot *out)
{
    const workspace *w = (const workspace *)handle;
    size_t source_class = class_partner(ply_slot_class(slot)), count = 0;
    boards b = boards_of(w, slot);
    uint64_t empty =
        CHECKERS_DARK_SQUARES & ~(b.own_men | b.own_kings | b.enemy_men | b.enemy_kings);
    boards before = {b.enemy_men, b.enemy_kings, b.own_men, b.own_kings};
    for (int d = 2; d < 4; d++) /* men moved up */
        for (uint64_t from = checkers_step(b.enemy_men, 3 - d) & empty; from; from &= from - 1) {
            uint64_t one = from & -from;
            before.own_men = b.enemy_men ^ one ^ checkers_step(one, d);
            if (!can_capture(w, before.own_men, before.own_kings, b.own_men, b.own_kings, 2))
                out[count++] = slot_of_rotated(w, source_class, &before);
        }
    before.own_men = b.enemy_men;
    for (uint64_t kings = b.enemy_kings; kings; kings &= kings - 1) {
        uint64_t to = kings & -kings;
        for (int d = 0; d < 4; d++)
            for (uint64_t from = checkers_step(to, d) & empty; from;
                 from = w->flying_kings ? checkers_step(from, d) & empty : 0) {
                before.own_kings = b.enemy_kings ^ to ^ from;
                if (!can_capture(w, before.own_men, before.own_kings, b.own_men, b.own_kings, 2))
                    out[count++] = slot_of_rotated(w, source_class, &before);
            }
    }
    return count;
}

#endif
