/* SPDX-License-Identifier: MIT */
/*
 * random_record.h - records of random games for the fuzz targets: variations, comments, glyphs,
 * times, tags, results, and at times a start position from the middle of another game.
 */
#ifndef TESTS_FUZZ_RANDOM_RECORD_H
#define TESTS_FUZZ_RANDOM_RECORD_H

#include "fuzz/grammar.h"

/* The rules of some variant of some game. */
static inline void random_rules(ply_rng *rng, ply_rules *rules)
{
    const ply_game *game = ply_game_at(ply_rng_below(rng, (uint32_t)ply_game_count()));
    const ply_variant *variant = &game->variants[ply_rng_below(rng, (uint32_t)game->variant_count)];
    if (ply_rules_make(rules, game, variant->id, NULL) != PLY_OK)
        FUZZ_CHECK(ply_rules_make(rules, game, NULL, NULL) == PLY_OK);
}

/* Plays one random move; false when the game is over. */
static inline bool random_ply(ply_state *state, ply_rng *rng, ply_move *move)
{
    const ply_rules *rules = state->rules;
    size_t count = 0;
    if (ply_state_outcome(state).result == PLY_ONGOING)
        count = ply_game_count_moves(rules, state->position);
    if (count == 0)
        return false;
    *move = ply_game_nth_move(rules, state->position, ply_rng_below(rng, (uint32_t)count));
    return ply_state_play(state, *move) == PLY_OK;
}

static inline void random_annotation(ply_record *record, uint32_t node, ply_rng *rng)
{
    static const char *const comments[] = {
        "x",          "a b",          "(",         ")",    "{",      "]", "\\", "\"quoted\"",
        "line\nline", "手合割：平手", "＊",        "1. x", "%TORYO", "'", "*",  "&",
        "#",          "T10",          "変化：1手", "<b>",  "$1",     " ", NULL};
    const char *comment = grammar_pick(comments, rng);
    if (ply_rng_below(rng, 6) == 0)
        ply_record_add_comment(record, node, comment, strlen(comment));
    if (ply_rng_below(rng, 8) == 0)
        ply_record_add_nag(record, node, (uint8_t)ply_rng_below(rng, 256));
    if (ply_rng_below(rng, 4) == 0)
        record->nodes[node].millis = (int32_t)ply_rng_below(rng, 4000000);
}

static inline void random_variation(ply_record *record, uint32_t from, size_t plies, ply_rng *rng)
{
    ply_state state;
    ply_move move;
    uint32_t node = from;
    if (ply_record_state_at(record, from, &state, NULL) != PLY_OK)
        return;
    while (plies-- > 0 && random_ply(&state, rng, &move)) {
        bool again = false;
        for (uint32_t n = record->nodes[node].child; n && !again; n = record->nodes[n].sibling) {
            again = record->nodes[n].move == move;
            if (again)
                node = n;
        }
        if (again)
            continue;
        if (ply_record_add(record, node, move, &node) != PLY_OK)
            break;
        random_annotation(record, node, rng);
    }
    ply_state_free(&state);
}

static inline void random_tags(ply_record *record, ply_rng *rng)
{
    static const char *const names[] = {
        "Event", "Site",   "Date", "Round",  "White",     "Black", "先手", "後手",  "開始日時",
        "備考",  "Result", "棋戦", "手合割", "TimeLimit", "Rule",  "X-y",  "Title", NULL};
    static const char *const values[] = {"Ann",  "2026.11.16", "2026/11/16 10:00:00",
                                         "甲",   "",           "a \"b\"",
                                         "1-0",  "x]y",        "a\\",
                                         "平手", "6枚落ち",    "?",
                                         "0",    "*",          "a=b",
                                         " ",    NULL};
    for (uint32_t count = ply_rng_below(rng, 4); count > 0; count--) {
        const char *name = grammar_pick(names, rng), *value = grammar_pick(values, rng);
        ply_record_set_tag(record, name, strlen(name), value, strlen(value));
    }
}

/* Starts a game and plays random moves, fewer than `most`. */
static inline void random_game(ply_rng *rng, const ply_rules *rules, uint32_t most,
                               ply_state *state)
{
    ply_move move;
    FUZZ_CHECK(ply_state_init(state, rules) == PLY_OK);
    for (uint32_t plies = ply_rng_below(rng, most); plies > 0 && random_ply(state, rng, &move);)
        plies--;
}

/* A start position: that of another random game after some moves. */
static inline void random_start(ply_record *record, ply_rng *rng)
{
    ply_state state;
    random_game(rng, &record->rules, 60, &state);
    ply_text text = ply_text_growing();
    record->rules.game->format(&record->rules, state.position, &text);
    ply_record_set_start(record, ply_text_cstr(&text), text.length);
    ply_text_free(&text);
    ply_state_free(&state);
}

/* Fills an empty record with a game of at most that many plies. */
static inline void random_record(ply_record *record, uint32_t plies, ply_rng *rng)
{
    static const char *const endings[] = {"resign", "time", "illegal", "agreed", "repetition",
                                          "mate",   "win",  "stop",    NULL};
    if (ply_rng_below(rng, 6) == 0)
        random_start(record, rng);
    random_tags(record, rng);
    random_annotation(record, 0, rng);
    random_variation(record, 0, ply_rng_below(rng, plies + 1), rng);
    for (uint32_t more = ply_rng_below(rng, 4); more > 0 && plies > 2; more--)
        random_variation(record, ply_rng_below(rng, (uint32_t)record->node_count),
                         1 + ply_rng_below(rng, 4), rng);
    if (ply_rng_below(rng, 2))
        ply_record_set_ending(record, (ply_result)ply_rng_below(rng, 4),
                              ply_rng_below(rng, 2) ? grammar_pick(endings, rng) : NULL);
}

#endif
