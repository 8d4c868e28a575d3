/* SPDX-License-Identifier: MIT */
/*
 * request.h - a request and its response, independent of the network.
 *
 * The caller (net/http.c, a test, a fuzzer) fills in a request once it has received all of it. A
 * response is everything to send back, or a job (job.h) that will produce it. The strings of a
 * request belong to the caller and must outlive it.
 */
#ifndef PLY_SERVER_API_REQUEST_H
#define PLY_SERVER_API_REQUEST_H

#include "server/jobs/job.h"
#include <jansson.h>
#include <plyverse/plyverse.h>

enum {
    REQUEST_TARGET_LIMIT = 8192, /* bytes of path and query */
    REQUEST_BODY_LIMIT = 4 << 20,
    REQUEST_SEGMENT_LIMIT = 8,
    REQUEST_PARAMETER_LIMIT = 24,
};

typedef struct request_parameter {
    const char *name, *value;
} request_parameter;

typedef struct request {
    /* Set by the caller. A header that was not sent is NULL. */
    const char *method, *target;
    const char *host, *origin, *fetch_site, *authorization, *cookie, *content_type, *if_none_match;
    const char *body; /* may be NULL when body_length is 0 */
    size_t body_length;
    bool body_too_large; /* longer than REQUEST_BODY_LIMIT; body is not the whole of it */
    /* Set by request_parse. */
    const char *segments[REQUEST_SEGMENT_LIMIT]; /* of the path: "api", "games", "7" */
    size_t segment_count;
    request_parameter parameters[REQUEST_PARAMETER_LIMIT];
    size_t parameter_count;
    /* The decoded target; segments and parameters point into it. */
    char text[REQUEST_TARGET_LIMIT + REQUEST_PARAMETER_LIMIT + REQUEST_SEGMENT_LIMIT];
} request;

/* A response that is all zero is empty; response_free returns it to that. */
typedef struct response {
    int status;
    const char *content_type;
    ply_text body;     /* owned */
    const void *fixed; /* instead of body: bytes that live for ever */
    size_t fixed_length;
    char etag[24];         /* "" for none */
    char disposition[160]; /* "" for none */
    char location[64];     /* "" for none */
    bool set_token;        /* send the token as a cookie */
    bool may_cache;
    /* The response acknowledges a change of the library: it must not be sent before store_sync. Set
     * by the handler; the response_ functions keep it. */
    bool needs_sync;
    job *job; /* instead of body: the job that will produce it; owned */
} response;

/* --- reading the target ----------------------------------------------------------------------- */
/* Splits and decodes the target. False, with a 400 or 404 in *answer, when it is malformed. */
bool request_parse(request *r, response *answer);
/* The value of a parameter, or NULL. */
const char *request_parameter_value(const request *r, const char *name);
/* False, with a 400, if the request has a parameter other than `token` and the names (NULL at the
 * end; NULL for none). */
bool request_check_parameters(const request *r, const char *const *names, response *answer);
/* A whole number from low to high; default_value if it is not given. False, with a 400, when it is
 * malformed or out of range. */
bool request_number(const request *r, const char *name, uint64_t low, uint64_t high,
                    uint64_t default_value, uint64_t *value, response *answer);
/* true or false; false if it is not given. Returns false, with a 400, when it is malformed. */
bool request_bool(const request *r, const char *name, bool *value, response *answer);
/* Parses a decimal number without sign or leading zeros; false when text is not one or is above
 * limit. */
bool request_parse_decimal(const char *text, uint64_t limit, uint64_t *value);

/* --- responses -------------------------------------------------------------------------------- */
/* Replaces the response by an error. field (may be NULL) names the member or parameter at fault.
 * Returns false. */
bool response_fail(response *answer, int status, const char *code, const char *field,
                   const char *format, ...) PLY_PRINTF(5, 6);
/* The same for an error of the game library, with its location. */
bool response_fail_error(response *answer, int status, const char *field, const ply_error *error);
bool response_no_memory(response *answer);
/* Replaces the response by an empty JSON body, which the caller fills. */
ply_text *response_json(response *answer, int status);
void response_free(response *answer);

/* --- JSON bodies ------------------------------------------------------------------------------ */
/* Parses the body as an object with no members but the names (NULL at the end). NULL, with a 400,
 * 413 or 415, when it is not one. The caller calls json_decref. */
json_t *body_parse(const request *r, const char *const *names, response *answer);
/* False, with a 400, if the object has other members. `where` names the object in the message. */
bool body_check_members(json_t *object, const char *where, const char *const *names,
                        response *answer);
/*
 * Members of an object. A member that is not required and not there leaves *value alone. False,
 * with a 400 or 413, when the member is missing or not as it should be. Strings live as long as the
 * object.
 */
bool body_string(json_t *object, const char *name, bool required, size_t limit, const char **value,
                 response *answer);
bool body_number(json_t *object, const char *name, bool required, int64_t low, int64_t high,
                 int64_t *value, response *answer);
bool body_bool(json_t *object, const char *name, bool *value, response *answer);

#endif
