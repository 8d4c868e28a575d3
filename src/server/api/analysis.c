/* SPDX-License-Identifier: MIT */
/* analysis.c - engine moves, hints, analyses and graphs: the orders for jobs. */
#include "server/api/app.h"
#include "server/api/view.h"
#include <string.h>
#include <sys/random.h>

enum { HINT_MILLIS = 1000, ANALYSIS_MILLIS = 3600000 };

static uint64_t random_seed(void)
{
    uint64_t seed = 1;
    if (getrandom(&seed, sizeof seed, GRND_NONBLOCK) != (ssize_t)sizeof seed)
        seed = 1;
    return seed;
}

/* --- engine and hint -------------------------------------------------------------------------- */
/* What the seat whose turn it is says about its engine; where the request is silent that counts. */
static void read_seat(const saved_game *game, int side, const char **engine, int64_t *level,
                      int64_t *millis, char *room, size_t room_size)
{
    json_t *players = json_loads(game->row.players, 0, NULL);
    json_t *seat = json_array_get(players, (size_t)side);
    const char *kind = json_string_value(json_object_get(seat, "kind"));
    if (kind && strcmp(kind, "engine") == 0) {
        const char *name = json_string_value(json_object_get(seat, "engine"));
        if (!*engine && name && strlen(name) < room_size)
            *engine = strcpy(room, name);
        if (!*level)
            *level = json_integer_value(json_object_get(seat, "level"));
        if (!*millis)
            *millis = json_integer_value(json_object_get(seat, "millis"));
    }
    json_decref(players);
}

static bool read_clock(const saved_game *game, uint32_t node, int side, ply_search_limits *limits)
{
    int64_t left[2];
    json_t *clock = json_loads(game->row.clock, JSON_DECODE_ANY, NULL);
    bool has_clock = json_is_object(clock) && view_clock(game, node, side, left);
    if (has_clock) {
        limits->has_clock = true;
        for (int i = 0; i < 2; i++) {
            limits->clock[i] = (uint64_t)left[i];
            limits->increment[i] =
                (uint64_t)json_integer_value(json_object_get(clock, "increment"));
        }
        limits->byoyomi = (uint64_t)json_integer_value(json_object_get(clock, "byoyomi"));
    }
    json_decref(clock);
    return has_clock;
}

typedef struct think_request {
    const char *engine;
    int64_t node, level, millis;
    bool clock;
} think_request;

static bool make_order(const saved_game *game, const think_request *t, job_order *order,
                       response *answer)
{
    const char *engine = t->engine;
    int64_t level = t->level, millis = t->millis;
    char room[20];
    int side = order->state->rules->game->side(order->state->rules, order->state->position);
    if (order->kind == JOB_ENGINE)
        read_seat(game, side, &engine, &level, &millis, room, sizeof room);
    ply_player_spec *spec = &order->player;
    if (engine && (strchr(engine, ':') || ply_player_spec_parse(spec, engine, NULL) != PLY_OK))
        return response_fail(answer, 400, "bad-member", "engine",
                             "engine is alphabeta, mcts, greedy or random");
    if (!engine)
        *spec = (ply_player_spec){.kind = PLY_PLAYER_ALPHABETA};
    spec->level = (int)level;
    spec->seed = random_seed();
    if (millis)
        order->limits.millis = (uint64_t)millis;
    else if (t->clock)
        read_clock(game, (uint32_t)t->node, side, &order->limits);
    else if (order->kind == JOB_HINT)
        order->limits.millis = HINT_MILLIS;
    return true;
}

static void think(app *a, const request *r, const int64_t *ids, job_kind kind, response *answer)
{
    static const char *const names[] = {"node", "engine", "level", "millis", "clock", NULL};
    think_request t = {0};
    if (!request_knows_only(r, NULL, answer))
        return;
    json_t *body = body_object(r, names, answer);
    saved_game *game = NULL;
    if (body && object_number(body, "node", true, 0, UINT32_MAX, &t.node, answer) &&
        object_string(body, "engine", false, 20, &t.engine, answer) &&
        object_number(body, "level", false, 1, PLY_LEVEL_FULL, &t.level, answer) &&
        object_number(body, "millis", false, 1, API_ENGINE_MILLIS, &t.millis, answer) &&
        object_bool(body, "clock", &t.clock, answer))
        game = api_take_node(a, ids, (uint32_t)t.node, answer);
    if (game) {
        ply_state state;
        ply_error error = {0};
        if (saved_state(game, (uint32_t)t.node, &state, &error) != PLY_OK) {
            api_fail_store(answer, &error);
        } else {
            job_order order = {
                .kind = kind, .state = &state, .game = game->id, .node = (uint32_t)t.node};
            if (ply_state_outcome(&state).result != PLY_ONGOING)
                response_fail(answer, 409, "over", "node", "the game is over there");
            else if (make_order(game, &t, &order, answer))
                answer->job = job_new(&a->thinkers, &order, answer);
            ply_state_free(&state);
        }
        library_put(a->library, game);
    }
    json_decref(body);
}

void api_engine(app *a, const request *r, const int64_t *ids, response *answer)
{
    think(a, r, ids, JOB_ENGINE, answer);
}

void api_hint(app *a, const request *r, const int64_t *ids, response *answer)
{
    think(a, r, ids, JOB_HINT, answer);
}

/* --- analyses --------------------------------------------------------------------------------- */
static bool read_analysis(const request *r, job_order *order, response *answer)
{
    uint64_t lines, depth;
    const char *engine = request_parameter_value(r, "engine");
    if (!request_number(r, "lines", 1, API_LINES, 3, &lines, answer) ||
        !request_number(r, "depth", 1, 100, 0, &depth, answer) ||
        !request_number(r, "millis", 1, ANALYSIS_MILLIS, ANALYSIS_MILLIS, &order->limits.millis,
                        answer))
        return false;
    order->kind = JOB_ANALYSIS;
    order->limits.multipv = (unsigned)lines;
    order->limits.depth = (int)depth;
    order->search = engine && strcmp(engine, "mcts") == 0 ? PLY_SEARCH_MCTS : PLY_SEARCH_ALPHABETA;
    if (engine && order->search != PLY_SEARCH_MCTS && strcmp(engine, "alphabeta") != 0)
        return response_fail(answer, 400, "bad-parameter", "engine", "engine is alphabeta or mcts");
    return true;
}

static void start_stream(app *a, const job_order *order, response *answer)
{
    job *j = job_new(&a->thinkers, order, answer);
    if (!j)
        return;
    response_free(answer);
    *answer = (response){.status = 200, .content_type = "text/event-stream", .job = j};
}

/* The same for a node of a saved game: ids are those of the path, the order names the node. */
static void stream_node(app *a, const int64_t *ids, job_order *order, response *answer)
{
    saved_game *game = api_take_node(a, ids, order->node, answer);
    if (!game)
        return;
    ply_state state;
    ply_error error = {0};
    if (saved_state(game, order->node, &state, &error) == PLY_OK) {
        order->state = &state;
        start_stream(a, order, answer);
        order->state = NULL;
        ply_state_free(&state);
    } else {
        api_fail_store(answer, &error);
    }
    library_put(a->library, game);
}

void api_analyse_node(app *a, const request *r, const int64_t *ids, response *answer)
{
    static const char *const names[] = {"lines", "millis", "depth", "engine", NULL};
    job_order order = {.game = ids[0], .node = (uint32_t)ids[1]};
    if (!request_knows_only(r, names, answer) || !read_analysis(r, &order, answer))
        return;
    stream_node(a, ids, &order, answer);
}

void api_analyse_position(app *a, const request *r, const int64_t *ids, response *answer)
{
    (void)ids;
    static const char *const names[] = {"game",   "variant", "position", "moves", "lines",
                                        "millis", "depth",   "engine",   NULL};
    job_order order = {0};
    ply_rules rules;
    ply_state state;
    if (!request_knows_only(r, names, answer) || !read_analysis(r, &order, answer) ||
        !api_make_rules(request_parameter_value(r, "game"), request_parameter_value(r, "variant"),
                        &rules, answer) ||
        !api_make_state(&rules, request_parameter_value(r, "position"),
                        request_parameter_value(r, "moves"), &state, answer))
        return;
    order.state = &state;
    start_stream(a, &order, answer);
    ply_state_free(&state);
}

void api_graph(app *a, const request *r, const int64_t *ids, response *answer)
{
    static const char *const names[] = {"nodes", "again", NULL};
    job_order order = {.kind = JOB_GRAPH, .game = ids[0], .node = (uint32_t)ids[1]};
    if (!request_knows_only(r, names, answer) ||
        !request_number(r, "nodes", 0, 10000000, 20000, &order.graph_nodes, answer) ||
        !request_bool(r, "again", &order.graph_again, answer))
        return;
    stream_node(a, ids, &order, answer);
}
