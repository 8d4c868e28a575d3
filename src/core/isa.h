/* SPDX-License-Identifier: MIT */
/*
 * isa.h - hot code compiled for several instruction sets and selected at run time.
 *
 * A source file whose name ends in _isa.c is compiled once per level below. Inside it,
 * PLY_ISA(name) is the name with the level's suffix; every exported name must be written that way.
 * Elsewhere, PLY_ISA_PICK(name) is the address of the version for the level in use; the object is
 * usually a const struct of function pointers. The plain level always exists and runs everywhere.
 * All levels compute the same results from the same data.
 *
 *     level  name    compiled for                         x86-64 level
 *       1    plain   the compiler's default               v1
 *       3    v3      AVX2, BMI1, BMI2, POPCNT, LZCNT      v3
 *       4    v4      AVX-512 F BW CD DQ VL VPOPCNTDQ VNNI v4 plus VPOPCNTDQ and VNNI
 */
#ifndef PLY_CORE_ISA_H
#define PLY_CORE_ISA_H

#include <stdbool.h>
#ifndef __CUDACC__
#include <stdatomic.h>
#endif

#define PLY_ISA_JOIN2(name, suffix) name##suffix
#define PLY_ISA_JOIN(name, suffix) PLY_ISA_JOIN2(name, suffix)
#ifdef PLY_ISA_SUFFIX
#define PLY_ISA(name) PLY_ISA_JOIN(name, PLY_ISA_SUFFIX)
#endif

#ifdef __CUDACC__ /* kernels of devices have no instruction sets to choose from */
#define PLY_ISA_DECLARE(type, name) static_assert(true, "")
#else
enum { PLY_ISA_PLAIN = 1, PLY_ISA_V3 = 3, PLY_ISA_V4 = 4 };

/* The best level of this machine. */
int ply_isa_best(void);
/* Uses this level from now on; false if this machine does not have it. A level may be selected at
 * any time and on any thread. */
bool ply_isa_use(int level);
/* The name of a level, and the level of a name: 0 if there is none. */
const char *ply_isa_name(int level);
int ply_isa_find(const char *name);

/* Private to isa.c and the function below: the level in use, 0 until it is first asked for. It is
 * the one variable of the library that is neither const nor the caller's: the processor is not the
 * caller's either. */
extern atomic_int ply_isa_in_use;
int ply_isa_start(void);

/* The level in use: the best one unless another was selected. */
static inline int ply_isa_level(void)
{
    int level = atomic_load_explicit(&ply_isa_in_use, memory_order_relaxed);
    return level ? level : ply_isa_start();
}

/*
 * The level for code that lives on PEXT and PDEP: the level in use, or plain if the processor has
 * these instructions but executes them slowly, as AMD's did before Zen 3. That is measured, which
 * takes some microseconds, so ask once and keep the answer.
 */
int ply_isa_level_for_pext(void);

#ifdef PLY_ISA_X86
#define PLY_ISA_DECLARE(type, name) extern type name##_plain, name##_v3, name##_v4
#define PLY_ISA_AT(name, level) \
    ((level) >= 4 ? &name##_v4 : (level) >= 3 ? &name##_v3 : &name##_plain)
#else
#define PLY_ISA_DECLARE(type, name) extern type name##_plain
#define PLY_ISA_AT(name, level) ((void)(level), &name##_plain)
#endif
#define PLY_ISA_PICK(name)                    \
    __extension__({                           \
        int ply_isa_level_ = ply_isa_level(); \
        PLY_ISA_AT(name, ply_isa_level_);     \
    })

#endif
#endif
