/* SPDX-License-Identifier: MIT */
/*
 * test_public.c - <plyverse/gomoku.h>: the numbers of the design note, and lines, patterns and
 * counts against a plain board with one character per cell.
 */
#include "support/support.h"
#include <plyverse/gomoku.h>
#include <string.h>

/* The cells of a line from the note's text, which has the first cell on the right. */
static uint64_t cells(const char *text)
{
    uint64_t word = 0;
    for (; *text; text++)
        if (*text == '0' || *text == '1')
            word = word << 1 | (uint64_t)(*text - '0');
    return word;
}

static void test_note_line(void **state)
{
    (void)state;
    assert_int_equal(cells("01 10 10 01 00 00 10 01"), 26889);
    assert_int_equal(26889, 0x6909);
    uint64_t lines[GOMOKU_MAX_LINES] = {0};
    static const char row[] = "XO  XOOX";
    for (int x = 0; x < 8; x++)
        if (row[x] != ' ')
            gomoku_set_cell(lines, 8, 8, gomoku_cell(x, 3), row[x] == 'O');
    assert_int_equal(lines[3], 0x6909);
    for (int x = 0; x < 8; x++)
        assert_int_equal(gomoku_at(lines, gomoku_cell(x, 3)), row[x] == ' ' ? -1 : row[x] == 'O');
}

/* The note's indices of the lines of an 8x8 board: where each direction begins and ends. */
static void test_note_indices(void **state)
{
    (void)state;
    static const int first[4] = {0, 8, 16, 31}, last[4] = {7, 15, 30, 45};
    int low[4] = {99, 99, 99, 99}, high[4] = {-1, -1, -1, -1};
    assert_int_equal(gomoku_line_count(8, 8), 46);
    for (int y = 0; y < 8; y++)
        for (int x = 0; x < 8; x++) {
            gomoku_spot spot = gomoku_spot_of(8, 8, gomoku_cell(x, y));
            for (int d = 0; d < 4; d++) {
                low[d] = spot.line[d] < low[d] ? spot.line[d] : low[d];
                high[d] = spot.line[d] > high[d] ? spot.line[d] : high[d];
            }
        }
    assert_memory_equal(low, first, sizeof low);
    assert_memory_equal(high, last, sizeof high);
    /* Only four lines have five cells: two left diagonals and two right ones. */
    int fives = 0;
    for (int i = 0; i < 46; i++)
        fives += gomoku_line_length(8, 8, i) == 5;
    assert_int_equal(fives, 4);
}

/* The four matches of the note: pattern, line AND mask, XOR. */
static void test_note_matches(void **state)
{
    (void)state;
    uint64_t line = cells("01 10 01 10 10 00 10 00");
    assert_int_equal(line, 0x6688);
    gomoku_pattern prefix = gomoku_pattern_make((uint32_t)cells("01 10 10 10 10 10"), 6);
    assert_int_equal(prefix.mask, cells("11 11 11 11 11 11"));
    assert_int_equal(line & prefix.mask, cells("01 10 10 00 10 00"));
    assert_int_equal(gomoku_pattern_difference(prefix, line, 0), cells("00 00 00 10 00 10"));
    assert_false(gomoku_pattern_matches(prefix, GOMOKU_PREFIX, line, 8, 0));
    /* The note moves the pattern up, we move the line down: the same bits, two cells lower. */
    gomoku_pattern suffix = gomoku_pattern_make((uint32_t)cells("10 10 10 10 10 01"), 6);
    assert_int_equal((uint64_t)suffix.mask << 4, cells("11 11 11 11 11 11 00 00"));
    assert_int_equal(line & (uint64_t)suffix.mask << 4, cells("01 10 01 10 10 00 00 00"));
    assert_int_equal(gomoku_pattern_difference(suffix, line, 2) << 4,
                     cells("11 00 11 00 00 01 00 00"));
    assert_false(gomoku_pattern_matches(suffix, GOMOKU_SUFFIX, line, 8, 2));
    gomoku_pattern infix = gomoku_pattern_make((uint32_t)cells("00 10 10 10 10 10 00"), 7);
    assert_int_equal(line >> 2 & infix.mask, cells("01 10 01 10 10 00 10"));
    assert_int_equal(gomoku_pattern_difference(infix, line, 1), cells("01 00 11 00 00 10 10"));
    assert_false(gomoku_pattern_matches(infix, GOMOKU_INFIX, line, 8, 1));
    gomoku_pattern exact = gomoku_pattern_make((uint32_t)cells("10 10 10 10 10"), 5);
    line = cells("01 10 01 10 10");
    assert_int_equal(gomoku_pattern_difference(exact, line, 0), cells("11 00 11 00 00"));
    assert_false(gomoku_pattern_matches(exact, GOMOKU_EXACT, line, 5, 0));
    /* And each pattern matches where it is. */
    assert_true(gomoku_pattern_matches(prefix, GOMOKU_PREFIX, 0x26AA, 8, 0));
    assert_true(gomoku_pattern_matches(suffix, GOMOKU_SUFFIX, 0xAA98, 8, 2));
    assert_true(gomoku_pattern_matches(infix, GOMOKU_INFIX, 0x2AA1, 8, 1));
    assert_true(gomoku_pattern_matches(exact, GOMOKU_EXACT, 0x2AA, 5, 0));
}

/* The patterns for fives that the note lists, in its order. */
static void test_note_fives(void **state)
{
    (void)state;
    static const char *const fives[GOMOKU_ANCHORS][4] = {
        {"00 10 10 10 10 10", "01 10 10 10 10 10"},
        {"10 10 10 10 10 00", "10 10 10 10 10 01"},
        {"00 10 10 10 10 10 00", "00 10 10 10 10 10 01", "01 10 10 10 10 10 00",
         "01 10 10 10 10 10 01"},
        {"10 10 10 10 10"},
    };
    for (int a = 0; a < GOMOKU_ANCHORS; a++) {
        gomoku_pattern_list list = gomoku_patterns(5, GOMOKU_WHITE, (gomoku_anchor)a, 0);
        int listed = 0;
        for (; listed < 4 && fives[a][listed]; listed++) {
            assert_int_equal(list.patterns[listed].bits, cells(fives[a][listed]));
            assert_int_equal(list.patterns[listed].cells * 3 - 1, strlen(fives[a][listed]));
        }
        assert_int_equal(list.count, listed);
    }
}

/* --- against a plain board ------------------------------------------------------------------- */
enum { MARGIN = 1, SPAN = GOMOKU_MAX_SIDE + 2 * MARGIN };
typedef struct plain_board {
    int width, height;
    char points[SPAN][SPAN]; /* '.', 'X', 'O', or '#' off the board; [y][x] */
} plain_board;

static const int steps[4][2] = {{1, 0}, {0, 1}, {-1, 1}, {1, 1}}; /* x, y */

static char at(const plain_board *b, int x, int y)
{
    bool on = x >= 0 && x < b->width && y >= 0 && y < b->height;
    return on ? b->points[y][x] : '#';
}

/* A board with random stones, and the lines made of them. */
static plain_board random_board(ply_rng *rng, uint64_t *lines)
{
    plain_board b;
    b.width = 5 + (int)ply_rng_below(rng, 28);
    b.height = 5 + (int)ply_rng_below(rng, 28);
    memset(lines, 0, GOMOKU_MAX_LINES * sizeof lines[0]);
    uint32_t density = 3 + ply_rng_below(rng, 5);
    for (int y = 0; y < b.height; y++)
        for (int x = 0; x < b.width; x++) {
            uint32_t c = ply_rng_below(rng, density);
            b.points[y][x] = c == 0 ? 'X' : c == 1 ? 'O' : '.';
            if (c < 2)
                gomoku_set_cell(lines, b.width, b.height, gomoku_cell(x, y), (int)c);
        }
    return b;
}

/* Every word holds its line: from each first cell, step by step to the edge. */
static void check_lines(const plain_board *b, const uint64_t *lines)
{
    int seen = 0;
    for (int d = 0; d < 4; d++)
        for (int y = 0; y < b->height; y++)
            for (int x = 0; x < b->width; x++) {
                if (at(b, x - steps[d][0], y - steps[d][1]) != '#')
                    continue; /* not the first cell of a line */
                uint64_t word = 0;
                int length = 0;
                for (; at(b, x + length * steps[d][0], y + length * steps[d][1]) != '#'; length++) {
                    char c = at(b, x + length * steps[d][0], y + length * steps[d][1]);
                    word |= (uint64_t)(c == 'X' ? 1 : c == 'O' ? 2 : 0) << (2 * length);
                }
                gomoku_spot spot = gomoku_spot_of(b->width, b->height, gomoku_cell(x, y));
                assert_int_equal(spot.shift[d], 0);
                assert_true(lines[spot.line[d]] == word);
                assert_int_equal(gomoku_line_length(b->width, b->height, spot.line[d]), length);
                seen++;
            }
    assert_int_equal(seen, gomoku_line_count(b->width, b->height));
}

/* Windows of a colour with the given number of stones, counted cell by cell. */
static int count_windows(const plain_board *b, int row, char own, int stones)
{
    int found = 0;
    for (int d = 0; d < 4; d++)
        for (int y = 0; y < b->height; y++)
            for (int x = 0; x < b->width; x++) {
                int dx = steps[d][0], dy = steps[d][1], filled = 0, free = 0;
                for (int i = 0; i < row; i++) {
                    char c = at(b, x + i * dx, y + i * dy);
                    filled += c == own;
                    free += c == '.';
                }
                found += filled == stones && filled + free == row && at(b, x - dx, y - dy) != own &&
                         at(b, x + row * dx, y + row * dy) != own;
            }
    return found;
}

static void check_windows(const plain_board *b, int row, const uint64_t *lines,
                          gomoku_windows (*count)(void *context, int colour), void *context)
{
    for (int colour = 0; colour < 2; colour++) {
        gomoku_windows w = gomoku_windows_in(b->width, b->height, row, lines, colour);
        gomoku_windows kept = count ? count(context, colour) : w;
        assert_memory_equal(&kept, &w, sizeof w);
        assert_int_equal(w.five, count_windows(b, row, "XO"[colour], row));
        assert_int_equal(w.four, count_windows(b, row, "XO"[colour], row - 1));
        assert_int_equal(w.three, count_windows(b, row, "XO"[colour], row - 2));
        assert_int_equal(w.two, row > 3 ? count_windows(b, row, "XO"[colour], row - 3) : 0);
    }
}

static void test_random_boards(void **state)
{
    (void)state;
    ply_rng rng = ply_rng_make(21, 0);
    for (int n = 0; n < 400; n++) {
        uint64_t lines[GOMOKU_MAX_LINES], before[GOMOKU_MAX_LINES];
        plain_board b = random_board(&rng, lines);
        check_lines(&b, lines);
        check_windows(&b, 3 + n % 4, lines, NULL, NULL);
        /* Taking a stone off and putting it back changes four lines and restores them. */
        int x = (int)ply_rng_below(&rng, (uint32_t)b.width);
        int y = (int)ply_rng_below(&rng, (uint32_t)b.height);
        memcpy(before, lines, sizeof before);
        gomoku_clear_cell(lines, b.width, b.height, gomoku_cell(x, y));
        int changed = 0;
        for (int i = 0; i < GOMOKU_MAX_LINES; i++)
            changed += lines[i] != before[i];
        assert_int_equal(changed, b.points[y][x] == '.' ? 0 : 4);
        assert_int_equal(gomoku_at(lines, gomoku_cell(x, y)), -1);
        if (changed)
            gomoku_set_cell(lines, b.width, b.height, gomoku_cell(x, y), b.points[y][x] == 'O');
        assert_memory_equal(lines, before, sizeof before);
    }
}

static gomoku_windows kept_counts(void *context, int colour)
{
    const ply_state *s = context;
    return gomoku_windows_of(s->rules, s->position, colour);
}

/* The lines and counts of positions in play, under every rule. */
static void test_random_games(void **state)
{
    (void)state;
    static const char *const variants[] = {"freestyle",
                                           "standard:width=9,height=12",
                                           "renju",
                                           "caro:width=7,height=6",
                                           "freestyle:width=6,height=6,row=4",
                                           "caro-overline:width=20,height=5,row=6"};
    for (size_t v = 0; v < sizeof variants / sizeof variants[0]; v++) {
        ply_rules rules;
        ply_state s;
        test_make_rules(&rules, "gomoku", variants[v]);
        test_make_state(&s, &rules, NULL);
        ply_rng rng = ply_rng_make(22, v);
        plain_board b = {.width = gomoku_width(&rules), .height = gomoku_height(&rules)};
        memset(b.points, '.', sizeof b.points);
        for (int n = 0; n < 400; n++) {
            if (ply_state_outcome(&s).result != PLY_ONGOING) {
                assert_int_equal(ply_state_restart(&s), PLY_OK);
                memset(b.points, '.', sizeof b.points);
            }
            size_t count = ply_game_count_moves(&rules, s.position);
            ply_move move =
                ply_game_nth_move(&rules, s.position, ply_rng_below(&rng, (uint32_t)count));
            int side = rules.game->side(&rules, s.position);
            if (move != GOMOKU_PASS) {
                int cell = gomoku_move_cell(move);
                assert_true(gomoku_move(cell) == move);
                b.points[gomoku_y(cell)][gomoku_x(cell)] = "XO"[side];
            }
            assert_int_equal(ply_state_play(&s, move), PLY_OK);
            check_lines(&b, gomoku_lines(&rules, s.position));
            check_windows(&b, gomoku_row(&rules), gomoku_lines(&rules, s.position), kept_counts,
                          &s);
        }
        ply_state_free(&s);
    }
}

/* Whether a pattern matches at a place, cell by cell. */
static bool naive_match(const gomoku_pattern *p, gomoku_anchor anchor, uint64_t line, int length,
                        int place)
{
    if (place < 0 || place + p->cells > length)
        return false;
    bool starts = place == 0, ends = place + p->cells == length;
    if ((anchor == GOMOKU_PREFIX && !starts) || (anchor == GOMOKU_SUFFIX && !ends) ||
        (anchor == GOMOKU_EXACT && !(starts && ends)))
        return false;
    for (int i = 0; i < p->cells; i++)
        if ((line >> (2 * (place + i)) & 3) != (p->bits >> (2 * i) & 3))
            return false;
    return true;
}

static uint64_t random_cells(ply_rng *rng, int count)
{
    uint64_t word = 0;
    for (int i = 0; i < count; i++)
        word |= (uint64_t)ply_rng_below(rng, 3) << (2 * i);
    return word;
}

static void test_random_patterns(void **state)
{
    (void)state;
    ply_rng rng = ply_rng_make(23, 0);
    int matched[GOMOKU_ANCHORS] = {0};
    for (int n = 0; n < 200000; n++) {
        int length = 1 + (int)ply_rng_below(&rng, 32), size = 1 + (int)ply_rng_below(&rng, 16);
        gomoku_anchor anchor = (gomoku_anchor)ply_rng_below(&rng, GOMOKU_ANCHORS);
        uint64_t line = random_cells(&rng, length);
        if (anchor == GOMOKU_EXACT && length <= 16 && n % 2)
            size = length;
        gomoku_pattern p = gomoku_pattern_make((uint32_t)random_cells(&rng, size), size);
        if (n % 2 && size <= length) { /* take the pattern from the line */
            int place = anchor == GOMOKU_PREFIX ? 0
                        : anchor == GOMOKU_SUFFIX
                            ? length - size
                            : (int)ply_rng_below(&rng, (uint32_t)(length - size + 1));
            p.bits = (uint32_t)(line >> (2 * place)) & p.mask;
        }
        int expected = 0;
        for (int place = -2; place <= length + 2; place++) {
            bool match = naive_match(&p, anchor, line, length, place);
            assert_int_equal(gomoku_pattern_matches(p, anchor, line, length, place), match);
            expected += match;
        }
        assert_int_equal(gomoku_pattern_count(p, anchor, line, length), expected);
        matched[anchor] += expected;
    }
    for (int a = 0; a < GOMOKU_ANCHORS; a++)
        assert_true(matched[a] > 3000);
}

/* Counting all patterns one by one over the whole line is the same as gomoku_match_line. */
static void test_match_line(void **state)
{
    (void)state;
    ply_rng rng = ply_rng_make(24, 0);
    int total = 0;
    for (int n = 0; n < 20000; n++) {
        int row = 3 + (int)ply_rng_below(&rng, 4), length = 1 + (int)ply_rng_below(&rng, 32);
        int colour = (int)ply_rng_below(&rng, 2), missing = (int)ply_rng_below(&rng, 4);
        uint64_t line = random_cells(&rng, length) & ~(n % 2 ? GOMOKU_O_BITS >> colour : 0);
        int expected = 0;
        for (int a = 0; a < GOMOKU_ANCHORS; a++) {
            gomoku_pattern_list list = gomoku_patterns(row, colour, (gomoku_anchor)a, missing);
            for (int i = 0; i < list.count; i++)
                expected += gomoku_pattern_count(list.patterns[i], (gomoku_anchor)a, line, length);
        }
        assert_int_equal(gomoku_match_line(row, colour, missing, line, length), expected);
        total += expected;
    }
    assert_true(total > 5000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_note_line),       cmocka_unit_test(test_note_indices),
        cmocka_unit_test(test_note_matches),    cmocka_unit_test(test_note_fives),
        cmocka_unit_test(test_random_boards),   cmocka_unit_test(test_random_games),
        cmocka_unit_test(test_random_patterns), cmocka_unit_test(test_match_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
