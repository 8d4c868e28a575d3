/* SPDX-License-Identifier: MIT */
/*
 * move_text.c - moves in words: 9-14, 9x18, and 2x11x20x11 where 2x11 could be more than one capture.
 *
 * PDN 3.0 asks for the short form unless it is ambiguous, and then for the whole path: every
 * square where the capture turns, and the square right behind a captured piece where it goes
 * straight on. Reading takes both forms, and any squares in between that leave one move only; a
 * text that leaves several is refused, never guessed. Which sign stands between the squares does
 * not matter, since old files are careless with it.
 */
#include "games/checkers/checkers.h"
#include <string.h>

static const char signs[] = {'x', ':', '-'};

/* --- writing -------------------------------------------------------------------------------- */
typedef struct path_search {
    ply_move move;
    checkers_path best;
    bool found;
} path_search;

/* Keeps the best path of the move; of equals, the one with the smallest squares. */
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

static bool same_ends(ply_move a, ply_move b)
{
    return ((a ^ b) & 0x3FF) == 0;
}

void checkers_format_move(const ply_rules *rules, const void *position, ply_move move,
                          ply_text *out)
{
    if (!checkers_move_captured(move)) {
        checkers_format_square(rules, checkers_move_from(move), out);
        ply_text_char(out, '-');
        checkers_format_square(rules, checkers_move_to(move), out);
        return;
    }
    path_search s = {
        .move = move,
        .best = {.count = 2,
                 .square = {(uint8_t)checkers_move_from(move), (uint8_t)checkers_move_to(move)}}};
    ply_move moves[CHECKERS_MAX_MOVES];
    size_t count = checkers_moves(rules, position, moves), alike = 0;
    for (size_t i = 0; i < count; i++)
        alike += same_ends(moves[i], move);
    if (alike > 1)
        checkers_visit_captures(rules, position, keep_best, &s);
    for (int i = 0; i < s.best.count; i++) {
        if (i > 0)
            ply_text_char(out, signs[rules->option[CHECKERS_OPTION_SIGN]]);
        checkers_format_square(rules, s.best.square[i], out);
    }
}

/* --- reading -------------------------------------------------------------------------------- */
typedef struct given {
    uint8_t square[CHECKERS_CHAIN + 1];
    int count;
    bool says_capture;
} given;

static bool is_square_start(int c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'h');
}

static ply_status parse_given(const ply_rules *rules, ply_cursor *cursor, given *g)
{
    *g = (given){0};
    for (;;) {
        int index;
        if (g->count > CHECKERS_CHAIN)
            return ply_cursor_fail(cursor, PLY_BAD_TEXT, "more squares than a capture can have");
        ply_status status = checkers_parse_square(rules, cursor, &index);
        if (status != PLY_OK)
            return status;
        g->square[g->count++] = (uint8_t)index;
        ply_cursor ahead = *cursor;
        int c = ply_cursor_peek(cursor);
        bool sign = c == 'x' || c == 'X' || c == ':';
        if (sign || c == '-')
            ply_cursor_take(&ahead);
        if (!is_square_start(ply_cursor_peek(&ahead)) || (ahead.at == cursor->at && c <= '9'))
            break; /* what follows is not ours: "9-14" ends here, and so does "9-14x" */
        g->says_capture = g->says_capture || sign;
        *cursor = ahead;
    }
    return g->count >= 2
               ? PLY_OK
               : ply_cursor_fail(cursor, PLY_BAD_TEXT, "expected '-' or 'x' and a square");
}

typedef struct match_search {
    const given *given;
    const ply_move *legal;
    size_t legal_count;
    uint64_t pieces;          /* all but the moving one: nobody stops there */
    ply_move exact, loose[2]; /* at most two different ones are worth knowing */
    int loose_count;
} match_search;

/* Whether the given squares come in this order on the way, the first and the last at its ends. */
static bool passes(const match_search *s, const checkers_path *path)
{
    const given *g = s->given;
    if (g->square[0] != path->square[0] || g->square[g->count - 1] != path->square[path->count - 1])
        return false;
    int next = 1;
    for (int leg = 1; leg < path->count; leg++) {
        int at = checkers_bit_of(path->square[leg - 1]), to = checkers_bit_of(path->square[leg]);
        int step = (to / 8 > at / 8 ? 8 : -8) + (to % 8 > at % 8 ? 1 : -1);
        do {
            at += step;
            if (next < g->count && checkers_index_of(at) == g->square[next] &&
                !(s->pieces & ply_bit(at)))
                next++;
        } while (at != to);
    }
    return next == g->count;
}

static void match(void *context, const checkers_path *path)
{
    match_search *s = context;
    const given *g = s->given;
    bool legal = false;
    for (size_t i = 0; i < s->legal_count && !legal; i++)
        legal = s->legal[i] == path->move;
    if (!legal)
        return;
    if (path->count == g->count && memcmp(path->square, g->square, (size_t)g->count) == 0)
        s->exact = path->move;
    if (passes(s, path) && s->loose_count < 2 && (s->loose_count == 0 || s->loose[0] != path->move))
        s->loose[s->loose_count++] = path->move;
}

/* Why no legal move has these squares, in words. */
static ply_status explain(const ply_rules *rules, const checkers_position *p, const given *g,
                          const ply_move *moves, size_t count, ply_cursor *at)
{
    char from[8], to[8];
    ply_text from_text = ply_text_fixed(from, sizeof from);
    ply_text to_text = ply_text_fixed(to, sizeof to);
    checkers_format_square(rules, g->square[0], &from_text);
    checkers_format_square(rules, g->square[g->count - 1], &to_text);
    const char *mover = p->turn ? "White" : "Black";
    if (count == 0)
        return ply_cursor_fail(at, PLY_ILLEGAL_MOVE, "%s has no move left", mover);
    if (!(checkers_pieces_of(p, p->turn) & checkers_square(g->square[0])))
        return ply_cursor_fail(at, PLY_ILLEGAL_MOVE, "%s has no piece on %s", mover, from);
    bool capturing = checkers_move_captured(moves[0]) != 0;
    if (!capturing && g->says_capture)
        return ply_cursor_fail(at, PLY_ILLEGAL_MOVE, "there is nothing to capture from %s", from);
    if (capturing && !g->says_capture)
        return ply_cursor_fail(at, PLY_ILLEGAL_MOVE, "%s must capture, and %s-%s does not", mover,
                               from, to);
    for (size_t i = 0; i < count; i++)
        if (checkers_move_from(moves[i]) == g->square[0])
            return ply_cursor_fail(at, PLY_ILLEGAL_MOVE, "the piece on %s cannot %s to %s%s", from,
                                   capturing ? "capture" : "go", to,
                                   capturing ? " by that way, in whole" : "");
    return ply_cursor_fail(at, PLY_ILLEGAL_MOVE, "the piece on %s cannot %s here", from,
                           capturing ? "capture by the rules" : "move");
}

ply_status checkers_parse_move(const ply_rules *rules, const void *position, ply_cursor *cursor,
                               ply_move *move)
{
    const checkers_position *p = position;
    ply_cursor at_move = *cursor;
    given g;
    ply_status status = parse_given(rules, cursor, &g);
    if (status != PLY_OK)
        return status;
    ply_move moves[CHECKERS_MAX_MOVES];
    size_t count = checkers_moves(rules, p, moves), alike = 0;
    ply_move ends = checkers_move_make(g.square[0], g.square[g.count - 1], 0, false);
    for (size_t i = 0; i < count; i++)
        if (same_ends(moves[i], ends)) {
            *move = moves[i];
            alike++;
        }
    bool capturing = count > 0 && checkers_move_captured(moves[0]) != 0;
    if (alike == 0 || (g.count > 2 && !capturing))
        return explain(rules, p, &g, moves, count, &at_move);
    if (g.count == 2 && alike == 1)
        return PLY_OK;
    match_search s = {.given = &g,
                      .legal = moves,
                      .legal_count = count,
                      .pieces = checkers_all_pieces(p) & ~checkers_square(g.square[0])};
    checkers_visit_captures(rules, p, match, &s);
    if (s.exact != PLY_MOVE_NONE) {
        *move = s.exact;
        return PLY_OK;
    }
    if (s.loose_count == 0)
        return explain(rules, p, &g, moves, count, &at_move);
    if (s.loose_count > 1)
        return ply_cursor_fail(&at_move, PLY_ILLEGAL_MOVE,
                               "this could be several captures: give the whole path");
    *move = s.loose[0];
    return PLY_OK;
}
