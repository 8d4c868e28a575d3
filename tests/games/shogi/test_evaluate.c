/* SPDX-License-Identifier: MIT */
/*
 * test_evaluate.c - the search hooks: a symmetric evaluation, the null move, SEE and move ordering.
 */
#include "games/shogi/eval/weights.h"
#include "games/shogi/shogi.h"
#include "support/support.h"
#include <string.h>

/* The position as the opponent sees it: the board rotated, colours and hands swapped. */
static shogi_position rotated(const shogi_position *p)
{
    shogi_position t;
    shogi_clear_board(&t);
    for (int s = 0; s < SHOGI_SQUARES; s++)
        if (p->board[s] != SHOGI_CODE_EMPTY)
            shogi_put_piece(&t, p->board[s] ^ SHOGI_CODE_WHITE, SHOGI_SQUARES - 1 - s);
    t.hand[0] = p->hand[1];
    t.hand[1] = p->hand[0];
    t.side = !p->side;
    t.ply = p->ply;
    shogi_compute_keys(&t);
    return t;
}

static void check_position(const ply_rules *rules, const shogi_position *p)
{
    shogi_position other = rotated(p), mirror;
    shogi_image(rules, p, 1, &mirror);
    int32_t value = shogi_evaluate(rules, p);
    assert_int_equal(shogi_evaluate(rules, &other), value);
    assert_int_equal(shogi_evaluate(rules, &mirror), value);
    ply_term terms[2][SHOGI_MAX_TERMS];
    size_t count = shogi_terms(rules, p, terms[0]);
    assert_true(count <= SHOGI_MAX_TERMS);
    for (int level = 1; level <= ply_isa_best(); level++) {
        assert_int_equal(PLY_ISA_AT(shogi_evaluator_of, level)->evaluate(p), value);
        assert_int_equal(PLY_ISA_AT(shogi_evaluator_of, level)->terms(p, terms[1]), count);
        assert_memory_equal(terms[0], terms[1], count * sizeof(ply_term));
    }
    /* Mirror images have the same move ordering and SEE. */
    ply_move moves[SHOGI_MAX_MOVES];
    count = shogi_moves(rules, p, moves);
    int32_t scores[SHOGI_MAX_MOVES], one;
    shogi_score_moves(rules, p, moves, count, scores);
    for (size_t i = 0; i < count; i += 7) {
        int from = shogi_move_from(moves[i]), to = shogi_move_to(moves[i]);
        int there = shogi_square(8 - shogi_column(to), shogi_rank(to));
        ply_move image =
            shogi_move_is_drop(moves[i])
                ? shogi_drop_make(from, there)
                : shogi_move_make(shogi_square(8 - shogi_column(from), shogi_rank(from)), there,
                                  shogi_move_promotes(moves[i]));
        shogi_score_moves(rules, &mirror, &image, 1, &one);
        assert_int_equal(one, scores[i]);
        assert_int_equal(shogi_see(rules, &mirror, image), shogi_see(rules, p, moves[i]));
    }
    /* A null move changes the player to move and nothing else, and can be taken back. */
    shogi_position passed = *p;
    shogi_undo_info undo;
    shogi_null_move(rules, &passed, &undo);
    assert_int_equal(passed.side, !p->side);
    assert_memory_equal(passed.board, p->board, sizeof p->board);
    assert_int_equal(shogi_hash(rules, &passed), shogi_compute_hash(rules, &passed));
    assert_int_not_equal(shogi_hash(rules, &passed), shogi_hash(rules, p));
    shogi_undo(rules, &passed, PLY_MOVE_NONE, &undo);
    assert_memory_equal(&passed, p, sizeof *p);
}

static void test_random_positions(void **unused)
{
    (void)unused;
    ply_rules rules;
    test_make_rules(&rules, "shogi", NULL);
    for (uint64_t game = 0; game < (test_is_long() ? 3000 : 300); game++) {
        shogi_position p;
        ply_outcome outcome;
        ply_rng rng = ply_rng_make(41, game);
        shogi_start(&rules, &p);
        for (int i = 0; i < 12; i++) {
            check_position(&rules, &p);
            shogi_playout(&rules, &p, &rng, 1 + game % 29, &outcome);
        }
    }
    /* Without a king, and with all pieces in hand. */
    static const char *const sfens[] = {"7lk/9/8S/9/9/9/9/7L1/9 b 2P 1",
                                        "9/9/9/9/4K4/9/9/9/9 w 2R2B4G4S4N4L18P 1"};
    for (size_t i = 0; i < 2; i++) {
        ply_state s;
        test_make_state(&s, &rules, sfens[i]);
        check_position(&rules, s.position);
        ply_state_free(&s);
    }
}

/* An extra piece is better, on the board or in hand; so is a promoted rook with a gold in hand. */
static void test_material(void **unused)
{
    (void)unused;
    static const char *const pairs[][2] = {
        {"lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
         "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B7/LNSGKGSNL b - 1"},
        {"lnsgkgsnl/1r7/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b B 1",
         "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"},
        {"4k4/9/9/9/9/9/PPPPPPPPP/+r8/LNSGKGSNL w g 1",
         "4k4/9/9/9/9/9/PPPPPPPPP/r8/LNSGKGSNL w p 1"},
    };
    ply_rules rules;
    test_make_rules(&rules, "shogi", NULL);
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        int32_t value[2];
        for (int k = 0; k < 2; k++) {
            ply_state s;
            test_make_state(&s, &rules, pairs[i][k]);
            value[k] = shogi_evaluate(&rules, s.position);
            ply_state_free(&s);
        }
        assert_true(value[0] > value[1] + 50);
    }
}

/* SEE of a move in USI notation; checks says whether the move gives check. */
static int32_t see_of(const ply_rules *rules, const char *sfen, const char *text, bool checks)
{
    ply_state s;
    ply_move move;
    ply_cursor cursor = ply_cursor_make(text, strlen(text), NULL);
    test_make_state(&s, rules, sfen);
    assert_int_equal(shogi_parse_move(rules, s.position, &cursor, &move), PLY_OK);
    assert_int_equal(shogi_gives_check(s.position, move), checks);
    int32_t value = shogi_see(rules, s.position, move);
    ply_state_free(&s);
    return value;
}

static void test_see(void **unused)
{
    (void)unused;
    ply_rules rules;
    test_make_rules(&rules, "shogi", NULL);
    /* The pawn is captured and the rook recaptures. */
    assert_int_equal(see_of(&rules, "4k4/9/9/4p4/9/4P4/9/4R4/4K4 b - 1", "5f5e", false), 0);
    /* The rook captures an undefended pawn, then a defended one. */
    assert_true(see_of(&rules, "4k4/9/9/3pp4/9/4R4/9/9/4K4 b - 1", "5f5d", true) > 0);
    assert_true(see_of(&rules, "4k4/9/4g4/4p4/9/4R4/9/9/4K4 b - 1", "5f5d", false) < 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_positions),
        cmocka_unit_test(test_material),
        cmocka_unit_test(test_see),
    };
    return cmocka_run_group_tests_name("shogi evaluate", tests, NULL, NULL);
}
