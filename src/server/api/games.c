/* SPDX-License-Identifier: MIT */
/* games.c - saved games: create, read, change, delete. */
#include "core/hash.h"
#include "core/text/json_write.h"
#include "server/api/app.h"
#include "server/api/view.h"
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool read_mode(json_t *body, int *mode, response *answer)
{
    const char *name = NULL;
    if (!body_string(body, "mode", false, API_WORD_LIMIT, &name, answer))
        return false;
    if (name && strcmp(name, "play") != 0 && strcmp(name, "analysis") != 0)
        return response_fail(answer, 400, "bad-member", "mode", "mode must be play or analysis");
    if (name)
        *mode = strcmp(name, "play") == 0 ? LIBRARY_PLAY : LIBRARY_ANALYSIS;
    return true;
}

/* --- creating --------------------------------------------------------------------------------- */
/* Makes a record from the members game, variant, position and moves. */
static bool record_from_texts(json_t *body, ply_record *record, response *answer)
{
    const char *position;
    ply_rules rules;
    ply_state state;
    if (!api_body_state(body, &rules, &state, &position, answer))
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

/* Copies node n of another record as the last child of parent; the root onto the root. */
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

/* The node after n in preorder: a node, its children (none below `last`), its siblings. 0: there is
 * none. */
static uint32_t next_in_preorder(const ply_record *record, uint32_t n, int64_t last)
{
    if (record->nodes[n].child && n != last)
        return record->nodes[n].child;
    while (n && !record->nodes[n].sibling)
        n = record->nodes[n].parent;
    return n ? record->nodes[n].sibling : 0;
}

/* Adds the saved score to the comment of a copied node, and in the style of shogi records, which have
 * no glyphs, what a glyph says. */
static ply_status add_score(const library_game *game, uint32_t n, ply_score_style style,
                            ply_record *to, uint32_t copy)
{
    static const char *const words[] = {"",         "【好手】", "【疑問手】", "【妙手】",
                                        "【悪手】", "",         "【緩手】"};
    const library_node *extra = &game->extra[n];
    const ply_record_node *node = &game->record.nodes[n];
    ply_text text = ply_text_growing();
    int32_t score;
    int depth;
    const char *line = style == PLY_SCORES_KIFU ? "\n" : " ";
    uint8_t glyph = node->nag_count ? node->nags[0] : 0;
    if (style == PLY_SCORES_NONE || extra->score == STORE_NO_SCORE ||
        ply_comment_read_score(node->comment, &score, &depth))
        return PLY_OK;
    ply_text_string(&text, node->comment ? node->comment : "");
    if (style == PLY_SCORES_KIFU && glyph < sizeof words / sizeof words[0] && words[glyph][0])
        ply_text_format(&text, "%s%s", text.length ? line : "", words[glyph]);
    ply_text_string(&text, text.length ? line : "");
    ply_comment_write_score(style, extra->score,
                            extra->depth < LIBRARY_EXACT_DEPTH ? extra->depth : 0, &text);
    char *comment = text.failed ? NULL : strdup(ply_text_cstr(&text));
    ply_text_free(&text);
    if (!comment)
        return PLY_NO_MEMORY;
    free(to->nodes[copy].comment);
    to->nodes[copy].comment = comment;
    return PLY_OK;
}

ply_status api_copy_tree(const library_game *game, int64_t only_to, ply_score_style scores,
                         ply_record *to)
{
    const ply_record *from = &game->record;
    int64_t last = only_to < 0 && library_has_tip(game) ? game->header.tip : -1;
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
    /* Preorder keeps the order of the children. */
    uint32_t n = 0;
    do {
        if (status == PLY_OK && wanted[n])
            status = copy_node(from, n, to, numbers[from->nodes[n].parent], &numbers[n]);
        if (status == PLY_OK && wanted[n])
            status = add_score(game, n, scores, to, numbers[n]);
        n = next_in_preorder(from, n, last);
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

/* Copies the record of another game. */
static bool record_from_clone(app *a, json_t *clone, ply_record *record, response *answer)
{
    static const char *const names[] = {"id", "node", NULL};
    int64_t id = 0, node = -1;
    if (!json_is_object(clone))
        return response_fail(answer, 400, "bad-member", "clone", "clone must be an object");
    if (!body_check_members(clone, "clone", names, answer) ||
        !body_number(clone, "id", true, 1, INT64_MAX, &id, answer) ||
        !body_number(clone, "node", false, 0, UINT32_MAX, &node, answer))
        return false;
    library_game *from = api_acquire_node(a, &id, node < 0 ? 0 : (uint32_t)node, answer);
    if (!from)
        return false;
    ply_status status = api_copy_tree(from, node, PLY_SCORES_NONE, record);
    if (status == PLY_OK && node < 0)
        status = ply_record_set_ending(record, from->header.result,
                                       from->header.ending[0] ? from->header.ending : NULL);
    library_release(a->library, from);
    return status == PLY_OK || response_no_memory(answer);
}

/* Names a shared link: a hash of what it opens. */
static void name_origin(json_t *body, char *out, size_t size)
{
    static const char *const members[] = {"game", "variant", "position", "moves"};
    uint64_t hash = 0;
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        const char *text = json_string_value(json_object_get(body, members[i]));
        for (const char *c = text ? text : ""; *c; c++)
            hash = ply_mix64(hash ^ (unsigned char)*c) + 1;
        hash = ply_mix64(hash ^ 0x100);
    }
    snprintf(out, size, "%016" PRIx64, hash);
}

/* Answers with the game that a link was opened as before; false if there is none, or it cannot be
 * read. */
static bool answer_with_known(app *a, const char *origin, response *answer)
{
    int64_t id = 0;
    if (store_find_origin(library_store(a->library), origin, &id, NULL) != PLY_OK || !id)
        return false;
    library_game *game = library_acquire(a->library, id, NULL);
    if (!game)
        return false;
    view_game(game, response_json(answer, 200));
    library_release(a->library, game);
    return true;
}

void api_create_game(app *a, const request *r, const int64_t *ids, response *answer)
{
    (void)ids;
    static const char *const names[] = {"game",  "variant", "position", "moves", "players", "clock",
                                        "title", "tags",    "clone",    "mode",  "shared",  NULL};
    if (!request_check_parameters(r, NULL, answer))
        return;
    json_t *body = body_parse(r, names, answer);
    if (!body)
        return;
    const char *title = "";
    char origin[20] = "";
    bool shared = false;
    store_header header = {.origin = origin};
    ply_record record = {0};
    json_t *clone = json_object_get(body, "clone");
    bool good = body_string(body, "title", false, LIBRARY_TITLE_LIMIT, &title, answer) &&
                body_bool(body, "shared", &shared, answer) &&
                read_mode(body, &header.mode, answer) &&
                (header.players = api_players_json(json_object_get(body, "players"), answer)) &&
                (header.clock = api_clock_json(json_object_get(body, "clock"), answer)) &&
                (header.tags = api_tags_json("{}", json_object_get(body, "tags"), answer)) &&
                (clone ? record_from_clone(a, clone, &record, answer)
                       : record_from_texts(body, &record, answer));
    if (good && shared) {
        name_origin(body, origin, sizeof origin);
        if (answer_with_known(a, origin, answer)) {
            ply_record_free(&record);
            good = false;
        }
    }
    if (good) {
        header.title = (char *)title;
        uint32_t last = 0;
        assert(record.nodes);
        while (record.nodes[last].child)
            last = record.nodes[last].child;
        header.at = last;
        library_game *game = api_save_new_game(a, &record, &header, answer);
        if (game) {
            view_game(game, response_json(answer, 201));
            library_release(a->library, game);
        }
    }
    free(header.players);
    free(header.clock);
    free(header.tags);
    json_decref(body);
}

/* --- reading and changing --------------------------------------------------------------------- */
void api_get_game(app *a, const request *r, const int64_t *ids, response *answer)
{
    library_game *game =
        request_check_parameters(r, NULL, answer) ? api_acquire_game(a, ids, answer) : NULL;
    if (!game)
        return;
    view_game(game, response_json(answer, 200));
    library_release(a->library, game);
}

static bool read_result(json_t *body, int64_t *result, response *answer)
{
    const char *name = NULL;
    ply_result named;
    if (!body_string(body, "result", false, API_WORD_LIMIT, &name, answer))
        return false;
    if (name && ply_result_from_name(name, strlen(name), &named)) {
        *result = named;
        return true;
    }
    return !name || response_fail(answer, 400, "bad-member", "result",
                                  "result must be ongoing, first, second or draw");
}

typedef struct game_patch {
    const char *title, *ending;
    char *players, *clock, *tags;
    int64_t at, result, tip;
    int mode, next; /* next: who is to move at the tip */
    bool deleted, has_deleted;
} game_patch;

/* Reads the member tip, a node to take moves back to. */
static bool read_tip(json_t *body, const library_game *game, game_patch *p, response *answer)
{
    ply_state state;
    int64_t tip = game->header.tip;
    p->tip = -1;
    if (!body_number(body, "tip", false, 0, (int64_t)game->record.node_count - 1, &p->tip, answer))
        return false;
    if (p->tip < 0)
        return true;
    if (!library_in_play(game))
        return response_fail(answer, 409, "over", "tip", "the game is not in play");
    if (!library_is_above(game, (uint32_t)p->tip, (uint32_t)tip))
        return response_fail(answer, 409, "not-tip", "tip",
                             "moves can only be taken back to a move before the current one");
    if (!api_state_at(game, (uint32_t)p->tip, &state, answer))
        return false;
    p->next = state.rules->game->side(state.rules, state.position);
    ply_state_free(&state);
    return true;
}

static bool read_patch(json_t *body, const library_game *game, game_patch *p, response *answer)
{
    json_t *players = json_object_get(body, "players"), *clock = json_object_get(body, "clock"),
           *tags = json_object_get(body, "tags");
    p->at = p->result = -1;
    p->mode = game->header.mode;
    p->has_deleted = json_object_get(body, "deleted") != NULL;
    return body_string(body, "title", false, LIBRARY_TITLE_LIMIT, &p->title, answer) &&
           body_string(body, "ending", false, API_ENDING_LIMIT, &p->ending, answer) &&
           body_number(body, "at", false, 0, (int64_t)game->record.node_count - 1, &p->at,
                       answer) &&
           read_result(body, &p->result, answer) && read_mode(body, &p->mode, answer) &&
           read_tip(body, game, p, answer) && body_bool(body, "deleted", &p->deleted, answer) &&
           (!players || (p->players = api_players_json(players, answer))) &&
           (!clock || (p->clock = api_clock_json(clock, answer))) &&
           (!tags || (p->tags = api_tags_json(game->header.tags, tags, answer)));
}

/* Applies a patch and takes over its allocated strings. False when memory runs out. */
static bool apply_patch(library_game *game, game_patch *p)
{
    store_header *header = &game->header;
    char **const slots[] = {&header->players, &header->clock, &header->tags};
    char **const texts[] = {&p->players, &p->clock, &p->tags};
    int64_t now = library_now();
    if (p->clock)
        game->clock = game_clock_read(p->clock, NULL);
    if (p->mode != header->mode)
        game_clock_stop(&game->clock, now);
    header->mode = p->mode;
    for (int i = 0; i < 3; i++)
        if (*texts[i]) {
            free(*slots[i]);
            *slots[i] = *texts[i];
            *texts[i] = NULL;
        }
    if (p->at >= 0)
        header->at = (uint32_t)p->at;
    if (p->has_deleted)
        header->deleted = p->deleted;
    if (p->tip >= 0)
        library_take_back(game, (uint32_t)p->tip, p->next, now);
    if (p->result >= 0 && !library_end(game, (ply_result)p->result, header->ending, now))
        return false;
    return (!p->title || library_set_text(&header->title, p->title)) &&
           (!p->ending || library_set_text(&header->ending, p->ending));
}

void api_patch_game(app *a, const request *r, const int64_t *ids, response *answer)
{
    static const char *const names[] = {"title", "players", "clock", "at",  "result", "ending",
                                        "tags",  "deleted", "mode",  "tip", NULL};
    if (!request_check_parameters(r, NULL, answer))
        return;
    json_t *body = body_parse(r, names, answer);
    library_game *game = body ? api_acquire_game(a, ids, answer) : NULL;
    game_patch patch = {0};
    if (game && read_patch(body, game, &patch, answer)) {
        if (!apply_patch(game, &patch)) {
            response_no_memory(answer);
        } else {
            library_update_result(game, 0, NULL);
            if (api_save_game(a, game, game->record.node_count, answer))
                view_game(game, response_json(answer, 200));
        }
    }
    free(patch.players);
    free(patch.clock);
    free(patch.tags);
    if (game)
        library_release(a->library, game);
    json_decref(body);
}

void api_claim_time(app *a, const request *r, const int64_t *ids, response *answer)
{
    library_game *game =
        request_check_parameters(r, NULL, answer) ? api_acquire_game(a, ids, answer) : NULL;
    if (!game)
        return;
    bool ended =
        library_may_play(game, (uint32_t)game->header.tip, library_now()) == LIBRARY_OUT_OF_TIME;
    if (!ended || api_save_game(a, game, game->record.node_count, answer))
        view_game(game, response_json(answer, 200));
    library_release(a->library, game);
}

void api_delete_game(app *a, const request *r, const int64_t *ids, response *answer)
{
    library_game *game =
        request_check_parameters(r, NULL, answer) ? api_acquire_game(a, ids, answer) : NULL;
    if (!game)
        return;
    game->header.deleted = true;
    if (api_save_game(a, game, game->record.node_count, answer)) {
        response_json(answer, 204);
        answer->content_type = NULL;
    }
    library_release(a->library, game);
}
