/* SPDX-License-Identifier: MIT */
/*
 * client_uci.c - driving a program in a protocol of the UCI family: USI, or our own ply
 * (docs/protocols.md). In USI:
 *
 *     > usi                      < id name N ... usiok
 *     > setoption name N value V
 *     > isready                  < readyok
 *     > usinewgame
 *     > position startpos|sfen S [moves ...]
 *     > go ...                   < info ... score cp N|mate N ... pv ... bestmove M
 *     > go infinite, stop        the same, for an analysis
 *     > gameover win|lose|draw
 *
 * A fixed time per move is sent to a USI program as `movetime` if it is known to understand that,
 * and otherwise as byoyomi with empty clocks, the only form the standard has. Programs hold back
 * more of a byoyomi period than of a fixed time.
 */
#include "match/engine_protocol.h"
#include "model/variation.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { UNKNOWN_DISTANCE = 9000 }; /* plies; for a forced win of unknown length */

static bool is_usi(const match_client *client)
{
    return client->protocol->uci == &ply_uci_words_usi;
}

static bool set_option(match_client *client, const char *name, const char *value,
                       match_answer *failure)
{
    return value[0] ? ply_client_sendf(client, failure, "setoption name %s value %s", name, value)
                    : ply_client_sendf(client, failure, "setoption name %s", name);
}

/* Programs that understand `go movetime`, by the beginning of their names. */
static bool knows_movetime(const char *name)
{
    static const char *const known[] = {"Fairy-Stockfish", "Plyverse", "YaneuraOu"};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strncmp(name, known[i], strlen(known[i])) == 0)
            return true;
    return false;
}

static bool handshake(match_client *client, match_answer *failure)
{
    const uci_words *words = client->protocol->uci;
    bool knows_cpu_time = false;
    client->knows_lines = false;
    client->knows_movetime = client->options->move_time == MATCH_MOVE_TIME_MOVETIME;
    if (!ply_client_send(client, words->hello, failure))
        return false;
    uint64_t deadline = ply_client_ready_deadline(client);
    const char *line;
    do {
        if (!ply_client_read(client, deadline, &line, failure))
            return false;
        if (ply_client_line_is(line, "id name")) {
            const char *name = strstr(line, "name") + strlen("name");
            snprintf(client->name, sizeof client->name, "%.90s", name + strspn(name, " "));
            if (client->options->move_time == MATCH_MOVE_TIME_AUTO)
                client->knows_movetime = knows_movetime(client->name);
        }
        knows_cpu_time |= ply_client_line_is(line, "option name CpuTime");
        client->knows_lines |= ply_client_line_is(line, "option name MultiPV");
    } while (!ply_client_line_is(line, words->hello_done));
    if (!is_usi(client)) {
        char variant[256];
        ply_text text = ply_text_fixed(variant, sizeof variant);
        ply_rules_format(client->rules, &text);
        if (!ply_client_sendf(client, failure, "game %s %s", client->rules->game->id, variant))
            return false;
    }
    if (knows_cpu_time && client->options->cpu_time &&
        !set_option(client, "CpuTime", "true", failure))
        return false;
    return ply_client_each_setting(client, failure, set_option);
}

static bool new_game(match_client *client, match_answer *failure)
{
    return ply_client_send(client, "isready", failure) &&
           ply_client_read_until(client, "readyok", failure) &&
           ply_client_send(client, client->protocol->uci->new_game, failure);
}

static bool send_position(match_client *client, const ply_state *state, const match_turn *turn,
                          match_answer *answer)
{
    ply_text line = ply_text_growing();
    ply_text_string(&line, "position ");
    if (turn->usual_start)
        ply_text_string(&line, client->protocol->uci->start);
    else
        ply_text_format(&line, "%s %s", client->protocol->uci->text, turn->start_text);
    bool good = true;
    if (state->plies > 0) {
        ply_text_string(&line, " moves ");
        good = ply_state_format_moves(state, NULL, &line) == PLY_OK;
    }
    good = good ? ply_client_send(client, ply_text_cstr(&line), answer)
                : ply_client_fail(answer, "out of memory");
    ply_text_free(&line);
    return good;
}

static bool send_go(match_client *client, const match_turn *turn, match_answer *answer)
{
    const uci_words *words = client->protocol->uci;
    const match_limits *l = turn->limits;
    char text[256];
    ply_text line = ply_text_fixed(text, sizeof text);
    ply_text_string(&line, "go");
    if (turn->analysis) {
        if (client->knows_lines &&
            !ply_client_sendf(client, answer, "setoption name MultiPV value %u",
                              turn->analysis->lines))
            return false;
        return ply_client_send(client, "go infinite", answer);
    }
    if (l->has_clock) {
        ply_text_format(&line, " %s %" PRIu64 " %s %" PRIu64, words->clock[0], turn->clocks[0],
                        words->clock[1], turn->clocks[1]);
        if (l->byoyomi || (is_usi(client) && !l->increment))
            ply_text_format(&line, " byoyomi %" PRIu64, l->byoyomi);
        if (l->increment)
            ply_text_format(&line, " %s %" PRIu64 " %s %" PRIu64, words->increment[0], l->increment,
                            words->increment[1], l->increment);
    } else if (l->millis && is_usi(client) && !client->knows_movetime) {
        ply_text_format(&line, " btime 0 wtime 0 byoyomi %" PRIu64, l->millis);
    } else if (l->millis) {
        ply_text_format(&line, " movetime %" PRIu64, l->millis);
    }
    if (l->depth)
        ply_text_format(&line, " depth %d", l->depth);
    if (l->nodes)
        ply_text_format(&line, " nodes %" PRIu64, l->nodes);
    return ply_client_send(client, text, answer);
}

/* The score of a forced win or loss in that many plies; the sign of plies does not matter. */
static int32_t forced_score(bool won, int64_t plies)
{
    bool known = -UNKNOWN_DISTANCE < plies && plies < UNKNOWN_DISTANCE;
    int32_t distance = known ? abs((int32_t)plies) : UNKNOWN_DISTANCE;
    int32_t score = PLY_SCORE_WIN - distance;
    return won ? score : -score;
}

/* The score of a line of info; false if it has none. */
static bool parse_score(const char *line, int32_t *score)
{
    int64_t number = UNKNOWN_DISTANCE;
    const char *mate = strstr(line, "score mate "), *win = strstr(line, "score win"),
               *loss = strstr(line, "score loss");
    if (ply_client_number_after(line, "score cp", &number)) {
        *score = number > PLY_SCORE_FORCED    ? PLY_SCORE_FORCED
                 : number < -PLY_SCORE_FORCED ? -PLY_SCORE_FORCED
                                              : (int32_t)number;
    } else if (mate) {
        /* The sign comes from the text: there are also "mate +", "mate -" and "mate -0". */
        number = UNKNOWN_DISTANCE;
        ply_client_number_after(line, "score mate", &number);
        *score = forced_score(mate[strlen("score mate ")] != '-', number);
    } else if (win || loss) {
        number = UNKNOWN_DISTANCE;
        ply_client_number_after(line, win ? "score win" : "score loss", &number);
        *score = forced_score(win != NULL, number);
    } else {
        return false;
    }
    return true;
}

/* Takes note of a line of info: its score if a move is wanted, its variation in an analysis. */
static void read_info(match_client *client, const ply_state *state, const match_turn *turn,
                      const char *line, match_answer *answer)
{
    int64_t rank = 1, number;
    ply_client_number_after(line, "multipv", &rank);
    if (!turn->analysis) {
        if (rank == 1 && parse_score(line, &answer->score))
            answer->has_score = true;
        return;
    }
    const char *moves = strstr(line, " pv ");
    if (!moves || rank < 1 || rank > turn->analysis->lines)
        return;
    match_info info = {.line = (unsigned)rank};
    if (ply_client_number_after(line, "depth", &number) && number > 0 && number < INT32_MAX)
        info.depth = (int)number;
    if (ply_client_number_after(line, "nodes", &number) && number > 0)
        info.nodes = (uint64_t)number;
    info.has_score = parse_score(line, &info.score);
    ply_client_report(client, state, turn, &info, moves + strlen(" pv "), ply_client_parse_move);
}

static void think(match_client *client, const ply_state *state, const match_turn *turn,
                  match_answer *answer)
{
    if (!send_position(client, state, turn, answer) || !send_go(client, turn, answer))
        return;
    const char *line;
    for (;;) {
        if (!ply_client_read_thinking(client, turn, &line, answer))
            return;
        if (ply_client_line_is(line, "info"))
            read_info(client, state, turn, line, answer);
        else if (ply_client_line_is(line, "bestmove"))
            break;
    }
    line += strcspn(line, "b") + strlen("bestmove");
    line += strspn(line, " \t");
    size_t length = strcspn(line, " \t");
    if (length == 6 && strncmp(line, "resign", 6) == 0)
        answer->kind = MATCH_RESIGN;
    else if (length == 3 && strncmp(line, "win", 3) == 0)
        answer->kind = MATCH_CLAIM;
    else
        ply_client_parse_move(client, state, line, length, answer);
}

static void game_over(match_client *client, int result)
{
    match_answer ignored;
    ply_client_sendf(client, &ignored, "gameover %s",
                     result > 0   ? "win"
                     : result < 0 ? "lose"
                                  : "draw");
}

const match_protocol ply_match_protocol_usi = {
    .id = "usi",
    .game = "shogi",
    .uci = &ply_uci_words_usi,
    .handshake = handshake,
    .new_game = new_game,
    .think = think,
    .game_over = game_over,
    .quit_command = "quit",
    .analyses = true,
};

const match_protocol ply_match_protocol_ply = {
    .id = "ply",
    .uci = &ply_uci_words_ply,
    .handshake = handshake,
    .new_game = new_game,
    .think = think,
    .game_over = game_over,
    .quit_command = "quit",
    .analyses = true,
};
