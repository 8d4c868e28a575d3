/* SPDX-License-Identifier: MIT */
/* puzzle_search.c - see puzzle_search.h. */
#include "server/jobs/puzzle_search.h"
#include "core/array.h"
#include "core/clock.h"
#include "server/jobs/thread.h"
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    SEARCH_NICE = 15,
    STOP_AGAIN_NANOS = 20000000,
    PUZZLES_PER_GAME = 8, /* of each goal: so that one long game does not fill the list */
};

/* What makes a puzzle, by goal; as for the puzzles that come with the web app (tools/puzzles). */
typedef struct goal_wish {
    const char *goal;
    uint64_t nodes;
    uint32_t least, most;
    size_t choices;
    bool unique_line;
} goal_wish;

static const goal_wish wishes[] = {
    {"mate", 5000, 3, 15, 2, true},
    {"vcf", 20000, 5, 15, 2, false},
    {"vct", 2000, 5, 15, 2, false},
    {"win", 20000, 5, 41, 3, false}, /* by tablebases */
};
/* Where turns consist of several moves, lengths are turns. */
static const goal_wish turn_wish = {"mate", 5000, 1, 2, 8, false};

enum { WISHES = sizeof wishes / sizeof wishes[0] };

void puzzle_search_open(puzzle_search *search, library *l, tablebases *tables)
{
    *search = (puzzle_search){.library = l, .tablebases = tables};
    pthread_mutex_init(&search->lock, NULL);
    ply_cond_init(&search->ended);
}

/* Stops what is running. The search is locked. */
static void stop_running(puzzle_search *search)
{
    search->cancelled = true;
    if (search->finder)
        ply_puzzle_finder_stop(search->finder);
}

void puzzle_search_close(puzzle_search *search)
{
    pthread_mutex_lock(&search->lock);
    search->closing = true;
    while (search->has_thread) {
        /* Between two questions the finder misses the call, so it is repeated. */
        stop_running(search);
        struct timespec until = ply_clock_deadline(STOP_AGAIN_NANOS);
        pthread_cond_timedwait(&search->ended, &search->lock, &until);
    }
    pthread_mutex_unlock(&search->lock);
    pthread_mutex_destroy(&search->lock);
    pthread_cond_destroy(&search->ended);
}

/* --- one game --------------------------------------------------------------------------------- */
/* The puzzles of a game, and what they are made of. */
typedef struct game_search {
    puzzle_search *search;
    const store_unsearched *game;
    ply_rules rules; /* a copy: the states must not depend on a game that may leave memory */
    ply_state end;   /* the last position */
    ply_text name;   /* of the rules */
    store_own_puzzle *puzzles; /* their texts are owned */
    size_t count, room;
    bool supported;
} game_search;

/* The state at the end of the game; false when the game is gone or memory runs out. */
static bool read_game(game_search *g)
{
    library *l = g->search->library;
    library_game *game = library_acquire(l, g->game->id, NULL);
    if (!game)
        return false;
    uint32_t last;
    library_main_line(game, &last);
    if (library_has_tip(game) && game->header.tip >= 0)
        last = (uint32_t)game->header.tip;
    g->rules = game->record.rules;
    bool good = library_state_at(game, last, &g->end, NULL) == PLY_OK;
    g->end.rules = &g->rules;
    library_release(l, game);
    return good;
}

static ply_status keep_puzzle(game_search *g, const ply_goal *goal, const ply_puzzle *puzzle)
{
    ply_text text = ply_text_growing();
    ply_puzzle_write(&g->rules, goal, puzzle, &text);
    bool good = ply_text_complete(&text) &&
                ply_array_grow(&g->puzzles, &g->room, g->count + 1, sizeof *g->puzzles);
    char *copy = good ? strdup(ply_text_cstr(&text)) : NULL;
    ply_text_free(&text);
    if (!copy)
        return PLY_NO_MEMORY;
    g->puzzles[g->count++] = (store_own_puzzle){.rules = ply_text_cstr(&g->name),
                                                .goal = goal->id,
                                                .key = puzzle->key,
                                                .source = g->game->id,
                                                .text = copy};
    return PLY_OK;
}

/* Says what is busy, so that it can be stopped. Returns whether to go on. */
static bool set_busy(puzzle_search *search, ply_puzzle_finder *finder)
{
    pthread_mutex_lock(&search->lock);
    search->finder = finder;
    bool go_on = !search->cancelled;
    pthread_mutex_unlock(&search->lock);
    return go_on;
}

/* Takes the game back and keeps its puzzles of one goal. */
static ply_status find_puzzles(game_search *g, ply_puzzle_finder *finder, const ply_goal *goal)
{
    ply_state state;
    ply_puzzle puzzle;
    bool found = true;
    ply_status status = ply_state_copy(&state, &g->end);
    if (status != PLY_OK)
        return status;
    for (int i = 0; i < PUZZLES_PER_GAME && found && status == PLY_OK; i++) {
        status = ply_puzzle_find(finder, &state, &puzzle, &found);
        if (status == PLY_OK && found)
            status = keep_puzzle(g, goal, &puzzle);
    }
    ply_state_free(&state);
    return status;
}

/* Looks for puzzles with one goal. A goal that needs tablebases which do not exist has none. */
static ply_status search_goal(game_search *g, const goal_wish *wish, const ply_goal *goal)
{
    bool by_tablebase = strcmp(goal->id, "win") == 0;
    ply_tablebase *tablebase =
        by_tablebase ? tablebases_lend(g->search->tablebases, &g->rules) : NULL;
    if (by_tablebase && (!tablebase || ply_tablebase_count(tablebase) == 0)) {
        ply_tablebase_close(tablebase);
        return PLY_OK;
    }
    g->supported = true;
    ply_puzzle_spec spec = {.rules = &g->rules,
                            .goal = goal,
                            .tablebase = tablebase,
                            .nodes = wish->nodes,
                            .least = wish->least,
                            .most = wish->most,
                            .choices = wish->choices,
                            .unique_line = wish->unique_line};
    ply_puzzle_finder *finder = ply_puzzle_finder_new(&spec);
    ply_status status = PLY_NO_MEMORY;
    if (finder)
        status = set_busy(g->search, finder) ? find_puzzles(g, finder, goal) : PLY_STOPPED;
    set_busy(g->search, NULL);
    ply_puzzle_finder_free(finder);
    ply_tablebase_close(tablebase);
    return status;
}

static ply_status search_goals(game_search *g)
{
    const ply_game *game = g->rules.game;
    const ply_goal *goal;
    ply_status status = PLY_OK;
    for (size_t i = 0; i < WISHES && status == PLY_OK; i++) {
        const goal_wish *wish = game->multi_move_turns ? &turn_wish : &wishes[i];
        if ((goal = ply_goal_find(game, wish->goal)) != NULL)
            status = search_goal(g, wish, goal);
        if (game->multi_move_turns)
            break;
    }
    return status;
}

/* Searches a game and saves its puzzles. A game that is gone has none. */
static ply_status search_game(puzzle_search *search, const store_unsearched *game, size_t *found,
                              bool *supported, ply_error *error)
{
    game_search g = {.search = search, .game = game, .name = ply_text_growing()};
    *found = 0;
    *supported = true;
    if (!read_game(&g)) {
        ply_text_free(&g.name);
        return PLY_OK;
    }
    ply_text_format(&g.name, "%s ", g.rules.game->id);
    ply_rules_format(&g.rules, &g.name);
    ply_status status = ply_text_complete(&g.name) ? search_goals(&g) : PLY_NO_MEMORY;
    if (status != PLY_OK)
        ply_error_set(error, status, "%s", ply_status_text(status));
    else
        status = store_add_own_puzzles(library_store(search->library), game, g.puzzles, g.count,
                                       found, error);
    *supported = g.supported;
    for (size_t i = 0; i < g.count; i++)
        free((char *)g.puzzles[i].text);
    free(g.puzzles);
    ply_state_free(&g.end);
    ply_text_free(&g.name);
    return status;
}

/* --- all games -------------------------------------------------------------------------------- */
/* Notes that a game is done. Returns whether to go on. */
static bool count_game(puzzle_search *search, size_t found, bool supported)
{
    pthread_mutex_lock(&search->lock);
    search->progress.done++;
    search->progress.found += found;
    search->progress.unsupported += !supported;
    bool go_on = !search->cancelled;
    pthread_mutex_unlock(&search->lock);
    return go_on;
}

static ply_status search_games(puzzle_search *search, store_unsearched *games, ply_error *error)
{
    size_t count, found;
    uint64_t total;
    bool supported, go_on = true;
    store *s = library_store(search->library);
    ply_status status = store_list_unsearched(s, games, PUZZLE_SEARCH_GAMES, &count, &total, error);
    if (status != PLY_OK)
        return status;
    pthread_mutex_lock(&search->lock);
    search->progress.total = count;
    search->progress.left = total - count;
    pthread_mutex_unlock(&search->lock);
    for (size_t i = 0; i < count && go_on && status == PLY_OK; i++) {
        status = search_game(search, &games[i], &found, &supported, error);
        if (status == PLY_OK)
            go_on = count_game(search, found, supported);
        if (status == PLY_OK && found > 0)
            status = store_sync(s, error);
    }
    return status;
}

static void *search_thread(void *context)
{
    puzzle_search *search = context;
    setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), SEARCH_NICE);
    store_unsearched *games = malloc(PUZZLE_SEARCH_GAMES * sizeof *games);
    pthread_mutex_lock(&search->lock);
    do {
        ply_error error = {0};
        search->again = search->cancelled = false;
        search->progress = (puzzle_search_progress){.stage = PUZZLE_SEARCH_RUNNING};
        pthread_mutex_unlock(&search->lock);
        ply_status status = games ? search_games(search, games, &error)
                                  : ply_error_set(&error, PLY_NO_MEMORY, "out of memory");
        pthread_mutex_lock(&search->lock);
        search->progress.error = error;
        search->progress.stage = search->cancelled  ? PUZZLE_SEARCH_STOPPED
                                 : status == PLY_OK ? PUZZLE_SEARCH_FINISHED
                                                    : PUZZLE_SEARCH_FAILED;
    } while (search->again && !search->closing);
    free(games);
    search->has_thread = false; /* from here on the search may be closed */
    pthread_cond_broadcast(&search->ended);
    pthread_mutex_unlock(&search->lock);
    return NULL;
}

ply_status puzzle_search_start(puzzle_search *search)
{
    ply_status status = PLY_OK;
    pthread_mutex_lock(&search->lock);
    if (search->has_thread) {
        search->again = search->cancelled;
    } else {
        search->progress = (puzzle_search_progress){.stage = PUZZLE_SEARCH_RUNNING};
        search->cancelled = false;
        search->has_thread = !search->closing && job_thread_start(search_thread, search);
        if (!search->has_thread) {
            search->progress.stage = PUZZLE_SEARCH_NONE;
            status = PLY_NO_MEMORY;
        }
    }
    pthread_mutex_unlock(&search->lock);
    return status;
}

void puzzle_search_stop(puzzle_search *search)
{
    pthread_mutex_lock(&search->lock);
    search->again = false;
    if (search->has_thread)
        stop_running(search);
    pthread_mutex_unlock(&search->lock);
}

puzzle_search_progress puzzle_search_report(puzzle_search *search)
{
    pthread_mutex_lock(&search->lock);
    puzzle_search_progress progress = search->progress;
    if (search->has_thread)
        progress.stage =
            search->cancelled && !search->again ? PUZZLE_SEARCH_STOPPED : PUZZLE_SEARCH_RUNNING;
    pthread_mutex_unlock(&search->lock);
    return progress;
}
