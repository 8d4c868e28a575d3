/*
 * fuzz_proof.c - proof files of every game: the first byte picks the game, the rest is the file.
 * The sum is made right, so that what lies behind it is reached. Whatever is refused must say why.
 */
#include "fuzz/fuzz.h"

typedef struct bytes {
    const uint8_t *data;
    size_t size;
} bytes;

static size_t read_bytes(void *context, uint64_t offset, void *out, size_t count)
{
    const bytes *b = context;
    if (offset >= b->size)
        return 0;
    if (count > b->size - offset)
        count = b->size - (size_t)offset;
    memcpy(out, b->data + offset, count);
    return count;
}

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
        for (int i = 0; i < 8; i++)
            copy[size - 8 + (size_t)i] = (uint8_t)(sum >> (8 * i));
    }
    bytes b = {copy, size};
    ply_proof_source source = {.read = read_bytes, .context = &b, .size = size};
    ply_proof_summary summary;
    ply_error error = {0};
    ply_text text = ply_text_growing();
    ply_status status = ply_proof_check(game, &source, 2000, NULL, &summary, &text, &error);
    FUZZ_CHECK(status == PLY_OK || error.message[0]);
    ply_text_free(&text);
    free(copy);
    return 0;
}
