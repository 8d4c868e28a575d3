/* SPDX-License-Identifier: MIT */
/*
 * status.h - what a call can answer, and where bad text went wrong.
 *
 * Every fallible function of the library returns a ply_status. Functions that read text given by
 * somebody else also fill a ply_error: what is wrong, and at which place. The library never prints.
 */
#ifndef PLYVERSE_STATUS_H
#define PLYVERSE_STATUS_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define PLY_API __attribute__((visibility("default")))
#define PLY_PRINTF(format_index, first_argument) \
    __attribute__((format(printf, format_index, first_argument)))
#else
#define PLY_API
#define PLY_PRINTF(format_index, first_argument)
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* XX(NAME, text): the one table behind the enum, the names and the docs. */
#define PLY_STATUS_MAP(XX)                                      \
    XX(OK, "ok")                                                \
    XX(BAD_TEXT, "text that does not read")                     \
    XX(BAD_POSITION, "a position the rules do not allow")       \
    XX(ILLEGAL_MOVE, "a move that is not legal here")           \
    XX(UNKNOWN_GAME, "no game of that id")                      \
    XX(UNKNOWN_VARIANT, "no variant of that name")              \
    XX(BAD_OPTION, "an option that is unknown or out of range") \
    XX(UNSUPPORTED, "the game does not offer this")             \
    XX(LIMIT, "a fixed limit was reached")                      \
    XX(NO_MEMORY, "out of memory")                              \
    XX(IO, "a file or stream failed")                           \
    XX(STOPPED, "stopped before the end")

typedef enum ply_status {
#define XX(name, text) PLY_##name,
    PLY_STATUS_MAP(XX)
#undef XX
        PLY_STATUS_COUNT
} ply_status;

/* A failure in words. line and column count from 1; line 0 means the error has no place. */
typedef struct ply_error {
    ply_status status;
    uint32_t line;
    uint32_t column;
    size_t offset; /* bytes before the place */
    char message[232];
} ply_error;

/* The constant's name, such as "BAD_TEXT"; "?" for a value that is none. */
PLY_API const char *ply_status_name(ply_status status);

/* A short phrase for people; "?" for a value that is none. */
PLY_API const char *ply_status_text(ply_status status);

/* Fills *error (may be NULL) without a place, and returns status. */
PLY_API ply_status ply_error_set(ply_error *error, ply_status status, const char *format, ...)
    PLY_PRINTF(3, 4);

#ifdef __cplusplus
}
#endif
#endif
