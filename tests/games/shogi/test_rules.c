/* SPDX-License-Identifier: MIT */
/* test_rules.c - how games end, and the kernels of all instruction sets. */
#include "games/shogi/shogi.h"
#include "support/support.h"
#include <string.h>

static ply_rules rules;

static void play_text(ply_state *state, const char *moves)
{
    ply_error error = {0};
    if (ply_state_play_text(state, moves, strlen(moves), &error) != PLY_OK)
        fail_msg("%s: %s", moves, error.message);
}

static void expect_outcome(const ply_state *state, ply_result result, const char *reason)
{
    ply_outcome outcome = ply_state_outcome(state);
    assert_int_equal(outcome.result, result);
    if (reason)
        assert_string_equal(outcome.reason, reason);
    else
        assert_null(outcome.reason);
}

static void open_game(ply_state *state, const char *variant, const char *sfen)
{
    test_make_rules(&rules, "shogi", variant);
    test_make_state(state, &rules, sfen);
}

static void test_repetition_is_a_draw(void **unused)
{
    (void)unused;
    ply_state s;
    open_game(&s, NULL, NULL);
    for (int i = 0; i < 3; i++) {
        expect_outcome(&s, PLY_ONGOING, NULL);
        play_text(&s, "2h3h 8b7b 3h2h");
        expect_outcome(&s, PLY_ONGOING, NULL);
        play_text(&s, "7b8b");
        assert_int_equal(shogi_repetition_outcome(&rules, s.position, s.undo_stack, s.plies).result,
                         PLY_DRAW);
    }
    expect_outcome(&s, PLY_DRAW, "repetition");
    ply_state_free(&s);
}

/*
 * A capture does not rule out repetition, because captured pieces can be dropped again. Positions
 * with the same board but different hands are not equal.
 */
static void test_repetition_compares_hands(void **unused)
{
    (void)unused;
    ply_state s;
    open_game(&s, NULL, "k8/9/9/4r4/9/9/9/9/K8 b 3P 1");
    unsigned times;
    for (int i = 0; i < 3; i++) {
        play_text(&s, "P*5e 5d5e 9i8i 5e5c 8i9i 5c5d");
        expect_outcome(&s, PLY_ONGOING, NULL); /* the same board, but different hands */
        assert_int_equal(shogi_find_repetition(s.position, (const shogi_undo_info *)s.undo_stack,
                                               s.plies, &times),
                         SHOGI_REPEAT_INFERIOR);
        assert_int_equal(times, 1);
    }
    ply_state_undo(&s);
    /* From White's point of view the hand has grown since the earlier position. */
    assert_int_equal(
        shogi_find_repetition(s.position, (const shogi_undo_info *)s.undo_stack, s.plies, &times),
        SHOGI_REPEAT_SUPERIOR);
    ply_state_free(&s);
}

/* The fourth occurrence can come after a move of either player. */
static void test_perpetual_check_loses(void **unused)
{
    (void)unused;
    ply_state s;
    unsigned times;
    open_game(&s, NULL, "4k4/9/9/9/5R3/9/9/9/K8 b - 1");
    for (int i = 0; i < 3; i++) {
        expect_outcome(&s, PLY_ONGOING, NULL);
        play_text(&s, "4e5e 5a4a 5e4e 4a5a");
        assert_int_equal(shogi_find_repetition(s.position, (const shogi_undo_info *)s.undo_stack,
                                               s.plies, &times),
                         SHOGI_REPEAT_LOSS);
        assert_int_equal(times, i + 2);
        /* The search learns at the first repetition where this leads. */
        assert_int_equal(shogi_repetition_outcome(&rules, s.position, s.undo_stack, s.plies).result,
                         PLY_SECOND_WINS);
    }
    expect_outcome(&s, PLY_SECOND_WINS, "perpetual-check");
    ply_state_free(&s);

    open_game(&s, NULL, "4k4/9/9/9/6R2/9/9/9/K8 b - 1");
    play_text(&s, "3e5e");
    for (int i = 0; i < 3; i++) {
        expect_outcome(&s, PLY_ONGOING, NULL);
        play_text(&s, "5a4a 5e4e 4a5a 4e5e");
    }
    assert_int_equal(
        shogi_find_repetition(s.position, (const shogi_undo_info *)s.undo_stack, s.plies, &times),
        SHOGI_REPEAT_WIN);
    expect_outcome(&s, PLY_SECOND_WINS, "perpetual-check");
    ply_state_free(&s);

    /* The same with the colours swapped. */
    open_game(&s, NULL, "k8/9/9/9/5r3/9/9/9/4K4 w - 1");
    for (int i = 0; i < 3; i++)
        play_text(&s, "4e5e 5i4i 5e4e 4i5i");
    expect_outcome(&s, PLY_FIRST_WINS, "perpetual-check");
    ply_state_free(&s);

    /* A single move in the cycle that does not give check makes it a draw. */
    open_game(&s, NULL, "4k4/9/9/9/5R3/9/9/9/K8 b - 1");
    for (int i = 0; i < 3; i++)
        play_text(&s, "4e5e 5a4a 5e4e 4a5a 9i8i 5a6a 8i9i 6a5a");
    expect_outcome(&s, PLY_DRAW, "repetition");
    ply_state_free(&s);
}

static void test_mate(void **unused)
{
    (void)unused;
    ply_state s;
    open_game(&s, NULL, "4k4/9/4P4/9/9/9/9/9/4K4 b G 1");
    play_text(&s, "G*5b");
    expect_outcome(&s, PLY_FIRST_WINS, "mate");
    ply_state_free(&s);
}

static void test_pawn_drop_mate(void **unused)
{
    (void)unused;
    ply_state s;
    open_game(&s, NULL, "7lk/9/8S/9/9/9/9/7L1/8K b P 1");
    test_bad_move(&s, "P*1b", 1, "may not be dropped to give mate");
    assert_int_equal(shogi_count(&rules, s.position), 85);
    ply_move moves[SHOGI_MAX_MOVES];
    assert_int_equal(shogi_moves_of_mode(s.position, SHOGI_SIMPLE, moves), 86);
    assert_true(shogi_is_pawn_drop_mate(s.position, 19));
    ply_state_free(&s);
    /* Pushing a pawn to mate is allowed. */
    open_game(&s, NULL, "7lk/9/8P/7N1/9/9/9/9/8K b G 1");
    assert_false(shogi_is_pawn_drop_mate(s.position, 19));
    ply_state_free(&s);
}

static void test_entering_king(void **unused)
{
    (void)unused;
    ply_state s;
    /*
     * Ten pieces and the king in the camp: 10 points, 4 more for each of the 4 major pieces, and
     * the hand.
     */
    const char *black27 = "K+R+R+B+BGGGG/SS7/9/9/9/9/9/9/8k b P2s4n4l17p 1";
    const char *black28 = "K+R+R+B+BGGGG/SS7/9/9/9/9/9/9/8k b 2P2s4n4l16p 1";
    open_game(&s, NULL, black27);
    shogi_impasse_score score = shogi_impasse_score_of(s.position);
    assert_true(score.king_in_camp && !score.in_check);
    assert_int_equal(score.pieces, 10);
    assert_int_equal(score.points, 27);
    expect_outcome(&s, PLY_ONGOING, NULL);
    ply_state_free(&s);
    open_game(&s, NULL, black28);
    expect_outcome(&s, PLY_FIRST_WINS, "entering-king");
    ply_state_free(&s);
    open_game(&s, ":impasse=none", black28);
    expect_outcome(&s, PLY_ONGOING, NULL);
    ply_state_free(&s);
    open_game(&s, ":impasse=24", black28);
    expect_outcome(&s, PLY_DRAW, "impasse");
    ply_state_free(&s);
    open_game(&s, ":impasse=24", "K+R+R+B+BGGGG/SS7/9/9/9/9/9/9/8k b 5P2s4n4l13p 1");
    expect_outcome(&s, PLY_FIRST_WINS, "entering-king");
    ply_state_free(&s);
    /* White needs one point less than Black. */
    open_game(&s, NULL, "K8/9/9/9/9/9/9/7ss/gggg+b+b+r+rk w 2S4N4L17Pp 1");
    expect_outcome(&s, PLY_SECOND_WINS, "entering-king");
    ply_state_free(&s);
    /* Nine pieces are not enough, and the king must not be in check. */
    open_game(&s, NULL, "K+R+R+B+BGGGG/S8/9/9/9/9/9/9/8k b 5P3s4n4l13p 1");
    expect_outcome(&s, PLY_ONGOING, NULL);
    ply_state_free(&s);
    open_game(&s, NULL, "K+R+R+B+BGGGG/1s1SS4/9/9/9/9/9/9/8k b 9Ps4n4l9p 1");
    assert_true(shogi_impasse_score_of(s.position).in_check);
    expect_outcome(&s, PLY_ONGOING, NULL);
    ply_state_free(&s);
}

static void test_try_rule(void **unused)
{
    (void)unused;
    ply_state s;
    open_game(&s, ":impasse=try", "9/4K4/9/9/9/9/9/9/k8 b - 1");
    expect_outcome(&s, PLY_ONGOING, NULL);
    play_text(&s, "5b5a");
    expect_outcome(&s, PLY_FIRST_WINS, "try");
    ply_state_free(&s);
    open_game(&s, ":impasse=try", "9/4K4/9/9/9/9/9/4k4/9 w - 1");
    play_text(&s, "5h5i");
    expect_outcome(&s, PLY_SECOND_WINS, "try");
    ply_state_free(&s);
}

static void test_ply_limit(void **unused)
{
    (void)unused;
    ply_state s;
    open_game(&s, ":plies=3", NULL);
    play_text(&s, "7g7f 3c3d");
    expect_outcome(&s, PLY_ONGOING, NULL);
    play_text(&s, "2g2f");
    expect_outcome(&s, PLY_DRAW, "ply-limit");
    ply_state_free(&s);
    /* Mate on the last ply counts. */
    open_game(&s, ":plies=1", "4k4/9/4P4/9/9/9/9/9/4K4 b G 1");
    play_text(&s, "G*5b");
    expect_outcome(&s, PLY_FIRST_WINS, "mate");
    ply_state_free(&s);
}

/* Generating, counting and perft agree with each other on every instruction set of this machine. */
static void test_all_kernels(void **unused)
{
    (void)unused;
    const shogi_kernels *kernels[3];
    int levels = 0;
    for (int level = 1; level <= ply_isa_best(); level++)
        if (level != 2) /* there is no such level */
            kernels[levels++] = PLY_ISA_AT(shogi_kernels_of, level);
    ply_state s;
    open_game(&s, NULL, NULL);
    for (int g = 0; g < (test_is_long() ? 60 : 6); g++) {
        ply_rng rng = ply_rng_make(6, (uint64_t)g);
        assert_int_equal(ply_state_restart(&s), PLY_OK);
        while (ply_state_outcome(&s).result == PLY_ONGOING && s.plies < 500) {
            shogi_position *p = s.position, before = *p;
            ply_move moves[3][SHOGI_MAX_MOVES];
            for (int k = 0; k < levels; k++) {
                size_t count = kernels[k]->moves(p, SHOGI_STANDARD, moves[k]);
                assert_int_equal(kernels[k]->count(p), count);
                assert_int_equal(count, kernels[0]->count(p));
                assert_memory_equal(moves[k], moves[0], count * sizeof(ply_move));
                if (s.plies % 16 == 0) {
                    assert_int_equal(kernels[k]->perft(p, 2), kernels[0]->perft_visit(p, 2));
                    assert_memory_equal(p, &before, sizeof before);
                }
            }
            size_t count = kernels[0]->count(p);
            assert_int_equal(ply_state_play(&s, moves[0][ply_rng_below(&rng, (uint32_t)count)]),
                             PLY_OK);
        }
    }
    ply_state_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_repetition_is_a_draw),
        cmocka_unit_test(test_repetition_compares_hands),
        cmocka_unit_test(test_perpetual_check_loses),
        cmocka_unit_test(test_mate),
        cmocka_unit_test(test_pawn_drop_mate),
        cmocka_unit_test(test_entering_king),
        cmocka_unit_test(test_try_rule),
        cmocka_unit_test(test_ply_limit),
        cmocka_unit_test(test_all_kernels),
    };
    return cmocka_run_group_tests_name("shogi rules", tests, NULL, NULL);
}
