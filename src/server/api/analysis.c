/* SPDX-License-Identifier: MIT */
/* analysis.c - engine moves, hints, analyses: requests that start jobs. */
#include "server/api/app.h"
#include "server/api/view.h"
#include <string.h>
#include <sys/random.h>

enum {
    HINT_MILLIS = 1000,
    PROGRAM_MILLIS = 1000, /* a move of a program takes, if nothing says otherwise */
    ANALYSIS_MILLIS = 3600000,
    DEFAULT_MULTIPV = 3,
    DEPTH_LIMIT = 100,
};

static uint64_t random_seed(void)
{
    uint64_t seed = 1;
    if (getrandom(&seed, sizeof seed, GRND_NONBLOCK) != (ssize_t)sizeof seed)
        seed = 1;
    return seed;
}

/* Creates a job, which answers the request; NULL with a 429. */
static job *new_job(app *a, const job_spec *spec, response *answer)
{
    ply_status status;
    job *j = job_new(&a->jobs, spec, &status);
    if (j)
        return j;
    job_group group = job_group_of(spec->kind);
    if (status == PLY_LIMIT)
        response_fail(answer, 429, "busy", NULL, "%u %s are running already; try again later",
                      a->jobs.limit[group], group == JOB_GROUP_ANALYSES ? "analyses" : "engines");
    else
        response_no_memory(answer);
    return NULL;
}

/* --- engine moves and hints ------------------------------------------------------------------- */
/* What a request for an engine's move or a hint says. */
typedef struct move_request {
    const char *engine; /* NULL, and 0 below: not given */
    int64_t node, level, millis;
    int64_t program; /* the number of one of the user's engines */
    bool clock;
    char engine_name[API_WORD_LIMIT + 1]; /* what engine points to if it comes from the game */
} move_request;

/* Fills in what the request leaves open from the settings of the player to move. */
static void use_player_settings(const library_game *game, int side, move_request *wanted)
{
    json_t *players = json_loads(game->header.players, 0, NULL);
    json_t *player = json_array_get(players, (size_t)side);
    const char *kind = json_string_value(json_object_get(player, "kind"));
    if (kind && strcmp(kind, "engine") == 0) {
        const char *name = json_string_value(json_object_get(player, "engine"));
        if (!wanted->engine && !wanted->program)
            wanted->program = json_integer_value(json_object_get(player, "program"));
        if (!wanted->engine && name && strlen(name) < sizeof wanted->engine_name)
            wanted->engine = strcpy(wanted->engine_name, name);
        if (!wanted->level)
            wanted->level = json_integer_value(json_object_get(player, "level"));
        if (!wanted->millis)
            wanted->millis = json_integer_value(json_object_get(player, "millis"));
    }
    json_decref(players);
}

/* Sets the limits from the clock of the game, if it has one. */
static void read_clock(const library_game *game, uint32_t node, int side, ply_search_limits *limits)
{
    game_clock clock = view_clock(game, node, side);
    if (!clock.used)
        return;
    game_clock_stop(&clock, library_now()); /* what is left now */
    limits->has_clock = true;
    for (int i = 0; i < 2; i++) {
        limits->clock[i] = (uint64_t)clock.player[i].left;
        limits->increment[i] = (uint64_t)clock.settings.increment;
    }
    limits->byoyomi = (uint64_t)clock.settings.byoyomi;
}

/* Sets engine and limits of a job; *program is room for a program. False with the failure in
 * *answer. */
static bool fill_spec(app *a, const library_game *game, move_request *wanted, job_spec *spec,
                      program_spec *program, response *answer)
{
    int side = spec->state->rules->game->side(spec->state->rules, spec->state->position);
    if (spec->kind == JOB_ENGINE)
        use_player_settings(game, side, wanted);
    const char *engine = wanted->engine;
    ply_player_spec *player = &spec->player;
    if (engine && (strchr(engine, ':') || ply_player_spec_parse(player, engine, NULL) != PLY_OK))
        return response_fail(answer, 400, "bad-member", "engine",
                             "engine must be alphabeta, mcts, greedy or random");
    if (!engine)
        *player = (ply_player_spec){.kind = PLY_PLAYER_ALPHABETA};
    player->level = (int)wanted->level;
    player->seed = random_seed();
    if (wanted->millis)
        spec->limits.millis = (uint64_t)wanted->millis;
    else if (wanted->clock)
        read_clock(game, (uint32_t)wanted->node, side, &spec->limits);
    else if (spec->kind == JOB_HINT)
        spec->limits.millis = HINT_MILLIS;
    if (!wanted->program)
        return true;
    if (!spec->limits.millis && !spec->limits.has_clock)
        spec->limits.millis = PROGRAM_MILLIS;
    spec->program = program;
    return api_find_program(a, wanted->program, spec->state->rules, program, answer);
}

static void start_move(app *a, const request *r, const int64_t *ids, job_kind kind,
                       response *answer)
{
    static const char *const names[] = {"node", "engine", "level", "millis", "clock", NULL};
    move_request wanted = {0};
    if (!request_check_parameters(r, NULL, answer))
        return;
    json_t *body = body_parse(r, names, answer);
    library_game *game = NULL;
    if (body && body_number(body, "node", true, 0, UINT32_MAX, &wanted.node, answer) &&
        body_string(body, "engine", false, API_WORD_LIMIT, &wanted.engine, answer) &&
        body_number(body, "level", false, 1, PLY_LEVEL_FULL, &wanted.level, answer) &&
        body_number(body, "millis", false, 1, API_ENGINE_MILLIS_LIMIT, &wanted.millis, answer) &&
        body_bool(body, "clock", &wanted.clock, answer))
        game = api_acquire_node(a, ids, (uint32_t)wanted.node, answer);
    if (game) {
        ply_state state;
        uint32_t node = (uint32_t)wanted.node;
        if (api_state_at(game, node, &state, answer)) {
            program_spec program;
            job_spec spec = {.kind = kind,
                             .state = &state,
                             .output = &api_job_output,
                             .game = game->id,
                             .node = node};
            if (ply_state_outcome(&state).result != PLY_ONGOING)
                response_fail(answer, 409, "over", "node", "the game is over at this node");
            else if (kind == JOB_ENGINE && !api_may_play(a, game, node, answer))
                (void)0; /* api_may_play has answered */
            else if (fill_spec(a, game, &wanted, &spec, &program, answer))
                answer->job = new_job(a, &spec, answer);
            ply_state_free(&state);
        }
        library_release(a->library, game);
    }
    json_decref(body);
}

void api_engine(app *a, const request *r, const int64_t *ids, response *answer)
{
    start_move(a, r, ids, JOB_ENGINE, answer);
}

void api_hint(app *a, const request *r, const int64_t *ids, response *answer)
{
    start_move(a, r, ids, JOB_HINT, answer);
}

/* --- analyses ---------------------------------------------------------------- */
/* What a request for an analysis says. *program gets the number of one of the user's engines, or
 * 0. */
static bool read_analysis(const request *r, job_spec *spec, uint64_t *program, response *answer)
{
    uint64_t lines, depth;
    const char *engine = request_parameter_value(r, "engine");
    if (!request_number(r, "lines", 1, API_MULTIPV_LIMIT, DEFAULT_MULTIPV, &lines, answer) ||
        !request_number(r, "depth", 1, DEPTH_LIMIT, 0, &depth, answer) ||
        !request_number(r, "program", 1, UINT32_MAX, 0, program, answer) ||
        !request_number(r, "millis", 1, ANALYSIS_MILLIS, ANALYSIS_MILLIS, &spec->limits.millis,
                        answer))
        return false;
    spec->kind = JOB_ANALYSIS;
    spec->limits.multipv = (unsigned)lines;
    spec->limits.depth = (int)depth;
    spec->search = engine && strcmp(engine, "mcts") == 0 ? PLY_SEARCH_MCTS : PLY_SEARCH_ALPHABETA;
    if (engine && spec->search != PLY_SEARCH_MCTS && strcmp(engine, "alphabeta") != 0)
        return response_fail(answer, 400, "bad-parameter", "engine",
                             "engine must be alphabeta or mcts");
    return true;
}

static void start_stream(app *a, const job_spec *wanted, uint64_t number, response *answer)
{
    program_spec program;
    job_spec spec = *wanted;
    spec.output = &api_job_output;
    if (number) {
        if (!api_find_program(a, (int64_t)number, spec.state->rules, &program, answer))
            return;
        spec.program = &program;
    }
    job *j = new_job(a, &spec, answer);
    if (!j)
        return;
    response_free(answer);
    *answer = (response){.status = 200, .content_type = "text/event-stream", .job = j};
}

/* The same for node spec->node of the saved game ids[0]. */
static void stream_node(app *a, const int64_t *ids, job_spec *spec, uint64_t program,
                        response *answer)
{
    library_game *game = api_acquire_node(a, ids, spec->node, answer);
    if (!game)
        return;
    ply_state state;
    if (api_state_at(game, spec->node, &state, answer)) {
        spec->state = &state;
        start_stream(a, spec, program, answer);
        spec->state = NULL;
        ply_state_free(&state);
    }
    library_release(a->library, game);
}

void api_analyse_node(app *a, const request *r, const int64_t *ids, response *answer)
{
    static const char *const names[] = {"lines", "millis", "depth", "engine", "program", NULL};
    job_spec spec = {.game = ids[0], .node = (uint32_t)ids[1]};
    uint64_t program;
    if (!request_check_parameters(r, names, answer) || !read_analysis(r, &spec, &program, answer))
        return;
    stream_node(a, ids, &spec, program, answer);
}

void api_analyse_position(app *a, const request *r, const int64_t *ids, response *answer)
{
    (void)ids;
    static const char *const names[] = {"game",   "variant", "position", "moves",   "lines",
                                        "millis", "depth",   "engine",   "program", NULL};
    job_spec spec = {0};
    uint64_t program;
    ply_rules rules;
    ply_state state;
    if (!request_check_parameters(r, names, answer) || !read_analysis(r, &spec, &program, answer) ||
        !api_make_rules(request_parameter_value(r, "game"), request_parameter_value(r, "variant"),
                        &rules, answer) ||
        !api_make_state(&rules, request_parameter_value(r, "position"),
                        request_parameter_value(r, "moves"), &state, answer))
        return;
    spec.state = &state;
    start_stream(a, &spec, program, answer);
    ply_state_free(&state);
}
