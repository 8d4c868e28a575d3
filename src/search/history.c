/* SPDX-License-Identifier: MIT */
/*
 * history.c - statistics of the moves that cause cutoffs.
 *
 * A quiet move is known by its own history and by three continuation histories: what it achieved
 * after the last move, after the player's own last move, and after the one before that. Every entry
 * is a number within +-HISTORY_LIMIT; an update moves it towards the limit by a share of what is
 * left.
 */
#include "core/hash.h"
#include "search/node.h"

enum { HISTORY_LIMIT = 1 << 14 };

/* How many plies ago the earlier moves of the continuation history were played. */
static const int continuation_plies[CONTINUATIONS] = {1, 2, 4};

static uint32_t bucket_of(ply_move move)
{
    return (uint32_t)(ply_mix64(move) >> 50) & (HISTORY_BUCKETS - 1);
}

unsigned ply_history_class(const alphabeta_thread *t, ply_move move)
{
    const ply_rules *rules = t->rules;
    return rules->search->move_class ? rules->search->move_class(rules, t->state.position, move)
                                     : (unsigned)(ply_mix64(move) >> 40) & (PLY_MOVE_CLASSES - 1);
}

static int16_t *continuation_row(alphabeta_thread *t, int ply, int i)
{
    int back = continuation_plies[i];
    return t->history->continuation[~back & 1][frame_of(t, ply - back)->move_row];
}

void ply_history_view(alphabeta_thread *t, int ply, history_view *view)
{
    int side = side_to_move(t);
    view->quiet = t->history->quiet[side];
    view->noisy = t->history->noisy[side];
    for (int i = 0; i < CONTINUATIONS; i++)
        view->continuation[i] = continuation_row(t, ply, i);
}

int32_t ply_history_quiet(const alphabeta_thread *t, const history_view *view, ply_move move)
{
    unsigned class = ply_history_class(t, move);
    int32_t sum = 0;
    for (int i = 0; i < CONTINUATIONS; i++)
        sum += view->continuation[i][class];
    return sum + view->quiet[bucket_of(move)];
}

int32_t ply_history_noisy(const alphabeta_thread *t, const history_view *view, ply_move move)
{
    return view->noisy[ply_history_class(t, move)];
}

static ply_move *countermove_entry(const alphabeta_thread *t, int side)
{
    ply_move previous = t->state.plies ? t->state.moves[t->state.plies - 1] : PLY_MOVE_NONE;
    return previous ? &t->history->countermoves[side][bucket_of(previous)] : NULL;
}

ply_move ply_history_countermove(const alphabeta_thread *t, int side)
{
    const ply_move *entry = countermove_entry(t, side);
    return entry ? *entry : PLY_MOVE_NONE;
}

/* Adds a bonus or malus and decays the old value, so that entries stay within the limit. */
static void update_entry(int16_t *entry, int32_t bonus)
{
    *entry = (int16_t)(*entry + bonus - *entry * (bonus < 0 ? -bonus : bonus) / HISTORY_LIMIT);
}

void ply_history_reward(alphabeta_thread *t, int side, ply_move move, unsigned class, int32_t bonus,
                        int ply)
{
    update_entry(&t->history->quiet[side][bucket_of(move)], bonus);
    for (int i = 0; i < CONTINUATIONS; i++)
        update_entry(&continuation_row(t, ply, i)[class], bonus);
}

int32_t ply_history_bonus(const alphabeta_thread *t, int depth)
{
    const search_params *params = t->params;
    int32_t bonus = params->bonus_step * depth - params->bonus_base;
    return bonus < params->bonus_max ? bonus : params->bonus_max;
}

void ply_history_update(alphabeta_thread *t, ply_move move, bool noisy,
                        const searched_moves *searched, int depth, int ply)
{
    int side = side_to_move(t);
    int32_t bonus = ply_history_bonus(t, depth);
    int16_t *noisy_history = t->history->noisy[side];
    if (noisy) {
        update_entry(&noisy_history[ply_history_class(t, move)], bonus);
    } else {
        ply_frame *frame = frame_of(t, ply);
        ply_move *countermove = countermove_entry(t, side);
        if (frame->killers[0] != move) {
            frame->killers[1] = frame->killers[0];
            frame->killers[0] = move;
        }
        if (countermove)
            *countermove = move;
        ply_history_reward(t, side, move, ply_history_class(t, move), bonus, ply);
        for (unsigned i = 0; i < searched->quiet_count; i++)
            if (searched->quiet[i] != move)
                ply_history_reward(t, side, searched->quiet[i],
                                   ply_history_class(t, searched->quiet[i]), -bonus, ply);
    }
    for (unsigned i = 0; i < searched->noisy_count; i++)
        if (searched->noisy[i] != move)
            update_entry(&noisy_history[ply_history_class(t, searched->noisy[i])], -bonus);
}
