/* SPDX-License-Identifier: MIT */
/*
 * tune.h - weights of an evaluation from games that the engine plays against itself.
 *
 *     tune_play   games -> text          random openings, then our engine at so many nodes a move
 *     tune_load   text  -> tune_data     quiet positions, each a sparse row of terms and a result
 *     tune_fit    tune_data -> weights   logistic regression, held towards the weights there were
 *
 * The text of a game is three lines, so that games can be played once and fitted often:
 *
 *     game 17 english 1-0 6              number, rules, result for player 0, plies of the opening
 *     moves 11-15 23-19 ...
 *     scores 4 -12 ...                   one for each move after the opening, for who makes it
 *
 * Everything here gives the same result on every machine and with any number of threads. Part of
 * the tool plyverse_tune and not of the library.
 */
#ifndef PLY_TUNE_TUNE_H
#define PLY_TUNE_TUNE_H

#include <plyverse/search.h>
#include <stdio.h>

/* --- playing -------------------------------------------------------------------------------- */
enum { TUNE_VARIANTS = 16 };

typedef struct tune_play_options {
    const char *variants[TUNE_VARIANTS]; /* game g is played by number g modulo their count */
    size_t variant_count;                /* 0: the default rules */
    uint64_t games, nodes, seed;
    unsigned opening_plies; /* random plies at the start: half so many to so many */
    size_t max_plies;       /* a longer game is drawn */
    unsigned threads;
} tune_play_options;

/* Plays game number g, the same whoever plays it, and appends its three lines. */
ply_status tune_play_game(const ply_rules *rules, ply_searcher *searcher,
                          const tune_play_options *options, uint64_t g, ply_text *out);
/*
 * Plays all games and writes them to a file in their order. A file that was begun with the same
 * options is gone on with; another one is refused with PLY_BAD_OPTION.
 */
ply_status tune_play(const ply_game *game, const tune_play_options *options, const char *path,
                     ply_error *error);

/* --- positions ------------------------------------------------------------------------------ */
typedef struct tune_term {
    uint32_t weight;
    float count; /* in units, as the player to move sees it */
} tune_term;

/* Part of a game's positions: what is fitted, what chooses the strength of the pull, what judges.
 */
typedef enum tune_part { TUNE_TRAIN, TUNE_CHOOSE, TUNE_JUDGE, TUNE_PARTS } tune_part;

typedef struct tune_sample {
    size_t first; /* of its terms */
    uint32_t count;
    uint8_t part;
    float result; /* 1, 1/2 or 0 for the player to move */
    float score;  /* what the search said */
} tune_sample;

typedef struct tune_data {
    size_t weight_count;
    tune_sample *samples;
    size_t sample_count, sample_room;
    tune_term *terms;
    size_t term_count, term_room;
    uint64_t games, positions; /* read; positions kept are the samples */
} tune_data;

void tune_data_free(tune_data *data);
/* Adds a sample; false when memory is out. */
bool tune_data_add(tune_data *data, const tune_term *terms, size_t count, float result, float score,
                   tune_part part);
/*
 * Reads games, of all rules or of `variants` alone (NULL: all). Of every ten games eight are to
 * fit, one is to choose, one to judge.
 */
ply_status tune_load(tune_data *data, const ply_game *game, FILE *file, const char *const *variants,
                     size_t variant_count, ply_error *error);

/* --- fitting -------------------------------------------------------------------------------- */
typedef struct tune_fit_result {
    double scale; /* chance to win = 1 / (1 + exp(-scale * evaluation)) */
    double pull;  /* chosen strength of the pull towards the old weights */
    double before[TUNE_PARTS], after[TUNE_PARTS]; /* mean loss against the results */
} tune_fit_result;

/*
 * The best weights for the data. blend: how much of a sample's target is what the search said, the
 * rest is the result of the game. scale 0: fitted to the old weights first. old and weights have
 * data->weight_count numbers each. False when memory is out.
 */
bool tune_fit(const tune_data *data, const double *old, double blend, double scale, double *weights,
              tune_fit_result *result);

#endif
