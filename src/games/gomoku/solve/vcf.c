/* SPDX-License-Identifier: MIT */
/* vcf.c - victory by continuous fours; see vcf.h. */
#include "games/gomoku/solve/vcf.h"
#include <stdlib.h>
#include <string.h>

enum { CLUSTER = 2, GO_ON_EVERY = 1024, MIN_BYTES = 1 << 16, FIRST_ENTRIES = 1 << 10 };

ply_status gomoku_vcf_init(gomoku_vcf *v, gomoku_field *field, size_t bytes)
{
    memset(v, 0, sizeof *v);
    uint64_t count = 1;
    bytes = bytes < MIN_BYTES ? MIN_BYTES : bytes;
    while (2 * count * sizeof *v->table <= bytes)
        count *= 2;
    v->field = field;
    v->last = count - 1;
    v->mask = FIRST_ENTRIES - 1;
    v->run = 1;
    v->table = calloc(count, sizeof *v->table);
    v->cells_room = 4 * GOMOKU_MAX_CELLS;
    v->cells = malloc((size_t)v->cells_room * sizeof *v->cells);
    if (v->table && v->cells)
        return PLY_OK;
    gomoku_vcf_free(v);
    return PLY_NO_MEMORY;
}

void gomoku_vcf_lend(gomoku_vcf *v, gomoku_field *field, uint16_t *cells, int room)
{
    memset(v, 0, __builtin_offsetof(gomoku_vcf, line));
    v->field = field;
    v->run = 1;
    v->cells = cells;
    v->cells_room = room;
    v->interest = NULL;
}

void gomoku_vcf_free(gomoku_vcf *v)
{
    free(v->table);
    free(v->cells);
    v->table = NULL;
    v->cells = NULL;
}

/* --- table ----------------------------------------------------------------------------------- */
static uint64_t key_of(const gomoku_vcf *v, int attacker)
{
    return v->field->hash ^ (attacker ? gomoku_state_keys[0] : 0);
}

static gomoku_vcf_entry *probe(const gomoku_vcf *v, uint64_t key)
{
    if (!v->table)
        return NULL;
    gomoku_vcf_entry *e = &v->table[key & v->mask & ~(uint64_t)(CLUSTER - 1)];
    for (int i = 0; i < CLUSTER; i++)
        if (e[i].key == key && e[i].run)
            return &e[i];
    return NULL;
}

/*
 * Doubles the part of the table in use. Most problems are small, and memory touched for the first
 * time costs more than they do. Entries stay in their cluster or go to the same one of the new
 * half.
 */
static void grow(gomoku_vcf *v)
{
    uint64_t old = v->mask + 1;
    v->mask = 2 * old - 1;
    for (uint64_t i = 0; i < old; i++) {
        gomoku_vcf_entry *e = &v->table[i];
        if (e->run && (e->key & old)) {
            e[old] = *e;
            e->run = 0;
        }
    }
}

/* The first of a cluster is kept if it looked deeper; the second takes whatever comes. */
static void store(gomoku_vcf *v, uint64_t key, bool won, int depth, int cell)
{
    if (!v->table)
        return;
    gomoku_vcf_entry *e = probe(v, key);
    if (!e) {
        if (++v->held > v->mask / 2 && v->mask < v->last)
            grow(v);
        e = &v->table[key & v->mask & ~(uint64_t)(CLUSTER - 1)];
        if (e->run && e->depth > depth && e->run == v->run)
            e++;
    }
    *e = (gomoku_vcf_entry){key, (uint16_t)depth, (uint16_t)cell, won, v->run};
}

void gomoku_vcf_clear(gomoku_vcf *v)
{
    memset(v->table, 0, (v->mask + 1) * sizeof *v->table);
    v->mask = FIRST_ENTRIES - 1;
    v->held = v->nodes = 0;
    v->run = 1;
}

/* --- fours ----------------------------------------------------------------------------------- */
/* Lists the attacker's fours on the stack, straight ones first; returns how many. */
static int list_fours(gomoku_vcf *v, int attacker)
{
    const gomoku_field *f = v->field;
    gomoku_cells listed = {0};
    uint64_t own = GOMOKU_X_BITS << attacker;
    uint16_t *out = v->cells + v->cells_used;
    int count = 0;
    if (v->cells_room - v->cells_used < GOMOKU_MAX_CELLS && !v->table) {
        v->out_of_nodes = true;
        return 0;
    }
    if (v->cells_room - v->cells_used < GOMOKU_MAX_CELLS) {
        int room = 2 * v->cells_room;
        uint16_t *more = realloc(v->cells, (size_t)room * sizeof *more);
        if (!more) {
            v->out_of_nodes = true;
            return 0;
        }
        v->cells = more;
        v->cells_room = room;
        out = v->cells + v->cells_used;
    }
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < GOMOKU_LINE_WORDS; i++)
            for (uint64_t set = f->with_four[attacker].bits[i]; set; set &= set - 1) {
                int line = 64 * i + ply_lowest(set);
                uint64_t bits = (pass ? f->four[line] : f->straight[line]) & own;
                for (; bits; bits &= bits - 1) {
                    int cell = gomoku_line_cell(f->width, f->height, line, ply_lowest(bits) / 2);
                    if (gomoku_cells_has(&listed, cell))
                        continue;
                    gomoku_cells_add(&listed, cell);
                    out[count++] = (uint16_t)cell;
                }
            }
    v->cells_used += count;
    return count;
}

static bool out_of_nodes(gomoku_vcf *v)
{
    v->nodes++;
    if (v->go_on && v->nodes % GO_ON_EVERY == 0 && !v->go_on(v->context, v->nodes))
        v->halted = true;
    if (v->nodes > v->limit || v->halted)
        v->out_of_nodes = true;
    return v->out_of_nodes;
}

static int search(gomoku_vcf *v, int attacker, int depth, int ply);

static void add_near(const gomoku_field *f, int cell, gomoku_cells *zone)
{
    gomoku_spot spot = gomoku_spot_of(f->width, f->height, cell);
    for (int d = 0; d < GOMOKU_DIRECTIONS; d++) {
        int at = spot.shift[d] / 2;
        int last = gomoku_line_length(f->width, f->height, spot.line[d]) - 1;
        for (int i = at > f->row ? at - f->row : 0; i <= at + f->row && i <= last; i++)
            gomoku_cells_add(zone, gomoku_line_cell(f->width, f->height, spot.line[d], i));
    }
}

/* What whether Black may play there rests on, were a stone of White's (or of his own) to come. */
static void add_traced(gomoku_field *f, int cell, int coming, gomoku_cells *zone)
{
    gomoku_trace trace = {.all = coming == GOMOKU_BLACK};
    gomoku_judge(f->width, f->height, f->word, cell, &trace);
    for (int y = 0; y < GOMOKU_MAX_SIDE; y++)
        zone->rows[y] |= trace.rows[y];
}

/* Adds the cells of a mask in the lines of the stone put last. */
static void add_of_last(const gomoku_field *f, const uint64_t *mask, int colour,
                        gomoku_cells *cells)
{
    const gomoku_field_undo *u = &f->undo[f->depth - 1];
    for (int d = 0; d < GOMOKU_DIRECTIONS; d++) {
        uint64_t bits = mask[u->line[d]] & (GOMOKU_X_BITS << colour);
        for (; bits; bits &= bits - 1)
            gomoku_cells_add(
                cells, gomoku_line_cell(f->width, f->height, u->line[d], ply_lowest(bits) / 2));
    }
}

/* The defender can make five here, which ties the attacker down: one more stone might not. */
static void collect_fives(gomoku_vcf *v, int defender)
{
    const gomoku_field *f = v->field;
    int fives[8];
    int count = gomoku_field_fives(f, defender, fives, 8);
    for (int i = 0; i < count; i++)
        gomoku_cells_add(v->interest, fives[i]);
}

/*
 * Caro: a four has been played, and a stone at the second end of a row stops it as well as one
 * inside. Every such answer must lose. Returns the plies of the win from here on, or 0.
 */
static int answer_all(gomoku_vcf *v, int attacker, int depth, int ply)
{
    gomoku_field *f = v->field;
    gomoku_cells near = {0};
    int longest = 2;
    add_near(f, f->undo[f->depth - 1].cell, &near);
    for (int y = 0; y < f->height; y++)
        for (uint32_t row = near.rows[y] & gomoku_field_empty_in_row(f, y); row; row &= row - 1) {
            int cell = gomoku_cell(ply_lowest(row), y), length = 0;
            gomoku_field_play(f, cell, !attacker);
            bool stops = !gomoku_lines_any(&f->with_five[attacker]);
            if (stops) {
                v->line[ply] = (uint16_t)cell;
                length = depth >= 4 ? search(v, attacker, depth - 1, ply + 1) : 0;
            }
            gomoku_field_undo_last(f);
            if (stops && !length)
                return 0;
            longest = length + 1 > longest ? length + 1 : longest;
        }
    if (longest == 2)
        v->length = ply;
    return longest;
}

/*
 * Plays a four; returns the length of the win in plies from the four on, or 0. depth: plies left,
 * the four included.
 */
static int try_four(gomoku_vcf *v, int attacker, int cell, int depth, int ply)
{
    gomoku_field *f = v->field;
    int fives[2], length = 0;
    if (gomoku_field_forbidden(f, cell, attacker)) {
        if (v->interest)
            add_traced(f, cell, GOMOKU_BLACK, v->interest);
        return 0;
    }
    gomoku_field_play(f, cell, attacker);
    if (v->interest)
        add_of_last(f, f->build, attacker, v->interest);
    int count = gomoku_field_fives_of_last(f, attacker, fives, 2);
    v->line[ply] = (uint16_t)cell;
    if (f->caro) {
        bool loses = gomoku_lines_any(&f->with_five[!attacker]);
        length = count && !loses ? answer_all(v, attacker, depth - 1, ply + 1) : 0;
        length += length ? 1 : 0;
    } else if (count >= 2 || (count == 1 && gomoku_field_forbidden(f, fives[0], !attacker))) {
        length = 3;
        v->length = ply + 1;
    } else if (count == 1 && depth >= 5) {
        if (v->interest && f->rule == GOMOKU_RENJU && attacker == GOMOKU_WHITE)
            add_traced(f, fives[0], GOMOKU_WHITE, v->interest);
        v->line[ply + 1] = (uint16_t)fives[0];
        gomoku_field_play(f, fives[0], !attacker);
        length = search(v, attacker, depth - 2, ply + 2);
        length += length ? 2 : 0;
        gomoku_field_undo_last(f);
    }
    gomoku_field_undo_last(f);
    return length;
}

/* The attacker to move: the length of his win in plies, at most depth, or 0. */
static int search(gomoku_vcf *v, int attacker, int depth, int ply)
{
    gomoku_field *f = v->field;
    int fives[2];
    if (gomoku_lines_any(&f->with_five[attacker])) {
        v->length = ply; /* only at the root: an answer stops the only five */
        return depth >= 1 ? 1 : 0;
    }
    if (depth < 3 || (!gomoku_lines_any(&f->with_four[attacker]) && !v->interest) ||
        out_of_nodes(v))
        return 0;
    int must =
        gomoku_lines_any(&f->with_five[!attacker]) ? gomoku_field_fives(f, !attacker, fives, 2) : 0;
    if (must && v->interest)
        collect_fives(v, !attacker);
    if (f->caro)
        must = 0; /* fives can be stopped from outside: try_four looks */
    if (must > 1)
        return 0;
    uint64_t key = key_of(v, attacker);
    const gomoku_vcf_entry *found = probe(v, key);
    gomoku_vcf_entry known = found ? *found : (gomoku_vcf_entry){0}; /* playing on may move it */
    if (found && known.won && known.depth <= depth) {
        int length = try_four(v, attacker, known.cell, depth, ply);
        if (length || v->out_of_nodes)
            return length;
    }
    if (found && !known.won && known.depth >= depth && (!v->interest || known.run == v->run))
        return 0;
    int length = 0, best = 0;
    if (must) {
        best = fives[0];
        if (gomoku_field_marked(f, f->four, best, attacker))
            length = try_four(v, attacker, best, depth, ply);
    } else {
        int base = v->cells_used, count = list_fours(v, attacker);
        for (int i = 0; i < count && !length && !v->out_of_nodes; i++) {
            best = v->cells[base + i];
            length = try_four(v, attacker, best, depth, ply);
        }
        v->cells_used = base;
    }
    if (length)
        store(v, key, true, length, best);
    else if (!v->out_of_nodes)
        store(v, key, false, depth, 0);
    return length;
}

gomoku_verdict gomoku_vcf_solve(gomoku_vcf *v, int attacker, int depth, uint64_t nodes)
{
    v->limit = v->nodes + nodes;
    v->out_of_nodes = v->halted = false;
    v->cells_used = 0;
    v->length = 0;
    int length = search(v, attacker, depth, 0);
    v->plies = length;
    return length ? GOMOKU_WIN : v->out_of_nodes ? GOMOKU_UNKNOWN : GOMOKU_NO;
}

gomoku_verdict gomoku_vcf_shortest(gomoku_vcf *v, int attacker, int depth, uint64_t nodes)
{
    uint64_t end = v->nodes + nodes;
    gomoku_verdict verdict = gomoku_vcf_solve(v, attacker, depth, nodes);
    if (verdict != GOMOKU_WIN)
        return verdict;
    /* There is a win in so many plies; the first limit that is enough is the shortest. */
    int longest = v->plies;
    verdict = GOMOKU_NO;
    for (int plies = 1; plies <= longest && verdict == GOMOKU_NO; plies += 2)
        verdict = gomoku_vcf_solve(v, attacker, plies, end > v->nodes ? end - v->nodes : 0);
    return verdict;
}

/* --- what a win rests on --------------------------------------------------------------------- */
/* The four now on the board: its five points, and what its answer's being forbidden rests on. */
static void add_fives(gomoku_field *f, int attacker, gomoku_cells *zone)
{
    int fives[8];
    int count = gomoku_field_fives(f, attacker, fives, 8);
    for (int i = 0; i < count; i++)
        gomoku_cells_add(zone, fives[i]);
    if (count == 1 && gomoku_field_forbidden(f, fives[0], !attacker))
        add_traced(f, fives[0], GOMOKU_BLACK, zone);
}

void gomoku_vcf_zone(gomoku_vcf *v, int attacker, gomoku_cells *zone)
{
    gomoku_field *f = v->field;
    memset(zone, 0, sizeof *zone);
    if (f->caro) { /* rows can be shut in from outside: anything may matter */
        for (int y = 0; y < f->height; y++)
            zone->rows[y] = gomoku_field_empty_in_row(f, y);
        return;
    }
    /* With one more stone there the defender would have a four, or five, at some time. */
    gomoku_field_collect(f, f->four, !attacker, zone);
    gomoku_field_collect(f, f->five, !attacker, zone);
    if (v->length == 0) /* five at once */
        add_fives(f, attacker, zone);
    for (int i = 0; i < v->length; i++) {
        int colour = i & 1 ? !attacker : attacker;
        if (colour == attacker) {
            gomoku_cells_add(zone, v->line[i]);
            if (f->rule == GOMOKU_RENJU && attacker == GOMOKU_BLACK)
                add_traced(f, v->line[i], GOMOKU_WHITE, zone);
        }
        gomoku_field_play(f, v->line[i], colour);
        if (colour == attacker) {
            add_fives(f, attacker, zone);
            continue;
        }
        add_of_last(f, f->four, colour, zone);
    }
    for (int i = 0; i < v->length; i++)
        gomoku_field_undo_last(f);
    for (int y = 0; y < f->height; y++)
        zone->rows[y] &= gomoku_field_empty_in_row(f, y);
}

gomoku_verdict gomoku_vcf_interest(gomoku_vcf *v, int attacker, uint64_t nodes, gomoku_cells *cells)
{
    const gomoku_field *f = v->field;
    memset(cells, 0, sizeof *cells);
    if (f->caro) { /* as with the zone */
        for (int y = 0; y < f->height; y++)
            cells->rows[y] = gomoku_field_empty_in_row(f, y);
        return GOMOKU_NO;
    }
    gomoku_field_collect(f, f->build, attacker, cells);
    gomoku_field_collect(f, f->four, attacker, cells);
    /* What this run has written it has also collected; older entries do not count. */
    if (++v->run == 0) {
        memset(v->table, 0, (v->mask + 1) * sizeof *v->table);
        v->run = 1;
    }
    v->interest = cells;
    gomoku_verdict verdict = gomoku_vcf_solve(v, attacker, GOMOKU_NO_LIMIT, nodes);
    v->interest = NULL;
    for (int y = 0; y < f->height; y++)
        cells->rows[y] &= gomoku_field_empty_in_row(f, y);
    return verdict;
}
