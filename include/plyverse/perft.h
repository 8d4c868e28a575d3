/* SPDX-License-Identifier: MIT */
/*
 * perft.h - traversing a game tree without evaluating it: perft and random playouts.
 *
 * Both run on several threads and give the same numbers for any number of threads. To watch or stop
 * a long run, pass a ply_progress. Both are safe to call from several threads at once, as long as
 * the state is not changed meanwhile.
 */
#ifndef PLYVERSE_PERFT_H
#define PLYVERSE_PERFT_H

#include <plyverse/device.h>
#include <plyverse/parts.h>
#include <plyverse/progress.h>
#include <plyverse/state.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A field that is 0 takes its default. */
typedef struct ply_perft_options {
    size_t size;            /* sizeof(ply_perft_options); 0: the same */
    int mode;               /* index into rules->counting->modes */
    unsigned threads;       /* 0 and 1: the caller's thread alone */
    size_t hash_mb;         /* size of a hash table of counts, in MiB; 0: none */
    ply_progress *progress; /* may be NULL */
    /* NULL: all parts. Else only the parts dealt are counted. Values: entry of divide, nodes. */
    const ply_parts *parts;
    /*
     * PLY_DEVICE_CUDA: counts on device number device_index, with at most device_mb MiB of its memory
     * (0: half of what is free). Not with parts, a hash table or a mode; not for 5D chess.
     */
    ply_device device;
    int device_index;
    size_t device_mb;
    ply_error *error; /* may be NULL: says why a device cannot count */
} ply_perft_options;

/* The leaves below one root move. */
typedef struct ply_perft_entry {
    ply_move move;
    uint64_t nodes;
} ply_perft_entry;

/*
 * Counts the leaves `depth` plies below the state's position, or turns for games with
 * multi_move_turns, and writes the number to *nodes. Rules that depend on history, such as
 * repetition, do not end a variation. options may be NULL.
 *
 * divide (may be NULL) receives the count below each root move, in the order of the move list, and
 * *divide_count (may be NULL) the number of entries; it must have room for rules->max_moves. With
 * turns, an entry sums up the turns that start with the move.
 *
 * Fails with PLY_STOPPED if the progress was stopped, with PLY_BAD_OPTION, with PLY_NO_MEMORY and, on
 * a device, with PLY_UNSUPPORTED; *nodes and divide are then meaningless.
 */
PLY_API ply_status ply_perft(const ply_state *state, int depth, const ply_perft_options *options,
                             uint64_t *nodes, ply_perft_entry *divide, size_t *divide_count);

/* A field that is 0 takes its default. */
typedef struct ply_playout_options {
    size_t size;    /* sizeof(ply_playout_options); 0: the same */
    uint64_t games; /* 0: 1 */
    uint64_t seed;
    unsigned threads;       /* 0 and 1: the caller's thread alone */
    size_t max_plies;       /* a longer game counts as unfinished; 0: ply_playout_default_plies */
    ply_progress *progress; /* may be NULL */
    /* NULL: all parts. Else only the parts dealt are played. Values: the members of
     * ply_playout_totals in their order, PLY_PLAYOUT_VALUES of them. */
    const ply_parts *parts;
} ply_playout_options;

typedef struct ply_playout_totals {
    uint64_t games, plies;
    uint64_t results[4]; /* by ply_result; PLY_ONGOING: unfinished */
    uint64_t signature;  /* of all final positions and lengths */
    size_t shortest, longest;
} ply_playout_totals;

/* The default of max_plies: 10000, fewer where random games hardly ever end (5D chess). */
PLY_API size_t ply_playout_default_plies(const ply_rules *rules);
enum { PLY_PLAYOUT_VALUES = 9 };
/* Adds to *sum what the values of a part say. */
PLY_API void ply_playout_add(ply_playout_totals *sum, const uint64_t *values);

/*
 * Plays random games from the state's position; game number g uses stream g of the seed. options may
 * be NULL. *totals describes the games that were finished, even if the call fails with PLY_STOPPED,
 * PLY_NO_MEMORY or the status of a move that could not be played. PLY_BAD_OPTION: too many threads or
 * plies.
 */
PLY_API ply_status ply_playouts(const ply_state *state, const ply_playout_options *options,
                                ply_playout_totals *totals);

#ifdef __cplusplus
}
#endif
#endif
