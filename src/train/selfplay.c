/* SPDX-License-Identifier: MIT */
/*
 * selfplay.c - many games on many threads, into one file; see play.h.
 *
 * Workers take the games in order and finish them in any order. A finished game waits in a window
 * of slots until all games before it are written. The worker with the next game to be written never
 * waits, so the window cannot block.
 */
#include "core/clock.h"
#include "core/file.h"
#include "core/hash.h"
#include "core/workers.h"
#include "train/play.h"
#include <errno.h>
#include <plyverse/network.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    WINDOW = 256,          /* games finished before their turn */
    ROUND_GAMES = 1 << 16, /* handed to the workers at once */
    SEARCH_MB = 1,         /* a few thousand nodes need no more, and it is quickly cleared */
    REPORT_SECONDS = 10,
};

typedef struct slot {
    ply_text record;
    bool ready;
} slot;

typedef struct selfplay {
    const train_play_options *options;
    ply_rules rules[TRAIN_MAX_VARIANTS];
    ply_tablebase *tablebases[TRAIN_MAX_VARIANTS]; /* NULL: none */
    size_t rules_count;
    ply_searcher **searchers; /* for each worker, one per rules */
    train_game *games;        /* for each worker */
    unsigned threads;
    ply_workers *workers;
    int file;
    uint64_t first_game; /* of the current round */
    uint64_t started;    /* clock */
    pthread_mutex_t lock;
    pthread_cond_t written;
    /* Guarded by lock: */
    uint64_t next; /* the game to be written next */
    uint64_t resumed, reports;
    ply_status status; /* the first failure */
    bool over;         /* no further games */
    slot window[WINDOW];
} selfplay;

static void selfplay_free(selfplay *s)
{
    if (!s)
        return;
    ply_workers_stop(s->workers);
    for (size_t i = 0; s->searchers && i < s->threads * s->rules_count; i++)
        ply_searcher_free(s->searchers[i]);
    for (size_t i = 0; s->games && i < s->threads; i++)
        train_game_free(&s->games[i]);
    for (size_t i = 0; i < WINDOW; i++)
        ply_text_free(&s->window[i].record);
    for (size_t i = 0; i < s->rules_count; i++)
        ply_tablebase_close(s->tablebases[i]);
    free(s->searchers);
    free(s->games);
    pthread_mutex_destroy(&s->lock);
    pthread_cond_destroy(&s->written);
    free(s);
}

static ply_status make_searchers(selfplay *s)
{
    ply_search_options options = {.memory_mb = SEARCH_MB,
                                  .network = s->options->network,
                                  .tablebase_dir = s->options->tablebase_dir};
    size_t count = s->threads * s->rules_count;
    s->games = calloc(s->threads, sizeof *s->games);
    s->searchers = calloc(count, sizeof *s->searchers);
    if (!s->games || !s->searchers)
        return PLY_NO_MEMORY;
    for (size_t i = 0; i < count; i++) {
        s->searchers[i] = ply_searcher_new(&s->rules[i % s->rules_count], &options);
        if (!s->searchers[i])
            return PLY_NO_MEMORY;
    }
    return PLY_OK;
}

static ply_status selfplay_init(selfplay *s, const ply_game *game,
                                const train_play_options *options, ply_error *error)
{
    s->options = options;
    s->threads = options->threads ? options->threads : 1;
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->written, NULL);
    for (size_t i = 0; i < WINDOW; i++)
        s->window[i].record = ply_text_growing();
    s->rules_count = options->variant_count ? options->variant_count : 1;
    for (size_t i = 0; i < s->rules_count; i++) {
        const char *variant = options->variant_count ? options->variants[i] : NULL;
        ply_status status = ply_rules_make(&s->rules[i], game, variant, error);
        if (status == PLY_OK && options->tablebase_dir)
            status = ply_tablebase_open(&s->rules[i], options->tablebase_dir, 0, &s->tablebases[i],
                                        error);
        if (status != PLY_OK)
            return status;
    }
    s->workers = ply_workers_start(s->threads);
    return s->workers ? make_searchers(s) : PLY_NO_MEMORY;
}

/* --- writing in order ------------------------------------------------------------------------ */
static void report_progress(selfplay *s)
{
    double seconds = ply_clock_seconds_since(s->started);
    if (!s->options->verbose || (uint64_t)seconds / REPORT_SECONDS == s->reports)
        return;
    s->reports = (uint64_t)seconds / REPORT_SECONDS;
    uint64_t played = s->next - s->resumed;
    double left = seconds * (double)(s->options->games - s->next) / (double)played;
    if (s->options->seconds && left > (double)s->options->seconds - seconds)
        left = (double)s->options->seconds - seconds;
    fprintf(stderr, "%llu games, about %.0f s left\n", (unsigned long long)s->next,
            left > 0 ? left : 0);
}

/* Writes all games whose turn has come. The lock is held. */
static void write_ready(selfplay *s)
{
    for (slot *first; (first = &s->window[s->next % WINDOW])->ready; s->next++) {
        if (s->status == PLY_OK &&
            !ply_file_write_all(s->file, first->record.data, first->record.length))
            s->status = PLY_IO;
        first->ready = false;
    }
    report_progress(s);
    pthread_cond_broadcast(&s->written);
}

/* Puts a finished game into the window, once there is room. The lock is held. */
static void submit(selfplay *s, const train_game *game)
{
    while (game->number >= s->next + WINDOW && !s->over)
        pthread_cond_wait(&s->written, &s->lock);
    if (s->status != PLY_OK || game->number >= s->next + WINDOW)
        return;
    slot *own = &s->window[game->number % WINDOW];
    ply_text_clear(&own->record);
    train_game_encode(game, &own->record);
    if (own->record.failed)
        s->status = PLY_NO_MEMORY;
    own->ready = !own->record.failed;
    write_ready(s);
}

static bool is_over(selfplay *s)
{
    pthread_mutex_lock(&s->lock);
    s->over |= s->status != PLY_OK || (s->options->seconds && ply_clock_seconds_since(s->started) >=
                                                                  (double)s->options->seconds);
    bool over = s->over;
    if (over)
        pthread_cond_broadcast(&s->written);
    pthread_mutex_unlock(&s->lock);
    return over;
}

static void play_numbered_game(void *context, size_t item, unsigned worker)
{
    selfplay *s = context;
    if (is_over(s))
        return;
    uint64_t g = s->first_game + item;
    size_t r = (size_t)(g % s->rules_count);
    train_game *game = &s->games[worker];
    ply_status status = train_play_game(&s->rules[r], s->searchers[worker * s->rules_count + r],
                                        s->tablebases[r], s->options, g, game);
    pthread_mutex_lock(&s->lock);
    if (status == PLY_OK)
        submit(s, game);
    else if (s->status == PLY_OK)
        s->status = status;
    if (s->status != PLY_OK) {
        s->over = true;
        pthread_cond_broadcast(&s->written);
    }
    pthread_mutex_unlock(&s->lock);
}

/* Plays the games after the first `resumed` ones. */
static ply_status play_games(selfplay *s, uint64_t resumed)
{
    uint64_t games = s->options->games;
    s->started = ply_clock_nanos();
    s->next = s->resumed = resumed;
    while (s->next < games && !is_over(s)) {
        s->first_game = s->next;
        uint64_t left = games - s->next;
        ply_workers_run(s->workers, (size_t)(left < ROUND_GAMES ? left : ROUND_GAMES),
                        play_numbered_game, s);
    }
    return s->status;
}

/* --- the file -------------------------------------------------------------------------------- */
/*
 * A line that identifies the network that plays by the rules: its form and a hash of how it was
 * trained.
 */
static ply_status format_network(const ply_rules *rules, const char *name, ply_text *out,
                                 ply_error *error)
{
    ply_network *network;
    ply_status status = ply_network_load(rules, name, &network, error);
    if (status != PLY_OK)
        return status;
    ply_text_string(out, "net ");
    if (network) {
        uint64_t hash = 0;
        for (const char *c = ply_network_provenance(network); *c; c++)
            hash = ply_mix64(hash + (unsigned char)*c + PLY_GOLDEN);
        ply_network_describe(network, out);
        ply_text_format(out, ", %08x", (unsigned)(hash >> 32));
    } else {
        ply_text_string(out, "none");
    }
    ply_text_char(out, '\n');
    ply_network_free(network);
    return PLY_OK;
}

/* The header: everything the games depend on. */
static ply_status format_header(const selfplay *s, const ply_game *game, ply_text *out,
                                ply_error *error)
{
    const train_play_options *o = s->options;
    ply_text_format(out, "game %s\n", game->id);
    for (size_t i = 0; i < s->rules_count; i++) {
        ply_text_string(out, "variant ");
        ply_rules_format(&s->rules[i], out);
        ply_text_char(out, '\n');
    }
    ply_text_format(out,
                    "nodes %llu\nseed %llu\nopening %u\nbalance %d\nresign %d\ndraw %d\n"
                    "stall %u\n",
                    (unsigned long long)o->nodes, (unsigned long long)o->seed, o->opening_plies,
                    (int)o->balance, (int)o->resign, (int)o->draw, o->stall);
    for (size_t i = 0; i < s->rules_count && o->tablebase_dir; i++)
        ply_text_format(out, "tablebase of %u pieces\n", ply_tablebase_pieces(s->tablebases[i]));
    ply_text_format(out, "max-plies %zu\n", o->max_plies);
    ply_status status = PLY_OK;
    for (size_t i = 0; i < s->rules_count && status == PLY_OK; i++)
        status = format_network(&s->rules[i], o->network, out, error);
    if (status == PLY_OK && (out->failed || out->length >= TRAIN_MAX_HEADER))
        status = PLY_NO_MEMORY;
    return status;
}

/*
 * Counts the complete games of the file and removes what follows the last one; an empty file gets
 * the header. The stream is open for reading and appending.
 */
static ply_status resume(FILE *stream, const char *header, uint64_t *games, ply_error *error)
{
    train_game_file file;
    train_game game = {0};
    bool found = true;
    ply_status status = PLY_OK;
    *games = 0;
    if (fseek(stream, 0, SEEK_END) != 0)
        return PLY_IO;
    if (ftell(stream) == 0) {
        ply_text text = ply_text_growing();
        train_game_file_encode_header(header, &text);
        if (text.failed || !ply_file_write_all(fileno(stream), text.data, text.length))
            status = text.failed ? PLY_NO_MEMORY : PLY_IO;
        ply_text_free(&text);
        return status;
    }
    rewind(stream);
    status = train_game_file_open(&file, stream, error);
    if (status == PLY_OK && strcmp(file.header, header) != 0)
        status =
            ply_error_set(error, PLY_BAD_OPTION, "the file holds games played with other options");
    if (status == PLY_OK) {
        while (found && status == PLY_OK)
            status = train_game_file_next(&file, &game, &found, error);
        *games = file.games;
        /* A game at the end that is cut short was being written when the process ended. */
        if (status == PLY_BAD_TEXT && feof(stream))
            status = ftruncate(fileno(stream), file.end) == 0 ? PLY_OK : PLY_IO;
    }
    train_game_file_close(&file);
    train_game_free(&game);
    return status;
}

static ply_status play_to_file(selfplay *s, const ply_game *game, const char *path,
                               ply_error *error)
{
    FILE *stream = fopen(path, "a+");
    if (!stream)
        return ply_error_set(error, PLY_IO, "%s", strerror(errno));
    ply_text header = ply_text_growing();
    uint64_t done = 0;
    ply_status status = format_header(s, game, &header, error);
    if (status == PLY_OK)
        status = resume(stream, ply_text_cstr(&header), &done, error);
    s->file = fileno(stream);
    if (status == PLY_OK)
        status = play_games(s, done);
    if (fclose(stream) != 0 && status == PLY_OK)
        status = PLY_IO;
    ply_text_free(&header);
    return status;
}

ply_status train_play(const ply_game *game, const train_play_options *options, const char *path,
                      ply_error *error)
{
    selfplay *s = calloc(1, sizeof *s);
    ply_status status = s ? selfplay_init(s, game, options, error) : PLY_NO_MEMORY;
    if (status == PLY_OK)
        status = play_to_file(s, game, path, error);
    selfplay_free(s);
    return status;
}
