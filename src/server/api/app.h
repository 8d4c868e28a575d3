/* SPDX-License-Identifier: MIT */
/* app.h - everything the server is, but for sockets: a request goes in, a response comes out. */
#ifndef PLY_SERVER_API_APP_H
#define PLY_SERVER_API_APP_H

#include "server/jobs/job.h"
#include "server/library/library.h"
#include "server/library/tablebases.h"
#include "server/net/guard.h"

typedef struct app {
    library *library;
    thinkers thinkers;
    guard guard;
    solved solved;
    ply_text catalog; /* the answer of /api/catalog, made once */
    uint64_t start_nanos;
    uint64_t requests;    /* atomic */
    uint64_t connections; /* atomic; the carrier's */
} app;

typedef struct app_options {
    const char *path;   /* of the file of games; ":memory:" for tests */
    const char *tables; /* folder of solved tables; need not be there */
    unsigned cores, analyses;
    size_t memory_mb;
} app_options;

/* False, with the reason, when the games cannot be opened. The guard is the caller's to fill. */
bool app_open(app *a, const app_options *options, ply_error *error);
void app_close(app *a);
/* Answers. *answer is zero before; the caller frees it, and starts its job if it has one. */
void app_answer(app *a, request *r, response *answer);

enum { API_LINES = 16, API_ENGINE_MILLIS = 600000 };

/* --- handlers (api_*.c); ids: the numbers of the path ----------------------------------------- */
typedef void app_handler(app *a, const request *r, const int64_t *ids, response *answer);

app_handler api_catalog, api_status, api_openapi, api_view, api_opening;
app_handler api_list_games, api_create_game, api_import, api_get_game, api_patch_game;
app_handler api_delete_game, api_export;
app_handler api_view_node, api_patch_node, api_move, api_values;
app_handler api_engine, api_hint, api_analyse_node, api_analyse_position, api_graph;

bool api_make_catalog(ply_text *out);

/* --- what handlers share (common.c) ------------------------------------------------------- */
/* Takes the game ids[0]; NULL with 404. Give it back with library_put. */
saved_game *api_take_game(app *a, const int64_t *ids, response *answer);
/* The same, and sees to it that the node is there. */
saved_game *api_take_node(app *a, const int64_t *ids, uint32_t node, response *answer);
/* Answers for a failure of the disk or of memory. */
void api_fail_store(response *answer, const ply_error *error);
/* Rules from a game and a variant; false with 400 or 422. Either may be NULL. */
bool api_make_rules(const char *game, const char *variant, ply_rules *rules, response *answer);
/* A state of these rules from texts, either of which may be NULL; false with 422. */
bool api_make_state(const ply_rules *rules, const char *position, const char *moves,
                    ply_state *state, response *answer);
/* Checks an array of two players and gives it back in the form that is stored, on the heap. NULL
 * with 400. players may be NULL: two persons. */
char *api_players_text(json_t *players, response *answer);
char *api_clock_text(json_t *clock, response *answer);
/* Tags as they are with changes made; a null takes a tag away. */
char *api_tags_text(const char *old, json_t *changes, response *answer);

/* Copies a record's tree, tags and start; only_to >= 0: only the line to that node. */
ply_status api_copy_tree(const ply_record *from, int64_t only_to, ply_record *to);

/* --- the page (page.c, from web/) ------------------------------------------------------------- */
typedef struct page_file {
    const char *path; /* "index.html", "js/board.js" */
    const char *type;
    const unsigned char *bytes;
    size_t length;
    uint64_t check; /* a hash of the bytes */
} page_file;

extern const page_file page_files[];
extern const size_t page_file_count;
extern const page_file page_openapi;

#endif
