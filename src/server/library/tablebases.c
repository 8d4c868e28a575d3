/* SPDX-License-Identifier: MIT */
/* tablebases.c - see tablebases.h. */
#include "server/library/tablebases.h"
#include "core/clock.h"
#include "core/json_write.h"
#include <stdlib.h>
#include <string.h>

bool solved_open(solved *s, const char *dir)
{
    *s = (solved){.dir = strdup(dir)};
    pthread_mutex_init(&s->lock, NULL);
    return s->dir != NULL;
}

void solved_close(solved *s)
{
    for (int i = 0; i < SOLVED_RULES; i++)
        ply_tablebase_close(s->rules[i].tables);
    free(s->dir);
    pthread_mutex_destroy(&s->lock);
}

/* Opens the tables of a place that holds none. */
static void open_tables(solved *s, solved_rules *place)
{
    place->tried = ply_clock_nanos();
    if (ply_tablebase_available(&place->rules))
        ply_tablebase_open(&place->rules, s->dir, 0, &place->tables, NULL);
}

/* Sees tables that were built meanwhile; after a failure only now and then. */
static void refresh(solved *s, solved_rules *place)
{
    if (place->tables ? ply_tablebase_changed(place->tables)
                      : ply_clock_seconds_since(place->tried) >= 1) {
        ply_tablebase_close(place->tables);
        place->tables = NULL;
        open_tables(s, place);
    }
}

/* The tables of these rules, or NULL. Those asked longest ago make way. */
static ply_tablebase *find(solved *s, const ply_rules *rules)
{
    solved_rules *oldest = &s->rules[0];
    for (int i = 0; i < SOLVED_RULES; i++) {
        solved_rules *known = &s->rules[i];
        if (known->rules.game == rules->game &&
            memcmp(known->rules.option, rules->option, sizeof rules->option) == 0) {
            known->used = ++s->clock;
            refresh(s, known);
            return known->tables;
        }
        oldest = known->used < oldest->used ? known : oldest;
    }
    ply_tablebase_close(oldest->tables);
    *oldest = (solved_rules){.rules = *rules, .used = ++s->clock};
    open_tables(s, oldest);
    return oldest->tables;
}

static void write_value(ply_tablebase_value value, ply_text *out)
{
    static const char *const names[] = {"draw", "win", "loss"};
    ply_json_member_string(out, "value", names[value.result]);
    if (value.result != PLY_TABLEBASE_DRAW)
        ply_json_member_unsigned(out, "distance", (uint64_t)value.plies);
}

void solved_write(solved *s, const ply_rules *rules, const void *position, ply_text *out)
{
    ply_tablebase_value value;
    ply_tablebase_move *moves = malloc(rules->max_moves * sizeof *moves);
    size_t count = 0;
    pthread_mutex_lock(&s->lock);
    ply_tablebase *tables = find(s, rules);
    bool known = tables && moves && ply_tablebase_probe(tables, position, &value);
    if (tables && moves) /* some moves may be known where the position is not */
        count = ply_tablebase_moves(tables, position, moves);
    pthread_mutex_unlock(&s->lock);
    ply_json_open(out, '{');
    ply_json_member_bool(out, "known", known);
    if (known) {
        ply_json_member_string(out, "source", "table");
        write_value(value, out);
    }
    ply_json_name(out, "moves");
    ply_json_open(out, '[');
    for (size_t i = 0; i < count; i++) {
        char text[PLY_MOVE_TEXT];
        ply_text move = ply_text_fixed(text, sizeof text);
        if (!moves[i].known)
            continue;
        rules->game->format_move(rules, position, moves[i].move, &move);
        ply_json_open(out, '{');
        ply_json_member_string(out, "move", text);
        write_value(moves[i].value, out);
        ply_json_close(out, '}');
    }
    ply_json_close(out, ']');
    ply_json_close(out, '}');
    free(moves);
}
