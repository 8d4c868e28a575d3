/* SPDX-License-Identifier: MIT */
/*
 * status.h - status codes and errors.
 *
 * A function that can fail for more than one reason returns a ply_status; one that creates an object
 * and can only run out of memory returns NULL, and one that looks something up returns NULL or false
 * when it is not there. Functions that parse text from outside also fill a ply_error: what is wrong,
 * and where. The library never prints.
 */
#ifndef PLYVERSE_STATUS_H
#define PLYVERSE_STATUS_H

#include <stddef.h>
#include <stdint.h>

/* Before a function in a header: CUDA kernels may call it, too (host and device). */
#ifdef __CUDACC__
#define PLY_HD static inline __host__ __device__
#else
#define PLY_HD static inline
#endif

#if defined(__GNUC__)
#define PLY_API __attribute__((visibility("default")))
#define PLY_PRINTF(format_index, first_argument) \
    __attribute__((format(printf, format_index, first_argument)))
/* Inlined even where the compiler would rather not. */
#define PLY_INLINE PLY_HD __attribute__((always_inline))
#else
#define PLY_API
#define PLY_INLINE PLY_HD
#define PLY_PRINTF(format_index, first_argument)
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* XX(NAME, text): the single list from which the enum, the names and the texts are generated. */
#define PLY_STATUS_MAP(XX)                           \
    XX(OK, "ok")                                     \
    XX(BAD_TEXT, "malformed text")                   \
    XX(BAD_POSITION, "illegal position")             \
    XX(ILLEGAL_MOVE, "illegal move")                 \
    XX(UNKNOWN_GAME, "unknown game")                 \
    XX(UNKNOWN_VARIANT, "unknown variant")           \
    XX(BAD_OPTION, "unknown or out-of-range option") \
    XX(UNSUPPORTED, "not supported")                 \
    XX(LIMIT, "limit exceeded")                      \
    XX(NO_MEMORY, "out of memory")                   \
    XX(IO, "input/output error")                     \
    XX(STOPPED, "stopped")                           \
    XX(BAD_ARGUMENT, "NULL or invalid argument")

typedef enum ply_status {
#define XX(name, text) PLY_##name,
    PLY_STATUS_MAP(XX)
#undef XX
        PLY_STATUS_COUNT
} ply_status;

/* What went wrong and where. line and column count from 1; line 0 means no location. */
typedef struct ply_error {
    ply_status status;
    uint32_t line;
    uint32_t column;
    size_t offset; /* of the location, in bytes from the start of the text */
    char message[232];
} ply_error;

/* The constant's name without its prefix, such as "BAD_TEXT"; "?" for an invalid value. */
PLY_API const char *ply_status_name(ply_status status);

/* A short description, such as "malformed text"; "?" for an invalid value. */
PLY_API const char *ply_status_text(ply_status status);

/*
 * Frees memory that the library allocated, where the function that returned it says so. NULL is a
 * no-op. Safe from any thread, as are all functions above.
 */
PLY_API void ply_free(void *memory);

/* Fills *error, which may be NULL, without a location. Returns status. Safe from any thread. */
PLY_API ply_status ply_error_set(ply_error *error, ply_status status, const char *format, ...)
    PLY_PRINTF(3, 4);
#ifdef __clang_analyzer__
/* Tells the static analyser that the status it passes is the status it gets back. */
#define ply_error_set(error, status, ...) \
    ((void)(ply_error_set)(error, status, __VA_ARGS__), (status))
#endif

#ifdef __cplusplus
}
#endif
#endif
