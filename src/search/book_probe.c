/* SPDX-License-Identifier: MIT */
/* book_probe.c - answers from an opening book at the root. */
#include "search/searcher.h"

enum { MARGIN = 10 }; /* moves that are worse by more hundredths are not played */

/* Whether a move is wanted soon, and any move will do. */
static bool may_answer(const ply_search_limits *limits)
{
    bool limited = limits->millis || limits->nodes || limits->depth || limits->has_clock;
    return limited && !limits->only && !limits->ponder && limits->multipv <= 1;
}

bool ply_search_book_root(ply_searcher *s, const ply_state *state)
{
    ply_book_move chosen;
    if (!s->book || !may_answer(s->time.limits))
        return false;
    ply_rng rng = ply_rng_make(s->options.seed ^ ply_state_key(state), s->game);
    if (!ply_book_choose(s->book, state, MARGIN, &rng, &chosen))
        return false;
    s->variations[0] = (ply_variation){.score = chosen.score, .length = 1, .moves = {chosen.move}};
    s->report.pv_count = 1;
    s->report.depth = s->report.selective_depth = 1;
    ply_time_control_poll(&s->time, 1);
    ply_search_report_progress(s);
    return true;
}
