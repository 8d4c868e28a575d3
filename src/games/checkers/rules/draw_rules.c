/* SPDX-License-Identifier: MIT */
/*
 * draw_rules.c - draws by material: endings that must be won within a number of moves.
 *
 * A limit holds for a kind of ending, and counts the plies since the balance of pieces last
 * changed: no capture, no new king. A "move" of the federations' rules is one by each player.
 *
 *     russian    both sides have a king: up to 3 pieces 5 moves, 4 or 5 pieces 30, 6 or 7 pieces
 *                60; three pieces or more against a king that stays on the long diagonal: 5
 *     brazilian  one or two kings against one or two kings, or a king and a man: 5 moves; three
 *                kings or more against one: 15
 *     pool       three kings or more against one: 13
 *     spanish    three kings or more against one: 12
 *
 * The trail is looked at only where a limit can apply, so other positions cost a few comparisons.
 */
#include "games/checkers/rules/draw_rules.h"

#define LONG_DIAGONAL UINT64_C(0x0102040810204080)

typedef struct material {
    int men[2], kings[2];
} material;

static material material_of(const checkers_position *p)
{
    material m;
    for (int colour = 0; colour < 2; colour++) {
        m.men[colour] = ply_popcount(p->board[colour][CHECKERS_MAN]);
        m.kings[colour] = ply_popcount(p->board[colour][CHECKERS_KING]);
    }
    return m;
}

static bool same_material(const material *a, const material *b)
{
    return a->men[0] == b->men[0] && a->men[1] == b->men[1] && a->kings[0] == b->kings[0] &&
           a->kings[1] == b->kings[1];
}

static int pieces_of(const material *m, int colour)
{
    return m->men[colour] + m->kings[colour];
}

/* Three kings or more, and no men, against a king alone. */
static bool is_king_hunt(const material *m)
{
    for (int colour = 0; colour < 2; colour++)
        if (m->kings[colour] >= 3 && m->men[0] + m->men[1] == 0 && m->kings[!colour] == 1)
            return true;
    return false;
}

static bool is_small_brazilian(const material *m)
{
    for (int colour = 0; colour < 2; colour++) {
        bool bare = m->men[colour] == 0 && m->kings[colour] >= 1 && m->kings[colour] <= 2;
        bool other = m->kings[!colour] + m->men[!colour] <= 2 && m->kings[!colour] >= 1;
        if (bare && other)
            return true;
    }
    return false;
}

/* Plies after which an ending of this material is drawn; 0 for no limit. */
static int limit_of(int endings, const material *m)
{
    int pieces = pieces_of(m, 0) + pieces_of(m, 1);
    switch (endings) {
    case CHECKERS_ENDINGS_RUSSIAN:
        if (m->kings[0] == 0 || m->kings[1] == 0 || pieces > 7)
            return 0;
        return 2 * (pieces <= 3 ? 5 : pieces <= 5 ? 30 : 60);
    case CHECKERS_ENDINGS_BRAZILIAN:
        return is_small_brazilian(m) ? 10 : is_king_hunt(m) ? 30 : 0;
    case CHECKERS_ENDINGS_POOL:
        return is_king_hunt(m) ? 26 : 0;
    case CHECKERS_ENDINGS_SPANISH:
        return is_king_hunt(m) ? 24 : 0;
    default:
        return 0;
    }
}

/* The colour whose only piece is a king on the long diagonal, against three or more; or -1. */
static int diagonal_king(const checkers_position *p, const material *m)
{
    for (int colour = 0; colour < 2; colour++)
        if (m->men[colour] == 0 && m->kings[colour] == 1 && pieces_of(m, !colour) >= 3 &&
            m->kings[!colour] >= 1 && (p->board[colour][CHECKERS_KING] & LONG_DIAGONAL))
            return colour;
    return -1;
}

/* How many of the last plies, up to `most`, were played with this material and, if a colour is
 * given, with its king on the long diagonal throughout. */
static int plies_alike(const material *m, int colour, const checkers_undo_info *undo_stack,
                       size_t plies, int most)
{
    int count = 0;
    for (; count < most && (size_t)count < plies; count++) {
        const checkers_undo_info *r = &undo_stack[plies - 1 - (size_t)count];
        material before = material_of(r);
        if (!same_material(&before, m))
            break;
        if (colour >= 0 && !(r->board[colour][CHECKERS_KING] & LONG_DIAGONAL))
            break;
    }
    return count;
}

bool checkers_ending_is_drawn(const ply_rules *rules, const checkers_position *p,
                              const checkers_undo_info *undo_stack, size_t plies)
{
    int endings = rules->option[CHECKERS_OPTION_ENDINGS];
    if (endings == CHECKERS_ENDINGS_NONE || !p->black_kings || !p->white_kings)
        return false;
    material m = material_of(p);
    int limit = limit_of(endings, &m);
    if (limit > 0 && plies_alike(&m, -1, undo_stack, plies, limit) >= limit)
        return true;
    int colour = endings == CHECKERS_ENDINGS_RUSSIAN ? diagonal_king(p, &m) : -1;
    return colour >= 0 && plies_alike(&m, colour, undo_stack, plies, 10) >= 10;
}
