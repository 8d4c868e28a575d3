/* SPDX-License-Identifier: MIT */
/* play.c - games of the engine against itself; see tune.h. */
#include "core/clock.h"
#include "core/workers.h"
#include "model/variation.h"
#include "tune/tune.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BATCH = 64, TRIES = 100, SEARCH_MB = 8 };

/* Random plies, or one of the game's openings with some behind it; leaves a game to be played. */
static ply_status play_opening(ply_state *state, ply_rng *rng, unsigned most)
{
    const ply_rules *rules = state->rules;
    size_t known = rules->openings->count ? rules->openings->count(rules) : 0;
    for (int attempt = 0; attempt < TRIES; attempt++) {
        ply_status status = ply_state_restart(state);
        unsigned plies = most / 2 + ply_rng_below(rng, most - most / 2 + 1);
        if (status == PLY_OK && known > 0 && (ply_rng_next(rng) >> 63)) {
            ply_text name = ply_text_growing(), position = ply_text_growing();
            ply_text moves = ply_text_growing();
            size_t i = ply_rng_below(rng, (uint32_t)known);
            status = rules->openings->get(rules, i, &name, &position, &moves);
            /* A game's text begins at the usual start, so only openings that do are of use. */
            if (status == PLY_OK && position.length == 0)
                status = ply_state_play_text(state, ply_text_cstr(&moves), moves.length, NULL);
            ply_text_free(&name);
            ply_text_free(&position);
            ply_text_free(&moves);
            plies /= 2;
        }
        for (unsigned i = 0; i < plies && status == PLY_OK; i++) {
            if (ply_state_outcome(state).result != PLY_ONGOING)
                break;
            size_t count = ply_game_count_moves(rules, state->position);
            status = ply_state_play(state, ply_game_nth_move(rules, state->position,
                                                             ply_rng_below(rng, (uint32_t)count)));
        }
        if (status == PLY_OK && ply_state_outcome(state).result == PLY_ONGOING)
            return PLY_OK;
    }
    return PLY_LIMIT;
}

/* Plays on until the game is over, decided or too long; scores get one number a move. */
static ply_status play_game(ply_state *state, ply_searcher *searcher,
                            const tune_play_options *options, ply_text *scores, ply_result *result)
{
    const ply_rules *rules = state->rules;
    ply_search_limits limits = {.nodes = options->nodes};
    for (;;) {
        *result = ply_state_outcome(state).result;
        if (*result != PLY_ONGOING)
            return PLY_OK;
        if (state->plies >= options->max_plies) {
            *result = PLY_DRAW;
            return PLY_OK;
        }
        ply_search_report report;
        ply_status status = ply_searcher_run(searcher, state, &limits, NULL, NULL, &report);
        if (status != PLY_OK)
            return status;
        int32_t score = report.pv[0].score;
        if (score >= PLY_SCORE_FORCED || score <= -PLY_SCORE_FORCED) {
            int side = rules->game->side(rules, state->position);
            *result = ply_outcome_win(score > 0 ? side : !side, NULL).result;
            return PLY_OK;
        }
        if ((status = ply_state_play(state, report.pv[0].moves[0])) != PLY_OK)
            return status;
        ply_text_format(scores, " %d", (int)score);
    }
}


ply_status tune_play_game(const ply_rules *rules, ply_searcher *searcher,
                          const tune_play_options *options, uint64_t g, ply_text *out)
{
    static const char *const results[] = {"*", "1-0", "0-1", "1/2"};
    ply_rng rng = ply_rng_make(options->seed, g);
    ply_state state;
    ply_status status = ply_state_init(&state, rules);
    if (status != PLY_OK)
        return status;
    ply_text scores = ply_text_growing();
    ply_result result = PLY_ONGOING;
    ply_searcher_clear(searcher);
    status = play_opening(&state, &rng, options->opening_plies);
    size_t opening = state.plies;
    if (status == PLY_OK)
        status = play_game(&state, searcher, options, &scores, &result);
    if (status == PLY_OK) {
        ply_text_format(out, "game %llu ", (unsigned long long)g);
        ply_rules_format(rules, out);
        ply_text_format(out, " %s %zu\nmoves%s", results[result], opening, state.plies ? " " : "");
        status = ply_state_format_moves(&state, NULL, out);
        ply_text_string(out, "\nscores");
        ply_text_bytes(out, ply_text_cstr(&scores), scores.length);
        ply_text_char(out, '\n');
        if (out->failed || scores.failed)
            status = PLY_NO_MEMORY;
    }
    ply_text_free(&scores);
    ply_state_free(&state);
    return status;
}

/* --- all games ------------------------------------------------------------------------------ */
typedef struct tune_table {
    const tune_play_options *options;
    ply_rules rules[TUNE_VARIANTS];
    size_t rules_count;
    ply_searcher **searchers; /* one for each worker and rules */
    uint64_t first;           /* game of the batch */
    ply_text texts[BATCH];
    ply_status status[BATCH];
} tune_table;

static void play_one(void *context, size_t piece, unsigned worker)
{
    tune_table *table = context;
    uint64_t g = table->first + piece;
    size_t r = (size_t)(g % table->rules_count);
    ply_text_clear(&table->texts[piece]);
    table->status[piece] =
        tune_play_game(&table->rules[r], table->searchers[worker * table->rules_count + r],
                       table->options, g, &table->texts[piece]);
}

static void write_head(const ply_game *game, const tune_play_options *o, ply_text *out)
{
    ply_text_format(out, "# %s games, nodes %llu, seed %llu, opening %u, at most %zu plies,",
                    game->id, (unsigned long long)o->nodes, (unsigned long long)o->seed,
                    o->opening_plies, o->max_plies);
    for (size_t i = 0; i < o->variant_count; i++)
        ply_text_format(out, " %s", o->variants[i]);
    ply_text_char(out, '\n');
}

/* How many whole games the file holds; it is cut behind the last. */
static ply_status resume(FILE *file, const char *head, uint64_t *games, ply_error *error)
{
    char *line = NULL;
    size_t room = 0;
    long good = 0;
    int lines = 0;
    ssize_t length;
    *games = 0;
    ply_status status = PLY_OK;
    while ((length = getline(&line, &room, file)) > 0 && line[length - 1] == '\n') {
        if (good == 0) {
            if (strcmp(line, head) != 0) {
                status = ply_error_set(error, PLY_BAD_OPTION,
                                       "the file holds games played with other options");
                break;
            }
            good = ftell(file);
        } else if (++lines % 3 == 0) {
            ++*games;
            good = ftell(file);
        }
    }
    free(line);
    if (status == PLY_OK &&
        (fseek(file, good, SEEK_SET) != 0 || ftruncate(fileno(file), good) != 0))
        status = PLY_IO;
    if (status == PLY_OK && good == 0)
        fputs(head, file);
    return status;
}

static ply_status play_batches(tune_table *table, ply_workers *team, FILE *file, uint64_t done)
{
    const tune_play_options *o = table->options;
    uint64_t start = ply_clock_nanos(), begun = done, told = 0;
    while (done < o->games) {
        uint64_t batch = o->games - done < BATCH ? o->games - done : BATCH;
        table->first = done;
        ply_workers_run(team, (size_t)batch, play_one, table);
        for (uint64_t i = 0; i < batch; i++) {
            if (table->status[i] != PLY_OK)
                return table->status[i];
            fwrite(table->texts[i].data, 1, table->texts[i].length, file);
        }
        if (fflush(file) != 0)
            return PLY_IO;
        done += batch;
        double seconds = ply_clock_seconds_since(start);
        if ((uint64_t)seconds / 10 != told || done == o->games) {
            told = (uint64_t)seconds / 10;
            fprintf(stderr, "%llu of %llu games, about %.0f s left\n", (unsigned long long)done,
                    (unsigned long long)o->games,
                    seconds * (double)(o->games - done) / (double)(done - begun));
        }
    }
    return PLY_OK;
}

ply_status tune_play(const ply_game *game, const tune_play_options *options, const char *path,
                     ply_error *error)
{
    tune_table *table = calloc(1, sizeof *table);
    ply_text head = ply_text_growing();
    ply_workers *team = ply_workers_start(options->threads);
    unsigned threads = options->threads ? options->threads : 1;
    ply_status status = table && team ? PLY_OK : PLY_NO_MEMORY;
    FILE *file = NULL;
    size_t searcher_count = 0;
    if (status == PLY_OK) {
        table->options = options;
        table->rules_count = options->variant_count ? options->variant_count : 1;
        for (size_t i = 0; i < table->rules_count && status == PLY_OK; i++)
            status = ply_rules_make(&table->rules[i], game,
                                    options->variant_count ? options->variants[i] : NULL, error);
        for (size_t i = 0; i < BATCH; i++)
            table->texts[i] = ply_text_growing();
        searcher_count = threads * table->rules_count;
        table->searchers = calloc(searcher_count, sizeof(ply_searcher *));
        ply_search_options search = {.memory_mb = SEARCH_MB};
        for (size_t i = 0; i < searcher_count && status == PLY_OK; i++) {
            table->searchers[i] =
                table->searchers ? ply_searcher_new(&table->rules[i % table->rules_count], &search)
                                 : NULL;
            if (!table->searchers[i])
                status = PLY_NO_MEMORY;
        }
    }
    if (status == PLY_OK && !(file = fopen(path, "a+")))
        status = PLY_IO;
    if (status == PLY_OK) {
        uint64_t done;
        rewind(file);
        write_head(game, options, &head);
        status = resume(file, ply_text_cstr(&head), &done, error);
        if (status == PLY_OK)
            status = play_batches(table, team, file, done);
    }
    if (file && fclose(file) != 0 && status == PLY_OK)
        status = PLY_IO;
    ply_workers_stop(team);
    for (size_t i = 0; table && table->searchers && i < searcher_count; i++)
        ply_searcher_free(table->searchers[i]);
    for (size_t i = 0; table && i < BATCH; i++)
        ply_text_free(&table->texts[i]);
    if (table)
        free(table->searchers);
    free(table);
    ply_text_free(&head);
    return status;
}
