/* SPDX-License-Identifier: MIT */
/* shared_parts.h - the job's side of a ply_parts. */
#ifndef PLY_PERFT_SHARED_PARTS_H
#define PLY_PERFT_SHARED_PARTS_H

#include <plyverse/parts.h>

static inline void ply_parts_done(const ply_parts *parts, uint64_t part, const uint64_t *values,
                                  size_t count)
{
    if (parts->done)
        parts->done(parts->context, part, values, count);
}

#endif
