/* SPDX-License-Identifier: MIT */
/*
 * client_xshogi.c - talking to GNU Shogi 1.4, which speaks the tongue of xshogi.
 *
 *     it: GNU Shogi 1.4.2
 *     we: force, then moves      it: 1. 7g7f 300000      (an echo)
 *     we: go                     it: 1. ... 3c3d 298310  (its own move)
 *
 *     we: level 1 0:05           one move in five seconds
 *
 * It knows neither a new position nor a new game that forgets everything, so each game gets a fresh
 * process, and games start from the usual position. It counts whole seconds: a time for each move
 * is rounded up. On a clock it is told to make 60 moves in what there is at the start. Depth and
 * nodes it does not know.
 */
#include "match/engine_protocol.h"
#include <stdio.h>
#include <string.h>

static bool greet(match_client *client, match_answer *failure)
{
    const char *line;
    if (!ply_client_read(client, ply_client_patience(client), &line, failure))
        return false;
    snprintf(client->name, sizeof client->name, "%.90s", line);
    return ply_client_send(client, "force", failure);
}

static bool new_game(match_client *client, match_answer *failure)
{
    (void)client;
    (void)failure;
    return true;
}

static bool send_level(match_client *client, const match_turn *turn, match_answer *answer)
{
    const match_limits *l = turn->limits;
    uint64_t millis = l->has_clock ? l->clock + l->byoyomi : l->millis;
    unsigned seconds = (unsigned)((millis + 999) / 1000);
    if (millis == 0)
        return true;
    return ply_client_sendf(client, answer, "level %d %u:%02u", l->has_clock ? 60 : 1, seconds / 60,
                            seconds % 60);
}

static void think(match_client *client, const ply_state *state, const match_turn *turn,
                  match_answer *answer)
{
    if (!turn->usual_start) {
        answer->kind = MATCH_CRASH;
        snprintf(answer->detail, sizeof answer->detail, "xshogi plays from the usual start only");
        return;
    }
    ply_text moves = ply_text_growing();
    bool good = ply_client_moves_text(state, &moves);
    const char *at = ply_text_cstr(&moves);
    for (size_t i = 0; i < state->plies && good; i++) {
        at += strspn(at, " ");
        int length = (int)strcspn(at, " ");
        /* In force mode before the first move of ours; after that it answers by itself. */
        if (i >= client->told)
            good = ply_client_sendf(client, answer, "%.*s", length, at);
        at += length;
    }
    ply_text_free(&moves);
    bool begins = client->told == 0;
    if (good && begins)
        good = send_level(client, turn, answer);
    client->told = state->plies + 1;
    if (!good || (begins && !ply_client_send(client, "go", answer)))
        return;
    const char *line;
    for (;;) {
        if (!ply_client_read(client, turn->deadline, &line, answer))
            return;
        const char *dots = strstr(line, ". ... ");
        if (dots) {
            at = dots + strlen(". ... ");
            break;
        }
        if (strstr(line, "esigns")) {
            answer->kind = MATCH_RESIGN;
            return;
        }
        if (strstr(line, "llegal move")) {
            answer->kind = MATCH_CRASH;
            snprintf(answer->detail, sizeof answer->detail, "said: %.100s", line);
            return;
        }
    }
    ply_client_take_move(client, state, at, strcspn(at, " "), answer);
}

const match_protocol ply_match_protocol_xshogi = {
    .id = "xshogi",
    .game = "shogi",
    .greet = greet,
    .new_game = new_game,
    .think = think,
    .farewell = "quit",
    .fresh = true,
};
