/* SPDX-License-Identifier: MIT */
/*
 * cmd_bench.c - plyverse bench: speed, and a signature of the behaviour.
 *
 * For each game: perft from the start to the first depth with half a million nodes, on one thread
 * and on several; random games; a search on one thread and on several. The signature hashes what
 * was counted, played and found, not how long it took, so it is the same on every machine until the
 * behaviour changes. It is also the same for every instruction set, which --isa all checks.
 */
#include "cli/cli.h"
#include "core/clock.h"
#include "core/hash.h"
#include "core/isa.h"
#include "core/text/json_write.h"
#include "core/text/progress_text.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PERFT_NODES = 500000, PERFT_DEPTH_LIMIT = 12, GAMES = 16, GAME_PLIES = 200 };
enum { SEARCH_NODES = 1000, SEARCH_MILLIS = 300, SEARCH_MEMORY_MB = 16 };
static const double least_seconds = 0.2; /* shorter measurements are repeated */

typedef struct measurement {
    const ply_game *game;
    const char *network; /* see ply_search_options */
    int depth;
    uint64_t nodes, signature;
    double perft_rate, threaded_rate, play_rate, search_rate, threaded_search; /* per second */
} measurement;

/* Nodes per second, the best of `repeat` measurements; 0 on failure. */
static double perft_rate(const ply_state *state, int depth, unsigned threads, uint64_t repeat)
{
    ply_perft_options options = {.threads = threads};
    double best = 0;
    for (uint64_t i = 0; i < repeat; i++) {
        uint64_t start = ply_clock_nanos(), counted = 0;
        double seconds;
        do {
            uint64_t nodes;
            if (ply_perft(state, depth, &options, &nodes, NULL, NULL) != PLY_OK)
                return 0;
            counted += nodes;
            seconds = ply_clock_seconds_since(start);
        } while (seconds < least_seconds);
        if ((double)counted / seconds > best)
            best = (double)counted / seconds;
    }
    return best;
}

/* Plies per second of random games; the first few games go into the signature. */
static ply_status measure_games(measurement *m, const ply_state *state, bool first)
{
    ply_playout_options options = {.games = GAMES, .seed = 1, .max_plies = GAME_PLIES};
    ply_playout_totals totals;
    double seconds;
    do {
        uint64_t start = ply_clock_nanos();
        ply_status status = ply_playouts(state, &options, &totals);
        if (status != PLY_OK)
            return status;
        seconds = ply_clock_seconds_since(start);
        if (first && options.games == GAMES)
            m->signature = ply_mix64(m->signature + totals.signature);
        options.games *= 2;
    } while (seconds < least_seconds);
    double rate = (double)totals.plies / seconds;
    m->play_rate = rate > m->play_rate ? rate : m->play_rate;
    return PLY_OK;
}

/* Nodes per second of a search from the start; a short search goes into the signature. */
static ply_status measure_search(measurement *m, const ply_state *state, unsigned threads,
                                 bool first)
{
    ply_search_options options = {
        .memory_mb = SEARCH_MEMORY_MB, .threads = threads, .network = m->network};
    ply_search_limits by_nodes = {.nodes = SEARCH_NODES}, by_time = {.millis = SEARCH_MILLIS};
    ply_search_report report;
    ply_searcher *searcher = ply_searcher_new(state->rules, &options);
    if (!searcher)
        return PLY_NO_MEMORY;
    ply_status status = PLY_OK;
    if (first) {
        status = ply_searcher_run(searcher, state, &by_nodes, NULL, NULL, &report);
        if (status == PLY_OK)
            m->signature = ply_mix64(m->signature + ply_mix64(report.pv[0].moves[0]) +
                                     report.nodes + (uint64_t)report.depth);
    }
    if (status == PLY_OK)
        status = ply_searcher_run(searcher, state, &by_time, NULL, NULL, &report);
    if (status == PLY_OK) {
        double rate = (double)report.nodes / report.seconds;
        double *best = threads > 1 ? &m->threaded_search : &m->search_rate;
        *best = rate > *best ? rate : *best;
    }
    ply_searcher_free(searcher);
    return status;
}

static int measure(const cli_args *args, measurement *m, unsigned threads, uint64_t repeat)
{
    ply_rules rules;
    ply_state state;
    if (ply_rules_make(&rules, m->game, NULL, NULL) != PLY_OK ||
        ply_state_init(&state, &rules) != PLY_OK)
        return cli_fail(args, "%s: out of memory", m->game->id);
    m->network = cli_value(args, "--net");
    ply_perft_options one = {.threads = 1};
    ply_status status = PLY_OK;
    while (status == PLY_OK && m->nodes < PERFT_NODES && m->depth < PERFT_DEPTH_LIMIT) {
        status = ply_perft(&state, ++m->depth, &one, &m->nodes, NULL, NULL);
        m->signature = ply_mix64(m->signature + m->nodes);
    }
    m->perft_rate = perft_rate(&state, m->depth, 1, repeat);
    m->threaded_rate = threads > 1 ? perft_rate(&state, m->depth, threads, repeat) : 0;
    for (uint64_t i = 0; i < repeat && status == PLY_OK; i++) {
        status = measure_games(m, &state, i == 0);
        if (status == PLY_OK)
            status = measure_search(m, &state, 1, i == 0);
        if (status == PLY_OK && threads > 1)
            status = measure_search(m, &state, threads, false);
    }
    ply_state_free(&state);
    return status == PLY_OK ? CLI_OK
                            : cli_fail(args, "%s: %s", m->game->id, ply_status_text(status));
}

static void print_rate(double rate, const char *unit)
{
    char number[32];
    ply_text text = ply_text_fixed(number, sizeof number);
    ply_progress_number(rate, &text);
    printf("  %8s%s", number, unit);
}

static void print_json(const measurement *m, unsigned threads, ply_text *out)
{
    char signature[20];
    snprintf(signature, sizeof signature, "%016" PRIx64, m->signature);
    ply_json_open(out, '{');
    ply_json_member_string(out, "game", m->game->id);
    ply_json_member_string(out, "isa", ply_isa_name(ply_isa_level()));
    ply_json_member_unsigned(out, "depth", (uint64_t)m->depth);
    ply_json_member_unsigned(out, "nodes", m->nodes);
    ply_json_name(out, "perft_per_second");
    ply_json_real(out, m->perft_rate);
    ply_json_member_unsigned(out, "threads", threads);
    ply_json_name(out, "perft_per_second_threaded");
    ply_json_real(out, m->threaded_rate);
    ply_json_name(out, "random_plies_per_second");
    ply_json_real(out, m->play_rate);
    ply_json_name(out, "search_nodes_per_second");
    ply_json_real(out, m->search_rate);
    ply_json_name(out, "search_nodes_per_second_threaded");
    ply_json_real(out, m->threaded_search);
    ply_json_member_string(out, "signature", signature);
    ply_json_close(out, '}');
}

/* Whether the network serves every game that is measured. */
static bool check_network(const cli_args *args, const ply_game *only)
{
    ply_rules rules;
    const char *network;
    for (size_t i = 0; i < ply_game_count(); i++)
        if ((!only || only == ply_game_at(i)) &&
            (ply_rules_make(&rules, ply_game_at(i), NULL, NULL) != PLY_OK ||
             !cli_network_find(args, &rules, &network)))
            return false;
    return true;
}

/* Measures the games at the level in use. json: where the objects go, or NULL for a table. */
static int bench_level(const cli_args *args, const ply_game *only, unsigned threads,
                       uint64_t repeat, ply_text *json, uint64_t *signature)
{
    char threaded[32];
    snprintf(threaded, sizeof threaded, "%u threads", threads);
    if (!json)
        printf("%-11s %5s  %10s  %10s  %10s  %10s  %10s\n", "game", "perft", "1 thread", threaded,
               "random", "search", threaded);
    *signature = 0;
    for (size_t i = 0; i < ply_game_count(); i++) {
        measurement m = {.game = ply_game_at(i)};
        if (only && m.game != only)
            continue;
        int result = measure(args, &m, threads, repeat);
        if (result != CLI_OK)
            return result;
        *signature = ply_mix64(*signature + m.signature);
        if (json) {
            print_json(&m, threads, json);
            continue;
        }
        printf("%-11s %5d", m.game->id, m.depth);
        print_rate(m.perft_rate, "/s");
        print_rate(threads > 1 ? m.threaded_rate : m.perft_rate, "/s");
        print_rate(m.play_rate, "/s");
        print_rate(m.search_rate, "/s");
        print_rate(threads > 1 ? m.threaded_search : m.search_rate, "/s");
        putchar('\n');
        fflush(stdout);
    }
    if (!json)
        printf("instructions %s\nsignature %016" PRIx64 "\n", ply_isa_name(ply_isa_level()),
               *signature);
    return CLI_OK;
}

int cli_bench(const cli_args *args)
{
    unsigned threads;
    uint64_t repeat, signature = 0, first_signature = 0;
    if (!cli_threads_from(args, cli_cores(), &threads) ||
        !cli_number(args, "--repeat", 1, 1000, 3, &repeat))
        return CLI_BAD;
    const char *isa = cli_value(args, "--isa");
    bool all = isa && strcmp(isa, "all") == 0;
    if (isa && !all && !cli_use_isa(args, "--isa", isa))
        return CLI_BAD;
    const ply_game *only = args->operand_count > 0 ? cli_find_game(args) : NULL;
    if ((args->operand_count > 0 && !only) || !check_network(args, only))
        return CLI_BAD;
    ply_text out = ply_text_growing(), *json = cli_has(args, "--json") ? &out : NULL;
    if (json)
        ply_json_open(json, '[');
    int result = CLI_OK, low = all ? PLY_ISA_PLAIN : ply_isa_level();
    int high = all ? ply_isa_best() : low;
    for (int level = low; level <= high && result == CLI_OK; level++) {
        if (!ply_isa_use(level))
            continue;
        result = bench_level(args, only, threads, repeat, json, &signature);
        if (result == CLI_OK && level > low && signature != first_signature)
            result = cli_fail(args, "%s: the signature differs", ply_isa_name(level));
        first_signature = signature;
    }
    if (result == CLI_OK && json) {
        ply_json_close(json, ']');
        ply_text_char(json, '\n');
        cli_print_text(json);
    }
    ply_text_free(&out);
    return result;
}
