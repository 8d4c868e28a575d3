/* SPDX-License-Identifier: MIT */
/* library.c - the cache of saved games; see library.h. One game is in library_game.c. */
#include "server/library/library_internal.h"
#include "server/library/position_index.h"
#include <stdlib.h>
#include <time.h>

/* How much stays in memory when it is not in use. */
enum { LOADED_LIMIT = 256, LOADED_NODES_LIMIT = 400000 };

struct library {
    store *store;
    pthread_mutex_t lock;          /* guards what follows; no other lock is taken under it */
    library_game *newest, *oldest; /* by last use */
    size_t count;
};

int64_t library_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static ply_status no_memory(ply_error *error)
{
    return ply_error_set(error, PLY_NO_MEMORY, "out of memory");
}

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
    if (store_check_index(l->store, position_index_version(), error) != PLY_OK) {
        library_close(l);
        return NULL;
    }
    return l;
}

static void unlink_game(library *l, library_game *game)
{
    *(game->newer ? &game->newer->older : &l->newest) = game->older;
    *(game->older ? &game->older->newer : &l->oldest) = game->newer;
    game->newer = game->older = NULL;
    l->count--;
}

static void link_newest(library *l, library_game *game)
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
        library_game *game = l->newest;
        unlink_game(l, game);
        library_game_free(game);
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
    struct change {
        int64_t id;
        uint32_t at;
    } changes[BATCH];
    size_t count = 0;
    pthread_mutex_lock(&l->lock);
    for (library_game *game = l->newest; game && count < BATCH; game = game->older)
        /* A game in use is guarded by its own lock; it will be free another time. */
        if (game->users == 0 && game->at_changed) {
            changes[count++] = (struct change){game->id, game->header.at};
            game->at_changed = false;
        }
    pthread_mutex_unlock(&l->lock);
    for (size_t i = 0; i < count; i++)
        store_set_at(l->store, changes[i].id, changes[i].at, NULL);
    return count > 0;
}

/* Frees games that are not in use, least recently used first. The library is locked. */
static void evict(library *l)
{
    library_game *game = l->oldest;
    size_t nodes = 0;
    for (library_game *g = l->oldest; g; g = g->newer)
        nodes += g->users ? 0 : g->record.node_count;
    while (game && (l->count > LOADED_LIMIT || nodes > LOADED_NODES_LIMIT)) {
        library_game *next = game->newer;
        if (game->users == 0 && !game->at_changed) {
            nodes -= game->record.node_count;
            unlink_game(l, game);
            library_game_free(game);
        }
        game = next;
    }
}

library_game *library_acquire(library *l, int64_t id, ply_error *error)
{
    pthread_mutex_lock(&l->lock);
    library_game *game = l->newest;
    while (game && (game->id != id || game->broken))
        game = game->older;
    if (game) {
        unlink_game(l, game);
    } else if ((game = library_game_new()) != NULL) {
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
    /* If it failed while we waited for the lock, the previous user marks it broken in
     * library_release, and the next caller loads a fresh copy. */
    ply_status status = game->failed ? ply_error_set(error, PLY_IO, "cannot read the game")
                                     : library_game_load(game, l->store, id, error);
    game->loaded = status == PLY_OK;
    game->failed = status != PLY_OK;
    if (status == PLY_OK)
        return game;
    library_release(l, game);
    return NULL;
}

void library_release(library *l, library_game *game)
{
    bool failed = game->failed;
    pthread_mutex_unlock(&game->lock);
    pthread_mutex_lock(&l->lock);
    game->broken |= failed;
    if (--game->users == 0 && game->broken) {
        unlink_game(l, game);
        library_game_free(game);
    }
    evict(l);
    pthread_mutex_unlock(&l->lock);
}

static ply_status fill_header(library_game *game, const store_header *given)
{
    const ply_record *record = &game->record;
    store_header *header = &game->header;
    char variant[512];
    ply_text name = ply_text_fixed(variant, sizeof variant);
    ply_rules_format(&record->rules, &name);
    *header = (store_header){.at = given->at,
                             .result = record->result,
                             .mode = given->mode,
                             .tip = -1,
                             .created = library_now()};
    header->modified = header->created;
    bool good = ply_text_complete(&name) &&
                library_set_text(&header->game, record->rules.game->id) &&
                library_set_text(&header->variant, variant) &&
                library_set_text(&header->start, record->start ? record->start : "") &&
                library_set_text(&header->title, given->title) &&
                library_set_text(&header->players, given->players) &&
                library_set_text(&header->clock, given->clock) &&
                library_set_text(&header->tags, given->tags) &&
                library_set_text(&header->ending, record->ending ? record->ending : "") &&
                library_set_text(&header->clock_state, "") &&
                library_set_text(&header->origin, given->origin ? given->origin : "");
    return good ? PLY_OK : PLY_NO_MEMORY;
}

library_game *library_create(library *l, ply_record *record, const store_header *header,
                             ply_error *error)
{
    library_game *game = library_game_new();
    if (!game) {
        ply_record_free(record);
        no_memory(error);
        return NULL;
    }
    game->record = *record;
    ply_status status = fill_header(game, header);
    if (status != PLY_OK)
        no_memory(error);
    if (status == PLY_OK)
        status = library_game_describe(game, error);
    store_node *nodes = NULL;
    if (status == PLY_OK) {
        library_game_set_tip(game);
        library_game_update_header(game);
        nodes = calloc(game->record.node_count, sizeof *nodes);
        if (!nodes)
            status = no_memory(error);
    }
    if (status == PLY_OK) {
        for (uint32_t n = 0; n < game->record.node_count; n++)
            nodes[n] = library_game_node(game, n);
        status = store_add(l->store, &game->header, nodes, game->record.node_count,
                           &game->header.id, error);
    }
    free(nodes);
    if (status != PLY_OK) {
        library_game_free(game);
        return NULL;
    }
    game->loaded = true;
    game->id = game->header.id;
    game->users = 1;
    pthread_mutex_lock(&game->lock);
    pthread_mutex_lock(&l->lock);
    link_newest(l, game);
    pthread_mutex_unlock(&l->lock);
    return game;
}

ply_status library_save(library *l, library_game *game, size_t first, ply_error *error)
{
    size_t count = game->record.node_count - first;
    enum { FEW = 16 }; /* most saves add a node or two: no need to allocate */
    store_node few[FEW], *nodes = count <= FEW ? few : calloc(count, sizeof *nodes);
    if (!nodes) {
        game->failed = true;
        return no_memory(error);
    }
    for (size_t i = 0; i < count; i++)
        nodes[i] = library_game_node(game, (uint32_t)(first + i));
    library_game_update_header(game);
    game->header.modified = library_now();
    ply_status status = store_update(l->store, &game->header, nodes, count, error);
    if (nodes != few)
        free(nodes);
    game->failed = status != PLY_OK;
    game->at_changed = false;
    return status;
}

ply_status library_save_node(library *l, library_game *game, uint32_t node, ply_error *error)
{
    store_node n = library_game_node(game, node);
    ply_status status = store_update_node(l->store, game->header.id, &n, error);
    game->failed = status != PLY_OK;
    return status;
}
