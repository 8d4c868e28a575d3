/* SPDX-License-Identifier: MIT */
/*
 * explorer.c - the opening explorer: what was played from a position, and how it ended.
 *
 * A move leads to a position, and every game with that position counts, however it got there. The
 * games are those of the library, and those that the engine has played against itself, whose first
 * moves are in the page (web/selfplay, written by tools/selfplay-games).
 */
#include "core/text/json_write.h"
#include "server/api/app.h"
#include "server/api/view.h"
#include "server/library/position_index.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INDEX_MILLIS = 60, RESULTS = 4 };

/* --- self-play -------------------------------------------------------------------------------- */
struct selfplay_position {
    uint64_t key;
    ply_result result;
};

void api_selfplay_open(selfplay_index *index)
{
    *index = (selfplay_index){0};
    pthread_mutex_init(&index->lock, NULL);
}

void api_selfplay_close(selfplay_index *index)
{
    for (int i = 0; i < SELFPLAY_GAMES; i++)
        free(index->positions[i]);
    pthread_mutex_destroy(&index->lock);
}

static int compare_positions(const void *a, const void *b)
{
    uint64_t x = ((const struct selfplay_position *)a)->key,
             y = ((const struct selfplay_position *)b)->key;
    return (x > y) - (x < y);
}

/* Plays the game of a line, "1-0 7g7f 3c3d", and adds its positions. */
static void add_line(struct selfplay_position **list, size_t *count, const ply_rules *rules,
                     const char *line, size_t length)
{
    ply_error error = {0};
    ply_cursor cursor = ply_cursor_make(line, length, &error);
    const char *score;
    size_t score_length = ply_cursor_word(&cursor, &score);
    ply_result result;
    ply_state state;
    if (!ply_result_from_score(score, score_length, &result) ||
        ply_state_init(&state, rules) != PLY_OK)
        return;
    for (bool more = true; more;) {
        if (!*list || (*count & (*count - 1)) == 0) { /* grows at powers of two */
            struct selfplay_position *grown =
                realloc(*list, (*count ? 2 * *count : 1) * sizeof *grown);
            if (!grown)
                break;
            *list = grown;
        }
        (*list)[(*count)++] = (struct selfplay_position){position_index_key(&state), result};
        ply_move move;
        ply_cursor_skip_space(&cursor);
        more = !ply_cursor_done(&cursor) &&
               rules->game->parse_move(rules, state.position, &cursor, &move) == PLY_OK &&
               ply_state_play(&state, move) == PLY_OK;
    }
    ply_state_free(&state);
}

/* The rules of the games in a file, selfplay/GAME.txt or selfplay/GAME-VARIANT.txt; false: it has
 * none of this game. */
static bool rules_of_file(const char *path, const ply_game *game, ply_rules *rules)
{
    static const char folder[] = "selfplay/", ending[] = ".txt";
    char name[64];
    size_t id = strlen(game->id), length = strlen(path);
    if (strncmp(path, folder, sizeof folder - 1) != 0 || length < sizeof ending)
        return false;
    snprintf(name, sizeof name, "%.*s", (int)(length - (sizeof folder - 1) - (sizeof ending - 1)),
             path + sizeof folder - 1);
    if (strncmp(name, game->id, id) != 0 || (name[id] && name[id] != '-'))
        return false;
    return ply_rules_make(rules, game, name[id] ? name + id + 1 : NULL, NULL) == PLY_OK;
}

/* Reads the games of one kind, which are in the page. The index is locked. */
static void read_selfplay(selfplay_index *index, size_t number, const ply_game *game)
{
    ply_rules rules;
    for (size_t i = 0; i < page_file_count; i++) {
        const char *text = (const char *)page_files[i].bytes, *end = text + page_files[i].length;
        if (!rules_of_file(page_files[i].path, game, &rules))
            continue;
        while (text < end) {
            const char *stop = memchr(text, '\n', (size_t)(end - text));
            size_t length = (size_t)((stop ? stop : end) - text);
            add_line(&index->positions[number], &index->counts[number], &rules, text, length);
            text += length + 1;
        }
    }
    if (index->positions[number])
        qsort(index->positions[number], index->counts[number], sizeof *index->positions[number],
              compare_positions);
}

static void count_selfplay(selfplay_index *index, const ply_game *game, uint64_t key,
                           uint64_t counts[RESULTS])
{
    size_t number = 0;
    while (number < ply_game_count() && ply_game_at(number) != game)
        number++;
    if (number >= SELFPLAY_GAMES)
        return;
    pthread_mutex_lock(&index->lock);
    if (!index->positions[number])
        read_selfplay(index, number, game);
    const struct selfplay_position *list = index->positions[number];
    size_t count = list ? index->counts[number] : 0, low = 0, high = count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (list[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < count && list[low].key == key; low++)
        counts[list[low].result]++;
    pthread_mutex_unlock(&index->lock);
}

/* --- the explorer ----------------------------------------------------------------------------- */
/* Counts the games with a position, by source and result. */
static ply_status count_games(app *a, const ply_state *state, uint64_t saved[RESULTS],
                              uint64_t selfplay[RESULTS], ply_error *error)
{
    uint64_t key = position_index_key(state);
    memset(selfplay, 0, RESULTS * sizeof *selfplay);
    count_selfplay(&a->selfplay, state->rules->game, key, selfplay);
    return store_count_position(library_store(a->library), key, saved, error);
}

static uint64_t sum(const uint64_t counts[RESULTS])
{
    return counts[0] + counts[1] + counts[2] + counts[3];
}

static void write_counts(const char *name, const uint64_t counts[RESULTS], ply_text *out)
{
    ply_json_name(out, name);
    ply_json_open(out, '{');
    ply_json_member_unsigned(out, "games", sum(counts));
    ply_json_member_unsigned(out, "first", counts[PLY_FIRST_WINS]);
    ply_json_member_unsigned(out, "second", counts[PLY_SECOND_WINS]);
    ply_json_member_unsigned(out, "draws", counts[PLY_DRAW]);
    ply_json_close(out, '}');
}

/* Writes the moves that were played, and those that lead to a named opening. */
static ply_status write_moves(app *a, ply_state *state, const opening_names *names, ply_text *out,
                              ply_error *error)
{
    ply_status status = PLY_OK;
    size_t room = state->rules->max_moves, count;
    ply_move *moves = malloc(room * sizeof *moves);
    if (!moves)
        return PLY_NO_MEMORY;
    count =
        ply_state_outcome(state).result == PLY_ONGOING ? ply_state_moves(state, moves, room) : 0;
    for (size_t i = 0; i < count && status == PLY_OK; i++) {
        uint64_t saved[RESULTS], selfplay[RESULTS];
        status = ply_state_play(state, moves[i]);
        if (status != PLY_OK)
            break;
        const char *name = opening_names_find(names, position_index_key(state));
        status = count_games(a, state, saved, selfplay, error);
        ply_state_undo(state);
        if (status != PLY_OK || (!name && sum(saved) + sum(selfplay) == 0))
            continue;
        ply_json_open(out, '{');
        ply_json_name(out, "move");
        view_move(state, moves[i], out);
        write_counts("library", saved, out);
        write_counts("selfplay", selfplay, out);
        ply_json_member_string(out, "opening", name ? name : "");
        ply_json_close(out, '}');
    }
    free(moves);
    return status;
}

/* The last opening on the way to a node that has a name; "" if there is none. */
static const char *opening_at(const library_game *game, uint32_t node, const opening_names *names)
{
    const char *name = NULL;
    for (uint32_t n = node;; n = game->record.nodes[n].parent) {
        ply_state state;
        if (library_state_at(game, n, &state, NULL) != PLY_OK)
            break;
        name = opening_names_find(names, position_index_key(&state));
        ply_state_free(&state);
        if (name || n == 0)
            break;
    }
    return name ? name : "";
}

static void write_explorer(app *a, const library_game *game, uint32_t node, ply_state *state,
                           uint64_t pending, response *answer)
{
    opening_names names = {0};
    uint64_t saved[RESULTS], selfplay[RESULTS];
    ply_error error = {0};
    ply_text *out = response_json(answer, 200);
    ply_status status = opening_names_make(&names, &game->record.rules) ? PLY_OK : PLY_NO_MEMORY;
    if (status == PLY_OK)
        status = count_games(a, state, saved, selfplay, &error);
    if (status == PLY_OK) {
        ply_json_open(out, '{');
        ply_json_member_unsigned(out, "pending", pending);
        ply_json_member_string(out, "opening", opening_at(game, node, &names));
        write_counts("library", saved, out);
        write_counts("selfplay", selfplay, out);
        ply_json_name(out, "moves");
        ply_json_open(out, '[');
        status = write_moves(a, state, &names, out, &error);
        ply_json_close(out, ']');
        ply_json_close(out, '}');
    }
    opening_names_free(&names);
    if (status == PLY_NO_MEMORY)
        response_no_memory(answer);
    else if (status != PLY_OK)
        api_fail_error(answer, &error);
}

void api_explorer(app *a, const request *r, const int64_t *ids, response *answer)
{
    uint32_t node = (uint32_t)ids[1];
    uint64_t pending = 0;
    ply_error error = {0};
    ply_state state;
    if (!request_check_parameters(r, NULL, answer))
        return;
    if (position_index_update(a->library, INDEX_MILLIS, &pending, &error) != PLY_OK) {
        api_fail_error(answer, &error);
        return;
    }
    library_game *game = api_acquire_node(a, ids, node, answer);
    if (!game)
        return;
    if (api_state_at(game, node, &state, answer)) {
        write_explorer(a, game, node, &state, pending, answer);
        ply_state_free(&state);
    }
    library_release(a->library, game);
}
