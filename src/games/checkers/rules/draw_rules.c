/* SPDX-License-Identifier: MIT */
/*
 * draw_rules.c - the option `endings`: endings that are drawn unless won within a number of moves.
 *
 * A limit applies to a kind of ending. It counts the plies since the numbers of men and kings last
 * changed, that is, without a capture or a crowning. A "move" in the rules of the federations is
 * one move by each player.
 *
 *     russian    Both sides have a king. Up to 3 pieces: 5 moves; 4 or 5 pieces: 30; 6 or 7: 60.
 *                Three or more pieces against a lone king on the long diagonal: 5 moves.
 *     brazilian  One or two kings against one or two kings, or against a king and a man: 5 moves.
 *                Three or more kings against one: 15.
 *     pool       Three or more kings against one: 13 moves.
 *     spanish    Three or more kings against one: 12 moves.
 *
 * The undo stack is scanned only where a limit can apply, so other positions cost a few
 * comparisons.
 */
#include "games/checkers/rules/draw_rules.h"

#define LONG_DIAGONAL UINT64_C(0x0102040810204080)

typedef struct piece_counts {
    int men[2], kings[2];
} piece_counts;

static piece_counts count_pieces(const checkers_position *p)
{
    piece_counts m;
    for (int colour = 0; colour < 2; colour++) {
        m.men[colour] = ply_popcount(p->board[colour][CHECKERS_MAN]);
        m.kings[colour] = ply_popcount(p->board[colour][CHECKERS_KING]);
    }
    return m;
}

static bool same_counts(const piece_counts *a, const piece_counts *b)
{
    return a->men[0] == b->men[0] && a->men[1] == b->men[1] && a->kings[0] == b->kings[0] &&
           a->kings[1] == b->kings[1];
}

static int pieces_of(const piece_counts *m, int colour)
{
    return m->men[colour] + m->kings[colour];
}

/* Three or more kings against a lone king, without men. */
static bool is_king_hunt(const piece_counts *m)
{
    for (int colour = 0; colour < 2; colour++)
        if (m->kings[colour] >= 3 && m->men[0] + m->men[1] == 0 && m->kings[!colour] == 1)
            return true;
    return false;
}

/* One or two kings against one or two kings, or against a king and a man. */
static bool is_brazilian_five(const piece_counts *m)
{
    for (int colour = 0; colour < 2; colour++) {
        bool kings_only = m->men[colour] == 0 && m->kings[colour] >= 1 && m->kings[colour] <= 2;
        bool other = m->kings[!colour] + m->men[!colour] <= 2 && m->kings[!colour] >= 1;
        if (kings_only && other)
            return true;
    }
    return false;
}

/* Limits in plies. */
enum {
    RUSSIAN_DIAGONAL = 10,
    BRAZILIAN_FIVE = 10,
    BRAZILIAN_HUNT = 30,
    POOL_HUNT = 26,
    SPANISH_HUNT = 24,
};

/* The limit for an ending with these pieces; 0: none. */
static int limit_of(int endings, const piece_counts *m)
{
    int pieces = pieces_of(m, 0) + pieces_of(m, 1);
    switch (endings) {
    case CHECKERS_ENDINGS_RUSSIAN:
        if (m->kings[0] == 0 || m->kings[1] == 0 || pieces > 7)
            return 0;
        return 2 * (pieces <= 3 ? 5 : pieces <= 5 ? 30 : 60);
    case CHECKERS_ENDINGS_BRAZILIAN:
        return is_brazilian_five(m) ? BRAZILIAN_FIVE : is_king_hunt(m) ? BRAZILIAN_HUNT : 0;
    case CHECKERS_ENDINGS_POOL:
        return is_king_hunt(m) ? POOL_HUNT : 0;
    case CHECKERS_ENDINGS_SPANISH:
        return is_king_hunt(m) ? SPANISH_HUNT : 0;
    default:
        return 0;
    }
}

/* The colour whose only piece is a king on the long diagonal against three or more, or -1. */
static int diagonal_king(const checkers_position *p, const piece_counts *m)
{
    for (int colour = 0; colour < 2; colour++)
        if (m->men[colour] == 0 && m->kings[colour] == 1 && pieces_of(m, !colour) >= 3 &&
            m->kings[!colour] >= 1 && (p->board[colour][CHECKERS_KING] & LONG_DIAGONAL))
            return colour;
    return -1;
}

/*
 * How many of the last plies, up to `most`, were played with these pieces and, unless colour is -1,
 * with that colour's king on the long diagonal.
 */
static int count_plies(const piece_counts *m, int colour, const checkers_undo_info *undo_stack,
                       size_t plies, int most)
{
    int count = 0;
    for (; count < most && (size_t)count < plies; count++) {
        const checkers_undo_info *earlier = &undo_stack[plies - 1 - (size_t)count];
        piece_counts before = count_pieces(earlier);
        if (!same_counts(&before, m))
            break;
        if (colour >= 0 && !(earlier->board[colour][CHECKERS_KING] & LONG_DIAGONAL))
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
    piece_counts m = count_pieces(p);
    int limit = limit_of(endings, &m);
    if (limit > 0 && count_plies(&m, -1, undo_stack, plies, limit) >= limit)
        return true;
    int colour = endings == CHECKERS_ENDINGS_RUSSIAN ? diagonal_king(p, &m) : -1;
    return colour >= 0 &&
           count_plies(&m, colour, undo_stack, plies, RUSSIAN_DIAGONAL) >= RUSSIAN_DIAGONAL;
}
