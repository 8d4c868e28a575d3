/* SPDX-License-Identifier: MIT */
/* games.c - the library: list, create, read, change, delete. */
#include "core/json_write.h"
#include "server/api/app.h"
#include "server/api/view.h"
#include <stdlib.h>
#include <string.h>

void api_list_games(app *a, const request *r, const int64_t *ids, response *answer)
{
    (void)ids;
    static const char *const names[] = {"q", "game", "deleted", "limit", "offset", NULL};
    store_query query = {.words = request_parameter_value(r, "q"),
                         .game = request_parameter_value(r, "game")};
    ply_error error = {0};
    if (!request_knows_only(r, names, answer) ||
        !request_bool(r, "deleted", &query.deleted, answer) ||
        !request_number(r, "limit", 1, 500, 50, &query.limit, answer) ||
        !request_number(r, "offset", 0, INT32_MAX, 0, &query.offset, answer))
        return;
    store_row *rows = calloc(query.limit, sizeof *rows);
    size_t count = 0;
    uint64_t total = 0;
    if (!rows) {
        response_no_memory(answer);
    } else if (store_list(library_store(a->library), &query, rows, &count, &total, &error) !=
               PLY_OK) {
        api_fail_store(answer, &error);
    } else {
        ply_text *out = response_json(answer, 200);
        ply_json_open(out, '{');
        ply_json_member_unsigned(out, "total", total);
        ply_json_name(out, "games");
        ply_json_open(out, '[');
        for (size_t i = 0; i < count; i++) {
            ply_json_open(out, '{');
            view_summary(&rows[i], out);
            ply_json_close(out, '}');
        }
        ply_json_close(out, ']');
        ply_json_close(out, '}');
    }
    for (size_t i = 0; i < count; i++)
        store_row_free(&rows[i]);
    free(rows);
}

/* --- creating ------------------------------------------------------------------------------------
 */
/* A record that begins with the position and has the moves. */
static bool record_from_texts(json_t *body, ply_record *record, response *answer)
{
    const char *game = NULL, *variant = NULL, *position = NULL, *moves = NULL;
    ply_rules rules;
    ply_state state;
    if (!object_string(body, "game", true, 40, &game, answer) ||
        !object_string(body, "variant", false, 400, &variant, answer) ||
        !object_string(body, "position", false, REQUEST_BODY_LIMIT, &position, answer) ||
        !object_string(body, "moves", false, REQUEST_BODY_LIMIT, &moves, answer) ||
        !api_make_rules(game, variant, &rules, answer) ||
        !api_make_state(&rules, position, moves, &state, answer))
        return false;
    ply_status status = ply_record_init(record, &rules);
    if (status == PLY_OK && position && position[0])
        status = ply_record_set_start(record, position, strlen(position));
    uint32_t node = 0;
    for (size_t i = 0; i < state.plies && status == PLY_OK; i++)
        status = ply_record_add(record, node, state.moves[i], &node);
    ply_outcome outcome = ply_state_outcome(&state);
    if (status == PLY_OK && outcome.result != PLY_ONGOING)
        status = ply_record_set_ending(record, outcome.result, outcome.reason);
    ply_state_free(&state);
    if (status == PLY_OK)
        return true;
    ply_record_free(record);
    return response_no_memory(answer);
}

/* Copies node n of another record as the last child of parent. */
static ply_status copy_node(const ply_record *from, uint32_t n, ply_record *to, uint32_t parent,
                            uint32_t *copy)
{
    const ply_record_node *node = &from->nodes[n];
    ply_status status = PLY_OK;
    if (n == 0)
        *copy = 0;
    else if (node->setup)
        status = ply_record_add_setup(to, parent, node->setup, strlen(node->setup), copy);
    else
        status = ply_record_add(to, parent, node->move, copy);
    if (status == PLY_OK && node->comment)
        status = ply_record_add_comment(to, *copy, node->comment, strlen(node->comment));
    for (uint8_t i = 0; i < node->nag_count && status == PLY_OK; i++)
        status = ply_record_add_nag(to, *copy, node->nags[i]);
    if (status == PLY_OK)
        to->nodes[*copy].millis = node->millis;
    return status;
}

/* The node after n when each comes before its children, and they before its siblings; 0: none. */
static uint32_t next_in_order(const ply_record *record, uint32_t n)
{
    if (record->nodes[n].child)
        return record->nodes[n].child;
    while (n && !record->nodes[n].sibling)
        n = record->nodes[n].parent;
    return n ? record->nodes[n].sibling : 0;
}

ply_status api_copy_tree(const ply_record *from, int64_t only_to, ply_record *to)
{
    ply_status status = ply_record_init(to, &from->rules);
    if (status != PLY_OK)
        return status;
    uint32_t *numbers = calloc(from->node_count, sizeof *numbers);
    bool *wanted = calloc(from->node_count, sizeof *wanted);
    if (!numbers || !wanted)
        status = PLY_NO_MEMORY;
    if (status == PLY_OK && from->start)
        status = ply_record_set_start(to, from->start, strlen(from->start));
    if (status == PLY_OK) {
        if (only_to >= 0) {
            for (uint32_t n = (uint32_t)only_to; n; n = from->nodes[n].parent)
                wanted[n] = true;
            wanted[0] = true;
        } else {
            memset(wanted, true, from->node_count * sizeof *wanted);
        }
    }
    /* Children after their parents and in their order, so that the copy has them in order too. */
    uint32_t n = 0;
    do {
        if (status == PLY_OK && wanted[n])
            status = copy_node(from, n, to, numbers[from->nodes[n].parent], &numbers[n]);
        n = next_in_order(from, n);
    } while (n && status == PLY_OK);
    for (size_t i = 0; i < from->tag_count && status == PLY_OK; i++)
        status = ply_record_set_tag(to, from->tags[i].name, strlen(from->tags[i].name),
                                    from->tags[i].value, strlen(from->tags[i].value));
    free(numbers);
    free(wanted);
    if (status != PLY_OK)
        ply_record_free(to);
    return status;
}

/* A copy of another game's record. */
static bool record_from_clone(app *a, json_t *clone, ply_record *record, response *answer)
{
    static const char *const names[] = {"id", "node", NULL};
    int64_t id = 0, node = -1;
    if (!json_is_object(clone))
        return response_fail(answer, 400, "bad-member", "clone", "clone must be an object");
    if (!object_knows_only(clone, "clone", names, answer) ||
        !object_number(clone, "id", true, 1, INT64_MAX, &id, answer) ||
        !object_number(clone, "node", false, 0, UINT32_MAX, &node, answer))
        return false;
    saved_game *from = api_take_node(a, &id, node < 0 ? 0 : (uint32_t)node, answer);
    if (!from)
        return false;
    ply_status status = api_copy_tree(&from->record, node, record);
    if (status == PLY_OK && node < 0)
        status = ply_record_set_ending(record, from->row.result,
                                       from->row.ending[0] ? from->row.ending : NULL);
    library_put(a->library, from);
    return status == PLY_OK || response_no_memory(answer);
}

void api_create_game(app *a, const request *r, const int64_t *ids, response *answer)
{
    (void)ids;
    static const char *const names[] = {"game",  "variant", "position", "moves", "players",
                                        "clock", "title",   "tags",     "clone", NULL};
    if (!request_knows_only(r, NULL, answer))
        return;
    json_t *body = body_object(r, names, answer);
    if (!body)
        return;
    const char *title = "";
    store_row row = {0};
    ply_record record;
    json_t *clone = json_object_get(body, "clone");
    bool good = object_string(body, "title", false, SAVED_TITLE_LIMIT, &title, answer) &&
                (row.players = api_players_text(json_object_get(body, "players"), answer)) &&
                (row.clock = api_clock_text(json_object_get(body, "clock"), answer)) &&
                (row.tags = api_tags_text("{}", json_object_get(body, "tags"), answer)) &&
                (clone ? record_from_clone(a, clone, &record, answer)
                       : record_from_texts(body, &record, answer));
    if (good) {
        ply_error error = {0};
        row.title = (char *)title;
        uint32_t last = 0;
        while (record.nodes[last].child)
            last = record.nodes[last].child;
        row.at = last;
        saved_game *game = library_create(a->library, &record, &row, &error);
        if (game) {
            view_game(game, response_json(answer, 201));
            library_put(a->library, game);
        } else {
            api_fail_store(answer, &error);
        }
    }
    free(row.players);
    free(row.clock);
    free(row.tags);
    json_decref(body);
}

/* --- reading and changing --------------------------------------------------------------------- */
void api_get_game(app *a, const request *r, const int64_t *ids, response *answer)
{
    saved_game *game = request_knows_only(r, NULL, answer) ? api_take_game(a, ids, answer) : NULL;
    if (!game)
        return;
    view_game(game, response_json(answer, 200));
    library_put(a->library, game);
}

static bool read_result(json_t *body, int64_t *result, response *answer)
{
    const char *name = NULL;
    ply_result named;
    if (!object_string(body, "result", false, 20, &name, answer))
        return false;
    if (name && ply_result_from_name(name, strlen(name), &named)) {
        *result = named;
        return true;
    }
    return !name || response_fail(answer, 400, "bad-member", "result",
                                  "result is ongoing, first, second or draw");
}

typedef struct game_patch {
    const char *title, *ending;
    char *players, *clock, *tags;
    int64_t at, result;
    bool deleted, has_deleted;
} game_patch;

static bool read_patch(json_t *body, const saved_game *game, game_patch *p, response *answer)
{
    json_t *players = json_object_get(body, "players"), *clock = json_object_get(body, "clock"),
           *tags = json_object_get(body, "tags");
    p->at = p->result = -1;
    p->has_deleted = json_object_get(body, "deleted") != NULL;
    return object_string(body, "title", false, SAVED_TITLE_LIMIT, &p->title, answer) &&
           object_string(body, "ending", false, 100, &p->ending, answer) &&
           object_number(body, "at", false, 0, (int64_t)game->record.node_count - 1, &p->at,
                         answer) &&
           read_result(body, &p->result, answer) &&
           object_bool(body, "deleted", &p->deleted, answer) &&
           (!players || (p->players = api_players_text(players, answer))) &&
           (!clock || (p->clock = api_clock_text(clock, answer))) &&
           (!tags || (p->tags = api_tags_text(game->row.tags, tags, answer)));
}

/* Takes over the strings of the patch. */
static bool apply_patch(saved_game *game, game_patch *p)
{
    store_row *row = &game->row;
    char **const slots[] = {&row->players, &row->clock, &row->tags};
    char **const texts[] = {&p->players, &p->clock, &p->tags};
    for (int i = 0; i < 3; i++)
        if (*texts[i]) {
            free(*slots[i]);
            *slots[i] = *texts[i];
            *texts[i] = NULL;
        }
    if (p->at >= 0)
        row->at = (uint32_t)p->at;
    if (p->has_deleted)
        row->deleted = p->deleted;
    if (p->result >= 0)
        row->result = (ply_result)p->result;
    if (p->result == PLY_ONGOING && !saved_set_text(&row->ending, ""))
        return false;
    return (!p->title || saved_set_text(&row->title, p->title)) &&
           (!p->ending || saved_set_text(&row->ending, p->ending));
}

void api_patch_game(app *a, const request *r, const int64_t *ids, response *answer)
{
    static const char *const names[] = {"title",  "players", "clock",   "at", "result",
                                        "ending", "tags",    "deleted", NULL};
    if (!request_knows_only(r, NULL, answer))
        return;
    json_t *body = body_object(r, names, answer);
    saved_game *game = body ? api_take_game(a, ids, answer) : NULL;
    game_patch patch = {0};
    if (game && read_patch(body, game, &patch, answer)) {
        ply_error error = {0};
        if (!apply_patch(game, &patch)) {
            response_no_memory(answer);
        } else {
            saved_settle(game);
            if (saved_commit(a->library, game, game->record.node_count, &error) == PLY_OK)
                view_game(game, response_json(answer, 200));
            else
                api_fail_store(answer, &error);
        }
    }
    free(patch.players);
    free(patch.clock);
    free(patch.tags);
    if (game)
        library_put(a->library, game);
    json_decref(body);
}

void api_delete_game(app *a, const request *r, const int64_t *ids, response *answer)
{
    ply_error error = {0};
    saved_game *game = request_knows_only(r, NULL, answer) ? api_take_game(a, ids, answer) : NULL;
    if (!game)
        return;
    game->row.deleted = true;
    if (saved_commit(a->library, game, game->record.node_count, &error) == PLY_OK) {
        response_json(answer, 204);
        answer->content_type = NULL;
    } else {
        api_fail_store(answer, &error);
    }
    library_put(a->library, game);
}
