/* SPDX-License-Identifier: MIT */
/*
 * play.h - games that the engine plays against itself, to train and tune evaluations.
 *
 * A game starts with one of the game's openings or with random plies, then both sides search a
 * fixed number of nodes for every move. It ends by the rules, or earlier when its result is known:
 * a forced win, a position of an endgame tablebase, scores that agree for long, or too many plies.
 *
 * The games depend on the options only, not on the machine or the number of threads.
 */
#ifndef PLY_TRAIN_PLAY_H
#define PLY_TRAIN_PLAY_H

#include "train/game_file.h"
#include <plyverse/search.h>
#include <plyverse/tablebase.h>

/* Consecutive plies whose scores must agree before a game is adjudicated. */
enum { TRAIN_RESIGN_PLIES = 6, TRAIN_DRAW_PLIES = 20, TRAIN_DRAW_EARLIEST = 40 };
/* A game has stalled if its scores stay within this of each other. */
enum { TRAIN_STALL_SCORES = 50 };

/*
 * How several processes share the games of one file. One of them, the keeper, writes the file. next,
 * post and end are called by any thread.
 */
typedef struct train_share {
    void *context;
    bool keeper;
    /*
     * Called once by every process before its first game: the failure of one becomes the failure of
     * all, and *first, the number of the first game to be played, the keeper's.
     */
    ply_status (*agree)(void *context, ply_status status, uint64_t *first, ply_error *error);
    uint64_t (*next)(void *context); /* 0, 1, 2, ... over all processes */
    void (*end)(void *context);      /* next returns no more numbers below 2^32 */
    /* Brings a game to the keeper, where train_receive takes it. */
    void (*post)(void *context, const void *bytes, size_t count);
    /* Called once by every process after its last game: all games posted are received. */
    void (*finish)(void *context);
    struct selfplay *selfplay; /* set by train_play */
} train_share;

typedef struct train_play_options {
    const char *variants[TRAIN_MAX_VARIANTS]; /* game g uses number g modulo variant_count */
    size_t variant_count;                     /* 0: the default variant */
    uint64_t nodes, seed;
    unsigned opening_plies; /* random plies at the start: between half of this and all of it */
    int32_t balance;     /* openings that a short search scores beyond this are rejected; 0: none */
    int32_t resign;      /* decided if the scores stay beyond this; 0: never */
    int32_t draw;        /* drawn if the scores stay within this; negative: never */
    unsigned stall;      /* drawn if the scores hardly change for this many plies; 0: never */
    size_t max_plies;    /* a longer game is drawn */
    const char *network; /* as in ply_search_options */
    const char *tablebase_dir; /* of endgame tablebases; NULL: none */
    /* The games do not depend on these: */
    uint64_t games;   /* how many the file shall hold */
    uint64_t seconds; /* no game is begun after this time; 0: no limit */
    unsigned threads;
    bool verbose;       /* print the progress to stderr */
    train_share *share; /* NULL: this process plays all games */
} train_play_options;

/*
 * Plays game number g into *game, which is empty or may be overwritten. The searcher and the
 * tablebase, which may be NULL, belong to the rules; the searcher is cleared first.
 */
ply_status train_play_game(const ply_rules *rules, ply_searcher *searcher, ply_tablebase *tablebase,
                           const train_play_options *options, uint64_t g, train_game *game);
/*
 * Plays games and appends them to a file in order. A file that was started with the same options is
 * continued after its last complete game; any other file is refused with PLY_BAD_OPTION. Every
 * whole game played is in the file, however the process ends.
 */
ply_status train_play(const ply_game *game, const train_play_options *options, const char *path,
                      ply_error *error);
/* On the keeper: takes what another process posted. Safe from any thread. */
void train_receive(train_share *share, const void *bytes, size_t count);

#endif
