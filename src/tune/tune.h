/* SPDX-License-Identifier: MIT */
/*
 * tune.h - fitting the weights of an evaluation to games that the engine plays against itself.
 *
 *     tune_play   plays games and writes them as text: random openings, then our engine
 *     tune_load   reads the text and keeps quiet positions, each a sparse vector of terms
 *     tune_fit    fits the weights by logistic regression, regularised towards the old weights
 *
 * A game is three lines of text, so that games can be played once and fitted many times:
 *
 *     game 17 english 1-0 6      number, variant, result for player 0, plies of the opening
 *     moves 11-15 23-19 ...
 *     scores 4 -12 ...           one per move after the opening, for the player who makes it
 *
 * Everything here gives the same result on every machine and with any number of threads. It belongs
 * to the tool plyverse_tune and is not part of the library. No function may be called on the same
 * data from two threads at once.
 */
#ifndef PLY_TUNE_TUNE_H
#define PLY_TUNE_TUNE_H

#include <plyverse/search.h>
#include <stdio.h>

/* --- self-play (play.c) ---------------------------------------------------------------------- */
enum { TUNE_MAX_VARIANTS = 16 };

typedef struct tune_play_options {
    const char *variants[TUNE_MAX_VARIANTS]; /* game g uses number g modulo variant_count */
    size_t variant_count;                    /* 0: the default variant */
    uint64_t games, nodes, seed;
    unsigned opening_plies; /* random plies at the start: between half of this and all of it */
    size_t max_plies;       /* a longer game is drawn */
    unsigned threads;
} tune_play_options;

/*
 * Plays game number g and appends its three lines. The result depends on the rules, the options and
 * g only; the searcher, which must belong to the rules, is cleared first.
 */
ply_status tune_play_game(const ply_rules *rules, ply_searcher *searcher,
                          const tune_play_options *options, uint64_t g, ply_text *out);
/*
 * Plays all games and writes them to a file in order; prints the progress to stderr. A file that
 * was started with the same options is continued, whatever the number of games; any other file is
 * refused with PLY_BAD_OPTION.
 */
ply_status tune_play(const ply_game *game, const tune_play_options *options, const char *path,
                     ply_error *error);

/* --- samples (data.c) ------------------------------------------------------------------------ */
typedef struct tune_term {
    uint32_t weight; /* index */
    float count;     /* from the point of view of the player to move */
} tune_term;

/* What a sample is used for: fitting, choosing the regularisation, or the final judgement. */
typedef enum tune_set { TUNE_TRAINING, TUNE_VALIDATION, TUNE_TEST, TUNE_SETS } tune_set;

typedef struct tune_sample {
    size_t first; /* of its terms */
    uint32_t count;
    uint8_t set;  /* tune_set */
    float result; /* of the game: 1, 1/2 or 0 for the player to move */
    float score;  /* of the search */
} tune_sample;

/* Owns its arrays; tune_data_free releases them. Zeroed memory is empty data. */
typedef struct tune_data {
    size_t weight_count;
    tune_sample *samples;
    size_t sample_count, sample_capacity;
    tune_term *terms;
    size_t term_count, term_capacity;
    uint64_t games, positions; /* read; the samples are the positions that were kept */
} tune_data;

void tune_data_free(tune_data *data);
/* Appends a sample; false when memory runs out. */
bool tune_data_add(tune_data *data, const tune_term *terms, size_t count, float result, float score,
                   tune_set set);
/*
 * Reads games into uninitialised data: those of the given variants, or all if variant_count is 0.
 * Of every ten games, eight are for training, one for validation and one for the test. Fails with
 * PLY_BAD_TEXT or the status of a move that cannot be parsed; tune_data_free is needed either way.
 */
ply_status tune_load(tune_data *data, const ply_game *game, FILE *file, const char *const *variants,
                     size_t variant_count, ply_error *error);

/* --- the fit (fit.c) ------------------------------------------------------------------------- */
typedef struct tune_fit_result {
    double scale;  /* win probability = 1 / (1 + exp(-scale * evaluation)) */
    double lambda; /* chosen strength of the regularisation; 0: the old weights were kept */
    double before[TUNE_SETS], after[TUNE_SETS]; /* mean loss against the results of the games */
} tune_fit_result;

/*
 * Fits weights to the data. The target of a sample is the search's score, as a probability, with
 * weight `blend`, and the result of the game with weight 1 - blend. scale 0: fit the scale to the
 * old weights first. old and weights have data->weight_count elements. False when memory runs out.
 */
bool tune_fit(const tune_data *data, const double *old, double blend, double scale, double *weights,
              tune_fit_result *result);

#endif
