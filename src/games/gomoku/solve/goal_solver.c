/* SPDX-License-Identifier: MIT */
/*
 * goal_solver.c - the solvers of the goals behind the general interface (plyverse/solve.h).
 *
 * Wins are searched by fours and threats (vcf.h, vct.h). On small boards a draw search
 * (draw_search.h) takes turns with the search for a win. Every win is replayed (verdict_replay.h)
 * before it is reported. For the shortest win the search is repeated with fewer plies until the
 * answer is no.
 */
#include "games/gomoku/solve/draw_proof.h"
#include "games/gomoku/solve/goals.h"
#include "games/gomoku/solve/vct_threads.h"
#include "games/gomoku/solve/verdict_replay.h"
#include <stdlib.h>
#include <string.h>

enum {
    MIN_BYTES = 1 << 20,
    MAX_THREADS = 256,
    /* Small boards: memory of the draw search, and the node limits of the first turns. */
    DRAW_TABLE_BYTES = 64 << 20,
    FIRST_WIN_NODES = 10000,
    FIRST_DRAW_NODES = 1 << 20,
    NODE_FACTOR = 4,  /* from one turn to the next */
    CLOSE_NODES = 64, /* of the draw search, for a branch of a proof */
};
#define NO_NODE_LIMIT ((uint64_t)1 << 62)

typedef struct solver {
    const ply_rules *rules;
    int goal;
    size_t bytes;
    gomoku_threat_board board;
    gomoku_threat_undo *undo;
    gomoku_vct_table table;
    gomoku_vct vct;
    gomoku_draw_search *draw; /* for goal `win` on small boards; otherwise NULL */
    ply_solve_control *control;
    ply_solve_report *report; /* of the current run */
    gomoku_position *root;
    int attacker;
    bool any_move;
    gomoku_verdict verdict;
    bool by_winning_sets; /* a "no" because every winning set can be stopped */
    int within;           /* maximum length of the win */
    unsigned stage;       /* of the search that found it */
    gomoku_replay replay;
    ply_move pv[GOMOKU_VARIATION_LIMIT];
} solver;

static uint64_t nodes_of(const solver *s)
{
    return s->vct.nodes + s->vct.vcf.nodes + (s->draw ? s->draw->nodes : 0) +
           (s->vct.pool ? gomoku_vct_pool_nodes(s->vct.pool) : 0);
}

static size_t bytes_of(const solver *s)
{
    size_t bytes = gomoku_vct_bytes(&s->vct) + s->replay.entry_capacity * sizeof *s->replay.entries;
    return bytes + (s->draw ? (s->draw->mask + 1) * sizeof *s->draw->table : 0);
}

static uint64_t node_limit(const ply_solve_limits *limits)
{
    return limits->nodes ? limits->nodes : NO_NODE_LIMIT;
}

/* What is left of a node limit. */
static uint64_t nodes_left(const solver *s, uint64_t limit)
{
    uint64_t used = nodes_of(s);
    return limit > used ? limit - used : 0;
}

static bool keep_going(void *context, uint64_t nodes)
{
    solver *s = context;
    (void)nodes; /* of only one of the searches */
    if (!s->control)
        return true;
    s->report->memory_bytes = bytes_of(s);
    return ply_solve_continue(s->control, nodes_of(s), s->report);
}

static void solver_close(void *self)
{
    solver *s = self;
    gomoku_vct_pool_free(s->vct.pool);
    gomoku_vct_free(&s->vct);
    gomoku_vct_table_free(&s->table);
    gomoku_replay_free(&s->replay);
    if (s->draw)
        gomoku_draw_search_free(s->draw);
    free(s->draw);
    free(s->undo);
    free(s->root);
    free(s);
}

/* Divides the memory among the parts of the solver. */
static bool open_parts(solver *s, unsigned threads)
{
    size_t cells = (size_t)gomoku_cell_count(s->rules);
    s->root = calloc(1, s->rules->position_bytes);
    s->undo = calloc(cells + 1, sizeof *s->undo);
    threads = threads < MAX_THREADS ? threads : MAX_THREADS;
    size_t each = sizeof(gomoku_vct_worker) + (GOMOKU_MAX_CELLS + 1) * sizeof *s->undo;
    size_t held = sizeof *s + sizeof(gomoku_vct_pool) + threads * each;
    size_t tables = s->bytes > held + MIN_BYTES ? (s->bytes - held) / 8 * 7 : MIN_BYTES;
    if (!s->root || !s->undo)
        return false;
    if (s->goal == GOMOKU_GOAL_WIN && cells <= GOMOKU_SET_CELLS) {
        size_t part = tables / 4 < DRAW_TABLE_BYTES ? tables / 4 : DRAW_TABLE_BYTES;
        s->draw = calloc(1, sizeof *s->draw);
        if (!s->draw || gomoku_draw_search_init(s->draw, part) != PLY_OK)
            return false;
        s->draw->keep_going = keep_going;
        s->draw->context = s;
        tables -= part;
    }
    size_t fours = tables / 4 / threads;
    if (gomoku_vct_table_init(&s->table, tables - tables / 4) != PLY_OK ||
        gomoku_vct_init(&s->vct, &s->board, &s->table, fours) != PLY_OK)
        return false;
    s->vct.keep_going = s->vct.vcf.keep_going = keep_going;
    s->vct.context = s->vct.vcf.context = s;
    s->vct.may_pass = s->rules->option[GOMOKU_OPTION_PASS];
    if (threads > 1) {
        s->vct.pool = gomoku_vct_pool_new(&s->vct, threads - 1, fours);
        if (!s->vct.pool)
            return false;
    }
    /* An eighth is left for the replay of a win. */
    return gomoku_replay_init(&s->replay, s->rules, s->goal, &s->vct, s->bytes / 8) == PLY_OK;
}

static void *solver_open(const ply_rules *rules, const ply_goal *goal,
                         const ply_solve_options *options)
{
    solver *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->rules = rules;
    s->goal = (int)(goal - gomoku_goals);
    s->bytes = options->memory_mb << 20;
    /* A search for fours ends before a second thread could start. */
    if (!open_parts(s, s->goal == GOMOKU_GOAL_VCF ? 1 : options->threads)) {
        solver_close(s);
        return NULL;
    }
    return s;
}

/* --- running --------------------------------------------------------------------------------- */
/* Whether Black defends in renju: cells may be forbidden, and Black also loses when no other is
 * left. */
static bool defender_has_forbidden_points(const solver *s)
{
    return gomoku_rule_of(s->rules) == GOMOKU_RENJU && s->attacker == GOMOKU_WHITE;
}

/* Sets the root of the draw search; false where it does not apply. */
static bool set_draw_search(solver *s, const gomoku_position *p)
{
    const ply_rules *rules = s->rules;
    uint64_t stones[2] = {0, 0};
    int width = gomoku_width(rules), height = gomoku_height(rules);
    if (!s->draw || defender_has_forbidden_points(s))
        return false;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            int colour = gomoku_at(p->lines, gomoku_cell(x, y));
            if (colour >= 0)
                stones[colour] |= (uint64_t)1 << (y * width + x);
        }
    return gomoku_draw_search_set(s->draw, width, height, gomoku_row(rules), stones[s->attacker],
                                  stones[!s->attacker]);
}

/*
 * Small boards, any move allowed. The search for a win and the draw search take turns, each turn
 * longer than the last. The draw search tries the Maker-Breaker game first, then the game itself.
 */
static gomoku_verdict solve_small(solver *s, uint64_t nodes)
{
    bool is_game = gomoku_rule_of(s->rules) == GOMOKU_FREESTYLE; /* any full row wins */
    bool sets_win = false, game_wins = false; /* nothing more to expect from the draw search */
    uint64_t win_nodes = FIRST_WIN_NODES, draw_nodes = FIRST_DRAW_NODES;
    for (;; win_nodes *= NODE_FACTOR, draw_nodes *= NODE_FACTOR) {
        uint64_t left = nodes_left(s, nodes);
        bool last = left <= win_nodes || (sets_win && (game_wins || !is_game));
        gomoku_verdict verdict = gomoku_vct_solve(&s->vct, s->attacker, true, GOMOKU_ANY_LENGTH,
                                                  last ? left : win_nodes);
        if (verdict != GOMOKU_UNKNOWN || last)
            return verdict;
        left = nodes_left(s, nodes);
        left = draw_nodes < left ? draw_nodes : left;
        verdict = sets_win ? GOMOKU_WIN : gomoku_draw_search_sets(s->draw, left);
        s->by_winning_sets = verdict == GOMOKU_NO;
        sets_win = verdict == GOMOKU_WIN;
        if (sets_win && is_game && !game_wins) {
            verdict = gomoku_draw_search_game(s->draw, left);
            game_wins = verdict == GOMOKU_WIN;
        }
        if (verdict == GOMOKU_NO)
            return GOMOKU_NO;
        if (s->draw->halted)
            return GOMOKU_UNKNOWN;
    }
}

/* Goal `win` where players may pass: only threats were tried, so their "no" proves nothing. But who
 * passes lets the opponent do the same, so winning sets that can be stopped still are. */
static gomoku_verdict confirm_no_with_passes(solver *s, bool small, uint64_t nodes,
                                             ply_solve_report *report)
{
    s->by_winning_sets =
        small && gomoku_draw_search_sets(s->draw, nodes_left(s, nodes)) == GOMOKU_NO;
    if (s->by_winning_sets)
        return GOMOKU_NO;
    report->stop_reason = small && s->draw->halted ? NULL : "passes: only threats are tried";
    return GOMOKU_UNKNOWN;
}

static gomoku_verdict solve(solver *s, uint64_t nodes, ply_solve_report *report)
{
    if (s->goal == GOMOKU_GOAL_VCF)
        return gomoku_vcf_solve(&s->vct.vcf, s->attacker, GOMOKU_ANY_DEPTH, nodes);
    bool small = s->goal == GOMOKU_GOAL_WIN && set_draw_search(s, s->root), halted = false;
    gomoku_verdict verdict;
    if (small)
        s->draw->nodes = 0;
    if (small && s->any_move) {
        verdict = solve_small(s, nodes);
        halted = s->draw->halted;
    } else {
        verdict = gomoku_vct_solve(&s->vct, s->attacker, s->any_move, GOMOKU_ANY_LENGTH, nodes);
        if (verdict == GOMOKU_NO && s->goal == GOMOKU_GOAL_WIN && !s->any_move)
            return confirm_no_with_passes(s, small, nodes, report);
        if (verdict == GOMOKU_NO && s->goal == GOMOKU_GOAL_WIN &&
            defender_has_forbidden_points(s)) {
            report->stop_reason = "forbidden points: only rows are looked for";
            return GOMOKU_UNKNOWN;
        }
    }
    if (verdict == GOMOKU_UNKNOWN && !s->vct.stopped && !halted)
        report->stop_reason = "memory";
    return verdict;
}

/* Whether "no" within a number of plies means that there is no win of that length. */
static bool tells_shortest(const solver *s)
{
    if (s->goal == GOMOKU_GOAL_VCF)
        return true;
    /* White may win without a four when only forbidden points are left to Black. */
    if (defender_has_forbidden_points(s) && !s->vct.may_pass)
        return false;
    return s->goal == GOMOKU_GOAL_VCT || s->any_move;
}

/* Goal `vcf`: raises the limit from 1 until the attacker wins. */
static ply_status shorten_fours(solver *s, uint64_t nodes, ply_solve_report *report)
{
    int longest = (int)report->plies;
    gomoku_verdict verdict = GOMOKU_NO;
    for (int plies = 1; plies < longest && verdict == GOMOKU_NO; plies += 2) {
        verdict = gomoku_vcf_solve(&s->vct.vcf, s->attacker, plies + 2, nodes_left(s, nodes));
        if (verdict == GOMOKU_WIN)
            s->within = plies;
    }
    report->shortest = verdict != GOMOKU_UNKNOWN;
    s->control = NULL;
    return gomoku_replay_win(&s->replay, s->within, NULL, &report->plies);
}

/* There is a win in report->plies: asks for shorter ones until there is none. */
static ply_status shorten(solver *s, uint64_t nodes, ply_solve_report *report)
{
    gomoku_verdict verdict = GOMOKU_WIN;
    report->verdict = PLY_VERDICT_WIN; /* for progress reports */
    if (s->goal == GOMOKU_GOAL_VCF)
        return shorten_fours(s, nodes, report);
    while (report->plies > 1) {
        int within = (int)report->plies - 2;
        uint32_t plies;
        verdict = gomoku_vct_solve(&s->vct, s->attacker, s->any_move, within, nodes_left(s, nodes));
        if (verdict != GOMOKU_WIN)
            break;
        ply_status status = gomoku_replay_win(&s->replay, within, NULL, &plies);
        if (status == PLY_NO_MEMORY)
            return status;
        if (status != PLY_OK)
            break; /* keep the longer win */
        s->within = within;
        s->stage = s->vct.stage;
        report->plies = report->length = plies;
    }
    report->shortest = tells_shortest(s) && (verdict == GOMOKU_NO || report->plies == 1);
    /* Replays the last win, whatever the limits: its entries give the principal variation. */
    s->control = NULL;
    s->vct.stage = s->stage;
    return gomoku_replay_win(&s->replay, s->within, NULL, &report->plies);
}

/* A win was found: replays it, shortens it if asked to, and reports it. */
static ply_status report_win(solver *s, const ply_solve_limits *limits, ply_solve_control *control,
                             ply_solve_report *report)
{
    uint64_t nodes = node_limit(limits);
    ply_status status = gomoku_replay_win(&s->replay, s->within, NULL, &report->plies);
    report->length = report->plies;
    if (status == PLY_OK && limits->shortest)
        status = shorten(s, nodes, report);
    if (status == PLY_NO_MEMORY)
        return status;
    if (status != PLY_OK) {
        s->verdict = GOMOKU_UNKNOWN;
        report->stop_reason = ply_solve_stop_reason(control) ? NULL : "memory";
        report->shortest = false;
        report->plies = 0;
    } else {
        report->pv_length = gomoku_replay_variation(&s->replay, s->within, s->pv);
    }
    report->length = report->plies;
    return PLY_OK;
}

static ply_status solver_run(void *self, const void *position, const ply_solve_limits *limits,
                             ply_solve_control *control, ply_solve_report *report)
{
    solver *s = self;
    const gomoku_position *p = position;
    memcpy(s->root, p, s->rules->position_bytes);
    gomoku_replay_begin(&s->replay, p);
    s->control = control;
    s->report = report;
    s->attacker = p->side;
    s->any_move = s->goal == GOMOKU_GOAL_WIN && !s->rules->option[GOMOKU_OPTION_PASS];
    s->verdict = GOMOKU_NO;
    s->by_winning_sets = false;
    s->within = GOMOKU_ANY_LENGTH;
    report->pv = s->pv;
    if (!gomoku_is_over(s->rules, p)) {
        gomoku_threat_board_init(&s->board, s->rules, p, s->undo);
        gomoku_vct_clear(&s->vct);
        s->verdict = solve(s, node_limit(limits), report);
    }
    s->stage = s->vct.stage;
    if (s->verdict == GOMOKU_WIN && report_win(s, limits, control, report) != PLY_OK)
        return PLY_NO_MEMORY;
    s->control = NULL;
    report->verdict = s->verdict == GOMOKU_WIN  ? PLY_VERDICT_WIN
                      : s->verdict == GOMOKU_NO ? PLY_VERDICT_NO
                                                : PLY_VERDICT_UNKNOWN;
    report->nodes = nodes_of(s);
    report->memory_bytes = bytes_of(s);
    return PLY_OK;
}

/* --- proofs ---------------------------------------------------------------------------------- */
/* A cell of the draw search as a move: any legal one for GOMOKU_ANY_CELL, none for -1. */
static ply_move small_move(const solver *s, const void *position, int cell)
{
    ply_move moves[GOMOKU_MAX_CELLS + 1];
    int width = gomoku_width(s->rules);
    if (cell >= 0 && cell < GOMOKU_ANY_CELL)
        return gomoku_move(gomoku_cell(cell % width, cell / width));
    return cell >= 0 && gomoku_moves(s->rules, position, moves) > 0 ? moves[0] : PLY_MOVE_NONE;
}

/* The defender's answer in the game itself. */
static ply_move game_answer(void *context, const void *position)
{
    solver *s = context;
    if (!set_draw_search(s, position))
        return PLY_MOVE_NONE;
    return small_move(s, position, gomoku_draw_search_game_answer(s->draw));
}

/* The answer to a threat or, without a threat, one that stops the winning sets that are left. */
static ply_move threats_answer(void *context, const void *position)
{
    solver *s = context;
    ply_move move = gomoku_replay_answer(&s->replay, position);
    if (move != PLY_MOVE_NONE || s->goal != GOMOKU_GOAL_WIN || !set_draw_search(s, position))
        return move;
    gomoku_winning_sets sets = s->draw->attacker;
    return small_move(s, position, gomoku_draw_search_answer(s->draw, &sets, NULL));
}

/* Closes a branch, the attacker to move, where a few nodes show that every winning set can be
 * stopped. */
static bool close_by_winning_sets(void *context, const void *position, ply_proof_writer *writer)
{
    solver *s = context;
    if (!set_draw_search(s, position))
        return false;
    return writer ? gomoku_draw_proof_write(s->draw, writer, s->bytes) == PLY_OK
                  : gomoku_draw_search_sets(s->draw, CLOSE_NODES) == GOMOKU_NO;
}

static ply_status solver_prove(void *self, const ply_proof_claim *claim, ply_proof_writer *writer,
                               uint32_t *plies)
{
    solver *s = self;
    bool small = s->goal == GOMOKU_GOAL_WIN && s->draw;
    ply_proof_strategy strategy = {.move = threats_answer, .context = s};
    if (s->verdict == GOMOKU_WIN)
        return gomoku_replay_win(&s->replay, s->within, writer, plies);
    *plies = 0;
    if (s->by_winning_sets && set_draw_search(s, s->root))
        return gomoku_draw_proof_write(s->draw, writer, s->bytes);
    if (small && gomoku_rule_of(s->rules) == GOMOKU_FREESTYLE)
        strategy.move = game_answer;
    if (small)
        strategy.write_node = close_by_winning_sets;
    return ply_proof_write_strategy(writer, claim, &strategy, s->bytes, plies);
}

const ply_solver_kind gomoku_solver = {
    .open = solver_open, .close = solver_close, .run = solver_run, .prove = solver_prove};
