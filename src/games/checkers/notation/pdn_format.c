/* SPDX-License-Identifier: MIT */
/*
 * pdn_format.c - PDN files: which rules, which of several captures, which characters; see pdn.h.
 *
 * A capture may be written by its first and last square even where several paths, with different
 * pieces captured, connect them. What was meant is clear if the rest of the game is legal after only
 * one of them. So a game with such captures is read once for every combination, the later captures
 * varying first, until two combinations fit or none is left.
 *
 * A game without GameType is read by the rules that the caller requested. If it does not fit them,
 * it is read by the usual rules for its notation: Russian if it names squares by letters, English if
 * by numbers.
 */
#include "games/checkers/notation/pdn.h"
#include <string.h>

/* The length of the valid UTF-8 character at the start of the text, or 0. */
static size_t character_length(const unsigned char *text, size_t length)
{
    unsigned char c = text[0];
    size_t wanted = c < 0x80 ? 1 : c >= 0xC2 && c < 0xE0 ? 2 : c >= 0xE0 && c < 0xF0 ? 3 : 4;
    if (c >= 0xF5 || (c >= 0x80 && c < 0xC2) || wanted > length)
        return 0;
    for (size_t i = 1; i < wanted; i++)
        if ((text[i] & 0xC0) != 0x80)
            return 0;
    if ((c == 0xE0 && text[1] < 0xA0) || (c == 0xED && text[1] >= 0xA0) ||
        (c == 0xF0 && text[1] < 0x90) || (c == 0xF4 && text[1] >= 0x90))
        return 0;
    return wanted;
}

void checkers_append_utf8(ply_text *out, const char *text, size_t length)
{
    const unsigned char *bytes = (const unsigned char *)text;
    bool valid = true;
    for (size_t i = 0, step; i < length && valid; i += step) {
        step = character_length(bytes + i, length - i);
        valid = step > 0;
        step = valid ? step : 1;
    }
    if (valid) {
        ply_text_bytes(out, text, length);
        return;
    }
    for (size_t i = 0; i < length; i++) {
        if (bytes[i] >= 0x80)
            ply_text_char(out, (char)(0xC0 | bytes[i] >> 6));
        ply_text_char(out, (char)(bytes[i] >= 0x80 ? 0x80 | (bytes[i] & 0x3F) : bytes[i]));
    }
}

void checkers_pdn_skip_space(ply_cursor *cursor)
{
    for (;;) {
        ply_cursor_skip_space(cursor);
        if (ply_cursor_peek(cursor) != '%')
            return;
        while (!ply_cursor_done(cursor) && ply_cursor_peek(cursor) != '\n')
            ply_cursor_take(cursor);
    }
}

/* --- ambiguous captures --------------------------------------------------------------------- */
enum { TRIES = 256 }; /* combinations of readings of one game */

/* Goes on to the next combination; false when there is none. */
static bool next_readings(checkers_readings *readings)
{
    while (readings->used > 0) {
        size_t last = readings->used - 1;
        if (++readings->choice[last] < readings->count[last])
            return true;
        readings->used--;
    }
    return false;
}

/* Reads a game from `start` into a record that is empty except for its rules. */
static ply_status read_again(ply_cursor *cursor, const ply_cursor *start, ply_record *record,
                             const ply_rules *rules, checkers_readings *readings)
{
    ply_status status = ply_record_clear(record);
    *cursor = *start;
    record->rules = *rules;
    return status == PLY_OK ? checkers_pdn_read_game(cursor, record, readings)
                            : ply_cursor_fail(cursor, status, "%s", ply_status_text(status));
}

/*
 * Reads a game by the given rules. On failure *error is that of the readings that got furthest, or
 * the ambiguity if that is all that is wrong.
 */
static ply_status read_by_rules(ply_cursor *cursor, ply_record *record, const ply_rules *rules,
                                ply_error *error)
{
    ply_error now = {0};
    ply_cursor start = *cursor;
    start.error = &now;
    checkers_readings readings = {0}, fitting = {0};
    ply_status status;
    unsigned tries = 0, fits = 0;
    *error = (ply_error){0};
    do {
        status = read_again(cursor, &start, record, rules, &readings);
        if (status != PLY_OK && (!error->status || now.offset > error->offset))
            *error = now;
        if (status == PLY_NO_MEMORY || readings.used == 0)
            return status;
        if (status == PLY_OK && ++fits == 1)
            fitting = readings;
    } while (++tries < TRIES && fits < 2 && next_readings(&readings));
    if (fits == 0)
        return error->status;
    if (fits == 1 && readings.used == 0)
        return read_again(cursor, &start, record, rules, &fitting);
    /* The first capture that can be read in two ways. */
    size_t i = 0;
    while (i + 1 < readings.used && readings.choice[i] == fitting.choice[i])
        i++;
    readings.at[i].error = error;
    return ply_cursor_fail(&readings.at[i], PLY_ILLEGAL_MOVE, CHECKERS_AMBIGUOUS);
}

/* --- rules ---------------------------------------------------------------------------------- */
/* Skips text up to a closing character. */
static void skip_past(ply_cursor *cursor, int end)
{
    int c;
    do
        c = ply_cursor_take(cursor);
    while (c >= 0 && c != end);
}

/* Whether the first move of a game names its squares by letters, as in c3-d4. */
static bool has_letters(ply_cursor cursor)
{
    for (;;) {
        checkers_pdn_skip_space(&cursor);
        int c = ply_cursor_peek(&cursor);
        uint64_t number;
        if (c == '[')
            skip_past(&cursor, ']');
        else if (c == '{')
            skip_past(&cursor, '}');
        else if (c != '.' &&
                 !(ply_cursor_number(&cursor, 999999, &number) && ply_cursor_peek(&cursor) == '.'))
            return c >= 'a' && c <= 'h';
        else
            ply_cursor_accept(&cursor, '.');
    }
}

ply_status checkers_pdn_read(ply_cursor *cursor, ply_record *record, bool *found)
{
    if (cursor->at == 0)
        ply_cursor_accept_word(cursor, "\xEF\xBB\xBF"); /* a byte order mark */
    checkers_pdn_skip_space(cursor);
    *found = !ply_cursor_done(cursor);
    if (!*found)
        return PLY_OK;
    ply_cursor start = *cursor;
    ply_rules given = record->rules, usual;
    ply_error error, other_error;
    ply_status status = read_by_rules(cursor, record, &given, &error);
    const char *variant = has_letters(start) ? "russian" : "english";
    if (status != PLY_OK && status != PLY_NO_MEMORY && !ply_record_tag_value(record, "GameType") &&
        strcmp(given.variant->id, variant) != 0 &&
        ply_rules_make(&usual, given.game, variant, &other_error) == PLY_OK) {
        *cursor = start;
        ply_status other = read_by_rules(cursor, record, &usual, &other_error);
        if (other == PLY_OK || other_error.offset > error.offset) {
            status = other;
            error = other_error;
        }
    }
    cursor->error = start.error;
    if (status != PLY_OK && cursor->error)
        *cursor->error = error;
    return status;
}
