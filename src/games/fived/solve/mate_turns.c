/* SPDX-License-Identifier: MIT */
/*
 * mate_turns.c - the turns of a node: promising ones first, then all in portions, each looked
 * behind.
 */
#include "games/fived/solve/mate_internal.h"
#include <stdlib.h>
#include <string.h>

enum {
    CHECKS = 256,  /* turns in a first portion: the attacker's */
    ANSWERS = 32,  /* the defender's */
    QUIET = 128,   /* in the first portion with quiet turns of the attacker's */
    FEW_TURNS = 8, /* of the defender's are counted */
    FEW_BOARDS = 4,
    GOOD = 96, /* promising turns listed before the others */
    QUIET_PROOF = 6,
};

/* --- turns ----------------------------------------------------------------------------------- */
void fived_mate_undo_turn(mate_search *s, mate_level *v, const ply_move *moves, size_t count)
{
    while (count > 0) {
        count--;
        fived_undo(s->rules, s->position, moves[count], &v->undo_stack[count]);
    }
    fived_search_rebind(&v->search);
}

bool fived_mate_play_turn(mate_search *s, mate_level *v, const ply_move *moves, size_t count)
{
    if (!ply_array_grow(&v->undo_stack, &v->undo_room, count, sizeof *v->undo_stack)) {
        fived_mate_fail_memory(s);
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        ply_status status = fived_play(s->rules, s->position, moves[i], &v->undo_stack[i]);
        if (status == PLY_OK)
            continue;
        fived_mate_undo_turn(s, v, moves, i);
        if (status == PLY_NO_MEMORY)
            s->status = status;
        s->why = "size"; /* the multiverse has outgrown the coordinates */
        s->stopped = true;
        return false;
    }
    return true;
}

static bool count_few(void *context, const ply_move *moves, size_t count)
{
    (void)moves;
    (void)count;
    return ++*(uint32_t *)context < FEW_TURNS;
}

/*
 * The attacker has made a turn that gives check, or just any: whether the defender has an answer.
 * Fills in the child. False: stopped.
 */
static bool look_behind(mate_search *s, mate_child *c, int left)
{
    mate_level *below = fived_mate_level_at(s, s->depth + 1);
    if (!below)
        return false;
    fived_search *search = &below->search;
    search->halt = fived_mate_must_halt;
    search->halt_context = s;
    if (fived_search_prepare(search, s->rules, s->position) != PLY_OK) {
        fived_mate_fail_memory(s);
        return false;
    }
    bool exists = fived_search_exists(search, false);
    if (search->status_code != PLY_OK)
        fived_mate_fail_memory(s);
    if (search->halted || s->stopped) {
        s->stopped = true;
        return false;
    }
    if (exists) {
        uint32_t few = 0;
        c->fail = 0;
        if (left == 0) {
            fived_mate_decide(c, false, false);
            return true;
        }
        /* With many boards a check leaves few turns that are hard to list one by one. */
        if (search->axis_count <= FEW_BOARDS)
            fived_search_each(search, false, count_few, &few);
        c->delta = few > 0 ? few : FEW_TURNS / 2;
        return true;
    }
    bool mate = fived_in_check(search, s->rules, s->position);
    if (mate)
        c->win = 0;
    else
        c->fail = MATE_FAIL_ALL;
    fived_mate_decide(c, false, mate);
    fived_mate_note(s, c->key, c, left, 1);
    return true;
}

static void remember_killer(mate_search *s, const ply_move *moves, size_t count)
{
    if (count > MATE_KILLER_MOVES)
        return;
    for (int i = 0; i < MATE_KILLERS; i++) {
        const mate_killer *k = &s->killers[i];
        if (k->count == count && memcmp(k->moves, moves, count * sizeof *moves) == 0)
            return;
    }
    mate_killer *k = &s->killers[s->killer_next++ % MATE_KILLERS];
    memcpy(k->moves, moves, count * sizeof *moves);
    k->count = count;
}

/* Notes a turn that is decided against the player to move. */
void fived_mate_note_lost(mate_level *v, const mate_child *c)
{
    if (v->attacks && c->fail < v->fail)
        v->fail = c->fail;
    if (!v->attacks && c->win > v->win)
        v->win = c->win;
}

/*
 * The turn is in place. False: it need not be kept, being no turn for the goal, known already, or
 * decided against the player to move.
 */
static bool judge(mate_search *s, mate_level *v, mate_child *c)
{
    int left = v->attacks ? v->turns - 1 : v->turns;
    bool check = true;
    if (v->attacks) {
        check = fived_mover_in_check(s->rules, s->position);
        if (!check && s->checks_only)
            return false;
        if (!check && left == 0) {
            v->fail = v->fail < 0 ? v->fail : 0; /* whatever it is, it is not mate */
            return false;
        }
        if (!check && !v->quiet) {
            v->more = true;
            return false;
        }
    }
    int added = fived_mate_map_add(&v->seen, c->key, 0);
    if (added < 0)
        fived_mate_fail_memory(s);
    if (added <= 0)
        return false;
    if (!fived_mate_search_known(s, c->key, !v->attacks, left, c)) {
        c->phi = c->delta = 1;
        if (v->attacks && check && !look_behind(s, c, left))
            return false;
        if (!check)
            c->delta = QUIET_PROOF;
    }
    if (c->phi == 0)
        fived_mate_note_lost(v, c);
    return c->phi != 0;
}

static bool keep_child(mate_search *s, mate_level *v, mate_child *c, const ply_move *moves)
{
    if (!ply_array_grow(&v->children, &v->child_room, v->child_count + 1, sizeof *v->children) ||
        !ply_array_grow(&v->moves, &v->move_room, v->move_count + c->count, sizeof *v->moves)) {
        fived_mate_fail_memory(s);
        return false;
    }
    c->first = v->move_count;
    memcpy(v->moves + v->move_count, moves, c->count * sizeof *moves);
    v->move_count += c->count;
    v->children[v->child_count++] = *c;
    v->done = c->delta == 0;
    return true;
}

/* Lists a turn; false ends the listing. */
static bool visit_turn(void *context, const ply_move *moves, size_t count)
{
    mate_search *s = context;
    mate_level *v = s->levels[s->depth];
    v->any = true;
    if (v->child_count >= v->most) {
        v->more = true;
        return false;
    }
    if (!fived_mate_count_node(s) || !fived_mate_play_turn(s, v, moves, count))
        return false;
    mate_child c = {.key = fived_hash(s->rules, s->position),
                    .count = count,
                    .win = MATE_NO_WIN,
                    .fail = MATE_FAIL_NONE};
    bool keep = judge(s, v, &c);
    fived_mate_undo_turn(s, v, moves, count);
    if (s->stopped || (keep && !keep_child(s, v, &c, moves)))
        return false;
    if (v->done && c.win == 0)
        remember_killer(s, moves, count);
    return !v->done;
}

/* --- promising turns first ------------------------------------------------------------------- */
typedef struct good_turn {
    size_t first, count;
    int32_t score;
} good_turn;

typedef struct good_list {
    mate_search *s;
    good_turn *turns;
    ply_move *moves;
    size_t turn_room, turn_count, move_room, move_count;
} good_list;

static bool keep_good(void *context, const ply_move *moves, size_t count, int32_t score)
{
    good_list *list = context;
    if (!ply_array_grow(&list->turns, &list->turn_room, list->turn_count + 1,
                        sizeof *list->turns) ||
        !ply_array_grow(&list->moves, &list->move_room, list->move_count + count,
                        sizeof *list->moves)) {
        fived_mate_fail_memory(list->s);
        return false;
    }
    list->turns[list->turn_count++] = (good_turn){list->move_count, count, score};
    memcpy(list->moves + list->move_count, moves, count * sizeof *moves);
    list->move_count += count;
    return true;
}

static bool good_halts(void *context)
{
    return fived_mate_must_halt(((good_list *)context)->s);
}

static int by_score(const void *a, const void *b)
{
    const good_turn *x = a, *y = b;
    if (x->score != y->score)
        return x->score < y->score ? 1 : -1;
    return (x->first > y->first) - (x->first < y->first);
}

/* With several boards what mates or saves is one of millions; what the player would try is first.
 */
static void list_good(mate_search *s, mate_level *v)
{
    good_list list = {.s = s};
    bool complete;
    ply_turn_request wish = {.most = v->attacks ? GOOD : ANSWERS,
                             .stopped = good_halts,
                             .visit = keep_good,
                             .context = &list};
    if (fived_promising_turns(s->rules, s->position, &wish, &complete) != PLY_OK)
        fived_mate_fail_memory(s);
    if (list.turn_count > 0)
        qsort(list.turns, list.turn_count, sizeof *list.turns, by_score);
    v->most = SIZE_MAX;
    for (size_t i = 0; i < list.turn_count && !v->done && !s->stopped; i++)
        visit_turn(s, list.moves + list.turns[i].first, list.turns[i].count);
    free(list.turns);
    free(list.moves);
}

void fived_mate_list_more(mate_search *s, mate_level *v)
{
    if (v->portions == 0 && v->search.axis_count > FEW_BOARDS && !v->search.dead) {
        list_good(s, v);
        if (v->done || s->stopped)
            return;
    }
    if (v->portions > 0 && v->attacks)
        v->quiet = true;
    size_t portion = !v->attacks ? ANSWERS : v->quiet ? QUIET : CHECKS;
    v->most = v->child_count + (portion << (v->portions < 16 ? v->portions : 16));
    v->portions++;
    v->more = false;
    fived_search_each(&v->search, false, visit_turn, s);
    if (v->search.status_code != PLY_OK)
        fived_mate_fail_memory(s);
    if (v->search.halted)
        s->stopped = true;
    v->whole = !v->more && !v->done && !s->stopped;
    size_t bytes = 0;
    for (size_t i = 0; i <= s->depth; i++)
        bytes += fived_mate_level_bytes(s->levels[i]);
    if (bytes > s->memory_bytes) {
        s->why = "memory";
        s->stopped = true;
    }
}

/* --- killers --------------------------------------------------------------------------------- */
/* Whether a move is one of the prepared search's candidates; *axis: where it starts. */
static bool is_candidate(const fived_search *search, ply_move move, uint32_t *axis)
{
    fived_spot from = fived_move_from(move);
    int line = from.l - search->view.base;
    if (line < 0 || line >= search->view.count || search->line_axis[line] < 0)
        return false;
    *axis = (uint32_t)search->line_axis[line];
    const fived_axis *a = &search->axes[*axis];
    for (uint32_t i = a->inner; i < a->inner + a->inner_count; i++)
        if (fived_inner_move(search, i) == move)
            return true;
    for (uint32_t i = a->jump; i < a->jump + a->jump_count; i++)
        if (fived_jump_move(search, i) == move)
            return true;
    return false;
}

/* Whether a turn can be made in the position; the level's search is prepared. */
static bool is_legal(mate_search *s, mate_level *v, const mate_killer *k)
{
    if (k->count < 2 || v->search.dead)
        return false;
    for (size_t i = 0; i + 1 < k->count; i++) {
        uint32_t axis;
        if (!is_candidate(&v->search, k->moves[i], &axis))
            return false;
    }
    mate_level *below = fived_mate_level_at(s, s->depth + 1);
    if (!below || !ply_array_grow(&v->undo_stack, &v->undo_room, k->count, sizeof *v->undo_stack))
        return false;
    size_t played = 0;
    bool legal = true;
    for (; played + 1 < k->count && legal; played++) {
        /* Each board is used once: its line must still end with it. */
        fived_spot from = fived_move_from(k->moves[played]);
        int v_end = fived_position_line(s->position, from.l)->end;
        legal =
            v_end == fived_tc_to_v(from.t, s->position->side) &&
            fived_play(s->rules, s->position, k->moves[played], &v->undo_stack[played]) == PLY_OK;
        played -= !legal;
    }
    if (legal)
        legal = (fived_position_present(s->position) & 1) != s->position->side &&
                fived_search_prepare(&below->search, s->rules, s->position) == PLY_OK &&
                !below->search.dead;
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
