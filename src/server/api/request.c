/* SPDX-License-Identifier: MIT */
/* request.c - parsing targets and bodies, writing errors; see request.h. */
#include "server/api/request.h"
#include "core/text/json_write.h"
#include "core/text/printable.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* --- responses -------------------------------------------------------------------------------- */
static void write_error(response *answer, int status, const char *code, const char *field,
                        const char *message, uint32_t line, uint32_t column)
{
    ply_text *out = response_json(answer, status);
    ply_json_open(out, '{');
    ply_json_name(out, "error");
    ply_json_open(out, '{');
    ply_json_member_string(out, "code", code);
    ply_json_member_string(out, "message", message);
    if (field)
        ply_json_member_string(out, "field", field);
    if (line > 0) {
        ply_json_member_unsigned(out, "line", line);
        ply_json_member_unsigned(out, "column", column);
    }
    ply_json_close(out, '}');
    ply_json_close(out, '}');
}

bool response_fail(response *answer, int status, const char *code, const char *field,
                   const char *format, ...)
{
    char message[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    ply_mask_controls(message, strlen(message), "");
    write_error(answer, status, code, field, message, 0, 0);
    return false;
}

bool response_fail_error(response *answer, int status, const char *field, const ply_error *error)
{
    static const char *const codes[PLY_STATUS_COUNT] = {
        [PLY_BAD_TEXT] = "bad-text",
        [PLY_BAD_POSITION] = "bad-position",
        [PLY_ILLEGAL_MOVE] = "illegal-move",
        [PLY_UNKNOWN_GAME] = "unknown-game",
        [PLY_UNKNOWN_VARIANT] = "unknown-variant",
        [PLY_BAD_OPTION] = "bad-option",
        [PLY_UNSUPPORTED] = "unsupported",
        [PLY_LIMIT] = "limit",
        [PLY_IO] = "io",
    };
    if (error->status == PLY_NO_MEMORY)
        return response_no_memory(answer);
    const char *code = error->status < PLY_STATUS_COUNT ? codes[error->status] : NULL;
    write_error(answer, status, code ? code : "refused", field,
                error->message[0] ? error->message : ply_status_text(error->status), error->line,
                error->column ? error->column : 1);
    return false;
}

bool response_no_memory(response *answer)
{
    return response_fail(answer, 429, "no-memory", NULL, "out of memory; try again later");
}

ply_text *response_json(response *answer, int status)
{
    bool needs_sync = answer->needs_sync;
    response_free(answer);
    *answer = (response){.status = status,
                         .content_type = "application/json; charset=utf-8",
                         .body = ply_text_growing(),
                         .needs_sync = needs_sync};
    return &answer->body;
}

/* --- targets ---------------------------------------------------------------------------------- */
static int hex_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Whether the text is UTF-8, without overlong forms or surrogates, and has no control characters
 * but white space. */
static bool is_clean_text(const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    while (*s) {
        uint32_t c = *s++;
        int more = c < 0x80 ? 0 : c >> 5 == 6 ? 1 : c >> 4 == 14 ? 2 : c >> 3 == 30 ? 3 : -1;
        if (more < 0 || (c < 0x20 && c != '\n' && c != '\r' && c != '\t') || c == 0x7F)
            return false;
        c &= more ? 0x3Fu >> more : 0x7Fu;
        static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
        for (int i = 0; i < more; i++) {
            if ((*s & 0xC0) != 0x80)
                return false;
            c = c << 6 | (*s++ & 0x3F);
        }
        if (c < least[more] || c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF))
            return false;
    }
    return true;
}

/*
 * Decodes percent escapes up to one of the stop characters. *word gets the decoded text, which is
 * written to *room, and *room advances past its NUL. Returns the position of the stop character in
 * the target, or NULL when the text is malformed.
 */
static const char *decode(const char *from, const char *stops, bool plus_is_space, char **room,
                          const char **word)
{
    char *to = *room;
    *word = to;
    for (; *from && !strchr(stops, *from); from++) {
        char c = *from;
        if (c == '%') {
            int high = hex_value(from[1]), low = high < 0 ? -1 : hex_value(from[2]);
            if (low < 0 || high * 16 + low == 0)
                return NULL;
            c = (char)(high * 16 + low);
            from += 2;
        } else if (c == '+' && plus_is_space) {
            c = ' ';
        }
        *to++ = c;
    }
    *to++ = '\0';
    *room = to;
    return is_clean_text(*word) ? from : NULL;
}

static bool read_query(request *r, const char *at, char **room, response *answer)
{
    while (*at) {
        request_parameter *p = &r->parameters[r->parameter_count];
        if (r->parameter_count == REQUEST_PARAMETER_LIMIT)
            return response_fail(answer, 400, "bad-target", NULL, "too many parameters");
        at = decode(at, "=&", true, room, &p->name);
        p->value = "";
        if (at && *at == '=')
            at = decode(at + 1, "&", true, room, &p->value);
        if (!at)
            return response_fail(answer, 400, "bad-target", NULL, "malformed query");
        if (*at == '&')
            at++;
        if (p->name[0] == '\0')
            continue;
        for (size_t i = 0; i < r->parameter_count; i++)
            if (strcmp(r->parameters[i].name, p->name) == 0)
                return response_fail(answer, 400, "bad-parameter", p->name, "%s is given twice",
                                     p->name);
        r->parameter_count++;
    }
    return true;
}

bool request_parse(request *r, response *answer)
{
    r->segment_count = r->parameter_count = 0;
    if (strlen(r->target) > REQUEST_TARGET_LIMIT)
        return response_fail(answer, 400, "bad-target", NULL, "the address is too long");
    if (r->target[0] != '/')
        return response_fail(answer, 400, "bad-target", NULL, "the path must begin with /");
    char *room = r->text;
    const char *at = r->target;
    while (*at == '/') {
        if (r->segment_count == REQUEST_SEGMENT_LIMIT)
            return response_fail(answer, 404, "not-found", NULL, "no such path");
        at = decode(at + 1, "/?#", false, &room, &r->segments[r->segment_count]);
        if (!at)
            return response_fail(answer, 400, "bad-target", NULL, "malformed path");
        const char *word = r->segments[r->segment_count];
        if (strcmp(word, ".") == 0 || strcmp(word, "..") == 0 || strchr(word, '/'))
            return response_fail(answer, 400, "bad-target", NULL,
                                 "the path must not contain . or .. segments or an escaped /");
        /* An empty last segment names the folder itself. */
        if (word[0] || *at == '/')
            r->segment_count++;
    }
    if (*at == '?')
        return read_query(r, at + 1, &room, answer);
    return *at == '\0' || response_fail(answer, 400, "bad-target", NULL, "malformed path");
}

const char *request_parameter_value(const request *r, const char *name)
{
    for (size_t i = 0; i < r->parameter_count; i++)
        if (strcmp(r->parameters[i].name, name) == 0)
            return r->parameters[i].value;
    return NULL;
}

static bool is_in(const char *name, const char *const *names)
{
    for (; names && *names; names++)
        if (strcmp(*names, name) == 0)
            return true;
    return false;
}

bool request_check_parameters(const request *r, const char *const *names, response *answer)
{
    for (size_t i = 0; i < r->parameter_count; i++) {
        const char *name = r->parameters[i].name;
        if (strcmp(name, "token") != 0 && !is_in(name, names))
            return response_fail(answer, 400, "bad-parameter", name, "unknown parameter '%.80s'",
                                 name);
    }
    return true;
}

bool request_parse_decimal(const char *text, uint64_t limit, uint64_t *value)
{
    ply_cursor cursor = ply_cursor_make(text, strlen(text), NULL);
    return (text[0] != '0' || text[1] == '\0') && ply_cursor_number(&cursor, limit, value) &&
           ply_cursor_done(&cursor);
}

bool request_number(const request *r, const char *name, uint64_t low, uint64_t high,
                    uint64_t default_value, uint64_t *value, response *answer)
{
    const char *text = request_parameter_value(r, name);
    *value = default_value;
    if (!text || (request_parse_decimal(text, high, value) && *value >= low))
        return true;
    return response_fail(answer, 400, "bad-parameter", name,
                         "%s must be a whole number from %llu to %llu", name,
                         (unsigned long long)low, (unsigned long long)high);
}

bool request_bool(const request *r, const char *name, bool *value, response *answer)
{
    const char *text = request_parameter_value(r, name);
    *value = text && strcmp(text, "true") == 0;
    if (!text || *value || strcmp(text, "false") == 0)
        return true;
    return response_fail(answer, 400, "bad-parameter", name, "%s must be true or false", name);
}

/* --- JSON bodies ------------------------------------------------------------------------------ */
static bool is_json_type(const char *type)
{
    static const char wanted[] = "application/json";
    size_t length = sizeof wanted - 1;
    return type && strncasecmp(type, wanted, length) == 0 &&
           (type[length] == '\0' || type[length] == ';' || type[length] == ' ');
}

json_t *body_parse(const request *r, const char *const *names, response *answer)
{
    json_error_t error;
    if (r->body_too_large) {
        response_fail(answer, 413, "too-large", NULL, "the body is larger than %d bytes",
                      REQUEST_BODY_LIMIT);
        return NULL;
    }
    if (!is_json_type(r->content_type)) {
        response_fail(answer, 415, "bad-type", NULL, "the body must be application/json");
        return NULL;
    }
    json_t *root =
        json_loadb(r->body ? r->body : "", r->body_length, JSON_REJECT_DUPLICATES, &error);
    if (!root && !error.text[0]) { /* nothing is wrong with the text */
        response_no_memory(answer);
        return NULL;
    }
    if (!root) {
        write_error(answer, 400, "bad-json", NULL, error.text,
                    error.line > 0 ? (uint32_t)error.line : 1,
                    error.column > 0 ? (uint32_t)error.column : 1);
        return NULL;
    }
    if (!json_is_object(root)) {
        response_fail(answer, 400, "bad-json", NULL, "the body must be a JSON object");
        json_decref(root);
        return NULL;
    }
    if (!body_check_members(root, "the body", names, answer)) {
        json_decref(root);
        return NULL;
    }
    return root;
}

bool body_check_members(json_t *object, const char *where, const char *const *names,
                        response *answer)
{
    const char *name;
    json_t *value;
    json_object_foreach(object, name, value)
    {
        (void)value;
        if (!is_in(name, names))
            return response_fail(answer, 400, "bad-member", NULL, "%s has no member '%.80s'", where,
                                 name);
    }
    return true;
}

/* Whether a member is missing; *good says whether it may be. */
static bool is_missing(json_t *member, const char *name, bool required, bool *good,
                       response *answer)
{
    *good = true;
    if (member)
        return false;
    if (required)
        *good = response_fail(answer, 400, "missing", name, "%s is required", name);
    return true;
}

bool body_string(json_t *object, const char *name, bool required, size_t limit, const char **value,
                 response *answer)
{
    json_t *member = json_object_get(object, name);
    bool good;
    if (is_missing(member, name, required, &good, answer))
        return good;
    if (!json_is_string(member))
        return response_fail(answer, 400, "bad-member", name, "%s must be a string", name);
    if (json_string_length(member) > limit)
        return response_fail(answer, 413, "too-large", name, "%s is longer than %zu bytes", name,
                             limit);
    *value = json_string_value(member);
    return true;
}

bool body_number(json_t *object, const char *name, bool required, int64_t low, int64_t high,
                 int64_t *value, response *answer)
{
    json_t *member = json_object_get(object, name);
    bool good;
    if (is_missing(member, name, required, &good, answer))
        return good;
    if (!json_is_integer(member) || json_integer_value(member) < low ||
        json_integer_value(member) > high)
        return response_fail(answer, 400, "bad-member", name,
                             "%s must be a whole number from %lld to %lld", name, (long long)low,
                             (long long)high);
    *value = json_integer_value(member);
    return true;
}

bool body_bool(json_t *object, const char *name, bool *value, response *answer)
{
    json_t *member = json_object_get(object, name);
    if (!member)
        return true;
    if (!json_is_boolean(member))
        return response_fail(answer, 400, "bad-member", name, "%s must be true or false", name);
    *value = json_is_true(member);
    return true;
}

void response_free(response *answer)
{
    ply_text_free(&answer->body);
    job_release(answer->job);
    *answer = (response){0};
}
