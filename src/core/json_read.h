/* SPDX-License-Identifier: MIT */
/*
 * json_read.h - reading JSON into a tree, for the one record format that is JSON.
 *
 * Nodes name each other by index; index 0 means none. Every node knows its place in the text, so
 * that a fault in meaning can be shown where it stands.
 */
#ifndef PLY_CORE_JSON_READ_H
#define PLY_CORE_JSON_READ_H

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
    uint32_t child, next;     /* of arrays and objects; of those inside them */
    size_t name, name_length; /* of a member, in json_tree.strings */
    size_t text, length;      /* of a string */
    double number;
    uint32_t line, column;
    size_t offset;
} json_node;

typedef struct json_tree {
    json_node *nodes;
    size_t count, capacity;
    ply_text strings;
} json_tree;

/* Reads one value. The root is node 1. Give the tree back with ply_json_tree_free in any case. */
ply_status ply_json_tree_read(json_tree *tree, ply_cursor *cursor);
void ply_json_tree_free(json_tree *tree);
/* The member of an object, or 0. */
uint32_t ply_json_tree_member(const json_tree *tree, uint32_t object, const char *name);
/* A string's bytes; "" for any other node. */
const char *ply_json_tree_text(const json_tree *tree, uint32_t node, size_t *length);
/* A whole number from 0 to limit; false for anything else. */
bool ply_json_tree_whole(const json_tree *tree, uint32_t node, uint64_t limit, uint64_t *value);
/* Fails at the place of a node. */
ply_status ply_json_tree_fail(const json_tree *tree, uint32_t node, ply_cursor *cursor,
                              ply_status status, const char *message);

#endif
