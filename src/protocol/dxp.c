/* SPDX-License-Identifier: MIT */
/*
 * dxp.c - DamExchange (DXP), by which two draughts programs play each other over TCP, here on 8x8.
 *
 * Messages are ASCII and end with a NUL, which the owner of the session removes and adds.
 *
 *     R vv name32 c mmm nnn A          game request: version, name, the follower's colour, minutes,
 *                                      moves; from the start of the game
 *     R vv name32 c mmm nnn B t pos32  the same from a position: side to move, squares w z W Z e
 *     A name32 k                       reply: 0 accepted, 1 unknown version, 2 refused
 *     M tttt ff tt nn cc cc ...        move: seconds, from, to, number of pieces taken, squares
 *     E r s                            game end: 0 unknown, 1 I lose, 2 draw, 3 I win;
 *                                      s is 1 to end the session too
 *     B nnn c                          back request: to move nnn with colour c to move
 *     K k                              reply: 0 accepted, 1 refused
 *     C text                           chat
 *
 * There is nothing between the fields. Colours are W and Z (black). The published protocol has 50
 * squares; here there are 32. Malformed messages are answered by chat.
 */
#include "core/clock.h"
#include "protocol/session_internal.h"
#include "wire/draughts_text.h"
#include <plyverse/plyverse.h>
#include <string.h>

enum {
    NAME_LENGTH = 32,
    MESSAGE_LIMIT = 127,
    OUR_MINUTES = 5, /* what we request */
    OUR_MOVES = 75,
    MILLIS_PER_MINUTE = 60000,
};

/* Codes of the reply to a game request, and the reasons of a game end. */
enum { REQUEST_ACCEPTED = '0', REQUEST_BAD_VERSION = '1', REQUEST_REFUSED = '2' };
enum { END_UNKNOWN = '0', END_LOST = '1', END_DRAWN = '2', END_WON = '3' };

typedef struct dxp_data {
    bool playing;
    char colour;             /* ours: W or B */
    unsigned minutes, moves; /* the time control; moves 0: no limit */
    uint64_t used;           /* milliseconds that we have used */
} dxp_data;

static void send_chat(ply_session *s, const char *text)
{
    ply_protocol_send(s, "C%.100s", text);
}

/* Parses a field of `width` digits at *at and moves past it. */
static bool parse_number(const char **at, size_t *left, size_t width, unsigned *value)
{
    if (*left < width)
        return false;
    *value = 0;
    for (size_t i = 0; i < width; i++) {
        char c = (*at)[i];
        if (c < '0' || c > '9')
            return false;
        *value = *value * 10 + (unsigned)(c - '0');
    }
    *at += width;
    *left -= width;
    return true;
}

/* Parses a field of one letter and moves past it. */
static bool parse_letter(const char **at, size_t *left, const char *allowed, char *value)
{
    if (*left == 0 || **at == '\0' || !strchr(allowed, **at))
        return false;
    *value = **at;
    ++*at;
    --*left;
    return true;
}

/* The colour to move, W or B. */
static char turn(const ply_state *state)
{
    draughts_board board;
    ply_draughts_read(state, &board);
    return board.turn;
}

/* --- the game -------------------------------------------------------------------------------- */
static void end_game(ply_session *s, char reason)
{
    dxp_data *data = s->data;
    data->playing = false;
    ply_protocol_send(s, "E%c0", reason);
}

/* The outcome from our point of view. */
static char end_reason(const ply_session *s, ply_outcome outcome)
{
    const dxp_data *data = s->data;
    if (outcome.result == PLY_DRAW)
        return END_DRAWN;
    int side = s->rules.game->side(&s->rules, s->state.position);
    bool mover_wins = outcome.result == (side == 0 ? PLY_FIRST_WINS : PLY_SECOND_WINS);
    return (turn(&s->state) == data->colour) == mover_wins ? END_WON : END_LOST;
}

/* On our turn: ends a game that is over, or starts a search. */
static void continue_game(ply_session *s)
{
    dxp_data *data = s->data;
    if (!data->playing || turn(&s->state) != data->colour)
        return;
    ply_outcome outcome = ply_state_outcome(&s->state);
    if (outcome.result != PLY_ONGOING) {
        end_game(s, end_reason(s, outcome));
        return;
    }
    if (data->moves > 0 && s->state.plies >= 2 * (size_t)data->moves) {
        end_game(s, END_UNKNOWN);
        return;
    }
    ply_search_limits limits = {.has_clock = true};
    int side = s->rules.game->side(&s->rules, s->state.position);
    uint64_t total = (data->minutes ? data->minutes : 1) * (uint64_t)MILLIS_PER_MINUTE;
    limits.clock[side] = data->used < total ? total - data->used : 1;
    if (data->moves > 0)
        limits.moves_to_go = (unsigned)(data->moves - s->state.plies / 2);
    if (!ply_protocol_start_search(s, &limits, 0))
        end_game(s, END_UNKNOWN);
}

static void send_answer(ply_session *s, const protocol_answer *answer)
{
    dxp_data *data = s->data;
    if (answer->best == PLY_MOVE_NONE)
        return;
    uint64_t millis = (ply_clock_nanos() - s->job.start_time) / 1000000;
    draughts_move move = ply_draughts_describe(&s->state, answer->best);
    if (ply_state_play(&s->state, answer->best) != PLY_OK)
        return;
    data->used += millis;
    unsigned seconds = (unsigned)((millis + 500) / 1000 % 10000);
    ply_text text = ply_text_growing();
    ply_text_format(&text, "M%04u%02d%02d%02d", seconds, move.from, move.to, move.taken_count);
    for (int i = 0; i < move.taken_count; i++)
        ply_text_format(&text, "%02d", move.taken[i]);
    ply_protocol_send_text(s, &text);
}

/* --- messages -------------------------------------------------------------------------------- */
static bool parse_board(const char *at, size_t left, draughts_board *board)
{
    if (!parse_letter(&at, &left, "WZ", &board->turn) || left != DRAUGHTS_SQUARES)
        return false;
    board->turn = board->turn == 'Z' ? 'B' : 'W';
    board->squares[DRAUGHTS_SQUARES] = '\0';
    for (int i = 0; i < DRAUGHTS_SQUARES; i++) {
        const char *letters = "wzWZe";
        const char *found = at[i] ? strchr(letters, at[i]) : NULL;
        if (!found)
            return false;
        board->squares[i] = "wbWBe"[found - letters];
    }
    return true;
}

/* Parses a game request after its version and sets the game up. */
static bool begin_requested_game(ply_session *s, const char *at, size_t left, ply_error *error)
{
    unsigned minutes = 0, moves = 0;
    char colour, start = 'A';
    draughts_board board;
    if (left <= NAME_LENGTH)
        return false;
    at += NAME_LENGTH;
    left -= NAME_LENGTH;
    bool good = parse_letter(&at, &left, "WZ", &colour) && parse_number(&at, &left, 3, &minutes) &&
                parse_number(&at, &left, 3, &moves) && parse_letter(&at, &left, "AB", &start);
    ply_protocol_stop_search(s, true);
    if (good && start == 'A')
        good = left == 0 && ply_state_restart(&s->state) == PLY_OK;
    else if (good)
        good =
            parse_board(at, left, &board) && ply_draughts_set(&s->state, &board, error) == PLY_OK;
    if (!good)
        return false;
    *(dxp_data *)s->data = (dxp_data){
        .playing = true, .colour = colour == 'Z' ? 'B' : 'W', .minutes = minutes, .moves = moves};
    ply_protocol_clear_search(s);
    return true;
}

static void on_request(ply_session *s, const char *at, size_t left)
{
    const dxp_data *data = s->data;
    unsigned version;
    ply_error error = {0};
    char code = REQUEST_REFUSED;
    if (parse_number(&at, &left, 2, &version) && version != 1)
        code = REQUEST_BAD_VERSION;
    else if (!data->playing && begin_requested_game(s, at, left, &error))
        code = REQUEST_ACCEPTED;
    ply_protocol_send(s, "A%-32.32s%c", "Plyverse", code);
    if (error.message[0])
        send_chat(s, error.message);
    if (code == REQUEST_ACCEPTED)
        continue_game(s);
}

static void on_reply(ply_session *s, const char *at, size_t left)
{
    dxp_data *data = s->data;
    if (data->playing || !s->options.connects || left != NAME_LENGTH + 1 ||
        at[NAME_LENGTH] != REQUEST_ACCEPTED)
        return;
    ply_protocol_stop_search(s, true);
    if (ply_state_restart(&s->state) != PLY_OK)
        return;
    data->playing = true;
    continue_game(s);
}

static void on_move(ply_session *s, const char *at, size_t left)
{
    dxp_data *data = s->data;
    unsigned seconds, from, to, taken, square = 0;
    bool read = parse_number(&at, &left, 4, &seconds) && parse_number(&at, &left, 2, &from) &&
                parse_number(&at, &left, 2, &to) && parse_number(&at, &left, 2, &taken) &&
                taken <= DRAUGHTS_TAKEN_LIMIT && left == 2 * taken;
    draughts_move wanted = {0};
    if (read)
        wanted = (draughts_move){.from = (int)from, .to = (int)to};
    for (unsigned i = 0; read && i < taken; i++) {
        read = parse_number(&at, &left, 2, &square);
        wanted.taken[wanted.taken_count++] = (int)square;
    }
    if (!read) {
        send_chat(s, "malformed move");
        return;
    }
    if (ply_protocol_is_searching(s)) {
        send_chat(s, "it is not your turn");
        return;
    }
    ply_protocol_stop_search(s, true);
    if (!data->playing || turn(&s->state) == data->colour) {
        send_chat(s, data->playing ? "it is not your turn" : "there is no game");
        return;
    }
    ply_move move = ply_draughts_find(&s->state, &wanted);
    if (move == PLY_MOVE_NONE || ply_state_play(&s->state, move) != PLY_OK) {
        send_chat(s, "not a legal move");
        return;
    }
    continue_game(s);
}

/* False ends the session. */
static bool on_end(ply_session *s, const char *at, size_t left)
{
    dxp_data *data = s->data;
    if (left != 2 || at[0] < '0' || at[0] > '3' || at[1] < '0' || at[1] > '1') {
        send_chat(s, "malformed game end");
        return true;
    }
    ply_protocol_stop_search(s, true);
    bool was_playing = data->playing;
    data->playing = false;
    if (was_playing)
        ply_protocol_send(s, "E0%c", at[1]);
    return at[1] != '1' && !s->options.connects;
}

static void on_back_request(ply_session *s, const char *at, size_t left)
{
    dxp_data *data = s->data;
    unsigned number;
    char colour;
    bool read = parse_number(&at, &left, 3, &number) && number > 0 &&
                parse_letter(&at, &left, "WZ", &colour) && left == 0 && data->playing;
    if (!read) {
        ply_protocol_send(s, "K1");
        return;
    }
    ply_protocol_stop_search(s, true);
    /* Who was to move at the start of the game. */
    char now = turn(&s->state) == 'W' ? 'W' : 'Z';
    char first = s->state.plies % 2 == 0 ? now : now == 'W' ? 'Z' : 'W';
    size_t ply = (size_t)(number - 1) * 2 + (colour != first);
    if (ply > s->state.plies) {
        ply_protocol_send(s, "K1");
    } else {
        while (s->state.plies > ply)
            ply_state_undo(&s->state);
        ply_protocol_send(s, "K0");
    }
    continue_game(s);
}

static bool line(ply_session *s, const char *text, size_t length)
{
    if (length == 0)
        return true;
    if (length > MESSAGE_LIMIT) {
        send_chat(s, "a message of more than 127 bytes");
        return true;
    }
    const char *at = text + 1;
    size_t left = length - 1;
    switch (text[0]) {
    case 'R':
        on_request(s, at, left);
        break;
    case 'A':
        on_reply(s, at, left);
        break;
    case 'M':
        on_move(s, at, left);
        break;
    case 'E':
        return on_end(s, at, left);
    case 'B':
        on_back_request(s, at, left);
        break;
    case 'C':
    case 'K':
        break;
    default:
        send_chat(s, "unknown message");
        break;
    }
    return true;
}

/* The side that connected requests a game in which it has the first move. */
static ply_status open_dxp(ply_session *s, ply_error *error)
{
    (void)error;
    dxp_data *data = s->data;
    if (!s->options.connects)
        return PLY_OK;
    *data = (dxp_data){.colour = turn(&s->state), .minutes = OUR_MINUTES, .moves = OUR_MOVES};
    ply_protocol_send(s, "R01%-32.32s%c%03d%03dA", "Plyverse", data->colour == 'W' ? 'Z' : 'W',
                      OUR_MINUTES, OUR_MOVES);
    return PLY_OK;
}

const protocol_handler ply_protocol_dxp = {
    .description = {.id = "dxp",
                    .summary = "draughts programs over TCP (DamExchange), for checkers",
                    .game = "checkers",
                    .is_stream = true},
    .data_bytes = sizeof(dxp_data),
    .adjust = ply_draughts_adjust,
    .open = open_dxp,
    .line = line,
    .answer = send_answer,
};
