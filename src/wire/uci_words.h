/* SPDX-License-Identifier: MIT */
/*
 * uci_words.h - the words in which the protocols of the UCI family differ.
 *
 * USI (shogi) and ply (our own, for every game) share their commands with UCI. Both the sessions,
 * which answer as an engine, and the match runner, which drives one, use these words.
 */
#ifndef PLY_WIRE_UCI_WORDS_H
#define PLY_WIRE_UCI_WORDS_H

typedef struct uci_words {
    const char *hello, *hello_done;      /* the first command and the last line of its answer */
    const char *new_game;                /* announces a new game */
    const char *start, *text;            /* position: from the usual start, or from a text */
    const char *clock[2], *increment[2]; /* go: milliseconds left and added per move, by player */
} uci_words;

extern const uci_words ply_uci_words_usi, ply_uci_words_ply;

#endif
