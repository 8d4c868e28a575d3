/* SPDX-License-Identifier: MIT */
/*
 * retrograde_isa.c - checkers for the tablebase builder, for every 8x8 rule set; compiled for
 * several instruction sets.
 *
 * Classes are those of material.h, and a slot's number is that of index.c, with the player to move
 * on top and moving down:
 *
 *     own men on row 0 | own men on rows 1-6 | enemy men on rows 1-7 | own kings | enemy kings
 *
 * Each part is the rank of a set among the free squares, and the last changes fastest. Positions
 * with fewer own men on row 0 come first. To unrank quickly, all sets of k among 32 squares are
 * listed in order of rank; the sets among n squares are the first C(n, k) of them.
 *
 * Moves within a slice are quiet moves without crowning. Captures are compulsory in every rule set,
 * so such a move can be taken back if the player who made it had no capture before it. Whether
 * there was one is found for all pieces at once, by shifts. The captures themselves come from the
 * game's move generator.
 */
#include "games/checkers/tablebase/material.h"
#include "model/retrograde.h"
#include <stdlib.h>
#include <string.h>

enum {
    FIRST_ROW_COUNTS = FIRST_ROW_SQUARES + 1,
    MAX_SET = 8, /* the largest set listed; classes with more pieces of a kind are not supported */
};

/* How the slots of a class are numbered; arrays are indexed by the own men on row 0. */
typedef struct class_layout {
    material material;
    uint64_t start[FIRST_ROW_COUNTS + 1]; /* the first number */
    uint32_t middle_sets[FIRST_ROW_COUNTS], enemy_men_sets[FIRST_ROW_COUNTS];
    uint32_t own_king_sets, enemy_king_sets;
} class_layout;

typedef struct workspace {
    const ply_rules *rules;
    bool flying_kings, men_capture_back, men_spare_kings;
    uint32_t choose[MAX_SET + 1][CHECKERS_SQUARES + 1]; /* [k][n] */
    uint32_t *sets[MAX_SET + 1];                        /* by size and rank */
    class_layout *layouts[MATERIAL_CLASSES];            /* NULL: not prepared */
} workspace;

/* The player to move moves down, as Black does. Squares by index, or by bit of the 64-bit board. */
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

/* --- classes -------------------------------------------------------------------------------- */
/* Lists the options that affect how pieces move, such as king-flying; "english" for none. */
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

static void class_pieces(size_t class_index, unsigned *own, unsigned *enemy)
{
    material m = material_of_class(class_index);
    *own = (unsigned)(m.own_men + m.own_kings);
    *enemy = (unsigned)(m.enemy_men + m.enemy_kings);
}

/* Fewer pieces first; among equals, fewer men. */
static uint32_t class_order(size_t class_index)
{
    material m = material_of_class(class_index);
    int men = m.own_men + m.enemy_men;
    return (uint32_t)((men + m.own_kings + m.enemy_kings) * 2 * CHECKERS_PIECES + men);
}

static size_t class_partner(size_t class_index)
{
    return class_index % MATERIAL_PAIRS * MATERIAL_PAIRS + class_index / MATERIAL_PAIRS;
}

/* After a crowning, a capture of any of the enemy pieces, or both. */
static size_t class_exits(size_t class_index, size_t *out)
{
    material m = material_of_class(class_index);
    size_t count = 0;
    for (int crowned = 0; crowned <= (m.own_men > 0); crowned++)
        for (int men = 0; men <= m.enemy_men; men++)
            for (int kings = 0; kings <= m.enemy_kings; kings++)
                if (men + kings > 0 && (crowned || men < m.enemy_men || kings < m.enemy_kings))
                    out[count++] =
                        material_class(men, kings, m.own_men - crowned, m.own_kings + crowned);
    return count;
}

/* --- workspace ------------------------------------------------------------------------------ */
static void *workspace_open(const ply_rules *rules)
{
    workspace *w = calloc(1, sizeof *w);
    if (!w)
        return NULL;
    w->rules = rules;
    w->flying_kings = rules->option[CHECKERS_OPTION_KING] != CHECKERS_KING_SHORT;
    w->men_capture_back = rules->option[CHECKERS_OPTION_MEN] == CHECKERS_MEN_BACK;
    w->men_spare_kings = rules->option[CHECKERS_OPTION_PREY] == CHECKERS_PREY_SPARE_KINGS;
    for (int n = 0; n <= CHECKERS_SQUARES; n++)
        for (int k = 0; k <= MAX_SET; k++)
            w->choose[k][n] = k == 0   ? 1
                              : n == 0 ? 0
                                       : w->choose[k][n - 1] + w->choose[k - 1][n - 1];
    return w;
}

static void workspace_close(void *handle)
{
    workspace *w = handle;
    if (!w)
        return;
    for (int k = 0; k <= MAX_SET; k++)
        free(w->sets[k]);
    for (size_t i = 0; i < MATERIAL_CLASSES; i++)
        free(w->layouts[i]);
    free(w);
}

/* Lists all sets of k squares in order of rank. */
static ply_status prepare_sets(workspace *w, int k)
{
    if (k > MAX_SET)
        return PLY_LIMIT;
    if (w->sets[k])
        return PLY_OK;
    uint32_t count = w->choose[k][CHECKERS_SQUARES];
    if (!(w->sets[k] = malloc(count * sizeof *w->sets[k])))
        return PLY_NO_MEMORY;
    uint64_t set = ply_bit(k) - 1;
    for (uint32_t rank = 0; rank < count; rank++) {
        w->sets[k][rank] = (uint32_t)set;
        if (set) { /* the next larger set with as many squares */
            uint64_t lowest = set & -set, ripple = set + lowest;
            set = ripple | ((set ^ ripple) >> 2) / lowest;
        }
    }
    return PLY_OK;
}

static ply_status prepare_class(void *handle, size_t class_index)
{
    workspace *w = handle;
    if (w->layouts[class_index])
        return PLY_OK;
    material m = material_of_class(class_index);
    ply_status status = PLY_OK;
    int counts[] = {m.own_men, m.own_kings, m.enemy_men, m.enemy_kings};
    /* The own men are split into two sets, so all smaller sets are needed, too. */
    for (int i = 0; i < 4 && status == PLY_OK; i++)
        for (int k = i == 0 ? 0 : counts[i]; k <= counts[i] && status == PLY_OK; k++)
            status = prepare_sets(w, k);
    if (status != PLY_OK)
        return status;
    class_layout layout = {.material = m};
    int men = m.own_men + m.enemy_men;
    layout.own_king_sets = w->choose[m.own_kings][CHECKERS_SQUARES - men];
    layout.enemy_king_sets = w->choose[m.enemy_kings][CHECKERS_SQUARES - men - m.own_kings];
    for (int first = 0; first < FIRST_ROW_COUNTS; first++) {
        int middle = m.own_men - first;
        uint64_t size = 0;
        if (middle >= 0) {
            layout.middle_sets[first] = w->choose[middle][MIDDLE_SQUARES];
            layout.enemy_men_sets[first] = w->choose[m.enemy_men][MEN_SQUARES - middle];
            size = (uint64_t)w->choose[first][FIRST_ROW_SQUARES] * layout.middle_sets[first] *
                   layout.enemy_men_sets[first] * layout.own_king_sets * layout.enemy_king_sets;
        }
        layout.start[first + 1] = layout.start[first] + size;
    }
    class_layout *copy = malloc(sizeof *copy);
    if (!copy)
        return PLY_NO_MEMORY;
    *copy = layout;
    w->layouts[class_index] = copy;
    return PLY_OK;
}

static uint64_t slot_count(const void *handle, size_t class_index)
{
    const workspace *w = handle;
    return w->layouts[class_index]->start[FIRST_ROW_COUNTS];
}

/* --- slots ---------------------------------------------------------------------------------- */
static inline uint32_t rank_set(const workspace *w, uint32_t set, uint32_t free)
{
    uint32_t rank = 0, k = 1;
    for (uint64_t packed = ply_pext(set, free); packed; packed &= packed - 1, k++)
        rank += w->choose[k][ply_lowest(packed)];
    return rank;
}

/* The number of boards by index, in a prepared class. */
static inline uint64_t number_of(const workspace *w, const class_layout *layout, const boards *b)
{
    uint32_t own_men = (uint32_t)b->own_men, enemy_men = (uint32_t)b->enemy_men;
    uint32_t own_kings = (uint32_t)b->own_kings, enemy_kings = (uint32_t)b->enemy_kings;
    uint64_t n = 0;
    if (own_men | enemy_men) {
        int first = ply_popcount(own_men & FIRST_ROW);
        n = rank_set(w, own_men & FIRST_ROW, FIRST_ROW);
        n = n * layout->middle_sets[first] + rank_set(w, own_men & MIDDLE_ROWS, MIDDLE_ROWS);
        n = n * layout->enemy_men_sets[first] +
            rank_set(w, enemy_men, ENEMY_MEN_SQUARES & ~own_men);
        n = n * layout->own_king_sets * layout->enemy_king_sets + layout->start[first];
    }
    uint32_t free = ~(own_men | enemy_men);
    return n + (uint64_t)rank_set(w, own_kings, free) * layout->enemy_king_sets +
           rank_set(w, enemy_kings, free & ~own_kings);
}

static inline uint32_t unrank_set(const workspace *w, uint64_t rank, int count, uint32_t free)
{
    return (uint32_t)ply_pdep(w->sets[count][rank], free);
}

/* The boards of a slot, by bit. */
static inline boards boards_of(const workspace *w, ply_slot slot)
{
    const class_layout *layout = w->layouts[ply_slot_class(slot)];
    uint64_t n = ply_slot_number(slot);
    int first = 0;
    while (n >= layout->start[first + 1])
        first++;
    n -= layout->start[first];
    int middle = layout->material.own_men - first;
    uint64_t enemy_kings_rank = n % layout->enemy_king_sets;
    n /= layout->enemy_king_sets;
    uint64_t own_kings_rank = n % layout->own_king_sets;
    n /= layout->own_king_sets;
    uint32_t own_men = 0, enemy_men = 0;
    if (layout->material.own_men + layout->material.enemy_men > 0) {
        uint64_t enemy_men_rank = n % layout->enemy_men_sets[first];
        n /= layout->enemy_men_sets[first];
        own_men = unrank_set(w, n / layout->middle_sets[first], first, FIRST_ROW) |
                  unrank_set(w, n % layout->middle_sets[first], middle, MIDDLE_ROWS);
        enemy_men =
            unrank_set(w, enemy_men_rank, layout->material.enemy_men, ENEMY_MEN_SQUARES & ~own_men);
    }
    uint32_t free = ~(own_men | enemy_men);
    uint32_t own_kings = unrank_set(w, own_kings_rank, layout->material.own_kings, free);
    uint32_t enemy_kings =
        unrank_set(w, enemy_kings_rank, layout->material.enemy_kings, free & ~own_kings);
    return (boards){unpack(own_men), unpack(own_kings), unpack(enemy_men), unpack(enemy_kings)};
}

/* The slot of boards by bit on which the player to move moves up, as after a move. */
static inline ply_slot slot_of_rotated(const workspace *w, size_t class_index, const boards *b)
{
    /* Men and kings share a word, so rotating it also swaps them. */
    uint64_t own = checkers_rotate(pack(b->own_men) | (uint64_t)pack(b->own_kings) << 32);
    uint64_t enemy = checkers_rotate(pack(b->enemy_men) | (uint64_t)pack(b->enemy_kings) << 32);
    boards rotated = {.own_men = own >> 32,
                      .own_kings = (uint32_t)own,
                      .enemy_men = enemy >> 32,
                      .enemy_kings = (uint32_t)enemy};
    return ply_slot_make(class_index, number_of(w, w->layouts[class_index], &rotated));
}

/* No two positions share a slot, and there are no holes. */
static unsigned orbit_size(const void *handle, ply_slot slot)
{
    (void)handle;
    (void)slot;
    return 1;
}

static size_t class_of(const void *position)
{
    const checkers_position *p = position;
    const uint64_t *own = p->board[p->turn], *enemy = p->board[!p->turn];
    return material_class(ply_popcount(own[CHECKERS_MAN]), ply_popcount(own[CHECKERS_KING]),
                          ply_popcount(enemy[CHECKERS_MAN]), ply_popcount(enemy[CHECKERS_KING]));
}

static ply_slot slot_of(const void *handle, const void *position)
{
    const workspace *w = handle;
    checkers_position p;
    checkers_canonical(w->rules, position, &p);
    if (!checkers_pieces_of(&p, CHECKERS_BLACK))
        return PLY_SLOT_NO_PIECES;
    boards b = {pack(p.black_men), pack(p.black_kings), pack(p.white_men), pack(p.white_kings)};
    size_t class_index = class_of(&p);
    return ply_slot_make(class_index, number_of(w, w->layouts[class_index], &b));
}

/* A position without its key: enough for the move generator. */
static checkers_position bare_position(const boards *b)
{
    return (checkers_position){.black_men = b->own_men,
                               .black_kings = b->own_kings,
                               .white_men = b->enemy_men,
                               .white_kings = b->enemy_kings,
                               .turn = CHECKERS_BLACK};
}

static void position_of(const void *handle, ply_slot slot, void *position)
{
    boards b = boards_of(handle, slot);
    checkers_position p = bare_position(&b);
    checkers_finish(&p);
    *(checkers_position *)position = p;
}

/* --- moves ---------------------------------------------------------------------------------- */
/* Whether any piece can capture. Men move in the directions `forward` and `forward` + 1. */
static inline bool can_capture(const workspace *w, uint64_t men, uint64_t kings, uint64_t enemy_men,
                               uint64_t enemy_kings, int forward)
{
    uint64_t enemy = enemy_men | enemy_kings;
    uint64_t empty = CHECKERS_DARK_SQUARES & ~(men | kings | enemy);
    uint64_t men_targets = w->men_spare_kings ? enemy_men : enemy;
#pragma GCC unroll 4
    for (int d = 0; d < 4; d++) {
        uint64_t landing = checkers_step(empty, 3 - d);
        if (((d & 2) == forward || w->men_capture_back) &&
            (checkers_step(men_targets & landing, 3 - d) & men))
            return true;
        uint64_t before = checkers_step(enemy & landing, 3 - d);
        if (before & kings)
            return true;
        if (w->flying_kings)
            for (before &= empty; before; before &= empty) {
                before = checkers_step(before, 3 - d);
                if (before & kings)
                    return true;
            }
    }
    return false;
}

/* Collects the successors of a slot. */
typedef struct successor_list {
    const workspace *w;
    ply_slot *out;
    size_t count;
    unsigned inner_moves;            /* moves within the slice */
    bool lists_inner;                /* they are listed, not only counted */
    size_t inner_class, crown_class; /* after a quiet move, without and with a crowning */
    boards after;                    /* from the point of view of the player who moves next */
} successor_list;

static inline void add_quiet(successor_list *list, const boards *b, uint64_t from, uint64_t to,
                             bool king)
{
    bool crown = !king && (to & CHECKERS_WHITE_END_MASK);
    if (!crown) {
        list->inner_moves++;
        if (!list->lists_inner)
            return;
    }
    list->after.enemy_men = king ? b->own_men : crown ? b->own_men ^ from : b->own_men ^ from ^ to;
    list->after.enemy_kings = king    ? b->own_kings ^ from ^ to
                              : crown ? b->own_kings | to
                                      : b->own_kings;
    list->out[list->count++] =
        slot_of_rotated(list->w, crown ? list->crown_class : list->inner_class, &list->after);
}

static void add_quiet_moves(successor_list *list, const boards *b)
{
    uint64_t empty =
        CHECKERS_DARK_SQUARES & ~(b->own_men | b->own_kings | b->enemy_men | b->enemy_kings);
#pragma GCC unroll 4
    for (int d = 0; d < 4; d++) {
        if (d < 2)
            for (uint64_t to = checkers_step(b->own_men, d) & empty; to; to &= to - 1)
                add_quiet(list, b, checkers_step(to & -to, 3 - d), to & -to, false);
        for (uint64_t kings = b->own_kings; kings; kings &= kings - 1) {
            uint64_t from = kings & -kings;
            for (uint64_t to = checkers_step(from, d) & empty; to;
                 to = list->w->flying_kings ? checkers_step(to, d) & empty : 0)
                add_quiet(list, b, from, to, true);
        }
    }
}

static void add_captures(successor_list *list, const boards *b)
{
    ply_move moves[CHECKERS_MAX_MOVES];
    checkers_position p = bare_position(b);
    size_t count = checkers_moves(list->w->rules, &p, moves);
    for (size_t i = 0; i < count; i++) {
        uint64_t from = unpack(1u << checkers_move_from(moves[i]));
        uint64_t to = unpack(1u << checkers_move_to(moves[i]));
        uint64_t captured = unpack(checkers_move_captured(moves[i]));
        bool king = (from & b->own_kings) != 0, king_after = king || moves[i] & CHECKERS_MOVE_CROWN;
        list->after = (boards){.own_men = b->enemy_men & ~captured,
                               .own_kings = b->enemy_kings & ~captured,
                               .enemy_men = b->own_men & ~from,
                               .enemy_kings = b->own_kings & ~from};
        if (king_after)
            list->after.enemy_kings |= to;
        else
            list->after.enemy_men |= to;
        int men = ply_popcount(list->after.own_men), kings = ply_popcount(list->after.own_kings);
        list->out[list->count++] =
            men + kings == 0
                ? PLY_SLOT_NO_PIECES
                : slot_of_rotated(list->w,
                                  material_class(men, kings, ply_popcount(list->after.enemy_men),
                                                 ply_popcount(list->after.enemy_kings)),
                                  &list->after);
    }
}

static size_t list_successors(const workspace *w, ply_slot slot, ply_slot *out, bool lists_inner,
                              unsigned *inner_moves)
{
    size_t class_index = ply_slot_class(slot);
    const material *m = &w->layouts[class_index]->material;
    boards b = boards_of(w, slot);
    successor_list list = {.w = w,
                           .out = out,
                           .lists_inner = lists_inner,
                           .inner_class = class_partner(class_index),
                           .after = {.own_men = b.enemy_men, .own_kings = b.enemy_kings}};
    if (can_capture(w, b.own_men, b.own_kings, b.enemy_men, b.enemy_kings, 0)) {
        add_captures(&list, &b);
    } else {
        if (m->own_men > 0)
            list.crown_class =
                material_class(m->enemy_men, m->enemy_kings, m->own_men - 1, m->own_kings + 1);
        add_quiet_moves(&list, &b);
    }
    *inner_moves = list.inner_moves;
    return list.count;
}

static size_t successors(const void *handle, ply_slot slot, ply_slot *out)
{
    unsigned inner_moves;
    return list_successors(handle, slot, out, true, &inner_moves);
}

static size_t exits(const void *handle, ply_slot slot, ply_slot *out, unsigned *inner_moves)
{
    return list_successors(handle, slot, out, false, inner_moves);
}

/* --- predecessors --------------------------------------------------------------------------- */
/* The opponent has just moved up the board; on these boards they still move up. */
static size_t predecessors(const void *handle, ply_slot slot, ply_slot *out)
{
    const workspace *w = handle;
    size_t source_class = class_partner(ply_slot_class(slot)), count = 0;
    boards b = boards_of(w, slot);
    uint64_t empty =
        CHECKERS_DARK_SQUARES & ~(b.own_men | b.own_kings | b.enemy_men | b.enemy_kings);
    boards before = {.enemy_men = b.own_men, .enemy_kings = b.own_kings};
    before.own_kings = b.enemy_kings;
    for (int d = 2; d < 4; d++) /* men moved up */
        for (uint64_t from = checkers_step(b.enemy_men, 3 - d) & empty; from; from &= from - 1) {
            uint64_t one = from & -from;
            before.own_men = b.enemy_men ^ one ^ checkers_step(one, d);
            if (!can_capture(w, before.own_men, before.own_kings, b.own_men, b.own_kings, 2))
                out[count++] = slot_of_rotated(w, source_class, &before);
        }
    before.own_men = b.enemy_men;
    for (uint64_t kings = b.enemy_kings; kings; kings &= kings - 1) {
        uint64_t to = kings & -kings;
        for (int d = 0; d < 4; d++)
            for (uint64_t from = checkers_step(to, d) & empty; from;
                 from = w->flying_kings ? checkers_step(from, d) & empty : 0) {
                before.own_kings = b.enemy_kings ^ to ^ from;
                if (!can_capture(w, before.own_men, before.own_kings, b.own_men, b.own_kings, 2))
                    out[count++] = slot_of_rotated(w, source_class, &before);
            }
    }
    return count;
}

extern const ply_retrograde PLY_ISA(checkers_retrograde_of);
const ply_retrograde PLY_ISA(checkers_retrograde_of) = {
    .default_up_to = "4",
    .max_successors = CHECKERS_MAX_MOVES,
    .max_predecessors = CHECKERS_MAX_QUIET_PREDECESSORS,
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
