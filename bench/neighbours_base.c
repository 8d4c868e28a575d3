/* SPDX-License-Identifier: MIT */
/*
 * neighbours_base.c - what the base state of Neighbours costs a search and what it could save: the
 * time to map a position, against the time to play a move and take it back; and how many positions a
 * few plies deep differ only by symmetry. CPU time, best of nine.
 */
#include "bench.h"
#include <plyverse/plyverse.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 9, REPEATS = 20000, DEPTH = 5, SLOTS = 1 << 20, GAMES = 20, PLIES = 10 };

/* Positions in a hash table with open addressing, which are too few to fill it. */
typedef struct set {
    neighbours_boards slots[SLOTS];
    size_t count;
} set;

static void insert(set *s, neighbours_boards b)
{
    size_t at = (size_t)((b.current * 0x9E3779B97F4A7C15u ^ b.next * 0xC2B2AE3D27D4EB4Fu) >> 44);
    for (; s->slots[at].current | s->slots[at].next; at = (at + 1) % SLOTS)
        if (s->slots[at].current == b.current && s->slots[at].next == b.next)
            return;
    s->slots[at] = b;
    s->count++;
}

/* Replaces the positions by those one ply later. */
static set *next_ply(const ply_rules *rules, set *from)
{
    set *to = calloc(1, sizeof *to);
    for (size_t i = 0; to && i < SLOTS; i++) {
        uint64_t position[16], after[16], undo[16];
        ply_move moves[PLY_STACK_MOVES];
        if (!(from->slots[i].current | from->slots[i].next) ||
            neighbours_position_make(rules, position, from->slots[i]) != PLY_OK)
            continue;
        size_t count = rules->game->moves(rules, position, moves);
        for (size_t k = 0; k < count; k++) {
            if (ply_game_copy(rules, after, position) != PLY_OK ||
                rules->game->play(rules, after, moves[k], undo) != PLY_OK)
                continue;
            insert(to, neighbours_position_boards(rules, after));
        }
    }
    free(from);
    return to;
}

/* Adds the positions `depth` plies later, all of them and up to symmetry. */
static bool count_positions(const ply_state *state, int depth, size_t counts[2])
{
    set *all = calloc(1, sizeof *all), *bases = calloc(1, sizeof *bases);
    if (all)
        insert(all, neighbours_position_boards(state->rules, state->position));
    for (int ply = 0; all && ply < depth; ply++)
        all = next_ply(state->rules, all);
    for (size_t i = 0; all && bases && i < SLOTS; i++)
        if (all->slots[i].current | all->slots[i].next)
            insert(bases, neighbours_base_state(all->slots[i]));
    bool done = all && bases;
    counts[0] += done ? all->count : 0;
    counts[1] += done ? bases->count : 0;
    free(all);
    free(bases);
    return done;
}

/* Nanoseconds: [0] to map a position to its base state, [1] to play and take back a move. */
static void time_position(const ply_state *state, ply_move move, double best[2])
{
    const ply_rules *rules = state->rules;
    neighbours_boards b = neighbours_position_boards(rules, state->position);
    uint64_t undo[16];
    volatile uint64_t sink = 0;
    for (int round = 0; round < ROUNDS; round++)
        for (int which = 0; which < 2; which++) {
            double start = cpu_seconds();
            for (int i = 0; i < REPEATS; i++)
                if (which) {
                    rules->game->play(rules, state->position, move, undo);
                    rules->game->undo(rules, state->position, move, undo);
                } else {
                    b.side = i & 1;
                    sink = neighbours_base_state(b).current;
                }
            double each = (cpu_seconds() - start) / REPEATS * 1e9;
            best[which] = each < best[which] ? each : best[which];
        }
    (void)sink;
}

int main(void)
{
    ply_rules rules;
    ply_state state;
    double best[2] = {1e9, 1e9};
    size_t start[2] = {0, 0}, later[2] = {0, 0};
    if (ply_rules_make(&rules, ply_game_find("neighbours"), NULL, NULL) != PLY_OK ||
        rules.position_bytes > 128 || rules.undo_bytes > 128 ||
        ply_state_init(&state, &rules) != PLY_OK)
        return 2;
    time_position(&state, ply_game_nth_move(&rules, state.position, 0), best);
    printf("base state %.1f ns, play and undo %.1f ns\n", best[0], best[1]);
    bool done = count_positions(&state, DEPTH, start);
    for (uint64_t game = 0; done && game < GAMES; game++) {
        ply_rng rng = ply_rng_make(1, game);
        ply_state_restart(&state);
        for (int ply = 0; ply < PLIES; ply++) {
            size_t count = ply_game_count_moves(&rules, state.position);
            if (count > 0)
                ply_state_play(&state, ply_game_nth_move(&rules, state.position,
                                                         ply_rng_below(&rng, (uint32_t)count)));
        }
        done = count_positions(&state, DEPTH - 1, later);
    }
    printf("%d plies after the start: %zu positions, %zu base states\n", DEPTH, start[0], start[1]);
    printf("%d plies after %d random games of %d plies: %zu positions, %zu base states\n",
           DEPTH - 1, GAMES, PLIES, later[0], later[1]);
    ply_state_free(&state);
    return done ? 0 : 2;
}
