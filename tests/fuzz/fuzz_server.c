/* SPDX-License-Identifier: MIT */
/*
 * fuzz_server.c - requests of every kind, against an empty library.
 *
 * The input is a list of requests, separated by lines "---". A request is a line "METHOD TARGET",
 * then lines "!Header: value" for headers that differ from those of a good request, then the body,
 * which is sent as JSON if it begins with {. A leading ? means that a token is required. Searches
 * are kept short. No response may be a 5xx, and every JSON response must parse.
 *
 * The mutator expands the grammar of requests.h.
 */
#include "fuzz/requests.h"
#include "server/api/app.h"
#include "server/jobs/job_internal.h"

enum { REQUEST_LIMIT = 12, HEADERS = 8, PORT = 7590 };

static void check_json(const char *text, size_t length)
{
    json_t *value = json_loadb(text, length, JSON_DECODE_ANY, NULL);
    FUZZ_CHECK(value);
    json_decref(value);
}

/* Server-sent events: every data line is JSON. */
static void check_stream(const char *text)
{
    for (const char *at = text; (at = strstr(at, "data: ")) != NULL;) {
        at += 6;
        check_json(at, strcspn(at, "\n"));
    }
}

static void check_response(const response *answer)
{
    FUZZ_CHECK(answer->status >= 200 && answer->status < 500);
    if (answer->content_type && strncmp(answer->content_type, "application/json", 16) == 0 &&
        !answer->fixed && answer->status != 204)
        check_json(ply_text_cstr(&answer->body), answer->body.length);
    FUZZ_CHECK(!strchr(answer->disposition, '\n') && !strchr(answer->location, '\n'));
}

/* Runs a job with small limits, and checks its output; not one for a program: nobody knows what it
 * would be. */
static void run_job(job *j)
{
    if (j->spec.program) {
        job_release(j);
        return;
    }
    ply_search_limits *limits = &j->spec.limits;
    limits->depth = 2;
    limits->nodes = 200;
    limits->millis = 50;
    limits->has_clock = false;
    if (limits->multipv > 3)
        limits->multipv = 3;
    j->spec.player.nodes = 200;
    j->spec.player.depth = 2;
    job_run(j);
    if (job_is_stream(j)) {
        ply_text all = ply_text_growing();
        char buffer[512];
        ssize_t got;
        while ((got = job_read_stream(j, buffer, sizeof buffer)) > 0)
            ply_text_bytes(&all, buffer, (size_t)got);
        FUZZ_CHECK(got == -1);
        check_stream(ply_text_cstr(&all));
        ply_text_free(&all);
    } else {
        response answer = {0};
        app_take_reply(j, &answer);
        check_response(&answer);
        response_free(&answer);
    }
    job_release(j);
}

/* Returns the line at *at, with a NUL for its newline, and advances *at past it. */
static char *next_line(char **at)
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

static void send_request(app *a, char *text)
{
    static request r; /* too large for the stack */
    response answer = {0};
    char *method = next_line(&text), *target = strchr(method, ' ');
    if (!target)
        return;
    *target++ = '\0';
    memset(&r, 0, sizeof r);
    r.method = method;
    r.target = target;
    r.host = "127.0.0.1:7590";
    r.fetch_site = "same-origin";
    while (text[0] == '!')
        set_header(&r, next_line(&text) + 1);
    r.body = text;
    r.body_length = strlen(text);
    if (!r.content_type)
        r.content_type = text[0] == '{' ? "application/json" : "application/octet-stream";
    app_handle(a, &r, &answer);
    if (answer.job) {
        job *j = answer.job;
        answer.job = NULL;
        run_job(j);
    } else {
        check_response(&answer);
    }
    response_free(&answer);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    ply_rng rng = ply_rng_make(seed, 0);
    if (ply_rng_below(&rng, 2))
        return grammar_mutate(data, size, max_size, request_words, &rng);
    /* Another request at the end, or a new list. */
    ply_text text = ply_text_growing();
    if (ply_rng_below(&rng, 8) && size > 0)
        ply_text_bytes(&text, (const char *)data, size);
    for (uint32_t more = 1 + ply_rng_below(&rng, 3); more > 0; more--) {
        if (text.length > 0)
            ply_text_string(&text, "\n---\n");
        grammar_expand(request_rules, "%R", 8, &rng, &text);
    }
    if (text.length <= max_size)
        memcpy(data, ply_text_cstr(&text), size = text.length);
    ply_text_free(&text);
    return size;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static app a;
    static bool ready;
    if (!ready) {
        app_options options = {.path = ":memory:",
                               .tablebases = "/dev/null/none",
                               .cores = 1,
                               .analyses = 4,
                               .memory_mb = 1};
        FUZZ_CHECK(app_open(&a, &options, NULL));
        report_queue_close(&a.reports);
        puzzle_search_close(&a.puzzles);
        library_close(a.library);
        a.guard = (guard){.port = PORT};
        ready = true;
    }
    a.guard.token = size > 0 && data[0] == '?' ? "secret" : NULL;
    if (!a.guard.token && memmem(data, size, "\"spec\"", 6))
        return 0; /* a tournament between programs: nobody knows what they would be */
    a.library = a.jobs.library = library_open(":memory:", NULL);
    FUZZ_CHECK(a.library);
    report_queue_open(&a.reports, &a.jobs, &a.tablebases);
    puzzle_search_open(&a.puzzles, a.library, &a.tablebases);
    char *text = malloc(size + 1);
    memcpy(text, data, size);
    text[size] = '\0';
    char *at = text + (a.guard.token ? 1 : 0);
    for (int i = 0; i < REQUEST_LIMIT && *at; i++) {
        char *end = strstr(at, "\n---\n"), *next = end ? end + 5 : at + strlen(at);
        if (end)
            *end = '\0';
        send_request(&a, at);
        at = next;
    }
    free(text);
    report_queue_close(&a.reports); /* its thread uses the library */
    puzzle_search_close(&a.puzzles);
    library_close(a.library);
    return 0;
}
