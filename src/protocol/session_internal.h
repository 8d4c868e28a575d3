/*
 * session_internal.h - what the protocols share: the session, its thinking thread, its options.
 *
 * Two threads. The owner's thread reads lines and owns rules, state and settings. The thinking
 * thread owns the job while it runs, writes info and, at its end, the answer. A handler that
 * touches what the answer may touch calls proto_halt first, which joins the thinking thread.
 *
 *     owner:     line ... proto_go ........ line ........ proto_halt --- join ---> line ...
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
typedef struct proto_answer {
    ply_status status;
    ply_move best;  /* PLY_MOVE_NONE: there is no legal move, or the search failed */
    ply_move reply; /* expected next; may be PLY_MOVE_NONE */
    int purpose;
    ply_search_report report; /* line_count may be 0 */
} proto_answer;

typedef struct proto_kind {
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
    void (*think)(ply_session *s, proto_answer *answer);
    void (*answer)(ply_session *s, const proto_answer *answer);
} proto_kind;

typedef struct proto_job {
    pthread_t thread;
    bool started; /* the thread is to be joined */
    uint64_t done, stop, hit, silent;
    int purpose;
    ply_state state; /* what is thought about */
    ply_search_limits limits;
    ply_move *only;
    uint64_t began; /* nanoseconds */
} proto_job;

struct ply_session {
    const proto_kind *kind;
    void *own;
    ply_session_options options;
    ply_rules rules;
    ply_state state;
    ply_searcher *searcher; /* NULL: to be made at the next search */
    unsigned lines;         /* how many best lines to show */
    bool ponders;           /* the other side says that it will ask us to ponder */
    pthread_mutex_t output;
    proto_job job;
};

extern const proto_kind proto_usi, proto_gomocup, proto_hub, proto_dxp, proto_ply;

/* --- writing --------------------------------------------------------------------------------- */
void proto_say(ply_session *s, const char *format, ...) PLY_PRINTF(2, 3);
/* Says a growing text and frees it; nothing is said if memory ran out. */
void proto_say_text(ply_session *s, ply_text *text);
/* Appends bytes of the other side's that may be anything, so that they fit on one line. */
void proto_quote(ply_text *out, const char *bytes, size_t length);

/* --- thinking -------------------------------------------------------------------------------- */
/*
 * Begins to think about the session's state; what ran before is stopped and answered. False, with
 * nothing begun, when memory or threads run out.
 */
bool proto_go(ply_session *s, const ply_search_limits *limits, int purpose);
/* Stops, lets it answer unless silent, and joins. Nothing happens when nothing runs. */
void proto_halt(ply_session *s, bool silent);
void proto_ponderhit(ply_session *s);
/* Whether a search runs that has not answered yet. */
bool proto_is_thinking(const ply_session *s);
/* On the thinking thread: one search; false when told to stop before or during it. */
bool proto_search(ply_session *s, const ply_state *state, const ply_search_limits *limits,
                  ply_search_listener *listener, ply_search_report *report, ply_status *status);
/* A plain legal move for a search that was stopped before it found one; PLY_MOVE_NONE for none. */
ply_move proto_any_move(const ply_state *state, const ply_search_limits *limits);
/* Makes the searcher, which takes a while if its table is large. False when memory runs out. */
bool proto_prepare(ply_session *s);
/* Forgets what was learnt: a new game. */
void proto_forget(ply_session *s);

typedef void proto_move_writer(const ply_state *state, ply_move move, ply_text *out);
/* The move in the game's own notation. */
void proto_move_text(const ply_state *state, ply_move move, ply_text *out);
/* The moves of a line from a state on, parted by blanks. */
void proto_line_text(const ply_state *state, const ply_variation *line, proto_move_writer *writer,
                     ply_text *out);

/* --- rules and options ----------------------------------------------------------------------- */
/* Other rules, and the start position. On failure all is as it was. Stops a search. */
ply_status proto_set_rules(ply_session *s, const ply_game *game, const char *variant,
                           ply_error *error);

enum proto_option_type { PROTO_SPIN, PROTO_CHECK, PROTO_COMBO, PROTO_BUTTON };

/* A setting that the other side may change: the engine's, then the rules'. */
typedef struct proto_option {
    const char *name;
    enum proto_option_type type;
    int64_t value, low, high;
    const char *const *names; /* of a combo; NULL: the variants */
    size_t name_count;
} proto_option;

/* Setting number i; false past the end. */
bool proto_option_at(const ply_session *s, size_t i, proto_option *option);
const char *proto_option_choice(const ply_session *s, const proto_option *option, size_t k);
/* Sets by name, whatever the case of its letters. Stops a search. */
ply_status proto_option_set(ply_session *s, const char *name, size_t name_length, const char *value,
                            size_t value_length, ply_error *error);

/* --- words (tokens.c) ------------------------------------------------------------------------- */
typedef struct proto_word {
    const char *text;
    size_t length;
} proto_word;

/* The next word; false at the end. */
bool proto_next(ply_cursor *cursor, proto_word *word);
bool proto_is(proto_word word, const char *text);
/* The same whatever the case of its letters. */
bool proto_is_any_case(proto_word word, const char *text);
/* The whole word as a number; negative ones count as 0 where the protocol allows clocks below it.
 */
bool proto_number(proto_word word, uint64_t limit, uint64_t *value);
/* What is left of the line. */
proto_word proto_rest(const ply_cursor *cursor);

#endif
