/* SPDX-License-Identifier: MIT */
/* test_western.c - moves in Western notation. */
#include "support/support.h"
#include <string.h>

/* The number of a notation of shogi. */
static size_t notation_number(const ply_rules *rules, const char *id)
{
    size_t i = 0;
    while (strcmp(rules->display->notations[i].id, id) != 0)
        i++;
    return i;
}

static void test_western(void **state)
{
    (void)state;
    static const struct {
        const char *position, *move, *text;
    } cases[] = {
        {"", "7g7f", "P-7f"},
        {"", "6i5h", "G6i-5h"}, /* the other gold can go there too */
        {"", "4i3h", "G-3h"},
        {"lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3", "8h2b+", "Bx2b+"},
        {"lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3", "8h2b", "Bx2b="},
        {"4k4/9/9/9/9/9/9/9/4K4 b N 1", "N*4e", "N*4e"},
        {"4k4/9/+P8/9/9/9/9/9/4K4 b - 1", "9c9b", "+P-9b"},
        {"4k4/9/9/9/9/+R8/9/9/4K4 b - 1", "9f8e", "+R-8e"},
        {"4k4/9/9/4p4/9/9/9/9/4K4 w - 1", "5d5e", "P-5e"},
    };
    ply_rules rules;
    assert_int_equal(ply_rules_make(&rules, ply_game_find("shogi"), NULL, NULL), PLY_OK);
    size_t western = notation_number(&rules, "western");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ply_state at;
        char text[PLY_MOVE_TEXT];
        ply_text out = ply_text_fixed(text, sizeof text);
        assert_int_equal(ply_state_init(&at, &rules), PLY_OK);
        if (cases[i].position[0])
            assert_int_equal(
                ply_state_parse(&at, cases[i].position, strlen(cases[i].position), NULL), PLY_OK);
        ply_cursor cursor = ply_cursor_make(cases[i].move, strlen(cases[i].move), NULL);
        ply_move move;
        assert_int_equal(rules.game->parse_move(&rules, at.position, &cursor, &move), PLY_OK);
        ply_game_display_move(&rules, at.position, move, PLY_MOVE_NONE, western, &out);
        assert_string_equal(text, cases[i].text);
        ply_state_free(&at);
    }
}

/* In every position of many random games, no two moves have the same text. */
static void test_moves_differ(void **state)
{
    (void)state;
    ply_rules rules;
    assert_int_equal(ply_rules_make(&rules, ply_game_find("shogi"), NULL, NULL), PLY_OK);
    ply_rng rng = ply_rng_make(1, 2);
    size_t positions = 0;
    for (int game = 0; game < 20; game++) {
        ply_state at;
        assert_int_equal(ply_state_init(&at, &rules), PLY_OK);
        for (int ply = 0; ply < 120 && ply_state_outcome(&at).result == PLY_ONGOING; ply++) {
            static ply_move moves[1024];
            static char texts[1024][PLY_MOVE_TEXT];
            size_t count = rules.game->moves(&rules, at.position, moves);
            for (size_t notation = 0; notation < rules.display->notation_count; notation++) {
                for (size_t i = 0; i < count; i++) {
                    ply_text out = ply_text_fixed(texts[i], sizeof texts[i]);
                    ply_game_display_move(&rules, at.position, moves[i], PLY_MOVE_NONE, notation,
                                          &out);
                    for (size_t k = 0; k < i; k++)
                        assert_string_not_equal(texts[i], texts[k]);
                }
            }
            positions++;
            assert_int_equal(ply_state_play(&at, moves[ply_rng_below(&rng, (uint32_t)count)]),
                             PLY_OK);
        }
        ply_state_free(&at);
    }
    assert_true(positions > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_western),
        cmocka_unit_test(test_moves_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
