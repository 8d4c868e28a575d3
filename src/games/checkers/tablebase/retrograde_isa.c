/* SPDX-License-Identifier: MIT */
/*
 * retrograde_isa.c - checkers for the builder of tables, every 8x8 rule set, compiled for several
 * machines.
 *
 * A class is four counts, men and kings of the player to move and of the other, and a place is the
 * number of index.c with the player to move on top, moving down:
 *
 *     own men on row 0 | own men on rows 1 to 6 | enemy men on rows 1 to 7 | own kings | enemy
 * kings
 *
 * each as the rank of a set among the squares left, the last changing fastest; positions with fewer
 * own men on row 0 come first. All sets of k places in the order of ranks are one table, of which
 * the sets within n places are the first C(n, k).
 *
 * Moves within a slice are quiet moves without crowning. Since captures are compulsory in every
 * rule set, such a move is taken back if the player who made it had no capture before it; whether
 * he had one is found by shifts for all pieces at once. Captures themselves come from the game's
 * generator.
 */
#include "games/checkers/checkers.h"
#include "model/retrograde.h"
#include <stdlib.h>
#include <string.h>

enum {
    PAIRS = (CHECKERS_PIECES + 1) * (CHECKERS_PIECES + 2) / 2, /* men and kings, 12 at most */
    CLASSES = PAIRS * PAIRS,
    FIRST_ROW = 0xF,
    FIRST_ROW_COUNTS = 5,
    SET_LIMIT = 8, /* sets of so many places are listed; tables of more pieces are not for now */
};
#define OWN_MIDDLE 0x0FFFFFF0u
#define ENEMY_MEN_SQUARES 0xFFFFFFF0u

/* A class: its counts, and the sizes of the parts of a number, by own men on row 0. */
typedef struct group {
    int own_men, own_kings, enemy_men, enemy_kings;
    uint64_t start[FIRST_ROW_COUNTS + 1];
    uint32_t middle_sets[FIRST_ROW_COUNTS], enemy_men_sets[FIRST_ROW_COUNTS];
    uint32_t own_king_sets, enemy_king_sets;
} group;

typedef struct work {
    const ply_rules *rules;
    bool flies, men_back, spares_kings;
    uint32_t choose[SET_LIMIT + 1][CHECKERS_SQUARES + 1]; /* [k][n] */
    uint32_t *sets[SET_LIMIT + 1];                        /* by rank */
    group *groups[CLASSES];
} work;

/* The player to move moves down, as Black does. By index, or on the 64-bit board. */
typedef struct boards {
    uint64_t own_men, own_kings, enemy_men, enemy_kings;
} boards;

static inline uint32_t pack(uint64_t board)
{
#if defined(__BMI2__)
    return (uint32_t)ply_pext(board, CHECKERS_DARK_SQUARES);
#else
    return checkers_pack(board);
#endif
}

static inline uint64_t unpack(uint32_t squares)
{
#if defined(__BMI2__)
    return ply_pdep(squares, CHECKERS_DARK_SQUARES);
#else
    return checkers_unpack(squares);
#endif
}

/* Half a turn: index i becomes 31 - i, bit i becomes 63 - i. */
static inline uint64_t turn(uint64_t b)
{
    b = __builtin_bswap64(b);
    b = (b & 0x0F0F0F0F0F0F0F0Fu) << 4 | (b >> 4 & 0x0F0F0F0F0F0F0F0Fu);
    b = (b & 0x3333333333333333u) << 2 | (b >> 2 & 0x3333333333333333u);
    return (b & 0x5555555555555555u) << 1 | (b >> 1 & 0x5555555555555555u);
}

/* --- classes -------------------------------------------------------------------------------- */
static int pair_number(int men, int kings)
{
    int total = men + kings;
    return total * (total + 1) / 2 + kings;
}

static void pair_of(int number, int *men, int *kings)
{
    int total = 0;
    while ((total + 1) * (total + 2) / 2 <= number)
        total++;
    *kings = number - total * (total + 1) / 2;
    *men = total - *kings;
}

static size_t class_make(int own_men, int own_kings, int enemy_men, int enemy_kings)
{
    return (size_t)(pair_number(own_men, own_kings) * PAIRS + pair_number(enemy_men, enemy_kings));
}

static void class_counts(size_t class_index, group *g)
{
    pair_of((int)(class_index / PAIRS), &g->own_men, &g->own_kings);
    pair_of((int)(class_index % PAIRS), &g->enemy_men, &g->enemy_kings);
}

/* Only the options that say how pieces move, as names and values; english for none. */
static void rules_name(const ply_rules *rules, ply_text *out)
{
    const ply_game *game = rules->game;
    bool any = false;
    for (int i = CHECKERS_OPTION_KING; i <= CHECKERS_OPTION_LIFTING; i++) {
        int32_t value = rules->option[i];
        if (value == 0)
            continue;
        ply_text_format(out, "%s%s-%s", any ? "," : "", game->options[i].name,
                        game->options[i].names[value]);
        any = true;
    }
    if (!any)
        ply_text_string(out, "english");
}

static void class_pieces(size_t class_index, unsigned *own, unsigned *other)
{
    group g;
    class_counts(class_index, &g);
    *own = (unsigned)(g.own_men + g.own_kings);
    *other = (unsigned)(g.enemy_men + g.enemy_kings);
}

static uint32_t class_order(size_t class_index)
{
    group g;
    class_counts(class_index, &g);
    int men = g.own_men + g.enemy_men;
    return (uint32_t)((men + g.own_kings + g.enemy_kings) * 2 * CHECKERS_PIECES + men);
}

static size_t class_partner(size_t class_index)
{
    return class_index % PAIRS * PAIRS + class_index / PAIRS;
}

/* A crowning, a capture of any of the enemy's pieces, or both. */
static size_t class_next(size_t class_index, size_t *out)
{
    group g;
    class_counts(class_index, &g);
    size_t count = 0;
    for (int crowned = 0; crowned <= (g.own_men > 0); crowned++)
        for (int men = 0; men <= g.enemy_men; men++)
            for (int kings = 0; kings <= g.enemy_kings; kings++)
                if (men + kings > 0 && (crowned || men < g.enemy_men || kings < g.enemy_kings))
                    out[count++] =
                        class_make(men, kings, g.own_men - crowned, g.own_kings + crowned);
    return count;
}

/* --- working tables ------------------------------------------------------------------------- */
static void *work_open(const ply_rules *rules)
{
    work *w = calloc(1, sizeof *w);
    if (!w)
        return NULL;
    w->rules = rules;
    w->flies = rules->option[CHECKERS_OPTION_KING] != CHECKERS_KING_SHORT;
    w->men_back = rules->option[CHECKERS_OPTION_MEN] == CHECKERS_MEN_BACK;
    w->spares_kings = rules->option[CHECKERS_OPTION_PREY] == CHECKERS_PREY_SPARE_KINGS;
    for (int n = 0; n <= CHECKERS_SQUARES; n++)
        for (int k = 0; k <= SET_LIMIT; k++)
            w->choose[k][n] = k == 0   ? 1
                              : n == 0 ? 0
                                       : w->choose[k][n - 1] + w->choose[k - 1][n - 1];
    return w;
}

static void work_close(void *work_to_close)
{
    work *w = work_to_close;
    if (!w)
        return;
    for (int k = 0; k <= SET_LIMIT; k++)
        free(w->sets[k]);
    for (size_t i = 0; i < CLASSES; i++)
        free(w->groups[i]);
    free(w);
}

static ply_status prepare_sets(work *w, int k)
{
    if (k > SET_LIMIT)
        return PLY_LIMIT;
    if (w->sets[k])
        return PLY_OK;
    uint32_t count = w->choose[k][CHECKERS_SQUARES];
    if (!(w->sets[k] = malloc(count * sizeof *w->sets[k])))
        return PLY_NO_MEMORY;
    uint64_t set = ply_bit(k) - 1;
    for (uint32_t rank = 0; rank < count; rank++) {
        w->sets[k][rank] = (uint32_t)set;
        if (set) { /* the next larger set with as many places */
            uint64_t lowest = set & -set, ripple = set + lowest;
            set = ripple | ((set ^ ripple) >> 2) / lowest;
        }
    }
    return PLY_OK;
}

static ply_status prepare(void *work_to_use, size_t class_index)
{
    work *w = work_to_use;
    if (w->groups[class_index])
        return PLY_OK;
    group g = {0};
    class_counts(class_index, &g);
    ply_status status = PLY_OK;
    int counts[] = {g.own_men, g.own_kings, g.enemy_men, g.enemy_kings};
    for (int i = 0; i < 4 && status == PLY_OK; i++)
        for (int k = i == 0 ? 0 : counts[i]; k <= counts[i] && status == PLY_OK; k++)
            status = prepare_sets(w, k);
    if (status != PLY_OK)
        return status;
    int men = g.own_men + g.enemy_men;
    g.own_king_sets = w->choose[g.own_kings][CHECKERS_SQUARES - men];
    g.enemy_king_sets = w->choose[g.enemy_kings][CHECKERS_SQUARES - men - g.own_kings];
    for (int first = 0; first < FIRST_ROW_COUNTS; first++) {
        int middle = g.own_men - first;
        uint64_t size = 0;
        if (middle >= 0) {
            g.middle_sets[first] = w->choose[middle][24];
            g.enemy_men_sets[first] = w->choose[g.enemy_men][28 - middle];
            size = (uint64_t)w->choose[first][4] * g.middle_sets[first] * g.enemy_men_sets[first] *
                   g.own_king_sets * g.enemy_king_sets;
        }
        g.start[first + 1] = g.start[first] + size;
    }
    group *kept = malloc(sizeof *kept);
    if (!kept)
        return PLY_NO_MEMORY;
    *kept = g;
    w->groups[class_index] = kept;
    return PLY_OK;
}

static uint64_t slots(const void *work_to_use, size_t class_index)
{
    const work *w = work_to_use;
    return w->groups[class_index]->start[FIRST_ROW_COUNTS];
}

/* --- places --------------------------------------------------------------------------------- */
static inline uint32_t rank_set(const work *w, uint32_t set, uint32_t room)
{
    uint32_t rank = 0, k = 1;
    for (uint64_t places = ply_pext(set, room); places; places &= places - 1, k++)
        rank += w->choose[k][ply_lowest(places)];
    return rank;
}

/* Boards by index; the class is prepared. */
static inline uint64_t number_of(const work *w, const group *g, const boards *b)
{
    uint32_t own_men = (uint32_t)b->own_men, enemy_men = (uint32_t)b->enemy_men;
    uint32_t own_kings = (uint32_t)b->own_kings, enemy_kings = (uint32_t)b->enemy_kings;
    uint64_t n = 0;
    if (own_men | enemy_men) {
        int first = ply_popcount(own_men & FIRST_ROW);
        n = rank_set(w, own_men & FIRST_ROW, FIRST_ROW);
        n = n * g->middle_sets[first] + rank_set(w, own_men & OWN_MIDDLE, OWN_MIDDLE);
        n = n * g->enemy_men_sets[first] + rank_set(w, enemy_men, ENEMY_MEN_SQUARES & ~own_men);
        n = n * g->own_king_sets * g->enemy_king_sets + g->start[first];
    }
    uint32_t room = ~(own_men | enemy_men);
    return n + (uint64_t)rank_set(w, own_kings, room) * g->enemy_king_sets +
           rank_set(w, enemy_kings, room & ~own_kings);
}

static inline uint32_t place_set(const work *w, uint64_t rank, int count, uint32_t room)
{
    return (uint32_t)ply_pdep(w->sets[count][rank], room);
}

/* Boards by bit. */
static inline boards boards_of(const work *w, ply_slot place)
{
    const group *g = w->groups[ply_slot_class(place)];
    uint64_t n = ply_slot_number(place);
    int first = 0;
    while (n >= g->start[first + 1])
        first++;
    n -= g->start[first];
    int middle = g->own_men - first;
    uint64_t enemy_kings_rank = n % g->enemy_king_sets;
    n /= g->enemy_king_sets;
    uint64_t own_kings_rank = n % g->own_king_sets;
    n /= g->own_king_sets;
    uint32_t own_men = 0, enemy_men = 0;
    if (g->own_men + g->enemy_men > 0) {
        uint64_t enemy_men_rank = n % g->enemy_men_sets[first];
        n /= g->enemy_men_sets[first];
        own_men = place_set(w, n / g->middle_sets[first], first, FIRST_ROW) |
                  place_set(w, n % g->middle_sets[first], middle, OWN_MIDDLE);
        enemy_men = place_set(w, enemy_men_rank, g->enemy_men, ENEMY_MEN_SQUARES & ~own_men);
    }
    uint32_t room = ~(own_men | enemy_men);
    uint32_t own_kings = place_set(w, own_kings_rank, g->own_kings, room);
    uint32_t enemy_kings = place_set(w, enemy_kings_rank, g->enemy_kings, room & ~own_kings);
    return (boards){unpack(own_men), unpack(own_kings), unpack(enemy_men), unpack(enemy_kings)};
}

/* The place of boards by bit on which the player to move moves up, as after a move. */
static inline ply_slot place_turned(const work *w, size_t class_index, const boards *b)
{
    uint64_t own = turn(pack(b->own_men) | (uint64_t)pack(b->own_kings) << 32);
    uint64_t enemy = turn(pack(b->enemy_men) | (uint64_t)pack(b->enemy_kings) << 32);
    boards turned = {.own_men = own >> 32,
                     .own_kings = (uint32_t)own,
                     .enemy_men = enemy >> 32,
                     .enemy_kings = (uint32_t)enemy};
    return ply_slot_make(class_index, number_of(w, w->groups[class_index], &turned));
}

static unsigned weight(const void *work_to_use, ply_slot place)
{
    (void)work_to_use;
    (void)place;
    return 1;
}

static size_t class_of(const void *position)
{
    const checkers_position *p = position;
    const uint64_t *own = p->board[p->turn], *enemy = p->board[!p->turn];
    return class_make(ply_popcount(own[CHECKERS_MAN]), ply_popcount(own[CHECKERS_KING]),
                      ply_popcount(enemy[CHECKERS_MAN]), ply_popcount(enemy[CHECKERS_KING]));
}

static ply_slot place_of(const void *work_to_use, const void *position)
{
    const work *w = work_to_use;
    checkers_position p;
    checkers_canonical(w->rules, position, &p);
    if (!checkers_black_pieces(&p))
        return PLY_SLOT_OVER;
    boards b = {pack(p.black_men), pack(p.black_kings), pack(p.white_men), pack(p.white_kings)};
    size_t class_index = class_of(&p);
    return ply_slot_make(class_index, number_of(w, w->groups[class_index], &b));
}

static checkers_position plain_position(const boards *b)
{
    return (checkers_position){.black_men = b->own_men,
                               .black_kings = b->own_kings,
                               .white_men = b->enemy_men,
                               .white_kings = b->enemy_kings,
                               .turn = CHECKERS_BLACK};
}

static void position_of(const void *work_to_use, ply_slot place, void *position)
{
    boards b = boards_of(work_to_use, place);
    checkers_position p = plain_position(&b);
    checkers_finish(&p);
    *(checkers_position *)position = p;
}

/* --- moves ---------------------------------------------------------------------------------- */
/* Whether some piece can capture; men go forward in directions `forward` and `forward` + 1. */
static inline bool can_capture(const work *w, uint64_t men, uint64_t kings, uint64_t enemy_men,
                               uint64_t enemy_kings, int forward)
{
    uint64_t enemy = enemy_men | enemy_kings;
    uint64_t empty = CHECKERS_DARK_SQUARES & ~(men | kings | enemy);
    uint64_t prey = w->spares_kings ? enemy_men : enemy;
#pragma GCC unroll 4
    for (int d = 0; d < 4; d++) {
        uint64_t landing = checkers_step(empty, 3 - d);
        if (((d & 2) == forward || w->men_back) && (checkers_step(prey & landing, 3 - d) & men))
            return true;
        uint64_t before = checkers_step(enemy & landing, 3 - d);
        if (before & kings)
            return true;
        if (w->flies)
            for (before &= empty; before; before &= empty) {
                before = checkers_step(before, 3 - d);
                if (before & kings)
                    return true;
            }
    }
    return false;
}

typedef struct output {
    const work *w;
    ply_slot *out;
    size_t count;
    unsigned inner; /* moves within the slice */
    bool lists_inner;
    size_t inner_class, crown_class;
    boards after; /* own and enemy are those of the player who moves next */
} output;

static inline void put_quiet(output *o, const boards *b, uint64_t from, uint64_t to, bool king)
{
    bool crown = !king && (to & CHECKERS_WHITE_END_MASK);
    if (!crown) {
        o->inner++;
        if (!o->lists_inner)
            return;
    }
    o->after.enemy_men = king ? b->own_men : crown ? b->own_men ^ from : b->own_men ^ from ^ to;
    o->after.enemy_kings = king    ? b->own_kings ^ from ^ to
                           : crown ? b->own_kings | to
                                   : b->own_kings;
    o->out[o->count++] = place_turned(o->w, crown ? o->crown_class : o->inner_class, &o->after);
}

static void put_quiet_moves(output *o, const boards *b)
{
    uint64_t empty =
        CHECKERS_DARK_SQUARES & ~(b->own_men | b->own_kings | b->enemy_men | b->enemy_kings);
#pragma GCC unroll 4
    for (int d = 0; d < 4; d++) {
        if (d < 2)
            for (uint64_t to = checkers_step(b->own_men, d) & empty; to; to &= to - 1)
                put_quiet(o, b, checkers_step(to & -to, 3 - d), to & -to, false);
        for (uint64_t kings = b->own_kings; kings; kings &= kings - 1) {
            uint64_t from = kings & -kings;
            for (uint64_t to = checkers_step(from, d) & empty; to;
                 to = o->w->flies ? checkers_step(to, d) & empty : 0)
                put_quiet(o, b, from, to, true);
        }
    }
}

static void put_captures(output *o, const boards *b)
{
    ply_move moves[CHECKERS_MAX_MOVES];
    checkers_position p = plain_position(b);
    size_t count = checkers_moves(o->w->rules, &p, moves);
    for (size_t i = 0; i < count; i++) {
        uint64_t from = unpack(1u << checkers_move_from(moves[i]));
        uint64_t to = unpack(1u << checkers_move_to(moves[i]));
        uint64_t captured = unpack(checkers_move_captured(moves[i]));
        bool king = (from & b->own_kings) != 0, king_after = king || moves[i] & CHECKERS_MOVE_CROWN;
        o->after = (boards){.own_men = b->enemy_men & ~captured,
                            .own_kings = b->enemy_kings & ~captured,
                            .enemy_men = b->own_men & ~from,
                            .enemy_kings = b->own_kings & ~from};
        if (king_after)
            o->after.enemy_kings |= to;
        else
            o->after.enemy_men |= to;
        int men = ply_popcount(o->after.own_men), kings = ply_popcount(o->after.own_kings);
        o->out[o->count++] =
            men + kings == 0 ? PLY_SLOT_OVER
                             : place_turned(o->w,
                                            class_make(men, kings, ply_popcount(o->after.enemy_men),
                                                       ply_popcount(o->after.enemy_kings)),
                                            &o->after);
    }
}

static size_t put_moves(const work *w, ply_slot place, ply_slot *out, bool lists_inner,
                        unsigned *inner)
{
    size_t class_index = ply_slot_class(place);
    const group *g = w->groups[class_index];
    boards b = boards_of(w, place);
    output o = {.w = w,
                .out = out,
                .lists_inner = lists_inner,
                .inner_class = class_partner(class_index),
                .after = {.own_men = b.enemy_men, .own_kings = b.enemy_kings}};
    if (can_capture(w, b.own_men, b.own_kings, b.enemy_men, b.enemy_kings, 0)) {
        put_captures(&o, &b);
    } else {
        if (g->own_men > 0)
            o.crown_class =
                class_make(g->enemy_men, g->enemy_kings, g->own_men - 1, g->own_kings + 1);
        put_quiet_moves(&o, &b);
    }
    *inner = o.inner;
    return o.count;
}

static size_t successors(const void *work_to_use, ply_slot place, ply_slot *out)
{
    unsigned inner;
    return put_moves(work_to_use, place, out, true, &inner);
}

static size_t leaving(const void *work_to_use, ply_slot place, ply_slot *out, unsigned *staying)
{
    return put_moves(work_to_use, place, out, false, staying);
}

/* --- moves back ----------------------------------------------------------------------------- */
/* The other player has moved up; on these boards he still does. */
static size_t predecessors(const void *work_to_use, ply_slot place, ply_slot *out)
{
    const work *w = work_to_use;
    size_t before = class_partner(ply_slot_class(place)), count = 0;
    boards b = boards_of(w, place);
    uint64_t empty =
        CHECKERS_DARK_SQUARES & ~(b.own_men | b.own_kings | b.enemy_men | b.enemy_kings);
    boards q = {.enemy_men = b.own_men, .enemy_kings = b.own_kings};
    q.own_kings = b.enemy_kings;
    for (int d = 2; d < 4; d++) /* men went up */
        for (uint64_t from = checkers_step(b.enemy_men, 3 - d) & empty; from; from &= from - 1) {
            uint64_t one = from & -from;
            q.own_men = b.enemy_men ^ one ^ checkers_step(one, d);
            if (!can_capture(w, q.own_men, q.own_kings, b.own_men, b.own_kings, 2))
                out[count++] = place_turned(w, before, &q);
        }
    q.own_men = b.enemy_men;
    for (uint64_t kings = b.enemy_kings; kings; kings &= kings - 1) {
        uint64_t to = kings & -kings;
        for (int d = 0; d < 4; d++)
            for (uint64_t from = checkers_step(to, d) & empty; from;
                 from = w->flies ? checkers_step(from, d) & empty : 0) {
                q.own_kings = b.enemy_kings ^ to ^ from;
                if (!can_capture(w, q.own_men, q.own_kings, b.own_men, b.own_kings, 2))
                    out[count++] = place_turned(w, before, &q);
            }
    }
    return count;
}

extern const ply_retrograde PLY_ISA(checkers_retro_of);
const ply_retrograde PLY_ISA(checkers_retro_of) = {
    .reach = "4",
    .max_successors = CHECKERS_MAX_MOVES,
    .max_predecessors = CHECKERS_MAX_QUIET_PREDECESSORS,
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
