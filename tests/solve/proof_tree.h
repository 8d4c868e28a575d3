/* SPDX-License-Identifier: MIT */
/*
 * proof_tree.h - a proof as a tree in memory: read from bytes, written to bytes, and checked by the
 * definition in docs/solve.md.
 *
 * The check here is recursive, slow and as short as the definition. It is the oracle of the
 * checker: both must accept the same trees. A ref knows its label by an id that survives changes to
 * the tree; the writer turns ids into numbers. Everything belongs to an arena.
 */
#ifndef TESTS_SOLVE_PROOF_TREE_H
#define TESTS_SOLVE_PROOF_TREE_H

#include "core/arena.h"
#include "proof_bytes.h"

enum { NO_SUCH_LABEL = 1000000, MAX_BRANCHES = 600 };

typedef struct proof_node proof_node;

typedef struct proof_branch {
    unsigned item; /* ITEM_MOVE or ITEM_ELSE */
    ply_move move;
    proof_node *node;
} proof_branch;

struct proof_node {
    unsigned kind;  /* NODE_* */
    uint64_t id;    /* of the label, or of the label a ref leads to */
    uint64_t plies; /* of a label, as the label table states them */
    char *bytes;    /* a label's text, or the bytes of winning sets */
    size_t length;
    size_t count;           /* of branches: one for choose and label */
    proof_branch *branches; /* with room for one more */
};

typedef struct proof_tree {
    ply_arena arena;
    proof_header header;
    proof_node *root;
    uint64_t labels; /* ids in use are smaller */
} proof_tree;

static inline void *tree_take(proof_tree *tree, size_t bytes)
{
    void *memory = ply_arena_take(&tree->arena, bytes);
    assert_non_null(memory);
    memset(memory, 0, bytes);
    return memory;
}

static inline char *tree_string(proof_tree *tree, const void *bytes, size_t count)
{
    char *copy = tree_take(tree, count + 1);
    memcpy(copy, bytes, count);
    return copy;
}

static inline proof_node *tree_node(proof_tree *tree, unsigned kind, size_t room)
{
    proof_node *node = tree_take(tree, sizeof *node);
    node->kind = kind;
    node->branches = tree_take(tree, (room + 1) * sizeof *node->branches);
    return node;
}

/* --- reading: the proof is known to be well-formed --------------------------------------------- */
static inline uint64_t take_varint(const unsigned char **at)
{
    uint64_t value = 0;
    unsigned shift = 0;
    do
        value |= (uint64_t)(**at & 127) << shift;
    while (shift += 7, *(*at)++ & 128);
    return value;
}

static inline char *take_text(proof_tree *tree, const unsigned char **at, size_t *length)
{
    *length = take_varint(at);
    *at += *length;
    return tree_string(tree, *at - *length, *length);
}

/* end: where the label table begins, and a node of winning sets ends if it is the last. */
static inline proof_node *take_node(proof_tree *tree, const unsigned char **at,
                                    const unsigned char *end)
{
    proof_node *node = tree_node(tree, *(*at)++, 0);
    if (node->kind == NODE_CHOOSE) {
        ply_move move = take_varint(at);
        node->branches[node->count++] = (proof_branch){ITEM_MOVE, move, take_node(tree, at, end)};
    } else if (node->kind == NODE_ALL) {
        proof_branch branches[MAX_BRANCHES];
        for (unsigned item; (item = *(*at)++) != ITEM_END;) {
            assert_true(node->count < MAX_BRANCHES);
            proof_branch *b = &branches[node->count++];
            b->item = item;
            b->move = item == ITEM_MOVE ? take_varint(at) : PLY_MOVE_NONE;
            b->node = take_node(tree, at, end);
        }
        node->branches = tree_take(tree, (node->count + 1) * sizeof *branches);
        memcpy(node->branches, branches, node->count * sizeof *branches);
    } else if (node->kind == NODE_REF) {
        node->id = take_varint(at);
    } else if (node->kind == NODE_LABEL) {
        node->bytes = take_text(tree, at, &node->length);
        node->id = tree->labels++;
        node->plies = ply_get64(end + LABEL_BYTES * node->id + 8);
        node->branches[node->count++].node = take_node(tree, at, end);
    } else if (node->kind == NODE_WINNING_SETS) {
        /* Their length is not stated; the tests have proofs in which nothing follows them. */
        node->length = (size_t)(end - *at);
        node->bytes = tree_string(tree, *at, node->length);
        *at = end;
    }
    return node;
}

static inline void tree_read(proof_tree *tree, const memory_file *file)
{
    *tree = (proof_tree){0};
    ply_arena_init(&tree->arena, 0);
    const unsigned char *at = file->bytes + MAGIC_BYTES;
    const unsigned char *end = file->bytes + ply_get64(file->bytes + file->count - 16);
    size_t length;
    tree->header.game = take_text(tree, &at, &length);
    tree->header.variant = take_text(tree, &at, &length);
    tree->header.goal = take_text(tree, &at, &length);
    tree->header.attacker = *at++;
    tree->header.verdict = *at++;
    tree->header.position = take_text(tree, &at, &length);
    tree->header.plies = ply_get64(file->bytes + file->count - 24);
    tree->root = take_node(tree, &at, end);
    assert_ptr_equal(at, end);
}

static inline void tree_free(proof_tree *tree)
{
    ply_arena_free(&tree->arena);
}

/* --- writing ---------------------------------------------------------------------------------- */
typedef struct tree_writer {
    memory_file *file;
    uint64_t ids[4096];
    proof_label labels[4096];
    size_t count;
} tree_writer;

/* Finds the number of every label: the order in which they begin. */
static inline void number_labels(tree_writer *w, const proof_node *node)
{
    if (node->kind == NODE_LABEL) {
        assert_true(w->count < 4096);
        w->ids[w->count++] = node->id;
    }
    for (size_t i = 0; i < node->count; i++)
        number_labels(w, node->branches[i].node);
}

static inline void put_node(tree_writer *w, const proof_node *node)
{
    uint64_t number = 0;
    uint64_t begin = w->file->count;
    put_byte(w->file, node->kind);
    if (node->kind == NODE_CHOOSE)
        put_varint(w->file, node->branches[0].move);
    if (node->kind == NODE_REF) {
        while (number < w->count && w->ids[number] != node->id)
            number++;
        put_varint(w->file, number < w->count ? number : NO_SUCH_LABEL);
    }
    if (node->kind == NODE_LABEL) {
        while (w->labels[number].offset)
            number++;
        w->labels[number] = (proof_label){begin, node->plies};
        put_varint(w->file, node->length);
    }
    memory_sink(w->file, node->bytes ? node->bytes : "", node->length);
    for (size_t i = 0; i < node->count; i++) {
        if (node->kind == NODE_ALL) {
            put_byte(w->file, node->branches[i].item);
            if (node->branches[i].item == ITEM_MOVE)
                put_varint(w->file, node->branches[i].move);
        }
        put_node(w, node->branches[i].node);
    }
    if (node->kind == NODE_ALL)
        put_byte(w->file, ITEM_END);
}

static inline void tree_write(const proof_tree *tree, memory_file *file)
{
    tree_writer *w = calloc(1, sizeof *w);
    assert_non_null(w);
    file->count = 0;
    w->file = file;
    put_header(file, &tree->header);
    number_labels(w, tree->root);
    put_node(w, tree->root);
    put_end(file, &tree->header, w->labels, w->count);
    free(w);
}

/* --- the definition --------------------------------------------------------------------------- */
typedef struct tree_check {
    const ply_goal *goal;
    ply_state *state;
    bool win;
    int attacker;
    struct begun_label {
        const proof_node *node;
        bool complete;
    } labels[4096];
    size_t count;
} tree_check;

static inline void write_identity(const ply_state *state, const ply_goal *goal, ply_text *out)
{
    if (goal->identity)
        goal->identity(state->rules, state->position, out);
    else
        state->rules->game->format(state->rules, state->position, out);
}

static inline bool has_identity(const tree_check *c, const proof_node *label)
{
    ply_text text = ply_text_growing();
    write_identity(c->state, c->goal, &text);
    bool equal = text.length == label->length &&
                 memcmp(ply_text_cstr(&text), label->bytes, text.length) == 0;
    ply_text_free(&text);
    return equal;
}

/* The moves that may be played: the attacker's that the goal allows, or the defender's. In a win,
 * defences that lose immediately may be left out. */
static inline size_t playable_moves(const ply_state *state, const ply_goal *goal, int attacker,
                                    bool win, ply_move *out)
{
    const ply_rules *rules = state->rules;
    bool attacks = rules->game->side(rules, state->position) == attacker;
    if (win && !attacks && goal->defences)
        return goal->defences(rules, state->position, out);
    size_t kept = 0, count = rules->game->moves(rules, state->position, out);
    for (size_t i = 0; i < count; i++)
        if (!attacks || !goal->allows || goal->allows(rules, state->position, out[i], NULL))
            out[kept++] = out[i];
    return kept;
}

static inline bool holds(tree_check *c, const proof_node *node, bool in_else, uint64_t *plies);

static inline bool holds_after(tree_check *c, ply_move move, const proof_node *node, bool in_else,
                               uint64_t *plies)
{
    assert_int_equal(ply_state_play(c->state, move), PLY_OK);
    bool result = holds(c, node, in_else, plies);
    ply_state_undo(c->state);
    ++*plies;
    return result;
}

/* Whether every one of these moves is answered once. */
static inline bool holds_for_all(tree_check *c, const proof_node *node, bool in_else,
                                 ply_move *moves, size_t count, uint64_t *plies)
{
    uint64_t length;
    for (size_t i = 0; i < node->count; i++) {
        const proof_branch *b = &node->branches[i];
        if (b->item == ITEM_ELSE) {
            if (i + 1 < node->count || count == 0)
                return false;
            for (; count > 0; count--) {
                if (!holds_after(c, moves[count - 1], b->node, true, &length))
                    return false;
                *plies = length > *plies ? length : *plies;
            }
            continue;
        }
        size_t k = 0;
        while (k < count && moves[k] != b->move)
            k++;
        if (k == count || !holds_after(c, b->move, b->node, in_else, &length))
            return false;
        *plies = length > *plies ? length : *plies;
        moves[k] = moves[--count];
    }
    return count == 0;
}

static inline bool label_holds(tree_check *c, const proof_node *node, bool in_else, uint64_t *plies)
{
    unsigned kind = node->branches[0].node->kind;
    if (in_else || kind == NODE_LABEL || kind == NODE_REF || !has_identity(c, node))
        return false;
    struct begun_label *label = &c->labels[c->count++];
    *label = (struct begun_label){.node = node};
    if (!holds(c, node->branches[0].node, false, plies))
        return false;
    label->complete = true;
    return node->plies == (c->win ? *plies : 0);
}

static inline bool ref_holds(tree_check *c, const proof_node *node, uint64_t *plies)
{
    size_t i = 0;
    while (i < c->count && c->labels[i].node->id != node->id)
        i++;
    if (i == c->count || (c->win && !c->labels[i].complete))
        return false;
    *plies = c->labels[i].node->plies;
    return has_identity(c, c->labels[i].node);
}

/* Whether a node holds in the position, with a win in *plies. */
static inline bool holds(tree_check *c, const proof_node *node, bool in_else, uint64_t *plies)
{
    const ply_rules *rules = c->state->rules;
    *plies = 0;
    if (node->kind == NODE_LABEL)
        return label_holds(c, node, in_else, plies);
    if (node->kind == NODE_REF)
        return ref_holds(c, node, plies);
    ply_goal_value value =
        c->goal->value ? c->goal->value(rules, c->state->position, c->attacker) : PLY_GOAL_OPEN;
    if (value != PLY_GOAL_OPEN)
        return node->kind == NODE_LEAF && value == (c->win ? PLY_GOAL_REACHED : PLY_GOAL_MISSED);
    bool attacks = rules->game->side(rules, c->state->position) == c->attacker;
    bool chooses = attacks == c->win;
    if (chooses != (node->kind == NODE_CHOOSE))
        return false;
    ply_move *moves = malloc(rules->max_moves * sizeof *moves);
    assert_non_null(moves);
    size_t count = playable_moves(c->state, c->goal, c->attacker, c->win, moves), k = 0;
    bool result;
    if (chooses) {
        while (k < count && moves[k] != node->branches[0].move)
            k++;
        result = k < count && holds_after(c, moves[k], node->branches[0].node, in_else, plies);
    } else if (node->kind == NODE_LEAF)
        result = count == 0;
    else
        result = count > 0 && holds_for_all(c, node, in_else, moves, count, plies);
    free(moves);
    return result;
}

/* Whether a proof without winning sets proves its claim. */
static inline bool tree_holds(const proof_tree *tree, ply_state *state)
{
    const proof_header *header = &tree->header;
    tree_check *c = calloc(1, sizeof *c);
    assert_non_null(c);
    uint64_t plies;
    *c = (tree_check){.goal = ply_goal_find(state->rules->game, header->goal),
                      .state = state,
                      .win = header->verdict == PLY_VERDICT_WIN,
                      .attacker = (int)header->attacker};
    assert_int_equal(ply_state_parse(state, header->position, strlen(header->position), NULL),
                     PLY_OK);
    bool result = state->rules->game->side(state->rules, state->position) == c->attacker &&
                  holds(c, tree->root, false, &plies) && header->plies == (c->win ? plies : 0);
    free(c);
    return result;
}

#endif
