/*
 * mcts.c - Monte-Carlo tree search: good moves in a game nobody has an evaluation for.
 *
 * The tree lives in one array with a fixed bound: nodes name each other by index, the children of
 * a node stand side by side, and when the array is full the tree stops growing but goes on
 * learning. Threads share the tree: a node is expanded by whoever gets there first, counts are
 * added atomically, and a visit is counted on the way down, so that others look elsewhere until
 * its result is in.
 *
 * A position whose result is known for certain (the game is over, or all replies are known) is
 * marked as proved and is not played out again.
 */
#include "core/hash.h"
#include "search/searcher.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { UNKNOWN, PROVED_WIN, PROVED_LOSS, PROVED_DRAW }; /* for the player to move at the node */
enum { FRESH, OPENING, OPEN };
enum {
    PLAYOUT_PLIES = 200,
    PLAYOUT_STEP = 25,
    PATH_LIMIT = 600,
    POINTS_WIN = 2,
    POINTS_DRAW = 1,
    TELL_EVERY = 1 << 12
};

typedef struct mcts_node {
    ply_move move;        /* that led here */
    uint32_t first_child; /* 0 when there is none */
    uint16_t child_count;
    uint8_t state;  /* FRESH, OPENING or OPEN */
    uint8_t proved; /* for the player to move here */
    uint32_t visits;
    uint32_t points; /* two a win of the player who moved here, one a draw */
} mcts_node;

_Static_assert(sizeof(mcts_node) == 24, "a node is 24 bytes");

struct mcts_tree {
    mcts_node *nodes;
    uint64_t capacity, used; /* nodes[0] is never used; nodes[1] is the root */
};

typedef struct mcts_thread {
    ply_searcher *searcher;
    ply_state state; /* the root, with its trail */
    ply_state line;  /* the line being walked */
    ply_move *moves;
    ply_rng rng;
    uint32_t *path;
    uint8_t *sides; /* who moved into each node of the path */
    uint64_t simulations;
    unsigned number;
    bool failed;
} mcts_thread;

bool mcts_init(ply_searcher *searcher)
{
    mcts_tree *tree = searcher->tree = calloc(1, sizeof *tree);
    if (!tree)
        return false;
    tree->capacity = ((uint64_t)searcher->options.memory_mb << 20) / sizeof(mcts_node);
    if (tree->capacity > UINT32_MAX)
        tree->capacity = UINT32_MAX;
    tree->nodes = malloc(tree->capacity * sizeof(mcts_node));
    return tree->nodes != NULL;
}

void mcts_free(ply_searcher *searcher)
{
    if (searcher->tree)
        free(searcher->tree->nodes);
    free(searcher->tree);
    searcher->tree = NULL;
}

static uint8_t proved_of(const mcts_node *node)
{
    return __atomic_load_n(&node->proved, __ATOMIC_RELAXED);
}

static uint8_t proved_by(ply_outcome outcome, int side)
{
    if (outcome.result == PLY_DRAW)
        return PROVED_DRAW;
    return (outcome.result == PLY_FIRST_WINS) == (side == 0) ? PROVED_WIN : PROVED_LOSS;
}

/* Makes the children of a node, unless the game is over there, another is at it, or it is full. */
static void expand(mcts_thread *t, mcts_node *node, bool root)
{
    mcts_tree *tree = t->searcher->tree;
    const ply_rules *rules = t->searcher->rules;
    const ply_state *line = &t->line;
    uint8_t fresh = FRESH;
    if (!__atomic_compare_exchange_n(&node->state, &fresh, OPENING, false, __ATOMIC_ACQUIRE,
                                     __ATOMIC_RELAXED))
        return;
    ply_outcome outcome = ply_state_outcome(line);
    if (outcome.result != PLY_ONGOING && !root) {
        int side = rules->game->side(rules, line->position);
        __atomic_store_n(&node->proved, proved_by(outcome, side), __ATOMIC_RELAXED);
    } else {
        size_t count = rules->game->moves(rules, line->position, t->moves), kept = 0;
        for (size_t i = 0; i < count; i++)
            if (!root || search_move_wanted(t->searcher->clock.limits, t->moves[i]))
                t->moves[kept++] = t->moves[i];
        uint64_t first = __atomic_fetch_add(&tree->used, kept, __ATOMIC_RELAXED);
        if (kept <= UINT16_MAX && first + kept <= tree->capacity) {
            for (size_t i = 0; i < kept; i++)
                tree->nodes[first + i] = (mcts_node){.move = t->moves[i]};
            node->first_child = (uint32_t)first;
            node->child_count = (uint16_t)kept;
        } else {
            __atomic_fetch_sub(&tree->used, kept, __ATOMIC_RELAXED);
        }
    }
    __atomic_store_n(&node->state, OPEN, __ATOMIC_RELEASE);
}

static bool is_open(const mcts_node *node)
{
    return __atomic_load_n(&node->state, __ATOMIC_ACQUIRE) == OPEN;
}

/* The child with the highest upper confidence bound; a proof outweighs any count. */
static uint32_t select_child(mcts_thread *t, const mcts_node *node)
{
    const mcts_tree *tree = t->searcher->tree;
    uint32_t parent_visits = __atomic_load_n(&node->visits, __ATOMIC_RELAXED) + 1;
    double log_visits = log((double)parent_visits), best = -1e9;
    uint32_t chosen = node->first_child;
    for (uint32_t c = node->first_child; c < node->first_child + node->child_count; c++) {
        const mcts_node *child = &tree->nodes[c];
        uint32_t visits = __atomic_load_n(&child->visits, __ATOMIC_RELAXED);
        double value;
        if (visits == 0)
            value = 1e6 + (double)ply_rng_below(&t->rng, 1 << 16); /* untried ones, in any order */
        else
            value = (double)__atomic_load_n(&child->points, __ATOMIC_RELAXED) /
                        (POINTS_WIN * (double)visits) +
                    0.7 * sqrt(log_visits / (double)visits);
        if (proved_of(child) == PROVED_WIN)
            value -= 1e8; /* good for whoever moves next: only if there is nothing else */
        if (proved_of(child) == PROVED_LOSS)
            value += 1e8;
        if (value > best) {
            best = value;
            chosen = c;
        }
    }
    return chosen;
}

/* What the children prove about a node at which every move passes the turn. */
static void prove(mcts_tree *tree, mcts_node *node)
{
    bool all = node->child_count > 0, draw = false;
    for (uint32_t i = 0; i < node->child_count; i++) {
        uint8_t child = proved_of(&tree->nodes[node->first_child + i]);
        if (child == PROVED_LOSS) {
            __atomic_store_n(&node->proved, PROVED_WIN, __ATOMIC_RELAXED);
            return;
        }
        all = all && child != UNKNOWN;
        draw = draw || child == PROVED_DRAW;
    }
    if (all)
        __atomic_store_n(&node->proved, draw ? PROVED_DRAW : PROVED_LOSS, __ATOMIC_RELAXED);
}

/* Plays to the end at random; a game too long is judged by the evaluation's sign. */
static ply_outcome play_out(mcts_thread *t)
{
    const ply_rules *rules = t->searcher->rules;
    ply_outcome outcome = {PLY_ONGOING, NULL};
    ply_state *line = &t->line;
    if (rules->game->playout) {
        /* A playout must not hold up a stop: where positions own memory it is slow, so in steps. */
        size_t step = rules->game->copy ? PLAYOUT_STEP : PLAYOUT_PLIES;
        for (size_t plies = 0; plies < PLAYOUT_PLIES && outcome.result == PLY_ONGOING &&
                               !search_clock_stopped(&t->searcher->clock);
             plies += step)
            rules->game->playout(rules, line->position, &t->rng, step, &outcome);
        line->plies = 0; /* the trail no longer fits the position, which is copied anew anyway */
    } else {
        for (int i = 0; i < PLAYOUT_PLIES; i++) {
            outcome = ply_state_outcome(line);
            if (outcome.result != PLY_ONGOING)
                break;
            size_t count = rules->game->moves(rules, line->position, t->moves);
            if (ply_state_play(line, t->moves[ply_rng_below(&t->rng, (uint32_t)count)]) != PLY_OK)
                break;
        }
    }
    if (outcome.result == PLY_ONGOING) {
        int32_t value = ply_game_evaluate(rules, line->position);
        int side = rules->game->side(rules, line->position);
        outcome.result =
            value == 0 ? PLY_DRAW : ply_outcome_win(value > 0 ? side : !side, NULL).result;
    }
    return outcome;
}

static uint32_t points_for(ply_result result, int player)
{
    if (result == PLY_DRAW)
        return POINTS_DRAW;
    return (result == PLY_FIRST_WINS) == (player == 0) ? POINTS_WIN : 0;
}

/* Puts the walking state back to the root. */
static bool rewind_line(mcts_thread *t)
{
    const ply_rules *rules = t->searcher->rules;
    ply_game_clear(rules, t->line.position);
    t->line.plies = t->state.plies;
    if (ply_game_copy(rules, t->line.position, t->state.position) == PLY_OK)
        return true;
    memset(t->line.position, 0, rules->position_bytes);
    return false;
}

static bool simulate(mcts_thread *t)
{
    mcts_tree *tree = t->searcher->tree;
    const ply_rules *rules = t->searcher->rules;
    if (!rewind_line(t))
        return false;
    if (t->state.plies > 0 && rules->record_bytes > 0)
        memcpy(t->line.records, t->state.records, t->state.plies * rules->record_bytes);
    size_t depth = 0;
    mcts_node *node = &tree->nodes[1];
    bool turns_alternate = true;
    t->path[0] = 1;
    __atomic_fetch_add(&node->visits, 1, __ATOMIC_RELAXED);
    while (is_open(node) && node->child_count > 0 && depth + 1 < PATH_LIMIT &&
           (depth == 0 || proved_of(node) == UNKNOWN)) {
        uint32_t child = select_child(t, node);
        int side = rules->game->side(rules, t->line.position);
        if (ply_state_play(&t->line, tree->nodes[child].move) != PLY_OK)
            return false;
        if (rules->game->side(rules, t->line.position) == side)
            turns_alternate = false;
        t->path[++depth] = child;
        t->sides[depth] = (uint8_t)side;
        node = &tree->nodes[child];
        __atomic_fetch_add(&node->visits, 1, __ATOMIC_RELAXED);
    }
    if (proved_of(node) == UNKNOWN)
        expand(t, node, depth == 0);
    int side = rules->game->side(rules, t->line.position);
    uint8_t proved = proved_of(node);
    ply_result result = proved == PROVED_DRAW   ? PLY_DRAW
                        : proved == PROVED_WIN  ? ply_outcome_win(side, NULL).result
                        : proved == PROVED_LOSS ? ply_outcome_win(!side, NULL).result
                                                : play_out(t).result;
    for (size_t i = depth; i > 0; i--) {
        mcts_node *n = &tree->nodes[t->path[i]];
        __atomic_fetch_add(&n->points, points_for(result, t->sides[i]), __ATOMIC_RELAXED);
        if (turns_alternate && proved_of(n) != UNKNOWN)
            prove(tree, &tree->nodes[t->path[i - 1]]);
    }
    return true;
}

/* --- the answer ----------------------------------------------------------------------------- */
/* Reports are made while other threads go on. */
static uint32_t visits_of(const mcts_node *node)
{
    return __atomic_load_n(&node->visits, __ATOMIC_RELAXED);
}

/* Hundredths of a piece from a share of points, the way ratings do it; a proof is a win in sight.
 */
static int32_t score_of(const mcts_node *child)
{
    uint8_t proved = proved_of(child);
    uint32_t visits = visits_of(child);
    if (proved == PROVED_LOSS)
        return PLY_SCORE_FORCED;
    if (proved == PROVED_WIN)
        return -PLY_SCORE_FORCED;
    if (proved == PROVED_DRAW || visits == 0)
        return 0;
    double share = (__atomic_load_n(&child->points, __ATOMIC_RELAXED) + 0.5) /
                   (POINTS_WIN * (double)visits + 1.0);
    share = share > 0.999 ? 0.999 : share < 0.001 ? 0.001 : share;
    return (int32_t)(174.0 * log(share / (1 - share)));
}

/* Which child to play: a proved win, then the most visited that is not a proved loss. */
static double rank_of(const mcts_node *child)
{
    uint8_t proved = proved_of(child);
    return (double)visits_of(child) + (proved == PROVED_LOSS  ? 1e12
                                       : proved == PROVED_WIN ? -1e12
                                                              : 0);
}

static uint32_t best_child(const mcts_tree *tree, const mcts_node *node, const uint32_t *taken,
                           size_t taken_count)
{
    uint32_t best = 0;
    for (uint32_t c = node->first_child; c < node->first_child + node->child_count; c++) {
        bool used = false;
        for (size_t i = 0; i < taken_count; i++)
            used = used || taken[i] == c;
        if (!used && (!best || rank_of(&tree->nodes[c]) > rank_of(&tree->nodes[best])))
            best = c;
    }
    return best;
}

static void report(ply_searcher *s)
{
    const mcts_tree *tree = s->tree;
    const mcts_node *root = &tree->nodes[1];
    size_t wanted = s->clock.limits->lines ? s->clock.limits->lines : 1;
    uint32_t taken[SEARCH_LINES];
    size_t found = 0;
    while (found < wanted && found < SEARCH_LINES) {
        uint32_t child = best_child(tree, root, taken, found);
        if (!child)
            break;
        taken[found] = child;
        ply_search_line *line = &s->lines[found++];
        line->score = score_of(&tree->nodes[child]);
        line->length = 0;
        for (uint32_t c = child; c && line->length < PLY_LINE_LIMIT;
             c = is_open(&tree->nodes[c]) ? best_child(tree, &tree->nodes[c], NULL, 0) : 0) {
            if (c != child && visits_of(&tree->nodes[c]) < 2)
                break;
            line->moves[line->length++] = tree->nodes[c].move;
        }
        if ((int)line->length > s->report.depth)
            s->report.depth = (int)line->length;
    }
    s->report.selective_depth = s->report.depth;
    s->report.line_count = found;
    s->report.table_full =
        (unsigned)(__atomic_load_n(&tree->used, __ATOMIC_RELAXED) * 1000 / tree->capacity);
}

static void think(void *context, size_t piece, unsigned worker)
{
    (void)piece;
    mcts_thread *t = &((mcts_thread *)context)[worker];
    search_clock *clock = &t->searcher->clock;
    uint64_t told = TELL_EVERY;
    const mcts_node *root = &t->searcher->tree->nodes[1];
    bool deep_enough = false;
    while (!search_clock_stopped(clock) && proved_of(root) == UNKNOWN && !deep_enough) {
        if (!simulate(t)) {
            t->failed = true;
            search_clock_stop(clock);
            break;
        }
        search_clock_poll(clock, 1);
        if (t->number == 0 && ++t->simulations == told) {
            told *= 2;
            report(t->searcher);
            search_tell(t->searcher);
            /* A depth is reached when the best line has that length, or can grow no more. */
            const mcts_tree *tree = t->searcher->tree;
            int depth = clock->limits->depth;
            deep_enough = depth > 0 && (t->searcher->report.depth >= depth ||
                                        __atomic_load_n(&tree->used, __ATOMIC_RELAXED) +
                                                t->searcher->rules->max_moves >=
                                            tree->capacity);
        }
    }
    if (t->number == 0) {
        search_clock_wait(clock);
        search_clock_stop(clock);
    }
}

static ply_status open_thread(mcts_thread *t, ply_searcher *s, const ply_state *state,
                              unsigned number)
{
    t->searcher = s;
    t->number = number;
    t->rng = ply_rng_make(s->options.seed, number);
    t->moves = malloc(s->rules->max_moves * sizeof(ply_move));
    t->path = malloc(PATH_LIMIT * sizeof *t->path);
    t->sides = malloc(PATH_LIMIT);
    if (!t->moves || !t->path || !t->sides || ply_state_copy(&t->state, state) != PLY_OK ||
        ply_state_copy(&t->line, state) != PLY_OK ||
        ply_state_reserve(&t->line, PATH_LIMIT + PLAYOUT_PLIES) != PLY_OK)
        return PLY_NO_MEMORY;
    return PLY_OK;
}

ply_status mcts_run(ply_searcher *searcher, const ply_state *state)
{
    unsigned count = searcher->options.threads;
    mcts_thread *threads = calloc(count, sizeof *threads);
    if (!threads)
        return PLY_NO_MEMORY;
    ply_status status = PLY_OK;
    searcher->tree->used = 2;
    searcher->tree->nodes[1] = (mcts_node){0};
    for (unsigned i = 0; i < count && status == PLY_OK; i++)
        status = open_thread(&threads[i], searcher, state, i);
    if (status == PLY_OK) {
        ply_workers_run_all(searcher->team, think, threads);
        report(searcher);
    }
    for (unsigned i = 0; i < count; i++) {
        if (threads[i].failed)
            status = PLY_NO_MEMORY;
        if (threads[i].state.position)
            ply_state_free(&threads[i].state);
        if (threads[i].line.position)
            ply_state_free(&threads[i].line);
        free(threads[i].moves);
        free(threads[i].path);
        free(threads[i].sides);
    }
    free(threads);
    return status;
}
