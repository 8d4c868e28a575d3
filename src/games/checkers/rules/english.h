/* SPDX-License-Identifier: MIT */
/*
 * english.h - the moves of English checkers on the 64-bit boards, for the host and for devices.
 *
 * Pieces that can move or jump are found for all pieces at once by masks and shifts. Quiet moves
 * are ordered by direction, then by target square; captures by the capturing piece, then by
 * direction.
 */
#ifndef PLY_GAMES_CHECKERS_RULES_ENGLISH_H
#define PLY_GAMES_CHECKERS_RULES_ENGLISH_H

#include "games/checkers/checkers.h"

/* The board from the point of view of the player to move. */
typedef struct english_view {
    uint64_t own, kings, empty;
    uint64_t prey; /* enemy pieces off the edges: only these can be jumped */
    uint64_t crown_row;
    int forward; /* men move in directions forward and forward + 1: 0 or 2 */
} english_view;

PLY_HD __attribute__((always_inline)) english_view view_of(const checkers_position *p)
{
    int colour = p->turn;
    uint64_t kings = p->board[colour][CHECKERS_KING];
    uint64_t own = p->board[colour][CHECKERS_MAN] | kings;
    uint64_t enemy = checkers_pieces_of(p, !colour);
    english_view v = {.own = own,
                      .kings = kings,
                      .empty = CHECKERS_DARK_SQUARES & ~(own | enemy),
                      .prey = enemy & CHECKERS_NOT_EDGES,
                      .crown_row = checkers_crown_row(colour),
                      .forward = colour == CHECKERS_BLACK ? 0 : 2};
    return v;
}

/* Pieces that may move in a direction. */
PLY_HD __attribute__((always_inline)) uint64_t movers(const english_view *v, int d)
{
    return (d & 2) == v->forward ? v->own : v->kings;
}

/* Targets of quiet moves in a direction. */
PLY_HD __attribute__((always_inline)) uint64_t targets(const english_view *v, int d)
{
    return checkers_step(movers(v, d), d) & v->empty;
}

/* Squares from which a piece could jump in a direction, occupied or not. */
PLY_HD __attribute__((always_inline)) uint64_t open_jumps(const english_view *v, int d)
{
    return checkers_shift(checkers_shift(v->empty, 3 - d) & v->prey, 3 - d);
}

PLY_HD __attribute__((always_inline)) uint64_t jumpers_of(const english_view *v)
{
    uint64_t down = open_jumps(v, 0) | open_jumps(v, 1), up = 0;
    if (v->forward == 2 || v->kings)
        up = open_jumps(v, 2) | open_jumps(v, 3);
    return v->forward == 0 ? (v->own & down) | (v->kings & up) : (v->own & up) | (v->kings & down);
}

/* --- captures ------------------------------------------------------------------------------- */
/* The captures of one piece, jump by jump. */
typedef struct chain {
    ply_move *out;
    size_t count;
    uint64_t empty, prey, crown_row, captured;
    int from;
    int first, last; /* directions to try, the last excluded */
    bool king;
} chain;

PLY_SHARED void chain_end(chain *c, uint64_t square)
{
    uint32_t captured = checkers_pack(c->captured);
    ply_move move = checkers_move_make(c->from, checkers_index_of(ply_lowest(square)), captured,
                                       !c->king && (square & c->crown_row));
    /* Only a king can go round a loop. */
    if (c->king && ply_popcount(captured) >= CHECKERS_MIN_SHORT_LOOP)
        for (size_t i = 0; i < c->count; i++)
            if (c->out[i] == move)
                return;
    if (c->count < CHECKERS_MAX_MOVES)
        c->out[c->count++] = move;
}

/*
 * All chains from a square, depth first. The way back is in the directions taken, two bits each: the
 * squares follow from them. No chain is longer than the 12 pieces there are to capture.
 */
PLY_SHARED void chain_from(chain *c, uint64_t square)
{
    uint64_t path = 0;      /* the direction of each jump, the last one lowest */
    uint32_t continued = 0; /* bit n: the chain goes on after n jumps */
    int jumps = 0, d = c->first;
    for (;;) {
        if (d < c->last) {
            uint64_t over = checkers_shift(square, d) & c->prey;
            uint64_t land = checkers_shift(over, d) & c->empty;
            if (!land) {
                d++;
                continue;
            }
            continued |= (uint32_t)1 << jumps++;
            continued &= ~((uint32_t)1 << jumps);
            c->captured |= over;
            c->prey ^= over;
            path = path << 2 | (uint64_t)d;
            square = land; /* a man on the crown row finds no jump ahead */
            d = c->first;
            continue;
        }
        if (!(continued >> jumps & 1))
            chain_end(c, square);
        if (jumps-- == 0)
            return;
        d = (int)(path & 3);
        path >>= 2;
        uint64_t over = checkers_shift(square, 3 - d);
        square = checkers_shift(over, 3 - d);
        c->captured ^= over;
        c->prey ^= over;
        d++;
    }
}

PLY_CALLED size_t captures(const english_view *v, uint64_t jumpers, ply_move *out)
{
    chain c = {.out = out, .count = 0, .empty = 0, .prey = v->prey, .crown_row = v->crown_row};
    c.captured = 0;
    for (; jumpers; jumpers &= jumpers - 1) {
        uint64_t square = jumpers & -jumpers;
        c.king = (square & v->kings) != 0;
        c.first = c.king ? 0 : v->forward;
        c.last = c.king ? 4 : v->forward + 2;
        c.from = checkers_index_of(ply_lowest(square));
        c.empty = v->empty | square;
        chain_from(&c, square);
    }
    return c.count;
}

/* --- moves, count and nth ------------------------------------------------------------------- */
PLY_SHARED ply_move quiet_move(const english_view *v, int d, uint64_t square)
{
    uint64_t from = checkers_step(square, 3 - d);
    bool crown = (square & v->crown_row) && !(from & v->kings);
    return checkers_move_make(checkers_index_of(ply_lowest(from)),
                              checkers_index_of(ply_lowest(square)), 0, crown);
}

PLY_SHARED size_t english_moves(const checkers_position *p, ply_move *out)
{
    english_view v = view_of(p);
    uint64_t jumpers = jumpers_of(&v);
    if (jumpers)
        return captures(&v, jumpers, out);
    size_t count = 0;
#pragma GCC unroll 4
    for (int d = 0; d < 4; d++)
        for (uint64_t to = targets(&v, d); to; to &= to - 1)
            out[count++] = quiet_move(&v, d, to & -to);
    return count;
}

PLY_HD size_t count_quiet(const english_view *v)
{
    int count = 0;
#pragma GCC unroll 4
    for (int d = 0; d < 4; d++)
        count += ply_popcount(targets(v, d));
    return (size_t)count;
}

PLY_SHARED ply_move nth_quiet(const english_view *v, size_t k)
{
#pragma GCC unroll 4
    for (int d = 0; d < 4; d++) {
        uint64_t to = targets(v, d);
        size_t here = (size_t)ply_popcount(to);
        if (k < here)
            return quiet_move(v, d, ply_bit(ply_nth_bit(to, (int)k)));
        k -= here;
    }
    return PLY_MOVE_NONE;
}

#endif
