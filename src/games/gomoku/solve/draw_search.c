/* SPDX-License-Identifier: MIT */
/*
 * draw_search.c - see draw_search.h.
 *
 * The Maker-Breaker game. Positions with the attacker to move are simplified in ways that do not
 * change who wins:
 *
 *     - A set that contains another one is removed.
 *     - Two cells that belong to the same sets form a pair: when the attacker takes one, the
 *       defender takes the other. So their sets are removed.
 *     - Components without a common cell are separate games; the defender must stop each.
 *
 * The defender stops everything when the sets weigh too little (draw_bound.h), or when every set
 * can be given two cells of its own (a pairing). If a set has two cells left and one of them
 * belongs to no other set, the attacker takes the other one at once: it costs nothing.
 *
 * A win of the attacker comes with a zone, the cells that its moves may touch. An answer outside
 * the zone of the win against another answer loses to the same moves; so only answers in the zones
 * of all wins found so far remain. (Proofs rest on "the defender stops everything" alone, and that
 * never depends on a zone.)
 *
 * It is hard to guess which answer is quickly shown to hold, and a bad guess can cost a hundred
 * times as much. So all answers are tried with few nodes, then with more.
 *
 * The key of a position is the sum of the keys of its sets. It is computed for all images of the
 * board at once, and the smallest of the eight sums is used.
 */
#include "games/gomoku/solve/draw_search.h"
#include "core/bits.h"
#include <stdlib.h>
#include <string.h>

enum {
    POLL_INTERVAL = 1 << 10,
    FIRST_NODES = 256, /* for each answer in the first round */
    NODE_FACTOR = 4,   /* from one round to the next */
};
#define GAME_KEY 0x5851f42d4c957f2du /* separates the game from the Maker-Breaker game */

/* --- keys and the transposition table -------------------------------------------------------- */
static void add_set_keys(const gomoku_draw_search *s, const gomoku_winning_sets *sets,
                         uint64_t salt, uint64_t sums[GOMOKU_IMAGES])
{
    for (int i = 0; i < sets->count; i++) {
        uint64_t mixed[GOMOKU_IMAGES] = {0};
        for (uint64_t m = sets->set[i]; m; m &= m - 1)
            for (int k = 0; k < GOMOKU_IMAGES; k++)
                mixed[k] += s->keys[ply_lowest(m)][k];
        for (int k = 0; k < GOMOKU_IMAGES; k++) {
            uint64_t x = mixed[k] ^ salt;
            x = (x ^ x >> 29) * 0x9e3779b97f4a7c15u;
            sums[k] += x ^ x >> 32;
        }
    }
}

static gomoku_draw_key least_key(const gomoku_draw_search *s, const uint64_t sums[GOMOKU_IMAGES])
{
    gomoku_draw_key least = {sums[0], 0};
    for (int k = 1; k < s->images; k++)
        if (sums[k] < least.key)
            least = (gomoku_draw_key){sums[k], k};
    least.key += least.key == 0; /* 0 marks an empty entry */
    return least;
}

static gomoku_draw_entry *find_entry(const gomoku_draw_search *s, uint64_t key)
{
    return &s->table[key >> 16 & s->mask];
}

static uint64_t zone_to_image(const gomoku_draw_search *s, uint64_t zone, int image)
{
    uint64_t out = 0;
    for (; zone; zone &= zone - 1)
        out |= (uint64_t)1 << s->image[image][ply_lowest(zone)];
    return out;
}

static uint64_t zone_from_image(const gomoku_draw_search *s, uint64_t zone, int image)
{
    uint64_t out = 0;
    for (int cell = 0; cell < s->cells; cell++)
        out |= (zone >> s->image[image][cell] & 1) << cell;
    return out;
}

/* Counts a node; returns true when the search must stop. */
static bool out_of_nodes(gomoku_draw_search *s, uint64_t limit)
{
    s->nodes++;
    if (s->nodes % POLL_INTERVAL == 0 && s->keep_going && !s->keep_going(s->context, s->nodes))
        s->halted = true;
    return s->halted || s->nodes > limit;
}

/* --- the Maker-Breaker game ------------------------------------------------------------------ */
static gomoku_verdict sets_attack(gomoku_draw_search *s, gomoku_winning_sets *sets, uint64_t limit,
                                  uint64_t *zone);

/*
 * The defender chooses among several answers. GOMOKU_NO: *best holds. GOMOKU_WIN: the attacker wins
 * against all of them, within *zone.
 */
static gomoku_verdict find_answer(gomoku_draw_search *s, const gomoku_winning_sets *sets,
                                  uint64_t limit, int *best, uint64_t *zone)
{
    gomoku_cell_values values = {{0}};
    uint8_t answers[GOMOKU_SET_CELLS];
    gomoku_sets_add_values(sets, &values);
    uint64_t left = gomoku_sets_cells(sets), touched = 0;
    int count = gomoku_sets_sort_cells(left, &values, answers);
    for (uint64_t nodes = FIRST_NODES;; nodes *= NODE_FACTOR) {
        for (int i = 0; i < count; i++) {
            uint64_t answer = (uint64_t)1 << answers[i], its_zone = 0;
            if (!(left & answer))
                continue;
            uint64_t its_limit = s->nodes + nodes < limit ? s->nodes + nodes : limit;
            gomoku_winning_sets next;
            gomoku_sets_block(sets, answer, &next);
            gomoku_verdict verdict = sets_attack(s, &next, its_limit, &its_zone);
            *best = answers[i];
            if (verdict == GOMOKU_NO)
                return GOMOKU_NO;
            if (verdict == GOMOKU_WIN) {
                left &= its_zone & ~answer;
                touched |= its_zone;
            } else if (s->halted || s->nodes >= limit) {
                return GOMOKU_UNKNOWN;
            }
        }
        if (!left) {
            *zone = touched;
            return GOMOKU_WIN;
        }
    }
}

/* The defender to move. GOMOKU_WIN: the attacker wins, within *zone. */
static gomoku_verdict sets_defend(gomoku_draw_search *s, gomoku_winning_sets *sets, uint64_t limit,
                                  uint64_t *zone)
{
    gomoku_sets_minimize(sets);
    uint64_t completing = gomoku_sets_completing_cells(sets);
    if (completing & (completing - 1)) {
        uint64_t first = completing & -completing;
        completing ^= first;
        *zone = first | (completing & -completing);
        return GOMOKU_WIN;
    }
    if (completing) {
        gomoku_winning_sets next;
        gomoku_sets_block(sets, completing, &next);
        gomoku_verdict verdict = sets_attack(s, &next, limit, zone);
        *zone |= completing;
        return verdict;
    }
    gomoku_sets_drop_pairs(sets, NULL);
    if (gomoku_sets_weight(sets) < GOMOKU_FULL_WEIGHT)
        return GOMOKU_NO;
    int answer;
    return find_answer(s, sets, limit, &answer, zone);
}

/* The cells worth trying for the attacker: those that no other cell dominates. */
static uint64_t attack_cells(const gomoku_winning_sets *sets)
{
    uint64_t common[GOMOKU_SET_CELLS], cell, lone;
    if (gomoku_sets_forced(sets, &cell, &lone))
        return cell; /* costs nothing: the answer is useless elsewhere */
    gomoku_sets_common(sets, common);
    return gomoku_sets_undominated(sets, common);
}

/* Searches the components one after the other. */
static gomoku_verdict sets_components(gomoku_draw_search *s, const gomoku_winning_sets *sets,
                                      uint64_t cells, uint64_t limit, uint64_t *zone)
{
    gomoku_verdict all = GOMOKU_NO;
    while (cells) {
        gomoku_winning_sets part;
        uint64_t part_cells = gomoku_sets_component(sets, cells & -cells);
        cells &= ~part_cells;
        gomoku_sets_block(sets, ~part_cells, &part);
        gomoku_verdict verdict = sets_attack(s, &part, limit, zone);
        if (verdict == GOMOKU_WIN)
            return GOMOKU_WIN;
        if (verdict == GOMOKU_UNKNOWN)
            all = GOMOKU_UNKNOWN;
    }
    return all;
}

/* The attacker to move. GOMOKU_WIN: with its *zone. */
static gomoku_verdict sets_attack(gomoku_draw_search *s, gomoku_winning_sets *sets, uint64_t limit,
                                  uint64_t *zone)
{
    *zone = 0;
    gomoku_sets_minimize(sets);
    if (sets->count && ply_popcount(sets->set[0]) == 1) {
        *zone = sets->set[0];
        return GOMOKU_WIN;
    }
    gomoku_sets_drop_pairs(sets, NULL);
    if (gomoku_sets_weight(sets) < GOMOKU_FULL_WEIGHT / 2)
        return GOMOKU_NO;
    uint64_t cells = gomoku_sets_cells(sets);
    if (gomoku_sets_component(sets, cells & -cells) != cells)
        return sets_components(s, sets, cells, limit, zone);
    if (gomoku_sets_pairing(sets, cells, NULL))
        return GOMOKU_NO;
    gomoku_draw_key key = gomoku_draw_key_of(s, sets);
    gomoku_draw_entry *entry = find_entry(s, key.key);
    if (entry->key == key.key) {
        *zone = zone_from_image(s, entry->zone, key.image);
        return entry->zone ? GOMOKU_WIN : GOMOKU_NO;
    }
    if (out_of_nodes(s, limit))
        return GOMOKU_UNKNOWN;
    gomoku_cell_values values = {{0}};
    uint8_t moves[GOMOKU_SET_CELLS];
    gomoku_sets_add_values(sets, &values);
    int count = gomoku_sets_sort_cells(attack_cells(sets), &values, moves);
    gomoku_verdict all = GOMOKU_NO;
    for (int i = 0; i < count && all == GOMOKU_NO; i++) {
        gomoku_winning_sets next;
        gomoku_sets_claim(sets, (uint64_t)1 << moves[i], &next);
        all = sets_defend(s, &next, limit, zone);
        if (all == GOMOKU_WIN)
            *zone |= (uint64_t)1 << moves[i];
    }
    if (all != GOMOKU_UNKNOWN)
        *entry = (gomoku_draw_entry){key.key,
                                     all == GOMOKU_WIN ? zone_to_image(s, *zone, key.image) : 0};
    return all;
}

gomoku_verdict gomoku_draw_search_sets(gomoku_draw_search *s, uint64_t nodes)
{
    gomoku_winning_sets sets = s->attacker;
    uint64_t zone;
    s->halted = false;
    return sets_attack(s, &sets, s->nodes + nodes, &zone);
}

int gomoku_draw_search_answer(gomoku_draw_search *s, gomoku_winning_sets *sets, gomoku_pairs *pairs)
{
    int answer = -1;
    uint64_t zone;
    gomoku_sets_minimize(sets);
    uint64_t completing = gomoku_sets_completing_cells(sets);
    if (completing)
        return completing & (completing - 1) ? -1 : ply_lowest(completing);
    gomoku_sets_drop_pairs(sets, pairs);
    if (sets->count == 0)
        return GOMOKU_ANY_CELL;
    if (gomoku_sets_weight(sets) < GOMOKU_FULL_WEIGHT)
        return gomoku_sets_heaviest_cell(sets);
    s->halted = false;
    return find_answer(s, sets, UINT64_MAX, &answer, &zone) == GOMOKU_NO ? answer : -1;
}

gomoku_draw_key gomoku_draw_key_of(const gomoku_draw_search *s, const gomoku_winning_sets *sets)
{
    uint64_t sums[GOMOKU_IMAGES] = {0};
    add_set_keys(s, sets, 0, sums);
    return least_key(s, sums);
}

/* --- the game -------------------------------------------------------------------------------- */
/* Whether a bound or a pairing stops the attacker's sets, whatever sets the defender has. */
static bool is_stopped(const gomoku_winning_sets *attacker, bool defender_moves)
{
    gomoku_winning_sets sets = *attacker;
    gomoku_sets_drop_pairs(&sets, NULL);
    return gomoku_sets_weight(&sets) <
               (defender_moves ? GOMOKU_FULL_WEIGHT : GOMOKU_FULL_WEIGHT / 2) ||
           gomoku_sets_pairing(&sets, gomoku_sets_cells(&sets), NULL);
}

/* Either side to move. */
static gomoku_verdict game_search(gomoku_draw_search *s, gomoku_winning_sets *attacker,
                                  gomoku_winning_sets *defender, bool defender_moves,
                                  uint64_t limit)
{
    gomoku_sets_minimize(attacker);
    gomoku_sets_minimize(defender);
    uint64_t own = gomoku_sets_completing_cells(defender_moves ? defender : attacker);
    uint64_t other = gomoku_sets_completing_cells(defender_moves ? attacker : defender);
    gomoku_verdict good = defender_moves ? GOMOKU_NO : GOMOKU_WIN; /* for the player to move */
    gomoku_verdict bad = defender_moves ? GOMOKU_WIN : GOMOKU_NO;
    if (own)
        return good;
    if (other & (other - 1))
        return bad;
    if (is_stopped(attacker, defender_moves))
        return GOMOKU_NO;
    uint64_t sums[GOMOKU_IMAGES] = {0};
    add_set_keys(s, attacker, defender_moves ? GAME_KEY : ~GAME_KEY, sums);
    add_set_keys(s, defender, defender_moves ? GAME_KEY >> 1 : ~(GAME_KEY >> 1), sums);
    gomoku_draw_key key = least_key(s, sums);
    gomoku_draw_entry *entry = find_entry(s, key.key);
    if (entry->key == key.key)
        return entry->zone ? GOMOKU_WIN : GOMOKU_NO;
    if (out_of_nodes(s, limit))
        return GOMOKU_UNKNOWN;
    gomoku_cell_values values = {{0}};
    uint8_t moves[GOMOKU_SET_CELLS];
    gomoku_sets_add_values(attacker, &values);
    gomoku_sets_add_values(defender, &values);
    /* A stone in no set helps nobody. */
    int count = gomoku_sets_sort_cells(
        other ? other : gomoku_sets_cells(attacker) | gomoku_sets_cells(defender), &values, moves);
    gomoku_verdict best = bad;
    for (int i = 0; i < count && best == bad; i++) {
        gomoku_winning_sets a, d;
        uint64_t cell = (uint64_t)1 << moves[i];
        if (defender_moves) {
            gomoku_sets_block(attacker, cell, &a);
            gomoku_sets_claim(defender, cell, &d);
        } else {
            gomoku_sets_claim(attacker, cell, &a);
            gomoku_sets_block(defender, cell, &d);
        }
        best = game_search(s, &a, &d, !defender_moves, limit);
    }
    if (best != GOMOKU_UNKNOWN)
        *entry = (gomoku_draw_entry){key.key, best == GOMOKU_WIN};
    return best;
}

int gomoku_draw_search_game_answer(gomoku_draw_search *s)
{
    gomoku_cell_values values = {{0}};
    uint8_t cells[GOMOKU_SET_CELLS];
    gomoku_sets_add_values(&s->attacker, &values);
    gomoku_sets_add_values(&s->defender, &values);
    uint64_t own = gomoku_sets_completing_cells(&s->defender),
             other = gomoku_sets_completing_cells(&s->attacker);
    uint64_t all = gomoku_sets_cells(&s->attacker) | gomoku_sets_cells(&s->defender);
    int count = gomoku_sets_sort_cells(own ? own : other ? other : all, &values, cells);
    s->halted = false;
    for (int i = 0; i < count; i++) {
        gomoku_winning_sets attacker, defender;
        if (own)
            return cells[i];
        gomoku_sets_block(&s->attacker, (uint64_t)1 << cells[i], &attacker);
        gomoku_sets_claim(&s->defender, (uint64_t)1 << cells[i], &defender);
        if (game_search(s, &attacker, &defender, false, UINT64_MAX) == GOMOKU_NO)
            return cells[i];
    }
    return s->attacker.count == 0 ? GOMOKU_ANY_CELL : -1;
}

gomoku_verdict gomoku_draw_search_game(gomoku_draw_search *s, uint64_t nodes)
{
    gomoku_winning_sets attacker = s->attacker, defender = s->defender;
    s->halted = false;
    return game_search(s, &attacker, &defender, false, s->nodes + nodes);
}

/* --- setting up ------------------------------------------------------------------------------ */
ply_status gomoku_draw_search_init(gomoku_draw_search *s, size_t bytes)
{
    enum { LEAST = 1 << 12 };
    size_t entries = LEAST;
    memset(s, 0, sizeof *s);
    while (2 * entries * sizeof *s->table <= bytes)
        entries *= 2;
    s->table = calloc(entries, sizeof *s->table);
    s->mask = entries - 1;
    return s->table ? PLY_OK : PLY_NO_MEMORY;
}

void gomoku_draw_search_free(gomoku_draw_search *s)
{
    free(s->table);
    s->table = NULL;
}

static void set_board(gomoku_draw_search *s, int width, int height)
{
    uint64_t random[GOMOKU_SET_CELLS];
    ply_rng rng = ply_rng_make(64, 5);
    if (s->width && (s->width != width || s->height != height))
        memset(s->table, 0, (s->mask + 1) * sizeof *s->table);
    s->width = width;
    s->height = height;
    s->cells = width * height;
    s->images = width == height ? 8 : 4;
    for (int i = 0; i < GOMOKU_SET_CELLS; i++)
        random[i] = ply_rng_next(&rng);
    for (int k = 0; k < GOMOKU_IMAGES; k++)
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++) {
                int to_x = k & 1 ? width - 1 - x : x, to_y = k & 2 ? height - 1 - y : y;
                int to = k & 4 && width == height ? to_x * width + to_y : to_y * width + to_x;
                s->image[k][y * width + x] = (uint8_t)to;
                s->keys[y * width + x][k] = random[to];
            }
}

bool gomoku_draw_search_set(gomoku_draw_search *s, int width, int height, int row,
                            uint64_t attacker, uint64_t defender)
{
    static const int steps[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
    if (width * height > GOMOKU_SET_CELLS || row > GOMOKU_MAX_SET_SIZE)
        return false;
    set_board(s, width, height);
    s->attacker.count = s->defender.count = 0;
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
                /* A full window that has not won is part of an overline and never will. */
                if (!(cells & defender) && (cells & ~attacker))
                    s->attacker.set[s->attacker.count++] = cells & ~attacker;
                if (!(cells & attacker) && (cells & ~defender))
                    s->defender.set[s->defender.count++] = cells & ~defender;
            }
    return true;
}
