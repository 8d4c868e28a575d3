/* SPDX-License-Identifier: MIT */
/* registry.c - the games there are. Adding one is adding a line here. */
#include "games/checkers/checkers.h"
#include "games/fived/fived.h"
#include "games/gomoku/gomoku.h"
#include "games/neighbours/neighbours.h"
#include "games/shogi/shogi.h"
#include <string.h>

static const ply_game *const games[] = {
    &fived_game, &shogi_game, &checkers_game, &neighbours_game, &gomoku_game,
};

size_t ply_game_count(void)
{
    return sizeof games / sizeof games[0];
}

const ply_game *ply_game_at(size_t i)
{
    return i < ply_game_count() ? games[i] : NULL;
}

const ply_game *ply_game_find(const char *id)
{
    for (size_t i = 0; i < ply_game_count(); i++)
        if (strcmp(games[i]->id, id) == 0)
            return games[i];
    return NULL;
}
