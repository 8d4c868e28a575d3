/* SPDX-License-Identifier: MIT */
/* nodes.c - positions, moves, comments and glyphs, tablebase values, memory layout. */
#include "core/text/json_write.h"
#include "server/api/app.h"
#include "server/api/view.h"
#include <plyverse/layout.h>
#include <stdlib.h>
#include <string.h>

void api_view(app *a, const request *r, const int64_t *ids, response *answer)
{
    (void)a;
    (void)ids;
    static const char *const names[] = {"game", "variant", "position", "moves", NULL};
    const char *position;
    ply_rules rules;
    ply_state state;
    if (!request_check_parameters(r, NULL, answer))
        return;
    json_t *body = body_parse(r, names, answer);
    if (!body)
        return;
    if (api_body_state(body, &rules, &state, &position, answer)) {
        view_source source = {.state = &state};
        if (!view_position(&source, response_json(answer, 200)))
            response_no_memory(answer);
        ply_state_free(&state);
    }
    json_decref(body);
}

void api_view_node(app *a, const request *r, const int64_t *ids, response *answer)
{
    static const char *const names[] = {"show", NULL};
    bool show;
    ply_state state;
    if (!request_check_parameters(r, names, answer) || !request_bool(r, "show", &show, answer))
        return;
    uint32_t node = (uint32_t)ids[1];
    library_game *game = api_acquire_node(a, ids, node, answer);
    if (!game)
        return;
    if (api_state_at(game, node, &state, answer)) {
        if (!view_game_node(game, node, &state, response_json(answer, 200)))
            response_no_memory(answer);
        else if (show)
            library_show_node(game, node);
        ply_state_free(&state);
    }
    library_release(a->library, game);
}

/* --- moves ------------------------------------------------------------------------------------ */
/* White space and commas may separate moves, as in ply_state_play_text. */
static void skip_separators(ply_cursor *cursor)
{
    while (ply_cursor_skip_space(cursor) > 0 || ply_cursor_accept(cursor, ','))
        continue;
}

/* Parses a move, plays it and adds it below *node; false with the error in *answer. */
static bool add_move(library_game *game, uint32_t *node, ply_state *state, ply_cursor *cursor,
                     response *answer)
{
    const ply_rules *rules = state->rules;
    ply_error *error = cursor->error;
    ply_cursor start = *cursor;
    ply_move move;
    bool added;
    ply_status status = rules->game->parse_move(rules, state->position, cursor, &move);
    if (status == PLY_OK) {
        status = library_add_move(game, *node, move, state, node, &added, error);
        if (status == PLY_LIMIT && game->record.node_count >= LIBRARY_NODE_LIMIT) {
            api_fail_error(answer, error);
            return false;
        }
        if (status != PLY_OK)
            ply_cursor_fail(&start, status, "%s", ply_status_text(status));
    }
    if (status == PLY_OK)
        return true;
    return status == PLY_NO_MEMORY ? response_no_memory(answer)
                                   : response_fail_error(answer, 422, "move", error);
}

/*
 * Plays the moves of a text, starting at *node with its state, and adds those that are new. *node
 * and *state advance. False with the error in *answer; some moves may have been added then.
 */
static bool add_moves(library_game *game, uint32_t *node, ply_state *state, const char *text,
                      response *answer)
{
    ply_error error = {0};
    ply_cursor cursor = ply_cursor_make(text, strlen(text), &error);
    size_t count = 0, over_after = 0;
    if (ply_state_outcome(state).result != PLY_ONGOING)
        return response_fail(answer, 409, "over", "node", "the game is over at this node");
    for (skip_separators(&cursor); !ply_cursor_done(&cursor); skip_separators(&cursor)) {
        /* Malformed text is the more helpful error, so the rest is parsed all the same. */
        if (over_after == 0 && count > 0 && ply_state_outcome(state).result != PLY_ONGOING)
            over_after = count;
        if (!add_move(game, node, state, &cursor, answer))
            return false;
        count++;
    }
    if (count == 0)
        return response_fail(answer, 422, "bad-text", "move", "there is no move in the text");
    if (over_after > 0)
        return response_fail(answer, 422, "over", "move", "the game is over after %zu moves",
                             over_after);
    return true;
}

/* What a request to move says. */
typedef struct new_move {
    uint32_t node;
    const char *text;
    int64_t millis; /* -1: not given */
    bool variation; /* leaves the game where it stands */
} new_move;

/* Continues a game in play to a node; false with the failure in *answer. */
static bool continue_game(app *a, library_game *game, uint32_t node, size_t first,
                          const ply_state *state, response *answer)
{
    ply_error error = {0};
    int next = state->rules->game->side(state->rules, state->position);
    if (library_continue(a->library, game, node, first, next, library_now(), &error) == PLY_OK)
        return true;
    api_fail_error(answer, &error);
    return false;
}

/* Adds the moves of a text below a node, saves them and answers. */
static void move_in_game(app *a, library_game *game, const new_move *wanted, response *answer)
{
    ply_state state;
    uint32_t node = wanted->node;
    size_t first = game->record.node_count;
    bool continues = game->header.mode == LIBRARY_PLAY && !wanted->variation;
    if ((continues && !api_may_play(a, game, node, answer)) ||
        !api_state_at(game, node, &state, answer))
        return;
    if (!add_moves(game, &node, &state, wanted->text, answer)) {
        library_remove_unsaved(game, first);
        ply_state_free(&state);
        return;
    }
    bool grown = game->record.node_count > first;
    if (grown && wanted->millis >= 0)
        game->record.nodes[node].millis = (int32_t)wanted->millis;
    library_show_node(game, node);
    if (continues && !continue_game(a, game, node, first, &state, answer)) {
        ply_state_free(&state);
        return;
    }
    if (grown || continues)
        library_update_result(game, node, &state);
    if (!(grown || continues) || api_save_game(a, game, first, answer)) {
        ply_text *out = response_json(answer, 200);
        /* A move that was there may have been added a moment ago and not be on disk yet. */
        answer->needs_sync = true;
        if (view_added_nodes(game, node, first, &state, out))
            ply_json_close(out, '}');
        else
            response_no_memory(answer);
    }
    ply_state_free(&state);
}

void api_move(app *a, const request *r, const int64_t *ids, response *answer)
{
    static const char *const names[] = {"node", "move", "millis", "variation", NULL};
    new_move wanted = {.millis = -1};
    int64_t node = 0;
    if (!request_check_parameters(r, NULL, answer))
        return;
    json_t *body = body_parse(r, names, answer);
    library_game *game = NULL;
    if (body && body_number(body, "node", true, 0, UINT32_MAX, &node, answer) &&
        body_string(body, "move", true, LIBRARY_TEXT_LIMIT, &wanted.text, answer) &&
        body_number(body, "millis", false, 0, INT32_MAX, &wanted.millis, answer) &&
        body_bool(body, "variation", &wanted.variation, answer))
        game = api_acquire_node(a, ids, (uint32_t)node, answer);
    if (game) {
        wanted.node = (uint32_t)node;
        move_in_game(a, game, &wanted, answer);
        library_release(a->library, game);
    }
    json_decref(body);
}

/* --- comments, glyphs, order of variations ---------------------------------------------------- */
static bool read_nags(json_t *nags, ply_record_node *node, response *answer)
{
    if (!json_is_array(nags) || json_array_size(nags) > PLY_NAG_LIMIT)
        return response_fail(answer, 400, "bad-member", "nags",
                             "nags must be an array of at most %d numbers", PLY_NAG_LIMIT);
    uint8_t values[PLY_NAG_LIMIT] = {0};
    size_t count = json_array_size(nags);
    for (size_t i = 0; i < count; i++) {
        json_t *nag = json_array_get(nags, i);
        if (!json_is_integer(nag) || json_integer_value(nag) < 0 || json_integer_value(nag) > 255)
            return response_fail(answer, 400, "bad-member", "nags",
                                 "a nag must be a number from 0 to 255");
        values[i] = (uint8_t)json_integer_value(nag);
    }
    memcpy(node->nags, values, sizeof values);
    node->nag_count = (uint8_t)count;
    return true;
}

/* Whether a node may become its parent's first child. In play, the game stays the main line. */
static bool may_promote(const library_game *game, uint32_t n, response *answer)
{
    uint32_t tip = (uint32_t)game->header.tip;
    return game->header.mode == LIBRARY_ANALYSIS ||
           !library_is_above(game, game->record.nodes[n].parent, tip) ||
           game->record.nodes[n].parent == tip || library_is_above(game, n, tip) ||
           response_fail(answer, 409, "in-play", "first",
                         "the game itself stays the main variation");
}

/* Whether a node, with all that follows, may be deleted. The game itself may not. */
static bool may_delete(const library_game *game, uint32_t n, response *answer)
{
    if (n == 0)
        return response_fail(answer, 409, "root", "deleted", "the start cannot be deleted");
    return !library_has_tip(game) || !library_is_above(game, n, (uint32_t)game->header.tip) ||
           response_fail(answer, 409, "in-play", "deleted",
                         "this move is part of the game and cannot be deleted");
}

/* Changes a node in memory; false, and no change, with the error in *answer. */
static bool change_node(library_game *game, uint32_t n, json_t *body, response *answer)
{
    const char *comment = NULL;
    bool first = false, deleted = game->extra[n].deleted, was_deleted = deleted;
    json_t *nags = json_object_get(body, "nags");
    ply_record_node *node = &game->record.nodes[n];
    if (!body_string(body, "comment", false, LIBRARY_COMMENT_LIMIT, &comment, answer) ||
        !body_bool(body, "first", &first, answer) ||
        !body_bool(body, "deleted", &deleted, answer) || (first && !may_promote(game, n, answer)) ||
        (deleted && !may_delete(game, n, answer)))
        return false;
    char *copy = comment ? strdup(comment) : NULL;
    if (comment && !copy)
        return response_no_memory(answer);
    if (nags && !read_nags(nags, node, answer)) {
        free(copy);
        return false;
    }
    if (comment) {
        free(node->comment);
        node->comment = copy;
    }
    if (deleted != was_deleted)
        library_delete_node(game, n, deleted);
    if (first && !deleted)
        library_promote(game, n);
    return true;
}

void api_patch_node(app *a, const request *r, const int64_t *ids, response *answer)
{
    static const char *const names[] = {"comment", "nags", "first", "deleted", NULL};
    uint32_t node = (uint32_t)ids[1];
    if (!request_check_parameters(r, NULL, answer))
        return;
    json_t *body = body_parse(r, names, answer);
    library_game *game = body ? api_acquire_node(a, ids, node, answer) : NULL;
    if (game && change_node(game, node, body, answer)) {
        library_update_result(game, 0, NULL);
        if (api_save_node(a, game, node, answer) &&
            api_save_game(a, game, game->record.node_count, answer)) {
            ply_text *out = response_json(answer, 200);
            ply_json_open(out, '{');
            ply_json_name(out, "nodes");
            ply_json_open(out, '[');
            view_node(game, node, out);
            if (node > 0)
                view_node(game, game->record.nodes[node].parent, out);
            ply_json_close(out, ']');
            ply_json_close(out, '}');
        }
    }
    if (game)
        library_release(a->library, game);
    json_decref(body);
}

/* --- tablebase values ------------------------------------------------------------------------- */
static void write_value(ply_tablebase_value value, ply_text *out)
{
    static const char *const names[] = {"draw", "win", "loss"};
    ply_json_member_string(out, "value", names[value.result]);
    if (value.result != PLY_TABLEBASE_DRAW)
        ply_json_member_unsigned(out, "distance", (uint64_t)value.plies);
}

/* The schema Values; false when memory runs out. */
static bool write_values(app *a, const ply_state *state, ply_text *out)
{
    const ply_rules *rules = state->rules;
    const void *position = state->position;
    ply_tablebase_value value;
    size_t count;
    ply_tablebase_move *moves = malloc(rules->max_moves * sizeof *moves);
    if (!moves)
        return false;
    bool known = tablebases_probe(&a->tablebases, rules, position, &value, moves, &count);
    ply_json_open(out, '{');
    ply_json_member_bool(out, "known", known);
    if (known) {
        ply_json_member_string(out, "source", "table");
        write_value(value, out);
    }
    ply_json_name(out, "moves");
    ply_json_open(out, '[');
    for (size_t i = 0; i < count; i++) {
        char text[PLY_MOVE_TEXT];
        ply_text move = ply_text_fixed(text, sizeof text);
        if (!moves[i].known)
            continue;
        rules->game->format_move(rules, position, moves[i].move, &move);
        ply_json_open(out, '{');
        ply_json_member_string(out, "move", text);
        write_value(moves[i].value, out);
        ply_json_close(out, '}');
    }
    ply_json_close(out, ']');
    ply_json_close(out, '}');
    free(moves);
    return true;
}

/* Answers with what `write` says about the position at a node; false: memory ran out. */
static void answer_at_node(app *a, const request *r, const int64_t *ids,
                           bool (*write)(app *a, const ply_state *state, ply_text *out),
                           response *answer)
{
    uint32_t node = (uint32_t)ids[1];
    ply_state state;
    library_game *game =
        request_check_parameters(r, NULL, answer) ? api_acquire_node(a, ids, node, answer) : NULL;
    if (!game)
        return;
    if (api_state_at(game, node, &state, answer)) {
        if (!write(a, &state, response_json(answer, 200)))
            response_no_memory(answer);
        ply_state_free(&state);
    }
    library_release(a->library, game);
}

void api_values(app *a, const request *r, const int64_t *ids, response *answer)
{
    answer_at_node(a, r, ids, write_values, answer);
}

/* --- memory layout ---------------------------------------------------------------------------- */
static bool write_layout(app *a, const ply_state *state, ply_text *out)
{
    (void)a;
    ply_layout *layout, *before;
    bool made = ply_layout_of_state(state, &layout, &before) == PLY_OK;
    if (made)
        ply_layout_json(layout, before, out);
    ply_layout_free(layout);
    ply_layout_free(before);
    return made;
}

void api_layout(app *a, const request *r, const int64_t *ids, response *answer)
{
    answer_at_node(a, r, ids, write_layout, answer);
}
