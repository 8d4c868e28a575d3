/* SPDX-License-Identifier: MIT */
/* search_params.c - see search_params.h. */
#include "search/alphabeta/search_params.h"
#include <plyverse/search.h>
#include <stddef.h>
#include <string.h>

#define X(name, value, low, high) .name = (value),
const search_params ply_search_params_default = {SEARCH_PARAMS(X)};
#undef X

typedef struct param_info {
    const char *name;
    size_t offset;
    int32_t low, high;
} param_info;

#define X(name, value, low, high) {#name, offsetof(search_params, name), low, high},
static const param_info infos[] = {SEARCH_PARAMS(X)};
#undef X

/* Reads one name=value. */
static ply_status parse_setting(search_params *params, ply_cursor *cursor)
{
    const param_info *info = infos, *end = infos + sizeof infos / sizeof infos[0];
    ply_cursor at_name = *cursor;
    for (; info < end; info++) {
        *cursor = at_name;
        if (ply_cursor_accept_word(cursor, info->name) && ply_cursor_accept(cursor, '='))
            break;
    }
    if (info == end)
        return ply_cursor_fail(&at_name, PLY_BAD_OPTION, "no such search parameter");
    ply_cursor at_value = *cursor;
    uint64_t value;
    if (!ply_cursor_number(cursor, (uint64_t)info->high, &value) || value < (uint64_t)info->low)
        return ply_cursor_fail(&at_value, PLY_BAD_OPTION, "%s must be a number from %d to %d",
                               info->name, info->low, info->high);
    int32_t number = (int32_t)value;
    memcpy((char *)params + info->offset, &number, sizeof number);
    return PLY_OK;
}

ply_status ply_search_params_parse(search_params *params, const char *text, ply_error *error)
{
    ply_status status = PLY_OK;
    if (!text || !*text)
        return PLY_OK;
    ply_cursor cursor = ply_cursor_make(text, strlen(text), error);
    do
        status = parse_setting(params, &cursor);
    while (status == PLY_OK && ply_cursor_accept(&cursor, ','));
    if (status == PLY_OK && !ply_cursor_done(&cursor))
        status = ply_cursor_fail(&cursor, PLY_BAD_OPTION, "expected a comma");
    return status;
}

ply_status ply_search_parameters_check(const char *text, ply_error *error)
{
    search_params params = ply_search_params_default;
    return ply_search_params_parse(&params, text, error);
}
