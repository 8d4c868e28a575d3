/* SPDX-License-Identifier: MIT */
/*
 * fuzz_book.c - reads the input as an opening book for Neighbours. The checksum would stop nearly
 * every input, so each is read twice: as it is, and with the checksum corrected. The moves of books
 * that load are legal.
 */
#include "book/book_internal.h"
#include "core/bytes.h"
#include "core/file.h"
#include "fuzz/fuzz.h"

static void read_book(const ply_rules *rules, const uint8_t *data, size_t size)
{
    ply_book *book;
    ply_error error = {0};
    ply_status status = ply_book_read(rules, data, size, "FILE", &book, &error);
    if (status != PLY_OK) {
        FUZZ_CHECK(!book && error.status == status && strncmp(error.message, "FILE: ", 6) == 0);
        FUZZ_CHECK(status == PLY_IO || status == PLY_UNSUPPORTED);
        return;
    }
    ply_state state;
    FUZZ_CHECK(ply_state_init(&state, rules) == PLY_OK);
    ply_rng rng = ply_rng_make(1, 0);
    ply_book_move chosen;
    while (ply_book_choose(book, &state, 100, &rng, &chosen)) {
        FUZZ_CHECK(ply_state_is_legal(&state, chosen.move));
        FUZZ_CHECK(state.plies < BOOK_MAX_PLY);
        FUZZ_CHECK(ply_state_play(&state, chosen.move) == PLY_OK);
    }
    ply_state_free(&state);
    ply_book_close(book);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ply_rules rules;
    FUZZ_CHECK(ply_rules_make(&rules, ply_game_find("neighbours"), NULL, NULL) == PLY_OK);
    read_book(&rules, data, size);
    if (size < BOOK_HEADER_BYTES)
        return 0;
    uint8_t *copy = malloc(size);
    memcpy(copy, data, size);
    ply_put64(copy + BOOK_AT_CHECKSUM, ply_file_checksum(copy + BOOK_AT_BODY, size - BOOK_AT_BODY));
    read_book(&rules, copy, size);
    free(copy);
    return 0;
}
