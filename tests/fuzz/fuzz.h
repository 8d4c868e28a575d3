/* SPDX-License-Identifier: MIT */
/* fuzz.h - what the fuzz targets share. */
#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

#include <plyverse/plyverse.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FUZZ_CHECK(condition)                                                         \
    do {                                                                              \
        if (!(condition)) {                                                           \
            fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition); \
            abort();                                                                  \
        }                                                                             \
    } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* --- files in memory ------------------------------------------------------------------------- */
typedef struct fuzz_bytes {
    uint8_t *data;
    size_t size;
} fuzz_bytes;

/* For ply_proof_source. */
static inline size_t fuzz_read(void *context, uint64_t offset, void *out, size_t count)
{
    const fuzz_bytes *b = context;
    if (offset >= b->size)
        return 0;
    if (count > b->size - offset)
        count = b->size - (size_t)offset;
    memcpy(out, b->data + offset, count);
    return count;
}

static inline void fuzz_put64(uint8_t *to, uint64_t value)
{
    for (int i = 0; i < 8; i++)
        to[i] = (uint8_t)(value >> (8 * i));
}

static inline uint64_t fuzz_get64(const uint8_t *from)
{
    uint64_t value = 0;
    for (int i = 7; i >= 0; i--)
        value = value << 8 | from[i];
    return value;
}

/* --- rules and positions --------------------------------------------------------------------- */
/*
 * Reads the first line, "GAME VARIANT WORD" or a part of it, and returns what follows; NULL when
 * it names no rules. *size becomes the length of the rest.
 */
static inline const char *fuzz_rules_and_word(const char *data, size_t *size, ply_rules *rules,
                                              char *word, size_t word_room)
{
    char line[128], *save = NULL;
    const char *end = memchr(data, '\n', *size);
    if (!end || (size_t)(end - data) >= sizeof line)
        return NULL;
    memcpy(line, data, (size_t)(end - data));
    line[end - data] = '\0';
    *size -= (size_t)(end - data) + 1;
    const char *id = strtok_r(line, " ", &save);
    const char *variant = strtok_r(NULL, " ", &save), *third = strtok_r(NULL, " ", &save);
    const ply_game *game = id ? ply_game_find(id) : NULL;
    if (!game || ply_rules_make(rules, game, variant, NULL) != PLY_OK)
        return NULL;
    if (word && third && strlen(third) < word_room)
        strcpy(word, third);
    return end + 1;
}

static inline const char *fuzz_rules(const char *data, size_t *size, ply_rules *rules)
{
    return fuzz_rules_and_word(data, size, rules, NULL, 0);
}

/* Plays and undoes every move: the key must be restored, and agree with the one from scratch. */
static inline void fuzz_play_all(ply_state *state)
{
    const ply_rules *rules = state->rules;
    ply_move *moves = malloc(rules->max_moves * sizeof(ply_move));
    size_t count = rules->game->moves(rules, state->position, moves);
    uint64_t key = rules->game->hash(rules, state->position);
    FUZZ_CHECK(count <= rules->max_moves &&
               key == rules->game->compute_hash(rules, state->position));
    FUZZ_CHECK(ply_game_count_moves(rules, state->position) == count);
    for (size_t i = 0; i < count; i++) {
        if (ply_state_play(state, moves[i]) != PLY_OK)
            continue;
        FUZZ_CHECK(rules->game->hash(rules, state->position) ==
                   rules->game->compute_hash(rules, state->position));
        ply_state_undo(state);
        FUZZ_CHECK(rules->game->hash(rules, state->position) == key);
    }
    ply_state_outcome(state);
    free(moves);
}

#endif
