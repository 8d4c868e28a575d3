/* SPDX-License-Identifier: MIT */
/*
 * client_hub.c - driving a program in Hub version 2.
 *
 *     > hub                            < id ..., param ..., wait
 *     > set-param name=N value=V
 *     > init                           < ready
 *     > new-game
 *     > pos pos=BOARD moves="..."
 *     > level move-time=S | time=S inc=S | depth=D | nodes=N
 *     > go think                       < info ... score=0.12 ... pv="...", done move=M
 *     > level infinite, go analyze, stop     the same, for an analysis
 *
 * A board is the side to move and a letter for each square, w b W B e, by number. Moves are as in
 * wire/draughts_text.h.
 */
#include "match/engine_protocol.h"
#include "model/variation.h"
#include "wire/draughts_text.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    WIN_SCORE = 10000,      /* hundredths; less one per ply to the win */
    LEAST_WIN_SCORE = 9000, /* lower scores are evaluations */
};

/* --- getting ready --------------------------------------------------------------------------- */
static bool set_param(match_client *client, const char *name, const char *value,
                      match_answer *failure)
{
    return ply_client_sendf(client, failure, "set-param name=%s value=\"%s\"", name, value);
}

/* Sends the variant and the options that differ from it. */
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

static bool handshake(match_client *client, match_answer *failure)
{
    bool knows_cpu_time = false;
    client->knows_lines = false;
    uint64_t deadline = ply_client_ready_deadline(client);
    const char *line;
    if (!ply_client_send(client, "hub", failure))
        return false;
    do {
        if (!ply_client_read(client, deadline, &line, failure))
            return false;
        knows_cpu_time |= ply_client_line_is(line, "param name=cputime");
        client->knows_lines |= ply_client_line_is(line, "param name=multipv");
    } while (!ply_client_line_is(line, "wait"));
    return send_rules(client, failure) &&
           (!knows_cpu_time || !client->options->cpu_time ||
            set_param(client, "cputime", "true", failure)) &&
           ply_client_each_setting(client, failure, set_param) &&
           ply_client_send(client, "init", failure) &&
           ply_client_read_until(client, "ready", failure);
}

static bool new_game(match_client *client, match_answer *failure)
{
    return ply_client_send(client, "new-game", failure);
}

/* --- a move ---------------------------------------------------------------------------------- */
static void format_move(const ply_state *state, ply_move move, ply_text *out)
{
    draughts_move description = ply_draughts_describe(state, move);
    ply_hub_move_format(&description, out);
}

/* Sends the position the game began from and all moves since. */
static bool send_position(match_client *client, const ply_state *state, match_answer *answer)
{
    ply_state start;
    draughts_board board;
    ply_text text = ply_text_growing();
    if (ply_state_copy(&start, state) != PLY_OK)
        return ply_client_fail(answer, "out of memory");
    while (ply_state_undo(&start))
        continue;
    ply_draughts_read(&start, &board);
    ply_state_free(&start);
    ply_text_format(&text, "pos pos=%c%s", board.turn, board.squares);
    bool good = true;
    if (state->plies > 0) {
        ply_text_string(&text, " moves=\"");
        good = ply_state_format_moves(state, format_move, &text) == PLY_OK;
        ply_text_char(&text, '"');
    }
    good = good && !text.failed ? ply_client_send(client, ply_text_cstr(&text), answer)
                                : ply_client_fail(answer, "out of memory");
    ply_text_free(&text);
    return good;
}

static bool send_level(match_client *client, int side, const match_turn *turn, match_answer *answer)
{
    const match_limits *l = turn->limits;
    char text[160];
    ply_text line = ply_text_fixed(text, sizeof text);
    if (turn->analysis)
        return (!client->knows_lines ||
                ply_client_sendf(client, answer, "set-param name=multipv value=%u",
                                 turn->analysis->lines)) &&
               ply_client_send(client, "level infinite", answer) &&
               ply_client_send(client, "go analyze", answer);
    ply_text_string(&line, "level");
    if (l->has_clock) {
        /* The program adds the increment before its move; our clocks include it already. */
        uint64_t left = turn->clocks[side] + l->byoyomi;
        uint64_t without = left > l->increment ? left - l->increment : 0;
        ply_text_format(&line, " time=%.3f inc=%.3f", (double)without / 1000,
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

/* Scores are in men; a win in n plies is 100 - n / 100. */
static bool parse_score(const char *line, int32_t *score)
{
    const char *at = strstr(line, " score=");
    if (!at)
        return false;
    double men = strtod(at + strlen(" score="), NULL);
    if (!(men >= -100 && men <= 100))
        return false;
    *score = (int32_t)(men * 100 + (men < 0 ? -0.5 : 0.5));
    if (*score >= LEAST_WIN_SCORE)
        *score += PLY_SCORE_WIN - WIN_SCORE;
    else if (*score <= -LEAST_WIN_SCORE)
        *score -= PLY_SCORE_WIN - WIN_SCORE;
    return true;
}

static void find_move(match_client *client, const ply_state *state, const char *text, size_t length,
                      match_answer *answer)
{
    (void)client;
    const ply_rules *rules = state->rules;
    draughts_move wanted;
    bool is_capture;
    ply_client_set_illegal(answer, text, length);
    if (!ply_hub_move_parse(text, length, &wanted, &is_capture))
        return;
    if (wanted.taken_count > 0 || !is_capture) {
        answer->move = ply_draughts_find(state, &wanted);
        answer->kind = answer->move ? MATCH_MOVE : MATCH_ILLEGAL;
        return;
    }
    /* The pieces taken are left out: only one capture may fit. */
    size_t count = ply_game_count_moves(rules, state->position), found = 0;
    for (size_t i = 0; i < count; i++) {
        ply_move move = ply_game_nth_move(rules, state->position, i);
        draughts_move legal = ply_draughts_describe(state, move);
        if (legal.from != wanted.from || legal.to != wanted.to || legal.taken_count == 0)
            continue;
        answer->move = move;
        answer->kind = ++found == 1 ? MATCH_MOVE : MATCH_ILLEGAL;
    }
}

/* Takes note of a line of info: its score if a move is wanted, its variation in an analysis. */
static void read_info(match_client *client, const ply_state *state, const match_turn *turn,
                      const char *line, match_answer *answer)
{
    int64_t rank = 1, number;
    ply_client_number_after(line, "multipv=", &rank);
    if (!turn->analysis) {
        if (rank == 1 && parse_score(line, &answer->score))
            answer->has_score = true;
        return;
    }
    const char *moves = strstr(line, " pv=");
    if (!moves || rank < 1 || rank > turn->analysis->lines)
        return;
    moves += strlen(" pv=");
    moves += *moves == '"';
    match_info info = {.line = (unsigned)rank};
    if (ply_client_number_after(line, "depth=", &number) && number > 0 && number < INT32_MAX)
        info.depth = (int)number;
    if (ply_client_number_after(line, "nodes=", &number) && number > 0)
        info.nodes = (uint64_t)number;
    info.has_score = parse_score(line, &info.score);
    ply_client_report(client, state, turn, &info, moves, find_move);
}

/* state: a copy whose rules have numeric notation. */
static void request_move(match_client *client, const ply_state *state, const match_turn *turn,
                         match_answer *answer)
{
    int side = state->rules->game->side(state->rules, state->position);
    if (!send_position(client, state, answer) || !send_level(client, side, turn, answer))
        return;
    const char *line;
    for (;;) {
        if (!ply_client_read_thinking(client, turn, &line, answer))
            return;
        if (ply_client_line_is(line, "info")) {
            read_info(client, state, turn, line, answer);
        } else if (ply_client_line_is(line, "error")) {
            ply_client_fail(answer, "said: %.100s", line);
            return;
        } else if (ply_client_line_is(line, "done")) {
            break;
        }
    }
    const char *move = strstr(line, "move=");
    move = move ? move + strlen("move=") : line;
    move += *move == '"';
    find_move(client, state, move, strcspn(move, " \t\""), answer);
}

static void think(match_client *client, const ply_state *state, const match_turn *turn,
                  match_answer *answer)
{
    ply_rules numeric;
    ply_state copy;
    if (!ply_draughts_numeric_rules(client->rules, &numeric) ||
        ply_state_copy(&copy, state) != PLY_OK) {
        ply_client_fail(answer, "out of memory");
        return;
    }
    copy.rules = &numeric;
    request_move(client, &copy, turn, answer);
    ply_state_free(&copy);
}

const match_protocol ply_match_protocol_hub = {
    .id = "hub",
    .game = "checkers",
    .handshake = handshake,
    .new_game = new_game,
    .think = think,
    .quit_command = "quit",
    .analyses = true,
};
