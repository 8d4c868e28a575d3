/* SPDX-License-Identifier: MIT */
/*
 * evaluate_isa.c - what a position is worth: the sum of features.h with its weights.
 *
 * Everything is counted for all pieces at once by shifts and masks. A step is safe when the piece
 * that makes it cannot be captured on its new square by a neighbour; flying kings far away are left
 * to the search.
 */
#include "games/checkers/checkers.h"
#include "games/checkers/eval/features.h"

#include "checkers/men.inc"

static const int16_t weights[WEIGHTS] = {
#include "games/checkers/eval/weights.inc"
};

_Static_assert((int)WEIGHTS == (int)CHECKERS_WEIGHTS, "the header says how many weights there are");

enum { REST = FEATURES - FEATURE_KING };

_Static_assert(2 * (2 * CHECKERS_PIECES + 2 + REST) <= CHECKERS_MAX_TERMS, "room for all terms");

#define CENTRE UINT64_C(0x00003C3C3C3C0000)
#define EVEN_ROWS UINT64_C(0x00FF00FF00FF00FF)

static inline __attribute__((always_inline)) int32_t men_sum(uint64_t men, int colour)
{
    uint64_t pairs = men | men >> 8;
    return men_sums[colour][0][pairs & 255] + men_sums[colour][1][pairs >> 16 & 255] +
           men_sums[colour][2][pairs >> 32 & 255] + men_sums[colour][3][pairs >> 48 & 255];
}

/* Squares where a piece could be captured by one of a colour's, given what is empty. */
static inline __attribute__((always_inline)) uint64_t reached(uint64_t pieces, uint64_t kings,
                                                              int colour, uint64_t empty)
{
    int forward = colour == CHECKERS_BLACK ? 0 : 2;
    uint64_t squares = 0;
#pragma GCC unroll 4
    for (int d = 0; d < 4; d++)
        squares |=
            checkers_step((d & 2) == forward ? pieces : kings, d) & checkers_step(empty, 3 - d);
    return squares;
}

/* Adds sign times the features of one colour but for those in the table of men. */
static inline __attribute__((always_inline)) void count_side(const checkers_position *p, int colour,
                                                             uint64_t empty, uint64_t danger,
                                                             bool flying, int32_t sign,
                                                             int32_t *rest)
{
    int forward = colour == CHECKERS_BLACK ? 0 : 2, back = 2 - forward;
    uint64_t men = p->board[colour][CHECKERS_MAN], kings = p->board[colour][CHECKERS_KING];
    uint64_t safe = empty & ~danger;
    if (kings) {
        uint64_t free = 0;
        int steps = 0;
#pragma GCC unroll 4
        for (int d = 0; d < 4; d++) {
            steps += ply_popcount(checkers_step(kings, d) & safe);
            free |= checkers_step(safe, 3 - d);
        }
        int count = ply_popcount(kings);
        rest[FEATURE_KING - FEATURE_KING] += flying ? 0 : sign * count;
        rest[FEATURE_FLYING_KING - FEATURE_KING] += flying ? sign * count : 0;
        rest[FEATURE_KING_CENTRE - FEATURE_KING] += sign * ply_popcount(kings & CENTRE);
        rest[FEATURE_KING_EDGE - FEATURE_KING] += sign * ply_popcount(kings & CHECKERS_EDGES);
        rest[FEATURE_KING_TRAPPED - FEATURE_KING] += sign * ply_popcount(kings & ~free);
        rest[FEATURE_KING_FREEDOM - FEATURE_KING] += sign * steps;
    }
    uint64_t own = men | kings;
    rest[FEATURE_MAN_FREEDOM - FEATURE_KING] +=
        sign * (ply_popcount(checkers_step(men, forward) & safe) +
                ply_popcount(checkers_step(men, forward + 1) & safe));
    rest[FEATURE_SUPPORT - FEATURE_KING] +=
        sign * ply_popcount(men & (checkers_step(own, forward) | checkers_step(own, forward + 1)));
    /* What an enemy stands in front of, however far: one step back at a time, spreading. */
    uint64_t held = checkers_pieces_of(p, !colour);
#pragma GCC unroll 6
    for (int i = 0; i < 6; i++)
        held |= checkers_step(held, back) | checkers_step(held, back + 1);
    uint64_t runaways = men & ~held;
    if (runaways)
        for (int row = 3; row < 7; row++) {
            int shown = colour == CHECKERS_BLACK ? row : 7 - row;
            rest[FEATURE_RUNAWAY + row - 3 - FEATURE_KING] +=
                sign * ply_popcount(runaways & (UINT64_C(255) << 8 * shown));
        }
}

/* All features but those in the table of men; returns how many pieces there are. */
static inline __attribute__((always_inline)) int
count_rest(const ply_rules *rules, const checkers_position *p, int32_t *rest)
{
    bool flying = rules->option[CHECKERS_OPTION_KING] != CHECKERS_KING_SHORT;
    uint64_t black = checkers_black_pieces(p), white = checkers_white_pieces(p);
    uint64_t empty = CHECKERS_DARK_SQUARES & ~(black | white);
    uint64_t by_black = reached(black, p->black_kings, CHECKERS_BLACK, empty);
    uint64_t by_white = reached(white, p->white_kings, CHECKERS_WHITE, empty);
    int32_t sign = p->turn == CHECKERS_BLACK ? 1 : -1;
    count_side(p, CHECKERS_BLACK, empty, by_white, flying, sign, rest);
    count_side(p, CHECKERS_WHITE, empty, by_black, flying, -sign, rest);
    rest[FEATURE_EXPOSED - FEATURE_KING] =
        sign > 0 ? ply_popcount(black & by_white) : ply_popcount(white & by_black);
    rest[FEATURE_TURN - FEATURE_KING] = 1;
    int count = ply_popcount(black), other = ply_popcount(white);
    if (count == other) {
        uint64_t home = p->turn == CHECKERS_BLACK ? EVEN_ROWS : ~EVEN_ROWS;
        rest[FEATURE_OPPOSITION - FEATURE_KING] = ply_popcount((black | white) & home) & 1 ? 1 : -1;
    }
    return count + other;
}

/* How much the early weights count, in 256ths. */
static int32_t early_share(int pieces)
{
    return pieces * 32 / 3;
}

static int32_t evaluate(const ply_rules *rules, const checkers_position *p)
{
    int32_t rest[REST] = {0};
    int32_t share = early_share(count_rest(rules, p, rest));
    int32_t men = men_sum(p->black_men, CHECKERS_BLACK) - men_sum(p->white_men, CHECKERS_WHITE);
    if (p->turn != CHECKERS_BLACK)
        men = -men;
    int32_t early = (int16_t)men, late = (men - early) / 65536;
    for (int i = 0; i < REST; i++) {
        early += rest[i] * weights[FEATURE_KING + i];
        late += rest[i] * weights[FEATURES + FEATURE_KING + i];
    }
    return (early * share + late * (PLY_TERM_ONE - share)) / PLY_TERM_ONE;
}

/* --- the same, taken apart ------------------------------------------------------------------ */
static size_t add_terms(ply_term *out, size_t count, int feature, int32_t times, int32_t share)
{
    if (times == 0)
        return count;
    out[count++] = (ply_term){(uint32_t)feature, times * share};
    out[count++] = (ply_term){(uint32_t)(FEATURES + feature), times * (PLY_TERM_ONE - share)};
    return count;
}

static size_t terms(const ply_rules *rules, const checkers_position *p, ply_term *out)
{
    int32_t rest[REST] = {0};
    int32_t share = early_share(count_rest(rules, p, rest));
    size_t count = 0;
    for (int colour = 0; colour < 2; colour++) {
        int32_t sign = colour == p->turn ? 1 : -1;
        int first_row = 0;
        for (uint64_t men = p->board[colour][CHECKERS_MAN]; men; men &= men - 1) {
            int index = checkers_index_of(ply_lowest(men));
            int seen = colour == CHECKERS_BLACK ? index : 31 - index;
            if (seen < 28)
                count = add_terms(out, count, FEATURE_MAN + seen, sign, share);
            if (seen < 4)
                first_row |= 1 << seen;
        }
        count = add_terms(out, count, FEATURE_FIRST_ROW + first_row, sign, share);
    }
    for (int i = 0; i < REST; i++)
        count = add_terms(out, count, FEATURE_KING + i, rest[i], share);
    return count;
}

const checkers_values PLY_ISA(checkers_values_of) = {.evaluate = evaluate, .terms = terms};
