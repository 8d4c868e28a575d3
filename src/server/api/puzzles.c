/* SPDX-License-Identifier: MIT */
/*
 * puzzles.c - solving puzzles. The puzzles themselves are files of the page (web/puzzles); the server
 * judges answers with the solver, and remembers what was solved.
 *
 * Spaced repetition: a puzzle that was solved comes back after 1, 3, 7, 16, 35 and 80 days, one step
 * further each time; one that was missed comes back after ten minutes, from the first step on.
 */
#include "core/text/json_write.h"
#include "server/api/app.h"
#include "server/api/view.h"
#include <string.h>

enum { TRY_NODES = 200000, TRY_MILLIS = 1500, TRY_MEMORY_MB = 64, ID_LIMIT = 64 };
enum { MINUTE = 60 * 1000, DAY = 24 * 60 * MINUTE };
static const int64_t days[] = {1, 3, 7, 16, 35, 80};
enum { STEPS = sizeof days / sizeof days[0] };

/* Writes the verdict about a move, and the defender's reply. */
static void write_try(ply_state *state, ply_move move, const ply_solve_try *tried, ply_text *out)
{
    static const char *const verdicts[] = {"unknown", "win", "no"};
    ply_json_open(out, '{');
    ply_json_member_string(out, "verdict", verdicts[tried->verdict]);
    ply_json_member_bool(out, "allowed", tried->allowed);
    ply_json_member_unsigned(out, "plies", tried->plies);
    ply_json_name(out, "reply");
    if (tried->reply != PLY_MOVE_NONE && ply_state_play(state, move) == PLY_OK) {
        view_move(state, tried->reply, out);
        ply_state_undo(state);
    } else {
        ply_json_null(out);
    }
    ply_json_close(out, '}');
}

/* Solves what follows a move; false with the error in *answer. */
static bool try_move(const ply_goal *goal, ply_state *state, const char *text, response *answer)
{
    ply_error error = {0};
    ply_move move;
    ply_solve_try tried;
    ply_solve_options options = {.memory_mb = TRY_MEMORY_MB};
    ply_solve_limits limits = {.nodes = TRY_NODES, .millis = TRY_MILLIS};
    if (ply_state_parse_move(state, text, strlen(text), &move, &error) != PLY_OK)
        return response_fail_error(answer, 422, "move", &error);
    ply_solver *solver = ply_solver_new(state->rules, goal, &options);
    ply_status status =
        solver ? ply_solver_try(solver, state, move, &limits, &tried) : PLY_NO_MEMORY;
    ply_solver_free(solver);
    if (status == PLY_UNSUPPORTED)
        return response_fail(answer, 422, "unsupported", "game", "%s has no puzzles",
                             state->rules->game->id);
    if (status != PLY_OK)
        return response_no_memory(answer);
    write_try(state, move, &tried, response_json(answer, 200));
    return true;
}

void api_try_puzzle(app *a, const request *r, const int64_t *ids, response *answer)
{
    (void)a;
    (void)ids;
    static const char *const names[] = {"game", "variant", "position", "moves",
                                        "goal", "move",    NULL};
    const char *position, *move = NULL, *goal_id = NULL;
    ply_rules rules;
    ply_state state;
    if (!request_check_parameters(r, NULL, answer))
        return;
    json_t *body = body_parse(r, names, answer);
    if (body && body_string(body, "move", true, LIBRARY_TEXT_LIMIT, &move, answer) &&
        body_string(body, "goal", false, API_WORD_LIMIT, &goal_id, answer) &&
        api_body_state(body, &rules, &state, &position, answer)) {
        const ply_goal *goal = ply_goal_find(rules.game, goal_id);
        if (!goal)
            response_fail(answer, 422, "unknown-goal", "goal", "%s has no goal '%.20s'",
                          rules.game->id, goal_id);
        else
            try_move(goal, &state, move, answer);
        ply_state_free(&state);
    }
    json_decref(body);
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
