/* SPDX-License-Identifier: MIT */
/*
 * device.h - one source for two processors: C for the host, CUDA for the device.
 *
 * A header that includes this one and sticks to the following compiles with gcc as C and with nvcc
 * as C++:
 *
 *     PLY_HD         (status.h) in place of `static inline`: a function of both processors
 *     PLY_SHARED     in place of `static`: the same, inlined only where the compiler likes to
 *     PLY_CALLED     the same, never inlined on the device: nvcc inlines everything else
 *     PLY_HD_EXTERN  before a function with external linkage of a .c file that nvcc compiles, too,
 *                    as part of a .cu file; PLY_CALLED there
 *     PLY_TABLE      in place of `const` before a table with its initialiser: a generated .inc file
 *                    is included by one .c file, and by the header itself if nvcc compiles it
 *     PLY_UNROLL     before a loop with constant bounds: the device unrolls it, and arrays that it
 *                    indexes stay in registers
 *     PLY_KERNEL     a kernel; see below
 *
 * The common language of both compilers has no implicit conversion from void *, no compound
 * literals, no designated initialisers out of order, no vector types, no _Atomic.
 *
 * A kernel takes one structure by value and runs once per thread; PLY_THREAD numbers the threads of
 * the launch from 0, and there may be more of them than there is work:
 *
 *     PLY_KERNEL(example_double, example_args)
 *     {
 *         if (PLY_THREAD < args.count)
 *             args.numbers[PLY_THREAD] *= 2;
 *     }
 *
 * Compiled as C, a kernel is a function of its arguments and the thread's number. The tests run
 * kernels that way (tests/cuda/emulated_driver.c).
 */
#ifndef PLY_CORE_DEVICE_H
#define PLY_CORE_DEVICE_H

#include <plyverse/status.h>
#include <stdbool.h>
#include <string.h>

#ifdef __CUDACC__
#define _Static_assert static_assert
#define _Alignof alignof
#define PLY_SHARED static __host__ __device__
#define PLY_CALLED static __host__ __device__ __noinline__
#define PLY_HD_EXTERN PLY_CALLED
#define PLY_TABLE static __device__ const
#define PLY_UNROLL _Pragma("unroll")
#define PLY_THREAD ((uint64_t)blockIdx.x * blockDim.x + threadIdx.x)
#define PLY_KERNEL(name, type) extern "C" __global__ void name(const type args)
/* At most `threads` threads in a block, and at least `blocks` blocks on a multiprocessor. */
#define PLY_KERNEL_BOUNDS(name, type, threads, blocks) \
    extern "C" __global__ void __launch_bounds__(threads, blocks) name(const type args)
/* One variable for all threads of a block. PLY_BLOCK_LEADER writes it; then comes PLY_BLOCK_BARRIER,
 * which every thread must reach. Compiled as C, every thread is a block. */
#define PLY_BLOCK_VARIABLE(type, name) __shared__ type name
#define PLY_BLOCK_LEADER (threadIdx.x == 0)
#define PLY_BLOCK_BARRIER() __syncthreads()
/* *address += value; the result is the value before. */
#define PLY_ATOMIC_ADD(address, value) \
    ((uint64_t)atomicAdd((unsigned long long *)(void *)(address), (unsigned long long)(value)))
#else
#define PLY_SHARED static __attribute__((unused))
#define PLY_CALLED static __attribute__((unused))
#define PLY_HD_EXTERN
#define PLY_TABLE const
#define PLY_UNROLL
#define PLY_THREAD thread
#define PLY_KERNEL(name, type) PLY_KERNEL_AS(name, type)
#define PLY_KERNEL_AS(name, type)                              \
    void name(const type *arguments, uint64_t thread);         \
    static void name##_body(const type args, uint64_t thread); \
    void name(const type *arguments, uint64_t thread)          \
    {                                                          \
        name##_body(*arguments, thread);                       \
    }                                                          \
    static void name##_body(const type args, uint64_t thread)
#define PLY_KERNEL_BOUNDS(name, type, threads, blocks) PLY_KERNEL(name, type)
#define PLY_BLOCK_VARIABLE(type, name) type name
#define PLY_BLOCK_LEADER true
#define PLY_BLOCK_BARRIER() ((void)0)
#define PLY_ATOMIC_ADD(address, value) __atomic_fetch_add(address, value, __ATOMIC_RELAXED)
#endif

#endif
