/* SPDX-License-Identifier: MIT */
/*
 * stats.h - what the results of a match say.
 *
 * Games come in pairs: one opening played twice with colours swapped. The two results of a pair
 * hang together (a won opening is won by both), so the error is reckoned from pairs, each with one
 * of five scores (0, 1/2, 1, 3/2, 2 of 2): the pentanomial model. Where there are not two whole
 * pairs, from single games (win, draw, loss: trinomial). Everything is seen from the first engine.
 *
 *     score s = points / games            Elo(s) = -400 log10(1/s - 1)
 *     error    = half of Elo(s + 1.96 e) - Elo(s - 1.96 e), e the standard error of s; where one
 *                end is infinite, the distance to the other
 *
 * The sequential test (SPRT) weighs "the first is elo1 better" against "it is elo0 better", Elo
 * being logistic as above, by the generalised likelihood ratio: for each hypothesis, the most
 * likely distribution over the five scores whose mean is the hypothesis' expected score.
 */
#ifndef PLY_MATCH_STATS_H
#define PLY_MATCH_STATS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct match_tally {
    uint64_t wins, losses, draws;
    uint64_t pairs[5]; /* whole pairs by half points of the first: 0 to 4 */
} match_tally;

typedef struct match_elo {
    double score;      /* 0 to 1; 0.5 without games */
    double elo, error; /* may be infinite; error is for 95% */
    double los;        /* likelihood of superiority, 0 to 1 */
    bool from_pairs;
} match_elo;

typedef struct match_sprt {
    double elo0, elo1, alpha, beta;
} match_sprt;

typedef enum match_verdict {
    MATCH_GO_ON,
    MATCH_H0, /* not better: elo0 */
    MATCH_H1, /* better: elo1 */
} match_verdict;

double ply_match_elo_of(double score);
double ply_match_score_of(double elo);
match_elo ply_match_estimate(const match_tally *tally);
/* The logarithm of the likelihood ratio from the pairs alone. */
double ply_match_sprt_llr(const match_tally *tally, double elo0, double elo1);
void ply_match_sprt_bounds(const match_sprt *sprt, double *lower, double *upper);
match_verdict ply_match_sprt_verdict(const match_sprt *sprt, const match_tally *tally);

#endif
