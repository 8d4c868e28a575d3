/* SPDX-License-Identifier: MIT */
/*
 * opening.c - opening procedures, such as swap2, as guided choices for any game that has them.
 *
 * The server keeps no state: the client sends the actions so far and gets back what is possible
 * now. On request the engine acts once (search/opening_player.h).
 */
#include "core/text/json_write.h"
#include "search/opening_player.h"
#include "server/api/app.h"
#include "server/api/view.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_ACTIONS = 64, MAX_RULE_TEXT = 40 };

/* A procedure and the actions that led to it. */
typedef struct opening {
    ply_rules rules;
    const char *rule;
    void *procedure;
    char texts[MAX_ACTIONS][PLY_OPENING_TEXT];
    size_t count;
} opening;

static int player_to_act(const opening *o)
{
    return o->rules.openings->to_act(&o->rules, o->procedure);
}

static bool perform(opening *o, const char *text, ply_error *error)
{
    ply_cursor cursor = ply_cursor_make(text, strlen(text), error);
    if (o->rules.openings->perform(&o->rules, o->procedure, &cursor) != PLY_OK)
        return false;
    if (!ply_cursor_done(&cursor)) {
        ply_cursor_fail(&cursor, PLY_BAD_TEXT, "unexpected text after the action");
        return false;
    }
    strcpy(o->texts[o->count++], text);
    return true;
}

static bool read_actions(json_t *body, opening *o, response *answer)
{
    json_t *array = json_object_get(body, "acts");
    if (!json_is_array(array) || json_array_size(array) > MAX_ACTIONS)
        return response_fail(answer, 400, "bad-member", "acts",
                             "acts must be an array of at most %d", MAX_ACTIONS);
    for (size_t i = 0; i < json_array_size(array); i++) {
        const char *text = json_string_value(json_array_get(array, i));
        ply_error error = {0};
        if (!text || strlen(text) >= PLY_OPENING_TEXT)
            return response_fail(answer, 400, "bad-member", "acts", "an act is a short string");
        if (!perform(o, text, &error))
            return response_fail_error(answer, 422, "acts", &error);
    }
    return true;
}

static bool let_engine_act(opening *o, int level, response *answer)
{
    char text[PLY_OPENING_TEXT];
    ply_rng rng = ply_rng_make((uint64_t)library_now(), (uint64_t)level);
    ply_error error = {0};
    if (o->count == MAX_ACTIONS || player_to_act(o) < 0)
        return true;
    ply_status status = ply_opening_choose(&o->rules, o->procedure, &rng, text);
    if (status == PLY_NO_MEMORY)
        return response_no_memory(answer);
    if (status == PLY_OK)
        perform(o, text, &error);
    return true;
}

/* --- the response ---------------------------------------------------------------------------- */
/* One list of actions: those that are moves, by their text, or the others, with a label. */
typedef struct action_list {
    ply_text *out;
    bool moves;
} action_list;

static bool write_action(void *context, const ply_opening_action *action)
{
    action_list *list = context;
    if ((action->move != PLY_MOVE_NONE) != list->moves)
        return true;
    if (list->moves) {
        ply_json_string(list->out, action->text);
        return true;
    }
    ply_json_open(list->out, '{');
    ply_json_member_string(list->out, "act", action->text);
    ply_json_member_string(list->out, "text", action->label);
    ply_json_close(list->out, '}');
    return true;
}

static void write_actions(const opening *o, const char *name, bool moves, ply_text *out)
{
    action_list list = {out, moves};
    ply_json_name(out, name);
    ply_json_open(out, '[');
    o->rules.openings->actions(&o->rules, o->procedure, write_action, &list);
    ply_json_close(out, ']');
}

static void write_move(const opening *o, const ply_state *before, ply_move move, ply_text *out)
{
    char buffer[PLY_MOVE_TEXT];
    ply_text text = ply_text_fixed(buffer, sizeof buffer);
    o->rules.game->format_move(&o->rules, before->position, move, &text);
    ply_json_string(out, buffer);
}

static void write_offers(const opening *o, const ply_state *state, ply_text *out)
{
    ply_move offers[PLY_OPENING_MOVES];
    size_t count = o->rules.openings->offers(&o->rules, o->procedure, offers);
    ply_json_name(out, "offers");
    ply_json_open(out, '[');
    for (size_t i = 0; i < count; i++)
        write_move(o, state, offers[i], out);
    ply_json_close(out, ']');
}

/* The moves of the state, each written in the position before it. */
static void write_settled_moves(const opening *o, ply_state *state, ply_text *out)
{
    ply_move moves[PLY_OPENING_MOVES];
    size_t count = state->plies;
    for (size_t i = 0; i < count; i++)
        moves[i] = state->moves[i];
    while (ply_state_undo(state))
        continue;
    ply_json_name(out, "stones");
    ply_json_open(out, '[');
    for (size_t i = 0; i < count; i++) {
        write_move(o, state, moves[i], out);
        ply_state_play(state, moves[i]); /* there is room: it was played before */
    }
    ply_json_close(out, ']');
}

/* False when memory runs out. */
static bool write_opening(const opening *o, ply_text *out)
{
    const ply_opening_hooks *hooks = o->rules.openings;
    char variant[256], description[600];
    ply_text variant_text = ply_text_fixed(variant, sizeof variant);
    ply_text description_text = ply_text_fixed(description, sizeof description);
    int player = player_to_act(o);
    ply_state state;
    if (ply_opening_state(&o->rules, o->procedure, &state) != PLY_OK)
        return false;
    ply_rules_format(&o->rules, &variant_text);
    hooks->describe(&o->rules, o->procedure, &description_text);
    description[strcspn(description, "\n")] = '\0';
    ply_json_open(out, '{');
    ply_json_member_string(out, "rule", o->rule);
    ply_json_member_string(out, "variant", variant);
    ply_json_name(out, "acts");
    ply_json_open(out, '[');
    for (size_t i = 0; i < o->count; i++)
        ply_json_string(out, o->texts[i]);
    ply_json_close(out, ']');
    ply_json_member_bool(out, "done", player < 0);
    view_number_or_null(out, "player", player >= 0, player);
    ply_json_member_unsigned(out, "black", (uint64_t)hooks->first_side(&o->rules, o->procedure));
    ply_json_member_unsigned(out, "colour",
                             (uint64_t)o->rules.game->side(&o->rules, state.position));
    ply_json_member_string(out, "text", description);
    write_actions(o, "choices", false, out);
    write_actions(o, "cells", true, out);
    write_offers(o, &state, out);
    write_settled_moves(o, &state, out);
    ply_json_name(out, "view");
    bool good = view_position(&(view_source){.state = &state}, out);
    ply_state_free(&state);
    ply_json_close(out, '}');
    return good;
}

/* --- the request ----------------------------------------------------------------------------- */
static bool has_procedures(const ply_game *game)
{
    return game->openings && game->openings->rules;
}

/* A request need not name the game: the first that has procedures is meant. */
static const char *default_game(void)
{
    for (size_t i = 0; i < ply_game_count(); i++)
        if (has_procedures(ply_game_at(i)))
            return ply_game_at(i)->id;
    return NULL;
}

/* Begins the procedure. False with an error response; o->procedure is the caller's to free. */
static bool begin(opening *o, const char *id, const char *variant, response *answer)
{
    const ply_game *game = id ? ply_game_find(id) : NULL;
    ply_error error = {0};
    if (!game)
        return api_make_rules(id, variant, &o->rules, answer); /* says that there is no such game */
    if (!has_procedures(game))
        return response_fail(answer, 422, "unsupported", "game", "%s has no opening procedures",
                             game->name);
    if (!variant || !variant[0])
        variant = game->openings->default_variant(o->rule);
    if (!api_make_rules(id, variant, &o->rules, answer))
        return false;
    o->procedure = malloc(game->openings->procedure_bytes);
    if (!o->procedure)
        return response_no_memory(answer);
    if (game->openings->begin(&o->rules, o->rule, o->procedure, &error) != PLY_OK)
        return response_fail_error(answer, 422, "rule", &error);
    return true;
}

void api_opening(app *a, const request *r, const int64_t *ids, response *answer)
{
    (void)a;
    (void)ids;
    static const char *const names[] = {"variant", "game", "rule", "acts", "choose", NULL};
    const char *variant = NULL, *game = default_game();
    int64_t level = 0;
    opening o = {.count = 0};
    if (!request_check_parameters(r, NULL, answer))
        return;
    json_t *body = body_parse(r, names, answer);
    if (!body)
        return;
    if (body_string(body, "game", false, 40, &game, answer) &&
        body_string(body, "variant", false, 400, &variant, answer) &&
        body_string(body, "rule", true, MAX_RULE_TEXT, &o.rule, answer) &&
        body_number(body, "choose", false, 1, PLY_LEVEL_FULL, &level, answer) &&
        begin(&o, game, variant, answer) && read_actions(body, &o, answer) &&
        (level == 0 || let_engine_act(&o, (int)level, answer)) &&
        !write_opening(&o, response_json(answer, 200)))
        response_no_memory(answer);
    free(o.procedure);
    json_decref(body);
}
