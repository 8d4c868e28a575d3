/* SPDX-License-Identifier: MIT */
/* record.c - game records; see record.h. */
#include "core/text/utf8.h"
#include <plyverse/record.h>
#include <stdlib.h>
#include <string.h>

/* Everything written into a record is copied here. Formats that require UTF-8 could not read back
 * what they wrote if malformed bytes from another format were kept. */
static char *copy_text(const char *text, size_t length)
{
    ply_text out = ply_text_fixed(NULL, 0);
    ply_utf8_append_repaired(&out, text, length);
    size_t size = out.length + 1;
    char *copy = malloc(size);
    if (copy) {
        out = ply_text_fixed(copy, size);
        ply_utf8_append_repaired(&out, text, length);
    }
    return copy;
}

/* Whether a record has that node. A record that could not be made has none. */
static bool has_node(const ply_record *record, uint32_t node)
{
    return record && node < record->node_count;
}

/* Replaces *string by a copy of the text. */
static ply_status replace_text(char **string, const char *text, size_t length)
{
    char *copy = copy_text(text, length);
    if (!copy)
        return PLY_NO_MEMORY;
    free(*string);
    *string = copy;
    return PLY_OK;
}

ply_status ply_record_init(ply_record *record, const ply_rules *rules)
{
    if (!record)
        return PLY_BAD_ARGUMENT;
    *record = (ply_record){0};
    if (!rules)
        return PLY_BAD_ARGUMENT;
    if (!rules->game)
        return PLY_UNKNOWN_GAME;
    *record = (ply_record){.rules = *rules};
    record->nodes = calloc(1, sizeof *record->nodes);
    if (!record->nodes)
        return PLY_NO_MEMORY;
    record->nodes[0].millis = -1;
    record->node_count = record->node_capacity = 1;
    return PLY_OK;
}

void ply_record_free(ply_record *record)
{
    if (!record)
        return;
    for (size_t i = 0; i < record->tag_count; i++) {
        free(record->tags[i].name);
        free(record->tags[i].value);
    }
    for (size_t i = 0; i < record->node_count; i++) {
        free(record->nodes[i].comment);
        free(record->nodes[i].setup);
    }
    free(record->tags);
    free(record->nodes);
    free(record->start);
    free(record->ending);
    *record = (ply_record){0};
}

ply_status ply_record_clear(ply_record *record)
{
    if (!record)
        return PLY_BAD_ARGUMENT;
    ply_rules rules = record->rules;
    ply_record_free(record);
    return ply_record_init(record, &rules);
}

ply_status ply_record_set_start(ply_record *record, const char *text, size_t length)
{
    if (!record || !text)
        return PLY_BAD_ARGUMENT;
    return replace_text(&record->start, text, length);
}

/* Adds a tag, or replaces the one of the same name. The record owns the tag's strings if that
 * succeeds. */
static ply_status put_tag(ply_record *record, ply_record_tag tag)
{
    for (size_t i = 0; i < record->tag_count; i++)
        if (strcmp(record->tags[i].name, tag.name) == 0) {
            free(tag.name);
            free(record->tags[i].value);
            record->tags[i].value = tag.value;
            return PLY_OK;
        }
    ply_record_tag *tags = realloc(record->tags, (record->tag_count + 1) * sizeof *record->tags);
    if (!tags)
        return PLY_NO_MEMORY;
    record->tags = tags;
    record->tags[record->tag_count++] = tag;
    return PLY_OK;
}

ply_status ply_record_set_tag(ply_record *record, const char *name, size_t name_length,
                              const char *value, size_t value_length)
{
    if (!record || !name || !value)
        return PLY_BAD_ARGUMENT;
    ply_record_tag tag = {copy_text(name, name_length), copy_text(value, value_length)};
    ply_status status = tag.name && tag.value ? put_tag(record, tag) : PLY_NO_MEMORY;
    if (status != PLY_OK) {
        free(tag.name);
        free(tag.value);
    }
    return status;
}

const char *ply_record_tag_value(const ply_record *record, const char *name)
{
    if (!record || !name)
        return NULL;
    for (size_t i = 0; i < record->tag_count; i++)
        if (strcmp(record->tags[i].name, name) == 0)
            return record->tags[i].value;
    return NULL;
}

ply_status ply_record_add(ply_record *record, uint32_t parent, ply_move move, uint32_t *node)
{
    if (!has_node(record, parent) || !node)
        return PLY_BAD_ARGUMENT;
    if (record->node_count == record->node_capacity) {
        if (record->node_capacity > UINT32_MAX / 2)
            return PLY_LIMIT;
        size_t capacity = record->node_capacity * 2;
        ply_record_node *nodes = realloc(record->nodes, capacity * sizeof *nodes);
        if (!nodes)
            return PLY_NO_MEMORY;
        record->nodes = nodes;
        record->node_capacity = capacity;
    }
    uint32_t added = (uint32_t)record->node_count++;
    record->nodes[added] = (ply_record_node){.move = move, .parent = parent, .millis = -1};
    uint32_t *link = &record->nodes[parent].child;
    while (*link)
        link = &record->nodes[*link].sibling;
    *link = added;
    *node = added;
    return PLY_OK;
}

ply_status ply_record_add_setup(ply_record *record, uint32_t parent, const char *text,
                                size_t length, uint32_t *node)
{
    if (!has_node(record, parent) || !text || !node)
        return PLY_BAD_ARGUMENT;
    char *setup = copy_text(text, length);
    if (!setup)
        return PLY_NO_MEMORY;
    ply_status status = ply_record_add(record, parent, PLY_MOVE_NONE, node);
    if (status == PLY_OK)
        record->nodes[*node].setup = setup;
    else
        free(setup);
    return status;
}

static ply_status append_comment(ply_record *record, uint32_t node, char separator,
                                 const char *text, size_t length)
{
    if (!has_node(record, node) || !text)
        return PLY_BAD_ARGUMENT;
    char **comment = &record->nodes[node].comment;
    if (!*comment)
        return replace_text(comment, text, length);
    ply_text joined = ply_text_growing();
    ply_text_string(&joined, *comment);
    ply_text_char(&joined, separator);
    ply_text_bytes(&joined, text, length);
    ply_status status =
        joined.failed ? PLY_NO_MEMORY : replace_text(comment, joined.data, joined.length);
    ply_text_free(&joined);
    return status;
}

ply_status ply_record_add_comment(ply_record *record, uint32_t node, const char *text,
                                  size_t length)
{
    return append_comment(record, node, ' ', text, length);
}

ply_status ply_record_add_comment_line(ply_record *record, uint32_t node, const char *text,
                                       size_t length)
{
    return append_comment(record, node, '\n', text, length);
}

ply_status ply_record_add_nag(ply_record *record, uint32_t node, uint8_t nag)
{
    if (!has_node(record, node))
        return PLY_BAD_ARGUMENT;
    ply_record_node *n = &record->nodes[node];
    if (n->nag_count == PLY_NAG_LIMIT)
        return PLY_LIMIT;
    n->nags[n->nag_count++] = nag;
    return PLY_OK;
}

ply_status ply_record_set_ending(ply_record *record, ply_result result, const char *ending)
{
    if (!record)
        return PLY_BAD_ARGUMENT;
    record->result = result;
    if (ending)
        return replace_text(&record->ending, ending, strlen(ending));
    free(record->ending);
    record->ending = NULL;
    return PLY_OK;
}

ply_status ply_record_start_state(const ply_record *record, ply_state *state, ply_error *error)
{
    if (!record || !state)
        return ply_error_set(error, PLY_BAD_ARGUMENT, "no record or no state");
    ply_status status = ply_state_init(state, &record->rules);
    if (status != PLY_OK)
        return ply_error_set(error, status, "%s", ply_status_text(status));
    if (record->start)
        status = ply_state_parse(state, record->start, strlen(record->start), error);
    if (status != PLY_OK)
        ply_state_free(state);
    return status;
}

ply_status ply_record_enter(const ply_record *record, uint32_t node, ply_state *state,
                            ply_error *error)
{
    if (!has_node(record, node) || !state)
        return ply_error_set(error, PLY_BAD_ARGUMENT, "no such node, or no state");
    const ply_record_node *n = &record->nodes[node];
    if (n->setup)
        return ply_state_parse(state, n->setup, strlen(n->setup), error);
    ply_status status = ply_state_play(state, n->move);
    return status == PLY_OK ? status : ply_error_set(error, status, "%s", ply_status_text(status));
}

ply_status ply_record_state_at(const ply_record *record, uint32_t node, ply_state *state,
                               ply_error *error)
{
    if (!has_node(record, node) || !state)
        return ply_error_set(error, PLY_BAD_ARGUMENT, "no such node, or no state");
    size_t depth = 0;
    for (uint32_t n = node; n; n = record->nodes[n].parent)
        depth++;
    uint32_t *path = malloc((depth + 1) * sizeof *path);
    if (!path)
        return ply_error_set(error, PLY_NO_MEMORY, "%s", ply_status_text(PLY_NO_MEMORY));
    for (uint32_t n = node, i = (uint32_t)depth; n; n = record->nodes[n].parent)
        path[--i] = n;
    ply_status status = ply_record_start_state(record, state, error);
    bool started = status == PLY_OK;
    for (size_t i = 0; i < depth && status == PLY_OK; i++)
        status = ply_record_enter(record, path[i], state, error);
    if (started && status != PLY_OK)
        ply_state_free(state);
    free(path);
    return status;
}

ply_status ply_record_final_state(const ply_record *record, ply_state *state, ply_error *error)
{
    if (!has_node(record, 0) || !state)
        return ply_error_set(error, PLY_BAD_ARGUMENT, "no record or no state");
    uint32_t last = 0;
    while (record->nodes[last].child)
        last = record->nodes[last].child;
    return ply_record_state_at(record, last, state, error);
}
