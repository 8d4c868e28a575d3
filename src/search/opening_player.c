/* SPDX-License-Identifier: MIT */
/*
 * opening_player.c - see opening_player.h.
 *
 * Where sides can be swapped, the engine searches the position and takes the better side; a
 * balanced position is prolonged if the procedure allows. Where a move is to be made, it draws a
 * few at random and searches each: a move placed before the sides are settled should leave the game
 * balanced, a move offered or chosen should be good for the engine's own side.
 */
#include "search/opening_player.h"
#include <stdlib.h>
#include <string.h>

enum {
    BALANCED = 60,  /* a smaller advantage, in hundredths, is not worth a side */
    CANDIDATES = 8, /* moves searched for one choice */
    SEARCH_NODES = 500,
    SEARCH_MEGABYTES = 4,
    MAX_DECLARED = 4,
};

/* The actions possible now, as far as a choice needs them. */
typedef struct action_sample {
    ply_rng *rng;
    unsigned acts; /* bit 1 << ply_opening_act for each kind that is possible */
    ply_opening_action swap, stay, extend;
    ply_opening_action declare; /* the largest number up to MAX_DECLARED */
    ply_opening_action moves[CANDIDATES];
    size_t move_count; /* of all possible moves, in the sample or not */
} action_sample;

/* Keeps a uniform sample of the moves (reservoir sampling). */
static void sample_move(action_sample *sample, const ply_opening_action *action)
{
    size_t at = sample->move_count++;
    if (at >= CANDIDATES)
        at = ply_rng_below(sample->rng, (uint32_t)sample->move_count);
    if (at < CANDIDATES)
        sample->moves[at] = *action;
}

static bool add_action(void *context, const ply_opening_action *action)
{
    action_sample *sample = context;
    sample->acts |= 1u << action->act;
    switch (action->act) {
    case PLY_OPENING_SWAP:
        sample->swap = *action;
        break;
    case PLY_OPENING_STAY:
        sample->stay = *action;
        break;
    case PLY_OPENING_EXTEND:
        sample->extend = *action;
        break;
    case PLY_OPENING_DECLARE:
        if (action->number <= MAX_DECLARED && action->number > sample->declare.number)
            sample->declare = *action;
        break;
    default:
        sample_move(sample, action);
        break;
    }
    return true;
}

ply_status ply_opening_state(const ply_rules *rules, const void *procedure, ply_state *state)
{
    ply_move moves[PLY_OPENING_MOVES];
    size_t count = rules->openings->moves(rules, procedure, moves);
    ply_status status = ply_state_init(state, rules);
    if (status != PLY_OK)
        return status;
    for (size_t i = 0; i < count && status == PLY_OK; i++)
        status = ply_state_play(state, moves[i]);
    if (status != PLY_OK)
        ply_state_free(state);
    return status;
}

/* The score of the procedure's position for the first side, after one more move unless it is
 * PLY_MOVE_NONE. */
static ply_status score_first_side(ply_searcher *searcher, const ply_rules *rules,
                                   const void *procedure, ply_move move, int32_t *score)
{
    static const ply_search_limits limits = {.nodes = SEARCH_NODES};
    ply_search_report report = {0};
    ply_state state;
    *score = 0;
    ply_status status = ply_opening_state(rules, procedure, &state);
    if (status != PLY_OK)
        return status;
    if (move != PLY_MOVE_NONE)
        status = ply_state_play(&state, move);
    if (status == PLY_OK && ply_state_outcome(&state).result == PLY_ONGOING) {
        status = ply_searcher_run(searcher, &state, &limits, NULL, NULL, &report);
        if (status == PLY_OK)
            *score = rules->game->side(rules, state.position) == 0 ? report.pv[0].score
                                                                   : -report.pv[0].score;
    }
    ply_state_free(&state);
    return status;
}

/* 1 when the player to act has the first side, else -1. */
static int sign_of_actor(const ply_rules *rules, const void *procedure)
{
    const ply_opening_hooks *hooks = rules->openings;
    return hooks->to_act(rules, procedure) == hooks->first_side(rules, procedure) ? 1 : -1;
}

static ply_status choose_side(ply_searcher *searcher, const ply_rules *rules, const void *procedure,
                              const action_sample *sample, char *text)
{
    int32_t first, own;
    ply_status status = score_first_side(searcher, rules, procedure, PLY_MOVE_NONE, &first);
    if (status != PLY_OK)
        return status;
    own = first * sign_of_actor(rules, procedure);
    if (sample->acts >> PLY_OPENING_EXTEND & 1 && abs(first) < BALANCED)
        strcpy(text, sample->extend.text);
    else
        strcpy(text, own < 0 ? sample->swap.text : sample->stay.text);
    return PLY_OK;
}

static ply_status choose_move(ply_searcher *searcher, const ply_rules *rules, const void *procedure,
                              const action_sample *sample, char *text)
{
    size_t count = sample->move_count < CANDIDATES ? sample->move_count : CANDIDATES;
    int32_t best = INT32_MIN;
    for (size_t i = 0; i < count; i++) {
        const ply_opening_action *action = &sample->moves[i];
        int32_t first;
        ply_status status = score_first_side(searcher, rules, procedure, action->move, &first);
        if (status != PLY_OK)
            return status;
        int32_t value = action->act == PLY_OPENING_PLACE ? -abs(first)
                                                         : first * sign_of_actor(rules, procedure);
        if (value > best) {
            best = value;
            strcpy(text, action->text);
        }
    }
    return count > 0 ? PLY_OK : PLY_UNSUPPORTED;
}

ply_status ply_opening_choose(const ply_rules *rules, const void *procedure, ply_rng *rng,
                              char text[PLY_OPENING_TEXT])
{
    action_sample sample = {.rng = rng};
    rules->openings->actions(rules, procedure, add_action, &sample);
    if (sample.acts >> PLY_OPENING_DECLARE & 1 && sample.declare.number > 0) {
        strcpy(text, sample.declare.text);
        return PLY_OK;
    }
    ply_search_options options = {.memory_mb = SEARCH_MEGABYTES};
    ply_searcher *searcher = ply_searcher_new(rules, &options);
    if (!searcher)
        return PLY_NO_MEMORY;
    ply_status status = sample.acts >> PLY_OPENING_SWAP & 1
                            ? choose_side(searcher, rules, procedure, &sample, text)
                            : choose_move(searcher, rules, procedure, &sample, text);
    ply_searcher_free(searcher);
    return status;
}
