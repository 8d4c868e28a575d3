/* SPDX-License-Identifier: MIT */
/* test_text.c - writing and parsing text, status names, JSON and progress lines. */
#include "core/text/json_write.h"
#include "core/text/printable.h"
#include "core/text/progress_text.h"
#include "support/support.h"
#include <string.h>

static void test_fixed(void **state)
{
    (void)state;
    char buffer[8];
    ply_text text = ply_text_fixed(buffer, sizeof buffer);
    assert_true(ply_text_complete(&text));
    ply_text_string(&text, "abc");
    ply_text_format(&text, "%d", 1234);
    assert_string_equal(buffer, "abc1234");
    assert_true(ply_text_complete(&text));
    ply_text_char(&text, 'x');
    assert_string_equal(buffer, "abc1234");
    assert_int_equal(text.length, 8);
    assert_false(ply_text_complete(&text));
    ply_text measure = ply_text_fixed(NULL, 0);
    ply_text_format(&measure, "%0300d", 7);
    assert_int_equal(measure.length, 300);
    assert_string_equal(ply_text_cstr(&measure), "");
}

static void test_growing(void **state)
{
    (void)state;
    ply_text text = ply_text_growing();
    assert_string_equal(ply_text_cstr(&text), "");
    for (int i = 0; i < 1000; i++)
        ply_text_format(&text, "%03d,", i);
    assert_int_equal(text.length, 4000);
    assert_true(ply_text_complete(&text));
    assert_memory_equal(text.data + 3996, "999,", 5);
    ply_text_clear(&text);
    assert_string_equal(ply_text_cstr(&text), "");
    ply_text_free(&text);
}

static void test_cursor_locations(void **state)
{
    (void)state;
    const char *input = "ab\ncd \xE6\xAD\xA9x 42 99999999999999999999";
    ply_error error = {0};
    ply_cursor c = ply_cursor_make(input, strlen(input), &error);
    assert_true(ply_cursor_accept(&c, 'a'));
    assert_false(ply_cursor_accept(&c, 'a'));
    assert_int_equal(ply_cursor_take(&c), 'b');
    assert_int_equal(ply_cursor_skip_space(&c), 1);
    assert_int_equal(c.line, 2);
    assert_int_equal(c.column, 1);
    assert_false(ply_cursor_accept_word(&c, "ce"));
    assert_true(ply_cursor_accept_word(&c, "cd "));
    /* A character of three bytes is one column. */
    for (int i = 0; i < 3; i++)
        ply_cursor_take(&c);
    assert_int_equal(c.column, 5);
    assert_int_equal(ply_cursor_take(&c), 'x');
    ply_cursor_skip_space(&c);
    uint64_t number = 0;
    assert_false(ply_cursor_number(&c, 41, &number));
    assert_true(ply_cursor_number(&c, 42, &number));
    assert_int_equal(number, 42);
    ply_cursor_skip_space(&c);
    assert_false(ply_cursor_number(&c, UINT64_MAX, &number));
    assert_int_equal(ply_cursor_fail(&c, PLY_BAD_TEXT, "no %s", "luck"), PLY_BAD_TEXT);
    assert_int_equal(error.line, 2);
    assert_int_equal(error.column, 10);
    assert_string_equal(error.message, "no luck");
    const char *word;
    assert_int_equal(ply_cursor_word(&c, &word), 20);
    assert_true(ply_cursor_done(&c));
    assert_int_equal(ply_cursor_take(&c), -1);
    assert_int_equal(ply_cursor_word(&c, &word), 0);
}

static void test_largest_number(void **state)
{
    (void)state;
    const char *input = "18446744073709551615";
    ply_cursor c = ply_cursor_make(input, strlen(input), NULL);
    uint64_t number = 0;
    assert_true(ply_cursor_number(&c, UINT64_MAX, &number));
    assert_true(number == UINT64_MAX);
    c = ply_cursor_make("18446744073709551616", 20, NULL);
    assert_false(ply_cursor_number(&c, UINT64_MAX, &number));
    assert_int_equal(c.at, 0);
}

static void test_status_names(void **state)
{
    (void)state;
    assert_string_equal(ply_status_name(PLY_OK), "OK");
    assert_string_equal(ply_status_name(PLY_ILLEGAL_MOVE), "ILLEGAL_MOVE");
    assert_string_equal(ply_status_text((ply_status)999), "?");
    ply_error error;
    memset(&error, 0xAB, sizeof error);
    assert_int_equal(ply_error_set(&error, PLY_LIMIT, "%0400d", 1), PLY_LIMIT);
    assert_int_equal(error.line, 0);
    assert_int_equal(strlen(error.message), sizeof error.message - 1);
    assert_string_equal(ply_version(), PLYVERSE_VERSION);
}

static void test_json(void **state)
{
    (void)state;
    ply_text out = ply_text_growing();
    ply_json_open(&out, '{');
    ply_json_member_string(&out, "a\"b", "line\n\\ \xE6\xAD\xA9 \xFF \xC0\x80");
    ply_json_name(&out, "list");
    ply_json_open(&out, '[');
    ply_json_unsigned(&out, 7);
    ply_json_unsigned(&out, UINT64_MAX);
    ply_json_signed(&out, -3);
    ply_json_null(&out);
    ply_json_bool(&out, true);
    ply_json_real(&out, 0.5);
    ply_json_open(&out, '{');
    ply_json_close(&out, '}');
    ply_json_close(&out, ']');
    ply_json_member_bool(&out, "end", false);
    ply_json_close(&out, '}');
    assert_string_equal(out.data,
                        "{\"a\\\"b\":\"line\\u000a\\\\ \xE6\xAD\xA9 \\ufffd \\ufffd\\ufffd\","
                        "\"list\":[7,\"18446744073709551615\",-3,null,true,0.5,{}],\"end\":false}");
    ply_text_free(&out);
}

static void check_progress(ply_progress_report progress, const char *expected)
{
    char line[128];
    ply_text text = ply_text_fixed(line, sizeof line);
    ply_progress_format(&progress, &text);
    assert_string_equal(line, expected);
}

static void test_progress(void **state)
{
    (void)state;
    check_progress((ply_progress_report){.unit = "nodes", .units = 1234567, .seconds = 2},
                   "1.23 M nodes  617 k/s");
    check_progress((ply_progress_report){.unit = "nodes",
                                         .units = 2000000000,
                                         .seconds = 10,
                                         .parts_done = 1,
                                         .parts_total = 4,
                                         .memory_bytes = 1500000},
                   "2.00 G nodes  200 M/s  25%  about 0:30 left  1.50 MB");
    check_progress(
        (ply_progress_report){.unit = "plies", .units = 999, .parts_done = 2, .parts_total = 2},
        "999 plies  100%");
    check_progress(
        (ply_progress_report){
            .unit = "positions", .units = 1000, .seconds = 3600, .parts_done = 1, .parts_total = 3},
        "1.00 k positions  0/s  33%  about 2:00:00 left");
}

/* Control characters are masked; what only looks like one, inside a longer character, is not. */
static void test_controls(void **state)
{
    (void)state;
    char text[] = "a\033[31mb\a\n\t\177~ \xC2\x9Bm \xC2\xA0 \xE2\x82\x9B \xC2";
    ply_mask_controls(text, sizeof text - 1, "\n\t");
    assert_string_equal(text, "a?[31mb?\n\t?~ ??m \xC2\xA0 \xE2\x82\x9B \xC2");
    ply_mask_controls(text, sizeof text - 1, "");
    assert_string_equal(text, "a?[31mb????~ ??m \xC2\xA0 \xE2\x82\x9B \xC2");
    char zero[] = "a\0b";
    ply_mask_controls(zero, 3, "\n");
    assert_string_equal(zero, "a?b");
    ply_error error;
    ply_error_set(&error, PLY_IO, "no '%s'", "\033]0;x\a");
    assert_string_equal(error.message, "no '?]0;x?'");
    ply_cursor cursor = ply_cursor_make("x", 1, &error);
    ply_cursor_fail(&cursor, PLY_BAD_TEXT, "no '\033[2J'");
    assert_string_equal(error.message, "no '?[2J'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fixed),
        cmocka_unit_test(test_growing),
        cmocka_unit_test(test_cursor_locations),
        cmocka_unit_test(test_largest_number),
        cmocka_unit_test(test_status_names),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_progress),
        cmocka_unit_test(test_controls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
