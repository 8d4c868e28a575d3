/* SPDX-License-Identifier: MIT */
/*
 * retrograde_isa.c - checkers for the tablebase builder, for every 8x8 rule set; compiled for
 * several instruction sets. slots.h has the numbers and the moves.
 */
#include "games/checkers/tablebase/slots.h"
#include <stdlib.h>
#include <string.h>

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

static void position_of(const void *handle, ply_slot slot, void *position)
{
    boards b = boards_of(handle, slot);
    checkers_position p = bare_position(&b);
    checkers_finish(&p);
    *(checkers_position *)position = p;
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
