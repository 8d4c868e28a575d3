/* SPDX-License-Identifier: MIT */
/* book_file.c - reads and writes the file of a book and checks everything in it. */
#include "book/book_internal.h"
#include "core/bytes.h"
#include "core/file.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char magic[8] = {'P', 'L', 'Y', 'B', 'O', 'O', 'K', '1'};

#define MAX_FILE_BYTES ((size_t)1 << 30)

/* Writes the game and the rules as they stand in the header; false if they are too long. */
static bool write_rules(const ply_rules *rules, char out[BOOK_RULES_BYTES])
{
    memset(out, 0, BOOK_RULES_BYTES);
    ply_text text = ply_text_fixed(out, BOOK_RULES_BYTES);
    ply_text_format(&text, "%s ", rules->game->id);
    ply_rules_format(rules, &text);
    return !text.failed && text.length < BOOK_RULES_BYTES;
}

/* The key of the start position; false when memory runs out. */
static bool find_start(const ply_rules *rules, uint64_t *key)
{
    ply_state state;
    if (ply_state_init(&state, rules) != PLY_OK)
        return false;
    *key = ply_state_key(&state);
    ply_state_free(&state);
    return true;
}

/* What is wrong with the header of a file that begins with the magic, or NULL. */
static const char *check_header(const unsigned char *bytes, size_t size)
{
    uint64_t count = ply_get64(bytes + BOOK_AT_COUNT);
    if (count == 0 || count != (size - BOOK_HEADER_BYTES) / BOOK_ENTRY_BYTES ||
        (size - BOOK_HEADER_BYTES) % BOOK_ENTRY_BYTES != 0)
        return "the size does not fit the number of positions";
    if (ply_file_checksum(bytes + BOOK_AT_BODY, size - BOOK_AT_BODY) !=
        ply_get64(bytes + BOOK_AT_CHECKSUM))
        return "the checksum is wrong: the file is damaged";
    return NULL;
}

/* Reads the positions; returns what is wrong with them, or NULL. */
static const char *read_entries(ply_book *book, const unsigned char *bytes)
{
    size_t expanded = 0;
    for (size_t i = 0; i < book->count; i++) {
        const unsigned char *at = bytes + BOOK_HEADER_BYTES + i * BOOK_ENTRY_BYTES;
        uint32_t word = ply_get32(at + 12);
        book_entry *entry = &book->entries[i];
        *entry = (book_entry){.key = ply_get64(at),
                              .value = (int32_t)ply_get32(at + 8),
                              .ply = (uint16_t)word,
                              .expanded = word >> 16 == 1};
        if (i > 0 && entry->key <= entry[-1].key)
            return "the positions are not in order";
        if (entry->value < -PLY_SCORE_WIN || entry->value > PLY_SCORE_WIN)
            return "a value is out of range";
        if (word >> 16 > 1 || entry->ply > BOOK_MAX_PLY)
            return "a position has an impossible ply or state";
        expanded += entry->expanded;
    }
    return expanded == book->expanded ? NULL : "the number of expanded positions is wrong";
}

static ply_status read_body(ply_book *book, const unsigned char *bytes, const char *name,
                            ply_error *error)
{
    uint64_t start;
    book->entries = malloc(book->count * sizeof *book->entries);
    if (!book->entries || !find_start(book->rules, &start))
        return ply_error_set(error, PLY_NO_MEMORY, "%s: out of memory", name);
    const char *wrong = read_entries(book, bytes);
    if (wrong)
        return ply_error_set(error, PLY_IO, "%s: %s", name, wrong);
    const book_entry *first = ply_book_find(book, start);
    if (ply_get64(bytes + BOOK_AT_START) != start || !first || first->ply != 0)
        return ply_error_set(error, PLY_UNSUPPORTED, "%s: the start position is another one", name);
    return PLY_OK;
}

ply_status ply_book_read(const ply_rules *rules, const unsigned char *bytes, size_t size,
                         const char *name, ply_book **book, ply_error *error)
{
    char expected[BOOK_RULES_BYTES];
    *book = NULL;
    if (size < BOOK_HEADER_BYTES || memcmp(bytes, magic, sizeof magic) != 0)
        return ply_error_set(error, PLY_IO, "%s: not an opening book of version 1", name);
    const char *wrong = check_header(bytes, size);
    if (wrong)
        return ply_error_set(error, PLY_IO, "%s: %s", name, wrong);
    if (!write_rules(rules, expected) ||
        memcmp(bytes + BOOK_AT_RULES, expected, BOOK_RULES_BYTES) != 0)
        return ply_error_set(error, PLY_UNSUPPORTED, "%s: the book is for other rules", name);
    ply_book *made = calloc(1, sizeof *made);
    if (!made)
        return ply_error_set(error, PLY_NO_MEMORY, "%s: out of memory", name);
    made->rules = rules;
    made->count = (size_t)ply_get64(bytes + BOOK_AT_COUNT);
    made->expanded = (size_t)ply_get64(bytes + BOOK_AT_EXPANDED);
    made->nodes = ply_get64(bytes + BOOK_AT_NODES);
    made->width = ply_get32(bytes + BOOK_AT_WIDTH);
    made->ply_cost = (int32_t)ply_get32(bytes + BOOK_AT_PLY_COST);
    ply_status status = read_body(made, bytes, name, error);
    if (status == PLY_OK)
        *book = made;
    else
        ply_book_close(made);
    return status;
}

ply_status ply_book_open(const ply_rules *rules, const char *path, ply_book **book,
                         ply_error *error)
{
    ply_error own_error = {0};
    if (!book)
        return ply_error_set(error, PLY_BAD_ARGUMENT, "nowhere to put the book");
    *book = NULL;
    if (!rules || !rules->game || !path)
        return ply_error_set(error, PLY_BAD_ARGUMENT, "no rules, or no path of a book");
    if (!error)
        error = &own_error;
    size_t size;
    unsigned char *bytes = ply_file_read(path, MAX_FILE_BYTES, &size, error);
    if (!bytes)
        return error->status;
    ply_status status = ply_book_read(rules, bytes, size, path, book, error);
    free(bytes);
    return status;
}

void ply_book_close(ply_book *book)
{
    if (book)
        free(book->entries);
    free(book);
}

/* --- writing --------------------------------------------------------------------------------- */
static bool format_book(const ply_book *book, unsigned char *bytes, size_t size)
{
    uint64_t start;
    memcpy(bytes, magic, sizeof magic);
    if (!find_start(book->rules, &start) ||
        !write_rules(book->rules, (char *)bytes + BOOK_AT_RULES))
        return false;
    ply_put64(bytes + BOOK_AT_COUNT, book->count);
    ply_put64(bytes + BOOK_AT_EXPANDED, book->expanded);
    ply_put64(bytes + BOOK_AT_START, start);
    ply_put64(bytes + BOOK_AT_NODES, book->nodes);
    ply_put32(bytes + BOOK_AT_WIDTH, book->width);
    ply_put32(bytes + BOOK_AT_PLY_COST, (uint32_t)book->ply_cost);
    for (size_t i = 0; i < book->count; i++) {
        const book_entry *entry = &book->entries[i];
        unsigned char *at = bytes + BOOK_HEADER_BYTES + i * BOOK_ENTRY_BYTES;
        ply_put64(at, entry->key);
        ply_put32(at + 8, (uint32_t)entry->value);
        ply_put32(at + 12, entry->ply | (uint32_t)entry->expanded << 16);
    }
    ply_put64(bytes + BOOK_AT_CHECKSUM,
              ply_file_checksum(bytes + BOOK_AT_BODY, size - BOOK_AT_BODY));
    return true;
}

static bool replace_file(const char *path, const unsigned char *bytes, size_t size)
{
    ply_file_replacement replacement;
    if (!ply_file_replace_begin(&replacement, path))
        return false;
    if (fwrite(bytes, 1, size, replacement.stream) == size)
        return ply_file_replace_commit(&replacement, true);
    ply_file_replace_abort(&replacement);
    return false;
}

ply_status ply_book_write(const ply_book *book, const char *path, ply_error *error)
{
    size_t size = BOOK_HEADER_BYTES + book->count * BOOK_ENTRY_BYTES;
    unsigned char *bytes = calloc(1, size);
    ply_status status = PLY_OK;
    if (!bytes || !format_book(book, bytes, size))
        status = ply_error_set(error, PLY_NO_MEMORY, "%s: out of memory", path);
    else if (!replace_file(path, bytes, size))
        status = ply_error_set(error, PLY_IO, "%s: %s", path, strerror(errno));
    free(bytes);
    return status;
}
