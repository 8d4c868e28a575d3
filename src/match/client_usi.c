/* SPDX-License-Identifier: MIT */
/*
 * client_usi.c - talking to a program by USI, and by our own protocol (docs/protocols.md), which is of
 * the same family.
 *
 *     we: usi                    it: id name N ... usiok
 *     we: setoption name N value V
 *     we: isready                it: readyok
 *     we: usinewgame
 *     we: position startpos|sfen S [moves ...]
 *     we: go ...                 it: info ... score cp N|mate N ... bestmove M
 *     we: gameover win|lose|draw
 *
 * A fixed time for each move is sent to a USI program as byoyomi with empty clocks, which is the
 * one form the standard knows.
 */
#include "match/engine_protocol.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct family {
    const char *hello, *hello_done, *new_game;
    const char *usual_start, *other_start; /* words of position */
    const char *clock_names[4];            /* time of player 0 and 1, increment of player 0 and 1 */
    bool is_usi;
} family;

static const family usi_family = {.hello = "usi",
                                  .hello_done = "usiok",
                                  .new_game = "usinewgame",
                                  .usual_start = "startpos",
                                  .other_start = "sfen",
                                  .clock_names = {"btime", "wtime", "binc", "winc"},
                                  .is_usi = true};
static const family ply_family = {.hello = "ply",
                                  .hello_done = "plyok",
                                  .new_game = "newgame",
                                  .usual_start = "start",
                                  .other_start = "text",
                                  .clock_names = {"time1", "time2", "inc1", "inc2"}};

static const family *family_of(const match_client *client)
{
    return client->dialect == &ply_match_protocol_usi ? &usi_family : &ply_family;
}

static bool set_option(match_client *client, const char *name, const char *value,
                       match_answer *failure)
{
    return value[0] ? ply_client_sendf(client, failure, "setoption name %s value %s", name, value)
                    : ply_client_sendf(client, failure, "setoption name %s", name);
}

static bool greet(match_client *client, match_answer *failure)
{
    const family *f = family_of(client);
    if (!ply_client_send(client, f->hello, failure))
        return false;
    uint64_t deadline = ply_client_patience(client);
    const char *line;
    do {
        if (!ply_client_read(client, deadline, &line, failure))
            return false;
        if (ply_client_is(line, "id name"))
            snprintf(client->name, sizeof client->name, "%.90s",
                     strstr(line, "name") + strlen("name") + strspn(strstr(line, "name") + 4, " "));
    } while (!ply_client_is(line, f->hello_done));
    if (!f->is_usi) {
        char variant[256];
        ply_text text = ply_text_fixed(variant, sizeof variant);
        ply_rules_format(client->rules, &text);
        if (!ply_client_sendf(client, failure, "game %s %s", client->rules->game->id, variant))
            return false;
    }
    return ply_client_each_setting(client, failure, set_option);
}

static bool new_game(match_client *client, match_answer *failure)
{
    return ply_client_send(client, "isready", failure) &&
           ply_client_await(client, "readyok", failure) &&
           ply_client_send(client, family_of(client)->new_game, failure);
}

static bool send_position(match_client *client, const ply_state *state, const match_turn *turn,
                          match_answer *answer)
{
    ply_text line = ply_text_growing();
    ply_text_string(&line, "position ");
    if (turn->usual_start)
        ply_text_string(&line, family_of(client)->usual_start);
    else
        ply_text_format(&line, "%s %s", family_of(client)->other_start, turn->start);
    bool good = true;
    if (state->plies > 0) {
        ply_text_string(&line, " moves");
        good = ply_client_moves_text(state, &line);
    }
    if (!good)
        answer->kind = MATCH_CRASH;
    good = good && ply_client_send(client, ply_text_cstr(&line), answer);
    ply_text_free(&line);
    return good;
}

static bool send_go(match_client *client, const match_turn *turn, match_answer *answer)
{
    const family *f = family_of(client);
    const match_limits *l = turn->limits;
    char text[256];
    ply_text line = ply_text_fixed(text, sizeof text);
    ply_text_string(&line, "go");
    if (l->has_clock) {
        ply_text_format(&line, " %s %" PRIu64 " %s %" PRIu64, f->clock_names[0], turn->left[0],
                        f->clock_names[1], turn->left[1]);
        if (l->byoyomi || (f->is_usi && !l->increment))
            ply_text_format(&line, " byoyomi %" PRIu64, l->byoyomi);
        if (l->increment)
            ply_text_format(&line, " %s %" PRIu64 " %s %" PRIu64, f->clock_names[2], l->increment,
                            f->clock_names[3], l->increment);
    } else if (l->millis && f->is_usi) {
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

/* A forced end, so many plies away; without a number, at the far end of the scale. */
static int32_t forced_score(bool won, int64_t plies)
{
    int32_t near = (int32_t)(plies < 0 ? -plies : plies);
    int32_t score = near < 9000 ? PLY_SCORE_WIN - near : PLY_SCORE_WIN - 9000;
    return won ? score : -score;
}

static void note_score(const char *line, match_answer *answer)
{
    int64_t number = 9000;
    if (ply_client_number_after(line, "multipv", &number) && number != 1)
        return;
    const char *mate = strstr(line, "score mate "), *win = strstr(line, "score win"),
               *loss = strstr(line, "score loss");
    if (ply_client_number_after(line, "score cp", &number)) {
        answer->score = number > PLY_SCORE_FORCED    ? PLY_SCORE_FORCED
                        : number < -PLY_SCORE_FORCED ? -PLY_SCORE_FORCED
                                                     : (int32_t)number;
    } else if (mate) {
        /* Also "mate +", "mate -" and "mate -0": the sign is in the text. */
        number = 9000;
        ply_client_number_after(line, "score mate", &number);
        answer->score = forced_score(mate[strlen("score mate ")] != '-', number);
    } else if (win || loss) {
        number = 9000;
        ply_client_number_after(line, win ? "score win" : "score loss", &number);
        answer->score = forced_score(win != NULL, number);
    } else {
        return;
    }
    answer->has_score = true;
}

static void think(match_client *client, const ply_state *state, const match_turn *turn,
                  match_answer *answer)
{
    if (!send_position(client, state, turn, answer) || !send_go(client, turn, answer))
        return;
    const char *line;
    for (;;) {
        if (!ply_client_read(client, turn->deadline, &line, answer))
            return;
        if (ply_client_is(line, "info"))
            note_score(line, answer);
        else if (ply_client_is(line, "bestmove"))
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
        ply_client_take_move(client, state, line, length, answer);
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
    .greet = greet,
    .new_game = new_game,
    .think = think,
    .game_over = game_over,
    .farewell = "quit",
};

const match_protocol ply_match_protocol_ply = {
    .id = "ply",
    .greet = greet,
    .new_game = new_game,
    .think = think,
    .game_over = game_over,
    .farewell = "quit",
};
