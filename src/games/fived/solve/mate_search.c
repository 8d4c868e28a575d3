/* SPDX-License-Identifier: MIT */
/* mate_search.c - proof-number search for mate over whole turns; see mate_search.h. */
#include "games/fived/solve/mate_internal.h"
#include <stdlib.h>
#include <string.h>

enum { POLL_MASK = 63 }; /* the limits are checked every 64 nodes */

/* --- memory ---------------------------------------------------------------------------------- */
bool fived_mate_search_init(mate_search *s, size_t memory_bytes)
{
    size_t tt_bytes = memory_bytes / 4 * 3;
    s->level_bytes = memory_bytes - tt_bytes;
    s->status = PLY_OK;
    return fived_mate_tt_init(&s->tt, tt_bytes);
}

void fived_mate_search_free(mate_search *s)
{
    for (size_t i = 0; i < s->level_count; i++) {
        mate_level *v = s->levels[i];
        fived_turn_query_free(&v->query);
        fived_mate_map_free(&v->seen);
        free(v->undo_stack);
        free(v->children);
        free(v->moves);
        free(v);
    }
    free(s->levels);
    s->levels = NULL;
    s->level_count = s->level_room = 0;
    fived_mate_tt_free(&s->tt);
}

void fived_mate_search_clear(mate_search *s)
{
    fived_mate_tt_clear(&s->tt);
    s->next_killer = 0;
    memset(s->killers, 0, sizeof s->killers);
    s->nodes = s->node_limit = 0;
    s->progress = (ply_solve_report){0};
    s->stopped = s->spent = false;
    s->why = NULL;
    s->status = PLY_OK;
}

size_t fived_mate_level_bytes(const mate_level *v)
{
    return sizeof *v + v->undo_room * sizeof *v->undo_stack + v->child_room * sizeof *v->children +
           v->move_room * sizeof *v->moves + fived_mate_map_bytes(&v->seen);
}

size_t fived_mate_search_bytes(const mate_search *s)
{
    size_t bytes = fived_mate_tt_bytes(&s->tt);
    for (size_t i = 0; i < s->level_count; i++)
        bytes += fived_mate_level_bytes(s->levels[i]);
    return bytes;
}

void fived_mate_out_of_memory(mate_search *s)
{
    s->status = PLY_NO_MEMORY;
    s->stopped = true;
}

mate_level *fived_mate_level(mate_search *s, uint32_t depth)
{
    while (s->level_count <= depth) {
        mate_level *fresh = calloc(1, sizeof *fresh);
        if (!fresh ||
            !ply_array_grow(&s->levels, &s->level_room, s->level_count + 1, sizeof *s->levels)) {
            free(fresh);
            fived_mate_out_of_memory(s);
            return NULL;
        }
        s->levels[s->level_count++] = fresh;
    }
    return s->levels[depth];
}

/* --- stopping -------------------------------------------------------------------------------- */
bool fived_mate_should_stop(void *context)
{
    mate_search *s = context;
    s->progress.memory_bytes = fived_mate_tt_bytes(&s->tt);
    if (s->control && !ply_solve_continue(s->control, s->nodes, &s->progress))
        s->stopped = true;
    else if (s->node_limit && s->nodes >= s->node_limit)
        s->stopped = s->spent = true;
    return s->stopped;
}

bool fived_mate_count_node(mate_search *s)
{
    s->nodes++;
    if ((s->nodes & POLL_MASK) == 0)
        fived_mate_should_stop(s);
    return !s->stopped;
}

/* --- the transposition table ----------------------------------------------------------------- */
void fived_mate_decide(mate_child *c, bool attacker_moves, bool wins)
{
    bool succeeds = attacker_moves == wins; /* the player to move reaches their aim */
    c->phi = succeeds ? 0 : MATE_INFINITE;
    c->delta = succeeds ? MATE_INFINITE : 0;
}

bool fived_mate_search_probe(const mate_search *s, uint64_t key, bool attacker_moves, int turns,
                             mate_child *out)
{
    const mate_entry *e = fived_mate_tt_probe(&s->tt, key);
    if (!e)
        return false;
    out->win = e->win;
    out->fail = e->fail;
    out->phi = e->phi ? e->phi : 1;
    out->delta = e->delta ? e->delta : 1;
    if (e->win <= turns)
        fived_mate_decide(out, attacker_moves, true);
    else if (e->fail >= turns)
        fived_mate_decide(out, attacker_moves, false);
    else if (out->phi >= MATE_INFINITE || out->delta >= MATE_INFINITE)
        out->phi = out->delta = 1; /* left from another number of turns, which was decided */
    return true;
}

void fived_mate_store(mate_search *s, uint64_t key, const mate_child *c, int turns, uint64_t work)
{
    mate_entry e = {.key = key,
                    .phi = c->phi,
                    .delta = c->delta,
                    .work = work < UINT32_MAX ? (uint32_t)work : UINT32_MAX,
                    .win = c->win,
                    .fail = c->fail,
                    .turns = (uint16_t)turns};
    fived_mate_tt_store(&s->tt, &e);
}

/* --- the search ------------------------------------------------------------------------------ */
/* The most proving child, and the numbers of the node. */
typedef struct selection {
    size_t best; /* child_count: the turns not generated yet */
    uint32_t phi, delta, second;
    size_t open;
} selection;

static selection select_child(const mate_level *v)
{
    selection found = {.best = v->child_count, .phi = MATE_INFINITE, .second = MATE_INFINITE};
    uint32_t largest_phi = 0;
    if (!v->complete) {
        found.phi = (uint32_t)4 << (v->batches < 16 ? v->batches : 16);
        largest_phi = 1;
        found.open = 1;
    }
    for (size_t i = 0; i < v->child_count; i++) {
        const mate_child *c = &v->children[i];
        if (c->delta < found.phi) {
            found.second = found.phi;
            found.phi = c->delta;
            found.best = i;
        } else if (c->delta < found.second) {
            found.second = c->delta;
        }
        largest_phi = c->phi > largest_phi ? c->phi : largest_phi;
    }
    found.open += v->child_count;
    found.delta = largest_phi + (uint32_t)(found.open > 1 ? found.open - 1 : 0);
    found.delta = found.delta < MATE_INFINITE - 1 ? found.delta : MATE_INFINITE - 1;
    return found;
}

static void search(mate_search *s, uint32_t depth, bool attacker_moves, int turns,
                   uint32_t phi_limit, uint32_t delta_limit, mate_child *out);

/* Searches a child and updates it. */
static void search_child(mate_search *s, mate_level *v, const selection *found, uint32_t phi_limit,
                         uint32_t delta_limit)
{
    mate_child c = v->children[found->best];
    /* Searching deeper levels does not grow this one, so the pointer stays valid. */
    const ply_move *moves = v->moves + c.first;
    uint32_t depth = s->depth;
    uint32_t wider = found->second + found->second / 4 + 1;
    int left = v->attacker_moves ? v->turns - 1 : v->turns;
    if (!fived_mate_play_turn(s, v, moves, c.count))
        return;
    search(s, depth + 1, !v->attacker_moves, left, delta_limit - (uint32_t)(found->open - 1),
           phi_limit < wider ? phi_limit : wider, &c);
    s->depth = depth;
    fived_mate_undo_turn(s, v, moves, c.count);
    if (s->stopped)
        return;
    if (c.phi == 0) {
        fived_mate_record_lost_turn(v, &c);
        v->children[found->best] = v->children[--v->child_count];
        return;
    }
    v->children[found->best] = c;
    if (c.delta == 0) { /* the successful child goes last */
        mate_child last = v->children[v->child_count - 1];
        v->children[v->child_count - 1] = c;
        v->children[found->best] = last;
        v->done = true;
    }
}

/* Every turn has failed, or there is none: decides the node. */
static void no_turn_left(mate_level *v, mate_child *out)
{
    if (v->attacker_moves) {
        out->fail = v->fail == MATE_FAIL_ALWAYS ? MATE_FAIL_ALWAYS : (int16_t)(v->fail + 1);
    } else if (v->any) {
        out->win = v->win;
    } else if (fived_turn_query_in_check(&v->query)) {
        out->win = 0;
    } else {
        out->fail = MATE_FAIL_ALWAYS;
    }
    fived_mate_decide(out, v->attacker_moves, out->win <= v->turns);
}

static bool open_level(mate_search *s, mate_level *v, bool attacker_moves, int turns)
{
    v->child_count = v->move_count = 0;
    v->batches = 0;
    v->turns = turns;
    v->win = 0;
    v->fail = MATE_FAIL_ALWAYS;
    v->attacker_moves = attacker_moves;
    v->quiet = v->complete = v->more = v->any = v->done = false;
    fived_mate_map_clear(&v->seen);
    v->query.interrupt.poll = fived_mate_should_stop;
    v->query.interrupt.context = s;
    if (fived_turn_query_prepare(&v->query, s->rules, s->position) == PLY_OK)
        return true;
    fived_mate_out_of_memory(s);
    return false;
}

static void search(mate_search *s, uint32_t depth, bool attacker_moves, int turns,
                   uint32_t phi_limit, uint32_t delta_limit, mate_child *out)
{
    mate_level *v = fived_mate_level(s, depth);
    uint64_t before = s->nodes, key = fived_hash(s->rules, s->position);
    s->depth = depth;
    out->key = key;
    out->win = MATE_NO_WIN;
    out->fail = MATE_FAIL_UNKNOWN;
    if (!v || !open_level(s, v, attacker_moves, turns))
        return;
    v->child_limit = SIZE_MAX;
    if (attacker_moves)
        fived_mate_try_killers(s, v);
    if (!v->done && !s->stopped)
        fived_mate_expand(s, v);
    while (!s->stopped) {
        if (v->done) {
            const mate_child *c = &v->children[v->child_count - 1];
            if (attacker_moves)
                out->win = (int16_t)(c->win + 1);
            else
                out->fail = c->fail;
            fived_mate_decide(out, attacker_moves, attacker_moves);
            break;
        }
        if (v->complete && v->child_count == 0) {
            no_turn_left(v, out);
            break;
        }
        selection found = select_child(v);
        out->phi = found.phi;
        out->delta = found.delta;
        if (depth == 0) {
            s->progress.proof = attacker_moves ? found.phi : found.delta;
            s->progress.disproof = attacker_moves ? found.delta : found.phi;
        }
        if (found.phi >= phi_limit || found.delta >= delta_limit)
            break;
        if (found.best == v->child_count)
            fived_mate_expand(s, v);
        else
            search_child(s, v, &found, phi_limit, delta_limit);
    }
    if (!s->stopped)
        fived_mate_store(s, key, out, turns, s->nodes - before);
}

void fived_mate_search_run(mate_search *s, bool attacker_moves, int turns, mate_child *out)
{
    *out = (mate_child){.phi = 1, .delta = 1, .win = MATE_NO_WIN, .fail = MATE_FAIL_UNKNOWN};
    if (fived_mate_should_stop(s))
        return;
    search(s, 0, attacker_moves, turns, MATE_INFINITE, MATE_INFINITE, out);
}

const ply_move *fived_mate_search_best_turn(const mate_search *s, size_t *count)
{
    const mate_level *v = s->level_count ? s->levels[0] : NULL;
    *count = 0;
    if (!v || !v->done)
        return NULL;
    const mate_child *c = &v->children[v->child_count - 1];
    *count = c->count;
    return v->moves + c->first;
}
