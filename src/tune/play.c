/* SPDX-License-Identifier: MIT */
/* play.c - self-play games for tuning; see tune.h. */
#include "core/clock.h"
#include "core/workers.h"
#include "model/variation.h"
#include "tune/tune.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    BATCH_GAMES = 64, /* played in parallel, then written in order */
    OPENING_ATTEMPTS = 100,
    SEARCH_MB = 8,
    REPORT_SECONDS = 10,
};

/*
 * Plays one of the game's openings. Those with a start position of their own are skipped, because
 * the text of a game does not say where it starts.
 */
static ply_status play_known_opening(ply_state *state, size_t number)
{
    const ply_rules *rules = state->rules;
    ply_text name = ply_text_growing(), position = ply_text_growing(), moves = ply_text_growing();
    ply_status status = rules->openings->get(rules, number, &name, &position, &moves);
    if (status == PLY_OK && position.length == 0)
        status = ply_state_play_text(state, ply_text_cstr(&moves), moves.length, NULL);
    ply_text_free(&name);
    ply_text_free(&position);
    ply_text_free(&moves);
    return status;
}

static ply_status play_random_plies(ply_state *state, ply_rng *rng, unsigned plies)
{
    const ply_rules *rules = state->rules;
    ply_status status = PLY_OK;
    for (unsigned i = 0; i < plies && status == PLY_OK; i++) {
        if (ply_state_outcome(state).result != PLY_ONGOING)
            break;
        uint32_t count = (uint32_t)ply_game_count_moves(rules, state->position);
        status = ply_state_play(
            state, ply_game_nth_move(rules, state->position, ply_rng_below(rng, count)));
    }
    return status;
}

/*
 * Plays random plies, or, for half of the games if the game has openings, one of those and half as
 * many random plies. Tries again until the game is not over.
 */
static ply_status play_opening(ply_state *state, ply_rng *rng, unsigned max_plies)
{
    const ply_rules *rules = state->rules;
    size_t known = rules->openings->count ? rules->openings->count(rules) : 0;
    for (int attempt = 0; attempt < OPENING_ATTEMPTS; attempt++) {
        ply_status status = ply_state_restart(state);
        unsigned plies = max_plies / 2 + ply_rng_below(rng, max_plies - max_plies / 2 + 1);
        if (status == PLY_OK && known > 0 && (ply_rng_next(rng) >> 63)) {
            status = play_known_opening(state, ply_rng_below(rng, (uint32_t)known));
            plies /= 2;
        }
        if (status == PLY_OK)
            status = play_random_plies(state, rng, plies);
        if (status == PLY_OK && ply_state_outcome(state).result == PLY_ONGOING)
            return PLY_OK;
    }
    return PLY_LIMIT;
}

/* Plays until the game is over, decided or too long; appends one score per move. */
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

/* --- all games ------------------------------------------------------------------------------- */
typedef struct selfplay {
    const tune_play_options *options;
    ply_rules rules[TUNE_MAX_VARIANTS];
    size_t rules_count;
    ply_searcher **searchers; /* for each worker, one per rules */
    size_t searcher_count;
    ply_workers *workers;
    uint64_t first_game; /* of the current batch */
    ply_text texts[BATCH_GAMES];
    ply_status status[BATCH_GAMES];
} selfplay;

static void selfplay_free(selfplay *s)
{
    if (!s)
        return;
    ply_workers_stop(s->workers);
    for (size_t i = 0; s->searchers && i < s->searcher_count; i++)
        ply_searcher_free(s->searchers[i]);
    for (size_t i = 0; i < BATCH_GAMES; i++)
        ply_text_free(&s->texts[i]);
    free(s->searchers);
    free(s);
}

static ply_status make_searchers(selfplay *s, unsigned threads)
{
    ply_search_options options = {.memory_mb = SEARCH_MB};
    s->searcher_count = threads * s->rules_count;
    s->searchers = calloc(s->searcher_count, sizeof *s->searchers);
    if (!s->searchers)
        return PLY_NO_MEMORY;
    for (size_t i = 0; i < s->searcher_count; i++) {
        s->searchers[i] = ply_searcher_new(&s->rules[i % s->rules_count], &options);
        if (!s->searchers[i])
            return PLY_NO_MEMORY;
    }
    return PLY_OK;
}

static ply_status selfplay_init(selfplay *s, const ply_game *game, const tune_play_options *options,
                                ply_error *error)
{
    unsigned threads = options->threads ? options->threads : 1;
    s->options = options;
    for (size_t i = 0; i < BATCH_GAMES; i++)
        s->texts[i] = ply_text_growing();
    s->rules_count = options->variant_count ? options->variant_count : 1;
    for (size_t i = 0; i < s->rules_count; i++) {
        const char *variant = options->variant_count ? options->variants[i] : NULL;
        ply_status status = ply_rules_make(&s->rules[i], game, variant, error);
        if (status != PLY_OK)
            return status;
    }
    s->workers = ply_workers_start(threads);
    return s->workers ? make_searchers(s, threads) : PLY_NO_MEMORY;
}

static void play_numbered_game(void *context, size_t piece, unsigned worker)
{
    selfplay *s = context;
    uint64_t g = s->first_game + piece;
    size_t r = (size_t)(g % s->rules_count);
    ply_text_clear(&s->texts[piece]);
    s->status[piece] = tune_play_game(&s->rules[r], s->searchers[worker * s->rules_count + r],
                                      s->options, g, &s->texts[piece]);
}

static void print_progress(uint64_t done, uint64_t total, uint64_t played, double seconds)
{
    fprintf(stderr, "%llu of %llu games, about %.0f s left\n", (unsigned long long)done,
            (unsigned long long)total, seconds * (double)(total - done) / (double)played);
}

/* Plays the games after the first `resumed` ones and appends them to the file. */
static ply_status play_batches(selfplay *s, FILE *file, uint64_t resumed)
{
    uint64_t games = s->options->games, start = ply_clock_nanos(), reports = 0;
    for (uint64_t done = resumed; done < games;) {
        uint64_t batch = games - done < BATCH_GAMES ? games - done : BATCH_GAMES;
        s->first_game = done;
        ply_workers_run(s->workers, (size_t)batch, play_numbered_game, s);
        for (uint64_t i = 0; i < batch; i++) {
            if (s->status[i] != PLY_OK)
                return s->status[i];
            fwrite(s->texts[i].data, 1, s->texts[i].length, file);
        }
        if (fflush(file) != 0)
            return PLY_IO;
        done += batch;
        double seconds = ply_clock_seconds_since(start);
        if ((uint64_t)seconds / REPORT_SECONDS != reports || done == games) {
            reports = (uint64_t)seconds / REPORT_SECONDS;
            print_progress(done, games, done - resumed, seconds);
        }
    }
    return PLY_OK;
}

/* --- the file -------------------------------------------------------------------------------- */
/* The first line of the file: the options that the games depend on. */
static void write_header(const ply_game *game, const tune_play_options *o, ply_text *out)
{
    ply_text_format(out, "# %s games, nodes %llu, seed %llu, opening %u, at most %zu plies,",
                    game->id, (unsigned long long)o->nodes, (unsigned long long)o->seed,
                    o->opening_plies, o->max_plies);
    for (size_t i = 0; i < o->variant_count; i++)
        ply_text_format(out, " %s", o->variants[i]);
    ply_text_char(out, '\n');
}

/*
 * Counts the complete games of the file and truncates it after the last one; an empty file gets the
 * header. The file must be open for reading and appending.
 */
static ply_status resume(FILE *file, const char *header, uint64_t *games, ply_error *error)
{
    char *line = NULL;
    size_t capacity = 0;
    long end = 0; /* of the last complete game */
    int lines = 0;
    ssize_t length;
    *games = 0;
    ply_status status = PLY_OK;
    rewind(file);
    while ((length = getline(&line, &capacity, file)) > 0 && line[length - 1] == '\n') {
        if (end == 0) {
            if (strcmp(line, header) != 0) {
                status = ply_error_set(error, PLY_BAD_OPTION,
                                       "the file holds games played with other options");
                break;
            }
            end = ftell(file);
        } else if (++lines % 3 == 0) {
            ++*games;
            end = ftell(file);
        }
    }
    free(line);
    if (status == PLY_OK && (fseek(file, end, SEEK_SET) != 0 || ftruncate(fileno(file), end) != 0))
        status = PLY_IO;
    if (status == PLY_OK && end == 0)
        fputs(header, file);
    return status;
}

static ply_status play_to_file(selfplay *s, const ply_game *game, const char *path,
                               ply_error *error)
{
    FILE *file = fopen(path, "a+");
    if (!file)
        return PLY_IO;
    ply_text header = ply_text_growing();
    uint64_t done;
    write_header(game, s->options, &header);
    ply_status status = resume(file, ply_text_cstr(&header), &done, error);
    if (status == PLY_OK)
        status = play_batches(s, file, done);
    if (fclose(file) != 0 && status == PLY_OK)
        status = PLY_IO;
    ply_text_free(&header);
    return status;
}

ply_status tune_play(const ply_game *game, const tune_play_options *options, const char *path,
                     ply_error *error)
{
    selfplay *s = calloc(1, sizeof *s);
    ply_status status = s ? selfplay_init(s, game, options, error) : PLY_NO_MEMORY;
    if (status == PLY_OK)
        status = play_to_file(s, game, path, error);
    selfplay_free(s);
    return status;
}
