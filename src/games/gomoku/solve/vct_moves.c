/* SPDX-License-Identifier: MIT */
/* vct_moves.c - the search by threats: what is known of positions, judging new ones, listing moves.
 */
#include "games/gomoku/solve/draw_bound.h"
#include "games/gomoku/solve/vct_internal.h"
#include <stdlib.h>
#include <string.h>

/* --- table ----------------------------------------------------------------------------------- */
/* The place of what is known for so many plies left. */
static uint64_t counted(const gomoku_vct *v, uint64_t key, int plies)
{
    return key ^ ((uint64_t)v->stage << 16 | (uint64_t)plies) * 0x9E3779B97F4A7C15u;
}

bool gomoku_vct_look_up(const gomoku_vct *v, uint64_t key, int plies, gomoku_vct_entry *e)
{
    if (gomoku_vct_table_find(v->table, key, e) && e->proof == 0 && e->plies <= plies)
        return true;
    return gomoku_vct_table_find(v->table, counted(v, key, plies), e);
}

void gomoku_vct_note(gomoku_vct *v, uint64_t key, vct_numbers n, uint64_t work, int plies, int cell)
{
    gomoku_vct_entry known;
    gomoku_vct_entry e = {.proof = n.proof,
                          .disproof = n.disproof,
                          .work = work < UINT32_MAX ? (uint32_t)work : UINT32_MAX,
                          .plies = (uint16_t)plies,
                          .cell = (uint16_t)cell};
    if (n.proof != 0 && v->stopped)
        return;
    if (n.proof == 0 && gomoku_vct_table_find(v->table, key, &known) && known.proof == 0 &&
        known.plies <= plies)
        return;
    gomoku_vct_table_store(v->table, n.proof == 0 ? key : counted(v, key, v->plies), e);
}

/* The key of the position on the field, with the attacker or the defender to move. */
uint64_t gomoku_vct_key(const gomoku_vct *v, bool defender_moves)
{
    return v->field->hash ^ (defender_moves ? gomoku_state_keys[1] : 0);
}

/* --- judging positions ----------------------------------------------------------------------- */
static gomoku_verdict try_fours(gomoku_vct *v, int colour, int plies, uint64_t nodes)
{
    uint64_t before = v->vcf.nodes;
    int depth = plies == GOMOKU_ENDLESS ? GOMOKU_NO_LIMIT : plies + 2;
    gomoku_verdict verdict = gomoku_vcf_solve(&v->vcf, colour, depth, nodes);
    v->nodes += (v->vcf.nodes - before) / 16;
    v->stopped |= v->vcf.halted;
    return verdict;
}

/* The plies of so many fours, while the search is a quick one. */
static int quick(const gomoku_vct *v, int fours, int plies)
{
    return v->stage == 0 && plies > 2 * fours - 1 ? 2 * fours - 1 : plies;
}

/* A new position with the attacker to move: won by fours, lost to fives, or open. */
vct_numbers gomoku_vct_judge_attack(gomoku_vct *v, int *plies)
{
    gomoku_field *f = v->field;
    vct_numbers n = {1, 1};
    int fives[2], cell = 0;
    int within = quick(v, QUICK_LEAF, v->plies);
    gomoku_verdict verdict = try_fours(v, v->attacker, within, v->vcf_limit);
    *plies = 0;
    if (verdict == GOMOKU_WIN) {
        n = (vct_numbers){0, INFINITE};
        *plies = gomoku_vcf_plies(&v->vcf);
        cell = NO_REPLY;       /* ask the search for fours again */
    } else if (v->plies < 3) { /* a threat, an answer and a four are three */
        vct_need(v, verdict != GOMOKU_UNKNOWN);
        n = (vct_numbers){INFINITE, 0};
    } else if (!f->caro && gomoku_field_fives(f, !v->attacker, fives, 2) > 1) {
        n = (vct_numbers){INFINITE, 0};
    }
    if (v->all && n.proof && n.disproof) {
        /* The fewer rows are left, the nearer the defender is to holding. */
        int weight = gomoku_row_weight(f, v->attacker);
        n.disproof = gomoku_rows_too_few(f, weight, false) ? 0 : (uint32_t)(weight >> (f->row - 3));
        n.proof = n.disproof ? 1 + (uint32_t)((4 << f->row) / (weight + 1)) : INFINITE;
    }
    gomoku_vct_note(v, gomoku_vct_key(v, false), n, 1, *plies, cell);
    return n;
}

static gomoku_cells all_cells(const gomoku_field *f)
{
    gomoku_cells cells = {0};
    for (int y = 0; y < f->height; y++)
        cells.rows[y] = gomoku_field_empty_in_row(f, y);
    return cells;
}

static void take_all(const gomoku_vct *v, vct_answers *a)
{
    a->cells = all_cells(v->field);
    a->plies = 0;
    a->pass = v->may_pass;
}

/*
 * Where the defender moves and has no five: the cells that can save him. False when nothing
 * threatens him, unless everything is tried.
 */
bool gomoku_vct_find_answers(gomoku_vct *v, vct_answers *a)
{
    const gomoku_field *f = v->field;
    int within = quick(v, QUICK_THREAT, vct_less(v->plies, 1));
    gomoku_verdict verdict = try_fours(v, v->attacker, within, v->vcf_limit);
    a->pass = false;
    if (verdict == GOMOKU_WIN) {
        a->plies = 1 + gomoku_vcf_plies(&v->vcf);
        gomoku_vcf_zone(&v->vcf, v->attacker, &a->cells);
        return true;
    }
    if (!v->all) {
        /* Fours that take too long are a threat all the same. */
        if (v->plies != GOMOKU_ENDLESS)
            verdict = try_fours(v, v->attacker, GOMOKU_ENDLESS, v->vcf_limit);
        vct_need(v, verdict != GOMOKU_UNKNOWN);
        if (verdict == GOMOKU_WIN)
            take_all(v, a);
        return verdict == GOMOKU_WIN;
    }
    if (gomoku_rows_too_few(f, gomoku_row_weight(f, v->attacker), true))
        return false;
    take_all(v, a);
    return f->stones < f->width * f->height; /* a full board is a draw */
}

/* A new position with the defender to move: lost for the attacker, or open. */
vct_numbers gomoku_vct_judge_defence(gomoku_vct *v, vct_answers *a)
{
    gomoku_field *f = v->field;
    vct_numbers n = {1, 1};
    int cells = 0;
    if (gomoku_lines_any(&f->with_five[!v->attacker]) || !gomoku_vct_find_answers(v, a)) {
        n = (vct_numbers){INFINITE, 0};
    } else {
        for (int y = 0; y < f->height; y++)
            cells += ply_popcount(a->cells.rows[y]);
        n.proof = (uint32_t)cells / 4 + 1;
        if (gomoku_lines_any(&f->with_four[!v->attacker]) &&
            try_fours(v, !v->attacker, GOMOKU_ENDLESS, COUNTER_LIMIT) == GOMOKU_WIN)
            n = (vct_numbers){INFINITE, 0};
    }
    gomoku_vct_note(v, gomoku_vct_key(v, true), n, 1, 0, 0);
    return n;
}

/* --- children -------------------------------------------------------------------------------- */
static gomoku_vct_child *add_child(gomoku_vct *v)
{
    if (v->children_used == v->children_room) {
        size_t room = 2 * v->children_room;
        gomoku_vct_child *more = realloc(v->children, room * sizeof *more);
        if (!more) {
            v->stopped = true;
            v->children_used--; /* the list is not used any more */
            return &v->children[v->children_used++];
        }
        v->children = more;
        v->children_room = room;
    }
    return &v->children[v->children_used++];
}

static void add_threat(gomoku_vct *v, int cell, uint32_t proof)
{
    gomoku_field *f = v->field;
    if (gomoku_field_forbidden(f, cell, v->attacker))
        return;
    *add_child(v) =
        (gomoku_vct_child){.key = gomoku_vct_key(v, true) ^ gomoku_keys[v->attacker][cell],
                           .proof = proof,
                           .disproof = 1,
                           .cell = (uint16_t)cell,
                           .reply = NO_REPLY,
                           .is_open = true};
}

/* A four and its only answer. */
static void add_four(gomoku_vct *v, int cell)
{
    gomoku_field *f = v->field;
    int fives[2];
    if (gomoku_field_forbidden(f, cell, v->attacker))
        return;
    if (f->caro) { /* there may be several answers */
        add_threat(v, cell, 1);
        return;
    }
    gomoku_field_play(f, cell, v->attacker);
    int count = gomoku_field_fives_of_last(f, v->attacker, fives, 2);
    if (count > 0) {
        bool won = count > 1 || gomoku_field_forbidden(f, fives[0], !v->attacker);
        gomoku_vct_child *c = add_child(v);
        *c = (gomoku_vct_child){.proof = PROOF_OF_FOUR,
                                .disproof = 1,
                                .cell = (uint16_t)cell,
                                .reply = NO_REPLY,
                                .plies = 1};
        if (won) { /* only where the search for fours was cut short */
            c->proof = 0;
            c->disproof = INFINITE;
        } else {
            c->reply = (uint16_t)fives[0];
            c->key = gomoku_vct_key(v, false) ^ gomoku_keys[!v->attacker][fives[0]];
        }
    }
    gomoku_field_undo_last(f);
}

static void add_cells(gomoku_vct *v, const gomoku_cells *cells, uint32_t proof)
{
    for (int y = 0; y < v->field->height; y++)
        for (uint32_t row = cells->rows[y]; row; row &= row - 1)
            add_threat(v, gomoku_cell(ply_lowest(row), y), proof);
}

/* Lists what the attacker may try; he has no win by fours. */
void gomoku_vct_list_attacks(gomoku_vct *v)
{
    gomoku_field *f = v->field;
    gomoku_cells fours = {0}, threes = {0}, builds = {0};
    /* In caro a five can be stopped from outside; judge_defence looks whether it was. */
    int must[2], forced = f->caro ? 0 : gomoku_field_fives(f, !v->attacker, must, 2);
    gomoku_field_collect(f, f->four, v->attacker, &fours);
    gomoku_field_collect(f, f->three, v->attacker, &threes);
    gomoku_field_collect(f, f->build, v->attacker, &builds);
    for (int y = 0; y < f->height; y++) {
        if (forced) {
            uint32_t only = y == gomoku_y(must[0]) ? (uint32_t)1 << gomoku_x(must[0]) : 0;
            fours.rows[y] &= only;
            threes.rows[y] &= only;
            builds.rows[y] &= only;
        }
        threes.rows[y] &= ~fours.rows[y];
        builds.rows[y] &= ~(fours.rows[y] | threes.rows[y]);
    }
    for (int y = 0; y < f->height; y++)
        for (uint32_t row = fours.rows[y]; row; row &= row - 1)
            add_four(v, gomoku_cell(ply_lowest(row), y));
    add_cells(v, &threes, PROOF_OF_THREE);
    add_cells(v, &builds, PROOF_OF_BUILD);
}

/* Lists the rest of what he may try, once the above does not seem to work; false: nothing more. */
bool gomoku_vct_widen(gomoku_vct *v, size_t base)
{
    gomoku_field *f = v->field;
    gomoku_cells others = {0};
    int must[2];
    if (!f->caro && gomoku_field_fives(f, !v->attacker, must, 2)) {
        gomoku_cells_add(&others, must[0]);
    } else if (v->all) {
        others = all_cells(f);
    } else {
        gomoku_verdict verdict = gomoku_vcf_interest(&v->vcf, v->attacker, v->vcf_limit, &others);
        v->stopped |= v->vcf.halted;
        if (verdict == GOMOKU_WIN && v->plies != GOMOKU_ENDLESS)
            others = all_cells(f); /* fours that take too long: whatever he plays threatens them */
        else
            vct_need(v, verdict == GOMOKU_NO);
    }
    for (size_t i = base; i < v->children_used; i++) {
        int cell = v->children[i].cell;
        others.rows[gomoku_y(cell)] &= ~((uint32_t)1 << gomoku_x(cell));
    }
    size_t before = v->children_used;
    add_cells(v, &others, PROOF_OF_OTHER);
    return v->children_used > before;
}

/* One answer of the defender's, judged if it is new. */
static void add_answer(gomoku_vct *v, int cell)
{
    gomoku_field *f = v->field;
    int defender = !v->attacker, plies;
    uint64_t key = gomoku_vct_key(v, false) ^ (cell == PASS ? 0 : gomoku_keys[defender][cell]);
    gomoku_vct_entry e;
    vct_numbers n;
    if (gomoku_vct_look_up(v, key, v->plies, &e)) {
        n = (vct_numbers){e.proof, e.disproof};
        plies = e.plies;
    } else {
        if (cell != PASS)
            gomoku_field_play(f, cell, defender);
        n = gomoku_vct_judge_attack(v, &plies);
        if (cell != PASS)
            gomoku_field_undo_last(f);
    }
    *add_child(v) = (gomoku_vct_child){.key = key,
                                       .proof = n.proof,
                                       .disproof = n.disproof,
                                       .cell = (uint16_t)cell,
                                       .reply = NO_REPLY,
                                       .plies = (uint16_t)plies};
}

/* Lists the defender's answers, for the plies that are left behind them. */
void gomoku_vct_list_answers(gomoku_vct *v, const vct_answers *a)
{
    for (int y = 0; y < v->field->height; y++)
        for (uint32_t row = a->cells.rows[y]; row; row &= row - 1) {
            int cell = gomoku_cell(ply_lowest(row), y);
            if (!gomoku_field_forbidden(v->field, cell, !v->attacker))
                add_answer(v, cell);
        }
    if (a->pass)
        add_answer(v, PASS);
}
