/* SPDX-License-Identifier: MIT */
/*
 * test_patterns.c - the patterns, and the totals maintained by play.
 *
 * Two oracles: the matcher by mask and XOR for the windows, and a reader of one character per cell
 * for the shapes made of two windows and for what a stone would make.
 */
#include "games/gomoku/gomoku.h"
#include "support/support.h"
#include <stdlib.h>
#include <string.h>

static void test_pattern_counts(void **state)
{
    (void)state;
    static const int expected[GOMOKU_ANCHORS][4] = {
        {2, 10, 20, 20}, {2, 10, 20, 20}, {4, 20, 40, 40}, {1, 5, 10, 10}};
    for (int colour = 0; colour < 2; colour++)
        for (int anchor = 0; anchor < GOMOKU_ANCHORS; anchor++)
            for (int missing = 0; missing < 4; missing++) {
                gomoku_pattern_list list =
                    gomoku_patterns(5, colour, (gomoku_anchor)anchor, missing);
                assert_int_equal(list.count, expected[anchor][missing]);
                for (int i = 0; i < list.count; i++)
                    for (int k = 0; k < i; k++)
                        assert_true(list.patterns[i].bits != list.patterns[k].bits);
            }
    /* Fives of O: 00 10 10 10 10 10 and so on. */
    assert_int_equal(gomoku_patterns(5, 1, GOMOKU_PREFIX, 0).patterns[0].bits, 0x2AA);
    assert_int_equal(gomoku_patterns(5, 1, GOMOKU_PREFIX, 0).patterns[1].bits, 0x6AA);
    assert_int_equal(gomoku_patterns(5, 1, GOMOKU_EXACT, 0).patterns[0].bits, 0x2AA);
    assert_int_equal(gomoku_patterns(5, 1, GOMOKU_SUFFIX, 0).patterns[1].bits, 0xAA9);
}

/* The line as characters, with '#' before and after it. */
static const char *spell(uint64_t line, int length, char *text)
{
    memset(text, '#', 48);
    for (int i = 0; i < length; i++)
        text[8 + i] = ".XO?"[line >> (2 * i) & 3];
    return text + 8;
}

/* The stones in the window of `row` cells at `at`, or -1 when it cannot become exactly `row`. */
static int window_stones(const char *text, int at, int row, char own)
{
    int stones = 0;
    for (int i = 0; i < row; i++) {
        if (text[at + i] != own && text[at + i] != '.')
            return -1;
        stones += text[at + i] == own;
    }
    return text[at - 1] == own || text[at + row] == own ? -1 : stones;
}

/* Counts the straight fours, open threes, broken threes and open twos of a line. */
static void read_shapes(uint64_t line, int length, int row, int colour, int counts[4])
{
    char buffer[48], own = "XO"[colour];
    const char *text = spell(line, length, buffer);
    memset(counts, 0, 4 * sizeof counts[0]);
    for (int at = 0; at + row < length; at++) {
        int stones = window_stones(text, at, row, own);
        if (stones <= 0 || window_stones(text, at + 1, row, own) != stones || text[at] != '.' ||
            text[at + row] != '.')
            continue;
        if (stones == row - 1)
            counts[0]++;
        if (stones == row - 2)
            counts[text[at + 1] == '.' || text[at + row - 1] == '.' ? 1 : 2]++;
        if (stones == row - 3)
            counts[3]++;
    }
}

/* Adds a line to totals (or subtracts it) as laid out in gomoku_position.totals. */
static void add_line(uint64_t line, int length, int row, uint64_t totals[4], int sign)
{
    if (line == 0 || length < row)
        return;
    for (int colour = 0; colour < 2; colour++) {
        int shapes[4];
        if (!(line & (GOMOKU_X_BITS << colour)))
            continue; /* no stone of this colour */
        read_shapes(line, length, row, colour, shapes);
        for (int i = 0; i < 4; i++) {
            uint64_t windows =
                i < row ? (uint64_t)gomoku_match_line(row, colour, i, line, length) : 0;
            totals[colour] += (sign > 0 ? windows : 0 - windows) << (16 * i);
            uint64_t shape = (uint64_t)shapes[i];
            totals[2 + colour] += (sign > 0 ? shape : 0 - shape) << (16 * i);
        }
    }
}

/* Plays random games. After every move the totals have changed by the change of the four lines; now
 * and then they are compared with the sum over all lines. Returns the number of positions. */
static int check_random_games(const char *variant, int positions, uint64_t seed)
{
    ply_rules rules;
    ply_state s;
    test_make_rules(&rules, "gomoku", variant);
    test_make_state(&s, &rules, NULL);
    int width = gomoku_width(&rules), height = gomoku_height(&rules), row = gomoku_row(&rules);
    ply_rng rng = ply_rng_make(seed, 0);
    gomoku_position *p = s.position;
    int seen = 0;
    while (seen < positions) {
        if (ply_state_outcome(&s).result != PLY_ONGOING)
            assert_int_equal(ply_state_restart(&s), PLY_OK);
        size_t count = ply_game_count_moves(&rules, p);
        ply_move move = ply_game_nth_move(&rules, p, ply_rng_below(&rng, (uint32_t)count));
        if (move == GOMOKU_PASS)
            continue;
        uint64_t expected[4];
        memcpy(expected, p->totals, sizeof expected);
        gomoku_spot spot = gomoku_spot_of(width, height, gomoku_move_cell(move));
        for (int d = 0; d < 4; d++)
            add_line(p->lines[spot.line[d]], gomoku_line_length(width, height, spot.line[d]), row,
                     expected, -1);
        assert_int_equal(ply_state_play(&s, move), PLY_OK);
        for (int d = 0; d < 4; d++)
            add_line(p->lines[spot.line[d]], gomoku_line_length(width, height, spot.line[d]), row,
                     expected, 1);
        if (memcmp(expected, p->totals, sizeof expected) != 0) {
            ply_text text = ply_text_growing();
            rules.game->format(&rules, p, &text);
            fail_msg("%s: %s", variant, text.data);
        }
        if (++seen % 512 == 0) {
            uint64_t all[4] = {0};
            for (int i = 0; i < gomoku_line_count(width, height); i++)
                add_line(p->lines[i], gomoku_line_length(width, height, i), row, all, 1);
            assert_memory_equal(all, p->totals, sizeof all);
        }
    }
    ply_state_free(&s);
    return seen;
}

/* Sanitizer builds are many times slower and look for other faults. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { SHARE = 10 };
#else
enum { SHARE = 1 };
#endif

static void test_totals(void **state)
{
    (void)state;
    int seen = check_random_games("freestyle", 650000 / SHARE, 1);
    seen += check_random_games("standard:width=19,height=19", 100000 / SHARE, 2);
    seen += check_random_games("caro:width=9,height=6", 50000 / SHARE, 3);
    seen += check_random_games("freestyle:width=32,height=32", 60000 / SHARE, 4);
    seen += check_random_games("freestyle:width=7,height=7,row=4", 50000 / SHARE, 5);
    seen += check_random_games("standard:width=12,height=12,row=6", 60000 / SHARE, 6);
    seen += check_random_games("standard:width=6,height=6,row=3", 30000 / SHARE, 7);
    assert_true(seen >= 1000000 / SHARE);
}

/* On an empty cell, play at every level must give the totals that counting anew gives. */
static void check_play(const ply_rules *rules, gomoku_position *p, int cell)
{
    int width = gomoku_width(rules), height = gomoku_height(rules);
    if (gomoku_at(p->lines, cell) >= 0)
        return;
    for (int level = 1; level <= ply_isa_best(); level += level == 1 ? 2 : 1) {
        const gomoku_kernels *k = PLY_ISA_AT(gomoku_kernels_of, level);
        gomoku_undo_info undo;
        uint64_t expected[4];
        k->play(rules, p, cell, &undo);
        PLY_ISA_AT(gomoku_kernels_of, 1)
            ->count(width, height, gomoku_row(rules), p->lines, expected);
        assert_memory_equal(p->totals, expected, sizeof expected);
        gomoku_undo(rules, p, gomoku_move(cell), &undo);
    }
}

/* The kernels of every instruction set give the same counts. */
static void test_instruction_sets(void **state)
{
    (void)state;
    ply_rng rng = ply_rng_make(8, 0);
    for (int n = 0; n < 2000; n++) {
        int width = 5 + (int)ply_rng_below(&rng, 28), height = 5 + (int)ply_rng_below(&rng, 28);
        int row = 3 + (int)ply_rng_below(&rng, 4);
        char name[64];
        snprintf(name, sizeof name, "freestyle:width=%d,height=%d,row=%d", width, height, row);
        if (row > width && row > height)
            continue;
        ply_rules rules;
        test_make_rules(&rules, "gomoku", name);
        gomoku_position *p = calloc(1, rules.position_bytes);
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++) {
                uint32_t c = ply_rng_below(&rng, 5);
                if (c < 2)
                    gomoku_put_stone(&rules, p, gomoku_cell(x, y), (int)c);
            }
        uint64_t plain[4], expected[4] = {0};
        for (int i = 0; n % 10 == 0 && i < gomoku_line_count(width, height); i++)
            add_line(p->lines[i], gomoku_line_length(width, height, i), row, expected, 1);
        PLY_ISA_AT(gomoku_kernels_of, 1)->count(width, height, row, p->lines, plain);
        if (n % 10 == 0)
            assert_memory_equal(plain, expected, sizeof plain);
        for (int level = 3; level <= ply_isa_best(); level++) {
            uint64_t other[4];
            PLY_ISA_AT(gomoku_kernels_of, level)->count(width, height, row, p->lines, other);
            assert_memory_equal(plain, other, sizeof plain);
        }
        memcpy(p->totals, plain, sizeof plain);
        p->side = (uint8_t)(n & 1);
        check_play(&rules, p, gomoku_cell(n % width, n / width % height));
        free(p);
    }
}

/* Whether the cells from `at` on are `row` own stones that win under the rule. */
static bool wins_at(const char *text, int at, int row, char own, enum gomoku_rule rule)
{
    char enemy = own == 'X' ? 'O' : 'X';
    for (int i = 0; i < row; i++)
        if (text[at + i] != own)
            return false;
    bool longer = text[at - 1] == own || text[at + row] == own;
    bool boxed = text[at - 1] == enemy && text[at + row] == enemy;
    switch (rule) {
    case GOMOKU_FREESTYLE:
        return true;
    case GOMOKU_STANDARD:
        return !longer;
    case GOMOKU_RENJU:
        return own == 'O' || !longer;
    case GOMOKU_CARO:
        return !longer && !boxed;
    default:
        return longer || !boxed;
    }
}

static bool wins_with(const char *text, int length, int row, char own, enum gomoku_rule rule,
                      int cell, int other)
{
    for (int at = 0; at + row <= length; at++)
        if (at <= cell && cell < at + row && at <= other && other < at + row &&
            wins_at(text, at, row, own, rule))
            return true;
    return false;
}

/* The points of single lines, for every rule and row length, against the reader of characters. */
static void test_points(void **state)
{
    (void)state;
    ply_rng rng = ply_rng_make(11, 0);
    int fives = 0, fours = 0;
    for (int n = 0; n < 60000; n++) {
        int row = 3 + (int)ply_rng_below(&rng, 4), length = 5 + (int)ply_rng_below(&rng, 28);
        enum gomoku_rule rule = (enum gomoku_rule)ply_rng_below(&rng, GOMOKU_RULES);
        if (rule == GOMOKU_RENJU)
            row = 5;
        uint64_t line = 0;
        uint32_t style = ply_rng_below(&rng, 3);
        for (int i = 0; i < length; i++) {
            uint32_t c = ply_rng_below(&rng, 4 + style);
            line |= (uint64_t)(c < 2 ? 1 : c == 2 ? 2 : 0) << (2 * i);
        }
        gomoku_points g = gomoku_points_of(line, length, rule, row);
        char buffer[48];
        const char *text = spell(line, length, buffer);
        for (int colour = 0; colour < 2; colour++) {
            char own = "XO"[colour];
            for (int i = 0; i < length; i++) {
                bool five = false, four = false;
                if (text[i] == '.') {
                    buffer[8 + i] = own;
                    five = wins_with(text, length, row, own, rule, i, i);
                    for (int k = 0; k < length && !four; k++)
                        if (text[k] == '.') {
                            buffer[8 + k] = own;
                            four = wins_with(text, length, row, own, rule, i, k);
                            buffer[8 + k] = '.';
                        }
                    buffer[8 + i] = '.';
                }
                assert_int_equal(g.five >> (2 * i + colour) & 1, five);
                /* Where an overline wins, a stone that makes more than a four is not compared. */
                if (!five && rule != GOMOKU_FREESTYLE && rule != GOMOKU_CARO_OVERLINE &&
                    !(rule == GOMOKU_RENJU && colour == 1))
                    assert_int_equal(g.four >> (2 * i + colour) & 1, four);
                else if (g.four >> (2 * i + colour) & 1)
                    assert_true(four || five);
                fives += five;
                fours += four;
            }
        }
    }
    assert_true(fives > 5000 && fours > 20000);
}

static void test_shapes_by_name(void **state)
{
    (void)state;
    static const struct {
        const char *row;
        gomoku_shapes x;
    } cases[] = {
        {"2xxxx9", {.four = 2, .straight_four = 1}},
        {"xxxx11", {.four = 1, .simple_four = 1}},
        {"3xxx9", {.three = 3, .open_three = 2}},
        {"3x1xx8", {.three = 2, .broken_three = 1}},
        {"3xxxxx7", {.five = 1}},
        {"3xx10", {.two = 4, .open_two = 3}},
        {"1oxxxx9", {.four = 1, .simple_four = 1}},
        {"3xx1xx7", {.four = 1, .simple_four = 1}},
    };
    ply_rules rules;
    test_make_rules(&rules, "gomoku", NULL);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char board[128];
        ply_state s;
        snprintf(board, sizeof board, "15/15/15/15/15/15/15/%s/15/15/15/15/15/15/15 o",
                 cases[i].row);
        test_make_state(&s, &rules, board);
        gomoku_shapes x = gomoku_shapes_of(s.position, GOMOKU_BLACK);
        /* Compares the shapes of this row; other directions hold single stones only. */
        if (x.five != cases[i].x.five || x.four != cases[i].x.four ||
            x.straight_four != cases[i].x.straight_four ||
            x.simple_four != cases[i].x.simple_four || x.open_three != cases[i].x.open_three ||
            x.broken_three != cases[i].x.broken_three ||
            (cases[i].x.three && x.three != cases[i].x.three) ||
            (cases[i].x.two && (x.two != cases[i].x.two || x.open_two != cases[i].x.open_two)))
            fail_msg("%s: five %d four %d straight %d simple %d three %d open %d broken %d two %d "
                     "open %d",
                     cases[i].row, x.five, x.four, x.straight_four, x.simple_four, x.three,
                     x.open_three, x.broken_three, x.two, x.open_two);
        ply_state_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pattern_counts), cmocka_unit_test(test_shapes_by_name),
        cmocka_unit_test(test_points),         cmocka_unit_test(test_instruction_sets),
        cmocka_unit_test(test_totals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
