/* SPDX-License-Identifier: MIT */
/*
 * random_moves.h - random games in which every legal move is equally likely.
 *
 * A player who is not in check draws from the pseudo-legal moves, which ignore pins and the safety
 * of the king's target square, and draws again if the move is not legal. So only one move is
 * examined, and all legal moves stay equally likely. A player who is in check, or who has drawn
 * illegal moves many times in a row, draws from the list of legal moves instead; that does not
 * change the probabilities. Whether a move gives check is determined when it is played.
 */
#ifndef PLY_GAMES_SHOGI_RULES_RANDOM_MOVES_H
#define PLY_GAMES_SHOGI_RULES_RANDOM_MOVES_H

#include "games/shogi/rules/make_move.h"
#include "games/shogi/rules/move_groups.h"
#include <stdlib.h>
#include <string.h>

/*
 * A filter of the positions seen so far, one bit per hashed key. A position whose bit is clear is
 * new; only if the bit is set is the undo stack searched for a repetition.
 */
enum { FILTER_BITS = 15, UNDO_ENTRIES_ON_STACK = 1024, MAX_DRAWS = 24 };

typedef struct random_game {
    shogi_position p;
    bool in_check;  /* the player to move is in check */
    bool has_kings; /* both kings are on the board; if not, moves come from the legal list */
    size_t plies, capacity;
    shogi_undo_info *undo_stack;
    uint64_t filter[(1 << FILTER_BITS) / 64];
    shogi_undo_info first[UNDO_ENTRIES_ON_STACK];
} random_game;

/* Adds a key; returns whether its bit was set before. */
static bool filter_add(uint64_t *filter, uint64_t key)
{
    uint64_t *word = &filter[key >> (64 - FILTER_BITS + 6)];
    uint64_t bit = (uint64_t)1 << ((key >> (64 - FILTER_BITS)) & 63);
    bool was_set = (*word & bit) != 0;
    *word |= bit;
    return was_set;
}

/* Games of more than UNDO_ENTRIES_ON_STACK plies are rare; only they use the heap. */
static bool grow_undo_stack(random_game *g)
{
    size_t bytes = g->capacity * sizeof(shogi_undo_info);
    shogi_undo_info *undo_stack = malloc(bytes * 4);
    if (!undo_stack)
        return false;
    memcpy(undo_stack, g->undo_stack, bytes);
    if (g->undo_stack != g->first)
        free(g->undo_stack);
    g->undo_stack = undo_stack;
    g->capacity *= 4;
    return true;
}

/* --- drawing -------------------------------------------------------------------------------- */
/* The slider of `them` that attacks `square` from direction d, given the occupied squares; or 0. */
SHOGI_INLINE shogi_set slider_along(const shogi_position *p, int them, int square, int d,
                                    shogi_set occupied)
{
    bool straight = 0x5A >> d & 1; /* directions 1, 3, 4, 6 */
    shogi_set sliders = straight ? p->by_type[SHOGI_ROOK] | p->by_type[SHOGI_DRAGON]
                                 : p->by_type[SHOGI_BISHOP] | p->by_type[SHOGI_HORSE];
    /* A lance attacks forwards, so it stands behind the square as seen by its owner. */
    if (d == (them == SHOGI_BLACK ? 6 : 1))
        sliders |= p->by_type[SHOGI_LANCE];
    sliders &= p->colour[them] & shogi_rays[d][square];
    return sliders ? sliders & slide(occupied, d, square) : 0;
}

/* Whether a pseudo-legal move of a player who is not in check is legal. */
SHOGI_INLINE bool is_legal(const shogi_position *p, int us, unsigned move)
{
    int to = shogi_move_to(move), from = shogi_move_from(move), king = shogi_king(p, us);
    shogi_set occupied = p->colour[0] | p->colour[1];
    if (move & SHOGI_MOVE_DROP)
        return move != (SHOGI_MOVE_DROP | SHOGI_PAWN | (unsigned)to << 7) ||
               to + forward_of(us) != shogi_king(p, !us) || !pawn_drop_mates(p, us, to);
    if (from == king)
        return !is_attacked(p, !us, to, occupied ^ set_of(king));
    int d = shogi_direction[king][from];
    return d == SHOGI_DIRECTIONS ||
           !(slider_along(p, !us, king, d, (occupied & ~set_of(from)) | set_of(to)) & ~set_of(to));
}

/* Move number k of the groups; below[i] is the number of moves before group i. */
SHOGI_INLINE unsigned pick_move(const move_group *groups, size_t n, const unsigned *below,
                                unsigned k)
{
    /* The last group that begins at or before k, found by summing comparisons: no branches. */
    unsigned at = 0;
    for (size_t i = 1; i < n; i++)
        at += below[i] <= k;
    return group_move(&groups[at], set_nth(groups[at].to, k - below[at]));
}

/* Fills in below[] and returns the total number of moves. */
SHOGI_INLINE unsigned number_groups(const move_group *groups, size_t n, unsigned *below)
{
    unsigned total = 0;
    for (size_t i = 0; i < n; i++) {
        below[i] = total;
        total += set_count(groups[i].to);
    }
    return total;
}

/* A random move from the list of legal ones, or 0 if there is none. */
static __attribute__((noinline)) unsigned draw_legal(const shogi_position *p, int us, ply_rng *rng)
{
    move_group groups[MAX_GROUPS];
    unsigned below[MAX_GROUPS];
    size_t n = make_groups(p, us, groups);
    unsigned total = number_groups(groups, n, below);
    return total ? pick_move(groups, n, below, ply_rng_below(rng, total)) : 0;
}

/* The pseudo-legal moves: all legal moves, and some that pins or attacks on the king forbid. */
SHOGI_INLINE size_t make_pseudo_legal_groups(const shogi_position *p, int us, move_group *groups)
{
    shogi_set own = p->colour[us], occupied = own | p->colour[!us];
    shogi_set target = SHOGI_BOARD_SET & ~own;
    int king = shogi_king(p, us);
    move_group *at = add_group(groups, shogi_pseudo_attacks[us][SHOGI_KING][king] & target, king,
                               FACTOR_FIXED_ORIGIN);
    at = add_steps(at, p, us, own, target);
    at = add_slides(at, p, us, own, target, occupied);
    at = add_drops(at, p, us, SHOGI_SIMPLE, SHOGI_BOARD_SET & ~occupied);
    return (size_t)(at - groups);
}

/* A random legal move of `us`, or 0 if there is none. */
SHOGI_INLINE unsigned draw_move(const random_game *g, int us, ply_rng *rng)
{
    const shogi_position *p = &g->p;
    if (g->in_check || !g->has_kings)
        return draw_legal(p, us, rng);
    move_group groups[MAX_GROUPS];
    unsigned below[MAX_GROUPS];
    size_t n = make_pseudo_legal_groups(p, us, groups);
    unsigned total = number_groups(groups, n, below);
    for (int i = 0; i < MAX_DRAWS && total; i++) {
        unsigned move = pick_move(groups, n, below, ply_rng_below(rng, total));
        if (is_legal(p, us, move))
            return move;
    }
    return draw_legal(p, us, rng);
}

/* --- playing -------------------------------------------------------------------------------- */
/* Plays a move of `us` and determines whether it gives check. */
SHOGI_INLINE void random_play(random_game *g, int us, unsigned move)
{
    shogi_position *p = &g->p;
    shogi_undo_info *undo = &g->undo_stack[g->plies++];
    undo->board_key = p->board_key;
    undo->hand_key = p->hand_key;
    undo->move = (uint16_t)move;
    int from = shogi_move_from(move), to = shogi_move_to(move);
    undo->captured = (uint8_t)play_move(p, us, move, true);
    int king = shogi_king(p, !us);
    if (!g->has_kings)
        return;
    shogi_set occupied = p->colour[0] | p->colour[1];
    g->in_check = set_has(shogi_pseudo_attacks[us][shogi_code_type(p->board[to])][to], king) &&
                  !(squares_between_any(king, to) & occupied);
    if (move & SHOGI_MOVE_DROP)
        return;
    if (shogi_direction[king][from] < SHOGI_DIRECTIONS)
        g->in_check |= slider_along(p, us, king, shogi_direction[king][from], occupied) != 0;
}

/* Plays one ply. False if the game is over or memory has run out. */
SHOGI_INLINE bool random_ply(const ply_rules *rules, random_game *g, int us, ply_rng *rng,
                             ply_outcome *outcome)
{
    shogi_position *p = &g->p;
    /* The same order as in shogi_outcome. In most positions this test is quick. */
    int impasse = rules->option[SHOGI_OPTION_IMPASSE];
    if (impasse == SHOGI_IMPASSE_TRY ||
        (impasse != SHOGI_IMPASSE_NONE &&
         (p->by_type[SHOGI_KING] & p->colour[us] & last_ranks(us, 3)))) {
        *outcome = shogi_impasse_outcome(rules, p);
        if (outcome->result != PLY_ONGOING)
            return false;
    }
    unsigned move = draw_move(g, us, rng);
    if (move == 0) {
        *outcome = ply_outcome_win(!us, shogi_in_check(p, us) ? "mate" : "no-move");
        return false;
    }
    if (filter_add(g->filter, p->board_key + p->hand_key)) {
        *outcome = shogi_fourfold_outcome(p, g->undo_stack, g->plies);
        if (outcome->result != PLY_ONGOING)
            return false;
    }
    int32_t limit = rules->option[SHOGI_OPTION_PLIES];
    if (limit > 0 && p->ply > (uint32_t)limit) {
        *outcome = (ply_outcome){PLY_DRAW, "ply-limit"};
        return false;
    }
    if (g->plies == g->capacity && !grow_undo_stack(g))
        return false;
    random_play(g, us, move);
    return true;
}

static __attribute__((noinline)) bool random_black(const ply_rules *rules, random_game *g,
                                                   ply_rng *rng, ply_outcome *outcome)
{
    return random_ply(rules, g, SHOGI_BLACK, rng, outcome);
}

static __attribute__((noinline)) bool random_white(const ply_rules *rules, random_game *g,
                                                   ply_rng *rng, ply_outcome *outcome)
{
    return random_ply(rules, g, SHOGI_WHITE, rng, outcome);
}

static void random_begin(random_game *g, const shogi_position *position)
{
    memset(g->filter, 0, sizeof g->filter);
    g->p = *position;
    g->undo_stack = g->first;
    g->capacity = UNDO_ENTRIES_ON_STACK;
    g->plies = 0;
    g->has_kings = set_count(position->by_type[SHOGI_KING]) == 2;
    g->in_check = shogi_in_check(position, position->side);
}

static size_t playout(const ply_rules *rules, shogi_position *position, ply_rng *rng,
                      size_t max_plies, ply_outcome *outcome)
{
    random_game g;
    random_begin(&g, position);
    *outcome = (ply_outcome){PLY_ONGOING, NULL};
    while (g.plies < max_plies && (g.p.side == SHOGI_BLACK ? random_black(rules, &g, rng, outcome)
                                                           : random_white(rules, &g, rng, outcome)))
        ;
    if (g.plies == max_plies)
        *outcome = shogi_outcome(rules, &g.p, g.undo_stack, g.plies);
    if (g.undo_stack != g.first)
        free(g.undo_stack);
    *position = g.p;
    return g.plies;
}

#endif
