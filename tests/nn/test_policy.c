/* SPDX-License-Identifier: MIT */
/*
 * test_policy.c - policy heads: their logits, and files that must be rejected.
 *
 * Networks have random weights. Their logits are compared with a naive computation from the file's
 * bytes (support/random_network.h) on every instruction set of the machine.
 */
#include "nn/accumulator.h"
#include "support/loaded_network.h"
#include <unistd.h>

static const char *const variants[] = {"freestyle:width=15,height=15", "renju",
                                       "caro:width=22,height=17"};
enum { VARIANTS = sizeof variants / sizeof variants[0] };

static const random_shape shapes[] = {
    {.width = 64, .l1 = 16, .l2 = 16, .buckets = 4, .output_scale = 400, .seed = 1, .policy = 32},
    {.width = 32, .l1 = 8, .l2 = 8, .buckets = 1, .output_scale = 90, .seed = 2, .policy = 8},
    {.width = 96,
     .l1 = 8,
     .l2 = 8,
     .buckets = 2,
     .output_scale = 90,
     .seed = 3,
     .policy = 64,
     .activation = 1},
    {.width = 128,
     .l1 = 8,
     .l2 = 8,
     .buckets = 2,
     .output_scale = 90,
     .seed = 4,
     .policy = 24,
     .residual = true},
};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

/* Compares the logits of all legal moves; returns how many differ from the first. */
static size_t compare_logits(const random_network *file, ply_network *network,
                             const ply_state *state, const ply_move *moves, size_t count)
{
    static int32_t logits[GOMOKU_MAX_CELLS + 1], expected[GOMOKU_MAX_CELLS + 1];
    const ply_rules *rules = state->rules;
    size_t different = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t cell = rules->network->move_cell(rules, moves[i]);
        expected[i] = cell == PLY_NO_CELL
                          ? NN_LEAST_LOGIT
                          : random_network_logit(file, rules, state->position, cell);
        different += expected[i] != expected[0];
    }
    for (int level = 1; level <= ply_isa_best(); level++) {
        use_level(network, level);
        assert_true(ply_network_policy(network, state->position, moves, count, logits));
        for (size_t i = 0; i < count; i++)
            assert_int_equal(logits[i], expected[i]);
    }
    return different;
}

static void check_logits(bool extreme)
{
    for (int v = 0; v < VARIANTS; v++)
        for (int k = 0; k < SHAPES; k++) {
            ply_rules rules;
            ply_state game;
            test_make_rules(&rules, "gomoku", variants[v]);
            test_make_state(&game, &rules, NULL);
            random_network file = random_network_make(&rules, &shapes[k]);
            ply_rng rng = ply_rng_make(21, (uint64_t)(v * SHAPES + k));
            if (extreme) { /* all weights as large as they can be, and biases at their limit */
                unsigned char *biases = file.bytes + file.size - random_policy_bytes(&file);
                for (unsigned char *at = biases; at < file.bytes + file.size; at++)
                    *at = ply_rng_below(&rng, 2) ? 0x7F : 0x80;
                for (uint32_t i = 0; i < file.shape.policy; i++)
                    random_put32(biases + 4 * i,
                                 i % 2 ? UINT32_C(1) << 30 : (uint32_t) - (1 << 30));
                random_network_seal(file.bytes, file.size, file.payload);
            }
            ply_network *network = read_network(&rules, &file);
            ply_move *moves = malloc(rules.max_moves * sizeof *moves);
            size_t different = 0;
            for (unsigned i = 0; i < test_rounds(6, 100); i++) {
                size_t count = rules.game->moves(&rules, game.position, moves);
                different += compare_logits(&file, network, &game, moves, count);
                for (int plies = 0; plies < 9; plies++)
                    play_random(&game, &rng, moves);
            }
            assert_true(different > 0 || extreme);
            free(moves);
            free(file.bytes);
            ply_network_free(network);
            ply_state_free(&game);
        }
}

static void test_logits(void **state)
{
    (void)state;
    check_logits(false);
}

static void test_extreme_weights(void **state)
{
    (void)state;
    check_logits(true);
}

/* Along a walk as a search makes it, logits equal those computed from scratch, at any depth. */
static void test_follows(void **state)
{
    (void)state;
    enum { ROOM = 12, COUNT = 100 };
    static int32_t logits[COUNT], expected[COUNT];
    ply_rules rules;
    ply_state game;
    test_make_rules(&rules, "gomoku", NULL);
    test_make_state(&game, &rules, NULL);
    random_network file = random_network_make(&rules, &shapes[0]);
    ply_network *network = read_network(&rules, &file);
    nn_stack *stack = ply_nn_stack_new(network, ROOM);
    ply_nn_stack_reset(stack, game.position);
    ply_move *moves = malloc(rules.max_moves * sizeof *moves);
    ply_rng rng = ply_rng_make(22, 0);
    for (unsigned i = 0; i < test_rounds(2000, 20000); i++) {
        size_t count = rules.game->moves(&rules, game.position, moves);
        bool over = ply_state_outcome(&game).result != PLY_ONGOING || game.plies > ROOM + 8;
        if (game.plies > 0 && (over || ply_rng_below(&rng, 100) < 45)) {
            ply_state_undo(&game);
            ply_nn_stack_pop(stack);
        } else {
            ply_move move = moves[ply_rng_below(&rng, (uint32_t)count)];
            ply_nn_stack_push(stack, game.position, move);
            assert_int_equal(ply_state_play(&game, move), PLY_OK);
        }
        if (i % 3 == 0)
            continue;
        count = rules.game->moves(&rules, game.position, moves);
        count = count < COUNT ? count : COUNT;
        moves[count / 2] = GOMOKU_PASS; /* which fills no cell */
        assert_true(ply_nn_stack_policy(stack, game.position, moves, count, logits));
        assert_true(ply_network_policy(network, game.position, moves, count, expected));
        assert_memory_equal(logits, expected, count * sizeof logits[0]);
        assert_int_equal(logits[count / 2], NN_LEAST_LOGIT);
        assert_int_equal(ply_nn_stack_evaluate(stack, game.position, NULL),
                         ply_network_evaluate(network, game.position));
    }
    ply_nn_stack_free(stack);
    free(moves);
    ply_network_free(network);
    free(file.bytes);
    ply_state_free(&game);
}

/* --- searches -------------------------------------------------------------------------------- */
static void search(const ply_rules *rules, const char *path, ply_search_kind kind,
                   const char *parameters, ply_search_report *report, ply_move *best)
{
    ply_search_options options = {
        .kind = kind, .memory_mb = 1, .network = path, .parameters = parameters};
    ply_search_limits limits = {.nodes = kind == PLY_SEARCH_MCTS ? 400 : 4000};
    ply_state game;
    test_make_state(&game, rules, NULL);
    assert_int_equal(ply_state_play_text(&game, "h8 i9 g7", 8, NULL), PLY_OK);
    ply_searcher *searcher = ply_searcher_new(rules, &options);
    assert_non_null(searcher);
    assert_int_equal(ply_searcher_run(searcher, &game, &limits, NULL, NULL, report), PLY_OK);
    *best = report->pv[0].moves[0];
    report->seconds = 0;
    report->pv_count = (size_t)(uint32_t)report->pv[0].score;
    report->pv = NULL;
    report->root = NULL;
    ply_searcher_free(searcher);
    ply_state_free(&game);
}

static void write_network(const random_network *file, char *path)
{
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, file->bytes, file->size), (ssize_t)file->size);
    close(fd);
}

/* Searches use the head, the same way each time; one that counts nothing changes nothing. */
static void test_search(void **state)
{
    (void)state;
    static const char *const off = "policy_order=0,policy_killers=1,policy_lmr=0";
    char with[] = "/tmp/plyverse-policy-XXXXXX", without[] = "/tmp/plyverse-policy-XXXXXX";
    ply_rules rules;
    test_make_rules(&rules, "gomoku", NULL);
    random_shape shape = shapes[0];
    random_network file = random_network_make(&rules, &shape);
    write_network(&file, with);
    free(file.bytes);
    shape.policy = 0;
    file = random_network_make(&rules, &shape);
    write_network(&file, without);
    free(file.bytes);
    for (int kind = PLY_SEARCH_ALPHABETA; kind <= PLY_SEARCH_MCTS; kind++) {
        ply_search_report report[4];
        ply_move best[4];
        const char *const paths[] = {with, with, without, with};
        for (int i = 0; i < 4; i++)
            search(&rules, paths[i], (ply_search_kind)kind, i == 3 ? off : NULL, &report[i],
                   &best[i]);
        assert_memory_equal(&report[0], &report[1], sizeof report[0]);
        assert_true(best[0] == best[1]);
        assert_true(best[0] != best[2] || memcmp(&report[0], &report[2], sizeof report[0]) != 0);
        if (kind == PLY_SEARCH_ALPHABETA) {
            assert_memory_equal(&report[2], &report[3], sizeof report[2]);
            assert_true(best[2] == best[3]);
        }
    }
    unlink(with);
    unlink(without);
}

/* --- files ----------------------------------------------------------------------------------- */
static void check_bad(const ply_rules *rules, const random_network *file, size_t size,
                      const char *words)
{
    ply_network *network;
    ply_error error = {0};
    assert_int_equal(ply_network_read(rules, file->bytes, size, "FILE", &network, &error), PLY_IO);
    assert_null(network);
    assert_memory_equal(error.message, "FILE: ", 6);
    if (!strstr(error.message, words))
        fail_msg("'%s' is not in '%s'", words, error.message);
}

static void test_bad_files(void **state)
{
    (void)state;
    static const struct {
        size_t at;
        uint32_t value;
        const char *words;
    } fields[] = {
        {12, 1, "UTF-8"},
        {12, 3, "version 3"},
        {188, 0, "policy head has an unsupported size"},
        {188, 12, "policy head has an unsupported size"},
        {188, 72, "policy head has an unsupported size"},
        {188, 24, "after the weights"},
        {188, 40, "truncated"},
        {192, 0xFFFFFFFF, "UTF-8"},
    };
    ply_rules rules, checkers;
    test_make_rules(&rules, "gomoku", NULL);
    test_make_rules(&checkers, "checkers", NULL);
    random_network file = random_network_make(&rules, &shapes[0]);
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        uint32_t before = (uint32_t)random_get32(file.bytes + fields[i].at);
        random_put32(file.bytes + fields[i].at, fields[i].value);
        check_bad(&rules, &file, file.size, fields[i].words);
        random_put32(file.bytes + fields[i].at, before);
    }
    for (size_t size = 8; size < file.size; size += 1 + size / 7)
        check_bad(&rules, &file, size, "truncated");
    check_bad(&rules, &file, 190, "truncated within the header");
    for (size_t at = file.size - random_policy_bytes(&file); at < file.size; at += 97) {
        file.bytes[at] ^= 1;
        check_bad(&rules, &file, file.size, "checksum");
        file.bytes[at] ^= 1;
    }
    check_bad(&checkers, &file, file.size, "only networks that pool cells have a policy head");
    /* A bias beyond the limit. */
    random_put32(file.bytes + file.size - random_policy_bytes(&file), (UINT32_C(1) << 30) + 1);
    random_network_seal(file.bytes, file.size, file.payload);
    check_bad(&rules, &file, file.size, "bias");
    free(file.bytes);
}

static void test_describe(void **state)
{
    (void)state;
    ply_rules rules;
    test_make_rules(&rules, "gomoku", NULL);
    random_network file = random_network_make(&rules, &shapes[3]);
    ply_network *network = read_network(&rules, &file);
    char text[128];
    ply_text line = ply_text_fixed(text, sizeof text);
    ply_network_describe(network, &line);
    assert_string_equal(text,
                        "gomoku-freestyle 7381-128x2-8-8-1, 2 buckets, cells pooled, added to "
                        "the game's evaluation, policy of 24");
    assert_string_equal(ply_network_provenance(network), "random weights\n");
    ply_network_free(network);
    free(file.bytes);
    random_shape plain = shapes[3];
    plain.policy = 0;
    file = random_network_make(&rules, &plain);
    network = read_network(&rules, &file);
    ply_move move = gomoku_move(0);
    int32_t logit;
    assert_false(ply_network_policy(network, NULL, &move, 1, &logit));
    ply_network_free(network);
    free(file.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_logits),    cmocka_unit_test(test_extreme_weights),
        cmocka_unit_test(test_follows),   cmocka_unit_test(test_search),
        cmocka_unit_test(test_bad_files), cmocka_unit_test(test_describe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
