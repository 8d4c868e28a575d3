/* SPDX-License-Identifier: MIT */
/*
 * selfplay.c - many games on many threads, into one file; see play.h.
 *
 * Workers take the games in order and finish them in any order. A finished game waits until all
 * games before it are written.
 */
#include "core/clock.h"
#include "core/file.h"
#include "core/hash.h"
#include "core/workers.h"
#include "train/play.h"
#include <errno.h>
#include <plyverse/network.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    WAITING = 64,  /* room for games at first; doubled as needed */
    SEARCH_MB = 1, /* a few thousand nodes need no more, and it is quickly cleared */
    REPORT_SECONDS = 10,
};

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
    uint64_t first_game;    /* the games before it were in the file */
    uint64_t started;       /* clock */
    _Atomic uint64_t dealt; /* without a share */
    atomic_bool over;       /* no further games */
    pthread_mutex_t lock;
    /* Guarded by lock: */
    uint64_t next; /* the game to be written next */
    uint64_t reports;
    ply_status status;  /* the first failure */
    ply_text **waiting; /* the record of game g at g modulo capacity; NULL: not finished */
    size_t capacity;    /* a power of two */
} selfplay;

static void free_record(ply_text *record)
{
    if (record)
        ply_text_free(record);
    free(record);
}

static void selfplay_free(selfplay *s)
{
    if (!s)
        return;
    ply_workers_stop(s->workers);
    for (size_t i = 0; s->searchers && i < s->threads * s->rules_count; i++)
        ply_searcher_free(s->searchers[i]);
    for (size_t i = 0; s->games && i < s->threads; i++)
        train_game_free(&s->games[i]);
    for (size_t i = 0; i < s->capacity; i++)
        free_record(s->waiting[i]);
    free(s->waiting);
    for (size_t i = 0; i < s->rules_count; i++)
        ply_tablebase_close(s->tablebases[i]);
    free(s->searchers);
    free(s->games);
    pthread_mutex_destroy(&s->lock);
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
    if (!s->options->verbose || s->next == s->first_game ||
        (uint64_t)seconds / REPORT_SECONDS == s->reports)
        return;
    s->reports = (uint64_t)seconds / REPORT_SECONDS;
    uint64_t played = s->next - s->first_game;
    double left = seconds * (double)(s->options->games - s->next) / (double)played;
    if (s->options->seconds && left > (double)s->options->seconds - seconds)
        left = (double)s->options->seconds - seconds;
    fprintf(stderr, "%llu games, about %.0f s left\n", (unsigned long long)s->next,
            left > 0 ? left : 0);
}

/* Writes all games whose turn has come. The lock is held. */
static void write_ready(selfplay *s)
{
    for (ply_text **first; (first = &s->waiting[s->next & (s->capacity - 1)])[0]; s->next++) {
        if (s->status == PLY_OK && !ply_file_write_all(s->file, (*first)->data, (*first)->length))
            s->status = PLY_IO;
        free_record(*first);
        *first = NULL;
    }
    report_progress(s);
}

/* Makes room for game number g to wait. The lock is held. */
static bool make_room(selfplay *s, uint64_t g)
{
    size_t capacity = s->capacity ? s->capacity : WAITING;
    while (g - s->next >= capacity)
        capacity *= 2;
    if (capacity == s->capacity)
        return true;
    ply_text **waiting = calloc(capacity, sizeof *waiting);
    if (!waiting)
        return false;
    for (uint64_t i = s->next; i < s->next + s->capacity; i++)
        waiting[i & (capacity - 1)] = s->waiting[i & (s->capacity - 1)];
    free(s->waiting);
    s->waiting = waiting;
    s->capacity = capacity;
    return true;
}

/* Ends the play of all processes after a failure. */
static void fail(selfplay *s, ply_status status)
{
    pthread_mutex_lock(&s->lock);
    if (s->status == PLY_OK)
        s->status = status;
    pthread_mutex_unlock(&s->lock);
    atomic_store(&s->over, true);
    if (s->options->share)
        s->options->share->end(s->options->share->context);
}

/* Takes the record of a finished game, and owns it from now on; NULL: out of memory. */
static void keep(selfplay *s, uint64_t g, ply_text *record)
{
    ply_status status = PLY_NO_MEMORY;
    if (record && !record->failed) {
        pthread_mutex_lock(&s->lock);
        if (g >= s->next && make_room(s, g)) {
            ply_text **own = &s->waiting[g & (s->capacity - 1)];
            free_record(*own);
            *own = record;
            record = NULL;
            write_ready(s);
            status = s->status;
        }
        pthread_mutex_unlock(&s->lock);
    }
    free_record(record);
    if (status != PLY_OK)
        fail(s, status);
}

static ply_text *new_record(void)
{
    ply_text *record = malloc(sizeof *record);
    if (record)
        *record = ply_text_growing();
    return record;
}

/* What is posted: the number of the game in 8 bytes, and its record. */
void train_receive(train_share *share, const void *bytes, size_t count)
{
    uint64_t g;
    if (count < sizeof g)
        return;
    memcpy(&g, bytes, sizeof g);
    ply_text *record = new_record();
    if (record)
        ply_text_bytes(record, (const char *)bytes + sizeof g, count - sizeof g);
    keep(share->selfplay, g, record);
}

static void submit(selfplay *s, const train_game *game)
{
    train_share *share = s->options->share;
    ply_text *record = new_record();
    if (record && share && !share->keeper)
        ply_text_bytes(record, (const char *)&game->number, sizeof game->number);
    if (record)
        train_game_encode(game, record);
    if (!share || share->keeper || !record || record->failed) {
        keep(s, game->number, record);
        return;
    }
    share->post(share->context, record->data, record->length);
    free_record(record);
}

/* --- playing --------------------------------------------------------------------------------- */
static bool is_over(const selfplay *s)
{
    return atomic_load(&s->over) || (s->options->seconds && ply_clock_seconds_since(s->started) >=
                                                                (double)s->options->seconds);
}

static uint64_t next_game(selfplay *s)
{
    train_share *share = s->options->share;
    uint64_t number = share ? share->next(share->context) : atomic_fetch_add(&s->dealt, 1);
    return s->first_game + number;
}

static void play_until_over(void *context, size_t item, unsigned worker)
{
    selfplay *s = context;
    (void)item;
    train_game *game = &s->games[worker];
    for (uint64_t g; !is_over(s) && (g = next_game(s)) < s->options->games;) {
        size_t r = (size_t)(g % s->rules_count);
        ply_status status = train_play_game(&s->rules[r], s->searchers[worker * s->rules_count + r],
                                            s->tablebases[r], s->options, g, game);
        if (status == PLY_OK)
            submit(s, game);
        else
            fail(s, status);
    }
}

/*
 * Plays the games after the first `resumed` ones, which all processes do if `status`, of what came
 * before, is good everywhere.
 */
static ply_status play_games(selfplay *s, ply_status status, uint64_t resumed, ply_error *error)
{
    train_share *share = s->options->share;
    if (share) {
        share->selfplay = s;
        status = share->agree(share->context, status, &resumed, error);
    }
    if (status != PLY_OK)
        return status;
    s->started = ply_clock_nanos();
    s->next = s->first_game = resumed;
    ply_workers_run(s->workers, s->threads, play_until_over, s);
    if (share)
        share->finish(share->context);
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

/* Opens the file and writes or checks its header; *done: the games in it. */
static ply_status open_file(const selfplay *s, const ply_game *game, const char *path,
                            FILE **stream, uint64_t *done, ply_error *error)
{
    *stream = fopen(path, "a+");
    if (!*stream)
        return ply_error_set(error, PLY_IO, "%s", strerror(errno));
    ply_text header = ply_text_growing();
    ply_status status = format_header(s, game, &header, error);
    if (status == PLY_OK)
        status = resume(*stream, ply_text_cstr(&header), done, error);
    ply_text_free(&header);
    return status;
}

ply_status train_play(const ply_game *game, const train_play_options *options, const char *path,
                      ply_error *error)
{
    FILE *stream = NULL;
    uint64_t done = 0;
    selfplay *s = calloc(1, sizeof *s);
    ply_status status = s ? selfplay_init(s, game, options, error) : PLY_NO_MEMORY;
    if (status == PLY_OK && (!options->share || options->share->keeper))
        status = open_file(s, game, path, &stream, &done, error);
    if (s) {
        s->file = stream ? fileno(stream) : -1;
        status = play_games(s, status, done, error);
    } else if (options->share) {
        options->share->agree(options->share->context, status, &done, error);
    }
    if (stream && fclose(stream) != 0 && status == PLY_OK)
        status = PLY_IO;
    selfplay_free(s);
    return status;
}
