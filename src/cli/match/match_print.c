/* SPDX-License-Identifier: MIT */
/* match_print.c - see match_print.h. */
#include "cli/match/match_print.h"
#include "core/text/json_write.h"
#include "model/variation.h"
#include <inttypes.h>
#include <math.h>

static const char *verdict_name(match_verdict verdict)
{
    return verdict == MATCH_H1 ? "H1" : verdict == MATCH_H0 ? "H0" : "none";
}

static void put_elo(const match_elo *elo, ply_text *out)
{
    ply_text_format(out, "elo %+.1f +- %.1f", elo->elo, elo->error);
}

/* The verdict of the SPRT, and the likelihood ratio of the pairs it took. */
static match_verdict run_sprt(const match_view *v, const match_results *results, double *llr,
                              uint64_t *pairs)
{
    match_verdict verdict = ply_match_sprt_decide(v->sprt, results, pairs);
    match_summary tested = ply_match_results_summarize(results, 2 * *pairs);
    *llr = ply_match_sprt_llr(&tested.tally, v->sprt->elo0, v->sprt->elo1);
    return verdict;
}

static void print_standing(const match_view *v, const match_summary *t, int engine, ply_text *out)
{
    uint64_t won = engine ? t->tally.losses : t->tally.wins;
    uint64_t lost = engine ? t->tally.wins : t->tally.losses;
    const uint64_t *endings = t->endings[engine];
    ply_text_format(out,
                    "%-26.26s %6" PRIu64 " %6" PRIu64 " %6" PRIu64 " %8.1f %6" PRIu64 " %7" PRIu64
                    " %6" PRIu64 "\n",
                    v->names[engine], won, lost, t->tally.draws,
                    (double)won + 0.5 * (double)t->tally.draws, endings[MATCH_BY_TIME],
                    endings[MATCH_BY_ILLEGAL], endings[MATCH_BY_CRASH]);
}

void match_print_standings(const match_view *v, const match_results *results, ply_text *out)
{
    match_summary t = ply_match_results_summarize(results, results->capacity);
    match_elo elo = ply_match_estimate(&t.tally);
    ply_text_string(
        out, "engine                        won   lost  drawn   points   time illegal  crash\n");
    print_standing(v, &t, 0, out);
    print_standing(v, &t, 1, out);
    ply_text_format(out, "%" PRIu64 " of %" PRIu64 " games  ", t.games, v->games);
    put_elo(&elo, out);
    ply_text_format(out, "  los %.1f%%", elo.los * 100);
    if (v->sprt) {
        double llr, lower, upper;
        uint64_t pairs;
        run_sprt(v, results, &llr, &pairs);
        ply_match_sprt_bounds(v->sprt, &lower, &upper);
        ply_text_format(out, "  llr %.2f (%.2f to %.2f)", llr, lower, upper);
    }
    if (t.games > v->before && t.games < v->games) {
        double left = v->seconds / (double)(t.games - v->before) * (double)(v->games - t.games);
        ply_text_format(out, "  about %.0f:%02.0f left", floor(left / 60), floor(fmod(left, 60)));
    }
    ply_text_char(out, '\n');
}

void match_print_plain(const match_view *v, const match_results *results, ply_text *out)
{
    static const char *const who[2] = {"first", "second"};
    match_summary t = ply_match_results_summarize(results, results->capacity);
    match_elo elo = ply_match_estimate(&t.tally);
    ply_text_format(out, "games %" PRIu64 "\nplies %" PRIu64 "\n", t.games, t.plies);
    for (int i = 0; i < 2; i++)
        ply_text_format(out, "%s %s\n", who[i], v->names[i]);
    for (int i = 0; i < 2; i++)
        ply_text_format(out, "as player %d: %" PRIu64 "-%" PRIu64 "-%" PRIu64 "\n", i,
                        t.by_colour[i][2], t.by_colour[i][0], t.by_colour[i][1]);
    ply_text_string(out, "pairs");
    for (int i = 0; i < 5; i++)
        ply_text_format(out, " %" PRIu64, t.tally.pairs[i]);
    ply_text_char(out, '\n');
    for (int i = 0; i < 2; i++)
        ply_text_format(out, "forfeits %s time %" PRIu64 " illegal %" PRIu64 " crash %" PRIu64 "\n",
                        who[i], t.endings[i][MATCH_BY_TIME], t.endings[i][MATCH_BY_ILLEGAL],
                        t.endings[i][MATCH_BY_CRASH]);
    if (v->sprt) {
        double llr, lower, upper;
        uint64_t pairs;
        match_verdict verdict = run_sprt(v, results, &llr, &pairs);
        ply_match_sprt_bounds(v->sprt, &lower, &upper);
        ply_text_format(
            out,
            "sprt elo0 %g elo1 %g llr %.3f lower %.3f upper %.3f pairs %" PRIu64 " accepted %s\n",
            v->sprt->elo0, v->sprt->elo1, llr, lower, upper, pairs, verdict_name(verdict));
    }
    ply_text_format(out, "los %.3f\n", elo.los);
    put_elo(&elo, out);
    ply_text_format(out, "\nscore %" PRIu64 "-%" PRIu64 "-%" PRIu64 "\n", t.tally.wins,
                    t.tally.losses, t.tally.draws);
}

static void member_real(ply_text *out, const char *name, double value)
{
    ply_json_name(out, name);
    if (isfinite(value))
        ply_json_real(out, value);
    else
        ply_json_null(out);
}

static void put_engine(const match_view *v, const match_summary *t, int i, ply_text *out)
{
    ply_json_open(out, '{');
    ply_json_member_string(out, "name", v->names[i]);
    ply_json_member_unsigned(out, "time", t->endings[i][MATCH_BY_TIME]);
    ply_json_member_unsigned(out, "illegal", t->endings[i][MATCH_BY_ILLEGAL]);
    ply_json_member_unsigned(out, "crash", t->endings[i][MATCH_BY_CRASH]);
    ply_json_close(out, '}');
}

static void put_games(const match_results *results, ply_text *out)
{
    ply_json_name(out, "results");
    ply_json_open(out, '[');
    for (uint64_t i = 0; i < results->capacity; i++) {
        const match_game *game = results->games[i];
        if (!game)
            continue;
        int forfeiter = ply_match_game_forfeiter(game);
        ply_json_open(out, '{');
        ply_json_member_unsigned(out, "game", i + 1);
        ply_json_member_string(out, "result", ply_result_name(game->result));
        ply_json_name(out, "points");
        ply_json_real(out, ply_match_game_points(game) / 2.0);
        ply_json_member_string(out, "reason", game->reason);
        ply_json_member_string(out, "detail", game->detail);
        ply_json_name(out, "fault");
        if (forfeiter < 0)
            ply_json_null(out);
        else
            ply_json_string(out, forfeiter ? "second" : "first");
        ply_json_member_string(out, "opening", game->opening);
        ply_json_member_unsigned(out, "plies", game->plies);
        ply_json_close(out, '}');
    }
    ply_json_close(out, ']');
}

void match_print_json(const match_view *v, const match_results *results, ply_text *out)
{
    match_summary t = ply_match_results_summarize(results, results->capacity);
    match_elo elo = ply_match_estimate(&t.tally);
    cli_json_open(v->rules, out);
    ply_json_member_unsigned(out, "games", t.games);
    ply_json_member_unsigned(out, "plies", t.plies);
    ply_json_member_unsigned(out, "wins", t.tally.wins);
    ply_json_member_unsigned(out, "losses", t.tally.losses);
    ply_json_member_unsigned(out, "draws", t.tally.draws);
    ply_json_name(out, "pairs");
    ply_json_open(out, '[');
    for (int i = 0; i < 5; i++)
        ply_json_unsigned(out, t.tally.pairs[i]);
    ply_json_close(out, ']');
    member_real(out, "score", elo.score);
    member_real(out, "elo", elo.elo);
    member_real(out, "error", elo.error);
    ply_json_member_string(out, "model", elo.from_pairs ? "pentanomial" : "trinomial");
    member_real(out, "los", elo.los);
    ply_json_name(out, "engines");
    ply_json_open(out, '[');
    put_engine(v, &t, 0, out);
    put_engine(v, &t, 1, out);
    ply_json_close(out, ']');
    if (v->sprt) {
        double llr, lower, upper;
        uint64_t pairs;
        match_verdict verdict = run_sprt(v, results, &llr, &pairs);
        ply_match_sprt_bounds(v->sprt, &lower, &upper);
        ply_json_name(out, "sprt");
        ply_json_open(out, '{');
        member_real(out, "elo0", v->sprt->elo0);
        member_real(out, "elo1", v->sprt->elo1);
        member_real(out, "llr", llr);
        member_real(out, "lower", lower);
        member_real(out, "upper", upper);
        ply_json_member_unsigned(out, "pairs", pairs);
        ply_json_member_string(out, "accepted", verdict_name(verdict));
        ply_json_close(out, '}');
    }
    put_games(results, out);
    ply_json_close(out, '}');
    ply_text_char(out, '\n');
}
