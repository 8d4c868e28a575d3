/* SPDX-License-Identifier: MIT */
/* common.c - what the handlers share; see app.h. */
#include "server/api/app.h"
#include <stdlib.h>
#include <string.h>

void api_fail_store(response *answer, const ply_error *error)
{
    if (error->status == PLY_NO_MEMORY)
        response_no_memory(answer);
    else if (error->status == PLY_LIMIT)
        response_fail_error(answer, 409, NULL, error);
    else if (error->status == PLY_IO)
        response_fail_error(answer, 507, NULL, error);
    else
        response_fail_error(answer, 422, NULL, error);
}

saved_game *api_take_game(app *a, const int64_t *ids, response *answer)
{
    ply_error error = {0};
    saved_game *game = library_take(a->library, ids[0], &error);
    if (game)
        return game;
    if (error.status == PLY_UNSUPPORTED)
        response_fail(answer, 404, "not-found", "id", "there is no game %lld", (long long)ids[0]);
    else
        api_fail_store(answer, &error);
    return NULL;
}

saved_game *api_take_node(app *a, const int64_t *ids, uint32_t node, response *answer)
{
    saved_game *game = api_take_game(a, ids, answer);
    if (game && node >= game->record.node_count) {
        library_put(a->library, game);
        response_fail(answer, 404, "not-found", "node", "the game has no node %u", node);
        return NULL;
    }
    return game;
}

bool api_make_rules(const char *game, const char *variant, ply_rules *rules, response *answer)
{
    ply_error error = {0};
    const ply_game *kind = game ? ply_game_find(game) : NULL;
    if (!game)
        return response_fail(answer, 400, "missing", "game", "game is needed");
    if (!kind)
        return response_fail(answer, 422, "unknown-game", "game", "there is no game '%.80s'", game);
    if (ply_rules_make(rules, kind, variant, &error) != PLY_OK)
        return response_fail_error(answer, 422, "variant", &error);
    return true;
}

bool api_make_state(const ply_rules *rules, const char *position, const char *moves,
                    ply_state *state, response *answer)
{
    ply_error error = {0};
    const char *field = NULL;
    ply_status status = ply_state_init(state, rules);
    if (status != PLY_OK)
        return response_fail(answer, 422, "refused", NULL, "%s", ply_status_text(status));
    if (position && position[0]) {
        field = "position";
        status = ply_state_parse(state, position, strlen(position), &error);
    }
    if (status == PLY_OK && moves) {
        field = "moves";
        status = ply_state_play_text(state, moves, strlen(moves), &error);
    }
    if (status == PLY_OK)
        return true;
    ply_state_free(state);
    if (error.status == PLY_NO_MEMORY)
        return response_no_memory(answer);
    return response_fail_error(answer, 422, field, &error);
}

/* --- parts of a game that are stored as JSON -------------------------------------------------- */
static bool player_is_good(json_t *player, response *answer)
{
    static const char *const members[] = {"kind", "name", "engine", "level", "millis", NULL};
    const char *kind = NULL, *name = NULL, *engine = NULL;
    int64_t number = 0;
    if (!json_is_object(player))
        return response_fail(answer, 400, "bad-member", "players", "a player must be an object");
    if (!object_knows_only(player, "a player", members, answer) ||
        !object_string(player, "kind", true, 20, &kind, answer) ||
        !object_string(player, "name", false, 200, &name, answer) ||
        !object_string(player, "engine", false, 20, &engine, answer) ||
        !object_number(player, "level", false, 1, PLY_LEVEL_FULL, &number, answer) ||
        !object_number(player, "millis", false, 0, 600000, &number, answer))
        return false;
    if (strcmp(kind, "person") != 0 && strcmp(kind, "engine") != 0)
        return response_fail(answer, 400, "bad-member", "kind", "kind is person or engine");
    ply_player_spec spec;
    if (engine && (strchr(engine, ':') || ply_player_spec_parse(&spec, engine, NULL) != PLY_OK))
        return response_fail(answer, 400, "bad-member", "engine",
                             "engine is alphabeta, mcts, greedy or random");
    return true;
}

static char *compact(json_t *value, response *answer)
{
    char *text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
    if (!text)
        response_no_memory(answer);
    return text;
}

char *api_players_text(json_t *players, response *answer)
{
    if (!players) {
        char *text = strdup("[{\"kind\":\"person\"},{\"kind\":\"person\"}]");
        if (!text)
            response_no_memory(answer);
        return text;
    }
    if (!json_is_array(players) || json_array_size(players) != 2) {
        response_fail(answer, 400, "bad-member", "players", "players must be an array of two");
        return NULL;
    }
    for (size_t i = 0; i < 2; i++)
        if (!player_is_good(json_array_get(players, i), answer))
            return NULL;
    return compact(players, answer);
}

char *api_clock_text(json_t *clock, response *answer)
{
    static const char *const members[] = {"base", "increment", "byoyomi", NULL};
    int64_t number;
    if (!clock || json_is_null(clock)) {
        char *text = strdup("null");
        if (!text)
            response_no_memory(answer);
        return text;
    }
    if (!json_is_object(clock)) {
        response_fail(answer, 400, "bad-member", "clock", "clock must be an object or null");
        return NULL;
    }
    if (!object_knows_only(clock, "a clock", members, answer) ||
        !object_number(clock, "base", true, 0, 86400000, &number, answer) ||
        !object_number(clock, "increment", true, 0, 3600000, &number, answer) ||
        !object_number(clock, "byoyomi", true, 0, 3600000, &number, answer))
        return NULL;
    return compact(clock, answer);
}

char *api_tags_text(const char *old, json_t *changes, response *answer)
{
    json_t *tags = json_loads(old, 0, NULL), *value;
    const char *name;
    char *text = NULL;
    bool good = true;
    if (changes && !json_is_object(changes))
        good = response_fail(answer, 400, "bad-member", "tags", "tags must be an object");
    if (good && changes)
        json_object_foreach(changes, name, value)
        {
            if (json_is_null(value))
                json_object_del(tags, name);
            else if (json_is_string(value) && name[0])
                json_object_set(tags, name, value);
            else
                good = response_fail(answer, 400, "bad-member", "tags", "a tag must be a string");
        }
    if (good && json_object_size(tags) > SAVED_TAG_LIMIT)
        good = response_fail(answer, 413, "too-large", "tags", "there may be %d tags",
                             SAVED_TAG_LIMIT);
    if (good)
        text = compact(tags, answer);
    if (text && strlen(text) > SAVED_TEXT_LIMIT) {
        free(text);
        text = NULL;
        response_fail(answer, 413, "too-large", "tags", "the tags are longer than %d bytes",
                      SAVED_TEXT_LIMIT);
    }
    json_decref(tags);
    return text;
}
