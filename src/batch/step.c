/* SPDX-License-Identifier: MIT */
/*
 * step.c - playing actions and filling in the arrays.
 *
 * A step of one game: test the action against the mask, play it, find the legal actions of the new
 * position, decide whether the game is over, start again if it is, write the rows. The mask tells
 * whether there is a legal move, so the end of the game needs no search for one.
 */
#include "batch/batch_internal.h"
#include "batch/device.h"
#include <stdatomic.h>

/* --- observations --------------------------------------------------------------------------- */
/* How often the position has occurred before, counted up to `most`. */
static unsigned earlier_occurrences(const ply_batch *b, size_t g, unsigned most)
{
    uint64_t key = b->rules->game->hash(b->rules, batch_position(b, g));
    const uint64_t *past = batch_past_keys(b, g);
    unsigned found = 0;
    for (size_t i = b->games[g].plies; i > 0 && found < most; i--)
        found += past[i - 1] == key;
    return found;
}

static void observe(const ply_batch *b, size_t g, uint8_t *row)
{
    const ply_rules *rules = b->rules;
    const ply_batch_options *o = &b->options;
    int viewer = rules->game->side(rules, batch_position(b, g));
    size_t plies = b->games[g].plies;
    b->observe(rules, batch_position(b, g), viewer, row);
    uint8_t *at = row + b->plane_bytes;
    for (unsigned i = 1; i <= o->history; i++, at += b->plane_bytes)
        if (i <= plies)
            b->observe(rules, batch_past_position(b, g, plies - i), viewer, at);
        else
            memset(at, 0, b->plane_bytes);
    if (o->repetition > 0) {
        size_t cells = (size_t)b->arrays.height * b->arrays.width;
        unsigned times = earlier_occurrences(b, g, o->repetition);
        for (unsigned r = 1; r <= o->repetition; r++, at += cells)
            memset(at, times >= r, cells);
    }
}

/* --- arrays --------------------------------------------------------------------------------- */
void ply_batch_publish(ply_batch *b, size_t g)
{
    const ply_rules *rules = b->rules;
    const ply_batch_arrays *a = &b->arrays;
    const batch_game *game = &b->games[g];
    const void *position = batch_position(b, g);
    const uint64_t *mask = batch_mask(b, g);
    a->players[g] = (uint8_t)rules->game->side(rules, position);
    a->plies[g] = game->plies;
    a->legal_counts[g] = game->legal;
    if (a->mask_bits)
        memcpy(a->mask_bits + g * a->mask_words, mask, a->mask_words * sizeof mask[0]);
    if (a->mask_bytes)
        b->kernels->bytes(mask, a->actions, a->mask_bytes + g * a->actions);
    if (a->legal_actions)
        b->kernels->list(mask, a->mask_words, a->list_room, a->legal_actions + g * a->list_room);
    if (a->keys)
        a->keys[g] = rules->game->hash(rules, position);
    if (a->observations)
        observe(b, g, a->observations + g * b->observation_bytes);
}

void ply_batch_clear_step(ply_batch *b, size_t g)
{
    const ply_batch_arrays *a = &b->arrays;
    a->rewards[2 * g] = a->rewards[2 * g + 1] = 0;
    a->illegal[g] = 0;
}

/* Says how a game has ended, or that it goes on. */
void ply_batch_publish_end(ply_batch *b, size_t g)
{
    const batch_game *game = &b->games[g];
    b->arrays.terminated[g] = game->end == BATCH_ENDED;
    b->arrays.truncated[g] = game->end == BATCH_TRUNCATED;
    b->arrays.results[g] = game->result;
}

/* --- the end of a game ---------------------------------------------------------------------- */
static void end_game(ply_batch *b, size_t g, enum batch_end end, ply_result result)
{
    batch_game *game = &b->games[g];
    memset(batch_mask(b, g), 0, b->arrays.mask_words * sizeof(uint64_t));
    game->legal = 0;
    game->end = (uint8_t)end;
    game->result = (uint8_t)result;
}

/* The outcome of a position whose legal actions have been counted. */
static ply_outcome outcome_of(const ply_batch *b, size_t g, const void *position,
                              const void *undo_stack)
{
    const ply_rules *rules = b->rules;
    const batch_game *game = &b->games[g];
    bool fresh = b->filters && !batch_filter_add(b, g, rules->game->hash(rules, position));
    if (game->legal == 0)
        return rules->game->outcome(rules, position, undo_stack, game->plies);
    return fresh ? rules->search->fresh_outcome(rules, position, undo_stack, game->plies)
                 : ply_game_node_outcome(rules, position, undo_stack, game->plies);
}

void ply_batch_look(ply_batch *b, size_t g, unsigned worker)
{
    const ply_rules *rules = b->rules;
    batch_game *game = &b->games[g];
    const void *position = batch_position(b, g), *undo_stack = batch_undo_stack(b, g);
    if (b->options.max_boards > 0 &&
        !rules->learning->bounded->fits(rules, position, b->options.max_boards)) {
        end_game(b, g, BATCH_TRUNCATED, PLY_ONGOING);
        return;
    }
    ply_move *scratch = b->scratch ? b->scratch + worker * rules->max_moves : NULL;
    if (b->filters) /* which is needed when the mask is known */
        __builtin_prefetch(batch_filter_word(b, g, rules->game->hash(rules, position)), 1);
    game->legal = (uint32_t)ply_game_mask(rules, position, batch_mask(b, g), scratch);
    game->end = BATCH_PLAYING;
    game->result = PLY_ONGOING;
    ply_outcome outcome = outcome_of(b, g, position, undo_stack);
    if (outcome.result != PLY_ONGOING)
        end_game(b, g, BATCH_ENDED, outcome.result);
    else if (game->legal == 0 || game->plies >= b->options.max_plies)
        end_game(b, g, BATCH_TRUNCATED, PLY_ONGOING);
}

/* --- steps ---------------------------------------------------------------------------------- */
static ply_status restart(ply_batch *b, size_t g, unsigned worker)
{
    ply_status status = ply_batch_copy_game(b, g, b, b->options.games, worker);
    if (status != PLY_OK)
        end_game(b, g, BATCH_TRUNCATED, PLY_ONGOING);
    return status;
}

static bool is_legal(const ply_batch *b, size_t g, int32_t action)
{
    return (uint32_t)action < b->arrays.actions &&
           (batch_mask(b, g)[action / 64] >> action % 64 & 1);
}

/* A legal action, each equally likely; there is at least one. */
static int32_t draw_action(ply_batch *b, size_t g)
{
    batch_game *game = &b->games[g];
    uint64_t k = (uint64_t)((unsigned __int128)batch_draw(game) * game->legal >> 64);
    return b->kernels->nth(batch_mask(b, g), (uint32_t)k);
}

/* Plays a legal action and decides whether the game is over. */
static ply_status play_action(ply_batch *b, size_t g, int32_t action, unsigned worker)
{
    const ply_rules *rules = b->rules;
    batch_game *game = &b->games[g];
    void *position = batch_position(b, g);
    unsigned char *undo_stack = batch_undo_stack(b, g);
    if (b->options.history > 0)
        memcpy(batch_past_position(b, g, game->plies), position, rules->position_bytes);
    if (b->past_keys)
        batch_past_keys(b, g)[game->plies] = rules->game->hash(rules, position);
    ply_status status =
        ply_game_step(rules, position, (uint32_t)action, &batch_moves(b, g)[game->plies],
                      undo_stack + game->plies * rules->undo_bytes);
    if (status != PLY_OK) {
        end_game(b, g, BATCH_TRUNCATED, PLY_ONGOING);
        return status;
    }
    game->plies++;
    ply_batch_look(b, g, worker);
    return PLY_OK;
}

/* The action to play in place of an illegal one; PLY_BATCH_NO_ACTION: the player loses. */
static int32_t replace_illegal(ply_batch *b, size_t g)
{
    if (b->options.illegal == PLY_BATCH_ILLEGAL_RANDOM)
        return draw_action(b, g);
    int side = b->rules->game->side(b->rules, batch_position(b, g));
    end_game(b, g, BATCH_ENDED, side ? PLY_FIRST_WINS : PLY_SECOND_WINS);
    return PLY_BATCH_NO_ACTION;
}

/* Game g has just ended. */
static ply_status finish_game(ply_batch *b, size_t g, unsigned worker)
{
    const ply_batch_arrays *a = &b->arrays;
    ply_result result = b->games[g].result;
    float first = result == PLY_FIRST_WINS ? 1.0f : result == PLY_SECOND_WINS ? -1.0f : 0.0f;
    a->rewards[2 * g] = first;
    a->rewards[2 * g + 1] = -first;
    ply_batch_publish_end(b, g);
    if (b->options.reset != PLY_BATCH_RESET_SAME_STEP)
        return PLY_OK;
    if (a->final_observations)
        observe(b, g, a->final_observations + g * b->observation_bytes);
    return restart(b, g, worker);
}

static ply_status step_game(ply_batch *b, size_t g, int32_t action, unsigned worker)
{
    batch_game *game = &b->games[g];
    ply_status status = PLY_OK;
    ply_batch_clear_step(b, g);
    if (game->end != BATCH_PLAYING) {
        if (b->options.reset == PLY_BATCH_RESET_NEVER)
            return PLY_OK;
        status = restart(b, g, worker);
        ply_batch_publish_end(b, g);
        ply_batch_publish(b, g);
        return status;
    }
    if (!is_legal(b, g, action)) {
        b->arrays.illegal[g] = 1;
        if (b->options.illegal == PLY_BATCH_ILLEGAL_PASSES)
            return PLY_OK;
        action = replace_illegal(b, g);
    }
    if (action != PLY_BATCH_NO_ACTION)
        status = play_action(b, g, action, worker);
    ply_batch_publish_end(b, g);
    if (game->end != BATCH_PLAYING) {
        ply_status finished = finish_game(b, g, worker);
        status = status == PLY_OK ? finished : status;
    }
    ply_batch_publish(b, g);
    return status;
}

static ply_status step_games(ply_batch *b, size_t first, size_t end, unsigned worker, void *context)
{
    const int32_t *actions = context;
    ply_status result = PLY_OK;
    for (size_t g = first; g < end; g++) {
        ply_status status = step_game(b, g, actions[g], worker);
        result = result == PLY_OK ? status : result;
    }
    return result;
}

ply_status ply_batch_step(ply_batch *batch, const int32_t *actions)
{
    if (!batch || !actions)
        return PLY_BAD_ARGUMENT;
    if (batch->device)
        return ply_batch_device_step(batch->device, actions);
    if (batch->options.illegal == PLY_BATCH_ILLEGAL_FAILS)
        for (size_t g = 0; g < batch->options.games; g++)
            if (batch->games[g].end == BATCH_PLAYING && !is_legal(batch, g, actions[g]))
                return PLY_ILLEGAL_MOVE;
    int32_t *context;
    memcpy(&context, &actions, sizeof context);
    return ply_batch_run(batch, step_games, context);
}

static ply_status reset_games(ply_batch *b, size_t first, size_t end, unsigned worker,
                              void *context)
{
    const uint8_t *which = context;
    ply_status result = PLY_OK;
    for (size_t g = first; g < end; g++)
        if (!which || which[g]) {
            ply_batch_clear_step(b, g);
            ply_status status = restart(b, g, worker);
            result = result == PLY_OK ? status : result;
            if (b->games[g].has_position) {
                ply_batch_publish_end(b, g);
                ply_batch_publish(b, g);
            }
        }
    return result;
}

ply_status ply_batch_reset(ply_batch *batch, const uint8_t *which)
{
    if (!batch)
        return PLY_BAD_ARGUMENT;
    if (batch->device)
        return ply_batch_device_reset(batch->device, which);
    uint8_t *context;
    memcpy(&context, &which, sizeof context);
    return ply_batch_run(batch, reset_games, context);
}

static ply_status sample_games(ply_batch *b, size_t first, size_t end, unsigned worker,
                               void *context)
{
    (void)worker;
    int32_t *actions = context;
    for (size_t g = first; g < end; g++)
        actions[g] = b->games[g].legal ? draw_action(b, g) : PLY_BATCH_NO_ACTION;
    return PLY_OK;
}

void ply_batch_sample(ply_batch *batch, int32_t *actions)
{
    if (batch && actions && batch->device)
        ply_batch_device_sample(batch->device, actions);
    else if (batch && actions)
        ply_batch_run(batch, sample_games, actions);
}

/* What random steps have added up to, by all threads. */
typedef struct random_steps {
    uint64_t steps;
    _Atomic uint64_t plies, games[4];
} random_steps;

static ply_status random_games(ply_batch *b, size_t first, size_t end, unsigned worker,
                               void *context)
{
    random_steps *job = context;
    ply_status result = PLY_OK;
    for (size_t g = first; g < end; g++)
        for (uint64_t i = 0; i < job->steps; i++) {
            bool playing = b->games[g].end == BATCH_PLAYING;
            int32_t action = b->games[g].legal ? draw_action(b, g) : PLY_BATCH_NO_ACTION;
            ply_status status = step_game(b, g, action, worker);
            result = result == PLY_OK ? status : result;
            job->plies += playing;
            if (playing && (b->arrays.terminated[g] || b->arrays.truncated[g]))
                job->games[b->arrays.results[g]]++;
        }
    return result;
}

ply_status ply_batch_random_steps(ply_batch *batch, uint64_t steps, ply_batch_totals *totals)
{
    if (!batch)
        return PLY_BAD_ARGUMENT;
    if (batch->device)
        return ply_batch_device_random(batch->device, steps, totals);
    random_steps job = {.steps = steps};
    ply_status status = ply_batch_run(batch, random_games, &job);
    if (totals)
        *totals =
            (ply_batch_totals){job.plies, {job.games[0], job.games[1], job.games[2], job.games[3]}};
    return status;
}
