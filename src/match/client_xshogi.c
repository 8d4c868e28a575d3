/* SPDX-License-Identifier: MIT */
/*
 * client_xshogi.c - driving GNU Shogi 1.4 in the xshogi protocol.
 *
 *                                < GNU Shogi 1.4.2
 *     > force, then moves        < 1. 7g7f 300000      an echo
 *     > level 1 0:05             one move in five seconds
 *     > go                       < 1. ... 3c3d 298310  its own move
 *
 * The program cannot set up a position or reset itself for a new game, so each game gets a new
 * process and begins from the usual start. It counts whole seconds: the time for a move is rounded
 * up. On a clock it gets 60 moves in the initial time. It has no limits of depth or
 * nodes.
 */
#include "match/engine_protocol.h"
#include "model/variation.h"
#include <stdio.h>
#include <string.h>

enum { CLOCK_MOVES = 60 };

static bool handshake(match_client *client, match_answer *failure)
{
    const char *line;
    if (!ply_client_read(client, ply_client_ready_deadline(client), &line, failure))
        return false;
    snprintf(client->name, sizeof client->name, "%.90s", line);
    return ply_client_send(client, "force", failure);
}

static bool send_level(match_client *client, const match_turn *turn, match_answer *answer)
{
    const match_limits *l = turn->limits;
    uint64_t millis = l->has_clock ? l->clock + l->byoyomi : l->millis;
    unsigned seconds = (unsigned)((millis + 999) / 1000);
    if (millis == 0)
        return true;
    return ply_client_sendf(client, answer, "level %d %u:%02u", l->has_clock ? CLOCK_MOVES : 1,
                            seconds / 60, seconds % 60);
}

/* Sends the moves the program has not seen, and go before its first one. */
static bool send_moves(match_client *client, const ply_state *state, const match_turn *turn,
                       match_answer *answer)
{
    ply_text moves = ply_text_growing();
    bool good = ply_state_format_moves(state, NULL, &moves) == PLY_OK ||
                ply_client_fail(answer, "out of memory");
    const char *at = ply_text_cstr(&moves);
    for (size_t i = 0; i < state->plies && good; i++) {
        at += strspn(at, " ");
        int length = (int)strcspn(at, " ");
        if (i >= client->plies_sent)
            good = ply_client_sendf(client, answer, "%.*s", length, at);
        at += length;
    }
    ply_text_free(&moves);
    /* In force mode until now; after go it answers each move by itself. */
    bool first = client->plies_sent == 0;
    client->plies_sent = state->plies + 1;
    if (good && first)
        good = send_level(client, turn, answer) && ply_client_send(client, "go", answer);
    return good;
}

static void think(match_client *client, const ply_state *state, const match_turn *turn,
                  match_answer *answer)
{
    if (!turn->usual_start) {
        ply_client_fail(answer, "xshogi plays from the usual start only");
        return;
    }
    if (!send_moves(client, state, turn, answer))
        return;
    const char *line, *move;
    for (;;) {
        if (!ply_client_read(client, turn->deadline, &line, answer))
            return;
        const char *dots = strstr(line, ". ... ");
        if (dots) {
            move = dots + strlen(". ... ");
            break;
        }
        if (strstr(line, "esigns")) {
            answer->kind = MATCH_RESIGN;
            return;
        }
        if (strstr(line, "llegal move")) {
            ply_client_fail(answer, "said: %.100s", line);
            return;
        }
    }
    ply_client_parse_move(client, state, move, strcspn(move, " "), answer);
}

const match_protocol ply_match_protocol_xshogi = {
    .id = "xshogi",
    .game = "shogi",
    .handshake = handshake,

    .think = think,
    .quit_command = "quit",
    .restarts = true,
};
