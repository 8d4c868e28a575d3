/* SPDX-License-Identifier: MIT */
/* cmd_random.c - plyverse random: random games, their speed, lengths and results. */
#include "cli/cli.h"
#include "cluster/cluster.h"
#include "core/clock.h"
#include "core/text/json_write.h"
#include <inttypes.h>
#include <stdio.h>

static void print_json(const cli_game *game, const ply_playout_totals *t, uint64_t seed,
                       double seconds)
{
    ply_text out = ply_text_growing();
    char signature[20];
    snprintf(signature, sizeof signature, "%016" PRIx64, t->signature);
    cli_json_open(&game->rules, &out);
    ply_json_member_unsigned(&out, "seed", seed);
    ply_json_member_unsigned(&out, "games", t->games);
    ply_json_member_unsigned(&out, "plies", t->plies);
    ply_json_name(&out, "plies_per_second");
    ply_json_real(&out, seconds > 0 ? (double)t->plies / seconds : 0);
    ply_json_member_unsigned(&out, "shortest", t->shortest);
    ply_json_member_unsigned(&out, "longest", t->longest);
    ply_json_member_unsigned(&out, "first", t->results[PLY_FIRST_WINS]);
    ply_json_member_unsigned(&out, "second", t->results[PLY_SECOND_WINS]);
    ply_json_member_unsigned(&out, "draw", t->results[PLY_DRAW]);
    ply_json_member_unsigned(&out, "unfinished", t->results[PLY_ONGOING]);
    ply_json_member_string(&out, "signature", signature);
    ply_json_close(&out, '}');
    ply_text_char(&out, '\n');
    cli_print_text(&out);
}

static void print_plain(const ply_playout_totals *t, double seconds)
{
    printf("games %" PRIu64 "\nplies %" PRIu64 "\nplies/s %.0f\nlength %zu to %zu\n", t->games,
           t->plies, seconds > 0 ? (double)t->plies / seconds : 0, t->shortest, t->longest);
    printf("results first %" PRIu64 " second %" PRIu64 " draw %" PRIu64 " unfinished %" PRIu64 "\n",
           t->results[PLY_FIRST_WINS], t->results[PLY_SECOND_WINS], t->results[PLY_DRAW],
           t->results[PLY_ONGOING]);
    printf("signature %016" PRIx64 "\n", t->signature);
}

static void add_part(void *context, const uint64_t *values)
{
    ply_playout_add(context, values);
}

/* ply_playouts together with other ranks, or with a journal. *totals are right on rank 0. */
static ply_status play_shared(const cli_args *args, const cli_game *game,
                              ply_playout_options *options, ply_playout_totals *totals,
                              ply_error *error)
{
    ply_text header = ply_text_growing();
    ply_text_format(&header, "random seed %" PRIu64 " games %" PRIu64 " max-plies %zu\n",
                    options->seed, options->games, options->max_plies);
    cli_game_describe(game, &header);
    cluster_parts *parts;
    ply_playout_totals own;
    *totals = (ply_playout_totals){0};
    ply_status status =
        cluster_parts_open(&parts, cli_value(args, "--journal"), ply_text_cstr(&header),
                           PLY_PLAYOUT_VALUES, add_part, totals, error);
    ply_text_free(&header);
    if (status != PLY_OK)
        return status;
    options->parts = cluster_parts_dealer(parts);
    status = ply_playouts(&game->state, options, &own);
    if (status != PLY_OK)
        ply_error_set(error, status, "%s", ply_status_text(status));
    return cluster_parts_close(parts, status, error);
}

int cli_random(const cli_args *args)
{
    uint64_t max_plies;
    ply_progress progress = {0};
    ply_playout_options options = {.progress = &progress};
    if (!cli_number(args, "--games", 1, UINT32_MAX, 1000, &options.games) ||
        !cli_number(args, "--seed", 0, UINT64_MAX, 1, &options.seed) ||
        !cli_number(args, "--max-plies", 1, 10000000, 0, &max_plies) ||
        !cli_threads(args, &options.threads))
        return CLI_BAD;
    options.max_plies = (size_t)max_plies;
    cli_game game;
    int result = cli_game_open(&game, args);
    if (result != CLI_OK)
        return result;
    ply_playout_totals totals;
    uint64_t start = ply_clock_nanos();
    cli_progress *shown = cli_progress_start(args, &progress, "plies");
    ply_error error = {0};
    ply_status status = cli_is_shared(args) ? play_shared(args, &game, &options, &totals, &error)
                                            : ply_playouts(&game.state, &options, &totals);
    cli_progress_stop(shown);
    double seconds = ply_clock_seconds_since(start);
    if (status == PLY_STOPPED) {
        cli_fail(args, cli_has(args, "--journal") ? "stopped; the same command continues from here"
                                                  : "stopped");
        result = CLI_STOPPED;
    } else if (status != PLY_OK) {
        result = cli_fail(args, "%s", error.message[0] ? error.message : ply_status_text(status));
    } else if (cli_has(args, "--json")) {
        print_json(&game, &totals, options.seed, seconds);
    } else {
        print_plain(&totals, seconds);
    }
    cli_game_close(&game);
    return result;
}
