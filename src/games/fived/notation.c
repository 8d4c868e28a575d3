/* notation.c - reading moves. */
#include "games/fived/text.h"
#include "games/fived/turns.h"
#include <string.h>

static bool parse_spot(const fived_position *p, ply_cursor *cursor, fived_spot *spot)
{
    fived_line_name line;
    uint64_t turn;
    if (!ply_cursor_accept(cursor, '(') || !fived_parse_line(cursor, &line) ||
        !ply_cursor_accept(cursor, 'T') || !ply_cursor_number(cursor, FIVED_TIME_LIMIT, &turn) ||
        !ply_cursor_accept(cursor, ')'))
        return false;
    int x = ply_cursor_take(cursor) - 'a', y = ply_cursor_take(cursor) - '1';
    *spot = (fived_spot){fived_line_number(line, p->even), (int)turn, x, y};
    return x >= 0 && x < p->width && y >= 0 && y < p->height;
}

ply_status fived_parse_move(const ply_rules *rules, const void *position, ply_cursor *cursor,
                            ply_move *move)
{
    const fived_position *p = position;
    ply_cursor at = *cursor;
    fived_spot from, to;
    int becomes = 0;
    if (ply_cursor_accept_word(cursor, "submit")) {
        *move = FIVED_SUBMIT;
    } else {
        if (!parse_spot(p, cursor, &from) || !parse_spot(p, cursor, &to))
            return ply_cursor_fail(&at, PLY_BAD_TEXT, "expected a move such as (0T1)e2(0T1)e4");
        if (ply_cursor_accept(cursor, '='))
            becomes = fived_letter_kind(ply_cursor_take(cursor));
        *move = fived_move_make(from, to, becomes);
    }
    size_t count = fived_count(rules, p);
    for (size_t i = 0; i < count; i++)
        if (fived_nth(rules, p, i) == *move)
            return PLY_OK;
    return ply_cursor_fail(&at, PLY_ILLEGAL_MOVE, "not legal here");
}
