/* SPDX-License-Identifier: MIT */
/*
 * test_piece_list.c - the design note's squares, codes, moves, numbered pieces and 80-byte save, to
 * the bit.
 */
#include "games/shogi/rules/square_tables.h"
#include "games/shogi/shogi.h"
#include "support/support.h"
#include <string.h>

static shogi_position parse(const char *sfen)
{
    shogi_position p;
    ply_rules rules;
    ply_error error = {0};
    test_make_rules(&rules, "shogi", NULL);
    ply_cursor cursor = ply_cursor_make(sfen, strlen(sfen), &error);
    if (shogi_parse(&rules, &p, &cursor) != PLY_OK)
        fail_msg("%s: %s", sfen, error.message);
    return p;
}

static const char standard_start[] =
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

/* Files 9 to 1 from the left, ranks eleven apart, and the test for the edge. */
static void test_squares(void **state)
{
    (void)state;
    int squares = 0;
    for (unsigned p = 0; p < 256; p++) {
        assert_int_equal(shogi_is_square(p), !(p > 96 || p % 11 > 8));
        squares += shogi_is_square(p);
    }
    assert_int_equal(squares, 81);
    assert_int_equal(shogi_square(0, 0), 0);  /* 9a */
    assert_int_equal(shogi_square(8, 0), 8);  /* 1a */
    assert_int_equal(shogi_square(0, 1), 11); /* 9b */
    assert_int_equal(shogi_square(8, 8), 96); /* 1i */
    for (int s = 0; s <= 96; s++) {
        if (!shogi_is_square((unsigned)s))
            continue;
        assert_int_equal(shogi_in_zone(SHOGI_BLACK, s), s < 31);
        assert_int_equal(shogi_in_zone(SHOGI_WHITE, s), s > 65);
        /* One step is one shift, and White's steps are Black's negated. */
        for (int type = 0; type < SHOGI_TYPES; type++) {
            shogi_set rotated = 0;
            for (shogi_set r = shogi_pseudo_attacks[SHOGI_BLACK][type][s]; r; r &= r - 1)
                rotated |= set_of(96 - set_first(r));
            assert_true(rotated == shogi_pseudo_attacks[SHOGI_WHITE][type][96 - s]);
        }
    }
    /* 7g7f: Black's forward is -11; a knight's jumps are -23 and -21. */
    assert_true(shogi_pseudo_attacks[SHOGI_BLACK][SHOGI_PAWN][68] == set_of(57));
    assert_true(shogi_pseudo_attacks[SHOGI_BLACK][SHOGI_KNIGHT][49] == (set_of(26) | set_of(28)));
    assert_true(shogi_pseudo_attacks[SHOGI_WHITE][SHOGI_KNIGHT][49] == (set_of(70) | set_of(72)));
}

/* Bits 0-6 from, 7-13 to, 14 promotion, 15 drop. */
static void test_move_bits(void **state)
{
    (void)state;
    assert_int_equal(shogi_move_make(68, 57, false), 68 | 57 << 7);
    assert_int_equal(shogi_move_make(78, 18, true), 78 | 18 << 7 | 16384);
    assert_int_equal(shogi_drop_make(SHOGI_GOLD, 48), 6 | 48 << 7 | 32768);
    for (int from = 0; from < SHOGI_SQUARES; from++)
        for (int to = 0; to < SHOGI_SQUARES; to++)
            for (int promote = 0; promote < 2; promote++) {
                ply_move m = shogi_move_make(from, to, promote);
                assert_true(m < 32768);
                assert_int_equal(shogi_move_from(m), from);
                assert_int_equal(shogi_move_to(m), to);
                assert_int_equal(shogi_move_promotes(m), promote);
                assert_false(shogi_move_is_drop(m));
            }
    ply_rules rules;
    test_make_rules(&rules, "shogi", NULL);
    shogi_position p = parse(standard_start);
    ply_cursor cursor = ply_cursor_make("7g7f", 4, NULL);
    ply_move move;
    assert_int_equal(shogi_parse_move(&rules, &p, &cursor, &move), PLY_OK);
    assert_int_equal(move, 68 | 57 << 7);
}

static void test_codes(void **state)
{
    (void)state;
    shogi_position p = parse("l+r2k4/9/9/9/9/9/9/7+P1/4K3L b Gn 1");
    assert_int_equal(p.board[0], 0x10 | 1);     /* White's lance */
    assert_int_equal(p.board[1], 0x10 | 8 | 5); /* White's dragon */
    assert_int_equal(p.board[4], 0x10 | 7);     /* White's king */
    assert_int_equal(p.board[84], 8 | 0);       /* Black's tokin */
    assert_int_equal(p.board[96], 1);           /* Black's lance */
    assert_int_equal(p.board[5], SHOGI_CODE_EMPTY);
    assert_int_equal(shogi_code_type(8 | 0), SHOGI_GOLD);
    assert_int_equal(shogi_code_type(8 | 4), SHOGI_HORSE);
    shogi_piece_list list;
    shogi_piece_list_from_position(&p, &list);
    assert_int_equal(list.goma_pos[1], 92);
    assert_int_equal(list.goma_pos[2], 4);
    assert_int_equal(list.goma_cde[1], 7);
    assert_int_equal(list.goma_cde[2], 0x17);
    assert_int_equal(list.board[92], 1);
    int first, end;
    shogi_piece_list_numbers(SHOGI_GOLD, &first, &end);
    assert_int_equal(end - first, 4);
    assert_int_equal(list.goma_pos[first], 97);
    assert_int_equal(list.goma_cde[first], 0x20 | 6);
    assert_int_equal(list.goma_pos[first + 1], 99);
    shogi_piece_list_numbers(SHOGI_KNIGHT, &first, &end);
    assert_int_equal(list.goma_pos[first], 98);
    assert_int_equal(list.goma_cde[first], 0x20 | 0x10 | 2);
    shogi_piece_list_numbers(SHOGI_PAWN, &first, &end);
    assert_int_equal(end, 41);
}

static void test_saved(void **state)
{
    (void)state;
    uint8_t bytes[SHOGI_SAVED_BYTES], again[SHOGI_SAVED_BYTES];
    static const char *const positions[] = {
        standard_start,
        "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
        "4k4/9/4P4/9/9/9/9/9/9 b 2G2r2b2g4s4n4l17p 1",
        "9/9/9/9/9/9/9/9/9 w - 1",
    };
    for (size_t i = 0; i < sizeof positions / sizeof positions[0]; i++) {
        shogi_position p = parse(positions[i]), q;
        shogi_save(&p, bytes);
        assert_int_equal(bytes[40] & 0x40, p.side ? 0x40 : 0);
        assert_int_equal(shogi_load(bytes, &q, NULL), PLY_OK);
        assert_memory_equal(&p, &q, sizeof p);
        shogi_save(&q, again);
        assert_memory_equal(bytes, again, sizeof bytes);
    }
    shogi_position p = parse(standard_start);
    shogi_save(&p, bytes);
    assert_int_equal(bytes[0], 92); /* goma_pos[1]: Black's king on 5i */
    assert_int_equal(bytes[1], 4);
    assert_int_equal(bytes[41], 0x17); /* goma_cde[2] */
}

/* Loading must fail after one byte has been changed, with `words` in the message and the location of
 * the byte `fault`. */
static void rejects_byte(uint8_t *bytes, int at, int value, int fault, const char *words)
{
    shogi_position p;
    ply_error error = {0};
    uint8_t before = bytes[at];
    bytes[at] = (uint8_t)value;
    assert_int_equal(shogi_load(bytes, &p, &error), PLY_BAD_POSITION);
    if (!strstr(error.message, words))
        fail_msg("%s", error.message);
    assert_int_equal(error.line, 1);
    assert_int_equal(error.column, fault + 1);
    assert_int_equal(error.offset, fault);
    bytes[at] = before;
}

static void test_saved_faults(void **state)
{
    (void)state;
    uint8_t bytes[SHOGI_SAVED_BYTES];
    shogi_position p = parse(standard_start);
    shogi_save(&p, bytes);
    rejects_byte(bytes, 0, 9, 0, "not a square");
    rejects_byte(bytes, 0, 98, 0, "not a square");
    rejects_byte(bytes, 0, 4, 1, "two pieces");
    rejects_byte(bytes, 2, 92, 2, "two pieces");
    rejects_byte(bytes, 40, 0x80 | 7, 40, "invalid code");
    rejects_byte(bytes, 46, 0x08 | 6, 46, "invalid code");
    rejects_byte(bytes, 42, 7, 42, "kings");
    rejects_byte(bytes, 42, 0x25, 2, "in hand");
}

/* Arrays that contradict each other are rejected. */
static void test_array_faults(void **state)
{
    (void)state;
    shogi_position p = parse(standard_start), q;
    shogi_piece_list list;
    ply_error error = {0};
    shogi_piece_list_from_position(&p, &list);
    list.board[50] = 5;
    assert_int_equal(shogi_piece_list_to_position(&list, 0, &q, &error), PLY_BAD_POSITION);
    assert_non_null(strstr(error.message, "board[50]"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_squares),      cmocka_unit_test(test_move_bits),
        cmocka_unit_test(test_codes),        cmocka_unit_test(test_saved),
        cmocka_unit_test(test_saved_faults), cmocka_unit_test(test_array_faults),
    };
    return cmocka_run_group_tests_name("shogi piece list", tests, NULL, NULL);
}
