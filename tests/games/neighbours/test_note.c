/* SPDX-License-Identifier: MIT */
/* test_note.c - <plyverse/neighbours.h> alone: the design note's examples, and facts over games. */
#include "support/support.h"
#include <plyverse/neighbours.h>
#include <stdlib.h>
#include <string.h>

/* Bits as the note writes them. */
static uint64_t bits(const char *text)
{
    return strtoull(text, NULL, 2);
}

static void test_examples(void **unused)
{
    (void)unused;
    /* "get value from 3 (1000), bitboard = (1001)": 1 */
    assert_int_equal(neighbours_get(bits("1001"), 3), 1);
    /* "remove from 0 (0001), bitboard = (1001)": 1000 */
    assert_true(neighbours_toggle(bits("1001"), 0) == bits("1000"));
    /* "move from 0 (0001) to 2 (0100), bitboard = (1001)": 1100 */
    assert_true(neighbours_move(bits("1001"), 0, 2) == bits("1100"));
    /* The 36 bits that a 32-bit word cannot hold. */
    assert_true(neighbours_toggle(0, 35) == 0x800000000u);
    assert_true(neighbours_move(0x800000000u, 35, 0) == 1);
}

typedef void position_check(const ply_rules *rules, const ply_state *state);

/* Plays random games of both variants and calls check in each position. */
static void each_position(position_check *check, uint64_t stream)
{
    static const char *const variants[] = {"slide", "jump"};
    for (size_t i = 0; i < 2; i++)
        for (uint64_t game = 0; game < 40; game++) {
            ply_rules rules;
            ply_state state;
            test_make_rules(&rules, "neighbours", variants[i]);
            test_make_state(&state, &rules, NULL);
            ply_rng rng = ply_rng_make(stream, 64 * i + game);
            while (state.plies < 60 && ply_state_outcome(&state).result == PLY_ONGOING) {
                check(&rules, &state);
                size_t count = ply_game_count_moves(&rules, state.position);
                ply_move move =
                    ply_game_nth_move(&rules, state.position, ply_rng_below(&rng, (uint32_t)count));
                assert_int_equal(ply_state_play(&state, move), PLY_OK);
            }
            ply_state_free(&state);
        }
}

/* The position's own text, from its two boards. */
static void check_text(const ply_rules *rules, const ply_state *state)
{
    neighbours_boards b = neighbours_position_boards(rules, state->position);
    uint64_t white = b.side ? b.next : b.current, black = b.side ? b.current : b.next;
    ply_text ours = ply_text_growing(), theirs = ply_text_growing();
    for (int row = NEIGHBOURS_SIDE - 1; row >= 0; row--) {
        int empty = 0;
        for (int file = 0; file < NEIGHBOURS_SIDE; file++) {
            int square = NEIGHBOURS_SIDE * row + file;
            bool piece = neighbours_get(white | black, square);
            if (piece && empty > 0)
                ply_text_format(&ours, "%d", empty);
            empty = piece ? 0 : empty + 1;
            if (piece)
                ply_text_char(&ours, neighbours_get(white, square) ? 'w' : 'b');
        }
        if (empty > 0)
            ply_text_format(&ours, "%d", empty);
        ply_text_char(&ours, row > 0 ? '/' : ' ');
    }
    ply_text_char(&ours, b.side ? 'b' : 'w');
    rules->game->format(rules, state->position, &theirs);
    assert_string_equal(ply_text_cstr(&ours), ply_text_cstr(&theirs));
    ply_text_free(&ours);
    ply_text_free(&theirs);
}

static void test_text(void **unused)
{
    (void)unused;
    each_position(check_text, 51);
}

/* A move is the note's move on the mover's board and a toggle on the other; then they swap. */
static void check_moves(const ply_rules *rules, const ply_state *state)
{
    neighbours_boards b = neighbours_position_boards(rules, state->position);
    ply_move moves[PLY_STACK_MOVES];
    size_t count = rules->game->moves(rules, state->position, moves);
    for (size_t i = 0; i < count; i++) {
        int from = neighbours_move_from(moves[i]), to = neighbours_move_to(moves[i]);
        int distance = neighbours_count_at(b.current | b.next, from);
        ply_state after;
        assert_true(neighbours_move_make(from, to) == moves[i]);
        assert_int_equal(neighbours_get(b.current, from), 1);
        assert_int_equal(neighbours_get(b.current, to), 0);
        int across = abs(to % 6 - from % 6), along = abs(to / 6 - from / 6);
        assert_int_equal(across > along ? across : along, distance);
        assert_int_equal(ply_state_copy(&after, state), PLY_OK);
        assert_int_equal(ply_state_play(&after, moves[i]), PLY_OK);
        neighbours_boards a = neighbours_position_boards(rules, after.position);
        bool captures = neighbours_get(b.next, to);
        assert_true(a.next == neighbours_move(b.current, from, to));
        assert_true(a.current == (captures ? neighbours_toggle(b.next, to) : b.next));
        assert_int_equal(a.side, !b.side);
        ply_state_free(&after);
    }
}

static void test_moves(void **unused)
{
    (void)unused;
    each_position(check_moves, 52);
}

/* The note's eight offsets, kept from wrapping around the edge, against both ways to count. */
static int count_by_offsets(uint64_t pieces, int square)
{
    static const int offsets[8] = {1, -1, 6, -6, 7, -5, 5, -7};
    static const int files[8] = {1, -1, 0, 0, 1, 1, -1, -1};
    int count = 0;
    for (int i = 0; i < 8; i++) {
        int file = square % 6 + files[i], other = square + offsets[i];
        if (file >= 0 && file < 6 && other >= 0 && other < 36)
            count += neighbours_get(pieces, other);
    }
    return count;
}

static void check_counts(const ply_rules *rules, const ply_state *state)
{
    neighbours_boards b = neighbours_position_boards(rules, state->position);
    uint64_t pieces = b.current | b.next;
    neighbours_slices all = neighbours_count_all(pieces);
    ply_text json = ply_text_growing();
    rules->display->json(rules, state->position, &json);
    for (int square = 0; square < NEIGHBOURS_SQUARES; square++) {
        int count = count_by_offsets(pieces, square);
        assert_int_equal(neighbours_count_at(pieces, square), count);
        assert_int_equal(neighbours_slices_get(all, square), count);
        if (!neighbours_get(pieces, square))
            continue;
        bool black = neighbours_get(b.current, square) == b.side;
        char member[80];
        snprintf(member, sizeof member, "{\"square\":\"%c%d\",\"colour\":\"%s\",\"distance\":%d,",
                 'a' + square % 6, 1 + square / 6, black ? "black" : "white", count);
        assert_non_null(strstr(ply_text_cstr(&json), member));
    }
    ply_text_free(&json);
}

static void test_counts(void **unused)
{
    (void)unused;
    each_position(check_counts, 53);
    for (int square = 0; square < NEIGHBOURS_SQUARES; square++) {
        bool corner = (square % 6 == 0 || square % 6 == 5) && (square < 6 || square >= 30);
        bool edge = square % 6 == 0 || square % 6 == 5 || square < 6 || square >= 30;
        int count = count_by_offsets(NEIGHBOURS_BOARD, square);
        assert_int_equal(count, corner ? 3 : edge ? 5 : 8);
        assert_int_equal(neighbours_count_at(neighbours_around(square), square), count);
        assert_int_equal(neighbours_get(neighbours_around(square), square), 0);
    }
}

static bool same(neighbours_boards a, neighbours_boards b)
{
    return a.current == b.current && a.next == b.next && a.side == b.side;
}

/* The four variations have one base state, which is one of them and has White to play. */
static void check_base_state(const ply_rules *rules, const ply_state *state)
{
    neighbours_boards b = neighbours_position_boards(rules, state->position);
    neighbours_boards base = neighbours_base_state(b);
    bool found = false;
    assert_int_equal(base.side, 0);
    for (unsigned i = 0; i < NEIGHBOURS_VARIATIONS; i++) {
        neighbours_boards variation = neighbours_variation(b, i);
        assert_true(same(neighbours_base_state(variation), base));
        assert_true(same(neighbours_variation(variation, i), b));
        assert_int_equal(variation.side, i & 2 ? !b.side : b.side);
        found = found || same(variation, base);
        /* Each has as many moves, and the game's canonical image is the base state. */
        unsigned char position[64], image[64];
        assert_true(rules->position_bytes <= sizeof position);
        assert_int_equal(neighbours_position_make(rules, position, variation), PLY_OK);
        assert_int_equal(ply_game_count_moves(rules, position),
                         ply_game_count_moves(rules, state->position));
        rules->indexing->canonical(rules, position, image);
        assert_true(same(neighbours_position_boards(rules, image), base));
    }
    assert_true(found);
}

static void test_base_state(void **unused)
{
    (void)unused;
    each_position(check_base_state, 54);
}

/*
 * "Dividing the actual state space by four": all positions with two pieces each, both players to
 * move. Those that are their own left-right image (18 pairs of squares, times 17) count double.
 */
static void test_four_states_map_to_one(void **unused)
{
    (void)unused;
    uint64_t states = 0, bases = 0;
    for (int a = 1; a < 36; a++)
        for (int b = 0; b < a; b++)
            for (int c = 1; c < 36; c++)
                for (int d = 0; d < c; d++) {
                    neighbours_boards s = {neighbours_toggle(neighbours_toggle(0, a), b),
                                           neighbours_toggle(neighbours_toggle(0, c), d), 0};
                    if (s.current & s.next)
                        continue;
                    states += 2;
                    bases += same(neighbours_base_state(s), s);
                }
    assert_int_equal(states, 706860);
    assert_int_equal(bases, (706860 / 2 + 18 * 17) / 2);
}

/* Boards that are no position are refused. */
static void test_bad_boards(void **unused)
{
    (void)unused;
    ply_rules rules;
    unsigned char position[64], before[64] = {0};
    memset(position, 0, sizeof position);
    test_make_rules(&rules, "neighbours", NULL);
    static const neighbours_boards bad[] = {
        {0x1000000000u, 1, 0}, {1, 0x8000000000000000u, 0}, {3, 2, 0}, {0x7F, 0, 0}, {0, 0x7F, 1}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(neighbours_position_make(&rules, position, bad[i]), PLY_BAD_POSITION);
        assert_memory_equal(position, before, sizeof position);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_examples),   cmocka_unit_test(test_text),
        cmocka_unit_test(test_moves),      cmocka_unit_test(test_counts),
        cmocka_unit_test(test_base_state), cmocka_unit_test(test_four_states_map_to_one),
        cmocka_unit_test(test_bad_boards),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
