/* SPDX-License-Identifier: MIT */
/* text.c - appending to a fixed or growing buffer; see text.h. */
#include <plyverse/text.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

ply_text ply_text_fixed(char *buffer, size_t capacity)
{
    if (!buffer)
        capacity = 0;
    if (capacity > 0)
        buffer[0] = '\0';
    return (ply_text){.data = buffer, .capacity = capacity};
}

ply_text ply_text_growing(void)
{
    return (ply_text){.grows = true};
}

void ply_text_free(ply_text *text)
{
    if (!text)
        return;
    if (text->grows)
        free(text->data);
    *text = (ply_text){.grows = text->grows};
}

void ply_text_clear(ply_text *text)
{
    if (!text)
        return;
    text->length = 0;
    text->failed = false;
    if (text->capacity > 0)
        text->data[0] = '\0';
}

/* Makes room for `more` bytes and the NUL if the buffer may grow. */
static void reserve(ply_text *text, size_t more)
{
    if (!text->grows || text->failed || text->length + more < text->capacity)
        return;
    size_t capacity = text->capacity < 64 ? 64 : text->capacity;
    while (capacity <= text->length + more)
        capacity *= 2;
    char *data = realloc(text->data, capacity);
    if (!data) {
        text->failed = true;
        return;
    }
    text->data = data;
    text->capacity = capacity;
}

void ply_text_bytes(ply_text *text, const char *bytes, size_t length)
{
    if (!text || !bytes)
        return;
    reserve(text, length);
    if (text->grows && text->failed)
        return; /* so that `length` bytes are always there */
    if (text->length + 1 < text->capacity) {
        size_t room = text->capacity - 1 - text->length;
        size_t kept = length < room ? length : room;
        memcpy(text->data + text->length, bytes, kept);
        text->data[text->length + kept] = '\0';
    }
    text->length += length;
}

void ply_text_char(ply_text *text, char c)
{
    ply_text_bytes(text, &c, 1);
}

void ply_text_string(ply_text *text, const char *string)
{
    if (!string)
        return;
    ply_text_bytes(text, string, strlen(string));
}

void ply_text_format(ply_text *text, const char *format, ...)
{
    if (!text)
        return;
    char small[256];
    va_list arguments;
    va_start(arguments, format);
    int needed = vsnprintf(small, sizeof small, format, arguments);
    va_end(arguments);
    if (needed < 0)
        return;
    if ((size_t)needed < sizeof small) {
        ply_text_bytes(text, small, (size_t)needed);
        return;
    }
    char *large = malloc((size_t)needed + 1);
    if (!large) {
        text->failed = true;
        return;
    }
    va_start(arguments, format);
    vsnprintf(large, (size_t)needed + 1, format, arguments);
    va_end(arguments);
    ply_text_bytes(text, large, (size_t)needed);
    free(large);
}

const char *ply_text_cstr(const ply_text *text)
{
    return text && text->capacity > 0 ? text->data : "";
}

bool ply_text_complete(const ply_text *text)
{
    return text && !text->failed && (text->length < text->capacity || text->length == 0);
}
