/* SPDX-License-Identifier: MIT */
/*
 * cmd_puzzles.c - plyverse puzzles: positions in which exactly one move forces the goal.
 *
 * Each game is looked at from its end backwards, as long as the winner's positions are won by force.
 * The longest solution in which every move but the last is unique becomes a puzzle. All verdicts are
 * the solver's proofs; a position that it cannot decide within its limits is no puzzle.
 */
#include "cli/cli.h"
#include "core/text/json_write.h"
#include <stdlib.h>
#include <string.h>

enum { MEMORY_MB = 64, MAX_PLIES = 300, PLAYER_NODES = 2000, SOLUTION_LIMIT = 64, MISSES = 2 };

typedef struct puzzle_maker {
    const cli_args *args;
    ply_rules rules;
    const ply_goal *goal;
    ply_solver *solver;
    ply_solve_limits limits;
    uint64_t count, least, most;
    uint64_t made;
    uint64_t *seen; /* keys of the puzzles made */
} puzzle_maker;

typedef struct puzzle {
    char position[512];
    ply_move solution[SOLUTION_LIMIT];
    uint32_t plies;
    uint64_t nodes, key;
} puzzle;

/* Whether no other move than `only` wins, by proof. */
static bool is_unique(puzzle_maker *m, const ply_state *state, ply_move only)
{
    ply_move *moves = malloc(m->rules.max_moves * sizeof *moves);
    size_t count = moves ? ply_state_moves(state, moves, m->rules.max_moves) : 0;
    bool unique = count > 1;
    for (size_t i = 0; i < count && unique; i++) {
        ply_solve_try other;
        if (moves[i] != only)
            unique = ply_solver_try(m->solver, state, moves[i], &m->limits, &other) == PLY_OK &&
                     other.verdict == PLY_VERDICT_NO;
    }
    free(moves);
    return unique;
}

/* Whether the attacker's moves of a solution, except the last, are the only ones that win. */
static bool has_unique_solution(puzzle_maker *m, ply_state *state, const puzzle *p)
{
    uint32_t played = 0;
    bool unique = true;
    for (uint32_t i = 0; i + 1 < p->plies && unique; i++, played++) {
        unique = i % 2 == 1 || is_unique(m, state, p->solution[i]);
        unique = unique && ply_state_play(state, p->solution[i]) == PLY_OK;
    }
    while (played-- > 0)
        ply_state_undo(state);
    return unique;
}

/* Solves a position; *won says whether it is won by force, and the result whether it is a puzzle. */
static bool make_puzzle(puzzle_maker *m, ply_state *state, puzzle *p, bool *won)
{
    ply_solve_limits limits = m->limits;
    ply_solve_report report = {0};
    limits.shortest = true;
    *won = ply_solver_run(m->solver, state->position, &limits, NULL, NULL, &report) == PLY_OK &&
           report.verdict == PLY_VERDICT_WIN;
    if (!*won || !report.shortest || report.plies < m->least || report.plies > m->most ||
        report.plies > SOLUTION_LIMIT || report.pv_length < report.plies)
        return false;
    *p = (puzzle){.plies = report.plies, .nodes = report.nodes, .key = ply_state_key(state)};
    memcpy(p->solution, report.pv, report.plies * sizeof *p->solution);
    ply_text text = ply_text_fixed(p->position, sizeof p->position);
    ply_state_format(state, &text);
    for (uint64_t i = 0; i < m->made; i++)
        if (m->seen[i] == p->key)
            return false;
    return ply_text_complete(&text) && has_unique_solution(m, state, p);
}

static int difficulty(const puzzle *p)
{
    return 1 + (p->plies > 3) + (p->plies > 5) + (p->plies > 7 || p->nodes > 5000) +
           (p->plies > 11 || p->nodes > 50000);
}

static void print_puzzle(puzzle_maker *m, const puzzle *p)
{
    ply_text out = ply_text_growing(), variant = ply_text_growing(), moves = ply_text_growing();
    ply_state state;
    ply_rules_format(&m->rules, &variant);
    if (ply_state_init(&state, &m->rules) == PLY_OK) {
        ply_state_parse(&state, p->position, strlen(p->position), NULL);
        for (uint32_t i = 0; i < p->plies; i++) {
            if (i > 0)
                ply_text_char(&moves, ' ');
            ply_state_move_text(&state, p->solution[i], &moves);
            ply_state_play(&state, p->solution[i]);
        }
        ply_state_free(&state);
    }
    ply_json_open(&out, '{');
    ply_json_member_string(&out, "game", m->rules.game->id);
    ply_json_member_string(&out, "variant", ply_text_cstr(&variant));
    ply_json_member_string(&out, "goal", m->goal->id);
    ply_json_member_string(&out, "position", p->position);
    ply_json_member_unsigned(&out, "plies", p->plies);
    ply_json_member_signed(&out, "difficulty", difficulty(p));
    ply_json_member_string(&out, "solution", ply_text_cstr(&moves));
    ply_json_close(&out, '}');
    printf("%s\n", ply_text_cstr(&out));
    fflush(stdout);
    ply_text_free(&out);
    ply_text_free(&variant);
    ply_text_free(&moves);
}

/* Takes a game back from its end and prints the longest puzzle on the way. */
static void search_game(puzzle_maker *m, ply_state *state)
{
    puzzle best = {0}, found;
    int misses = 0;
    while (misses < MISSES && ply_state_undo(state)) {
        bool won;
        if (make_puzzle(m, state, &found, &won) && found.plies >= best.plies)
            best = found;
        misses = won ? 0 : misses + 1;
    }
    if (best.plies > 0 && m->made < m->count) {
        m->seen[m->made++] = best.key;
        print_puzzle(m, &best);
    }
}

/* Plays a game of self-play and searches it. */
static ply_status play_game(puzzle_maker *m, ply_player *player, uint64_t number)
{
    ply_state state;
    ply_status status = ply_state_init(&state, &m->rules);
    ply_search_limits limits = {.nodes = PLAYER_NODES};
    if (status != PLY_OK)
        return status;
    ply_player_new_game(player, number);
    const char *start = cli_value(m->args, "--start");
    if (start)
        status = ply_state_play_text(&state, start, strlen(start), NULL);
    while (status == PLY_OK && state.plies < MAX_PLIES &&
           ply_state_outcome(&state).result == PLY_ONGOING) {
        ply_player_answer answer;
        status = ply_player_choose(player, &state, &limits, NULL, NULL, &answer);
        if (status == PLY_OK)
            status = ply_state_play(&state, answer.pv.moves[0]);
    }
    if (status == PLY_OK)
        search_game(m, &state);
    ply_state_free(&state);
    return status;
}

static int from_selfplay(puzzle_maker *m)
{
    uint64_t games, level, seed;
    if (!cli_number(m->args, "--games", 1, UINT32_MAX, 1000, &games) ||
        !cli_number(m->args, "--level", 1, PLY_LEVEL_FULL, 4, &level) ||
        !cli_number(m->args, "--seed", 0, UINT64_MAX, 1, &seed))
        return CLI_BAD;
    ply_player_spec spec = {.level = (int)level, .nodes = PLAYER_NODES, .seed = seed};
    ply_player *player = ply_player_new(&m->rules, &spec);
    if (!player)
        return cli_fail(m->args, "out of memory");
    ply_status status = PLY_OK;
    for (uint64_t g = 0; g < games && m->made < m->count && status == PLY_OK; g++)
        status = play_game(m, player, g);
    ply_player_free(player);
    return status == PLY_OK ? CLI_OK : cli_fail(m->args, "%s", ply_status_text(status));
}

static int from_file(puzzle_maker *m, const char *path)
{
    ply_text text = ply_text_growing();
    if (!cli_read_file(m->args, path, &text)) {
        ply_text_free(&text);
        return CLI_BAD;
    }
    const ply_format *format = ply_format_detect(&m->rules, ply_text_cstr(&text), text.length);
    if (!format) {
        ply_text_free(&text);
        return cli_fail(m->args, "%s: no format of %s fits", path, m->rules.game->name);
    }
    ply_error error = {0};
    ply_cursor cursor = ply_cursor_make(ply_text_cstr(&text), text.length, &error);
    ply_status status = PLY_OK;
    for (bool found = true; status == PLY_OK && found && m->made < m->count;) {
        ply_record record;
        ply_state state;
        status = ply_record_init(&record, &m->rules);
        if (status == PLY_OK)
            status = format->read(&cursor, &record, &found);
        if (status == PLY_OK && found && ply_record_final_state(&record, &state, NULL) == PLY_OK) {
            state.rules = &m->rules;
            search_game(m, &state);
            ply_state_free(&state);
        }
        ply_record_free(&record);
    }
    ply_text_free(&text);
    return status == PLY_OK ? CLI_OK : cli_fail_error(m->args, path, &error);
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
    m.goal = ply_goal_find(game, cli_value(args, "--goal"));
    if (!m.goal)
        return cli_fail(args, "%s has no goal '%s'", game->id, cli_value(args, "--goal"));
    if (game->multi_move_turns)
        return cli_fail(args, "%s has turns of several moves, for which there are no puzzles yet",
                        game->id);
    if (!cli_number(args, "--count", 1, 1000000, 10, &m.count) ||
        !cli_number(args, "--min", 1, SOLUTION_LIMIT, 3, &m.least) ||
        !cli_number(args, "--max", 1, SOLUTION_LIMIT, 15, &m.most) ||
        !cli_number(args, "--nodes", 1, UINT64_MAX, 100000, &m.limits.nodes))
        return CLI_BAD;
    ply_solve_options options = {.memory_mb = MEMORY_MB};
    m.solver = ply_solver_new(&m.rules, m.goal, &options);
    m.seen = malloc(m.count * sizeof *m.seen);
    int status = m.solver && m.seen ? path ? from_file(&m, path) : from_selfplay(&m)
                                    : cli_fail(args, "out of memory");
    ply_solver_free(m.solver);
    free(m.seen);
    return status;
}
