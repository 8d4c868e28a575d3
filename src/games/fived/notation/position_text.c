/* SPDX-License-Identifier: MIT */
/*
 * position_text.c - positions as 5DFEN boards, and moves in full coordinates.
 *
 * A position is all boards of the multiverse, the past included, separated by spaces:
 *
 *     [ranks/from/the/top:L:T:c]      c: w or b, who moves on the board
 *
 * Ranks hold piece letters (PWNBRUDSQKCY, capitals for White), '*' after a piece that has not moved
 * (P, W, K, R), and numbers of empty squares. If the game started with an even number of timelines,
 * they are written with their sign, and the middle ones are -0 and +0. Two words may follow, each
 * only where needed:
 *
 *     lines=A..B      the timelines of the start, if not all that are given
 *     w or b          the player to move, if not the colour of the present
 *
 * The en-passant square is not written: it follows from comparing a board with the one before.
 *
 * A move is written (LTt)square(LTt)square, such as (0T1)e2(0T1)e4, with =Q appended if a pawn
 * promotes to a queen. The end of a turn is the word submit.
 */
#include "games/fived/notation/position_text.h"
#include "games/fived/turns/turn_query.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char letters[] = " PWNBRUDSQKCY";

char fived_kind_letter(fived_kind kind)
{
    return letters[kind];
}

fived_kind fived_letter_kind(int c)
{
    const char *found = c > ' ' ? strchr(letters, toupper(c)) : NULL;
    return found ? (fived_kind)(found - letters) : FIVED_NONE;
}

/* --- timelines ------------------------------------------------------------------------------ */
void fived_format_timeline(bool even, int l, ply_text *out)
{
    if (even)
        ply_text_format(out, l < 0 ? "-%d" : "+%d", l < 0 ? -l - 1 : l);
    else
        ply_text_format(out, "%d", l);
}

bool fived_parse_timeline(ply_cursor *cursor, fived_timeline_name *name)
{
    ply_cursor ahead = *cursor;
    uint64_t number;
    name->negative = ply_cursor_accept(&ahead, '-');
    name->positive = !name->negative && ply_cursor_accept(&ahead, '+');
    if (!ply_cursor_number(&ahead, FIVED_TIMELINE_LIMIT, &number))
        return false;
    name->number = (int)number;
    *cursor = ahead;
    return true;
}

int fived_timeline_number(fived_timeline_name name, bool even)
{
    if (!name.negative)
        return name.number;
    return even ? -name.number - 1 : -name.number;
}

/* --- writing positions ---------------------------------------------------------------------- */
void fived_format_board(const fived_position *p, const fived_board *b, ply_text *out)
{
    for (int y = p->height - 1; y >= 0; y--) {
        int empty = 0;
        for (int x = 0; x < p->width; x++) {
            fived_piece piece = b->square[x + 8 * y];
            if (!piece) {
                empty++;
                continue;
            }
            if (empty > 0)
                ply_text_format(out, "%d", empty);
            empty = 0;
            char letter = letters[fived_piece_kind(piece)];
            ply_text_char(out, piece & FIVED_BLACK ? (char)tolower(letter) : letter);
            if (piece & FIVED_UNMOVED)
                ply_text_char(out, '*');
        }
        if (empty > 0)
            ply_text_format(out, "%d", empty);
        if (y > 0)
            ply_text_char(out, '/');
    }
}

void fived_format(const ply_rules *rules, const void *position, ply_text *out)
{
    (void)rules;
    const fived_position *p = position;
    for (int l = p->lo; l <= p->hi; l++) {
        const fived_timeline *timeline = fived_position_timeline(p, l);
        for (int v = timeline->start; v <= timeline->end; v++) {
            if (l > p->lo || v > timeline->start)
                ply_text_char(out, ' ');
            ply_text_char(out, '[');
            fived_format_board(p, timeline->boards[v - timeline->start], out);
            ply_text_char(out, ':');
            fived_format_timeline(p->even, l, out);
            int t, c;
            fived_v_to_tc(v, &t, &c);
            ply_text_format(out, ":%d:%c]", t, c ? 'b' : 'w');
        }
    }
    if (p->start_lo != p->lo || p->start_hi != p->hi) {
        ply_text_string(out, " lines=");
        fived_format_timeline(p->even, p->start_lo, out);
        ply_text_string(out, "..");
        fived_format_timeline(p->even, p->start_hi, out);
    }
    if ((fived_position_present(p) & 1) != p->side)
        ply_text_string(out, p->side ? " b" : " w");
}

/* --- reading positions ---------------------------------------------------------------------- */
enum { SIDE = 8 };

typedef struct fen_board {
    fived_piece square[64];
    fived_timeline_name timeline;
    int width, height, l, v;
    ply_cursor at;
} fen_board;

static bool keeps_unmoved(fived_kind kind)
{
    return kind == FIVED_PAWN || kind == FIVED_BRAWN || kind == FIVED_KING || kind == FIVED_ROOK;
}

/* Reads one rank from the left; *width: its number of squares. */
static ply_status parse_rank(ply_cursor *cursor, fived_piece *row, int *width)
{
    *width = 0;
    for (;;) {
        int c = ply_cursor_peek(cursor);
        uint64_t empty;
        if (c >= '0' && c <= '9') {
            if (!ply_cursor_number(cursor, SIDE, &empty) || *width + (int)empty > SIDE)
                return ply_cursor_fail(cursor, PLY_BAD_TEXT, "a rank has at most %d squares", SIDE);
            *width += (int)empty;
            continue;
        }
        ply_cursor here = *cursor;
        ply_cursor_accept(cursor, '+'); /* reserved by the notation; has no meaning yet */
        c = ply_cursor_peek(cursor);
        fived_kind kind = fived_letter_kind(c);
        if (!kind) {
            *cursor = here;
            return PLY_OK;
        }
        if (*width == SIDE)
            return ply_cursor_fail(cursor, PLY_BAD_TEXT, "a rank has at most %d squares", SIDE);
        ply_cursor_take(cursor);
        fived_piece piece = (fived_piece)(kind | (islower(c) ? FIVED_BLACK : 0));
        if (ply_cursor_accept(cursor, '*') && keeps_unmoved(kind))
            piece |= FIVED_UNMOVED;
        row[(*width)++] = piece;
    }
}

static ply_status parse_ranks(ply_cursor *cursor, fen_board *b)
{
    fived_piece rows[SIDE][SIDE] = {{0}};
    b->width = b->height = 0;
    do {
        int width;
        if (b->height == SIDE)
            return ply_cursor_fail(cursor, PLY_BAD_TEXT, "a board has at most %d ranks", SIDE);
        ply_cursor at = *cursor;
        ply_status status = parse_rank(cursor, rows[b->height], &width);
        if (status != PLY_OK)
            return status;
        if (width == 0)
            return ply_cursor_fail(cursor, PLY_BAD_TEXT,
                                   "expected a piece or a number of empty squares");
        if (b->height > 0 && width != b->width)
            return ply_cursor_fail(&at, PLY_BAD_TEXT, "this rank has %d squares, the first has %d",
                                   width, b->width);
        b->width = width;
        b->height++;
    } while (ply_cursor_accept(cursor, '/'));
    memset(b->square, 0, sizeof b->square);
    for (int y = 0; y < b->height; y++)
        memcpy(b->square + 8 * y, rows[b->height - 1 - y], (size_t)b->width);
    return PLY_OK;
}

/* Reads [ranks:L:T:c]. */
static ply_status parse_board(ply_cursor *cursor, fen_board *b)
{
    uint64_t turn;
    b->at = *cursor;
    if (!ply_cursor_accept(cursor, '['))
        return ply_cursor_fail(cursor, PLY_BAD_TEXT, "expected a board in [ ]");
    ply_cursor_skip_space(cursor);
    ply_status status = parse_ranks(cursor, b);
    if (status != PLY_OK)
        return status;
    if (!ply_cursor_accept(cursor, ':'))
        return ply_cursor_fail(cursor, PLY_BAD_TEXT,
                               "expected a piece, '/', or ':' and the timeline");
    if (!fived_parse_timeline(cursor, &b->timeline))
        return ply_cursor_fail(cursor, PLY_BAD_TEXT, "expected the number of a timeline");
    if (!ply_cursor_accept(cursor, ':') || !ply_cursor_number(cursor, FIVED_TIME_LIMIT, &turn))
        return ply_cursor_fail(cursor, PLY_BAD_TEXT, "expected ':' and a turn from 0 to %d",
                               FIVED_TIME_LIMIT);
    int c = ply_cursor_accept(cursor, ':') ? ply_cursor_peek(cursor) : -1;
    if (c != 'w' && c != 'b')
        return ply_cursor_fail(cursor, PLY_BAD_TEXT, "expected ':' and w or b");
    ply_cursor_take(cursor);
    ply_cursor_skip_space(cursor);
    if (!ply_cursor_accept(cursor, ']'))
        return ply_cursor_fail(cursor, PLY_BAD_TEXT, "expected ']'");
    b->v = fived_tc_to_v((int)turn, c == 'b');
    return PLY_OK;
}

/* The square a pawn has stepped over between two consecutive boards, or -1. */
static int stepped_over(const fived_board *before, const fived_board *after, int mover)
{
    uint64_t gone = before->set[FIVED_PAWNS] & before->unmoved & before->colour[mover] &
                    ~fived_board_occupied(after);
    for (; gone; gone &= gone - 1) {
        int from = ply_lowest(gone), to = from + (mover ? -16 : 16);
        if (to < 0 || to > 63)
            continue;
        fived_piece piece = before->square[from] & (fived_piece)~FIVED_UNMOVED;
        if (after->square[to] == piece && !before->square[to] && !before->square[(from + to) / 2])
            return (from + to) / 2;
    }
    return -1;
}

static ply_status add_board(fived_position *p, fen_board *b)
{
    if (b->width != p->width || b->height != p->height)
        return ply_cursor_fail(&b->at, PLY_BAD_POSITION, "this board is %dx%d, another is %dx%d",
                               b->width, b->height, p->width, p->height);
    const fived_timeline *timeline =
        b->l == p->hi && p->lo <= p->hi ? fived_position_timeline(p, b->l) : NULL;
    if (timeline && b->v != timeline->end + 1)
        return ply_cursor_fail(&b->at, PLY_BAD_POSITION,
                               b->v == timeline->end ? "this board appears twice"
                                                     : "a board is missing before this one");
    if (!timeline && p->lo <= p->hi && b->l != p->hi + 1)
        return ply_cursor_fail(&b->at, PLY_BAD_POSITION, "a timeline is missing before this one");
    fived_board *board = fived_board_alloc(p->multiverse);
    if (!board)
        return ply_cursor_fail(&b->at, PLY_NO_MEMORY, "out of memory");
    fived_board_clear(board);
    for (int i = 0; i < 64; i++)
        if (b->square[i])
            fived_board_put(board, i, b->square[i]);
    if (timeline)
        board->en_passant = (int8_t)stepped_over(timeline->boards[timeline->end - timeline->start],
                                                 board, (b->v - 1) & 1);
    ply_status status = fived_position_append(p, b->l, b->v, board);
    if (status != PLY_OK) {
        fived_board_recycle(p->multiverse, board);
        ply_cursor_fail(&b->at, status, "%s", ply_status_text(status));
    }
    return status;
}

/* By timeline, then by time. */
static int compare_boards(const void *a, const void *b)
{
    const fen_board *x = a, *y = b;
    return x->l != y->l ? (x->l > y->l) - (x->l < y->l) : (x->v > y->v) - (x->v < y->v);
}

/* Reads the boards, in any order, and builds the timelines. */
static ply_status parse_boards(fived_position *p, ply_cursor *cursor, bool even)
{
    fen_board *boards = NULL;
    size_t count = 0, room = 0;
    ply_status status = PLY_OK;
    for (;;) {
        ply_cursor after = *cursor;
        ply_cursor_skip_space(&after);
        if (count > 0 && ply_cursor_peek(&after) != '[')
            break;
        *cursor = after;
        if (!ply_array_grow(&boards, &room, count + 1, sizeof *boards)) {
            status = ply_cursor_fail(cursor, PLY_NO_MEMORY, "out of memory");
            break;
        }
        fen_board *b = &boards[count];
        status = parse_board(cursor, b);
        if (status != PLY_OK)
            break;
        if (even && !b->timeline.negative && !b->timeline.positive) {
            status = ply_cursor_fail(&b->at, PLY_BAD_POSITION,
                                     "timelines need a sign if one of them is -0 or +0");
            break;
        }
        b->l = fived_timeline_number(b->timeline, even);
        count++;
    }
    if (status == PLY_OK) {
        int width = boards[0].width, height = boards[0].height;
        qsort(boards, count, sizeof *boards, compare_boards);
        status = fived_position_init(p, width, height);
        if (status != PLY_OK)
            ply_cursor_fail(cursor, status, "%s", ply_status_text(status));
        p->even = even;
    }
    for (size_t i = 0; i < count && status == PLY_OK; i++)
        status = add_board(p, &boards[i]);
    free(boards);
    return status;
}

/* Whether any board of the text is on timeline -0 or +0. */
static bool looks_even(ply_cursor cursor)
{
    fen_board b = {0};
    cursor.error = NULL;
    for (;;) {
        ply_cursor_skip_space(&cursor);
        if (parse_board(&cursor, &b) != PLY_OK)
            return false;
        if (b.timeline.number == 0 && (b.timeline.negative || b.timeline.positive))
            return true;
    }
}

/* Reads what may follow the boards. */
static ply_status parse_words(fived_position *p, ply_cursor *cursor)
{
    ply_cursor after = *cursor;
    p->start_lo = p->lo;
    p->start_hi = p->hi;
    ply_cursor_skip_space(&after);
    if (ply_cursor_accept_word(&after, "lines=")) {
        fived_timeline_name lo, hi;
        ply_cursor at = after;
        if (!fived_parse_timeline(&after, &lo) || !ply_cursor_accept_word(&after, "..") ||
            !fived_parse_timeline(&after, &hi))
            return ply_cursor_fail(&after, PLY_BAD_TEXT, "expected two timelines such as -1..1");
        int first = fived_timeline_number(lo, p->even), last = fived_timeline_number(hi, p->even);
        if (first < p->lo || last > p->hi || first > last)
            return ply_cursor_fail(&at, PLY_BAD_POSITION,
                                   "the timelines of the start are not among those given");
        p->start_lo = (int16_t)first;
        p->start_hi = (int16_t)last;
        *cursor = after;
        ply_cursor_skip_space(&after);
    }
    int c = ply_cursor_peek(&after);
    p->side = (uint8_t)(fived_position_present(p) & 1);
    if (c == 'w' || c == 'b') {
        ply_cursor_take(&after);
        p->side = c == 'b';
        *cursor = after;
    }
    return PLY_OK;
}

ply_status fived_parse(const ply_rules *rules, void *position, ply_cursor *cursor)
{
    fived_position *p = position;
    memset(p, 0, sizeof *p);
    ply_status status = parse_boards(p, cursor, looks_even(*cursor));
    if (status == PLY_OK)
        status = parse_words(p, cursor);
    if (status != PLY_OK) {
        if (p->multiverse)
            fived_clear(rules, p);
        return status;
    }
    uint16_t kinds = 0;
    for (int l = p->lo; l <= p->hi; l++) {
        const fived_timeline *timeline = fived_position_timeline(p, l);
        for (int v = timeline->start; v <= timeline->end; v++)
            for (int s = 0; s < 64; s++)
                kinds |= (uint16_t)(1u << fived_piece_kind(
                                        timeline->boards[v - timeline->start]->square[s]));
    }
    p->promotions = fived_promotion_kinds(rules->option[FIVED_OPTION_PROMOTION], kinds);
    p->hash = fived_compute_hash(rules, p);
    status = fived_position_check_size(rules, p);
    if (status == PLY_OK)
        return PLY_OK;
    fived_clear(rules, p);
    if (status == PLY_LIMIT)
        return ply_cursor_fail(cursor, status, "the position has more than %d moves",
                               FIVED_MAX_MOVES);
    return ply_cursor_fail(cursor, status, "%s", ply_status_text(status));
}

ply_status fived_start(const ply_rules *rules, void *position)
{
    const char *text = rules->variant->data;
    ply_cursor cursor = ply_cursor_make(text, strlen(text), NULL);
    return fived_parse(rules, position, &cursor);
}

/* --- moves ---------------------------------------------------------------------------------- */
void fived_format_location(const fived_position *p, fived_location spot, ply_text *out)
{
    ply_text_char(out, '(');
    fived_format_timeline(p->even, spot.l, out);
    ply_text_format(out, "T%d)%c%c", spot.t, 'a' + spot.x, '1' + spot.y);
}

void fived_format_move(const ply_rules *rules, const void *position, ply_move move, ply_text *out)
{
    (void)rules;
    const fived_position *p = position;
    if (move == FIVED_SUBMIT) {
        ply_text_string(out, "submit");
        return;
    }
    fived_format_location(p, fived_move_from(move), out);
    fived_format_location(p, fived_move_to(move), out);
    if (fived_move_promotion(move))
        ply_text_format(out, "=%c", letters[fived_move_promotion(move)]);
}
