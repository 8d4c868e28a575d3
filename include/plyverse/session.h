/* SPDX-License-Identifier: MIT */
/*
 * session.h - an engine behind a protocol: lines in, lines out.
 *
 * A session has one set of rules, one game being played and one searcher, and speaks one protocol.
 * The owner hands it the lines of the other side; what it answers comes through a writer. It thinks
 * on a thread of its own, so that a line is always dealt with at once, whether it thinks or not.
 * Nothing the other side can write is fatal: bad lines are answered as the protocol says.
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
    const char *game; /* the one game it is for; NULL: any */
    bool is_stream;   /* messages end with a NUL and travel over TCP (DXP) */
} ply_protocol;

/* Protocol number i, or NULL. */
PLY_API const ply_protocol *ply_protocol_at(size_t i);
PLY_API const ply_protocol *ply_protocol_find(const char *id);

/*
 * Takes one line, without its end. Called from the owner's thread or from the session's; never two
 * calls at once.
 */
typedef void ply_session_writer(void *context, const char *line, size_t length);

typedef struct ply_session_options {
    const char *protocol;
    const char *game;    /* NULL: the protocol's, or the first of the registry */
    const char *variant; /* as for ply_rules_make */
    ply_search_options search;
    size_t memory_limit_mb; /* the most the other side may ask for; 0: 65536 */
    unsigned thread_limit;  /* the same for threads; 0: 256 */
    bool opens;             /* DXP: we ask for the game */
    ply_session_writer *writer;
    void *context;
} ply_session_options;

typedef struct ply_session ply_session;

/* NULL, with the reason in *error, when protocol, game or variant are unknown or memory runs out.
 */
PLY_API ply_session *ply_session_new(const ply_session_options *options, ply_error *error);
/* Takes a line of any bytes, with or without its end. False when the other side has said goodbye:
 * nothing more is to be read. */
PLY_API bool ply_session_line(ply_session *session, const char *line, size_t length);
/* Returns when the session thinks no more by itself; never, for a search without limits. */
PLY_API void ply_session_wait(ply_session *session);
/* The other side is gone: stops thinking. What was found is still answered. */
PLY_API void ply_session_finish(ply_session *session);
/* Stops without another word, and frees. NULL is nothing. */
PLY_API void ply_session_free(ply_session *session);

#ifdef __cplusplus
}
#endif
#endif
