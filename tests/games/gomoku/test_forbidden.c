/* SPDX-License-Identifier: MIT */
/*
 * test_forbidden.c - the forbidden points of renju: published boards, an independent reference on
 * random boards rich in threes and fours, and the examples of the rule books.
 */
#include "games/gomoku/gomoku.h"
#include "games/gomoku/reference.h"
#include "support/support.h"
#include <stdlib.h>
#include <string.h>

typedef struct board {
    ply_rules rules;
    ply_state state;
} board;

static void open_board(board *b, const char *variant)
{
    test_make_rules(&b->rules, "gomoku", variant);
    test_make_state(&b->state, &b->rules, NULL);
}

static gomoku_position *empty_position(board *b)
{
    assert_int_equal(ply_state_restart(&b->state), PLY_OK);
    return b->state.position;
}

/* The shapes that make a point forbidden: enough of them, each of black stones and the point. */
static void check_shapes(const board *b, int cell, int kind)
{
    const gomoku_position *p = b->state.position;
    gomoku_shape shapes[GOMOKU_MAX_SHAPES];
    int count = gomoku_forbidden_shapes(&b->rules, p, cell, shapes);
    assert_in_range(count, kind == GOMOKU_OVERLINE ? 1 : 2, GOMOKU_MAX_SHAPES);
    for (int i = 0; i < count; i++) {
        int stones = shapes[i].count, points = 0;
        if (kind == GOMOKU_OVERLINE)
            assert_true(stones >= 6);
        else
            assert_int_equal(stones, kind == GOMOKU_DOUBLE_THREE ? 3 : 4);
        for (int k = 0; k < stones; k++) {
            int at = shapes[i].cells[k];
            points += at == cell;
            if (at != cell)
                assert_int_equal(p->lines[gomoku_y(at)] >> (2 * gomoku_x(at)) & 3, 1);
        }
        assert_int_equal(points, 1);
    }
}

/* The kinds of all forbidden points, found for the whole board at once. */
static void find_all(const board *b, uint8_t *kinds)
{
    const gomoku_position *p = b->state.position;
    uint32_t rows[GOMOKU_MAX_SIDE];
    uint8_t found[GOMOKU_MAX_CELLS];
    int count = gomoku_forbidden_points(&b->rules, p, rows, found);
    for (int y = 0; y < gomoku_height(&b->rules); y++)
        for (int x = 0; x < gomoku_width(&b->rules); x++) {
            int cell = gomoku_cell(x, y);
            kinds[cell] = rows[y] >> x & 1 ? found[cell] : GOMOKU_ALLOWED;
            count -= kinds[cell] != GOMOKU_ALLOWED;
            if (kinds[cell] != GOMOKU_ALLOWED)
                check_shapes(b, cell, kinds[cell]);
        }
    assert_int_equal(count, 0);
}

/* Each line of the file is "board <tab> index:kind ...", the board row by row. */
static void test_published_boards(void **state)
{
    (void)state;
    FILE *file = test_open_truth("renju_forbidden.tsv");
    if (!file)
        return;
    board b;
    open_board(&b, "renju");
    char text[4096];
    int boards = 0, points = 0;
    while (fgets(text, sizeof text, file)) {
        if (text[0] == '#')
            continue;
        gomoku_position *p = empty_position(&b);
        uint8_t expected[GOMOKU_MAX_CELLS] = {0}, found[GOMOKU_MAX_CELLS];
        for (int i = 0; i < 225; i++)
            if (text[i] != '.')
                gomoku_put_stone(&b.rules, p, gomoku_cell(i % 15, i / 15), text[i] == 'O');
        for (char *at = strpbrk(text, "\t "); at && at[1] > ' '; at = strchr(at + 1, ' ')) {
            int index, kind;
            assert_int_equal(sscanf(at + 1, "%d:%d", &index, &kind), 2);
            expected[gomoku_cell(index % 15, index / 15)] = (uint8_t)kind;
            points++;
        }
        find_all(&b, found);
        for (int i = 0; i < 225; i++) {
            int cell = gomoku_cell(i % 15, i / 15);
            if (text[i] == '.' && (found[cell] != expected[cell] ||
                                   (int)gomoku_forbidden_at(&b.rules, p, cell) != expected[cell]))
                fail_msg("board %d point %d: %d, not %d", boards, i, found[cell], expected[cell]);
        }
        boards++;
    }
    fclose(file);
    assert_int_equal(boards, 1000);
    assert_true(points > 1000);
    ply_state_free(&b.state);
}

/* Black stones in short lines near each other, so that threes and fours meet; some white ones. */
static void scatter(board *b, reference_board *r, ply_rng *rng)
{
    int width = gomoku_width(&b->rules), height = gomoku_height(&b->rules);
    gomoku_position *p = empty_position(b);
    reference_clear(r, width, height);
    int strokes = 2 + (int)ply_rng_below(rng, 7), white = (int)ply_rng_below(rng, 14);
    int middle_x = 3 + (int)ply_rng_below(rng, (uint32_t)width - 6);
    int middle_y = 3 + (int)ply_rng_below(rng, (uint32_t)height - 6);
    for (int s = 0; s < strokes + white; s++) {
        int dx = (int)ply_rng_below(rng, 3) - 1, dy = (int)ply_rng_below(rng, 3) - 1;
        int x = middle_x + (int)ply_rng_below(rng, 9) - 4;
        int y = middle_y + (int)ply_rng_below(rng, 9) - 4;
        int length = s < strokes ? 5 : 1;
        for (int i = 0; i < length; i++, x += dx, y += dy) {
            if (x < 0 || y < 0 || x >= width || y >= height || *reference_at(r, x, y) != '.')
                continue;
            if (s < strokes && ply_rng_below(rng, 2))
                continue;
            *reference_at(r, x, y) = s < strokes ? 'X' : 'O';
            gomoku_put_stone(&b->rules, p, gomoku_cell(x, y), s >= strokes);
        }
    }
}

static void compare_with_reference(const char *variant, int boards, uint64_t seed, int *points)
{
    board b;
    open_board(&b, variant);
    ply_rng rng = ply_rng_make(seed, 0);
    for (int n = 0; n < boards; n++) {
        reference_board r;
        uint8_t kinds[GOMOKU_MAX_CELLS];
        scatter(&b, &r, &rng);
        find_all(&b, kinds);
        for (int y = 0; y < r.height; y++)
            for (int x = 0; x < r.width; x++) {
                if (*reference_at(&r, x, y) != '.')
                    continue;
                int expected = reference_forbidden(&r, x, y);
                points[expected]++;
                if (kinds[gomoku_cell(x, y)] != expected) {
                    ply_text text = ply_text_growing();
                    gomoku_draw(&b.rules, b.state.position, 0, PLY_DRAW_ASCII, &text);
                    fail_msg("%s x %d y %d: %d, reference %d\n%s", variant, x, y,
                             kinds[gomoku_cell(x, y)], expected, text.data);
                }
            }
    }
    ply_state_free(&b.state);
}

static void test_reference(void **state)
{
    (void)state;
    int points[4] = {0}, times = test_is_long() ? 10 : 1;
    compare_with_reference("renju", 60000 * times, 1, points);
    compare_with_reference("renju:width=9,height=9", 120000 * times, 2, points);
    compare_with_reference("renju:width=7,height=11", 20000 * times, 3, points);
    compare_with_reference("renju:width=32,height=32", 500 * times, 4, points);
    print_message("double three %d, double four %d, overline %d\n", points[1], points[2],
                  points[3]);
    /* The boards are a real test: every kind occurs many times. */
    assert_true(points[1] > 40000 && points[2] > 10000 && points[3] > 20000);
}

typedef struct example {
    const char *name, *board, *point;
    int kind;
} example;

/* On 9x9, the top row first. */
static const example examples[] = {
    {"two open threes", "9/9/9/4x4/4x4/2xx5/9/9/9 x", "e4", GOMOKU_DOUBLE_THREE},
    {"two fours in one line at the edge", "9/9/9/9/x1x1x1x2/9/9/9/9 x", "d5", GOMOKU_DOUBLE_FOUR},
    {"two fours in one line, X.XXX.X", "9/9/9/9/1x1x1x1x1/9/9/9/9 x", "e5", GOMOKU_DOUBLE_FOUR},
    {"two fours in one line, XX.XX.XX", "9/9/9/9/xx1x2xx1/9/9/9/9 x", "e5", GOMOKU_DOUBLE_FOUR},
    {"six", "9/9/9/9/1xxx1xx2/9/9/9/9 x", "e5", GOMOKU_OVERLINE},
    {"five beats six", "9/4x4/4x4/4x4/1xxx1xx2/4x4/9/9/9 x", "e5", GOMOKU_ALLOWED},
    {"three and four", "9/9/9/4x4/4x4/1oxxx4/9/9/9 x", "f4", GOMOKU_ALLOWED},
    {"straight four is one four", "9/9/9/9/1xxx5/9/9/9/9 x", "e5", GOMOKU_ALLOWED},
};

static void test_examples(void **state)
{
    (void)state;
    ply_rules rules;
    test_make_rules(&rules, "gomoku", "renju:width=9,height=9");
    for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
        ply_state s;
        test_make_state(&s, &rules, examples[i].board);
        int cell = 0;
        ply_cursor cursor = ply_cursor_make(examples[i].point, strlen(examples[i].point), NULL);
        assert_int_equal(gomoku_parse_cell(&rules, &cursor, &cell), PLY_OK);
        if ((int)gomoku_forbidden_at(&rules, s.position, cell) != examples[i].kind)
            fail_msg("%s", examples[i].name);
        ply_state_free(&s);
    }
}

/* A forbidden point in move lists and notes, and as a losing move. */
static void test_moves_and_notes(void **state)
{
    (void)state;
    ply_rules rules;
    ply_state s;
    test_make_rules(&rules, "gomoku", "renju:width=9,height=9");
    test_make_state(&s, &rules, "9/9/9/4x4/4x4/2xx5/9/9/9 x");
    test_bad_move(&s, "e4", 1, "e4 is forbidden to Black: double-three");
    ply_text notes = ply_text_growing();
    rules.display->notes(&rules, s.position, &notes);
    assert_string_equal(notes.data, "forbidden e4 double-three\n");
    ply_text_free(&notes);
    assert_int_equal(ply_game_count_moves(&rules, s.position), 81 - 4 - 1 + 1);
    ply_state_free(&s);

    /* With forbidden=loses Black may play it and loses, and the position says how. */
    test_make_rules(&rules, "gomoku", "renju:width=9,height=9,forbidden=loses");
    test_make_state(&s, &rules, "9/9/9/4x4/4x4/2xx5/9/9/9 x");
    assert_int_equal(ply_game_count_moves(&rules, s.position), 81 - 4 + 1);
    assert_int_equal(ply_state_play_text(&s, "e4", 2, NULL), PLY_OK);
    ply_outcome outcome = ply_state_outcome(&s);
    assert_int_equal(outcome.result, PLY_SECOND_WINS);
    assert_string_equal(outcome.reason, "forbidden-double-three");
    ply_text text = ply_text_growing();
    rules.game->format(&rules, s.position, &text);
    assert_string_equal(text.data, "9/9/9/4x4/4x4/2xxx4/9/9/9 o double-three");
    ply_state again;
    test_make_state(&again, &rules, text.data);
    assert_memory_equal(again.position, s.position, rules.position_bytes);
    assert_true(ply_state_undo(&s));
    assert_int_equal(ply_state_outcome(&s).result, PLY_ONGOING);
    ply_text_free(&text);
    ply_state_free(&again);
    ply_state_free(&s);
}

/* Without passes, Black loses when only forbidden points are left. */
static void test_stuck(void **state)
{
    (void)state;
    ply_rules rules;
    ply_state s;
    /* In a row of six, a stone between XXX and XX makes six; every other cell is full. */
    test_make_rules(&rules, "gomoku", "renju:width=6,height=5,pass=no");
    test_make_state(&s, &rules, "oxoxox/oxoxox/xxx1xx/xoxoxo/xoxoxo x");
    gomoku_position *p = s.position;
    assert_int_equal(gomoku_forbidden_at(&rules, p, gomoku_cell(3, 2)), GOMOKU_OVERLINE);
    ply_outcome outcome = ply_state_outcome(&s);
    assert_int_equal(outcome.result, PLY_SECOND_WINS);
    assert_string_equal(outcome.reason, "no-move");
    assert_int_equal(ply_game_count_moves(&rules, p), 0);
    ply_state_free(&s);
    /* With passes, Black passes. */
    test_make_rules(&rules, "gomoku", "renju:width=6,height=5");
    test_make_state(&s, &rules, "oxoxox/oxoxox/xxx1xx/xoxoxo/xoxoxo x");
    assert_int_equal(ply_state_outcome(&s).result, PLY_ONGOING);
    assert_int_equal(ply_game_count_moves(&rules, s.position), 1);
    assert_int_equal(ply_state_play_text(&s, "pass pass", 9, NULL), PLY_OK);
    outcome = ply_state_outcome(&s);
    assert_int_equal(outcome.result, PLY_DRAW);
    assert_string_equal(outcome.reason, "passes");
    ply_state_free(&s);
    /* The passes must follow each other. */
    test_make_rules(&rules, "gomoku", "renju");
    test_make_state(&s, &rules, NULL);
    assert_int_equal(ply_state_play_text(&s, "h8 pass g8 pass f8 pass", 23, NULL), PLY_OK);
    assert_int_equal(ply_state_outcome(&s).result, PLY_ONGOING);
    assert_int_equal(ply_state_play_text(&s, "pass", 4, NULL), PLY_OK);
    assert_int_equal(ply_state_outcome(&s).result, PLY_DRAW);
    ply_state_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published_boards), cmocka_unit_test(test_examples),
        cmocka_unit_test(test_moves_and_notes),  cmocka_unit_test(test_stuck),
        cmocka_unit_test(test_reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
