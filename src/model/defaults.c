/* SPDX-License-Identifier: MIT */
/* defaults.c - calls a game's hook or, where it has none, a generic default; see game.h. */
#include <assert.h>
#include <plyverse/game.h>
#include <string.h>

size_t ply_game_count_moves(const ply_rules *rules, const void *position)
{
    if (rules->game->count)
        return rules->game->count(rules, position);
    ply_move moves[PLY_STACK_MOVES];
    assert(rules->max_moves <= PLY_STACK_MOVES);
    return rules->game->moves(rules, position, moves);
}

ply_move ply_game_nth_move(const ply_rules *rules, const void *position, size_t k)
{
    if (rules->game->nth)
        return rules->game->nth(rules, position, k);
    ply_move moves[PLY_STACK_MOVES];
    assert(rules->max_moves <= PLY_STACK_MOVES);
    rules->game->moves(rules, position, moves);
    return moves[k];
}

ply_status ply_game_copy(const ply_rules *rules, void *to, const void *from)
{
    if (rules->game->copy)
        return rules->game->copy(rules, to, from);
    memcpy(to, from, rules->position_bytes);
    return PLY_OK;
}

void ply_game_clear(const ply_rules *rules, void *position)
{
    if (rules->game->clear)
        rules->game->clear(rules, position);
}

ply_outcome ply_game_node_outcome(const ply_rules *rules, const void *position,
                                  const void *undo_stack, size_t plies)
{
    return rules->search->node_outcome
               ? rules->search->node_outcome(rules, position, undo_stack, plies)
               : rules->game->outcome(rules, position, undo_stack, plies);
}

int32_t ply_game_evaluate(const ply_rules *rules, const void *position)
{
    return rules->search->evaluate ? rules->search->evaluate(rules, position) : 0;
}

void ply_game_score_moves(const ply_rules *rules, const void *position, const ply_move *moves,
                          size_t count, int32_t *scores)
{
    if (rules->search->score_moves)
        rules->search->score_moves(rules, position, moves, count, scores);
    else
        memset(scores, 0, count * sizeof scores[0]);
}

bool ply_game_is_noisy(const ply_rules *rules, const void *position, ply_move move)
{
    return rules->search->is_noisy && rules->search->is_noisy(rules, position, move);
}

size_t ply_game_noisy_moves(const ply_rules *rules, const void *position, ply_move *out)
{
    if (rules->search->noisy_moves)
        return rules->search->noisy_moves(rules, position, out);
    if (!rules->search->is_noisy)
        return 0;
    size_t count = rules->game->moves(rules, position, out), kept = 0;
    for (size_t i = 0; i < count; i++)
        if (rules->search->is_noisy(rules, position, out[i]))
            out[kept++] = out[i];
    return kept;
}

void ply_game_canonical(const ply_rules *rules, const void *position, void *out, void *scratch)
{
    const ply_game *game = rules->game;
    if (rules->indexing->canonical) {
        rules->indexing->canonical(rules, position, out);
        return;
    }
    memcpy(out, position, rules->position_bytes);
    for (uint32_t i = 1; rules->indexing->image && i < rules->symmetries; i++) {
        rules->indexing->image(rules, position, i, scratch);
        if (game->hash(rules, scratch) < game->hash(rules, out))
            memcpy(out, scratch, rules->position_bytes);
    }
}

size_t ply_game_mask(const ply_rules *rules, const void *position, uint64_t *bits,
                     ply_move *scratch)
{
    if (rules->learning->mask)
        return rules->learning->mask(rules, position, bits);
    memset(bits, 0, (rules->actions + 63) / 64 * sizeof bits[0]);
    size_t moves = rules->game->moves(rules, position, scratch), count = 0;
    for (size_t i = 0; i < moves; i++) {
        uint32_t action = rules->learning->action(rules, position, scratch[i]);
        if (action == PLY_ACTION_NONE)
            continue;
        bits[action / 64] |= (uint64_t)1 << action % 64;
        count++;
    }
    return count;
}

ply_status ply_game_step(const ply_rules *rules, void *position, uint32_t action, ply_move *move,
                         ply_undo *undo)
{
    if (rules->learning->step)
        return rules->learning->step(rules, position, action, move, undo);
    *move = rules->learning->action_move(rules, position, action);
    return *move ? rules->game->play(rules, position, *move, undo) : PLY_ILLEGAL_MOVE;
}

const char *ply_game_player_name(const ply_rules *rules, int player)
{
    if (!rules || !rules->game || player < 0 || player > 1)
        return "";
    return rules->display->player_name ? rules->display->player_name(rules, player)
                                       : rules->game->player_names[player];
}

void ply_game_draw(const ply_rules *rules, const void *position, ply_move last, unsigned flags,
                   ply_text *out)
{
    if (rules->display->draw) {
        rules->display->draw(rules, position, last, flags, out);
        return;
    }
    rules->game->format(rules, position, out);
    ply_text_char(out, '\n');
}

void ply_game_display_move(const ply_rules *rules, const void *position, ply_move move,
                           ply_move last, size_t notation, ply_text *out)
{
    if (notation < rules->display->notation_count)
        rules->display->notations[notation].move(rules, position, move, last, out);
    else
        rules->game->format_move(rules, position, move, out);
}
