/* SPDX-License-Identifier: MIT */
/*
 * fuzz_train_games.c - games of self-play files: the first byte picks the game, the rest is the
 * payload of a record, which is decoded and replayed. What is decoded encodes to a record that
 * decodes to the same. Whatever is refused must say why.
 */
#include "fuzz/fuzz.h"
#include "train/game_file.h"

static void replay(const ply_game *rules_of, const train_game *game)
{
    ply_rules rules;
    ply_state state;
    ply_error error = {0};
    FUZZ_CHECK(ply_rules_make(&rules, rules_of, NULL, NULL) == PLY_OK);
    FUZZ_CHECK(ply_state_init(&state, &rules) == PLY_OK);
    ply_status status = train_game_begin(game, &state, &error);
    for (size_t i = 0; i < game->plies && i < 200 && status == PLY_OK; i++) {
        ply_move move;
        status = train_game_move(game, &state, &move, &error);
        if (status == PLY_OK)
            status = ply_state_play(&state, move);
    }
    if (status == PLY_OK)
        (void)train_game_check_end(game, &state, &error);
    FUZZ_CHECK(status == PLY_OK || status == PLY_LIMIT || error.message[0]);
    ply_state_free(&state);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1)
        return 0;
    train_game game = {0}, again = {0};
    ply_error error = {0};
    ply_status status = train_game_decode(&game, data + 1, size - 1, &error);
    FUZZ_CHECK(status == PLY_OK || error.message[0]);
    if (status == PLY_OK) {
        ply_text record = ply_text_growing();
        train_game_encode(&game, &record);
        size_t prefix = 1;
        while (record.data[prefix - 1] & 0x80)
            prefix++;
        FUZZ_CHECK(train_game_decode(&again, (uint8_t *)record.data + prefix,
                                     record.length - prefix - 4, &error) == PLY_OK);
        FUZZ_CHECK(again.plies == game.plies && again.number == game.number &&
                   again.final_key == game.final_key);
        FUZZ_CHECK(game.plies == 0 ||
                   memcmp(again.scores, game.scores, game.plies * sizeof *game.scores) == 0);
        ply_text_free(&record);
        replay(ply_game_at(data[0] % ply_game_count()), &game);
    }
    train_game_free(&game);
    train_game_free(&again);
    return 0;
}
