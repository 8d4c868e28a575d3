/* SPDX-License-Identifier: MIT */
/* job_internal.h - the inside of a job, for job.c and job_kinds.c only. */
#ifndef PLY_SERVER_JOBS_JOB_INTERNAL_H
#define PLY_SERVER_JOBS_JOB_INTERNAL_H

#include "server/jobs/job.h"

struct job {
    thinkers *thinkers;
    ply_rules rules; /* of the state, so that the job needs no game to stay in memory */
    ply_state state;
    job_order order;
    struct job *next; /* in the thinkers' list */
    bool admitted;    /* counts as running; the thinkers' lock guards it */
    bool cancelled;   /* atomic */

    pthread_mutex_t lock; /* guards what follows */
    unsigned holders;
    ply_searcher *searcher; /* whoever thinks now; may be NULL */
    ply_player *player;
    ply_text out; /* of a stream; the first `sent` bytes have been read */
    size_t sent;
    bool replaceable; /* out is one event that a newer one may replace */
    bool finished;
    bool sleeping; /* the carrier is, until wake */
    job_carrier carrier;
    response answer; /* of a job that does not stream */
};

bool job_cancelled(const job *j);
/* Says who thinks, so that cancelling can stop it; both NULL when it is over. */
void job_set_mind(job *j, ply_searcher *searcher, ply_player *player);
/* Sends an event. replaces: only the newest of its kind matters. */
void job_event(job *j, const char *name, const ply_text *data, bool replaces);

/* job_kinds.c: what the kinds of jobs do. */
void job_choose(job *j);
void job_analyse(job *j);
void job_graph(job *j);

#endif
