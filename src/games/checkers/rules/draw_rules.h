/* SPDX-License-Identifier: MIT */
/*
 * draw_rules.h - the option `endings`: endings that are drawn unless won within a number of moves.
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
 *
 * Repetition and progress are here, too: all that makes a draw, for the host and for devices.
 */
#ifndef PLY_GAMES_CHECKERS_RULES_DRAW_RULES_H
#define PLY_GAMES_CHECKERS_RULES_DRAW_RULES_H

#include "games/checkers/checkers.h"

#define LONG_DIAGONAL UINT64_C(0x0102040810204080)

typedef struct piece_counts {
    int men[2], kings[2];
} piece_counts;

PLY_SHARED piece_counts count_pieces(const checkers_position *p)
{
    piece_counts m;
    for (int colour = 0; colour < 2; colour++) {
        m.men[colour] = ply_popcount(p->board[colour][CHECKERS_MAN]);
        m.kings[colour] = ply_popcount(p->board[colour][CHECKERS_KING]);
    }
    return m;
}

PLY_SHARED bool same_counts(const piece_counts *a, const piece_counts *b)
{
    return a->men[0] == b->men[0] && a->men[1] == b->men[1] && a->kings[0] == b->kings[0] &&
           a->kings[1] == b->kings[1];
}

PLY_SHARED int pieces_of(const piece_counts *m, int colour)
{
    return m->men[colour] + m->kings[colour];
}

/* Three or more kings against a lone king, without men. */
PLY_SHARED bool is_king_hunt(const piece_counts *m)
{
    for (int colour = 0; colour < 2; colour++)
        if (m->kings[colour] >= 3 && m->men[0] + m->men[1] == 0 && m->kings[!colour] == 1)
            return true;
    return false;
}

/* One or two kings against one or two kings, or against a king and a man. */
PLY_SHARED bool is_brazilian_five(const piece_counts *m)
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
PLY_SHARED int limit_of(int endings, const piece_counts *m)
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
PLY_SHARED int diagonal_king(const checkers_position *p, const piece_counts *m)
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
PLY_SHARED int count_plies(const piece_counts *m, int colour, const checkers_undo_info *undo_stack,
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

/* Whether the position is drawn under the option. undo_stack has `plies` entries, oldest first. */
PLY_SHARED bool ending_is_drawn(const ply_rules *rules, const checkers_position *p,
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

PLY_SHARED bool same_position(const checkers_position *a, const checkers_position *b)
{
    return a->hash == b->hash && a->black_men == b->black_men && a->black_kings == b->black_kings &&
           a->white_men == b->white_men && a->white_kings == b->white_kings && a->turn == b->turn;
}

/* Whether the position has occurred `times` times with the same player to move. */
PLY_SHARED bool is_repeated(const checkers_position *p, const checkers_undo_info *undo_stack,
                            size_t plies, int times)
{
    size_t back = p->quiet < plies ? p->quiet : plies;
    int occurrences = 1;
    for (size_t i = 2; i <= back; i += 2)
        if (same_position(&undo_stack[plies - i], p) && ++occurrences >= times)
            return true;
    return false;
}

/* The same, for as many times as the rules say. fresh: the position is new. */
PLY_SHARED bool is_repetition(const ply_rules *rules, const checkers_position *p,
                              const checkers_undo_info *undo_stack, size_t plies, bool fresh)
{
    int times = rules->option[CHECKERS_OPTION_REPEAT];
    return !fresh && times > 0 && p->quiet >= 4 && is_repeated(p, undo_stack, plies, times);
}

/* Too many plies without progress. */
PLY_SHARED bool is_stale(const ply_rules *rules, const checkers_position *p)
{
    return p->quiet >= (uint32_t)rules->option[CHECKERS_OPTION_QUIET];
}

/* Whether the game is drawn, though the player to move has a move. fresh: the position is new. */
PLY_SHARED ply_outcome draw_outcome(const ply_rules *rules, const checkers_position *p,
                                    const checkers_undo_info *undo_stack, size_t plies, bool fresh)
{
    if (is_repetition(rules, p, undo_stack, plies, fresh))
        return (ply_outcome){PLY_DRAW, "repetition"};
    if (is_stale(rules, p))
        return (ply_outcome){PLY_DRAW, "no-progress"};
    if (ending_is_drawn(rules, p, undo_stack, plies))
        return (ply_outcome){PLY_DRAW, "ending"};
    return (ply_outcome){PLY_ONGOING, NULL};
}

/* What a move does to the pieces of both sides, by kind, to the key and to the count of quiet plies. */
PLY_HD void apply_between(uint64_t own[2], uint64_t enemy[2], int colour, ply_move move,
                          uint64_t *hash, uint32_t *quiet)
{
    int from = checkers_move_from(move), to = checkers_move_to(move);
    uint64_t from_square = checkers_square(from), to_square = checkers_square(to);
    bool king = (own[CHECKERS_KING] & from_square) != 0;
    bool king_after = king || (move & CHECKERS_MOVE_CROWN);
    uint64_t key = *hash ^ checkers_turn_key ^ checkers_keys[colour][king][from] ^
                   checkers_keys[colour][king_after][to];
    own[CHECKERS_MAN] ^= (king ? 0 : from_square) ^ (king_after ? 0 : to_square);
    own[CHECKERS_KING] ^= (king ? from_square : 0) ^ (king_after ? to_square : 0);
    *quiet = king ? *quiet + 1 : 0;
    uint32_t captured = checkers_move_captured(move);
    if (captured) {
        uint64_t squares = checkers_unpack(captured);
        for (uint32_t c = captured; c; c &= c - 1) {
            int index = ply_lowest(c);
            int captured_kind = (enemy[CHECKERS_KING] & checkers_square(index)) != 0;
            key ^= checkers_keys[!colour][captured_kind][index];
        }
        enemy[CHECKERS_MAN] &= ~squares;
        enemy[CHECKERS_KING] &= ~squares;
        *quiet = 0;
    }
    *hash = key;
}

/* Plays a move without writing an undo entry. */
PLY_SHARED void apply_move(checkers_position *p, ply_move move)
{
    int colour = p->turn;
    apply_between(p->board[colour], p->board[!colour], colour, move, &p->hash, &p->quiet);
    p->turn = (uint8_t)!colour;
}

#endif
