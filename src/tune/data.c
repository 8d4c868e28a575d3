/* SPDX-License-Identifier: MIT */
/*
 * data.c - from games to samples; see tune.h.
 *
 * Only quiet positions become samples: the engine's move was not noisy, and the player to move is
 * not in check and has no capture that wins material. There, a static evaluation can be expected to
 * predict the result. A position that occurred before is left out, and a long game gives no more
 * samples than others.
 */
#include "core/array.h"
#include "core/hash.h"
#include "tune/tune.h"
#include <stdlib.h>
#include <string.h>

enum { SAMPLES_PER_GAME = 32, MAX_VARIANT_TEXT = 256 };

void tune_data_free(tune_data *data)
{
    free(data->samples);
    free(data->terms);
    *data = (tune_data){0};
}

bool tune_data_add(tune_data *data, const tune_term *terms, size_t count, float result, float score,
                   tune_set set)
{
    if (!ply_array_grow(&data->samples, &data->sample_capacity, data->sample_count + 1,
                        sizeof *data->samples) ||
        !ply_array_grow(&data->terms, &data->term_capacity, data->term_count + count + 1,
                        sizeof *data->terms))
        return false;
    memcpy(data->terms + data->term_count, terms, count * sizeof *terms);
    data->samples[data->sample_count++] = (tune_sample){.first = data->term_count,
                                                        .count = (uint32_t)count,
                                                        .set = (uint8_t)set,
                                                        .result = result,
                                                        .score = score};
    data->term_count += count;
    return true;
}

/* --- a set of position keys ------------------------------------------------------------------ */
/* Open addressing with linear probing; at most half full. */
typedef struct key_set {
    uint64_t *keys; /* 0: free */
    size_t capacity, count;
} key_set;

/* The index of a key, or of the free slot where it belongs. */
static size_t key_index(const key_set *set, uint64_t key)
{
    size_t i = (size_t)ply_mix64(key) & (set->capacity - 1);
    while (set->keys[i] && set->keys[i] != key)
        i = (i + 1) & (set->capacity - 1);
    return i;
}

static bool key_set_grow(key_set *set)
{
    key_set larger = {.capacity = set->capacity ? set->capacity * 2 : 1 << 16, .count = set->count};
    larger.keys = calloc(larger.capacity, sizeof *larger.keys);
    if (!larger.keys)
        return false;
    for (size_t i = 0; i < set->capacity; i++)
        if (set->keys[i])
            larger.keys[key_index(&larger, set->keys[i])] = set->keys[i];
    free(set->keys);
    *set = larger;
    return true;
}

/* Adds a key; false if it is already in the set or memory runs out. */
static bool key_set_add(key_set *set, uint64_t key)
{
    if (set->count * 2 >= set->capacity && !key_set_grow(set))
        return false;
    key |= key == 0;
    size_t i = key_index(set, key);
    if (set->keys[i])
        return false;
    set->keys[i] = key;
    set->count++;
    return true;
}

/* --- one game -------------------------------------------------------------------------------- */
typedef struct game_reader {
    const ply_game *game;
    ply_rules rules;
    char variant[MAX_VARIANT_TEXT]; /* of the rules */
    ply_state state;
    bool has_state;
    ply_move *moves;
    ply_term *terms;   /* of a position, as the game writes them */
    tune_term *merged; /* the same with each weight once */
    int32_t *counts;   /* by weight: scratch for merging, all 0 in between */
    key_set positions; /* all positions so far */
    tune_data *data;
    ply_error *error;
} game_reader;

static ply_status fail(const game_reader *r, const char *message)
{
    return ply_error_set(r->error, PLY_BAD_TEXT, "game %llu of the file: %s",
                         (unsigned long long)r->data->games + 1, message);
}

static bool is_quiet(const game_reader *r, ply_move chosen)
{
    const ply_rules *rules = &r->rules;
    const void *position = r->state.position;
    if (ply_game_is_noisy(rules, position, chosen) ||
        (rules->search->in_check && rules->search->in_check(rules, position)))
        return false;
    if (!rules->search->see)
        return true;
    size_t count = ply_game_noisy_moves(rules, position, r->moves);
    for (size_t i = 0; i < count; i++)
        if (rules->search->see(rules, position, r->moves[i]) > 0)
            return false;
    return true;
}

/* Writes the terms of the position to r->merged and checks them against the evaluation. */
static ply_status extract_terms(game_reader *r, size_t *count)
{
    const ply_rules *rules = &r->rules;
    const void *position = r->state.position;
    size_t written = rules->tuning->terms(rules, position, r->terms);
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
        r->merged[(*count)++] = (tune_term){weight, (float)r->counts[weight] / PLY_TERM_ONE};
        r->counts[weight] = 0;
    }
    if (sum / PLY_TERM_ONE != rules->search->evaluate(&r->rules, position))
        return fail(r, "the sum of the terms is not the evaluation");
    return PLY_OK;
}

/* Restarts the state, with the rules of a variant. */
static ply_status start_game(game_reader *r, const char *variant)
{
    if (r->has_state && strcmp(variant, r->variant) == 0)
        return ply_state_restart(&r->state);
    if (r->has_state)
        ply_state_free(&r->state);
    r->has_state = false;
    ply_status status = ply_rules_make(&r->rules, r->game, variant, r->error);
    if (status == PLY_OK)
        status = ply_state_init(&r->state, &r->rules);
    r->has_state = status == PLY_OK;
    snprintf(r->variant, sizeof r->variant, "%s", variant);
    free(r->moves);
    r->moves = malloc(r->rules.max_moves * sizeof *r->moves);
    return status == PLY_OK && !r->moves ? PLY_NO_MEMORY : status;
}

static tune_set set_of(uint64_t game)
{
    return game % 10 == 4 ? TUNE_VALIDATION : game % 10 == 9 ? TUNE_TEST : TUNE_TRAINING;
}

/*
 * Keeps at most SAMPLES_PER_GAME samples of a game, drawn at random: the many positions of a long
 * drawn ending are still only one result.
 */
static void limit_samples(tune_data *data, size_t first_sample, size_t first_term, uint64_t game)
{
    ply_rng rng = ply_rng_make(SAMPLES_PER_GAME, game);
    size_t left = data->sample_count - first_sample, need = SAMPLES_PER_GAME, kept = first_sample;
    size_t terms = first_term;
    for (size_t i = first_sample; i < data->sample_count; i++, left--) {
        if (ply_rng_below(&rng, (uint32_t)left) >= need)
            continue;
        need--;
        tune_sample sample = data->samples[i];
        memmove(data->terms + terms, data->terms + sample.first, sample.count * sizeof(tune_term));
        sample.first = terms;
        terms += sample.count;
        data->samples[kept++] = sample;
    }
    data->sample_count = kept;
    data->term_count = terms;
}

/* Adds the current position as a sample; `result` is that of the game for player 0. */
static ply_status add_sample(game_reader *r, float result, long score, uint64_t game)
{
    size_t count;
    ply_status status = extract_terms(r, &count);
    if (status != PLY_OK)
        return status;
    bool second = r->game->side(&r->rules, r->state.position) == 1;
    return tune_data_add(r->data, r->merged, count, second ? 1 - result : result, (float)score,
                         set_of(game))
               ? PLY_OK
               : PLY_NO_MEMORY;
}

/* Reads the next score of a line and advances past it. */
static bool next_score(char **line, long *score)
{
    char *end;
    *score = strtol(*line, &end, 10);
    bool found = end != *line;
    *line = end;
    return found;
}

static ply_status read_game(game_reader *r, const char *head, const char *moves, char *scores)
{
    unsigned long long number;
    char variant[MAX_VARIANT_TEXT], result_text[8];
    size_t opening;
    if (sscanf(head, "game %llu %255s %7s %zu", &number, variant, result_text, &opening) != 4 ||
        strncmp(moves, "moves", 5) != 0 || strncmp(scores, "scores", 6) != 0)
        return fail(r, "expected three lines: game, moves, scores");
    ply_status status = start_game(r, variant);
    if (status != PLY_OK)
        return status;
    float result = strcmp(result_text, "1-0") == 0   ? 1.0f
                   : strcmp(result_text, "0-1") == 0 ? 0.0f
                                                     : 0.5f;
    ply_cursor cursor = ply_cursor_make(moves + 5, strlen(moves + 5), r->error);
    char *rest = scores + 6;
    size_t first_sample = r->data->sample_count, first_term = r->data->term_count;
    ply_cursor_skip_space(&cursor);
    int last_side = -1;
    while (!ply_cursor_done(&cursor)) {
        const void *position = r->state.position;
        ply_move move;
        long score;
        int side = r->game->side(&r->rules, position);
        /* A half-made turn says nothing. */
        bool usable = side != last_side || !r->game->multi_move_turns;
        last_side = side;
        status = r->game->parse_move(&r->rules, position, &cursor, &move);
        if (status != PLY_OK)
            return status;
        ply_cursor_skip_space(&cursor);
        if (r->state.plies >= opening) {
            if (!next_score(&rest, &score))
                return fail(r, "fewer scores than moves");
            r->data->positions++;
            if (usable && is_quiet(r, move) &&
                key_set_add(&r->positions, r->game->hash(&r->rules, position)) &&
                (status = add_sample(r, result, score, number)) != PLY_OK)
                return status;
        }
        if ((status = ply_state_play(&r->state, move)) != PLY_OK)
            return status;
    }
    limit_samples(r->data, first_sample, first_term, number);
    r->data->games++;
    return PLY_OK;
}

/* Whether the game with this first line is of one of the variants. */
static bool is_wanted(const char *head, const char *const *variants, size_t count)
{
    char variant[MAX_VARIANT_TEXT];
    if (count == 0 || sscanf(head, "game %*s %255s", variant) != 1)
        return true; /* read_game will refuse a malformed line */
    for (size_t i = 0; i < count; i++)
        if (strcmp(variant, variants[i]) == 0)
            return true;
    return false;
}

ply_status tune_load(tune_data *data, const ply_game *game, FILE *file, const char *const *variants,
                     size_t variant_count, ply_error *error)
{
    game_reader r = {.game = game, .data = data, .error = error};
    *data = (tune_data){.weight_count = game->tuning ? game->tuning->weight_count : 0};
    if (!game->tuning)
        return ply_error_set(error, PLY_UNSUPPORTED, "%s has no weights to tune", game->id);
    r.terms = calloc(game->tuning->max_terms + 1, sizeof *r.terms);
    r.merged = calloc(game->tuning->max_terms + 1, sizeof *r.merged);
    r.counts = calloc(game->tuning->weight_count + 1, sizeof *r.counts);
    char *lines[3] = {NULL, NULL, NULL};
    size_t capacities[3] = {0, 0, 0};
    ply_status status = r.terms && r.merged && r.counts ? PLY_OK : PLY_NO_MEMORY;
    int count = 0;
    while (status == PLY_OK && getline(&lines[count], &capacities[count], file) > 0) {
        if (count == 0 && lines[0][0] == '#')
            continue;
        if (++count < 3)
            continue;
        count = 0;
        if (is_wanted(lines[0], variants, variant_count))
            status = read_game(&r, lines[0], lines[1], lines[2]);
    }
    for (int i = 0; i < 3; i++)
        free(lines[i]);
    if (r.has_state)
        ply_state_free(&r.state);
    free(r.moves);
    free(r.terms);
    free(r.merged);
    free(r.counts);
    free(r.positions.keys);
    return status;
}
