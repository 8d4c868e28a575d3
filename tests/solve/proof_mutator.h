/* SPDX-License-Identifier: MIT */
/*
 * proof_mutator.h - changes to proofs that keep them well-formed.
 *
 * Bytes changed at random are rejected as soon as they are read. These changes are made to the
 * tree: moves, branches, labels, references, lengths and the claim. Some keep the proof true: a ref
 * replaced by what it refers to, `else` spelled out, a branch as the new root.
 */
#ifndef TESTS_SOLVE_PROOF_MUTATOR_H
#define TESTS_SOLVE_PROOF_MUTATOR_H

#include "proof_tree.h"

/* A node of the tree, and the position there if the moves that lead to it could be played. */
typedef struct proof_spot {
    proof_node **slot;
    bool known;
    size_t left; /* nodes to pass */
} proof_spot;

static inline size_t count_nodes(const proof_node *node)
{
    size_t count = 1;
    for (size_t i = 0; i < node->count; i++)
        count += count_nodes(node->branches[i].node);
    return count;
}

static inline proof_node *copy_node(proof_tree *tree, const proof_node *node)
{
    proof_node *copy = tree_take(tree, sizeof *copy);
    *copy = *node;
    copy->branches = tree_take(tree, (node->count + 1) * sizeof *copy->branches);
    for (size_t i = 0; i < node->count; i++) {
        copy->branches[i] = node->branches[i];
        copy->branches[i].node = copy_node(tree, node->branches[i].node);
    }
    if (copy->kind == NODE_LABEL)
        copy->id = tree->labels++;
    return copy;
}

/* The move of a branch, or a move that `else` stands for; PLY_MOVE_NONE if it cannot be played. */
static inline ply_move branch_move(const ply_state *state, const proof_node *node, size_t branch)
{
    const ply_rules *rules = state->rules;
    ply_move *moves = malloc(rules->max_moves * sizeof *moves), found = PLY_MOVE_NONE;
    assert_non_null(moves);
    size_t count = rules->game->moves(rules, state->position, moves);
    for (size_t i = 0; i < count && !found; i++) {
        bool wanted = moves[i] == node->branches[branch].move;
        if (node->branches[branch].item == ITEM_ELSE) {
            wanted = true;
            for (size_t k = 0; k < branch; k++)
                wanted = wanted && node->branches[k].move != moves[i];
        }
        found = wanted ? moves[i] : PLY_MOVE_NONE;
    }
    free(moves);
    return found;
}

/* Goes to node number spot->left, depth first, and leaves the state there. */
static inline bool go_to(proof_spot *spot, proof_node **slot, ply_state *state)
{
    if (spot->left-- == 0) {
        spot->slot = slot;
        return true;
    }
    for (size_t i = 0; i < (*slot)->count; i++) {
        bool known = spot->known;
        ply_move move = PLY_MOVE_NONE;
        if ((*slot)->kind != NODE_LABEL && known) {
            move = branch_move(state, *slot, i);
            spot->known = move && ply_state_play(state, move) == PLY_OK;
        }
        if (go_to(spot, &(*slot)->branches[i].node, state))
            return true;
        if (move && spot->known)
            ply_state_undo(state);
        spot->known = known;
    }
    return false;
}

static inline proof_spot random_spot(proof_tree *tree, ply_state *state, ply_rng *rng)
{
    proof_spot spot = {.left = ply_rng_below(rng, (uint32_t)count_nodes(tree->root))};
    const char *text = tree->header.position;
    spot.known = ply_state_parse(state, text, strlen(text), NULL) == PLY_OK;
    assert_true(go_to(&spot, &tree->root, state));
    return spot;
}

/* Node number `left` of a kind, depth first; NULL if there are not so many. */
static inline proof_node *nth_of_kind(proof_node *node, unsigned kind, size_t *left)
{
    if (node->kind == kind && (*left)-- == 0)
        return node;
    for (size_t i = 0; i < node->count; i++) {
        proof_node *found = nth_of_kind(node->branches[i].node, kind, left);
        if (found)
            return found;
    }
    return NULL;
}

static inline proof_node *random_of_kind(proof_tree *tree, unsigned kind, ply_rng *rng)
{
    size_t count = SIZE_MAX;
    nth_of_kind(tree->root, kind, &count);
    count = SIZE_MAX - count;
    size_t left = count ? ply_rng_below(rng, (uint32_t)count) : 0;
    return count ? nth_of_kind(tree->root, kind, &left) : NULL;
}

static inline ply_move random_move(const ply_state *state, ply_rng *rng)
{
    size_t count = ply_game_count_moves(state->rules, state->position);
    return count ? ply_game_nth_move(state->rules, state->position,
                                     ply_rng_below(rng, (uint32_t)count))
                 : 1 + ply_rng_below(rng, 1000);
}

/* --- changes to one node ---------------------------------------------------------------------- */
static inline void change_branches(proof_tree *tree, proof_node *node, const ply_state *state,
                                   ply_rng *rng)
{
    if (node->count == 0 || node->kind == NODE_LABEL)
        return;
    size_t i = ply_rng_below(rng, (uint32_t)node->count),
           k = ply_rng_below(rng, (uint32_t)node->count);
    proof_branch saved = node->branches[i];
    switch (node->kind == NODE_CHOOSE ? 0 : ply_rng_below(rng, 6)) {
    case 0:
        node->branches[i].move = random_move(state, rng);
        break;
    case 1: /* remove */
        node->branches[i] = node->branches[--node->count];
        break;
    case 2:                             /* repeat */
        *node = *copy_node(tree, node); /* with room for one more */
        saved.node = copy_node(tree, saved.node);
        node->branches[node->count++] = saved;
        break;
    case 3: /* another order */
        node->branches[i] = node->branches[k];
        node->branches[k] = saved;
        break;
    case 4: /* another answer */
        node->branches[i].node = copy_node(tree, node->branches[k].node);
        break;
    default: /* else, instead of this branch and perhaps others */
        node->branches[i] = node->branches[node->count - 1];
        saved.item = ITEM_ELSE;
        if (ply_rng_below(rng, 2))
            node->count = 1 + ply_rng_below(rng, (uint32_t)node->count);
        node->branches[node->count - 1] = saved;
    }
}

/* Lists what `else` stands for. */
static inline proof_node *spell_out(proof_tree *tree, proof_node *node, ply_state *state)
{
    if (node->kind != NODE_ALL || !node->count || node->branches[node->count - 1].item != ITEM_ELSE)
        return node;
    const ply_goal *goal = ply_goal_find(state->rules->game, tree->header.goal);
    ply_move *moves = tree_take(tree, state->rules->max_moves * sizeof *moves);
    size_t count = playable_moves(state, goal, (int)tree->header.attacker,
                                  tree->header.verdict == PLY_VERDICT_WIN, moves);
    proof_node *longer = tree_node(tree, NODE_ALL, node->count + count);
    const proof_node *rest = node->branches[node->count - 1].node;
    for (size_t i = 0; i + 1 < node->count; i++)
        longer->branches[longer->count++] = node->branches[i];
    for (size_t i = 0; i < count; i++) {
        bool listed = false;
        for (size_t k = 0; k + 1 < node->count; k++)
            listed = listed || node->branches[k].move == moves[i];
        if (!listed)
            longer->branches[longer->count++] =
                (proof_branch){ITEM_MOVE, moves[i], copy_node(tree, rest)};
    }
    return longer;
}

/* A label on a node, with the right text or with that of another label. */
static inline proof_node *add_label(proof_tree *tree, proof_node *node, const ply_state *state,
                                    ply_rng *rng)
{
    proof_node *label = tree_node(tree, NODE_LABEL, 1),
               *other = random_of_kind(tree, NODE_LABEL, rng);
    ply_text text = ply_text_growing();
    write_identity(state, ply_goal_find(state->rules->game, tree->header.goal), &text);
    if (other && ply_rng_below(rng, 4) == 0) {
        ply_text_clear(&text);
        ply_text_bytes(&text, other->bytes, other->length);
    }
    label->id = tree->labels++;
    label->bytes = tree_string(tree, ply_text_cstr(&text), text.length);
    label->length = text.length;
    label->branches[label->count++].node = node;
    ply_text_free(&text);
    return label;
}

static inline void change_label(proof_tree *tree, ply_rng *rng)
{
    proof_node *label = random_of_kind(tree, NODE_LABEL, rng);
    proof_node *other = random_of_kind(tree, NODE_LABEL, rng);
    if (!label)
        return;
    size_t at = label->length ? ply_rng_below(rng, (uint32_t)label->length) : 0;
    switch (ply_rng_below(rng, 4)) {
    case 0:
        label->plies += ply_rng_below(rng, 5) - 2u;
        break;
    case 1:
        label->bytes = other->bytes;
        label->length = other->length;
        break;
    case 2:
        label->bytes = tree_string(tree, label->bytes, label->length);
        label->bytes[at] = (char)(1 + ply_rng_below(rng, 127));
        break;
    default:
        label->length -= label->length > 0;
    }
}

/* --- changes to the claim --------------------------------------------------------------------- */
static inline void change_claim(proof_tree *tree, const proof_spot *spot, const ply_state *state,
                                ply_rng *rng)
{
    proof_header *header = &tree->header;
    ply_text text = ply_text_growing();
    switch (ply_rng_below(rng, 5)) {
    case 0:
        header->plies += ply_rng_below(rng, 5) - 2u;
        break;
    case 1:
        header->verdict = 3 - header->verdict;
        break;
    case 2:
        header->attacker = 1 - header->attacker;
        break;
    default: /* what follows here, as a proof of its own */
        if (!spot->known)
            break;
        state->rules->game->format(state->rules, state->position, &text);
        header->position = tree_string(tree, ply_text_cstr(&text), text.length);
        if (ply_rng_below(rng, 4))
            tree->root = *spot->slot;
    }
    ply_text_free(&text);
}

/* --- lengths ---------------------------------------------------------------------------------- */
static inline const proof_node *find_label(const proof_node *node, uint64_t id)
{
    if (node->kind == NODE_LABEL && node->id == id)
        return node;
    const proof_node *found = NULL;
    for (size_t i = 0; i < node->count && !found; i++)
        found = find_label(node->branches[i].node, id);
    return found;
}

/* Makes the stated lengths of a win right. */
static inline uint64_t correct_lengths(proof_tree *tree, proof_node *node)
{
    uint64_t longest = 0;
    for (size_t i = 0; i < node->count; i++) {
        uint64_t plies = correct_lengths(tree, node->branches[i].node) + (node->kind != NODE_LABEL);
        longest = plies > longest ? plies : longest;
    }
    if (node->kind == NODE_LABEL)
        node->plies = tree->header.verdict == PLY_VERDICT_WIN ? longest : 0;
    if (node->kind == NODE_REF) {
        const proof_node *label = find_label(tree->root, node->id);
        longest = label ? label->plies : 0;
    }
    return longest;
}

/* --- one mutation ----------------------------------------------------------------------------- */
static inline void mutate_once(proof_tree *tree, ply_state *state, ply_rng *rng)
{
    proof_spot other = random_spot(tree, state, rng), spot = random_spot(tree, state, rng);
    proof_node *node = *spot.slot, *ref = random_of_kind(tree, NODE_REF, rng);
    proof_node *label = random_of_kind(tree, NODE_LABEL, rng);
    const proof_node *target = ref ? find_label(tree->root, ref->id) : NULL;
    switch (ply_rng_below(rng, 14)) {
    case 0:
    case 1:
    case 2:
        change_branches(tree, node, state, rng);
        break;
    case 3:
        *spot.slot = copy_node(tree, *other.slot);
        break;
    case 4:
        if (spot.known)
            *spot.slot = spell_out(tree, node, state);
        break;
    case 5:
        *spot.slot = tree_node(tree, NODE_LEAF, 0);
        break;
    case 6:
        if (label) {
            *spot.slot = tree_node(tree, NODE_REF, 0);
            (*spot.slot)->id = label->id;
        }
        break;
    case 7:
        if (spot.known)
            *spot.slot = add_label(tree, node, state, rng);
        break;
    case 8:
        if (node->kind == NODE_LABEL)
            *spot.slot = node->branches[0].node;
        else if (node->kind == NODE_CHOOSE || node->kind == NODE_ALL)
            node->kind = node->count == 1 && node->kind == NODE_ALL ? NODE_CHOOSE : NODE_ALL;
        break;
    case 9:
        if (ref && label)
            ref->id = label->id;
        break;
    case 10: /* what is referred to, instead of the ref */
        if (target && count_nodes(target) < 500)
            *ref = *copy_node(tree, target->branches[0].node);
        break;
    case 11:
        change_label(tree, rng);
        break;
    case 12:
        if (node->kind == NODE_WINNING_SETS && node->length > 0)
            node->bytes[ply_rng_below(rng, (uint32_t)node->length)] = (char)ply_rng_below(rng, 64);
        break;
    default:
        change_claim(tree, &spot, state, rng);
    }
}

/* Makes one to three changes; three times out of four, the stated lengths are made right. */
static inline void mutate(proof_tree *tree, ply_state *state, ply_rng *rng)
{
    for (unsigned n = 1 + ply_rng_below(rng, 3); n > 0; n--)
        mutate_once(tree, state, rng);
    if (ply_rng_below(rng, 4)) {
        uint64_t plies = correct_lengths(tree, tree->root);
        tree->header.plies = tree->header.verdict == PLY_VERDICT_WIN ? plies : 0;
    }
}

#endif
