/* SPDX-License-Identifier: MIT */
/*
 * session_internal.h - what the protocols share: the session, its thinking thread, its options.
 *
 * Two threads. The owner's thread reads lines and owns rules, state and settings. The thinking
 * thread owns the job while it runs, writes info and, at its end, the answer. A handler that
 * touches what the answer may touch calls ply_protocol_halt first, which joins the thinking thread.
 *
 *     owner:     line ... ply_protocol_go ........ line ........ ply_protocol_halt --- join ---> line ...
 *     thinking:           think, info, info, ...                answer, end
 */
#ifndef PLY_PROTOCOL_SESSION_INTERNAL_H
#define PLY_PROTOCOL_SESSION_INTERNAL_H

#include <plyverse/game.h>
#include <plyverse/session.h>
#include <pthread.h>

enum {
    PROTO_MEMORY_LIMIT_MB = 65536,
    PROTO_THREAD_LIMIT = 256,
    PROTO_LINES_LIMIT = 64,
    PROTO_DEFAULT_MB = 64,
};

/* What a search came to. */
typedef struct protocol_answer {
    ply_status status;
    ply_move best;  /* PLY_MOVE_NONE: there is no legal move, or the search failed */
    ply_move reply; /* expected next; may be PLY_MOVE_NONE */
    int purpose;
    ply_search_report report; /* line_count may be 0 */
} protocol_answer;

typedef struct protocol_kind {
    ply_protocol face;
    size_t own_bytes; /* of the protocol's own data, zeroed before open */
    /* What to put behind the variant so that texts are as the protocol wants them; optional. */
    void (*adjust)(const ply_game *game, const char *variant, ply_text *out);
    ply_status (*open)(ply_session *s, ply_error *error); /* optional */
    void (*close)(ply_session *s);                        /* optional */
    /* A line without its end and without blanks around it; may be empty. False: goodbye. */
    bool (*line)(ply_session *s, const char *line, size_t length);
    /* The rest run on the thinking thread. info and think are optional. */
    void (*info)(ply_session *s, const ply_search_report *report);
    /* Thinks in a way of its own for a purpose other than 0; default: one search. */
    void (*think)(ply_session *s, protocol_answer *answer);
    void (*answer)(ply_session *s, const protocol_answer *answer);
} protocol_kind;

typedef struct protocol_job {
    pthread_t thread;
    bool started; /* the thread is to be joined */
    uint64_t done, stop, hit, silent;
    int purpose;
    ply_state state; /* what is thought about */
    ply_search_limits limits;
    ply_move *only;
    uint64_t began; /* nanoseconds */
} protocol_job;

struct ply_session {
    const protocol_kind *kind;
    void *own;
    ply_session_options options;
    ply_rules rules;
    ply_state state;
    ply_searcher *searcher; /* NULL: to be made at the next search */
    unsigned lines;         /* how many best lines to show */
    bool ponders;           /* the other side says that it will ask us to ponder */
    pthread_mutex_t output;
    protocol_job job;
};

extern const protocol_kind ply_protocol_usi, ply_protocol_gomocup, ply_protocol_hub,
    ply_protocol_dxp, ply_protocol_ply;

/* --- writing --------------------------------------------------------------------------------- */
void ply_protocol_say(ply_session *s, const char *format, ...) PLY_PRINTF(2, 3);
/* Says a growing text and frees it; nothing is said if memory ran out. */
void ply_protocol_say_text(ply_session *s, ply_text *text);
/* Appends bytes of the other side's that may be anything, so that they fit on one line. */
void ply_protocol_quote(ply_text *out, const char *bytes, size_t length);

/* --- thinking -------------------------------------------------------------------------------- */
/*
 * Begins to think about the session's state; what ran before is stopped and answered. False, with
 * nothing begun, when memory or threads run out.
 */
bool ply_protocol_go(ply_session *s, const ply_search_limits *limits, int purpose);
/* Stops, lets it answer unless silent, and joins. Nothing happens when nothing runs. */
void ply_protocol_halt(ply_session *s, bool silent);
void ply_protocol_ponderhit(ply_session *s);
/* Whether a search runs that has not answered yet. */
bool ply_protocol_is_thinking(const ply_session *s);
/* On the thinking thread: one search; false when told to stop before or during it. */
bool ply_protocol_search(ply_session *s, const ply_state *state, const ply_search_limits *limits,
                         ply_search_listener *listener, ply_search_report *report,
                         ply_status *status);
/* A plain legal move for a search that was stopped before it found one; PLY_MOVE_NONE for none. */
ply_move ply_protocol_any_move(const ply_state *state, const ply_search_limits *limits);
/* Makes the searcher, which takes a while if its table is large. False when memory runs out. */
bool ply_protocol_prepare(ply_session *s);
/* Forgets what was learnt: a new game. */
void ply_protocol_forget(ply_session *s);

typedef void protocol_move_writer(const ply_state *state, ply_move move, ply_text *out);
/* The move in the game's own notation. */
void ply_protocol_move_text(const ply_state *state, ply_move move, ply_text *out);
/* The moves of a line from a state on, parted by blanks. */
void ply_protocol_line_text(const ply_state *state, const ply_variation *line,
                            protocol_move_writer *writer, ply_text *out);

/* --- rules and options ----------------------------------------------------------------------- */
/* Other rules, and the start position. On failure all is as it was. Stops a search. */
ply_status ply_protocol_set_rules(ply_session *s, const ply_game *game, const char *variant,
                                  ply_error *error);

enum protocol_option_type { PROTO_SPIN, PROTO_CHECK, PROTO_COMBO, PROTO_BUTTON };

/* A setting that the other side may change: the engine's, then the rules'. */
typedef struct protocol_option {
    const char *name;
    enum protocol_option_type type;
    int64_t value, low, high;
    const char *const *names; /* of a combo; NULL: the variants */
    size_t name_count;
} protocol_option;

/* Setting number i; false past the end. */
bool ply_protocol_option_at(const ply_session *s, size_t i, protocol_option *option);
const char *ply_protocol_option_choice(const ply_session *s, const protocol_option *option,
                                       size_t k);
/* Sets by name, whatever the case of its letters. Stops a search. */
ply_status ply_protocol_option_set(ply_session *s, const char *name, size_t name_length,
                                   const char *value, size_t value_length, ply_error *error);

/* --- words (tokens.c) ------------------------------------------------------------------------- */
typedef struct protocol_word {
    const char *text;
    size_t length;
} protocol_word;

/* The next word; false at the end. */
bool ply_protocol_next(ply_cursor *cursor, protocol_word *word);
bool ply_protocol_is(protocol_word word, const char *text);
/* The same whatever the case of its letters. */
bool ply_protocol_is_any_case(protocol_word word, const char *text);
/* The whole word as a number; negative ones count as 0 where the protocol allows clocks below it.
 */
bool ply_protocol_number(protocol_word word, uint64_t limit, uint64_t *value);
/* What is left of the line. */
protocol_word ply_protocol_rest(const ply_cursor *cursor);

#endif
