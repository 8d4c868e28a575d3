/* SPDX-License-Identifier: MIT */
/* emulated_kernels.h - a kernel for the tests of the driver, which exists in the emulation only. */
#ifndef PLY_TESTS_CUDA_EMULATED_KERNELS_H
#define PLY_TESTS_CUDA_EMULATED_KERNELS_H

#include <stdint.h>

typedef struct emulated_args {
    uint64_t *numbers, *sum;
    uint64_t count, factor;
} emulated_args;

#endif
