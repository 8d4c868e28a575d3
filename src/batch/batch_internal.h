/* SPDX-License-Identifier: MIT */
/*
 * batch_internal.h - what the files of the batch share.
 *
 * Whatever a step relies on is kept apart from the arrays of the caller, who may write to them: the
 * mask is there twice. Memory of a game, each kind in one block with a fixed stride:
 *
 *     positions    1 + history: the current position, then a ring of earlier ones
 *     undo_stack   max_plies entries
 *     moves        max_plies
 *     past_keys    max_plies, if repetition planes are requested
 *     masks        mask_words
 *     filters      FILTER_WORDS, if the game profits: three bits for each key that has occurred. A
 *                  position of which one is clear is new; else repetition is looked up.
 */
#ifndef PLY_BATCH_BATCH_INTERNAL_H
#define PLY_BATCH_BATCH_INTERNAL_H

#include "core/isa.h"
#include "core/workers.h"
#include <plyverse/batch.h>
#include <stdatomic.h>
#include <string.h>

#define BATCH_GOLDEN 0x9E3779B97F4A7C15u

typedef struct batch_game {
    uint64_t stream; /* the game's random numbers: see batch_draw */
    uint64_t draws;  /* how many have been drawn */
    uint32_t plies;
    uint32_t legal;    /* actions */
    uint8_t end;       /* enum batch_end */
    uint8_t result;    /* ply_result */
    bool has_position; /* that must be cleared */
} batch_game;

/* Whether a game goes on, has ended, or was cut off. */
enum batch_end { BATCH_PLAYING, BATCH_ENDED, BATCH_TRUNCATED };

/* How many parts of a thread's share of the games have been taken in this run; a cache line each. */
typedef struct batch_share {
    _Alignas(64) atomic_size_t taken;
} batch_share;

struct ply_batch {
    const ply_rules *rules;
    ply_batch_options options; /* defaults filled in; start and arrays are NULL */
    ply_batch_arrays arrays;
    batch_game *games; /* one more than there are games: the last is where games start */
    unsigned char *positions, *undo_stacks;
    ply_move *moves;
    uint64_t *past_keys;
    uint64_t *masks;
    uint64_t *filters;
    const struct batch_kernels *kernels;
    size_t position_stride, undo_stride, plane_bytes, observation_bytes;
    unsigned observation; /* 0: the game's own; k: learning->observations[k - 1] */
    void (*observe)(const ply_rules *rules, const void *position, int viewer, uint8_t *out);
    ply_move *scratch;    /* per thread: rules->max_moves; NULL if the game has `mask` */
    unsigned char *fresh; /* per thread: room for a position */
    batch_share *shares;  /* per thread */
    ply_workers *workers;
    struct batch_device *device; /* NULL: on the host. The rest below is then NULL, too. */
    ply_batch *start;            /* a batch of one game, which is where games on the device start */
    void *memory[24];            /* of the arrays that the batch owns */
    unsigned memory_count;
};

enum { FILTER_WORD_BITS = 7, FILTER_WORDS = 1 << FILTER_WORD_BITS };

/* The word of the filter of game g that has the bits of a key. */
static inline uint64_t *batch_filter_word(const ply_batch *b, size_t g, uint64_t key)
{
    return b->filters + g * FILTER_WORDS + (key >> (64 - FILTER_WORD_BITS));
}

/* Adds a key to the filter of game g; returns whether its bits were set before. */
static inline bool batch_filter_add(const ply_batch *b, size_t g, uint64_t key)
{
    uint64_t *word = batch_filter_word(b, g, key);
    uint64_t bits = (uint64_t)1 << (key & 63) | (uint64_t)1 << (key >> 6 & 63) |
                    (uint64_t)1 << (key >> 12 & 63);
    bool was_set = (*word & bits) == bits;
    *word |= bits;
    return was_set;
}

/* bits_isa.c */
typedef struct batch_kernels {
    /* The index of set bit number k of an array of words; there are more than k. */
    int32_t (*nth)(const uint64_t *words, uint32_t k);
    /* Each bit as a byte. */
    void (*bytes)(const uint64_t *words, uint32_t count, uint8_t *out);
    /* The indices of the set bits, at most `room`, then PLY_BATCH_NO_ACTION. */
    void (*list)(const uint64_t *words, uint32_t word_count, uint32_t room, int32_t *out);
} batch_kernels;

PLY_ISA_DECLARE(const batch_kernels, ply_batch_kernels_of);

/* Work on games first to end - 1. Returns the first failure. */
typedef ply_status batch_work(ply_batch *batch, size_t first, size_t end, unsigned worker,
                              void *context);
/* Runs it over all games with all threads. */
ply_status ply_batch_run(ply_batch *batch, batch_work *work, void *context);

/* Whether positions and moves of one set of rules may be used with the other. */
static inline bool batch_same_rules(const ply_rules *a, const ply_rules *b)
{
    return a->game == b->game && a->variant == b->variant &&
           memcmp(a->option, b->option, sizeof a->option) == 0;
}

static inline void *batch_position(const ply_batch *b, size_t g)
{
    return b->positions + g * (1 + b->options.history) * b->position_stride;
}

/* The place in the ring of the position before ply number `ply` was played. */
static inline void *batch_past_position(const ply_batch *b, size_t g, size_t ply)
{
    return b->positions +
           (g * (1 + b->options.history) + 1 + ply % b->options.history) * b->position_stride;
}

static inline void *batch_undo_stack(const ply_batch *b, size_t g)
{
    return b->undo_stacks + g * b->undo_stride;
}

static inline ply_move *batch_moves(const ply_batch *b, size_t g)
{
    return b->moves + g * b->options.max_plies;
}

static inline uint64_t *batch_past_keys(const ply_batch *b, size_t g)
{
    return b->past_keys + g * b->options.max_plies;
}

static inline uint64_t *batch_mask(const ply_batch *b, size_t g)
{
    return b->masks + g * b->arrays.mask_words;
}

/* The random numbers of game g, and the next 64 random bits: ply_batch_random in two steps. */
static inline uint64_t batch_stream(uint64_t seed, uint64_t g)
{
    return ply_batch_mix(ply_batch_mix(seed + BATCH_GOLDEN) + g * BATCH_GOLDEN);
}

static inline uint64_t batch_draw(batch_game *game)
{
    return ply_batch_mix(game->stream + ++game->draws * BATCH_GOLDEN);
}

/* --- step.c --------------------------------------------------------------------------------- */
/* Finds the legal actions of game g and whether it goes on. */
void ply_batch_look(ply_batch *b, size_t g, unsigned worker);
/* Fills in terminated, truncated and results of game g. */
void ply_batch_publish_end(ply_batch *b, size_t g);
/* Fills in the arrays about the position of game g. */
void ply_batch_publish(ply_batch *b, size_t g);
/* Sets the arrays about the last step of game g to zero. */
void ply_batch_clear_step(ply_batch *b, size_t g);

/* --- single_game.c -------------------------------------------------------------------------- */
/* Makes game g of `to` a copy of game h of `from`. The arrays are left alone. On failure game g is
 * unchanged. */
ply_status ply_batch_copy_game(ply_batch *to, size_t g, const ply_batch *from, size_t h,
                               unsigned worker);
/* Makes game g a copy of a state, without looking for its legal actions. On failure game g is
 * unchanged. */
ply_status ply_batch_place(ply_batch *b, size_t g, const ply_state *state);

#endif
