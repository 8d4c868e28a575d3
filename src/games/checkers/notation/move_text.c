/* SPDX-License-Identifier: MIT */
/*
 * move_text.c - moves as text: 9-14, 9x18, and 2x11x20x11 where 2x11 would be ambiguous.
 *
 * PDN 3.0 requires the short form unless it is ambiguous, and then the whole path: every square
 * where the capture turns and, where it goes straight on, the square right behind the captured
 * piece. The reader accepts both forms, and any squares in between that determine one move; a text
 * that fits several moves is rejected. The separator between squares is ignored, since old files
 * use it carelessly.
 */
#include "games/checkers/checkers.h"
#include <string.h>

static const char separators[] = {'x', ':', '-'}; /* by CHECKERS_OPTION_SIGN */

/* --- writing -------------------------------------------------------------------------------- */
typedef struct path_search {
    ply_move move;
    checkers_path best;
    bool found;
} path_search;

/* Keeps the path of the move with the best score; among equals, the one with the lowest squares. */
static void keep_best(void *context, const checkers_path *path)
{
    path_search *s = context;
    if (path->move != s->move)
        return;
    if (!s->found || path->score > s->best.score ||
        (path->score == s->best.score && memcmp(path->square, s->best.square, path->count) < 0))
        s->best = *path;
    s->found = true;
}

/* The squares of a move as PDN 3.0 requires them. */
static checkers_path written_path(const ply_rules *rules, const void *position, ply_move move)
{
    path_search s = {
        .move = move,
        .best = {.count = 2,
                 .square = {(uint8_t)checkers_move_from(move), (uint8_t)checkers_move_to(move)}}};
    if (!checkers_move_captured(move))
        return s.best;
    ply_move moves[CHECKERS_MAX_MOVES];
    size_t count = checkers_moves(rules, position, moves), candidates = 0;
    for (size_t i = 0; i < count; i++)
        candidates += checkers_same_ends(moves[i], move);
    if (candidates > 1)
        checkers_visit_captures(rules, position, keep_best, &s);
    return s.best;
}

static char separator_of(const ply_rules *rules, ply_move move)
{
    return checkers_move_captured(move) ? separators[rules->option[CHECKERS_OPTION_SIGN]] : '-';
}

void checkers_format_move(const ply_rules *rules, const void *position, ply_move move,
                          ply_text *out)
{
    checkers_path path = written_path(rules, position, move);
    for (int i = 0; i < path.count; i++) {
        if (i > 0)
            ply_text_char(out, separator_of(rules, move));
        checkers_format_square(rules, path.square[i], out);
    }
}

static void format_as(const ply_rules *rules, const void *position, ply_move move, bool letters,
                      ply_text *out)
{
    checkers_path path = written_path(rules, position, move);
    for (int i = 0; i < path.count; i++) {
        if (i > 0)
            ply_text_char(out, separator_of(rules, move));
        checkers_format_square_as(rules, letters, path.square[i], out);
    }
}

void checkers_display_numbers(const ply_rules *rules, const void *position, ply_move move,
                              ply_move last, ply_text *out)
{
    (void)last;
    format_as(rules, position, move, false, out);
}

void checkers_display_letters(const ply_rules *rules, const void *position, ply_move move,
                              ply_move last, ply_text *out)
{
    (void)last;
    format_as(rules, position, move, true, out);
}

/* --- reading -------------------------------------------------------------------------------- */
/* The squares of a move as written. */
typedef struct written_move {
    uint8_t square[CHECKERS_MAX_PATH + 1];
    int count;
    bool is_capture; /* written as one */
} written_move;

static bool is_square_start(int c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'h');
}

static ply_status parse_squares(const ply_rules *rules, ply_cursor *cursor, written_move *w)
{
    *w = (written_move){0};
    for (;;) {
        int index;
        if (w->count > CHECKERS_MAX_PATH)
            return ply_cursor_fail(cursor, PLY_BAD_TEXT, "too many squares for a capture");
        ply_status status = checkers_parse_square(rules, cursor, &index);
        if (status != PLY_OK)
            return status;
        w->square[w->count++] = (uint8_t)index;
        ply_cursor ahead = *cursor;
        int c = ply_cursor_peek(cursor);
        bool capture = c == 'x' || c == 'X' || c == ':';
        if (capture || c == '-')
            ply_cursor_take(&ahead);
        if (!is_square_start(ply_cursor_peek(&ahead)) || (ahead.at == cursor->at && c <= '9'))
            break; /* no square follows: "9-14" ends here, and so does "9-14x" */
        w->is_capture = w->is_capture || capture;
        *cursor = ahead;
    }
    return w->count >= 2
               ? PLY_OK
               : ply_cursor_fail(cursor, PLY_BAD_TEXT, "expected '-' or 'x' and a square");
}

typedef struct match_search {
    const written_move *written;
    const ply_move *legal;
    size_t legal_count;
    uint64_t pieces; /* all but the moving one: no path stops there */
    ply_move exact;
    ply_move *loose; /* CHECKERS_MAX_READINGS different ones */
    size_t loose_count;
} match_search;

/* Whether the path starts and ends as written and passes the other squares in order. */
static bool fits_path(const match_search *s, const checkers_path *path)
{
    const written_move *w = s->written;
    if (w->square[0] != path->square[0] || w->square[w->count - 1] != path->square[path->count - 1])
        return false;
    int next = 1;
    for (int jump = 1; jump < path->count; jump++) {
        int at = checkers_bit_of(path->square[jump - 1]), to = checkers_bit_of(path->square[jump]);
        int step = (to / 8 > at / 8 ? 8 : -8) + (to % 8 > at % 8 ? 1 : -1);
        do {
            at += step;
            if (next < w->count && checkers_index_of(at) == w->square[next] &&
                !(s->pieces & ply_bit(at)))
                next++;
        } while (at != to);
    }
    return next == w->count;
}

static void match_path(void *context, const checkers_path *path)
{
    match_search *s = context;
    const written_move *w = s->written;
    bool legal = false;
    for (size_t i = 0; i < s->legal_count && !legal; i++)
        legal = s->legal[i] == path->move;
    if (!legal)
        return;
    if (path->count == w->count && memcmp(path->square, w->square, (size_t)w->count) == 0)
        s->exact = path->move;
    if (!fits_path(s, path) || s->loose_count == CHECKERS_MAX_READINGS)
        return;
    for (size_t i = 0; i < s->loose_count; i++)
        if (s->loose[i] == path->move)
            return;
    s->loose[s->loose_count++] = path->move;
}

/* Fails with the reason why no legal move has these squares. */
static ply_status fail_illegal(const ply_rules *rules, const checkers_position *p,
                               const written_move *w, const ply_move *moves, size_t count,
                               ply_cursor *at)
{
    char from[8], to[8];
    ply_text from_text = ply_text_fixed(from, sizeof from);
    ply_text to_text = ply_text_fixed(to, sizeof to);
    checkers_format_square(rules, w->square[0], &from_text);
    checkers_format_square(rules, w->square[w->count - 1], &to_text);
    const char *mover = p->turn ? "White" : "Black";
    if (count == 0)
        return ply_cursor_fail(at, PLY_ILLEGAL_MOVE, "%s has no legal move", mover);
    if (!(checkers_pieces_of(p, p->turn) & checkers_square(w->square[0])))
        return ply_cursor_fail(at, PLY_ILLEGAL_MOVE, "%s has no piece on %s", mover, from);
    bool capturing = checkers_move_captured(moves[0]) != 0;
    if (!capturing && w->is_capture)
        return ply_cursor_fail(at, PLY_ILLEGAL_MOVE, "there is nothing to capture from %s", from);
    if (capturing && !w->is_capture)
        return ply_cursor_fail(at, PLY_ILLEGAL_MOVE, "%s must capture; %s-%s is not a capture",
                               mover, from, to);
    for (size_t i = 0; i < count; i++)
        if (checkers_move_from(moves[i]) == w->square[0])
            return capturing
                       ? ply_cursor_fail(at, PLY_ILLEGAL_MOVE,
                                         "the piece on %s cannot capture to %s; a capture must be "
                                         "complete",
                                         from, to)
                       : ply_cursor_fail(at, PLY_ILLEGAL_MOVE, "the piece on %s cannot move to %s",
                                         from, to);
    return ply_cursor_fail(
        at, PLY_ILLEGAL_MOVE,
        capturing ? "the piece on %s has no legal capture" : "the piece on %s cannot move", from);
}

ply_status checkers_parse_readings(const ply_rules *rules, const void *position, ply_cursor *cursor,
                                   ply_move readings[CHECKERS_MAX_READINGS], size_t *reading_count)
{
    const checkers_position *p = position;
    ply_cursor at_move = *cursor;
    written_move w;
    *reading_count = 0;
    ply_status status = parse_squares(rules, cursor, &w);
    if (status != PLY_OK)
        return status;
    ply_move moves[CHECKERS_MAX_MOVES];
    size_t count = checkers_moves(rules, p, moves), candidates = 0;
    ply_move ends = checkers_move_make(w.square[0], w.square[w.count - 1], 0, false);
    for (size_t i = 0; i < count; i++)
        if (checkers_same_ends(moves[i], ends)) {
            readings[0] = moves[i];
            candidates++;
        }
    bool capturing = count > 0 && checkers_move_captured(moves[0]) != 0;
    if (candidates == 0 || (w.count > 2 && !capturing))
        return fail_illegal(rules, p, &w, moves, count, &at_move);
    *reading_count = 1;
    if (w.count == 2 && candidates == 1)
        return PLY_OK;
    match_search s = {.written = &w,
                      .legal = moves,
                      .legal_count = count,
                      .pieces = checkers_occupied(p) & ~checkers_square(w.square[0]),
                      .loose = readings};
    checkers_visit_captures(rules, p, match_path, &s);
    if (s.exact != PLY_MOVE_NONE)
        readings[0] = s.exact;
    else
        *reading_count = s.loose_count;
    return *reading_count > 0 ? PLY_OK : fail_illegal(rules, p, &w, moves, count, &at_move);
}

ply_status checkers_parse_move(const ply_rules *rules, const void *position, ply_cursor *cursor,
                               ply_move *move)
{
    ply_cursor at_move = *cursor;
    ply_move readings[CHECKERS_MAX_READINGS] = {0};
    size_t count;
    ply_status status = checkers_parse_readings(rules, position, cursor, readings, &count);
    if (status == PLY_OK && count > 1)
        return ply_cursor_fail(&at_move, PLY_ILLEGAL_MOVE, CHECKERS_AMBIGUOUS);
    if (status == PLY_OK)
        *move = readings[0];
    return status;
}
