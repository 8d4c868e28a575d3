/* SPDX-License-Identifier: MIT */
/*
 * fuzz_server.c - requests of every kind, against an empty library.
 *
 * The input is requests, parted by lines "---". A request is "METHOD TARGET" in the first line,
 * then lines "!Header: value" for headers that differ from a good request's, then the body; one
 * that begins with { goes as JSON. Thinking is cut short. No answer may be a 5xx, and what says it
 * is JSON must be.
 */
#include "fuzz/fuzz.h"
#include "server/api/app.h"
#include "server/jobs/job_internal.h"

enum { REQUESTS = 12, HEADERS = 8 };

static void check_json(const char *text, size_t length)
{
    json_t *value = json_loadb(text, length, JSON_DECODE_ANY, NULL);
    FUZZ_CHECK(value);
    json_decref(value);
}

/* Events: every line of data is JSON. */
static void check_stream(const char *text)
{
    for (const char *at = text; (at = strstr(at, "data: ")) != NULL;) {
        at += 6;
        check_json(at, strcspn(at, "\n"));
    }
}

static void check_answer(const response *answer)
{
    FUZZ_CHECK(answer->status >= 200 && answer->status < 500);
    if (answer->content_type && strncmp(answer->content_type, "application/json", 16) == 0 &&
        !answer->fixed && answer->status != 204)
        check_json(ply_text_cstr(&answer->body), answer->body.length);
    FUZZ_CHECK(!strchr(answer->disposition, '\n') && !strchr(answer->location, '\n'));
}

static void finish_job(job *j)
{
    ply_search_limits *limits = &j->order.limits;
    limits->depth = 2;
    limits->nodes = 200;
    limits->millis = 50;
    limits->has_clock = false;
    if (limits->multipv > 3)
        limits->multipv = 3;
    j->order.player.nodes = 200;
    j->order.player.depth = 2;
    if (j->order.graph_nodes > 50)
        j->order.graph_nodes = 50;
    job_run(j);
    if (job_streams(j)) {
        ply_text all = ply_text_growing();
        char buffer[512];
        ssize_t got;
        while ((got = job_read(j, buffer, sizeof buffer)) > 0)
            ply_text_bytes(&all, buffer, (size_t)got);
        FUZZ_CHECK(got == -1);
        check_stream(ply_text_cstr(&all));
        ply_text_free(&all);
    } else {
        response answer = {0};
        job_answer(j, &answer);
        check_answer(&answer);
        response_free(&answer);
    }
    job_drop(j);
}

/* Takes the line at *at off a NUL-terminated text. */
static char *take_line(char **at)
{
    char *line = *at, *end = strchr(line, '\n');
    if (end)
        *end = '\0';
    *at = end ? end + 1 : line + strlen(line);
    return line;
}

static void set_header(request *r, char *line)
{
    const struct {
        const char *name;
        const char **slot;
    } headers[HEADERS] = {{"Host", &r->host},
                          {"Origin", &r->origin},
                          {"Sec-Fetch-Site", &r->fetch_site},
                          {"Authorization", &r->authorization},
                          {"Cookie", &r->cookie},
                          {"Content-Type", &r->content_type},
                          {"If-None-Match", &r->if_none_match},
                          {"X", &(const char *){NULL}}};
    char *colon = strchr(line, ':');
    if (!colon)
        return;
    *colon = '\0';
    for (int i = 0; i < HEADERS; i++)
        if (strcmp(line, headers[i].name) == 0)
            *headers[i].slot = colon + 1 + (colon[1] == ' ');
}

static void ask(app *a, char *text)
{
    static request r; /* large, and all of it is set below */
    response answer = {0};
    char *method = take_line(&text), *target = strchr(method, ' ');
    if (!target)
        return;
    *target++ = '\0';
    memset(&r, 0, sizeof r);
    r.method = method;
    r.target = target;
    r.host = "127.0.0.1:7590";
    r.fetch_site = "same-origin";
    while (text[0] == '!')
        set_header(&r, take_line(&text) + 1);
    r.body = text;
    r.body_length = strlen(text);
    if (!r.content_type)
        r.content_type = text[0] == '{' ? "application/json" : "application/octet-stream";
    app_answer(a, &r, &answer);
    if (answer.job) {
        job *j = answer.job;
        answer.job = NULL;
        finish_job(j);
    } else {
        check_answer(&answer);
    }
    response_free(&answer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static app a;
    static bool ready;
    if (!ready) {
        app_options options = {.path = ":memory:",
                               .tables = "no-such-folder",
                               .cores = 1,
                               .analyses = 4,
                               .memory_mb = 1};
        FUZZ_CHECK(app_open(&a, &options, NULL));
        library_close(a.library);
        a.guard = (guard){.port = 7590};
        ready = true;
    }
    /* The first byte says whether a token is wanted. */
    a.guard.token = size > 0 && data[0] == '?' ? "secret" : NULL;
    a.library = a.thinkers.library = library_open(":memory:", NULL);
    FUZZ_CHECK(a.library);
    char *text = malloc(size + 1);
    memcpy(text, data, size);
    text[size] = '\0';
    char *at = text + (a.guard.token ? 1 : 0);
    for (int i = 0; i < REQUESTS && *at; i++) {
        char *end = strstr(at, "\n---\n"), *next = end ? end + 5 : at + strlen(at);
        if (end)
            *end = '\0';
        ask(&a, at);
        at = next;
    }
    free(text);
    library_close(a.library);
    return 0;
}
