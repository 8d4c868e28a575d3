/* SPDX-License-Identifier: MIT */
/* array.h - an array that grows by doubling. */
#ifndef PLY_CORE_ARRAY_H
#define PLY_CORE_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Makes room for count things of a size in *array, the address of a pointer to any type. *room is
 * how many there is room for, 0 for NULL. False: no memory, and nothing has changed.
 */
bool ply_array_grow(void *array, size_t *room, size_t count, size_t size);

#endif
