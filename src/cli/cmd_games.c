/* SPDX-License-Identifier: MIT */
/* cmd_games.c - plyverse games: the list of games, and the details of one. */
#include "cli/cli.h"
#include "core/text/json_write.h"
#include "record/game_json.h"
#include <stdio.h>

static void json_entry(const char *id, const char *name, const char *text, ply_text *out)
{
    ply_json_open(out, '{');
    ply_json_member_string(out, "id", id);
    ply_json_member_string(out, name, text);
    ply_json_close(out, '}');
}

static void json_game(const ply_game *game, ply_text *out)
{
    ply_json_open(out, '{');
    ply_game_json_names(game, out);
    ply_json_name(out, "variants");
    ply_json_open(out, '[');
    for (size_t i = 0; i < game->variant_count; i++)
        json_entry(game->variants[i].id, "name", game->variants[i].name, out);
    ply_json_close(out, ']');
    ply_game_json_options(game, out);
    ply_json_name(out, "counts");
    ply_json_open(out, '[');
    const char *const *modes = game->counting ? game->counting->modes : NULL;
    for (size_t i = 0; modes && modes[i]; i++)
        ply_json_string(out, modes[i]);
    ply_json_close(out, ']');
    ply_json_name(out, "modes");
    ply_json_open(out, '[');
    for (size_t i = 0; i < game->move_mode_count; i++)
        json_entry(game->move_modes[i].id, "help", game->move_modes[i].help, out);
    ply_json_close(out, ']');
    ply_json_name(out, "goals");
    ply_json_open(out, '[');
    const ply_goal *goal;
    for (size_t i = 0; (goal = ply_goal_at(game, i)) != NULL; i++)
        json_entry(goal->id, "help", goal->help, out);
    ply_json_close(out, ']');
    ply_game_json_formats(game, out);
    ply_game_json_level_elo(game, out);
    ply_json_close(out, '}');
}

static void print_option(const ply_option *option)
{
    printf("  option   %s=", option->name);
    if (option->names)
        for (int32_t i = option->low; i <= option->high; i++)
            printf("%s%s", i > option->low ? "|" : "", option->names[i]);
    else
        printf("%d..%d", option->low, option->high);
    printf("  %s\n", option->help);
}

static void print_game(const ply_game *game, bool all)
{
    printf("%-11s %s: %s\n", game->id, game->name, game->summary);
    if (!all)
        return;
    for (size_t i = 0; i < game->variant_count; i++)
        printf("  variant  %s  %s\n", game->variants[i].id, game->variants[i].name);
    for (size_t i = 0; i < game->option_count; i++)
        print_option(&game->options[i]);
    const char *const *modes = game->counting ? game->counting->modes : NULL;
    for (size_t i = 0; modes && modes[i]; i++)
        printf("  count    %s\n", modes[i]);
    for (size_t i = 0; i < game->move_mode_count; i++)
        printf("  mode     %s  %s\n", game->move_modes[i].id, game->move_modes[i].help);
    const ply_goal *goal;
    for (size_t i = 0; (goal = ply_goal_at(game, i)) != NULL; i++)
        printf("  goal     %s  %s\n", goal->id, goal->help);
    const ply_format *format;
    for (size_t i = 0; (format = ply_format_at(game, i)) != NULL; i++)
        printf("  format   %s  %s%s%s\n", format->id, format->name, format->read ? ", read" : "",
               format->write ? ", write" : "");
    for (int i = 0; game->search && game->search->levels && i < PLY_LEVEL_FULL; i++)
        printf("  level    %d  about %d Elo\n", i + 1, game->search->levels[i].elo);
}

int cli_games(const cli_args *args)
{
    const ply_game *only = NULL;
    if (args->operand_count > 0) {
        only = cli_find_game(args);
        if (!only)
            return CLI_BAD;
    }
    ply_text out = ply_text_growing();
    bool json = cli_has(args, "--json");
    if (json)
        ply_json_open(&out, '[');
    for (size_t i = 0; i < ply_game_count(); i++) {
        if (only && ply_game_at(i) != only)
            continue;
        if (json)
            json_game(ply_game_at(i), &out);
        else
            print_game(ply_game_at(i), only != NULL);
    }
    if (json) {
        ply_json_close(&out, ']');
        ply_text_char(&out, '\n');
    }
    cli_print_text(&out);
    return CLI_OK;
}
