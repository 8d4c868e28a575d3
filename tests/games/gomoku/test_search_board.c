/* SPDX-License-Identifier: MIT */
/*
 * test_search_board.c - the board that the search keeps beside the position: after any moves and
 * undos it equals one set up afresh, its levels are what the patterns say of every cell, and its
 * hooks answer as the plain ones do.
 */
#include "games/gomoku/eval/search_board.h"
#include "support/support.h"
#include <stdlib.h>
#include <string.h>

enum { PLIES = 40, STEPS = 3000 };

static const char *const variants[] = {"freestyle",
                                       "standard",
                                       "renju",
                                       "caro",
                                       "caro-overline",
                                       "freestyle:width=20,height=20",
                                       "freestyle:row=4",
                                       "freestyle:width=32,height=7,row=6",
                                       "freestyle:width=5,height=5,row=3"};
enum { VARIANTS = sizeof variants / sizeof variants[0] };

/* What a stone of a colour would make on a cell in one direction, from the plain patterns. */
static unsigned level_of(const ply_rules *rules, const gomoku_position *p, int cell, int colour,
                         int d)
{
    int width = gomoku_width(rules), height = gomoku_height(rules), row = gomoku_row(rules);
    gomoku_spot spot = gomoku_spot_of(width, height, cell);
    int length = gomoku_line_length(width, height, spot.line[d]), at = spot.shift[d] / 2;
    uint64_t line = p->lines[spot.line[d]], bit = (uint64_t)1 << (spot.shift[d] + colour);
    if (length < row)
        return GOMOKU_LEVEL_NONE;
    gomoku_points g = gomoku_points_of(line, length, gomoku_rule_of(rules), row);
    if (g.five & bit)
        return GOMOKU_LEVEL_FIVE;
    if (g.straight & bit)
        return GOMOKU_LEVEL_STRAIGHT;
    if (g.four & bit)
        return GOMOKU_LEVEL_FOUR;
    if (g.three & bit)
        return GOMOKU_LEVEL_THREE;
    /* The most own stones in a window around the cell that may still become a row. */
    int most = 0;
    bool longer = gomoku_rule_of(rules) == GOMOKU_FREESTYLE ||
                  gomoku_rule_of(rules) == GOMOKU_CARO_OVERLINE ||
                  (gomoku_rule_of(rules) == GOMOKU_RENJU && colour == GOMOKU_WHITE);
    bool caro =
        gomoku_rule_of(rules) == GOMOKU_CARO || gomoku_rule_of(rules) == GOMOKU_CARO_OVERLINE;
    for (int first = at - row + 1; first <= at; first++) {
        int own = 0, enemy = 0;
        if (first < 0 || first + row > length)
            continue;
        for (int i = first; i < first + row; i++) {
            own += (int)(line >> (2 * i + colour) & 1);
            enemy += (int)(line >> (2 * i + !colour) & 1);
        }
        bool own_before = first > 0 && (line >> (2 * (first - 1) + colour) & 1);
        bool own_after = first + row < length && (line >> (2 * (first + row) + colour) & 1);
        bool enemy_before = first > 0 && (line >> (2 * (first - 1) + !colour) & 1);
        bool enemy_after = first + row < length && (line >> (2 * (first + row) + !colour) & 1);
        if (enemy || (!longer && (own_before || own_after)) ||
            (caro && enemy_before && enemy_after))
            continue;
        most = own > most ? own : most;
    }
    if (most >= row - 3 && row > 3)
        return GOMOKU_LEVEL_BUILD;
    if (g.two & bit)
        return GOMOKU_LEVEL_TWO;
    return most >= row - 4 && most > 0 ? GOMOKU_LEVEL_PAIR : GOMOKU_LEVEL_NONE;
}

static void check_levels(const ply_rules *rules, const gomoku_position *p,
                         const gomoku_search_board *b)
{
    for (int y = 0; y < gomoku_height(rules); y++)
        for (int x = 0; x < gomoku_width(rules); x++)
            for (int colour = 0; colour < 2; colour++) {
                int cell = gomoku_cell(x, y);
                unsigned code = b->codes[colour * GOMOKU_MAX_CELLS + cell];
                for (int d = 0; d < GOMOKU_DIRECTIONS; d++)
                    assert_int_equal(code >> (3 * d) & 7, gomoku_at(p->lines, cell) < 0
                                                              ? level_of(rules, p, cell, colour, d)
                                                              : GOMOKU_LEVEL_NONE);
            }
}

/* The player to move wins by fours within some plies, as a search without memory finds too. */
static void check_win(const ply_rules *rules, const gomoku_position *p, int plies)
{
    enum { ENOUGH_NODES = 1000000 };
    gomoku_fixed_board fixed;
    gomoku_search_board_init(rules, p, 0, &fixed);
    assert_int_equal(gomoku_vcf_solve(&fixed.board.fours, p->side, plies, ENOUGH_NODES),
                     GOMOKU_WIN);
}

/* Every instruction set computes the same levels. */
static void check_instruction_sets(const gomoku_search_board *b, ply_rng *rng)
{
    int lines[4];
    gomoku_levels levels[4];
    for (int i = 0; i < 4; i++)
        lines[i] = (int)ply_rng_below(rng, (uint32_t)b->threats.line_count);
    for (int level = 1; level <= ply_isa_level(); level += level == 1 ? 2 : 1) {
        PLY_ISA_AT(gomoku_level_kernels_of, level)->compute(&b->threats, lines, levels);
        for (int i = 0; i < 4; i++)
            if (b->threats.word[lines[i]])
                assert_memory_equal(&levels[i], &b->levels[lines[i]], sizeof levels[i]);
    }
}

static void check_hooks(const ply_rules *rules, const gomoku_position *p, gomoku_search_board *b)
{
    ply_move moves[2][GOMOKU_MAX_CELLS + 1];
    int32_t scores[2][GOMOKU_MAX_CELLS + 1];
    int plies[2] = {0, 0};
    uint64_t nodes[2] = {0, 0};
    assert_int_equal(gomoku_board_evaluate(rules, p, b), gomoku_evaluate(rules, p));
    assert_int_equal(gomoku_board_in_check(rules, p, b), gomoku_in_check(rules, p));
    /* The board remembers which fours failed, so it may find a win that costs others more nodes. */
    ply_move win = gomoku_board_find_win(rules, p, b, 3, &plies[0], &nodes[0]);
    ply_move fresh = gomoku_find_win(rules, p, 3, &plies[1], &nodes[1]);
    assert_true(win != PLY_MOVE_NONE || fresh == PLY_MOVE_NONE);
    if (win != PLY_MOVE_NONE)
        check_win(rules, p, plies[0]);
    size_t count = gomoku_board_candidates(rules, p, b, moves[0], scores[0]);
    gomoku_fixed_board fixed;
    gomoku_search_board_init(rules, p, 0, &fixed);
    assert_memory_equal(fixed.board.levels, b->levels,
                        (size_t)b->threats.line_count * sizeof b->levels[0]);
    for (int colour = 0; colour < 2; colour++)
        assert_memory_equal(fixed.board.codes + colour * GOMOKU_MAX_CELLS,
                            b->codes + colour * GOMOKU_MAX_CELLS,
                            (size_t)b->threats.height * 32 * sizeof b->codes[0]);
    assert_memory_equal(fixed.board.sums, b->sums, sizeof b->sums);
    assert_int_equal(fixed.board.threats.hash, b->threats.hash);
    if (count == gomoku_candidates(rules, p, moves[1], scores[1])) {
        assert_memory_equal(moves[0], moves[1], count * sizeof moves[0][0]);
        assert_memory_equal(scores[0], scores[1], count * sizeof scores[0][0]);
    }
}

/* Random moves, mostly candidates, with undos in between; passes where the rules have them. */
static void test_random_walks(void **state)
{
    (void)state;
    for (size_t v = 0; v < VARIANTS; v++) {
        ply_rules rules;
        ply_state s;
        test_make_rules(&rules, "gomoku", variants[v]);
        test_make_state(&s, &rules, NULL);
        gomoku_search_board *b = calloc(1, gomoku_search_board_bytes(&rules, PLIES));
        assert_non_null(b);
        ply_rng rng = ply_rng_make(31, v);
        ply_move moves[GOMOKU_MAX_CELLS + 1];
        int32_t scores[GOMOKU_MAX_CELLS + 1];
        size_t base = 0;
        gomoku_search_board_init(&rules, s.position, PLIES, b);
        for (int i = 0; i < STEPS; i++) {
            bool over = ply_state_outcome(&s).result != PLY_ONGOING;
            if (s.plies > base && (over || ply_rng_below(&rng, 3) == 0)) {
                gomoku_search_board_undo(&rules, b);
                ply_state_undo(&s);
                continue;
            }
            if (over || s.plies == base + PLIES) {
                if (over)
                    assert_int_equal(ply_state_restart(&s), PLY_OK);
                base = s.plies;
                gomoku_search_board_init(&rules, s.position, PLIES, b);
                continue;
            }
            check_levels(&rules, s.position, b);
            check_instruction_sets(b, &rng);
            check_hooks(&rules, s.position, b);
            size_t count = ply_rng_below(&rng, 4)
                               ? gomoku_board_candidates(&rules, s.position, b, moves, scores)
                               : gomoku_moves(&rules, s.position, moves);
            ply_move move = moves[ply_rng_below(&rng, (uint32_t)count)];
            gomoku_search_board_play(&rules, s.position, move, b);
            assert_int_equal(ply_state_play(&s, move), PLY_OK);
        }
        free(b);
        ply_state_free(&s);
    }
}

/* The combination is the same for every order of the directions, and different otherwise. */
static void test_combinations(void **state)
{
    (void)state;
    unsigned seen[GOMOKU_COMBINATIONS] = {0};
    for (unsigned code = 0; code < GOMOKU_PACKED_CODES; code++) {
        unsigned turned = (code >> 3 | code << 9) & (GOMOKU_PACKED_CODES - 1);
        unsigned swapped = (code & ~077u) | (code & 7) << 3 | (code >> 3 & 7);
        assert_true(gomoku_combination_of[code] < GOMOKU_COMBINATIONS);
        assert_int_equal(gomoku_combination_of[code], gomoku_combination_of[turned]);
        assert_int_equal(gomoku_combination_of[code], gomoku_combination_of[swapped]);
        unsigned levels[4] = {code & 7, code >> 3 & 7, code >> 6 & 7, code >> 9};
        if (levels[0] <= levels[1] && levels[1] <= levels[2] && levels[2] <= levels[3])
            seen[gomoku_combination_of[code]]++;
    }
    for (int i = 0; i < GOMOKU_COMBINATIONS; i++)
        assert_int_equal(seen[i], 1);
    assert_int_equal(gomoku_combination_of[0], 0);
    assert_int_equal(gomoku_weights[GOMOKU_COUNT_WEIGHTS], 0); /* empty cells do not count */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_walks),
                                       cmocka_unit_test(test_combinations)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
