/* SPDX-License-Identifier: MIT */
/* json_read.c - a recursive-descent JSON parser; see json_read.h. */
#include "core/text/json_read.h"
#include "core/text/utf8.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_LIMIT = 2000 };

static ply_status read_value(json_tree *tree, ply_cursor *c, uint32_t *node, int depth);

static ply_status add_node(json_tree *tree, const ply_cursor *c, json_type type, uint32_t *node)
{
    if (tree->count == tree->capacity) {
        size_t capacity = tree->capacity ? tree->capacity * 2 : 64;
        json_node *nodes = realloc(tree->nodes, capacity * sizeof *nodes);
        if (!nodes || capacity > UINT32_MAX / 2) {
            tree->nodes = nodes ? nodes : tree->nodes;
            return PLY_NO_MEMORY;
        }
        tree->nodes = nodes;
        tree->capacity = capacity;
    }
    *node = (uint32_t)tree->count++;
    tree->nodes[*node] =
        (json_node){.type = type, .line = c->line, .column = c->column, .offset = c->at};
    return PLY_OK;
}

static bool read_hex(ply_cursor *c, uint32_t *code)
{
    *code = 0;
    for (int i = 0; i < 4; i++) {
        int ch = ply_cursor_take(c);
        int digit = ch >= '0' && ch <= '9'   ? ch - '0'
                    : ch >= 'a' && ch <= 'f' ? ch - 'a' + 10
                    : ch >= 'A' && ch <= 'F' ? ch - 'A' + 10
                                             : -1;
        if (digit < 0)
            return false;
        *code = *code * 16 + (uint32_t)digit;
    }
    return true;
}

static ply_status read_escape(json_tree *tree, ply_cursor *c)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    ply_cursor at = *c;
    int ch = ply_cursor_take(c);
    const char *found = ch > 0 ? strchr(from, ch) : NULL;
    if (found) {
        ply_text_char(&tree->strings, to[found - from]);
        return PLY_OK;
    }
    uint32_t code, low;
    if (ch != 'u' || !read_hex(c, &code))
        return ply_cursor_fail(&at, PLY_BAD_TEXT, "invalid escape sequence");
    if (code >= 0xD800 && code < 0xDC00) {
        if (!ply_cursor_accept_word(c, "\\u") || !read_hex(c, &low) || low < 0xDC00 || low > 0xDFFF)
            return ply_cursor_fail(&at, PLY_BAD_TEXT, "unpaired surrogate");
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    } else if (code == 0 || (code >= 0xDC00 && code < 0xE000)) {
        return ply_cursor_fail(&at, PLY_BAD_TEXT, "invalid character code");
    }
    ply_utf8_append(&tree->strings, code);
    return PLY_OK;
}

/* Reads a string after its opening quote; *at and *length locate it in tree->strings. */
static ply_status read_string(json_tree *tree, ply_cursor *c, size_t *at, size_t *length)
{
    ply_cursor start = *c;
    *at = tree->strings.length;
    for (;;) {
        ply_cursor here = *c;
        int ch = ply_cursor_take(c);
        if (ch == '"')
            break;
        if (ch < 0x20)
            return ply_cursor_fail(&here, PLY_BAD_TEXT, "unterminated string");
        if (ch == '\\') {
            ply_status status = read_escape(tree, c);
            if (status != PLY_OK)
                return status;
        } else {
            ply_text_char(&tree->strings, (char)ch);
        }
    }
    *length = tree->strings.length - *at;
    ply_text_char(&tree->strings, '\0');
    if (tree->strings.failed)
        return PLY_NO_MEMORY;
    return ply_utf8_is_valid(tree->strings.data + *at, *length)
               ? PLY_OK
               : ply_cursor_fail(&start, PLY_BAD_TEXT, "the string is not UTF-8");
}

static ply_status read_number(json_tree *tree, ply_cursor *c, uint32_t node)
{
    char text[40];
    size_t length = 0;
    ply_cursor at = *c;
    int ch;
    while ((ch = ply_cursor_peek(c)) > 0 && strchr("+-.0123456789eE", ch)) {
        if (length + 1 == sizeof text)
            return ply_cursor_fail(&at, PLY_BAD_TEXT, "number too long");
        text[length++] = (char)ply_cursor_take(c);
    }
    text[length] = '\0';
    char *end = text;
    tree->nodes[node].number = strtod(text, &end);
    if (length == 0 || *end || !isfinite(tree->nodes[node].number))
        return ply_cursor_fail(&at, PLY_BAD_TEXT, "expected a JSON value");
    return PLY_OK;
}

/* Reads the elements of an array or the members of an object, after the opening bracket. */
static ply_status read_elements(json_tree *tree, ply_cursor *c, uint32_t node, int depth)
{
    bool object = tree->nodes[node].type == JSON_OBJECT;
    char close = object ? '}' : ']';
    uint32_t last = 0;
    ply_cursor_skip_space(c);
    if (ply_cursor_accept(c, close))
        return PLY_OK;
    for (;;) {
        size_t name = 0, name_length = 0;
        uint32_t child = 0;
        ply_cursor_skip_space(c);
        ply_status status = PLY_OK;
        if (object) {
            if (!ply_cursor_accept(c, '"'))
                return ply_cursor_fail(c, PLY_BAD_TEXT, "expected a name in quotes");
            status = read_string(tree, c, &name, &name_length);
            ply_cursor_skip_space(c);
            if (status == PLY_OK && !ply_cursor_accept(c, ':'))
                return ply_cursor_fail(c, PLY_BAD_TEXT, "expected ':' after the name");
        }
        if (status == PLY_OK)
            status = read_value(tree, c, &child, depth + 1);
        if (status != PLY_OK)
            return status;
        tree->nodes[child].name = name;
        tree->nodes[child].name_length = name_length;
        if (last)
            tree->nodes[last].next = child;
        else
            tree->nodes[node].child = child;
        last = child;
        ply_cursor_skip_space(c);
        if (ply_cursor_accept(c, close))
            return PLY_OK;
        if (!ply_cursor_accept(c, ','))
            return ply_cursor_fail(c, PLY_BAD_TEXT, "expected ',' or '%c'", close);
    }
}

static ply_status read_value(json_tree *tree, ply_cursor *c, uint32_t *node, int depth)
{
    static const struct {
        const char *word;
        json_type type;
    } words[] = {{"null", JSON_NULL}, {"true", JSON_TRUE}, {"false", JSON_FALSE}};
    ply_cursor_skip_space(c);
    if (depth > DEPTH_LIMIT)
        return ply_cursor_fail(c, PLY_LIMIT, "nesting deeper than %d levels", DEPTH_LIMIT);
    ply_cursor at = *c;
    if (ply_cursor_accept(c, '{') || ply_cursor_accept(c, '[')) {
        json_type type = at.text[at.at] == '{' ? JSON_OBJECT : JSON_ARRAY;
        ply_status status = add_node(tree, &at, type, node);
        return status == PLY_OK ? read_elements(tree, c, *node, depth) : status;
    }
    if (ply_cursor_accept(c, '"')) {
        ply_status status = add_node(tree, &at, JSON_STRING, node);
        size_t text = 0, length = 0;
        if (status == PLY_OK)
            status = read_string(tree, c, &text, &length);
        if (status == PLY_OK) {
            tree->nodes[*node].text = text;
            tree->nodes[*node].length = length;
        }
        return status;
    }
    for (size_t i = 0; i < 3; i++)
        if (ply_cursor_accept_word(c, words[i].word))
            return add_node(tree, &at, words[i].type, node);
    ply_status status = add_node(tree, &at, JSON_NUMBER, node);
    return status == PLY_OK ? read_number(tree, c, *node) : status;
}

ply_status ply_json_tree_read(json_tree *tree, ply_cursor *cursor)
{
    uint32_t node;
    *tree = (json_tree){.strings = ply_text_growing()};
    ply_status status = add_node(tree, cursor, JSON_NULL, &node); /* index 0 stands for none */
    if (status == PLY_OK)
        status = read_value(tree, cursor, &node, 0);
    if (status == PLY_NO_MEMORY)
        ply_cursor_fail(cursor, status, "out of memory");
    return status;
}

void ply_json_tree_free(json_tree *tree)
{
    free(tree->nodes);
    ply_text_free(&tree->strings);
    *tree = (json_tree){0};
}

uint32_t ply_json_tree_member(const json_tree *tree, uint32_t object, const char *name)
{
    size_t length = strlen(name);
    if (!object || tree->nodes[object].type != JSON_OBJECT)
        return 0;
    for (uint32_t n = tree->nodes[object].child; n; n = tree->nodes[n].next)
        if (tree->nodes[n].name_length == length &&
            memcmp(tree->strings.data + tree->nodes[n].name, name, length) == 0)
            return n;
    return 0;
}

const char *ply_json_tree_text(const json_tree *tree, uint32_t node, size_t *length)
{
    bool is_string = node && tree->nodes[node].type == JSON_STRING;
    *length = is_string ? tree->nodes[node].length : 0;
    return is_string ? tree->strings.data + tree->nodes[node].text : "";
}

bool ply_json_tree_whole(const json_tree *tree, uint32_t node, uint64_t limit, uint64_t *value)
{
    if (!node || tree->nodes[node].type != JSON_NUMBER)
        return false;
    double number = tree->nodes[node].number;
    if (!(number >= 0) || number > (double)limit || number != (double)(uint64_t)number)
        return false;
    *value = (uint64_t)number;
    return true;
}

ply_status ply_json_tree_fail(const json_tree *tree, uint32_t node, ply_cursor *cursor,
                              ply_status status, const char *message)
{
    ply_cursor at = *cursor;
    at.line = tree->nodes[node].line;
    at.column = tree->nodes[node].column;
    at.at = tree->nodes[node].offset;
    return ply_cursor_fail(&at, status, "%s", message);
}
