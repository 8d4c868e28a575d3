/* SPDX-License-Identifier: MIT */
/*
 * usi.c - USI, the protocol of shogi programs. Moves and SFEN are the game's own notation.
 *
 * After a malformed position command there is no position: the next go resigns rather than answer
 * for a board that the client does not see.
 */
#include "protocol/uci.h"
#include <inttypes.h>
#include <plyverse/plyverse.h>
#include <string.h>

enum { PURPOSE_PLAY, PURPOSE_MATE };

/* --- go -------------------------------------------------------------------------------------- */
/* Whether the player to move may declare the game won. */
static bool may_declare(const ply_session *s)
{
    ply_outcome outcome = ply_state_outcome(&s->state);
    int side = s->rules.game->side(&s->rules, s->state.position);
    return outcome.result == (side == 0 ? PLY_FIRST_WINS : PLY_SECOND_WINS) &&
           strcmp(outcome.reason, "entering-king") == 0;
}

static void go(ply_session *s, ply_cursor *cursor)
{
    const uci_data *data = s->data;
    uci_go arguments;
    ply_protocol_stop_search(s, false);
    ply_uci_go_parse(s, cursor, &arguments);
    bool started = true;
    if (data->no_position || ply_game_count_moves(&s->rules, s->state.position) == 0) {
        ply_protocol_send(s, !arguments.is_mate  ? "bestmove resign"
                             : data->no_position ? "checkmate notimplemented"
                                                 : "checkmate nomate");
    } else if (arguments.is_mate) {
        /* A mate by checks alone; the number is milliseconds. */
        arguments.limits.millis = arguments.mate_number;
        started = ply_protocol_start_search(s, &arguments.limits, PURPOSE_MATE);
    } else if (!arguments.limits.ponder && !arguments.is_infinite && may_declare(s)) {
        ply_protocol_send(s, "bestmove win");
    } else {
        started = ply_protocol_start_search(s, &arguments.limits, PURPOSE_PLAY);
    }
    if (!started)
        ply_protocol_send(s, arguments.is_mate ? "checkmate timeout" : "bestmove resign");
    ply_uci_go_free(&arguments);
}

/* --- go mate: left to the solver ------------------------------------------------------------- */
typedef struct mate_search {
    ply_session *session;
    ply_solver *solver;
    double last_info; /* seconds into the search */
} mate_search;

/* Called now and then by the solver: passes a stop on, and sends info once a second. */
static void watch_solver(void *context, const ply_solve_report *report)
{
    mate_search *m = context;
    if (atomic_load(&m->session->job.stop))
        ply_solver_stop(m->solver);
    if (report->seconds < m->last_info + 1)
        return;
    m->last_info = report->seconds;
    ply_protocol_send(m->session, "info time %.0f nodes %" PRIu64 " nps %.0f",
                      report->seconds * 1000, report->nodes,
                      (double)report->nodes / report->seconds);
}

static void think(ply_session *s, protocol_answer *answer)
{
    const ply_search_limits *limits = &s->job.limits;
    ply_solve_limits solve_limits = {.millis = limits->millis, .nodes = limits->nodes};
    ply_solve_options options = {.memory_mb = s->search.memory_mb, .threads = s->search.threads};
    mate_search m = {.session = s};
    ply_solve_report report = {0};
    m.solver = ply_solver_new(&s->rules, ply_goal_find(s->rules.game, "mate"), &options);
    answer->status = PLY_NO_MEMORY;
    if (m.solver)
        answer->status = ply_solver_run(m.solver, s->job.state.position, &solve_limits,
                                        watch_solver, &m, &report);
    ply_text text = ply_text_growing();
    ply_text_string(&text, "checkmate ");
    if (report.verdict == PLY_VERDICT_WIN) {
        ply_protocol_send(s, "info score mate %" PRIu32 " nodes %" PRIu64 " time %.0f",
                          report.plies, report.nodes, report.seconds * 1000);
        size_t length = text.length;
        ply_variation_format(&s->job.state, report.pv, report.pv_length, NULL, &text);
        if (text.length == length)
            ply_text_string(&text, "timeout"); /* out of memory */
    } else {
        ply_text_string(&text, report.verdict == PLY_VERDICT_NO ? "nomate" : "timeout");
    }
    ply_solver_free(m.solver);
    if (!atomic_load(&s->job.silent))
        ply_protocol_send_text(s, &text);
    else
        ply_text_free(&text);
}

static void send_answer(ply_session *s, const protocol_answer *answer)
{
    if (answer->purpose != PURPOSE_MATE) /* think has sent that answer */
        ply_uci_bestmove(s, answer);
}

static bool command(ply_session *s, protocol_token name, ply_cursor *cursor)
{
    if (ply_token_is(name, "usinewgame"))
        ply_protocol_clear_search(s);
    else if (ply_token_is(name, "go"))
        go(s, cursor);
    else
        return false;
    return true;
}

static const uci_syntax syntax = {
    .words = &ply_uci_words_usi,
    .hash_name = "USI_Hash",
    .ponder_name = "USI_Ponder",
    .win_word = "mate ",
    .loss_word = "mate -",
    .win_unknown = "mate +",
    .loss_unknown = "mate -",
    .none_word = "resign",
    .error_word = "info string",
    .command = command,
};

const protocol_handler ply_protocol_usi = {
    .description = {.id = "usi", .summary = "shogi programs and boards", .game = "shogi"},
    .data_bytes = sizeof(uci_data),
    .uci = &syntax,
    .line = ply_uci_line,
    .info = ply_uci_info,
    .think = think,
    .answer = send_answer,
};
