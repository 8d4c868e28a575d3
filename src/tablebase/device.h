/* SPDX-License-Identifier: MIT */
/* device.h - slices solved on a CUDA device; files are written by the host. */
#ifndef PLY_TABLEBASE_DEVICE_H
#define PLY_TABLEBASE_DEVICE_H

#include "tablebase/build.h"

/* Opens a device for the slices of a folder; the context of ply_tablebase_device_build. Fails with
 * PLY_UNSUPPORTED if there is none, or no kernels for the game. */
ply_status ply_tablebase_device_open(void **context, const tablebase_folder *folder, int number,
                                     ply_error *error);
/* NULL is a no-op. */
void ply_tablebase_device_close(void *context);
slice_builder ply_tablebase_device_build;

#endif
