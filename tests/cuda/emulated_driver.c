/* SPDX-License-Identifier: MIT */
/*
 * emulated_driver.c - a stand-in for NVIDIA's driver that runs the kernels on the host.
 *
 * It is built as libcuda.so.1, the name under which the library loads the driver, so everything but
 * the device itself is tested: memory, launches, the programs that drive the kernels, and the
 * kernels, compiled as C. A module is its name, a kernel a function of this library (src/core/device.h).
 *
 * The variable PLY_EMULATED_CUDA makes it fail: "no-device", "old" (supports CUDA 1.0), "no-code"
 * (no kernels for this device), "small" (1 MiB of memory).
 */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wmissing-prototypes" /* those of cuda.h */

enum { OUT_OF_MEMORY = 2, INVALID_VALUE = 1, NO_DEVICE = 100, NO_BINARY = 209, NOT_FOUND = 500 };

typedef void kernel(const void *args, uint64_t thread);

extern const int ply_emulated_driver;
const int ply_emulated_driver = 1;

static bool mode_is(const char *name)
{
    const char *mode = getenv("PLY_EMULATED_CUDA");
    return mode && strcmp(mode, name) == 0;
}

static size_t memory_size(void)
{
    return mode_is("small") ? (size_t)1 << 20 : (size_t)4 << 30;
}

int cuInit(unsigned flags)
{
    (void)flags;
    return mode_is("no-device") ? NO_DEVICE : 0;
}

int cuDriverGetVersion(int *version)
{
    *version = mode_is("old") ? 1000 : 99000;
    return 0;
}

int cuGetErrorString(int result, const char **text)
{
    *text = result == NOT_FOUND ? "named symbol not found" : "emulated error";
    return 0;
}

int cuDeviceGetCount(int *count)
{
    *count = 1;
    return 0;
}

int cuDeviceGet(int *device, int number)
{
    *device = number;
    return 0;
}

int cuDeviceGetName(char *name, int size, int device)
{
    (void)device;
    snprintf(name, (size_t)size, "Emulated Device");
    return 0;
}

int cuDeviceGetAttribute(int *value, int attribute, int device)
{
    (void)attribute;
    (void)device;
    *value = 1;
    return 0;
}

static int context_uses; /* of the primary context */

int cuDevicePrimaryCtxRetain(void **context, int device)
{
    (void)device;
    context_uses++;
    *context = &context_uses;
    return 0;
}

int cuDevicePrimaryCtxRelease_v2(int device)
{
    (void)device;
    context_uses--;
    return 0;
}

int cuCtxPushCurrent_v2(void *context)
{
    return context == &context_uses ? 0 : INVALID_VALUE;
}

int cuCtxPopCurrent_v2(void **context)
{
    *context = &context_uses;
    return 0;
}

int cuCtxGetLimit(size_t *value, int limit)
{
    (void)limit;
    *value = 1024;
    return 0;
}

int cuCtxSetLimit(int limit, size_t value)
{
    (void)limit;
    (void)value;
    return 0;
}

int cuModuleLoadData(void **module, const void *image)
{
    if (mode_is("no-code"))
        return NO_BINARY;
    *module = strdup(image);
    return *module ? 0 : OUT_OF_MEMORY;
}

int cuModuleUnload(void *module)
{
    free(module);
    return 0;
}

int cuModuleGetFunction(void **function, void *module, const char *name)
{
    (void)module;
    Dl_info self;
    dladdr(&ply_emulated_driver, &self);
    void *library = dlopen(self.dli_fname, RTLD_NOW | RTLD_NOLOAD);
    *function = dlsym(library, name);
    dlclose(library);
    return *function ? 0 : NOT_FOUND;
}

int cuFuncSetAttribute(void *function, int attribute, int value)
{
    (void)function;
    (void)attribute;
    (void)value;
    return 0;
}

int cuLaunchKernel(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                   unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                   void *stream, void **parameters, void **extra)
{
    (void)shared;
    (void)stream;
    kernel *run;
    memcpy(&run, &function, sizeof run);
    if (grid_y != 1 || grid_z != 1 || block_y != 1 || block_z != 1 || block_x > 1024 || extra ||
        grid_x == 0)
        return INVALID_VALUE;
    for (uint64_t thread = 0; thread < (uint64_t)grid_x * block_x; thread++)
        run(parameters[0], thread);
    return 0;
}

/* Each piece of memory is preceded by its size. */
static size_t allocated;

int cuMemGetInfo_v2(size_t *available, size_t *total)
{
    *available = memory_size() - allocated;
    *total = memory_size();
    return 0;
}

int cuMemAlloc_v2(unsigned long long *memory, size_t bytes)
{
    if (bytes > memory_size() - allocated)
        return OUT_OF_MEMORY;
    unsigned char *block = aligned_alloc(256, (bytes + 256 + 255) / 256 * 256);
    if (!block)
        return OUT_OF_MEMORY;
    memcpy(block, &bytes, sizeof bytes);
    memset(block + 256, 0xA5, bytes); /* nobody may rely on zeros */
    allocated += bytes;
    *memory = (uintptr_t)(block + 256);
    return 0;
}

int cuMemFree_v2(unsigned long long memory)
{
    unsigned char *block = (unsigned char *)(uintptr_t)memory - 256;
    size_t bytes;
    memcpy(&bytes, block, sizeof bytes);
    allocated -= bytes;
    free(block);
    return 0;
}

int cuMemcpyHtoDAsync_v2(unsigned long long to, const void *from, size_t bytes, void *stream)
{
    (void)stream;
    memcpy((void *)(uintptr_t)to, from, bytes);
    return 0;
}

int cuMemcpyDtoHAsync_v2(void *to, unsigned long long from, size_t bytes, void *stream)
{
    (void)stream;
    memcpy(to, (const void *)(uintptr_t)from, bytes);
    return 0;
}

int cuMemcpyDtoDAsync_v2(unsigned long long to, unsigned long long from, size_t bytes, void *stream)
{
    (void)stream;
    memmove((void *)(uintptr_t)to, (const void *)(uintptr_t)from, bytes);
    return 0;
}

int cuMemsetD8Async(unsigned long long memory, unsigned char value, size_t bytes, void *stream)
{
    (void)stream;
    memset((void *)(uintptr_t)memory, value, bytes);
    return 0;
}

static int a_stream;

int cuStreamCreate(void **stream, unsigned flags)
{
    (void)flags;
    *stream = &a_stream;
    return 0;
}

int cuStreamDestroy_v2(void *stream)
{
    (void)stream;
    return 0;
}

int cuStreamSynchronize(void *stream)
{
    (void)stream;
    return 0;
}

int cuEventCreate(void **event, unsigned flags)
{
    (void)flags;
    *event = &a_stream;
    return 0;
}

int cuEventRecord(void *event, void *stream)
{
    (void)event;
    (void)stream;
    return 0;
}

int cuEventSynchronize(void *event)
{
    (void)event;
    return 0;
}

int cuEventElapsedTime(float *milliseconds, void *start, void *end)
{
    (void)start;
    (void)end;
    *milliseconds = 1;
    return 0;
}

int cuEventDestroy_v2(void *event)
{
    (void)event;
    return 0;
}
