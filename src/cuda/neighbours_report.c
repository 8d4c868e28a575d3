/* SPDX-License-Identifier: MIT */
/* neighbours_report.c - see neighbours_report.h. */
#include "cuda/neighbours_report.h"
#include "core/bytes.h"
#include "core/clock.h"
#include "core/file.h"
#include "cuda/neighbours_tables.h"
#include <errno.h>
#include <inttypes.h>
#include <plyverse/rng.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SAMPLES = 64,
    SAMPLE_WORDS = 4,
    REPORT_SECONDS = 20,
    LINE_PLIES = 24,
    LABEL_BATCH = 1 << 22, /* positions labelled together */
};

static const char *const value_names[] = {
    [VALUE_DRAW] = "drawn", [VALUE_WIN] = "won", [VALUE_LOSS] = "lost"};

typedef struct solve_job {
    const neighbours_solve_options *options;
    const ply_rules *rules;
    ply_cuda *cuda;
    neighbours_solver *solver;
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

/* Hands over what is known so far. */
static ply_status give_report(solve_job *job, const ply_text *more, ply_error *error)
{
    const neighbours_solve_options *o = job->options;
    job->written = ply_clock_nanos();
    ply_text out = ply_text_growing();
    report_head(job, &out);
    ply_text_string(&out, ply_text_cstr(&job->state));
    if (more)
        ply_text_string(&out, ply_text_cstr(more));
    ply_status status = out.failed ? ply_error_set(error, PLY_NO_MEMORY, "out of memory")
                        : o->on_report(o->context, &out)
                            ? PLY_OK
                            : ply_error_set(error, PLY_STOPPED, "stopped");
    ply_text_free(&out);
    return status;
}

static bool on_pass(void *context, int own, int enemy, unsigned pass, uint64_t decided,
                    double seconds)
{
    solve_job *job = context;
    const neighbours_solve_options *o = job->options;
    ply_text_clear(&job->state);
    ply_text_format(&job->state, "solving %dv%d pass %u decided %" PRIu64 " after %.1f s\n", own,
                    enemy, pass, decided, seconds);
    if (!o->on_line(o->context, ply_text_cstr(&job->state), false))
        return false;
    return ply_clock_seconds_since(job->written) < REPORT_SECONDS ||
           give_report(job, NULL, NULL) == PLY_OK;
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

/* --- labels ---------------------------------------------------------------------------------- */
/* Labels the records of one open file into another. */
static ply_status label_stream(solve_job *job, FILE *in, FILE *out, uint64_t *count,
                               ply_error *error)
{
    const char *path = job->options->label_path;
    neighbours_pair *pairs = malloc(LABEL_BATCH * sizeof *pairs);
    uint8_t *labels = malloc(LABEL_BATCH);
    ply_status status =
        pairs && labels ? PLY_OK : ply_error_set(error, PLY_NO_MEMORY, "out of memory");
    size_t bytes = 1;
    while (status == PLY_OK && bytes > 0) {
        bytes = fread(pairs, 1, LABEL_BATCH * sizeof *pairs, in);
        size_t records = bytes / sizeof *pairs;
        *count += records;
        for (size_t i = 0; i < records; i++)
            pairs[i] = (neighbours_pair){ply_get64((const unsigned char *)&pairs[i].own),
                                         ply_get64((const unsigned char *)&pairs[i].enemy)};
        if (ferror(in) || bytes % sizeof *pairs != 0)
            status = ply_error_set(error, PLY_IO, "%s: %s", path,
                                   ferror(in) ? strerror(errno)
                                              : "the last record is incomplete; each has 16 bytes");
        if (status == PLY_OK)
            status = neighbours_solver_label(job->solver, pairs, records, labels, error);
        if (status == PLY_OK && fwrite(labels, 1, records, out) != records)
            status = ply_error_set(error, PLY_IO, "%s.labels: %s", path, strerror(errno));
    }
    free(labels);
    free(pairs);
    return status;
}

/* Labels an open file into a new one of that name, which appears when it is complete. */
static ply_status label_into(solve_job *job, FILE *in, const char *name, uint64_t *count,
                             ply_error *error)
{
    ply_file_replacement out;
    bool written = ply_file_replace_begin(&out, name);
    if (written) {
        ply_status status = label_stream(job, in, out.stream, count, error);
        if (status != PLY_OK) {
            ply_file_replace_abort(&out);
            return status;
        }
        written = ply_file_replace_commit(&out, false);
    }
    return written ? PLY_OK : ply_error_set(error, PLY_IO, "%s: %s", name, strerror(errno));
}

static ply_status label_file(solve_job *job, ply_error *error)
{
    const char *path = job->options->label_path;
    FILE *in = fopen(path, "rb");
    if (!in)
        return ply_error_set(error, PLY_IO, "%s: %s", path, strerror(errno));
    ply_text text = ply_text_growing();
    ply_text_format(&text, "%s.labels", path);
    uint64_t count = 0;
    ply_status status = ply_text_complete(&text)
                            ? label_into(job, in, ply_text_cstr(&text), &count, error)
                            : ply_error_set(error, PLY_NO_MEMORY, "out of memory");
    fclose(in);
    ply_text_clear(&text);
    ply_text_format(&text, "labelled %" PRIu64 "\n", count);
    if (status == PLY_OK &&
        !job->options->on_line(job->options->context, ply_text_cstr(&text), true))
        status = ply_error_set(error, PLY_STOPPED, "stopped");
    ply_text_free(&text);
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
        if (status == PLY_OK && job->options->verifies)
            status = neighbours_solver_verify(job->solver, own, enemy, error);
        if (status != PLY_OK)
            break;
        ply_text_clear(&job->state);
        ply_text line = ply_text_growing();
        report_class(neighbours_solver_report(job->solver, own, enemy), &line);
        if (own != enemy)
            report_class(neighbours_solver_report(job->solver, enemy, own), &line);
        bool goes_on = job->options->on_line(job->options->context, ply_text_cstr(&line), true);
        ply_text_free(&line);
        status =
            goes_on ? give_report(job, NULL, error) : ply_error_set(error, PLY_STOPPED, "stopped");
    }
    return status;
}

ply_status neighbours_solve(const ply_rules *rules, const neighbours_solve_options *options,
                            ply_state *state, ply_error *error)
{
    solve_job job = {.options = options,
                     .rules = rules,
                     .start = ply_clock_nanos(),
                     .written = ply_clock_nanos(),
                     .state = ply_text_growing()};
    ply_text rest = ply_text_growing();
    ply_status status = ply_cuda_open(&job.cuda, options->device_index, NULL, error);
    if (status == PLY_OK)
        status =
            neighbours_solver_open(&job.solver, job.cuda, rules->option[NEIGHBOURS_OPTION_PATH],
                                   options->up_to[0], options->up_to[1], error);
    if (status == PLY_OK)
        status = run_slices(&job, error);
    if (status == PLY_OK)
        status = report_rest(&job, state, &rest, error);
    if (status == PLY_OK)
        status = give_report(&job, &rest, error);
    if (status == PLY_OK && options->label_path)
        status = label_file(&job, error);
    ply_text_free(&rest);
    ply_text_free(&job.state);
    neighbours_solver_close(job.solver);
    ply_cuda_close(job.cuda);
    return status;
}
