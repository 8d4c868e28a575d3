/* SPDX-License-Identifier: MIT */
/*
 * player.h - somebody to play against: a way of choosing moves, at a level.
 *
 * A player belongs to one set of rules and is named by a text such as
 *
 *     alphabeta                     full strength, one second a move unless told otherwise
 *     alphabeta:level=3             a weaker player
 *     mcts:nodes=5000,threads=2     Monte-Carlo, 5000 simulations a move
 *     playouts:nodes=5000           the same without the game's evaluation: random games alone
 *     greedy, random                the best-looking next position; any legal move
 *
 * Keys: level (1 to 10), depth, nodes, time (milliseconds a move), hash (mebibytes), threads, seed.
 * `engine` is another name of alphabeta.
 *
 * Levels below 10 are meant to play like weaker people, not like dice: they look less far, weigh
 * the best moves they see with some carelessness, and at the lowest three overlook some moves
 * altogether. From level 4 on a win that is seen is played. See docs/match.md for the table.
 *
 * With limits in depth or nodes and one thread, the same seed and the same game give the same
 * moves. A player is used by one thread at a time, but for ply_player_stop.
 */
#ifndef PLYVERSE_PLAYER_H
#define PLYVERSE_PLAYER_H

#include <plyverse/search.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PLY_LEVEL_FULL 10

typedef enum ply_player_kind {
    PLY_PLAYER_RANDOM,
    PLY_PLAYER_GREEDY,
    PLY_PLAYER_ALPHABETA, /* from here on in the order of ply_search_kind */
    PLY_PLAYER_MCTS,
    PLY_PLAYER_PLAYOUTS,
} ply_player_kind;

/* Zero means: not said. */
typedef struct ply_player_spec {
    ply_player_kind kind;
    int level; /* 1 to PLY_LEVEL_FULL */
    int depth;
    uint64_t nodes, millis;
    size_t memory_mb;
    unsigned threads;
    uint64_t seed;
    const char *tables; /* folder of solved tables, for full strength only; must stay */
} ply_player_spec;

typedef struct ply_player_answer {
    ply_variation pv; /* its first move is the move chosen */
    bool has_score;   /* pv.score is meaningful */
    int depth;
    uint64_t nodes;
    double seconds;
} ply_player_answer;

typedef struct ply_player ply_player;

/* Reads the name of a player. On failure error says what and where. */
PLY_API ply_status ply_player_spec_parse(ply_player_spec *spec, const char *text, ply_error *error);
/* The text that reads as this player again. */
PLY_API void ply_player_spec_format(const ply_player_spec *spec, ply_text *out);

/* NULL when memory runs out. rules must outlive the player. */
PLY_API ply_player *ply_player_new(const ply_rules *rules, const ply_player_spec *spec);
PLY_API void ply_player_free(ply_player *player);
/* Forgets what was learnt; game number `game` of a seed has random choices of its own. */
PLY_API void ply_player_new_game(ply_player *player, uint64_t game);
/*
 * Chooses a move in a state that is not over. Limits come first from what the player was made with,
 * then from *limits (may be NULL), then, at full strength with neither, one second. Of limits, only
 * the time and depth kinds count, and `only`. listener may be NULL.
 */
PLY_API ply_status ply_player_choose(ply_player *player, const ply_state *state,
                                     const ply_search_limits *limits, ply_search_listener *listener,
                                     void *context, ply_player_answer *answer);
/* From any thread or a signal handler: the choice is made within milliseconds. */
PLY_API void ply_player_stop(ply_player *player);

#ifdef __cplusplus
}
#endif
#endif
