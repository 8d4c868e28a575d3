/* SPDX-License-Identifier: MIT */
/*
 * sfen.c - positions in SFEN, moves in USI notation, and the explanation of what is wrong with
 * either.
 *
 *     lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1
 *
 *     board      from rank a, file 9 first; '+' before a promoted piece; capitals are Black's
 *     side       b or w
 *     hands      a count before the letter if there are several, or '-' for none
 *     number     of the next move
 *
 * Also accepted: no move number, `sfen` in front, `startpos`, and letters repeated in a hand. A USI
 * move is 7g7f, 8h2b+ or P*5e.
 */
#include "games/shogi/rules/attacks.h"
#include "games/shogi/shogi.h"
#include <stdio.h>
#include <string.h>

enum { MAX_MOVE_NUMBER = 1000000 };

const char shogi_piece_letters[SHOGI_KINDS + 1] = "PLNSBRGK";

static const char *const kind_names[SHOGI_KINDS] = {"pawn",   "lance", "knight", "silver",
                                                    "bishop", "rook",  "gold",   "king"};
static const char *const colour_names[2] = {"Black", "White"};

static const char start_text[] = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

static void format_square(int square, ply_text *out)
{
    ply_text_format(out, "%d%c", 9 - shogi_column(square), 'a' + shogi_rank(square));
}

/* --- positions ------------------------------------------------------------------------------ */
static void format_hands(const shogi_position *p, ply_text *out)
{
    bool any = false;
    for (int colour = 0; colour < 2; colour++)
        for (int i = 0; i < SHOGI_KING; i++) {
            int kind = shogi_hand_order[i];
            unsigned count = shogi_hand_count(p->hand[colour], kind);
            if (count == 0)
                continue;
            any = true;
            if (count > 1)
                ply_text_format(out, "%u", count);
            ply_text_char(out, (char)(shogi_piece_letters[kind] | (colour ? 0x20 : 0)));
        }
    if (!any)
        ply_text_char(out, '-');
}

void shogi_format(const ply_rules *rules, const void *position, ply_text *out)
{
    (void)rules;
    const shogi_position *p = position;
    for (int rank = 0; rank < SHOGI_SIDE; rank++) {
        int empty = 0;
        for (int column = 0; column < SHOGI_SIDE; column++) {
            int code = p->board[shogi_square(column, rank)];
            if (code == SHOGI_CODE_EMPTY) {
                empty++;
                continue;
            }
            if (empty)
                ply_text_char(out, (char)('0' + empty));
            empty = 0;
            if (code & SHOGI_CODE_PROMOTED)
                ply_text_char(out, '+');
            ply_text_char(out, (char)(shogi_piece_letters[code & SHOGI_CODE_KIND] |
                                      (shogi_code_owner(code) ? 0x20 : 0)));
        }
        if (empty)
            ply_text_char(out, (char)('0' + empty));
        ply_text_char(out, rank < 8 ? '/' : ' ');
    }
    ply_text_string(out, p->side == SHOGI_BLACK ? "b " : "w ");
    format_hands(p, out);
    ply_text_format(out, " %u", p->ply);
}

/* The kind of a letter of either case, or -1; *colour receives the owner. */
static int letter_kind(int c, int *colour)
{
    *colour = c >= 'a' && c <= 'z';
    int upper = *colour ? c - 0x20 : c;
    for (int kind = 0; kind < SHOGI_KINDS; kind++)
        if (shogi_piece_letters[kind] == upper)
            return kind;
    return -1;
}

static ply_status parse_rank(ply_cursor *cursor, shogi_position *p, int rank)
{
    int column = 0;
    while (column < SHOGI_SIDE) {
        int c = ply_cursor_peek(cursor), colour;
        if (c >= '1' && c <= '9') {
            if (column + (c - '0') > SHOGI_SIDE)
                return ply_cursor_fail(cursor, PLY_BAD_TEXT, "rank %c has more than 9 squares",
                                       'a' + rank);
            column += c - '0';
            ply_cursor_take(cursor);
            continue;
        }
        if (c == '/' || c == ' ' || c < 0)
            return ply_cursor_fail(cursor, PLY_BAD_TEXT, "rank %c has %d squares, not 9",
                                   'a' + rank, column);
        bool promoted = ply_cursor_accept(cursor, '+');
        int kind = letter_kind(ply_cursor_peek(cursor), &colour);
        if (kind < 0)
            return ply_cursor_fail(cursor, PLY_BAD_TEXT, "expected a piece (%s) in rank %c",
                                   shogi_piece_letters, 'a' + rank);
        if (promoted && (kind == SHOGI_GOLD || kind == SHOGI_KING))
            return ply_cursor_fail(cursor, PLY_BAD_TEXT, "a %s cannot promote", kind_names[kind]);
        ply_cursor_take(cursor);
        shogi_put_piece(p, kind | (promoted ? SHOGI_CODE_PROMOTED : 0) | colour << 4,
                        shogi_square(column++, rank));
    }
    return PLY_OK;
}

static ply_status parse_hands(ply_cursor *cursor, shogi_position *p)
{
    if (ply_cursor_accept(cursor, '-'))
        return PLY_OK;
    bool any = false;
    for (;; any = true) {
        uint64_t number = 1;
        int c = ply_cursor_peek(cursor), colour;
        ply_cursor at_number = *cursor;
        if (any && c <= ' ')
            return PLY_OK;
        if (c >= '0' && c <= '9' && (!ply_cursor_number(cursor, 18, &number) || number == 0))
            return ply_cursor_fail(cursor, PLY_BAD_TEXT, "a count in hand must be from 1 to 18");
        int kind = letter_kind(ply_cursor_peek(cursor), &colour);
        if (kind < 0 || kind == SHOGI_KING)
            return ply_cursor_fail(cursor, PLY_BAD_TEXT,
                                   "expected pieces in hand (a count and one of RBGSNLP) or '-'");
        if (shogi_hand_count(p->hand[colour], kind) + number > shogi_kind_total[kind])
            return ply_cursor_fail(&at_number, PLY_BAD_POSITION, "there are only %d %ss",
                                   shogi_kind_total[kind], kind_names[kind]);
        ply_cursor_take(cursor);
        p->hand[colour] += number * shogi_hand_one(kind);
    }
}

const char *shogi_position_fault(const shogi_position *p, char *buffer, size_t size)
{
    for (int kind = 0; kind < SHOGI_KINDS; kind++) {
        unsigned count = shogi_count_kind(p, kind);
        if (count > shogi_kind_total[kind]) {
            snprintf(buffer, size, "%u %ss; a set has only %d", count, kind_names[kind],
                     shogi_kind_total[kind]);
            return buffer;
        }
    }
    for (int colour = 0; colour < 2; colour++) {
        shogi_set own = p->colour[colour], pawns = own & p->by_type[SHOGI_PAWN];
        if (set_count(own & p->by_type[SHOGI_KING]) > 1) {
            snprintf(buffer, size, "%s has two kings", colour_names[colour]);
            return buffer;
        }
        shogi_set dead =
            own & (((p->by_type[SHOGI_PAWN] | p->by_type[SHOGI_LANCE]) & last_ranks(colour, 1)) |
                   (p->by_type[SHOGI_KNIGHT] & last_ranks(colour, 2)));
        if (dead) {
            int at = set_first(dead);
            snprintf(buffer, size, "%s's %s on %d%c can never move", colour_names[colour],
                     kind_names[p->board[at] & SHOGI_CODE_KIND], 9 - shogi_column(at),
                     'a' + shogi_rank(at));
            return buffer;
        }
        for (int column = 0; column < SHOGI_SIDE; column++)
            if (set_count(pawns & shogi_column_sets[1 << column]) > 1) {
                snprintf(buffer, size, "%s has two pawns on file %d", colour_names[colour],
                         9 - column);
                return buffer;
            }
    }
    if (shogi_in_check(p, !p->side)) {
        snprintf(buffer, size, "%s is in check, but %s is to move", colour_names[!p->side],
                 colour_names[p->side]);
        return buffer;
    }
    return NULL;
}

/* The number of the next move, which may be missing. */
static ply_status parse_move_number(ply_cursor *cursor, shogi_position *p)
{
    ply_cursor ahead = *cursor;
    uint64_t number;
    if (ply_cursor_skip_space(&ahead) == 0)
        return PLY_OK;
    int c = ply_cursor_peek(&ahead);
    if (c < '0' || c > '9')
        return PLY_OK;
    if (!ply_cursor_number(&ahead, MAX_MOVE_NUMBER, &number))
        return ply_cursor_fail(&ahead, PLY_BAD_TEXT, "the move number must be at most %d",
                               MAX_MOVE_NUMBER);
    p->ply = number ? (uint32_t)number : 1;
    *cursor = ahead;
    return PLY_OK;
}

ply_status shogi_parse(const ply_rules *rules, void *position, ply_cursor *cursor)
{
    shogi_position *p = position;
    shogi_clear_board(p);
    if (ply_cursor_accept_word(cursor, "startpos")) {
        ply_cursor start = ply_cursor_make(start_text, strlen(start_text), NULL);
        return shogi_parse(rules, position, &start);
    }
    if (shogi_is_saved(cursor))
        return shogi_parse_saved(p, cursor);
    if (ply_cursor_accept_word(cursor, "sfen "))
        ply_cursor_skip_space(cursor);
    ply_cursor at_start = *cursor;
    for (int rank = 0; rank < SHOGI_SIDE; rank++) {
        ply_status status = parse_rank(cursor, p, rank);
        if (status != PLY_OK)
            return status;
        if (rank < 8 && !ply_cursor_accept(cursor, '/'))
            return ply_cursor_fail(cursor, PLY_BAD_TEXT, "expected '/' after rank %c", 'a' + rank);
    }
    size_t spaces = ply_cursor_skip_space(cursor);
    if (spaces > 0 && ply_cursor_accept(cursor, 'w'))
        p->side = SHOGI_WHITE;
    else if (spaces == 0 || !ply_cursor_accept(cursor, 'b'))
        return ply_cursor_fail(cursor, PLY_BAD_TEXT, "expected the side to move, b or w");
    if (ply_cursor_skip_space(cursor) == 0)
        return ply_cursor_fail(cursor, PLY_BAD_TEXT, "expected a space and the pieces in hand");
    ply_status status = parse_hands(cursor, p);
    if (status == PLY_OK)
        status = parse_move_number(cursor, p);
    if (status != PLY_OK)
        return status;
    char reason[128];
    const char *fault = shogi_position_fault(p, reason, sizeof reason);
    if (fault)
        return ply_cursor_fail(&at_start, PLY_BAD_POSITION, "%s", fault);
    shogi_compute_keys(p);
    return PLY_OK;
}

/* --- moves ---------------------------------------------------------------------------------- */
void shogi_format_move(const ply_rules *rules, const void *position, ply_move move, ply_text *out)
{
    (void)rules;
    (void)position;
    if (shogi_move_is_drop(move))
        ply_text_format(out, "%c*", shogi_piece_letters[shogi_move_from(move)]);
    else
        format_square(shogi_move_from(move), out);
    format_square(shogi_move_to(move), out);
    if (shogi_move_promotes(move))
        ply_text_char(out, '+');
}

static ply_status parse_square(ply_cursor *cursor, int *square)
{
    int file = ply_cursor_peek(cursor);
    if (file < '1' || file > '9')
        return ply_cursor_fail(cursor, PLY_BAD_TEXT, "expected a square, 1a to 9i");
    ply_cursor_take(cursor);
    int rank = ply_cursor_peek(cursor);
    if (rank < 'a' || rank > 'i')
        return ply_cursor_fail(cursor, PLY_BAD_TEXT, "expected a rank from a to i after '%c'",
                               file);
    ply_cursor_take(cursor);
    *square = shogi_square('9' - file, rank - 'a');
    return PLY_OK;
}

ply_status shogi_parse_usi(ply_cursor *cursor, ply_move *move)
{
    int from = 0, to = 0, colour;
    int kind = letter_kind(ply_cursor_peek(cursor), &colour);
    if (kind >= 0) {
        ply_cursor at_kind = *cursor;
        ply_cursor_take(cursor);
        if (kind == SHOGI_KING || colour)
            return ply_cursor_fail(&at_kind, PLY_BAD_TEXT, "a drop must begin with one of PLNSBRG");
        if (!ply_cursor_accept(cursor, '*'))
            return ply_cursor_fail(cursor, PLY_BAD_TEXT, "expected '*' in a drop");
        ply_status status = parse_square(cursor, &to);
        *move = shogi_drop_make(kind, to);
        return status;
    }
    ply_status status = parse_square(cursor, &from);
    if (status == PLY_OK)
        status = parse_square(cursor, &to);
    if (status != PLY_OK)
        return status;
    *move = shogi_move_make(from, to, ply_cursor_accept(cursor, '+'));
    return PLY_OK;
}

/* Why a drop is illegal. */
static const char *drop_fault(const shogi_position *p, int kind, int to)
{
    int us = p->side;
    if (shogi_hand_count(p->hand[us], kind) == 0)
        return "there is no such piece in hand";
    if (p->board[to] != SHOGI_CODE_EMPTY)
        return "the square is not empty";
    if ((kind <= SHOGI_LANCE && set_has(last_ranks(us, 1), to)) ||
        (kind == SHOGI_KNIGHT && set_has(last_ranks(us, 2), to)))
        return "the piece could never move from there";
    if (kind == SHOGI_PAWN &&
        (p->colour[us] & p->by_type[SHOGI_PAWN] & shogi_column_sets[1 << shogi_column(to)]))
        return "there is already a pawn on that file";
    if (shogi_in_check(p, us))
        return "the king would remain in check";
    return "a pawn may not be dropped to give mate";
}

/* Why a board move is illegal. */
static const char *board_fault(const shogi_position *p, ply_move move)
{
    int us = p->side, from = shogi_move_from(move), to = shogi_move_to(move);
    int code = p->board[from], kind = code & SHOGI_CODE_KIND;
    shogi_set occupied = p->colour[0] | p->colour[1];
    if (!set_has(p->colour[us], from))
        return us == SHOGI_BLACK ? "Black has no piece on the first square"
                                 : "White has no piece on the first square";
    if (!set_has(shogi_piece_attacks(code, from, occupied), to))
        return "the piece does not move that way";
    if (set_has(p->colour[us], to))
        return "a piece of the same side is on the target square";
    if (shogi_move_promotes(move)) {
        if (code & SHOGI_CODE_PROMOTED || kind == SHOGI_GOLD || kind == SHOGI_KING)
            return "the piece cannot promote";
        if (!shogi_in_zone(us, from) && !shogi_in_zone(us, to))
            return "the move neither starts nor ends in the promotion zone";
    } else if (!(code & SHOGI_CODE_PROMOTED) &&
               ((kind <= SHOGI_LANCE && set_has(last_ranks(us, 1), to)) ||
                (kind == SHOGI_KNIGHT && set_has(last_ranks(us, 2), to)))) {
        return "the piece must promote, because it could never move again";
    }
    return shogi_in_check(p, us) ? "the king would remain in check" : "the king would be in check";
}

ply_status shogi_explain_illegal(const shogi_position *p, ply_move move, ply_cursor *at_move)
{
    char name[PLY_MOVE_TEXT];
    ply_text text = ply_text_fixed(name, sizeof name);
    shogi_format_move(NULL, p, move, &text);
    const char *fault = shogi_move_is_drop(move)
                            ? drop_fault(p, shogi_move_from(move), shogi_move_to(move))
                            : board_fault(p, move);
    return ply_cursor_fail(at_move, PLY_ILLEGAL_MOVE, "%s: %s", name, fault);
}

ply_status shogi_parse_move(const ply_rules *rules, const void *position, ply_cursor *cursor,
                            ply_move *move)
{
    (void)rules;
    const shogi_position *p = position;
    ply_cursor at_move = *cursor;
    ply_status status = shogi_parse_usi(cursor, move);
    if (status != PLY_OK)
        return status;
    return shogi_is_legal(p, *move) ? PLY_OK : shogi_explain_illegal(p, *move, &at_move);
}
