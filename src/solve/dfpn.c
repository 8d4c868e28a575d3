/* SPDX-License-Identifier: MIT */
/*
 * dfpn.c - the general solver behind ply_solver_kind: runs, shortening, lines, proofs.
 */
#include "solve/dfpn.h"
#include "core/hash.h"
#include "solve/checkpoint.h"
#include "solve/dfpn_threads.h"
#include "solve/packed_counts.h"
#include <stdlib.h>
#include <string.h>

static bool make_member(dfpn *d, const ply_rules *rules, const ply_goal *goal)
{
    d->rules = rules;
    d->goal = goal;
    d->position = calloc(1, rules->position_bytes);
    d->undo_stack = malloc((DFPN_DEPTH + 2) * (rules->undo_bytes + 1));
    d->moves = malloc((rules->max_moves + 1) * sizeof *d->moves);
    if (!goal->delay)
        return d->position && d->undo_stack && d->moves;
    d->model = calloc(1, rules->position_bytes);
    d->model_undo_stack = malloc((DFPN_DEPTH + 2) * (rules->undo_bytes + 1));
    return d->position && d->undo_stack && d->moves && d->model && d->model_undo_stack;
}

dfpn *ply_dfpn_member_new(const dfpn *first)
{
    dfpn *d = calloc(1, sizeof *d);
    if (d && !make_member(d, first->rules, first->goal)) {
        ply_dfpn_member_free(d);
        return NULL;
    }
    if (d)
        d->table = first->table;
    return d;
}

void ply_dfpn_member_free(dfpn *d)
{
    if (!d)
        return;
    if (d->has_position)
        ply_game_clear(d->rules, d->position);
    free(d->position);
    free(d->undo_stack);
    free(d->model);
    free(d->model_undo_stack);
    free(d->children);
    free(d->moves);
    free(d->line);
    free(d);
}

static void dfpn_close(void *self)
{
    dfpn *d = self;
    ply_dfpn_threads_free(d->team);
    ply_dfpn_table_free(&d->own_table);
    ply_dfpn_member_free(d);
}

static void *dfpn_open(const ply_rules *rules, const ply_goal *goal,
                       const ply_solve_options *options)
{
    dfpn *d = calloc(1, sizeof *d);
    if (!d)
        return NULL;
    d->options = *options;
    d->table = &d->own_table;
    bool alone = options->threads <= 1;
    size_t member = sizeof *d + 2 * (DFPN_DEPTH + 2) * (rules->undo_bytes + 1);
    size_t fixed = member * options->threads + ((size_t)8 << 20);
    size_t bytes = options->memory_mb << 20;
    if (!make_member(d, rules, goal) ||
        !ply_dfpn_table_init(d->table, bytes > fixed ? (bytes - fixed) / 8 * 7 : 0, !alone) ||
        (!alone && !ply_dfpn_threads_new(d, options->threads))) {
        dfpn_close(d);
        return NULL;
    }
    return d;
}

/* --- after a win: what to play --------------------------------------------------------------- */
/* Lists the position's moves into memory of the caller's. */
static ply_move *own_list(dfpn *d, size_t *count)
{
    *count = ply_dfpn_list(d);
    ply_move *list = malloc((*count + 1) * sizeof *list);
    if (list)
        memcpy(list, d->moves, *count * sizeof *list);
    return list;
}

static bool is_decided(const dfpn *d)
{
    return d->goal->value && d->goal->value(d->rules, d->position, d->attacker) != PLY_GOAL_OPEN;
}

/* Whether the win is complete in the position in play. */
static bool is_complete(dfpn *d)
{
    uint64_t bound;
    if (d->goal->value && d->goal->value(d->rules, d->position, d->attacker) == PLY_GOAL_REACHED)
        return true;
    return !ply_dfpn_attacker_moves(d) && !is_decided(d) &&
           ply_dfpn_is_over(d, ply_game_count_moves(d->rules, d->position), 0, &bound);
}

/* The length of a win from the position in play, searched for again if it was thrown out. */
static uint16_t win_length(dfpn *d, uint32_t depth, uint16_t most)
{
    uint16_t known = ply_dfpn_known_win(d);
    if (known <= most)
        return known;
    if (is_decided(d))
        return 0;
    dfpn_result r = ply_dfpn_decide(d, depth, most, UINT64_MAX);
    return r.proof == 0 ? r.plies : PLIES_NONE;
}

/*
 * The attacker's move in a won position, with all that follows won in at most `most` - 1 plies;
 * *left is the length that remains. PLY_MOVE_NONE when it cannot be found again.
 */
static ply_move winning_move(dfpn *d, uint32_t depth, uint16_t most, uint16_t *left)
{
    ply_move best = PLY_MOVE_NONE;
    *left = PLIES_NONE;
    if (most == 1 && d->goal->at_once)
        best = d->goal->at_once(d->rules, d->position);
    if (best != PLY_MOVE_NONE) {
        *left = 0;
        return best;
    }
    size_t count;
    ply_move *list = own_list(d, &count);
    /* First what the table knows; what ends the win at once may not be in it. */
    for (int pass = 0; pass < 2 && *left >= most; pass++)
        for (size_t i = 0; list && i < count && !d->stopping && *left > 0; i++) {
            if (!ply_dfpn_play(d, depth, list[i]))
                break;
            uint16_t known = ply_dfpn_known_win(d);
            /* With futile answers left, more may be over than the table knows; see win_strategy. */
            if ((pass ? known == PLIES_NONE : d->counted && known > 0) && is_complete(d))
                known = 0;
            ply_dfpn_undo(d, depth, list[i]);
            if (known < *left) {
                *left = known;
                best = list[i];
            }
        }
    /* Thrown out of the table: one of the moves wins in the length that is left. A little is
     * searched for each, then more. */
    bool open = list != NULL;
    for (uint64_t nodes = 64; open && !d->stopping && *left >= most; nodes *= 4) {
        open = false;
        for (size_t i = 0; i < count && !d->stopping && *left >= most; i++) {
            if (!ply_dfpn_play(d, depth, list[i]))
                break;
            dfpn_result r = ply_dfpn_decide(d, depth + 1, (uint16_t)(most - 1), nodes);
            ply_dfpn_undo(d, depth, list[i]);
            open |= r.disproof != 0;
            if (r.proof == 0) {
                *left = r.plies;
                best = list[i];
            }
        }
    }
    free(list);
    return best;
}

/* The defender's move that holds out longest, by what is known. */
static ply_move longest_defence(dfpn *d, uint32_t depth, uint16_t most, uint16_t *left)
{
    size_t count;
    ply_move *list = own_list(d, &count), best = PLY_MOVE_NONE;
    *left = 0;
    for (size_t i = 0; list && i < count && !d->stopping; i++) {
        if (!ply_dfpn_play(d, depth, list[i]))
            break;
        uint16_t length = win_length(d, depth + 1, (uint16_t)(most - 1));
        ply_dfpn_undo(d, depth, list[i]);
        if (best == PLY_MOVE_NONE || length > *left) {
            *left = length;
            best = list[i];
        }
    }
    free(list);
    return best;
}

/* Fills in the line of a win in at most `most` plies. */
static size_t make_line(dfpn *d, uint16_t most)
{
    size_t length = 0;
    uint16_t left = most;
    while (length < DFPN_DEPTH - 2 && !is_decided(d) && !is_complete(d) && !d->stopping) {
        uint32_t depth = DFPN_ROOT + (uint32_t)length;
        if (length == d->line_capacity) {
            size_t capacity = 2 * d->line_capacity + 64;
            ply_move *grown = realloc(d->line, capacity * sizeof *grown);
            if (!grown)
                break;
            d->line = grown;
            d->line_capacity = capacity;
        }
        uint16_t next;
        ply_move move = ply_dfpn_attacker_moves(d) ? winning_move(d, depth, left, &next)
                                                   : longest_defence(d, depth, left, &next);
        if (move == PLY_MOVE_NONE || !ply_dfpn_play(d, depth, move))
            break;
        d->line[length++] = move;
        left = next;
    }
    for (size_t i = length; i-- > 0;)
        ply_dfpn_undo(d, DFPN_ROOT + (uint32_t)i, d->line[i]);
    return length;
}

/* --- runs ----------------------------------------------------------------------------------- */
static ply_status prove(dfpn *d, const ply_proof_claim *claim, ply_proof_writer *writer,
                        atomic_bool *stop, uint32_t *plies);

static bool sink_nowhere(void *context, const void *bytes, size_t count)
{
    (void)context, (void)bytes, (void)count;
    return true;
}

/*
 * The length of the win found with every ply, by way of its proof; 0: the proof is too large, or
 * somebody asked to stop.
 */
static uint32_t every_ply(dfpn *d, const void *position)
{
    ply_proof_claim claim = {.rules = d->rules,
                             .goal = d->goal,
                             .position = position,
                             .attacker = d->attacker,
                             .verdict = PLY_VERDICT_WIN};
    ply_proof_writer *writer = ply_proof_writer_new(&claim, sink_nowhere, NULL);
    uint32_t plies = 0;
    if (!writer)
        return 0;
    ply_status status = prove(d, &claim, writer, d->control->stop, &plies);
    return ply_proof_finish(writer, plies) == PLY_OK && status == PLY_OK ? plies : 0;
}

static dfpn_result decide(dfpn *d, uint16_t plies)
{
    return d->team ? ply_dfpn_threads_decide(d->team, plies)
                   : ply_dfpn_decide(d, DFPN_ROOT, plies, UINT64_MAX);
}

static void shorten(dfpn *d, ply_solve_report *report)
{
    report->shortest = false;
    while (!d->stopping) {
        if (d->won_in < 2) {
            report->shortest = true;
            break;
        }
        dfpn_result r = decide(d, (uint16_t)(d->won_in - 1));
        if (r.proof == 0 && r.plies < d->won_in) {
            d->won_in = r.plies;
            d->now.plies = d->won_in;
        } else {
            report->shortest = r.disproof == 0 && r.leans == LEANS_NONE;
            break;
        }
    }
}

/* Puts a position into play; false: no memory. */
static bool put_in_play(dfpn *d, const void *position)
{
    if (d->has_position)
        ply_game_clear(d->rules, d->position);
    d->has_position = ply_game_copy(d->rules, d->position, position) == PLY_OK;
    return d->has_position;
}

/* The same with one that is to be solved; false: no memory. */
static bool take_up(dfpn *d, const void *position, const ply_solve_limits *limits)
{
    uint64_t amounts;
    if (!put_in_play(d, position))
        return false;
    d->attacker = d->rules->game->side(d->rules, position);
    d->counted = limits->counted && d->goal->is_over;
    d->mirrored = false;
    d->mirrored = d->goal->mirrored &&
                  d->goal->mirrored(d->rules, d->position) == ply_dfpn_split(d, &amounts);
    return true;
}

/* What tells a problem from others; 0 is none. */
static uint64_t problem_sum(const dfpn *d)
{
    uint64_t amounts, key = ply_dfpn_split(d, &amounts);
    return ply_mix64(key ^ ply_mix64(amounts ^ (uint64_t)d->counted << 63 ^
                                     (uint64_t)d->attacker << 62 ^ (uint64_t)d->mirrored << 61)) |
           1;
}

static ply_status dfpn_run(void *self, const void *position, const ply_solve_limits *limits,
                           ply_solve_control *control, ply_solve_report *report)
{
    dfpn *d = self;
    if (!take_up(d, position, limits))
        return PLY_NO_MEMORY;
    uint64_t known = problem_sum(d);
    if (!(limits->resume && d->known == known) && !ply_dfpn_table_reset(d->table))
        return PLY_NO_MEMORY;
    d->known = known;
    d->nodes = 0;
    d->control = control;
    d->stopping = d->out_of_memory = false;
    d->met_over = false;
    d->now = (ply_solve_report){0};
    d->verdict = PLY_VERDICT_UNKNOWN;
    d->won_in = 0;
    if (d->team && ply_dfpn_threads_start(d->team) != PLY_OK)
        return PLY_NO_MEMORY;
    ply_goal_value value =
        d->goal->value ? d->goal->value(d->rules, d->position, d->attacker) : PLY_GOAL_OPEN;
    if (value != PLY_GOAL_OPEN) {
        d->verdict = value == PLY_GOAL_REACHED ? PLY_VERDICT_WIN : PLY_VERDICT_NO;
        report->shortest = value == PLY_GOAL_REACHED;
    } else {
        dfpn_result r = decide(d, PLIES_ANY);
        if (r.proof == 0) {
            d->verdict = d->now.verdict = PLY_VERDICT_WIN;
            d->won_in = d->now.plies = r.plies;
            if (limits->shortest)
                shorten(d, report);
        } else if (r.disproof == 0 && r.leans == LEANS_NONE) {
            d->verdict = PLY_VERDICT_NO;
        } else {
            report->why = d->out_of_memory ? "memory" : d->stopping ? NULL : "depth";
            report->proof = r.proof;
            report->disproof = r.disproof;
        }
    }
    report->verdict = d->verdict;
    report->plies = report->counted = d->won_in;
    if (d->verdict == PLY_VERDICT_WIN) {
        /* The answer stands; finding the line again may take a little longer than the limit. */
        bool stopped = d->stopping;
        d->stopping = false;
        report->pv_length = make_line(d, (uint16_t)d->won_in);
        report->pv = d->line;
        if (d->met_over)
            report->plies = every_ply(d, position);
        d->stopping = stopped;
    }
    report->nodes = ply_dfpn_threads_nodes(d);
    report->memory_bytes = ply_dfpn_table_bytes(d->table) + d->child_capacity * sizeof(dfpn_child);
    return PLY_OK;
}

/* --- proofs --------------------------------------------------------------------------------- */

/*
 * Where futile answers do not count, the win behind a position that is_complete still has to be
 * played. It ends: the attacker has a move to another such position each time, and takes it, while
 * the defender has less to answer with. A length is asked for because what is searched again,
 * having been thrown out, could be won by a longer way that leads back.
 */
static ply_move win_strategy(void *context, const void *position, uint32_t *within)
{
    dfpn *d = context;
    if (atomic_load_explicit(d->control->stop, memory_order_relaxed))
        return PLY_MOVE_NONE;
    if (!put_in_play(d, position))
        return PLY_MOVE_NONE;
    uint16_t most = *within && *within < PLIES_ANY ? (uint16_t)*within : PLIES_ANY;
    uint16_t left, known = win_length(d, DFPN_ROOT, most);
    if (known == PLIES_NONE)
        return PLY_MOVE_NONE;
    ply_move move = winning_move(d, DFPN_ROOT, known, &left);
    *within = left + 1u;
    return move;
}

/* Whether the position in play is no win, by what is known or by a search of some nodes. */
static bool is_no(dfpn *d, uint32_t depth, uint64_t nodes)
{
    uint64_t amounts, key = ply_dfpn_split(d, &amounts);
    dfpn_found found;
    if (is_decided(d))
        return d->goal->value(d->rules, d->position, d->attacker) == PLY_GOAL_MISSED;
    ply_dfpn_table_look(d->table, key, amounts, PLIES_ANY, &found);
    if (found.proof == NUMBER_INF || found.disproof == NUMBER_INF || nodes == 0)
        return found.proof == NUMBER_INF;
    dfpn_result r = ply_dfpn_decide(d, depth, PLIES_ANY, nodes);
    return r.disproof == 0 && r.leans == LEANS_NONE;
}

/*
 * The defender's move in a position that is no win. That such a position is none is known here even
 * where the search knew it only of a larger circle around it, so it is stored. Which of the moves
 * keeps it so may have to be searched for: a little for each, then more.
 */
static ply_move no_strategy(void *context, const void *position)
{
    dfpn *d = context;
    if (!put_in_play(d, position))
        return PLY_MOVE_NONE;
    uint64_t amounts, key = ply_dfpn_split(d, &amounts);
    ply_dfpn_table_store_none(d->table, key, amounts, PLIES_ANY, DFPN_ROOT, 1);
    size_t count;
    ply_move *list = own_list(d, &count), best = PLY_MOVE_NONE;
    for (uint64_t nodes = 0;
         best == PLY_MOVE_NONE && d->nodes < d->prove_until && nodes < d->prove_until;
         nodes = nodes ? 4 * nodes : 64)
        for (size_t i = 0; list && i < count && best == PLY_MOVE_NONE; i++) {
            if (!ply_dfpn_play(d, DFPN_ROOT, list[i]))
                break;
            if (is_no(d, DFPN_ROOT + 1, nodes))
                best = list[i];
            ply_dfpn_undo(d, DFPN_ROOT, list[i]);
        }
    free(list);
    return best;
}

static ply_status prove(dfpn *d, const ply_proof_claim *claim, ply_proof_writer *writer,
                        atomic_bool *stop, uint32_t *plies)
{
    ply_solve_control control;
    ply_solve_control_start(&control, NULL, NULL, NULL, stop);
    d->control = &control;
    d->stopping = false;
    d->prove_until = 64 * d->nodes + (1 << 20);
    /* An eighth of the memory was kept for this. */
    size_t left = (d->options.memory_mb << 20) / 8;
    ply_proof_strategy strategy = {.move = no_strategy, .move_within = win_strategy, .context = d};
    ply_status status = ply_proof_write_strategy(writer, claim, &strategy, left, plies);
    d->control = NULL;
    return status;
}

static ply_status dfpn_prove(void *self, const ply_proof_claim *claim, ply_proof_writer *writer,
                             uint32_t *plies)
{
    atomic_bool never = false;
    return prove(self, claim, writer, &never, plies);
}

/* --- keeping --------------------------------------------------------------------------------- */
/* The problem in play; its text is the caller's to free. */
static checkpoint_problem name_problem(const dfpn *d, bool counted, ply_text *text)
{
    checkpoint_problem problem;
    ply_text_format(text, "%s\n", d->rules->game->id);
    ply_rules_format(d->rules, text);
    ply_text_format(text, "\n%s\n%s\n", d->goal->id, counted ? "composed" : "plain");
    d->rules->game->format(d->rules, d->position, text);
    problem.text = ply_text_cstr(text);
    problem.text_bytes = text->length;
    problem.key = ply_dfpn_split(d, &problem.amounts);
    return problem;
}

static ply_status dfpn_keep(void *self, const void *position, ply_proof_sink *sink, void *context)
{
    dfpn *d = self;
    if (!put_in_play(d, position))
        return PLY_NO_MEMORY;
    ply_text text = ply_text_growing();
    checkpoint_problem problem = name_problem(d, d->counted, &text);
    ply_status status = ply_text_complete(&text)
                            ? ply_checkpoint_write(d->table, &problem, sink, context)
                            : PLY_NO_MEMORY;
    ply_text_free(&text);
    return status;
}

static ply_status dfpn_recall(void *self, const void *position, const ply_solve_limits *limits,
                              const ply_proof_source *source, ply_error *error)
{
    dfpn *d = self;
    d->known = 0;
    if (!take_up(d, position, limits) || !ply_dfpn_table_reset(d->table))
        return ply_error_set(error, PLY_NO_MEMORY, "out of memory");
    ply_text text = ply_text_growing(), plain_text = ply_text_growing();
    checkpoint_problem problem = name_problem(d, d->counted, &text);
    checkpoint_problem plain = name_problem(d, false, &plain_text);
    ply_status status = ply_text_complete(&text) && ply_text_complete(&plain_text)
                            ? ply_checkpoint_read(d->table, &problem, &plain, source, error)
                            : ply_error_set(error, PLY_NO_MEMORY, "out of memory");
    ply_text_free(&text);
    ply_text_free(&plain_text);
    if (status == PLY_OK)
        d->known = problem_sum(d);
    return status;
}

const ply_solver_kind ply_dfpn_kind = {.open = dfpn_open,
                                       .close = dfpn_close,
                                       .run = dfpn_run,
                                       .prove = dfpn_prove,
                                       .keep = dfpn_keep,
                                       .recall = dfpn_recall};
