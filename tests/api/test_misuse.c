/* SPDX-License-Identifier: MIT */
/*
 * test_misuse.c - what an outsider gets wrong: NULL, zeros, unknown names, wrong sizes.
 *
 * Nothing here may crash; an error must be an error value.
 */
#include "connect_four.h"
#include "core/hash.h"
#include "support/support.h"
#include <stdlib.h>
#include <string.h>

static void test_unknown_game(void **state)
{
    (void)state;
    ply_rules rules;
    ply_state game;
    ply_error error;
    assert_null(ply_game_find(NULL));
    assert_int_equal(ply_rules_make(&rules, ply_game_find("typo"), NULL, &error), PLY_UNKNOWN_GAME);
    assert_int_equal(error.status, PLY_UNKNOWN_GAME);
    assert_int_equal(ply_rules_make(NULL, ply_game_at(0), NULL, NULL), PLY_BAD_ARGUMENT);
    assert_int_equal(ply_state_init(&game, &rules), PLY_UNKNOWN_GAME);
    /* A state that could not be made is harmless. */
    ply_move move;
    ply_text text = ply_text_growing();
    assert_int_equal(ply_state_moves(&game, &move, 1), 0);
    assert_false(ply_state_is_legal(&game, 1));
    assert_int_equal(ply_state_outcome(&game).result, PLY_ONGOING);
    assert_int_equal(ply_state_play(&game, 1), PLY_BAD_ARGUMENT);
    assert_false(ply_state_undo(&game));
    assert_int_equal(ply_state_play_text(&game, "a", 1, NULL), PLY_BAD_ARGUMENT);
    assert_int_equal(ply_state_parse(&game, "a", 1, NULL), PLY_BAD_ARGUMENT);
    assert_int_equal(ply_state_parse_move(&game, "a", 1, &move, NULL), PLY_BAD_ARGUMENT);
    assert_int_equal(ply_state_restart(&game), PLY_BAD_ARGUMENT);
    assert_int_equal(ply_state_save(&game, &text), PLY_BAD_ARGUMENT);
    assert_int_equal(ply_state_load(&game, "0", 1, NULL), PLY_BAD_ARGUMENT);
    ply_state_format(&game, &text);
    ply_state_draw(&game, 0, &text);
    ply_state_svg(&game, 0, &text);
    ply_state_move_text(&game, 1, &text);
    assert_int_equal(text.length, 0);
    assert_null(ply_searcher_new(&rules, NULL));
    assert_null(ply_player_new(&rules, NULL));
    ply_batch *batch;
    assert_int_equal(ply_batch_new(&batch, &rules, NULL, NULL), PLY_UNKNOWN_GAME);
    ply_state_free(&game);
    ply_state_free(NULL);
    ply_text_free(&text);
    /* A variant that does not exist leaves rules that fail the same way. */
    assert_int_equal(ply_rules_make(&rules, ply_game_find("shogi"), "typo", NULL),
                     PLY_UNKNOWN_VARIANT);
    assert_int_equal(ply_state_init(&game, &rules), PLY_UNKNOWN_GAME);
}

/* NULL in place of options means the same as a struct of zeros. */
static void test_null_options(void **state)
{
    (void)state;
    ply_rules rules;
    ply_state s;
    test_make_rules(&rules, "neighbours", NULL);
    test_make_state(&s, &rules, NULL);
    uint64_t nodes = 0, zero_nodes = 0;
    assert_int_equal(ply_perft(&s, 3, NULL, &nodes, NULL, NULL), PLY_OK);
    assert_int_equal(ply_perft(&s, 3, &(ply_perft_options){0}, &zero_nodes, NULL, NULL), PLY_OK);
    assert_int_equal(nodes, zero_nodes);
    ply_playout_totals totals, zero_totals;
    assert_int_equal(ply_playouts(&s, NULL, &totals), PLY_OK);
    assert_int_equal(ply_playouts(&s, &(ply_playout_options){0}, &zero_totals), PLY_OK);
    assert_int_equal(totals.games, 1);
    assert_true(totals.signature == zero_totals.signature);
    ply_search_limits limits = {.nodes = 500};
    ply_search_report report;
    ply_searcher *searcher = ply_searcher_new(&rules, NULL);
    assert_int_equal(ply_searcher_run(searcher, &s, &limits, NULL, NULL, &report), PLY_OK);
    ply_searcher_free(searcher);
    ply_player *player = ply_player_new(&rules, NULL);
    ply_player_answer answer;
    assert_int_equal(ply_player_choose(player, &s, &limits, NULL, NULL, &answer), PLY_OK);
    assert_true(answer.has_score); /* the default searches */
    ply_player_free(player);
    ply_session *session = ply_session_new(NULL, NULL);
    assert_non_null(session);
    assert_true(ply_session_line(session, "games", 5));
    ply_session_free(session);
    ply_batch *batch;
    assert_int_equal(ply_batch_new(&batch, &rules, NULL, NULL), PLY_OK);
    assert_int_equal(ply_batch_data(batch)->games, 1);
    assert_int_equal(ply_batch_step(batch, NULL), PLY_BAD_ARGUMENT);
    ply_batch_free(batch);
    ply_state_free(&s);
}

static void test_null_arguments(void **state)
{
    (void)state;
    ply_error error;
    uint64_t nodes;
    assert_int_equal(ply_perft(NULL, 1, NULL, &nodes, NULL, NULL), PLY_BAD_ARGUMENT);
    assert_int_equal(ply_playouts(NULL, NULL, NULL), PLY_BAD_ARGUMENT);
    assert_int_equal(ply_searcher_run(NULL, NULL, NULL, NULL, NULL, NULL), PLY_BAD_ARGUMENT);
    assert_int_equal(ply_player_choose(NULL, NULL, NULL, NULL, NULL, NULL), PLY_BAD_ARGUMENT);
    assert_int_equal(ply_player_spec_parse(NULL, NULL, &error), PLY_BAD_ARGUMENT);
    assert_null(ply_solver_new(NULL, NULL, NULL));
    assert_int_equal(ply_solver_run(NULL, NULL, NULL, NULL, NULL, NULL), PLY_BAD_ARGUMENT);
    assert_int_equal(ply_solver_prove(NULL, NULL, NULL), PLY_BAD_ARGUMENT);
    assert_int_equal(ply_tablebase_build(NULL, NULL, &error),
                     ply_tablebase_build(NULL, NULL, NULL));
    assert_int_equal(ply_batch_new(NULL, NULL, NULL, &error), PLY_BAD_ARGUMENT);
    assert_int_equal(ply_batch_reset(NULL, NULL), PLY_BAD_ARGUMENT);
    assert_int_equal(ply_batch_get(NULL, 0, NULL), PLY_BAD_ARGUMENT);
    assert_int_equal(ply_batch_set(NULL, 0, NULL), PLY_BAD_ARGUMENT);
    assert_int_equal(ply_batch_copy(NULL, 0, NULL, 0), PLY_BAD_ARGUMENT);
    assert_int_equal(ply_batch_save(NULL, 0, NULL), PLY_BAD_ARGUMENT);
    assert_int_equal(ply_batch_load(NULL, 0, NULL, 0, &error), PLY_BAD_ARGUMENT);
    assert_int_equal(ply_batch_action(NULL, 0, 1), PLY_BATCH_NO_ACTION);
    assert_true(ply_batch_move(NULL, 0, 0) == PLY_MOVE_NONE);
    ply_batch_sample(NULL, NULL);
    ply_batch_free(NULL);
    ply_free(NULL);
    assert_null(ply_format_at(NULL, 0));
    assert_null(ply_format_find(NULL, NULL));
    assert_null(ply_format_detect(NULL, NULL, 0));
    assert_int_equal(ply_game_register(NULL), PLY_BAD_ARGUMENT);
}

static void test_register(void **state)
{
    (void)state;
    size_t count = ply_game_count();
    ply_game incomplete = connect_four_game;
    incomplete.moves = NULL;
    assert_int_equal(ply_game_register(&incomplete), PLY_BAD_ARGUMENT);
    assert_int_equal(ply_game_register(&connect_four_game), PLY_OK);
    assert_int_equal(ply_game_register(&connect_four_game), PLY_OK);
    assert_int_equal(ply_game_count(), count + 1);
    assert_ptr_equal(ply_game_find(connect_four_game.id), &connect_four_game);
    ply_game twin = connect_four_game; /* another game of the same name */
    assert_int_equal(ply_game_register(&twin), PLY_LIMIT);
}

/* --- sizes and random options ----------------------------------------------------------------- */
/* A caller compiled against a smaller struct: what it does not have is 0. */
static void test_sizes(void **state)
{
    (void)state;
    ply_rules rules;
    ply_state s;
    test_make_rules(&rules, "neighbours", NULL);
    test_make_state(&s, &rules, NULL);
    ply_playout_options whole = {.games = 5, .seed = 3, .max_plies = 7};
    ply_playout_totals totals, shorter, longer;
    assert_int_equal(ply_playouts(&s, &whole, &totals), PLY_OK);
    assert_true(totals.longest <= 7);
    ply_playout_options small = whole;
    small.size = offsetof(ply_playout_options, max_plies); /* without max_plies */
    assert_int_equal(ply_playouts(&s, &small, &shorter), PLY_OK);
    assert_int_equal(shorter.games, 5);
    assert_true(shorter.longest > 7);
    struct {
        ply_playout_options known;
        uint64_t unknown[4];
    } large = {.known = whole, .unknown = {1, 2, 3, 4}};
    large.known.size = sizeof large;
    assert_int_equal(ply_playouts(&s, &large.known, &longer), PLY_OK);
    assert_true(longer.signature == totals.signature);
    ply_state_free(&s);
}

/* A number that is sensible, too large, or absurd. */
static uint64_t odd_number(ply_rng *rng, uint32_t sensible)
{
    switch (ply_rng_below(rng, 4)) {
    case 0:
        return 0;
    case 1:
        return UINT64_MAX >> ply_rng_below(rng, 8);
    default:
        return ply_rng_below(rng, sensible);
    }
}

static void test_random_options(void **state)
{
    (void)state;
    ply_rng rng = ply_rng_make(11, 0);
    for (int i = 0; i < (test_is_long() ? 20000 : 300); i++) {
        ply_rules rules;
        ply_state s;
        const ply_game *game = ply_game_at(1 + ply_rng_below(&rng, 4));
        assert_int_equal(ply_rules_make(&rules, game, NULL, NULL), PLY_OK);
        assert_int_equal(ply_state_init(&s, &rules), PLY_OK);
        ply_perft_options perft = {.size = odd_number(&rng, 64),
                                   .mode = (int)odd_number(&rng, 3),
                                   .threads = (unsigned)odd_number(&rng, 4),
                                   .hash_mb = odd_number(&rng, 3)};
        uint64_t nodes;
        ply_perft(&s, (int)ply_rng_below(&rng, 3) - 1, &perft, &nodes, NULL, NULL);
        ply_playout_options playout = {.size = odd_number(&rng, 64),
                                       .games = ply_rng_below(&rng, 3),
                                       .threads = (unsigned)odd_number(&rng, 4),
                                       .max_plies = odd_number(&rng, 100)};
        ply_playout_totals totals;
        ply_playouts(&s, &playout, &totals);
        ply_batch_options batch = {.size = odd_number(&rng, sizeof(ply_batch_options)),
                                   .games = odd_number(&rng, 5),
                                   .threads = (unsigned)odd_number(&rng, 4),
                                   .outputs = (unsigned)odd_number(&rng, 64),
                                   .seed = ply_rng_next(&rng),
                                   .max_plies = odd_number(&rng, 50),
                                   .reset = (ply_batch_reset_mode)odd_number(&rng, 3),
                                   .illegal = (ply_batch_illegal)odd_number(&rng, 4),
                                   .history = (unsigned)odd_number(&rng, 3),
                                   .repetition = (unsigned)odd_number(&rng, 3),
                                   .list_room = ply_rng_below(&rng, 9)};
        ply_batch *b;
        if (ply_batch_new(&b, &rules, &batch, NULL) == PLY_OK) {
            int32_t actions[8];
            assert_true(ply_batch_data(b)->games <= 8);
            for (int step = 0; step < 20; step++) {
                ply_batch_sample(b, actions);
                if (ply_rng_below(&rng, 3) == 0)
                    actions[0] = (int32_t)ply_rng_next(&rng);
                ply_batch_step(b, actions);
            }
            size_t g = odd_number(&rng, 5);
            ply_text text = ply_text_growing();
            if (ply_batch_save(b, g, &text) == PLY_OK)
                assert_int_equal(ply_batch_load(b, 0, text.data, text.length, NULL), PLY_OK);
            ply_text_free(&text);
            ply_batch_copy(b, odd_number(&rng, 5), b, g);
            ply_batch_set(b, g, &s);
            ply_batch_free(b);
        } else {
            assert_null(b);
        }
        ply_state_free(&s);
    }
}

/* --- saved states and detected formats -------------------------------------------------------- */
/* A random game, saved and loaded, is the same; damaged text is refused or gives another state. */
static void test_save_and_load(void **state)
{
    (void)state;
    for (size_t i = 0; i < ply_game_count(); i++) {
        ply_rules rules;
        ply_state s, t;
        assert_int_equal(ply_rules_make(&rules, ply_game_at(i), NULL, NULL), PLY_OK);
        assert_int_equal(ply_state_init(&s, &rules), PLY_OK);
        assert_int_equal(ply_state_init(&t, &rules), PLY_OK);
        ply_rng rng = ply_rng_make(5, i);
        for (int n = 0; n < 40 && ply_state_outcome(&s).result == PLY_ONGOING; n++) {
            size_t count = ply_game_count_moves(&rules, s.position);
            ply_move move =
                ply_game_nth_move(&rules, s.position, ply_rng_below(&rng, (uint32_t)count));
            assert_int_equal(ply_state_play(&s, move), PLY_OK);
            if (n == 10) { /* from here on the start is not the usual one */
                ply_text text = ply_text_growing();
                ply_state_format(&s, &text);
                assert_int_equal(ply_state_parse(&s, text.data, text.length, NULL), PLY_OK);
                ply_text_free(&text);
            }
        }
        ply_text text = ply_text_growing(), again = ply_text_growing();
        ply_error error;
        assert_int_equal(ply_state_save(&s, &text), PLY_OK);
        if (ply_state_load(&t, text.data, text.length, &error) != PLY_OK)
            fail_msg("%s: %s in '%s'", rules.game->id, error.message, text.data);
        assert_int_equal(t.plies, s.plies);
        assert_memory_equal(t.moves, s.moves, s.plies * sizeof(ply_move));
        assert_true(ply_state_key(&t) == ply_state_key(&s));
        assert_int_equal(ply_state_save(&t, &again), PLY_OK);
        assert_string_equal(ply_text_cstr(&again), ply_text_cstr(&text));
        for (size_t cut = 0; cut < text.length; cut += 7) {
            uint64_t key = ply_state_key(&t);
            if (ply_state_load(&t, text.data, cut, NULL) != PLY_OK)
                assert_true(ply_state_key(&t) == key);
        }
        ply_text_free(&text);
        ply_text_free(&again);
        ply_state_free(&s);
        ply_state_free(&t);
    }
}

/* Whatever a format writes is detected as a format that reads the same moves from it. */
static void test_detect(void **state)
{
    (void)state;
    for (size_t i = 0; i < ply_game_count(); i++) {
        const ply_game *game = ply_game_at(i);
        ply_rules rules;
        ply_state s;
        ply_record record;
        assert_int_equal(ply_rules_make(&rules, game, NULL, NULL), PLY_OK);
        assert_int_equal(ply_state_init(&s, &rules), PLY_OK);
        assert_int_equal(ply_record_init(&record, &rules), PLY_OK);
        ply_rng rng = ply_rng_make(6, i);
        uint32_t node = 0;
        for (int n = 0; n < 12; n++) {
            size_t count = ply_game_count_moves(&rules, s.position);
            ply_move move =
                ply_game_nth_move(&rules, s.position, ply_rng_below(&rng, (uint32_t)count));
            assert_int_equal(ply_record_add(&record, node, move, &node), PLY_OK);
            assert_int_equal(ply_state_play(&s, move), PLY_OK);
        }
        const ply_format *format;
        size_t written = 0;
        for (size_t f = 0; (format = ply_format_at(game, f)) != NULL; f++) {
            ply_text text = ply_text_growing();
            ply_record found;
            bool any = false;
            if (format->read && format->write && format->write(&record, &text, NULL) == PLY_OK) {
                ply_cursor cursor = ply_cursor_make(text.data, text.length, NULL);
                assert_int_equal(ply_record_init(&found, &rules), PLY_OK);
                assert_int_equal(format->read(&cursor, &found, &any), PLY_OK);
                size_t nodes = found.node_count;
                assert_int_equal(ply_record_clear(&found), PLY_OK);
                const ply_format *guess = ply_format_detect(&rules, text.data, text.length);
                assert_non_null(guess);
                cursor = ply_cursor_make(text.data, text.length, NULL);
                assert_int_equal(guess->read(&cursor, &found, &any), PLY_OK);
                assert_true(any && found.node_count >= nodes);
                ply_record_free(&found);
                written++;
            }
            ply_text_free(&text);
        }
        assert_true(written >= 1);
        ply_record_free(&record);
        ply_state_free(&s);
        assert_null(ply_format_detect(&rules, "\001\002 nothing\n", 11));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unknown_game),   cmocka_unit_test(test_null_options),
        cmocka_unit_test(test_null_arguments), cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_random_options), cmocka_unit_test(test_save_and_load),
        cmocka_unit_test(test_detect),         cmocka_unit_test(test_register),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
