/* SPDX-License-Identifier: MIT */
/*
 * session_internal.h - what the protocols share: the session, its search thread, its options.
 *
 * Two threads. The owner's thread hands over lines; it owns rules, state and settings. The search
 * thread owns the job while it runs; it sends info and, at its end, the answer. A handler that
 * touches what the answer may touch calls ply_protocol_stop_search first, which joins the thread.
 *
 *     owner:   line  start_search .......... line .......... stop_search -- join --> line ...
 *     search:              search, info, info, ...              answer, end
 */
#ifndef PLY_PROTOCOL_SESSION_INTERNAL_H
#define PLY_PROTOCOL_SESSION_INTERNAL_H

#include "model/variation.h"
#include <plyverse/game.h>
#include <plyverse/session.h>
#include <pthread.h>
#include <stdatomic.h>

enum {
    PROTOCOL_MEMORY_LIMIT_MB = 65536,
    PROTOCOL_THREAD_LIMIT = 256,
    PROTOCOL_MULTIPV_LIMIT = 64,
    PROTOCOL_DEFAULT_MB = 64,
};

/* The result of a search job. */
typedef struct protocol_answer {
    ply_status status;
    ply_move best;            /* PLY_MOVE_NONE: there is no legal move, or the search failed */
    ply_move reply;           /* the expected reply; may be PLY_MOVE_NONE */
    int purpose;              /* as passed to ply_protocol_start_search */
    ply_search_report report; /* pv_count may be 0 */
} protocol_answer;

/* One protocol. Hooks marked optional may be NULL. */
typedef struct protocol_handler {
    ply_protocol description;
    size_t data_bytes;            /* size of the protocol's own data, zeroed before open */
    const struct uci_syntax *uci; /* for protocols of the UCI family; else NULL */
    /* Optional: appends to the text of a variant the options this protocol needs. */
    void (*adjust)(const ply_game *game, const char *variant, ply_text *out);
    ply_status (*open)(ply_session *s, ply_error *error); /* optional */
    /* A line without line end or surrounding white space; may be empty. False ends the session. */
    bool (*line)(ply_session *s, const char *line, size_t length);
    /* The rest run on the search thread. */
    void (*info)(ply_session *s, const ply_search_report *report); /* optional */
    /* Optional: does the work of a job whose purpose is not 0. Default: one search. */
    void (*think)(ply_session *s, protocol_answer *answer);
    void (*answer)(ply_session *s, const protocol_answer *answer);
} protocol_handler;

typedef struct protocol_job {
    pthread_t thread;
    bool started;                         /* the thread must be joined */
    atomic_bool done;                     /* set by the search thread after its answer */
    atomic_bool stop, ponder_hit, silent; /* set by the owner's thread */
    int purpose;
    ply_state state; /* what is searched */
    ply_search_limits limits;
    ply_move *only;      /* owned copy of limits.only */
    uint64_t start_time; /* nanoseconds */
} protocol_job;

struct ply_session {
    const protocol_handler *handler;
    void *data;                  /* the protocol's own */
    ply_session_options options; /* `search` is NULL: */
    ply_search_options search;
    ply_rules rules;
    ply_state state;
    ply_searcher *searcher; /* NULL: made before the next search */
    char *network;          /* own copy of search.network; NULL: the library's */
    unsigned multipv;       /* how many principal variations to report */
    bool ponders;           /* the client announced that it will use pondering */
    bool cpu_time;          /* limits of time are CPU time */
    pthread_mutex_t output;
    protocol_job job;
};

extern const protocol_handler ply_protocol_usi, ply_protocol_gomocup, ply_protocol_hub,
    ply_protocol_dxp, ply_protocol_ply;

/* --- sending --------------------------------------------------------------------------------- */
/* Sends one line, formatted; at most 511 bytes. */
void ply_protocol_send(ply_session *s, const char *format, ...) PLY_PRINTF(2, 3);
/* Sends a growing text as one line and frees it; sends nothing if memory ran out. */
void ply_protocol_send_text(ply_session *s, ply_text *text);
/* Appends up to 80 arbitrary bytes, those that are not printable ASCII as '?'. */
void ply_protocol_quote(ply_text *out, const char *bytes, size_t length);

/* --- searching ------------------------------------------------------------------------------- */
/*
 * Starts a job on the session's state; a running one is stopped and answered first. False, with
 * nothing started, when memory or threads run out.
 */
bool ply_protocol_start_search(ply_session *s, const ply_search_limits *limits, int purpose);
/* Stops the job, which still answers unless silent, and joins its thread. Without a job: no-op. */
void ply_protocol_stop_search(ply_session *s, bool silent);
void ply_protocol_ponderhit(ply_session *s);
/* Whether a job runs that has not answered yet. */
bool ply_protocol_is_searching(const ply_session *s);
/* On the search thread: one search. False when the job is stopped before or during it. */
bool ply_protocol_run_search(ply_session *s, const ply_state *state,
                             const ply_search_limits *limits, ply_search_listener *listener,
                             ply_search_report *report, ply_status *status);
/* A legal move for a search that was stopped before it found one; PLY_MOVE_NONE if none exists. */
ply_move ply_protocol_fallback_move(const ply_state *state, const ply_search_limits *limits);
/* Makes the searcher if there is none; slow if its table is large. False when memory runs out. */
bool ply_protocol_make_searcher(ply_session *s);
/* Makes the next search use other options: frees the searcher. */
void ply_protocol_drop_searcher(ply_session *s);
/* Stops silently and clears the transposition table: a new game. */
void ply_protocol_clear_search(ply_session *s);

/* --- rules and options ----------------------------------------------------------------------- */
/* A game by its id: the session's custom game or a registered one. NULL if there is none. */
const ply_game *ply_protocol_find_game(const ply_session *s, const char *id, size_t length);
/* Sets rules and start position, stopping a search. On failure nothing changes. */
ply_status ply_protocol_set_rules(ply_session *s, const ply_game *game, const char *variant,
                                  ply_error *error);

enum protocol_option_type {
    PROTOCOL_SPIN,
    PROTOCOL_CHECK,
    PROTOCOL_COMBO,
    PROTOCOL_BUTTON,
    PROTOCOL_STRING,
};

/* A setting the client may change: the engine's come first, then those of the rules. */
typedef struct protocol_option {
    const char *name;
    enum protocol_option_type type;
    int64_t value, low, high;
    const char *const *names; /* of a combo; NULL: the variants */
    size_t name_count;
    const char *text; /* of a string */
} protocol_option;

/* Positions of settings that some protocols rename. */
enum { PROTOCOL_OPTION_HASH, PROTOCOL_OPTION_PONDER = 3 };

/*
 * Sets the network of the searches; NULL: the one in the library. On failure nothing changes.
 */
ply_status ply_protocol_set_network(ply_session *s, const char *name, ply_error *error);
/* Setting number i; false past the end. */
bool ply_protocol_option_at(const ply_session *s, size_t i, protocol_option *option);
/* The name of choice number k of a combo. */
const char *ply_protocol_option_choice(const ply_session *s, const protocol_option *option,
                                       size_t k);
/* Sets by name, ignoring case. Stops a search. */
ply_status ply_protocol_option_set(ply_session *s, const char *name, size_t name_length,
                                   const char *value, size_t value_length, ply_error *error);

/* --- tokens (tokens.c) ----------------------------------------------------------------------- */
/* A run of bytes without white space, inside the line. */
typedef struct protocol_token {
    const char *text;
    size_t length;
} protocol_token;

/* The next token; false, with an empty one, at the end. */
bool ply_token_next(ply_cursor *cursor, protocol_token *token);
bool ply_token_is(protocol_token token, const char *text);
/* The same, ignoring case. */
bool ply_token_is_nocase(protocol_token token, const char *text);
/* The whole token as a number up to limit. Negative ones count as 0: clients send such clocks. */
bool ply_token_number(protocol_token token, uint64_t limit, uint64_t *value);
/* The rest of the line. */
protocol_token ply_token_rest(const ply_cursor *cursor);

#endif
