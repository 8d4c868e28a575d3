/* SPDX-License-Identifier: MIT */
/* support.c - see support.h. */
#include "support/support.h"
#include "core/isa.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

bool test_under_tsan(void)
{
#ifdef __SANITIZE_THREAD__
    return true;
#else
    return false;
#endif
}

bool test_under_asan(void)
{
#ifdef __SANITIZE_ADDRESS__
    return true;
#else
    return false;
#endif
}

/* Every test program uses the instruction set that PLY_ISA names (core/isa.h). */
__attribute__((constructor)) static void use_isa(void)
{
    const char *name = getenv("PLY_ISA");
    if (name && !ply_isa_use(ply_isa_find(name))) {
        fprintf(stderr, "PLY_ISA: this processor has no level '%s'\n", name);
        exit(2);
    }
}

bool test_is_long(void)
{
    const char *tier = getenv("PLY_TIER");
    return tier && strcmp(tier, "long") == 0;
}

unsigned test_rounds(unsigned few, unsigned many)
{
    if (test_is_long())
        return many;
    return test_under_asan() || test_under_tsan() ? (few + 3) / 4 : few;
}

double test_cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

FILE *test_open_truth(const char *name)
{
    const char *folder = getenv("PLY_TRUTH");
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder ? folder : PLY_SOURCE_DIR "/../shared/truth", name);
    FILE *file = fopen(path, "r");
    if (!file) {
        print_message("skipped: %s is missing\n", path);
        skip();
    }
    return file;
}

void test_make_rules(ply_rules *rules, const char *game, const char *variant)
{
    ply_error error = {0};
    const ply_game *found = ply_game_find(game);
    assert_non_null(found);
    if (ply_rules_make(rules, found, variant, &error) != PLY_OK)
        fail_msg("%s %s: %s", game, variant ? variant : "", error.message);
}

void test_make_state(ply_state *state, const ply_rules *rules, const char *position)
{
    ply_error error = {0};
    assert_int_equal(ply_state_init(state, rules), PLY_OK);
    if (position && ply_state_parse(state, position, strlen(position), &error) != PLY_OK)
        fail_msg("%s: %s", position, error.message);
}

uint64_t test_perft(const char *game, const char *variant, const char *position, int depth,
                    int mode)
{
    ply_rules rules;
    ply_state state;
    uint64_t nodes = 0;
    test_make_rules(&rules, game, variant);
    test_make_state(&state, &rules, position);
    ply_perft_options options = {.mode = mode, .threads = 1};
    assert_int_equal(ply_perft(&state, depth, &options, &nodes, NULL, NULL), PLY_OK);
    ply_state_free(&state);
    return nodes;
}

static void check_error(const char *text, const ply_error *error, uint32_t column,
                        const char *words)
{
    if (error->column != column || !strstr(error->message, words))
        fail_msg("'%s': expected column %u and '%s', got column %u and '%s'", text, column, words,
                 error->column, error->message);
}

void test_bad_position(const ply_rules *rules, const char *text, uint32_t column, const char *words)
{
    ply_state state;
    ply_error error = {0};
    assert_int_equal(ply_state_init(&state, rules), PLY_OK);
    if (ply_state_parse(&state, text, strlen(text), &error) == PLY_OK)
        fail_msg("'%s' was accepted as a position", text);
    check_error(text, &error, column, words);
    ply_state_free(&state);
}

void test_bad_move(ply_state *state, const char *text, uint32_t column, const char *words)
{
    ply_error error = {0};
    size_t plies = state->plies;
    if (ply_state_play_text(state, text, strlen(text), &error) == PLY_OK)
        fail_msg("'%s' was played", text);
    assert_int_equal(state->plies, plies);
    check_error(text, &error, column, words);
}
