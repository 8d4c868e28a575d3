/* SPDX-License-Identifier: MIT */
/* pdn_gametype.c - game types, results and the format fen; see pdn.h. */
#include "games/checkers/notation/pdn.h"
#include <string.h>

typedef struct gametype {
    int number;
    const char *variant;
} gametype;

/* Of two entries with the same variant, the first is written. */
static const gametype gametypes[] = {
    {21, "english"},   {22, "italian"}, {23, "pool"},  {24, "spanish"}, {25, "russian"},
    {26, "brazilian"}, {28, "spanish"}, {29, "czech"}, {31, "thai"},
};

static const gametype *find_number(uint64_t number)
{
    for (size_t i = 0; i < sizeof gametypes / sizeof gametypes[0]; i++)
        if ((uint64_t)gametypes[i].number == number)
            return &gametypes[i];
    return NULL;
}

/* Reads the rest of a GameType, such as "W,8,8,A0,0", as options of the variant. */
static ply_status read_details(ply_cursor *cursor, ply_text *options)
{
    int colour = ply_cursor_take(cursor);
    if (colour != 'W' && colour != 'B')
        return ply_cursor_fail(cursor, PLY_BAD_TEXT,
                               "GameType: expected W or B, the side that moves first");
    uint64_t width = 0, height = 0;
    bool read = ply_cursor_accept(cursor, ',') && ply_cursor_number(cursor, 1000, &width) &&
                ply_cursor_accept(cursor, ',') && ply_cursor_number(cursor, 1000, &height);
    if (!read)
        return ply_cursor_fail(cursor, PLY_BAD_TEXT, "GameType: expected the size of the board");
    if (width != CHECKERS_SIDE || height != CHECKERS_SIDE)
        return ply_cursor_fail(cursor, PLY_UNSUPPORTED,
                               "GameType: %ux%u boards are not supported, only 8x8",
                               (unsigned)width, (unsigned)height);
    int kind = ply_cursor_accept(cursor, ',') ? ply_cursor_take(cursor) : 0;
    int corner = ply_cursor_take(cursor);
    if ((kind != 'A' && kind != 'N' && kind != 'S') || corner < '0' || corner > '3')
        return ply_cursor_fail(
            cursor, PLY_BAD_TEXT,
            "GameType: expected the notation: A, N or S and a digit from 0 to 3");
    ply_text_format(options, ":starts=%s,notation=%c%c", colour == 'W' ? "white" : "black",
                    kind == 'N' ? 'N' : 'A', corner);
    if (ply_cursor_accept(cursor, ',')) {
        int flag = ply_cursor_take(cursor);
        if (flag != '0' && flag != '1')
            return ply_cursor_fail(cursor, PLY_BAD_TEXT, "GameType: expected 0 or 1 at the end");
        ply_text_format(options, ",mirror=%s", flag == '1' ? "yes" : "no");
    }
    return PLY_OK;
}

ply_status checkers_gametype_read(const char *text, size_t length, ply_rules *rules,
                                  ply_error *error)
{
    char name[128];
    ply_text variant = ply_text_fixed(name, sizeof name);
    ply_cursor cursor = ply_cursor_make(text, length, error);
    uint64_t number;
    if (!ply_cursor_number(&cursor, 1000, &number))
        return ply_cursor_fail(&cursor, PLY_BAD_TEXT, "GameType: expected a number");
    const gametype *type = find_number(number);
    if (!type)
        return ply_cursor_fail(&cursor, PLY_UNSUPPORTED,
                               "GameType %u is not a game of 8x8 checkers", (unsigned)number);
    ply_text_string(&variant, type->variant);
    if (ply_cursor_accept(&cursor, ',')) {
        ply_status status = read_details(&cursor, &variant);
        if (status != PLY_OK)
            return status;
    }
    if (!ply_cursor_done(&cursor))
        return ply_cursor_fail(&cursor, PLY_BAD_TEXT, "GameType: unexpected text at the end");
    return ply_rules_make(rules, &checkers_game, name, error);
}

void checkers_gametype_write(const ply_rules *rules, ply_text *out)
{
    int number = gametypes[0].number, notation = rules->option[CHECKERS_OPTION_NOTATION];
    for (size_t i = sizeof gametypes / sizeof gametypes[0]; i-- > 0;)
        if (strcmp(gametypes[i].variant, rules->variant->id) == 0)
            number = gametypes[i].number;
    ply_text_format(out, "%d,%c,8,8,%c%d,%d", number,
                    rules->option[CHECKERS_OPTION_STARTS] == CHECKERS_WHITE ? 'W' : 'B',
                    notation >= 4 ? 'A' : 'N', notation & 3,
                    (int)rules->option[CHECKERS_OPTION_MIRROR]);
}

/* --- results -------------------------------------------------------------------------------- */
static ply_result win_of(const ply_rules *rules, int colour)
{
    return colour == rules->option[CHECKERS_OPTION_STARTS] ? PLY_FIRST_WINS : PLY_SECOND_WINS;
}

bool checkers_result_read(const ply_rules *rules, const char *text, size_t length,
                          ply_result *result)
{
    static const struct {
        const char *text;
        char who;
    } results[] = {{"1-0", 'W'},     {"2-0", 'W'}, {"0-1", 'B'}, {"0-2", 'B'},
                   {"1/2-1/2", '='}, {"1-1", '='}, {"0-0", '*'}, {"*", '*'}};
    for (size_t i = 0; i < sizeof results / sizeof results[0]; i++) {
        if (strlen(results[i].text) != length || memcmp(results[i].text, text, length) != 0)
            continue;
        *result = results[i].who == 'W'   ? win_of(rules, CHECKERS_WHITE)
                  : results[i].who == 'B' ? win_of(rules, CHECKERS_BLACK)
                  : results[i].who == '=' ? PLY_DRAW
                                          : PLY_ONGOING;
        return true;
    }
    return false;
}

const char *checkers_result_text(const ply_rules *rules, ply_result result)
{
    if (result == PLY_ONGOING || result == PLY_DRAW)
        return result == PLY_DRAW ? "1/2-1/2" : "*";
    return result == win_of(rules, CHECKERS_WHITE) ? "1-0" : "0-1";
}

const char *const checkers_annotations[7] = {NULL, "!", "?", "!!", "??", "!?", "?!"};

/* --- the format fen ------------------------------------------------------------------------- */
ply_status checkers_fen_read(ply_cursor *cursor, ply_record *record, bool *found)
{
    ply_cursor_skip_space(cursor);
    *found = !ply_cursor_done(cursor);
    if (!*found)
        return PLY_OK;
    size_t start = cursor->at;
    checkers_position p;
    ply_status status = checkers_parse(&record->rules, &p, cursor);
    if (status != PLY_OK)
        return status;
    int c = ply_cursor_peek(cursor);
    if (c > ' ')
        return ply_cursor_fail(cursor, PLY_BAD_TEXT, "unexpected text after the position");
    status = ply_record_set_start(record, cursor->text + start, cursor->at - start);
    return status == PLY_OK ? status
                            : ply_cursor_fail(cursor, status, "%s", ply_status_text(status));
}

ply_status checkers_fen_write(const ply_record *record, ply_text *out, ply_error *error)
{
    ply_state state;
    ply_status status = ply_record_final_state(record, &state, error);
    if (status != PLY_OK)
        return status;
    checkers_format(&record->rules, state.position, out);
    ply_text_char(out, '\n');
    ply_state_free(&state);
    return PLY_OK;
}
