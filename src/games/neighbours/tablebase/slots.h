/* SPDX-License-Identifier: MIT */
/*
 * slots.h - the slots of Neighbours (model/retrograde.h) and the moves between them; for the host
 * and for CUDA. The workspace is a neighbours_numbering.
 */
#ifndef PLY_GAMES_NEIGHBOURS_SLOTS_H
#define PLY_GAMES_NEIGHBOURS_SLOTS_H

#include "games/neighbours/tablebase/numbering.h"
#include "model/retrograde.h"

#define T uint64_t
#define SLICES_SUFFIX _one
#include "games/neighbours/rules/neighbour_counts.h"

typedef neighbours_numbering workspace;
typedef neighbours_pair boards;

PLY_HD boards pair_make(uint64_t own, uint64_t enemy)
{
    boards b;
    b.own = own;
    b.enemy = enemy;
    return b;
}

PLY_HD size_t class_make(int own, int enemy)
{
    return (size_t)(own * NEIGHBOURS_COUNTS + enemy);
}

PLY_HD int class_own(size_t class_index)
{
    return (int)class_index / NEIGHBOURS_COUNTS;
}

PLY_HD int class_enemy(size_t class_index)
{
    return (int)class_index % NEIGHBOURS_COUNTS;
}

PLY_HD size_t class_partner(size_t class_index)
{
    return class_make(class_enemy(class_index), class_own(class_index));
}

/* own and enemy have the given counts. *symmetric: some symmetry fixes the own set. */
PLY_HD uint64_t number_of(const workspace *w, uint64_t own, uint64_t enemy, int own_count,
                          int enemy_count, bool *symmetric)
{
    uint32_t fold, rank = numbering_find(w, pair_make(own, enemy), own_count, &fold);
    *symmetric = (fold & FOLD_SYMMETRIC) != 0;
    return (uint64_t)(fold >> FOLD_ORBIT_SHIFT) * numbering_enemy_sets(w, own_count, enemy_count) +
           rank;
}

/* The boards of a slot, and the entry of its own set in `representative`. */
PLY_HD boards boards_of(const workspace *w, ply_slot slot, uint64_t *base)
{
    size_t class_index = ply_slot_class(slot);
    int own = class_own(class_index), enemy = class_enemy(class_index);
    uint32_t sets = numbering_enemy_sets(w, own, enemy);
    uint64_t number = ply_slot_number(slot);
    *base = w->representative[own][number / sets];
    uint64_t own_set = *base & NEIGHBOURS_BOARD;
    return pair_make(own_set, numbering_enemy_set(w, own_set, enemy, (uint32_t)(number % sets)));
}

PLY_HD unsigned orbit_size(const void *handle, ply_slot slot)
{
    const workspace *w = (const workspace *)handle;
    uint64_t base;
    boards b = boards_of(w, slot, &base);
    if (!numbering_is_symmetric(base))
        return NEIGHBOURS_IMAGES;
    unsigned times = 0;
    if (numbering_lowest_enemy_rank(w, base, b.enemy, &times) !=
        numbering_enemy_rank(w, b.own, b.enemy))
        return 0;
    return NEIGHBOURS_IMAGES / times;
}

/* --- moves ---------------------------------------------------------------------------------- */
/* The boards after each capture or each quiet move, seen by the player who moves next. */
PLY_HD size_t expand(const workspace *w, boards b, bool captures, boards *out)
{
    uint64_t pieces = b.own | b.enemy;
    uint64_t blocking = w->path_rule == NEIGHBOURS_JUMP ? 0 : pieces;
    uint64_t allowed = captures ? b.enemy : ~pieces;
    size_t count = 0;
    for (uint64_t own = b.own; own; own &= own - 1) {
        int from = ply_lowest(own), distance = neighbours_distance(pieces, from);
        if (distance > NEIGHBOURS_REACH)
            continue;
        const neighbours_targets *targets = &neighbours_targets_at[from][distance];
        for (unsigned i = 0; i < targets->count; i++) {
            uint64_t to = ply_bit(targets->to[i]);
            /* Always written, but counted only if legal: this avoids a branch. */
            out[count].own = b.enemy & ~to;
            out[count].enemy = b.own ^ ply_bit(from) ^ to;
            count += !(targets->path[i] & blocking) && (allowed & to);
        }
    }
    return count;
}

PLY_HD size_t slots_after(const workspace *w, size_t class_index, const boards *children,
                          size_t count, bool captures, ply_slot *out)
{
    int own = class_enemy(class_index) - captures, enemy = class_own(class_index);
    size_t to = class_make(own, enemy);
    for (size_t i = 0; i < count; i++) {
        bool symmetric;
        out[i] = own == 0 ? PLY_SLOT_NO_PIECES
                          : ply_slot_make(to, number_of(w, children[i].own, children[i].enemy, own,
                                                        enemy, &symmetric));
    }
    return count;
}

PLY_HD size_t successors(const void *handle, ply_slot slot, ply_slot *out)
{
    const workspace *w = (const workspace *)handle;
    uint64_t base;
    boards b = boards_of(w, slot, &base), children[NEIGHBOURS_MAX_MOVES + 1];
    size_t class_index = ply_slot_class(slot), count = 0;
    for (int captures = 0; captures < 2; captures++)
        count += slots_after(w, class_index, children, expand(w, b, captures, children), captures,
                             out + count);
    return count;
}

PLY_HD size_t exits(const void *handle, ply_slot slot, ply_slot *out, unsigned *inner_moves)
{
    const workspace *w = (const workspace *)handle;
    uint64_t base;
    boards b = boards_of(w, slot, &base), children[NEIGHBOURS_MAX_MOVES + 1];
    if (numbering_is_symmetric(base) && orbit_size(w, slot) == 0)
        return PLY_SLOT_HOLE;
    *inner_moves = (unsigned)expand(w, b, false, children);
    size_t count = expand(w, b, true, children);
    return slots_after(w, ply_slot_class(slot), children, count, true, out);
}

/* The same for the verifier on a device: walks from square to square, and shares no code with expand. */
PLY_HD size_t rule_successors(const void *handle, ply_slot slot, ply_slot *out)
{
    const workspace *w = (const workspace *)handle;
    int own_count = class_own(ply_slot_class(slot)),
        enemy_count = class_enemy(ply_slot_class(slot));
    uint64_t base;
    boards b = boards_of(w, slot, &base);
    uint64_t pieces = b.own | b.enemy, blocking = w->path_rule == NEIGHBOURS_JUMP ? 0 : pieces;
    size_t count = 0;
    for (uint64_t own = b.own; own; own &= own - 1) {
        int from = ply_lowest(own), distance = neighbours_distance(pieces, from);
        for (int way = 0; way < 9; way++) {
            int dx = way % 3 - 1, dy = way / 3 - 1, x = from % NEIGHBOURS_SIDE,
                y = from / NEIGHBOURS_SIDE, steps = 0;
            while (steps < distance && (dx || dy) && (unsigned)(x + dx) < NEIGHBOURS_SIDE &&
                   (unsigned)(y + dy) < NEIGHBOURS_SIDE &&
                   (steps == 0 || !(blocking & ply_bit(y * NEIGHBOURS_SIDE + x)))) {
                x += dx;
                y += dy;
                steps++;
            }
            uint64_t to = ply_bit(y * NEIGHBOURS_SIDE + x);
            if (steps == 0 || steps < distance || (b.own & to))
                continue;
            int left = enemy_count - ((b.enemy & to) != 0);
            bool symmetric;
            out[count++] =
                left == 0 ? PLY_SLOT_NO_PIECES
                          : ply_slot_make(class_make(left, own_count),
                                          number_of(w, b.enemy & ~to, b.own ^ ply_bit(from) ^ to,
                                                    left, own_count, &symmetric));
        }
    }
    return count;
}

/* --- predecessors --------------------------------------------------------------------------- */
PLY_HD size_t moves_between(const workspace *w, ply_slot from, ply_slot to)
{
    uint64_t base;
    boards b = boards_of(w, from, &base), children[NEIGHBOURS_MAX_MOVES + 1];
    ply_slot after[NEIGHBOURS_MAX_MOVES];
    size_t count = expand(w, b, false, children), found = 0;
    slots_after(w, ply_slot_class(from), children, count, false, after);
    for (size_t i = 0; i < count; i++)
        found += after[i] == to;
    return found;
}

/*
 * Between two positions that no symmetry fixes, there are as many moves back as forward. If one of
 * them is symmetric, the numbers differ: then the source is collected once, and its moves to this
 * slot are counted forward.
 */
PLY_HD size_t predecessors(const void *handle, ply_slot slot, ply_slot *out)
{
    const workspace *w = (const workspace *)handle;
    size_t class_index = ply_slot_class(slot), source_class = class_partner(class_index);
    int own_count = class_own(source_class), enemy_count = class_enemy(source_class);
    uint64_t base;
    boards b = boards_of(w, slot, &base);
    uint64_t pieces = b.own | b.enemy;
    uint64_t blocking = w->path_rule == NEIGHBOURS_JUMP ? 0 : pieces;
    bool target_symmetric = numbering_is_symmetric(base);
    ply_slot symmetric_sources[NEIGHBOURS_PIECES * NEIGHBOURS_DIRECTIONS * NEIGHBOURS_REACH];
    size_t count = 0, symmetric_count = 0;
    for (uint64_t movers = b.enemy; movers; movers &= movers - 1) {
        int to = ply_lowest(movers);
        uint64_t by_count[NEIGHBOURS_REACH + 1], candidates = 0;
        split_movers_one(~pieces, neighbours_toggle(pieces, to), by_count);
        for (int distance = 1; distance <= NEIGHBOURS_REACH; distance++)
            candidates |= by_count[distance] & w->ring[to][distance];
        for (; candidates; candidates &= candidates - 1) {
            int from = ply_lowest(candidates);
            if (w->between[to][from] & blocking)
                continue;
            bool symmetric;
            ply_slot source =
                ply_slot_make(source_class, number_of(w, neighbours_move(b.enemy, to, from), b.own,
                                                      own_count, enemy_count, &symmetric));
            if (!target_symmetric && !symmetric) {
                out[count++] = source;
                continue;
            }
            size_t k = 0;
            while (k < symmetric_count && symmetric_sources[k] != source)
                k++;
            symmetric_sources[k] = source;
            symmetric_count += k == symmetric_count;
        }
    }
    for (size_t i = 0; i < symmetric_count; i++)
        for (size_t times = moves_between(w, symmetric_sources[i], slot); times > 0; times--)
            out[count++] = symmetric_sources[i];
    return count;
}

#endif
