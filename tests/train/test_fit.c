/* SPDX-License-Identifier: MIT */
/* test_fit.c - the fit recovers known weights. */
#include "support/support.h"
#include "train/fit.h"
#include <math.h>

enum { WEIGHTS = 12, SAMPLES = 60000, MAX_COUNT = 8 };

static double uniform(ply_rng *rng)
{
    return (double)(ply_rng_next(rng) >> 11) * 0x1p-53;
}

/* Samples with a few random terms, and results drawn with the probabilities of the true weights. */
static void make_samples(train_data *data, const double *truth, double scale)
{
    ply_rng rng = ply_rng_make(5, 0);
    *data = (train_data){.weight_count = WEIGHTS + 1};
    for (uint32_t i = 0; i < SAMPLES; i++) {
        train_term terms[WEIGHTS];
        double value = 0;
        size_t count = 0;
        for (uint32_t w = 0; w < WEIGHTS; w++) {
            int32_t times = (int32_t)ply_rng_below(&rng, 2 * MAX_COUNT + 1) - MAX_COUNT;
            if (ply_rng_below(&rng, 3) > 0 || times == 0)
                continue;
            terms[count++] = (train_term){w, (float)times / 4};
            value += truth[w] * times / 4;
        }
        double chance = 1 / (1 + exp(-scale * value));
        float result = uniform(&rng) < chance ? 1.0f : 0.0f;
        assert_true(train_data_add(data, terms, count, result, (float)value,
                                   (train_set)(i % 10 < 8 ? TRAIN_TRAINING : i % 10 - 7)));
    }
}

static void test_known_weights(void **state)
{
    (void)state;
    const double scale = 0.006;
    double truth[WEIGHTS + 1], old[WEIGHTS + 1], found[WEIGHTS + 1];
    for (int w = 0; w < WEIGHTS; w++) {
        truth[w] = (w % 3 - 1) * 60 + 10 * w;
        old[w] = 100;
    }
    truth[WEIGHTS] = 0;
    old[WEIGHTS] = 77; /* in no sample */
    train_data data;
    make_samples(&data, truth, scale);
    train_fit_result result;
    assert_true(train_fit(&data, old, 0, scale, found, &result));
    for (int w = 0; w < WEIGHTS; w++)
        if (fabs(found[w] - truth[w]) > 8) /* about four standard errors */
            fail_msg("weight %d: %g is far from %g", w, found[w], truth[w]);
    assert_true(fabs(found[WEIGHTS] - 77) < 1e-6);
    assert_true(result.lambda > 0);
    for (int set = 0; set < TRAIN_SETS; set++)
        assert_true(result.after[set] < result.before[set]);
    /* The true weights predict the results no better than those found, up to chance. */
    double again[WEIGHTS + 1];
    train_fit_result at_truth;
    assert_true(train_fit(&data, truth, 0, scale, again, &at_truth));
    assert_true(fabs(at_truth.before[TRAIN_TEST] - result.after[TRAIN_TEST]) < 0.001);
    /* The scores are exact here: as targets they give a sharper answer than the results. */
    assert_true(train_fit(&data, old, 1, scale, found, &result));
    for (int w = 0; w < WEIGHTS; w++)
        assert_true(fabs(found[w] - truth[w]) < 1);
    train_data_free(&data);
}

static void test_scale(void **state)
{
    (void)state;
    double truth[WEIGHTS + 1], found[WEIGHTS + 1];
    for (int w = 0; w <= WEIGHTS; w++)
        truth[w] = 40 + 7 * w;
    train_data data;
    make_samples(&data, truth, 0.004);
    train_fit_result result;
    assert_true(train_fit(&data, truth, 0, 0, found, &result));
    assert_true(fabs(result.scale - 0.004) < 0.0002);
    train_data_free(&data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_weights),
        cmocka_unit_test(test_scale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
