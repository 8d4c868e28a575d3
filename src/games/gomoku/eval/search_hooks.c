/* SPDX-License-Identifier: MIT */
/*
 * search_hooks.c - the search hooks: candidate moves, forced wins.
 *
 * Where a threat must be answered, the moves left out lose by force: the opponent makes a five or a
 * straight four whatever they are (gomoku_vcf_zone). Elsewhere only the moves near stones that score
 * best are candidates; that is a heuristic, though a good one. Fours and threes are noisy: the
 * search neither reduces nor prunes them, since the answer to them is all but forced.
 */
#include "games/gomoku/eval/search_board.h"
#include "games/gomoku/solve/goals.h"
#include "games/gomoku/solve/vcf.h"
#include <string.h>

enum {
    LEAF_NODES = 24,     /* nodes of such a search at the leaves; doubled per step of effort */
    MAX_EFFORT = 5,      /* at most that many times */
    DEFENCE_NODES = 100, /* the same for the opponent's fours */
    MAX_CANDIDATES = 20, /* the number of cells tried where nothing is forced */
};

void gomoku_null_move(const ply_rules *rules, void *position, void *undo)
{
    (void)rules;
    gomoku_position *p = position;
    memcpy(undo, p, sizeof(gomoku_undo_info));
    p->hash ^= gomoku_state_key(1, 0, 0) ^ gomoku_state_key(0, 0, 0);
    p->side = (uint8_t)!p->side;
}

/* --- threats --------------------------------------------------------------------------------- */
bool gomoku_board_in_check(const ply_rules *rules, const void *position, void *board)
{
    (void)rules;
    const gomoku_position *p = position;
    const gomoku_search_board *b = board;
    return gomoku_lines_any(&b->threats.with_five[!p->side]);
}

bool gomoku_in_check(const ply_rules *rules, const void *position)
{
    const gomoku_position *p = position;
    gomoku_threat_board threats;
    gomoku_threat_board_init(&threats, rules, p, NULL);
    return gomoku_lines_any(&threats.with_five[!p->side]);
}

ply_move gomoku_board_find_win(const ply_rules *rules, const void *position, void *board,
                               int effort, int *plies, uint64_t *nodes)
{
    (void)rules;
    const gomoku_position *p = position;
    gomoku_search_board *b = board;
    const gomoku_threat_board *threats = &b->threats;
    int five[1];
    if (gomoku_threat_board_fives(threats, p->side, five, 1)) {
        *plies = 1;
        return gomoku_move(five[0]);
    }
    if (!gomoku_lines_any(&threats->with_four[p->side]))
        return PLY_MOVE_NONE;
    uint64_t most = (uint64_t)LEAF_NODES << (effort > MAX_EFFORT ? MAX_EFFORT
                                             : effort < 0        ? 0
                                                                 : effort);
    uint64_t before = b->fours.nodes;
    gomoku_verdict verdict = gomoku_vcf_solve(&b->fours, p->side, GOMOKU_VCF_PLIES - 3, most);
    *nodes += b->fours.nodes - before;
    if (verdict != GOMOKU_WIN)
        return PLY_MOVE_NONE;
    *plies = b->fours.plies;
    return gomoku_move(b->fours.variation[0]);
}

ply_move gomoku_find_win(const ply_rules *rules, const void *position, int effort, int *plies,
                         uint64_t *nodes)
{
    gomoku_fixed_board fixed;
    gomoku_search_board_init(rules, position, 0, &fixed);
    return gomoku_board_find_win(rules, position, &fixed, effort, plies, nodes);
}

/* --- candidates ------------------------------------------------------------------------------ */
/*
 * Values of a five, a straight four, a four, a three and a build. What a stone makes for its player
 * counts more than what it denies the opponent. A score is four times the sum, so NOISY makes a
 * move noisy. A three comes before a four: fours that lead to a win are found elsewhere, and the
 * others are better kept.
 */
enum {
    NOISY = PLY_CANDIDATE_NOISY / 4,
    CENTRE = 2 * (GOMOKU_MAX_SIDE - 1) * (GOMOKU_MAX_SIDE - 1) / 64
};
static const struct {
    int32_t own, enemy;
} level_values[8] = {
    {0, 0},       {10, 7},          {35, 25},           {60, 40}, {NOISY + 1500, 700},
    {NOISY, 800}, {1 << 17, NOISY}, {1 << 20, 1 << 19},
};

static int32_t value_of_cell(const gomoku_search_board *b, int side, int cell)
{
    unsigned own = b->codes[side * GOMOKU_MAX_CELLS + cell];
    unsigned enemy = b->codes[!side * GOMOKU_MAX_CELLS + cell];
    int32_t value = 0;
    for (int d = 0; d < GOMOKU_DIRECTIONS; d++, own >>= 3, enemy >>= 3)
        value += level_values[own & 7].own + level_values[enemy & 7].enemy;
    return value;
}

/* The empty cells one or two steps from a stone along a line; the centre of an empty board. */
static void find_near(const gomoku_threat_board *b, gomoku_cells *near)
{
    uint32_t empty[GOMOKU_MAX_SIDE], stones[GOMOKU_MAX_SIDE + 4] = {0};
    uint32_t full = b->width == 32 ? UINT32_MAX : ((uint32_t)1 << b->width) - 1;
    memset(near, 0, sizeof *near);
    for (int y = 0; y < b->height; y++) {
        empty[y] = gomoku_threat_board_empty_in_row(b, y);
        stones[y + 2] = ~empty[y] & full;
    }
    for (int y = 0; y < b->height; y++) {
        const uint32_t *s = stones + y + 2;
        uint32_t next = s[-1] | s[1], second = s[-2] | s[2];
        near->rows[y] = (s[0] << 1 | s[0] >> 1 | s[0] << 2 | s[0] >> 2 | next | next << 1 |
                         next >> 1 | second | second << 2 | second >> 2) &
                        empty[y];
    }
    if (b->stones == 0)
        gomoku_cells_add(near, gomoku_cell(b->width / 2, b->height / 2));
}

/*
 * The cells worth considering: exactly those that do not lose to fours, or else those near stones.
 * Returns true in the first case, where no cell may be dropped.
 */
static bool find_useful(gomoku_search_board *board, int side, gomoku_cells *useful)
{
    gomoku_threat_board *b = &board->threats;
    int fives[4], count = gomoku_threat_board_fives(b, side, fives, 1);
    memset(useful, 0, sizeof *useful);
    if (count == 0 && !b->caro)
        count = gomoku_threat_board_fives(b, !side, fives, 2);
    if (count > 0) {
        gomoku_cells_add(useful, fives[0]);
        return true;
    }
    find_near(b, useful);
    if (b->caro || !gomoku_lines_any(&b->with_four[!side]))
        return false;
    if (gomoku_vcf_solve(&board->fours, !side, GOMOKU_VCF_PLIES - 3, DEFENCE_NODES) != GOMOKU_WIN)
        return false;
    gomoku_cells own = {0};
    gomoku_vcf_zone(&board->fours, !side, useful);
    gomoku_threat_board_collect(b, b->four, side, &own);
    for (int y = 0; y < b->height; y++)
        useful->rows[y] |= own.rows[y];
    return true;
}

/* The score of number `rank` when the scores, which are reordered, are sorted from the best. */
static int32_t score_of_rank(int32_t *scores, size_t count, size_t rank)
{
    size_t low = 0, high = count - 1;
    while (low < high) {
        int32_t pivot = scores[low + (high - low) / 2];
        size_t i = low, k = high;
        for (;; i++, k--) {
            while (scores[i] > pivot)
                i++;
            while (scores[k] < pivot)
                k--;
            if (i >= k)
                break;
            int32_t swap = scores[i];
            scores[i] = scores[k];
            scores[k] = swap;
        }
        if (rank <= k)
            high = k;
        else
            low = k + 1;
    }
    return scores[low];
}

/* Keeps the best candidates in their order; of equal ones, the first. */
static size_t keep_best(ply_move *moves, int32_t *scores, size_t count)
{
    int32_t copy[GOMOKU_MAX_CELLS];
    if (count <= MAX_CANDIDATES)
        return count;
    memcpy(copy, scores, count * sizeof copy[0]);
    int32_t least = score_of_rank(copy, count, MAX_CANDIDATES - 1);
    size_t better = 0, kept = 0;
    for (size_t i = 0; i < count; i++)
        better += scores[i] > least;
    size_t equals = MAX_CANDIDATES - better;
    for (size_t i = 0; i < count; i++) {
        if (scores[i] < least || (scores[i] == least && equals == 0))
            continue;
        equals -= scores[i] == least;
        moves[kept] = moves[i];
        scores[kept++] = scores[i];
    }
    return kept;
}

size_t gomoku_board_candidates(const ply_rules *rules, const void *position, void *board,
                               ply_move *out, int32_t *scores)
{
    const gomoku_position *p = position;
    gomoku_search_board *b = board;
    if (gomoku_is_over(rules, p))
        return 0;
    gomoku_threat_board *threats = &b->threats;
    gomoku_cells useful;
    size_t count = 0;
    bool exact = find_useful(b, p->side, &useful);
    for (int y = 0; y < threats->height; y++)
        for (uint32_t row = useful.rows[y]; row; row &= row - 1) {
            int x = ply_lowest(row), cell = gomoku_cell(x, y);
            if (gomoku_threat_board_forbidden(threats, cell, p->side))
                continue;
            int off = 2 * x - (threats->width - 1), up = 2 * y - (threats->height - 1);
            /* Ties go to the cell nearer the centre; never negative, or a four would not be noisy. */
            scores[count] =
                4 * value_of_cell(b, p->side, cell) + CENTRE - (off * off + up * up) / 64;
            out[count++] = gomoku_move(cell);
        }
    if (count > 0)
        return exact ? count : keep_best(out, scores, count);
    count = gomoku_moves(rules, p, out); /* nothing helps, or everything that does is forbidden */
    memset(scores, 0, count * sizeof scores[0]);
    return count;
}

size_t gomoku_candidates(const ply_rules *rules, const void *position, ply_move *out,
                         int32_t *scores)
{
    gomoku_fixed_board fixed;
    gomoku_search_board_init(rules, position, 0, &fixed);
    return gomoku_board_candidates(rules, position, &fixed, out, scores);
}
