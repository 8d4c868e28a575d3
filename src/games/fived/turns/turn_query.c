/* SPDX-License-Identifier: MIT */
/*
 * turn_query.c - the questions to the search: where each begins, and what it means for the present.
 *
 * The number of new lines decides which lines will be active and so which boards are due; the
 * search is begun anew for each number, with the first move, if one is given, put in place before.
 */
#include "games/fived/turns/turn_sat.h"
#include "games/fived/turns/turns_internal.h"
#include <string.h>

typedef void attempt(fived_search *s, uint32_t id);

fived_turn_present fived_turn_present_with(const fived_search *s, int k)
{
    const fived_position *p = s->position;
    fived_turn_present present = {.earliest = FIVED_NOWHERE};
    int white = p->hi - p->hi0, black = p->lo0 - p->lo, theirs = FIVED_NOWHERE;
    if (p->side)
        black += k;
    else
        white += k;
    fived_active_range(p, white, black, &present.lo, &present.hi);
    for (int l = present.lo > p->lo ? present.lo : p->lo; l <= present.hi && l <= p->hi; l++) {
        int end = fived_position_line(p, l)->end;
        if ((end & 1) == p->side)
            present.earliest = end < present.earliest ? end : present.earliest;
        else
            theirs = end < theirs ? end : theirs;
    }
    int active = p->side ? p->lo - present.lo : present.hi - p->hi;
    present.active = active > 0 ? active : 0;
    present.theirs = theirs < present.earliest || present.earliest == FIVED_NOWHERE;
    return present;
}

int fived_turn_settled(const fived_search *s)
{
    const fived_position *p = s->position;
    int white = p->hi - p->hi0, black = p->lo0 - p->lo;
    return p->side ? white + 1 - black : black + 1 - white;
}

/*
 * Searches turns with `least` new lines, by the cases of what happens to the present; or with more,
 * up to `most`, where that changes nothing about the present.
 */
static void with_new_lines(fived_search *s, int least, int most, bool no_shift, attempt *begin,
                           uint32_t id)
{
    fived_turn_present present = fived_turn_present_with(s, least);
    s->new_lines = most;
    s->new_least = least;
    s->new_next = s->pending = 0;
    s->new_active = present.active;
    s->open = (int)s->axis_count;
    s->earliest = present.earliest;
    s->shifted = false;
    if (present.theirs) {
        memset(s->required, 0, s->axis_count);
        s->shift_rule = SHIFT_FREE;
        if (!no_shift)
            begin(s, id);
        return;
    }
    for (uint32_t a = 0; a < s->axis_count; a++)
        s->required[a] = fived_turn_is_due(s, a, &present);
    s->shift_rule = SHIFT_FORBIDDEN;
    if (!no_shift || present.earliest >= fived_position_present(s->position))
        begin(s, id);
    if (no_shift || s->stop || s->new_active == 0)
        return;
    memset(s->required, 0, s->axis_count);
    s->shift_rule = SHIFT_NEEDED;
    s->new_lines = least;
    if (!s->exists || least <= s->new_active)
        begin(s, id);
}

static void run(fived_search *s, int least_lines, bool no_shift, attempt *begin, uint32_t id)
{
    s->total = 0;
    s->stop = s->dead || s->status_code != PLY_OK;
    s->key = 0;
    s->found = s->idle = s->idle_found = 0;
    if (s->distinct && s->seen_room)
        memset(s->seen, 0, s->seen_room * sizeof *s->seen);
    s->seen_count = 0;
    int settled = fived_turn_settled(s);
    for (int k = least_lines; k <= s->new_lines_max && !s->stop; k++) {
        bool rest = s->exists && k >= settled;
        with_new_lines(s, k, rest ? s->new_lines_max : k, no_shift, begin, id);
        if (rest)
            break;
    }
}

/*
 * Looks for one turn, but not for long: true when the answer is in s->total. Where the position has
 * proved hard once, hardly at all.
 */
static bool run_shortly(fived_search *s, int least_lines, bool no_shift, attempt *begin,
                        uint32_t id)
{
    enum { LONG = 3000, SHORT = 100 };
    s->distinct = false;
    s->exists = true;
    s->visit = NULL;
    s->work = s->total = 0;
    s->work_limit = s->method == FIVED_PLAIN ? UINT64_MAX : s->lost ? SHORT : LONG;
    if (s->method == FIVED_TANGLED)
        return s->dead;
    bool lost = s->lost;
    s->lost = false;
    run(s, least_lines, no_shift, begin, id);
    bool done = !s->lost || s->halted;
    s->lost |= lost;
    s->effort += s->work;
    return done;
}

/* Whether an axis that must be played has no value left at a level. */
static bool is_lost(const fived_search *s, uint32_t level)
{
    const fived_domain *d = s->levels[level];
    for (uint32_t a = 0; a < s->axis_count; a++)
        if (s->required[a] && s->status[a] == OPEN && !d[a].count && !d[a].leave &&
            !fived_turn_has_arrival(s, d, a))
            return true;
    return false;
}

static void from_root(fived_search *s, uint32_t id)
{
    (void)id;
    if (!is_lost(s, 0))
        fived_turn_step(s, 0);
}

/* Goes on where the first move is in place at a level. */
static void from_placed(fived_search *s, uint32_t level)
{
    int decided = level == 2 ? 2 : 1; /* axes: a hop has two */
    if (is_lost(s, level))
        return;
    s->open -= decided;
    fived_turn_step(s, level);
    s->open += decided;
}

uint64_t fived_search_count(fived_search *s, bool distinct)
{
    s->distinct = distinct;
    s->exists = false;
    s->visit = NULL;
    run(s, 0, false, from_root, 0);
    return s->total;
}

void fived_search_each(fived_search *s, bool distinct, fived_visit *visit, void *context)
{
    s->distinct = distinct;
    s->exists = false;
    s->visit = visit;
    s->context = context;
    run(s, 0, false, from_root, 0);
}

bool fived_search_exists(fived_search *s, bool no_shift)
{
    if (run_shortly(s, 0, no_shift, from_root, 0))
        return s->total > 0;
    return fived_tangle_exists(s, no_shift);
}

/* Whether a turn with a first move in place is found in short; *done: whether that is certain. */
static bool begins(fived_search *s, uint32_t level, bool *done)
{
    *done = s->stop || run_shortly(s, 0, false, from_placed, level);
    return s->total > 0;
}

static bool inner_begins(fived_search *s, uint32_t id, bool *done)
{
    uint32_t a = s->inner[id].axis, ids = s->id_count;
    const fived_inner *m = &s->inner[id];
    if (!fived_turn_inner_fits(&s->axes[a], &s->levels[0][a], m))
        return false;
    fived_board_after(&s->boards[a], s->axes[a].board, m->from_square, m->to_square,
                      (fived_kind)m->becomes);
    s->status[a] = DONE;
    fived_turn_choose(s, FIVED_PHYSICAL, id);
    fived_turn_put(s, 0, a);
    bool found = begins(s, 1, done);
    fived_turn_take(s, a);
    s->choice_count--;
    s->status[a] = OPEN;
    s->id_count = ids;
    return found;
}

static bool hop_begins(fived_search *s, uint32_t id, bool *done)
{
    const fived_jump *j = &s->jumps[id];
    uint32_t a = (uint32_t)j->source, to = (uint32_t)j->destination, ids = s->id_count;
    bool found = false;
    if (!(s->levels[0][a].leave & ply_bit(j->from_square)))
        return false;
    s->status[a] = DONE;
    fived_turn_put_leave(s, 0, a, j->from_square);
    if (!s->stop && fived_turn_arrival_fits(&s->axes[to], &s->levels[1][to], j)) {
        fived_piece piece = s->axes[a].board->square[j->from_square];
        fived_board_arrive(&s->boards[to], j->target, j->to_square, piece, (fived_kind)j->becomes);
        s->status[to] = DONE;
        fived_turn_choose(s, FIVED_HOP, id);
        fived_turn_put(s, 1, to);
        found = begins(s, 2, done);
        fived_turn_take(s, to);
        s->choice_count--;
        s->status[to] = OPEN;
    }
    fived_turn_take(s, a);
    s->status[a] = OPEN;
    s->id_count = ids;
    return found;
}

/* The leave of a branch is in place. */
static void from_branch(fived_search *s, uint32_t id)
{
    if (is_lost(s, 1))
        return;
    s->open--;
    fived_turn_try_branches(s, 1, (uint32_t)s->jumps[id].source, id, id + 1, 0);
    s->open++;
}

static bool branch_begins(fived_search *s, uint32_t id, bool *done)
{
    const fived_jump *j = &s->jumps[id];
    uint32_t a = (uint32_t)j->source, ids = s->id_count;
    if (!(s->levels[0][a].leave & ply_bit(j->from_square)))
        return false;
    s->status[a] = DONE;
    fived_turn_put_leave(s, 0, a, j->from_square);
    *done = s->stop || run_shortly(s, 1, false, from_branch, id);
    fived_turn_take(s, a);
    s->status[a] = OPEN;
    s->id_count = ids;
    return s->total > 0;
}

bool fived_search_viable(fived_search *s, bool is_jump, uint32_t id)
{
    bool done = true, found = false;
    if (s->dead || s->status_code != PLY_OK)
        return false;
    s->stop = false;
    s->total = 0;
    if (s->method == FIVED_TANGLED)
        done = false;
    else if (!is_jump)
        found = inner_begins(s, id, &done);
    else if (s->jumps[id].destination >= 0)
        found = hop_begins(s, id, &done);
    else
        found = branch_begins(s, id, &done);
    return done ? found : fived_tangle_viable(s, is_jump, id);
}
