/* SPDX-License-Identifier: MIT */
/*
 * test_random.c - random games: every move is legal, every legal move is equally likely, and every
 * game ends where the rules say. The tests do not depend on how moves are drawn.
 */
#include "games/shogi/shogi.h"
#include "support/support.h"
#include <math.h>
#include <string.h>

/* The move that leads from a state to a position; fails if no legal move does. */
static ply_move find_move(const ply_state *s, const shogi_position *after)
{
    ply_move moves[SHOGI_MAX_MOVES];
    size_t count = shogi_moves(s->rules, s->position, moves);
    for (size_t i = 0; i < count; i++) {
        shogi_position p = *(const shogi_position *)s->position;
        shogi_undo_info undo;
        shogi_play(s->rules, &p, moves[i], &undo);
        if (memcmp(&p, after, sizeof p) == 0)
            return moves[i];
    }
    fail_msg("no legal move was played");
    return PLY_MOVE_NONE;
}

/*
 * Follows one random game ply by ply. The playouts of n - 1 and of n plies are one legal move
 * apart, and the game ends when the rules say, for the reason they give.
 */
static void follow_game(const ply_rules *rules, const char *sfen, uint64_t stream, size_t max_plies)
{
    ply_state s;
    test_make_state(&s, rules, sfen);
    const shogi_position start = *(const shogi_position *)s.position;
    for (size_t n = 1;; n++) {
        shogi_position p = start;
        ply_outcome outcome, rule = ply_state_outcome(&s);
        ply_rng rng = ply_rng_make(31, stream);
        size_t plies = shogi_playout(rules, &p, &rng, n, &outcome);
        if (rule.result != PLY_ONGOING) {
            assert_int_equal(plies, n - 1);
            assert_int_equal(outcome.result, rule.result);
            assert_string_equal(outcome.reason, rule.reason);
            break;
        }
        assert_int_equal(plies, n);
        ply_state_play(&s, find_move(&s, &p));
        assert_int_equal(outcome.result, ply_state_outcome(&s).result);
        assert_int_equal(shogi_hash(rules, &p), shogi_compute_hash(rules, &p));
        for (int level = 1; level <= ply_isa_best() && n % 50 == 0; level++) {
            shogi_position other = start;
            rng = ply_rng_make(31, stream);
            assert_int_equal(
                PLY_ISA_AT(shogi_kernels_of, level)->playout(rules, &other, &rng, n, &outcome), n);
            assert_memory_equal(&other, &p, sizeof p);
        }
        if (n == max_plies)
            break;
    }
    ply_state_free(&s);
}

static void test_games(void **unused)
{
    (void)unused;
    static const struct {
        const char *rules, *sfen;
    } starts[] = {
        {"standard", NULL},
        {"standard:impasse=24", NULL},
        {"standard:impasse=try", NULL},
        {"standard:impasse=none,plies=120", NULL},
        {"10-piece", NULL},
        /* Little material: repetitions of every kind. */
        {"standard", "8k/9/9/9/9/9/9/9/K8 b - 1"},
        {"standard:impasse=try", "8k/9/9/9/9/9/9/9/K8 b - 1"},
        {"standard", "8k/9/9/9/4R4/9/9/9/K8 b - 1"},
        {"standard:impasse=24", "K+R+R+B+B4/9/9/9/9/9/9/9/8k b 2P2s4n4l16p 1"},
        /* Kings in the camps, hands full, few moves, no king. */
        {"standard", "+R+B+N+S1K1+L1/2+P+P+P4/9/9/9/9/9/2+p+p4p/1+r2k+b3 b GSNL5Pgsnl5p 1"},
        {"standard", "8k/9/9/9/9/9/9/9/K8 b 2R2B4G4S4N4L18P 1"},
        {"standard:impasse=none", "8k/9/9/9/9/9/9/9/K7P b - 1"},
        {"standard", "7lk/9/8S/9/9/9/9/7L1/9 b 2P 1"},
    };
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
        ply_rules rules;
        test_make_rules(&rules, "shogi", starts[i].rules);
        for (uint64_t game = 0; game < (test_is_long() ? 60 : 4); game++)
            follow_game(&rules, starts[i].sfen, game, 1100);
    }
}

/*
 * Draws one ply from a position many times: Pearson's chi-squared test, with a tolerance of six
 * standard deviations.
 */
static void check_uniform(const ply_rules *rules, const shogi_position *p, unsigned each)
{
    ply_move moves[SHOGI_MAX_MOVES];
    uint64_t keys[SHOGI_MAX_MOVES];
    unsigned drawn[SHOGI_MAX_MOVES] = {0};
    size_t count = shogi_moves(rules, p, moves);
    for (size_t i = 0; i < count; i++) {
        shogi_position after = *p;
        shogi_undo_info undo;
        shogi_play(rules, &after, moves[i], &undo);
        keys[i] = shogi_hash(rules, &after);
    }
    ply_rng rng = ply_rng_make(32, count);
    for (size_t draw = 0; draw < each * count; draw++) {
        shogi_position after = *p;
        ply_outcome outcome;
        assert_int_equal(shogi_playout(rules, &after, &rng, 1, &outcome), 1);
        size_t at = 0;
        while (at < count && keys[at] != shogi_hash(rules, &after))
            at++;
        assert_true(at < count);
        drawn[at]++;
    }
    double chi = 0, freedom = (double)count - 1;
    for (size_t i = 0; i < count; i++)
        chi += ((double)drawn[i] - each) * ((double)drawn[i] - each) / each;
    if (chi > freedom + 6 * sqrt(2 * freedom) || chi < freedom - 6 * sqrt(2 * freedom))
        fail_msg("chi-squared is %.1f with %.0f degrees of freedom", chi, freedom);
}

static void test_uniform(void **unused)
{
    (void)unused;
    static const char *const sfens[] = {
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
        /* A pawn drop that mates is never drawn. */
        "7lk/9/8S/9/9/9/9/7L1/8K b P 1",
        /* Pinned on a file and on a diagonal; few king steps are safe. */
        "4r3k/9/9/1b7/4G4/3S5/4K4/9/4r3b b P 1",
        /* In check from nearby and from a distance. */
        "4k4/9/9/4r4/9/9/9/3g5/4K4 b RBGSNLP 1",
        "4k4/9/9/4r4/9/9/9/4P4/4K1s2 b BGSNL 1",
        /* The position with 593 moves. */
        "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
        /* A king with one safe square, and no other piece that can move. */
        "7rk/9/9/9/9/9/r8/9/K8 b - 1",
    };
    ply_rules rules;
    test_make_rules(&rules, "shogi", "standard");
    ply_state s;
    for (size_t i = 0; i < sizeof sfens / sizeof sfens[0]; i++) {
        test_make_state(&s, &rules, sfens[i]);
        check_uniform(&rules, s.position, test_is_long() ? 2000 : 100);
        ply_state_free(&s);
    }
    /* Positions from random games. */
    for (uint64_t game = 0; game < (test_is_long() ? 200 : 10); game++) {
        shogi_position p;
        ply_outcome outcome;
        ply_rng rng = ply_rng_make(33, game);
        shogi_start(&rules, &p);
        shogi_playout(&rules, &p, &rng, 40 + 13 * game % 300, &outcome);
        if (outcome.result == PLY_ONGOING)
            check_uniform(&rules, &p, 100);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_games),
        cmocka_unit_test(test_uniform),
    };
    return cmocka_run_group_tests_name("shogi random", tests, NULL, NULL);
}
