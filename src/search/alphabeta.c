/* SPDX-License-Identifier: MIT */
/*
 * alphabeta.c - the tree of the principal-variation search.
 *
 * The same player may move twice in a row: a child's score is negated only if the side changed.
 */
#include "search/alphabeta.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    POLL_NODES = 64,  /* where positions own memory a node is slow, and each one asks */
    FORCED_DEPTH = 4, /* from here on a game is asked again for a forced win it did not find */
    /* Margins in hundredths of the smallest piece. */
    FUTILITY_MARGIN = 110,
    FUTILITY_DEPTH = 6,
    RAZOR_MARGIN = 220,
    RAZOR_DEPTH = 3,
    LATE_DEPTH = 6,
    LATE_EXCHANGE = 70,    /* what a late move may lose for each ply of depth */
    QUIET_MARGIN = 150,    /* a capture must come so near to what is wanted */
    HISTORY_STEP = 8192,   /* so much history is worth a ply */
    QUIET_CHECK_PLIES = 8, /* so deep the quiet search answers checks */
};

static void count_node(searcher_thread *t)
{
    if (++t->unreported >= t->poll_nodes) {
        ply_search_clock_poll(t->clock, t->unreported);
        t->unreported = 0;
    }
}

bool ply_alphabeta_reserve(searcher_thread *t)
{
    if (t->stack_room - t->stack_used >= t->rules->max_moves)
        return true;
    size_t room = (t->stack_used + t->rules->max_moves) * 2;
    ply_move *stack = realloc(t->stack, room * sizeof *stack);
    if (stack)
        t->stack = stack;
    int32_t *scores = realloc(t->scores, room * sizeof *scores);
    if (scores)
        t->scores = scores;
    int64_t *order = realloc(t->order, room * sizeof *order);
    if (order)
        t->order = order;
    if (!stack || !scores || !order) {
        t->failed = true;
        ply_search_clock_stop(t->clock);
        return false;
    }
    t->stack_room = room;
    return true;
}

uint16_t *ply_alphabeta_is_repetition(searcher_thread *t, uint64_t key)
{
    return &t->seen[key >> 52];
}

/* The trail has room for the deepest line, so nothing is asked for here. */
static bool play(searcher_thread *t, ply_move move)
{
    ply_state *s = &t->state;
    const ply_rules *rules = t->rules;
    if (rules->game->play(rules, s->position, move, s->undo_stack + s->plies * rules->undo_bytes) !=
        PLY_OK) {
        t->failed = true;
        ply_search_clock_stop(t->clock);
        return false;
    }
    s->moves[s->plies++] = move;
    uint64_t key = rules->game->hash(rules, s->position);
    t->keys[s->plies] = key;
    ++*ply_alphabeta_is_repetition(t, key);
    return true;
}

static void take_back(searcher_thread *t)
{
    ply_state *s = &t->state;
    --*ply_alphabeta_is_repetition(t, t->keys[s->plies]);
    s->plies--;
    t->rules->game->undo(t->rules, s->position, s->moves[s->plies],
                         s->undo_stack + s->plies * t->rules->undo_bytes);
}

/* The position stood on the board before in this line or game: it can be forced again. */
static bool is_repeated(searcher_thread *t)
{
    size_t now = t->state.plies;
    uint64_t key = t->keys[now];
    if (*ply_alphabeta_is_repetition(t, key) < 2)
        return false;
    for (size_t i = now; i-- > 0;)
        if (t->keys[i] == key)
            return true;
    return false;
}

/*
 * What a repetition is worth. One that wins is not told as a forced end: it hangs on the line that
 * led here, which the table does not know.
 */
static int32_t repeated_score(const searcher_thread *t)
{
    const ply_rules *rules = t->rules;
    if (!rules->search->repetition_outcome)
        return 0;
    ply_outcome end = rules->search->repetition_outcome(rules, t->state.position,
                                                        t->state.undo_stack, t->state.plies);
    if (end.result == PLY_DRAW || end.result == PLY_ONGOING)
        return 0;
    bool wins =
        (end.result == PLY_FIRST_WINS) == (rules->game->side(rules, t->state.position) == 0);
    return wins ? PLY_SCORE_FORCED / 2 : -PLY_SCORE_FORCED / 2;
}

static bool is_threatened(const searcher_thread *t)
{
    return t->rules->search->in_check && t->rules->search->in_check(t->rules, t->state.position);
}

static bool has_trait(const searcher_thread *t, unsigned trait)
{
    return (t->rules->search->traits & trait) != 0;
}

/* Lists the moves to try behind the others on the stack; true if they are scored already. */
static bool list_moves(searcher_thread *t, bool all, size_t *count)
{
    const ply_rules *rules = t->rules;
    ply_move *out = t->stack + t->stack_used;
    if (!rules->search->candidates || all) {
        *count = rules->game->moves(rules, t->state.position, out);
        return false;
    }
    *count = rules->search->candidates(rules, t->state.position, out, t->scores + t->stack_used);
    return true;
}

/* --- the tree ------------------------------------------------------------------------------- */
/* Plays a move and searches below it with the window as seen by the player who moves here. */
static int32_t search_below(searcher_thread *t, ply_move move, int32_t alpha, int32_t beta,
                            int depth, int ply, bool quiescent);

/* The quiet search of a position at which the game is not over, but for want of moves. */
/* The game's forced win, as a score; 0 when it finds none. Its first move becomes the line. */
static int32_t forced_win(searcher_thread *t, int depth, int ply)
{
    const ply_rules *rules = t->rules;
    int plies;
    if (!rules->search->find_win)
        return 0;
    ply_move move =
        rules->search->find_win(rules, t->state.position, depth, &plies, &t->unreported);
    if (move == PLY_MOVE_NONE)
        return 0;
    t->lines[ply].moves[0] = move;
    t->lines[ply].length = 1;
    return PLY_SCORE_WIN - ply - plies;
}

static int32_t quiesce_going(searcher_thread *t, int32_t alpha, int32_t beta, int ply)
{
    const ply_rules *rules = t->rules;
    const ply_game *game = rules->game;
    void *position = t->state.position;
    t->lines[ply].length = 0;
    count_node(t);
    if (search_clock_stopped(t->clock))
        return 0;
    if (ply > t->selective_depth)
        t->selective_depth = ply;
    if (ply >= MAX_PLY - 1 || !ply_alphabeta_reserve(t))
        return ply_game_evaluate(rules, position);

    size_t base = t->stack_used, count;
    int32_t best = -INFINITE, still = -INFINITE, win = forced_win(t, 0, ply);
    bool scored = false;
    if (win)
        return win;
    bool threatened = ply < t->root_depth + QUIET_CHECK_PLIES && is_threatened(t);
    if (threatened) {
        /* A threat must be met: no standing still, and every move counts. */
        scored = list_moves(t, false, &count);
        if (count == 0)
            return search_outcome_score(
                game->outcome(rules, position, t->state.undo_stack, t->state.plies),
                game->side(rules, position), ply);
    } else if (rules->search->find_win) {
        return ply_game_evaluate(rules, position);
    } else {
        count = ply_game_noisy_moves(rules, position, t->stack + base);
        /* Where captures are compulsory there is no standing still either. */
        if (count == 0 || !has_trait(t, PLY_TRAIT_NOISY_FORCED)) {
            best = still = ply_game_evaluate(rules, position);
            if (best >= beta || count == 0)
                return best;
            if (best > alpha)
                alpha = best;
        }
    }
    if (!scored)
        ply_game_score_moves(rules, position, t->stack + base, count, t->scores + base);
    ply_order_as_scored(t, count);
    t->stack_used = base + count;
    for (size_t i = base; i < base + count; i++) {
        ply_move move = t->stack[base + ply_order_next(t, i, base + count)];
        if (!threatened && !has_trait(t, PLY_TRAIT_NOISY_FORCED)) {
            int32_t gain = search_exchange(t, move);
            if (gain < 0 ||
                (has_trait(t, PLY_TRAIT_LATE_MOVE_PRUNING) && still + gain + QUIET_MARGIN <= alpha))
                continue;
        }
        int32_t score = search_below(t, move, alpha, beta, 0, ply, true);
        if (search_clock_stopped(t->clock))
            break;
        if (score > best)
            best = score;
        if (score > alpha)
            alpha = score;
        if (alpha >= beta)
            break;
    }
    t->stack_used = base;
    return best;
}

static int32_t quiesce(searcher_thread *t, int32_t alpha, int32_t beta, int ply)
{
    const ply_rules *rules = t->rules;
    ply_outcome verdict =
        ply_game_node_outcome(rules, t->state.position, t->state.undo_stack, t->state.plies);
    int32_t exact = 0;
    bool known = verdict.result == PLY_ONGOING &&
                 ply_search_tablebase_probe(t->searcher, t->state.position, ply, &exact);
    if (verdict.result == PLY_ONGOING && !known)
        return quiesce_going(t, alpha, beta, ply);
    t->lines[ply].length = 0;
    count_node(t);
    return known ? exact
                 : search_outcome_score(verdict, rules->game->side(rules, t->state.position), ply);
}

static int32_t search_below(searcher_thread *t, ply_move move, int32_t alpha, int32_t beta,
                            int depth, int ply, bool quiescent)
{
    const ply_rules *rules = t->rules;
    int side = rules->game->side(rules, t->state.position);
    if (!play(t, move))
        return 0;
    if (!quiescent && depth > 0)
        ply_tt_prefetch(&t->searcher->table, t->keys[t->state.plies]);
    int32_t score;
    if (rules->game->side(rules, t->state.position) == side)
        score = quiescent ? quiesce(t, alpha, beta, ply + 1)
                          : ply_alphabeta_search(t, alpha, beta, depth, ply + 1);
    else
        score = quiescent ? -quiesce(t, -beta, -alpha, ply + 1)
                          : -ply_alphabeta_search(t, -beta, -alpha, depth, ply + 1);
    take_back(t);
    return score;
}

int32_t ply_qsearch(searcher_thread *t)
{
    return quiesce_going(t, -INFINITE, INFINITE, 0);
}

static void extend_line(searcher_thread *t, int ply, ply_move move)
{
    node_line *line = &t->lines[ply];
    const node_line *below = &t->lines[ply + 1];
    line->moves[0] = move;
    uint32_t kept = below->length < MAX_PLY - 1 ? below->length : MAX_PLY - 1;
    memcpy(line->moves + 1, below->moves, kept * sizeof(ply_move));
    line->length = kept + 1;
}

static bool is_excluded(const searcher_thread *t, ply_move move)
{
    for (size_t i = 0; i < t->excluded_count; i++)
        if (t->excluded[i] == move)
            return true;
    return !ply_search_move_wanted(t->clock->limits, move);
}

void ply_alphabeta_prepare(searcher_thread *t)
{
    t->poll_nodes = t->rules->game->copy ? 1 : POLL_NODES;
    for (int depth = 1; depth < DEPTHS; depth++)
        for (int tried = 1; tried < LATENESS; tried++)
            t->reductions[depth][tried] =
                (uint8_t)(0.6 + log((double)depth) * log((double)tried) / 2.1);
}

/*
 * How much less deep a late quiet move is searched at first: more, the later and the deeper, less
 * for one that has cut often.
 */
static int reduction(searcher_thread *t, ply_move move, int depth, size_t tried, bool pv,
                     bool improving)
{
    if (!has_trait(t, PLY_TRAIT_LATE_MOVE_REDUCTIONS) || depth < 3 || tried < 3)
        return 0;
    int fame = ply_order_history(t, move) / HISTORY_STEP;
    fame = fame > 2 ? 2 : fame < -1 ? -1 : fame;
    int less = t->reductions[depth < DEPTHS ? depth : DEPTHS - 1]
                            [tried < LATENESS ? tried : LATENESS - 1] -
               pv + !improving - fame;
    return less < 0 ? 0 : less < depth - 1 ? less : depth - 2;
}

/* Whether a quiet move is so late near the leaves that it is left out. */
static bool is_too_late(const searcher_thread *t, ply_move move, int depth, size_t tried,
                        bool improving)
{
    if (!has_trait(t, PLY_TRAIT_LATE_MOVE_PRUNING | PLY_TRAIT_FUTILITY) || depth > LATE_DEPTH)
        return false;
    size_t enough = (size_t)(4 + depth * depth) / (improving ? 1 : 2);
    if (!has_trait(t, PLY_TRAIT_LATE_MOVE_PRUNING))
        return tried >= enough + (size_t)depth;
    return tried >= enough || search_exchange(t, move) < -LATE_EXCHANGE * depth;
}

/* Captures are compulsory here and there is one: the evaluation says nothing. */
static bool must_capture(searcher_thread *t)
{
    return has_trait(t, PLY_TRAIT_NOISY_FORCED) &&
           ply_game_noisy_moves(t->rules, t->state.position, t->stack + t->stack_used) > 0;
}

/*
 * What the position is worth if the player to move does nothing: if even that is too good for the
 * opponent, so is the best move. Not where moving may be a burden or a threat must be met.
 */
static bool passing_is_enough(searcher_thread *t, int32_t value, int32_t beta, int depth, int ply)
{
    const ply_rules *rules = t->rules;
    if (!has_trait(t, PLY_TRAIT_NULL_MOVE) || depth < 3 || beta <= -PLY_SCORE_FORCED ||
        beta >= PLY_SCORE_FORCED || t->state.plies == 0 ||
        t->state.moves[t->state.plies - 1] == PLY_MOVE_NONE)
        return false;
    ply_state *s = &t->state;
    rules->search->null_move(rules, s->position, s->undo_stack + s->plies * rules->undo_bytes);
    s->moves[s->plies++] = PLY_MOVE_NONE;
    t->keys[s->plies] = rules->game->hash(rules, s->position);
    ++*ply_alphabeta_is_repetition(t, t->keys[s->plies]);
    int less = 3 + depth / 4 + (value - beta > 600 ? 2 : (value - beta) / 300);
    int32_t score = -ply_alphabeta_search(t, -beta, 1 - beta, depth - less, ply + 1);
    take_back(t);
    return !search_clock_stopped(t->clock) && score >= beta;
}

int32_t ply_alphabeta_search(searcher_thread *t, int32_t alpha, int32_t beta, int depth, int ply)
{
    const ply_rules *rules = t->rules;
    const ply_game *game = rules->game;
    void *position = t->state.position;
    bool root = ply == 0, pv = beta - alpha > 1;
    t->lines[ply].length = 0;
    if (!root) {
        ply_outcome verdict =
            ply_game_node_outcome(rules, position, t->state.undo_stack, t->state.plies);
        if (verdict.result != PLY_ONGOING) {
            count_node(t);
            return search_outcome_score(verdict, game->side(rules, position), ply);
        }
        int32_t exact;
        if (is_repeated(t)) {
            count_node(t);
            return repeated_score(t);
        }
        if (ply_search_tablebase_probe(t->searcher, position, ply, &exact)) {
            count_node(t);
            return exact;
        }
        /* No line from here can be better than winning, or worse than losing, at once. */
        if (alpha < ply - PLY_SCORE_WIN)
            alpha = ply - PLY_SCORE_WIN;
        if (beta > PLY_SCORE_WIN - ply - 1)
            beta = PLY_SCORE_WIN - ply - 1;
        if (alpha >= beta)
            return alpha;
    }
    if (depth <= 0 || ply >= MAX_PLY - 1)
        return quiesce_going(t, alpha, beta, ply);
    count_node(t);
    if (search_clock_stopped(t->clock) || !ply_alphabeta_reserve(t))
        return 0;
    if (ply > t->selective_depth)
        t->selective_depth = ply;

    uint64_t key = t->keys[t->state.plies];
    tt_entry entry = {.move_number = TABLE_NO_MOVE};
    bool known = ply_tt_probe(&t->searcher->table, key, ply, &entry);
    if (known && !root && !pv && entry.depth >= depth &&
        (entry.bound == TABLE_EXACT || (entry.bound == TABLE_LOWER && entry.score >= beta) ||
         (entry.bound == TABLE_UPPER && entry.score <= alpha)))
        return entry.score;

    if (!root && (!known || depth >= FORCED_DEPTH)) {
        int32_t win = forced_win(t, depth, ply);
        if (win) {
            entry = (tt_entry){
                .score = win, .depth = MAX_PLY, .move_number = TABLE_NO_MOVE, .bound = TABLE_LOWER};
            ply_tt_store(&t->searcher->table, key, ply, &entry);
            return win;
        }
    }
    bool threatened = is_threatened(t);
    bool may_prune = !pv && !threatened && beta > -PLY_SCORE_FORCED && beta < PLY_SCORE_FORCED;
    bool futile = false, improving = !has_trait(t, PLY_TRAIT_FUTILITY | PLY_TRAIT_NULL_MOVE);
    t->values[ply] = UNKNOWN_VALUE;
    if (!threatened && !improving && !must_capture(t)) {
        int32_t value = t->values[ply] = ply_game_evaluate(rules, position);
        /* The same player's turn before: two plies back, if turns are single moves. */
        improving = ply >= 2 && t->values[ply - 2] != UNKNOWN_VALUE && value > t->values[ply - 2];
        if (may_prune && has_trait(t, PLY_TRAIT_FUTILITY)) {
            if (depth <= FUTILITY_DEPTH && value - FUTILITY_MARGIN * depth >= beta)
                return value;
            futile = depth <= FUTILITY_DEPTH && value + FUTILITY_MARGIN * (depth + 1) <= alpha;
            if (has_trait(t, PLY_TRAIT_LATE_MOVE_PRUNING) && depth <= RAZOR_DEPTH &&
                value + RAZOR_MARGIN * depth <= alpha) {
                int32_t score = quiesce_going(t, alpha, alpha + 1, ply);
                if (score <= alpha)
                    return score;
            }
        }
        if (may_prune && value >= beta && passing_is_enough(t, value, beta, depth, ply))
            return beta;
        if (search_clock_stopped(t->clock))
            return 0;
    } else {
        may_prune = false;
    }

    size_t base = t->stack_used;
    if (!ply_alphabeta_reserve(t))
        return 0;
    size_t count;
    bool scored =
        list_moves(t, root && (t->clock->limits->only || t->clock->limits->multipv > 1), &count);
    if (count == 0)
        return search_outcome_score(
            game->outcome(rules, position, t->state.undo_stack, t->state.plies),
            game->side(rules, position), ply);
    /* A forced reply costs nothing to look behind; a threat has to be seen through. */
    if ((count == 1 || threatened) && !root && ply < 2 * t->root_depth)
        depth++;
    else if (!known && depth >= 5 && has_trait(t, PLY_TRAIT_LATE_MOVE_REDUCTIONS))
        depth--; /* nothing is known here: a shallower look first is cheaper */
    size_t first = known && entry.move_number < count ? entry.move_number : ORDER_NO_MOVE;
    t->stack_used = base + count;

    int32_t best = -INFINITE, old_alpha = alpha;
    uint32_t best_number = TABLE_NO_MOVE;
    size_t tried = 0;
    bool ordered = false;
    for (size_t i = base; i < base + count; i++) {
        /* The table's move often cuts: the others are not even looked at before it is tried. */
        size_t number = first;
        if (i > base || first == ORDER_NO_MOVE) {
            if (!ordered)
                ply_order_moves(t, base, count, first, ply, scored);
            ordered = true;
            number = ply_order_next(t, i, base + count);
        }
        ply_move move = t->stack[base + number];
        if (root && is_excluded(t, move))
            continue;
        int32_t score;
        if (tried == 0) {
            score = search_below(t, move, alpha, beta, depth - 1, ply, false);
        } else {
            bool quiet = !threatened && (scored ? t->scores[base + number] < PLY_CANDIDATE_NOISY
                                                : !ply_game_is_noisy(rules, position, move));
            if (quiet && best > -PLY_SCORE_FORCED &&
                (futile || (may_prune && is_too_late(t, move, depth, tried, improving)))) {
                tried++;
                if (scored && !rules->search->see)
                    break; /* the list is in order: what is left comes later still */
                continue;
            }
            int less = quiet ? reduction(t, move, depth, tried, pv, improving) : 0;
            score = search_below(t, move, alpha, alpha + 1, depth - 1 - less, ply, false);
            if (score > alpha && less > 0)
                score = search_below(t, move, alpha, alpha + 1, depth - 1, ply, false);
            if (score > alpha && score < beta)
                score = search_below(t, move, alpha, beta, depth - 1, ply, false);
        }
        if (search_clock_stopped(t->clock))
            break;
        tried++;
        if (score > best) {
            best = score;
            best_number = number < TABLE_NO_MOVE ? (uint32_t)number : TABLE_NO_MOVE;
            if (score > alpha) {
                alpha = score;
                extend_line(t, ply, move);
            }
        }
        if (alpha >= beta) {
            ply_order_note_cut(t, base, i, move, depth, ply);
            break;
        }
    }
    t->stack_used = base;
    if (search_clock_stopped(t->clock) || tried == 0)
        return best;
    if (!root || t->excluded_count == 0) {
        entry = (tt_entry){.score = best,
                           .depth = depth,
                           .move_number = best_number,
                           .bound = best >= beta       ? TABLE_LOWER
                                    : best > old_alpha ? TABLE_EXACT
                                                       : TABLE_UPPER};
        ply_tt_store(&t->searcher->table, key, ply, &entry);
    }
    return best;
}
