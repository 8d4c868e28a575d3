/* SPDX-License-Identifier: MIT */
/* test_recognise.c - recognising a format by the signs that every file of it has. */
#include "support/support.h"
#include <stdlib.h>
#include <string.h>

static bool recognises(const char *sign, const char *text)
{
    const char *const signs[] = {sign, NULL};
    const ply_format format = {.signs = signs};
    return ply_format_recognises(&format, text, strlen(text));
}

static void test_patterns(void **state)
{
    (void)state;
    static const struct {
        const char *sign, *text;
        bool found;
    } cases[] = {
        {"abc", "xxabcxx", true},
        {"abc", "xxab", false},
        {"~ab", " \n ab", true},
        {"~ab", "xab", false},
        {"~ab", "\xEF\xBB\xBF ab", true},
        {"^ab", "x\nab", true},
        {"^ab", "xab", false},
        {"ab$", "ab\nx", true},
        {"ab$", "ab", true},
        {"ab$", "abx", false},
        {"ab$", "ab\r\n", true},
        {"#-##", "9-13", true},
        {"#-##", "9-a", false},
        {"@#", "h8", true},
        {"@#", "88", false},
        {"!(##)", "\xE6\xAD\xA9(77)", true},
        {"!(##)", "x(77)", false},
        {"%%$", "fF", true},
        {"%%$", "fg", false},
        {"[*:*:w]", "[k7/8:0:w]", true},
        {"[*:*:w]", "[k7/8 :0:w]", false},
        {"#. * / @", "1. e4 / e5", true},
        {"#. * / @", "1. e4 e5", false},
        {"", "", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (recognises(cases[i].sign, cases[i].text) != cases[i].found)
            fail_msg("%s in %s", cases[i].sign, cases[i].text);
}

/* Every format that can be read has signs, and none recognises these texts. */
static void test_formats(void **state)
{
    (void)state;
    static const char *const others[] = {
        "",
        "hello world\nthis is text\n",
        "[Event \"F/S\"]\n[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1/2-1/2\n",
        "1\n2\n3\n",
        "{\"a\": 1}",
        "<html><body>x</body></html>",
        "Dear Anna, 3 - 4 people came on 2020-05-06.\n",
    };
    size_t count = 0;
    for (size_t g = 0; g < ply_game_count(); g++) {
        const ply_format *format;
        for (size_t i = 0; (format = ply_format_at(ply_game_at(g), i)) != NULL; i++) {
            assert_int_equal(format->read != NULL, format->signs != NULL);
            count += format->read != NULL;
            for (size_t k = 0; k < sizeof others / sizeof others[0]; k++)
                if (ply_format_recognises(format, others[k], strlen(others[k])))
                    fail_msg("%s recognises: %s", format->id, others[k]);
        }
    }
    assert_true(count > 20);
}

/* No text takes much longer than another of its length. */
static void test_long_texts(void **state)
{
    (void)state;
    enum { LENGTH = 1 << 17 };
    static const char fills[] = "/[:9a(";
    char *text = malloc(LENGTH);
    assert_non_null(text);
    for (size_t f = 0; fills[f]; f++) {
        memset(text, fills[f], LENGTH);
        for (size_t g = 0; g < ply_game_count(); g++) {
            const ply_format *format;
            for (size_t i = 0; (format = ply_format_at(ply_game_at(g), i)) != NULL; i++)
                (void)ply_format_recognises(format, text, LENGTH);
        }
    }
    const char *const sign[] = {"^*/*/*/*/*/*/*/*/* b ", NULL};
    memset(text, '/', LENGTH);
    assert_false(ply_format_recognises(&(ply_format){.signs = sign}, text, LENGTH));
    free(text);
}

/* A format that recognises a text which nobody can read is found, for its error says what is wrong. */
static void test_unreadable(void **state)
{
    (void)state;
    ply_rules rules;
    test_make_rules(&rules, "shogi", NULL);
    const char *text = "V2.2\nPI\n+\n+7776FU\n-9999FU\n";
    const ply_format *format = ply_format_detect(&rules, text, strlen(text));
    assert_non_null(format);
    assert_string_equal(format->id, "csa");
    assert_null(ply_format_detect(&rules, "hello", 5));
    assert_null(ply_format_detect(&rules, NULL, 0));
    assert_false(ply_format_recognises(NULL, text, strlen(text)));
    assert_false(ply_format_recognises(format, NULL, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_patterns),
        cmocka_unit_test(test_formats),
        cmocka_unit_test(test_long_texts),
        cmocka_unit_test(test_unreadable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
