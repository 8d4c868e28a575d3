/* SPDX-License-Identifier: MIT */
/* terms.c - from positions to samples for the fit: the terms of the evaluation; see fit.h. */
#include "core/array.h"
#include "train/fit.h"
#include "train/positions.h"
#include <stdlib.h>
#include <string.h>

enum { SAMPLES_PER_GAME = 32 };

void train_data_free(train_data *data)
{
    free(data->samples);
    free(data->terms);
    *data = (train_data){0};
}

bool train_data_add(train_data *data, const train_term *terms, size_t count, float result,
                    float score, train_set set)
{
    if (!ply_array_grow(&data->samples, &data->sample_capacity, data->sample_count + 1,
                        sizeof *data->samples) ||
        !ply_array_grow(&data->terms, &data->term_capacity, data->term_count + count + 1,
                        sizeof *data->terms))
        return false;
    memcpy(data->terms + data->term_count, terms, count * sizeof *terms);
    data->samples[data->sample_count++] = (train_sample){.first = data->term_count,
                                                         .count = (uint32_t)count,
                                                         .set = (uint8_t)set,
                                                         .result = result,
                                                         .score = score};
    data->term_count += count;
    return true;
}

typedef struct term_reader {
    ply_term *terms;    /* of a position, as the game writes them */
    train_term *merged; /* the same with each weight once */
    int32_t *counts;    /* by weight: scratch for merging, all 0 in between */
    train_data *data;
} term_reader;

/* Writes the terms of a position to r->merged and checks them against the evaluation. */
static ply_status extract_terms(term_reader *r, const train_position *p, size_t *count,
                                ply_error *error)
{
    const ply_rules *rules = p->rules;
    size_t written = rules->tuning->terms(rules, p->position, r->terms);
    int64_t sum = 0;
    *count = 0;
    for (size_t i = 0; i < written; i++) {
        sum += (int64_t)rules->tuning->weights[r->terms[i].index] * r->terms[i].count;
        r->counts[r->terms[i].index] += r->terms[i].count;
    }
    for (size_t i = 0; i < written; i++) {
        uint32_t weight = r->terms[i].index;
        if (r->counts[weight] == 0)
            continue;
        r->merged[(*count)++] = (train_term){weight, (float)r->counts[weight] / PLY_TERM_ONE};
        r->counts[weight] = 0;
    }
    if (sum / PLY_TERM_ONE != rules->search->evaluate(rules, p->position))
        return ply_error_set(error, PLY_BAD_TEXT,
                             "game %llu: the sum of the terms is not the evaluation",
                             (unsigned long long)p->game);
    return PLY_OK;
}

static train_set set_of(uint64_t game)
{
    return game % 10 == 4 ? TRAIN_VALIDATION : game % 10 == 9 ? TRAIN_TEST : TRAIN_TRAINING;
}

static ply_status add_sample(void *context, const train_position *p, ply_error *error)
{
    term_reader *r = context;
    size_t count;
    ply_status status = extract_terms(r, p, &count, error);
    if (status != PLY_OK)
        return status;
    return train_data_add(r->data, r->merged, count, (float)p->half_points / 2, (float)p->score,
                          set_of(p->game))
               ? PLY_OK
               : PLY_NO_MEMORY;
}

ply_status train_load(train_data *data, const ply_game *game, const char *const *paths,
                      size_t path_count, const char *const *variants, size_t variant_count,
                      ply_error *error)
{
    *data = (train_data){.weight_count = game->tuning ? game->tuning->weight_count : 0};
    if (!game->tuning)
        return ply_error_set(error, PLY_UNSUPPORTED, "%s has no weights to tune", game->id);
    term_reader r = {.data = data,
                     .terms = calloc(game->tuning->max_terms + 1, sizeof *r.terms),
                     .merged = calloc(game->tuning->max_terms + 1, sizeof *r.merged),
                     .counts = calloc(game->tuning->weight_count + 1, sizeof *r.counts)};
    train_walk walk = {.game = game,
                       .paths = paths,
                       .path_count = path_count,
                       .variants = variants,
                       .variant_count = variant_count,
                       .per_game = SAMPLES_PER_GAME,
                       .visit = add_sample,
                       .context = &r};
    ply_status status =
        r.terms && r.merged && r.counts ? train_walk_run(&walk, error) : PLY_NO_MEMORY;
    data->games = walk.games;
    data->positions = walk.plies;
    free(r.terms);
    free(r.merged);
    free(r.counts);
    return status;
}
