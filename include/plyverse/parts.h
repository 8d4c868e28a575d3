/* SPDX-License-Identifier: MIT */
/*
 * parts.h - sharing a job out among processes, and keeping what is done.
 *
 * Perft and random playouts consist of parts that are numbered from 0 and do not depend on each
 * other. By default a call works on all of them. With a ply_parts it works on those it is dealt, so
 * several processes can make the same call and add up what they get; and it reports the result of
 * each part, so that a job can continue after an interruption.
 */
#ifndef PLYVERSE_PARTS_H
#define PLYVERSE_PARTS_H

#include <stddef.h>
#include <stdint.h>

typedef struct ply_parts {
    /*
     * The next part to work on, of `total`; a number from `total` on means that there is none left.
     * Called from any thread of the job, at the same time too.
     */
    uint64_t (*next)(void *context, uint64_t total);
    /*
     * A part is done; `values` are its result, as the function that takes the options lists them.
     * May be NULL. Called from any thread of the job, at the same time too.
     */
    void (*done)(void *context, uint64_t part, const uint64_t *values, size_t count);
    void *context;
} ply_parts;

#endif
