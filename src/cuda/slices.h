/* SPDX-License-Identifier: MIT */
/*
 * slices.h - slices of endgame tablebases solved and verified on a CUDA device, with distances.
 *
 * The algorithm and the cells are those of src/tablebase (retrograde.c), and so are the files: the
 * device fills the cells, the host writes them:
 *
 *     word w of the cells    31              16 15               0
 *                           +------------------+------------------+
 *                           | cell 2w + 1      | cell 2w          |
 *                           +------------------+------------------+
 *
 * Cells are numbered as in src/tablebase/slice.h for one process. First, a thread is a cell. In a
 * pass, a block of threads takes SLICE_PASS_CELLS cells, lists those decided at the distance of the
 * pass in its shared memory, and then deals out that list: there are as many passes as plies, and in
 * each of them few cells have work to do.
 *
 * The verifier has one thread for each value. It shares with the solver the numbers of positions,
 * not the moves: rule_successors lists them by the game's own move generator (checkers), or by
 * walking over the board (Neighbours).
 *
 * The kernels of a game are in GAME_slices.cu, which includes slices_body.h.
 */
#ifndef PLY_CUDA_SLICES_H
#define PLY_CUDA_SLICES_H

#include "cuda/driver.h"
#include "model/retrograde_cell.h"

/* The values of a class that moves lead to; in device memory, as stored in files. */
typedef struct slice_values {
    const void *data;
    uint64_t value_bytes; /* 1 or 2 */
} slice_values;

enum { SLICE_LONGEST, SLICE_FAILED, SLICE_COUNTS };
/* Threads of a block, and cells of a block in a pass: a multiple of 8 that fits 16 bits. */
enum { SLICE_THREADS = 128, SLICE_PASS_CELLS = 8192 };

typedef struct slice_args {
    const void *workspace;
    uint32_t *cells;
    uint64_t class_index[2], slots[2], start[3]; /* as in tablebase/slice.h */
    const slice_values *values;                  /* by class */
    uint64_t *counts;                            /* by SLICE_... */
    uint32_t distance;
} slice_args;

/* What the verifier counts: positions by value; the largest value; UINT64_MAX - the lowest number of a
 * slot with a wrong value, or 0. */
enum { SLICE_DRAWS, SLICE_WINS, SLICE_LOSSES, SLICE_VALUE, SLICE_WRONG, SLICE_VERIFY_COUNTS };

typedef struct slice_verify_args {
    const void *workspace;
    uint64_t class_index, slots;
    const slice_values *values; /* by class */
    uint64_t *counts;
} slice_verify_args;

typedef struct ply_cuda_slices ply_cuda_slices;

/* Uploads the workspace of the game's ply_retrograde, with all classes prepared. PLY_UNSUPPORTED: the
 * game has no kernels. */
ply_status ply_cuda_slices_open(ply_cuda_slices **slices, ply_cuda *cuda, const ply_rules *rules,
                                const void *workspace, size_t class_count, ply_error *error);
void ply_cuda_slices_close(ply_cuda_slices *slices);
/* Drops the values of all other classes. */
void ply_cuda_slices_keep(ply_cuda_slices *slices, const size_t *classes, size_t count);
/* Uploads the values of a class unless they are there. */
ply_status ply_cuda_slices_load(ply_cuda_slices *slices, size_t class_index, const void *values,
                                uint64_t count, unsigned value_bytes, ply_error *error);
/*
 * Solves a slice and copies its cells to the host. args: class_index, slots and start. *stop (may be
 * NULL) ends it between passes with PLY_STOPPED.
 */
ply_status ply_cuda_slices_solve(ply_cuda_slices *slices, slice_args args, uint16_t *cells,
                                 const uint64_t *stop, ply_error *error);
/* Derives every value of a class again; it, its partner and all that moves lead to are loaded. */
ply_status ply_cuda_slices_verify(ply_cuda_slices *slices, size_t class_index, uint64_t slots,
                                  uint64_t counts[SLICE_VERIFY_COUNTS], ply_error *error);

/* --- lookup tables (workspaces.c) ------------------------------------------------------------- */
/* Copy the tables of all prepared classes to the device; ply_cuda_close frees them. */
struct neighbours_numbering;
ply_status ply_cuda_neighbours_workspace(ply_cuda *cuda,
                                         const struct neighbours_numbering *numbering,
                                         struct neighbours_numbering **uploaded, ply_error *error);
/* workspace: of checkers' ply_retrograde. */
ply_status ply_cuda_checkers_workspace(ply_cuda *cuda, const void *workspace, void **uploaded,
                                       ply_error *error);

#endif
