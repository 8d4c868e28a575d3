/* SPDX-License-Identifier: MIT */
/*
 * slices_body.h - the kernels of slices.h for one game. Before including it, define SLICES_GAME(name)
 * and have the game's functions exits, predecessors, rule_successors and orbit_size in scope, with
 * the sizes of their lists, SLICES_MAX_EXITS (also of successors) and SLICES_MAX_PREDECESSORS.
 */
#include "core/device.h"
#include "cuda/slices.h"
#include "model/derive.h"

/* Which slot a thread stands for; false: none. */
PLY_HD bool slot_of_thread(const slice_args *args, uint64_t thread, ply_slot *slot)
{
    int which = thread >= args->start[1];
    if (thread >= args->start[2] || thread - args->start[which] >= args->slots[which])
        return false;
    *slot = ply_slot_make((size_t)args->class_index[which], thread - args->start[which]);
    return true;
}

PLY_HD uint16_t *cell_at(const slice_args *args, uint64_t cell)
{
    return (uint16_t *)args->cells + cell;
}

PLY_HD uint16_t cell_read(const slice_args *args, uint64_t cell)
{
    return *(volatile const uint16_t *)cell_at(args, cell);
}

/* Raises *count to a value. */
PLY_HD void raise_count(uint64_t *count, uint64_t value)
{
    if (*(volatile uint64_t *)count < value) {
#ifdef __CUDA_ARCH__
        atomicMax((unsigned long long *)count, (unsigned long long)value);
#else
        *count = value;
#endif
    }
}

PLY_HD void cell_write_decided(const slice_args *args, uint64_t cell, unsigned distance)
{
    *(volatile uint16_t *)cell_at(args, cell) = (uint16_t)(CELL_DECIDED | distance);
    raise_count(&args->counts[SLICE_LONGEST], distance);
}

/* The content of a cell, which becomes one less. */
PLY_HD unsigned cell_take_move(const slice_args *args, uint64_t cell)
{
    unsigned shift = cell & 1 ? 16 : 0;
#ifdef __CUDA_ARCH__
    return atomicSub(&args->cells[cell >> 1], 1u << shift) >> shift & 0xFFFF;
#else
    return __atomic_fetch_sub(&args->cells[cell >> 1], 1u << shift, __ATOMIC_RELAXED) >> shift &
           0xFFFF;
#endif
}

PLY_HD uint16_t stored_value(const slice_values *values, ply_slot slot)
{
    if (slot == PLY_SLOT_NO_PIECES)
        return 1;
    const slice_values *v = &values[ply_slot_class(slot)];
    uint64_t number = ply_slot_number(slot);
    return v->value_bytes == 1 ? ((const uint8_t *)v->data)[number]
                               : ((const uint16_t *)v->data)[number];
}

PLY_KERNEL(SLICES_GAME(first), slice_args)
{
    ply_slot slot, found[SLICES_MAX_EXITS];
    uint16_t values[SLICES_MAX_EXITS];
    if (!slot_of_thread(&args, PLY_THREAD, &slot))
        return;
    unsigned inner_moves = 0;
    size_t count = exits(args.workspace, slot, found, &inner_moves);
    for (size_t i = 0; count != PLY_SLOT_HOLE && i < count; i++)
        values[i] = stored_value(args.values, found[i]);
    unsigned content = cell_first(values, count, inner_moves);
    if (content == CELL_TOO_LONG)
        args.counts[SLICE_FAILED] = 1;
    else if (content & CELL_DECIDED)
        cell_write_decided(&args, PLY_THREAD, content & ~(unsigned)CELL_DECIDED);
    else
        *cell_at(&args, PLY_THREAD) = (uint16_t)content;
}

/* Updates the predecessors of a cell that is decided at the distance of the pass. */
PLY_HD void pass_cell(const slice_args *args, uint64_t number)
{
    ply_slot slot, found[SLICES_MAX_PREDECESSORS];
    if (!slot_of_thread(args, number, &slot))
        return;
    unsigned distance = args->distance + 1;
    size_t count = predecessors(args->workspace, slot, found);
    for (size_t i = 0; i < count; i++) {
        int which = ply_slot_class(found[i]) != args->class_index[0];
        uint64_t cell = args->start[which] + ply_slot_number(found[i]);
        unsigned content = cell_read(args, cell);
        if (distance & 1) { /* a move to a lost position */
            if (!(content & CELL_DECIDED) || content > (CELL_DECIDED | distance))
                cell_write_decided(args, cell, distance);
        } else if (!(content & CELL_DECIDED)) {
            unsigned before = cell_take_move(args, cell);
            if ((before & MOVES_LEFT_MASK) == 1)
                cell_write_decided(args, cell, cell_loss(before, distance));
        }
    }
}

/*
 * A pass decides no cell at its own distance, so it does not matter when a cell is read. Cells that
 * stand for nothing are 0, also after the last one up to a multiple of eight.
 */
PLY_KERNEL_BOUNDS(SLICES_GAME(pass), slice_args, SLICE_THREADS, 1)
{
    uint64_t first = PLY_THREAD / SLICE_THREADS * SLICE_PASS_CELLS;
    unsigned wanted = CELL_DECIDED | args.distance;
#ifdef __CUDACC__
    __shared__ uint16_t list[SLICE_PASS_CELLS];
    __shared__ uint32_t listed;
    if (threadIdx.x == 0)
        listed = 0;
    __syncthreads();
    for (uint32_t i = threadIdx.x * 8; i < SLICE_PASS_CELLS && first + i < args.start[2];
         i += SLICE_THREADS * 8) {
        const uint4 *at = (const uint4 *)cell_at(&args, first + i);
        uint4 four = __ldcg(at);
        uint32_t words[4] = {four.x, four.y, four.z, four.w};
        PLY_UNROLL for (uint32_t k = 0; k < 8;
                        k++) if ((words[k / 2] >> k % 2 * 16 & 0xFFFF) == wanted)
            list[atomicAdd(&listed, 1u)] = (uint16_t)(i + k);
    }
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < listed; i += SLICE_THREADS)
        pass_cell(&args, first + list[i]);
#else
    if (PLY_THREAD % SLICE_THREADS != 0) /* one thread does the work of a block */
        return;
    for (uint64_t i = first; i < first + SLICE_PASS_CELLS && i < args.start[2]; i++)
        if (cell_read(&args, i) == wanted)
            pass_cell(&args, i);
#endif
}

/* --- verification --------------------------------------------------------------------------- */
/* The value that follows from the values after each move. */
PLY_HD unsigned rederived_value(const slice_verify_args *args, ply_slot slot)
{
    ply_slot found[SLICES_MAX_EXITS];
    derivation d = derivation_start();
    size_t count = rule_successors(args->workspace, slot, found);
    for (size_t i = 0; i < count; i++)
        derivation_add(&d, stored_value(args->values, found[i]));
    return derivation_value(&d);
}

/* All threads of a warp come to the sums, whether they have a slot or not. */
PLY_KERNEL(SLICES_GAME(verify), slice_verify_args)
{
    unsigned counts[SLICE_LOSSES + 1] = {0, 0, 0}, value = 0;
    if (PLY_THREAD < args.slots) {
        ply_slot slot = ply_slot_make((size_t)args.class_index, PLY_THREAD);
        unsigned positions = orbit_size(args.workspace, slot);
        value = stored_value(args.values, slot);
        counts[value == 0 ? SLICE_DRAWS : value & 1 ? SLICE_LOSSES : SLICE_WINS] = positions;
        if (value != (positions ? rederived_value(&args, slot) : 0))
            raise_count(&args.counts[SLICE_WRONG], UINT64_MAX - PLY_THREAD);
    }
#ifdef __CUDA_ARCH__
    value = __reduce_max_sync(0xFFFFFFFFu, value);
    PLY_UNROLL for (int i = 0; i <= SLICE_LOSSES; i++)
    {
        counts[i] = __reduce_add_sync(0xFFFFFFFFu, counts[i]);
        counts[i] = threadIdx.x % 32 == 0 ? counts[i] : 0;
    }
#endif
    for (int i = 0; i <= SLICE_LOSSES; i++)
        if (counts[i])
            PLY_ATOMIC_ADD(&args.counts[i], counts[i]);
    raise_count(&args.counts[SLICE_VALUE], value);
}
