/* SPDX-License-Identifier: MIT */
/* test_variation.c - sequences of moves as text: random games of every game read back the same. */
#include "model/variation.h"
#include "support/support.h"
#include <string.h>

enum { PLIES = 24 };

static void test_round_trip(void **state)
{
    (void)state;
    for (size_t g = 0; g < ply_game_count(); g++) {
        ply_rules rules;
        ply_state game, middle, replayed;
        ply_rng rng = ply_rng_make(5, g);
        ply_error error = {0};
        test_make_rules(&rules, ply_game_at(g)->id, NULL);
        test_make_state(&game, &rules, NULL);
        test_make_state(&replayed, &rules, NULL);
        while (game.plies < PLIES && ply_state_outcome(&game).result == PLY_ONGOING) {
            size_t count = ply_game_count_moves(&rules, game.position);
            ply_move move =
                ply_game_nth_move(&rules, game.position, ply_rng_below(&rng, (uint32_t)count));
            assert_int_equal(ply_state_play(&game, move), PLY_OK);
        }
        ply_text whole = ply_text_growing(), parts = ply_text_growing();
        assert_int_equal(ply_state_format_moves(&game, NULL, &whole), PLY_OK);
        if (ply_state_play_text(&replayed, whole.data, whole.length, &error) != PLY_OK)
            fail_msg("%s: %s", whole.data, error.message);
        assert_int_equal(replayed.plies, game.plies);
        assert_memory_equal(replayed.moves, game.moves, game.plies * sizeof(ply_move));
        /* The first half as history and the second half as a variation give the same text. */
        size_t half = game.plies / 2;
        assert_int_equal(ply_state_copy(&middle, &game), PLY_OK);
        while (middle.plies > half)
            ply_state_undo(&middle);
        assert_int_equal(ply_state_format_moves(&middle, NULL, &parts), PLY_OK);
        ply_text_char(&parts, ' ');
        assert_int_equal(
            ply_variation_format(&middle, game.moves + half, game.plies - half, NULL, &parts),
            PLY_OK);
        assert_string_equal(parts.data, whole.data);
        assert_int_equal(middle.plies, half); /* the state itself does not change */
        ply_text_free(&whole);
        ply_text_free(&parts);
        ply_state_free(&middle);
        ply_state_free(&replayed);
        ply_state_free(&game);
    }
}

static void format_ply(const ply_state *state, ply_move move, ply_text *out)
{
    (void)move;
    ply_text_format(out, "%zu", state->plies);
}

/* A formatter sees the state before each move. */
static void test_formatter(void **state)
{
    (void)state;
    ply_rules rules;
    ply_state game;
    char text[64];
    ply_text out = ply_text_fixed(text, sizeof text);
    test_make_rules(&rules, "neighbours", NULL);
    test_make_state(&game, &rules, NULL);
    assert_int_equal(ply_state_format_moves(&game, NULL, &out), PLY_OK);
    assert_int_equal(out.length, 0);
    assert_int_equal(ply_state_play_text(&game, "a1a2 a6a5 a2a3", 14, NULL), PLY_OK);
    assert_int_equal(ply_state_format_moves(&game, format_ply, &out), PLY_OK);
    assert_string_equal(text, "0 1 2");
    ply_state_free(&game);
}

static void test_result_names(void **state)
{
    (void)state;
    assert_string_equal(ply_result_name(PLY_ONGOING), "ongoing");
    assert_string_equal(ply_result_name(PLY_FIRST_WINS), "first");
    assert_string_equal(ply_result_name(PLY_SECOND_WINS), "second");
    assert_string_equal(ply_result_name(PLY_DRAW), "draw");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_formatter),
        cmocka_unit_test(test_result_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
