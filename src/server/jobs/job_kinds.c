/* SPDX-License-Identifier: MIT */
/* job_kinds.c - what jobs think: the engine's move, analysis, score graph. */
#include "core/json_write.h"
#include "server/api/view.h"
#include "server/jobs/job_internal.h"
#include <stdlib.h>
#include <string.h>

enum { TURN_LIMIT = 256, SCORE_DEPTH_OF_END = 100 };

static int side_of(const ply_state *state)
{
    return state->rules->game->side(state->rules, state->position);
}

static void report_members(const ply_search_report *report, ply_text *out)
{
    ply_json_member_unsigned(out, "nodes", report->nodes);
    ply_json_name(out, "seconds");
    ply_json_real(out, report->seconds);
}

/* --- the engine's move and hints ---------------------------------------------------------------
 */
static void write_thought(job *j, const ply_player_answer *answer, ply_text *out)
{
    ply_search_report report = {.nodes = answer->nodes, .seconds = answer->seconds};
    ply_json_open(out, '{');
    view_search_line(&j->state, &answer->pv, out);
    ply_json_name(out, "depth");
    ply_json_signed(out, answer->depth);
    report_members(&report, out);
    ply_json_close(out, '}');
}

typedef struct whole_turn {
    ply_move moves[TURN_LIMIT];
    size_t count;
} whole_turn;

/*
 * Chooses the moves of a turn. Where a turn is several moves, those that the line of the first
 * thought foresees are taken as they are.
 */
static ply_status choose_turn(job *j, ply_player *player, whole_turn *turn,
                              ply_player_answer *first)
{
    ply_state state;
    ply_status status = ply_state_copy(&state, &j->state);
    if (status != PLY_OK)
        return status;
    int side = side_of(&state);
    ply_player_answer answer = {0};
    uint32_t foreseen = 0;
    while (status == PLY_OK && turn->count < TURN_LIMIT && side_of(&state) == side &&
           ply_state_outcome(&state).result == PLY_ONGOING) {
        if (turn->count == 0 || foreseen >= answer.pv.length) {
            status = ply_player_choose(player, &state, &j->order.limits, NULL, NULL, &answer);
            foreseen = 0;
            if (status == PLY_OK && turn->count == 0)
                *first = answer;
        }
        if (status == PLY_OK && job_cancelled(j))
            status = PLY_STOPPED;
        if (status == PLY_OK) {
            turn->moves[turn->count++] = answer.pv.moves[foreseen++];
            status = ply_state_play(&state, turn->moves[turn->count - 1]);
        }
        if (j->order.kind == JOB_HINT)
            break;
    }
    ply_state_free(&state);
    return status;
}

/* Puts the moves into the game and makes the answer. */
static bool add_turn(job *j, const whole_turn *turn, const ply_player_answer *thought,
                     response *answer)
{
    library *l = j->thinkers->library;
    ply_error error = {0};
    saved_game *game = library_take(l, j->order.game, &error);
    if (!game)
        return response_fail(answer, 404, "not-found", NULL, "the game is gone");
    uint32_t node = j->order.node;
    size_t first = game->record.node_count;
    ply_state state;
    ply_status status = saved_state(game, node, &state, &error);
    if (status == PLY_OK) {
        for (size_t i = 0; i < turn->count && status == PLY_OK; i++) {
            bool added;
            status = saved_add_move(game, node, turn->moves[i], &state, &node, &added, &error);
            if (status == PLY_OK && added && i == 0)
                game->record.nodes[node].millis = (int32_t)(thought->seconds * 1000);
        }
        ply_state_free(&state);
    }
    if (status == PLY_OK) {
        bool moved = game->row.at != node;
        game->row.at = node;
        saved_settle(game);
        if (game->record.node_count > first || moved)
            status = saved_commit(l, game, first, &error);
    }
    if (status == PLY_OK) /* as one whom nobody waits for: this thread may sleep */
        status = store_sync(library_store(l), &error);
    if (status == PLY_OK) {
        ply_text *out = response_json(answer, 200);
        view_added(game, node, first, out, &error);
        ply_json_name(out, "moves");
        view_line(&j->state, turn->moves, turn->count, out);
        ply_json_name(out, "thought");
        write_thought(j, thought, out);
        ply_json_close(out, '}');
    } else {
        game->failed = true; /* what is in memory may be half of it */
        response_fail_error(answer, status == PLY_LIMIT ? 409 : 507, NULL, &error);
    }
    library_put(l, game);
    return status == PLY_OK;
}

void job_choose(job *j)
{
    response answer = {0};
    whole_turn *made = calloc(1, sizeof *made);
    ply_player_answer thought = {0};
    ply_player_spec spec = j->order.player;
    spec.memory_mb = j->thinkers->memory_mb;
    spec.tablebase_dir = j->thinkers->tables;
    ply_player *player = made ? ply_player_new(&j->rules, &spec) : NULL;
    ply_status status = PLY_NO_MEMORY;
    if (player) {
        job_set_mind(j, NULL, player);
        status = choose_turn(j, player, made, &thought);
        job_set_mind(j, NULL, NULL);
    }
    if (status == PLY_STOPPED)
        response_fail(&answer, 409, "cancelled", NULL, "the thought was cancelled");
    else if (status == PLY_NO_MEMORY)
        response_no_memory(&answer);
    else if (status != PLY_OK)
        response_fail(&answer, 409, "no-move", NULL, "%s", ply_status_text(status));
    else if (j->order.kind == JOB_ENGINE)
        add_turn(j, made, &thought, &answer);
    else
        write_thought(j, &thought, response_json(&answer, 200));
    ply_player_free(player);
    free(made);
    pthread_mutex_lock(&j->lock);
    j->answer = answer;
    pthread_mutex_unlock(&j->lock);
}

/* --- analysis ----------------------------------------------------------------------------------
 */
static void on_report(void *context, const ply_search_report *report)
{
    job *j = context;
    ply_text out = ply_text_growing();
    ply_json_open(&out, '{');
    ply_json_name(&out, "depth");
    ply_json_signed(&out, report->depth);
    ply_json_name(&out, "selective_depth");
    ply_json_signed(&out, report->selective_depth);
    report_members(report, &out);
    ply_json_member_unsigned(
        &out, "nodes_per_second",
        report->seconds > 0 ? (uint64_t)((double)report->nodes / report->seconds) : 0);
    ply_json_name(&out, "lines");
    ply_json_open(&out, '[');
    for (size_t i = 0; i < report->pv_count; i++) {
        ply_json_open(&out, '{');
        view_search_line(&j->state, &report->pv[i], &out);
        ply_json_close(&out, '}');
    }
    ply_json_close(&out, ']');
    ply_json_close(&out, '}');
    job_event(j, "info", &out, true);
    ply_text_free(&out);
}

static void send_done(job *j, const char *reason, const char *message)
{
    ply_text out = ply_text_growing();
    ply_json_open(&out, '{');
    ply_json_member_string(&out, "reason", reason);
    if (message)
        ply_json_member_string(&out, "message", message);
    ply_json_close(&out, '}');
    job_event(j, "done", &out, false);
    ply_text_free(&out);
}

/* Keeps a score with its node, unless a deeper one is there. */
static void keep_score(job *j, uint32_t node, int32_t first, int depth)
{
    library *l = j->thinkers->library;
    saved_game *game = j->order.game ? library_take(l, j->order.game, NULL) : NULL;
    if (!game)
        return;
    saved_node *extra = node < game->record.node_count ? &game->extra[node] : NULL;
    if (extra && (extra->score == STORE_NO_SCORE || extra->depth <= depth)) {
        extra->score = first;
        extra->depth = depth;
        saved_commit_node(l, game, node, NULL);
    }
    library_put(l, game);
}

/* The processor is shared out evenly: so many threads for each that thinks now. */
static unsigned fair_threads(thinkers *t)
{
    pthread_mutex_lock(&t->lock);
    unsigned running = t->running[0] + t->running[1];
    pthread_mutex_unlock(&t->lock);
    unsigned share = t->cores / (running ? running : 1);
    return share ? share : 1;
}

static ply_searcher *new_searcher(job *j, unsigned threads)
{
    ply_search_options options = {.kind = j->order.search,
                                  .memory_mb = j->thinkers->memory_mb,
                                  .threads = threads,
                                  .seed = 1,
                                  .tablebase_dir = j->thinkers->tables};
    ply_searcher *searcher = ply_searcher_new(&j->rules, &options);
    if (searcher)
        job_set_mind(j, searcher, NULL);
    return searcher;
}

/* Searches unless the job was cancelled before or is meanwhile. */
static ply_status search(job *j, ply_searcher *searcher, const ply_state *state,
                         const ply_search_limits *limits, ply_search_listener *listener,
                         ply_search_report *report)
{
    ply_searcher_arm(searcher, false);
    if (job_cancelled(j))
        return PLY_STOPPED;
    return ply_searcher_run(searcher, state, limits, listener, j, report);
}

void job_analyse(job *j)
{
    if (ply_state_outcome(&j->state).result != PLY_ONGOING) {
        send_done(j, "over", NULL);
        return;
    }
    ply_searcher *searcher = new_searcher(j, fair_threads(j->thinkers));
    if (!searcher) {
        send_done(j, "error", "out of memory");
        return;
    }
    ply_search_report report = {0};
    ply_status status = search(j, searcher, &j->state, &j->order.limits, on_report, &report);
    job_set_mind(j, NULL, NULL);
    if (status == PLY_OK && report.pv_count > 0 && report.depth > 0) {
        int32_t score = report.pv[0].score;
        keep_score(j, j->order.node, side_of(&j->state) == 0 ? score : -score, report.depth);
    }
    if (job_cancelled(j) || status == PLY_STOPPED)
        send_done(j, "stopped", NULL);
    else if (status != PLY_OK)
        send_done(j, "error", ply_status_text(status));
    else
        send_done(j, "limit", NULL);
    ply_searcher_free(searcher);
}

/* --- graph -------------------------------------------------------------------------------------
 */
typedef struct graph_point {
    uint32_t node;
    bool known;
    int32_t score, depth;
} graph_point;

static void send_point(job *j, const graph_point *point, size_t ply)
{
    ply_text out = ply_text_growing();
    ply_json_open(&out, '{');
    ply_json_member_unsigned(&out, "node", point->node);
    ply_json_member_unsigned(&out, "ply", ply);
    view_number_or_null(&out, "value", point->known, point->score);
    ply_json_name(&out, "bar");
    if (point->known)
        ply_json_real(&out, view_bar(point->score));
    else
        ply_json_null(&out);
    view_number_or_null(&out, "depth", point->known, point->depth);
    ply_json_close(&out, '}');
    job_event(j, "point", &out, false);
    ply_text_free(&out);
}

/* The line through the job's node, from the root to the end of its main continuation. */
static graph_point *collect_line(job *j, size_t *count)
{
    library *l = j->thinkers->library;
    saved_game *game = library_take(l, j->order.game, NULL);
    if (!game)
        return NULL;
    const ply_record_node *nodes = game->record.nodes;
    size_t before = 0, total;
    for (uint32_t n = j->order.node; n; n = nodes[n].parent)
        before++;
    total = before + 1;
    for (uint32_t n = nodes[j->order.node].child; n; n = nodes[n].child)
        total++;
    graph_point *points = calloc(total, sizeof *points);
    if (points) {
        for (uint32_t n = j->order.node, i = (uint32_t)before;; n = nodes[n].parent) {
            points[i].node = n;
            if (i-- == 0)
                break;
        }
        uint32_t n = nodes[j->order.node].child;
        for (size_t i = before + 1; i < total; i++, n = nodes[n].child)
            points[i].node = n;
        for (size_t i = 0; i < total; i++) {
            const saved_node *extra = &game->extra[points[i].node];
            points[i].known = extra->score != STORE_NO_SCORE;
            points[i].score = extra->score;
            points[i].depth = extra->depth;
        }
        *count = total;
    }
    library_put(l, game);
    return points;
}

/* A state at a node with rules of the job's own. */
static bool state_at(job *j, uint32_t node, ply_state *state)
{
    library *l = j->thinkers->library;
    saved_game *game = library_take(l, j->order.game, NULL);
    bool good =
        game && node < game->record.node_count && saved_state(game, node, state, NULL) == PLY_OK;
    if (good)
        state->rules = &j->rules;
    if (game)
        library_put(l, game);
    return good;
}

static bool score_point(job *j, ply_searcher *searcher, graph_point *point)
{
    ply_state state;
    if (!state_at(j, point->node, &state))
        return false;
    ply_outcome outcome = ply_state_outcome(&state);
    ply_search_limits limits = {.nodes = j->order.graph_nodes};
    ply_search_report report = {0};
    ply_status status = PLY_OK;
    if (outcome.result == PLY_ONGOING) {
        status = search(j, searcher, &state, &limits, NULL, &report);
        if (status == PLY_OK && report.depth > 0 && !job_cancelled(j)) {
            int32_t score = report.pv[0].score;
            point->score = side_of(&state) == 0 ? score : -score;
            point->depth = report.depth;
            point->known = true;
        }
    } else {
        point->score = outcome.result == PLY_DRAW         ? 0
                       : outcome.result == PLY_FIRST_WINS ? PLY_SCORE_WIN
                                                          : -PLY_SCORE_WIN;
        point->depth = SCORE_DEPTH_OF_END;
        point->known = true;
    }
    ply_state_free(&state);
    return status == PLY_OK && point->known;
}

void job_graph(job *j)
{
    size_t count = 0;
    graph_point *points = collect_line(j, &count);
    ply_searcher *searcher = NULL;
    if (!points) {
        send_done(j, "error", "out of memory");
        return;
    }
    for (size_t i = 0; i < count; i++)
        send_point(j, &points[i], i);
    if (j->order.graph_nodes > 0)
        searcher = new_searcher(j, 1);
    for (size_t i = 0; searcher && i < count && !job_cancelled(j); i++) {
        if (points[i].known && !j->order.graph_again)
            continue;
        if (score_point(j, searcher, &points[i])) {
            keep_score(j, points[i].node, points[i].score, points[i].depth);
            send_point(j, &points[i], i);
        }
    }
    job_set_mind(j, NULL, NULL);
    send_done(j, job_cancelled(j) ? "stopped" : "limit", NULL);
    ply_searcher_free(searcher);
    free(points);
}
