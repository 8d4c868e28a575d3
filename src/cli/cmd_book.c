/* SPDX-License-Identifier: MIT */
/* cmd_book.c - plyverse book: building and showing opening books. */
#include "cli/cli.h"
#include "core/clock.h"
#include "core/text/json_write.h"
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_NODES = 20000, DEFAULT_POSITIONS = 1000, DEFAULT_WIDTH = 4, MAX_WIDTH = 64 };

/* --- build ----------------------------------------------------------------------------------- */
typedef struct book_job {
    ply_searcher *searcher;
    ply_search_limits limits;
    uint64_t deadline; /* on ply_clock_now; 0: none */
    bool shows;
    uint64_t positions, expanded;
} book_job;

static volatile sig_atomic_t interrupted;

static void on_interrupt(int signal_number)
{
    (void)signal_number;
    interrupted = 1;
}

static bool is_stopped(void *context)
{
    const book_job *job = context;
    return interrupted || (job->deadline && ply_clock_nanos() > job->deadline);
}

/* Searches a position as if it were the first: what was learned elsewhere must not matter. */
static size_t search_position(void *context, const ply_state *state, ply_variation *out,
                              size_t room)
{
    book_job *job = context;
    ply_search_report report;
    job->limits.multipv = (unsigned)room;
    ply_searcher_clear(job->searcher);
    if (is_stopped(job) ||
        ply_searcher_run(job->searcher, state, &job->limits, NULL, NULL, &report) != PLY_OK)
        return 0;
    size_t count = report.pv_count < room ? report.pv_count : room;
    memcpy(out, report.pv, count * sizeof *out);
    return count;
}

static void show_round(void *context, uint64_t positions, uint64_t expanded)
{
    book_job *job = context;
    job->positions = positions;
    job->expanded = expanded;
    if (job->shows)
        fprintf(stderr, "%" PRIu64 " positions, %" PRIu64 " expanded\n", positions, expanded);
}

static int build(const cli_args *args, const ply_rules *rules, const char *path)
{
    book_job job = {.shows = cli_shows_progress(args)};
    ply_book_options options = {
        .search = search_position, .context = &job, .stopped = is_stopped, .saved = show_round};
    ply_search_options search = {0};
    uint64_t width, millis, hash;
    if (!cli_number(args, "--positions", 1, INT32_MAX, DEFAULT_POSITIONS, &options.positions) ||
        !cli_number(args, "--nodes", 1, UINT64_MAX, DEFAULT_NODES, &options.nodes) ||
        !cli_number(args, "--width", 1, MAX_WIDTH, DEFAULT_WIDTH, &width) ||
        !cli_number(args, "--hash", 1, 1 << 20, 4, &hash) ||
        !cli_number(args, "--time", 1, 1u << 30, 0, &millis) ||
        !cli_network_find(args, rules, &search.network))
        return CLI_BAD;
    options.width = (unsigned)width;
    search.memory_mb = (size_t)hash;
    job.limits.nodes = options.nodes;
    job.deadline = millis ? ply_clock_nanos() + millis * 1000000 : 0;
    job.searcher = ply_searcher_new(rules, &search);
    if (!job.searcher)
        return cli_fail(args, "out of memory");
    ply_error error = {0};
    interrupted = 0;
    signal(SIGINT, on_interrupt);
    ply_status status = ply_book_build(rules, path, &options, &error);
    signal(SIGINT, SIG_DFL);
    ply_searcher_free(job.searcher);
    if (status != PLY_OK && status != PLY_STOPPED)
        return cli_fail(args, "%s", error.message);
    if (status == PLY_STOPPED)
        printf("stopped\n");
    else if (job.positions == 0)
        printf("complete\n");
    if (job.positions > 0)
        printf("positions %" PRIu64 "\nexpanded %" PRIu64 "\n", job.positions, job.expanded);
    return interrupted ? CLI_STOPPED : CLI_OK;
}

/* --- show ------------------------------------------------------------------------------------ */
static void print_move(const cli_game *game, const ply_book_move *move, bool json, ply_text *out)
{
    char name[PLY_MOVE_TEXT];
    ply_text text = ply_text_fixed(name, sizeof name);
    ply_state_move_text(&game->state, move->move, &text);
    if (!json) {
        ply_text_format(out, "move %s score ", name);
        ply_score_text(move->score, out);
        ply_text_char(out, '\n');
        return;
    }
    ply_json_open(out, '{');
    ply_json_member_string(out, "move", name);
    ply_json_member_signed(out, "score", move->score);
    ply_json_close(out, '}');
}

static int show(const cli_args *args, const cli_game *game, const char *path)
{
    ply_error error = {0};
    ply_book *book;
    if (ply_book_open(&game->rules, path, &book, &error) != PLY_OK)
        return cli_fail(args, "%s", error.message);
    size_t room = game->rules.max_moves;
    ply_book_move *moves = malloc(room * sizeof *moves);
    size_t count = moves ? ply_book_moves(book, &game->state, moves, room) : 0;
    bool json = cli_has(args, "--json");
    ply_text out = ply_text_growing();
    if (json) {
        cli_json_open(&game->rules, &out);
        ply_json_member_unsigned(&out, "positions", ply_book_size(book));
        ply_json_name(&out, "moves");
        ply_json_open(&out, '[');
    } else {
        ply_text_format(&out, "positions %zu\n", ply_book_size(book));
    }
    for (size_t i = 0; i < count; i++)
        print_move(game, &moves[i], json, &out);
    if (json) {
        ply_json_close(&out, ']');
        ply_json_close(&out, '}');
        ply_text_char(&out, '\n');
    }
    cli_print_text(&out);
    free(moves);
    ply_book_close(book);
    return count > 0 ? CLI_OK : CLI_NO;
}

bool cli_book_find(const cli_args *args, const ply_rules *rules, const char **path)
{
    ply_book *book;
    ply_error error = {0};
    *path = cli_value(args, "--book");
    if (*path && strcmp(*path, "none") == 0)
        *path = NULL;
    if (!*path || !rules)
        return true;
    if (ply_book_open(rules, *path, &book, &error) != PLY_OK) {
        cli_fail(args, "%s", error.message);
        return false;
    }
    ply_book_close(book);
    return true;
}

int cli_book(const cli_args *args)
{
    bool builds = strcmp(args->operands[0], "build") == 0;
    const char *out = cli_value(args, "--out"), *path = cli_value(args, "--book");
    if (!builds && strcmp(args->operands[0], "show") != 0)
        return cli_fail(args, "'%s' is neither build nor show", args->operands[0]);
    if (builds ? !out || path : !path || out)
        return cli_fail(args, builds ? "build needs --out FILE" : "show needs --book FILE");
    cli_game game;
    int result = cli_game_open_second(&game, args);
    if (result != CLI_OK)
        return result;
    result = builds ? build(args, &game.rules, out) : show(args, &game, path);
    cli_game_close(&game);
    return result;
}
