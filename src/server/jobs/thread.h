/* SPDX-License-Identifier: MIT */
/* thread.h - the threads of jobs: nobody joins them, and their stacks are small. */
#ifndef PLY_SERVER_JOBS_THREAD_H
#define PLY_SERVER_JOBS_THREAD_H

#include <pthread.h>
#include <stdbool.h>

enum { JOB_STACK_BYTES = 4 << 20 };

/* Starts a detached thread. False when the system has no room for it. */
static inline bool job_thread_start(void *(*run)(void *context), void *context)
{
    pthread_t thread;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, JOB_STACK_BYTES);
    bool good = pthread_create(&thread, &attributes, run, context) == 0;
    pthread_attr_destroy(&attributes);
    return good;
}

#endif
