/* vct.c - proof-number search over threats; see vct.h. */
#include "games/gomoku/vct.h"
#include "games/gomoku/draws.h"
#include "games/gomoku/vct_team.h"
#include <stdlib.h>
#include <string.h>

enum {
    INFINITE = 1000000000,
    LARGE = INFINITE / 2, /* of numbers that are not final */
    NO_REPLY = GOMOKU_MAX_CELLS,
    PASS = GOMOKU_MAX_CELLS,
    GO_ON_EVERY = 256,
    TEAM_FROM = 2000,  /* nodes: less is done before threads have begun */
    FIRST_THREATS = 2, /* allowed at first; then one more, then any number */
    UNCOUNTED = GOMOKU_ENDLESS,
    VCF_LIMIT = 4000,    /* nodes of one search for the attacker's fours */
    MORE_PATIENCE = 16,  /* times as many, when that was too few for a "no" */
    PATIENCE = 3,        /* so often */
    COUNTER_LIMIT = 200, /* the same for the defender, which only saves time */
    PROOF_OF_THREE = 2,  /* proof numbers to begin with */
    PROOF_OF_BUILD = 6,
    PROOF_OF_OTHER = 8,
};

typedef struct numbers {
    uint32_t proof, disproof;
} numbers;

/* What a defender who is threatened may try. */
typedef struct answers {
    gomoku_cells cells;
    int plies; /* of the win if he does anything else */
    bool pass; /* he may pass, and that must be looked at */
} answers;

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

/* --- table ----------------------------------------------------------------------------------- */
/* Fewer, unless there is no end to them. */
static int less(int number, int by)
{
    return number == GOMOKU_ENDLESS ? number : number - by;
}

/* The place of what is known for so many threats and plies left. */
static uint64_t counted(const gomoku_vct *v, uint64_t key, int left, int plies)
{
    uint64_t state = (uint64_t)v->patience << 32 | (uint64_t)plies << 16 | (uint64_t)(left + 1);
    return key ^ state * 0x9E3779B97F4A7C15u;
}

/* What is known: a win in time, or numbers for what is left. */
static bool look_up(const gomoku_vct *v, uint64_t key, int left, int plies, gomoku_vct_entry *e)
{
    if (gomoku_vct_table_find(v->table, key, e) && e->proof == 0 && e->plies <= plies)
        return true;
    return gomoku_vct_table_find(v->table, counted(v, key, left, plies), e);
}

/* A win is noted for any number of threats; after a stop nothing else is certain. */
static void note(gomoku_vct *v, uint64_t key, numbers n, uint64_t work, int plies, int cell)
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
    gomoku_vct_table_store(v->table, n.proof == 0 ? key : counted(v, key, v->left, v->plies), e);
}

/* The key of the position on the field, with the attacker or the defender to move. */
static uint64_t key_of(const gomoku_vct *v, bool defender_moves)
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

/* A new position with the attacker to move: won by fours, lost to fives, or open. */
static numbers judge_attack(gomoku_vct *v, int *plies)
{
    gomoku_field *f = v->field;
    numbers n = {1, 1};
    int fives[2], cell = 0;
    gomoku_verdict verdict = try_fours(v, v->attacker, v->plies, v->vcf_limit);
    *plies = 0;
    if (verdict == GOMOKU_WIN) {
        n = (numbers){0, INFINITE};
        *plies = gomoku_vcf_plies(&v->vcf);
        cell = NO_REPLY;       /* ask the search for fours again */
    } else if (v->left == 0) { /* fours alone are left, and they do not win */
        v->cut = true;
        n = (numbers){INFINITE, 0};
    } else if (v->plies < 3) { /* a threat, an answer and a four are three */
        v->incomplete |= verdict == GOMOKU_UNKNOWN;
        n = (numbers){INFINITE, 0};
    } else if (!f->caro && gomoku_field_fives(f, !v->attacker, fives, 2) > 1) {
        n = (numbers){INFINITE, 0};
    }
    if (v->all && n.proof && n.disproof) {
        /* The fewer rows are left, the nearer the defender is to holding. */
        int weight = gomoku_row_weight(f, v->attacker);
        n.disproof = gomoku_rows_too_few(f, weight, false) ? 0 : (uint32_t)(weight >> (f->row - 3));
        n.proof = n.disproof ? 1 + (uint32_t)((4 << f->row) / (weight + 1)) : INFINITE;
    }
    note(v, key_of(v, false), n, 1, *plies, cell);
    return n;
}

static gomoku_cells all_cells(const gomoku_field *f)
{
    gomoku_cells cells = {0};
    for (int y = 0; y < f->height; y++)
        cells.rows[y] = gomoku_field_empty_in_row(f, y);
    return cells;
}

static void take_all(const gomoku_vct *v, answers *a)
{
    a->cells = all_cells(v->field);
    a->plies = 0;
    a->pass = v->may_pass;
}

/*
 * Where the defender moves and has no five: the cells that can save him. False when nothing
 * threatens him, unless everything is tried.
 */
static bool find_answers(gomoku_vct *v, answers *a)
{
    const gomoku_field *f = v->field;
    gomoku_verdict verdict = try_fours(v, v->attacker, less(v->plies, 1), v->vcf_limit);
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
        v->incomplete |= verdict == GOMOKU_UNKNOWN;
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
static numbers judge_defence(gomoku_vct *v, answers *a)
{
    gomoku_field *f = v->field;
    numbers n = {1, 1};
    int cells = 0;
    if (gomoku_lines_any(&f->with_five[!v->attacker]) || !find_answers(v, a)) {
        n = (numbers){INFINITE, 0};
    } else {
        for (int y = 0; y < f->height; y++)
            cells += ply_popcount(a->cells.rows[y]);
        n.proof = (uint32_t)cells / 4 + 1;
        if (gomoku_lines_any(&f->with_four[!v->attacker]) &&
            try_fours(v, !v->attacker, GOMOKU_ENDLESS, COUNTER_LIMIT) == GOMOKU_WIN)
            n = (numbers){INFINITE, 0};
    }
    note(v, key_of(v, true), n, 1, 0, 0);
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
    if (v->left == 0) {
        v->cut = true;
        return;
    }
    *add_child(v) = (gomoku_vct_child){.key = key_of(v, true) ^ gomoku_keys[v->attacker][cell],
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
        *c = (gomoku_vct_child){
            .proof = 1, .disproof = 1, .cell = (uint16_t)cell, .reply = NO_REPLY, .plies = 1};
        if (won) { /* only where the search for fours was cut short */
            c->proof = 0;
            c->disproof = INFINITE;
        } else {
            c->reply = (uint16_t)fives[0];
            c->key = key_of(v, false) ^ gomoku_keys[!v->attacker][fives[0]];
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
static void list_attacks(gomoku_vct *v)
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
static bool widen(gomoku_vct *v, size_t base)
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
            v->incomplete |= verdict != GOMOKU_NO;
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
    uint64_t key = key_of(v, false) ^ (cell == PASS ? 0 : gomoku_keys[defender][cell]);
    gomoku_vct_entry e;
    numbers n;
    if (look_up(v, key, v->left, v->plies, &e)) {
        n = (numbers){e.proof, e.disproof};
        plies = e.plies;
    } else {
        if (cell != PASS)
            gomoku_field_play(f, cell, defender);
        n = judge_attack(v, &plies);
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
static void list_answers(gomoku_vct *v, const answers *a)
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

static numbers search_attack(gomoku_vct *v, numbers threshold, int *plies);
static numbers search_defence(gomoku_vct *v, numbers threshold, int *plies);

/* What is known of a child by now. */
static void refresh(const gomoku_vct *v, gomoku_vct_child *c, int left, int plies)
{
    gomoku_vct_entry e;
    if (c->proof != 0 && c->disproof != 0 && look_up(v, c->key, left, plies, &e)) {
        c->proof = e.proof;
        c->disproof = e.disproof;
        c->plies = e.plies;
    }
}

/* Plays a child of an attacker's position and searches on. */
static void enter_attack(gomoku_vct *v, size_t index, numbers below)
{
    gomoku_field *f = v->field;
    gomoku_vct_child c = v->children[index];
    int left = v->left, plies = v->plies, length;
    numbers n;
    gomoku_field_play(f, c.cell, v->attacker);
    if (c.is_open) {
        v->left = less(left, 1);
        v->plies = less(plies, 1);
        n = search_defence(v, below, &length);
    } else {
        gomoku_field_play(f, c.reply, !v->attacker);
        v->plies = less(plies, 2);
        n = search_attack(v, below, &length);
        gomoku_field_undo_last(f);
    }
    gomoku_field_undo_last(f);
    v->left = left;
    v->plies = plies;
    v->children[index].proof = n.proof;
    v->children[index].disproof = n.disproof;
    v->children[index].plies = (uint16_t)length;
}

/* Where the attacker moves: one move that wins is enough. The position has been judged. */
static numbers search_attack(gomoku_vct *v, numbers threshold, int *plies)
{
    size_t base = v->children_used;
    uint64_t started = v->nodes, key = key_of(v, false);
    numbers n = {INFINITE, 0};
    int win = 0;
    *plies = 0;
    if (is_out(v))
        return (numbers){1, 1};
    if (v->plies < 3) /* behind a four it has not been judged */
        return judge_attack(v, plies);
    bool marks = v->marks, widened = false;
    if (marks)
        gomoku_vct_mark(v->team, key, 1);
    list_attacks(v);
    for (;;) {
        size_t best = 0, count = v->children_used - base;
        uint32_t first = INFINITE, second = INFINITE, largest = 0, open = 0;
        n = (numbers){INFINITE, 0};
        for (size_t i = 0; i < count; i++) {
            gomoku_vct_child *c = &v->children[base + i];
            if (c->is_open)
                refresh(v, c, less(v->left, 1), less(v->plies, 1));
            else if (c->reply != NO_REPLY)
                refresh(v, c, v->left, less(v->plies, 2));
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
            if (widen(v, base))
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
                     (numbers){reach(second, threshold.proof, c->proof),
                               add_up(threshold.disproof - n.disproof, c->disproof)});
    }
    v->children_used = base;
    if (marks)
        gomoku_vct_mark(v->team, key, -1);
    note(v, key, n, v->nodes - started, *plies, win);
    return n;
}

/* Where the defender moves: every answer must lose. */
static numbers search_defence(gomoku_vct *v, numbers threshold, int *plies)
{
    gomoku_field *f = v->field;
    size_t base = v->children_used;
    uint64_t started = v->nodes, key = key_of(v, true);
    numbers n = {INFINITE, 0};
    gomoku_vct_entry known;
    answers a;
    *plies = 0;
    if (is_out(v))
        return (numbers){1, 1};
    if (look_up(v, key, v->left, v->plies, &known)) {
        if (!find_answers(v, &a)) {
            v->incomplete = true; /* there were some once: only the nodes were too few now */
            return (numbers){INFINITE, 0};
        }
    } else {
        n = judge_defence(v, &a);
        if (n.disproof == 0 || n.proof >= threshold.proof)
            return n;
    }
    bool marks = v->marks;
    if (marks)
        gomoku_vct_mark(v->team, key, 1);
    int own_plies = v->plies;
    v->plies = less(own_plies, 1);
    list_answers(v, &a);
    size_t count = v->children_used - base;
    for (;;) {
        size_t best = 0;
        uint32_t first = INFINITE, second = INFINITE, largest = 0, open = 0;
        n = (numbers){0, INFINITE};
        *plies = a.plies;
        for (size_t i = 0; i < count; i++) {
            gomoku_vct_child *c = &v->children[base + i];
            refresh(v, c, v->left, v->plies);
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
        numbers below = {add_up(threshold.proof - n.proof, c.proof),
                         reach(second, threshold.disproof, c.disproof)};
        int length;
        if (c.cell != PASS)
            gomoku_field_play(f, c.cell, !v->attacker);
        numbers m = search_attack(v, below, &length);
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
    note(v, key, n, v->nodes - started, n.proof ? 0 : *plies, 0);
    return n;
}

int gomoku_vct_root(gomoku_vct *v)
{
    int plies;
    numbers n = judge_attack(v, &plies);
    if (n.proof && n.disproof && !v->stopped)
        n = search_attack(v, (numbers){INFINITE, INFINITE}, &plies);
    return n.proof == 0 ? 1 : n.disproof == 0 && !v->stopped ? -1 : 0;
}

/* The same with the team's help. */
static int search_root(gomoku_vct *v)
{
    v->root_left = v->left;
    v->root_plies = v->plies;
    v->began = v->nodes;
    v->cut = v->incomplete = false;
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
    int first = all || v->field->caro || plies != GOMOKU_ENDLESS ? UNCOUNTED : FIRST_THREATS;
    v->attacker = attacker;
    v->all = all;
    v->plies = plies;
    v->limit = nodes < UINT64_MAX - v->nodes ? v->nodes + nodes : UINT64_MAX;
    v->vcf_limit = VCF_LIMIT;
    v->stopped = false;
    for (v->patience = 0;; v->patience++, v->vcf_limit *= MORE_PATIENCE) {
        int verdict;
        for (v->left = first;; v->left = v->left == FIRST_THREATS ? v->left + 1 : UNCOUNTED) {
            verdict = search_root(v);
            if (verdict > 0)
                return GOMOKU_WIN;
            if (!verdict || !v->cut)
                break;
        }
        if (verdict && !v->incomplete)
            return GOMOKU_NO;
        if (!verdict || v->patience == PATIENCE)
            return GOMOKU_UNKNOWN;
    }
}

/* --- what was found, again -------------------------------------------------------------------- */
static void begin_again(gomoku_vct *v)
{
    v->stopped = false;
    v->limit = UINT64_MAX;
    v->children_used = 0;
    v->left = UNCOUNTED;
    v->incomplete = false;
    v->began = UINT64_MAX / 2; /* alone */
}

int gomoku_vct_winner(gomoku_vct *v, int plies)
{
    int length;
    gomoku_vct_entry e;
    uint64_t key = key_of(v, false);
    begin_again(v);
    v->plies = plies;
    for (int i = 0; i < 2; i++) {
        if (gomoku_vct_table_find(v->table, key, &e) && e.proof == 0 && e.plies <= plies &&
            e.cell != NO_REPLY)
            return e.cell;
        if (i == 0 && search_attack(v, (numbers){INFINITE, INFINITE}, &length).proof != 0)
            return -1;
    }
    return -1;
}

int gomoku_vct_saver(gomoku_vct *v)
{
    int length, found = -1;
    answers a;
    begin_again(v);
    v->plies = GOMOKU_ENDLESS;
    if (search_defence(v, (numbers){INFINITE, INFINITE}, &length).disproof != 0 ||
        !find_answers(v, &a))
        return -1;
    /* Its place in the table may be gone: then each is searched again. */
    list_answers(v, &a);
    size_t count = v->children_used;
    for (size_t i = 0; i < count && found < 0; i++)
        if (v->children[i].disproof == 0)
            found = v->children[i].cell;
    for (size_t i = 0; i < count && found < 0; i++) {
        int cell = v->children[i].cell;
        if (v->children[i].proof == 0)
            continue;
        gomoku_field_play(v->field, cell, !v->attacker);
        if (search_attack(v, (numbers){INFINITE, INFINITE}, &length).disproof == 0)
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
