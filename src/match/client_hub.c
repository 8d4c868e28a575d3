/* SPDX-License-Identifier: MIT */
/*
 * client_hub.c - talking to a program by Hub version 2.
 *
 *     we: hub                          it: id ..., param ..., wait
 *     we: set-param name=N value=V
 *     we: init                         it: ready
 *     we: new-game
 *     we: pos pos=BOARD moves="..."
 *     we: level move-time=S | time=S inc=S | depth=D | nodes=N
 *     we: go think                     it: info ... score=0.12 ..., done move=M
 *
 * A board is the side to move and a letter for each square, w b W B e, by number. A capture is
 * from, to and the squares taken, in any order, all parted by x (wire/draughts_text.h).
 */
#include "match/engine_protocol.h"
#include "wire/draughts_text.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void format_move(const draughts_move *move, ply_text *out)
{
    ply_text_format(out, "%d%c%d", move->from, move->taken_count ? 'x' : '-', move->to);
    for (int i = 0; i < move->taken_count; i++)
        ply_text_format(out, "x%d", move->taken[i]);
}

/* takes: whether it is a capture, whose squares may be left out where they are plain. */
static bool read_move(const char *text, size_t length, draughts_move *move, bool *takes)
{
    ply_cursor cursor = ply_cursor_make(text, length, NULL);
    uint64_t number;
    *move = (draughts_move){0};
    if (!ply_cursor_number(&cursor, DRAUGHTS_SQUARES, &number))
        return false;
    move->from = (int)number;
    *takes = ply_cursor_peek(&cursor) == 'x';
    if ((!ply_cursor_accept(&cursor, '-') && !ply_cursor_accept(&cursor, 'x')) ||
        !ply_cursor_number(&cursor, DRAUGHTS_SQUARES, &number))
        return false;
    move->to = (int)number;
    while (*takes && ply_cursor_accept(&cursor, 'x')) {
        if (!ply_cursor_number(&cursor, DRAUGHTS_SQUARES, &number) || number == 0 ||
            move->taken_count == DRAUGHTS_TAKEN)
            return false;
        move->taken[move->taken_count++] = (int)number;
    }
    return ply_cursor_done(&cursor);
}

/* --- the conversation ----------------------------------------------------------------------- */
static bool set_param(match_client *client, const char *name, const char *value,
                      match_answer *failure)
{
    return ply_client_sendf(client, failure, "set-param name=%s value=\"%s\"", name, value);
}

/* The variant, and what differs from it. */
static bool send_rules(match_client *client, match_answer *failure)
{
    const ply_rules *rules = client->rules;
    bool good = set_param(client, "variant", rules->variant->id, failure);
    for (size_t i = 0; i < rules->game->option_count && good; i++) {
        const ply_option *option = &rules->game->options[i];
        char number[16];
        snprintf(number, sizeof number, "%d", rules->option[i]);
        if (rules->option[i] != ply_variant_option(rules->game, rules->variant, i) &&
            strcmp(option->name, "notation") != 0 && strcmp(option->name, "sign") != 0)
            good = set_param(client, option->name,
                             option->names ? option->names[rules->option[i]] : number, failure);
    }
    return good;
}

static bool greet(match_client *client, match_answer *failure)
{
    return ply_client_send(client, "hub", failure) && ply_client_await(client, "wait", failure) &&
           send_rules(client, failure) && ply_client_each_setting(client, failure, set_param) &&
           ply_client_send(client, "init", failure) && ply_client_await(client, "ready", failure);
}

static bool new_game(match_client *client, match_answer *failure)
{
    return ply_client_send(client, "new-game", failure);
}

/* The start of the game and all moves since. */
static bool send_position(match_client *client, const ply_state *state, match_answer *answer)
{
    ply_state line;
    draughts_board board;
    ply_text text = ply_text_growing();
    if (ply_state_copy(&line, state) != PLY_OK)
        return false;
    while (ply_state_undo(&line))
        continue;
    ply_draughts_read(&line, &board);
    ply_text_format(&text, "pos pos=%c%s", board.turn, board.squares);
    bool good = true;
    for (size_t i = 0; i < state->plies && good; i++) {
        draughts_move move = ply_draughts_describe(&line, state->moves[i]);
        ply_text_string(&text, i == 0 ? " moves=\"" : " ");
        format_move(&move, &text);
        good = ply_state_play(&line, state->moves[i]) == PLY_OK;
    }
    if (state->plies > 0)
        ply_text_char(&text, '"');
    ply_state_free(&line);
    good = good && !text.failed && ply_client_send(client, ply_text_cstr(&text), answer);
    ply_text_free(&text);
    return good;
}

static bool send_level(match_client *client, int side, const match_turn *turn, match_answer *answer)
{
    const match_limits *l = turn->limits;
    char text[160];
    ply_text line = ply_text_fixed(text, sizeof text);
    ply_text_string(&line, "level");
    if (l->has_clock) {
        /* The program counts the increment in before its move; on our clocks it is in already. */
        uint64_t left = turn->left[side] + l->byoyomi;
        uint64_t bare = left > l->increment ? left - l->increment : 0;
        ply_text_format(&line, " time=%.3f inc=%.3f", (double)bare / 1000,
                        (double)l->increment / 1000);
    } else if (l->millis) {
        ply_text_format(&line, " move-time=%.3f", (double)l->millis / 1000);
    }
    if (l->depth)
        ply_text_format(&line, " depth=%d", l->depth);
    if (l->nodes)
        ply_text_format(&line, " nodes=%" PRIu64, l->nodes);
    return ply_client_send(client, text, answer) && ply_client_send(client, "go think", answer);
}

/* Scores are in men; a forced end is 100 less a hundredth for each ply. */
static void note_score(const char *line, match_answer *answer)
{
    const char *at = strstr(line, " score=");
    int64_t number;
    if (!at || (ply_client_number_after(line, "multipv=", &number) && number != 1))
        return;
    double men = strtod(at + strlen(" score="), NULL);
    if (!(men >= -100 && men <= 100))
        return;
    int32_t score = (int32_t)(men * 100 + (men < 0 ? -0.5 : 0.5));
    if (score >= 9000)
        score += PLY_SCORE_WIN - 10000;
    else if (score <= -9000)
        score -= PLY_SCORE_WIN - 10000;
    answer->has_score = true;
    answer->score = score;
}

/* The legal move that the program means. */
static void find_move(const ply_state *state, const char *text, size_t length, match_answer *answer)
{
    const ply_rules *rules = state->rules;
    draughts_move wanted;
    bool takes;
    ply_client_illegal(answer, text, length);
    if (!read_move(text, length, &wanted, &takes))
        return;
    if (wanted.taken_count > 0 || !takes) {
        answer->move = ply_draughts_find(state, &wanted);
        answer->kind = answer->move ? MATCH_MOVE : MATCH_ILLEGAL;
        return;
    }
    /* The squares taken are left out: there must be one capture like that. */
    size_t count = ply_game_count_moves(rules, state->position), found = 0;
    for (size_t i = 0; i < count; i++) {
        ply_move move = ply_game_nth_move(rules, state->position, i);
        draughts_move is = ply_draughts_describe(state, move);
        if (is.from != wanted.from || is.to != wanted.to || is.taken_count == 0)
            continue;
        answer->move = move;
        answer->kind = ++found == 1 ? MATCH_MOVE : MATCH_ILLEGAL;
    }
}

static void converse(match_client *client, const ply_state *state, const match_turn *turn,
                     match_answer *answer)
{
    int side = state->rules->game->side(state->rules, state->position);
    answer->kind = MATCH_CRASH; /* until something else is known */
    if (!send_position(client, state, answer) || !send_level(client, side, turn, answer))
        return;
    const char *line;
    for (;;) {
        if (!ply_client_read(client, turn->deadline, &line, answer))
            return;
        if (ply_client_is(line, "info")) {
            note_score(line, answer);
        } else if (ply_client_is(line, "error")) {
            answer->kind = MATCH_CRASH;
            snprintf(answer->detail, sizeof answer->detail, "said: %.100s", line);
            return;
        } else if (ply_client_is(line, "done")) {
            break;
        }
    }
    const char *move = strstr(line, "move=");
    move = move ? move + strlen("move=") : line;
    move += *move == '"';
    find_move(state, move, strcspn(move, " \t\""), answer);
}

static void think(match_client *client, const ply_state *state, const match_turn *turn,
                  match_answer *answer)
{
    ply_rules figures;
    ply_state copy;
    if (!ply_draughts_figures(client->rules, &figures) || ply_state_copy(&copy, state) != PLY_OK) {
        answer->kind = MATCH_CRASH;
        snprintf(answer->detail, sizeof answer->detail, "out of memory");
        return;
    }
    copy.rules = &figures;
    converse(client, &copy, turn, answer);
    ply_state_free(&copy);
}

const match_protocol ply_match_protocol_hub = {
    .id = "hub",
    .game = "checkers",
    .greet = greet,
    .new_game = new_game,
    .think = think,
    .farewell = "quit",
};
