/* SPDX-License-Identifier: MIT */
/* cmd_puzzles.c - plyverse puzzles: puzzles from self-play or from the user's games; see
 * puzzle/puzzle.h. */
#include "cli/cli.h"
#include "puzzle/puzzle.h"
#include <stdlib.h>
#include <string.h>

enum { LENGTH_LIMIT = 63 };

typedef struct puzzle_maker {
    const cli_args *args;
    ply_rules rules;
    ply_puzzle_spec spec;
    ply_puzzle_finder *finder;
    uint64_t count, made;
    /* Self-play: */
    uint64_t longest, random_percent;
    ply_state start; /* with the first moves of every game */
    ply_move *moves; /* room for a list */
} puzzle_maker;

/* Prints the puzzles of a game that has been played. */
static ply_status search_game(puzzle_maker *m, ply_state *state)
{
    ply_puzzle puzzle;
    bool found = true;
    ply_status status = PLY_OK;
    while (status == PLY_OK && found && m->made < m->count) {
        status = ply_puzzle_find(m->finder, state, &puzzle, &found);
        if (status != PLY_OK || !found)
            break;
        ply_text out = ply_text_growing();
        ply_puzzle_write(&m->rules, m->spec.goal, &puzzle, &out);
        ply_text_char(&out, '\n');
        cli_print_text(&out);
        fflush(stdout);
        m->made++;
    }
    return status;
}

/* Plays a move of self-play: the engine's, or now and then any, for variety and for mistakes. */
static ply_status play_move(puzzle_maker *m, ply_player *player, ply_state *state, ply_rng *rng)
{
    ply_player_answer answer;
    if (ply_rng_below(rng, 100) < m->random_percent) {
        size_t count = m->rules.game->moves(&m->rules, state->position, m->moves);
        return count ? ply_state_play(state, m->moves[ply_rng_below(rng, (uint32_t)count)])
                     : PLY_NO_MEMORY;
    }
    ply_status status = ply_player_choose(player, state, NULL, NULL, NULL, &answer);
    return status == PLY_OK ? ply_state_play(state, answer.pv.moves[0]) : status;
}

/* Plays a game of self-play and searches it. */
static ply_status play_game(puzzle_maker *m, ply_player *player, uint64_t seed, uint64_t number)
{
    ply_state state;
    ply_rng rng = ply_rng_make(seed, number);
    ply_status status = ply_state_copy(&state, &m->start);
    if (status != PLY_OK)
        return status;
    ply_player_new_game(player, number);
    while (status == PLY_OK && state.plies < m->longest &&
           ply_state_outcome(&state).result == PLY_ONGOING)
        status = play_move(m, player, &state, &rng);
    /* A multiverse may outgrow its coordinates: such a game is over, too. */
    if (status == PLY_OK || status == PLY_LIMIT)
        status = search_game(m, &state);
    ply_state_free(&state);
    return status;
}

static int from_selfplay(puzzle_maker *m)
{
    uint64_t games, seed, nodes;
    if (!cli_number(m->args, "--games", 1, UINT32_MAX, 1000, &games) ||
        !cli_number(m->args, "--longest", 1, UINT32_MAX, 300, &m->longest) ||
        !cli_number(m->args, "--random", 0, 100, 10, &m->random_percent) ||
        !cli_number(m->args, "--player-nodes", 1, UINT64_MAX, 300, &nodes) ||
        !cli_number(m->args, "--seed", 0, UINT64_MAX, 1, &seed))
        return CLI_BAD;
    ply_error error = {0};
    const char *start = cli_value(m->args, "--start");
    ply_status status = ply_state_init(&m->start, &m->rules);
    if (status == PLY_OK && start &&
        ply_state_play_text(&m->start, start, strlen(start), &error) != PLY_OK) {
        ply_state_free(&m->start);
        return cli_fail_error(m->args, "--start", &error);
    }
    ply_player_spec spec = {.nodes = nodes, .memory_mb = 1, .seed = seed};
    ply_player *player = ply_player_new(&m->rules, &spec);
    m->moves = malloc(m->rules.max_moves * sizeof *m->moves);
    if (!player || !m->moves)
        status = PLY_NO_MEMORY;
    for (uint64_t g = 0; g < games && m->made < m->count && status == PLY_OK; g++)
        status = play_game(m, player, seed, g);
    ply_player_free(player);
    free(m->moves);
    ply_state_free(&m->start);
    return status == PLY_OK ? CLI_OK : cli_fail(m->args, "%s", ply_status_text(status));
}

static int from_file(puzzle_maker *m, const char *path)
{
    ply_record *records;
    size_t count;
    int result = cli_read_records(m->args, &m->rules, path, NULL, &records, &count);
    if (result != CLI_OK)
        return result;
    ply_status status = PLY_OK;
    for (size_t i = 0; i < count && status == PLY_OK && m->made < m->count; i++) {
        ply_state state;
        /* Games of other rules are left out. */
        if (memcmp(records[i].rules.option, m->rules.option, sizeof m->rules.option) == 0 &&
            ply_record_final_state(&records[i], &state, NULL) == PLY_OK) {
            state.rules = &m->rules;
            status = search_game(m, &state);
            ply_state_free(&state);
        }
    }
    cli_free_records(records, count);
    return status == PLY_OK ? CLI_OK : cli_fail(m->args, "%s", ply_status_text(status));
}

/* Reads the options that say what a puzzle is; false with the error printed. */
static bool read_spec(puzzle_maker *m, const ply_game *game)
{
    const cli_args *args = m->args;
    const char *unique = cli_value(args, "--unique");
    bool turns = game->multi_move_turns;
    uint64_t least, most, choices;
    m->spec.rules = &m->rules;
    m->spec.goal = ply_goal_find(game, cli_value(args, "--goal"));
    if (!m->spec.goal) {
        cli_fail(args, "%s has no goal '%s'", game->id, cli_value(args, "--goal"));
        return false;
    }
    if (unique && strcmp(unique, "first") != 0 && strcmp(unique, "line") != 0) {
        cli_fail(args, "--unique: '%s' is neither first nor line", unique);
        return false;
    }
    m->spec.unique_line = unique && strcmp(unique, "line") == 0;
    if (m->spec.unique_line && turns) {
        cli_fail(args, "--unique line: %s has turns of several moves", game->id);
        return false;
    }
    if (!cli_number(args, "--count", 1, 1000000, 10, &m->count) ||
        !cli_number(args, "--min", 1, LENGTH_LIMIT, turns ? 1 : 3, &least) ||
        !cli_number(args, "--max", 1, LENGTH_LIMIT, turns ? 2 : 15, &most) ||
        !cli_number(args, "--choices", 2, UINT32_MAX, 2, &choices) ||
        !cli_number(args, "--nodes", 1, UINT64_MAX, 20000, &m->spec.nodes))
        return false;
    m->spec.least = (uint32_t)least;
    m->spec.most = (uint32_t)most;
    m->spec.choices = (size_t)choices;
    return true;
}

/* Opens the tablebases of --tables; false with the error printed. */
static bool open_tables(puzzle_maker *m)
{
    ply_error error = {0};
    const char *dir = cli_value(m->args, "--tables");
    if (!dir)
        return true;
    if (ply_tablebase_open(&m->rules, dir, 0, &m->spec.tablebase, &error) != PLY_OK) {
        cli_fail(m->args, "%s: %s", dir, error.message);
        return false;
    }
    if (strcmp(m->spec.goal->id, "win") != 0 || ply_tablebase_count(m->spec.tablebase) == 0) {
        cli_fail(m->args, "%s: no tablebases for the goal %s of %s", dir, m->spec.goal->id,
                 m->rules.game->id);
        return false;
    }
    return true;
}

int cli_puzzles(const cli_args *args)
{
    puzzle_maker m = {.args = args};
    ply_error error = {0};
    const char *path = cli_value(args, "--from");
    const ply_game *game = cli_find_game(args);
    if (!game)
        return CLI_BAD;
    if (ply_rules_make(&m.rules, game, cli_value(args, "--variant"), &error) != PLY_OK)
        return cli_fail_error(args, "--variant", &error);
    int status = CLI_BAD;
    if (read_spec(&m, game) && open_tables(&m)) {
        m.finder = ply_puzzle_finder_new(&m.spec);
        status = m.finder ? path ? from_file(&m, path) : from_selfplay(&m)
                          : cli_fail(args, "out of memory");
    }
    ply_puzzle_finder_free(m.finder);
    ply_tablebase_close(m.spec.tablebase);
    return status;
}
