/* SPDX-License-Identifier: MIT */
/*
 * gen_page.c - run at build time: writes files as C arrays.
 *
 *     gen_page ROOT OUT.c DOC FILE...     FILEs are named as they are below ROOT; DOC is
 * openapi.json
 *
 * The type of a file comes from its ending; an unknown ending is an error, so that nothing is ever
 * served as something it is not.
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *type_of(const char *path)
{
    static const char *const types[][2] = {
        {".html", "text/html; charset=utf-8"},
        {".js", "text/javascript; charset=utf-8"},
        {".mjs", "text/javascript; charset=utf-8"},
        {".css", "text/css; charset=utf-8"},
        {".svg", "image/svg+xml"},
        {".json", "application/json; charset=utf-8"},
        {".webmanifest", "application/manifest+json"},
        {".png", "image/png"},
        {".ico", "image/x-icon"},
        {".woff2", "font/woff2"},
        {".txt", "text/plain; charset=utf-8"},
    };
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof types / sizeof types[0]; i++)
        if (strcmp(dot, types[i][0]) == 0)
            return types[i][1];
    return NULL;
}

/* Writes the bytes of a file as an array; *check gets a hash of them. */
static int write_array(FILE *out, const char *path, int number, uint64_t *check, size_t *length)
{
    FILE *in = fopen(path, "rb");
    if (!in) {
        perror(path);
        return 1;
    }
    fprintf(out, "static const unsigned char file_%d[] = {", number);
    *check = 0xcbf29ce484222325u;
    *length = 0;
    for (int c; (c = getc(in)) != EOF; ++*length) {
        fprintf(out, "%s%d,", *length % 24 ? "" : "\n", c);
        *check = (*check ^ (uint64_t)c) * 0x100000001b3u;
    }
    fprintf(out, "0};\n");
    fclose(in);
    return 0;
}

static void write_entry(FILE *out, const char *path, const char *type, int number, uint64_t check,
                        size_t length)
{
    fprintf(out, "{\"%s\", \"%s\", file_%d, %zu, 0x%016" PRIx64 "u}", path, type, number, length,
            check);
}

int main(int argc, char **argv)
{
    if (argc < 4) {
        fprintf(stderr, "usage: gen_page ROOT OUT.c DOC FILE...\n");
        return 2;
    }
    FILE *out = fopen(argv[2], "wb");
    int count = argc - 3;
    uint64_t *checks = calloc((size_t)count, sizeof *checks);
    size_t *lengths = calloc((size_t)count, sizeof *lengths);
    if (!out || !checks || !lengths) {
        perror(argv[2]);
        return 2;
    }
    fprintf(out, "/* Made by gen_page. */\n#include \"server/api/app.h\"\n");
    for (int i = 0; i < count; i++) {
        if (!type_of(argv[i + 3])) {
            fprintf(stderr, "%s: a file of this ending cannot be served\n", argv[i + 3]);
            return 2;
        }
        if (write_array(out, argv[i + 3], i, &checks[i], &lengths[i]) != 0)
            return 2;
    }
    fprintf(out, "const page_file page_files[] = {\n");
    for (int i = 1; i < count; i++) {
        const char *path = argv[i + 3];
        size_t root = strlen(argv[1]);
        if (strncmp(path, argv[1], root) == 0)
            path += root + (path[root] == '/');
        write_entry(out, path, type_of(path), i, checks[i], lengths[i]);
        fprintf(out, ",\n");
    }
    fprintf(out, "{0},\n};\nconst size_t page_file_count = %d;\nconst page_file page_openapi = ",
            count - 1);
    write_entry(out, "openapi.json", "application/json; charset=utf-8", 0, checks[0], lengths[0]);
    fprintf(out, ";\n");
    free(checks);
    free(lengths);
    return fclose(out) == 0 ? 0 : 2;
}
