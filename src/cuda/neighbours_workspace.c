/* SPDX-License-Identifier: MIT */
/* neighbours_workspace.c - see neighbours_workspace.h. */
#include "cuda/neighbours_workspace.h"

static ply_status upload(ply_cuda *cuda, void **to, const void *from, size_t bytes,
                         ply_error *error)
{
    ply_status status = ply_cuda_alloc(cuda, to, bytes, error);
    return status == PLY_OK ? ply_cuda_write(cuda, *to, from, bytes, error) : status;
}

ply_status neighbours_workspace_upload(ply_cuda *cuda, const neighbours_numbering *n,
                                       neighbours_numbering **uploaded, ply_error *error)
{
    neighbours_numbering its = *n;
    void *memory = NULL;
    for (int k = 0; k < NEIGHBOURS_COUNTS; k++) {
        if (!n->representative[k])
            continue;
        size_t sets = n->choose[k][NEIGHBOURS_SQUARES];
        ply_status status = upload(cuda, &memory, n->sets[k], sets * sizeof *n->sets[k], error);
        its.sets[k] = memory;
        if (status == PLY_OK)
            status = upload(cuda, &memory, n->fold[k], sets * sizeof *n->fold[k], error);
        its.fold[k] = memory;
        if (status == PLY_OK)
            status = upload(cuda, &memory, n->representative[k],
                            n->orbits[k] * sizeof *n->representative[k], error);
        its.representative[k] = memory;
        if (status != PLY_OK)
            return status;
    }
    ply_status status = upload(cuda, &memory, &its, sizeof its, error);
    *uploaded = memory;
    return status;
}
