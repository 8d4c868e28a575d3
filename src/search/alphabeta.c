/*
 * alphabeta.c - iterative deepening principal-variation search.
 *
 * Every thread searches the same tree with a state, ordering tables and stacks of its own; what
 * they share is the transposition table and the clock, so each profits from what the others have
 * refuted. The first thread's lines are the answer.
 *
 * The same player may move twice in a row: a child's score is negated only if the side changed.
 *
 * Ordering: the table's move, then the game's own order and noisy moves, killers, the answer to the
 * last move, and the history of what has cut before. Moves are opaque, so history is kept in
 * buckets by a mix of their bits.
 */
#include "core/hash.h"
#include "search/searcher.h"
#include <stdlib.h>
#include <string.h>

enum {
    MAX_PLY = 120,
    HISTORY = 1 << 14,
    HISTORY_LIMIT = 1 << 14,
    POLL_NODES = 64,
    ASPIRATION = 40,
    INFINITE = PLY_SCORE_WIN + 1,
    /* Ordering bands; the game's own scores are clamped between them. */
    ORDER_TABLE = 1 << 30,
    ORDER_NOISY = 1 << 26,
    ORDER_GAME_LIMIT = 1 << 20,
    ORDER_KILLER = 1 << 25,
    ORDER_ANSWER = 1 << 24,
};

typedef struct node_line {
    uint32_t length;
    ply_move moves[MAX_PLY];
} node_line;

typedef struct searcher_thread {
    ply_searcher *searcher;
    const ply_rules *rules;
    search_clock *clock;
    ply_state state;
    uint64_t *keys;    /* of the positions from the start of the game; keys[state.plies] is now */
    ply_move *stack;   /* move lists of the current line, one behind the other */
    int32_t *scores;   /* beside them */
    uint16_t *numbers; /* beside them: where each move stood in the game's own order */
    size_t stack_used, stack_room;
    ply_move killers[MAX_PLY][2];
    ply_move answers[2][HISTORY];
    int32_t history[2][HISTORY];
    node_line lines[MAX_PLY + 1];
    ply_move excluded[SEARCH_LINES]; /* root moves whose line is known already */
    size_t excluded_count;
    uint64_t unreported; /* nodes not yet added to the clock */
    int root_depth, selective_depth;
    unsigned number;
    bool failed; /* out of memory */
} searcher_thread;

static int32_t search(searcher_thread *t, int32_t alpha, int32_t beta, int depth, int ply);

static uint32_t bucket(ply_move move)
{
    return (uint32_t)(ply_mix64(move) >> 50) & (HISTORY - 1);
}

static void count_node(searcher_thread *t)
{
    if (++t->unreported >= POLL_NODES) {
        search_clock_poll(t->clock, t->unreported);
        t->unreported = 0;
    }
}

/* Room for one more list. False when memory is out, which ends the search. */
static bool reserve_stack(searcher_thread *t)
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
    uint16_t *numbers = realloc(t->numbers, room * sizeof *numbers);
    if (numbers)
        t->numbers = numbers;
    if (!stack || !scores || !numbers) {
        t->failed = true;
        search_clock_stop(t->clock);
        return false;
    }
    t->stack_room = room;
    return true;
}

static bool play(searcher_thread *t, ply_move move)
{
    if (ply_state_play(&t->state, move) != PLY_OK) {
        t->failed = true;
        search_clock_stop(t->clock);
        return false;
    }
    t->keys[t->state.plies] = t->rules->game->hash(t->rules, t->state.position);
    return true;
}

/* The position stood on the board before in this line or game: it can be forced again. */
static bool is_repeated(const searcher_thread *t)
{
    size_t now = t->state.plies;
    for (size_t i = now; i >= 2; i -= 2) {
        if (t->keys[i - 2] == t->keys[now])
            return true;
        if (i < 4)
            break;
    }
    return false;
}

/* --- ordering ------------------------------------------------------------------------------- */
static void score_moves(searcher_thread *t, const ply_move *moves, int32_t *scores, size_t count,
                        size_t table_move, int ply)
{
    const void *position = t->state.position;
    int side = t->rules->game->side(t->rules, position);
    ply_move last = t->state.plies ? t->state.moves[t->state.plies - 1] : PLY_MOVE_NONE;
    ply_move answer = last ? t->answers[side][bucket(last)] : PLY_MOVE_NONE;
    ply_game_order(t->rules, position, moves, count, scores);
    for (size_t i = 0; i < count; i++) {
        t->numbers[t->stack_used + i] = (uint16_t)(i < TABLE_NO_MOVE ? i : TABLE_NO_MOVE);
        int32_t game = scores[i] > ORDER_GAME_LIMIT    ? ORDER_GAME_LIMIT
                       : scores[i] < -ORDER_GAME_LIMIT ? -ORDER_GAME_LIMIT
                                                       : scores[i];
        if (i == table_move)
            scores[i] = ORDER_TABLE;
        else if (ply_game_is_noisy(t->rules, position, moves[i]))
            scores[i] = ORDER_NOISY + game;
        else if (moves[i] == t->killers[ply][0] || moves[i] == t->killers[ply][1])
            scores[i] = ORDER_KILLER + (moves[i] == t->killers[ply][0]);
        else if (moves[i] == answer)
            scores[i] = ORDER_ANSWER;
        else
            scores[i] = game + t->history[side][bucket(moves[i])];
    }
}

/* Brings the best of the moves from `first` on to the front. */
static void pick_best(searcher_thread *t, size_t first, size_t end)
{
    size_t best = first;
    for (size_t i = first + 1; i < end; i++)
        if (t->scores[i] > t->scores[best])
            best = i;
    ply_move move = t->stack[best];
    int32_t score = t->scores[best];
    uint16_t number = t->numbers[best];
    t->stack[best] = t->stack[first];
    t->scores[best] = t->scores[first];
    t->numbers[best] = t->numbers[first];
    t->stack[first] = move;
    t->scores[first] = score;
    t->numbers[first] = number;
}

static void age_history(int32_t *entry, int32_t bonus)
{
    *entry += bonus - *entry * (bonus < 0 ? -bonus : bonus) / HISTORY_LIMIT;
}

/* A quiet move has cut: remember it, and lower those tried in vain before it. */
static void note_cut(searcher_thread *t, const ply_move *moves, size_t index, int depth, int ply)
{
    ply_move move = moves[index];
    if (ply_game_is_noisy(t->rules, t->state.position, move))
        return;
    int side = t->rules->game->side(t->rules, t->state.position);
    int32_t bonus = depth * depth > 400 ? 400 : depth * depth;
    if (t->killers[ply][0] != move) {
        t->killers[ply][1] = t->killers[ply][0];
        t->killers[ply][0] = move;
    }
    if (t->state.plies)
        t->answers[side][bucket(t->state.moves[t->state.plies - 1])] = move;
    age_history(&t->history[side][bucket(move)], bonus);
    for (size_t i = 0; i < index; i++)
        if (!ply_game_is_noisy(t->rules, t->state.position, moves[i]))
            age_history(&t->history[side][bucket(moves[i])], -bonus);
}

/* --- the tree ------------------------------------------------------------------------------- */
/* Plays a move and searches below it with the window as seen by the player who moves here. */
static int32_t search_below(searcher_thread *t, ply_move move, int32_t alpha, int32_t beta,
                            int depth, int ply, bool quiescent);

static int32_t quiesce(searcher_thread *t, int32_t alpha, int32_t beta, int ply)
{
    const ply_rules *rules = t->rules;
    const ply_game *game = rules->game;
    void *position = t->state.position;
    t->lines[ply].length = 0;
    count_node(t);
    if (search_clock_stopped(t->clock))
        return 0;
    ply_outcome verdict = ply_game_verdict(rules, position, t->state.records, t->state.plies);
    if (verdict.result != PLY_ONGOING)
        return search_outcome_score(verdict, game->side(rules, position), ply);
    if (ply > t->selective_depth)
        t->selective_depth = ply;
    if (ply >= MAX_PLY - 1 || !reserve_stack(t))
        return ply_game_evaluate(rules, position);

    size_t base = t->stack_used;
    size_t count = ply_game_noisy(rules, position, t->stack + base);
    int32_t best = -INFINITE;
    /* Where captures are compulsory there is no standing still. */
    if (count == 0 || !(game->search_traits & PLY_TRAIT_NOISY_FORCED)) {
        best = ply_game_evaluate(rules, position);
        if (best >= beta || count == 0)
            return best;
        if (best > alpha)
            alpha = best;
    }
    ply_game_order(rules, position, t->stack + base, count, t->scores + base);
    t->stack_used = base + count;
    for (size_t i = 0; i < count; i++) {
        pick_best(t, base + i, base + count);
        int32_t score = search_below(t, t->stack[base + i], alpha, beta, 0, ply, true);
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

static int32_t search_below(searcher_thread *t, ply_move move, int32_t alpha, int32_t beta,
                            int depth, int ply, bool quiescent)
{
    const ply_rules *rules = t->rules;
    int side = rules->game->side(rules, t->state.position);
    if (!play(t, move))
        return 0;
    int32_t score;
    if (rules->game->side(rules, t->state.position) == side)
        score =
            quiescent ? quiesce(t, alpha, beta, ply + 1) : search(t, alpha, beta, depth, ply + 1);
    else
        score = quiescent ? -quiesce(t, -beta, -alpha, ply + 1)
                          : -search(t, -beta, -alpha, depth, ply + 1);
    ply_state_undo(&t->state);
    return score;
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
    return !search_move_wanted(t->clock->limits, move);
}

/* How much less deep a late quiet move is searched at first. */
static int reduction(const searcher_thread *t, int depth, size_t tried, bool noisy, bool pv)
{
    if (!(t->rules->game->search_traits & PLY_TRAIT_REDUCTIONS) || depth < 3 || tried < 3 || noisy)
        return 0;
    int less = 1 + (tried >= 8) + (tried >= 24) + (depth >= 8);
    if (pv && less > 1)
        less--;
    return less < depth - 1 ? less : depth - 2;
}

static int32_t search(searcher_thread *t, int32_t alpha, int32_t beta, int depth, int ply)
{
    const ply_rules *rules = t->rules;
    const ply_game *game = rules->game;
    void *position = t->state.position;
    bool root = ply == 0, pv = beta - alpha > 1;
    t->lines[ply].length = 0;
    if (!root) {
        ply_outcome verdict = ply_game_verdict(rules, position, t->state.records, t->state.plies);
        if (verdict.result != PLY_ONGOING) {
            count_node(t);
            return search_outcome_score(verdict, game->side(rules, position), ply);
        }
        if (is_repeated(t)) {
            count_node(t);
            return 0;
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
        return quiesce(t, alpha, beta, ply);
    count_node(t);
    if (search_clock_stopped(t->clock) || !reserve_stack(t))
        return 0;
    if (ply > t->selective_depth)
        t->selective_depth = ply;

    uint64_t key = t->keys[t->state.plies];
    table_entry entry = {.move_number = TABLE_NO_MOVE};
    bool known = table_probe(&t->searcher->table, key, ply, &entry);
    if (known && !root && !pv && entry.depth >= depth &&
        (entry.bound == TABLE_EXACT || (entry.bound == TABLE_LOWER && entry.score >= beta) ||
         (entry.bound == TABLE_UPPER && entry.score <= alpha)))
        return entry.score;

    size_t base = t->stack_used;
    size_t count = game->moves(rules, position, t->stack + base);
    if (count == 0)
        return search_outcome_score(
            game->outcome(rules, position, t->state.records, t->state.plies),
            game->side(rules, position), ply);
    if (count == 1 && !root && ply < 2 * t->root_depth)
        depth++; /* a forced reply costs nothing to look behind */
    ply_move table_move =
        known && entry.move_number < count ? t->stack[base + entry.move_number] : PLY_MOVE_NONE;
    score_moves(t, t->stack + base, t->scores + base, count,
                table_move ? entry.move_number : SIZE_MAX, ply);
    t->stack_used = base + count;

    int32_t best = -INFINITE, old_alpha = alpha;
    uint32_t best_number = TABLE_NO_MOVE;
    size_t tried = 0;
    for (size_t i = 0; i < count; i++) {
        pick_best(t, base + i, base + count);
        ply_move move = t->stack[base + i];
        if (root && is_excluded(t, move))
            continue;
        int32_t score;
        if (tried == 0) {
            score = search_below(t, move, alpha, beta, depth - 1, ply, false);
        } else {
            bool noisy = ply_game_is_noisy(rules, position, move);
            int less = reduction(t, depth, tried, noisy, pv);
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
            best_number = t->numbers[base + i];
            if (score > alpha) {
                alpha = score;
                extend_line(t, ply, move);
            }
        }
        if (alpha >= beta) {
            note_cut(t, t->stack + base, i, depth, ply);
            break;
        }
    }
    t->stack_used = base;
    if (search_clock_stopped(t->clock) || tried == 0)
        return best;
    if (!root || t->excluded_count == 0) {
        entry = (table_entry){.score = best,
                              .depth = depth,
                              .move_number = best_number,
                              .bound = best >= beta       ? TABLE_LOWER
                                       : best > old_alpha ? TABLE_EXACT
                                                          : TABLE_UPPER};
        table_store(&t->searcher->table, key, ply, &entry);
    }
    return best;
}

/* --- iterations ----------------------------------------------------------------------------- */
/* One line at one depth, within a window that widens until the score is inside. */
static int32_t search_root(searcher_thread *t, int depth, int32_t guess)
{
    int32_t window = ASPIRATION;
    int32_t alpha = depth < 4 ? -INFINITE : guess - window;
    int32_t beta = depth < 4 ? INFINITE : guess + window;
    for (;;) {
        int32_t score = search(t, alpha, beta, depth, 0);
        if (search_clock_stopped(t->clock))
            return score;
        if (score <= alpha && alpha > -INFINITE)
            alpha = window > 2000 ? -INFINITE : score - window;
        else if (score >= beta && beta < INFINITE)
            beta = window > 2000 ? INFINITE : score + window;
        else
            return score;
        window *= 4;
    }
}

static void keep_line(ply_searcher *s, size_t number, int32_t score, const node_line *line)
{
    ply_search_line *kept = &s->lines[number];
    kept->score = score;
    kept->length = line->length < PLY_LINE_LIMIT ? line->length : PLY_LINE_LIMIT;
    memcpy(kept->moves, line->moves, kept->length * sizeof(ply_move));
}

/* Lines found at this depth, best first. */
static void sort_lines(ply_searcher *s, size_t count)
{
    for (size_t i = 1; i < count; i++)
        for (size_t k = i; k > 0 && s->lines[k].score > s->lines[k - 1].score; k--) {
            ply_search_line line = s->lines[k];
            s->lines[k] = s->lines[k - 1];
            s->lines[k - 1] = line;
        }
}

static bool is_decided(const ply_searcher *s, const ply_search_limits *limits, int depth)
{
    int32_t score = s->lines[0].score;
    int32_t distance = PLY_SCORE_WIN - (score < 0 ? -score : score);
    if (limits->mate && score > PLY_SCORE_FORCED && distance <= limits->mate)
        return true;
    /* A forced end nearer than the horizon will not change any more. */
    return (limits->millis || limits->has_clock || limits->depth) && s->report.line_count <= 1 &&
           distance < PLY_SCORE_WIN - PLY_SCORE_FORCED && depth > distance + 2;
}

static void deepen(void *context, size_t piece, unsigned worker)
{
    (void)piece;
    searcher_thread *t = &((searcher_thread *)context)[worker];
    ply_searcher *s = t->searcher;
    const ply_search_limits *limits = t->clock->limits;
    int last = limits->depth > 0 && limits->depth < MAX_PLY ? limits->depth : MAX_PLY - 1;
    size_t wanted = limits->lines ? limits->lines : 1;
    wanted = wanted < SEARCH_LINES ? wanted : SEARCH_LINES;
    int32_t guess[SEARCH_LINES] = {0};
    /* Helpers start one deeper every other thread, so that they do not all do the same. */
    for (int depth = 1 + (int)(t->number & 1); depth <= last && search_clock_go_on(t->clock);
         depth++) {
        t->root_depth = depth;
        t->excluded_count = 0;
        size_t found = 0;
        for (; found < wanted; found++) {
            int32_t score = search_root(t, depth, guess[found]);
            const node_line *line = &t->lines[0];
            bool stopped = search_clock_stopped(t->clock);
            if (line->length == 0 || (stopped && (t->number > 0 || found > 0 || score < guess[0])))
                break; /* no more moves, or an unfinished line that is not known to be better */
            guess[found] = score;
            if (t->number == 0) {
                keep_line(s, found, score, line);
                if (found + 1 > s->report.line_count)
                    s->report.line_count = found + 1;
            }
            t->excluded[t->excluded_count++] = line->moves[0];
            if (stopped)
                break;
        }
        if (t->number > 0 || search_clock_stopped(t->clock))
            continue;
        sort_lines(s, found);
        s->report.depth = depth;
        s->report.selective_depth = t->selective_depth;
        s->report.table_full = table_fullness(&s->table);
        search_clock_poll(t->clock, t->unreported);
        t->unreported = 0;
        search_tell(s);
        if (is_decided(s, limits, depth))
            break;
    }
    if (t->number == 0) {
        /* With no limit or while pondering, the answer waits until it is asked for. */
        search_clock_wait(t->clock);
        search_clock_stop(t->clock);
    }
    search_clock_poll(t->clock, t->unreported);
    t->unreported = 0;
}

static ply_status open_thread(searcher_thread *t, ply_searcher *s, const ply_state *state,
                              unsigned number)
{
    t->searcher = s;
    t->rules = s->rules;
    t->clock = &s->clock;
    t->number = number;
    ply_status status = ply_state_copy(&t->state, state);
    if (status == PLY_OK)
        status = ply_state_reserve(&t->state, MAX_PLY + 1);
    t->keys = malloc((state->plies + MAX_PLY + 2) * sizeof *t->keys);
    if (status != PLY_OK || !t->keys || !reserve_stack(t))
        return PLY_NO_MEMORY;
    /* Keys of the game so far, from the end back to the start and forward again. */
    for (size_t i = t->state.plies + 1; i-- > 0;) {
        t->keys[i] = t->rules->game->hash(t->rules, t->state.position);
        ply_state_undo(&t->state);
    }
    for (size_t i = 0; i < state->plies && status == PLY_OK; i++)
        status = ply_state_play(&t->state, state->moves[i]);
    return status;
}

ply_status alphabeta_run(ply_searcher *searcher, const ply_state *state)
{
    unsigned count = searcher->options.threads;
    searcher_thread *threads = calloc(count, sizeof *threads);
    if (!threads)
        return PLY_NO_MEMORY;
    ply_status status = PLY_OK;
    for (unsigned i = 0; i < count && status == PLY_OK; i++)
        status = open_thread(&threads[i], searcher, state, i);
    if (status == PLY_OK) {
        table_new_search(&searcher->table);
        ply_workers_run_all(searcher->team, deepen, threads);
    }
    for (unsigned i = 0; i < count; i++) {
        if (threads[i].failed)
            status = PLY_NO_MEMORY;
        if (threads[i].state.position)
            ply_state_free(&threads[i].state);
        free(threads[i].keys);
        free(threads[i].stack);
        free(threads[i].scores);
        free(threads[i].numbers);
    }
    free(threads);
    return status;
}
