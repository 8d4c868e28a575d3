/* SPDX-License-Identifier: MIT */
/*
 * render.c - boards for a terminal, in kanji or letters, and the JSON that the web app draws from.
 */
#include "core/text/json_write.h"
#include "games/shogi/notation/piece_names.h"
#include "games/shogi/shogi.h"

/* With letters, Black's pieces are capitals and promoted pieces have a '+' in front. */
static void draw_piece(int code, bool ascii, ply_text *out)
{
    if (ascii) {
        if (code == SHOGI_CODE_EMPTY)
            ply_text_string(out, " .");
        else
            ply_text_format(out, "%c%c", code & SHOGI_CODE_PROMOTED ? '+' : ' ',
                            shogi_piece_letters[code & SHOGI_CODE_KIND] |
                                (shogi_code_owner(code) ? 0x20 : 0));
        return;
    }
    if (code == SHOGI_CODE_EMPTY)
        ply_text_string(out, " ・");
    else
        ply_text_format(out, "%c%s", shogi_code_owner(code) ? 'v' : ' ', shogi_board_kanji(code));
}

static void draw_hand(const shogi_position *p, int colour, bool ascii, ply_text *out)
{

    ply_text_string(out, colour == SHOGI_BLACK ? (ascii ? "Black" : "☗ Black")
                                               : (ascii ? "White" : "☖ White"));
    ply_text_string(out, " in hand:");
    for (int i = 0; i < SHOGI_KING; i++) {
        int kind = shogi_hand_order[i];
        unsigned count = shogi_hand_count(p->hand[colour], kind);
        if (count == 0)
            continue;
        ply_text_char(out, ' ');
        if (ascii)
            ply_text_char(out, shogi_piece_letters[kind]);
        else
            ply_text_string(out, shogi_board_kanji(kind));
        if (count > 1)
            ply_text_format(out, "%u", count);
    }
    if (p->hand[colour] == 0)
        ply_text_string(out, " nothing");
    ply_text_char(out, '\n');
}

/* One square; marked if the last move left or entered it. */
static void draw_square(int code, bool marked, unsigned flags, ply_text *out)
{
    bool colours = (flags & PLY_DRAW_COLOUR) != 0;
    if (colours)
        ply_text_format(out, "\033[%s;%sm", marked ? "43" : "48;5;94",
                        code == SHOGI_CODE_EMPTY ? "90"
                        : shogi_code_owner(code) ? "1;36"
                                                 : "1;97");
    ply_text_char(out, marked && !colours ? '[' : ' ');
    draw_piece(code, (flags & PLY_DRAW_ASCII) != 0, out);
    ply_text_char(out, marked && !colours ? ']' : ' ');
    if (colours)
        ply_text_string(out, "\033[0m");
}

void shogi_draw(const ply_rules *rules, const void *position, ply_move last, unsigned flags,
                ply_text *out)
{
    (void)rules;
    const shogi_position *p = position;
    bool ascii = (flags & PLY_DRAW_ASCII) != 0;
    int to = last != PLY_MOVE_NONE ? shogi_move_to(last) : -1;
    int from = last != PLY_MOVE_NONE && !shogi_move_is_drop(last) ? shogi_move_from(last) : -1;
    draw_hand(p, SHOGI_WHITE, ascii, out);
    for (int file = 9; file >= 1; file--)
        ply_text_format(out, ascii ? "  %d " : "  %d  ", file);
    ply_text_char(out, '\n');
    for (int rank = 0; rank < SHOGI_SIDE; rank++) {
        for (int column = 0; column < SHOGI_SIDE; column++) {
            int s = shogi_square(column, rank);
            draw_square(p->board[s], s == to || s == from, flags, out);
        }
        ply_text_format(out, " %c\n", 'a' + rank);
    }
    draw_hand(p, SHOGI_BLACK, ascii, out);
    ply_text_format(out, "%s to move%s\n", p->side == SHOGI_BLACK ? "Black" : "White",
                    shogi_in_check(p, p->side) ? ", in check" : "");
}

void shogi_json(const ply_rules *rules, const void *position, ply_text *out)
{
    (void)rules;
    static const char *const colour_names[2] = {"black", "white"};
    const shogi_position *p = position;
    ply_json_member_unsigned(out, "width", SHOGI_SIDE);
    ply_json_member_unsigned(out, "height", SHOGI_SIDE);
    ply_json_name(out, "pieces");
    ply_json_open(out, '[');
    for (int s = 0; s < SHOGI_SQUARES; s++) {
        int code = p->board[s];
        if (code == SHOGI_CODE_EMPTY)
            continue;
        char square[3] = {(char)('9' - shogi_column(s)), (char)('a' + shogi_rank(s)), '\0'};
        char kind[2] = {shogi_piece_letters[code & SHOGI_CODE_KIND], '\0'};
        ply_json_open(out, '{');
        ply_json_member_string(out, "square", square);
        ply_json_member_string(out, "colour", colour_names[shogi_code_owner(code)]);
        ply_json_member_string(out, "kind", kind);
        ply_json_member_bool(out, "promoted", (code & SHOGI_CODE_PROMOTED) != 0);
        ply_json_member_string(out, "kanji", shogi_board_kanji(code));
        ply_json_close(out, '}');
    }
    ply_json_close(out, ']');
    ply_json_name(out, "hands");
    ply_json_open(out, '{');
    for (int colour = 0; colour < 2; colour++) {
        ply_json_name(out, colour_names[colour]);
        ply_json_open(out, '{');
        for (int kind = 0; kind < SHOGI_KING; kind++) {
            unsigned count = shogi_hand_count(p->hand[colour], kind);
            char name[2] = {shogi_piece_letters[kind], '\0'};
            if (count > 0)
                ply_json_member_unsigned(out, name, count);
        }
        ply_json_close(out, '}');
    }
    ply_json_close(out, '}');
    ply_json_member_unsigned(out, "ply", p->ply);
    ply_json_member_bool(out, "check", shogi_in_check(p, p->side));
}

void shogi_notes(const ply_rules *rules, const void *position, ply_text *out)
{
    const shogi_position *p = position;
    if (shogi_in_check(p, p->side))
        ply_text_string(out, "in check\n");
    shogi_impasse_score score = shogi_impasse_score_of(p);
    int rule = rules->option[SHOGI_OPTION_IMPASSE];
    if (score.king_in_camp && (rule == SHOGI_IMPASSE_27 || rule == SHOGI_IMPASSE_24))
        ply_text_format(out,
                        "entering king: %u pieces in the camp (%d needed), %u points (%u needed)\n",
                        score.pieces, SHOGI_IMPASSE_PIECES, score.points,
                        shogi_impasse_winning_points(rule, p->side));
}
