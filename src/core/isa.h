/* SPDX-License-Identifier: MIT */
/*
 * isa.h - hot code compiled for several instruction sets and selected at run time.
 *
 * A source file whose name ends in _isa.c is compiled once per level below. Inside it,
 * PLY_ISA(name) is the name with the level's suffix; every exported name must be written that way.
 * Elsewhere, PLY_ISA_PICK(name) is the address of the best version for this machine; the object is
 * usually a const struct of function pointers. The plain level always exists and runs everywhere.
 *
 *     suffix   compiled for                         x86-64 level
 *     _plain   the compiler's default               v1
 *     _v3      AVX2, BMI1, BMI2, POPCNT, LZCNT      v3
 *     _v4      AVX-512 F BW CD DQ VL VPOPCNTDQ VNNI v4 plus VPOPCNTDQ and VNNI
 */
#ifndef PLY_CORE_ISA_H
#define PLY_CORE_ISA_H

#define PLY_ISA_JOIN2(name, suffix) name##suffix
#define PLY_ISA_JOIN(name, suffix) PLY_ISA_JOIN2(name, suffix)
#ifdef PLY_ISA_SUFFIX
#define PLY_ISA(name) PLY_ISA_JOIN(name, PLY_ISA_SUFFIX)
#endif

/* The x86-64 level of this machine: 1, 3 or 4. */
static inline int ply_isa_level(void)
{
#ifdef PLY_ISA_X86
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
        __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt")) {
        if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
            __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
            __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vpopcntdq") &&
            __builtin_cpu_supports("avx512vnni"))
            return 4;
        return 3;
    }
#endif
    return 1;
}

#ifdef PLY_ISA_X86
#define PLY_ISA_DECLARE(type, name) extern type name##_plain, name##_v3, name##_v4
#define PLY_ISA_AT(name, level) \
    ((level) >= 4 ? &name##_v4 : (level) >= 3 ? &name##_v3 : &name##_plain)
#else
#define PLY_ISA_DECLARE(type, name) extern type name##_plain
#define PLY_ISA_AT(name, level) ((void)(level), &name##_plain)
#endif
#define PLY_ISA_PICK(name) PLY_ISA_AT(name, ply_isa_level())

#endif
