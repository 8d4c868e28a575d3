/* SPDX-License-Identifier: MIT */
/* test_vec4_widths.c - the packed vector with the design note's field widths: 8, 8, 8, 8. */
#define PLYVERSE_FIVED_WIDTHS_H /* instead of the build's widths */
#define FIVED_X_BITS 8
#define FIVED_Y_BITS 8
#define FIVED_T_BITS 8
#define FIVED_L_BITS 8
#include "support/support.h"
#include <plyverse/fived_vec4.h>

/* Every pair of values of every field, with the other fields all ones. */
static void test_every_pair(void **unused)
{
    (void)unused;
    for (int field = 0; field < 4; field++)
        for (int a = -128; a < 128; a++)
            for (int b = -128; b < 128; b++) {
                int p[4] = {-1, -1, -1, -1}, q[4] = {-1, -1, -1, -1};
                p[field] = a;
                q[field] = b;
                fived_vec4 u = fived_vec4_make(p[0], p[1], p[2], p[3]);
                fived_vec4 v = fived_vec4_make(q[0], q[1], q[2], q[3]);
                fived_vec4 sum = fived_vec4_add(u, v), difference = fived_vec4_sub(u, v);
                fived_vec4 product = fived_vec4_scale(u, b);
                for (int i = 0; i < 4; i++) {
                    assert_int_equal(fived_vec4_field(sum, 8, 8 * i), (int8_t)(p[i] + q[i]));
                    assert_int_equal(fived_vec4_field(difference, 8, 8 * i), (int8_t)(p[i] - q[i]));
                    assert_int_equal(fived_vec4_field(product, 8, 8 * i), (int8_t)(p[i] * b));
                }
                assert_int_equal(fived_vec4_compare(u, v), (a > b) - (a < b));
            }
}

/* "Valid values for each of them range from -128 to 127." */
static void test_range(void **unused)
{
    (void)unused;
    assert_int_equal(FIVED_X_MAX, 127);
    assert_int_equal(FIVED_Y_MAX, 127);
    assert_int_equal(FIVED_T_MAX, 127);
    assert_int_equal(FIVED_L_MAX, 127);
    for (int a = -128; a <= 127; a++) {
        fived_vec4 v = fived_vec4_make(a, a, a, a);
        assert_true(fived_vec4_x(v) == a && fived_vec4_y(v) == a && fived_vec4_t(v) == a &&
                    fived_vec4_l(v) == a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_pair),
                                       cmocka_unit_test(test_range)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
