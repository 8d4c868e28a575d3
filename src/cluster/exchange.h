/* SPDX-License-Identifier: MIT */
/*
 * exchange.h - rounds of messages from every rank to every other.
 *
 * In each round a rank fills one buffer per rank and posts them. The messages travel while it
 * computes the next round; then it collects those of the other ranks:
 *
 *     fill 0, post 0, fill 1, post 1, collect 0, fill 2, post 2, collect 1, ..., collect last
 *
 * So at most two rounds are under way, and there are two sets of buffers. All ranks go through the
 * same number of rounds. Buffers grow as needed and are kept.
 */
#ifndef PLY_CLUSTER_EXCHANGE_H
#define PLY_CLUSTER_EXCHANGE_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { EXCHANGE_SETS = 2 };

typedef struct exchange_buffer {
    unsigned char *bytes;
    size_t count, room;
} exchange_buffer;

typedef struct exchange {
    unsigned rank, ranks;
    int tag;              /* tells exchanges apart */
    exchange_buffer *out; /* set x ranks + rank */
    MPI_Request *sending; /* likewise */
    exchange_buffer *in;  /* by rank: what was collected last */
    MPI_Request *receiving;
    bool *matched;              /* by rank: the message of the round to collect has been found */
    uint64_t posted, collected; /* rounds */
    uint64_t bytes_sent;
    _Atomic bool failed; /* out of memory, or a message of 2 GiB or more */
} exchange;

/* False when out of memory; close it all the same. */
bool exchange_open(exchange *e, int tag);
void exchange_close(exchange *e);
/* The buffer for a rank in the round being filled, with room for `bytes`; NULL when out of memory,
 * after which the message is empty and e->failed is set. Sets count to bytes. */
unsigned char *exchange_fill(exchange *e, unsigned to, size_t bytes);
/* Sends the round; a rank whose buffer was not filled gets an empty message. */
void exchange_post(exchange *e);
/* Lets messages make progress. Main thread only. */
void exchange_poll(exchange *e);
/* Waits for the messages of the oldest round that was posted and not collected. */
void exchange_collect(exchange *e);

#endif
