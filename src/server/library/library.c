/* SPDX-License-Identifier: MIT */
/* library.c - see library.h. */
#include "server/library/library.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LOADED_LIMIT = 256, LOADED_NODES_LIMIT = 400000 };

struct library {
    store *store;
    pthread_mutex_t lock;
    saved_game *newest, *oldest; /* in the order of use */
    size_t count, nodes;
};

int64_t saved_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

bool saved_set_text(char **slot, const char *text)
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
static bool reserve_extra(saved_game *game, size_t count)
{
    if (count <= game->extra_capacity)
        return true;
    size_t capacity = count < 64 ? 64 : count * 2;
    saved_node *extra = realloc(game->extra, capacity * sizeof *extra);
    if (!extra)
        return false;
    memset(extra + game->extra_capacity, 0, (capacity - game->extra_capacity) * sizeof *extra);
    game->extra = extra;
    game->extra_capacity = capacity;
    return true;
}

/* Texts of a move in the position before it. False when memory runs out. */
static bool describe_move(saved_node *extra, const ply_state *before, ply_move move)
{
    const ply_rules *rules = before->rules;
    char text[PLY_MOVE_TEXT], pretty[PLY_MOVE_TEXT];
    ply_text text_out = ply_text_fixed(text, sizeof text);
    ply_text pretty_out = ply_text_fixed(pretty, sizeof pretty);
    rules->game->format_move(rules, before->position, move, &text_out);
    ply_game_display_move(rules, before->position, move,
                          before->plies ? before->moves[before->plies - 1] : PLY_MOVE_NONE,
                          &pretty_out);
    extra->side = rules->game->side(rules, before->position);
    extra->text = strdup(text);
    extra->pretty = strdup(pretty);
    return extra->text && extra->pretty;
}

/* Where the children of a node hang in the order of their ranks. */
static void link_by_rank(saved_game *game, uint32_t node)
{
    ply_record_node *nodes = game->record.nodes;
    uint32_t *link = &nodes[nodes[node].parent].child;
    while (*link && *link != node)
        link = &nodes[*link].sibling;
    if (*link)
        *link = nodes[node].sibling;
    link = &nodes[nodes[node].parent].child;
    while (*link && game->extra[*link].rank < game->extra[node].rank)
        link = &nodes[*link].sibling;
    nodes[node].sibling = *link;
    *link = node;
}

uint32_t saved_main_line(const saved_game *game, uint32_t *last)
{
    uint32_t plies = 0, node = 0;
    for (; game->record.nodes[node].child; node = game->record.nodes[node].child)
        plies++;
    *last = node;
    return plies;
}

ply_status saved_state(const saved_game *game, uint32_t node, ply_state *state, ply_error *error)
{
    return ply_record_state_at(&game->record, node, state, error);
}

void saved_settle(saved_game *game)
{
    uint32_t last;
    ply_state state;
    saved_main_line(game, &last);
    if (saved_state(game, last, &state, NULL) != PLY_OK)
        return;
    ply_outcome outcome = ply_state_outcome(&state);
    ply_state_free(&state);
    if (outcome.result == PLY_ONGOING || !saved_set_text(&game->row.ending, outcome.reason))
        return;
    game->row.result = outcome.result;
}

ply_status saved_add_move(saved_game *game, uint32_t parent, ply_move move, ply_state *state,
                          uint32_t *node, bool *added, ply_error *error)
{
    ply_record *record = &game->record;
    *added = false;
    for (uint32_t n = record->nodes[parent].child; n; n = record->nodes[n].sibling)
        if (record->nodes[n].move == move && !record->nodes[n].setup) {
            *node = n;
            return ply_record_enter(record, n, state, error);
        }
    if (record->node_count >= SAVED_NODE_LIMIT)
        return ply_error_set(error, PLY_LIMIT, "a game has at most %d nodes", SAVED_NODE_LIMIT);
    if (!reserve_extra(game, record->node_count + 1))
        return no_memory(error);
    saved_node extra = {.score = STORE_NO_SCORE, .rank = (int64_t)record->node_count};
    ply_status status = PLY_OK;
    if (!describe_move(&extra, state, move))
        status = no_memory(error);
    if (status == PLY_OK && (status = ply_state_play(state, move)) != PLY_OK)
        ply_error_set(error, status, "%s", ply_status_text(status));
    if (status == PLY_OK && (status = ply_record_add(record, parent, move, node)) != PLY_OK)
        ply_error_set(error, status, "%s", ply_status_text(status));
    if (status != PLY_OK) {
        free(extra.text);
        free(extra.pretty);
        return status;
    }
    game->extra[*node] = extra;
    *added = true;
    return PLY_OK;
}

void saved_make_first(saved_game *game, uint32_t node, bool *changed)
{
    uint32_t first = game->record.nodes[game->record.nodes[node].parent].child;
    *changed = node != 0 && first != node;
    if (!*changed)
        return;
    game->extra[node].rank = game->extra[first].rank - 1;
    link_by_rank(game, node);
}

/* --- life ------------------------------------------------------------------------------------- */
static void game_free(saved_game *game)
{
    for (size_t i = 0; i < game->extra_capacity; i++) {
        free(game->extra[i].text);
        free(game->extra[i].pretty);
    }
    free(game->extra);
    if (game->record.nodes)
        ply_record_free(&game->record);
    store_row_free(&game->row);
    pthread_mutex_destroy(&game->lock);
    free(game);
}

static saved_game *game_new(void)
{
    saved_game *game = calloc(1, sizeof *game);
    if (game)
        pthread_mutex_init(&game->lock, NULL);
    return game;
}

/* Fills in what is computed from a record that is there as a whole. */
static ply_status describe_tree(saved_game *game, ply_error *error)
{
    ply_record *record = &game->record;
    if (record->node_count > SAVED_NODE_LIMIT)
        return ply_error_set(error, PLY_LIMIT, "a game has at most %d nodes", SAVED_NODE_LIMIT);
    if (!reserve_extra(game, record->node_count))
        return no_memory(error);
    game->extra[0] = (saved_node){.score = STORE_NO_SCORE};
    ply_state state;
    uint32_t at = 0;
    ply_status status = ply_record_start_state(record, &state, error);
    if (status != PLY_OK)
        return status;
    for (uint32_t n = 1; n < record->node_count && status == PLY_OK; n++) {
        saved_node *extra = &game->extra[n];
        *extra = (saved_node){.score = STORE_NO_SCORE, .rank = n};
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
    return status;
}

static void update_row(saved_game *game)
{
    uint32_t last;
    game->record.result = game->row.result;
    game->row.plies = saved_main_line(game, &last);
    game->row.node_count = (uint32_t)game->record.node_count;
}

static store_node store_node_of(const saved_game *game, uint32_t n)
{
    const ply_record_node *node = &game->record.nodes[n];
    const saved_node *extra = &game->extra[n];
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
                        .depth = extra->depth};
}

/* --- the library ------------------------------------------------------------------------------ */
library *library_open(const char *path, ply_error *error)
{
    library *l = calloc(1, sizeof *l);
    if (!l) {
        no_memory(error);
        return NULL;
    }
    pthread_mutex_init(&l->lock, NULL);
    l->store = store_open(path, error);
    if (!l->store) {
        library_close(l);
        return NULL;
    }
    return l;
}

static void unlink_game(library *l, saved_game *game)
{
    *(game->newer ? &game->newer->older : &l->newest) = game->older;
    *(game->older ? &game->older->newer : &l->oldest) = game->newer;
    game->newer = game->older = NULL;
    l->count--;
}

static void link_newest(library *l, saved_game *game)
{
    game->older = l->newest;
    game->newer = NULL;
    *(l->newest ? &l->newest->newer : &l->oldest) = game;
    l->newest = game;
    l->count++;
}

void library_close(library *l)
{
    if (!l)
        return;
    while (l->store && library_flush(l))
        continue;
    while (l->newest) {
        saved_game *game = l->newest;
        unlink_game(l, game);
        game_free(game);
    }
    store_close(l->store);
    pthread_mutex_destroy(&l->lock);
    free(l);
}

store *library_store(library *l)
{
    return l->store;
}

size_t library_loaded(library *l)
{
    pthread_mutex_lock(&l->lock);
    size_t count = l->count;
    pthread_mutex_unlock(&l->lock);
    return count;
}

bool library_flush(library *l)
{
    enum { BATCH = 32 };
    struct shown {
        int64_t id;
        uint32_t at;
    } shown[BATCH];
    size_t count = 0;
    pthread_mutex_lock(&l->lock);
    for (saved_game *game = l->newest; game && count < BATCH; game = game->older)
        /* One in use is its user's alone, and is left for the next time. */
        if (game->users == 0 && game->at_changed) {
            shown[count++] = (struct shown){game->id, game->row.at};
            game->at_changed = false;
        }
    pthread_mutex_unlock(&l->lock);
    for (size_t i = 0; i < count; i++)
        store_set_at(l->store, shown[i].id, shown[i].at, NULL);
    return count > 0;
}

typedef struct loading {
    saved_game *game;
    ply_state state;
    uint32_t at; /* the node the state stands at */
    bool started;
    ply_status status;
    ply_error *error;
} loading;

/* Sets up the record when the first node, the root, comes: the row was read before it. */
static ply_status load_start(loading *load)
{
    saved_game *game = load->game;
    const store_row *row = &game->row;
    const ply_game *kind = ply_game_find(row->game);
    ply_rules rules;
    if (!kind)
        return ply_error_set(load->error, PLY_UNKNOWN_GAME, "there is no game '%s'", row->game);
    ply_status status = ply_rules_make(&rules, kind, row->variant, load->error);
    if (status == PLY_OK && (status = ply_record_init(&game->record, &rules)) != PLY_OK)
        ply_error_set(load->error, status, "%s", ply_status_text(status));
    if (status == PLY_OK && row->start[0])
        status = ply_record_set_start(&game->record, row->start, strlen(row->start));
    if (status == PLY_OK)
        status = ply_record_start_state(&game->record, &load->state, load->error);
    load->started = status == PLY_OK;
    return status;
}

static ply_status load_move(loading *load, const store_node *node, saved_node *extra,
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
    saved_game *game = load->game;
    ply_record *record = &game->record;
    if (node->n != record->node_count || node->parent >= node->n || (!node->move && !node->setup))
        return ply_error_set(load->error, PLY_BAD_TEXT, "node %u is damaged", node->n);
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
    saved_node *extra = &game->extra[node->n];
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

static bool load_visit(void *context, const store_node *node)
{
    loading *load = context;
    saved_game *game = load->game;
    load->status = node->n == 0 ? load_start(load) : load_node(load, node);
    if (load->status != PLY_OK || !reserve_extra(game, node->n + 1u))
        return false;
    ply_record_node *n = &game->record.nodes[node->n];
    saved_node *extra = &game->extra[node->n];
    n->millis = node->millis;
    if (node->comment && node->comment[0])
        ply_record_add_comment(&game->record, node->n, node->comment, strlen(node->comment));
    for (uint8_t i = 0; i < node->nag_count; i++)
        ply_record_add_nag(&game->record, node->n, node->nags[i]);
    extra->rank = node->rank;
    extra->score = node->score;
    extra->depth = node->depth;
    if (node->n > 0)
        link_by_rank(game, node->n);
    return true;
}

static ply_status load_game(library *l, saved_game *game, int64_t id, ply_error *error)
{
    loading load = {.game = game, .error = error};
    store_row row = {0};
    /* The row first: the visitor needs it. */
    ply_status status = store_read(l->store, id, &game->row, NULL, NULL, error);
    if (status == PLY_OK)
        status = store_read(l->store, id, &row, load_visit, &load, error);
    if (status == PLY_OK)
        status = load.status;
    if (status == PLY_OK && !load.started)
        status = ply_error_set(error, PLY_BAD_TEXT, "the game is damaged");
    if (load.started)
        ply_state_free(&load.state);
    store_row_free(&row);
    return status;
}

/* Forgets games that nobody uses, the longest unused first. The library is locked. */
static void make_room(library *l)
{
    saved_game *game = l->oldest;
    size_t nodes = 0;
    for (saved_game *g = l->oldest; g; g = g->newer)
        nodes += g->users ? 0 : g->record.node_count;
    while (game && (l->count > LOADED_LIMIT || nodes > LOADED_NODES_LIMIT)) {
        saved_game *next = game->newer;
        if (game->users == 0 && !game->at_changed) {
            nodes -= game->record.node_count;
            unlink_game(l, game);
            game_free(game);
        }
        game = next;
    }
}

saved_game *library_take(library *l, int64_t id, ply_error *error)
{
    pthread_mutex_lock(&l->lock);
    saved_game *game = l->newest;
    while (game && (game->id != id || game->broken))
        game = game->older;
    if (game) {
        unlink_game(l, game);
    } else if ((game = game_new()) != NULL) {
        game->id = id;
    } else {
        pthread_mutex_unlock(&l->lock);
        no_memory(error);
        return NULL;
    }
    game->users++;
    link_newest(l, game);
    pthread_mutex_unlock(&l->lock);
    pthread_mutex_lock(&game->lock);
    if (game->loaded && !game->failed)
        return game;
    /* Whoever was here before could not read it, or not write it: the next one reads it afresh. */
    ply_status status = game->failed ? ply_error_set(error, PLY_IO, "the game could not be read")
                                     : load_game(l, game, id, error);
    game->loaded = status == PLY_OK;
    game->failed = status != PLY_OK;
    if (status == PLY_OK)
        return game;
    library_put(l, game);
    return NULL;
}

void library_put(library *l, saved_game *game)
{
    bool failed = game->failed;
    pthread_mutex_unlock(&game->lock);
    pthread_mutex_lock(&l->lock);
    game->broken |= failed;
    if (--game->users == 0 && game->broken) {
        unlink_game(l, game);
        game_free(game);
    }
    make_room(l);
    pthread_mutex_unlock(&l->lock);
}

static ply_status fill_row(saved_game *game, const store_row *given)
{
    const ply_record *record = &game->record;
    store_row *row = &game->row;
    char variant[512];
    ply_text name = ply_text_fixed(variant, sizeof variant);
    ply_rules_format(&record->rules, &name);
    *row = (store_row){.at = given->at, .result = record->result, .created = saved_now()};
    row->modified = row->created;
    bool good = ply_text_complete(&name) && saved_set_text(&row->game, record->rules.game->id) &&
                saved_set_text(&row->variant, variant) &&
                saved_set_text(&row->start, record->start ? record->start : "") &&
                saved_set_text(&row->title, given->title) &&
                saved_set_text(&row->players, given->players) &&
                saved_set_text(&row->clock, given->clock) &&
                saved_set_text(&row->tags, given->tags) &&
                saved_set_text(&row->ending, record->ending ? record->ending : "");
    return good ? PLY_OK : PLY_NO_MEMORY;
}

saved_game *library_create(library *l, ply_record *record, const store_row *row, ply_error *error)
{
    saved_game *game = game_new();
    if (!game) {
        ply_record_free(record);
        no_memory(error);
        return NULL;
    }
    game->record = *record;
    ply_status status = fill_row(game, row);
    if (status != PLY_OK)
        no_memory(error);
    if (status == PLY_OK)
        status = describe_tree(game, error);
    store_node *nodes = NULL;
    if (status == PLY_OK) {
        update_row(game);
        nodes = calloc(game->record.node_count, sizeof *nodes);
        if (!nodes)
            status = no_memory(error);
    }
    if (status == PLY_OK) {
        for (uint32_t n = 0; n < game->record.node_count; n++)
            nodes[n] = store_node_of(game, n);
        status =
            store_add(l->store, &game->row, nodes, game->record.node_count, &game->row.id, error);
    }
    free(nodes);
    if (status != PLY_OK) {
        game_free(game);
        return NULL;
    }
    game->loaded = true;
    game->id = game->row.id;
    game->users = 1;
    pthread_mutex_lock(&game->lock);
    pthread_mutex_lock(&l->lock);
    link_newest(l, game);
    pthread_mutex_unlock(&l->lock);
    return game;
}

ply_status saved_commit(library *l, saved_game *game, size_t first, ply_error *error)
{
    size_t count = game->record.node_count - first;
    store_node few[16], *nodes = count <= 16 ? few : calloc(count, sizeof *nodes);
    if (!nodes) {
        game->failed = true;
        return no_memory(error);
    }
    for (size_t i = 0; i < count; i++)
        nodes[i] = store_node_of(game, (uint32_t)(first + i));
    update_row(game);
    game->row.modified = saved_now();
    ply_status status = store_grow(l->store, &game->row, nodes, count, error);
    if (nodes != few)
        free(nodes);
    game->failed = status != PLY_OK;
    game->at_changed = false;
    return status;
}

ply_status saved_commit_node(library *l, saved_game *game, uint32_t node, ply_error *error)
{
    store_node n = store_node_of(game, node);
    ply_status status = store_change_node(l->store, game->row.id, &n, error);
    game->failed = status != PLY_OK;
    return status;
}
