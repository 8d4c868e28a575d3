/* SPDX-License-Identifier: MIT */
/*
 * batch.h - many games of one set of rules, stepped together, for machine learning.
 *
 * A batch holds `games` games and plays one action in each of them per step. What a learner reads is
 * written to arrays, one entry (a row) per game, without gaps between rows:
 *
 *     game              0        1        2       ...
 *     mask_bits     |W words |W words |W words |         W = mask_words
 *     observations  |P x H x W bytes  |P x H x W bytes | P = planes, H = height, W = width
 *     rewards       |r0 r1|r0 r1|r0 r1|                  one number for each player
 *     players       |0|1|1|                              and so on
 *
 * The arrays belong to the batch, aligned to 64 bytes, or are lent by the caller; either way their
 * addresses never change. A move is an action: a number from 0 to actions - 1 with a meaning that
 * does not depend on the position, or almost none (docs/batch.md lists the numbering of each game).
 * Observations are planes of bytes as the player to move sees them.
 *
 * Every game has random numbers of its own. Random number n of game g is a function of the seed, g
 * and n (ply_batch_random), so no result depends on the number of threads or on other games.
 *
 * A step allocates nothing, except that 5D chess takes the memory for its boards from the heap.
 *
 * Workload: thousands of games, millions of steps per second on one core.
 *
 * Thread safety: a batch is used by one thread at a time and runs threads of its own inside; only
 * ply_batch_data may be called at any time. Different batches are independent.
 */
#ifndef PLYVERSE_BATCH_H
#define PLYVERSE_BATCH_H

#include <plyverse/device.h>
#include <plyverse/state.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An action that stands for none: what ply_batch_sample gives where a game is over, and what fills
 * up the lists of legal actions. */
#define PLY_BATCH_NO_ACTION (-1)

/* The arrays that a batch fills in besides those it always has; ply_batch_options.outputs. */
enum ply_batch_output {
    PLY_BATCH_OBSERVATIONS = 1,
    PLY_BATCH_MASK_BITS = 2,
    PLY_BATCH_MASK_BYTES = 4,
    PLY_BATCH_LEGAL_ACTIONS = 8,       /* lists of legal actions */
    PLY_BATCH_KEYS = 16,               /* keys of the positions */
    PLY_BATCH_FINAL_OBSERVATIONS = 32, /* with PLY_BATCH_RESET_SAME_STEP: of games that ended */
};

/* What happens to a game that has ended. */
typedef enum ply_batch_reset_mode {
    /* The step that ends a game starts the next one. Rewards, terminated, truncated and results are
     * about the game that ended, everything else is about the new one. */
    PLY_BATCH_RESET_SAME_STEP,
    /* The arrays show the final position. The next step ignores the action and starts a game. */
    PLY_BATCH_RESET_NEXT_STEP,
    /* The game stays as it is, with rewards of 0, until ply_batch_reset. */
    PLY_BATCH_RESET_NEVER,
} ply_batch_reset_mode;

/* What an illegal action does. In all cases but the last, illegal[g] becomes 1 until the game's next
 * step. */
typedef enum ply_batch_illegal {
    PLY_BATCH_ILLEGAL_LOSES,  /* the player loses at once; the position is unchanged */
    PLY_BATCH_ILLEGAL_PASSES, /* nothing happens in this game in this step */
    PLY_BATCH_ILLEGAL_RANDOM, /* a random legal action is played instead */
    /* ply_batch_step fails with PLY_ILLEGAL_MOVE before anything has happened in any game. */
    PLY_BATCH_ILLEGAL_FAILS,
} ply_batch_illegal;

/*
 * The arrays of a batch. A pointer is NULL where an output was not requested. All but `size` of the
 * numbers are set by the batch.
 */
typedef struct ply_batch_arrays {
    size_t size;                    /* sizeof(ply_batch_arrays); 0: the same */
    size_t games;                   /* rows */
    uint32_t actions;               /* the size of the action numbering */
    uint32_t mask_words;            /* of a row of mask_bits: actions / 64, rounded up */
    uint32_t list_room;             /* of a row of legal_actions */
    uint32_t planes, height, width; /* of an observation; 0: the game has none */
    /* Always filled in: */
    float *rewards;      /* [2]: of player 0 and 1 in this step: 1 won, -1 lost, 0 anything else */
    uint8_t *terminated; /* the game has ended by its rules, or by an illegal action */
    uint8_t *truncated;  /* the game was cut off: max_plies, or no legal move has an action */
    uint8_t *illegal;    /* the last action was illegal */
    uint8_t *players;    /* the player to move, 0 or 1 */
    uint8_t *results;    /* ply_result of the game that ended in this step, else PLY_ONGOING */
    uint32_t *plies;     /* played so far */
    uint32_t *legal_counts; /* the number of legal actions; 0 when the game is over */
    /* On request: */
    uint8_t *observations;       /* [planes][height][width] */
    uint64_t *mask_bits;         /* [mask_words]: bit a % 64 of word a / 64 for action a */
    uint8_t *mask_bytes;         /* [actions]: 1 if legal, else 0 */
    int32_t *legal_actions;      /* [list_room]: ascending, then PLY_BATCH_NO_ACTION */
    uint64_t *keys;              /* as ply_state_key */
    uint8_t *final_observations; /* as observations; rows of games that did not end are unchanged */
    /* Always there, for the caller to use: */
    int32_t *choices; /* room for the actions of a step; the batch itself leaves it alone */
} ply_batch_arrays;

/* What describes a batch. A field that is 0 takes its default. */
typedef struct ply_batch_options {
    size_t size;      /* sizeof(ply_batch_options); 0: the same */
    size_t games;     /* 0: 1 */
    unsigned threads; /* 0: 1 */
    unsigned outputs; /* a sum of PLY_BATCH_*; 0: none but those that are always there */
    uint64_t seed;
    size_t max_plies; /* after which a game is truncated; 0: ply_batch_default_plies */
    ply_batch_reset_mode reset;
    ply_batch_illegal illegal;
    /*
     * The observations of this many positions before the current one follow its own, the latest
     * first, all as the player to move now sees them; zeros before the start of the game. Not for
     * 5D chess, whose positions contain their past (PLY_UNSUPPORTED).
     */
    unsigned history;
    /* This many planes come last: plane r (from 1) is all ones if the position has occurred at
     * least r times before in this game, else zeros. */
    unsigned repetition;
    uint32_t list_room; /* of legal_actions; 0: enough for any position, but at most 1024 */
    /* Where games start, with its moves so far; NULL: at the start position. Copied. */
    const ply_state *start;
    /*
     * Arrays of the caller's to use in place of the batch's own; NULL: none. Pointers that are NULL
     * and numbers are ignored. They must have room for every row, be aligned as their type demands
     * and outlive the batch.
     */
    const ply_batch_arrays *arrays;
    /*
     * PLY_DEVICE_CUDA: on device number device_index, in the order of the CUDA stream `stream` (NULL:
     * one of the batch's own). All arrays, those lent, and the actions of a step are then in the
     * device's memory, and steps are started without waiting for them (docs/cuda.md). Not with
     * PLY_BATCH_ILLEGAL_FAILS; threads are ignored.
     */
    ply_device device;
    int device_index;
    void *stream;
    /*
     * Which observation: NULL: the game's own, or the name of another one that the game offers
     * (docs/batch.md), such as "pgx" for shogi. PLY_UNSUPPORTED: it offers none of that name.
     */
    const char *observation;
    /*
     * 5D chess: a game is truncated when its multiverse has more than this many boards, a timeline
     * that observations do not show, or more moves than a device has memory for (docs/batch.md).
     * 0: on the CPU no bound, on a device the largest it supports, 128.
     */
    size_t max_boards;
} ply_batch_options;

typedef struct ply_batch ply_batch;

/*
 * Creates a batch at the start of its games; the caller frees it. rules must outlive it. options may
 * be NULL. PLY_UNSUPPORTED: the game has no action numbering, or has no observations and they are
 * requested. PLY_BAD_OPTION: an option is out of range. PLY_NO_MEMORY. On failure *batch is NULL and
 * error (may be NULL) says why.
 */
PLY_API ply_status ply_batch_new(ply_batch **batch, const ply_rules *rules,
                                 const ply_batch_options *options, ply_error *error);
/* Frees the batch and its own arrays. NULL is a no-op. */
PLY_API void ply_batch_free(ply_batch *batch);
/* The arrays, owned by the batch. They are valid until it is freed. Safe from any thread. */
PLY_API const ply_batch_arrays *ply_batch_data(const ply_batch *batch);
/* The default of max_plies: how long a game of these rules may last before it is truncated. */
PLY_API size_t ply_batch_default_plies(const ply_rules *rules);

/*
 * Starts games again. which (may be NULL: all) has a byte for each game, not 0 where it is to start
 * again; the others are unchanged. Clears rewards, terminated, truncated, illegal and results there.
 * PLY_NO_MEMORY: 5D chess only; such games are truncated.
 */
PLY_API ply_status ply_batch_reset(ply_batch *batch, const uint8_t *which);
/*
 * Plays an action in each game and fills in the arrays. An action outside the numbering is illegal.
 * PLY_ILLEGAL_MOVE: see PLY_BATCH_ILLEGAL_FAILS. PLY_NO_MEMORY or PLY_LIMIT: a game of 5D chess could
 * not be continued and is truncated; every other game has been stepped.
 */
PLY_API ply_status ply_batch_step(ply_batch *batch, const int32_t *actions);
/* Draws a legal action for each game, each equally likely, with the game's own random numbers.
 * PLY_BATCH_NO_ACTION where the game is over. */
PLY_API void ply_batch_sample(ply_batch *batch, int32_t *actions);

/*
 * Plays `steps` times a random action in each game: the same as that many calls of ply_batch_sample
 * and ply_batch_step, with the arrays filled in after the last. On a device this is many times as
 * fast, because games stay in registers. totals (may be NULL) receives the plies played and the
 * number of games that ended, by ply_result (PLY_ONGOING: truncated); on a device, asking for it
 * waits for the steps.
 */
typedef struct ply_batch_totals {
    uint64_t plies;
    uint64_t games[4];
} ply_batch_totals;
PLY_API ply_status ply_batch_random_steps(ply_batch *batch, uint64_t steps,
                                          ply_batch_totals *totals);

/* --- devices -------------------------------------------------------------------------------- */
/* The device of the arrays, for DLPack: its kind and number. Safe from any thread. */
PLY_API ply_device ply_batch_device_of(const ply_batch *batch, int *device_index);
/* The CUstream in whose order the batch works, to synchronise with; NULL: on the CPU. */
PLY_API void *ply_batch_stream(const ply_batch *batch);
/* Waits until all that was started is done. The failure of a step on a device is reported here. */
PLY_API ply_status ply_batch_wait(ply_batch *batch, ply_error *error);
/* Copies bytes between the host and the arrays of a batch, wherever these are, and waits. */
PLY_API ply_status ply_batch_read(ply_batch *batch, void *to, const void *array, size_t bytes);
PLY_API ply_status ply_batch_write(ply_batch *batch, void *array, const void *from, size_t bytes);

/* --- single games --------------------------------------------------------------------------- */
/* Functions for game number g fail with PLY_LIMIT if there is no such game. */
/* Makes *state, which is uninitialised, a copy of game g with its moves; the caller frees it. */
PLY_API ply_status ply_batch_get(const ply_batch *batch, size_t g, ply_state *state);
/*
 * Makes game g a copy of a state of the same rules. If the state's game is over, so is game g.
 * PLY_LIMIT: it has more than max_plies moves. PLY_UNSUPPORTED: its rules are not those of the
 * batch. On failure the game is unchanged. Clears rewards and the other arrays about the last step.
 */
PLY_API ply_status ply_batch_set(ply_batch *batch, size_t g, const ply_state *state);
/*
 * Makes game g of one batch a copy of game h of another, or of the same, with equal rules: position,
 * moves, and whether it is over. The random numbers of game g go on. Fails as ply_batch_set.
 */
PLY_API ply_status ply_batch_copy(ply_batch *to, size_t g, const ply_batch *from, size_t h);
/*
 * Copies game numbers[i] of one batch to game games[i] of another, for all i < count in turn, such
 * as one copy for each legal action of a game. Fails as ply_batch_copy; the copies before stay.
 */
PLY_API ply_status ply_batch_copy_games(ply_batch *to, const uint32_t *games, const ply_batch *from,
                                        const uint32_t *numbers, size_t count);
/* Appends game g as text: how many random numbers it has drawn, and its state (ply_state_save). */
PLY_API ply_status ply_batch_save(const ply_batch *batch, size_t g, ply_text *out);
/* Reads what ply_batch_save wrote. On failure the game is unchanged, and error (may be NULL) says
 * what is wrong and where. */
PLY_API ply_status ply_batch_load(ply_batch *batch, size_t g, const char *text, size_t length,
                                  ply_error *error);

/* --- actions -------------------------------------------------------------------------------- */
/* The move of an action in game g; PLY_MOVE_NONE if it is not legal there. */
PLY_API ply_move ply_batch_move(const ply_batch *batch, size_t g, int32_t action);
/* The action of a legal move in game g; PLY_BATCH_NO_ACTION if it has none. */
PLY_API int32_t ply_batch_action(const ply_batch *batch, size_t g, ply_move move);

/* --- symmetries ----------------------------------------------------------------------------- */
/*
 * Symmetries of the rules as observations and actions show them, for data augmentation. There is
 * always at least one: number 0, the identity. 8 for gomoku on a square board, 2 (left and right
 * mirrored) for shogi and Neighbours, 1 for the other games. Safe from any thread.
 */
PLY_API uint32_t ply_batch_symmetries(const ply_rules *rules);
/*
 * Writes the maps of symmetry i: what is at place c of a plane (row * width + column) belongs at
 * cells[c] in the image, and action a becomes actions[a]. cells and actions (either may be NULL)
 * have room for height * width and for rules->actions numbers. PLY_LIMIT if there is no symmetry i.
 * Safe from any thread.
 */
PLY_API ply_status ply_batch_symmetry(const ply_rules *rules, uint32_t i, uint32_t *cells,
                                      uint32_t *actions);

/* --- random numbers ------------------------------------------------------------------------- */
/* The finaliser of SplitMix64: a bijection in which every input bit affects every output bit. */
PLY_HD uint64_t ply_batch_mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

/* Random number n of game g: 64 random bits. */
PLY_HD uint64_t ply_batch_random(uint64_t seed, uint64_t g, uint64_t n)
{
    const uint64_t golden = 0x9E3779B97F4A7C15u;
    return ply_batch_mix(ply_batch_mix(ply_batch_mix(seed + golden) + g * golden) +
                         (n + 1) * golden);
}

#ifdef __cplusplus
}
#endif
#endif
