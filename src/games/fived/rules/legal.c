/* SPDX-License-Identifier: MIT */
/*
 * legal.c - the game interface on top of the turn query: moves, the end of the game, perft,
 * playouts.
 *
 * A single move is legal if some legal turn begins with it, given the moves already made this turn.
 * The submit is legal if the moves made so far are a legal turn. A player who makes legal moves
 * therefore never gets stuck in the middle of a turn. (The published game lets players make any
 * move and take it back. But a threat stays once it exists, so such a move could never be
 * submitted.)
 */
#include "games/fived/turns/turn_query.h"
#include <stdlib.h>
#include <string.h>

/* --- lists of moves ------------------------------------------------------------------------- */
typedef struct move_list {
    ply_move *moves; /* NULL: only count */
    size_t count;
} move_list;

static bool append_move(void *context, ply_move move)
{
    move_list *list = context;
    if (list->moves)
        list->moves[list->count] = move;
    return ++list->count < FIVED_MAX_MOVES;
}

static size_t list_moves(const ply_rules *rules, const void *position, ply_move *out)
{
    fived_turn_query *q;
    move_list list = {.moves = out};
    if (fived_turn_query_reopen(&q, rules, position) == PLY_OK) {
        fived_turn_query_each_move(q, append_move, &list);
        if (q->status != PLY_OK)
            list.count = 0;
    }
    fived_turn_query_close(q);
    return list.count;
}

size_t fived_moves(const ply_rules *rules, const void *position, ply_move *out)
{
    return list_moves(rules, position, out);
}

size_t fived_count(const ply_rules *rules, const void *position)
{
    return list_moves(rules, position, NULL);
}

void fived_each_move(const ply_rules *rules, const void *position, fived_move_visitor *visit,
                     void *context)
{
    fived_turn_query *q;
    if (fived_turn_query_reopen(&q, rules, position) == PLY_OK)
        fived_turn_query_each_move(q, visit, context);
    fived_turn_query_close(q);
}

typedef struct nth_move {
    size_t skip;
    ply_move move;
} nth_move;

static bool pick_move(void *context, ply_move move)
{
    nth_move *nth = context;
    if (nth->skip-- > 0)
        return true;
    nth->move = move;
    return false;
}

ply_move fived_nth(const ply_rules *rules, const void *position, size_t k)
{
    fived_turn_query *q;
    nth_move nth = {k, PLY_MOVE_NONE};
    if (fived_turn_query_reopen(&q, rules, position) == PLY_OK)
        fived_turn_query_each_move(q, pick_move, &nth);
    fived_turn_query_close(q);
    return nth.move;
}

ply_status fived_position_check_size(const ply_rules *rules, const fived_position *p)
{
    enum { FEW = 16 }; /* boards that cannot have FIVED_MAX_MOVES moves between them */
    int boards = 0;
    for (int l = p->lo; l <= p->hi; l++)
        boards += (fived_position_timeline(p, l)->end & 1) == p->side;
    if (boards <= FEW)
        return PLY_OK;
    fived_turn_query *q;
    ply_status status = fived_turn_query_open(&q, rules, p);
    if (status == PLY_OK &&
        (size_t)q->candidates.physical_count + q->candidates.jump_count >= FIVED_MAX_MOVES)
        status = PLY_LIMIT;
    fived_turn_query_close(q);
    return status;
}

/* --- the end of the game -------------------------------------------------------------------- */
/* The same as fived_turn_query_in_check, without preparing a query. */
ply_status fived_test_check(const ply_rules *rules, const fived_position *p, bool *check)
{
    enum { FEW = 64 };
    int count = p->hi - p->lo + 1, present = fived_position_present(p), lo, hi;
    bool all = rules->option[FIVED_OPTION_CHECK_PASS] == FIVED_PASS_ALL;
    fived_view_timeline few[FEW];
    fived_view_timeline *timelines = count <= FEW ? few : malloc((size_t)count * sizeof *timelines);
    if (!timelines)
        return PLY_NO_MEMORY;
    fived_active_range(p, p->hi - p->start_hi, p->start_lo - p->lo, &lo, &hi);
    for (int i = 0; i < count; i++) {
        const fived_timeline *timeline = fived_position_timeline(p, p->lo + i);
        timelines[i] = (fived_view_timeline){
            .boards = timeline->boards, .start = timeline->start, .end = timeline->end};
        bool due = timeline->end == present && p->lo + i >= lo && p->lo + i <= hi;
        if ((timeline->end & 1) == p->side && (all || due))
            timelines[i].extra = timeline->boards[timeline->end - timeline->start];
    }
    fived_view view = {
        .timelines = timelines, .base = p->lo, .count = count, .side = p->side, .valid = p->valid};
    *check = fived_view_in_check(&view);
    if (timelines != few)
        free(timelines);
    return PLY_OK;
}

bool fived_in_check(const ply_rules *rules, const void *position)
{
    bool check = false;
    return fived_test_check(rules, position, &check) == PLY_OK && check;
}

ply_outcome fived_outcome(const ply_rules *rules, const void *position, const void *undo_stack,
                          size_t plies)
{
    (void)undo_stack;
    (void)plies;
    ply_outcome outcome = {PLY_ONGOING, NULL};
    fived_turn_query *q;
    if (fived_turn_query_reopen(&q, rules, position) == PLY_OK)
        outcome = fived_turn_query_outcome(q);
    fived_turn_query_close(q);
    return outcome;
}

/* --- random games --------------------------------------------------------------------------- */
enum { TRIES = 4 }; /* failed draws before testing whether there is a legal turn at all */

/*
 * A random legal move, each equally likely, or PLY_MOVE_NONE. Draws among all candidates that are
 * safe by themselves until one is legal, which most often is the first.
 */
static ply_move random_move(fived_turn_query *q, ply_rng *rng, fived_choice *list)
{
    uint32_t count = 0;
    for (uint32_t a = 0; a < q->candidates.axis_count; a++) {
        const fived_axis *axis = &q->candidates.axes[a];
        fived_domain d = q->domains.levels[0][a];
        for (uint32_t i = 0; i < d.count; i++)
            list[count++] = (fived_choice){.type = FIVED_PHYSICAL, .id = q->domains.ids[d.ids + i]};
        for (uint32_t i = axis->jump; i < axis->jump + axis->jump_count; i++)
            if (d.leave & ply_bit(q->candidates.jumps[i].from_square))
                list[count++] = (fived_choice){.type = FIVED_HOP, .id = i};
    }
    if (fived_turn_query_may_submit(q))
        list[count++] = (fived_choice){.type = FIVED_SUBMITTED};
    for (int tries = 0; count > 0; tries++) {
        if (tries == TRIES && !fived_turn_query_exists(q, false))
            return PLY_MOVE_NONE;
        uint32_t k = ply_rng_below(rng, count);
        fived_choice c = list[k];
        if (c.type == FIVED_SUBMITTED)
            return FIVED_SUBMIT;
        if (fived_turn_query_is_viable(q, c.type == FIVED_HOP, c.id))
            return c.type == FIVED_HOP ? fived_jump_move(q, c.id) : fived_physical_move(q, c.id);
        list[k] = list[--count];
    }
    return PLY_MOVE_NONE;
}

size_t fived_playout(const ply_rules *rules, void *position, ply_rng *rng, size_t max_plies,
                     ply_outcome *outcome)
{
    size_t plies = 0, room = 0;
    fived_choice *list = NULL;
    fived_turn_query q;
    ply_status status;
    fived_turn_query_init(&q);
    *outcome = (ply_outcome){PLY_ONGOING, NULL};
    while ((status = fived_turn_query_prepare(&q, rules, position)) == PLY_OK) {
        fived_undo_info undo;
        ply_move move = PLY_MOVE_NONE;
        if (!q.royal_lost) {
            size_t most = (size_t)q.candidates.physical_count + q.candidates.jump_count + 1;
            if (plies >= max_plies)
                move = fived_turn_query_exists(&q, false) ? FIVED_SUBMIT : PLY_MOVE_NONE;
            else if (ply_array_grow(&list, &room, most, sizeof *list))
                move = random_move(&q, rng, list);
            else
                status = PLY_NO_MEMORY;
        }
        status = status == PLY_OK ? q.status : status;
        if (status != PLY_OK)
            break; /* the game is not over */
        if (move == PLY_MOVE_NONE) {
            *outcome = fived_turn_query_no_turn(&q);
            break;
        }
        if (plies >= max_plies || (status = fived_play(rules, position, move, &undo)) != PLY_OK)
            break;
        plies++;
    }
    free(list);
    fived_turn_query_free(&q);
    return status == PLY_NO_MEMORY ? PLY_PLAYOUT_FAILED : plies;
}

/* --- perft ---------------------------------------------------------------------------------- */
typedef struct perft_level {
    fived_turn_query query;
    fived_undo_info *undo_stack;
    size_t undo_room;
} perft_level;

typedef struct perft_run {
    const ply_rules *rules;
    fived_position *position;
    perft_level *levels; /* by remaining depth */
    int depth;
    bool distinct;
    bool failed; /* out of memory: the total is too low */
    uint64_t total;
} perft_run;

static void perft_below(perft_run *run);

/* Plays a turn, counts what follows and takes it back. */
static bool perft_turn(void *context, const ply_move *moves, size_t count)
{
    perft_run *run = context;
    perft_level *level = &run->levels[run->depth];
    size_t played = 0;
    ply_status status = PLY_OK;
    if (!ply_array_grow(&level->undo_stack, &level->undo_room, count, sizeof *level->undo_stack))
        status = PLY_NO_MEMORY;
    for (; played < count && status == PLY_OK; played += status == PLY_OK)
        status = fived_play(run->rules, run->position, moves[played], &level->undo_stack[played]);
    run->failed |= status == PLY_NO_MEMORY;
    if (status == PLY_OK) {
        run->depth--;
        perft_below(run);
        run->depth++;
    }
    while (played > 0) {
        played--;
        fived_undo(run->rules, run->position, moves[played], &level->undo_stack[played]);
    }
    fived_turn_query_rebind(&level->query);
    return !run->failed;
}

static void perft_below(perft_run *run)
{
    fived_turn_query *q = &run->levels[run->depth].query;
    if (fived_turn_query_prepare(q, run->rules, run->position) == PLY_OK) {
        if (run->depth == 1)
            run->total += fived_turn_query_count(q, run->distinct);
        else
            fived_turn_query_each(q, run->distinct, perft_turn, run);
    }
    run->failed |= q->status != PLY_OK;
}

uint64_t fived_perft(const ply_rules *rules, void *position, int depth, int mode)
{
    perft_run run = {.rules = rules, .position = position, .depth = depth, .distinct = mode == 1};
    run.levels = calloc((size_t)depth + 1, sizeof *run.levels);
    if (!run.levels)
        return PLY_PERFT_FAILED;
    perft_below(&run);
    for (int i = 0; i <= depth; i++) {
        fived_turn_query_free(&run.levels[i].query);
        free(run.levels[i].undo_stack);
    }
    free(run.levels);
    return run.failed ? PLY_PERFT_FAILED : run.total;
}

ply_status fived_turns(const ply_rules *rules, const void *position, int mode,
                       bool (*visit)(void *context, const ply_move *moves, size_t count),
                       void *context)
{
    fived_turn_query *q;
    ply_status status = fived_turn_query_open(&q, rules, position);
    if (status == PLY_OK) {
        fived_turn_query_each(q, mode == 1, visit, context);
        status = q->status;
    }
    fived_turn_query_close(q);
    return status;
}
