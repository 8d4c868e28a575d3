/* SPDX-License-Identifier: MIT */
/* exchange.c - see exchange.h. */
#include "cluster/exchange.h"
#include "cluster/cluster.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

bool exchange_open(exchange *e, int tag)
{
    *e = (exchange){.rank = cluster_rank(), .ranks = cluster_ranks(), .tag = tag};
    size_t ranks = e->ranks;
    e->out = calloc(EXCHANGE_SETS * ranks, sizeof *e->out);
    e->sending = calloc(EXCHANGE_SETS * ranks, sizeof *e->sending);
    e->in = calloc(ranks, sizeof *e->in);
    e->receiving = calloc(ranks, sizeof *e->receiving);
    e->matched = calloc(ranks, sizeof *e->matched);
    if (!e->out || !e->sending || !e->in || !e->receiving || !e->matched)
        return false;
    for (size_t i = 0; i < EXCHANGE_SETS * ranks; i++)
        e->sending[i] = MPI_REQUEST_NULL;
    for (size_t i = 0; i < ranks; i++)
        e->receiving[i] = MPI_REQUEST_NULL;
    return true;
}

void exchange_close(exchange *e)
{
    for (size_t i = 0; e->out && i < (size_t)EXCHANGE_SETS * e->ranks; i++) {
        if (e->sending)
            MPI_Wait(&e->sending[i], MPI_STATUS_IGNORE);
        free(e->out[i].bytes);
    }
    for (size_t i = 0; e->in && i < e->ranks; i++)
        free(e->in[i].bytes);
    free(e->out);
    free(e->sending);
    free(e->in);
    free(e->receiving);
    free(e->matched);
    *e = (exchange){0};
}

/* Makes room for a message. */
static bool set_count(exchange_buffer *buffer, size_t bytes)
{
    if (bytes > buffer->room) {
        size_t room = bytes + bytes / 2;
        unsigned char *grown = realloc(buffer->bytes, room);
        if (!grown)
            return false;
        buffer->bytes = grown;
        buffer->room = room;
    }
    buffer->count = bytes;
    return true;
}

unsigned char *exchange_fill(exchange *e, unsigned to, size_t bytes)
{
    exchange_buffer *buffer = &e->out[e->posted % EXCHANGE_SETS * e->ranks + to];
    buffer->count = 0;
    if (bytes > INT_MAX || !set_count(buffer, bytes)) {
        e->failed = true;
        return NULL;
    }
    return buffer->bytes;
}

void exchange_post(exchange *e)
{
    size_t set = e->posted++ % EXCHANGE_SETS * e->ranks;
    for (unsigned to = 0; to < e->ranks; to++) {
        const exchange_buffer *buffer = &e->out[set + to];
        if (to == e->rank)
            continue;
        MPI_Isend(buffer->bytes, (int)buffer->count, MPI_BYTE, (int)to, e->tag, MPI_COMM_WORLD,
                  &e->sending[set + to]);
        e->bytes_sent += buffer->count;
    }
    /* The other set is filled next: its messages must have left. */
    set = e->posted % EXCHANGE_SETS * e->ranks;
    for (unsigned to = 0; to < e->ranks; to++)
        e->out[set + to].count = 0;
}

/* Receives the next message of a rank if it has arrived, or waits for it. */
static void match(exchange *e, unsigned from, bool wait)
{
    MPI_Message message;
    MPI_Status status;
    int found = 1, bytes;
    if (wait)
        MPI_Mprobe((int)from, e->tag, MPI_COMM_WORLD, &message, &status);
    else
        MPI_Improbe((int)from, e->tag, MPI_COMM_WORLD, &found, &message, &status);
    if (!found)
        return;
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    if (!set_count(&e->in[from], (size_t)bytes)) {
        /* The job cannot go on without the message, and the others wait for this rank. */
        fputs("plyverse: out of memory for a message of another rank\n", stderr);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    MPI_Imrecv(e->in[from].bytes, bytes, MPI_BYTE, &message, &e->receiving[from]);
    e->matched[from] = true;
}

void exchange_poll(exchange *e)
{
    if (e->collected == e->posted)
        return;
    for (unsigned from = 0; from < e->ranks; from++)
        if (from != e->rank && !e->matched[from])
            match(e, from, false);
    int done;
    MPI_Testall((int)e->ranks, e->receiving, &done, MPI_STATUSES_IGNORE);
}

void exchange_collect(exchange *e)
{
    for (unsigned from = 0; from < e->ranks; from++)
        if (from != e->rank && !e->matched[from])
            match(e, from, true);
    MPI_Waitall((int)e->ranks, e->receiving, MPI_STATUSES_IGNORE);
    for (unsigned from = 0; from < e->ranks; from++)
        e->matched[from] = false;
    /* By now the others have collected the round before: its buffers are free soon. */
    size_t set = e->collected++ % EXCHANGE_SETS * e->ranks;
    MPI_Waitall((int)e->ranks, e->sending + set, MPI_STATUSES_IGNORE);
}
