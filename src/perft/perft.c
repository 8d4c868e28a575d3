/* SPDX-License-Identifier: MIT */
/*
 * perft.c - counting the leaves of the move tree.
 *
 * The tree is cut into parts, one for each line of one or two moves from the root, and the workers
 * take parts as they get free. Below a part the walk goes by the game interface, through the table
 * of counts if there is one, until few plies are left; those are the game's own fast perft's,
 * where it has one.
 */
#include "core/hash.h"
#include "core/progress.h"
#include "core/workers.h"
#include "perft/turn_perft.h"
#include <stdlib.h>
#include <string.h>

enum {
    SPLIT_DEPTH = 4, /* from here on, parts are lines of two moves */
    FAST_DEPTH = 4,  /* the game's own perft takes over at so many plies left, unless it says */
    FAST_DEPTH_TABLE = 2, /* the same where there is a table, which wants its turn first */
};

/*
 * A slot is (key ^ nodes, nodes), written without a lock. Two threads that write one slot at once
 * may leave halves of different entries; such a slot answers to neither key, so it is only lost.
 */
typedef struct walk_slot {
    uint64_t check, nodes;
} walk_slot;

typedef struct walk_table {
    walk_slot *slots;
    uint64_t count;
} walk_table;

typedef struct walk_part {
    uint32_t line;   /* number of the first move */
    ply_move second; /* PLY_MOVE_NONE: a line of one move */
} walk_part;

typedef struct walk_worker {
    void *position;
    ply_move *moves;           /* depth lists of max_moves */
    unsigned char *undo_stack; /* depth undo_stack */
} walk_worker;

typedef struct walk_job {
    const ply_rules *rules;
    int depth, mode, fast_depth;
    walk_table table;
    ply_progress *progress;
    ply_perft_entry *lines;
    walk_part *parts;
    walk_worker *workers;
} walk_job;

static walk_slot *table_slot(const walk_table *table, uint64_t key)
{
    return &table->slots[(uint64_t)(((unsigned __int128)key * table->count) >> 64)];
}

static bool ply_tt_probe(const walk_table *table, uint64_t key, uint64_t *nodes)
{
    walk_slot *s = table_slot(table, key);
    *nodes = __atomic_load_n(&s->nodes, __ATOMIC_RELAXED);
    return (__atomic_load_n(&s->check, __ATOMIC_RELAXED) ^ *nodes) == key;
}

static void table_store(const walk_table *table, uint64_t key, uint64_t nodes)
{
    walk_slot *s = table_slot(table, key);
    __atomic_store_n(&s->nodes, nodes, __ATOMIC_RELAXED);
    __atomic_store_n(&s->check, key ^ nodes, __ATOMIC_RELAXED);
}

static uint64_t weight_of(const walk_job *job, const void *position, ply_move move)
{
    const ply_counting_hooks *counting = job->rules->counting;
    return counting->multiplicity ? counting->multiplicity(job->rules, position, move, job->mode)
                                  : 1;
}

static uint64_t count_last_ply(const walk_job *job, walk_worker *w)
{
    const ply_rules *rules = job->rules;
    if (!rules->counting->multiplicity)
        return ply_game_count_moves(rules, w->position);
    size_t count = rules->game->moves(rules, w->position, w->moves);
    uint64_t total = 0;
    for (size_t i = 0; i < count; i++)
        total += weight_of(job, w->position, w->moves[i]);
    return total;
}

static uint64_t walk(const walk_job *job, walk_worker *w, int depth)
{
    const ply_rules *rules = job->rules;
    const ply_game *game = rules->game;
    if (depth == 0)
        return 1;
    if (rules->counting->perft && depth <= job->fast_depth) {
        uint64_t nodes = rules->counting->perft(rules, w->position, depth, job->mode);
        ply_progress_add(&job->progress->units, nodes);
        return nodes;
    }
    if (depth == 1)
        return count_last_ply(job, w);
    if (ply_progress_stopped(job->progress))
        return 0;

    uint64_t key = 0, total = 0;
    if (job->table.slots) {
        key = ply_mix64(game->hash(rules, w->position) + (uint64_t)depth * PLY_GOLDEN);
        if (ply_tt_probe(&job->table, key, &total)) {
            ply_progress_add(&job->progress->units, total);
            return total;
        }
        total = 0;
    }
    ply_move *moves = w->moves + (size_t)(depth - 1) * rules->max_moves;
    void *undo = w->undo_stack + (size_t)(depth - 1) * rules->undo_bytes;
    size_t count = game->moves(rules, w->position, moves);
    for (size_t i = 0; i < count; i++) {
        uint64_t times = weight_of(job, w->position, moves[i]);
        game->play(rules, w->position, moves[i], undo);
        total += times * walk(job, w, depth - 1);
        game->undo(rules, w->position, moves[i], undo);
    }
    if (depth == 2 && !rules->counting->perft)
        ply_progress_add(&job->progress->units, total);
    if (job->table.slots && !ply_progress_stopped(job->progress))
        table_store(&job->table, key, total);
    return total;
}

static void count_part(void *context, size_t number, unsigned worker_number)
{
    walk_job *job = context;
    const ply_rules *rules = job->rules;
    walk_worker *w = &job->workers[worker_number];
    walk_part part = job->parts[number];
    if (ply_progress_stopped(job->progress))
        return;
    /* The undo_stack of the first moves stand above those of the walk below them. */
    ply_move first = job->lines[part.line].move;
    unsigned char *first_undo = w->undo_stack + (size_t)(job->depth - 1) * rules->undo_bytes;
    uint64_t times = weight_of(job, w->position, first), nodes;
    rules->game->play(rules, w->position, first, first_undo);
    if (part.second == PLY_MOVE_NONE) {
        nodes = walk(job, w, job->depth - 1);
    } else {
        unsigned char *second_undo = first_undo - rules->undo_bytes;
        times *= weight_of(job, w->position, part.second);
        rules->game->play(rules, w->position, part.second, second_undo);
        nodes = walk(job, w, job->depth - 2);
        rules->game->undo(rules, w->position, part.second, second_undo);
    }
    rules->game->undo(rules, w->position, first, first_undo);
    ply_progress_add(&job->lines[part.line].nodes, times * nodes);
    ply_progress_add(&job->progress->parts_done, 1);
}

/* Lists the parts. Uses the first worker's position and memory. */
static ply_status cut_into_parts(walk_job *job, size_t line_count, size_t *part_count)
{
    const ply_rules *rules = job->rules;
    walk_worker *w = &job->workers[0];
    size_t room = line_count;
    job->parts = malloc((room ? room : 1) * sizeof(walk_part));
    if (!job->parts)
        return PLY_NO_MEMORY;
    *part_count = 0;
    for (size_t i = 0; i < line_count; i++) {
        if (job->depth < SPLIT_DEPTH) {
            job->parts[(*part_count)++] = (walk_part){.line = (uint32_t)i};
            continue;
        }
        rules->game->play(rules, w->position, job->lines[i].move, w->undo_stack);
        size_t count = rules->game->moves(rules, w->position, w->moves);
        rules->game->undo(rules, w->position, job->lines[i].move, w->undo_stack);
        if (*part_count + count > room) {
            room = (*part_count + count) * 2;
            walk_part *parts = realloc(job->parts, room * sizeof(walk_part));
            if (!parts)
                return PLY_NO_MEMORY;
            job->parts = parts;
        }
        for (size_t k = 0; k < count; k++)
            job->parts[(*part_count)++] = (walk_part){.line = (uint32_t)i, .second = w->moves[k]};
    }
    return PLY_OK;
}

static ply_status make_workers(walk_job *job, const ply_state *state, unsigned count)
{
    const ply_rules *rules = job->rules;
    job->workers = calloc(count, sizeof(walk_worker));
    if (!job->workers)
        return PLY_NO_MEMORY;
    size_t depth = (size_t)job->depth;
    for (unsigned i = 0; i < count; i++) {
        walk_worker *w = &job->workers[i];
        w->moves = malloc(depth * rules->max_moves * sizeof(ply_move));
        w->undo_stack = malloc(depth * rules->undo_bytes + 1);
        void *position = calloc(1, rules->position_bytes);
        if (!position || !w->moves || !w->undo_stack ||
            ply_game_copy(rules, position, state->position) != PLY_OK) {
            free(position);
            return PLY_NO_MEMORY;
        }
        w->position = position;
    }
    return PLY_OK;
}

static void free_job(walk_job *job, unsigned worker_count)
{
    for (unsigned i = 0; job->workers && i < worker_count; i++) {
        walk_worker *w = &job->workers[i];
        if (w->position)
            ply_game_clear(job->rules, w->position);
        free(w->position);
        free(w->moves);
        free(w->undo_stack);
    }
    free(job->workers);
    free(job->parts);
    free(job->lines);
    free(job->table.slots);
}

static ply_status run(walk_job *job, const ply_state *state, const ply_perft_options *options,
                      size_t *line_count)
{
    unsigned threads = options->threads ? options->threads : 1;
    const ply_rules *rules = job->rules;
    if (options->hash_mb > 0) {
        job->table.count = ((uint64_t)options->hash_mb << 20) / sizeof(walk_slot);
        job->table.slots = calloc(job->table.count, sizeof(walk_slot));
        if (!job->table.slots)
            return PLY_NO_MEMORY;
        job->fast_depth = FAST_DEPTH_TABLE;
    }
    ply_status status = make_workers(job, state, threads);
    job->lines = calloc(rules->max_moves ? rules->max_moves : 1, sizeof *job->lines);
    if (status != PLY_OK || !job->lines)
        return PLY_NO_MEMORY;
    walk_worker *w = &job->workers[0];
    *line_count = rules->game->moves(rules, w->position, w->moves);
    for (size_t i = 0; i < *line_count; i++)
        job->lines[i].move = w->moves[i];
    size_t part_count = 0;
    status = cut_into_parts(job, *line_count, &part_count);
    if (status != PLY_OK)
        return status;
    __atomic_store_n(&job->progress->parts_total, part_count, __ATOMIC_RELAXED);
    ply_workers *team = ply_workers_start(threads);
    if (!team)
        return PLY_NO_MEMORY;
    ply_workers_run(team, part_count, count_part, job);
    ply_workers_stop(team);
    return ply_progress_stopped(job->progress) ? PLY_STOPPED : PLY_OK;
}

ply_status ply_perft(const ply_state *state, int depth, const ply_perft_options *options,
                     uint64_t *nodes, ply_perft_entry *lines, size_t *line_count)
{
    ply_progress own_progress = {0};
    size_t found = 0;
    *nodes = depth == 0;
    if (line_count)
        *line_count = 0;
    if (depth <= 0)
        return PLY_OK;
    const ply_rules *rules = state->rules;
    if (rules->game->multi_move_turns && rules->counting->perft && rules->counting->turns) {
        size_t gathered;
        return ply_perft_turns(state, depth, options,
                               options->progress ? options->progress : &own_progress, nodes, lines,
                               line_count ? line_count : &gathered);
    }
    int plies = rules->counting->fast_depth;
    walk_job job = {.rules = state->rules,
                    .depth = depth,
                    .mode = options->mode,
                    .fast_depth = plies ? plies : FAST_DEPTH,
                    .progress = options->progress ? options->progress : &own_progress};
    ply_status status = run(&job, state, options, &found);
    if (status == PLY_OK) {
        for (size_t i = 0; i < found; i++)
            *nodes += job.lines[i].nodes;
        if (lines)
            memcpy(lines, job.lines, found * sizeof *lines);
        if (line_count)
            *line_count = found;
    }
    free_job(&job, options->threads ? options->threads : 1);
    return status;
}
