/* SPDX-License-Identifier: MIT */
/*
 * dxp.c - DamExchange, by which two draughts programs play each other over a line, here on 8x8.
 *
 * Messages are ASCII and end with a NUL, which the owner of the session takes off and puts on.
 *
 *     R vv name32 c mmm nnn A            asks for a game: version, name, the follower's colour,
 * minutes, R vv name32 c mmm nnn B t pos32    moves; from the start, or side to move and squares w
 * z W Z e A name32 k                         answer: 0 accepted, 1 version not known, 2 refused M
 * tttt ff tt nn cc cc ...          a move: seconds, from, to, pieces taken and their squares E r s
 * end: 0 unknown, 1 I lose, 2 draw, 3 I win; 1: goodbye B nnn c                            asks to
 * go back to that move, that colour to move K k                                answer: 0 accepted,
 * 1 not C text                             chat
 *
 * Fields stand without blanks between them. Colours are W and Z (black). The published protocol has
 * 50 squares; ours has the 32 of the board in play. What does not read is answered by chat.
 */
#include "core/clock.h"
#include "wire/draughts_text.h"
#include <plyverse/plyverse.h>
#include <string.h>

enum { NAME = 32, MESSAGE = 127, OUR_MINUTES = 5, OUR_MOVES = 75 };

typedef struct dxp {
    bool playing;
    char colour; /* ours: W or B */
    unsigned minutes, moves;
    uint64_t used; /* milliseconds of ours */
} dxp;

static void chat(ply_session *s, const char *text)
{
    ply_protocol_say(s, "C%.100s", text);
}

static bool number_field(const char **at, size_t *left, size_t width, unsigned *value)
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

static bool letter_field(const char **at, size_t *left, const char *allowed, char *value)
{
    if (*left == 0 || **at == '\0' || !strchr(allowed, **at))
        return false;
    *value = **at;
    ++*at;
    --*left;
    return true;
}

static char turn(const ply_state *state)
{
    draughts_board board;
    ply_draughts_read(state, &board);
    return board.turn;
}

/* --- the game -------------------------------------------------------------------------------- */
static void end_game(ply_session *s, char reason)
{
    dxp *own = s->own;
    own->playing = false;
    ply_protocol_say(s, "E%c0", reason);
}

/* What the game's end means to us. */
static char reason_of(const ply_session *s, ply_outcome outcome)
{
    const dxp *own = s->own;
    if (outcome.result == PLY_DRAW)
        return '2';
    int side = s->rules.game->side(&s->rules, s->state.position);
    bool mover_wins = outcome.result == (side == 0 ? PLY_FIRST_WINS : PLY_SECOND_WINS);
    return (turn(&s->state) == own->colour) == mover_wins ? '3' : '1';
}

/* Our turn: ends a game that is over, or thinks. */
static void go_on(ply_session *s)
{
    dxp *own = s->own;
    if (!own->playing || turn(&s->state) != own->colour)
        return;
    ply_outcome outcome = ply_state_outcome(&s->state);
    if (outcome.result != PLY_ONGOING) {
        end_game(s, reason_of(s, outcome));
        return;
    }
    if (own->moves > 0 && s->state.plies >= 2 * (size_t)own->moves) {
        end_game(s, '0');
        return;
    }
    ply_search_limits limits = {.has_clock = true};
    int side = s->rules.game->side(&s->rules, s->state.position);
    uint64_t given = (own->minutes ? own->minutes : 1) * UINT64_C(60000);
    limits.clock[side] = own->used < given ? given - own->used : 1;
    if (own->moves > 0)
        limits.moves_to_go = (unsigned)(own->moves - s->state.plies / 2);
    if (!ply_protocol_go(s, &limits, 0))
        end_game(s, '0');
}

static void say_answer(ply_session *s, const protocol_answer *answer)
{
    dxp *own = s->own;
    if (answer->best == PLY_MOVE_NONE)
        return;
    uint64_t millis = (ply_clock_nanos() - s->job.began) / 1000000;
    draughts_move move = ply_draughts_describe(&s->state, answer->best);
    if (ply_state_play(&s->state, answer->best) != PLY_OK)
        return;
    own->used += millis;
    unsigned seconds = (unsigned)((millis + 500) / 1000 % 10000);
    ply_text text = ply_text_growing();
    ply_text_format(&text, "M%04u%02d%02d%02d", seconds, move.from, move.to, move.taken_count);
    for (int i = 0; i < move.taken_count; i++)
        ply_text_format(&text, "%02d", move.taken[i]);
    ply_protocol_say_text(s, &text);
}

/* --- messages -------------------------------------------------------------------------------- */
static bool read_board(const char *at, size_t left, draughts_board *board)
{
    if (!letter_field(&at, &left, "WZ", &board->turn) || left != DRAUGHTS_SQUARES)
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

static void game_request(ply_session *s, const char *at, size_t left)
{
    dxp *own = s->own;
    unsigned version, minutes = 0, moves = 0;
    char colour, start = 'A';
    draughts_board board;
    ply_error error = {0};
    char code = '2';
    if (number_field(&at, &left, 2, &version) && version != 1) {
        code = '1';
    } else if (left > NAME && !own->playing) {
        at += NAME;
        left -= NAME;
        bool read = letter_field(&at, &left, "WZ", &colour) &&
                    number_field(&at, &left, 3, &minutes) && number_field(&at, &left, 3, &moves) &&
                    letter_field(&at, &left, "AB", &start);
        ply_protocol_halt(s, true);
        if (read && start == 'A')
            read = left == 0 && ply_state_restart(&s->state) == PLY_OK;
        else if (read)
            read = read_board(at, left, &board) &&
                   ply_draughts_set(&s->state, &board, &error) == PLY_OK;
        if (read) {
            code = '0';
            *own = (dxp){.playing = true,
                         .colour = colour == 'Z' ? 'B' : 'W',
                         .minutes = minutes,
                         .moves = moves};
            ply_protocol_forget(s);
        }
    }
    ply_protocol_say(s, "A%-32.32s%c", "Plyverse", code);
    if (error.message[0])
        chat(s, error.message);
    if (code == '0')
        go_on(s);
}

static void game_accepted(ply_session *s, const char *at, size_t left)
{
    dxp *own = s->own;
    if (own->playing || !s->options.opens || left != NAME + 1 || at[NAME] != '0')
        return;
    ply_protocol_halt(s, true);
    if (ply_state_restart(&s->state) != PLY_OK)
        return;
    own->playing = true;
    go_on(s);
}

static void move_played(ply_session *s, const char *at, size_t left)
{
    dxp *own = s->own;
    unsigned seconds, from, to, taken, square = 0;
    bool read = number_field(&at, &left, 4, &seconds) && number_field(&at, &left, 2, &from) &&
                number_field(&at, &left, 2, &to) && number_field(&at, &left, 2, &taken) &&
                taken <= DRAUGHTS_TAKEN && left == 2 * taken;
    draughts_move wanted = {0};
    if (read)
        wanted = (draughts_move){.from = (int)from, .to = (int)to};
    for (unsigned i = 0; read && i < taken; i++) {
        read = number_field(&at, &left, 2, &square);
        wanted.taken[wanted.taken_count++] = (int)square;
    }
    if (!read) {
        chat(s, "a move that does not read");
        return;
    }
    if (ply_protocol_is_thinking(s)) {
        chat(s, "it is not your turn");
        return;
    }
    ply_protocol_halt(s, true);
    if (!own->playing || turn(&s->state) == own->colour) {
        chat(s, own->playing ? "it is not your turn" : "there is no game");
        return;
    }
    ply_move move = ply_draughts_find(&s->state, &wanted);
    if (move == PLY_MOVE_NONE || ply_state_play(&s->state, move) != PLY_OK) {
        chat(s, "not a legal move");
        return;
    }
    go_on(s);
}

static bool game_ended(ply_session *s, const char *at, size_t left)
{
    dxp *own = s->own;
    if (left != 2 || at[0] < '0' || at[0] > '3' || at[1] < '0' || at[1] > '1') {
        chat(s, "an end that does not read");
        return true;
    }
    ply_protocol_halt(s, true);
    bool was_playing = own->playing;
    own->playing = false;
    if (was_playing)
        ply_protocol_say(s, "E0%c", at[1]);
    return at[1] != '1' && !s->options.opens;
}

static void go_back(ply_session *s, const char *at, size_t left)
{
    dxp *own = s->own;
    unsigned number;
    char colour;
    bool read = number_field(&at, &left, 3, &number) && number > 0 &&
                letter_field(&at, &left, "WZ", &colour) && left == 0 && own->playing;
    if (!read) {
        ply_protocol_say(s, "K1");
        return;
    }
    ply_protocol_halt(s, true);
    /* Who was to move at the start of the game. */
    char now = turn(&s->state) == 'W' ? 'W' : 'Z';
    char first = s->state.plies % 2 == 0 ? now : now == 'W' ? 'Z' : 'W';
    size_t ply = (size_t)(number - 1) * 2 + (colour != first);
    if (ply > s->state.plies) {
        ply_protocol_say(s, "K1");
    } else {
        while (s->state.plies > ply)
            ply_state_undo(&s->state);
        ply_protocol_say(s, "K0");
    }
    go_on(s);
}

static bool line(ply_session *s, const char *text, size_t length)
{
    if (length == 0)
        return true;
    if (length > MESSAGE) {
        chat(s, "a message of more than 127 bytes");
        return true;
    }
    const char *at = text + 1;
    size_t left = length - 1;
    switch (text[0]) {
    case 'R':
        game_request(s, at, left);
        break;
    case 'A':
        game_accepted(s, at, left);
        break;
    case 'M':
        move_played(s, at, left);
        break;
    case 'E':
        return game_ended(s, at, left);
    case 'B':
        go_back(s, at, left);
        break;
    case 'C':
    case 'K':
        break;
    default:
        chat(s, "a message of no kind");
        break;
    }
    return true;
}

/* The initiator has the first move of the game, whoever that is by the rules. */
static ply_status open_dxp(ply_session *s, ply_error *error)
{
    (void)error;
    dxp *own = s->own;
    if (!s->options.opens)
        return PLY_OK;
    *own = (dxp){.colour = turn(&s->state), .minutes = OUR_MINUTES, .moves = OUR_MOVES};
    ply_protocol_say(s, "R01%-32.32s%c%03d%03dA", "Plyverse", own->colour == 'W' ? 'Z' : 'W',
                     OUR_MINUTES, OUR_MOVES);
    return PLY_OK;
}

const protocol_kind ply_protocol_dxp = {
    .face = {.id = "dxp",
             .summary = "draughts programs over TCP (DamExchange), for checkers",
             .game = "checkers",
             .is_stream = true},
    .own_bytes = sizeof(dxp),
    .adjust = ply_draughts_adjust,
    .open = open_dxp,
    .line = line,
    .answer = say_answer,
};
