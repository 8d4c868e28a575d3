/* SPDX-License-Identifier: MIT */
/*
 * draw_search.c - the defender holds; see draw_search.h.
 *
 * The game of rows: a position with the attacker to move is made smaller without changing who wins:
 *
 *     - a row that contains another goes;
 *     - two cells that stand in the same rows are a pair: when the attacker takes one, the defender
 *       takes the other; so their rows go;
 *     - parts that share no row are games of their own: the defender holds when he holds each.
 *
 * It is held when the rows weigh too little (draw_bound.h), or when every row can be given two cells of
 * its own (a pairing). A row of two cells, one of which stands in no other row, is played at once.
 *
 * A win of the attacker's comes with a zone, the cells his play may touch. An answer outside the
 * zone of the win that follows some other answer is lost like that one, so answers that remain
 * stand in the zones of all wins seen. (Only "he holds" is built upon elsewhere, and that never
 * rests on a zone.)
 *
 * Which answer is quickly shown to hold is hard to guess, and a bad guess costs hundredfold: all
 * are tried with few nodes, then with more.
 *
 * The key of a position adds up keys of its rows, in all images of the board at once; the least of
 * the eight sums is the key.
 */
#include "games/gomoku/solve/draw_search.h"
#include "core/bits.h"
#include <stdlib.h>
#include <string.h>

enum {
    GO_ON_EVERY = 1 << 10,
    FIRST_NODES = 256, /* for an answer, at first */
    MORE_NODES = 4,    /* times as many in the next round */
};
#define GAME_KEY 0x5851f42d4c957f2du /* told apart from positions of the game of rows */

/* --- keys and table -------------------------------------------------------------------------- */
static void add_rows(const gomoku_hold *h, const gomoku_rows *r, uint64_t salt,
                     uint64_t sums[GOMOKU_IMAGES])
{
    for (int i = 0; i < r->count; i++) {
        uint64_t mixed[GOMOKU_IMAGES] = {0};
        for (uint64_t m = r->row[i]; m; m &= m - 1)
            for (int k = 0; k < GOMOKU_IMAGES; k++)
                mixed[k] += h->keys[ply_lowest(m)][k];
        for (int k = 0; k < GOMOKU_IMAGES; k++) {
            uint64_t x = mixed[k] ^ salt;
            x = (x ^ x >> 29) * 0x9e3779b97f4a7c15u;
            sums[k] += x ^ x >> 32;
        }
    }
}

static gomoku_hold_key least_key(const gomoku_hold *h, const uint64_t sums[GOMOKU_IMAGES])
{
    gomoku_hold_key least = {sums[0], 0};
    for (int k = 1; k < h->images; k++)
        if (sums[k] < least.key)
            least = (gomoku_hold_key){sums[k], k};
    least.key += least.key == 0; /* 0: no entry */
    return least;
}

static gomoku_hold_entry *find_entry(const gomoku_hold *h, uint64_t key)
{
    return &h->table[key >> 16 & h->mask];
}

static uint64_t zone_to_image(const gomoku_hold *h, uint64_t zone, int image)
{
    uint64_t out = 0;
    for (; zone; zone &= zone - 1)
        out |= (uint64_t)1 << h->image[image][ply_lowest(zone)];
    return out;
}

static uint64_t zone_from_image(const gomoku_hold *h, uint64_t zone, int image)
{
    uint64_t out = 0;
    for (int cell = 0; cell < h->cells; cell++)
        out |= (zone >> h->image[image][cell] & 1) << cell;
    return out;
}

/* Counts a node; true when it is one too many. */
static bool out_of_nodes(gomoku_hold *h, uint64_t limit)
{
    h->nodes++;
    if (h->nodes % GO_ON_EVERY == 0 && h->go_on && !h->go_on(h->context, h->nodes))
        h->halted = true;
    return h->halted || h->nodes > limit;
}

/* --- the game of rows ------------------------------------------------------------------------ */
static gomoku_verdict rows_attack(gomoku_hold *h, gomoku_rows *r, uint64_t limit, uint64_t *zone);

/*
 * The defender has a choice of answers. What the attacker achieves; a win with its zone, else the
 * answer in *best.
 */
static gomoku_verdict find_answer(gomoku_hold *h, const gomoku_rows *r, uint64_t limit, int *best,
                                  uint64_t *zone)
{
    gomoku_row_worths w = {{0}};
    uint8_t answers[GOMOKU_HOLD_CELLS];
    gomoku_rows_add_worth(r, &w);
    uint64_t left = gomoku_rows_cells(r), touched = 0;
    int count = gomoku_rows_sort(left, &w, answers);
    for (uint64_t nodes = FIRST_NODES;; nodes *= MORE_NODES) {
        for (int i = 0; i < count; i++) {
            uint64_t answer = (uint64_t)1 << answers[i], its_zone = 0;
            if (!(left & answer))
                continue;
            uint64_t its_limit = h->nodes + nodes < limit ? h->nodes + nodes : limit;
            gomoku_rows next;
            gomoku_rows_block(r, answer, &next);
            gomoku_verdict verdict = rows_attack(h, &next, its_limit, &its_zone);
            *best = answers[i];
            if (verdict == GOMOKU_NO)
                return GOMOKU_NO;
            if (verdict == GOMOKU_WIN) {
                left &= its_zone & ~answer;
                touched |= its_zone;
            } else if (h->halted || h->nodes >= limit) {
                return GOMOKU_UNKNOWN;
            }
        }
        if (!left) {
            *zone = touched;
            return GOMOKU_WIN;
        }
    }
}

/* The attacker has played. What the attacker achieves; a win with its zone. */
static gomoku_verdict rows_defend(gomoku_hold *h, gomoku_rows *r, uint64_t limit, uint64_t *zone)
{
    gomoku_rows_minimal(r);
    uint64_t last = gomoku_rows_last(r);
    if (last & (last - 1)) {
        uint64_t first = last & -last;
        last ^= first;
        *zone = first | (last & -last);
        return GOMOKU_WIN;
    }
    if (last) {
        gomoku_rows next;
        gomoku_rows_block(r, last, &next);
        gomoku_verdict verdict = rows_attack(h, &next, limit, zone);
        *zone |= last;
        return verdict;
    }
    gomoku_rows_drop_pairs(r, NULL);
    if (gomoku_rows_weigh(r) < GOMOKU_FULL_ROW)
        return GOMOKU_NO;
    int answer;
    return find_answer(h, r, limit, &answer, zone);
}

/* Cells the attacker need not try: another stands in all their rows and more. */
static uint64_t attack_cells(const gomoku_rows *r)
{
    uint64_t common[GOMOKU_HOLD_CELLS], cell, lone;
    if (gomoku_rows_forced(r, &cell, &lone))
        return cell; /* costs nothing: the answer is of no other use */
    gomoku_rows_common(r, common);
    return gomoku_rows_foremost(r, common);
}

/* Parts that share no row, one after the other. */
static gomoku_verdict rows_parts(gomoku_hold *h, const gomoku_rows *r, uint64_t cells,
                                 uint64_t limit, uint64_t *zone)
{
    gomoku_verdict all = GOMOKU_NO;
    while (cells) {
        gomoku_rows part;
        uint64_t its_cells = gomoku_rows_part(r, cells & -cells);
        cells &= ~its_cells;
        gomoku_rows_block(r, ~its_cells, &part);
        gomoku_verdict verdict = rows_attack(h, &part, limit, zone);
        if (verdict == GOMOKU_WIN)
            return GOMOKU_WIN;
        if (verdict == GOMOKU_UNKNOWN)
            all = GOMOKU_UNKNOWN;
    }
    return all;
}

/* The attacker to move. */
static gomoku_verdict rows_attack(gomoku_hold *h, gomoku_rows *r, uint64_t limit, uint64_t *zone)
{
    *zone = 0;
    gomoku_rows_minimal(r);
    if (r->count && ply_popcount(r->row[0]) == 1) {
        *zone = r->row[0];
        return GOMOKU_WIN;
    }
    gomoku_rows_drop_pairs(r, NULL);
    if (gomoku_rows_weigh(r) < GOMOKU_FULL_ROW / 2)
        return GOMOKU_NO;
    uint64_t cells = gomoku_rows_cells(r);
    if (gomoku_rows_part(r, cells & -cells) != cells)
        return rows_parts(h, r, cells, limit, zone);
    if (gomoku_rows_pairing(r, cells, NULL))
        return GOMOKU_NO;
    gomoku_hold_key key = gomoku_hold_key_of(h, r);
    gomoku_hold_entry *entry = find_entry(h, key.key);
    if (entry->key == key.key) {
        *zone = zone_from_image(h, entry->zone, key.image);
        return entry->zone ? GOMOKU_WIN : GOMOKU_NO;
    }
    if (out_of_nodes(h, limit))
        return GOMOKU_UNKNOWN;
    gomoku_row_worths w = {{0}};
    uint8_t moves[GOMOKU_HOLD_CELLS];
    gomoku_rows_add_worth(r, &w);
    int count = gomoku_rows_sort(attack_cells(r), &w, moves);
    gomoku_verdict all = GOMOKU_NO;
    for (int i = 0; i < count && all == GOMOKU_NO; i++) {
        gomoku_rows next;
        gomoku_rows_take(r, (uint64_t)1 << moves[i], &next);
        all = rows_defend(h, &next, limit, zone);
        if (all == GOMOKU_WIN)
            *zone |= (uint64_t)1 << moves[i];
    }
    if (all != GOMOKU_UNKNOWN)
        *entry = (gomoku_hold_entry){key.key,
                                     all == GOMOKU_WIN ? zone_to_image(h, *zone, key.image) : 0};
    return all;
}

gomoku_verdict gomoku_hold_rows(gomoku_hold *h, uint64_t nodes)
{
    gomoku_rows rows = h->attacker;
    uint64_t zone;
    h->halted = false;
    return rows_attack(h, &rows, h->nodes + nodes, &zone);
}

int gomoku_hold_answer(gomoku_hold *h, gomoku_rows *r, gomoku_pairs *pairs)
{
    int answer = -1;
    uint64_t zone;
    gomoku_rows_minimal(r);
    uint64_t last = gomoku_rows_last(r);
    if (last)
        return last & (last - 1) ? -1 : ply_lowest(last);
    gomoku_rows_drop_pairs(r, pairs);
    if (r->count == 0)
        return GOMOKU_HOLD_ANY;
    if (gomoku_rows_weigh(r) < GOMOKU_FULL_ROW)
        return gomoku_rows_heaviest(r);
    h->halted = false;
    return find_answer(h, r, UINT64_MAX, &answer, &zone) == GOMOKU_NO ? answer : -1;
}

gomoku_hold_key gomoku_hold_key_of(const gomoku_hold *h, const gomoku_rows *r)
{
    uint64_t sums[GOMOKU_IMAGES] = {0};
    add_rows(h, r, 0, sums);
    return least_key(h, sums);
}

/* --- the game -------------------------------------------------------------------------------- */
/* Whether the attacker's rows are too few or too far apart, whoever else has rows. */
static bool is_held(const gomoku_rows *attacker, bool defender_moves)
{
    gomoku_rows r = *attacker;
    gomoku_rows_drop_pairs(&r, NULL);
    return gomoku_rows_weigh(&r) < (defender_moves ? GOMOKU_FULL_ROW : GOMOKU_FULL_ROW / 2) ||
           gomoku_rows_pairing(&r, gomoku_rows_cells(&r), NULL);
}

/* One side to move; the attacker's rows first, whoever moves. */
static gomoku_verdict game_search(gomoku_hold *h, gomoku_rows *attacker, gomoku_rows *defender,
                                  bool defender_moves, uint64_t limit)
{
    gomoku_rows_minimal(attacker);
    gomoku_rows_minimal(defender);
    uint64_t own = gomoku_rows_last(defender_moves ? defender : attacker);
    uint64_t other = gomoku_rows_last(defender_moves ? attacker : defender);
    gomoku_verdict good = defender_moves ? GOMOKU_NO : GOMOKU_WIN; /* for who moves */
    gomoku_verdict bad = defender_moves ? GOMOKU_WIN : GOMOKU_NO;
    if (own)
        return good;
    if (other & (other - 1))
        return bad;
    if (is_held(attacker, defender_moves))
        return GOMOKU_NO;
    uint64_t sums[GOMOKU_IMAGES] = {0};
    add_rows(h, attacker, defender_moves ? GAME_KEY : ~GAME_KEY, sums);
    add_rows(h, defender, defender_moves ? GAME_KEY >> 1 : ~(GAME_KEY >> 1), sums);
    gomoku_hold_key key = least_key(h, sums);
    gomoku_hold_entry *entry = find_entry(h, key.key);
    if (entry->key == key.key)
        return entry->zone ? GOMOKU_WIN : GOMOKU_NO;
    if (out_of_nodes(h, limit))
        return GOMOKU_UNKNOWN;
    gomoku_row_worths w = {{0}};
    uint8_t moves[GOMOKU_HOLD_CELLS];
    gomoku_rows_add_worth(attacker, &w);
    gomoku_rows_add_worth(defender, &w);
    /* A stone that stands in no row helps nobody. */
    int count = gomoku_rows_sort(
        other ? other : gomoku_rows_cells(attacker) | gomoku_rows_cells(defender), &w, moves);
    gomoku_verdict best = bad;
    for (int i = 0; i < count && best == bad; i++) {
        gomoku_rows a, d;
        uint64_t cell = (uint64_t)1 << moves[i];
        if (defender_moves) {
            gomoku_rows_block(attacker, cell, &a);
            gomoku_rows_take(defender, cell, &d);
        } else {
            gomoku_rows_take(attacker, cell, &a);
            gomoku_rows_block(defender, cell, &d);
        }
        best = game_search(h, &a, &d, !defender_moves, limit);
    }
    if (best != GOMOKU_UNKNOWN)
        *entry = (gomoku_hold_entry){key.key, best == GOMOKU_WIN};
    return best;
}

int gomoku_hold_game_answer(gomoku_hold *h)
{
    gomoku_row_worths w = {{0}};
    uint8_t cells[GOMOKU_HOLD_CELLS];
    gomoku_rows_add_worth(&h->attacker, &w);
    gomoku_rows_add_worth(&h->defender, &w);
    uint64_t own = gomoku_rows_last(&h->defender), other = gomoku_rows_last(&h->attacker);
    uint64_t all = gomoku_rows_cells(&h->attacker) | gomoku_rows_cells(&h->defender);
    int count = gomoku_rows_sort(own ? own : other ? other : all, &w, cells);
    h->halted = false;
    for (int i = 0; i < count; i++) {
        gomoku_rows attacker, defender;
        if (own)
            return cells[i];
        gomoku_rows_block(&h->attacker, (uint64_t)1 << cells[i], &attacker);
        gomoku_rows_take(&h->defender, (uint64_t)1 << cells[i], &defender);
        if (game_search(h, &attacker, &defender, false, UINT64_MAX) == GOMOKU_NO)
            return cells[i];
    }
    return h->attacker.count == 0 ? GOMOKU_HOLD_ANY : -1;
}

gomoku_verdict gomoku_hold_game(gomoku_hold *h, uint64_t nodes)
{
    gomoku_rows attacker = h->attacker, defender = h->defender;
    h->halted = false;
    return game_search(h, &attacker, &defender, false, h->nodes + nodes);
}

/* --- setting up ------------------------------------------------------------------------------ */
ply_status gomoku_hold_init(gomoku_hold *h, size_t bytes)
{
    enum { LEAST = 1 << 12 };
    size_t entries = LEAST;
    memset(h, 0, sizeof *h);
    while (2 * entries * sizeof *h->table <= bytes)
        entries *= 2;
    h->table = calloc(entries, sizeof *h->table);
    h->mask = entries - 1;
    return h->table ? PLY_OK : PLY_NO_MEMORY;
}

void gomoku_hold_free(gomoku_hold *h)
{
    free(h->table);
    h->table = NULL;
}

static void set_board(gomoku_hold *h, int width, int height)
{
    uint64_t random[GOMOKU_HOLD_CELLS];
    ply_rng rng = ply_rng_make(64, 5);
    if (h->width && (h->width != width || h->height != height))
        memset(h->table, 0, (h->mask + 1) * sizeof *h->table);
    h->width = width;
    h->height = height;
    h->cells = width * height;
    h->images = width == height ? 8 : 4;
    for (int i = 0; i < GOMOKU_HOLD_CELLS; i++)
        random[i] = ply_rng_next(&rng);
    for (int k = 0; k < GOMOKU_IMAGES; k++)
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++) {
                int to_x = k & 1 ? width - 1 - x : x, to_y = k & 2 ? height - 1 - y : y;
                int to = k & 4 && width == height ? to_x * width + to_y : to_y * width + to_x;
                h->image[k][y * width + x] = (uint8_t)to;
                h->keys[y * width + x][k] = random[to];
            }
}

bool gomoku_hold_set(gomoku_hold *h, int width, int height, int row, uint64_t attacker,
                     uint64_t defender)
{
    static const int steps[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
    if (width * height > GOMOKU_HOLD_CELLS || row > GOMOKU_LONGEST_ROW)
        return false;
    set_board(h, width, height);
    h->attacker.count = h->defender.count = 0;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            for (int k = 0; k < 4; k++) {
                int dx = steps[k][0], dy = steps[k][1];
                int end_x = x + dx * (row - 1), end_y = y + dy * (row - 1);
                if (end_x >= width || end_y < 0 || end_y >= height)
                    continue;
                uint64_t cells = 0;
                for (int i = 0; i < row; i++)
                    cells |= (uint64_t)1 << ((y + dy * i) * width + x + dx * i);
                /* A row that is full without having won never will: it is an overline's. */
                if (!(cells & defender) && (cells & ~attacker))
                    h->attacker.row[h->attacker.count++] = cells & ~attacker;
                if (!(cells & attacker) && (cells & ~defender))
                    h->defender.row[h->defender.count++] = cells & ~defender;
            }
    return true;
}
