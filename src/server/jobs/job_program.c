/* SPDX-License-Identifier: MIT */
/* job_program.c - moves and analyses by a program of the user's; see job_kinds.c for our own. */
#include "core/clock.h"
#include "server/jobs/job_internal.h"
#include <stdlib.h>
#include <string.h>

enum {
    LINE_LIMIT = 16,         /* variations of an analysis */
    REPORT_NANOS = 40000000, /* at least, between two reports of an analysis */
};

static int side_to_move(const ply_state *state)
{
    return state->rules->game->side(state->rules, state->position);
}

/* --- moves ------------------------------------------------------------------------------------ */
/* Asks for the moves of a turn, one by one. *answer is the last answer. */
static ply_status ask_for_turn(job *j, running_program *p, job_turn *turn, match_answer *answer)
{
    ply_state state;
    ply_status status = ply_state_copy(&state, &j->state);
    if (status != PLY_OK)
        return status;
    int side = side_to_move(&state);
    ply_search_limits limits = j->spec.limits;
    while (status == PLY_OK && turn->count < JOB_TURN_LIMIT && side_to_move(&state) == side &&
           ply_state_outcome(&state).result == PLY_ONGOING) {
        uint64_t start = ply_clock_nanos();
        program_ask(p, &state, &limits, answer);
        double seconds = ply_clock_seconds_since(start);
        job_take_time(&limits, side, seconds);
        if (answer->kind != MATCH_MOVE || job_is_cancelled(j))
            break;
        if (turn->count == 0)
            turn->first = (ply_player_answer){.pv = {.score = answer->score, .length = 1},
                                              .has_score = answer->has_score};
        turn->first.pv.moves[0] = turn->count == 0 ? answer->move : turn->moves[0];
        turn->first.seconds += seconds;
        turn->moves[turn->count++] = answer->move;
        status = ply_state_play(&state, answer->move);
    }
    ply_state_free(&state);
    return status;
}

void job_choose_by_program(job *j, job_turn *turn, job_result *result, ply_error *error)
{
    program_purpose purpose = {.game = j->spec.game, .side = side_to_move(&j->state)};
    running_program *p =
        program_take(&j->pool->programs, j->spec.program, &j->rules, purpose, error);
    result->error = error;
    if (!p) {
        result->failure = error->status == PLY_LIMIT ? JOB_BUSY : JOB_PROGRAM;
        return;
    }
    match_answer answer = {0};
    job_set_program(j, p);
    result->status = ask_for_turn(j, p, turn, &answer);
    job_set_program(j, NULL);
    if (answer.kind == MATCH_STOPPED || job_is_cancelled(j))
        result->status = PLY_STOPPED;
    else if (answer.kind == MATCH_RESIGN)
        result->resigned = true;
    else if (answer.kind != MATCH_MOVE) {
        result->failure = JOB_PROGRAM;
        program_explain(p, &answer, error);
    }
    if (result->resigned)
        turn->count = 0; /* a turn that is not finished is not played */
    program_give_back(p, answer.kind == MATCH_MOVE && result->status == PLY_OK);
}

/* --- analysis --------------------------------------------------------------------------------- */
/* A program reports the variations of one iteration one after the other, the best first. They are
 * shown together: with one from this iteration and others from the last, a move could stand in two
 * of them. */
typedef struct program_report {
    job *job;
    ply_variation lines[LINE_LIMIT]; /* of the iteration that is being reported */
    size_t count;                    /* of lines so far */
    size_t expected;                 /* lines of an iteration: those wanted, at most those it has */
    bool scored;
    int depth;
    uint64_t nodes, start, sent_at;
    bool has_unsent;
} program_report;

static void send_report(program_report *r)
{
    ply_search_report report = {.depth = r->depth,
                                .selective_depth = r->depth,
                                .nodes = r->nodes,
                                .seconds = ply_clock_seconds_since(r->start),
                                .pv_count = r->count,
                                .pv = r->lines};
    ply_text data = ply_text_growing();
    r->job->spec.output->info(&r->job->state, &report, r->scored, &data);
    job_send_event(r->job, "info", &data, true);
    ply_text_free(&data);
    r->sent_at = ply_clock_nanos();
    r->has_unsent = false;
}

/* A new iteration begins: the last one had all the lines it will have. */
static void begin_iteration(program_report *r, const match_info *info)
{
    if (r->count > 0)
        r->expected = r->count;
    if (r->has_unsent && ply_clock_nanos() - r->sent_at >= REPORT_NANOS)
        send_report(r);
    r->count = 0;
    r->depth = info->depth;
    r->scored = info->has_score;
}

static void on_info(void *context, const match_info *info)
{
    program_report *r = context;
    if (info->line == 1)
        begin_iteration(r, info);
    if (info->line > LINE_LIMIT || info->line != r->count + 1)
        return;
    ply_variation *line = &r->lines[r->count++];
    line->length = (uint32_t)info->count;
    line->score = info->score;
    memcpy(line->moves, info->moves, info->count * sizeof *line->moves);
    if (info->nodes > r->nodes)
        r->nodes = info->nodes;
    r->has_unsent = true;
    if (r->count >= r->expected && ply_clock_nanos() - r->sent_at >= REPORT_NANOS)
        send_report(r);
}

void job_analyse_by_program(job *j)
{
    ply_error error = {0};
    program_purpose purpose = {.game = j->spec.game, .side = -1};
    program_report *r = calloc(1, sizeof *r);
    running_program *p =
        r ? program_take(&j->pool->programs, j->spec.program, &j->rules, purpose, &error) : NULL;
    if (!p) {
        job_send_done(j, "error", r ? error.message : "out of memory");
        free(r);
        return;
    }
    match_answer answer = {0};
    r->job = j;
    r->expected = j->spec.limits.multipv;
    r->start = ply_clock_nanos();
    job_set_program(j, p);
    if (job_is_cancelled(j))
        program_interrupt(p);
    program_analyse(p, &j->state, &j->spec.limits, on_info, r, &answer);
    job_set_program(j, NULL);
    if (r->has_unsent && (r->count >= r->expected || r->sent_at == 0))
        send_report(r);
    bool failed =
        answer.kind == MATCH_ILLEGAL || answer.kind == MATCH_TIMEOUT || answer.kind == MATCH_CRASH;
    if (r->count > 0 && r->scored && r->depth > 0) {
        int32_t score = r->lines[0].score;
        job_save_score(j, j->spec.node, side_to_move(&j->state) == 0 ? score : -score, r->depth);
    }
    if (job_is_cancelled(j)) {
        job_send_done(j, "stopped", NULL);
    } else if (failed) {
        program_explain(p, &answer, &error);
        job_send_done(j, "error", error.message);
    } else {
        job_send_done(j, "limit", NULL);
    }
    program_give_back(p, !failed && answer.kind != MATCH_STOPPED);
    free(r);
}
