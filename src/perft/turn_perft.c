/* SPDX-License-Identifier: MIT */
/*
 * turn_perft.c - perft of games in which a ply is a turn of several moves.
 *
 * The parts are the legal turns of the root, from the game's `turns`; below them the game's own
 * perft counts. The lines told to the caller gather turns by their first move.
 */
#include "perft/turn_perft.h"
#include "core/progress.h"
#include "core/workers.h"
#include <stdlib.h>
#include <string.h>

typedef struct turn_list {
    ply_move *moves; /* of all turns, one after the other */
    size_t move_count, move_room;
    size_t *starts; /* where turn i begins; one more than there are turns */
    size_t count, room;
    bool failed; /* memory ran out */
} turn_list;

typedef struct turn_job {
    const ply_rules *rules;
    int depth, mode;
    ply_progress *progress;
    turn_list turns;
    uint64_t *nodes;  /* of each turn */
    void **positions; /* one for each worker */
    unsigned char **undo_stack;
    size_t longest;
} turn_job;

static bool add_turn(void *context, const ply_move *moves, size_t count)
{
    turn_list *list = context;
    if (list->move_count + count > list->move_room) {
        size_t room = (list->move_count + count) * 2 + 64;
        ply_move *larger = realloc(list->moves, room * sizeof *larger);
        if (!larger)
            return !(list->failed = true);
        list->moves = larger;
        list->move_room = room;
    }
    if (list->count + 2 > list->room) {
        size_t room = (list->count + 2) * 2;
        size_t *larger = realloc(list->starts, room * sizeof *larger);
        if (!larger)
            return !(list->failed = true);
        list->starts = larger;
        list->room = room;
    }
    memcpy(list->moves + list->move_count, moves, count * sizeof *moves);
    list->starts[list->count++] = list->move_count;
    list->move_count += count;
    list->starts[list->count] = list->move_count;
    return true;
}

static void count_turn(void *context, size_t number, unsigned worker)
{
    turn_job *job = context;
    const ply_rules *rules = job->rules;
    if (ply_progress_stopped(job->progress))
        return;
    const ply_move *moves = job->turns.moves + job->turns.starts[number];
    size_t count = job->turns.starts[number + 1] - job->turns.starts[number], played = 0;
    void *position = job->positions[worker];
    while (played < count &&
           rules->game->play(rules, position, moves[played],
                             job->undo_stack[worker] + played * rules->undo_bytes) == PLY_OK)
        played++;
    if (played == count)
        job->nodes[number] = rules->counting->perft(rules, position, job->depth - 1, job->mode);
    while (played > 0) {
        played--;
        rules->game->undo(rules, position, moves[played],
                          job->undo_stack[worker] + played * rules->undo_bytes);
    }
    ply_progress_add(&job->progress->units, job->nodes[number]);
    ply_progress_add(&job->progress->parts_done, 1);
}

static ply_status make_workers(turn_job *job, const void *root, unsigned threads)
{
    const ply_rules *rules = job->rules;
    job->positions = calloc(threads, sizeof *job->positions);
    job->undo_stack = calloc(threads, sizeof *job->undo_stack);
    if (!job->positions || !job->undo_stack)
        return PLY_NO_MEMORY;
    for (unsigned i = 0; i < threads; i++) {
        job->undo_stack[i] = malloc(job->longest * rules->undo_bytes + 1);
        void *position = calloc(1, rules->position_bytes);
        if (!job->undo_stack[i] || !position || ply_game_copy(rules, position, root) != PLY_OK) {
            free(position);
            return PLY_NO_MEMORY;
        }
        job->positions[i] = position;
    }
    return PLY_OK;
}

/* Sums the turns up by their first move, in the order in which those first come. */
static void gather(const turn_job *job, ply_perft_entry *lines, size_t *line_count)
{
    size_t count = 0;
    for (size_t i = 0; i < job->turns.count; i++) {
        ply_move first = job->turns.moves[job->turns.starts[i]];
        size_t at = count;
        while (at > 0 && lines[at - 1].move != first)
            at--;
        if (at == 0) {
            lines[count++] = (ply_perft_entry){.move = first};
            at = count;
        }
        lines[at - 1].nodes += job->nodes[i];
    }
    *line_count = count;
}

ply_status ply_perft_turns(const ply_state *state, int depth, const ply_perft_options *options,
                           ply_progress *progress, uint64_t *nodes, ply_perft_entry *lines,
                           size_t *line_count)
{
    const ply_rules *rules = state->rules;
    unsigned threads = options->threads ? options->threads : 1;
    turn_job job = {.rules = rules, .depth = depth, .mode = options->mode, .progress = progress};
    ply_status status =
        rules->counting->turns(rules, state->position, options->mode, add_turn, &job.turns);
    if (status == PLY_OK && job.turns.failed)
        status = PLY_NO_MEMORY;
    size_t count = job.turns.count;
    for (size_t i = 0; i < count; i++) {
        size_t length = job.turns.starts[i + 1] - job.turns.starts[i];
        job.longest = length > job.longest ? length : job.longest;
    }
    job.nodes = calloc(count + 1, sizeof *job.nodes);
    if (status == PLY_OK && !job.nodes)
        status = PLY_NO_MEMORY;
    __atomic_store_n(&progress->parts_total, count, __ATOMIC_RELAXED);
    if (status == PLY_OK && depth == 1) {
        for (size_t i = 0; i < count; i++)
            job.nodes[i] = 1;
        ply_progress_add(&progress->units, count);
        ply_progress_add(&progress->parts_done, count);
    } else if (status == PLY_OK) {
        status = make_workers(&job, state->position, threads);
        ply_workers *team = status == PLY_OK ? ply_workers_start(threads) : NULL;
        if (team) {
            ply_workers_run(team, count, count_turn, &job);
            ply_workers_stop(team);
            status = ply_progress_stopped(progress) ? PLY_STOPPED : PLY_OK;
        } else {
            status = PLY_NO_MEMORY;
        }
    }
    for (size_t i = 0; status == PLY_OK && i < count; i++)
        *nodes += job.nodes[i];
    if (status == PLY_OK && lines)
        gather(&job, lines, line_count);
    for (unsigned i = 0; i < threads; i++) {
        if (job.positions && job.positions[i])
            ply_game_clear(rules, job.positions[i]);
        free(job.positions ? job.positions[i] : NULL);
        free(job.undo_stack ? job.undo_stack[i] : NULL);
    }
    free(job.positions);
    free(job.undo_stack);
    free(job.nodes);
    free(job.turns.moves);
    free(job.turns.starts);
    return status;
}
