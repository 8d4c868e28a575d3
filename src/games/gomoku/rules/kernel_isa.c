/* SPDX-License-Identifier: MIT */
/*
 * kernel_isa.c - play with the pattern totals updated, and plain playouts; compiled once per
 * instruction set.
 *
 * A segment is sixteen neighbouring cells of a line, in 32 bits. A stone changes only windows and
 * shapes near it, so where up to five win, one segment of each of its four lines is enough; before
 * and after the move these are the eight lanes of one vector, or of two. The windows of all lanes are
 * found at once (windows.h), and the difference between the lanes after and before is added to the
 * totals. Nothing is stored per line, so undo only restores the totals.
 */
#include "games/gomoku/rules/stones.h"
#include <string.h>
#if defined(__SSSE3__)
#include <immintrin.h>
#endif

#define INLINE static inline __attribute__((always_inline))

/* Compilers split vectors that are longer than the machine's badly. */
#if defined(__AVX2__)
enum { LANES = 8 };
#else
enum { LANES = 4 };
#endif
typedef uint32_t lanes __attribute__((vector_size(LANES * 4)));
typedef uint32_t quad __attribute__((vector_size(16)));
typedef int16_t shorts __attribute__((vector_size(16)));
typedef uint8_t bytes __attribute__((vector_size(16)));

#define T lanes
#define WINDOWS_SUFFIX _many
#define WINDOWS_X_BITS 0x55555555u
#include "games/gomoku/rules/windows.h"

/*
 * A window or a shape that begins at cell s depends on the cells s - 1 to s + row + 1. In a segment
 * of a longer line, STARTS are the cells at which they are complete for every row up to six: 1 to 8.
 */
enum { SEGMENT = 16, FIRST_START = 1, START_COUNT = 8, KINDS = 8 };
static const uint32_t starts = 0xFFFFu << (2 * FIRST_START), all_cells = ~0u;

/* The windows among those given that have that many own stones. In fewer than six cells, bits 1 and
 * 2 of the number are never both set. */
INLINE lanes with_stones(const windows_many *w, lanes among, const int stones, const int row)
{
    if (row == 6)
        return windows_with_many(w, among, stones);
    lanes high = stones & 4   ? among & w->fours
                 : stones & 2 ? among & w->twos
                              : among & ~(w->fours | w->twos);
    return stones & 1 ? high & w->ones : high & ~w->ones;
}

/* The windows and shapes in the order of gomoku_position.totals, marked where they begin. Returns
 * the rows, including those of longer ones. */
INLINE lanes kinds_of(lanes line, lanes board, const int row, lanes kinds[KINDS])
{
    windows_many w = windows_of_many(line, board, row);
    lanes exact = w.fit & ~((line << 2) | (line >> (2 * row)));
#pragma GCC unroll 4
    for (int missing = 0; missing < 4; missing++)
        kinds[missing] = missing < row ? with_stones(&w, exact, row - missing, row) : (lanes){0};
    lanes threes = windows_paired_many(kinds[2], w.empty, row);
    lanes at_end = (w.empty >> 2) | (w.empty >> (2 * (row - 1)));
    kinds[4] = windows_paired_many(kinds[1], w.empty, row);
    kinds[5] = threes & at_end;
    kinds[6] = threes & ~at_end;
    kinds[7] = row > 3 ? windows_paired_many(kinds[3], w.empty, row) : (lanes){0};
    return with_stones(&w, w.fit, row, row);
}

/* Counts the cells of each byte, four, that have the colour's bit. */
typedef struct cell_counts {
    lanes of[2];
} cell_counts;

INLINE cell_counts count_cells(lanes words)
{
#if defined(__AVX2__)
    /* By two cells: the number of X in the low half of a byte, of O in the high half. */
    const __m256i table =
        _mm256_setr_epi8(0x00, 0x01, 0x10, 0x11, 0x01, 0x02, 0x11, 0x12, 0x10, 0x11, 0x20, 0x21,
                         0x11, 0x12, 0x21, 0x22, 0x00, 0x01, 0x10, 0x11, 0x01, 0x02, 0x11, 0x12,
                         0x10, 0x11, 0x20, 0x21, 0x11, 0x12, 0x21, 0x22);
    lanes low = words & 0x0F0F0F0Fu, high = (words >> 4) & 0x0F0F0F0Fu;
    lanes both = (lanes)_mm256_shuffle_epi8(table, (__m256i)low) +
                 (lanes)_mm256_shuffle_epi8(table, (__m256i)high);
    return (cell_counts){{both & 0x0F0F0F0Fu, (both >> 4) & 0x0F0F0F0Fu}};
#else
    cell_counts counts;
    for (int colour = 0; colour < 2; colour++) {
        lanes cells = (words >> colour) & 0x55555555u;
        cells = (cells & 0x33333333u) + ((cells >> 2) & 0x33333333u);
        counts.of[colour] = (cells + (cells >> 4)) & 0x0F0F0F0Fu;
    }
    return counts;
#endif
}

/* --- count ----------------------------------------------------------------------------------- */
enum {
    MOST_SEGMENTS = 4 * GOMOKU_MAX_LINES, /* of all lines together */
    MOST_GROUPS = 60,                     /* 60 * 4 cells can be counted in a byte */
};

/* The lines as segments: whole lines if they fit, otherwise with START_COUNT starts each. */
typedef struct segments {
    uint32_t line[MOST_SEGMENTS + LANES], board[MOST_SEGMENTS + LANES];
    int count;
} segments;

static void cut_line(segments *s, uint64_t line, int length)
{
    uint64_t board = gomoku_line_mask(length);
    s->line[s->count] = (uint32_t)(line << (2 * FIRST_START));
    s->board[s->count++] = (uint32_t)(board << (2 * FIRST_START));
    for (int at = START_COUNT; at < length; at += START_COUNT) {
        s->line[s->count] = (uint32_t)(line >> (2 * (at - FIRST_START)));
        s->board[s->count++] = (uint32_t)(board >> (2 * (at - FIRST_START)));
    }
}

/* Lines that fit into a segment each. */
static void take_short_lines(segments *s, int width, int height, const uint64_t *lines)
{
    int diagonals = width + height - 1, shorter = gomoku_min(width, height);
    s->count = gomoku_line_count(width, height);
    for (int i = 0; i < s->count; i++)
        s->line[i] = (uint32_t)lines[i];
    for (int y = 0; y < height; y++)
        s->board[y] = (uint32_t)gomoku_line_mask(width);
    for (int x = 0; x < width; x++)
        s->board[height + x] = (uint32_t)gomoku_line_mask(height);
    uint32_t *left = s->board + height + width, *right = left + diagonals, board = 0;
    for (int d = 0; d < diagonals; d++) {
        if (d < shorter)
            board = board << 2 | 3;
        left[d] = right[d] = board;
        if (d >= diagonals - shorter)
            board >>= 2;
    }
}

INLINE void count_row(segments *s, uint32_t among, uint64_t totals[4], const int row)
{
    memset(totals, 0, 4 * sizeof totals[0]);
    memset(s->line + s->count, 0, LANES * sizeof s->line[0]);
    memset(s->board + s->count, 0, LANES * sizeof s->board[0]);
    for (int first = 0; first < s->count; first += LANES * MOST_GROUPS) {
        lanes sums[2][KINDS] = {0};
        int end = gomoku_min(s->count, first + LANES * MOST_GROUPS);
        for (int i = first; i < end; i += LANES) {
            lanes line, board, kinds[KINDS];
            memcpy(&line, s->line + i, sizeof line);
            memcpy(&board, s->board + i, sizeof board);
            kinds_of(line, board, row, kinds);
#pragma GCC unroll 8
            for (int kind = 0; kind < KINDS; kind++) {
                cell_counts counts = count_cells(kinds[kind] & among);
                sums[0][kind] += counts.of[0];
                sums[1][kind] += counts.of[1];
            }
        }
        for (int kind = 0; kind < KINDS; kind++)
            for (int colour = 0; colour < 2; colour++) {
                lanes sum = sums[colour][kind];
                sum = (sum & 0x00FF00FFu) + ((sum >> 8) & 0x00FF00FFu);
                uint64_t total = 0;
                for (int i = 0; i < LANES; i++)
                    total += (sum[i] & 0xFFFF) + (sum[i] >> 16);
                totals[(kind < 4 ? 0 : 2) + colour] += total << (16 * (kind % 4));
            }
    }
}

static void count(int width, int height, int row, const uint64_t *lines, uint64_t totals[4])
{
    segments s;
    s.count = 0;
    bool whole = width <= SEGMENT && height <= SEGMENT;
    uint32_t among = whole ? all_cells : starts;
    if (whole)
        take_short_lines(&s, width, height, lines);
    else
        for (int i = 0; i < gomoku_line_count(width, height); i++)
            cut_line(&s, lines[i], gomoku_line_length(width, height, i));
    switch (row) {
    case 3:
        count_row(&s, among, totals, 3);
        break;
    case 4:
        count_row(&s, among, totals, 4);
        break;
    case 5:
        count_row(&s, among, totals, 5);
        break;
    default:
        count_row(&s, among, totals, 6);
        break;
    }
}

/* --- play ------------------------------------------------------------------------------------ */
/* The windows and shapes that begin at the starts, two kinds to a word, counted by bytes. Returns
 * the rows, including those of longer ones. */
INLINE lanes count_kinds(lanes line, lanes board, const int row, cell_counts counts[KINDS / 2])
{
    lanes kinds[KINDS];
    lanes rows = kinds_of(line, board, row, kinds);
#pragma GCC unroll 4
    for (int i = 0; i < KINDS / 2; i++)
        counts[i] = count_cells((kinds[2 * i] & starts) >> (2 * FIRST_START) |
                                (kinds[2 * i + 1] & starts) << (16 - 2 * FIRST_START));
    return rows;
}

/* The counts after the move minus those before it. Returns the rows after the move. */
INLINE quad count_changes(quad before, quad after, quad board, const int row,
                          quad changes[2][KINDS / 2])
{
    cell_counts counts[2][KINDS / 2];
#if defined(__AVX2__)
    lanes rows =
        count_kinds(__builtin_shufflevector(before, after, 0, 1, 2, 3, 4, 5, 6, 7),
                    __builtin_shufflevector(board, board, 0, 1, 2, 3, 0, 1, 2, 3), row, counts[0]);
#define BEFORE(i, colour) \
    __builtin_shufflevector(counts[0][i].of[colour], counts[0][i].of[colour], 0, 1, 2, 3)
#define AFTER(i, colour) \
    __builtin_shufflevector(counts[0][i].of[colour], counts[0][i].of[colour], 4, 5, 6, 7)
    quad rows_after = __builtin_shufflevector(rows, rows, 4, 5, 6, 7);
#else
    count_kinds(before, board, row, counts[0]);
    quad rows_after = count_kinds(after, board, row, counts[1]);
#define BEFORE(i, colour) counts[0][i].of[colour]
#define AFTER(i, colour) counts[1][i].of[colour]
#endif
#pragma GCC unroll 4
    for (int i = 0; i < KINDS / 2; i++) {
        changes[0][i] = (quad)((bytes)AFTER(i, 0) - (bytes)BEFORE(i, 0));
        changes[1][i] = (quad)((bytes)AFTER(i, 1) - (bytes)BEFORE(i, 1));
    }
    return rows_after;
}

/* Adds up the lanes of four vectors byte by byte, then the two bytes of each half lane. */
INLINE shorts add_lanes(const quad v[4])
{
    quad low = (quad)((bytes)__builtin_shufflevector(v[0], v[1], 0, 4, 1, 5) +
                      (bytes)__builtin_shufflevector(v[0], v[1], 2, 6, 3, 7));
    quad high = (quad)((bytes)__builtin_shufflevector(v[2], v[3], 0, 4, 1, 5) +
                       (bytes)__builtin_shufflevector(v[2], v[3], 2, 6, 3, 7));
    shorts sums = (shorts)((bytes)__builtin_shufflevector(low, high, 0, 1, 4, 5) +
                           (bytes)__builtin_shufflevector(low, high, 2, 3, 6, 7));
    return ((sums << 8) >> 8) + (sums >> 8);
}

/* Adds what changes in four segments to the totals. Returns whether there is a row, or a longer one,
 * after the move. */
INLINE bool update_totals(uint64_t totals[4], quad before, quad after, quad board, const int row)
{
    quad changes[2][KINDS / 2];
    quad rows = count_changes(before, after, board, row, changes);
    shorts black = add_lanes(changes[0]), white = add_lanes(changes[1]);
    shorts now[2]; /* the windows, the shapes */
    memcpy(now, totals, sizeof now);
    now[0] += __builtin_shufflevector(black, white, 0, 1, 2, 3, 8, 9, 10, 11);
    now[1] += __builtin_shufflevector(black, white, 4, 5, 6, 7, 12, 13, 14, 15);
    memcpy(totals, now, sizeof now);
    uint64_t found[2];
    memcpy(found, &rows, sizeof found);
    return (found[0] | found[1]) != 0;
}

/* In segments, a stone is cell number PLACE. The cells that are on the board, by the number of cells
 * before and after it, up to PLACE; the cell after those does not matter. */
enum { PLACE = 7 };
#define BOARD(before, after) (~0u << (14 - 2 * (before)) & ~0u >> (16 - 2 * (after)))
#define BOARDS(before)                                                                            \
    {                                                                                             \
        BOARD(before, 0), BOARD(before, 1), BOARD(before, 2), BOARD(before, 3), BOARD(before, 4), \
            BOARD(before, 5), BOARD(before, 6), BOARD(before, 7)                                  \
    }
static const uint32_t board_near[PLACE + 1][PLACE + 1] = {
    BOARDS(0), BOARDS(1), BOARDS(2), BOARDS(3), BOARDS(4), BOARDS(5), BOARDS(6), BOARDS(7)};

/* The segment of a line around the cell whose lowest bit is `shift`. Of a line of more than 25
 * cells, it may also hold cells of the other end, which are not on its board. */
INLINE uint32_t segment_at(uint64_t line, int shift)
{
    int right = (shift - 2 * PLACE) & 63;
    return (uint32_t)(line >> right | line << (-right & 63));
}

/* Puts the stone on the lines and updates the totals. Returns whether there is a row, or a longer
 * one, in the lines. */
INLINE bool play_near(const ply_rules *rules, gomoku_position *p, int cell, const int row)
{
    int width = gomoku_width(rules), height = gomoku_height(rules), colour = p->side;
    gomoku_spot spot = gomoku_spot_of(width, height, cell);
    int left = gomoku_min(gomoku_x(cell), PLACE), right = width - 1 - gomoku_x(cell);
    int below = gomoku_min(gomoku_y(cell), PLACE), above = height - 1 - gomoku_y(cell);
    right = gomoku_min(right, PLACE);
    above = gomoku_min(above, PLACE);
    quad board = {board_near[left][right], board_near[below][above],
                  board_near[gomoku_min(below, right)][gomoku_min(left, above)],
                  board_near[gomoku_min(below, left)][gomoku_min(right, above)]};
    uint32_t near[GOMOKU_DIRECTIONS];
#pragma GCC unroll 4
    for (int d = 0; d < GOMOKU_DIRECTIONS; d++) {
        uint64_t *line = &p->lines[spot.line[d]], word = *line;
        near[d] = segment_at(word, spot.shift[d]);
        *line = word | (uint64_t)1 << (spot.shift[d] + colour);
    }
    quad before = (quad){near[0], near[1], near[2], near[3]} & board;
    quad after = before | (uint32_t)1 << (2 * PLACE + colour);
    return update_totals(p->totals, before, after, board, row);
}

/* The totals of the four lines of a cell where six win. */
static void count_lines_of(const ply_rules *rules, const gomoku_position *p, int cell,
                           uint64_t totals[4])
{
    int width = gomoku_width(rules), height = gomoku_height(rules);
    gomoku_spot spot = gomoku_spot_of(width, height, cell);
    segments s;
    s.count = 0;
    for (int d = 0; d < GOMOKU_DIRECTIONS; d++)
        cut_line(&s, p->lines[spot.line[d]], gomoku_line_length(width, height, spot.line[d]));
    count_row(&s, starts, totals, 6);
}

/* The same where six win: a stone changes more than a segment can show. */
static bool play_six(const ply_rules *rules, gomoku_position *p, int cell)
{
    uint64_t before[4], after[4];
    count_lines_of(rules, p, cell, before);
    gomoku_set_cell(p->lines, gomoku_width(rules), gomoku_height(rules), cell, p->side);
    count_lines_of(rules, p, cell, after);
    for (int i = 0; i < 4; i++)
        p->totals[i] += after[i] - before[i];
    return true;
}

/* Whether the colour wins by a row in one of the lines of a cell. */
static __attribute__((noinline)) bool has_won(const ply_rules *rules, const gomoku_position *p,
                                              int cell, int colour)
{
    return gomoku_wins_at(p->lines, gomoku_width(rules), gomoku_height(rules), cell, colour,
                          gomoku_rule_of(rules), gomoku_row(rules));
}

INLINE void play_row(const ply_rules *rules, gomoku_position *p, int cell, const int row)
{
    int colour = p->side;
    bool rows = row == 6 ? play_six(rules, p, cell) : play_near(rules, p, cell, row);
    gomoku_count_stone(p, cell, __builtin_expect(rows, 0) && has_won(rules, p, cell, colour));
}

static __attribute__((noinline)) void play_five(const ply_rules *rules, gomoku_position *p,
                                                int cell)
{
    play_row(rules, p, cell, 5);
}

static void play(const ply_rules *rules, gomoku_position *p, int cell, gomoku_undo_info *undo)
{
    memcpy(undo, p, sizeof *undo);
    int row = gomoku_row(rules);
    if (row == 5)
        play_five(rules, p, cell);
    else if (row == 3)
        play_row(rules, p, cell, 3);
    else if (row == 4)
        play_row(rules, p, cell, 4);
    else
        play_row(rules, p, cell, 6);
}

/* --- playouts without passes or forbidden points --------------------------------------------- */
/* The empty cells; there is room for GOMOKU_MAX_SIDE more. */
static size_t list_empty(const gomoku_position *p, int width, int height, uint16_t *cells)
{
    size_t count = 0;
    for (int y = 0; y < height; y++) {
        if (p->lines[y] == 0) {
            for (int x = 0; x < GOMOKU_MAX_SIDE; x++)
                cells[count + (size_t)x] = (uint16_t)gomoku_cell(x, y);
            count += (size_t)width;
            continue;
        }
        for (int x = 0; x < width; x++) {
            cells[count] = (uint16_t)gomoku_cell(x, y);
            count += ((p->lines[y] >> (2 * x)) & 3) == 0;
        }
    }
    return count;
}

INLINE size_t play_out(gomoku_position *p, int width, int height, ply_rng *rng, size_t max_plies,
                       const enum gomoku_rule rule, const int row, const bool short_lines)
{
    uint16_t cells[GOMOKU_MAX_CELLS + GOMOKU_MAX_SIDE];
    uint64_t left = list_empty(p, width, height, cells), hash = p->hash;
    uint64_t *columns = p->lines + height, *lefts = columns + width;
    uint64_t *rights = lefts + 2 * width + height - 2; /* of the cell x = 0, y = 0 */
    size_t plies = 0;
    int colour = p->side;
    ply_rng r = *rng;
    while (left > 0 && plies < max_plies) {
        uint32_t k = ply_rng_below(&r, (uint32_t)left);
        unsigned cell = cells[k], x = cell & 31, y = cell >> 5;
        cells[k] = cells[--left];
        uint64_t stone = (uint64_t)1 << colour;
        unsigned mirrored = (unsigned)width - 1 - x;
        uint64_t a = p->lines[y] |= stone << (2 * x);
        uint64_t b = columns[x] |= stone << (2 * y);
        uint64_t c = lefts[x + y] |= stone << (2 * (y < mirrored ? y : mirrored));
        uint64_t d = rights[(int)y - (int)x] |= stone << (2 * (y < x ? y : x));
        hash ^= gomoku_keys[colour][cell];
        plies++;
        /* Two lines of up to fifteen cells, with an empty cell between them, fit into one word. */
        uint64_t rows = short_lines ? gomoku_line_wins(a | b << 32, colour, rule, row) |
                                          gomoku_line_wins(c | d << 32, colour, rule, row)
                                    : gomoku_line_wins(a, colour, rule, row) |
                                          gomoku_line_wins(b, colour, rule, row) |
                                          gomoku_line_wins(c, colour, rule, row) |
                                          gomoku_line_wins(d, colour, rule, row);
        colour ^= 1;
        if (rows) {
            p->ended = (uint8_t)(GOMOKU_ROW_BLACK + !colour);
            break;
        }
    }
    *rng = r;
    if (plies > 0) {
        p->hash = hash ^ gomoku_state_key(p->side, p->passes, 0) ^ gomoku_state_key(colour, 0, 0);
        p->passes = 0;
        p->side = (uint8_t)colour;
        p->stones = (uint16_t)(p->stones + plies);
        count(width, height, row, p->lines, p->totals);
    }
    return plies;
}

static size_t playout(const ply_rules *rules, gomoku_position *p, ply_rng *rng, size_t max_plies)
{
    int width = gomoku_width(rules), height = gomoku_height(rules), row = gomoku_row(rules);
    enum gomoku_rule rule = gomoku_rule_of(rules);
    bool short_lines = width < SEGMENT && height < SEGMENT;
    if (row == 5 && rule == GOMOKU_FREESTYLE && short_lines)
        return play_out(p, width, height, rng, max_plies, GOMOKU_FREESTYLE, 5, true);
    if (row == 5 && rule == GOMOKU_FREESTYLE)
        return play_out(p, width, height, rng, max_plies, GOMOKU_FREESTYLE, 5, false);
    if (row == 5 && rule == GOMOKU_STANDARD && short_lines)
        return play_out(p, width, height, rng, max_plies, GOMOKU_STANDARD, 5, true);
    return play_out(p, width, height, rng, max_plies, rule, row, false);
}

extern const gomoku_kernels PLY_ISA(gomoku_kernels_of);
const gomoku_kernels PLY_ISA(gomoku_kernels_of) = {
    .play = play, .count = count, .playout = playout};
