/* SPDX-License-Identifier: MIT */
/* move_text.c - reading moves; see move_text.h. */
#include "games/fived/notation/move_text.h"
#include <string.h>

/* --- reading -------------------------------------------------------------------------------- */
bool fived_parse_place(ply_cursor *cursor, fived_place *place)
{
    ply_cursor ahead = *cursor;
    uint64_t turn;
    *place = (fived_place){.has_l = false};
    if (!ply_cursor_accept(&ahead, '('))
        return false;
    ply_cursor_skip_space(&ahead);
    bool named = ply_cursor_accept(&ahead, 'L');
    ply_cursor_skip_space(&ahead);
    place->has_l = fived_parse_line(&ahead, &place->line);
    ply_cursor_skip_space(&ahead);
    place->has_t = ply_cursor_accept(&ahead, 'T');
    if (place->has_t) {
        ply_cursor_skip_space(&ahead);
        if (!ply_cursor_number(&ahead, FIVED_TIME_LIMIT, &turn))
            return false;
        place->t = (int)turn;
        ply_cursor_skip_space(&ahead);
    }
    if ((named && !place->has_l) || (!place->has_l && !place->has_t) || (!named && !place->has_t) ||
        !ply_cursor_accept(&ahead, ')'))
        return false;
    *cursor = ahead;
    return true;
}

static fived_kind parse_kind(ply_cursor *cursor)
{
    static const struct {
        const char *word;
        fived_kind kind;
    } older[] = {{"BR", FIVED_BRAWN},
                 {"CK", FIVED_COMMON_KING},
                 {"RQ", FIVED_ROYAL_QUEEN},
                 {"PR", FIVED_PRINCESS}};
    for (size_t i = 0; i < sizeof older / sizeof older[0]; i++)
        if (ply_cursor_accept_word(cursor, older[i].word))
            return older[i].kind;
    int c = ply_cursor_peek(cursor);
    fived_kind kind = c >= 'A' && c <= 'Z' ? fived_letter_kind(c) : FIVED_NONE;
    if (kind)
        ply_cursor_take(cursor);
    return kind;
}

static int parse_file(ply_cursor *cursor)
{
    int c = ply_cursor_peek(cursor);
    if (c < 'a' || c > 'h')
        return -1;
    ply_cursor_take(cursor);
    return c - 'a';
}

static int parse_row(ply_cursor *cursor)
{
    int c = ply_cursor_peek(cursor);
    if (c < '1' || c > '8')
        return -1;
    ply_cursor_take(cursor);
    return c - '1';
}

static bool parse_castling(ply_cursor *cursor, fived_pattern *m)
{
    if (ply_cursor_accept_word(cursor, "O-O-O") || ply_cursor_accept_word(cursor, "0-0-0"))
        m->castle = -2;
    else if (ply_cursor_accept_word(cursor, "O-O") || ply_cursor_accept_word(cursor, "0-0"))
        m->castle = 2;
    else
        return false;
    m->kind = FIVED_KING;
    return true;
}

static ply_status parse_promotion(ply_cursor *cursor, fived_pattern *m)
{
    ply_cursor at = *cursor;
    bool sign = ply_cursor_accept(cursor, '=');
    m->becomes = parse_kind(cursor);
    if (sign && !m->becomes)
        return ply_cursor_fail(&at, PLY_BAD_TEXT, "expected a piece letter after '='");
    return PLY_OK;
}

ply_status fived_parse_pattern(ply_cursor *cursor, fived_pattern *m)
{
    ply_cursor start = *cursor;
    *m = (fived_pattern){.from_x = -1, .from_y = -1, .to_x = -1, .to_y = -1};
    fived_parse_place(cursor, &m->from);
    if (parse_castling(cursor, m))
        return PLY_OK;
    m->kind = parse_kind(cursor);
    m->from_x = parse_file(cursor);
    m->from_y = parse_row(cursor);
    ply_cursor_accept(cursor, 'x');
    ply_cursor_accept(cursor, '-');
    m->jump = ply_cursor_accept(cursor, '>');
    ply_cursor_accept(cursor, '>');
    ply_cursor_accept(cursor, 'x');
    bool second = fived_parse_place(cursor, &m->to);
    ply_cursor_accept(cursor, 'x');
    m->to_x = parse_file(cursor);
    m->to_y = parse_row(cursor);
    if (m->to_x < 0 && m->to_y < 0 && !m->jump && !second) {
        m->to_x = m->from_x; /* only one square: where the piece goes */
        m->to_y = m->from_y;
        m->from_x = m->from_y = -1;
    }
    if (m->to_x < 0 || m->to_y < 0)
        return ply_cursor_fail(cursor->at == start.at ? &start : cursor, PLY_BAD_TEXT,
                               cursor->at == start.at
                                   ? "expected a move such as (0T1)e2(0T1)e4, or submit"
                                   : "expected the square the piece goes to");
    return parse_promotion(cursor, m);
}

/* --- finding the move ----------------------------------------------------------------------- */
static bool place_fits(const fived_position *p, const fived_place *place, int l, int t)
{
    return (!place->has_l || fived_line_number(place->line, p->even) == l) &&
           (!place->has_t || place->t == t);
}

/* Whether a move is what the pattern says, leaving aside what a pawn becomes. */
static bool fits(const fived_position *p, const fived_pattern *m, ply_move move, fived_kind kind)
{
    fived_spot from = fived_move_from(move), to = fived_move_to(move);
    const fived_board *b = fived_position_board(p, from.l, fived_tc_to_v(from.t, p->side));
    if (kind && fived_piece_kind(b->square[from.x + 8 * from.y]) != kind)
        return false;
    if (!place_fits(p, &m->from, from.l, from.t))
        return false;
    bool jumps = from.l != to.l || from.t != to.t;
    if (m->castle)
        return !jumps && from.y == to.y && to.x - from.x == m->castle;
    bool second = m->to.has_l || m->to.has_t;
    if (second ? !place_fits(p, &m->to, to.l, to.t) : jumps != m->jump)
        return false;
    return (m->from_x < 0 || m->from_x == from.x) && (m->from_y < 0 || m->from_y == from.y) &&
           m->to_x == to.x && m->to_y == to.y;
}

typedef struct matches {
    ply_move found, other; /* legal ones; other: a second one */
    bool any;              /* something fits that is not legal */
} matches;

/* The kind a pawn becomes when nothing is said. */
static fived_kind usual_promotion(const fived_position *p)
{
    return p->becoming >> FIVED_QUEEN & 1 ? FIVED_QUEEN : (fived_kind)ply_lowest(p->becoming);
}

static void consider(fived_search *s, const fived_pattern *m, fived_kind kind, bool is_jump,
                     uint32_t id, ply_move move, matches *result)
{
    const fived_position *p = s->position;
    fived_kind becomes = fived_move_becomes(move);
    if (!fits(p, m, move, kind))
        return;
    if (becomes != m->becomes && (m->becomes || becomes != usual_promotion(p)))
        return;
    result->any = true;
    if (!fived_search_viable(s, is_jump, id))
        return;
    if (result->found)
        result->other = move;
    else
        result->found = move;
}

static matches find(fived_search *s, const fived_pattern *m, fived_kind kind)
{
    matches result = {PLY_MOVE_NONE, PLY_MOVE_NONE, false};
    for (uint32_t a = 0; a < s->axis_count; a++) {
        const fived_axis *axis = &s->axes[a];
        for (uint32_t i = axis->inner; i < axis->inner + axis->inner_count; i++)
            consider(s, m, kind, false, i, fived_inner_move(s, i), &result);
        for (uint32_t i = axis->jump; i < axis->jump + axis->jump_count; i++)
            consider(s, m, kind, true, i, fived_jump_move(s, i), &result);
    }
    return result;
}

ply_status fived_resolve(fived_search *s, const fived_pattern *m, ply_cursor *at, ply_move *move)
{
    const fived_position *p = s->position;
    if (s->dead)
        return ply_cursor_fail(at, PLY_ILLEGAL_MOVE,
                               "no move is legal: a royal piece can be captured whatever is moved");
    bool exact = m->from_x >= 0 && m->from_y >= 0;
    fived_kind kind = m->kind || exact ? m->kind : FIVED_PAWN;
    matches result = find(s, m, kind);
    if (!result.found && !m->kind && !exact) {
        matches brawns = find(s, m, FIVED_BRAWN);
        matches others = brawns.found ? brawns : find(s, m, FIVED_NONE);
        result = others.any || !result.any ? others : result;
    }
    if (!result.found)
        return ply_cursor_fail(at, PLY_ILLEGAL_MOVE,
                               result.any ? "no legal turn goes on with this move"
                                          : "no piece of the player's can move so and leave no "
                                            "royal piece to capture");
    if (result.other) {
        char text[2][PLY_MOVE_TEXT];
        ply_text one = ply_text_fixed(text[0], PLY_MOVE_TEXT);
        ply_text two = ply_text_fixed(text[1], PLY_MOVE_TEXT);
        fived_format_move(s->rules, p, result.found, &one);
        fived_format_move(s->rules, p, result.other, &two);
        return ply_cursor_fail(at, PLY_ILLEGAL_MOVE, "may be %s or %s", text[0], text[1]);
    }
    *move = result.found;
    return PLY_OK;
}

void fived_submit_reason(const fived_search *s, ply_text *out)
{
    const fived_position *p = s->position;
    int present = fived_position_present(p), lo, hi, told = 0;
    if (s->dead) {
        ply_text_string(out, "a royal piece could be captured");
        return;
    }
    if ((present & 1) != p->side)
        return;
    fived_active_range(p, p->hi - p->hi0, p->lo0 - p->lo, &lo, &hi);
    ply_text_string(out, "the present is still here: a move is due on ");
    for (int l = lo; l <= hi; l++)
        if (fived_position_line(p, l)->end == present && told++ < 8) {
            ply_text_string(out, told > 1 ? ", (" : "(");
            fived_format_line(p, l, out);
            ply_text_format(out, "T%d)", present >> 1);
        }
    if (told > 8)
        ply_text_format(out, " and %d more", told - 8);
}

/* Why a legal move cannot be played all the same: the numbers of turns or lines run out. */
static ply_status check_limits(const fived_position *p, ply_move move, ply_cursor *at)
{
    if (move == FIVED_SUBMIT)
        return PLY_OK;
    if (fived_move_from(move).t >= FIVED_TIME_LIMIT)
        return ply_cursor_fail(at, PLY_LIMIT, "turn %d is the last there can be", FIVED_TIME_LIMIT);
    int made = p->side ? -(p->lo - 1) : p->hi + 1;
    if (fived_move_type_of(p, move) == FIVED_BRANCH && made > FIVED_LINE_LIMIT)
        return ply_cursor_fail(at, PLY_LIMIT, "there can be no timeline beyond %d",
                               FIVED_LINE_LIMIT);
    return PLY_OK;
}

ply_status fived_parse_move(const ply_rules *rules, const void *position, ply_cursor *cursor,
                            ply_move *move)
{
    ply_cursor at = *cursor;
    fived_search s;
    fived_pattern pattern;
    bool submit = ply_cursor_accept_word(cursor, "submit");
    ply_status status = submit ? PLY_OK : fived_parse_pattern(cursor, &pattern);
    if (status != PLY_OK)
        return status;
    fived_search_init(&s);
    status = fived_search_prepare(&s, rules, position);
    if (status != PLY_OK) {
        ply_cursor_fail(&at, status, "%s", ply_status_text(status));
    } else if (submit) {
        char reason[160];
        ply_text text = ply_text_fixed(reason, sizeof reason);
        fived_submit_reason(&s, &text);
        *move = FIVED_SUBMIT;
        if (text.length > 0)
            status = ply_cursor_fail(&at, PLY_ILLEGAL_MOVE, "not yet: %s", reason);
    } else {
        status = fived_resolve(&s, &pattern, &at, move);
    }
    fived_search_free(&s);
    if (status == PLY_OK)
        status = check_limits(position, *move, &at);
    while (status == PLY_OK && ply_cursor_peek(cursor) > 0 &&
           strchr("+#*~!?", ply_cursor_peek(cursor)))
        ply_cursor_take(cursor);
    return status;
}
