/* SPDX-License-Identifier: MIT */
/*
 * embedded.c - the networks that are part of the library: the files in nets/, by family.
 *
 * The build writes nn/embedded.inc with one line for each file, NETWORK("FAMILY", "PATH", number).
 */
#include "nn/network.h"
#include <string.h>

/* Each file becomes a read-only object of the assembler, with its end marked. */
#define NETWORK(family, path, number)             \
    __asm__(".pushsection .rodata\n"              \
            ".balign 64\n"                        \
            "ply_network_file_" #number ":\n"     \
            ".incbin \"" path "\"\n"              \
            "ply_network_file_end_" #number ":\n" \
            ".byte 0\n"                           \
            ".popsection\n");                     \
    extern const unsigned char ply_network_file_##number[], ply_network_file_end_##number[];
#include "nn/embedded.inc"
#undef NETWORK

const unsigned char *ply_network_embedded(const char *family, size_t *size)
{
    static const struct embedded_file {
        const char *family;
        const unsigned char *start, *end;
    } files[] = {
#define NETWORK(family, path, number) \
    {family, ply_network_file_##number, ply_network_file_end_##number},
#include "nn/embedded.inc"
#undef NETWORK
        {NULL, NULL, NULL},
    };
    for (const struct embedded_file *file = files; file->family; file++)
        if (strcmp(file->family, family) == 0) {
            *size = (size_t)(file->end - file->start);
            return file->start;
        }
    return NULL;
}
