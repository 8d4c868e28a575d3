/* SPDX-License-Identifier: MIT */
/*
 * make_move.h - playing and taking back a move, inlined into the hot loops.
 *
 * `keyed` is a compile-time constant: counting moves needs neither keys nor ply numbers.
 */
#ifndef PLY_GAMES_SHOGI_RULES_MAKE_MOVE_H
#define PLY_GAMES_SHOGI_RULES_MAKE_MOVE_H

#include "games/shogi/rules/attacks.h"

SHOGI_INLINE int play_drop(shogi_position *p, int us, unsigned move, bool keyed)
{
    int kind = (int)(move & 7), to = shogi_move_to(move);
    int code = kind | us << 4;
    shogi_set there = set_of(to);
    p->board[to] = (uint8_t)code;
    p->by_type[kind] ^= there;
    p->colour[us] ^= there;
    p->hand[us] -= shogi_hand_one(kind);
    if (keyed) {
        p->board_key ^= shogi_piece_keys[code][to];
        p->hand_key -= shogi_hand_keys[us][kind];
    }
    return SHOGI_CODE_EMPTY;
}

SHOGI_INLINE int play_board_move(shogi_position *p, int us, unsigned move, bool keyed)
{
    int from = shogi_move_from(move), to = shogi_move_to(move);
    int code = p->board[from], captured = p->board[to];
    int after = code | (int)((move & SHOGI_MOVE_PROMOTE) >> 11);
    shogi_set here = set_of(from), there = set_of(to);
    p->board[from] = SHOGI_CODE_EMPTY;
    p->board[to] = (uint8_t)after;
    p->by_type[shogi_code_type(code)] ^= here;
    p->by_type[shogi_code_type(after)] ^= there;
    p->colour[us] ^= here | there;
    if (keyed)
        p->board_key ^= shogi_piece_keys[code][from] ^ shogi_piece_keys[after][to];
    if (captured != SHOGI_CODE_EMPTY) {
        int kind = captured & SHOGI_CODE_KIND;
        p->by_type[shogi_code_type(captured)] ^= there;
        p->colour[!us] ^= there;
        p->hand[us] += shogi_hand_one(kind);
        if (keyed) {
            p->board_key ^= shogi_piece_keys[captured][to];
            p->hand_key += shogi_hand_keys[us][kind];
        }
    }
    return captured;
}

/* Plays a move of `us` and returns the code of the captured piece, or SHOGI_CODE_EMPTY. */
SHOGI_INLINE int play_move(shogi_position *p, int us, unsigned move, bool keyed)
{
    if (keyed) {
        p->board_key ^= shogi_side_key;
        p->ply++;
    }
    p->side = (uint8_t)!us;
    return move & SHOGI_MOVE_DROP ? play_drop(p, us, move, keyed)
                                  : play_board_move(p, us, move, keyed);
}

/* Takes back a move of `us`. The caller restores the keys. */
SHOGI_INLINE void undo_move(shogi_position *p, int us, unsigned move, int captured, bool keyed)
{
    int to = shogi_move_to(move);
    shogi_set there = set_of(to);
    p->side = (uint8_t)us;
    if (keyed)
        p->ply--;
    if (move & SHOGI_MOVE_DROP) {
        int kind = (int)(move & 7);
        p->board[to] = SHOGI_CODE_EMPTY;
        p->by_type[kind] ^= there;
        p->colour[us] ^= there;
        p->hand[us] += shogi_hand_one(kind);
        return;
    }
    int from = shogi_move_from(move), after = p->board[to];
    int code = after & ~(int)((move & SHOGI_MOVE_PROMOTE) >> 11);
    shogi_set here = set_of(from);
    p->board[from] = (uint8_t)code;
    p->board[to] = (uint8_t)captured;
    p->by_type[shogi_code_type(code)] ^= here;
    p->by_type[shogi_code_type(after)] ^= there;
    p->colour[us] ^= here | there;
    if (captured != SHOGI_CODE_EMPTY) {
        p->by_type[shogi_code_type(captured)] ^= there;
        p->colour[!us] ^= there;
        p->hand[us] -= shogi_hand_one(captured & SHOGI_CODE_KIND);
    }
}

/* Plays a move of the player to move and writes its undo entry. */
PLY_HD void shogi_apply(shogi_position *p, unsigned move, shogi_undo_info *entry)
{
    memset(entry, 0, sizeof *entry);
    entry->board_key = p->board_key;
    entry->hand_key = p->hand_key;
    entry->move = (uint16_t)move;
    entry->captured = (uint8_t)(p->side == SHOGI_BLACK ? play_move(p, SHOGI_BLACK, move, true)
                                                       : play_move(p, SHOGI_WHITE, move, true));
}

/* Takes back the move of an undo entry, or a null move. */
PLY_HD void shogi_take_back(shogi_position *p, unsigned move, const shogi_undo_info *entry)
{
    if (move == 0) {
        p->side = !p->side;
        p->ply--;
    } else if (p->side == SHOGI_WHITE)
        undo_move(p, SHOGI_BLACK, move, entry->captured, true);
    else
        undo_move(p, SHOGI_WHITE, move, entry->captured, true);
    p->board_key = entry->board_key;
    p->hand_key = entry->hand_key;
}

#endif
