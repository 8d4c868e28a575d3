/* SPDX-License-Identifier: MIT */
/* array.h - an array that grows by doubling. */
#ifndef PLY_CORE_ARRAY_H
#define PLY_CORE_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Makes room for at least `count` items of `item_bytes` bytes each. `array` is the address of a
 * pointer of any type to memory from malloc or NULL; *capacity is the number of items it has room
 * for. Returns false and changes nothing when memory runs out.
 */
bool ply_array_grow(void *array, size_t *capacity, size_t count, size_t item_bytes);

#endif
