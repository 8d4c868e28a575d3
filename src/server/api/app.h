/* SPDX-License-Identifier: MIT */
/*
 * app.h - the whole server except sockets: a request goes in, a response comes out.
 *
 * Threads: app_handle may be called from any thread.
 */
#ifndef PLY_SERVER_API_APP_H
#define PLY_SERVER_API_APP_H

#include "server/api/guard.h"
#include "server/jobs/job.h"
#include "server/jobs/puzzle_search.h"
#include "server/jobs/report_queue.h"
#include "server/library/library.h"
#include "server/library/tablebases.h"
#include "server/tournament/tournament.h"
#include <stdatomic.h>

/* Positions of the games that the engine has played against itself, by game (explorer.c). */
enum { SELFPLAY_GAMES = 8 };
typedef struct selfplay_index {
    pthread_mutex_t lock;
    struct selfplay_position *positions[SELFPLAY_GAMES]; /* sorted; NULL until they are asked for */
    size_t counts[SELFPLAY_GAMES];
} selfplay_index;

typedef struct app {
    library *library;
    job_pool jobs;
    report_queue reports;
    puzzle_search puzzles;
    tournament *tournament;
    guard guard;
    tablebases tablebases;
    selfplay_index selfplay;
    ply_text catalog; /* the constant part of /api/catalog */
    uint64_t start_nanos;
    atomic_uint_fast64_t requests;
    atomic_uint tries;                /* moves of puzzles that are being judged */
    atomic_uint_fast64_t connections; /* open now; counted by net/http.c */
} app;

typedef struct app_options {
    const char *path;       /* of the file of games; ":memory:" for tests */
    const char *tablebases; /* folder; need not exist */
    unsigned cores, analyses;
    size_t memory_mb; /* per job */
} app_options;

/* False, with the reason in *error, when the games cannot be opened. The caller fills in a->guard
 * afterwards. */
bool app_open(app *a, const app_options *options, ply_error *error);
void app_close(app *a);
/* Handles a request. *answer must be empty; the caller frees it, starts its job if it has one, and
 * syncs the store before it sends a response with needs_sync. */
void app_handle(app *a, request *r, response *answer);
/* Makes the reply of a job that has ended, and is not a stream, the response. */
void app_take_reply(job *j, response *answer);

/* --- handlers; ids are the numbers in the path ------------------------------------------------ */
typedef void app_handler(app *a, const request *r, const int64_t *ids, response *answer);

enum {
    API_MULTIPV_LIMIT = 16,
    API_ENGINE_MILLIS_LIMIT = 600000,
    /* Bytes of text members: */
    API_WORD_LIMIT = 20, /* such as the id of an engine */
    API_GAME_LIMIT = 40,
    API_VARIANT_LIMIT = 400,
    API_NAME_LIMIT = 200, /* of a player */
    API_ENDING_LIMIT = 100,
};

app_handler api_catalog, api_status, api_openapi;                          /* catalog.c */
app_handler api_addresses;                                                 /* addresses.c */
app_handler api_tournament, api_start_tournament, api_stop_tournament;     /* tournaments.c */
app_handler api_list_engines, api_add_engine, api_delete_engine;           /* engines.c */
app_handler api_opening;                                                   /* opening.c */
app_handler api_create_game, api_get_game;                                 /* games.c */
app_handler api_list_games, api_export_games, api_thumbnail;               /* search.c */
app_handler api_try_puzzle, api_list_puzzles, api_save_puzzle;             /* puzzles.c */
app_handler api_list_own_puzzles, api_search_puzzles;                      /* puzzles.c */
app_handler api_puzzle_search, api_stop_puzzle_search;                     /* puzzles.c */
app_handler api_explorer;                                                  /* explorer.c */
app_handler api_patch_game, api_delete_game, api_claim_time;               /* games.c */
app_handler api_import, api_export;                                        /* records.c */
app_handler api_view, api_view_node, api_patch_node, api_move, api_values; /* nodes.c */
app_handler api_layout;                                                    /* nodes.c */
app_handler api_engine, api_hint;                                          /* analysis.c */
app_handler api_add_reports, api_list_reports, api_cancel_reports;         /* reports.c */
app_handler api_report;                                                    /* reports.c */
app_handler api_analyse_node, api_analyse_position;                        /* analysis.c */

void api_selfplay_open(selfplay_index *index);
void api_selfplay_close(selfplay_index *index);
/* Writes the constant part of the catalog; false when memory runs out. */
bool api_write_catalog(ply_text *out);
/* Whether programs may be run; false with a 403 (engines.c). */
bool api_may_run_programs(const app *a, const char *field, response *answer);
/* Finds the user's engine of that number, for these rules; false with a 403, 409 or 422. */
bool api_find_program(app *a, int64_t id, const ply_rules *rules, program_spec *program,
                      response *answer);
/* How jobs write their results (job_view.c). */
extern const job_output api_job_output;

/* --- what handlers share (common.c) ----------------------------------------------------------- */
/* Acquires the game ids[0]; NULL with a 404. Release it with library_release. */
library_game *api_acquire_game(app *a, const int64_t *ids, response *answer);
/* The same, with a 404 as well if the game does not have the node. */
library_game *api_acquire_node(app *a, const int64_t *ids, uint32_t node, response *answer);
/* Replays an acquired game up to a node; false with the failure in *answer. */
bool api_state_at(const library_game *game, uint32_t node, ply_state *state, response *answer);
/* Save a game, or one of its nodes, as library_save and library_save_node do, and set needs_sync.
 * The programs that play a game which is over end. False with the failure in *answer. */
bool api_save_game(app *a, library_game *game, size_t first, response *answer);
bool api_save_node(app *a, library_game *game, uint32_t node, response *answer);
/* Creates a game as library_create does, and sets needs_sync. NULL with the failure in *answer. */
library_game *api_save_new_game(app *a, ply_record *record, const store_header *header,
                                response *answer);
/* Whether a move may be played at a node now; false with a 409. A clock that has run out ends the
 * game, which is saved then. */
bool api_may_play(app *a, library_game *game, uint32_t node, response *answer);
/* Answers with an error of the library: out of memory, a limit, the disk. */
void api_fail_error(response *answer, const ply_error *error);
/* Makes rules from a game and a variant, either of which may be NULL; false with a 400 or 422. */
bool api_make_rules(const char *game, const char *variant, ply_rules *rules, response *answer);
/* Makes a state from texts, either of which may be NULL; false with a 422. */
bool api_make_state(const ply_rules *rules, const char *position, const char *moves,
                    ply_state *state, response *answer);
/* Makes rules and a state from the members game, variant, position and moves of a body. *position
 * gets the text of the position, or NULL. False with a 400, 413 or 422. */
bool api_body_state(json_t *body, ply_rules *rules, ply_state *state, const char **position,
                    response *answer);
/* The characters of a growing text, which the caller frees; NULL with a 429 if it is incomplete.
 * What is stored is not written by Jansson, which leaves out names when memory runs out. */
char *api_finish_json(ply_text *text, response *answer);
/* Check a part of a game that is stored as JSON and return it as allocated text; NULL with a 400 or
 * 413. Without players, there are two persons; without a clock, it is null. */
char *api_players_json(json_t *players, response *answer);
char *api_clock_json(json_t *clock, response *answer);
/* The old tags with changes applied; a null removes a tag. */
char *api_tags_json(const char *old, json_t *changes, response *answer);

/* Makes a record with the tree, or with node >= 0 the variation to that node, and what the header
 * says. The caller frees it; after a failure there is nothing to free. */
ply_status api_make_record(const library_game *game, int64_t node, ply_score_style scores,
                           ply_record *record);
/* Copies tree, tags and start of a game's record; with only_to >= 0, only the variation to that
 * node, else nothing that follows the end of the game. Comments get the saved scores in the given
 * style. */
ply_status api_copy_tree(const library_game *game, int64_t only_to, ply_score_style scores,
                         ply_record *to);

/* --- the files of the web app; generated from web/ by gen_page.c ------------------------------ */
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
