/* SPDX-License-Identifier: MIT */
/*
 * kernel_isa.c - move generation, counting, perft and random games, compiled once per instruction
 * set.
 *
 * Each function is written for one colour and compiled for both, so that steps and zones are
 * compile-time constants.
 */
#include "games/shogi/rules/checks.h"
#include "games/shogi/rules/random_moves.h"
#include "games/shogi/rules/two_ply_perft.h"

SHOGI_INLINE size_t list_groups(const move_group *groups, size_t n, ply_move *out)
{
    ply_move *at = out;
    for (size_t i = 0; i < n; i++) {
        const move_group *g = &groups[i];
        for (uint64_t s = set_low(g->to); s; s &= s - 1)
            *at++ = group_move(g, ply_lowest(s));
        for (uint64_t s = set_high(g->to); s; s &= s - 1)
            *at++ = group_move(g, 64 + ply_lowest(s));
    }
    return (size_t)(at - out);
}

static size_t make_groups_of(const shogi_position *p, int mode, move_group *groups)
{
    if (mode == SHOGI_SIMPLE)
        return p->side == SHOGI_BLACK ? make_groups_inline(p, SHOGI_BLACK, SHOGI_SIMPLE, groups)
                                      : make_groups_inline(p, SHOGI_WHITE, SHOGI_SIMPLE, groups);
    return make_groups(p, p->side, groups);
}

static size_t checks(const shogi_position *p, ply_move *out)
{
    check_group groups[MAX_GROUPS];
    size_t n = make_checks(p, p->side, 0, groups);
    size_t total = 0;
    for (size_t i = 0; i < n; i++)
        total += list_groups(&groups[i].moves, 1, out + total);
    return total;
}

static unsigned evasions(const shogi_position *p, unsigned limit)
{
    return evasions_of(p, p->side, limit);
}

static void attacker_counts(const shogi_position *p, int square, unsigned counts[2])
{
    shogi_set occupied = p->colour[0] | p->colour[1];
    for (int colour = 0; colour < 2; colour++)
        counts[colour] = set_count(attackers_of(p, colour, square, occupied));
}

static ply_move mate_in_one(shogi_position *p)
{
    return p->side == SHOGI_BLACK ? find_mate_in_one(p, SHOGI_BLACK)
                                  : find_mate_in_one(p, SHOGI_WHITE);
}

static size_t moves(const shogi_position *p, int mode, ply_move *out)
{
    if (mode == SHOGI_TSUME)
        return checks(p, out);
    move_group groups[MAX_GROUPS];
    return list_groups(groups, make_groups_of(p, mode, groups), out);
}

/* The groups without drops; those that do not promote are reduced to captures. */
static size_t noisy(const shogi_position *p, ply_move *out)
{
    move_group groups[MAX_GROUPS];
    shogi_position empty_handed = *p;
    empty_handed.hand[p->side] = 0;
    size_t n = make_groups(&empty_handed, p->side, groups);
    for (size_t i = 0; i < n; i++)
        /* The promotion bit of base, with or without a small step added or subtracted. */
        if (!((groups[i].base + SHOGI_MOVE_PROMOTE / 2) & SHOGI_MOVE_PROMOTE))
            groups[i].to &= p->colour[!p->side];
    return list_groups(groups, n, out);
}

static size_t count(const shogi_position *p)
{
    return count_legal_of(p, p->side);
}

static ply_move nth_of_groups(const move_group *groups, size_t k)
{
    const move_group *g = groups;
    for (unsigned n; k >= (n = set_count(g->to)); g++)
        k -= n;
    return group_move(g, set_nth(g->to, (unsigned)k));
}

static ply_move nth(const shogi_position *p, size_t k)
{
    move_group groups[MAX_GROUPS];
    make_groups_of(p, SHOGI_STANDARD, groups);
    return nth_of_groups(groups, k);
}

/* --- perft ---------------------------------------------------------------------------------- */
static uint64_t perft_white(shogi_position *p, int depth);

SHOGI_INLINE uint64_t perft_colour(shogi_position *p, int us, int depth,
                                   uint64_t (*next)(shogi_position *, int))
{
    if (depth == 1)
        return count_legal_of(p, us);
    if (depth == 2)
        return count_replies(p, us);
    move_group groups[MAX_GROUPS];
    size_t n = make_groups(p, us, groups);
    uint64_t total = 0;
    for (size_t i = 0; i < n; i++)
        for (shogi_set to = groups[i].to; to; to &= to - 1) {
            unsigned move = group_move(&groups[i], set_first(to));
            int captured = play_move(p, us, move, false);
            total += next(p, depth - 1);
            undo_move(p, us, move, captured, false);
        }
    return total;
}

static uint64_t perft_black(shogi_position *p, int depth)
{
    return perft_colour(p, SHOGI_BLACK, depth, perft_white);
}

static uint64_t perft_white(shogi_position *p, int depth)
{
    return perft_colour(p, SHOGI_WHITE, depth, perft_black);
}

static uint64_t perft(shogi_position *p, int depth)
{
    return p->side == SHOGI_BLACK ? perft_black(p, depth) : perft_white(p, depth);
}

/* --- perft by playing every move ------------------------------------------------------------ */
static uint64_t visit_white(shogi_position *p, int depth);

SHOGI_INLINE uint64_t visit_colour(shogi_position *p, int us, int depth,
                                   uint64_t (*next)(shogi_position *, int))
{
    move_group groups[MAX_GROUPS];
    size_t n = make_groups(p, us, groups);
    uint64_t total = 0, board_key = p->board_key, hand_key = p->hand_key;
    for (size_t i = 0; i < n; i++)
        for (shogi_set to = groups[i].to; to; to &= to - 1) {
            unsigned move = group_move(&groups[i], set_first(to));
            int captured = play_move(p, us, move, true);
            total += depth > 1 ? next(p, depth - 1) : 1;
            undo_move(p, us, move, captured, true);
            p->board_key = board_key;
            p->hand_key = hand_key;
        }
    return total;
}

static uint64_t visit_black(shogi_position *p, int depth)
{
    return visit_colour(p, SHOGI_BLACK, depth, visit_white);
}

static uint64_t visit_white(shogi_position *p, int depth)
{
    return visit_colour(p, SHOGI_WHITE, depth, visit_black);
}

static uint64_t perft_visit(shogi_position *p, int depth)
{
    return p->side == SHOGI_BLACK ? visit_black(p, depth) : visit_white(p, depth);
}

extern const shogi_kernels PLY_ISA(shogi_kernels_of);
const shogi_kernels PLY_ISA(shogi_kernels_of) = {
    .moves = moves,
    .noisy = noisy,
    .count = count,
    .nth = nth,
    .evasions = evasions,
    .attacker_counts = attacker_counts,
    .mate_in_one = mate_in_one,
    .perft = perft,
    .perft_visit = perft_visit,
    .playout = playout,
};
