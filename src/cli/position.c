/* SPDX-License-Identifier: MIT */
/* position.c - opening a game at the position given by the arguments. */
#include "cli/cli.h"
#include "cluster/cluster.h"
#include "core/text/json_write.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void cli_json_open(const ply_rules *rules, ply_text *out)
{
    char variant[256];
    ply_text name = ply_text_fixed(variant, sizeof variant);
    ply_rules_format(rules, &name);
    ply_json_open(out, '{');
    ply_json_member_string(out, "game", rules->game->id);
    ply_json_member_string(out, "variant", variant);
}

unsigned cli_draw_flags(void)
{
    const char *no_colour = getenv("NO_COLOR");
    return isatty(STDOUT_FILENO) && !(no_colour && no_colour[0]) ? PLY_DRAW_COLOUR : 0;
}

static int open_file(cli_game *game, const cli_args *args, const char *path)
{
    ply_record *records = NULL;
    size_t count = 0;
    int result = cli_read_records(args, &game->rules, path, NULL, &records, &count);
    if (!records)
        return result;
    ply_error error = {0};
    ply_state state;
    ply_status status = ply_record_final_state(&records[0], &state, &error);
    if (status == PLY_OK) {
        /* The state outlives the record, so it must refer to our copy of the rules. */
        ply_state_free(&game->state);
        game->rules = records[0].rules;
        game->state = state;
        game->state.rules = &game->rules;
    }
    cli_free_records(records, count);
    return status == PLY_OK ? CLI_OK : cli_fail_error(args, path, &error);
}

int cli_game_open(cli_game *game, const cli_args *args)
{
    ply_error error = {0};
    const ply_game *found = cli_find_game(args);
    if (!found)
        return CLI_BAD;
    if (ply_rules_make(&game->rules, found, cli_value(args, "--variant"), &error) != PLY_OK)
        return cli_fail_error(args, "--variant", &error);
    const char *position = cli_value(args, "--position"), *file = cli_value(args, "--file");
    const char *moves = cli_value(args, "--moves");
    if (position && file)
        return cli_fail(args, "--position and --file cannot be used together");
    ply_status status = ply_state_init(&game->state, &game->rules);
    if (status != PLY_OK)
        return cli_fail(args, "%s", ply_status_text(status));
    int result = CLI_OK;
    if (position && ply_state_parse(&game->state, position, strlen(position), &error) != PLY_OK)
        result = cli_fail_error(args, "--position", &error);
    if (file)
        result = open_file(game, args, file);
    if (result == CLI_OK && moves &&
        ply_state_play_text(&game->state, moves, strlen(moves), &error) != PLY_OK)
        result = cli_fail_error(args, "--moves", &error);
    if (!cli_all_ready(args, result == CLI_OK)) {
        cli_game_close(game);
        return CLI_BAD;
    }
    return result;
}

int cli_game_open_second(cli_game *game, const cli_args *args)
{
    cli_args shifted = *args;
    shifted.operands[0] = args->operands[1];
    return cli_game_open(game, &shifted);
}

void cli_game_close(cli_game *game)
{
    ply_state_free(&game->state);
}

bool cli_all_ready(const cli_args *args, bool ready)
{
    bool all = cluster_agree(ready ? PLY_OK : PLY_IO, NULL) == PLY_OK;
    if (ready && !all)
        cli_fail(args, "another rank could not read or write its files");
    return all;
}

bool cli_is_shared(const cli_args *args)
{
    return cluster_ranks() > 1 || cli_has(args, "--journal");
}

void cli_game_describe(const cli_game *game, ply_text *out)
{
    ply_text_format(out, "game %s\nrules ", game->rules.game->id);
    ply_rules_format(&game->rules, out);
    ply_text_string(out, "\nposition ");
    game->rules.game->format(&game->rules, game->state.position, out);
    ply_text_char(out, '\n');
}
