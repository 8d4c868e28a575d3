/* SPDX-License-Identifier: MIT */
/*
 * request.h - one request and its answer, without a network.
 *
 * A request is what a carrier (http.c, a test, a fuzzer) has received, all of it; a response is all
 * that is to go back, or a job (job.h) that will provide it. Strings of a request belong to the
 * carrier and live as long as the request.
 */
#ifndef PLY_SERVER_API_REQUEST_H
#define PLY_SERVER_API_REQUEST_H

#include <jansson.h>
#include <plyverse/plyverse.h>

enum {
    REQUEST_TARGET_LIMIT = 8192, /* bytes of path and query */
    REQUEST_BODY_LIMIT = 4 << 20,
    REQUEST_SEGMENTS = 8,
    REQUEST_PARAMETERS = 24,
};

typedef struct request_parameter {
    const char *name, *value;
} request_parameter;

typedef struct request {
    /* Set by the carrier; NULL where a header is not there. */
    const char *method, *target;
    const char *host, *origin, *fetch_site, *authorization, *cookie, *content_type, *if_none_match;
    const char *body; /* may be NULL when body_length is 0 */
    size_t body_length;
    bool body_too_large;
    /* Set by request_read. */
    const char *segments[REQUEST_SEGMENTS]; /* of the path: "api", "games", "7" */
    size_t segment_count;
    request_parameter parameters[REQUEST_PARAMETERS];
    size_t parameter_count;
    char
        text[REQUEST_TARGET_LIMIT + REQUEST_PARAMETERS + REQUEST_SEGMENTS]; /* what they point to */
} request;

struct job;

typedef struct response {
    int status;
    const char *content_type;
    ply_text body;     /* owned */
    const void *fixed; /* in place of body: bytes that live for ever */
    size_t fixed_length;
    char etag[24];         /* "" for none */
    char disposition[160]; /* "" for none */
    char location[64];     /* "" for none */
    bool set_token;        /* give the reader the token as a cookie */
    bool may_cache;
    struct job *job; /* in place of body: who will answer; owned */
} response;

/* Splits and decodes the target. False, with a 400 in *answer, when it does not read. */
bool request_read(request *r, response *answer);
/* The value of a parameter, or NULL. */
const char *request_parameter_value(const request *r, const char *name);
/* False, with a 400, when there is a parameter that is not in the list (NULL at its end). `token`
 * is always known. */
bool request_knows_only(const request *r, const char *const *names, response *answer);
/* A whole number; default_value where it is not given. False, with a 400, when it is none. */
bool request_number(const request *r, const char *name, uint64_t low, uint64_t high,
                    uint64_t default_value, uint64_t *value, response *answer);
bool request_bool(const request *r, const char *name, bool *value, response *answer);
/* A decimal number without sign or leading zeros; false when it is none or above limit. */
bool request_decimal(const char *text, uint64_t limit, uint64_t *value);

/* --- answers ---------------------------------------------------------------------------------- */
/* An answer that says what is wrong; whatever was in it before is gone. Returns false. field may
 * be NULL. */
bool response_fail(response *answer, int status, const char *code, const char *field,
                   const char *format, ...) PLY_PRINTF(5, 6);
/* The same for an error of the library, with its place. */
bool response_fail_error(response *answer, int status, const char *field, const ply_error *error);
bool response_no_memory(response *answer);
/* Begins a JSON answer in body. */
ply_text *response_json(response *answer, int status);
void response_free(response *answer);

/* --- bodies of JSON --------------------------------------------------------------------------- */
/* The body as an object, or NULL with 400, 413 or 415. names as for request_knows_only. */
json_t *body_object(const request *r, const char *const *names, response *answer);
/* False, with a 400, when the object has other members. where names it in the message. */
bool object_knows_only(json_t *object, const char *where, const char *const *names,
                       response *answer);
/*
 * Members of an object. *value is left alone where the member is not there; false, with a 400, when
 * it is not what it should be, or is missing and needed. Strings live as long as the object.
 */
bool object_string(json_t *object, const char *name, bool needed, size_t limit, const char **value,
                   response *answer);
bool object_number(json_t *object, const char *name, bool needed, int64_t low, int64_t high,
                   int64_t *value, response *answer);
bool object_bool(json_t *object, const char *name, bool *value, response *answer);

#endif
