/* SPDX-License-Identifier: MIT */
/* arena.c - arenas and pools; see arena.h. */
#include "core/arena.h"
#include <assert.h>
#include <stdalign.h>
#include <stdlib.h>

enum { BLOCK_BYTES = 1 << 16, ALIGN = 64 };

struct ply_arena_block {
    alignas(ALIGN) ply_arena_block *next;
    size_t bytes; /* usable bytes after this header */
};

static size_t round_up(size_t size)
{
    return (size + ALIGN - 1) & ~(size_t)(ALIGN - 1);
}

void ply_arena_init(ply_arena *arena, size_t limit_bytes)
{
    *arena = (ply_arena){.limit = limit_bytes};
}

void *ply_arena_take(ply_arena *arena, size_t size)
{
    if (size > SIZE_MAX / 2)
        return NULL;
    size = round_up(size ? size : 1);
    if (!arena->blocks || arena->blocks->bytes - arena->used < size) {
        size_t bytes = size > BLOCK_BYTES ? size : BLOCK_BYTES;
        size_t block_bytes = sizeof(ply_arena_block) + bytes;
        if (arena->limit &&
            (block_bytes > arena->limit || arena->total > arena->limit - block_bytes))
            return NULL;
        ply_arena_block *block = aligned_alloc(ALIGN, block_bytes);
        if (!block)
            return NULL;
        block->next = arena->blocks;
        block->bytes = bytes;
        arena->blocks = block;
        arena->used = 0;
        arena->total += block_bytes;
    }
    unsigned char *start = (unsigned char *)arena->blocks + sizeof(ply_arena_block);
    void *result = start + arena->used;
    arena->used += size;
    return result;
}

void ply_arena_free(ply_arena *arena)
{
    while (arena->blocks) {
        ply_arena_block *block = arena->blocks;
        arena->blocks = block->next;
        free(block);
    }
    ply_arena_init(arena, arena->limit);
}

void ply_pool_init(ply_pool *pool, size_t object_bytes, size_t limit_bytes)
{
    *pool =
        (ply_pool){.object_bytes = object_bytes < sizeof(void *) ? sizeof(void *) : object_bytes};
    ply_arena_init(&pool->arena, limit_bytes);
}

void *ply_pool_take(ply_pool *pool)
{
    void *object = pool->free_list;
    if (object)
        pool->free_list = *(void **)object;
    else
        object = ply_arena_take(&pool->arena, pool->object_bytes);
    if (object)
        pool->in_use++;
    return object;
}

void ply_pool_give(ply_pool *pool, void *object)
{
    assert(pool->in_use > 0);
    *(void **)object = pool->free_list;
    pool->free_list = object;
    pool->in_use--;
}

void ply_pool_free(ply_pool *pool)
{
    ply_arena_free(&pool->arena);
    pool->free_list = NULL;
    pool->in_use = 0;
}
