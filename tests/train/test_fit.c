/* SPDX-License-Identifier: MIT */
/* test_tune.c - the fit recovers known weights; games do not depend on the number of threads. */
#include "support/support.h"
#include "tune/tune.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WEIGHTS = 12, SAMPLES = 60000, MAX_COUNT = 8 };

static double uniform(ply_rng *rng)
{
    return (double)(ply_rng_next(rng) >> 11) * 0x1p-53;
}

/* Samples with a few random terms, and results drawn with the probabilities of the true weights. */
static void make_samples(tune_data *data, const double *truth, double scale)
{
    ply_rng rng = ply_rng_make(5, 0);
    *data = (tune_data){.weight_count = WEIGHTS + 1};
    for (uint32_t i = 0; i < SAMPLES; i++) {
        tune_term terms[WEIGHTS];
        double value = 0;
        size_t count = 0;
        for (uint32_t w = 0; w < WEIGHTS; w++) {
            int32_t times = (int32_t)ply_rng_below(&rng, 2 * MAX_COUNT + 1) - MAX_COUNT;
            if (ply_rng_below(&rng, 3) > 0 || times == 0)
                continue;
            terms[count++] = (tune_term){w, (float)times / 4};
            value += truth[w] * times / 4;
        }
        double chance = 1 / (1 + exp(-scale * value));
        float result = uniform(&rng) < chance ? 1.0f : 0.0f;
        assert_true(tune_data_add(data, terms, count, result, (float)value,
                                  (tune_set)(i % 10 < 8 ? TUNE_TRAINING : i % 10 - 7)));
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
    tune_data data;
    make_samples(&data, truth, scale);
    tune_fit_result result;
    assert_true(tune_fit(&data, old, 0, scale, found, &result));
    for (int w = 0; w < WEIGHTS; w++)
        if (fabs(found[w] - truth[w]) > 8) /* about four standard errors */
            fail_msg("weight %d: %g is far from %g", w, found[w], truth[w]);
    assert_true(fabs(found[WEIGHTS] - 77) < 1e-6);
    assert_true(result.lambda > 0);
    for (int set = 0; set < TUNE_SETS; set++)
        assert_true(result.after[set] < result.before[set]);
    /* The true weights predict the results no better than those found, up to chance. */
    double again[WEIGHTS + 1];
    tune_fit_result at_truth;
    assert_true(tune_fit(&data, truth, 0, scale, again, &at_truth));
    assert_true(fabs(at_truth.before[TUNE_TEST] - result.after[TUNE_TEST]) < 0.001);
    /* The scores are exact here: as targets they give a sharper answer than the results. */
    assert_true(tune_fit(&data, old, 1, scale, found, &result));
    for (int w = 0; w < WEIGHTS; w++)
        assert_true(fabs(found[w] - truth[w]) < 1);
    tune_data_free(&data);
}

static void test_scale(void **state)
{
    (void)state;
    double truth[WEIGHTS + 1], found[WEIGHTS + 1];
    for (int w = 0; w <= WEIGHTS; w++)
        truth[w] = 40 + 7 * w;
    tune_data data;
    make_samples(&data, truth, 0.004);
    tune_fit_result result;
    assert_true(tune_fit(&data, truth, 0, 0, found, &result));
    assert_true(fabs(result.scale - 0.004) < 0.0002);
    tune_data_free(&data);
}

/* --- games ---------------------------------------------------------------------------------- */
static char *read_all(const char *path)
{
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char *text = calloc(1, 1 << 22);
    assert_non_null(text);
    assert_true(fread(text, 1, (1 << 22) - 1, file) > 0);
    fclose(file);
    return text;
}

static void test_games(void **state)
{
    (void)state;
    char paths[2][64];
    const ply_game *game = ply_game_find("neighbours");
    tune_play_options options = {.variants = {"slide", "jump"},
                                 .variant_count = 2,
                                 .games = 90,
                                 .nodes = 60,
                                 .seed = 3,
                                 .opening_plies = 6,
                                 .max_plies = 100,
                                 .threads = 1};
    for (int i = 0; i < 2; i++)
        snprintf(paths[i], sizeof paths[i], "tune_test_%d_%d.games", (int)getpid(), i);
    assert_int_equal(tune_play(game, &options, paths[0], NULL), PLY_OK);
    /* The same with two threads, after a truncation in the middle of a game. */
    options.threads = 2;
    options.games = 70;
    assert_int_equal(tune_play(game, &options, paths[1], NULL), PLY_OK);
    char *text = read_all(paths[1]);
    assert_int_equal(truncate(paths[1], (off_t)(strlen(text) - 30)), 0);
    free(text);
    options.games = 90;
    assert_int_equal(tune_play(game, &options, paths[1], NULL), PLY_OK);
    text = read_all(paths[0]);
    char *other = read_all(paths[1]);
    assert_string_equal(text, other);
    free(text);
    free(other);
    /* Other options do not continue the file. */
    options.seed = 4;
    ply_error error = {0};
    assert_int_equal(tune_play(game, &options, paths[1], &error), PLY_BAD_OPTION);

    FILE *file = fopen(paths[0], "r");
    tune_data data;
    assert_non_null(file);
    assert_int_equal(tune_load(&data, game, file, NULL, 0, &error), PLY_OK);
    fclose(file);
    assert_int_equal(data.games, 90);
    assert_true(data.sample_count > 500 && data.sample_count < data.positions);
    size_t sizes[TUNE_SETS] = {0};
    for (size_t i = 0; i < data.sample_count; i++)
        sizes[data.samples[i].set]++;
    assert_true(sizes[TUNE_TRAINING] > 4 * sizes[TUNE_TEST] && sizes[TUNE_TEST] > 0 &&
                sizes[TUNE_VALIDATION] > 0);
    tune_data_free(&data);
    const char *only = "jump";
    file = fopen(paths[0], "r");
    assert_non_null(file);
    assert_int_equal(tune_load(&data, game, file, &only, 1, &error), PLY_OK);
    fclose(file);
    assert_int_equal(data.games, 45);
    tune_data_free(&data);
    for (int i = 0; i < 2; i++)
        unlink(paths[i]);
}

static void test_bad_files(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "game x\nmoves\nscores\n",
        "game 0 slide 1-0 0\nmoves a1a9\nscores 1\n",
        "game 0 slide 1-0 0\nmoves b1b3\nscores\n",
        "game 0 nothing 1-0 0\nmoves\nscores\n",
        "game 0 slide 1-0 0\nscores\nmoves\n",
    };
    const ply_game *game = ply_game_find("neighbours");
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        FILE *file = fmemopen((void *)(uintptr_t)texts[i], strlen(texts[i]), "r");
        tune_data data;
        ply_error error = {0};
        assert_non_null(file);
        assert_int_not_equal(tune_load(&data, game, file, NULL, 0, &error), PLY_OK);
        assert_true(error.message[0] != '\0');
        tune_data_free(&data);
        fclose(file);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_weights),
        cmocka_unit_test(test_scale),
        cmocka_unit_test(test_games),
        cmocka_unit_test(test_bad_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
