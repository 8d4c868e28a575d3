/* SPDX-License-Identifier: MIT */
/* bits_isa.c - masks in other forms, and their n-th bit; compiled once for each instruction set. */
#include "batch/batch_internal.h"
#include "core/bits.h"
#include "core/planes.h"

static int32_t nth(const uint64_t *words, uint32_t k)
{
    for (int32_t w = 0;; w++) {
        uint32_t count = (uint32_t)ply_popcount(words[w]);
        if (k < count)
            return w * 64 + ply_nth_bit(words[w], (int)k);
        k -= count;
    }
}

static void bytes(const uint64_t *words, uint32_t count, uint8_t *out)
{
    ply_planes_expand(words, count, out);
}

static void list(const uint64_t *words, uint32_t word_count, uint32_t room, int32_t *out)
{
    uint32_t count = 0;
    for (uint32_t w = 0; w < word_count; w++)
        for (uint64_t left = words[w]; left && count < room; left &= left - 1)
            out[count++] = (int32_t)(w * 64) + ply_lowest(left);
    while (count < room)
        out[count++] = PLY_BATCH_NO_ACTION;
}

extern const batch_kernels PLY_ISA(ply_batch_kernels_of);
const batch_kernels PLY_ISA(ply_batch_kernels_of) = {.nth = nth, .bytes = bytes, .list = list};
