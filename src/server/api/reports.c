/* SPDX-License-Identifier: MIT */
/* reports.c - reports on games, and the queue of games to analyse (jobs/report_queue.h). */
#include "core/text/json_write.h"
#include "server/api/app.h"
#include "server/api/view.h"
#include "server/jobs/report.h"
#include <stdlib.h>
#include <string.h>

enum { LISTED_LIMIT = 100, NODES_LIMIT = 10000000 };

/* --- the queue -------------------------------------------------------------------------------- */
/* Adds the games of a request; false with the error in *answer. */
static bool add_games(app *a, json_t *games, report_request wanted, response *answer)
{
    size_t i;
    json_t *id;
    json_array_foreach(games, i, id)
    {
        wanted.game = json_integer_value(id);
        ply_status status = report_queue_add(&a->reports, &wanted);
        if (status == PLY_LIMIT)
            return response_fail(answer, 429, "busy", "games",
                                 "at most %d games can wait for their analysis",
                                 REPORT_QUEUE_LIMIT);
        if (status != PLY_OK)
            return response_no_memory(answer);
    }
    return true;
}

/* Checks that every game exists; false with a 400 or 404. */
static bool check_games(app *a, json_t *games, response *answer)
{
    size_t i;
    json_t *item;
    if (!json_is_array(games) || json_array_size(games) == 0 ||
        json_array_size(games) > REPORT_QUEUE_LIMIT)
        return response_fail(answer, 400, "bad-member", "games",
                             "games must be an array of 1 to %d numbers", REPORT_QUEUE_LIMIT);
    json_array_foreach(games, i, item)
    {
        int64_t id = json_integer_value(item);
        bool exists = false;
        ply_error error = {0};
        if (!json_is_integer(item) || id < 1)
            return response_fail(answer, 400, "bad-member", "games",
                                 "games must be an array of 1 to %d numbers", REPORT_QUEUE_LIMIT);
        if (store_exists(library_store(a->library), id, &exists, &error) != PLY_OK) {
            api_fail_error(answer, &error);
            return false;
        }
        if (!exists)
            return response_fail(answer, 404, "not-found", "games", "no game has the number %lld",
                                 (long long)id);
    }
    return true;
}

static void write_queue(app *a, ply_text *out)
{
    int64_t ids[LISTED_LIMIT];
    uint64_t finished;
    size_t count = report_queue_list(&a->reports, ids, LISTED_LIMIT, &finished);
    ply_json_open(out, '{');
    ply_json_member_unsigned(out, "waiting", count);
    ply_json_member_unsigned(out, "finished", finished);
    ply_json_name(out, "games");
    ply_json_open(out, '[');
    for (size_t i = 0; i < count && i < LISTED_LIMIT; i++) {
        report_progress progress = report_queue_progress(&a->reports, ids[i]);
        ply_json_open(out, '{');
        ply_json_member_signed(out, "id", ids[i]);
        ply_json_member_bool(out, "running", progress.running);
        ply_json_member_unsigned(out, "done", progress.done);
        ply_json_member_unsigned(out, "total", progress.total);
        ply_json_close(out, '}');
    }
    ply_json_close(out, ']');
    ply_json_close(out, '}');
}

void api_add_reports(app *a, const request *r, const int64_t *ids, response *answer)
{
    (void)ids;
    static const char *const names[] = {"games", "nodes", "again", NULL};
    int64_t nodes = REPORT_NODES;
    report_request wanted = {0};
    if (!request_check_parameters(r, NULL, answer))
        return;
    json_t *body = body_parse(r, names, answer), *games = json_object_get(body, "games");
    if (body && body_number(body, "nodes", false, 1, NODES_LIMIT, &nodes, answer) &&
        body_bool(body, "again", &wanted.again, answer) && check_games(a, games, answer)) {
        wanted.nodes = (uint64_t)nodes;
        if (add_games(a, games, wanted, answer))
            write_queue(a, response_json(answer, 202));
    }
    json_decref(body);
}

void api_list_reports(app *a, const request *r, const int64_t *ids, response *answer)
{
    (void)ids;
    if (request_check_parameters(r, NULL, answer))
        write_queue(a, response_json(answer, 200));
}

void api_cancel_reports(app *a, const request *r, const int64_t *ids, response *answer)
{
    if (!request_check_parameters(r, NULL, answer))
        return;
    report_queue_cancel(&a->reports, ids[0]); /* 0, without an id in the path: all of them */
    write_queue(a, response_json(answer, 200));
}

/* --- one report ------------------------------------------------------------------------------- */
static void member_real(ply_text *out, const char *name, double value)
{
    ply_json_name(out, name);
    ply_json_real(out, value);
}

static void write_player(const report_player *player, ply_text *out)
{
    ply_json_open(out, '{');
    ply_json_member_unsigned(out, "turns", player->turns);
    ply_json_member_unsigned(out, "scored", player->scored);
    member_real(out, "accuracy", player->accuracy);
    member_real(out, "loss", player->loss);
    ply_json_member_unsigned(out, "inaccuracies", player->counts[REPORT_INACCURACY]);
    ply_json_member_unsigned(out, "mistakes", player->counts[REPORT_MISTAKE]);
    ply_json_member_unsigned(out, "blunders", player->counts[REPORT_BLUNDER]);
    ply_json_name(out, "histogram");
    ply_json_open(out, '[');
    for (int i = 0; i < REPORT_BUCKETS; i++)
        ply_json_unsigned(out, player->histogram[i]);
    ply_json_close(out, ']');
    ply_json_member_unsigned(out, "timed", player->timed);
    ply_json_member_signed(out, "millis", player->millis);
    ply_json_member_signed(out, "longest", player->longest);
    ply_json_member_unsigned(out, "longest_node", player->longest_node);
    ply_json_close(out, '}');
}

/* Writes the best variation that is saved with a node as MoveText; *state is at that node. */
static void write_best(const char *text, ply_state *state, ply_text *out)
{
    enum { MOVES = 32 };
    ply_move moves[MOVES];
    size_t count = 0;
    ply_cursor cursor = ply_cursor_make(text ? text : "", text ? strlen(text) : 0, NULL);
    for (; count < MOVES && !ply_cursor_done(&cursor); ply_cursor_skip_space(&cursor)) {
        if (state->rules->game->parse_move(state->rules, state->position, &cursor, &moves[count]) !=
                PLY_OK ||
            ply_state_play(state, moves[count]) != PLY_OK)
            break;
        count++;
    }
    for (size_t i = 0; i < count; i++)
        ply_state_undo(state);
    view_variation(state, moves, count, out);
}

static void write_turn(const library_game *game, const report_turn *turn, ply_state *state,
                       ply_text *out)
{
    static const char *const names[REPORT_SEVERITIES] = {"fine", "inaccuracy", "mistake",
                                                         "blunder"};
    ply_json_open(out, '{');
    ply_json_member_unsigned(out, "before", turn->before);
    ply_json_member_unsigned(out, "node", turn->after);
    ply_json_member_signed(out, "side", turn->side);
    ply_json_member_bool(out, "scored", turn->scored);
    if (turn->scored) {
        ply_json_member_bool(out, "exact", turn->exact);
        member_real(out, "chance_before", turn->chance_before);
        member_real(out, "chance_after", turn->chance_after);
        member_real(out, "loss", 100 * turn->loss);
        ply_json_member_string(out, "severity", names[turn->severity]);
        ply_json_member_bool(out, "turning", turn->turning);
        ply_json_name(out, "best");
        write_best(game->extra[turn->before].best, state, out);
    }
    ply_json_close(out, '}');
}

static void write_progress(report_progress progress, ply_text *out)
{
    ply_json_name(out, "progress");
    ply_json_open(out, '{');
    ply_json_member_string(out, "state",
                           progress.running   ? "running"
                           : progress.waiting ? "waiting"
                                              : "idle");
    ply_json_member_unsigned(out, "ahead", progress.ahead);
    ply_json_member_unsigned(out, "done", progress.done);
    ply_json_member_unsigned(out, "total", progress.total);
    ply_json_close(out, '}');
}

/* Moves a state along the tree, from node `from` to node `to` below it. */
static bool advance(const library_game *game, uint32_t from, uint32_t to, ply_state *state)
{
    if (to == from)
        return true;
    return advance(game, from, game->record.nodes[to].parent, state) &&
           ply_record_enter(&game->record, to, state, NULL) == PLY_OK;
}

static bool write_report(app *a, const library_game *game, ply_text *out)
{
    game_report r;
    ply_state state;
    if (!report_make(game, &r))
        return false;
    if (ply_record_start_state(&game->record, &state, NULL) != PLY_OK) {
        report_free(&r);
        return false;
    }
    ply_json_open(out, '{');
    write_progress(report_queue_progress(&a->reports, game->id), out);
    ply_json_name(out, "buckets");
    ply_json_open(out, '[');
    for (int i = 0; i < REPORT_BUCKETS; i++)
        ply_json_signed(out, report_bucket_starts[i]);
    ply_json_close(out, ']');
    ply_json_name(out, "players");
    ply_json_open(out, '[');
    for (int i = 0; i < 2; i++)
        write_player(&r.players[i], out);
    ply_json_close(out, ']');
    ply_json_name(out, "turns");
    ply_json_open(out, '[');
    bool good = true;
    for (size_t i = 0; i < r.count && good; i++) {
        write_turn(game, &r.turns[i], &state, out);
        good = advance(game, r.turns[i].before, r.turns[i].after, &state);
    }
    ply_json_close(out, ']');
    ply_json_close(out, '}');
    ply_state_free(&state);
    report_free(&r);
    return good;
}

void api_report(app *a, const request *r, const int64_t *ids, response *answer)
{
    library_game *game =
        request_check_parameters(r, NULL, answer) ? api_acquire_game(a, ids, answer) : NULL;
    if (!game)
        return;
    if (!write_report(a, game, response_json(answer, 200)))
        response_no_memory(answer);
    library_release(a->library, game);
}
