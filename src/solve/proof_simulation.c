/* SPDX-License-Identifier: MIT */
/* proof_simulation.c - see the header. */
#include "solve/proof_simulation.h"
#include "solve/dfpn_child.h"
#include "solve/dfpn_search.h"
#include "solve/packed_counts.h"

enum { FOLLOW_DEPTH = 200, FOLLOW_NODES = 2000 };

/* Puts the other position in play: the model, or the one that is to be proved. */
static void exchange(dfpn *d)
{
    unsigned char *position = d->position, *undo_stack = d->undo_stack;
    d->position = d->model;
    d->undo_stack = d->model_undo_stack;
    d->model = position;
    d->model_undo_stack = undo_stack;
}

static bool play_model(dfpn *d, uint32_t depth, ply_move move)
{
    exchange(d);
    bool ok = ply_dfpn_play(d, depth, move);
    exchange(d);
    return ok;
}

static void undo_model(dfpn *d, uint32_t depth, ply_move move)
{
    exchange(d);
    ply_dfpn_undo(d, depth, move);
    exchange(d);
}

/* Whether d->moves has a move among its first `count`. */
static bool listed(const dfpn *d, size_t count, ply_move move)
{
    for (size_t i = 0; i < count; i++)
        if (d->moves[i] == move)
            return true;
    return false;
}

/* The move that wins fastest in the model and is an attack here too, or PLY_MOVE_NONE. */
static ply_move model_attack(dfpn *d, uint32_t depth, const dfpn_row *row)
{
    ply_move best = PLY_MOVE_NONE;
    exchange(d);
    uint16_t least = ply_dfpn_known_win(d);
    size_t count = least == PLIES_NONE ? 0 : ply_dfpn_list(d);
    for (size_t i = 0; i < row->count; i++) {
        ply_move move = d->children[row->first + i].move;
        if (!listed(d, count, move) || !ply_dfpn_play(d, depth, move))
            continue;
        uint16_t plies = ply_dfpn_known_win(d);
        ply_dfpn_undo(d, depth, move);
        if (plies < least) {
            least = plies;
            best = move;
        }
    }
    exchange(d);
    return best;
}

static bool follow(dfpn *d, uint32_t depth, uint32_t last, dfpn_child *c);

static bool follow_attack(dfpn *d, uint32_t depth, uint32_t last, const dfpn_row *row,
                          dfpn_child *c)
{
    dfpn_child child = {.move = model_attack(d, depth, row)};
    if (child.move == PLY_MOVE_NONE || !play_model(d, depth, child.move))
        return false;
    bool won = ply_dfpn_child_enter(d, depth, &child);
    if (won) {
        won = follow(d, depth + 1, last, &child);
        ply_dfpn_undo(d, depth, child.move);
    }
    undo_model(d, depth, child.move);
    if (won)
        ply_dfpn_child_win(c, amounts_back(child.bound, c->amounts, child.amounts),
                           one_more(child.plies));
    return won;
}

static bool follow_defences(dfpn *d, uint32_t depth, uint32_t last, const dfpn_row *row,
                            dfpn_child *c)
{
    uint16_t plies = 0;
    bool all = true;
    exchange(d);
    size_t count = ply_dfpn_list(d);
    for (size_t i = 0; i < row->count; i++)
        d->children[row->first + i].waiting = listed(d, count, d->children[row->first + i].move);
    exchange(d);
    for (size_t i = 0; i < row->count; i++) {
        dfpn_child child = d->children[row->first + i];
        if (!ply_dfpn_child_enter(d, depth, &child))
            return false;
        bool in_model = child.waiting && play_model(d, depth, child.move);
        bool won = follow(d, depth + 1, in_model ? last : 0, &child);
        if (in_model)
            undo_model(d, depth, child.move);
        ply_dfpn_undo(d, depth, child.move);
        /* One that holds does not make the others less worth knowing. */
        all &= won;
        plies = child.plies > plies ? child.plies : plies;
        d->children[row->first + i] = child;
        if (child.disproof == 0 || (!won && d->follow_left == 0))
            return false;
    }
    if (!all)
        return false;
    ply_dfpn_child_win(c, ply_dfpn_lost_bound(d, row, c->amounts), one_more(plies));
    return true;
}

/*
 * The same for a child whose position is in play at `depth`, with the model's; beyond the depth
 * `last` only what is plain to see.
 */
static bool follow(dfpn *d, uint32_t depth, uint32_t last, dfpn_child *c)
{
    dfpn_found found;
    ply_dfpn_table_look(d->table, c->key, c->amounts, PLIES_ANY, &found);
    if (ply_dfpn_child_decided(c, &found))
        return c->proof == 0;
    c->proof = c->disproof = 1;
    ply_dfpn_child_judge(d, depth - 1, c, PLIES_ANY);
    if (c->proof == 0 || c->disproof == 0 || depth >= last || d->follow_left == 0)
        return c->proof == 0;
    d->follow_left--;
    uint64_t start = d->nodes++;
    ply_dfpn_pause(d);
    dfpn_row row;
    if (d->stopping || d->ending || !ply_dfpn_move_list(d, &row))
        return false;
    bool won = ply_dfpn_attacker_moves(d) ? follow_attack(d, depth, last, &row, c)
                                          : follow_defences(d, depth, last, &row, c);
    d->child_count = row.first;
    if (won)
        ply_dfpn_table_store_win(d->table, c->key, c->bound, c->plies, (uint16_t)depth,
                                 d->nodes - start);
    return won;
}

bool ply_dfpn_simulate(dfpn *d, uint32_t depth, ply_move model, dfpn_child *child)
{
    uint32_t last = depth + FOLLOW_DEPTH < DFPN_DEPTH ? depth + FOLLOW_DEPTH : DFPN_DEPTH;
    dfpn_child c = *child;
    if (ply_game_copy(d->rules, d->model, d->position) != PLY_OK)
        return false;
    bool won = play_model(d, depth, model);
    d->follow_left = FOLLOW_NODES;
    if (won && (won = ply_dfpn_child_enter(d, depth, &c))) {
        won = follow(d, depth + 1, last, &c);
        ply_dfpn_undo(d, depth, c.move);
    }
    ply_game_clear(d->rules, d->model);
    if (won)
        ply_dfpn_child_win(child, c.bound, c.plies);
    return won;
}
