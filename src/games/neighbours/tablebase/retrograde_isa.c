/* SPDX-License-Identifier: MIT */
/*
 * retrograde_isa.c - Neighbours for the tablebase builder; compiled for several instruction sets.
 *
 * Neither player has a direction of play, so all eight symmetries of the square preserve the value
 * of a position. A class is a pair of piece counts, own v enemy. The number of a slot is
 *
 *     orbit of the own set * C(36 - own, enemy) + rank of the enemy set among the free squares
 *
 * All images of an own set share an orbit; the image with the lowest rank represents it. Where some
 * symmetries fix that representative, the enemy set must have the lowest rank among its images
 * under them; the other numbers are holes, a few per cent.
 *
 *     fold[k][rank of a set of k squares]
 *
 *      31                             4   3   2      0
 *     +--------------------------------+-----+--------+    sym: some symmetry fixes the set
 *     | orbit                          | sym | image  |    image: maps it to the representative
 *     +--------------------------------+-----+--------+
 *
 *     representative[k][orbit]
 *
 *      63             40 39      36 35                0
 *     +-----------------+----------+-------------------+
 *     | fixing images   | 0        | set               |    fixing images: a set of image numbers
 *     +-----------------+----------+-------------------+
 *
 * The rank of a set is that of the combinatorial number system. To unrank quickly, all sets of k
 * among 36 squares are listed in order of rank; the sets among n squares are the first C(n, k).
 */
#include "games/neighbours/neighbours.h"
#include "model/retrograde.h"
#include <stdlib.h>
#include <string.h>

#define T uint64_t
#define SLICES_SUFFIX _one
#include "games/neighbours/rules/neighbour_counts.h"

enum { IMAGES = 8, COUNTS = NEIGHBOURS_PIECES + 1 };
enum { FOLD_IMAGE = 7, FOLD_SYMMETRIC = 8, FOLD_ORBIT_SHIFT = 4, FIXING_SHIFT = 40 };

typedef struct workspace {
    int path_rule;
    uint32_t choose[COUNTS][NEIGHBOURS_SQUARES + 1]; /* [k][n] */
    uint8_t image[IMAGES][NEIGHBOURS_SQUARES];
    uint64_t ring[NEIGHBOURS_SQUARES][NEIGHBOURS_REACH + 1]; /* squares at a distance, on a line */
    uint64_t between[NEIGHBOURS_SQUARES][NEIGHBOURS_SQUARES];
    uint64_t *sets[COUNTS];           /* by size and rank */
    uint32_t *fold[COUNTS];           /* by size and rank */
    uint64_t *representative[COUNTS]; /* by size and orbit */
    uint32_t orbits[COUNTS];          /* number of orbits, by size */
} workspace;

typedef struct boards {
    uint64_t own, enemy;
} boards;

static inline uint32_t rank_set(const workspace *w, uint64_t set)
{
    uint32_t rank = 0;
    for (int k = 1; set; set &= set - 1, k++)
        rank += w->choose[k][ply_lowest(set)];
    return rank;
}

static inline uint64_t image_of(const workspace *w, unsigned image, uint64_t set)
{
    uint64_t result = 0;
    for (; set; set &= set - 1)
        result |= ply_bit(w->image[image][ply_lowest(set)]);
    return result;
}

static inline size_t class_make(int own, int enemy)
{
    return (size_t)(own * COUNTS + enemy);
}

static inline int class_own(size_t class_index)
{
    return (int)class_index / COUNTS;
}

static inline int class_enemy(size_t class_index)
{
    return (int)class_index % COUNTS;
}

/* --- classes -------------------------------------------------------------------------------- */
static void rules_name(const ply_rules *rules, ply_text *out)
{
    ply_text_string(out,
                    rules->option[NEIGHBOURS_OPTION_PATH] == NEIGHBOURS_JUMP ? "jump" : "slide");
}

static void class_pieces(size_t class_index, unsigned *own, unsigned *enemy)
{
    *own = (unsigned)class_own(class_index);
    *enemy = (unsigned)class_enemy(class_index);
}

static uint32_t class_order(size_t class_index)
{
    return (uint32_t)(class_own(class_index) + class_enemy(class_index));
}

static size_t class_partner(size_t class_index)
{
    return class_make(class_enemy(class_index), class_own(class_index));
}

/* After a capture; a player who loses the last piece is in no class. */
static size_t class_exits(size_t class_index, size_t *out)
{
    if (class_enemy(class_index) < 2)
        return 0;
    out[0] = class_make(class_enemy(class_index) - 1, class_own(class_index));
    return 1;
}

/* --- workspace ------------------------------------------------------------------------------ */
static void *workspace_open(const ply_rules *rules)
{
    workspace *w = calloc(1, sizeof *w);
    if (!w)
        return NULL;
    w->path_rule = rules->option[NEIGHBOURS_OPTION_PATH];
    for (int n = 0; n <= NEIGHBOURS_SQUARES; n++)
        for (int k = 0; k < COUNTS; k++)
            w->choose[k][n] = k == 0   ? 1
                              : n == 0 ? 0
                                       : w->choose[k][n - 1] + w->choose[k - 1][n - 1];
    for (int square = 0; square < NEIGHBOURS_SQUARES; square++)
        for (int distance = 1; distance <= NEIGHBOURS_REACH; distance++) {
            const neighbours_targets *targets = &neighbours_targets_at[square][distance];
            for (unsigned i = 0; i < targets->count; i++) {
                w->ring[square][distance] |= ply_bit(targets->to[i]);
                w->between[square][targets->to[i]] = targets->path[i];
            }
        }
    for (int i = 0; i < IMAGES; i++)
        for (int square = 0; square < NEIGHBOURS_SQUARES; square++) {
            int x = square % NEIGHBOURS_SIDE, y = square / NEIGHBOURS_SIDE;
            if (i & 1)
                x = NEIGHBOURS_SIDE - 1 - x;
            if (i & 2)
                y = NEIGHBOURS_SIDE - 1 - y;
            w->image[i][square] =
                (uint8_t)(i & 4 ? x * NEIGHBOURS_SIDE + y : y * NEIGHBOURS_SIDE + x);
        }
    return w;
}

static void workspace_close(void *handle)
{
    workspace *w = handle;
    for (int k = 0; w && k < COUNTS; k++) {
        free(w->sets[k]);
        free(w->fold[k]);
        free(w->representative[k]);
    }
    free(w);
}

/* The next larger set with as many squares. Ascending sets are in order of rank. */
static uint64_t next_set(uint64_t set)
{
    uint64_t lowest = set & -set, ripple = set + lowest;
    return ripple | ((set ^ ripple) >> 2) / lowest;
}

/* Fills the entry of a set in fold. Images of lower rank must have their entries already. */
static void fold_set(workspace *w, int k, uint32_t rank)
{
    uint64_t fixing = 0, set = w->sets[k][rank];
    uint32_t lowest = rank, image = 0;
    for (uint32_t i = 0; i < IMAGES; i++) {
        uint32_t other = rank_set(w, image_of(w, i, set));
        if (other == rank)
            fixing |= ply_bit((int)i);
        if (other < lowest) {
            lowest = other;
            image = i;
        }
    }
    uint32_t symmetric = fixing == 1 ? 0 : FOLD_SYMMETRIC;
    if (lowest == rank) {
        w->representative[k][w->orbits[k]] = set | fixing << FIXING_SHIFT;
        w->fold[k][rank] = w->orbits[k]++ << FOLD_ORBIT_SHIFT | symmetric;
    } else {
        w->fold[k][rank] =
            w->fold[k][lowest] >> FOLD_ORBIT_SHIFT << FOLD_ORBIT_SHIFT | symmetric | image;
    }
}

/* Sets up the sets of k squares. */
static ply_status prepare_count(workspace *w, int k)
{
    if (w->representative[k])
        return PLY_OK;
    uint32_t count = w->choose[k][NEIGHBOURS_SQUARES];
    free(w->sets[k]);
    free(w->fold[k]);
    w->sets[k] = malloc(count * sizeof *w->sets[k]);
    w->fold[k] = malloc(count * sizeof *w->fold[k]);
    w->representative[k] = malloc(count * sizeof *w->representative[k]);
    if (!w->sets[k] || !w->fold[k] || !w->representative[k]) {
        free(w->representative[k]);
        w->representative[k] = NULL;
        return PLY_NO_MEMORY;
    }
    uint64_t set = ply_bit(k) - 1;
    for (uint32_t rank = 0; rank < count; rank++, set = k ? next_set(set) : 0)
        w->sets[k][rank] = set;
    for (uint32_t rank = 0; rank < count; rank++)
        fold_set(w, k, rank);
    return PLY_OK;
}

static ply_status prepare_class(void *handle, size_t class_index)
{
    ply_status status = prepare_count(handle, class_own(class_index));
    return status == PLY_OK ? prepare_count(handle, class_enemy(class_index)) : status;
}

static inline uint32_t enemy_sets(const workspace *w, int own, int enemy)
{
    return w->choose[enemy][NEIGHBOURS_SQUARES - own];
}

static uint64_t slot_count(const void *handle, size_t class_index)
{
    const workspace *w = handle;
    int own = class_own(class_index);
    return (uint64_t)w->orbits[own] * enemy_sets(w, own, class_enemy(class_index));
}

/* --- slots ---------------------------------------------------------------------------------- */
static inline uint32_t enemy_rank(const workspace *w, uint64_t own, uint64_t enemy)
{
    return rank_set(w, ply_pext(enemy, NEIGHBOURS_BOARD & ~own));
}

/*
 * The lowest rank of the enemy set among its images under the symmetries that fix the own set.
 * *times: how many of them reach it.
 */
static uint32_t lowest_enemy_rank(const workspace *w, uint64_t base, uint64_t enemy,
                                  unsigned *times)
{
    uint64_t own = base & NEIGHBOURS_BOARD;
    uint32_t lowest = UINT32_MAX;
    for (uint64_t fixing = base >> FIXING_SHIFT; fixing; fixing &= fixing - 1) {
        uint64_t image = image_of(w, (unsigned)ply_lowest(fixing), enemy);
        uint32_t rank = enemy_rank(w, own, image);
        *times = rank < lowest ? 1 : *times + (rank == lowest);
        lowest = rank < lowest ? rank : lowest;
    }
    return lowest;
}

/* own and enemy have the given counts. *symmetric: some symmetry fixes the own set. */
static inline uint64_t number_of(const workspace *w, uint64_t own, uint64_t enemy, int own_count,
                                 int enemy_count, bool *symmetric)
{
    uint32_t fold = w->fold[own_count][rank_set(w, own)];
    uint64_t base = w->representative[own_count][fold >> FOLD_ORBIT_SHIFT];
    uint64_t number = (uint64_t)(fold >> FOLD_ORBIT_SHIFT) * enemy_sets(w, own_count, enemy_count);
    if (fold & FOLD_IMAGE)
        enemy = image_of(w, fold & FOLD_IMAGE, enemy);
    *symmetric = (fold & FOLD_SYMMETRIC) != 0;
    unsigned times;
    if (*symmetric)
        return number + lowest_enemy_rank(w, base, enemy, &times);
    return number + enemy_rank(w, base & NEIGHBOURS_BOARD, enemy);
}

/* The boards of a slot, and the entry of its own set in `representative`. */
static inline boards boards_of(const workspace *w, ply_slot slot, uint64_t *base)
{
    size_t class_index = ply_slot_class(slot);
    int own = class_own(class_index), enemy = class_enemy(class_index);
    uint32_t sets = enemy_sets(w, own, enemy);
    uint64_t number = ply_slot_number(slot);
    *base = w->representative[own][number / sets];
    uint64_t own_set = *base & NEIGHBOURS_BOARD;
    return (boards){own_set, ply_pdep(w->sets[enemy][number % sets], NEIGHBOURS_BOARD & ~own_set)};
}

/* Whether a symmetry other than the identity fixes the set. */
static inline bool is_symmetric(uint64_t base)
{
    return base >> FIXING_SHIFT != 1;
}

static unsigned orbit_size(const void *handle, ply_slot slot)
{
    const workspace *w = handle;
    uint64_t base;
    boards b = boards_of(w, slot, &base);
    if (!is_symmetric(base))
        return IMAGES;
    unsigned times = 0;
    if (lowest_enemy_rank(w, base, b.enemy, &times) != enemy_rank(w, b.own, b.enemy))
        return 0;
    return IMAGES / times;
}

static size_t class_of(const void *position)
{
    const neighbours_position *p = position;
    return class_make(ply_popcount(p->current), ply_popcount(p->next));
}

static ply_slot slot_of(const void *handle, const void *position)
{
    const neighbours_position *p = position;
    int own = ply_popcount(p->current), enemy = ply_popcount(p->next);
    if (own == 0)
        return PLY_SLOT_NO_PIECES;
    bool symmetric;
    return ply_slot_make(class_make(own, enemy),
                         number_of(handle, p->current, p->next, own, enemy, &symmetric));
}

static void position_of(const void *handle, ply_slot slot, void *position)
{
    uint64_t base;
    boards b = boards_of(handle, slot, &base);
    neighbours_position p = {.current = b.own, .next = b.enemy};
    neighbours_finish(&p);
    *(neighbours_position *)position = p;
}

/* --- moves ---------------------------------------------------------------------------------- */
/* The boards after each capture or each quiet move, seen by the player who moves next. */
static inline size_t expand(const workspace *w, boards b, bool captures, boards *out)
{
    uint64_t pieces = b.own | b.enemy;
    uint64_t blocking = w->path_rule == NEIGHBOURS_JUMP ? 0 : pieces;
    uint64_t allowed = captures ? b.enemy : ~pieces;
    size_t count = 0;
    for (uint64_t own = b.own; own; own &= own - 1) {
        int from = ply_lowest(own), distance = neighbours_distance(pieces, from);
        if (distance > NEIGHBOURS_REACH)
            continue;
        const neighbours_targets *targets = &neighbours_targets_at[from][distance];
        for (unsigned i = 0; i < targets->count; i++) {
            uint64_t to = ply_bit(targets->to[i]);
            /* Always written, but counted only if legal: this avoids a branch. */
            out[count].own = b.enemy & ~to;
            out[count].enemy = b.own ^ ply_bit(from) ^ to;
            count += !(targets->path[i] & blocking) && (allowed & to);
        }
    }
    return count;
}

static size_t slots_after(const workspace *w, size_t class_index, const boards *children,
                          size_t count, bool captures, ply_slot *out)
{
    int own = class_enemy(class_index) - captures, enemy = class_own(class_index);
    size_t to = class_make(own, enemy);
    for (size_t i = 0; i < count; i++) {
        bool symmetric;
        out[i] = own == 0 ? PLY_SLOT_NO_PIECES
                          : ply_slot_make(to, number_of(w, children[i].own, children[i].enemy, own,
                                                        enemy, &symmetric));
    }
    return count;
}

static size_t successors(const void *handle, ply_slot slot, ply_slot *out)
{
    const workspace *w = handle;
    uint64_t base;
    boards b = boards_of(w, slot, &base), children[NEIGHBOURS_MAX_MOVES + 1];
    size_t class_index = ply_slot_class(slot), count = 0;
    for (int captures = 0; captures < 2; captures++)
        count += slots_after(w, class_index, children, expand(w, b, captures, children), captures,
                             out + count);
    return count;
}

static size_t exits(const void *handle, ply_slot slot, ply_slot *out, unsigned *inner_moves)
{
    const workspace *w = handle;
    uint64_t base;
    boards b = boards_of(w, slot, &base), children[NEIGHBOURS_MAX_MOVES + 1];
    if (is_symmetric(base) && orbit_size(w, slot) == 0)
        return PLY_SLOT_HOLE;
    *inner_moves = (unsigned)expand(w, b, false, children);
    size_t count = expand(w, b, true, children);
    return slots_after(w, ply_slot_class(slot), children, count, true, out);
}

/* --- predecessors --------------------------------------------------------------------------- */
static size_t moves_between(const workspace *w, ply_slot from, ply_slot to)
{
    uint64_t base;
    boards b = boards_of(w, from, &base), children[NEIGHBOURS_MAX_MOVES + 1];
    ply_slot after[NEIGHBOURS_MAX_MOVES];
    size_t count = expand(w, b, false, children), found = 0;
    slots_after(w, ply_slot_class(from), children, count, false, after);
    for (size_t i = 0; i < count; i++)
        found += after[i] == to;
    return found;
}

/*
 * Between two positions that no symmetry fixes, there are as many moves back as forward. If one of
 * them is symmetric, the numbers differ: then the source is collected once, and its moves to this
 * slot are counted forward.
 */
static size_t predecessors(const void *handle, ply_slot slot, ply_slot *out)
{
    const workspace *w = handle;
    size_t class_index = ply_slot_class(slot), source_class = class_partner(class_index);
    int own_count = class_own(source_class), enemy_count = class_enemy(source_class);
    uint64_t base;
    boards b = boards_of(w, slot, &base);
    uint64_t pieces = b.own | b.enemy;
    uint64_t blocking = w->path_rule == NEIGHBOURS_JUMP ? 0 : pieces;
    bool target_symmetric = is_symmetric(base);
    ply_slot symmetric_sources[NEIGHBOURS_PIECES * NEIGHBOURS_DIRECTIONS * NEIGHBOURS_REACH];
    size_t count = 0, symmetric_count = 0;
    for (uint64_t movers = b.enemy; movers; movers &= movers - 1) {
        int to = ply_lowest(movers);
        uint64_t by_count[NEIGHBOURS_REACH + 1], candidates = 0;
        split_movers_one(~pieces, neighbours_toggle(pieces, to), by_count);
        for (int distance = 1; distance <= NEIGHBOURS_REACH; distance++)
            candidates |= by_count[distance] & w->ring[to][distance];
        for (; candidates; candidates &= candidates - 1) {
            int from = ply_lowest(candidates);
            if (w->between[to][from] & blocking)
                continue;
            bool symmetric;
            ply_slot source =
                ply_slot_make(source_class, number_of(w, neighbours_move(b.enemy, to, from), b.own,
                                                      own_count, enemy_count, &symmetric));
            if (!target_symmetric && !symmetric) {
                out[count++] = source;
                continue;
            }
            size_t k = 0;
            while (k < symmetric_count && symmetric_sources[k] != source)
                k++;
            symmetric_sources[k] = source;
            symmetric_count += k == symmetric_count;
        }
    }
    for (size_t i = 0; i < symmetric_count; i++)
        for (size_t times = moves_between(w, symmetric_sources[i], slot); times > 0; times--)
            out[count++] = symmetric_sources[i];
    return count;
}

extern const ply_retrograde PLY_ISA(neighbours_retrograde_of);
const ply_retrograde PLY_ISA(neighbours_retrograde_of) = {
    .default_up_to = "3v3",
    .max_successors = NEIGHBOURS_MAX_MOVES,
    .max_predecessors = 2 * NEIGHBOURS_PIECES * NEIGHBOURS_DIRECTIONS * NEIGHBOURS_REACH,
    .rules_name = rules_name,
    .class_pieces = class_pieces,
    .class_order = class_order,
    .class_partner = class_partner,
    .class_exits = class_exits,
    .open = workspace_open,
    .close = workspace_close,
    .prepare_class = prepare_class,
    .slot_count = slot_count,
    .class_of = class_of,
    .slot_of = slot_of,
    .position_of = position_of,
    .orbit_size = orbit_size,
    .successors = successors,
    .exits = exits,
    .predecessors = predecessors,
};
