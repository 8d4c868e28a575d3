/* SPDX-License-Identifier: MIT */
/*
 * progress.h - watching and stopping a long job from another thread.
 *
 * The caller owns a ply_progress, sets it to zero and passes it to the job. While the job runs, use
 * it only through the functions below: the fields change under the reader's eyes.
 */
#ifndef PLYVERSE_PROGRESS_H
#define PLYVERSE_PROGRESS_H

#include <plyverse/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ply_progress {
    uint64_t units;       /* nodes, plies or positions so far */
    uint64_t parts_done;  /* finished parts of the job */
    uint64_t parts_total; /* 0 while unknown */
    uint64_t stop;        /* not 0: the job has been asked to stop */
} ply_progress;

/* Returns a copy of the current numbers. Safe from any thread. */
PLY_API ply_progress ply_progress_read(const ply_progress *progress);
/* Asks the job to stop, which then returns PLY_STOPPED. Safe from any thread or signal handler. */
PLY_API void ply_progress_stop(ply_progress *progress);

#ifdef __cplusplus
}
#endif
#endif
