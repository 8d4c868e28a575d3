/* SPDX-License-Identifier: MIT */
/*
 * match.h - a match: many games between two engines, and their results.
 *
 * Games 2p and 2p + 1 are pair p: the same opening, with the first engine as player 0 and then as
 * player 1. Threads take the games in order; each has a pair of engines of its own. Every move is
 * checked against the rules. An engine that cannot finish a game loses it, and the reason is kept.
 * A game interrupted by the end of the match has no result and can be played later.
 *
 *     match_openings  -->  ply_match_run  -->  match_results
 *                              |                ^
 *                          listener             |  ply_match_journal_open: continue after a kill
 */
#ifndef PLY_MATCH_MATCH_H
#define PLY_MATCH_MATCH_H

#include "match/engine.h"
#include "match/stats.h"
#include <plyverse/record.h>

/* --- openings (openings.c) ------------------------------------------------------------------- */
typedef struct match_opening {
    char *name;  /* may be "" */
    char *start; /* text of the start position; "" for the usual one */
    char *moves; /* separated by spaces; may be "" */
} match_opening;

/* Start with {0}, or with random_plies and seed set for random openings. */
typedef struct match_openings {
    match_opening *items;
    size_t count, capacity;
    size_t random_plies; /* without items: the number of random plies from the usual start */
    uint64_t seed;
    /* Random openings are drawn until a search of so many nodes, if any, scores one within this. */
    uint64_t balance_nodes;
    int32_t balance;
} match_openings;

void ply_match_openings_free(match_openings *openings);
/* Appends an opening; copies the texts. */
ply_status ply_match_openings_add(match_openings *openings, const char *name, const char *start,
                                  const char *moves);
/*
 * Draws up to `wanted` of the game's own openings at random, each at most once and none that is
 * barred. PLY_UNSUPPORTED when the game has none.
 */
ply_status ply_match_openings_builtin(match_openings *openings, const ply_rules *rules,
                                      uint64_t seed, size_t wanted);
/* Parses lines: a position, or `moves m1 m2 ...`, or both. # begins a comment. */
ply_status ply_match_openings_parse(match_openings *openings, const ply_rules *rules,
                                    const char *text, size_t length, ply_error *error);
/* Appends the first moves of a record's main variation, at most `plies` of them (0: all). */
ply_status ply_match_openings_add_record(match_openings *openings, const ply_record *record,
                                         size_t plies);
/* Shuffles; the same seed gives the same order. */
void ply_match_openings_shuffle(match_openings *openings, uint64_t seed);
/* Checks that every opening can be set up and does not end the game. */
ply_status ply_match_openings_check(const match_openings *openings, const ply_rules *rules,
                                    ply_error *error);
/* Sets the state to the end of the opening of a pair. *name and *start belong to the openings. */
ply_status ply_match_openings_setup(const match_openings *openings, uint64_t pair, ply_state *state,
                                    const char **name, const char **start, ply_error *error);
/* A hash of all openings. */
uint64_t ply_match_openings_hash(const match_openings *openings);

/* --- games ----------------------------------------------------------------------------------- */
#define MATCH_NO_SCORE INT32_MIN

typedef enum match_ending {
    MATCH_BY_RULES,
    MATCH_BY_ADJUDICATION, /* by score or length */
    MATCH_BY_RESIGNATION,
    MATCH_BY_TIME, /* this and the following are forfeits */
    MATCH_BY_ILLEGAL,
    MATCH_BY_CRASH,
    MATCH_ENDINGS
} match_ending;

typedef struct match_game {
    uint64_t number;
    ply_result result;
    match_ending ending;
    char reason[32];  /* an id such as "no-move", "time", "crash" */
    char detail[160]; /* an explanation, or "" */
    char *opening;    /* its name, or "" */
    char *start;      /* text of the start position; "" for the usual one */
    size_t opening_plies, plies;
    char *moves;     /* including the opening, separated by spaces */
    int32_t *millis; /* per ply; -1 in the opening */
    int32_t *scores; /* per ply, for the player who moved; or MATCH_NO_SCORE */
} match_game;

/* The engine (0: first, 1: second) that is player `player` in a game. */
static inline int ply_match_engine_of(uint64_t number, int player)
{
    return player ^ (int)(number & 1);
}
/* Half points of the first engine: 0, 1 or 2. */
int ply_match_game_points(const match_game *game);
/* The engine that forfeited the game, or -1. */
int ply_match_game_forfeiter(const match_game *game);
void ply_match_game_free(match_game *game);
/* Makes a record of the game; free it with ply_record_free, also after a failure. */
ply_status ply_match_game_record(const match_game *game, const ply_rules *rules,
                                 const char *const names[2], ply_record *record);

typedef struct match_results {
    match_game **games; /* by number; NULL: not played */
    uint64_t capacity;
} match_results;

typedef struct match_summary {
    match_tally tally;
    uint64_t games, plies;
    uint64_t by_colour[2][3];           /* the first engine as player 0 or 1: losses, draws, wins */
    uint64_t endings[2][MATCH_ENDINGS]; /* losses of each engine, by ending */
} match_summary;

ply_status ply_match_results_init(match_results *results, uint64_t games);
void ply_match_results_free(match_results *results);
/* Counts the games played among 0 to count - 1. */
match_summary ply_match_results_summarize(const match_results *results, uint64_t count);
/* The number of pairs, from pair 0 on, that are complete without a gap. */
uint64_t ply_match_results_complete_pairs(const match_results *results);

/* --- playing --------------------------------------------------------------------------------- */
typedef struct match_adjudication {
    uint32_t
        resign_moves; /* lost after this many moves in a row at -resign_score or worse; 0: off */
    int32_t resign_score;
    uint32_t draw_moves; /* drawn after this many plies in a row within draw_score of 0; 0: off */
    uint32_t draw_from;  /* not before this ply */
    int32_t draw_score;
    uint32_t max_plies; /* drawn at this ply; 0: off */
} match_adjudication;

/*
 * Sharing a match out among processes, each of which calls ply_match_run. One of them, the keeper,
 * gets all games; the others submit theirs to it. All members are required but `submit`.
 */
typedef struct match_share {
    /* The match is about to begin: ply_match_receive works from now on. False: out of memory. */
    bool (*start)(void *context);
    /* The number of the next game to play; options->games or more: none is left. Any thread. */
    uint64_t (*next)(void *context);
    /* Sends a game to the keeper; NULL on the keeper itself. Any thread. */
    void (*submit)(void *context, const match_game *game);
    /* On the keeper: the SPRT is decided, and no more games are needed. */
    void (*end)(void *context);
    /* Returns when the keeper has received all games. Follows every start that succeeded. */
    void (*finish)(void *context);
    void *context;
    void *match; /* set by ply_match_run while it runs, for ply_match_receive */
} match_share;
/* Gives the keeper, whose match runs, a game that another process has played. Takes the game. */
void ply_match_receive(match_share *share, match_game *game);

/* Called after each game from the thread that played it; calls do not overlap. */
typedef void match_listener(void *context, const match_game *game, const match_results *results);

/* Called before each move of a game, from the thread that plays it. */
typedef void match_watcher(void *context, uint64_t number, const ply_state *state);

typedef struct match_options {
    const ply_rules *rules;
    const char *engines[2], *settings[2]; /* as in match_engine_options */
    const char *tables[2];                /* tablebase folders of built-in players; may be NULL */
    match_limits limits[2];
    uint64_t games, seed;
    unsigned concurrency; /* games played at the same time, at least 1 */
    uint64_t margin;      /* milliseconds a move may be late */
    uint64_t timeout;     /* milliseconds to get ready, or to answer when there is no time limit */
    /*
     * The limits of time are CPU time. Players and programs of this library are told to keep to
     * it; all are measured by it, and have the timeout in addition to answer at all.
     */
    bool cpu_time;
    match_move_time move_time[2]; /* by engine */
    match_adjudication adjudication;
    const match_openings *openings;
    const match_sprt *sprt;   /* may be NULL */
    match_listener *listener; /* may be NULL */
    match_watcher *watcher;   /* may be NULL */
    match_traffic *traffic;   /* may be NULL */
    void *context;            /* passed to listener, watcher and traffic */
    atomic_bool *stop;        /* required; when any thread sets it, the match ends at once */
    match_share *share;       /* NULL: this process plays all games */
} match_options;

/*
 * Plays the games that results does not hold yet. PLY_OK: all are played, or the SPRT is decided.
 * PLY_STOPPED: *stop was set. Anything else: the match is impossible, and *error says why.
 */
ply_status ply_match_run(const match_options *options, match_results *results, ply_error *error);

/* The limits of an engine: those in its spec, else the given ones, else one second per move. */
match_limits ply_match_engine_limits(const char *spec, const match_limits *given);
/*
 * Applies the SPRT to the complete pairs in their order, not in the order they finished: quick
 * games must not decide the match early. *pairs: how many it took.
 */
match_verdict ply_match_sprt_decide(const match_sprt *sprt, const match_results *results,
                                    uint64_t *pairs);

/* --- the journal (journal.c) ----------------------------------------------------------------- */
/*
 * A text file: a header that identifies the match, then one line per game, written when the game
 * ends. If a kill cut the last line short, that line is dropped when the file is opened again.
 */
typedef struct match_journal match_journal;

/*
 * Opens a journal. header: lines `name value` that must be identical when the match is resumed.
 * With resume, the games of an existing file are read into results (those beyond its capacity are
 * ignored); without it the file must not exist. NULL, with *error filled, on failure.
 */
match_journal *ply_match_journal_open(const char *path, const char *header, bool resume,
                                      const ply_rules *rules, match_results *results,
                                      ply_error *error);
ply_status ply_match_journal_add(match_journal *journal, const match_game *game);
/* A game as a line of the journal, with its end, and back. NULL when the line is damaged, or a move
 * is illegal; parsing changes the line. */
void ply_match_game_format(const match_game *game, ply_text *out);
match_game *ply_match_game_parse(char *line, size_t length, const ply_rules *rules);
void ply_match_journal_close(match_journal *journal);

#endif
