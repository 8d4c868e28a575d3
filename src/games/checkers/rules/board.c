/* SPDX-License-Identifier: MIT */
/* board.c - start, moves, play, undo, outcome, playouts and symmetry. */
#include "games/checkers/checkers.h"
#include "games/checkers/rules/draw_rules.h"
#include <string.h>

uint64_t checkers_compute_hash(const ply_rules *rules, const void *position)
{
    (void)rules;
    const checkers_position *p = position;
    uint64_t key = p->turn ? checkers_turn_key : 0;
    for (int colour = 0; colour < 2; colour++)
        for (int kind = 0; kind < 2; kind++)
            for (uint64_t b = p->board[colour][kind]; b; b &= b - 1)
                key ^= checkers_keys[colour][kind][checkers_index_of(ply_lowest(b))];
    return key;
}

void checkers_finish(checkers_position *p)
{
    p->quiet = 0;
    memset(p->zero, 0, sizeof p->zero);
    p->hash = checkers_compute_hash(NULL, p);
}

ply_status checkers_start(const ply_rules *rules, void *position)
{
    checkers_position *p = position;
    int rows = rules->option[CHECKERS_OPTION_ROWS];
    *p = (checkers_position){
        .black_men = CHECKERS_DARK_SQUARES & ((UINT64_C(1) << (8 * rows)) - 1),
        .white_men = CHECKERS_DARK_SQUARES & ~(~UINT64_C(0) >> (8 * rows)),
        .turn = (uint8_t)rules->option[CHECKERS_OPTION_STARTS],
    };
    checkers_finish(p);
    return PLY_OK;
}

void checkers_visit_captures(const ply_rules *rules, const checkers_position *p,
                             checkers_visitor *visit, void *context)
{
    PLY_ISA_PICK(checkers_general_of)->visit_captures(rules, p, visit, context);
}

size_t checkers_general_moves(const ply_rules *rules, const checkers_position *p, ply_move *out,
                              uint32_t *times)
{
    return PLY_ISA_PICK(checkers_general_of)->moves(rules, p, out, times);
}

size_t checkers_moves(const ply_rules *rules, const void *position, ply_move *out)
{
    return checkers_is_english(rules) ? PLY_ISA_PICK(checkers_english_of)->moves(position, out)
                                      : checkers_general_moves(rules, position, out, NULL);
}

size_t checkers_count(const ply_rules *rules, const void *position)
{
    if (checkers_is_english(rules))
        return PLY_ISA_PICK(checkers_english_of)->count(position);
    return PLY_ISA_PICK(checkers_general_of)->count(rules, position);
}

ply_move checkers_nth(const ply_rules *rules, const void *position, size_t k)
{
    if (checkers_is_english(rules))
        return PLY_ISA_PICK(checkers_english_of)->nth(position, k);
    ply_move moves[CHECKERS_MAX_MOVES];
    checkers_general_moves(rules, position, moves, NULL);
    return moves[k];
}

void checkers_apply(checkers_position *p, ply_move move)
{
    apply_move(p, move);
}

ply_status checkers_play(const ply_rules *rules, void *position, ply_move move, void *undo)
{
    (void)rules;
    memcpy(undo, position, sizeof(checkers_position));
    checkers_apply(position, move);
    return PLY_OK;
}

void checkers_undo(const ply_rules *rules, void *position, ply_move move, const void *undo)
{
    (void)rules;
    (void)move;
    memcpy(position, undo, sizeof(checkers_position));
}

static int player_of(const ply_rules *rules, int colour)
{
    return colour ^ rules->option[CHECKERS_OPTION_STARTS];
}

int checkers_side(const ply_rules *rules, const void *position)
{
    return player_of(rules, ((const checkers_position *)position)->turn);
}

ply_outcome checkers_node_outcome(const ply_rules *rules, const void *position,
                                  const void *undo_stack, size_t plies)
{
    const checkers_position *p = position;
    return draw_outcome(rules, p, undo_stack, plies, false);
};

ply_outcome checkers_fresh_outcome(const ply_rules *rules, const void *position,
                                   const void *undo_stack, size_t plies)
{
    const checkers_position *p = position;
    return draw_outcome(rules, p, undo_stack, plies, true);
}

ply_outcome checkers_outcome(const ply_rules *rules, const void *position, const void *undo_stack,
                             size_t plies)
{
    const checkers_position *p = position;
    if (checkers_count(rules, p) == 0)
        return ply_outcome_win(player_of(rules, !p->turn),
                               checkers_pieces_of(p, p->turn) ? "no-move" : "no-pieces");
    return checkers_node_outcome(rules, p, undo_stack, plies);
}

uint64_t checkers_hash(const ply_rules *rules, const void *position)
{
    (void)rules;
    return ((const checkers_position *)position)->hash;
}

uint64_t checkers_perft(const ply_rules *rules, void *position, int depth, int mode)
{
    return checkers_is_english(rules)
               ? PLY_ISA_PICK(checkers_english_perft_of)->perft(position, depth, mode)
               : PLY_ISA_PICK(checkers_general_of)->perft(rules, position, depth, mode);
}

uint64_t checkers_multiplicity(const ply_rules *rules, const void *position, ply_move move,
                               int mode)
{
    if (mode != CHECKERS_COUNT_PATHS ||
        ply_popcount(checkers_move_captured(move)) < CHECKERS_MIN_LOOP)
        return 1;
    ply_move moves[CHECKERS_MAX_MOVES];
    uint32_t times[CHECKERS_MAX_MOVES];
    size_t count = checkers_general_moves(rules, position, moves, times);
    for (size_t i = 0; i < count; i++)
        if (moves[i] == move)
            return times[i];
    return 0;
}

/*
 * Random games under any rules. The outcome looks back over quiet plies only, at most half of
 * HISTORY, so when the undo stack is full its older half can be dropped.
 */
static size_t general_playout(const ply_rules *rules, checkers_position *p, ply_rng *rng,
                              size_t max_plies, ply_outcome *outcome)
{
    enum { HISTORY = 2 * (CHECKERS_QUIET_LIMIT + 2) };
    checkers_undo_info undo_stack[HISTORY];
    size_t depth = 0, plies = 0;
    for (;; plies++) {
        *outcome = checkers_outcome(rules, p, undo_stack, depth);
        if (outcome->result != PLY_ONGOING || plies >= max_plies)
            return plies;
        if (depth == HISTORY) {
            depth = HISTORY / 2;
            memcpy(undo_stack, undo_stack + HISTORY / 2, sizeof undo_stack / 2);
        }
        ply_move moves[CHECKERS_MAX_MOVES];
        uint32_t count = (uint32_t)checkers_moves(rules, p, moves);
        checkers_play(rules, p, moves[ply_rng_below(rng, count)], &undo_stack[depth++]);
    }
}

size_t checkers_playout(const ply_rules *rules, void *position, ply_rng *rng, size_t max_plies,
                        ply_outcome *outcome)
{
    if (checkers_is_english(rules) &&
        rules->option[CHECKERS_OPTION_ENDINGS] == CHECKERS_ENDINGS_NONE)
        return PLY_ISA_PICK(checkers_english_of)->playout(rules, position, rng, max_plies, outcome);
    return general_playout(rules, position, rng, max_plies, outcome);
}

/* Rotating the board by 180 degrees and swapping the colours preserves the value. */
void checkers_image(const ply_rules *rules, const void *position, uint32_t i, void *out)
{
    (void)rules;
    checkers_position p = *(const checkers_position *)position;
    if (i & 1) {
        const checkers_position old = p;
        for (int colour = 0; colour < 2; colour++)
            for (int kind = 0; kind < 2; kind++)
                p.board[colour][kind] = checkers_rotate(old.board[!colour][kind]);
        p.turn = !old.turn;
        p.hash = checkers_compute_hash(NULL, &p);
    }
    *(checkers_position *)out = p;
}

/* The image with Black to move. */
void checkers_canonical(const ply_rules *rules, const void *position, void *out)
{
    checkers_image(rules, position, ((const checkers_position *)position)->turn, out);
}
