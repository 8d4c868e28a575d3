/* SPDX-License-Identifier: MIT */
/* test_lines.c - the representation: the table of lines, and every cell of every board. */
#include "games/gomoku/gomoku.h"
#include "support/support.h"
#include <string.h>

/* 8x8 has 8 rows, 8 columns and twice 15 diagonals. */
static void test_index_table(void **state)
{
    (void)state;
    static const int lengths[46] = {8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8,
                                    1, 2, 3, 4, 5, 6, 7, 8, 7, 6, 5, 4, 3, 2, 1, 1,
                                    2, 3, 4, 5, 6, 7, 8, 7, 6, 5, 4, 3, 2, 1};
    assert_int_equal(gomoku_line_count(8, 8), 46);
    for (int i = 0; i < 46; i++)
        assert_int_equal(gomoku_line_length(8, 8, i), lengths[i]);
    gomoku_spot corner = gomoku_spot_of(8, 8, gomoku_cell(0, 0));
    assert_int_equal(corner.line[0], 0);
    assert_int_equal(corner.line[1], 8);
    assert_int_equal(corner.line[2], 16);
    assert_int_equal(corner.line[3], 38);
    gomoku_spot other = gomoku_spot_of(8, 8, gomoku_cell(7, 7));
    assert_int_equal(other.line[2], 30);
    assert_int_equal(other.line[3], 38);
    assert_int_equal(gomoku_spot_of(8, 8, gomoku_cell(7, 0)).line[3], 31);
    assert_int_equal(gomoku_spot_of(8, 8, gomoku_cell(0, 7)).line[3], 45);
}

/* X|O| | |X|O|O|X is 0x6909. */
static void test_line_word(void **state)
{
    (void)state;
    ply_rules rules;
    ply_state s;
    test_make_rules(&rules, "gomoku", "freestyle:width=8,height=8");
    test_make_state(&s, &rules, "8/8/8/8/8/8/8/xo2xoox x");
    const gomoku_position *p = s.position;
    assert_int_equal(p->lines[0], 0x6909);
    assert_int_equal(p->lines[8], 1);
    assert_int_equal(p->stones, 6);
    ply_state_free(&s);
}

static void test_every_cell(void **state)
{
    (void)state;
    for (int width = 5; width <= 32; width++)
        for (int height = 5; height <= 32; height++) {
            int seen[GOMOKU_MAX_LINES] = {0}, count = gomoku_line_count(width, height);
            assert_true(count <= GOMOKU_MAX_LINES);
            for (int y = 0; y < height; y++)
                for (int x = 0; x < width; x++) {
                    int cell = gomoku_cell(x, y);
                    gomoku_spot spot = gomoku_spot_of(width, height, cell);
                    for (int d = 0; d < 4; d++) {
                        int at = spot.shift[d] / 2;
                        assert_in_range(spot.line[d], 0, count - 1);
                        assert_true(at < gomoku_line_length(width, height, spot.line[d]));
                        assert_int_equal(gomoku_line_cell(width, height, spot.line[d], at), cell);
                        seen[spot.line[d]]++;
                    }
                }
            for (int i = 0; i < count; i++)
                assert_int_equal(seen[i], gomoku_line_length(width, height, i));
        }
}

/* Neighbouring cells in a direction are neighbours in their line. */
static void test_steps(void **state)
{
    (void)state;
    static const int dx[4] = {1, 0, -1, 1}, dy[4] = {0, 1, 1, 1};
    for (int width = 5; width <= 13; width += 4)
        for (int height = 5; height <= 13; height += 4)
            for (int cell = 0; cell < GOMOKU_MAX_CELLS; cell++) {
                int x = gomoku_x(cell), y = gomoku_y(cell);
                if (x >= width || y >= height)
                    continue;
                gomoku_spot spot = gomoku_spot_of(width, height, cell);
                for (int d = 0; d < 4; d++) {
                    int x2 = x + dx[d], y2 = y + dy[d];
                    if (x2 < 0 || x2 >= width || y2 >= height)
                        continue;
                    gomoku_spot next = gomoku_spot_of(width, height, gomoku_cell(x2, y2));
                    assert_int_equal(next.line[d], spot.line[d]);
                    assert_int_equal(next.shift[d], spot.shift[d] + 2);
                }
            }
}

static int count_rows_of_five(int side)
{
    int count = 0;
    for (int i = 0; i < gomoku_line_count(side, side); i++) {
        int length = gomoku_line_length(side, side, i);
        count += length >= 5 ? length - 4 : 0;
    }
    return count;
}

static void test_sizes(void **state)
{
    (void)state;
    ply_rules rules;
    assert_int_equal(count_rows_of_five(15), 572);
    assert_int_equal(count_rows_of_five(20), 1152);
    test_make_rules(&rules, "gomoku", NULL);
    assert_true(rules.position_bytes < 2048);
    assert_int_equal(rules.max_moves, 225);
    test_make_rules(&rules, "gomoku", "renju:width=32,height=32");
    assert_int_equal(rules.max_moves, 1025);
    assert_int_equal(rules.position_bytes, 48 + 190 * 8);
}

static void test_bad_options(void **state)
{
    (void)state;
    ply_rules rules;
    ply_error error = {0};
    const ply_game *game = ply_game_find("gomoku");
    static const char *const bad[][2] = {
        {"freestyle:width=4", "from 5 to 32"},
        {"freestyle:height=33", "from 5 to 32"},
        {"freestyle:row=7", "from 3 to 6"},
        {"freestyle:width=5,height=5,row=6", "no line of"},
        {"renju:row=4", "row=5"},
        {"standard:forbidden=loses", "only renju"},
        {"freestyle:pass=maybe", "one of no"},
        {"ninuki", "no variant"},
        {"freestyle:depth=3", "no option"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_true(ply_rules_make(&rules, game, bad[i][0], &error) != PLY_OK);
        if (!strstr(error.message, bad[i][1]))
            fail_msg("%s: %s", bad[i][0], error.message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_index_table), cmocka_unit_test(test_line_word),
        cmocka_unit_test(test_every_cell),  cmocka_unit_test(test_steps),
        cmocka_unit_test(test_sizes),       cmocka_unit_test(test_bad_options),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
