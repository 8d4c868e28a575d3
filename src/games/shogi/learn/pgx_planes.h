/* SPDX-License-Identifier: MIT */
/*
 * pgx_planes.h - the observation of the Pgx environments for shogi, for the host and for devices.
 *
 * 119 planes of 9 x 9, each square 0 or 1, as the viewer sees the board. Kinds are in the order of
 * our own planes: P L N S B R G K, then promoted P L N S B R.
 *
 *       0-13   own pieces by kind
 *      14-27   squares that own pieces of the kind attack, their own side's squares included
 *      28-30   squares that at least 1, 2, 3 own pieces attack
 *      31-61   the same three groups for the opponent
 *      62-89   own hand: at least 1 to 8 pawns, 1 to 4 lances, knights, silvers and golds, 1 to 2
 *              bishops and rooks; each plane is all ones or zeros
 *      90-117  the same for the opponent
 *     118      all ones if the viewer is in check
 *
 * They are written as bits, plane after plane and row after row, because 9639 bits take an eighth of
 * the memory traffic of the bytes that they become.
 */
#ifndef PLY_GAMES_SHOGI_LEARN_PGX_PLANES_H
#define PLY_GAMES_SHOGI_LEARN_PGX_PLANES_H

#include "games/shogi/learn/action_mask.h"

enum {
    SHOGI_PGX_BITS = SHOGI_PGX_PLANES * SHOGI_AREA,
    SHOGI_PGX_WORDS = (SHOGI_PGX_BITS + 63) / 64,
    SHOGI_PGX_KINDS = 14,
};

PLY_HD void append_set(bit_stream *s, int viewer, shogi_set squares)
{
    packed_set packed = pack(viewer == SHOGI_BLACK ? squares : rotate(squares));
    append(s, packed.low, 64);
    append(s, packed.high, SHOGI_AREA - 64);
}

/* Planes that are all ones as long as they number at most `count`. */
PLY_HD void append_count(bit_stream *s, unsigned count, unsigned planes)
{
    for (unsigned i = 1; i <= planes; i++) {
        uint64_t bits = count >= i ? ~(uint64_t)0 : 0;
        append(s, bits, 64);
        append(s, bits >> (2 * 64 - SHOGI_AREA), SHOGI_AREA - 64);
    }
}

/* Pieces and attacks of one player. */
PLY_HD void append_army(bit_stream *s, const shogi_position *p, int player, int viewer)
{
    shogi_set occupied = p->colour[0] | p->colour[1], once = 0, twice = 0, thrice = 0;
    shogi_set pieces[SHOGI_PGX_KINDS], attacked[SHOGI_PGX_KINDS];
    for (int kind = 0; kind < SHOGI_PGX_KINDS; kind++)
        pieces[kind] = attacked[kind] = 0;
    for (int type = 0; type < SHOGI_TYPES; type++)
        for (shogi_set left = p->colour[player] & p->by_type[type]; left; left &= left - 1) {
            int square = set_first(left), code = p->board[square];
            int kind = (code & SHOGI_CODE_KIND) + (code & SHOGI_CODE_PROMOTED ? SHOGI_KINDS : 0);
            shogi_set reach = type_attacks(player, type, square, occupied);
            pieces[kind] |= set_of(square);
            attacked[kind] |= reach;
            thrice |= twice & reach;
            twice |= once & reach;
            once |= reach;
        }
    for (int kind = 0; kind < SHOGI_PGX_KINDS; kind++)
        append_set(s, viewer, pieces[kind]);
    for (int kind = 0; kind < SHOGI_PGX_KINDS; kind++)
        append_set(s, viewer, attacked[kind]);
    append_set(s, viewer, once);
    append_set(s, viewer, twice);
    append_set(s, viewer, thrice);
}

PLY_HD void append_hand(bit_stream *s, uint64_t hand)
{
    append_count(s, shogi_hand_count(hand, SHOGI_PAWN), 8);
    append_count(s, shogi_hand_count(hand, SHOGI_LANCE), 4);
    append_count(s, shogi_hand_count(hand, SHOGI_KNIGHT), 4);
    append_count(s, shogi_hand_count(hand, SHOGI_SILVER), 4);
    append_count(s, shogi_hand_count(hand, SHOGI_GOLD), 4);
    append_count(s, shogi_hand_count(hand, SHOGI_BISHOP), 2);
    append_count(s, shogi_hand_count(hand, SHOGI_ROOK), 2);
}

/* Writes SHOGI_PGX_WORDS words. */
PLY_HD void shogi_pgx_bits(const shogi_position *p, int viewer, uint64_t *bits)
{
    bit_stream s = {bits, 0, 0};
    append_army(&s, p, viewer, viewer);
    append_army(&s, p, !viewer, viewer);
    append_hand(&s, p->hand[viewer]);
    append_hand(&s, p->hand[!viewer]);
    append_count(&s, is_in_check(p, viewer), 1);
    *s.out = s.word;
}

#endif
