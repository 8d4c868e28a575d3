/* SPDX-License-Identifier: MIT */
/* search.c - searching the library: lists of games, exports of many games, thumbnails. */
#include "core/text/json_write.h"
#include "server/api/app.h"
#include "server/api/view.h"
#include "server/library/position_index.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LIST_LIMIT = 500,
    LIST_DEFAULT = 50,
    EXPORT_LIMIT = 20000,
    EXPORT_BYTES = 256 << 20,
    INDEX_MILLIS = 60, /* for putting games into the index, per request */
};

#define QUERY_NAMES "q", "game", "deleted", "player", "opening", "result", "like", "node"

/* Sets the key of the position at a node of a saved game; false with a 400 or 404. */
static bool read_position(app *a, const request *r, store_query *query, response *answer)
{
    uint64_t like = 0, node = 0;
    ply_state state;
    if (!request_number(r, "like", 1, INT32_MAX, 0, &like, answer) ||
        !request_number(r, "node", 0, UINT32_MAX, 0, &node, answer))
        return false;
    if (!like)
        return true;
    library_game *game = api_acquire_node(a, (int64_t[]){(int64_t)like}, (uint32_t)node, answer);
    if (!game)
        return false;
    query->has_key = api_state_at(game, (uint32_t)node, &state, answer);
    if (query->has_key) {
        query->key = position_index_key(&state);
        ply_state_free(&state);
    }
    library_release(a->library, game);
    return query->has_key;
}

/* Reads what to search for; *pending gets how many games are not in the index yet. False with the
 * error in *answer. */
static bool read_query(app *a, const request *r, store_query *query, uint64_t *pending,
                       response *answer)
{
    const char *result = request_parameter_value(r, "result");
    ply_error error = {0};
    *query = (store_query){.words = request_parameter_value(r, "q"),
                           .game = request_parameter_value(r, "game"),
                           .player = request_parameter_value(r, "player"),
                           .opening = request_parameter_value(r, "opening"),
                           .has_result = result != NULL};
    if (!request_bool(r, "deleted", &query->deleted, answer) || !read_position(a, r, query, answer))
        return false;
    if (result && !ply_result_from_name(result, strlen(result), &query->result))
        return response_fail(answer, 400, "bad-parameter", "result",
                             "result must be ongoing, first, second or draw");
    if (position_index_update(a->library, INDEX_MILLIS, pending, &error) == PLY_OK)
        return true;
    api_fail_error(answer, &error);
    return false;
}

void api_list_games(app *a, const request *r, const int64_t *ids, response *answer)
{
    (void)ids;
    static const char *const names[] = {QUERY_NAMES, "limit", "offset", NULL};
    store_query query;
    ply_error error = {0};
    uint64_t pending = 0, limit, offset;
    if (!request_check_parameters(r, names, answer) ||
        !request_number(r, "limit", 1, LIST_LIMIT, LIST_DEFAULT, &limit, answer) ||
        !request_number(r, "offset", 0, INT32_MAX, 0, &offset, answer) ||
        !read_query(a, r, &query, &pending, answer))
        return;
    query.limit = limit;
    query.offset = offset;
    store_header *headers = calloc(query.limit, sizeof *headers);
    size_t count = 0;
    uint64_t total = 0;
    if (!headers) {
        response_no_memory(answer);
    } else if (store_list(library_store(a->library), &query, headers, &count, &total, &error) !=
               PLY_OK) {
        api_fail_error(answer, &error);
    } else {
        ply_text *out = response_json(answer, 200);
        ply_json_open(out, '{');
        ply_json_member_unsigned(out, "total", total);
        ply_json_member_unsigned(out, "pending", pending);
        ply_json_name(out, "games");
        ply_json_open(out, '[');
        for (size_t i = 0; i < count; i++) {
            ply_json_open(out, '{');
            view_summary(&headers[i], out);
            ply_json_close(out, '}');
        }
        ply_json_close(out, ']');
        ply_json_close(out, '}');
    }
    for (size_t i = 0; i < count; i++)
        store_header_free(&headers[i]);
    free(headers);
}

/* --- export of many games --------------------------------------------------------------------- */
/* Appends a game in a format; false with the error in *answer. A game that no longer exists is left
 * out. */
static bool append_game(app *a, int64_t id, const char *format_id, ply_text *out, response *answer)
{
    library_game *game = library_acquire(a->library, id, NULL);
    ply_record record;
    ply_error error = {0};
    if (!game)
        return true;
    const ply_format *format = ply_format_find(game->record.rules.game, format_id);
    bool good = true;
    if (!format || !format->write) {
        good = response_fail(answer, 422, "unknown-format", "format",
                             "%s has no format '%.40s' that can be written", game->header.game,
                             format_id);
    } else if (api_make_record(game, -1, format->scores, &record) != PLY_OK) {
        good = response_no_memory(answer);
    } else {
        size_t before = out->length;
        if (format->write(&record, out, &error) != PLY_OK)
            good = response_fail_error(answer, 422, "format", &error);
        else if (out->length > before && ply_text_cstr(out)[out->length - 1] != '\n')
            ply_text_char(out, '\n');
        ply_record_free(&record);
    }
    library_release(a->library, game);
    return good;
}

void api_export_games(app *a, const request *r, const int64_t *ids, response *answer)
{
    (void)ids;
    static const char *const names[] = {QUERY_NAMES, "format", NULL};
    store_query query;
    ply_error error = {0};
    uint64_t pending, total = 0;
    size_t count = 0;
    const char *format = request_parameter_value(r, "format");
    if (!request_check_parameters(r, names, answer) || !read_query(a, r, &query, &pending, answer))
        return;
    if (!format || !format[0])
        format = "ply";
    query.limit = EXPORT_LIMIT;
    store_header *headers = calloc(EXPORT_LIMIT, sizeof *headers);
    ply_text out = ply_text_growing();
    bool good = headers || response_no_memory(answer);
    if (good &&
        store_list(library_store(a->library), &query, headers, &count, &total, &error) != PLY_OK) {
        api_fail_error(answer, &error);
        good = false;
    }
    for (size_t i = 0; headers && i < count && good; i++) {
        good = append_game(a, headers[i].id, format, &out, answer);
        if (good && out.length > EXPORT_BYTES)
            good = response_fail(answer, 422, "too-large", NULL,
                                 "the games take more than %d MiB; export fewer at a time",
                                 EXPORT_BYTES >> 20);
    }
    for (size_t i = 0; headers && i < count; i++)
        store_header_free(&headers[i]);
    free(headers);
    if (good) {
        *response_json(answer, 200) = out;
        answer->content_type = "application/octet-stream";
        snprintf(answer->disposition, sizeof answer->disposition,
                 "attachment; filename=\"games.%.16s\"", format);
    } else {
        ply_text_free(&out);
    }
}

/* --- thumbnails ------------------------------------------------------------------------------- */
void api_thumbnail(app *a, const request *r, const int64_t *ids, response *answer)
{
    library_game *game =
        request_check_parameters(r, NULL, answer) ? api_acquire_game(a, ids, answer) : NULL;
    ply_state state;
    if (!game)
        return;
    if (api_state_at(game, (uint32_t)game->header.tip, &state, answer)) {
        ply_state_svg(&state, PLY_SVG_BARE, response_json(answer, 200));
        answer->content_type = "image/svg+xml";
        ply_state_free(&state);
    }
    library_release(a->library, game);
}
