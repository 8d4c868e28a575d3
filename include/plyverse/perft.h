/* SPDX-License-Identifier: MIT */
/*
 * perft.h - traversing a game tree without evaluating it: perft and random playouts.
 *
 * Both run on several threads and give the same numbers for any number of threads. To watch or stop
 * a long run, pass a ply_progress.
 */
#ifndef PLYVERSE_PERFT_H
#define PLYVERSE_PERFT_H

#include <plyverse/progress.h>
#include <plyverse/state.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ply_perft_options {
    int mode;               /* index into rules->counting->modes */
    unsigned threads;       /* 0 and 1: the caller's thread alone */
    size_t hash_mb;         /* a table of counts already made, in MiB; 0: none */
    ply_progress *progress; /* may be NULL */
} ply_perft_options;

typedef struct ply_perft_entry {
    ply_move move;
    uint64_t nodes;
} ply_perft_entry;

/*
 * Counts the leaves `depth` plies below the state's position; repetition and other rules that look
 * back do not end a line. lines (may be NULL) has room for rules->max_moves and gets the count
 * below each move, in the order of the move list; *line_count says how many. Where perft counts
 * turns, a line gathers the turns that begin with a move. PLY_STOPPED when the progress said so.
 */
PLY_API ply_status ply_perft(const ply_state *state, int depth, const ply_perft_options *options,
                             uint64_t *nodes, ply_perft_entry *lines, size_t *line_count);

typedef struct ply_playout_options {
    uint64_t games;
    uint64_t seed;
    unsigned threads;
    size_t max_plies; /* a game that goes on longer counts as unfinished */
    ply_progress *progress;
} ply_playout_options;

typedef struct ply_playout_totals {
    uint64_t games, plies;
    uint64_t results[4]; /* by ply_result; PLY_ONGOING: unfinished */
    uint64_t signature;  /* of all final positions and lengths; the threads do not matter */
    size_t shortest, longest;
} ply_playout_totals;

/* Plays random games from the state's position. Game number g uses stream g of the seed. */
PLY_API ply_status ply_playouts(const ply_state *state, const ply_playout_options *options,
                                ply_playout_totals *totals);

#ifdef __cplusplus
}
#endif
#endif
