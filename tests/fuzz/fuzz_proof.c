/* SPDX-License-Identifier: MIT */
/*
 * fuzz_proof.c - proof files of every game: the first byte picks the game, the rest is the file.
 * The sum is made right, so that what lies behind it is reached. Whatever is refused must say why.
 */
#include "fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    const ply_game *game = ply_game_at(data[0] % ply_game_count());
    uint8_t *copy = malloc(size - 1);
    FUZZ_CHECK(copy != NULL);
    memcpy(copy, data + 1, size - 1);
    size--;
    if (size > 8) {
        uint64_t sum = 0xCBF29CE484222325u;
        for (size_t i = 0; i < size - 8; i++)
            sum = (sum ^ copy[i]) * 0x100000001B3u;
        fuzz_put64(copy + size - 8, sum);
    }
    fuzz_bytes b = {copy, size};
    ply_proof_source source = {.read = fuzz_read, .context = &b, .size = size};
    ply_proof_summary summary;
    ply_error error = {0};
    ply_text text = ply_text_growing();
    ply_status status = ply_proof_check(game, &source, 2000, NULL, &summary, &text, &error);
    FUZZ_CHECK(status == PLY_OK || error.message[0]);
    ply_text_free(&text);
    free(copy);
    return 0;
}
