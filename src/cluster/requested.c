/* SPDX-License-Identifier: MIT */
/* requested.c - whether mpirun or srun has started this process; works without MPI. */
#include "cluster/cluster.h"
#include <stdlib.h>
#include <string.h>

bool cluster_requested(void)
{
    /* Set by Open MPI, by MPICH and its relatives, and by Slurm or PMIx. A single process needs no
     * cluster. */
    static const char *const sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        const char *size = getenv(sizes[i]);
        if (size)
            return strcmp(size, "1") != 0;
    }
    const char *tasks = getenv("SLURM_NTASKS");
    return getenv("PMIX_RANK") && tasks && strcmp(tasks, "1") != 0;
}
