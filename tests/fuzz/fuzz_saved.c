/* SPDX-License-Identifier: MIT */
/*
 * fuzz_saved.c - saved states and saved games of a batch: the first line names the rules, the rest is
 * the text. What loads must survive save and load; a text that does not load says where it is wrong
 * and leaves everything as it was. The mutator saves random games and changes the text.
 */
#include "fuzz/random_record.h"

static const char *const words[] = {"0 ",   "1 ",     "2 ", "12 ", "18446744073709551615 ",
                                    "-1 ",  " ",      "\n", "\t",  "startpos",
                                    "pass", "submit", NULL};

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    ply_rng rng = ply_rng_make(seed, 0);
    if (ply_rng_below(&rng, 4))
        return grammar_mutate(data, size, max_size, words, &rng);
    ply_rules rules;
    ply_state state;
    random_rules(&rng, &rules);
    random_game(&rng, &rules, 60, &state);
    ply_text text = ply_text_growing();
    ply_text_format(&text, "%s %s\n", rules.game->id, rules.variant->id);
    if (ply_rng_below(&rng, 2))
        ply_text_format(&text, "%u ", ply_rng_below(&rng, 1000));
    FUZZ_CHECK(ply_state_save(&state, &text) == PLY_OK);
    if (text.length <= max_size)
        memcpy(data, ply_text_cstr(&text), size = text.length);
    ply_text_free(&text);
    ply_state_free(&state);
    return size;
}

static void check_state(const ply_rules *rules, const char *text, size_t size)
{
    ply_state state, again;
    ply_error error = {0};
    ply_text saved = ply_text_growing(), twice = ply_text_growing();
    if (ply_state_init(&state, rules) != PLY_OK)
        return;
    uint64_t key = ply_state_key(&state);
    if (ply_state_load(&state, text, size, &error) != PLY_OK) {
        FUZZ_CHECK(error.message[0] && error.offset <= size);
        FUZZ_CHECK(ply_state_key(&state) == key && state.plies == 0);
    } else {
        FUZZ_CHECK(ply_state_init(&again, rules) == PLY_OK);
        FUZZ_CHECK(ply_state_save(&state, &saved) == PLY_OK);
        FUZZ_CHECK(ply_state_load(&again, saved.data, saved.length, NULL) == PLY_OK);
        FUZZ_CHECK(ply_state_key(&again) == ply_state_key(&state) && again.plies == state.plies);
        FUZZ_CHECK(ply_state_save(&again, &twice) == PLY_OK);
        FUZZ_CHECK(strcmp(saved.data, twice.data) == 0);
        ply_state_free(&again);
    }
    ply_state_free(&state);
    ply_text_free(&saved);
    ply_text_free(&twice);
}

static void check_batch(const ply_rules *rules, const char *text, size_t size)
{
    ply_batch *batch;
    ply_error error = {0};
    ply_batch_options options = {
        .games = 2, .outputs = PLY_BATCH_MASK_BITS | PLY_BATCH_KEYS, .max_plies = 200};
    if (ply_batch_new(&batch, rules, &options, NULL) != PLY_OK)
        return;
    const ply_batch_arrays *arrays = ply_batch_data(batch);
    uint64_t key = arrays->keys[1];
    if (ply_batch_load(batch, 1, text, size, &error) != PLY_OK) {
        FUZZ_CHECK(error.message[0] && error.offset <= size);
        FUZZ_CHECK(arrays->keys[1] == key && arrays->plies[1] == 0);
    } else {
        int32_t actions[2];
        ply_text saved = ply_text_growing(), twice = ply_text_growing();
        FUZZ_CHECK(ply_batch_save(batch, 1, &saved) == PLY_OK);
        key = arrays->keys[1];
        ply_batch_sample(batch, actions);
        (void)ply_batch_step(batch, actions);
        FUZZ_CHECK(ply_batch_load(batch, 1, saved.data, saved.length, NULL) == PLY_OK);
        FUZZ_CHECK(arrays->keys[1] == key);
        FUZZ_CHECK(ply_batch_save(batch, 1, &twice) == PLY_OK);
        FUZZ_CHECK(strcmp(saved.data, twice.data) == 0);
        ply_text_free(&saved);
        ply_text_free(&twice);
    }
    ply_batch_free(batch);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ply_rules rules;
    const char *text = fuzz_rules((const char *)data, &size, &rules);
    if (text) {
        check_state(&rules, text, size);
        check_batch(&rules, text, size);
    }
    return 0;
}
