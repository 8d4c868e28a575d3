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

/* How well a format reads the first game of a text. */
typedef struct first_game {
    size_t moves;  /* 0: it cannot be read */
    size_t offset; /* of what cannot be read */
} first_game;

static first_game read_first_game(const ply_format *format, const ply_rules *rules,
                                  const char *text, size_t length)
{
    ply_record record;
    ply_error error = {0};
    bool found = false;
    if (ply_record_init(&record, rules) != PLY_OK)
        return (first_game){0};
    ply_cursor cursor = ply_cursor_make(text, length, &error);
    ply_status status = format->read(&cursor, &record, &found);
    first_game game = {.moves = status == PLY_OK && found ? record.node_count : 0,
                       .offset = error.offset};
    ply_record_free(&record);
    return game;
}

const ply_format *ply_format_detect(const ply_rules *rules, const char *text, size_t length)
{
    const ply_format *format, *best = NULL;
    first_game most = {0};
    if (!rules || !rules->game || !text)
        return NULL;
    for (size_t i = 0; (format = ply_format_at(rules->game, i)) != NULL; i++) {
        if (!format->read || !ply_format_recognises(format, text, length))
            continue;
        first_game game = read_first_game(format, rules, text, length);
        if (!best || game.moves > most.moves || (most.moves == 0 && game.offset > most.offset)) {
            most = game;
            best = format;
        }
    }
    return best;
}

/* --- recognising a format --------------------------------------------------------------------- */
enum { RUN_LIMIT = 1000 }; /* characters that a * stands for at most */

typedef struct pattern_text {
    const char *start, *end;
} pattern_text;

static bool is_digit(unsigned char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(unsigned char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Whether a sign of a pattern stands for a character. */
static bool stands_for(char sign, unsigned char c)
{
    switch (sign) {
    case '#':
        return is_digit(c);
    case '%':
        return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    case '@':
        return is_letter(c);
    case '!':
        return c >= 0x80;
    default:
        return (unsigned char)sign == c;
    }
}

static bool matches_at(pattern_text text, const char *at, const char *pattern)
{
    for (; *pattern; pattern++) {
        if (*pattern == '*') {
            /* Up to the first character that the next sign stands for: no backtracking, so a text
             * cannot make this slow. */
            for (size_t run = 0; run < RUN_LIMIT && at < text.end && (unsigned char)*at > ' ' &&
                                 !stands_for(pattern[1], (unsigned char)*at);
                 run++)
                at++;
            continue;
        }
        if (*pattern == '$') {
            if (at < text.end && *at != '\n' && *at != '\r')
                return false;
            continue;
        }
        if (*pattern == '^') {
            if (at > text.start && at[-1] != '\n')
                return false;
            continue;
        }
        if (at == text.end || !stands_for(*pattern, (unsigned char)*at))
            return false;
        at++;
    }
    return true;
}

bool ply_format_recognises(const ply_format *format, const char *text, size_t length)
{
    static const char byte_order_mark[] = "\xEF\xBB\xBF";
    if (!format || !text)
        return false;
    pattern_text whole = {text, text + length};
    if (length >= 3 && memcmp(text, byte_order_mark, 3) == 0)
        whole.start += 3;
    while (whole.start < whole.end && (unsigned char)*whole.start <= ' ')
        whole.start++;
    for (const char *const *sign = format->signs; sign && *sign; sign++) {
        if (**sign == '~') {
            if (matches_at(whole, whole.start, *sign + 1))
                return true;
            continue;
        }
        for (const char *at = whole.start; at < whole.end; at++)
            if (matches_at(whole, at, *sign))
                return true;
    }
    return false;
}
