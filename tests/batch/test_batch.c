/* SPDX-License-Identifier: MIT */
/*
 * test_batch.c - a batch plays the games that single states play.
 *
 * The reference is a ply_state per game and nothing but game.h and the definitions in batch.h: legal
 * actions from the list of moves, the end of the game from ply_state_outcome, history by taking
 * moves back, repetition by comparing keys.
 */
#include "support/support.h"
#include <plyverse/batch.h>
#include <stdlib.h>
#include <string.h>

enum { GAMES = 24, ALL_OUTPUTS = 63, HISTORY = 2, REPETITION = 2 };

typedef struct fixture {
    ply_rules rules;
    ply_batch *batch;
    const ply_batch_arrays *a;
    ply_state states[GAMES];
    ply_move *moves;
    uint64_t *bits;
    uint8_t *planes, *finals;
    int32_t actions[GAMES];
    bool ended[GAMES];
    size_t plies; /* in all games */
} fixture;

/* Whether positions of the game may be copied into the ring of history. */
static unsigned history_of(const ply_rules *rules)
{
    return rules->game->copy ? 0 : HISTORY;
}

static size_t plane_bytes(const ply_rules *rules)
{
    return (size_t)rules->planes * rules->plane_height * rules->plane_width;
}

static void open_batch(fixture *f, const ply_batch_options *options)
{
    ply_error error;
    if (ply_batch_new(&f->batch, &f->rules, options, &error) != PLY_OK)
        fail_msg("%s %s: %s", f->rules.game->id, f->rules.variant->id, error.message);
    f->a = ply_batch_data(f->batch);
    for (size_t g = 0; g < GAMES; g++) {
        assert_int_equal(ply_state_init(&f->states[g], &f->rules), PLY_OK);
        f->ended[g] = false;
    }
    f->moves = malloc(f->rules.max_moves * sizeof *f->moves);
    f->bits = malloc(f->a->mask_words * sizeof *f->bits);
    f->planes = malloc((size_t)f->a->planes * f->a->height * f->a->width + 1);
    f->plies = 0;
}

static void close_batch(fixture *f)
{
    ply_batch_free(f->batch);
    for (size_t g = 0; g < GAMES; g++)
        ply_state_free(&f->states[g]);
    free(f->moves);
    free(f->bits);
    free(f->planes);
}

/* --- the reference -------------------------------------------------------------------------- */
static size_t reference_mask(fixture *f, const ply_state *s, bool over)
{
    size_t count = over ? 0 : f->rules.game->moves(&f->rules, s->position, f->moves), legal = 0;
    memset(f->bits, 0, f->a->mask_words * sizeof *f->bits);
    for (size_t i = 0; i < count; i++) {
        uint32_t action = f->rules.learning->action(&f->rules, s->position, f->moves[i]);
        if (action == PLY_ACTION_NONE)
            continue;
        assert_true(action < f->rules.actions);
        assert_false(f->bits[action / 64] >> action % 64 & 1);
        f->bits[action / 64] |= (uint64_t)1 << action % 64;
        legal++;
    }
    return legal;
}

/* Observations as batch.h defines them, of a copy whose moves are taken back. */
static void reference_planes(fixture *f, const ply_state *s)
{
    ply_state copy;
    int viewer = ply_state_side(s);
    uint64_t key = ply_state_key(s);
    unsigned times = 0;
    uint8_t *at = f->planes;
    size_t cells = (size_t)f->a->height * f->a->width;
    assert_int_equal(ply_state_copy(&copy, s), PLY_OK);
    f->rules.learning->observe(&f->rules, copy.position, viewer, at);
    at += plane_bytes(&f->rules);
    for (unsigned i = 1; ply_state_undo(&copy); i++) {
        times += ply_state_key(&copy) == key;
        if (i <= history_of(&f->rules)) {
            f->rules.learning->observe(&f->rules, copy.position, viewer, at);
            at += plane_bytes(&f->rules);
        }
    }
    size_t present = (size_t)(at - f->planes);
    size_t all = (1 + history_of(&f->rules)) * plane_bytes(&f->rules);
    memset(at, 0, all - present);
    for (unsigned r = 1; r <= REPETITION; r++)
        memset(f->planes + all + (r - 1) * cells, times >= r, cells);
    ply_state_free(&copy);
}

/* Compares every array about the position of game g. */
static void compare_position(fixture *f, size_t g, bool over)
{
    const ply_batch_arrays *a = f->a;
    const ply_state *s = &f->states[g];
    size_t legal = reference_mask(f, s, over);
    assert_int_equal(a->legal_counts[g], legal);
    assert_int_equal(a->players[g], ply_state_side(s));
    assert_int_equal(a->plies[g], s->plies);
    assert_true(a->keys[g] == ply_state_key(s));
    assert_memory_equal(a->mask_bits + g * a->mask_words, f->bits, a->mask_words * 8);
    size_t listed = 0;
    for (uint32_t i = 0; i < a->actions; i++) {
        bool bit = f->bits[i / 64] >> i % 64 & 1;
        assert_int_equal(a->mask_bytes[g * a->actions + i], bit);
        if (bit && listed < a->list_room)
            assert_int_equal(a->legal_actions[g * a->list_room + listed++], i);
    }
    for (; listed < a->list_room; listed++)
        assert_int_equal(a->legal_actions[g * a->list_room + listed], PLY_BATCH_NO_ACTION);
    if (a->observations) {
        size_t bytes = (size_t)a->planes * a->height * a->width;
        reference_planes(f, s);
        assert_memory_equal(a->observations + g * bytes, f->planes, bytes);
    }
}

/* Plays the action of game g in its state and compares what the step reported. */
static void follow(fixture *f, size_t g, size_t max_plies, ply_batch_reset_mode reset)
{
    const ply_batch_arrays *a = f->a;
    ply_state *s = &f->states[g];
    if (f->ended[g]) { /* the step has started a new game, or done nothing */
        if (reset == PLY_BATCH_RESET_NEXT_STEP) {
            assert_int_equal(ply_state_restart(s), PLY_OK);
            f->ended[g] = false;
            assert_false(a->terminated[g] || a->truncated[g]);
        }
        assert_true(a->rewards[2 * g] == 0 && a->rewards[2 * g + 1] == 0);
        compare_position(f, g, f->ended[g]);
        return;
    }
    ply_move move = f->rules.learning->action_move(&f->rules, s->position, (uint32_t)f->actions[g]);
    assert_true(move != PLY_MOVE_NONE);
    assert_int_equal(ply_state_play(s, move), PLY_OK);
    f->plies++;
    ply_outcome outcome = ply_state_outcome(s);
    bool over = outcome.result != PLY_ONGOING;
    bool cut = !over && (s->plies >= max_plies || reference_mask(f, s, false) == 0);
    float first = outcome.result == PLY_FIRST_WINS    ? 1.0f
                  : outcome.result == PLY_SECOND_WINS ? -1.0f
                                                      : 0.0f;
    assert_int_equal(a->terminated[g], over);
    assert_int_equal(a->truncated[g], cut);
    assert_int_equal(a->results[g], outcome.result);
    assert_true(a->rewards[2 * g] == first && a->rewards[2 * g + 1] == -first);
    f->ended[g] = over || cut;
    if (f->ended[g] && reset == PLY_BATCH_RESET_SAME_STEP) {
        if (a->final_observations) {
            size_t bytes = (size_t)a->planes * a->height * a->width;
            reference_planes(f, s);
            assert_memory_equal(a->final_observations + g * bytes, f->planes, bytes);
        }
        assert_int_equal(ply_state_restart(s), PLY_OK);
        f->ended[g] = false;
    }
    compare_position(f, g, f->ended[g]);
}

/* Steps random games and compares every array after every step. */
static void check_rules(const ply_game *game, const char *variant, ply_batch_reset_mode reset,
                        size_t plies)
{
    fixture f;
    assert_int_equal(ply_rules_make(&f.rules, game, variant, NULL), PLY_OK);
    size_t max_plies = game->multi_move_turns ? 40 : 150;
    unsigned outputs =
        f.rules.learning->observe
            ? ALL_OUTPUTS
            : ALL_OUTPUTS & ~(unsigned)(PLY_BATCH_OBSERVATIONS | PLY_BATCH_FINAL_OBSERVATIONS);
    ply_batch_options options = {.games = GAMES,
                                 .outputs = outputs,
                                 .seed = 7,
                                 .max_plies = max_plies,
                                 .reset = reset,
                                 .illegal = PLY_BATCH_ILLEGAL_FAILS,
                                 .history = history_of(&f.rules),
                                 .repetition = REPETITION};
    open_batch(&f, &options);
    for (size_t g = 0; g < GAMES; g++)
        compare_position(&f, g, false);
    for (size_t i = 0; f.plies < plies && i < plies; i++) {
        ply_batch_sample(f.batch, f.actions);
        assert_int_equal(ply_batch_step(f.batch, f.actions), PLY_OK);
        for (size_t g = 0; g < GAMES; g++)
            follow(&f, g, max_plies, reset);
    }
    assert_true(reset == PLY_BATCH_RESET_NEVER || f.plies >= plies);
    close_batch(&f);
}

static void test_equals_single_games(void **state)
{
    (void)state;
    for (size_t i = 0; i < ply_game_count(); i++) {
        const ply_game *game = ply_game_at(i);
        bool slow = game->multi_move_turns;
        if (slow)
            continue;
        size_t plies = test_is_long() ? (slow ? 20000 : 1000000) : slow ? 50 : 6000;
        for (size_t v = 0; v < game->variant_count; v++)
            check_rules(game, game->variants[v].id, PLY_BATCH_RESET_SAME_STEP,
                        v == 0 ? plies : plies / 4);
        check_rules(game, NULL, PLY_BATCH_RESET_NEXT_STEP, plies / 4);
        check_rules(game, NULL, PLY_BATCH_RESET_NEVER, plies / 4);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equals_single_games),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
