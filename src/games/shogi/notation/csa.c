/* SPDX-License-Identifier: MIT */
/*
 * csa.c - the format of the Computer Shogi Association (CSA), versions 1 to 3.
 *
 *     V2.2                     version
 *     N+NAME / N-NAME          players
 *     $EVENT:...               other tags
 *     PI82HI22KA               the standard start without these pieces; or
 *     P1-KY-KE-GI- ... * ...   the board, rank by rank; and
 *     P+00FU63GI / P-00AL      pieces on squares or (00) in hand; AL: all remaining pieces
 *     +                        the player to move
 *     +7776FU,T3               a move: origin (00 for a drop), target, the piece after it; its time
 *     %TORYO                   the ending
 *     'comment                 '* is a comment on the move
 *     /                        another game follows
 *
 * CSA has no variations: only the main variation is written.
 */
#include "core/text/masked.h"
#include "games/shogi/notation/piece_names.h"
#include "games/shogi/notation/record_reader.h"
#include <string.h>

/* --- reading -------------------------------------------------------------------------------- */
typedef struct csa_game {
    shogi_position position;
    bool has_board, moves_begun;
    bool has_ended; /* the ending has been read: a time after it belongs to it */
} csa_game;

/* Reads the two letters of a piece; returns its code without owner, or -1. */
static int accept_name(ply_cursor *c)
{
    for (int code = 0; code <= (SHOGI_ROOK | SHOGI_CODE_PROMOTED); code++)
        if (ply_cursor_accept_word(c, shogi_csa_name(code)))
            return code;
    return -1;
}

/* Reads two digits: a square, or SHOGI_NO_SQUARE for 00. Returns -1 for anything else. */
static int accept_square(ply_cursor *c)
{
    int file = ply_cursor_peek(c);
    if (file < '0' || file > '9')
        return -1;
    ply_cursor_take(c);
    int rank = ply_cursor_peek(c);
    if (rank < '0' || rank > '9' || (file == '0') != (rank == '0'))
        return -1;
    ply_cursor_take(c);
    return file == '0' ? SHOGI_NO_SQUARE : shogi_square('9' - file, rank - '1');
}

/* PI: the standard start without the pieces listed. */
static ply_status read_removals(csa_game *g, ply_cursor *c)
{
    ply_cursor start =
        ply_cursor_make(shogi_variant_at(0)->data, strlen(shogi_variant_at(0)->data), NULL);
    shogi_parse(NULL, &g->position, &start);
    shogi_position full = g->position;
    shogi_clear_board(&g->position);
    while (!ply_cursor_done(c)) {
        ply_cursor at = *c;
        int square = accept_square(c), code = square >= 0 ? accept_name(c) : -1;
        if (square < 0 || square == SHOGI_NO_SQUARE || code < 0 ||
            (full.board[square] & 15) != code)
            return ply_cursor_fail(&at, PLY_BAD_TEXT,
                                   "expected a piece of the standard start, such as 82HI");
        full.board[square] = SHOGI_CODE_EMPTY;
    }
    for (int s = 0; s < SHOGI_SQUARES; s++)
        if (full.board[s] != SHOGI_CODE_EMPTY)
            shogi_put_piece(&g->position, full.board[s], s);
    g->has_board = true;
    return PLY_OK;
}

/* P1 to P9: a rank of the board. */
static ply_status read_rank(csa_game *g, ply_cursor *c, int rank)
{
    for (int column = 0; column < SHOGI_SIDE; column++) {
        int sign = ply_cursor_peek(c);
        if (sign == '+' || sign == '-') {
            ply_cursor_take(c);
            ply_cursor at = *c;
            int code = accept_name(c), square = shogi_square(column, rank);
            if (code < 0)
                return ply_cursor_fail(&at, PLY_BAD_TEXT, "expected a piece such as FU");
            if (g->position.board[square] != SHOGI_CODE_EMPTY)
                return ply_cursor_fail(&at, PLY_BAD_TEXT, "this square already has a piece");
            shogi_put_piece(&g->position, code | (sign == '-' ? SHOGI_CODE_WHITE : 0), square);
            continue;
        }
        /* " * "; some writers leave out spaces */
        bool any = ply_cursor_accept(c, ' ');
        any = ply_cursor_accept(c, '*') || any;
        any = ply_cursor_accept(c, ' ') || any;
        if (!any && !ply_cursor_done(c))
            return ply_cursor_fail(c, PLY_BAD_TEXT, "expected a piece or ' * '");
    }
    g->has_board = true;
    return PLY_OK;
}

/* 00AL: puts all pieces that are not in use into a hand. */
static void take_remaining_pieces(shogi_position *p, int colour)
{
    for (int kind = 0; kind < SHOGI_KING; kind++) {
        unsigned used = shogi_count_kind(p, kind);
        if (used < shogi_kind_total[kind])
            p->hand[colour] += (shogi_kind_total[kind] - used) * shogi_hand_one(kind);
    }
}

/* P+ and P-: pieces on squares or in hand. */
static ply_status read_pieces(csa_game *g, ply_cursor *c, int colour)
{
    shogi_position *p = &g->position;
    while (!ply_cursor_done(c)) {
        ply_cursor at = *c;
        int square = accept_square(c);
        if (square == SHOGI_NO_SQUARE && ply_cursor_accept_word(c, "AL")) {
            take_remaining_pieces(p, colour);
            continue;
        }
        int code = square >= 0 ? accept_name(c) : -1;
        if (code < 0 || (square == SHOGI_NO_SQUARE && code >= SHOGI_KING))
            return ply_cursor_fail(&at, PLY_BAD_TEXT, "expected pieces such as 55KI or 00FU");
        if (square == SHOGI_NO_SQUARE) {
            if (shogi_hand_count(p->hand[colour], code) >= shogi_kind_total[code])
                return ply_cursor_fail(&at, PLY_BAD_POSITION, "too many of this piece in hand");
            p->hand[colour] += shogi_hand_one(code);
        } else if (p->board[square] != SHOGI_CODE_EMPTY) {
            return ply_cursor_fail(&at, PLY_BAD_TEXT, "this square already has a piece");
        } else {
            shogi_put_piece(p, code | colour << 4, square);
        }
    }
    g->has_board = true;
    return PLY_OK;
}

/* The position is complete: checks it and sets it as the start, with `side` to move. */
static ply_status begin_moves(kifu_reader *r, csa_game *g, int side)
{
    char reason[128];
    if (g->moves_begun)
        return PLY_OK;
    g->moves_begun = true;
    if (!g->has_board) {
        /* Without a position, the game begins from the standard start. */
        ply_cursor nothing = ply_cursor_make("", 0, NULL);
        read_removals(g, &nothing);
    }
    g->position.side = (uint8_t)side;
    const char *fault = shogi_position_fault(&g->position, reason, sizeof reason);
    if (fault)
        return ply_cursor_fail(&r->line, PLY_BAD_POSITION, "%s", fault);
    shogi_compute_keys(&g->position);
    ply_status status = shogi_kifu_set_start(r, &g->position);
    return status == PLY_OK ? shogi_kifu_ensure_state(r) : status;
}

static ply_status read_move(kifu_reader *r, ply_cursor *c, int side)
{
    ply_cursor at = *c;
    int from = accept_square(c), to = from >= 0 ? accept_square(c) : -1;
    int code = to >= 0 ? accept_name(c) : -1;
    if (code < 0 || to == SHOGI_NO_SQUARE || !ply_cursor_done(c))
        return ply_cursor_fail(&at, PLY_BAD_TEXT, "expected a move such as 7776FU");
    if (r->illegal.status != PLY_OK)
        return shogi_kifu_report_illegal(r, c);
    const shogi_position *p = r->state.position;
    if (p->side != side)
        return ply_cursor_fail(&at, PLY_ILLEGAL_MOVE, "it is not %s's turn",
                               side == SHOGI_BLACK ? "Black" : "White");
    ply_move move;
    if (from == SHOGI_NO_SQUARE) {
        if (code >= SHOGI_KING)
            return ply_cursor_fail(&at, PLY_BAD_TEXT, "this piece cannot be dropped");
        move = shogi_drop_make(code, to);
    } else {
        int before = p->board[from] & 15;
        bool promotes = before != code && (before | SHOGI_CODE_PROMOTED) == code;
        if (p->board[from] == SHOGI_CODE_EMPTY || (before != code && !promotes))
            return ply_cursor_fail(&at, PLY_ILLEGAL_MOVE, "there is no %s on %d%d",
                                   shogi_csa_name(code), 9 - shogi_column(from),
                                   shogi_rank(from) + 1);
        move = shogi_move_make(from, to, promotes);
    }
    return shogi_kifu_defer_illegal(r, shogi_kifu_add_move(r, move, &at), &at);
}

static ply_status read_time(kifu_reader *r, const csa_game *g, ply_cursor *c)
{
    uint64_t seconds, millis = 0;
    ply_cursor at = *c;
    if (!ply_cursor_number(c, 2000000, &seconds))
        return ply_cursor_fail(&at, PLY_BAD_TEXT, "expected seconds after T");
    if (ply_cursor_accept(c, '.')) {
        size_t before = c->at;
        if (!ply_cursor_number(c, 999, &millis))
            return ply_cursor_fail(c, PLY_BAD_TEXT, "expected thousandths of a second");
        for (size_t digits = c->at - before; digits < 3; digits++)
            millis *= 10;
    }
    if (r->node || g->has_ended)
        r->record->nodes[g->has_ended ? 0 : r->node].millis = (int32_t)(seconds * 1000 + millis);
    return PLY_OK;
}

static ply_status read_ending(kifu_reader *r, ply_cursor *c)
{
    ply_cursor at = *c;
    const char *word = c->text + c->at;
    size_t length = c->length - c->at;
    int turn = ((const shogi_position *)r->state.position)->side;
    const kifu_ending *ending = shogi_kifu_ending_by_csa(word, length, &turn);
    c->at = c->length;
    if (!ending)
        return ply_cursor_fail(&at, PLY_BAD_TEXT, "unknown ending '%.*s'",
                               (int)(length < 40 ? length : 40), word);
    if (r->illegal.status != PLY_OK && strcmp(ending->id, "illegal-move") != 0)
        return shogi_kifu_report_illegal(r, c);
    r->illegal.status = PLY_OK;
    return shogi_kifu_check(c, shogi_kifu_set_ending(r->record, ending, turn));
}

static ply_status read_tag(kifu_reader *r, ply_cursor *c)
{
    const char *name = c->text + c->at, *value;
    while (!ply_cursor_done(c) && ply_cursor_peek(c) != ':')
        ply_cursor_take(c);
    size_t length = (size_t)(c->text + c->at - name);
    if (length == 0 || !ply_cursor_accept(c, ':'))
        return ply_cursor_fail(c, PLY_BAD_TEXT, "expected a name, ':' and a value after $");
    size_t value_length = shogi_kifu_trimmed_rest(c, &value);
    const char *known = shogi_kifu_tag_from_csa(name, length);
    return shogi_kifu_check(c, ply_record_set_tag(r->record, known ? known : name,
                                                  known ? strlen(known) : length, value,
                                                  value_length));
}

/* Reads one statement. A line may hold several, separated by commas. */
static ply_status read_statement(kifu_reader *r, csa_game *g, ply_cursor *c)
{
    ply_cursor at = *c;
    int first = ply_cursor_take(c), second = ply_cursor_peek(c);
    if (first == 'P' && g->moves_begun)
        return ply_cursor_fail(&at, PLY_BAD_TEXT, "a position line after the moves have begun");
    if (first == 'P' && ply_cursor_accept(c, 'I'))
        return read_removals(g, c);
    if (first == 'P' && second >= '1' && second <= '9') {
        ply_cursor_take(c);
        return read_rank(g, c, second - '1');
    }
    if (first == 'P' && (second == '+' || second == '-')) {
        ply_cursor_take(c);
        return read_pieces(g, c, second == '-');
    }
    if (first == '+' || first == '-') {
        bool had_begun = g->moves_begun;
        ply_status status = begin_moves(r, g, first == '-');
        if (status != PLY_OK || (ply_cursor_done(c) && !had_begun))
            return status;
        return read_move(r, c, first == '-');
    }
    if (first == 'T')
        return read_time(r, g, c);
    if (first == '%') {
        ply_status status = begin_moves(r, g, SHOGI_BLACK);
        g->has_ended = true;
        return status == PLY_OK ? read_ending(r, c) : status;
    }
    return ply_cursor_fail(&at, PLY_BAD_TEXT, "not a CSA line");
}

/* Reads a comment, to the end of the line: '* is about the last move, others are about the file. */
static ply_status read_comment(kifu_reader *r, ply_cursor *c)
{
    ply_status status = PLY_OK;
    if (ply_cursor_accept_word(c, "'*"))
        status = shogi_kifu_add_comment(r, c->text + c->at, c->length - c->at);
    c->at = c->length;
    return status;
}

static ply_status read_line(kifu_reader *r, csa_game *g)
{
    ply_cursor *c = &r->line;
    const char *rest;
    if (ply_cursor_peek(c) == '\'')
        return read_comment(r, c);
    if (ply_cursor_accept(c, 'V'))
        return PLY_OK;
    if (ply_cursor_accept(c, '$'))
        return read_tag(r, c);
    if (ply_cursor_accept(c, 'N')) {
        int sign = ply_cursor_take(c);
        if (sign != '+' && sign != '-')
            return ply_cursor_fail(c, PLY_BAD_TEXT, "expected N+ or N-");
        size_t length = shogi_kifu_trimmed_rest(c, &rest);
        return shogi_kifu_check(
            c, ply_record_set_tag(r->record, sign == '+' ? "Black" : "White", 5, rest, length));
    }
    ply_status status = PLY_OK;
    while (status == PLY_OK && !ply_cursor_done(c)) {
        if (ply_cursor_peek(c) == '\'')
            return read_comment(r, c);
        ply_cursor part = *c;
        const char *comma = memchr(c->text + c->at, ',', c->length - c->at);
        part.length = comma ? (size_t)(comma - c->text) : c->length;
        while (part.length > part.at &&
               (part.text[part.length - 1] == ' ' || part.text[part.length - 1] == '\t') &&
               part.text[part.at] != 'P')
            part.length--;
        size_t next = comma ? (size_t)(comma - c->text) + 1 : c->length;
        if (part.at < part.length)
            status = read_statement(r, g, &part);
        while (c->at < next)
            ply_cursor_take(c);
    }
    return status;
}

ply_status shogi_kifu_read_csa(ply_cursor *cursor, ply_record *record, bool *found)
{
    kifu_reader r;
    csa_game g = {.has_board = false};
    shogi_clear_board(&g.position);
    shogi_kifu_open(&r, cursor, record);
    ply_status status = PLY_OK;
    bool more = true;
    *found = false;
    while (status == PLY_OK) {
        status = shogi_kifu_next_line(&r, &more);
        if (status != PLY_OK || !more)
            break;
        int first = ply_cursor_peek(&r.line);
        bool single = r.line.length - r.line.at == 1;
        if (first < 0 || (!*found && (first == '/' || first == '\'')))
            continue;
        if (first == '/' && single)
            break;
        if (first == 'V' && g.moves_begun) {
            shogi_kifu_unread_line(&r);
            break;
        }
        *found = true;
        status = read_line(&r, &g);
    }
    if (status == PLY_OK && *found)
        status = begin_moves(&r, &g, SHOGI_BLACK);
    if (status == PLY_OK && r.illegal.status != PLY_OK)
        status = shogi_kifu_report_illegal(&r, cursor);
    shogi_kifu_close(&r);
    return status;
}

/* --- writing -------------------------------------------------------------------------------- */
static void write_position(const shogi_position *p, ply_text *out)
{
    for (int rank = 0; rank < SHOGI_SIDE; rank++) {
        ply_text_format(out, "P%d", rank + 1);
        for (int column = 0; column < SHOGI_SIDE; column++) {
            int code = p->board[shogi_square(column, rank)];
            if (code == SHOGI_CODE_EMPTY)
                ply_text_string(out, " * ");
            else
                ply_text_format(out, "%c%s", shogi_code_owner(code) ? '-' : '+',
                                shogi_csa_name(code));
        }
        ply_text_char(out, '\n');
    }
    for (int colour = 0; colour < 2; colour++) {
        if (p->hand[colour] == 0)
            continue;
        ply_text_format(out, "P%c", colour ? '-' : '+');
        for (int kind = 0; kind < SHOGI_KING; kind++)
            for (unsigned n = shogi_hand_count(p->hand[colour], kind); n > 0; n--)
                ply_text_format(out, "00%s", shogi_csa_name(kind));
        ply_text_char(out, '\n');
    }
}

static void write_tag_name(const char *name, ply_text *out)
{
    ply_text_char(out, '$');
    ply_text_masked(out, name, ":\r\n", '_');
    ply_text_char(out, ':');
}

static void write_tags(const ply_record *record, ply_text *out)
{
    for (size_t i = 0; i < record->tag_count; i++) {
        const char *name = shogi_kifu_tag_to_csa(record->tags[i].name);
        if (!name[0])
            continue;
        if (strcmp(name, "+") == 0 || strcmp(name, "-") == 0)
            ply_text_format(out, "N%s", name);
        else
            write_tag_name(name, out);
        shogi_kifu_write_one_line(record->tags[i].value, out);
        ply_text_char(out, '\n');
    }
}

static void write_square(int square, ply_text *out)
{
    ply_text_format(out, "%d%d", 9 - shogi_column(square), shogi_rank(square) + 1);
}

static void write_time(const ply_record_node *node, ply_text *out)
{
    if (node->millis < 0)
        return;
    ply_text_format(out, "T%d", node->millis / 1000);
    if (node->millis % 1000)
        ply_text_format(out, ".%03d", node->millis % 1000);
    ply_text_char(out, '\n');
}

static void write_move(const shogi_position *p, const ply_record_node *node, ply_text *out)
{
    ply_move move = node->move;
    int code = shogi_kifu_moved_piece(p, move);
    ply_text_char(out, p->side == SHOGI_BLACK ? '+' : '-');
    if (shogi_move_is_drop(move))
        ply_text_string(out, "00");
    else
        write_square(shogi_move_from(move), out);
    write_square(shogi_move_to(move), out);
    ply_text_format(out, "%s\n",
                    shogi_csa_name(code | (shogi_move_promotes(move) ? SHOGI_CODE_PROMOTED : 0)));
    write_time(node, out);
}

static bool has_fractions(const ply_record *record)
{
    if (record->nodes[0].millis > 0 && record->nodes[0].millis % 1000)
        return true;
    for (uint32_t n = record->nodes[0].child; n; n = record->nodes[n].child)
        if (record->nodes[n].millis > 0 && record->nodes[n].millis % 1000)
            return true;
    return false;
}

ply_status shogi_kifu_write_csa(const ply_record *record, ply_text *out, ply_error *error)
{
    ply_state state;
    ply_status status = ply_record_start_state(record, &state, error);
    if (status != PLY_OK)
        return status;
    const shogi_position *p = state.position;
    if (out->length > 0)
        ply_text_string(out, "/\n");
    /* Version 3 introduced fractions of a second and the line that names the encoding. */
    ply_text_string(out, "'CSA encoding=UTF-8\n");
    ply_text_string(out, has_fractions(record) ? "V3.0\n" : "V2.2\n");
    write_tags(record, out);
    if (shogi_kifu_start_variant(record) == shogi_variant_at(0))
        ply_text_string(out, "PI\n");
    else
        write_position(p, out);
    ply_text_string(out, p->side == SHOGI_BLACK ? "+\n" : "-\n");
    shogi_kifu_write_comment(record->nodes[0].comment, "'*", out);
    for (uint32_t n = record->nodes[0].child; n && status == PLY_OK; n = record->nodes[n].child) {
        write_move(p, &record->nodes[n], out);
        shogi_kifu_write_comment(record->nodes[n].comment, "'*", out);
        status = ply_state_play(&state, record->nodes[n].move);
    }
    const kifu_ending *ending = shogi_kifu_ending_of(record, p->side);
    if (ending && ending->csa)
        ply_text_format(out, "%%%s\n", ending->csa);
    else if (ending && ending->effect == KIFU_WIN && strcmp(ending->id, "no-show") != 0)
        ply_text_format(out, "%%%cILLEGAL_ACTION\n", p->side == SHOGI_BLACK ? '-' : '+');
    else if (ending && ending->effect == KIFU_LOSS)
        ply_text_string(out, "%TORYO\n");
    if (ending)
        write_time(&record->nodes[0], out);
    ply_state_free(&state);
    return status == PLY_OK ? status : ply_error_set(error, status, "%s", ply_status_text(status));
}
