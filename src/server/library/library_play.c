/* SPDX-License-Identifier: MIT */
/* library_play.c - a game in play: its tip, its clock, taking moves back, its end. See library.h. */
#include "server/library/library.h"

bool library_in_play(const library_game *game)
{
    return game->header.mode == LIBRARY_PLAY && game->header.result == PLY_ONGOING;
}

bool library_has_tip(const library_game *game)
{
    return game->header.mode == LIBRARY_PLAY || game->header.result != PLY_ONGOING;
}

bool library_is_above(const library_game *game, uint32_t node, uint32_t lower)
{
    while (lower > node)
        lower = game->record.nodes[lower].parent;
    return lower == node;
}

bool library_end(library_game *game, ply_result result, const char *ending, int64_t now)
{
    if (!library_set_text(&game->header.ending, result == PLY_ONGOING || !ending ? "" : ending))
        return false;
    game_clock_stop(&game->clock, now);
    game->header.result = result;
    if (game->header.mode == LIBRARY_ANALYSIS) {
        uint32_t last;
        library_main_line(game, &last);
        game->header.tip = last;
    }
    return true;
}

library_permission library_may_play(library_game *game, uint32_t node, int64_t now)
{
    if (game->header.mode == LIBRARY_ANALYSIS)
        return LIBRARY_MAY_PLAY;
    if (game->header.result != PLY_ONGOING)
        return LIBRARY_FINISHED;
    if (game_clock_expired(&game->clock, now)) {
        library_end(game, game->clock.running == 0 ? PLY_SECOND_WINS : PLY_FIRST_WINS, "time", now);
        return LIBRARY_OUT_OF_TIME;
    }
    return node == game->header.tip ? LIBRARY_MAY_PLAY : LIBRARY_NOT_TIP;
}

/* Stores the time spent on the last move: that of the turn, less its moves so far. */
static void record_time(library_game *game, uint32_t node, int64_t now)
{
    int mover = game->extra[node].side;
    int64_t spent = game_clock_elapsed(&game->clock, now);
    const ply_record_node *nodes = game->record.nodes;
    for (uint32_t n = nodes[node].parent; n && game->extra[n].side == mover; n = nodes[n].parent)
        spent -= nodes[n].millis > 0 ? nodes[n].millis : 0;
    game->record.nodes[node].millis = spent > 0 ? (int32_t)spent : 0;
}

ply_status library_continue(library *l, library_game *game, uint32_t node, size_t first_new,
                            int next, int64_t now, ply_error *error)
{
    ply_status status = PLY_OK;
    if (game->clock.used && node >= first_new)
        record_time(game, node, now);
    for (uint32_t n = node; n != game->header.tip && status == PLY_OK;
         n = game->record.nodes[n].parent) {
        if (game->record.nodes[game->record.nodes[n].parent].child == n)
            continue;
        library_promote(game, n);
        if (n < first_new)
            status = library_save_node(l, game, n, error);
    }
    game->header.tip = node;
    game_clock_press(&game->clock, game->extra[node].side, next, now);
    return status;
}

void library_take_back(library_game *game, uint32_t node, int next, int64_t now)
{
    game->header.tip = node;
    game_clock_take_back(&game->clock, next, now);
}
