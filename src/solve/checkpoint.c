/* SPDX-License-Identifier: MIT */
/* checkpoint.c - writing and reading checkpoints; see checkpoint.h. */
#include "solve/checkpoint.h"
#include "core/hash.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    BLOCK_ENTRIES = 4096,
    HEADER_WORDS = 5,
    ENTRY_WORDS = 4,
    BLOCK_WORDS = BLOCK_ENTRIES * ENTRY_WORDS,
    MAX_TEXT = 1 << 17, /* bytes; fits into a block */
};

_Static_assert(sizeof(dfpn_entry) == ENTRY_WORDS * 8, "an entry is four words");
_Static_assert(MAX_TEXT / 8 <= BLOCK_WORDS, "a text fits a block");

static const char magic[8] = "PLYKEEP\x01";

/* --- words and bytes ------------------------------------------------------------------------- */
static void put_word(unsigned char *to, uint64_t word)
{
    for (int i = 0; i < 8; i++)
        to[i] = (unsigned char)(word >> (8 * i));
}

static uint64_t get_word(const unsigned char *from)
{
    uint64_t word = 0;
    for (int i = 8; i-- > 0;)
        word = word << 8 | from[i];
    return word;
}

static void put_entry(unsigned char *to, const dfpn_entry *e)
{
    uint64_t depth = e->depth & (DEPTH_PATH_DEPENDENT - 1); /* path failures are not saved */
    put_word(to, e->key);
    put_word(to + 8, e->resources);
    put_word(to + 16, e->proof | (uint64_t)e->disproof << 32);
    put_word(to + 24,
             e->won_in | (uint64_t)e->not_won_in << 16 | depth << 32 | (uint64_t)e->work << 48);
}

static dfpn_entry get_entry(const unsigned char *from)
{
    uint64_t numbers = get_word(from + 16), rest = get_word(from + 24);
    return (dfpn_entry){.key = get_word(from),
                        .resources = get_word(from + 8),
                        .proof = (uint32_t)numbers,
                        .disproof = (uint32_t)(numbers >> 32),
                        .won_in = (uint16_t)rest,
                        .not_won_in = (uint16_t)(rest >> 16),
                        .depth = (uint16_t)(rest >> 32) & (DEPTH_PATH_DEPENDENT - 1),
                        .work = (uint16_t)(rest >> 48)};
}

static uint64_t update_checksum(uint64_t checksum, const unsigned char *bytes, size_t words)
{
    for (size_t i = 0; i < words; i++)
        checksum = ply_mix64(checksum ^ get_word(bytes + 8 * i)) + PLY_GOLDEN;
    return checksum;
}

/* --- writing --------------------------------------------------------------------------------- */
typedef struct checkpoint_writer {
    ply_proof_sink *sink;
    void *context;
    uint64_t checksum;
    unsigned char *buffer; /* room for a header, a block and a checksum */
} checkpoint_writer;

/* Writes the words in the buffer and the checksum. */
static bool write_words(checkpoint_writer *w, size_t words)
{
    w->checksum = update_checksum(w->checksum, w->buffer, words);
    put_word(w->buffer + 8 * words, w->checksum);
    return w->sink(w->context, w->buffer, 8 * (words + 1));
}

static bool write_entries(checkpoint_writer *w, const dfpn_table *table)
{
    size_t slot = 0, words = 0;
    for (const dfpn_entry *e; (e = ply_dfpn_table_next(table, &slot));) {
        put_entry(w->buffer + 8 * words, e);
        words += ENTRY_WORDS;
        if (words == BLOCK_WORDS) {
            if (!write_words(w, words))
                return false;
            words = 0;
        }
    }
    return words == 0 || write_words(w, words);
}

ply_status ply_checkpoint_write(const dfpn_table *table, const checkpoint_problem *problem,
                                ply_proof_sink *sink, void *context)
{
    checkpoint_writer w = {.sink = sink, .context = context};
    size_t text_words = (problem->text_bytes + 7) / 8;
    if (problem->text_bytes > MAX_TEXT)
        return PLY_LIMIT;
    w.buffer = calloc(HEADER_WORDS + BLOCK_WORDS + 1, 8);
    if (!w.buffer)
        return PLY_NO_MEMORY;
    memcpy(w.buffer, magic, sizeof magic);
    put_word(w.buffer + 8, problem->text_bytes);
    put_word(w.buffer + 16, atomic_load_explicit(&table->count, memory_order_relaxed));
    put_word(w.buffer + 24, problem->key);
    put_word(w.buffer + 32, problem->resources);
    memcpy(w.buffer + 8 * HEADER_WORDS, problem->text, problem->text_bytes);
    bool written = write_words(&w, HEADER_WORDS + text_words) && write_entries(&w, table);
    free(w.buffer);
    return written ? PLY_OK : PLY_IO;
}

/* --- reading --------------------------------------------------------------------------------- */
typedef struct checkpoint_reader {
    const ply_proof_source *source;
    const checkpoint_problem *problem, *plain;
    bool is_plain; /* the file is about `plain` */
    ply_error *error;
    uint64_t at, checksum;
    unsigned char *buffer;
} checkpoint_reader;

/* Fails at the current byte. */
static ply_status fail(checkpoint_reader *r, const char *what)
{
    ply_error_set(r->error, PLY_IO, "%s, at byte %" PRIu64, what, r->at);
    if (r->error)
        r->error->offset = (size_t)r->at;
    return PLY_IO;
}

/* Reads into the buffer up to `words` words, of which it has `have` already, and verifies the
 * checksum that follows. */
static ply_status read_words(checkpoint_reader *r, size_t have, size_t words)
{
    size_t bytes = 8 * (words - have + 1);
    if (r->source->read(r->source->context, r->at, r->buffer + 8 * have, bytes) != bytes)
        return fail(r, "unexpected end of file");
    r->checksum = update_checksum(r->checksum, r->buffer, words);
    if (get_word(r->buffer + 8 * words) != r->checksum)
        return fail(r, "wrong checksum");
    r->at += bytes;
    return PLY_OK;
}

static bool is_about(const unsigned char *text, uint64_t bytes, const checkpoint_problem *problem)
{
    return bytes == problem->text_bytes && memcmp(text, problem->text, bytes) == 0;
}

static ply_status read_header(checkpoint_reader *r, uint64_t *entries)
{
    unsigned char *header = r->buffer;
    const ply_proof_source *s = r->source;
    if (s->read(s->context, 0, header, 8 * HEADER_WORDS) != 8 * HEADER_WORDS ||
        memcmp(header, magic, sizeof magic) != 0)
        return fail(r, "not a checkpoint, or one of another version");
    uint64_t text_bytes = get_word(header + 8), words = (text_bytes + 7) / 8;
    *entries = get_word(header + 16);
    uint64_t blocks = *entries / BLOCK_ENTRIES + (*entries % BLOCK_ENTRIES != 0);
    if (text_bytes > MAX_TEXT || *entries > UINT64_MAX / 64 ||
        s->size != 8 * (HEADER_WORDS + words + 1 + ENTRY_WORDS * *entries + blocks))
        return fail(r, "wrong file length");
    r->at = 8 * HEADER_WORDS;
    ply_status status = read_words(r, HEADER_WORDS, HEADER_WORDS + (size_t)words);
    if (status != PLY_OK)
        return status;
    r->at = 0;
    r->is_plain = !is_about(header + 8 * HEADER_WORDS, text_bytes, r->problem);
    if (r->is_plain && !is_about(header + 8 * HEADER_WORDS, text_bytes, r->plain))
        return fail(r, "the checkpoint is of another problem");
    if (get_word(header + 24) != r->problem->key || get_word(header + 32) != r->problem->resources)
        return fail(r, "the checkpoint was written by a version with other hash keys");
    r->at = 8 * (HEADER_WORDS + words + 1);
    return PLY_OK;
}

/* Called for every entry of a file. */
typedef void entry_visitor(void *context, const dfpn_entry *entry);

/* Reads the whole file and visits every entry. */
static ply_status read_all(checkpoint_reader *r, entry_visitor *visit, void *context)
{
    uint64_t left = 0;
    r->at = r->checksum = 0;
    ply_status status = read_header(r, &left);
    while (status == PLY_OK && left > 0) {
        size_t count = left < BLOCK_ENTRIES ? (size_t)left : BLOCK_ENTRIES;
        status = read_words(r, 0, count * ENTRY_WORDS);
        for (size_t i = 0; status == PLY_OK && i < count; i++) {
            dfpn_entry entry = get_entry(r->buffer + i * 8 * ENTRY_WORDS);
            /* There may be a win of that length when fewer plies count. */
            if (r->is_plain && entry.not_won_in != PLIES_ANY + 1)
                entry.not_won_in = 0;
            if (entry.key == 0 || entry.work >= WORK_CODES)
                status = fail(r, "invalid entry before this");
            else
                visit(context, &entry);
        }
        left -= count;
    }
    return status;
}

/* Counts the entries of every priority. */
static void count_priority(void *context, const dfpn_entry *entry)
{
    uint64_t *counts = context;
    counts[ply_dfpn_entry_priority(entry)]++;
}

typedef struct entry_filter {
    dfpn_table *table;
    unsigned min_priority; /* of the entries to be kept */
} entry_filter;

static void insert_entry(void *context, const dfpn_entry *entry)
{
    entry_filter *filter = context;
    if (ply_dfpn_entry_priority(entry) >= filter->min_priority)
        ply_dfpn_table_insert(filter->table, entry);
}

ply_status ply_checkpoint_read(dfpn_table *table, const checkpoint_problem *problem,
                               const checkpoint_problem *plain, const ply_proof_source *source,
                               ply_error *error)
{
    checkpoint_reader r = {.source = source, .problem = problem, .plain = plain, .error = error};
    entry_filter filter = {.table = table};
    uint64_t counts[WORK_CODES] = {0}, all = 0;
    r.buffer = malloc(8 * (HEADER_WORDS + BLOCK_WORDS + 1));
    if (!r.buffer)
        return ply_error_set(error, PLY_NO_MEMORY, "out of memory");
    ply_status status = read_header(&r, &all);
    size_t room = status == PLY_OK ? ply_dfpn_table_reserve(table, all) : 0;
    if (status == PLY_OK && all > room) {
        /* A first pass finds the lowest priority for which there is room. */
        status = read_all(&r, count_priority, counts);
        for (; status == PLY_OK && all > room; filter.min_priority++)
            all -= counts[filter.min_priority];
    }
    if (status == PLY_OK)
        status = read_all(&r, insert_entry, &filter);
    free(r.buffer);
    return status;
}
