/* SPDX-License-Identifier: MIT */
/*
 * arena.h - arena and pool allocators.
 *
 * An arena allocates from large blocks and frees everything at once. A pool allocates objects of
 * one size and frees them in any order. It is last in, first out: undoing a series of allocations
 * and redoing it gives the same addresses. Each may be used by one thread at a time.
 */
#ifndef PLY_CORE_ARENA_H
#define PLY_CORE_ARENA_H

#include <stddef.h>
#include <stdint.h>

typedef struct ply_arena_block ply_arena_block;

typedef struct ply_arena {
    ply_arena_block *blocks; /* newest first */
    size_t used;             /* bytes allocated from the newest block */
    size_t total;            /* bytes in all blocks */
    size_t limit;            /* upper bound of total; 0: none */
} ply_arena;

void ply_arena_init(ply_arena *arena, size_t limit_bytes);
/* Allocates size bytes, aligned to 64 and uninitialised; NULL when the limit is reached or memory
 * runs out. */
void *ply_arena_take(ply_arena *arena, size_t size);
/* Frees everything. The arena can be used again. */
void ply_arena_free(ply_arena *arena);

typedef struct ply_pool {
    ply_arena arena;
    void *free_list;
    size_t object_bytes;
    size_t in_use;
} ply_pool;

/* A pool of objects of object_bytes bytes, limited to limit_bytes in all (0: no limit). */
void ply_pool_init(ply_pool *pool, size_t object_bytes, size_t limit_bytes);
/* An uninitialised object; NULL when the limit is reached or memory runs out. */
void *ply_pool_take(ply_pool *pool);
/* Returns an object to the pool. */
void ply_pool_give(ply_pool *pool, void *object);
/* Frees every object and all memory. The pool can be used again. */
void ply_pool_free(ply_pool *pool);

#endif
