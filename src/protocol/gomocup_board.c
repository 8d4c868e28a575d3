/* SPDX-License-Identifier: MIT */
/* gomocup_board.c - points as moves, and the stones on the board; see gomocup.h. */
#include "protocol/gomocup.h"
#include "wire/gomocup_rules.h"
#include <string.h>

/* --- points ---------------------------------------------------------------------------------- */

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
    ply_gomocup_point_format(x, y, rules->plane_height, &out);
    ply_cursor cursor = ply_cursor_make(text, out.length, error);
    return rules->game->parse_move(rules, state->position, &cursor, &move) == PLY_OK
               ? move
               : PLY_MOVE_NONE;
}

gomocup_point ply_gomocup_point_of(const ply_state *state, ply_move move)
{
    char text[PLY_MOVE_TEXT];
    ply_text out = ply_text_fixed(text, sizeof text);
    ply_move_format(state, move, &out);
    int x, y;
    ply_gomocup_point_parse(text, state->rules->plane_height, &x, &y);
    return (gomocup_point){.x = (uint8_t)x, .y = (uint8_t)y};
}

bool ply_gomocup_parse_point(const gomocup *data, ply_cursor *cursor, gomocup_point *point)
{
    uint64_t x, y;
    ply_cursor_skip_space(cursor);
    if (!ply_cursor_number(cursor, GOMOCUP_SIDE, &x))
        return false;
    ply_cursor_skip_space(cursor);
    if (!ply_cursor_accept(cursor, ','))
        return false;
    ply_cursor_skip_space(cursor);
    if (!ply_cursor_number(cursor, GOMOCUP_SIDE, &y))
        return false;
    *point = (gomocup_point){.x = (uint8_t)x, .y = (uint8_t)y};
    return x < (uint64_t)data->width && y < (uint64_t)data->height;
}

/* --- the board ------------------------------------------------------------------------------- */
bool ply_gomocup_make_board(ply_session *s, int width, int height, ply_error *error)
{
    gomocup *data = s->data;
    char variant[96];
    ply_text out = ply_text_fixed(variant, sizeof variant);
    ply_text_format(&out, "%swidth=%d,height=%d", ply_gomocup_rule_variant(data->rule), width,
                    height);
    if (ply_protocol_set_rules(s, s->rules.game, variant, error) != PLY_OK)
        return false;
    data->width = width;
    data->height = height;
    data->stone_count = 0;
    return true;
}

static void append_stone(gomocup *data, gomocup_point point, int side)
{
    if (data->stone_count == GOMOCUP_CELLS)
        return;
    point.who = (uint8_t)(1 + side);
    data->stones[data->stone_count++] = point;
}

int ply_gomocup_side_of(const ply_session *s)
{
    return s->rules.game->side(&s->rules, s->state.position);
}

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
    append_stone(s->data, (gomocup_point){.x = (uint8_t)x, .y = (uint8_t)y}, side);
    return true;
}

/* Whether the colours alternate, Black first, and `side` is next: a game that can be replayed. */
static bool is_game(const gomocup_point *stones, size_t count, int side)
{
    for (size_t i = 0; i < count; i++)
        if (stones[i].who != 1 + i % 2)
            return false;
    return side == (int)(count % 2);
}

/* Sets up a position that no game leads to, by its text: rows from the top, and who moves. */
static bool set_up(ply_session *s, const gomocup_point *stones, size_t count, int side,
                   ply_error *error)
{
    const gomocup *data = s->data;
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
    for (int y = 0; y < data->height; y++) {
        for (int x = 0; x < data->width; x++) {
            char cell = board[y * GOMOCUP_SIDE + x];
            ply_text_char(&text, cell ? cell : '.');
        }
        ply_text_char(&text, y + 1 < data->height ? '/' : ' ');
    }
    ply_text_char(&text, side ? 'o' : 'x');
    bool good = !text.failed &&
                ply_state_parse(&s->state, ply_text_cstr(&text), text.length, error) == PLY_OK;
    ply_text_free(&text);
    return good;
}

bool ply_gomocup_set_stones(ply_session *s, const gomocup_point *stones, size_t count, int side,
                            ply_error *error)
{
    gomocup *data = s->data;
    bool good = ply_state_restart(&s->state) == PLY_OK;
    data->stone_count = 0;
    if (!good) {
        ply_error_set(error, PLY_NO_MEMORY, "out of memory");
        return false;
    }
    bool replayed = is_game(stones, count, side);
    for (size_t i = 0; i < count && replayed; i++)
        replayed = ply_gomocup_put_stone(s, stones[i].x, stones[i].y, error);
    if (!replayed) {
        good = set_up(s, stones, count, side, error);
        if (good) {
            memmove(data->stones, stones, count * sizeof *stones);
            data->stone_count = count;
        } else {
            ply_state_restart(&s->state);
            data->stone_count = 0;
        }
    }
    return good;
}
