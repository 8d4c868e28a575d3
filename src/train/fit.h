/* SPDX-License-Identifier: MIT */
/*
 * fit.h - fitting the weights of a linear evaluation to games of self-play; see docs/tuning.md.
 *
 *     train_load   reads games and keeps quiet positions, each a sparse vector of terms
 *     train_fit    fits the weights by logistic regression, regularised towards the old weights
 *
 * Everything here gives the same result on every machine. No function may be called on the same
 * data from two threads at once.
 */
#ifndef PLY_TRAIN_FIT_H
#define PLY_TRAIN_FIT_H

#include <plyverse/game.h>

/* --- samples (terms.c) ----------------------------------------------------------------------- */
typedef struct train_term {
    uint32_t weight; /* index */
    float count;     /* from the point of view of the player to move */
} train_term;

/* What a sample is used for: fitting, choosing the regularisation, or the final judgement. */
typedef enum train_set { TRAIN_TRAINING, TRAIN_VALIDATION, TRAIN_TEST, TRAIN_SETS } train_set;

typedef struct train_sample {
    size_t first; /* of its terms */
    uint32_t count;
    uint8_t set;  /* train_set */
    float result; /* of the game: 1, 1/2 or 0 for the player to move */
    float score;  /* of the search */
} train_sample;

/* Owns its arrays; train_data_free releases them. Zeroed memory is empty data. */
typedef struct train_data {
    size_t weight_count;
    train_sample *samples;
    size_t sample_count, sample_capacity;
    train_term *terms;
    size_t term_count, term_capacity;
    uint64_t games, positions; /* read; the samples are the positions that were kept */
} train_data;

void train_data_free(train_data *data);
/* Appends a sample; false when memory runs out. */
bool train_data_add(train_data *data, const train_term *terms, size_t count, float result,
                    float score, train_set set);
/*
 * Reads files of games into uninitialised data: those of the given variants, or all if
 * variant_count is 0. Of every ten games, eight are for training, one for validation and one for the
 * test. On failure error says what is wrong; train_data_free is needed either way.
 */
ply_status train_load(train_data *data, const ply_game *game, const char *const *paths,
                      size_t path_count, const char *const *variants, size_t variant_count,
                      ply_error *error);

/* --- the fit (fit.c) ------------------------------------------------------------------------- */
typedef struct train_fit_result {
    double scale;  /* win probability = 1 / (1 + exp(-scale * evaluation)) */
    double lambda; /* chosen strength of the regularisation; 0: the old weights were kept */
    double before[TRAIN_SETS], after[TRAIN_SETS]; /* mean loss against the results of the games */
} train_fit_result;

/*
 * Fits weights to the data. The target of a sample is the search's score, as a probability, with
 * weight `blend`, and the result of the game with weight 1 - blend. scale 0: fit the scale to the
 * old weights first. old and weights have data->weight_count elements. False when memory runs out.
 */
bool train_fit(const train_data *data, const double *old, double blend, double scale,
               double *weights, train_fit_result *result);

#endif
