/*
 * api_values.c - exact values from tables of solved endings.
 *
 * Tables are opened when a game first asks for those of its rules, and kept. A folder without any
 * is looked at again each time, so that tables built meanwhile are found.
 */
#include "core/json.h"
#include "server/app.h"
#include "server/view.h"
#include <plyverse/tables.h>
#include <stdlib.h>
#include <string.h>

struct open_tables {
    ply_rules rules; /* those the tables refer to */
    char variant[256];
    ply_tables *tables;
};

/* The tables of these rules, or NULL. The app is locked. */
static ply_tables *find_tables(app *a, const ply_rules *rules, const char *variant)
{
    for (size_t i = 0; i < a->tables_count; i++)
        if (a->tables[i]->rules.game == rules->game && strcmp(a->tables[i]->variant, variant) == 0)
            return a->tables[i]->tables;
    if (a->tables_count == APP_TABLES || !a->tables_folder || !ply_tables_available(rules) ||
        strlen(variant) >= sizeof a->tables[0]->variant)
        return NULL;
    struct open_tables *opened = calloc(1, sizeof *opened);
    if (!opened)
        return NULL;
    opened->rules = *rules;
    strcpy(opened->variant, variant);
    if (ply_tables_open(&opened->rules, a->tables_folder, 0, &opened->tables, NULL) != PLY_OK) {
        free(opened);
        return NULL;
    }
    if (ply_tables_count(opened->tables) == 0) {
        ply_tables_close(opened->tables);
        free(opened);
        return NULL;
    }
    a->tables[a->tables_count++] = opened;
    return opened->tables;
}

void api_close_tables(app *a)
{
    while (a->tables_count > 0) {
        struct open_tables *opened = a->tables[--a->tables_count];
        ply_tables_close(opened->tables);
        free(opened);
    }
}

static void write_value(ply_table_value value, ply_text *out)
{
    static const char *const names[] = {
        [PLY_TABLE_DRAW] = "draw", [PLY_TABLE_WIN] = "win", [PLY_TABLE_LOSS] = "loss"};
    ply_json_member_string(out, "value", names[value.result]);
    if (value.result != PLY_TABLE_DRAW)
        ply_json_member_unsigned(out, "distance", (uint64_t)value.plies);
}

static void write_moves(ply_tables *tables, const ply_state *state, ply_text *out)
{
    const ply_rules *rules = state->rules;
    ply_table_move *moves = calloc(rules->max_moves, sizeof *moves);
    size_t count = moves ? ply_tables_moves(tables, state->position, moves) : 0;
    for (size_t i = 0; i < count; i++) {
        char name[PLY_MOVE_TEXT];
        ply_text text = ply_text_fixed(name, sizeof name);
        if (!moves[i].known)
            continue;
        rules->game->format_move(rules, state->position, moves[i].move, &text);
        ply_json_open(out, '{');
        ply_json_member_string(out, "move", name);
        write_value(moves[i].value, out);
        ply_json_close(out, '}');
    }
    free(moves);
}

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
        pthread_mutex_lock(&a->tables_lock);
        ply_tables *tables = find_tables(a, &game->record.rules, game->row.variant);
        pthread_mutex_unlock(&a->tables_lock);
        ply_table_value value;
        bool known = tables && ply_state_outcome(&state).result == PLY_ONGOING &&
                     ply_tables_probe(tables, state.position, &value);
        ply_text *out = response_json(answer, 200);
        ply_json_open(out, '{');
        ply_json_member_bool(out, "known", known);
        if (known) {
            ply_json_member_string(out, "source", "tables");
            write_value(value, out);
        }
        ply_json_name(out, "moves");
        ply_json_open(out, '[');
        if (tables && ply_state_outcome(&state).result == PLY_ONGOING)
            write_moves(tables, &state, out);
        ply_json_close(out, ']');
        ply_json_close(out, '}');
        ply_state_free(&state);
    }
    library_put(a->library, game);
}
