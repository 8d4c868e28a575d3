/* SPDX-License-Identifier: MIT */
/*
 * network.c - the features of a position for neural networks.
 *
 * A feature is a piece on a square or "at least n pieces of a kind in hand", so every piece is
 * exactly one feature wherever it is. Squares are numbered from 0 to 80 as the player sees the
 * board: 0 is the far left corner; the board is turned by 180 degrees for White. The promoted
 * lance, knight and silver count as gold, whose moves they have. The promoted pawn has features of
 * its own, because the opponent gains only a pawn by capturing it.
 *
 *        0 .. 890     own piece:    class * 81 + square
 *      891 .. 1781    enemy piece:  891 + class * 81 + square
 *     1782 .. 1819    own hand:     1782 + first feature of the kind + number - 1
 *     1820 .. 1857    enemy hand:   1820 + first feature of the kind + number - 1
 */
#include "games/shogi/rules/square_tables.h"

/* Classes of pieces: the types of shogi.h, then the promoted pawn. */
enum { CLASS_PROMOTED_PAWN = SHOGI_TYPES, CLASSES };

enum {
    BOARD_SQUARES = SHOGI_SIDE * SHOGI_SIDE,
    BOARD_FEATURES = CLASSES * BOARD_SQUARES, /* of one player */
    HAND_FEATURES = 38,
    FIRST_HAND = 2 * BOARD_FEATURES,
    FEATURES = FIRST_HAND + 2 * HAND_FEATURES,
};

/* The first feature of a kind in hand: there are 18 pawns, 4 lances and so on. */
static const uint8_t hand_offset[SHOGI_KING] = {
    [SHOGI_PAWN] = 0,    [SHOGI_LANCE] = 18, [SHOGI_KNIGHT] = 22, [SHOGI_SILVER] = 26,
    [SHOGI_BISHOP] = 30, [SHOGI_ROOK] = 32,  [SHOGI_GOLD] = 34,
};

/* Rules differ in how the game ends and starts, not in how pieces move. */
const char *shogi_network_family(const ply_rules *rules)
{
    (void)rules;
    return "shogi";
}

uint32_t shogi_feature_count(const ply_rules *rules)
{
    (void)rules;
    return FEATURES;
}

static uint16_t board_feature(int player, int code, int square)
{
    int class = (code & 15) == (SHOGI_PAWN | SHOGI_CODE_PROMOTED) ? (int)CLASS_PROMOTED_PAWN
                                                                  : shogi_code_type(code);
    int index = square - 2 * shogi_ranks[square]; /* ranks are 11 apart on the board, 9 here */
    int seen = player == SHOGI_BLACK ? index : BOARD_SQUARES - 1 - index;
    return (uint16_t)((shogi_code_owner(code) == player ? 0 : BOARD_FEATURES) +
                      class * BOARD_SQUARES + seen);
}

/* Having at least `number` pieces of a kind in hand. */
static uint16_t hand_feature(int player, int owner, int kind, unsigned number)
{
    return (uint16_t)(FIRST_HAND + (owner == player ? 0 : HAND_FEATURES) + hand_offset[kind] +
                      (int)number - 1);
}

size_t shogi_features(const ply_rules *rules, const void *position, int player, uint16_t *out)
{
    (void)rules;
    const shogi_position *p = position;
    size_t count = 0;
    for (shogi_set s = p->colour[0] | p->colour[1]; s; s &= s - 1) {
        int square = set_first(s);
        out[count++] = board_feature(player, p->board[square], square);
    }
    for (int owner = 0; owner < 2; owner++)
        for (int kind = 0; kind < SHOGI_KING; kind++)
            for (unsigned n = 1; n <= shogi_hand_count(p->hand[owner], kind); n++)
                out[count++] = hand_feature(player, owner, kind, n);
    return count;
}

bool shogi_feature_changes(const ply_rules *rules, const void *position, ply_move move, int player,
                           ply_feature_changes *out)
{
    (void)rules;
    const shogi_position *p = position;
    int side = p->side, to = shogi_move_to(move);
    out->added_count = out->removed_count = 0;
    if (move == PLY_MOVE_NONE)
        return true;
    out->added_count = out->removed_count = 1;
    if (shogi_move_is_drop(move)) {
        int kind = shogi_move_from(move), code = kind | (side ? SHOGI_CODE_WHITE : 0);
        out->removed[0] = hand_feature(player, side, kind, shogi_hand_count(p->hand[side], kind));
        out->added[0] = board_feature(player, code, to);
        return true;
    }
    int from = shogi_move_from(move), code = p->board[from], captured = p->board[to];
    out->removed[0] = board_feature(player, code, from);
    out->added[0] =
        board_feature(player, shogi_move_promotes(move) ? code | SHOGI_CODE_PROMOTED : code, to);
    if (captured != SHOGI_CODE_EMPTY) {
        int kind = captured & SHOGI_CODE_KIND;
        out->removed[out->removed_count++] = board_feature(player, captured, to);
        out->added[out->added_count++] =
            hand_feature(player, side, kind, shogi_hand_count(p->hand[side], kind) + 1);
    }
    return true;
}

/* By the number of pieces in hand: none in the opening, sixteen or more late in the attack. */
unsigned shogi_phase(const ply_rules *rules, const void *position, unsigned phases)
{
    (void)rules;
    enum { FULL_HANDS = 16 };
    const shogi_position *p = position;
    unsigned pieces = 0;
    for (int kind = 0; kind < SHOGI_KING; kind++)
        pieces += shogi_hand_count(p->hand[0], kind) + shogi_hand_count(p->hand[1], kind);
    return (pieces < FULL_HANDS ? pieces : FULL_HANDS - 1) * phases / FULL_HANDS;
}
