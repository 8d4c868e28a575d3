/* SPDX-License-Identifier: MIT */
/*
 * dfpn_search.c - the search itself.
 *
 * Depth-first proof-number search (Nagai's df-pn) with the changes that long wins need:
 *
 *  - Weak proof numbers (Ueda and others): the proof number of a defender's node is the largest of
 *    its children's plus one for every other child, not their sum; likewise the disproof number of
 *    an attacker's node. Positions that are reached in many ways are then not counted many times.
 *  - A group of delayed defences counts as one child. Once a defence is refuted, its proof is
 *    simulated after the next one of the group (proof_simulation.h).
 *  - Dominance: a win holds with more resources too, a failure with fewer (dfpn_table.h). A
 *    position that is equal to an earlier one on the path, or worse for the attacker, is a failure:
 *    a shortest win never passes through it.
 *  - Such a failure depends on the path, which is the graph-history interaction problem. A result
 *    carries the smallest depth it depends on. Once the search is back at that depth the failure no
 *    longer depends on anything, because any win below would have to run in circles, and it is
 *    stored for good. Until then it is stored under a hash of the whole path. A win depends on
 *    nothing: it is a finite tree.
 *  - Threshold controlling (Kishimoto): where a child was met before at a smaller depth, thresholds
 *    are stretched so that the search makes progress instead of running in circles.
 *  - Threads search independently from the root with a shared table; a child that others are
 *    searching looks harder than it is (dfpn_threads.h).
 *  - Lengths: the question is always whether there is a win in at most n plies; n is PLIES_ANY for
 *    any win.
 */
#include "solve/dfpn_search.h"
#include "core/hash.h"
#include "solve/dfpn_child.h"
#include "solve/dfpn_threads.h"
#include "solve/proof_simulation.h"
#include "solve/resources.h"
#include <stdlib.h>

/* Tuned on well-known mating problems, see docs/solve.md. */
enum {
    EPSILON_DIVISOR = 16, /* a child is searched until it is 1/16 worse than the second best */
    BUSY_DIVISOR = 4,     /* a child looks 1/4 harder for every other thread that searches it */
    REFRESH_NODES = 16,   /* nodes after which children are looked up again, with threads */
    POLL_MASK = 1023,     /* the clock is checked every 1024 nodes */
};

/* The numbers of a node and the child to search next. */
typedef struct dfpn_numbers {
    uint32_t proof, disproof;
    size_t best;          /* the most promising child or, in a decided node, the deciding one */
    uint32_t best_number; /* its number, including the penalty for busy children */
    uint32_t second;      /* the second best child's number, likewise */
    uint32_t others;      /* what the other children add to the node's other number */
} dfpn_numbers;

/* The numbers at which a node is left. */
typedef struct dfpn_thresholds {
    uint32_t proof, disproof;
} dfpn_thresholds;

/* A node being searched. */
typedef struct search_node {
    uint32_t depth;
    uint64_t key, resources;
    uint16_t plies; /* look for wins of at most this length */
    uint32_t floor; /* see expand */
    dfpn_thresholds thresholds;
    bool attacks; /* the attacker is to move */
    dfpn_frame frame;
    dfpn_numbers numbers; /* so far */
} search_node;

/* --- children ------------------------------------------------------------------------------- */
/* A set of groups of delayed defences. Groups whose numbers differ by 256 are taken for one. */
typedef struct group_set {
    uint64_t words[4];
} group_set;

static bool group_set_has(const group_set *set, unsigned group)
{
    return set->words[(group >> 6) & 3] >> (group & 63) & 1;
}

static void group_set_add(group_set *set, unsigned group)
{
    set->words[(group >> 6) & 3] |= (uint64_t)1 << (group & 63);
}

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static bool is_undecided(const dfpn_child *c)
{
    return c->proof && c->disproof;
}

bool ply_dfpn_push_children(dfpn *d, dfpn_frame *frame)
{
    size_t count = ply_dfpn_list_moves(d);
    frame->first = d->child_count;
    frame->count = count;
    /* Room for at least one more, so that even an empty frame has an address. */
    if (d->child_count + count >= d->child_capacity) {
        size_t capacity = 2 * (d->child_count + count) + 64;
        dfpn_child *grown = realloc(d->children, capacity * sizeof *grown);
        if (!grown) {
            d->out_of_memory = d->stopping = true;
            frame->count = 0;
            return false;
        }
        d->children = grown;
        d->child_capacity = capacity;
    }
    for (size_t i = 0; i < count; i++)
        d->children[frame->first + i] =
            (dfpn_child){.move = d->moves[i], .proof = 1, .disproof = 1};
    d->child_count += count;
    return true;
}

/* Sets the keys of all children and prefetches their table slots. */
static bool prefetch_children(dfpn *d, search_node *node)
{
    dfpn_child *c = &d->children[node->frame.first];
    for (size_t i = 0; i < node->frame.count; i++) {
        if (!ply_dfpn_child_play(d, node->depth, &c[i])) {
            node->frame.count = i;
            return false;
        }
        ply_dfpn_table_prefetch(d->table, c[i].key);
        ply_dfpn_undo(d, node->depth, c[i].move);
    }
    return true;
}

/* Looks up a child and, if it is new, evaluates or delays it. */
static void init_child(dfpn *d, const search_node *node, dfpn_child *c, bool has_key, bool delay)
{
    dfpn_found found;
    uint16_t plies = plies_minus_one(node->plies);
    bool played = !has_key && ply_dfpn_child_play(d, node->depth, c);
    bool is_new = (has_key || played) && !ply_dfpn_child_probe(d, node->depth, c, plies, &found);
    c->delayed = is_new && delay;
    if (is_new && !delay && (played || (played = ply_dfpn_play(d, node->depth, c->move))))
        ply_dfpn_child_evaluate(d, node->depth, c, plies);
    if (played)
        ply_dfpn_undo(d, node->depth, c->move);
    if (!is_new)
        return;
    ply_dfpn_child_estimate(d, c, &found);
    if (is_undecided(c)) {
        uint32_t *number = node->attacks ? &c->proof : &c->disproof;
        *number = larger(*number, node->floor);
    }
}

/*
 * Lists and initialises the children of the position. node->floor is the smallest number, of the
 * kind by which children are selected, that any child had when the position was left last time. A
 * child that the table has lost since then must not look easier than those already tried.
 */
static bool expand(dfpn *d, search_node *node)
{
    if (!ply_dfpn_push_children(d, &node->frame))
        return false;
    size_t count = node->frame.count;
    dfpn_child *c = &d->children[node->frame.first];
    for (size_t i = 0; i < count && !node->attacks && d->goal->delay_group; i++)
        c[i].group = (uint16_t)d->goal->delay_group(d->rules, d->position, c[i].move);
    bool prefetch = ply_dfpn_table_is_large(d->table);
    if (prefetch && !prefetch_children(d, node))
        return false;
    group_set open = {{0}};
    for (size_t i = 0; i < count; i++) {
        init_child(d, node, &c[i], prefetch, c[i].group && group_set_has(&open, c[i].group));
        if (c[i].group && is_undecided(&c[i]))
            group_set_add(&open, c[i].group);
        if (d->out_of_memory) {
            node->frame.count = i;
            return false;
        }
        /* One win, or one refutation that does not depend on the path, decides the node. */
        if (node->attacks ? c[i].proof == 0
                          : c[i].disproof == 0 && c[i].dependency == NO_DEPENDENCY) {
            c[0] = c[i];
            node->frame.count = 1;
            d->child_count = node->frame.first + 1;
            break;
        }
    }
    return true;
}

/* With other threads at work: picks up what they have learned about the children. */
static void refresh_children(dfpn *d, const search_node *node)
{
    dfpn_child *c = &d->children[node->frame.first];
    for (size_t i = 0; i < node->frame.count; i++) {
        if (!is_undecided(&c[i]))
            continue;
        dfpn_found found;
        ply_dfpn_table_probe(d->table, c[i].key, c[i].resources, plies_minus_one(node->plies),
                             &found);
        if (!ply_dfpn_child_take_result(&c[i], &found) && found.exact) {
            c[i].proof = found.proof;
            c[i].disproof = found.disproof;
            c[i].is_new = false;
        }
    }
}

/* Whether an undecided child was met before at this depth or above. */
static bool has_old_child(const dfpn *d, const search_node *node)
{
    const dfpn_child *c = &d->children[node->frame.first];
    for (size_t i = 0; i < node->frame.count; i++)
        if (is_undecided(&c[i]) && c[i].depth <= node->depth)
            return true;
    return false;
}

/* --- numbers -------------------------------------------------------------------------------- */
/* A finite number. */
static uint32_t capped(uint64_t number)
{
    return number >= NUMBER_INF ? NUMBER_INF - 1 : (uint32_t)number;
}

/* Of two children that decide the node: whether a is preferable, that is, the shorter win or the
 * failure that depends on less. */
static bool decides_better(const dfpn_child *a, const dfpn_child *b, bool attacks)
{
    if (attacks)
        return a->plies < b->plies;
    return a->dependency > b->dependency || (a->dependency == b->dependency && a->plies > b->plies);
}

/*
 * Computes the node's numbers from its children's. A player selects the child with the smallest
 * number of one kind: the attacker by proof, the defender by disproof numbers. That kind is called
 * `own` here, the other kind `other`.
 */
static dfpn_numbers compute_numbers(const dfpn *d, const search_node *node)
{
    const dfpn_child *c = &d->children[node->frame.first];
    group_set blocked = {{0}};
    uint32_t least = NUMBER_INF, second = NUMBER_INF, largest = 0, open = 0, tie_break = 0;
    uint32_t least_unpenalised = NUMBER_INF;
    size_t best = 0;
    bool decided = false;
    for (size_t i = 0; i < node->frame.count; i++) {
        uint32_t own = node->attacks ? c[i].proof : c[i].disproof;
        uint32_t other = node->attacks ? c[i].disproof : c[i].proof;
        if (own == 0) {
            if (!decided || decides_better(&c[i], &c[best], node->attacks))
                best = i;
            decided = true;
            continue;
        }
        if (other == 0 || decided)
            continue;
        if (c[i].group) {
            if (group_set_has(&blocked, c[i].group))
                continue;
            group_set_add(&blocked, c[i].group);
        }
        open++;
        largest = larger(largest, other);
        least_unpenalised = own < least_unpenalised ? own : least_unpenalised;
        if (d->avoids_busy)
            own = capped(own + (own / BUSY_DIVISOR + 1) *
                                   (uint64_t)dfpn_busy_count(d->threads, c[i].key, c[i].resources));
        if (own < least || (own == least && other > tie_break)) {
            second = least;
            least = own;
            tie_break = other;
            best = i;
        } else if (own < second) {
            second = own;
        }
    }
    dfpn_numbers numbers = {.best = best, .second = second, .best_number = least};
    uint32_t own = least_unpenalised, other = 0;
    if (decided) {
        own = 0;
        other = NUMBER_INF;
    } else if (open == 0) {
        own = NUMBER_INF;
    } else {
        numbers.others = open - 1;
        other = capped((uint64_t)largest + open - 1);
    }
    numbers.proof = node->attacks ? own : other;
    numbers.disproof = node->attacks ? other : own;
    return numbers;
}

/* --- results -------------------------------------------------------------------------------- */
uint64_t ply_dfpn_lost_bound(const dfpn *d, const dfpn_frame *frame, uint64_t resources)
{
    const dfpn_child *c = &d->children[frame->first];
    const ply_goal *goal = d->goal;
    if (!goal->dominance_key)
        return 0;
    uint64_t bound = 0, lacks = goal->defender_lacks
                                    ? goal->defender_lacks(d->rules, d->position, d->attacker)
                                    : ~UINT64_C(0);
    for (size_t i = 0; i < frame->count; i++)
        bound = resources_max(bound, resources_before_move(c[i].bound, resources, c[i].resources));
    return resources_max(bound, resources & lacks);
}

/* The resources for which the result of a decided node holds. */
static uint64_t decided_bound(const dfpn *d, const search_node *node, bool dependent)
{
    const dfpn_child *c = &d->children[node->frame.first], *best = &c[node->numbers.best];
    const ply_goal *goal = d->goal;
    uint64_t resources = node->resources;
    bool win = node->numbers.proof == 0;
    if (!goal->dominance_key)
        return win ? 0 : RESOURCES_ANY;
    if (win)
        return node->attacks ? resources_before_move(best->bound, resources, best->resources)
                             : ply_dfpn_lost_bound(d, &node->frame, resources);
    if (dependent)
        return resources;
    if (!node->attacks) {
        uint64_t bound = goal->defence_bound
                             ? goal->defence_bound(d->rules, d->position, d->attacker, best->move)
                             : resources;
        return resources_min(bound, resources_before_move(best->bound, resources, best->resources));
    }
    uint64_t bound = RESOURCES_ANY;
    uint64_t lacks = goal->attacker_lacks ? goal->attacker_lacks(d->rules, d->position, d->attacker)
                                          : ~UINT64_C(0);
    for (size_t i = 0; i < node->frame.count; i++)
        bound = resources_min(bound, resources_before_move(c[i].bound, resources, c[i].resources));
    return resources_min(bound, (resources & lacks) | (RESOURCES_ANY & ~lacks));
}

/* The result of a decided node. */
static dfpn_result decided_result(const dfpn *d, const search_node *node)
{
    const dfpn_child *c = &d->children[node->frame.first];
    const dfpn_numbers *numbers = &node->numbers;
    size_t count = node->frame.count;
    dfpn_result r = {
        .proof = numbers->proof, .disproof = numbers->disproof, .dependency = NO_DEPENDENCY};
    bool win = r.proof == 0, dependent = false;
    if (win) {
        for (size_t i = 0; i < count; i++)
            if (!node->attacks || i == numbers->best)
                r.plies = c[i].plies >= r.plies ? c[i].plies : r.plies;
        r.plies = count ? plies_plus_one(r.plies) : 0;
    } else {
        r.plies = PLIES_ANY;
        for (size_t i = 0; i < count; i++)
            if (node->attacks || i == numbers->best) {
                r.plies = c[i].plies < r.plies ? c[i].plies : r.plies;
                r.dependency = c[i].dependency < r.dependency ? c[i].dependency : r.dependency;
            }
        r.plies = plies_plus_one(r.plies);
        dependent = r.dependency != NO_DEPENDENCY;
        /* What depends on this node itself does not depend on anything above it. */
        if (r.dependency >= node->depth)
            r.dependency = NO_DEPENDENCY;
    }
    r.bound = decided_bound(d, node, dependent);
    return r;
}

static void store(dfpn *d, const search_node *node, const dfpn_result *r, uint64_t work)
{
    dfpn_table *t = d->table;
    uint16_t depth = (uint16_t)node->depth;
    if (r->proof == 0) {
        ply_dfpn_table_store_win(t, node->key, r->bound, r->plies, depth, work);
    } else if (r->disproof != 0) {
        ply_dfpn_table_store(t, node->key, node->resources, r->proof, r->disproof, depth, work,
                             false);
    } else if (r->dependency == NO_DEPENDENCY) {
        ply_dfpn_table_store_no_win(t, node->key, r->bound, r->plies, depth, work);
    } else if (r->dependency >= DFPN_ROOT) {
        ply_dfpn_table_store_path_failure(t, d->path_hash[node->depth], r->dependency, r->plies);
        dfpn_found found;
        ply_dfpn_table_probe(t, node->key, node->resources, r->plies, &found);
        bool known = found.proof && found.disproof;
        ply_dfpn_table_store(t, node->key, node->resources, known ? found.proof : 1,
                             known ? found.disproof : 1, depth, work, true);
    }
}

/* --- the search ----------------------------------------------------------------------------- */
void ply_dfpn_poll(dfpn *d)
{
    if (d->nodes >= d->node_limit)
        d->quitting = true;
    if (d->threads && !ply_dfpn_threads_poll(d))
        d->quitting = true;
    if ((d->nodes & POLL_MASK) != 0 || !d->control)
        return;
    d->progress.memory_bytes = ply_dfpn_table_bytes(d->table);
    if (!ply_solve_continue(d->control, ply_dfpn_threads_nodes(d), &d->progress))
        d->stopping = true;
}

/* A refuted defence of the same group whose proof can be simulated after a new child's move, or
 * PLY_MOVE_NONE. */
static ply_move simulation_model(const dfpn *d, const dfpn_frame *frame, const dfpn_child *child)
{
    const dfpn_child *c = &d->children[frame->first];
    if (!child->group || !child->is_new || child->simulated)
        return PLY_MOVE_NONE;
    for (size_t i = frame->count; i-- > 0;)
        if (c[i].group == child->group && c[i].proof == 0)
            return c[i].move;
    return PLY_MOVE_NONE;
}

/* Tries a simulation on the best child. Returns false if there is nothing to simulate. */
static bool simulate_child(dfpn *d, const search_node *node)
{
    size_t index = node->frame.first + node->numbers.best;
    ply_move model = simulation_model(d, &node->frame, &d->children[index]);
    if (model == PLY_MOVE_NONE)
        return false;
    dfpn_child child = d->children[index];
    d->children[index].simulated = true;
    /* The stack of children may have moved. */
    if (ply_dfpn_simulate(d, node->depth, model, &child) &&
        child.plies <= plies_minus_one(node->plies))
        d->children[index] = child;
    return true;
}

static uint32_t stretched(uint32_t threshold, uint32_t number)
{
    return number < NUMBER_INF && threshold < number + 1 ? number + 1 : threshold;
}

static uint32_t at_least_one(uint32_t threshold, uint32_t less)
{
    return threshold > less ? threshold - less : 1;
}

static dfpn_result search(dfpn *d, search_node *node);

/*
 * Searches the best child. limit: the node's thresholds, after stretching. at_limit: the node has
 * reached them already; the child is searched a little all the same. Returns false when the move
 * could not be played.
 */
static bool search_child(dfpn *d, const search_node *node, const dfpn_thresholds *limit,
                         bool at_limit)
{
    const dfpn_numbers *numbers = &node->numbers;
    size_t index = node->frame.first + numbers->best;
    dfpn_child *c = &d->children[index];
    search_node below = {.depth = node->depth + 1,
                         .key = c->key,
                         .resources = c->resources,
                         .plies = plies_minus_one(node->plies)};
    uint32_t near = capped((uint64_t)numbers->second + numbers->second / EPSILON_DIVISOR + 1);
    if (node->attacks) {
        below.thresholds.proof = near < limit->proof ? near : limit->proof;
        below.thresholds.disproof = at_least_one(limit->disproof, numbers->others);
    } else {
        below.thresholds.disproof = near < limit->disproof ? near : limit->disproof;
        below.thresholds.proof = at_least_one(limit->proof, numbers->others);
    }
    if (at_limit) {
        below.thresholds.proof = larger(below.thresholds.proof, capped((uint64_t)c->proof + 1));
        below.thresholds.disproof =
            larger(below.thresholds.disproof, capped((uint64_t)c->disproof + 1));
    }
    if (c->is_new && d->stretch)
        d->stretch--;
    ply_move move = c->move;
    if (!ply_dfpn_play(d, node->depth, move))
        return false;
    below.floor = c->is_new ? 0 : node->attacks ? c->disproof : c->proof;
    dfpn_result r = search(d, &below);
    ply_dfpn_undo(d, node->depth, move);
    c = &d->children[index];
    c->proof = r.proof;
    c->disproof = r.disproof;
    c->bound = r.bound;
    c->plies = r.plies;
    c->dependency = r.dependency;
    c->is_new = false;
    return true;
}

/* Searches the children until the node is decided or a number reaches its threshold. */
static void search_children(dfpn *d, search_node *node)
{
    uint32_t stretch_before = d->stretch;
    if (has_old_child(d, node))
        d->stretch++;
    node->numbers = compute_numbers(d, node);
    /* A thread that avoids busy children searches at least one child, so that it makes progress. */
    bool may_leave = !d->avoids_busy;
    uint64_t refreshed = d->nodes;
    while (!d->stopping && !d->quitting && node->numbers.proof && node->numbers.disproof) {
        const dfpn_numbers *now = &node->numbers;
        if (node->depth == DFPN_ROOT) {
            d->progress.proof = now->proof;
            d->progress.disproof = now->disproof;
        }
        dfpn_thresholds limit = node->thresholds;
        if (d->stretch) {
            limit.proof = stretched(limit.proof, now->proof);
            limit.disproof = stretched(limit.disproof, now->disproof);
        }
        bool at_limit = node->attacks
                            ? now->best_number >= limit.proof || now->disproof >= limit.disproof
                            : now->proof >= limit.proof || now->best_number >= limit.disproof;
        if (at_limit && may_leave)
            break;
        dfpn_child *c = &d->children[node->frame.first + now->best];
        if (c->delayed) {
            if (!ply_dfpn_child_activate(d, node->depth, c, plies_minus_one(node->plies)))
                break;
        } else {
            may_leave = true;
            if (!simulate_child(d, node)) {
                if (!search_child(d, node, &limit, at_limit))
                    break;
                if (d->parallel && d->nodes - refreshed >= REFRESH_NODES) {
                    refresh_children(d, node);
                    refreshed = d->nodes;
                }
            }
        }
        node->numbers = compute_numbers(d, node);
    }
    d->stretch = d->stretch < stretch_before ? d->stretch : stretch_before;
}

static void enter_node(dfpn *d, const search_node *node)
{
    ply_dfpn_path_push(d, node->depth, node->key, node->resources);
    if (d->parallel)
        dfpn_busy_enter(d->threads, node->key, node->resources);
}

static void leave_node(dfpn *d, const search_node *node)
{
    d->child_count = node->frame.first;
    ply_dfpn_path_pop(d, node->depth);
    if (d->parallel)
        dfpn_busy_leave(d->threads, node->key, node->resources);
}

/* Searches the position until it is decided or a number reaches its threshold. */
static dfpn_result search(dfpn *d, search_node *node)
{
    uint64_t start = d->nodes++;
    if (node->depth >= DFPN_DEPTH)
        return (dfpn_result){.proof = NUMBER_INF, .bound = node->resources, .dependency = 0};
    ply_dfpn_poll(d);
    node->attacks = ply_dfpn_attacker_to_move(d);
    enter_node(d, node);
    dfpn_result r = {.proof = 1, .disproof = 1, .dependency = NO_DEPENDENCY};
    if (expand(d, node)) {
        search_children(d, node);
        if (node->numbers.proof && node->numbers.disproof) {
            r.proof = node->numbers.proof;
            r.disproof = node->numbers.disproof;
        } else {
            r = decided_result(d, node);
        }
        store(d, node, &r, d->nodes - start);
    }
    leave_node(d, node);
    return r;
}

dfpn_result ply_dfpn_solve(dfpn *d, uint32_t depth, uint16_t plies, uint64_t nodes)
{
    d->node_limit = nodes < UINT64_MAX - d->nodes ? d->nodes + nodes : UINT64_MAX;
    d->quitting = false;
    uint64_t resources, bound, key = ply_dfpn_key(d, &resources);
    if (d->ignore_futile && !ply_dfpn_attacker_to_move(d) &&
        ply_dfpn_win_is_complete(d, 1, resources, &bound))
        return (dfpn_result){.disproof = NUMBER_INF, .bound = bound, .dependency = NO_DEPENDENCY};
    /* Dependencies are depths, so paths that start at different depths must hash differently. */
    d->path_hash[depth - 1] = depth * PLY_GOLDEN;
    d->child_count = 0;
    d->stretch = 0;
    search_node root = {.depth = depth,
                        .key = key,
                        .resources = resources,
                        .plies = plies,
                        .thresholds = {NUMBER_INF - 1, NUMBER_INF - 1}};
    return search(d, &root);
}
