/* SPDX-License-Identifier: MIT */
/*
 * gomocup.c - the protocol of Gomocup and Piskvork, with Yixin-Board's extensions.
 *
 * The manager sends commands and we answer each. BOARD and similar commands are followed by a list
 * of points up to DONE. Commands ignore case. INFO is never answered, and unknown keys are ignored,
 * as the protocol prescribes. A stone's colour follows from its turn, not from its owner: TURN
 * places a stone for the player to move.
 */
#include "protocol/gomocup.h"
#include "wire/gomocup_rules.h"
#include <inttypes.h>
#include <plyverse/plyverse.h>
#include <string.h>

enum {
    MARGIN_MILLIS = 30,          /* kept back from the time for a turn, but no more than a tenth */
    MATCH_SHARE = 25,            /* a move takes at most this fraction of the time left */
    IMMEDIATE_MILLIS = 10,       /* for timeout_turn 0: as fast as possible */
    DEFAULT_TURN_MILLIS = 30000, /* the protocol's default */
    BIAS_LIMIT = 100000,
};

/* --- points ---------------------------------------------------------------------------------- */
static void format_point(const ply_state *state, ply_move move, ply_text *out)
{
    gomocup_point point = ply_gomocup_point_of(state, move);
    ply_text_format(out, "%d,%d", point.x, point.y);
}

static void send_error(ply_session *s, const ply_error *error)
{
    ply_protocol_send(s, "ERROR %s", error->message);
}

/* Parses a point with nothing after it; reports failure. */
static bool parse_lone_point(ply_session *s, ply_cursor *cursor, gomocup_point *point)
{
    bool good = ply_gomocup_parse_point(s->data, cursor, point);
    ply_cursor_skip_space(cursor);
    if (good && ply_cursor_done(cursor))
        return true;
    ply_protocol_send(s, "ERROR expected a point x,y on the board");
    return false;
}

/* --- searching ------------------------------------------------------------------------------- */
static uint64_t time_for_move(const gomocup *data)
{
    uint64_t turn = data->timeout_turn;
    uint64_t margin = turn / 10 < MARGIN_MILLIS ? turn / 10 : MARGIN_MILLIS;
    uint64_t millis = turn ? turn - margin : IMMEDIATE_MILLIS;
    uint64_t left = data->time_left != GOMOCUP_UNLIMITED ? data->time_left
                    : data->timeout_match                ? data->timeout_match
                                                         : GOMOCUP_UNLIMITED;
    if (left < GOMOCUP_UNLIMITED && left / MATCH_SHARE < millis)
        millis = left / MATCH_SHARE;
    return millis > 0 ? millis : 1;
}

static void start_search(ply_session *s, unsigned multipv, enum gomocup_purpose purpose)
{
    gomocup *data = s->data;
    ply_move only[GOMOCUP_CELLS];
    ply_search_limits limits = {.millis = time_for_move(data),
                                .depth = (int)data->max_depth,
                                .nodes = data->max_nodes,
                                .multipv = multipv};
    if (ply_game_count_moves(&s->rules, s->state.position) == 0 &&
        !(purpose == GOMOCUP_SWAP2 && data->stone_count == 0)) {
        ply_protocol_send(s, "ERROR there is no legal move");
        return;
    }
    if (data->block_count > 0) {
        size_t count = s->rules.game->moves(&s->rules, s->state.position, only);
        limits.only = only;
        for (size_t i = 0; i < count; i++) {
            gomocup_point point = ply_gomocup_point_of(&s->state, only[i]);
            if (!data->blocked[point.y * GOMOCUP_SIDE + point.x])
                only[limits.only_count++] = only[i];
        }
        if (limits.only_count == 0)
            limits.only = NULL; /* everything is blocked: ignore the blocks */
    }
    data->reply[0] = '\0';
    data->found_count = 0;
    data->sends_detail = data->show_detail || multipv > 1;
    if (!ply_protocol_start_search(s, &limits, (int)purpose))
        ply_protocol_send(s, "ERROR out of memory");
}

static void info(ply_session *s, const ply_search_report *report)
{
    const gomocup *data = s->data;
    if (!data->sends_detail)
        return;
    for (size_t i = 0; i < report->pv_count; i++) {
        ply_text text = ply_text_growing();
        ply_text_format(&text, "MESSAGE (%zu) depth %d-%d ev %d n %" PRIu64 " tm %.0f pv ", i + 1,
                        report->depth, report->selective_depth, (int)report->pv[i].score,
                        report->nodes, report->seconds * 1000);
        ply_variation_format(&s->job.state, report->pv[i].moves, report->pv[i].length, format_point,
                             &text);
        ply_protocol_send_text(s, &text);
    }
}

/* Places the stones found and sends them on one line; or sends a reply such as SWAP. */
static void send_answer(ply_session *s, const protocol_answer *answer)
{
    gomocup *data = s->data;
    ply_error error = {0};
    ply_text text = ply_text_growing();
    if (data->found_count == 0 && !data->reply[0] && answer->best != PLY_MOVE_NONE)
        data->found[data->found_count++] = ply_gomocup_point_of(&s->state, answer->best);
    for (size_t i = 0; i < data->found_count; i++) {
        ply_gomocup_put_stone(s, data->found[i].x, data->found[i].y, &error);
        ply_text_format(&text, "%s%d,%d", i ? " " : "", data->found[i].x, data->found[i].y);
    }
    ply_text_string(&text, data->reply);
    if (text.length == 0)
        ply_text_string(&text, "ERROR no move was found");
    ply_protocol_send_text(s, &text);
}

/* --- lists of points ------------------------------------------------------------------------- */
static void begin_list(ply_session *s, enum gomocup_list list)
{
    gomocup *data = s->data;
    data->list = list;
    data->point_count = 0;
    data->list_failed = false;
}

static void add_list_line(ply_session *s, const char *text, size_t length)
{
    gomocup *data = s->data;
    ply_cursor cursor = ply_cursor_make(text, length, NULL);
    gomocup_point point;
    uint64_t who = 0;
    bool good = ply_gomocup_parse_point(data, &cursor, &point) && data->point_count < GOMOCUP_CELLS;
    ply_cursor_skip_space(&cursor);
    bool wants_who = data->list == GOMOCUP_BOARD || data->list == GOMOCUP_YXBOARD;
    if (good && wants_who)
        good = ply_cursor_accept(&cursor, ',') && ply_cursor_skip_space(&cursor) < length &&
               ply_cursor_number(&cursor, 3, &who) && who > 0;
    if (good && wants_who)
        ply_cursor_skip_space(&cursor);
    if (!good || !ply_cursor_done(&cursor)) {
        if (!data->list_failed)
            ply_protocol_send(s, "ERROR expected %s on the board",
                              wants_who ? "x,y,1 or x,y,2" : "x,y");
        data->list_failed = true;
        return;
    }
    point.who = (uint8_t)who;
    data->points[data->point_count++] = point;
}

/*
 * Turns stones listed as own and the opponent's into Black's and White's; returns our side. It is
 * our move: with equal numbers we are Black, with one stone less White. Failing that, the first
 * stone is Black's.
 */
static int colour_stones(gomocup *data)
{
    size_t count[4] = {0}, kept = 0;
    for (size_t i = 0; i < data->point_count; i++) {
        count[data->points[i].who]++;
        if (data->points[i].who != 3) /* neither's: only in games that continue after a five */
            data->points[kept++] = data->points[i];
    }
    data->point_count = kept;
    int us = count[1] == count[2] ? 0 : count[1] + 1 == count[2] ? 1 : data->points[0].who != 1;
    for (size_t i = 0; i < kept; i++)
        data->points[i].who = (uint8_t)(1 + (data->points[i].who == 1 ? us : !us));
    return us;
}

static void finish_list(ply_session *s)
{
    gomocup *data = s->data;
    enum gomocup_list list = data->list;
    ply_error error = {0};
    data->list = GOMOCUP_COMMANDS;
    if (data->list_failed)
        return;
    int side = (int)(data->point_count % 2);
    switch (list) {
    case GOMOCUP_BLOCK:
    case GOMOCUP_UNBLOCK:
        for (size_t i = 0; i < data->point_count; i++) {
            bool *cell = &data->blocked[data->points[i].y * GOMOCUP_SIDE + data->points[i].x];
            data->block_count += (list == GOMOCUP_BLOCK) - (size_t)*cell;
            *cell = list == GOMOCUP_BLOCK;
        }
        return;
    case GOMOCUP_SWAP2BOARD:
        if (data->point_count != 0 && data->point_count != 3 && data->point_count != 5) {
            ply_protocol_send(s, "ERROR SWAP2BOARD takes 0, 3 or 5 stones");
            return;
        }
        for (size_t i = 0; i < data->point_count; i++)
            data->points[i].who = (uint8_t)(1 + i % 2);
        break;
    default:
        side = colour_stones(data);
        break;
    }
    if (!ply_gomocup_set_stones(s, data->points, data->point_count, side, &error))
        send_error(s, &error);
    else if (list == GOMOCUP_BOARD)
        start_search(s, 1, GOMOCUP_PLAY);
    else if (list == GOMOCUP_SWAP2BOARD)
        start_search(s, 1, GOMOCUP_SWAP2);
}

/* --- commands -------------------------------------------------------------------------------- */
static void start(ply_session *s, int width, int height)
{
    gomocup *data = s->data;
    ply_error error = {0};
    ply_protocol_stop_search(s, true);
    if (width < 1 || height < 1 || width > GOMOCUP_SIDE || height > GOMOCUP_SIDE ||
        !ply_gomocup_make_board(s, width, height, &error)) {
        ply_protocol_send(s, "ERROR boards are 5x5 to 32x32");
        return;
    }
    data->started = true;
    data->block_count = 0;
    memset(data->blocked, 0, sizeof data->blocked);
    if (!ply_protocol_make_searcher(s))
        ply_protocol_send(s, "ERROR out of memory");
    else
        ply_protocol_send(s, "OK");
}

/* START N, RECTSTART W,H and RESTART; false for any other command. */
static bool start_command(ply_session *s, protocol_token name, ply_cursor *cursor)
{
    const gomocup *data = s->data;
    enum { NUMBER_LIMIT = 1000 };
    uint64_t width = 0, height = 0;
    if (ply_token_is_nocase(name, "START")) {
        ply_cursor_skip_space(cursor);
        ply_cursor_number(cursor, NUMBER_LIMIT, &width);
        start(s, (int)width, (int)width);
    } else if (ply_token_is_nocase(name, "RECTSTART")) {
        ply_cursor_skip_space(cursor);
        if (ply_cursor_number(cursor, NUMBER_LIMIT, &width)) {
            ply_cursor_skip_space(cursor);
            ply_cursor_accept(cursor, ',');
            ply_cursor_skip_space(cursor);
            ply_cursor_number(cursor, NUMBER_LIMIT, &height);
        }
        start(s, (int)width, (int)height);
    } else if (ply_token_is_nocase(name, "RESTART")) {
        if (data->started)
            start(s, data->width, data->height);
        else
            ply_protocol_send(s, "ERROR there is no board; send START first");
    } else {
        return false;
    }
    return true;
}

static void take_back(ply_session *s, ply_cursor *cursor)
{
    gomocup *data = s->data;
    gomocup_point point, stones[GOMOCUP_CELLS];
    ply_error error = {0};
    if (!parse_lone_point(s, cursor, &point))
        return;
    size_t count = 0;
    int side = -1;
    for (size_t i = 0; i < data->stone_count; i++)
        if (data->stones[i].x == point.x && data->stones[i].y == point.y)
            side = data->stones[i].who - 1;
        else
            stones[count++] = data->stones[i];
    if (side < 0)
        ply_protocol_send(s, "ERROR there is no stone on %d,%d", point.x, point.y);
    else if (!ply_gomocup_set_stones(s, stones, count, side, &error))
        send_error(s, &error);
    else
        ply_protocol_send(s, "OK");
}

static void show_forbidden(ply_session *s)
{
    ply_text text = ply_text_growing(), notes = ply_text_growing();
    if (s->rules.display->notes && ply_gomocup_side_of(s) == 0)
        s->rules.display->notes(&s->rules, s->state.position, &notes);
    ply_text_string(&text, "FORBID ");
    /* The game's notes list the points, one per line: "forbidden h8 three-three". */
    static const char label[] = "forbidden ";
    for (const char *line = ply_text_cstr(&notes); line && *line;) {
        int x, y;
        if (strncmp(line, label, strlen(label)) == 0 &&
            ply_gomocup_point_parse(line + strlen(label), s->rules.plane_height, &x, &y))
            ply_text_format(&text, "%02d%02d", x, y);
        line = strchr(line, '\n');
        line = line ? line + 1 : NULL;
    }
    ply_text_char(&text, '.');
    ply_text_free(&notes);
    ply_protocol_send_text(s, &text);
}

/* Parses a number from 1 to limit; 1 if there is none. */
static unsigned parse_count(ply_cursor *cursor, unsigned limit)
{
    protocol_token token;
    uint64_t value;
    if (!ply_token_next(cursor, &token) || !ply_token_number(token, INT32_MAX, &value) || value < 1)
        return 1;
    return value < limit ? (unsigned)value : limit;
}

/* yxbalanceone BIAS and yxbalancetwo BIAS. */
static void balance(ply_session *s, ply_cursor *cursor, enum gomocup_purpose purpose)
{
    gomocup *data = s->data;
    protocol_token text = ply_token_rest(cursor);
    uint64_t bias = 0;
    bool negative = text.length > 0 && text.text[0] == '-';
    text.text += negative;
    text.length -= negative;
    ply_token_number(text, BIAS_LIMIT, &bias);
    data->bias = negative ? -(int)bias : (int)bias;
    start_search(s, 1, purpose);
}

static void show_info(ply_session *s)
{
    ply_protocol_send(s, "MESSAGE Plyverse %s", ply_version());
    ply_protocol_send(s, "MESSAGE INFO MAX_THREAD_NUM %u", s->options.thread_limit);
    /* The hash size is given as a power of two, in KiB. */
    uint64_t limit = (uint64_t)s->options.memory_limit_mb << GOMOCUP_KIB_PER_MIB_BITS;
    unsigned power = 0;
    while (power < 40 && (UINT64_C(1) << (power + 1)) <= limit)
        power++;
    ply_protocol_send(s, "MESSAGE INFO MAX_HASH_SIZE %u", power);
}

/* The commands of Yixin-Board and Rapfi; false for any other command. */
static bool yixin_command(ply_session *s, protocol_token name, ply_cursor *cursor)
{
    gomocup *data = s->data;
    if (ply_token_is_nocase(name, "yxboard")) {
        begin_list(s, GOMOCUP_YXBOARD);
    } else if (ply_token_is_nocase(name, "yxblock")) {
        begin_list(s, GOMOCUP_BLOCK);
    } else if (ply_token_is_nocase(name, "yxblockundo")) {
        begin_list(s, GOMOCUP_UNBLOCK);
    } else if (ply_token_is_nocase(name, "yxblockreset")) {
        data->block_count = 0;
        memset(data->blocked, 0, sizeof data->blocked);
    } else if (ply_token_is_nocase(name, "yxshowforbid")) {
        show_forbidden(s);
    } else if (ply_token_is_nocase(name, "yxnbest")) {
        start_search(s, parse_count(cursor, PROTOCOL_MULTIPV_LIMIT), GOMOCUP_PLAY);
    } else if (ply_token_is_nocase(name, "yxbalanceone")) {
        balance(s, cursor, GOMOCUP_BALANCE_ONE);
    } else if (ply_token_is_nocase(name, "yxbalancetwo")) {
        balance(s, cursor, GOMOCUP_BALANCE_TWO);
    } else if (ply_token_is_nocase(name, "yxhashclear")) {
        ply_protocol_clear_search(s);
        ply_protocol_send(s, "MESSAGE the transposition table is empty");
    } else if (ply_token_is_nocase(name, "yxshowinfo")) {
        show_info(s);
    } else {
        return false;
    }
    return true;
}

/* The protocol's commands that need a board; false for any other command. */
static bool board_command(ply_session *s, protocol_token name, ply_cursor *cursor)
{
    gomocup *data = s->data;
    gomocup_point point;
    ply_error error = {0};
    if (ply_token_is_nocase(name, "BEGIN")) {
        if (data->stone_count > 0)
            ply_protocol_send(s, "ERROR the board is not empty");
        else
            start_search(s, 1, GOMOCUP_PLAY);
    } else if (ply_token_is_nocase(name, "TURN")) {
        if (!parse_lone_point(s, cursor, &point))
            return true;
        if (ply_gomocup_put_stone(s, point.x, point.y, &error))
            start_search(s, 1, GOMOCUP_PLAY);
        else
            send_error(s, &error);
    } else if (ply_token_is_nocase(name, "PLAY")) {
        if (!parse_lone_point(s, cursor, &point))
            return true;
        if (ply_gomocup_put_stone(s, point.x, point.y, &error))
            ply_protocol_send(s, "%d,%d", point.x, point.y);
        else
            send_error(s, &error);
    } else if (ply_token_is_nocase(name, "TAKEBACK")) {
        take_back(s, cursor);
    } else if (ply_token_is_nocase(name, "BOARD")) {
        begin_list(s, GOMOCUP_BOARD);
    } else if (ply_token_is_nocase(name, "SWAP2BOARD")) {
        begin_list(s, GOMOCUP_SWAP2BOARD);
    } else {
        return false;
    }
    return true;
}

static bool needs_board(protocol_token name)
{
    static const char *const commands[] = {
        "BEGIN",        "TURN",         "PLAY",    "TAKEBACK",    "BOARD",
        "SWAP2BOARD",   "yxboard",      "yxblock", "yxblockundo", "yxshowforbid",
        "yxbalanceone", "yxbalancetwo", "yxnbest"};
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        if (ply_token_is_nocase(name, commands[i]))
            return true;
    return false;
}

static bool command(ply_session *s, const char *text, size_t length)
{
    gomocup *data = s->data;
    ply_cursor cursor = ply_cursor_make(text, length, NULL);
    protocol_token name;
    if (!ply_token_next(&cursor, &name))
        return true;
    if (ply_token_is_nocase(name, "END")) {
        ply_protocol_stop_search(s, true);
        return false;
    }
    if (ply_token_is_nocase(name, "INFO")) {
        ply_gomocup_info(s, &cursor);
    } else if (ply_token_is_nocase(name, "ABOUT")) {
        ply_protocol_send(s, "name=\"Plyverse\", version=\"%s\", author=\"the Plyverse authors\"",
                          ply_version());
    } else if (ply_token_is_nocase(name, "yxstop")) {
        ply_protocol_stop_search(s, false);
    } else if (start_command(s, name, &cursor)) {
        return true;
    } else if (needs_board(name) && !data->started) {
        ply_protocol_send(s, "ERROR there is no board; send START first");
    } else {
        if (needs_board(name))
            ply_protocol_stop_search(s, false); /* its answer changes the board */
        if (!board_command(s, name, &cursor) && !yixin_command(s, name, &cursor)) {
            ply_text unknown = ply_text_growing();
            ply_text_string(&unknown, "UNKNOWN command ");
            ply_protocol_quote(&unknown, name.text, name.length);
            ply_protocol_send_text(s, &unknown);
        }
    }
    return true;
}

static bool line(ply_session *s, const char *text, size_t length)
{
    gomocup *data = s->data;
    if (length == 0)
        return true;
    if (data->list != GOMOCUP_COMMANDS) {
        protocol_token all = {text, length};
        if (ply_token_is_nocase(all, "DONE")) {
            finish_list(s);
            return true;
        }
        if ((text[0] | 0x20) < 'a' || (text[0] | 0x20) > 'z') {
            add_list_line(s, text, length);
            return true;
        }
        /* A command inside a list: drop the list and obey the command. */
        data->list = GOMOCUP_COMMANDS;
        ply_protocol_send(s, "ERROR DONE is missing");
    }
    return command(s, text, length);
}

static ply_status open_gomocup(ply_session *s, ply_error *error)
{
    (void)error;
    gomocup *data = s->data;
    int rule = ply_gomocup_rule_number(s->rules.variant->id);
    data->rule = rule < 0 ? 0 : (unsigned)rule;
    data->timeout_turn = DEFAULT_TURN_MILLIS;
    data->time_left = GOMOCUP_UNLIMITED;
    return PLY_OK;
}

const protocol_handler ply_protocol_gomocup = {
    .description = {.id = "gomocup",
                    .summary = "gomoku and renju managers, with Yixin-Board's commands",
                    .game = "gomoku"},
    .data_bytes = sizeof(gomocup),
    .open = open_gomocup,
    .line = line,
    .info = info,
    .think = ply_gomocup_think,
    .answer = send_answer,
};
