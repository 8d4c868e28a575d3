/* SPDX-License-Identifier: MIT */
/*
 * position_text.c - names of squares, and positions as text.
 *
 * A rule set names its squares by numbers (N) or by a letter and a number (A), starting from one of
 * four corners as seen by the player who moves first: 0 bottom left, 1 bottom right, 2 top left, 3
 * top right. Numbers run along the rows. Both kinds can be read in every rule set: letters in a
 * rule set with numbers count from White's lower left corner, numbers in a rule set with letters
 * from White's upper left corner.
 *
 * A position is the FEN of PDN 3.0: the side to move, then the pieces of each colour.
 *
 *     B:W18,24,27,28,K10,K15:B12,16,20,K22,K25,K29
 *     W:Wa1,c1,Kd4:Bb8
 *
 * The reader also accepts ranges (W21-32), empty sides, sides in any order, spaces after ':' and
 * ',', a final dot, and the fields H (plies without progress) and F (move number) that some
 * programs add. The writer uses none of these.
 */
#include "games/checkers/checkers.h"

enum { LETTERS = 4 }; /* of the option notation: values from here on use letters */

typedef struct naming {
    bool letters;
    int corner;
    int viewer; /* the colour from whose side the corner is seen */
} naming;

static naming naming_of(const ply_rules *rules)
{
    int notation = rules->option[CHECKERS_OPTION_NOTATION];
    return (naming){.letters = notation >= LETTERS,
                    .corner = notation & 3,
                    .viewer = rules->option[CHECKERS_OPTION_STARTS]};
}

/* The naming for text with letters or with numbers, whichever kind the rule set uses. */
static naming naming_for(const ply_rules *rules, bool letters)
{
    naming n = naming_of(rules);
    return n.letters == letters
               ? n
               : (naming){.letters = letters, .corner = letters ? 0 : 2, .viewer = CHECKERS_WHITE};
}

void checkers_shown_at(const ply_rules *rules, int index, int *row, int *column)
{
    int bit = checkers_bit_of(index);
    *row = bit / CHECKERS_SIDE;
    *column = bit % CHECKERS_SIDE;
    if (rules->option[CHECKERS_OPTION_MIRROR])
        *column = CHECKERS_SIDE - 1 - *column;
}

/* Row and column counted from the corner of the naming. */
static void row_and_column(const ply_rules *rules, naming n, int index, int *row, int *column)
{
    checkers_shown_at(rules, index, row, column);
    if (n.viewer == CHECKERS_BLACK) {
        *row = CHECKERS_SIDE - 1 - *row;
        *column = CHECKERS_SIDE - 1 - *column;
    }
    if (!(n.corner & 2))
        *row = CHECKERS_SIDE - 1 - *row;
    if (n.corner & 1)
        *column = CHECKERS_SIDE - 1 - *column;
}

static int square_number(const ply_rules *rules, naming n, int index)
{
    int row, column;
    row_and_column(rules, n, index, &row, &column);
    return row * (CHECKERS_SIDE / 2) + column / 2 + 1;
}

static void format_square(const ply_rules *rules, naming n, int index, ply_text *out)
{
    int row, column;
    row_and_column(rules, n, index, &row, &column);
    if (n.letters)
        ply_text_format(out, "%c%c", 'a' + column, '1' + row);
    else
        ply_text_format(out, "%d", square_number(rules, n, index));
}

void checkers_format_square(const ply_rules *rules, int index, ply_text *out)
{
    format_square(rules, naming_of(rules), index, out);
}

void checkers_format_square_as(const ply_rules *rules, bool letters, int index, ply_text *out)
{
    format_square(rules, naming_for(rules, letters), index, out);
}

static int index_of_number(const ply_rules *rules, int number)
{
    naming n = naming_for(rules, false);
    for (int index = 0; index < CHECKERS_SQUARES; index++)
        if (square_number(rules, n, index) == number)
            return index;
    return -1;
}

static ply_status parse_number(const ply_rules *rules, ply_cursor *cursor, int *index)
{
    ply_cursor at_number = *cursor;
    uint64_t number;
    if (!ply_cursor_number(cursor, CHECKERS_SQUARES, &number) || number == 0)
        return ply_cursor_fail(&at_number, PLY_BAD_TEXT, "squares are numbered from 1 to 32");
    *index = index_of_number(rules, (int)number);
    return PLY_OK;
}

static ply_status parse_letters(const ply_rules *rules, ply_cursor *cursor, int *index)
{
    naming n = naming_for(rules, true);
    ply_cursor at_square = *cursor;
    int file = ply_cursor_take(cursor), rank = ply_cursor_peek(cursor);
    if (rank < '1' || rank > '8')
        return ply_cursor_fail(cursor, PLY_BAD_TEXT, "expected a row from 1 to 8 after '%c'", file);
    ply_cursor_take(cursor);
    for (*index = 0; *index < CHECKERS_SQUARES; ++*index) {
        int row, column;
        row_and_column(rules, n, *index, &row, &column);
        if (row == rank - '1' && column == file - 'a')
            return PLY_OK;
    }
    return ply_cursor_fail(&at_square, PLY_BAD_TEXT, "%c%c is a light square", file, rank);
}

ply_status checkers_parse_square(const ply_rules *rules, ply_cursor *cursor, int *index)
{
    int c = ply_cursor_peek(cursor);
    if (c >= '0' && c <= '9')
        return parse_number(rules, cursor, index);
    if (c >= 'a' && c <= 'h')
        return parse_letters(rules, cursor, index);
    return ply_cursor_fail(cursor, PLY_BAD_TEXT,
                           naming_of(rules).letters ? "expected a square such as c3"
                                                    : "expected a square, 1 to 32");
}

/* --- positions ------------------------------------------------------------------------------ */
static const char *const colour_names[2] = {"Black", "White"};

/* The colour of a letter, or -1. */
static int colour_of(int c)
{
    return c == 'B' ? CHECKERS_BLACK : c == 'W' ? CHECKERS_WHITE : -1;
}

static void skip_spaces(ply_cursor *cursor)
{
    while (ply_cursor_accept(cursor, ' ') || ply_cursor_accept(cursor, '\t'))
        continue;
}

static ply_status put_piece(const ply_rules *rules, checkers_position *p, int colour, int kind,
                            int index, ply_cursor *at)
{
    char text[8];
    ply_text name = ply_text_fixed(text, sizeof text);
    uint64_t square = checkers_square(index);
    checkers_format_square(rules, index, &name);
    if (checkers_occupied(p) & square)
        return ply_cursor_fail(at, PLY_BAD_POSITION, "two pieces on %s", text);
    if (kind == CHECKERS_MAN && (square & checkers_crown_row(colour)))
        return ply_cursor_fail(at, PLY_BAD_POSITION, "a %s man on %s would be a king: write K%s",
                               colour == CHECKERS_BLACK ? "black" : "white", text, text);
    p->board[colour][kind] |= square;
    return PLY_OK;
}

/* Reads one item of a list: a square or a range of numbers, optionally prefixed by K. */
static ply_status parse_item(const ply_rules *rules, checkers_position *p, int colour,
                             ply_cursor *cursor)
{
    int kind = ply_cursor_accept(cursor, 'K') ? CHECKERS_KING : CHECKERS_MAN;
    int first = 0, last = 0;
    ply_cursor at = *cursor;
    bool is_number = ply_cursor_peek(cursor) >= '0' && ply_cursor_peek(cursor) <= '9';
    ply_status status = checkers_parse_square(rules, cursor, &first);
    if (status != PLY_OK)
        return status;
    if (!is_number || !ply_cursor_accept(cursor, '-'))
        return put_piece(rules, p, colour, kind, first, &at);
    ply_cursor_accept(cursor, 'K'); /* K1-K4 is read as K1-4 */
    status = parse_number(rules, cursor, &last);
    if (status != PLY_OK)
        return status;
    naming n = naming_for(rules, false);
    int low = square_number(rules, n, first), high = square_number(rules, n, last);
    if (low > high)
        return ply_cursor_fail(&at, PLY_BAD_TEXT, "descending range");
    for (int i = low; i <= high && status == PLY_OK; i++)
        status = put_piece(rules, p, colour, kind, index_of_number(rules, i), &at);
    return status;
}

static ply_status parse_side(const ply_rules *rules, checkers_position *p, int colour,
                             ply_cursor *cursor)
{
    skip_spaces(cursor);
    int c = ply_cursor_peek(cursor);
    if (c != 'K' && !(c >= '0' && c <= '9') && !(c >= 'a' && c <= 'h'))
        return PLY_OK; /* no pieces */
    do {
        skip_spaces(cursor);
        ply_status status = parse_item(rules, p, colour, cursor);
        if (status != PLY_OK)
            return status;
    } while (ply_cursor_accept(cursor, ','));
    return PLY_OK;
}

ply_status checkers_parse(const ply_rules *rules, void *position, ply_cursor *cursor)
{
    checkers_position p = {0};
    ply_cursor at_start = *cursor;
    int turn = colour_of(ply_cursor_peek(cursor));
    uint64_t quiet = 0, ignored;
    if (turn < 0)
        return ply_cursor_fail(cursor, PLY_BAD_TEXT,
                               ply_cursor_peek(cursor) == '?'
                                   ? "the side to move is unknown"
                                   : "expected the side to move, W or B");
    ply_cursor_take(cursor);
    p.turn = (uint8_t)turn;
    if (ply_cursor_peek(cursor) != ':')
        return ply_cursor_fail(cursor, PLY_BAD_TEXT, "expected ':' and the pieces");
    while (ply_cursor_accept(cursor, ':')) {
        skip_spaces(cursor);
        int c = ply_cursor_peek(cursor), colour = colour_of(c);
        if (colour >= 0) {
            ply_cursor_take(cursor);
            ply_status status = parse_side(rules, &p, colour, cursor);
            if (status != PLY_OK)
                return status;
        } else if (c == 'H' || c == 'F') {
            ply_cursor_take(cursor);
            if (!ply_cursor_number(cursor, 100000, c == 'H' ? &quiet : &ignored))
                return ply_cursor_fail(cursor, PLY_BAD_TEXT, "expected a number after %c", c);
        } else if (c != ':' && c != '.' && c > ' ') { /* W:: is an empty board */
            return ply_cursor_fail(cursor, PLY_BAD_TEXT,
                                   c == '?' ? "the colour of the pieces is unknown"
                                            : "expected W or B and the pieces of that colour");
        }
    }
    ply_cursor_accept(cursor, '.');
    for (int colour = 0; colour < 2; colour++)
        if (ply_popcount(checkers_pieces_of(&p, colour)) > CHECKERS_PIECES)
            return ply_cursor_fail(&at_start, PLY_BAD_POSITION,
                                   "%s has %d pieces; a player has at most %d",
                                   colour_names[colour],
                                   ply_popcount(checkers_pieces_of(&p, colour)), CHECKERS_PIECES);
    checkers_finish(&p);
    p.quiet = (uint32_t)quiet;
    *(checkers_position *)position = p;
    return PLY_OK;
}

void checkers_format(const ply_rules *rules, const void *position, ply_text *out)
{
    const checkers_position *p = position;
    naming n = naming_of(rules);
    ply_text_char(out, p->turn ? 'W' : 'B');
    for (int colour = CHECKERS_WHITE; colour >= CHECKERS_BLACK; colour--) {
        ply_text_format(out, ":%c", colour ? 'W' : 'B');
        bool first = true;
        for (int kind = CHECKERS_MAN; kind <= CHECKERS_KING; kind++)
            for (int number = 1; number <= CHECKERS_SQUARES; number++)
                for (uint64_t b = p->board[colour][kind]; b; b &= b - 1) {
                    int index = checkers_index_of(ply_lowest(b));
                    if (square_number(rules, n, index) != number)
                        continue;
                    ply_text_string(out, first ? "" : ",");
                    ply_text_string(out, kind == CHECKERS_KING ? "K" : "");
                    checkers_format_square(rules, index, out);
                    first = false;
                }
    }
}
