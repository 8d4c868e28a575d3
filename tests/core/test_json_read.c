/* SPDX-License-Identifier: MIT */
/* test_json_read.c - the JSON parser: values, escapes, and errors with their location. */
#include "core/text/json_read.h"
#include "support/support.h"
#include <string.h>

static void test_values(void **state)
{
    (void)state;
    static const char text[] = " {\"a\": [1, -2.5e1, true, false, null],\n"
                               "\"b\\u6b69\": \"x\\n\\\"\\ud83d\\udc34\", \"empty\": {}} rest";
    ply_cursor cursor = ply_cursor_make(text, strlen(text), NULL);
    json_tree tree;
    assert_int_equal(ply_json_tree_read(&tree, &cursor), PLY_OK);
    assert_string_equal(text + cursor.at, " rest");
    assert_int_equal(tree.nodes[1].type, JSON_OBJECT);
    uint32_t list = ply_json_tree_member(&tree, 1, "a");
    assert_int_equal(tree.nodes[list].type, JSON_ARRAY);
    static const json_type types[] = {JSON_NUMBER, JSON_NUMBER, JSON_TRUE, JSON_FALSE, JSON_NULL};
    uint32_t node = tree.nodes[list].child;
    uint64_t whole = 0;
    assert_true(ply_json_tree_whole(&tree, node, 1, &whole));
    assert_int_equal(whole, 1);
    assert_false(ply_json_tree_whole(&tree, node, 0, &whole));
    assert_true(tree.nodes[tree.nodes[node].next].number == -25);
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++, node = tree.nodes[node].next)
        assert_int_equal(tree.nodes[node].type, types[i]);
    assert_int_equal(node, 0);
    size_t length;
    uint32_t string = ply_json_tree_member(&tree, 1, "b\xE6\xAD\xA9");
    assert_string_equal(ply_json_tree_text(&tree, string, &length), "x\n\"\xF0\x9F\x90\xB4");
    assert_int_equal(length, 7);
    assert_int_equal(tree.nodes[string].line, 2);
    assert_int_equal(tree.nodes[ply_json_tree_member(&tree, 1, "empty")].child, 0);
    assert_int_equal(ply_json_tree_member(&tree, 1, "c"), 0);
    ply_json_tree_free(&tree);
}

static void test_errors(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t column;
        const char *words;
    } cases[] = {
        {"", 1, "expected a JSON value"},          {"[1,]", 4, "expected a JSON value"},
        {"[1 2]", 4, "expected ',' or ']'"},       {"{a:1}", 2, "expected a name in quotes"},
        {"{\"a\" 1}", 6, "expected ':'"},          {"\"abc", 5, "unterminated string"},
        {"\"\\x\"", 3, "invalid escape sequence"}, {"[\"\xD2\xD2\"]", 3, "not UTF-8"},
        {"\"\\ud83d\"", 3, "unpaired surrogate"},  {"\"\\u0000\"", 3, "invalid character code"},
        {"1e999", 1, "expected a JSON value"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ply_error error = {0};
        ply_cursor cursor = ply_cursor_make(cases[i].text, strlen(cases[i].text), &error);
        json_tree tree;
        assert_int_equal(ply_json_tree_read(&tree, &cursor), PLY_BAD_TEXT);
        if (error.column != cases[i].column || !strstr(error.message, cases[i].words))
            fail_msg("%s: column %u: %s", cases[i].text, error.column, error.message);
        ply_json_tree_free(&tree);
    }
    /* Nesting is limited, so that the parser cannot exhaust the stack. */
    static char deep[10000];
    memset(deep, '[', sizeof deep);
    ply_cursor cursor = ply_cursor_make(deep, sizeof deep, NULL);
    json_tree tree;
    assert_int_equal(ply_json_tree_read(&tree, &cursor), PLY_LIMIT);
    ply_json_tree_free(&tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
