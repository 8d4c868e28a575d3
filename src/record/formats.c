/* SPDX-License-Identifier: MIT */
/* formats.c - the record formats of a game: its own, then those of every game. */
#include "record/formats.h"
#include <string.h>

static const ply_format *const common[] = {&ply_format_ply, &ply_format_json};

const ply_format *ply_format_at(const ply_game *game, size_t i)
{
    if (!game)
        return NULL;
    if (i < game->format_count)
        return &game->formats[i];
    i -= game->format_count;
    return i < sizeof common / sizeof common[0] ? common[i] : NULL;
}

const ply_format *ply_format_find(const ply_game *game, const char *id)
{
    const ply_format *format;
    for (size_t i = 0; id && (format = ply_format_at(game, i)) != NULL; i++)
        if (strcmp(format->id, id) == 0)
            return format;
    return NULL;
}

const ply_format *ply_format_detect(const ply_rules *rules, const char *text, size_t length)
{
    const ply_format *format, *best = NULL;
    size_t most = 0;
    if (!rules || !rules->game || !text)
        return NULL;
    for (size_t i = 0; (format = ply_format_at(rules->game, i)) != NULL; i++) {
        ply_record record;
        bool found = false;
        if (!format->read || ply_record_init(&record, rules) != PLY_OK)
            continue;
        ply_cursor cursor = ply_cursor_make(text, length, NULL);
        ply_status status = format->read(&cursor, &record, &found);
        size_t moves = status == PLY_OK && found ? record.node_count : 0;
        if (moves > most) {
            most = moves;
            best = format;
        }
        ply_record_free(&record);
    }
    return best;
}
