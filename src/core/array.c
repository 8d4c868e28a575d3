/* SPDX-License-Identifier: MIT */
/* array.c - an array that grows by doubling. */
#include "core/array.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

bool ply_array_grow(void *array, size_t *room, size_t count, size_t size)
{
    enum { LEAST = 16 };
    if (count <= *room)
        return true;
    size_t larger = *room ? *room : LEAST;
    while (larger < count && larger <= SIZE_MAX / 2)
        larger *= 2;
    if (larger < count || larger > SIZE_MAX / size)
        return false;
    void *old;
    memcpy(&old, array, sizeof old);
    void *fresh = realloc(old, larger * size);
    if (!fresh)
        return false;
    memcpy(array, &fresh, sizeof fresh);
    *room = larger;
    return true;
}
