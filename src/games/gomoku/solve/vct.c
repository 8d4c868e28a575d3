/* SPDX-License-Identifier: MIT */
/* vct.c - depth-first proof-number search over threats; see vct.h. */
#include "games/gomoku/solve/vct_internal.h"
#include "games/gomoku/solve/vct_threads.h"
#include <stdlib.h>
#include <string.h>

ply_status gomoku_vct_init(gomoku_vct *v, gomoku_threat_board *board, gomoku_vct_table *table,
                           size_t bytes)
{
    memset(v, 0, sizeof *v);
    ply_status status = gomoku_vcf_init(&v->vcf, board, bytes);
    if (status != PLY_OK)
        return status;
    v->board = board;
    v->table = table;
    v->children_capacity = 4 * GOMOKU_MAX_CELLS;
    v->children = malloc(v->children_capacity * sizeof *v->children);
    if (v->children)
        return PLY_OK;
    gomoku_vct_free(v);
    return PLY_NO_MEMORY;
}

void gomoku_vct_free(gomoku_vct *v)
{
    gomoku_vcf_free(&v->vcf);
    free(v->children);
    v->children = NULL;
}

/* --- the search ------------------------------------------------------------------------------ */
/* Counts a node; returns true when the search must stop. */
static bool out_of_nodes(gomoku_vct *v)
{
    gomoku_vct_pool *pool = v->pool;
    v->nodes++;
    if (v->nodes > v->limit)
        v->stopped = true;
    if (v->nodes % POLL_INTERVAL != 0)
        return v->stopped;
    if (pool && v->worker_number == 0) {
        if (!v->parallel && v->nodes >= v->root_nodes + PARALLEL_MIN_NODES)
            gomoku_vct_pool_start(pool);
        v->stopped |= v->parallel && (atomic_load_explicit(&pool->stop, memory_order_relaxed) ||
                                      v->nodes + gomoku_vct_pool_nodes(pool) > v->limit);
    }
    v->stopped |= v->keep_going && !v->keep_going(v->context, v->nodes);
    return v->stopped;
}

/* Enters a position that this thread searches; returns what `leave` must be given. */
static bool enter(gomoku_vct *v, uint64_t key)
{
    if (v->parallel)
        gomoku_vct_add_visitor(v->pool, key, 1);
    return v->parallel;
}

static void leave(gomoku_vct *v, uint64_t key, bool entered)
{
    if (entered) /* the pool may have started in the meantime */
        gomoku_vct_add_visitor(v->pool, key, -1);
}

static uint32_t saturating_add(uint32_t a, uint32_t b)
{
    if (a == INFINITE || b == INFINITE)
        return INFINITE;
    return a + b < LARGE ? a + b : LARGE;
}

/* A proof or disproof number raised by the threads at work below the position (virtual loss). */
static uint32_t with_virtual_loss(const gomoku_vct *v, uint64_t key, uint32_t number)
{
    if (!v->parallel || number == 0 || number >= LARGE)
        return number;
    return number + gomoku_vct_visitors(v->pool, key) * (1 + (number < 1000 ? number : 1000) / 2);
}

static vct_numbers search_attack(gomoku_vct *v, vct_numbers threshold, int *plies);
static vct_numbers search_defence(gomoku_vct *v, vct_numbers threshold, int *plies);

/* Updates a child from the transposition table. */
static void refresh(const gomoku_vct *v, gomoku_vct_child *c)
{
    gomoku_vct_entry e;
    if (c->proof != 0 && c->disproof != 0 &&
        gomoku_vct_probe(v, c->key, vct_plies_after(v->plies, c->plies_used), &e)) {
        c->proof = e.proof;
        c->disproof = e.disproof;
        c->plies = e.plies;
    }
}

/* The most promising child of a node, and the numbers of the node that follow from all children. */
typedef struct selection {
    size_t best;      /* index of the child */
    uint32_t second;  /* what the next best child has of the number that is minimised */
    vct_numbers node; /* final when one of them is 0 */
} selection;

/*
 * Where the attacker moves, the node's proof number is the least of its children's, and its
 * disproof number combines theirs; where the defender moves it is the other way round. Children of
 * one node share much of their subtrees, so instead of the sum we take the largest number plus one
 * for each further open child.
 */
static selection select_child(gomoku_vct *v, size_t base, bool defender_moves)
{
    selection s = {.best = base, .second = INFINITE};
    uint32_t first = INFINITE, least = INFINITE, largest = 0, open = 0;
    for (size_t i = base; i < v->children_used; i++) {
        gomoku_vct_child *c = &v->children[i];
        refresh(v, c);
        uint32_t minimised = defender_moves ? c->disproof : c->proof;
        uint32_t combined = defender_moves ? c->proof : c->disproof;
        uint32_t apparent = with_virtual_loss(v, c->key, minimised);
        least = minimised < least ? minimised : least;
        if (apparent < first) {
            s.second = first;
            first = apparent;
            s.best = i;
        } else if (apparent < s.second) {
            s.second = apparent;
        }
        open += combined > 0;
        largest = combined > largest ? combined : largest;
    }
    uint32_t total = open ? saturating_add(largest, open - 1) : 0;
    if (least == 0)
        total = INFINITE;
    if (total == 0)
        least = INFINITE;
    s.node = defender_moves ? (vct_numbers){total, least} : (vct_numbers){least, total};
    return s;
}

static bool is_settled(const gomoku_vct *v, vct_numbers n, vct_numbers threshold)
{
    return n.proof >= threshold.proof || n.disproof >= threshold.disproof || n.proof == 0 ||
           n.disproof == 0 || v->stopped;
}

/* How far the minimised number of the chosen child may rise: a little past the next best child. */
static uint32_t past_second(uint32_t second, uint32_t threshold, uint32_t chosen)
{
    uint32_t below = second < LARGE ? second + 1 + second / 4 : INFINITE;
    below = below < threshold ? below : threshold;
    return below > chosen ? below : chosen + 1; /* virtual loss: it need not be the least */
}

/* The thresholds of the chosen child; its other number may use up what the node has left. */
static vct_numbers child_threshold(const gomoku_vct *v, const selection *s, vct_numbers threshold,
                                   bool defender_moves)
{
    const gomoku_vct_child *c = &v->children[s->best];
    if (defender_moves)
        return (vct_numbers){saturating_add(threshold.proof - s->node.proof, c->proof),
                             past_second(s->second, threshold.disproof, c->disproof)};
    return (vct_numbers){past_second(s->second, threshold.proof, c->proof),
                         saturating_add(threshold.disproof - s->node.disproof, c->disproof)};
}

/* Plays a child of an attacker's node and searches it. */
static void search_attack_child(gomoku_vct *v, size_t index, vct_numbers threshold)
{
    gomoku_threat_board *b = v->board;
    gomoku_vct_child c = v->children[index]; /* a copy: the list may move */
    int plies = v->plies, length;
    vct_numbers n;
    gomoku_threat_board_play(b, c.cell, v->attacker);
    v->plies = vct_plies_after(plies, c.plies_used);
    if (c.defender_moves) {
        n = search_defence(v, threshold, &length);
    } else {
        gomoku_threat_board_play(b, c.reply, !v->attacker);
        n = search_attack(v, threshold, &length);
        gomoku_threat_board_undo(b);
    }
    gomoku_threat_board_undo(b);
    v->plies = plies;
    v->children[index].proof = n.proof;
    v->children[index].disproof = n.disproof;
    v->children[index].plies = (uint16_t)length;
}

/* Plays a child of a defender's node and searches it. */
static void search_defence_child(gomoku_vct *v, size_t index, vct_numbers threshold)
{
    int cell = v->children[index].cell, length;
    if (cell != PASS)
        gomoku_threat_board_play(v->board, cell, !v->attacker);
    vct_numbers n = search_attack(v, threshold, &length);
    if (cell != PASS)
        gomoku_threat_board_undo(v->board);
    v->children[index].proof = n.proof;
    v->children[index].disproof = n.disproof;
    v->children[index].plies = (uint16_t)length;
}

/* Two ways for the defender to make a five: one stone does not stop both. */
static bool has_two_fives(const gomoku_vct *v)
{
    const gomoku_threat_board *b = v->board;
    int fives[2];
    return !b->caro && gomoku_lines_any(&b->with_five[!v->attacker]) &&
           gomoku_threat_board_fives(b, !v->attacker, fives, 2) > 1;
}

/* Whether the attacker's other moves should join: those listed have come to look as hard. */
static bool should_widen(const gomoku_vct *v, vct_numbers n)
{
    return n.disproof == 0 || (!v->any_move && n.proof >= OTHER_PROOF && n.proof < INFINITE);
}

/* The attacker to move: one winning move is enough. The position has been evaluated. */
static vct_numbers search_attack(gomoku_vct *v, vct_numbers threshold, int *plies)
{
    size_t base = v->children_used;
    uint64_t started = v->nodes, key = gomoku_vct_key(v, false);
    int win = 0;
    *plies = 0;
    if (out_of_nodes(v))
        return (vct_numbers){1, 1};
    if (v->plies < 3) /* after a four it has not been evaluated */
        return gomoku_vct_evaluate_attack(v, plies);
    if (has_two_fives(v)) { /* the answer to a four can make them */
        vct_numbers lost = {INFINITE, 0};
        gomoku_vct_store(v, key, lost, 1, 0, 0);
        return lost;
    }
    bool entered = enter(v, key), widened = false;
    gomoku_vct_list_attacks(v);
    selection s;
    for (;;) {
        s = select_child(v, base, false);
        if (!widened && !v->stopped && should_widen(v, s.node)) {
            widened = true;
            if (gomoku_vct_widen(v, base))
                continue;
        }
        if (is_settled(v, s.node, threshold))
            break;
        search_attack_child(v, s.best, child_threshold(v, &s, threshold, false));
    }
    if (s.node.proof == 0) {
        const gomoku_vct_child *c = &v->children[s.best];
        win = c->cell;
        *plies = c->plies_used + c->plies < v->plies ? c->plies_used + c->plies : v->plies;
    }
    v->children_used = base;
    leave(v, key, entered);
    gomoku_vct_store(v, key, s.node, v->nodes - started, *plies, win);
    return s.node;
}

/* All children are won: the length of the win against the longest defence, at least `plies`. */
static int longest_defence(const gomoku_vct *v, size_t base, int plies)
{
    for (size_t i = base; i < v->children_used; i++)
        plies = v->children[i].plies + 1 > plies ? v->children[i].plies + 1 : plies;
    return plies;
}

/* Finds the defender's answers. False when *n is already enough of a result. */
static bool prepare_defence(gomoku_vct *v, uint64_t key, vct_numbers threshold, vct_answers *a,
                            vct_numbers *n)
{
    gomoku_vct_entry known;
    if (!gomoku_vct_probe(v, key, v->plies, &known)) {
        *n = gomoku_vct_evaluate_defence(v, a);
        return n->disproof != 0 && n->proof < threshold.proof;
    }
    *n = (vct_numbers){INFINITE, 0};
    if (gomoku_vct_find_answers(v, a))
        return true;
    vct_require(v, false); /* there were answers before: only the nodes did not suffice this time */
    return false;
}

/* The defender to move: every answer must lose. */
static vct_numbers search_defence(gomoku_vct *v, vct_numbers threshold, int *plies)
{
    size_t base = v->children_used;
    uint64_t started = v->nodes, key = gomoku_vct_key(v, true);
    vct_numbers n;
    vct_answers a;
    *plies = 0;
    if (out_of_nodes(v))
        return (vct_numbers){1, 1};
    if (!prepare_defence(v, key, threshold, &a, &n))
        return n;
    bool entered = enter(v, key);
    int own_plies = v->plies;
    v->plies = vct_plies_after(own_plies, 1);
    gomoku_vct_list_answers(v, &a);
    bool complete = !v->stopped; /* there may have been no memory for all the answers */
    n = (vct_numbers){1, 1};
    while (complete) {
        selection s = select_child(v, base, true);
        n = s.node;
        if (is_settled(v, n, threshold))
            break;
        search_defence_child(v, s.best, child_threshold(v, &s, threshold, true));
    }
    if (n.proof == 0) {
        int longest = longest_defence(v, base, a.plies);
        *plies = longest < own_plies ? longest : own_plies;
    }
    v->children_used = base;
    v->plies = own_plies;
    leave(v, key, entered);
    gomoku_vct_store(v, key, n, v->nodes - started, *plies, 0);
    return n;
}

int gomoku_vct_root(gomoku_vct *v)
{
    int plies;
    vct_numbers n = gomoku_vct_evaluate_attack(v, &plies);
    if (n.proof && n.disproof && !v->stopped)
        n = search_attack(v, (vct_numbers){INFINITE, INFINITE}, &plies);
    return n.proof == 0 ? 1 : n.disproof == 0 && !v->stopped ? -1 : 0;
}

/* Searches the root with the help of the pool. */
static int search_root(gomoku_vct *v)
{
    v->root_plies = v->plies;
    v->root_nodes = v->nodes;
    v->incomplete = false;
    v->children_used = 0;
    if (v->pool)
        v->pool->root = *v->board;
    int verdict = gomoku_vct_root(v);
    if (v->parallel) {
        int others = gomoku_vct_pool_join(v->pool);
        if (!verdict && others) {
            verdict = others;
            v->stopped = false;
        }
    }
    return verdict;
}

gomoku_verdict gomoku_vct_solve(gomoku_vct *v, int attacker, bool any_move, int plies,
                                uint64_t nodes)
{
    v->attacker = attacker;
    v->any_move = any_move;
    v->plies = plies;
    v->limit = nodes < UINT64_MAX - v->nodes ? v->nodes + nodes : UINT64_MAX;
    v->vcf_limit = VCF_LIMIT;
    v->stopped = false;
    v->stage = any_move || plies != GOMOKU_ANY_LENGTH ? 1 : 0;
    for (;; v->stage++) {
        int verdict = search_root(v);
        if (verdict > 0)
            return GOMOKU_WIN;
        if (!verdict)
            return GOMOKU_UNKNOWN;
        if (v->stage == 0)
            continue; /* the quick stage misses wins: ask exactly */
        if (!v->incomplete)
            return GOMOKU_NO;
        if (v->stage == LAST_STAGE)
            return GOMOKU_UNKNOWN;
        v->vcf_limit *= VCF_LIMIT_FACTOR;
    }
}

/* --- replaying a result ---------------------------------------------------------------------- */
static void prepare_replay(gomoku_vct *v)
{
    v->stopped = false;
    v->limit = UINT64_MAX;
    v->children_used = 0;
    v->incomplete = false;
    v->root_nodes = UINT64_MAX / 2; /* never start the pool */
}

int gomoku_vct_find_win(gomoku_vct *v, int plies)
{
    int length;
    gomoku_vct_entry e;
    uint64_t key = gomoku_vct_key(v, false);
    prepare_replay(v);
    v->plies = plies;
    for (int i = 0; i < 2; i++) {
        if (gomoku_vct_table_probe(v->table, key, &e) && e.proof == 0 && e.plies <= plies &&
            e.cell != NO_REPLY)
            return e.cell;
        if (i == 0 && search_attack(v, (vct_numbers){INFINITE, INFINITE}, &length).proof != 0)
            return -1;
    }
    return -1;
}

int gomoku_vct_find_defence(gomoku_vct *v)
{
    int length, found = -1;
    vct_answers a;
    prepare_replay(v);
    v->plies = GOMOKU_ANY_LENGTH;
    if (search_defence(v, (vct_numbers){INFINITE, INFINITE}, &length).disproof != 0 ||
        !gomoku_vct_find_answers(v, &a))
        return -1;
    /* The entry of the answer may have been replaced: then each answer is searched again. */
    gomoku_vct_list_answers(v, &a);
    size_t count = v->children_used;
    for (size_t i = 0; i < count && found < 0; i++)
        if (v->children[i].disproof == 0)
            found = v->children[i].cell;
    for (size_t i = 0; i < count && found < 0; i++) {
        int cell = v->children[i].cell;
        if (v->children[i].proof == 0)
            continue;
        gomoku_threat_board_play(v->board, cell, !v->attacker);
        if (search_attack(v, (vct_numbers){INFINITE, INFINITE}, &length).disproof == 0)
            found = cell;
        gomoku_threat_board_undo(v->board);
    }
    v->children_used = 0;
    return v->incomplete ? -1 : found;
}

void gomoku_vct_clear(gomoku_vct *v)
{
    gomoku_vct_table_clear(v->table);
    gomoku_vcf_clear(&v->vcf);
    if (v->pool)
        gomoku_vct_pool_clear(v->pool);
    v->nodes = 0;
}

size_t gomoku_vct_bytes(const gomoku_vct *v)
{
    return (v->table->mask + 1) * sizeof *v->table->slots +
           (v->vcf.mask + 1) * sizeof *v->vcf.table + v->children_capacity * sizeof *v->children +
           (v->pool ? gomoku_vct_pool_bytes(v->pool) : 0);
}
