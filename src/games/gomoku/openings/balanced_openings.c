/* SPDX-License-Identifier: MIT */
/*
 * balanced_openings.c - openings that leave a game to be played.
 *
 * Stones thrown on the board at random decide a game more often than not, above all for Black.
 * These were drawn by tools/gomoku-openings and judged even by a search under the rule they are
 * for. They stand in the middle 9x9 of 15x15 and move along with the centre of other boards.
 */
#include "games/gomoku/gomoku.h"

enum { SIDE = 15, SMALLEST = 11 };

static const struct {
    enum gomoku_rule rule;
    const char *moves;
} starts[] = {
#include "games/gomoku/openings/balanced_openings.inc"
};

enum { STARTS = sizeof starts / sizeof starts[0] };

static bool has_starts(const ply_rules *rules)
{
    return gomoku_row(rules) == 5 && gomoku_width(rules) >= SMALLEST &&
           gomoku_height(rules) >= SMALLEST;
}

size_t gomoku_start_count(const ply_rules *rules)
{
    size_t count = 0;
    for (size_t i = 0; i < STARTS && has_starts(rules); i++)
        count += starts[i].rule == gomoku_rule_of(rules);
    return count;
}

/* Cells are read from a list of our own, such as "h8 i10". */
static void shift_moves(const ply_rules *rules, const char *list, ply_text *moves)
{
    int right = (gomoku_width(rules) - SIDE) / 2, up = (gomoku_height(rules) - SIDE) / 2;
    for (const char *at = list; *at;) {
        int x = *at++ - 'a', y = 0;
        while (*at >= '0' && *at <= '9')
            y = 10 * y + *at++ - '0';
        gomoku_format_cell(gomoku_cell(x + right, y - 1 + up), moves);
        if (*at == ' ')
            ply_text_char(moves, *at++);
    }
}

ply_status gomoku_start_line(const ply_rules *rules, size_t i, ply_text *name, ply_text *position,
                             ply_text *moves)
{
    (void)name, (void)position; /* they have no names and begin on the empty board */
    if (!has_starts(rules))
        return PLY_LIMIT;
    for (size_t k = 0; k < STARTS; k++)
        if (starts[k].rule == gomoku_rule_of(rules) && i-- == 0) {
            shift_moves(rules, starts[k].moves, moves);
            return PLY_OK;
        }
    return PLY_LIMIT;
}
