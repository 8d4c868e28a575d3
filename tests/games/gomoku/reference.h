/* SPDX-License-Identifier: MIT */
/*
 * reference.h - the forbidden points of renju by the book, for the tests.
 *
 * Written from the definitions of the Renju International Federation and nothing else: a plain
 * board with one character per point, on which stones are placed and removed and rows are followed
 * step by step. It shares no code and no method with src/games/gomoku.
 *
 *   five          exactly five black stones in an unbroken row
 *   overline      six or more in an unbroken row
 *   four          four stones in a line that become a five by adding one stone
 *   straight four four stones in an unbroken row that become a five in two ways
 *   three         three stones in a line that become a straight four by adding one stone, without
 *                 a five being made at the same time; the stone must be one Black may play
 */
#ifndef TESTS_GOMOKU_REFERENCE_H
#define TESTS_GOMOKU_REFERENCE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { REFERENCE_FRAME = 6, REFERENCE_SPAN = 32 + 2 * REFERENCE_FRAME };

typedef struct reference_board {
    int width, height;
    char points[REFERENCE_SPAN * REFERENCE_SPAN]; /* '.', 'X', 'O', or '#' off the board */
} reference_board;

static const int reference_steps[4] = {1, REFERENCE_SPAN, REFERENCE_SPAN + 1, REFERENCE_SPAN - 1};

static inline char *reference_at(reference_board *b, int x, int y)
{
    return &b->points[(y + REFERENCE_FRAME) * REFERENCE_SPAN + x + REFERENCE_FRAME];
}

static inline void reference_clear(reference_board *b, int width, int height)
{
    b->width = width;
    b->height = height;
    memset(b->points, '#', sizeof b->points);
    for (int y = 0; y < height; y++)
        memset(reference_at(b, 0, y), '.', (size_t)width);
}

/* The unbroken row of black stones through a stone: its ends and its length. */
typedef struct reference_row {
    char *first, *last;
    int length;
} reference_row;

static inline reference_row reference_row_through(char *stone, int step)
{
    reference_row row = {stone, stone, 1};
    for (; row.first[-step] == 'X'; row.first -= step)
        row.length++;
    for (; row.last[step] == 'X'; row.last += step)
        row.length++;
    return row;
}

/* Whether a black stone on an empty point makes a five in that direction that holds `with`. */
static inline bool reference_five_at(char *point, int step, const char *with)
{
    if (*point != '.')
        return false;
    *point = 'X';
    reference_row row = reference_row_through(point, step);
    *point = '.';
    if (row.length != 5)
        return false;
    for (char *c = row.first;; c += step) {
        if (c == with)
            return true;
        if (c == row.last)
            return false;
    }
}

/* The fours a stone is part of in one direction, each set of four stones once. */
static inline int reference_fours(char *stone, int step)
{
    char *sets[16][4];
    int count = 0;
    for (int i = -5; i <= 5; i++) {
        char *point = stone + i * step;
        if (!reference_five_at(point, step, stone))
            continue;
        *point = 'X';
        reference_row row = reference_row_through(point, step);
        *point = '.';
        char *set[4];
        int n = 0;
        for (int k = 0; k < 5; k++)
            if (row.first + k * step != point)
                set[n++] = row.first + k * step;
        bool known = false;
        for (int k = 0; k < count; k++)
            known = known || memcmp(sets[k], set, sizeof set) == 0;
        if (!known)
            memcpy(sets[count++], set, sizeof set);
    }
    return count;
}

static int reference_classify(char *point);

/* Whether the stone is part of a three in this direction. */
static inline bool reference_three(char *stone, int step)
{
    for (int i = -4; i <= 4; i++) {
        char *point = stone + i * step;
        if (i == 0 || *point != '.')
            continue;
        *point = 'X';
        reference_row row = reference_row_through(point, step);
        bool holds = false;
        for (int k = 0; k < row.length; k++)
            holds = holds || row.first + k * step == stone;
        bool straight = holds && row.length == 4 &&
                        reference_five_at(row.first - step, step, stone) &&
                        reference_five_at(row.last + step, step, stone);
        *point = '.';
        if (straight && reference_classify(point) == 0)
            return true;
    }
    return false;
}

/* Classifies a stone: -1 five, 0 allowed, 1 double three, 2 double four, 3 overline. */
static int reference_classify(char *point)
{
    bool five = false, overline = false;
    int fours = 0, threes = 0, kind = 0;
    *point = 'X';
    for (int d = 0; d < 4; d++) {
        int length = reference_row_through(point, reference_steps[d]).length;
        five = five || length == 5;
        overline = overline || length > 5;
    }
    for (int d = 0; d < 4 && !five && !overline; d++)
        fours += reference_fours(point, reference_steps[d]);
    for (int d = 0; d < 4 && !five && !overline && fours < 2; d++)
        threes += reference_three(point, reference_steps[d]);
    *point = '.';
    kind = five ? -1 : overline ? 3 : fours >= 2 ? 2 : threes >= 2 ? 1 : 0;
    return kind;
}

/* The same, with a five counted as allowed. */
static inline int reference_forbidden(reference_board *b, int x, int y)
{
    int kind = reference_classify(reference_at(b, x, y));
    return kind < 0 ? 0 : kind;
}

#endif
