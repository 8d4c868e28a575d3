/* SPDX-License-Identifier: MIT */
/*
 * node.h - what the main search and the quiescence search both do at every node.
 *
 * Inline, because these run millions of times a second. Private to the files that alphabeta.h
 * lists.
 */
#ifndef PLY_SEARCH_NODE_H
#define PLY_SEARCH_NODE_H

#include "search/alphabeta/alphabeta.h"

static inline bool has_trait(const alphabeta_thread *t, unsigned trait)
{
    return (t->rules->search->traits & trait) != 0;
}

static inline int side_to_move(const alphabeta_thread *t)
{
    return t->rules->game->side(t->rules, t->state.position);
}

static inline bool in_check(const alphabeta_thread *t)
{
    const ply_search_hooks *hooks = t->rules->search;
    if (t->evaluator.board)
        return hooks->board->in_check(t->rules, t->state.position, t->evaluator.board);
    return hooks->in_check && hooks->in_check(t->rules, t->state.position);
}

static inline bool gives_check(const alphabeta_thread *t, ply_move move)
{
    const ply_search_hooks *hooks = t->rules->search;
    return hooks->gives_check && hooks->gives_check(t->rules, t->state.position, move);
}

/* The static evaluation of the current position. */
static inline int32_t evaluate(alphabeta_thread *t)
{
    return evaluator_evaluate(&t->evaluator, t->state.position);
}

/* The frame of a ply, which may lie up to FRAME_OFFSET plies before the root. */
static inline ply_frame *frame_of(alphabeta_thread *t, int ply)
{
    return &t->frames[FRAME_OFFSET + ply];
}

/* Static exchange evaluation; 0 for games without it. */
static inline int32_t see(const alphabeta_thread *t, ply_move move)
{
    const ply_rules *rules = t->rules;
    return rules->search->see ? rules->search->see(rules, t->state.position, move) : 0;
}

static inline bool is_forced_score(int32_t score)
{
    return score <= -PLY_SCORE_FORCED || score >= PLY_SCORE_FORCED;
}

/* The outcome as far as it shows without generating moves. */
static inline ply_outcome node_outcome(const alphabeta_thread *t)
{
    return ply_game_node_outcome(t->rules, t->state.position, t->state.undo_stack, t->state.plies);
}

/* The score of a position without legal moves. */
static inline int32_t no_moves_score(const alphabeta_thread *t, int ply)
{
    ply_outcome outcome =
        t->rules->game->outcome(t->rules, t->state.position, t->state.undo_stack, t->state.plies);
    return search_outcome_score(outcome, side_to_move(t), ply);
}

static inline void count_node(alphabeta_thread *t)
{
    if (++t->unpolled >= t->poll_interval) {
        ply_time_control_poll(t->time, t->unpolled);
        t->unpolled = 0;
    }
}

static inline void update_selective_depth(alphabeta_thread *t, int ply)
{
    if (ply > t->selective_depth)
        t->selective_depth = ply;
}

/* Room for one more move list; false when memory has run out. */
static inline bool reserve_moves(alphabeta_thread *t)
{
    return t->moves_capacity - t->moves_used >= t->rules->max_moves || ply_alphabeta_grow(t);
}

/* The number of positions of the game and the variation whose keys share the bucket of `key`. */
static inline uint16_t *key_count(alphabeta_thread *t, uint64_t key)
{
    return &t->key_counts[key >> 52];
}

static inline void push_key(alphabeta_thread *t)
{
    uint64_t key = t->rules->game->hash(t->rules, t->state.position);
    t->keys[t->state.plies] = key;
    ++*key_count(t, key);
}

/*
 * Plays a move on the thread's state, which has room for the deepest variation. False when a
 * position runs out of memory; that stops the search.
 */
static inline bool play_move(alphabeta_thread *t, ply_move move)
{
    ply_state *s = &t->state;
    const ply_rules *rules = t->rules;
    evaluator_push(&t->evaluator, s->position, move);
    if (rules->game->play(rules, s->position, move, s->undo_stack + s->plies * rules->undo_bytes) !=
        PLY_OK) {
        evaluator_pop(&t->evaluator);
        t->failed = true;
        ply_time_control_stop(t->time);
        return false;
    }
    s->moves[s->plies++] = move;
    push_key(t);
    ply_tt_prefetch(&t->searcher->tt, t->keys[s->plies]);
    return true;
}

/* Passes the turn. undo_move takes it back. */
static inline void play_null_move(alphabeta_thread *t)
{
    ply_state *s = &t->state;
    const ply_rules *rules = t->rules;
    evaluator_push(&t->evaluator, s->position, PLY_MOVE_NONE);
    rules->search->null_move(rules, s->position, s->undo_stack + s->plies * rules->undo_bytes);
    s->moves[s->plies++] = PLY_MOVE_NONE;
    push_key(t);
}

static inline void undo_move(alphabeta_thread *t)
{
    ply_state *s = &t->state;
    --*key_count(t, t->keys[s->plies]);
    s->plies--;
    evaluator_pop(&t->evaluator);
    t->rules->game->undo(t->rules, s->position, s->moves[s->plies],
                         s->undo_stack + s->plies * t->rules->undo_bytes);
}

/*
 * Writes the moves to try to the end of t->moves: the game's candidates, or all moves if it has
 * none or `all` is set. Returns true if the game has scored them as well.
 */
static inline bool list_moves(alphabeta_thread *t, bool all, size_t *count)
{
    const ply_rules *rules = t->rules;
    ply_move *out = t->moves + t->moves_used;
    if (!rules->search->candidates || all) {
        *count = rules->game->moves(rules, t->state.position, out);
        return false;
    }
    int32_t *scores = t->scores + t->moves_used;
    *count = t->evaluator.board ? rules->search->board->candidates(rules, t->state.position,
                                                                   t->evaluator.board, out, scores)
                                : rules->search->candidates(rules, t->state.position, out, scores);
    return true;
}

/* Writes all noisy moves to the end of t->moves; returns their number. */
static inline size_t list_noisy_moves(alphabeta_thread *t)
{
    return ply_game_noisy_moves(t->rules, t->state.position, t->moves + t->moves_used);
}

/* The score of a move that wins at once, with that move as the PV; 0 if the game finds none. */
static inline int32_t immediate_win(alphabeta_thread *t, int ply)
{
    const ply_rules *rules = t->rules;
    if (!rules->search->winning_move)
        return 0;
    ply_move move = rules->search->winning_move(rules, t->state.position);
    if (move == PLY_MOVE_NONE)
        return 0;
    t->pv[ply].moves[0] = move;
    t->pv[ply].length = 1;
    return PLY_SCORE_WIN - ply - 1;
}

/* Asks the game for a forced win: its score, with its first move as the PV; 0 if it finds none. */
static inline int32_t forced_win(alphabeta_thread *t, int effort, int ply)
{
    const ply_rules *rules = t->rules;
    int plies;
    if (!rules->search->find_win)
        return 0;
    ply_move move =
        t->evaluator.board
            ? rules->search->board->find_win(rules, t->state.position, t->evaluator.board, effort,
                                             &plies, &t->unpolled)
            : rules->search->find_win(rules, t->state.position, effort, &plies, &t->unpolled);
    if (move == PLY_MOVE_NONE)
        return 0;
    t->pv[ply].moves[0] = move;
    t->pv[ply].length = 1;
    return PLY_SCORE_WIN - ply - plies;
}

#endif
