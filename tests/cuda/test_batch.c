/* SPDX-License-Identifier: MIT */
/* test_batch.c - batches on the emulated device play the games of batches on the host. */
#include "cuda/compare_batches.h"
#include "support/support.h"

enum { ALL_OUTPUTS = 63 };

static void compare(comparison c)
{
    char message[256];
    c.games = c.games ? c.games : 24;
    c.threads = 1;
    c.per_launch = c.per_launch ? c.per_launch : 50;
    if (compare_batches(&c, message, sizeof message) == 0)
        fail_msg("%s %s: %s", c.game, c.rules, message);
}

/* Every output after every step, random launches, and each way to reset. */
static void compare_game(const char *game, const char *rules, uint64_t steps)
{
    compare((comparison){.game = game,
                         .rules = rules,
                         .steps = steps,
                         .outputs = ALL_OUTPUTS,
                         .random_steps = steps,
                         .max_plies = 300});
    compare((comparison){.game = game,
                         .rules = rules,
                         .steps = steps / 2,
                         .some_illegal = true,
                         .reset = PLY_BATCH_RESET_NEXT_STEP,
                         .outputs = ALL_OUTPUTS - 32,
                         .max_plies = 60,
                         .random_steps = steps});
    compare((comparison){.game = game,
                         .rules = rules,
                         .steps = steps / 2,
                         .some_illegal = true,
                         .illegal = PLY_BATCH_ILLEGAL_RANDOM,
                         .reset = PLY_BATCH_RESET_NEVER,
                         .max_plies = 80,
                         .random_steps = steps});
    compare((comparison){.game = game,
                         .rules = rules,
                         .steps = 30,
                         .some_illegal = true,
                         .illegal = PLY_BATCH_ILLEGAL_PASSES,
                         .games = 7});
}

static void test_neighbours(void **state)
{
    (void)state;
    compare_game("neighbours", "slide", 300);
    compare_game("neighbours", "jump", 300);
}

static void test_shogi(void **state)
{
    (void)state;
    compare_game("shogi", "", 400);
}

/* Other observations, and planes of earlier positions and of repetition. */
static void compare_planes(const char *game, const char *observation, unsigned history,
                           unsigned repetition)
{
    compare((comparison){.game = game,
                         .rules = "",
                         .steps = 150,
                         .outputs = ALL_OUTPUTS,
                         .random_steps = 300,
                         .max_plies = 100,
                         .observation = observation,
                         .history = history,
                         .repetition = repetition,
                         .games = 9});
}

static void test_planes(void **state)
{
    (void)state;
    compare_planes("shogi", "pgx", 0, 0);
    compare_planes("shogi", "pgx", 2, 3);
    compare_planes("shogi", NULL, 7, 3);
    compare_planes("neighbours", NULL, 3, 2);
    compare_planes("checkers", NULL, 1, 1);
    compare_planes("gomoku", NULL, 2, 0);
}

static void test_gomoku(void **state)
{
    (void)state;
    compare_game("gomoku", "freestyle", 300);
    compare_game("gomoku", "standard:width=9,height=12,pass=yes", 200);
    compare_game("gomoku", "caro:width=20,height=20", 200);
    compare_game("gomoku", "renju", 300);
    compare_game("gomoku", "renju:forbidden=loses", 200);
}

static void test_checkers(void **state)
{
    (void)state;
    const ply_game *game = ply_game_find("checkers");
    for (size_t i = 0; i < game->variant_count; i++)
        compare_game("checkers", game->variants[i].id, 300);
}

/* Within bounds that host and device share: most games end by them. */
static void compare_multiverses(const char *rules, size_t max_boards, uint64_t steps)
{
    compare((comparison){.game = "5dchess",
                         .rules = rules,
                         .steps = steps,
                         .random_steps = steps,
                         .per_launch = 20,
                         .outputs = ALL_OUTPUTS,
                         .max_boards = max_boards,
                         .games = 3});
    compare((comparison){.game = "5dchess",
                         .rules = rules,
                         .steps = steps,
                         .outputs = ALL_OUTPUTS - 32,
                         .some_illegal = true,
                         .illegal = PLY_BATCH_ILLEGAL_RANDOM,
                         .reset = PLY_BATCH_RESET_NEXT_STEP,
                         .max_boards = max_boards,
                         .max_plies = 50,
                         .games = 5});
}

static void test_fived(void **state)
{
    (void)state;
    compare_multiverses("very-small", 40, 100);
    compare_multiverses("small", 60, 100);
    compare_multiverses("misc-timeline-invasion", 30, 60);
    compare_multiverses("standard", 128, 60);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_neighbours), cmocka_unit_test(test_shogi),
        cmocka_unit_test(test_planes),     cmocka_unit_test(test_gomoku),
        cmocka_unit_test(test_checkers),   cmocka_unit_test(test_fived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
