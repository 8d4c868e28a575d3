/* SPDX-License-Identifier: MIT */
/* cmd_convert.c - plyverse convert: game records from one format to another. */
#include "cli/cli.h"
#include <stdio.h>
#include <string.h>

static int write_records(const cli_args *args, const ply_format *format, const ply_record *records,
                         size_t count)
{
    ply_text out = ply_text_growing();
    const char *path = cli_value(args, "--output");
    int result = CLI_OK;
    for (size_t i = 0; i < count && result == CLI_OK; i++) {
        ply_error error = {0};
        if (format->write(&records[i], &out, &error) != PLY_OK) {
            char what[40];
            snprintf(what, sizeof what, "game %zu", i + 1);
            result = cli_fail_error(args, what, &error);
        }
    }
    if (result == CLI_OK && out.failed)
        result = cli_fail(args, "out of memory");
    if (result == CLI_OK && path)
        result = cli_write_file(args, path, &out);
    else if (result == CLI_OK)
        cli_print_foreign_text(&out);
    ply_text_free(&out);
    return result;
}

int cli_convert(const cli_args *args)
{
    const ply_game *game = cli_find_game(args);
    if (!game)
        return CLI_BAD;
    const char *to = cli_value(args, "--to");
    const ply_format *format = to ? ply_format_find(game, to) : NULL;
    if (!to)
        return cli_fail(args, "--to FORMAT is required; see plyverse games %s", game->id);
    if (!format || !format->write)
        return cli_fail(args, "--to: %s has no writable format '%s'; see plyverse games %s",
                        game->id, to, game->id);
    ply_rules rules;
    ply_error error = {0};
    if (ply_rules_make(&rules, game, cli_value(args, "--variant"), &error) != PLY_OK)
        return cli_fail_error(args, "--variant", &error);
    const char *path = args->operand_count > 1 ? args->operands[1] : "-";
    ply_record *records = NULL;
    size_t count = 0;
    int read = (cli_has(args, "--keep-going") ? cli_read_good_records : cli_read_records)(
        args, &rules, path, cli_value(args, "--from"), &records, &count);
    if (read == CLI_BAD)
        return read;
    int written = write_records(args, format, records, count);
    cli_free_records(records, count);
    return written == CLI_OK ? read : written;
}
