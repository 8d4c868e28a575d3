/* SPDX-License-Identifier: MIT */
/*
 * json_read.h - parsing JSON into a tree.
 *
 * Nodes refer to each other by index; index 0 means none. Every node keeps its location in the
 * text, so that errors found later can point to it. Numbers are held as doubles.
 */
#ifndef PLY_CORE_TEXT_JSON_READ_H
#define PLY_CORE_TEXT_JSON_READ_H

#include <plyverse/text.h>

typedef enum json_type {
    JSON_NULL,
    JSON_FALSE,
    JSON_TRUE,
    JSON_NUMBER,
    JSON_STRING,
    JSON_ARRAY,
    JSON_OBJECT,
} json_type;

typedef struct json_node {
    json_type type;
    uint32_t child;           /* the first element of an array or object */
    uint32_t next;            /* the next element of the same array or object */
    size_t name, name_length; /* of an object's member, in json_tree.strings */
    size_t text, length;      /* of a string, in json_tree.strings */
    double number;
    uint32_t line, column;
    size_t offset;
} json_node;

typedef struct json_tree {
    json_node *nodes;
    size_t count, capacity;
    ply_text strings;
} json_tree;

/* Parses one value; its node is number 1. Call ply_json_tree_free even after a failure. */
ply_status ply_json_tree_read(json_tree *tree, ply_cursor *cursor);
void ply_json_tree_free(json_tree *tree);
/* The member of that name, or 0; also 0 when `object` is not an object. */
uint32_t ply_json_tree_member(const json_tree *tree, uint32_t object, const char *name);
/* The bytes of a string, NUL-terminated; "" for any other node. */
const char *ply_json_tree_text(const json_tree *tree, uint32_t node, size_t *length);
/* Reads an integer from 0 to limit. Returns false for anything else. */
bool ply_json_tree_whole(const json_tree *tree, uint32_t node, uint64_t limit, uint64_t *value);
/* Like ply_cursor_fail, but with the location of a node. */
ply_status ply_json_tree_fail(const json_tree *tree, uint32_t node, ply_cursor *cursor,
                              ply_status status, const char *message);

#endif
