/* SPDX-License-Identifier: MIT */
/*
 * proof_strategy.c - writes a proof from a strategy.
 *
 * Traverses the positions that the strategy leads to twice. The first pass queries the strategy
 * once per position and finds the positions that occur again; the second pass writes. A position
 * that occurs again gets a label if its subtree is larger than a reference; small subtrees are
 * repeated.
 */
#include "core/hash.h"
#include <assert.h>
#include <plyverse/solve.h>
#include <stdlib.h>
#include <string.h>

enum {
    SMALL_NODES = 24,    /* a subtree with fewer nodes is shorter than the text of a label */
    DEPTH_LIMIT = 20000, /* of the proof, in plies */
    MAX_RETRIES = 16,    /* of the first pass, after a cycle */
    FIRST_CAPACITY = 1024,
};

/* What is known about a position. */
typedef struct position_info {
    uint64_t key;        /* the position's key; 0: an empty slot */
    ply_move move;       /* the chooser's move */
    uint32_t plies;      /* the length of the win from here */
    uint32_t nodes;      /* of the subtree, without what is written elsewhere */
    uint32_t label;      /* its number + 1; 0: none yet */
    uint8_t on_path;     /* being explored */
    uint8_t repeated;    /* occurs again */
    uint8_t single_node; /* the strategy proves it with a single node */
    uint8_t explored;    /* met in the first pass */
} position_info;

typedef struct traversal {
    ply_proof_writer *writer;
    const ply_proof_claim *claim;
    const ply_rules *rules;
    const ply_proof_strategy *strategy;
    int chooser;
    void *position;
    position_info *slots; /* a hash table; capacity is a power of two */
    size_t count, capacity;
    size_t max_bytes;
    ply_move *moves; /* a stack with the moves of all nodes on the path */
    size_t move_count, move_capacity;
    unsigned char *undo_stack;
    size_t undo_capacity;
    size_t depth;
    uint32_t nodes; /* counted in the first pass */
    ply_status status;
    bool cycle; /* the strategy returned to a position on the path */
} traversal;

static position_info *find_slot(position_info *slots, size_t capacity, uint64_t key)
{
    size_t i = (size_t)(key * PLY_GOLDEN >> 20) & (capacity - 1);
    while (slots[i].key && slots[i].key != key)
        i = (i + 1) & (capacity - 1);
    return &slots[i];
}

static bool grow(traversal *t)
{
    size_t capacity = t->capacity ? 2 * t->capacity : FIRST_CAPACITY;
    if ((capacity + t->capacity) * sizeof(position_info) > t->max_bytes) {
        t->status = PLY_LIMIT;
        return false;
    }
    position_info *grown = calloc(capacity, sizeof *grown);
    if (!grown) {
        t->status = PLY_NO_MEMORY;
        return false;
    }
    for (size_t i = 0; i < t->capacity; i++)
        if (t->slots[i].key)
            *find_slot(grown, capacity, t->slots[i].key) = t->slots[i];
    free(t->slots);
    t->slots = grown;
    t->capacity = capacity;
    return true;
}

/* What is known about the current position; NULL when out of memory. */
static position_info *enter_position(traversal *t)
{
    if (t->count * 4 >= t->capacity * 3 && !grow(t))
        return NULL;
    uint64_t key = t->rules->game->hash(t->rules, t->position);
    /* Keys ignore counters but include the side to move; 0 marks an empty slot. */
    key += key == 0;
    position_info *info = find_slot(t->slots, t->capacity, key);
    if (info->key == 0) {
        info->key = key;
        t->count++;
    }
    return info;
}

/* Makes room for one more list of moves and one more undo entry. */
static bool stack_reserve(traversal *t)
{
    size_t need = t->move_count + t->rules->max_moves;
    if (need > t->move_capacity) {
        size_t capacity = 2 * need;
        ply_move *grown = realloc(t->moves, capacity * sizeof *grown);
        if (!grown)
            return false;
        t->moves = grown;
        t->move_capacity = capacity;
    }
    if (t->depth + 1 > t->undo_capacity) {
        size_t capacity = 2 * t->undo_capacity + 64;
        unsigned char *grown = realloc(t->undo_stack, capacity * (t->rules->undo_bytes + 1));
        if (!grown)
            return false;
        t->undo_stack = grown;
        t->undo_capacity = capacity;
    }
    return true;
}

static bool play(traversal *t, ply_move move)
{
    if (t->depth >= DEPTH_LIMIT || !stack_reserve(t)) {
        t->status = t->depth >= DEPTH_LIMIT ? PLY_LIMIT : PLY_NO_MEMORY;
        return false;
    }
    unsigned char *undo = t->undo_stack + t->depth * t->rules->undo_bytes;
    t->status = t->rules->game->play(t->rules, t->position, move, undo);
    t->depth += t->status == PLY_OK;
    return t->status == PLY_OK;
}

static void undo(traversal *t, ply_move move)
{
    t->depth--;
    t->rules->game->undo(t->rules, t->position, move,
                         t->undo_stack + t->depth * t->rules->undo_bytes);
}

static bool is_decided(traversal *t)
{
    const ply_goal *goal = t->claim->goal;
    return goal->value && goal->value(t->rules, t->position, t->claim->attacker) != PLY_GOAL_OPEN;
}

/* Pushes the moves that must be answered on the stack; returns their number. */
static size_t push_moves(traversal *t)
{
    const ply_goal *goal = t->claim->goal;
    if (!stack_reserve(t)) {
        t->status = PLY_NO_MEMORY;
        return 0;
    }
    assert(t->moves); /* stack_reserve made room */
    ply_move *out = t->moves + t->move_count;
    bool attacks = t->rules->game->side(t->rules, t->position) == t->claim->attacker;
    size_t kept = 0, n = !attacks && goal->defences
                             ? goal->defences(t->rules, t->position, out)
                             : t->rules->game->moves(t->rules, t->position, out);
    for (size_t i = 0; i < n; i++)
        if (!attacks || !goal->allows || goal->allows(t->rules, t->position, out[i], NULL))
            out[kept++] = out[i];
    t->move_count += kept;
    return kept;
}

static bool chooser_to_move(traversal *t)
{
    return t->rules->game->side(t->rules, t->position) == t->chooser;
}

static bool write_single_node(traversal *t, ply_proof_writer *writer)
{
    const ply_proof_strategy *s = t->strategy;
    return s->write_node && s->write_node(s->context, t->position, writer);
}

/* --- the first pass ------------------------------------------------------------------------- */
static ply_move query_move(traversal *t, uint32_t *within)
{
    const ply_proof_strategy *s = t->strategy;
    return t->claim->verdict == PLY_VERDICT_WIN && s->move_within
               ? s->move_within(s->context, t->position, within)
               : s->move(s->context, t->position);
}

static uint32_t explore(traversal *t, uint32_t within);

/* Plays a move and explores the position after it. Returns the length of the win including it. */
static uint32_t explore_move(traversal *t, ply_move move, uint32_t within)
{
    if (!play(t, move))
        return 0;
    uint32_t plies = 1 + explore(t, within ? within - 1 : 0);
    undo(t, move);
    return plies;
}

/*
 * Explores the current position. Returns the length of the win from here, which should be at most
 * `within` (0: any). Adds the nodes that will be written here, 1 for a reference, to t->nodes.
 */
static uint32_t explore(traversal *t, uint32_t within)
{
    position_info *info = enter_position(t);
    if (!info)
        return 0;
    if (info->explored) {
        if (info->on_path && t->claim->verdict == PLY_VERDICT_WIN) {
            t->status = PLY_LIMIT;
            t->cycle = true;
        }
        info->repeated = 1;
        t->nodes += !info->on_path && info->nodes < SMALL_NODES ? info->nodes : 1;
        return info->plies;
    }
    info->explored = 1;
    uint64_t key = info->key;
    uint32_t plies = 0, nodes_before = t->nodes++;
    if (!is_decided(t)) {
        info->on_path = 1;
        if (chooser_to_move(t)) {
            ply_move move = query_move(t, &within);
            if (move == PLY_MOVE_NONE) {
                t->status = t->status == PLY_OK ? PLY_LIMIT : t->status;
                return 0;
            }
            info->move = move;
            plies = explore_move(t, move, within);
        } else if (write_single_node(t, NULL)) {
            info->single_node = 1;
        } else {
            size_t first = t->move_count, count = push_moves(t);
            for (size_t i = 0; i < count && t->status == PLY_OK; i++) {
                uint32_t length = explore_move(t, t->moves[first + i], within);
                plies = length > plies ? length : plies;
            }
            t->move_count = first;
        }
        /* The table may have moved. */
        info = find_slot(t->slots, t->capacity, key);
        info->on_path = 0;
    }
    info->plies = plies;
    info->nodes = t->nodes - nodes_before;
    return plies;
}

/* --- the second pass ------------------------------------------------------------------------ */
static void write_node(traversal *t);

/* Plays a move and writes the node after it. */
static void write_move(traversal *t, ply_move move)
{
    if (play(t, move)) {
        write_node(t);
        undo(t, move);
    }
}

/* Writes the moves of the player who is not the chooser, each with its node. */
static void write_all(traversal *t)
{
    size_t first = t->move_count, count = push_moves(t);
    if (count == 0) {
        ply_proof_leaf(t->writer);
        return;
    }
    ply_proof_all(t->writer);
    for (size_t i = 0; i < count && t->status == PLY_OK; i++) {
        ply_move move = t->moves[first + i];
        ply_proof_move(t->writer, move);
        write_move(t, move);
    }
    ply_proof_end(t->writer);
    t->move_count = first;
}

/* Whether a position gets a label. In a "no" even a small subtree may lead back to itself. */
static bool needs_label(const traversal *t, const position_info *info)
{
    bool is_no = t->claim->verdict == PLY_VERDICT_NO;
    return info->repeated && (info->nodes >= SMALL_NODES || (is_no && info->nodes > 1));
}

/* Writes the node of the current position. */
static void write_node(traversal *t)
{
    position_info *info = enter_position(t);
    if (!info || !info->explored) {
        t->status = t->status == PLY_OK ? PLY_LIMIT : t->status;
        return;
    }
    if (info->label) {
        ply_proof_ref(t->writer, info->label - 1);
        return;
    }
    uint64_t number = 0;
    bool labelled = needs_label(t, info);
    if (labelled) {
        number = ply_proof_label(t->writer, t->position);
        info->label = (uint32_t)number + 1;
    }
    uint32_t plies = info->plies;
    if (is_decided(t)) {
        ply_proof_leaf(t->writer);
    } else if (info->single_node) {
        if (!write_single_node(t, t->writer))
            t->status = PLY_LIMIT;
    } else if (chooser_to_move(t)) {
        ply_move move = info->move;
        ply_proof_choose(t->writer, move);
        write_move(t, move);
    } else {
        write_all(t);
    }
    if (labelled)
        ply_proof_label_done(t->writer, number, t->claim->verdict == PLY_VERDICT_NO ? 0 : plies);
}

ply_status ply_proof_write_strategy(ply_proof_writer *writer, const ply_proof_claim *claim,
                                    const ply_proof_strategy *strategy, size_t memory_bytes,
                                    uint32_t *plies)
{
    bool win = claim->verdict == PLY_VERDICT_WIN;
    traversal t = {.writer = writer,
                   .claim = claim,
                   .rules = claim->rules,
                   .strategy = strategy,
                   .chooser = win ? claim->attacker : !claim->attacker,
                   .max_bytes = memory_bytes,
                   .status = PLY_OK};
    t.position = malloc(t.rules->position_bytes);
    if (!t.position || ply_game_copy(t.rules, t.position, claim->position) != PLY_OK) {
        free(t.position);
        return PLY_NO_MEMORY;
    }
    uint32_t length = explore(&t, 0);
    /* A shorter win found during the pass can lead back to the path. The next pass knows it. */
    for (int i = 0; t.cycle && strategy->move_within && i < MAX_RETRIES; i++) {
        t.status = PLY_OK;
        t.cycle = false;
        t.count = 0;
        memset(t.slots, 0, t.capacity * sizeof *t.slots);
        length = explore(&t, 0);
    }
    if (t.status == PLY_OK)
        write_node(&t);
    *plies = win ? length : 0;
    ply_game_clear(t.rules, t.position);
    free(t.position);
    free(t.slots);
    free(t.moves);
    free(t.undo_stack);
    return t.status;
}
