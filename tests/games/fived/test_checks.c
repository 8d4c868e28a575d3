/* SPDX-License-Identifier: MIT */
/*
 * test_checks.c - the list of checks agrees with the masks that decide whether there is one, with or
 * without a turn query, and every new timeline is traced to the one it branched off from.
 */
#include "games/fived/rules/checks.h"
#include "games/fived/turns/turn_query.h"
#include "support/support.h"
#include <plyverse/plyverse.h>

static void count_threat(void *context, const fived_threat *threat)
{
    (void)threat;
    ++*(size_t *)context;
}

static bool in_check(const ply_rules *rules, const fived_position *p)
{
    fived_turn_query q;
    fived_turn_query_init(&q);
    assert_int_equal(fived_turn_query_prepare(&q, rules, p), PLY_OK);
    bool check = fived_turn_query_in_check(&q);
    fived_turn_query_free(&q);
    return check;
}

/* Plays random moves; in each position both answers must be the same. */
static void play_out(const char *variant, uint64_t seed, size_t plies, size_t *checks,
                     size_t *branches, size_t *exact)
{
    const ply_game *game = ply_game_find("5dchess");
    ply_rules rules;
    ply_state state;
    ply_rng rng = ply_rng_make(seed, 0);
    assert_int_equal(ply_rules_make(&rules, game, variant, NULL), PLY_OK);
    assert_int_equal(ply_state_init(&state, &rules), PLY_OK);
    for (size_t i = 0; i < plies; i++) {
        const fived_position *p = state.position;
        size_t threats = 0, count = game->count(&rules, p);
        fived_visit_threats(&rules, p, count_threat, &threats);
        bool check = in_check(&rules, p), without_query;
        assert_int_equal(threats > 0, check);
        assert_int_equal(fived_test_check(&rules, p, &without_query), PLY_OK);
        assert_int_equal(without_query, check);
        *checks += threats > 0;
        if (count == 0)
            break;
        ply_move move = game->nth(&rules, p, ply_rng_below(&rng, (uint32_t)count));
        bool branch = move != FIVED_SUBMIT && fived_move_type_of(p, move) == FIVED_BRANCH;
        int hi = p->hi, to_l = branch ? fived_move_to(move).l : 0;
        assert_int_equal(ply_state_play(&state, move), PLY_OK);
        if (!branch)
            continue;
        int made = p->hi > hi ? p->hi : p->lo, origin;
        assert_true(fived_timeline_origin(p, made, &origin));
        /* Rarely another board fits as well: one that differs only by the piece captured. */
        *exact += origin == to_l;
        ++*branches;
    }
    ply_state_free(&state);
}

static void test_threats_agree(void **unused)
{
    (void)unused;
    static const char *const variants[] = {"standard",
                                           "small",
                                           "very-small-open",
                                           "focused-just-queens",
                                           "focused-just-brawns",
                                           "misc-timeline-invasion",
                                           "standard:check-pass=all"};
    size_t checks = 0, branches = 0, exact = 0;
    for (size_t v = 0; v < sizeof variants / sizeof variants[0]; v++)
        for (uint64_t seed = 0; seed < (test_is_long() ? 40 : 6); seed++)
            play_out(variants[v], seed, 36, &checks, &branches, &exact);
    assert_true(checks > 20);
    assert_true(branches > 20);
    assert_true(exact * 10 >= branches * 9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_threats_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
