/* SPDX-License-Identifier: MIT */
/*
 * player.h - computer players: a way to choose moves, at a level of strength.
 *
 * A player belongs to one set of rules and is described by a text such as
 *
 *     alphabeta                     full strength, one second per move by default
 *     alphabeta:level=3             limited strength
 *     mcts:nodes=5000,threads=2     Monte-Carlo tree search, 5000 simulations per move
 *     playouts:nodes=5000           the same with random playouts instead of the evaluation
 *     greedy                        the move after which the evaluation is best
 *     random                        any legal move
 *
 * Keys: level (1 to 10), depth, nodes, time (milliseconds per move), hash (MiB), threads, seed,
 * temperature, overlook (both as in ply_level, in place of the level's), net: a network file, or
 * none, and book: an opening book. Names of files have no comma. `engine` is another name for
 * alphabeta.
 *
 * Levels below 10 are meant to play like weaker people, not like dice: they search less deeply,
 * choose among the best moves with some carelessness, and at the lowest levels overlook some moves
 * altogether. A forced win that is seen is played. docs/match.md has measurements.
 *
 * With a depth or node limit and one thread, the same seed and the same game give the same moves.
 *
 * Thread safety: a player is used by one thread at a time, except for ply_player_stop. Different
 * players are independent.
 */
#ifndef PLYVERSE_PLAYER_H
#define PLYVERSE_PLAYER_H

#include <plyverse/search.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ply_player_kind {
    PLY_PLAYER_ALPHABETA, /* these search; in the order of ply_search_kind */
    PLY_PLAYER_MCTS,
    PLY_PLAYER_PLAYOUTS,
    PLY_PLAYER_RANDOM, /* from here on without search */
    PLY_PLAYER_GREEDY,
} ply_player_kind;

/* Room for the path of a network or a book, the NUL included. */
#define PLY_PLAYER_NETWORK 256

/* What describes a player. A field that is 0 takes its default. */
typedef struct ply_player_spec {
    size_t size; /* sizeof(ply_player_spec); 0: the same */
    ply_player_kind kind;
    int level; /* 1 to PLY_LEVEL_FULL; 0: full strength */
    int depth;
    uint64_t nodes, millis; /* per move */
    size_t memory_mb;
    unsigned threads;
    uint64_t seed;
    const char *tablebase_dir;        /* see ply_search_options; ignored below full strength */
    char network[PLY_PLAYER_NETWORK]; /* see ply_search_options; "" for the one in the library */
    uint32_t temperature, overlook;   /* as in ply_level; 0: the level's */
    char book[PLY_PLAYER_NETWORK];    /* an opening book; "": none; ignored below full strength */
} ply_player_spec;

typedef struct ply_player_answer {
    ply_variation pv; /* pv.moves[0] is the chosen move */
    bool has_score;   /* pv.score is meaningful */
    int depth;
    uint64_t nodes;
    double seconds;
} ply_player_answer;

typedef struct ply_player ply_player;

/*
 * Parses the description of a player. PLY_BAD_OPTION on failure; error (may be NULL) then says what
 * is wrong and where. Safe from any thread.
 */
PLY_API ply_status ply_player_spec_parse(ply_player_spec *spec, const char *text, ply_error *error);
/* Appends the text that parses to this spec (without tablebase_dir). Safe from any thread. */
PLY_API void ply_player_spec_format(const ply_player_spec *spec, ply_text *out);

/*
 * What a level means in a game, or NULL if it is not from 1 to PLY_LEVEL_FULL. Static. Safe from any
 * thread.
 */
PLY_API const ply_level *ply_player_level(const ply_rules *rules, int level);

/*
 * Creates a player, which the caller frees. Copies the spec, except for the folder's name; spec may be
 * NULL: full strength. rules must outlive the player. NULL when memory or threads run out, or
 * without rules.
 */
PLY_API ply_player *ply_player_new(const ply_rules *rules, const ply_player_spec *spec);
/* NULL is a no-op. No choice may be in progress. */
PLY_API void ply_player_free(ply_player *player);
/* Forgets everything learned. Game number `game` has its own random choices for a given seed. */
PLY_API void ply_player_new_game(ply_player *player, uint64_t game);
/*
 * Chooses a move in a state, which it leaves unchanged, and writes it to *answer.
 *
 * The player's own depth, node and time limits replace those of *limits (may be NULL); the limits
 * of its level apply on top. With no limit at all, a move takes one second. limits->only is
 * respected; limits->multipv and limits->ponder are ignored. listener may be NULL and is called as
 * by ply_searcher_run.
 *
 * Fails with PLY_UNSUPPORTED if there is no legal move (or none of limits->only is legal), and with
 * PLY_NO_MEMORY.
 */
PLY_API ply_status ply_player_choose(ply_player *player, const ply_state *state,
                                     const ply_search_limits *limits, ply_search_listener *listener,
                                     void *context, ply_player_answer *answer);
/*
 * Makes a choice in progress return within milliseconds. Safe from any thread and in a signal
 * handler.
 */
PLY_API void ply_player_stop(ply_player *player);

#ifdef __cplusplus
}
#endif
#endif
