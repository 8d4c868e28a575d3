/* SPDX-License-Identifier: MIT */
/* workspaces.c - the lookup tables of tablebases on a device; see slices.h. */
#include "cuda/slices.h"
#include "games/neighbours/tablebase/numbering.h"

#include "games/checkers/tablebase/slots.h"
#include <stdlib.h>

static ply_status upload(ply_cuda *cuda, void **to, const void *from, size_t bytes,
                         ply_error *error)
{
    ply_status status = ply_cuda_alloc(cuda, to, bytes, error);
    return status == PLY_OK ? ply_cuda_write(cuda, *to, from, bytes, error) : status;
}

ply_status ply_cuda_neighbours_workspace(ply_cuda *cuda, const neighbours_numbering *n,
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

/* Uploads the layouts of the prepared classes as one array. */
static ply_status upload_layouts(ply_cuda *cuda, const workspace *w, workspace *its,
                                 ply_error *error)
{
    size_t count = 0;
    class_layout *layouts = malloc(MATERIAL_CLASSES * sizeof *layouts);
    if (!layouts)
        return ply_error_set(error, PLY_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < MATERIAL_CLASSES; i++)
        if (w->layouts[i])
            layouts[count++] = *w->layouts[i];
    void *memory = NULL;
    ply_status status = upload(cuda, &memory, layouts, count * sizeof *layouts, error);
    count = 0;
    for (size_t i = 0; i < MATERIAL_CLASSES && status == PLY_OK; i++)
        if (w->layouts[i])
            its->layouts[i] = (class_layout *)memory + count++;
    free(layouts);
    return status;
}

ply_status ply_cuda_checkers_workspace(ply_cuda *cuda, const void *handle, void **uploaded,
                                       ply_error *error)
{
    const workspace *w = handle;
    workspace *its = malloc(sizeof *its);
    if (!its)
        return ply_error_set(error, PLY_NO_MEMORY, "out of memory");
    *its = *w;
    void *memory = NULL;
    ply_status status = upload_layouts(cuda, w, its, error);
    for (int k = 0; k <= MAX_SET && status == PLY_OK; k++)
        if (w->sets[k]) {
            status = upload(cuda, &memory, w->sets[k],
                            w->choose[k][CHECKERS_SQUARES] * sizeof *w->sets[k], error);
            its->sets[k] = memory;
        }
    if (status == PLY_OK)
        status = upload(cuda, &memory, w->rules, sizeof *w->rules, error);
    its->rules = memory;
    if (status == PLY_OK)
        status = upload(cuda, uploaded, its, sizeof *its, error);
    free(its);
    return status;
}
