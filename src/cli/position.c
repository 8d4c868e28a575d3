/* SPDX-License-Identifier: MIT */
/* position.c - a game at the position that the arguments name. */
#include "cli/cli.h"
#include "core/json_write.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void cli_json_open(const ply_rules *rules, ply_text *out)
{
    char variant[256];
    ply_text name = ply_text_fixed(variant, sizeof variant);
    ply_rules_format(rules, &name);
    ply_json_open(out, '{');
    ply_json_member_string(out, "game", rules->game->id);
    ply_json_member_string(out, "variant", variant);
}

void cli_print_text(ply_text *text)
{
    fwrite(ply_text_cstr(text), 1, text->length, stdout);
    ply_text_free(text);
}

unsigned cli_draw_flags(void)
{
    const char *no_colour = getenv("NO_COLOR");
    return isatty(STDOUT_FILENO) && !(no_colour && no_colour[0]) ? PLY_DRAW_COLOUR : 0;
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
    char temporary[4096];
    struct stat there;
    /* A pipe or a device is written to as it is: it has no older content to save. */
    bool direct = stat(path, &there) == 0 && !S_ISREG(there.st_mode);
    if (snprintf(temporary, sizeof temporary, "%s%s", path, direct ? "" : ".part") >=
        (int)sizeof temporary)
        return cli_fail(args, "%s: the name is too long", path);
    FILE *file = fopen(temporary, "wb");
    if (!file)
        return cli_fail(args, "%s: %s", temporary, strerror(errno));
    bool good = fwrite(ply_text_cstr(text), 1, text->length, file) == text->length;
    good = fclose(file) == 0 && good;
    if (good && (direct || rename(temporary, path) == 0))
        return CLI_OK;
    int reason = errno;
    if (!direct)
        remove(temporary);
    return cli_fail(args, "%s: %s", path, strerror(reason));
}

void cli_free_records(ply_record *records, size_t count)
{
    for (size_t i = 0; i < count; i++)
        ply_record_free(&records[i]);
    free(records);
}

/* Reads all games of a text in one format. *records is NULL when there are none. */
static ply_status read_all(const ply_format *format, const ply_rules *rules, const ply_text *text,
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

static const ply_format *format_by_ending(const ply_game *game, const char *path)
{
    const char *dot = strrchr(path, '.');
    const ply_format *format;
    for (size_t i = 0; dot && (format = ply_format_at(game, i)) != NULL; i++)
        if (format->read && strcmp(format->extension, dot + 1) == 0)
            return format;
    return NULL;
}

int cli_read_records(const cli_args *args, const ply_rules *rules, const char *path,
                     const char *format_id, ply_record **records, size_t *count)
{
    const ply_game *game = rules->game;
    const ply_format *format = format_id ? ply_format_find(game, format_id) : NULL;
    if (format_id && (!format || !format->read))
        return cli_fail(args, "%s reads no format '%s'", game->id, format_id);
    ply_text text = ply_text_growing();
    int result = CLI_OK;
    if (!cli_read_file(args, path, &text)) {
        result = CLI_BAD;
    } else {
        ply_error error = {0}, first_error = {0};
        ply_status status = PLY_BAD_TEXT;
        if (!format)
            format = format_by_ending(game, path);
        if (format) {
            status = read_all(format, rules, &text, records, count, &first_error);
        } else {
            /* Neither named nor told by the ending: the first format that reads it all. The
             * message is that of the reader that got furthest. */
            for (size_t i = 0; status != PLY_OK && (format = ply_format_at(game, i)); i++) {
                if (!format->read)
                    continue;
                status = read_all(format, rules, &text, records, count, &error);
                if (status == PLY_OK && *count == 0)
                    status = PLY_BAD_TEXT;
                if (status != PLY_OK && (i == 0 || error.offset > first_error.offset))
                    first_error = error;
            }
        }
        if (status != PLY_OK)
            result = cli_fail_error(args, path, &first_error);
        else if (*count == 0)
            result = cli_fail(args, "%s: no game in it", path);
    }
    ply_text_free(&text);
    return result;
}

static int open_file(cli_game *game, const cli_args *args, const char *path)
{
    ply_record *records = NULL;
    size_t count = 0;
    int result = cli_read_records(args, &game->rules, path, NULL, &records, &count);
    if (!records)
        return result;
    ply_error error = {0};
    ply_state state;
    ply_status status = ply_record_final_state(&records[0], &state, &error);
    if (status == PLY_OK) {
        /* The state goes on to live with rules of our own. */
        ply_state_free(&game->state);
        game->rules = records[0].rules;
        game->state = state;
        game->state.rules = &game->rules;
    }
    cli_free_records(records, count);
    return status == PLY_OK ? CLI_OK : cli_fail_error(args, path, &error);
}

int cli_game_open(cli_game *game, const cli_args *args)
{
    ply_error error = {0};
    const ply_game *found = ply_game_find(args->operands[0]);
    if (!found)
        return cli_fail(args, "no game '%s'; see plyverse games", args->operands[0]);
    if (ply_rules_make(&game->rules, found, cli_value(args, "--variant"), &error) != PLY_OK)
        return cli_fail_error(args, "--variant", &error);
    const char *position = cli_value(args, "--position"), *file = cli_value(args, "--file");
    const char *moves = cli_value(args, "--moves");
    if (position && file)
        return cli_fail(args, "--position and --file exclude each other");
    ply_status status = ply_state_init(&game->state, &game->rules);
    if (status != PLY_OK)
        return cli_fail(args, "%s", ply_status_text(status));
    int result = CLI_OK;
    if (position && ply_state_parse(&game->state, position, strlen(position), &error) != PLY_OK)
        result = cli_fail_error(args, "--position", &error);
    if (file)
        result = open_file(game, args, file);
    if (result == CLI_OK && moves &&
        ply_state_play_text(&game->state, moves, strlen(moves), &error) != PLY_OK)
        result = cli_fail_error(args, "--moves", &error);
    if (result != CLI_OK)
        cli_game_close(game);
    return result;
}

void cli_game_close(cli_game *game)
{
    ply_state_free(&game->state);
}
