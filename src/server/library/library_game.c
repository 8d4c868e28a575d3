/* SPDX-License-Identifier: MIT */
/* library_game.c - one saved game: its tree, and loading it from the store. See library.h. */
#include "server/library/library_internal.h"
#include <stdlib.h>
#include <string.h>

bool library_set_text(char **slot, const char *text)
{
    char *copy = strdup(text);
    if (!copy)
        return false;
    free(*slot);
    *slot = copy;
    return true;
}

static ply_status no_memory(ply_error *error)
{
    return ply_error_set(error, PLY_NO_MEMORY, "out of memory");
}

/* --- the tree --------------------------------------------------------------------------------- */
static bool reserve_extra(library_game *game, size_t count)
{
    if (count <= game->extra_capacity)
        return true;
    size_t capacity = count < 64 ? 64 : count * 2;
    library_node *extra = realloc(game->extra, capacity * sizeof *extra);
    if (!extra)
        return false;
    memset(extra + game->extra_capacity, 0, (capacity - game->extra_capacity) * sizeof *extra);
    game->extra = extra;
    game->extra_capacity = capacity;
    return true;
}

/* Fills in side and texts of a move, given the state before it. False when memory runs out; the
 * texts that were made are in *extra all the same. */
static bool describe_move(library_node *extra, const ply_state *before, ply_move move)
{
    const ply_rules *rules = before->rules;
    char text[PLY_MOVE_TEXT];
    ply_text out = ply_text_fixed(text, sizeof text), pretty = ply_text_growing();
    ply_move last = before->plies ? before->moves[before->plies - 1] : PLY_MOVE_NONE;
    size_t notation = 0;
    rules->game->format_move(rules, before->position, move, &out);
    do {
        ply_game_display_move(rules, before->position, move, last, notation, &pretty);
        ply_text_char(&pretty, '\0');
    } while (++notation < rules->display->notation_count);
    extra->side = rules->game->side(rules, before->position);
    extra->text = strdup(text);
    extra->pretty = pretty.failed ? NULL : malloc(pretty.length);
    if (extra->pretty)
        memcpy(extra->pretty, ply_text_cstr(&pretty), pretty.length);
    ply_text_free(&pretty);
    return extra->text && extra->pretty;
}

/* Removes a node from its parent's children, if it is there. */
static void unlink_node(library_game *game, uint32_t node)
{
    ply_record_node *nodes = game->record.nodes;
    uint32_t *link = &nodes[nodes[node].parent].child;
    while (*link && *link != node)
        link = &nodes[*link].sibling;
    if (*link)
        *link = nodes[node].sibling;
}

/* Moves a node to its place among its siblings, which are sorted by rank. */
static void link_by_rank(library_game *game, uint32_t node)
{
    ply_record_node *nodes = game->record.nodes;
    unlink_node(game, node);
    uint32_t *link = &nodes[nodes[node].parent].child;
    while (*link && game->extra[*link].rank < game->extra[node].rank)
        link = &nodes[*link].sibling;
    nodes[node].sibling = *link;
    *link = node;
}

uint32_t library_main_line(const library_game *game, uint32_t *last)
{
    uint32_t plies = 0, node = 0;
    for (; game->record.nodes[node].child; node = game->record.nodes[node].child)
        plies++;
    *last = node;
    return plies;
}

ply_status library_state_at(const library_game *game, uint32_t node, ply_state *state,
                            ply_error *error)
{
    return ply_record_state_at(&game->record, node, state, error);
}

void library_update_result(library_game *game, uint32_t node, const ply_state *state)
{
    uint32_t last;
    ply_outcome outcome;
    library_main_line(game, &last);
    if (library_has_tip(game)) {
        if (library_is_above(game, (uint32_t)game->header.tip, last))
            last = (uint32_t)game->header.tip;
        else
            game->header.tip = last; /* another variation is the main line now */
    }
    if (state && node == last) {
        outcome = ply_state_outcome(state);
    } else {
        ply_state replayed;
        if (library_state_at(game, last, &replayed, NULL) != PLY_OK)
            return;
        outcome = ply_state_outcome(&replayed);
        ply_state_free(&replayed);
    }
    if (outcome.result == PLY_ONGOING || !library_set_text(&game->header.ending, outcome.reason))
        return;
    game->header.result = outcome.result;
    game->header.tip = last;
    game_clock_stop(&game->clock, library_now());
}

ply_status library_add_move(library_game *game, uint32_t parent, ply_move move, ply_state *state,
                            uint32_t *node, bool *added, ply_error *error)
{
    ply_record *record = &game->record;
    *added = false;
    for (uint32_t n = record->nodes[parent].child; n; n = record->nodes[n].sibling)
        if (record->nodes[n].move == move && !record->nodes[n].setup) {
            ply_status entered = ply_record_enter(record, n, state, error);
            if (entered == PLY_OK)
                *node = n;
            return entered;
        }
    if (record->node_count >= LIBRARY_NODE_LIMIT)
        return ply_error_set(error, PLY_LIMIT, "a game may have at most %d nodes",
                             LIBRARY_NODE_LIMIT);
    if (!reserve_extra(game, record->node_count + 1))
        return no_memory(error);
    library_node extra = {.score = STORE_NO_SCORE, .rank = (int64_t)record->node_count};
    ply_status status = PLY_OK;
    if (!describe_move(&extra, state, move))
        status = no_memory(error);
    if (status == PLY_OK && (status = ply_state_play(state, move)) != PLY_OK)
        ply_error_set(error, status, "%s", ply_status_text(status));
    if (status == PLY_OK && (status = ply_record_add(record, parent, move, node)) != PLY_OK) {
        ply_state_undo(state);
        ply_error_set(error, status, "%s", ply_status_text(status));
    }
    if (status != PLY_OK) {
        free(extra.text);
        free(extra.pretty);
        return status;
    }
    game->extra[*node] = extra;
    *added = true;
    return PLY_OK;
}

void library_remove_unsaved(library_game *game, size_t first)
{
    ply_record *record = &game->record;
    while (record->node_count > first) {
        uint32_t n = (uint32_t)--record->node_count;
        ply_record_node *node = &record->nodes[n];
        uint32_t *link = &record->nodes[node->parent].child;
        while (*link != n)
            link = &record->nodes[*link].sibling;
        *link = node->sibling;
        free(node->comment);
        free(node->setup);
        free(game->extra[n].text);
        free(game->extra[n].pretty);
        free(game->extra[n].best);
        game->extra[n] = (library_node){0};
    }
}

bool library_show_node(library_game *game, uint32_t node)
{
    if (game->header.at == node)
        return false;
    game->header.at = node;
    game->at_changed = true;
    return true;
}

void library_promote(library_game *game, uint32_t node)
{
    uint32_t first = game->record.nodes[game->record.nodes[node].parent].child;
    if (node == 0 || first == node)
        return;
    game->extra[node].rank = game->extra[first].rank - 1;
    link_by_rank(game, node);
}

void library_delete_node(library_game *game, uint32_t node, bool deleted)
{
    game->extra[node].deleted = deleted;
    if (deleted)
        unlink_node(game, node);
    else
        link_by_rank(game, node);
}

/* --- creating and freeing games --------------------------------------------------------------- */
void library_game_free(library_game *game)
{
    for (size_t i = 0; i < game->extra_capacity; i++) {
        free(game->extra[i].text);
        free(game->extra[i].pretty);
        free(game->extra[i].best);
    }
    free(game->extra);
    if (game->record.nodes)
        ply_record_free(&game->record);
    store_header_free(&game->header);
    pthread_mutex_destroy(&game->lock);
    free(game);
}

library_game *library_game_new(void)
{
    library_game *game = calloc(1, sizeof *game);
    if (game)
        pthread_mutex_init(&game->lock, NULL);
    return game;
}

/* Takes over the score that another program has left in a node's comment. */
static void adopt_score(library_game *game, uint32_t n)
{
    int32_t score;
    int depth;
    if (!ply_comment_read_score(game->record.nodes[n].comment, &score, &depth))
        return;
    game->extra[n].score = score;
    game->extra[n].depth = depth < LIBRARY_EXACT_DEPTH ? depth : LIBRARY_EXACT_DEPTH - 1;
}

ply_status library_game_describe(library_game *game, ply_error *error)
{
    ply_record *record = &game->record;
    if (record->node_count > LIBRARY_NODE_LIMIT)
        return ply_error_set(error, PLY_LIMIT, "a game may have at most %d nodes",
                             LIBRARY_NODE_LIMIT);
    if (!reserve_extra(game, record->node_count))
        return no_memory(error);
    game->extra[0] = (library_node){.score = STORE_NO_SCORE};
    ply_state state;
    uint32_t at = 0;
    ply_status status = ply_record_start_state(record, &state, error);
    if (status != PLY_OK)
        return status;
    for (uint32_t n = 1; n < record->node_count && status == PLY_OK; n++) {
        library_node *extra = &game->extra[n];
        *extra = (library_node){.score = STORE_NO_SCORE, .rank = n};
        if (record->nodes[n].parent != at) {
            ply_state_free(&state);
            status = ply_record_state_at(record, record->nodes[n].parent, &state, error);
            if (status != PLY_OK)
                return status;
        }
        extra->side = record->rules.game->side(&record->rules, state.position);
        if (!record->nodes[n].setup && !describe_move(extra, &state, record->nodes[n].move))
            status = no_memory(error);
        if (status == PLY_OK)
            status = ply_record_enter(record, n, &state, error);
        at = n;
    }
    ply_state_free(&state);
    for (uint32_t n = 0; n < record->node_count; n++)
        adopt_score(game, n);
    return status;
}

void library_game_set_tip(library_game *game)
{
    store_header *header = &game->header;
    uint32_t last;
    library_main_line(game, &last);
    if (header->tip < 0 || header->tip >= (int64_t)game->record.node_count)
        header->tip = last;
    game->clock = game_clock_read(header->clock, header->clock_state);
}

void library_game_update_header(library_game *game)
{
    uint32_t last;
    char state[160];
    ply_text text = ply_text_fixed(state, sizeof state);
    game->record.result = game->header.result;
    game->header.plies = library_main_line(game, &last);
    if (library_has_tip(game)) {
        game->header.plies = 0;
        for (uint32_t n = (uint32_t)game->header.tip; n; n = game->record.nodes[n].parent)
            game->header.plies++;
    }
    game->header.node_count = (uint32_t)game->record.node_count;
    game_clock_write(&game->clock, &text);
    library_set_text(&game->header.clock_state, text.length ? state : "");
}

store_node library_game_node(const library_game *game, uint32_t n)
{
    const ply_record_node *node = &game->record.nodes[n];
    const library_node *extra = &game->extra[n];
    return (store_node){.n = n,
                        .parent = node->parent,
                        .rank = extra->rank,
                        .move = extra->text,
                        .setup = node->setup,
                        .millis = node->millis,
                        .comment = node->comment,
                        .nag_count = node->nag_count,
                        .nags = node->nags,
                        .score = extra->score,
                        .depth = extra->depth,
                        .deleted = extra->deleted,
                        .best = extra->best};
}

/* --- loading ---------------------------------------------------------------------------------- */
typedef struct loading {
    library_game *game;
    ply_state state; /* valid if `started` */
    uint32_t at;     /* the node that the state is at */
    bool started;
    ply_status status;
    ply_error *error;
} loading;

/* Sets up the record, given the header. Called for the root, which comes first. */
static ply_status load_start(loading *load)
{
    library_game *game = load->game;
    const store_header *header = &game->header;
    const ply_game *kind = ply_game_find(header->game);
    ply_rules rules;
    if (!kind)
        return ply_error_set(load->error, PLY_UNKNOWN_GAME, "unknown game '%s'", header->game);
    ply_status status = ply_rules_make(&rules, kind, header->variant, load->error);
    if (status == PLY_OK)
        status = ply_record_init(&game->record, &rules);
    if (status == PLY_OK && header->start[0])
        status = ply_record_set_start(&game->record, header->start, strlen(header->start));
    if (status == PLY_OK)
        status = ply_record_start_state(&game->record, &load->state, load->error);
    load->started = status == PLY_OK;
    return status;
}

/* Parses the move of a node and fills in its texts. */
static ply_status load_move(loading *load, const store_node *node, library_node *extra,
                            ply_move *move)
{
    const ply_rules *rules = &load->game->record.rules;
    ply_cursor cursor = ply_cursor_make(node->move, strlen(node->move), load->error);
    ply_status status = rules->game->parse_move(rules, load->state.position, &cursor, move);
    if (status == PLY_OK && !describe_move(extra, &load->state, *move))
        status = no_memory(load->error);
    return status;
}

static ply_status load_node(loading *load, const store_node *node)
{
    library_game *game = load->game;
    ply_record *record = &game->record;
    if (node->n != record->node_count || node->parent >= node->n || (!node->move && !node->setup))
        return ply_error_set(load->error, PLY_BAD_TEXT, "the saved game is damaged at node %u",
                             node->n);
    if (node->parent != load->at) {
        ply_state_free(&load->state);
        load->started = false;
        ply_status status = ply_record_state_at(record, node->parent, &load->state, load->error);
        if (status != PLY_OK)
            return status;
        load->started = true;
    }
    if (!reserve_extra(game, record->node_count + 1))
        return no_memory(load->error);
    library_node *extra = &game->extra[node->n];
    extra->side = record->rules.game->side(&record->rules, load->state.position);
    ply_move move = PLY_MOVE_NONE;
    ply_status status = node->setup ? PLY_OK : load_move(load, node, extra, &move);
    uint32_t added = 0;
    if (status == PLY_OK)
        status = node->setup ? ply_record_add_setup(record, node->parent, node->setup,
                                                    strlen(node->setup), &added)
                             : ply_record_add(record, node->parent, move, &added);
    if (status == PLY_OK)
        status = ply_record_enter(record, added, &load->state, load->error);
    load->at = node->n;
    return status;
}

/* Copies what the store says about a node that is already in the record. */
static ply_status load_annotations(library_game *game, const store_node *node)
{
    ply_status status = PLY_OK;
    game->record.nodes[node->n].millis = node->millis;
    if (node->comment && node->comment[0])
        status =
            ply_record_add_comment(&game->record, node->n, node->comment, strlen(node->comment));
    for (uint8_t i = 0; i < node->nag_count && status == PLY_OK; i++)
        status = ply_record_add_nag(&game->record, node->n, node->nags[i]);
    return status;
}

static bool load_visit(void *context, const store_node *node)
{
    loading *load = context;
    library_game *game = load->game;
    load->status = node->n == 0 ? load_start(load) : load_node(load, node);
    if (load->status == PLY_OK && !reserve_extra(game, node->n + 1u))
        load->status = no_memory(load->error);
    if (load->status == PLY_OK)
        load->status = load_annotations(game, node);
    if (load->status != PLY_OK)
        return false;
    library_node *extra = &game->extra[node->n];
    extra->rank = node->rank;
    extra->score = node->score;
    extra->depth = node->depth;
    if (node->best && !library_set_text(&extra->best, node->best)) {
        load->status = no_memory(load->error);
        return false;
    }
    if (node->n > 0)
        library_delete_node(game, node->n, node->deleted);
    return true;
}

ply_status library_game_load(library_game *game, store *from, int64_t id, ply_error *error)
{
    loading load = {.game = game, .error = error};
    store_header header = {0};
    /* The visitor needs the header, so that is read first. */
    ply_status status = store_read(from, id, &game->header, NULL, NULL, error);
    if (status == PLY_OK)
        status = store_read(from, id, &header, load_visit, &load, error);
    if (status == PLY_OK)
        status = load.status;
    if (status == PLY_OK && !load.started)
        status = ply_error_set(error, PLY_BAD_TEXT, "the saved game is damaged");
    if (status == PLY_OK)
        library_game_set_tip(game);
    if (status != PLY_OK && error &&
        error->status == PLY_OK) /* functions of records fill in none */
        ply_error_set(error, status, "%s", ply_status_text(status));
    if (load.started)
        ply_state_free(&load.state);
    store_header_free(&header);
    return status;
}
