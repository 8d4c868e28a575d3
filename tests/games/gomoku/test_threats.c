/* SPDX-License-Identifier: MIT */
/*
 * test_threats.c - published wins by threats, replayed: every move is legal, and in wins by fours
 * each four leaves one answer, except for the last, which leaves none. The threat board leaves out
 * no line that has a mark.
 */
#include "games/gomoku/gomoku.h"
#include "games/gomoku/rules/threat_board.h"
#include "support/support.h"
#include <stdlib.h>
#include <string.h>

/* The cells on which the colour wins at once. */
static int winning_cells(const ply_rules *rules, const gomoku_position *p, int colour, int *cells)
{
    int width = gomoku_width(rules), height = gomoku_height(rules), count = 0;
    for (int i = 0; i < gomoku_line_count(width, height); i++) {
        int length = gomoku_line_length(width, height, i);
        if (length < 5)
            continue;
        gomoku_points g = gomoku_points_of(p->lines[i], length, GOMOKU_RENJU, 5);
        for (uint64_t w = g.five & (GOMOKU_X_BITS << colour); w; w &= w - 1) {
            int cell = gomoku_line_cell(width, height, i, ply_lowest(w) / 2), k = 0;
            while (k < count && cells[k] != cell)
                k++;
            cells[k] = cell;
            count += k == count;
        }
    }
    return count;
}

static void put_list(const ply_rules *rules, gomoku_position *p, const char *list, int colour)
{
    ply_cursor cursor = ply_cursor_make(list, strlen(list), NULL);
    while (!ply_cursor_done(&cursor)) {
        int cell = 0;
        assert_int_equal(gomoku_parse_cell(rules, &cursor, &cell), PLY_OK);
        assert_true(gomoku_at(p->lines, cell) < 0);
        gomoku_put_stone(rules, p, cell, colour);
        ply_cursor_accept(&cursor, ',');
    }
}

/* Whether the whole solution is a win by fours; fails on an illegal move. */
static bool replay(const ply_rules *rules, gomoku_position *p, const char *name,
                   const char *solution)
{
    ply_error error = {0};
    ply_cursor cursor = ply_cursor_make(solution, strlen(solution), &error);
    int attacker = p->side, cells[GOMOKU_MAX_CELLS];
    bool forced = true;
    while (!ply_cursor_done(&cursor)) {
        ply_move move;
        gomoku_undo_info undo;
        int side = p->side;
        if (gomoku_parse_move(rules, p, &cursor, &move) != PLY_OK)
            fail_msg("%s: column %u: %s", name, error.column, error.message);
        ply_cursor_accept(&cursor, ',');
        if (side != attacker) {
            /* The answer takes the winning point, unless it wins itself. */
            int count = winning_cells(rules, p, attacker, cells);
            forced = forced && count == 1 && gomoku_move_cell(move) == cells[0];
        }
        gomoku_play(rules, p, move, &undo);
        if (side == attacker && !p->ended)
            forced = forced && winning_cells(rules, p, attacker, cells) > 0;
    }
    if (p->ended)
        return forced && p->ended == GOMOKU_ROW_BLACK + attacker;
    /* The last four cannot be stopped: two points, or one that is forbidden to Black. */
    int count = winning_cells(rules, p, attacker, cells);
    bool open = count >= 2 || (count == 1 && attacker == GOMOKU_WHITE &&
                               gomoku_forbidden_at(rules, p, cells[0]) != GOMOKU_ALLOWED);
    return forced && open && winning_cells(rules, p, !attacker, cells) == 0;
}

static void test_published_wins(void **state)
{
    (void)state;
    FILE *file = test_open_truth("renju_mate_tests.tsv");
    if (!file)
        return;
    ply_rules rules;
    test_make_rules(&rules, "gomoku", "renju");
    gomoku_position *p = calloc(1, rules.position_bytes);
    char text[8192];
    int problems = 0, by_fours = 0;
    assert_non_null(fgets(text, sizeof text, file)); /* the column names */
    while (fgets(text, sizeof text, file)) {
        char *column[9], *rest = text;
        for (int i = 0; i < 9; i++)
            column[i] = strsep(&rest, "\t\n");
        assert_non_null(column[7]);
        gomoku_start(&rules, p);
        put_list(&rules, p, column[5], GOMOKU_BLACK);
        put_list(&rules, p, column[6], GOMOKU_WHITE);
        p->side = strcmp(column[3], "White") == 0;
        assert_int_equal(gomoku_finish_setup(&rules, p), PLY_OK);
        bool fours = replay(&rules, p, column[0], column[7]);
        if (strncmp(column[1], "VCF", 3) == 0 && !fours)
            fail_msg("%s is not a win by fours", column[0]);
        by_fours += fours;
        problems++;
    }
    fclose(file);
    free(p);
    assert_int_equal(problems, 15);
    assert_true(by_fours >= 5);
}

/* A new threat board skips lines with too few stones; updating every line must change nothing. */
static void check_marks(gomoku_threat_board *board, gomoku_threat_board *copy)
{
    *copy = *board;
    for (int i = 0; i < board->line_count; i++)
        board->update(board, (const int[4]){i, i, i, i});
    size_t bytes = (size_t)board->line_count * sizeof board->five[0];
    assert_memory_equal(board->five, copy->five, bytes);
    assert_memory_equal(board->four, copy->four, bytes);
    assert_memory_equal(board->straight, copy->straight, bytes);
    assert_memory_equal(board->three, copy->three, bytes);
    assert_memory_equal(board->build, copy->build, bytes);
    assert_memory_equal(board->with_five, copy->with_five, sizeof board->with_five);
    assert_memory_equal(board->with_four, copy->with_four, sizeof board->with_four);
}

static void test_lines_left_out(void **state)
{
    (void)state;
    gomoku_threat_board *board = malloc(2 * sizeof *board);
    gomoku_threat_undo *undo = malloc((GOMOKU_MAX_CELLS + 1) * sizeof *undo);
    assert_true(board && undo);
    ply_rng rng = ply_rng_make(17, 0);
    for (int row = 3; row <= 6; row++) {
        ply_rules rules;
        char variant[60];
        snprintf(variant, sizeof variant, "freestyle:width=9,height=8,row=%d", row);
        test_make_rules(&rules, "gomoku", variant);
        gomoku_position *p = calloc(1, rules.position_bytes);
        for (int stones = 0; stones < 12; stones++) {
            gomoku_start(&rules, p);
            for (int i = 0; i < stones; i++) {
                int cell = gomoku_cell((int)ply_rng_below(&rng, 9), (int)ply_rng_below(&rng, 8));
                if (gomoku_at(p->lines, cell) < 0)
                    gomoku_put_stone(&rules, p, cell, (int)ply_rng_below(&rng, 2));
            }
            gomoku_threat_board_init(&board[0], &rules, p, undo);
            check_marks(&board[0], &board[1]);
        }
        free(p);
    }
    free(undo);
    free(board);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_published_wins),
                                       cmocka_unit_test(test_lines_left_out)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
