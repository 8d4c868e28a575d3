/* SPDX-License-Identifier: MIT */
/* isa.c - see isa.h. */
#include "core/isa.h"
#include <string.h>
#ifdef PLY_ISA_X86
#include <immintrin.h>
#include <stdint.h>
#endif

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

#ifdef PLY_ISA_X86
/* Cycles for a chain of PEXT, or of multiplications, each of which waits for the one before. */
__attribute__((target("bmi2"))) static uint64_t chain_cycles(bool pext)
{
    enum { LINKS = 256 };
    uint64_t x = UINT64_C(0x9E3779B97F4A7C15), start = __rdtsc();
    for (int i = 0; i < LINKS; i++) {
        x = pext ? _pext_u64(x, UINT64_C(0xFFFFFFFF00FFFFFF)) : x * UINT64_C(0xBF58476D1CE4E5B9);
        __asm__ volatile("" : "+r"(x)); /* the compiler must not see through the chain */
    }
    return __rdtsc() - start;
}

/* Both take three or four cycles where PEXT is one operation; where it is microcode, it takes
 * hundreds. The best of several tries counts, since others may interrupt us. */
static bool pext_is_fast(void)
{
    uint64_t best[2] = {UINT64_MAX, UINT64_MAX};
    for (int i = 0; i < 16; i++) {
        uint64_t cycles = chain_cycles(i & 1);
        if (cycles < best[i & 1])
            best[i & 1] = cycles;
    }
    return best[1] < 4 * best[0];
}
#endif

int ply_isa_level_for_pext(void)
{
    int level = ply_isa_level();
#ifdef PLY_ISA_X86
    if (level > PLY_ISA_PLAIN && !pext_is_fast())
        return PLY_ISA_PLAIN;
#endif
    return level;
}
