/* SPDX-License-Identifier: MIT */
/* stats.c - see stats.h. */
#include "match/stats.h"
#include <math.h>
#include <stddef.h>

enum { PAIR_SCORES = 5, BISECTIONS = 200 };

static const double Z95 = 1.959963984540054; /* the 97.5% quantile of the normal distribution */

double ply_match_score_to_elo(double score)
{
    if (score <= 0)
        return -INFINITY;
    if (score >= 1)
        return INFINITY;
    return 400 * log10(score / (1 - score));
}

double ply_match_elo_to_score(double elo)
{
    return 1 / (1 + pow(10, -elo / 400));
}

match_elo ply_match_estimate(const match_tally *t)
{
    double games = (double)(t->wins + t->losses + t->draws);
    if (games == 0)
        return (match_elo){.score = 0.5, .elo = 0, .error = INFINITY, .los = 0.5};
    double score = ((double)t->wins + 0.5 * (double)t->draws) / games, pairs = 0, variance = 0;
    for (int i = 0; i < PAIR_SCORES; i++)
        pairs += (double)t->pairs[i];
    match_elo result = {
        .score = score, .elo = ply_match_score_to_elo(score), .from_pairs = pairs >= 2};
    if (result.from_pairs) {
        double mean = 0;
        for (int i = 0; i < PAIR_SCORES; i++)
            mean += (double)t->pairs[i] * 0.25 * i / pairs;
        for (int i = 0; i < PAIR_SCORES; i++)
            variance += (double)t->pairs[i] / pairs * (0.25 * i - mean) * (0.25 * i - mean);
        variance /= pairs;
    } else {
        variance =
            ((double)t->wins * (1 - score) * (1 - score) +
             (double)t->draws * (0.5 - score) * (0.5 - score) + (double)t->losses * score * score) /
            (games * games);
    }
    double error = sqrt(variance);
    double above = ply_match_score_to_elo(score + Z95 * error) - result.elo;
    double below = result.elo - ply_match_score_to_elo(score - Z95 * error);
    if (!isfinite(result.elo))
        result.error = INFINITY;
    else if (isfinite(above) && isfinite(below))
        result.error = (above + below) / 2;
    else
        result.error = isfinite(below) ? below : above;
    if (error > 0)
        result.los = 0.5 * erfc(-(score - 0.5) / (error * sqrt(2)));
    else
        result.los = score > 0.5 ? 1 : score < 0.5 ? 0 : 0.5;
    return result;
}

/*
 * The most likely distribution with a given mean: the share p of a score a becomes
 * p / (1 + x (a - mean)), with x such that the mean comes out. x is found by bisection, as the sum
 * below decreases in x.
 */
static void tilt(const double shares[PAIR_SCORES], double mean, double out[PAIR_SCORES])
{
    double low = -1 / (1 - mean), high = 1 / mean, x = 0;
    for (int i = 0; i < BISECTIONS; i++) {
        x = (low + high) / 2;
        double sum = 0;
        for (int k = 0; k < PAIR_SCORES; k++)
            sum += shares[k] * (0.25 * k - mean) / (1 + x * (0.25 * k - mean));
        if (sum > 0)
            low = x;
        else
            high = x;
    }
    for (int k = 0; k < PAIR_SCORES; k++)
        out[k] = shares[k] / (1 + x * (0.25 * k - mean));
}

double ply_match_sprt_llr(const match_tally *t, double elo0, double elo1)
{
    /* Scores that have not occurred count as a small fraction, which keeps logarithms finite. */
    static const double unseen = 1e-3;
    double shares[PAIR_SCORES], pairs = 0, total = 0, p0[PAIR_SCORES], p1[PAIR_SCORES], llr = 0;
    for (int i = 0; i < PAIR_SCORES; i++) {
        total += (double)t->pairs[i];
        pairs += shares[i] = t->pairs[i] ? (double)t->pairs[i] : unseen;
    }
    if (total == 0)
        return 0;
    for (int i = 0; i < PAIR_SCORES; i++)
        shares[i] /= pairs;
    tilt(shares, ply_match_elo_to_score(elo0), p0);
    tilt(shares, ply_match_elo_to_score(elo1), p1);
    for (int i = 0; i < PAIR_SCORES; i++)
        llr += shares[i] * log(p1[i] / p0[i]);
    return pairs * llr;
}

void ply_match_sprt_bounds(const match_sprt *sprt, double *lower, double *upper)
{
    *lower = log(sprt->beta / (1 - sprt->alpha));
    *upper = log((1 - sprt->beta) / sprt->alpha);
}

match_verdict ply_match_sprt_verdict(const match_sprt *sprt, const match_tally *tally)
{
    double lower, upper, llr = ply_match_sprt_llr(tally, sprt->elo0, sprt->elo1);
    ply_match_sprt_bounds(sprt, &lower, &upper);
    return llr <= lower ? MATCH_H0 : llr >= upper ? MATCH_H1 : MATCH_UNDECIDED;
}
