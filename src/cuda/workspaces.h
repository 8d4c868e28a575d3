/* SPDX-License-Identifier: MIT */
/*
 * workspaces.h - the lookup tables of tablebases on a device.
 *
 * The functions copy the tables of all prepared classes; ply_cuda_close frees them.
 */
#ifndef PLY_CUDA_WORKSPACES_H
#define PLY_CUDA_WORKSPACES_H

#include "cuda/driver.h"
#include "games/neighbours/tablebase/numbering.h"

ply_status ply_cuda_neighbours_workspace(ply_cuda *cuda, const neighbours_numbering *numbering,
                                         neighbours_numbering **uploaded, ply_error *error);
/* workspace: of checkers' ply_retrograde. */
ply_status ply_cuda_checkers_workspace(ply_cuda *cuda, const void *workspace, void **uploaded,
                                       ply_error *error);

#endif
