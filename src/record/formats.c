/* SPDX-License-Identifier: MIT */
/* formats.c - the record formats of a game: its own, then those of every game. */
#include "record/formats.h"
#include <string.h>

static const ply_format *const common[] = {&ply_format_ply, &ply_format_json};

const ply_format *ply_format_at(const ply_game *game, size_t i)
{
    if (i < game->format_count)
        return &game->formats[i];
    i -= game->format_count;
    return i < sizeof common / sizeof common[0] ? common[i] : NULL;
}

const ply_format *ply_format_find(const ply_game *game, const char *id)
{
    const ply_format *format;
    for (size_t i = 0; (format = ply_format_at(game, i)) != NULL; i++)
        if (strcmp(format->id, id) == 0)
            return format;
    return NULL;
}
