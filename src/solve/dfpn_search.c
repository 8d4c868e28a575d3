/* SPDX-License-Identifier: MIT */
/*
 * dfpn_search.c - the search itself.
 *
 * Depth-first proof-number search (Nagai) with the changes that make it fit for long wins:
 *
 *  - Numbers: the proof number of a defender's node is the largest of its children's plus one for
 *    each other child, not their sum (weak proof numbers, Ueda and others), and the same for
 *    disproof numbers of an attacker's node. Positions reached in many ways are then not counted
 *    many times.
 *  - Groups of delayed defences count as one child; the proof of one is followed behind the next.
 *  - Dominance: what is known for less is used for more (dfpn_table.h), and a position that is
 *    worse for the attacker than an earlier one on the path, or equal to it, is a failure of his: a
 *    shortest win never goes through it.
 *  - Such a failure leans on the path. A result carries the least depth it leans on; once that
 *    depth is reached, the failure stands by itself (any win below would have to go round in
 * circles) and is stored for good. Until then it is kept under a key of the whole path. A win never
 * leans on anything: it is a finite tree.
 *  - Thresholds are stretched where a child was met before at a smaller depth (Kishimoto's
 * threshold controlling), so that the search does not go round without progress.
 *  - Threads: each goes its own way from the root, all with the one table; a child that others are
 *    at work on seems harder than it is (dfpn_threads.h).
 *  - Lengths: a question is always "a win in at most n plies", n = PLIES_ANY for any.
 */
#include "solve/dfpn_search.h"
#include "core/hash.h"
#include "solve/dfpn_child.h"
#include "solve/dfpn_threads.h"
#include "solve/packed_counts.h"
#include "solve/proof_simulation.h"
#include <stdlib.h>
#include <string.h>

/* Measured on famous mating problems, see docs/solve.md. */
enum {
    SLACK = 16,    /* a child may pass the next best by this part before another is taken up */
    BUSY_PART = 4, /* a child seems harder by this part for every other thread at work on it */
    REFRESH = 16,  /* nodes after which a row is looked up again for what others have found */
};

/* --- one node ------------------------------------------------------------------------------- */
/* Groups of delayed defences; those whose numbers differ by 256 are taken for one. */
typedef struct group_set {
    uint64_t words[4];
} group_set;

static bool group_has(const group_set *set, unsigned group)
{
    return set->words[(group >> 6) & 3] >> (group & 63) & 1;
}

static void group_add(group_set *set, unsigned group)
{
    set->words[(group >> 6) & 3] |= (uint64_t)1 << (group & 63);
}

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

bool ply_dfpn_move_list(dfpn *d, dfpn_row *row)
{
    size_t count = ply_dfpn_list(d);
    row->first = d->child_count;
    row->count = count;
    /* There is room even for none, so that the row has an address. */
    if (d->child_count + count >= d->child_capacity) {
        size_t capacity = 2 * (d->child_count + count) + 64;
        dfpn_child *grown = realloc(d->children, capacity * sizeof *grown);
        if (!grown) {
            d->out_of_memory = d->stopping = true;
            row->count = 0;
            return false;
        }
        d->children = grown;
        d->child_capacity = capacity;
    }
    for (size_t i = 0; i < count; i++)
        d->children[row->first + i] = (dfpn_child){.move = d->moves[i], .proof = 1, .disproof = 1};
    d->child_count += count;
    return true;
}

/*
 * Lists and judges the children of the position in play. None of them had less than `least` for the
 * number by which they are chosen, when the position was left the last time: so what the table has
 * lost of them does not seem easier now than all that has been tried.
 */
static bool row_make(dfpn *d, uint32_t depth, uint16_t plies, uint32_t least, dfpn_row *row)
{
    if (!ply_dfpn_move_list(d, row))
        return false;
    size_t count = row->count;
    dfpn_child *c = &d->children[row->first];
    bool attacks = ply_dfpn_attacker_moves(d);
    for (size_t i = 0; i < count && !attacks && d->goal->delay; i++)
        c[i].group = (uint16_t)d->goal->delay(d->rules, d->position, c[i].move);
    /* In a large table keys are said ahead, as its memory takes its time. */
    bool ahead = ply_dfpn_table_is_large(d->table);
    for (size_t i = 0; ahead && i < count; i++) {
        if (!ply_dfpn_child_enter(d, depth, &c[i])) {
            row->count = i;
            return false;
        }
        ply_dfpn_table_expect(d->table, c[i].key);
        ply_dfpn_undo(d, depth, c[i].move);
    }
    group_set open = {{0}};
    for (size_t i = 0; i < count; i++) {
        dfpn_found found;
        bool waits = c[i].group && group_has(&open, c[i].group);
        bool entered = !ahead && ply_dfpn_child_enter(d, depth, &c[i]);
        bool is_new =
            (ahead || entered) && !ply_dfpn_child_look(d, depth, &c[i], one_less(plies), &found);
        c[i].waiting = is_new && waits;
        if (is_new && !waits && (entered || (entered = ply_dfpn_play(d, depth, c[i].move))))
            ply_dfpn_child_judge(d, depth, &c[i], one_less(plies));
        if (entered)
            ply_dfpn_undo(d, depth, c[i].move);
        if (is_new)
            ply_dfpn_child_guess(d, &c[i], &found);
        if (is_new && c[i].proof && c[i].disproof) {
            uint32_t *small = attacks ? &c[i].proof : &c[i].disproof;
            *small = larger(*small, least);
        }
        if (c[i].group && c[i].proof && c[i].disproof)
            group_add(&open, c[i].group);
        if (d->out_of_memory) {
            row->count = i;
            return false;
        }
        /* One win, or one refutation that leans on nothing, is enough. */
        if (attacks ? c[i].proof == 0 : c[i].disproof == 0 && c[i].leans == LEANS_NONE) {
            c[0] = c[i];
            row->count = 1;
            d->child_count = row->first + 1;
            break;
        }
    }
    return true;
}

typedef struct dfpn_sum {
    uint32_t proof, disproof;
    size_t best;     /* the child to go on with, or the one that decides */
    uint32_t seen;   /* its number, other threads' work on it counted */
    uint32_t second; /* the next best child's number, likewise */
    uint32_t others; /* what the other children add to the node's other number */
} dfpn_sum;

static uint32_t capped(uint64_t number)
{
    return number >= NUMBER_INF ? NUMBER_INF - 1 : (uint32_t)number;
}

/*
 * The node's numbers from its children's. For the attacker small means proof and large disproof,
 * for the defender the other way round.
 */
static dfpn_sum row_sum(const dfpn *d, const dfpn_row *row, bool attacks)
{
    const dfpn_child *c = &d->children[row->first];
    group_set blocked = {{0}};
    uint32_t least = NUMBER_INF, second = NUMBER_INF, most = 0, open = 0, tie = 0;
    uint32_t least_alone = NUMBER_INF; /* other threads' work not counted */
    size_t best = 0;
    bool decided = false;
    for (size_t i = 0; i < row->count; i++) {
        uint32_t small = attacks ? c[i].proof : c[i].disproof;
        uint32_t large = attacks ? c[i].disproof : c[i].proof;
        if (small == 0) {
            /* Decided in favour of the player to move: the shortest win, the surest failure. */
            bool better =
                !decided || (attacks ? c[i].plies < c[best].plies
                                     : c[i].leans > c[best].leans || (c[i].leans == c[best].leans &&
                                                                      c[i].plies > c[best].plies));
            decided = true;
            best = better ? i : best;
            continue;
        }
        if (large == 0 || decided)
            continue;
        if (c[i].group) {
            if (group_has(&blocked, c[i].group))
                continue;
            group_add(&blocked, c[i].group);
        }
        open++;
        most = large > most ? large : most;
        least_alone = small < least_alone ? small : least_alone;
        if (d->yields)
            small = capped(small + (small / BUSY_PART + 1) *
                                       (uint64_t)dfpn_team_busy(d->team, c[i].key, c[i].amounts));
        if (small < least || (small == least && large > tie)) {
            second = least;
            least = small;
            tie = large;
            best = i;
        } else if (small < second) {
            second = small;
        }
    }
    dfpn_sum sum = {.best = best, .second = second, .seen = least};
    if (decided)
        least = 0, most = NUMBER_INF;
    else if (open == 0)
        least = NUMBER_INF, most = 0;
    else {
        sum.others = open - 1;
        least = least_alone;
        most = capped((uint64_t)most + open - 1);
    }
    sum.proof = attacks ? least : most;
    sum.disproof = attacks ? most : least;
    return sum;
}

uint64_t ply_dfpn_lost_bound(const dfpn *d, const dfpn_row *row, uint64_t amounts)
{
    const dfpn_child *c = &d->children[row->first];
    const ply_goal *goal = d->goal;
    if (!goal->split)
        return 0;
    uint64_t bound = 0, lacks = goal->defender_lacks
                                    ? goal->defender_lacks(d->rules, d->position, d->attacker)
                                    : ~UINT64_C(0);
    for (size_t i = 0; i < row->count; i++)
        bound = amounts_max(bound, amounts_back(c[i].bound, amounts, c[i].amounts));
    return amounts_max(bound, amounts & lacks);
}

/* The bound of a node that is decided. */
static uint64_t row_bound(const dfpn *d, const dfpn_row *row, const dfpn_sum *sum, bool attacks,
                          uint64_t amounts, bool leaned)
{
    const dfpn_child *c = &d->children[row->first];
    const ply_goal *goal = d->goal;
    bool win = sum->proof == 0;
    if (!goal->split)
        return win ? 0 : AMOUNTS_ANY;
    if (win) {
        return attacks ? amounts_back(c[sum->best].bound, amounts, c[sum->best].amounts)
                       : ply_dfpn_lost_bound(d, row, amounts);
    }
    if (leaned)
        return amounts;
    if (!attacks) {
        uint64_t most = goal->defence_allows ? goal->defence_allows(d->rules, d->position,
                                                                    d->attacker, c[sum->best].move)
                                             : amounts;
        return amounts_min(most, amounts_back(c[sum->best].bound, amounts, c[sum->best].amounts));
    }
    uint64_t bound = AMOUNTS_ANY;
    uint64_t lacks = goal->attacker_lacks ? goal->attacker_lacks(d->rules, d->position, d->attacker)
                                          : ~UINT64_C(0);
    for (size_t i = 0; i < row->count; i++)
        bound = amounts_min(bound, amounts_back(c[i].bound, amounts, c[i].amounts));
    return amounts_min(bound, (amounts & lacks) | (AMOUNTS_ANY & ~lacks));
}

/* The result of a decided node, its length and what it leans on. */
static dfpn_result row_result(const dfpn *d, const dfpn_row *row, const dfpn_sum *sum, bool attacks,
                              uint64_t amounts, uint32_t depth)
{
    const dfpn_child *c = &d->children[row->first];
    dfpn_result r = {.proof = sum->proof, .disproof = sum->disproof, .leans = LEANS_NONE};
    bool win = r.proof == 0, leaned = false;
    if (win) {
        for (size_t i = 0; i < row->count; i++)
            if (!attacks || i == sum->best)
                r.plies = c[i].plies >= r.plies ? c[i].plies : r.plies;
        r.plies = row->count ? one_more(r.plies) : 0;
    } else {
        r.plies = PLIES_ANY;
        for (size_t i = 0; i < row->count; i++)
            if (attacks || i == sum->best) {
                r.plies = c[i].plies < r.plies ? c[i].plies : r.plies;
                r.leans = c[i].leans < r.leans ? c[i].leans : r.leans;
            }
        r.plies = one_more(r.plies);
        leaned = r.leans != LEANS_NONE;
        /* What leans on this node itself leans on nothing above it. */
        if (r.leans >= depth)
            r.leans = LEANS_NONE;
    }
    r.bound = row_bound(d, row, sum, attacks, amounts, leaned);
    return r;
}

static void store(dfpn *d, uint32_t depth, uint64_t key, uint64_t amounts, const dfpn_result *r,
                  uint64_t work)
{
    dfpn_table *t = d->table;
    if (r->proof == 0) {
        ply_dfpn_table_store_win(t, key, r->bound, r->plies, (uint16_t)depth, work);
    } else if (r->disproof != 0) {
        ply_dfpn_table_store(t, key, amounts, r->proof, r->disproof, (uint16_t)depth, work, false);
    } else if (r->leans == LEANS_NONE) {
        ply_dfpn_table_store_none(t, key, r->bound, r->plies, (uint16_t)depth, work);
    } else if (r->leans >= DFPN_ROOT) {
        ply_dfpn_table_store_tie(t, d->path_way[depth], r->leans, r->plies);
        dfpn_found found;
        ply_dfpn_table_look(t, key, amounts, r->plies, &found);
        bool known = found.proof && found.disproof;
        ply_dfpn_table_store(t, key, amounts, known ? found.proof : 1, known ? found.disproof : 1,
                             (uint16_t)depth, work, true);
    }
}

/* With other threads at work: what they have found out about the children meanwhile. */
static void row_refresh(dfpn *d, const dfpn_row *row, uint16_t plies)
{
    dfpn_child *c = &d->children[row->first];
    for (size_t i = 0; i < row->count; i++) {
        if (c[i].proof == 0 || c[i].disproof == 0)
            continue;
        dfpn_found found;
        ply_dfpn_table_look(d->table, c[i].key, c[i].amounts, one_less(plies), &found);
        if (!ply_dfpn_child_decided(&c[i], &found) && found.exact) {
            c[i].proof = found.proof;
            c[i].disproof = found.disproof;
            c[i].fresh = false;
        }
    }
}

/* A move whose proof to follow behind a new child, one of its group, or PLY_MOVE_NONE. */
static ply_move row_model(const dfpn *d, const dfpn_row *row, const dfpn_child *child)
{
    const dfpn_child *c = &d->children[row->first];
    if (!child->group || !child->fresh || child->followed)
        return PLY_MOVE_NONE;
    for (size_t i = row->count; i-- > 0;)
        if (c[i].group == child->group && c[i].proof == 0)
            return c[i].move;
    return PLY_MOVE_NONE;
}

static bool has_old_child(const dfpn *d, const dfpn_row *row, uint32_t depth)
{
    const dfpn_child *c = &d->children[row->first];
    for (size_t i = 0; i < row->count; i++)
        if (c[i].proof && c[i].disproof && c[i].depth <= depth)
            return true;
    return false;
}

static uint32_t stretched(uint32_t threshold, uint32_t number)
{
    return number < NUMBER_INF && threshold < number + 1 ? number + 1 : threshold;
}

static uint32_t at_least_one(uint32_t threshold, uint32_t less)
{
    return threshold > less ? threshold - less : 1;
}

void ply_dfpn_pause(dfpn *d)
{
    if (d->nodes >= d->last_node)
        d->ending = true;
    if (d->team && !ply_dfpn_threads_go_on(d))
        d->ending = true;
    if ((d->nodes & 1023) != 0 || !d->control)
        return;
    d->now.memory_bytes = ply_dfpn_table_bytes(d->table);
    if (!ply_solve_continue(d->control, ply_dfpn_threads_nodes(d), &d->now))
        d->stopping = true;
}

static dfpn_result search(dfpn *d, uint32_t depth, uint64_t key, uint64_t amounts, uint16_t plies,
                          uint32_t least, uint32_t most_proof, uint32_t most_disproof,
                          uint32_t *stretch)
{
    uint64_t start = d->nodes++;
    dfpn_result r = {.proof = NUMBER_INF, .disproof = 0, .bound = amounts, .leans = 0};
    if (depth >= DFPN_DEPTH)
        return r;
    ply_dfpn_pause(d);
    bool attacks = ply_dfpn_attacker_moves(d);
    dfpn_row row;
    ply_dfpn_path_push(d, depth, key, amounts);
    if (d->together)
        dfpn_team_enter(d->team, key, amounts);
    if (!row_make(d, depth, plies, least, &row)) {
        d->child_count = row.first;
        ply_dfpn_path_pop(d, depth);
        if (d->together)
            dfpn_team_leave(d->team, key, amounts);
        return (dfpn_result){.proof = 1, .disproof = 1, .leans = LEANS_NONE};
    }
    uint32_t before = *stretch;
    uint32_t own_proof = most_proof, own_disproof = most_disproof;
    if (has_old_child(d, &row, depth))
        ++*stretch;
    dfpn_sum sum = row_sum(d, &row, attacks);
    bool went_on = !d->yields; /* else at least one child is searched, for the sake of progress */
    uint64_t refreshed = d->nodes;
    while (!d->stopping && !d->ending && sum.proof && sum.disproof) {
        if (depth == DFPN_ROOT) {
            d->now.proof = sum.proof;
            d->now.disproof = sum.disproof;
        }
        most_proof = *stretch ? stretched(own_proof, sum.proof) : own_proof;
        most_disproof = *stretch ? stretched(own_disproof, sum.disproof) : own_disproof;
        bool over = attacks ? sum.seen >= most_proof || sum.disproof >= most_disproof
                            : sum.proof >= most_proof || sum.seen >= most_disproof;
        if (over && went_on)
            break;
        dfpn_child *c = &d->children[row.first + sum.best];
        if (c->waiting) {
            if (!ply_dfpn_child_wake(d, depth, c, one_less(plies)))
                break;
            sum = row_sum(d, &row, attacks);
            continue;
        }
        went_on = true;
        ply_move model = row_model(d, &row, c);
        if (model != PLY_MOVE_NONE) {
            dfpn_child followed = *c;
            c->followed = true;
            if (ply_dfpn_simulate(d, depth, model, &followed) && followed.plies <= one_less(plies))
                d->children[row.first + sum.best] = followed;
            sum = row_sum(d, &row, attacks);
            continue;
        }
        uint32_t near = capped((uint64_t)sum.second + sum.second / SLACK + 1);
        uint32_t child_proof, child_disproof;
        if (attacks) {
            child_proof = near < most_proof ? near : most_proof;
            child_disproof = at_least_one(most_disproof, sum.others);
        } else {
            child_disproof = near < most_disproof ? near : most_disproof;
            child_proof = at_least_one(most_proof, sum.others);
        }
        if (over) {
            child_proof = larger(child_proof, capped((uint64_t)c->proof + 1));
            child_disproof = larger(child_disproof, capped((uint64_t)c->disproof + 1));
        }
        if (c->fresh && *stretch)
            --*stretch;
        ply_move move = c->move;
        if (!ply_dfpn_play(d, depth, move))
            break;
        uint32_t child_least = c->fresh ? 0 : attacks ? c->disproof : c->proof;
        dfpn_result below = search(d, depth + 1, c->key, c->amounts, one_less(plies), child_least,
                                   child_proof, child_disproof, stretch);
        ply_dfpn_undo(d, depth, move);
        c = &d->children[row.first + sum.best];
        c->proof = below.proof;
        c->disproof = below.disproof;
        c->bound = below.bound;
        c->plies = below.plies;
        c->leans = below.leans;
        c->fresh = false;
        if (d->together && d->nodes - refreshed >= REFRESH) {
            row_refresh(d, &row, plies);
            refreshed = d->nodes;
        }
        sum = row_sum(d, &row, attacks);
    }
    *stretch = *stretch < before ? *stretch : before;
    if (sum.proof && sum.disproof)
        r = (dfpn_result){.proof = sum.proof, .disproof = sum.disproof, .leans = LEANS_NONE};
    else
        r = row_result(d, &row, &sum, attacks, amounts, depth);
    store(d, depth, key, amounts, &r, d->nodes - start);
    d->child_count = row.first;
    ply_dfpn_path_pop(d, depth);
    if (d->together)
        dfpn_team_leave(d->team, key, amounts);
    return r;
}

dfpn_result ply_dfpn_decide(dfpn *d, uint32_t depth, uint16_t plies, uint64_t nodes)
{
    d->last_node = nodes < UINT64_MAX - d->nodes ? d->nodes + nodes : UINT64_MAX;
    d->ending = false;
    uint64_t amounts, bound, key = ply_dfpn_split(d, &amounts);
    if (d->counted && !ply_dfpn_attacker_moves(d) && ply_dfpn_is_over(d, 1, amounts, &bound))
        return (dfpn_result){.disproof = NUMBER_INF, .bound = bound, .leans = LEANS_NONE};
    /* What a tie leans on is counted from the top, so ways that begin elsewhere are others. */
    d->path_way[depth - 1] = depth * PLY_GOLDEN;
    d->child_count = 0;
    uint32_t stretch = 0;
    return search(d, depth, key, amounts, plies, 0, NUMBER_INF - 1, NUMBER_INF - 1, &stretch);
}

uint16_t ply_dfpn_known_win(const dfpn *d)
{
    uint64_t amounts, key = ply_dfpn_split(d, &amounts);
    dfpn_found found;
    ply_dfpn_table_look(d->table, key, amounts, PLIES_ANY, &found);
    return found.disproof == NUMBER_INF ? found.plies : PLIES_NONE;
}
