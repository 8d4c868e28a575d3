/* SPDX-License-Identifier: MIT */
/* ballots.h - English openings drawn by lot. */
#ifndef PLY_GAMES_CHECKERS_RULES_BALLOTS_H
#define PLY_GAMES_CHECKERS_RULES_BALLOTS_H

#include "games/checkers/checkers.h"

enum { CHECKERS_BALLOTS = 174, CHECKERS_ELEVENS = 2500 };

typedef enum checkers_ballot_class {
    CHECKERS_BALLOT_CROSS_BOARD,
    CHECKERS_BALLOT_MAIL,
    CHECKERS_BALLOT_BARRED,
} checkers_ballot_class;

typedef struct checkers_ballot {
    const char *moves; /* three moves, by square numbers */
    const char *name;  /* NULL for most */
    checkers_ballot_class class_id;
} checkers_ballot;

extern const checkers_ballot checkers_ballots[CHECKERS_BALLOTS]; /* ballot n is [n - 1] */

typedef struct checkers_eleven {
    checkers_position position;
    bool is_barred;
} checkers_eleven;

/*
 * Lists the CHECKERS_ELEVENS eleven-man ballots; returns the number. rules must be English. This
 * generates and deduplicates all positions, which is too slow for a search.
 */
size_t checkers_eleven_man(const ply_rules *rules, checkers_eleven *out);

/* The number of the three-move ballot that leads to a position, from 1; 0: none. */
size_t checkers_ballot_at(const ply_rules *rules, const checkers_position *p);

/* Opening hooks: openings 0 to 173 are the three-move ballots; the eleven-man ballots follow. */
size_t checkers_opening_count(const ply_rules *rules);
ply_status checkers_opening(const ply_rules *rules, size_t i, ply_text *name, ply_text *position,
                            ply_text *moves);

#endif
