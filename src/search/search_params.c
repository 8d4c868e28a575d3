/* SPDX-License-Identifier: MIT */
/* search_params.c - see search_params.h. */
#include "search/search_params.h"
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

bool ply_search_params_set(search_params *params, const char *name, int32_t value)
{
    for (size_t i = 0; i < sizeof infos / sizeof infos[0]; i++) {
        const param_info *info = &infos[i];
        if (strcmp(info->name, name) != 0)
            continue;
        if (value < info->low || value > info->high)
            return false;
        memcpy((char *)params + info->offset, &value, sizeof value);
        return true;
    }
    return false;
}
