/* SPDX-License-Identifier: MIT */
/*
 * puzzles.c - solving puzzles, and looking for more in the user's games (jobs/puzzle_search.h). The
 * other puzzles are files of the page (web/puzzles); the server judges answers with the solver, and
 * remembers what was solved.
 *
 * Spaced repetition: a puzzle that was solved comes back after 1, 3, 7, 16, 35 and 80 days, one step
 * further each time; one that was missed comes back after ten minutes, from the first step on.
 */
#include "core/text/json_write.h"
#include "server/api/app.h"
#include "server/api/view.h"
#include <string.h>

enum {
    TRIES_LIMIT = 2, /* at once: other requests must find a thread */
    TRY_TOTAL_MILLIS = 30000,
};
enum {
    TRY_NODES = 200000,
    TRY_MILLIS = 10000,
    TRY_MEMORY_MB = 64,
    TURN_LIMIT = 400,
    ID_LIMIT = 64
};
enum { MINUTE = 60 * 1000, DAY = 24 * 60 * MINUTE };
static const int64_t days[] = {1, 3, 7, 16, 35, 80};
enum { STEPS = sizeof days / sizeof days[0] };

/* The time for each answer to a move, so that all of them stay within a bound. */
static uint64_t millis_per_answer(ply_state *state, ply_move move)
{
    size_t answers = 1;
    if (ply_state_play(state, move) == PLY_OK) {
        answers = ply_game_count_moves(state->rules, state->position);
        ply_state_undo(state);
    }
    uint64_t share = TRY_TOTAL_MILLIS / (answers ? answers : 1);
    return share < TRY_MILLIS ? share + 1 : TRY_MILLIS;
}

/* Writes the verdict about a move, and the defender's reply. */
static void write_try(ply_state *state, ply_move move, const ply_solve_try *tried, ply_text *out)
{
    static const char *const verdicts[] = {"unknown", "win", "no"};
    int attacker = ply_state_side(state);
    size_t played = ply_state_play(state, move) == PLY_OK;
    size_t replies = played ? tried->reply_length : 0;
    ply_json_open(out, '{');
    ply_json_member_string(out, "verdict", verdicts[tried->verdict]);
    ply_json_member_bool(out, "allowed", tried->allowed);
    ply_json_member_bool(out, "reached",
                         tried->verdict == PLY_VERDICT_WIN && replies == 0 &&
                             ply_state_side(state) != attacker);
    ply_json_member_unsigned(out, "plies", tried->plies);
    ply_json_name(out, "reply");
    if (replies > 0)
        view_move(state, tried->reply[0], out);
    else
        ply_json_null(out);
    ply_json_name(out, "rest");
    ply_json_open(out, '[');
    for (size_t i = 1; i < replies && ply_state_play(state, tried->reply[i - 1]) == PLY_OK; i++) {
        played++;
        view_move(state, tried->reply[i], out);
    }
    ply_json_close(out, ']');
    ply_json_close(out, '}');
    while (played-- > 0)
        ply_state_undo(state);
}

/* How many turns of the player to move the moves of a state have completed. */
static int64_t turns_made(ply_state *state)
{
    int attacker = ply_state_side(state), side = attacker;
    int64_t turns = 0;
    while (ply_state_undo(state)) {
        int before = ply_state_side(state);
        turns += before == attacker && side != attacker;
        side = before;
    }
    return turns;
}

/* Sets what is left of the turns that a win may take. False with the error in *answer. */
static bool limit_turns(const ply_state *state, int64_t turns, ply_solve_limits *limits,
                        response *answer)
{
    ply_state copy;
    if (turns == 0)
        return true;
    if (ply_state_copy(&copy, state) != PLY_OK)
        return response_no_memory(answer);
    turns -= turns_made(&copy);
    ply_state_free(&copy);
    limits->turns = turns > 1 ? (uint32_t)turns : 1;
    return true;
}

/* Solves what follows a move; false with the error in *answer. */
static bool try_move(app *a, const ply_goal *goal, ply_state *state, const char *text,
                     int64_t turns, response *answer)
{
    ply_error error = {0};
    ply_move move;
    ply_solve_try tried;
    ply_solve_limits limits = {.nodes = TRY_NODES, .millis = TRY_MILLIS};
    if (ply_state_parse_move(state, text, strlen(text), &move, &error) != PLY_OK)
        return response_fail_error(answer, 422, "move", &error);
    limits.millis = millis_per_answer(state, move);
    if (!limit_turns(state, turns, &limits, answer))
        return false;
    ply_tablebase *tablebase =
        strcmp(goal->id, "win") == 0 ? tablebases_lend(&a->tablebases, state->rules) : NULL;
    ply_solve_options options = {.memory_mb = TRY_MEMORY_MB, .tablebase = tablebase};
    ply_solver *solver = ply_solver_new(state->rules, goal, &options);
    ply_status status =
        solver ? ply_solver_try(solver, state, move, &limits, &tried) : PLY_NO_MEMORY;
    if (status == PLY_OK)
        write_try(state, move, &tried, response_json(answer, 200));
    else if (status == PLY_UNSUPPORTED)
        response_fail(answer, 422, "unsupported", "game", "%s has no puzzles",
                      state->rules->game->id);
    else
        response_no_memory(answer);
    ply_solver_free(solver);
    ply_tablebase_close(tablebase);
    return status == PLY_OK;
}

void api_try_puzzle(app *a, const request *r, const int64_t *ids, response *answer)
{
    (void)ids;
    static const char *const names[] = {"game", "variant", "position", "moves",
                                        "goal", "move",    "turns",    NULL};
    const char *position, *move = NULL, *goal_id = NULL;
    int64_t turns = 0;
    ply_rules rules;
    ply_state state;
    if (!request_check_parameters(r, NULL, answer))
        return;
    if (atomic_fetch_add(&a->tries, 1) >= TRIES_LIMIT) {
        atomic_fetch_sub(&a->tries, 1);
        response_fail(answer, 429, "busy", NULL,
                      "%d moves are being judged already; try again later", TRIES_LIMIT);
        return;
    }
    json_t *body = body_parse(r, names, answer);
    if (body && body_number(body, "turns", false, 0, TURN_LIMIT, &turns, answer) &&
        body_string(body, "move", true, LIBRARY_TEXT_LIMIT, &move, answer) &&
        body_string(body, "goal", false, API_WORD_LIMIT, &goal_id, answer) &&
        api_body_state(body, &rules, &state, &position, answer)) {
        const ply_goal *goal = ply_goal_find(rules.game, goal_id);
        if (!goal)
            response_fail(answer, 422, "unknown-goal", "goal", "%s has no goal '%.20s'",
                          rules.game->id, goal_id);
        else
            try_move(a, goal, &state, move, turns, answer);
        ply_state_free(&state);
    }
    json_decref(body);
    atomic_fetch_sub(&a->tries, 1);
}

static void write_puzzle(void *context, const char *id, const store_puzzle *puzzle)
{
    ply_text *out = context;
    ply_json_open(out, '{');
    ply_json_member_string(out, "id", id);
    ply_json_member_signed(out, "attempts", puzzle->attempts);
    ply_json_member_signed(out, "solved", puzzle->solved);
    ply_json_member_signed(out, "step", puzzle->step);
    ply_json_member_signed(out, "due", puzzle->due);
    ply_json_close(out, '}');
}

void api_list_puzzles(app *a, const request *r, const int64_t *ids, response *answer)
{
    (void)ids;
    ply_error error = {0};
    if (!request_check_parameters(r, NULL, answer))
        return;
    ply_text *out = response_json(answer, 200);
    ply_json_open(out, '{');
    ply_json_member_signed(out, "now", library_now());
    ply_json_name(out, "puzzles");
    ply_json_open(out, '[');
    ply_status status = store_list_puzzles(library_store(a->library), write_puzzle, out, &error);
    ply_json_close(out, ']');
    ply_json_close(out, '}');
    if (status != PLY_OK)
        api_fail_error(answer, &error);
}

void api_save_puzzle(app *a, const request *r, const int64_t *ids, response *answer)
{
    (void)ids;
    static const char *const names[] = {"id", "solved", NULL};
    const char *id = NULL;
    bool solved = false;
    store_puzzle puzzle;
    ply_error error = {0};
    if (!request_check_parameters(r, NULL, answer))
        return;
    json_t *body = body_parse(r, names, answer);
    if (body && body_string(body, "id", true, ID_LIMIT, &id, answer) &&
        body_bool(body, "solved", &solved, answer)) {
        store *s = library_store(a->library);
        ply_status status = store_read_puzzle(s, id, &puzzle, &error);
        int64_t step = puzzle.step < STEPS ? puzzle.step : STEPS - 1;
        puzzle.attempts++;
        puzzle.solved += solved;
        puzzle.due = library_now() + (solved ? days[step] * DAY : 10 * MINUTE);
        puzzle.step = solved ? step + 1 : 0;
        if (status == PLY_OK)
            status = store_write_puzzle(s, id, &puzzle, &error);
        if (status == PLY_OK) {
            write_puzzle(response_json(answer, 200), id, &puzzle);
            answer->needs_sync = true;
        } else {
            api_fail_error(answer, &error);
        }
    }
    json_decref(body);
}

/* --- puzzles from the user's games ------------------------------------------------------------ */
static void write_own_puzzle(void *context, const store_own_puzzle *puzzle)
{
    ply_text *out = context;
    ply_json_open(out, '{');
    ply_json_member_signed(out, "source", puzzle->source);
    view_raw(out, "puzzle", puzzle->text);
    ply_json_close(out, '}');
}

void api_list_own_puzzles(app *a, const request *r, const int64_t *ids, response *answer)
{
    (void)ids;
    ply_error error = {0};
    if (!request_check_parameters(r, NULL, answer))
        return;
    ply_text *out = response_json(answer, 200);
    ply_json_open(out, '{');
    ply_json_name(out, "puzzles");
    ply_json_open(out, '[');
    ply_status status =
        store_list_own_puzzles(library_store(a->library), write_own_puzzle, out, &error);
    ply_json_close(out, ']');
    ply_json_close(out, '}');
    if (status != PLY_OK)
        api_fail_error(answer, &error);
}

static void write_search(app *a, response *answer, int http_status)
{
    static const char *const stages[] = {"none", "running", "finished", "stopped", "failed"};
    puzzle_search_progress progress = puzzle_search_report(&a->puzzles);
    uint64_t games = 0;
    ply_error error = {0};
    if (store_count(library_store(a->library), &games, &error) != PLY_OK) {
        api_fail_error(answer, &error);
        return;
    }
    ply_text *out = response_json(answer, http_status);
    ply_json_open(out, '{');
    ply_json_member_string(out, "stage", stages[progress.stage]);
    ply_json_member_unsigned(out, "done", progress.done);
    ply_json_member_unsigned(out, "total", progress.total);
    ply_json_member_unsigned(out, "unsupported", progress.unsupported);
    ply_json_member_unsigned(out, "left", progress.left);
    ply_json_member_unsigned(out, "found", progress.found);
    ply_json_member_unsigned(out, "games", games);
    ply_json_member_string(out, "message",
                           progress.stage == PUZZLE_SEARCH_FAILED ? progress.error.message : "");
    ply_json_close(out, '}');
}

void api_puzzle_search(app *a, const request *r, const int64_t *ids, response *answer)
{
    (void)ids;
    if (request_check_parameters(r, NULL, answer))
        write_search(a, answer, 200);
}

void api_search_puzzles(app *a, const request *r, const int64_t *ids, response *answer)
{
    (void)ids;
    if (!request_check_parameters(r, NULL, answer))
        return;
    if (puzzle_search_start(&a->puzzles) == PLY_OK)
        write_search(a, answer, 202);
    else
        response_no_memory(answer);
}

void api_stop_puzzle_search(app *a, const request *r, const int64_t *ids, response *answer)
{
    (void)ids;
    if (!request_check_parameters(r, NULL, answer))
        return;
    puzzle_search_stop(&a->puzzles);
    write_search(a, answer, 200);
}
