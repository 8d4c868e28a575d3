/* SPDX-License-Identifier: MIT */
/*
 * games.c - prints games of our players for independent programs to judge: games GAME GAMES SEED.
 *
 * One line per move. shogi: SFEN|MOVE in USI. checkers: TURN and the four bitboards before, FROM,
 * TO, captured squares, and the four bitboards after, in hexadecimal by square index; a '!' in front
 * if the piece returns to its first square (see tests/oracle/checkers).
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

/* Whether a capture returns to its first square. */
typedef struct return_check {
    ply_move move;
    bool returns;
} return_check;

static void check_path(void *context, const checkers_path *path)
{
    return_check *check = context;
    for (int i = 1; path->move == check->move && i < path->count; i++)
        check->returns = check->returns || path->square[i] == path->square[0];
}

static bool show_checkers(void *context, const ply_state *state, ply_move move)
{
    (void)context;
    const checkers_position *p = state->position;
    checkers_position child = *p;
    checkers_undo_info undo;
    return_check check = {.move = move};
    state->rules->game->play(state->rules, &child, move, &undo);
    checkers_visit_captures(state->rules, p, check_path, &check);
    printf("%s%d", check.returns ? "!" : "", p->turn);
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
