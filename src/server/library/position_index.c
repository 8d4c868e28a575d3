/* SPDX-License-Identifier: MIT */
/* position_index.c - keys of positions, and keeping the index up to date; see position_index.h. */
#include "server/library/position_index.h"
#include "core/clock.h"
#include "core/hash.h"
#include <stdlib.h>
#include <string.h>

static uint64_t hash_text(uint64_t hash, const char *text)
{
    for (; *text; text++)
        hash = ply_mix64(hash ^ (unsigned char)*text) + 1;
    return hash;
}

uint64_t position_index_key(const ply_state *state)
{
    char variant[512];
    ply_text name = ply_text_fixed(variant, sizeof variant);
    ply_rules_format(state->rules, &name);
    uint64_t rules = hash_text(hash_text(0, state->rules->game->id), variant);
    return ply_mix64(ply_state_key(state) ^ rules);
}

uint32_t position_index_version(void)
{
    uint64_t version = 1;
    for (size_t i = 0; i < ply_game_count(); i++) {
        ply_rules rules;
        ply_state state;
        if (ply_rules_make(&rules, ply_game_at(i), NULL, NULL) != PLY_OK ||
            ply_state_init(&state, &rules) != PLY_OK)
            continue;
        ply_move move;
        version = ply_mix64(version ^ position_index_key(&state));
        if (ply_state_moves(&state, &move, 1) > 0 && ply_state_play(&state, move) == PLY_OK)
            version = ply_mix64(version ^ position_index_key(&state));
        ply_state_free(&state);
    }
    return (uint32_t)version;
}

/* --- names of openings ------------------------------------------------------------------------ */
/* Openings that the games themselves do not list. */
static const struct known_opening {
    const char *game, *moves, *name;
} known_openings[] = {
    {"shogi", "2g2f 8c8d 2f2e 8d8e", "Double wing attack"},
    {"shogi", "7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 2e2d 2c2d 2h2d", "Side pawn opening"},
    {"shogi", "7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 2e2d 2c2d 2h2d 8e8f 8g8f 8b8f 2d3d",
     "Side pawn capture"},
    {"shogi", "7g7f 8c8d 2g2f 8d8e 8h7g 3c3d 7i8h 2b7g+ 8h7g", "Bishop exchange"},
    {"shogi", "7g7f 3c3d 2g2f 2b8h+ 7i8h", "One-turn-loss bishop exchange"},
    {"shogi", "7g7f 8c8d 7i6h 3c3d 6g6f", "Yagura"},
    {"shogi", "7g7f 8c8d 7i6h 3c3d 6h7g", "Yagura"},
    {"shogi", "7g7f 3c3d 2g2f 5c5d", "Gokigen central rook"},
    {"shogi", "7g7f 3c3d 2g2f 4c4d", "Fourth-file rook or Right king"},
    {"shogi", "7g7f 3c3d 6g6f", "Ranging rook"},
    {"shogi", "7g7f 3c3d 7f7e", "Third-file rook"},
    {"shogi", "7g7f 3c3d", "Open bishop diagonals"},
    {"shogi", "5g5f", "Central rook"},
    {"checkers", "9-13", "Edinburgh"},
    {"checkers", "9-14", "Double Corner"},
    {"checkers", "10-14", "Denver"},
    {"checkers", "10-15", "Kelso"},
    {"checkers", "11-15", "Old Faithful"},
    {"checkers", "11-16", "Bristol"},
    {"checkers", "12-16", "Dundee"},
};

static int compare_names(const void *a, const void *b)
{
    uint64_t x = ((const struct opening_name *)a)->key, y = ((const struct opening_name *)b)->key;
    return (x > y) - (x < y);
}

/* Adds a name for the position after some moves. Openings that are illegal here are left out. */
static bool add_name(opening_names *list, const char *position, const char *moves, const char *name)
{
    ply_state state;
    struct opening_name *grown = realloc(list->names, (list->count + 1) * sizeof *grown);
    if (!grown)
        return false;
    list->names = grown;
    if (ply_state_init(&state, &list->rules) != PLY_OK)
        return false;
    bool good = true;
    if ((!position[0] || ply_state_parse(&state, position, strlen(position), NULL) == PLY_OK) &&
        ply_state_play_text(&state, moves, strlen(moves), NULL) == PLY_OK) {
        grown[list->count] = (struct opening_name){position_index_key(&state), strdup(name)};
        good = grown[list->count].name != NULL;
        list->count += good;
    }
    ply_state_free(&state);
    return good;
}

bool opening_names_make(opening_names *list, const ply_rules *rules)
{
    bool good = true, has_moves = true;
    *list = (opening_names){.rules = *rules};
    size_t count = rules->openings->count ? rules->openings->count(rules) : 0;
    for (size_t i = 0; i < sizeof known_openings / sizeof known_openings[0] && good; i++)
        if (strcmp(known_openings[i].game, rules->game->id) == 0)
            good = add_name(list, "", known_openings[i].moves, known_openings[i].name);
    /* Openings given as moves come first; decks of positions follow. */
    for (size_t i = 0; i < count && good && has_moves; i++) {
        ply_text name = ply_text_growing(), position = ply_text_growing(),
                 moves = ply_text_growing();
        has_moves =
            rules->openings->get(rules, i, &name, &position, &moves) == PLY_OK && moves.length > 0;
        if (has_moves && name.length > 0)
            good = add_name(list, ply_text_cstr(&position), ply_text_cstr(&moves),
                            ply_text_cstr(&name));
        ply_text_free(&name);
        ply_text_free(&position);
        ply_text_free(&moves);
    }
    if (list->count)
        qsort(list->names, list->count, sizeof *list->names, compare_names);
    return good;
}

void opening_names_free(opening_names *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->names[i].name);
    free(list->names);
    *list = (opening_names){0};
}

const char *opening_names_find(const opening_names *list, uint64_t key)
{
    struct opening_name wanted = {.key = key};
    const struct opening_name *found =
        list->count ? bsearch(&wanted, list->names, list->count, sizeof *list->names, compare_names)
                    : NULL;
    return found ? found->name : NULL;
}

/* --- the index -------------------------------------------------------------------------------- */
/* Whether two sets of rules are the same. */
static bool same_rules(const ply_rules *a, const ply_rules *b)
{
    return a->game == b->game && a->variant == b->variant &&
           memcmp(a->option, b->option, sizeof a->option) == 0;
}

/* Lists the keys of an acquired game; names holds the openings of the game before, or nothing. The
 * caller frees entry->keys and entry->opening. */
static bool list_keys(const library_game *game, opening_names *names, store_index_entry *entry)
{
    const ply_record *record = &game->record;
    const char *opening = "";
    ply_state state;
    *entry = (store_index_entry){
        .id = game->header.id, .modified = game->header.modified, .result = game->header.result};
    if (!names->rules.game || !same_rules(&names->rules, &record->rules)) {
        opening_names_free(names);
        if (!opening_names_make(names, &record->rules))
            return false;
    }
    uint64_t *keys = malloc((game->header.plies + 1u) * sizeof *keys);
    int64_t last = library_has_tip(game) ? game->header.tip : -1;
    if (keys && !game->header.deleted && ply_record_start_state(record, &state, NULL) == PLY_OK) {
        for (uint32_t n = 0; entry->count <= game->header.plies; n = record->nodes[n].child) {
            if (n > 0 && ply_record_enter(record, n, &state, NULL) != PLY_OK)
                break;
            keys[entry->count] = position_index_key(&state);
            const char *name = opening_names_find(names, keys[entry->count++]);
            opening = name ? name : opening;
            if (n == last || !record->nodes[n].child)
                break;
        }
        ply_state_free(&state);
    }
    entry->keys = keys;
    entry->opening = strdup(opening);
    return entry->keys && entry->opening;
}

static void free_entries(store_index_entry *entries, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free((void *)entries[i].keys);
        free((void *)entries[i].opening);
    }
}

ply_status position_index_update(library *l, uint64_t millis, uint64_t *pending, ply_error *error)
{
    enum { BATCH = 64 };
    uint64_t deadline = ply_clock_nanos() + millis * UINT64_C(1000000);
    opening_names names = {0};
    int64_t id = 0;
    ply_status status = PLY_OK;
    do {
        store_index_entry entries[BATCH];
        size_t count = 0;
        while (status == PLY_OK && count < BATCH && ply_clock_nanos() < deadline) {
            status = store_next_unindexed(library_store(l), id, &id, error);
            if (status != PLY_OK || !id)
                break;
            library_game *game = library_acquire(l, id, NULL);
            if (!game)
                continue; /* it cannot be read: it stays out of the index */
            bool good = list_keys(game, &names, &entries[count++]);
            library_release(l, game);
            if (!good)
                status = ply_error_set(error, PLY_NO_MEMORY, "out of memory");
        }
        if (status == PLY_OK && count > 0)
            status = store_index(library_store(l), entries, count, error);
        free_entries(entries, count);
    } while (status == PLY_OK && id && ply_clock_nanos() < deadline);
    opening_names_free(&names);
    /* Whoever reached the end has seen every game, also those that cannot be read. */
    *pending = 0;
    return status == PLY_OK && id ? store_count_unindexed(library_store(l), pending, error)
                                  : status;
}
