/* SPDX-License-Identifier: MIT */
/* cmd_show.c - plyverse show and plyverse moves: a position and its legal moves. */
#include "cli/cli.h"
#include "core/text/json_write.h"
#include "model/variation.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Opens the object with the members that both commands print. */
static void json_open(const cli_game *game, ply_text *out)
{
    const ply_rules *rules = &game->rules;
    const void *position = game->state.position;
    char key[20];
    ply_text text = ply_text_growing();
    rules->game->format(rules, position, &text);
    snprintf(key, sizeof key, "%016" PRIx64, rules->game->hash(rules, position));
    ply_outcome outcome = ply_state_outcome(&game->state);
    cli_json_open(rules, out);
    ply_json_member_string(out, "position", ply_text_cstr(&text));
    ply_json_member_unsigned(out, "side", (uint64_t)rules->game->side(rules, position));
    ply_json_member_unsigned(out, "plies", game->state.plies);
    ply_json_member_string(out, "hash", key);
    ply_json_member_string(out, "result", ply_result_name(outcome.result));
    ply_json_name(out, "reason");
    if (outcome.reason)
        ply_json_string(out, outcome.reason);
    else
        ply_json_null(out);
    ply_text_free(&text);
}

static void json_moves(const cli_game *game, const ply_move *moves, size_t count, ply_text *out)
{
    ply_json_name(out, "moves");
    ply_json_open(out, '[');
    for (size_t i = 0; i < count; i++) {
        char name[PLY_MOVE_TEXT];
        ply_text text = ply_text_fixed(name, sizeof name);
        game->rules.game->format_move(&game->rules, game->state.position, moves[i], &text);
        ply_json_string(out, name);
    }
    ply_json_close(out, ']');
}

static void print_outcome(const cli_game *game)
{
    ply_outcome outcome = ply_state_outcome(&game->state);
    if (outcome.result != PLY_ONGOING)
        printf("result %s %s\n", ply_result_name(outcome.result), outcome.reason);
}

int cli_show(const cli_args *args)
{
    cli_game game;
    int result = cli_game_open(&game, args);
    if (result != CLI_OK)
        return result;
    const ply_rules *rules = &game.rules;
    ply_text out = ply_text_growing();
    ply_move last = game.state.plies ? game.state.moves[game.state.plies - 1] : PLY_MOVE_NONE;
    if (cli_has(args, "--json")) {
        json_open(&game, &out);
        if (rules->display->json) {
            ply_json_name(&out, "board");
            ply_json_open(&out, '{');
            rules->display->json(rules, game.state.position, &out);
            ply_json_close(&out, '}');
        }
        ply_json_close(&out, '}');
        ply_text_char(&out, '\n');
        cli_print_text(&out);
    } else {
        ply_game_draw(rules, game.state.position, last, cli_draw_flags(), &out);
        ply_text_string(&out, "position ");
        rules->game->format(rules, game.state.position, &out);
        ply_text_char(&out, '\n');
        cli_print_text(&out);
        print_outcome(&game);
    }
    cli_game_close(&game);
    return CLI_OK;
}

/* The mode that --mode names; NULL without one. False, with the error printed, if there is none. */
static bool find_mode(const cli_args *args, const ply_game *game, const ply_move_mode **mode)
{
    const char *name = cli_value(args, "--mode");
    *mode = NULL;
    for (size_t i = 0; name && i < game->move_mode_count; i++)
        if (strcmp(game->move_modes[i].id, name) == 0)
            *mode = &game->move_modes[i];
    if (!name || *mode)
        return true;
    if (game->move_mode_count == 0)
        cli_fail(args, "--mode: %s has no modes of listing moves", game->id);
    else
        cli_fail(args, "--mode: %s has no mode '%s'; see plyverse games %s", game->id, name,
                 game->id);
    return false;
}

int cli_moves(const cli_args *args)
{
    cli_game game;
    int result = cli_game_open(&game, args);
    if (result != CLI_OK)
        return result;
    const ply_rules *rules = &game.rules;
    const ply_move_mode *mode;
    if (!find_mode(args, rules->game, &mode)) {
        cli_game_close(&game);
        return CLI_BAD;
    }
    ply_move *moves = malloc(rules->max_moves * sizeof(ply_move));
    if (!moves) {
        cli_game_close(&game);
        return cli_fail(args, "out of memory");
    }
    size_t count = mode ? mode->moves(rules, game.state.position, moves)
                        : rules->game->moves(rules, game.state.position, moves);
    ply_text out = ply_text_growing(), notes = ply_text_growing();
    if (rules->display->notes)
        rules->display->notes(rules, game.state.position, &notes);
    if (cli_has(args, "--json")) {
        json_open(&game, &out);
        if (mode)
            ply_json_member_string(&out, "mode", mode->id);
        json_moves(&game, moves, count, &out);
        ply_json_member_string(&out, "notes", ply_text_cstr(&notes));
        ply_json_close(&out, '}');
        ply_text_char(&out, '\n');
    } else {
        for (size_t i = 0; i < count; i++) {
            rules->game->format_move(rules, game.state.position, moves[i], &out);
            ply_text_char(&out, '\n');
        }
        ply_text_string(&out, ply_text_cstr(&notes));
        ply_text_format(&out, "moves %zu\n", count);
    }
    cli_print_text(&out);
    ply_text_free(&notes);
    free(moves);
    cli_game_close(&game);
    return CLI_OK;
}
