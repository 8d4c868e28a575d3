/* SPDX-License-Identifier: MIT */
/*
 * game_clock.h - the clock of a game: base time, increment, byoyomi with several periods.
 *
 * A turn first uses up the base time, then byoyomi periods. A period that is not used up is whole
 * again in the next turn; one that is used up is lost; a player without periods has lost on time.
 *
 *     |---- base time ----|-- period --|-- period --|-- period --| flag
 *                               ^ a turn that ends here costs the base time and no period
 *
 * The server owns the clock: `since` is a time of day, so neither a reload of the page nor a restart
 * of the server gives time back.
 */
#ifndef PLY_SERVER_LIBRARY_GAME_CLOCK_H
#define PLY_SERVER_LIBRARY_GAME_CLOCK_H

#include <plyverse/plyverse.h>

/* Times are in milliseconds. */
typedef struct clock_settings {
    int64_t base, increment, byoyomi;
    int64_t periods; /* of byoyomi; 1 or more */
} clock_settings;

/* What a player has left, before the turn in progress. */
typedef struct clock_time {
    int64_t left; /* of the base time */
    int64_t periods;
} clock_time;

typedef struct game_clock {
    bool used; /* whether the game has a clock */
    clock_settings settings;
    clock_time player[2];
    int running;   /* the player whose clock runs; -1: none */
    int64_t since; /* when it started, in milliseconds since 1970 */
} game_clock;

/* A clock from the texts of a store_header: settings as JSON, and the state. An empty or damaged
 * state gives a clock that has not started. */
game_clock game_clock_read(const char *settings, const char *state);
/* Writes the state as game_clock_read reads it; nothing if there is no clock. */
void game_clock_write(const game_clock *clock, ply_text *out);
/* What both players have at the start. */
clock_time game_clock_full(const clock_settings *settings);
/* Charges part of a turn, or all of it. False when the time has run out; *time is empty then. */
bool game_clock_charge(const clock_settings *settings, clock_time *time, int64_t millis);
/* How long the turn in progress has taken; 0 when no clock runs. */
int64_t game_clock_elapsed(const game_clock *clock, int64_t now);
/* Whether the player whose clock runs has run out of time. */
bool game_clock_expired(const game_clock *clock, int64_t now);
/*
 * The player `mover` has moved and `next` moves next. If the turn has ended, charges it, adds the
 * increment and starts the other clock. The first turn of a game is free: the clocks start after it.
 */
void game_clock_press(game_clock *clock, int mover, int next, int64_t now);
/* Charges the turn in progress and stops both clocks. */
void game_clock_stop(game_clock *clock, int64_t now);
/* A move has been taken back and `next` is to move: charges the turn in progress, without an
 * increment, and starts the clock of `next`. Does nothing while no clock runs. */
void game_clock_take_back(game_clock *clock, int next, int64_t now);

#endif
