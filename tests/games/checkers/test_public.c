/* SPDX-License-Identifier: MIT */
/*
 * test_public.c - <plyverse/checkers.h> against the rest of the library: the children against all
 * legal moves played out, the words against the text of the position, the masks against the moves.
 */
#include "support/support.h"
#include <plyverse/checkers.h>
#include <stdlib.h>
#include <string.h>

static uint64_t bit(int i)
{
    return (uint64_t)1 << i;
}

static bool same_board(const checkers_board *a, const checkers_board *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

/* Visits the positions of random games. */
static void visit_random_games(const char *variant, uint64_t seed, int positions,
                               void (*visit)(const ply_state *state))
{
    ply_rules rules;
    ply_state s;
    test_make_rules(&rules, "checkers", variant);
    test_make_state(&s, &rules, NULL);
    ply_rng rng = ply_rng_make(seed, 0);
    for (int i = 0; i < positions; i++) {
        visit(&s);
        if (ply_state_outcome(&s).result != PLY_ONGOING) {
            assert_int_equal(ply_state_restart(&s), PLY_OK);
            continue;
        }
        size_t count = ply_game_count_moves(&rules, s.position);
        ply_move move = ply_game_nth_move(&rules, s.position, ply_rng_below(&rng, (uint32_t)count));
        assert_int_equal(ply_state_play(&s, move), PLY_OK);
    }
    ply_state_free(&s);
}

/* The children are the positions after all legal moves, each once. */
static void check_children(const ply_state *s)
{
    const ply_rules *rules = s->rules;
    checkers_board board = checkers_board_of(rules, s->position);
    checkers_board children[CHECKERS_MAX_MOVES], expected[CHECKERS_MAX_MOVES];
    ply_move moves[CHECKERS_MAX_MOVES];
    size_t count = rules->game->moves(rules, s->position, moves), different = 0;
    ply_state after;
    assert_int_equal(ply_state_copy(&after, s), PLY_OK);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(ply_state_play(&after, moves[i]), PLY_OK);
        checkers_board next = checkers_board_of(rules, after.position);
        size_t k = 0;
        while (k < different && !same_board(&expected[k], &next))
            k++;
        expected[k] = next;
        different += k == different;
        assert_true(ply_state_undo(&after));
    }
    ply_state_free(&after);
    assert_int_equal(checkers_children(rules, &board, children), different);
    for (size_t i = 0; i < different; i++) {
        assert_true(same_board(&children[i], &expected[i]));
        assert_true(children[i].turn != board.turn);
    }
}

static void test_children(void **state)
{
    (void)state;
    static const char *const others[] = {"english:men=back", "russian:lifting=once", "thai:rows=3"};
    const ply_game *game = ply_game_find("checkers");
    for (size_t i = 0; i < game->variant_count; i++)
        visit_random_games(game->variants[i].id, i, 3000, check_children);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        visit_random_games(others[i], i, 3000, check_children);
}

static size_t count_children(const char *variant, const char *position, size_t moves)
{
    ply_rules rules;
    ply_state s;
    checkers_board children[CHECKERS_MAX_MOVES];
    test_make_rules(&rules, "checkers", variant);
    test_make_state(&s, &rules, position);
    assert_int_equal(ply_game_count_moves(&rules, s.position), moves);
    checkers_board board = checkers_board_of(&rules, s.position);
    size_t count = checkers_children(&rules, &board, children);
    check_children(&s);
    ply_state_free(&s);
    return count;
}

static void test_coinciding_children(void **state)
{
    (void)state;
    assert_int_equal(count_children("english", "B:W21-32:B1-12", 7), 7);
    /* A king can jump round four men in two directions: one move with two paths. */
    assert_int_equal(count_children("english", "B:W6,7,14,15:BK2", 1), 1);
    /* Two flying kings each capture all eight pieces and return: e1xe1 and a5xa5 lead to the same
     * position. */
    const char *two = "B:WKc3,Kg3,Kd4,Kf4,Kd6,Kf6,Kc7,Kg7:BKe1,Ka5";
    assert_int_equal(count_children("brazilian", two, 6), 5);
    assert_int_equal(count_children("russian", two, 14), 13);
    assert_int_equal(
        count_children("russian:lifting=once", "B:WKe3,Kg3,Ke5,Kg5,Ke7,Kg7:BKc1,Kd8", 11), 10);
}

/*
 * Why no two pieces that jump one square at a time can do that. A piece lands only on squares of
 * its own class (even or odd rows), a grid of 4x4 squares, and jumps over the nine squares between
 * them. Each of the nine joins two of its four neighbours by one diagonal and the other two by the
 * other; the two diagonals belong to different halves of the grid.
 *
 * Two pieces in the same half that capture the same pieces use the same diagonals, so each lands
 * where the other stands: impossible. In different halves, both routes are closed, so every landing
 * square of both halves is next to an even number of the captured pieces. No set but the empty one
 * has that property.
 */
static void test_short_jumps_never_coincide(void **state)
{
    (void)state;
    int closed = 0;
    for (unsigned set = 0; set < 1u << 9; set++) {
        bool even = true;
        for (int row = 0; row < 4; row++)
            for (int column = 0; column < 4; column++) {
                int near = 0;
                for (int r = row - 1; r <= row; r++)
                    for (int c = column - 1; c <= column; c++)
                        near += r >= 0 && r < 3 && c >= 0 && c < 3 && (set >> (3 * r + c) & 1);
                even = even && near % 2 == 0;
            }
        assert_int_equal(even, set == 0);
        closed += even;
    }
    assert_int_equal(closed, 1);
}

/* Reads the pieces from the position's text, where square n has bit 2(n-1), plus 1 in even rows. */
static void check_words(const ply_state *s)
{
    checkers_board board = checkers_board_of(s->rules, s->position);
    char text[256];
    ply_text out = ply_text_fixed(text, sizeof text);
    s->rules->game->format(s->rules, s->position, &out);
    checkers_piece pieces[64] = {CHECKERS_EMPTY};
    bool white = false, king = false;
    for (const char *c = text + 1; *c; c++) {
        if (*c == 'W' || *c == 'B')
            white = *c == 'W';
        else if (*c == 'K')
            king = true;
        else if (*c >= '1' && *c <= '9') {
            char *end;
            long n = strtol(c, &end, 10);
            pieces[2 * (n - 1) + ((n - 1) / 4 % 2 == 0)] =
                white ? (king ? CHECKERS_WHITE_KING : CHECKERS_WHITE_MAN)
                      : (king ? CHECKERS_BLACK_KING : CHECKERS_BLACK_MAN);
            king = false;
            c = end - 1;
        }
    }
    assert_int_equal(checkers_white_turn(&board), text[0] == 'W');
    assert_int_equal(checkers_black_turn(&board), text[0] == 'B');
    for (int i = 0; i < 64; i++) {
        bool is_black = pieces[i] == CHECKERS_BLACK_MAN || pieces[i] == CHECKERS_BLACK_KING;
        assert_int_equal(checkers_piece_at(&board, i), pieces[i]);
        assert_int_equal((checkers_black_pieces(&board) & bit(i)) != 0, is_black);
        assert_int_equal((checkers_white_pieces(&board) & bit(i)) != 0, pieces[i] && !is_black);
        assert_int_equal((checkers_all_pieces(&board) & bit(i)) != 0, pieces[i] != CHECKERS_EMPTY);
    }
    /* And back: the position made of the words prints as the same text. */
    void *copy = test_malloc(s->rules->position_bytes);
    assert_int_equal(checkers_board_to_position(s->rules, &board, copy, NULL), PLY_OK);
    char again[256];
    out = ply_text_fixed(again, sizeof again);
    s->rules->game->format(s->rules, copy, &out);
    assert_string_equal(again, text);
    assert_true(s->rules->game->hash(s->rules, copy) ==
                s->rules->game->hash(s->rules, s->position));
    test_free(copy);
}

/*
 * The note's recipe for English rules: the pieces that can move in a direction, and those that can
 * capture, found by masks and shifts, are those that the legal moves begin with.
 */
static void check_masks(const ply_state *s)
{
    checkers_board b = checkers_board_of(s->rules, s->position);
    bool black = checkers_black_turn(&b);
    uint64_t all = checkers_all_pieces(&b), empty = CHECKERS_DARK_SQUARES & ~all;
    uint64_t enemy = black ? checkers_white_pieces(&b) : checkers_black_pieces(&b);
    uint64_t movers = 0, jumpers = 0, expected = 0;
    for (int d = 0; d < 4; d++) {
        uint64_t own = black ? b.black_kings | (d < 2 ? b.black_men : 0)
                             : b.white_kings | (d < 2 ? 0 : b.white_men);
        movers |= checkers_step(checkers_step(own, d) & empty, 3 - d);
        uint64_t over = checkers_shift(own, d) & enemy & CHECKERS_NOT_EDGES;
        uint64_t land = checkers_shift(over, d) & ~all;
        jumpers |= checkers_shift(checkers_shift(land, 3 - d), 3 - d);
        /* With the edges of each step the jumps are the same. */
        assert_true(land == (checkers_step(checkers_step(own, d) & enemy, d) & ~all));
    }
    checkers_board children[CHECKERS_MAX_MOVES];
    size_t count = checkers_children(s->rules, &b, children);
    uint64_t own = all & ~enemy, left = 0;
    bool captures = false;
    for (size_t i = 0; i < count; i++) {
        uint64_t after =
            black ? checkers_black_pieces(&children[i]) : checkers_white_pieces(&children[i]);
        uint64_t left_enemy = checkers_all_pieces(&children[i]) & ~after;
        captures = captures || left_enemy != enemy;
        left |= own & ~after;
    }
    expected = jumpers ? jumpers : movers;
    assert_int_equal(captures, jumpers != 0);
    /* A king that returns to its square does not show here. */
    assert_true((left & ~expected) == 0);
    if (!captures)
        assert_true(left == expected);
}

static void test_words(void **state)
{
    (void)state;
    visit_random_games("english", 5, 4000, check_words);
    visit_random_games("english", 6, 4000, check_masks);
}

static void test_bad_boards(void **state)
{
    (void)state;
    static const struct {
        checkers_board board;
        const char *words;
    } bad[] = {
        {{.black_men = 1}, "bit 0, a light square"},
        {{.white_kings = UINT64_C(1) << 63}, "bit 63, a light square"},
        {{.black_men = 2, .black_kings = 2}, "two pieces on bit 1"},
        {{.white_men = 0x100, .black_kings = 0x300}, "bit 9, a light square"},
        {{.white_men = 0x100, .black_kings = 0x100}, "two pieces on bit 8"},
        {{.black_men = UINT64_C(1) << 56}, "the man on bit 56 would be a king"},
        {{.white_men = 8}, "the man on bit 3 would be a king"},
        {{.white_kings = 0x55AA55AA}, "16 pieces"},
        {{.black_men = 2, .turn = 2}, "neither"},
    };
    ply_rules rules;
    test_make_rules(&rules, "checkers", NULL);
    void *position = test_malloc(rules.position_bytes);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ply_error error = {0};
        assert_int_equal(checkers_board_to_position(&rules, &bad[i].board, position, &error),
                         PLY_BAD_POSITION);
        if (!strstr(error.message, bad[i].words))
            fail_msg("%zu: %s", i, error.message);
        assert_int_equal(checkers_board_to_position(&rules, &bad[i].board, position, NULL),
                         PLY_BAD_POSITION);
    }
    test_free(position);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_children),
        cmocka_unit_test(test_coinciding_children),
        cmocka_unit_test(test_short_jumps_never_coincide),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_bad_boards),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
