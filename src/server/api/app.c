/* SPDX-License-Identifier: MIT */
/* app.c - opening, closing and routing; see app.h. */
#include "server/api/app.h"
#include "core/clock.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* A # in a pattern stands for a number. */
static const struct route {
    const char *method, *pattern;
    app_handler *handler;
} routes[] = {
    {"GET", "api/catalog", api_catalog},
    {"GET", "api/status", api_status},
    {"GET", "api/addresses", api_addresses},
    {"GET", "api/openapi.json", api_openapi},
    {"POST", "api/view", api_view},
    {"POST", "api/opening", api_opening},
    {"GET", "api/analysis", api_analyse_position},
    {"GET", "api/games", api_list_games},
    {"POST", "api/games", api_create_game},
    {"GET", "api/export", api_export_games},
    {"POST", "api/import", api_import},
    {"GET", "api/tournament", api_tournament},
    {"POST", "api/tournament", api_start_tournament},
    {"DELETE", "api/tournament", api_stop_tournament},
    {"GET", "api/engines", api_list_engines},
    {"POST", "api/engines", api_add_engine},
    {"DELETE", "api/engines/#", api_delete_engine},
    {"GET", "api/puzzles", api_list_puzzles},
    {"POST", "api/puzzles", api_save_puzzle},
    {"POST", "api/puzzles/try", api_try_puzzle},
    {"GET", "api/puzzles/own", api_list_own_puzzles},
    {"GET", "api/puzzles/search", api_puzzle_search},
    {"POST", "api/puzzles/search", api_search_puzzles},
    {"DELETE", "api/puzzles/search", api_stop_puzzle_search},
    {"POST", "api/reports", api_add_reports},
    {"GET", "api/reports", api_list_reports},
    {"DELETE", "api/reports", api_cancel_reports},
    {"GET", "api/games/#/report", api_report},
    {"DELETE", "api/games/#/report", api_cancel_reports},
    {"GET", "api/games/#", api_get_game},
    {"PATCH", "api/games/#", api_patch_game},
    {"DELETE", "api/games/#", api_delete_game},
    {"GET", "api/games/#/nodes/#", api_view_node},
    {"PATCH", "api/games/#/nodes/#", api_patch_node},
    {"GET", "api/games/#/nodes/#/analysis", api_analyse_node},
    {"GET", "api/games/#/nodes/#/values", api_values},
    {"GET", "api/games/#/nodes/#/explorer", api_explorer},
    {"GET", "api/games/#/thumbnail", api_thumbnail},
    {"GET", "api/games/#/nodes/#/layout", api_layout},
    {"POST", "api/games/#/moves", api_move},
    {"POST", "api/games/#/time", api_claim_time},
    {"POST", "api/games/#/engine", api_engine},
    {"POST", "api/games/#/hint", api_hint},
    {"GET", "api/games/#/export", api_export},
};

enum { ROUTE_COUNT = sizeof routes / sizeof routes[0], ID_LIMIT = 2 };

bool app_open(app *a, const app_options *options, ply_error *error)
{
    *a = (app){.start_nanos = ply_clock_nanos(), .catalog = ply_text_growing()};
    bool good = tablebases_open(&a->tablebases, options->tablebases);
    a->tournament = tournament_new();
    good = api_write_catalog(&a->catalog) && a->tournament && good;
    if (!good)
        ply_error_set(error, PLY_NO_MEMORY, "out of memory");
    else
        a->library = library_open(options->path, error);
    if (!a->library) {
        tournament_free(a->tournament);
        tablebases_close(&a->tablebases);
        ply_text_free(&a->catalog);
        return false;
    }
    job_pool_init(&a->jobs, a->library, options->cores, options->analyses, options->memory_mb);
    a->jobs.tablebases = a->tablebases.dir;
    api_selfplay_open(&a->selfplay);
    report_queue_open(&a->reports, &a->jobs, &a->tablebases);
    puzzle_search_open(&a->puzzles, a->library, &a->tablebases);
    return true;
}

void app_close(app *a)
{
    tournament_free(a->tournament);
    puzzle_search_close(&a->puzzles);
    report_queue_close(&a->reports);
    job_pool_close(&a->jobs);
    library_close(a->library);
    tablebases_close(&a->tablebases);
    api_selfplay_close(&a->selfplay);
    ply_text_free(&a->catalog);
}

/* Whether the path matches the pattern; its numbers go to ids. */
static bool path_matches(const request *r, const char *pattern, int64_t *ids)
{
    size_t id = 0;
    for (size_t i = 0; i < r->segment_count; i++) {
        size_t length = strcspn(pattern, "/");
        const char *word = r->segments[i];
        if (length == 0)
            return false;
        if (pattern[0] == '#') {
            uint64_t number;
            if (!request_parse_decimal(word, UINT32_MAX, &number))
                return false;
            ids[id++] = (int64_t)number;
        } else if (strlen(word) != length || memcmp(word, pattern, length) != 0) {
            return false;
        }
        pattern += length;
        pattern += *pattern == '/';
    }
    return *pattern == '\0';
}

/* --- the web app ------------------------------------------------------------------------------ */
static void send_file(const request *r, const page_file *file, response *answer)
{
    response_free(answer);
    *answer = (response){.status = 200,
                         .content_type = file->type,
                         .fixed = file->bytes,
                         .fixed_length = file->length,
                         .may_cache = true};
    snprintf(answer->etag, sizeof answer->etag, "\"%016" PRIx64 "\"", file->check);
    if (r->if_none_match && strstr(r->if_none_match, answer->etag)) {
        answer->status = 304;
        answer->fixed_length = 0;
    }
}

static void handle_page(app *a, const request *r, response *answer)
{
    char path[256] = "";
    ply_text text = ply_text_fixed(path, sizeof path);
    for (size_t i = 0; i < r->segment_count; i++)
        ply_text_format(&text, "%s%s", i ? "/" : "", r->segments[i]);
    if (strcmp(r->method, "GET") != 0 && strcmp(r->method, "HEAD") != 0) {
        response_fail(answer, 405, "bad-method", NULL, "method %.16s not allowed", r->method);
        return;
    }
    const char *token = request_parameter_value(r, "token");
    if (token && a->guard.token && text.length == 0) {
        /* The token moves from the address to a cookie. */
        response_free(answer);
        *answer = (response){.status = 303, .content_type = "text/plain", .set_token = true};
        strcpy(answer->location, "/");
        return;
    }
    if (text.length == 0)
        ply_text_string(&text, "index.html");
    for (size_t i = 0; i < page_file_count; i++)
        if (ply_text_complete(&text) && strcmp(page_files[i].path, path) == 0) {
            send_file(r, &page_files[i], answer);
            return;
        }
    response_fail(answer, 404, "not-found", NULL, "no such page");
}

static void handle_api(app *a, const request *r, response *answer)
{
    bool known = false;
    for (size_t i = 0; i < ROUTE_COUNT; i++) {
        int64_t ids[ID_LIMIT] = {0};
        if (!path_matches(r, routes[i].pattern, ids))
            continue;
        known = true;
        if (strcmp(routes[i].method, r->method) != 0)
            continue;
        routes[i].handler(a, r, ids, answer);
        return;
    }
    if (known)
        response_fail(answer, 405, "bad-method", NULL, "method %.16s not allowed", r->method);
    else
        response_fail(answer, 404, "not-found", NULL, "no such path");
}

void app_handle(app *a, request *r, response *answer)
{
    atomic_fetch_add_explicit(&a->requests, 1, memory_order_relaxed);
    if (!request_parse(r, answer) || !guard_admits(&a->guard, r, answer))
        return;
    if (r->segment_count > 0 && strcmp(r->segments[0], "api") == 0)
        handle_api(a, r, answer);
    else
        handle_page(a, r, answer);
    if (answer->body.failed)
        response_no_memory(answer);
}
