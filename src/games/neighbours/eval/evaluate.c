/* SPDX-License-Identifier: MIT */
/*
 * evaluate.c - what a position is worth: a sum of counted features, each with two weights, one for the
 * full board (early) and one for the empty (late), mixed by the number of pieces.
 *
 * The board looks the same from all eight sides, so a square counts by its class:
 *
 *     0 1 2 2 1 0
 *     1 3 4 4 3 1
 *     2 4 5 5 4 2      and so on, mirrored
 *
 * Everything is counted for the player to move less the same for the other, but for what only the
 * player to move can do: capture now, or lose what can be captured next.
 */
#include "games/neighbours/neighbours.h"

enum {
    FEATURE_PIECE = 0,                  /* a piece, by class of its square */
    FEATURE_AROUND = 6,                 /* the same, by neighbours, 0 (isolated) to 8 */
    FEATURE_MOVES = FEATURE_AROUND + 9, /* legal moves */
    FEATURE_STUCK,                      /* a piece without a move */
    FEATURE_THREAT,                     /* an enemy that can be captured now */
    FEATURE_EXPOSED,                    /* a piece that can be captured next */
    FEATURE_TURN,                       /* to be the one to move */
    FEATURES,
};

_Static_assert((int)NEIGHBOURS_WEIGHTS == 2 * (int)FEATURES, "two weights a feature");
_Static_assert((int)NEIGHBOURS_MAX_TERMS == (int)NEIGHBOURS_WEIGHTS, "each weight once");

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

/* Adds sign times the features of one player's pieces; returns the enemies they can capture. */
static inline __attribute__((always_inline)) uint64_t
count_side(uint64_t own, uint64_t enemy, uint64_t blocking, int32_t sign, int32_t *counts)
{
    uint64_t captured = 0, pieces = own | enemy;
    for (uint64_t rest = own; rest; rest &= rest - 1) {
        int from = ply_lowest(rest), around = neighbours_count_at(pieces, from), moves = 0;
        counts[FEATURE_PIECE + square_class[from]] += sign;
        counts[FEATURE_AROUND + around] += sign;
        if (around > 0 && around <= NEIGHBOURS_REACH) {
            const neighbours_ways *ways = &neighbours_ways_table[from][around];
            for (unsigned i = 0; i < ways->count; i++) {
                uint64_t to = ply_bit(ways->to[i]);
                if ((ways->path[i] & blocking) || (own & to))
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

/* Counts all features; returns how much the early weights count, in 256ths. */
static int32_t count_features(const ply_rules *rules, const neighbours_position *p, int32_t *counts)
{
    uint64_t pieces = p->current | p->next;
    uint64_t blocking = rules->option[NEIGHBOURS_OPTION_PATH] == NEIGHBOURS_JUMP ? 0 : pieces;
    uint64_t threats = count_side(p->current, p->next, blocking, 1, counts);
    uint64_t exposed = count_side(p->next, p->current, blocking, -1, counts);
    counts[FEATURE_THREAT] = ply_popcount(threats);
    counts[FEATURE_EXPOSED] = ply_popcount(exposed);
    counts[FEATURE_TURN] = 1;
    return ply_popcount(pieces) * 64 / 3;
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

/* Captures first. */
void neighbours_score_moves(const ply_rules *rules, const void *position, const ply_move *moves,
                            size_t count, int32_t *scores)
{
    for (size_t i = 0; i < count; i++)
        scores[i] = neighbours_is_noisy(rules, position, moves[i]) ? 100 : 0;
}
