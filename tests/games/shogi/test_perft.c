/* SPDX-License-Identifier: MIT */
/*
 * test_perft.c - published and independently computed perft counts.
 *
 * Where it is quick, every number is checked in both modes: with the last two plies counted, and by
 * playing every move.
 */
#include "support/support.h"

enum { BULK, VISIT };

typedef struct known_perft {
    const char *sfen; /* NULL: the start position */
    uint64_t nodes[7];
} known_perft;

static const known_perft positions[] = {
    {NULL, {30, 900, 25470, 719731, 19861490, 547581517, 15086269607}},
    {"l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
     {207, 28684, 4809015, 516925165}},
    {"R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1", {593, 105677, 53393368}},
    /* The same without the opposing king: more than 593. Our own figure, from two methods. */
    {"R8/2K1S1SS1/4B4/9/9/9/9/9/1L1L3L1 b RBGSNLP3g3n17p 1", {596}},
    {"9/9/9/3k5/9/5K3/9/9/9 b RB2G2S2N2L9Prb2g2s2n2l9p 1", {524, 248257, 112911856}},
    {"8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124",
     {178, 18041, 2552846, 207741677}},
    {"l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R2g2K2/LN4b1L w RGsn5p 3",
     {160, 20791, 2685299, 266976811}},
    {"lnsgkgsnl/1r5b1/9/9/9/9/9/1B5R1/LNSGKGSNL b 9P9p 1", {119, 13311, 1473109, 158016152}},
    {"ppplkl1pp/b2p1p3/9/9/9/B8/9/5P1P1/PPPP1LKLP b R2G2S2N2Pr2g2s2n2p 1",
     {260, 62558, 14650255, 3356390740}},
    {"l7l/3s5/prnp2kp1/2p1Gppnp/1P7/PnPP1P3/3BP2PP/1S1G5/LN1K1G1+rL b SBG3ps 91",
     {180, 15217, 2067680, 129175973}},
    {"7lk/9/8S/9/9/9/9/7L1/8K b P 1", {85, 639}},
    {"l4S2l/4g1gs1/5p1p1/pr2N1pkp/4Gn3/PP3PPPP/2GPP4/1K7/L3r+s2L w BS2N5Pb 1", {0, 15850, 1114656}},
    {"ln2+r1r2/5s+Pkl/3+B1p1p1/p4B2p/2P6/P6PP/1PNP1P3/2G3SK1/L4G1NL w 2GSN3Ps3p 76", {0, 445}},
    {"l2kg2+R1/4n3+L/p1gpps3/4np3/6P1N/PP+rP2pS1/1pG2P3/4P1G2/LN3KB1+p b SPbsl4p 1", {107, 20080}},
    {"lr6l/3g1kg2/p2pp2s+P/2Ps1ppp1/8L/P1nP2PR1/1P3PS2/1SGK5/LN3G3 b B2N3Pb2p 1", {7, 755}},
    {"l+Rl2g2+R/2p+Sks2+L/p3p4/2Ppnp1S1/4n1Pbp/PP2G4/1G3P+n2/Kp2P4/L8 w GS4Pbnp 1", {2, 326}},
    {"r7k/6K2/7SP/4s2bb/9/9/9/9/9 b r4g2s4n4l17p 1", {4}},
    {"l7l/5bS2/p1np5/6Sk1/4p2B1/PSpPPn1G1/1P1G2g1N/2+l6/L1KN1+r3 b R3Pgs7p 1", {1}},
};

static void test_known_counts(void **state)
{
    (void)state;
    uint64_t bulk_limit = test_is_long() ? 16000000000 : 30000000;
    uint64_t visit_limit = test_is_long() ? 300000000 : 3000000;
    for (size_t i = 0; i < sizeof positions / sizeof positions[0]; i++)
        for (int depth = 1; depth <= 7; depth++) {
            const known_perft *k = &positions[i];
            uint64_t nodes = k->nodes[depth - 1];
            if (nodes == 0)
                continue;
            if (nodes <= bulk_limit)
                assert_int_equal(test_perft("shogi", NULL, k->sfen, depth, BULK), nodes);
            if (nodes <= visit_limit)
                assert_int_equal(test_perft("shogi", NULL, k->sfen, depth, VISIT), nodes);
        }
}

/* No piece can move and no pawn can be dropped: the player to move has lost. */
static void test_no_move(void **state)
{
    (void)state;
    const char *sfen = "+R+N+SGKG+S+N+R/+B+N+SG+LG+S+N+B/P+LPP+LPP+LP/1P2P2P1/9/9/9/9/4k4 b 9P 200";
    assert_int_equal(test_perft("shogi", NULL, sfen, 1, BULK), 0);
    assert_int_equal(test_perft("shogi", NULL, sfen, 1, VISIT), 0);
    ply_rules rules;
    ply_state game;
    test_make_rules(&rules, "shogi", ":impasse=none");
    test_make_state(&game, &rules, sfen);
    ply_outcome outcome = ply_state_outcome(&game);
    assert_int_equal(outcome.result, PLY_SECOND_WINS);
    assert_string_equal(outcome.reason, "no-move");
    ply_state_free(&game);
    /* By the 27-point rule, Black may declare instead of moving, and wins. */
    test_make_rules(&rules, "shogi", NULL);
    test_make_state(&game, &rules, sfen);
    outcome = ply_state_outcome(&game);
    assert_int_equal(outcome.result, PLY_FIRST_WINS);
    assert_string_equal(outcome.reason, "entering-king");
    ply_state_free(&game);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_counts),
        cmocka_unit_test(test_no_move),
    };
    return cmocka_run_group_tests_name("shogi perft", tests, NULL, NULL);
}
