/* SPDX-License-Identifier: MIT */
/*
 * ply.c - our own protocol, for every game, modelled on UCI; docs/protocols.md describes it.
 *
 * Texts of positions and moves are the games' own. Players are 1 (who starts) and 2. A player may
 * have several moves in a row: bestmove answers one move, and the client asks again.
 */
#include "protocol/uci.h"
#include <plyverse/plyverse.h>
#include <stdlib.h>

static const uci_variant dialect = {
    .keys = {[UCI_TIME_FIRST] = "time1",
             [UCI_TIME_SECOND] = "time2",
             [UCI_INCREMENT_FIRST] = "inc1",
             [UCI_INCREMENT_SECOND] = "inc2"},
    .hash_name = "Hash",
    .ponder_name = "Ponder",
    .win_word = "win ",
    .loss_word = "loss ",
    .win_unknown = "win",
    .loss_unknown = "loss",
    .start_word = "start",
    .text_word = "text",
    .error_word = "error",
};

static void say_game(ply_session *s)
{
    ply_text text = ply_text_growing();
    ply_text_format(&text, "game %s ", s->rules.game->id);
    ply_rules_format(&s->rules, &text);
    ply_protocol_say_text(s, &text);
}

static void say_hello(ply_session *s)
{
    ply_protocol_say(s, "id name Plyverse %s", ply_version());
    ply_protocol_say(s, "id author the Plyverse authors");
    ply_protocol_say(s, "protocol 1");
    for (size_t i = 0; i < ply_game_count(); i++)
        ply_protocol_say(s, "plays %s %s", ply_game_at(i)->id, ply_game_at(i)->name);
    say_game(s);
    ply_uci_say_options(s, &dialect);
    ply_protocol_say(s, "plyok");
}

static void set_game(ply_session *s, ply_cursor *cursor)
{
    uci_own *own = s->own;
    ply_error error = {0};
    protocol_word id = {"", 0}, variant = {"", 0};
    const ply_game *game = NULL;
    char text[256];
    ply_protocol_next(cursor, &id);
    ply_protocol_next(cursor, &variant);
    for (size_t i = 0; i < ply_game_count() && !game; i++)
        if (ply_protocol_is(id, ply_game_at(i)->id))
            game = ply_game_at(i);
    ply_text copy = ply_text_fixed(text, sizeof text);
    ply_text_bytes(&copy, variant.text, variant.length);
    ply_status status = PLY_OK;
    if (!game)
        status = ply_error_set(&error, PLY_UNKNOWN_GAME, "no such game");
    else if (!ply_text_complete(&copy))
        status = ply_error_set(&error, PLY_UNKNOWN_VARIANT, "a variant of this length is none");
    else
        status = ply_protocol_set_rules(s, game, text, &error);
    if (status != PLY_OK) {
        ply_uci_say_error(s, &dialect, "game", &error);
        return;
    }
    own->no_position = false;
    say_game(s);
}

/* Moves played on from where we are. A bad one leaves all as it was. */
static void play(ply_session *s, ply_cursor *cursor)
{
    uci_own *own = s->own;
    ply_error error = {0};
    protocol_word moves = ply_protocol_rest(cursor);
    ply_protocol_halt(s, false);
    if (own->no_position)
        ply_protocol_say(s, "error play: there is no position");
    else if (ply_state_play_text(&s->state, moves.text, moves.length, &error) != PLY_OK)
        ply_uci_say_error(s, &dialect, "play", &error);
}

static void undo(ply_session *s, ply_cursor *cursor)
{
    uci_own *own = s->own;
    protocol_word word;
    uint64_t count = 1;
    ply_protocol_halt(s, false);
    if (ply_protocol_next(cursor, &word) && !ply_protocol_number(word, UINT32_MAX, &count))
        ply_protocol_say(s, "error undo: expected a number of moves");
    else if (own->no_position || count > s->state.plies)
        ply_protocol_say(s, "error undo: there are only %zu moves to take back",
                         own->no_position ? 0 : s->state.plies);
    else
        while (count-- > 0)
            ply_state_undo(&s->state);
}

static void say_state(ply_session *s)
{
    const ply_rules *rules = &s->rules;
    ply_protocol_halt(s, false);
    ply_outcome outcome = ply_state_outcome(&s->state);
    ply_text text = ply_text_growing();
    ply_text_format(&text, "state player %d plies %zu result %s",
                    rules->game->side(rules, s->state.position) + 1, s->state.plies,
                    ply_result_name(outcome.result));
    if (outcome.reason)
        ply_text_format(&text, " reason %s", outcome.reason);
    ply_text_string(&text, " position ");
    rules->game->format(rules, s->state.position, &text);
    ply_protocol_say_text(s, &text);
}

static void say_moves(ply_session *s)
{
    const ply_rules *rules = &s->rules;
    ply_protocol_halt(s, false);
    ply_move *moves = malloc(rules->max_moves * sizeof(ply_move));
    if (!moves) {
        ply_protocol_say(s, "error moves: out of memory");
        return;
    }
    size_t count = rules->game->moves(rules, s->state.position, moves);
    ply_text text = ply_text_growing();
    ply_text_format(&text, "moves %zu", count);
    for (size_t i = 0; i < count; i++) {
        ply_text_char(&text, ' ');
        ply_protocol_move_text(&s->state, moves[i], &text);
    }
    free(moves);
    ply_protocol_say_text(s, &text);
}

static void go(ply_session *s, ply_cursor *cursor)
{
    uci_own *own = s->own;
    uci_go order;
    ply_protocol_halt(s, false);
    ply_uci_go_read(s, &dialect, cursor, &order);
    if (order.is_mate)
        order.limits.mate = order.mate_number && order.mate_number < PLY_PV_LIMIT
                                ? (int)order.mate_number
                                : PLY_SCORE_WIN - PLY_SCORE_FORCED;
    if (own->no_position || ply_game_count_moves(&s->rules, s->state.position) == 0 ||
        !ply_protocol_go(s, &order.limits, 0))
        ply_protocol_say(s, "bestmove none");
    ply_uci_go_free(&order);
}

static void info(ply_session *s, const ply_search_report *report)
{
    ply_uci_say_info(s, &dialect, report);
}

static void say_answer(ply_session *s, const protocol_answer *answer)
{
    ply_uci_say_bestmove(s, answer, "none");
}

static bool line(ply_session *s, const char *text, size_t length)
{
    uci_own *own = s->own;
    ply_error error = {0};
    ply_cursor cursor = ply_cursor_make(text, length, &error);
    protocol_word word;
    if (!ply_protocol_next(&cursor, &word))
        return true;
    if (ply_protocol_is(word, "ply")) {
        say_hello(s);
    } else if (ply_protocol_is(word, "game")) {
        set_game(s, &cursor);
    } else if (ply_protocol_is(word, "newgame")) {
        ply_protocol_forget(s);
        own->no_position = ply_state_restart(&s->state) != PLY_OK;
    } else if (ply_protocol_is(word, "play")) {
        play(s, &cursor);
    } else if (ply_protocol_is(word, "undo")) {
        undo(s, &cursor);
    } else if (ply_protocol_is(word, "state")) {
        say_state(s);
    } else if (ply_protocol_is(word, "moves")) {
        say_moves(s);
    } else if (ply_protocol_is(word, "go")) {
        go(s, &cursor);
    } else {
        return ply_uci_command(s, &dialect, word, &cursor);
    }
    return true;
}

const protocol_kind ply_protocol_ply = {
    .face = {.id = "ply", .summary = "our own, for every game; modelled on UCI"},
    .own_bytes = sizeof(uci_own),
    .line = line,
    .info = info,
    .answer = say_answer,
};
