/* SPDX-License-Identifier: MIT */
/*
 * engines.c - the user's engines: programs that play and analyse beside ours.
 *
 * An engine is a command line. A request that adds or uses one can run any command, so it is refused
 * unless the server is for this machine alone. guard.c has refused requests of other web sites by
 * then.
 */
#include "core/text/json_write.h"
#include "server/api/app.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { ENGINES_LIMIT = 100, PROTOCOL_ROOM = 20 };

bool api_may_run_programs(const app *a, const char *field, response *answer)
{
    return !a->guard.token || response_fail(answer, 403, "not-local", field,
                                            "programs can only be run by a server for this machine "
                                            "alone");
}

/* --- reading ---------------------------------------------------------------------------------- */
typedef struct engine_search {
    int64_t id; /* wanted */
    program_spec *found;
    bool has_found;
    unsigned count; /* of all engines */
} engine_search;

static void look(void *context, const store_engine *engine)
{
    engine_search *search = context;
    search->count++;
    if (!search->found || engine->id != search->id)
        return;
    search->has_found = true;
    snprintf(search->found->name, sizeof search->found->name, "%s", engine->name);
    snprintf(search->found->spec, sizeof search->found->spec, "%s", engine->spec);
    snprintf(search->found->options, sizeof search->found->options, "%s", engine->options);
}

bool api_find_program(app *a, int64_t id, const ply_rules *rules, program_spec *program,
                      response *answer)
{
    engine_search search = {.id = id, .found = program};
    ply_error error = {0};
    if (!api_may_run_programs(a, "program", answer))
        return false;
    if (store_list_engines(library_store(a->library), look, &search, &error) != PLY_OK) {
        api_fail_error(answer, &error);
        return false;
    }
    if (!search.has_found)
        return response_fail(answer, 409, "no-program", "program",
                             "this engine is no longer in the list of engines");
    if (ply_match_engine_check(rules, program->spec, &error) != PLY_OK)
        return response_fail_error(answer, 422, "program", &error);
    return true;
}

static const char *game_of_protocol(const char *spec, size_t length)
{
    const char *id, *game;
    for (size_t i = 0; ply_match_protocol_at(i, &id, &game); i++)
        if (strlen(id) == length && memcmp(id, spec, length) == 0)
            return game;
    return NULL;
}

static void write_game(const char *game, ply_text *out)
{
    ply_json_name(out, "game");
    if (game)
        ply_json_string(out, game);
    else
        ply_json_null(out);
}

static void write_engine(void *context, const store_engine *engine)
{
    ply_text *out = context;
    char protocol[PROTOCOL_ROOM];
    size_t length = strcspn(engine->spec, ":");
    snprintf(protocol, sizeof protocol, "%.*s", (int)length, engine->spec);
    ply_json_open(out, '{');
    ply_json_member_unsigned(out, "id", (uint64_t)engine->id);
    ply_json_member_string(out, "name", engine->name);
    ply_json_member_string(out, "protocol", protocol);
    ply_json_member_string(out, "command", engine->spec + length + 1);
    ply_json_member_string(out, "options", engine->options);
    write_game(game_of_protocol(engine->spec, length), out);
    ply_json_close(out, '}');
}

void api_list_engines(app *a, const request *r, const int64_t *ids, response *answer)
{
    (void)ids;
    const char *id, *game;
    ply_error error = {0};
    ply_status status = PLY_OK;
    if (!request_check_parameters(r, NULL, answer))
        return;
    ply_text *out = response_json(answer, 200);
    ply_json_open(out, '{');
    ply_json_member_bool(out, "allowed", !a->guard.token);
    ply_json_name(out, "protocols");
    ply_json_open(out, '[');
    for (size_t i = 0; ply_match_protocol_at(i, &id, &game); i++) {
        ply_json_open(out, '{');
        ply_json_member_string(out, "id", id);
        write_game(game, out);
        ply_json_close(out, '}');
    }
    ply_json_close(out, ']');
    ply_json_name(out, "engines");
    ply_json_open(out, '[');
    if (!a->guard.token) /* a command line may hold what others should not read */
        status = store_list_engines(library_store(a->library), write_engine, out, &error);
    ply_json_close(out, ']');
    ply_json_close(out, '}');
    if (status != PLY_OK)
        api_fail_error(answer, &error);
}

/* --- changing --------------------------------------------------------------------------------- */
/* The name of an engine that was given none: that of the program. */
static void name_of_command(const char *command, char *name, size_t room)
{
    command += strspn(command, " \t");
    size_t length = strcspn(command, " \t");
    const char *start = command + length;
    while (start > command && start[-1] != '/')
        start--;
    snprintf(name, room, "%.*s", (int)(command + length - start), start);
}

static bool is_one_line(const char *text)
{
    for (; *text; text++)
        if (iscntrl((unsigned char)*text))
            return false;
    return true;
}

/* Checks what the body says and adds the engine. */
static void add_engine(app *a, json_t *body, response *answer)
{
    const char *name = "", *protocol = NULL, *command = NULL, *options = "";
    char own_name[PROGRAM_NAME_BYTES], spec[PROGRAM_SPEC_BYTES];
    ply_error error = {0};
    engine_search all = {0};
    if (!body_string(body, "protocol", true, PROTOCOL_ROOM - 1, &protocol, answer) ||
        !body_string(body, "command", true, PROGRAM_SPEC_BYTES - PROTOCOL_ROOM - 1, &command,
                     answer) ||
        !body_string(body, "name", false, PROGRAM_NAME_BYTES - 1, &name, answer) ||
        !body_string(body, "options", false, PROGRAM_OPTIONS_BYTES - 1, &options, answer))
        return;
    snprintf(spec, sizeof spec, "%s:%s", protocol, command);
    name_of_command(command, own_name, sizeof own_name);
    if (ply_match_engine_is_builtin(spec) || strchr(protocol, ':')) {
        response_fail(answer, 422, "bad-member", "protocol", "unknown protocol '%s'", protocol);
    } else if (!own_name[0] || !is_one_line(command)) {
        response_fail(answer, 422, "bad-member", "command", "command must be one line");
    } else if (!is_one_line(options) || !is_one_line(name)) {
        response_fail(answer, 422, "bad-member", is_one_line(name) ? "options" : "name",
                      "control characters are not allowed");
    } else if (store_list_engines(library_store(a->library), look, &all, &error) != PLY_OK) {
        api_fail_error(answer, &error);
    } else if (all.count >= ENGINES_LIMIT) {
        response_fail(answer, 409, "too-many", NULL, "there are %d engines already", ENGINES_LIMIT);
    } else {
        store_engine engine = {.name = name[0] ? name : own_name, .spec = spec, .options = options};
        if (store_add_engine(library_store(a->library), &engine, &engine.id, &error) == PLY_OK) {
            write_engine(response_json(answer, 201), &engine);
            answer->needs_sync = true;
        } else {
            api_fail_error(answer, &error);
        }
    }
}

void api_add_engine(app *a, const request *r, const int64_t *ids, response *answer)
{
    static const char *const names[] = {"name", "protocol", "command", "options", NULL};
    (void)ids;
    json_t *body = NULL;
    if (!request_check_parameters(r, NULL, answer) || !api_may_run_programs(a, NULL, answer) ||
        !(body = body_parse(r, names, answer)))
        return;
    add_engine(a, body, answer);
    json_decref(body);
}

void api_delete_engine(app *a, const request *r, const int64_t *ids, response *answer)
{
    ply_error error = {0};
    if (!request_check_parameters(r, NULL, answer) || !api_may_run_programs(a, NULL, answer))
        return;
    if (store_delete_engine(library_store(a->library), ids[0], &error) != PLY_OK) {
        api_fail_error(answer, &error);
        return;
    }
    ply_text *out = response_json(answer, 200);
    ply_json_open(out, '{');
    ply_json_close(out, '}');
    answer->needs_sync = true;
}
