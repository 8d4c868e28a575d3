/* SPDX-License-Identifier: MIT */
/* nodes.c - positions: of nodes, of texts; moves made; comments; exact values. */
#include "core/json_write.h"
#include "server/api/app.h"
#include "server/api/view.h"
#include <stdlib.h>
#include <string.h>

void api_view(app *a, const request *r, const int64_t *ids, response *answer)
{
    (void)a;
    (void)ids;
    static const char *const names[] = {"game", "variant", "position", "moves", NULL};
    const char *game = NULL, *variant = NULL, *position = NULL, *moves = NULL;
    ply_rules rules;
    ply_state state;
    if (!request_knows_only(r, NULL, answer))
        return;
    json_t *body = body_object(r, names, answer);
    if (!body)
        return;
    if (object_string(body, "game", true, 40, &game, answer) &&
        object_string(body, "variant", false, 400, &variant, answer) &&
        object_string(body, "position", false, REQUEST_BODY_LIMIT, &position, answer) &&
        object_string(body, "moves", false, REQUEST_BODY_LIMIT, &moves, answer) &&
        api_make_rules(game, variant, &rules, answer) &&
        api_make_state(&rules, position, moves, &state, answer)) {
        view_source source = {.state = &state};
        if (!view_write(&source, response_json(answer, 200)))
            response_no_memory(answer);
        ply_state_free(&state);
    }
    json_decref(body);
}

void api_view_node(app *a, const request *r, const int64_t *ids, response *answer)
{
    static const char *const names[] = {"show", NULL};
    bool show;
    ply_error error = {0};
    if (!request_knows_only(r, names, answer) || !request_bool(r, "show", &show, answer))
        return;
    uint32_t node = (uint32_t)ids[1];
    saved_game *game = api_take_node(a, ids, node, answer);
    if (!game)
        return;
    if (!view_saved(game, node, response_json(answer, 200), &error)) {
        api_fail_store(answer, &error);
    } else if (show && game->row.at != node) {
        game->row.at = node;
        game->at_changed = true;
    }
    library_put(a->library, game);
}

/* --- moves ------------------------------------------------------------------------------------ */
/* Plays the moves of a text from a node on; new nodes are added. False with the refusal. */
static bool add_moves(saved_game *game, uint32_t *node, const char *text, response *answer)
{
    ply_state state;
    ply_error error = {0};
    if (saved_state(game, *node, &state, &error) != PLY_OK) {
        api_fail_store(answer, &error);
        return false;
    }
    size_t before = state.plies;
    bool good = true;
    if (ply_state_outcome(&state).result != PLY_ONGOING) {
        good = response_fail(answer, 409, "over", "node", "the game is over there");
    } else if (ply_state_play_text(&state, text, strlen(text), &error) != PLY_OK) {
        good = error.status == PLY_NO_MEMORY ? response_no_memory(answer)
                                             : response_fail_error(answer, 422, "move", &error);
    } else if (state.plies == before) {
        good = response_fail(answer, 422, "bad-text", "move", "there is no move in it");
    }
    size_t count = good ? state.plies - before : 0;
    ply_move *moves = malloc((count + 1) * sizeof *moves);
    if (moves && count > 0)
        memcpy(moves, state.moves + before, count * sizeof *moves);
    while (state.plies > before)
        ply_state_undo(&state);
    for (size_t i = 0; good && moves && i < count; i++) {
        bool added;
        if (ply_state_outcome(&state).result != PLY_ONGOING)
            good =
                response_fail(answer, 422, "over", "move", "the game is over after %zu moves", i);
        else if (saved_add_move(game, *node, moves[i], &state, node, &added, &error) != PLY_OK)
            api_fail_store(answer, &error), good = false;
    }
    if (good && !moves)
        good = response_no_memory(answer);
    free(moves);
    ply_state_free(&state);
    return good;
}

void api_move(app *a, const request *r, const int64_t *ids, response *answer)
{
    static const char *const names[] = {"node", "move", "millis", NULL};
    const char *text = NULL;
    int64_t node = 0, millis = -1;
    if (!request_knows_only(r, NULL, answer))
        return;
    json_t *body = body_object(r, names, answer);
    saved_game *game = NULL;
    if (body && object_number(body, "node", true, 0, UINT32_MAX, &node, answer) &&
        object_string(body, "move", true, SAVED_TEXT_LIMIT, &text, answer) &&
        object_number(body, "millis", false, 0, INT32_MAX, &millis, answer))
        game = api_take_node(a, ids, (uint32_t)node, answer);
    if (game) {
        ply_error error = {0};
        size_t first = game->record.node_count;
        uint32_t at = (uint32_t)node;
        if (!add_moves(game, &at, text, answer)) {
            /* Some of several moves may be in memory already: read it again. */
            game->failed = game->record.node_count > first;
        } else {
            bool grown = game->record.node_count > first, moved = game->row.at != at;
            if (grown && millis >= 0)
                game->record.nodes[at].millis = (int32_t)millis;
            game->row.at = at;
            game->at_changed |= moved;
            if (grown)
                saved_settle(game);
            if (grown && saved_commit(a->library, game, first, &error) != PLY_OK) {
                api_fail_store(answer, &error);
            } else {
                ply_text *out = response_json(answer, 200);
                if (view_added(game, at, first, out, &error))
                    ply_json_close(out, '}');
                else
                    api_fail_store(answer, &error);
            }
        }
        library_put(a->library, game);
    }
    json_decref(body);
}

/* --- comments, glyphs, order ------------------------------------------------------------------ */
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
            return response_fail(answer, 400, "bad-member", "nags", "a nag is a number up to 255");
        values[i] = (uint8_t)json_integer_value(nag);
    }
    memcpy(node->nags, values, sizeof values);
    node->nag_count = (uint8_t)count;
    return true;
}

/* Makes the changes in memory; false with the refusal, and nothing changed. */
static bool change_node(saved_game *game, uint32_t n, json_t *body, response *answer)
{
    const char *comment = NULL;
    bool first = false, changed;
    json_t *nags = json_object_get(body, "nags");
    ply_record_node *node = &game->record.nodes[n];
    if (!object_string(body, "comment", false, SAVED_COMMENT_LIMIT, &comment, answer) ||
        !object_bool(body, "first", &first, answer))
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
    if (first)
        saved_make_first(game, n, &changed);
    return true;
}

void api_patch_node(app *a, const request *r, const int64_t *ids, response *answer)
{
    static const char *const names[] = {"comment", "nags", "first", NULL};
    uint32_t node = (uint32_t)ids[1];
    if (!request_knows_only(r, NULL, answer))
        return;
    json_t *body = body_object(r, names, answer);
    saved_game *game = body ? api_take_node(a, ids, node, answer) : NULL;
    if (game && change_node(game, node, body, answer)) {
        ply_error error = {0};
        saved_settle(game);
        if (saved_commit_node(a->library, game, node, &error) != PLY_OK ||
            saved_commit(a->library, game, game->record.node_count, &error) != PLY_OK) {
            api_fail_store(answer, &error);
        } else {
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
        library_put(a->library, game);
    json_decref(body);
}

/* --- exact values
 * ------------------------------------------------------------------------------------ */
/* What solved tables say of a node's position and its moves. */
void api_values(app *a, const request *r, const int64_t *ids, response *answer)
{
    saved_game *game = request_knows_only(r, NULL, answer)
                           ? api_take_node(a, ids, (uint32_t)ids[1], answer)
                           : NULL;
    if (!game)
        return;
    ply_state state;
    ply_error error = {0};
    if (saved_state(game, (uint32_t)ids[1], &state, &error) != PLY_OK) {
        api_fail_store(answer, &error);
    } else {
        solved_write(&a->solved, state.rules, state.position, response_json(answer, 200));
        ply_state_free(&state);
    }
    library_put(a->library, game);
}
