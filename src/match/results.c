/* SPDX-License-Identifier: MIT */
/* results.c - the games of a match, their totals, and their records; see match.h. */
#include "match/match.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int ply_match_game_points(const match_game *game)
{
    if (game->result == PLY_DRAW)
        return 1;
    int winner = game->result == PLY_FIRST_WINS ? 0 : 1;
    return ply_match_engine_of(game->number, winner) == 0 ? 2 : 0;
}

int ply_match_game_forfeiter(const match_game *game)
{
    if (game->ending < MATCH_BY_TIME || game->result == PLY_DRAW)
        return -1;
    return ply_match_game_points(game) == 0 ? 0 : 1;
}

void ply_match_game_free(match_game *game)
{
    if (!game)
        return;
    free(game->opening);
    free(game->start);
    free(game->moves);
    free(game->millis);
    free(game->scores);
    free(game);
}

ply_status ply_match_results_init(match_results *results, uint64_t games)
{
    *results = (match_results){.capacity = games};
    results->games = calloc(games ? games : 1, sizeof *results->games);
    return results->games ? PLY_OK : PLY_NO_MEMORY;
}

void ply_match_results_free(match_results *results)
{
    for (uint64_t i = 0; results->games && i < results->capacity; i++)
        ply_match_game_free(results->games[i]);
    free(results->games);
    *results = (match_results){0};
}

match_summary ply_match_results_summarize(const match_results *results, uint64_t count)
{
    match_summary summary = {0};
    for (uint64_t i = 0; i < count && i < results->capacity; i++) {
        const match_game *game = results->games[i];
        if (!game)
            continue;
        int points = ply_match_game_points(game);
        summary.games++;
        summary.plies += game->plies;
        summary.tally.wins += points == 2;
        summary.tally.draws += points == 1;
        summary.tally.losses += points == 0;
        summary.by_colour[i & 1][points]++;
        if (points != 1)
            summary.endings[points == 0 ? 0 : 1][game->ending]++;
        const match_game *other = i & 1 ? results->games[i - 1] : NULL;
        if (other)
            summary.tally.pairs[points + ply_match_game_points(other)]++;
    }
    return summary;
}

uint64_t ply_match_results_complete_pairs(const match_results *results)
{
    uint64_t pairs = 0;
    while (2 * pairs + 1 < results->capacity && results->games[2 * pairs] &&
           results->games[2 * pairs + 1])
        pairs++;
    return pairs;
}

match_verdict ply_match_sprt_decide(const match_sprt *sprt, const match_results *results,
                                    uint64_t *pairs)
{
    uint64_t whole = ply_match_results_complete_pairs(results);
    match_tally tally = {0};
    for (*pairs = 0; *pairs < whole;) {
        tally.pairs[ply_match_game_points(results->games[2 * *pairs]) +
                    ply_match_game_points(results->games[2 * *pairs + 1])]++;
        ++*pairs;
        match_verdict verdict = ply_match_sprt_verdict(sprt, &tally);
        if (verdict != MATCH_UNDECIDED)
            return verdict;
    }
    return MATCH_UNDECIDED;
}

static ply_status set_tag(ply_record *record, const char *name, const char *value)
{
    return ply_record_set_tag(record, name, strlen(name), value, strlen(value));
}

static ply_status add_tags(const match_game *game, const ply_rules *rules,
                           const char *const names[2], ply_record *record)
{
    char round[24];
    snprintf(round, sizeof round, "%llu", (unsigned long long)game->number + 1);
    ply_status status = set_tag(record, "Event", "plyverse match");
    if (status == PLY_OK)
        status = set_tag(record, "Round", round);
    for (int player = 0; player < 2 && status == PLY_OK; player++)
        status = set_tag(record, ply_game_player_name(rules, player),
                         names[ply_match_engine_of(game->number, player)]);
    if (status == PLY_OK && game->opening[0])
        status = set_tag(record, "Opening", game->opening);
    if (status == PLY_OK && game->detail[0])
        status = set_tag(record, "Detail", game->detail);
    return status;
}

ply_status ply_match_game_record(const match_game *game, const ply_rules *rules,
                                 const char *const names[2], ply_record *record)
{
    ply_state state;
    ply_status status = ply_record_init(record, rules);
    if (status != PLY_OK)
        return status;
    if (game->start[0])
        status = ply_record_set_start(record, game->start, strlen(game->start));
    if (status == PLY_OK)
        status = add_tags(game, rules, names, record);
    if (status == PLY_OK)
        status = ply_record_start_state(record, &state, NULL);
    if (status != PLY_OK)
        return status;
    status = ply_state_play_text(&state, game->moves, strlen(game->moves), NULL);
    uint32_t node = 0;
    for (size_t i = 0; i < state.plies && status == PLY_OK; i++) {
        status = ply_record_add(record, node, state.moves[i], &node);
        if (status == PLY_OK && i < game->plies)
            record->nodes[node].millis = game->millis[i];
    }
    ply_state_free(&state);
    if (status == PLY_OK)
        status = ply_record_set_ending(record, game->result, game->reason);
    return status;
}
