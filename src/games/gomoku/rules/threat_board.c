/* SPDX-License-Identifier: MIT */
/* threat_board.c - the board of the solvers; see threat_board.h. */
#include "games/gomoku/rules/threat_board.h"
#include <string.h>

/* Rows, columns, and the diagonals, which grow and then shrink. */
static void set_line_masks(gomoku_threat_board *b)
{
    int diagonals = b->width + b->height - 1, shorter = gomoku_min(b->width, b->height);
    uint64_t *mask = b->line_mask;
    for (int y = 0; y < b->height; y++)
        *mask++ = gomoku_line_mask(b->width);
    for (int x = 0; x < b->width; x++)
        *mask++ = gomoku_line_mask(b->height);
    for (int i = 0; i < diagonals; i++) {
        int length = gomoku_min(gomoku_min(i + 1, diagonals - i), shorter);
        mask[i] = mask[i + diagonals] = gomoku_line_mask(length);
    }
}

void gomoku_threat_board_init(gomoku_threat_board *b, const ply_rules *rules,
                              const gomoku_position *p, gomoku_threat_undo *undo)
{
    memset(b, 0, __builtin_offsetof(gomoku_threat_board, word));
    b->undo = undo;
    b->rules = rules;
    b->width = gomoku_width(rules);
    b->height = gomoku_height(rules);
    b->row = gomoku_row(rules);
    b->rule = gomoku_rule_of(rules);
    b->line_count = gomoku_line_count(b->width, b->height);
    b->longer = b->rule == GOMOKU_FREESTYLE || b->rule == GOMOKU_CARO_OVERLINE ? ~(uint64_t)0
                : b->rule == GOMOKU_RENJU                                      ? GOMOKU_O_BITS
                                                                               : 0;
    b->caro = b->rule == GOMOKU_CARO || b->rule == GOMOKU_CARO_OVERLINE;
    b->update = PLY_ISA_PICK(gomoku_threat_kernels_of)->update;
    b->stones = p->stones;
    b->hash = p->hash ^ gomoku_state_key(p->side, p->passes, p->ended);
    memcpy(b->word, p->lines, (size_t)b->line_count * sizeof b->word[0]);
    set_line_masks(b);
    size_t bytes = (size_t)b->line_count * sizeof b->five[0];
    memset(b->five, 0, bytes);
    memset(b->four, 0, bytes);
    memset(b->straight, 0, bytes);
    memset(b->three, 0, bytes);
    memset(b->build, 0, bytes);
    /* Unless three in a row win, a line with a single stone marks nothing. */
    int lines[4], count = 0, min_stones = b->row > 4 ? 2 : b->row > 3 ? 1 : 0;
    for (int i = 0; i < b->line_count; i++) {
        uint64_t word = b->word[i];
        if (min_stones == 2 ? !(word & (word - 1)) : min_stones == 1 && !word)
            continue;
        lines[count++] = i;
        if (count == 4) {
            b->update(b, lines);
            count = 0;
        }
    }
    for (int i = count; count > 0 && i < 4; i++)
        lines[i] = lines[0];
    if (count > 0)
        b->update(b, lines);
}

void gomoku_threat_board_play(gomoku_threat_board *b, int cell, int colour)
{
    gomoku_threat_undo *u = &b->undo[b->depth++];
    gomoku_spot spot = gomoku_spot_of(b->width, b->height, cell);
#pragma GCC unroll 4
    for (int d = 0; d < GOMOKU_DIRECTIONS; d++) {
        int line = spot.line[d];
        u->line[d] = (uint16_t)line;
        u->shift[d] = (uint8_t)spot.shift[d];
        u->five[d] = b->five[line];
        u->four[d] = b->four[line];
        u->straight[d] = b->straight[line];
        u->three[d] = b->three[line];
        u->build[d] = b->build[line];
        b->word[line] |= (uint64_t)1 << (spot.shift[d] + colour);
    }
    memcpy(u->with_five, b->with_five, sizeof u->with_five);
    memcpy(u->with_four, b->with_four, sizeof u->with_four);
    u->hash = b->hash;
    u->cell = (uint16_t)cell;
    b->hash ^= gomoku_keys[colour][cell];
    b->stones++;
    b->update(b, spot.line);
}

void gomoku_threat_board_undo(gomoku_threat_board *b)
{
    const gomoku_threat_undo *u = &b->undo[--b->depth];
#pragma GCC unroll 4
    for (int d = 0; d < GOMOKU_DIRECTIONS; d++) {
        int line = u->line[d];
        b->word[line] &= ~((uint64_t)3 << u->shift[d]);
        b->five[line] = u->five[d];
        b->four[line] = u->four[d];
        b->straight[line] = u->straight[d];
        b->three[line] = u->three[d];
        b->build[line] = u->build[d];
    }
    memcpy(b->with_five, u->with_five, sizeof u->with_five);
    memcpy(b->with_four, u->with_four, sizeof u->with_four);
    b->hash = u->hash;
    b->stones--;
}

/* Adds the cells of one line to a list without repeats; false when the list is full. */
static bool add_cells(const gomoku_threat_board *b, int line, uint64_t bits, int *cells, int limit,
                      int *count)
{
    for (; bits; bits &= bits - 1) {
        int cell = gomoku_line_cell(b->width, b->height, line, ply_lowest(bits) / 2), k = 0;
        while (k < *count && cells[k] != cell)
            k++;
        if (k < *count)
            continue;
        cells[(*count)++] = cell;
        if (*count == limit)
            return false;
    }
    return true;
}

int gomoku_threat_board_fives(const gomoku_threat_board *b, int colour, int *cells, int limit)
{
    int count = 0;
    for (int i = 0; i < GOMOKU_LINE_WORDS; i++)
        for (uint64_t set = b->with_five[colour].bits[i]; set; set &= set - 1) {
            int line = 64 * i + ply_lowest(set);
            if (!add_cells(b, line, b->five[line] & (GOMOKU_X_BITS << colour), cells, limit,
                           &count))
                return count;
        }
    return count;
}

int gomoku_threat_board_fives_of_last(const gomoku_threat_board *b, int colour, int *cells,
                                      int limit)
{
    const gomoku_threat_undo *u = &b->undo[b->depth - 1];
    int count = 0;
    for (int d = 0; d < GOMOKU_DIRECTIONS; d++)
        if (!add_cells(b, u->line[d], b->five[u->line[d]] & (GOMOKU_X_BITS << colour), cells, limit,
                       &count))
            break;
    return count;
}

void gomoku_threat_board_collect(const gomoku_threat_board *b, const uint64_t *mask, int colour,
                                 gomoku_cells *cells)
{
    for (int i = 0; i < b->line_count; i++)
        for (uint64_t bits = mask[i] & (GOMOKU_X_BITS << colour); bits; bits &= bits - 1)
            gomoku_cells_add(cells, gomoku_line_cell(b->width, b->height, i, ply_lowest(bits) / 2));
}

bool gomoku_threat_board_marked(const gomoku_threat_board *b, const uint64_t *mask, int cell,
                                int colour)
{
    gomoku_spot spot = gomoku_spot_of(b->width, b->height, cell);
    for (int d = 0; d < GOMOKU_DIRECTIONS; d++)
        if (mask[spot.line[d]] >> (spot.shift[d] + colour) & 1)
            return true;
    return false;
}

/*
 * A quick necessary condition for a forbidden point: the stone makes a four (there might be a
 * second), makes threes in two lines, or is next to three black stones, without which there is no
 * overline.
 */
static bool may_be_forbidden(const gomoku_threat_board *b, int cell)
{
    enum { THREE_OWN = 0x15 };
    gomoku_spot spot = gomoku_spot_of(b->width, b->height, cell);
    int threes = 0;
    for (int d = 0; d < GOMOKU_DIRECTIONS; d++) {
        int line = spot.line[d], shift = spot.shift[d];
        uint64_t own = b->word[line] & GOMOKU_X_BITS;
        uint64_t after = own >> shift >> 2, before = shift >= 6 ? own >> (shift - 6) : 0;
        if ((b->four[line] >> shift & 1) || (after & THREE_OWN) == THREE_OWN ||
            (before & THREE_OWN) == THREE_OWN)
            return true;
        threes += (int)(b->three[line] >> shift & 1);
    }
    return threes >= 2;
}

bool gomoku_threat_board_forbidden(gomoku_threat_board *b, int cell, int colour)
{
    return b->rule == GOMOKU_RENJU && colour == GOMOKU_BLACK && may_be_forbidden(b, cell) &&
           gomoku_classify(b->width, b->height, b->word, cell, NULL) != GOMOKU_ALLOWED;
}
