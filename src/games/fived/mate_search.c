/* mate_search.c - forced mate over whole turns, by proof numbers. */
#include "games/fived/mate_search.h"
#include <stdlib.h>
#include <string.h>

#define FOREVER (UINT32_MAX / 4)

enum {
    CHECKS = 256,  /* turns in a first portion: the attacker's */
    ANSWERS = 32,  /* the defender's */
    QUIET = 128,   /* in the first portion with quiet turns of the attacker's */
    FEW_TURNS = 8, /* of the defender's are counted */
    FEW_BOARDS = 4,
    GOOD = 96, /* promising turns listed before the others */
    QUIET_PROOF = 6,
    POLL = 63, /* nodes between looks at the clock, less one */
};

/* --- memory ---------------------------------------------------------------------------------- */
bool mate_search_init(mate_search *s, size_t memory_bytes)
{
    size_t table = memory_bytes / 4 * 3;
    s->memory_bytes = memory_bytes - table;
    s->status = PLY_OK;
    return mate_table_init(&s->table, table);
}

void mate_search_free(mate_search *s)
{
    for (size_t i = 0; i < s->level_count; i++) {
        mate_level *v = s->levels[i];
        fived_search_free(&v->search);
        mate_map_free(&v->seen);
        free(v->records);
        free(v->children);
        free(v->moves);
        free(v);
    }
    free(s->levels);
    s->levels = NULL;
    s->level_count = s->level_room = 0;
    mate_table_free(&s->table);
}

void mate_search_clear(mate_search *s)
{
    mate_table_clear(&s->table);
    s->killer_next = 0;
    memset(s->killers, 0, sizeof s->killers);
    s->nodes = s->nodes_most = 0;
    s->progress = (ply_solve_report){0};
    s->stopped = s->spent = false;
    s->why = NULL;
    s->status = PLY_OK;
}

static size_t level_bytes(const mate_level *v)
{
    return sizeof *v + v->record_room * sizeof *v->records + v->child_room * sizeof *v->children +
           v->move_room * sizeof *v->moves + mate_map_bytes(&v->seen);
}

size_t mate_search_bytes(const mate_search *s)
{
    size_t bytes = mate_table_bytes(&s->table);
    for (size_t i = 0; i < s->level_count; i++)
        bytes += level_bytes(s->levels[i]);
    return bytes;
}

static void fail_memory(mate_search *s)
{
    s->status = PLY_NO_MEMORY;
    s->stopped = true;
}

static mate_level *level_at(mate_search *s, uint32_t depth)
{
    while (s->level_count <= depth) {
        mate_level *fresh = calloc(1, sizeof *fresh);
        if (!fresh ||
            !ply_grow(&s->levels, &s->level_room, s->level_count + 1, sizeof *s->levels)) {
            free(fresh);
            fail_memory(s);
            return NULL;
        }
        s->levels[s->level_count++] = fresh;
    }
    return s->levels[depth];
}

/* --- stopping -------------------------------------------------------------------------------- */
static bool must_halt(void *context)
{
    mate_search *s = context;
    s->progress.memory_bytes = mate_table_bytes(&s->table);
    if (s->control && !ply_solve_go_on(s->control, s->nodes, &s->progress))
        s->stopped = true;
    else if (s->nodes_most && s->nodes >= s->nodes_most)
        s->stopped = s->spent = true;
    return s->stopped;
}

static bool count_node(mate_search *s)
{
    s->nodes++;
    if ((s->nodes & POLL) == 0)
        must_halt(s);
    return !s->stopped;
}

/* --- what is known --------------------------------------------------------------------------- */
/* Gives a child the numbers of a decided question. */
static void decide(mate_child *c, bool attacks, bool wins)
{
    bool way = attacks == wins; /* the player to move gets his way */
    c->phi = way ? 0 : FOREVER;
    c->delta = way ? FOREVER : 0;
}

bool mate_search_known(const mate_search *s, uint64_t key, bool attacks, int turns, mate_child *out)
{
    const mate_entry *e = mate_table_find(&s->table, key);
    if (!e)
        return false;
    out->win = e->win;
    out->fail = e->fail;
    out->phi = e->phi ? e->phi : 1;
    out->delta = e->delta ? e->delta : 1;
    if (e->win <= turns)
        decide(out, attacks, true);
    else if (e->fail >= turns)
        decide(out, attacks, false);
    else if (out->phi >= FOREVER || out->delta >= FOREVER)
        out->phi = out->delta = 1; /* of another question, which was decided */
    return true;
}

static void store(mate_search *s, uint64_t key, const mate_child *c, int turns, uint64_t work)
{
    mate_entry e = {.key = key,
                    .phi = c->phi,
                    .delta = c->delta,
                    .work = work < UINT32_MAX ? (uint32_t)work : UINT32_MAX,
                    .win = c->win,
                    .fail = c->fail,
                    .turns = (uint16_t)turns};
    mate_table_store(&s->table, &e);
}

/* --- turns ----------------------------------------------------------------------------------- */
static void undo_turn(mate_search *s, mate_level *v, const ply_move *moves, size_t count)
{
    while (count > 0) {
        count--;
        fived_undo(s->rules, s->position, moves[count], &v->records[count]);
    }
    fived_search_rebind(&v->search);
}

static bool play_turn(mate_search *s, mate_level *v, const ply_move *moves, size_t count)
{
    if (!ply_grow(&v->records, &v->record_room, count, sizeof *v->records)) {
        fail_memory(s);
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        ply_status status = fived_play(s->rules, s->position, moves[i], &v->records[i]);
        if (status == PLY_OK)
            continue;
        undo_turn(s, v, moves, i);
        if (status == PLY_NO_MEMORY)
            s->status = status;
        s->why = "size"; /* the multiverse has outgrown the coordinates */
        s->stopped = true;
        return false;
    }
    return true;
}

static bool count_few(void *context, const ply_move *moves, size_t count)
{
    (void)moves;
    (void)count;
    return ++*(uint32_t *)context < FEW_TURNS;
}

/*
 * The attacker has made a turn that gives check, or just any: whether the defender has an answer.
 * Fills in the child. False: stopped.
 */
static bool look_behind(mate_search *s, mate_child *c, int left)
{
    mate_level *below = level_at(s, s->depth + 1);
    if (!below)
        return false;
    fived_search *search = &below->search;
    search->halt = must_halt;
    search->halt_context = s;
    if (fived_search_prepare(search, s->rules, s->position) != PLY_OK) {
        fail_memory(s);
        return false;
    }
    bool exists = fived_search_exists(search, false);
    if (search->status_code != PLY_OK)
        fail_memory(s);
    if (search->halted || s->stopped) {
        s->stopped = true;
        return false;
    }
    if (exists) {
        uint32_t few = 0;
        c->fail = 0;
        if (left == 0) {
            decide(c, false, false);
            return true;
        }
        /* With many boards a check leaves few turns that are hard to list one by one. */
        if (search->axis_count <= FEW_BOARDS)
            fived_search_each(search, false, count_few, &few);
        c->delta = few > 0 ? few : FEW_TURNS / 2;
        return true;
    }
    bool mate = fived_in_check(search, s->rules, s->position);
    if (mate)
        c->win = 0;
    else
        c->fail = MATE_FAIL_ALL;
    decide(c, false, mate);
    store(s, c->key, c, left, 1);
    return true;
}

static void remember_killer(mate_search *s, const ply_move *moves, size_t count)
{
    if (count > MATE_KILLER_MOVES)
        return;
    for (int i = 0; i < MATE_KILLERS; i++) {
        const mate_killer *k = &s->killers[i];
        if (k->count == count && memcmp(k->moves, moves, count * sizeof *moves) == 0)
            return;
    }
    mate_killer *k = &s->killers[s->killer_next++ % MATE_KILLERS];
    memcpy(k->moves, moves, count * sizeof *moves);
    k->count = count;
}

/* Notes a turn that is decided against the player to move. */
static void note_lost(mate_level *v, const mate_child *c)
{
    if (v->attacks && c->fail < v->fail)
        v->fail = c->fail;
    if (!v->attacks && c->win > v->win)
        v->win = c->win;
}

/*
 * The turn is in place. False: it need not be kept, being no turn for the goal, known already, or
 * decided against the player to move.
 */
static bool judge(mate_search *s, mate_level *v, mate_child *c)
{
    int left = v->attacks ? v->turns - 1 : v->turns;
    bool check = true;
    if (v->attacks) {
        check = fived_threatened(s->rules, s->position);
        if (!check && s->checks_only)
            return false;
        if (!check && left == 0) {
            v->fail = v->fail < 0 ? v->fail : 0; /* whatever it is, it is not mate */
            return false;
        }
        if (!check && !v->quiet) {
            v->more = true;
            return false;
        }
    }
    int added = mate_map_add(&v->seen, c->key, 0);
    if (added < 0)
        fail_memory(s);
    if (added <= 0)
        return false;
    if (!mate_search_known(s, c->key, !v->attacks, left, c)) {
        c->phi = c->delta = 1;
        if (v->attacks && check && !look_behind(s, c, left))
            return false;
        if (!check)
            c->delta = QUIET_PROOF;
    }
    if (c->phi == 0)
        note_lost(v, c);
    return c->phi != 0;
}

static bool keep_child(mate_search *s, mate_level *v, mate_child *c, const ply_move *moves)
{
    if (!ply_grow(&v->children, &v->child_room, v->child_count + 1, sizeof *v->children) ||
        !ply_grow(&v->moves, &v->move_room, v->move_count + c->count, sizeof *v->moves)) {
        fail_memory(s);
        return false;
    }
    c->first = v->move_count;
    memcpy(v->moves + v->move_count, moves, c->count * sizeof *moves);
    v->move_count += c->count;
    v->children[v->child_count++] = *c;
    v->done = c->delta == 0;
    return true;
}

/* Lists a turn; false ends the listing. */
static bool visit_turn(void *context, const ply_move *moves, size_t count)
{
    mate_search *s = context;
    mate_level *v = s->levels[s->depth];
    v->any = true;
    if (v->child_count >= v->most) {
        v->more = true;
        return false;
    }
    if (!count_node(s) || !play_turn(s, v, moves, count))
        return false;
    mate_child c = {.key = fived_hash(s->rules, s->position),
                    .count = count,
                    .win = MATE_NO_WIN,
                    .fail = MATE_FAIL_NONE};
    bool keep = judge(s, v, &c);
    undo_turn(s, v, moves, count);
    if (s->stopped || (keep && !keep_child(s, v, &c, moves)))
        return false;
    if (v->done && c.win == 0)
        remember_killer(s, moves, count);
    return !v->done;
}

/* --- promising turns first ------------------------------------------------------------------- */
typedef struct good_turn {
    size_t first, count;
    int32_t score;
} good_turn;

typedef struct good_list {
    mate_search *s;
    good_turn *turns;
    ply_move *moves;
    size_t turn_room, turn_count, move_room, move_count;
} good_list;

static bool keep_good(void *context, const ply_move *moves, size_t count, int32_t score)
{
    good_list *list = context;
    if (!ply_grow(&list->turns, &list->turn_room, list->turn_count + 1, sizeof *list->turns) ||
        !ply_grow(&list->moves, &list->move_room, list->move_count + count, sizeof *list->moves)) {
        fail_memory(list->s);
        return false;
    }
    list->turns[list->turn_count++] = (good_turn){list->move_count, count, score};
    memcpy(list->moves + list->move_count, moves, count * sizeof *moves);
    list->move_count += count;
    return true;
}

static bool good_halts(void *context)
{
    return must_halt(((good_list *)context)->s);
}

static int by_score(const void *a, const void *b)
{
    const good_turn *x = a, *y = b;
    if (x->score != y->score)
        return x->score < y->score ? 1 : -1;
    return (x->first > y->first) - (x->first < y->first);
}

/* With several boards what mates or saves is one of millions; what the player would try is first.
 */
static void list_good(mate_search *s, mate_level *v)
{
    good_list list = {.s = s};
    bool complete;
    ply_turn_wish wish = {.most = v->attacks ? GOOD : ANSWERS,
                          .stopped = good_halts,
                          .visit = keep_good,
                          .context = &list};
    if (fived_good_turns(s->rules, s->position, &wish, &complete) != PLY_OK)
        fail_memory(s);
    if (list.turn_count > 0)
        qsort(list.turns, list.turn_count, sizeof *list.turns, by_score);
    v->most = SIZE_MAX;
    for (size_t i = 0; i < list.turn_count && !v->done && !s->stopped; i++)
        visit_turn(s, list.moves + list.turns[i].first, list.turns[i].count);
    free(list.turns);
    free(list.moves);
}

static void list_more(mate_search *s, mate_level *v)
{
    if (v->portions == 0 && v->search.axis_count > FEW_BOARDS && !v->search.dead) {
        list_good(s, v);
        if (v->done || s->stopped)
            return;
    }
    if (v->portions > 0 && v->attacks)
        v->quiet = true;
    size_t portion = !v->attacks ? ANSWERS : v->quiet ? QUIET : CHECKS;
    v->most = v->child_count + (portion << (v->portions < 16 ? v->portions : 16));
    v->portions++;
    v->more = false;
    fived_search_each(&v->search, false, visit_turn, s);
    if (v->search.status_code != PLY_OK)
        fail_memory(s);
    if (v->search.halted)
        s->stopped = true;
    v->whole = !v->more && !v->done && !s->stopped;
    size_t bytes = 0;
    for (size_t i = 0; i <= s->depth; i++)
        bytes += level_bytes(s->levels[i]);
    if (bytes > s->memory_bytes) {
        s->why = "memory";
        s->stopped = true;
    }
}

/* --- killers --------------------------------------------------------------------------------- */
/* Whether a move is one of the prepared search's candidates; *axis: where it starts. */
static bool is_candidate(const fived_search *search, ply_move move, uint32_t *axis)
{
    fived_spot from = fived_move_from(move);
    int line = from.l - search->view.base;
    if (line < 0 || line >= search->view.count || search->line_axis[line] < 0)
        return false;
    *axis = (uint32_t)search->line_axis[line];
    const fived_axis *a = &search->axes[*axis];
    for (uint32_t i = a->inner; i < a->inner + a->inner_count; i++)
        if (fived_inner_move(search, i) == move)
            return true;
    for (uint32_t i = a->jump; i < a->jump + a->jump_count; i++)
        if (fived_jump_move(search, i) == move)
            return true;
    return false;
}

/* Whether a turn can be made in the position; the level's search is prepared. */
static bool is_legal(mate_search *s, mate_level *v, const mate_killer *k)
{
    if (k->count < 2 || v->search.dead)
        return false;
    for (size_t i = 0; i + 1 < k->count; i++) {
        uint32_t axis;
        if (!is_candidate(&v->search, k->moves[i], &axis))
            return false;
    }
    mate_level *below = level_at(s, s->depth + 1);
    if (!below || !ply_grow(&v->records, &v->record_room, k->count, sizeof *v->records))
        return false;
    size_t played = 0;
    bool legal = true;
    for (; played + 1 < k->count && legal; played++) {
        /* Each board is used once: its line must still end with it. */
        fived_spot from = fived_move_from(k->moves[played]);
        int v_end = fived_position_line(s->position, from.l)->end;
        legal = v_end == fived_tc_to_v(from.t, s->position->side) &&
                fived_play(s->rules, s->position, k->moves[played], &v->records[played]) == PLY_OK;
        played -= !legal;
    }
    if (legal)
        legal = (fived_position_present(s->position) & 1) != s->position->side &&
                fived_search_prepare(&below->search, s->rules, s->position) == PLY_OK &&
                !below->search.dead;
    undo_turn(s, v, k->moves, legal ? k->count - 1 : played);
    return legal;
}

static void try_killers(mate_search *s, mate_level *v)
{
    for (int i = 0; i < MATE_KILLERS && !v->done && !s->stopped; i++) {
        mate_killer k = s->killers[i];
        if (is_legal(s, v, &k))
            visit_turn(s, k.moves, k.count);
    }
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
    choice found = {.best = v->child_count, .phi = FOREVER, .second = FOREVER};
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
    found.delta = found.delta < FOREVER - 1 ? found.delta : FOREVER - 1;
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
    if (!play_turn(s, v, moves, c.count))
        return;
    search(s, depth + 1, !v->attacks, left, delta_most - (uint32_t)(found->open - 1),
           phi_most < wider ? phi_most : wider, &c);
    s->depth = depth;
    undo_turn(s, v, moves, c.count);
    if (s->stopped)
        return;
    if (c.phi == 0) {
        note_lost(v, &c);
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
    decide(out, v->attacks, out->win <= v->turns);
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
    mate_map_clear(&v->seen);
    v->search.halt = must_halt;
    v->search.halt_context = s;
    if (fived_search_prepare(&v->search, s->rules, s->position) == PLY_OK)
        return true;
    fail_memory(s);
    return false;
}

static void search(mate_search *s, uint32_t depth, bool attacks, int turns, uint32_t phi_most,
                   uint32_t delta_most, mate_child *out)
{
    mate_level *v = level_at(s, depth);
    uint64_t before = s->nodes, key = fived_hash(s->rules, s->position);
    s->depth = depth;
    out->key = key;
    out->win = MATE_NO_WIN;
    out->fail = MATE_FAIL_NONE;
    if (!v || !open_level(s, v, attacks, turns))
        return;
    v->most = SIZE_MAX;
    if (attacks)
        try_killers(s, v);
    if (!v->done && !s->stopped)
        list_more(s, v);
    while (!s->stopped) {
        if (v->done) {
            const mate_child *c = &v->children[v->child_count - 1];
            if (attacks)
                out->win = (int16_t)(c->win + 1);
            else
                out->fail = c->fail;
            decide(out, attacks, attacks);
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
            list_more(s, v);
        else
            go_below(s, v, &found, phi_most, delta_most);
    }
    if (!s->stopped)
        store(s, key, out, turns, s->nodes - before);
}

void mate_search_ask(mate_search *s, bool attacks, int turns, mate_child *out)
{
    *out = (mate_child){.phi = 1, .delta = 1, .win = MATE_NO_WIN, .fail = MATE_FAIL_NONE};
    if (must_halt(s))
        return;
    search(s, 0, attacks, turns, FOREVER, FOREVER, out);
}

const ply_move *mate_search_turn(const mate_search *s, size_t *count)
{
    const mate_level *v = s->level_count ? s->levels[0] : NULL;
    *count = 0;
    if (!v || !v->done)
        return NULL;
    const mate_child *c = &v->children[v->child_count - 1];
    *count = c->count;
    return v->moves + c->first;
}
