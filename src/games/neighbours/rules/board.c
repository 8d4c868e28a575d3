/* SPDX-License-Identifier: MIT */
/* board.c - start, moves, play, undo and outcome. */
#include "core/hash.h"
#include "games/neighbours/rules/play.h"
#include <string.h>

#define T uint64_t
#define SLICES_SUFFIX _one
#include "games/neighbours/rules/neighbour_counts.h"

uint64_t neighbours_around(int square)
{
    return neighbours_adjacent[square];
}

int neighbours_count_at(uint64_t pieces, int square)
{
    return neighbours_distance(pieces, square);
}

neighbours_slices neighbours_count_all(uint64_t pieces)
{
    slices_one n = add_neighbours_one(pieces);
    return (neighbours_slices){n.ones & NEIGHBOURS_BOARD, n.twos & NEIGHBOURS_BOARD,
                               n.fours & NEIGHBOURS_BOARD, n.eights & NEIGHBOURS_BOARD};
}

uint64_t neighbours_compute_hash(const ply_rules *rules, const void *position)
{
    (void)rules;
    const neighbours_position *p = position;
    uint64_t key = p->side ? neighbours_side_key : 0;
    for (uint64_t b = p->current; b; b &= b - 1)
        key ^= neighbours_keys[p->side][ply_lowest(b)];
    for (uint64_t b = p->next; b; b &= b - 1)
        key ^= neighbours_keys[!p->side][ply_lowest(b)];
    return key;
}

void neighbours_finish(neighbours_position *position)
{
    position->quiet = 0;
    memset(position->zero, 0, sizeof position->zero);
    position->hash = neighbours_compute_hash(NULL, position);
}

neighbours_boards neighbours_position_boards(const ply_rules *rules, const void *position)
{
    (void)rules;
    const neighbours_position *p = position;
    return (neighbours_boards){.current = p->current, .next = p->next, .side = p->side};
}

ply_status neighbours_position_make(const ply_rules *rules, void *position,
                                    neighbours_boards boards)
{
    (void)rules;
    neighbours_position *p = position;
    if ((boards.current | boards.next) > NEIGHBOURS_BOARD || (boards.current & boards.next) ||
        ply_popcount(boards.current) > NEIGHBOURS_PIECES ||
        ply_popcount(boards.next) > NEIGHBOURS_PIECES)
        return PLY_BAD_POSITION;
    *p = (neighbours_position){
        .current = boards.current, .next = boards.next, .side = boards.side != 0};
    neighbours_finish(p);
    return PLY_OK;
}

ply_status neighbours_start(const ply_rules *rules, void *position)
{
    (void)rules;
    neighbours_position *p = position;
    *p = (neighbours_position){.current = NEIGHBOURS_ROW_1, .next = NEIGHBOURS_ROW_6};
    neighbours_finish(p);
    return PLY_OK;
}

size_t neighbours_moves(const ply_rules *rules, const void *position, ply_move *out)
{
    const neighbours_position *p = position;
    uint64_t pieces = p->current | p->next;
    uint64_t blocking = rules->option[NEIGHBOURS_OPTION_PATH] == NEIGHBOURS_JUMP ? 0 : pieces;
    size_t count = 0;
    for (uint64_t own = p->current; own; own &= own - 1) {
        int from = ply_lowest(own), distance = neighbours_distance(pieces, from);
        if (distance > NEIGHBOURS_REACH)
            continue;
        const neighbours_targets *targets = &neighbours_targets_at[from][distance];
        for (unsigned i = 0; i < targets->count; i++)
            if (!(targets->path[i] & blocking) && !neighbours_get(p->current, targets->to[i]))
                out[count++] = neighbours_move_make(from, targets->to[i]);
    }
    return count;
}

size_t neighbours_count(const ply_rules *rules, const void *position)
{
    const neighbours_position *p = position;
    return (size_t)PLY_ISA_PICK(neighbours_kernels_of)
        ->count_many(&p->current, &p->next, 1, rules->option[NEIGHBOURS_OPTION_PATH]);
}

ply_status neighbours_play(const ply_rules *rules, void *position, ply_move move, void *undo)
{
    (void)rules;
    neighbours_position *p = position;
    memcpy(undo, p, sizeof *p);
    neighbours_apply(p, move);
    return PLY_OK;
}

void neighbours_undo(const ply_rules *rules, void *position, ply_move move, const void *undo)
{
    (void)rules;
    (void)move;
    memcpy(position, undo, sizeof(neighbours_position));
}

int neighbours_side(const ply_rules *rules, const void *position)
{
    (void)rules;
    return ((const neighbours_position *)position)->side;
}

ply_outcome neighbours_node_outcome(const ply_rules *rules, const void *position,
                                    const void *undo_stack, size_t plies)
{
    (void)rules;
    if (neighbours_is_third_occurrence(position, undo_stack, plies))
        return (ply_outcome){PLY_DRAW, "repetition"};
    return (ply_outcome){PLY_ONGOING, NULL};
}

ply_outcome neighbours_fresh_outcome(const ply_rules *rules, const void *position,
                                     const void *undo_stack, size_t plies)
{
    (void)rules;
    (void)position;
    (void)undo_stack;
    (void)plies;
    return (ply_outcome){PLY_ONGOING, NULL};
}

ply_outcome neighbours_outcome(const ply_rules *rules, const void *position, const void *undo_stack,
                               size_t plies)
{
    const neighbours_position *p = position;
    if (neighbours_count(rules, p) == 0)
        return ply_outcome_win(!p->side, p->current ? "no-move" : "no-pieces");
    return neighbours_node_outcome(rules, position, undo_stack, plies);
}

uint64_t neighbours_hash(const ply_rules *rules, const void *position)
{
    (void)rules;
    return ((const neighbours_position *)position)->hash;
}

uint64_t neighbours_perft(const ply_rules *rules, void *position, int depth, int mode)
{
    (void)mode;
    const neighbours_position *p = position;
    return PLY_ISA_PICK(neighbours_kernels_of)
        ->perft(p->current, p->next, depth, rules->option[NEIGHBOURS_OPTION_PATH]);
}
