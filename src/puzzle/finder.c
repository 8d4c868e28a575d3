/* SPDX-License-Identifier: MIT */
/* finder.c - see puzzle.h. */
#include "core/array.h"
#include "puzzle/finder_internal.h"
#include <stdlib.h>
#include <string.h>

enum {
    NODES_PER_MB = 1 << 13,
    MEMORY_MB = 2, /* beyond what the nodes need */
    MEMORY_LIMIT_MB = 1024,
    QUICK = 20, /* the first question gets this fraction of the nodes */
    MISSES = 3, /* this many positions in a row that are not won separate two wins */
};

ply_puzzle_finder *ply_puzzle_finder_new(const ply_puzzle_spec *spec)
{
    const ply_rules *rules = spec->rules;
    /* No more memory than needed: some solvers clear theirs for each question. */
    uint64_t memory_mb = MEMORY_MB + spec->nodes / NODES_PER_MB;
    ply_solve_options options = {.memory_mb = memory_mb < MEMORY_LIMIT_MB ? (size_t)memory_mb
                                                                          : MEMORY_LIMIT_MB,
                                 .tablebase = spec->tablebase};
    ply_puzzle_finder *f = calloc(1, sizeof *f);
    if (!f)
        return NULL;
    f->spec = *spec;
    f->solver = ply_solver_new(rules, spec->goal, &options);
    f->moves = malloc(rules->max_moves * sizeof *f->moves);
    f->values = malloc(rules->max_moves * sizeof *f->values);
    bool good = f->solver && f->moves && f->values;
    for (size_t i = 0; good && i < PUZZLE_EASIER_GOALS; i++) {
        const ply_goal *goal = ply_goal_at(rules->game, i);
        if (!goal || goal == spec->goal)
            break;
        f->easier[i] = ply_solver_new(rules, goal, &options);
        good = f->easier[i] != NULL;
    }
    if (!good) {
        ply_puzzle_finder_free(f);
        return NULL;
    }
    return f;
}

void ply_puzzle_finder_free(ply_puzzle_finder *finder)
{
    if (!finder)
        return;
    ply_solver_free(finder->solver);
    for (size_t i = 0; i < PUZZLE_EASIER_GOALS; i++)
        ply_solver_free(finder->easier[i]);
    free(finder->moves);
    free(finder->values);
    free(finder->seen);
    free(finder);
}

void ply_puzzle_finder_stop(ply_puzzle_finder *finder)
{
    atomic_store(&finder->stopped, true);
    ply_solver_stop(finder->solver);
    for (size_t i = 0; i < PUZZLE_EASIER_GOALS && finder->easier[i]; i++)
        ply_solver_stop(finder->easier[i]);
}

bool ply_puzzle_goes_on(ply_puzzle_finder *finder)
{
    if (atomic_load(&finder->stopped))
        finder->status = PLY_STOPPED;
    return finder->status == PLY_OK;
}

/* Runs the solver; whether the position is won. */
static bool solve(ply_puzzle_finder *f, ply_solver *solver, const ply_state *state,
                  const ply_solve_limits *limits, ply_solve_report *report)
{
    if (!ply_puzzle_goes_on(f))
        return false;
    ply_status status = ply_solver_run(solver, state->position, limits, NULL, NULL, report);
    if (status == PLY_NO_MEMORY)
        f->status = status;
    return status == PLY_OK && report->verdict == PLY_VERDICT_WIN;
}

/* --- the win ---------------------------------------------------------------------------------- */
/* The win by the tablebase, played out by both sides. */
static bool solve_by_tablebase(ply_puzzle_finder *f, ply_state *state, ply_puzzle *p)
{
    ply_tablebase_value value;
    size_t played = 0;
    if (!ply_tablebase_probe(f->spec.tablebase, state->position, &value) ||
        value.result != PLY_TABLEBASE_WIN || value.plies > PLY_PUZZLE_MOVES)
        return false;
    p->length = (uint32_t)value.plies;
    for (bool going = true; going && p->moves < p->length;) {
        size_t count = ply_tablebase_moves(f->spec.tablebase, state->position, f->values), i = 0;
        while (i < count && (!f->values[i].known || f->values[i].value.plies != value.plies ||
                             f->values[i].value.result != value.result))
            i++;
        going = i < count && ply_state_play(state, f->values[i].move) == PLY_OK;
        if (!going)
            break;
        p->solution[p->moves++] = f->values[i].move;
        played++;
        going = ply_tablebase_probe(f->spec.tablebase, state->position, &value);
    }
    while (played-- > 0)
        ply_state_undo(state);
    return p->moves == p->length;
}

/* The shortest win by the solver, if a short run finds one at all. */
static bool solve_by_proof(ply_puzzle_finder *f, const ply_state *state, ply_puzzle *p, bool *won)
{
    ply_solve_limits limits = {.nodes = f->spec.nodes / QUICK + 1};
    ply_solve_report report = {0};
    *won = solve(f, f->solver, state, &limits, &report);
    if (!*won || report.length < f->spec.least)
        return false;
    limits = (ply_solve_limits){.nodes = f->spec.nodes, .shortest = true};
    if (!solve(f, f->solver, state, &limits, &report) || !report.shortest ||
        report.pv_length > PLY_PUZZLE_MOVES)
        return false;
    p->length = report.length;
    p->nodes = report.nodes;
    p->moves = report.pv_length;
    memcpy(p->solution, report.pv, p->moves * sizeof *p->solution);
    return f->spec.rules->game->multi_move_turns ? p->moves > 0 : p->moves == p->length;
}

static bool is_won_more_easily(ply_puzzle_finder *f, const ply_state *state)
{
    ply_solve_limits limits = {.nodes = f->spec.nodes};
    ply_solve_report report;
    for (size_t i = 0; i < PUZZLE_EASIER_GOALS && f->easier[i]; i++)
        if (solve(f, f->easier[i], state, &limits, &report))
            return true;
    return false;
}

/* --- uniqueness ------------------------------------------------------------------------------- */
/* Whether every other move than `only` is proved not to win. Sets *choices to the legal moves. */
static bool is_unique(ply_puzzle_finder *f, const ply_state *state, ply_move only, size_t *choices)
{
    ply_solve_limits limits = {.nodes = f->spec.nodes};
    size_t count = *choices = ply_state_moves(state, f->moves, f->spec.rules->max_moves);
    for (size_t i = 0; i < count; i++) {
        ply_solve_try other;
        if (f->moves[i] == only)
            continue;
        if (!ply_puzzle_goes_on(f))
            return false;
        ply_status status = ply_solver_try(f->solver, state, f->moves[i], &limits, &other);
        if (status == PLY_NO_MEMORY)
            f->status = status;
        if (status != PLY_OK || other.verdict != PLY_VERDICT_NO)
            return false;
    }
    return count > 1;
}

/* Whether the attacker's later moves, except the last, are unique. */
static bool is_line_unique(ply_puzzle_finder *f, ply_state *state, const ply_puzzle *p)
{
    size_t played = 0, choices;
    bool unique = true;
    for (size_t i = 0; i + 1 < p->moves && unique; i++) {
        unique = i == 0 || i % 2 == 1 || is_unique(f, state, p->solution[i], &choices);
        if (unique && ply_state_play(state, p->solution[i]) == PLY_OK)
            played++;
        else
            unique = false;
    }
    while (played-- > 0)
        ply_state_undo(state);
    return unique;
}

/* --- searching a game ------------------------------------------------------------------------- */
static bool is_seen(const ply_puzzle_finder *f, uint64_t key)
{
    for (size_t i = 0; i < f->seen_count; i++)
        if (f->seen[i] == key)
            return true;
    return false;
}

/* Solves a position; *won says whether it is won by force, and the result whether it is a puzzle. */
static bool make_puzzle(ply_puzzle_finder *f, ply_state *state, ply_puzzle *p, bool *won)
{
    const ply_puzzle_spec *spec = &f->spec;
    *p = (ply_puzzle){.key = ply_state_key(state)};
    bool good;
    if (spec->tablebase)
        good = *won = solve_by_tablebase(f, state, p);
    else
        good = solve_by_proof(f, state, p, won);
    if (!good || p->length < spec->least || p->length > spec->most || is_seen(f, p->key) ||
        is_won_more_easily(f, state))
        return false;
    if (spec->rules->game->multi_move_turns)
        good = ply_puzzle_turn_is_unique(f, state, p);
    else
        good = is_unique(f, state, p->solution[0], &p->choices);
    if (!good || p->choices < spec->choices || (spec->unique_line && !is_line_unique(f, state, p)))
        return false;
    if (spec->tablebase) { /* there must be a proof that does not need the files */
        ply_solve_limits limits = {.nodes = spec->nodes};
        ply_solve_report report = {0};
        if (!solve(f, f->solver, state, &limits, &report))
            return false;
        p->nodes = report.nodes;
    }
    ply_text text = ply_text_fixed(p->position, sizeof p->position);
    ply_state_format(state, &text);
    return ply_text_complete(&text);
}

ply_status ply_puzzle_find(ply_puzzle_finder *finder, ply_state *state, ply_puzzle *puzzle,
                           bool *found)
{
    ply_puzzle next;
    bool multi = finder->spec.rules->game->multi_move_turns;
    int misses = 0;
    *found = false;
    finder->status = PLY_OK;
    while (ply_puzzle_goes_on(finder) && (!*found || misses < MISSES) && ply_state_undo(state)) {
        bool won;
        if (multi && !ply_puzzle_begins_turn(state))
            continue;
        if (make_puzzle(finder, state, &next, &won) && (!*found || next.length > puzzle->length)) {
            *puzzle = next;
            *found = true;
        }
        misses = won ? 0 : misses + 1;
    }
    if (*found && ply_puzzle_goes_on(finder)) {
        if (!ply_array_grow(&finder->seen, &finder->seen_room, finder->seen_count + 1,
                            sizeof *finder->seen))
            return PLY_NO_MEMORY;
        finder->seen[finder->seen_count++] = puzzle->key;
    }
    return finder->status;
}
