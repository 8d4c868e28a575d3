/* SPDX-License-Identifier: MIT */
/* test_wire.c - the texts that both ends of a protocol share: Gomocup rules and points, Hub moves. */
#include "support/support.h"
#include "wire/draughts_text.h"
#include "wire/gomocup_rules.h"
#include <string.h>

/* Every variant of gomoku that has a rule number comes back from it. */
static void test_gomocup_rules(void **state)
{
    (void)state;
    static const char *const ids[] = {"freestyle", "standard", "renju", "caro", "caro-overline"};
    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++) {
        int rule = ply_gomocup_rule_number(ids[i]);
        assert_in_range(rule, 0, GOMOCUP_RULE_LIMIT - 1);
        const char *variant = ply_gomocup_rule_variant((unsigned)rule);
        assert_int_equal(strncmp(variant, ids[i], strlen(ids[i])), 0);
        assert_int_equal(variant[strlen(ids[i])], ':');
    }
    assert_int_equal(ply_gomocup_rule_number("martian"), -1);
    /* Every number is a variant to which the size can be added. */
    for (unsigned rule = 0; rule < GOMOCUP_RULE_LIMIT; rule++) {
        char text[96];
        ply_rules rules;
        snprintf(text, sizeof text, "%swidth=20,height=12", ply_gomocup_rule_variant(rule));
        test_make_rules(&rules, "gomoku", text);
        assert_int_equal(rules.plane_height, 12);
    }
    assert_string_equal(ply_gomocup_rule_variant(2), ply_gomocup_rule_variant(4));
}

static void test_gomocup_points(void **state)
{
    (void)state;
    enum { SIDE = 32 };
    char text[16];
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            int got_x, got_y;
            ply_text out = ply_text_fixed(text, sizeof text);
            ply_gomocup_point_format(x, y, SIDE, &out);
            const char *end = ply_gomocup_point_parse(text, SIDE, &got_x, &got_y);
            assert_ptr_equal(end, text + out.length);
            assert_true(got_x == x && got_y == y);
        }
    ply_text out = ply_text_fixed(text, sizeof text);
    ply_gomocup_point_format(0, 0, 15, &out);
    assert_string_equal(text, "a15");
    int x, y;
    assert_string_equal(ply_gomocup_point_parse("h8 three-three", 15, &x, &y), " three-three");
    assert_true(x == 7 && y == 7);
    static const char *const bad[] = {"", "h", "8", "h0", "H8", "-"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_null(ply_gomocup_point_parse(bad[i], 15, &x, &y));
}

static void test_hub_moves(void **state)
{
    (void)state;
    draughts_move move;
    bool is_capture;
    char text[64];
    static const char *const good[] = {"11-15", "1-32", "26x10x14x22", "15x22x18"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        ply_text out = ply_text_fixed(text, sizeof text);
        assert_true(ply_hub_move_parse(good[i], strlen(good[i]), &move, &is_capture));
        assert_int_equal(is_capture, strchr(good[i], 'x') != NULL);
        ply_hub_move_format(&move, &out);
        assert_string_equal(text, good[i]);
    }
    assert_true(ply_hub_move_parse("15x22", 5, &move, &is_capture));
    assert_true(is_capture && move.taken_count == 0 && move.from == 15 && move.to == 22);
    static const char *const bad[] = {"",
                                      "11",
                                      "11-",
                                      "-15",
                                      "0-5",
                                      "5-0",
                                      "33-5",
                                      "11-33",
                                      "11-15x7",
                                      "15x22x",
                                      "15x22x0",
                                      "11-15 ",
                                      "1x2x3x4x5x6x7x8x9x10x11x12x13x14x15"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_false(ply_hub_move_parse(bad[i], strlen(bad[i]), &move, &is_capture));
}

/* Boards and moves of random games in every rule set survive the conversion. */
static void test_draughts(void **state)
{
    (void)state;
    const ply_game *game = ply_game_find("checkers");
    for (size_t v = 0; v < game->variant_count; v++) {
        ply_rules rules, numeric;
        ply_state s, copy;
        ply_rng rng = ply_rng_make(9, v);
        test_make_rules(&rules, "checkers", game->variants[v].id);
        assert_true(ply_draughts_numeric_rules(&rules, &numeric));
        test_make_state(&s, &numeric, NULL);
        test_make_state(&copy, &numeric, NULL);
        for (int ply = 0; ply < 60 && ply_state_outcome(&s).result == PLY_ONGOING; ply++) {
            draughts_board board;
            ply_draughts_read(&s, &board);
            assert_int_equal(ply_draughts_set(&copy, &board, NULL), PLY_OK);
            draughts_board again;
            ply_draughts_read(&copy, &again);
            assert_string_equal(again.squares, board.squares);
            assert_int_equal(again.turn, board.turn);
            size_t count = ply_game_count_moves(&numeric, s.position);
            ply_move move =
                ply_game_nth_move(&numeric, s.position, ply_rng_below(&rng, (uint32_t)count));
            draughts_move description = ply_draughts_describe(&s, move);
            ply_move found = ply_draughts_find(&s, &description);
            draughts_move same = ply_draughts_describe(&s, found);
            assert_memory_equal(&same, &description, sizeof same);
            assert_int_equal(ply_state_play(&s, found), PLY_OK);
        }
        ply_state_free(&copy);
        ply_state_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gomocup_rules),
        cmocka_unit_test(test_gomocup_points),
        cmocka_unit_test(test_hub_moves),
        cmocka_unit_test(test_draughts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
