/* SPDX-License-Identifier: MIT */
/* driver.c - see driver.h. The driver's functions and constants are declared here, as its interface
 * fixes them, so that the library builds without CUDA's headers. */
#include "cuda/driver.h"
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned long long device_address;

/* Results of the driver that get a message of their own, and attributes. */
enum {
    RESULT_OK = 0,
    RESULT_OUT_OF_MEMORY = 2,
    RESULT_NO_DEVICE = 100,
    RESULT_NO_BINARY = 209,
    RESULT_UNSUPPORTED_PTX = 222,
    RESULT_SYSTEM_DRIVER_MISMATCH = 803,
};
enum { ATTRIBUTE_PROCESSORS = 16, ATTRIBUTE_MAJOR = 75, ATTRIBUTE_MINOR = 76 };
enum { LIMIT_STACK = 0 };
enum { FUNCTION_MAX_DYNAMIC_SHARED = 8 };
enum { STREAM_NON_BLOCKING = 1, MAX_MODULES = 16, MAX_NAME = 64 };

/* XX(member, name in the library, parameters) */
#define DRIVER_FUNCTIONS(XX)                                                                    \
    XX(init, cuInit, (unsigned flags))                                                          \
    XX(driver_version, cuDriverGetVersion, (int *version))                                      \
    XX(error_text, cuGetErrorString, (int result, const char **text))                           \
    XX(device_count, cuDeviceGetCount, (int *count))                                            \
    XX(device_get, cuDeviceGet, (int *device, int number))                                      \
    XX(device_name, cuDeviceGetName, (char *name, int size, int device))                        \
    XX(device_attribute, cuDeviceGetAttribute, (int *value, int attribute, int device))         \
    XX(retain, cuDevicePrimaryCtxRetain, (void **context, int device))                          \
    XX(release, cuDevicePrimaryCtxRelease_v2, (int device))                                     \
    XX(push, cuCtxPushCurrent_v2, (void *context))                                              \
    XX(pop, cuCtxPopCurrent_v2, (void **context))                                               \
    XX(get_limit, cuCtxGetLimit, (size_t * value, int limit))                                   \
    XX(set_limit, cuCtxSetLimit, (int limit, size_t value))                                     \
    XX(module_load, cuModuleLoadData, (void **module, const void *image))                       \
    XX(module_unload, cuModuleUnload, (void *module))                                           \
    XX(module_function, cuModuleGetFunction, (void **function, void *module, const char *name)) \
    XX(function_set, cuFuncSetAttribute, (void *function, int attribute, int value))            \
    XX(launch, cuLaunchKernel,                                                                  \
       (void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,    \
        unsigned block_y, unsigned block_z, unsigned shared, void *stream, void **parameters,   \
        void **extra))                                                                          \
    XX(memory_info, cuMemGetInfo_v2, (size_t * free_bytes, size_t * total))                     \
    XX(memory_alloc, cuMemAlloc_v2, (device_address * memory, size_t bytes))                    \
    XX(memory_free, cuMemFree_v2, (device_address memory))                                      \
    XX(copy_to, cuMemcpyHtoDAsync_v2,                                                           \
       (device_address to, const void *from, size_t bytes, void *stream))                       \
    XX(copy_from, cuMemcpyDtoHAsync_v2,                                                         \
       (void *to, device_address from, size_t bytes, void *stream))                             \
    XX(copy, cuMemcpyDtoDAsync_v2,                                                              \
       (device_address to, device_address from, size_t bytes, void *stream))                    \
    XX(fill, cuMemsetD8Async,                                                                   \
       (device_address memory, unsigned char value, size_t bytes, void *stream))                \
    XX(stream_create, cuStreamCreate, (void **stream, unsigned flags))                          \
    XX(stream_destroy, cuStreamDestroy_v2, (void *stream))                                      \
    XX(stream_sync, cuStreamSynchronize, (void *stream))                                        \
    XX(event_create, cuEventCreate, (void **event, unsigned flags))                             \
    XX(event_record, cuEventRecord, (void *event, void *stream))                                \
    XX(event_sync, cuEventSynchronize, (void *event))                                           \
    XX(event_elapsed, cuEventElapsedTime, (float *milliseconds, void *start, void *end))        \
    XX(event_destroy, cuEventDestroy_v2, (void *event))

typedef struct driver_functions {
#define XX(member, name, parameters) int(*member) parameters;
    DRIVER_FUNCTIONS(XX)
#undef XX
} driver_functions;

typedef struct loaded_module {
    char name[MAX_NAME];
    void *module;
} loaded_module;

struct ply_cuda {
    void *library;
    driver_functions call;
    bool brings_kernels; /* the tests' driver, which runs the kernels on the host */
    int device, number;
    void *context, *stream, *marks[2];
    bool owns_stream;
    unsigned processors;
    char name[128];
    loaded_module modules[MAX_MODULES];
    unsigned module_count;
    void **memory; /* what was allocated; NULL: freed */
    size_t memory_count, memory_room;
};

static device_address address_of(const void *memory)
{
    return (device_address)(uintptr_t)memory;
}

/* Sets the error that a result of the driver stands for, and returns its status. */
static ply_status fail(const ply_cuda *cuda, int result, const char *what, ply_error *error)
{
    const char *text = NULL;
    if (cuda->call.error_text)
        cuda->call.error_text(result, &text);
    if (result == RESULT_OUT_OF_MEMORY)
        return ply_error_set(error, PLY_NO_MEMORY, "cuda: out of memory on the device");
    if (result == RESULT_NO_BINARY || result == RESULT_UNSUPPORTED_PTX) {
        int major = 0, minor = 0;
        cuda->call.device_attribute(&major, ATTRIBUTE_MAJOR, cuda->device);
        cuda->call.device_attribute(&minor, ATTRIBUTE_MINOR, cuda->device);
        return ply_error_set(error, PLY_UNSUPPORTED,
                             "cuda: this build has no code for %s (compute capability %d.%d); see "
                             "PLYVERSE_CUDA_ARCH in docs/cuda.md",
                             cuda->name, major, minor);
    }
    return ply_error_set(error, PLY_UNSUPPORTED, "cuda: %s: %s (error %d)", what,
                         text ? text : "unknown error", result);
}

/* --- opening -------------------------------------------------------------------------------- */
static ply_status load_driver(ply_cuda *cuda, ply_error *error)
{
    cuda->library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!cuda->library)
        return ply_error_set(error, PLY_UNSUPPORTED,
                             "cuda: no NVIDIA driver is installed (libcuda.so.1 not found)");
#define XX(member, name, parameters)                                                      \
    {                                                                                     \
        void *symbol = dlsym(cuda->library, #name);                                       \
        if (!symbol)                                                                      \
            return ply_error_set(error, PLY_UNSUPPORTED,                                  \
                                 "cuda: the NVIDIA driver is too old: it has no " #name); \
        memcpy(&cuda->call.member, &symbol, sizeof symbol);                               \
    }
    DRIVER_FUNCTIONS(XX)
#undef XX
    cuda->brings_kernels = dlsym(cuda->library, "ply_emulated_driver") != NULL;
    return PLY_OK;
}

static ply_status check_driver(ply_cuda *cuda, ply_error *error)
{
    int version = 0, count = 0, built = ply_cuda_built_version();
    int result = cuda->call.init(0);
    if (result == RESULT_NO_DEVICE)
        return ply_error_set(error, PLY_UNSUPPORTED, "cuda: this machine has no CUDA device");
    if (result != RESULT_OK)
        return fail(cuda, result, "the driver does not start", error);
    cuda->call.driver_version(&version);
    if (version / 1000 < built / 1000)
        return ply_error_set(error, PLY_UNSUPPORTED,
                             "cuda: the NVIDIA driver is too old: it supports CUDA %d.%d, and this "
                             "build needs %d.0",
                             version / 1000, version % 1000 / 10, built / 1000);
    result = cuda->call.device_count(&count);
    if (result != RESULT_OK)
        return fail(cuda, result, "no devices", error);
    if (count == 0)
        return ply_error_set(error, PLY_UNSUPPORTED, "cuda: this machine has no CUDA device");
    if (cuda->number < 0 || cuda->number >= count)
        return ply_error_set(error, PLY_UNSUPPORTED,
                             "cuda: there is no device %d; this machine has %d", cuda->number,
                             count);
    return PLY_OK;
}

static ply_status start(ply_cuda *cuda, void *stream, ply_error *error)
{
    int processors = 0;
    int result = cuda->call.device_get(&cuda->device, cuda->number);
    if (result == RESULT_OK)
        result = cuda->call.device_name(cuda->name, sizeof cuda->name, cuda->device);
    if (result == RESULT_OK)
        result = cuda->call.device_attribute(&processors, ATTRIBUTE_PROCESSORS, cuda->device);
    if (result == RESULT_OK)
        result = cuda->call.retain(&cuda->context, cuda->device);
    if (result != RESULT_OK)
        return fail(cuda, result, "the device cannot be used", error);
    cuda->processors = (unsigned)processors;
    cuda->call.push(cuda->context);
    cuda->stream = stream;
    if (!stream) {
        result = cuda->call.stream_create(&cuda->stream, STREAM_NON_BLOCKING);
        cuda->owns_stream = result == RESULT_OK;
    }
    for (int i = 0; i < 2 && result == RESULT_OK; i++)
        result = cuda->call.event_create(&cuda->marks[i], 0);
    void *context;
    cuda->call.pop(&context);
    return result == RESULT_OK ? PLY_OK : fail(cuda, result, "no stream", error);
}

ply_status ply_cuda_open(ply_cuda **cuda, int device, void *stream, ply_error *error)
{
    *cuda = NULL;
    ply_cuda *c = calloc(1, sizeof *c);
    if (!c)
        return ply_error_set(error, PLY_NO_MEMORY, "out of memory");
    c->number = device;
    ply_status status = load_driver(c, error);
    if (!ply_cuda_built_version() && !c->brings_kernels)
        status =
            ply_error_set(error, PLY_UNSUPPORTED,
                          "cuda: this build has no CUDA support; it needs nvcc (docs/cuda.md)");
    if (status == PLY_OK)
        status = check_driver(c, error);
    if (status == PLY_OK)
        status = start(c, stream, error);
    if (status == PLY_OK)
        *cuda = c;
    else
        ply_cuda_close(c);
    return status;
}

void ply_cuda_close(ply_cuda *cuda)
{
    if (!cuda)
        return;
    if (cuda->context) {
        void *context;
        cuda->call.push(cuda->context);
        if (cuda->stream)
            cuda->call.stream_sync(cuda->stream);
        for (size_t i = 0; i < cuda->memory_count; i++)
            if (cuda->memory[i])
                cuda->call.memory_free(address_of(cuda->memory[i]));
        for (unsigned i = 0; i < cuda->module_count; i++)
            cuda->call.module_unload(cuda->modules[i].module);
        for (int i = 0; i < 2; i++)
            if (cuda->marks[i])
                cuda->call.event_destroy(cuda->marks[i]);
        if (cuda->owns_stream)
            cuda->call.stream_destroy(cuda->stream);
        cuda->call.pop(&context);
        cuda->call.release(cuda->device);
    }
    if (cuda->library)
        dlclose(cuda->library);
    free(cuda->memory);
    free(cuda);
}

void *ply_cuda_stream(const ply_cuda *cuda)
{
    return cuda->stream;
}

int ply_cuda_device(const ply_cuda *cuda)
{
    return cuda->number;
}

const char *ply_cuda_name(const ply_cuda *cuda)
{
    return cuda->name;
}

unsigned ply_cuda_processors(const ply_cuda *cuda)
{
    return cuda->processors;
}

/* --- calls in the context of the device ------------------------------------------------------- */
/* Evaluates a call of the driver within the context, and returns from the function if it fails. */
#define IN_CONTEXT(cuda, what, expression)                \
    do {                                                  \
        void *previous_context_;                          \
        int result_ = (cuda)->call.push((cuda)->context); \
        if (result_ == RESULT_OK) {                       \
            result_ = (expression);                       \
            (cuda)->call.pop(&previous_context_);         \
        }                                                 \
        if (result_ != RESULT_OK)                         \
            return fail(cuda, result_, what, error);      \
    } while (0)

ply_status ply_cuda_memory(ply_cuda *cuda, uint64_t *free_bytes, uint64_t *total_bytes,
                           ply_error *error)
{
    size_t available = 0, total = 0;
    IN_CONTEXT(cuda, "memory", cuda->call.memory_info(&available, &total));
    *free_bytes = available;
    *total_bytes = total;
    return PLY_OK;
}

static bool remember(ply_cuda *cuda, void *memory)
{
    if (cuda->memory_count == cuda->memory_room) {
        size_t room = cuda->memory_room ? 2 * cuda->memory_room : 32;
        void **grown = realloc(cuda->memory, room * sizeof *grown);
        if (!grown)
            return false;
        cuda->memory = grown;
        cuda->memory_room = room;
    }
    cuda->memory[cuda->memory_count++] = memory;
    return true;
}

ply_status ply_cuda_alloc(ply_cuda *cuda, void **memory, size_t bytes, ply_error *error)
{
    uint64_t available = 0, total = 0;
    device_address taken = 0;
    *memory = NULL;
    ply_status status = ply_cuda_memory(cuda, &available, &total, error);
    if (status != PLY_OK)
        return status;
    if (bytes > available)
        return ply_error_set(error, PLY_NO_MEMORY,
                             "cuda: out of memory: %zu MiB more needed, %zu MiB free on %s",
                             (bytes >> 20) + 1, (size_t)(available >> 20), cuda->name);
    IN_CONTEXT(cuda, "memory", cuda->call.memory_alloc(&taken, bytes ? bytes : 1));
    *memory = (void *)(uintptr_t)taken;
    if (remember(cuda, *memory))
        return PLY_OK;
    ply_cuda_free(cuda, *memory);
    *memory = NULL;
    return ply_error_set(error, PLY_NO_MEMORY, "out of memory");
}

void ply_cuda_free(ply_cuda *cuda, void *memory)
{
    if (!memory)
        return;
    void *context;
    cuda->call.push(cuda->context);
    cuda->call.stream_sync(cuda->stream);
    cuda->call.memory_free(address_of(memory));
    cuda->call.pop(&context);
    for (size_t i = 0; i < cuda->memory_count; i++)
        if (cuda->memory[i] == memory)
            cuda->memory[i] = cuda->memory[--cuda->memory_count];
}

ply_status ply_cuda_write(ply_cuda *cuda, void *to, const void *from, size_t bytes,
                          ply_error *error)
{
    IN_CONTEXT(cuda, "copying", cuda->call.copy_to(address_of(to), from, bytes, cuda->stream));
    IN_CONTEXT(cuda, "copying", cuda->call.stream_sync(cuda->stream));
    return PLY_OK;
}

ply_status ply_cuda_read(ply_cuda *cuda, void *to, const void *from, size_t bytes, ply_error *error)
{
    IN_CONTEXT(cuda, "copying", cuda->call.copy_from(to, address_of(from), bytes, cuda->stream));
    IN_CONTEXT(cuda, "copying", cuda->call.stream_sync(cuda->stream));
    return PLY_OK;
}

ply_status ply_cuda_copy(ply_cuda *cuda, void *to, const void *from, size_t bytes, ply_error *error)
{
    IN_CONTEXT(cuda, "copying",
               cuda->call.copy(address_of(to), address_of(from), bytes, cuda->stream));
    return PLY_OK;
}

ply_status ply_cuda_fill(ply_cuda *cuda, void *memory, uint8_t value, size_t bytes,
                         ply_error *error)
{
    IN_CONTEXT(cuda, "filling", cuda->call.fill(address_of(memory), value, bytes, cuda->stream));
    return PLY_OK;
}

ply_status ply_cuda_sync(ply_cuda *cuda, ply_error *error)
{
    IN_CONTEXT(cuda, "the device failed", cuda->call.stream_sync(cuda->stream));
    return PLY_OK;
}

/* --- kernels ---------------------------------------------------------------------------------- */
static ply_status load_module(ply_cuda *cuda, const char *name, void **module, ply_error *error)
{
    for (unsigned i = 0; i < cuda->module_count; i++)
        if (strcmp(cuda->modules[i].name, name) == 0) {
            *module = cuda->modules[i].module;
            return PLY_OK;
        }
    const void *image = cuda->brings_kernels ? name : ply_cuda_module(name);
    if (!image || cuda->module_count == MAX_MODULES || strlen(name) >= MAX_NAME)
        return ply_error_set(error, PLY_UNSUPPORTED, "cuda: there are no kernels for %s", name);
    IN_CONTEXT(cuda, "kernels", cuda->call.module_load(module, image));
    loaded_module *loaded = &cuda->modules[cuda->module_count++];
    memcpy(loaded->name, name, strlen(name) + 1);
    loaded->module = *module;
    return PLY_OK;
}

ply_status ply_cuda_find(ply_cuda *cuda, const char *module, const char *name,
                         ply_cuda_kernel **kernel, ply_error *error)
{
    void *loaded = NULL, *function = NULL;
    ply_status status = load_module(cuda, module, &loaded, error);
    if (status != PLY_OK)
        return status;
    IN_CONTEXT(cuda, name, cuda->call.module_function(&function, loaded, name));
    *kernel = function;
    return PLY_OK;
}

ply_status ply_cuda_allow_stack(ply_cuda *cuda, size_t bytes, ply_error *error)
{
    size_t now = 0;
    IN_CONTEXT(cuda, "stack", cuda->call.get_limit(&now, LIMIT_STACK));
    if (now < bytes)
        IN_CONTEXT(cuda, "stack", cuda->call.set_limit(LIMIT_STACK, bytes));
    return PLY_OK;
}

ply_status ply_cuda_allow_shared(ply_cuda *cuda, ply_cuda_kernel *kernel, unsigned bytes,
                                 ply_error *error)
{
    IN_CONTEXT(cuda, "shared memory",
               cuda->call.function_set(kernel, FUNCTION_MAX_DYNAMIC_SHARED, (int)bytes));
    return PLY_OK;
}

ply_status ply_cuda_launch(ply_cuda *cuda, ply_cuda_kernel *kernel, uint64_t blocks,
                           unsigned threads, unsigned shared_bytes, const void *args,
                           ply_error *error)
{
    void *parameter;
    memcpy(&parameter, &args, sizeof parameter);
    if (blocks > INT32_MAX)
        return ply_error_set(error, PLY_LIMIT, "cuda: more blocks than one launch can have");
    IN_CONTEXT(cuda, "launch",
               cuda->call.launch(kernel, (unsigned)blocks, 1, 1, threads, 1, 1, shared_bytes,
                                 cuda->stream, &parameter, NULL));
    return PLY_OK;
}

ply_status ply_cuda_mark(ply_cuda *cuda, int which, ply_error *error)
{
    IN_CONTEXT(cuda, "timing", cuda->call.event_record(cuda->marks[which], cuda->stream));
    return PLY_OK;
}

ply_status ply_cuda_elapsed(ply_cuda *cuda, double *seconds, ply_error *error)
{
    float milliseconds = 0;
    IN_CONTEXT(cuda, "timing", cuda->call.event_sync(cuda->marks[1]));
    IN_CONTEXT(cuda, "timing",
               cuda->call.event_elapsed(&milliseconds, cuda->marks[0], cuda->marks[1]));
    *seconds = milliseconds / 1000.0;
    return PLY_OK;
}
