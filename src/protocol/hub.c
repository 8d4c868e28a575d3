/* SPDX-License-Identifier: MIT */
/*
 * hub.c - Hub v2, the protocol of draughts programs, on the 8x8 boards of checkers.
 *
 * A line is a command and arguments NAME, NAME=VALUE or NAME="VALUE". A position is the side to
 * move and one letter for each of the 32 squares: w b W B e. Where a rule set names its squares by
 * letters, they count from White's upper left corner, as the protocol does on the larger board.
 * Commands and arguments that are not known are ignored, as the protocol asks.
 */
#include "wire/draughts_text.h"
#include <inttypes.h>
#include <plyverse/plyverse.h>
#include <stdio.h>
#include <string.h>

typedef struct hub {
    ply_search_limits level;
    double time, increment; /* of whoever moves; set for the side at go */
    bool no_position;
} hub;

typedef struct argument {
    protocol_word name, value;
} argument;

static bool is_name_byte(int c)
{
    return c > ' ' && c != '=' && c != '"';
}

/* The next argument; false at the end. *good is false for a quote that does not end. */
static bool next_argument(ply_cursor *cursor, argument *a, bool *good)
{
    *good = true;
    ply_cursor_skip_space(cursor);
    if (ply_cursor_done(cursor))
        return false;
    a->name = a->value = (protocol_word){cursor->text + cursor->at, 0};
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

/* Says error message="WHAT 'WORD'". */
static void say_error(ply_session *s, const char *what, protocol_word word)
{
    ply_text text = ply_text_growing(), quoted = ply_text_growing();
    ply_protocol_quote(&quoted, word.text, word.length);
    ply_text_format(&text, "error message=\"%s", what);
    if (word.length > 0) {
        ply_text_string(&text, " '");
        for (const char *c = ply_text_cstr(&quoted); *c; c++)
            ply_text_char(&text, *c == '"' ? '\'' : *c);
        ply_text_char(&text, '\'');
    }
    ply_text_char(&text, '"');
    ply_text_free(&quoted);
    ply_protocol_say_text(s, &text);
}

static void say_problem(ply_session *s, const char *what, const ply_error *error)
{
    char message[sizeof error->message + 64];
    snprintf(message, sizeof message, "%s: %s", what, error->message);
    for (char *c = message; *c; c++)
        if (*c == '"')
            *c = '\'';
    say_error(s, message, (protocol_word){"", 0});
}

/* --- parameters ------------------------------------------------------------------------------ */
/* Names are in small letters here. */
static void say_hello(ply_session *s)
{
    protocol_option o;
    ply_protocol_say(s, "id name=Plyverse version=%s author=\"the Plyverse authors\"",
                     ply_version());
    for (size_t i = 0; ply_protocol_option_at(s, i, &o); i++) {
        if (o.type == PROTO_BUTTON || strcmp(o.name, "notation") == 0 ||
            strcmp(o.name, "sign") == 0)
            continue; /* the protocol says how squares are named and has no buttons */
        ply_text text = ply_text_growing();
        ply_text_string(&text, "param name=");
        for (const char *c = o.name; *c; c++)
            ply_text_char(&text, (char)(*c >= 'A' && *c <= 'Z' ? *c + 'a' - 'A' : *c));
        switch (o.type) {
        case PROTO_SPIN:
            ply_text_format(&text, " value=%" PRId64 " type=int min=%" PRId64 " max=%" PRId64,
                            o.value, o.low, o.high);
            break;
        case PROTO_CHECK:
            ply_text_format(&text, " value=%s type=bool", o.value ? "true" : "false");
            break;
        default:
            ply_text_format(&text, " value=%s type=enum values=\"",
                            ply_protocol_option_choice(s, &o, (size_t)o.value));
            for (size_t k = 0; k < o.name_count; k++)
                ply_text_format(&text, "%s%s", k ? " " : "", ply_protocol_option_choice(s, &o, k));
            ply_text_char(&text, '"');
            break;
        }
        ply_protocol_say_text(s, &text);
    }
    ply_protocol_say(s, "wait");
}

static void set_param(ply_session *s, ply_cursor *cursor)
{
    hub *own = s->own;
    argument a;
    protocol_word name = {"", 0}, value = {"", 0};
    bool good;
    while (next_argument(cursor, &a, &good)) {
        if (!good) {
            say_error(s, "set-param: a quote does not end", (protocol_word){"", 0});
            return;
        }
        if (ply_protocol_is(a.name, "name"))
            name = a.value;
        else if (ply_protocol_is(a.name, "value"))
            value = a.value;
    }
    ply_error error = {0};
    const ply_variant *variant = s->rules.variant;
    if (ply_protocol_option_set(s, name.text, name.length, value.text, value.length, &error) !=
        PLY_OK)
        say_problem(s, "set-param", &error);
    else if (variant != s->rules.variant)
        own->no_position = false;
}

/* --- positions ------------------------------------------------------------------------------- */
static void format_move(const ply_state *state, ply_move move, ply_text *out)
{
    draughts_move m = ply_draughts_describe(state, move);
    ply_text_format(out, "%d%c%d", m.from, m.taken_count ? 'x' : '-', m.to);
    for (int i = 0; i < m.taken_count; i++)
        ply_text_format(out, "x%d", m.taken[i]);
}

static bool read_move(protocol_word word, draughts_move *move)
{
    ply_cursor cursor = ply_cursor_make(word.text, word.length, NULL);
    uint64_t number;
    *move = (draughts_move){0};
    if (!ply_cursor_number(&cursor, DRAUGHTS_SQUARES, &number))
        return false;
    move->from = (int)number;
    bool quiet = ply_cursor_accept(&cursor, '-');
    if ((!quiet && !ply_cursor_accept(&cursor, 'x')) ||
        !ply_cursor_number(&cursor, DRAUGHTS_SQUARES, &number))
        return false;
    move->to = (int)number;
    while (!quiet && ply_cursor_accept(&cursor, 'x')) {
        if (move->taken_count == DRAUGHTS_TAKEN ||
            !ply_cursor_number(&cursor, DRAUGHTS_SQUARES, &number))
            return false;
        move->taken[move->taken_count++] = (int)number;
    }
    return ply_cursor_done(&cursor);
}

static bool set_board(ply_session *s, protocol_word text)
{
    draughts_board board = {0};
    ply_error error = {0};
    bool good = text.length == DRAUGHTS_SQUARES + 1 && (text.text[0] == 'W' || text.text[0] == 'B');
    for (size_t i = 1; good && i < text.length; i++) {
        good = memchr("wbWBe", text.text[i], 5) != NULL;
        board.squares[i - 1] = text.text[i];
    }
    if (!good) {
        say_error(s, "pos: not W or B and 32 of w b W B e:", text);
        return false;
    }
    board.turn = text.text[0];
    if (ply_draughts_set(&s->state, &board, &error) != PLY_OK) {
        say_problem(s, "pos", &error);
        return false;
    }
    return true;
}

static bool play_moves(ply_session *s, protocol_word text)
{
    ply_cursor cursor = ply_cursor_make(text.text, text.length, NULL);
    protocol_word word;
    while (ply_protocol_next(&cursor, &word)) {
        draughts_move wanted;
        ply_move move =
            read_move(word, &wanted) ? ply_draughts_find(&s->state, &wanted) : PLY_MOVE_NONE;
        if (move == PLY_MOVE_NONE || ply_state_play(&s->state, move) != PLY_OK) {
            say_error(s, "pos: not a legal move:", word);
            return false;
        }
    }
    return true;
}

static bool set_position(ply_session *s, ply_cursor *cursor)
{
    argument a;
    protocol_word moves = {"", 0}, position = {"", 0};
    bool good, start = false;
    while (next_argument(cursor, &a, &good)) {
        if (!good) {
            say_error(s, "pos: a quote does not end", (protocol_word){"", 0});
            return false;
        }
        if (ply_protocol_is(a.name, "pos"))
            position = a.value;
        else if (ply_protocol_is(a.name, "moves"))
            moves = a.value;
        else if (ply_protocol_is(a.name, "start")) /* our own: the start of the variant */
            start = true;
    }
    ply_protocol_halt(s, false);
    if (start && position.length == 0)
        return ply_state_restart(&s->state) == PLY_OK && play_moves(s, moves);
    return set_board(s, position) && play_moves(s, moves);
}

/* --- thinking -------------------------------------------------------------------------------- */
/* Seconds with a fraction, as milliseconds. */
static bool read_seconds(protocol_word word, double *seconds)
{
    char text[32];
    if (word.length == 0 || word.length >= sizeof text)
        return false;
    double whole = 0, unit = 1;
    bool point = false, negative = word.text[0] == '-';
    for (size_t i = negative; i < word.length; i++) {
        char c = word.text[i];
        if (c == '.' && !point) {
            point = true;
        } else if (c >= '0' && c <= '9') {
            unit = point ? unit / 10 : unit;
            whole = point ? whole + (c - '0') * unit : whole * 10 + (c - '0');
        } else {
            return false;
        }
    }
    *seconds = negative ? 0 : whole < 1e9 ? whole : 1e9;
    return true;
}

static void set_level(ply_session *s, ply_cursor *cursor)
{
    hub *own = s->own;
    ply_search_limits level = {0};
    double time = 0, increment = 0, seconds;
    argument a;
    bool good;
    while (next_argument(cursor, &a, &good)) {
        uint64_t number;
        bool read = good;
        if (ply_protocol_is(a.name, "depth")) {
            read = ply_protocol_number(a.value, 1000, &number) && number > 0;
            level.depth = read ? (int)number : 0;
        } else if (ply_protocol_is(a.name, "nodes")) {
            read = ply_protocol_number(a.value, INT64_MAX, &number) && number > 0;
            level.nodes = read ? number : 0;
        } else if (ply_protocol_is(a.name, "moves")) {
            read = ply_protocol_number(a.value, 10000, &number);
            level.moves_to_go = read ? (unsigned)number : 0;
        } else if (ply_protocol_is(a.name, "move-time")) {
            read = read_seconds(a.value, &seconds);
            level.millis = read ? (uint64_t)(seconds * 1000) + (seconds < 0.001) : 0;
        } else if (ply_protocol_is(a.name, "time")) {
            read = read_seconds(a.value, &time);
            level.has_clock |= read;
        } else if (ply_protocol_is(a.name, "inc")) {
            read = read_seconds(a.value, &increment);
            level.has_clock |= read;
        }
        if (!read) {
            say_error(s, "level: a value that does not read:", a.name);
            return;
        }
    }
    own->level = level;
    own->time = time;
    own->increment = increment;
}

static void go(ply_session *s, ply_cursor *cursor)
{
    hub *own = s->own;
    argument a;
    bool good, analyses = false, ponders = false, thinks = false;
    while (next_argument(cursor, &a, &good)) {
        thinks |= ply_protocol_is(a.name, "think");
        ponders |= ply_protocol_is(a.name, "ponder");
        analyses |= ply_protocol_is(a.name, "analyze");
    }
    ply_protocol_halt(s, false);
    if (!thinks && !ponders && !analyses) {
        say_error(s, "go: expected think, ponder or analyze", (protocol_word){"", 0});
        return;
    }
    ply_search_limits limits = own->level;
    int side = s->rules.game->side(&s->rules, s->state.position);
    if (limits.has_clock) {
        /* The increment comes before the move. */
        limits.clock[side] = (uint64_t)((own->time + own->increment) * 1000);
        limits.increment[side] = (uint64_t)(own->increment * 1000);
    }
    limits.ponder = ponders;
    limits.multipv = s->lines;
    if (own->no_position || ply_game_count_moves(&s->rules, s->state.position) == 0)
        say_error(s, "go: there is no position with a legal move", (protocol_word){"", 0});
    else if (!ply_protocol_go(s, &limits, 0))
        say_error(s, "go: out of memory", (protocol_word){"", 0});
}

static double score_in_men(int32_t score)
{
    if (score < PLY_SCORE_FORCED && score > -PLY_SCORE_FORCED)
        return score < -8999 ? -89.99 : score > 8999 ? 89.99 : score / 100.0;
    /* Clients read a win in n plies from 100 - n / 100. */
    int32_t plies = PLY_SCORE_WIN - (score < 0 ? -score : score);
    double men = (10000 - (plies < 999 ? plies : 999)) / 100.0;
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
        ply_protocol_line_text(&s->job.state, &report->pv[i], format_move, &text);
        ply_text_char(&text, '"');
        ply_protocol_say_text(s, &text);
    }
}

static void say_answer(ply_session *s, const protocol_answer *answer)
{
    ply_state *state = &s->job.state;
    if (answer->best == PLY_MOVE_NONE) {
        say_error(s, "go: no move was found", (protocol_word){"", 0});
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
    ply_protocol_say_text(s, &text);
}

static bool line(ply_session *s, const char *text, size_t length)
{
    hub *own = s->own;
    ply_cursor cursor = ply_cursor_make(text, length, NULL);
    protocol_word word;
    if (!ply_protocol_next(&cursor, &word))
        return true;
    if (ply_protocol_is(word, "hub")) {
        say_hello(s);
    } else if (ply_protocol_is(word, "set-param")) {
        set_param(s, &cursor);
    } else if (ply_protocol_is(word, "init")) {
        if (!ply_protocol_is_thinking(s))
            ply_protocol_prepare(s);
        ply_protocol_say(s, "ready");
    } else if (ply_protocol_is(word, "pos")) {
        own->no_position = !set_position(s, &cursor);
    } else if (ply_protocol_is(word, "level")) {
        set_level(s, &cursor);
    } else if (ply_protocol_is(word, "go")) {
        go(s, &cursor);
    } else if (ply_protocol_is(word, "ponder-hit")) {
        ply_protocol_ponderhit(s);
    } else if (ply_protocol_is(word, "stop")) {
        ply_protocol_halt(s, false);
    } else if (ply_protocol_is(word, "new-game")) {
        ply_protocol_forget(s);
    } else if (ply_protocol_is(word, "ping")) {
        ply_protocol_say(s, "pong");
    } else if (ply_protocol_is(word, "quit")) {
        ply_protocol_halt(s, true);
        return false;
    }
    return true; /* what is not known is ignored */
}

const protocol_kind ply_protocol_hub = {
    .face = {.id = "hub", .summary = "draughts programs (Hub 2), for checkers", .game = "checkers"},
    .own_bytes = sizeof(hub),
    .adjust = ply_draughts_adjust,
    .line = line,
    .info = info,
    .answer = say_answer,
};
