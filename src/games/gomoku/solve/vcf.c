/* SPDX-License-Identifier: MIT */
/* vcf.c - see vcf.h. */
#include "games/gomoku/solve/vcf.h"
#include <stdlib.h>
#include <string.h>

enum { CLUSTER = 2, POLL_INTERVAL = 1024, MIN_BYTES = 1 << 16, FIRST_ENTRIES = 1 << 10 };

ply_status gomoku_vcf_init(gomoku_vcf *v, gomoku_threat_board *board, size_t bytes)
{
    memset(v, 0, sizeof *v);
    uint64_t count = 1;
    bytes = bytes < MIN_BYTES ? MIN_BYTES : bytes;
    while (2 * count * sizeof *v->table <= bytes)
        count *= 2;
    v->board = board;
    v->last = count - 1;
    v->mask = FIRST_ENTRIES - 1;
    v->generation = 1;
    v->table = calloc(count, sizeof *v->table);
    v->cells_capacity = 4 * GOMOKU_MAX_CELLS;
    v->cells = malloc((size_t)v->cells_capacity * sizeof *v->cells);
    if (v->table && v->cells)
        return PLY_OK;
    gomoku_vcf_free(v);
    return PLY_NO_MEMORY;
}

void gomoku_vcf_init_borrowed(gomoku_vcf *v, gomoku_threat_board *board, uint16_t *cells,
                              int capacity, gomoku_vcf_entry *table, size_t entries)
{
    memset(v, 0, __builtin_offsetof(gomoku_vcf, variation));
    v->board = board;
    v->borrowed = true;
    v->table = table;
    v->mask = v->last = entries ? entries - 1 : 0;
    v->generation = 1;
    v->cells = cells;
    v->cells_capacity = capacity;
    v->relevant = NULL;
}

void gomoku_vcf_free(gomoku_vcf *v)
{
    free(v->table);
    free(v->cells);
    v->table = NULL;
    v->cells = NULL;
}

/* --- the transposition table ----------------------------------------------------------------- */
static uint64_t key_of(const gomoku_vcf *v, int attacker)
{
    return v->board->hash ^ (attacker ? gomoku_state_keys[0] : 0);
}

static gomoku_vcf_entry *probe(const gomoku_vcf *v, uint64_t key)
{
    if (!v->table)
        return NULL;
    gomoku_vcf_entry *e = &v->table[key & v->mask & ~(uint64_t)(CLUSTER - 1)];
    for (int i = 0; i < CLUSTER; i++)
        if (e[i].key == key && e[i].generation)
            return &e[i];
    return NULL;
}

/*
 * Doubles the part of the table that is in use. Most problems are small, and touching fresh memory
 * costs more than solving them. An entry stays in its cluster or moves to the corresponding one of
 * the new half.
 */
static void grow(gomoku_vcf *v)
{
    uint64_t old = v->mask + 1;
    v->mask = 2 * old - 1;
    for (uint64_t i = 0; i < old; i++) {
        gomoku_vcf_entry *e = &v->table[i];
        if (e->generation && (e->key & old)) {
            e[old] = *e;
            e->generation = 0;
        }
    }
}

/* The first entry of a cluster is depth-preferred; the second is always replaced. */
static void store(gomoku_vcf *v, uint64_t key, bool won, int depth, int cell)
{
    if (!v->table)
        return;
    gomoku_vcf_entry *e = probe(v, key);
    if (!e) {
        if (++v->entries_used > v->mask / 2 && v->mask < v->last)
            grow(v);
        e = &v->table[key & v->mask & ~(uint64_t)(CLUSTER - 1)];
        if (e->generation && e->depth > depth && e->generation == v->generation)
            e++;
    }
    *e = (gomoku_vcf_entry){key, (uint16_t)depth, (uint16_t)cell, won, v->generation};
}

void gomoku_vcf_clear(gomoku_vcf *v)
{
    memset(v->table, 0, (v->mask + 1) * sizeof *v->table);
    v->mask = FIRST_ENTRIES - 1;
    v->entries_used = v->nodes = 0;
    v->generation = 1;
}

/* --- fours ----------------------------------------------------------------------------------- */
/* Makes room for the fours of one more node. Borrowed memory cannot grow. */
static bool reserve_cells(gomoku_vcf *v)
{
    if (v->cells_capacity - v->cells_used >= GOMOKU_MAX_CELLS)
        return true;
    int capacity = 2 * v->cells_capacity;
    uint16_t *grown = v->borrowed ? NULL : realloc(v->cells, (size_t)capacity * sizeof *grown);
    if (!grown)
        return false;
    v->cells = grown;
    v->cells_capacity = capacity;
    return true;
}

/* Pushes the attacker's fours on the stack of cells, straight ones first; returns the number. */
static int list_fours(gomoku_vcf *v, int attacker)
{
    const gomoku_threat_board *b = v->board;
    gomoku_cells listed = {0};
    uint64_t own = GOMOKU_X_BITS << attacker;
    int count = 0;
    if (!reserve_cells(v)) {
        v->out_of_nodes = true;
        return 0;
    }
    uint16_t *out = v->cells + v->cells_used;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < GOMOKU_LINE_WORDS; i++)
            for (uint64_t set = b->with_four[attacker].bits[i]; set; set &= set - 1) {
                int line = 64 * i + ply_lowest(set);
                uint64_t bits = (pass ? b->four[line] : b->straight[line]) & own;
                for (; bits; bits &= bits - 1) {
                    int cell = gomoku_line_cell(b->width, b->height, line, ply_lowest(bits) / 2);
                    if (gomoku_cells_has(&listed, cell))
                        continue;
                    gomoku_cells_add(&listed, cell);
                    out[count++] = (uint16_t)cell;
                }
            }
    v->cells_used += count;
    return count;
}

/* Counts a node; returns true when the search must stop. */
static bool out_of_nodes(gomoku_vcf *v)
{
    v->nodes++;
    if (v->keep_going && v->nodes % POLL_INTERVAL == 0 && !v->keep_going(v->context, v->nodes))
        v->halted = true;
    if (v->nodes > v->limit || v->halted)
        v->out_of_nodes = true;
    return v->out_of_nodes;
}

static int search(gomoku_vcf *v, int attacker, int depth, int ply);

/* Adds the cells within `row` steps along the lines of a cell. */
static void add_near(const gomoku_threat_board *b, int cell, gomoku_cells *zone)
{
    gomoku_spot spot = gomoku_spot_of(b->width, b->height, cell);
    for (int d = 0; d < GOMOKU_DIRECTIONS; d++) {
        int at = spot.shift[d] / 2;
        int last = gomoku_line_length(b->width, b->height, spot.line[d]) - 1;
        for (int i = at > b->row ? at - b->row : 0; i <= at + b->row && i <= last; i++)
            gomoku_cells_add(zone, gomoku_line_cell(b->width, b->height, spot.line[d], i));
    }
}

/* Adds the cells on which another stone, of colour `coming`, could change whether the cell is
 * forbidden to Black. */
static void add_traced(gomoku_threat_board *b, int cell, int coming, gomoku_cells *zone)
{
    gomoku_trace trace = {.both_colours = coming == GOMOKU_BLACK};
    gomoku_classify(b->width, b->height, b->word, cell, &trace);
    for (int y = 0; y < GOMOKU_MAX_SIDE; y++)
        zone->rows[y] |= trace.rows[y];
}

/* Adds the cells of a mask in the lines of the last stone played. */
static void add_of_last(const gomoku_threat_board *b, const uint64_t *mask, int colour,
                        gomoku_cells *cells)
{
    const gomoku_threat_undo *u = &b->undo[b->depth - 1];
    for (int d = 0; d < GOMOKU_DIRECTIONS; d++) {
        uint64_t bits = mask[u->line[d]] & (GOMOKU_X_BITS << colour);
        for (; bits; bits &= bits - 1)
            gomoku_cells_add(
                cells, gomoku_line_cell(b->width, b->height, u->line[d], ply_lowest(bits) / 2));
    }
}

/* The defender can make a five here, which binds the attacker; a stone on that cell would not. */
static void collect_fives(gomoku_vcf *v, int defender)
{
    const gomoku_threat_board *b = v->board;
    int fives[8];
    int count = gomoku_threat_board_fives(b, defender, fives, 8);
    for (int i = 0; i < count; i++)
        gomoku_cells_add(v->relevant, fives[i]);
}

/*
 * Caro: a four has been played, and a stone at the far end of the row stops it as well as one
 * inside. Every such answer must lose. Returns the length of the win in plies from here on, or 0.
 */
static int try_all_answers(gomoku_vcf *v, int attacker, int depth, int ply)
{
    gomoku_threat_board *b = v->board;
    gomoku_cells near = {0};
    int longest = 2;
    add_near(b, b->undo[b->depth - 1].cell, &near);
    for (int y = 0; y < b->height; y++)
        for (uint32_t row = near.rows[y] & gomoku_threat_board_empty_in_row(b, y); row;
             row &= row - 1) {
            int cell = gomoku_cell(ply_lowest(row), y), length = 0;
            gomoku_threat_board_play(b, cell, !attacker);
            bool stops = !gomoku_lines_any(&b->with_five[attacker]);
            if (stops) {
                v->variation[ply] = (uint16_t)cell;
                length = depth >= 4 ? search(v, attacker, depth - 1, ply + 1) : 0;
            }
            gomoku_threat_board_undo(b);
            if (stops && !length)
                return 0;
            longest = length + 1 > longest ? length + 1 : longest;
        }
    if (longest == 2)
        v->variation_length = ply;
    return longest;
}

/*
 * Plays a four; returns the length of the win in plies, the four included, or 0. depth: plies left,
 * the four included.
 */
static int try_four(gomoku_vcf *v, int attacker, int cell, int depth, int ply)
{
    gomoku_threat_board *b = v->board;
    int fives[2], length = 0;
    if (gomoku_threat_board_forbidden(b, cell, attacker)) {
        if (v->relevant)
            add_traced(b, cell, GOMOKU_BLACK, v->relevant);
        return 0;
    }
    gomoku_threat_board_play(b, cell, attacker);
    if (v->relevant)
        add_of_last(b, b->build, attacker, v->relevant);
    int count = gomoku_threat_board_fives_of_last(b, attacker, fives, 2);
    v->variation[ply] = (uint16_t)cell;
    if (b->caro) {
        bool loses = gomoku_lines_any(&b->with_five[!attacker]);
        length = count && !loses ? try_all_answers(v, attacker, depth - 1, ply + 1) : 0;
        length += length ? 1 : 0;
    } else if (count >= 2 ||
               (count == 1 && gomoku_threat_board_forbidden(b, fives[0], !attacker))) {
        length = 3;
        v->variation_length = ply + 1;
    } else if (count == 1 && depth >= 5) {
        if (v->relevant && b->rule == GOMOKU_RENJU && attacker == GOMOKU_WHITE)
            add_traced(b, fives[0], GOMOKU_WHITE, v->relevant);
        v->variation[ply + 1] = (uint16_t)fives[0];
        gomoku_threat_board_play(b, fives[0], !attacker);
        length = search(v, attacker, depth - 2, ply + 2);
        length += length ? 2 : 0;
        gomoku_threat_board_undo(b);
    }
    gomoku_threat_board_undo(b);
    return length;
}

/* Looks the position up; true when *length is the result. Replays a win to get its variation. */
static bool use_entry(gomoku_vcf *v, uint64_t key, int attacker, int depth, int ply, int *length)
{
    const gomoku_vcf_entry *found = probe(v, key);
    if (!found)
        return false;
    gomoku_vcf_entry known = *found; /* a copy: searching on may move the entry */
    *length = 0;
    if (known.won && known.depth <= depth) {
        *length = try_four(v, attacker, known.cell, depth, ply);
        return *length || v->out_of_nodes;
    }
    return !known.won && known.depth >= depth &&
           (!v->relevant || known.generation == v->generation);
}

/* Tries every four until one wins, which is then *cell. */
static int try_fours(gomoku_vcf *v, int attacker, int depth, int ply, int *cell)
{
    int base = v->cells_used, count = list_fours(v, attacker), length = 0;
    for (int i = 0; i < count && !length && !v->out_of_nodes; i++) {
        *cell = v->cells[base + i];
        length = try_four(v, attacker, *cell, depth, ply);
    }
    v->cells_used = base;
    return length;
}

/*
 * To how many plies a failure applies. If so few nodes were visited that none of them can have been
 * short of plies, it applies to any number: then short searches share their results whatever plies
 * they have left. The solvers ask for lengths instead.
 */
static int failed_depth(const gomoku_vcf *v, int depth, uint64_t nodes)
{
    enum { MIN_DEPTH = 5 }; /* of a four whose answer is searched */
    return v->borrowed && 2 * nodes + MIN_DEPTH <= (uint64_t)depth ? GOMOKU_ANY_DEPTH : depth;
}

/* The attacker to move: the length of their win in plies, at most depth, or 0. */
static int search(gomoku_vcf *v, int attacker, int depth, int ply)
{
    gomoku_threat_board *b = v->board;
    int fives[2], must = 0, best = 0, length = 0;
    if (gomoku_lines_any(&b->with_five[attacker])) {
        v->variation_length = ply; /* only at the root: an answer stops the only five */
        return depth >= 1 ? 1 : 0;
    }
    if (depth < 3 || (!gomoku_lines_any(&b->with_four[attacker]) && !v->relevant) ||
        out_of_nodes(v))
        return 0;
    if (gomoku_lines_any(&b->with_five[!attacker])) {
        if (v->relevant)
            collect_fives(v, !attacker);
        /* In caro a five can be blocked from outside: try_four checks whether it was. */
        must = b->caro ? 0 : gomoku_threat_board_fives(b, !attacker, fives, 2);
        if (must > 1)
            return 0;
    }
    uint64_t key = key_of(v, attacker), nodes = v->nodes;
    if (use_entry(v, key, attacker, depth, ply, &length))
        return length;
    if (!must) {
        length = try_fours(v, attacker, depth, ply, &best);
    } else if (gomoku_threat_board_marked(b, b->four, fives[0], attacker)) {
        best = fives[0];
        length = try_four(v, attacker, best, depth, ply);
    }
    if (length)
        store(v, key, true, length, best);
    else if (!v->out_of_nodes)
        store(v, key, false, failed_depth(v, depth, v->nodes - nodes), 0);
    return length;
}

gomoku_verdict gomoku_vcf_solve(gomoku_vcf *v, int attacker, int depth, uint64_t nodes)
{
    v->limit = v->nodes + nodes;
    v->out_of_nodes = v->halted = false;
    v->cells_used = 0;
    v->variation_length = 0;
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
    /* The first limit under which the attacker wins is the length of the shortest win. */
    int longest = v->plies;
    verdict = GOMOKU_NO;
    for (int plies = 1; plies <= longest && verdict == GOMOKU_NO; plies += 2)
        verdict = gomoku_vcf_solve(v, attacker, plies, end > v->nodes ? end - v->nodes : 0);
    return verdict;
}

/* --- which cells a result depends on --------------------------------------------------------- */
/* Adds the cells that complete the four on the board, and those that could change whether its only
 * answer is forbidden. */
static void add_fives(gomoku_threat_board *b, int attacker, gomoku_cells *zone)
{
    int fives[8];
    int count = gomoku_threat_board_fives(b, attacker, fives, 8);
    for (int i = 0; i < count; i++)
        gomoku_cells_add(zone, fives[i]);
    if (count == 1 && gomoku_threat_board_forbidden(b, fives[0], !attacker))
        add_traced(b, fives[0], GOMOKU_BLACK, zone);
}

void gomoku_vcf_zone(gomoku_vcf *v, int attacker, gomoku_cells *zone)
{
    gomoku_threat_board *b = v->board;
    memset(zone, 0, sizeof *zone);
    if (b->caro) { /* rows can be blocked from outside: every cell may matter */
        for (int y = 0; y < b->height; y++)
            zone->rows[y] = gomoku_threat_board_empty_in_row(b, y);
        return;
    }
    /* One more stone there would give the defender a four or a five at some point. */
    gomoku_threat_board_collect(b, b->four, !attacker, zone);
    gomoku_threat_board_collect(b, b->five, !attacker, zone);
    if (v->variation_length == 0) /* a five at once */
        add_fives(b, attacker, zone);
    for (int i = 0; i < v->variation_length; i++) {
        int colour = i & 1 ? !attacker : attacker;
        if (colour == attacker) {
            gomoku_cells_add(zone, v->variation[i]);
            if (b->rule == GOMOKU_RENJU && attacker == GOMOKU_BLACK)
                add_traced(b, v->variation[i], GOMOKU_WHITE, zone);
        }
        gomoku_threat_board_play(b, v->variation[i], colour);
        if (colour == attacker) {
            add_fives(b, attacker, zone);
            continue;
        }
        add_of_last(b, b->four, colour, zone);
    }
    for (int i = 0; i < v->variation_length; i++)
        gomoku_threat_board_undo(b);
    for (int y = 0; y < b->height; y++)
        zone->rows[y] &= gomoku_threat_board_empty_in_row(b, y);
}

gomoku_verdict gomoku_vcf_relevant_cells(gomoku_vcf *v, int attacker, uint64_t nodes,
                                         gomoku_cells *cells)
{
    const gomoku_threat_board *b = v->board;
    memset(cells, 0, sizeof *cells);
    if (b->caro) { /* as for the zone */
        for (int y = 0; y < b->height; y++)
            cells->rows[y] = gomoku_threat_board_empty_in_row(b, y);
        return GOMOKU_NO;
    }
    gomoku_threat_board_collect(b, b->build, attacker, cells);
    gomoku_threat_board_collect(b, b->four, attacker, cells);
    /* Refutations written by this search have added their cells; older ones have not, so they do
     * not count. */
    if (++v->generation == 0) {
        memset(v->table, 0, (v->mask + 1) * sizeof *v->table);
        v->generation = 1;
    }
    v->relevant = cells;
    gomoku_verdict verdict = gomoku_vcf_solve(v, attacker, GOMOKU_ANY_DEPTH, nodes);
    v->relevant = NULL;
    for (int y = 0; y < b->height; y++)
        cells->rows[y] &= gomoku_threat_board_empty_in_row(b, y);
    return verdict;
}
