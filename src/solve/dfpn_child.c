/* SPDX-License-Identifier: MIT */
/* dfpn_child.c - see the header. */
#include "solve/dfpn_child.h"
#include "core/hash.h"
#include "solve/packed_counts.h"

/*
 * A new position's proof number is its number of answers, at most this, and what the goal thinks;
 * measured, docs/solve.md.
 */
enum { FIRST_PROOF = 8 };

/* --- the position in play ------------------------------------------------------------------- */
uint64_t ply_dfpn_split(const dfpn *d, uint64_t *amounts)
{
    *amounts = 0;
    uint64_t key = d->goal->split ? d->goal->split(d->rules, d->position, d->attacker, amounts)
                                  : d->rules->game->hash(d->rules, d->position);
    if (d->mirrored) {
        uint64_t image = d->goal->mirrored(d->rules, d->position);
        key = image < key ? image : key;
    }
    return key + (key == 0);
}

bool ply_dfpn_attacker_moves(const dfpn *d)
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

size_t ply_dfpn_list(dfpn *d)
{
    const ply_game *game = d->rules->game;
    bool attacks = ply_dfpn_attacker_moves(d);
    if (attacks && d->goal->attacks)
        return d->goal->attacks(d->rules, d->position, d->moves);
    size_t count = game->moves(d->rules, d->position, d->moves), kept = 0;
    if (!attacks || !d->goal->allows)
        return count;
    for (size_t i = 0; i < count; i++)
        if (d->goal->allows(d->rules, d->position, d->moves[i]))
            d->moves[kept++] = d->moves[i];
    return kept;
}

/* --- the path ------------------------------------------------------------------------------- */
static uint64_t way_on(uint64_t way, uint64_t key, uint64_t amounts)
{
    return ply_mix64(way ^ (key + amounts * PLY_GOLDEN));
}

void ply_dfpn_path_push(dfpn *d, uint32_t depth, uint64_t key, uint64_t amounts)
{
    uint16_t *bucket = &d->bucket[key % DFPN_BUCKETS];
    d->path_key[depth] = key;
    d->path_amounts[depth] = amounts;
    d->path_way[depth] = way_on(d->path_way[depth - 1], key, amounts);
    d->path_next[depth] = *bucket;
    *bucket = (uint16_t)depth;
}

void ply_dfpn_path_pop(dfpn *d, uint32_t depth)
{
    d->bucket[d->path_key[depth] % DFPN_BUCKETS] = d->path_next[depth];
}

/* The depth of a position on the path that is at least as good for the attacker, or 0. */
static uint32_t path_find(const dfpn *d, uint64_t key, uint64_t amounts)
{
    for (uint32_t i = d->bucket[key % DFPN_BUCKETS]; i; i = d->path_next[i])
        if (d->path_key[i] == key && amounts_cover(d->path_amounts[i], amounts))
            return i;
    return 0;
}

/* --- one child ------------------------------------------------------------------------------ */
void ply_dfpn_child_win(dfpn_child *c, uint64_t bound, uint16_t plies)
{
    c->proof = 0;
    c->disproof = NUMBER_INF;
    c->bound = bound;
    c->plies = plies;
    c->leans = LEANS_NONE;
}

void ply_dfpn_child_fail(dfpn_child *c, uint64_t bound, uint16_t plies, uint32_t leans)
{
    c->proof = NUMBER_INF;
    c->disproof = 0;
    c->bound = bound;
    c->plies = plies;
    c->leans = leans;
}

bool ply_dfpn_child_decided(dfpn_child *c, const dfpn_found *found)
{
    if (found->disproof == NUMBER_INF)
        ply_dfpn_child_win(c, found->amounts, found->plies);
    else if (found->proof == NUMBER_INF)
        ply_dfpn_child_fail(c, found->amounts, found->plies, LEANS_NONE);
    else
        return false;
    return true;
}

/* The amounts with which the defender, who has no move here, would still have none. */
static uint64_t mated_bound(const dfpn *d, uint64_t amounts)
{
    if (!d->goal->split)
        return 0;
    if (!d->goal->defender_lacks)
        return amounts;
    return amounts & d->goal->defender_lacks(d->rules, d->position, d->attacker);
}

bool ply_dfpn_is_over(dfpn *d, size_t answers, uint64_t amounts, uint64_t *bound)
{
    if (answers > 0 && !(d->counted && d->goal->is_over(d->rules, d->position)))
        return false;
    d->met_over |= answers > 0;
    *bound = mated_bound(d, amounts);
    return true;
}

/* A win at once from the position in play, the attacker to move. */
static bool find_at_once(dfpn *d, uint32_t depth, dfpn_child *c)
{
    if (!d->goal->at_once)
        return false;
    ply_move move = d->goal->at_once(d->rules, d->position);
    if (move == PLY_MOVE_NONE || !ply_dfpn_play(d, depth, move))
        return false;
    uint64_t amounts;
    ply_dfpn_split(d, &amounts);
    uint64_t bound = amounts_back(mated_bound(d, amounts), c->amounts, amounts);
    ply_dfpn_undo(d, depth, move);
    ply_dfpn_child_win(c, bound, 1);
    ply_dfpn_table_store_win(d->table, c->key, bound, 1, (uint16_t)depth, 0);
    return true;
}

bool ply_dfpn_child_look(const dfpn *d, uint32_t depth, dfpn_child *c, uint16_t plies,
                         dfpn_found *found)
{
    c->leans = LEANS_NONE;
    c->depth = UINT16_MAX;
    c->fresh = false;
    ply_dfpn_table_look(d->table, c->key, c->amounts, plies, found);
    if (ply_dfpn_child_decided(c, found))
        return true;
    uint32_t earlier = path_find(d, c->key, c->amounts);
    if (earlier) {
        ply_dfpn_child_fail(c, c->amounts, plies, earlier);
        return true;
    }
    if (found->tied) {
        uint64_t way = way_on(d->path_way[depth], c->key, c->amounts);
        uint32_t leans = ply_dfpn_table_look_tie(d->table, way, plies);
        if (leans && leans <= depth) {
            ply_dfpn_child_fail(c, c->amounts, plies, leans);
            return true;
        }
    }
    c->depth = found->depth;
    if (found->exact && plies > 0) {
        c->proof = found->proof;
        c->disproof = found->disproof;
        return true;
    }
    c->fresh = true;
    return false;
}

void ply_dfpn_child_judge(dfpn *d, uint32_t depth, dfpn_child *c, uint16_t plies)
{
    if (d->goal->value) {
        ply_goal_value value = d->goal->value(d->rules, d->position, d->attacker);
        if (value == PLY_GOAL_REACHED) {
            ply_dfpn_child_win(c, d->goal->split ? c->amounts : 0, 0);
            return;
        }
        if (value == PLY_GOAL_MISSED) {
            ply_dfpn_child_fail(c, d->goal->split ? c->amounts : AMOUNTS_ANY, PLIES_ANY,
                                LEANS_NONE);
            return;
        }
    }
    if (ply_dfpn_attacker_moves(d)) {
        if (plies == 0) {
            ply_dfpn_child_fail(c, AMOUNTS_ANY, 0, LEANS_NONE);
            return;
        }
        if (find_at_once(d, depth + 1, c))
            return;
    } else {
        size_t answers = d->goal->answers ? d->goal->answers(d->rules, d->position, FIRST_PROOF)
                                          : ply_game_count_moves(d->rules, d->position);
        uint64_t bound;
        if (ply_dfpn_is_over(d, answers, c->amounts, &bound)) {
            ply_dfpn_child_win(c, bound, 0);
            return;
        }
        if (plies == 0) {
            /* With more, the attacker might have taken the answers away. */
            ply_dfpn_child_fail(c, d->goal->split ? c->amounts : AMOUNTS_ANY, 0, LEANS_NONE);
            return;
        }
        c->proof += (answers > FIRST_PROOF ? FIRST_PROOF : (uint32_t)answers) - 1;
    }
}

bool ply_dfpn_child_enter(dfpn *d, uint32_t depth, dfpn_child *c)
{
    if (!ply_dfpn_play(d, depth, c->move))
        return false;
    c->key = ply_dfpn_split(d, &c->amounts);
    return true;
}

void ply_dfpn_child_guess(const dfpn *d, dfpn_child *c, const dfpn_found *found)
{
    if (c->proof == 0 || c->disproof == 0)
        return;
    if (!c->waiting && d->goal->effort)
        d->goal->effort(d->rules, d->position, d->attacker, c->move, &c->proof, &c->disproof);
    if (found->proof > c->proof)
        c->proof = found->proof;
    if (found->disproof > c->disproof)
        c->disproof = found->disproof;
}

bool ply_dfpn_child_wake(dfpn *d, uint32_t depth, dfpn_child *c, uint16_t plies)
{
    dfpn_found known = {.proof = c->proof, .disproof = c->disproof};
    c->waiting = false;
    c->proof = c->disproof = 1;
    if (!ply_dfpn_play(d, depth, c->move))
        return false;
    ply_dfpn_child_judge(d, depth, c, plies);
    ply_dfpn_undo(d, depth, c->move);
    ply_dfpn_child_guess(d, c, &known);
    return true;
}
