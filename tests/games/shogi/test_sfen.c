/* SPDX-License-Identifier: MIT */
/* test_sfen.c - reading positions and moves, and the explanation of what is wrong with them. */
#include "games/shogi/shogi.h"
#include "support/support.h"

/* Impossible positions are rejected with the reason; unusual but possible ones are accepted. */
static void test_positions(void **state)
{
    (void)state;
    ply_rules rules;
    test_make_rules(&rules, "shogi", NULL);
    test_bad_position(&rules, "9/9/9/9/9/9/9/9 b - 1", 16, "expected '/'");
    test_bad_position(&rules, "9/9/9/9/9/9/9/9/8 b - 1", 18, "8 squares");
    test_bad_position(&rules, "9/9/9/9/9/9/9/9/91 b - 1", 18, "side to move");
    test_bad_position(&rules, "8X/9/9/9/9/9/9/9/9 b - 1", 2, "expected a piece");
    test_bad_position(&rules, "8+/9/9/9/9/9/9/9/9 b - 1", 3, "expected a piece");
    test_bad_position(&rules, "7+G1/9/9/9/9/9/9/9/9 b - 1", 3, "cannot promote");
    test_bad_position(&rules, "9/9/9/9/9/9/9/9/9 x - 1", 19, "side to move");
    test_bad_position(&rules, "9/9/9/9/9/9/9/9/9 b 19P 1", 21, "1 to 18");
    test_bad_position(&rules, "9/9/9/9/9/9/9/9/9 b 3R 1", 21, "only 2");
    test_bad_position(&rules, "9/9/9/9/9/9/9/9/9 b K 1", 21, "in hand");
    test_bad_position(&rules, "RRR6/9/9/9/9/9/9/9/9 b - 1", 1, "3 rooks; a set has only 2");
    test_bad_position(&rules, "KK7/9/9/9/9/9/9/9/9 b - 1", 1, "two kings");
    test_bad_position(&rules, "P8/9/9/9/9/9/9/9/9 b - 1", 1, "can never move");
    test_bad_position(&rules, "9/9/9/9/9/9/9/n8/9 b - 1", 1, "can never move");
    test_bad_position(&rules, "9/9/9/P8/P8/9/9/9/9 b - 1", 1, "two pawns on file 9");
    test_bad_position(&rules, "4k4/4G4/9/9/9/9/9/9/9 b - 1", 1, "White is in check");
    test_bad_position(&rules, "9/9/9/9/9/9/9/9/9 b - 1 x", 25, "more text");
    /* Found in the wild, with one piece too many. */
    test_bad_position(&rules, "kl7/1p7/9/9/9/9/9/7P1/7LK b RB2G2S2N2L8Prb2g2s2nl8p 1", 1,
                      "5 lances");
    ply_state s;
    test_make_state(&s, &rules, "sfen 4k4/9/9/9/9/9/9/9/9 b PPP");
    const shogi_position *p = s.position;
    assert_int_equal(shogi_hand_count(p->hand[0], SHOGI_PAWN), 3);
    assert_int_equal(p->ply, 1);
    ply_state_free(&s);
    test_make_state(&s, &rules, "startpos");
    assert_int_equal(shogi_king(s.position, SHOGI_BLACK), 92);
    ply_state_free(&s);
}

/* Illegal and malformed moves are rejected with the reason. */
static void test_illegal_moves(void **state)
{
    (void)state;
    ply_rules rules;
    ply_state s;
    test_make_rules(&rules, "shogi", NULL);
    test_make_state(&s, &rules, NULL);
    test_bad_move(&s, "7g7e", 1, "does not move that way");
    test_bad_move(&s, "3c3d", 1, "Black has no piece");
    test_bad_move(&s, "8h7g", 1, "same side");
    test_bad_move(&s, "P*5e", 1, "no such piece in hand");
    test_bad_move(&s, "7g7f+", 1, "promotion zone");
    test_bad_move(&s, "7g", 3, "expected a square");
    test_bad_move(&s, "K*5e", 1, "a drop must begin");
    ply_state_free(&s);
    test_make_state(&s, &rules, "k8/1P7/2N6/9/9/9/4r4/9/4K3L b PNL 1");
    test_bad_move(&s, "L*1e", 1, "remain in check");
    test_bad_move(&s, "8b8a", 1, "must promote");
    test_bad_move(&s, "7c8a", 1, "must promote");
    ply_state_free(&s);
    test_make_state(&s, &rules, "k8/1P7/9/9/9/9/4r4/4G4/4K3L b PNL 1");
    test_bad_move(&s, "5h4h", 1, "would be in check");
    test_bad_move(&s, "P*8e", 1, "already a pawn on that file");
    test_bad_move(&s, "N*5b", 1, "never move");
    test_bad_move(&s, "L*5a", 1, "never move");
    test_bad_move(&s, "P*5h", 1, "not empty");
    ply_state_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_positions),
        cmocka_unit_test(test_illegal_moves),
    };
    return cmocka_run_group_tests_name("shogi sfen", tests, NULL, NULL);
}
