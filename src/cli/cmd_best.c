/* SPDX-License-Identifier: MIT */
/* cmd_best.c - plyverse best: the best moves in a position, with scores and variations. */
#include "cli/cli.h"
#include "core/text/json_write.h"
#include "core/text/progress_text.h"
#include "model/variation.h"
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

enum { DEFAULT_MILLIS = 1000, DEFAULT_MEMORY_MB = 64, MULTIPV_LIMIT = 64 };

/* What the search listener needs. */
typedef struct watcher {
    const cli_game *game;
    bool shows; /* the progress line */
} watcher;

static ply_searcher *volatile running; /* the search that ctrl-C stops */

static void on_interrupt(int signal_number)
{
    (void)signal_number;
    if (running)
        ply_searcher_stop(running);
}

/* Appends the best move, or all moves of the turn in games whose turns have several. */
static void format_best(const cli_game *game, const ply_search_report *report, ply_text *out)
{
    const ply_rules *rules = &game->rules;
    const ply_variation *pv = &report->pv[0];
    ply_state state;
    uint32_t length = 0;
    if (rules->game->multi_move_turns && ply_state_copy(&state, &game->state) == PLY_OK) {
        int side = rules->game->side(rules, state.position);
        while (length < pv->length && rules->game->side(rules, state.position) == side &&
               ply_state_play(&state, pv->moves[length]) == PLY_OK)
            length++;
        ply_state_free(&state);
    }
    ply_variation_format(&game->state, pv->moves, length ? length : 1, NULL, out);
}

static void format_pv(const cli_game *game, const ply_variation *pv, ply_text *out)
{
    ply_variation_format(&game->state, pv->moves, pv->length, NULL, out);
}

static void watch(void *context, const ply_search_report *report)
{
    const watcher *w = context;
    if (!w->shows || report->seconds < 0.5)
        return;
    char text[160];
    ply_text line = ply_text_fixed(text, sizeof text);
    ply_text_format(&line, "depth %d  ", report->depth);
    ply_score_text(report->pv[0].score, &line);
    ply_text_string(&line, "  ");
    ply_progress_number((double)report->nodes / report->seconds, &line);
    ply_text_string(&line, " nodes/s  ");
    format_pv(w->game, &report->pv[0], &line);
    fprintf(stderr, "\r%.79s\033[K", text);
}

static void print_plain(const cli_game *game, const ply_search_report *report)
{
    ply_text out = ply_text_growing();
    for (size_t i = 0; i < report->pv_count; i++) {
        ply_text_format(&out, "line %zu score ", i + 1);
        ply_score_text(report->pv[i].score, &out);
        ply_text_format(&out, " depth %d moves ", report->depth);
        format_pv(game, &report->pv[i], &out);
        ply_text_char(&out, '\n');
    }
    ply_text_format(&out, "nodes %" PRIu64 "\nnodes/s %.0f\nbest ", report->nodes,
                    report->seconds > 0 ? (double)report->nodes / report->seconds : 0);
    format_best(game, report, &out);
    ply_text_char(&out, '\n');
    cli_print_text(&out);
}

static void print_json(const cli_game *game, const ply_search_report *report)
{
    ply_text out = ply_text_growing();
    cli_json_open(&game->rules, &out);
    ply_json_member_unsigned(&out, "depth", (uint64_t)report->depth);
    ply_json_member_unsigned(&out, "nodes", report->nodes);
    ply_json_name(&out, "seconds");
    ply_json_real(&out, report->seconds);
    ply_json_name(&out, "lines");
    ply_json_open(&out, '[');
    for (size_t i = 0; i < report->pv_count; i++) {
        char score[32];
        ply_text score_text = ply_text_fixed(score, sizeof score), moves = ply_text_growing();
        ply_score_text(report->pv[i].score, &score_text);
        format_pv(game, &report->pv[i], &moves);
        ply_json_open(&out, '{');
        ply_json_member_string(&out, "score", score);
        ply_json_name(&out, "value");
        ply_json_signed(&out, report->pv[i].score);
        ply_json_member_string(&out, "moves", ply_text_cstr(&moves));
        ply_json_close(&out, '}');
        ply_text_free(&moves);
    }
    ply_json_close(&out, ']');
    ply_text best = ply_text_growing();
    format_best(game, report, &best);
    ply_json_member_string(&out, "best", ply_text_cstr(&best));
    ply_text_free(&best);
    ply_json_close(&out, '}');
    ply_text_char(&out, '\n');
    cli_print_text(&out);
}

static bool parse_search_kind(const cli_args *args, const char *option, ply_search_kind *kind)
{
    const char *name = cli_value(args, option);
    *kind = PLY_SEARCH_ALPHABETA;
    if (!name || ply_search_kind_find(name, kind))
        return true;
    cli_fail(args, "%s: '%s' is none of alphabeta, mcts, playouts", option, name);
    return false;
}

typedef struct search_request {
    ply_search_options options;
    ply_search_limits limits;
    int level;
} search_request;

/* Runs the search; ctrl-C ends it with the best move so far. */
static ply_status run_search(const cli_game *game, const search_request *request, watcher *w,
                             ply_search_report *report, ply_searcher *searcher)
{
    running = searcher;
    signal(SIGINT, on_interrupt);
    ply_status status =
        ply_searcher_run(searcher, &game->state, &request->limits, watch, w, report);
    signal(SIGINT, SIG_DFL);
    running = NULL;
    if (w->shows)
        fputs("\r\033[K", stderr);
    return status;
}

static void print_report(const cli_args *args, const cli_game *game,
                         const ply_search_report *report)
{
    if (cli_has(args, "--json"))
        print_json(game, report);
    else
        print_plain(game, report);
}

/* Prints the one variation that a player of limited strength chose. */
static int best_at_level(const cli_args *args, const cli_game *game, const search_request *request)
{
    const ply_search_options *options = &request->options;
    ply_player_spec spec = {.kind = PLY_PLAYER_ALPHABETA + options->kind - PLY_SEARCH_ALPHABETA,
                            .level = request->level,
                            .memory_mb = options->memory_mb,
                            .threads = options->threads,
                            .seed = options->seed};
    if (options->network)
        snprintf(spec.network, sizeof spec.network, "%s", options->network);
    ply_player_answer answer;
    ply_player *player = ply_player_new(&game->rules, &spec);
    ply_status status =
        player ? ply_player_choose(player, &game->state, &request->limits, NULL, NULL, &answer)
               : PLY_NO_MEMORY;
    ply_player_free(player);
    if (status != PLY_OK)
        return cli_fail(args, "%s", ply_status_text(status));
    ply_search_report report = {.depth = answer.depth,
                                .nodes = answer.nodes,
                                .seconds = answer.seconds,
                                .pv_count = 1,
                                .pv = &answer.pv};
    print_report(args, game, &report);
    return CLI_OK;
}

static int best_at_full_strength(const cli_args *args, const cli_game *game,
                                 const search_request *request)
{
    watcher w = {.game = game, .shows = cli_shows_progress(args)};
    ply_search_report report;
    ply_searcher *searcher = ply_searcher_new(&game->rules, &request->options);
    if (!searcher)
        return cli_fail(args, "out of memory");
    ply_status status = run_search(game, request, &w, &report, searcher);
    int result = CLI_OK;
    if (status != PLY_OK)
        result = cli_fail(args, "%s", ply_status_text(status));
    else
        print_report(args, game, &report);
    ply_searcher_free(searcher);
    return result;
}

int cli_best(const cli_args *args)
{
    search_request request = {0};
    ply_search_options *options = &request.options;
    ply_search_limits *limits = &request.limits;
    uint64_t depth, multipv, memory, level;
    if (!cli_threads(args, &options->threads) ||
        !parse_search_kind(args, "--engine", &options->kind) ||
        !cli_number(args, "--hash", 1, 1 << 20, DEFAULT_MEMORY_MB, &memory) ||
        !cli_number(args, "--seed", 0, UINT64_MAX, 1, &options->seed) ||
        !cli_number(args, "--time", 1, 1u << 30, 0, &limits->millis) ||
        !cli_number(args, "--depth", 1, 100, 0, &depth) ||
        !cli_number(args, "--nodes", 1, UINT64_MAX, 0, &limits->nodes) ||
        !cli_number(args, "--multipv", 1, MULTIPV_LIMIT, 1, &multipv) ||
        !cli_number(args, "--level", 1, PLY_LEVEL_FULL, PLY_LEVEL_FULL, &level))
        return CLI_BAD;
    request.level = (int)level;
    if (request.level < PLY_LEVEL_FULL && cli_has(args, "--multipv"))
        return cli_fail(args, "--multipv cannot be used with a level below %d", PLY_LEVEL_FULL);
    options->memory_mb = (size_t)memory;
    limits->depth = (int)depth;
    limits->multipv = (unsigned)multipv;
    if (!limits->millis && !limits->nodes && !limits->depth && request.level == PLY_LEVEL_FULL)
        limits->millis = DEFAULT_MILLIS;
    cli_game game;
    int result = cli_game_open(&game, args);
    if (result != CLI_OK)
        return result;
    ply_text tables = ply_text_growing();
    ply_outcome outcome = ply_state_outcome(&game.state);
    if (!cli_tables_find(args, &game.rules, &tables) ||
        !cli_network_find(args, &game.rules, &options->network) ||
        !cli_book_find(args, &game.rules, &options->book))
        result = CLI_BAD;
    else if (outcome.result != PLY_ONGOING)
        result = cli_fail(args, "the game is over: %s", outcome.reason);
    else {
        options->tablebase_dir = tables.length ? ply_text_cstr(&tables) : NULL;
        result = request.level < PLY_LEVEL_FULL ? best_at_level(args, &game, &request)
                                                : best_at_full_strength(args, &game, &request);
    }
    ply_text_free(&tables);
    cli_game_close(&game);
    return result;
}
