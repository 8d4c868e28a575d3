/* SPDX-License-Identifier: MIT */
/*
 * arena.h - memory that is given back all at once (arena) or in equal pieces (pool).
 *
 * An arena hands out bytes from large blocks; nothing is freed alone. A pool hands out objects of
 * one size and takes them back in any order; the object freed last is handed out first, so that
 * taking back a series of allocations and making them again gives the same addresses. Neither is
 * safe to use from two threads at once.
 */
#ifndef PLY_CORE_ARENA_H
#define PLY_CORE_ARENA_H

#include <stddef.h>
#include <stdint.h>

typedef struct ply_arena_block ply_arena_block;

typedef struct ply_arena {
    ply_arena_block *blocks; /* the newest first */
    size_t used;             /* bytes taken from the newest */
    size_t total;            /* bytes held in all blocks */
    size_t limit;            /* total never passes it; 0: no limit */
} ply_arena;

void ply_arena_init(ply_arena *arena, size_t limit_bytes);
/* size bytes, aligned for anything, not cleared; NULL when the limit or memory is reached. */
void *ply_arena_take(ply_arena *arena, size_t size);
/* Gives everything back; the arena can be used again. */
void ply_arena_free(ply_arena *arena);

typedef struct ply_pool {
    ply_arena arena;
    void *free_list;
    size_t object_bytes;
    size_t in_use;
} ply_pool;

void ply_pool_init(ply_pool *pool, size_t object_bytes, size_t limit_bytes);
void *ply_pool_take(ply_pool *pool);
void ply_pool_give(ply_pool *pool, void *object);
void ply_pool_free(ply_pool *pool);

#endif
