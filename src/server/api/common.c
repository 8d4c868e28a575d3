/* SPDX-License-Identifier: MIT */
/* common.c - what handlers share; see app.h. */
#include "core/text/json_write.h"
#include "server/api/app.h"
#include <stdlib.h>
#include <string.h>

void api_fail_error(response *answer, const ply_error *error)
{
    if (error->status == PLY_LIMIT)
        response_fail_error(answer, 409, NULL, error);
    else if (error->status == PLY_IO)
        response_fail_error(answer, 507, NULL, error);
    else
        response_fail_error(answer, 422, NULL, error);
}

library_game *api_acquire_game(app *a, const int64_t *ids, response *answer)
{
    ply_error error = {0};
    library_game *game = library_acquire(a->library, ids[0], &error);
    if (game)
        return game;
    if (error.status == PLY_UNSUPPORTED)
        response_fail(answer, 404, "not-found", "id", "there is no game %lld", (long long)ids[0]);
    else
        api_fail_error(answer, &error);
    return NULL;
}

library_game *api_acquire_node(app *a, const int64_t *ids, uint32_t node, response *answer)
{
    library_game *game = api_acquire_game(a, ids, answer);
    if (game && node >= game->record.node_count) {
        library_release(a->library, game);
        response_fail(answer, 404, "not-found", "node", "the game has no node %u", node);
        return NULL;
    }
    return game;
}

bool api_state_at(const library_game *game, uint32_t node, ply_state *state, response *answer)
{
    ply_error error = {0};
    if (library_state_at(game, node, state, &error) == PLY_OK)
        return true;
    api_fail_error(answer, &error);
    return false;
}

/* --- saving ----------------------------------------------------------------------------------- */
/* Ends a save. needs_sync stays set once it is, since an error may follow a change. */
static bool saved(ply_status status, const ply_error *error, response *answer)
{
    if (status == PLY_OK)
        answer->needs_sync = true;
    else
        api_fail_error(answer, error);
    return status == PLY_OK;
}

bool api_save_game(app *a, library_game *game, size_t first, response *answer)
{
    ply_error error = {0};
    if (game->header.result != PLY_ONGOING || game->header.deleted)
        program_pool_end_game(&a->jobs.programs, game->id);
    return saved(library_save(a->library, game, first, &error), &error, answer);
}

bool api_save_node(app *a, library_game *game, uint32_t node, response *answer)
{
    ply_error error = {0};
    return saved(library_save_node(a->library, game, node, &error), &error, answer);
}

library_game *api_save_new_game(app *a, ply_record *record, const store_header *header,
                                response *answer)
{
    ply_error error = {0};
    library_game *game = library_create(a->library, record, header, &error);
    saved(game ? PLY_OK : error.status, &error, answer);
    return game;
}

/* --- rules and states ------------------------------------------------------------------------- */
bool api_make_rules(const char *game, const char *variant, ply_rules *rules, response *answer)
{
    ply_error error = {0};
    const ply_game *kind = game ? ply_game_find(game) : NULL;
    if (!game)
        return response_fail(answer, 400, "missing", "game", "game is required");
    if (!kind)
        return response_fail(answer, 422, "unknown-game", "game", "unknown game '%.80s'", game);
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
        return response_fail_error(answer, 422, NULL, &(ply_error){.status = status});
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
    return response_fail_error(answer, 422, field, &error);
}

bool api_body_state(json_t *body, ply_rules *rules, ply_state *state, const char **position,
                    response *answer)
{
    const char *game = NULL, *variant = NULL, *moves = NULL;
    *position = NULL;
    return body_string(body, "game", true, API_GAME_LIMIT, &game, answer) &&
           body_string(body, "variant", false, API_VARIANT_LIMIT, &variant, answer) &&
           body_string(body, "position", false, REQUEST_BODY_LIMIT, position, answer) &&
           body_string(body, "moves", false, REQUEST_BODY_LIMIT, &moves, answer) &&
           api_make_rules(game, variant, rules, answer) &&
           api_make_state(rules, *position, moves, state, answer);
}

bool api_may_play(app *a, library_game *game, uint32_t node, response *answer)
{
    switch (library_may_play(game, node, library_now())) {
    case LIBRARY_MAY_PLAY:
        return true;
    case LIBRARY_NOT_TIP:
        return response_fail(answer, 409, "not-tip", "node",
                             "the game stands at another move; take moves back first");
    case LIBRARY_FINISHED:
        return response_fail(answer, 409, "over", "node", "the game is over");
    case LIBRARY_OUT_OF_TIME:
        break;
    }
    return api_save_game(a, game, game->record.node_count, answer) &&
           response_fail(answer, 409, "time", NULL, "the time has run out");
}

/* --- parts of a game that are stored as JSON -------------------------------------------------- */
static bool check_player(json_t *player, response *answer)
{
    static const char *const members[] = {"kind",  "name",   "engine", "program",
                                          "level", "millis", NULL};
    const char *kind = NULL, *name = NULL, *engine = NULL;
    int64_t number = 0;
    if (!json_is_object(player))
        return response_fail(answer, 400, "bad-member", "players", "a player must be an object");
    if (!body_check_members(player, "a player", members, answer) ||
        !body_string(player, "kind", true, API_WORD_LIMIT, &kind, answer) ||
        !body_string(player, "name", false, API_NAME_LIMIT, &name, answer) ||
        !body_string(player, "engine", false, API_WORD_LIMIT, &engine, answer) ||
        !body_number(player, "program", false, 1, UINT32_MAX, &number, answer) ||
        !body_number(player, "level", false, 1, PLY_LEVEL_FULL, &number, answer) ||
        !body_number(player, "millis", false, 0, API_ENGINE_MILLIS_LIMIT, &number, answer))
        return false;
    if (strcmp(kind, "person") != 0 && strcmp(kind, "engine") != 0)
        return response_fail(answer, 400, "bad-member", "kind", "kind must be person or engine");
    ply_player_spec spec;
    if (engine && (strchr(engine, ':') || ply_player_spec_parse(&spec, engine, NULL) != PLY_OK))
        return response_fail(answer, 400, "bad-member", "engine",
                             "engine must be alphabeta, mcts, greedy or random");
    return true;
}

/* Writes a value made of objects, arrays, strings and integers. */
static void write_json(const json_t *value, ply_text *out)
{
    const char *name;
    json_t *member;
    if (json_is_object(value)) {
        ply_json_open(out, '{');
        json_object_foreach((json_t *)(uintptr_t)value, name, member)
        {
            ply_json_name(out, name);
            write_json(member, out);
        }
        ply_json_close(out, '}');
    } else if (json_is_array(value)) {
        ply_json_open(out, '[');
        for (size_t i = 0; i < json_array_size(value); i++)
            write_json(json_array_get(value, i), out);
        ply_json_close(out, ']');
    } else if (json_is_string(value)) {
        ply_json_string(out, json_string_value(value));
    } else {
        ply_json_signed(out, json_integer_value(value));
    }
}

char *api_finish_json(ply_text *text, response *answer)
{
    if (!text->failed)
        return text->data;
    ply_text_free(text);
    response_no_memory(answer);
    return NULL;
}

static char *compact(const json_t *value, response *answer)
{
    ply_text text = ply_text_growing();
    write_json(value, &text);
    return api_finish_json(&text, answer);
}

char *api_players_json(json_t *players, response *answer)
{
    if (!players) {
        char *text = strdup("[{\"kind\":\"person\"},{\"kind\":\"person\"}]");
        if (!text)
            response_no_memory(answer);
        return text;
    }
    if (!json_is_array(players) || json_array_size(players) != 2) {
        response_fail(answer, 400, "bad-member", "players",
                      "players must be an array of two players");
        return NULL;
    }
    for (size_t i = 0; i < 2; i++)
        if (!check_player(json_array_get(players, i), answer))
            return NULL;
    return compact(players, answer);
}

enum { HOUR_MILLIS = 3600000, DAY_MILLIS = 24 * HOUR_MILLIS, PERIODS_LIMIT = 99 };

char *api_clock_json(json_t *clock, response *answer)
{
    static const char *const members[] = {"base", "increment", "byoyomi", "periods", NULL};
    int64_t base = 0, increment = 0, byoyomi = 0, periods = 1;
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
    if (!body_check_members(clock, "a clock", members, answer) ||
        !body_number(clock, "base", true, 0, DAY_MILLIS, &base, answer) ||
        !body_number(clock, "increment", true, 0, HOUR_MILLIS, &increment, answer) ||
        !body_number(clock, "byoyomi", true, 0, HOUR_MILLIS, &byoyomi, answer) ||
        !body_number(clock, "periods", false, 1, PERIODS_LIMIT, &periods, answer))
        return NULL;
    if (base == 0 && increment == 0 && byoyomi == 0) {
        response_fail(answer, 400, "bad-member", "clock", "a clock must give some time");
        return NULL;
    }
    ply_text text = ply_text_growing();
    ply_json_open(&text, '{');
    ply_json_member_signed(&text, "base", base);
    ply_json_member_signed(&text, "increment", increment);
    ply_json_member_signed(&text, "byoyomi", byoyomi);
    ply_json_member_signed(&text, "periods", periods);
    ply_json_close(&text, '}');
    return api_finish_json(&text, answer);
}

char *api_tags_json(const char *old, json_t *changes, response *answer)
{
    json_t *tags = json_loads(old, 0, NULL), *value;
    const char *name;
    char *text = NULL;
    bool good = tags || response_no_memory(answer);
    if (good && changes && !json_is_object(changes))
        good = response_fail(answer, 400, "bad-member", "tags", "tags must be an object");
    if (good && changes)
        json_object_foreach(changes, name, value)
        {
            if (json_is_null(value))
                json_object_del(tags, name);
            else if (!json_is_string(value) || !name[0])
                good = response_fail(answer, 400, "bad-member", "tags", "a tag must be a string");
            else if (json_object_set(tags, name, value) != 0)
                good = response_no_memory(answer);
        }
    if (good && json_object_size(tags) > LIBRARY_TAG_LIMIT)
        good = response_fail(answer, 413, "too-large", "tags", "a game may have at most %d tags",
                             LIBRARY_TAG_LIMIT);
    if (good)
        text = compact(tags, answer);
    if (text && strlen(text) > LIBRARY_TEXT_LIMIT) {
        free(text);
        text = NULL;
        response_fail(answer, 413, "too-large", "tags", "the tags are longer than %d bytes",
                      LIBRARY_TEXT_LIMIT);
    }
    json_decref(tags);
    return text;
}
