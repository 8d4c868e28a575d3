/* SPDX-License-Identifier: MIT */
/* test_vec4.c - the packed vector against a plain one; coordinates, moves and steps. */
#include "games/fived/fived.h"
#include "support/support.h"

typedef struct plain {
    int x, y, t, l;
} plain;

/* A number as stored in a field of `bits` bits. */
static int wrap(int value, int bits)
{
    int range = 1 << bits, low = -(range / 2);
    return ((value - low) % range + range) % range + low;
}

static plain wrapped(plain a)
{
    return (plain){wrap(a.x, FIVED_X_BITS), wrap(a.y, FIVED_Y_BITS), wrap(a.t, FIVED_T_BITS),
                   wrap(a.l, FIVED_L_BITS)};
}

static fived_vec4 packed(plain a)
{
    return fived_vec4_make(a.x, a.y, a.t, a.l);
}

static void same(fived_vec4 a, plain b)
{
    b = wrapped(b);
    assert_true(fived_vec4_x(a) == b.x && fived_vec4_y(a) == b.y && fived_vec4_t(a) == b.t &&
                fived_vec4_l(a) == b.l);
}

static int plain_compare(plain a, plain b)
{
    int d = a.l != b.l ? a.l - b.l : a.t != b.t ? a.t - b.t : a.y != b.y ? a.y - b.y : a.x - b.x;
    return (d > 0) - (d < 0);
}

static void check_pair(plain a, plain b)
{
    a = wrapped(a);
    b = wrapped(b);
    fived_vec4 p = packed(a), q = packed(b);
    same(fived_vec4_add(p, q), (plain){a.x + b.x, a.y + b.y, a.t + b.t, a.l + b.l});
    same(fived_vec4_sub(p, q), (plain){a.x - b.x, a.y - b.y, a.t - b.t, a.l - b.l});
    assert_int_equal(fived_vec4_compare(p, q), plain_compare(a, b));
    assert_int_equal(fived_vec4_equal(p, q), plain_compare(a, b) == 0);
}

static const int widths[4] = {FIVED_X_BITS, FIVED_Y_BITS, FIVED_T_BITS, FIVED_L_BITS};

static plain with_field(plain a, int field, int value)
{
    int *fields[4] = {&a.x, &a.y, &a.t, &a.l};
    *fields[field] = value;
    return a;
}

/*
 * All pairs of values of each field (every 3rd or 17th value of the wide ones), with the other
 * fields at their extremes, where a carry or a borrow would leak.
 */
static void test_every_pair(void **unused)
{
    (void)unused;
    static const plain around[4] = {
        {0, 0, 0, 0}, {-1, -1, -1, -1}, {7, 7, 2047, 2047}, {-8, -8, -2048, -2048}};
    for (int field = 0; field < 4; field++) {
        int low = -(1 << (widths[field] - 1)), high = -low;
        int stride = widths[field] > 8 && !test_is_long() ? 17 : widths[field] > 8 ? 3 : 1;
        for (int a = low; a < high; a += stride)
            for (int b = low; b < high; b += stride)
                for (int i = 0; i < 4; i++)
                    check_pair(with_field(around[i], field, a),
                               with_field(around[3 - i], field, b));
    }
}

static void test_scaling(void **unused)
{
    (void)unused;
    for (int field = 0; field < 4; field++) {
        int low = -(1 << (widths[field] - 1)), high = -low;
        for (int a = low; a < high; a++)
            for (int k = -20; k <= 20; k++) {
                plain p = with_field((plain){-1, 3, -5, 7}, field, a);
                same(fived_vec4_scale(packed(p), k), (plain){p.x * k, p.y * k, p.t * k, p.l * k});
            }
    }
}

/* Random values in all fields at once. */
static void test_random(void **unused)
{
    (void)unused;
    ply_rng rng = ply_rng_make(4, 4);
    for (int i = 0; i < 200000; i++) {
        plain a, b;
        int *fields[8] = {&a.x, &a.y, &a.t, &a.l, &b.x, &b.y, &b.t, &b.l};
        for (int k = 0; k < 8; k++)
            *fields[k] = (int)ply_rng_below(&rng, 1u << widths[k % 4]) - (1 << (widths[k % 4] - 1));
        check_pair(a, b);
    }
}

static void test_coordinates(void **unused)
{
    (void)unused;
    static const int timelines[] = {0, -1, 1, -2, 2, -3};
    for (unsigned u = 0; u < 6; u++) {
        assert_int_equal(fived_u_to_l(u), timelines[u]);
        assert_int_equal(fived_l_to_u(timelines[u]), u);
    }
    for (int l = -FIVED_L_MAX; l <= FIVED_L_MAX; l++)
        assert_int_equal(fived_u_to_l(fived_l_to_u(l)), l);
    for (int v = 0; v < 2 * FIVED_T_MAX; v++) {
        int t, c;
        fived_v_to_tc(v, &t, &c);
        assert_int_equal(fived_tc_to_v(t, c), v);
        assert_true(c == 0 || c == 1);
    }
}

static void test_moves(void **unused)
{
    (void)unused;
    ply_rng rng = ply_rng_make(4, 5);
    for (int i = 0; i < 100000; i++) {
        fived_location s[2];
        for (int k = 0; k < 2; k++)
            s[k] = (fived_location){(int)ply_rng_below(&rng, 2 * FIVED_L_MAX) - FIVED_L_MAX,
                                    (int)ply_rng_below(&rng, FIVED_T_MAX),
                                    (int)ply_rng_below(&rng, 8), (int)ply_rng_below(&rng, 8)};
        int kind = (int)ply_rng_below(&rng, FIVED_KINDS);
        ply_move move = fived_move_make(s[0], s[1], kind);
        fived_location from = fived_move_from(move), to = fived_move_to(move);
        assert_memory_equal(&from, &s[0], sizeof from);
        assert_memory_equal(&to, &s[1], sizeof to);
        assert_int_equal(fived_move_promotion(move), kind);
        assert_true(move != FIVED_SUBMIT);
    }
}

/* The generated steps: the right number of them, no duplicates, and Black mirrors White. */
static void test_steps(void **unused)
{
    (void)unused;
    static const struct {
        const fived_steps *steps;
        uint32_t count;
    } known[] = {{&fived_steps_rook, 8},
                 {&fived_steps_bishop, 24},
                 {&fived_steps_unicorn, 32},
                 {&fived_steps_dragon, 16},
                 {&fived_steps_princess, 32},
                 {&fived_steps_queen, 80},
                 {&fived_steps_knight, 48},
                 {&fived_steps_white_pawn_advance, 2},
                 {&fived_steps_black_pawn_capture, 4},
                 {&fived_steps_white_brawn_capture, 8}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const fived_steps *s = known[i].steps;
        assert_int_equal(s->count, known[i].count);
        for (uint32_t a = 0; a < s->count; a++)
            for (uint32_t b = 0; b < a; b++)
                assert_false(fived_vec4_equal(s->step[a], s->step[b]));
    }
    /* Black's steps are White's with rank and timeline reversed. */
    for (int i = 0; i < 8; i++) {
        fived_vec4 w = fived_steps_white_brawn_capture.step[i];
        fived_vec4 wanted =
            fived_vec4_make(fived_vec4_x(w), -fived_vec4_y(w), fived_vec4_t(w), -fived_vec4_l(w));
        bool found = false;
        for (int k = 0; k < 8; k++)
            found = found || fived_vec4_equal(fived_steps_black_brawn_capture.step[k], wanted);
        assert_true(found);
    }
}

/* What the design note's script prints: the dragon's steps, from the last of ours to the first. */
static void test_the_notes_script(void **unused)
{
    (void)unused;
    static const char printed[] =
        "vec4( 1, 1, 1, 1), vec4(-1, 1, 1, 1), vec4( 1,-1, 1, 1), vec4(-1,-1, 1, 1), "
        "vec4( 1, 1,-1, 1), vec4(-1, 1,-1, 1), vec4( 1,-1,-1, 1), vec4(-1,-1,-1, 1), "
        "vec4( 1, 1, 1,-1), vec4(-1, 1, 1,-1), vec4( 1,-1, 1,-1), vec4(-1,-1, 1,-1), "
        "vec4( 1, 1,-1,-1), vec4(-1, 1,-1,-1), vec4( 1,-1,-1,-1), vec4(-1,-1,-1,-1), ";
    ply_text text = ply_text_growing();
    for (uint32_t i = fived_steps_dragon.count; i-- > 0;) {
        fived_vec4 s = fived_steps_dragon.step[i];
        ply_text_format(&text, "vec4(%2d,%2d,%2d,%2d), ", fived_vec4_x(s), fived_vec4_y(s),
                        fived_vec4_t(s), fived_vec4_l(s));
    }
    assert_string_equal(ply_text_cstr(&text), printed);
    ply_text_free(&text);
}

/* Vectors off 8x8 are recognised by one AND; squares and steps within a board likewise. */
static void test_squares(void **unused)
{
    (void)unused;
    for (int x = -8; x < 8; x++)
        for (int y = -8; y < 8; y++)
            for (int t = -1; t <= 1; t++)
                for (int l = -1; l <= 1; l++) {
                    fived_vec4 a = fived_vec4_make(x, y, t, l);
                    assert_int_equal(fived_vec4_on_8x8(a), x >= 0 && y >= 0);
                    assert_int_equal(fived_vec4_within_board(a), t == 0 && l == 0);
                    if (x >= 0 && y >= 0)
                        assert_int_equal(fived_vec4_square(a), x + 8 * y);
                }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_pair), cmocka_unit_test(test_scaling),
        cmocka_unit_test(test_random),     cmocka_unit_test(test_coordinates),
        cmocka_unit_test(test_moves),      cmocka_unit_test(test_steps),
        cmocka_unit_test(test_squares),    cmocka_unit_test(test_the_notes_script),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
