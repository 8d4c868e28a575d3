/*
 * hold.c - the defender holds; see hold.h.
 *
 * The game of rows: a position with the attacker to move is made smaller without changing who wins:
 *
 *     - a row that contains another goes;
 *     - two cells that stand in the same rows are a pair: when the attacker takes one, the defender
 *       takes the other; so their rows go;
 *     - parts that share no row are games of their own: the defender holds when he holds each.
 *
 * It is held when the rows weigh too little (draws.h), or when every row can be given two cells of
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
#include "games/gomoku/hold.h"
#include "core/bits.h"
#include <stdlib.h>
#include <string.h>

enum {
    GO_ON_EVERY = 1 << 10,
    FIRST_NODES = 256, /* for an answer, at first */
    MORE_NODES = 4,    /* times as many in the next round */
    FULL = 64,         /* weight of a full row: rows have up to 6 cells */
    MAX_ROW = 6
};
#define GAME_KEY 0x5851f42d4c957f2du /* told apart from positions of the game of rows */

typedef struct hold_weights {
    int32_t of[GOMOKU_HOLD_CELLS];
} hold_weights;

/* What a row with so many cells left is worth in the order of moves; 1.3 to the minus cells. */
static const int32_t row_worth[MAX_ROW + 1] = {0, 788, 606, 466, 358, 276, 212};

/* --- rows ------------------------------------------------------------------------------------ */
/* Smallest rows first; those that contain another go. */
static void keep_minimal(gomoku_rows *r)
{
    uint64_t sorted[GOMOKU_HOLD_ROWS];
    int start[MAX_ROW + 2] = {0}, kept = 0, smaller = 0, size = 0;
    for (int i = 0; i < r->count; i++)
        start[ply_popcount(r->row[i]) + 1]++;
    for (int k = 1; k < MAX_ROW + 2; k++)
        start[k] += start[k - 1];
    for (int i = 0; i < r->count; i++)
        sorted[start[ply_popcount(r->row[i])]++] = r->row[i];
    for (int i = 0; i < r->count; i++) {
        uint64_t row = sorted[i];
        bool contains = false;
        if (ply_popcount(row) != size) {
            size = ply_popcount(row);
            smaller = kept;
        }
        for (int k = 0; k < smaller && !contains; k++)
            contains = (r->row[k] & ~row) == 0;
        for (int k = smaller; k < kept && !contains; k++)
            contains = r->row[k] == row;
        if (!contains)
            r->row[kept++] = row;
    }
    r->count = kept;
}

/* Cells that stand in exactly one row. */
static uint64_t lone_cells(const gomoku_rows *r)
{
    uint64_t once = 0, twice = 0;
    for (int i = 0; i < r->count; i++) {
        twice |= once & r->row[i];
        once |= r->row[i];
    }
    return once & ~twice;
}

/* Rows with two cells that stand in no other go. */
static void drop_lone_pairs(gomoku_rows *r)
{
    for (int before = -1; before != r->count && r->count;) {
        uint64_t lone = lone_cells(r);
        int kept = 0;
        before = r->count;
        for (int i = 0; i < before; i++) {
            uint64_t own = r->row[i] & lone;
            if ((own & (own - 1)) == 0)
                r->row[kept++] = r->row[i];
        }
        r->count = kept;
    }
}

/* Rows with two cells that stand in the same rows go, until there are none. */
static void drop_pairs(gomoku_rows *r)
{
    drop_lone_pairs(r);
    while (r->count > 1) {
        uint64_t common[GOMOKU_HOLD_CELLS], seen = 0, twice = 0, paired = 0;
        memset(common, 0xff, sizeof common);
        for (int i = 0; i < r->count; i++) {
            twice |= seen & r->row[i];
            seen |= r->row[i];
        }
        for (int i = 0; i < r->count; i++)
            for (uint64_t m = r->row[i] & twice; m; m &= m - 1)
                common[ply_lowest(m)] &= r->row[i];
        for (uint64_t m = twice; m; m &= m - 1) {
            int a = ply_lowest(m);
            if (paired >> a & 1)
                continue;
            for (uint64_t o = common[a] & (m & (m - 1)) & ~paired; o; o &= o - 1) {
                int b = ply_lowest(o);
                if (common[b] >> a & 1) {
                    paired |= (uint64_t)1 << a | (uint64_t)1 << b;
                    break;
                }
            }
        }
        if (!paired)
            return;
        int kept = 0;
        for (int i = 0; i < r->count; i++)
            if (!(r->row[i] & paired))
                r->row[kept++] = r->row[i];
        r->count = kept;
        drop_lone_pairs(r);
    }
}

static uint64_t cells_of(const gomoku_rows *r)
{
    uint64_t all = 0;
    for (int i = 0; i < r->count; i++)
        all |= r->row[i];
    return all;
}

static int weigh(const gomoku_rows *r)
{
    int weight = 0;
    for (int i = 0; i < r->count; i++)
        weight += FULL >> ply_popcount(r->row[i]);
    return weight;
}

/* The part of the rows that hangs together with the cells given. */
static uint64_t part_of(const gomoku_rows *r, uint64_t cells)
{
    for (uint64_t before = 0; before != cells;) {
        before = cells;
        for (int i = 0; i < r->count; i++)
            if (r->row[i] & cells)
                cells |= r->row[i];
    }
    return cells;
}

/* A stone of their owner's: the rows become shorter. */
static void take(const gomoku_rows *r, uint64_t cell, gomoku_rows *out)
{
    out->count = r->count;
    for (int i = 0; i < r->count; i++)
        out->row[i] = r->row[i] & ~cell;
}

/* A stone of the other's. */
static void block(const gomoku_rows *r, uint64_t cell, gomoku_rows *out)
{
    int kept = 0;
    for (int i = 0; i < r->count; i++)
        if (!(r->row[i] & cell))
            out->row[kept++] = r->row[i];
    out->count = kept;
}

/* Cells that fill a row. */
static uint64_t last_cells(const gomoku_rows *r)
{
    uint64_t cells = 0;
    for (int i = 0; i < r->count; i++)
        if ((r->row[i] & (r->row[i] - 1)) == 0)
            cells |= r->row[i];
    return cells;
}

static void add_worth(const gomoku_rows *r, hold_weights *w)
{
    for (int i = 0; i < r->count; i++) {
        int32_t worth = row_worth[ply_popcount(r->row[i])];
        for (uint64_t m = r->row[i]; m; m &= m - 1)
            w->of[ply_lowest(m)] += worth;
    }
}

/* The cells, those of most worth first; returns how many. */
static int sort_cells(uint64_t cells, const hold_weights *w, uint8_t *out)
{
    int count = 0;
    for (uint64_t m = cells; m; m &= m - 1) {
        int cell = ply_lowest(m), i = count++;
        for (; i > 0 && w->of[out[i - 1]] < w->of[cell]; i--)
            out[i] = out[i - 1];
        out[i] = (uint8_t)cell;
    }
    return count;
}

/* --- pairings -------------------------------------------------------------------------------- */
typedef struct matching {
    const gomoku_rows *rows;
    int16_t owner[GOMOKU_HOLD_CELLS]; /* row that has the cell, or -1 */
    uint64_t seen;
} matching;

/* Finds one more cell for the row, moving others' cells on the way. */
static bool match_row(matching *m, int i)
{
    for (uint64_t free; (free = m->rows->row[i] & ~m->seen) != 0;) {
        int cell = ply_lowest(free);
        m->seen |= (uint64_t)1 << cell;
        if (m->owner[cell] < 0 || match_row(m, m->owner[cell])) {
            m->owner[cell] = (int16_t)i;
            return true;
        }
    }
    return false;
}

/* Whether every row can have two cells of its own. */
static bool has_pairing(const gomoku_rows *r, uint64_t cells)
{
    matching m = {.rows = r};
    if (2 * r->count > ply_popcount(cells))
        return false;
    memset(m.owner, -1, sizeof m.owner);
    for (int i = 0; i < 2 * r->count; i++) {
        m.seen = 0;
        if (!match_row(&m, i / 2))
            return false;
    }
    return true;
}

/* --- keys and table -------------------------------------------------------------------------- */
typedef struct hold_key {
    uint64_t key;
    int image;
} hold_key;

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

static hold_key least_key(const gomoku_hold *h, const uint64_t sums[GOMOKU_IMAGES])
{
    hold_key least = {sums[0], 0};
    for (int k = 1; k < h->images; k++)
        if (sums[k] < least.key)
            least = (hold_key){sums[k], k};
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

/* The attacker has played. What the attacker achieves; a win with its zone. */
static gomoku_verdict rows_defend(gomoku_hold *h, gomoku_rows *r, uint64_t limit, uint64_t *zone)
{
    gomoku_rows next;
    keep_minimal(r);
    uint64_t last = last_cells(r);
    if (last & (last - 1)) {
        uint64_t first = last & -last;
        last ^= first;
        *zone = first | (last & -last);
        return GOMOKU_WIN;
    }
    if (last) {
        block(r, last, &next);
        gomoku_verdict verdict = rows_attack(h, &next, limit, zone);
        *zone |= last;
        return verdict;
    }
    drop_pairs(r);
    if (weigh(r) < FULL)
        return GOMOKU_NO;
    hold_weights w = {{0}};
    uint8_t answers[GOMOKU_HOLD_CELLS];
    add_worth(r, &w);
    uint64_t left = cells_of(r), touched = 0;
    int count = sort_cells(left, &w, answers);
    for (uint64_t nodes = FIRST_NODES;; nodes *= MORE_NODES) {
        for (int i = 0; i < count; i++) {
            uint64_t answer = (uint64_t)1 << answers[i], its_zone = 0;
            if (!(left & answer))
                continue;
            uint64_t its_limit = h->nodes + nodes < limit ? h->nodes + nodes : limit;
            block(r, answer, &next);
            gomoku_verdict verdict = rows_attack(h, &next, its_limit, &its_zone);
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

/* Cells the attacker need not try: another stands in all their rows and more. */
static uint64_t attack_cells(const gomoku_rows *r)
{
    uint64_t common[GOMOKU_HOLD_CELLS], cells = cells_of(r), kept = 0;
    uint64_t lone = lone_cells(r);
    for (int i = 0; i < r->count && ply_popcount(r->row[i]) == 2; i++)
        if (r->row[i] & lone)
            return r->row[i] & ~lone; /* costs nothing: the answer is of no other use */
    memset(common, 0xff, sizeof common);
    for (int i = 0; i < r->count; i++)
        for (uint64_t m = r->row[i]; m; m &= m - 1)
            common[ply_lowest(m)] &= r->row[i];
    for (uint64_t m = cells; m; m &= m - 1)
        if (common[ply_lowest(m)] == (m & -m))
            kept |= m & -m;
    return kept;
}

/* Parts that share no row, one after the other. */
static gomoku_verdict rows_parts(gomoku_hold *h, const gomoku_rows *r, uint64_t cells,
                                 uint64_t limit, uint64_t *zone)
{
    gomoku_verdict all = GOMOKU_NO;
    while (cells) {
        gomoku_rows part;
        uint64_t its_cells = part_of(r, cells & -cells);
        cells &= ~its_cells;
        block(r, ~its_cells, &part);
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
    keep_minimal(r);
    if (r->count && ply_popcount(r->row[0]) == 1) {
        *zone = r->row[0];
        return GOMOKU_WIN;
    }
    drop_pairs(r);
    if (weigh(r) < FULL / 2)
        return GOMOKU_NO;
    uint64_t cells = cells_of(r);
    if (part_of(r, cells & -cells) != cells)
        return rows_parts(h, r, cells, limit, zone);
    if (has_pairing(r, cells))
        return GOMOKU_NO;
    uint64_t sums[GOMOKU_IMAGES] = {0};
    add_rows(h, r, 0, sums);
    hold_key key = least_key(h, sums);
    gomoku_hold_entry *entry = find_entry(h, key.key);
    if (entry->key == key.key) {
        *zone = zone_from_image(h, entry->zone, key.image);
        return entry->zone ? GOMOKU_WIN : GOMOKU_NO;
    }
    if (out_of_nodes(h, limit))
        return GOMOKU_UNKNOWN;
    hold_weights w = {{0}};
    uint8_t moves[GOMOKU_HOLD_CELLS];
    add_worth(r, &w);
    int count = sort_cells(attack_cells(r), &w, moves);
    gomoku_verdict all = GOMOKU_NO;
    for (int i = 0; i < count && all == GOMOKU_NO; i++) {
        gomoku_rows next;
        take(r, (uint64_t)1 << moves[i], &next);
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

/* --- the game -------------------------------------------------------------------------------- */
/* Whether the attacker's rows are too few or too far apart, whoever else has rows. */
static bool is_held(const gomoku_rows *attacker, bool defender_moves)
{
    gomoku_rows r = *attacker;
    drop_pairs(&r);
    return weigh(&r) < (defender_moves ? FULL : FULL / 2) || has_pairing(&r, cells_of(&r));
}

/* One side to move; the attacker's rows first, whoever moves. */
static gomoku_verdict game_search(gomoku_hold *h, gomoku_rows *attacker, gomoku_rows *defender,
                                  bool defender_moves, uint64_t limit)
{
    keep_minimal(attacker);
    keep_minimal(defender);
    uint64_t own = last_cells(defender_moves ? defender : attacker);
    uint64_t other = last_cells(defender_moves ? attacker : defender);
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
    hold_key key = least_key(h, sums);
    gomoku_hold_entry *entry = find_entry(h, key.key);
    if (entry->key == key.key)
        return entry->zone ? GOMOKU_WIN : GOMOKU_NO;
    if (out_of_nodes(h, limit))
        return GOMOKU_UNKNOWN;
    hold_weights w = {{0}};
    uint8_t moves[GOMOKU_HOLD_CELLS];
    add_worth(attacker, &w);
    add_worth(defender, &w);
    /* A stone that stands in no row helps nobody. */
    int count = sort_cells(other ? other : cells_of(attacker) | cells_of(defender), &w, moves);
    gomoku_verdict best = bad;
    for (int i = 0; i < count && best == bad; i++) {
        gomoku_rows a, d;
        uint64_t cell = (uint64_t)1 << moves[i];
        if (defender_moves) {
            block(attacker, cell, &a);
            take(defender, cell, &d);
        } else {
            take(attacker, cell, &a);
            block(defender, cell, &d);
        }
        best = game_search(h, &a, &d, !defender_moves, limit);
    }
    if (best != GOMOKU_UNKNOWN)
        *entry = (gomoku_hold_entry){key.key, best == GOMOKU_WIN};
    return best;
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
    static const int8_t steps[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
    if (width * height > GOMOKU_HOLD_CELLS || row > MAX_ROW)
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
