/* SPDX-License-Identifier: MIT */
/* solver.c - ply_solver: calls the goal's own solver or the general one. */
#include "core/clock.h"
#include "core/options.h"
#include "proof/solve_control.h"
#include "solve/dfpn.h"
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_MEMORY_MB = 256 };

struct ply_solver {
    const ply_rules *rules;
    const ply_goal *goal;
    const ply_solver_kind *kind;
    void *self;
    void *position; /* of the last run; NULL: none */
    int attacker;
    ply_verdict verdict;
    ply_tablebase *tablebase; /* NULL unless it has the values of the goal */
    ply_move reply;           /* of the last try, where turns have one move */
    atomic_bool stop;
};

ply_solver *ply_solver_new(const ply_rules *rules, const ply_goal *goal,
                           const ply_solve_options *options)
{
    if (!rules || !rules->game || !goal)
        return NULL;
    ply_solve_options given;
    ply_options_copy(&given, sizeof given, options);
    given.memory_mb = given.memory_mb ? given.memory_mb : DEFAULT_MEMORY_MB;
    given.threads = given.threads ? given.threads : 1;
    ply_solver *solver = calloc(1, sizeof *solver);
    if (!solver)
        return NULL;
    solver->rules = rules;
    solver->goal = goal;
    solver->kind = goal->solver ? goal->solver : &ply_dfpn_kind;
    solver->self = solver->kind->open(rules, goal, &given);
    solver->tablebase = strcmp(goal->id, "win") == 0 ? given.tablebase : NULL;
    atomic_init(&solver->stop, false);
    if (!solver->self) {
        free(solver);
        return NULL;
    }
    return solver;
}

/* Forgets the last run. */
static void forget(ply_solver *solver)
{
    if (solver->position) {
        ply_game_clear(solver->rules, solver->position);
        free(solver->position);
        solver->position = NULL;
    }
    solver->verdict = PLY_VERDICT_UNKNOWN;
}

void ply_solver_free(ply_solver *solver)
{
    if (!solver)
        return;
    forget(solver);
    solver->kind->close(solver->self);
    free(solver);
}

ply_status ply_solver_run(ply_solver *solver, const void *position, const ply_solve_limits *limits,
                          ply_solve_listener *listener, void *context, ply_solve_report *report)
{
    if (!solver || !position || !report)
        return PLY_BAD_ARGUMENT;
    forget(solver);
    *report = (ply_solve_report){0};
    ply_solve_control control;
    ply_solve_limits own;
    ply_options_copy(&own, sizeof own, limits);
    ply_solve_control_start(&control, &own, listener, context, &solver->stop);
    solver->position = malloc(solver->rules->position_bytes);
    if (!solver->position)
        return PLY_NO_MEMORY;
    ply_status status = ply_game_copy(solver->rules, solver->position, position);
    if (status != PLY_OK) {
        free(solver->position);
        solver->position = NULL;
        return status;
    }
    solver->attacker = solver->rules->game->side(solver->rules, position);
    status = solver->kind->run(solver->self, position, &own, &control, report);
    report->seconds = ply_clock_seconds_since(control.start);
    if (status == PLY_OK)
        solver->verdict = report->verdict;
    if (status == PLY_OK && report->verdict == PLY_VERDICT_UNKNOWN && !report->stop_reason)
        report->stop_reason = control.stop_reason;
    atomic_store(&solver->stop, false);
    return status;
}

void ply_solver_stop(ply_solver *solver)
{
    if (solver)
        atomic_store(&solver->stop, true);
}

ply_status ply_solver_prove(ply_solver *solver, ply_proof_sink *sink, void *context)
{
    if (!solver || !sink)
        return PLY_BAD_ARGUMENT;
    if (solver->verdict == PLY_VERDICT_UNKNOWN)
        return PLY_UNSUPPORTED;
    ply_proof_claim claim = {.rules = solver->rules,
                             .goal = solver->goal,
                             .position = solver->position,
                             .attacker = solver->attacker,
                             .verdict = solver->verdict};
    ply_proof_writer *writer = ply_proof_writer_new(&claim, sink, context);
    if (!writer)
        return PLY_NO_MEMORY;
    uint32_t plies = 0;
    ply_status status = solver->kind->prove(solver->self, &claim, writer, &plies);
    ply_status finished = ply_proof_finish(writer, plies);
    return status != PLY_OK ? status : finished;
}

bool ply_solver_can_save(const ply_solver *solver)
{
    return solver && solver->kind->save && solver->kind->load;
}

ply_status ply_solver_save(ply_solver *solver, ply_proof_sink *sink, void *context)
{
    if (!solver || !sink)
        return PLY_BAD_ARGUMENT;
    if (!solver->position || !ply_solver_can_save(solver))
        return PLY_UNSUPPORTED;
    return solver->kind->save(solver->self, solver->position, sink, context);
}

ply_status ply_solver_load(ply_solver *solver, const void *position, const ply_solve_limits *limits,
                           const ply_proof_source *source, ply_error *error)
{
    if (!solver || !position || !source || !source->read)
        return ply_error_set(error, PLY_BAD_ARGUMENT, "no solver, position or source");
    ply_solve_limits own;
    ply_options_copy(&own, sizeof own, limits);
    forget(solver);
    if (!ply_solver_can_save(solver))
        return ply_error_set(error, PLY_UNSUPPORTED, "the solver of this goal has no checkpoints");
    return solver->kind->load(solver->self, position, &own, source, error);
}

/* --- trying a move ---------------------------------------------------------------------------- */
/* Whether the attacker, to move, forces the goal, and in how many plies. */
static ply_status judge(ply_solver *solver, const void *position, const ply_solve_limits *limits,
                        ply_solve_report *report)
{
    ply_tablebase_value value;
    if (!solver->tablebase || !ply_tablebase_probe(solver->tablebase, position, &value))
        return ply_solver_run(solver, position, limits, NULL, NULL, report);
    bool won = value.result == PLY_TABLEBASE_WIN;
    *report = (ply_solve_report){.verdict = won ? PLY_VERDICT_WIN : PLY_VERDICT_NO,
                                 .plies = won ? (uint32_t)value.plies : 0};
    return PLY_OK;
}

/* Solves the position after each of the defender's moves; *state is after the attacker's move. */
static ply_status try_answers(ply_solver *solver, ply_state *state, const ply_move *moves,
                              size_t count, const ply_solve_limits *limits, ply_solve_try *result)
{
    ply_status status = PLY_OK;
    result->verdict = PLY_VERDICT_WIN;
    result->plies = 1;
    for (size_t i = 0; i < count && status == PLY_OK; i++) {
        ply_solve_report report = {0};
        status = ply_state_play(state, moves[i]);
        if (status != PLY_OK)
            break;
        status = judge(solver, state->position, limits, &report);
        ply_state_undo(state);
        if (status == PLY_OK && report.verdict == PLY_VERDICT_NO) {
            solver->reply = moves[i];
            *result = (ply_solve_try){PLY_VERDICT_NO, true, &solver->reply, 1, 0};
            break;
        }
        if (report.verdict == PLY_VERDICT_UNKNOWN)
            result->verdict = PLY_VERDICT_UNKNOWN;
        else if (report.plies + 2 > result->plies) {
            solver->reply = moves[i];
            result->plies = report.plies + 2;
            result->reply = &solver->reply;
            result->reply_length = 1;
        }
    }
    return status;
}

/* Where turns consist of several moves; *state is after the attacker's move. */
static ply_status try_turn(ply_solver *solver, const ply_state *state, int attacker,
                           const ply_solve_limits *limits, ply_solve_try *result)
{
    ply_solve_report report = {0};
    ply_solve_limits own;
    ply_options_copy(&own, sizeof own, limits);
    ply_status status;
    if (ply_state_side(state) == attacker) {
        status = ply_solver_run(solver, state->position, &own, NULL, NULL, &report);
        report.pv_length = 0;
    } else {
        ply_solve_control control;
        forget(solver);
        ply_solve_control_start(&control, &own, NULL, NULL, &solver->stop);
        status = solver->kind->defend(solver->self, state->position, &own, &control, &report);
        atomic_store(&solver->stop, false);
    }
    result->verdict = report.verdict;
    result->reply = report.pv;
    result->reply_length = report.pv_length;
    return status;
}

/* Tries a move that the goal allows; *state is after it, and moves has room for all answers. */
static ply_status try_allowed(ply_solver *solver, ply_state *state, int attacker, ply_move *moves,
                              const ply_solve_limits *limits, ply_solve_try *result)
{
    const ply_rules *rules = solver->rules;
    const ply_goal *goal = solver->goal;
    ply_goal_value value =
        goal->value ? goal->value(rules, state->position, attacker) : PLY_GOAL_OPEN;
    if (value == PLY_GOAL_REACHED)
        *result = (ply_solve_try){.verdict = PLY_VERDICT_WIN, .allowed = true, .plies = 1};
    if (value != PLY_GOAL_OPEN)
        return PLY_OK;
    if (rules->game->multi_move_turns)
        return try_turn(solver, state, attacker, limits, result);
    size_t count = goal->defences ? goal->defences(rules, state->position, moves)
                                  : rules->game->moves(rules, state->position, moves);
    return try_answers(solver, state, moves, count, limits, result);
}

ply_status ply_solver_try(ply_solver *solver, const ply_state *from, ply_move move,
                          const ply_solve_limits *limits, ply_solve_try *result)
{
    if (!solver || !from || !from->position || !result)
        return PLY_BAD_ARGUMENT;
    const ply_rules *rules = solver->rules;
    const ply_goal *goal = solver->goal;
    ply_state state;
    *result = (ply_solve_try){.verdict = PLY_VERDICT_NO, .allowed = true};
    if (rules->game->multi_move_turns && !solver->kind->defend)
        return PLY_UNSUPPORTED;
    ply_move *moves = malloc(rules->max_moves * sizeof *moves);
    ply_status status = moves ? ply_state_copy(&state, from) : PLY_NO_MEMORY;
    if (status != PLY_OK) {
        free(moves);
        return status;
    }
    int attacker = ply_state_side(&state);
    ply_goal_effort effort = {.nodes = limits && limits->nodes ? limits->nodes : UINT64_MAX};
    result->allowed = !goal->allows || goal->allows(rules, state.position, move, &effort);
    if (effort.exceeded)
        *result = (ply_solve_try){.verdict = PLY_VERDICT_UNKNOWN, .allowed = true};
    else if (result->allowed)
        status = ply_state_play(&state, move);
    if (result->allowed && !effort.exceeded && status == PLY_OK)
        status = try_allowed(solver, &state, attacker, moves, limits, result);
    ply_state_free(&state);
    free(moves);
    return status;
}
