/* SPDX-License-Identifier: MIT */
/* test_game_clock.c - base time, increment, byoyomi periods, and what survives saving. */
#include "server/library/game_clock.h"
#include "support/support.h"
#include <string.h>

enum { START = 1000000 }; /* when the clocks begin */

static game_clock started(const char *settings)
{
    game_clock clock = game_clock_read(settings, "");
    game_clock_press(&clock, 0, 1, START); /* the first turn is free */
    assert_int_equal(clock.running, 1);
    return clock;
}

static void test_base_and_increment(void **state)
{
    (void)state;
    game_clock clock = started("{\"base\":60000,\"increment\":2000,\"byoyomi\":0}");
    assert_int_equal(clock.player[0].left, 60000);
    game_clock_press(&clock, 1, 0, START + 5000);
    assert_int_equal(clock.player[1].left, 57000);
    assert_int_equal(clock.running, 0);
    game_clock_press(&clock, 0, 0, START + 6000); /* a move in the middle of a turn */
    assert_int_equal(clock.since, START + 5000);
    assert_false(game_clock_expired(&clock, START + 64999));
    assert_true(game_clock_expired(&clock, START + 65000));
    assert_int_equal(game_clock_elapsed(&clock, START - 9), 0); /* the time of day was set back */
}

static void test_byoyomi_periods(void **state)
{
    (void)state;
    const char *settings = "{\"base\":10000,\"increment\":0,\"byoyomi\":30000,\"periods\":3}";
    const struct {
        int64_t spent, left, periods;
        bool flag;
    } turns[] = {
        {9999, 1, 3, false},  {10000, 0, 3, false}, {39999, 0, 3, false},
        {40000, 0, 2, false}, {69999, 0, 2, false}, {70000, 0, 1, false},
        {99999, 0, 1, false}, {100000, 0, 0, true}, {86400000, 0, 0, true},
    };
    for (size_t i = 0; i < sizeof turns / sizeof turns[0]; i++) {
        game_clock clock = started(settings);
        assert_int_equal(game_clock_expired(&clock, START + turns[i].spent), turns[i].flag);
        game_clock_stop(&clock, START + turns[i].spent);
        assert_int_equal(clock.player[1].left, turns[i].left);
        assert_int_equal(clock.player[1].periods, turns[i].periods);
        assert_int_equal(clock.running, -1);
    }
    /* A period that was begun is whole again in the next turn. */
    game_clock clock = game_clock_read("{\"base\":0,\"increment\":0,\"byoyomi\":30000}", NULL);
    int64_t now = START;
    game_clock_press(&clock, 0, 1, now);
    for (int turn = 1; turn < 20; turn++) {
        now += 29999;
        assert_false(game_clock_expired(&clock, now));
        game_clock_press(&clock, turn & 1, !(turn & 1), now);
    }
    assert_true(game_clock_expired(&clock, now + 30000));
}

static void test_taking_back_gives_no_time_back(void **state)
{
    (void)state;
    game_clock clock = game_clock_read("{\"base\":60000,\"increment\":5000,\"byoyomi\":0}", NULL);
    game_clock_take_back(&clock, 0, START); /* before the clocks have started */
    assert_int_equal(clock.running, -1);
    game_clock_press(&clock, 0, 1, START);
    game_clock_take_back(&clock, 0, START + 7000);
    assert_int_equal(clock.player[1].left, 53000);
    assert_int_equal(clock.running, 0);
    assert_int_equal(clock.since, START + 7000);
}

static void test_saving(void **state)
{
    (void)state;
    const char *settings = "{\"base\":10000,\"increment\":0,\"byoyomi\":30000,\"periods\":3}";
    char text[160];
    game_clock clock = started(settings);
    game_clock_press(&clock, 1, 0, START + 45000);
    ply_text out = ply_text_fixed(text, sizeof text);
    game_clock_write(&clock, &out);
    game_clock again = game_clock_read(settings, text);
    assert_memory_equal(&again.player, &clock.player, sizeof clock.player);
    assert_int_equal(again.running, 0);
    assert_int_equal(again.since, START + 45000);
    static const char *const damaged[] = {"", "1 2 3", "1 2 3 4 7 0", "x"};
    for (size_t i = 0; i < sizeof damaged / sizeof damaged[0]; i++) {
        again = game_clock_read(settings, damaged[i]);
        assert_int_equal(again.running, -1);
        assert_int_equal(again.player[1].left, 10000);
        assert_int_equal(again.player[1].periods, 3);
    }
    game_clock none = game_clock_read("null", "");
    ply_text_clear(&out);
    game_clock_write(&none, &out);
    assert_int_equal(out.length, 0);
    game_clock_press(&none, 0, 1, START);
    assert_int_equal(none.running, -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_base_and_increment),
        cmocka_unit_test(test_byoyomi_periods),
        cmocka_unit_test(test_taking_back_gives_no_time_back),
        cmocka_unit_test(test_saving),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
