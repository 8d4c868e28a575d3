/* SPDX-License-Identifier: MIT */
/* device_perft.h - ply_perft on a device. */
#ifndef PLY_PERFT_DEVICE_PERFT_H
#define PLY_PERFT_DEVICE_PERFT_H

#include <plyverse/perft.h>

/* As ply_perft, for depth >= 1 and checked options; divide may be NULL. */
ply_status ply_device_perft(const ply_state *state, int depth, const ply_perft_options *options,
                            ply_progress *progress, uint64_t *nodes, ply_perft_entry *divide,
                            size_t *divide_count);

#endif
