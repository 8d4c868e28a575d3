/* SPDX-License-Identifier: MIT */
/*
 * test_games.c - files of self-play games: they do not depend on the number of threads or on
 * interruptions, read back what was written, and damage is reported.
 */
#include "support/support.h"
#include "train/fit.h"
#include "train/play.h"
#include "train/positions.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { GAMES = 90, MAX_FILE = 1 << 20 };

static const train_play_options neighbours_options = {.variants = {"slide", "jump"},
                                                      .variant_count = 2,
                                                      .games = GAMES,
                                                      .nodes = 60,
                                                      .seed = 3,
                                                      .opening_plies = 6,
                                                      .balance = 300,
                                                      .draw = -1,
                                                      .max_plies = 100,
                                                      .network = "none",
                                                      .threads = 1};

typedef struct bytes {
    unsigned char *data;
    size_t size;
} bytes;

static bytes read_all(const char *path)
{
    bytes b = {malloc(MAX_FILE), 0};
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_non_null(b.data);
    b.size = fread(b.data, 1, MAX_FILE, file);
    assert_true(b.size > 0 && b.size < MAX_FILE);
    fclose(file);
    return b;
}

static void write_all(const char *path, const unsigned char *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static const char *temporary(char *path, size_t size, const char *name)
{
    snprintf(path, size, "train_%s_%d.games", name, (int)getpid());
    unlink(path);
    return path;
}

static const ply_game *neighbours(void)
{
    return ply_game_find("neighbours");
}

/* --- one game -------------------------------------------------------------------------------- */
static void assert_same_game(const train_game *a, const train_game *b)
{
    assert_int_equal(a->number, b->number);
    assert_int_equal(a->variant, b->variant);
    assert_int_equal(a->result, b->result);
    assert_int_equal(a->ending, b->ending);
    assert_int_equal(a->opening, b->opening);
    assert_int_equal(a->plies, b->plies);
    assert_int_equal(a->final_key, b->final_key);
    assert_string_equal(a->start ? a->start : "", b->start ? b->start : "");
    assert_memory_equal(a->moves, b->moves, a->plies * sizeof *a->moves);
    assert_memory_equal(a->scores, b->scores, a->plies * sizeof *a->scores);
}

/* A random game: any moves, scores across the whole range and beyond. */
static void make_random_game(ply_rng *rng, uint64_t g, train_game *game)
{
    char start[64];
    size_t length = ply_rng_below(rng, 40), plies = ply_rng_below(rng, 300);
    memset(start, 'x', length);
    game->plies = 0;
    game->number = g;
    game->variant = ply_rng_below(rng, 2);
    game->result = PLY_FIRST_WINS + ply_rng_below(rng, 3);
    game->ending = ply_rng_below(rng, TRAIN_ENDINGS);
    game->opening = plies ? ply_rng_below(rng, (uint32_t)plies) : 0;
    game->final_key = (uint32_t)ply_rng_next(rng);
    assert_true(train_game_set_start(game, start, length));
    for (size_t i = 0; i < plies; i++) {
        int32_t score = (int32_t)ply_rng_below(rng, 100000) - 50000;
        uint32_t move = ply_rng_below(rng, 1u << ply_rng_below(rng, 30));
        assert_true(train_game_add(game, move, i < game->opening ? 0 : score));
        assert_true(abs(game->scores[i]) <= TRAIN_MAX_SCORE);
    }
}

/* What is written is read back. */
static void test_round_trip(void **state)
{
    (void)state;
    enum { COUNT = 500 };
    static train_game games[COUNT];
    static size_t ends[COUNT];
    ply_rng rng = ply_rng_make(11, 0);
    char path[64];
    temporary(path, sizeof path, "round_trip");
    ply_text text = ply_text_growing();
    train_game_file_encode_header("game neighbours\nvariant slide\nvariant jump\n", &text);
    for (uint64_t g = 0; g < COUNT; g++) {
        make_random_game(&rng, g, &games[g]);
        train_game_encode(&games[g], &text);
        ends[g] = text.length;
    }
    write_all(path, (unsigned char *)text.data, text.length);
    FILE *stream = fopen(path, "rb");
    train_game_file file;
    train_game read = {0};
    ply_error error = {0};
    bool found;
    assert_non_null(stream);
    assert_int_equal(train_game_file_open(&file, stream, &error), PLY_OK);
    assert_string_equal(file.game_id, "neighbours");
    assert_int_equal(file.variant_count, 2);
    assert_string_equal(file.variants[1], "jump");
    for (uint64_t g = 0; g < COUNT; g++) {
        assert_int_equal(train_game_file_next(&file, &read, &found, &error), PLY_OK);
        assert_true(found);
        assert_same_game(&games[g], &read);
        assert_int_equal(file.end, ends[g]);
        train_game_free(&games[g]);
    }
    assert_int_equal(train_game_file_next(&file, &read, &found, &error), PLY_OK);
    assert_false(found);
    train_game_file_close(&file);
    fclose(stream);
    unlink(path);
    ply_text_free(&text);
    train_game_free(&read);
}

/* A played game replays to its result: every move is legal, the last position is the right one. */
static void test_replay(void **state)
{
    (void)state;
    static const char *const variants[] = {"english", "russian", "brazilian"};
    const ply_game *game = ply_game_find("checkers");
    for (size_t v = 0; v < 3; v++) {
        ply_rules rules;
        assert_int_equal(ply_rules_make(&rules, game, variants[v], NULL), PLY_OK);
        ply_search_options search = {.memory_mb = 1, .network = "none"};
        ply_searcher *searcher = ply_searcher_new(&rules, &search);
        assert_non_null(searcher);
        train_play_options options = {.nodes = 200,
                                      .opening_plies = 8,
                                      .balance = 150,
                                      .resign = 300,
                                      .draw = 10,
                                      .max_plies = 120};
        unsigned endings[TRAIN_ENDINGS] = {0};
        for (uint64_t g = 0; g < 20; g++) {
            train_game played = {0};
            assert_int_equal(train_play_game(&rules, searcher, NULL, &options, g, &played), PLY_OK);
            ply_state replayed;
            ply_error error = {0};
            assert_int_equal(ply_state_init(&replayed, &rules), PLY_OK);
            assert_int_equal(train_game_begin(&played, &replayed, &error), PLY_OK);
            for (size_t i = 0; i < played.plies; i++) {
                ply_move move;
                assert_int_equal(ply_state_outcome(&replayed).result, PLY_ONGOING);
                assert_int_equal(train_game_move(&played, &replayed, &move, &error), PLY_OK);
                assert_int_equal(ply_state_play(&replayed, move), PLY_OK);
            }
            assert_int_equal(train_game_check_end(&played, &replayed, &error), PLY_OK);
            ply_result result = ply_state_outcome(&replayed).result;
            if (played.ending == TRAIN_BY_RULE)
                assert_int_equal(result, played.result);
            else
                assert_int_equal(result, PLY_ONGOING);
            if (played.ending == TRAIN_MAX_PLIES)
                assert_int_equal(played.plies, options.max_plies);
            if (played.ending == TRAIN_RESIGNED)
                for (size_t k = 1; k <= TRAIN_RESIGN_PLIES; k++)
                    assert_true(abs(played.scores[played.plies - k]) >= options.resign);
            endings[played.ending]++;
            played.final_key++;
            assert_int_equal(train_game_check_end(&played, &replayed, &error), PLY_BAD_TEXT);
            ply_state_free(&replayed);
            train_game_free(&played);
        }
        assert_true(endings[TRAIN_FORCED] + endings[TRAIN_RESIGNED] > 0);
        ply_searcher_free(searcher);
    }
}

/* --- files ----------------------------------------------------------------------------------- */
static void test_threads_and_interruptions(void **state)
{
    (void)state;
    char paths[2][64];
    train_play_options options = neighbours_options;
    ply_error error = {0};
    temporary(paths[0], sizeof paths[0], "one");
    temporary(paths[1], sizeof paths[1], "other");
    assert_int_equal(train_play(neighbours(), &options, paths[0], &error), PLY_OK);
    /* The same with three threads, after an interruption in the middle of a game. */
    options.threads = 3;
    options.games = 70;
    assert_int_equal(train_play(neighbours(), &options, paths[1], &error), PLY_OK);
    bytes part = read_all(paths[1]);
    assert_int_equal(truncate(paths[1], (off_t)(part.size - 9)), 0);
    options.games = GAMES;
    assert_int_equal(train_play(neighbours(), &options, paths[1], &error), PLY_OK);
    bytes one = read_all(paths[0]), other = read_all(paths[1]);
    assert_int_equal(one.size, other.size);
    assert_memory_equal(one.data, other.data, one.size);
    /* Nothing is left to do: the file stays as it is. */
    assert_int_equal(train_play(neighbours(), &options, paths[1], &error), PLY_OK);
    bytes again = read_all(paths[1]);
    assert_int_equal(one.size, again.size);
    /* Other options do not continue the file. */
    options.seed++;
    assert_int_equal(train_play(neighbours(), &options, paths[1], &error), PLY_BAD_OPTION);
    assert_non_null(strstr(error.message, "other options"));
    for (int i = 0; i < 2; i++)
        unlink(paths[i]);
    free(part.data);
    free(one.data);
    free(other.data);
    free(again.data);
}

static ply_status count_position(void *context, const train_position *p, ply_error *error)
{
    (void)error;
    unsigned *counts = context;
    assert_in_range(p->half_points, 0, 2);
    counts[p->game]++;
    return PLY_OK;
}

static ply_status walk(const char *path, size_t per_game, unsigned *counts, train_walk *result,
                       ply_error *error)
{
    *result = (train_walk){.game = neighbours(),
                           .paths = &path,
                           .path_count = 1,
                           .per_game = per_game,
                           .visit = count_position,
                           .context = counts};
    return train_walk_run(result, error);
}

static void test_walk(void **state)
{
    (void)state;
    char path[64];
    ply_error error = {0};
    unsigned all[GAMES] = {0}, few[GAMES] = {0};
    train_walk whole, limited;
    assert_int_equal(
        train_play(neighbours(), &neighbours_options, temporary(path, sizeof path, "walk"), &error),
        PLY_OK);
    assert_int_equal(walk(path, 0, all, &whole, &error), PLY_OK);
    assert_int_equal(walk(path, 5, few, &limited, &error), PLY_OK);
    assert_int_equal(whole.games, GAMES);
    assert_int_equal(whole.plies, limited.plies);
    assert_true(whole.positions > 500 && whole.positions < whole.plies);
    uint64_t sum = 0;
    for (size_t g = 0; g < GAMES; g++) {
        assert_int_equal(few[g], all[g] < 5 ? all[g] : 5);
        sum += few[g];
    }
    assert_int_equal(sum, limited.positions);
    /* The samples of the fit are the same positions. */
    train_data data;
    const char *only = "jump", *file = path;
    assert_int_equal(train_load(&data, neighbours(), &file, 1, NULL, 0, &error), PLY_OK);
    assert_int_equal(data.games, GAMES);
    assert_true(data.sample_count > 500 && data.sample_count <= whole.positions);
    size_t sizes[TRAIN_SETS] = {0};
    for (size_t i = 0; i < data.sample_count; i++)
        sizes[data.samples[i].set]++;
    assert_true(sizes[TRAIN_TRAINING] > 4 * sizes[TRAIN_TEST] && sizes[TRAIN_TEST] > 0 &&
                sizes[TRAIN_VALIDATION] > 0);
    train_data_free(&data);
    assert_int_equal(train_load(&data, neighbours(), &file, 1, &only, 1, &error), PLY_OK);
    assert_int_equal(data.games, GAMES / 2);
    train_data_free(&data);
    unlink(path);
}

/* Adds up the outlook from the front, where the walk goes from the end. The players alternate. */
static ply_status check_outlook(void *context, const train_position *p, ply_error *error)
{
    (void)error;
    const train_game *game = (const train_game *)context + p->game;
    const double lambda = 0.9, scale = 120;
    double expected = 0, weight = 1;
    for (size_t ply = p->ply; ply < game->plies; ply++) {
        if (ply < game->opening)
            continue;
        double value = 1 / (1 + exp(-game->scores[ply] / scale));
        expected += weight * (1 - lambda) * ((ply - p->ply) % 2 == 0 ? value : 1 - value);
        weight *= lambda;
    }
    expected += weight * p->half_points / 2;
    assert_true(fabs(p->outlook - expected) < 1e-9);
    return PLY_OK;
}

static void test_outlook(void **state)
{
    (void)state;
    char path[64];
    ply_error error = {0};
    train_game games[GAMES] = {0};
    assert_int_equal(train_play(neighbours(), &neighbours_options,
                                temporary(path, sizeof path, "outlook"), &error),
                     PLY_OK);
    FILE *stream = fopen(path, "rb");
    train_game_file file;
    assert_int_equal(train_game_file_open(&file, stream, &error), PLY_OK);
    for (size_t i = 0; i < GAMES; i++) {
        bool found;
        assert_int_equal(train_game_file_next(&file, &games[i], &found, &error), PLY_OK);
        assert_true(found);
    }
    train_game_file_close(&file);
    fclose(stream);
    const char *only = path;
    train_walk walk = {.game = neighbours(),
                       .paths = &only,
                       .path_count = 1,
                       .all = true,
                       .lambda = 0.9,
                       .scale = 120,
                       .visit = check_outlook,
                       .context = games};
    assert_int_equal(train_walk_run(&walk, &error), PLY_OK);
    assert_true(walk.positions > 500);
    for (size_t i = 0; i < GAMES; i++)
        train_game_free(&games[i]);
    unlink(path);
}

/* Whatever byte is changed or missing, reading fails with one line, or succeeds and is harmless. */
static void test_damage(void **state)
{
    (void)state;
    char path[64];
    train_play_options options = neighbours_options;
    ply_error error = {0};
    options.games = 6;
    assert_int_equal(
        train_play(neighbours(), &options, temporary(path, sizeof path, "damage"), &error), PLY_OK);
    bytes whole = read_all(path);
    unsigned counts[GAMES] = {0};
    train_walk result;
    assert_int_equal(walk(path, 0, counts, &result, &error), PLY_OK);
    size_t header = 12 + ((size_t)whole.data[8] | (size_t)whole.data[9] << 8), accepted = 0;
    for (size_t i = 0; i < whole.size; i++) {
        whole.data[i] = (unsigned char)(whole.data[i] ^ 1 << (i % 8));
        write_all(path, whole.data, whole.size);
        whole.data[i] = (unsigned char)(whole.data[i] ^ 1 << (i % 8));
        error = (ply_error){0};
        ply_status status = walk(path, 0, counts, &result, &error);
        accepted += status == PLY_OK && i >= header;
        assert_true(status == PLY_OK || error.message[0] != '\0');
        assert_null(strchr(error.message, '\n'));
    }
    assert_int_equal(accepted, 0); /* the checksums find every change of a game */
    for (size_t size = 0; size < whole.size; size += 7) {
        write_all(path, whole.data, size);
        error = (ply_error){0};
        if (walk(path, 0, counts, &result, &error) == PLY_OK)
            assert_true(size >= header && result.games < 6); /* a cut between two games */
        else
            assert_true(strstr(error.message, "cut short") || strstr(error.message, "not a file"));
    }
    /* A damaged game in the middle is not overwritten by resuming. */
    whole.data[header + 20] ^= 1;
    write_all(path, whole.data, whole.size);
    assert_int_equal(train_play(neighbours(), &options, path, &error), PLY_BAD_TEXT);
    bytes after = read_all(path);
    assert_int_equal(after.size, whole.size);
    free(after.data);
    free(whole.data);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_replay),
        cmocka_unit_test(test_threads_and_interruptions),
        cmocka_unit_test(test_walk),
        cmocka_unit_test(test_outlook),
        cmocka_unit_test(test_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
