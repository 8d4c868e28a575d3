/* SPDX-License-Identifier: MIT */
/*
 * test_network.c - neural networks: values, accumulators, and files that must be rejected.
 *
 * Networks have random weights. Their values are compared with a naive computation from the file's
 * bytes (support/random_network.h) on every instruction set of the machine.
 */
#include "nn/accumulator.h"
#include "support/loaded_network.h"
#include <sys/stat.h>
#include <unistd.h>

static const char *const games[][2] = {
    {"checkers", "english"}, {"checkers", "russian"},
    {"checkers", "thai"},    {"shogi", "standard"},
    {"shogi", "4-piece"},    {"neighbours", "slide"},
    {"neighbours", "jump"},  {"gomoku", "freestyle:width=15,height=15"},
    {"gomoku", "renju"},     {"gomoku", "caro:width=22,height=17"},
    {"5dchess", "standard"},
};
enum { GAMES = sizeof games / sizeof games[0] };

static const random_shape shapes[] = {
    {.width = 256, .l1 = 16, .l2 = 16, .buckets = 8, .output_scale = 400, .seed = 1},
    {.width = 256, .l1 = 32, .l2 = 32, .buckets = 1, .output_scale = 1000, .seed = 2},
    {.width = 96, .l1 = 8, .l2 = 24, .buckets = 3, .activation = 1, .output_scale = 600, .seed = 3},
    {.width = 32, .l1 = 64, .l2 = 8, .buckets = 16, .output_scale = 1000000, .seed = 4},
    {.width = 64, .l1 = 8, .l2 = 8, .buckets = 2, .output_scale = 100, .seed = 6, .residual = true},
    {.width = 1024, .l1 = 8, .l2 = 64, .buckets = 2, .activation = 1, .output_scale = 9, .seed = 5},
};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

/* --- values ---------------------------------------------------------------------------------- */
static void test_values(void **state)
{
    (void)state;
    int positions = (int)test_rounds(40, 1000);
    for (int g = 0; g < GAMES; g++)
        for (int k = 0; k < SHAPES; k++) {
            ply_rules rules;
            ply_state game;
            test_make_rules(&rules, games[g][0], games[g][1]);
            test_make_state(&game, &rules, NULL);
            random_network file = random_network_make(&rules, &shapes[k]);
            ply_network *network = read_network(&rules, &file);
            ply_move *moves = malloc(rules.max_moves * sizeof *moves);
            ply_rng rng = ply_rng_make(11, (uint64_t)(g * SHAPES + k));
            int different = 0;
            int32_t last = 0;
            for (int i = 0; i < positions; i++) {
                int32_t expected = random_network_value(&file, &rules, game.position);
                for (int level = 1; level <= ply_isa_best(); level++) {
                    use_level(network, level);
                    assert_int_equal(ply_network_evaluate(network, game.position), expected);
                }
                different += expected != last;
                last = expected;
                play_random(&game, &rng, moves);
            }
            assert_true(different > positions / 4 || shapes[k].output_scale > 100000);
            free(moves);
            free(file.bytes);
            ply_network_free(network);
            ply_state_free(&game);
        }
}

/* Makes all weights as large or small as they can be; biases of dense layers keep to their limit. */
static void make_extreme(random_network *file, ply_rng *rng)
{
    const random_shape *shape = &file->shape;
    size_t row = 2 * (size_t)shape->width;
    unsigned char *at = file->bytes + file->payload;
    for (size_t i = file->payload; i < file->size; i++) {
        uint32_t x = ply_rng_below(rng, 3);
        file->bytes[i] = x == 0 ? 0x80 : x == 1 ? 0x7F : 0xFF;
    }
    if (file->per_cell)
        memset(at + row, 0, row); /* feature 0 is none */
    at += row * (file->features + 1);
    for (uint32_t b = 0; b < shape->buckets; b++) {
        const uint32_t counts[3] = {shape->l1, shape->l2, 1};
        const size_t weights[3] = {random_layer1_bytes(file), (size_t)shape->l2 * shape->l1,
                                   shape->l2};
        for (int layer = 0; layer < 3; layer++) {
            for (uint32_t i = 0; i < counts[layer]; i++, at += 4)
                random_put32(at, i % 3 == 0   ? UINT32_C(1) << 30
                                 : i % 3 == 1 ? (uint32_t) - (1 << 30)
                                              : 0);
            at += weights[layer];
        }
    }
    random_network_seal(file->bytes, file->size, file->payload);
}

/* Weights at the ends of their ranges: accumulators wrap around, sums are as large as they get. */
static void test_extreme_weights(void **state)
{
    (void)state;
    static const char *const extreme_games[] = {"checkers", "gomoku"};
    ply_rng rng = ply_rng_make(12, 0);
    for (size_t g = 0; g < 2; g++) {
        ply_rules rules;
        ply_state game;
        test_make_rules(&rules, extreme_games[g], NULL);
        test_make_state(&game, &rules, NULL);
        ply_move moves[256];
        for (int k = 0; k < SHAPES; k++) {
            random_network file = random_network_make(&rules, &shapes[k]);
            make_extreme(&file, &rng);
            ply_network *network = read_network(&rules, &file);
            for (unsigned i = 0; i < test_rounds(40, 200); i++) {
                int32_t expected = random_network_value(&file, &rules, game.position);
                for (int level = 1; level <= ply_isa_best(); level++) {
                    use_level(network, level);
                    assert_int_equal(ply_network_evaluate(network, game.position), expected);
                }
                play_random(&game, &rng, moves);
            }
            free(file.bytes);
            ply_network_free(network);
        }
        ply_state_free(&game);
    }
}

/* --- accumulators ---------------------------------------------------------------------------- */
/*
 * A random walk up and down the tree, as a search makes it: most positions are evaluated, some are
 * not, null moves included. Every value equals the one computed from scratch.
 */
static void walk(const ply_rules *rules, const ply_network *network, uint64_t seed, size_t plies)
{
    enum { ROOM = 40 }; /* variations are longer now and then */
    ply_state state;
    test_make_state(&state, rules, NULL);
    ply_move *moves = malloc(rules->max_moves * sizeof *moves);
    char *undo = malloc(rules->undo_bytes + 8);
    ply_rng rng = ply_rng_make(13, seed);
    nn_stack *stack = ply_nn_stack_new(network, ROOM);
    ply_nn_stack_reset(stack, state.position);
    size_t root = 0;
    for (size_t i = 0; i < plies; i++) {
        size_t count = rules->game->moves(rules, state.position, moves);
        uint32_t choice = ply_rng_below(&rng, 100);
        if (ply_state_outcome(&state).result != PLY_ONGOING || count == 0 ||
            state.plies - root > ROOM + 20 || (choice < 40 && state.plies > root)) {
            if (state.plies == root) { /* this game is over */
                assert_int_equal(ply_state_restart(&state), PLY_OK);
                root = 0;
                ply_nn_stack_reset(stack, state.position);
                continue;
            }
            for (uint32_t back = 1 + ply_rng_below(&rng, 4); back > 0 && state.plies > root;
                 back--) {
                ply_state_undo(&state);
                ply_nn_stack_pop(stack);
            }
        } else if (choice < 42) { /* the root moves on */
            root = state.plies;
            ply_nn_stack_reset(stack, state.position);
        } else {
            ply_move move = moves[ply_rng_below(&rng, (uint32_t)count)];
            ply_nn_stack_push(stack, state.position, move);
            assert_int_equal(ply_state_play(&state, move), PLY_OK);
        }
        if (choice % 10 < 3)
            continue;
        assert_int_equal(ply_nn_stack_evaluate(stack, state.position, NULL),
                         ply_network_evaluate(network, state.position));
        if (rules->search->null_move && choice % 10 == 4 &&
            !rules->search->in_check(rules, state.position)) {
            ply_nn_stack_push(stack, state.position, PLY_MOVE_NONE);
            rules->search->null_move(rules, state.position, undo);
            assert_int_equal(ply_nn_stack_evaluate(stack, state.position, NULL),
                             ply_network_evaluate(network, state.position));
            rules->game->undo(rules, state.position, PLY_MOVE_NONE, undo);
            ply_nn_stack_pop(stack);
        }
    }
    ply_nn_stack_free(stack);
    free(undo);
    free(moves);
    ply_state_free(&state);
}

static void test_accumulators(void **state)
{
    (void)state;
    int levels = ply_isa_best();
    size_t plies = test_is_long() ? 1000000 : test_under_asan() ? 2000 : 20000;
    for (int g = 0; g < GAMES; g++)
        for (int level = 1; level <= levels; level++) {
            if (level == 2) /* the same as level 1 */
                continue;
            ply_rules rules;
            test_make_rules(&rules, games[g][0], games[g][1]);
            const random_shape *shape = &shapes[(g + level) % 3];
            random_network file = random_network_make(&rules, shape);
            ply_network *network = read_network(&rules, &file);
            use_level(network, level);
            /* The positions of 5D chess are large, and random games make them larger. */
            size_t share = rules.game->multi_move_turns ? 100 : level == 1 ? 4 : 1;
            walk(&rules, network, (uint64_t)(g * 8 + level), plies / share);
            ply_network_free(network);
            free(file.bytes);
        }
}

/* A search gives the same answer with and without incremental updates. */
static void test_search(void **state)
{
    (void)state;
    for (int g = 0; g < GAMES; g++)
        for (int kind = PLY_SEARCH_ALPHABETA; kind <= PLY_SEARCH_MCTS; kind++) {
            ply_rules rules, slow;
            ply_state game;
            test_make_rules(&rules, games[g][0], games[g][1]);
            slow = rules;
            ply_network_hooks refresh_only = *rules.network;
            refresh_only.changes = NULL;
            slow.network = &refresh_only;
            random_network file = random_network_make(&rules, &shapes[0]);
            char path[] = "/tmp/plyverse-network-XXXXXX";
            int fd = mkstemp(path);
            assert_true(fd >= 0);
            assert_int_equal(write(fd, file.bytes, file.size), (ssize_t)file.size);
            close(fd);
            ply_search_report report[3];
            ply_move best[3];
            const char *names[3] = {path, path, PLY_NETWORK_NONE};
            for (int i = 0; i < 3; i++) {
                ply_search_options options = {
                    .kind = (ply_search_kind)kind, .memory_mb = 1, .network = names[i]};
                ply_search_limits limits = {.nodes = kind == PLY_SEARCH_MCTS ? 300 : 20000};
                if (rules.game->multi_move_turns)
                    limits.nodes /= 20;
                const ply_rules *r = i == 1 ? &slow : &rules;
                test_make_state(&game, r, NULL);
                ply_searcher *searcher = ply_searcher_new(r, &options);
                assert_non_null(searcher);
                assert_int_equal(ply_searcher_run(searcher, &game, &limits, NULL, NULL, &report[i]),
                                 PLY_OK);
                report[i].seconds = 0;
                best[i] = report[i].pv[0].moves[0];
                report[i].pv_count = (size_t)(uint32_t)report[i].pv[0].score;
                report[i].pv = NULL;
                report[i].root = NULL;
                ply_searcher_free(searcher);
                ply_state_free(&game);
            }
            assert_memory_equal(&report[0], &report[1], sizeof report[0]);
            assert_true(best[0] == best[1]);
            /* The network was used at all. */
            assert_true(memcmp(&report[0], &report[2], sizeof report[0]) != 0);
            unlink(path);
            free(file.bytes);
        }
}

/* --- files ----------------------------------------------------------------------------------- */
static void check_bad(const ply_rules *rules, const unsigned char *bytes, size_t size,
                      ply_status status, const char *words)
{
    ply_network *network;
    ply_error error = {0};
    assert_int_equal(ply_network_read(rules, bytes, size, "FILE", &network, &error), status);
    assert_null(network);
    assert_int_equal(error.status, status);
    assert_memory_equal(error.message, "FILE: ", 6);
    if (!strstr(error.message, words))
        fail_msg("'%s' is not in '%s'", words, error.message);
}

/* Each field of the header is checked, and every damaged byte of the payload is noticed. */
static void test_bad_files(void **state)
{
    (void)state;
    static const struct {
        size_t at;
        uint32_t value;
        ply_status status;
        const char *words;
    } fields[] = {
        {0, 0, PLY_IO, "not a Plyverse network"},
        {8, 192, PLY_IO, "header's length"},
        {12, 2, PLY_IO, "only networks that pool cells"},
        {12, 3, PLY_IO, "version 3"},
        {16, 119, PLY_IO, "number of features"},
        {20, 0, PLY_IO, "unsupported size"},
        {20, 100, PLY_IO, "unsupported size"},
        {20, 2048, PLY_IO, "unsupported size"},
        {24, 12, PLY_IO, "unsupported size"},
        {28, 72, PLY_IO, "unsupported size"},
        {32, 0, PLY_IO, "unsupported size"},
        {32, 17, PLY_IO, "unsupported size"},
        {32, 7, PLY_IO, "after the weights"},
        {32, 9, PLY_IO, "truncated"},
        {36, 2, PLY_IO, "activation"},
        {40, 0, PLY_IO, "output scale"},
        {40, 1000001, PLY_IO, "output scale"},
        {44, 1, PLY_UNSUPPORTED, "another evaluation"},
        {48, 0, PLY_IO, "checksum"},
        {56, 0x78787878, PLY_UNSUPPORTED, "xxxx"},
        {56, 0x01010101, PLY_IO, "not a name"},
        {116, 0x78787878, PLY_IO, "not a name"},
        {120, 0x79797979, PLY_UNSUPPORTED, "this program has checkers-120"},
        {184, 14, PLY_IO, "padded with zeros"},
        {184, 4000000000, PLY_IO, "too long"},
        {184, 65536, PLY_IO, "header's length"},
        {188, 0xFFFFFFFF, PLY_IO, "UTF-8"},
        {188, 0, PLY_IO, "UTF-8"},
    };
    ply_rules rules;
    test_make_rules(&rules, "checkers", NULL);
    random_shape shape = shapes[0];
    random_network file = random_network_make(&rules, &shape);
    unsigned char *copy = malloc(file.size + 1);
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        memcpy(copy, file.bytes, file.size);
        random_put32(copy + fields[i].at, fields[i].value);
        check_bad(&rules, copy, file.size, fields[i].status, fields[i].words);
    }
    memcpy(copy, file.bytes, file.size);
    copy[file.size] = 0;
    check_bad(&rules, copy, file.size + 1, PLY_IO, "after the weights");
    for (size_t size = 0; size < file.size; size += 1 + size / 7)
        check_bad(&rules, copy, size, PLY_IO, size < 8 ? "not a Plyverse network" : "truncated");
    for (size_t at = file.payload; at < file.size; at += 97) {
        copy[at] ^= 1;
        check_bad(&rules, copy, file.size, PLY_IO, "checksum");
        copy[at] ^= 1;
    }
    /* A bias beyond the limit. */
    random_put32(copy + file.payload + 2 * (size_t)shape.width * (file.features + 1),
                 (UINT32_C(1) << 30) + 1);
    random_network_seal(copy, file.size, file.payload);
    check_bad(&rules, copy, file.size, PLY_IO, "bias");
    free(copy);
    free(file.bytes);
}

/* What only networks that pool cells can have wrong. */
static void test_bad_files_of_cells(void **state)
{
    (void)state;
    ply_rules rules;
    test_make_rules(&rules, "gomoku", NULL);
    random_network file = random_network_make(&rules, &shapes[3]);
    size_t row = 2 * (size_t)file.shape.width;
    random_put32(file.bytes + 20, 160);
    check_bad(&rules, file.bytes, file.size, PLY_IO, "the cells are too wide");
    random_put32(file.bytes + 20, file.shape.width);
    file.bytes[file.payload + 2 * row - 1] = 1;
    check_bad(&rules, file.bytes, file.size, PLY_IO, "checksum");
    random_network_seal(file.bytes, file.size, file.payload);
    check_bad(&rules, file.bytes, file.size, PLY_IO, "feature 0, which stands for none");
    free(file.bytes);
}

/* Families follow the rules by which pieces move. */
static void test_families(void **state)
{
    (void)state;
    static const char *const expected[][3] = {
        {"checkers", "english", "checkers-english"},
        {"checkers", "english:rows=2,quiet=100", "checkers-english"},
        {"checkers", "english:men=back", NULL},
        {"checkers", "italian", "checkers-italian"},
        {"checkers", "pool:crowning=continues", "checkers-russian"},
        {"shogi", "standard", "shogi"},
        {"shogi", "10-piece", "shogi"},
        {"neighbours", "jump", "neighbours-jump"},
        {"gomoku", "renju:width=11,height=9", "gomoku-renju"},
        {"gomoku", "freestyle:row=4", NULL},
        {"gomoku", "freestyle:width=22,height=22", "gomoku-freestyle"},
        {"gomoku", "freestyle:width=23", NULL},
        {"gomoku", "freestyle:height=23", NULL},
        {"5dchess", "standard-princess", "5dchess-standard"},
        {"5dchess", "small", NULL},
    };
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        ply_rules rules;
        test_make_rules(&rules, expected[i][0], expected[i][1]);
        const char *family = rules.network->family(&rules);
        if (expected[i][2])
            assert_string_equal(family, expected[i][2]);
        else
            assert_null(family);
    }
    /* A network of one family does not serve another, and rules without a family have none. */
    ply_rules english, russian, mixed;
    test_make_rules(&english, "checkers", "english");
    test_make_rules(&russian, "checkers", "russian");
    test_make_rules(&mixed, "checkers", "english:men=back");
    random_network file = random_network_make(&english, &shapes[0]);
    check_bad(&russian, file.bytes, file.size, PLY_UNSUPPORTED,
              "a network for checkers-english, not for checkers-russian");
    check_bad(&mixed, file.bytes, file.size, PLY_UNSUPPORTED, "no networks for these rules");
    free(file.bytes);
}

/* What ply_network_load makes of names. */
static void test_load(void **state)
{
    (void)state;
    ply_rules rules;
    ply_network *network;
    ply_error error = {0};
    test_make_rules(&rules, "shogi", NULL);
    assert_int_equal(ply_network_load(&rules, PLY_NETWORK_NONE, &network, &error), PLY_OK);
    assert_null(network);
    assert_int_equal(ply_network_load(&rules, "/no/such/file", &network, &error), PLY_IO);
    assert_string_equal(error.message, "/no/such/file: No such file or directory");
    assert_int_equal(ply_network_load(&rules, "/dev/null", &network, &error), PLY_IO);
    assert_string_equal(error.message, "/dev/null: not a regular file");
    assert_int_equal(ply_network_load(&rules, "/", &network, NULL), PLY_IO);
    /* Every network in the library can be loaded. */
    for (size_t g = 0; g < ply_game_count(); g++)
        for (size_t v = 0; v < ply_game_at(g)->variant_count; v++) {
            test_make_rules(&rules, ply_game_at(g)->id, ply_game_at(g)->variants[v].id);
            if (ply_network_load(&rules, NULL, &network, &error) != PLY_OK)
                fail_msg("%s", error.message);
            ply_network_free(network);
        }
    /* The description and the provenance. */
    test_make_rules(&rules, "checkers", NULL);
    random_network file = random_network_make(&rules, &shapes[0]);
    network = read_network(&rules, &file);
    char text[128];
    ply_text line = ply_text_fixed(text, sizeof text);
    ply_network_describe(network, &line);
    assert_string_equal(text, "checkers-english 120-256x2-16-16-1, 8 buckets");
    assert_string_equal(ply_network_provenance(network), "random weights\n");
    ply_network_free(network);
    free(file.bytes);
    random_shape residual = shapes[0];
    residual.residual = true;
    file = random_network_make(&rules, &residual);
    network = read_network(&rules, &file);
    line = ply_text_fixed(text, sizeof text);
    ply_network_describe(network, &line);
    assert_string_equal(text, "checkers-english 120-256x2-16-16-1, 8 buckets, "
                              "added to the game's evaluation");
    ply_network_free(network);
    free(file.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),       cmocka_unit_test(test_extreme_weights),
        cmocka_unit_test(test_accumulators), cmocka_unit_test(test_search),
        cmocka_unit_test(test_bad_files),    cmocka_unit_test(test_bad_files_of_cells),
        cmocka_unit_test(test_families),     cmocka_unit_test(test_load),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
