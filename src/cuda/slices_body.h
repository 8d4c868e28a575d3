/* SPDX-License-Identifier: MIT */
/*
 * slices_body.h - the kernels of slices.h for one game. Before including it, define SLICES_GAME(name)
 * and have the game's functions exits and predecessors in scope, with the sizes of their lists,
 * SLICES_MAX_EXITS and SLICES_MAX_PREDECESSORS.
 */
#include "core/device.h"
#include "cuda/slices.h"

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

PLY_HD void cell_write_decided(const slice_args *args, uint64_t cell, unsigned distance)
{
    *(volatile uint16_t *)cell_at(args, cell) = (uint16_t)(CELL_DECIDED | distance);
    uint64_t *longest = &args->counts[SLICE_LONGEST];
    if (*(volatile uint64_t *)longest < distance) {
#ifdef __CUDA_ARCH__
        atomicMax((unsigned long long *)longest, (unsigned long long)distance);
#else
        *longest = distance;
#endif
    }
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

PLY_HD uint16_t stored_value(const slice_args *args, ply_slot slot)
{
    if (slot == PLY_SLOT_NO_PIECES)
        return 1;
    const slice_values *v = &args->values[ply_slot_class(slot)];
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
        values[i] = stored_value(&args, found[i]);
    unsigned content = cell_first(values, count, inner_moves);
    if (content == CELL_TOO_LONG)
        args.counts[SLICE_FAILED] = 1;
    else if (content & CELL_DECIDED)
        cell_write_decided(&args, PLY_THREAD, content & ~(unsigned)CELL_DECIDED);
    else
        *cell_at(&args, PLY_THREAD) = (uint16_t)content;
}

PLY_KERNEL(SLICES_GAME(pass), slice_args)
{
    ply_slot slot, found[SLICES_MAX_PREDECESSORS];
    if (!slot_of_thread(&args, PLY_THREAD, &slot) ||
        cell_read(&args, PLY_THREAD) != (CELL_DECIDED | args.distance))
        return;
    unsigned distance = args.distance + 1;
    size_t count = predecessors(args.workspace, slot, found);
    for (size_t i = 0; i < count; i++) {
        int which = ply_slot_class(found[i]) != args.class_index[0];
        uint64_t cell = args.start[which] + ply_slot_number(found[i]);
        unsigned content = cell_read(&args, cell);
        if (distance & 1) { /* a move to a lost position */
            if (!(content & CELL_DECIDED) || content > (CELL_DECIDED | distance))
                cell_write_decided(&args, cell, distance);
        } else if (!(content & CELL_DECIDED)) {
            unsigned before = cell_take_move(&args, cell);
            if ((before & MOVES_LEFT_MASK) == 1)
                cell_write_decided(&args, cell, cell_loss(before, distance));
        }
    }
}
