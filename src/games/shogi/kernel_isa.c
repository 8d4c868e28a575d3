/*
 * kernel_isa.c - moves, counting, perft and random games, compiled once for each instruction set.
 *
 * Each function is written for one colour and compiled for both: steps and zones are constants.
 */
#include "games/shogi/groups.h"
#include "games/shogi/replies.h"
#include <stdlib.h>
#include <string.h>

SHOGI_INLINE size_t list_groups(const move_group *groups, size_t n, ply_move *out)
{
    ply_move *at = out;
    for (size_t i = 0; i < n; i++) {
        const move_group *g = &groups[i];
        for (uint64_t s = set_low(g->to); s; s &= s - 1)
            *at++ = group_move(g, ply_lowest(s));
        for (uint64_t s = set_high(g->to); s; s &= s - 1)
            *at++ = group_move(g, 64 + ply_lowest(s));
    }
    return (size_t)(at - out);
}

static size_t make_groups_of(const shogi_position *p, int mode, move_group *groups)
{
    if (mode == SHOGI_SIMPLE)
        return p->side == SHOGI_BLACK ? make_groups_inline(p, SHOGI_BLACK, SHOGI_SIMPLE, groups)
                                      : make_groups_inline(p, SHOGI_WHITE, SHOGI_SIMPLE, groups);
    return make_groups(p, p->side, groups);
}

static size_t checks(const shogi_position *p, ply_move *out)
{
    piece_group groups[MAX_GROUPS];
    size_t n = p->side == SHOGI_BLACK ? make_piece_groups(p, SHOGI_BLACK, SHOGI_TSUME, groups)
                                      : make_piece_groups(p, SHOGI_WHITE, SHOGI_TSUME, groups);
    size_t total = 0;
    for (size_t i = 0; i < n; i++)
        total += list_groups(&groups[i].moves, 1, out + total);
    return total;
}

static size_t moves(const shogi_position *p, int mode, ply_move *out)
{
    if (mode == SHOGI_TSUME)
        return checks(p, out);
    move_group groups[MAX_GROUPS];
    return list_groups(groups, make_groups_of(p, mode, groups), out);
}

static size_t count(const shogi_position *p)
{
    return count_legal_of(p, p->side);
}

static ply_move nth_of_groups(const move_group *groups, size_t k)
{
    const move_group *g = groups;
    for (unsigned n; k >= (n = set_count(g->to)); g++)
        k -= n;
    return group_move(g, set_nth(g->to, (unsigned)k));
}

static ply_move nth(const shogi_position *p, size_t k)
{
    move_group groups[MAX_GROUPS];
    make_groups_of(p, SHOGI_STANDARD, groups);
    return nth_of_groups(groups, k);
}

/* --- perft ---------------------------------------------------------------------------------- */
static uint64_t perft_white(shogi_position *p, int depth);

SHOGI_INLINE uint64_t perft_colour(shogi_position *p, int us, int depth,
                                   uint64_t (*next)(shogi_position *, int))
{
    if (depth == 1)
        return count_legal_of(p, us);
    if (depth == 2)
        return count_replies(p, us);
    move_group groups[MAX_GROUPS];
    size_t n = make_groups(p, us, groups);
    uint64_t total = 0;
    for (size_t i = 0; i < n; i++)
        for (shogi_set to = groups[i].to; to; to &= to - 1) {
            unsigned move = group_move(&groups[i], set_first(to));
            int captured = play_move(p, us, move, false);
            total += next(p, depth - 1);
            undo_move(p, us, move, captured, false);
        }
    return total;
}

static uint64_t perft_black(shogi_position *p, int depth)
{
    return perft_colour(p, SHOGI_BLACK, depth, perft_white);
}

static uint64_t perft_white(shogi_position *p, int depth)
{
    return perft_colour(p, SHOGI_WHITE, depth, perft_black);
}

static uint64_t perft(shogi_position *p, int depth)
{
    return p->side == SHOGI_BLACK ? perft_black(p, depth) : perft_white(p, depth);
}

/* --- perft by playing every move ------------------------------------------------------------ */
static uint64_t visit_white(shogi_position *p, int depth);

SHOGI_INLINE uint64_t visit_colour(shogi_position *p, int us, int depth,
                                   uint64_t (*next)(shogi_position *, int))
{
    move_group groups[MAX_GROUPS];
    size_t n = make_groups(p, us, groups);
    uint64_t total = 0, board_key = p->board_key, hand_key = p->hand_key;
    for (size_t i = 0; i < n; i++)
        for (shogi_set to = groups[i].to; to; to &= to - 1) {
            unsigned move = group_move(&groups[i], set_first(to));
            int captured = play_move(p, us, move, true);
            total += depth > 1 ? next(p, depth - 1) : 1;
            undo_move(p, us, move, captured, true);
            p->board_key = board_key;
            p->hand_key = hand_key;
        }
    return total;
}

static uint64_t visit_black(shogi_position *p, int depth)
{
    return visit_colour(p, SHOGI_BLACK, depth, visit_white);
}

static uint64_t visit_white(shogi_position *p, int depth)
{
    return visit_colour(p, SHOGI_WHITE, depth, visit_black);
}

static uint64_t visit(shogi_position *p, int depth)
{
    return p->side == SHOGI_BLACK ? visit_black(p, depth) : visit_white(p, depth);
}

/* --- random games --------------------------------------------------------------------------- */
/*
 * Positions met, as a filter: a bit for each key. A position whose bit is new is new; one whose bit
 * is set is looked up in the records.
 */
enum { FILTER_BITS = 15, RECORDS_ON_STACK = 1024 };

typedef struct playout_trail {
    uint64_t filter[(1 << FILTER_BITS) / 64];
    shogi_record first[RECORDS_ON_STACK];
    shogi_record *records;
    size_t capacity;
} playout_trail;

static bool filter_add(uint64_t *filter, uint64_t key)
{
    uint64_t *word = &filter[key >> (64 - FILTER_BITS + 6)];
    uint64_t bit = (uint64_t)1 << ((key >> (64 - FILTER_BITS)) & 63);
    bool known = (*word & bit) != 0;
    *word |= bit;
    return known;
}

/* Games of more than RECORDS_ON_STACK plies are rare: only those go to the heap. */
static bool trail_grow(playout_trail *trail)
{
    size_t bytes = trail->capacity * sizeof(shogi_record);
    shogi_record *records = malloc(bytes * 4);
    if (!records)
        return false;
    memcpy(records, trail->records, bytes);
    if (trail->records != trail->first)
        free(trail->records);
    trail->records = records;
    trail->capacity *= 4;
    return true;
}

/* One ply, if the game is not over. False: over, or no memory. */
SHOGI_INLINE bool playout_ply(const ply_rules *rules, shogi_position *p, int us, ply_rng *rng,
                              playout_trail *trail, size_t plies, ply_outcome *outcome)
{
    /* Before the groups are made, as outcome has it; both tests are quick in most positions. */
    int impasse = rules->option[SHOGI_OPTION_IMPASSE];
    if (impasse == SHOGI_IMPASSE_TRY || (impasse != SHOGI_IMPASSE_NONE &&
                                         (p->by[SHOGI_KING] & p->colour[us] & last_ranks(us, 3)))) {
        *outcome = shogi_impasse_outcome(rules, p);
        if (outcome->result != PLY_ONGOING)
            return false;
    }
    move_group groups[MAX_GROUPS];
    size_t n = make_groups(p, us, groups);
    if (n == 0) {
        *outcome = ply_outcome_win(!us, shogi_in_check(p, us) ? "mate" : "no-move");
        return false;
    }
    if (filter_add(trail->filter, p->board_key + p->hand_key)) {
        *outcome = shogi_repetition_outcome(p, trail->records, plies);
        if (outcome->result != PLY_ONGOING)
            return false;
    }
    int32_t limit = rules->option[SHOGI_OPTION_PLIES];
    if (limit > 0 && p->ply > (uint32_t)limit) {
        *outcome = (ply_outcome){PLY_DRAW, "ply-limit"};
        return false;
    }
    if (plies == trail->capacity && !trail_grow(trail))
        return false;
    unsigned total = 0, below[MAX_GROUPS];
    for (size_t i = 0; i < n; i++) {
        below[i] = total;
        total += set_count(groups[i].to);
    }
    unsigned k = ply_rng_below(rng, total), at = 0;
    /* The last group that begins at or before k; a sum of tests instead of a search. */
    for (size_t i = 1; i < n; i++)
        at += below[i] <= k;
    unsigned move = group_move(&groups[at], set_nth(groups[at].to, k - below[at]));
    shogi_record *r = &trail->records[plies];
    r->board_key = p->board_key;
    r->hand_key = p->hand_key;
    r->move = (uint16_t)move;
    r->captured = (uint8_t)play_move(p, us, move, true);
    return true;
}

static __attribute__((noinline)) bool playout_black(const ply_rules *rules, shogi_position *p,
                                                    ply_rng *rng, playout_trail *trail,
                                                    size_t plies, ply_outcome *outcome)
{
    return playout_ply(rules, p, SHOGI_BLACK, rng, trail, plies, outcome);
}

static __attribute__((noinline)) bool playout_white(const ply_rules *rules, shogi_position *p,
                                                    ply_rng *rng, playout_trail *trail,
                                                    size_t plies, ply_outcome *outcome)
{
    return playout_ply(rules, p, SHOGI_WHITE, rng, trail, plies, outcome);
}

static size_t playout(const ply_rules *rules, shogi_position *position, ply_rng *rng,
                      size_t max_plies, ply_outcome *outcome)
{
    playout_trail trail;
    memset(trail.filter, 0, sizeof trail.filter);
    trail.records = trail.first;
    trail.capacity = RECORDS_ON_STACK;
    shogi_position p = *position;
    size_t plies = 0;
    *outcome = (ply_outcome){PLY_ONGOING, NULL};
    while (plies < max_plies &&
           (p.side == SHOGI_BLACK ? playout_black(rules, &p, rng, &trail, plies, outcome)
                                  : playout_white(rules, &p, rng, &trail, plies, outcome)))
        plies++;
    if (plies == max_plies)
        *outcome = shogi_outcome(rules, &p, trail.records, plies);
    if (trail.records != trail.first)
        free(trail.records);
    *position = p;
    return plies;
}

extern const shogi_kernels PLY_ISA(shogi_kernels_of);
const shogi_kernels PLY_ISA(shogi_kernels_of) = {
    .moves = moves,
    .count = count,
    .nth = nth,
    .perft = perft,
    .visit = visit,
    .playout = playout,
};
