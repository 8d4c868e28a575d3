/* SPDX-License-Identifier: MIT */
/*
 * neighbours_tables.cu - kernels of the two-bit tables of Neighbours; see rows.h and rederive.h.
 *
 * A row is the work of a block: its tables and the plane that the pass reads are in shared memory,
 * and rows are handed out one by one. Where a plane is too long for shared memory (few pieces
 * against six), and on the host, it is read where it is.
 */
#include "games/neighbours/tablebase/rederive.h"

#ifdef __CUDACC__
#define TEAM_THREADS 1024
#define ROWS_KERNEL(name)                                         \
    extern "C" __global__ void __launch_bounds__(TEAM_THREADS, 1) \
        name(const neighbours_rows_args args)
#define TEAM_SYNC() __syncthreads()
#define TEAM_THREAD threadIdx.x
#define TEAM_SIZE blockDim.x
extern __shared__ uint4 team_memory[];
#define TEAM_MEMORY(team) neighbours_team *team = (neighbours_team *)team_memory
#define TEAM_PLANE ((uint32_t *)(team_memory + (sizeof(neighbours_team) + 15) / 16))
#else
/* Only the first thread of a block does anything. */
#define ROWS_KERNEL(name) PLY_KERNEL(name, neighbours_rows_args)
#define TEAM_SYNC() (void)0
#define TEAM_THREAD (uint32_t)0
#define TEAM_SIZE (uint32_t)1
#define TEAM_MEMORY(team)            \
    neighbours_team memory;          \
    neighbours_team *team = &memory; \
    if (thread % args.threads != 0)  \
    return
#endif

/* Takes the next row; false: there is none left. */
PLY_HD bool next_row(neighbours_team *team, const neighbours_rows_args *args, uint32_t thread)
{
    TEAM_SYNC();
    if (thread == 0)
        team->next_row = ROWS_TAKE(args->next_row);
    TEAM_SYNC();
    return team->next_row < args->notes.rows;
}

/* All threads of the team call this. */
PLY_HD void add_decided(const neighbours_rows_args *args, uint32_t row, int plane, uint32_t columns)
{
#ifdef __CUDA_ARCH__
    columns = __reduce_add_sync(0xFFFFFFFFu, columns);
    columns = threadIdx.x % 32 == 0 ? columns : 0;
#endif
    if (columns)
        PLY_ATOMIC_ADD(&args->decided[plane],
                       (uint64_t)columns * row_weight(args->numbering, args->enemy, row));
}

ROWS_KERNEL(neighbours_rows_first)
{
    TEAM_MEMORY(team);
    team_open(team, args.share, TEAM_THREAD, TEAM_SIZE);
    while (next_row(team, &args, TEAM_THREAD)) {
        uint32_t row = team->next_row, decided[2] = {0, 0};
        team_take_row(team, &args, row, TEAM_THREAD, TEAM_SIZE);
        TEAM_SYNC();
        for (uint32_t word = TEAM_THREAD; word * 32 < args.notes.columns; word += TEAM_SIZE)
            row_first_word(&args, team, row, word, decided);
        add_decided(&args, row, PLANE_WINS, decided[PLANE_WINS]);
        add_decided(&args, row, PLANE_LOSSES, decided[PLANE_LOSSES]);
    }
}

ROWS_KERNEL(neighbours_rows_pass)
{
    TEAM_MEMORY(team);
    team_open(team, args.share, TEAM_THREAD, TEAM_SIZE);
    bool finds_wins = args.pass & 1;
    while (next_row(team, &args, TEAM_THREAD)) {
        uint32_t row = team->next_row, decided = 0;
        if (row_is_settled(&args, row))
            continue;
        team_take_row(team, &args, row, TEAM_THREAD, TEAM_SIZE);
        const uint32_t *read =
            planes_row(&args.successors, row, finds_wins ? PLANE_LOSSES : PLANE_WINS);
#ifdef __CUDACC__
        if (args.successors.stride <= args.shared_words) {
            const uint4 *from = (const uint4 *)read;
            for (uint32_t i = TEAM_THREAD; i < args.successors.stride / 4; i += TEAM_SIZE)
                ((uint4 *)TEAM_PLANE)[i] = from[i];
            read = TEAM_PLANE;
        }
#endif
        TEAM_SYNC();
        for (uint32_t word = TEAM_THREAD; word * 32 < args.notes.columns; word += TEAM_SIZE)
            decided += row_pass_word(&args, team, read, row, word);
        add_decided(&args, row, finds_wins ? PLANE_WINS : PLANE_LOSSES, decided);
    }
}

/* One thread for each word of the wins. */
PLY_KERNEL(neighbours_values_verify, neighbours_verify_args)
{
    uint32_t words = (args.values.columns + 31) / 32, counts[3] = {0, 0, 0};
    uint64_t row = PLY_THREAD / words;
    if (row >= args.values.rows)
        return;
    uint32_t wrong = verify_word(&args, (uint32_t)row, (uint32_t)(PLY_THREAD % words), counts);
    if (wrong) {
        PLY_ATOMIC_ADD(&args.counts[VERIFY_WRONG], 1);
        args.counts[VERIFY_WHERE] = PLY_THREAD + 1;
    }
#ifdef __CUDA_ARCH__
    for (int i = 0; i < 3; i++) {
        uint32_t sum = __reduce_add_sync(__activemask(), counts[i]);
        counts[i] = (threadIdx.x & 31) == __ffs((int)__activemask()) - 1 ? sum : 0;
    }
#endif
    for (int i = 0; i < 3; i++)
        if (counts[i])
            PLY_ATOMIC_ADD(&args.counts[i], counts[i]);
}

/* One thread for 64 words. */
PLY_KERNEL(neighbours_values_checksum, neighbours_checksum_args)
{
    uint64_t first = PLY_THREAD * 64, sum = 0;
    if (first >= args.count)
        return;
    for (uint64_t i = first; i < first + 64 && i < args.count; i++)
        sum += checksum_word(i, args.words[i]);
    PLY_ATOMIC_ADD(&args.sums[first >> CHECKSUM_BLOCK_SHIFT], sum);
}

/* One thread for each position of a list. */
PLY_KERNEL(neighbours_values_label, neighbours_label_args)
{
    if (PLY_THREAD < args.count)
        args.labels[PLY_THREAD] = label_of(&args, args.positions[PLY_THREAD]);
}
