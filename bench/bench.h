/* SPDX-License-Identifier: MIT */
/* bench.h - what the benchmark programs share: a clock, and PLY_ISA, which selects the instructions. */
#ifndef PLY_BENCH_H
#define PLY_BENCH_H

#include "core/isa.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Processor time of this process. */
static inline double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

__attribute__((constructor)) static void use_isa(void)
{
    const char *name = getenv("PLY_ISA");
    if (name && !ply_isa_use(ply_isa_find(name))) {
        fprintf(stderr, "PLY_ISA: this processor has no level '%s'\n", name);
        exit(2);
    }
}

#endif
