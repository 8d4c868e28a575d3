/* SPDX-License-Identifier: MIT */
/*
 * tournaments.c - the tournament of the server (tournament/tournament.h).
 *
 * An engine may be a program of the user's: PROTOCOL:COMMAND. A request that names one can run any
 * command, so it is refused unless the server is for this machine alone. guard.c has refused
 * requests of other web sites by then.
 */
#include "core/text/json_write.h"
#include "server/api/app.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DEFAULT_MILLIS = 200, MILLIS_LIMIT = 60000 };

/* --- the plan --------------------------------------------------------------------------------- */
static bool read_engine(app *a, json_t *item, tournament_engine *engine, response *answer)
{
    static const char *const names[] = {"name", "spec", "options", NULL};
    const char *name = NULL, *spec = NULL, *options = "";
    if (!json_is_object(item))
        return response_fail(answer, 400, "bad-member", "engines", "an engine must be an object");
    if (!body_check_members(item, "engine", names, answer) ||
        !body_string(item, "spec", true, sizeof engine->spec - 1, &spec, answer) ||
        !body_string(item, "name", false, sizeof engine->name - 1, &name, answer) ||
        !body_string(item, "options", false, sizeof engine->options - 1, &options, answer))
        return false;
    if (!ply_match_engine_is_builtin(spec) && !api_may_run_programs(a, "engines", answer))
        return false;
    snprintf(engine->spec, sizeof engine->spec, "%s", spec);
    snprintf(engine->options, sizeof engine->options, "%s", options);
    snprintf(engine->name, sizeof engine->name, "%s", name && name[0] ? name : spec);
    return true;
}

static bool read_plan(app *a, json_t *body, tournament_plan *plan, response *answer)
{
    const char *game = NULL, *variant = "";
    int64_t rounds = 1, millis = DEFAULT_MILLIS, seed = 1;
    json_t *engines = json_object_get(body, "engines"), *item;
    size_t i;
    if (!body_string(body, "game", true, sizeof plan->game - 1, &game, answer) ||
        !body_string(body, "variant", false, sizeof plan->variant - 1, &variant, answer) ||
        !body_number(body, "rounds", false, 1, TOURNAMENT_ROUNDS, &rounds, answer) ||
        !body_number(body, "millis", false, 1, MILLIS_LIMIT, &millis, answer) ||
        !body_number(body, "seed", false, 0, INT32_MAX, &seed, answer))
        return false;
    if (!json_is_array(engines) || json_array_size(engines) < 2 ||
        json_array_size(engines) > TOURNAMENT_ENGINES)
        return response_fail(answer, 400, "bad-member", "engines",
                             "engines must be an array of 2 to %d engines", TOURNAMENT_ENGINES);
    *plan = (tournament_plan){.count = json_array_size(engines),
                              .rounds = (unsigned)rounds,
                              .millis = (uint64_t)millis,
                              .seed = (uint64_t)seed};
    snprintf(plan->game, sizeof plan->game, "%s", game);
    snprintf(plan->variant, sizeof plan->variant, "%s", variant);
    json_array_foreach(engines, i, item)
    {
        if (!read_engine(a, item, &plan->engines[i], answer))
            return false;
    }
    return true;
}

/* --- the status ------------------------------------------------------------------------------- */
static void write_real(ply_text *out, const char *name, double value)
{
    ply_json_name(out, name);
    if (isfinite(value))
        ply_json_real(out, value);
    else
        ply_json_null(out);
}

/* Adds the results of a pair, seen by its second engine if `swapped`. */
static void add_tally(match_tally *to, const match_tally *pair, bool swapped)
{
    to->wins += swapped ? pair->losses : pair->wins;
    to->losses += swapped ? pair->wins : pair->losses;
    to->draws += pair->draws;
    for (int i = 0; i < 5; i++)
        to->pairs[i] += pair->pairs[swapped ? 4 - i : i];
}

/* An engine with its result against all others: the Elo difference to them, with its error. */
static void write_engine(const tournament_status *s, size_t number, ply_text *out)
{
    match_tally all = {0};
    ply_json_open(out, '{');
    ply_json_member_string(out, "name", s->plan.engines[number].name);
    ply_json_member_string(out, "spec", s->plan.engines[number].spec);
    ply_json_name(out, "against");
    ply_json_open(out, '[');
    for (size_t other = 0; other < s->plan.count; other++) {
        bool swapped = other < number;
        const match_tally *pair =
            swapped ? &s->pairs[other][number].tally : &s->pairs[number][other].tally;
        match_tally mine = {0};
        if (other != number)
            add_tally(&mine, pair, swapped);
        add_tally(&all, &mine, false);
        ply_json_open(out, '{');
        ply_json_member_unsigned(out, "wins", mine.wins);
        ply_json_member_unsigned(out, "draws", mine.draws);
        ply_json_member_unsigned(out, "losses", mine.losses);
        ply_json_close(out, '}');
    }
    ply_json_close(out, ']');
    match_elo elo = ply_match_estimate(&all);
    uint64_t games = all.wins + all.losses + all.draws;
    ply_json_member_unsigned(out, "games", games);
    write_real(out, "points", (double)all.wins + (double)all.draws / 2);
    write_real(out, "elo", games ? elo.elo : (double)INFINITY);
    write_real(out, "error", games ? elo.error : (double)INFINITY);
    ply_json_close(out, '}');
}

static void write_live(const tournament_status *s, ply_text *out)
{
    ply_json_name(out, "players");
    ply_json_open(out, '[');
    for (int player = 0; player < 2 && s->live[0] >= 0; player++)
        ply_json_unsigned(out, (uint64_t)s->live[player]);
    ply_json_close(out, ']');
    ply_json_name(out, "position");
    if (s->position)
        ply_json_string(out, s->position);
    else
        ply_json_null(out);
    ply_json_member_unsigned(out, "plies", s->plies);
}

static void reply(app *a, int http_status, response *answer)
{
    static const char *const stages[] = {"none", "running", "finished", "stopped", "failed"};
    tournament_status s;
    if (!tournament_read(a->tournament, &s)) {
        response_no_memory(answer);
        return;
    }
    ply_text *out = response_json(answer, http_status);
    ply_json_open(out, '{');
    ply_json_member_string(out, "stage", stages[s.stage]);
    ply_json_member_string(out, "message", s.error.message);
    ply_json_member_string(out, "game", s.plan.game);
    ply_json_member_string(out, "variant", s.plan.variant);
    ply_json_member_bool(out, "programs", !a->guard.token);
    ply_json_member_unsigned(out, "played", s.played);
    ply_json_member_unsigned(out, "total", s.total);
    ply_json_name(out, "engines");
    ply_json_open(out, '[');
    for (size_t i = 0; i < s.plan.count; i++)
        write_engine(&s, i, out);
    ply_json_close(out, ']');
    write_live(&s, out);
    ply_json_close(out, '}');
    tournament_status_clear(&s);
}

void api_tournament(app *a, const request *r, const int64_t *ids, response *answer)
{
    (void)ids;
    if (request_check_parameters(r, NULL, answer))
        reply(a, 200, answer);
}

void api_start_tournament(app *a, const request *r, const int64_t *ids, response *answer)
{
    static const char *const names[] = {"game",   "variant", "engines", "rounds",
                                        "millis", "seed",    NULL};
    (void)ids;
    tournament_plan plan;
    ply_error error = {0};
    json_t *body = NULL;
    if (!request_check_parameters(r, NULL, answer) || !(body = body_parse(r, names, answer)))
        return;
    if (read_plan(a, body, &plan, answer)) {
        ply_status status = tournament_start(a->tournament, &plan, &error);
        if (status == PLY_OK)
            reply(a, 201, answer);
        else
            response_fail_error(answer, status == PLY_LIMIT ? 409 : 422, "engines", &error);
    }
    json_decref(body);
}

void api_stop_tournament(app *a, const request *r, const int64_t *ids, response *answer)
{
    (void)ids;
    if (!request_check_parameters(r, NULL, answer))
        return;
    tournament_stop(a->tournament);
    reply(a, 200, answer);
}
