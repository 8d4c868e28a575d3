/* SPDX-License-Identifier: MIT */
/*
 * options.h - reading option structs, which start with their size so that they can grow.
 *
 * The caller sets the size to sizeof the struct it was compiled with, or leaves it 0. New members
 * are added at the end and mean the old behaviour when they are 0. Once a struct has grown, a size
 * of 0 must go on meaning its first version, so `bytes` below becomes a constant then.
 */
#ifndef PLY_CORE_OPTIONS_H
#define PLY_CORE_OPTIONS_H

#include <string.h>

/*
 * Copies an option struct of any size into the library's own of `bytes` bytes, whose first member
 * is a size_t. Members that the caller's struct does not have become 0; members that the library
 * does not know are ignored. NULL gives all zeros.
 */
static inline void ply_options_copy(void *to, size_t bytes, const void *from)
{
    size_t size = 0;
    memset(to, 0, bytes);
    if (from)
        memcpy(&size, from, sizeof size);
    if (from) /* whole words: no member is torn by a size that is no struct's */
        memcpy(to, from, size > 0 && size < bytes ? size / sizeof size * sizeof size : bytes);
}

#endif
