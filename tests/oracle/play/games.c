/* SPDX-License-Identifier: MIT */
/*
 * games.c - what our players play, for programs of others to judge: games.c GAME GAMES SEED.
 *
 * One line a move. shogi: SFEN|MOVE in USI. checkers: TURN and the four boards before, FROM, TO,
 * captured squares, and the four boards after, in hexadecimal by square index; a '!' in front where
 * the piece comes back to its first square (see tests/oracle/checkers).
 */
#include "games/checkers/checkers.h"
#include "support/selfplay.h"
#include <inttypes.h>
#include <string.h>

static bool show_shogi(void *context, const ply_state *state, ply_move move)
{
    (void)context;
    ply_text line = ply_text_growing();
    state->rules->game->format(state->rules, state->position, &line);
    ply_text_char(&line, '|');
    state->rules->game->format_move(state->rules, state->position, move, &line);
    puts(ply_text_cstr(&line));
    ply_text_free(&line);
    return true;
}

static void print_boards(const checkers_position *p)
{
    printf(" %" PRIx32 " %" PRIx32 " %" PRIx32 " %" PRIx32, checkers_pack(p->black_men),
           checkers_pack(p->black_kings), checkers_pack(p->white_men),
           checkers_pack(p->white_kings));
}

typedef struct lookout {
    ply_move move;
    bool returns;
} lookout;

static void see_path(void *context, const checkers_path *path)
{
    lookout *s = context;
    for (int i = 1; path->move == s->move && i < path->count; i++)
        s->returns = s->returns || path->square[i] == path->square[0];
}

static bool show_checkers(void *context, const ply_state *state, ply_move move)
{
    (void)context;
    const checkers_position *p = state->position;
    checkers_position child = *p;
    checkers_undo_info record;
    lookout s = {.move = move};
    state->rules->game->play(state->rules, &child, move, &record);
    checkers_visit_captures(state->rules, p, see_path, &s);
    printf("%s%d", s.returns ? "!" : "", p->turn);
    print_boards(p);
    printf(" | %d %d %" PRIx32, checkers_move_from(move), checkers_move_to(move),
           checkers_move_captured(move));
    print_boards(&child);
    putchar('\n');
    return true;
}

int main(int argc, char **argv)
{
    ply_rules rules;
    const ply_game *game = argc == 4 ? ply_game_find(argv[1]) : NULL;
    if (!game || ply_rules_make(&rules, game, NULL, NULL) != PLY_OK)
        return 2;
    uint64_t games = strtoull(argv[2], NULL, 10), seed = strtoull(argv[3], NULL, 10);
    selfplay_judge *show = strcmp(argv[1], "shogi") == 0 ? show_shogi : show_checkers;
    for (uint64_t g = 0; g < games; g++)
        if (selfplay_game(&rules, seed, g, 200, show, NULL) < 0)
            return 1;
    return 0;
}
