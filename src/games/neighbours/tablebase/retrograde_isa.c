/* SPDX-License-Identifier: MIT */
/*
 * retrograde_isa.c - Neighbours for the builder of tables, compiled for several machines.
 *
 * No player has a direction of his own, so all eight symmetries of the square leave a position's
 * value alone. A class is a pair of piece counts, own v enemy, and a place is
 *
 *     slot of the own set * C(36 - own, enemy) + rank of the enemy set among the squares left
 *
 * where the own sets that are images of each other share a slot, the base being the one of lowest
 * rank. Where the base is its own image under some symmetries, the enemy set is the one of lowest
 * rank among its images under those; the other numbers are holes, a few in a hundred.
 *
 *     fold[k][rank of a set of k squares]   31       4  3        2        0
 *                                          | slot     | symmetric | image  |  image: brings it to
 * the base base[k][slot]                         63        40 39      36 35     0 | images that fix
 * it | zero  | set |
 *
 * The rank of a set is the combinatorial number system's; all sets of k squares in its order are
 * one table, of which the sets within n squares are the first C(n, k).
 */
#include "games/neighbours/neighbours.h"
#include "model/retrograde.h"
#include <stdlib.h>
#include <string.h>

#define T uint64_t
#define SLICES_SUFFIX _one
#include "games/neighbours/rules/neighbour_counts.h"

enum { IMAGES = 8, COUNTS = NEIGHBOURS_PIECES + 1, FOLD_SYMMETRIC = 8, FOLD_SHIFT = 4 };
enum { FIXED_SHIFT = 40 };

typedef struct work {
    int path_rule;
    uint32_t choose[COUNTS][NEIGHBOURS_SQUARES + 1]; /* [k][n] */
    uint8_t image[IMAGES][NEIGHBOURS_SQUARES];
    uint64_t ring[NEIGHBOURS_SQUARES][NEIGHBOURS_REACH + 1]; /* squares at that distance in line */
    uint64_t between[NEIGHBOURS_SQUARES][NEIGHBOURS_SQUARES];
    uint64_t *sets[COUNTS]; /* by rank */
    uint32_t *fold[COUNTS]; /* by rank */
    uint64_t *base[COUNTS]; /* by slot */
    uint32_t slots[COUNTS];
} work;

typedef struct boards {
    uint64_t own, enemy;
} boards;

static inline uint32_t rank_set(const work *w, uint64_t set)
{
    uint32_t rank = 0;
    for (int k = 1; set; set &= set - 1, k++)
        rank += w->choose[k][ply_lowest(set)];
    return rank;
}

static inline uint64_t image_of(const work *w, unsigned image, uint64_t set)
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

static void class_pieces(size_t class_index, unsigned *own, unsigned *other)
{
    *own = (unsigned)class_own(class_index);
    *other = (unsigned)class_enemy(class_index);
}

static uint32_t class_order(size_t class_index)
{
    return (uint32_t)(class_own(class_index) + class_enemy(class_index));
}

static size_t class_partner(size_t class_index)
{
    return class_make(class_enemy(class_index), class_own(class_index));
}

static size_t class_next(size_t class_index, size_t *out)
{
    if (class_enemy(class_index) < 2)
        return 0;
    out[0] = class_make(class_enemy(class_index) - 1, class_own(class_index));
    return 1;
}

/* --- working tables ------------------------------------------------------------------------- */
static void *work_open(const ply_rules *rules)
{
    work *w = calloc(1, sizeof *w);
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
            const neighbours_ways *ways = &neighbours_ways_table[square][distance];
            for (unsigned i = 0; i < ways->count; i++) {
                w->ring[square][distance] |= ply_bit(ways->to[i]);
                w->between[square][ways->to[i]] = ways->path[i];
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

static void work_close(void *work_to_close)
{
    work *w = work_to_close;
    for (int k = 0; w && k < COUNTS; k++) {
        free(w->sets[k]);
        free(w->fold[k]);
        free(w->base[k]);
    }
    free(w);
}

/* The next larger set with as many squares: sets in rising order are in the order of ranks. */
static uint64_t next_set(uint64_t set)
{
    uint64_t lowest = set & -set, ripple = set + lowest;
    return ripple | ((set ^ ripple) >> 2) / lowest;
}

/* A set's entry in fold; its images of lower rank have theirs already. */
static void fold_set(work *w, int k, uint32_t rank)
{
    uint64_t fixed = 0, set = w->sets[k][rank];
    uint32_t lowest = rank, image = 0;
    for (uint32_t i = 0; i < IMAGES; i++) {
        uint32_t other = rank_set(w, image_of(w, i, set));
        if (other == rank)
            fixed |= ply_bit((int)i);
        if (other < lowest) {
            lowest = other;
            image = i;
        }
    }
    uint32_t symmetric = fixed == 1 ? 0 : FOLD_SYMMETRIC;
    if (lowest == rank) {
        w->base[k][w->slots[k]] = set | fixed << FIXED_SHIFT;
        w->fold[k][rank] = w->slots[k]++ << FOLD_SHIFT | symmetric;
    } else {
        w->fold[k][rank] = w->fold[k][lowest] >> FOLD_SHIFT << FOLD_SHIFT | symmetric | image;
    }
}

static ply_status prepare_count(work *w, int k)
{
    if (w->base[k])
        return PLY_OK;
    uint32_t count = w->choose[k][NEIGHBOURS_SQUARES];
    free(w->sets[k]);
    free(w->fold[k]);
    w->sets[k] = malloc(count * sizeof *w->sets[k]);
    w->fold[k] = malloc(count * sizeof *w->fold[k]);
    w->base[k] = malloc(count * sizeof *w->base[k]);
    if (!w->sets[k] || !w->fold[k] || !w->base[k]) {
        free(w->base[k]);
        w->base[k] = NULL;
        return PLY_NO_MEMORY;
    }
    uint64_t set = ply_bit(k) - 1;
    for (uint32_t rank = 0; rank < count; rank++, set = k ? next_set(set) : 0)
        w->sets[k][rank] = set;
    for (uint32_t rank = 0; rank < count; rank++)
        fold_set(w, k, rank);
    return PLY_OK;
}

static ply_status prepare(void *work_to_use, size_t class_index)
{
    ply_status status = prepare_count(work_to_use, class_own(class_index));
    return status == PLY_OK ? prepare_count(work_to_use, class_enemy(class_index)) : status;
}

static inline uint32_t enemy_sets(const work *w, int own, int enemy)
{
    return w->choose[enemy][NEIGHBOURS_SQUARES - own];
}

static uint64_t slots(const void *work_to_use, size_t class_index)
{
    const work *w = work_to_use;
    int own = class_own(class_index);
    return (uint64_t)w->slots[own] * enemy_sets(w, own, class_enemy(class_index));
}

/* --- places --------------------------------------------------------------------------------- */
static inline uint32_t enemy_rank(const work *w, uint64_t own, uint64_t enemy)
{
    return rank_set(w, ply_pext(enemy, NEIGHBOURS_BOARD & ~own));
}

/* The lowest rank of the enemy set under the images that fix the own set; how many reach it. */
static uint32_t lowest_enemy_rank(const work *w, uint64_t base, uint64_t enemy, unsigned *times)
{
    uint64_t own = base & NEIGHBOURS_BOARD;
    uint32_t lowest = UINT32_MAX;
    for (uint64_t fixed = base >> FIXED_SHIFT; fixed; fixed &= fixed - 1) {
        uint64_t turned = image_of(w, (unsigned)ply_lowest(fixed), enemy);
        uint32_t rank = enemy_rank(w, own, turned);
        *times = rank < lowest ? 1 : *times + (rank == lowest);
        lowest = rank < lowest ? rank : lowest;
    }
    return lowest;
}

/* own and enemy have those counts; *symmetric: the own set is its own image somehow. */
static inline uint64_t number_of(const work *w, uint64_t own, uint64_t enemy, int own_count,
                                 int enemy_count, bool *symmetric)
{
    uint32_t fold = w->fold[own_count][rank_set(w, own)];
    uint64_t base = w->base[own_count][fold >> FOLD_SHIFT];
    uint64_t number = (uint64_t)(fold >> FOLD_SHIFT) * enemy_sets(w, own_count, enemy_count);
    if (fold & 7)
        enemy = image_of(w, fold & 7, enemy);
    *symmetric = (fold & FOLD_SYMMETRIC) != 0;
    unsigned times;
    if (*symmetric)
        return number + lowest_enemy_rank(w, base, enemy, &times);
    return number + enemy_rank(w, base & NEIGHBOURS_BOARD, enemy);
}

static inline boards boards_of(const work *w, ply_slot place, uint64_t *base)
{
    size_t class_index = ply_slot_class(place);
    int own = class_own(class_index), enemy = class_enemy(class_index);
    uint32_t sets = enemy_sets(w, own, enemy);
    uint64_t number = ply_slot_number(place);
    *base = w->base[own][number / sets];
    uint64_t own_set = *base & NEIGHBOURS_BOARD;
    return (boards){own_set, ply_pdep(w->sets[enemy][number % sets], NEIGHBOURS_BOARD & ~own_set)};
}

static inline bool base_is_symmetric(uint64_t base)
{
    return base >> FIXED_SHIFT != 1;
}

static unsigned weight(const void *work_to_use, ply_slot place)
{
    const work *w = work_to_use;
    uint64_t base;
    boards b = boards_of(w, place, &base);
    if (!base_is_symmetric(base))
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

static ply_slot place_of(const void *work_to_use, const void *position)
{
    const neighbours_position *p = position;
    int own = ply_popcount(p->current), enemy = ply_popcount(p->next);
    if (own == 0)
        return PLY_SLOT_OVER;
    bool symmetric;
    return ply_slot_make(class_make(own, enemy),
                         number_of(work_to_use, p->current, p->next, own, enemy, &symmetric));
}

static void position_of(const void *work_to_use, ply_slot place, void *position)
{
    uint64_t base;
    boards b = boards_of(work_to_use, place, &base);
    neighbours_position p = {.current = b.own, .next = b.enemy};
    neighbours_finish(&p);
    *(neighbours_position *)position = p;
}

/* --- moves ---------------------------------------------------------------------------------- */
/* The board after each move of one kind, seen by the player who moves then. */
static inline size_t expand(const work *w, boards b, bool captures, boards *out)
{
    uint64_t pieces = b.own | b.enemy;
    uint64_t blocking = w->path_rule == NEIGHBOURS_JUMP ? 0 : pieces;
    uint64_t targets = captures ? b.enemy : ~pieces;
    size_t count = 0;
    for (uint64_t own = b.own; own; own &= own - 1) {
        int from = ply_lowest(own), distance = neighbours_count_at(pieces, from);
        if (distance > NEIGHBOURS_REACH)
            continue;
        const neighbours_ways *ways = &neighbours_ways_table[from][distance];
        for (unsigned i = 0; i < ways->count; i++) {
            uint64_t to = ply_bit(ways->to[i]);
            /* Always written, kept only if legal: the test costs no jump. */
            out[count].own = b.enemy & ~to;
            out[count].enemy = b.own ^ ply_bit(from) ^ to;
            count += !(ways->path[i] & blocking) && (targets & to);
        }
    }
    return count;
}

static size_t places_after(const work *w, size_t class_index, const boards *children, size_t count,
                           bool captures, ply_slot *out)
{
    int own = class_enemy(class_index) - captures, enemy = class_own(class_index);
    size_t to = class_make(own, enemy);
    for (size_t i = 0; i < count; i++) {
        bool symmetric;
        out[i] = own == 0 ? PLY_SLOT_OVER
                          : ply_slot_make(to, number_of(w, children[i].own, children[i].enemy, own,
                                                        enemy, &symmetric));
    }
    return count;
}

static size_t successors(const void *work_to_use, ply_slot place, ply_slot *out)
{
    const work *w = work_to_use;
    uint64_t base;
    boards b = boards_of(w, place, &base), children[NEIGHBOURS_MAX_MOVES + 1];
    size_t class_index = ply_slot_class(place), count = 0;
    for (int captures = 0; captures < 2; captures++)
        count += places_after(w, class_index, children, expand(w, b, captures, children), captures,
                              out + count);
    return count;
}

static size_t leaving(const void *work_to_use, ply_slot place, ply_slot *out, unsigned *staying)
{
    const work *w = work_to_use;
    uint64_t base;
    boards b = boards_of(w, place, &base), children[NEIGHBOURS_MAX_MOVES + 1];
    if (base_is_symmetric(base) && weight(w, place) == 0)
        return PLY_SLOT_HOLE;
    *staying = (unsigned)expand(w, b, false, children);
    size_t count = expand(w, b, true, children);
    return places_after(w, ply_slot_class(place), children, count, true, out);
}

/* --- moves back ----------------------------------------------------------------------------- */
static size_t moves_between(const work *w, ply_slot from, ply_slot to)
{
    uint64_t base;
    boards b = boards_of(w, from, &base), children[NEIGHBOURS_MAX_MOVES + 1];
    ply_slot places[NEIGHBOURS_MAX_MOVES];
    size_t count = expand(w, b, false, children), found = 0;
    places_after(w, ply_slot_class(from), children, count, false, places);
    for (size_t i = 0; i < count; i++)
        found += places[i] == to;
    return found;
}

/*
 * Where neither position is its own image, moves and moves back between them are as many. Where
 * one is, they are not: then the place is noted once, and its moves are counted forward.
 */
static size_t predecessors(const void *work_to_use, ply_slot place, ply_slot *out)
{
    const work *w = work_to_use;
    size_t class_index = ply_slot_class(place), before = class_partner(class_index);
    int own_count = class_own(before), enemy_count = class_enemy(before);
    uint64_t base;
    boards b = boards_of(w, place, &base);
    uint64_t pieces = b.own | b.enemy;
    uint64_t blocking = w->path_rule == NEIGHBOURS_JUMP ? 0 : pieces;
    bool careful = base_is_symmetric(base);
    ply_slot noted[NEIGHBOURS_PIECES * NEIGHBOURS_DIRECTIONS * NEIGHBOURS_REACH];
    size_t count = 0, noted_count = 0;
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
            ply_slot q =
                ply_slot_make(before, number_of(w, neighbours_move(b.enemy, to, from), b.own,
                                                own_count, enemy_count, &symmetric));
            if (!careful && !symmetric) {
                out[count++] = q;
                continue;
            }
            size_t k = 0;
            while (k < noted_count && noted[k] != q)
                k++;
            noted[k] = q;
            noted_count += k == noted_count;
        }
    }
    for (size_t i = 0; i < noted_count; i++)
        for (size_t times = moves_between(w, noted[i], place); times > 0; times--)
            out[count++] = noted[i];
    return count;
}

extern const ply_retrograde PLY_ISA(neighbours_retro_of);
const ply_retrograde PLY_ISA(neighbours_retro_of) = {
    .reach = "3v3",
    .max_successors = NEIGHBOURS_MAX_MOVES,
    .max_predecessors = 2 * NEIGHBOURS_PIECES * NEIGHBOURS_DIRECTIONS * NEIGHBOURS_REACH,
    .rules_name = rules_name,
    .class_pieces = class_pieces,
    .class_order = class_order,
    .class_partner = class_partner,
    .class_next = class_next,
    .open = work_open,
    .close = work_close,
    .prepare = prepare,
    .slots = slots,
    .class_of = class_of,
    .place = place_of,
    .position = position_of,
    .weight = weight,
    .successors = successors,
    .leaving = leaving,
    .predecessors = predecessors,
};
