/* SPDX-License-Identifier: MIT */
/*
 * legal.c - the game interface over the turn search: moves, the end of the game, perft, playouts.
 *
 * A single move is legal when some legal turn begins with it, given the moves already made this
 * turn; the submit is legal when the turn as made is. So whoever plays legal moves never comes to
 * a stop half-way through a turn. (The boxed game lets one make any move and take it back; by the
 * rule that a threat once made stays, such a move could never be submitted.)
 */
#include "games/fived/turns/legal_turns.h"
#include <stdlib.h>
#include <string.h>

/* Whether the turn as made so far may be submitted; the search has been prepared. */
static bool may_submit(const fived_search *s, const fived_position *p)
{
    return (fived_position_present(p) & 1) != p->side && !s->dead;
}

/* Writes the legal moves into out, or only counts them when out is NULL. */
static size_t list_moves(fived_search *s, const fived_position *p, ply_move *out, size_t room)
{
    size_t count = 0;
    if (!fived_search_mark(s))
        return 0;
    for (uint32_t a = 0; a < s->axis_count; a++) {
        const fived_axis *axis = &s->axes[a];
        for (uint32_t i = axis->inner; i < axis->inner + axis->inner_count; i++)
            if (s->viable[i] && count < room)
                out[count++] = fived_inner_move(s, i);
        for (uint32_t i = axis->jump; i < axis->jump + axis->jump_count; i++)
            if (s->viable[s->inner_count + i] && count < room)
                out[count++] = fived_jump_move(s, i);
    }
    if (may_submit(s, p) && count < room)
        out[count++] = FIVED_SUBMIT;
    return count;
}

bool fived_position_fits(const ply_rules *rules, const fived_position *p)
{
    enum { FEW = 16 }; /* so many boards never have that many moves between them */
    int boards = 0;
    for (int l = p->lo; l <= p->hi; l++)
        boards += (fived_position_line(p, l)->end & 1) == p->side;
    if (boards <= FEW)
        return true;
    fived_search s;
    fived_search_init(&s);
    bool fits = fived_search_prepare(&s, rules, p) == PLY_OK &&
                (s.dead || (size_t)s.inner_count + s.jump_count < FIVED_MAX_MOVES);
    fived_search_free(&s);
    return fits;
}

size_t fived_moves(const ply_rules *rules, const void *position, ply_move *out)
{
    fived_search s;
    size_t count = 0;
    fived_search_init(&s);
    if (fived_search_prepare(&s, rules, position) == PLY_OK)
        count = list_moves(&s, position, out, FIVED_MAX_MOVES);
    fived_search_free(&s);
    return count;
}

/* The list on the heap; *count says how long. NULL only when memory is out. */
static ply_move *moves_on_heap(const ply_rules *rules, const void *position, size_t *count)
{
    fived_search s;
    ply_move *list = NULL;
    fived_search_init(&s);
    *count = 0;
    if (fived_search_prepare(&s, rules, position) == PLY_OK) {
        size_t room = s.dead ? 1 : (size_t)s.inner_count + s.jump_count + 1;
        room = room < FIVED_MAX_MOVES ? room : FIVED_MAX_MOVES;
        list = malloc(room * sizeof *list);
        if (list)
            *count = list_moves(&s, position, list, room);
    }
    fived_search_free(&s);
    return list;
}

size_t fived_count(const ply_rules *rules, const void *position)
{
    size_t count;
    free(moves_on_heap(rules, position, &count));
    return count;
}

ply_move fived_nth(const ply_rules *rules, const void *position, size_t k)
{
    size_t count;
    ply_move *list = moves_on_heap(rules, position, &count);
    ply_move move = k < count ? list[k] : PLY_MOVE_NONE;
    free(list);
    return move;
}

bool fived_in_check(fived_search *s, const ply_rules *rules, const fived_position *p)
{
    if (s->dead)
        return true;
    int present = fived_position_present(p), lo, hi;
    bool all = rules->option[FIVED_OPTION_CHECK_PASS] == FIVED_PASS_ALL;
    fived_active_range(p, p->hi - p->hi0, p->lo0 - p->lo, &lo, &hi);
    for (uint32_t a = 0; a < s->axis_count; a++) {
        const fived_axis *axis = &s->axes[a];
        if (all || (axis->v == present && axis->l >= lo && axis->l <= hi))
            s->view.lines[axis->l - s->view.base].extra = axis->board;
    }
    bool check = fived_view_in_check(&s->view);
    for (uint32_t a = 0; a < s->axis_count; a++)
        s->view.lines[s->axes[a].l - s->view.base].extra = NULL;
    return check;
}

/* The outcome when the player has no legal turn. */
static ply_outcome no_turn(fived_search *s, const ply_rules *rules, const fived_position *p)
{
    if (fived_in_check(s, rules, p))
        return ply_outcome_win(!p->side, "checkmate");
    return (ply_outcome){PLY_DRAW, "stalemate"};
}

ply_outcome fived_outcome(const ply_rules *rules, const void *position, const void *undo_stack,
                          size_t plies)
{
    (void)undo_stack;
    (void)plies;
    const fived_position *p = position;
    ply_outcome outcome = {PLY_ONGOING, NULL};
    fived_search s;
    fived_search_init(&s);
    if (fived_search_prepare(&s, rules, p) == PLY_OK && !fived_search_exists(&s, false) &&
        s.status_code == PLY_OK)
        outcome = no_turn(&s, rules, p);
    fived_search_free(&s);
    return outcome;
}

enum { TRIES = 4 }; /* draws in vain before asking whether there is a legal turn at all */

/*
 * A random legal move, each equally likely, or PLY_MOVE_NONE when there is none: draws among all
 * that fit the position as it stands until one is legal, which is most often the first.
 */
static ply_move random_move(fived_search *s, const fived_position *p, ply_rng *rng,
                            fived_choice *list)
{
    uint32_t count = 0;
    for (uint32_t a = 0; a < s->axis_count; a++) {
        const fived_axis *axis = &s->axes[a];
        fived_domain d = s->levels[0][a];
        for (uint32_t i = 0; i < d.count; i++)
            list[count++] = (fived_choice){.type = FIVED_PHYSICAL, .id = s->ids[d.ids + i]};
        for (uint32_t i = axis->jump; i < axis->jump + axis->jump_count; i++)
            if (d.leave & ply_bit(s->jumps[i].from_square))
                list[count++] = (fived_choice){.type = FIVED_HOP, .id = i};
    }
    if (may_submit(s, p))
        list[count++] = (fived_choice){.type = FIVED_SUBMITTED};
    for (int tries = 0; count > 0; tries++) {
        if (tries == TRIES && !fived_search_exists(s, false))
            return PLY_MOVE_NONE;
        uint32_t k = ply_rng_below(rng, count);
        fived_choice c = list[k];
        if (c.type == FIVED_SUBMITTED)
            return FIVED_SUBMIT;
        if (fived_search_viable(s, c.type == FIVED_HOP, c.id))
            return c.type == FIVED_HOP ? fived_jump_move(s, c.id) : fived_inner_move(s, c.id);
        list[k] = list[--count];
    }
    return PLY_MOVE_NONE;
}

size_t fived_playout(const ply_rules *rules, void *position, ply_rng *rng, size_t max_plies,
                     ply_outcome *outcome)
{
    size_t plies = 0, room = 0;
    fived_choice *list = NULL;
    fived_search s;
    fived_search_init(&s);
    *outcome = (ply_outcome){PLY_ONGOING, NULL};
    for (;;) {
        fived_undo_info undo;
        if (fived_search_prepare(&s, rules, position) != PLY_OK)
            break;
        ply_move move = PLY_MOVE_NONE;
        if (!s.dead) {
            if (!ply_array_grow(&list, &room, (size_t)s.inner_count + s.jump_count + 1,
                                sizeof *list))
                break;
            move = random_move(&s, position, rng, list);
        }
        if (move == PLY_MOVE_NONE) {
            *outcome = no_turn(&s, rules, position);
            break;
        }
        if (plies >= max_plies || fived_play(rules, position, move, &undo) != PLY_OK)
            break;
        plies++;
    }
    free(list);
    fived_search_free(&s);
    return plies;
}

/* --- perft ---------------------------------------------------------------------------------- */
typedef struct perft_level {
    fived_search search;
    fived_undo_info *undo_stack;
    size_t undo_room;
} perft_level;

typedef struct perft_walk {
    const ply_rules *rules;
    fived_position *position;
    perft_level *levels; /* by depth left */
    int depth;
    bool distinct;
    uint64_t total;
} perft_walk;

static void perft_below(perft_walk *w);

/* Plays a turn, walks below it and takes it back. */
static bool perft_turn(void *context, const ply_move *moves, size_t count)
{
    perft_walk *w = context;
    perft_level *level = &w->levels[w->depth];
    if (!ply_array_grow(&level->undo_stack, &level->undo_room, count, sizeof *level->undo_stack))
        return false;
    size_t played = 0;
    while (played < count &&
           fived_play(w->rules, w->position, moves[played], &level->undo_stack[played]) == PLY_OK)
        played++;
    if (played == count) {
        w->depth--;
        perft_below(w);
        w->depth++;
    }
    while (played > 0) {
        played--;
        fived_undo(w->rules, w->position, moves[played], &level->undo_stack[played]);
    }
    fived_search_rebind(&level->search);
    return true;
}

static void perft_below(perft_walk *w)
{
    fived_search *s = &w->levels[w->depth].search;
    if (fived_search_prepare(s, w->rules, w->position) != PLY_OK)
        return;
    if (w->depth == 1)
        w->total += fived_search_count(s, w->distinct);
    else
        fived_search_each(s, w->distinct, perft_turn, w);
}

uint64_t fived_perft(const ply_rules *rules, void *position, int depth, int mode)
{
    perft_walk w = {.rules = rules, .position = position, .depth = depth, .distinct = mode == 1};
    w.levels = calloc((size_t)depth + 1, sizeof *w.levels);
    if (!w.levels)
        return 0;
    perft_below(&w);
    for (int i = 0; i <= depth; i++) {
        fived_search_free(&w.levels[i].search);
        free(w.levels[i].undo_stack);
    }
    free(w.levels);
    return w.total;
}

ply_status fived_turns(const ply_rules *rules, const void *position, int mode,
                       bool (*visit)(void *context, const ply_move *moves, size_t count),
                       void *context)
{
    fived_search s;
    fived_search_init(&s);
    ply_status status = fived_search_prepare(&s, rules, position);
    if (status == PLY_OK) {
        fived_search_each(&s, mode == 1, visit, context);
        status = s.status_code;
    }
    fived_search_free(&s);
    return status;
}
