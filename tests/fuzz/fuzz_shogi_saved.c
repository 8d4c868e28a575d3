/* SPDX-License-Identifier: MIT */
/*
 * fuzz_shogi_saved.c - 80 bytes as a saved position. On a position that loads, all representations
 * and all ways of counting agree.
 */
#include "fuzz/fuzz.h"
#include "games/shogi/shogi.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    shogi_position p, again;
    uint8_t bytes[SHOGI_SAVED_BYTES];
    ply_error error = {0};
    if (size != SHOGI_SAVED_BYTES)
        return 0;
    if (shogi_load(data, &p, &error) != PLY_OK) {
        FUZZ_CHECK(error.message[0]);
        return 0;
    }
    shogi_save(&p, bytes);
    FUZZ_CHECK(shogi_load(bytes, &again, NULL) == PLY_OK);
    FUZZ_CHECK(memcmp(&p, &again, sizeof p) == 0);
    ply_move moves[SHOGI_MAX_MOVES];
    size_t count = shogi_moves_of_mode(&p, SHOGI_STANDARD, moves);
    FUZZ_CHECK(count == shogi_count(NULL, &p));
    uint64_t replies = 0;
    for (size_t i = 0; i < count; i++) {
        shogi_undo_info undo;
        shogi_play(NULL, &p, moves[i], &undo);
        FUZZ_CHECK(!shogi_in_check(&p, !p.side));
        replies += shogi_count(NULL, &p);
        shogi_undo(NULL, &p, moves[i], &undo);
    }
    FUZZ_CHECK(memcmp(&p, &again, sizeof p) == 0);
    FUZZ_CHECK(count == 0 || shogi_perft(NULL, &p, 2, 0) == replies);
    return 0;
}
