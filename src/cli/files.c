/* SPDX-License-Identifier: MIT */
/* files.c - reading and writing whole files, records, and files for random access. */
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

void cli_free_records(ply_record *records, size_t count)
{
    for (size_t i = 0; i < count; i++)
        ply_record_free(&records[i]);
    free(records);
}

/* Parses all games of a text in one format. *records is NULL when there are none. */
static ply_status parse_all(const ply_format *format, const ply_rules *rules, const ply_text *text,
                            ply_record **records, size_t *count, ply_error *error)
{
    ply_cursor cursor = ply_cursor_make(ply_text_cstr(text), text->length, error);
    *records = NULL;
    *count = 0;
    for (;;) {
        ply_record *grown = realloc(*records, (*count + 1) * sizeof **records);
        bool found = false;
        ply_status status = grown ? ply_record_init(&grown[*count], rules) : PLY_NO_MEMORY;
        if (grown)
            *records = grown;
        if (status != PLY_OK) {
            ply_error_set(error, status, "%s", ply_status_text(status));
        } else {
            status = format->read(&cursor, &grown[*count], &found);
            if (status != PLY_OK || !found)
                ply_record_free(&grown[*count]);
        }
        if (status == PLY_OK && found) {
            ++*count;
            continue;
        }
        if (status != PLY_OK || *count == 0) {
            cli_free_records(*records, *count);
            *records = NULL;
            *count = 0;
        }
        return status;
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

int cli_read_records(const cli_args *args, const ply_rules *rules, const char *path,
                     const char *format_id, ply_record **records, size_t *count)
{
    const ply_game *game = rules->game;
    const ply_format *format = format_id ? ply_format_find(game, format_id) : NULL;
    if (format_id && (!format || !format->read))
        return cli_fail(args, "%s has no readable format '%s'; see plyverse games %s", game->id,
                        format_id, game->id);
    ply_text text = ply_text_growing();
    int result = CLI_OK;
    if (!cli_read_file(args, path, &text)) {
        result = CLI_BAD;
    } else {
        ply_error error = {0}, first_error = {0};
        ply_status status = PLY_BAD_TEXT;
        if (!format)
            format = format_by_extension(game, path, false);
        if (format) {
            status = parse_all(format, rules, &text, records, count, &first_error);
        } else {
            /* Take the first format that can read all of it. If none can, report the error of the
             * one that got furthest. */
            for (size_t i = 0; status != PLY_OK && (format = ply_format_at(game, i)); i++) {
                if (!format->read)
                    continue;
                status = parse_all(format, rules, &text, records, count, &error);
                if (status == PLY_OK && *count == 0)
                    status = PLY_BAD_TEXT;
                if (status != PLY_OK && (i == 0 || error.offset > first_error.offset))
                    first_error = error;
            }
        }
        if (status != PLY_OK)
            result = cli_fail_error(args, path, &first_error);
        else if (*count == 0)
            result = cli_fail(args, "%s: the file contains no game", path);
    }
    ply_text_free(&text);
    return result;
}

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
