/* SPDX-License-Identifier: MIT */
/* checkpoint.c - see the header. */
#include "solve/checkpoint.h"
#include "core/hash.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    KEEP_BLOCK = 4096,
    HEAD_WORDS = 5,
    ENTRY_WORDS = 4,
    BLOCK_WORDS = KEEP_BLOCK * ENTRY_WORDS,
    MOST_TEXT = 1 << 17, /* bytes; a block has room for it */
};

_Static_assert(sizeof(dfpn_entry) == ENTRY_WORDS * 8, "an entry is four words");
_Static_assert(MOST_TEXT / 8 <= BLOCK_WORDS, "a text fits a block");

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
    uint64_t depth = e->depth & (DEPTH_TIED - 1); /* ties are not kept */
    put_word(to, e->key);
    put_word(to + 8, e->amounts);
    put_word(to + 16, e->proof | (uint64_t)e->disproof << 32);
    put_word(to + 24, e->won_in | (uint64_t)e->none << 16 | depth << 32 | (uint64_t)e->work << 48);
}

static dfpn_entry get_entry(const unsigned char *from)
{
    uint64_t numbers = get_word(from + 16), rest = get_word(from + 24);
    return (dfpn_entry){.key = get_word(from),
                        .amounts = get_word(from + 8),
                        .proof = (uint32_t)numbers,
                        .disproof = (uint32_t)(numbers >> 32),
                        .won_in = (uint16_t)rest,
                        .none = (uint16_t)(rest >> 16),
                        .depth = (uint16_t)(rest >> 32) & (DEPTH_TIED - 1),
                        .work = (uint16_t)(rest >> 48)};
}

static uint64_t sum_of(uint64_t sum, const unsigned char *bytes, size_t words)
{
    for (size_t i = 0; i < words; i++)
        sum = ply_mix64(sum ^ get_word(bytes + 8 * i)) + PLY_GOLDEN;
    return sum;
}

/* --- writing --------------------------------------------------------------------------------- */
typedef struct keep_writer {
    ply_proof_sink *sink;
    void *context;
    uint64_t sum;
    unsigned char *buffer; /* a head, a block and a sum */
} keep_writer;

/* Writes the words in the buffer, and their sum. */
static bool write_out(keep_writer *w, size_t words)
{
    w->sum = sum_of(w->sum, w->buffer, words);
    put_word(w->buffer + 8 * words, w->sum);
    return w->sink(w->context, w->buffer, 8 * (words + 1));
}

static bool write_entries(keep_writer *w, const dfpn_table *table)
{
    size_t place = 0, words = 0;
    for (const dfpn_entry *e; (e = ply_dfpn_table_next(table, &place));) {
        put_entry(w->buffer + 8 * words, e);
        words += ENTRY_WORDS;
        if (words == BLOCK_WORDS) {
            if (!write_out(w, words))
                return false;
            words = 0;
        }
    }
    return words == 0 || write_out(w, words);
}

ply_status ply_checkpoint_write(const dfpn_table *table, const checkpoint_problem *problem,
                                ply_proof_sink *sink, void *context)
{
    keep_writer w = {.sink = sink, .context = context};
    size_t text_words = (problem->text_bytes + 7) / 8;
    if (problem->text_bytes > MOST_TEXT)
        return PLY_LIMIT;
    w.buffer = calloc(HEAD_WORDS + BLOCK_WORDS + 1, 8);
    if (!w.buffer)
        return PLY_NO_MEMORY;
    memcpy(w.buffer, magic, sizeof magic);
    put_word(w.buffer + 8, problem->text_bytes);
    put_word(w.buffer + 16, atomic_load_explicit(&table->count, memory_order_relaxed));
    put_word(w.buffer + 24, problem->key);
    put_word(w.buffer + 32, problem->amounts);
    memcpy(w.buffer + 8 * HEAD_WORDS, problem->text, problem->text_bytes);
    bool written = write_out(&w, HEAD_WORDS + text_words) && write_entries(&w, table);
    free(w.buffer);
    return written ? PLY_OK : PLY_IO;
}

/* --- reading --------------------------------------------------------------------------------- */
typedef struct keep_reader {
    const ply_proof_source *source;
    const checkpoint_problem *problem, *plain;
    bool is_plain; /* the file is about the second */
    ply_error *error;
    uint64_t at, sum;
    unsigned char *buffer;
} keep_reader;

static ply_status refuse(keep_reader *r, const char *what)
{
    ply_error_set(r->error, PLY_IO, "%s, at byte %" PRIu64, what, r->at);
    if (r->error)
        r->error->offset = (size_t)r->at;
    return PLY_IO;
}

/* Reads so many words behind the first `have`, and their sum. */
static ply_status read_in(keep_reader *r, size_t have, size_t words)
{
    size_t bytes = 8 * (words - have + 1);
    if (r->source->read(r->source->context, r->at, r->buffer + 8 * have, bytes) != bytes)
        return refuse(r, "the file cannot be read to its end");
    r->sum = sum_of(r->sum, r->buffer, words);
    if (get_word(r->buffer + 8 * words) != r->sum)
        return refuse(r, "the sum of a block is wrong");
    r->at += bytes;
    return PLY_OK;
}

static bool is_about(const unsigned char *text, uint64_t bytes, const checkpoint_problem *problem)
{
    return bytes == problem->text_bytes && memcmp(text, problem->text, bytes) == 0;
}

static ply_status read_head(keep_reader *r, uint64_t *entries)
{
    unsigned char *head = r->buffer;
    const ply_proof_source *s = r->source;
    if (s->read(s->context, 0, head, 8 * HEAD_WORDS) != 8 * HEAD_WORDS ||
        memcmp(head, magic, sizeof magic) != 0)
        return refuse(r, "not a file of what a solver knows, or of another version");
    uint64_t text_bytes = get_word(head + 8), words = (text_bytes + 7) / 8;
    *entries = get_word(head + 16);
    uint64_t blocks = *entries / KEEP_BLOCK + (*entries % KEEP_BLOCK != 0);
    if (text_bytes > MOST_TEXT || *entries > UINT64_MAX / 64 ||
        s->size != 8 * (HEAD_WORDS + words + 1 + ENTRY_WORDS * *entries + blocks))
        return refuse(r, "the file has not the length that it says");
    r->at = 8 * HEAD_WORDS;
    ply_status status = read_in(r, HEAD_WORDS, HEAD_WORDS + (size_t)words);
    if (status != PLY_OK)
        return status;
    r->at = 0;
    r->is_plain = !is_about(head + 8 * HEAD_WORDS, text_bytes, r->problem);
    if (r->is_plain && !is_about(head + 8 * HEAD_WORDS, text_bytes, r->plain))
        return refuse(r, "what is known there is about another problem");
    if (get_word(head + 24) != r->problem->key || get_word(head + 32) != r->problem->amounts)
        return refuse(r, "what is known there was found by a version with other keys");
    r->at = 8 * (HEAD_WORDS + words + 1);
    return PLY_OK;
}

/* What is done with the entries. */
typedef void keep_visit(void *context, const dfpn_entry *entry);

/* Goes through the file from its start. */
static ply_status read_all(keep_reader *r, keep_visit *visit, void *context)
{
    uint64_t left = 0;
    r->at = r->sum = 0;
    ply_status status = read_head(r, &left);
    while (status == PLY_OK && left > 0) {
        size_t count = left < KEEP_BLOCK ? (size_t)left : KEEP_BLOCK;
        status = read_in(r, 0, count * ENTRY_WORDS);
        for (size_t i = 0; status == PLY_OK && i < count; i++) {
            dfpn_entry entry = get_entry(r->buffer + i * 8 * ENTRY_WORDS);
            /* No win of so many plies: there may be one of so many that count. */
            if (r->is_plain && entry.none != PLIES_ANY + 1)
                entry.none = 0;
            if (entry.key == 0 || entry.work >= WORK_CODES)
                status = refuse(r, "an entry that cannot be, before this");
            else
                visit(context, &entry);
        }
        left -= count;
    }
    return status;
}

/* How many entries are worth how much. */
static void count_worth(void *context, const dfpn_entry *entry)
{
    uint64_t *counts = context;
    counts[ply_dfpn_entry_worth(entry)]++;
}

typedef struct keep_choice {
    dfpn_table *table;
    unsigned least; /* that an entry must be worth to be taken */
} keep_choice;

static void put_in(void *context, const dfpn_entry *entry)
{
    keep_choice *choice = context;
    if (ply_dfpn_entry_worth(entry) >= choice->least)
        ply_dfpn_table_put(choice->table, entry);
}

ply_status ply_checkpoint_read(dfpn_table *table, const checkpoint_problem *problem,
                               const checkpoint_problem *plain, const ply_proof_source *source,
                               ply_error *error)
{
    keep_reader r = {.source = source, .problem = problem, .plain = plain, .error = error};
    keep_choice choice = {.table = table};
    uint64_t counts[WORK_CODES] = {0}, all = 0;
    r.buffer = malloc(8 * (HEAD_WORDS + BLOCK_WORDS + 1));
    if (!r.buffer)
        return ply_error_set(error, PLY_NO_MEMORY, "out of memory");
    ply_status status = read_head(&r, &all);
    size_t room = status == PLY_OK ? ply_dfpn_table_reserve(table, all) : 0;
    if (status == PLY_OK && all > room) {
        /* Once to see what there is to choose from. */
        status = read_all(&r, count_worth, counts);
        for (; status == PLY_OK && all > room; choice.least++)
            all -= counts[choice.least];
    }
    if (status == PLY_OK)
        status = read_all(&r, put_in, &choice);
    free(r.buffer);
    return status;
}
