/* SPDX-License-Identifier: MIT */
/* cmd_fit.c - plyverse_train fit: weights of a linear evaluation, as text to include. */
#include "train/command.h"
#include "train/fit.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WEIGHTS_PER_LINE = 9 };

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
        return train_complain("cannot write ", path);
    write_weights(game, weights, file);
    if (path && fclose(file) != 0)
        return train_complain("cannot write ", path);
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
        return train_complain("no weight has this name: ", anchor);
    int old = game->tuning->weights[w];
    if (weights[w] == 0 || old == 0)
        return train_complain("an anchor must not be 0: ", anchor);
    double factor = old / weights[w];
    printf("factor %.4f to keep %s at %d\n", factor, anchor, old);
    for (size_t i = 0; i < count; i++)
        weights[i] *= factor;
    return 0;
}

static void print_result(const train_data *data, const train_fit_result *result)
{
    static const char *const sets[TRAIN_SETS] = {"training", "validation", "test"};
    printf("games %llu  positions %llu  samples %zu\nscale %.6f  lambda %g\n",
           (unsigned long long)data->games, (unsigned long long)data->positions, data->sample_count,
           result->scale, result->lambda);
    for (int set = 0; set < TRAIN_SETS; set++)
        printf("loss, %-11s before %.6f  after %.6f\n", sets[set], result->before[set],
               result->after[set]);
}

static int fit_samples(const ply_game *game, const train_data *data, const train_args *args)
{
    size_t count = game->tuning->weight_count;
    double *old = calloc(count + 1, sizeof *old), *weights = calloc(count + 1, sizeof *weights);
    train_fit_result result = {0};
    int exit_status = 0;
    for (size_t w = 0; old && w < count; w++)
        old[w] = game->tuning->weights[w];
    if (!old || !weights || !train_fit(data, old, (double)args->blend / 100, 0, weights, &result)) {
        exit_status = train_complain("out of memory", "");
    } else {
        print_result(data, &result);
        if (args->anchor)
            exit_status = apply_anchor(game, args->anchor, weights);
    }
    if (exit_status == 0 && weights) {
        for (size_t w = 0; w < count; w++)
            weights[w] = fmax(INT16_MIN, fmin(INT16_MAX, weights[w]));
        exit_status = save_weights(game, weights, args->out);
    }
    free(old);
    free(weights);
    return exit_status;
}

int train_fit_command(const ply_game *game, const train_args *args)
{
    train_data data;
    ply_error error = {0};
    if (!game->tuning)
        return train_complain(game->id, " has no weights to tune");
    if (args->path_count == 0)
        return train_complain("fit needs files of games", "");
    ply_status status = train_load(&data, game, args->paths, args->path_count, args->play.variants,
                                   args->play.variant_count, &error);
    int exit_status;
    if (status != PLY_OK)
        exit_status = train_complain_status(status, &error, NULL);
    else if (data.sample_count == 0)
        exit_status = train_complain(args->paths[0], ": no quiet positions");
    else
        exit_status = fit_samples(game, &data, args);
    train_data_free(&data);
    return exit_status;
}
