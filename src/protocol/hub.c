/* SPDX-License-Identifier: MIT */
/*
 * hub.c - Hub v2, the protocol of draughts programs, on the 8x8 boards of checkers.
 *
 * A line is a command and arguments NAME, NAME=VALUE or NAME="VALUE". A position is the side to
 * move and one letter for each of the 32 squares: w b W B e. Squares are numbered as in
 * wire/draughts_text.h, also under rules whose own notation uses letters. Unknown commands and
 * arguments are ignored, as the protocol prescribes.
 */
#include "protocol/session_internal.h"
#include "wire/draughts_text.h"
#include <inttypes.h>
#include <plyverse/plyverse.h>
#include <stdio.h>
#include <string.h>

enum {
    DEPTH_LIMIT = 1000,
    MOVES_TO_GO_LIMIT = 10000,
    SCORE_LIMIT = 8999,       /* hundredths; beyond this clients expect a forced win */
    WIN_SCORE = 10000,        /* hundredths; less one per ply to the win */
    WIN_DISTANCE_LIMIT = 999, /* plies */
};
static const double seconds_limit = 1e9;

typedef struct hub_data {
    ply_search_limits level;
    double time, increment; /* seconds, for the player to move at the next go */
    bool no_position;       /* the last position was malformed */
} hub_data;

static const protocol_token no_token = {"", 0};

typedef struct argument {
    protocol_token name, value;
} argument;

static bool is_name_byte(int c)
{
    return c > ' ' && c != '=' && c != '"';
}

/* The next argument; false at the end. *good is false for an unterminated quote. */
static bool next_argument(ply_cursor *cursor, argument *a, bool *good)
{
    *good = true;
    ply_cursor_skip_space(cursor);
    if (ply_cursor_done(cursor))
        return false;
    a->name = a->value = (protocol_token){cursor->text + cursor->at, 0};
    while (is_name_byte(ply_cursor_peek(cursor))) {
        ply_cursor_take(cursor);
        a->name.length++;
    }
    if (!ply_cursor_accept(cursor, '=')) {
        if (a->name.length == 0) { /* a stray quote */
            ply_cursor_take(cursor);
            *good = false;
        }
        return true;
    }
    bool quoted = ply_cursor_accept(cursor, '"');
    a->value.text = cursor->text + cursor->at;
    while (!ply_cursor_done(cursor) &&
           (quoted ? ply_cursor_peek(cursor) != '"' : ply_cursor_peek(cursor) > ' ')) {
        ply_cursor_take(cursor);
        a->value.length++;
    }
    if (quoted && !ply_cursor_accept(cursor, '"'))
        *good = false;
    return true;
}

/* Sends error message="WHAT 'TOKEN'", without the token if it is empty. */
static void send_error(ply_session *s, const char *what, protocol_token token)
{
    ply_text text = ply_text_growing(), quoted = ply_text_growing();
    ply_protocol_quote(&quoted, token.text, token.length);
    ply_text_format(&text, "error message=\"%s", what);
    if (token.length > 0) {
        ply_text_string(&text, " '");
        for (const char *c = ply_text_cstr(&quoted); *c; c++)
            ply_text_char(&text, *c == '"' ? '\'' : *c);
        ply_text_char(&text, '\'');
    }
    ply_text_char(&text, '"');
    ply_text_free(&quoted);
    ply_protocol_send_text(s, &text);
}

static void send_library_error(ply_session *s, const char *what, const ply_error *error)
{
    char message[sizeof error->message + 64];
    snprintf(message, sizeof message, "%s: %s", what, error->message);
    for (char *c = message; *c; c++)
        if (*c == '"')
            *c = '\'';
    send_error(s, message, no_token);
}

/* --- parameters ------------------------------------------------------------------------------ */
/* Parameter names are in lower case. */
static void send_hello(ply_session *s)
{
    protocol_option o;
    ply_protocol_send(s, "id name=Plyverse version=%s author=\"the Plyverse authors\"",
                      ply_version());
    for (size_t i = 0; ply_protocol_option_at(s, i, &o); i++) {
        if (o.type == PROTOCOL_BUTTON || strcmp(o.name, "notation") == 0 ||
            strcmp(o.name, "sign") == 0)
            continue; /* the protocol fixes the notation of squares and has no buttons */
        ply_text text = ply_text_growing();
        ply_text_string(&text, "param name=");
        for (const char *c = o.name; *c; c++)
            ply_text_char(&text, (char)(*c >= 'A' && *c <= 'Z' ? *c + 'a' - 'A' : *c));
        switch (o.type) {
        case PROTOCOL_SPIN:
            ply_text_format(&text, " value=%" PRId64 " type=int min=%" PRId64 " max=%" PRId64,
                            o.value, o.low, o.high);
            break;
        case PROTOCOL_CHECK:
            ply_text_format(&text, " value=%s type=bool", o.value ? "true" : "false");
            break;
        case PROTOCOL_STRING:
            ply_text_format(&text, " value=\"%s\" type=string", o.text);
            break;
        default:
            ply_text_format(&text, " value=%s type=enum values=\"",
                            ply_protocol_option_choice(s, &o, (size_t)o.value));
            for (size_t k = 0; k < o.name_count; k++)
                ply_text_format(&text, "%s%s", k ? " " : "", ply_protocol_option_choice(s, &o, k));
            ply_text_char(&text, '"');
            break;
        }
        ply_protocol_send_text(s, &text);
    }
    ply_protocol_send(s, "wait");
}

static void set_param(ply_session *s, ply_cursor *cursor)
{
    hub_data *data = s->data;
    argument a;
    protocol_token name = {"", 0}, value = {"", 0};
    bool good;
    while (next_argument(cursor, &a, &good)) {
        if (!good) {
            send_error(s, "set-param: unterminated quote", no_token);
            return;
        }
        if (ply_token_is(a.name, "name"))
            name = a.value;
        else if (ply_token_is(a.name, "value"))
            value = a.value;
    }
    ply_error error = {0};
    const ply_variant *variant = s->rules.variant;
    if (ply_protocol_option_set(s, name.text, name.length, value.text, value.length, &error) !=
        PLY_OK)
        send_library_error(s, "set-param", &error);
    else if (variant != s->rules.variant)
        data->no_position = false;
}

/* --- positions ------------------------------------------------------------------------------- */
static void format_move(const ply_state *state, ply_move move, ply_text *out)
{
    draughts_move description = ply_draughts_describe(state, move);
    ply_hub_move_format(&description, out);
}

/* The legal move of that text, or PLY_MOVE_NONE. */
static ply_move parse_move(const ply_state *state, protocol_token token)
{
    draughts_move wanted;
    bool is_capture;
    if (!ply_hub_move_parse(token.text, token.length, &wanted, &is_capture))
        return PLY_MOVE_NONE;
    return ply_draughts_find(state, &wanted);
}

static bool set_board(ply_session *s, protocol_token text)
{
    draughts_board board = {0};
    ply_error error = {0};
    bool good = text.length == DRAUGHTS_SQUARES + 1 && (text.text[0] == 'W' || text.text[0] == 'B');
    for (size_t i = 1; good && i < text.length; i++) {
        good = memchr("wbWBe", text.text[i], 5) != NULL;
        board.squares[i - 1] = text.text[i];
    }
    if (!good) {
        send_error(s, "pos: expected W or B and 32 of w b W B e, not", text);
        return false;
    }
    board.turn = text.text[0];
    if (ply_draughts_set(&s->state, &board, &error) != PLY_OK) {
        send_library_error(s, "pos", &error);
        return false;
    }
    return true;
}

static bool play_moves(ply_session *s, protocol_token text)
{
    ply_cursor cursor = ply_cursor_make(text.text, text.length, NULL);
    protocol_token token;
    while (ply_token_next(&cursor, &token)) {
        ply_move move = parse_move(&s->state, token);
        if (move == PLY_MOVE_NONE || ply_state_play(&s->state, move) != PLY_OK) {
            send_error(s, "pos: not a legal move:", token);
            return false;
        }
    }
    return true;
}

static bool set_position(ply_session *s, ply_cursor *cursor)
{
    argument a;
    protocol_token moves = {"", 0}, position = {"", 0};
    bool good, start = false;
    while (next_argument(cursor, &a, &good)) {
        if (!good) {
            send_error(s, "pos: unterminated quote", no_token);
            return false;
        }
        if (ply_token_is(a.name, "pos"))
            position = a.value;
        else if (ply_token_is(a.name, "moves"))
            moves = a.value;
        else if (ply_token_is(a.name, "start")) /* our extension: the start of the variant */
            start = true;
    }
    ply_protocol_stop_search(s, false);
    if (start && position.length == 0)
        return ply_state_restart(&s->state) == PLY_OK && play_moves(s, moves);
    return set_board(s, position) && play_moves(s, moves);
}

/* --- level and go ---------------------------------------------------------------------------- */
/* Parses seconds with a fraction, independent of the locale. Negative ones count as 0. */
static bool parse_seconds(protocol_token token, double *seconds)
{
    enum { LENGTH_LIMIT = 32 };
    if (token.length == 0 || token.length >= LENGTH_LIMIT)
        return false;
    double whole = 0, unit = 1;
    bool point = false, negative = token.text[0] == '-';
    for (size_t i = negative; i < token.length; i++) {
        char c = token.text[i];
        if (c == '.' && !point) {
            point = true;
        } else if (c >= '0' && c <= '9') {
            unit = point ? unit / 10 : unit;
            whole = point ? whole + (c - '0') * unit : whole * 10 + (c - '0');
        } else {
            return false;
        }
    }
    *seconds = negative ? 0 : whole < seconds_limit ? whole : seconds_limit;
    return true;
}

static void set_level(ply_session *s, ply_cursor *cursor)
{
    hub_data *data = s->data;
    ply_search_limits level = {0};
    double time = 0, increment = 0, seconds;
    argument a;
    bool good;
    while (next_argument(cursor, &a, &good)) {
        uint64_t number;
        bool read = good;
        if (ply_token_is(a.name, "depth")) {
            read = ply_token_number(a.value, DEPTH_LIMIT, &number) && number > 0;
            level.depth = read ? (int)number : 0;
        } else if (ply_token_is(a.name, "nodes")) {
            read = ply_token_number(a.value, INT64_MAX, &number) && number > 0;
            level.nodes = read ? number : 0;
        } else if (ply_token_is(a.name, "moves")) {
            read = ply_token_number(a.value, MOVES_TO_GO_LIMIT, &number);
            level.moves_to_go = read ? (unsigned)number : 0;
        } else if (ply_token_is(a.name, "move-time")) {
            read = parse_seconds(a.value, &seconds);
            level.millis = read ? (uint64_t)(seconds * 1000) + (seconds < 0.001) : 0;
        } else if (ply_token_is(a.name, "time")) {
            read = parse_seconds(a.value, &time);
            level.has_clock |= read;
        } else if (ply_token_is(a.name, "inc")) {
            read = parse_seconds(a.value, &increment);
            level.has_clock |= read;
        }
        if (!read) {
            send_error(s, "level: bad value of", a.name);
            return;
        }
    }
    data->level = level;
    data->time = time;
    data->increment = increment;
}

static void go(ply_session *s, ply_cursor *cursor)
{
    hub_data *data = s->data;
    argument a;
    bool good, analyze = false, ponder = false, think = false;
    while (next_argument(cursor, &a, &good)) {
        think |= ply_token_is(a.name, "think");
        ponder |= ply_token_is(a.name, "ponder");
        analyze |= ply_token_is(a.name, "analyze");
    }
    ply_protocol_stop_search(s, false);
    if (!think && !ponder && !analyze) {
        send_error(s, "go: expected think, ponder or analyze", no_token);
        return;
    }
    ply_search_limits limits = data->level;
    int side = s->rules.game->side(&s->rules, s->state.position);
    if (limits.has_clock) {
        /* Hub adds the increment before the move. */
        limits.clock[side] = (uint64_t)((data->time + data->increment) * 1000);
        limits.increment[side] = (uint64_t)(data->increment * 1000);
    }
    limits.ponder = ponder;
    limits.multipv = s->multipv;
    if (data->no_position || ply_game_count_moves(&s->rules, s->state.position) == 0)
        send_error(s, "go: there is no position with a legal move", no_token);
    else if (!ply_protocol_start_search(s, &limits, 0))
        send_error(s, "go: out of memory", no_token);
}

static double score_in_men(int32_t score)
{
    if (score < PLY_SCORE_FORCED && score > -PLY_SCORE_FORCED)
        return (score < -SCORE_LIMIT  ? -SCORE_LIMIT
                : score > SCORE_LIMIT ? SCORE_LIMIT
                                      : score) /
               100.0;
    /* Clients take 100 - n / 100 for a win in n plies. */
    int32_t plies = PLY_SCORE_WIN - (score < 0 ? -score : score);
    double men = (WIN_SCORE - (plies < WIN_DISTANCE_LIMIT ? plies : WIN_DISTANCE_LIMIT)) / 100.0;
    return score > 0 ? men : -men;
}

static void info(ply_session *s, const ply_search_report *report)
{
    for (size_t i = 0; i < report->pv_count; i++) {
        ply_text text = ply_text_growing();
        ply_text_format(&text, "info depth=%d", report->depth);
        if (s->job.limits.multipv > 1)
            ply_text_format(&text, " multipv=%zu", i + 1);
        ply_text_format(&text, " score=%.2f nodes=%" PRIu64 " time=%.3f nps=%.3f pv=\"",
                        score_in_men(report->pv[i].score), report->nodes, report->seconds,
                        report->seconds > 0 ? (double)report->nodes / report->seconds * 1e-6 : 0);
        ply_variation_format(&s->job.state, report->pv[i].moves, report->pv[i].length, format_move,
                             &text);
        ply_text_char(&text, '"');
        ply_protocol_send_text(s, &text);
    }
}

static void send_answer(ply_session *s, const protocol_answer *answer)
{
    ply_state *state = &s->job.state;
    if (answer->best == PLY_MOVE_NONE) {
        send_error(s, "go: no move was found", no_token);
        return;
    }
    ply_text text = ply_text_growing();
    ply_text_string(&text, "done move=");
    format_move(state, answer->best, &text);
    if (answer->reply != PLY_MOVE_NONE && ply_state_play(state, answer->best) == PLY_OK) {
        ply_text_string(&text, " ponder=");
        format_move(state, answer->reply, &text);
        ply_state_undo(state);
    }
    ply_protocol_send_text(s, &text);
}

static bool line(ply_session *s, const char *text, size_t length)
{
    hub_data *data = s->data;
    ply_cursor cursor = ply_cursor_make(text, length, NULL);
    protocol_token name;
    if (!ply_token_next(&cursor, &name))
        return true;
    if (ply_token_is(name, "hub")) {
        send_hello(s);
    } else if (ply_token_is(name, "set-param")) {
        set_param(s, &cursor);
    } else if (ply_token_is(name, "init")) {
        if (!ply_protocol_is_searching(s))
            ply_protocol_make_searcher(s);
        ply_protocol_send(s, "ready");
    } else if (ply_token_is(name, "pos")) {
        data->no_position = !set_position(s, &cursor);
    } else if (ply_token_is(name, "level")) {
        set_level(s, &cursor);
    } else if (ply_token_is(name, "go")) {
        go(s, &cursor);
    } else if (ply_token_is(name, "ponder-hit")) {
        ply_protocol_ponderhit(s);
    } else if (ply_token_is(name, "stop")) {
        ply_protocol_stop_search(s, false);
    } else if (ply_token_is(name, "new-game")) {
        ply_protocol_clear_search(s);
    } else if (ply_token_is(name, "ping")) {
        ply_protocol_send(s, "pong");
    } else if (ply_token_is(name, "quit")) {
        ply_protocol_stop_search(s, true);
        return false;
    }
    return true;
}

const protocol_handler ply_protocol_hub = {
    .description = {.id = "hub",
                    .summary = "draughts programs (Hub 2), for checkers",
                    .game = "checkers"},
    .data_bytes = sizeof(hub_data),
    .adjust = ply_draughts_adjust,
    .line = line,
    .info = info,
    .answer = send_answer,
};
