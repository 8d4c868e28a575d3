/* SPDX-License-Identifier: MIT */
/* cmd_tables.c - plyverse tables: building, verifying, listing and probing endgame tablebases. */
#include "cli/cli.h"
#include "cluster/cluster.h"
#include "cluster/estimate.h"
#include "core/clock.h"
#include "core/text/json_write.h"
#include "cuda/neighbours_report.h"
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { DEFAULT_MEMORY_MB = 4096, DEFAULT_CHECKPOINT_SECONDS = 60 };

/* Appends the folder given, or else the one in the user's data folder; nothing if there is none. */
static void find_dir(const char *given, ply_text *dir)
{
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    if (given && given[0])
        ply_text_string(dir, given);
    else if (data && data[0] == '/') /* the XDG standard says to ignore relative paths */
        ply_text_format(dir, "%s/plyverse/tables", data);
    else if (home && home[0])
        ply_text_format(dir, "%s/.local/share/plyverse/tables", home);
}

bool cli_tables_find_as(const cli_args *args, const char *option, const ply_rules *rules,
                        ply_text *dir)
{
    const char *given = cli_value(args, option);
    ply_tablebase *tables;
    ply_error error = {0};
    if ((given && strcmp(given, "none") == 0) || (rules && !ply_tablebase_available(rules)))
        return true;
    if (given && access(given, R_OK | X_OK) != 0) {
        cli_fail(args, "%s: %s: %s", option, given, strerror(errno));
        return false;
    }
    find_dir(given, dir);
    if (dir->length == 0 || !rules)
        return true;
    ply_status status = ply_tablebase_open(rules, ply_text_cstr(dir), 1, &tables, &error);
    if (status != PLY_OK) {
        cli_fail(args, "%s", error.message);
        return false;
    }
    if (ply_tablebase_count(tables) == 0)
        ply_text_clear(dir);
    ply_tablebase_close(tables);
    return true;
}

bool cli_tables_find(const cli_args *args, const ply_rules *rules, ply_text *dir)
{
    return cli_tables_find_as(args, "--tables", rules, dir);
}

/* --- build and verify ------------------------------------------------------------------------ */
typedef struct slice_printer {
    bool shows;
    const char *clear; /* the escape sequence that clears the progress line of a terminal */
} slice_printer;

static void print_slice(void *context, const char *class_name, uint64_t positions, double seconds)
{
    const slice_printer *printer = context;
    if (printer->shows && seconds >= 1)
        fprintf(stderr, "%s%s: %" PRIu64 " positions in %.0f s\n", printer->clear, class_name,
                positions, seconds);
}

static uint64_t peak_memory_kb(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? (uint64_t)usage.ru_maxrss : 0;
}

/* Prints text to stdout and frees it; result is the exit status if that works. */
static int print_or_fail(const cli_args *args, ply_text *out, int result)
{
    if (out->failed) {
        ply_text_free(out);
        return cli_fail(args, "out of memory");
    }
    cli_print_text(out);
    return result;
}

/* Bytes per item, with one decimal. */
static double each(uint64_t bytes, uint64_t items)
{
    return items ? (double)bytes / (double)items : 0;
}

/* What the ranks of a cluster sent each other. */
static void print_report(const cluster_build_report *report, bool json, ply_text *out)
{
    if (json) {
        ply_json_member_unsigned(out, "ranks", cluster_ranks());
        ply_json_member_unsigned(out, "passes", report->passes);
        ply_json_member_unsigned(out, "updates", report->updates);
        ply_json_member_unsigned(out, "update_bytes", report->update_bytes);
        ply_json_member_unsigned(out, "lookups", report->lookups);
        ply_json_member_unsigned(out, "lookup_bytes", report->lookup_bytes);
        return;
    }
    ply_text_format(out,
                    "ranks %u\npasses %" PRIu64 ", %.0f kB sent in each\nupdates %" PRIu64
                    " of %.2f bytes\nlookups %" PRIu64 " of %.2f bytes\n",
                    cluster_ranks(), report->passes,
                    each(report->update_bytes, report->passes) / 1000, report->updates,
                    each(report->update_bytes, report->updates), report->lookups,
                    each(report->lookup_bytes, report->lookups));
}

/* Prints the last lines of build and verify. */
static int print_totals(const cli_args *args, const ply_rules *rules, const ply_tablebase_job *job,
                        const ply_progress *progress, const cluster_build_report *report,
                        double seconds)
{
    uint64_t memory_kb = cluster_ranks() > 1 ? report->memory_kb : peak_memory_kb();
    ply_tablebase_info *list;
    size_t count;
    uint64_t slots = 0, bytes = 0;
    ply_error error = {0};
    if (ply_tablebase_list(rules, job->dir, &list, &count, &error) != PLY_OK)
        return cli_fail(args, "%s", error.message);
    for (size_t i = 0; i < count; i++) {
        slots += list[i].slots;
        bytes += list[i].bytes;
    }
    free(list);
    ply_text out = ply_text_growing();
    if (cli_has(args, "--json")) {
        cli_json_open(rules, &out);
        ply_json_member_string(&out, "up_to", job->up_to);
        ply_json_member_unsigned(&out, "tables", count);
        ply_json_member_unsigned(&out, "slots", slots);
        ply_json_member_unsigned(&out, "bytes", bytes);
        ply_json_member_unsigned(&out, "positions", progress->units);
        ply_json_name(&out, "seconds");
        ply_json_real(&out, seconds);
        ply_json_member_unsigned(&out, "threads", job->threads);
        ply_json_member_unsigned(&out, "memory_kb", memory_kb);
        if (cluster_ranks() > 1)
            print_report(report, true, &out);
        ply_json_close(&out, '}');
        ply_text_char(&out, '\n');
    } else {
        ply_text_format(&out,
                        "seconds %.1f\nmemory %" PRIu64 " MiB\ntables %zu\nvalues %" PRIu64
                        "\nbytes %" PRIu64 "\n",
                        seconds, memory_kb >> 10, count, slots, bytes);
        if (cluster_ranks() > 1)
            print_report(report, false, &out);
        if (strcmp(args->operands[0], "verify") == 0)
            ply_text_format(&out, "verified %" PRIu64 "\n", progress->units);
    }
    return print_or_fail(args, &out, CLI_OK);
}

/* Prints what a build would need; builds nothing. */
static int predict(const cli_args *args, const ply_rules *rules, const ply_tablebase_job *job)
{
    uint64_t ranks;
    cluster_estimate e;
    ply_error error = {0};
    if (!cli_number(args, "--ranks", 1, 4096, cluster_ranks(), &ranks))
        return CLI_BAD;
    ply_status status = cluster_estimate_build(rules, job, (unsigned)ranks, &e, &error);
    if (status != PLY_OK)
        return cli_fail(args, "%s", error.message);
    ply_text out = ply_text_growing();
    if (cli_has(args, "--json")) {
        cli_json_open(rules, &out);
        ply_json_member_string(&out, "up_to", job->up_to);
        ply_json_member_unsigned(&out, "ranks", ranks);
        ply_json_member_unsigned(&out, "values", e.slots);
        ply_json_member_unsigned(&out, "memory_per_rank", e.memory_bytes);
        ply_json_member_unsigned(&out, "file_bytes", e.file_bytes);
        ply_json_member_unsigned(&out, "checkpoint_bytes", e.part_bytes);
        ply_json_member_unsigned(&out, "sent_bytes", e.sent_bytes);
        ply_json_name(&out, "seconds");
        ply_json_real(&out, e.seconds);
        ply_json_close(&out, '}');
        ply_text_char(&out, '\n');
    } else {
        ply_text_format(&out,
                        "ranks %" PRIu64 "\nvalues %" PRIu64 "\nmemory per rank %" PRIu64
                        " MiB (class %s)\nfiles %" PRIu64 " MB\ncheckpoints %" PRIu64
                        " MB\nsent %" PRIu64 " MB\ntime %.0f s\n",
                        ranks, e.slots, e.memory_bytes >> 20, e.largest, e.file_bytes / 1000000,
                        e.part_bytes / 1000000, e.sent_bytes / 1000000, e.seconds);
    }
    return print_or_fail(args, &out, CLI_OK);
}

static int run_job(const cli_args *args, const ply_rules *rules, const char *dir)
{
    ply_progress progress = {0};
    slice_printer printer = {.shows = cli_shows_progress(args),
                             .clear = isatty(STDERR_FILENO) ? "\r\033[K" : ""};
    ply_tablebase_job job = {
        .dir = dir, .progress = &progress, .listener = print_slice, .context = &printer};
    uint64_t memory, checkpoint;
    /* mpirun places several ranks on a machine: one thread each unless stated. */
    unsigned threads = cluster_ranks() > 1 ? 1 : cli_cores();
    if (!cli_threads_from(args, threads, &job.threads) ||
        !cli_number(args, "--memory", 1, (uint64_t)1 << 24, DEFAULT_MEMORY_MB, &memory) ||
        !cli_number(args, "--checkpoint", 0, 1u << 20, DEFAULT_CHECKPOINT_SECONDS, &checkpoint))
        return CLI_BAD;
    job.up_to = cli_value(args, "--up-to");
    if (!job.up_to)
        job.up_to = ply_tablebase_default_reach(rules);
    job.memory_mb = (size_t)memory;
    job.checkpoint = checkpoint ? (unsigned)checkpoint : UINT_MAX;
    bool verifies = strcmp(args->operands[0], "verify") == 0;
    const char *device = cli_value(args, "--device");
    if (device && strcmp(device, "cuda") != 0 && strcmp(device, "cpu") != 0)
        return cli_fail(args, "--device: '%s' is neither cpu nor cuda", device);
    if (device && strcmp(device, "cuda") == 0) {
        if (cluster_ranks() > 1)
            return cli_fail(args,
                            "--device cuda works on one machine only: start it without mpirun");
        job.device = PLY_DEVICE_CUDA;
    }
    if (!verifies && cli_has(args, "--dry-run"))
        return predict(args, rules, &job);
    cluster_build_report report = {0};
    ply_error error = {0};
    uint64_t start = ply_clock_nanos();
    cli_progress *shown = cli_progress_start(args, &progress, "positions");
    ply_status status = verifies ? ply_tablebase_verify(rules, &job, &error)
                        : cluster_ranks() > 1
                            ? cluster_tablebase_build(rules, &job, &report, &error)
                            : ply_tablebase_build(rules, &job, &error);
    cli_progress_stop(shown);
    if (status == PLY_STOPPED) {
        cli_fail(args, verifies ? "stopped" : "stopped; the same command continues from here");
        return CLI_STOPPED;
    }
    if (status != PLY_OK) {
        cli_fail(args, "%s", error.message);
        return status == PLY_BAD_POSITION ? CLI_NO : CLI_BAD;
    }
    return print_totals(args, rules, &job, &progress, &report, ply_clock_seconds_since(start));
}

/* --- info ------------------------------------------------------------------------------------ */
static void json_info(const ply_tablebase_info *info, ply_text *out)
{
    ply_json_open(out, '{');
    ply_json_member_string(out, "class", info->name);
    ply_json_member_unsigned(out, "wins", info->wins);
    ply_json_member_unsigned(out, "losses", info->losses);
    ply_json_member_unsigned(out, "draws", info->draws);
    ply_json_member_unsigned(out, "longest", info->longest);
    ply_json_member_string(out, "example", info->example);
    ply_json_member_unsigned(out, "slots", info->slots);
    ply_json_member_unsigned(out, "bytes", info->bytes);
    ply_json_close(out, '}');
}

static int info(const cli_args *args, const ply_rules *rules, const char *dir)
{
    ply_tablebase_info *list;
    size_t count;
    ply_error error = {0};
    ply_status status = ply_tablebase_list(rules, dir, &list, &count, &error);
    if (status != PLY_OK)
        return cli_fail(args, "%s", error.message);
    ply_text out = ply_text_growing();
    if (cli_has(args, "--json")) {
        cli_json_open(rules, &out);
        ply_json_member_string(&out, "dir", dir);
        ply_json_name(&out, "tables");
        ply_json_open(&out, '[');
        for (size_t i = 0; i < count; i++)
            json_info(&list[i], &out);
        ply_json_close(&out, ']');
        ply_json_close(&out, '}');
        ply_text_char(&out, '\n');
    } else {
        for (size_t i = 0; i < count; i++)
            ply_text_format(&out,
                            "%s wins %" PRIu64 " losses %" PRIu64 " draws %" PRIu64
                            " longest %u bytes %" PRIu64 "%s%s\n",
                            list[i].name, list[i].wins, list[i].losses, list[i].draws,
                            list[i].longest, list[i].bytes, list[i].longest ? " example " : "",
                            list[i].longest ? list[i].example : "");
        ply_text_format(&out, "tables %zu\n", count);
    }
    free(list);
    return print_or_fail(args, &out, CLI_OK);
}

/* --- probe ----------------------------------------------------------------------------------- */
/* Best first: short wins, draws, long losses, then moves to positions in no tablebase. */
static int compare_moves(const void *a, const void *b)
{
    const ply_tablebase_move *x = a, *y = b;
    static const int worth[] = {
        [PLY_TABLEBASE_WIN] = 0, [PLY_TABLEBASE_DRAW] = 1, [PLY_TABLEBASE_LOSS] = 2};
    int p = x->known ? worth[x->value.result] : 3, q = y->known ? worth[y->value.result] : 3;
    if (p != q)
        return p - q;
    return p == 0 ? x->value.plies - y->value.plies : p == 2 ? y->value.plies - x->value.plies : 0;
}

static void print_probe(const cli_game *game, ply_tablebase *tables, ply_tablebase_value value,
                        ply_text *out)
{
    const ply_rules *rules = &game->rules;
    ply_tablebase_move *moves = malloc(rules->max_moves * sizeof *moves);
    size_t count = moves ? ply_tablebase_moves(tables, game->state.position, moves) : 0;
    out->failed = out->failed || !moves;
    if (count > 0)
        qsort(moves, count, sizeof *moves, compare_moves);
    for (size_t i = 0; i < count; i++) {
        rules->game->format_move(rules, game->state.position, moves[i].move, out);
        ply_text_char(out, ' ');
        if (moves[i].known)
            ply_tablebase_value_text(moves[i].value, out);
        else
            ply_text_string(out, "not in the tables");
        ply_text_char(out, '\n');
    }
    free(moves);
    ply_text_string(out, "value ");
    ply_tablebase_value_text(value, out);
    ply_text_char(out, '\n');
}

static int probe(const cli_args *args, const cli_game *game, const char *dir)
{
    ply_tablebase *tables;
    ply_error error = {0};
    if (ply_tablebase_open(&game->rules, dir, 0, &tables, &error) != PLY_OK)
        return cli_fail(args, "%s", error.message);
    ply_tablebase_value value;
    bool known = ply_tablebase_probe(tables, game->state.position, &value);
    int result = known ? CLI_OK : CLI_NO;
    ply_text out = ply_text_growing();
    if (cli_has(args, "--json")) {
        cli_json_open(&game->rules, &out);
        ply_tablebase_json(tables, game->state.position, &out);
        ply_json_close(&out, '}');
        ply_text_char(&out, '\n');
    } else if (known) {
        print_probe(game, tables, value, &out);
    } else {
        ply_text_string(&out, "value unknown\n");
    }
    bool failed = ply_tablebase_error(tables, &error);
    ply_tablebase_close(tables);
    if (!failed)
        return print_or_fail(args, &out, result);
    ply_text_free(&out);
    return cli_fail(args, "%s", error.message);
}

/* --- solve ----------------------------------------------------------------------------------- */
typedef struct solve_output {
    const cli_args *args;
    const char *path; /* of the report; NULL: none */
    int result;
} solve_output;

static bool save_report(void *context, const ply_text *report)
{
    solve_output *o = context;
    if (o->path)
        o->result = cli_write_file(o->args, o->path, report);
    return o->result == CLI_OK;
}

static bool print_line(void *context, const char *line, bool finished)
{
    const solve_output *o = context;
    if (finished || cli_shows_progress(o->args))
        fputs(line, finished ? stdout : stderr);
    fflush(stdout);
    return true;
}

static int solve(const cli_args *args, cli_game *game)
{
    const char *text = cli_value(args, "--up-to");
    solve_output output = {.args = args, .path = cli_value(args, "--report"), .result = CLI_OK};
    neighbours_solve_options options = {.up_to = {3, 3},
                                        .verifies = !cli_has(args, "--no-verify"),
                                        .label_path = cli_value(args, "--label"),
                                        .on_report = save_report,
                                        .on_line = print_line,
                                        .context = &output};
    int *up_to = options.up_to;
    char end;
    if (strcmp(game->rules.game->id, "neighbours") != 0)
        return cli_fail(args, "solve is for neighbours, not for %s", game->rules.game->id);
    if (text && (sscanf(text, "%1dv%1d%c", &up_to[0], &up_to[1], &end) != 2 || up_to[0] < 1 ||
                 up_to[1] < 1 || up_to[0] > 6 || up_to[1] > 6))
        return cli_fail(args, "--up-to: '%s' is not AvB with 1 to 6 pieces on each side", text);
    ply_error error = {0};
    uint64_t start = ply_clock_nanos();
    ply_status status = neighbours_solve(&game->rules, &options, &game->state, &error);
    if (output.result != CLI_OK)
        return output.result;
    if (status != PLY_OK) {
        cli_fail(args, "%s", error.message);
        return status == PLY_BAD_POSITION ? CLI_NO : CLI_BAD;
    }
    printf("seconds %.1f\n", ply_clock_seconds_since(start));
    return CLI_OK;
}

int cli_tables(const cli_args *args)
{
    static const char *const actions[] = {"build", "verify", "info", "probe", "solve"};
    size_t action = 0;
    while (action < 5 && strcmp(args->operands[0], actions[action]) != 0)
        action++;
    if (action == 5)
        return cli_fail(args, "'%s' is none of build, verify, info, probe, solve",
                        args->operands[0]);
    cli_game game;
    int result = cli_game_open_second(&game, args);
    if (result != CLI_OK)
        return result;
    if (action == 4) {
        result = cluster_ranks() > 1
                     ? cli_fail(args, "solve works on one machine only: start it without mpirun")
                     : solve(args, &game);
        cli_game_close(&game);
        return result;
    }
    ply_text dir = ply_text_growing();
    find_dir(cli_value(args, "--dir"), &dir);
    if (!ply_tablebase_available(&game.rules))
        result = cli_fail(args, "%s has no tablebases, or this program was built without zstd",
                          game.rules.game->id);
    else if (dir.failed)
        result = cli_fail(args, "out of memory");
    else if (dir.length == 0)
        result = cli_fail(args, "--dir is required: neither XDG_DATA_HOME nor HOME is set");
    else if (action > 0 && cluster_ranks() > 1)
        result = cli_fail(args, "%s works on one machine only: start it without mpirun",
                          actions[action]);
    else if (action < 2)
        result = run_job(args, &game.rules, ply_text_cstr(&dir));
    else if (action == 2)
        result = info(args, &game.rules, ply_text_cstr(&dir));
    else
        result = probe(args, &game, ply_text_cstr(&dir));
    ply_text_free(&dir);
    cli_game_close(&game);
    return result;
}
