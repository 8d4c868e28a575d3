/* SPDX-License-Identifier: MIT */
/* device.h - batches in the memory of a device: the functions of batch.h for them. */
#ifndef PLY_BATCH_DEVICE_H
#define PLY_BATCH_DEVICE_H

#include <plyverse/batch.h>

typedef struct batch_device batch_device;

/* Moves to the device what the batch has set up: options, shape, and where its games start, as game
 * 0 of a batch of one on the host. Sets `arrays`. */
ply_status ply_batch_device_open(batch_device **device, const ply_batch *batch,
                                 const ply_batch_arrays *lent, ply_batch_arrays *arrays,
                                 ply_error *error);
void ply_batch_device_close(batch_device *device);
void *ply_batch_device_stream(const batch_device *device);
int ply_batch_device_index(const batch_device *device);

ply_status ply_batch_device_reset(batch_device *device, const uint8_t *which);
ply_status ply_batch_device_step(batch_device *device, const int32_t *actions);
ply_status ply_batch_device_sample(batch_device *device, int32_t *actions);
ply_status ply_batch_device_random(batch_device *device, uint64_t steps, ply_batch_totals *totals);
ply_status ply_batch_device_wait(batch_device *device, ply_error *error);
ply_status ply_batch_device_read(batch_device *device, void *to, const void *from, size_t bytes);
ply_status ply_batch_device_write(batch_device *device, void *to, const void *from, size_t bytes);
/* Makes *state, which is uninitialised, a copy of game g. */
ply_status ply_batch_device_get(batch_device *device, size_t g, ply_state *state);
/* How a game stands besides its position and moves. */
typedef struct batch_standing {
    uint64_t draws; /* random numbers drawn */
    uint8_t end;    /* enum batch_end */
    uint8_t result; /* ply_result */
} batch_standing;
ply_status ply_batch_device_standing(batch_device *device, size_t g, batch_standing *standing);
/* Makes game g a copy of a state of the same rules with at most max_plies moves. standing (may be
 * NULL): how it has ended if not by the rules. */
ply_status ply_batch_device_set(batch_device *device, size_t g, const ply_state *state,
                                const batch_standing *standing);
ply_status ply_batch_device_set_draws(batch_device *device, size_t g, uint64_t draws);

#endif
