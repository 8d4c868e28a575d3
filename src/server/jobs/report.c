/* SPDX-License-Identifier: MIT */
/* report.c - losses, severities and averages; see report.h. */
#include "server/jobs/report.h"
#include <math.h>
#include <stdlib.h>

const int report_bucket_starts[REPORT_BUCKETS] = {0, 2, 5, 10, 20, 30, 50};

double report_chance(int32_t score)
{
    enum { SCALE = 250 }; /* this many hundredths give a chance of 73% */
    if (score >= PLY_SCORE_FORCED || score <= -PLY_SCORE_FORCED)
        return score > 0 ? 1 : 0;
    return 1 / (1 + exp(-(double)score / SCALE));
}

uint8_t report_glyph(report_severity severity)
{
    static const uint8_t glyphs[REPORT_SEVERITIES] = {0, 6, 2, 4}; /* ?!, ?, ?? */
    return glyphs[severity];
}

uint32_t *report_nodes(const library_game *game, size_t *count)
{
    const ply_record_node *nodes = game->record.nodes;
    uint32_t last, length = 0;
    library_main_line(game, &last);
    if (library_has_tip(game))
        last = (uint32_t)game->header.tip;
    for (uint32_t n = last; n; n = nodes[n].parent)
        length++;
    uint32_t *list = calloc(length + 1, sizeof *list);
    if (!list)
        return NULL;
    uint32_t at = length;
    for (uint32_t n = last; n; n = nodes[n].parent)
        list[at--] = n;
    list[0] = 0;
    *count = 1;
    for (uint32_t i = 1; i <= length; i++)
        if (i == length || game->extra[list[i + 1]].side != game->extra[list[i]].side)
            list[(*count)++] = list[i];
    return list;
}

static bool is_scored(const library_game *game, uint32_t node)
{
    return game->extra[node].score != STORE_NO_SCORE;
}

/* Who is ahead by a chance: 1 the player, -1 the opponent, 0 nobody clearly. */
static int standing(double chance)
{
    return chance > 0.7 ? 1 : chance < 0.3 ? -1 : 0;
}

static void judge(const library_game *game, report_turn *turn)
{
    static const double limits[REPORT_SEVERITIES] = {0, 0.1, 0.2, 0.3};
    const library_node *before = &game->extra[turn->before], *after = &game->extra[turn->after];
    int sign = turn->side == 0 ? 1 : -1;
    turn->scored = is_scored(game, turn->before) && is_scored(game, turn->after);
    if (!turn->scored)
        return;
    turn->exact = before->depth >= LIBRARY_EXACT_DEPTH && after->depth >= LIBRARY_EXACT_DEPTH;
    turn->chance_before = report_chance(sign * before->score);
    turn->chance_after = report_chance(sign * after->score);
    turn->loss = fmax(0, turn->chance_before - turn->chance_after);
    for (int s = REPORT_INACCURACY; s < REPORT_SEVERITIES; s++)
        if (turn->loss >= limits[s])
            turn->severity = (report_severity)s;
    turn->turning = turn->severity >= REPORT_MISTAKE &&
                    standing(turn->chance_before) != standing(turn->chance_after);
}

/* The time of a turn: that of all its moves, or -1 if none is known. */
static int64_t turn_millis(const library_game *game, const report_turn *turn)
{
    int64_t sum = -1;
    for (uint32_t n = turn->after; n != turn->before; n = game->record.nodes[n].parent)
        if (game->record.nodes[n].millis >= 0)
            sum = (sum < 0 ? 0 : sum) + game->record.nodes[n].millis;
    return sum;
}

static void count_turn(const library_game *game, const report_turn *turn, report_player *player)
{
    int64_t millis = turn_millis(game, turn);
    player->turns++;
    if (millis >= 0) {
        player->timed++;
        player->millis += millis;
        if (millis > player->longest || player->timed == 1) {
            player->longest = millis;
            player->longest_node = turn->after;
        }
    }
    if (!turn->scored)
        return;
    int bucket = REPORT_BUCKETS - 1;
    while (turn->loss * 100 < report_bucket_starts[bucket])
        bucket--;
    player->histogram[bucket]++;
    player->counts[turn->severity]++;
    player->scored++;
    player->accuracy += 100 * exp(-4 * turn->loss);
    player->loss += 100 * turn->loss;
}

bool report_make(const library_game *game, game_report *out)
{
    size_t count = 0;
    uint32_t *nodes = report_nodes(game, &count);
    *out = (game_report){0};
    if (!nodes)
        return false;
    out->turns = calloc(count, sizeof *out->turns);
    if (!out->turns) {
        free(nodes);
        return false;
    }
    out->count = count - 1;
    for (size_t i = 0; i < out->count; i++) {
        report_turn *turn = &out->turns[i];
        *turn = (report_turn){
            .before = nodes[i], .after = nodes[i + 1], .side = game->extra[nodes[i + 1]].side};
        judge(game, turn);
        count_turn(game, turn, &out->players[turn->side]);
    }
    for (int i = 0; i < 2; i++) {
        report_player *player = &out->players[i];
        player->accuracy = player->scored ? player->accuracy / player->scored : 100;
        player->loss = player->scored ? player->loss / player->scored : 0;
    }
    free(nodes);
    return true;
}

void report_free(game_report *r)
{
    free(r->turns);
    *r = (game_report){0};
}
