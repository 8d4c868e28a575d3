/* SPDX-License-Identifier: MIT */
/*
 * file.h - replacing a file as a whole; reading and writing whole buffers.
 *
 * New content goes to PATH.tmp and is renamed to PATH when it is complete, so that a crash, a full
 * disk or an abort leaves the old file as it was. A symbolic link is followed. A device, a pipe or
 * a socket has no old content to protect and cannot be replaced by a rename: it is written to
 * directly. A directory is an error.
 *
 *     begin --> write to stream --> commit (replaces PATH)
 *                               `-> abort  (PATH unchanged)
 *
 * Functions that return false leave the reason in errno. An object belongs to one thread; two
 * replacements of the same path at the same time are not supported.
 */
#ifndef PLY_CORE_FILE_H
#define PLY_CORE_FILE_H

#include <plyverse/status.h>
#include <stdbool.h>
#include <stdio.h>

typedef struct ply_file_replacement {
    FILE *stream;    /* write here; fileno gives the descriptor */
    char *target;    /* the path with symbolic links resolved */
    char *temporary; /* NULL: the target is written directly */
} ply_file_replacement;

/*
 * Reads a whole regular file of at most `most` bytes, which the caller frees. NULL on failure, with
 * the reason in *error, which is required.
 */
unsigned char *ply_file_read(const char *path, size_t most, size_t *size, ply_error *error);
/*
 * A checksum of bytes, for files. They are words of 8 bytes, little-endian, the last one padded with
 * zeros; the sum is mix64(size + the sum over i of mix64(word[i] + (i + 1) * PLY_GOLDEN)), modulo
 * 2^64. Never change it: it is stored in files.
 */
uint64_t ply_file_checksum(const unsigned char *bytes, size_t size);
/* Writes all bytes to a file descriptor, however many calls that takes. */
bool ply_file_write_all(int file, const void *bytes, size_t count);
/* Whether the path is something other than a regular file: written directly, never replaced. */
bool ply_file_is_special(const char *path);
/* Opens the stream. After a failure, nothing needs to be aborted and stream is NULL. */
bool ply_file_replace_begin(ply_file_replacement *replacement, const char *path);
/*
 * Closes the stream and puts the new file in place; durable: returns only when file and name are on
 * disk. On failure, including an earlier write error of the stream, the old file is unchanged.
 * Frees the object in either case.
 */
bool ply_file_replace_commit(ply_file_replacement *replacement, bool durable);
/* Discards what was written and frees the object. Keeps errno. */
void ply_file_replace_abort(ply_file_replacement *replacement);
/* Whether a replacement could begin now. Leaves no trace. */
bool ply_file_replace_possible(const char *path);

#endif
