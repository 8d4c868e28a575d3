/* SPDX-License-Identifier: MIT */
/*
 * stats.h - the statistics of a match: Elo difference, its error, and the SPRT.
 *
 * Games come in pairs: one opening played twice with colours swapped. The two results of a pair are
 * correlated (a won opening is won by both engines), so the error is computed from pairs, each with
 * one of five scores (0, 1/2, 1, 3/2 or 2 points): the pentanomial model. With fewer than two
 * complete pairs it is computed from single games (win, draw, loss: trinomial). Everything is from
 * the first engine's point of view.
 *
 *     score s = points / games            Elo(s) = -400 log10(1/s - 1)
 *     error    = half of Elo(s + 1.96 e) - Elo(s - 1.96 e), with e the standard error of s; if one
 *                end is infinite, the distance to the other
 *
 * The sequential probability ratio test (SPRT) compares the hypothesis "the first engine is elo1
 * better" with "it is elo0 better", in logistic Elo as above, by the generalised likelihood ratio:
 * for each hypothesis, the most likely distribution over the five scores that has the expected
 * score of the hypothesis as its mean.
 */
#ifndef PLY_MATCH_STATS_H
#define PLY_MATCH_STATS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct match_tally {
    uint64_t wins, losses, draws;
    uint64_t pairs[5]; /* complete pairs by half points of the first engine: 0 to 4 */
} match_tally;

typedef struct match_elo {
    double score;      /* 0 to 1; 0.5 without games */
    double elo, error; /* may be infinite; error is for 95% */
    double los;        /* likelihood of superiority, 0 to 1 */
    bool from_pairs;   /* pentanomial, not trinomial */
} match_elo;

typedef struct match_sprt {
    double elo0, elo1, alpha, beta;
} match_sprt;

typedef enum match_verdict {
    MATCH_UNDECIDED,
    MATCH_H0, /* not better: elo0 */
    MATCH_H1, /* better: elo1 */
} match_verdict;

/* The Elo difference of an expected score from 0 to 1, and back; infinite at the ends. */
double ply_match_score_to_elo(double score);
double ply_match_elo_to_score(double elo);
match_elo ply_match_estimate(const match_tally *tally);
/* The log-likelihood ratio, from the pairs alone. */
double ply_match_sprt_llr(const match_tally *tally, double elo0, double elo1);
/* H0 is accepted at or below lower, H1 at or above upper. */
void ply_match_sprt_bounds(const match_sprt *sprt, double *lower, double *upper);
match_verdict ply_match_sprt_verdict(const match_sprt *sprt, const match_tally *tally);

#endif
