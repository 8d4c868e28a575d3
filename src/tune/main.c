/* SPDX-License-Identifier: MIT */
/*
 * main.c - plyverse_tune: plays games and fits weights; called by tools/tune.
 *
 *     plyverse_tune play GAME FILE [options]     plays games, or goes on with them
 *     plyverse_tune fit GAME FILE [options]      reads them and prints the weights file
 */
#include "tune/tune.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const usage =
    "usage: plyverse_tune play GAME FILE [--games N] [--nodes N] [--seed S] [--opening PLIES]\n"
    "                     [--max-plies N] [--threads N] [--variant V]...\n"
    "       plyverse_tune fit GAME FILE [--blend PERCENT] [--anchor NAME] [--variant V]...\n"
    "                     [--out WEIGHTS]\n";

typedef struct tune_args {
    tune_play_options play;
    uint64_t blend; /* hundredths */
    const char *anchor, *out;
} tune_args;

static int complain(const char *what, const char *more)
{
    fprintf(stderr, "tune: %s%s\n", what, more);
    return 2;
}

static bool read_number(const char *text, uint64_t low, uint64_t high, uint64_t *value)
{
    char *end;
    if (!isdigit((unsigned char)text[0]))
        return false;
    *value = strtoull(text, &end, 10);
    return *end == '\0' && *value >= low && *value <= high;
}

static int read_args(int argc, char **argv, tune_args *args)
{
    uint64_t opening = args->play.opening_plies, plies = args->play.max_plies, threads = 1;
    const struct {
        const char *name;
        uint64_t low, high, *value;
    } numbers[] = {
        {"--games", 1, UINT32_MAX, &args->play.games},
        {"--nodes", 1, UINT64_MAX, &args->play.nodes},
        {"--seed", 0, UINT64_MAX, &args->play.seed},
        {"--opening", 0, 1000, &opening},
        {"--max-plies", 1, 100000, &plies},
        {"--threads", 1, 1024, &threads},
        {"--blend", 0, 100, &args->blend},
    };
    for (int i = 0; i < argc; i += 2) {
        if (i + 1 == argc)
            return complain("a value is missing behind ", argv[i]);
        size_t k = 0, count = sizeof numbers / sizeof numbers[0];
        while (k < count && strcmp(argv[i], numbers[k].name) != 0)
            k++;
        if (k < count) {
            if (!read_number(argv[i + 1], numbers[k].low, numbers[k].high, numbers[k].value))
                return complain("not a fitting whole number: ", argv[i + 1]);
        } else if (strcmp(argv[i], "--variant") == 0 && args->play.variant_count < TUNE_VARIANTS) {
            args->play.variants[args->play.variant_count++] = argv[i + 1];
        } else if (strcmp(argv[i], "--anchor") == 0) {
            args->anchor = argv[i + 1];
        } else if (strcmp(argv[i], "--out") == 0) {
            args->out = argv[i + 1];
        } else {
            return complain("no such option: ", argv[i]);
        }
    }
    args->play.opening_plies = (unsigned)opening;
    args->play.max_plies = (size_t)plies;
    args->play.threads = (unsigned)threads;
    return 0;
}

/* --- the weights file ----------------------------------------------------------------------- */
static const char *name_of(const ply_game *game, size_t w)
{
    return game->tuning->weight_names && game->tuning->weight_names[w]
               ? game->tuning->weight_names[w]
               : "weight";
}

/* How long a name is without the figures at its end. */
static size_t stem_of(const char *name)
{
    size_t length = strlen(name);
    while (length > 0 && isdigit((unsigned char)name[length - 1]))
        length--;
    return length;
}

/* Weights whose names differ in their last figures only are one group, written in rows of nine. */
static size_t group_end(const ply_game *game, size_t first)
{
    const char *name = name_of(game, first);
    size_t stem = stem_of(name), end = first + 1;
    while (name[stem] && end < game->tuning->weight_count && stem_of(name_of(game, end)) == stem &&
           strncmp(name_of(game, end), name, stem) == 0)
        end++;
    return end;
}

static void write_weights(const ply_game *game, const double *weights, FILE *file)
{
    fprintf(file, "/* SPDX-License-Identifier: MIT */\n/* Weights of %s, written by tools/tune; see docs/tuning.md. */\n", game->id);
    for (size_t first = 0; first < game->tuning->weight_count;) {
        size_t end = group_end(game, first);
        if (end == first + 1) {
            fprintf(file, "%ld, /* %s */\n", lround(weights[first]), name_of(game, first));
        } else {
            fprintf(file, "/* %s to %s */\n", name_of(game, first),
                    name_of(game, end - 1) + stem_of(name_of(game, end - 1)));
            for (size_t w = first; w < end; w++)
                fprintf(file, "%ld,%s", lround(weights[w]),
                        (w - first) % 9 == 8 || w + 1 == end ? "\n" : " ");
        }
        first = end;
    }
}

/* --- the commands --------------------------------------------------------------------------- */
/* Keeps one weight at what it was and the others in proportion to it. */
static int apply_anchor(const ply_game *game, const char *anchor, double *weights)
{
    for (size_t w = 0; w < game->tuning->weight_count; w++)
        if (strcmp(name_of(game, w), anchor) == 0) {
            if (weights[w] == 0 || game->tuning->weights[w] == 0)
                return complain("cannot be an anchor, being 0: ", anchor);
            double factor = game->tuning->weights[w] / weights[w];
            printf("factor %.4f to keep %s at %d\n", factor, anchor, game->tuning->weights[w]);
            for (size_t i = 0; i < game->tuning->weight_count; i++)
                weights[i] *= factor;
            return 0;
        }
    return complain("no weight of that name: ", anchor);
}

static int fit(const ply_game *game, const char *path, const tune_args *args)
{
    tune_data data;
    ply_error error = {0};
    FILE *file = fopen(path, "r");
    if (!file)
        return complain("cannot be read: ", path);
    ply_status status =
        tune_load(&data, game, file, args->play.variants, args->play.variant_count, &error);
    fclose(file);
    double *old = calloc(game->tuning->weight_count + 1, sizeof *old);
    double *weights = calloc(game->tuning->weight_count + 1, sizeof *weights);
    tune_fit_result result = {0};
    int bad = 0;
    if (status != PLY_OK || !old || !weights || data.sample_count == 0) {
        bad = complain(path, status == PLY_OK ? ": no positions" : ": ");
        fprintf(stderr, "tune: %s\n", error.message);
    } else {
        for (size_t w = 0; w < game->tuning->weight_count; w++)
            old[w] = game->tuning->weights[w];
        if (!tune_fit(&data, old, (double)args->blend / 100, 0, weights, &result))
            bad = complain("out of memory", "");
    }
    if (!bad) {
        printf("games %llu  positions %llu  quiet and different %zu\nscale %.6f  pull %g\n",
               (unsigned long long)data.games, (unsigned long long)data.positions,
               data.sample_count, result.scale, result.pull);
        static const char *const parts[] = {"fitted", "choosing", "held out"};
        for (int part = 0; part < TUNE_PARTS; part++)
            printf("loss, %-9s before %.6f  after %.6f\n", parts[part], result.before[part],
                   result.after[part]);
        if (args->anchor)
            bad = apply_anchor(game, args->anchor, weights);
    }
    for (size_t w = 0; w < game->tuning->weight_count && !bad; w++)
        weights[w] = fmax(INT16_MIN, fmin(INT16_MAX, weights[w]));
    if (!bad && args->out) {
        if (!(file = fopen(args->out, "w")))
            bad = complain("cannot be written: ", args->out);
        else
            write_weights(game, weights, file);
        if (file && fclose(file) != 0)
            bad = complain("cannot be written: ", args->out);
    } else if (!bad) {
        write_weights(game, weights, stdout);
    }
    tune_data_free(&data);
    free(old);
    free(weights);
    return bad;
}

int main(int argc, char **argv)
{
    tune_args args = {
        .play = {.games = 2000, .nodes = 4000, .seed = 1, .opening_plies = 8, .max_plies = 400},
        .blend = 25};
    if (argc < 4) {
        fputs(usage, stderr);
        return 2;
    }
    const ply_game *game = ply_game_find(argv[2]);
    if (!game)
        return complain("no game ", argv[2]);
    if (!game->tuning)
        return complain(game->id, ": its evaluation has no weights to tune");
    if (read_args(argc - 4, argv + 4, &args) != 0)
        return 2;
    if (strcmp(argv[1], "fit") == 0)
        return fit(game, argv[3], &args);
    if (strcmp(argv[1], "play") != 0) {
        fputs(usage, stderr);
        return 2;
    }
    ply_error error = {0};
    ply_status status = tune_play(game, &args.play, argv[3], &error);
    if (status != PLY_OK)
        fprintf(stderr, "tune: %s: %s\n", argv[3],
                error.message[0] ? error.message : ply_status_text(status));
    return status == PLY_OK ? 0 : 2;
}
