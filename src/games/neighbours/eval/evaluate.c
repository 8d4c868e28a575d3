/* SPDX-License-Identifier: MIT */
/*
 * evaluate.c - the static evaluation and move ordering.
 *
 * The evaluation is a sum of features. Each has two weights, one for the full board (early) and one
 * for the empty board (late), interpolated by the number of pieces.
 *
 * The board has all eight symmetries of the square, so squares fall into six classes:
 *
 *     0 1 2 2 1 0
 *     1 3 4 4 3 1
 *     2 4 5 5 4 2      and so on, mirrored
 *
 * A feature counts for the player to move minus the same for the opponent, except for features that
 * depend on whose turn it is: threats, exposed pieces and the turn itself.
 */
#include "games/neighbours/neighbours.h"

enum {
    FEATURE_PIECE = 0,                      /* a piece, by the class of its square */
    FEATURE_NEIGHBOURS = 6,                 /* a piece, by its number of neighbours, 0 to 8 */
    FEATURE_MOVES = FEATURE_NEIGHBOURS + 9, /* legal moves */
    FEATURE_STUCK,                          /* a piece without a move */
    FEATURE_THREAT,                         /* an enemy that can be captured now */
    FEATURE_EXPOSED,                        /* a piece that the opponent can capture next */
    FEATURE_TURN,                           /* being the player to move */
    FEATURES,
};

_Static_assert((int)NEIGHBOURS_WEIGHTS == 2 * (int)FEATURES, "two weights per feature");
_Static_assert((int)NEIGHBOURS_MAX_TERMS == (int)NEIGHBOURS_WEIGHTS, "each weight occurs once");

const int16_t neighbours_weights[NEIGHBOURS_WEIGHTS] = {
#include "games/neighbours/eval/weights.inc"
};

#define NAMES(phase)                                                                               \
    phase " square 0", phase " square 1", phase " square 2", phase " square 3", phase " square 4", \
        phase " square 5", phase " neighbours 0", phase " neighbours 1", phase " neighbours 2",    \
        phase " neighbours 3", phase " neighbours 4", phase " neighbours 5",                       \
        phase " neighbours 6", phase " neighbours 7", phase " neighbours 8", phase " moves",       \
        phase " stuck piece", phase " threat", phase " exposed piece", phase " turn"

const char *const neighbours_weight_names[NEIGHBOURS_WEIGHTS] = {NAMES("early"), NAMES("late")};

static const uint8_t square_class[NEIGHBOURS_SQUARES] = {
    0, 1, 2, 2, 1, 0, 1, 3, 4, 4, 3, 1, 2, 4, 5, 5, 4, 2, /* rows 1 to 3 */
    2, 4, 5, 5, 4, 2, 1, 3, 4, 4, 3, 1, 0, 1, 2, 2, 1, 0,
};

/* Adds sign times the features of one player; returns the enemy pieces they can capture. */
static inline __attribute__((always_inline)) uint64_t
count_side(uint64_t own, uint64_t enemy, uint64_t blocking, int32_t sign, int32_t *counts)
{
    uint64_t captured = 0, pieces = own | enemy;
    for (uint64_t rest = own; rest; rest &= rest - 1) {
        int from = ply_lowest(rest), distance = neighbours_distance(pieces, from), moves = 0;
        counts[FEATURE_PIECE + square_class[from]] += sign;
        counts[FEATURE_NEIGHBOURS + distance] += sign;
        if (distance > 0 && distance <= NEIGHBOURS_REACH) {
            const neighbours_targets *targets = &neighbours_targets_at[from][distance];
            for (unsigned i = 0; i < targets->count; i++) {
                uint64_t to = ply_bit(targets->to[i]);
                if ((targets->path[i] & blocking) || (own & to))
                    continue;
                moves++;
                captured |= enemy & to;
            }
        }
        counts[FEATURE_MOVES] += sign * moves;
        counts[FEATURE_STUCK] += moves == 0 ? sign : 0;
    }
    return captured;
}

/* Counts all features; returns the share of the early weights in units of 1 / PLY_TERM_ONE. */
static int32_t count_features(const ply_rules *rules, const neighbours_position *p, int32_t *counts)
{
    uint64_t pieces = p->current | p->next;
    uint64_t blocking = rules->option[NEIGHBOURS_OPTION_PATH] == NEIGHBOURS_JUMP ? 0 : pieces;
    uint64_t threats = count_side(p->current, p->next, blocking, 1, counts);
    uint64_t exposed = count_side(p->next, p->current, blocking, -1, counts);
    counts[FEATURE_THREAT] = ply_popcount(threats);
    counts[FEATURE_EXPOSED] = ply_popcount(exposed);
    counts[FEATURE_TURN] = 1;
    return ply_popcount(pieces) * 64 / 3; /* PLY_TERM_ONE with all twelve pieces */
}

int32_t neighbours_evaluate(const ply_rules *rules, const void *position)
{
    int32_t counts[FEATURES] = {0}, early = 0, late = 0;
    int32_t share = count_features(rules, position, counts);
    for (int i = 0; i < FEATURES; i++) {
        early += counts[i] * neighbours_weights[i];
        late += counts[i] * neighbours_weights[FEATURES + i];
    }
    return (early * share + late * (PLY_TERM_ONE - share)) / PLY_TERM_ONE;
}

size_t neighbours_terms(const ply_rules *rules, const void *position, ply_term *out)
{
    int32_t counts[FEATURES] = {0};
    int32_t share = count_features(rules, position, counts);
    size_t count = 0;
    for (uint32_t i = 0; i < FEATURES; i++) {
        if (counts[i] == 0)
            continue;
        out[count++] = (ply_term){i, counts[i] * share};
        out[count++] = (ply_term){FEATURES + i, counts[i] * (PLY_TERM_ONE - share)};
    }
    return count;
}

bool neighbours_is_noisy(const ply_rules *rules, const void *position, ply_move move)
{
    (void)rules;
    const neighbours_position *p = position;
    return neighbours_get(p->next, neighbours_move_to(move)) != 0;
}

enum { ORDER_CAPTURE = 100 };

/* Captures first. */
void neighbours_score_moves(const ply_rules *rules, const void *position, const ply_move *moves,
                            size_t count, int32_t *scores)
{
    for (size_t i = 0; i < count; i++)
        scores[i] = neighbours_is_noisy(rules, position, moves[i]) ? ORDER_CAPTURE : 0;
}
