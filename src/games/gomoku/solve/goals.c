/* SPDX-License-Identifier: MIT */
/* goals.c - the definitions of the goals, in plain code; see goals.h. */
#include "games/gomoku/solve/goals.h"

/* Lists the cells on which the colour wins at once, each once; returns the number. */
static int winning_cells(const ply_rules *rules, const gomoku_position *p, int colour, int *cells)
{
    int width = gomoku_width(rules), height = gomoku_height(rules), count = 0;
    for (int i = 0; i < gomoku_line_count(width, height); i++) {
        int length = gomoku_line_length(width, height, i);
        if (length < gomoku_row(rules))
            continue;
        gomoku_points g =
            gomoku_points_of(p->lines[i], length, gomoku_rule_of(rules), gomoku_row(rules));
        for (uint64_t w = g.five & (GOMOKU_X_BITS << colour); w; w &= w - 1) {
            int cell = gomoku_line_cell(width, height, i, ply_lowest(w) / 2), k = 0;
            while (k < count && cells[k] != cell)
                k++;
            cells[k] = cell;
            count += k == count;
        }
    }
    return count;
}

static bool is_caro(const ply_rules *rules)
{
    return gomoku_rule_of(rules) == GOMOKU_CARO || gomoku_rule_of(rules) == GOMOKU_CARO_OVERLINE;
}

static ply_goal_value value(const ply_rules *rules, const void *position, int attacker)
{
    ply_outcome outcome = gomoku_outcome(rules, position, NULL, 0);
    if (outcome.result == PLY_ONGOING)
        return PLY_GOAL_OPEN;
    return outcome.result == (attacker ? PLY_SECOND_WINS : PLY_FIRST_WINS) ? PLY_GOAL_REACHED
                                                                           : PLY_GOAL_MISSED;
}

/* Whether a legal move of the defender leaves the attacker unable to win with the next move. */
static bool defends(const ply_rules *rules, const gomoku_position *p, ply_move move,
                    const int *wins, int win_count)
{
    int cells[GOMOKU_MAX_CELLS];
    if (move == GOMOKU_PASS)
        return win_count == 0 || p->passes == 1; /* a second pass ends the game */
    int cell = gomoku_move_cell(move);
    if (gomoku_rule_of(rules) == GOMOKU_RENJU && p->side == GOMOKU_BLACK &&
        gomoku_forbidden_at(rules, p, cell) != GOMOKU_ALLOWED)
        return false; /* legal with forbidden=loses, and it loses */
    if (win_count == 0 || (win_count == 1 && cell == wins[0]))
        return true;
    uint64_t bytes[(sizeof(gomoku_position) + GOMOKU_MAX_LINES * sizeof(uint64_t)) / 8];
    gomoku_position *after = (gomoku_position *)bytes;
    gomoku_undo_info undo;
    ply_game_copy(rules, after, p);
    gomoku_play(rules, after, move, &undo);
    return after->ended || winning_cells(rules, after, !p->side, cells) == 0;
}

size_t gomoku_defences(const ply_rules *rules, const void *position, ply_move *out)
{
    const gomoku_position *p = position;
    int wins[GOMOKU_MAX_CELLS], own[GOMOKU_MAX_CELLS];
    int win_count = winning_cells(rules, p, !p->side, wins);
    size_t kept = 0, count = gomoku_moves(rules, p, out);
    if (win_count == 0 && gomoku_rule_of(rules) != GOMOKU_RENJU)
        return count;
    int own_count = win_count ? winning_cells(rules, p, p->side, own) : 0;
    for (size_t i = 0; i < count; i++) {
        bool may_help = win_count == 0 || is_caro(rules) || out[i] == GOMOKU_PASS ||
                        gomoku_move_cell(out[i]) == wins[0];
        for (int k = 0; k < own_count && !may_help; k++)
            may_help = gomoku_move_cell(out[i]) == own[k];
        /* Except in caro, where rows can be blocked from outside, no other stone stops a row. */
        if (may_help && defends(rules, p, out[i], wins, win_count))
            out[kept++] = out[i];
    }
    return kept;
}

/* --- which moves the attacker may play -------------------------------------------------------- */
/* Whether the move wins, or would win with one more stone. */
static bool makes_four(const ply_rules *rules, gomoku_position *p, ply_move move)
{
    int cells[GOMOKU_MAX_CELLS], attacker = p->side;
    gomoku_undo_info undo;
    if (move == GOMOKU_PASS)
        return false;
    gomoku_play(rules, p, move, &undo);
    bool four = p->ended == GOMOKU_ROW_BLACK + attacker ||
                (!p->ended && winning_cells(rules, p, attacker, cells) > 0);
    gomoku_undo(rules, p, move, &undo);
    return four;
}

/*
 * Whether the player to move wins by at most `fours` fours, the last of which cannot be answered.
 * Sets *cut when more fours might have helped.
 */
static bool wins_by_fours(const ply_rules *rules, gomoku_position *p, int fours, bool *cut,
                          ply_goal_effort *effort)
{
    int cells[GOMOKU_MAX_CELLS];
    if (!ply_goal_effort_spend(effort))
        return false;
    if (winning_cells(rules, p, p->side, cells) > 0)
        return true;
    ply_move moves[GOMOKU_MAX_CELLS + 1], answers[GOMOKU_MAX_CELLS + 1];
    size_t count = gomoku_moves(rules, p, moves);
    for (size_t i = 0; i < count; i++) {
        gomoku_undo_info first, second;
        if (!gomoku_is_noisy(rules, p, moves[i]) || !makes_four(rules, p, moves[i]))
            continue;
        if (fours == 0) {
            *cut = true;
            return false;
        }
        gomoku_play(rules, p, moves[i], &first);
        size_t answer_count = p->ended ? 0 : gomoku_defences(rules, p, answers);
        bool won = p->ended == GOMOKU_NOT_ENDED;
        for (size_t k = 0; k < answer_count && won; k++) {
            gomoku_play(rules, p, answers[k], &second);
            won = !p->ended && wins_by_fours(rules, p, fours - 1, cut, effort);
            gomoku_undo(rules, p, answers[k], &second);
        }
        gomoku_undo(rules, p, moves[i], &first);
        if (won)
            return true;
    }
    return false;
}

static bool vcf_allows(const ply_rules *rules, void *position, ply_move move,
                       ply_goal_effort *effort)
{
    (void)effort;
    return makes_four(rules, position, move);
}

static bool vct_allows(const ply_rules *rules, void *position, ply_move move,
                       ply_goal_effort *effort)
{
    gomoku_position *p = position;
    if (move == GOMOKU_PASS)
        return false;
    if (makes_four(rules, p, move))
        return true;
    gomoku_undo_info undo;
    bool wins = false, cut = true;
    gomoku_play(rules, p, move, &undo);
    p->side = (uint8_t)!p->side; /* as if the defender passed */
    for (int fours = 1; !p->ended && cut && !wins && !(effort && effort->exceeded); fours++) {
        cut = false;
        wins = wins_by_fours(rules, p, fours, &cut, effort);
    }
    gomoku_undo(rules, p, move, &undo);
    return wins;
}

/* --- winning sets ---------------------------------------------------------------------------- */
/* The empty cells of every window without a stone of the defender; see ply_goal. */
static int winning_sets(const ply_rules *rules, const void *position, int attacker,
                        uint64_t sets[PLY_GOAL_WINNING_SETS])
{
    static const int8_t steps[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
    const gomoku_position *p = position;
    int width = gomoku_width(rules), height = gomoku_height(rules), count = 0;
    /* A cell may be forbidden to Black as the defender. */
    if (width * height > 64 || (gomoku_rule_of(rules) == GOMOKU_RENJU && attacker == GOMOKU_WHITE))
        return -1;
    for (int start = 0; start < width * height; start++)
        for (int k = 0; k < 4; k++) {
            uint64_t cells = 0;
            int x = start % width, y = start / width, length = 0;
            for (; length < gomoku_row(rules); length++, x += steps[k][0], y += steps[k][1]) {
                if (x >= width || y < 0 || y >= height)
                    break;
                int colour = gomoku_at(p->lines, gomoku_cell(x, y));
                if (colour == !attacker)
                    break;
                if (colour != attacker)
                    cells |= (uint64_t)1 << (y * width + x);
            }
            /* A full window that has not won is part of an overline and never will. */
            if (length < gomoku_row(rules) || !cells)
                continue;
            if (count == PLY_GOAL_WINNING_SETS)
                return -1;
            sets[count++] = cells;
        }
    return count;
}

const ply_goal gomoku_goals[GOMOKU_GOALS] = {
    [GOMOKU_GOAL_VCF] = {.id = "vcf",
                         .help = "win by continuous fours",
                         .value = value,
                         .allows = vcf_allows,
                         .defences = gomoku_defences,
                         .solver = &gomoku_solver},
    [GOMOKU_GOAL_VCT] = {.id = "vct",
                         .help = "win by continuous threats: fours, and threats to win by fours",
                         .value = value,
                         .allows = vct_allows,
                         .defences = gomoku_defences,
                         .solver = &gomoku_solver},
    [GOMOKU_GOAL_WIN] = {.id = "win",
                         .help = "win, playing anything",
                         .value = value,
                         .defences = gomoku_defences,
                         .winning_sets = winning_sets,
                         .solver = &gomoku_solver},
};
