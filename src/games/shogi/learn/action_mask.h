/* SPDX-License-Identifier: MIT */
/*
 * action_mask.h - the legal actions as bits, for the host and for devices.
 *
 * A label's set holds the targets of its moves: the move generator finds them by step for all pieces
 * that step, and by direction for each piece that slides. When all labels have their sets, each set
 * is turned to the player's view, packed from 11 to 9 squares per rank and put where the label's 81
 * bits are.
 */
#ifndef PLY_GAMES_SHOGI_LEARN_ACTION_MASK_H
#define PLY_GAMES_SHOGI_LEARN_ACTION_MASK_H

#include "games/shogi/learn/learning.h"
#include "games/shogi/rules/move_groups.h"

/* The set turned by 180 degrees: square s becomes 96 - s. */
PLY_HD shogi_set rotate(shogi_set s)
{
    return ((shogi_set)ply_reverse_bits(set_low(s)) << 64 | ply_reverse_bits(set_high(s))) >> 31;
}

/* The first 64 and the last 17 squares of a set, packed to nine per rank. */
typedef struct packed_set {
    uint64_t low, high;
} packed_set;

PLY_HD packed_set pack(shogi_set s)
{
#if defined(__BMI2__)
    uint64_t low = ply_pext(set_low(s), set_low(SHOGI_BOARD_SET)),
             high = ply_pext(set_high(s), set_high(SHOGI_BOARD_SET));
    int bits = ply_popcount(set_low(SHOGI_BOARD_SET));
    return (packed_set){low | high << bits, high >> (64 - bits)};
#else
    packed_set packed = {0, 0};
    for (int rank = 0; rank < SHOGI_SIDE; rank++) {
        uint64_t row = (uint64_t)(s >> 11 * rank) & 0x1FF;
        int at = SHOGI_SIDE * rank;
        if (at < 64)
            packed.low |= row << at;
        if (at + SHOGI_SIDE > 64)
            packed.high |= at < 64 ? row >> (64 - at) : row << (at - 64);
    }
    return packed;
#endif
}

/* Words that are filled with bits one after the other. */
typedef struct bit_stream {
    uint64_t *out, word;
    unsigned used; /* bits of the word, below 64 */
} bit_stream;

PLY_HD void append(bit_stream *s, uint64_t bits, unsigned count)
{
    s->word |= bits << s->used;
    if (s->used + count >= 64) {
        *s->out++ = s->word;
        s->word = s->used ? bits >> (64 - s->used) : 0;
    }
    s->used = (s->used + count) % 64;
}

/* *to |= *a & *b: compilers keep sets in pairs of registers, and this one in a vector. */
PLY_HD void add_common(shogi_set *to, const shogi_set *a, const shogi_set *b)
{
#ifdef __CUDACC__
    *to |= *a & *b;
#else
    typedef uint64_t pair __attribute__((vector_size(sizeof(shogi_set))));
    pair x, y, z;
    memcpy(&x, to, sizeof x);
    memcpy(&y, a, sizeof y);
    memcpy(&z, b, sizeof z);
    x |= y & z;
    memcpy(to, &x, sizeof x);
#endif
}

/* The label of a direction of the board (shogi_rays) as the player sees it. */
SHOGI_INLINE int label_of_direction(int us, int direction)
{
    return us == SHOGI_BLACK ? direction : SHOGI_DIRECTIONS - 1 - direction;
}

/* Sets the labels of steps; right and left are those of the board. */
SHOGI_INLINE void set_steps(shogi_set *labels, int us, const step_targets *to)
{
    bool black = us == SHOGI_BLACK;
    labels[0] = black ? to->forward_left : to->forward_right;
    labels[1] = to->forward;
    labels[2] = black ? to->forward_right : to->forward_left;
    labels[3] = black ? to->left : to->right;
    labels[4] = black ? to->right : to->left;
    labels[5] = black ? to->backward_left : to->backward_right;
    labels[6] = to->backward;
    labels[7] = black ? to->backward_right : to->backward_left;
    labels[8] = black ? to->jump_left : to->jump_right;
    labels[9] = black ? to->jump_right : to->jump_left;
}

/* Adds the targets of a single piece to the labels of their directions. */
SHOGI_INLINE void add_targets(shogi_set *labels, int us, int from, shogi_set to)
{
    for (int d = 0; d < SHOGI_DIRECTIONS; d++)
        add_common(&labels[label_of_direction(us, d)], &to, &shogi_rays[d][from]);
}

/* Adds the slides of a piece in one direction, and those of them that may promote. */
SHOGI_INLINE void add_slide(shogi_set *labels, int us, int direction, shogi_set to,
                            shogi_set promotes)
{
    shogi_set *label = &labels[label_of_direction(us, direction)];
    label[0] |= to;
    label[SHOGI_LABEL_PROMOTION] |= to & promotes;
}

SHOGI_INLINE void add_slide_labels(shogi_set *labels, const shogi_position *p, int us,
                                   shogi_set movers, shogi_set target, shogi_set occupied)
{
    shogi_set zone = last_ranks(us, 3);
    for (shogi_set s = movers & p->by_type[SHOGI_LANCE]; s; s &= s - 1) {
        shogi_set to = lance_attacks(us, set_first(s), occupied) & target;
        labels[1] |= to & ~last_ranks(us, 1);
        labels[1 + SHOGI_LABEL_PROMOTION] |= to & zone;
    }
    shogi_set bishops = p->by_type[SHOGI_BISHOP], rooks = p->by_type[SHOGI_ROOK];
    for (shogi_set s = movers & (bishops | p->by_type[SHOGI_HORSE]); s; s &= s - 1) {
        int from = set_first(s);
        shogi_set promotes = !set_has(bishops, from) ? 0 : set_has(zone, from) ? target : zone;
        add_slide(labels, us, 0, slide(occupied, 0, from) & target, promotes);
        add_slide(labels, us, 2, slide(occupied, 2, from) & target, promotes);
        add_slide(labels, us, 5, slide(occupied, 5, from) & target, promotes);
        add_slide(labels, us, 7, slide(occupied, 7, from) & target, promotes);
    }
    for (shogi_set s = movers & (rooks | p->by_type[SHOGI_DRAGON]); s; s &= s - 1) {
        int from = set_first(s);
        shogi_set promotes = !set_has(rooks, from) ? 0 : set_has(zone, from) ? target : zone;
        add_slide(labels, us, 1, slide(occupied, 1, from) & target, promotes);
        add_slide(labels, us, 3, slide(occupied, 3, from) & target, promotes);
        add_slide(labels, us, 4, slide(occupied, 4, from) & target, promotes);
        add_slide(labels, us, 6, slide(occupied, 6, from) & target, promotes);
    }
}

SHOGI_INLINE void add_pinned_labels(shogi_set *labels, const shogi_position *p, int us, int king,
                                    shogi_set pinned, shogi_set target, shogi_set occupied)
{
    move_group groups[MAX_GROUPS], *end;
    end = add_pinned(groups, p, us, king, pinned, target, occupied);
    for (const move_group *g = groups; g < end; g++)
        add_targets(labels + (g->base & SHOGI_MOVE_PROMOTE ? SHOGI_LABEL_PROMOTION : 0), us,
                    g->base & 127, g->to);
}

SHOGI_INLINE void set_drops(shogi_set *labels, const shogi_position *p, int us, shogi_set allowed)
{
    for (int kind = SHOGI_PAWN; kind <= SHOGI_GOLD; kind++)
        labels[kind] = shogi_hand_count(p->hand[us], kind)
                           ? drop_squares(p, us, SHOGI_STANDARD, kind, allowed)
                           : 0;
}

/* Finds the targets of all labels. The order is that of make_groups. */
SHOGI_INLINE void find_labels(const shogi_position *p, int us, shogi_set *labels)
{
    shogi_set own = p->colour[us], occupied = own | p->colour[!us];
    int king = shogi_king(p, us);
    king_danger danger = find_king_danger(p, us, king, occupied);
    evasion_targets allowed = find_evasion_targets(p, us, king, danger.checkers, occupied);
    shogi_set movers = own & ~danger.pinned;
    step_sets m = find_step_sets(p, movers);
    step_targets to = find_steps(&m, us, allowed.moves), promoting = {0};
    if (may_promote_by_step(&m, us))
        promoting = find_promoting_steps(&m, us, allowed.moves);
    set_steps(labels, us, &to);
    set_steps(labels + SHOGI_LABEL_PROMOTION, us, &promoting);
    set_drops(labels + SHOGI_LABEL_DROP, p, us, allowed.drops);
    shogi_set steps = shogi_pseudo_attacks[us][SHOGI_KING][king] & ~own;
    if (steps)
        add_targets(labels, us, king, steps & ~attacks_on(p, !us, steps, occupied ^ set_of(king)));
    if (allowed.moves) {
        add_slide_labels(labels, p, us, movers, allowed.moves, occupied);
        if (danger.pinned)
            add_pinned_labels(labels, p, us, king, danger.pinned, allowed.moves, occupied);
    }
}

/* Packs the sets of all labels one after the other; in the opposite order, from a bit on. */
SHOGI_INLINE void pack_labels(const shogi_set *labels, bool backwards, unsigned first_bit,
                              uint64_t *bits)
{
    bit_stream stream = {.out = bits, .used = first_bit};
#ifndef __CUDACC__
#pragma GCC unroll 27 /* for shifts by constants */
#endif
    for (int i = 0; i < SHOGI_LABELS; i++) {
        packed_set packed = pack(labels[backwards ? SHOGI_LABELS - 1 - i : i]);
        append(&stream, packed.low, 64);
        append(&stream, packed.high, SHOGI_AREA - 64);
    }
    if (stream.used > 0)
        *stream.out = stream.word;
}

/*
 * Writes the sets of all labels as White sees them. Each would have to be turned around: the labels
 * are packed in the opposite order instead, and all bits of the mask are turned around at once.
 */
PLY_HD void pack_for_white(const shogi_set *labels, uint64_t *bits)
{
    uint64_t words[SHOGI_MASK_WORDS];
    pack_labels(labels, true, SHOGI_MASK_WORDS * 64 - SHOGI_ACTIONS, words);
    for (int i = 0; i < SHOGI_MASK_WORDS; i++)
        bits[i] = ply_reverse_bits(words[SHOGI_MASK_WORDS - 1 - i]);
}

PLY_SHARED __attribute__((noinline)) void mask_for_black(const shogi_position *p, uint64_t *bits)
{
    shogi_set labels[SHOGI_LABELS];
    find_labels(p, SHOGI_BLACK, labels);
    pack_labels(labels, false, 0, bits);
}

PLY_SHARED __attribute__((noinline)) void mask_for_white(const shogi_position *p, uint64_t *bits)
{
    shogi_set labels[SHOGI_LABELS];
    find_labels(p, SHOGI_WHITE, labels);
    pack_for_white(labels, bits);
}

PLY_SHARED size_t shogi_mask(const shogi_position *p, uint64_t *bits)
{
    size_t count = 0;
    if (p->side == SHOGI_BLACK)
        mask_for_black(p, bits);
    else
        mask_for_white(p, bits);
#ifndef __CUDACC__
#pragma GCC unroll 35
#endif
    for (int i = 0; i < SHOGI_MASK_WORDS; i++)
        count += (size_t)ply_popcount(bits[i]);
    return count;
}

#endif
