/* SPDX-License-Identifier: MIT */
/* searcher.c - the searcher and its life; see search.h. */
#include "search/searcher.h"
#include <stdlib.h>
#include <string.h>

static const char *const kind_names[PLY_SEARCH_KINDS] = {"alphabeta", "mcts", "playouts"};

const char *ply_search_kind_name(ply_search_kind kind)
{
    return (unsigned)kind < PLY_SEARCH_KINDS ? kind_names[kind] : NULL;
}

bool ply_search_kind_find(const char *name, ply_search_kind *kind)
{
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

ply_searcher *ply_searcher_new(const ply_rules *rules, const ply_search_options *options)
{
    ply_searcher *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->rules = rules;
    s->options = *options;
    if (s->options.threads == 0)
        s->options.threads = 1;
    if (s->options.memory_mb == 0)
        s->options.memory_mb = SEARCH_MEMORY_MB;
    s->team = ply_workers_start(s->options.threads);
    bool ready = s->team && (s->options.kind == PLY_SEARCH_ALPHABETA ? ply_alphabeta_init(s)
                                                                     : ply_mcts_init(s));
    if (!ready) {
        ply_searcher_free(s);
        return NULL;
    }
    if (s->options.tables && ply_tablebase_available(rules) &&
        ply_tablebase_open(rules, s->options.tables, 0, &s->solved, NULL) == PLY_OK &&
        ply_tablebase_count(s->solved) == 0) {
        ply_tablebase_close(s->solved);
        s->solved = NULL;
    }
    return s;
}

void ply_searcher_free(ply_searcher *searcher)
{
    if (!searcher)
        return;
    ply_workers_stop(searcher->team);
    ply_alphabeta_free(searcher);
    ply_mcts_free(searcher);
    ply_tablebase_close(searcher->solved);
    ply_turn_search_forget(searcher);
    free(searcher);
}

void ply_searcher_clear(ply_searcher *searcher)
{
    ply_turn_search_forget(searcher);
    if (searcher->table.slots)
        ply_alphabeta_clear(searcher);
}

void ply_searcher_new_game(ply_searcher *searcher, uint64_t game)
{
    ply_searcher_clear(searcher);
    searcher->game = game;
}

bool ply_search_move_wanted(const ply_search_limits *limits, ply_move move)
{
    if (!limits->only)
        return true;
    for (size_t i = 0; i < limits->only_count; i++)
        if (limits->only[i] == move)
            return true;
    return false;
}

void ply_search_report_progress(ply_searcher *searcher)
{
    ply_search_report *report = &searcher->report;
    report->nodes = __atomic_load_n(&searcher->clock.nodes, __ATOMIC_RELAXED);
    report->seconds = ply_search_clock_seconds(&searcher->clock);
    report->pv = searcher->lines;
    if (searcher->listener)
        searcher->listener(searcher->context, report);
}

/* Stopped before anything was found: the first move that is wanted is better than none. */
static ply_status take_any_move(ply_searcher *s, const ply_state *state)
{
    size_t count = ply_game_count_moves(s->rules, state->position);
    for (size_t i = 0; i < count; i++) {
        ply_move move = ply_game_nth_move(s->rules, state->position, i);
        if (!ply_search_move_wanted(s->clock.limits, move))
            continue;
        s->lines[0] = (ply_variation){.length = 1, .moves = {move}};
        s->report.pv_count = 1;
        return PLY_OK;
    }
    return PLY_UNSUPPORTED; /* none of the moves asked for is legal */
}

ply_status ply_searcher_run(ply_searcher *searcher, const ply_state *state,
                            const ply_search_limits *limits, ply_search_listener *listener,
                            void *context, ply_search_report *result)
{
    const ply_rules *rules = searcher->rules;
    bool by_turns = rules->game->multi_move_turns;
    if (by_turns ? ply_state_outcome(state).result != PLY_ONGOING
                 : ply_game_count_moves(rules, state->position) == 0) {
        __atomic_store_n(&searcher->clock.armed, 0, __ATOMIC_SEQ_CST);
        return PLY_UNSUPPORTED;
    }
    searcher->listener = listener;
    searcher->context = context;
    searcher->report = (ply_search_report){0};
    ply_search_clock_start(&searcher->clock, limits, rules->game->side(rules, state->position));
    ply_status status = PLY_OK;
    if (!ply_search_tablebase_root(searcher, state))
        status = searcher->options.kind == PLY_SEARCH_ALPHABETA ? ply_alphabeta_run(searcher, state)
                                                                : ply_mcts_run(searcher, state);
    if (status == PLY_OK && searcher->report.pv_count == 0)
        status = take_any_move(searcher, state);
    searcher->report.nodes = __atomic_load_n(&searcher->clock.nodes, __ATOMIC_RELAXED);
    searcher->report.seconds = ply_search_clock_seconds(&searcher->clock);
    searcher->report.pv = searcher->lines;
    *result = searcher->report;
    return status;
}

void ply_searcher_arm(ply_searcher *searcher, bool ponder)
{
    ply_search_clock_arm(&searcher->clock, ponder);
}

void ply_searcher_stop(ply_searcher *searcher)
{
    ply_search_clock_stop(&searcher->clock);
}

void ply_searcher_ponderhit(ply_searcher *searcher)
{
    ply_search_clock_ponderhit(&searcher->clock);
}
