/* SPDX-License-Identifier: MIT */
/*
 * promising_turns.c - promising turns for a search that cannot look at all of them.
 *
 * Every single candidate gets a score: what it takes, where it goes from and to, what it risks.
 * Where the legal turns are few they are all listed and the best by sum kept. Where they are many,
 * each of the best candidates is taken as given, and the turn search completes it with the moves of
 * the best score first on the other boards that are due; so each good idea is seen once, together
 * with good moves elsewhere.
 */
#include "games/fived/turns/turn_sat.h"
#include "games/fived/turns/turns_internal.h"
#include <stdlib.h>
#include <string.h>

typedef struct rated {
    int32_t score;
    uint32_t id; /* of an inner move; of a jump: behind the inner ones */
} rated;

typedef struct listed {
    size_t first, count;
    int32_t score;
} listed;

typedef struct chooser {
    fived_search search;
    int32_t *scores; /* by candidate */
    rated *best;
    fived_choice *completed; /* the turn found for a candidate */
    size_t completed_room;
    listed *turns;
    ply_move *moves;
    uint64_t *tags; /* of turns given already */
    size_t score_room, best_room, turn_room, turn_count, move_room, move_count, tag_room, tag_count;
    size_t most;
    const ply_turn_request *wish;
    bool full, no_memory;
} chooser;

static int by_rating(const void *a, const void *b)
{
    const rated *x = a, *y = b;
    if (x->score != y->score)
        return x->score < y->score ? 1 : -1;
    return (x->id > y->id) - (x->id < y->id);
}

static int by_listing(const void *a, const void *b)
{
    const listed *x = a, *y = b;
    if (x->score != y->score)
        return x->score < y->score ? 1 : -1;
    return (x->first > y->first) - (x->first < y->first);
}

/* Squares of a board that enemy pawns on it capture on. */
static uint64_t pawn_reach(const fived_board *b, int enemy)
{
    uint64_t pawns = b->set[FIVED_PAWNS] & b->colour[enemy];
    int forward = enemy ? -1 : 1;
    return fived_shifted(pawns, 1, forward) | fived_shifted(pawns, -1, forward);
}

/* What a candidate promises: material first, then where the piece stands. */
static int32_t rate(const fived_search *s, const fived_board *from, const fived_board *to,
                    int from_square, int to_square, int becomes, bool branch)
{
    const fived_position *p = s->position;
    fived_piece piece = from->square[from_square], taken = to->square[to_square];
    int mover = fived_kind_value(fived_piece_kind(piece)), enemy = !s->view.side;
    int32_t score =
        fived_place_value(p, piece, to_square) - fived_place_value(p, piece, from_square);
    if (taken)
        score += fived_kind_value(fived_piece_kind(taken)) + 30 - mover / 64;
    if (becomes)
        score += fived_kind_value((fived_kind)becomes) - mover;
    if (pawn_reach(to, enemy) & ply_bit(to_square))
        score -= mover / 2;
    if (pawn_reach(from, enemy) & ply_bit(from_square))
        score += mover / 4;
    if (fived_piece_kind(piece) == FIVED_KING)
        score -= 20;
    return score - (branch ? 60 : 0);
}

/* Squares of a slot from which pieces would hit the other's royal pieces. */
typedef struct aim {
    int l, v;
    fived_masks masks;
} aim;

/* What the player's pieces would see from (l, v) after the other passed. */
static const fived_masks *aim_at(chooser *c, aim *a, int l, int v)
{
    if (a->l != l || a->v != v) {
        fived_view view = c->search.view;
        view.side = !view.side;
        a->l = l;
        a->v = v;
        fived_view_masks(&view, l, v, &a->masks);
    }
    return &a->masks;
}

/* What a check is worth that a piece on a square of the board would give. */
static int32_t rate_check(const fived_search *s, const fived_board *b, int square,
                          const fived_masks *m)
{
    enum { CHECK = 120, FAR_CHECK = 160 };
    int side = s->view.side;
    uint64_t theirs = b->set[FIVED_ROYALS] & b->colour[!side];
    int32_t score = 0;
    if (fived_masks_attackers(m, b, side) & ply_bit(square))
        score += FAR_CHECK;
    if (theirs && fived_board_hits(b, side, 0, fived_board_occupied(b), theirs))
        score += CHECK;
    return score;
}

static void rate_checks(chooser *c)
{
    fived_search *s = &c->search;
    aim here = {.v = -1}, there = {.v = -1};
    fived_board after;
    for (uint32_t i = 0; i < s->inner_count; i++) {
        const fived_inner *m = &s->inner[i];
        const fived_axis *axis = &s->axes[m->axis];
        fived_board_after(&after, axis->board, m->from_square, m->to_square,
                          (fived_kind)m->becomes);
        c->scores[i] += rate_check(s, &after, m->to_square, aim_at(c, &here, axis->l, axis->v + 2));
    }
    for (uint32_t i = 0; i < s->jump_count; i++) {
        const fived_jump *j = &s->jumps[i];
        int l = j->destination >= 0 ? j->l : fived_turn_new_line(s, 0);
        fived_board_arrive(&after, j->target, j->to_square,
                           s->axes[j->source].board->square[j->from_square],
                           (fived_kind)j->becomes);
        c->scores[s->inner_count + i] +=
            rate_check(s, &after, j->to_square, aim_at(c, &there, l, j->v + 2));
    }
}

static bool rate_all(chooser *c)
{
    fived_search *s = &c->search;
    size_t count = (size_t)s->inner_count + s->jump_count + 1;
    if (!ply_array_grow(&c->scores, &c->score_room, count, sizeof *c->scores) ||
        !ply_array_grow(&c->best, &c->best_room, count, sizeof *c->best) ||
        !ply_array_grow(&c->completed, &c->completed_room, 2 * (size_t)s->axis_count + 1,
                        sizeof *c->completed))
        return false;
    for (uint32_t i = 0; i < s->inner_count; i++) {
        const fived_inner *m = &s->inner[i];
        const fived_board *b = s->axes[m->axis].board;
        c->scores[i] = rate(s, b, b, m->from_square, m->to_square, m->becomes, false);
    }
    for (uint32_t i = 0; i < s->jump_count; i++) {
        const fived_jump *j = &s->jumps[i];
        c->scores[s->inner_count + i] = rate(s, s->axes[j->source].board, j->target, j->from_square,
                                             j->to_square, j->becomes, j->destination < 0);
    }
    rate_checks(c);
    /* The search takes the moves within a board in the order of its list. */
    for (uint32_t a = 0; a < s->axis_count; a++) {
        const fived_domain *d = &s->levels[0][a];
        for (uint32_t i = 0; i < d->count; i++)
            c->best[i] = (rated){c->scores[s->ids[d->ids + i]], s->ids[d->ids + i]};
        qsort(c->best, d->count, sizeof *c->best, by_rating);
        for (uint32_t i = 0; i < d->count; i++)
            s->ids[d->ids + i] = c->best[i].id;
    }
    return true;
}

/* The sum of the scores of a turn's choices. */
static int32_t score_turn(const chooser *c, const fived_choice *choices, uint32_t count)
{
    int64_t sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += c->scores[choices[i].id +
                         (choices[i].type == FIVED_PHYSICAL ? 0 : c->search.inner_count)];
    return (int32_t)(sum > 1000000 ? 1000000 : sum < -1000000 ? -1000000 : sum);
}

/* --- all of them ----------------------------------------------------------------------------- */
static bool list_turn(void *context, const ply_move *moves, size_t count)
{
    chooser *c = context;
    enum { POLL = 256 };
    if (c->turn_count >= c->most ||
        (c->turn_count % POLL == POLL - 1 && c->wish->stopped(c->wish->context))) {
        c->full = true;
        return false;
    }
    if (!ply_array_grow(&c->turns, &c->turn_room, c->turn_count + 1, sizeof *c->turns) ||
        !ply_array_grow(&c->moves, &c->move_room, c->move_count + count, sizeof *c->moves)) {
        c->no_memory = true;
        return false;
    }
    memcpy(c->moves + c->move_count, moves, count * sizeof *moves);
    c->turns[c->turn_count++] =
        (listed){c->move_count, count, score_turn(c, c->search.choices, c->search.choice_count)};
    c->move_count += count;
    return true;
}

/* Whether there are so many ways to play the boards that listing them is not worth a try. */
static bool are_too_many(const fived_search *s, size_t most)
{
    fived_turn_present present = fived_turn_present_with(s, 0);
    double ways = 1;
    for (uint32_t a = 0; a < s->axis_count; a++) {
        const fived_domain *d = &s->levels[0][a];
        if (!present.theirs && fived_turn_is_due(s, a, &present))
            ways *= d->count + (uint32_t)ply_popcount(d->leave);
        else
            ways *= 1 + d->count;
    }
    return ways > 16 * (double)most;
}

/* True when the turns were few enough to list all. */
static bool give_all(chooser *c)
{
    enum { FEW = 1200 };
    c->most = FEW;
    if (are_too_many(&c->search, c->most))
        return false;
    fived_search_each(&c->search, false, list_turn, c);
    if (c->full || c->no_memory || c->search.halted)
        return false;
    if (c->turn_count > 0)
        qsort(c->turns, c->turn_count, sizeof *c->turns, by_listing);
    for (size_t i = 0; i < c->turn_count && i < c->wish->most; i++)
        if (!c->wish->visit(c->wish->context, c->moves + c->turns[i].first, c->turns[i].count,
                            c->turns[i].score))
            break;
    return true;
}

/* --- some of them ---------------------------------------------------------------------------- */
/* The search has a turn: passes it on unless it has been before. False when no more are wanted. */
static bool give_turn(chooser *c, const fived_choice *choices, uint32_t count)
{
    fived_search *s = &c->search;
    uint64_t tag = 0;
    for (size_t i = 0; i < s->turn_count; i++)
        tag = ply_mix64(tag + s->turn[i]);
    for (size_t i = 0; i < c->tag_count; i++)
        if (c->tags[i] == tag)
            return true;
    if (!ply_array_grow(&c->tags, &c->tag_room, c->tag_count + 1, sizeof *c->tags)) {
        c->no_memory = true;
        return false;
    }
    c->tags[c->tag_count++] = tag;
    bool more =
        c->wish->visit(c->wish->context, s->turn, s->turn_count, score_turn(c, choices, count));
    /* Whoever plays the turn and takes it back may have moved the boards in memory. */
    fived_search_rebind(s);
    return more && c->tag_count < c->wish->most;
}

/* Candidates in the order of their scores, captures only if noisy; returns how many. */
static uint32_t rank(chooser *c, bool noisy)
{
    fived_search *s = &c->search;
    uint32_t count = 0;
    for (uint32_t a = 0; a < s->axis_count; a++) {
        const fived_axis *axis = &s->axes[a];
        const fived_domain *d = &s->levels[0][a];
        for (uint32_t i = 0; i < d->count; i++) {
            const fived_inner *m = &s->inner[s->ids[d->ids + i]];
            if (!noisy || m->taken || m->becomes)
                c->best[count++] = (rated){c->scores[s->ids[d->ids + i]], s->ids[d->ids + i]};
        }
        for (uint32_t i = axis->jump; i < axis->jump + axis->jump_count; i++) {
            const fived_jump *j = &s->jumps[i];
            uint32_t id = s->inner_count + i;
            if ((d->leave & ply_bit(j->from_square)) &&
                (!noisy || j->becomes || j->target->square[j->to_square]))
                c->best[count++] = (rated){c->scores[id], id};
        }
    }
    qsort(c->best, count, sizeof *c->best, by_rating);
    return count;
}

/* Whether a move within a board can stand in for what its board does in the turn kept; if so, does.
 */
static bool swap_in(chooser *c, uint32_t id)
{
    fived_search *s = &c->search;
    uint32_t a = s->inner[id].axis, count = s->kept_count, at = count;
    if (!s->alone[a] || !fived_turn_inner_fits(&s->axes[a], &s->around[a], &s->inner[id]))
        return false;
    memcpy(s->choices, s->kept, count * sizeof *s->choices);
    for (uint32_t i = 0; i < count; i++)
        if (s->choices[i].type == FIVED_PHYSICAL && s->inner[s->choices[i].id].axis == a)
            at = i;
    s->choices[at] = (fived_choice){.type = FIVED_PHYSICAL, .id = id};
    s->choice_count = at == count ? count + 1 : count;
    s->turn_count = fived_turn_write(s);
    return true;
}

static void give_some(chooser *c)
{
    fived_search *s = &c->search;
    const ply_turn_request *wish = c->wish;
    s->keep_turn = s->keep_around = true;
    if (!fived_search_exists(s, false))
        return;
    s->keep_turn = s->keep_around = false;
    bool more = wish->noisy || give_turn(c, s->kept, s->kept_count);
    uint32_t count = rank(c, wish->noisy), searches = 0;
    for (uint32_t i = 0; i < count && more && !c->no_memory; i++) {
        uint32_t id = c->best[i].id;
        bool jump = id >= s->inner_count;
        if ((wish->noisy && c->best[i].score <= 0) || wish->stopped(wish->context))
            break;
        if (!jump && swap_in(c, id)) {
            more = give_turn(c, s->choices, s->choice_count);
            s->choice_count = 0;
            continue;
        }
        if (searches++ >= wish->most / 2 + 1)
            continue;
        fived_choice *first = s->kept;
        uint32_t first_count = s->kept_count;
        s->kept = c->completed;
        s->keep_turn = true;
        if (fived_search_viable(s, jump, jump ? id - s->inner_count : id))
            more = give_turn(c, s->kept, s->kept_count);
        s->keep_turn = false;
        s->kept = first;
        s->kept_count = first_count;
    }
}

ply_status fived_promising_turns(const ply_rules *rules, const void *position,
                                 const ply_turn_request *wish, bool *complete)
{
    chooser c = {.wish = wish};
    *complete = false;
    fived_search_init(&c.search);
    c.search.halt = wish->stopped;
    c.search.halt_context = wish->context;
    ply_status status = fived_search_prepare(&c.search, rules, position);
    if (status == PLY_OK && c.search.dead) {
        *complete = true;
    } else if (status == PLY_OK && !rate_all(&c)) {
        status = PLY_NO_MEMORY;
    } else if (status == PLY_OK) {
        if (!wish->noisy && give_all(&c))
            *complete = c.turn_count <= wish->most;
        else if (!c.no_memory)
            give_some(&c);
        status = c.no_memory ? PLY_NO_MEMORY : c.search.status_code;
    }
    fived_search_free(&c.search);
    free(c.scores);
    free(c.best);
    free(c.completed);
    free(c.turns);
    free(c.moves);
    free(c.tags);
    return status;
}

/*
 * Whether the player could lose a royal piece by passing: the same as fived_in_check, without the
 * candidates that a prepared search has.
 */
bool fived_mover_in_check(const ply_rules *rules, const void *position)
{
    enum { FEW = 64 };
    const fived_position *p = position;
    int count = p->hi - p->lo + 1, present = fived_position_present(p), lo, hi;
    bool all = rules->option[FIVED_OPTION_CHECK_PASS] == FIVED_PASS_ALL;
    fived_view_line few[FEW];
    fived_view_line *lines = count <= FEW ? few : malloc((size_t)count * sizeof *lines);
    if (!lines)
        return false;
    fived_active_range(p, p->hi - p->hi0, p->lo0 - p->lo, &lo, &hi);
    for (int i = 0; i < count; i++) {
        const fived_line *line = fived_position_line(p, p->lo + i);
        lines[i] = (fived_view_line){.row = line->row, .start = line->start, .end = line->end};
        bool due = line->end == present && p->lo + i >= lo && p->lo + i <= hi;
        if ((line->end & 1) == p->side && (all || due))
            lines[i].extra = line->row[line->end - line->start];
    }
    fived_view w = {
        .lines = lines, .base = p->lo, .count = count, .side = p->side, .valid = p->valid};
    bool check = fived_view_in_check(&w);
    if (lines != few)
        free(lines);
    return check;
}
