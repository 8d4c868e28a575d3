/* SPDX-License-Identifier: MIT */
/*
 * mate_solver.c - the solver of 5D chess behind ply_solver_kind: questions, lines, proofs.
 *
 * Wins are counted in turns of the attacker's. For the goal "mate" wins of one, two and three turns
 * are asked for, then one of any length, which is shortened when asked; for "win", where every turn
 * is allowed and almost nothing is ever lost for good, the next three numbers of turns.
 *
 * A proof is a strategy over single moves, since the checker knows no turns. Where the strategy is
 * asked at the start of a turn, the search is asked again (its table has the answer, or it is found
 * anew), and the moves of the turn are noted for the positions in the middle of it.
 */
#include "games/fived/solve/mate_search.h"
#include <stdlib.h>
#include <string.h>

enum { SHORT_TURNS = 3, FIRST_NODES = 32000, LINE_NODES = 1 << 18 };

typedef struct mate_solver {
    const ply_rules *rules;
    mate_search search;
    fived_position position;
    bool has_position;
    ply_verdict verdict;
    int turns; /* of the win */
    int attacker;
    ply_move *line;
    size_t line_room, line_count;
    fived_undo_info *undo_stack; /* of the line */
    size_t undo_room;
    mate_map plan;      /* position to move */
    size_t proof_bytes; /* what writing a proof may hold */
    ply_status status;
} mate_solver;

static void solver_close(void *self)
{
    mate_solver *v = self;
    fived_mate_search_free(&v->search);
    fived_mate_map_free(&v->plan);
    if (v->has_position)
        fived_clear(v->rules, &v->position);
    free(v->line);
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
/* The question after that one in a round; 0: the round is over. */
static int next_question(const mate_solver *v, int turns, int failed)
{
    if (v->search.checks_only)
        return turns < SHORT_TURNS ? turns + 1 : turns < MATE_TURNS ? MATE_TURNS : 0;
    return turns < failed + SHORT_TURNS ? turns + 1 : 0;
}

/* Asks one question with so many nodes; false: stopped for good. */
static bool ask(mate_solver *v, int turns, uint64_t nodes, int *failed)
{
    mate_search *s = &v->search;
    mate_child answer;
    s->nodes_most = nodes ? s->nodes + nodes : 0;
    fived_mate_search_ask(s, true, turns, &answer);
    s->nodes_most = 0;
    if (s->spent) {
        s->stopped = s->spent = false;
        return true;
    }
    if (s->stopped)
        return false;
    if (answer.phi == 0) {
        v->verdict = s->progress.verdict = PLY_VERDICT_WIN;
        v->turns = answer.win;
        s->progress.length = (uint32_t)v->turns;
    } else if (answer.fail == MATE_FAIL_ALL && v->verdict == PLY_VERDICT_UNKNOWN) {
        v->verdict = PLY_VERDICT_NO;
    } else if (turns >= MATE_TURNS) {
        s->why = "depth";
        return false;
    } else if (answer.fail > *failed) {
        *failed = answer.fail;
    }
    return true;
}

/*
 * Asks for wins in rounds, longer and longer wins in each: with many boards even "not in one turn"
 * may take for ever, so every question gets so many nodes, more in each round. Then, for the
 * shortest, asks for shorter ones.
 */
static void solve(mate_solver *v, const ply_solve_limits *limits, ply_solve_report *report)
{
    mate_search *s = &v->search;
    uint64_t lines = (uint64_t)(v->position.hi - v->position.lo + 1);
    int failed = 0; /* turns known not to suffice */
    bool going = true;
    v->verdict = PLY_VERDICT_UNKNOWN;
    for (uint64_t nodes = FIRST_NODES / lines + 1; going && v->verdict == PLY_VERDICT_UNKNOWN;
         nodes *= 4)
        for (int turns = failed + 1; turns && going && v->verdict == PLY_VERDICT_UNKNOWN;
             turns = next_question(v, turns, failed))
            going = turns <= failed || ask(v, turns, nodes, &failed);
    report->proof = s->progress.proof;
    report->disproof = s->progress.disproof;
    while (going && v->verdict == PLY_VERDICT_WIN && limits->shortest && v->turns > failed + 1)
        going = ask(v, v->turns - 1, 0, &failed); /* stopped: the win found stands */
    report->shortest = v->verdict == PLY_VERDICT_WIN && v->turns <= failed + 1;
}

/* --- the line -------------------------------------------------------------------------------- */
/* The turn with which the player to move gets his way; 0: it could not be found again. */
static size_t find_turn(mate_solver *v, bool attacks, int turns, const ply_move **moves)
{
    mate_search *s = &v->search;
    mate_child answer;
    size_t count;
    fived_mate_search_ask(s, attacks, turns, &answer);
    *moves = fived_mate_search_turn(s, &count);
    return s->stopped || answer.phi != 0 ? 0 : count;
}

/* How many turns the attacker needs in the position, at most `most`; -1: not found again. */
static int win_length(mate_solver *v, bool attacks, int most)
{
    mate_search *s = &v->search;
    mate_child c;
    uint64_t key = fived_hash(v->rules, &v->position);
    if (fived_mate_search_known(s, key, attacks, most, &c) && c.win <= most)
        return c.win;
    for (int turns = 1; turns <= most; turns++) {
        fived_mate_search_ask(s, attacks, turns, &c);
        if (s->stopped)
            return -1;
        if (c.win <= turns)
            return c.win;
    }
    return -1;
}

static bool play_line(mate_solver *v, const ply_move *moves, size_t count)
{
    if (!ply_array_grow(&v->line, &v->line_room, v->line_count + count, sizeof *v->line) ||
        !ply_array_grow(&v->undo_stack, &v->undo_room, v->line_count + count,
                        sizeof *v->undo_stack)) {
        v->status = PLY_NO_MEMORY;
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        v->line[v->line_count] = moves[i];
        if (fived_play(v->rules, &v->position, moves[i], &v->undo_stack[v->line_count]) != PLY_OK)
            return false;
        v->line_count++;
    }
    return true;
}

static void undo_line(mate_solver *v, size_t count)
{
    while (v->line_count > count) {
        v->line_count--;
        fived_undo(v->rules, &v->position, v->line[v->line_count], &v->undo_stack[v->line_count]);
    }
}

/* The turns of a position, one after the other. */
typedef struct turn_list {
    ply_move *moves;
    size_t room, used;
    size_t *ends;
    size_t end_room, count;
    bool no_memory;
} turn_list;

enum { LONGEST_OF = 2000 }; /* answers among which the longest defence is looked for */

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
    return list->count < LONGEST_OF;
}

/* Plays the answer that holds out longest, `most` turns at most; false: he is mated. */
static bool play_longest_answer(mate_solver *v, int most)
{
    turn_list list = {0};
    fived_search search;
    fived_search_init(&search);
    ply_status status = fived_search_prepare(&search, v->rules, &v->position);
    if (status == PLY_OK)
        fived_search_each(&search, false, list_turn, &list);
    fived_search_free(&search);
    size_t best = list.count, from = v->line_count;
    int longest = 0;
    for (size_t i = 0; i < list.count && longest < most && !v->search.stopped; i++) {
        size_t first = i ? list.ends[i - 1] : 0;
        if (play_line(v, list.moves + first, list.ends[i] - first)) {
            int length = win_length(v, true, most);
            if (length > longest) {
                longest = length;
                best = i;
            }
        }
        undo_line(v, from);
    }
    bool played = false;
    if (best < list.count) {
        size_t first = best ? list.ends[best - 1] : 0;
        played = play_line(v, list.moves + first, list.ends[best] - first);
    }
    free(list.moves);
    free(list.ends);
    return played;
}

/* The win against the longest defence, as far as it could be found again. */
static void find_line(mate_solver *v)
{
    v->line_count = 0;
    for (int left = v->turns; left > 0;) {
        const ply_move *moves;
        int length = win_length(v, true, left);
        size_t count = length > 0 ? find_turn(v, true, length, &moves) : 0;
        if (count == 0 || !play_line(v, moves, count))
            break;
        left = length - 1;
        if (left == 0 || !play_longest_answer(v, left))
            break;
    }
    size_t count = v->line_count;
    undo_line(v, 0);
    v->line_count = count;
}

/* --- running --------------------------------------------------------------------------------- */
static ply_status solver_run(void *self, const void *position, const ply_solve_limits *limits,
                             ply_solve_control *control, ply_solve_report *report)
{
    mate_solver *v = self;
    mate_search *s = &v->search;
    ply_status status = set_position(v, position);
    if (status != PLY_OK)
        return status;
    v->attacker = v->position.side;
    v->status = PLY_OK;
    v->line_count = 0;
    fived_mate_map_free(&v->plan);
    fived_mate_search_clear(s);
    s->control = control;
    solve(v, limits, report);
    if (s->status != PLY_OK)
        return s->status;
    report->verdict = v->verdict;
    if (v->verdict == PLY_VERDICT_UNKNOWN) {
        report->stop_reason = s->why;
    } else if (v->verdict == PLY_VERDICT_WIN) {
        report->length = (uint32_t)v->turns;
        /* The run may have been stopped while shortening; the line has a limit of its own. */
        uint64_t nodes = s->nodes;
        s->control = NULL;
        s->stopped = false;
        s->nodes_most = nodes + LINE_NODES;
        find_line(v);
        s->nodes = nodes;
        s->nodes_most = 0;
        s->spent = false;
        report->pv = v->line;
        report->pv_length = v->line_count;
    }
    s->control = NULL;
    s->stopped = false;
    report->nodes = s->nodes;
    report->memory_bytes = fived_mate_search_bytes(s);
    return v->status;
}

/* --- proofs ---------------------------------------------------------------------------------- */
/* Notes a turn from the position in place. */
static bool note_turn(mate_solver *v, const ply_move *moves, size_t count)
{
    bool noted = true;
    size_t from = v->line_count, played = 0;
    ply_move *own = malloc(count * sizeof *own);
    if (!own)
        return false;
    memcpy(own, moves, count * sizeof *own);
    for (; played < count && noted; played++)
        noted =
            fived_mate_map_add(&v->plan, fived_hash(v->rules, &v->position), own[played]) >= 0 &&
            play_line(v, own + played, 1);
    undo_line(v, from);
    free(own);
    return noted;
}

static ply_move answer(void *context, const void *position)
{
    mate_solver *v = context;
    uint64_t move;
    uint64_t key = fived_hash(v->rules, position);
    if (fived_mate_map_get(&v->plan, key, &move))
        return move;
    bool attacks = v->verdict == PLY_VERDICT_WIN;
    if (fived_mate_map_bytes(&v->plan) > v->proof_bytes / 2 || set_position(v, position) != PLY_OK)
        return PLY_MOVE_NONE;
    int turns = attacks ? win_length(v, true, MATE_TURNS) : MATE_TURNS;
    const ply_move *moves;
    size_t count = turns > 0 ? find_turn(v, attacks, turns, &moves) : 0;
    if (count == 0 || !note_turn(v, moves, count) || !fived_mate_map_get(&v->plan, key, &move))
        return PLY_MOVE_NONE;
    return move;
}

static ply_status solver_prove(void *self, const ply_proof_claim *claim, ply_proof_writer *writer,
                               uint32_t *plies)
{
    mate_solver *v = self;
    v->line_count = 0;
    fived_mate_map_free(&v->plan);
    ply_proof_strategy strategy = {.move = answer, .context = v};
    return ply_proof_write_strategy(writer, claim, &strategy, v->proof_bytes / 2, plies);
}

const ply_solver_kind fived_mate_solver = {
    .open = solver_open, .close = solver_close, .run = solver_run, .prove = solver_prove};
