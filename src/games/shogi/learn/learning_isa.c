/* SPDX-License-Identifier: MIT */
/*
 * learning_isa.c - observations and masks; compiled once for each instruction set.
 *
 * The mask comes from the groups of moves that the generator makes: a group of pieces that take the
 * same step, or of drops, is the target set of one label. The moves of a single piece are divided by
 * direction. When all labels have their sets, each set is turned to the player's view, packed from
 * 11 to 9 squares per rank and put where the label's 81 bits are.
 */
#include "core/planes.h"
#include "games/shogi/learn/learning.h"
#include "games/shogi/rules/move_groups.h"

/* --- observations ----------------------------------------------------------------------------- */
/* Marks the pieces on the squares of one word of the set of occupied squares. */
static inline void mark_pieces(const shogi_position *p, int viewer, uint64_t squares, int first,
                               uint8_t *out)
{
    for (; squares; squares &= squares - 1) {
        int square = first + ply_lowest(squares), code = p->board[square];
        int seen = viewer == SHOGI_BLACK ? square : 96 - square, kind = code & SHOGI_CODE_KIND;
        int plane = kind + (code & SHOGI_CODE_PROMOTED ? SHOGI_KINDS : 0) +
                    (shogi_code_owner(code) == viewer ? 0 : SHOGI_PLANES_OPPONENT);
        out[plane * SHOGI_AREA + seen - 2 * (seen / 11)] = 1;
    }
}

/* Unknown to the compiler, which would else clear by an instruction that takes long to begin. */
static const volatile size_t observation_bytes = (size_t)SHOGI_PLANES * SHOGI_AREA,
                             label_bytes = SHOGI_LABELS * sizeof(shogi_set);

static void observe(const shogi_position *p, int viewer, uint8_t *out)
{
    shogi_set occupied = p->colour[0] | p->colour[1];
    memset(out, 0, observation_bytes);
    mark_pieces(p, viewer, set_low(occupied), 0, out);
    mark_pieces(p, viewer, set_high(occupied), 64, out);
    for (int who = 0; who < 2; who++) {
        uint64_t hand = p->hand[viewer ^ who];
        for (int kind = 0; hand; kind++, hand >>= 8)
            if (hand & 0xFF)
                memset(out + (SHOGI_PLANES_HAND + SHOGI_KING * who + kind) * SHOGI_AREA,
                       (int)(hand & 0xFF), SHOGI_AREA);
    }
    if (viewer)
        memset(out + SHOGI_PLANE_SIDE * SHOGI_AREA, 1, SHOGI_AREA);
}

/* --- masks ------------------------------------------------------------------------------------ */
/* The set turned by 180 degrees: square s becomes 96 - s. */
static inline shogi_set rotate(shogi_set s)
{
    return ((shogi_set)ply_reverse_bits(set_low(s)) << 64 | ply_reverse_bits(set_high(s))) >> 31;
}

/* The first 64 and the last 17 squares of a set, packed to nine per rank. */
typedef struct packed_set {
    uint64_t low, high;
} packed_set;

static inline packed_set pack(shogi_set s)
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

static inline void append(bit_stream *s, uint64_t bits, unsigned count)
{
    s->word |= bits << s->used;
    if (s->used + count >= 64) {
        *s->out++ = s->word;
        s->word = s->used ? bits >> (64 - s->used) : 0;
    }
    s->used = (s->used + count) % 64;
}

/* The label of a step as the player sees it, which is -step for White. */
static inline int label_of_step(int step)
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
static inline void add_piece(shogi_set *labels, int us, const move_group *g)
{
    int from = g->base & 127, promotes = g->base & SHOGI_MOVE_PROMOTE ? SHOGI_LABEL_PROMOTION : 0;
    for (int d = 0; d < SHOGI_DIRECTIONS; d++)
        labels[promotes + (us == SHOGI_BLACK ? d : SHOGI_DIRECTIONS - 1 - d)] |=
            g->to & shogi_rays[d][from];
}

static size_t mask(const shogi_position *p, uint64_t *bits)
{
    move_group groups[MAX_GROUPS];
    shogi_set labels[SHOGI_LABELS];
    memset(labels, 0, label_bytes);
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

extern const shogi_learning PLY_ISA(shogi_learning_of);
const shogi_learning PLY_ISA(shogi_learning_of) = {.observe = observe, .mask = mask};
