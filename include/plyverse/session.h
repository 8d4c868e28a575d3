/* SPDX-License-Identifier: MIT */
/*
 * session.h - an engine that speaks a protocol: lines in, lines out.
 *
 * A session holds one set of rules, one game in progress and one searcher, and speaks one protocol.
 * Its owner passes in the lines the client sends; answers leave through a writer function. Searches
 * run on a thread of the session's own, so every line is handled at once, even during a search.
 * Nothing a client can send is fatal: bad lines are answered as the protocol prescribes.
 *
 *     client --> ply_session_line --> session --> writer --> client
 *
 * Thread safety: calls on one session must not overlap. Different sessions are independent.
 */
#ifndef PLYVERSE_SESSION_H
#define PLYVERSE_SESSION_H

#include <plyverse/search.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ply_protocol {
    const char *id;
    const char *summary;
    const char *game; /* id of the only game it supports; NULL: any */
    bool is_stream;   /* messages end with a NUL and travel over TCP (DXP) */
} ply_protocol;

/* Protocol number i, or NULL. */
PLY_API const ply_protocol *ply_protocol_at(size_t i);
/* The protocol of that id, or NULL. */
PLY_API const ply_protocol *ply_protocol_find(const char *id);

/*
 * Receives one line, without its line end. Called from the owner's thread or from the session's;
 * never twice at the same time. Must not call back into the session.
 */
typedef void ply_session_writer(void *context, const char *line, size_t length);

/* A field that is 0 takes its default. */
typedef struct ply_session_options {
    size_t size;          /* sizeof(ply_session_options); 0: the same */
    const char *protocol; /* the id of a protocol; NULL: "ply" */
    const char *game;     /* a game's id; NULL: the protocol's, or the first registered one */
    const ply_game *custom_game; /* the caller's own game, used in place of `game`; may be NULL */
    const char *variant;         /* as for ply_rules_make */
    const ply_search_options *search; /* may be NULL */
    size_t memory_limit_mb;           /* the most memory a client may request; 0: 65536 */
    unsigned thread_limit;            /* the most threads a client may request; 0: 256 */
    bool connects;                    /* DXP: this side connected and requests the game */
    ply_session_writer *writer;       /* NULL: lines are dropped */
    void *context;                    /* passed to the writer */
} ply_session_options;

typedef struct ply_session ply_session;

/*
 * Opens a session, which the caller frees; options may be NULL. custom_game, context,
 * search->tablebase_dir and search->book must outlive it; the rest of *options need not. Returns
 * NULL, with the reason in *error (may be NULL), when protocol, game or variant is unknown, the
 * protocol does not support the game, search->network or search->book cannot be loaded, or memory
 * runs out.
 */
PLY_API ply_session *ply_session_new(const ply_session_options *options, ply_error *error);
/*
 * Handles one line of arbitrary bytes, with or without its line end. Returns false when the client
 * has ended the session: read no more. Calls on one session must not overlap.
 */
PLY_API bool ply_session_line(ply_session *session, const char *line, size_t length);
/* Waits for the current search to finish and answer; never returns if it is unlimited. */
PLY_API void ply_session_wait(ply_session *session);
/* Call when the client is gone: stops the search, which still answers. */
PLY_API void ply_session_finish(ply_session *session);
/* Stops the search without an answer and frees the session. NULL is a no-op. */
PLY_API void ply_session_free(ply_session *session);

#ifdef __cplusplus
}
#endif
#endif
