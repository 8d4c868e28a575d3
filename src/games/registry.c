/* SPDX-License-Identifier: MIT */
/*
 * registry.c - the games there are: the library's, and those that the program has registered.
 *
 * The list of registered games is the only state of the library that belongs to the whole process.
 * It only grows, and an entry never changes once it is there, so readers need no lock.
 */
#include "games/checkers/checkers.h"
#include "games/fived/fived.h"
#include "games/gomoku/gomoku.h"
#include "games/neighbours/neighbours.h"
#include "games/shogi/shogi.h"
#include <stdatomic.h>
#include <string.h>

static const ply_game *const games[] = {
    &fived_game, &shogi_game, &checkers_game, &neighbours_game, &gomoku_game,
};

enum { BUILT_IN = sizeof games / sizeof games[0] };

static const ply_game *_Atomic registered[PLY_REGISTERED_GAMES];

const ply_game *ply_game_at(size_t i)
{
    if (i < BUILT_IN)
        return games[i];
    return i - BUILT_IN < PLY_REGISTERED_GAMES ? atomic_load(&registered[i - BUILT_IN]) : NULL;
}

size_t ply_game_count(void)
{
    size_t count = BUILT_IN;
    while (ply_game_at(count))
        count++;
    return count;
}

const ply_game *ply_game_find(const char *id)
{
    const ply_game *game;
    for (size_t i = 0; id && (game = ply_game_at(i)) != NULL; i++)
        if (strcmp(game->id, id) == 0)
            return game;
    return NULL;
}

/* Whether everything is there that game.h does not call optional. */
static bool is_complete(const ply_game *g)
{
    return g->id && g->id[0] && g->name && g->summary && g->player_names[0] && g->player_names[1] &&
           g->variants && g->variant_count > 0 && g->option_count <= PLY_OPTION_LIMIT && g->setup &&
           g->start && g->parse && g->format && g->moves && g->play && g->undo && g->side &&
           g->outcome && g->hash && g->compute_hash && g->format_move && g->parse_move;
}

ply_status ply_game_register(const ply_game *game)
{
    if (!game || !is_complete(game))
        return PLY_BAD_ARGUMENT;
    for (size_t i = 0; i < PLY_REGISTERED_GAMES; i++) {
        const ply_game *none = NULL;
        const ply_game *same = ply_game_find(game->id);
        if (same)
            return same == game ? PLY_OK : PLY_LIMIT;
        if (atomic_compare_exchange_strong(&registered[i], &none, game))
            return PLY_OK;
    }
    return PLY_LIMIT;
}
