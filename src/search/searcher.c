/* SPDX-License-Identifier: MIT */
/* searcher.c - see search.h. */
#include "search/searcher.h"
#include "core/options.h"
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_MILLIS = 1000 };

static const char *const kind_names[PLY_SEARCH_KINDS] = {"alphabeta", "mcts", "playouts"};

const char *ply_search_kind_name(ply_search_kind kind)
{
    return (unsigned)kind < PLY_SEARCH_KINDS ? kind_names[kind] : NULL;
}

bool ply_search_kind_find(const char *name, ply_search_kind *kind)
{
    if (!name || !kind)
        return false;
    for (int i = 0; i < PLY_SEARCH_KINDS; i++)
        if (strcmp(name, kind_names[i]) == 0) {
            *kind = (ply_search_kind)i;
            return true;
        }
    return false;
}

void ply_score_text(int32_t score, ply_text *out)
{
    int32_t plies = PLY_SCORE_WIN - (score < 0 ? -score : score);
    if (plies > PLY_SCORE_WIN - PLY_SCORE_FORCED)
        ply_text_format(out, "%+.2f", score / 100.0);
    else if (plies == PLY_SCORE_WIN - PLY_SCORE_FORCED)
        ply_text_string(out, score > 0 ? "win" : "loss");
    else
        ply_text_format(out, "%s in %d", score > 0 ? "win" : "loss", plies);
}

/* Opens the tablebases of the options. Where there are none, the search does without. */
static void open_tablebase(ply_searcher *s)
{
    const char *dir = s->options.tablebase_dir;
    if (!dir || !ply_tablebase_available(s->rules) ||
        ply_tablebase_open(s->rules, dir, 0, &s->tablebase, NULL) != PLY_OK)
        return;
    if (ply_tablebase_count(s->tablebase) == 0) {
        ply_tablebase_close(s->tablebase);
        s->tablebase = NULL;
    }
}

/* Changes the margins of the search; a text with a mistake changes none. */
static void set_params(ply_searcher *s, const char *text)
{
    search_params params = s->params;
    if (ply_search_params_parse(&params, text, NULL) == PLY_OK)
        s->params = params;
}

ply_searcher *ply_searcher_new(const ply_rules *rules, const ply_search_options *options)
{
    ply_searcher *s = rules && rules->game ? calloc(1, sizeof *s) : NULL;
    if (!s)
        return NULL;
    s->rules = rules;
    ply_options_copy(&s->options, sizeof s->options, options);
    if ((unsigned)s->options.kind >= PLY_SEARCH_KINDS)
        s->options.kind = PLY_SEARCH_ALPHABETA;
    s->params = ply_search_params_default;
    set_params(s, rules->search->parameters);
    set_params(s, s->options.parameters);
    if (s->options.threads == 0 || ply_mcts_is_external(s))
        s->options.threads = 1;
    if (s->options.memory_mb == 0)
        s->options.memory_mb = DEFAULT_MEMORY_MB;
    s->workers = ply_workers_start(s->options.threads);
    bool ready = s->workers && (s->options.kind == PLY_SEARCH_ALPHABETA ? ply_alphabeta_init(s)
                                                                        : ply_mcts_init(s));
    if (!ready) {
        ply_searcher_free(s);
        return NULL;
    }
    open_tablebase(s);
    if (s->options.book)
        ply_book_open(rules, s->options.book, &s->book, NULL);
    if (ply_network_load(rules, s->options.network, &s->network, NULL) == PLY_NO_MEMORY) {
        ply_searcher_free(s);
        return NULL;
    }
    return s;
}

void ply_searcher_free(ply_searcher *searcher)
{
    if (!searcher)
        return;
    ply_workers_stop(searcher->workers);
    ply_alphabeta_free(searcher);
    ply_mcts_free(searcher);
    ply_tablebase_close(searcher->tablebase);
    ply_network_free(searcher->network);
    ply_book_close(searcher->book);
    free(searcher->root);
    ply_planned_turn_clear(searcher);
    free(searcher);
}

void ply_searcher_clear(ply_searcher *searcher)
{
    if (!searcher)
        return;
    ply_planned_turn_clear(searcher);
    if (searcher->tt.slots)
        ply_alphabeta_clear(searcher);
}

void ply_searcher_new_game(ply_searcher *searcher, uint64_t game)
{
    if (!searcher)
        return;
    ply_searcher_clear(searcher);
    searcher->game = game;
}

bool ply_search_move_allowed(const ply_search_limits *limits, ply_move move)
{
    if (!limits->only)
        return true;
    for (size_t i = 0; i < limits->only_count; i++)
        if (limits->only[i] == move)
            return true;
    return false;
}

/* Fills in the parts of the report that change all the time. */
static void update_report(ply_searcher *s)
{
    s->report.nodes = time_control_nodes(&s->time);
    s->report.seconds = ply_time_control_seconds(&s->time);
    s->report.pv = s->variations;
}

void ply_search_report_progress(ply_searcher *searcher)
{
    update_report(searcher);
    if (searcher->listener)
        searcher->listener(searcher->context, &searcher->report);
}

/* The search was stopped before it found anything: any allowed move is better than none. */
static ply_status take_any_move(ply_searcher *s, const ply_state *state)
{
    size_t count = ply_game_count_moves(s->rules, state->position);
    for (size_t i = 0; i < count; i++) {
        ply_move move = ply_game_nth_move(s->rules, state->position, i);
        if (!ply_search_move_allowed(s->time.limits, move))
            continue;
        s->variations[0] = (ply_variation){.length = 1, .moves = {move}};
        s->report.pv_count = 1;
        return PLY_OK;
    }
    return PLY_UNSUPPORTED; /* none of limits->only is legal */
}

static bool has_move(const ply_state *state)
{
    return state->rules->game->multi_move_turns
               ? ply_state_outcome(state).result == PLY_ONGOING
               : ply_game_count_moves(state->rules, state->position) > 0;
}

ply_status ply_searcher_run(ply_searcher *searcher, const ply_state *state,
                            const ply_search_limits *limits, ply_search_listener *listener,
                            void *context, ply_search_report *result)
{
    if (!searcher || !state || !state->position || !result)
        return PLY_BAD_ARGUMENT;
    const ply_rules *rules = searcher->rules;
    ply_search_limits own;
    ply_options_copy(&own, sizeof own, limits);
    if (!limits)
        own.millis = DEFAULT_MILLIS;
    if (!has_move(state)) {
        ply_time_control_disarm(&searcher->time);
        /* A game that goes on has moves: they could not be listed. */
        return ply_state_outcome(state).result == PLY_ONGOING ? PLY_NO_MEMORY : PLY_UNSUPPORTED;
    }
    searcher->listener = listener;
    searcher->context = context;
    searcher->report = (ply_search_report){0};
    ply_time_control_start(&searcher->time, &own, rules->game->side(rules, state->position));
    ply_status status = PLY_OK;
    if (!ply_search_tablebase_root(searcher, state) && !ply_search_book_root(searcher, state))
        status = searcher->options.kind == PLY_SEARCH_ALPHABETA ? ply_alphabeta_run(searcher, state)
                                                                : ply_mcts_run(searcher, state);
    if (status == PLY_OK && searcher->report.pv_count == 0)
        status = take_any_move(searcher, state);
    update_report(searcher);
    *result = searcher->report;
    return status;
}

void ply_searcher_arm(ply_searcher *searcher, bool ponder)
{
    if (searcher)
        ply_time_control_arm(&searcher->time, ponder);
}

void ply_searcher_stop(ply_searcher *searcher)
{
    if (searcher)
        ply_time_control_stop(&searcher->time);
}

void ply_searcher_ponderhit(ply_searcher *searcher)
{
    if (searcher)
        ply_time_control_ponderhit(&searcher->time);
}
