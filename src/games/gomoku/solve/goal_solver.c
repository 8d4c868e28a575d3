/* SPDX-License-Identifier: MIT */
/*
 * goal_solver.c - the solvers of gomoku's goals behind the general interface.
 *
 * Fours and threats are searched (vcf.h, vct.h), small boards also for a way to hold (draw_search.h); what
 * is found is walked through (verdict_replay.h) before it is told. For the shortest win the question is put
 * again with fewer plies until the answer is no.
 */
#include "games/gomoku/solve/draw_proof.h"
#include "games/gomoku/solve/goals.h"
#include "games/gomoku/solve/vct_threads.h"
#include "games/gomoku/solve/verdict_replay.h"
#include <stdlib.h>
#include <string.h>

enum {
    MIN_BYTES = 1 << 20,
    MOST_THREADS = 256,
    /* Small boards: the table for showing that the defender holds, and how long each tries. */
    HOLD_BYTES = 64 << 20,
    FIRST_ATTACK = 10000,
    FIRST_HOLD = 1 << 20,
    LONGER = 4,
    CLOSE_NODES = 64, /* for a branch of a proof */
};
#define ALL_NODES ((uint64_t)1 << 62)

typedef struct solver {
    const ply_rules *rules;
    int goal;
    size_t bytes;
    gomoku_field field;
    gomoku_field_undo *undo;
    gomoku_vct_table table;
    gomoku_vct vct;
    gomoku_hold *hold; /* goal `win` on small boards, else NULL */
    ply_solve_control *control;
    ply_solve_report *report; /* of the run, while it lasts */
    gomoku_position *root;
    int attacker;
    bool all;
    gomoku_verdict verdict;
    bool by_rows;   /* a "no": every row can be stopped */
    int within;     /* plies the win was asked for */
    unsigned stage; /* of the search that found it */
    gomoku_walk walk;
    ply_move line[GOMOKU_LINE_LIMIT];
} solver;

static uint64_t nodes_of(const solver *s)
{
    return s->vct.nodes + s->vct.vcf.nodes + (s->hold ? s->hold->nodes : 0) +
           (s->vct.team ? gomoku_vct_team_nodes(s->vct.team) : 0);
}

static size_t bytes_of(const solver *s)
{
    size_t bytes = gomoku_vct_bytes(&s->vct) + s->walk.place_room * sizeof *s->walk.places;
    return bytes + (s->hold ? (s->hold->mask + 1) * sizeof *s->hold->table : 0);
}

static bool go_on(void *context, uint64_t nodes)
{
    solver *s = context;
    (void)nodes; /* of one search of several */
    if (!s->control)
        return true;
    s->report->memory_bytes = bytes_of(s);
    return ply_solve_continue(s->control, nodes_of(s), s->report);
}

static void solver_close(void *self)
{
    solver *s = self;
    gomoku_vct_team_free(s->vct.team);
    gomoku_vct_free(&s->vct);
    gomoku_vct_table_free(&s->table);
    gomoku_walk_free(&s->walk);
    if (s->hold)
        gomoku_hold_free(s->hold);
    free(s->hold);
    free(s->undo);
    free(s->root);
    free(s);
}

/* Gives the parts of the solver their shares of the memory. */
static bool open_parts(solver *s, unsigned threads)
{
    size_t cells = (size_t)gomoku_cell_count(s->rules);
    s->root = calloc(1, s->rules->position_bytes);
    s->undo = calloc(cells + 1, sizeof *s->undo);
    threads = threads < MOST_THREADS ? threads : MOST_THREADS;
    size_t each = sizeof(gomoku_vct_mate) + (GOMOKU_MAX_CELLS + 1) * sizeof *s->undo;
    size_t held = sizeof *s + sizeof(gomoku_vct_team) + threads * each;
    size_t tables = s->bytes > held + MIN_BYTES ? (s->bytes - held) / 8 * 7 : MIN_BYTES;
    if (!s->root || !s->undo)
        return false;
    if (s->goal == GOMOKU_GOAL_WIN && cells <= GOMOKU_HOLD_CELLS) {
        size_t part = tables / 4 < HOLD_BYTES ? tables / 4 : HOLD_BYTES;
        s->hold = calloc(1, sizeof *s->hold);
        if (!s->hold || gomoku_hold_init(s->hold, part) != PLY_OK)
            return false;
        s->hold->go_on = go_on;
        s->hold->context = s;
        tables -= part;
    }
    size_t fours = tables / 4 / threads;
    if (gomoku_vct_table_init(&s->table, tables - tables / 4) != PLY_OK ||
        gomoku_vct_init(&s->vct, &s->field, &s->table, fours) != PLY_OK)
        return false;
    s->vct.go_on = s->vct.vcf.go_on = go_on;
    s->vct.context = s->vct.vcf.context = s;
    s->vct.may_pass = s->rules->option[GOMOKU_OPTION_PASS];
    if (threads > 1) {
        s->vct.team = gomoku_vct_team_new(&s->vct, threads - 1, fours);
        if (!s->vct.team)
            return false;
    }
    /* The walk of a win may want an eighth. */
    return gomoku_walk_init(&s->walk, s->rules, s->goal, &s->vct, s->bytes / 8) == PLY_OK;
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
    /* Fours alone are found by one thread, sooner than a second could begin. */
    if (!open_parts(s, s->goal == GOMOKU_GOAL_VCF ? 1 : options->threads)) {
        solver_close(s);
        return NULL;
    }
    return s;
}

/* --- running --------------------------------------------------------------------------------- */
/* Gives the position to the search for holding; false where it may not speak. */
static bool set_hold(solver *s, const gomoku_position *p)
{
    const ply_rules *rules = s->rules;
    uint64_t stones[2] = {0, 0};
    int width = gomoku_width(rules), height = gomoku_height(rules);
    /* Black, defending, may find the cell he needs forbidden. */
    if (!s->hold || (gomoku_rule_of(rules) == GOMOKU_RENJU && s->attacker == GOMOKU_WHITE))
        return false;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            int colour = gomoku_at(p->lines, gomoku_cell(x, y));
            if (colour >= 0)
                stones[colour] |= (uint64_t)1 << (y * width + x);
        }
    return gomoku_hold_set(s->hold, width, height, gomoku_row(rules), stones[s->attacker],
                           stones[!s->attacker]);
}

/*
 * Small boards, anything played. Wins are looked for, and ways to hold, in turns, each turn longer
 * than the last: first with the defender's rows counting for nothing, then in the game itself.
 */
static gomoku_verdict solve_small(solver *s, uint64_t nodes)
{
    bool is_game = gomoku_rule_of(s->rules) == GOMOKU_FREESTYLE;
    bool rows_win = false, game_wins = false;
    uint64_t attack = FIRST_ATTACK, hold = FIRST_HOLD;
    for (;; attack *= LONGER, hold *= LONGER) {
        uint64_t used = nodes_of(s), left = nodes > used ? nodes - used : 0;
        bool last = left <= attack || (rows_win && (game_wins || !is_game));
        gomoku_verdict verdict =
            gomoku_vct_solve(&s->vct, s->attacker, true, GOMOKU_ENDLESS, last ? left : attack);
        if (verdict != GOMOKU_UNKNOWN || last)
            return verdict;
        used = nodes_of(s);
        left = nodes > used ? nodes - used : 0;
        verdict = GOMOKU_WIN;
        if (!rows_win)
            verdict = gomoku_hold_rows(s->hold, hold < left ? hold : left);
        s->by_rows = verdict == GOMOKU_NO;
        rows_win = verdict == GOMOKU_WIN;
        if (rows_win && is_game && !game_wins) {
            verdict = gomoku_hold_game(s->hold, hold < left ? hold : left);
            game_wins = verdict == GOMOKU_WIN;
        }
        if (verdict == GOMOKU_NO)
            return GOMOKU_NO;
        if (s->hold->halted)
            return GOMOKU_UNKNOWN;
    }
}

static gomoku_verdict solve(solver *s, uint64_t nodes, ply_solve_report *report)
{
    if (s->goal == GOMOKU_GOAL_VCF)
        return gomoku_vcf_solve(&s->vct.vcf, s->attacker, GOMOKU_NO_LIMIT, nodes);
    bool small = s->goal == GOMOKU_GOAL_WIN && set_hold(s, s->root);
    if (small)
        s->hold->nodes = 0;
    if (small && s->all) {
        gomoku_verdict verdict = solve_small(s, nodes);
        if (verdict == GOMOKU_UNKNOWN && !s->vct.stopped && !s->hold->halted)
            report->stop_reason = "memory";
        return verdict;
    }
    gomoku_verdict verdict = gomoku_vct_solve(&s->vct, s->attacker, s->all, GOMOKU_ENDLESS, nodes);
    if (verdict == GOMOKU_NO && s->goal == GOMOKU_GOAL_WIN && !s->all) {
        /* Who passes lets the other do as much; so rows that can be stopped still are. */
        uint64_t used = nodes_of(s);
        s->by_rows =
            small && gomoku_hold_rows(s->hold, nodes > used ? nodes - used : 0) == GOMOKU_NO;
        if (s->by_rows)
            return GOMOKU_NO;
        report->stop_reason = small && s->hold->halted ? NULL : "passes: only threats are tried";
        return GOMOKU_UNKNOWN;
    }
    if (verdict == GOMOKU_NO && s->goal == GOMOKU_GOAL_WIN &&
        gomoku_rule_of(s->rules) == GOMOKU_RENJU && s->attacker == GOMOKU_WHITE) {
        /* Too few rows are no reason here: Black loses too when all that is left is forbidden. */
        report->stop_reason = "forbidden points: only rows are looked for";
        return GOMOKU_UNKNOWN;
    }
    if (verdict == GOMOKU_UNKNOWN && !s->vct.stopped)
        report->stop_reason = "memory";
    return verdict;
}

/* Whether a "no" within so many plies means that no win is so short. */
static bool tells_shortest(const solver *s)
{
    if (s->goal == GOMOKU_GOAL_VCF)
        return true;
    /* White may win without a four when nothing but forbidden points is left to Black. */
    if (gomoku_rule_of(s->rules) == GOMOKU_RENJU && s->attacker == GOMOKU_WHITE && !s->vct.may_pass)
        return false;
    return s->goal == GOMOKU_GOAL_VCT || s->all;
}

/* There is a win in report->plies: asks for shorter ones until there is none. */
static ply_status shorten(solver *s, uint64_t nodes, ply_solve_report *report)
{
    gomoku_vcf *fours = &s->vct.vcf;
    gomoku_verdict verdict = GOMOKU_WIN;
    report->verdict = PLY_VERDICT_WIN; /* for whoever watches */
    if (s->goal == GOMOKU_GOAL_VCF) {
        /* The first limit that is enough. */
        int longest = (int)report->plies;
        verdict = GOMOKU_NO;
        for (int plies = 1; plies < longest && verdict == GOMOKU_NO; plies += 2) {
            uint64_t used = nodes_of(s);
            verdict =
                gomoku_vcf_solve(fours, s->attacker, plies + 2, nodes > used ? nodes - used : 0);
            if (verdict == GOMOKU_WIN)
                s->within = plies;
        }
        report->shortest = verdict != GOMOKU_UNKNOWN;
        s->control = NULL;
        return gomoku_walk_win(&s->walk, s->within, NULL, &report->plies);
    }
    while (report->plies > 1 && verdict == GOMOKU_WIN) {
        int within = (int)report->plies - 2;
        uint64_t used = nodes_of(s);
        verdict =
            gomoku_vct_solve(&s->vct, s->attacker, s->all, within, nodes > used ? nodes - used : 0);
        uint32_t plies;
        if (verdict != GOMOKU_WIN)
            break;
        ply_status status = gomoku_walk_win(&s->walk, within, NULL, &plies);
        if (status == PLY_NO_MEMORY)
            return status;
        if (status != PLY_OK)
            break; /* the longer one stays */
        s->within = within;
        s->stage = s->vct.stage;
        report->plies = report->length = plies;
    }
    report->shortest = tells_shortest(s) && (verdict == GOMOKU_NO || report->plies == 1);
    /* The last win again, whatever the limits: its places tell the line. */
    s->control = NULL;
    s->vct.stage = s->stage;
    return gomoku_walk_win(&s->walk, s->within, NULL, &report->plies);
}

static ply_status solver_run(void *self, const void *position, const ply_solve_limits *limits,
                             ply_solve_control *control, ply_solve_report *report)
{
    solver *s = self;
    const gomoku_position *p = position;
    uint64_t nodes = limits->nodes ? limits->nodes : ALL_NODES;
    memcpy(s->root, p, s->rules->position_bytes);
    gomoku_walk_begin(&s->walk, p);
    s->control = control;
    s->report = report;
    s->attacker = p->side;
    s->all = s->goal == GOMOKU_GOAL_WIN && !s->rules->option[GOMOKU_OPTION_PASS];
    s->verdict = GOMOKU_NO;
    s->by_rows = false;
    s->within = GOMOKU_ENDLESS;
    report->pv = s->line;
    if (!gomoku_is_over(s->rules, p)) {
        gomoku_field_init(&s->field, s->rules, p, s->undo);
        gomoku_vct_clear(&s->vct);
        s->verdict = solve(s, nodes, report);
    }
    s->stage = s->vct.stage;
    if (s->verdict == GOMOKU_WIN) {
        ply_status status = gomoku_walk_win(&s->walk, s->within, NULL, &report->plies);
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
            report->pv_length = gomoku_walk_line(&s->walk, s->within, s->line);
        }
        report->length = report->plies;
    }
    s->control = NULL;
    report->verdict = s->verdict == GOMOKU_WIN  ? PLY_VERDICT_WIN
                      : s->verdict == GOMOKU_NO ? PLY_VERDICT_NO
                                                : PLY_VERDICT_UNKNOWN;
    report->nodes = nodes_of(s);
    report->memory_bytes = bytes_of(s);
    return PLY_OK;
}

/* --- proofs ---------------------------------------------------------------------------------- */
/* A cell of the small board as a move; any legal one for GOMOKU_HOLD_ANY, none for -1. */
static ply_move small_move(const solver *s, const void *position, int cell)
{
    ply_move moves[GOMOKU_MAX_CELLS + 1];
    int width = gomoku_width(s->rules);
    if (cell >= 0 && cell < GOMOKU_HOLD_ANY)
        return gomoku_move(gomoku_cell(cell % width, cell / width));
    return cell >= 0 && gomoku_moves(s->rules, position, moves) > 0 ? moves[0] : PLY_MOVE_NONE;
}

/* The defender's answer in the game, his own rows counting. */
static ply_move game_answer(void *context, const void *position)
{
    solver *s = context;
    if (!set_hold(s, position))
        return PLY_MOVE_NONE;
    return small_move(s, position, gomoku_hold_game_answer(s->hold));
}

/* The answer to a threat; where there is none, one that stops the rows that are left. */
static ply_move threats_answer(void *context, const void *position)
{
    solver *s = context;
    ply_move move = gomoku_walk_answer(&s->walk, position);
    if (move != PLY_MOVE_NONE || s->goal != GOMOKU_GOAL_WIN || !set_hold(s, position))
        return move;
    gomoku_rows rows = s->hold->attacker;
    return small_move(s, position, gomoku_hold_answer(s->hold, &rows, NULL));
}

/* The attacker to move: a few nodes are enough to see that each of his rows can be stopped. */
static bool close_by_rows(void *context, const void *position, ply_proof_writer *writer)
{
    solver *s = context;
    if (!set_hold(s, position))
        return false;
    return writer ? gomoku_hold_prove(s->hold, writer, s->bytes) == PLY_OK
                  : gomoku_hold_rows(s->hold, CLOSE_NODES) == GOMOKU_NO;
}

static ply_status solver_prove(void *self, const ply_proof_claim *claim, ply_proof_writer *writer,
                               uint32_t *plies)
{
    solver *s = self;
    bool small = s->goal == GOMOKU_GOAL_WIN && s->hold;
    ply_proof_strategy strategy = {.move = threats_answer, .context = s};
    if (s->verdict == GOMOKU_WIN)
        return gomoku_walk_win(&s->walk, s->within, writer, plies);
    *plies = 0;
    if (s->by_rows && set_hold(s, s->root))
        return gomoku_hold_prove(s->hold, writer, s->bytes);
    if (small && gomoku_rule_of(s->rules) == GOMOKU_FREESTYLE)
        strategy.move = game_answer;
    if (small)
        strategy.write_node = close_by_rows;
    return ply_proof_write_strategy(writer, claim, &strategy, s->bytes, plies);
}

const ply_solver_kind gomoku_solver = {
    .open = solver_open, .close = solver_close, .run = solver_run, .prove = solver_prove};
