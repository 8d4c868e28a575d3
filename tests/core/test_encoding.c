/* SPDX-License-Identifier: MIT */
/* test_encoding.c - UTF-8 detection and repair, Shift_JIS conversion and varints against known bytes. */
#include "core/text/encoding.h"
#include "core/text/utf8.h"
#include "core/text/varint.h"
#include "support/support.h"
#include <string.h>

static void test_utf8(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        bool valid;
    } cases[] = {
        {"", true},           {"plain", true}, {"\xE6\xAD\xA9", true}, {"\xF0\x9F\x90\xB4", true},
        {"\xE6\xAD", true}, /* truncated */
        {"\xE6x\xA9", false}, {"\x80", false}, {"\xC0\x80", false},    {"\xF5\x80\x80\x80", false},
        {"\x95\xE0", false}}; /* Shift_JIS */
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(ply_encoding_is_utf8(cases[i].bytes, strlen(cases[i].bytes)),
                         cases[i].valid);
}

/* Each malformed byte becomes U+FFFD; whole characters stay. */
static void test_repair(void **state)
{
    (void)state;
#define R "\xEF\xBF\xBD"
    static const struct {
        const char *bytes, *repaired;
    } cases[] = {
        {"", ""},
        {"plain", "plain"},
        {"\xE6\xAD\xA9\xF0\x9F\x90\xB4", "\xE6\xAD\xA9\xF0\x9F\x90\xB4"},
        {"\xC3\xA9 caf\xE9", "\xC3\xA9 caf" R}, /* Latin-1 */
        {"\xE6\xAD", R R},                      /* truncated */
        {"\xE6x\xA9", R "x" R},
        {"\xC0\xAF/", R R "/"},  /* an overlong slash */
        {"\xE0\x80\xAF", R R R}, /* and a longer one */
        {"a\xED\xA0\x80"
         "b",
         "a" R R R "b"},               /* a surrogate */
        {"\xF4\x90\x80\x80", R R R R}, /* beyond U+10FFFF */
        {"\xEF\xBF\xBD", R},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ply_text out = ply_text_growing();
        ply_utf8_append_repaired(&out, cases[i].bytes, strlen(cases[i].bytes));
        assert_string_equal(ply_text_cstr(&out), cases[i].repaired);
        assert_true(ply_utf8_is_valid(out.data, out.length));
        assert_int_equal(ply_utf8_is_valid(cases[i].bytes, strlen(cases[i].bytes)),
                         strcmp(cases[i].bytes, cases[i].repaired) == 0);
        ply_text_free(&out);
    }
#undef R
}

static void test_shift_jis(void **state)
{
    (void)state;
    /* 歩 is 95 E0. Longer than the conversion buffer, so that it takes several rounds. */
    enum { COUNT = 1000 };
    ply_text utf8 = ply_text_growing(), shift_jis = ply_text_growing(), back = ply_text_growing();
    for (int i = 0; i < COUNT; i++)
        ply_text_string(&utf8, "\xE6\xAD\xA9");
    assert_true(ply_encoding_to_shift_jis(utf8.data, utf8.length, &shift_jis));
    assert_int_equal(shift_jis.length, 2 * COUNT);
    for (int i = 0; i < COUNT; i++)
        assert_memory_equal(shift_jis.data + 2 * i, "\x95\xE0", 2);
    assert_true(ply_encoding_from_shift_jis(shift_jis.data, shift_jis.length, &back));
    assert_string_equal(back.data, utf8.data);
    ply_text_clear(&back);
    assert_false(ply_encoding_to_shift_jis("a\xF0\x9F\x90\xB4", 5, &back)); /* not in Shift_JIS */
    assert_string_equal(back.data, "a");
    ply_text_free(&utf8);
    ply_text_free(&shift_jis);
    ply_text_free(&back);
}

static void test_varint(void **state)
{
    (void)state;
    static const struct {
        uint64_t value;
        size_t count;
        uint8_t bytes[PLY_VARINT_BYTES];
    } cases[] = {
        {0, 1, {0}},
        {127, 1, {0x7F}},
        {128, 2, {0x80, 0x01}},
        {300, 2, {0xAC, 0x02}},
        {UINT64_MAX, 10, {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint8_t bytes[PLY_VARINT_BYTES];
        assert_int_equal(ply_varint_encode(cases[i].value, bytes), cases[i].count);
        assert_memory_equal(bytes, cases[i].bytes, cases[i].count);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_utf8),
        cmocka_unit_test(test_repair),
        cmocka_unit_test(test_shift_jis),
        cmocka_unit_test(test_varint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
