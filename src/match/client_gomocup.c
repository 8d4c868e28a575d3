/* SPDX-License-Identifier: MIT */
/*
 * client_gomocup.c - driving a program in the Gomocup protocol.
 *
 *     > START 15 | RECTSTART 20,15      < OK
 *     > INFO key value
 *     > BEGIN                           < 7,7    on the empty board
 *     > BOARD / x,y,who ... / DONE      < x,y    when an opening has been played
 *     > TURN x,y                        < x,y    after that
 *
 * wire/gomocup_rules.h explains points and rule numbers.
 *
 * INFO lines are optional for the program: it may complain about one (ERROR or UNKNOWN) and play on.
 * They are sent only when a value changes. Rapfi loses a word if a line arrives while it finishes
 * its move, and then does not know the command; so after a complaint about START that is sent once
 * more, and after one about a move the position, as a board.
 */
#include "match/engine_protocol.h"
#include "model/variation.h"
#include "wire/gomocup_rules.h"
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Places of the INFO keys in match_client. */
enum { TIMEOUT_TURN, TIMEOUT_MATCH, TIME_LEFT, MAX_DEPTH, MAX_NODE, INFO_KEYS };
_Static_assert(INFO_KEYS == (int)MATCH_INFO_KEYS, "a client has room for every key");

static int width_of(const ply_rules *rules)
{
    return ply_client_rule_option(rules, "width", 15);
}

static int height_of(const ply_rules *rules)
{
    return ply_client_rule_option(rules, "height", 15);
}

static const char *unsupported(const ply_rules *rules)
{
    if (ply_gomocup_rule_number(rules->variant->id) < 0)
        return "the Gomocup protocol has no number for this variant";
    if (ply_client_rule_option(rules, "pass", 0))
        return "the Gomocup protocol has no pass: add pass=no to the variant";
    if (ply_client_rule_option(rules, "row", 5) != 5)
        return "the Gomocup protocol supports five in a row only";
    return NULL;
}

static bool set_info(match_client *client, const char *name, const char *value,
                     match_answer *failure)
{
    client->info_unanswered++;
    return ply_client_sendf(client, failure, "INFO %s %s", name, value);
}

/* Sends a number unless the program has it already. key: below MATCH_INFO_KEYS, one per name. */
static bool change_info(match_client *client, unsigned key, const char *name, uint64_t value,
                        match_answer *answer)
{
    if (client->info[key] == value + 1)
        return true;
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, value);
    client->info[key] = value + 1;
    return set_info(client, name, text, answer);
}

static bool begins_with(const char *line, const char *word)
{
    return strncasecmp(line, word, strlen(word)) == 0;
}

static bool is_complaint(const char *line)
{
    return begins_with(line, "ERROR") || begins_with(line, "UNKNOWN");
}

static bool send_start(match_client *client, match_answer *failure)
{
    int width = width_of(client->rules), height = height_of(client->rules);
    return width == height ? ply_client_sendf(client, failure, "START %d", width)
                           : ply_client_sendf(client, failure, "RECTSTART %d,%d", width, height);
}

static bool new_game(match_client *client, match_answer *failure)
{
    if (!send_start(client, failure))
        return false;
    memset(client->info, 0, sizeof client->info);
    client->info_unanswered = 0;
    uint64_t deadline = ply_client_ready_deadline(client);
    bool repeated = false;
    const char *line;
    do {
        if (!ply_client_read(client, deadline, &line, failure))
            return false;
        if (!is_complaint(line))
            continue;
        if (repeated)
            return ply_client_fail(failure, "said: %.100s", line);
        repeated = true;
        if (!send_start(client, failure))
            return false;
    } while (!begins_with(line, "OK"));
    char rule[16];
    snprintf(rule, sizeof rule, "%d", ply_gomocup_rule_number(client->rules->variant->id));
    return set_info(client, "rule", rule, failure) && set_info(client, "game_type", "1", failure) &&
           (!client->options->cpu_time || set_info(client, "cpu_time", "1", failure)) &&
           ply_client_each_setting(client, failure, set_info);
}

static bool send_times(match_client *client, int side, const match_turn *turn, match_answer *answer)
{
    const match_limits *l = turn->limits;
    bool good = true;
    if (l->has_clock) {
        uint64_t left = turn->clocks[side] + l->byoyomi;
        if (left == 0)
            left = 1; /* 0 would mean "as fast as possible" */
        /* A single turn may take all the time that is left. */
        uint64_t most = l->clock + l->increment + l->byoyomi;
        good = change_info(client, TIMEOUT_MATCH, "timeout_match", most, answer) &&
               change_info(client, TIMEOUT_TURN, "timeout_turn", most, answer) &&
               change_info(client, TIME_LEFT, "time_left", left, answer);
    } else if (l->millis) {
        good = change_info(client, TIMEOUT_TURN, "timeout_turn", l->millis, answer) &&
               change_info(client, TIMEOUT_MATCH, "timeout_match", 0, answer) &&
               change_info(client, TIME_LEFT, "time_left", INT32_MAX, answer);
    }
    if (good && l->depth)
        good = change_info(client, MAX_DEPTH, "max_depth", (uint64_t)l->depth, answer);
    if (good && l->nodes)
        good = change_info(client, MAX_NODE, "max_node", l->nodes, answer);
    return good;
}

/*
 * Sends the moves of a text from move number `first` on: as lines of BOARD, or as TURN.
 * engine_first: the program made move 0.
 */
static bool send_stones(match_client *client, const char *moves, size_t first, bool as_board,
                        bool engine_first, match_answer *answer)
{
    const ply_rules *rules = client->rules;
    size_t number = 0;
    for (const char *at = moves; *(at += strspn(at, " ")); at += strcspn(at, " "), number++) {
        int x, y;
        if (number < first)
            continue;
        if (!ply_gomocup_point_parse(at, height_of(rules), &x, &y) || x >= width_of(rules) || y < 0)
            return ply_client_fail(answer, "the protocol cannot express a move");
        bool own = engine_first == (number % 2 == 0);
        if (!(as_board ? ply_client_sendf(client, answer, "%d,%d,%d", x, y, own ? 1 : 2)
                       : ply_client_sendf(client, answer, "TURN %d,%d", x, y)))
            return false;
    }
    return true;
}

/* Sends the stones of a board such as "15/7x7/.../15 o", row by row. */
static bool send_board_text(match_client *client, const char *text, char own, match_answer *answer)
{
    int x = 0, y = 0;
    for (; *text && *text != ' '; text++) {
        if (*text == '/') {
            y++;
            x = 0;
        } else if (isdigit((unsigned char)*text)) {
            char *end;
            x += (int)strtol(text, &end, 10);
            text = end - 1;
        } else if (!ply_client_sendf(client, answer, "%d,%d,%d", x++, y, *text == own ? 1 : 2)) {
            return false;
        }
    }
    return true;
}

static bool send_board(match_client *client, const ply_state *state, const char *moves, int side,
                       const match_turn *turn, match_answer *answer)
{
    bool good = ply_client_send(client, "BOARD", answer);
    if (turn->usual_start) {
        /* Player 0 made the first move; colours alternate. */
        good = good && send_stones(client, moves, 0, true, side == 0, answer);
    } else {
        ply_text text = ply_text_growing();
        state->rules->game->format(state->rules, state->position, &text);
        good = good && send_board_text(client, ply_text_cstr(&text), side == 0 ? 'x' : 'o', answer);
        ply_text_free(&text);
    }
    return good && ply_client_send(client, "DONE", answer);
}

static bool send_position(match_client *client, const ply_state *state, const match_turn *turn,
                          match_answer *answer)
{
    int side = state->rules->game->side(state->rules, state->position);
    if (!send_times(client, side, turn, answer))
        return false;
    if (client->plies_sent == 0 && state->plies == 0 && turn->usual_start)
        return ply_client_send(client, "BEGIN", answer);
    ply_text moves = ply_text_growing();
    bool good = ply_state_format_moves(state, NULL, &moves) == PLY_OK;
    if (!good)
        ply_client_fail(answer, "out of memory");
    else if (client->plies_sent == 0)
        good = send_board(client, state, ply_text_cstr(&moves), side, turn, answer);
    else
        good = send_stones(client, ply_text_cstr(&moves), client->plies_sent, false, false, answer);
    ply_text_free(&moves);
    return good;
}

static void think(match_client *client, const ply_state *state, const match_turn *turn,
                  match_answer *answer)
{
    if (!send_position(client, state, turn, answer))
        return;
    client->plies_sent = state->plies + 1;
    bool repeated = false;
    const char *line;
    char complaint[100] = "";
    for (;;) {
        if (!ply_client_read(client, turn->deadline, &line, answer)) {
            /* It was not about INFO after all. */
            if (answer->kind == MATCH_TIMEOUT && complaint[0])
                ply_client_fail(answer, "said: %s", complaint);
            return;
        }
        line += strspn(line, " \t");
        if (is_complaint(line)) {
            snprintf(complaint, sizeof complaint, "%s", line);
            if (client->info_unanswered > 0) {
                client->info_unanswered--;
            } else if (repeated) {
                ply_client_fail(answer, "said: %s", complaint);
                return;
            } else {
                /* It may have lost a word of our line: once, repeat the whole position. */
                repeated = true;
                client->plies_sent = 0;
                if (!send_position(client, state, turn, answer))
                    return;
                client->plies_sent = state->plies + 1;
            }
        }
        if (isdigit((unsigned char)line[0]) || line[0] == '-')
            break;
    }
    client->info_unanswered = 0;
    int x, y, width = width_of(client->rules), height = height_of(client->rules);
    char end, point[16];
    ply_text text = ply_text_fixed(point, sizeof point);
    if (sscanf(line, "%d,%d %c", &x, &y, &end) != 2 || x < 0 || x >= width || y < 0 ||
        y >= height) {
        ply_client_set_illegal(answer, line, strlen(line));
        return;
    }
    ply_gomocup_point_format(x, y, height, &text);
    ply_client_parse_move(client, state, point, text.length, answer);
}

const match_protocol ply_match_protocol_gomocup = {
    .id = "gomocup",
    .game = "gomoku",
    .unsupported = unsupported,

    .new_game = new_game,
    .think = think,
    .quit_command = "END",
};
