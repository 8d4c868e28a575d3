/* SPDX-License-Identifier: MIT */
/* file_source.c - files that are read at any place: proofs, and what a solver knows. */
#include "cli/cli.h"
#include <errno.h>

static size_t read_file(void *context, uint64_t offset, void *bytes, size_t count)
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
        int why = errno;
        fclose(file);
        errno = why;
        return NULL;
    }
    *source = (ply_proof_source){.read = read_file, .context = file, .size = (uint64_t)size};
    return file;
}
