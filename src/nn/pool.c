/* SPDX-License-Identifier: MIT */
/* pool.c - see pool.h. */
#include "nn/pool.h"
#include <stdlib.h>
#include <string.h>

enum { POLICY_CHUNK = 64 }; /* moves scored at a time */

typedef struct pool_entry {
    size_t count;
    ply_cell_change changes[PLY_CELL_CHANGES];
} pool_entry;

struct nn_pool {
    const ply_network *network;
    size_t applied; /* the ply whose cells these are; the entries after it wait */
    pool_entry *entries;
    int16_t *memory; /* of all that follows */
    int16_t *cells[2], *sums[2];
    int16_t *saved; /* for each ply: [2][PLY_CELL_CHANGES + 1][width], the sums last */
};

static int16_t *saved_at(const nn_pool *pool, size_t ply, int player)
{
    return pool->saved + (2 * ply + (size_t)player) * (PLY_CELL_CHANGES + 1) * pool->network->width;
}

nn_pool *ply_nn_pool_new(const ply_network *network, size_t capacity)
{
    nn_pool *pool = calloc(1, sizeof *pool);
    if (!pool)
        return NULL;
    size_t width = network->width, board = network->cells * width;
    pool->network = network;
    pool->entries = malloc(capacity * sizeof *pool->entries);
    /* Widths are multiples of NN_WIDTH_STEP, so that every part is aligned. */
    pool->memory = aligned_alloc(
        NN_ALIGNMENT,
        (2 * board + 2 * width + 2 * capacity * (PLY_CELL_CHANGES + 1) * width) * sizeof(int16_t));
    if (!pool->entries || !pool->memory) {
        ply_nn_pool_free(pool);
        return NULL;
    }
    for (size_t player = 0; player < 2; player++) {
        pool->cells[player] = pool->memory + player * board;
        pool->sums[player] = pool->memory + 2 * board + player * width;
    }
    pool->saved = pool->memory + 2 * board + 2 * width;
    return pool;
}

void ply_nn_pool_free(nn_pool *pool)
{
    if (!pool)
        return;
    free(pool->entries);
    free(pool->memory);
    free(pool);
}

void ply_nn_pool_reset(nn_pool *pool, const void *position)
{
    const ply_network *n = pool->network;
    const ply_network_hooks *hooks = n->rules.network;
    uint16_t features[PLY_ACTIVE_FEATURES];
    pool->applied = 0;
    for (int player = 0; player < 2; player++) {
        hooks->features(&n->rules, position, player, features);
        memset(pool->sums[player], 0, n->width * sizeof(int16_t));
        for (size_t cell = 0; cell < n->cells; cell++)
            n->pool->add_cell(n, features + cell * hooks->per_cell, hooks->per_cell,
                              pool->cells[player] + cell * n->width, pool->sums[player]);
    }
}

void ply_nn_pool_push(nn_pool *pool, size_t ply, const void *position, ply_move move)
{
    const ply_rules *rules = &pool->network->rules;
    pool_entry *entry = &pool->entries[ply];
    entry->count = rules->network->cell_changes(rules, position, move, entry->changes);
}

void ply_nn_pool_pop(nn_pool *pool, size_t ply)
{
    if (pool->applied < ply)
        return;
    const pool_entry *entry = &pool->entries[ply];
    size_t width = pool->network->width, bytes = width * sizeof(int16_t);
    for (int player = 0; player < 2; player++) {
        const int16_t *saved = saved_at(pool, ply, player);
        for (size_t i = 0; i < entry->count; i++, saved += width)
            memcpy(pool->cells[player] + entry->changes[i].cell * width, saved, bytes);
        memcpy(pool->sums[player], saved_at(pool, ply, player) + PLY_CELL_CHANGES * width, bytes);
    }
    pool->applied = ply - 1;
}

void ply_nn_pool_sums(nn_pool *pool, size_t ply, const int16_t *sums[2])
{
    const ply_network *n = pool->network;
    while (pool->applied < ply) {
        const pool_entry *entry = &pool->entries[++pool->applied];
        for (int player = 0; player < 2; player++) {
            int16_t *saved = saved_at(pool, pool->applied, player);
            memcpy(saved + PLY_CELL_CHANGES * n->width, pool->sums[player],
                   n->width * sizeof(int16_t));
            n->pool->change(n, entry->changes, entry->count, player ? n->exchanged : NULL,
                            pool->cells[player], pool->sums[player], saved);
        }
    }
    sums[0] = pool->sums[0];
    sums[1] = pool->sums[1];
}

/* Scores at most POLICY_CHUNK moves. */
static void score_chunk(nn_pool *pool, int side, const ply_move *moves, size_t count,
                        int32_t *logits)
{
    const ply_network *n = pool->network;
    const int16_t *const cells[2] = {pool->cells[side], pool->cells[!side]};
    const int16_t *const sums[2] = {pool->sums[side], pool->sums[!side]};
    uint32_t filled[POLICY_CHUNK] = {0};
    uint16_t which[POLICY_CHUNK] = {0};
    for (size_t i = 0; i < count; i++) {
        filled[i] = n->rules.network->move_cell(&n->rules, moves[i]);
        which[i] = filled[i] == PLY_NO_CELL ? 0 : (uint16_t)filled[i];
    }
    n->pool->policy(n, cells, sums, which, count, logits);
    for (size_t i = 0; i < count; i++)
        if (filled[i] == PLY_NO_CELL)
            logits[i] = NN_LEAST_LOGIT;
}

void ply_nn_pool_policy(nn_pool *pool, size_t ply, int side, const ply_move *moves, size_t count,
                        int32_t *logits)
{
    const int16_t *unused[2];
    ply_nn_pool_sums(pool, ply, unused); /* makes the changes that wait */
    for (size_t at = 0; at < count; at += POLICY_CHUNK) {
        size_t left = count - at;
        score_chunk(pool, side, moves + at, left < POLICY_CHUNK ? left : POLICY_CHUNK, logits + at);
    }
}
