/* SPDX-License-Identifier: MIT */
/* job_view.c - the results of jobs as JSON; see job_output in job.h. */
#include "core/text/json_write.h"
#include "server/api/app.h"
#include "server/api/view.h"

static void write_effort(uint64_t nodes, double seconds, ply_text *out)
{
    ply_json_member_unsigned(out, "nodes", nodes);
    ply_json_name(out, "seconds");
    ply_json_real(out, seconds);
}

static void write_depth(const char *name, int depth, ply_text *out)
{
    ply_json_name(out, name);
    ply_json_signed(out, depth);
}

/* The schema Thought. */
static void write_thought(const job_result *result, ply_text *out)
{
    const ply_player_answer *answer = result->answer;
    ply_json_open(out, '{');
    view_scored_variation(result->before, &answer->pv, answer->has_score, out);
    write_depth("depth", answer->depth, out);
    write_effort(answer->nodes, answer->seconds, out);
    ply_json_close(out, '}');
}

static void fail_reply(const job_result *result, response *answer)
{
    if (result->failure == JOB_CANCELLED)
        response_fail(answer, 409, "cancelled", NULL, "the search was cancelled");
    else if (result->failure == JOB_OUT_OF_TIME)
        response_fail(answer, 409, "time", NULL, "the time has run out");
    else if (result->failure == JOB_GAME_GONE)
        response_fail(answer, 404, "not-found", NULL, "the game no longer exists");
    else if (result->failure == JOB_NOT_SAVED)
        response_fail_error(answer, result->status == PLY_LIMIT ? 409 : 507, NULL, result->error);
    else if (result->failure == JOB_BUSY)
        response_fail_error(answer, 429, NULL, result->error);
    else if (result->failure == JOB_PROGRAM)
        response_fail(answer, 409, "program", NULL, "%s", result->error->message);
    else if (result->status == PLY_NO_MEMORY)
        response_no_memory(answer);
    else
        response_fail(answer, 409, "no-move", NULL, "%s", ply_status_text(result->status));
}

static int write_reply(const job_result *result, ply_text *out)
{
    response answer = {0};
    if (result->failure != JOB_OK) {
        fail_reply(result, &answer);
    } else if (!result->game) {
        write_thought(result, response_json(&answer, 200));
    } else {
        ply_text *body = response_json(&answer, 200);
        view_added_nodes(result->game, result->node, result->first_new, result->after, body);
        ply_json_name(body, "moves");
        view_variation(result->before, result->moves, result->move_count, body);
        ply_json_name(body, "thought");
        write_thought(result, body);
        ply_json_close(body, '}');
    }
    if (answer.body.failed)
        response_no_memory(&answer);
    *out = answer.body; /* the caller's text is empty, and owns the body now */
    return answer.status;
}

/* The schema Info. */
static void write_info(ply_state *state, const ply_search_report *report, bool scored,
                       ply_text *out)
{
    ply_json_open(out, '{');
    write_depth("depth", report->depth, out);
    write_depth("selective_depth", report->selective_depth, out);
    write_effort(report->nodes, report->seconds, out);
    ply_json_member_unsigned(
        out, "nodes_per_second",
        report->seconds > 0 ? (uint64_t)((double)report->nodes / report->seconds) : 0);
    ply_json_name(out, "lines");
    ply_json_open(out, '[');
    for (size_t i = 0; i < report->pv_count; i++) {
        ply_json_open(out, '{');
        view_scored_variation(state, &report->pv[i], scored, out);
        ply_json_close(out, '}');
    }
    ply_json_close(out, ']');
    ply_json_close(out, '}');
}

/* The schema Done. */
static void write_done(const char *reason, const char *message, ply_text *out)
{
    ply_json_open(out, '{');
    ply_json_member_string(out, "reason", reason);
    if (message)
        ply_json_member_string(out, "message", message);
    ply_json_close(out, '}');
}

const job_output api_job_output = {write_reply, write_info, write_done};

void app_take_reply(job *j, response *answer)
{
    ply_text body;
    int status = job_take_reply(j, &body);
    *response_json(answer, status) = body;
}
