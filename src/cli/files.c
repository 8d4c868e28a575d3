/* SPDX-License-Identifier: MIT */
/* files.c - reading and writing whole files, and files for random access. */
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
