/* SPDX-License-Identifier: MIT */
/* threat_board.c - the solvers' board; see threat_board.h. */
#include "games/gomoku/rules/threat_board.h"
#include <string.h>

/* The cells of every line: rows, columns, and the diagonals, which grow and shrink again. */
static void set_board(gomoku_field *f)
{
    int diagonals = f->width + f->height - 1, shorter = gomoku_min(f->width, f->height);
    uint64_t *board = f->board;
    for (int y = 0; y < f->height; y++)
        *board++ = gomoku_line_mask(f->width);
    for (int x = 0; x < f->width; x++)
        *board++ = gomoku_line_mask(f->height);
    for (int i = 0; i < diagonals; i++) {
        int length = gomoku_min(gomoku_min(i + 1, diagonals - i), shorter);
        board[i] = board[i + diagonals] = gomoku_line_mask(length);
    }
}

void gomoku_field_init(gomoku_field *f, const ply_rules *rules, const gomoku_position *p,
                       gomoku_field_undo *undo)
{
    memset(f, 0, __builtin_offsetof(gomoku_field, word));
    f->undo = undo;
    f->rules = rules;
    f->width = gomoku_width(rules);
    f->height = gomoku_height(rules);
    f->row = gomoku_row(rules);
    f->rule = gomoku_rule_of(rules);
    f->line_count = gomoku_line_count(f->width, f->height);
    f->longer = f->rule == GOMOKU_FREESTYLE || f->rule == GOMOKU_CARO_OVERLINE ? ~(uint64_t)0
                : f->rule == GOMOKU_RENJU                                      ? GOMOKU_O_BITS
                                                                               : 0;
    f->caro = f->rule == GOMOKU_CARO || f->rule == GOMOKU_CARO_OVERLINE;
    f->update = PLY_ISA_PICK(gomoku_field_kernels_of)->update;
    f->stones = p->stones;
    f->hash = p->hash ^ gomoku_state_key(p->side, p->passes, p->ended);
    memcpy(f->word, p->lines, (size_t)f->line_count * sizeof f->word[0]);
    set_board(f);
    size_t bytes = (size_t)f->line_count * sizeof f->five[0];
    memset(f->five, 0, bytes);
    memset(f->four, 0, bytes);
    memset(f->straight, 0, bytes);
    memset(f->three, 0, bytes);
    memset(f->build, 0, bytes);
    /* In longer rows than three, a line with one stone has nothing to tell. */
    int lines[4], count = 0, least = f->row > 4 ? 2 : f->row > 3 ? 1 : 0;
    for (int i = 0; i < f->line_count; i++) {
        uint64_t word = f->word[i];
        if (least == 2 ? !(word & (word - 1)) : least == 1 && !word)
            continue;
        lines[count++] = i;
        if (count == 4) {
            f->update(f, lines);
            count = 0;
        }
    }
    for (int i = count; count > 0 && i < 4; i++)
        lines[i] = lines[0];
    if (count > 0)
        f->update(f, lines);
}

void gomoku_field_play(gomoku_field *f, int cell, int colour)
{
    gomoku_field_undo *u = &f->undo[f->depth++];
    gomoku_spot spot = gomoku_spot_of(f->width, f->height, cell);
#pragma GCC unroll 4
    for (int d = 0; d < GOMOKU_DIRECTIONS; d++) {
        int line = spot.line[d];
        u->line[d] = (uint16_t)line;
        u->shift[d] = (uint8_t)spot.shift[d];
        u->five[d] = f->five[line];
        u->four[d] = f->four[line];
        u->straight[d] = f->straight[line];
        u->three[d] = f->three[line];
        u->build[d] = f->build[line];
        f->word[line] |= (uint64_t)1 << (spot.shift[d] + colour);
    }
    memcpy(u->with_five, f->with_five, sizeof u->with_five);
    memcpy(u->with_four, f->with_four, sizeof u->with_four);
    u->hash = f->hash;
    u->cell = (uint16_t)cell;
    f->hash ^= gomoku_keys[colour][cell];
    f->stones++;
    f->update(f, spot.line);
}

void gomoku_field_undo_last(gomoku_field *f)
{
    const gomoku_field_undo *u = &f->undo[--f->depth];
#pragma GCC unroll 4
    for (int d = 0; d < GOMOKU_DIRECTIONS; d++) {
        int line = u->line[d];
        f->word[line] &= ~((uint64_t)3 << u->shift[d]);
        f->five[line] = u->five[d];
        f->four[line] = u->four[d];
        f->straight[line] = u->straight[d];
        f->three[line] = u->three[d];
        f->build[line] = u->build[d];
    }
    memcpy(f->with_five, u->with_five, sizeof u->with_five);
    memcpy(f->with_four, u->with_four, sizeof u->with_four);
    f->hash = u->hash;
    f->stones--;
}

/* Adds the cells of one line to a list without repeats; false when the list is full. */
static bool add_cells(const gomoku_field *f, int line, uint64_t bits, int *cells, int limit,
                      int *count)
{
    for (; bits; bits &= bits - 1) {
        int cell = gomoku_line_cell(f->width, f->height, line, ply_lowest(bits) / 2), k = 0;
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

int gomoku_field_fives(const gomoku_field *f, int colour, int *cells, int limit)
{
    int count = 0;
    for (int i = 0; i < GOMOKU_LINE_WORDS; i++)
        for (uint64_t set = f->with_five[colour].bits[i]; set; set &= set - 1) {
            int line = 64 * i + ply_lowest(set);
            if (!add_cells(f, line, f->five[line] & (GOMOKU_X_BITS << colour), cells, limit,
                           &count))
                return count;
        }
    return count;
}

int gomoku_field_fives_of_last(const gomoku_field *f, int colour, int *cells, int limit)
{
    const gomoku_field_undo *u = &f->undo[f->depth - 1];
    int count = 0;
    for (int d = 0; d < GOMOKU_DIRECTIONS; d++)
        if (!add_cells(f, u->line[d], f->five[u->line[d]] & (GOMOKU_X_BITS << colour), cells, limit,
                       &count))
            break;
    return count;
}

void gomoku_field_collect(const gomoku_field *f, const uint64_t *mask, int colour,
                          gomoku_cells *cells)
{
    for (int i = 0; i < f->line_count; i++)
        for (uint64_t bits = mask[i] & (GOMOKU_X_BITS << colour); bits; bits &= bits - 1)
            gomoku_cells_add(cells, gomoku_line_cell(f->width, f->height, i, ply_lowest(bits) / 2));
}

bool gomoku_field_marked(const gomoku_field *f, const uint64_t *mask, int cell, int colour)
{
    gomoku_spot spot = gomoku_spot_of(f->width, f->height, cell);
    for (int d = 0; d < GOMOKU_DIRECTIONS; d++)
        if (mask[spot.line[d]] >> (spot.shift[d] + colour) & 1)
            return true;
    return false;
}

/*
 * Whether Black's stone might be forbidden: it makes a four (there might be a second), threes in
 * two lines, or stands beside three of his own, without which there are no six.
 */
static bool is_suspect(const gomoku_field *f, int cell)
{
    enum { THREE_OWN = 0x15 };
    gomoku_spot spot = gomoku_spot_of(f->width, f->height, cell);
    int threes = 0;
    for (int d = 0; d < GOMOKU_DIRECTIONS; d++) {
        int line = spot.line[d], shift = spot.shift[d];
        uint64_t own = f->word[line] & GOMOKU_X_BITS;
        uint64_t after = own >> shift >> 2, before = shift >= 6 ? own >> (shift - 6) : 0;
        if ((f->four[line] >> shift & 1) || (after & THREE_OWN) == THREE_OWN ||
            (before & THREE_OWN) == THREE_OWN)
            return true;
        threes += (int)(f->three[line] >> shift & 1);
    }
    return threes >= 2;
}

bool gomoku_field_forbidden(gomoku_field *f, int cell, int colour)
{
    return f->rule == GOMOKU_RENJU && colour == GOMOKU_BLACK && is_suspect(f, cell) &&
           gomoku_judge(f->width, f->height, f->word, cell, NULL) != GOMOKU_ALLOWED;
}
