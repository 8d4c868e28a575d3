/* SPDX-License-Identifier: MIT */
/* job_kinds.c - what the kinds of jobs do: the engine's move and hints, analysis. */
#include "server/jobs/job_internal.h"
#include <stdlib.h>
#include <string.h>

enum { MILLIS_PER_SECOND = 1000 };

static int side_to_move(const ply_state *state)
{
    return state->rules->game->side(state->rules, state->position);
}

/* --- the engine's move and hints -------------------------------------------------------------- */
void job_take_time(ply_search_limits *limits, int side, double seconds)
{
    uint64_t used = (uint64_t)(seconds * MILLIS_PER_SECOND);
    uint64_t from_byoyomi = used > limits->clock[side] ? used - limits->clock[side] : 0;
    limits->clock[side] -= used - from_byoyomi;
    limits->byoyomi -= from_byoyomi < limits->byoyomi ? from_byoyomi : limits->byoyomi;
}

/*
 * Chooses the moves of a turn; for a hint only the first. Where a turn consists of several moves,
 * the principal variation of one search may give them all: the player is asked again only when it
 * ends before the turn does.
 */
static ply_status choose_turn(job *j, ply_player *player, job_turn *turn)
{
    ply_state state;
    ply_status status = ply_state_copy(&state, &j->state);
    if (status != PLY_OK)
        return status;
    int side = side_to_move(&state);
    ply_player_answer answer = {0};
    ply_search_limits limits = j->spec.limits;
    uint32_t next = 0; /* move of the principal variation */
    while (status == PLY_OK && turn->count < JOB_TURN_LIMIT && side_to_move(&state) == side &&
           ply_state_outcome(&state).result == PLY_ONGOING) {
        if (turn->count == 0 || next >= answer.pv.length) {
            status = ply_player_choose(player, &state, &limits, NULL, NULL, &answer);
            job_take_time(&limits, side, answer.seconds);
            next = 0;
            if (status == PLY_OK && turn->count == 0)
                turn->first = answer;
        }
        if (status == PLY_OK && job_is_cancelled(j))
            status = PLY_STOPPED;
        if (status == PLY_OK) {
            turn->moves[turn->count++] = answer.pv.moves[next++];
            status = ply_state_play(&state, turn->moves[turn->count - 1]);
        }
        if (j->spec.kind == JOB_HINT)
            break;
    }
    ply_state_free(&state);
    return status;
}

/* Plays the turn in an acquired game, from *state at result->node on, and saves it durably. */
static ply_status save_turn(job *j, library_game *game, ply_state *state, job_result *result,
                            ply_error *error)
{
    library *l = j->pool->library;
    ply_status status = PLY_OK;
    for (size_t i = 0; i < result->move_count && status == PLY_OK; i++) {
        bool added;
        status = library_add_move(game, result->node, result->moves[i], state, &result->node,
                                  &added, error);
        if (status == PLY_OK && added && i == 0)
            game->record.nodes[result->node].millis =
                (int32_t)(result->answer->seconds * MILLIS_PER_SECOND);
    }
    if (status != PLY_OK) {
        library_remove_unsaved(game, result->first_new);
        return status;
    }
    if (result->resigned && game->header.mode == LIBRARY_PLAY &&
        !library_end(game, side_to_move(state) == 0 ? PLY_SECOND_WINS : PLY_FIRST_WINS, "resign",
                     library_now()))
        return ply_error_set(error, PLY_NO_MEMORY, "out of memory");
    bool moved = library_show_node(game, result->node) || result->resigned;
    if (game->header.mode == LIBRARY_PLAY && !result->resigned) {
        status = library_continue(l, game, result->node, result->first_new, side_to_move(state),
                                  library_now(), error);
        if (status != PLY_OK)
            return status;
    }
    if (!result->resigned)
        library_update_result(game, result->node, state);
    if (game->record.node_count > result->first_new || moved)
        status = library_save(l, game, result->first_new, error);
    if (game->header.result != PLY_ONGOING)
        program_pool_end_game(&j->pool->programs, j->spec.game);
    /* This thread has nothing else to do, so it waits for the disk itself. */
    return status == PLY_OK ? store_sync(library_store(l), error) : status;
}

/* Adds the turn to the job's game, and writes the reply while the game is acquired. */
static int reply_with_turn(job *j, job_result *result, ply_text *out)
{
    library *l = j->pool->library;
    ply_error error = {0};
    ply_state state;
    library_game *game = library_acquire(l, j->spec.game, &error);
    if (!game) {
        result->failure = JOB_GAME_GONE;
        return j->spec.output->reply(result, out);
    }
    result->game = game;
    result->node = j->spec.node;
    result->first_new = game->record.node_count;
    library_permission permission = library_may_play(game, j->spec.node, library_now());
    if (permission != LIBRARY_MAY_PLAY) {
        if (permission == LIBRARY_OUT_OF_TIME)
            library_save(l, game, result->first_new, NULL);
        result->failure = permission == LIBRARY_OUT_OF_TIME ? JOB_OUT_OF_TIME : JOB_CANCELLED;
        int refused = j->spec.output->reply(result, out);
        library_release(l, game);
        return refused;
    }
    ply_status status = library_state_at(game, j->spec.node, &state, &error);
    bool has_state = status == PLY_OK;
    if (has_state) {
        /* cppcheck-suppress autoVariables */
        result->after = &state;
        status = save_turn(j, game, &state, result, &error);
    }
    if (status != PLY_OK) {
        result->failure = JOB_NOT_SAVED;
        result->status = status;
        /* cppcheck-suppress autoVariables */
        result->error = &error;
    }
    int http_status = j->spec.output->reply(result, out);
    if (has_state)
        ply_state_free(&state);
    library_release(l, game);
    return http_status;
}

/* Lets our own player choose the moves. */
static ply_status choose(job *j, job_turn *turn)
{
    ply_player_spec spec = j->spec.player;
    spec.memory_mb = j->pool->memory_mb;
    spec.tablebase_dir = j->pool->tablebases;
    ply_player *player = ply_player_new(&j->rules, &spec);
    if (!player)
        return PLY_NO_MEMORY;
    job_set_search(j, NULL, player);
    ply_status status = choose_turn(j, player, turn);
    job_set_search(j, NULL, NULL);
    ply_player_free(player);
    return status;
}

void job_run_choose(job *j)
{
    job_turn *turn = calloc(1, sizeof *turn);
    job_result result = {.status = PLY_NO_MEMORY, .before = &j->state};
    ply_error error = {0};
    if (turn) {
        result.answer = &turn->first;
        result.moves = turn->moves;
        if (j->spec.program)
            job_choose_by_program(j, turn, &result, &error);
        else
            result.status = choose(j, turn);
        result.move_count = turn->count;
    }
    ply_text out = ply_text_growing();
    int http_status;
    if (result.failure == JOB_OK && result.status != PLY_OK)
        result.failure = result.status == PLY_STOPPED ? JOB_CANCELLED : JOB_NO_MOVE;
    if (result.failure == JOB_OK && j->spec.kind == JOB_ENGINE)
        http_status = reply_with_turn(j, &result, &out);
    else
        http_status = j->spec.output->reply(&result, &out);
    free(turn);
    pthread_mutex_lock(&j->lock);
    j->reply_status = http_status;
    j->reply = out;
    pthread_mutex_unlock(&j->lock);
}

/* --- analysis --------------------------------------------------------------------------------- */
static void send_info(void *context, const ply_search_report *report)
{
    job *j = context;
    ply_text data = ply_text_growing();
    j->spec.output->info(&j->state, report, true, &data);
    job_send_event(j, "info", &data, true);
    ply_text_free(&data);
}

void job_send_done(job *j, const char *reason, const char *message)
{
    ply_text data = ply_text_growing();
    j->spec.output->done(reason, message, &data);
    job_send_event(j, "done", &data, false);
    ply_text_free(&data);
}

void job_save_score(job *j, uint32_t node, int32_t score, int depth)
{
    library *l = j->pool->library;
    library_game *game = j->spec.game ? library_acquire(l, j->spec.game, NULL) : NULL;
    if (!game)
        return;
    library_node *extra = node < game->record.node_count ? &game->extra[node] : NULL;
    if (extra && (extra->score == STORE_NO_SCORE || extra->depth <= depth)) {
        extra->score = score;
        extra->depth = depth;
        library_save_node(l, game, node, NULL);
    }
    library_release(l, game);
}

/* The threads an analysis gets: an equal share of the cores. */
static unsigned fair_threads(job_pool *pool)
{
    unsigned running = 0;
    pthread_mutex_lock(&pool->lock);
    for (int i = 0; i < JOB_GROUPS; i++)
        running += pool->running[i];
    pthread_mutex_unlock(&pool->lock);
    unsigned share = pool->cores / (running ? running : 1);
    return share ? share : 1;
}

static ply_searcher *new_searcher(job *j, unsigned threads)
{
    ply_search_options options = {.kind = j->spec.search,
                                  .memory_mb = j->pool->memory_mb,
                                  .threads = threads,
                                  .seed = 1,
                                  .tablebase_dir = j->pool->tablebases};
    ply_searcher *searcher = ply_searcher_new(&j->rules, &options);
    if (searcher)
        job_set_search(j, searcher, NULL);
    return searcher;
}

/* Searches unless the job is cancelled; the searcher is armed first, so that no stop is missed. */
static ply_status search(job *j, ply_searcher *searcher, const ply_state *state,
                         const ply_search_limits *limits, ply_search_listener *listener,
                         ply_search_report *report)
{
    ply_searcher_arm(searcher, false);
    if (job_is_cancelled(j))
        return PLY_STOPPED;
    return ply_searcher_run(searcher, state, limits, listener, j, report);
}

void job_run_analysis(job *j)
{
    if (ply_state_outcome(&j->state).result != PLY_ONGOING) {
        job_send_done(j, "over", NULL);
        return;
    }
    if (j->spec.program) {
        job_analyse_by_program(j);
        return;
    }
    ply_searcher *searcher = new_searcher(j, fair_threads(j->pool));
    if (!searcher) {
        job_send_done(j, "error", "out of memory");
        return;
    }
    ply_search_report report = {0};
    ply_status status = search(j, searcher, &j->state, &j->spec.limits, send_info, &report);
    job_set_search(j, NULL, NULL);
    if (status == PLY_OK && report.pv_count > 0 && report.depth > 0) {
        int32_t score = report.pv[0].score;
        job_save_score(j, j->spec.node, side_to_move(&j->state) == 0 ? score : -score,
                       report.depth);
    }
    if (job_is_cancelled(j) || status == PLY_STOPPED)
        job_send_done(j, "stopped", NULL);
    else if (status != PLY_OK)
        job_send_done(j, "error", ply_status_text(status));
    else
        job_send_done(j, "limit", NULL);
    ply_searcher_free(searcher);
}
