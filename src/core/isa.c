/* SPDX-License-Identifier: MIT */
/* isa.c - see isa.h. */
#include "core/isa.h"
#include <string.h>

atomic_int ply_isa_in_use;

static const struct {
    int level;
    const char *name;
} levels[] = {{PLY_ISA_PLAIN, "plain"}, {PLY_ISA_V3, "v3"}, {PLY_ISA_V4, "v4"}};
enum { LEVELS = sizeof levels / sizeof levels[0] };

int ply_isa_best(void)
{
#ifdef PLY_ISA_X86
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
        __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt")) {
        if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
            __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
            __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vpopcntdq") &&
            __builtin_cpu_supports("avx512vnni"))
            return PLY_ISA_V4;
        return PLY_ISA_V3;
    }
#endif
    return PLY_ISA_PLAIN;
}

bool ply_isa_use(int level)
{
    if (!ply_isa_name(level) || level > ply_isa_best())
        return false;
    atomic_store_explicit(&ply_isa_in_use, level, memory_order_relaxed);
    return true;
}

const char *ply_isa_name(int level)
{
    for (int i = 0; i < LEVELS; i++)
        if (levels[i].level == level)
            return levels[i].name;
    return NULL;
}

int ply_isa_find(const char *name)
{
    for (int i = 0; i < LEVELS; i++)
        if (strcmp(levels[i].name, name) == 0)
            return levels[i].level;
    return 0;
}

int ply_isa_start(void)
{
    int level = 0, best = ply_isa_best();
    /* A level that another thread has selected meanwhile stays. */
    return atomic_compare_exchange_strong(&ply_isa_in_use, &level, best) ? best : level;
}
