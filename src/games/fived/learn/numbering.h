/* SPDX-License-Identifier: MIT */
/* numbering.h - moves as action numbers and back, for the host and for devices; see learning.h. */
#ifndef PLY_GAMES_FIVED_LEARN_NUMBERING_H
#define PLY_GAMES_FIVED_LEARN_NUMBERING_H

#include "games/fived/learn/learning.h"
#include <stdlib.h>

/* The kinds that pawns promote to, in the order of their labels. */
enum { PROMOTION_KINDS = 8 };
PLY_HD int promotion_kind(int i)
{
    const uint8_t order[PROMOTION_KINDS] = {FIVED_QUEEN,  FIVED_ROOK,       FIVED_BISHOP,
                                            FIVED_KNIGHT, FIVED_PRINCESS,   FIVED_UNICORN,
                                            FIVED_DRAGON, FIVED_COMMON_KING};
    return order[i];
}

/* --- labels ----------------------------------------------------------------------------------- */
PLY_HD uint32_t label_count(const ply_rules *rules)
{
    int option = rules->option[FIVED_OPTION_PROMOTION];
    int kinds = option ? ply_popcount((uint64_t)option) : PROMOTION_KINDS;
    return (uint32_t)(FIVED_PROMOTIONS + FIVED_PROMOTION_STEPS * (kinds - 1));
}

/* A timeline as the player sees it; its own inverse. */
PLY_HD int relative_l(const fived_position *p, int viewer, int l)
{
    return !viewer ? l : p->even ? -1 - l : -l;
}

PLY_HD int relative_y(const fived_position *p, int viewer, int y)
{
    return viewer ? p->height - 1 - y : y;
}

/* A step in x, y, t and l as the player sees it. */
typedef struct step4 {
    int at[4];
} step4;

PLY_HD bool is_knight_jump(const step4 *s, int *two, int *one)
{
    int twos = 0, ones = 0, others = 0;
    for (int i = 0; i < 4; i++) {
        int length = abs(s->at[i]);
        if (length == 2) {
            twos++;
            *two = i;
        } else if (length == 1) {
            ones++;
            *one = i;
        } else {
            others += length != 0;
        }
    }
    return twos == 1 && ones == 1 && others == 0;
}

/* The label of a step, without promotions; -1 if it has none. */
PLY_HD int step_label(const step4 *s)
{
    int two = 0, one = 0, distance = 0;
    if (is_knight_jump(s, &two, &one))
        return FIVED_SLIDE_LABELS + (two * 3 + (one > two ? one - 1 : one)) * 4 +
               (s->at[two] > 0) * 2 + (s->at[one] > 0);
    for (int i = 0; i < 4; i++)
        distance = abs(s->at[i]) > distance ? abs(s->at[i]) : distance;
    if (distance > FIVED_REACH || distance == 0)
        return -1;
    int code = 0;
    for (int i = 3; i >= 0; i--) {
        if (s->at[i] != 0 && abs(s->at[i]) != distance)
            return -1;
        code = 3 * code + 1 + (s->at[i] > 0) - (s->at[i] < 0);
    }
    return (code > 40 ? code - 1 : code) * FIVED_REACH + distance - 1;
}

/* The step of a label below FIVED_PROMOTIONS. */
PLY_HD step4 label_step(int label)
{
    step4 s = {{0}};
    if (label >= FIVED_SLIDE_LABELS) {
        int jump = label - FIVED_SLIDE_LABELS, two = jump / 12, one = jump / 4 % 3;
        s.at[two] = jump & 2 ? 2 : -2;
        s.at[one >= two ? one + 1 : one] = jump & 1 ? 1 : -1;
        return s;
    }
    int code = label / FIVED_REACH, distance = label % FIVED_REACH + 1;
    code += code >= 40;
    for (int i = 0; i < 4; i++, code /= 3)
        s.at[i] = (code % 3 - 1) * distance;
    return s;
}

/* The rank of a kind among those the position allows; -1: not allowed. */
PLY_HD int promotion_rank(const fived_position *p, int kind)
{
    int rank = 0;
    for (int i = 0; i < PROMOTION_KINDS; i++) {
        if (promotion_kind(i) == kind)
            return p->promotions >> kind & 1 ? rank : -1;
        rank += p->promotions >> promotion_kind(i) & 1;
    }
    return -1;
}

PLY_HD fived_kind promotion_at(const fived_position *p, int rank)
{
    for (int i = 0; i < PROMOTION_KINDS; i++)
        if ((p->promotions >> promotion_kind(i) & 1) && rank-- == 0)
            return (fived_kind)promotion_kind(i);
    return FIVED_NONE;
}

/* --- actions ---------------------------------------------------------------------------------- */
PLY_HD uint32_t action_of(const ply_rules *rules, const fived_position *p, ply_move move)
{
    uint32_t labels = label_count(rules);
    if (move == FIVED_SUBMIT)
        return FIVED_SLOTS * 64 * labels;
    fived_location from = fived_move_from(move), to = fived_move_to(move);
    int slot = relative_l(p, p->side, from.l) + FIVED_MIDDLE, sign = p->side ? -1 : 1;
    step4 s = {{to.x - from.x, sign * (to.y - from.y), to.t - from.t, sign * (to.l - from.l)}};
    int label = step_label(&s);
    if (slot < 0 || slot >= FIVED_SLOTS || label < 0)
        return PLY_ACTION_NONE;
    int kind = (int)fived_move_promotion(move), rank = kind ? promotion_rank(p, kind) : 0;
    if (rank > 0)
        label = FIVED_PROMOTIONS + FIVED_PROMOTION_STEPS * (rank - 1) + (s.at[0] + 1) +
                3 * (s.at[2] + 1) + 9 * (s.at[3] + 1);
    if (rank < 0 || (uint32_t)label >= labels)
        return PLY_ACTION_NONE;
    int square = from.x + 8 * relative_y(p, p->side, from.y);
    return (uint32_t)(slot * 64 + square) * labels + (uint32_t)label;
}

/* The move of a legal action; of any other, some move or PLY_MOVE_NONE. */
PLY_HD ply_move move_of(const ply_rules *rules, const fived_position *p, uint32_t action)
{
    uint32_t labels = label_count(rules);
    if (action == FIVED_SLOTS * 64 * labels)
        return FIVED_SUBMIT;
    int label = (int)(action % labels), place = (int)(action / labels), rank = 0;
    int l = relative_l(p, p->side, place / 64 - FIVED_MIDDLE), sign = p->side ? -1 : 1, t, c;
    if (l < p->lo || l > p->hi)
        return PLY_MOVE_NONE;
    step4 s;
    if (label >= FIVED_PROMOTIONS) {
        int step = (label - FIVED_PROMOTIONS) % FIVED_PROMOTION_STEPS;
        rank = 1 + (label - FIVED_PROMOTIONS) / FIVED_PROMOTION_STEPS;
        const step4 steps = {{step % 3 - 1, 1, step / 3 % 3 - 1, step / 9 - 1}};
        s = steps;
    } else {
        s = label_step(label);
    }
    fived_v_to_tc(fived_position_timeline(p, l)->end, &t, &c);
    fived_location from = {l, t, place % 8, relative_y(p, p->side, place % 64 / 8)};
    fived_location to = {l + sign * s.at[3], t + s.at[2], from.x + s.at[0],
                         from.y + sign * s.at[1]};
    const fived_board *board = fived_position_board(p, l, fived_position_timeline(p, l)->end);
    int last = p->side ? 0 : p->height - 1;
    if (!board || from.y < 0 || from.y >= p->height)
        return PLY_MOVE_NONE;
    fived_kind kind = fived_piece_kind(board->square[from.x + 8 * from.y]);
    bool promotes = (fived_kind_sets[kind] >> FIVED_PAWNS & 1) && to.y == last;
    return fived_move_make(from, to, promotes ? (int)promotion_at(p, rank) : 0);
}

/* --- masks ------------------------------------------------------------------------------------ */
/* Sets the bits of moves in a mask and counts them. */
typedef struct mask_writer {
    const ply_rules *rules;
    const fived_position *position;
    uint64_t *bits;
    size_t count;
} mask_writer;

/* Returns the number of the move's action, PLY_ACTION_NONE if it has none. */
PLY_HD uint32_t mask_writer_add(mask_writer *w, ply_move move)
{
    uint32_t number = action_of(w->rules, w->position, move);
    if (number != PLY_ACTION_NONE) {
        w->bits[number / 64] |= (uint64_t)1 << number % 64;
        w->count++;
    }
    return number;
}

#endif
