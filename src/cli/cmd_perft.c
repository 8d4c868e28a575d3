/* SPDX-License-Identifier: MIT */
/* cmd_perft.c - plyverse perft: counting variations. */
#include "cli/cli.h"
#include "cluster/cluster.h"
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

/* The counts of all parts, wherever and whenever they were counted. */
typedef struct shared_counts {
    uint64_t *nodes; /* by entry */
    size_t room;
} shared_counts;

static void add_part(void *context, const uint64_t *values)
{
    shared_counts *counts = context;
    if (values[0] < counts->room)
        counts->nodes[values[0]] += values[1];
}

/* ply_perft together with other ranks, or with a journal. *nodes and entries are right on rank 0. */
static ply_status count_shared(const cli_args *args, const cli_game *game, uint64_t depth,
                               ply_perft_options *options, uint64_t *nodes,
                               ply_perft_entry *entries, size_t *entry_count, ply_error *error)
{
    shared_counts counts = {.room = game->rules.max_moves};
    counts.nodes = calloc(counts.room + 1, sizeof *counts.nodes);
    if (!counts.nodes)
        return ply_error_set(error, PLY_NO_MEMORY, "out of memory");
    ply_text header = ply_text_growing();
    ply_text_format(&header, "perft depth %" PRIu64 " mode %d\n", depth, options->mode);
    cli_game_describe(game, &header);
    cluster_parts *parts;
    ply_status status = cluster_parts_open(&parts, cli_value(args, "--journal"),
                                           ply_text_cstr(&header), 2, add_part, &counts, error);
    ply_text_free(&header);
    if (status == PLY_OK) {
        options->parts = cluster_parts_dealer(parts);
        status = ply_perft(&game->state, (int)depth, options, nodes, entries, entry_count);
        if (status != PLY_OK)
            ply_error_set(error, status, "%s", ply_status_text(status));
        status = cluster_parts_close(parts, status, error);
    }
    *nodes = 0;
    for (size_t i = 0; entries && i < *entry_count; i++) {
        entries[i].nodes = counts.nodes[i];
        *nodes += counts.nodes[i];
    }
    free(counts.nodes);
    return status;
}

/* Counts, and prints the result. entries: room for one per move, or NULL if not needed. */
static int count(const cli_args *args, const cli_game *game, uint64_t depth,
                 const ply_perft_options *given, ply_perft_entry *entries)
{
    uint64_t nodes = 0, start = ply_clock_nanos();
    size_t entry_count = 0;
    ply_error error = {0};
    ply_perft_options options = *given;
    options.error = &error;
    cli_progress *shown = cli_progress_start(args, options.progress, "nodes");
    ply_status status =
        cli_is_shared(args) && depth > 0
            ? count_shared(args, game, depth, &options, &nodes, entries, &entry_count, &error)
            : ply_perft(&game->state, (int)depth, &options, &nodes, entries, &entry_count);
    cli_progress_stop(shown);
    if (status == PLY_STOPPED) {
        cli_fail(args, cli_has(args, "--journal") ? "stopped; the same command continues from here"
                                                  : "stopped");
        return CLI_STOPPED;
    }
    if (status != PLY_OK)
        return cli_fail(args, "%s", error.message[0] ? error.message : ply_status_text(status));
    if (!cli_has(args, "--divide"))
        entries = NULL;
    if (cli_has(args, "--json"))
        print_json(game, depth, nodes, ply_clock_seconds_since(start), entries, entry_count);
    else
        print_plain(game, nodes, entries, entry_count);
    return CLI_OK;
}

int cli_perft(const cli_args *args)
{
    uint64_t depth, hash_mb;
    ply_progress progress = {0};
    ply_perft_options options = {.progress = &progress};
    if (!cli_operand_number(args, 1, "DEPTH", 0, 100, &depth) ||
        !cli_threads(args, &options.threads) ||
        !cli_number(args, "--hash", 1, (uint64_t)1 << 24, 0, &hash_mb))
        return CLI_BAD;
    const char *device = cli_value(args, "--device");
    if (device && strcmp(device, "cpu") != 0 && strcmp(device, "cuda") != 0)
        return cli_fail(args, "--device: '%s' is neither cpu nor cuda", device);
    options.device = device && strcmp(device, "cuda") == 0 ? PLY_DEVICE_CUDA : PLY_DEVICE_CPU;
    if (options.device != PLY_DEVICE_CPU && (hash_mb > 0 || cli_is_shared(args)))
        return cli_fail(args, "--device cuda: not with --hash, --journal or several processes");
    cli_game game;
    int result = cli_game_open(&game, args);
    if (result != CLI_OK)
        return result;
    options.hash_mb = (size_t)hash_mb;
    options.mode = mode_number(args, game.rules.game);
    ply_perft_entry *entries = NULL;
    if (options.mode < 0)
        result = CLI_BAD;
    if (result == CLI_OK && hash_mb > 0 && game.rules.game->multi_move_turns)
        result = cli_fail(args, "--hash: not available for games that count turns");
    if (result == CLI_OK && (cli_has(args, "--divide") || cli_is_shared(args))) {
        entries = malloc(game.rules.max_moves * sizeof *entries);
        if (!entries)
            result = cli_fail(args, "out of memory");
    }
    if (result == CLI_OK)
        result = count(args, &game, depth, &options, entries);
    free(entries);
    cli_game_close(&game);
    return result;
}
