/* SPDX-License-Identifier: MIT */
/*
 * evaluate_isa.c - the static evaluation: the features of features.h times their weights.
 *
 * Features are counted for all pieces at once by shifts and masks. A step is safe when no adjacent
 * enemy can capture the piece on its new square; distant flying kings are left to the search.
 */
#include "games/checkers/checkers.h"
#include "games/checkers/eval/features.h"

#include "checkers/men.inc"

/* A copy of checkers_weights, so that the compiler can fold constants. */
static const int16_t weights[WEIGHTS] = {
#include "games/checkers/eval/weights.inc"
};

_Static_assert((int)WEIGHTS == (int)CHECKERS_WEIGHTS, "checkers.h states the number of weights");

/* Features that are counted; those before FEATURE_KING are looked up in men_sums. */
enum { COUNTED = FEATURES - FEATURE_KING };

_Static_assert(2 * (2 * CHECKERS_PIECES + 2 + COUNTED) <= CHECKERS_MAX_TERMS, "room for all terms");

#define CENTRE UINT64_C(0x00003C3C3C3C0000)
#define EVEN_ROWS UINT64_C(0x00FF00FF00FF00FF)

static inline __attribute__((always_inline)) int32_t men_sum(uint64_t men, int colour)
{
    uint64_t pairs = men | men >> 8;
    return men_sums[colour][0][pairs & 255] + men_sums[colour][1][pairs >> 16 & 255] +
           men_sums[colour][2][pairs >> 32 & 255] + men_sums[colour][3][pairs >> 48 & 255];
}

/* Squares on which an enemy piece could be captured by `colour`, given the empty squares. */
static inline __attribute__((always_inline)) uint64_t
attacked_squares(uint64_t pieces, uint64_t kings, int colour, uint64_t empty)
{
    int forward = colour == CHECKERS_BLACK ? 0 : 2;
    uint64_t squares = 0;
#pragma GCC unroll 4
    for (int d = 0; d < 4; d++)
        squares |=
            checkers_step((d & 2) == forward ? pieces : kings, d) & checkers_step(empty, 3 - d);
    return squares;
}

/* Adds sign times the features of one colour, except for those in men_sums. */
static inline __attribute__((always_inline)) void count_side(const checkers_position *p, int colour,
                                                             uint64_t empty, uint64_t danger,
                                                             bool flying, int32_t sign,
                                                             int32_t *counts)
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
        counts[FEATURE_KING - FEATURE_KING] += flying ? 0 : sign * count;
        counts[FEATURE_FLYING_KING - FEATURE_KING] += flying ? sign * count : 0;
        counts[FEATURE_KING_CENTRE - FEATURE_KING] += sign * ply_popcount(kings & CENTRE);
        counts[FEATURE_KING_EDGE - FEATURE_KING] += sign * ply_popcount(kings & CHECKERS_EDGES);
        counts[FEATURE_KING_TRAPPED - FEATURE_KING] += sign * ply_popcount(kings & ~free);
        counts[FEATURE_KING_FREEDOM - FEATURE_KING] += sign * steps;
    }
    uint64_t own = men | kings;
    counts[FEATURE_MAN_FREEDOM - FEATURE_KING] +=
        sign * (ply_popcount(checkers_step(men, forward) & safe) +
                ply_popcount(checkers_step(men, forward + 1) & safe));
    counts[FEATURE_SUPPORT - FEATURE_KING] +=
        sign * ply_popcount(men & (checkers_step(own, forward) | checkers_step(own, forward + 1)));
    /* Squares with an enemy ahead: the enemy pieces spread backwards, one step at a time. */
    uint64_t stoppable = checkers_pieces_of(p, !colour);
#pragma GCC unroll 6
    for (int i = 0; i < 6; i++)
        stoppable |= checkers_step(stoppable, back) | checkers_step(stoppable, back + 1);
    uint64_t runaways = men & ~stoppable;
    if (runaways)
        for (int row = 3; row < 7; row++) {
            int board_row = colour == CHECKERS_BLACK ? row : 7 - row;
            counts[FEATURE_RUNAWAY + row - 3 - FEATURE_KING] +=
                sign * ply_popcount(runaways & (UINT64_C(255) << 8 * board_row));
        }
}

/* Counts all features except those in men_sums; returns the number of pieces. */
static inline __attribute__((always_inline)) int
count_features(const ply_rules *rules, const checkers_position *p, int32_t *counts)
{
    bool flying = rules->option[CHECKERS_OPTION_KING] != CHECKERS_KING_SHORT;
    uint64_t black = checkers_pieces_of(p, CHECKERS_BLACK),
             white = checkers_pieces_of(p, CHECKERS_WHITE);
    uint64_t empty = CHECKERS_DARK_SQUARES & ~(black | white);
    uint64_t by_black = attacked_squares(black, p->black_kings, CHECKERS_BLACK, empty);
    uint64_t by_white = attacked_squares(white, p->white_kings, CHECKERS_WHITE, empty);
    int32_t sign = p->turn == CHECKERS_BLACK ? 1 : -1;
    count_side(p, CHECKERS_BLACK, empty, by_white, flying, sign, counts);
    count_side(p, CHECKERS_WHITE, empty, by_black, flying, -sign, counts);
    counts[FEATURE_EXPOSED - FEATURE_KING] =
        sign > 0 ? ply_popcount(black & by_white) : ply_popcount(white & by_black);
    counts[FEATURE_TURN - FEATURE_KING] = 1;
    int black_count = ply_popcount(black), white_count = ply_popcount(white);
    if (black_count == white_count) {
        uint64_t home = p->turn == CHECKERS_BLACK ? EVEN_ROWS : ~EVEN_ROWS;
        counts[FEATURE_OPPOSITION - FEATURE_KING] =
            ply_popcount((black | white) & home) & 1 ? 1 : -1;
    }
    return black_count + white_count;
}

/* The share of the early weights, in units of 1 / PLY_TERM_ONE: all of it with 24 pieces. */
static int32_t early_share(int pieces)
{
    return pieces * 32 / 3;
}

static int32_t evaluate(const ply_rules *rules, const checkers_position *p)
{
    int32_t counts[COUNTED] = {0};
    int32_t share = early_share(count_features(rules, p, counts));
    int32_t men = men_sum(p->black_men, CHECKERS_BLACK) - men_sum(p->white_men, CHECKERS_WHITE);
    if (p->turn != CHECKERS_BLACK)
        men = -men;
    int32_t early = (int16_t)men, late = (men - early) / 65536; /* packed as in gen_men.c */
    for (int i = 0; i < COUNTED; i++) {
        early += counts[i] * weights[FEATURE_KING + i];
        late += counts[i] * weights[FEATURES + FEATURE_KING + i];
    }
    return (early * share + late * (PLY_TERM_ONE - share)) / PLY_TERM_ONE;
}

/* --- the same as terms ---------------------------------------------------------------------- */
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
    int32_t counts[COUNTED] = {0};
    int32_t share = early_share(count_features(rules, p, counts));
    size_t count = 0;
    for (int colour = 0; colour < 2; colour++) {
        int32_t sign = colour == p->turn ? 1 : -1;
        int first_row = 0;
        for (uint64_t men = p->board[colour][CHECKERS_MAN]; men; men &= men - 1) {
            int index = checkers_index_of(ply_lowest(men));
            int relative = colour == CHECKERS_BLACK ? index : 31 - index;
            if (relative < 28)
                count = add_terms(out, count, FEATURE_MAN + relative, sign, share);
            if (relative < 4)
                first_row |= 1 << relative;
        }
        count = add_terms(out, count, FEATURE_FIRST_ROW + first_row, sign, share);
    }
    for (int i = 0; i < COUNTED; i++)
        count = add_terms(out, count, FEATURE_KING + i, counts[i], share);
    return count;
}

const checkers_evaluator PLY_ISA(checkers_evaluator_of) = {.evaluate = evaluate, .terms = terms};
