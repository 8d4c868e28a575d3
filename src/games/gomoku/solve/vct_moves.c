/* SPDX-License-Identifier: MIT */
/* vct_moves.c - the threat search: table access, evaluation of new positions, move lists. */
#include "games/gomoku/solve/draw_bound.h"
#include "games/gomoku/solve/vct_internal.h"
#include <stdlib.h>
#include <string.h>

/* --- the transposition table ----------------------------------------------------------------- */
/* The key of a result that is valid for this stage and this number of plies left. */
static uint64_t stage_key(const gomoku_vct *v, uint64_t key, int plies)
{
    return key ^ ((uint64_t)v->stage << 16 | (uint64_t)plies) * 0x9E3779B97F4A7C15u;
}

bool gomoku_vct_probe(const gomoku_vct *v, uint64_t key, int plies, gomoku_vct_entry *e)
{
    if (gomoku_vct_table_probe(v->table, key, e) && e->proof == 0 && e->plies <= plies)
        return true;
    return gomoku_vct_table_probe(v->table, stage_key(v, key, plies), e);
}

void gomoku_vct_store(gomoku_vct *v, uint64_t key, vct_numbers n, uint64_t work, int plies,
                      int cell)
{
    gomoku_vct_entry known;
    gomoku_vct_entry e = {.proof = n.proof,
                          .disproof = n.disproof,
                          .work = work < UINT32_MAX ? (uint32_t)work : UINT32_MAX,
                          .plies = (uint16_t)plies,
                          .cell = (uint16_t)cell};
    if (n.proof != 0 && v->stopped)
        return;
    if (n.proof == 0 && gomoku_vct_table_probe(v->table, key, &known) && known.proof == 0 &&
        known.plies <= plies)
        return;
    gomoku_vct_table_store(v->table, n.proof == 0 ? key : stage_key(v, key, v->plies), e);
}

uint64_t gomoku_vct_key(const gomoku_vct *v, bool defender_moves)
{
    return v->board->hash ^ (defender_moves ? gomoku_state_keys[0] : 0);
}

/* --- evaluation ------------------------------------------------------------------------------ */
/* A win of the colour by fours in time; counts its nodes. */
static gomoku_verdict try_fours(gomoku_vct *v, int colour, int plies, uint64_t nodes)
{
    uint64_t before = v->vcf.nodes;
    int depth = plies == GOMOKU_ANY_LENGTH ? GOMOKU_ANY_DEPTH : plies + 2;
    gomoku_verdict verdict = gomoku_vcf_solve(&v->vcf, colour, depth, nodes);
    v->nodes += (v->vcf.nodes - before) / 16;
    v->stopped |= v->vcf.halted;
    return verdict;
}

/* The plies left; in the quick stage at most the length of a win by `fours` fours. */
static int quick_plies(const gomoku_vct *v, int fours, int plies)
{
    return v->stage == 0 && plies > 2 * fours - 1 ? 2 * fours - 1 : plies;
}

vct_numbers gomoku_vct_evaluate_attack(gomoku_vct *v, int *plies)
{
    gomoku_threat_board *b = v->board;
    vct_numbers n = {1, 1};
    int fives[2], cell = 0;
    int within = quick_plies(v, QUICK_LEAF_FOURS, v->plies);
    gomoku_verdict verdict = try_fours(v, v->attacker, within, v->vcf_limit);
    *plies = 0;
    if (verdict == GOMOKU_WIN) {
        n = (vct_numbers){0, INFINITE};
        *plies = gomoku_vcf_plies(&v->vcf);
        cell = NO_REPLY;       /* the search for fours knows the move */
    } else if (v->plies < 3) { /* a threat, an answer and a four make three */
        vct_require(v, verdict != GOMOKU_UNKNOWN);
        n = (vct_numbers){INFINITE, 0};
    } else if (!b->caro && gomoku_threat_board_fives(b, !v->attacker, fives, 2) > 1) {
        n = (vct_numbers){INFINITE, 0};
    }
    if (v->any_move && n.proof && n.disproof) {
        /* The less the open windows weigh, the nearer the defender is to a draw. */
        int weight = gomoku_window_weight(b, v->attacker);
        n.disproof =
            gomoku_weight_is_drawn(b, weight, false) ? 0 : (uint32_t)(weight >> (b->row - 3));
        n.proof = n.disproof ? 1 + (uint32_t)((4 << b->row) / (weight + 1)) : INFINITE;
    }
    gomoku_vct_store(v, gomoku_vct_key(v, false), n, 1, *plies, cell);
    return n;
}

static gomoku_cells all_cells(const gomoku_threat_board *b)
{
    gomoku_cells cells = {0};
    for (int y = 0; y < b->height; y++)
        cells.rows[y] = gomoku_threat_board_empty_in_row(b, y);
    return cells;
}

static void allow_all_answers(const gomoku_vct *v, vct_answers *a)
{
    a->cells = all_cells(v->board);
    a->plies = 0;
    a->pass = v->may_pass;
}

bool gomoku_vct_find_answers(gomoku_vct *v, vct_answers *a)
{
    const gomoku_threat_board *b = v->board;
    int within = quick_plies(v, QUICK_THREAT_FOURS, vct_plies_after(v->plies, 1));
    gomoku_verdict verdict = try_fours(v, v->attacker, within, v->vcf_limit);
    a->pass = false;
    if (verdict == GOMOKU_WIN) {
        a->plies = 1 + gomoku_vcf_plies(&v->vcf);
        gomoku_vcf_zone(&v->vcf, v->attacker, &a->cells);
        return true;
    }
    if (!v->any_move) {
        /* Fours that take too long are still a threat. */
        if (v->plies != GOMOKU_ANY_LENGTH)
            verdict = try_fours(v, v->attacker, GOMOKU_ANY_LENGTH, v->vcf_limit);
        vct_require(v, verdict != GOMOKU_UNKNOWN);
        if (verdict == GOMOKU_WIN)
            allow_all_answers(v, a);
        return verdict == GOMOKU_WIN;
    }
    if (gomoku_weight_is_drawn(b, gomoku_window_weight(b, v->attacker), true))
        return false;
    allow_all_answers(v, a);
    return b->stones < b->width * b->height; /* a full board is a draw */
}

vct_numbers gomoku_vct_evaluate_defence(gomoku_vct *v, vct_answers *a)
{
    gomoku_threat_board *b = v->board;
    vct_numbers n = {1, 1};
    int cells = 0;
    if (gomoku_lines_any(&b->with_five[!v->attacker]) || !gomoku_vct_find_answers(v, a)) {
        n = (vct_numbers){INFINITE, 0};
    } else {
        for (int y = 0; y < b->height; y++)
            cells += ply_popcount(a->cells.rows[y]);
        n.proof = (uint32_t)cells / 4 + 1;
        if (gomoku_lines_any(&b->with_four[!v->attacker]) &&
            try_fours(v, !v->attacker, GOMOKU_ANY_LENGTH, COUNTER_LIMIT) == GOMOKU_WIN)
            n = (vct_numbers){INFINITE, 0};
    }
    gomoku_vct_store(v, gomoku_vct_key(v, true), n, 1, 0, 0);
    return n;
}

/* --- children -------------------------------------------------------------------------------- */
static gomoku_vct_child *add_child(gomoku_vct *v)
{
    if (v->children_used == v->children_capacity) {
        size_t capacity = 2 * v->children_capacity;
        gomoku_vct_child *grown = realloc(v->children, capacity * sizeof *grown);
        if (!grown) {
            v->stopped = true;
            v->children_used--; /* nobody reads the list after a stop */
            return &v->children[v->children_used++];
        }
        v->children = grown;
        v->children_capacity = capacity;
    }
    return &v->children[v->children_used++];
}

static void add_threat(gomoku_vct *v, int cell, uint32_t proof)
{
    gomoku_threat_board *b = v->board;
    if (gomoku_threat_board_forbidden(b, cell, v->attacker))
        return;
    *add_child(v) =
        (gomoku_vct_child){.key = gomoku_vct_key(v, true) ^ gomoku_keys[v->attacker][cell],
                           .proof = proof,
                           .disproof = 1,
                           .cell = (uint16_t)cell,
                           .reply = NO_REPLY,
                           .plies_used = 1,
                           .defender_moves = true};
}

/* A four together with its only answer. */
static void add_four(gomoku_vct *v, int cell)
{
    gomoku_threat_board *b = v->board;
    int fives[2];
    if (gomoku_threat_board_forbidden(b, cell, v->attacker))
        return;
    if (b->caro) { /* there may be several answers */
        add_threat(v, cell, 1);
        return;
    }
    gomoku_threat_board_play(b, cell, v->attacker);
    int count = gomoku_threat_board_fives_of_last(b, v->attacker, fives, 2);
    if (count > 0) {
        bool won = count > 1 || gomoku_threat_board_forbidden(b, fives[0], !v->attacker);
        gomoku_vct_child *c = add_child(v);
        *c = (gomoku_vct_child){.proof = FOUR_PROOF,
                                .disproof = 1,
                                .cell = (uint16_t)cell,
                                .reply = NO_REPLY,
                                .plies = 1};
        if (won) { /* only when the search for fours was cut short */
            c->proof = 0;
            c->disproof = INFINITE;
        } else {
            c->reply = (uint16_t)fives[0];
            c->plies_used = 2;
            c->key = gomoku_vct_key(v, false) ^ gomoku_keys[!v->attacker][fives[0]];
        }
    }
    gomoku_threat_board_undo(b);
}

static void add_cells(gomoku_vct *v, const gomoku_cells *cells, uint32_t proof)
{
    for (int y = 0; y < v->board->height; y++)
        for (uint32_t row = cells->rows[y]; row; row &= row - 1)
            add_threat(v, gomoku_cell(ply_lowest(row), y), proof);
}

void gomoku_vct_list_attacks(gomoku_vct *v)
{
    gomoku_threat_board *b = v->board;
    gomoku_cells fours = {0}, threes = {0}, builds = {0};
    /* In caro a five can be blocked from outside; evaluate_defence checks whether it was. */
    int must[2], forced = b->caro ? 0 : gomoku_threat_board_fives(b, !v->attacker, must, 2);
    gomoku_threat_board_collect(b, b->four, v->attacker, &fours);
    gomoku_threat_board_collect(b, b->three, v->attacker, &threes);
    gomoku_threat_board_collect(b, b->build, v->attacker, &builds);
    for (int y = 0; y < b->height; y++) {
        if (forced) {
            uint32_t only = y == gomoku_y(must[0]) ? (uint32_t)1 << gomoku_x(must[0]) : 0;
            fours.rows[y] &= only;
            threes.rows[y] &= only;
            builds.rows[y] &= only;
        }
        threes.rows[y] &= ~fours.rows[y];
        builds.rows[y] &= ~(fours.rows[y] | threes.rows[y]);
    }
    for (int y = 0; y < b->height; y++)
        for (uint32_t row = fours.rows[y]; row; row &= row - 1)
            add_four(v, gomoku_cell(ply_lowest(row), y));
    add_cells(v, &threes, THREE_PROOF);
    add_cells(v, &builds, BUILD_PROOF);
}

bool gomoku_vct_widen(gomoku_vct *v, size_t base)
{
    gomoku_threat_board *b = v->board;
    gomoku_cells others = {0};
    int must[2];
    if (!b->caro && gomoku_threat_board_fives(b, !v->attacker, must, 2)) {
        gomoku_cells_add(&others, must[0]);
    } else if (v->any_move) {
        others = all_cells(b);
    } else {
        gomoku_verdict verdict =
            gomoku_vcf_relevant_cells(&v->vcf, v->attacker, v->vcf_limit, &others);
        v->stopped |= v->vcf.halted;
        if (verdict == GOMOKU_WIN && v->plies != GOMOKU_ANY_LENGTH)
            others = all_cells(b); /* any stone threatens the fours that take too long */
        else
            vct_require(v, verdict == GOMOKU_NO);
    }
    for (size_t i = base; i < v->children_used; i++) {
        int cell = v->children[i].cell;
        others.rows[gomoku_y(cell)] &= ~((uint32_t)1 << gomoku_x(cell));
    }
    size_t before = v->children_used;
    add_cells(v, &others, OTHER_PROOF);
    return v->children_used > before;
}

/* Adds an answer of the defender, evaluated if it is new. */
static void add_answer(gomoku_vct *v, int cell)
{
    gomoku_threat_board *b = v->board;
    int defender = !v->attacker, plies;
    uint64_t key = gomoku_vct_key(v, false) ^ (cell == PASS ? 0 : gomoku_keys[defender][cell]);
    gomoku_vct_entry e;
    vct_numbers n;
    if (gomoku_vct_probe(v, key, v->plies, &e)) {
        n = (vct_numbers){e.proof, e.disproof};
        plies = e.plies;
    } else {
        if (cell != PASS)
            gomoku_threat_board_play(b, cell, defender);
        n = gomoku_vct_evaluate_attack(v, &plies);
        if (cell != PASS)
            gomoku_threat_board_undo(b);
    }
    *add_child(v) = (gomoku_vct_child){.key = key,
                                       .proof = n.proof,
                                       .disproof = n.disproof,
                                       .cell = (uint16_t)cell,
                                       .reply = NO_REPLY,
                                       .plies = (uint16_t)plies};
}

void gomoku_vct_list_answers(gomoku_vct *v, const vct_answers *a)
{
    for (int y = 0; y < v->board->height; y++)
        for (uint32_t row = a->cells.rows[y]; row; row &= row - 1) {
            int cell = gomoku_cell(ply_lowest(row), y);
            if (!gomoku_threat_board_forbidden(v->board, cell, !v->attacker))
                add_answer(v, cell);
        }
    if (a->pass)
        add_answer(v, PASS);
}
