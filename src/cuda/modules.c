/* SPDX-License-Identifier: MIT */
/*
 * modules.c - the compiled kernels, embedded in the library.
 *
 * The build writes cuda/modules.inc with one line for each file, MODULE("NAME", "PATH", number), and
 * defines PLY_CUDA_VERSION; without nvcc there is no line, and the version is 0.
 */
#include "cuda/driver.h"
#include <string.h>

#define MODULE(name, path, number)           \
    __asm__(".pushsection .rodata\n"         \
            ".balign 64\n"                   \
            "ply_cuda_module_" #number ":\n" \
            ".incbin \"" path "\"\n"         \
            ".byte 0\n"                      \
            ".popsection\n");                \
    extern const unsigned char ply_cuda_module_##number[];
#include "cuda/modules.inc"
#undef MODULE

const void *ply_cuda_module(const char *name)
{
    static const struct embedded_module {
        const char *name;
        const unsigned char *image;
    } modules[] = {
#define MODULE(name, path, number) {name, ply_cuda_module_##number},
#include "cuda/modules.inc"
#undef MODULE
        {NULL, NULL},
    };
    for (const struct embedded_module *module = modules; module->name; module++)
        if (strcmp(module->name, name) == 0)
            return module->image;
    return NULL;
}

int ply_cuda_built_version(void)
{
    return PLY_CUDA_VERSION;
}
