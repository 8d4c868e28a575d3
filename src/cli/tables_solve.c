/* SPDX-License-Identifier: MIT */
/*
 * tables_solve.c - plyverse tables solve: Neighbours solved in the memory of a CUDA device.
 *
 * The values are too many to keep, so what remains is a report: one line for each class, then passes,
 * checksums, samples and the values around the starting position. docs/cuda.md describes its lines.
 */
#include "cli/tables_solve.h"
#include "core/clock.h"
#include "cuda/neighbours_tables.h"
#include <inttypes.h>
#include <plyverse/rng.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 64, SAMPLE_WORDS = 4, REPORT_SECONDS = 20, LINE_PLIES = 24 };

static const char *const value_names[] = {
    [VALUE_DRAW] = "drawn", [VALUE_WIN] = "won", [VALUE_LOSS] = "lost"};

typedef struct solve_job {
    const cli_args *args;
    const ply_rules *rules;
    const char *path; /* of the report; NULL: only on standard output */
    ply_cuda *cuda;
    neighbours_solver *solver;
    bool verifies;
    uint64_t start, written; /* nanoseconds */
    ply_text state;          /* the line of what is under way */
} solve_job;

/* --- the report ------------------------------------------------------------------------------ */
static void report_class(const neighbours_class_report *r, ply_text *out)
{
    ply_text_format(out,
                    "class %dv%d wins %" PRIu64 " losses %" PRIu64 " draws %" PRIu64
                    " longest %u checksum %016" PRIx64 " solved %.2f s",
                    r->own, r->enemy, r->values[VALUE_WIN], r->values[VALUE_LOSS],
                    r->values[VALUE_DRAW], r->longest, r->checksum, r->solve_seconds);
    if (r->verified)
        ply_text_format(out, " verified %.2f s", r->verify_seconds);
    ply_text_char(out, '\n');
}

static void report_passes(const neighbours_class_report *r, ply_text *out)
{
    ply_text_format(out, "passes %dv%d", r->own, r->enemy);
    for (unsigned i = 0; i < r->passes; i++)
        ply_text_format(out, " %" PRIu64, r->decided[i]);
    ply_text_format(out, "\ntimes %dv%d", r->own, r->enemy);
    for (unsigned i = 0; i < r->passes; i++)
        ply_text_format(out, " %.2f", r->seconds[i]);
    ply_text_char(out, '\n');
}

static void for_each_class(const solve_job *job, ply_text *out,
                           void (*report)(const neighbours_class_report *r, ply_text *out))
{
    for (int total = 2; total <= 2 * NEIGHBOURS_PIECES; total++)
        for (int own = 1; own <= NEIGHBOURS_PIECES; own++) {
            int enemy = total - own;
            if (enemy >= 1 && enemy <= NEIGHBOURS_PIECES &&
                neighbours_solver_report(job->solver, own, enemy))
                report(neighbours_solver_report(job->solver, own, enemy), out);
        }
}

static void report_head(const solve_job *job, ply_text *out)
{
    ply_text_format(out, "rules %s\ndevice %s\nseconds %.1f\n",
                    job->rules->option[NEIGHBOURS_OPTION_PATH] == NEIGHBOURS_JUMP ? "jump"
                                                                                  : "slide",
                    ply_cuda_name(job->cuda), ply_clock_seconds_since(job->start));
    for_each_class(job, out, report_class);
    for_each_class(job, out, report_passes);
}

/* Writes what is known so far. */
static int write_report(solve_job *job, const ply_text *more)
{
    job->written = ply_clock_nanos();
    if (!job->path)
        return CLI_OK;
    ply_text out = ply_text_growing();
    report_head(job, &out);
    ply_text_string(&out, ply_text_cstr(&job->state));
    if (more)
        ply_text_string(&out, ply_text_cstr(more));
    int result = out.failed ? cli_fail(job->args, "out of memory")
                            : cli_write_file(job->args, job->path, &out);
    ply_text_free(&out);
    return result;
}

static bool on_pass(void *context, int own, int enemy, unsigned pass, uint64_t decided,
                    double seconds)
{
    solve_job *job = context;
    ply_text_clear(&job->state);
    ply_text_format(&job->state, "solving %dv%d pass %u decided %" PRIu64 " after %.1f s\n", own,
                    enemy, pass, decided, seconds);
    if (seconds > 1 && cli_shows_progress(job->args))
        fprintf(stderr, "%s", ply_text_cstr(&job->state));
    return ply_clock_seconds_since(job->written) < REPORT_SECONDS ||
           write_report(job, NULL) == CLI_OK;
}

/* --- what is read from the device at the end ------------------------------------------------- */
static ply_status report_blocks(solve_job *job, int own, int enemy, ply_text *out, ply_error *error)
{
    uint64_t *sums;
    size_t count;
    ply_status status = neighbours_solver_checksums(job->solver, own, enemy, &sums, &count, error);
    ply_text_format(out, "blocks %dv%d", own, enemy);
    for (size_t i = 0; i < count; i++)
        ply_text_format(out, " %016" PRIx64, sums[i]);
    ply_text_char(out, '\n');
    free(sums);
    return status;
}

/* Words of random rows; the same ones every time. */
static ply_status report_samples(solve_job *job, int own, int enemy, ply_text *out,
                                 ply_error *error)
{
    neighbours_planes p = neighbours_solver_planes(job->solver, own, enemy);
    ply_rng rng = ply_rng_make((uint64_t)(own * 10 + enemy), 0);
    ply_status status = PLY_OK;
    for (int i = 0; i < SAMPLES && status == PLY_OK; i++) {
        uint32_t row = (uint32_t)ply_rng_below(&rng, p.rows);
        uint32_t word = (uint32_t)ply_rng_below(&rng, p.stride / SAMPLE_WORDS) * SAMPLE_WORDS;
        ply_text_format(out, "sample %dv%d row %u word %u", own, enemy, row, word);
        for (unsigned plane = 0; plane < 2 && status == PLY_OK; plane++) {
            uint32_t words[SAMPLE_WORDS];
            status = neighbours_solver_read(job->solver, own, enemy,
                                            ((uint64_t)row * 2 + plane) * p.stride + word,
                                            SAMPLE_WORDS, words, error);
            ply_text_string(out, plane ? " losses" : " wins");
            for (int k = 0; k < SAMPLE_WORDS; k++)
                ply_text_format(out, " %08x", words[k]);
        }
        ply_text_char(out, '\n');
    }
    return status;
}

static ply_status value_of(solve_job *job, const ply_state *state, int *value, ply_error *error)
{
    neighbours_boards b = neighbours_position_boards(job->rules, state->position);
    return neighbours_solver_value(job->solver, (neighbours_pair){b.current, b.next}, value, error);
}

/* The best value among the moves, for the player who moves; lists them if `out` is given. */
static ply_status best_move(solve_job *job, ply_state *state, ply_move *best, ply_text *out,
                            ply_error *error)
{
    static const int worth[] = {[VALUE_WIN] = 0, [VALUE_DRAW] = 1, [VALUE_LOSS] = 2};
    ply_move moves[NEIGHBOURS_MAX_MOVES];
    size_t count = neighbours_moves(job->rules, state->position, moves);
    int found = -1;
    ply_status status = PLY_OK;
    *best = 0;
    for (size_t i = 0; i < count && status == PLY_OK; i++) {
        int value = VALUE_DRAW;
        if (out) {
            ply_text_string(out, "move ");
            job->rules->game->format_move(job->rules, state->position, moves[i], out);
        }
        status = ply_state_play(state, moves[i]);
        if (status == PLY_OK)
            status = value_of(job, state, &value, error);
        ply_state_undo(state);
        int own = value == VALUE_WIN ? VALUE_LOSS : value == VALUE_LOSS ? VALUE_WIN : VALUE_DRAW;
        if (out)
            ply_text_format(out, " %s\n", value_names[own]);
        if (found < 0 || worth[own] < worth[found]) {
            found = own;
            *best = moves[i];
        }
    }
    return status;
}

/* The value of the position, of each move, and a variation in which both keep their value. */
static ply_status report_position(solve_job *job, ply_state *state, ply_text *out, ply_error *error)
{
    int value;
    ply_move move;
    ply_status status = value_of(job, state, &value, error);
    if (status != PLY_OK)
        return status;
    ply_text_string(out, "position ");
    job->rules->game->format(job->rules, state->position, out);
    ply_text_format(out, " %s\n", value_names[value]);
    status = best_move(job, state, &move, out, error);
    ply_text line = ply_text_growing();
    int plies = 0;
    for (; plies < LINE_PLIES && status == PLY_OK && move; plies++) {
        ply_text_char(&line, ' ');
        job->rules->game->format_move(job->rules, state->position, move, &line);
        status = ply_state_play(state, move);
        if (status == PLY_OK)
            status = best_move(job, state, &move, NULL, error);
    }
    ply_text_format(out, "variation%s\n", ply_text_cstr(&line));
    ply_text_free(&line);
    return status;
}

static ply_status report_rest(solve_job *job, ply_state *state, ply_text *out, ply_error *error)
{
    neighbours_boards b = neighbours_position_boards(job->rules, state->position);
    ply_status status = PLY_OK;
    if (neighbours_solver_report(job->solver, ply_popcount(b.current), ply_popcount(b.next)))
        status = report_position(job, state, out, error);
    int own, enemy;
    for (size_t i = 0; status == PLY_OK && neighbours_solver_slice(job->solver, i, &own, &enemy);
         i++)
        for (int which = 0; which < 1 + (own != enemy) && status == PLY_OK; which++) {
            int a = which ? enemy : own, c = which ? own : enemy;
            status = report_blocks(job, a, c, out, error);
            if (status == PLY_OK)
                status = report_samples(job, a, c, out, error);
        }
    return status;
}

/* --- the job --------------------------------------------------------------------------------- */
static ply_status run_slices(solve_job *job, ply_error *error)
{
    int own, enemy;
    ply_status status = PLY_OK;
    for (size_t i = 0; status == PLY_OK && neighbours_solver_slice(job->solver, i, &own, &enemy);
         i++) {
        status = neighbours_solver_solve(job->solver, own, enemy, on_pass, job, error);
        if (status == PLY_OK && job->verifies)
            status = neighbours_solver_verify(job->solver, own, enemy, error);
        if (status != PLY_OK)
            break;
        ply_text_clear(&job->state);
        ply_text line = ply_text_growing();
        report_class(neighbours_solver_report(job->solver, own, enemy), &line);
        if (own != enemy)
            report_class(neighbours_solver_report(job->solver, enemy, own), &line);
        cli_print_text(&line);
        fflush(stdout);
        if (write_report(job, NULL) != CLI_OK)
            return ply_error_set(error, PLY_IO, "the report could not be written");
    }
    return status;
}

static ply_status run(solve_job *job, ply_state *state, int up_to[2], int device, ply_error *error)
{
    ply_status status = ply_cuda_open(&job->cuda, device, NULL, error);
    if (status == PLY_OK)
        status = neighbours_solver_open(&job->solver, job->cuda,
                                        job->rules->option[NEIGHBOURS_OPTION_PATH], up_to[0],
                                        up_to[1], error);
    if (status == PLY_OK)
        status = run_slices(job, error);
    ply_text rest = ply_text_growing();
    if (status == PLY_OK)
        status = report_rest(job, state, &rest, error);
    if (status == PLY_OK && write_report(job, &rest) != CLI_OK)
        status = ply_error_set(error, PLY_IO, "the report could not be written");
    if (status == PLY_OK)
        printf("seconds %.1f\n", ply_clock_seconds_since(job->start));
    ply_text_free(&rest);
    neighbours_solver_close(job->solver);
    ply_cuda_close(job->cuda);
    return status;
}

int cli_tables_solve(const cli_args *args, cli_game *game)
{
    const char *text = cli_value(args, "--up-to");
    int up_to[2] = {3, 3};
    char end;
    if (strcmp(game->rules.game->id, "neighbours") != 0)
        return cli_fail(args, "solve is for neighbours, not for %s", game->rules.game->id);
    if (text && (sscanf(text, "%1dv%1d%c", &up_to[0], &up_to[1], &end) != 2 || up_to[0] < 1 ||
                 up_to[1] < 1 || up_to[0] > NEIGHBOURS_PIECES || up_to[1] > NEIGHBOURS_PIECES))
        return cli_fail(args, "--up-to: '%s' is not AvB with 1 to 6 pieces on each side", text);
    solve_job job = {.args = args,
                     .rules = &game->rules,
                     .path = cli_value(args, "--report"),
                     .verifies = !cli_has(args, "--no-verify"),
                     .start = ply_clock_nanos(),
                     .written = ply_clock_nanos(),
                     .state = ply_text_growing()};
    ply_error error = {0};
    ply_status status = run(&job, &game->state, up_to, 0, &error);
    ply_text_free(&job.state);
    if (status == PLY_OK)
        return CLI_OK;
    cli_fail(args, "%s", error.message);
    return status == PLY_BAD_POSITION ? CLI_NO : CLI_BAD;
}
