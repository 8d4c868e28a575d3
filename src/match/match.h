/* SPDX-License-Identifier: MIT */
/*
 * match.h - many games between two engines, and their results.
 *
 * Game 2p and game 2p + 1 are pair p: the same opening, with the first engine as player 0 and then
 * as player 1. Threads take the games in order; each has a pair of engines of its own. Whatever is
 * played is checked by the rules. A game that an engine cannot finish is a loss for it, with the
 * reason; a game that the match does not let finish is not recorded, and can be played later.
 *
 *     match_openings  -->  ply_match_run  -->  match_results
 *                              |                ^
 *                          listener             |  ply_match_journal_open, to go on after a kill
 */
#ifndef PLY_MATCH_MATCH_H
#define PLY_MATCH_MATCH_H

#include "match/engine.h"
#include "match/stats.h"
#include <plyverse/record.h>

/* --- openings (openings.c) ------------------------------------------------------------------ */
typedef struct match_opening {
    char *name;  /* may be "" */
    char *start; /* text of a position; "" for the usual one */
    char *moves; /* parted by blanks; may be "" */
} match_opening;

typedef struct match_openings {
    match_opening *items;
    size_t count, capacity;
    size_t random_plies; /* with no items: so many random plies from the start */
    uint64_t seed;
} match_openings;

void ply_match_openings_free(match_openings *openings);
ply_status ply_match_openings_add(match_openings *openings, const char *name, const char *start,
                                  const char *moves);
/* So many drawn by lot from those the game itself offers, but for the barred ones.
 * PLY_UNSUPPORTED when it offers none. */
ply_status ply_match_openings_builtin(match_openings *openings, const ply_rules *rules,
                                      uint64_t seed, size_t wanted);
/* Lines of text: a position, or `moves m1 m2 ...`, or both; # begins a comment. */
ply_status ply_match_openings_parse(match_openings *openings, const ply_rules *rules,
                                    const char *text, size_t length, ply_error *error);
/* The moves of a record's main line, at most so many (0: all). */
ply_status ply_match_openings_add_record(match_openings *openings, const ply_record *record,
                                         size_t plies);
/* Another order, the same for the same seed. */
void ply_match_openings_shuffle(match_openings *openings, uint64_t seed);
/* Checks that all can be set up and leave a game to be played. */
ply_status ply_match_openings_check(const match_openings *openings, const ply_rules *rules,
                                    ply_error *error);
/* The state after opening number `pair`; *name and *start stay the openings' own. */
ply_status ply_match_openings_set(const match_openings *openings, uint64_t pair, ply_state *state,
                                  const char **name, const char **start, ply_error *error);
/* A number that changes with any of them. */
uint64_t ply_match_openings_hash(const match_openings *openings);

/* --- games ---------------------------------------------------------------------------------- */
#define MATCH_NO_SCORE INT32_MIN

typedef enum match_ending {
    MATCH_BY_RULES,
    MATCH_BY_ADJUDICATION, /* by score or length */
    MATCH_BY_RESIGNATION,
    MATCH_BY_TIME,
    MATCH_BY_ILLEGAL,
    MATCH_BY_CRASH,
    MATCH_ENDINGS
} match_ending;

typedef struct match_game {
    uint64_t number;
    ply_result result;
    match_ending ending;
    char reason[32];  /* a word such as "no-move", "time", "crash" */
    char detail[160]; /* more words, or "" */
    char *opening;    /* its name, or "" */
    char *start;      /* text of the position, or "" */
    size_t opening_plies, plies;
    char *moves;     /* those of the opening included, parted by blanks */
    int32_t *millis; /* of each ply; -1 in the opening */
    int32_t *scores; /* of each ply, for who moved; or MATCH_NO_SCORE */
} match_game;

/* The engine (0: first, 1: second) that is player `player` in a game. */
static inline int match_engine_of(uint64_t number, int player)
{
    return player ^ (int)(number & 1);
}
/* Half points of the first engine: 0, 1 or 2. */
int ply_match_game_points(const match_game *game);
/* The engine that lost by its own fault, -1 where none did. */
int ply_match_game_culprit(const match_game *game);
void ply_match_game_free(match_game *game);
/* The game as a record; free it with ply_record_free. */
ply_status ply_match_game_record(const match_game *game, const ply_rules *rules,
                                 const char *const names[2], ply_record *record);

typedef struct match_results {
    match_game **games; /* by number; NULL: not played */
    uint64_t room;
} match_results;

typedef struct match_table {
    match_tally tally;
    uint64_t games, plies;
    uint64_t as_first[2][3];            /* the first engine as player 0 or 1: losses, draws, wins */
    uint64_t endings[2][MATCH_ENDINGS]; /* losses of each engine by how they came about */
} match_table;

ply_status ply_match_results_init(match_results *results, uint64_t games);
void ply_match_results_free(match_results *results);
/* Counts games 0 to count - 1 that are played. */
match_table ply_match_results_table(const match_results *results, uint64_t count);
/* How many pairs from the first on are complete. */
uint64_t ply_match_results_whole_pairs(const match_results *results);

/* --- playing -------------------------------------------------------------------------------- */
typedef struct match_adjudication {
    uint32_t resign_moves; /* 0: never. So many moves in a row at -resign_score or worse: lost */
    int32_t resign_score;
    uint32_t draw_moves; /* 0: never. So many plies in a row within draw_score of 0: drawn */
    uint32_t draw_from;  /* from this ply on */
    int32_t draw_score;
    uint32_t max_plies; /* 0: none. Drawn then */
} match_adjudication;

/* Called after each game by the thread that played it, one at a time. */
typedef void match_listener(void *context, const match_game *game, const match_results *results);

typedef struct match_options {
    const ply_rules *rules;
    const char *engines[2], *settings[2];
    const char *tables[2]; /* folders of solved tables for engines of ours; NULL: none */
    match_limits limits[2];
    uint64_t games, seed;
    unsigned concurrency;
    uint64_t margin;   /* milliseconds a move may be late */
    uint64_t patience; /* milliseconds for an engine to get ready, or to answer without a clock */
    match_adjudication adjudication;
    const match_openings *openings;
    const match_sprt *sprt; /* may be NULL */
    match_listener *listener;
    match_traffic *traffic;
    void *context;
    atomic_bool *stop; /* set by anybody: the match ends within moments; may not be NULL */
} match_options;

/*
 * Plays the games of results that are not there yet. PLY_OK: all played, or the test is decided.
 * PLY_STOPPED: *stop was set. Anything else: *error says why no match is possible.
 */
ply_status ply_match_run(const match_options *options, match_results *results, ply_error *error);

/* The limits for an engine: what its own spec says goes first; without any, a second a move. */
match_limits ply_match_engine_limits(const char *spec, const match_limits *given);
/* What the test says of the whole pairs, in their order: quick games do not decide early. */
match_verdict ply_match_sprt_decide(const match_sprt *sprt, const match_results *results,
                                    uint64_t *pairs);

/* --- the journal (journal.c) ---------------------------------------------------------------- */
/*
 * A text file: a head that says which match it is, then one line for each game, written when it is
 * finished. A line that a kill has torn is dropped when the file is opened again.
 */
typedef struct match_journal match_journal;

/*
 * Opens a journal. head: lines `name value` that must be the same when it is resumed. With resume
 * the games of an older file are read into results, and those beyond results->room are left out;
 * without it the file must not exist. NULL, with *error filled, on failure.
 */
match_journal *ply_match_journal_open(const char *path, const char *head, bool resume,
                                      const ply_rules *rules, match_results *results,
                                      ply_error *error);
ply_status ply_match_journal_add(match_journal *journal, const match_game *game);
void ply_match_journal_close(match_journal *journal);

#endif
