/* SPDX-License-Identifier: MIT */
/*
 * network.c - the features of a position for neural networks.
 *
 * A feature is a piece on a square with a number of neighbours, 0 to 8, which is how far it moves.
 * The player's first row is row 1: for Black the board is turned upside down.
 *
 *     feature = (enemy piece ? 324 : 0) + square * 9 + neighbours            648 features
 */
#include "games/neighbours/neighbours.h"

enum { COUNTS = 9, OWN_FEATURES = NEIGHBOURS_SQUARES * COUNTS, FEATURES = 2 * OWN_FEATURES };

const char *neighbours_network_family(const ply_rules *rules)
{
    return rules->option[NEIGHBOURS_OPTION_PATH] == NEIGHBOURS_JUMP ? "neighbours-jump"
                                                                    : "neighbours-slide";
}

uint32_t neighbours_feature_count(const ply_rules *rules)
{
    (void)rules;
    return FEATURES;
}

/* The pieces of a player and of the opponent. */
typedef struct player_view {
    uint64_t own, enemy;
} player_view;

static player_view view_of(const neighbours_position *p, int player)
{
    return p->side == player ? (player_view){p->current, p->next}
                             : (player_view){p->next, p->current};
}

/* The feature of the piece that stands on a square. */
static uint16_t feature_at(const player_view *view, int player, int square)
{
    int row = square / NEIGHBOURS_SIDE, file = square % NEIGHBOURS_SIDE;
    int seen = (player == 0 ? row : NEIGHBOURS_SIDE - 1 - row) * NEIGHBOURS_SIDE + file;
    return (uint16_t)((neighbours_get(view->own, square) ? 0 : OWN_FEATURES) + seen * COUNTS +
                      neighbours_count_at(view->own | view->enemy, square));
}

size_t neighbours_features(const ply_rules *rules, const void *position, int player, uint16_t *out)
{
    (void)rules;
    player_view view = view_of(position, player);
    size_t count = 0;
    for (uint64_t b = view.own | view.enemy; b; b &= b - 1)
        out[count++] = feature_at(&view, player, ply_lowest(b));
    return count;
}

/* Only pieces on the two squares of the move and next to them can change. */
bool neighbours_feature_changes(const ply_rules *rules, const void *position, ply_move move,
                                int player, ply_feature_changes *out)
{
    (void)rules;
    const neighbours_position *p = position;
    out->added_count = out->removed_count = 0;
    if (move == PLY_MOVE_NONE)
        return true;
    int from = neighbours_move_from(move), to = neighbours_move_to(move);
    player_view before = view_of(p, player), after = before;
    uint64_t *mover = p->side == player ? &after.own : &after.enemy;
    uint64_t *other = p->side == player ? &after.enemy : &after.own;
    *mover = neighbours_move(*mover, from, to);
    *other &= ~ply_bit(to);
    uint64_t near =
        neighbours_adjacent[from] | neighbours_adjacent[to] | ply_bit(from) | ply_bit(to);
    uint64_t pieces_before = before.own | before.enemy, pieces_after = after.own | after.enemy;
    for (uint64_t b = (pieces_before | pieces_after) & near; b; b &= b - 1) {
        int square = ply_lowest(b);
        bool was = neighbours_get(pieces_before, square), is = neighbours_get(pieces_after, square);
        uint16_t old = was ? feature_at(&before, player, square) : 0;
        uint16_t new = is ? feature_at(&after, player, square) : 0;
        if (was && is && old == new)
            continue;
        if (was)
            out->removed[out->removed_count++] = old;
        if (is)
            out->added[out->added_count++] = new;
    }
    return true;
}

/* By the number of pieces. */
unsigned neighbours_phase(const ply_rules *rules, const void *position, unsigned phases)
{
    (void)rules;
    const neighbours_position *p = position;
    unsigned pieces = (unsigned)ply_popcount(p->current | p->next);
    return pieces == 0 ? phases - 1
                       : (2 * NEIGHBOURS_PIECES - pieces) * phases / (2 * NEIGHBOURS_PIECES);
}
