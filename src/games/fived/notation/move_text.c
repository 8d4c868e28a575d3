/* SPDX-License-Identifier: MIT */
/* move_text.c - parsing moves; see move_text.h. */
#include "games/fived/notation/move_text.h"
#include <string.h>

/* --- reading -------------------------------------------------------------------------------- */
bool fived_parse_board_ref(ply_cursor *cursor, fived_board_ref *ref)
{
    ply_cursor ahead = *cursor;
    uint64_t turn;
    *ref = (fived_board_ref){.has_timeline = false};
    if (!ply_cursor_accept(&ahead, '('))
        return false;
    ply_cursor_skip_space(&ahead);
    bool named = ply_cursor_accept(&ahead, 'L');
    ply_cursor_skip_space(&ahead);
    ref->has_timeline = fived_parse_timeline(&ahead, &ref->timeline);
    ply_cursor_skip_space(&ahead);
    ref->has_time = ply_cursor_accept(&ahead, 'T');
    if (ref->has_time) {
        ply_cursor_skip_space(&ahead);
        if (!ply_cursor_number(&ahead, FIVED_TIME_LIMIT, &turn))
            return false;
        ref->t = (int)turn;
        ply_cursor_skip_space(&ahead);
    }
    if ((named && !ref->has_timeline) || (!ref->has_timeline && !ref->has_time) ||
        (!named && !ref->has_time) || !ply_cursor_accept(&ahead, ')'))
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

static int parse_rank(ply_cursor *cursor)
{
    int c = ply_cursor_peek(cursor);
    if (c < '1' || c > '8')
        return -1;
    ply_cursor_take(cursor);
    return c - '1';
}

static bool parse_castling(ply_cursor *cursor, fived_move_pattern *m)
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

static ply_status parse_promotion(ply_cursor *cursor, fived_move_pattern *m)
{
    ply_cursor at = *cursor;
    bool sign = ply_cursor_accept(cursor, '=');
    m->promotion = parse_kind(cursor);
    if (sign && !m->promotion)
        return ply_cursor_fail(&at, PLY_BAD_TEXT, "expected a piece letter after '='");
    return PLY_OK;
}

ply_status fived_parse_move_pattern(ply_cursor *cursor, fived_move_pattern *m)
{
    ply_cursor start = *cursor;
    *m = (fived_move_pattern){.from_x = -1, .from_y = -1, .to_x = -1, .to_y = -1};
    fived_parse_board_ref(cursor, &m->from);
    if (parse_castling(cursor, m))
        return PLY_OK;
    m->kind = parse_kind(cursor);
    m->from_x = parse_file(cursor);
    /* 5d-chess-js names the file of a capturing pawn twice: ccxb3. */
    ply_cursor ahead = *cursor;
    if (!m->kind && parse_file(&ahead) == m->from_x && ply_cursor_peek(&ahead) == 'x')
        *cursor = ahead;
    m->from_y = parse_rank(cursor);
    ply_cursor_accept(cursor, 'x');
    ply_cursor_accept(cursor, '-');
    m->jump = ply_cursor_accept(cursor, '>');
    ply_cursor_accept(cursor, '>');
    ply_cursor_accept(cursor, 'x');
    bool second = fived_parse_board_ref(cursor, &m->to);
    ply_cursor_accept(cursor, 'x');
    m->to_x = parse_file(cursor);
    m->to_y = parse_rank(cursor);
    if (m->to_x < 0 && m->to_y < 0 && !m->jump && !second) {
        m->to_x = m->from_x; /* only one square: where the piece goes */
        m->to_y = m->from_y;
        m->from_x = m->from_y = -1;
    }
    if (m->to_x < 0 || m->to_y < 0)
        return ply_cursor_fail(cursor->at == start.at ? &start : cursor, PLY_BAD_TEXT,
                               cursor->at == start.at
                                   ? "expected a move such as (0T1)e2(0T1)e4, or submit"
                                   : "expected the target square");
    return parse_promotion(cursor, m);
}

/* --- finding the move ----------------------------------------------------------------------- */
static bool ref_fits(const fived_position *p, const fived_board_ref *ref, int l, int t)
{
    return (!ref->has_timeline || fived_timeline_number(ref->timeline, p->even) == l) &&
           (!ref->has_time || ref->t == t);
}

/* Whether a move matches the pattern, promotion aside. */
static bool fits(const fived_position *p, const fived_move_pattern *m, ply_move move,
                 fived_kind kind)
{
    fived_location from = fived_move_from(move), to = fived_move_to(move);
    const fived_board *b = fived_position_board(p, from.l, fived_tc_to_v(from.t, p->side));
    if (kind && fived_piece_kind(b->square[from.x + 8 * from.y]) != kind)
        return false;
    if (!ref_fits(p, &m->from, from.l, from.t))
        return false;
    bool jumps = from.l != to.l || from.t != to.t;
    if (m->castle)
        return !jumps && from.y == to.y && to.x - from.x == m->castle;
    bool second = m->to.has_timeline || m->to.has_time;
    if (second ? !ref_fits(p, &m->to, to.l, to.t) : jumps != m->jump)
        return false;
    return (m->from_x < 0 || m->from_x == from.x) && (m->from_y < 0 || m->from_y == from.y) &&
           m->to_x == to.x && m->to_y == to.y;
}

typedef struct matches {
    ply_move found, other; /* a legal match; a second one */
    bool any;              /* some candidate matches, legal or not */
} matches;

/* The promotion that is meant if none is written. */
static fived_kind default_promotion(const fived_position *p)
{
    return p->promotions >> FIVED_QUEEN & 1 ? FIVED_QUEEN : (fived_kind)ply_lowest(p->promotions);
}

/* Tests one candidate against the pattern. */
static void consider(fived_turn_query *q, const fived_move_pattern *m, fived_kind kind,
                     bool is_jump, uint32_t id, ply_move move, matches *result)
{
    const fived_position *p = q->position;
    fived_kind promotion = fived_move_promotion(move);
    if (!fits(p, m, move, kind))
        return;
    if (promotion != m->promotion && (m->promotion || promotion != default_promotion(p)))
        return;
    result->any = true;
    if (!fived_turn_query_is_viable(q, is_jump, id))
        return;
    if (result->found)
        result->other = move;
    else
        result->found = move;
}

static matches find(fived_turn_query *q, const fived_move_pattern *m, fived_kind kind)
{
    matches result = {PLY_MOVE_NONE, PLY_MOVE_NONE, false};
    for (uint32_t a = 0; a < q->candidates.axis_count; a++) {
        const fived_axis *axis = &q->candidates.axes[a];
        for (uint32_t i = axis->physical; i < axis->physical + axis->physical_count; i++)
            consider(q, m, kind, false, i, fived_physical_move(q, i), &result);
        for (uint32_t i = axis->jump; i < axis->jump + axis->jump_count; i++)
            consider(q, m, kind, true, i, fived_jump_move(q, i), &result);
    }
    return result;
}

/* Finds the move in a prepared query. */
static ply_status resolve_move(fived_turn_query *q, const fived_move_pattern *m, ply_cursor *at,
                               ply_move *move)
{
    const fived_position *p = q->position;
    if (q->royal_lost)
        return ply_cursor_fail(
            at, PLY_ILLEGAL_MOVE,
            "no move is legal: the enemy can capture a royal piece whatever you play");
    bool exact = m->from_x >= 0 && m->from_y >= 0;
    fived_kind kind = m->kind || exact ? m->kind : FIVED_PAWN;
    matches result = find(q, m, kind);
    if (!result.found && !m->kind && !exact) {
        matches brawns = find(q, m, FIVED_BRAWN);
        matches others = brawns.found ? brawns : find(q, m, FIVED_NONE);
        result = others.any || !result.any ? others : result;
    }
    if (q->status != PLY_OK)
        return ply_cursor_fail(at, q->status, "%s", ply_status_text(q->status));
    if (!result.found)
        return ply_cursor_fail(
            at, PLY_ILLEGAL_MOVE,
            result.any ? "no legal turn continues with this move"
                       : "no piece can make this move, or it would expose a royal piece");
    if (result.other) {
        char text[2][PLY_MOVE_TEXT];
        ply_text one = ply_text_fixed(text[0], PLY_MOVE_TEXT);
        ply_text two = ply_text_fixed(text[1], PLY_MOVE_TEXT);
        fived_format_move(q->rules, p, result.found, &one);
        fived_format_move(q->rules, p, result.other, &two);
        return ply_cursor_fail(at, PLY_ILLEGAL_MOVE, "ambiguous: %s or %s", text[0], text[1]);
    }
    *move = result.found;
    return PLY_OK;
}

ply_status fived_find_move(const ply_rules *rules, const fived_position *p,
                           const fived_move_pattern *pattern, ply_cursor *at, ply_move *move)
{
    fived_turn_query *q;
    ply_status status = fived_turn_query_open(&q, rules, p);
    if (status == PLY_OK)
        status = resolve_move(q, pattern, at, move);
    else
        ply_cursor_fail(at, status, "%s", ply_status_text(status));
    fived_turn_query_close(q);
    return status;
}

void fived_submit_reason(const fived_turn_query *q, ply_text *out)
{
    enum { SHOWN = 8 };
    const fived_position *p = q->position;
    int present = fived_position_present(p), t, c, lo, hi, listed = 0;
    if (q->royal_lost) {
        ply_text_string(out, "a royal piece could be captured");
        return;
    }
    fived_v_to_tc(present, &t, &c);
    if (c != p->side)
        return;
    fived_active_range(p, p->hi - p->start_hi, p->start_lo - p->lo, &lo, &hi);
    ply_text_string(out, "a move is still due on ");
    for (int l = lo; l <= hi; l++)
        if (fived_position_timeline(p, l)->end == present && listed++ < SHOWN) {
            ply_text_string(out, listed > 1 ? ", (" : "(");
            fived_format_timeline(p->even, l, out);
            ply_text_format(out, "T%d)", t);
        }
    if (listed > SHOWN)
        ply_text_format(out, " and %d more", listed - SHOWN);
}

/* Fails if a legal move cannot be played because turn or timeline numbers run out. */
static ply_status check_limits(const fived_position *p, ply_move move, ply_cursor *at)
{
    if (move == FIVED_SUBMIT)
        return PLY_OK;
    if (fived_move_from(move).t >= FIVED_TIME_LIMIT)
        return ply_cursor_fail(at, PLY_LIMIT, "turn %d is the last possible turn",
                               FIVED_TIME_LIMIT);
    int made = p->side ? -(p->lo - 1) : p->hi + 1;
    if (fived_move_type_of(p, move) == FIVED_BRANCH && made > FIVED_TIMELINE_LIMIT)
        return ply_cursor_fail(at, PLY_LIMIT, "no timeline beyond %d is possible",
                               FIVED_TIMELINE_LIMIT);
    return PLY_OK;
}

/* Fails with the reason if the turn cannot be submitted yet. */
static ply_status check_submit(const ply_rules *rules, const fived_position *p, ply_cursor *at)
{
    fived_turn_query *q;
    char reason[160];
    ply_text text = ply_text_fixed(reason, sizeof reason);
    ply_status status = fived_turn_query_open(&q, rules, p);
    if (status != PLY_OK)
        return ply_cursor_fail(at, status, "%s", ply_status_text(status));
    fived_submit_reason(q, &text);
    fived_turn_query_close(q);
    return text.length > 0 ? ply_cursor_fail(at, PLY_ILLEGAL_MOVE, "cannot submit: %s", reason)
                           : PLY_OK;
}

ply_status fived_parse_move(const ply_rules *rules, const void *position, ply_cursor *cursor,
                            ply_move *move)
{
    ply_cursor at = *cursor;
    fived_move_pattern pattern;
    ply_status status;
    if (ply_cursor_accept_word(cursor, "submit")) {
        *move = FIVED_SUBMIT;
        status = check_submit(rules, position, &at);
    } else {
        status = fived_parse_move_pattern(cursor, &pattern);
        if (status == PLY_OK)
            status = fived_find_move(rules, position, &pattern, &at, move);
    }
    if (status == PLY_OK)
        status = check_limits(position, *move, &at);
    while (status == PLY_OK && ply_cursor_peek(cursor) > 0 &&
           strchr("+#*~!?", ply_cursor_peek(cursor)))
        ply_cursor_take(cursor);
    return status;
}
