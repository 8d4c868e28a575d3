/* SPDX-License-Identifier: MIT */
/*
 * test_proof.c - the checker accepts correct proofs and nothing else.
 *
 * Proofs are corrupted thousands of times. With the checksum left alone, every change must be
 * detected; with the checksum corrected, a proof that is still accepted must be true, which is
 * tested by solving its claim again. test_rejections.c has a proof for every reason to reject one,
 * test_mutants.c changes proofs without breaking their format.
 */
#include "proof_bytes.h"

static memory_file make_proof(const ply_rules *rules, const char *goal_id, const void *position,
                              ply_verdict wanted)
{
    const ply_goal *goal = ply_goal_find(rules->game, goal_id);
    ply_solver *solver = ply_solver_new(rules, goal, NULL);
    ply_solve_report report;
    memory_file file = {0};
    assert_int_equal(ply_solver_run(solver, position, NULL, NULL, NULL, &report), PLY_OK);
    assert_int_equal(report.verdict, wanted);
    assert_int_equal(ply_solver_prove(solver, memory_sink, &file), PLY_OK);
    ply_solver_free(solver);
    return file;
}

static memory_file make_proof_of(const char *game, const char *variant, const char *goal,
                                 const char *text, ply_verdict wanted)
{
    ply_rules rules;
    ply_state state;
    test_make_rules(&rules, game, variant);
    test_make_state(&state, &rules, text);
    memory_file file = make_proof(&rules, goal, state.position, wanted);
    ply_state_free(&state);
    return file;
}

/* Makes one change: a byte, a bit, bytes removed, copied, swapped or truncated. */
static void corrupt(memory_file *file, ply_rng *rng)
{
    size_t count = file->count - 8, at = ply_rng_below(rng, (uint32_t)count);
    switch (ply_rng_below(rng, 6)) {
    case 0:
        file->bytes[at] = (unsigned char)ply_rng_below(rng, 256);
        break;
    case 1:
        file->bytes[at] ^= (unsigned char)(1u << ply_rng_below(rng, 8));
        break;
    case 2: {
        size_t removed = 1 + ply_rng_below(rng, 8);
        removed = removed > file->count - at ? file->count - at : removed;
        memmove(file->bytes + at, file->bytes + at + removed, file->count - at - removed);
        file->count -= removed;
        break;
    }
    case 3: {
        size_t from = ply_rng_below(rng, (uint32_t)count), length = 1 + ply_rng_below(rng, 12);
        length = length > count - from ? count - from : length;
        length = length > count - at ? count - at : length;
        memmove(file->bytes + at, file->bytes + from, length);
        break;
    }
    case 4: {
        size_t other = ply_rng_below(rng, (uint32_t)count);
        unsigned char byte = file->bytes[at];
        file->bytes[at] = file->bytes[other];
        file->bytes[other] = byte;
        break;
    }
    default:
        file->count = at + 8 > file->count ? file->count : at + 8;
    }
}

/* Checks that the claim of an accepted proof is true. */
static void check_claim(const ply_game *game, const ply_proof_summary *summary, const char *text)
{
    ply_rules rules;
    ply_state state;
    ply_error error = {0};
    assert_int_equal(ply_rules_make(&rules, game, summary->variant, &error), PLY_OK);
    test_make_state(&state, &rules, text);
    assert_int_equal(game->side(&rules, state.position), summary->attacker);
    ply_solver *solver = ply_solver_new(&rules, ply_goal_find(game, summary->goal), NULL);
    ply_solve_limits limits = {.shortest = true};
    ply_solve_report report;
    assert_int_equal(ply_solver_run(solver, state.position, &limits, NULL, NULL, &report), PLY_OK);
    assert_int_equal(report.verdict, summary->verdict);
    if (report.verdict == PLY_VERDICT_WIN)
        assert_true(report.plies <= summary->plies);
    ply_solver_free(solver);
    ply_state_free(&state);
}

/* Corrupts copies of a proof and checks each. */
static void check_corrupted(memory_file *proof, const char *id, unsigned rounds, uint64_t seed)
{
    const ply_game *game = ply_game_find(id);
    ply_rng rng = ply_rng_make(seed, 0);
    ply_proof_summary summary;
    ply_error error = {0};
    assert_int_equal(memory_check(game, proof, 0, &summary, NULL, &error), PLY_OK);
    memory_file copy = {.bytes = malloc(proof->count), .capacity = proof->count};
    assert_non_null(copy.bytes);
    unsigned accepted = 0;
    for (unsigned i = 0; i < rounds; i++) {
        copy.count = proof->count;
        memcpy(copy.bytes, proof->bytes, proof->count);
        for (unsigned n = 1 + ply_rng_below(&rng, 3); n > 0 && copy.count > 16; n--)
            corrupt(&copy, &rng);
        if (copy.count == proof->count && memcmp(copy.bytes, proof->bytes, copy.count) == 0)
            continue;
        ply_text text = ply_text_growing();
        /* With the old checksum: never accepted. */
        error.message[0] = '\0';
        assert_int_not_equal(memory_check(game, &copy, 1000000, &summary, &text, &error), PLY_OK);
        assert_true(error.message[0] != '\0');
        ply_text_clear(&text);
        if (copy.count > 16) {
            put_checksum(&copy);
            if (memory_check(game, &copy, 1000000, &summary, &text, &error) == PLY_OK) {
                accepted++;
                check_claim(game, &summary, ply_text_cstr(&text));
            }
        }
        ply_text_free(&text);
    }
    /* Even so nearly every change is detected. An exception is another winning move. */
    assert_true(accepted < rounds / 5);
    free(copy.bytes);
}

static void corrupted_proofs(void **unused)
{
    (void)unused;
    static const struct {
        const char *game, *variant, *goal, *text;
        ply_verdict verdict;
    } proofs[] = {
        {"shogi", NULL, "mate", "3sks3/9/4S4/9/9/B8/9/9/9 b S2rb4g4n4l18p 1", PLY_VERDICT_WIN},
        {"shogi", NULL, "mate", "n+B1sS4/1R1g5/1Ls6/2k6/2n6/3L5/R8/9/9 b B2P3gs2n2l16p 1",
         PLY_VERDICT_WIN},
        {"shogi", NULL, "mate", "4k4/9/4G4/9/9/9/9/9/9 b P2r2b3g4s4n4l17p 1", PLY_VERDICT_NO},
        /* A winning-sets node at the root, and a tree that ends in such nodes. */
        {"gomoku", "freestyle:width=6,height=5", "win", NULL, PLY_VERDICT_NO},
        {"gomoku", "freestyle:width=5,height=5,row=4", "win", "2x2/1o3/2x2/1o1x1/2oo1 x",
         PLY_VERDICT_NO},
    };
    unsigned rounds = test_is_long() ? 60000 : 6000;
    for (size_t i = 0; i < sizeof proofs / sizeof proofs[0]; i++) {
        memory_file proof = make_proof_of(proofs[i].game, proofs[i].variant, proofs[i].goal,
                                          proofs[i].text, proofs[i].verdict);
        check_corrupted(&proof, proofs[i].game, rounds, i + 1);
        free(proof.bytes);
    }
    /* A few positions of Neighbours, won and not. */
    ply_rules rules;
    test_make_rules(&rules, "neighbours", NULL);
    const ply_goal *goal = ply_goal_find(rules.game, "win");
    void *position = malloc(rules.position_bytes);
    ply_solver *solver = ply_solver_new(&rules, goal, NULL);
    ply_rng rng = ply_rng_make(5, 0);
    unsigned done[3] = {0};
    while (done[PLY_VERDICT_WIN] < 4 || done[PLY_VERDICT_NO] < 4) {
        size_t class_index = 2 * 7 + 2;
        uint64_t number = ply_rng_next(&rng) % rules.indexing->class_size(&rules, class_index);
        assert_int_equal(rules.indexing->unrank(&rules, class_index, number, position), PLY_OK);
        ply_solve_report report;
        assert_int_equal(ply_solver_run(solver, position, NULL, NULL, NULL, &report), PLY_OK);
        if (report.verdict == PLY_VERDICT_UNKNOWN || done[report.verdict]++ >= 4)
            continue;
        memory_file proof = {0};
        assert_int_equal(ply_solver_prove(solver, memory_sink, &proof), PLY_OK);
        check_corrupted(&proof, "neighbours", rounds / 5, done[report.verdict]);
        free(proof.bytes);
    }
    ply_solver_free(solver);
    free(position);
}

/* --- proofs written by hand ------------------------------------------------------------------- */
/* Checks a proof and frees it. words: part of the expected error; NULL: it must be accepted. */
static void expect(memory_file *file, const char *id, const char *words)
{
    ply_proof_summary summary;
    ply_error error = {0};
    ply_status status = memory_check(ply_game_find(id), file, 0, &summary, NULL, &error);
    if (!words) {
        if (status != PLY_OK)
            fail_msg("rejected: %s", error.message);
    } else {
        assert_int_not_equal(status, PLY_OK);
        if (!strstr(error.message, words))
            fail_msg("'%s' does not contain '%s'", error.message, words);
    }
    free(file->bytes);
}

/* A proof being written by hand. */
typedef struct hand_proof {
    ply_rules rules;
    ply_state state;
    memory_file file;
    ply_proof_writer *writer;
} hand_proof;

static void hand_open(hand_proof *h, const char *text, ply_verdict verdict)
{
    test_make_rules(&h->rules, "shogi", NULL);
    test_make_state(&h->state, &h->rules, text);
    h->file = (memory_file){0};
    ply_proof_claim claim = {.rules = &h->rules,
                             .goal = ply_goal_find(h->rules.game, "mate"),
                             .position = h->state.position,
                             .attacker = 0,
                             .verdict = verdict};
    h->writer = ply_proof_writer_new(&claim, memory_sink, &h->file);
    assert_non_null(h->writer);
}

static ply_move hand_move(hand_proof *h, const char *text)
{
    ply_cursor cursor = ply_cursor_make(text, strlen(text), NULL);
    ply_move move;
    assert_int_equal(h->rules.game->parse_move(&h->rules, h->state.position, &cursor, &move),
                     PLY_OK);
    return move;
}

static void hand_close(hand_proof *h, uint32_t plies, const char *words)
{
    assert_int_equal(ply_proof_finish(h->writer, plies), PLY_OK);
    expect(&h->file, "shogi", words);
    ply_state_free(&h->state);
}

static const char *const one_move = "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1";

static void by_hand(void **unused)
{
    (void)unused;
    hand_proof h;
    hand_open(&h, one_move, PLY_VERDICT_WIN);
    ply_proof_choose(h.writer, hand_move(&h, "G*5b"));
    ply_proof_leaf(h.writer);
    hand_close(&h, 1, NULL);

    hand_open(&h, one_move, PLY_VERDICT_WIN);
    ply_proof_choose(h.writer, hand_move(&h, "G*5b"));
    ply_proof_leaf(h.writer);
    hand_close(&h, 3, "length of the win");

    hand_open(&h, one_move, PLY_VERDICT_WIN);
    ply_proof_choose(h.writer, hand_move(&h, "G*4b"));
    ply_proof_leaf(h.writer);
    hand_close(&h, 1, "leaf where a move is possible");

    /* The goal does not allow a move that gives no check. */
    hand_open(&h, one_move, PLY_VERDICT_WIN);
    ply_proof_choose(h.writer, hand_move(&h, "G*1i"));
    ply_proof_leaf(h.writer);
    hand_close(&h, 1, "chosen move is not allowed");

    hand_open(&h, one_move, PLY_VERDICT_WIN);
    ply_proof_leaf(h.writer);
    hand_close(&h, 0, "leaf in an open position");

    hand_open(&h, one_move, PLY_VERDICT_NO);
    ply_proof_all(h.writer);
    ply_proof_move(h.writer, hand_move(&h, "G*5b"));
    ply_proof_leaf(h.writer);
    ply_proof_end(h.writer);
    hand_close(&h, 0, "leaf in an open position");

    /* Data after the root node. */
    hand_open(&h, one_move, PLY_VERDICT_WIN);
    ply_proof_choose(h.writer, hand_move(&h, "G*5b"));
    ply_proof_leaf(h.writer);
    ply_proof_leaf(h.writer);
    hand_close(&h, 1, "unexpected data after the proof");

    /* Circular references. */
    hand_open(&h, one_move, PLY_VERDICT_WIN);
    ply_proof_label(h.writer, h.state.position);
    ply_proof_ref(h.writer, 0);
    hand_close(&h, 0, "label on a reference");

    hand_open(&h, one_move, PLY_VERDICT_WIN);
    ply_proof_label(h.writer, h.state.position);
    ply_proof_choose(h.writer, hand_move(&h, "G*4b"));
    ply_proof_ref(h.writer, 0);
    hand_close(&h, 1, "circular reference");
}

/* --- else: one answer to all moves not listed ----------------------------------------------- */
static bool is_mate_after(const ply_rules *rules, const ply_goal *goal, void *position,
                          ply_move move)
{
    unsigned char undo[256];
    ply_move list[600];
    size_t count = rules->game->moves(rules, position, list), i = 0;
    while (i < count && list[i] != move)
        i++;
    if (i == count || !goal->allows(rules, position, move, NULL))
        return false;
    assert_int_equal(rules->game->play(rules, position, move, undo), PLY_OK);
    bool mate = ply_game_count_moves(rules, position) == 0;
    rules->game->undo(rules, position, move, undo);
    return mate;
}

/* Finds a check after which one move mates whatever the defence; false if there is none. */
static bool find_common(const ply_rules *rules, const ply_goal *goal, void *position,
                        ply_move *check, ply_move *answer, ply_move *common)
{
    ply_move attacks[600], answers[600], replies[600];
    unsigned char first[256], second[256];
    size_t count = rules->game->moves(rules, position, attacks);
    for (size_t i = 0; i < count; i++) {
        if (!goal->allows(rules, position, attacks[i], NULL))
            continue;
        rules->game->play(rules, position, attacks[i], first);
        size_t n = rules->game->moves(rules, position, answers);
        size_t candidates = 0;
        *common = PLY_MOVE_NONE;
        if (n >= 2) {
            rules->game->play(rules, position, answers[0], second);
            candidates = rules->game->moves(rules, position, replies);
            rules->game->undo(rules, position, answers[0], second);
        }
        for (size_t r = 0; r < candidates && !*common; r++) {
            bool all = true;
            for (size_t k = 0; k < n && all; k++) {
                rules->game->play(rules, position, answers[k], second);
                all = is_mate_after(rules, goal, position, replies[r]);
                rules->game->undo(rules, position, answers[k], second);
            }
            if (all)
                *common = replies[r];
        }
        rules->game->undo(rules, position, attacks[i], first);
        *check = attacks[i];
        *answer = answers[0];
        if (*common)
            return true;
    }
    return false;
}

static void else_by_hand(void **unused)
{
    (void)unused;
    ply_rules rules;
    ply_state state;
    const ply_goal *goal = make_mate_goal(&rules, &state);
    ply_rng rng = ply_rng_make(11, 0);
    ply_move check, answer, common;
    do
        random_mate_problem(&state, &rng, false);
    while (!find_common(&rules, goal, state.position, &check, &answer, &common));
    for (int kind = 0; kind < 4; kind++) {
        memory_file file = {0};
        ply_proof_claim claim = {.rules = &rules,
                                 .goal = goal,
                                 .position = state.position,
                                 .attacker = 0,
                                 .verdict = PLY_VERDICT_WIN};
        ply_proof_writer *w = ply_proof_writer_new(&claim, memory_sink, &file);
        ply_proof_choose(w, check);
        ply_proof_all(w);
        if (kind > 0) {
            ply_proof_move(w, answer);
            ply_proof_choose(w, common);
            ply_proof_leaf(w);
        }
        if (kind < 2 || kind == 3) {
            ply_proof_else(w);
            ply_proof_choose(w, kind == 3 ? check : common);
            ply_proof_leaf(w);
        }
        ply_proof_end(w);
        assert_int_equal(ply_proof_finish(w, 3), PLY_OK);
        expect(&file, "shogi",
               kind < 2    ? NULL
               : kind == 2 ? "unanswered move"
                           : "chosen move is not allowed");
    }
    ply_state_free(&state);
}

static void bad_files(void **unused)
{
    (void)unused;
    memory_file proof = make_proof_of("shogi", NULL, "mate", one_move, PLY_VERDICT_WIN);
    for (size_t count = 0; count < proof.count; count++) {
        ply_proof_summary summary;
        ply_error error = {0};
        memory_file cut = {.bytes = proof.bytes, .count = count};
        assert_int_not_equal(memory_check(ply_game_find("shogi"), &cut, 0, &summary, NULL, &error),
                             PLY_OK);
        assert_true(error.message[0] != '\0');
    }
    expect(&proof, "gomoku", "another game");
    memory_file text = {.bytes = (unsigned char *)strdup("this is not a proof, just some text")};
    text.count = strlen((char *)text.bytes);
    expect(&text, "shogi", "not a proof file");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),
        cmocka_unit_test(else_by_hand),
        cmocka_unit_test(bad_files),
        cmocka_unit_test(corrupted_proofs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
