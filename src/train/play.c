/* SPDX-License-Identifier: MIT */
/* play.c - one game of self-play; see play.h. */
#include "train/play.h"
#include "model/random_plies.h"
#include <stdlib.h>

enum {
    OPENING_ATTEMPTS = 100,
    BALANCE_SHARE = 4, /* an opening is checked with this fraction of the nodes of a move */
    MIN_BALANCE_NODES = 100,
};

/* A game while it is played. */
typedef struct player {
    const train_play_options *options;
    ply_state state;
    ply_searcher *searcher;
    ply_tablebase *tablebase; /* or NULL */
    ply_rng rng;
    ply_move *moves; /* room for rules->max_moves */
    train_game *game;
} player;

/* --- the opening ----------------------------------------------------------------------------- */
/* Sets up one of the game's openings. */
static ply_status play_known_opening(player *p, size_t number)
{
    const ply_rules *rules = p->state.rules;
    ply_text name = ply_text_growing(), start = ply_text_growing(), moves = ply_text_growing();
    ply_status status = rules->openings->get(rules, number, &name, &start, &moves);
    if (status == PLY_OK && start.length > 0) {
        status = ply_state_parse(&p->state, ply_text_cstr(&start), start.length, NULL);
        if (status == PLY_OK && !train_game_set_start(p->game, ply_text_cstr(&start), start.length))
            status = PLY_NO_MEMORY;
    }
    if (status == PLY_OK)
        status = ply_state_play_text(&p->state, ply_text_cstr(&moves), moves.length, NULL);
    ply_text_free(&name);
    ply_text_free(&start);
    ply_text_free(&moves);
    return status;
}

/* Random plies or, for half of the games if there are openings, one of those and half as many. */
static ply_status try_opening(player *p)
{
    const ply_rules *rules = p->state.rules;
    size_t known = rules->openings->count ? rules->openings->count(rules) : 0;
    unsigned most = p->options->opening_plies;
    unsigned plies = most / 2 + ply_rng_below(&p->rng, most - most / 2 + 1);
    ply_status status = ply_state_restart(&p->state);
    if (status == PLY_OK && !train_game_set_start(p->game, "", 0))
        status = PLY_NO_MEMORY;
    if (status == PLY_OK && known > 0 && (ply_rng_next(&p->rng) >> 63)) {
        status = play_known_opening(p, ply_rng_below(&p->rng, (uint32_t)known));
        plies /= 2;
    }
    return status == PLY_OK ? ply_state_play_random(&p->state, plies, &p->rng) : status;
}

/* Whether neither side has won already, as far as a short search can see. */
static ply_status is_balanced(player *p, bool *balanced)
{
    *balanced = true;
    if (p->options->balance == 0)
        return PLY_OK;
    uint64_t nodes = p->options->nodes / BALANCE_SHARE;
    ply_search_limits limits = {.nodes = nodes < MIN_BALANCE_NODES ? MIN_BALANCE_NODES : nodes};
    ply_search_report report;
    ply_status status = ply_searcher_run(p->searcher, &p->state, &limits, NULL, NULL, &report);
    if (status == PLY_OK)
        *balanced = abs(report.pv[0].score) <= p->options->balance;
    return status;
}

/* Tries openings until the game is not over and balanced; at last takes one that is not over. */
static ply_status play_opening(player *p)
{
    for (int attempt = 0; attempt < 2 * OPENING_ATTEMPTS; attempt++) {
        ply_status status = try_opening(p);
        if (status == PLY_NO_MEMORY)
            return status;
        if (status != PLY_OK || ply_state_outcome(&p->state).result != PLY_ONGOING)
            continue;
        bool balanced = true;
        if (attempt < OPENING_ATTEMPTS && (status = is_balanced(p, &balanced)) != PLY_OK)
            return status;
        if (balanced)
            return PLY_OK;
    }
    return PLY_LIMIT;
}

/* --- moves ----------------------------------------------------------------------------------- */
/* Adds a move about to be played to the game, as its number in the list of legal moves. */
static ply_status add_move(player *p, const void *position, ply_move move, int32_t score)
{
    const ply_rules *rules = p->state.rules;
    size_t count = rules->game->moves(rules, position, p->moves), k = 0;
    while (k < count && p->moves[k] != move)
        k++;
    if (k == count)
        return PLY_ILLEGAL_MOVE;
    return train_game_add(p->game, (uint32_t)k, score) ? PLY_OK : PLY_NO_MEMORY;
}

/* Adds the moves of the opening by playing them a second time. */
static ply_status add_opening(player *p)
{
    size_t plies = p->state.plies;
    ply_state played;
    ply_status status = ply_state_copy(&played, &p->state);
    if (status != PLY_OK)
        return status;
    while (ply_state_undo(&p->state))
        continue;
    for (size_t i = 0; i < plies && status == PLY_OK; i++) {
        status = add_move(p, p->state.position, played.moves[i], 0);
        if (status == PLY_OK)
            status = ply_state_play(&p->state, played.moves[i]);
    }
    ply_state_free(&played);
    p->game->opening = plies;
    return status;
}

/* How long the scores have agreed. */
typedef struct agreement {
    unsigned wins[2], draw; /* plies: that player 0 or 1 wins, that nobody does */
    unsigned stalled;       /* plies within `low` and `high`, seen by player 0 */
    int32_t low, high;
} agreement;

static void end_game(train_game *game, ply_result result, train_ending ending)
{
    game->result = result;
    game->ending = ending;
}

static void note_score(const train_play_options *o, agreement *a, int side, int32_t score)
{
    int32_t first = side == 0 ? score : -score;
    a->wins[side] = o->resign > 0 && score >= o->resign ? a->wins[side] + 1 : 0;
    a->wins[!side] = o->resign > 0 && score <= -o->resign ? a->wins[!side] + 1 : 0;
    a->draw = o->draw >= 0 && abs(score) <= o->draw ? a->draw + 1 : 0;
    a->low = first < a->low ? first : a->low;
    a->high = first > a->high ? first : a->high;
    if (a->high - a->low > TRAIN_STALL_SCORES) {
        a->low = a->high = first;
        a->stalled = 0;
    }
    a->stalled++;
}

/* Ends the game if its scores say so for long enough. */
static bool adjudicate(const player *p, const agreement *a)
{
    const train_play_options *o = p->options;
    for (int winner = 0; winner < 2; winner++) {
        if (a->wins[winner] < TRAIN_RESIGN_PLIES)
            continue;
        end_game(p->game, ply_outcome_win(winner, NULL).result, TRAIN_RESIGNED);
        return true;
    }
    bool drawn = a->draw >= TRAIN_DRAW_PLIES && p->state.plies >= TRAIN_DRAW_EARLIEST;
    bool stalled = o->stall && a->stalled >= o->stall;
    if (drawn || stalled)
        end_game(p->game, PLY_DRAW, TRAIN_AGREED);
    return drawn || stalled;
}

/* Ends the game if it is over, too long, or its result can be looked up. */
static bool is_decided(const player *p, int side)
{
    ply_result result = ply_state_outcome(&p->state).result;
    ply_tablebase_value value;
    if (result != PLY_ONGOING) {
        end_game(p->game, result, TRAIN_BY_RULE);
        return true;
    }
    if (p->tablebase && ply_tablebase_probe(p->tablebase, p->state.position, &value)) {
        int winner = value.result == PLY_TABLEBASE_WIN ? side : !side;
        result = ply_outcome_win(winner, NULL).result;
        end_game(p->game, value.result == PLY_TABLEBASE_DRAW ? PLY_DRAW : result, TRAIN_KNOWN);
        return true;
    }
    if (p->state.plies < p->options->max_plies)
        return false;
    end_game(p->game, PLY_DRAW, TRAIN_MAX_PLIES);
    return true;
}

/* Plays until the game is over, decided or too long. */
static ply_status play_on(player *p)
{
    const ply_rules *rules = p->state.rules;
    ply_search_limits limits = {.nodes = p->options->nodes};
    agreement scores = {0};
    for (;;) {
        int side = rules->game->side(rules, p->state.position);
        if (is_decided(p, side))
            return PLY_OK;
        ply_search_report report;
        ply_status status = ply_searcher_run(p->searcher, &p->state, &limits, NULL, NULL, &report);
        if (status != PLY_OK)
            return status;
        int32_t score = report.pv[0].score;
        if (abs(score) >= PLY_SCORE_FORCED) {
            end_game(p->game, ply_outcome_win(score > 0 ? side : !side, NULL).result, TRAIN_FORCED);
            return PLY_OK;
        }
        if ((status = add_move(p, p->state.position, report.pv[0].moves[0], score)) != PLY_OK ||
            (status = ply_state_play(&p->state, report.pv[0].moves[0])) != PLY_OK)
            return status;
        note_score(p->options, &scores, side, score);
        if (adjudicate(p, &scores))
            return PLY_OK;
    }
}

ply_status train_play_game(const ply_rules *rules, ply_searcher *searcher, ply_tablebase *tablebase,
                           const train_play_options *options, uint64_t g, train_game *game)
{
    player p = {.options = options, .searcher = searcher, .tablebase = tablebase, .game = game};
    size_t variants = options->variant_count ? options->variant_count : 1;
    p.rng = ply_rng_make(options->seed, g);
    p.moves = malloc(rules->max_moves * sizeof *p.moves);
    if (!p.moves)
        return PLY_NO_MEMORY;
    ply_status status = ply_state_init(&p.state, rules);
    if (status != PLY_OK) {
        free(p.moves);
        return status;
    }
    game->number = g;
    game->variant = (uint32_t)(g % variants);
    game->plies = 0;
    ply_searcher_new_game(searcher, g);
    status = play_opening(&p);
    if (status == PLY_OK)
        status = add_opening(&p);
    if (status == PLY_OK)
        status = play_on(&p);
    game->final_key = (uint32_t)rules->game->hash(rules, p.state.position);
    ply_state_free(&p.state);
    free(p.moves);
    return status;
}
