/* SPDX-License-Identifier: MIT */
/* test_encoding.c - UTF-8 detection, Shift_JIS conversion and varints against known bytes. */
#include "core/text/encoding.h"
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
        cmocka_unit_test(test_shift_jis),
        cmocka_unit_test(test_varint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
