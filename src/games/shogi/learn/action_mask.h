/* SPDX-License-Identifier: MIT */
/*
 * action_mask.h - the legal actions as bits, for the host and for devices.
 *
 * The mask comes from the groups of moves that the generator makes: a group of pieces that take the
 * same step, or of drops, is the target set of one label. The moves of a single piece are divided by
 * direction. When all labels have their sets, each set is turned to the player's view, packed from
 * 11 to 9 squares per rank and put where the label's 81 bits are.
 */
#ifndef PLY_GAMES_SHOGI_LEARN_ACTION_MASK_H
#define PLY_GAMES_SHOGI_LEARN_ACTION_MASK_H

#include "games/shogi/learn/learning.h"
#include "games/shogi/rules/move_groups.h"

#ifndef __CUDACC__
/* Unknown to the compiler, which would else clear by an instruction that takes long to begin. */
static const volatile size_t shogi_label_bytes = SHOGI_LABELS * sizeof(shogi_set);
#endif

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

/* The label of a step as the player sees it, which is -step for White. */
PLY_HD int label_of_step(int step)
{
    switch (step) {
    case -12:
        return 0;
    case -11:
        return 1;
    case -10:
        return 2;
    case -1:
        return 3;
    case 1:
        return 4;
    case 10:
        return 5;
    case 11:
        return 6;
    case 12:
        return 7;
    case -23:
        return 8;
    default:
        return 9;
    }
}

/* Adds the targets of a single piece to the labels of their directions. */
PLY_HD void add_piece(shogi_set *labels, int us, const move_group *g)
{
    int from = g->base & 127, promotes = g->base & SHOGI_MOVE_PROMOTE ? SHOGI_LABEL_PROMOTION : 0;
    for (int d = 0; d < SHOGI_DIRECTIONS; d++)
        labels[promotes + (us == SHOGI_BLACK ? d : SHOGI_DIRECTIONS - 1 - d)] |=
            g->to & shogi_rays[d][from];
}

PLY_SHARED size_t shogi_mask(const shogi_position *p, uint64_t *bits)
{
    move_group groups[MAX_GROUPS];
    shogi_set labels[SHOGI_LABELS];
#ifdef __CUDACC__
    for (int i = 0; i < SHOGI_LABELS; i++)
        labels[i] = 0;
#else
    memset(labels, 0, shogi_label_bytes);
#endif
    int us = p->side;
    size_t n = make_groups(p, us, groups), count = 0;
    for (size_t i = 0; i < n; i++) {
        const move_group *g = &groups[i];
        count += set_count(g->to);
        if (g->factor == FACTOR_STEP) {
            int promotes = g->base + 64 >= SHOGI_MOVE_PROMOTE && g->base < 0x8000;
            int step = (promotes ? SHOGI_MOVE_PROMOTE : 0) - (int16_t)g->base;
            labels[label_of_step(us == SHOGI_BLACK ? step : -step) +
                   (promotes ? SHOGI_LABEL_PROMOTION : 0)] |= g->to;
        } else if (g->base & SHOGI_MOVE_DROP) {
            labels[SHOGI_LABEL_DROP + (g->base & 7)] = g->to;
        } else {
            add_piece(labels, us, g);
        }
    }
    bit_stream stream = {.out = bits};
    for (unsigned label = 0; label < SHOGI_LABELS; label++) {
        packed_set packed = {0, 0};
        if (labels[label])
            packed = pack(us == SHOGI_BLACK ? labels[label] : rotate(labels[label]));
        append(&stream, packed.low, 64);
        append(&stream, packed.high, SHOGI_AREA - 64);
    }
    *stream.out = stream.word;
    return count;
}

#endif
