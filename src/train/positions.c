/* SPDX-License-Identifier: MIT */
/* positions.c - quiet positions of self-play games; see positions.h. */
#include "train/positions.h"
#include "core/array.h"
#include "core/hash.h"
#include "train/labelled.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* Adds a key; *added is false if it is already in the set. False when memory runs out. */
static bool key_set_add(key_set *set, uint64_t key, bool *added)
{
    if (set->count * 2 >= set->capacity && !key_set_grow(set))
        return false;
    key |= key == 0;
    size_t i = key_index(set, key);
    *added = set->keys[i] == 0;
    set->keys[i] = key;
    set->count += *added;
    return true;
}

/* --- one game -------------------------------------------------------------------------------- */
typedef struct walker {
    train_walk *walk;
    ply_error *error;
    ply_rules rules;
    ply_state state;
    ply_move *moves;
    bool has_state;
    train_game game;
    bool *chosen; /* by ply */
    size_t chosen_capacity;
    key_set positions; /* all so far */
    uint64_t salt;     /* keeps the positions of different rules apart */
} walker;

static void end_variant(walker *w)
{
    if (w->has_state)
        ply_state_free(&w->state);
    w->has_state = false;
    free(w->moves);
    w->moves = NULL;
}

static ply_status begin_variant(walker *w, const char *variant)
{
    end_variant(w);
    ply_status status = ply_rules_make(&w->rules, w->walk->game, variant, w->error);
    if (status != PLY_OK)
        return status;
    w->salt = 0;
    for (size_t i = 0; i < PLY_OPTION_LIMIT; i++)
        w->salt = ply_mix64(w->salt + (uint64_t)(uint32_t)w->rules.option[i] + PLY_GOLDEN);
    w->moves = malloc(w->rules.max_moves * sizeof *w->moves);
    status = w->moves ? ply_state_init(&w->state, &w->rules) : PLY_NO_MEMORY;
    w->has_state = status == PLY_OK;
    return status;
}

/* Whether the quiescence search would stand pat. */
static bool is_quiet(const walker *w, const void *position, ply_move chosen)
{
    const ply_rules *rules = &w->rules;
    if (rules->search->in_check && rules->search->in_check(rules, position))
        return false;
    if (rules->search->find_win) { /* there, it tries no noisy moves */
        int plies;
        uint64_t nodes = 0;
        return !rules->search->find_win(rules, position, 0, &plies, &nodes);
    }
    if (ply_game_is_noisy(rules, position, chosen))
        return false;
    if (!rules->search->see)
        return true;
    size_t count = ply_game_noisy_moves(rules, position, w->moves);
    for (size_t i = 0; i < count; i++)
        if (rules->search->see(rules, position, w->moves[i]) > 0)
            return false;
    return true;
}

/*
 * Keeps at most per_game of the `count` chosen plies, drawn at random: the many positions of a long
 * drawn ending are still only one result.
 */
static void limit_chosen(walker *w, size_t count)
{
    size_t need = w->walk->per_game;
    if (need == 0 || count <= need)
        return;
    ply_rng rng = ply_rng_make(need, w->walk->games);
    for (size_t i = 0; i < w->game.plies; i++) {
        if (!w->chosen[i])
            continue;
        w->chosen[i] = ply_rng_below(&rng, (uint32_t)count--) < need;
        need -= w->chosen[i];
    }
}

/* Replays the game and chooses among its positions. The state is left at the end of the game. */
static ply_status choose_positions(walker *w)
{
    const ply_game *game = w->walk->game;
    size_t count = 0;
    int last_side = -1;
    if (!ply_array_grow(&w->chosen, &w->chosen_capacity, w->game.plies + 1, sizeof *w->chosen))
        return PLY_NO_MEMORY;
    ply_status status = train_game_begin(&w->game, &w->state, w->error);
    for (size_t i = 0; i < w->game.plies && status == PLY_OK; i++) {
        const void *position = w->state.position;
        ply_move move;
        if ((status = train_game_move(&w->game, &w->state, &move, w->error)) != PLY_OK)
            return status;
        int side = game->side(&w->rules, position);
        /* A half-made turn says nothing. */
        bool starts_turn = side != last_side || !game->multi_move_turns;
        last_side = side;
        w->chosen[i] = false;
        bool wanted =
            w->walk->all || (i >= w->game.opening && starts_turn && is_quiet(w, position, move));
        if (wanted &&
            !key_set_add(&w->positions, game->hash(&w->rules, position) ^ w->salt, &w->chosen[i]))
            return PLY_NO_MEMORY;
        count += w->chosen[i];
        status = ply_state_play(&w->state, move);
    }
    if (status == PLY_OK)
        status = train_game_check_end(&w->game, &w->state, w->error);
    limit_chosen(w, count);
    return status;
}

/* Takes the moves back, from the last to the first, and visits the chosen positions. */
static ply_status visit_chosen(walker *w)
{
    ply_status status = PLY_OK;
    const train_walk *walk = w->walk;
    int half_points[2]; /* this and the next by player */
    double outlook[2];
    for (int i = 0; i < 2; i++) {
        bool won = w->game.result == ply_outcome_win(i, NULL).result;
        half_points[i] = w->game.result == PLY_DRAW ? 1 : 2 * won;
        outlook[i] = half_points[i] / 2.0;
    }
    while (status == PLY_OK && ply_state_undo(&w->state)) {
        size_t ply = w->state.plies;
        int side = w->rules.game->side(&w->rules, w->state.position);
        if (walk->lambda > 0 && ply >= w->game.opening) {
            double now = 1 / (1 + exp(-w->game.scores[ply] / walk->scale));
            outlook[side] += (1 - walk->lambda) * (now - outlook[side]);
            outlook[!side] = 1 - outlook[side];
        }
        if (!w->chosen[ply])
            continue;
        train_position p = {.rules = &w->rules,
                            .position = w->state.position,
                            .game = w->walk->games,
                            .ply = ply,
                            .half_points = half_points[side],
                            .score = w->game.scores[ply],
                            .outlook = outlook[side],
                            .move = w->state.moves[ply]};
        status = w->walk->visit(w->walk->context, &p, w->error);
        w->walk->positions++;
    }
    return status;
}

/* --- the files ------------------------------------------------------------------------------- */
static bool is_wanted(const train_walk *walk, const char *variant)
{
    for (size_t i = 0; i < walk->variant_count; i++)
        if (strcmp(variant, walk->variants[i]) == 0)
            return true;
    return walk->variant_count == 0;
}

static ply_status read_games(walker *w, train_game_file *file)
{
    bool found = true;
    uint32_t variant = UINT32_MAX;
    while (found) {
        ply_status status = train_game_file_next(file, &w->game, &found, w->error);
        if (status != PLY_OK || !found)
            return status;
        if (!is_wanted(w->walk, file->variants[w->game.variant]))
            continue;
        if (variant != w->game.variant)
            status = begin_variant(w, file->variants[w->game.variant]);
        variant = w->game.variant;
        if (status == PLY_OK)
            status = choose_positions(w);
        if (status == PLY_OK) {
            w->walk->plies += w->game.plies - w->game.opening;
            status = visit_chosen(w);
        }
        if (status != PLY_OK)
            return status;
        w->walk->games++;
    }
    return PLY_OK;
}

static ply_status read_file(walker *w, const char *path)
{
    FILE *stream = fopen(path, "rb");
    if (!stream)
        return ply_error_set(w->error, PLY_IO, "%s", strerror(errno));
    train_game_file file;
    ply_status status = train_game_file_open(&file, stream, w->error);
    if (status == PLY_OK && strcmp(file.game_id, w->walk->game->id) != 0)
        status = ply_error_set(w->error, PLY_BAD_TEXT, "the games are of %s, not of %s",
                               file.game_id, w->walk->game->id);
    if (status == PLY_OK)
        status = read_games(w, &file);
    train_game_file_close(&file);
    fclose(stream);
    return status;
}

ply_status train_walk_run(train_walk *walk, ply_error *error)
{
    if (walk->labelled)
        return train_labelled_run(walk, error);
    ply_error reason = {0};
    walker w = {.walk = walk, .error = &reason};
    ply_status status = PLY_OK;
    walk->games = walk->plies = walk->positions = 0;
    for (size_t i = 0; i < walk->path_count && status == PLY_OK; i++) {
        status = read_file(&w, walk->paths[i]);
        if (status != PLY_OK)
            ply_error_set(error, status, "%.80s: %.120s", walk->paths[i],
                          reason.message[0] ? reason.message : ply_status_text(status));
    }
    end_variant(&w);
    train_game_free(&w.game);
    free(w.chosen);
    free(w.positions.keys);
    return status;
}
