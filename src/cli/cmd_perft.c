/* SPDX-License-Identifier: MIT */
/* cmd_perft.c - plyverse perft: counting variations. */
#include "cli/cli.h"
#include "core/clock.h"
#include "core/text/json_write.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The number of the mode that --count names; -1, with the error printed, if there is none. */
static int mode_number(const cli_args *args, const ply_game *game)
{
    const char *name = cli_value(args, "--count");
    if (!name)
        return 0;
    const char *const *modes = game->counting ? game->counting->modes : NULL;
    for (int i = 0; modes && modes[i]; i++)
        if (strcmp(modes[i], name) == 0)
            return i;
    cli_fail(args, "--count: %s has no mode '%s'; see plyverse games %s", game->id, name, game->id);
    return -1;
}

static void print_json(const cli_game *game, uint64_t depth, uint64_t nodes, double seconds,
                       const ply_perft_entry *entries, size_t entry_count)
{
    const ply_rules *rules = &game->rules;
    ply_text out = ply_text_growing();
    cli_json_open(rules, &out);
    ply_json_member_unsigned(&out, "depth", depth);
    ply_json_member_unsigned(&out, "nodes", nodes);
    ply_json_name(&out, "seconds");
    ply_json_real(&out, seconds);
    if (entries) {
        ply_json_name(&out, "divide");
        ply_json_open(&out, '{');
        for (size_t i = 0; i < entry_count; i++) {
            char text[PLY_MOVE_TEXT];
            ply_text move = ply_text_fixed(text, sizeof text);
            rules->game->format_move(rules, game->state.position, entries[i].move, &move);
            ply_json_member_unsigned(&out, text, entries[i].nodes);
        }
        ply_json_close(&out, '}');
    }
    ply_json_close(&out, '}');
    ply_text_char(&out, '\n');
    cli_print_text(&out);
}

static void print_plain(const cli_game *game, uint64_t nodes, const ply_perft_entry *entries,
                        size_t entry_count)
{
    const ply_rules *rules = &game->rules;
    for (size_t i = 0; entries && i < entry_count; i++) {
        char text[PLY_MOVE_TEXT];
        ply_text move = ply_text_fixed(text, sizeof text);
        rules->game->format_move(rules, game->state.position, entries[i].move, &move);
        printf("%s %" PRIu64 "\n", text, entries[i].nodes);
    }
    printf("nodes %" PRIu64 "\n", nodes);
}

int cli_perft(const cli_args *args)
{
    uint64_t depth, hash_mb, nodes = 0;
    ply_progress progress = {0};
    ply_perft_options options = {.progress = &progress};
    if (!cli_operand_number(args, 1, "DEPTH", 0, 100, &depth) ||
        !cli_threads(args, &options.threads) ||
        !cli_number(args, "--hash", 1, (uint64_t)1 << 24, 0, &hash_mb))
        return CLI_BAD;
    cli_game game;
    int result = cli_game_open(&game, args);
    if (result != CLI_OK)
        return result;
    options.hash_mb = (size_t)hash_mb;
    options.mode = mode_number(args, game.rules.game);
    ply_perft_entry *entries = NULL;
    size_t entry_count = 0;
    if (options.mode < 0)
        result = CLI_BAD;
    if (result == CLI_OK && hash_mb > 0 && game.rules.game->multi_move_turns)
        result = cli_fail(args, "--hash: not available for games that count turns");
    if (result == CLI_OK && cli_has(args, "--divide")) {
        entries = malloc(game.rules.max_moves * sizeof *entries);
        if (!entries)
            result = cli_fail(args, "out of memory");
    }
    if (result == CLI_OK) {
        uint64_t start = ply_clock_nanos();
        cli_progress *shown = cli_progress_start(args, &progress, "nodes");
        ply_status status =
            ply_perft(&game.state, (int)depth, &options, &nodes, entries, &entry_count);
        cli_progress_stop(shown);
        if (status == PLY_STOPPED) {
            cli_fail(args, "stopped");
            result = CLI_STOPPED;
        } else if (status != PLY_OK) {
            result = cli_fail(args, "%s", ply_status_text(status));
        } else if (cli_has(args, "--json")) {
            print_json(&game, depth, nodes, ply_clock_seconds_since(start), entries, entry_count);
        } else {
            print_plain(&game, nodes, entries, entry_count);
        }
    }
    free(entries);
    cli_game_close(&game);
    return result;
}
