/* SPDX-License-Identifier: MIT */
/* mate_search.c - forced mate over whole turns, by proof numbers: the search. */
#include "games/fived/solve/mate_internal.h"
#include <stdlib.h>
#include <string.h>

enum { POLL = 63 }; /* nodes between looks at the clock, less one */

/* --- memory ---------------------------------------------------------------------------------- */
bool fived_mate_search_init(mate_search *s, size_t memory_bytes)
{
    size_t table = memory_bytes / 4 * 3;
    s->memory_bytes = memory_bytes - table;
    s->status = PLY_OK;
    return fived_mate_table_init(&s->table, table);
}

void fived_mate_search_free(mate_search *s)
{
    for (size_t i = 0; i < s->level_count; i++) {
        mate_level *v = s->levels[i];
        fived_search_free(&v->search);
        fived_mate_map_free(&v->seen);
        free(v->undo_stack);
        free(v->children);
        free(v->moves);
        free(v);
    }
    free(s->levels);
    s->levels = NULL;
    s->level_count = s->level_room = 0;
    fived_mate_table_free(&s->table);
}

void fived_mate_search_clear(mate_search *s)
{
    fived_mate_table_clear(&s->table);
    s->killer_next = 0;
    memset(s->killers, 0, sizeof s->killers);
    s->nodes = s->nodes_most = 0;
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
    size_t bytes = fived_mate_table_bytes(&s->table);
    for (size_t i = 0; i < s->level_count; i++)
        bytes += fived_mate_level_bytes(s->levels[i]);
    return bytes;
}

void fived_mate_fail_memory(mate_search *s)
{
    s->status = PLY_NO_MEMORY;
    s->stopped = true;
}

mate_level *fived_mate_level_at(mate_search *s, uint32_t depth)
{
    while (s->level_count <= depth) {
        mate_level *fresh = calloc(1, sizeof *fresh);
        if (!fresh ||
            !ply_array_grow(&s->levels, &s->level_room, s->level_count + 1, sizeof *s->levels)) {
            free(fresh);
            fived_mate_fail_memory(s);
            return NULL;
        }
        s->levels[s->level_count++] = fresh;
    }
    return s->levels[depth];
}

/* --- stopping -------------------------------------------------------------------------------- */
bool fived_mate_must_halt(void *context)
{
    mate_search *s = context;
    s->progress.memory_bytes = fived_mate_table_bytes(&s->table);
    if (s->control && !ply_solve_continue(s->control, s->nodes, &s->progress))
        s->stopped = true;
    else if (s->nodes_most && s->nodes >= s->nodes_most)
        s->stopped = s->spent = true;
    return s->stopped;
}

bool fived_mate_count_node(mate_search *s)
{
    s->nodes++;
    if ((s->nodes & POLL) == 0)
        fived_mate_must_halt(s);
    return !s->stopped;
}

/* --- what is known --------------------------------------------------------------------------- */
/* Gives a child the numbers of a decided question. */
void fived_mate_decide(mate_child *c, bool attacks, bool wins)
{
    bool way = attacks == wins; /* the player to move gets his way */
    c->phi = way ? 0 : MATE_FOREVER;
    c->delta = way ? MATE_FOREVER : 0;
}

bool fived_mate_search_known(const mate_search *s, uint64_t key, bool attacks, int turns,
                             mate_child *out)
{
    const mate_entry *e = fived_mate_table_find(&s->table, key);
    if (!e)
        return false;
    out->win = e->win;
    out->fail = e->fail;
    out->phi = e->phi ? e->phi : 1;
    out->delta = e->delta ? e->delta : 1;
    if (e->win <= turns)
        fived_mate_decide(out, attacks, true);
    else if (e->fail >= turns)
        fived_mate_decide(out, attacks, false);
    else if (out->phi >= MATE_FOREVER || out->delta >= MATE_FOREVER)
        out->phi = out->delta = 1; /* of another question, which was decided */
    return true;
}

void fived_mate_note(mate_search *s, uint64_t key, const mate_child *c, int turns, uint64_t work)
{
    mate_entry e = {.key = key,
                    .phi = c->phi,
                    .delta = c->delta,
                    .work = work < UINT32_MAX ? (uint32_t)work : UINT32_MAX,
                    .win = c->win,
                    .fail = c->fail,
                    .turns = (uint16_t)turns};
    fived_mate_table_store(&s->table, &e);
}

/* --- the search ------------------------------------------------------------------------------ */
/* What a look over the children says. */
typedef struct choice {
    size_t best; /* child_count: those not listed */
    uint32_t phi, delta, second;
    size_t open;
} choice;

static choice choose(const mate_level *v)
{
    choice found = {.best = v->child_count, .phi = MATE_FOREVER, .second = MATE_FOREVER};
    uint32_t most = 0;
    if (!v->whole) {
        found.phi = (uint32_t)4 << (v->portions < 16 ? v->portions : 16);
        most = 1;
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
        most = c->phi > most ? c->phi : most;
    }
    found.open += v->child_count;
    found.delta = most + (uint32_t)(found.open > 1 ? found.open - 1 : 0);
    found.delta = found.delta < MATE_FOREVER - 1 ? found.delta : MATE_FOREVER - 1;
    return found;
}

static void search(mate_search *s, uint32_t depth, bool attacks, int turns, uint32_t phi_most,
                   uint32_t delta_most, mate_child *out);

/* Searches below a child and takes in what comes of it. */
static void go_below(mate_search *s, mate_level *v, const choice *found, uint32_t phi_most,
                     uint32_t delta_most)
{
    mate_child c = v->children[found->best];
    /* The moves may be elsewhere when the level grows, but it does not grow from below. */
    const ply_move *moves = v->moves + c.first;
    uint32_t depth = s->depth;
    uint32_t wider = found->second + found->second / 4 + 1;
    int left = v->attacks ? v->turns - 1 : v->turns;
    if (!fived_mate_play_turn(s, v, moves, c.count))
        return;
    search(s, depth + 1, !v->attacks, left, delta_most - (uint32_t)(found->open - 1),
           phi_most < wider ? phi_most : wider, &c);
    s->depth = depth;
    fived_mate_undo_turn(s, v, moves, c.count);
    if (s->stopped)
        return;
    if (c.phi == 0) {
        fived_mate_note_lost(v, &c);
        v->children[found->best] = v->children[--v->child_count];
        return;
    }
    v->children[found->best] = c;
    if (c.delta == 0) { /* the last child is the one that does it */
        mate_child last = v->children[v->child_count - 1];
        v->children[v->child_count - 1] = c;
        v->children[found->best] = last;
        v->done = true;
    }
}

/* No turn is left: what that means. */
static void all_lost(mate_search *s, mate_level *v, mate_child *out)
{
    if (v->attacks) {
        out->fail = v->fail == MATE_FAIL_ALL ? MATE_FAIL_ALL : (int16_t)(v->fail + 1);
    } else if (v->any) {
        out->win = v->win;
    } else if (fived_in_check(&v->search, s->rules, s->position)) {
        out->win = 0;
    } else {
        out->fail = MATE_FAIL_ALL;
    }
    fived_mate_decide(out, v->attacks, out->win <= v->turns);
}

static bool open_level(mate_search *s, mate_level *v, bool attacks, int turns)
{
    v->child_count = v->move_count = 0;
    v->portions = 0;
    v->turns = turns;
    v->win = 0;
    v->fail = MATE_FAIL_ALL;
    v->attacks = attacks;
    v->quiet = v->whole = v->more = v->any = v->done = false;
    fived_mate_map_clear(&v->seen);
    v->search.halt = fived_mate_must_halt;
    v->search.halt_context = s;
    if (fived_search_prepare(&v->search, s->rules, s->position) == PLY_OK)
        return true;
    fived_mate_fail_memory(s);
    return false;
}

static void search(mate_search *s, uint32_t depth, bool attacks, int turns, uint32_t phi_most,
                   uint32_t delta_most, mate_child *out)
{
    mate_level *v = fived_mate_level_at(s, depth);
    uint64_t before = s->nodes, key = fived_hash(s->rules, s->position);
    s->depth = depth;
    out->key = key;
    out->win = MATE_NO_WIN;
    out->fail = MATE_FAIL_NONE;
    if (!v || !open_level(s, v, attacks, turns))
        return;
    v->most = SIZE_MAX;
    if (attacks)
        fived_mate_try_killers(s, v);
    if (!v->done && !s->stopped)
        fived_mate_list_more(s, v);
    while (!s->stopped) {
        if (v->done) {
            const mate_child *c = &v->children[v->child_count - 1];
            if (attacks)
                out->win = (int16_t)(c->win + 1);
            else
                out->fail = c->fail;
            fived_mate_decide(out, attacks, attacks);
            break;
        }
        if (v->whole && v->child_count == 0) {
            all_lost(s, v, out);
            break;
        }
        choice found = choose(v);
        out->phi = found.phi;
        out->delta = found.delta;
        if (depth == 0) {
            s->progress.proof = attacks ? found.phi : found.delta;
            s->progress.disproof = attacks ? found.delta : found.phi;
        }
        if (found.phi >= phi_most || found.delta >= delta_most)
            break;
        if (found.best == v->child_count)
            fived_mate_list_more(s, v);
        else
            go_below(s, v, &found, phi_most, delta_most);
    }
    if (!s->stopped)
        fived_mate_note(s, key, out, turns, s->nodes - before);
}

void fived_mate_search_ask(mate_search *s, bool attacks, int turns, mate_child *out)
{
    *out = (mate_child){.phi = 1, .delta = 1, .win = MATE_NO_WIN, .fail = MATE_FAIL_NONE};
    if (fived_mate_must_halt(s))
        return;
    search(s, 0, attacks, turns, MATE_FOREVER, MATE_FOREVER, out);
}

const ply_move *fived_mate_search_turn(const mate_search *s, size_t *count)
{
    const mate_level *v = s->level_count ? s->levels[0] : NULL;
    *count = 0;
    if (!v || !v->done)
        return NULL;
    const mate_child *c = &v->children[v->child_count - 1];
    *count = c->count;
    return v->moves + c->first;
}
