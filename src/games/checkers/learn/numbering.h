/* SPDX-License-Identifier: MIT */
/* numbering.h - numbers of actions and masks from the list of legal moves, for the host and for
 * devices; actions.c explains the numbers. */
#ifndef PLY_GAMES_CHECKERS_LEARN_NUMBERING_H
#define PLY_GAMES_CHECKERS_LEARN_NUMBERING_H

#include "games/checkers/learn/learning.h"

PLY_SHARED uint32_t reverse32(uint32_t x)
{
    return (uint32_t)(checkers_rotate(x) >> 32);
}

/* A number by which moves are ordered: squares, then captured pieces, seen by the player. */
PLY_SHARED uint64_t order_of(int colour, ply_move move)
{
    uint32_t captured = checkers_move_captured(move);
    if (colour == CHECKERS_BLACK)
        captured = reverse32(captured);
    return (uint64_t)(checkers_relative_index(colour, checkers_move_from(move)) * 32 +
                      checkers_relative_index(colour, checkers_move_to(move)))
               << 32 |
           captured;
}

/* Whether a smaller move of the list has the same first and last square. */
PLY_SHARED bool is_extra(const ply_move *moves, size_t count, int colour, uint64_t order)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t other = order_of(colour, moves[i]);
        if (other >> 32 == order >> 32 && other < order)
            return true;
    }
    return false;
}

PLY_SHARED uint32_t number_in(const ply_move *moves, size_t count, int colour, ply_move move)
{
    uint64_t order = order_of(colour, move);
    if (!is_extra(moves, count, colour, order))
        return (uint32_t)(order >> 32);
    uint32_t before = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t other = order_of(colour, moves[i]);
        before += other < order && is_extra(moves, count, colour, other);
    }
    return CHECKERS_FIRST_EXTRA + before;
}

/* The move of an action, from the list of legal moves; PLY_MOVE_NONE: it is not legal. */
PLY_SHARED ply_move move_in(const ply_move *moves, size_t count, int colour, uint32_t action)
{
    for (size_t i = 0; i < count; i++) {
        /* Only moves with the right squares, or any for the extra ones. */
        bool fits =
            action >= CHECKERS_FIRST_EXTRA || order_of(colour, moves[i]) >> 32 == (uint64_t)action;
        if (fits && number_in(moves, count, colour, moves[i]) == action)
            return moves[i];
    }
    return PLY_MOVE_NONE;
}

/* A step to a neighbouring square that captures nothing for certain, so the list is not needed. Men and
 * short kings capture by jumps over two rows and never end next to where they began; a flying king, or
 * a man that becomes one on the way, may. */
PLY_SHARED bool quiet_step(const ply_rules *rules, const checkers_position *p, uint32_t action,
                           ply_move *move)
{
    int from = (int)checkers_relative_index(p->turn, (int)(action >> 5));
    int to = (int)checkers_relative_index(p->turn, (int)(action & 31));
    int distance = checkers_bit_of(to) - checkers_bit_of(from);
    if (action >= CHECKERS_FIRST_EXTRA ||
        (distance != 7 && distance != 9 && distance != -7 && distance != -9))
        return false;
    bool man = (p->board[p->turn][CHECKERS_MAN] & checkers_square(from)) != 0;
    if (rules->option[CHECKERS_OPTION_KING] != CHECKERS_KING_SHORT &&
        (!man || rules->option[CHECKERS_OPTION_CROWNING] == CHECKERS_CROWNING_CONTINUES))
        return false;
    bool crown = man && (checkers_crown_row(p->turn) & checkers_square(to));
    *move = checkers_move_make(from, to, 0, crown);
    return true;
}

/* The mask of a list of legal moves. */
PLY_SHARED size_t checkers_mask(const checkers_position *p, const ply_move *moves, size_t count,
                                uint64_t *bits)
{
    unsigned flip = p->turn == CHECKERS_BLACK ? 0x3FF : 0; /* 31 - index, for both squares */
    size_t extra = 0;
    for (int i = 0; i < CHECKERS_ACTIONS / 64; i++)
        bits[i] = 0;
    for (size_t i = 0; i < count; i++) {
        unsigned ends = (unsigned)(moves[i] & 0x3FF) ^ flip;
        unsigned at = (ends & 31) << 5 | ends >> 5;
        uint64_t bit = (uint64_t)1 << at % 64;
        extra += (bits[at / 64] & bit) != 0;
        bits[at / 64] |= bit;
    }
    for (size_t i = 0; i < extra; i++)
        bits[(CHECKERS_FIRST_EXTRA + i) / 64] |= (uint64_t)1 << i % 64;
    return count;
}

#endif
