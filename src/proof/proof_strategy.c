/* SPDX-License-Identifier: MIT */
/*
 * proof_strategy.c - a proof from a strategy.
 *
 * Two walks over the positions that the strategy leads to. The first asks the strategy, once for
 * each position, and finds which positions are met again; the second writes. A position met again
 * becomes a label if what is below it is larger than a reference; small things are written twice.
 */
#include <plyverse/solve.h>
#include <stdlib.h>
#include <string.h>

/* Below so many nodes a subtree is shorter than the text of a label. */
enum { SMALL_NODES = 24, DEPTH_LIMIT = 20000, MOST_CIRCLES = 16 };

typedef struct walk_place {
    uint64_t key; /* the position's key; 0: empty */
    ply_move move;
    uint32_t plies;
    uint32_t nodes; /* below, itself included, as far as written in place */
    uint32_t label; /* number + 1, 0: none yet */
    uint8_t open, again;
    uint8_t closed; /* by one node */
    uint8_t zero;
} walk_place;

typedef struct walk {
    ply_proof_writer *writer;
    const ply_proof_claim *claim;
    const ply_rules *rules;
    const ply_proof_strategy *strategy;
    int chooser;
    void *position;
    walk_place *places;
    size_t count, capacity, limit; /* capacity: a power of two */
    ply_move *moves;               /* one stack for the lists of all open nodes */
    size_t move_count, move_capacity;
    unsigned char *undo_stack;
    size_t record_capacity;
    size_t depth;
    ply_status status;
    bool circle; /* play came back to a position on its way */
} walk;

static walk_place *place_find(walk_place *places, size_t capacity, uint64_t key)
{
    size_t i = (size_t)(key * 0x9E3779B97F4A7C15u >> 20) & (capacity - 1);
    while (places[i].key && places[i].key != key)
        i = (i + 1) & (capacity - 1);
    return &places[i];
}

static bool places_grow(walk *w)
{
    size_t capacity = w->capacity ? 2 * w->capacity : 1024;
    if ((capacity + w->capacity) * sizeof(walk_place) > w->limit) {
        w->status = PLY_LIMIT;
        return false;
    }
    walk_place *grown = calloc(capacity, sizeof *grown);
    if (!grown) {
        w->status = PLY_NO_MEMORY;
        return false;
    }
    for (size_t i = 0; i < w->capacity; i++)
        if (w->places[i].key)
            *place_find(grown, capacity, w->places[i].key) = w->places[i];
    free(w->places);
    w->places = grown;
    w->capacity = capacity;
    return true;
}

/* The place of the position, NULL when memory is out; *fresh: not met before. */
static walk_place *place_enter(walk *w, bool *fresh)
{
    if (w->count * 4 >= w->capacity * 3 && !places_grow(w))
        return NULL;
    uint64_t key = w->rules->game->hash(w->rules, w->position);
    /* Counters are no part of a key, the side to move always is; 0 marks an empty place. */
    key += key == 0;
    walk_place *place = place_find(w->places, w->capacity, key);
    *fresh = place->key == 0;
    if (*fresh) {
        place->key = key;
        w->count++;
    }
    return place;
}

/* Room for one more list of moves and one more record. */
static bool stack_reserve(walk *w)
{
    size_t need = w->move_count + w->rules->max_moves;
    if (need > w->move_capacity) {
        size_t capacity = 2 * need;
        ply_move *grown = realloc(w->moves, capacity * sizeof *grown);
        if (!grown)
            return false;
        w->moves = grown;
        w->move_capacity = capacity;
    }
    if (w->depth + 1 > w->record_capacity) {
        size_t capacity = 2 * w->record_capacity + 64;
        unsigned char *grown = realloc(w->undo_stack, capacity * (w->rules->undo_bytes + 1));
        if (!grown)
            return false;
        w->undo_stack = grown;
        w->record_capacity = capacity;
    }
    return true;
}

static bool walk_play(walk *w, ply_move move)
{
    if (w->depth >= DEPTH_LIMIT || !stack_reserve(w)) {
        w->status = w->depth >= DEPTH_LIMIT ? PLY_LIMIT : PLY_NO_MEMORY;
        return false;
    }
    unsigned char *undo = w->undo_stack + w->depth * w->rules->undo_bytes;
    w->status = w->rules->game->play(w->rules, w->position, move, undo);
    w->depth += w->status == PLY_OK;
    return w->status == PLY_OK;
}

static void walk_undo(walk *w, ply_move move)
{
    w->depth--;
    w->rules->game->undo(w->rules, w->position, move,
                         w->undo_stack + w->depth * w->rules->undo_bytes);
}

static bool is_decided(walk *w)
{
    const ply_goal *goal = w->claim->goal;
    return goal->value && goal->value(w->rules, w->position, w->claim->attacker) != PLY_GOAL_OPEN;
}

/* Puts the moves that must be answered on the stack; returns where they begin. */
static size_t list_all(walk *w, size_t *count)
{
    size_t first = w->move_count;
    const ply_goal *goal = w->claim->goal;
    if (!stack_reserve(w)) {
        w->status = PLY_NO_MEMORY;
        *count = 0;
        return first;
    }
    ply_move *out = w->moves + first;
    bool attacks = w->rules->game->side(w->rules, w->position) == w->claim->attacker;
    size_t kept = 0, n = !attacks && goal->defences
                             ? goal->defences(w->rules, w->position, out)
                             : w->rules->game->moves(w->rules, w->position, out);
    for (size_t i = 0; i < n; i++)
        if (!attacks || !goal->allows || goal->allows(w->rules, w->position, out[i]))
            out[kept++] = out[i];
    w->move_count += kept;
    *count = kept;
    return first;
}

static bool is_choosers(walk *w)
{
    return w->rules->game->side(w->rules, w->position) == w->chooser;
}

static bool is_closed(walk *w, ply_proof_writer *writer)
{
    const ply_proof_strategy *s = w->strategy;
    return s->close && s->close(s->context, w->position, writer);
}

/* --- the first walk --------------------------------------------------------------------------- */
static ply_move ask(walk *w, uint32_t *within)
{
    const ply_proof_strategy *s = w->strategy;
    return w->claim->verdict == PLY_VERDICT_WIN && s->move_within
               ? s->move_within(s->context, w->position, within)
               : s->move(s->context, w->position);
}

/*
 * Returns the plies below, which were to be at most `within` (0: any number); *nodes: what it costs
 * to write this node where it stands.
 */
static uint32_t walk_ask(walk *w, uint32_t within, uint32_t *nodes)
{
    bool fresh;
    *nodes = 1;
    walk_place *place = place_enter(w, &fresh);
    if (!place)
        return 0;
    uint64_t key = place->key;
    if (!fresh) {
        if (place->open && w->claim->verdict == PLY_VERDICT_WIN) {
            w->status = PLY_LIMIT;
            w->circle = true;
        }
        place->again = 1;
        if (!place->open && place->nodes < SMALL_NODES)
            *nodes = place->nodes;
        return place->plies;
    }
    uint32_t plies = 0, total = 1;
    if (!is_decided(w)) {
        place->open = 1;
        if (is_choosers(w)) {
            ply_move move = ask(w, &within);
            if (move == PLY_MOVE_NONE) {
                w->status = w->status == PLY_OK ? PLY_LIMIT : w->status;
                return 0;
            }
            place->move = move;
            uint32_t below = 0;
            if (walk_play(w, move)) {
                plies = 1 + walk_ask(w, within ? within - 1 : 0, &below);
                total += below;
                walk_undo(w, move);
            }
        } else if (is_closed(w, NULL)) {
            place->closed = 1;
        } else {
            size_t count, first = list_all(w, &count);
            for (size_t i = 0; i < count && w->status == PLY_OK; i++) {
                ply_move move = w->moves[first + i];
                uint32_t below;
                if (!walk_play(w, move))
                    break;
                uint32_t length = 1 + walk_ask(w, within ? within - 1 : 0, &below);
                plies = length > plies ? length : plies;
                total += below;
                walk_undo(w, move);
            }
            w->move_count = first;
        }
        place = place_find(w->places, w->capacity, key);
        place->open = 0;
    }
    place->plies = plies;
    place->nodes = total;
    *nodes = total;
    return plies;
}

/* --- the second walk -------------------------------------------------------------------------- */
static void walk_write(walk *w)
{
    bool fresh;
    walk_place *place = place_enter(w, &fresh);
    if (!place || fresh) {
        w->status = w->status == PLY_OK ? PLY_LIMIT : w->status;
        return;
    }
    if (place->label) {
        ply_proof_ref(w->writer, place->label - 1);
        return;
    }
    bool is_no = w->claim->verdict == PLY_VERDICT_NO;
    uint64_t number = 0;
    /* In a "no" even a small node may lead back to itself. */
    bool labelled = place->again && (place->nodes >= SMALL_NODES || (is_no && place->nodes > 1));
    if (labelled) {
        number = ply_proof_label(w->writer, w->position);
        place->label = (uint32_t)number + 1;
    }
    uint32_t plies = place->plies;
    if (is_decided(w)) {
        ply_proof_leaf(w->writer);
    } else if (place->closed) {
        if (!is_closed(w, w->writer))
            w->status = PLY_LIMIT;
    } else if (is_choosers(w)) {
        ply_move move = place->move;
        ply_proof_choose(w->writer, move);
        if (walk_play(w, move)) {
            walk_write(w);
            walk_undo(w, move);
        }
    } else {
        size_t count, first = list_all(w, &count);
        if (count == 0)
            ply_proof_leaf(w->writer);
        else
            ply_proof_all(w->writer);
        for (size_t i = 0; i < count && w->status == PLY_OK; i++) {
            ply_move move = w->moves[first + i];
            ply_proof_move(w->writer, move);
            if (!walk_play(w, move))
                break;
            walk_write(w);
            walk_undo(w, move);
        }
        if (count)
            ply_proof_end(w->writer);
        w->move_count = first;
    }
    if (labelled)
        ply_proof_label_done(w->writer, number, is_no ? 0 : plies);
}

ply_status ply_proof_write_strategy(ply_proof_writer *writer, const ply_proof_claim *claim,
                                    const ply_proof_strategy *strategy, size_t memory_bytes,
                                    uint32_t *plies)
{
    bool win = claim->verdict == PLY_VERDICT_WIN;
    walk w = {.writer = writer,
              .claim = claim,
              .rules = claim->rules,
              .strategy = strategy,
              .chooser = win ? claim->attacker : !claim->attacker,
              .limit = memory_bytes,
              .status = PLY_OK};
    w.position = malloc(w.rules->position_bytes);
    if (!w.position || ply_game_copy(w.rules, w.position, claim->position) != PLY_OK) {
        free(w.position);
        return PLY_NO_MEMORY;
    }
    uint32_t nodes, length = walk_ask(&w, 0, &nodes);
    /* A shorter win that was found on the way can lead back. It is known the next time. */
    for (int i = 0; w.circle && strategy->move_within && i < MOST_CIRCLES; i++) {
        w.status = PLY_OK;
        w.circle = false;
        w.count = 0;
        memset(w.places, 0, w.capacity * sizeof *w.places);
        length = walk_ask(&w, 0, &nodes);
    }
    if (w.status == PLY_OK)
        walk_write(&w);
    *plies = win ? length : 0;
    ply_game_clear(w.rules, w.position);
    free(w.position);
    free(w.places);
    free(w.moves);
    free(w.undo_stack);
    return w.status;
}
