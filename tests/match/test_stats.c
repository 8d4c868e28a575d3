/* SPDX-License-Identifier: MIT */
/* test_stats.c - the statistics of matches against values computed by other means. */
#include "match/stats.h"
#include "support/support.h"
#include <math.h>

static void near(double got, double wanted, double within)
{
    if (!(fabs(got - wanted) <= within))
        fail_msg("%.9f is not %.9f", got, wanted);
}

static void test_elo_by_hand(void **state)
{
    (void)state;
    near(ply_match_score_to_elo(0.75), 190.848501887865, 1e-9); /* 400 log10(3) */
    near(ply_match_elo_to_score(0), 0.5, 1e-15);
    near(ply_match_elo_to_score(400), 10.0 / 11.0, 1e-12);
    assert_true(isinf(ply_match_score_to_elo(1)) && ply_match_score_to_elo(1) > 0);
    assert_true(isinf(ply_match_score_to_elo(0)) && ply_match_score_to_elo(0) < 0);
    assert_true(isinf(ply_match_score_to_elo(1.5)) && ply_match_score_to_elo(1.5) > 0);
    assert_true(isinf(ply_match_score_to_elo(-0.5)) && ply_match_score_to_elo(-0.5) < 0);
    /*
     * +10 -5 =5: s = 0.625; variance of a game (10 * 0.375^2 + 5 * 0.125^2 + 5 * 0.625^2) / 20 =
     * 0.171875; e = sqrt(0.171875 / 20) = 0.092703; Elo from 0.443306 (-39.6) to 0.806694 (248.2).
     */
    match_tally single = {.wins = 10, .losses = 5, .draws = 5};
    match_elo elo = ply_match_estimate(&single);
    assert_false(elo.from_pairs);
    near(elo.score, 0.625, 1e-15);
    near(elo.elo, 88.739499846543, 1e-9);
    near(elo.error, 143.874852263898, 1e-6);
    near(elo.los, 0.911235073794, 1e-9);
    /* Pairs of 0, 1/2, 1, 3/2, 2 points: 1, 2, 10, 5, 2 of them; 22.5 points of 40. */
    match_tally pairs = {.wins = 14, .losses = 9, .draws = 17, .pairs = {1, 2, 10, 5, 2}};
    elo = ply_match_estimate(&pairs);
    assert_true(elo.from_pairs);
    near(elo.score, 0.5625, 1e-15);
    near(elo.elo, 43.657787770027, 1e-9);
    near(elo.error, 74.014066150555, 1e-6);
    near(elo.los, 0.882343122261, 1e-9);
    /* The same games in pairs that are all one win, one loss say that the two are equal. */
    match_tally even = {.wins = 10, .losses = 10, .pairs = {0, 0, 10, 0, 0}};
    elo = ply_match_estimate(&even);
    near(elo.elo, 0, 1e-9);
    near(elo.error, 0, 1e-9);
    near(elo.los, 0.5, 1e-9);
}

static void test_elo_at_the_ends(void **state)
{
    (void)state;
    match_tally none = {0};
    match_elo elo = ply_match_estimate(&none);
    near(elo.score, 0.5, 0);
    assert_true(elo.elo == 0 && isinf(elo.error));
    match_tally all = {.wins = 8, .pairs = {0, 0, 0, 0, 4}};
    elo = ply_match_estimate(&all);
    assert_true(isinf(elo.elo) && elo.elo > 0 && isinf(elo.error) && elo.los == 1);
    /* Only the lower end is finite: the error is the distance to it. */
    match_tally nearly = {.wins = 19, .losses = 1};
    elo = ply_match_estimate(&nearly);
    near(elo.elo, 511.501440318, 1e-6); /* 400 log10(19) */
    double e = sqrt((19 * 0.05 * 0.05 + 0.95 * 0.95) / 400);
    near(elo.error, elo.elo - ply_match_score_to_elo(0.95 - 1.959963984540054 * e), 1e-9);
}

static void test_sprt(void **state)
{
    (void)state;
    double lower, upper;
    match_sprt sprt = {0, 5, 0.05, 0.05};
    ply_match_sprt_bounds(&sprt, &lower, &upper);
    near(upper, 2.944438979166, 1e-9); /* log 19 */
    near(lower, -2.944438979166, 1e-9);
    /* Wald's bounds: alpha is the risk of accepting H1 wrongly, beta that of accepting H0 wrongly. */
    match_sprt uneven = {0, 5, 0.01, 0.2};
    ply_match_sprt_bounds(&uneven, &lower, &upper);
    near(upper, 4.382026634673881, 1e-12);   /* log(0.8 / 0.01) */
    near(lower, -1.5993875765805989, 1e-12); /* log(0.2 / 0.99) */
    /* Computed by Newton's method in another program. */
    static const struct {
        match_tally tally;
        double elo0, elo1, llr;
    } known[] = {
        {{.pairs = {1, 2, 10, 5, 2}}, 0, 10, 0.259513879429},
        {{.pairs = {40, 180, 400, 230, 50}}, 0, 5, 1.915592383067},
        {{.pairs = {0, 0, 3, 5, 40}}, 0, 50, 6.412351377602},
        {{.pairs = {230, 900, 2000, 800, 200}}, -3, 1, -3.786325436840},
        {{.pairs = {90, 6, 3, 1, 0}}, 0, 300, -119.745766820194},
        {{.pairs = {0, 1, 3, 6, 90}}, -300, 0, 119.745766820194},
        {{.pairs = {9, 0, 0, 0, 0}}, 0, 100, -2.958900626128},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        near(ply_match_sprt_llr(&known[i].tally, known[i].elo0, known[i].elo1), known[i].llr, 1e-6);
    /* From the other engine's point of view the sign changes. */
    match_tally mirrored = {.pairs = {50, 230, 400, 180, 40}};
    near(ply_match_sprt_llr(&mirrored, -5, 0), -1.915592383067, 1e-6);
    match_tally none = {0};
    near(ply_match_sprt_llr(&none, 0, 5), 0, 0);
    assert_int_equal(ply_match_sprt_verdict(&sprt, &none), MATCH_UNDECIDED);
    match_tally better = {.pairs = {80, 360, 800, 500, 140}};
    assert_int_equal(ply_match_sprt_verdict(&sprt, &better), MATCH_H1);
    match_tally worse = {.pairs = {140, 500, 800, 360, 80}};
    assert_int_equal(ply_match_sprt_verdict(&sprt, &worse), MATCH_H0);
}

/* An error is a probability: without any spread it is certain who is better, or that nobody is. */
static void test_without_spread(void **state)
{
    (void)state;
    match_tally wins = {.wins = 3}, losses = {.losses = 3}, draws = {.draws = 3};
    match_elo elo = ply_match_estimate(&wins);
    assert_true(elo.los == 1 && isinf(elo.elo) && elo.elo > 0);
    elo = ply_match_estimate(&losses);
    assert_true(elo.los == 0 && isinf(elo.elo) && elo.elo < 0 && isinf(elo.error));
    elo = ply_match_estimate(&draws);
    assert_true(elo.los == 0.5 && elo.elo == 0 && elo.error == 0);
    /* Two pairs are enough for the pentanomial model, one is not. */
    match_tally one = {.wins = 1, .draws = 1, .pairs = {0, 0, 0, 1, 0}};
    assert_false(ply_match_estimate(&one).from_pairs);
    match_tally two = {.wins = 2, .draws = 2, .pairs = {0, 0, 0, 2, 0}};
    elo = ply_match_estimate(&two);
    assert_true(elo.from_pairs && elo.los == 1);
    near(elo.error, 0, 1e-9);
}

/* Only the upper end is finite: the error is the distance to it. */
static void test_nearly_all_lost(void **state)
{
    (void)state;
    match_tally nearly = {.wins = 1, .losses = 19};
    match_elo elo = ply_match_estimate(&nearly);
    double e = sqrt((0.95 * 0.95 + 19 * 0.05 * 0.05) / 400);
    near(elo.elo, -511.501440318, 1e-6);
    near(elo.error, ply_match_score_to_elo(0.05 + 1.959963984540054 * e) - elo.elo, 1e-9);
    assert_true(elo.los < 1e-9);
}

/* The verdict changes exactly where the ratio reaches a bound. */
static void test_sprt_at_the_bounds(void **state)
{
    (void)state;
    match_tally tally = {.pairs = {40, 180, 400, 230, 50}};
    double llr = ply_match_sprt_llr(&tally, 0, 5); /* 1.9156 */
    for (int i = -1; i <= 1; i++) {
        /* With alpha = beta = a the upper bound is log((1 - a) / a), so a = 1 / (1 + e^bound). */
        double a = 1 / (1 + exp(llr + i * 1e-9));
        match_sprt sprt = {0, 5, a, a};
        assert_int_equal(ply_match_sprt_verdict(&sprt, &tally), i > 0 ? MATCH_UNDECIDED : MATCH_H1);
        match_tally worse = {.pairs = {50, 230, 400, 180, 40}};
        match_sprt other = {-5, 0, a, a};
        assert_int_equal(ply_match_sprt_verdict(&other, &worse),
                         i > 0 ? MATCH_UNDECIDED : MATCH_H0);
    }
    /* The ratio grows with the number of pairs, in proportion where every score has occurred. */
    match_tally twice = {.pairs = {80, 360, 800, 460, 100}};
    near(ply_match_sprt_llr(&twice, 0, 5), 2 * llr, 1e-9);
    /* A score that has not occurred counts as a thousandth of a pair. */
    match_tally few = {.pairs = {0, 0, 1, 0, 0}};
    double with_unseen = ply_match_sprt_llr(&few, 0, 100);
    assert_true(isfinite(with_unseen) && with_unseen < 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_elo_by_hand),    cmocka_unit_test(test_elo_at_the_ends),
        cmocka_unit_test(test_without_spread), cmocka_unit_test(test_nearly_all_lost),
        cmocka_unit_test(test_sprt),           cmocka_unit_test(test_sprt_at_the_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
