/* SPDX-License-Identifier: MIT */
/*
 * engine_protocol.h - what one protocol adds to the common part of a conversation with a program.
 *
 * The functions return through *answer; anything but MATCH_MOVE there ends the game, and after
 * MATCH_TIME or MATCH_CRASH the program is ended and started again for the next game.
 */
#ifndef PLY_MATCH_ENGINE_PROTOCOL_H
#define PLY_MATCH_ENGINE_PROTOCOL_H

#include "match/engine.h"

typedef struct match_client match_client;

typedef struct match_protocol {
    const char *id;
    const char *game; /* the only game it is for; NULL: any */
    /* What stands against it in these rules, in words; NULL, or may be NULL: nothing. */
    const char *(*objection)(const ply_rules *rules);
    /* From a fresh process to one that is ready for games. */
    bool (*greet)(match_client *client, match_answer *failure);
    bool (*new_game)(match_client *client, match_answer *failure);
    void (*think)(match_client *client, const ply_state *state, const match_turn *turn,
                  match_answer *answer);
    void (*game_over)(match_client *client, int result); /* may be NULL */
    const char *farewell;                                /* sent before its input is closed */
    bool fresh;                                          /* each game wants a process of its own */
} match_protocol;

struct match_client {
    const match_protocol *dialect;
    const match_engine_options *options;
    const ply_rules *rules;
    match_process *process;
    size_t told; /* plies of the game that the program knows, for protocols that go move by move */
    char name[96];
};

extern const match_protocol ply_match_protocol_usi, ply_match_protocol_ply,
    ply_match_protocol_gomocup, ply_match_protocol_hub, ply_match_protocol_xshogi;

/* The next line; anything else fills *answer (MATCH_TIME, MATCH_CRASH or MATCH_STOPPED). */
bool ply_client_read(match_client *client, uint64_t deadline, const char **line,
                     match_answer *answer);
/* Sends a line; false, with *answer filled, when the program does not take it. */
bool ply_client_send(match_client *client, const char *line, match_answer *answer);
bool ply_client_sendf(match_client *client, match_answer *answer, const char *format, ...)
    PLY_PRINTF(3, 4);
/* Reads until a line that begins with the word. */
bool ply_client_await(match_client *client, const char *word, match_answer *failure);
/* When getting ready has taken too long. */
uint64_t ply_client_patience(const match_client *client);
/* Whether the line begins with the word, as a whole word. */
bool ply_client_is(const char *line, const char *word);
/* The number behind a word of the line, such as "score cp" in "info score cp 12". */
bool ply_client_number_after(const char *line, const char *words, int64_t *number);
/* Reads a move in the game's own notation into the answer, or makes it MATCH_ILLEGAL. */
void ply_client_take_move(match_client *client, const ply_state *state, const char *text,
                          size_t length, match_answer *answer);
void ply_client_illegal(match_answer *answer, const char *text, size_t length);
/* Calls visit with each name and value of the settings. False, as visit, when sending failed. */
bool ply_client_each_setting(match_client *client, match_answer *failure,
                             bool (*visit)(match_client *client, const char *name,
                                           const char *value, match_answer *failure));
/* The value of a rule's option, or default_value where the game has none of that name. */
int32_t ply_client_rule(const ply_rules *rules, const char *option, int32_t default_value);
/* The moves of the state from the start on, each behind a blank, in the game's notation. */
bool ply_client_moves_text(const ply_state *state, ply_text *out);

#endif
