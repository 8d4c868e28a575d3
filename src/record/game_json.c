/* SPDX-License-Identifier: MIT */
/* game_json.c - a game's description as JSON; see game_json.h. */
#include "record/game_json.h"
#include "core/text/json_write.h"

void ply_game_json_pair(const char *name, const char *first, const char *second, ply_text *out)
{
    ply_json_name(out, name);
    ply_json_open(out, '[');
    ply_json_string(out, first);
    ply_json_string(out, second);
    ply_json_close(out, ']');
}

void ply_game_json_names(const ply_game *game, ply_text *out)
{
    ply_json_member_string(out, "id", game->id);
    ply_json_member_string(out, "name", game->name);
    ply_json_member_string(out, "summary", game->summary);
    ply_game_json_pair("players", game->player_names[0], game->player_names[1], out);
}

static void write_option(const ply_option *option, ply_text *out)
{
    ply_json_open(out, '{');
    ply_json_member_string(out, "name", option->name);
    ply_json_member_string(out, "help", option->help);
    if (option->names) {
        ply_json_name(out, "values");
        ply_json_open(out, '[');
        for (int32_t i = option->low; i <= option->high; i++)
            ply_json_string(out, option->names[i]);
        ply_json_close(out, ']');
    } else {
        ply_json_member_signed(out, "low", option->low);
        ply_json_member_signed(out, "high", option->high);
    }
    ply_json_member_signed(out, "fallback", option->default_value);
    ply_json_close(out, '}');
}

void ply_game_json_options(const ply_game *game, ply_text *out)
{
    ply_json_name(out, "options");
    ply_json_open(out, '[');
    for (size_t i = 0; i < game->option_count; i++)
        write_option(&game->options[i], out);
    ply_json_close(out, ']');
}

void ply_game_json_formats(const ply_game *game, ply_text *out)
{
    const ply_format *format;
    ply_json_name(out, "formats");
    ply_json_open(out, '[');
    for (size_t i = 0; (format = ply_format_at(game, i)) != NULL; i++) {
        ply_json_open(out, '{');
        ply_json_member_string(out, "id", format->id);
        ply_json_member_string(out, "name", format->name);
        ply_json_member_string(out, "extension", format->extension);
        ply_json_member_bool(out, "read", format->read != NULL);
        ply_json_member_bool(out, "write", format->write != NULL);
        ply_json_close(out, '}');
    }
    ply_json_close(out, ']');
}

void ply_game_json_level_elo(const ply_game *game, ply_text *out)
{
    ply_json_name(out, "level_elo");
    ply_json_open(out, '[');
    for (int i = 0; game->search && game->search->levels && i < PLY_LEVEL_FULL; i++)
        ply_json_signed(out, game->search->levels[i].elo);
    ply_json_close(out, ']');
}
