/* SPDX-License-Identifier: MIT */
/*
 * network.c - the features of a position for neural networks.
 *
 * A feature is a piece on a square, seen from the player's own side of the board: squares are
 * counted from the player's first row, and the board is turned by 180 degrees for White. A man on
 * the opponent's first row would be a king, which leaves 28 squares for men:
 *
 *       0 .. 27    own man on square i                 square 31 .. 28   the opponent's first row
 *      28 .. 55    enemy man on square i - 28 + 4             ...
 *      56 .. 87    own king on square i - 56           square  3 ..  0   the player's first row
 *      88 .. 119   enemy king on square i - 88
 *
 * All rule sets have the same features. A network learns how pieces move, so each combination of
 * the options that affect it has a family of its own; combinations without a name have none.
 */
#include "games/checkers/checkers.h"
#include <string.h>

enum {
    OWN_MEN = 0,
    MEN_SQUARES = CHECKERS_SQUARES - 4,
    ENEMY_MEN = OWN_MEN + MEN_SQUARES,
    OWN_KINGS = ENEMY_MEN + MEN_SQUARES,
    ENEMY_KINGS = OWN_KINGS + CHECKERS_SQUARES,
    FEATURES = ENEMY_KINGS + CHECKERS_SQUARES,
};

static const struct family {
    const char *variant, *name;
} families[] = {
    {"english", "checkers-english"},     {"russian", "checkers-russian"},
    {"brazilian", "checkers-brazilian"}, {"pool", "checkers-pool"},
    {"italian", "checkers-italian"},     {"spanish", "checkers-spanish"},
    {"czech", "checkers-czech"},         {"thai", "checkers-thai"},
};

/* Whether pieces move as in a variant. */
static bool moves_as_in(const ply_rules *rules, const ply_variant *variant)
{
    for (size_t i = CHECKERS_OPTION_KING; i <= CHECKERS_OPTION_LIFTING; i++)
        if (rules->option[i] != ply_variant_option(rules->game, variant, i))
            return false;
    return true;
}

const char *checkers_network_family(const ply_rules *rules)
{
    const ply_game *game = rules->game;
    for (size_t i = 0; i < game->variant_count; i++) {
        if (!moves_as_in(rules, &game->variants[i]))
            continue;
        for (size_t k = 0; k < sizeof families / sizeof families[0]; k++)
            if (strcmp(families[k].variant, game->variants[i].id) == 0)
                return families[k].name;
    }
    return NULL;
}

uint32_t checkers_feature_count(const ply_rules *rules)
{
    (void)rules;
    return FEATURES;
}

/* The colour of player 0 or 1. */
static int colour_of(const ply_rules *rules, int player)
{
    return player ^ rules->option[CHECKERS_OPTION_STARTS];
}

/* A piece on a square (by index), as seen by the player of colour `us`. */
static uint16_t feature_of(int us, int colour, int kind, int index)
{
    int square = us == CHECKERS_BLACK ? index : CHECKERS_SQUARES - 1 - index;
    if (kind == CHECKERS_KING)
        return (uint16_t)((colour == us ? OWN_KINGS : ENEMY_KINGS) + square);
    return (uint16_t)(colour == us ? OWN_MEN + square : ENEMY_MEN + square - 4);
}

size_t checkers_features(const ply_rules *rules, const void *position, int player, uint16_t *out)
{
    const checkers_position *p = position;
    int us = colour_of(rules, player);
    size_t count = 0;
    for (int colour = 0; colour < 2; colour++)
        for (int kind = 0; kind < 2; kind++)
            for (uint64_t b = p->board[colour][kind]; b; b &= b - 1)
                out[count++] = feature_of(us, colour, kind, checkers_index_of(ply_lowest(b)));
    return count;
}

bool checkers_feature_changes(const ply_rules *rules, const void *position, ply_move move,
                              int player, ply_feature_changes *out)
{
    const checkers_position *p = position;
    out->added_count = out->removed_count = 0;
    if (move == PLY_MOVE_NONE)
        return true;
    int us = colour_of(rules, player), colour = p->turn;
    int from = checkers_move_from(move), to = checkers_move_to(move);
    int kind = (p->board[colour][CHECKERS_KING] & checkers_square(from)) != 0;
    int kind_after = move & CHECKERS_MOVE_CROWN ? CHECKERS_KING : kind;
    if (from != to || kind != kind_after) {
        out->removed[out->removed_count++] = feature_of(us, colour, kind, from);
        out->added[out->added_count++] = feature_of(us, colour, kind_after, to);
    }
    for (uint32_t c = checkers_move_captured(move); c; c &= c - 1) {
        int index = ply_lowest(c);
        int captured_kind = (p->board[!colour][CHECKERS_KING] & checkers_square(index)) != 0;
        out->removed[out->removed_count++] = feature_of(us, !colour, captured_kind, index);
    }
    return true;
}

/* By the number of pieces. */
unsigned checkers_phase(const ply_rules *rules, const void *position, unsigned phases)
{
    (void)rules;
    unsigned pieces = (unsigned)ply_popcount(checkers_all_pieces(position));
    return pieces == 0 ? phases - 1
                       : (2 * CHECKERS_PIECES - pieces) * phases / (2 * CHECKERS_PIECES);
}
