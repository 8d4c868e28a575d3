/* SPDX-License-Identifier: MIT */
/*
 * test_values.c - tablebase values and distances against an independent solver, published counts
 * and positions solved by a strong program.
 */
#include "support/endings.h"

static bool within_limit(unsigned own, unsigned other, unsigned limit)
{
    return own + other <= limit;
}

static void check_value(const endings *e, ply_tablebase *tablebase, uint64_t i,
                        const void *position)
{
    ply_tablebase_value value = {PLY_TABLEBASE_DRAW, -1};
    assert_true(ply_tablebase_probe(tablebase, position, &value));
    int plies = e->plies[i];
    ply_tablebase_result result = plies < 0        ? PLY_TABLEBASE_DRAW
                                  : plies % 2 == 0 ? PLY_TABLEBASE_LOSS
                                                   : PLY_TABLEBASE_WIN;
    if (value.result != result || (plies >= 0 && value.plies != plies)) {
        ply_text text = ply_text_growing();
        e->rules.game->format(&e->rules, position, &text);
        fail_msg("%s: %d in %d, not %d in %d", ply_text_cstr(&text), (int)value.result, value.plies,
                 (int)result, plies);
    }
}

/* Checks every position of a rule set with up to `pieces` pieces, and the counts in the list. */
static void check_rules(const char *game, const char *variant, unsigned pieces)
{
    char dir[200], up_to[16], position[256];
    test_folder_make(dir, sizeof dir);
    snprintf(up_to, sizeof up_to, "%u", pieces);
    endings e;
    endings_solve(&e, game, variant, within_limit, pieces);
    test_build(&e.rules, dir, up_to, 1, 0);
    ply_tablebase *tablebase;
    ply_error error = {0};
    if (ply_tablebase_open(&e.rules, dir, 0, &tablebase, &error) != PLY_OK)
        fail_msg("%s", error.message);
    assert_int_equal(ply_tablebase_pieces(tablebase), pieces);
    uint64_t counted[3] = {0};
    int longest = 0;
    for (uint64_t i = 0; i < e.total; i++) {
        endings_position(&e, i, position);
        check_value(&e, tablebase, i, position);
        counted[e.plies[i] < 0 ? 0 : 2 - e.plies[i] % 2]++;
        longest = e.plies[i] > longest ? e.plies[i] : longest;
    }
    ply_tablebase_close(tablebase);
    ply_tablebase_info *list;
    size_t count;
    assert_int_equal(ply_tablebase_list(&e.rules, dir, &list, &count, &error), PLY_OK);
    unsigned longest_listed = 0;
    for (size_t i = 0; i < count; i++) {
        counted[0] -= list[i].draws;
        counted[1] -= list[i].wins;
        counted[2] -= list[i].losses;
        longest_listed = list[i].longest > longest_listed ? list[i].longest : longest_listed;
    }
    assert_true(counted[0] == 0 && counted[1] == 0 && counted[2] == 0);
    assert_int_equal(longest_listed, longest);
    ply_tablebase_job job = {.dir = dir, .up_to = up_to};
    if (ply_tablebase_verify(&e.rules, &job, &error) != PLY_OK)
        fail_msg("%s", error.message);
    free(list);
    endings_free(&e);
    test_folder_remove(dir);
}

static void test_neighbours(void **state)
{
    (void)state;
    check_rules("neighbours", "slide", 4);
    check_rules("neighbours", "jump", test_is_long() ? 4 : 3);
}

static void test_checkers(void **state)
{
    (void)state;
    const ply_game *game = ply_game_find("checkers");
    for (size_t i = 0; i < game->variant_count; i++)
        check_rules("checkers", game->variants[i].id, test_is_long() ? 3 : 2);
    if (!test_is_long()) {
        check_rules("checkers", "russian", 3);
        check_rules("checkers", "italian", 3);
    }
}

/* --- published numbers ---------------------------------------------------------------------- */
static void check_class(const ply_tablebase_info *list, size_t count, const char *name,
                        uint64_t wins, uint64_t losses, uint64_t draws)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i].name, name) == 0) {
            assert_int_equal(list[i].wins, wins);
            assert_int_equal(list[i].losses, losses);
            assert_int_equal(list[i].draws, draws);
            return;
        }
    fail_msg("no class %s", name);
}

static void test_neighbours_counts(void **state)
{
    (void)state;
    ply_rules rules;
    char dir[200];
    ply_tablebase_info *list;
    size_t count;
    test_make_rules(&rules, "neighbours", "slide");
    test_folder_make(dir, sizeof dir);
    test_build(&rules, dir, "3v2", 2, 0);
    assert_int_equal(ply_tablebase_list(&rules, dir, &list, &count, NULL), PLY_OK);
    assert_int_equal(count, 8);
    check_class(list, count, "1v1", 220, 1040, 0);
    check_class(list, count, "1v2", 6164, 14992, 264);
    check_class(list, count, "2v1", 9372, 11960, 88);
    check_class(list, count, "2v2", 175490, 138954, 38986);
    check_class(list, count, "1v3", 63188, 172112, 320);
    check_class(list, count, "3v1", 166632, 68904, 84);
    check_class(list, count, "2v3", 1323052, 2176476, 270392);
    check_class(list, count, "3v2", 3090324, 615072, 64524);
    free(list);
    test_folder_remove(dir);
}

/* The file gives WIN, LOSS or DRAW for the player to move. */
static void check_truths(FILE *file, const ply_rules *rules, ply_tablebase *tablebase, int pieces)
{
    char fen[256], truth[16];
    int count, checked = 0;
    while (fscanf(file, "%255s %d %15s", fen, &count, truth) == 3) {
        if (count > pieces)
            continue;
        ply_state state;
        ply_tablebase_value value;
        test_make_state(&state, rules, fen);
        assert_true(ply_tablebase_probe(tablebase, state.position, &value));
        ply_state_free(&state);
        static const char *const names[] = {"DRAW", "WIN", "LOSS"};
        if (strcmp(names[value.result], truth) != 0)
            fail_msg("%s: %s, not %s", fen, names[value.result], truth);
        checked++;
    }
    fclose(file);
    assert_int_equal(checked, pieces == 4 ? 23 : 45);
}

/* Five pieces take minutes under a sanitizer. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { SLOW = true };
#else
enum { SLOW = false };
#endif

/* Both sides have pieces, Black to move. A055213 also counts positions of one side alone. */
static void test_checkers_counts(void **state)
{
    (void)state;
    static const uint64_t published[][3] = {{716, 402, 2370},
                                            {100250, 87305, 8477},
                                            {2574304, 1917090, 1717922},
                                            {71334772, 56993144, 11122892}};
    static const uint64_t all[] = {6972, 261224, 7092774, 148688232};
    int pieces = test_is_long() && !SLOW ? 5 : 4;
    ply_rules rules;
    char dir[200];
    ply_tablebase_info *list;
    size_t count;
    test_make_rules(&rules, "checkers", "english");
    test_folder_make(dir, sizeof dir);
    test_build(&rules, dir, pieces == 5 ? "5" : "4", 2, 0);
    assert_int_equal(ply_tablebase_list(&rules, dir, &list, &count, NULL), PLY_OK);
    uint64_t got[4][3] = {{0}};
    for (size_t i = 0; i < count; i++) {
        int a, b, c, d;
        assert_int_equal(sscanf(list[i].name, "%dm%dkv%dm%dk", &a, &b, &c, &d), 4);
        uint64_t *g = got[a + b + c + d - 2];
        g[0] += list[i].wins;
        g[1] += list[i].losses;
        g[2] += list[i].draws;
    }
    for (int n = 2; n <= pieces; n++) {
        assert_memory_equal(got[n - 2], published[n - 2], sizeof got[0]);
        /* Positions of one side alone, for either side. */
        uint64_t alone = 0;
        for (int men = 0; men <= n; men++) {
            uint64_t ways = 1;
            for (int i = 0; i < men; i++)
                ways = ways * (uint64_t)(28 - i) / (uint64_t)(i + 1);
            for (int i = 0; i < n - men; i++)
                ways = ways * (uint64_t)(32 - men - i) / (uint64_t)(i + 1);
            alone += 2 * ways;
        }
        assert_int_equal(got[n - 2][0] + got[n - 2][1] + got[n - 2][2] + alone, all[n - 2]);
    }
    free(list);
    FILE *truths =
        test_open_truth("checkers_wld_english.tsv"); /* skips the rest if it is missing */
    ply_tablebase *tablebase;
    assert_int_equal(ply_tablebase_open(&rules, dir, 0, &tablebase, NULL), PLY_OK);
    check_truths(truths, &rules, tablebase, pieces);
    ply_tablebase_close(tablebase);
    test_folder_remove(dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_neighbours), cmocka_unit_test(test_checkers),
        cmocka_unit_test(test_neighbours_counts), cmocka_unit_test(test_checkers_counts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
