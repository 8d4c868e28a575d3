/* SPDX-License-Identifier: MIT */
/*
 * search_hooks.c - the search hooks: evaluation, candidate moves, forced wins.
 *
 * The evaluation is a weighted sum of the pattern totals that play maintains (gomoku.h), so
 * evaluating a leaf costs next to nothing. A shape has one weight for the player to move, who can
 * still use it, and another for the opponent, whose threats can still be stopped.
 *
 * Where a threat must be answered, the moves left out lose by force: the opponent makes a five or a
 * straight four whatever they are (gomoku_vcf_zone). Elsewhere only the moves near stones that score
 * best are candidates; that is a heuristic, though a good one. Fours and threes are noisy: the
 * search neither reduces nor prunes them, since the answer to them is all but forced.
 */
#include "games/gomoku/solve/goals.h"
#include "games/gomoku/solve/vcf.h"
#include <string.h>

const int16_t gomoku_weights[GOMOKU_WEIGHTS] = {
#include "games/gomoku/eval/weights.inc"
};

const char *const gomoku_weight_names[GOMOKU_WEIGHTS] = {
    "to move",          "own four to complete", "own straight four",   "own simple four",
    "own three",        "own open three",       "own broken three",    "own two",
    "own open two",     "enemy four",           "enemy straight four", "enemy three",
    "enemy open three", "enemy broken three",   "enemy two",           "enemy open two",
    "threes of both",
};

enum {
    BORROWED_CELLS = 2 * GOMOKU_MAX_CELLS,
    MAX_PLIES = 64,      /* stones that a search for fours may add */
    LEAF_NODES = 24,     /* nodes of such a search at the leaves; doubled per step of effort */
    MAX_EFFORT = 5,      /* at most that many times */
    DEFENCE_NODES = 100, /* the same for the opponent's fours */
    MAX_CANDIDATES = 20, /* the number of cells tried where nothing is forced */
};

/* Counts the features, in the order of the weights. */
static void count_features(const gomoku_position *p, int32_t *counts)
{
    gomoku_shapes own = gomoku_shapes_of(p, p->side), enemy = gomoku_shapes_of(p, !p->side);
    int32_t all[GOMOKU_WEIGHTS] = {
        1,
        own.four > 0,
        own.straight_four,
        own.simple_four,
        own.three,
        own.open_three,
        own.broken_three,
        own.two,
        own.open_two,
        enemy.four > 0,
        enemy.straight_four > 0,
        enemy.three,
        enemy.open_three,
        enemy.broken_three,
        enemy.two,
        enemy.open_two,
        (own.open_three + own.broken_three) * (enemy.open_three + enemy.broken_three) > 0,
    };
    memcpy(counts, all, sizeof all);
}

int32_t gomoku_evaluate(const ply_rules *rules, const void *position)
{
    (void)rules;
    int32_t counts[GOMOKU_WEIGHTS], value = 0;
    count_features(position, counts);
    for (int i = 0; i < GOMOKU_WEIGHTS; i++)
        value += counts[i] * gomoku_weights[i];
    return value;
}

size_t gomoku_terms(const ply_rules *rules, const void *position, ply_term *out)
{
    (void)rules;
    int32_t counts[GOMOKU_WEIGHTS];
    size_t count = 0;
    count_features(position, counts);
    for (uint32_t i = 0; i < GOMOKU_WEIGHTS; i++)
        if (counts[i])
            out[count++] = (ply_term){i, counts[i] * PLY_TERM_ONE};
    return count;
}

void gomoku_null_move(const ply_rules *rules, void *position, void *undo)
{
    (void)rules;
    gomoku_position *p = position;
    memcpy(undo, p, sizeof(gomoku_undo_info));
    p->hash ^= gomoku_state_key(1, 0, 0) ^ gomoku_state_key(0, 0, 0);
    p->side = (uint8_t)!p->side;
}

/* --- threats --------------------------------------------------------------------------------- */
/* Whether the colour can win at once. The totals leave out windows that give an overline; where an
 * overline wins, they are searched. */
static bool has_five(const ply_rules *rules, const gomoku_position *p, int colour)
{
    if ((p->totals[colour] >> 16 & 0xFFFF) > 0)
        return true;
    enum gomoku_rule rule = gomoku_rule_of(rules);
    if (rule == GOMOKU_STANDARD || rule == GOMOKU_CARO ||
        (rule == GOMOKU_RENJU && colour == GOMOKU_BLACK))
        return false;
    int row = gomoku_row(rules),
        count = gomoku_line_count(gomoku_width(rules), gomoku_height(rules));
    if (row == 5 && rule != GOMOKU_CARO_OVERLINE)
        return PLY_ISA_PICK(gomoku_kernels_of)->has_joining_cell(p->lines, count, colour);
    for (int i = 0; i < count; i++) {
        /* Five of six cells include three neighbours, three of four cells include two. */
        uint64_t own = (p->lines[i] >> colour) & GOMOKU_X_BITS, run = own & (own >> 2);
        if (!(row < 5 ? run : run & (own >> 4)))
            continue;
        int length = gomoku_line_length(gomoku_width(rules), gomoku_height(rules), i);
        if (gomoku_points_of(p->lines[i], length, rule, row).five & (GOMOKU_X_BITS << colour))
            return true;
    }
    return false;
}

bool gomoku_in_check(const ply_rules *rules, const void *position)
{
    const gomoku_position *p = position;
    return has_five(rules, p, !p->side);
}

ply_move gomoku_find_win(const ply_rules *rules, const void *position, int effort, int *plies,
                         uint64_t *nodes)
{
    const gomoku_position *p = position;
    gomoku_shapes own = gomoku_shapes_of(p, p->side);
    /* Fours come from windows with three stones; at the leaves a single one is not searched. */
    if (own.four + own.three + own.straight_four < (effort > 0 ? 1 : 2) &&
        !has_five(rules, p, p->side))
        return PLY_MOVE_NONE;
    gomoku_threat_board board;
    gomoku_threat_undo undo[MAX_PLIES];
    gomoku_vcf fours;
    uint16_t cells[BORROWED_CELLS];
    gomoku_threat_board_init(&board, rules, p, undo);
    gomoku_vcf_init_borrowed(&fours, &board, cells, BORROWED_CELLS);
    uint64_t most = (uint64_t)LEAF_NODES << (effort > MAX_EFFORT ? MAX_EFFORT
                                             : effort < 0        ? 0
                                                                 : effort);
    gomoku_verdict verdict = gomoku_vcf_solve(&fours, p->side, MAX_PLIES - 3, most);
    *nodes += fours.nodes;
    if (verdict != GOMOKU_WIN)
        return PLY_MOVE_NONE;
    *plies = fours.plies;
    if (fours.variation_length > 0)
        return gomoku_move(fours.variation[0]);
    int five[1];
    gomoku_threat_board_fives(&board, p->side, five, 1);
    return gomoku_move(five[0]);
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
} shape_values[5] = {
    {1 << 20, 1 << 19}, {1 << 17, NOISY}, {NOISY, 800}, {NOISY + 1500, 700}, {60, 40}};

static void add_value(const gomoku_threat_board *b, int line, uint64_t bits, int32_t score,
                      int32_t *at)
{
    for (; bits; bits &= bits - 1)
        at[gomoku_line_cell(b->width, b->height, line, ply_lowest(bits) / 2)] += score;
}

static void score_cells(const gomoku_threat_board *b, int side, int32_t *at)
{
    uint64_t own = GOMOKU_X_BITS << side, enemy = ~own;
    for (int i = 0; i < b->line_count; i++) {
        const uint64_t masks[5] = {b->five[i], b->straight[i], b->four[i], b->three[i],
                                   b->build[i]};
        if (!(masks[0] | masks[2] | masks[4] | masks[3]))
            continue;
        for (int k = 0; k < 5; k++) {
            if (!masks[k])
                continue;
            add_value(b, i, masks[k] & own, shape_values[k].own, at);
            add_value(b, i, masks[k] & enemy, shape_values[k].enemy, at);
        }
    }
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
static bool find_useful(gomoku_threat_board *b, int side, gomoku_cells *useful)
{
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
    gomoku_vcf fours;
    uint16_t cells[BORROWED_CELLS];
    gomoku_vcf_init_borrowed(&fours, b, cells, BORROWED_CELLS);
    if (gomoku_vcf_solve(&fours, !side, MAX_PLIES - 3, DEFENCE_NODES) != GOMOKU_WIN)
        return false;
    gomoku_cells own = {0};
    gomoku_vcf_zone(&fours, !side, useful);
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

size_t gomoku_candidates(const ply_rules *rules, const void *position, ply_move *out,
                         int32_t *scores)
{
    const gomoku_position *p = position;
    if (gomoku_is_over(rules, p))
        return 0;
    gomoku_threat_board board;
    gomoku_threat_undo undo[MAX_PLIES];
    gomoku_cells useful;
    int32_t at[GOMOKU_MAX_CELLS];
    size_t count = 0;
    gomoku_threat_board_init(&board, rules, p, undo);
    bool exact = find_useful(&board, p->side, &useful);
    for (int y = 0; y < board.height; y++)
        memset(at + gomoku_cell(0, y), 0, (size_t)board.width * sizeof at[0]);
    score_cells(&board, p->side, at);
    for (int y = 0; y < board.height; y++)
        for (uint32_t row = useful.rows[y]; row; row &= row - 1) {
            int x = ply_lowest(row), cell = gomoku_cell(x, y);
            if (gomoku_threat_board_forbidden(&board, cell, p->side))
                continue;
            int off = 2 * x - (board.width - 1), up = 2 * y - (board.height - 1);
            /* Ties go to the cell nearer the centre; never negative, or a four would not be noisy. */
            scores[count] = 4 * at[cell] + CENTRE - (off * off + up * up) / 64;
            out[count++] = gomoku_move(cell);
        }
    if (count > 0)
        return exact ? count : keep_best(out, scores, count);
    count = gomoku_moves(rules, p, out); /* nothing helps, or everything that does is forbidden */
    memset(scores, 0, count * sizeof scores[0]);
    return count;
}
