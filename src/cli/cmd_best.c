/* cmd_best.c - plyverse best: the best moves in a position, and why. */
#include "cli/cli.h"
#include "core/json.h"
#include "core/progress.h"
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct watcher {
    const cli_game *game;
    bool shows;
} watcher;

static ply_searcher *volatile running; /* what ctrl-C stops */

static void on_interrupt(int signal_number)
{
    (void)signal_number;
    if (running)
        ply_searcher_stop(running);
}

void cli_score_text(int32_t score, ply_text *out)
{
    if (score >= PLY_SCORE_FORCED || score <= -PLY_SCORE_FORCED) {
        int32_t plies = PLY_SCORE_WIN - (score < 0 ? -score : score);
        /* Monte-Carlo knows that it is won, not how soon. */
        if (plies >= PLY_SCORE_WIN - PLY_SCORE_FORCED)
            ply_text_string(out, score > 0 ? "win" : "loss");
        else
            ply_text_format(out, "%s in %d", score > 0 ? "win" : "loss", plies);
        return;
    }
    ply_text_format(out, "%+.2f", score / 100.0);
}

/* The moves of a line in the game's notation, parted by blanks. */
static void line_text(const cli_game *game, const ply_search_line *line, ply_text *out)
{
    ply_state state;
    if (ply_state_copy(&state, &game->state) != PLY_OK)
        return;
    for (uint32_t i = 0; i < line->length; i++) {
        if (i > 0)
            ply_text_char(out, ' ');
        state.rules->game->format_move(state.rules, state.position, line->moves[i], out);
        if (ply_state_play(&state, line->moves[i]) != PLY_OK)
            break;
    }
    ply_state_free(&state);
}

static void watch(void *context, const ply_search_report *report)
{
    const watcher *w = context;
    if (!w->shows || report->seconds < 0.5)
        return;
    char text[160];
    ply_text line = ply_text_fixed(text, sizeof text);
    ply_text_format(&line, "depth %d  ", report->depth);
    cli_score_text(report->lines[0].score, &line);
    ply_text_string(&line, "  ");
    ply_progress_number((double)report->nodes / report->seconds, &line);
    ply_text_string(&line, " nodes/s  ");
    line_text(w->game, &report->lines[0], &line);
    fprintf(stderr, "\r%.79s\033[K", text);
}

static void print_plain(const cli_game *game, const ply_search_report *report)
{
    ply_text out = ply_text_growing();
    for (size_t i = 0; i < report->line_count; i++) {
        ply_text_format(&out, "line %zu score ", i + 1);
        cli_score_text(report->lines[i].score, &out);
        ply_text_format(&out, " depth %d moves ", report->depth);
        line_text(game, &report->lines[i], &out);
        ply_text_char(&out, '\n');
    }
    ply_text_format(&out, "nodes %" PRIu64 "\nnodes/s %.0f\nbest ", report->nodes,
                    report->seconds > 0 ? (double)report->nodes / report->seconds : 0);
    game->rules.game->format_move(&game->rules, game->state.position, report->lines[0].moves[0],
                                  &out);
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
    for (size_t i = 0; i < report->line_count; i++) {
        char score[32];
        ply_text score_text = ply_text_fixed(score, sizeof score), moves = ply_text_growing();
        cli_score_text(report->lines[i].score, &score_text);
        line_text(game, &report->lines[i], &moves);
        ply_json_open(&out, '{');
        ply_json_member_string(&out, "score", score);
        ply_json_name(&out, "value");
        ply_json_signed(&out, report->lines[i].score);
        ply_json_member_string(&out, "moves", ply_text_cstr(&moves));
        ply_json_close(&out, '}');
        ply_text_free(&moves);
    }
    ply_json_close(&out, ']');
    char best[PLY_MOVE_TEXT];
    ply_text text = ply_text_fixed(best, sizeof best);
    game->rules.game->format_move(&game->rules, game->state.position, report->lines[0].moves[0],
                                  &text);
    ply_json_member_string(&out, "best", best);
    ply_json_close(&out, '}');
    ply_text_char(&out, '\n');
    cli_print_text(&out);
}

static bool search_kind(const cli_args *args, const char *option, ply_search_kind *kind)
{
    const char *name = cli_value(args, option);
    *kind = PLY_SEARCH_ALPHABETA;
    if (!name || strcmp(name, "alphabeta") == 0)
        return true;
    *kind = PLY_SEARCH_MCTS;
    if (strcmp(name, "mcts") == 0)
        return true;
    cli_fail(args, "%s: '%s' is none of alphabeta, mcts", option, name);
    return false;
}

int cli_best(const cli_args *args)
{
    ply_search_options options = {0};
    ply_search_limits limits = {0};
    uint64_t depth, lines, memory;
    if (!cli_threads(args, &options.threads) || !search_kind(args, "--engine", &options.kind) ||
        !cli_number(args, "--hash", 1, 1 << 20, 64, &memory) ||
        !cli_number(args, "--seed", 0, UINT64_MAX, 1, &options.seed) ||
        !cli_number(args, "--time", 1, 1u << 30, 0, &limits.millis) ||
        !cli_number(args, "--depth", 1, 100, 0, &depth) ||
        !cli_number(args, "--nodes", 1, UINT64_MAX, 0, &limits.nodes) ||
        !cli_number(args, "--multipv", 1, 64, 1, &lines))
        return CLI_BAD;
    options.memory_mb = (size_t)memory;
    limits.depth = (int)depth;
    limits.lines = (unsigned)lines;
    if (!limits.millis && !limits.nodes && !limits.depth)
        limits.millis = 1000;
    cli_game game;
    int result = cli_game_open(&game, args);
    if (result != CLI_OK)
        return result;
    ply_outcome outcome = ply_state_outcome(&game.state);
    ply_searcher *searcher = NULL;
    if (outcome.result != PLY_ONGOING) {
        result = cli_fail(args, "the game is over: %s", outcome.reason);
    } else if (!(searcher = ply_searcher_new(&game.rules, &options))) {
        result = cli_fail(args, "out of memory");
    } else {
        watcher w = {.game = &game, .shows = !cli_has(args, "--quiet") && isatty(STDERR_FILENO)};
        ply_search_report report;
        running = searcher;
        signal(SIGINT, on_interrupt);
        ply_status status = ply_searcher_run(searcher, &game.state, &limits, watch, &w, &report);
        signal(SIGINT, SIG_DFL);
        running = NULL;
        if (w.shows)
            fputs("\r\033[K", stderr);
        if (status != PLY_OK)
            result = cli_fail(args, "%s", ply_status_text(status));
        else if (cli_has(args, "--json"))
            print_json(&game, &report);
        else
            print_plain(&game, &report);
    }
    ply_searcher_free(searcher);
    cli_game_close(&game);
    return result;
}
