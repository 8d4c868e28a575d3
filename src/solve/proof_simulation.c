/* SPDX-License-Identifier: MIT */
/* proof_simulation.c - Kawano's simulation; see proof_simulation.h. */
#include "solve/proof_simulation.h"
#include "solve/dfpn_child.h"
#include "solve/dfpn_search.h"
#include "solve/resources.h"

/* Limits of one simulation. */
enum { SIMULATION_DEPTH = 200, SIMULATION_NODES = 2000 };

/* Exchanges the position and the model, so that functions on the position apply to the other. */
static void swap_positions(dfpn *d)
{
    unsigned char *position = d->position, *undo_stack = d->undo_stack;
    d->position = d->model;
    d->undo_stack = d->model_undo_stack;
    d->model = position;
    d->model_undo_stack = undo_stack;
}

static bool play_model(dfpn *d, uint32_t depth, ply_move move)
{
    swap_positions(d);
    bool ok = ply_dfpn_play(d, depth, move);
    swap_positions(d);
    return ok;
}

static void undo_model(dfpn *d, uint32_t depth, ply_move move)
{
    swap_positions(d);
    ply_dfpn_undo(d, depth, move);
    swap_positions(d);
}

/* Whether a move is among the first `count` of d->moves. */
static bool is_listed(const dfpn *d, size_t count, ply_move move)
{
    for (size_t i = 0; i < count; i++)
        if (d->moves[i] == move)
            return true;
    return false;
}

/* The attack that wins fastest in the model and is possible here too, or PLY_MOVE_NONE. */
static ply_move model_attack(dfpn *d, uint32_t depth, const dfpn_frame *frame)
{
    ply_move best = PLY_MOVE_NONE;
    swap_positions(d);
    uint16_t least = ply_dfpn_known_win(d);
    size_t count = least == PLIES_NONE ? 0 : ply_dfpn_list_moves(d);
    for (size_t i = 0; i < frame->count; i++) {
        ply_move move = d->children[frame->first + i].move;
        if (!is_listed(d, count, move) || !ply_dfpn_play(d, depth, move))
            continue;
        uint16_t plies = ply_dfpn_known_win(d);
        ply_dfpn_undo(d, depth, move);
        if (plies < least) {
            least = plies;
            best = move;
        }
    }
    swap_positions(d);
    return best;
}

static bool simulate(dfpn *d, uint32_t depth, uint32_t last, dfpn_child *c);

/* The attacker plays what won in the model. */
static bool simulate_attack(dfpn *d, uint32_t depth, uint32_t last, const dfpn_frame *frame,
                            dfpn_child *c)
{
    dfpn_child child = {.move = model_attack(d, depth, frame)};
    if (child.move == PLY_MOVE_NONE || !play_model(d, depth, child.move))
        return false;
    bool won = ply_dfpn_child_play(d, depth, &child);
    if (won) {
        won = simulate(d, depth + 1, last, &child);
        ply_dfpn_undo(d, depth, child.move);
    }
    undo_model(d, depth, child.move);
    if (won)
        ply_dfpn_child_set_win(c, resources_before_move(child.bound, c->resources, child.resources),
                               plies_plus_one(child.plies));
    return won;
}

/* Every defence must lose: like in the model or, where it is not possible there, immediately. */
static bool simulate_defences(dfpn *d, uint32_t depth, uint32_t last, const dfpn_frame *frame,
                              dfpn_child *c)
{
    uint16_t plies = 0;
    bool all_lose = true;
    swap_positions(d);
    size_t count = ply_dfpn_list_moves(d);
    for (size_t i = 0; i < frame->count; i++)
        d->children[frame->first + i].in_model =
            is_listed(d, count, d->children[frame->first + i].move);
    swap_positions(d);
    for (size_t i = 0; i < frame->count; i++) {
        dfpn_child child = d->children[frame->first + i];
        if (!ply_dfpn_child_play(d, depth, &child))
            return false;
        bool in_model = child.in_model && play_model(d, depth, child.move);
        bool won = simulate(d, depth + 1, in_model ? last : 0, &child);
        if (in_model)
            undo_model(d, depth, child.move);
        ply_dfpn_undo(d, depth, child.move);
        /* Even if this defence holds, the results for the others are worth having. */
        all_lose &= won;
        plies = child.plies > plies ? child.plies : plies;
        d->children[frame->first + i] = child;
        if (child.disproof == 0 || (!won && d->simulation_nodes_left == 0))
            return false;
    }
    if (!all_lose)
        return false;
    ply_dfpn_child_set_win(c, ply_dfpn_lost_bound(d, frame, c->resources), plies_plus_one(plies));
    return true;
}

/*
 * Simulates in a child's position, at `depth`, with the model at the corresponding one. From depth
 * `last` on only immediate results are used.
 */
static bool simulate(dfpn *d, uint32_t depth, uint32_t last, dfpn_child *c)
{
    dfpn_found found;
    ply_dfpn_table_probe(d->table, c->key, c->resources, PLIES_ANY, &found);
    if (ply_dfpn_child_take_result(c, &found))
        return c->proof == 0;
    c->proof = c->disproof = 1;
    ply_dfpn_child_evaluate(d, depth - 1, c, PLIES_ANY);
    if (c->proof == 0 || c->disproof == 0 || depth >= last || d->simulation_nodes_left == 0)
        return c->proof == 0;
    d->simulation_nodes_left--;
    uint64_t start = d->nodes++;
    ply_dfpn_poll(d);
    dfpn_frame frame;
    if (d->stopping || d->quitting || !ply_dfpn_push_children(d, &frame))
        return false;
    bool won = ply_dfpn_attacker_to_move(d) ? simulate_attack(d, depth, last, &frame, c)
                                            : simulate_defences(d, depth, last, &frame, c);
    d->child_count = frame.first;
    if (won)
        ply_dfpn_table_store_win(d->table, c->key, c->bound, c->plies, (uint16_t)depth,
                                 d->nodes - start);
    return won;
}

bool ply_dfpn_simulate(dfpn *d, uint32_t depth, ply_move model, dfpn_child *child)
{
    uint32_t last = depth + SIMULATION_DEPTH < DFPN_DEPTH ? depth + SIMULATION_DEPTH : DFPN_DEPTH;
    dfpn_child c = *child;
    if (ply_game_copy(d->rules, d->model, d->position) != PLY_OK)
        return false;
    bool won = play_model(d, depth, model);
    d->simulation_nodes_left = SIMULATION_NODES;
    if (won && (won = ply_dfpn_child_play(d, depth, &c))) {
        won = simulate(d, depth + 1, last, &c);
        ply_dfpn_undo(d, depth, c.move);
    }
    ply_game_clear(d->rules, d->model);
    if (won)
        ply_dfpn_child_set_win(child, c.bound, c.plies);
    return won;
}
