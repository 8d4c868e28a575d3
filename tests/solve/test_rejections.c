/* SPDX-License-Identifier: MIT */
/*
 * test_rejections.c - one proof written by hand for every reason to reject one.
 *
 * The proofs are about a game drawn in graph_game.h, so small that each can be checked by eye. The last test
 * reads the source of the checker and fails if a reason has no proof here.
 */
#include "hand_proof.h"

/* --- checking -------------------------------------------------------------------------------- */
static size_t unreadable(void *context, uint64_t offset, void *bytes, size_t count)
{
    return offset ? 0 : memory_read(context, offset, bytes, count);
}

static void check_hand_proof(const hand_proof *proof)
{
    memory_file file = {0};
    put_hand_proof(&file, proof);
    ply_proof_source source = {
        .read = proof->unreadable ? unreadable : memory_read, .context = &file, .size = file.count};
    ply_proof_summary summary;
    ply_error error = {0};
    graph_stop = proof->stopped;
    ply_status status = ply_proof_check(game_of(proof), &source, proof->max_nodes, &graph_stop,
                                        &summary, NULL, &error);
    char wanted[256];
    snprintf(wanted, sizeof wanted, "%s (byte %zu)", proof->message ? proof->message : "",
             error.offset);
    if (!proof->message && status != PLY_OK)
        fail_msg("%s: rejected: %s", proof->tree, error.message);
    if (proof->message && status == PLY_OK)
        fail_msg("%s: accepted, not rejected: %s", proof->tree, proof->message);
    if (proof->message && strcmp(error.message, wanted) != 0)
        fail_msg("%s: '%s' instead of '%s'", proof->tree, error.message, wanted);
    if (proof->message)
        assert_int_equal(status, proof->status ? proof->status : PLY_BAD_TEXT);
    assert_true(error.offset <= file.count);
    free(file.bytes);
}

/* --- changes to whole files ------------------------------------------------------------------- */
static void other_magic(memory_file *file)
{
    file->bytes[7]++;
}

static void version_2(memory_file *file)
{
    file->bytes[8] = 2;
}

static void flip_bit(memory_file *file)
{
    file->bytes[file->count / 2] ^= 1;
}

static void cut_to_8(memory_file *file)
{
    file->count = 8;
}

static void cut_to_40(memory_file *file)
{
    file->count = 40;
}

static void attacker_2(memory_file *file)
{
    /* game, variant and goal, a length byte each */
    file->bytes[MAGIC_BYTES + 1 + 5 + 1 + 8 + 1 + 5] = 2;
}

static void another_label(memory_file *file)
{
    file->bytes[file->count - TAIL_BYTES]++;
}

static void labels_overflow(memory_file *file)
{
    file->bytes[file->count - TAIL_BYTES + 7] = 0x10; /* 2^60 of 16 bytes */
}

static void table_elsewhere(memory_file *file)
{
    file->bytes[file->count - 16]--;
}

static void table_past_end(memory_file *file)
{
    file->bytes[file->count - 16 + 7] = 0x80;
}

static void label_elsewhere(memory_file *file)
{
    file->bytes[file->count - TAIL_BYTES - LABEL_BYTES]++;
}

#define E_AND_F(e, f) "choose b all move e " e " move f " f " end"
#define TO_G "choose k all move g leaf end"
#define LONG_TEXT "label =80 =80 =04" /* 65536 bytes */

#define NO .verdict = PLY_VERDICT_NO
#define REJECT(message_, tree_, ...)                                  \
    {                                                                 \
        .message = message_, .tree = tree_, .header = { __VA_ARGS__ } \
    }
#define ACCEPT(tree_, ...) REJECT(NULL, tree_, __VA_ARGS__)

static const hand_proof hand_proofs[] = {
    /* accepted */
    ACCEPT(E_AND_F(TO_G, TO_G), .plies = 4),
    ACCEPT(E_AND_F("choose k label:k/1 all move g leaf end", "choose k ref 0"), .plies = 4),
    ACCEPT("choose b all else choose k all else leaf end end", .plies = 4),
    ACCEPT("choose b all move f " TO_G " else " TO_G " end", .plies = 4),
    ACCEPT("choose h leaf", .plies = 1),
    ACCEPT("leaf", .position = "g"),
    ACCEPT("leaf", .position = "g  "),
    ACCEPT("leaf", .position = "d", NO),
    ACCEPT("leaf", .position = "i", NO),
    ACCEPT("label:l/0 all move m choose l ref 0 end", .position = "l", NO),
    ACCEPT("all move d leaf end", .goal = "quiet", .position = "C", NO),
    ACCEPT("leaf", .goal = "quiet", .position = "D", NO),
    ACCEPT("choose o all move p choose g leaf end", .goal = "omit", .position = "A", .plies = 3),
    ACCEPT("choose r all move p choose g leaf end", .goal = "omit", .position = "A", .plies = 3),
    ACCEPT("choose x all move p choose g leaf end", .goal = "omit", .position = "A", .plies = 3),
    ACCEPT("choose H all move p choose g leaf end", .goal = "omit", .position = "F", .plies = 3),
    ACCEPT(E_AND_F("label:ef/2 " TO_G, "ref 0"), .goal = "same", .plies = 4),
    ACCEPT(E_AND_F("label:ef/2 choose k label:k/1 all move g leaf end", "ref 0"), .goal = "same",
           .plies = 4),
    /* A label within a label; a position labelled twice with wins of different lengths. */
    ACCEPT(
        "label:a/4 " E_AND_F("label:e/2 choose k label:k/1 all move g leaf end", "choose k ref 2"),
        .plies = 4),
    /* The win by c and a takes two plies more. */
    ACCEPT("choose c all move a label:a/1 choose h leaf end", .plies = 3),

    /* the file */
    {.message = "not a proof file", .tree = "leaf", .edit = other_magic},
    {.message = "not a proof file", .tree = "leaf", .damage = cut_to_8},
    {.message = "unsupported version of the proof format",
     .tree = "leaf",
     .edit = version_2,
     .status = PLY_UNSUPPORTED},
    {.message = "unexpected end of file", .tree = "leaf", .damage = cut_to_40},
    {.message = "wrong checksum", .tree = "leaf", .damage = flip_bit},
    {.message = "label table does not fit the file", .tree = "leaf", .edit = another_label},
    {.message = "label table does not fit the file", .tree = "leaf", .edit = labels_overflow},
    {.message = "label table does not fit the file", .tree = "leaf", .edit = table_elsewhere},
    {.message = "label table does not fit the file", .tree = "leaf", .edit = table_past_end},
    {.message = "read error", .tree = "leaf", .unreadable = true, .status = PLY_IO},
    {.message = "stopped",
     .tree = "choose h leaf",
     .header = {.plies = 1},
     .stopped = true,
     .status = PLY_STOPPED},
    {.message = "stopped",
     .tree = "choose h leaf",
     .header = {.goal = "interrupted", .plies = 1},
     .status = PLY_STOPPED},
    {.message = "node limit exceeded",
     .tree = "choose b leaf",
     .max_nodes = 1,
     .status = PLY_LIMIT},
    REJECT("unexpected end of the proof", "choose b all move e"),
    REJECT("invalid varint", "choose =80 =00"),
    REJECT("invalid varint", "choose =ff =ff =ff =ff =ff =ff =ff =ff =ff =02"),
    REJECT("invalid varint", "choose =ff =ff =ff =ff =ff =ff =ff =ff =ff =81 =01"),
    REJECT("text too long", LONG_TEXT),
    REJECT("zero byte in a text", "label =01 =00"),
    /* the header */
    REJECT("proof of another game", "leaf", .game = "grape"),
    REJECT("unknown variant", "leaf", .variant = "nonsense"),
    REJECT("unknown goal", "leaf", .goal = "nonsense"),
    REJECT("unknown goal", "leaf", .goal = ""),
    {.message = "header byte out of range", .tree = "leaf", .edit = attacker_2},
    REJECT("header byte out of range", "leaf", .verdict = 3),
    REJECT("malformed position", "leaf", .position = "?"),
    REJECT("malformed position", "leaf", .position = ""),
    REJECT("more text after the position", "leaf", .position = "a b"),
    /* "Mate in 0" where the player without a move is the defender, although the attacker is not the
     * one to move: in the graph, and in shogi, where White is in no check. */
    REJECT("the attacker is not to move", "leaf", .position = "h"),
    REJECT("the attacker is not to move", "leaf", .attacker = 1),
    REJECT("the attacker is not to move", "leaf", .game = "shogi", .goal = "mate",
           .position = "k8/9/1G7/9/9/9/9/9/9 w 2r2b3g4s4n4l18p 1"),
    REJECT("the attacker is not to move", "leaf", .game = "shogi", .goal = "mate",
           .position = "k8/2+R6/1K7/9/9/9/9/9/9 w - 1"),

    /* labels and references */
    REJECT("label inside else", "choose b all else label:e/2 " TO_G " end", .plies = 4),
    REJECT("label inside else", "choose b all else choose k label:k/1 all move g leaf end end",
           .plies = 4),
    REJECT("two labels on one node", "label:a/1 label:a/1 choose h leaf", .plies = 1),
    REJECT("more labels than in the label table", "=04 :a choose h leaf", .plies = 1),
    {.message = "label is not at the offset in the label table",
     .tree = "label:a/1 choose h leaf",
     .header = {.plies = 1},
     .edit = label_elsewhere},
    REJECT("label does not match the position", "label:b/1 choose h leaf", .plies = 1),
    REJECT("label does not match the position", "label:aa/1 choose h leaf", .plies = 1),
    REJECT("label does not match the position", "label:/1 choose h leaf", .plies = 1),
    REJECT("label does not match the position", "label:b/0 all move m choose l ref 0 end",
           .position = "l", NO),
    REJECT("label does not match the position", E_AND_F("label:e/2 " TO_G, "ref 0"), .goal = "same",
           .plies = 4),
    REJECT("reference to a different position",
           E_AND_F("choose k label:k/1 all move g leaf end", "ref 0"), .goal = "same", .plies = 4),
    REJECT("label's length differs from the label table", "label:a/2 choose h leaf", .plies = 1),
    REJECT("label's length differs from the label table", "label:a/0 choose h leaf", .plies = 1),
    REJECT("label's length differs from the label table",
           E_AND_F("choose k label:k/2 all move g leaf end", "choose k ref 0"), .plies = 5),
    REJECT("label's length differs from the label table", "label:l/1 all move m choose l ref 0 end",
           .position = "l", NO),
    REJECT("label on a reference",
           E_AND_F("choose k label:k/1 all move g leaf end", "choose k label:k/1 ref 0"),
           .plies = 4),
    REJECT("unused entries in the label table", "choose h unused leaf", .plies = 1),
    REJECT("reference to an unknown label", "ref 0"),
    REJECT("reference to an unknown label", "label:a/1 choose c all move a ref 1 end"),
    REJECT("reference to a different position", E_AND_F("label:e/2 " TO_G, "ref 0"), .plies = 4),
    REJECT("reference to a different position", "label:l/0 all move m ref 0 end", .position = "l",
           NO),
    REJECT("circular reference in a win", "label:a/2 choose c all move a ref 0 end", .plies = 2),
    REJECT("circular reference in a win",
           "choose c all move a label:a/2 choose c label:c/2 all move a ref 0 end end", .plies = 4),

    /* leaves */
    REJECT("leaf where the other side has won", "choose d leaf", .plies = 1),
    REJECT("leaf where the other side has won", "leaf", .position = "g", NO),
    REJECT("leaf in an open position", "leaf"),
    REJECT("leaf in an open position", "leaf", .position = "i"),
    REJECT("leaf in an open position", "all move m leaf end", .position = "l", NO),
    REJECT("leaf where a move is possible", "choose b leaf", .plies = 1),
    REJECT("leaf where a move is possible", "leaf", .position = "l", NO),
    REJECT("leaf where a move is possible", "leaf", .position = "D", NO),

    /* moves */
    REJECT("moves in a decided position", "choose d choose a leaf", .plies = 2),
    REJECT("moves in a decided position", "all move a leaf end", .position = "d", NO),
    REJECT("all moves where one must be chosen", "all move h leaf end", .plies = 1),
    REJECT("one move where all must be answered", "choose b choose e " TO_G, .plies = 4),
    REJECT("one move where all must be answered", "choose m leaf", .position = "l", NO),
    REJECT("no moves to answer", "choose h all end", .plies = 1),
    REJECT("chosen move is not allowed", "choose g leaf", .plies = 1),
    REJECT("chosen move is not allowed", "choose y leaf", .goal = "quiet", .position = "D",
           .plies = 1),
    {.message = "cannot tell whether the goal allows a move",
     .tree = "choose h leaf",
     .header = {.goal = "slow", .plies = 1},
     .status = PLY_LIMIT},
    {.message = "cannot tell whether the goal allows a move",
     .tree = "leaf",
     .header = {.goal = "slow", .position = "l", NO},
     .status = PLY_LIMIT},
    {.message = "cannot play a move",
     .tree = "choose z leaf",
     .header = {.plies = 1},
     .status = PLY_LIMIT},
    REJECT("unanswered move", "choose b all move e " TO_G " end", .plies = 4),
    REJECT("unanswered move", "all move d leaf end", .position = "C", NO),
    REJECT("illegal or repeated move", E_AND_F(TO_G " move e " TO_G, TO_G), .plies = 4),
    REJECT("illegal or repeated move", "choose b all move h leaf end", .plies = 2),
    REJECT("illegal or repeated move", "all move y leaf end", .goal = "quiet", .position = "C", NO),
    REJECT("invalid byte", "=06"),
    REJECT("invalid byte", "choose b all =03"),
    REJECT("else without remaining moves",
           "choose b all move e " TO_G " move f " TO_G " else " TO_G " end", .plies = 4),
    REJECT("unexpected data after else",
           "choose b all else choose k all else leaf move g leaf end end", .plies = 4),
    REJECT("an omitted defence does not lose immediately", "choose b all move e " TO_G " end",
           .goal = "omit", .plies = 4),
    REJECT("an omitted defence does not lose immediately", "choose s all move p choose g leaf end",
           .goal = "omit", .position = "A", .plies = 3),
    REJECT("an omitted defence does not lose immediately", "choose t all move p choose g leaf end",
           .goal = "omit", .position = "A", .plies = 3),
    REJECT("an omitted defence does not lose immediately", "choose G all move p choose g leaf end",
           .goal = "omit", .position = "F", .plies = 3),
    REJECT("an omitted defence does not lose immediately", "choose x all move p choose g leaf end",
           .goal = "omit-quiet", .position = "A", .plies = 3),
    REJECT("illegal defence", "choose w all move p choose g leaf end", .goal = "omit",
           .position = "A", .plies = 3),

    {.message = "no move in a game that is not over",
     .tree = "choose n leaf",
     .header = {.position = "j", .plies = 1},
     .status = PLY_NO_MEMORY},
    /* In a "no" the defender chooses among all legal moves, whatever the goal lists. */
    ACCEPT("all move E choose i leaf end", .goal = "omit", .position = "B", NO),
    REJECT("chosen move is not allowed", "all move E choose q leaf end", .goal = "omit",
           .position = "B", NO),

    /* lengths and the end */
    REJECT("length of the win differs from the claim", E_AND_F(TO_G, TO_G), .plies = 3),
    REJECT("length of the win differs from the claim", E_AND_F(TO_G, TO_G), .plies = 5),
    REJECT("length of the win differs from the claim", "choose h leaf",
           .plies = (uint64_t)1 << 32 | 1),
    REJECT("length of the win differs from the claim", "leaf", .position = "i", NO, .plies = 1),
    REJECT("unexpected data after the proof", "choose h leaf leaf", .plies = 1),

    /* winning sets where there are none; the others are in the next table */
    REJECT("winning sets do not apply here", "sets"),
    REJECT("winning sets do not apply here", "sets", NO),
    REJECT("winning sets do not apply here", "sets 0 0 =00 =00", .goal = "sets", NO),
    REJECT("winning sets where the attacker is not to move", "all move m sets", .goal = "sets",
           .position = "l", NO),
    REJECT("winning sets where the attacker is not to move", "sets", .goal = "sets",
           .position = "d", NO),
};

/* Blocked winning sets on a board of 5x5. Only the first rank, a1 to e1, is still open to Black. */
#define RANK "o1o1o/oo1oo/2o2/o3o/5 x"
#define ON(board) \
    .game = "gomoku", .variant = "freestyle:width=5,height=5", .goal = "win", NO, .position = board
/* One lemma of one set of two cells, by weight. */
#define LEMMA "sets 1 10 w0 1 w3 0 "
static const hand_proof winning_set_proofs[] = {
    /* number and bytes of the lemmas; pairs, instances */
    ACCEPT("sets 0 0 1 1 3 0", ON(RANK)),
    ACCEPT("sets 0 0 0 0", ON("o1o1o/oo1oo/2o2/o3o/2o2 x")), /* nothing is left to block */
    REJECT("a winning set is not blocked", "sets 0 0 0 0", ON(RANK)),
    REJECT("a winning set is not blocked", "sets 0 0 1 1 5 0", ON(RANK)),
    REJECT("a winning set is not blocked", "sets 0 0 1 1 3 0", ON("5/5/5/5/5 x")),
    REJECT("cell used twice", "sets 0 0 1 2 2 0", ON(RANK)),
    REJECT("cell used twice", "sets 0 0 2 1 3 3 4 0", ON(RANK)),
    REJECT("cell out of range", "sets 0 0 1 1 64 0", ON(RANK)),
    REJECT("reference to an unknown lemma", "sets 0 0 0 1 0 0", ON(RANK)),
    REJECT("unexpected data after the proof", "sets 0 0 1 1 3 0 0", ON(RANK)),
    REJECT("unexpected end of the proof", "sets 0 0 1 1", ON(RANK)),
    REJECT("lemmas do not fit the file", "sets 100 1 0 1 1 3 0", ON(RANK)),
    REJECT("lemmas do not fit the file", "sets 0 100 1 1 1 3 0", ON(RANK)),
    REJECT("the attacker is not to move", "sets 0 0 1 1 3 0", ON("o1o1o/oo1oo/2o2/o3o/5 o")),
    /* lemmas, and instances of them on other cells */
    ACCEPT(LEMMA "0 1 0 0", ON(RANK)),
    ACCEPT(LEMMA "0 1 0 1 4 2", ON(RANK)),
    REJECT("a winning set is not blocked", LEMMA "0 1 0 1 4 5", ON(RANK)),
    REJECT("cell used twice", LEMMA "0 1 0 1 4 4", ON(RANK)),
    REJECT("cell used twice", LEMMA "1 1 2 1 0 0", ON(RANK)),
    REJECT("invalid byte", LEMMA "0 1 0 2", ON(RANK)),
    REJECT("invalid byte", "sets 1 10 w0 1 w3 2 0 1 0 0", ON(RANK)),
    REJECT("the winning sets weigh too much", "sets 1 10 w0 1 w1 0 0 1 0 0", ON(RANK)),
    REJECT("the winning sets weigh too much", "sets 1 18 w0 2 w3 w6 0 0 1 0 0", ON(RANK)),
    REJECT("empty winning set", "sets 1 10 w0 1 w0 0 0 1 0 0", ON(RANK)),
    REJECT("too many winning sets", "sets 1 10 w0 =c1 w3 0 0 1 0 0", ON(RANK)),
    REJECT("lemma is not at the offset in the table", "sets 1 10 w1 1 w3 0 0 1 0 0", ON(RANK)),
    REJECT("lemmas have the wrong length", "sets 1 9 w0 1 w3 0 0 1 0 0", ON(RANK)),
    /* the same by answers: for each cell the answer, pairs, instances */
    ACCEPT("sets 1 16 w0 1 w3 1 1 0 0 0 0 0 0 1 0 0", ON(RANK)),
    REJECT("answer on the cell just taken", "sets 1 16 w0 1 w3 1 0 0 0 0 0 0 0 1 0 0", ON(RANK)),
    REJECT("a winning set is not blocked", "sets 1 16 w0 1 w3 1 9 0 0 0 0 0 0 1 0 0", ON(RANK)),
    REJECT("the attacker completes a winning set", "sets 1 13 w0 1 w1 1 9 0 0 0 1 0 0", ON(RANK)),
    /* two sets: after each move the other one must still be blocked */
    ACCEPT("sets 1 38 w0 2 w3 w12 1 1 1 2 3 0 0 1 2 3 0 3 1 0 1 0 2 1 0 1 0 0 1 0 0", ON(RANK)),
    REJECT("a winning set is not blocked",
           "sets 1 36 w0 2 w3 w12 1 1 0 0 0 1 2 3 0 3 1 0 1 0 2 1 0 1 0 0 1 0 0", ON(RANK)),
    REJECT("a winning set is not blocked",
           "sets 1 36 w0 2 w3 w12 1 1 1 2 3 0 0 1 2 3 0 3 0 0 2 1 0 1 0 0 1 0 0", ON(RANK)),
    /* a lemma that refers to itself */
    REJECT("reference to an unknown lemma", "sets 1 17 w0 1 w7 1 9 0 1 0 0 0 0 0 1 0 0", ON(RANK)),
};

static void written_by_hand(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof hand_proofs / sizeof hand_proofs[0]; i++)
        check_hand_proof(&hand_proofs[i]);
    for (size_t i = 0; i < sizeof winning_set_proofs / sizeof winning_set_proofs[0]; i++)
        check_hand_proof(&winning_set_proofs[i]);
}

static const char *const too_deep = "proof too deep";

/* A win that never ends: 2^20 plies from u to v and back. */
static void endless_variation(void **unused)
{
    (void)unused;
    memory_file file = {0};
    proof_header header = {.game = "graph",
                           .variant = "standard",
                           .goal = "reach",
                           .position = "u",
                           .verdict = PLY_VERDICT_WIN};
    put_header(&file, &header);
    for (int i = 0; i <= 1 << 19; i++) {
        put_byte(&file, NODE_CHOOSE);
        put_varint(&file, 'v');
        put_byte(&file, NODE_ALL);
        put_byte(&file, ITEM_MOVE);
        put_varint(&file, 'u');
    }
    put_end(&file, &header, NULL, 0);
    ply_proof_summary summary;
    ply_error error = {0};
    assert_int_equal(memory_check(&graph_game, &file, 0, &summary, NULL, &error), PLY_LIMIT);
    assert_memory_equal(error.message, too_deep, strlen(too_deep));
    free(file.bytes);
}

/*
 * A renju position with so many fours that testing whether the goal allows b1 takes practically
 * for ever. The short tier asks the goal itself, with a smaller limit than the checker's.
 */
static void endless_goal_test(void **unused)
{
    (void)unused;
    static const hand_proof proof = {
        .message = "cannot tell whether the goal allows a move",
        .tree = "choose 2 leaf",
        .header = {.game = "gomoku",
                   .variant = "renju",
                   .goal = "vct",
                   .position = "9o1x3/x1o3ox3x1x1/3o1oxx3o3/4x2o1o2oo1/1x4x2x1x1x1/o4x2x2oox1/"
                               "o3x5o2xo/ox3o1ooo2o2/2o2x2x1xxo2/xx3o2x5x/1ox10x1/2xoo4xo1o2/"
                               "3o3o6x/ooo2xo1x1x1x2/o11x2 x",
                   .plies = 1},
        .status = PLY_LIMIT};
    ply_rules rules;
    ply_state state;
    test_make_rules(&rules, "gomoku", proof.header.variant);
    test_make_state(&state, &rules, proof.header.position);
    ply_goal_effort effort = {.nodes = 1000};
    ply_goal_find(rules.game, "vct")->allows(&rules, state.position, 2, &effort);
    assert_true(effort.exceeded);
    ply_state_free(&state);
    if (test_is_long())
        check_hand_proof(&proof);
}

/* --- every reason is tested ------------------------------------------------------------------- */
static bool is_tested(const char *message)
{
    bool tested = strcmp(message, too_deep) == 0 ||
                  strcmp(message, "out of memory") == 0; /* tests/faults/test_allocations.c */
    for (size_t i = 0; i < sizeof hand_proofs / sizeof hand_proofs[0] && !tested; i++)
        tested = hand_proofs[i].message && strcmp(message, hand_proofs[i].message) == 0;
    for (size_t i = 0; i < sizeof winning_set_proofs / sizeof winning_set_proofs[0] && !tested; i++)
        tested =
            winning_set_proofs[i].message && strcmp(message, winning_set_proofs[i].message) == 0;
    return tested;
}

/* Checks the strings among the arguments of a call, which begin at `text`; returns their number. */
static unsigned check_strings(char *text)
{
    unsigned strings = 0;
    for (int open = 1; open > 0; text++) {
        assert_true(*text != '\0');
        open += (*text == '(') - (*text == ')');
        if (*text != '"')
            continue;
        char *end = strchr(++text, '"');
        assert_non_null(end);
        *end = '\0';
        if (!is_tested(text))
            fail_msg("no proof here is rejected with: %s", text);
        *end = '"';
        text = end;
        strings++;
    }
    return strings;
}

static void every_reason(void **unused)
{
    (void)unused;
    static const char *const files[] = {"check.c", "proof_reader.c", "winning_sets.c"};
    static const char *const calls[] = {"ply_check_bad(", "ply_check_reject("};
    unsigned found = 0;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        for (size_t k = 0; k < sizeof calls / sizeof calls[0]; k++) {
            char path[4096];
            snprintf(path, sizeof path, "%s/src/check/%s", PLY_SOURCE_DIR, files[i]);
            FILE *file = fopen(path, "r");
            assert_non_null(file);
            char *source = calloc(1, 1 << 20), *at = source;
            assert_true(source && fread(source, 1, (1 << 20) - 1, file) > 0);
            fclose(file);
            while ((at = strstr(at, calls[k])) != NULL)
                found += check_strings(at += strlen(calls[k]));
            free(source);
        }
    assert_true(found >= 70); /* calls with a reason */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(written_by_hand),
        cmocka_unit_test(endless_variation),
        cmocka_unit_test(endless_goal_test),
        cmocka_unit_test(every_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
