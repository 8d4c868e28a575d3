/* SPDX-License-Identifier: MIT */
/*
 * uci.h - the protocols of the UCI family: what USI and ply share. Each describes its differences
 * in a uci_syntax, which its protocol_handler points to.
 */
#ifndef PLY_PROTOCOL_UCI_H
#define PLY_PROTOCOL_UCI_H

#include "protocol/session_internal.h"
#include "wire/uci_words.h"

typedef struct uci_syntax {
    const uci_words *words;
    const char *hash_name, *ponder_name;    /* names of the options Hash and Ponder */
    const char *win_word, *loss_word;       /* before the distance in a score: "mate ", "mate -" */
    const char *win_unknown, *loss_unknown; /* where the distance is not known */
    const char *none_word;                  /* bestmove when there is no move */
    const char *error_word;                 /* begins an error message */
    /* Optional: more lines of the answer to hello, before the options. */
    void (*introduce)(ply_session *s);
    /* The commands that are the protocol's own; false for any other. */
    bool (*command)(ply_session *s, protocol_token name, ply_cursor *cursor);
} uci_syntax;

/* The protocol data of a session. */
typedef struct uci_data {
    bool no_position; /* the last position was malformed */
} uci_data;

/* The arguments of go. */
typedef struct uci_go {
    ply_search_limits limits;
    bool is_mate;         /* mate was given */
    uint64_t mate_number; /* 0: infinite */
    bool is_infinite;
    ply_move *only; /* owned */
} uci_go;

/*
 * Parses the arguments of go. Anything not understood is reported as `info string` and ignored; a
 * search that would then be unlimited gets one second. Free with ply_uci_go_free.
 */
void ply_uci_go_parse(ply_session *s, ply_cursor *cursor, uci_go *go);
void ply_uci_go_free(uci_go *go);

/* --- hooks of a protocol_handler ------------------------------------------------------------- */
/* Handles the hello, the protocol's own commands, and those common to the family: isready,
 * setoption, position, stop, ponderhit, gameover, quit. */
bool ply_uci_line(ply_session *s, const char *line, size_t length);
/* Sends one info line for each principal variation. */
void ply_uci_info(ply_session *s, const ply_search_report *report);
/* Sends bestmove. */
void ply_uci_bestmove(ply_session *s, const protocol_answer *answer);

/* Sends an error about `what`, with the column where there is one. */
void ply_uci_send_error(ply_session *s, const char *what, const ply_error *error);

#endif
