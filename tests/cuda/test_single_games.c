/* SPDX-License-Identifier: MIT */
/* test_single_games.c - putting games into a batch on the emulated device, as on the host. */
#include "support/support.h"
#include <plyverse/batch.h>
#include <stdlib.h>
#include <string.h>

enum { GAMES = 6, OUTPUTS = 63 };

typedef struct pair {
    ply_rules rules;
    ply_batch *host, *device;
} pair;

static void open_pair(pair *p, const char *game, ply_batch_options o)
{
    ply_error error;
    test_make_rules(&p->rules, game, "");
    o.games = GAMES;
    o.outputs = OUTPUTS;
    o.seed = 3;
    o.max_plies = 120;
    assert_int_equal(ply_batch_new(&p->host, &p->rules, &o, &error), PLY_OK);
    o.device = PLY_DEVICE_CUDA;
    if (ply_batch_new(&p->device, &p->rules, &o, &error) != PLY_OK)
        fail_msg("%s", error.message);
}

static void close_pair(pair *p)
{
    ply_batch_free(p->host);
    ply_batch_free(p->device);
}

static void same_array(const void *host, const void *device, size_t bytes, const char *name)
{
    if (host && memcmp(host, device, bytes) != 0) /* the emulated device's memory is ours */
        fail_msg("%s differs", name);
}

static void same_batches(const pair *p)
{
    const ply_batch_arrays *h = ply_batch_data(p->host), *d = ply_batch_data(p->device);
    size_t row = (size_t)h->planes * h->height * h->width;
    same_array(h->plies, d->plies, GAMES * sizeof(uint32_t), "plies");
    same_array(h->legal_counts, d->legal_counts, GAMES * sizeof(uint32_t), "legal_counts");
    same_array(h->mask_bits, d->mask_bits, GAMES * h->mask_words * sizeof(uint64_t), "mask_bits");
    same_array(h->observations, d->observations, GAMES * row, "observations");
    same_array(h->keys, d->keys, GAMES * sizeof(uint64_t), "keys");
    same_array(h->rewards, d->rewards, 2 * GAMES * sizeof(float), "rewards");
    same_array(h->terminated, d->terminated, GAMES, "terminated");
    same_array(h->truncated, d->truncated, GAMES, "truncated");
    same_array(h->results, d->results, GAMES, "results");
    same_array(h->players, d->players, GAMES, "players");
    for (size_t g = 0; g < GAMES; g++) {
        ply_text host = ply_text_growing(), device = ply_text_growing();
        assert_int_equal(ply_batch_save(p->host, g, &host), PLY_OK);
        assert_int_equal(ply_batch_save(p->device, g, &device), PLY_OK);
        assert_string_equal(ply_text_cstr(&host), ply_text_cstr(&device));
        ply_text_free(&host);
        ply_text_free(&device);
    }
}

static void play(pair *p, unsigned steps)
{
    int32_t actions[GAMES];
    for (unsigned i = 0; i < steps; i++) {
        ply_batch_sample(p->host, actions);
        assert_int_equal(ply_batch_step(p->host, actions), PLY_OK);
        ply_batch_sample(p->device, actions);
        assert_int_equal(ply_batch_step(p->device, actions), PLY_OK);
        same_batches(p);
    }
}

/* A state some random moves away from the start. */
static void random_state(ply_state *state, const ply_rules *rules, unsigned plies)
{
    ply_move *moves = malloc(rules->max_moves * sizeof *moves);
    assert_int_equal(ply_state_init(state, rules), PLY_OK);
    for (unsigned i = 0; i < plies; i++) {
        size_t count = ply_state_moves(state, moves, rules->max_moves);
        if (count == 0)
            break;
        assert_int_equal(ply_state_play(state, moves[ply_batch_random(1, 2, i) % count]), PLY_OK);
    }
    free(moves);
}

static void put_games_in(const char *game, ply_batch_options o)
{
    pair p;
    ply_state state;
    open_pair(&p, game, o);
    play(&p, 20);
    random_state(&state, &p.rules, 15);
    assert_int_equal(ply_batch_set(p.host, 2, &state), PLY_OK);
    assert_int_equal(ply_batch_set(p.device, 2, &state), PLY_OK);
    same_batches(&p);
    /* From one game to another, within a batch and between host and device. */
    assert_int_equal(ply_batch_copy(p.host, 4, p.host, 2), PLY_OK);
    assert_int_equal(ply_batch_copy(p.device, 4, p.device, 2), PLY_OK);
    assert_int_equal(ply_batch_copy(p.device, 1, p.host, 0), PLY_OK);
    assert_int_equal(ply_batch_copy(p.host, 1, p.device, 0), PLY_OK);
    same_batches(&p);
    play(&p, 10);
    /* As text, with the random numbers. */
    ply_error error;
    ply_text text = ply_text_growing();
    assert_int_equal(ply_batch_save(p.device, 2, &text), PLY_OK);
    play(&p, 130); /* until games have started again */
    assert_int_equal(ply_batch_load(p.host, 3, ply_text_cstr(&text), text.length, &error), PLY_OK);
    assert_int_equal(ply_batch_load(p.device, 3, ply_text_cstr(&text), text.length, &error),
                     PLY_OK);
    same_batches(&p);
    play(&p, 10);
    ply_text_free(&text);
    assert_int_equal(ply_batch_set(p.device, GAMES, &state), PLY_LIMIT);
    ply_state_free(&state);
    close_pair(&p);
}

static void test_games(void **test_state)
{
    (void)test_state;
    put_games_in("neighbours", (ply_batch_options){.history = 3, .repetition = 2});
    put_games_in("shogi", (ply_batch_options){.history = 2, .observation = "pgx"});
    put_games_in("gomoku", (ply_batch_options){.history = 1});
    put_games_in("checkers", (ply_batch_options){.reset = PLY_BATCH_RESET_NEXT_STEP});
    put_games_in("5dchess", (ply_batch_options){.max_boards = 50});
}

/* A game that an illegal action has ended stays ended when it is copied. */
static void test_ended_games(void **test_state)
{
    (void)test_state;
    pair p;
    int32_t actions[GAMES] = {-1, -1, -1, -1, -1, -1};
    open_pair(&p, "gomoku", (ply_batch_options){.reset = PLY_BATCH_RESET_NEVER});
    play(&p, 3);
    ply_batch_sample(p.host, actions);
    ply_batch_sample(p.device, actions);
    actions[0] = -1;
    assert_int_equal(ply_batch_step(p.host, actions), PLY_OK);
    assert_int_equal(ply_batch_step(p.device, actions), PLY_OK);
    assert_int_equal(ply_batch_copy(p.host, 5, p.host, 0), PLY_OK);
    assert_int_equal(ply_batch_copy(p.device, 5, p.device, 0), PLY_OK);
    same_batches(&p);
    assert_int_equal(ply_batch_data(p.device)->terminated[5], 1);
    assert_int_equal(ply_batch_copy(p.device, 4, p.host, 5), PLY_OK);
    assert_int_equal(ply_batch_data(p.device)->results[4], ply_batch_data(p.host)->results[5]);
    close_pair(&p);
}

/* A multiverse that is too large for a device. */
static void test_too_large(void **test_state)
{
    (void)test_state;
    pair p;
    ply_state state;
    ply_error error;
    ply_batch *batch;
    const ply_batch_options many = {.max_boards = 129, .device = PLY_DEVICE_CUDA};
    open_pair(&p, "5dchess", (ply_batch_options){.max_boards = 10});
    assert_int_equal(ply_batch_new(&batch, &p.rules, &many, &error), PLY_BAD_OPTION);
    assert_string_equal(error.message, "on a device a game has at most 128 boards");
    random_state(&state, &p.rules, 100);
    assert_int_equal(ply_batch_set(p.device, 1, &state), PLY_LIMIT);
    same_batches(&p); /* nothing has changed */
    const ply_batch_options large = {.start = &state, .device = PLY_DEVICE_CUDA};
    assert_int_equal(ply_batch_new(&batch, &p.rules, &large, &error), PLY_LIMIT);
    assert_string_equal(error.message, "cuda: the position has more than 128 boards, too many "
                                       "timelines or moves, or turns too hard to find");
    ply_state_free(&state);
    close_pair(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_games),
        cmocka_unit_test(test_ended_games),
        cmocka_unit_test(test_too_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
