/* SPDX-License-Identifier: MIT */
/*
 * engine_protocol.h - clients: how to drive a program in one of the protocols.
 *
 * Each protocol is a match_protocol in a file client_*.c; the ply_client_* functions are what they
 * share. Functions report through *answer: any kind but MATCH_MOVE ends the game. After
 * MATCH_TIMEOUT or MATCH_CRASH the program is killed and restarted for the next game.
 */
#ifndef PLY_MATCH_ENGINE_PROTOCOL_H
#define PLY_MATCH_ENGINE_PROTOCOL_H

#include "match/engine.h"
#include "wire/uci_words.h"

typedef struct match_client match_client;

/* Keys of Gomocup's INFO that may change during a game. */
enum { MATCH_INFO_KEYS = 5 };

typedef struct match_protocol {
    const char *id;
    const char *game; /* id of the only game it supports; NULL: any */
    /* Optional: why the protocol cannot play under these rules; NULL if it can. */
    const char *(*unsupported)(const ply_rules *rules);
    /* Makes a program that was just started ready for games. Optional. */
    bool (*handshake)(match_client *client, match_answer *failure);
    bool (*new_game)(match_client *client, match_answer *failure); /* optional */
    void (*think)(match_client *client, const ply_state *state, const match_turn *turn,
                  match_answer *answer);
    void (*game_over)(match_client *client, int result); /* optional */
    const uci_words *uci;                                /* of protocols of the UCI family */
    const char *quit_command;                            /* sent before the input is closed */
    bool restarts;                                       /* each game needs a new process */
    bool analyses;                                       /* think supports turn->analysis */
} match_protocol;

struct match_client {
    const match_protocol *protocol;
    const match_engine_options *options;
    const ply_rules *rules;
    match_process *process;
    size_t plies_sent;   /* of this game, for protocols that send moves one by one */
    bool knows_movetime; /* USI: the program accepts `go movetime` */
    bool knows_lines;    /* the program can report several variations */
    bool told_to_stop;   /* in this analysis; it must end at: */
    uint64_t stop_deadline;
    uint64_t info[MATCH_INFO_KEYS]; /* Gomocup: values sent in this game, plus 1; 0: none */
    unsigned info_unanswered;       /* INFO lines about which the program may still complain */
    char name[96];
};

extern const match_protocol ply_match_protocol_usi, ply_match_protocol_ply,
    ply_match_protocol_gomocup, ply_match_protocol_hub, ply_match_protocol_xshogi;

/* Reads the next line. On failure *answer is MATCH_TIMEOUT, MATCH_CRASH or MATCH_STOPPED. */
bool ply_client_read(match_client *client, uint64_t deadline, const char **line,
                     match_answer *answer);
/* The same while the program thinks. When an analysis is to end, the program is told to stop. */
bool ply_client_read_thinking(match_client *client, const match_turn *turn, const char **line,
                              match_answer *answer);
/* Parses a move: the answer becomes MATCH_MOVE or MATCH_ILLEGAL. */
typedef void ply_client_find_move(match_client *client, const ply_state *state, const char *text,
                                  size_t length, match_answer *answer);
/* Reports a variation, given as moves separated by spaces up to the end of the text or a quotation
 * mark, to the listener of an analysis. It ends before the first move that is illegal. */
void ply_client_report(match_client *client, const ply_state *state, const match_turn *turn,
                       match_info *info, const char *moves, ply_client_find_move *find);
/* Sends a line; false, with *answer filled, when the program does not accept it. */
bool ply_client_send(match_client *client, const char *line, match_answer *answer);
bool ply_client_sendf(match_client *client, match_answer *answer, const char *format, ...)
    PLY_PRINTF(3, 4);
/* Makes *answer a MATCH_CRASH with that detail; returns false. */
bool ply_client_fail(match_answer *answer, const char *format, ...) PLY_PRINTF(2, 3);
/* Reads lines until one begins with the word, at most until the ready deadline. */
bool ply_client_read_until(match_client *client, const char *word, match_answer *failure);
/* Now plus the time a program may take to get ready. */
uint64_t ply_client_ready_deadline(const match_client *client);
/* Whether the line begins with the word as a whole. */
bool ply_client_line_is(const char *line, const char *word);
/* The number that follows some words of the line, such as "score cp" in "info score cp 12". */
bool ply_client_number_after(const char *line, const char *words, int64_t *number);
/* Parses a move in the game's own notation: the answer becomes MATCH_MOVE or MATCH_ILLEGAL. */
void ply_client_parse_move(match_client *client, const ply_state *state, const char *text,
                           size_t length, match_answer *answer);
void ply_client_set_illegal(match_answer *answer, const char *text, size_t length);
/* Calls visit with each name and value of the settings until it returns false. */
bool ply_client_each_setting(match_client *client, match_answer *failure,
                             bool (*visit)(match_client *client, const char *name,
                                           const char *value, match_answer *failure));
/* The value of an option of the rules, or default_value if the game has no such option. */
int32_t ply_client_rule_option(const ply_rules *rules, const char *option, int32_t default_value);

#endif
