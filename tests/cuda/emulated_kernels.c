/* SPDX-License-Identifier: MIT */
/* emulated_kernels.c - see emulated_kernels.h. */
#include "cuda/emulated_kernels.h"
#include "core/device.h"

/* Multiplies numbers, and adds up the products. */
PLY_KERNEL(emulated_multiply, emulated_args)
{
    if (PLY_THREAD >= args.count)
        return;
    args.numbers[PLY_THREAD] *= args.factor;
    PLY_ATOMIC_ADD(args.sum, args.numbers[PLY_THREAD]);
}
