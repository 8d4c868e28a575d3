/* SPDX-License-Identifier: MIT */
/* test_turns.c - numbers of legal turns: published ones and small edge cases. */
#include "core/clock.h"
#include "games/fived/turns/turn_query.h"
#include "support/support.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MOVESETS, DISTINCT };

/* Known numbers of a variant, 0 if unknown. Depths from long_from on belong to the long tier. */
typedef struct known_counts {
    const char *variant;
    int mode;
    uint64_t turns[4];
    int long_from;
} known_counts;

/* From 5d_variants.tsv, except where a comment says otherwise. */
static const known_counts known[] = {
    {"standard", MOVESETS, {20, 400, 9822, 753223}, 5},
    {"standard", DISTINCT, {20, 400, 9822, 751567}, 5},
    {"standard-turn-zero", MOVESETS, {20, 440, 33186}, 4},
    {"standard-turn-zero", DISTINCT, {20, 440, 33114}, 4},
    {"standard-princess", MOVESETS, {20, 400, 9822, 745129}, 4},
    {"standard-half-reflected", MOVESETS, {20, 400, 9822, 753519}, 4},
    {"standard-reversed-royalty", MOVESETS, {20, 400, 9802, 751443}, 4},
    {"standard-two-timelines", MOVESETS, {484, 1131216}, 2},
    {"small", MOVESETS, {7, 53, 580, 11905}, 5},
    {"small-flipped", MOVESETS, {6, 35, 313, 2857}, 5},
    {"small-centered", MOVESETS, {7, 48, 450, 5003}, 5},
    {"small-centered:near-castle=a-side", MOVESETS, {7, 48, 450, 5077}, 5},
    {"very-small", MOVESETS, {7, 39, 269, 3370}, 5},
    {"very-small-open", MOVESETS, {9, 71, 714, 24268}, 5},
    {"simple-no-bishops", MOVESETS, {16, 244, 4648, 281725}, 4},
    {"simple-no-knights", MOVESETS, {12, 136, 1911, 24597}, 4},
    {"simple-simple-set", MOVESETS, {14, 186, 3046, 103527}, 4},
    {"simple-simple-set", DISTINCT, {14, 186, 3046, 103336}, 4},
    {"misc-timeline-invasion", MOVESETS, {231, 569069}, 2},
    {"misc-timeline-invasion", DISTINCT, {231, 557859}, 2},
    {"misc-timeline-formations", MOVESETS, {107, 96565}, 3},
    {"misc-timeline-strategos", MOVESETS, {19, 361, 104227}, 4},
    {"misc-timeline-strategos:near-castle=a-side", MOVESETS, {19, 361, 104461}, 4},
    {"misc-timeline-battlegrounds", MOVESETS, {3571}, 2},
    {"misc-timeline-skirmish", MOVESETS, {102, 130458}, 3},
    {"misc-timeline-skirmish", DISTINCT, {102, 130228}, 3},
    {"misc-timeline-marauders", DISTINCT, {120, 164778}, 3},
    {"misc-king-of-kings", MOVESETS, {13, 169, 5166, 4656356}, 4},
    {"focused-just-knights", MOVESETS, {9, 62, 884, 161206}, 4},
    {"focused-just-rooks", MOVESETS, {12, 132, 2035, 165599}, 4},
    {"focused-just-rooks", DISTINCT, {12, 132, 2035, 163406}, 4},
    {"focused-just-rooks:near-castle=a-side", MOVESETS, {12, 132, 2039, 165630}, 4},
    {"focused-just-queens", MOVESETS, {15, 165, 3254, 1079771}, 4},
    {"focused-just-pawns", MOVESETS, {10, 94, 1092, 58067}, 4},
    {"focused-just-kings", MOVESETS, {2, 2, 8, 128}, 5},
    {"focused-just-dragons", MOVESETS, {2, 4, 38, 2829}, 5},
    {"focused-just-brawns", MOVESETS, {10, 94, 1065, 55073}, 4},
    /* 5d-chess-js has 54442: it misses checks by brawns about to promote (docs/games/fived.md). */
    {"focused-just-brawns", DISTINCT, {10, 94, 1065, 54321}, 4},
    {"checkmate-practice-knight", MOVESETS, {3, 6, 70, 1962}, 5},
    {"checkmate-practice-bishop", MOVESETS, {2, 10, 78, 5047}, 5},
    {"checkmate-practice-pawns", MOVESETS, {5, 30, 396, 8297}, 5},
};

static void test_known_numbers(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        for (int depth = 1; depth <= 4 && known[i].turns[depth - 1]; depth++) {
            if (depth >= known[i].long_from && !test_is_long())
                break;
            uint64_t turns = test_perft("5dchess", known[i].variant, NULL, depth, known[i].mode);
            if (turns != known[i].turns[depth - 1])
                fail_msg("%s depth %d mode %d: %lu turns, not %lu", known[i].variant, depth,
                         known[i].mode, (unsigned long)turns,
                         (unsigned long)known[i].turns[depth - 1]);
        }
}

/* The reference table of variants: boards, and the first number given for each depth. */
static void test_table_of_variants(void **unused)
{
    (void)unused;
    FILE *file = test_open_truth("5d_variants.tsv");
    char line[4096];
    size_t variants = 0;
    while (file && fgets(line, sizeof line, file)) {
        char *field[5] = {line};
        for (int i = 1; i < 5 && field[i - 1]; i++)
            if ((field[i] = strchr(field[i - 1], '\t')) != NULL)
                *field[i]++ = '\0';
        if (line[0] == '#' || !field[4])
            continue;
        ply_rules rules;
        ply_state state, given;
        test_make_rules(&rules, "5dchess", field[0]);
        assert_string_equal(rules.variant->name, field[1]);
        test_make_state(&state, &rules, NULL);
        test_make_state(&given, &rules, field[3]);
        assert_true(rules.game->hash(&rules, state.position) ==
                    rules.game->hash(&rules, given.position));
        char *number = field[4];
        for (int depth = 1; depth <= 3 && number; depth++) {
            while (*number == ' ')
                number++;
            int mode = *number == 'D' ? DISTINCT : MOVESETS;
            number += mode == DISTINCT ? 2 : 0;
            uint64_t wanted = strtoull(number, NULL, 10), nodes = 0;
            ply_perft_options options = {.mode = mode, .threads = 1};
            if (isdigit((unsigned char)*number) && (wanted < 200000 || test_is_long())) {
                assert_int_equal(ply_perft(&given, depth, &options, &nodes, NULL, NULL), PLY_OK);
                if (nodes != wanted)
                    fail_msg("%s depth %d: %lu, not %lu", field[0], depth, (unsigned long)nodes,
                             (unsigned long)wanted);
            }
            number = strchr(number, ';');
            number = number ? number + 1 : NULL;
        }
        ply_state_free(&given);
        ply_state_free(&state);
        variants++;
    }
    if (file) {
        assert_int_equal(variants, 44);
        fclose(file);
    }
}

/* Edge cases: boards and the number of turns. */
static const struct {
    const char *variant, *boards;
    int mode;
    uint64_t turns;
} cases[] = {
    /* Black's pawn may move two timelines up at once (5d_bp2); White's mirrors it. */
    {"", "[4k/5/5/5/K4:0:1:b] [4k/p*4/5/5/K4:-1:1:b] [4k/5/5/5/K4:1:1:b]", DISTINCT, 456},
    {"", "[k4/5/5/5/4K:0:1:w] [k4/5/5/5/4K:-1:1:w] [k4/5/5/P*4/4K:1:1:w]", DISTINCT, 456},
    {"", "[4k/5/5/5/K4:0:1:w] [4k/5/5/5/K4:-1:1:w] [4k/5/5/P*4/K4:1:1:w]", DISTINCT, 371},
    {"", "[4k/5/5/5/K4:0:1:w] [4k/5/5/5/K4:-1:1:w] [4k/5/5/P*4/K4:1:1:w]", MOVESETS, 440},
    /* Castling needs an unmoved king; this one has moved (5d_sc_nocastle). */
    {"", "[r*nkqr*/p*p*p*p*p*/5/P*P*P*P*P*/R*QKNR*:0:1:w]", MOVESETS, 7},
};

static void test_edge_cases(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(test_perft("5dchess", cases[i].variant, cases[i].boards, 1, cases[i].mode),
                         cases[i].turns);
}

static uint64_t turns_after(const char *variant, const char *boards, const char *moves)
{
    ply_rules rules;
    ply_state state;
    ply_error error = {0};
    test_make_rules(&rules, "5dchess", variant);
    test_make_state(&state, &rules, boards);
    if (ply_state_play_text(&state, moves, strlen(moves), &error) != PLY_OK)
        fail_msg("%s: column %u: %s", moves, error.column, error.message);
    uint64_t turns = rules.counting->perft(&rules, state.position, 1, MOVESETS);
    ply_state_free(&state);
    return turns;
}

static void test_en_passant(void **unused)
{
    (void)unused;
    /* As the first reply on a new timeline (5d_ep1): optional. */
    static const char moves[] = "e4 submit a6 submit e5 submit h6 submit a3 submit a5 submit "
                                "(0T4)Nb1>>(0T3)b3 submit (1T3)d5 submit";
    assert_int_equal(turns_after("standard", NULL, moves), 41);
    assert_int_equal(turns_after("standard:new-line-ep=on", NULL, moves), 42);
    /* A black pawn came to stand beside ours by capturing: no en passant (5d_ep2). */
    assert_int_equal(
        turns_after("standard", "[4k3/3p*4/2N5/3pP3/8/8/8/4K3:0:1:w]", "Kf1 submit dxc6 submit"),
        11);
    /*
     * The square was occupied a turn before: en passant is legal all the same (other programs
     * fail).
     */
    ply_rules rules;
    ply_state state;
    test_make_rules(&rules, "5dchess", "small-centered");
    test_make_state(&state, &rules, NULL);
    static const char before[] = "c3 submit bxc3 submit b4 submit";
    assert_int_equal(ply_state_play_text(&state, before, strlen(before), NULL), PLY_OK);
    assert_int_equal(ply_state_play_text(&state, "axb3", 4, NULL), PLY_OK);
    const fived_position *p = state.position;
    const fived_board *b = fived_position_board(p, 0, fived_tc_to_v(3, 0));
    assert_int_equal(b->square[1 + 8 * 3], 0); /* the pawn on b4 is gone */
    assert_true(ply_state_undo(&state));
    assert_int_equal(ply_state_play_text(&state, "cxb3", 4, NULL), PLY_OK);
    ply_state_free(&state);
}

/* Two threads count as many turns as one, and the entries of --divide add up. */
static void test_threads_and_divide(void **unused)
{
    (void)unused;
    ply_rules rules;
    ply_state state;
    test_make_rules(&rules, "5dchess", "very-small-open");
    test_make_state(&state, &rules, NULL);
    ply_perft_entry *entries = calloc(rules.max_moves, sizeof *entries);
    size_t count = 0;
    uint64_t nodes = 0, sum = 0;
    ply_perft_options options = {.threads = 2};
    assert_int_equal(ply_perft(&state, 4, &options, &nodes, entries, &count), PLY_OK);
    for (size_t i = 0; i < count; i++)
        sum += entries[i].nodes;
    assert_int_equal(nodes, 24268);
    assert_int_equal(sum, nodes);
    assert_int_equal(count, 9);
    free(entries);
    ply_state_free(&state);
}

/* Every listed turn can be played, and there are as many as counted. */
typedef struct listing {
    ply_state state;
    size_t turns;
} listing;

static bool play_listed(void *context, const ply_move *moves, size_t count)
{
    listing *l = context;
    const ply_rules *rules = l->state.rules;
    int side = rules->game->side(rules, l->state.position);
    for (size_t i = 0; i < count; i++) {
        char name[PLY_MOVE_TEXT];
        ply_text text = ply_text_fixed(name, sizeof name);
        ply_move read;
        rules->game->format_move(rules, l->state.position, moves[i], &text);
        ply_cursor cursor = ply_cursor_make(name, text.length, NULL);
        assert_int_equal(rules->game->parse_move(rules, l->state.position, &cursor, &read), PLY_OK);
        assert_true(read == moves[i]);
        assert_int_equal(ply_state_play(&l->state, moves[i]), PLY_OK);
    }
    assert_int_equal(rules->game->side(rules, l->state.position), !side);
    for (size_t i = 0; i < count; i++)
        ply_state_undo(&l->state);
    l->turns++;
    return true;
}

static void test_listed_turns_play(void **unused)
{
    (void)unused;
    static const char *const variants[] = {"misc-timeline-tactitian", "misc-timeline-marauders",
                                           "focused-just-brawns", "standard"};
    for (size_t i = 0; i < 4; i++) {
        ply_rules rules;
        ply_state root;
        listing l = {.turns = 0};
        test_make_rules(&rules, "5dchess", variants[i]);
        test_make_state(&root, &rules, NULL);
        ply_rng rng = ply_rng_make(3, i);
        for (int ply = 0; ply < 6; ply++) {
            size_t count = rules.game->count(&rules, root.position);
            if (count > 0)
                ply_state_play(&root, rules.game->nth(&rules, root.position,
                                                      ply_rng_below(&rng, (uint32_t)count)));
        }
        assert_int_equal(ply_state_copy(&l.state, &root), PLY_OK);
        uint64_t turns = rules.counting->perft(&rules, root.position, 1, MOVESETS);
        if (turns < 5000) {
            rules.counting->turns(&rules, root.position, MOVESETS, play_listed, &l);
            assert_int_equal(l.turns, turns);
        }
        ply_state_free(&l.state);
        ply_state_free(&root);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_numbers),      cmocka_unit_test(test_table_of_variants),
        cmocka_unit_test(test_edge_cases),         cmocka_unit_test(test_en_passant),
        cmocka_unit_test(test_threads_and_divide), cmocka_unit_test(test_listed_turns_play),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
