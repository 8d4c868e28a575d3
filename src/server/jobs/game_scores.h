/* SPDX-License-Identifier: MIT */
/* game_scores.h - gives every position of a game a score and a best variation, for report_queue.c. */
#ifndef PLY_SERVER_JOBS_GAME_SCORES_H
#define PLY_SERVER_JOBS_GAME_SCORES_H

#include "server/jobs/report_queue.h"

/* Analyses a game until it is done or q->cancelled is set. Counts positions in q->done. */
void game_scores_run(report_queue *q, const report_request *wanted);

#endif
