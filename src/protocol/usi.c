/* SPDX-License-Identifier: MIT */
/*
 * usi.c - USI, the protocol of shogi programs. Moves and SFEN are the game's own texts.
 *
 * The search's clock belongs to the position on the board. A bad position line leaves no position:
 * the next go resigns rather than answer for a board that the other side does not see.
 */
#include "protocol/uci.h"
#include <inttypes.h>
#include <plyverse/plyverse.h>
#include <string.h>

enum { PURPOSE_PLAY, PURPOSE_MATE };

static const uci_variant dialect = {
    .keys = {[UCI_TIME_FIRST] = "btime",
             [UCI_TIME_SECOND] = "wtime",
             [UCI_INCREMENT_FIRST] = "binc",
             [UCI_INCREMENT_SECOND] = "winc"},
    .hash_name = "USI_Hash",
    .ponder_name = "USI_Ponder",
    .win_word = "mate ",
    .loss_word = "mate -",
    .win_unknown = "mate +",
    .loss_unknown = "mate -",
    .start_word = "startpos",
    .text_word = "sfen",
    .error_word = "info string",
};

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
    uci_own *own = s->own;
    uci_go order;
    ply_protocol_halt(s, false);
    ply_uci_go_read(s, &dialect, cursor, &order);
    bool answered = true;
    if (own->no_position || ply_game_count_moves(&s->rules, s->state.position) == 0) {
        ply_protocol_say(s, !order.is_mate     ? "bestmove resign"
                            : own->no_position ? "checkmate notimplemented"
                                               : "checkmate nomate");
    } else if (order.is_mate) {
        /* A mate by checks alone; the number is milliseconds. */
        order.limits.millis = order.mate_number;
        answered = ply_protocol_go(s, &order.limits, PURPOSE_MATE);
    } else if (!order.limits.ponder && !order.is_infinite && may_declare(s)) {
        ply_protocol_say(s, "bestmove win");
    } else {
        answered = ply_protocol_go(s, &order.limits, PURPOSE_PLAY);
    }
    if (!answered)
        ply_protocol_say(s, order.is_mate ? "checkmate timeout" : "bestmove resign");
    ply_uci_go_free(&order);
}

/* A mating problem belongs to the solver; told now and then, it also looks whether to stop. */
typedef struct mating {
    ply_session *session;
    ply_solver *solver;
    double told;
} mating;

static void watch_mating(void *context, const ply_solve_report *report)
{
    mating *m = context;
    if (__atomic_load_n(&m->session->job.stop, __ATOMIC_SEQ_CST))
        ply_solver_stop(m->solver);
    if (report->seconds < m->told + 1)
        return;
    m->told = report->seconds;
    ply_protocol_say(m->session, "info time %.0f nodes %" PRIu64 " nps %.0f",
                     report->seconds * 1000, report->nodes,
                     (double)report->nodes / report->seconds);
}

static void mate_text(const ply_session *s, const ply_solve_report *report, ply_text *out)
{
    ply_state state;
    if (ply_state_copy(&state, &s->job.state) != PLY_OK) {
        ply_text_string(out, " timeout");
        return;
    }
    for (size_t i = 0; i < report->pv_length; i++) {
        ply_text_char(out, ' ');
        ply_protocol_move_text(&state, report->pv[i], out);
        if (ply_state_play(&state, report->pv[i]) != PLY_OK)
            break;
    }
    ply_state_free(&state);
}

static void think(ply_session *s, protocol_answer *answer)
{
    const ply_search_limits *limits = &s->job.limits;
    ply_solve_limits until = {.millis = limits->millis, .nodes = limits->nodes};
    ply_solve_options options = {.memory_mb = s->options.search.memory_mb,
                                 .threads = s->options.search.threads};
    mating m = {.session = s};
    ply_solve_report report = {0};
    m.solver = ply_solver_new(&s->rules, ply_goal_find(s->rules.game, "mate"), &options);
    answer->status = PLY_NO_MEMORY;
    if (m.solver)
        answer->status =
            ply_solver_run(m.solver, s->job.state.position, &until, watch_mating, &m, &report);
    ply_text text = ply_text_growing();
    ply_text_string(&text, "checkmate");
    if (report.verdict == PLY_VERDICT_WIN) {
        ply_protocol_say(s, "info score mate %" PRIu32 " nodes %" PRIu64 " time %.0f", report.plies,
                         report.nodes, report.seconds * 1000);
        mate_text(s, &report, &text);
    } else {
        ply_text_string(&text, report.verdict == PLY_VERDICT_NO ? " nomate" : " timeout");
    }
    ply_solver_free(m.solver);
    if (!__atomic_load_n(&s->job.silent, __ATOMIC_SEQ_CST))
        ply_protocol_say_text(s, &text);
    else
        ply_text_free(&text);
}

static void info(ply_session *s, const ply_search_report *report)
{
    ply_uci_say_info(s, &dialect, report);
}

static void say_answer(ply_session *s, const protocol_answer *answer)
{
    if (answer->purpose == PURPOSE_MATE)
        return; /* think has spoken */
    ply_uci_say_bestmove(s, answer, "resign");
}

/* --- lines ----------------------------------------------------------------------------------- */
static bool line(ply_session *s, const char *text, size_t length)
{
    ply_error error = {0};
    ply_cursor cursor = ply_cursor_make(text, length, &error);
    protocol_word word;
    if (!ply_protocol_next(&cursor, &word))
        return true;
    if (ply_protocol_is(word, "usi")) {
        ply_protocol_say(s, "id name Plyverse %s", ply_version());
        ply_protocol_say(s, "id author the Plyverse authors");
        ply_uci_say_options(s, &dialect);
        ply_protocol_say(s, "usiok");
    } else if (ply_protocol_is(word, "usinewgame")) {
        ply_protocol_forget(s);
    } else if (ply_protocol_is(word, "go")) {
        go(s, &cursor);
    } else {
        return ply_uci_command(s, &dialect, word, &cursor);
    }
    return true;
}

const protocol_kind ply_protocol_usi = {
    .face = {.id = "usi", .summary = "shogi programs and boards", .game = "shogi"},
    .own_bytes = sizeof(uci_own),
    .line = line,
    .info = info,
    .think = think,
    .answer = say_answer,
};
