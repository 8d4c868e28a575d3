/* SPDX-License-Identifier: MIT */
/* board.c - moves, play, undo and the end of the game. */
#include "games/gomoku/rules/stones.h"
#include <assert.h>
#include <string.h>

static bool may_pass(const ply_rules *rules)
{
    return rules->option[GOMOKU_OPTION_PASS] != 0;
}

/* Whether cells may be forbidden to the side to move. */
static bool has_forbidden(const ply_rules *rules, const gomoku_position *p)
{
    return gomoku_rule_of(rules) == GOMOKU_RENJU && p->side == GOMOKU_BLACK &&
           rules->option[GOMOKU_OPTION_FORBIDDEN] == GOMOKU_FORBIDDEN_ILLEGAL;
}

uint64_t gomoku_compute_hash(const ply_rules *rules, const void *position)
{
    return gomoku_key_of(position, gomoku_height(rules));
}

ply_status gomoku_start(const ply_rules *rules, void *position)
{
    memset(position, 0, rules->position_bytes);
    return gomoku_finish_setup(rules, position);
}

void gomoku_put_stone(const ply_rules *rules, gomoku_position *p, int cell, int colour)
{
    gomoku_set_cell(p->lines, gomoku_width(rules), gomoku_height(rules), cell, colour);
    p->stones++;
}

const uint64_t *gomoku_lines(const ply_rules *rules, const void *position)
{
    (void)rules;
    return ((const gomoku_position *)position)->lines;
}

static bool has_won(const ply_rules *rules, const gomoku_position *p, int colour)
{
    int count = gomoku_line_count(gomoku_width(rules), gomoku_height(rules));
    for (int i = 0; i < count; i++)
        if (gomoku_line_wins(p->lines[i], colour, gomoku_rule_of(rules), gomoku_row(rules)))
            return true;
    return false;
}

ply_status gomoku_finish_setup(const ply_rules *rules, gomoku_position *p)
{
    bool black = has_won(rules, p, GOMOKU_BLACK), white = has_won(rules, p, GOMOKU_WHITE);
    if (black && white)
        return PLY_BAD_POSITION;
    if (black || white)
        p->ended = black ? GOMOKU_ROW_BLACK : GOMOKU_ROW_WHITE;
    PLY_ISA_PICK(gomoku_kernels_of)
        ->count(gomoku_width(rules), gomoku_height(rules), gomoku_row(rules), p->lines, p->totals);
    p->hash = gomoku_compute_hash(rules, p);
    return PLY_OK;
}

bool gomoku_is_over(const ply_rules *rules, const gomoku_position *p)
{
    return p->ended || p->passes == 2 || p->stones == gomoku_cell_count(rules);
}

/* The empty cells of a row, one bit each at the X bits. */
static uint64_t empty_in_row(const ply_rules *rules, const gomoku_position *p, int y)
{
    uint64_t row = p->lines[y];
    return ~(row | row >> 1) & GOMOKU_X_BITS & gomoku_line_mask(gomoku_width(rules));
}

/* The same without forbidden points, given as bit x of one word. */
static inline uint64_t legal_in_row(const ply_rules *rules, const gomoku_position *p, int y,
                                    uint32_t forbidden)
{
    uint64_t empty = empty_in_row(rules, p, y);
    return forbidden ? empty & ~ply_pdep_portable(forbidden, GOMOKU_X_BITS) : empty;
}

size_t gomoku_moves(const ply_rules *rules, const void *position, ply_move *out)
{
    const gomoku_position *p = position;
    size_t count = 0;
    if (gomoku_is_over(rules, p))
        return 0;
    uint32_t forbidden[GOMOKU_MAX_SIDE];
    bool some = has_forbidden(rules, p) && gomoku_forbidden_points(rules, p, forbidden, NULL) > 0;
    for (int y = 0; y < gomoku_height(rules); y++) {
        uint64_t legal = legal_in_row(rules, p, y, some ? forbidden[y] : 0);
        for (; legal; legal &= legal - 1)
            out[count++] = gomoku_move(gomoku_cell(ply_lowest(legal) >> 1, y));
    }
    if (may_pass(rules))
        out[count++] = GOMOKU_PASS;
    return count;
}

size_t gomoku_count(const ply_rules *rules, const void *position)
{
    const gomoku_position *p = position;
    if (gomoku_is_over(rules, p))
        return 0;
    uint32_t forbidden[GOMOKU_MAX_SIDE];
    int illegal = has_forbidden(rules, p) ? gomoku_forbidden_points(rules, p, forbidden, NULL) : 0;
    return (size_t)(gomoku_cell_count(rules) - p->stones - illegal + may_pass(rules));
}

ply_move gomoku_nth(const ply_rules *rules, const void *position, size_t k)
{
    const gomoku_position *p = position;
    uint32_t forbidden[GOMOKU_MAX_SIDE];
    bool some = has_forbidden(rules, p) && gomoku_forbidden_points(rules, p, forbidden, NULL) > 0;
    for (int y = 0; y < gomoku_height(rules); y++) {
        uint64_t legal = legal_in_row(rules, p, y, some ? forbidden[y] : 0);
        size_t here = (size_t)ply_popcount(legal);
        if (k < here)
            return gomoku_move(gomoku_cell(ply_nth_bit(legal, (int)k) >> 1, y));
        k -= here;
    }
    assert(k == 0 && may_pass(rules));
    return GOMOKU_PASS;
}

static void play_pass(gomoku_position *p, gomoku_undo_info *undo)
{
    memcpy(undo, p, sizeof *undo);
    gomoku_count_pass(p);
}

/* Black plays a forbidden point under forbidden=loses, and loses. */
static void play_forbidden(const ply_rules *rules, gomoku_position *p, int cell,
                           enum gomoku_forbidden kind, gomoku_undo_info *undo)
{
    PLY_ISA_PICK(gomoku_kernels_of)->play(rules, p, cell, undo);
    gomoku_lose_by_forbidden(p, kind);
}

ply_status gomoku_play(const ply_rules *rules, void *position, ply_move move, void *undo)
{
    gomoku_position *p = position;
    if (move == GOMOKU_PASS) {
        play_pass(p, undo);
        return PLY_OK;
    }
    int cell = gomoku_move_cell(move);
    if (rules->option[GOMOKU_OPTION_FORBIDDEN] == GOMOKU_FORBIDDEN_LOSES &&
        p->side == GOMOKU_BLACK) {
        enum gomoku_forbidden kind = gomoku_forbidden_at(rules, p, cell);
        if (kind != GOMOKU_ALLOWED) {
            play_forbidden(rules, p, cell, kind, undo);
            return PLY_OK;
        }
    }
    PLY_ISA_PICK(gomoku_kernels_of)->play(rules, p, cell, undo);
    return PLY_OK;
}

void gomoku_undo(const ply_rules *rules, void *position, ply_move move, const void *undo)
{
    gomoku_position *p = position;
    memcpy(p, undo, sizeof(gomoku_undo_info));
    if (move == GOMOKU_PASS || move == PLY_MOVE_NONE)
        return;
    gomoku_clear_cell(p->lines, gomoku_width(rules), gomoku_height(rules), gomoku_move_cell(move));
}

int gomoku_side(const ply_rules *rules, const void *position)
{
    (void)rules;
    return ((const gomoku_position *)position)->side;
}

/* Whether every empty cell is forbidden and there is no pass. The first cell usually tells. */
static bool is_stuck(const ply_rules *rules, const gomoku_position *p)
{
    if (may_pass(rules) || !has_forbidden(rules, p))
        return false;
    for (int y = 0; y < gomoku_height(rules); y++)
        for (uint64_t empty = empty_in_row(rules, p, y); empty; empty &= empty - 1)
            if (!gomoku_forbidden_at(rules, p, gomoku_cell(ply_lowest(empty) >> 1, y)))
                return false;
    return true;
}

ply_outcome gomoku_outcome(const ply_rules *rules, const void *position, const void *undo_stack,
                           size_t plies)
{
    static const char *const lost_by[] = {"", "forbidden-double-three", "forbidden-double-four",
                                          "forbidden-overline"};
    (void)undo_stack;
    (void)plies;
    const gomoku_position *p = position;
    if (p->ended >= GOMOKU_LOST_BY_FORBIDDEN)
        return ply_outcome_win(GOMOKU_WHITE, lost_by[p->ended - GOMOKU_LOST_BY_FORBIDDEN]);
    if (p->ended)
        return ply_outcome_win(p->ended - GOMOKU_ROW_BLACK, "row");
    if (p->stones == gomoku_cell_count(rules))
        return (ply_outcome){PLY_DRAW, "board-full"};
    if (p->passes == 2)
        return (ply_outcome){PLY_DRAW, "passes"};
    if (is_stuck(rules, p))
        return ply_outcome_win(GOMOKU_WHITE, "no-move");
    return (ply_outcome){PLY_ONGOING, NULL};
}

uint64_t gomoku_hash(const ply_rules *rules, const void *position)
{
    (void)rules;
    return ((const gomoku_position *)position)->hash;
}

/* --- perft and playouts ---------------------------------------------------------------------- */
/* Whether neither player has enough stones to win before the last of `depth` plies. */
static bool cannot_end_before(const ply_rules *rules, const gomoku_position *p, int depth)
{
    int stones[2] = {0, 0};
    for (int y = 0; y < gomoku_height(rules); y++) {
        stones[0] += ply_popcount(p->lines[y] & GOMOKU_X_BITS);
        stones[1] += ply_popcount(p->lines[y] & GOMOKU_O_BITS);
    }
    stones[p->side] += depth / 2; /* the side to move makes the first of the depth - 1 plies */
    stones[!p->side] += (depth - 1) / 2;
    return stones[0] < gomoku_row(rules) && stones[1] < gomoku_row(rules);
}

uint64_t gomoku_perft(const ply_rules *rules, void *position, int depth, int mode)
{
    gomoku_position *p = position;
    if (depth == 1)
        return gomoku_count(rules, p);
    if (gomoku_is_over(rules, p))
        return 0;
    if (gomoku_rule_of(rules) != GOMOKU_RENJU && !may_pass(rules) &&
        cannot_end_before(rules, p, depth)) {
        uint64_t total = 1, empty = (uint64_t)(gomoku_cell_count(rules) - p->stones);
        for (int i = 0; i < depth; i++)
            total *= empty >= (uint64_t)i ? empty - (uint64_t)i : 0;
        return total;
    }
    ply_move moves[GOMOKU_MAX_CELLS + 1];
    gomoku_undo_info undo;
    uint64_t total = 0;
    size_t count = gomoku_moves(rules, p, moves);
    for (size_t i = 0; i < count; i++) {
        gomoku_play(rules, p, moves[i], &undo);
        total += gomoku_perft(rules, p, depth - 1, mode);
        gomoku_undo(rules, p, moves[i], &undo);
    }
    return total;
}

/*
 * With passes or forbidden points: draws an empty cell or the pass, and draws again if the cell is
 * forbidden, so every legal move is equally likely. gomoku_outcome has checked that there is one.
 */
static size_t playout_with_rejection(const ply_rules *rules, gomoku_position *p, ply_rng *rng,
                                     size_t max_plies, ply_outcome *outcome)
{
    ply_move moves[GOMOKU_MAX_CELLS + 1];
    gomoku_undo_info undo;
    size_t plies = 0, left = 0;
    for (int y = 0; y < gomoku_height(rules); y++)
        for (uint64_t empty = empty_in_row(rules, p, y); empty; empty &= empty - 1)
            moves[left++] = gomoku_move(gomoku_cell(ply_lowest(empty) >> 1, y));
    for (;; plies++) {
        *outcome = gomoku_outcome(rules, p, NULL, 0);
        if (outcome->result != PLY_ONGOING || plies >= max_plies)
            return plies;
        size_t k;
        do {
            k = ply_rng_below(rng, (uint32_t)(left + may_pass(rules)));
        } while (k < left && has_forbidden(rules, p) &&
                 gomoku_forbidden_at(rules, p, gomoku_move_cell(moves[k])));
        gomoku_play(rules, p, k < left ? moves[k] : GOMOKU_PASS, &undo);
        if (k < left)
            moves[k] = moves[--left];
    }
}

size_t gomoku_playout(const ply_rules *rules, void *position, ply_rng *rng, size_t max_plies,
                      ply_outcome *outcome)
{
    gomoku_position *p = position;
    if (may_pass(rules) || gomoku_rule_of(rules) == GOMOKU_RENJU || gomoku_is_over(rules, p))
        return playout_with_rejection(rules, p, rng, max_plies, outcome);
    size_t plies = PLY_ISA_PICK(gomoku_kernels_of)->playout(rules, p, rng, max_plies);
    *outcome = gomoku_outcome(rules, p, NULL, 0);
    return plies;
}
