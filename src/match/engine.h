/* SPDX-License-Identifier: MIT */
/*
 * engine.h - whoever plays in a match: one of ours, or a program and its protocol.
 *
 *     alphabeta:depth=6          a player of player.h, in this process
 *     usi:COMMAND                a program that speaks USI (shogi)
 *     gomocup:COMMAND            the Gomocup protocol (gomoku and renju)
 *     hub:COMMAND                Hub version 2 (checkers)
 *     xshogi:COMMAND             the protocol of GNU Shogi
 *     ply:COMMAND                our own, for every game
 *
 * An engine belongs to one thread. It is asked for a move in a state; what it answers is a move
 * that the rules allow, or one of the ways to lose a game without one.
 */
#ifndef PLY_MATCH_ENGINE_H
#define PLY_MATCH_ENGINE_H

#include "match/process.h"
#include <plyverse/player.h>

/* Time and depth for one move. */
typedef struct match_limits {
    uint64_t millis, nodes; /* 0: none */
    int depth;
    bool has_clock;
    uint64_t clock, increment, byoyomi; /* milliseconds, the same for both */
} match_limits;

typedef enum match_answer_kind {
    MATCH_MOVE,
    MATCH_RESIGN,
    MATCH_CLAIM,   /* says that it has won */
    MATCH_ILLEGAL, /* no legal move; detail says what it was */
    MATCH_TIME,    /* no answer in time */
    MATCH_CRASH,   /* the program is gone or talks nonsense */
    MATCH_STOPPED, /* the match is over before the answer */
} match_answer_kind;

typedef struct match_answer {
    match_answer_kind kind;
    ply_move move;
    bool has_score;
    int32_t score; /* as in search.h, for the player to move */
    char detail[160];
} match_answer;

/* What a thinker is told beside the state. */
typedef struct match_turn {
    const match_limits *limits;
    uint64_t left[2];  /* milliseconds on the clocks, by player */
    uint64_t deadline; /* no answer is waited for beyond this */
    const char *start; /* text of the position the game began from */
    bool usual_start;
} match_turn;

typedef struct match_engine_options {
    const ply_rules *rules;
    const char *spec;     /* as above */
    const char *settings; /* name=value,... for a program; may be NULL */
    const char *tables;   /* folder of solved tables, for one of ours; may be NULL */
    uint64_t seed;        /* of ours, where the spec names none */
    uint64_t patience;    /* milliseconds to get ready */
    const atomic_bool *stop;
    match_traffic *traffic;
    void *context;
} match_engine_options;

typedef struct match_engine match_engine;

/* Checks the text without starting anything. */
ply_status ply_match_engine_check(const ply_rules *rules, const char *spec, ply_error *error);
/* Whether the spec is one of ours and no program. */
bool ply_match_engine_is_builtin(const char *spec);
/* A protocol's conversation; see engine_protocol.h. NULL, with *error filled, on failure. */
match_engine *ply_match_engine_open(const match_engine_options *options, ply_error *error);
void ply_match_engine_close(match_engine *engine);
/* What the engine calls itself; the spec where it has not said. */
const char *ply_match_engine_name(const match_engine *engine);
/* Before each game. False when the program did not get ready, which is a crash. */
bool ply_match_engine_new_game(match_engine *engine, uint64_t game, match_answer *failure);
void ply_match_engine_think(match_engine *engine, const ply_state *state, const match_turn *turn,
                            match_answer *answer);
/* From another thread, again and again if need be: one of ours that thinks answers at once. */
void ply_match_engine_interrupt(match_engine *engine);
/* After each game: 1 won, 0 drawn, -1 lost. */
void ply_match_engine_game_over(match_engine *engine, int result);

#endif
