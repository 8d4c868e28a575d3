/* SPDX-License-Identifier: MIT */
/* array.c - growing an array by doubling; see array.h. */
#include "core/array.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

bool ply_array_grow(void *array, size_t *capacity, size_t count, size_t item_bytes)
{
    enum { INITIAL_CAPACITY = 16 };
    if (count <= *capacity)
        return true;
    size_t larger = *capacity ? *capacity : INITIAL_CAPACITY;
    while (larger < count && larger <= SIZE_MAX / 2)
        larger *= 2;
    if (larger < count || larger > SIZE_MAX / item_bytes)
        return false;
    void *old;
    memcpy(&old, array, sizeof old);
    void *grown = realloc(old, larger * item_bytes);
    if (!grown)
        return false;
    memcpy(array, &grown, sizeof grown);
    *capacity = larger;
    return true;
}
