/* SPDX-License-Identifier: MIT */
/*
 * promising_turns.c - promising turns for an engine that cannot look at all of them.
 *
 * Every candidate move gets a score: what it captures, the squares it leaves and reaches, the
 * checks it gives, what it risks. Where legal turns are few they are all listed and the best by
 * total score kept. Where they are many, each of the best candidates is taken as given, and the
 * turn query completes it with the best-scored moves on the other boards that are due. Each good
 * idea is thus seen once, together with good moves elsewhere.
 */
#include "games/fived/turns/turn_sat.h"
#include "games/fived/turns/turns_internal.h"
#include <stdlib.h>
#include <string.h>

enum {
    FEW_TURNS = 1200, /* where there are fewer, all are listed */
    /* Scores, in hundredths of a pawn: */
    CAPTURE_BONUS = 30,
    KING_MOVE_PENALTY = 20,
    BRANCH_PENALTY = 60,
    CHECK_BONUS = 120,
    FAR_CHECK_BONUS = 160, /* a check on another board */
    SCORE_LIMIT = 1000000,
};

/* A candidate: the id of a physical move, or of a jump plus the number of physical moves. */
typedef struct scored_candidate {
    int32_t score;
    uint32_t id;
} scored_candidate;

typedef struct scored_turn {
    size_t first, count; /* its moves in the selector's array */
    int32_t score;
} scored_turn;

typedef struct selector {
    const ply_turn_request *request;
    fived_turn_query *query;
    int32_t *scores; /* by candidate */
    scored_candidate *best;
    fived_choice *completed; /* the turn found for a candidate */
    scored_turn *turns;      /* all turns, where they are few */
    ply_move *moves;
    uint64_t *emitted; /* hashes of the turns emitted so far */
    size_t score_room, best_room, completed_room, turn_room, move_room, emitted_room;
    size_t turn_count, move_count, emitted_count;
    bool too_many; /* there are more turns than can be listed */
    bool no_memory;
} selector;

static int by_candidate_score(const void *a, const void *b)
{
    const scored_candidate *x = a, *y = b;
    if (x->score != y->score)
        return x->score < y->score ? 1 : -1;
    return (x->id > y->id) - (x->id < y->id);
}

/* Best first. Most lists are short: those of a board. */
static void sort_scored(scored_candidate *list, size_t count)
{
    enum { SHORT = 40 };
    if (count > SHORT) {
        qsort(list, count, sizeof *list, by_candidate_score);
        return;
    }
    for (size_t i = 1; i < count; i++) {
        scored_candidate one = list[i];
        size_t at = i;
        for (; at > 0 && (list[at - 1].score < one.score ||
                          (list[at - 1].score == one.score && list[at - 1].id > one.id));
             at--)
            list[at] = list[at - 1];
        list[at] = one;
    }
}

static int by_turn_score(const void *a, const void *b)
{
    const scored_turn *x = a, *y = b;
    if (x->score != y->score)
        return x->score < y->score ? 1 : -1;
    return (x->first > y->first) - (x->first < y->first);
}

/* Squares of a board that enemy pawns on it attack. */
static uint64_t pawn_attacks(const fived_board *b, int enemy)
{
    uint64_t pawns = b->set[FIVED_PAWNS] & b->colour[enemy];
    int forward = enemy ? -1 : 1;
    return fived_shifted(pawns, 1, forward) | fived_shifted(pawns, -1, forward);
}

/* How promising a candidate is: mainly material, then the squares of the piece. */
static int32_t score_candidate(const fived_turn_query *q, const fived_board *from,
                               const fived_board *to, int from_square, int to_square, int promotion,
                               bool branch)
{
    const fived_position *p = q->position;
    fived_piece piece = from->square[from_square], taken = to->square[to_square];
    int mover = fived_kind_value(fived_piece_kind(piece)), enemy = !q->view.side;
    int32_t score =
        fived_square_value(p, piece, to_square) - fived_square_value(p, piece, from_square);
    if (taken)
        score += fived_kind_value(fived_piece_kind(taken)) + CAPTURE_BONUS - mover / 64;
    if (promotion)
        score += fived_kind_value((fived_kind)promotion) - mover;
    if (pawn_attacks(to, enemy) & ply_bit(to_square))
        score -= mover / 2;
    if (pawn_attacks(from, enemy) & ply_bit(from_square))
        score += mover / 4;
    if (fived_piece_kind(piece) == FIVED_KING)
        score -= KING_MOVE_PENALTY;
    return score - (branch ? BRANCH_PENALTY : 0);
}

/* The masks of the last slot asked for, against the enemy's royal pieces. */
typedef struct enemy_slot {
    int l, v;
    fived_masks masks;
} enemy_slot;

/* Which pieces of the player on (l, v) would attack an enemy royal piece if the enemy passed. */
static const fived_masks *enemy_masks(selector *c, enemy_slot *a, int l, int v)
{
    if (a->l != l || a->v != v) {
        fived_view view = c->query->view;
        view.side = !view.side;
        a->l = l;
        a->v = v;
        fived_view_masks(&view, l, v, &a->masks);
    }
    return &a->masks;
}

/* The value of the checks given by a board with a piece newly on a square. */
static int32_t score_check(const fived_turn_query *q, const fived_board *b, int square,
                           const fived_masks *m)
{
    int side = q->view.side;
    uint64_t royals = b->set[FIVED_ROYALS] & b->colour[!side];
    int32_t score = 0;
    if (fived_masks_attackers(m, b, side) & ply_bit(square))
        score += FAR_CHECK_BONUS;
    if (royals && fived_board_hits(b, side, 0, fived_board_occupied(b), royals))
        score += CHECK_BONUS;
    return score;
}

static void score_checks(selector *c)
{
    fived_turn_query *q = c->query;
    enemy_slot here = {.v = -1}, there = {.v = -1};
    fived_board after;
    for (uint32_t i = 0; i < q->candidates.physical_count; i++) {
        const fived_physical *m = &q->candidates.physical[i];
        const fived_axis *axis = &q->candidates.axes[m->axis];
        fived_board_after(&after, axis->board, m->from_square, m->to_square,
                          (fived_kind)m->promotion);
        c->scores[i] +=
            score_check(q, &after, m->to_square, enemy_masks(c, &here, axis->l, axis->v + 2));
    }
    for (uint32_t i = 0; i < q->candidates.jump_count; i++) {
        const fived_jump *j = &q->candidates.jumps[i];
        int l = j->destination >= 0 ? j->l : fived_turn_new_timeline(q, 0);
        fived_board_arrive(&after, j->target, j->to_square,
                           q->candidates.axes[j->source].board->square[j->from_square],
                           (fived_kind)j->promotion);
        c->scores[q->candidates.physical_count + i] +=
            score_check(q, &after, j->to_square, enemy_masks(c, &there, l, j->v + 2));
    }
}

/* What captures a piece that lands on a square of a board: an enemy piece on the board or, where
 * `attacked` has the square, elsewhere. */
static bool is_defended(const fived_turn_query *q, const fived_board *b, uint64_t from, int square,
                        uint64_t attacked)
{
    uint64_t to = ply_bit(square), occupied = (fived_board_occupied(b) & ~from) | to;
    return (attacked & to) || fived_board_hits(b, !q->view.side, to, occupied, to);
}

/* What a capture or promotion wins, less the mover where it is worth more and can be captured. */
static int32_t score_exchange(const fived_turn_query *q, const fived_board *b, fived_piece piece,
                              fived_piece taken, uint64_t from, int square, int promotion,
                              uint64_t attacked)
{
    int32_t mover = fived_kind_value(fived_piece_kind(piece));
    int32_t won = fived_kind_value(fived_piece_kind(taken));
    if (promotion)
        won += fived_kind_value((fived_kind)promotion) - mover;
    int32_t risked = promotion ? fived_kind_value((fived_kind)promotion) : mover;
    return risked > won && is_defended(q, b, from, square, attacked) ? won - risked : won;
}

static int32_t score_physical_exchange(const fived_turn_query *q, const fived_physical *m)
{
    const fived_board *b = q->candidates.axes[m->axis].board;
    int taken_square = m->taken ? ply_lowest(m->taken) : m->to_square;
    return score_exchange(q, b, b->square[m->from_square], b->square[taken_square],
                          m->from | m->taken, m->to_square, m->promotion,
                          q->domains.levels[0][m->axis].attacked);
}

static int32_t score_jump_exchange(const fived_turn_query *q, const fived_jump *j)
{
    return score_exchange(q, j->target, q->candidates.axes[j->source].board->square[j->from_square],
                          j->target->square[j->to_square], 0, j->to_square, j->promotion,
                          j->destination >= 0 ? q->domains.levels[0][j->destination].attacked : 0);
}

/* What a move risks by where it leads, and saves by where it comes from. */
static int32_t score_risk(const fived_turn_query *q, const fived_board *from, const fived_board *to,
                          uint64_t gone, uint64_t taken, int from_square, int to_square,
                          uint64_t from_attacked, uint64_t to_attacked)
{
    int side = q->view.side;
    int32_t mover = fived_kind_value(fived_piece_kind(from->square[from_square])), score = 0;
    if (mover <= 0)
        return 0;
    if (is_defended(q, to, gone | taken, to_square, to_attacked)) {
        uint64_t bit = ply_bit(to_square);
        int32_t won = taken ? fived_kind_value(fived_piece_kind(to->square[ply_lowest(taken)])) : 0;
        bool supported =
            fived_board_hits(to, side, gone, (fived_board_occupied(to) & ~gone) | bit, bit);
        if (won == 0)
            score -= supported ? mover / 10 : mover / 2;
        else if (won < mover)
            score -= (supported ? mover - won : mover) / 2;
    }
    uint64_t bit = ply_bit(from_square);
    if (is_defended(q, from, 0, from_square, from_attacked) &&
        !fived_board_hits(from, side, bit, fived_board_occupied(from), bit))
        score += mover / 4;
    return score;
}

/*
 * The same part of the evaluation as that of one board: it divides material by the number of
 * timelines.
 */
static int64_t share_of_evaluation(const fived_turn_query *q, int64_t material)
{
    int timelines = q->position->hi - q->position->lo + 1;
    return material * 2 / (timelines + 1);
}

/* The most that captures and promotions of a turn could win. */
static int64_t most_to_win(const fived_turn_query *q)
{
    int64_t sum = 0;
    for (uint32_t a = 0; a < q->candidates.axis_count; a++) {
        const fived_axis *axis = &q->candidates.axes[a];
        const fived_domain *d = &q->domains.levels[0][a];
        int32_t most = 0;
        for (uint32_t i = 0; i < d->count; i++) {
            const fived_physical *m = &q->candidates.physical[q->domains.ids[d->ids + i]];
            int32_t won = m->taken || m->promotion ? score_physical_exchange(q, m) : 0;
            most = won > most ? won : most;
        }
        for (uint32_t i = axis->jump; i < axis->jump + axis->jump_count; i++) {
            const fived_jump *j = &q->candidates.jumps[i];
            if (!(d->leave & ply_bit(j->from_square)) ||
                (!j->promotion && !j->target->square[j->to_square]))
                continue;
            int32_t won = score_jump_exchange(q, j);
            most = won > most ? won : most;
        }
        sum += most;
    }
    return sum;
}

/* Whether some turn may win more than this, and anything at all. */
static bool may_win(const fived_turn_query *q, int32_t least)
{
    int64_t most = most_to_win(q);
    return most > 0 && share_of_evaluation(q, most) > least;
}

static bool score_all(selector *c)
{
    fived_turn_query *q = c->query;
    size_t count = (size_t)q->candidates.physical_count + q->candidates.jump_count + 1;
    if (!ply_array_grow(&c->scores, &c->score_room, count, sizeof *c->scores) ||
        !ply_array_grow(&c->best, &c->best_room, count, sizeof *c->best) ||
        !ply_array_grow(&c->completed, &c->completed_room, 2 * (size_t)q->candidates.axis_count + 1,
                        sizeof *c->completed))
        return false;
    for (uint32_t i = 0; i < q->candidates.physical_count; i++) {
        const fived_physical *m = &q->candidates.physical[i];
        const fived_board *b = q->candidates.axes[m->axis].board;
        c->scores[i] = score_candidate(q, b, b, m->from_square, m->to_square, m->promotion, false);
        if (!c->request->noisy)
            c->scores[i] += score_risk(q, b, b, m->from, m->taken, m->from_square, m->to_square,
                                       q->domains.levels[0][m->axis].attacked,
                                       q->domains.levels[0][m->axis].attacked);
    }
    for (uint32_t i = 0; i < q->candidates.jump_count; i++) {
        const fived_jump *j = &q->candidates.jumps[i];
        c->scores[q->candidates.physical_count + i] =
            score_candidate(q, q->candidates.axes[j->source].board, j->target, j->from_square,
                            j->to_square, j->promotion, j->destination < 0);
        if (!c->request->noisy)
            c->scores[q->candidates.physical_count + i] +=
                score_risk(q, q->candidates.axes[j->source].board, j->target, 0,
                           ply_bit(j->to_square) & j->target->colour[!q->view.side], j->from_square,
                           j->to_square, q->domains.levels[0][j->source].attacked,
                           j->destination >= 0 ? q->domains.levels[0][j->destination].attacked : 0);
    }
    if (!c->request->noisy)
        score_checks(c);
    /* The search tries physical moves in the order of the root domain. */
    for (uint32_t a = 0; a < q->candidates.axis_count; a++) {
        const fived_domain *d = &q->domains.levels[0][a];
        for (uint32_t i = 0; i < d->count; i++)
            c->best[i] = (scored_candidate){c->scores[q->domains.ids[d->ids + i]],
                                            q->domains.ids[d->ids + i]};
        sort_scored(c->best, d->count);
        for (uint32_t i = 0; i < d->count; i++)
            q->domains.ids[d->ids + i] = c->best[i].id;
    }
    return true;
}

/* The sum of the scores of the choices, clamped. */
static int32_t score_turn(const selector *c, const fived_choice *choices, uint32_t count)
{
    int64_t sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += c->scores[choices[i].id + (choices[i].type == FIVED_PHYSICAL
                                              ? 0
                                              : c->query->candidates.physical_count)];
    return (int32_t)(sum > SCORE_LIMIT ? SCORE_LIMIT : sum < -SCORE_LIMIT ? -SCORE_LIMIT : sum);
}

/* --- few turns: list them all ---------------------------------------------------------------- */
static bool list_turn(void *context, const ply_move *moves, size_t count)
{
    selector *c = context;
    enum { POLL = 256 };
    if (c->turn_count >= FEW_TURNS ||
        (c->turn_count % POLL == POLL - 1 && c->request->stopped(c->request->context))) {
        c->too_many = true;
        return false;
    }
    if (!ply_array_grow(&c->turns, &c->turn_room, c->turn_count + 1, sizeof *c->turns) ||
        !ply_array_grow(&c->moves, &c->move_room, c->move_count + count, sizeof *c->moves)) {
        c->no_memory = true;
        return false;
    }
    memcpy(c->moves + c->move_count, moves, count * sizeof *moves);
    c->turns[c->turn_count++] =
        (scored_turn){c->move_count, count,
                      score_turn(c, c->query->partial.choices, c->query->partial.choice_count)};
    c->move_count += count;
    return true;
}

/* Whether the boards can be played in so many ways that listing all turns is hopeless. */
static bool looks_too_many(const fived_turn_query *q)
{
    fived_turn_present present = fived_turn_present_after(q, 0);
    double ways = 1;
    for (uint32_t a = 0; a < q->candidates.axis_count; a++) {
        const fived_domain *d = &q->domains.levels[0][a];
        if (!present.is_enemys && fived_turn_is_due(q, a, &present))
            ways *= d->count + (uint32_t)ply_popcount(d->leave);
        else
            ways *= 1 + d->count;
    }
    return ways > 16.0 * FEW_TURNS;
}

/* Lists all turns and emits the best. False if they are too many: nothing has been emitted. */
static bool emit_all(selector *c)
{
    if (looks_too_many(c->query))
        return false;
    fived_turn_query_each(c->query, false, list_turn, c);
    if (c->too_many || c->no_memory || c->query->interrupt.raised)
        return false;
    if (c->turn_count > 0)
        qsort(c->turns, c->turn_count, sizeof *c->turns, by_turn_score);
    for (size_t i = 0; i < c->turn_count && i < c->request->most; i++)
        if (!c->request->visit(c->request->context, c->moves + c->turns[i].first, c->turns[i].count,
                               c->turns[i].score))
            break;
    return true;
}

/* --- many turns: a selection ----------------------------------------------------------------- */
/* Emits the turn in partial.moves unless it was emitted before. False: no more are wanted. */
static bool emit_turn(selector *c, const fived_choice *choices, uint32_t count)
{
    fived_turn_query *q = c->query;
    uint64_t hash = 0;
    for (size_t i = 0; i < q->partial.move_count; i++)
        hash = ply_mix64(hash + q->partial.moves[i]);
    for (size_t i = 0; i < c->emitted_count; i++)
        if (c->emitted[i] == hash)
            return true;
    if (!ply_array_grow(&c->emitted, &c->emitted_room, c->emitted_count + 1, sizeof *c->emitted)) {
        c->no_memory = true;
        return false;
    }
    c->emitted[c->emitted_count++] = hash;
    bool more = c->request->visit(c->request->context, q->partial.moves, q->partial.move_count,
                                  score_turn(c, choices, count));
    /*
     * The visitor may have played the turn and taken it back, which can move arrays of the
     * position.
     */
    fived_turn_query_rebind(q);
    return more && c->emitted_count < c->request->most;
}

/* Sorts the candidates (noisy: only captures and promotions) by score; returns their number. */
static uint32_t sort_candidates(selector *c, bool noisy)
{
    fived_turn_query *q = c->query;
    uint32_t count = 0;
    for (uint32_t a = 0; a < q->candidates.axis_count; a++) {
        const fived_axis *axis = &q->candidates.axes[a];
        const fived_domain *d = &q->domains.levels[0][a];
        for (uint32_t i = 0; i < d->count; i++) {
            const fived_physical *m = &q->candidates.physical[q->domains.ids[d->ids + i]];
            uint32_t id = q->domains.ids[d->ids + i];
            if (!noisy)
                c->best[count++] = (scored_candidate){c->scores[id], id};
            else if (m->taken || m->promotion)
                c->best[count++] = (scored_candidate){score_physical_exchange(q, m), id};
        }
        for (uint32_t i = axis->jump; i < axis->jump + axis->jump_count; i++) {
            const fived_jump *j = &q->candidates.jumps[i];
            uint32_t id = q->candidates.physical_count + i;
            if (!(d->leave & ply_bit(j->from_square)))
                continue;
            if (!noisy)
                c->best[count++] = (scored_candidate){c->scores[id], id};
            else if (j->promotion || j->target->square[j->to_square])
                c->best[count++] = (scored_candidate){score_jump_exchange(q, j), id};
        }
    }
    sort_scored(c->best, count);
    return count;
}

/* Writes the witness with the physical move in place of what its board does there; false if that
 * turn would not be legal. */
static bool replace_in_witness(selector *c, uint32_t id)
{
    fived_turn_query *q = c->query;
    uint32_t a = q->candidates.physical[id].axis, count = q->witness.choice_count, at = count;
    if (!q->witness.replaceable[a] ||
        !fived_turn_physical_fits(&q->candidates.axes[a], &q->witness.domains[a],
                                  &q->candidates.physical[id]))
        return false;
    memcpy(q->partial.choices, q->witness.choices, count * sizeof *q->partial.choices);
    for (uint32_t i = 0; i < count; i++)
        if (q->partial.choices[i].type == FIVED_PHYSICAL &&
            q->candidates.physical[q->partial.choices[i].id].axis == a)
            at = i;
    q->partial.choices[at] = (fived_choice){.type = FIVED_PHYSICAL, .id = id};
    q->partial.choice_count = at == count ? count + 1 : count;
    q->partial.move_count = fived_turn_write_moves(q);
    return true;
}

static void emit_selected(selector *c)
{
    fived_turn_query *q = c->query;
    const ply_turn_request *request = c->request;
    q->witness.wanted = q->witness.domains_wanted = true;
    bool exists = fived_turn_query_exists(q, false);
    q->witness.wanted = q->witness.domains_wanted = false;
    if (!exists)
        return;
    bool more = request->noisy || emit_turn(c, q->witness.choices, q->witness.choice_count);
    uint32_t count = sort_candidates(c, request->noisy), searches = 0;
    for (uint32_t i = 0; i < count && more && !c->no_memory; i++) {
        uint32_t id = c->best[i].id;
        bool jump = id >= q->candidates.physical_count;
        if ((request->noisy && c->best[i].score <= 0) || request->stopped(request->context))
            break;
        if (!jump && replace_in_witness(c, id)) {
            more = emit_turn(c, q->partial.choices, q->partial.choice_count);
            q->partial.choice_count = 0;
            continue;
        }
        if (searches++ >= request->most / 2 + 1)
            continue;
        fived_choice *first = q->witness.choices;
        uint32_t first_count = q->witness.choice_count;
        q->witness.choices = c->completed;
        q->witness.wanted = true;
        if (fived_turn_query_is_viable(q, jump, jump ? id - q->candidates.physical_count : id))
            more = emit_turn(c, q->witness.choices, q->witness.choice_count);
        q->witness.wanted = false;
        q->witness.choices = first;
        q->witness.choice_count = first_count;
    }
}

ply_status fived_promising_turns(const ply_rules *rules, const void *position,
                                 const ply_turn_request *request, bool *complete)
{
    selector c = {.request = request};
    *complete = false;
    ply_status status = fived_turn_query_open(&c.query, rules, position);
    if (status != PLY_OK)
        return status;
    c.query->interrupt.poll = request->stopped;
    c.query->interrupt.context = request->context;
    if (c.query->royal_lost) {
        *complete = true;
    } else if (request->noisy && !may_win(c.query, request->least)) {
        /* nothing to list */
    } else if (request->most == 1 && !request->noisy) {
        c.query->witness.wanted = true;
        if (fived_turn_query_exists(c.query, false))
            request->visit(request->context, c.query->partial.moves, c.query->partial.move_count,
                           0);
        c.query->witness.wanted = false;
        status = c.query->status;
    } else if (!score_all(&c)) {
        status = PLY_NO_MEMORY;
    } else {
        if (!request->noisy && emit_all(&c))
            *complete = c.turn_count <= request->most;
        else if (!c.no_memory)
            emit_selected(&c);
        status = c.no_memory ? PLY_NO_MEMORY : c.query->status;
    }
    c.query->interrupt.poll = NULL;
    fived_turn_query_close(c.query);
    free(c.scores);
    free(c.best);
    free(c.completed);
    free(c.turns);
    free(c.moves);
    free(c.emitted);
    return status;
}
