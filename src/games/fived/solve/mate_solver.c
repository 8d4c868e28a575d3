/* SPDX-License-Identifier: MIT */
/*
 * mate_solver.c - the mate search as a ply_solver_kind: questions, the principal variation, proofs.
 *
 * Wins are counted in turns of the attacker. For the goal "mate" the solver tries wins in one, two
 * and three turns, then of any length, which is shortened on request. For "win", where every turn
 * is allowed and hardly anything is ever refuted for good, it tries the next three lengths.
 *
 * A proof is a strategy over single moves, since the checker does not know turns. When the strategy
 * is consulted at the start of a turn, the search runs again (its transposition table has the
 * answer or it is found afresh), and the moves of the turn are saved for the positions inside the
 * turn.
 */
#include "games/fived/solve/mate_search.h"
#include <stdlib.h>
#include <string.h>

enum {
    SHORT_TURNS = 3,
    FIRST_NODES = 32000, /* for the first question, divided by the number of timelines */
    NODE_GROWTH = 4,     /* from round to round */
    PV_NODES = 1 << 18,
};

typedef struct mate_solver {
    const ply_rules *rules;
    mate_search search;
    fived_position position;
    bool has_position;
    ply_verdict verdict;
    int turns; /* of the win */
    int most;  /* turns that the attacker may take */
    int attacker;
    bool attacker_moves; /* who is to move in the position */
    ply_move *pv;        /* the moves played from the position */
    size_t pv_room, pv_count;
    fived_undo_info *undo_stack; /* of the pv */
    size_t undo_room;
    mate_map plan;      /* the strategy: from position to move */
    size_t proof_bytes; /* memory for writing a proof */
    ply_status status;
} mate_solver;

static void solver_close(void *self)
{
    mate_solver *v = self;
    fived_mate_search_free(&v->search);
    fived_mate_map_free(&v->plan);
    if (v->has_position)
        fived_clear(v->rules, &v->position);
    free(v->pv);
    free(v->undo_stack);
    free(v);
}

static void *solver_open(const ply_rules *rules, const ply_goal *goal,
                         const ply_solve_options *options)
{
    mate_solver *v = calloc(1, sizeof *v);
    if (!v)
        return NULL;
    v->rules = rules;
    v->plan.has_values = true;
    v->search.rules = rules;
    v->search.position = &v->position;
    v->search.checks_only = strcmp(goal->id, "mate") == 0;
    size_t bytes = options->memory_mb << 20;
    v->proof_bytes = bytes / 8;
    if (!fived_mate_search_init(&v->search, bytes - v->proof_bytes)) {
        solver_close(v);
        return NULL;
    }
    return v;
}

static ply_status set_position(mate_solver *v, const fived_position *position)
{
    if (v->has_position)
        fived_clear(v->rules, &v->position);
    ply_status status = fived_copy(v->rules, &v->position, position);
    v->has_position = status == PLY_OK;
    return status;
}

/* --- questions ------------------------------------------------------------------------------- */
/* The next number of turns to try in a round; 0: the round is over. */
static int next_question(const mate_solver *v, int turns, int failed)
{
    if (turns >= v->most)
        return 0;
    if (v->search.checks_only)
        return turns < SHORT_TURNS ? turns + 1 : v->most;
    return turns < failed + SHORT_TURNS ? turns + 1 : 0;
}

/* Tries one number of turns with a node limit (0: none). False: stopped for good. */
static bool try_turns(mate_solver *v, int turns, uint64_t nodes, int *failed)
{
    mate_search *s = &v->search;
    mate_child result;
    s->node_limit = nodes ? s->nodes + nodes : 0;
    fived_mate_search_run(s, v->attacker_moves, turns, &result);
    s->node_limit = 0;
    if (s->spent) {
        s->stopped = s->spent = false;
        return true;
    }
    if (s->stopped)
        return false;
    if (result.win <= turns) {
        v->verdict = s->progress.verdict = PLY_VERDICT_WIN;
        v->turns = result.win;
        s->progress.length = (uint32_t)v->turns;
    } else if (result.fail == MATE_FAIL_ALWAYS && v->verdict == PLY_VERDICT_UNKNOWN) {
        v->verdict = PLY_VERDICT_NO;
    } else if (turns >= MATE_TURNS) {
        s->why = "depth";
        return false;
    } else if (result.fail > *failed) {
        *failed = result.fail;
        if (*failed >= v->most && v->verdict == PLY_VERDICT_UNKNOWN)
            v->verdict = PLY_VERDICT_NO;
    }
    return true;
}

/*
 * Looks for wins in rounds, trying longer and longer wins in each. With many boards even "not in
 * one turn" may take forever, so every attempt has a node limit, which grows from round to round.
 * If the shortest win is wanted, tries shorter ones in the end.
 */
static void solve(mate_solver *v, const ply_solve_limits *limits, ply_solve_report *report)
{
    mate_search *s = &v->search;
    uint64_t timelines = (uint64_t)(v->position.hi - v->position.lo + 1);
    int failed = 0; /* turns known not to suffice */
    bool running = true;
    v->verdict = PLY_VERDICT_UNKNOWN;
    for (uint64_t nodes = FIRST_NODES / timelines + 1; running && v->verdict == PLY_VERDICT_UNKNOWN;
         nodes *= NODE_GROWTH)
        for (int turns = failed + 1; turns && running && v->verdict == PLY_VERDICT_UNKNOWN;
             turns = next_question(v, turns, failed))
            running = turns <= failed || try_turns(v, turns, nodes, &failed);
    report->proof = s->progress.proof;
    report->disproof = s->progress.disproof;
    while (running && v->verdict == PLY_VERDICT_WIN && limits->shortest && v->turns > failed + 1)
        running = try_turns(v, v->turns - 1, 0, &failed); /* if stopped, the win found stands */
    report->shortest = v->verdict == PLY_VERDICT_WIN && v->turns <= failed + 1;
}

/* --- the principal variation ----------------------------------------------------------------- */
/* The turn by which the player to move reaches their aim; 0: it could not be found again. */
static size_t find_turn(mate_solver *v, bool attacker_moves, int turns, const ply_move **moves)
{
    mate_search *s = &v->search;
    mate_child result;
    size_t count;
    fived_mate_search_run(s, attacker_moves, turns, &result);
    *moves = fived_mate_search_best_turn(s, &count);
    return s->stopped || result.phi != 0 ? 0 : count;
}

/* How many turns the attacker needs, at most `most`; -1: the win could not be found again. */
static int win_length(mate_solver *v, bool attacker_moves, int most)
{
    mate_search *s = &v->search;
    mate_child c;
    uint64_t key = fived_hash(v->rules, &v->position);
    if (fived_mate_search_probe(s, key, attacker_moves, most, &c) && c.win <= most)
        return c.win;
    for (int turns = 1; turns <= most; turns++) {
        fived_mate_search_run(s, attacker_moves, turns, &c);
        if (s->stopped)
            return -1;
        if (c.win <= turns)
            return c.win;
    }
    return -1;
}

static bool extend_pv(mate_solver *v, const ply_move *moves, size_t count)
{
    if (!ply_array_grow(&v->pv, &v->pv_room, v->pv_count + count, sizeof *v->pv) ||
        !ply_array_grow(&v->undo_stack, &v->undo_room, v->pv_count + count,
                        sizeof *v->undo_stack)) {
        v->status = PLY_NO_MEMORY;
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        v->pv[v->pv_count] = moves[i];
        if (fived_play(v->rules, &v->position, moves[i], &v->undo_stack[v->pv_count]) != PLY_OK)
            return false;
        v->pv_count++;
    }
    return true;
}

static void shorten_pv(mate_solver *v, size_t count)
{
    while (v->pv_count > count) {
        v->pv_count--;
        fived_undo(v->rules, &v->position, v->pv[v->pv_count], &v->undo_stack[v->pv_count]);
    }
}

/* The turns of a position. */
typedef struct turn_list {
    ply_move *moves;
    size_t room, used;
    size_t *ends;
    size_t end_room, count;
    bool no_memory;
} turn_list;

enum { REPLY_LIMIT = 2000 }; /* replies among which the longest defence is chosen */

static bool list_turn(void *context, const ply_move *moves, size_t count)
{
    turn_list *list = context;
    if (!ply_array_grow(&list->moves, &list->room, list->used + count, sizeof *list->moves) ||
        !ply_array_grow(&list->ends, &list->end_room, list->count + 1, sizeof *list->ends)) {
        list->no_memory = true;
        return false;
    }
    memcpy(list->moves + list->used, moves, count * sizeof *moves);
    list->used += count;
    list->ends[list->count++] = list->used;
    return list->count < REPLY_LIMIT;
}

/* Plays the reply that holds out longest, for at most `most` turns; false: mated, or stopped. */
static bool play_longest_reply(mate_solver *v, int most)
{
    turn_list list = {0};
    ply_status status = fived_turns(v->rules, &v->position, 0, list_turn, &list);
    if (status != PLY_OK || list.no_memory)
        v->status = PLY_NO_MEMORY;
    size_t best = list.count, from = v->pv_count;
    int longest = 0;
    for (size_t i = 0; i < list.count && longest < most && !v->search.stopped; i++) {
        size_t first = i ? list.ends[i - 1] : 0;
        if (extend_pv(v, list.moves + first, list.ends[i] - first)) {
            int length = win_length(v, true, most);
            if (length > longest) {
                longest = length;
                best = i;
            }
        }
        shorten_pv(v, from);
    }
    bool played = false;
    if (best < list.count) {
        size_t first = best ? list.ends[best - 1] : 0;
        played = extend_pv(v, list.moves + first, list.ends[best] - first);
    }
    free(list.moves);
    free(list.ends);
    return played;
}

/* The win against the longest defence, as far as it can be found again. */
static void find_pv(mate_solver *v)
{
    v->pv_count = 0;
    for (int left = v->turns; left > 0;) {
        const ply_move *moves;
        int length = win_length(v, true, left);
        size_t count = length > 0 ? find_turn(v, true, length, &moves) : 0;
        if (count == 0 || !extend_pv(v, moves, count))
            break;
        left = length - 1;
        if (left == 0 || !play_longest_reply(v, left))
            break;
    }
    size_t count = v->pv_count;
    shorten_pv(v, 0);
    v->pv_count = count;
}

static bool take_turn(void *context, const ply_move *moves, size_t count)
{
    extend_pv(context, moves, count);
    return false;
}

/* The turn by which the defender holds out longest, or avoids mate. */
static void find_reply(mate_solver *v)
{
    const ply_move *moves;
    v->pv_count = 0;
    if (v->verdict == PLY_VERDICT_WIN) {
        play_longest_reply(v, v->turns);
    } else if (v->most > 0) {
        size_t count = find_turn(v, false, v->most, &moves);
        if (count > 0)
            extend_pv(v, moves, count);
    } else {
        fived_position start;
        if (fived_copy(v->rules, &start, &v->position) == PLY_OK) {
            fived_turns(v->rules, &start, 0, take_turn, v);
            fived_clear(v->rules, &start);
        }
    }
    size_t count = v->pv_count;
    shorten_pv(v, 0);
    v->pv_count = count;
}

/* --- running --------------------------------------------------------------------------------- */
static ply_status run(mate_solver *v, const void *position, bool attacker_moves, int most,
                      const ply_solve_limits *limits, ply_solve_control *control,
                      ply_solve_report *report)
{
    mate_search *s = &v->search;
    ply_status status = set_position(v, position);
    if (status != PLY_OK)
        return status;
    v->attacker_moves = attacker_moves;
    v->attacker = attacker_moves ? v->position.side : !v->position.side;
    v->most = most;
    v->status = PLY_OK;
    v->pv_count = 0;
    fived_mate_map_free(&v->plan);
    fived_mate_search_clear(s);
    s->control = control;
    if (most > 0)
        solve(v, limits, report);
    else
        v->verdict = PLY_VERDICT_NO;
    if (s->status != PLY_OK)
        return s->status;
    report->verdict = v->verdict;
    if (v->verdict == PLY_VERDICT_UNKNOWN)
        report->stop_reason = s->why;
    if (v->verdict == PLY_VERDICT_WIN)
        report->length = (uint32_t)v->turns;
    if (v->verdict == PLY_VERDICT_WIN || (v->verdict == PLY_VERDICT_NO && !attacker_moves)) {
        /* The run may have been stopped while shortening; the variation has a limit of its own. */
        uint64_t nodes = s->nodes;
        s->control = NULL;
        s->stopped = false;
        s->node_limit = nodes + PV_NODES;
        if (attacker_moves)
            find_pv(v);
        else
            find_reply(v);
        s->nodes = nodes;
        s->node_limit = 0;
        s->spent = false;
        report->pv = v->pv;
        report->pv_length = v->pv_count;
    }
    s->control = NULL;
    s->stopped = false;
    report->nodes = s->nodes;
    report->memory_bytes = fived_mate_search_bytes(s);
    return v->status;
}

static ply_status solver_run(void *self, const void *position, const ply_solve_limits *limits,
                             ply_solve_control *control, ply_solve_report *report)
{
    bool limited = limits->turns > 0 && limits->turns < MATE_TURNS;
    int most = limited ? (int)limits->turns : MATE_TURNS;
    return run(self, position, true, most, limits, control, report);
}

/* The turn before the position was one of the attacker's. */
static ply_status solver_defend(void *self, const void *position, const ply_solve_limits *limits,
                                ply_solve_control *control, ply_solve_report *report)
{
    bool limited = limits->turns > 0 && limits->turns < MATE_TURNS;
    int most = limited ? (int)limits->turns - 1 : MATE_TURNS;
    return run(self, position, false, most, limits, control, report);
}

/* --- proofs ---------------------------------------------------------------------------------- */
/* Saves the moves of a turn from the current position in the strategy. */
static bool plan_turn(mate_solver *v, const ply_move *moves, size_t count)
{
    bool saved = true;
    size_t from = v->pv_count, played = 0;
    ply_move *copy = malloc(count * sizeof *copy);
    if (!copy)
        return false;
    memcpy(copy, moves, count * sizeof *copy);
    for (; played < count && saved; played++)
        saved =
            fived_mate_map_add(&v->plan, fived_hash(v->rules, &v->position), copy[played]) >= 0 &&
            extend_pv(v, copy + played, 1);
    shorten_pv(v, from);
    free(copy);
    return saved;
}

static ply_move strategy_move(void *context, const void *position)
{
    mate_solver *v = context;
    uint64_t move;
    uint64_t key = fived_hash(v->rules, position);
    if (fived_mate_map_get(&v->plan, key, &move))
        return move;
    bool attacker_moves = v->verdict == PLY_VERDICT_WIN;
    if (fived_mate_map_bytes(&v->plan) > v->proof_bytes / 2 || set_position(v, position) != PLY_OK)
        return PLY_MOVE_NONE;
    int turns = attacker_moves ? win_length(v, true, MATE_TURNS) : MATE_TURNS;
    const ply_move *moves;
    size_t count = turns > 0 ? find_turn(v, attacker_moves, turns, &moves) : 0;
    if (count == 0 || !plan_turn(v, moves, count) || !fived_mate_map_get(&v->plan, key, &move))
        return PLY_MOVE_NONE;
    return move;
}

static ply_status solver_prove(void *self, const ply_proof_claim *claim, ply_proof_writer *writer,
                               uint32_t *plies)
{
    mate_solver *v = self;
    v->pv_count = 0;
    fived_mate_map_free(&v->plan);
    ply_proof_strategy strategy = {.move = strategy_move, .context = v};
    return ply_proof_write_strategy(writer, claim, &strategy, v->proof_bytes / 2, plies);
}

const ply_solver_kind fived_mate_solver = {.open = solver_open,
                                           .close = solver_close,
                                           .run = solver_run,
                                           .defend = solver_defend,
                                           .prove = solver_prove};
