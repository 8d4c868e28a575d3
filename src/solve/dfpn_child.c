/* SPDX-License-Identifier: MIT */
/* dfpn_child.c - the path and the children of a node; see dfpn_child.h. */
#include "solve/dfpn_child.h"
#include "core/hash.h"
#include "solve/resources.h"

/* The number of defences at which the initial proof number is capped; tuned, see docs/solve.md. */
enum { MAX_INITIAL_PROOF = 8 };

/* --- the position --------------------------------------------------------------------------- */
uint64_t ply_dfpn_key(const dfpn *d, uint64_t *resources)
{
    *resources = 0;
    uint64_t key = d->goal->dominance_key
                       ? d->goal->dominance_key(d->rules, d->position, d->attacker, resources)
                       : d->rules->game->hash(d->rules, d->position);
    if (d->symmetric) {
        uint64_t image = d->goal->mirror_key(d->rules, d->position);
        key = image < key ? image : key;
    }
    return key + (key == 0);
}

bool ply_dfpn_attacker_to_move(const dfpn *d)
{
    return d->rules->game->side(d->rules, d->position) == d->attacker;
}

bool ply_dfpn_play(dfpn *d, uint32_t depth, ply_move move)
{
    unsigned char *undo = d->undo_stack + depth * d->rules->undo_bytes;
    if (d->rules->game->play(d->rules, d->position, move, undo) == PLY_OK)
        return true;
    d->out_of_memory = d->stopping = true;
    return false;
}

void ply_dfpn_undo(dfpn *d, uint32_t depth, ply_move move)
{
    d->rules->game->undo(d->rules, d->position, move, d->undo_stack + depth * d->rules->undo_bytes);
}

size_t ply_dfpn_list_moves(dfpn *d)
{
    const ply_game *game = d->rules->game;
    bool attacks = ply_dfpn_attacker_to_move(d);
    if (attacks && d->goal->attacks)
        return d->goal->attacks(d->rules, d->position, d->moves);
    size_t count = game->moves(d->rules, d->position, d->moves), kept = 0;
    if (!attacks || !d->goal->allows)
        return count;
    for (size_t i = 0; i < count; i++)
        if (d->goal->allows(d->rules, d->position, d->moves[i], NULL))
            d->moves[kept++] = d->moves[i];
    return kept;
}

/* --- the path ------------------------------------------------------------------------------- */
static uint64_t extend_path_hash(uint64_t path_hash, uint64_t key, uint64_t resources)
{
    return ply_mix64(path_hash ^ (key + resources * PLY_GOLDEN));
}

void ply_dfpn_path_push(dfpn *d, uint32_t depth, uint64_t key, uint64_t resources)
{
    uint16_t *bucket = &d->bucket[key % DFPN_BUCKETS];
    d->path_key[depth] = key;
    d->path_resources[depth] = resources;
    d->path_hash[depth] = extend_path_hash(d->path_hash[depth - 1], key, resources);
    d->path_next[depth] = *bucket;
    *bucket = (uint16_t)depth;
}

void ply_dfpn_path_pop(dfpn *d, uint32_t depth)
{
    d->bucket[d->path_key[depth] % DFPN_BUCKETS] = d->path_next[depth];
}

/* The depth of a position on the path that is at least as good for the attacker, or 0. */
static uint32_t path_find(const dfpn *d, uint64_t key, uint64_t resources)
{
    for (uint32_t i = d->bucket[key % DFPN_BUCKETS]; i; i = d->path_next[i])
        if (d->path_key[i] == key && resources_cover(d->path_resources[i], resources))
            return i;
    return 0;
}

/* --- one child ------------------------------------------------------------------------------ */
void ply_dfpn_child_set_win(dfpn_child *c, uint64_t bound, uint16_t plies)
{
    c->proof = 0;
    c->disproof = NUMBER_INF;
    c->bound = bound;
    c->plies = plies;
    c->dependency = NO_DEPENDENCY;
}

void ply_dfpn_child_set_failure(dfpn_child *c, uint64_t bound, uint16_t plies, uint32_t dependency)
{
    c->proof = NUMBER_INF;
    c->disproof = 0;
    c->bound = bound;
    c->plies = plies;
    c->dependency = dependency;
}

bool ply_dfpn_child_take_result(dfpn_child *c, const dfpn_found *found)
{
    if (found->disproof == NUMBER_INF)
        ply_dfpn_child_set_win(c, found->bound, found->plies);
    else if (found->proof == NUMBER_INF)
        ply_dfpn_child_set_failure(c, found->bound, found->plies, NO_DEPENDENCY);
    else
        return false;
    return true;
}

/* The resources with which the defender, who has no move here, would still have none. */
static uint64_t no_defence_bound(const dfpn *d, uint64_t resources)
{
    if (!d->goal->dominance_key)
        return 0;
    if (!d->goal->defender_lacks)
        return resources;
    return resources & d->goal->defender_lacks(d->rules, d->position, d->attacker);
}

bool ply_dfpn_win_is_complete(dfpn *d, size_t defences, uint64_t resources, uint64_t *bound)
{
    if (defences > 0 && !(d->ignore_futile && d->goal->only_futile_defences(d->rules, d->position)))
        return false;
    d->met_futile |= defences > 0;
    *bound = no_defence_bound(d, resources);
    return true;
}

/* Tries to win immediately in the child's position, the attacker to move. */
static bool find_immediate_win(dfpn *d, uint32_t depth, dfpn_child *c)
{
    if (!d->goal->immediate_win)
        return false;
    ply_move move = d->goal->immediate_win(d->rules, d->position);
    if (move == PLY_MOVE_NONE || !ply_dfpn_play(d, depth, move))
        return false;
    uint64_t resources;
    ply_dfpn_key(d, &resources);
    uint64_t bound = resources_before_move(no_defence_bound(d, resources), c->resources, resources);
    ply_dfpn_undo(d, depth, move);
    ply_dfpn_child_set_win(c, bound, 1);
    ply_dfpn_table_store_win(d->table, c->key, bound, 1, (uint16_t)depth, 0);
    return true;
}

bool ply_dfpn_child_probe(const dfpn *d, uint32_t depth, dfpn_child *c, uint16_t plies,
                          dfpn_found *found)
{
    c->dependency = NO_DEPENDENCY;
    c->depth = UINT16_MAX;
    c->is_new = false;
    ply_dfpn_table_probe(d->table, c->key, c->resources, plies, found);
    if (ply_dfpn_child_take_result(c, found))
        return true;
    uint32_t earlier = path_find(d, c->key, c->resources);
    if (earlier) {
        ply_dfpn_child_set_failure(c, c->resources, plies, earlier);
        return true;
    }
    if (found->path_dependent) {
        uint64_t path_hash = extend_path_hash(d->path_hash[depth], c->key, c->resources);
        uint32_t dependency = ply_dfpn_table_probe_path_failure(d->table, path_hash, plies);
        if (dependency && dependency <= depth) {
            ply_dfpn_child_set_failure(c, c->resources, plies, dependency);
            return true;
        }
    }
    c->depth = found->depth;
    if (found->exact && plies > 0) {
        c->proof = found->proof;
        c->disproof = found->disproof;
        return true;
    }
    c->is_new = true;
    return false;
}

void ply_dfpn_child_evaluate(dfpn *d, uint32_t depth, dfpn_child *c, uint16_t plies)
{
    if (d->goal->value) {
        ply_goal_value value = d->goal->value(d->rules, d->position, d->attacker);
        if (value == PLY_GOAL_REACHED) {
            ply_dfpn_child_set_win(c, d->goal->dominance_key ? c->resources : 0, 0);
            return;
        }
        if (value == PLY_GOAL_MISSED) {
            ply_dfpn_child_set_failure(c, d->goal->dominance_key ? c->resources : RESOURCES_ANY,
                                       PLIES_ANY, NO_DEPENDENCY);
            return;
        }
    }
    if (ply_dfpn_attacker_to_move(d)) {
        if (plies == 0) {
            ply_dfpn_child_set_failure(c, RESOURCES_ANY, 0, NO_DEPENDENCY);
            return;
        }
        if (find_immediate_win(d, depth + 1, c))
            return;
    } else {
        size_t defences = d->goal->count_defences
                              ? d->goal->count_defences(d->rules, d->position, MAX_INITIAL_PROOF)
                              : ply_game_count_moves(d->rules, d->position);
        uint64_t bound;
        if (ply_dfpn_win_is_complete(d, defences, c->resources, &bound)) {
            ply_dfpn_child_set_win(c, bound, 0);
            return;
        }
        if (plies == 0) {
            /* With more resources the attacker might have taken the defences away. */
            ply_dfpn_child_set_failure(c, d->goal->dominance_key ? c->resources : RESOURCES_ANY, 0,
                                       NO_DEPENDENCY);
            return;
        }
        c->proof += (defences > MAX_INITIAL_PROOF ? MAX_INITIAL_PROOF : (uint32_t)defences) - 1;
    }
}

bool ply_dfpn_child_play(dfpn *d, uint32_t depth, dfpn_child *c)
{
    if (!ply_dfpn_play(d, depth, c->move))
        return false;
    c->key = ply_dfpn_key(d, &c->resources);
    return true;
}

void ply_dfpn_child_estimate(const dfpn *d, dfpn_child *c, const dfpn_found *found)
{
    if (c->proof == 0 || c->disproof == 0)
        return;
    if (!c->delayed && d->goal->estimate_effort)
        d->goal->estimate_effort(d->rules, d->position, d->attacker, c->move, &c->proof,
                                 &c->disproof);
    if (found->proof > c->proof)
        c->proof = found->proof;
    if (found->disproof > c->disproof)
        c->disproof = found->disproof;
}

bool ply_dfpn_child_activate(dfpn *d, uint32_t depth, dfpn_child *c, uint16_t plies)
{
    dfpn_found known = {.proof = c->proof, .disproof = c->disproof};
    c->delayed = false;
    c->proof = c->disproof = 1;
    if (!ply_dfpn_play(d, depth, c->move))
        return false;
    ply_dfpn_child_evaluate(d, depth, c, plies);
    ply_dfpn_undo(d, depth, c->move);
    ply_dfpn_child_estimate(d, c, &known);
    return true;
}

uint16_t ply_dfpn_known_win(const dfpn *d)
{
    uint64_t resources, key = ply_dfpn_key(d, &resources);
    dfpn_found found;
    ply_dfpn_table_probe(d->table, key, resources, PLIES_ANY, &found);
    return found.disproof == NUMBER_INF ? found.plies : PLIES_NONE;
}
