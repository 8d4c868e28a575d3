/* SPDX-License-Identifier: MIT */
/* status.c - names and descriptions of status codes; errors without a location. */
#include "core/text/printable.h"
#include <plyverse/plyverse.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static const struct {
    const char *name, *text;
} status_names[] = {
#define XX(name, text) {#name, text},
    PLY_STATUS_MAP(XX)
#undef XX
};

const char *ply_status_name(ply_status status)
{
    return (unsigned)status < PLY_STATUS_COUNT ? status_names[status].name : "?";
}

const char *ply_status_text(ply_status status)
{
    return (unsigned)status < PLY_STATUS_COUNT ? status_names[status].text : "?";
}

ply_status(ply_error_set)(ply_error *error, ply_status status, const char *format, ...)
{
    if (error) {
        *error = (ply_error){.status = status};
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(error->message, sizeof error->message, format, arguments);
        va_end(arguments);
        ply_mask_controls(error->message, strlen(error->message), "");
    }
    return status;
}

const char *ply_version(void)
{
    return PLYVERSE_VERSION;
}

void ply_free(void *memory)
{
    free(memory);
}
