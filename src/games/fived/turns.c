/* turns.c - the search for legal turns; see turns.h. */
#include "games/fived/turns.h"
#include <stdlib.h>
#include <string.h>

/* What has become of an axis. */
enum { OPEN, DONE, WAITING /* left by a branch whose new line is still to come */ };

/* What new lines may do to the present. */
enum { SHIFT_FREE, SHIFT_FORBIDDEN, SHIFT_NEEDED };

static void step(fived_search *s, uint32_t level);

void fived_search_init(fived_search *s)
{
    memset(s, 0, sizeof *s);
}

void fived_search_free(fived_search *s)
{
    for (size_t i = 0; i < s->level_room; i++)
        free(s->levels[i]);
    free(s->view.lines);
    free(s->line_axis);
    free(s->safe_base);
    free(s->axes);
    free(s->inner);
    free(s->jumps);
    free(s->hop_index);
    free(s->ids);
    free(s->safe);
    free(s->boards);
    free(s->levels);
    free(s->status);
    free(s->required);
    free(s->must);
    free(s->left_from);
    free(s->left_by);
    free(s->limit);
    free(s->used);
    free(s->choices);
    free(s->turn);
    free(s->seen);
    free(s->viable);
    memset(s, 0, sizeof *s);
}

/* --- preparing ------------------------------------------------------------------------------ */
static bool reserve_axes(fived_search *s, size_t lines, size_t axes, size_t boards)
{
    size_t room = s->line_room;
    if (!fived_grow(&s->view.lines, &room, lines, sizeof *s->view.lines))
        return false;
    room = s->line_room;
    if (!fived_grow(&s->line_axis, &room, lines, sizeof *s->line_axis))
        return false;
    room = s->line_room;
    if (!fived_grow(&s->safe_base, &room, lines, sizeof *s->safe_base))
        return false;
    s->line_room = room;
    if (boards > s->safe_room) {
        free(s->safe);
        s->safe = malloc(boards * 2);
        s->safe_room = s->safe ? boards * 2 : 0;
    }
    if (!s->safe)
        return false;
    if (axes <= s->axis_room && s->axis_room > 0)
        return true;
    size_t more = s->axis_room ? s->axis_room : 4;
    while (more < axes)
        more *= 2;
    for (size_t i = 0; i < s->level_room; i++) {
        free(s->levels[i]); /* they hold a domain for each axis */
        s->levels[i] = NULL;
    }
    free(s->axes);
    free(s->boards);
    free(s->status);
    free(s->required);
    free(s->must);
    free(s->left_from);
    free(s->left_by);
    free(s->limit);
    free(s->used);
    free(s->choices);
    free(s->turn);
    s->axes = malloc(more * sizeof *s->axes);
    s->boards = aligned_alloc(alignof(fived_board), 2 * more * sizeof *s->boards);
    s->status = malloc(more);
    s->required = malloc(more);
    s->must = malloc(more);
    s->left_from = malloc(more);
    s->left_by = malloc(more * sizeof *s->left_by);
    s->limit = malloc(more * sizeof *s->limit);
    s->used = malloc(more);
    s->choices = malloc((2 * more + 1) * sizeof *s->choices);
    s->turn = malloc((2 * more + 1) * sizeof *s->turn);
    s->axis_room = more;
    return s->axes && s->boards && s->status && s->required && s->must && s->left_from &&
           s->left_by && s->limit && s->used && s->choices && s->turn;
}

/* The domains of a level; NULL when memory is out. */
static fived_domain *level_at(fived_search *s, uint32_t level)
{
    size_t room = s->level_room;
    if (level >= room) {
        if (!fived_grow(&s->levels, &s->level_room, (size_t)level + 1, sizeof *s->levels))
            return NULL;
        memset(s->levels + room, 0, (s->level_room - room) * sizeof *s->levels);
    }
    if (!s->levels[level])
        s->levels[level] = malloc(s->axis_room * sizeof(fived_domain));
    return s->levels[level];
}

static void fail(fived_search *s)
{
    s->status_code = PLY_NO_MEMORY;
    s->stop = true;
}

/* --- what is left of an axis ---------------------------------------------------------------- */
static inline bool inner_fits(const fived_axis *a, const fived_domain *d, const fived_inner *m)
{
    return !(d->attackers & ~m->taken) && !(((a->royals & ~m->from) | m->royal_to) & d->y) &&
           !(((a->empty | m->from | m->taken) & ~m->to) & d->through);
}

static inline bool leave_fits(const fived_axis *a, const fived_domain *d, uint64_t from)
{
    return !d->attackers && !(a->royals & ~from & d->y) && !((a->empty | from) & d->through);
}

static inline bool arrival_fits(const fived_axis *a, const fived_domain *d, const fived_jump *j)
{
    uint64_t to = ply_bit(j->to_square);
    return !(d->attackers & ~to) && !((a->royals | (j->royal ? to : 0)) & d->y) &&
           !(a->empty & ~to & d->through);
}

/* Reads the masks of the slot and keeps what still fits of `before` (NULL: of everything). */
static void refresh(fived_search *s, uint32_t number, const fived_domain *before, fived_domain *d)
{
    const fived_axis *a = &s->axes[number];
    fived_masks m;
    fived_view_masks(&s->view, a->l, a->v + 1, &m);
    d->attackers = fived_masks_attackers(&m, a->board, !s->view.side);
    d->y = m.y;
    d->through = m.through;
    uint32_t count = before ? before->count : a->inner_count, kept = 0;
    uint32_t ids = before ? before->ids : 0;
    if (!fived_grow(&s->ids, &s->id_room, (size_t)s->id_count + count, sizeof *s->ids)) {
        fail(s);
        return;
    }
    uint32_t *out = s->ids + s->id_count;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t id = before ? s->ids[ids + i] : a->inner + i;
        out[kept] = id;
        kept += inner_fits(a, d, &s->inner[id]);
    }
    d->ids = s->id_count;
    d->count = kept;
    s->id_count += kept;
    d->leave = 0;
    for (uint64_t from = before ? before->leave : a->leave; from; from &= from - 1)
        if (leave_fits(a, d, from & -from))
            d->leave |= from & -from;
}

/* Whether a board at one slot can have to do with a board at another. */
static inline bool related(int l1, int v1, int l2, int v2)
{
    int l = l1 > l2 ? l1 - l2 : l2 - l1, t = (v1 > v2 ? v1 - v2 : v2 - v1) / 2;
    return l == 0 || t == 0 || l == t || (l == 1 && t == 2) || (l == 2 && t == 1);
}

/* Whether some hop onto the axis is still possible. */
static bool has_arrival(const fived_search *s, const fived_domain *d, uint32_t number)
{
    const fived_axis *a = &s->axes[number];
    for (uint32_t i = 0; i < a->hop_count; i++) {
        const fived_jump *j = &s->jumps[s->hop_index[a->hop + i]];
        if (s->status[j->source] == OPEN && (d[j->source].leave & ply_bit(j->from_square)) &&
            arrival_fits(a, &d[number], j))
            return true;
    }
    return false;
}

/*
 * A board has been put at (l, v): makes level + 1 from level. False when an axis that must be
 * played has no value left.
 */
static bool spread(fived_search *s, uint32_t level, int l, int v)
{
    fived_domain *next = level_at(s, level + 1);
    if (!next) {
        fail(s);
        return false;
    }
    const fived_domain *d = s->levels[level];
    for (uint32_t a = 0; a < s->axis_count; a++) {
        if (s->status[a] != OPEN)
            continue;
        if (!related(l, v, s->axes[a].l, s->axes[a].v + 1)) {
            next[a] = d[a];
            continue;
        }
        refresh(s, a, &d[a], &next[a]);
        if (s->stop)
            return false;
    }
    for (uint32_t a = 0; a < s->axis_count; a++)
        if (s->status[a] == OPEN && (s->required[a] || s->must[a]) && !next[a].count &&
            !next[a].leave && !has_arrival(s, next, a)) {
            s->axes[a].weight++;
            return false;
        }
    return true;
}

static fived_view_line *line_of(fived_search *s, int l)
{
    return &s->view.lines[l - s->view.base];
}

/* Puts the board tried for an axis in place; the caller has made it in s->boards[a]. */
static bool put_axis(fived_search *s, uint32_t level, uint32_t a)
{
    fived_axis *axis = &s->axes[a];
    line_of(s, axis->l)->extra = &s->boards[a];
    s->key += fived_board_key(s->boards[a].hash, axis->l, axis->v + 1);
    return spread(s, level, axis->l, axis->v + 1);
}

static void take_axis(fived_search *s, uint32_t a)
{
    fived_axis *axis = &s->axes[a];
    line_of(s, axis->l)->extra = NULL;
    s->key -= fived_board_key(s->boards[a].hash, axis->l, axis->v + 1);
}

static void choose(fived_search *s, enum fived_move_type type, uint32_t id)
{
    s->choices[s->choice_count++] = (fived_choice){.type = (uint8_t)type, .id = id};
}

/* --- solutions ------------------------------------------------------------------------------ */
/* Remembers a key; false if it was there. */
static bool remember(fived_search *s, uint64_t key)
{
    if ((s->seen_count + 1) * 2 > s->seen_room) {
        size_t room = s->seen_room ? s->seen_room * 2 : 1024;
        uint64_t *old = s->seen, *fresh = calloc(room, sizeof *fresh);
        if (!fresh) {
            fail(s);
            return false;
        }
        for (size_t i = 0; i < s->seen_room; i++)
            if (old[i]) {
                size_t at = (size_t)ply_mix64(old[i]) & (room - 1);
                while (fresh[at])
                    at = (at + 1) & (room - 1);
                fresh[at] = old[i];
            }
        free(old);
        s->seen = fresh;
        s->seen_room = room;
    }
    key = key ? key : 1;
    size_t at = (size_t)ply_mix64(key) & (s->seen_room - 1);
    for (; s->seen[at]; at = (at + 1) & (s->seen_room - 1))
        if (s->seen[at] == key)
            return false;
    s->seen[at] = key;
    s->seen_count++;
    return true;
}

/* The line that tells where a move stands in the written order of a turn. */
static int order_line(const fived_search *s, fived_choice c)
{
    return c.type == FIVED_PHYSICAL ? s->axes[s->inner[c.id].axis].l : s->jumps[c.id].l;
}

/*
 * The moves of the turn: those that do not branch by target line (White upwards, Black downwards),
 * then the branches in their order, then the submit.
 */
static size_t write_turn(fived_search *s)
{
    fived_choice *c = s->choices;
    ply_move *out = s->turn;
    size_t count = 0;
    for (uint32_t i = 0; i < s->choice_count; i++) {
        if (c[i].type == FIVED_BRANCH)
            continue;
        ply_move move = c[i].type == FIVED_PHYSICAL ? fived_inner_move(s, c[i].id)
                                                    : fived_jump_move(s, c[i].id);
        int line = order_line(s, c[i]);
        size_t at = count++;
        for (; at > 0; at--) {
            int before = fived_move_to(out[at - 1]).l;
            if (s->view.side ? before >= line : before <= line)
                break;
            out[at] = out[at - 1];
        }
        out[at] = move;
    }
    for (uint32_t i = 0; i < s->choice_count; i++)
        if (c[i].type == FIVED_BRANCH)
            out[count++] = fived_jump_move(s, c[i].id);
    out[count++] = FIVED_SUBMIT;
    return count;
}

static void mark_around(fived_search *s);

static void solution(fived_search *s)
{
    if (s->exists) {
        if (s->marking)
            mark_around(s);
        s->total = 1;
        s->stop = true;
        return;
    }
    if (s->distinct && !remember(s, s->key))
        return;
    s->total++;
    if (s->visit && !s->visit(s->context, s->turn, write_turn(s)))
        s->stop = true;
}

/* True when solutions need only be counted. */
static bool only_count(const fived_search *s)
{
    return !s->exists && !s->distinct && !s->visit;
}

/* --- trying ---------------------------------------------------------------------------------- */
static void try_inner(fived_search *s, uint32_t level, uint32_t a)
{
    const fived_axis *axis = &s->axes[a];
    fived_domain d = s->levels[level][a];
    if (s->open == 0 && s->new_next == s->new_lines && only_count(s)) {
        s->total += d.count;
        return;
    }
    for (uint32_t i = 0; i < d.count && !s->stop; i++) {
        uint32_t id = s->ids[d.ids + i], ids = s->id_count;
        const fived_inner *m = &s->inner[id];
        fived_board_after(&s->boards[a], axis->board, m->from_square, m->to_square,
                          (fived_kind)m->becomes);
        choose(s, FIVED_PHYSICAL, id);
        if (put_axis(s, level, a))
            step(s, level + 1);
        take_axis(s, a);
        s->choice_count--;
        s->id_count = ids;
    }
}

/* The leave of a hop is in place at `level`; its arrival is tried. */
static void try_arrival(fived_search *s, uint32_t level, uint32_t id)
{
    const fived_jump *j = &s->jumps[id];
    uint32_t to = (uint32_t)j->destination, ids = s->id_count;
    if (!arrival_fits(&s->axes[to], &s->levels[level][to], j))
        return;
    fived_piece piece = s->axes[j->source].board->square[j->from_square];
    fived_board_arrive(&s->boards[to], j->target, j->to_square, piece, (fived_kind)j->becomes);
    s->status[to] = DONE;
    s->open--;
    choose(s, FIVED_HOP, id);
    if (put_axis(s, level, to))
        step(s, level + 1);
    take_axis(s, to);
    s->choice_count--;
    s->status[to] = OPEN;
    s->open++;
    s->id_count = ids;
}

/* Builds the board that a piece has left; true when no axis is lost by it. */
static bool put_leave(fived_search *s, uint32_t level, uint32_t a, int square)
{
    fived_board_leave(&s->boards[a], s->axes[a].board, square);
    return put_axis(s, level, a);
}

/* The first new line from n on that has no board yet. */
static int free_line(const fived_search *s, int n)
{
    while (n < s->new_lines && s->used[n])
        n++;
    return n;
}

/* The end of a group of jumps from the same square. */
static uint32_t group_end(const fived_search *s, const fived_axis *axis, uint32_t i)
{
    uint32_t end = axis->jump + axis->jump_count, first = i;
    while (i < end && s->jumps[i].from_square == s->jumps[first].from_square)
        i++;
    return i;
}

/* Hops from the axis, which is DONE by now; and leaving it for a branch that comes later. */
static void try_leaving(fived_search *s, uint32_t level, uint32_t a)
{
    const fived_axis *axis = &s->axes[a];
    uint64_t leave = s->levels[level][a].leave;
    bool branches = s->new_lines - s->new_next > s->pending && free_line(s, 0) < s->limit[a];
    for (uint32_t i = axis->jump, end; i < axis->jump + axis->jump_count && !s->stop; i = end) {
        end = group_end(s, axis, i);
        int square = s->jumps[i].from_square;
        if (!(leave & ply_bit(square)))
            continue;
        bool hops = false;
        const fived_domain *d = s->levels[level];
        for (uint32_t k = i; k < end && !hops; k++) {
            int to = s->jumps[k].destination;
            hops = to >= 0 && s->status[to] == OPEN &&
                   arrival_fits(&s->axes[to], &d[to], &s->jumps[k]);
        }
        if (!hops && !branches)
            continue;
        uint32_t ids = s->id_count;
        bool fits = put_leave(s, level, a, square);
        if (fits && branches) {
            s->status[a] = WAITING;
            s->left_from[a] = (uint8_t)square;
            s->pending++;
            step(s, level + 1);
            s->pending--;
            s->status[a] = DONE;
        }
        /* An arrival may save an axis that the leaving alone has emptied. */
        for (uint32_t k = i; hops && k < end && !s->stop; k++) {
            int to = s->jumps[k].destination;
            if (to >= 0 && s->status[to] == OPEN)
                try_arrival(s, level + 1, k);
        }
        take_axis(s, a);
        s->id_count = ids;
    }
}

/* Hops onto the axis, which is still OPEN. */
static void try_hops_onto(fived_search *s, uint32_t level, uint32_t a)
{
    const fived_axis *axis = &s->axes[a];
    for (uint32_t i = 0; i < axis->hop_count && !s->stop; i++) {
        uint32_t id = s->hop_index[axis->hop + i];
        const fived_jump *j = &s->jumps[id];
        uint32_t from = (uint32_t)j->source, ids = s->id_count;
        const fived_domain *d = s->levels[level];
        if (s->status[from] != OPEN || !(d[from].leave & ply_bit(j->from_square)) ||
            !arrival_fits(axis, &d[a], j))
            continue;
        s->status[from] = DONE;
        s->open--;
        put_leave(s, level, from, j->from_square);
        if (!s->stop)
            try_arrival(s, level + 1, id);
        take_axis(s, from);
        s->status[from] = OPEN;
        s->open++;
        s->id_count = ids;
    }
}

static void try_axis(fived_search *s, uint32_t level, uint32_t a)
{
    bool may_pass = !s->required[a] && !s->must[a];
    s->status[a] = DONE;
    s->open--;
    try_inner(s, level, a);
    s->status[a] = OPEN;
    s->open++;
    if (!s->stop)
        try_hops_onto(s, level, a);
    if (s->stop)
        return;
    s->status[a] = DONE;
    s->open--;
    if (s->open > 0 || s->new_next < s->new_lines)
        try_leaving(s, level, a);
    if (!s->stop && may_pass)
        step(s, level);
    s->status[a] = OPEN;
    s->open++;
}

/* --- new lines ------------------------------------------------------------------------------ */
/* Masks of a new line's slot, which depend on when it starts. */
typedef struct new_slot {
    int v;
    fived_masks masks;
} new_slot;

enum { SLOTS = 8 };

typedef struct new_slots {
    int count;
    new_slot slot[SLOTS];
} new_slots;

static const fived_masks *slot_masks(const fived_search *s, new_slots *slots, int l, int v)
{
    for (int i = 0; i < slots->count && i < SLOTS; i++)
        if (slots->slot[i].v == v)
            return &slots->slot[i].masks;
    new_slot *slot = &slots->slot[slots->count++ % SLOTS];
    slot->v = v;
    fived_view_masks(&s->view, l, v, &slot->masks);
    return &slot->masks;
}

static bool branch_fits(const fived_search *s, const fived_jump *j, const fived_masks *m)
{
    const fived_board *b = j->target;
    int side = s->view.side;
    uint64_t to = ply_bit(j->to_square), royals = b->set[FIVED_ROYALS] & b->colour[side];
    uint64_t empty = s->view.valid & ~fived_board_occupied(b);
    return !(fived_masks_attackers(m, b, !side) & ~to) &&
           !((royals | (j->royal ? to : 0)) & m->y) && !(empty & ~to & m->through);
}

/* The line that a new line's number stands for. */
static int new_line(const fived_search *s, int n)
{
    const fived_position *p = s->position;
    return p->side ? p->lo - 1 - n : p->hi + 1 + n;
}

static bool is_shift(const fived_search *s, const fived_jump *j, int n)
{
    return n < s->new_active && j->v + 1 < s->earliest;
}

/* Whether a branch may make new line n, by the rules of order and of the present. */
static bool branch_allowed(const fived_search *s, const fived_jump *j, int n)
{
    int to = j->destination;
    if (to >= 0) {
        /* The end board must have been played before (or be promised), else this were a hop. */
        if (s->status[to] == WAITING && !s->exists)
            return false;
        if (s->status[to] == DONE &&
            (!s->view.lines[s->axes[to].l - s->view.base].extra || s->left_by[to] >= n))
            return false;
    }
    if (s->shift_rule == SHIFT_FORBIDDEN)
        return !is_shift(s, j, n);
    if (s->shift_rule == SHIFT_NEEDED && !s->shifted)
        return is_shift(s, j, n) || (s->exists ? n + 1 < s->new_lines : n + 1 < s->new_active);
    return true;
}

/* The leave of axis a is in place at level; jumps first..end-1 are tried as new line n. */
static void try_branches(fived_search *s, uint32_t level, uint32_t a, uint32_t first, uint32_t end,
                         int n)
{
    int l = new_line(s, n);
    new_slots slots = {.count = 0};
    bool last = s->open == 0 && s->new_next + 1 == s->new_lines && only_count(s);
    for (uint32_t i = first; i < end && !s->stop; i++) {
        const fived_jump *j = &s->jumps[i];
        if (!branch_allowed(s, j, n) || !branch_fits(s, j, slot_masks(s, &slots, l, j->v + 1)))
            continue;
        if (last) {
            s->total++;
            continue;
        }
        uint32_t ids = s->id_count;
        int to = j->destination;
        bool promise = to >= 0 && s->status[to] != DONE, was_shifted = s->shifted;
        uint8_t must = 0;
        int32_t limit = 0;
        if (promise) {
            must = s->must[to];
            limit = s->limit[to];
            s->must[to] = 1;
            s->limit[to] = !s->exists ? 0 : n < limit ? n : limit;
        }
        fived_board *b = &s->boards[s->axis_count + (uint32_t)n];
        fived_piece piece = s->axes[a].board->square[j->from_square];
        fived_board_arrive(b, j->target, j->to_square, piece, (fived_kind)j->becomes);
        fived_view_line *line = line_of(s, l);
        *line = (fived_view_line){.start = j->v + 1, .end = j->v, .extra = b};
        s->key += fived_board_key(b->hash, l, j->v + 1);
        s->left_by[a] = n;
        s->used[n] = 1;
        s->new_next++;
        s->shifted = s->shifted || is_shift(s, j, n);
        choose(s, FIVED_BRANCH, i);
        if (spread(s, level, l, j->v + 1))
            step(s, level + 1);
        s->choice_count--;
        s->shifted = was_shifted;
        s->new_next--;
        s->used[n] = 0;
        s->left_by[a] = -1;
        if (promise) {
            s->must[to] = must;
            s->limit[to] = limit;
        }
        s->key -= fived_board_key(b->hash, l, j->v + 1);
        *line = (fived_view_line){.start = FIVED_NOWHERE, .end = FIVED_NOWHERE - 1};
        s->id_count = ids;
    }
}

/* Whether a branch of one of the jumps would be safe on new line n, as far as can be seen now. */
static bool any_branch_fits(const fived_search *s, uint32_t first, uint32_t end, int n,
                            new_slots *slots)
{
    for (uint32_t i = first; i < end; i++) {
        const fived_jump *j = &s->jumps[i];
        if (branch_allowed(s, j, n) &&
            branch_fits(s, j, slot_masks(s, slots, new_line(s, n), j->v + 1)))
            return true;
    }
    return false;
}

/* Tries the branches of an axis as new line n, from the square it was left or from any. */
static void try_line_from(fived_search *s, uint32_t level, uint32_t a, int n)
{
    const fived_axis *axis = &s->axes[a];
    int status = s->status[a];
    uint64_t leave = status == OPEN ? s->levels[level][a].leave : ply_bit(s->left_from[a]);
    new_slots slots = {.count = 0};
    s->status[a] = DONE;
    for (uint32_t i = axis->jump, end; i < axis->jump + axis->jump_count && !s->stop; i = end) {
        end = group_end(s, axis, i);
        if (!(leave & ply_bit(s->jumps[i].from_square)))
            continue;
        if (status == WAITING) {
            s->pending--;
            try_branches(s, level, a, i, end, n);
            s->pending++;
        } else if (any_branch_fits(s, i, end, n, &slots)) {
            uint32_t ids = s->id_count;
            s->open--;
            if (put_leave(s, level, a, s->jumps[i].from_square))
                try_branches(s, level + 1, a, i, end, n);
            take_axis(s, a);
            s->open++;
            s->id_count = ids;
        }
    }
    s->status[a] = (uint8_t)status;
}

/* Gives new line n a board, by any axis that may still make one. */
static void try_new_line(fived_search *s, uint32_t level, int n)
{
    bool only_waiting = s->new_lines - s->new_next == s->pending;
    for (uint32_t a = 0; a < s->axis_count && !s->stop; a++)
        if (s->status[a] == WAITING || (s->status[a] == OPEN && !only_waiting))
            if (n < s->limit[a])
                try_line_from(s, level, a, n);
}

/* Whether some branch that moves the present back could still be safe. */
static bool shift_possible(const fived_search *s)
{
    for (int n = 0; n < s->new_active; n++) {
        if (s->used[n] || (s->exists && n + 1 < s->new_lines))
            continue;
        new_slots slots = {.count = 0};
        for (uint32_t i = 0; i < s->jump_count; i++) {
            const fived_jump *j = &s->jumps[i];
            if (s->status[j->source] != DONE && is_shift(s, j, n) &&
                branch_fits(s, j, slot_masks(s, &slots, new_line(s, n), j->v + 1)))
                return true;
        }
    }
    return false;
}

/* Whether an axis that waits for a new line could still get one. */
static bool can_branch(const fived_search *s, uint32_t a)
{
    const fived_axis *axis = &s->axes[a];
    for (uint32_t i = axis->jump, end; i < axis->jump + axis->jump_count; i = end) {
        end = group_end(s, axis, i);
        if (s->jumps[i].from_square != s->left_from[a])
            continue;
        for (int n = 0; n < s->new_lines && n < s->limit[a]; n++) {
            new_slots slots = {.count = 0};
            if (!s->used[n] && any_branch_fits(s, i, end, n, &slots))
                return true;
        }
    }
    return false;
}

/* --- the search ----------------------------------------------------------------------------- */
/*
 * The axis to try next, or -1: among those that must be played when only existence is asked (the
 * rest pass), among all otherwise. *size gets how many values it has, about.
 */
static int pick_axis(const fived_search *s, const fived_domain *d, uint32_t *size)
{
    int best = -1;
    uint64_t best_weight = 1;
    *size = UINT32_MAX;
    for (uint32_t a = 0; a < s->axis_count; a++) {
        if (s->status[a] != OPEN)
            continue;
        bool bound = s->required[a] || s->must[a];
        if (s->exists && !bound)
            continue;
        uint32_t values = d[a].count + (uint32_t)ply_popcount(d[a].leave) + !bound;
        uint64_t weight = s->axes[a].weight + 1;
        if (best < 0 || (uint64_t)values * best_weight < (uint64_t)*size * weight) {
            best = (int)a;
            best_weight = weight;
            *size = values;
        }
    }
    return best;
}

/* One step of listing all turns: new lines in their order, then axes. */
static void list_step(fived_search *s, uint32_t level)
{
    uint32_t size;
    int axis = pick_axis(s, s->levels[level], &size);
    bool lines = s->new_next < s->new_lines;
    if (lines && s->shift_rule == SHIFT_NEEDED && !s->shifted && !shift_possible(s))
        return;
    if (lines && (axis < 0 || size > 2))
        try_new_line(s, level, s->new_next);
    else if (axis >= 0)
        try_axis(s, level, (uint32_t)axis);
    else if (s->shift_rule != SHIFT_NEEDED || s->shifted)
        solution(s);
}

/* One step of looking for a turn: what is needed first, what only fills lines last. */
static void prove_step(fived_search *s, uint32_t level)
{
    int waiting = -1;
    for (uint32_t a = 0; s->pending > 0 && a < s->axis_count; a++)
        if (s->status[a] == WAITING) {
            if (!can_branch(s, a)) {
                s->axes[a].weight++;
                return;
            }
            waiting = (int)a;
        }
    uint32_t size;
    int axis = pick_axis(s, s->levels[level], &size);
    if (s->shift_rule == SHIFT_NEEDED && !s->shifted) {
        int n = s->new_lines - 1; /* no new line is needed after the one that moves the present */
        if (!s->used[n] && shift_possible(s))
            try_new_line(s, level, n);
    } else if (axis >= 0) {
        try_axis(s, level, (uint32_t)axis);
    } else if (waiting >= 0) {
        for (int n = free_line(s, 0); n < s->new_lines && n < s->limit[waiting] && !s->stop;
             n = free_line(s, n + 1))
            try_line_from(s, level, (uint32_t)waiting, n);
    } else {
        int n = free_line(s, 0), highest = s->new_lines - 1;
        while (highest >= s->new_least && !s->used[highest])
            highest--;
        if (n <= highest)
            try_new_line(s, level, n);
        else
            solution(s);
    }
}

static void step(fived_search *s, uint32_t level)
{
    if (s->stop)
        return;
    if (s->exists)
        prove_step(s, level);
    else
        list_step(s, level);
}

ply_status fived_search_prepare(fived_search *s, const ply_rules *rules, const fived_position *p)
{
    s->rules = rules;
    s->position = p;
    s->status_code = PLY_OK;
    uint32_t axes = 0, boards = 0;
    for (int l = p->lo; l <= p->hi; l++)
        axes += (fived_position_line(p, l)->end & 1) == p->side;
    int lines = p->hi - p->lo + 1, extra = (int)axes;
    if (!reserve_axes(s, (size_t)(lines + extra), axes, p->boards))
        return PLY_NO_MEMORY;
    fived_view *w = &s->view;
    w->base = p->side ? p->lo - extra : p->lo;
    w->count = lines + extra;
    w->side = p->side;
    w->valid = p->valid;
    s->axis_count = 0;
    for (int i = 0; i < w->count; i++) {
        int l = w->base + i;
        s->line_axis[i] = -1;
        if (l < p->lo || l > p->hi) {
            w->lines[i] = (fived_view_line){.start = FIVED_NOWHERE, .end = FIVED_NOWHERE - 1};
            continue;
        }
        const fived_line *line = fived_position_line(p, l);
        w->lines[i] = (fived_view_line){.row = line->row, .start = line->start, .end = line->end};
        s->safe_base[i] = boards;
        boards += (uint32_t)(line->end - line->start + 1);
        if ((line->end & 1) != p->side)
            continue;
        s->line_axis[i] = (int)s->axis_count;
        s->axes[s->axis_count++] =
            (fived_axis){.board = line->row[line->end - line->start], .l = l, .v = line->end};
    }
    memset(s->safe, 0, boards);
    s->id_count = s->choice_count = 0;
    s->dead = fived_view_in_check(w);
    if (s->dead)
        return PLY_OK; /* a threat that no move can undo: there is no legal turn */
    ply_status status = fived_search_candidates(s);
    if (status != PLY_OK)
        return status;
    fived_domain *root = level_at(s, 0);
    if (!root)
        return PLY_NO_MEMORY;
    s->new_lines_max = 0;
    s->stop = false;
    for (uint32_t a = 0; a < s->axis_count; a++) {
        s->status[a] = OPEN;
        s->must[a] = 0;
        s->left_by[a] = -1;
        s->limit[a] = INT32_MAX;
        s->used[a] = 0;
        refresh(s, a, NULL, &root[a]);
        s->new_lines_max += root[a].leave != 0;
    }
    return s->status_code;
}

void fived_search_rebind(fived_search *s)
{
    const fived_position *p = s->position;
    for (int l = p->lo; l <= p->hi; l++)
        s->view.lines[l - s->view.base].row = fived_position_line(p, l)->row;
}

typedef void attempt(fived_search *s, uint32_t id);

static void from_root(fived_search *s, uint32_t id)
{
    (void)id;
    for (uint32_t a = 0; a < s->axis_count; a++)
        if (s->required[a] && !s->levels[0][a].count && !s->levels[0][a].leave &&
            !has_arrival(s, s->levels[0], a))
            return;
    step(s, 0);
}

/*
 * Searches turns with `least` new lines, by the cases of what happens to the present; or with more,
 * up to `most`, where that changes nothing about the present.
 */
static void with_new_lines(fived_search *s, int least, int most, bool no_shift, attempt *begin,
                           uint32_t id)
{
    const fived_position *p = s->position;
    int white = p->hi - p->hi0, black = p->lo0 - p->lo, lo, hi;
    int earliest = FIVED_NOWHERE, theirs = FIVED_NOWHERE;
    if (p->side)
        black += least;
    else
        white += least;
    fived_active_range(p, white, black, &lo, &hi);
    for (int l = lo > p->lo ? lo : p->lo; l <= hi && l <= p->hi; l++) {
        int end = fived_position_line(p, l)->end;
        if ((end & 1) == p->side)
            earliest = end < earliest ? end : earliest;
        else
            theirs = end < theirs ? end : theirs;
    }
    int active = p->side ? p->lo - lo : hi - p->hi; /* new lines that will be active */
    s->new_lines = most;
    s->new_least = least;
    s->new_next = s->pending = 0;
    s->new_active = active > 0 ? active : 0;
    s->open = (int)s->axis_count;
    s->earliest = earliest;
    s->shifted = false;
    if (theirs < earliest || earliest == FIVED_NOWHERE) {
        /* The present is theirs whatever we do. */
        memset(s->required, 0, s->axis_count);
        s->shift_rule = SHIFT_FREE;
        if (!no_shift)
            begin(s, id);
        return;
    }
    for (uint32_t a = 0; a < s->axis_count; a++) {
        int l = s->axes[a].l;
        s->required[a] = l >= lo && l <= hi && s->axes[a].v == earliest;
    }
    s->shift_rule = SHIFT_FORBIDDEN;
    if (!no_shift || earliest >= fived_position_present(p))
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
    if (s->distinct && s->seen_room)
        memset(s->seen, 0, s->seen_room * sizeof *s->seen);
    s->seen_count = 0;
    /* From so many new lines on, no more lines get active by making more. */
    const fived_position *p = s->position;
    int white = p->hi - p->hi0, black = p->lo0 - p->lo;
    int settled = p->side ? white + 1 - black : black + 1 - white;
    for (int k = least_lines; k <= s->new_lines_max && !s->stop; k++) {
        bool rest = s->exists && k >= settled;
        with_new_lines(s, k, rest ? s->new_lines_max : k, no_shift, begin, id);
        if (rest)
            break;
    }
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
    s->distinct = false;
    s->exists = true;
    s->visit = NULL;
    run(s, 0, no_shift, from_root, 0);
    return s->total > 0;
}

static void from_inner(fived_search *s, uint32_t id)
{
    uint32_t a = s->inner[id].axis, ids = s->id_count;
    const fived_inner *m = &s->inner[id];
    if (!inner_fits(&s->axes[a], &s->levels[0][a], m))
        return;
    fived_board_after(&s->boards[a], s->axes[a].board, m->from_square, m->to_square,
                      (fived_kind)m->becomes);
    s->status[a] = DONE;
    s->open--;
    if (put_axis(s, 0, a))
        step(s, 1);
    take_axis(s, a);
    s->status[a] = OPEN;
    s->open++;
    s->id_count = ids;
}

static void from_jump(fived_search *s, uint32_t id)
{
    const fived_jump *j = &s->jumps[id];
    uint32_t a = (uint32_t)j->source, ids = s->id_count;
    if (!(s->levels[0][a].leave & ply_bit(j->from_square)))
        return;
    s->status[a] = DONE;
    s->open--;
    bool fits = put_leave(s, 0, a, j->from_square);
    if (j->destination >= 0 && !s->stop)
        try_arrival(s, 1, id);
    else if (fits)
        try_branches(s, 1, a, id, id + 1, 0);
    take_axis(s, a);
    s->status[a] = OPEN;
    s->open++;
    s->id_count = ids;
}

bool fived_search_viable(fived_search *s, bool is_jump, uint32_t id)
{
    s->distinct = false;
    s->exists = true;
    s->visit = NULL;
    bool branch = is_jump && s->jumps[id].destination < 0;
    run(s, branch ? 1 : 0, false, is_jump ? from_jump : from_inner, id);
    return s->total > 0;
}

/* --- which moves begin a turn --------------------------------------------------------------- */
/* What is left of a slot with everything else of a turn in place. */
static fived_domain look_at(const fived_search *s, uint32_t number)
{
    const fived_axis *a = &s->axes[number];
    fived_masks m;
    fived_view_masks(&s->view, a->l, a->v + 1, &m);
    return (fived_domain){.attackers = fived_masks_attackers(&m, a->board, !s->view.side),
                          .y = m.y,
                          .through = m.through};
}

/* Whether a turn stays right about the present when axis a is left by a branch to v. */
static bool present_allows(const fived_search *s, uint32_t a, int v)
{
    const fived_position *p = s->position;
    int lo, hi, white = p->hi - p->hi0, black = p->lo0 - p->lo;
    fived_active_range(p, white + !p->side, black + p->side, &lo, &hi);
    int line = new_line(s, 0), least = line >= lo && line <= hi ? v : FIVED_NOWHERE;
    for (int l = lo > p->lo ? lo : p->lo; l <= hi && l <= p->hi; l++) {
        int end = fived_position_line(p, l)->end, axis = s->line_axis[l - s->view.base];
        if (axis >= 0 && ((uint32_t)axis == a || s->view.lines[l - s->view.base].extra))
            end++;
        least = end < least ? end : least;
    }
    return (least & 1) != p->side;
}

/* A turn is in place: marks what could take the place of one axis's part in it. */
static void mark_around(fived_search *s)
{
    uint8_t *jump_viable = s->viable + s->inner_count;
    uint8_t *busy = s->left_from; /* no axis waits in a finished turn */
    memset(busy, 0, s->axis_count);
    bool branches = false;
    for (uint32_t i = 0; i < s->choice_count; i++)
        if (s->choices[i].type != FIVED_PHYSICAL) {
            const fived_jump *j = &s->jumps[s->choices[i].id];
            busy[j->source] = 1;
            if (s->choices[i].type == FIVED_HOP)
                busy[j->destination] = 1;
            else
                branches = true;
        }
    for (uint32_t a = 0; a < s->axis_count; a++) {
        const fived_axis *axis = &s->axes[a];
        const fived_domain *root = &s->levels[0][a];
        fived_view_line *line = line_of(s, axis->l);
        const fived_board *held = line->extra;
        if (busy[a])
            continue;
        line->extra = NULL;
        fived_domain d = look_at(s, a);
        for (uint32_t i = 0; i < root->count; i++) {
            uint32_t id = s->ids[root->ids + i];
            s->viable[id] |= inner_fits(axis, &d, &s->inner[id]);
        }
        for (uint32_t i = axis->jump, end; i < axis->jump + axis->jump_count; i = end) {
            end = group_end(s, axis, i);
            uint64_t from = ply_bit(s->jumps[i].from_square);
            if (!(root->leave & from) || !leave_fits(axis, &d, from))
                continue;
            new_slots slots = {.count = 0};
            int seen = -1;
            fived_domain there = {0};
            fived_board_leave(&s->boards[a], axis->board, s->jumps[i].from_square);
            line->extra = &s->boards[a];
            for (uint32_t k = i; k < end; k++) {
                const fived_jump *j = &s->jumps[k];
                int to = j->destination;
                if (to >= 0 && !busy[to]) {
                    fived_view_line *other = line_of(s, s->axes[to].l);
                    const fived_board *other_held = other->extra;
                    other->extra = NULL;
                    if (seen != to)
                        there = look_at(s, (uint32_t)to);
                    seen = to;
                    other->extra = other_held;
                    jump_viable[k] |= arrival_fits(&s->axes[to], &there, j);
                } else if (to < 0 && !branches && present_allows(s, a, j->v + 1)) {
                    jump_viable[k] |=
                        branch_fits(s, j, slot_masks(s, &slots, new_line(s, 0), j->v + 1));
                }
            }
            line->extra = NULL;
        }
        /* The board of the turn itself, if it was a move within, is made again. */
        line->extra = held;
        for (uint32_t i = 0; held && i < s->choice_count; i++)
            if (s->choices[i].type == FIVED_PHYSICAL && s->inner[s->choices[i].id].axis == a) {
                const fived_inner *m = &s->inner[s->choices[i].id];
                fived_board_after(&s->boards[a], axis->board, m->from_square, m->to_square,
                                  (fived_kind)m->becomes);
            }
    }
}

bool fived_search_mark(fived_search *s)
{
    size_t count = (size_t)s->inner_count + s->jump_count;
    if (s->dead || !fived_grow(&s->viable, &s->viable_room, count + 1, 1))
        return false;
    memset(s->viable, 0, count);
    s->marking = true;
    bool found = fived_search_exists(s, false);
    s->marking = false;
    if (!found)
        return false;
    for (uint32_t a = 0; a < s->axis_count; a++) {
        const fived_axis *axis = &s->axes[a];
        fived_domain d = s->levels[0][a];
        for (uint32_t i = 0; i < d.count; i++) {
            uint32_t id = s->ids[d.ids + i];
            if (!s->viable[id])
                s->viable[id] = fived_search_viable(s, false, id);
        }
        for (uint32_t i = axis->jump; i < axis->jump + axis->jump_count; i++)
            if ((d.leave & ply_bit(s->jumps[i].from_square)) && !s->viable[s->inner_count + i])
                s->viable[s->inner_count + i] = fived_search_viable(s, true, i);
    }
    return s->status_code == PLY_OK;
}
