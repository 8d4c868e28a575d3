/* SPDX-License-Identifier: MIT */
/*
 * dfpn.c - the general solver as a ply_solver_kind: runs, shortest wins, principal variations,
 * proofs and checkpoints.
 */
#include "solve/dfpn.h"
#include "core/hash.h"
#include "solve/checkpoint.h"
#include "solve/dfpn_threads.h"
#include "solve/resources.h"
#include <stdlib.h>
#include <string.h>

enum {
    RESERVED_BYTES = 8 << 20, /* memory for everything but the tables */
    RETRY_NODES = 64,         /* the first limit when a result is searched for again */
    PROOF_EFFORT = 64,        /* a proof may take this many times the nodes of the run */
};

static bool allocate(dfpn *d, const ply_rules *rules, const ply_goal *goal)
{
    d->rules = rules;
    d->goal = goal;
    d->position = calloc(1, rules->position_bytes);
    d->undo_stack = malloc((DFPN_DEPTH + 2) * (rules->undo_bytes + 1));
    d->moves = malloc((rules->max_moves + 1) * sizeof *d->moves);
    if (!goal->delay_group)
        return d->position && d->undo_stack && d->moves;
    d->model = calloc(1, rules->position_bytes);
    d->model_undo_stack = malloc((DFPN_DEPTH + 2) * (rules->undo_bytes + 1));
    return d->position && d->undo_stack && d->moves && d->model && d->model_undo_stack;
}

dfpn *ply_dfpn_new(const dfpn *first)
{
    dfpn *d = calloc(1, sizeof *d);
    if (d && !allocate(d, first->rules, first->goal)) {
        ply_dfpn_free(d);
        return NULL;
    }
    if (d)
        d->table = first->table;
    return d;
}

void ply_dfpn_free(dfpn *d)
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
    free(d->pv);
    free(d);
}

static void dfpn_close(void *self)
{
    dfpn *d = self;
    ply_dfpn_threads_free(d->threads);
    ply_dfpn_table_free(&d->own_table);
    ply_dfpn_free(d);
}

static void *dfpn_open(const ply_rules *rules, const ply_goal *goal,
                       const ply_solve_options *options)
{
    dfpn *d = calloc(1, sizeof *d);
    if (!d)
        return NULL;
    d->options = *options;
    d->table = &d->own_table;
    bool shared = options->threads > 1;
    size_t thread_bytes = sizeof *d + 2 * (DFPN_DEPTH + 2) * (rules->undo_bytes + 1);
    size_t fixed = thread_bytes * options->threads + RESERVED_BYTES;
    size_t bytes = options->memory_mb << 20;
    if (!allocate(d, rules, goal) ||
        !ply_dfpn_table_init(d->table, bytes > fixed ? (bytes - fixed) / 8 * 7 : 0, shared) ||
        (shared && !ply_dfpn_threads_new(d, options->threads))) {
        dfpn_close(d);
        return NULL;
    }
    return d;
}

/* --- the moves of a win --------------------------------------------------------------------- */
/* Lists the moves of the position; the caller frees the list. NULL when out of memory. */
static ply_move *copy_moves(dfpn *d, size_t *count)
{
    *count = ply_dfpn_list_moves(d);
    ply_move *list = malloc((*count + 1) * sizeof *list);
    if (list)
        memcpy(list, d->moves, *count * sizeof *list);
    return list;
}

static bool is_decided(const dfpn *d)
{
    return d->goal->value && d->goal->value(d->rules, d->position, d->attacker) != PLY_GOAL_OPEN;
}

/* Whether the win is complete in the position. */
static bool win_is_complete(dfpn *d)
{
    uint64_t bound;
    if (d->goal->value && d->goal->value(d->rules, d->position, d->attacker) == PLY_GOAL_REACHED)
        return true;
    return !ply_dfpn_attacker_to_move(d) && !is_decided(d) &&
           ply_dfpn_win_is_complete(d, ply_game_count_moves(d->rules, d->position), 0, &bound);
}

/* The length of a win from the position, of at most `most` plies; searched for again if its entry
 * was evicted. PLIES_NONE: not found. */
static uint16_t win_length(dfpn *d, uint32_t depth, uint16_t most)
{
    uint16_t known = ply_dfpn_known_win(d);
    if (known <= most)
        return known;
    if (is_decided(d))
        return 0;
    dfpn_result r = ply_dfpn_solve(d, depth, most, UINT64_MAX);
    return r.proof == 0 ? r.plies : PLIES_NONE;
}

/* A list of moves and the best of them so far. */
typedef struct move_choice {
    ply_move *moves;
    size_t count;
    ply_move best; /* PLY_MOVE_NONE: none yet */
    uint16_t left; /* the length of the win after it */
} move_choice;

/*
 * Chooses the move that leads to the shortest win known to the table. A second pass looks for moves
 * after which the win is complete, as these positions need not be in the table.
 */
static void choose_known_win(dfpn *d, uint32_t depth, uint16_t most, move_choice *choice)
{
    for (int pass = 0; pass < 2 && choice->left >= most; pass++)
        for (size_t i = 0; i < choice->count && !d->stopping && choice->left > 0; i++) {
            ply_move move = choice->moves[i];
            if (!ply_dfpn_play(d, depth, move))
                break;
            uint16_t known = ply_dfpn_known_win(d);
            /* With ignore_futile a win may be complete earlier than the table says. */
            bool look = pass ? known == PLIES_NONE : d->ignore_futile && known > 0;
            if (look && win_is_complete(d))
                known = 0;
            ply_dfpn_undo(d, depth, move);
            if (known < choice->left) {
                choice->left = known;
                choice->best = move;
            }
        }
}

/*
 * Searches for a move that wins in at most `most` plies, its entry having been evicted. Every move
 * is searched a little, then four times as much, and so on.
 */
static void choose_by_search(dfpn *d, uint32_t depth, uint16_t most, move_choice *choice)
{
    bool open = true;
    for (uint64_t nodes = RETRY_NODES; open && !d->stopping && choice->left >= most; nodes *= 4) {
        open = false;
        for (size_t i = 0; i < choice->count && !d->stopping && choice->left >= most; i++) {
            ply_move move = choice->moves[i];
            if (!ply_dfpn_play(d, depth, move))
                break;
            dfpn_result r = ply_dfpn_solve(d, depth + 1, (uint16_t)(most - 1), nodes);
            ply_dfpn_undo(d, depth, move);
            open |= r.disproof != 0;
            if (r.proof == 0) {
                choice->left = r.plies;
                choice->best = move;
            }
        }
    }
}

/*
 * The attacker's move in a position that is won in at most `most` plies; *left is the length that
 * remains after it. PLY_MOVE_NONE when it cannot be found again.
 */
static ply_move winning_move(dfpn *d, uint32_t depth, uint16_t most, uint16_t *left)
{
    move_choice choice = {.left = PLIES_NONE};
    if (most == 1 && d->goal->immediate_win)
        choice.best = d->goal->immediate_win(d->rules, d->position);
    if (choice.best != PLY_MOVE_NONE) {
        *left = 0;
        return choice.best;
    }
    choice.moves = copy_moves(d, &choice.count);
    if (choice.moves) {
        choose_known_win(d, depth, most, &choice);
        choose_by_search(d, depth, most, &choice);
    }
    free(choice.moves);
    *left = choice.left;
    return choice.best;
}

/* The defence that holds out longest, as far as is known; *left is the length that remains. */
static ply_move longest_defence(dfpn *d, uint32_t depth, uint16_t most, uint16_t *left)
{
    size_t count;
    ply_move *list = copy_moves(d, &count), best = PLY_MOVE_NONE;
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

/* Fills in the principal variation of a win in at most `most` plies; returns its length. */
static size_t make_pv(dfpn *d, uint16_t most)
{
    size_t length = 0;
    uint16_t left = most;
    while (length < DFPN_DEPTH - 2 && !is_decided(d) && !win_is_complete(d) && !d->stopping) {
        uint32_t depth = DFPN_ROOT + (uint32_t)length;
        if (length == d->pv_capacity) {
            size_t capacity = 2 * d->pv_capacity + 64;
            ply_move *grown = realloc(d->pv, capacity * sizeof *grown);
            if (!grown)
                break;
            d->pv = grown;
            d->pv_capacity = capacity;
        }
        uint16_t next;
        ply_move move = ply_dfpn_attacker_to_move(d) ? winning_move(d, depth, left, &next)
                                                     : longest_defence(d, depth, left, &next);
        if (move == PLY_MOVE_NONE || !ply_dfpn_play(d, depth, move))
            break;
        d->pv[length++] = move;
        left = next;
    }
    for (size_t i = length; i-- > 0;)
        ply_dfpn_undo(d, DFPN_ROOT + (uint32_t)i, d->pv[i]);
    return length;
}

/* --- runs ----------------------------------------------------------------------------------- */
static ply_status prove(dfpn *d, const ply_proof_claim *claim, ply_proof_writer *writer,
                        atomic_bool *stop, uint32_t *plies);

/* Discards a proof of which only the length is wanted. */
static bool null_sink(void *context, const void *bytes, size_t count)
{
    (void)context, (void)bytes, (void)count;
    return true;
}

/*
 * The length of the win with futile defences counted, measured by writing its proof. 0 when the
 * proof is too large or the run was stopped.
 */
static uint32_t measure_plies(dfpn *d, const void *position)
{
    ply_proof_claim claim = {.rules = d->rules,
                             .goal = d->goal,
                             .position = position,
                             .attacker = d->attacker,
                             .verdict = PLY_VERDICT_WIN};
    ply_proof_writer *writer = ply_proof_writer_new(&claim, null_sink, NULL);
    uint32_t plies = 0;
    if (!writer)
        return 0;
    ply_status status = prove(d, &claim, writer, d->control->stop, &plies);
    return ply_proof_finish(writer, plies) == PLY_OK && status == PLY_OK ? plies : 0;
}

static dfpn_result solve_root(dfpn *d, uint16_t plies)
{
    return d->threads ? ply_dfpn_threads_solve(d->threads, plies)
                      : ply_dfpn_solve(d, DFPN_ROOT, plies, UINT64_MAX);
}

/* Looks for shorter wins until there are none, or a limit is reached. */
static void shorten_win(dfpn *d, ply_solve_report *report)
{
    report->shortest = false;
    while (!d->stopping) {
        if (d->won_in < 2) {
            report->shortest = true;
            break;
        }
        dfpn_result r = solve_root(d, (uint16_t)(d->won_in - 1));
        if (r.proof == 0 && r.plies < d->won_in) {
            d->won_in = r.plies;
            d->progress.plies = d->won_in;
        } else {
            report->shortest = r.disproof == 0 && r.dependency == NO_DEPENDENCY;
            break;
        }
    }
}

/* Sets the position; false when out of memory. */
static bool set_position(dfpn *d, const void *position)
{
    if (d->has_position)
        ply_game_clear(d->rules, d->position);
    d->has_position = ply_game_copy(d->rules, d->position, position) == PLY_OK;
    return d->has_position;
}

/* Sets the position to be solved and what depends on it; false when out of memory. */
static bool set_problem(dfpn *d, const void *position, const ply_solve_limits *limits)
{
    uint64_t resources;
    if (!set_position(d, position))
        return false;
    d->attacker = d->rules->game->side(d->rules, position);
    d->ignore_futile = limits->ignore_futile && d->goal->only_futile_defences;
    d->symmetric = false;
    d->symmetric = d->goal->mirror_key &&
                   d->goal->mirror_key(d->rules, d->position) == ply_dfpn_key(d, &resources);
    return true;
}

/* A hash that identifies the problem; never 0. */
static uint64_t hash_problem(const dfpn *d)
{
    uint64_t resources, key = ply_dfpn_key(d, &resources);
    uint64_t kind = (uint64_t)(d->ignore_futile ? 4 : 0) + (uint64_t)(d->attacker ? 2 : 0) +
                    (uint64_t)(d->symmetric ? 1 : 0);
    return ply_mix64(key ^ ply_mix64(resources ^ kind << 61)) | 1;
}

/* Solves the problem and, if asked to, looks for the shortest win. */
static void find_verdict(dfpn *d, const ply_solve_limits *limits, ply_solve_report *report)
{
    ply_goal_value value =
        d->goal->value ? d->goal->value(d->rules, d->position, d->attacker) : PLY_GOAL_OPEN;
    if (value != PLY_GOAL_OPEN) {
        d->verdict = value == PLY_GOAL_REACHED ? PLY_VERDICT_WIN : PLY_VERDICT_NO;
        report->shortest = value == PLY_GOAL_REACHED;
        return;
    }
    dfpn_result r = solve_root(d, PLIES_ANY);
    if (r.proof == 0) {
        d->verdict = d->progress.verdict = PLY_VERDICT_WIN;
        d->won_in = d->progress.plies = r.plies;
        if (limits->shortest)
            shorten_win(d, report);
    } else if (r.disproof == 0 && r.dependency == NO_DEPENDENCY) {
        d->verdict = PLY_VERDICT_NO;
    } else {
        report->stop_reason = d->out_of_memory ? "memory" : d->stopping ? NULL : "depth";
        report->proof = r.proof;
        report->disproof = r.disproof;
    }
}

static ply_status dfpn_run(void *self, const void *position, const ply_solve_limits *limits,
                           ply_solve_control *control, ply_solve_report *report)
{
    dfpn *d = self;
    if (!set_problem(d, position, limits))
        return PLY_NO_MEMORY;
    uint64_t id = hash_problem(d);
    if (!(limits->resume && d->problem_id == id) && !ply_dfpn_table_reset(d->table))
        return PLY_NO_MEMORY;
    d->problem_id = id;
    d->nodes = 0;
    d->control = control;
    d->stopping = d->out_of_memory = d->met_futile = false;
    d->progress = (ply_solve_report){0};
    d->verdict = PLY_VERDICT_UNKNOWN;
    d->won_in = 0;
    if (d->threads && ply_dfpn_threads_start(d->threads) != PLY_OK)
        return PLY_NO_MEMORY;
    find_verdict(d, limits, report);
    report->verdict = d->verdict;
    report->plies = report->length = d->won_in;
    if (d->verdict == PLY_VERDICT_WIN) {
        /* The verdict is final. Finding the moves again may take a little longer than the limit. */
        bool stopped = d->stopping;
        d->stopping = false;
        report->pv_length = make_pv(d, (uint16_t)d->won_in);
        report->pv = d->pv;
        if (d->met_futile)
            report->plies = measure_plies(d, position);
        d->stopping = stopped;
    }
    report->nodes = ply_dfpn_threads_nodes(d);
    report->memory_bytes = ply_dfpn_table_bytes(d->table) + d->child_capacity * sizeof(dfpn_child);
    return PLY_OK;
}

/* --- proofs --------------------------------------------------------------------------------- */
/*
 * The attacker's move in a win. With ignore_futile the proof must continue where the win counts as
 * complete. That ends: the attacker always has a move to another such position and plays it, while
 * the defender runs out of pieces to interpose. Bounding the length matters because a position
 * whose entry was evicted is searched again, and a longer win might lead back to an earlier
 * position.
 */
static ply_move win_strategy(void *context, const void *position, uint32_t *within)
{
    dfpn *d = context;
    if (atomic_load_explicit(d->control->stop, memory_order_relaxed))
        return PLY_MOVE_NONE;
    if (!set_position(d, position))
        return PLY_MOVE_NONE;
    uint16_t most = *within && *within < PLIES_ANY ? (uint16_t)*within : PLIES_ANY;
    uint16_t left, known = win_length(d, DFPN_ROOT, most);
    if (known == PLIES_NONE)
        return PLY_MOVE_NONE;
    ply_move move = winning_move(d, DFPN_ROOT, known, &left);
    *within = left + 1u;
    return move;
}

/* Whether the position is known not to be a win, or a search of that many nodes shows it. */
static bool is_no_win(dfpn *d, uint32_t depth, uint64_t nodes)
{
    uint64_t resources, key = ply_dfpn_key(d, &resources);
    dfpn_found found;
    if (is_decided(d))
        return d->goal->value(d->rules, d->position, d->attacker) == PLY_GOAL_MISSED;
    ply_dfpn_table_probe(d->table, key, resources, PLIES_ANY, &found);
    if (found.proof == NUMBER_INF || found.disproof == NUMBER_INF || nodes == 0)
        return found.proof == NUMBER_INF;
    dfpn_result r = ply_dfpn_solve(d, depth, PLIES_ANY, nodes);
    return r.disproof == 0 && r.dependency == NO_DEPENDENCY;
}

/*
 * The defender's move in a position that is not a win. The caller knows that it is not, even where
 * the search found so only for a larger cycle of positions, so this is stored first. Which move
 * preserves it may have to be searched for: every move a little, then a little more, and so on.
 */
static ply_move no_strategy(void *context, const void *position)
{
    dfpn *d = context;
    if (!set_position(d, position))
        return PLY_MOVE_NONE;
    uint64_t resources, key = ply_dfpn_key(d, &resources);
    ply_dfpn_table_store_no_win(d->table, key, resources, PLIES_ANY, DFPN_ROOT, 1);
    size_t count;
    ply_move *list = copy_moves(d, &count), best = PLY_MOVE_NONE;
    for (uint64_t nodes = 0;
         best == PLY_MOVE_NONE && d->nodes < d->proof_node_limit && nodes < d->proof_node_limit;
         nodes = nodes ? 4 * nodes : RETRY_NODES)
        for (size_t i = 0; list && i < count && best == PLY_MOVE_NONE; i++) {
            if (!ply_dfpn_play(d, DFPN_ROOT, list[i]))
                break;
            if (is_no_win(d, DFPN_ROOT + 1, nodes))
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
    /* cppcheck-suppress autoVariables */
    d->control = &control;
    d->stopping = false;
    d->proof_node_limit = PROOF_EFFORT * d->nodes + (1 << 20);
    /* An eighth of the memory was left for this. */
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

/* --- checkpoints ---------------------------------------------------------------------------- */
/* Describes the problem in *text, which the caller frees after use. */
static checkpoint_problem describe_problem(const dfpn *d, bool ignore_futile, ply_text *text)
{
    checkpoint_problem problem;
    ply_text_format(text, "%s\n", d->rules->game->id);
    ply_rules_format(d->rules, text);
    ply_text_format(text, "\n%s\n%s\n", d->goal->id, ignore_futile ? "composed" : "plain");
    d->rules->game->format(d->rules, d->position, text);
    problem.text = ply_text_cstr(text);
    problem.text_bytes = text->length;
    problem.key = ply_dfpn_key(d, &problem.resources);
    return problem;
}

static ply_status dfpn_save(void *self, const void *position, ply_proof_sink *sink, void *context)
{
    dfpn *d = self;
    if (!set_position(d, position))
        return PLY_NO_MEMORY;
    ply_text text = ply_text_growing();
    checkpoint_problem problem = describe_problem(d, d->ignore_futile, &text);
    ply_status status = ply_text_complete(&text)
                            ? ply_checkpoint_write(d->table, &problem, sink, context)
                            : PLY_NO_MEMORY;
    ply_text_free(&text);
    return status;
}

static ply_status dfpn_load(void *self, const void *position, const ply_solve_limits *limits,
                            const ply_proof_source *source, ply_error *error)
{
    dfpn *d = self;
    d->problem_id = 0;
    if (!set_problem(d, position, limits) || !ply_dfpn_table_reset(d->table))
        return ply_error_set(error, PLY_NO_MEMORY, "out of memory");
    ply_text text = ply_text_growing(), plain_text = ply_text_growing();
    checkpoint_problem problem = describe_problem(d, d->ignore_futile, &text);
    checkpoint_problem plain = describe_problem(d, false, &plain_text);
    ply_status status = ply_text_complete(&text) && ply_text_complete(&plain_text)
                            ? ply_checkpoint_read(d->table, &problem, &plain, source, error)
                            : ply_error_set(error, PLY_NO_MEMORY, "out of memory");
    ply_text_free(&text);
    ply_text_free(&plain_text);
    if (status == PLY_OK)
        d->problem_id = hash_problem(d);
    return status;
}

const ply_solver_kind ply_dfpn_kind = {.open = dfpn_open,
                                       .close = dfpn_close,
                                       .run = dfpn_run,
                                       .prove = dfpn_prove,
                                       .save = dfpn_save,
                                       .load = dfpn_load};
