/* SPDX-License-Identifier: MIT */
/* files.c - reading and writing whole files, games in files, and files for random access. */
#include "cli/cli.h"
#include "core/file.h"
#include "core/text/printable.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void cli_print_text(ply_text *text)
{
    fwrite(ply_text_cstr(text), 1, text->length, stdout);
    ply_text_free(text);
}

void cli_print_foreign_text(ply_text *text)
{
    if (isatty(STDOUT_FILENO) && text->data)
        ply_mask_controls(text->data, text->length, "\n\t");
    cli_print_text(text);
}

bool cli_read_file(const cli_args *args, const char *path, ply_text *content)
{
    bool standard = strcmp(path, "-") == 0;
    FILE *file = standard ? stdin : fopen(path, "rb");
    if (!file) {
        cli_fail(args, "%s: %s", path, strerror(errno));
        return false;
    }
    char buffer[1 << 14];
    size_t got;
    while ((got = fread(buffer, 1, sizeof buffer, file)) > 0)
        ply_text_bytes(content, buffer, got);
    bool good = !ferror(file) && !content->failed;
    if (!good)
        cli_fail(args, "%s: %s", path, content->failed ? "out of memory" : strerror(errno));
    if (!standard)
        fclose(file);
    return good;
}

int cli_write_file(const cli_args *args, const char *path, const ply_text *text)
{
    ply_file_replacement file;
    if (ply_file_replace_begin(&file, path)) {
        fwrite(ply_text_cstr(text), 1, text->length, file.stream);
        if (ply_file_replace_commit(&file, false))
            return CLI_OK;
    }
    return cli_fail(args, "%s: %s", path, strerror(errno));
}

/* --- games --------------------------------------------------------------------------------- */
void cli_free_records(ply_record *records, size_t count)
{
    for (size_t i = 0; i < count; i++)
        ply_record_free(&records[i]);
    free(records);
}

/* The games of a text, and those that cannot be read. */
typedef struct record_list {
    ply_record *records;
    size_t count;
    struct skipped_game {
        size_t number; /* in the file, from 1 */
        ply_error error;
    } * skipped;
    size_t skipped_count;
    bool keep_going;      /* skip games that cannot be read */
    bool rest_is_skipped; /* the format does not show where the next game begins */
} record_list;

static void list_free(record_list *list)
{
    cli_free_records(list->records, list->count);
    free(list->skipped);
    *list = (record_list){.keep_going = list->keep_going};
}

static bool list_skip(record_list *list, const ply_error *error)
{
    struct skipped_game *grown =
        realloc(list->skipped, (list->skipped_count + 1) * sizeof *list->skipped);
    if (!grown)
        return false;
    list->skipped = grown;
    size_t number = list->count + list->skipped_count + 1;
    grown[list->skipped_count++] = (struct skipped_game){.number = number, .error = *error};
    return true;
}

/* Goes on to the next game after one that cannot be read. False: reading ends here. */
static bool go_on(const ply_format *format, const ply_cursor *start, ply_cursor *cursor,
                  record_list *list)
{
    *cursor = *start;
    if (format->skip)
        format->skip(cursor);
    list->rest_is_skipped = cursor->at <= start->at;
    return !list->rest_is_skipped;
}

/* Parses all games of a text in one format; after a failure the list is empty. */
static ply_status parse_all(const ply_format *format, const ply_rules *rules, const ply_text *text,
                            record_list *list, ply_error *error)
{
    ply_cursor cursor = ply_cursor_make(ply_text_cstr(text), text->length, error);
    for (;;) {
        ply_cursor start = cursor;
        ply_record *grown = realloc(list->records, (list->count + 1) * sizeof *grown);
        bool found = false;
        ply_status status = grown ? ply_record_init(&grown[list->count], rules) : PLY_NO_MEMORY;
        if (grown)
            list->records = grown;
        if (status != PLY_OK) {
            ply_error_set(error, status, "%s", ply_status_text(status));
        } else {
            status = format->read(&cursor, &grown[list->count], &found);
            if (status != PLY_OK || !found)
                ply_record_free(&grown[list->count]);
        }
        if (status == PLY_OK && !found)
            return PLY_OK;
        list->count += status == PLY_OK;
        if (status == PLY_OK)
            continue;
        if (!list->keep_going || status == PLY_NO_MEMORY || !list_skip(list, error)) {
            list_free(list);
            return status;
        }
        if (!go_on(format, &start, &cursor, list))
            return PLY_OK;
    }
}

/* The format of a file's extension that can be read, or written; NULL if there is none. */
static const ply_format *format_by_extension(const ply_game *game, const char *path, bool writes)
{
    const char *dot = strrchr(path, '.');
    const ply_format *format;
    for (size_t i = 0; dot && (format = ply_format_at(game, i)) != NULL; i++)
        if ((writes ? format->write != NULL : format->read != NULL) &&
            strcmp(format->extension, dot + 1) == 0)
            return format;
    return NULL;
}

const ply_format *cli_save_format(const ply_game *game, const char *path)
{
    const ply_format *format = format_by_extension(game, path, true);
    return format ? format : ply_format_find(game, "ply");
}

static int read_list(const cli_args *args, const ply_rules *rules, const char *path,
                     const char *format_id, record_list *list)
{
    const ply_game *game = rules->game;
    const ply_format *format = format_id ? ply_format_find(game, format_id) : NULL;
    if (format_id && (!format || !format->read))
        return cli_fail(args, "%s has no readable format '%s'; see plyverse games %s", game->id,
                        format_id, game->id);
    ply_text text = ply_text_growing();
    int result = CLI_BAD;
    if (cli_read_file(args, path, &text)) {
        ply_error error = {0};
        if (!format)
            format = format_by_extension(game, path, false);
        if (!format)
            format = ply_format_detect(rules, ply_text_cstr(&text), text.length);
        ply_status status =
            format ? parse_all(format, rules, &text, list, &error)
                   : ply_error_set(&error, PLY_BAD_TEXT,
                                   "this is not a record of %s in any format that Plyverse reads",
                                   game->name);
        if (status == PLY_OK && list->count == 0 && list->skipped_count > 0) {
            status = PLY_BAD_TEXT;
            error = list->skipped[0].error;
        }
        if (status != PLY_OK)
            cli_fail_error(args, path, &error);
        else if (list->count == 0)
            cli_fail(args, "%s: the file contains no game", path);
        else
            result = CLI_OK;
    }
    ply_text_free(&text);
    return result;
}

int cli_read_records(const cli_args *args, const ply_rules *rules, const char *path,
                     const char *format_id, ply_record **records, size_t *count)
{
    record_list list = {0};
    int result = read_list(args, rules, path, format_id, &list);
    if (result != CLI_OK)
        list_free(&list);
    *records = list.records;
    *count = list.count;
    return result;
}

int cli_read_good_records(const cli_args *args, const ply_rules *rules, const char *path,
                          const char *format_id, ply_record **records, size_t *count)
{
    record_list list = {.keep_going = true};
    int result = read_list(args, rules, path, format_id, &list);
    for (size_t i = 0; i < list.skipped_count && result == CLI_OK; i++) {
        char what[64];
        bool rest = list.rest_is_skipped && i + 1 == list.skipped_count;
        snprintf(what, sizeof what, "game %zu%s skipped", list.skipped[i].number,
                 rest ? " and all that follow are" : "");
        cli_fail_error(args, what, &list.skipped[i].error);
    }
    if (list.skipped_count > 0 && result == CLI_OK)
        result = CLI_NO;
    if (result == CLI_BAD)
        list_free(&list);
    *records = list.records;
    *count = list.count;
    free(result == CLI_BAD ? NULL : list.skipped);
    return result;
}

/* --- files for random access ------------------------------------------------------------------ */
static size_t read_at(void *context, uint64_t offset, void *bytes, size_t count)
{
    FILE *file = context;
    if (ftello(file) != (off_t)offset && fseeko(file, (off_t)offset, SEEK_SET) != 0)
        return 0;
    return fread(bytes, 1, count, file);
}

FILE *cli_source_open(const char *path, ply_proof_source *source)
{
    FILE *file = fopen(path, "rb");
    off_t size = -1;
    if (file && fseeko(file, 0, SEEK_END) == 0)
        size = ftello(file);
    if (file && size < 0) {
        int reason = errno;
        fclose(file);
        errno = reason;
        return NULL;
    }
    *source = (ply_proof_source){.read = read_at, .context = file, .size = (uint64_t)size};
    return file;
}

/* --- networks -------------------------------------------------------------------------------- */
bool cli_network_find(const cli_args *args, const ply_rules *rules, const char **name)
{
    ply_network *network;
    ply_error error = {0};
    *name = cli_value(args, "--net");
    if (ply_network_load(rules, *name, &network, &error) != PLY_OK) {
        cli_fail(args, "%s", error.message);
        return false;
    }
    ply_network_free(network);
    return true;
}
