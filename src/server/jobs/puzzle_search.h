/* SPDX-License-Identifier: MIT */
/*
 * puzzle_search.h - looks for puzzles in the games of the library, in the background.
 *
 * One thread at low priority takes games that were not searched since they changed, the newest
 * first, and asks the finder (puzzle/puzzle.h) about each goal of their rules. The puzzles of a game
 * are saved when it is done, so stopping loses at most one game, and the next search continues with
 * those that are left.
 *
 * Threads: every function but puzzle_search_open and puzzle_search_close may be called from any
 * thread.
 */
#ifndef PLY_SERVER_JOBS_PUZZLE_SEARCH_H
#define PLY_SERVER_JOBS_PUZZLE_SEARCH_H

#include "puzzle/puzzle.h"
#include "server/library/library.h"
#include "server/library/tablebases.h"

enum { PUZZLE_SEARCH_GAMES = 200 }; /* of one search */

typedef enum puzzle_search_stage {
    PUZZLE_SEARCH_NONE,
    PUZZLE_SEARCH_RUNNING,
    PUZZLE_SEARCH_FINISHED,
    PUZZLE_SEARCH_STOPPED,
    PUZZLE_SEARCH_FAILED,
} puzzle_search_stage;

/* How a search is going, or went. */
typedef struct puzzle_search_progress {
    puzzle_search_stage stage;
    uint64_t done, total; /* games */
    uint64_t unsupported; /* games among those done whose rules have no puzzles */
    uint64_t left;        /* games for the next search, since this one has as many as it may */
    uint64_t found;       /* puzzles that are new */
    ply_error error;      /* why it failed */
} puzzle_search_progress;

typedef struct puzzle_search {
    library *library;
    tablebases *tablebases;

    pthread_mutex_t lock; /* guards what follows */
    pthread_cond_t ended;
    puzzle_search_progress progress;
    bool has_thread, cancelled, closing;
    bool again;                /* a new search was wanted before the thread of the last one ended */
    ply_puzzle_finder *finder; /* what is busy, to be stopped; may be NULL */
} puzzle_search;

void puzzle_search_open(puzzle_search *search, library *l, tablebases *tables);
/* Stops the thread. */
void puzzle_search_close(puzzle_search *search);
/* Starts a search, unless one is running. PLY_NO_MEMORY when there is no thread for it. */
ply_status puzzle_search_start(puzzle_search *search);
/* Stops the search, if one is running. */
void puzzle_search_stop(puzzle_search *search);
puzzle_search_progress puzzle_search_report(puzzle_search *search);

#endif
