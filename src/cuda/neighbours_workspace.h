/* SPDX-License-Identifier: MIT */
/* neighbours_workspace.h - the lookup tables of numbering.h on a device. */
#ifndef PLY_CUDA_NEIGHBOURS_WORKSPACE_H
#define PLY_CUDA_NEIGHBOURS_WORKSPACE_H

#include "cuda/driver.h"
#include "games/neighbours/tablebase/numbering.h"

/* Copies the tables of all prepared counts to the device; ply_cuda_close frees them. */
ply_status neighbours_workspace_upload(ply_cuda *cuda, const neighbours_numbering *numbering,
                                       neighbours_numbering **uploaded, ply_error *error);

#endif
