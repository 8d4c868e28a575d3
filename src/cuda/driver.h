/* SPDX-License-Identifier: MIT */
/*
 * driver.h - a CUDA device, through NVIDIA's driver.
 *
 * The driver (libcuda.so.1) is loaded when a device is opened, so the library depends on no part of
 * CUDA. Kernels are compiled by nvcc into one module per file, src/cuda/NAME.cu, and embedded in the
 * library (modules.c); without nvcc there are none, and opening a device fails with a message that
 * says so.
 *
 * The device's primary context is used, which is also that of PyTorch, CuPy and JAX: their pointers
 * and streams may be passed in, and ours handed out.
 *
 * Every failure sets the error, in one line that begins with "cuda: ". Addresses in device memory
 * are pointers the host must not follow. A ply_cuda is used by one thread at a time.
 */
#ifndef PLY_CUDA_DRIVER_H
#define PLY_CUDA_DRIVER_H

#include <plyverse/status.h>
#include <stdbool.h>

typedef struct ply_cuda ply_cuda;
typedef struct ply_cuda_kernel ply_cuda_kernel; /* owned by the driver: a CUfunction */

/*
 * Opens device number `device`. stream: a CUstream to work on, or NULL for one of our own.
 * PLY_UNSUPPORTED: no driver, an old driver, no such device, or CUDA was not built.
 */
ply_status ply_cuda_open(ply_cuda **cuda, int device, void *stream, ply_error *error);
/* Waits for the stream, then frees everything that was allocated. NULL is a no-op. */
void ply_cuda_close(ply_cuda *cuda);

/* The CUstream, the device's number, its name and how many multiprocessors it has. */
void *ply_cuda_stream(const ply_cuda *cuda);
int ply_cuda_device(const ply_cuda *cuda);
const char *ply_cuda_name(const ply_cuda *cuda);
unsigned ply_cuda_processors(const ply_cuda *cuda);
/* Free and total memory of the device, in bytes. */
ply_status ply_cuda_memory(ply_cuda *cuda, uint64_t *free_bytes, uint64_t *total_bytes,
                           ply_error *error);

/* Device memory, freed by ply_cuda_free or ply_cuda_close; not cleared. PLY_NO_MEMORY: the message
 * says how much is needed and how much there is. */
ply_status ply_cuda_alloc(ply_cuda *cuda, void **memory, size_t bytes, ply_error *error);
void ply_cuda_free(ply_cuda *cuda, void *memory);

/* Copies and fills, in the order of the stream. write returns when the host's memory may be reused;
 * read and sync wait until everything before them is done. */
ply_status ply_cuda_write(ply_cuda *cuda, void *to, const void *from, size_t bytes,
                          ply_error *error);
ply_status ply_cuda_read(ply_cuda *cuda, void *to, const void *from, size_t bytes,
                         ply_error *error);
ply_status ply_cuda_copy(ply_cuda *cuda, void *to, const void *from, size_t bytes,
                         ply_error *error);
ply_status ply_cuda_fill(ply_cuda *cuda, void *memory, uint8_t value, size_t bytes,
                         ply_error *error);
ply_status ply_cuda_sync(ply_cuda *cuda, ply_error *error);

/* A kernel by its module and name. The module is loaded when it is first asked for. */
ply_status ply_cuda_find(ply_cuda *cuda, const char *module, const char *name,
                         ply_cuda_kernel **kernel, ply_error *error);
/* Gives every thread at least this much stack: kernels that call themselves need it. */
ply_status ply_cuda_allow_stack(ply_cuda *cuda, size_t bytes, ply_error *error);
/* Lets a kernel use this much dynamic shared memory, and fails where the device has less. */
ply_status ply_cuda_allow_shared(ply_cuda *cuda, ply_cuda_kernel *kernel, unsigned bytes,
                                 ply_error *error);
/* Starts `blocks` blocks of `threads` threads with the structure `args`. Does not wait. */
ply_status ply_cuda_launch(ply_cuda *cuda, ply_cuda_kernel *kernel, uint64_t blocks,
                           unsigned threads, unsigned shared_bytes, const void *args,
                           ply_error *error);
/* Starts one thread for each of `count` items, in blocks of `threads`. */
static inline ply_status ply_cuda_launch_for(ply_cuda *cuda, ply_cuda_kernel *kernel,
                                             uint64_t count, unsigned threads, const void *args,
                                             ply_error *error)
{
    return count == 0 ? PLY_OK
                      : ply_cuda_launch(cuda, kernel, (count + threads - 1) / threads, threads, 0,
                                        args, error);
}

/* Seconds between two points of the stream: mark(0), work, mark(1), then elapsed, which waits. */
ply_status ply_cuda_mark(ply_cuda *cuda, int which, ply_error *error);
ply_status ply_cuda_elapsed(ply_cuda *cuda, double *seconds, ply_error *error);

/* modules.c: the module compiled from src/cuda/NAME.cu; NULL if it was not built. */
const void *ply_cuda_module(const char *name);
/* The version of CUDA that compiled the modules, such as 13000; 0: not built. */
int ply_cuda_built_version(void);

#endif
