/* SPDX-License-Identifier: MIT */
/*
 * gomocup.c - the protocol of the Gomocup and of Piskvork, with what Yixin-Board adds to it.
 *
 * The manager speaks first and we answer each of its commands; BOARD and its like are followed by
 * lines of data up to DONE. Commands are read whatever the case of their letters. INFO is never
 * answered, and keys that are not known are ignored, as the protocol asks. A stone is Black's or
 * White's by its turn, never by whose it is: TURN puts one for whoever is to move.
 */
#include "protocol/gomocup.h"
#include <inttypes.h>
#include <plyverse/plyverse.h>
#include <string.h>

enum { MARGIN = 30, SHARE = 25, AT_ONCE = 10 };
#define UNLIMITED UINT64_C(2147483647)

/* --- points ---------------------------------------------------------------------------------- */
static void write_point(const ply_state *state, ply_move move, ply_text *out)
{
    gomocup_point point = ply_gomocup_point_of(state, move);
    ply_text_format(out, "%d,%d", point.x, point.y);
}

static void say_error(ply_session *s, const ply_error *error)
{
    ply_protocol_say(s, "ERROR %s", error->message);
}

static bool read_point(const gomocup *own, ply_cursor *cursor, gomocup_point *point)
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
    return x < (uint64_t)own->width && y < (uint64_t)own->height;
}

/* A point and nothing more. */
static bool read_only_point(ply_session *s, ply_cursor *cursor, gomocup_point *point)
{
    bool good = read_point(s->own, cursor, point);
    ply_cursor_skip_space(cursor);
    if (good && ply_cursor_done(cursor))
        return true;
    ply_protocol_say(s, "ERROR expected a point x,y on the board");
    return false;
}

/* --- thinking -------------------------------------------------------------------------------- */
static uint64_t time_for_move(const gomocup *own)
{
    uint64_t turn = own->timeout_turn;
    uint64_t margin = turn / 10 < MARGIN ? turn / 10 : MARGIN;
    uint64_t millis = turn ? turn - margin : AT_ONCE;
    uint64_t left = own->time_left != UNLIMITED ? own->time_left
                    : own->timeout_match        ? own->timeout_match
                                                : UNLIMITED;
    if (left < UNLIMITED && left / SHARE < millis)
        millis = left / SHARE;
    return millis > 0 ? millis : 1;
}

static void think(ply_session *s, unsigned lines, enum gomocup_purpose purpose)
{
    gomocup *own = s->own;
    ply_move only[GOMOCUP_CELLS];
    ply_search_limits limits = {.millis = time_for_move(own),
                                .depth = (int)own->max_depth,
                                .nodes = own->max_nodes,
                                .multipv = lines};
    if (ply_game_count_moves(&s->rules, s->state.position) == 0 &&
        !(purpose == GOMOCUP_SWAP2 && own->stone_count == 0)) {
        ply_protocol_say(s, "ERROR there is no legal move");
        return;
    }
    if (own->block_count > 0) {
        size_t count = s->rules.game->moves(&s->rules, s->state.position, only);
        limits.only = only;
        for (size_t i = 0; i < count; i++) {
            gomocup_point point = ply_gomocup_point_of(&s->state, only[i]);
            if (!own->blocked[point.y * GOMOCUP_SIDE + point.x])
                only[limits.only_count++] = only[i];
        }
        if (limits.only_count == 0)
            limits.only = NULL; /* everything is blocked: nothing is */
    }
    own->words[0] = '\0';
    own->found_count = 0;
    own->tells = own->shows_detail || lines > 1;
    if (!ply_protocol_go(s, &limits, (int)purpose))
        ply_protocol_say(s, "ERROR out of memory");
}

static void info(ply_session *s, const ply_search_report *report)
{
    const gomocup *own = s->own;
    if (!own->tells)
        return;
    for (size_t i = 0; i < report->pv_count; i++) {
        ply_text text = ply_text_growing();
        ply_text_format(&text, "MESSAGE (%zu) depth %d-%d ev %d n %" PRIu64 " tm %.0f pv ", i + 1,
                        report->depth, report->selective_depth, (int)report->pv[i].score,
                        report->nodes, report->seconds * 1000);
        ply_protocol_line_text(&s->job.state, &report->pv[i], write_point, &text);
        ply_protocol_say_text(s, &text);
    }
}

/* The stones that were found, put and said on one line; or words such as SWAP. */
static void say_answer(ply_session *s, const protocol_answer *answer)
{
    gomocup *own = s->own;
    ply_error error = {0};
    ply_text text = ply_text_growing();
    if (own->found_count == 0 && !own->words[0] && answer->best != PLY_MOVE_NONE)
        own->found[own->found_count++] = ply_gomocup_point_of(&s->state, answer->best);
    for (size_t i = 0; i < own->found_count; i++) {
        ply_gomocup_put_stone(s, own->found[i].x, own->found[i].y, &error);
        ply_text_format(&text, "%s%d,%d", i ? " " : "", own->found[i].x, own->found[i].y);
    }
    ply_text_string(&text, own->words);
    if (text.length == 0)
        ply_text_string(&text, "ERROR no move was found");
    ply_protocol_say_text(s, &text);
}

/* --- lines of data --------------------------------------------------------------------------- */
static void begin_reading(ply_session *s, enum gomocup_reading what)
{
    gomocup *own = s->own;
    own->reading = what;
    own->read_count = 0;
    own->bad_lines = false;
}

static void read_data(ply_session *s, const char *text, size_t length)
{
    gomocup *own = s->own;
    ply_cursor cursor = ply_cursor_make(text, length, NULL);
    gomocup_point point;
    uint64_t who = 0;
    bool good = read_point(own, &cursor, &point) && own->read_count < GOMOCUP_CELLS;
    ply_cursor_skip_space(&cursor);
    bool wants_who = own->reading == GOMOCUP_BOARD || own->reading == GOMOCUP_YXBOARD;
    if (good && wants_who)
        good = ply_cursor_accept(&cursor, ',') && ply_cursor_skip_space(&cursor) < length &&
               ply_cursor_number(&cursor, 3, &who) && who > 0;
    if (good && wants_who)
        ply_cursor_skip_space(&cursor);
    if (!good || !ply_cursor_done(&cursor)) {
        if (!own->bad_lines)
            ply_protocol_say(s, "ERROR expected %s on the board",
                             wants_who ? "x,y,1 or x,y,2" : "x,y");
        own->bad_lines = true;
        return;
    }
    point.who = (uint8_t)who;
    own->read[own->read_count++] = point;
}

/*
 * Colours of stones told as own and the opponent's. We are to move: with as many stones of each we
 * are Black, with one less White; failing that the first stone is Black's.
 */
static int colour_stones(gomocup *own)
{
    size_t count[4] = {0}, kept = 0;
    for (size_t i = 0; i < own->read_count; i++) {
        count[own->read[i].who]++;
        if (own->read[i].who != 3) /* belongs to nobody: only where a game goes on after a five */
            own->read[kept++] = own->read[i];
    }
    own->read_count = kept;
    int us = count[1] == count[2] ? 0 : count[1] + 1 == count[2] ? 1 : own->read[0].who != 1;
    for (size_t i = 0; i < kept; i++)
        own->read[i].who = (uint8_t)(1 + (own->read[i].who == 1 ? us : !us));
    return us;
}

static void read_done(ply_session *s)
{
    gomocup *own = s->own;
    enum gomocup_reading what = own->reading;
    ply_error error = {0};
    own->reading = GOMOCUP_COMMANDS;
    if (own->bad_lines)
        return; /* told already */
    int side = (int)(own->read_count % 2);
    switch (what) {
    case GOMOCUP_BLOCK:
    case GOMOCUP_UNBLOCK:
        for (size_t i = 0; i < own->read_count; i++) {
            bool *cell = &own->blocked[own->read[i].y * GOMOCUP_SIDE + own->read[i].x];
            own->block_count += (what == GOMOCUP_BLOCK) - (size_t)*cell;
            *cell = what == GOMOCUP_BLOCK;
        }
        return;
    case GOMOCUP_SWAP2BOARD:
        if (own->read_count != 0 && own->read_count != 3 && own->read_count != 5) {
            ply_protocol_say(s, "ERROR SWAP2BOARD wants 0, 3 or 5 stones");
            return;
        }
        for (size_t i = 0; i < own->read_count; i++)
            own->read[i].who = (uint8_t)(1 + i % 2);
        break;
    default:
        side = colour_stones(own);
        break;
    }
    if (!ply_gomocup_set_stones(s, own->read, own->read_count, side, &error))
        say_error(s, &error);
    else if (what == GOMOCUP_BOARD)
        think(s, 1, GOMOCUP_PLAY);
    else if (what == GOMOCUP_SWAP2BOARD)
        think(s, 1, GOMOCUP_SWAP2);
}

/* --- INFO ------------------------------------------------------------------------------------ */
static void set_memory(ply_session *s, uint64_t megabytes)
{
    size_t limit = s->options.memory_limit_mb;
    size_t wanted = megabytes < 1 ? 1 : megabytes > limit ? limit : (size_t)megabytes;
    if (wanted == s->options.search.memory_mb)
        return;
    ply_protocol_halt(s, false);
    s->options.search.memory_mb = wanted;
    ply_searcher_free(s->searcher);
    s->searcher = NULL;
}

/* Other rules for the same stones. */
static void set_rule(ply_session *s, unsigned rule)
{
    gomocup *own = s->own;
    ply_error error = {0};
    ply_protocol_halt(s, false);
    own->rule = rule;
    if (!own->started)
        return;
    gomocup_point stones[GOMOCUP_CELLS];
    size_t count = own->stone_count;
    int side = ply_gomocup_side_of(s);
    memcpy(stones, own->stones, count * sizeof *stones);
    if (!ply_gomocup_make_board(s, own->width, own->height, &error) ||
        !ply_gomocup_set_stones(s, stones, count, side, &error))
        say_error(s, &error);
}

static void evaluate(ply_session *s, ply_cursor *cursor)
{
    gomocup *own = s->own;
    gomocup_point point;
    if (!own->started || !read_point(own, cursor, &point))
        return;
    ply_protocol_halt(s, false);
    ply_move move = ply_gomocup_move_at(&s->state, point.x, point.y, NULL);
    if (move == PLY_MOVE_NONE || ply_state_play(&s->state, move) != PLY_OK) {
        ply_protocol_say(s, "DEBUG %d,%d is not a legal move", point.x, point.y);
        return;
    }
    int32_t score = -ply_game_evaluate(&s->rules, s->state.position);
    ply_state_undo(&s->state);
    ply_protocol_say(s, "DEBUG %d,%d is worth %d", point.x, point.y, (int)score);
}

static void set_info(ply_session *s, ply_cursor *cursor)
{
    gomocup *own = s->own;
    protocol_word key, text;
    uint64_t value = 0;
    if (!ply_protocol_next(cursor, &key))
        return;
    if (ply_protocol_is_any_case(key, "evaluate")) {
        evaluate(s, cursor);
        return;
    }
    if (!ply_protocol_next(cursor, &text) || !ply_protocol_number(text, INT64_MAX, &value))
        return; /* folder, and what is not understood */
    if (ply_protocol_is_any_case(key, "timeout_turn")) {
        own->timeout_turn = value;
    } else if (ply_protocol_is_any_case(key, "timeout_match")) {
        own->timeout_match = value;
    } else if (ply_protocol_is_any_case(key, "time_left")) {
        own->time_left = value < UNLIMITED ? value : UNLIMITED;
    } else if (ply_protocol_is_any_case(key, "max_memory")) {
        /* Half of it for the table; the rest is for all else. */
        if (value > 0 && (value >> 21) < s->options.search.memory_mb)
            set_memory(s, value >> 21);
    } else if (ply_protocol_is_any_case(key, "hash_size")) {
        set_memory(s, value >> 10);
    } else if (ply_protocol_is_any_case(key, "rule")) {
        if (value < 16 && value != own->rule)
            set_rule(s, (unsigned)value);
    } else if (ply_protocol_is_any_case(key, "max_depth")) {
        own->max_depth = value < 1000 ? value : 0;
    } else if (ply_protocol_is_any_case(key, "max_node")) {
        own->max_nodes = value;
    } else if (ply_protocol_is_any_case(key, "thread_num")) {
        ply_error error = {0};
        ply_protocol_option_set(s, "Threads", 7, text.text, text.length, &error);
    } else if (ply_protocol_is_any_case(key, "show_detail")) {
        own->shows_detail = value > 0;
    } else if (ply_protocol_is_any_case(key, "pondering")) {
        s->ponders = value > 0;
    }
    /* game_type and the rest of Yixin's keys change nothing here. */
}

/* --- commands -------------------------------------------------------------------------------- */
static void start(ply_session *s, int width, int height)
{
    gomocup *own = s->own;
    ply_error error = {0};
    ply_protocol_halt(s, true);
    if (width < 1 || height < 1 || width > GOMOCUP_SIDE || height > GOMOCUP_SIDE ||
        !ply_gomocup_make_board(s, width, height, &error)) {
        ply_protocol_say(s, "ERROR boards are 5x5 to 32x32");
        return;
    }
    own->started = true;
    own->block_count = 0;
    memset(own->blocked, 0, sizeof own->blocked);
    if (!ply_protocol_prepare(s))
        ply_protocol_say(s, "ERROR out of memory");
    else
        ply_protocol_say(s, "OK");
}

/* START N, RECTSTART W,H and RESTART; false for another word. */
static bool start_command(ply_session *s, protocol_word word, ply_cursor *cursor)
{
    gomocup *own = s->own;
    uint64_t width = 0, height = 0;
    if (ply_protocol_is_any_case(word, "START")) {
        ply_cursor_skip_space(cursor);
        ply_cursor_number(cursor, 1000, &width);
        start(s, (int)width, (int)width);
    } else if (ply_protocol_is_any_case(word, "RECTSTART")) {
        ply_cursor_skip_space(cursor);
        if (ply_cursor_number(cursor, 1000, &width)) {
            ply_cursor_skip_space(cursor);
            ply_cursor_accept(cursor, ',');
            ply_cursor_skip_space(cursor);
            ply_cursor_number(cursor, 1000, &height);
        }
        start(s, (int)width, (int)height);
    } else if (ply_protocol_is_any_case(word, "RESTART")) {
        if (own->started)
            start(s, own->width, own->height);
        else
            ply_protocol_say(s, "ERROR there is no board; START comes first");
    } else {
        return false;
    }
    return true;
}

static void take_back(ply_session *s, ply_cursor *cursor)
{
    gomocup *own = s->own;
    gomocup_point point, stones[GOMOCUP_CELLS];
    ply_error error = {0};
    if (!read_only_point(s, cursor, &point))
        return;
    size_t count = 0;
    int side = -1;
    for (size_t i = 0; i < own->stone_count; i++)
        if (own->stones[i].x == point.x && own->stones[i].y == point.y)
            side = own->stones[i].who - 1;
        else
            stones[count++] = own->stones[i];
    if (side < 0)
        ply_protocol_say(s, "ERROR there is no stone on %d,%d", point.x, point.y);
    else if (!ply_gomocup_set_stones(s, stones, count, side, &error))
        say_error(s, &error);
    else
        ply_protocol_say(s, "OK");
}

static void show_forbidden(ply_session *s)
{
    ply_text text = ply_text_growing(), notes = ply_text_growing();
    if (s->rules.display->notes && ply_gomocup_side_of(s) == 0)
        s->rules.display->notes(&s->rules, s->state.position, &notes);
    ply_text_string(&text, "FORBID ");
    /* The game's notes say it: "forbidden h8 three-three", one a line. */
    for (const char *at = ply_text_cstr(&notes); at && *at;) {
        int x = 0, y = 0;
        if (strncmp(at, "forbidden ", 10) == 0) {
            for (at += 10; *at >= 'a' && *at <= 'z'; at++)
                x = x * 26 + (*at - 'a' + 1);
            for (; *at >= '0' && *at <= '9'; at++)
                y = y * 10 + (*at - '0');
            ply_text_format(&text, "%02d%02d", x - 1, ply_gomocup_height_of(&s->state) - y);
        }
        at = strchr(at, '\n');
        at = at ? at + 1 : NULL;
    }
    ply_text_char(&text, '.');
    ply_text_free(&notes);
    ply_protocol_say_text(s, &text);
}

static unsigned read_count(ply_cursor *cursor, unsigned most)
{
    protocol_word word;
    uint64_t value;
    if (!ply_protocol_next(cursor, &word) || !ply_protocol_number(word, INT32_MAX, &value) ||
        value < 1)
        return 1;
    return value < most ? (unsigned)value : most;
}

/* Yixin-Board's commands, and Rapfi's; false for another word. */
static bool yixin_command(ply_session *s, protocol_word word, ply_cursor *cursor)
{
    gomocup *own = s->own;
    if (ply_protocol_is_any_case(word, "yxboard")) {
        begin_reading(s, GOMOCUP_YXBOARD);
    } else if (ply_protocol_is_any_case(word, "yxblock")) {
        begin_reading(s, GOMOCUP_BLOCK);
    } else if (ply_protocol_is_any_case(word, "yxblockundo")) {
        begin_reading(s, GOMOCUP_UNBLOCK);
    } else if (ply_protocol_is_any_case(word, "yxblockreset")) {
        own->block_count = 0;
        memset(own->blocked, 0, sizeof own->blocked);
    } else if (ply_protocol_is_any_case(word, "yxshowforbid")) {
        show_forbidden(s);
    } else if (ply_protocol_is_any_case(word, "yxnbest")) {
        think(s, read_count(cursor, PROTO_LINES_LIMIT), GOMOCUP_PLAY);
    } else if (ply_protocol_is_any_case(word, "yxbalanceone") ||
               ply_protocol_is_any_case(word, "yxbalancetwo")) {
        bool two = ply_protocol_is_any_case(word, "yxbalancetwo");
        protocol_word text = ply_protocol_rest(cursor);
        uint64_t bias = 0;
        bool negative = text.length > 0 && text.text[0] == '-';
        text.text += negative;
        text.length -= negative;
        ply_protocol_number(text, 100000, &bias);
        own->bias = negative ? -(int)bias : (int)bias;
        think(s, 1, two ? GOMOCUP_BALANCE_TWO : GOMOCUP_BALANCE_ONE);
    } else if (ply_protocol_is_any_case(word, "yxhashclear")) {
        ply_protocol_forget(s);
        ply_protocol_say(s, "MESSAGE the table is empty");
    } else if (ply_protocol_is_any_case(word, "yxshowinfo")) {
        ply_protocol_say(s, "MESSAGE Plyverse %s", ply_version());
        ply_protocol_say(s, "MESSAGE INFO MAX_THREAD_NUM %u", s->options.thread_limit);
        unsigned power = 0; /* of two, in KB */
        while (power < 40 && (UINT64_C(1) << (power + 1)) <= s->options.memory_limit_mb * 1024)
            power++;
        ply_protocol_say(s, "MESSAGE INFO MAX_HASH_SIZE %u", power);
    } else {
        return false;
    }
    return true;
}

/* Commands that want a board; false for another word. */
static bool board_command(ply_session *s, protocol_word word, ply_cursor *cursor)
{
    gomocup *own = s->own;
    gomocup_point point;
    ply_error error = {0};
    if (ply_protocol_is_any_case(word, "BEGIN")) {
        if (own->stone_count > 0)
            ply_protocol_say(s, "ERROR the board is not empty");
        else
            think(s, 1, GOMOCUP_PLAY);
    } else if (ply_protocol_is_any_case(word, "TURN")) {
        if (!read_only_point(s, cursor, &point))
            return true;
        if (ply_gomocup_put_stone(s, point.x, point.y, &error))
            think(s, 1, GOMOCUP_PLAY);
        else
            say_error(s, &error);
    } else if (ply_protocol_is_any_case(word, "PLAY")) {
        if (!read_only_point(s, cursor, &point))
            return true;
        if (ply_gomocup_put_stone(s, point.x, point.y, &error))
            ply_protocol_say(s, "%d,%d", point.x, point.y);
        else
            say_error(s, &error);
    } else if (ply_protocol_is_any_case(word, "TAKEBACK")) {
        take_back(s, cursor);
    } else if (ply_protocol_is_any_case(word, "BOARD")) {
        begin_reading(s, GOMOCUP_BOARD);
    } else if (ply_protocol_is_any_case(word, "SWAP2BOARD")) {
        begin_reading(s, GOMOCUP_SWAP2BOARD);
    } else {
        return false;
    }
    return true;
}

static bool is_board_word(protocol_word word)
{
    static const char *const words[] = {
        "BEGIN",        "TURN",         "PLAY",    "TAKEBACK",    "BOARD",
        "SWAP2BOARD",   "yxboard",      "yxblock", "yxblockundo", "yxshowforbid",
        "yxbalanceone", "yxbalancetwo", "yxnbest"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (ply_protocol_is_any_case(word, words[i]))
            return true;
    return false;
}

static bool command(ply_session *s, const char *text, size_t length)
{
    gomocup *own = s->own;
    ply_cursor cursor = ply_cursor_make(text, length, NULL);
    protocol_word word;
    if (!ply_protocol_next(&cursor, &word))
        return true;
    if (ply_protocol_is_any_case(word, "END")) {
        ply_protocol_halt(s, true);
        return false;
    }
    if (ply_protocol_is_any_case(word, "INFO")) {
        set_info(s, &cursor);
    } else if (ply_protocol_is_any_case(word, "ABOUT")) {
        ply_protocol_say(s, "name=\"Plyverse\", version=\"%s\", author=\"the Plyverse authors\"",
                         ply_version());
    } else if (ply_protocol_is_any_case(word, "yxstop")) {
        ply_protocol_halt(s, false);
    } else if (start_command(s, word, &cursor)) {
        return true;
    } else if (is_board_word(word) && !own->started) {
        ply_protocol_say(s, "ERROR there is no board; START comes first");
    } else {
        if (is_board_word(word))
            ply_protocol_halt(s, false); /* its stones come first */
        if (!board_command(s, word, &cursor) && !yixin_command(s, word, &cursor)) {
            ply_text unknown = ply_text_growing();
            ply_text_string(&unknown, "UNKNOWN command ");
            ply_protocol_quote(&unknown, word.text, word.length);
            ply_protocol_say_text(s, &unknown);
        }
    }
    return true;
}

static bool line(ply_session *s, const char *text, size_t length)
{
    gomocup *own = s->own;
    if (length == 0)
        return true;
    if (own->reading != GOMOCUP_COMMANDS) {
        protocol_word all = {text, length};
        if (ply_protocol_is_any_case(all, "DONE")) {
            read_done(s);
            return true;
        }
        if ((text[0] | 0x20) < 'a' || (text[0] | 0x20) > 'z') {
            read_data(s, text, length);
            return true;
        }
        /* A command where data should be: the data is at an end, and worth nothing. */
        own->reading = GOMOCUP_COMMANDS;
        ply_protocol_say(s, "ERROR DONE is missing");
    }
    return command(s, text, length);
}

static ply_status open_gomocup(ply_session *s, ply_error *error)
{
    (void)error;
    gomocup *own = s->own;
    own->rule = ply_gomocup_rule_of(s->rules.variant->id);
    own->timeout_turn = 30000;
    own->time_left = UNLIMITED;
    return PLY_OK;
}

const protocol_kind ply_protocol_gomocup = {
    .face = {.id = "gomocup",
             .summary = "gomoku and renju managers, with Yixin-Board's commands",
             .game = "gomoku"},
    .own_bytes = sizeof(gomocup),
    .open = open_gomocup,
    .line = line,
    .info = info,
    .think = ply_gomocup_think,
    .answer = say_answer,
};
