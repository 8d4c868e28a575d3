/* SPDX-License-Identifier: MIT */
/*
 * connect_four.c - Connect Four on a 7x6 board, in two 64-bit words.
 *
 * Each column takes seven bits, bottom first; the seventh stays empty, so that shifts by 1, 6, 7
 * and 8 never connect the top of one column with the bottom of the next.
 *
 *      6 13 20 27 34 41 48   always empty
 *      5 12 19 26 33 40 47
 *      4 11 18 25 32 39 46
 *      3 10 17 24 31 38 45
 *      2  9 16 23 30 37 44
 *      1  8 15 22 29 36 43
 *      0  7 14 21 28 35 42
 *      a  b  c  d  e  f  g
 *
 * A move is a column: 1 for a to 7 for g.
 */
#include "connect_four.h"
#include <string.h>

enum { COLUMNS = 7, ROWS = 6, STRIDE = ROWS + 1 };

typedef struct position {
    uint64_t discs[2]; /* of player 0 (red, who starts) and of player 1 (yellow) */
} position;
_Static_assert(sizeof(position) == 16, "two words");

/* --- the board ------------------------------------------------------------------------------ */
static uint64_t bottom(int column)
{
    return (uint64_t)1 << column * STRIDE;
}

static uint64_t column_mask(int column)
{
    return (((uint64_t)1 << ROWS) - 1) << column * STRIDE;
}

static uint64_t occupied(const position *p)
{
    return p->discs[0] | p->discs[1];
}

static int side(const ply_rules *rules, const void *at)
{
    const position *p = at;
    (void)rules;
    return __builtin_popcountll(p->discs[0]) > __builtin_popcountll(p->discs[1]);
}

/* Whether a set of discs has four in a row. */
static bool has_four(uint64_t discs)
{
    static const int directions[] = {1, STRIDE - 1, STRIDE, STRIDE + 1};
    for (int i = 0; i < 4; i++) {
        uint64_t pairs = discs & discs >> directions[i];
        if (pairs & pairs >> 2 * directions[i])
            return true;
    }
    return false;
}

/* --- the rules ------------------------------------------------------------------------------ */
static ply_status setup(ply_rules *rules, ply_error *error)
{
    (void)error;
    rules->position_bytes = sizeof(position);
    rules->undo_bytes = sizeof(position); /* the position before the move */
    rules->max_moves = COLUMNS;
    return PLY_OK;
}

static ply_status start(const ply_rules *rules, void *at)
{
    (void)rules;
    memset(at, 0, sizeof(position));
    return PLY_OK;
}

static size_t moves(const ply_rules *rules, const void *at, ply_move *out)
{
    const position *p = at;
    size_t count = 0;
    if (has_four(p->discs[!side(rules, at)]))
        return 0;
    for (int column = 0; column < COLUMNS; column++)
        if ((occupied(p) & column_mask(column)) != column_mask(column))
            out[count++] = (ply_move)column + 1;
    return count;
}

static ply_status play(const ply_rules *rules, void *at, ply_move move, ply_undo *undo)
{
    position *p = at;
    int column = (int)move - 1, player = side(rules, at);
    memcpy(undo, p, sizeof *p);
    /* Adding the bottom bit carries through the discs of the column to its lowest free cell. */
    p->discs[player] |= (occupied(p) + bottom(column)) & column_mask(column) & ~occupied(p);
    return PLY_OK;
}

static void undo_move(const ply_rules *rules, void *at, ply_move move, const ply_undo *undo)
{
    (void)rules;
    (void)move;
    memcpy(at, undo, sizeof(position));
}

static ply_outcome outcome(const ply_rules *rules, const void *at, const ply_undo *undo_stack,
                           size_t plies)
{
    const position *p = at;
    int last = !side(rules, at);
    (void)undo_stack; /* nothing repeats in this game */
    (void)plies;
    if (has_four(p->discs[last]))
        return ply_outcome_win(last, "row");
    if (__builtin_popcountll(occupied(p)) == COLUMNS * ROWS)
        return (ply_outcome){PLY_DRAW, "full"};
    return (ply_outcome){PLY_ONGOING, NULL};
}

static uint64_t hash(const ply_rules *rules, const void *at)
{
    const position *p = at;
    (void)rules;
    ply_rng mixer = ply_rng_make(p->discs[0], p->discs[1]);
    return ply_rng_next(&mixer);
}

/* --- text: rows from the top, r and y for discs: ......./......./......./......./......./...r... */
static void format(const ply_rules *rules, const void *at, ply_text *out)
{
    const position *p = at;
    (void)rules;
    for (int row = ROWS - 1; row >= 0; row--) {
        for (int column = 0; column < COLUMNS; column++) {
            uint64_t cell = bottom(column) << row;
            ply_text_char(out, p->discs[0] & cell ? 'r' : p->discs[1] & cell ? 'y' : '.');
        }
        if (row > 0)
            ply_text_char(out, '/');
    }
}

/* What the rules say of a position that somebody typed; NULL if it is fine. */
static const char *fault(const ply_rules *rules, const position *p)
{
    int more = __builtin_popcountll(p->discs[0]) - __builtin_popcountll(p->discs[1]);
    if (more != 0 && more != 1)
        return "red must have as many discs as yellow, or one more";
    for (int column = 0; column < COLUMNS; column++) {
        uint64_t discs = occupied(p) & column_mask(column);
        if (discs & (discs + bottom(column)))
            return "a disc has nothing below it";
    }
    return has_four(p->discs[side(rules, p)]) ? "the player to move has already won" : NULL;
}

static ply_status parse(const ply_rules *rules, void *at, ply_cursor *cursor)
{
    position *p = at;
    memset(p, 0, sizeof *p);
    for (int row = ROWS - 1; row >= 0; row--) {
        for (int column = 0; column < COLUMNS; column++) {
            int c = ply_cursor_peek(cursor);
            if (c == 'r' || c == 'y')
                p->discs[c == 'y'] |= bottom(column) << row;
            else if (c != '.')
                return ply_cursor_fail(cursor, PLY_BAD_TEXT, "expected r, y or . for a cell");
            ply_cursor_take(cursor);
        }
        if (row > 0 && !ply_cursor_accept(cursor, '/'))
            return ply_cursor_fail(cursor, PLY_BAD_TEXT, "expected / after %d cells", COLUMNS);
    }
    const char *wrong = fault(rules, p);
    return wrong ? ply_cursor_fail(cursor, PLY_BAD_POSITION, "%s", wrong) : PLY_OK;
}

static void format_move(const ply_rules *rules, const void *at, ply_move move, ply_text *out)
{
    (void)rules;
    (void)at;
    ply_text_char(out, (char)('a' + (int)move - 1));
}

static ply_status parse_move(const ply_rules *rules, const void *at, ply_cursor *cursor,
                             ply_move *move)
{
    ply_move legal[COLUMNS];
    size_t count = moves(rules, at, legal);
    int c = ply_cursor_peek(cursor);
    if (c < 'a' || c >= 'a' + COLUMNS)
        return ply_cursor_fail(cursor, PLY_BAD_TEXT, "a move is a column from a to g");
    *move = (ply_move)(c - 'a' + 1);
    for (size_t i = 0; i < count; i++)
        if (legal[i] == *move) {
            ply_cursor_take(cursor);
            return PLY_OK;
        }
    return ply_cursor_fail(cursor, PLY_ILLEGAL_MOVE, "column %c is full or the game is over", c);
}

/* --- search: central columns first, and discs near the centre are worth more ------------------- */
static int32_t evaluate(const ply_rules *rules, const void *at)
{
    static const int worth[COLUMNS] = {3, 4, 5, 7, 5, 4, 3};
    const position *p = at;
    int us = side(rules, at);
    int32_t sum = 0;
    for (int column = 0; column < COLUMNS; column++)
        sum += worth[column] * (__builtin_popcountll(p->discs[us] & column_mask(column)) -
                                __builtin_popcountll(p->discs[!us] & column_mask(column)));
    return sum;
}

static void score_moves(const ply_rules *rules, const void *at, const ply_move *list, size_t count,
                        int32_t *scores)
{
    (void)rules;
    (void)at;
    for (size_t i = 0; i < count; i++)
        scores[i] = list[i] <= 4 ? (int32_t)list[i] : 8 - (int32_t)list[i];
}

static const ply_search_hooks search = {.evaluate = evaluate, .score_moves = score_moves};

/* --- the description ------------------------------------------------------------------------ */
static const ply_variant variants[] = {{.id = "standard", .name = "Connect Four"}};

const ply_game connect_four_game = {
    .id = "connect-four",
    .name = "Connect Four",
    .summary = "Drop discs into columns; four in a row win",
    .player_names = {"Red", "Yellow"},
    .variants = variants,
    .variant_count = 1,
    .setup = setup,
    .start = start,
    .parse = parse,
    .format = format,
    .moves = moves,
    .play = play,
    .undo = undo_move,
    .side = side,
    .outcome = outcome,
    .hash = hash,
    .compute_hash = hash,
    .format_move = format_move,
    .parse_move = parse_move,
    .search = &search,
};
