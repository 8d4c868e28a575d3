/* SPDX-License-Identifier: MIT */
/*
 * client_gomocup.c - talking to a program by the Gomocup protocol.
 *
 *     we: START 15 | RECTSTART 20,15    it: OK
 *     we: INFO key value
 *     we: BEGIN                         it: 7,7        on the empty board
 *     we: BOARD / x,y,who ... / DONE    it: x,y        where an opening has been played
 *     we: TURN x,y                      it: x,y        after that
 *
 * Coordinates count from 0 at the upper left corner; our rows count from 1 at the lower edge.
 */
#include "match/engine_protocol.h"
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int width_of(const ply_rules *rules)
{
    return ply_client_rule(rules, "width", 15);
}

static int height_of(const ply_rules *rules)
{
    return ply_client_rule(rules, "height", 15);
}

/* The number of the rule in INFO rule, or -1. */
static int rule_number(const ply_rules *rules)
{
    static const struct {
        const char *variant;
        int number;
    } numbers[] = {
        {"freestyle", 0}, {"standard", 1}, {"renju", 4}, {"caro-overline", 8}, {"caro", 9},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (strcmp(rules->variant->id, numbers[i].variant) == 0)
            return numbers[i].number;
    return -1;
}

static const char *objection(const ply_rules *rules)
{
    if (rule_number(rules) < 0)
        return "the Gomocup protocol has no number for this variant";
    if (ply_client_rule(rules, "pass", 0))
        return "the Gomocup protocol has no pass: add pass=no to the variant";
    if (ply_client_rule(rules, "row", 5) != 5)
        return "the Gomocup protocol knows five in a row only";
    return NULL;
}

static bool set_info(match_client *client, const char *name, const char *value,
                     match_answer *failure)
{
    return ply_client_sendf(client, failure, "INFO %s %s", name, value);
}

static bool greet(match_client *client, match_answer *failure)
{
    (void)client;
    (void)failure;
    return true; /* START comes with each game */
}

static bool is_word(const char *line, const char *word)
{
    return strncasecmp(line, word, strlen(word)) == 0;
}

static bool new_game(match_client *client, match_answer *failure)
{
    int width = width_of(client->rules), height = height_of(client->rules);
    bool sent = width == height
                    ? ply_client_sendf(client, failure, "START %d", width)
                    : ply_client_sendf(client, failure, "RECTSTART %d,%d", width, height);
    if (!sent)
        return false;
    uint64_t deadline = ply_client_patience(client);
    const char *line;
    do {
        if (!ply_client_read(client, deadline, &line, failure))
            return false;
        if (is_word(line, "ERROR") || is_word(line, "UNKNOWN")) {
            failure->kind = MATCH_CRASH;
            snprintf(failure->detail, sizeof failure->detail, "said: %.100s", line);
            return false;
        }
    } while (!is_word(line, "OK"));
    return ply_client_sendf(client, failure, "INFO rule %d", rule_number(client->rules)) &&
           ply_client_sendf(client, failure, "INFO game_type 1") &&
           ply_client_each_setting(client, failure, set_info);
}

static bool send_times(match_client *client, int side, const match_turn *turn, match_answer *answer)
{
    const match_limits *l = turn->limits;
    bool good = true;
    if (l->has_clock) {
        uint64_t left = turn->left[side] + l->byoyomi;
        /* A turn may take all there is; 0 would mean "as fast as you can". */
        good = ply_client_sendf(client, answer, "INFO timeout_match %" PRIu64, left ? left : 1) &&
               ply_client_sendf(client, answer, "INFO timeout_turn %" PRIu64, left ? left : 1) &&
               ply_client_sendf(client, answer, "INFO time_left %" PRIu64, left ? left : 1);
    } else if (l->millis) {
        good = ply_client_sendf(client, answer, "INFO timeout_turn %" PRIu64, l->millis) &&
               ply_client_sendf(client, answer, "INFO timeout_match 0") &&
               ply_client_sendf(client, answer, "INFO time_left 2147483647");
    }
    if (good && l->depth)
        good = ply_client_sendf(client, answer, "INFO max_depth %d", l->depth);
    if (good && l->nodes)
        good = ply_client_sendf(client, answer, "INFO max_node %" PRIu64, l->nodes);
    return good;
}

/* Our "h8" as x and y of the protocol. */
static bool read_cell(const ply_rules *rules, const char *text, int *x, int *y)
{
    int column = 0;
    while (isalpha((unsigned char)*text) && column < 1000)
        column = column * 26 + (tolower((unsigned char)*text++) - 'a' + 1);
    int row = atoi(text);
    *x = column - 1;
    *y = height_of(rules) - row;
    return column > 0 && row > 0 && *x < width_of(rules) && *y >= 0;
}

/* Sends the moves of a text from move number `first` on; mover is who made move 0. */
static bool send_stones(match_client *client, const char *moves, size_t first, bool as_board,
                        bool own, match_answer *answer)
{
    size_t number = 0;
    for (const char *at = moves; *(at += strspn(at, " ")); at += strcspn(at, " "), number++) {
        int x, y;
        if (number >= first && !read_cell(client->rules, at, &x, &y)) {
            answer->kind = MATCH_CRASH;
            snprintf(answer->detail, sizeof answer->detail, "a move the protocol cannot tell");
            return false;
        }
        if (number < first)
            continue;
        bool mine = own == (number % 2 == 0);
        if (!(as_board ? ply_client_sendf(client, answer, "%d,%d,%d", x, y, mine ? 1 : 2)
                       : ply_client_sendf(client, answer, "TURN %d,%d", x, y)))
            return false;
    }
    return true;
}

/* The stones of a board such as "15/7x7/.../15 o", in the order they stand. */
static bool send_board_text(match_client *client, const char *text, char mine, match_answer *answer)
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
        } else if (!ply_client_sendf(client, answer, "%d,%d,%d", x++, y, *text == mine ? 1 : 2)) {
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

static bool ask(match_client *client, const ply_state *state, const match_turn *turn,
                match_answer *answer)
{
    int side = state->rules->game->side(state->rules, state->position);
    if (!send_times(client, side, turn, answer))
        return false;
    if (client->told == 0 && state->plies == 0 && turn->usual_start)
        return ply_client_send(client, "BEGIN", answer);
    ply_text moves = ply_text_growing();
    bool good = ply_client_moves_text(state, &moves);
    if (!good)
        answer->kind = MATCH_CRASH;
    else if (client->told == 0)
        good = send_board(client, state, ply_text_cstr(&moves), side, turn, answer);
    else
        good = send_stones(client, ply_text_cstr(&moves), client->told, false, false, answer);
    ply_text_free(&moves);
    return good;
}

static void think(match_client *client, const ply_state *state, const match_turn *turn,
                  match_answer *answer)
{
    if (!ask(client, state, turn, answer))
        return;
    client->told = state->plies + 1;
    const char *line;
    for (;;) {
        if (!ply_client_read(client, turn->deadline, &line, answer))
            return;
        line += strspn(line, " \t");
        if (is_word(line, "ERROR") || is_word(line, "UNKNOWN")) {
            answer->kind = MATCH_CRASH;
            snprintf(answer->detail, sizeof answer->detail, "said: %.100s", line);
            return;
        }
        if (isdigit((unsigned char)line[0]) || line[0] == '-')
            break;
    }
    int x, y;
    char end;
    char cell[16];
    ply_text text = ply_text_fixed(cell, sizeof cell);
    if (sscanf(line, "%d,%d %c", &x, &y, &end) != 2 || x < 0 || x >= width_of(client->rules) ||
        y < 0 || y >= height_of(client->rules)) {
        ply_client_illegal(answer, line, strlen(line));
        return;
    }
    if (x >= 26)
        ply_text_char(&text, 'a');
    ply_text_format(&text, "%c%d", 'a' + x % 26, height_of(client->rules) - y);
    ply_client_take_move(client, state, cell, text.length, answer);
}

const match_protocol ply_match_protocol_gomocup = {
    .id = "gomocup",
    .game = "gomoku",
    .objection = objection,
    .greet = greet,
    .new_game = new_game,
    .think = think,
    .farewell = "END",
};
