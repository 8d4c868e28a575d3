/* SPDX-License-Identifier: MIT */
/*
 * test_draw_search.c - draws on small boards: published results, and random positions compared with
 * a brute-force search that knows only the stones.
 */
#include "games/gomoku/proofs.h"
#include "games/gomoku/solve/draw_search.h"
#include "games/gomoku/solve/goals.h"
#include "support/support.h"
#include <stdlib.h>
#include <string.h>

/* --- brute force ----------------------------------------------------------------------------- */
enum { MAX_EMPTY = 12, STATES = 531441 /* 3^MAX_EMPTY */ };

typedef struct brute_board {
    int width, height, row;
    bool game; /* the defender's rows count too */
    int empty[MAX_EMPTY], count;
    char board[64]; /* 0 none, 1 attacker, 2 defender */
    uint8_t *known; /* by the stones on the empty cells: 0 unknown, 1 no, 2 win */
} brute_board;

static bool has_row_through(const brute_board *p, int cell)
{
    int x = cell % p->width, y = cell / p->width;
    for (int dx = -1; dx <= 1; dx++)
        for (int dy = 0; dy <= 1; dy++) {
            if (dy == 0 && dx <= 0)
                continue;
            int length = 1;
            for (int sign = -1; sign <= 1; sign += 2)
                for (int i = 1;; i++, length++) {
                    int at_x = x + sign * i * dx, at_y = y + sign * i * dy;
                    if (at_x < 0 || at_y < 0 || at_x >= p->width || at_y >= p->height ||
                        p->board[at_y * p->width + at_x] != p->board[cell])
                        break;
                }
            if (length >= p->row)
                return true;
        }
    return false;
}

static bool brute_force_wins(brute_board *p, int played, int state)
{
    static const int power[MAX_EMPTY] = {1,   3,    9,    27,    81,    243,
                                         729, 2187, 6561, 19683, 59049, 177147};
    char side = (char)(1 + played % 2);
    bool wins = side == 2;
    if (played == p->count)
        return false;
    if (p->known[state])
        return p->known[state] == 2;
    for (int i = 0; i < p->count && wins == (side == 2); i++) {
        int cell = p->empty[i];
        if (p->board[cell])
            continue;
        p->board[cell] = side;
        if ((side == 1 || p->game) && has_row_through(p, cell))
            wins = side == 1;
        else
            wins = brute_force_wins(p, played + 1, state + side * power[i]);
        p->board[cell] = 0;
    }
    p->known[state] = wins ? 2 : 1;
    return wins;
}

static bool brute_force_verdict(brute_board *p, bool game)
{
    memset(p->known, 0, STATES);
    p->game = game;
    return brute_force_wins(p, 0, 0);
}

/* Random stones until `empty` cells are left; false when somebody has a row. */
static bool make_position(brute_board *p, ply_rng *rng, int empty)
{
    int cells = p->width * p->height, order[64];
    for (int i = 0; i < cells; i++) {
        int k = (int)ply_rng_below(rng, (uint32_t)i + 1);
        order[i] = order[k];
        order[k] = i;
    }
    memset(p->board, 0, sizeof p->board);
    p->count = 0;
    bool fair = ply_rng_below(rng, 2);
    for (int i = 0; i < cells; i++) {
        int cell = order[i];
        if (cells - i <= empty) {
            p->empty[p->count++] = cell;
            continue;
        }
        p->board[cell] = (char)(fair ? 1 + i % 2 : 1 + (int)ply_rng_below(rng, 2));
        if (has_row_through(p, cell)) {
            p->board[cell] ^= 3;
            if (has_row_through(p, cell))
                return false;
        }
    }
    return true;
}

static void set_position(gomoku_draw_search *search, const brute_board *p)
{
    uint64_t stones[3] = {0};
    for (int i = 0; i < p->width * p->height; i++)
        stones[(int)p->board[i]] |= (uint64_t)1 << i;
    assert_true(gomoku_draw_search_set(search, p->width, p->height, p->row, stones[1], stones[2]));
}

static void test_random_positions(void **state)
{
    static const int boards[][3] = {{3, 3, 3}, {4, 3, 3}, {4, 4, 3}, {4, 4, 4}, {5, 4, 4},
                                    {5, 5, 4}, {6, 5, 4}, {5, 5, 5}, {6, 6, 5}, {7, 6, 5},
                                    {7, 7, 5}, {7, 7, 6}, {5, 5, 3}, {6, 6, 4}, {8, 8, 5}};
    (void)state;
    int rounds = (int)test_rounds(150, 3000), counts[3] = {0}, games = 0;
    ply_rng rng = ply_rng_make(3, 9);
    brute_board *p = calloc(1, sizeof *p);
    p->known = malloc(STATES);
    gomoku_draw_search *search = malloc(sizeof *search), *cut = malloc(sizeof *cut);
    assert_int_equal(gomoku_draw_search_init(search, 1 << 20), PLY_OK);
    assert_int_equal(gomoku_draw_search_init(cut, 0), PLY_OK);
    for (size_t k = 0; k < sizeof boards / sizeof boards[0]; k++)
        for (int i = 0; i < rounds; i++) {
            p->width = boards[k][0];
            p->height = boards[k][1];
            p->row = boards[k][2];
            int empty = 6 + (int)ply_rng_below(&rng, MAX_EMPTY - 5);
            if (i < 2 && p->width * p->height <= MAX_EMPTY)
                empty = p->width * p->height;
            if (!make_position(p, &rng, empty))
                continue;
            bool sets = brute_force_verdict(p, false), game = brute_force_verdict(p, true);
            set_position(search, p);
            set_position(cut, p);
            gomoku_verdict found = gomoku_draw_search_sets(search, 1 << 30);
            gomoku_verdict played = gomoku_draw_search_game(search, 1 << 30);
            if (found != (sets ? GOMOKU_WIN : GOMOKU_NO) ||
                played != (game ? GOMOKU_WIN : GOMOKU_NO))
                fail_msg("(%d,%d,%d) number %d: sets %d game %d, brute force %d %d", p->width,
                         p->height, p->row, i, found, played, sets, game);
            /* A search that is cut short says so or finds the same. */
            gomoku_verdict early = gomoku_draw_search_sets(cut, (uint64_t)i % 4);
            assert_true(early == GOMOKU_UNKNOWN || early == found);
            early = gomoku_draw_search_game(cut, (uint64_t)i % 8);
            assert_true(early == GOMOKU_UNKNOWN || early == played);
            counts[found]++;
            games += found != played;
        }
    gomoku_draw_search_free(search);
    gomoku_draw_search_free(cut);
    free(search);
    free(cut);
    free(p->known);
    free(p);
    print_message("winning sets: %d drawn, %d won; drawn only in the game: %d\n", counts[GOMOKU_NO],
                  counts[GOMOKU_WIN], games);
    assert_true(counts[GOMOKU_NO] > 4 * rounds && counts[GOMOKU_WIN] > rounds &&
                games > rounds / 5);
}

/* --- published results ----------------------------------------------------------------------- */
static void test_published(void **state)
{
    /* Whether the first player wins the Maker-Breaker game, and the game itself. */
    static const struct {
        int width, height, row;
        gomoku_verdict sets, game;
    } boards[] = {{3, 3, 3, GOMOKU_WIN, GOMOKU_NO},    {4, 3, 3, GOMOKU_WIN, GOMOKU_WIN},
                  {4, 4, 3, GOMOKU_WIN, GOMOKU_WIN},   {4, 4, 4, GOMOKU_NO, GOMOKU_NO},
                  {5, 4, 4, GOMOKU_NO, GOMOKU_NO},     {5, 5, 4, GOMOKU_WIN, GOMOKU_NO},
                  {5, 5, 5, GOMOKU_NO, GOMOKU_NO},     {6, 6, 5, GOMOKU_NO, GOMOKU_UNKNOWN},
                  {7, 7, 5, GOMOKU_NO, GOMOKU_UNKNOWN}};
    (void)state;
    gomoku_draw_search *search = malloc(sizeof *search);
    assert_int_equal(gomoku_draw_search_init(search, 32 << 20), PLY_OK);
    for (size_t k = 0; k < sizeof boards / sizeof boards[0]; k++) {
        assert_true(
            gomoku_draw_search_set(search, boards[k].width, boards[k].height, boards[k].row, 0, 0));
        assert_int_equal(gomoku_draw_search_sets(search, 1 << 30), boards[k].sets);
        if (boards[k].game != GOMOKU_UNKNOWN)
            assert_int_equal(gomoku_draw_search_game(search, 1 << 30), boards[k].game);
    }
    /* Five attacking stones in a row where exactly four win: an overline, which neither wins nor
     * hides other windows. */
    assert_true(gomoku_draw_search_set(search, 6, 6, 4, 0x1f | (uint64_t)0xc << 18, 0));
    assert_int_equal(gomoku_draw_search_sets(search, 1 << 30), GOMOKU_WIN);
    assert_false(gomoku_draw_search_set(search, 13, 5, 5, 0, 0));
    gomoku_draw_search_free(search);
    free(search);
}

/* The same through the goal `win`, with passes and other rules. */
static void test_goal(void **state)
{
    static const struct {
        const char *variant;
        ply_verdict verdict;
    } boards[] = {{"freestyle:width=5,height=5,row=3", PLY_VERDICT_WIN},
                  {"freestyle:width=6,height=5,row=4", PLY_VERDICT_WIN},
                  {"freestyle:width=5,height=5,row=4", PLY_VERDICT_NO},
                  {"freestyle:width=6,height=6", PLY_VERDICT_NO},
                  {"standard:width=6,height=6", PLY_VERDICT_NO},
                  {"caro:width=6,height=6", PLY_VERDICT_NO},
                  {"renju:width=6,height=6", PLY_VERDICT_NO}};
    (void)state;
    for (size_t k = 0; k < sizeof boards / sizeof boards[0]; k++) {
        ply_rules rules;
        test_make_rules(&rules, "gomoku", boards[k].variant);
        gomoku_position *p = calloc(1, rules.position_bytes);
        ply_solve_options options = {.memory_mb = 64};
        ply_solve_limits limits = {0};
        ply_solve_report report;
        ply_solver *solver = ply_solver_new(&rules, &gomoku_goals[GOMOKU_GOAL_WIN], &options);
        assert_non_null(solver);
        gomoku_start(&rules, p);
        assert_int_equal(ply_solver_run(solver, p, &limits, NULL, NULL, &report), PLY_OK);
        assert_int_equal(report.verdict, boards[k].verdict);
        assert_true(report.memory_bytes <= (size_t)64 << 20);
        check_proof(solver, &report, boards[k].variant);
        /* With too few nodes the answer may only be the same or unknown. */
        limits.nodes = 50;
        assert_int_equal(ply_solver_run(solver, p, &limits, NULL, NULL, &report), PLY_OK);
        assert_true(report.verdict == boards[k].verdict || report.verdict == PLY_VERDICT_UNKNOWN);
        ply_solver_free(solver);
        free(p);
    }
}

/* --- goals on nearly full boards, by their definitions --------------------------------------- */
/* Whether the attacker reaches the goal; tries every move that its definition allows. */
static bool brute_force_goal(const ply_rules *rules, gomoku_position *p, const ply_goal *goal,
                             int attacker)
{
    ply_move moves[GOMOKU_MAX_CELLS + 1];
    ply_goal_value value = goal->value(rules, p, attacker);
    bool mine = p->side == attacker, wins = !mine;
    if (value != PLY_GOAL_OPEN)
        return value == PLY_GOAL_REACHED;
    size_t count = gomoku_moves(rules, p, moves);
    for (size_t i = 0; i < count && wins != mine; i++) {
        gomoku_undo_info undo;
        if (mine && goal->allows && !goal->allows(rules, p, moves[i], NULL))
            continue;
        gomoku_play(rules, p, moves[i], &undo);
        wins = brute_force_goal(rules, p, goal, attacker);
        gomoku_undo(rules, p, moves[i], &undo);
    }
    return wins;
}

enum { NEVER = 1000 };

/* The length of the shortest win against the longest defence; NEVER when there is none. */
static int brute_force_plies(const ply_rules *rules, gomoku_position *p, const ply_goal *goal,
                             int attacker)
{
    ply_move moves[GOMOKU_MAX_CELLS + 1];
    ply_goal_value value = goal->value(rules, p, attacker);
    bool mine = p->side == attacker;
    if (value != PLY_GOAL_OPEN)
        return value == PLY_GOAL_REACHED ? 0 : NEVER;
    size_t count = mine ? gomoku_moves(rules, p, moves) : goal->defences(rules, p, moves);
    int best = mine ? NEVER : 0;
    for (size_t i = 0; i < count; i++) {
        gomoku_undo_info undo;
        if (mine && goal->allows && !goal->allows(rules, p, moves[i], NULL))
            continue;
        gomoku_play(rules, p, moves[i], &undo);
        int plies = brute_force_plies(rules, p, goal, attacker);
        gomoku_undo(rules, p, moves[i], &undo);
        plies += plies < NEVER;
        if (mine ? plies < best : plies > best)
            best = plies;
    }
    return best;
}

/* Compares the shortest win with brute force and checks the proof of the verdict. */
static void compare_lengths(ply_solver *solver, const ply_rules *rules, gomoku_position *p, int g,
                            int counts[2])
{
    ply_solve_limits limits = {.shortest = true};
    ply_solve_report report;
    assert_int_equal(ply_solver_run(solver, p, &limits, NULL, NULL, &report), PLY_OK);
    int expected = brute_force_plies(rules, p, &gomoku_goals[g], p->side);
    if (report.verdict == PLY_VERDICT_WIN) {
        if (report.shortest ? expected != (int)report.plies : expected > (int)report.plies) {
            ply_text text = ply_text_growing();
            gomoku_format(rules, p, &text);
            fail_msg("%s %s: shortest %u%s, brute force %d", gomoku_goals[g].id,
                     ply_text_cstr(&text), report.plies, report.shortest ? "" : " or less",
                     expected);
        }
        counts[0] += report.shortest;
    }
    if (report.verdict != PLY_VERDICT_UNKNOWN) {
        ply_text text = ply_text_growing();
        gomoku_format(rules, p, &text);
        check_proof(solver, &report, ply_text_cstr(&text));
        ply_text_free(&text);
        counts[1] += report.verdict == PLY_VERDICT_NO;
    }
}

static void test_goals_at_random(void **state)
{
    static const char *const variants[] = {"freestyle:width=5,height=5,row=4",
                                           "freestyle:width=5,height=5,row=3",
                                           "standard:width=5,height=5,row=3",
                                           "standard:width=6,height=5,row=4",
                                           "caro:width=5,height=5,row=3",
                                           "caro:width=6,height=6,row=4",
                                           "caro-overline:width=6,height=5,row=3",
                                           "renju:width=6,height=6",
                                           "renju:width=7,height=6,forbidden=loses",
                                           "renju:width=7,height=7,pass=no",
                                           "freestyle:width=6,height=6,row=4,pass=yes"};
    (void)state;
    int counts[2][3] = {{0}}, lengths[2] = {0}, rounds = (int)test_rounds(2500, 20000);
    ply_rng rng = ply_rng_make(21, 4);
    for (size_t k = 0; k < sizeof variants / sizeof variants[0]; k++) {
        ply_rules rules;
        test_make_rules(&rules, "gomoku", variants[k]);
        gomoku_position *p = calloc(1, rules.position_bytes);
        ply_solve_options options = {.memory_mb = 4};
        for (int g = GOMOKU_GOAL_VCT; g <= GOMOKU_GOAL_WIN; g++) {
            ply_solver *solver = ply_solver_new(&rules, &gomoku_goals[g], &options);
            for (int i = 0; i < rounds; i++) {
                ply_solve_limits limits = {0};
                ply_solve_report report;
                int empty = 3 + (int)ply_rng_below(&rng, 5);
                gomoku_start(&rules, p);
                /* Random stones of random colours; positions that are over are skipped. */
                for (int n = gomoku_cell_count(&rules); n > 0; n--) {
                    int cell =
                        gomoku_cell((n - 1) % gomoku_width(&rules), (n - 1) / gomoku_width(&rules));
                    if (ply_rng_below(&rng, (uint32_t)n) >= (uint32_t)empty)
                        gomoku_put_stone(&rules, p, cell, (int)ply_rng_below(&rng, 2));
                    else
                        empty--;
                }
                p->side = (uint8_t)ply_rng_below(&rng, 2);
                if (gomoku_finish_setup(&rules, p) != PLY_OK || gomoku_is_over(&rules, p))
                    continue;
                assert_int_equal(ply_solver_run(solver, p, &limits, NULL, NULL, &report), PLY_OK);
                bool wins = brute_force_goal(&rules, p, &gomoku_goals[g], p->side);
                if (report.verdict == (wins ? PLY_VERDICT_NO : PLY_VERDICT_WIN)) {
                    ply_text text = ply_text_growing();
                    gomoku_format(&rules, p, &text);
                    fail_msg("%s %s %s: verdict %d, brute force %d", variants[k],
                             gomoku_goals[g].id, ply_text_cstr(&text), (int)report.verdict, wins);
                }
                counts[g == GOMOKU_GOAL_WIN][report.verdict == PLY_VERDICT_UNKNOWN ? 2 : wins]++;
                if (i % (test_is_long() ? 4 : 16) == 0)
                    compare_lengths(solver, &rules, p, g, lengths);
            }
            ply_solver_free(solver);
        }
        free(p);
    }
    for (int g = 0; g < 2; g++)
        print_message("%s: %d no, %d won, %d unknown\n", gomoku_goals[GOMOKU_GOAL_VCT + g].id,
                      counts[g][0], counts[g][1], counts[g][2]);
    print_message("%d shortest wins, %d proofs of no\n", lengths[0], lengths[1]);
    assert_int_equal(counts[0][2], 0);
    assert_true(lengths[0] > rounds / 16 && lengths[1] > rounds / 32);
    assert_true(counts[0][0] > rounds / 4 && counts[0][1] > rounds / 4);
    assert_true(counts[1][0] > rounds / 4 && counts[1][1] > rounds / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_positions), cmocka_unit_test(test_published),
        cmocka_unit_test(test_goal), cmocka_unit_test(test_goals_at_random)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
