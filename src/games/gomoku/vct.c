/* vct.c - proof-number search over threats; see vct.h. */
#include "games/gomoku/vct.h"
#include "games/gomoku/draws.h"
#include <stdlib.h>
#include <string.h>

enum {
    CLUSTER = 4,
    FIRST_ENTRIES = 1 << 10,
    INFINITE = 1000000000,
    LARGE = INFINITE / 2, /* of numbers that are not final */
    NO_REPLY = GOMOKU_MAX_CELLS,
    GO_ON_EVERY = 256,
    FIRST_THREATS = 2, /* allowed at first; then one more, then any number */
    UNCOUNTED = 1 << 14,
    VCF_LIMIT = 4000,    /* nodes of one search for the attacker's fours */
    COUNTER_LIMIT = 200, /* the same for the defender, which only saves time */
    PROOF_OF_THREE = 2,  /* proof numbers to begin with */
    PROOF_OF_BUILD = 6,
    PROOF_OF_OTHER = 8,
};

typedef struct numbers {
    uint32_t proof, disproof;
} numbers;

ply_status gomoku_vct_init(gomoku_vct *v, gomoku_field *field, size_t bytes)
{
    memset(v, 0, sizeof *v);
    size_t fours = bytes / 4;
    ply_status status = gomoku_vcf_init(&v->vcf, field, fours);
    if (status != PLY_OK)
        return status;
    uint64_t count = FIRST_ENTRIES;
    while (2 * count * sizeof *v->table <= bytes - fours)
        count *= 2;
    v->field = field;
    v->last = count - 1;
    v->mask = FIRST_ENTRIES - 1;
    v->table = calloc(count, sizeof *v->table);
    v->children_room = 4 * GOMOKU_MAX_CELLS;
    v->children = malloc(v->children_room * sizeof *v->children);
    if (v->table && v->children)
        return PLY_OK;
    gomoku_vct_free(v);
    return PLY_NO_MEMORY;
}

void gomoku_vct_free(gomoku_vct *v)
{
    gomoku_vcf_free(&v->vcf);
    free(v->table);
    free(v->children);
    v->table = NULL;
    v->children = NULL;
}

/* --- table ----------------------------------------------------------------------------------- */
static gomoku_vct_entry *probe(const gomoku_vct *v, uint64_t key)
{
    gomoku_vct_entry *e = &v->table[key & v->mask & ~(uint64_t)(CLUSTER - 1)];
    for (int i = 0; i < CLUSTER; i++)
        if (e[i].key == key && e[i].work)
            return &e[i];
    return NULL;
}

static void grow(gomoku_vct *v)
{
    uint64_t old = v->mask + 1;
    v->mask = 2 * old - 1;
    for (uint64_t i = 0; i < old; i++) {
        gomoku_vct_entry *e = &v->table[i];
        if (e->work && (e->key & old)) {
            e[old] = *e;
            e->work = 0;
        }
    }
}

static void store(gomoku_vct *v, uint64_t key, numbers n, uint64_t work, int plies, int cell)
{
    gomoku_vct_entry *e = probe(v, key);
    if (!e) {
        if (++v->held > v->mask / 2 && v->mask < v->last)
            grow(v);
        e = &v->table[key & v->mask & ~(uint64_t)(CLUSTER - 1)];
        gomoku_vct_entry *first = e;
        for (int i = 1; i < CLUSTER; i++)
            if (first[i].work < e->work)
                e = &first[i];
    } else {
        work += e->work;
    }
    *e = (gomoku_vct_entry){.key = key,
                            .proof = n.proof,
                            .disproof = n.disproof,
                            .work = work > UINT32_MAX ? UINT32_MAX : (uint32_t)work,
                            .plies = (uint16_t)plies,
                            .cell = (uint16_t)cell};
}

/* The place of what is known for so many threats left. */
static uint64_t counted(uint64_t key, int left)
{
    return key ^ (uint64_t)(left + 1) * 0x9E3779B97F4A7C15u;
}

/* What is left behind a threat that is no four. */
static int after_threat(const gomoku_vct *v)
{
    return v->left == UNCOUNTED ? UNCOUNTED : v->left - 1;
}

/* What is known: a win, whatever is left, or numbers for what is left here. */
static gomoku_vct_entry *look_up(const gomoku_vct *v, uint64_t key, int left)
{
    gomoku_vct_entry *e = probe(v, key);
    return e && e->proof == 0 ? e : probe(v, counted(key, left));
}

static void note(gomoku_vct *v, uint64_t key, numbers n, uint64_t work, int plies, int cell)
{
    store(v, n.proof == 0 ? key : counted(key, v->left), n, work, plies, cell);
}

/* The key of the position on the field, with the attacker or the defender to move. */
static uint64_t key_of(const gomoku_vct *v, bool defender_moves)
{
    return v->field->hash ^ (defender_moves ? gomoku_state_keys[1] : 0);
}

/* --- judging positions ----------------------------------------------------------------------- */
static gomoku_verdict try_fours(gomoku_vct *v, int colour, uint64_t nodes)
{
    uint64_t before = v->vcf.nodes;
    gomoku_verdict verdict = gomoku_vcf_solve(&v->vcf, colour, GOMOKU_NO_LIMIT, nodes);
    v->nodes += (v->vcf.nodes - before) / 16;
    return verdict;
}

/* A new position with the attacker to move: won by fours, lost to fives, or open. */
static numbers judge_attack(gomoku_vct *v)
{
    gomoku_field *f = v->field;
    numbers n = {1, 1};
    int fives[2], plies = 0, cell = 0;
    gomoku_verdict verdict = try_fours(v, v->attacker, v->vcf_limit);
    if (verdict == GOMOKU_WIN) {
        n = (numbers){0, INFINITE};
        plies = v->vcf.length ? v->vcf.length : 1;
        cell = NO_REPLY;       /* ask the search for fours again */
    } else if (v->left == 0) { /* fours alone are left, and they do not win */
        v->cut = true;
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
    note(v, key_of(v, false), n, 1, plies, cell);
    return n;
}

/*
 * Where the defender moves and has no five: the cells that can save him. False when nothing
 * threatens him, unless everything is tried.
 */
static bool find_zone(gomoku_vct *v, gomoku_cells *zone)
{
    const gomoku_field *f = v->field;
    gomoku_verdict verdict = try_fours(v, v->attacker, v->vcf_limit);
    if (verdict == GOMOKU_WIN) {
        gomoku_vcf_zone(&v->vcf, v->attacker, zone);
        return true;
    }
    if (!v->all) {
        v->incomplete |= verdict == GOMOKU_UNKNOWN;
        return false;
    }
    if (gomoku_rows_too_few(f, gomoku_row_weight(f, v->attacker), true))
        return false;
    memset(zone, 0, sizeof *zone);
    for (int y = 0; y < f->height; y++)
        zone->rows[y] = gomoku_field_empty_in_row(f, y);
    return f->stones < f->width * f->height; /* a full board is a draw */
}

/* A new position with the defender to move: lost for the attacker, or open. */
static numbers judge_defence(gomoku_vct *v, gomoku_cells *zone)
{
    gomoku_field *f = v->field;
    numbers n = {1, 1};
    int cells = 0;
    if (gomoku_lines_any(&f->with_five[!v->attacker]) || !find_zone(v, zone)) {
        n = (numbers){INFINITE, 0};
    } else {
        for (int y = 0; y < f->height; y++)
            cells += ply_popcount(zone->rows[y]);
        n.proof = (uint32_t)cells / 4 + 1;
        if (gomoku_lines_any(&f->with_four[!v->attacker]) &&
            try_fours(v, !v->attacker, COUNTER_LIMIT) == GOMOKU_WIN)
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
            .proof = 1, .disproof = 1, .cell = (uint16_t)cell, .reply = NO_REPLY};
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
        for (int y = 0; y < f->height; y++)
            others.rows[y] = gomoku_field_empty_in_row(f, y);
    } else if (gomoku_vcf_interest(&v->vcf, v->attacker, v->vcf_limit, &others) != GOMOKU_NO) {
        v->incomplete = true;
    }
    for (size_t i = base; i < v->children_used; i++) {
        int cell = v->children[i].cell;
        others.rows[gomoku_y(cell)] &= ~((uint32_t)1 << gomoku_x(cell));
    }
    size_t before = v->children_used;
    add_cells(v, &others, PROOF_OF_OTHER);
    return v->children_used > before;
}

/* Lists the defender's answers that the zone leaves, each judged at least once. */
static void list_defences(gomoku_vct *v, const gomoku_cells *zone)
{
    gomoku_field *f = v->field;
    int defender = !v->attacker;
    for (int y = 0; y < f->height; y++)
        for (uint32_t row = zone->rows[y]; row; row &= row - 1) {
            int cell = gomoku_cell(ply_lowest(row), y);
            if (gomoku_field_forbidden(f, cell, defender))
                continue;
            uint64_t key = key_of(v, false) ^ gomoku_keys[defender][cell];
            const gomoku_vct_entry *e = look_up(v, key, v->left);
            numbers n;
            if (e) {
                n = (numbers){e->proof, e->disproof};
            } else {
                gomoku_field_play(f, cell, defender);
                n = judge_attack(v);
                gomoku_field_undo_last(f);
            }
            *add_child(v) = (gomoku_vct_child){.key = key,
                                               .proof = n.proof,
                                               .disproof = n.disproof,
                                               .cell = (uint16_t)cell,
                                               .reply = NO_REPLY};
        }
}

/* --- the search ------------------------------------------------------------------------------ */
static bool is_out(gomoku_vct *v)
{
    v->nodes++;
    if (v->nodes > v->limit ||
        (v->go_on && v->nodes % GO_ON_EVERY == 0 && !v->go_on(v->context, v->nodes)))
        v->stopped = true;
    return v->stopped;
}

static uint32_t add_up(uint32_t a, uint32_t b)
{
    if (a == INFINITE || b == INFINITE)
        return INFINITE;
    return a + b < LARGE ? a + b : LARGE;
}

static numbers search_defence(gomoku_vct *v, numbers threshold, int *plies);

/* Where the attacker moves: one move that wins is enough. The position has been judged. */
static numbers search_attack(gomoku_vct *v, numbers threshold, int *plies)
{
    gomoku_field *f = v->field;
    size_t base = v->children_used;
    uint64_t started = v->nodes;
    numbers n = {INFINITE, 0};
    int win = 0;
    *plies = 0;
    if (is_out(v))
        return n;
    list_attacks(v);
    bool widened = false;
    for (;;) {
        size_t best = 0, count = v->children_used - base;
        uint32_t second = INFINITE, largest = 0, open = 0;
        numbers chosen = {INFINITE, 0};
        n = (numbers){INFINITE, 0};
        for (size_t i = 0; i < count; i++) {
            gomoku_vct_child *c = &v->children[base + i];
            numbers m = {c->proof, c->disproof};
            const gomoku_vct_entry *e =
                c->reply == NO_REPLY && !c->is_open
                    ? NULL
                    : look_up(v, c->key, c->is_open ? after_threat(v) : v->left);
            if (e) {
                m = (numbers){e->proof, e->disproof};
                c->proof = m.proof;
                c->disproof = m.disproof;
            }
            if (m.proof < n.proof) {
                second = n.proof;
                n.proof = m.proof;
                best = i;
                chosen = m;
            } else if (m.proof < second) {
                second = m.proof;
            }
            if (m.disproof > 0) {
                open++;
                largest = m.disproof > largest ? m.disproof : largest;
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
        if (n.proof == 0)
            n.disproof = INFINITE;
        if (n.disproof == 0)
            n.proof = INFINITE;
        if (n.proof == 0) {
            const gomoku_vct_child *c = &v->children[base + best];
            const gomoku_vct_entry *e = probe(v, c->key); /* won: whatever is left */
            win = c->cell;
            *plies = c->reply == NO_REPLY && !c->is_open ? 1
                     : c->is_open                        ? 1 + (e ? e->plies : 0)
                                                         : 2 + (e ? e->plies : 0);
        }
        if (n.proof >= threshold.proof || n.disproof >= threshold.disproof || n.proof == 0 ||
            n.disproof == 0 || v->stopped)
            break;
        gomoku_vct_child c = v->children[base + best];
        numbers below = {second < INFINITE ? second + 1 + second / 4 : INFINITE,
                         add_up(threshold.disproof - n.disproof, chosen.disproof)};
        if (below.proof > threshold.proof)
            below.proof = threshold.proof;
        int ignored;
        gomoku_field_play(f, c.cell, v->attacker);
        if (c.is_open) {
            int left = v->left;
            v->left = after_threat(v);
            numbers m = search_defence(v, below, &ignored);
            v->left = left;
            v->children[base + best].proof = m.proof;
            v->children[base + best].disproof = m.disproof;
        } else {
            gomoku_field_play(f, c.reply, !v->attacker);
            numbers m = search_attack(v, below, &ignored);
            v->children[base + best].proof = m.proof;
            v->children[base + best].disproof = m.disproof;
            gomoku_field_undo_last(f);
        }
        gomoku_field_undo_last(f);
    }
    v->children_used = base;
    if (!v->stopped || n.proof == 0)
        note(v, key_of(v, false), n, v->nodes - started, *plies, win);
    return n;
}

/* Where the defender moves: every answer must lose. */
static numbers search_defence(gomoku_vct *v, numbers threshold, int *plies)
{
    gomoku_field *f = v->field;
    size_t base = v->children_used;
    uint64_t started = v->nodes;
    numbers n = {INFINITE, 0};
    *plies = 0;
    if (is_out(v))
        return n;
    gomoku_cells zone;
    const gomoku_vct_entry *known = look_up(v, key_of(v, true), v->left);
    if (known) {
        if (!find_zone(v, &zone)) {
            v->incomplete = true; /* there was one once: only the nodes were too few now */
            return (numbers){INFINITE, 0};
        }
    } else {
        n = judge_defence(v, &zone);
        if (n.disproof == 0 || n.proof >= threshold.proof)
            return n;
    }
    int shortest = v->vcf.length; /* of what follows a pass */
    list_defences(v, &zone);
    size_t count = v->children_used - base;
    for (;;) {
        size_t best = 0;
        uint32_t second = INFINITE, largest = 0, open = 0;
        numbers chosen = {0, INFINITE};
        n = (numbers){0, INFINITE};
        *plies = 1 + shortest;
        for (size_t i = 0; i < count; i++) {
            gomoku_vct_child *c = &v->children[base + i];
            const gomoku_vct_entry *e = look_up(v, c->key, v->left);
            if (e) {
                c->proof = e->proof;
                c->disproof = e->disproof;
                if (e->plies + 1 > *plies)
                    *plies = e->plies + 1;
            }
            numbers m = {c->proof, c->disproof};
            if (m.disproof < n.disproof) {
                second = n.disproof;
                n.disproof = m.disproof;
                best = i;
                chosen = m;
            } else if (m.disproof < second) {
                second = m.disproof;
            }
            if (m.proof > 0) {
                open++;
                largest = m.proof > largest ? m.proof : largest;
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
        numbers below = {add_up(threshold.proof - n.proof, chosen.proof),
                         second < INFINITE ? second + 1 + second / 4 : INFINITE};
        if (below.disproof > threshold.disproof)
            below.disproof = threshold.disproof;
        int ignored;
        gomoku_field_play(f, c.cell, !v->attacker);
        numbers m = search_attack(v, below, &ignored);
        gomoku_field_undo_last(f);
        v->children[base + best].proof = m.proof;
        v->children[base + best].disproof = m.disproof;
    }
    v->children_used = base;
    if (!v->stopped || n.proof == 0)
        note(v, key_of(v, true), n, v->nodes - started, n.proof ? 0 : *plies, 0);
    return n;
}

gomoku_verdict gomoku_vct_solve(gomoku_vct *v, int attacker, bool all, uint64_t nodes)
{
    int plies;
    v->attacker = attacker;
    v->all = all;
    v->limit = v->nodes + nodes;
    v->vcf_limit = VCF_LIMIT;
    v->stopped = v->incomplete = false;
    v->children_used = 0;
    numbers n = {INFINITE, 0};
    int most = all || v->field->caro ? UNCOUNTED : FIRST_THREATS;
    for (v->left = most;; v->left = v->left == FIRST_THREATS ? FIRST_THREATS + 1 : UNCOUNTED) {
        v->cut = v->incomplete = false;
        n = judge_attack(v);
        if (n.proof && n.disproof)
            n = search_attack(v, (numbers){INFINITE, INFINITE}, &plies);
        if (n.proof == 0 || v->stopped || !v->cut)
            break;
    }
    if (n.proof == 0)
        return GOMOKU_WIN;
    return n.disproof == 0 && !v->stopped && !v->incomplete ? GOMOKU_NO : GOMOKU_UNKNOWN;
}

int gomoku_vct_winner(gomoku_vct *v)
{
    int plies;
    const gomoku_vct_entry *e = probe(v, key_of(v, false)); /* a win, if it is there */
    if (!e || e->proof != 0 || e->cell == NO_REPLY) {
        v->stopped = false;
        v->limit = UINT64_MAX;
        v->children_used = 0;
        if (search_attack(v, (numbers){INFINITE, INFINITE}, &plies).proof != 0)
            return -1;
        e = probe(v, key_of(v, false));
    }
    return e && e->proof == 0 && e->cell != NO_REPLY ? e->cell : -1;
}

void gomoku_vct_clear(gomoku_vct *v)
{
    memset(v->table, 0, (v->mask + 1) * sizeof *v->table);
    v->mask = FIRST_ENTRIES - 1;
    v->held = v->nodes = 0;
    gomoku_vcf_clear(&v->vcf);
}

size_t gomoku_vct_bytes(const gomoku_vct *v)
{
    return (v->mask + 1) * sizeof *v->table + (v->vcf.mask + 1) * sizeof *v->vcf.table +
           v->children_room * sizeof *v->children;
}
