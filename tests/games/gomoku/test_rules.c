/* SPDX-License-Identifier: MIT */
/* test_rules.c - winning, perft, symmetry, text and malformed text. */
#include "games/gomoku/gomoku.h"
#include "support/support.h"
#include <stdlib.h>
#include <string.h>

typedef struct probe {
    const char *variant, *moves;
    ply_result result;
} probe;

/* The first four groups are those of the Gomocup rule tests. */
static const probe probes[] = {
    {"freestyle", "h8h9i8i9j8j9k8k9g8", PLY_FIRST_WINS},
    {"standard", "h8h9i8i9j8j9k8k9g8", PLY_FIRST_WINS},
    {"renju", "h8h9i8i9j8j9k8k9l8", PLY_FIRST_WINS},
    {"caro", "h8h9i8i9j8j9k8k9l8", PLY_FIRST_WINS},
    {"caro-overline", "h8h9i8i9j8j9k8k9g8", PLY_FIRST_WINS},
    {"freestyle", "h8h9i8h10g8h11j13h12g14h14i15h13", PLY_SECOND_WINS},
    {"standard", "h8h9i8h10g8h11j13h12g14h14i15h13", PLY_ONGOING},
    {"renju", "h8h9i8h10g8h11j13h12g14h14i15h13", PLY_SECOND_WINS},
    {"caro", "h8h9i8h10g8h11j13h12g14h14i15h13", PLY_ONGOING},
    {"caro-overline", "h8h9i8h10g8h11j13h12g14h14i15h13", PLY_SECOND_WINS},
    {"freestyle", "h8f8g8f9i8f7j8l8k8", PLY_FIRST_WINS},
    {"standard", "h8f8g8f9i8f7j8l8k8", PLY_FIRST_WINS},
    {"caro", "h8f8g8f9i8f7j8l8k8", PLY_ONGOING},
    {"caro-overline", "h8f8g8f9i8f7j8l8k8", PLY_ONGOING},
    /* The edge does not block: a1 to e1 with White on f1. */
    {"caro", "a1f1b1f9c1f7d1l8e1", PLY_FIRST_WINS},
    {"caro-overline", "a1f1b1f9c1f7d1l8e1", PLY_FIRST_WINS},
    /* Six between two white stones win only with overlines. */
    {"caro", "a1g8b1n8h8a15i8a14j8a13l8c15m8c14k8", PLY_ONGOING},
    {"caro-overline", "a1g8b1n8h8a15i8a14j8a13l8c15m8c14k8", PLY_FIRST_WINS},
    {"freestyle:row=3", "h8a1h9a3h10", PLY_FIRST_WINS},
    {"freestyle:row=4", "h8a1h9a3h10a5h11", PLY_FIRST_WINS},
    {"freestyle:row=6", "h8a1h9a3h10a5h11a7h12", PLY_ONGOING},
    {"freestyle:row=6", "h8a1h9a3h10a5h11a7h12a9h13", PLY_FIRST_WINS},
    /* Diagonals both ways, to the corners of a rectangle. */
    {"freestyle:width=20,height=5", "a1a2b2a3c3a4d4c1e5", PLY_FIRST_WINS},
    {"freestyle:width=20,height=5", "t1a2s2a3r3a4q4c1p5", PLY_FIRST_WINS},
    {"renju", "h8passpass", PLY_DRAW},
    {"renju", "h8--i9pass", PLY_ONGOING},
};

static void test_probes(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof probes / sizeof probes[0]; i++) {
        ply_rules rules;
        ply_state s;
        test_make_rules(&rules, "gomoku", probes[i].variant);
        test_make_state(&s, &rules, probes[i].moves);
        if (ply_state_outcome(&s).result != probes[i].result)
            fail_msg("%s %s: %d", probes[i].variant, probes[i].moves, ply_state_outcome(&s).result);
        if (probes[i].result != PLY_ONGOING)
            assert_int_equal(ply_game_count_moves(&rules, s.position), 0);
        ply_state_free(&s);
    }
}

/* The Gomocup test of renju: after these moves g9 is a double three. */
static void test_renju_probe(void **state)
{
    (void)state;
    ply_rules rules;
    ply_state s;
    test_make_rules(&rules, "gomoku", "renju");
    test_make_state(&s, &rules, "h8h9i7i9h10i6i11i12");
    test_bad_move(&s, "g9", 1, "double-three");
    ply_state_free(&s);
}

static void test_full_board(void **state)
{
    (void)state;
    ply_rules rules;
    ply_state s;
    test_make_rules(&rules, "gomoku", "freestyle:width=5,height=5");
    test_make_state(&s, &rules, "xxoxx/ooxoo/xxoxx/ooxoo/xxox1 o");
    assert_int_equal(ply_state_outcome(&s).result, PLY_ONGOING);
    assert_int_equal(ply_state_play_text(&s, "e1", 2, NULL), PLY_OK);
    assert_int_equal(ply_state_outcome(&s).result, PLY_DRAW);
    assert_string_equal(ply_state_outcome(&s).reason, "board-full");
    ply_state_free(&s);
}

/* --- perft ----------------------------------------------------------------------------------- */
static void test_sequences(void **state)
{
    (void)state;
    static const uint64_t expected[] = {225, 50400, 11239200, 2495102400u};
    for (int depth = 1; depth <= 4; depth++)
        assert_int_equal(test_perft("gomoku", NULL, NULL, depth, 0), expected[depth - 1]);
    /* The pass is one more move; no point is forbidden yet. */
    assert_int_equal(test_perft("gomoku", "renju", NULL, 1, 0), 226);
    assert_int_equal(test_perft("gomoku", "renju", NULL, 2, 0), 225 * 225 + 226);
}

/* Perft on plain cells, for small boards on which games end on the way. */
static uint64_t slow_perft(char *cells, int width, int height, int row, int side, int depth)
{
    if (depth == 0)
        return 1;
    uint64_t total = 0;
    for (int at = 0; at < width * height; at++) {
        if (cells[at])
            continue;
        cells[at] = (char)(side + 1);
        bool won = false;
        static const int dx[4] = {1, 0, 1, 1}, dy[4] = {0, 1, 1, -1};
        for (int d = 0; d < 4; d++) {
            int run = 1;
            for (int sign = -1; sign <= 1; sign += 2)
                for (int k = 1; k < row; k++) {
                    int x = at % width + sign * k * dx[d], y = at / width + sign * k * dy[d];
                    if (x < 0 || y < 0 || x >= width || y >= height ||
                        cells[y * width + x] != side + 1)
                        break;
                    run++;
                }
            won = won || run >= row;
        }
        if (!won || depth == 1)
            total += won && depth > 1 ? 0 : slow_perft(cells, width, height, row, !side, depth - 1);
        cells[at] = 0;
    }
    return total;
}

static void test_small_boards(void **state)
{
    (void)state;
    for (int width = 5; width <= 6; width++) {
        char cells[36] = {0}, name[64];
        snprintf(name, sizeof name, "freestyle:width=%d,height=5,row=3", width);
        int depth = width == 5 ? 6 : 5;
        uint64_t expected = slow_perft(cells, width, 5, 3, 0, depth);
        assert_int_equal(test_perft("gomoku", name, NULL, depth, 0), expected);
    }
}

/* Counts the positions with a number of stones up to symmetry: those that are canonical. */
static uint64_t canonical_positions(const ply_rules *rules, int stones)
{
    gomoku_position *p = calloc(1, rules->position_bytes), *c = calloc(1, rules->position_bytes);
    int side = gomoku_width(rules), cells = side * side;
    uint64_t count = 0;
    for (int a = 0; a < cells; a++)
        for (int b = 0; b < (stones > 1 ? cells : 1); b++)
            for (int d = stones > 2 ? a + 1 : 0; d < (stones > 2 ? cells : 1); d++) {
                if ((stones > 1 && b == a) || (stones > 2 && d == b))
                    continue;
                gomoku_start(rules, p);
                gomoku_put_stone(rules, p, gomoku_cell(a % side, a / side), GOMOKU_BLACK);
                if (stones > 1)
                    gomoku_put_stone(rules, p, gomoku_cell(b % side, b / side), GOMOKU_WHITE);
                if (stones > 2)
                    gomoku_put_stone(rules, p, gomoku_cell(d % side, d / side), GOMOKU_BLACK);
                gomoku_canonical(rules, p, c);
                count += memcmp(p->lines, c->lines, rules->position_bytes - sizeof *p) == 0;
            }
    free(p);
    free(c);
    return count;
}

static void test_canonical_numbers(void **state)
{
    (void)state;
    ply_rules rules;
    test_make_rules(&rules, "gomoku", NULL);
    assert_int_equal(rules.symmetries, 8);
    assert_int_equal(canonical_positions(&rules, 1), 36);
    assert_int_equal(canonical_positions(&rules, 2), 6405);
    if (test_is_long())
        assert_int_equal(canonical_positions(&rules, 3), 703934);
    test_make_rules(&rules, "gomoku", "freestyle:width=19,height=19");
    assert_int_equal(canonical_positions(&rules, 1), 55);
    assert_int_equal(canonical_positions(&rules, 2), 16416);
    test_make_rules(&rules, "gomoku", "freestyle:width=9,height=6");
    assert_int_equal(rules.symmetries, 4);
}

/* --- other sizes ----------------------------------------------------------------------------- */
/* What the conformance tests check for the variants, for other board sizes and rows. */
static void check_variant(const char *variant, int games)
{
    ply_rules rules;
    ply_state s;
    test_make_rules(&rules, "gomoku", variant);
    test_make_state(&s, &rules, NULL);
    const ply_game *game = rules.game;
    ply_move *moves = calloc(rules.max_moves, sizeof *moves);
    void *before = calloc(1, rules.position_bytes), *image = calloc(1, rules.position_bytes);
    for (int g = 0; g < games; g++) {
        ply_rng rng = ply_rng_make(21, (uint64_t)g);
        assert_int_equal(ply_state_restart(&s), PLY_OK);
        while (ply_state_outcome(&s).result == PLY_ONGOING) {
            size_t count = game->moves(&rules, s.position, moves);
            assert_true(count > 0 && count <= rules.max_moves);
            assert_int_equal(count, ply_game_count_moves(&rules, s.position));
            ply_move move = moves[ply_rng_below(&rng, (uint32_t)count)];
            memcpy(before, s.position, rules.position_bytes);
            assert_int_equal(ply_state_play(&s, move), PLY_OK);
            assert_true(ply_state_undo(&s));
            assert_memory_equal(before, s.position, rules.position_bytes);
            assert_int_equal(ply_state_play(&s, move), PLY_OK);
            assert_true(game->hash(&rules, s.position) == game->compute_hash(&rules, s.position));
            ply_text text = ply_text_growing();
            game->format(&rules, s.position, &text);
            ply_state copy;
            test_make_state(&copy, &rules, text.data);
            assert_memory_equal(copy.position, s.position, rules.position_bytes);
            ply_state_free(&copy);
            ply_text_free(&text);
            uint32_t i = ply_rng_below(&rng, rules.symmetries);
            rules.indexing->image(&rules, s.position, i, image);
            assert_true(game->hash(&rules, image) == game->compute_hash(&rules, image));
            memcpy(before, image, rules.position_bytes);
            if (gomoku_finish_setup(&rules, image) == PLY_OK)
                assert_memory_equal(before, image, rules.position_bytes);
        }
    }
    free(moves);
    free(before);
    free(image);
    ply_state_free(&s);
}

static void test_other_sizes(void **state)
{
    (void)state;
    static const char *const variants[] = {
        "freestyle:width=5,height=5,row=4",  "freestyle:width=32,height=32,row=6",
        "standard:width=32,height=7",        "caro:width=6,height=20,row=4",
        "caro-overline:width=8,height=8",    "renju:width=19,height=19,forbidden=loses",
        "renju:width=9,height=7,pass=no",    "freestyle:width=7,height=7,row=3,pass=yes",
        "standard:width=11,height=13,row=6",
    };
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++)
        check_variant(variants[i], 3);
}

/* A playout leaves a consistent position: key, totals and ending are those of its stones. */
static void check_playout(const char *variant, unsigned game)
{
    ply_rules rules;
    ply_state s;
    test_make_rules(&rules, "gomoku", variant);
    test_make_state(&s, &rules, "c3");
    gomoku_position *p = s.position, *copy = calloc(1, rules.position_bytes);
    ply_rng rng = ply_rng_make(5, game);
    ply_outcome outcome;
    size_t plies = gomoku_playout(&rules, p, &rng, game % 8 == 1 ? 7 : 1000, &outcome);
    assert_true(plies > 0);
    if (gomoku_rule_of(&rules) != GOMOKU_RENJU)
        assert_int_equal(p->stones, plies + 1);
    memcpy(copy, p, rules.position_bytes);
    copy->ended = 0;
    assert_int_equal(gomoku_finish_setup(&rules, copy), PLY_OK);
    assert_memory_equal(copy, p, rules.position_bytes);
    free(copy);
    ply_state_free(&s);
}

static void test_playout_position(void **state)
{
    (void)state;
    static const char *const variants[] = {"freestyle",
                                           "standard",
                                           "caro",
                                           "renju",
                                           "freestyle:width=6,height=9,row=4",
                                           "freestyle:width=20,height=20",
                                           "standard:row=4",
                                           "standard:row=6,width=9,height=9"};
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++)
        for (unsigned game = 0; game < test_rounds(120, 2000); game++)
            check_playout(variants[i], game);
}

/* --- text ------------------------------------------------------------------------------------ */
static void test_text(void **state)
{
    (void)state;
    ply_rules rules;
    ply_state s;
    test_make_rules(&rules, "gomoku", NULL);
    test_bad_position(&rules, "", 1, "expected moves");
    test_bad_position(&rules, "h8h8", 3, "Black has a stone on h8");
    test_bad_position(&rules, "h8p1", 3, "a1 to o15");
    test_bad_position(&rules, "h8i16", 4, "row from 1 to 15");
    test_bad_position(&rules, "h8i", 4, "row from 1 to 15");
    test_bad_position(&rules, "h8pass", 3, "pass is not allowed");
    test_bad_position(&rules, "h8 i9", 4, "more text");
    test_bad_position(&rules, "15/15 x", 6, "expected '/'");
    test_bad_position(&rules, "16/15 x", 1, "room for 15");
    test_bad_position(&rules, "14q/15 x", 3, "expected x, o or a number");
    test_bad_position(&rules, "14/15 x", 3, "has 14 cells, not 15");
    test_bad_position(&rules, "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15", 45, "side to move");
    test_bad_position(&rules, "15/15/15/15/15/15/15/15/15/15/15/15/15/15/xxxxx10 x", 1,
                      "Black has won");
    test_bad_position(&rules, "ooooo10/15/15/15/15/15/15/15/15/15/15/15/15/15/xxxxx10 x", 1,
                      "both players");
    test_bad_position(&rules, "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 x 1", 48, "no passes");
    test_make_rules(&rules, "gomoku", "freestyle:width=32,height=32");
    test_make_state(&s, &rules, "aa1af32z9");
    ply_text text = ply_text_growing();
    gomoku_format_cell(gomoku_cell(31, 31), &text);
    assert_string_equal(text.data, "af32");
    ply_text_free(&text);
    assert_int_equal(gomoku_at(((gomoku_position *)s.position)->lines, gomoku_cell(26, 0)), 0);
    ply_state_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_probes),       cmocka_unit_test(test_renju_probe),
        cmocka_unit_test(test_full_board),   cmocka_unit_test(test_sequences),
        cmocka_unit_test(test_small_boards), cmocka_unit_test(test_canonical_numbers),
        cmocka_unit_test(test_other_sizes),  cmocka_unit_test(test_playout_position),
        cmocka_unit_test(test_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
