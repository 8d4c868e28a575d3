/* SPDX-License-Identifier: MIT */
/* records.c - import and export of game records. */
#include "core/text/json_write.h"
#include "server/api/app.h"
#include "server/api/view.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    IMPORT_GAMES_LIMIT = 500,
    IMPORT_NODES_LIMIT = 200000,
    TAG_VALUE_LIMIT = 1000, /* longer tags are dropped */
    TITLE_BYTES = 120,      /* taken from a tag or a file's name */
};

/* --- import ----------------------------------------------------------------------------------- */
typedef struct record_list {
    ply_record *records;
    size_t count;
    size_t node_count; /* of all records */
    const ply_format *format;
} record_list;

static void list_free(record_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        ply_record_free(&list->records[i]);
    free(list->records);
    *list = (record_list){0};
}

/* Appends the next game of a text to the list; *found is false at the end of the text. */
static ply_status list_read_next(record_list *list, const ply_rules *rules, ply_cursor *cursor,
                                 bool *found)
{
    ply_record *grown = realloc(list->records, (list->count + 1) * sizeof *grown);
    if (grown)
        list->records = grown;
    ply_status status = grown ? ply_record_init(&grown[list->count], rules) : PLY_NO_MEMORY;
    if (status != PLY_OK)
        return ply_error_set(cursor->error, status, "%s", ply_status_text(status));
    ply_record *record = &grown[list->count];
    status = list->format->read(cursor, record, found);
    list->node_count += record->node_count;
    if (status == PLY_OK && *found)
        list->count++;
    else
        ply_record_free(record);
    if (status == PLY_OK && list->node_count > IMPORT_NODES_LIMIT)
        return ply_error_set(cursor->error, PLY_LIMIT, "the file has more than %d moves",
                             IMPORT_NODES_LIMIT);
    return status;
}

/* Reads the games of the body in one format; those past the limit are ignored. On failure the list
 * is empty. */
static ply_status list_read(record_list *list, const ply_format *format, const ply_rules *rules,
                            const request *r, ply_error *error)
{
    ply_cursor cursor = ply_cursor_make(r->body ? r->body : "", r->body_length, error);
    ply_status status = PLY_OK;
    bool found = true;
    *list = (record_list){.format = format};
    while (status == PLY_OK && found && list->count < IMPORT_GAMES_LIMIT)
        status = list_read_next(list, rules, &cursor, &found);
    if (status == PLY_OK && list->count == 0)
        status = ply_error_set(error, PLY_BAD_TEXT, "the file contains no game");
    if (status != PLY_OK)
        list_free(list);
    return status;
}

static const ply_format *format_by_extension(const ply_game *game, const char *name)
{
    const char *dot = name ? strrchr(name, '.') : NULL;
    const ply_format *format;
    for (size_t i = 0; dot && (format = ply_format_at(game, i)) != NULL; i++)
        if (format->read && strcasecmp(format->extension, dot + 1) == 0)
            return format;
    return NULL;
}

/* Why no format has read a text. */
typedef struct import_failure {
    bool recognised;    /* one of them should have */
    ply_error furthest; /* the error of the one that read furthest */
} import_failure;

static ply_status try_format(record_list *list, const ply_format *format, const ply_rules *rules,
                             const request *r, import_failure *failure)
{
    ply_error error = {0};
    ply_status status = list_read(list, format, rules, r, &error);
    if (status != PLY_OK && (!failure->recognised || error.offset > failure->furthest.offset))
        failure->furthest = error;
    failure->recognised = true;
    return status;
}

/* Tries the format that the file name suggests if it recognises the body, then what the body shows. */
static ply_status read_any(record_list *list, const ply_rules *rules, const char *name,
                           const request *r, import_failure *failure)
{
    const ply_format *likely = format_by_extension(rules->game, name), *format;
    ply_status status = PLY_BAD_TEXT;
    if (likely && ply_format_recognises(likely, r->body, r->body_length))
        status = try_format(list, likely, rules, r, failure);
    if (status == PLY_OK)
        return status;
    format = ply_format_detect(rules, r->body, r->body_length);
    return format && format != likely ? try_format(list, format, rules, r, failure) : status;
}

static bool fail_import(const import_failure *failure, const ply_game *game, response *answer)
{
    if (failure->recognised)
        return response_fail_error(answer, 422, "record", &failure->furthest);
    if (game)
        return response_fail(answer, 422, "unknown-record", "record",
                             "this is not a record of %s in any format that Plyverse reads",
                             game->name);
    return response_fail(answer, 422, "unknown-record", "record",
                         "this is not a game record in any format that Plyverse reads");
}

/* Reads the body as the parameters say; false with the error in *answer. */
static bool read_body(const request *r, record_list *list, response *answer)
{
    const char *game = request_parameter_value(r, "game"),
               *name = request_parameter_value(r, "name"),
               *variant = request_parameter_value(r, "variant"),
               *format_id = request_parameter_value(r, "format");
    import_failure failure = {0};
    ply_rules rules;
    if (!game) {
        if (variant || format_id)
            return response_fail(answer, 400, "missing", "game",
                                 "variant and format require a game");
        for (size_t i = 0; i < ply_game_count(); i++)
            if (ply_rules_make(&rules, ply_game_at(i), NULL, NULL) == PLY_OK &&
                read_any(list, &rules, name, r, &failure) == PLY_OK)
                return true;
        return fail_import(&failure, NULL, answer);
    }
    if (!api_make_rules(game, variant, &rules, answer))
        return false;
    if (!format_id || !format_id[0])
        return read_any(list, &rules, name, r, &failure) == PLY_OK ||
               fail_import(&failure, rules.game, answer);
    const ply_format *format = ply_format_find(rules.game, format_id);
    ply_error error = {0};
    if (!format || !format->read)
        return response_fail(answer, 422, "unknown-format", "format",
                             "%s has no format '%.40s' that can be read", game, format_id);
    return list_read(list, format, &rules, r, &error) == PLY_OK ||
           response_fail_error(answer, 422, "record", &error);
}

static char *tags_of(const ply_record *record, response *answer)
{
    ply_text out = ply_text_growing();
    ply_json_open(&out, '{');
    for (size_t i = 0; i < record->tag_count && i < LIBRARY_TAG_LIMIT; i++) {
        const char *name = record->tags[i].name, *value = record->tags[i].value;
        if (name[0] && strlen(value) < TAG_VALUE_LIMIT)
            ply_json_member_string(&out, name, value);
    }
    ply_json_close(&out, '}');
    return api_finish_json(&out, answer);
}

/* Two persons, with the names in the record. */
static char *players_of(const ply_record *record, response *answer)
{
    ply_text out = ply_text_growing();
    ply_json_open(&out, '[');
    for (int i = 0; i < 2; i++) {
        const char *name = ply_record_tag_value(record, ply_game_player_name(&record->rules, i));
        ply_json_open(&out, '{');
        ply_json_member_string(&out, "kind", "person");
        if (name && name[0] && strlen(name) <= API_NAME_LIMIT)
            ply_json_member_string(&out, "name", name);
        ply_json_close(&out, '}');
    }
    ply_json_close(&out, ']');
    return api_finish_json(&out, answer);
}

/* Appends as many of a text's characters as fit into a title. */
static void append_title(ply_text *out, const char *text)
{
    size_t length = strnlen(text, TITLE_BYTES);
    while (length > 0 && (text[length] & 0xC0) == 0x80) /* within a character */
        length--;
    ply_text_bytes(out, text, length);
}

static void title_of(const ply_record *record, const char *name, size_t number, size_t count,
                     ply_text *out)
{
    const char *event = ply_record_tag_value(record, "Event");
    if (event && event[0] && strcmp(event, "?") != 0)
        append_title(out, event);
    else if (name && name[0])
        append_title(out, name);
    else
        ply_text_string(out, record->rules.game->name);
    if (count > 1)
        ply_text_format(out, " (%zu)", number + 1);
}

/* Saves a game and writes its summary. Takes the record over. */
static bool import_one(app *a, ply_record *record, char *title, ply_text *out, response *answer)
{
    store_header header = {.title = title,
                           .players = players_of(record, answer),
                           .clock = (char *)"null",
                           .tags = tags_of(record, answer)};
    library_game *game = NULL;
    if (header.players && header.tags) {
        game = api_save_new_game(a, record, &header, answer);
    } else {
        ply_record_free(record);
    }
    free(header.players);
    free(header.tags);
    if (!game)
        return false;
    ply_json_open(out, '{');
    view_summary(&game->header, out);
    ply_json_close(out, '}');
    library_release(a->library, game);
    return true;
}

void api_import(app *a, const request *r, const int64_t *ids, response *answer)
{
    (void)ids;
    static const char *const names[] = {"game", "variant", "format", "name", NULL};
    static const char type[] = "application/octet-stream";
    record_list list = {0};
    if (!request_check_parameters(r, names, answer))
        return;
    if (r->body_too_large) {
        response_fail(answer, 413, "too-large", NULL, "the body is larger than %d bytes",
                      REQUEST_BODY_LIMIT);
        return;
    }
    if (!r->content_type || strncasecmp(r->content_type, type, sizeof type - 1) != 0) {
        response_fail(answer, 415, "bad-type", NULL, "the body must be %s", type);
        return;
    }
    if (!read_body(r, &list, answer))
        return;
    ply_text out = ply_text_growing();
    ply_json_open(&out, '{');
    ply_json_name(&out, "games");
    ply_json_open(&out, '[');
    assert(list.format); /* read_body found one */
    const char *format = list.format->id;
    size_t count = list.count;
    bool good = true;
    for (size_t i = 0; i < count; i++) {
        char title[LIBRARY_TITLE_LIMIT];
        ply_text text = ply_text_fixed(title, sizeof title);
        title_of(&list.records[i], request_parameter_value(r, "name"), i, count, &text);
        if (good)
            good = import_one(a, &list.records[i], title, &out, answer);
        else
            ply_record_free(&list.records[i]);
    }
    free(list.records);
    ply_json_close(&out, ']');
    ply_json_member_string(&out, "format", format);
    ply_json_close(&out, '}');
    if (good && out.failed)
        response_no_memory(answer);
    else if (good)
        ply_text_bytes(response_json(answer, 201), ply_text_cstr(&out), out.length);
    ply_text_free(&out);
}

/* --- export ----------------------------------------------------------------------------------- */
static ply_status set_tag(ply_record *record, const char *name, const char *value)
{
    return ply_record_set_tag(record, name, strlen(name), value, strlen(value));
}

static ply_status add_player_names(const library_game *game, ply_record *record)
{
    json_t *players = json_loads(game->header.players, 0, NULL);
    ply_status status = players ? PLY_OK : PLY_NO_MEMORY;
    for (int i = 0; i < 2 && status == PLY_OK; i++) {
        const char *colour = ply_game_player_name(&record->rules, i);
        json_t *player = json_array_get(players, (size_t)i);
        const char *name = json_string_value(json_object_get(player, "name"));
        const char *kind = json_string_value(json_object_get(player, "kind"));
        char engine[64];
        json_int_t level = json_integer_value(json_object_get(player, "level"));
        snprintf(engine, sizeof engine, "Plyverse, level %d", level ? (int)level : PLY_LEVEL_FULL);
        if (!name && kind && strcmp(kind, "engine") == 0)
            name = engine;
        if (name && name[0] && !ply_record_tag_value(record, colour))
            status = set_tag(record, colour, name);
    }
    json_decref(players);
    return status;
}

ply_status api_make_record(const library_game *game, int64_t node, ply_score_style scores,
                           ply_record *record)
{
    ply_status status = api_copy_tree(game, node, scores, record);
    if (status != PLY_OK)
        return status;
    json_t *tags = json_loads(game->header.tags, 0, NULL), *value;
    const char *name;
    status = tags ? PLY_OK : PLY_NO_MEMORY;
    if (tags && game->header.title[0] && !json_object_get(tags, "Event"))
        status = set_tag(record, "Event", game->header.title);
    json_object_foreach(tags, name, value)
    {
        if (status == PLY_OK)
            status = set_tag(record, name, json_string_value(value));
    }
    json_decref(tags);
    if (status == PLY_OK)
        status = add_player_names(game, record);
    if (status == PLY_OK && node < 0)
        status = ply_record_set_ending(record, game->header.result,
                                       game->header.ending[0] ? game->header.ending : NULL);
    if (status != PLY_OK)
        ply_record_free(record);
    return status;
}

void api_export(app *a, const request *r, const int64_t *ids, response *answer)
{
    static const char *const names[] = {"format", "node", NULL};
    uint64_t node = 0;
    const char *id = request_parameter_value(r, "format");
    bool has_node = request_parameter_value(r, "node") != NULL;
    if (!request_check_parameters(r, names, answer) ||
        !request_number(r, "node", 0, UINT32_MAX, 0, &node, answer))
        return;
    library_game *game = api_acquire_node(a, ids, (uint32_t)node, answer);
    if (!game)
        return;
    const ply_format *format = ply_format_find(game->record.rules.game, id && id[0] ? id : "ply");
    ply_record record;
    ply_error error = {0};
    if (!format || !format->write) {
        response_fail(answer, 422, "unknown-format", "format",
                      "%s has no format '%.40s' that can be written", game->header.game, id);
    } else if (api_make_record(game, has_node ? (int64_t)node : -1, format->scores, &record) !=
               PLY_OK) {
        response_no_memory(answer);
    } else {
        response_json(answer, 200);
        if (format->write(&record, &answer->body, &error) != PLY_OK) {
            response_fail_error(answer, 422, "format", &error);
        } else {
            answer->content_type = "application/octet-stream";
            snprintf(answer->disposition, sizeof answer->disposition,
                     "attachment; filename=\"%s-%lld.%s\"", game->header.game, (long long)game->id,
                     format->extension);
        }
        ply_record_free(&record);
    }
    library_release(a->library, game);
}
