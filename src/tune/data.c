/* SPDX-License-Identifier: MIT */
/*
 * data.c - from games to samples; see tune.h.
 *
 * A position counts if it is quiet: the move the engine chose there is not noisy, the player to
 * move is under no threat and can win nothing by exchanges, and no forced end was seen. Then the
 * evaluation, which looks no further, can be asked to know the result. A position that came up
 * before is left out, and of a long game no more are kept than of others.
 */
#include "core/hash.h"
#include "tune/tune.h"
#include <stdlib.h>
#include <string.h>

enum { PER_GAME = 32 };

void tune_data_free(tune_data *data)
{
    free(data->samples);
    free(data->terms);
    *data = (tune_data){0};
}

bool tune_data_add(tune_data *data, const tune_term *terms, size_t count, float result, float score,
                   tune_part part)
{
    if (data->sample_count == data->sample_room) {
        size_t room = data->sample_room * 2 + 1024;
        tune_sample *samples = realloc(data->samples, room * sizeof *samples);
        if (!samples)
            return false;
        data->samples = samples;
        data->sample_room = room;
    }
    if (data->term_room - data->term_count < count) {
        size_t room = data->term_room * 2 + count + 4096;
        tune_term *grown = realloc(data->terms, room * sizeof *grown);
        if (!grown)
            return false;
        data->terms = grown;
        data->term_room = room;
    }
    memcpy(data->terms + data->term_count, terms, count * sizeof *terms);
    data->samples[data->sample_count++] = (tune_sample){.first = data->term_count,
                                                        .count = (uint32_t)count,
                                                        .part = (uint8_t)part,
                                                        .result = result,
                                                        .score = score};
    data->term_count += count;
    return true;
}

/* --- positions seen ------------------------------------------------------------------------- */
typedef struct key_set {
    uint64_t *keys; /* 0: free */
    size_t room, count;
} key_set;

static size_t key_place(const key_set *set, uint64_t key)
{
    size_t i = (size_t)ply_mix64(key) & (set->room - 1);
    while (set->keys[i] && set->keys[i] != key)
        i = (i + 1) & (set->room - 1);
    return i;
}

/* Adds a key; false when it was there or there is no memory. */
static bool key_add(key_set *set, uint64_t key)
{
    if (set->count * 2 >= set->room) {
        key_set larger = {.room = set->room ? set->room * 2 : 1 << 16, .count = set->count};
        larger.keys = calloc(larger.room, sizeof *larger.keys);
        if (!larger.keys)
            return false;
        for (size_t i = 0; i < set->room; i++)
            if (set->keys[i])
                larger.keys[key_place(&larger, set->keys[i])] = set->keys[i];
        free(set->keys);
        *set = larger;
    }
    key |= key == 0;
    size_t i = key_place(set, key);
    if (set->keys[i])
        return false;
    set->keys[i] = key;
    set->count++;
    return true;
}

/* --- one game ------------------------------------------------------------------------------- */
typedef struct reader {
    const ply_game *game;
    ply_rules rules;
    char variant[256]; /* of rules; "" before the first game */
    ply_state state;
    bool has_state;
    ply_move *moves;
    ply_term *terms;
    tune_term *sums;
    int32_t *column; /* by weight: terms of one weight come together */
    key_set seen;
    tune_data *data;
    ply_error *error;
} reader;

static ply_status fail(const reader *r, const char *message)
{
    return ply_error_set(r->error, PLY_BAD_TEXT, "game number %llu of the file: %s",
                         (unsigned long long)r->data->games + 1, message);
}

static bool is_quiet(const reader *r, ply_move chosen)
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

/* The terms of the position, each weight once; checked against the evaluation. */
static ply_status gather(reader *r, size_t *count)
{
    const ply_rules *rules = &r->rules;
    const void *position = r->state.position;
    size_t written = rules->tuning->terms(rules, position, r->terms);
    int64_t sum = 0;
    *count = 0;
    for (size_t i = 0; i < written; i++) {
        sum += (int64_t)rules->tuning->weights[r->terms[i].index] * r->terms[i].count;
        r->column[r->terms[i].index] += r->terms[i].count;
    }
    for (size_t i = 0; i < written; i++) {
        uint32_t weight = r->terms[i].index;
        if (r->column[weight] == 0)
            continue;
        r->sums[(*count)++] = (tune_term){weight, (float)r->column[weight] / PLY_TERM_ONE};
        r->column[weight] = 0;
    }
    if (sum / PLY_TERM_ONE != rules->search->evaluate(&r->rules, position))
        return fail(r, "the terms do not add up to the evaluation");
    return PLY_OK;
}

static ply_status set_rules(reader *r, const char *variant)
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

static tune_part part_of(uint64_t game)
{
    return game % 10 == 4 ? TUNE_CHOOSE : game % 10 == 9 ? TUNE_JUDGE : TUNE_TRAIN;
}

/*
 * Keeps so many samples of a game, each equally likely: a long drawn ending is one result and not
 * a hundred.
 */
static void thin_out(tune_data *data, size_t first_sample, size_t first_term, uint64_t game)
{
    ply_rng rng = ply_rng_make(PER_GAME, game);
    size_t left = data->sample_count - first_sample, need = PER_GAME, kept = first_sample;
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

static ply_status read_game(reader *r, const char *head, const char *moves, char *scores)
{
    unsigned long long number;
    char variant[256], result[8];
    size_t opening;
    if (sscanf(head, "game %llu %255s %7s %zu", &number, variant, result, &opening) != 4 ||
        strncmp(moves, "moves", 5) != 0 || strncmp(scores, "scores", 6) != 0)
        return fail(r, "expected a line of each: game, moves, scores");
    ply_status status = set_rules(r, variant);
    if (status != PLY_OK)
        return status;
    float points = strcmp(result, "1-0") == 0 ? 1.0f : strcmp(result, "0-1") == 0 ? 0.0f : 0.5f;
    ply_cursor cursor = ply_cursor_make(moves + 5, strlen(moves + 5), r->error);
    char *next = scores + 6;
    size_t first_sample = r->data->sample_count, first_term = r->data->term_count;
    ply_cursor_skip_space(&cursor);
    int before = -1; /* who made the last move */
    while (!ply_cursor_done(&cursor)) {
        ply_move move;
        int side = r->game->side(&r->rules, r->state.position);
        /* Where a turn is several moves, a half-made one says nothing. */
        bool begins = side != before || !r->game->multi_move_turns;
        before = side;
        status = r->game->parse_move(&r->rules, r->state.position, &cursor, &move);
        if (status != PLY_OK)
            return status;
        ply_cursor_skip_space(&cursor);
        if (r->state.plies >= opening) {
            char *end;
            long score = strtol(next, &end, 10);
            if (end == next)
                return fail(r, "there are fewer scores than moves");
            next = end;
            r->data->positions++;
            if (begins && is_quiet(r, move) &&
                key_add(&r->seen, r->game->hash(&r->rules, r->state.position))) {
                size_t count;
                if ((status = gather(r, &count)) != PLY_OK)
                    return status;
                if (!tune_data_add(r->data, r->sums, count, side == 1 ? 1 - points : points,
                                   (float)score, part_of(number)))
                    return PLY_NO_MEMORY;
            }
        }
        if ((status = ply_state_play(&r->state, move)) != PLY_OK)
            return status;
    }
    thin_out(r->data, first_sample, first_term, number);
    r->data->games++;
    return PLY_OK;
}

/* Whether the game with this first line is asked for. */
static bool is_wanted(const char *head, const char *const *variants, size_t count)
{
    char variant[256];
    if (count == 0 || sscanf(head, "game %*s %255s", variant) != 1)
        return true; /* a bad line is for the reader to refuse */
    for (size_t i = 0; i < count; i++)
        if (strcmp(variant, variants[i]) == 0)
            return true;
    return false;
}

ply_status tune_load(tune_data *data, const ply_game *game, FILE *file, const char *const *variants,
                     size_t variant_count, ply_error *error)
{
    reader r = {.game = game, .data = data, .error = error};
    *data = (tune_data){.weight_count = game->tuning ? game->tuning->weight_count : 0};
    if (!game->tuning)
        return fail(&r, "its evaluation cannot be taken apart");
    r.terms = calloc(game->tuning->max_terms + 1, sizeof *r.terms);
    r.sums = calloc(game->tuning->max_terms + 1, sizeof *r.sums);
    r.column = calloc(game->tuning->weight_count + 1, sizeof *r.column);
    char *lines[3] = {NULL, NULL, NULL};
    size_t rooms[3] = {0, 0, 0};
    ply_status status = r.terms && r.sums && r.column ? PLY_OK : PLY_NO_MEMORY;
    int have = 0;
    while (status == PLY_OK && getline(&lines[have], &rooms[have], file) > 0) {
        if (have == 0 && lines[0][0] == '#')
            continue;
        if (++have < 3)
            continue;
        have = 0;
        if (is_wanted(lines[0], variants, variant_count))
            status = read_game(&r, lines[0], lines[1], lines[2]);
    }
    for (int i = 0; i < 3; i++)
        free(lines[i]);
    if (r.has_state)
        ply_state_free(&r.state);
    free(r.moves);
    free(r.terms);
    free(r.sums);
    free(r.column);
    free(r.seen.keys);
    return status;
}
