/* SPDX-License-Identifier: MIT */
/*
 * report.h - the report on a game: what each turn cost the player who moved.
 *
 * A score becomes a chance of winning between 0 and 1. What a turn lowers that chance by is its
 * loss; the loss decides how severe a mistake is. The report is a function of the scores saved with
 * the nodes, wherever they come from: report_queue.h, an analysis, or the program that wrote an
 * imported record. It covers the game up to its tip, or the main line.
 *
 * Threads: the caller has acquired the game.
 */
#ifndef PLY_SERVER_JOBS_REPORT_H
#define PLY_SERVER_JOBS_REPORT_H

#include "server/library/library.h"

typedef enum report_severity {
    REPORT_FINE,
    REPORT_INACCURACY, /* loses 10 points of 100 or more */
    REPORT_MISTAKE,    /* 20 points */
    REPORT_BLUNDER,    /* 30 points */
    REPORT_SEVERITIES,
} report_severity;

enum { REPORT_BUCKETS = 7 };
/* The losses, in points, at which the buckets of the histogram begin. */
extern const int report_bucket_starts[REPORT_BUCKETS];

typedef struct report_turn {
    uint32_t before, after; /* the nodes before and after the turn */
    int side;
    bool scored; /* both nodes have a score; if not, the rest is not set */
    bool exact;  /* both scores are exact */
    /* The chances of the player who moved; before - after is the loss, which is never negative. */
    double chance_before, chance_after, loss;
    report_severity severity;
    bool turning; /* the turn changed who is ahead, or whether anyone is */
} report_turn;

typedef struct report_player {
    unsigned turns, scored, counts[REPORT_SEVERITIES], histogram[REPORT_BUCKETS];
    double accuracy; /* 0 to 100: the mean of 100 e^(-4 loss); 100 without a scored turn */
    double loss;     /* mean, in points */
    unsigned timed;  /* turns whose time is known */
    int64_t millis, longest;
    uint32_t longest_node;
} report_player;

typedef struct game_report {
    report_turn *turns;
    size_t count;
    report_player players[2];
} game_report;

/* Makes the report on a game; the caller calls report_free. False when memory runs out. */
bool report_make(const library_game *game, game_report *out);
void report_free(game_report *r);
/*
 * The nodes that a report looks at: the root and every end of a turn. The caller frees the array.
 * NULL when memory runs out.
 */
uint32_t *report_nodes(const library_game *game, size_t *count);
/* The chance of winning that a score stands for, from 0 to 1, for the player whom it is for. */
double report_chance(int32_t score);
/* The annotation glyph for a severity; 0 for none. */
uint8_t report_glyph(report_severity severity);

#endif
