/* SPDX-License-Identifier: MIT */
/*
 * main.c - plyverse_tune: plays games and fits weights; called by tools/tune.
 *
 *     plyverse_tune play GAME FILE [options]     plays games into a new or partial file
 *     plyverse_tune fit GAME FILE [options]      fits the weights to them and prints the result
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

enum {
    EXIT_BAD = 2,
    WEIGHTS_PER_LINE = 9,
};

typedef struct tune_args {
    tune_play_options play;
    uint64_t blend; /* percent */
    const char *anchor, *out;
} tune_args;

/* Prints an error message; returns the exit status. */
static int complain(const char *message, const char *detail)
{
    fprintf(stderr, "tune: %s%s\n", message, detail);
    return EXIT_BAD;
}

static bool parse_number(const char *text, uint64_t low, uint64_t high, uint64_t *value)
{
    char *end;
    if (!isdigit((unsigned char)text[0]))
        return false;
    *value = strtoull(text, &end, 10);
    return *end == '\0' && *value >= low && *value <= high;
}

static int parse_args(int argc, char **argv, tune_args *args)
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
            return complain("missing value after ", argv[i]);
        size_t k = 0, count = sizeof numbers / sizeof numbers[0];
        while (k < count && strcmp(argv[i], numbers[k].name) != 0)
            k++;
        if (k < count) {
            if (!parse_number(argv[i + 1], numbers[k].low, numbers[k].high, numbers[k].value))
                return complain("number expected or out of range: ", argv[i + 1]);
        } else if (strcmp(argv[i], "--variant") == 0 &&
                   args->play.variant_count < TUNE_MAX_VARIANTS) {
            args->play.variants[args->play.variant_count++] = argv[i + 1];
        } else if (strcmp(argv[i], "--anchor") == 0) {
            args->anchor = argv[i + 1];
        } else if (strcmp(argv[i], "--out") == 0) {
            args->out = argv[i + 1];
        } else {
            return complain("unknown option: ", argv[i]);
        }
    }
    args->play.opening_plies = (unsigned)opening;
    args->play.max_plies = (size_t)plies;
    args->play.threads = (unsigned)threads;
    return 0;
}

/* --- the weights file ------------------------------------------------------------------------ */
static const char *name_of(const ply_game *game, size_t w)
{
    const char *const *names = game->tuning->weight_names;
    return names && names[w] ? names[w] : "weight";
}

/* The length of a name without the digits at its end. */
static size_t stem_length(const char *name)
{
    size_t length = strlen(name);
    while (length > 0 && isdigit((unsigned char)name[length - 1]))
        length--;
    return length;
}

/*
 * The end of the group that starts at weight `first`: consecutive weights whose names differ only
 * in the digits at their end.
 */
static size_t group_end(const ply_game *game, size_t first)
{
    const char *name = name_of(game, first);
    size_t stem = stem_length(name), end = first + 1;
    while (name[stem] && end < game->tuning->weight_count &&
           stem_length(name_of(game, end)) == stem && strncmp(name_of(game, end), name, stem) == 0)
        end++;
    return end;
}

static void write_weights(const ply_game *game, const double *weights, FILE *file)
{
    fprintf(file,
            "/* SPDX-License-Identifier: MIT */\n"
            "/* Weights of %s, written by tools/tune; see docs/tuning.md. */\n",
            game->id);
    for (size_t first = 0; first < game->tuning->weight_count;) {
        size_t end = group_end(game, first);
        if (end == first + 1) {
            fprintf(file, "%ld, /* %s */\n", lround(weights[first]), name_of(game, first));
        } else {
            const char *last = name_of(game, end - 1);
            fprintf(file, "/* %s to %s */\n", name_of(game, first), last + stem_length(last));
            for (size_t w = first; w < end; w++) {
                bool line_ends = (w - first + 1) % WEIGHTS_PER_LINE == 0 || w + 1 == end;
                fprintf(file, "%ld,%s", lround(weights[w]), line_ends ? "\n" : " ");
            }
        }
        first = end;
    }
}

/* Writes the weights to a file, or to standard output if path is NULL. */
static int save_weights(const ply_game *game, const double *weights, const char *path)
{
    FILE *file = path ? fopen(path, "w") : stdout;
    if (!file)
        return complain("cannot write ", path);
    write_weights(game, weights, file);
    if (path && fclose(file) != 0)
        return complain("cannot write ", path);
    return 0;
}

/* --- fit ------------------------------------------------------------------------------------- */
/* Scales all weights so that one of them keeps its old value. */
static int apply_anchor(const ply_game *game, const char *anchor, double *weights)
{
    size_t count = game->tuning->weight_count, w = 0;
    while (w < count && strcmp(name_of(game, w), anchor) != 0)
        w++;
    if (w == count)
        return complain("no weight has this name: ", anchor);
    int old = game->tuning->weights[w];
    if (weights[w] == 0 || old == 0)
        return complain("an anchor must not be 0: ", anchor);
    double factor = old / weights[w];
    printf("factor %.4f to keep %s at %d\n", factor, anchor, old);
    for (size_t i = 0; i < count; i++)
        weights[i] *= factor;
    return 0;
}

static void print_result(const tune_data *data, const tune_fit_result *result)
{
    static const char *const sets[TUNE_SETS] = {"training", "validation", "test"};
    printf("games %llu  positions %llu  samples %zu\nscale %.6f  lambda %g\n",
           (unsigned long long)data->games, (unsigned long long)data->positions, data->sample_count,
           result->scale, result->lambda);
    for (int set = 0; set < TUNE_SETS; set++)
        printf("loss, %-11s before %.6f  after %.6f\n", sets[set], result->before[set],
               result->after[set]);
}

static int fit_samples(const ply_game *game, const tune_data *data, const tune_args *args)
{
    size_t count = game->tuning->weight_count;
    double *old = calloc(count + 1, sizeof *old), *weights = calloc(count + 1, sizeof *weights);
    tune_fit_result result = {0};
    int exit_status = 0;
    for (size_t w = 0; old && w < count; w++)
        old[w] = game->tuning->weights[w];
    if (!old || !weights || !tune_fit(data, old, (double)args->blend / 100, 0, weights, &result)) {
        exit_status = complain("out of memory", "");
    } else {
        print_result(data, &result);
        if (args->anchor)
            exit_status = apply_anchor(game, args->anchor, weights);
    }
    if (exit_status == 0) {
        for (size_t w = 0; w < count; w++)
            weights[w] = fmax(INT16_MIN, fmin(INT16_MAX, weights[w]));
        exit_status = save_weights(game, weights, args->out);
    }
    free(old);
    free(weights);
    return exit_status;
}

static int run_fit(const ply_game *game, const char *path, const tune_args *args)
{
    tune_data data;
    ply_error error = {0};
    FILE *file = fopen(path, "r");
    if (!file)
        return complain("cannot read ", path);
    ply_status status =
        tune_load(&data, game, file, args->play.variants, args->play.variant_count, &error);
    fclose(file);
    int exit_status;
    if (status != PLY_OK) {
        fprintf(stderr, "tune: %s: %s\n", path,
                error.message[0] ? error.message : ply_status_text(status));
        exit_status = EXIT_BAD;
    } else if (data.sample_count == 0) {
        exit_status = complain(path, ": no quiet positions");
    } else {
        exit_status = fit_samples(game, &data, args);
    }
    tune_data_free(&data);
    return exit_status;
}

/* --- play ------------------------------------------------------------------------------------ */
static int run_play(const ply_game *game, const char *path, const tune_args *args)
{
    ply_error error = {0};
    ply_status status = tune_play(game, &args->play, path, &error);
    if (status == PLY_OK)
        return 0;
    fprintf(stderr, "tune: %s: %s\n", path,
            error.message[0] ? error.message : ply_status_text(status));
    return EXIT_BAD;
}

int main(int argc, char **argv)
{
    tune_args args = {
        .play = {.games = 2000, .nodes = 4000, .seed = 1, .opening_plies = 8, .max_plies = 400},
        .blend = 25};
    bool play = argc > 1 && strcmp(argv[1], "play") == 0;
    if (argc < 4 || (!play && strcmp(argv[1], "fit") != 0)) {
        fputs(usage, stderr);
        return EXIT_BAD;
    }
    const ply_game *game = ply_game_find(argv[2]);
    if (!game)
        return complain("unknown game: ", argv[2]);
    if (!game->tuning)
        return complain(game->id, " has no weights to tune");
    int exit_status = parse_args(argc - 4, argv + 4, &args);
    if (exit_status != 0)
        return exit_status;
    return play ? run_play(game, argv[3], &args) : run_fit(game, argv[3], &args);
}
