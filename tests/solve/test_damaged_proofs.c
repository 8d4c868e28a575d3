/* SPDX-License-Identifier: MIT */
/*
 * test_damaged_proofs.c - good proofs that cannot be read, or end too early: every read of a check
 * fails once, and every proof is cut off at every byte. None of it may pass for a proof.
 */
#include "hand_proof.h"

#define PROOF(tree_, ...)                        \
    {                                            \
        .tree = tree_, .header = { __VA_ARGS__ } \
    }
#define BOARD                                                                 \
    .game = "gomoku", .variant = "freestyle:width=5,height=5", .goal = "win", \
    .verdict = PLY_VERDICT_NO, .position = "o1o1o/oo1oo/2o2/o3o/5 x"

/* What a proof may contain: every kind of node, with and without labels. */
static const hand_proof proofs[] = {
    PROOF("leaf", .position = "g"),
    PROOF("choose h leaf", .plies = 1),
    PROOF("choose b all else choose k all else leaf end end", .plies = 4),
    PROOF("label:a/4 choose b all move e label:e/2 choose k label:k/1 all move g leaf end"
          " move f choose k ref 2 end",
          .plies = 4),
    PROOF("label:l/0 all move m choose l ref 0 end", .position = "l", .verdict = PLY_VERDICT_NO),
    PROOF("choose o all move p choose g leaf end", .goal = "omit", .position = "A", .plies = 3),
    PROOF("all move d leaf end", .goal = "quiet", .position = "C", .verdict = PLY_VERDICT_NO),
    PROOF("sets 0 0 1 1 3 0", BOARD),
    PROOF("sets 1 10 w0 1 w3 0 0 1 0 1 4 2", BOARD),
    PROOF("sets 1 16 w0 1 w3 1 1 0 0 0 0 0 0 1 0 0", BOARD),
    PROOF("sets 2 28 w0 w10 1 w3 0 1 w3 1 1 0 1 0 0 0 0 0 0 1 1 0", BOARD),
};
enum { PROOFS = sizeof proofs / sizeof proofs[0] };

static ply_status check(const hand_proof *proof, const ply_proof_source *source, ply_error *error)
{
    ply_proof_summary summary;
    return ply_proof_check(game_of(proof), source, 0, NULL, &summary, NULL, error);
}

/* --- reads that fail -------------------------------------------------------------------------- */
typedef struct failing_file {
    memory_file file;
    size_t reads, failing; /* the read of this number fails; 0: none */
    bool partly;           /* it returns one byte less instead of nothing */
} failing_file;

static size_t failing_read(void *context, uint64_t offset, void *bytes, size_t count)
{
    failing_file *f = context;
    if (++f->reads != f->failing)
        return memory_read(&f->file, offset, bytes, count);
    return f->partly ? memory_read(&f->file, offset, bytes, count - 1) : 0;
}

static void every_read_fails(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < PROOFS; i++) {
        failing_file f = {0};
        put_hand_proof(&f.file, &proofs[i]);
        ply_proof_source source = {.read = failing_read, .context = &f, .size = f.file.count};
        ply_error error = {0};
        if (check(&proofs[i], &source, &error) != PLY_OK)
            fail_msg("%s: %s", proofs[i].tree, error.message);
        size_t reads = f.reads;
        assert_true(reads >= 4); /* the magic, the checksum twice, the end */
        for (size_t n = 2; n <= 2 * reads + 1; n++) {
            f.reads = 0;
            f.failing = n / 2;
            f.partly = n % 2;

            static const char reason[] = "read error";
            if (check(&proofs[i], &source, &error) != PLY_IO)
                fail_msg("%s: read %zu of %zu fails unnoticed", proofs[i].tree, f.failing, reads);
            assert_memory_equal(error.message, reason, sizeof reason - 1);
            assert_int_equal(f.reads, f.failing); /* nothing is read after that */
        }
        free(f.file.bytes);
    }
}

/* --- proofs that end too early ---------------------------------------------------------------- */
/* Writes a proof of which `missing` bytes before the label table are left out. Returns whether there are
 * that many. */
static bool put_shortened(memory_file *file, const hand_proof *proof, size_t missing)
{
    proof_header header = header_of(proof);
    proof_label labels[8];
    put_header(file, &header);
    size_t count = put_tree(file, proof->tree, labels);
    if (missing > file->count - MAGIC_BYTES)
        return false;
    file->count -= missing;
    put_end(file, &header, labels, count);
    return true;
}

static void every_end(void **unused)
{
    (void)unused;
    static const char reason[] = "unexpected end of the proof";
    for (size_t i = 0; i < PROOFS; i++) {
        memory_file file = {0};
        size_t missing = 0;
        for (; file.count = 0, put_shortened(&file, &proofs[i], missing); missing++) {
            ply_proof_source source = {.read = memory_read, .context = &file, .size = file.count};
            ply_error error = {0};
            ply_status status = check(&proofs[i], &source, &error);
            if (missing == 0) {
                assert_int_equal(status, PLY_OK);
                continue;
            }
            if (status != PLY_BAD_TEXT)
                fail_msg("%s: accepted without its last %zu bytes", proofs[i].tree, missing);
            /* The number of bytes of all lemmas is stated before them. */
            if (strncmp(proofs[i].tree, "sets", 4) != 0)
                assert_memory_equal(error.message, reason, sizeof reason - 1);
        }
        assert_true(missing > 20);
        free(file.bytes);
    }
}

/* --- what is reported ------------------------------------------------------------------------- */
static void summary_and_position(void **unused)
{
    (void)unused;
    const hand_proof *proof = &proofs[3];
    memory_file file = {0};
    put_hand_proof(&file, proof);
    ply_proof_source source = {.read = memory_read, .context = &file, .size = file.count};
    ply_proof_summary summary;
    ply_text text = ply_text_growing();
    assert_int_equal(ply_proof_check(game_of(proof), &source, 0, NULL, &summary, &text, NULL),
                     PLY_OK);
    assert_string_equal(ply_text_cstr(&text), "a");
    assert_string_equal(summary.variant, "standard");
    assert_string_equal(summary.goal, "reach");
    assert_int_equal(summary.attacker, 0);
    assert_int_equal(summary.verdict, PLY_VERDICT_WIN);
    assert_int_equal(summary.plies, 4);
    assert_int_equal(summary.nodes, 7); /* a b e k g, then f and k */
    assert_int_equal(summary.labels, 3);
    assert_int_equal(summary.depth, 4);
    /* As many nodes as that are allowed; with fewer, the check ends at the first that is too many. */
    assert_int_equal(ply_proof_check(game_of(proof), &source, 7, NULL, &summary, NULL, NULL),
                     PLY_OK);
    for (uint64_t limit = 1; limit < 7; limit++) {
        assert_int_equal(
            ply_proof_check(game_of(proof), &source, limit, NULL, &summary, NULL, NULL), PLY_LIMIT);
        assert_int_equal(summary.nodes, limit + 1);
    }
    ply_text_free(&text);
    free(file.bytes);
}

/* Answers to winning sets count as nodes. */
static void nodes_of_winning_sets(void **unused)
{
    (void)unused;
    static const unsigned nodes[] = {1, 1, 3, 3};
    for (size_t i = 0; i < 4; i++) {
        memory_file file = {0};
        ply_proof_summary summary;
        const hand_proof *proof = &proofs[PROOFS - 4 + i];
        put_hand_proof(&file, proof);
        assert_int_equal(memory_check(game_of(proof), &file, nodes[i], &summary, NULL, NULL),
                         PLY_OK);
        assert_int_equal(summary.nodes, nodes[i]);
        free(file.bytes);
    }
}

/* --- a game that needs nothing to take a move back ---------------------------------------------- */
/* A number of tokens and who moves; a move takes one. Who cannot move has lost. */
static ply_status tokens_setup(ply_rules *rules, ply_error *error)
{
    (void)error;
    rules->position_bytes = 2;
    rules->undo_bytes = 0;
    rules->max_moves = 1;
    return PLY_OK;
}

static ply_status tokens_parse(const ply_rules *rules, void *position, ply_cursor *cursor)
{
    (void)rules;
    unsigned tokens = 0;
    while (!ply_cursor_done(cursor))
        tokens += ply_cursor_take(cursor) == '*';
    *(unsigned char *)position = (unsigned char)tokens;
    return PLY_OK;
}

static void tokens_format(const ply_rules *rules, const void *position, ply_text *out)
{
    (void)rules;
    for (unsigned i = 0; i < *(const unsigned char *)position; i++)
        ply_text_char(out, '*');
}

static size_t tokens_moves(const ply_rules *rules, const void *position, ply_move *out)
{
    (void)rules;
    out[0] = 1;
    return *(const unsigned char *)position > 0;
}

static ply_status tokens_play(const ply_rules *rules, void *position, ply_move move, ply_undo *undo)
{
    (void)rules;
    (void)undo;
    unsigned char *p = position;
    p[0] = (unsigned char)(p[0] - move);
    p[1] = !p[1];
    return PLY_OK;
}

static void tokens_undo(const ply_rules *rules, void *position, ply_move move, const ply_undo *undo)
{
    (void)rules;
    (void)undo;
    unsigned char *p = position;
    p[0] = (unsigned char)(p[0] + move);
    p[1] = !p[1];
}

static int tokens_side(const ply_rules *rules, const void *position)
{
    (void)rules;
    return ((const unsigned char *)position)[1];
}

static ply_outcome tokens_outcome(const ply_rules *rules, const void *position,
                                  const ply_undo *undo_stack, size_t plies)
{
    (void)undo_stack;
    (void)plies;
    int side = tokens_side(rules, position);
    return (ply_outcome){*(const unsigned char *)position ? PLY_ONGOING
                         : side                           ? PLY_FIRST_WINS
                                                          : PLY_SECOND_WINS,
                         NULL};
}

static void game_without_undo_entries(void **unused)
{
    (void)unused;
    static const ply_goal goal[] = {{.id = "win"}};
    static const ply_variant variant[] = {{.id = "standard", .name = "tokens"}};
    static const ply_game game = {.id = "tokens",
                                  .name = "tokens",
                                  .variants = variant,
                                  .variant_count = 1,
                                  .goals = goal,
                                  .goal_count = 1,
                                  .setup = tokens_setup,
                                  .parse = tokens_parse,
                                  .format = tokens_format,
                                  .moves = tokens_moves,
                                  .play = tokens_play,
                                  .undo = tokens_undo,
                                  .side = tokens_side,
                                  .outcome = tokens_outcome};
    enum { TOKENS = 201 }; /* deeper than the checker's first allocation */
    char position[TOKENS + 1] = "";
    memset(position, '*', TOKENS);
    proof_header header = {.game = "tokens",
                           .variant = "standard",
                           .goal = "win",
                           .position = position,
                           .verdict = PLY_VERDICT_WIN,
                           .plies = TOKENS};
    memory_file file = {0};
    proof_label labels[8];
    put_header(&file, &header);
    for (int i = 0; i < TOKENS / 2; i++)
        put_tree(&file, "choose 1 all move 1", labels);
    put_tree(&file, "choose 1 leaf", labels);
    for (int i = 0; i < TOKENS / 2; i++)
        put_tree(&file, "end", labels);
    put_end(&file, &header, NULL, 0);
    ply_proof_summary summary;
    assert_int_equal(memory_check(&game, &file, 0, &summary, NULL, NULL), PLY_OK);
    assert_int_equal(summary.nodes, TOKENS + 1);
    assert_int_equal(summary.depth, TOKENS);
    free(file.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_read_fails),          cmocka_unit_test(every_end),
        cmocka_unit_test(summary_and_position),      cmocka_unit_test(nodes_of_winning_sets),
        cmocka_unit_test(game_without_undo_entries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
