/* SPDX-License-Identifier: MIT */
/* render.c - the board on a terminal and as JSON, and notes about a position. */
#include "core/text/json_write.h"
#include "games/checkers/rules/ballots.h"

const char *checkers_player_name(const ply_rules *rules, int player)
{
    return (player ^ rules->option[CHECKERS_OPTION_STARTS]) == CHECKERS_BLACK ? "Black" : "White";
}

/* The dark square displayed at a row and column, or -1 for a light one. */
static int index_shown(const ply_rules *rules, int row, int column)
{
    if (rules->option[CHECKERS_OPTION_MIRROR])
        column = CHECKERS_SIDE - 1 - column;
    return (row + column) % 2 == 1 ? checkers_index_of(row * CHECKERS_SIDE + column) : -1;
}

static const char *piece_text(checkers_piece piece, bool ascii)
{
    static const char *const plain[] = {".", "b", "B", "w", "W"};
    static const char *const drawn[] = {"\u00b7", "\u26c2", "\u26c3", "\u26c0", "\u26c1"};
    return ascii ? plain[piece] : drawn[piece];
}

enum { MARK_NONE, MARK_MOVED, MARK_CAPTURED };

/* How the last move affected a square. */
static int mark_of(ply_move last, int index)
{
    if (last == PLY_MOVE_NONE || index < 0)
        return MARK_NONE;
    if (checkers_move_from(last) == index || checkers_move_to(last) == index)
        return MARK_MOVED;
    return checkers_move_captured(last) >> index & 1 ? MARK_CAPTURED : MARK_NONE;
}

static void draw_square(const checkers_board *board, int index, int mark, unsigned flags,
                        ply_text *out)
{
    bool colours = (flags & PLY_DRAW_COLOUR) != 0, ascii = (flags & PLY_DRAW_ASCII) != 0;
    checkers_piece piece =
        index < 0 ? CHECKERS_EMPTY : checkers_piece_at(board, checkers_bit_of(index));
    if (colours) {
        bool white = piece == CHECKERS_WHITE_MAN || piece == CHECKERS_WHITE_KING;
        const char *background = index < 0               ? "47"
                                 : mark == MARK_MOVED    ? "43"
                                 : mark == MARK_CAPTURED ? "41"
                                                         : "100";
        ply_text_format(out, "\033[%s;%sm", background,
                        piece == CHECKERS_EMPTY ? "90"
                        : white                 ? "1;97"
                                                : "1;30");
    }
    static const char left[] = " [(", right[] = " ])"; /* by mark */
    ply_text_char(out, colours ? ' ' : left[mark]);
    ply_text_string(out, index < 0 ? " " : piece_text(piece, ascii));
    ply_text_char(out, colours ? ' ' : right[mark]);
    if (colours)
        ply_text_string(out, "\033[0m");
}

/* To the right of each row are the names of its first and last square. */
void checkers_draw(const ply_rules *rules, const void *position, ply_move last, unsigned flags,
                   ply_text *out)
{
    checkers_board board = checkers_board_of(rules, position);
    for (int row = 0; row < CHECKERS_SIDE; row++) {
        int first = -1, last_index = -1;
        ply_text_char(out, ' ');
        for (int column = 0; column < CHECKERS_SIDE; column++) {
            int index = index_shown(rules, row, column);
            draw_square(&board, index, mark_of(last, index), flags, out);
            if (index >= 0) {
                first = first < 0 ? index : first;
                last_index = index;
            }
        }
        ply_text_string(out, "  ");
        checkers_format_square(rules, first, out);
        ply_text_string(out, " .. ");
        checkers_format_square(rules, last_index, out);
        ply_text_char(out, '\n');
    }
    ply_text_format(out, "%s to move\n", checkers_white_turn(&board) ? "White" : "Black");
}

/* --- JSON ----------------------------------------------------------------------------------- */
typedef struct path_writer {
    const ply_rules *rules;
    ply_move move;
    ply_text *out;
} path_writer;

static void json_path(void *context, const checkers_path *path)
{
    const path_writer *w = context;
    if (path->move != w->move)
        return;
    ply_json_open(w->out, '[');
    for (int i = 0; i < path->count; i++) {
        char name[8];
        ply_text text = ply_text_fixed(name, sizeof name);
        checkers_format_square(w->rules, path->square[i], &text);
        ply_json_string(w->out, name);
    }
    ply_json_close(w->out, ']');
}

/* The legal captures with all their paths, so that a user can click from square to square. */
static void json_captures(const ply_rules *rules, const checkers_position *p, ply_text *out)
{
    ply_move moves[CHECKERS_MAX_MOVES];
    size_t count = checkers_moves(rules, p, moves);
    ply_json_name(out, "captures");
    ply_json_open(out, '[');
    for (size_t i = 0; i < count && checkers_move_captured(moves[i]); i++) {
        char name[PLY_MOVE_TEXT];
        ply_text text = ply_text_fixed(name, sizeof name);
        path_writer w = {rules, moves[i], out};
        checkers_format_move(rules, p, moves[i], &text);
        ply_json_open(out, '{');
        ply_json_member_string(out, "move", name);
        ply_json_name(out, "paths");
        ply_json_open(out, '[');
        checkers_visit_captures(rules, p, json_path, &w);
        ply_json_close(out, ']');
        ply_json_name(out, "taken");
        ply_json_open(out, '[');
        for (uint32_t left = checkers_move_captured(moves[i]); left; left &= left - 1) {
            char square[8];
            ply_text taken = ply_text_fixed(square, sizeof square);
            checkers_format_square(rules, ply_lowest(left), &taken);
            ply_json_string(out, square);
        }
        ply_json_close(out, ']');
        ply_json_close(out, '}');
    }
    ply_json_close(out, ']');
}

void checkers_json(const ply_rules *rules, const void *position, ply_text *out)
{
    const checkers_position *p = position;
    checkers_board board = checkers_board_of(rules, p);
    ply_json_member_unsigned(out, "width", CHECKERS_SIDE);
    ply_json_member_unsigned(out, "height", CHECKERS_SIDE);
    ply_json_member_string(out, "turn", p->turn ? "white" : "black");
    ply_json_member_unsigned(out, "quiet", p->quiet);
    ply_json_name(out, "squares");
    ply_json_open(out, '[');
    for (int index = 0; index < CHECKERS_SQUARES; index++) {
        int row, column;
        char name[8];
        ply_text text = ply_text_fixed(name, sizeof name);
        checkers_format_square(rules, index, &text);
        checkers_shown_at(rules, index, &row, &column);
        checkers_piece piece = checkers_piece_at(&board, checkers_bit_of(index));
        ply_json_open(out, '{');
        ply_json_member_string(out, "square", name);
        ply_text_clear(&text);
        checkers_format_square_as(rules, false, index, &text);
        ply_json_member_string(out, "number", name);
        ply_text_clear(&text);
        checkers_format_square_as(rules, true, index, &text);
        ply_json_member_string(out, "letters", name);
        ply_json_member_unsigned(out, "row", (uint64_t)row);
        ply_json_member_unsigned(out, "column", (uint64_t)column);
        if (piece != CHECKERS_EMPTY) {
            ply_json_member_string(out, "colour", piece >= CHECKERS_WHITE_MAN ? "white" : "black");
            ply_json_member_bool(out, "king",
                                 piece == CHECKERS_BLACK_KING || piece == CHECKERS_WHITE_KING);
        }
        ply_json_close(out, '}');
    }
    ply_json_close(out, ']');
    json_captures(rules, p, out);
}

void checkers_notes(const ply_rules *rules, const void *position, ply_text *out)
{
    const checkers_position *p = position;
    ply_move moves[CHECKERS_MAX_MOVES];
    size_t count = checkers_moves(rules, p, moves);
    if (count > 0 && checkers_move_captured(moves[0]))
        ply_text_string(out, "a capture must be made\n");
    size_t ballot = checkers_ballot_at(rules, p);
    if (ballot > 0) {
        const char *name = checkers_ballots[ballot - 1].name;
        ply_text_format(out, "three-move ballot %zu%s%s\n", ballot, name ? ", " : "",
                        name ? name : "");
    }
    if (p->quiet > 0)
        ply_text_format(out, "%u of %d plies without a capture or a man's move\n", p->quiet,
                        rules->option[CHECKERS_OPTION_QUIET]);
}
