/* SPDX-License-Identifier: MIT */
/*
 * opening_rules.h - opening rules as state machines: what a player may do next, until the game is even.
 *
 * Player 0 is the one who opens, player 1 the other; which of them has Black is settled on the way.
 *
 *     swap          0 puts three stones; 1 takes a colour
 *     swap2         0 puts three stones; 1 takes a colour, or puts two more and 0 takes a colour
 *     rif           0 puts one of the 26 openings; 1 may swap; White puts the fourth stone; Black
 *                   offers two fifths that no symmetry exchanges; White chooses
 *     soosorv-N     one of the 26; swap; White puts the fourth and says how many fifths, 1 to N;
 *                   swap; Black offers so many; White chooses
 *     taraguchi-10  first in the centre, second within 3x3, third 5x5, fourth 7x7, a swap after
 * each; then either the fifth within 9x9 and a swap, or, instead of the swap after the fourth, ten
 * fifths offered anywhere and White chooses
 *
 * Stones are black and white in turn, as in the game. When the opening is done, its stones are the
 * first moves of the game, which goes on by its own rules; nobody passes in an opening. Offers are
 * symmetric when a symmetry of the board keeps the stones and exchanges the two points.
 *
 * A gomoku_opening is plain bytes: a copy of it is a way back.
 */
#ifndef PLY_GAMES_GOMOKU_OPENINGS_OPENING_RULES_H
#define PLY_GAMES_GOMOKU_OPENINGS_OPENING_RULES_H

#include "games/gomoku/gomoku.h"

enum gomoku_opening_rule {
    GOMOKU_OPENING_SWAP,
    GOMOKU_OPENING_SWAP2,
    GOMOKU_OPENING_RIF,
    GOMOKU_OPENING_SOOSORV,
    GOMOKU_OPENING_TARAGUCHI,
    GOMOKU_OPENING_RULES,
};

enum gomoku_opening_act {
    GOMOKU_ACT_PLACE,   /* value: the cell */
    GOMOKU_ACT_OFFER,   /* value: the cell */
    GOMOKU_ACT_CHOOSE,  /* value: the cell */
    GOMOKU_ACT_DECLARE, /* value: how many fifths */
    GOMOKU_ACT_SWAP,    /* take the other colour */
    GOMOKU_ACT_STAY,    /* keep the colour */
    GOMOKU_ACT_MORE,    /* swap2: put two more stones; taraguchi: offer ten fifths */
    GOMOKU_ACTS,
};

enum { GOMOKU_OPENING_STONES = 5, GOMOKU_OPENING_OFFERS = 16 };

typedef struct gomoku_opening {
    const ply_rules *rules;
    enum gomoku_opening_rule rule;
    uint8_t step;   /* in the rule's list */
    uint8_t limit;  /* soosorv-N: N */
    uint8_t wanted; /* fifths to offer */
    uint8_t black;  /* the player who has Black now */
    uint8_t last;   /* the player who acted last */
    uint8_t stone_count, offer_count;
    uint16_t stones[GOMOKU_OPENING_STONES]; /* cells, in order */
    uint16_t offers[GOMOKU_OPENING_OFFERS];
} gomoku_opening;

typedef struct gomoku_opening_action {
    enum gomoku_opening_act act;
    int value;
} gomoku_opening_action;

/* The rule's name is as above: "swap2", "soosorv-8". rif, soosorv and taraguchi-10 want a board
 * with a centre and at least nine rows and columns. The rules must outlive the opening. */
ply_status gomoku_opening_start(gomoku_opening *opening, const ply_rules *rules, const char *name,
                                ply_error *error);
/* Those offered to people; ends with {0}. */
extern const ply_opening_rule gomoku_opening_rules[];
void gomoku_opening_name(const gomoku_opening *opening, ply_text *out);

bool gomoku_opening_done(const gomoku_opening *opening);
/* Who acts now, 0 or 1; -1 when the opening is done. */
int gomoku_opening_player(const gomoku_opening *opening);
/* The acts there are now, one bit each: 1 << GOMOKU_ACT_SWAP and so on. */
unsigned gomoku_opening_acts(const gomoku_opening *opening);
/* Whether an act may be done now with this value. */
bool gomoku_opening_may(const gomoku_opening *opening, gomoku_opening_action action);
/* Does it; a reason and no change when it may not be done. */
ply_status gomoku_opening_do(gomoku_opening *opening, gomoku_opening_action action,
                             ply_error *error);

/* The player who has Black now, and the colour that is to put the next stone. */
int gomoku_opening_black(const gomoku_opening *opening);
int gomoku_opening_colour(const gomoku_opening *opening);
/* The stones so far as moves of the game; out has room for GOMOKU_OPENING_STONES. */
size_t gomoku_opening_moves(const gomoku_opening *opening, ply_move *out);

/* Reads an act in words: a cell, a number of fifths, swap, stay or more. */
ply_status gomoku_opening_parse(const gomoku_opening *opening, ply_cursor *cursor,
                                gomoku_opening_action *action);
/* One line for people: who acts and what there is to do. */
void gomoku_opening_describe(const gomoku_opening *opening, ply_text *out);

#endif
