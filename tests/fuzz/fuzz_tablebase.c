/* SPDX-License-Identifier: MIT */
/*
 * fuzz_tablebase.c - reads the input as a tablebase file. Checksums would stop nearly every input
 * at the header, so each input is read twice: as it is, and with all checksums corrected. Files
 * that open are decompressed to the end.
 */
#include "fuzz/fuzz.h"
#include "tablebase/file.h"
#define XXH_INLINE_ALL
#include <xxhash.h>

enum { INDEX_AT = 48, FILE_BYTES_AT = 56, INDEX_CHECKSUM_AT = 64, HEADER_CHECKSUM_AT = 504 };

static void read_all(const uint8_t *data, size_t size)
{
    tablebase_file file;
    ply_error error = {0};
    if (ply_tablebase_file_read(&file, data, size, "FILE", &error) != PLY_OK) {
        FUZZ_CHECK(error.status == PLY_IO && strncmp(error.message, "FILE: ", 6) == 0);
        return;
    }
    FUZZ_CHECK(file.header.slots > 0 && file.block_count > 0);
    tablebase_unpacker *unpacker = ply_tablebase_unpacker_new();
    uint16_t *values = malloc(TABLEBASE_BLOCK_VALUES * sizeof *values);
    for (uint64_t i = 0; i < file.block_count; i++)
        if (ply_tablebase_file_block(&file, unpacker, i, values, "FILE", &error) != PLY_OK)
            FUZZ_CHECK(error.status == PLY_IO);
    free(values);
    ply_tablebase_unpacker_free(unpacker);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_all(data, size);
    if (size < TABLEBASE_HEADER_BYTES)
        return 0;
    uint8_t *copy = malloc(size);
    memcpy(copy, data, size);
    fuzz_put64(copy + FILE_BYTES_AT, size);
    uint64_t index = fuzz_get64(copy + INDEX_AT);
    if (index <= size) {
        for (uint64_t at = index; at + TABLEBASE_ENTRY_BYTES <= size; at += TABLEBASE_ENTRY_BYTES) {
            uint64_t first = fuzz_get64(copy + at), bytes = fuzz_get64(copy + at + 8) & 0xFFFFFFFFu;
            if (first <= size && bytes <= size - first)
                fuzz_put64(copy + at + 16, XXH64(copy + first, (size_t)bytes, 0));
        }
        fuzz_put64(copy + INDEX_CHECKSUM_AT, XXH64(copy + index, size - (size_t)index, 0));
    }
    fuzz_put64(copy + HEADER_CHECKSUM_AT, XXH64(copy, HEADER_CHECKSUM_AT, 0));
    read_all(copy, size);
    free(copy);
    return 0;
}
