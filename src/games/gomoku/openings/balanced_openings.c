/* SPDX-License-Identifier: MIT */
/*
 * balanced_openings.c - openings that give both players a fair game.
 *
 * A few random stones decide most games, usually in Black's favour. The openings listed here were
 * drawn by tools/gomoku-openings, and a search under the rule they are for judged them balanced.
 * They lie in the central 9x9 of a 15x15 board and move with the centre on boards of other sizes.
 */
#include "games/gomoku/gomoku.h"

enum { LISTED_SIDE = 15, MIN_SIDE = 11 };

static const struct {
    enum gomoku_rule rule;
    const char *moves;
} openings[] = {
#include "games/gomoku/openings/balanced_openings.inc"
};

enum { OPENINGS = sizeof openings / sizeof openings[0] };

static bool has_openings(const ply_rules *rules)
{
    return gomoku_row(rules) == 5 && gomoku_width(rules) >= MIN_SIDE &&
           gomoku_height(rules) >= MIN_SIDE;
}

size_t gomoku_opening_count(const ply_rules *rules)
{
    size_t count = 0;
    for (size_t i = 0; i < OPENINGS && has_openings(rules); i++)
        count += openings[i].rule == gomoku_rule_of(rules);
    return count;
}

/* Moves a list such as "h8 i10" from the listed board to the centre of this one. */
static void shift_moves(const ply_rules *rules, const char *list, ply_text *moves)
{
    int right = (gomoku_width(rules) - LISTED_SIDE) / 2;
    int up = (gomoku_height(rules) - LISTED_SIDE) / 2;
    for (const char *at = list; *at;) {
        int x = *at++ - 'a', y = 0;
        while (*at >= '0' && *at <= '9')
            y = 10 * y + *at++ - '0';
        gomoku_format_cell(gomoku_cell(x + right, y - 1 + up), moves);
        if (*at == ' ')
            ply_text_char(moves, *at++);
    }
}

ply_status gomoku_opening_get(const ply_rules *rules, size_t i, ply_text *name, ply_text *position,
                              ply_text *moves)
{
    (void)name, (void)position; /* no names, and all begin on the empty board */
    if (!has_openings(rules))
        return PLY_LIMIT;
    for (size_t k = 0; k < OPENINGS; k++)
        if (openings[k].rule == gomoku_rule_of(rules) && i-- == 0) {
            shift_moves(rules, openings[k].moves, moves);
            return PLY_OK;
        }
    return PLY_LIMIT;
}
