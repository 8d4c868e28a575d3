/* SPDX-License-Identifier: MIT */
/* draughts_text.c - see draughts_text.h. */
#include "wire/draughts_text.h"
#include <string.h>

/* The name of an option's value; "" if the game has no such option. */
static const char *value_name(const ply_rules *rules, const char *option)
{
    const ply_game *game = rules->game;
    for (size_t i = 0; i < game->option_count; i++)
        if (strcmp(game->options[i].name, option) == 0)
            return game->options[i].names[rules->option[i]];
    return "";
}

void ply_draughts_adjust(const ply_game *game, const char *variant, ply_text *out)
{
    ply_rules rules;
    if (ply_rules_make(&rules, game, variant, NULL) != PLY_OK)
        return; /* the caller will fail on this variant and report why */
    const char *separator = variant && strchr(variant, ':') ? "," : ":";
    if (strcmp(value_name(&rules, "sign"), "x") != 0) {
        ply_text_format(out, "%ssign=x", separator);
        separator = ",";
    }
    /* Letters become numbers from White's upper left corner, which is Black's lower right one. */
    if (value_name(&rules, "notation")[0] != 'N')
        ply_text_format(out, "%snotation=%s", separator,
                        strcmp(value_name(&rules, "starts"), "white") == 0 ? "N2" : "N1");
}

/* Sets an option whose values are names. */
static bool set_value(ply_rules *rules, const char *option, const char *value)
{
    const ply_game *game = rules->game;
    for (size_t i = 0; i < game->option_count; i++)
        for (int32_t v = 0;
             strcmp(game->options[i].name, option) == 0 && v <= game->options[i].high; v++)
            if (strcmp(game->options[i].names[v], value) == 0) {
                rules->option[i] = v;
                return true;
            }
    return false;
}

bool ply_draughts_numeric_rules(const ply_rules *rules, ply_rules *out)
{
    *out = *rules;
    bool numeric = value_name(rules, "notation")[0] == 'N';
    bool white_starts = strcmp(value_name(rules, "starts"), "white") == 0;
    return set_value(out, "sign", "x") &&
           (numeric || set_value(out, "notation", white_starts ? "N2" : "N1"));
}

/* A position's text is W:W1,K2,...:B3,...: the side to move, then each side's pieces. */
void ply_draughts_read(const ply_state *state, draughts_board *board)
{
    char text[512];
    ply_text out = ply_text_fixed(text, sizeof text);
    state->rules->game->format(state->rules, state->position, &out);
    board->turn = text[0];
    memset(board->squares, 'e', DRAUGHTS_SQUARES);
    board->squares[DRAUGHTS_SQUARES] = '\0';
    char colour = 'w';
    for (const char *at = text + 1; *at;) {
        if (at[0] == ':' && at[1]) {
            colour = at[1] == 'W' ? 'w' : 'b';
            at += 2;
            continue;
        }
        bool king = *at == 'K';
        int number = 0;
        for (at += king; *at >= '0' && *at <= '9'; at++)
            number = number * 10 + *at - '0';
        if (number >= 1 && number <= DRAUGHTS_SQUARES)
            board->squares[number - 1] = (char)(king ? colour - 'a' + 'A' : colour);
        if (*at && *at != ':')
            at++;
    }
}

ply_status ply_draughts_set(ply_state *state, const draughts_board *board, ply_error *error)
{
    char text[512];
    ply_text out = ply_text_fixed(text, sizeof text);
    ply_text_char(&out, board->turn);
    for (int colour = 0; colour < 2; colour++) {
        char man = "wb"[colour], king = "WB"[colour];
        ply_text_format(&out, ":%c", king);
        const char *separator = "";
        for (int i = 0; i < DRAUGHTS_SQUARES; i++)
            if (board->squares[i] == man || board->squares[i] == king) {
                ply_text_format(&out, "%s%s%d", separator, board->squares[i] == king ? "K" : "",
                                i + 1);
                separator = ",";
            }
    }
    return ply_state_parse(state, text, out.length, error);
}

draughts_move ply_draughts_describe(const ply_state *state, ply_move move)
{
    draughts_move described = {0};
    char text[PLY_MOVE_TEXT];
    ply_text out = ply_text_fixed(text, sizeof text);
    const ply_rules *rules = state->rules;
    rules->game->format_move(rules, state->position, move, &out);
    /* From and to are the first and the last number of the text. */
    for (const char *at = text; *at;) {
        int number = 0;
        const char *digits = at;
        while (*at >= '0' && *at <= '9')
            number = number * 10 + *at++ - '0';
        if (at > digits) {
            described.from = described.from ? described.from : number;
            described.to = number;
        } else {
            at++;
        }
    }
    if (!strchr(text, 'x'))
        return described;
    draughts_board before, after;
    ply_state next;
    ply_draughts_read(state, &before);
    if (ply_state_copy(&next, state) != PLY_OK)
        return described;
    if (ply_state_play(&next, move) == PLY_OK) {
        ply_draughts_read(&next, &after);
        for (int i = 0; i < DRAUGHTS_SQUARES && described.taken_count < DRAUGHTS_TAKEN_LIMIT; i++)
            if (before.squares[i] != 'e' && after.squares[i] == 'e' && i + 1 != described.from)
                described.taken[described.taken_count++] = i + 1;
    }
    ply_state_free(&next);
    return described;
}

static bool takes(const draughts_move *move, int square)
{
    for (int i = 0; i < move->taken_count; i++)
        if (move->taken[i] == square)
            return true;
    return false;
}

ply_move ply_draughts_find(const ply_state *state, const draughts_move *wanted)
{
    const ply_rules *rules = state->rules;
    size_t count = ply_game_count_moves(rules, state->position);
    for (size_t k = 0; k < count; k++) {
        ply_move move = ply_game_nth_move(rules, state->position, k);
        draughts_move legal = ply_draughts_describe(state, move);
        bool same = legal.from == wanted->from && legal.to == wanted->to &&
                    legal.taken_count == wanted->taken_count;
        for (int i = 0; i < wanted->taken_count && same; i++)
            same = takes(&legal, wanted->taken[i]) && takes(wanted, legal.taken[i]);
        if (same)
            return move;
    }
    return PLY_MOVE_NONE;
}

/* --- Hub notation ---------------------------------------------------------------------------- */
void ply_hub_move_format(const draughts_move *move, ply_text *out)
{
    ply_text_format(out, "%d%c%d", move->from, move->taken_count ? 'x' : '-', move->to);
    for (int i = 0; i < move->taken_count; i++)
        ply_text_format(out, "x%d", move->taken[i]);
}

static bool parse_square(ply_cursor *cursor, int *square)
{
    uint64_t number;
    if (!ply_cursor_number(cursor, DRAUGHTS_SQUARES, &number) || number == 0)
        return false;
    *square = (int)number;
    return true;
}

bool ply_hub_move_parse(const char *text, size_t length, draughts_move *move, bool *is_capture)
{
    ply_cursor cursor = ply_cursor_make(text, length, NULL);
    *move = (draughts_move){0};
    if (!parse_square(&cursor, &move->from))
        return false;
    *is_capture = ply_cursor_accept(&cursor, 'x');
    if (!*is_capture && !ply_cursor_accept(&cursor, '-'))
        return false;
    if (!parse_square(&cursor, &move->to))
        return false;
    while (*is_capture && ply_cursor_accept(&cursor, 'x')) {
        if (move->taken_count == DRAUGHTS_TAKEN_LIMIT ||
            !parse_square(&cursor, &move->taken[move->taken_count]))
            return false;
        move->taken_count++;
    }
    return ply_cursor_done(&cursor);
}
