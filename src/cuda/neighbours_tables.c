/* SPDX-License-Identifier: MIT */
/* neighbours_tables.c - see neighbours_tables.h. */
#include "cuda/neighbours_tables.h"
#include "core/clock.h"
#include "cuda/slices.h"
#include <stdlib.h>
#include <string.h>

enum {
    MODULE_THREADS = 1024,
    VERIFY_THREADS = 256,
    SHARED_LIMIT = 227 << 10, /* of a block, on the devices this is made for */
    COUNTS = NEIGHBOURS_COUNTS,
};

struct neighbours_solver {
    ply_cuda *cuda;
    ply_cuda_kernel *first, *pass, *verify, *checksum, *label;
    neighbours_numbering *numbering;     /* on the host */
    neighbours_numbering *its_numbering; /* on the device, as all pointers below */
    uint32_t *share;
    uint64_t *counts;
    uint32_t *next_row;
    int up_to[2];
    neighbours_planes values[COUNTS][COUNTS];
    uint32_t *changed[COUNTS][COUNTS][2];
    neighbours_class_report reports[COUNTS][COUNTS];
    bool solved[COUNTS][COUNTS];
};

/* --- shapes --------------------------------------------------------------------------------- */
static neighbours_planes shape(const neighbours_numbering *n, int row_count, int column_count)
{
    neighbours_planes p = {.rows = n->orbits[row_count],
                           .columns = numbering_enemy_sets(n, row_count, column_count)};
    p.stride = (p.columns + 127) / 128 * 4;
    return p;
}

static uint64_t planes_words(const neighbours_planes *p)
{
    return (uint64_t)p->rows * 2 * p->stride;
}

static uint64_t planes_bytes(const neighbours_planes *p)
{
    return planes_words(p) * sizeof(uint32_t);
}

bool neighbours_solver_slice(const neighbours_solver *s, size_t number, int *own, int *enemy)
{
    for (int total = 2; total <= 2 * NEIGHBOURS_PIECES; total++)
        for (int a = 1; a <= total / 2; a++) {
            int b = total - a;
            if (b > NEIGHBOURS_PIECES || a > s->up_to[0] || b > s->up_to[1])
                continue;
            if (number-- == 0) {
                *own = a;
                *enemy = b;
                return true;
            }
        }
    return false;
}

/* The memory needed at the worst moment: all values so far, and the notes of one slice. */
static uint64_t peak_bytes(const neighbours_solver *s)
{
    uint64_t values = 0, peak = 0;
    int a, b;
    for (size_t i = 0; neighbours_solver_slice(s, i, &a, &b); i++) {
        neighbours_planes one = shape(s->numbering, a, b), other = shape(s->numbering, b, a);
        uint64_t bytes = planes_bytes(&one) + (a != b ? planes_bytes(&other) : 0);
        values += bytes;
        peak = values + bytes > peak ? values + bytes : peak;
    }
    return peak;
}

/* --- opening -------------------------------------------------------------------------------- */
static ply_status upload(neighbours_solver *s, void **to, const void *from, size_t bytes,
                         ply_error *error)
{
    ply_status status = ply_cuda_alloc(s->cuda, to, bytes, error);
    return status == PLY_OK ? ply_cuda_write(s->cuda, *to, from, bytes, error) : status;
}

static ply_status upload_share(neighbours_solver *s, ply_error *error)
{
    uint32_t *share = malloc(SHARE_TABLES * SHARE_SETS * sizeof *share);
    if (!share)
        return ply_error_set(error, PLY_NO_MEMORY, "out of memory");
    for (int table = 0; table < SHARE_TABLES; table++) {
        int part = table == 0 ? 0 : 1 + (table - 1) / COUNTS;
        int below = table == 0 ? 0 : (table - 1) % COUNTS;
        for (unsigned set = 0; set < SHARE_SETS; set++) {
            uint32_t sum = 0;
            int k = below;
            for (uint64_t left = set; left; left &= left - 1)
                if (++k < COUNTS)
                    sum += s->numbering->choose[k][part * SHARE_BITS + ply_lowest(left)];
            share[table * SHARE_SETS + (int)set] = sum;
        }
    }
    void *memory;
    ply_status status = upload(s, &memory, share, SHARE_TABLES * SHARE_SETS * sizeof *share, error);
    s->share = memory;
    free(share);
    return status;
}

static ply_status find_kernels(neighbours_solver *s, ply_error *error)
{
    static const char *const names[] = {"neighbours_rows_first", "neighbours_rows_pass",
                                        "neighbours_values_verify", "neighbours_values_checksum",
                                        "neighbours_values_label"};
    ply_cuda_kernel **kernels[] = {&s->first, &s->pass, &s->verify, &s->checksum, &s->label};
    ply_status status = PLY_OK;
    for (int i = 0; i < 5 && status == PLY_OK; i++)
        status = ply_cuda_find(s->cuda, "neighbours_tables", names[i], kernels[i], error);
    if (status == PLY_OK)
        status = ply_cuda_allow_shared(s->cuda, s->first, SHARED_LIMIT, error);
    if (status == PLY_OK)
        status = ply_cuda_allow_shared(s->cuda, s->pass, SHARED_LIMIT, error);
    return status;
}

static ply_status open_parts(neighbours_solver *s, int path_rule, ply_error *error)
{
    s->numbering = neighbours_numbering_open(path_rule);
    if (!s->numbering)
        return ply_error_set(error, PLY_NO_MEMORY, "out of memory");
    for (int k = 0; k <= s->up_to[1]; k++)
        if (neighbours_numbering_prepare(s->numbering, k) != PLY_OK)
            return ply_error_set(error, PLY_NO_MEMORY, "out of memory");
    uint64_t available, total, needed = peak_bytes(s) + ((uint64_t)64 << 20);
    ply_status status = ply_cuda_memory(s->cuda, &available, &total, error);
    if (status == PLY_OK && needed > available)
        return ply_error_set(error, PLY_NO_MEMORY,
                             "cuda: %dv%d needs %llu MiB on the device, which has %llu MiB free",
                             s->up_to[0], s->up_to[1], (unsigned long long)(needed >> 20),
                             (unsigned long long)(available >> 20));
    if (status == PLY_OK)
        status = find_kernels(s, error);
    if (status == PLY_OK)
        status = ply_cuda_neighbours_workspace(s->cuda, s->numbering, &s->its_numbering, error);
    if (status == PLY_OK)
        status = upload_share(s, error);
    void *memory = NULL;
    if (status == PLY_OK)
        status = ply_cuda_alloc(s->cuda, &memory, VERIFY_COUNTS * sizeof *s->counts, error);
    s->counts = memory;
    if (status == PLY_OK)
        status = ply_cuda_alloc(s->cuda, &memory, sizeof *s->next_row, error);
    s->next_row = memory;
    return status;
}

ply_status neighbours_solver_open(neighbours_solver **solver, ply_cuda *cuda, int path_rule,
                                  int up_to_own, int up_to_enemy, ply_error *error)
{
    neighbours_solver *s = calloc(1, sizeof *s);
    *solver = NULL;
    if (!s)
        return ply_error_set(error, PLY_NO_MEMORY, "out of memory");
    s->cuda = cuda;
    s->up_to[0] = up_to_own < up_to_enemy ? up_to_own : up_to_enemy;
    s->up_to[1] = up_to_own < up_to_enemy ? up_to_enemy : up_to_own;
    ply_status status = open_parts(s, path_rule, error);
    if (status == PLY_OK)
        *solver = s;
    else
        neighbours_solver_close(s);
    return status;
}

void neighbours_solver_close(neighbours_solver *s)
{
    if (!s)
        return;
    for (int a = 0; a < COUNTS; a++)
        for (int b = 0; b < COUNTS; b++) {
            ply_cuda_free(s->cuda, s->values[a][b].words);
            ply_cuda_free(s->cuda, s->changed[a][b][0]);
            ply_cuda_free(s->cuda, s->changed[a][b][1]);
        }
    ply_cuda_free(s->cuda, s->share);
    ply_cuda_free(s->cuda, s->counts);
    ply_cuda_free(s->cuda, s->next_row);
    neighbours_numbering_close(s->numbering);
    free(s);
}

/* --- solving -------------------------------------------------------------------------------- */
static ply_status alloc_zero(neighbours_solver *s, uint32_t **words, uint64_t bytes,
                             ply_error *error)
{
    void *memory = NULL;
    ply_status status = ply_cuda_alloc(s->cuda, &memory, (size_t)bytes, error);
    *words = memory;
    return status == PLY_OK ? ply_cuda_fill(s->cuda, memory, 0, (size_t)bytes, error) : status;
}

static ply_status reserve_class(neighbours_solver *s, int a, int b, neighbours_planes *notes,
                                ply_error *error)
{
    neighbours_planes *values = &s->values[a][b];
    *values = shape(s->numbering, a, b);
    *notes = shape(s->numbering, b, a);
    ply_status status = alloc_zero(s, &values->words, planes_bytes(values), error);
    for (int plane = 0; plane < 2 && status == PLY_OK; plane++)
        status = alloc_zero(s, &s->changed[a][b][plane], values->rows * sizeof(uint32_t), error);
    if (status == PLY_OK)
        status = alloc_zero(s, &notes->words, planes_bytes(notes), error);
    return status;
}

/* Runs one pass over a class and adds what it decided to decided[2]. */
static ply_status run_pass(neighbours_solver *s, int a, int b, const neighbours_planes *notes,
                           unsigned pass, uint64_t decided[2], ply_error *error)
{
    neighbours_rows_args args = {
        .numbering = s->its_numbering,
        .share = s->share,
        .own = a,
        .enemy = b,
        .jumps = s->numbering->path_rule == NEIGHBOURS_JUMP,
        .pass = pass,
        .values = s->values[a][b],
        .notes = *notes,
        .successors = s->values[b][a],
        .exits = s->values[b - 1][a],
        .changed = {s->changed[a][b][0], s->changed[a][b][1]},
        .changed_successors = {s->changed[b][a][0], s->changed[b][a][1]},
        .decided = s->counts,
        .next_row = s->next_row,
        .threads = MODULE_THREADS,
    };
    unsigned team = (sizeof(neighbours_team) + 15) / 16 * 16;
    args.shared_words = (SHARED_LIMIT - team) / sizeof(uint32_t);
    unsigned plane = args.successors.stride > args.shared_words
                         ? 0
                         : args.successors.stride * (unsigned)sizeof(uint32_t);
    uint64_t found[2];
    uint64_t blocks = ply_cuda_processors(s->cuda);
    blocks = blocks < notes->rows ? blocks : notes->rows;
    ply_status status = ply_cuda_fill(s->cuda, s->counts, 0, sizeof found, error);
    if (status == PLY_OK)
        status = ply_cuda_fill(s->cuda, s->next_row, 0, sizeof *s->next_row, error);
    if (status == PLY_OK)
        status = ply_cuda_launch(s->cuda, pass == 0 ? s->first : s->pass, blocks, MODULE_THREADS,
                                 pass == 0 ? team : team + plane, &args, error);
    if (status == PLY_OK)
        status = ply_cuda_read(s->cuda, found, s->counts, sizeof found, error);
    for (int i = 0; i < 2 && status == PLY_OK; i++)
        decided[i] += found[i];
    return status;
}

/* Adds the results of a pass to the report of a class; returns how many positions it decided. */
static uint64_t note_pass(neighbours_class_report *r, unsigned pass, const uint64_t decided[2])
{
    uint64_t sum = decided[PLANE_WINS] + decided[PLANE_LOSSES];
    r->values[VALUE_WIN] += decided[PLANE_WINS];
    r->values[VALUE_LOSS] += decided[PLANE_LOSSES];
    r->values[VALUE_DRAW] -= sum;
    r->decided[pass] = sum;
    r->passes = pass + 1;
    if (sum)
        r->longest = pass;
    return sum;
}

static ply_status run_passes(neighbours_solver *s, int a, int b, const neighbours_planes notes[2],
                             neighbours_solver_listener *listener, void *context, ply_error *error)
{
    ply_status status = PLY_OK;
    unsigned idle = 0;
    uint64_t start = ply_clock_nanos();
    for (unsigned pass = 0; status == PLY_OK && (pass < 3 || idle < 2); pass++) {
        if (pass == SOLVER_MAX_PASSES)
            return ply_error_set(error, PLY_LIMIT, "more than %d passes", SOLVER_MAX_PASSES);
        uint64_t sum = 0;
        for (int which = 0; which < 1 + (a != b) && status == PLY_OK; which++) {
            uint64_t decided[2] = {0, 0};
            status = which == 0 ? run_pass(s, a, b, &notes[0], pass, decided, error)
                                : run_pass(s, b, a, &notes[1], pass, decided, error);
            if (status == PLY_OK)
                sum += note_pass(which == 0 ? &s->reports[a][b] : &s->reports[b][a], pass, decided);
        }
        s->reports[a][b].seconds[pass] = s->reports[b][a].seconds[pass] =
            ply_clock_seconds_since(start);
        idle = sum ? 0 : idle + 1;
        if (status == PLY_OK && listener &&
            !listener(context, a, b, pass, sum, ply_clock_seconds_since(start)))
            return ply_error_set(error, PLY_STOPPED, "stopped");
    }
    s->reports[a][b].solve_seconds = s->reports[b][a].solve_seconds =
        ply_clock_seconds_since(start);
    return status;
}

static ply_status sum_checksums(neighbours_solver *s, int a, int b, ply_error *error)
{
    uint64_t *sums, total = 0;
    size_t count;
    ply_status status = neighbours_solver_checksums(s, a, b, &sums, &count, error);
    for (size_t i = 0; i < count && status == PLY_OK; i++)
        total += sums[i];
    free(sums);
    s->reports[a][b].checksum = total;
    return status;
}

ply_status neighbours_solver_solve(neighbours_solver *s, int a, int b,
                                   neighbours_solver_listener *listener, void *context,
                                   ply_error *error)
{
    neighbours_planes notes[2] = {{0}, {0}};
    ply_status status = PLY_OK;
    for (int which = 0; which < 1 + (a != b) && status == PLY_OK; which++) {
        int own = which == 0 ? a : b, enemy = which == 0 ? b : a;
        neighbours_class_report *r = &s->reports[own][enemy];
        *r = (neighbours_class_report){.own = own, .enemy = enemy};
        status = reserve_class(s, own, enemy, &notes[which], error);
        r->positions = r->values[VALUE_DRAW] =
            (uint64_t)s->numbering->choose[own][NEIGHBOURS_SQUARES] * s->values[own][enemy].columns;
    }
    if (status == PLY_OK)
        status = run_passes(s, a, b, notes, listener, context, error);
    for (int which = 0; which < 2; which++)
        ply_cuda_free(s->cuda, notes[which].words);
    if (status == PLY_OK)
        status = sum_checksums(s, a, b, error);
    if (status == PLY_OK && a != b)
        status = sum_checksums(s, b, a, error);
    s->solved[a][b] = s->solved[b][a] = status == PLY_OK;
    return status;
}

/* --- verification --------------------------------------------------------------------------- */
static ply_status verify_class(neighbours_solver *s, int a, int b, ply_error *error)
{
    neighbours_verify_args args = {
        .numbering = s->its_numbering,
        .own = a,
        .enemy = b,
        .jumps = s->numbering->path_rule == NEIGHBOURS_JUMP,
        .values = s->values[a][b],
        .successors = s->values[b][a],
        .exits = s->values[b - 1][a],
        .counts = s->counts,
    };
    neighbours_class_report *r = &s->reports[a][b];
    uint64_t counts[VERIFY_COUNTS];
    uint32_t words = (args.values.columns + 31) / 32;
    ply_status status = ply_cuda_fill(s->cuda, s->counts, 0, sizeof counts, error);
    if (status == PLY_OK)
        status = ply_cuda_launch_for(s->cuda, s->verify, (uint64_t)args.values.rows * words,
                                     VERIFY_THREADS, &args, error);
    if (status == PLY_OK)
        status = ply_cuda_read(s->cuda, counts, s->counts, sizeof counts, error);
    if (status != PLY_OK)
        return status;
    if (counts[VERIFY_WRONG])
        return ply_error_set(error, PLY_BAD_POSITION,
                             "%dv%d: %llu words have wrong values, such as word %llu of row %llu",
                             a, b, (unsigned long long)counts[VERIFY_WRONG],
                             (unsigned long long)((counts[VERIFY_WHERE] - 1) % words),
                             (unsigned long long)((counts[VERIFY_WHERE] - 1) / words));
    if (memcmp(counts, r->values, sizeof r->values) != 0)
        return ply_error_set(error, PLY_BAD_POSITION,
                             "%dv%d: the counts of the passes do not match the values", a, b);
    r->verified = true;
    return PLY_OK;
}

ply_status neighbours_solver_verify(neighbours_solver *s, int a, int b, ply_error *error)
{
    uint64_t start = ply_clock_nanos();
    ply_status status = verify_class(s, a, b, error);
    if (status == PLY_OK && a != b)
        status = verify_class(s, b, a, error);
    s->reports[a][b].verify_seconds = s->reports[b][a].verify_seconds =
        ply_clock_seconds_since(start);
    return status;
}

/* --- what leaves the device ----------------------------------------------------------------- */
const neighbours_class_report *neighbours_solver_report(const neighbours_solver *s, int own,
                                                        int enemy)
{
    return s->solved[own][enemy] ? &s->reports[own][enemy] : NULL;
}

neighbours_planes neighbours_solver_planes(const neighbours_solver *s, int own, int enemy)
{
    return s->values[own][enemy];
}

ply_status neighbours_solver_read(neighbours_solver *s, int own, int enemy, uint64_t first,
                                  size_t count, uint32_t *words, ply_error *error)
{
    return ply_cuda_read(s->cuda, words, s->values[own][enemy].words + first, count * sizeof *words,
                         error);
}

ply_status neighbours_solver_value(neighbours_solver *s, neighbours_pair boards, int *value,
                                   ply_error *error)
{
    int own = ply_popcount(boards.own), enemy = ply_popcount(boards.enemy);
    *value = VALUE_LOSS;
    if (own == 0)
        return PLY_OK;
    uint32_t fold, column = numbering_find(s->numbering, boards, own, &fold), words[2] = {0, 0};
    neighbours_planes p = s->values[own][enemy];
    for (int plane = 0; plane < 2; plane++) {
        uint64_t word = ((uint64_t)(fold >> FOLD_ORBIT_SHIFT) * 2 + (unsigned)plane) * p.stride;
        ply_status status =
            neighbours_solver_read(s, own, enemy, word + (column >> 5), 1, &words[plane], error);
        if (status != PLY_OK)
            return status;
    }
    *value = words[PLANE_WINS] >> (column & 31) & 1     ? VALUE_WIN
             : words[PLANE_LOSSES] >> (column & 31) & 1 ? VALUE_LOSS
                                                        : VALUE_DRAW;
    return PLY_OK;
}

ply_status neighbours_solver_checksums(neighbours_solver *s, int own, int enemy, uint64_t **sums,
                                       size_t *count, ply_error *error)
{
    const neighbours_planes *p = &s->values[own][enemy];
    neighbours_checksum_args args = {.words = p->words, .count = planes_words(p)};
    size_t blocks = (size_t)((args.count - 1) >> CHECKSUM_BLOCK_SHIFT) + 1;
    void *memory = NULL;
    *sums = NULL;
    *count = 0;
    ply_status status = ply_cuda_alloc(s->cuda, &memory, blocks * sizeof **sums, error);
    if (status == PLY_OK)
        status = ply_cuda_fill(s->cuda, memory, 0, blocks * sizeof **sums, error);
    args.sums = memory;
    if (status == PLY_OK)
        status = ply_cuda_launch_for(s->cuda, s->checksum, (args.count + 63) / 64, VERIFY_THREADS,
                                     &args, error);
    if (status == PLY_OK && !(*sums = malloc(blocks * sizeof **sums)))
        status = ply_error_set(error, PLY_NO_MEMORY, "out of memory");
    if (status == PLY_OK)
        status = ply_cuda_read(s->cuda, *sums, memory, blocks * sizeof **sums, error);
    ply_cuda_free(s->cuda, memory);
    if (status == PLY_OK)
        *count = blocks;
    return status;
}

ply_status neighbours_solver_label(neighbours_solver *s, const neighbours_pair *positions,
                                   size_t count, uint8_t *labels, ply_error *error)
{
    neighbours_label_args args = {.numbering = s->its_numbering, .count = count};
    for (int own = 0; own < COUNTS; own++)
        for (int enemy = 0; enemy < COUNTS; enemy++)
            if (s->solved[own][enemy])
                args.values[own][enemy] = s->values[own][enemy];
    void *list = NULL, *found = NULL;
    ply_status status =
        count == 0 ? PLY_OK : upload(s, &list, positions, count * sizeof *positions, error);
    if (status == PLY_OK && count > 0)
        status = ply_cuda_alloc(s->cuda, &found, count, error);
    args.positions = list;
    args.labels = found;
    if (status == PLY_OK)
        status = ply_cuda_launch_for(s->cuda, s->label, count, VERIFY_THREADS, &args, error);
    if (status == PLY_OK && count > 0)
        status = ply_cuda_read(s->cuda, labels, found, count, error);
    ply_cuda_free(s->cuda, list);
    ply_cuda_free(s->cuda, found);
    return status;
}
