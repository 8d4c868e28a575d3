/* SPDX-License-Identifier: MIT */
/* device.h - slices solved and verified on a CUDA device; the host reads and writes the files. */
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

/* What a class contains. Symmetric positions count separately. */
typedef struct device_check {
    uint64_t wins, losses, draws, longest;
    uint64_t first_wrong; /* the lowest number of a wrong slot, or UINT64_MAX */
} device_check;
/* Derives every value of a class again. The class, its partner and all that moves lead to must have
 * been loaded. PLY_NO_MEMORY: they do not fit into the device's memory. */
ply_status ply_tablebase_device_check(void *context, const tablebase_folder *folder,
                                      size_t class_index, device_check *check, ply_error *error);

#endif
