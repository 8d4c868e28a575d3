/* SPDX-License-Identifier: MIT */
/* match.c - a match on all ranks; see cluster.h. A result is a line of the match's journal. */
#include "cluster/cluster.h"
#include <stdlib.h>
#include <string.h>

struct cluster_match {
    match_share share;
    const ply_rules *rules;
    cluster_farm *farm;
    uint64_t games;
    uint8_t *played; /* by game: in an earlier run */
};

/* Receives a game on rank 0. A line that cannot be read is dropped: its game counts as not played. */
static void receive_game(void *context, const void *bytes, size_t count)
{
    cluster_match *match = context;
    char *line = malloc(count + 1);
    if (!line)
        return;
    memcpy(line, bytes, count);
    line[count] = '\0';
    match_game *game = ply_match_game_parse(line, count, match->rules);
    if (game)
        ply_match_receive(&match->share, game);
    free(line);
}

static bool start(void *context)
{
    cluster_match *match = context;
    match->farm = cluster_farm_open(receive_game, match);
    return match->farm != NULL;
}

static uint64_t next(void *context)
{
    cluster_match *match = context;
    uint64_t number;
    do
        number = cluster_farm_take(match->farm);
    while (number < match->games && match->played[number]);
    return number;
}

static void submit(void *context, const match_game *game)
{
    cluster_match *match = context;
    ply_text line = ply_text_growing();
    ply_match_game_format(game, &line);
    if (!line.failed)
        cluster_farm_post(match->farm, line.data, line.length);
    ply_text_free(&line);
}

static void end(void *context)
{
    cluster_match *match = context;
    cluster_farm_end(match->farm);
}

static void finish(void *context)
{
    cluster_match *match = context;
    cluster_farm_close(match->farm);
    match->farm = NULL;
}

cluster_match *cluster_match_open(const ply_rules *rules, const match_results *results)
{
    cluster_match *match = calloc(1, sizeof *match);
    uint8_t *played = calloc((size_t)results->capacity + 1, 1);
    ply_error error = {0};
    bool good = match && played;
    if (cluster_agree(good ? PLY_OK : PLY_NO_MEMORY, &error) != PLY_OK || !match || !played) {
        free(match);
        free(played);
        return NULL;
    }
    for (uint64_t i = 0; i < results->capacity; i++)
        played[i] = results->games[i] != NULL;
    cluster_broadcast(played, (size_t)results->capacity);
    *match = (cluster_match){.share = {.start = start,
                                       .next = next,
                                       .submit = cluster_rank() == 0 ? NULL : submit,
                                       .end = end,
                                       .finish = finish,
                                       .context = match},
                             .rules = rules,
                             .games = results->capacity,
                             .played = played};
    return match;
}

match_share *cluster_match_share(cluster_match *match)
{
    return &match->share;
}

void cluster_match_close(cluster_match *match)
{
    if (match)
        free(match->played);
    free(match);
}
