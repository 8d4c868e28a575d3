/* SPDX-License-Identifier: MIT */
/*
 * mate_turns.c - the turns of a node: promising ones first, then all of them in batches. Each is
 * probed as it is generated.
 */
#include "games/fived/solve/mate_internal.h"
#include <stdlib.h>
#include <string.h>

enum {
    /* Size of the first batch; it doubles from batch to batch: */
    CHECK_BATCH = 256, /* turns of the attacker that give check */
    REPLY_BATCH = 32,  /* turns of the defender */
    QUIET_BATCH = 128, /* all turns of the attacker */
    BATCH_DOUBLINGS = 16,
    COUNTED_REPLIES = 8, /* replies counted to initialise the proof number */
    FEW_BOARDS = 4,      /* with more, promising turns are generated first */
    PROMISING = 96,      /* how many of the attacker's */
    QUIET_DELTA = 6,     /* initial delta of a turn without check */
};

/* --- turns ----------------------------------------------------------------------------------- */
void fived_mate_undo_turn(mate_search *s, mate_level *v, const ply_move *moves, size_t count)
{
    while (count > 0) {
        count--;
        fived_undo(s->rules, s->position, moves[count], &v->undo_stack[count]);
    }
    fived_turn_query_rebind(&v->query);
}

bool fived_mate_play_turn(mate_search *s, mate_level *v, const ply_move *moves, size_t count)
{
    if (!ply_array_grow(&v->undo_stack, &v->undo_room, count, sizeof *v->undo_stack)) {
        fived_mate_out_of_memory(s);
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        ply_status status = fived_play(s->rules, s->position, moves[i], &v->undo_stack[i]);
        if (status == PLY_OK)
            continue;
        fived_mate_undo_turn(s, v, moves, i);
        if (status == PLY_NO_MEMORY)
            s->status = status;
        s->why = "size"; /* the multiverse is too large for the coordinates */
        s->stopped = true;
        return false;
    }
    return true;
}

static bool count_replies(void *context, const ply_move *moves, size_t count)
{
    (void)moves;
    (void)count;
    return ++*(uint32_t *)context < COUNTED_REPLIES;
}

/*
 * The attacker has played a turn: fills in the child, depending on whether the defender has a
 * reply. False: stopped.
 */
static bool probe_reply(mate_search *s, mate_child *c, int left)
{
    mate_level *below = fived_mate_level(s, s->depth + 1);
    if (!below)
        return false;
    fived_turn_query *query = &below->query;
    query->interrupt.poll = fived_mate_should_stop;
    query->interrupt.context = s;
    if (fived_turn_query_prepare(query, s->rules, s->position) != PLY_OK) {
        fived_mate_out_of_memory(s);
        return false;
    }
    bool exists = fived_turn_query_exists(query, false);
    if (query->status != PLY_OK)
        fived_mate_out_of_memory(s);
    if (query->interrupt.raised || s->stopped) {
        s->stopped = true;
        return false;
    }
    if (exists) {
        uint32_t replies = 0;
        c->fail = 0;
        if (left == 0) {
            fived_mate_decide(c, false, false);
            return true;
        }
        /* With many boards a check leaves few replies, which are expensive to list. */
        if (query->candidates.axis_count <= FEW_BOARDS)
            fived_turn_query_each(query, false, count_replies, &replies);
        c->delta = replies > 0 ? replies : COUNTED_REPLIES / 2;
        return true;
    }
    bool mate = fived_turn_query_in_check(query);
    if (mate)
        c->win = 0;
    else
        c->fail = MATE_FAIL_ALWAYS;
    fived_mate_decide(c, false, mate);
    fived_mate_store(s, c->key, c, left, 1);
    return true;
}

static void add_killer(mate_search *s, const ply_move *moves, size_t count)
{
    if (count > MATE_KILLER_MOVES)
        return;
    for (int i = 0; i < MATE_KILLERS; i++) {
        const mate_killer *k = &s->killers[i];
        if (k->count == count && memcmp(k->moves, moves, count * sizeof *moves) == 0)
            return;
    }
    mate_killer *k = &s->killers[s->next_killer++ % MATE_KILLERS];
    memcpy(k->moves, moves, count * sizeof *moves);
    k->count = count;
}

void fived_mate_record_lost_turn(mate_level *v, const mate_child *c)
{
    if (v->attacker_moves && c->fail < v->fail)
        v->fail = c->fail;
    if (!v->attacker_moves && c->win > v->win)
        v->win = c->win;
}

/*
 * The turn has been played. False: drop it, because it does not serve the goal, leads to a position
 * seen before, or fails for the player to move.
 */
static bool classify_turn(mate_search *s, mate_level *v, mate_child *c)
{
    int left = v->attacker_moves ? v->turns - 1 : v->turns;
    bool check = true;
    if (v->attacker_moves) {
        if (fived_test_check(s->rules, s->position, &check) != PLY_OK) {
            fived_mate_out_of_memory(s);
            return false;
        }
        if (!check && s->checks_only)
            return false;
        if (!check && left == 0) {
            v->fail = v->fail < 0 ? v->fail : 0; /* without check it cannot be mate */
            return false;
        }
        if (!check && !v->quiet) {
            v->more = true;
            return false;
        }
    }
    int added = fived_mate_map_add(&v->seen, c->key, 0);
    if (added < 0)
        fived_mate_out_of_memory(s);
    if (added <= 0)
        return false;
    if (!fived_mate_search_probe(s, c->key, !v->attacker_moves, left, c)) {
        c->phi = c->delta = 1;
        if (v->attacker_moves && check && !probe_reply(s, c, left))
            return false;
        if (!check)
            c->delta = QUIET_DELTA;
    }
    if (c->phi == 0)
        fived_mate_record_lost_turn(v, c);
    return c->phi != 0;
}

static bool add_child(mate_search *s, mate_level *v, mate_child *c, const ply_move *moves)
{
    if (!ply_array_grow(&v->children, &v->child_room, v->child_count + 1, sizeof *v->children) ||
        !ply_array_grow(&v->moves, &v->move_room, v->move_count + c->count, sizeof *v->moves)) {
        fived_mate_out_of_memory(s);
        return false;
    }
    c->first = v->move_count;
    memcpy(v->moves + v->move_count, moves, c->count * sizeof *moves);
    v->move_count += c->count;
    v->children[v->child_count++] = *c;
    v->done = c->delta == 0;
    return true;
}

/* Adds a turn to the level; false ends the batch. */
static bool visit_turn(void *context, const ply_move *moves, size_t count)
{
    mate_search *s = context;
    mate_level *v = s->levels[s->depth];
    v->any = true;
    if (v->child_count >= v->child_limit) {
        v->more = true;
        return false;
    }
    if (!fived_mate_count_node(s) || !fived_mate_play_turn(s, v, moves, count))
        return false;
    mate_child c = {.key = fived_hash(s->rules, s->position),
                    .count = count,
                    .win = MATE_NO_WIN,
                    .fail = MATE_FAIL_UNKNOWN};
    bool keep = classify_turn(s, v, &c);
    fived_mate_undo_turn(s, v, moves, count);
    if (s->stopped || (keep && !add_child(s, v, &c, moves)))
        return false;
    if (v->done && c.win == 0)
        add_killer(s, moves, count);
    return !v->done;
}

/* --- promising turns first ------------------------------------------------------------------- */
typedef struct promising_turn {
    size_t first, count;
    int32_t score;
} promising_turn;

typedef struct promising_list {
    mate_search *s;
    promising_turn *turns;
    ply_move *moves;
    size_t turn_room, turn_count, move_room, move_count;
} promising_list;

static bool add_promising(void *context, const ply_move *moves, size_t count, int32_t score)
{
    promising_list *list = context;
    if (!ply_array_grow(&list->turns, &list->turn_room, list->turn_count + 1,
                        sizeof *list->turns) ||
        !ply_array_grow(&list->moves, &list->move_room, list->move_count + count,
                        sizeof *list->moves)) {
        fived_mate_out_of_memory(list->s);
        return false;
    }
    list->turns[list->turn_count++] = (promising_turn){list->move_count, count, score};
    memcpy(list->moves + list->move_count, moves, count * sizeof *moves);
    list->move_count += count;
    return true;
}

static bool promising_stopped(void *context)
{
    return fived_mate_should_stop(((promising_list *)context)->s);
}

static int by_score(const void *a, const void *b)
{
    const promising_turn *x = a, *y = b;
    if (x->score != y->score)
        return x->score < y->score ? 1 : -1;
    return (x->first > y->first) - (x->first < y->first);
}

/*
 * With several boards the turn that mates or saves is one of millions: tries plausible turns
 * first.
 */
static void expand_promising(mate_search *s, mate_level *v)
{
    promising_list list = {.s = s};
    bool complete;
    ply_turn_request request = {.most = v->attacker_moves ? PROMISING : REPLY_BATCH,
                                .stopped = promising_stopped,
                                .visit = add_promising,
                                .context = &list};
    if (fived_promising_turns(s->rules, s->position, &request, &complete) != PLY_OK)
        fived_mate_out_of_memory(s);
    if (list.turn_count > 0)
        qsort(list.turns, list.turn_count, sizeof *list.turns, by_score);
    v->child_limit = SIZE_MAX;
    for (size_t i = 0; i < list.turn_count && !v->done && !s->stopped; i++)
        visit_turn(s, list.moves + list.turns[i].first, list.turns[i].count);
    free(list.turns);
    free(list.moves);
}

void fived_mate_expand(mate_search *s, mate_level *v)
{
    if (v->batches == 0 && v->query.candidates.axis_count > FEW_BOARDS && !v->query.royal_lost) {
        expand_promising(s, v);
        if (v->done || s->stopped)
            return;
    }
    if (v->batches > 0 && v->attacker_moves)
        v->quiet = true;
    size_t batch = v->quiet ? QUIET_BATCH : CHECK_BATCH;
    if (!v->attacker_moves)
        batch = REPLY_BATCH;
    unsigned doublings = v->batches < BATCH_DOUBLINGS ? v->batches : BATCH_DOUBLINGS;
    v->child_limit = v->child_count + (batch << doublings);
    v->batches++;
    v->more = false;
    fived_turn_query_each(&v->query, false, visit_turn, s);
    if (v->query.status != PLY_OK)
        fived_mate_out_of_memory(s);
    if (v->query.interrupt.raised)
        s->stopped = true;
    v->complete = !v->more && !v->done && !s->stopped;
    size_t bytes = 0;
    for (size_t i = 0; i <= s->depth; i++)
        bytes += fived_mate_level_bytes(s->levels[i]);
    if (bytes > s->level_bytes) {
        s->why = "memory";
        s->stopped = true;
    }
}

/* --- killers --------------------------------------------------------------------------------- */
/* Whether a move is a candidate of the prepared query. */
static bool is_candidate(const fived_turn_query *query, ply_move move)
{
    fived_location from = fived_move_from(move);
    int timeline = from.l - query->view.base;
    if (timeline < 0 || timeline >= query->view.count || query->candidates.axis_of[timeline] < 0)
        return false;
    const fived_axis *a = &query->candidates.axes[query->candidates.axis_of[timeline]];
    for (uint32_t i = a->physical; i < a->physical + a->physical_count; i++)
        if (fived_physical_move(query, i) == move)
            return true;
    for (uint32_t i = a->jump; i < a->jump + a->jump_count; i++)
        if (fived_jump_move(query, i) == move)
            return true;
    return false;
}

/* Whether a turn is legal in the position; the query of the level is prepared. */
static bool is_legal(mate_search *s, mate_level *v, const mate_killer *k)
{
    if (k->count < 2 || v->query.royal_lost)
        return false;
    for (size_t i = 0; i + 1 < k->count; i++)
        if (!is_candidate(&v->query, k->moves[i]))
            return false;
    mate_level *below = fived_mate_level(s, s->depth + 1);
    if (!below || !ply_array_grow(&v->undo_stack, &v->undo_room, k->count, sizeof *v->undo_stack))
        return false;
    size_t played = 0;
    bool legal = true;
    for (; played + 1 < k->count && legal; played++) {
        /* Each board is used once: it must still be the end of its timeline. */
        fived_location from = fived_move_from(k->moves[played]);
        int v_end = fived_position_timeline(s->position, from.l)->end;
        legal =
            v_end == fived_tc_to_v(from.t, s->position->side) &&
            fived_play(s->rules, s->position, k->moves[played], &v->undo_stack[played]) == PLY_OK;
        played -= !legal;
    }
    if (legal)
        legal = (fived_position_present(s->position) & 1) != s->position->side &&
                fived_turn_query_prepare(&below->query, s->rules, s->position) == PLY_OK &&
                !below->query.royal_lost;
    fived_mate_undo_turn(s, v, k->moves, legal ? k->count - 1 : played);
    return legal;
}

void fived_mate_try_killers(mate_search *s, mate_level *v)
{
    for (int i = 0; i < MATE_KILLERS && !v->done && !s->stopped; i++) {
        mate_killer k = s->killers[i];
        if (is_legal(s, v, &k))
            visit_turn(s, k.moves, k.count);
    }
}
