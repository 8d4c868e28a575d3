/* SPDX-License-Identifier: MIT */
/* vct.c - proof-number search over threats; see vct.h. */
#include "games/gomoku/solve/vct_internal.h"
#include "games/gomoku/solve/vct_threads.h"
#include <stdlib.h>
#include <string.h>

ply_status gomoku_vct_init(gomoku_vct *v, gomoku_field *field, gomoku_vct_table *table,
                           size_t bytes)
{
    memset(v, 0, sizeof *v);
    ply_status status = gomoku_vcf_init(&v->vcf, field, bytes);
    if (status != PLY_OK)
        return status;
    v->field = field;
    v->table = table;
    v->children_room = 4 * GOMOKU_MAX_CELLS;
    v->children = malloc(v->children_room * sizeof *v->children);
    if (v->children)
        return PLY_OK;
    gomoku_vct_free(v);
    return PLY_NO_MEMORY;
}

void gomoku_vct_free(gomoku_vct *v)
{
    gomoku_vcf_free(&v->vcf);
    free(v->children);
    v->children = NULL;
}

/* --- the search ------------------------------------------------------------------------------ */
static bool is_out(gomoku_vct *v)
{
    gomoku_vct_team *team = v->team;
    v->nodes++;
    if (v->nodes > v->limit)
        v->stopped = true;
    if (v->nodes % GO_ON_EVERY != 0)
        return v->stopped;
    if (team && v->number == 0) {
        if (!v->marks && v->nodes >= v->began + TEAM_FROM)
            gomoku_vct_team_start(team);
        v->stopped |= v->marks && (atomic_load_explicit(&team->stop, memory_order_relaxed) ||
                                   v->nodes + gomoku_vct_team_nodes(team) > v->limit);
    }
    v->stopped |= v->go_on && !v->go_on(v->context, v->nodes);
    return v->stopped;
}

static uint32_t add_up(uint32_t a, uint32_t b)
{
    if (a == INFINITE || b == INFINITE)
        return INFINITE;
    return a + b < LARGE ? a + b : LARGE;
}

/* A number as it looks while others are at work below it. */
static uint32_t shifted(const gomoku_vct *v, uint64_t key, uint32_t number)
{
    if (!v->marks || number == 0 || number >= LARGE)
        return number;
    return number + gomoku_vct_marks(v->team, key) * (1 + (number < 1000 ? number : 1000) / 2);
}

/* The threshold for the child chosen: what the next one has and a little more. */
static uint32_t reach(uint32_t second, uint32_t threshold, uint32_t chosen)
{
    uint32_t below = second < LARGE ? second + 1 + second / 4 : INFINITE;
    below = below < threshold ? below : threshold;
    return below > chosen ? below : chosen + 1; /* not the least, where others are at that one */
}

static vct_numbers search_attack(gomoku_vct *v, vct_numbers threshold, int *plies);
static vct_numbers search_defence(gomoku_vct *v, vct_numbers threshold, int *plies);

/* What is known of a child by now. */
static void refresh(const gomoku_vct *v, gomoku_vct_child *c, int plies)
{
    gomoku_vct_entry e;
    if (c->proof != 0 && c->disproof != 0 && gomoku_vct_look_up(v, c->key, plies, &e)) {
        c->proof = e.proof;
        c->disproof = e.disproof;
        c->plies = e.plies;
    }
}

/* Plays a child of an attacker's position and searches on. */
static void enter_attack(gomoku_vct *v, size_t index, vct_numbers below)
{
    gomoku_field *f = v->field;
    gomoku_vct_child c = v->children[index];
    int plies = v->plies, length;
    vct_numbers n;
    gomoku_field_play(f, c.cell, v->attacker);
    if (c.is_open) {
        v->plies = vct_less(plies, 1);
        n = search_defence(v, below, &length);
    } else {
        gomoku_field_play(f, c.reply, !v->attacker);
        v->plies = vct_less(plies, 2);
        n = search_attack(v, below, &length);
        gomoku_field_undo_last(f);
    }
    gomoku_field_undo_last(f);
    v->plies = plies;
    v->children[index].proof = n.proof;
    v->children[index].disproof = n.disproof;
    v->children[index].plies = (uint16_t)length;
}

/* Two ways for the defender to make five: one stone does not stop both. */
static bool has_two_fives(const gomoku_vct *v)
{
    const gomoku_field *f = v->field;
    int fives[2];
    return !f->caro && gomoku_lines_any(&f->with_five[!v->attacker]) &&
           gomoku_field_fives(f, !v->attacker, fives, 2) > 1;
}

/* Where the attacker moves: one move that wins is enough. The position has been judged. */
static vct_numbers search_attack(gomoku_vct *v, vct_numbers threshold, int *plies)
{
    size_t base = v->children_used;
    uint64_t started = v->nodes, key = gomoku_vct_key(v, false);
    vct_numbers n = {INFINITE, 0};
    int win = 0;
    *plies = 0;
    if (is_out(v))
        return (vct_numbers){1, 1};
    if (v->plies < 3) /* behind a four it has not been judged */
        return gomoku_vct_judge_attack(v, plies);
    if (has_two_fives(v)) { /* his answer to a four can make them */
        gomoku_vct_note(v, key, n, 1, 0, 0);
        return n;
    }
    bool marks = v->marks, widened = false;
    if (marks)
        gomoku_vct_mark(v->team, key, 1);
    gomoku_vct_list_attacks(v);
    for (;;) {
        size_t best = 0, count = v->children_used - base;
        uint32_t first = INFINITE, second = INFINITE, largest = 0, open = 0;
        n = (vct_numbers){INFINITE, 0};
        for (size_t i = 0; i < count; i++) {
            gomoku_vct_child *c = &v->children[base + i];
            if (c->is_open)
                refresh(v, c, vct_less(v->plies, 1));
            else if (c->reply != NO_REPLY)
                refresh(v, c, vct_less(v->plies, 2));
            n.proof = c->proof < n.proof ? c->proof : n.proof;
            uint32_t seems = shifted(v, c->key, c->proof);
            if (seems < first) {
                second = first;
                first = seems;
                best = i;
            } else if (seems < second) {
                second = seems;
            }
            if (c->disproof > 0) {
                open++;
                largest = c->disproof > largest ? c->disproof : largest;
            }
        }
        n.disproof = open ? add_up(largest, open - 1) : 0;
        /* The others join when what is listed has come to look as hard as they do. */
        bool hard = n.disproof == 0 || (!v->all && n.proof >= PROOF_OF_OTHER && n.proof < INFINITE);
        if (hard && !widened && !v->stopped) {
            widened = true;
            if (gomoku_vct_widen(v, base))
                continue;
        }
        const gomoku_vct_child *c = &v->children[base + best];
        if (n.proof == 0) {
            n.disproof = INFINITE;
            win = c->cell;
            *plies = c->is_open ? 1 + c->plies : c->reply != NO_REPLY ? 2 + c->plies : 1;
            *plies = *plies < v->plies ? *plies : v->plies;
        }
        if (n.disproof == 0)
            n.proof = INFINITE;
        if (n.proof >= threshold.proof || n.disproof >= threshold.disproof || n.proof == 0 ||
            n.disproof == 0 || v->stopped)
            break;
        enter_attack(v, base + best,
                     (vct_numbers){reach(second, threshold.proof, c->proof),
                                   add_up(threshold.disproof - n.disproof, c->disproof)});
    }
    v->children_used = base;
    if (marks)
        gomoku_vct_mark(v->team, key, -1);
    gomoku_vct_note(v, key, n, v->nodes - started, *plies, win);
    return n;
}

/* Where the defender moves: every answer must lose. */
static vct_numbers search_defence(gomoku_vct *v, vct_numbers threshold, int *plies)
{
    gomoku_field *f = v->field;
    size_t base = v->children_used;
    uint64_t started = v->nodes, key = gomoku_vct_key(v, true);
    vct_numbers n = {INFINITE, 0};
    gomoku_vct_entry known;
    vct_answers a;
    *plies = 0;
    if (is_out(v))
        return (vct_numbers){1, 1};
    if (gomoku_vct_look_up(v, key, v->plies, &known)) {
        if (!gomoku_vct_find_answers(v, &a)) {
            vct_need(v, false); /* there were some once: only the nodes were too few now */
            return (vct_numbers){INFINITE, 0};
        }
    } else {
        n = gomoku_vct_judge_defence(v, &a);
        if (n.disproof == 0 || n.proof >= threshold.proof)
            return n;
    }
    bool marks = v->marks;
    if (marks)
        gomoku_vct_mark(v->team, key, 1);
    int own_plies = v->plies;
    v->plies = vct_less(own_plies, 1);
    gomoku_vct_list_answers(v, &a);
    size_t count = v->children_used - base;
    bool whole = !v->stopped; /* there may have been no memory for all the answers */
    n = (vct_numbers){1, 1};
    while (whole) {
        size_t best = 0;
        uint32_t first = INFINITE, second = INFINITE, largest = 0, open = 0;
        n = (vct_numbers){0, INFINITE};
        *plies = a.plies;
        for (size_t i = 0; i < count; i++) {
            gomoku_vct_child *c = &v->children[base + i];
            refresh(v, c, v->plies);
            n.disproof = c->disproof < n.disproof ? c->disproof : n.disproof;
            uint32_t seems = shifted(v, c->key, c->disproof);
            if (seems < first) {
                second = first;
                first = seems;
                best = i;
            } else if (seems < second) {
                second = seems;
            }
            if (c->proof > 0) {
                open++;
                largest = c->proof > largest ? c->proof : largest;
            } else if (c->plies + 1 > *plies) {
                *plies = c->plies + 1;
            }
        }
        n.proof = open ? add_up(largest, open - 1) : 0;
        if (n.disproof == 0)
            n.proof = INFINITE;
        if (n.proof == 0)
            n.disproof = INFINITE;
        if (n.proof >= threshold.proof || n.disproof >= threshold.disproof || n.proof == 0 ||
            n.disproof == 0 || v->stopped)
            break;
        gomoku_vct_child c = v->children[base + best];
        vct_numbers below = {add_up(threshold.proof - n.proof, c.proof),
                             reach(second, threshold.disproof, c.disproof)};
        int length;
        if (c.cell != PASS)
            gomoku_field_play(f, c.cell, !v->attacker);
        vct_numbers m = search_attack(v, below, &length);
        if (c.cell != PASS)
            gomoku_field_undo_last(f);
        v->children[base + best].proof = m.proof;
        v->children[base + best].disproof = m.disproof;
        v->children[base + best].plies = (uint16_t)length;
    }
    v->children_used = base;
    v->plies = own_plies;
    if (marks)
        gomoku_vct_mark(v->team, key, -1);
    if (n.proof == 0 && *plies > own_plies)
        *plies = own_plies;
    gomoku_vct_note(v, key, n, v->nodes - started, n.proof ? 0 : *plies, 0);
    return n;
}

int gomoku_vct_root(gomoku_vct *v)
{
    int plies;
    vct_numbers n = gomoku_vct_judge_attack(v, &plies);
    if (n.proof && n.disproof && !v->stopped)
        n = search_attack(v, (vct_numbers){INFINITE, INFINITE}, &plies);
    return n.proof == 0 ? 1 : n.disproof == 0 && !v->stopped ? -1 : 0;
}

/* The same with the team's help. */
static int search_root(gomoku_vct *v)
{
    v->root_plies = v->plies;
    v->began = v->nodes;
    v->incomplete = false;
    v->children_used = 0;
    if (v->team)
        v->team->root = *v->field;
    int verdict = gomoku_vct_root(v);
    if (v->marks) {
        int others = gomoku_vct_team_end(v->team);
        if (!verdict && others) {
            verdict = others;
            v->stopped = false;
        }
    }
    return verdict;
}

gomoku_verdict gomoku_vct_solve(gomoku_vct *v, int attacker, bool all, int plies, uint64_t nodes)
{
    v->attacker = attacker;
    v->all = all;
    v->plies = plies;
    v->limit = nodes < UINT64_MAX - v->nodes ? v->nodes + nodes : UINT64_MAX;
    v->vcf_limit = VCF_LIMIT;
    v->stopped = false;
    v->stage = all || plies != GOMOKU_ENDLESS ? 1 : 0;
    for (;; v->stage++) {
        int verdict = search_root(v);
        if (verdict > 0)
            return GOMOKU_WIN;
        if (!verdict)
            return GOMOKU_UNKNOWN;
        if (v->stage == 0)
            continue; /* what a quick look did not see */
        if (!v->incomplete)
            return GOMOKU_NO;
        if (v->stage == STAGES)
            return GOMOKU_UNKNOWN;
        v->vcf_limit *= MORE_PATIENCE;
    }
}

/* --- what was found, again -------------------------------------------------------------------- */
static void begin_again(gomoku_vct *v)
{
    v->stopped = false;
    v->limit = UINT64_MAX;
    v->children_used = 0;
    v->incomplete = false;
    v->began = UINT64_MAX / 2; /* alone */
}

int gomoku_vct_winner(gomoku_vct *v, int plies)
{
    int length;
    gomoku_vct_entry e;
    uint64_t key = gomoku_vct_key(v, false);
    begin_again(v);
    v->plies = plies;
    for (int i = 0; i < 2; i++) {
        if (gomoku_vct_table_find(v->table, key, &e) && e.proof == 0 && e.plies <= plies &&
            e.cell != NO_REPLY)
            return e.cell;
        if (i == 0 && search_attack(v, (vct_numbers){INFINITE, INFINITE}, &length).proof != 0)
            return -1;
    }
    return -1;
}

int gomoku_vct_saver(gomoku_vct *v)
{
    int length, found = -1;
    vct_answers a;
    begin_again(v);
    v->plies = GOMOKU_ENDLESS;
    if (search_defence(v, (vct_numbers){INFINITE, INFINITE}, &length).disproof != 0 ||
        !gomoku_vct_find_answers(v, &a))
        return -1;
    /* Its place in the table may be gone: then each is searched again. */
    gomoku_vct_list_answers(v, &a);
    size_t count = v->children_used;
    for (size_t i = 0; i < count && found < 0; i++)
        if (v->children[i].disproof == 0)
            found = v->children[i].cell;
    for (size_t i = 0; i < count && found < 0; i++) {
        int cell = v->children[i].cell;
        if (v->children[i].proof == 0)
            continue;
        gomoku_field_play(v->field, cell, !v->attacker);
        if (search_attack(v, (vct_numbers){INFINITE, INFINITE}, &length).disproof == 0)
            found = cell;
        gomoku_field_undo_last(v->field);
    }
    v->children_used = 0;
    return v->incomplete ? -1 : found;
}

void gomoku_vct_clear(gomoku_vct *v)
{
    gomoku_vct_table_clear(v->table);
    gomoku_vcf_clear(&v->vcf);
    if (v->team)
        gomoku_vct_team_clear(v->team);
    v->nodes = 0;
}

size_t gomoku_vct_bytes(const gomoku_vct *v)
{
    return (v->table->mask + 1) * sizeof *v->table->slots +
           (v->vcf.mask + 1) * sizeof *v->vcf.table + v->children_room * sizeof *v->children +
           (v->team ? gomoku_vct_team_bytes(v->team) : 0);
}
