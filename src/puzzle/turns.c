/* SPDX-License-Identifier: MIT */
/* turns.c - uniqueness where turns consist of several moves; see puzzle.h. */
#include "puzzle/finder_internal.h"
#include <string.h>

enum { TURN_LIMIT = 20000 }; /* positions with more turns are no puzzles */

bool ply_puzzle_begins_turn(ply_state *state)
{
    if (state->plies == 0)
        return true;
    int side = ply_state_side(state);
    ply_move last = state->moves[state->plies - 1];
    ply_state_undo(state);
    bool begins = ply_state_side(state) != side;
    return ply_state_play(state, last) == PLY_OK && begins;
}

typedef struct turn_test {
    ply_puzzle_finder *finder;
    ply_state *state;
    ply_puzzle *puzzle;
    uint64_t solution; /* key of the position after the solution's first turn */
    bool unique;
} turn_test;

/* Plays all moves of a turn but the one that ends it; returns how many were played. */
static size_t play_open(ply_state *state, const ply_move *moves, size_t count)
{
    size_t played = 0;
    while (played + 1 < count && ply_state_play(state, moves[played]) == PLY_OK)
        played++;
    return played;
}

static void undo(ply_state *state, size_t played)
{
    while (played-- > 0)
        ply_state_undo(state);
}

/* The key of the position after a turn; 0 when it cannot be played. */
static uint64_t key_after(ply_state *state, const ply_move *moves, size_t count)
{
    size_t played = play_open(state, moves, count);
    uint64_t key = 0;
    if (played + 1 == count && ply_state_play(state, moves[played]) == PLY_OK) {
        played++;
        key = ply_state_key(state);
    }
    undo(state, played);
    return key;
}

static bool test_turn(void *context, const ply_move *moves, size_t count)
{
    turn_test *t = context;
    ply_puzzle_finder *f = t->finder;
    ply_solve_limits limits = {.nodes = f->spec.nodes, .turns = t->puzzle->length};
    ply_solve_try other;
    if (++t->puzzle->choices > TURN_LIMIT || !ply_puzzle_goes_on(f)) {
        t->unique = false;
    } else if (key_after(t->state, moves, count) != t->solution) {
        size_t played = play_open(t->state, moves, count);
        ply_status status = ply_solver_try(f->solver, t->state, moves[count - 1], &limits, &other);
        undo(t->state, played);
        if (status == PLY_NO_MEMORY)
            f->status = status;
        t->unique = status == PLY_OK && other.verdict == PLY_VERDICT_NO;
    }
    return t->unique;
}

/* How many moves of a variation belong to its first turn. */
static size_t first_turn(ply_state *state, const ply_move *moves, size_t count)
{
    int side = ply_state_side(state);
    size_t played = 0;
    while (played < count && ply_state_side(state) == side &&
           ply_state_play(state, moves[played]) == PLY_OK)
        played++;
    undo(state, played);
    return played;
}

/* The way of counting turns in which the order of their moves does not matter. */
static int distinct_mode(const ply_rules *rules)
{
    const char *const *modes = rules->counting->modes;
    for (int i = 0; modes && modes[i]; i++)
        if (strcmp(modes[i], "distinct") == 0)
            return i;
    return 0;
}

bool ply_puzzle_turn_is_unique(ply_puzzle_finder *finder, ply_state *state, ply_puzzle *puzzle)
{
    const ply_rules *rules = finder->spec.rules;
    size_t count = first_turn(state, puzzle->solution, puzzle->moves);
    turn_test t = {finder, state, puzzle, key_after(state, puzzle->solution, count), true};
    /* The listing reads a position of its own while the state changes. */
    ply_state start;
    if (t.solution == 0 || ply_state_copy(&start, state) != PLY_OK)
        return false;
    ply_status status =
        rules->counting->turns(rules, start.position, distinct_mode(rules), test_turn, &t);
    ply_state_free(&start);
    if (status == PLY_NO_MEMORY)
        finder->status = status;
    return status == PLY_OK && t.unique && puzzle->choices > 1;
}
