/*
 * perft.h - walking the tree of a game without judging it: perft and random playouts.
 *
 * Both spread over threads and give the same numbers whatever the number of threads. A caller who
 * wants to watch or stop a long walk shares a ply_walk_meter with it.
 */
#ifndef PLYVERSE_PERFT_H
#define PLYVERSE_PERFT_H

#include <plyverse/state.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Filled by the walk and read by others while it runs. Set to zero before use; while a walk runs,
 * touch it only through the functions below.
 */
typedef struct ply_walk_meter {
    uint64_t units;       /* nodes or plies so far */
    uint64_t parts_done;  /* pieces of work finished */
    uint64_t parts_total; /* 0 while not known */
    uint64_t stop;        /* not 0: the walk is to stop */
} ply_walk_meter;

/* A copy of the numbers as they are now. */
PLY_API ply_walk_meter ply_walk_meter_read(const ply_walk_meter *meter);
/* Asks the walk to stop; it answers PLY_STOPPED soon after. Safe in a signal handler. */
PLY_API void ply_walk_meter_stop(ply_walk_meter *meter);

typedef struct ply_perft_options {
    int mode;              /* index into game->perft_modes */
    unsigned threads;      /* 0 and 1: the caller's thread alone */
    size_t hash_mb;        /* a table of counts already made, in MiB; 0: none */
    ply_walk_meter *meter; /* may be NULL */
} ply_perft_options;

typedef struct ply_perft_line {
    ply_move move;
    uint64_t nodes;
} ply_perft_line;

/*
 * Counts the leaves `depth` plies below the state's position; repetition and other rules that look
 * back do not end a line. lines (may be NULL) has room for rules->max_moves and gets the count
 * below each move, in the order of the move list; *line_count says how many. Where perft counts
 * turns, a line gathers the turns that begin with a move. PLY_STOPPED when the meter said so.
 */
PLY_API ply_status ply_perft(const ply_state *state, int depth, const ply_perft_options *options,
                             uint64_t *nodes, ply_perft_line *lines, size_t *line_count);

typedef struct ply_playout_options {
    uint64_t games;
    uint64_t seed;
    unsigned threads;
    size_t max_plies; /* a game that goes on longer counts as unfinished */
    ply_walk_meter *meter;
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
