/* SPDX-License-Identifier: MIT */
/*
 * test_candidates.c - the moves the search tries, against what the patterns say of every cell, in
 * positions of random games.
 */
#include "games/gomoku/gomoku.h"
#include "support/support.h"
#include <stdlib.h>
#include <string.h>

enum { MOST = 20 }; /* candidates where nothing is forced */

/* What a stone of the player to move would make on a cell, in any direction. */
static gomoku_points points_at(const ply_rules *rules, const gomoku_position *p, int cell,
                               int colour)
{
    int width = gomoku_width(rules), height = gomoku_height(rules);
    gomoku_spot spot = gomoku_spot_of(width, height, cell);
    gomoku_points all = {0};
    for (int d = 0; d < GOMOKU_DIRECTIONS; d++) {
        int length = gomoku_line_length(width, height, spot.line[d]);
        if (length < gomoku_row(rules))
            continue;
        gomoku_points g = gomoku_points_of(p->lines[spot.line[d]], length, gomoku_rule_of(rules),
                                           gomoku_row(rules));
        uint64_t bit = (uint64_t)1 << (spot.shift[d] + colour);
        all.five |= g.five & bit;
        all.four |= g.four & bit;
        all.three |= g.three & bit;
    }
    return all;
}

/* Whether the opponent would win by fours if the player to move passed. */
static bool is_threatened(const ply_rules *rules, const gomoku_position *p)
{
    enum { EFFORT = 5 };
    gomoku_undo_info undo;
    int plies;
    uint64_t nodes = 0;
    gomoku_position *copy = malloc(rules->position_bytes);
    assert_non_null(copy);
    memcpy(copy, p, rules->position_bytes);
    gomoku_null_move(rules, copy, &undo);
    bool threatened = gomoku_find_win(rules, copy, EFFORT, &plies, &nodes) != PLY_MOVE_NONE;
    free(copy);
    return threatened;
}

typedef struct counts {
    int winning, forced, free, threes;
} counts;

static void check_position(const ply_rules *rules, const gomoku_position *p, counts *seen)
{
    ply_move moves[GOMOKU_MAX_CELLS + 1], all[GOMOKU_MAX_CELLS + 1];
    int32_t scores[GOMOKU_MAX_CELLS + 1], best = INT32_MIN;
    size_t count = gomoku_candidates(rules, p, moves, scores);
    size_t legal = gomoku_moves(rules, p, all);
    assert_true(count > 0 && count <= legal);
    bool hopeless = true; /* all that would help is forbidden: every move is listed, unscored */
    for (size_t i = 0; i < count; i++)
        hopeless &= scores[i] == 0;
    if (hopeless) {
        assert_int_equal(count, legal);
        return;
    }
    bool own_five = false, enemy_five = false, quiet_left = false;
    for (size_t i = 0; i < legal; i++) {
        if (all[i] == GOMOKU_PASS)
            continue;
        own_five |= points_at(rules, p, gomoku_move_cell(all[i]), p->side).five != 0;
        enemy_five |= points_at(rules, p, gomoku_move_cell(all[i]), !p->side).five != 0;
    }
    for (size_t i = 0; i < count; i++) {
        size_t k = 0;
        while (k < legal && all[k] != moves[i])
            k++;
        assert_true(k < legal);
        for (size_t j = 0; j < i; j++)
            assert_true(moves[j] != moves[i]);
        best = scores[i] > best ? scores[i] : best;
        gomoku_points g = points_at(rules, p, gomoku_move_cell(moves[i]), p->side);
        quiet_left |= !g.five && !g.four && !g.three;
        if (own_five || enemy_five)
            continue;
        /* Fours and threes are noisy; the search must not prune them. */
        if (g.four || g.three)
            assert_true(scores[i] >= PLY_CANDIDATE_NOISY);
        seen->threes += g.three && !g.four;
    }
    if (own_five) {
        assert_int_equal(count, 1);
        assert_true(points_at(rules, p, gomoku_move_cell(moves[0]), p->side).five != 0);
        seen->winning++;
    } else if (enemy_five) {
        seen->forced++;
    } else if (!is_threatened(rules, p)) {
        assert_true(count <= MOST);
        /* No cell left out is better: none makes a four or a three if a quiet cell was kept. */
        for (size_t i = 0; i < legal && quiet_left; i++) {
            size_t k = 0;
            while (k < count && moves[k] != all[i])
                k++;
            if (count < MOST || k < count || all[i] == GOMOKU_PASS)
                continue;
            gomoku_points g = points_at(rules, p, gomoku_move_cell(all[i]), p->side);
            assert_true(!g.four && !g.three);
        }
        seen->free++;
    }
}

/* A stone that wins has the highest score, then one that keeps the opponent from winning. */
static void test_scores_of_fives(void **state)
{
    (void)state;
    static const char position[] =
        "15/15/2XXXX9/15/15/15/15/15/2OOOO9/15/15/15/15/15/15 "; /* and the player to move */
    for (int side = 0; side < 2; side++) {
        ply_rules rules;
        ply_state s;
        char text[100];
        snprintf(text, sizeof text, "%s%c", position, side ? 'O' : 'X');
        test_make_rules(&rules, "gomoku", "freestyle");
        test_make_state(&s, &rules, text);
        ply_move moves[GOMOKU_MAX_CELLS + 1];
        int32_t scores[GOMOKU_MAX_CELLS + 1];
        size_t count = gomoku_moves(&rules, s.position, moves);
        gomoku_score_moves(&rules, s.position, moves, count, scores);
        int32_t wins = INT32_MAX, stops = INT32_MAX, others = INT32_MIN;
        for (size_t i = 0; i < count; i++) {
            int cell = gomoku_move_cell(moves[i]), y = gomoku_y(cell);
            bool five = points_at(&rules, s.position, cell, side).five != 0;
            bool enemy_five = points_at(&rules, s.position, cell, !side).five != 0;
            assert_true(!(five && enemy_five) && (!(five || enemy_five) || y == 12 || y == 6));
            if (five)
                wins = scores[i] < wins ? scores[i] : wins;
            else if (enemy_five)
                stops = scores[i] < stops ? scores[i] : stops;
            else
                others = scores[i] > others ? scores[i] : others;
        }
        assert_true(wins < INT32_MAX && stops < wins && others < stops);
        ply_state_free(&s);
    }
}

static void test_random_games(void **state)
{
    (void)state;
    static const char *const variants[] = {"freestyle", "standard", "freestyle:width=20,height=20",
                                           "renju:pass=no"};
    for (size_t v = 0; v < sizeof variants / sizeof variants[0]; v++) {
        ply_rules rules;
        ply_state s;
        counts seen = {0};
        test_make_rules(&rules, "gomoku", variants[v]);
        test_make_state(&s, &rules, NULL);
        ply_rng rng = ply_rng_make(77, v);
        ply_move moves[GOMOKU_MAX_CELLS + 1];
        int32_t scores[GOMOKU_MAX_CELLS + 1];
        for (int i = 0; i < 4000; i++) {
            if (ply_state_outcome(&s).result != PLY_ONGOING) {
                assert_int_equal(ply_state_restart(&s), PLY_OK);
                continue;
            }
            check_position(&rules, s.position, &seen);
            /* Mostly candidates, so that shapes arise; sometimes anything. */
            size_t count = ply_rng_below(&rng, 4)
                               ? gomoku_candidates(&rules, s.position, moves, scores)
                               : gomoku_moves(&rules, s.position, moves);
            assert_int_equal(ply_state_play(&s, moves[ply_rng_below(&rng, (uint32_t)count)]),
                             PLY_OK);
        }
        print_message("%s: %d won, %d forced, %d free, %d threes\n", variants[v], seen.winning,
                      seen.forced, seen.free, seen.threes);
        assert_true(seen.winning > 20 && seen.forced > 20 && seen.free > 1000);
        assert_true(seen.threes > 1000);
        ply_state_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_scores_of_fives),
                                       cmocka_unit_test(test_random_games)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
