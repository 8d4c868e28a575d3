/* SPDX-License-Identifier: MIT */
/* gomocup_board.c - points, rules by number, and the stones on the board; see gomocup.h. */
#include "protocol/gomocup.h"
#include <string.h>

/* --- points ---------------------------------------------------------------------------------- */
int ply_gomocup_height_of(const ply_state *state)
{
    return state->rules->plane_height;
}

static void cell_text(const ply_state *state, int x, int y, ply_text *out)
{
    if (x >= 26)
        ply_text_char(out, 'a');
    ply_text_format(out, "%c%d", 'a' + x % 26, ply_gomocup_height_of(state) - y);
}

ply_move ply_gomocup_move_at(const ply_state *state, int x, int y, ply_error *error)
{
    const ply_rules *rules = state->rules;
    char text[16];
    ply_text out = ply_text_fixed(text, sizeof text);
    ply_move move;
    if (x < 0 || y < 0 || x >= rules->plane_width || y >= rules->plane_height) {
        ply_error_set(error, PLY_ILLEGAL_MOVE, "off the board");
        return PLY_MOVE_NONE;
    }
    cell_text(state, x, y, &out);
    ply_cursor cursor = ply_cursor_make(text, out.length, error);
    return rules->game->parse_move(rules, state->position, &cursor, &move) == PLY_OK
               ? move
               : PLY_MOVE_NONE;
}

gomocup_point ply_gomocup_point_of(const ply_state *state, ply_move move)
{
    char text[PLY_MOVE_TEXT];
    ply_text out = ply_text_fixed(text, sizeof text);
    ply_protocol_move_text(state, move, &out);
    int x = 0, y = 0;
    const char *at = text;
    for (; *at >= 'a' && *at <= 'z'; at++)
        x = x * 26 + (*at - 'a' + 1);
    for (; *at >= '0' && *at <= '9'; at++)
        y = y * 10 + (*at - '0');
    return (gomocup_point){.x = (uint8_t)(x - 1), .y = (uint8_t)(ply_gomocup_height_of(state) - y)};
}

/* --- the board ------------------------------------------------------------------------------- */
static bool is_bit(unsigned rule, unsigned bit)
{
    return (rule & bit) != 0;
}

/* Rule numbers are bits: 1 exactly five, 2 see below, 4 renju, 8 caro (with 1: no overlines). */
static const char *variant_of(unsigned rule)
{
    /* By the protocol 2 is a game that goes on after a five; Yixin-Board means renju by it. */
    if (is_bit(rule, 4) || rule == 2)
        return "renju:pass=no,";
    if (is_bit(rule, 8))
        return is_bit(rule, 1) ? "caro:" : "caro-overline:";
    return is_bit(rule, 1) ? "standard:" : "freestyle:";
}

unsigned ply_gomocup_rule_of(const char *variant)
{
    static const struct {
        const char *id;
        unsigned rule;
    } table[] = {{"standard", 1}, {"renju", 4}, {"caro", 9}, {"caro-overline", 8}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (strcmp(table[i].id, variant) == 0)
            return table[i].rule;
    return 0;
}

/* An empty board of that size under the rule in force. */
bool ply_gomocup_make_board(ply_session *s, int width, int height, ply_error *error)
{
    gomocup *own = s->own;
    char variant[96];
    ply_text out = ply_text_fixed(variant, sizeof variant);
    ply_text_format(&out, "%swidth=%d,height=%d", variant_of(own->rule), width, height);
    if (ply_protocol_set_rules(s, s->rules.game, variant, error) != PLY_OK)
        return false;
    own->width = width;
    own->height = height;
    own->stone_count = 0;
    return true;
}

static void remember(gomocup *own, gomocup_point point, int side)
{
    if (own->stone_count == GOMOCUP_CELLS)
        return;
    point.who = (uint8_t)(1 + side);
    own->stones[own->stone_count++] = point;
}

int ply_gomocup_side_of(const ply_session *s)
{
    return s->rules.game->side(&s->rules, s->state.position);
}

/* Puts a stone for whoever is to move. */
bool ply_gomocup_put_stone(ply_session *s, int x, int y, ply_error *error)
{
    ply_move move = ply_gomocup_move_at(&s->state, x, y, error);
    int side = ply_gomocup_side_of(s);
    if (move == PLY_MOVE_NONE)
        return false;
    if (ply_state_play(&s->state, move) != PLY_OK) {
        ply_error_set(error, PLY_NO_MEMORY, "out of memory");
        return false;
    }
    remember(s->own, (gomocup_point){.x = (uint8_t)x, .y = (uint8_t)y}, side);
    return true;
}

/* Whether the stones are Black's and White's in turn and then it is `side`'s. */
static bool is_game(const gomocup_point *stones, size_t count, int side)
{
    for (size_t i = 0; i < count; i++)
        if (stones[i].who != 1 + i % 2)
            return false;
    return side == (int)(count % 2);
}

/* A position that no game leads to, as text: rows from the top, and who moves. */
static bool set_up(ply_session *s, const gomocup_point *stones, size_t count, int side,
                   ply_error *error)
{
    const gomocup *own = s->own;
    char board[GOMOCUP_CELLS] = {0};
    ply_text text = ply_text_growing();
    for (size_t i = 0; i < count; i++) {
        char *cell = &board[stones[i].y * GOMOCUP_SIDE + stones[i].x];
        if (*cell) {
            ply_text_free(&text);
            ply_error_set(error, PLY_BAD_POSITION, "two stones on %d,%d", stones[i].x, stones[i].y);
            return false;
        }
        *cell = stones[i].who == 1 ? 'x' : 'o';
    }
    for (int y = 0; y < own->height; y++) {
        for (int x = 0; x < own->width; x++) {
            char cell = board[y * GOMOCUP_SIDE + x];
            ply_text_char(&text, cell ? cell : '.');
        }
        ply_text_char(&text, y + 1 < own->height ? '/' : ' ');
    }
    ply_text_char(&text, side ? 'o' : 'x');
    bool good = !text.failed &&
                ply_state_parse(&s->state, ply_text_cstr(&text), text.length, error) == PLY_OK;
    ply_text_free(&text);
    return good;
}

/* Makes the board from stones whose colours are known. On failure the board is empty. */
bool ply_gomocup_set_stones(ply_session *s, const gomocup_point *stones, size_t count, int side,
                            ply_error *error)
{
    gomocup *own = s->own;
    bool good = ply_state_restart(&s->state) == PLY_OK;
    own->stone_count = 0;
    if (!good) {
        ply_error_set(error, PLY_NO_MEMORY, "out of memory");
        return false;
    }
    bool is_played = is_game(stones, count, side);
    for (size_t i = 0; i < count && is_played; i++)
        is_played = ply_gomocup_put_stone(s, stones[i].x, stones[i].y, error);
    if (!is_played) {
        good = set_up(s, stones, count, side, error);
        if (good) {
            memmove(own->stones, stones, count * sizeof *stones);
            own->stone_count = count;
        } else {
            ply_state_restart(&s->state);
            own->stone_count = 0;
        }
    }
    return good;
}
