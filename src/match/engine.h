/* SPDX-License-Identifier: MIT */
/*
 * engine.h - an engine of a match: a built-in player, or an external program and its protocol.
 *
 *     alphabeta:depth=6          a player of player.h, in this process
 *     usi:COMMAND                a program that speaks USI (shogi)
 *     gomocup:COMMAND            the Gomocup protocol (gomoku and renju)
 *     hub:COMMAND                Hub version 2 (checkers)
 *     xshogi:COMMAND             the xshogi protocol of GNU Shogi
 *     ply:COMMAND                our own protocol, for every game
 *
 * An engine belongs to one thread at a time. Asked for a move in a state, it answers with a legal
 * move or with one of the ways to lose a game without one.
 */
#ifndef PLY_MATCH_ENGINE_H
#define PLY_MATCH_ENGINE_H

#include "match/process.h"
#include <plyverse/player.h>

/* The limits of an engine. */
typedef struct match_limits {
    uint64_t millis, nodes; /* per move; 0: no limit */
    int depth;              /* plies; 0: no limit */
    bool has_clock;
    uint64_t clock, increment, byoyomi; /* milliseconds, as in search.h */
} match_limits;

typedef enum match_answer_kind {
    MATCH_MOVE,
    MATCH_RESIGN,
    MATCH_CLAIM,   /* the engine claims a win */
    MATCH_ILLEGAL, /* not a legal move; detail quotes it */
    MATCH_TIMEOUT, /* no answer in time */
    MATCH_CRASH,   /* the program exited or reported an error; detail says how */
    MATCH_STOPPED, /* the match was stopped before the answer */
} match_answer_kind;

typedef struct match_answer {
    match_answer_kind kind;
    ply_move move;
    bool has_score;
    int32_t score; /* as in search.h, for the player to move */
    char detail[160];
} match_answer;

/* What a program reports while it analyses. Valid during the call of the listener only. */
typedef struct match_info {
    unsigned line; /* the rank of the variation, from 1 */
    int depth;     /* plies; 0: unknown */
    uint64_t nodes;
    bool has_score;
    int32_t score;         /* as in match_answer */
    const ply_move *moves; /* the variation, from the state analysed */
    size_t count;          /* at least 1 */
} match_info;
typedef void match_info_listener(void *context, const match_info *info);

/* An analysis: the program thinks until *enough is set or the deadline of the turn has passed. */
typedef struct match_analysis {
    unsigned lines; /* variations wanted; a program may report fewer */
    const atomic_bool *enough;
    match_info_listener *listener;
    void *context;
} match_analysis;

/* The circumstances of one move, besides the state. */
typedef struct match_turn {
    const match_limits *limits;
    uint64_t clocks[2];             /* milliseconds left, by player */
    uint64_t deadline;              /* when to stop waiting; on the clock of core/clock.h */
    const char *start_text;         /* the position the game began from */
    bool usual_start;               /* that is the start position of the rules */
    const match_analysis *analysis; /* NULL: a move is wanted, within the limits */
} match_turn;

/* How a USI program is told the time per move. */
typedef enum match_move_time {
    MATCH_MOVE_TIME_AUTO, /* movetime if the program is known to understand it */
    MATCH_MOVE_TIME_BYOYOMI,
    MATCH_MOVE_TIME_MOVETIME,
} match_move_time;

/* Everything pointed to must outlive the engine. */
typedef struct match_engine_options {
    const ply_rules *rules;
    const char *spec;     /* as above */
    const char *settings; /* options of a program, name=value,...; may be NULL */
    const char *tables;   /* tablebase folder for a built-in player; may be NULL */
    uint64_t seed;        /* for a built-in player whose spec names none */
    uint64_t timeout;     /* milliseconds a program may take to get ready */
    bool cpu_time;        /* limits of time are CPU time; see ply_match_engine_nanos */
    match_move_time move_time;
    const atomic_bool *stop; /* may be NULL */
    match_traffic *traffic;  /* may be NULL */
    void *context;           /* passed to traffic */
} match_engine_options;

typedef struct match_engine match_engine;

/* Checks a spec without starting anything. */
ply_status ply_match_engine_check(const ply_rules *rules, const char *spec, ply_error *error);
/* The protocol of that number, from 0, and the id of its game, NULL if it serves all; false if there
 * are fewer. */
bool ply_match_protocol_at(size_t number, const char **id, const char **game);
/* Whether the spec names a built-in player rather than a program. */
bool ply_match_engine_is_builtin(const char *spec);
/* Opens an engine. A program is started before its first game. NULL, with *error filled, on
 * failure. */
match_engine *ply_match_engine_open(const match_engine_options *options, ply_error *error);
/* Ends a program and frees the engine. NULL is a no-op. */
void ply_match_engine_close(match_engine *engine);
/* The name by which the engine introduced itself, or its spec. */
const char *ply_match_engine_name(const match_engine *engine);
/* To be called before each game. False when the program did not get ready; *failure says why. */
bool ply_match_engine_new_game(match_engine *engine, uint64_t game, match_answer *failure);
void ply_match_engine_think(match_engine *engine, const ply_state *state, const match_turn *turn,
                            match_answer *answer);
/*
 * Analyses with turn->analysis until it is enough. MATCH_MOVE, MATCH_RESIGN and MATCH_CLAIM are all
 * good ends. A program whose protocol has no analysis is asked for a move again and again, each time
 * with twice the time; it can be interrupted only by the stop flag of its options.
 */
void ply_match_engine_analyse(match_engine *engine, const ply_state *state, const match_turn *turn,
                              match_answer *answer);
/* Whether the engine can analyse, so that *enough ends it. */
bool ply_match_engine_can_analyse(const match_engine *engine);
/* Whether the engine can be asked in this state, which continues the game it was last asked in;
 * otherwise the game must begin anew. */
bool ply_match_engine_continues(const match_engine *engine, const ply_state *state);
/*
 * The time by which the engine's moves are measured, in nanoseconds from an arbitrary start: wall
 * time or, with cpu_time, the CPU time of the calling thread or of the program.
 */
uint64_t ply_match_engine_nanos(const match_engine *engine);
/*
 * From any thread: makes a built-in player that is searching answer at once. A search that has just
 * begun may miss it: repeat until it answers.
 */
void ply_match_engine_interrupt(match_engine *engine);
/* After each game: 1 won, 0 drawn, -1 lost. */
void ply_match_engine_game_over(match_engine *engine, int result);

#endif
