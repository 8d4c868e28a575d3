/* SPDX-License-Identifier: MIT */
/* match_print.h - printing a match while it runs and when it is over. */
#ifndef PLY_CLI_MATCH_PRINT_H
#define PLY_CLI_MATCH_PRINT_H

#include "cli/cli.h"
#include "match/match.h"

typedef struct match_view {
    const ply_rules *rules;
    const char *names[2];
    const match_sprt *sprt; /* may be NULL */
    uint64_t games;
    double seconds;  /* since the start of this run */
    uint64_t before; /* games already played at the start of this run */
} match_view;

/* The lines that match_print_standings prints. */
enum { MATCH_STANDINGS_LINES = 4 };

/* The standings while the match runs. */
void match_print_standings(const match_view *view, const match_results *results, ply_text *out);
/* The final results, as text and as JSON. */
void match_print_plain(const match_view *view, const match_results *results, ply_text *out);
void match_print_json(const match_view *view, const match_results *results, ply_text *out);

#endif
