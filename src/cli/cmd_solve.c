/* SPDX-License-Identifier: MIT */
/* cmd_solve.c - plyverse solve: whether a goal can be forced, how, and the proof; and plyverse
 * check-proof, which checks such proofs. */
#include "cli/cli.h"
#include "core/clock.h"
#include "core/file.h"
#include "core/text/json_write.h"
#include "core/text/progress_text.h"
#include "model/variation.h"
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_MEMORY_MB = 1024, LEAST_MEMORY_MB = 16, DEFAULT_EVERY_MILLIS = 30 * 60 * 1000 };

static ply_solver *volatile running; /* the solver that ctrl-C stops */
static volatile sig_atomic_t interrupted;

static void on_interrupt(int signal_number)
{
    (void)signal_number;
    interrupted = 1;
    if (running)
        ply_solver_stop(running);
}

/* The progress line. A job may consist of several runs; see run. */
typedef struct watcher {
    bool shows, shown;
    double last_shown; /* seconds into the job */
    uint64_t nodes;    /* of the runs before this one */
    double seconds;    /* into the job when this run began */
} watcher;

static void watch(void *context, const ply_solve_report *report)
{
    watcher *w = context;
    double seconds = w->seconds + report->seconds;
    if (!w->shows || seconds < w->last_shown + 0.5)
        return;
    w->last_shown = seconds;
    char text[160];
    ply_text line = ply_text_fixed(text, sizeof text);
    ply_progress_report progress = {.unit = "nodes",
                                    .units = w->nodes + report->nodes,
                                    .memory_bytes = report->memory_bytes,
                                    .seconds = seconds};
    ply_progress_format(&progress, &line);
    if (report->verdict == PLY_VERDICT_WIN)
        ply_text_format(&line, "  won in %" PRIu32 ", shortening",
                        report->plies ? report->plies : report->length);
    else
        ply_text_format(&line, "  proof %" PRIu64 " disproof %" PRIu64, report->proof,
                        report->disproof);
    fprintf(stderr, "\r%.100s\033[K", text);
    w->shown = true;
}

static const char *verdict_name(ply_verdict verdict)
{
    return verdict == PLY_VERDICT_WIN ? "win" : verdict == PLY_VERDICT_NO ? "no" : "unknown";
}

static void print_plain(const cli_game *game, const ply_goal *goal, const ply_solve_report *r)
{
    ply_text out = ply_text_growing();
    ply_text_format(&out, "goal %s\nnodes %" PRIu64 "\nseconds %.3f\nmemory %zu\n", goal->id,
                    r->nodes, r->seconds, r->memory_bytes);
    if (r->verdict == PLY_VERDICT_WIN) {
        ply_text_string(&out, "line ");
        ply_variation_format(&game->state, r->pv, r->pv_length, NULL, &out);
        ply_text_char(&out, '\n');
        if (r->plies || !r->length)
            ply_text_format(&out, "plies %" PRIu32 "\n", r->plies);
        ply_text_format(&out, "win in %" PRIu32 "%s\n", r->length, r->shortest ? " shortest" : "");
    } else if (r->verdict == PLY_VERDICT_NO) {
        ply_text_string(&out, "no\n");
    } else {
        ply_text_format(&out, "unknown %s\n", r->stop_reason ? r->stop_reason : "");
    }
    cli_print_text(&out);
}

static void print_json(const cli_game *game, const ply_goal *goal, const ply_solve_report *r)
{
    ply_text out = ply_text_growing(), line = ply_text_growing();
    cli_json_open(&game->rules, &out);
    ply_json_member_string(&out, "goal", goal->id);
    ply_json_member_string(&out, "verdict", verdict_name(r->verdict));
    if (r->verdict == PLY_VERDICT_WIN) {
        ply_variation_format(&game->state, r->pv, r->pv_length, NULL, &line);
        ply_text_format(&out, ",\"plies\":%" PRIu32 ",\"counted\":%" PRIu32 ",\"shortest\":%s",
                        r->plies, r->length, r->shortest ? "true" : "false");
        ply_json_member_string(&out, "line", ply_text_cstr(&line));
    }
    if (r->stop_reason)
        ply_json_member_string(&out, "why", r->stop_reason);
    ply_text_format(&out, ",\"nodes\":%" PRIu64 ",\"seconds\":%.3f,\"memory\":%zu", r->nodes,
                    r->seconds, r->memory_bytes);
    ply_json_close(&out, '}');
    ply_text_char(&out, '\n');
    ply_text_free(&line);
    cli_print_text(&out);
}

static bool sink(void *context, const void *bytes, size_t count)
{
    return fwrite(bytes, 1, count, context) == count;
}

/* Fails now rather than after hours of work if the file cannot be written. */
static int check_writable(const cli_args *args, const char *path)
{
    if (ply_file_replace_possible(path))
        return CLI_OK;
    return cli_fail(args, "%s: %s", path, strerror(errno));
}

/* Writes a proof or a checkpoint. */
static int write_file(const cli_args *args, ply_solver *solver, const char *path,
                      ply_status (*write)(ply_solver *, ply_proof_sink *, void *))
{
    ply_file_replacement file;
    if (!ply_file_replace_begin(&file, path))
        return cli_fail(args, "%s: %s", path, strerror(errno));
    ply_status status = write(solver, sink, file.stream);
    if (status == PLY_OK) {
        if (ply_file_replace_commit(&file, false))
            return CLI_OK;
        return cli_fail(args, "%s: %s", path, strerror(errno));
    }
    ply_file_replace_abort(&file);
    if (status == PLY_IO)
        return cli_fail(args, "%s: %s", path, strerror(errno));
    if (status == PLY_LIMIT)
        return cli_fail(args, "%s: too large for the memory limit (--memory), or too deep", path);
    return cli_fail(args, "%s: %s", path, ply_status_text(status));
}

/* Loads the checkpoint of an earlier run, if the file exists. */
static int load_checkpoint(const cli_args *args, const cli_game *game, ply_solver *solver,
                           const ply_solve_limits *limits, const char *path)
{
    ply_proof_source source;
    ply_error error = {0};
    if (!ply_solver_can_save(solver))
        return cli_fail(args, "--checkpoint: the solver for this goal has no checkpoints");
    FILE *file = cli_source_open(path, &source);
    if (!file)
        return errno == ENOENT ? CLI_OK : cli_fail(args, "%s: %s", path, strerror(errno));
    ply_status status = ply_solver_load(solver, game->state.position, limits, &source, &error);
    fclose(file);
    return status == PLY_OK ? CLI_OK : cli_fail(args, "%s: %s", path, error.message);
}

/*
 * Without a checkpoint: one run. With one: runs that continue each other, with the checkpoint saved
 * in between, so that a kill loses no more than the last run. *report covers all of them.
 */
static ply_status run(const cli_args *args, const cli_game *game, ply_solver *solver,
                      const ply_solve_limits *limits, const char *checkpoint, uint64_t every,
                      ply_solve_report *report)
{
    watcher w = {.shows = cli_shows_progress(args)};
    uint64_t start = ply_clock_nanos();
    ply_status status;
    for (bool resume = true; resume;) {
        uint64_t spent = (ply_clock_nanos() - start) / 1000000;
        ply_solve_limits part = *limits;
        if (limits->millis)
            part.millis = spent < limits->millis ? limits->millis - spent : 1;
        bool last = !checkpoint || (limits->millis && part.millis <= every);
        if (!last)
            part.millis = every;
        if (limits->nodes)
            part.nodes = limits->nodes - w.nodes;
        status = ply_solver_run(solver, game->state.position, &part, watch, &w, report);
        bool open = report->verdict == PLY_VERDICT_UNKNOWN ||
                    (report->verdict == PLY_VERDICT_WIN && limits->shortest && !report->shortest);
        resume = status == PLY_OK && open && !last && !interrupted &&
                 report->seconds * 1e3 >= (double)every &&
                 (!limits->nodes || report->nodes < part.nodes);
        w.nodes = report->nodes += w.nodes;
        w.seconds = report->seconds = ply_clock_seconds_since(start);
        if (resume) /* a failure is not final: there may be space for the file at the end */
            write_file(args, solver, checkpoint, ply_solver_save);
    }
    if (w.shown)
        fprintf(stderr, "\r\033[K");
    return status;
}

static int solve(const cli_args *args, const cli_game *game, const ply_goal *goal,
                 const ply_solve_options *options, const ply_solve_limits *limits, uint64_t every)
{
    ply_solver *solver = ply_solver_new(&game->rules, goal, options);
    if (!solver)
        return cli_fail(args, "out of memory");
    const char *checkpoint = cli_value(args, "--checkpoint"), *proof = cli_value(args, "--proof");
    int result = checkpoint ? load_checkpoint(args, game, solver, limits, checkpoint) : CLI_OK;
    if (result == CLI_OK && checkpoint)
        result = check_writable(args, checkpoint);
    if (result == CLI_OK && proof)
        result = check_writable(args, proof);
    if (result != CLI_OK) {
        ply_solver_free(solver);
        return result;
    }
    running = solver;
    struct sigaction action = {.sa_handler = on_interrupt}, old;
    sigaction(SIGINT, &action, &old);
    ply_solve_report report;
    ply_status status = run(args, game, solver, limits, checkpoint, every, &report);
    sigaction(SIGINT, &old, NULL);
    running = NULL;
    if (status != PLY_OK)
        result = cli_fail(args, "%s", ply_status_text(status));
    else if (cli_has(args, "--json"))
        print_json(game, goal, &report);
    else
        print_plain(game, goal, &report);
    fflush(stdout); /* writing the files may take a while */
    if (status == PLY_OK && checkpoint)
        result = write_file(args, solver, checkpoint, ply_solver_save);
    if (status == PLY_OK && proof && report.verdict != PLY_VERDICT_UNKNOWN &&
        write_file(args, solver, proof, ply_solver_prove) != CLI_OK)
        result = CLI_BAD;
    if (status == PLY_OK && result == CLI_OK && report.verdict != PLY_VERDICT_WIN)
        result = CLI_NO;
    ply_solver_free(solver);
    return result;
}

int cli_solve(const cli_args *args)
{
    ply_solve_options options = {0};
    ply_solve_limits limits = {.shortest = cli_has(args, "--shortest"),
                               .ignore_futile = cli_has(args, "--composed"),
                               .resume = cli_has(args, "--checkpoint")};
    uint64_t memory, every;
    if (!cli_threads(args, &options.threads) ||
        !cli_number(args, "--memory", LEAST_MEMORY_MB, 1 << 20, DEFAULT_MEMORY_MB, &memory) ||
        !cli_number(args, "--time", 1, 1u << 30, 0, &limits.millis) ||
        !cli_number(args, "--nodes", 1, UINT64_MAX, 0, &limits.nodes) ||
        !cli_number(args, "--every", 1, 1u << 30, DEFAULT_EVERY_MILLIS, &every))
        return CLI_BAD;
    if (cli_has(args, "--every") && !limits.resume)
        return cli_fail(args, "--every requires --checkpoint FILE");
    options.memory_mb = (size_t)memory;
    cli_game game;
    int result = cli_game_open(&game, args);
    if (result != CLI_OK)
        return result;
    const char *id = cli_value(args, "--goal");
    const ply_goal *goal = ply_goal_find(game.rules.game, id);
    if (!goal)
        result = cli_fail(args, "--goal: %s has no goal '%s'; see plyverse games %s",
                          game.rules.game->id, id, game.rules.game->id);
    else
        result = solve(args, &game, goal, &options, &limits, every);
    cli_game_close(&game);
    return result;
}

/* --- check-proof ------------------------------------------------------------------------------ */
static volatile bool check_stopped;

static void on_check_interrupt(int signal_number)
{
    (void)signal_number;
    check_stopped = true;
}

static void print(const cli_args *args, const ply_game *game, const ply_proof_summary *s,
                  const ply_text *position)
{
    ply_text out = ply_text_growing();
    bool win = s->verdict == PLY_VERDICT_WIN;
    if (cli_has(args, "--json")) {
        ply_json_open(&out, '{');
        ply_json_member_string(&out, "game", game->id);
        ply_json_member_string(&out, "variant", s->variant);
        ply_json_member_string(&out, "goal", s->goal);
        ply_json_member_string(&out, "position", ply_text_cstr(position));
        ply_json_member_string(&out, "verdict", win ? "win" : "no");
        ply_text_format(&out,
                        ",\"attacker\":%d,\"plies\":%" PRIu32 ",\"nodes\":%" PRIu64
                        ",\"labels\":%" PRIu64 ",\"depth\":%zu",
                        s->attacker, s->plies, s->nodes, s->labels, s->depth);
        ply_json_close(&out, '}');
        ply_text_char(&out, '\n');
    } else {
        ply_text_format(&out, "variant %s\ngoal %s\nposition %s\n", s->variant, s->goal,
                        ply_text_cstr(position));
        ply_text_format(&out, "attacker %s\nnodes %" PRIu64 "\nlabels %" PRIu64 "\ndepth %zu\n",
                        game->player_names[s->attacker], s->nodes, s->labels, s->depth);
        if (win)
            ply_text_format(&out, "proved win in %" PRIu32 "\n", s->plies);
        else
            ply_text_string(&out, "proved no\n");
    }
    cli_print_text(&out);
}

int cli_check_proof(const cli_args *args)
{
    const ply_game *game = cli_find_game(args);
    const char *path = args->operands[1];
    if (!game)
        return CLI_BAD;
    ply_proof_source source;
    FILE *file = cli_source_open(path, &source);
    if (!file)
        return cli_fail(args, "%s: %s", path, strerror(errno));
    struct sigaction action = {.sa_handler = on_check_interrupt}, old;
    sigaction(SIGINT, &action, &old);
    ply_proof_summary summary;
    ply_error error = {0};
    ply_text position = ply_text_growing();
    ply_status status =
        ply_proof_check(game, &source, 0, &check_stopped, &summary, &position, &error);
    sigaction(SIGINT, &old, NULL);
    fclose(file);
    int result = CLI_OK;
    if (status == PLY_OK)
        print(args, game, &summary, &position);
    else if (status == PLY_STOPPED)
        result = CLI_STOPPED;
    else
        result = cli_fail(args, "%s: %s", path,
                          error.message[0] ? error.message : ply_status_text(status));
    ply_text_free(&position);
    return result;
}
