/* SPDX-License-Identifier: MIT */
/* catalog.c - the catalog of games, formats, levels and engines; the status of the server. */
#include "core/clock.h"
#include "core/text/json_write.h"
#include "record/game_json.h"
#include "server/api/app.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void write_variant(const ply_game *game, const ply_variant *variant, ply_text *out)
{
    ply_rules rules;
    if (ply_rules_make(&rules, game, variant->id, NULL) != PLY_OK)
        return;
    ply_json_open(out, '{');
    ply_json_member_string(out, "id", variant->id);
    ply_json_member_string(out, "name", variant->name);
    ply_game_json_pair("players", ply_game_player_name(&rules, 0), ply_game_player_name(&rules, 1),
                       out);
    ply_json_name(out, "settings");
    ply_json_open(out, '{');
    for (size_t i = 0; i < game->option_count; i++) {
        const ply_option *option = &game->options[i];
        ply_json_name(out, option->name);
        if (option->names)
            ply_json_string(out, option->names[rules.option[i]]);
        else
            ply_json_signed(out, rules.option[i]);
    }
    ply_json_close(out, '}');
    ply_json_close(out, '}');
}

static void write_openings(const ply_game *game, const ply_variant *variant, ply_text *out)
{
    ply_rules rules;
    if (ply_rules_make(&rules, game, variant->id, NULL) != PLY_OK || !rules.openings->count)
        return;
    size_t count = rules.openings->count(&rules);
    bool has_moves = true;
    /* Openings given as moves come first. Decks of positions follow, which are too long to list. */
    for (size_t i = 0; i < count && has_moves; i++) {
        ply_text name = ply_text_growing(), position = ply_text_growing(),
                 moves = ply_text_growing();
        has_moves =
            rules.openings->get(&rules, i, &name, &position, &moves) == PLY_OK && moves.length > 0;
        if (has_moves && name.length > 0) {
            ply_json_open(out, '{');
            ply_json_member_string(out, "name", ply_text_cstr(&name));
            ply_json_member_string(out, "position", ply_text_cstr(&position));
            ply_json_member_string(out, "moves", ply_text_cstr(&moves));
            ply_json_member_string(out, "variant", variant->id);
            ply_json_close(out, '}');
        }
        ply_text_free(&name);
        ply_text_free(&position);
        ply_text_free(&moves);
    }
}

static void write_opening_rules(const ply_game *game, ply_text *out)
{
    ply_json_name(out, "opening_rules");
    ply_json_open(out, '[');
    const ply_opening_rule *rule = game->openings ? game->openings->rules : NULL;
    for (; rule && rule->id; rule++) {
        ply_json_open(out, '{');
        ply_json_member_string(out, "id", rule->id);
        ply_json_member_string(out, "name", rule->name);
        ply_json_member_string(out, "help", rule->help);
        ply_json_close(out, '}');
    }
    ply_json_close(out, ']');
}

static void write_notations(const ply_game *game, ply_text *out)
{
    size_t count = game->display ? game->display->notation_count : 0;
    ply_json_name(out, "notations");
    ply_json_open(out, '[');
    for (size_t i = 0; i < count; i++) {
        const ply_notation *notation = &game->display->notations[i];
        ply_json_open(out, '{');
        ply_json_member_string(out, "id", notation->id);
        ply_json_member_string(out, "name", notation->name);
        ply_json_member_string(out, "language", notation->language);
        ply_json_close(out, '}');
    }
    ply_json_close(out, ']');
}

static void write_game(const ply_game *game, ply_text *out)
{
    ply_json_open(out, '{');
    ply_game_json_names(game, out);
    ply_json_member_bool(out, "turns", game->multi_move_turns);
    ply_json_name(out, "variants");
    ply_json_open(out, '[');
    for (size_t i = 0; i < game->variant_count; i++)
        write_variant(game, &game->variants[i], out);
    ply_json_close(out, ']');
    ply_game_json_options(game, out);
    ply_game_json_formats(game, out);
    write_notations(game, out);
    ply_json_name(out, "openings");
    ply_json_open(out, '[');
    for (size_t i = 0; i < game->variant_count; i++)
        write_openings(game, &game->variants[i], out);
    ply_json_close(out, ']');
    write_opening_rules(game, out);
    ply_game_json_level_elo(game, out);
    ply_json_close(out, '}');
}

static void write_levels(ply_text *out)
{
    static const char *const levels[][2] = {
        {"Newcomer", "overlooks a great deal"},       {"Beginner", "overlooks many moves"},
        {"Learner", "overlooks a move now and then"}, {"Casual", "often chooses a lesser move"},
        {"Hobby", "looks a few plies ahead"},         {"Club", "makes small mistakes"},
        {"Strong club", "makes few mistakes"},        {"Expert", "makes hardly any mistakes"},
        {"Master", "sees almost everything"},         {"Full strength", "uses all the time it has"},
    };
    ply_json_name(out, "levels");
    ply_json_open(out, '[');
    for (int i = 0; i < PLY_LEVEL_FULL; i++) {
        ply_json_open(out, '{');
        ply_json_member_signed(out, "level", i + 1);
        ply_json_member_string(out, "name", levels[i][0]);
        ply_json_member_string(out, "help", levels[i][1]);
        ply_json_close(out, '}');
    }
    ply_json_close(out, ']');
}

static void write_engines(ply_text *out)
{
    static const struct {
        const char *id, *name;
        bool levels;
    } engines[] = {{"alphabeta", "Engine", true},
                   {"mcts", "Monte-Carlo", true},
                   {"greedy", "Greedy: the best-looking next position", false},
                   {"random", "Random moves", false}};
    ply_json_name(out, "engines");
    ply_json_open(out, '[');
    for (size_t i = 0; i < sizeof engines / sizeof engines[0]; i++) {
        ply_json_open(out, '{');
        ply_json_member_string(out, "id", engines[i].id);
        ply_json_member_string(out, "name", engines[i].name);
        ply_json_member_bool(out, "levels", engines[i].levels);
        ply_json_close(out, '}');
    }
    ply_json_close(out, ']');
}

bool api_write_catalog(ply_text *out)
{
    ply_json_open(out, '{');
    ply_json_member_string(out, "version", ply_version());
    ply_json_name(out, "games");
    ply_json_open(out, '[');
    for (size_t i = 0; i < ply_game_count(); i++)
        write_game(ply_game_at(i), out);
    ply_json_close(out, ']');
    write_levels(out);
    write_engines(out);
    return !out->failed; /* api_catalog adds the limits and closes the object */
}

void api_catalog(app *a, const request *r, const int64_t *ids, response *answer)
{
    (void)ids;
    if (!request_check_parameters(r, NULL, answer))
        return;
    ply_text *out = response_json(answer, 200);
    ply_text_bytes(out, ply_text_cstr(&a->catalog), a->catalog.length);
    ply_json_name(out, "limits");
    ply_json_open(out, '{');
    ply_json_member_unsigned(out, "body_bytes", REQUEST_BODY_LIMIT);
    ply_json_member_unsigned(out, "nodes", LIBRARY_NODE_LIMIT);
    ply_json_member_unsigned(out, "title_bytes", LIBRARY_TITLE_LIMIT);
    ply_json_member_unsigned(out, "comment_bytes", LIBRARY_COMMENT_LIMIT);
    ply_json_member_unsigned(out, "analyses", a->jobs.limit[JOB_GROUP_ANALYSES]);
    ply_json_member_unsigned(out, "lines", API_MULTIPV_LIMIT);
    ply_json_member_unsigned(out, "engine_millis", API_ENGINE_MILLIS_LIMIT);
    ply_json_close(out, '}');
    ply_json_close(out, '}');
}

/* The resident memory of the process in bytes; 0 when unknown. */
static uint64_t resident_bytes(void)
{
    unsigned long long size = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file)
        return 0;
    if (fscanf(file, "%llu %llu", &size, &resident) != 2)
        resident = 0;
    fclose(file);
    return resident * (uint64_t)sysconf(_SC_PAGESIZE);
}

void api_status(app *a, const request *r, const int64_t *ids, response *answer)
{
    (void)ids;
    ply_error error = {0};
    uint64_t games = 0;
    if (!request_check_parameters(r, NULL, answer))
        return;
    if (store_count(library_store(a->library), &games, &error) != PLY_OK) {
        api_fail_error(answer, &error);
        return;
    }
    ply_text *out = response_json(answer, 200);
    ply_json_open(out, '{');
    ply_json_member_string(out, "version", ply_version());
    ply_json_name(out, "uptime");
    ply_json_real(out, ply_clock_seconds_since(a->start_nanos));
    ply_json_member_unsigned(out, "games", games);
    ply_json_member_unsigned(out, "loaded", library_loaded(a->library));
    ply_json_member_unsigned(out, "requests",
                             atomic_load_explicit(&a->requests, memory_order_relaxed));
    ply_json_member_unsigned(out, "connections",
                             atomic_load_explicit(&a->connections, memory_order_relaxed));
    static const char *const groups[JOB_GROUPS] = {"engines", "analyses"};
    job_pool *pool = &a->jobs;
    pthread_mutex_lock(&pool->lock);
    for (int i = 0; i < JOB_GROUPS; i++) {
        ply_json_name(out, groups[i]);
        ply_json_open(out, '{');
        ply_json_member_unsigned(out, "running", pool->running[i]);
        ply_json_member_unsigned(out, "limit", pool->limit[i]);
        ply_json_member_unsigned(out, "started", pool->started[i]);
        ply_json_close(out, '}');
    }
    pthread_mutex_unlock(&pool->lock);
    ply_json_member_unsigned(out, "memory", resident_bytes());
    ply_json_close(out, '}');
}

void api_openapi(app *a, const request *r, const int64_t *ids, response *answer)
{
    (void)a;
    (void)ids;
    if (!request_check_parameters(r, NULL, answer))
        return;
    response_free(answer);
    *answer = (response){.status = 200,
                         .content_type = "application/json; charset=utf-8",
                         .fixed = page_openapi.bytes,
                         .fixed_length = page_openapi.length};
}
