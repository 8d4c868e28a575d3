/* SPDX-License-Identifier: MIT */
/*
 * ply.c - ply, our own protocol for every game, modelled on UCI; docs/protocols.md describes it.
 *
 * Positions and moves are in the games' own notation. Players are 1 (who starts) and 2. A player
 * may have several moves in a row: bestmove answers one move, and the client asks again.
 */
#include "protocol/uci.h"
#include <plyverse/plyverse.h>
#include <stdlib.h>

enum { VARIANT_ROOM = 256 };

static void send_game(ply_session *s)
{
    ply_text text = ply_text_growing();
    ply_text_format(&text, "game %s ", s->rules.game->id);
    ply_rules_format(&s->rules, &text);
    ply_protocol_send_text(s, &text);
}

static void introduce(ply_session *s)
{
    const ply_game *game = s->options.custom_game;
    ply_protocol_send(s, "protocol 1");
    if (game)
        ply_protocol_send(s, "plays %s %s", game->id, game->name);
    for (size_t i = 0; (game = ply_game_at(i)) != NULL; i++)
        ply_protocol_send(s, "plays %s %s", game->id, game->name);
    send_game(s);
}

static void set_game(ply_session *s, ply_cursor *cursor)
{
    uci_data *data = s->data;
    ply_error error = {0};
    protocol_token id, variant;
    char text[VARIANT_ROOM];
    ply_token_next(cursor, &id);
    ply_token_next(cursor, &variant);
    const ply_game *game = ply_protocol_find_game(s, id.text, id.length);
    ply_text copy = ply_text_fixed(text, sizeof text);
    ply_text_bytes(&copy, variant.text, variant.length);
    ply_status status;
    if (!game)
        status = ply_error_set(&error, PLY_UNKNOWN_GAME, "no such game");
    else if (!ply_text_complete(&copy))
        status = ply_error_set(&error, PLY_UNKNOWN_VARIANT, "the variant is too long");
    else
        status = ply_protocol_set_rules(s, game, text, &error);
    if (status != PLY_OK) {
        ply_uci_send_error(s, "game", &error);
        return;
    }
    data->no_position = false;
    send_game(s);
}

static void new_game(ply_session *s)
{
    uci_data *data = s->data;
    ply_protocol_clear_search(s);
    data->no_position = ply_state_restart(&s->state) != PLY_OK;
}

/* Plays moves from the current position. An illegal one leaves the position unchanged. */
static void play(ply_session *s, ply_cursor *cursor)
{
    const uci_data *data = s->data;
    ply_error error = {0};
    protocol_token moves = ply_token_rest(cursor);
    ply_protocol_stop_search(s, false);
    if (data->no_position)
        ply_protocol_send(s, "error play: there is no position");
    else if (ply_state_play_text(&s->state, moves.text, moves.length, &error) != PLY_OK)
        ply_uci_send_error(s, "play", &error);
}

static void undo(ply_session *s, ply_cursor *cursor)
{
    const uci_data *data = s->data;
    protocol_token token;
    uint64_t count = 1;
    ply_protocol_stop_search(s, false);
    if (ply_token_next(cursor, &token) && !ply_token_number(token, UINT32_MAX, &count))
        ply_protocol_send(s, "error undo: expected a number of moves");
    else if (data->no_position || count > s->state.plies)
        ply_protocol_send(s, "error undo: there are only %zu moves to take back",
                          data->no_position ? 0 : s->state.plies);
    else
        while (count-- > 0)
            ply_state_undo(&s->state);
}

static void send_state(ply_session *s)
{
    const ply_rules *rules = &s->rules;
    ply_protocol_stop_search(s, false);
    ply_outcome outcome = ply_state_outcome(&s->state);
    ply_text text = ply_text_growing();
    ply_text_format(&text, "state player %d plies %zu result %s",
                    rules->game->side(rules, s->state.position) + 1, s->state.plies,
                    ply_result_name(outcome.result));
    if (outcome.reason)
        ply_text_format(&text, " reason %s", outcome.reason);
    ply_text_string(&text, " position ");
    rules->game->format(rules, s->state.position, &text);
    ply_protocol_send_text(s, &text);
}

static void send_moves(ply_session *s)
{
    const ply_rules *rules = &s->rules;
    ply_protocol_stop_search(s, false);
    ply_move *moves = malloc(rules->max_moves * sizeof(ply_move));
    if (!moves) {
        ply_protocol_send(s, "error moves: out of memory");
        return;
    }
    size_t count = rules->game->moves(rules, s->state.position, moves);
    ply_text text = ply_text_growing();
    ply_text_format(&text, "moves %zu", count);
    for (size_t i = 0; i < count; i++) {
        ply_text_char(&text, ' ');
        ply_move_format(&s->state, moves[i], &text);
    }
    free(moves);
    ply_protocol_send_text(s, &text);
}

static void go(ply_session *s, ply_cursor *cursor)
{
    const uci_data *data = s->data;
    uci_go arguments;
    ply_protocol_stop_search(s, false);
    ply_uci_go_parse(s, cursor, &arguments);
    if (arguments.is_mate)
        arguments.limits.mate = arguments.mate_number && arguments.mate_number < PLY_PV_LIMIT
                                    ? (int)arguments.mate_number
                                    : PLY_SCORE_WIN - PLY_SCORE_FORCED;
    if (data->no_position || ply_game_count_moves(&s->rules, s->state.position) == 0 ||
        !ply_protocol_start_search(s, &arguments.limits, 0))
        ply_protocol_send(s, "bestmove none");
    ply_uci_go_free(&arguments);
}

static bool command(ply_session *s, protocol_token name, ply_cursor *cursor)
{
    if (ply_token_is(name, "game"))
        set_game(s, cursor);
    else if (ply_token_is(name, "newgame"))
        new_game(s);
    else if (ply_token_is(name, "play"))
        play(s, cursor);
    else if (ply_token_is(name, "undo"))
        undo(s, cursor);
    else if (ply_token_is(name, "state"))
        send_state(s);
    else if (ply_token_is(name, "moves"))
        send_moves(s);
    else if (ply_token_is(name, "go"))
        go(s, cursor);
    else
        return false;
    return true;
}

static const uci_syntax syntax = {
    .words = &ply_uci_words_ply,
    .hash_name = "Hash",
    .ponder_name = "Ponder",
    .win_word = "win ",
    .loss_word = "loss ",
    .win_unknown = "win",
    .loss_unknown = "loss",
    .none_word = "none",
    .error_word = "error",
    .introduce = introduce,
    .command = command,
};

const protocol_handler ply_protocol_ply = {
    .description = {.id = "ply", .summary = "our own, for every game; modelled on UCI"},
    .data_bytes = sizeof(uci_data),
    .uci = &syntax,
    .line = ply_uci_line,
    .info = ply_uci_info,
    .answer = ply_uci_bestmove,
};
