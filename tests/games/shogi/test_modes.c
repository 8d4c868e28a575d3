/* SPDX-License-Identifier: MIT */
/*
 * test_modes.c - every mode of move generation against a plain generator on the numbered-piece
 * arrays.
 *
 * The plain generator shares nothing with the square sets: it steps over the 11-wide board, plays
 * each move on the arrays and tests whether the king can be captured. Random games are compared
 * move for move, among them late positions with full hands and problems with one king. Along the
 * way the two representations of the position are compared as well.
 */
#include "games/shogi/shogi.h"
#include "support/support.h"
#include <stdlib.h>
#include <string.h>

enum { ROOM = 2048 };

/* --- the plain generator -------------------------------------------------------------------- */
typedef struct plain_steps {
    int steps[9], slides[5]; /* Black's steps, ended by 0 */
} plain_steps;

static const plain_steps movement[16] = {
    [0] = {{-11}, {0}},
    [1] = {{0}, {-11}},
    [2] = {{-23, -21}, {0}},
    [3] = {{-12, -11, -10, 10, 12}, {0}},
    [4] = {{0}, {-12, -10, 10, 12}},
    [5] = {{0}, {-11, -1, 1, 11}},
    [6] = {{-12, -11, -10, -1, 1, 11}, {0}},
    [7] = {{-12, -11, -10, -1, 1, 10, 11, 12}, {0}},
    [8] = {{-12, -11, -10, -1, 1, 11}, {0}},
    [9] = {{-12, -11, -10, -1, 1, 11}, {0}},
    [10] = {{-12, -11, -10, -1, 1, 11}, {0}},
    [11] = {{-12, -11, -10, -1, 1, 11}, {0}},
    [12] = {{-11, -1, 1, 11}, {-12, -10, 10, 12}},
    [13] = {{-12, -10, 10, 12}, {-11, -1, 1, 11}},
};

/* The design note's test for the edge, in its byte arithmetic. */
static bool off_board(uint8_t pos)
{
    return pos > 96 || pos % 11 > 8;
}

/* The squares that piece number `number` can move to or defends. */
static size_t plain_attacks(const shogi_piece_list *n, int number, uint8_t *out)
{
    int code = n->goma_cde[number], sign = code & 16 ? -1 : 1;
    const plain_steps *m = &movement[code & 15];
    size_t count = 0;
    for (int i = 0; i < 8 && m->steps[i]; i++) {
        uint8_t to = (uint8_t)(n->goma_pos[number] + sign * m->steps[i]);
        if (!off_board(to))
            out[count++] = to;
    }
    for (int i = 0; i < 4 && m->slides[i]; i++)
        for (uint8_t to = (uint8_t)(n->goma_pos[number] + sign * m->slides[i]); !off_board(to);
             to = (uint8_t)(to + sign * m->slides[i])) {
            out[count++] = to;
            if (n->board[to])
                break;
        }
    return count;
}

static bool plain_in_check(const shogi_piece_list *n, int side)
{
    int king = n->goma_pos[1 + side];
    for (int number = 1; number <= 40; number++) {
        uint8_t to[64];
        if (n->goma_pos[number] > 96 || ((n->goma_cde[number] >> 4) & 1) == side)
            continue;
        size_t count = plain_attacks(n, number, to);
        for (size_t i = 0; i < count; i++)
            if (to[i] == king)
                return true;
    }
    return false;
}

static bool plain_is_dead(int kind, int side, int to)
{
    int ranks_left = side == 0 ? to / 11 : 8 - to / 11;
    return (kind <= 1 && ranks_left == 0) || (kind == 2 && ranks_left <= 1);
}

static size_t plain_moves(const shogi_piece_list *n, int side, int mode, ply_move *out);

static bool plain_allows(const shogi_piece_list *n, int side, int mode, ply_move move)
{
    shogi_piece_list after = *n;
    shogi_piece_list_play(&after, side, move);
    if (plain_in_check(&after, side))
        return false;
    bool checks = plain_in_check(&after, !side);
    if (mode == SHOGI_TSUME && !checks)
        return false;
    if (mode != SHOGI_SIMPLE && checks && shogi_move_is_drop(move) && shogi_move_from(move) == 0) {
        ply_move replies[ROOM];
        return plain_moves(&after, !side, SHOGI_SIMPLE, replies) > 0;
    }
    return true;
}

static size_t plain_moves(const shogi_piece_list *n, int side, int mode, ply_move *out)
{
    size_t count = 0;
    unsigned held = 0, pawn_columns = 0;
    for (int number = 1; number <= 40; number++) {
        int pos = n->goma_pos[number], code = n->goma_cde[number], kind = code & 7;
        if (pos == 97 + side)
            held |= 1u << kind;
        if (pos > 96 || ((code >> 4) & 1) != side)
            continue;
        if ((code & 15) == 0)
            pawn_columns |= 1u << (pos % 11);
        uint8_t to[64];
        size_t squares = plain_attacks(n, number, to);
        for (size_t i = 0; i < squares; i++) {
            int taken = n->board[to[i]];
            if (taken && ((n->goma_cde[taken] >> 4) & 1) == side)
                continue;
            bool zone = side == 0 ? pos < 31 || to[i] < 31 : pos > 65 || to[i] > 65;
            ply_move move = (ply_move)(pos | to[i] << 7);
            if ((code & 8 || !plain_is_dead(kind, side, to[i])) &&
                plain_allows(n, side, mode, move))
                out[count++] = move;
            if (zone && kind < 6 && !(code & 8) && plain_allows(n, side, mode, move | 16384))
                out[count++] = move | 16384;
        }
    }
    for (int kind = 0; kind < 7; kind++)
        for (int to = 0; (held >> kind & 1) && to <= 96; to++) {
            if (off_board((uint8_t)to) || n->board[to] || plain_is_dead(kind, side, to) ||
                (kind == 0 && (pawn_columns >> (to % 11) & 1)))
                continue;
            ply_move move = (ply_move)(kind | to << 7 | 32768);
            if (plain_allows(n, side, mode, move))
                out[count++] = move;
        }
    return count;
}

/* --- comparing ------------------------------------------------------------------------------ */
static int compare_moves(const void *a, const void *b)
{
    ply_move x = *(const ply_move *)a, y = *(const ply_move *)b;
    return (x > y) - (x < y);
}

static void compare_modes(const shogi_position *p, const shogi_piece_list *list)
{
    for (int mode = SHOGI_SIMPLE; mode <= SHOGI_TSUME; mode++) {
        ply_move ours[ROOM], plain[ROOM];
        size_t count = shogi_moves_of_mode(p, mode, ours);
        size_t expected = plain_moves(list, p->side, mode, plain);
        qsort(ours, count, sizeof ours[0], compare_moves);
        qsort(plain, expected, sizeof plain[0], compare_moves);
        if (count != expected || memcmp(ours, plain, count * sizeof ours[0]) != 0) {
            char sfen[256];
            ply_text text = ply_text_fixed(sfen, sizeof sfen);
            shogi_format(NULL, p, &text);
            fail_msg("%s mode %d: %zu moves, %zu expected", sfen, mode, count, expected);
        }
    }
}

/* How many positions of each sort have been compared. */
static unsigned checks_seen, mates_seen;

/* The number of evasions and mate in one, on every instruction set, against playing all moves. */
static void compare_mating(const ply_rules *rules, const shogi_position *p)
{
    ply_move moves[ROOM];
    size_t count = shogi_moves_of_mode(p, SHOGI_TSUME, moves);
    bool mates = false;
    for (size_t i = 0; i < count && !mates; i++) {
        shogi_position after = *p;
        shogi_undo_info undo;
        shogi_play(rules, &after, moves[i], &undo);
        mates = shogi_count(rules, &after) == 0;
    }
    bool in_check = shogi_in_check(p, p->side);
    size_t evasions = shogi_count(rules, p);
    mates_seen += mates;
    checks_seen += in_check;
    for (int level = 1; level <= ply_isa_best(); level++) {
        const shogi_kernels *k = PLY_ISA_AT(shogi_kernels_of, level);
        shogi_position copy = *p;
        shogi_undo_info undo;
        ply_move move = k->mate_in_one(&copy);
        assert_memory_equal(&copy, p, sizeof copy);
        assert_int_equal(move != PLY_MOVE_NONE, mates);
        if (mates) {
            assert_true(shogi_is_legal(p, move));
            shogi_play(rules, &copy, move, &undo);
            assert_true(shogi_in_check(&copy, copy.side));
            assert_int_equal(shogi_count(rules, &copy), 0);
        }
        for (unsigned limit = 1; in_check && limit < 8; limit++) {
            unsigned counted = k->evasions(p, limit);
            assert_true(counted >= limit ? evasions >= limit : counted == evasions);
        }
        if (in_check)
            assert_int_equal(k->evasions(p, ROOM), evasions);
    }
}

/* The arrays that were updated move by move describe the same position. */
static void compare_representations(const shogi_position *p, const shogi_piece_list *carried)
{
    shogi_position rebuilt;
    shogi_piece_list made;
    assert_int_equal(shogi_piece_list_to_position(carried, p->side, &rebuilt, NULL), PLY_OK);
    rebuilt.ply = p->ply;
    assert_memory_equal(&rebuilt, p, sizeof rebuilt);
    shogi_piece_list_from_position(p, &made);
    assert_int_equal(shogi_piece_list_to_position(&made, p->side, &rebuilt, NULL), PLY_OK);
    rebuilt.ply = p->ply;
    assert_memory_equal(&rebuilt, p, sizeof rebuilt);
}

/* Plays random games from `start`; compares the modes on every `every`-th ply. */
static void compare_games(const char *start, uint64_t seed, int games, int plies, int every)
{
    ply_rules rules;
    ply_state state;
    test_make_rules(&rules, "shogi", ":impasse=none");
    for (int g = 0; g < games; g++) {
        ply_rng rng = ply_rng_make(seed, (uint64_t)g);
        test_make_state(&state, &rules, start);
        shogi_piece_list list;
        shogi_piece_list_from_position(state.position, &list);
        for (int ply = 0; ply < plies; ply++) {
            const shogi_position *p = state.position;
            compare_representations(p, &list);
            if (ply % every == 0)
                compare_modes(p, &list);
            compare_mating(&rules, p);
            size_t count = shogi_count(&rules, p);
            if (count == 0)
                break;
            ply_move move = shogi_nth(&rules, p, ply_rng_below(&rng, (uint32_t)count));
            shogi_piece_list_play(&list, p->side, move);
            assert_int_equal(ply_state_play(&state, move), PLY_OK);
        }
        ply_state_free(&state);
    }
}

static void test_random_games(void **state)
{
    (void)state;
    compare_games(NULL, 11, test_is_long() ? 400 : 30, 600, 3);
}

/* Full hands from the first move. */
static void test_full_hands(void **state)
{
    (void)state;
    int games = test_is_long() ? 40 : 3;
    compare_games("9/9/9/3k5/9/5K3/9/9/9 b RB2G2S2N2L9Prb2g2s2n2l9p 1", 12, games, 200, 7);
    compare_games("4k4/9/9/9/9/9/9/9/4K4 b 9P9p 1", 13, games * 2, 200, 3);
    compare_games("ppplkl1pp/b2p1p3/9/9/9/B8/9/5P1P1/PPPP1LKLP b R2G2S2N2Pr2g2s2n2p 1", 14, games,
                  60, 3);
}

/* Problems: the attacker has no king, and not all pieces are in play. */
static void test_one_king(void **state)
{
    (void)state;
    int games = test_is_long() ? 200 : 12;
    compare_games("4k4/9/4P4/9/9/9/9/9/9 b 2G2r2b2g4s4n4l17p 1", 15, games, 30, 1);
    compare_games("7nk/7pl/6N2/9/9/9/9/9/9 b RBP 1", 16, games, 40, 1);
    compare_games("9/9/9/9/4K4/9/9/9/9 w rbgsnlp 1", 17, games, 40, 1);
    compare_games("9/9/9/9/9/9/9/9/9 b 2P2p 1", 18, games, 12, 1);
}

static void test_famous_problems(void **state)
{
    (void)state;
    FILE *file = test_open_truth("tsume_famous.tsv");
    char line[512];
    int problems = 0;
    while (file && fgets(line, sizeof line, file)) {
        char *tab = strrchr(line, '\t');
        if (!tab || !strchr(tab, '/'))
            continue;
        tab[strcspn(tab, "\r\n")] = '\0';
        compare_games(tab + 1, 19, test_is_long() ? 5 : 1, 12, 1);
        problems++;
    }
    if (file) {
        assert_int_equal(problems, 27);
        fclose(file);
    }
}

/* Runs after the others, which must have covered enough positions of both sorts. */
static void test_mating_coverage(void **state)
{
    (void)state;
    assert_true(checks_seen > 300);
    assert_true(mates_seen > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_games),    cmocka_unit_test(test_full_hands),
        cmocka_unit_test(test_one_king),        cmocka_unit_test(test_famous_problems),
        cmocka_unit_test(test_mating_coverage),
    };
    return cmocka_run_group_tests_name("shogi modes", tests, NULL, NULL);
}
