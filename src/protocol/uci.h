/* SPDX-License-Identifier: MIT */
/*
 * uci.h - what USI and our own protocol share with UCI: most commands, go, option and info lines. A
 * dialect names the differences.
 */
#ifndef PLY_PROTOCOL_UCI_H
#define PLY_PROTOCOL_UCI_H

#include "protocol/session_internal.h"

/* Names a word of go. */
typedef enum uci_key {
    UCI_TIME_FIRST,
    UCI_TIME_SECOND,
    UCI_INCREMENT_FIRST,
    UCI_INCREMENT_SECOND,
    UCI_BYOYOMI,
    UCI_MOVES_TO_GO,
    UCI_MOVE_TIME,
    UCI_DEPTH,
    UCI_NODES,
    UCI_MATE, /* a number, or "infinite" */
    UCI_INFINITE,
    UCI_PONDER,
    UCI_SEARCH_MOVES,
    UCI_KEYS,
} uci_key;

typedef struct uci_variant {
    const char *keys[UCI_KEYS];             /* where they are not UCI's */
    const char *hash_name, *ponder_name;    /* of the options Hash and Ponder */
    const char *win_word, *loss_word;       /* of a score: "mate " and "mate -" */
    const char *win_unknown, *loss_unknown; /* where the distance is not known */
    const char *start_word, *text_word;     /* of position: the start of the game, or a text */
    const char *error_word;                 /* what a complaint begins with */
} uci_variant;

/* What a session keeps for itself. */
typedef struct uci_own {
    bool no_position; /* the last one did not read */
} uci_own;

typedef struct uci_go {
    ply_search_limits limits;
    bool is_mate;         /* the word mate was there */
    uint64_t mate_number; /* 0: infinite */
    bool is_infinite;
    ply_move *only; /* owned */
} uci_go;

/*
 * Reads what follows the word go. What does not read is told as `info string` and left out; a
 * search that would go on for ever because of that gets a second. Free with ply_uci_go_free.
 */
void ply_uci_go_read(ply_session *s, const uci_variant *dialect, ply_cursor *cursor, uci_go *go);
void ply_uci_go_free(uci_go *go);

/*
 * Does what the commands ask that are the same in every dialect: isready, setoption, position,
 * stop, ponderhit, gameover, quit. Whatever else is told to be unknown. False: quit.
 */
bool ply_uci_command(ply_session *s, const uci_variant *dialect, protocol_word word,
                     ply_cursor *cursor);
void ply_uci_say_error(ply_session *s, const uci_variant *dialect, const char *what,
                       const ply_error *error);
/* Says the answer of a search; none_word where there is no move. */
void ply_uci_say_bestmove(ply_session *s, const protocol_answer *answer, const char *none_word);

/* Says one option line for each setting. */
void ply_uci_say_options(ply_session *s, const uci_variant *dialect);
/* Says one info line for each line of the report. */
void ply_uci_say_info(ply_session *s, const uci_variant *dialect, const ply_search_report *report);

#endif
